/* The calculator at the prompt: computes an expression, in which `it` is the layout on the screen, and names are those
 * of `let`. */

#include "tui/explore/explorer.h"
#include "tui/prompt/let.h"
#include "tui/prompt/prompt.h"

#include "laneway/calc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Whether a result is a layout; puts it as a SOURCE. */
static bool is_source(const struct lw_calc_result *result, struct lw_text *source)
{
    bool linear =
        result->kind == LW_CALC_LAYOUT && result->as.layout.in.count && result->as.layout.out.count;
    if (linear)
        lw_layout_print_json(source, &result->as.layout);
    else if (lw_calc_cute(result) || result->kind == LW_CALC_TILUS)
        lw_calc_print(source, result);
    else
        return false;
    return true;
}

/* Puts an expression after the values of its names, so that it is complete: "it = (4,8):(8,1); blocked_product(it,
 * 2:1)". False: a name has no notation here. */
static bool put_complete(struct lw_text *text, const struct lw_calc_binding *lets, size_t count,
                         const char *expr)
{
    for (size_t i = 0; i < count; i++) {
        if (!lw_contains_text(expr, lets[i].name))
            continue;
        if (lets[i].why || lets[i].tilus)
            return false;
        lw_text_format(text, "%s = ", lets[i].name);
        if (lets[i].cute)
            lw_cute_print(text, lets[i].cute);
        else
            lw_layout_print_json(text, &lets[i].layout);
        lw_text_add(text, "; ");
    }
    lw_text_add(text, expr);
    return !strchr(expr, '"'); /* quotes may have a file, which would be read again */
}

/* Keeps the expression of the last opened entry, whose layout is its result. */
static void keep_product(struct lw_explorer *ex, const struct lw_calc_binding *lets, size_t count,
                         const char *expr)
{
    struct lw_entry *entry = &ex->list.entries[ex->list.entry];
    struct lw_text text = {0};
    if (put_complete(&text, lets, count, expr)) {
        struct lw_document *const docs[] = {entry->doc, entry->original};
        for (size_t i = 0; i < sizeof docs / sizeof *docs; i++)
            docs[i]->expression =
                lw_arena_string(&docs[i]->arena, lw_text_string(&text), text.length);
    }
    lw_text_free(&text);
}

/* Whether a typed expression is itself a SOURCE, which shows how its result is made. */
static bool is_source_itself(const struct lw_explorer *ex, const char *expr,
                             const struct lw_calc_binding *lets, size_t count)
{
    struct lw_document doc;
    struct lw_error err;
    const struct lw_open_options options = {.triton = ex->options->triton};
    for (size_t i = 0; i < count; i++)
        if (lw_contains_text(expr, lets[i].name))
            return false;
    if (strpbrk(expr, "\"/") || !lw_document_open(&doc, expr, &options, &err))
        return false;
    lw_document_free(&doc);
    return true;
}

/* Puts the expression with the name of the layout instead of each `it`; returns the number of those. */
static int put_named(struct lw_text *label, const char *expr, const char *name)
{
    int count = 0;
    bool quoted = false;
    for (bool in_word = false; *expr; expr++) {
        bool word = isalnum((unsigned char)*expr) || *expr == '_';
        quoted ^= *expr == '"';
        bool is_it = !quoted && !in_word && !strncmp(expr, "it", 2) &&
                     !isalnum((unsigned char)expr[2]) && expr[2] != '_';
        if (is_it)
            lw_text_add(label, name);
        else
            lw_text_char(label, *expr);
        expr += is_it;
        count += is_it;
        in_word = word;
    }
    return count;
}

/* Puts the beginning of a text, at most that number of columns, with an ellipsis if it is cut. */
static void put_beginning(struct lw_text *text, const char *string, int columns)
{
    bool cut = (int)lw_text_width(string) > columns;
    for (int used = cut, bytes; *string; string += bytes) {
        used += lw_text_code_width(lw_text_decode(string, &bytes));
        if (used > columns)
            break;
        lw_text_bytes(text, string, (size_t)bytes);
    }
    if (cut)
        lw_text_add(text, "…");
}

/* Puts the name of a result: the typed text with the name of the layout instead of `it`. In a long text that name is
 * cut, so that the names of results of one layout differ. */
static void put_label(struct lw_text *label, const char *expr, const char *name)
{
    enum { LABEL = 34, NAME_LEAST = 8 };
    struct lw_text typed = {0}, shorter = {0};
    int count = put_named(&typed, expr, "");
    int room = count ? (LABEL - (int)lw_text_width(lw_text_string(&typed))) / count : 0;
    put_beginning(&shorter, name, room < NAME_LEAST ? NAME_LEAST : room);
    put_named(label, expr, lw_text_string(&shorter));
    lw_text_free(&typed);
    lw_text_free(&shorter);
}

/* Whether two texts differ in more than blanks. */
static bool differ(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a != *b || !*a)
            return *a != *b;
    }
}

