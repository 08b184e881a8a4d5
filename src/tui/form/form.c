/* The form: moving through the fields of a document, and editing them. Every keystroke is tried on the document at
 * once; a text that cannot be read stays in the field. */

#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "tui/form/numbers.h"
#include "tui/prompt/prompt.h"

#include <string.h>

/* ---- Numbers in a value ---- */

void lw_form_pick(struct lw_explorer *ex, int by)
{
    size_t start, end, item = ex->form.item + (size_t)by;
    if (ex->form.field >= ex->form.count || (by < 0 && ex->form.item == 0))
        return;
    if (lw_number_find(lw_text_string(&ex->form.fields[ex->form.field].text), item, &start, &end))
        ex->form.item = item;
}

void lw_form_pick_at(struct lw_explorer *ex, int column)
{
    size_t start, end;
    const char *text = lw_text_string(&ex->form.fields[ex->form.field].text);
    for (size_t item = 0; column >= 0 && lw_number_find(text, item, &start, &end); item++)
        if ((size_t)column >= start && (size_t)column < end)
            ex->form.item = item;
}

/* ---- Editing ---- */

void lw_form_show_edited(struct lw_explorer *ex)
{
    if (ex->panes.active->shown.other)
        ex->panes.active = ex->panes.all;
    ex->changed |= LW_CHANGED_CURSOR;
}

void lw_form_enter(struct lw_explorer *ex)
{
    lw_form_show_edited(ex);
    lw_form_choose_bad(ex);
}

bool lw_form_begin(struct lw_explorer *ex)
{
    if (ex->form.has_before)
        lw_document_free(&ex->form.before);
    ex->form.has_before = lw_document_copy(&ex->form.before, lw_explorer_entry(ex)->doc, NULL);
    ex->failed = ex->failed || !ex->form.has_before;
    return ex->form.has_before;
}

/* Ends an edit, as one step of history if something changed. */
void lw_form_finish(struct lw_explorer *ex)
{
    if (!ex->form.has_before)
        return;
    bool changed = !lw_documents_equal(&ex->form.before, lw_explorer_entry(ex)->doc);
    if (changed && !lw_history_push(ex, &ex->form.before))
        ex->failed = true;
    lw_document_free(&ex->form.before);
    ex->form.has_before = false;
    if (changed)
        ex->changed |= LW_CHANGED_SAVED;
}

/* Sets a value in the document; false: the document is unchanged. */
static bool put_value(struct lw_explorer *ex, const char *path, const char *text)
{
    struct lw_document doc;
    struct lw_error err;
    if (!lw_document_copy(&doc, lw_explorer_entry(ex)->doc, NULL)) {
        ex->failed = true;
        return false;
    }
    if (!lw_document_set(&doc, path, text, &err)) {
        lw_document_free(&doc);
        *lw_form_problem(ex, path) = err;
        return false;
    }
    lw_document_free(lw_explorer_entry(ex)->doc);
    *lw_explorer_entry(ex)->doc = doc;
    return true;
}

/* Whether a text has a name with "=" after it, as in "register=1 and lane=1 are the same". */
static bool names(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *p = text; length && (p = strstr(p, name)); p += length)
        if (p[length] == '=' && (p == text || p[-1] == ' '))
            return true;
    return false;
}

/* Reports a problem that several parameters cause together at the one that was edited. */
static void point_at_edited(struct lw_explorer *ex, const char *path)
{
    struct lw_error *problem = lw_form_problem(ex, path);
    const char *reason = strstr(problem->message, ": ");
    for (size_t i = 0; problem->code != LW_OK && reason && i < ex->form.count; i++) {
        const struct lw_field *field = &ex->form.fields[i];
        if (strcmp(field->path, path) != 0 || !strcmp(problem->parameter, field->label) ||
            !*problem->parameter || !names(reason + 2, field->label))
            continue;
        struct lw_text text = {0};
        lw_text_format(&text, "%s = %s%s", field->label, lw_text_string(&field->text), reason);
        snprintf(problem->message, sizeof problem->message, "%s", lw_text_string(&text));
        snprintf(problem->parameter, sizeof problem->parameter, "%s", field->label);
        lw_text_free(&text);
        return;
    }
}

bool lw_form_try(struct lw_explorer *ex, const char *path, const char *text)
{
    if (!put_value(ex, path, text))
        return false;
    lw_refresh(ex, LW_CHANGED_LAYOUT);
    point_at_edited(ex, path);
    return true;
}

static void typed(struct lw_explorer *ex)
{
    lw_form_try(ex, ex->form.edited, lw_text_string(&ex->form.edit.text));
}

/* Types a digit in an order: exchanges the chosen entry with the one of that value, so that the order is still
 * legal. */
