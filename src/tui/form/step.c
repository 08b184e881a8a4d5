/* Stepping a value with + and -: each step is from a legal layout to a legal one, else it is not made. */

#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "tui/form/numbers.h"

#include <stdlib.h>
#include <string.h>

/* Puts the value after a field's own, or before it; nothing if there is none. */
static void put_next(const struct lw_explorer *ex, const struct lw_field *field, int direction,
                     struct lw_text *next)
{
    const char *text = lw_text_string(&field->text);
    size_t start, end;
    if (lw_field_is_element(field)) {
        lw_field_step(field, direction, next);
    } else if (field->param && field->param->type == LW_PARAM_BOOLEAN) {
        lw_text_add(next, !strcmp(text, "true") ? "false" : "true");
    } else if (field->param && (field->param->rules & LW_RULE_PERMUTATION)) {
        lw_number_exchange(next, text, ex->form.item, direction);
    } else if (lw_number_find(text, ex->form.item, &start, &end)) {
        long long n = strtoll(text + start, NULL, 10);
        lw_text_bytes(next, text, start);
        lw_text_format(next, "%lld", (long long)lw_number_step(field->param, n, direction));
        lw_text_add(next, text + end);
    }
}

/* Tries a value; if it is not legal but the former one was, restores that, with the reason. */
static void step_to(struct lw_explorer *ex, const char *path, const char *was, const char *next)
{
    bool legal = !lw_layouts_problem(&ex->layouts);
    struct lw_text why = {0};
    if (!lw_form_begin(ex))
        return;
    lw_form_try(ex, path, next);
    const struct lw_error *problem = lw_layouts_problem(&ex->layouts);
    if (problem && legal) {
        lw_text_add(&why, problem->message);
        lw_form_restore(ex);
        lw_refresh(ex, LW_CHANGED_LAYOUT);
        lw_flash_end(ex);
        lw_explorer_set_message(ex, true, "%s stays %s; %s", path, was, lw_text_string(&why));
    } else {
        lw_form_finish(ex);
    }
    lw_text_free(&why);
}

void lw_form_step(struct lw_explorer *ex, int direction)
{
    if (ex->form.field >= ex->form.count || !ex->form.fields[ex->form.field].path[0])
        return;
    const struct lw_field *field = &ex->form.fields[ex->form.field];
    if (field->folds) {
        lw_form_unfold(ex, direction > 0);
        return;
    }
    struct lw_text next = {0}, was = {0};
    char path[sizeof field->path];
    snprintf(path, sizeof path, "%s", field->path);
    lw_text_add(&was, lw_text_string(&field->text));
    put_next(ex, field, direction, &next);
    if (next.length && strcmp(lw_text_string(&was), lw_text_string(&next)) != 0)
        step_to(ex, path, lw_text_string(&was), lw_text_string(&next));
    else
        lw_explorer_set_message(ex, false, "%s: no value %s %s", path,
                                direction > 0 ? "after" : "before",
                                was.length ? lw_text_string(&was) : "what is not set");
    lw_text_free(&next);
    lw_text_free(&was);
}