/* The element of `it`, where a result has the same elements: not of an inverse, nor where they are counted in another
 * size; else none. */
static struct lw_element element_of(const struct lw_explorer *ex, const char *expr,
                                    const struct lw_calc_result *result, bool recounts)
{
    const struct lw_element none = {.name = ""};
    const struct lw_subject *subject = &ex->layouts.opened.subject;
    struct lw_text scratch = {0};
    bool same = ex->layouts.has_opened && !recounts && put_named(&scratch, expr, "") > 0;
    lw_text_free(&scratch);
    for (int d = 0; same && result->kind == LW_CALC_LAYOUT && d < result->as.layout.out.count; d++)
        same = lw_dims_find(&subject->map.in, result->as.layout.out.dim[d].name) < 0;
    return same ? subject->tensor.element : none;
}

/* The entry that was opened last has elements of that type, where its own are not set. */
static void keep_element(struct lw_explorer *ex, const struct lw_element *element)
{
    struct lw_entry *entry = &ex->list.entries[ex->list.entry];
    struct lw_document *const docs[] = {entry->doc, entry->original};
    for (size_t i = 0; i < sizeof docs / sizeof *docs; i++)
        if (element->name[0] && !docs[i]->tensor.element.name[0])
            docs[i]->tensor.element = *element;
}

/* The message of a result that is on the screen as an entry: its value, or by what name the list has it. */
static void report_opened(struct lw_explorer *ex, const char *expr, const char *source,
                          const char *label, bool known, const struct lw_calc_result *result)
{
    enum { SHORT = 200 };
    struct lw_text text = {0};
    lw_calc_print(&text, result);
    const char *value = lw_text_string(&text), *name = lw_entry_name(lw_explorer_entry(ex));
    bool typed = lw_calc_cute(result) ? !differ(value, expr) : !strcmp(source, expr);
    if (known && strcmp(name, label) != 0)
        lw_explorer_set_message(ex, false, "%s is the same layout as %s: this entry is both", label,
                                name);
    else if (lw_calc_cute(result) && lw_calc_cute(result)->left_out)
        lw_explorer_set_message(ex, false,
                                "%s = %s; its offsets begin at 0, in CuTe: before "
                                "the slice at %lld",
                                expr, value, (long long)lw_calc_cute(result)->left_out);
    else if (!typed && text.length < SHORT && !strchr(value, '\n'))
        lw_explorer_set_message(ex, false, "%s = %s", expr, value);
    lw_text_free(&text);
}

/* A result: a layout opens as a new entry, one line is a message, more is a page. */
static void show_result(struct lw_explorer *ex, const char *expr,
                        const struct lw_calc_result *result, const struct lw_calc_binding *lets,
                        size_t count, const struct lw_calc_pair *pair, bool recounts)
{
    enum { SHORT = 200 };
    struct lw_text source = {0}, text = {0};
    bool is_layout = is_source(result, &source);
    if (is_layout && result->kind != LW_CALC_LAYOUT && is_source_itself(ex, expr, lets, count)) {
        lw_text_clear(&source);
        lw_text_add(&source, expr);
    }
    struct lw_text label = {0};
    const struct lw_element element = element_of(ex, expr, result, recounts);
    put_label(&label, expr, lw_entry_name(&ex->list.entries[ex->list.entry]));
    const size_t before = ex->list.count, from = ex->list.entry;
    bool opened =
        is_layout && lw_explorer_open(ex, lw_text_string(&source), lw_text_string(&label));
    if (opened)
        keep_element(ex, &element);
    if (opened && pair)
        keep_product(ex, lets, count, expr);
    if (opened) {
        const bool known = ex->list.count == before && ex->list.entry != from;
        report_opened(ex, expr, lw_text_string(&source), lw_text_string(&label), known, result);
    } else {
        lw_calc_print(&text, result);
        if (result->kind == LW_CALC_NONE && result->as.why[0])
            lw_text_format(&text, ": %s", result->as.why);
        const char *shown = lw_text_string(&text);
        bool is_answer = result->kind == LW_CALC_NONE || result->kind == LW_CALC_TRUTH;
        bool brief = text.length < SHORT && !is_answer;
        if (strchr(shown, '\n'))
            lw_page_open(ex, expr, shown);
        else if (result->kind == LW_CALC_SWIZZLE)
            lw_explorer_set_message(ex, false,
                                    "%s is a swizzle: %s(17) is offset 17 swizzled, :shared %s "
                                    "applies it to the rows of a tensor",
                                    shown, shown, shown);
        else
            lw_explorer_set_message(ex, false, "%s%s%s", brief ? expr : "", brief ? " = " : "",
                                    shown);
    }
    lw_text_free(&source);
    lw_text_free(&label);
    lw_text_free(&text);
}

/* Binds a layout in its own system: of CuTe, of tilus, else linear. `map` is the layout's; for one that is not linear
 * the name is bound to the reason, in the arena. */