static void bring_entry(struct lw_explorer *ex, const struct lw_field *field, int64_t value)
{
    struct lw_text next = {0};
    char path[LW_PATH_MAX];
    snprintf(path, sizeof path, "%s", field->path);
    if (lw_number_bring(&next, lw_text_string(&field->text), ex->form.item, value)) {
        size_t item = ex->form.item;
        lw_form_set(ex, path, lw_text_string(&next));
        ex->form.item = item;
        lw_form_pick(ex, 1);
    } else {
        lw_explorer_set_message(ex, true, "%s has no entry %lld", path, (long long)value);
    }
    lw_text_free(&next);
}

/* Lists may be typed as tuples too. */
static uint32_t as_list_key(const char *text, uint32_t key)
{
    bool list = text[0] == '[';
    return list && key == '(' ? '[' : list && key == ')' ? ']' : key;
}

void lw_form_edit(struct lw_explorer *ex, uint32_t first)
{
    if (ex->form.field >= ex->form.count || !ex->form.fields[ex->form.field].path[0])
        return;
    if (ex->form.fields[ex->form.field].folds) {
        if (!first)
            lw_form_unfold(ex, !ex->form.full);
        return;
    }
    const struct lw_field *field = &ex->form.fields[ex->form.field];
    bool number = first >= '0' && first <= '9';
    if (number && field->param && (field->param->rules & LW_RULE_PERMUTATION)) {
        bring_entry(ex, field, (int64_t)first - '0');
        return;
    }
    if (!lw_form_begin(ex))
        return;
    const char *text = lw_text_string(&field->text);
    size_t start, end;
    lw_line_set(&ex->form.edit, text);
    first = as_list_key(text, first);
    if (first && number && lw_number_find(text, ex->form.item, &start, &end)) {
        /* Typing a digit replaces the chosen number only. */
        ex->form.edit.caret = end;
        for (size_t i = start; i < end; i++)
            lw_line_key(&ex->form.edit, LW_KEY_BACKSPACE);
    } else if (first == '[' && text[0]) {
        lw_explorer_set_message(ex, false, "a new value instead of %s: Esc restores that", text);
        lw_line_set(&ex->form.edit, "");
    }
    snprintf(ex->form.edited, sizeof ex->form.edited, "%s", ex->form.fields[ex->form.field].path);
    ex->focus = LW_FOCUS_EDIT;
    ex->form.by_number = number;
    ex->form.first_item = ex->form.item;
    ex->form.beyond = false;
    ex->form.replaces = false;
    ex->form.whole = !first;
    if (first) {
        lw_line_key(&ex->form.edit, first);
        typed(ex);
    }
}

bool lw_form_turn(struct lw_explorer *ex, int by)
{
    const char *text = lw_text_string(&ex->form.edit.text);
    size_t item, start, end;
    if (!ex->form.by_number || !lw_number_at(text, ex->form.edit.caret, &item) ||
        (by < 0 && item == 0) || !lw_number_find(text, item + (size_t)by, &start, &end))
        return false;
    ex->form.item = item + (size_t)by;
    ex->form.edit.caret = end;
    ex->form.replaces = true;
    return true;
}

/* Whether a colon at the caret may be part of the value, as in [4:+2] and {"lane": [[0, 1]]}. */
static bool accepts_colon(const struct lw_explorer *ex)
{
    const char *text = lw_text_string(&ex->form.edit.text);
    size_t i = 0, caret = ex->form.edit.caret;
    while (i < ex->form.count && strcmp(ex->form.fields[i].path, ex->form.edited) != 0)
        i++;
    if (i == ex->form.count || !ex->form.fields[i].param)
        return false;
    switch (ex->form.fields[i].param->type) {
    case LW_PARAM_PADDINGS:
        return strncmp(text, "[[", 2) != 0 && caret && text[caret - 1] >= '0' &&
               text[caret - 1] <= '9';
    case LW_PARAM_NAMED_BASES:
    case LW_PARAM_STRING:
    case LW_PARAM_ENCODING:
        return true;
    default:
        return false;
    }
}

/* Whether the edited list may have more numbers than it has: the lists of a layout have one for each dim of the tensor.
 */
static bool may_grow(const struct lw_explorer *ex)
{
    size_t i = 0;
    while (i < ex->form.count && strcmp(ex->form.fields[i].path, ex->form.edited) != 0)
        i++;
    const struct lw_param *param = i < ex->form.count ? ex->form.fields[i].param : NULL;
    return !param || !(param->rules & (LW_RULE_RANK | LW_RULE_PERMUTATION));
}

/* A comma after a number that is typed over another: goes to the next one, which the next digit replaces, and refuses
 * one after the last in a list that may have no more. False: the key is a character of the text. */
static bool take_list_key(struct lw_explorer *ex, uint32_t key)
{
    bool comma = key == ',' && ex->form.by_number, number = key >= '0' && key <= '9';
    if (comma && lw_form_turn(ex, 1))
        return true;
    if (key == ']' && ex->form.by_number &&
        lw_text_string(&ex->form.edit.text)[ex->form.edit.caret] == ']') {
        ex->form.edit.caret++; /* the list has it already */
        return true;
    }
    ex->form.beyond = (comma && !may_grow(ex)) || (ex->form.beyond && (number || key == ' '));
    if (ex->form.beyond)
        lw_explorer_set_message(ex, true, "%s has one number for each dim of the tensor",
                                ex->form.edited);
    return ex->form.beyond || (key == ' ' && ex->form.replaces);
}

