/* The calculator at the prompt: an expression is computed, `it` being the layout on the screen; `let` gives
 * another one a name. */

#include "tui/explore/explorer.h"
#include "tui/prompt/prompt.h"

#include "laneway/calc.h"

#include <stdlib.h>
#include <string.h>

struct lw_let {
    char name[24];
    struct lw_layout layout;
};

enum { LETS_MAX = 64 };

static bool bind(struct lw_explorer *ex, const char *name, const struct lw_layout *layout)
{
    size_t i = 0;
    while (i < ex->prompt.let_count && strcmp(ex->prompt.lets[i].name, name) != 0)
        i++;
    if (i == LETS_MAX)
        return false;
    if (!ex->prompt.lets && !(ex->prompt.lets = calloc(LETS_MAX, sizeof *ex->prompt.lets)))
        return !(ex->failed = true);
    snprintf(ex->prompt.lets[i].name, sizeof ex->prompt.lets[i].name, "%s", name);
    ex->prompt.lets[i].layout = *layout;
    ex->prompt.let_count += i == ex->prompt.let_count;
    return true;
}

/* A result: a layout opens as a new entry, one line is a message, more is a page. */
static void show_result(struct lw_explorer *ex, const char *expr,
                        const struct lw_calc_result *result)
{
    struct lw_text text = {0};
    if (result->kind == LW_CALC_LAYOUT && result->as.layout.in.count &&
        result->as.layout.out.count) {
        lw_layout_print_json(&text, &result->as.layout);
        lw_explorer_open(ex, lw_text_string(&text), expr);
    } else {
        lw_calc_print(&text, result);
        if (strchr(lw_text_string(&text), '\n'))
            lw_page_open(ex, expr, lw_text_string(&text));
        else
            lw_explorer_set_message(ex, false, "%s", lw_text_string(&text));
    }
    lw_text_free(&text);
}

/* The layout on the screen; one that is not linear is bound all the same, to the reason. */
static void bind_it(const struct lw_subject *subject, struct lw_calc_binding *it,
                    struct lw_error *why)
{
    it->name = "it";
    if (!lw_map_to_hardware(&subject->map, subject->lanes, &it->layout, why))
        it->why = why->message;
}

void lw_calculate(struct lw_explorer *ex, const char *expr)
{
    struct lw_calc_binding *lets = calloc(ex->prompt.let_count + 1, sizeof *lets);
    struct lw_calc_result *result = calloc(1, sizeof *result);
    struct lw_arena arena = {0};
    const struct lw_entry *entry = lw_explorer_entry(ex);
    struct lw_calc_work work = {.arena = &arena};
    work.triton.version = entry->loaded ? entry->doc.encoding->triton : LW_TRITON_UNSET;
    struct lw_error err, why;
    size_t count = 0;
    if (lets && result) {
        for (; count < ex->prompt.let_count; count++)
            lets[count] = (struct lw_calc_binding){.name = ex->prompt.lets[count].name,
                                                   .layout = ex->prompt.lets[count].layout};
        if (ex->layouts.has_opened)
            bind_it(&ex->layouts.opened.subject, &lets[count++], &why);
        if (lw_calc(expr, lets, count, &work, result, &err))
            show_result(ex, expr, result);
        else
            lw_explorer_set_message(ex, true, "%s", err.message);
    } else {
        ex->failed = true;
    }
    lw_arena_free(&arena);
    free(lets);
    free(result);
}

void lw_let(struct lw_explorer *ex, const char *text)
{
    struct lw_document doc;
    struct lw_map map;
    struct lw_layout layout;
    struct lw_error err;
    const struct lw_open_options options = {.triton = ex->options->triton};
    char name[24];
    size_t length = strcspn(text, "= ");
    const char *source = text + length + strspn(text + length, "= ");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (length >= sizeof name || !lw_calc_name_check(name, &err) ||
        !lw_document_open(&doc, source, &options, &err)) {
        lw_explorer_set_message(ex, true, "%s",
                                length < sizeof name ? err.message : "the name is too long");
        return;
    }
    if (!lw_document_build(&doc, &map, &err) ||
        !lw_map_to_hardware(&map, lw_explorer_hardware(ex)->lanes, &layout, &err))
        lw_explorer_set_message(ex, true, "%s", err.message);
    else if (!bind(ex, name, &layout))
        lw_explorer_set_message(ex, true, "%d names are bound, which is the limit", LETS_MAX);
    else
        lw_explorer_set_message(ex, false, "%s is %s", name, source);
    lw_document_free(&doc);
}