static bool bind_own(struct lw_calc_binding *let, const struct lw_encoding *encoding,
                     const struct lw_map *map, uint64_t lanes, struct lw_arena *arena,
                     struct lw_error *err)
{
    err->code = LW_OK;
    if (lw_calc_bind_cute(let, encoding, arena, err) || err->code != LW_OK)
        return let->cute != NULL;
    bool linear = lw_map_to_hardware(map, lanes, &let->layout, err);
    if (lw_calc_bind_tilus(let, encoding, arena, linear, err))
        return true;
    let->why = lw_arena_string(arena, err->message, strlen(err->message));
    return let->why != NULL;
}

static bool bind_document(struct lw_calc_binding *let, const struct lw_explorer *ex,
                          const struct lw_document *doc, struct lw_arena *arena,
                          struct lw_error *err)
{
    struct lw_map map;
    return lw_document_build(doc, &map, err) &&
           bind_own(let, doc->encoding, &map, lw_explorer_hardware(ex)->lanes, arena, err);
}

bool lw_calculates(const struct lw_explorer *ex, const struct lw_document *doc,
                   struct lw_error *err)
{
    struct lw_calc_binding trial = {.name = "it"};
    struct lw_arena arena = {0};
    bool can =
        bind_document(&trial, ex, doc, &arena, err) && (!trial.why || trial.cute || trial.tilus);
    lw_arena_free(&arena);
    return can;
}

/* Binds the names of `let`, and `it`, the layout on the screen. */
static bool bind_all(const struct lw_explorer *ex, struct lw_calc_binding *lets, size_t *count,
                     struct lw_arena *arena, struct lw_error *err)
{
    for (*count = 0; *count < ex->prompt.let_count; ++*count) {
        lets[*count].name = ex->prompt.lets[*count].name;
        if (!bind_document(&lets[*count], ex, &ex->prompt.lets[*count].doc, arena, err))
            return false;
    }
    lets[*count].name = "it";
    if (!ex->layouts.has_opened) {
        lets[(*count)++].why = "the layout on the screen, and there is none";
        return true;
    }
    const struct lw_subject *subject = &ex->layouts.opened.subject;
    return bind_own(&lets[(*count)++], ex->list.entries[ex->list.entry].doc->encoding,
                    &subject->map, subject->lanes, arena, err);
}

/* Whether a text is a type or an attribute of MLIR, which is a SOURCE and not an expression. */
static bool is_mlir(const char *text)
{
    static const char *const starts[] = {"tensor<", "!ttg.", "#ttg.", "#triton_gpu.", "#ttng."};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (!strncmp(text, starts[i], strlen(starts[i])))
            return true;
    return false;
}

/* An expression with its names, and its result. */
struct evaluation {
    struct lw_calc_binding *lets;
    struct lw_calc_result *result;
    struct lw_arena arena;
    size_t count; /* of lets */
    const struct lw_calc_pair *pair;
    bool recounts;
};

static void evaluation_free(struct evaluation *e)
{
    lw_arena_free(&e->arena);
    free(e->lets);
    free(e->result);
}

/* Computes an expression; free *e in any case. */
static bool evaluate(struct lw_explorer *ex, const char *expr, struct evaluation *e,
                     struct lw_error *err)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    *e = (struct evaluation){.lets = calloc(ex->prompt.let_count + 1, sizeof *e->lets),
                             .result = calloc(1, sizeof *e->result)};
    struct lw_calc_work work = {.arena = &e->arena, .pair = &e->pair, .recounts = &e->recounts};
    work.triton.version = entry->loaded ? entry->doc->encoding->triton : LW_TRITON_UNSET;
    if (ex->layouts.has_opened)
        work.bits = ex->layouts.opened.subject.tensor.element.bits;
    if (!e->lets || !e->result)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    return bind_all(ex, e->lets, &e->count, &e->arena, err) &&
           lw_calc(expr, e->lets, e->count, &work, e->result, err);
}

bool lw_calculate_source(struct lw_explorer *ex, const char *expr, struct lw_text *source,
                         struct lw_error *err)
{
    struct evaluation e;
    bool good = evaluate(ex, expr, &e, err);
    if (good && !is_source(e.result, source))
        good = lw_error_set(err, LW_ERROR_PARAMETER, "'%.60s' is not a layout", expr);
    evaluation_free(&e);
    return good;
}

void lw_calculate(struct lw_explorer *ex, const char *expr)
{
    if (!*expr) {
        lw_explorer_set_message(ex, true,
                                "calc EXPR: an expression is missing, such as it * it; "
                                "':help operations' lists the operations");
        return;
    }
    if (is_mlir(expr)) {
        lw_explorer_open(ex, expr, NULL);
        return;
    }

    struct evaluation e;
    struct lw_error err;
    if (evaluate(ex, expr, &e, &err))
        show_result(ex, expr, e.result, e.lets, e.count, e.pair, e.recounts);
    else if (err.code == LW_ERROR_MEMORY)
        ex->failed = true;
    else
        lw_explorer_set_message(ex, true, "%s", err.message);
    evaluation_free(&e);
}