/* `:` begins a command: the typed text is accepted if it is a value. */
static void leave_for_command(struct lw_explorer *ex)
{
    if (!lw_form_accept(ex))
        lw_form_cancel(ex);
    ex->status.message[0] = '\0';
    lw_prompt_open(ex, LW_FOCUS_COMMAND);
}

void lw_form_key(struct lw_explorer *ex, uint32_t key)
{
    if (key == ':' && !accepts_colon(ex)) {
        leave_for_command(ex);
        return;
    }
    const char *text = lw_text_string(&ex->form.edit.text);
    size_t start, end, caret = ex->form.edit.caret;
    key = as_list_key(text, key);
    bool at_end = !(text[caret] >= '0' && text[caret] <= '9');
    if ((key == LW_KEY_RIGHT && at_end && lw_form_turn(ex, 1)) ||
        (key == LW_KEY_LEFT && ex->form.replaces && lw_form_turn(ex, -1)))
        return;
    if (take_list_key(ex, key))
        return;
    if (ex->form.replaces && key >= '0' && key <= '9' &&
        lw_number_find(text, ex->form.item, &start, &end))
        while (ex->form.edit.caret > start)
            lw_line_key(&ex->form.edit, LW_KEY_BACKSPACE);
    ex->form.replaces = false;
    if (ex->form.whole && key > ' ' && key < 0x7f)
        lw_line_set(&ex->form.edit, "");
    ex->form.whole = false;
    if (lw_line_key(&ex->form.edit, key))
        typed(ex);
}

bool lw_form_accept(struct lw_explorer *ex)
{
    if (!lw_form_try(ex, ex->form.edited, lw_text_string(&ex->form.edit.text))) {
        lw_explorer_set_message(ex, true, "not legal: Esc discards it");
        return false;
    }
    lw_form_finish(ex);
    ex->form.item = ex->form.first_item;
    ex->focus = LW_FOCUS_FORM;
    return true;
}

void lw_form_restore(struct lw_explorer *ex)
{
    if (!ex->form.has_before)
        return;
    lw_document_free(lw_explorer_entry(ex)->doc);
    *lw_explorer_entry(ex)->doc = ex->form.before;
    ex->form.has_before = false;
}

/* Opens the layouts of the document before an edit. If that is not legal, they are those of the newest legal step of
 * history. */
static void reopen(struct lw_explorer *ex)
{
    struct lw_entry *entry = lw_explorer_entry(ex);
    struct lw_document *doc = entry->doc;
    size_t i = entry->past_count;
    lw_refresh(ex, LW_CHANGED_LAYOUT);
    if (!lw_layouts_problem(&ex->layouts))
        return;
    while (i > 0 && !lw_subject_fits(&entry->past[i - 1], NULL))
        i--;
    if (i > 0) {
        entry->doc = &entry->past[i - 1];
        lw_refresh(ex, LW_CHANGED_LAYOUT);
        entry->doc = doc;
    } else {
        lw_layouts_close(ex);
    }
    lw_refresh(ex, LW_CHANGED_LAYOUT | LW_CHANGED_VIEW);
}

void lw_form_retry(struct lw_explorer *ex)
{
    struct lw_document doc;
    if (!ex->form.has_before)
        return;
    if (!lw_document_copy(&doc, &ex->form.before, NULL)) {
        ex->failed = true;
        return;
    }
    lw_document_free(lw_explorer_entry(ex)->doc);
    *lw_explorer_entry(ex)->doc = doc;
    reopen(ex);
}

bool lw_form_set_all(struct lw_explorer *ex, const struct lw_form_value *settings, size_t count)
{
    if (!lw_explorer_entry(ex)->loaded || !lw_form_begin(ex))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (put_value(ex, settings[i].path, settings[i].value))
            continue;
        struct lw_error *why = lw_form_problem(ex, settings[i].path);
        lw_explorer_set_message(ex, true, "%s", why->message);
        why->code = LW_OK;
        lw_form_restore(ex);
        lw_form_choose(ex, settings[i].path);
        return false;
    }
    lw_refresh(ex, LW_CHANGED_LAYOUT);
    if (count == 1)
        point_at_edited(ex, settings[0].path);
    lw_form_finish(ex);
    if (count)
        lw_form_choose(ex, settings[count - 1].path);
    return true;
}

bool lw_form_set(struct lw_explorer *ex, const char *path, const char *value)
{
    return lw_form_set_all(ex, &(struct lw_form_value){path, value}, 1);
}

void lw_form_cancel(struct lw_explorer *ex)
{
    lw_form_restore(ex);
    ex->form.item = ex->form.first_item;
    ex->focus = LW_FOCUS_FORM;
    reopen(ex);
}
