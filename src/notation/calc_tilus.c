/* Expressions of tilus in the calculator: a text that calls a function which makes a layout of tilus
 * from numbers is a program of tilus, or two with == or != between them. */

#include "notation/calc_table.h"

#include "encoding/tilus.h"
#include "notation/read.h"

#include <string.h>

/* ---- Recognising ---- */

/* Whether a name is that of a function which needs no layout, and of no operation of the calculator.
 */
bool lw_calc_is_maker(const char *name)
{
    const struct lw_encoding_type *type = lw_encoding_type_find(name);
    size_t count;
    const struct lw_calc_operation *all = lw_calc_operations(&count);
    if (!type || type->spelling != LW_SPELLING_CALL || !type->param_count ||
        (type->params[0].type == LW_PARAM_ENCODING &&
         type->params[0].fallback == LW_DEFAULT_REQUIRED))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(all[i].name, name))
            return false;
    return true;
}

/* A function of tilus, or a method of its shared layouts. */
bool lw_calc_is_tilus_function(const char *name)
{
    char shared[80];
    const struct lw_encoding_type *type = lw_encoding_type_find(name);
    snprintf(shared, sizeof shared, "shared_%s", name);
    return (type && type->spelling == LW_SPELLING_CALL) || lw_encoding_type_find(shared);
}

/* What stands in a text, outside of quotes and braces, where sources of their own are. */
struct look {
    bool makes;      /* calls a function that needs no layout */
    bool works;      /* calls a function, has an operator or an assignment, that tilus has too */
    bool calculates; /* calls what tilus has not */
    bool operates;   /* calls what the calculator has and tilus has not */
    bool either;     /* calls what both have */
    bool nonlinear;  /* names a layout of tilus that can be nothing else */
    bool named;      /* names a layout of tilus */
    bool other;      /* or another */
    bool registers;  /* one in registers */
};

static void look_at_name(struct look *look, const struct lw_calc_reader *reader, const char *name,
                         bool method, char next)
{
    if (next == '(') {
        bool makes = !method && lw_calc_is_maker(name);
        look->makes = look->makes || makes;
        bool tilus = lw_calc_is_tilus_function(name), own = lw_calc_is_operation(name);
        look->works = look->works || tilus;
        look->calculates = look->calculates || !tilus;
        look->operates = look->operates || (!tilus && own);
        look->either = look->either || (tilus && own);
        return;
    }
    for (size_t i = 0; !method && i < reader->let_count; i++) {
        const struct lw_calc_binding *let = &reader->lets[i];
        if (strcmp(let->name, name) != 0)
            continue;
        look->named = look->named || let->tilus;
        look->other = look->other || !let->tilus;
        look->nonlinear = look->nonlinear || let->why;
        look->registers =
            look->registers || (let->tilus && let->tilus->type->family == LW_FAMILY_TILUS_REGISTER);
    }
}

/* `=` that is no part of `==` or `!=`. */
static bool is_assignment(const char *text, const char *p)
{
    return *p == '=' && p[1] != '=' && p > text && p[-1] != '=' && p[-1] != '!';
}

static void look_over(struct look *look, const struct lw_calc_reader *reader, const char *text)
{
    char name[64], quote = 0;
    int depth = 0;
    for (const char *p = text; *p; p++) {
        if (quote || *p == '"' || *p == '\'') {
            quote = !quote ? *p : *p == quote ? 0 : quote;
            continue;
        }
        depth += *p == '{' ? 1 : *p == '}' ? -1 : 0;
        if (depth)
            continue;
        look->works = look->works || *p == '*' || *p == '/' || is_assignment(text, p);
        if (!lw_is_name_start(*p))
            continue;
        size_t length = 1;
        while (lw_is_name_part(p[length]))
            length++;
        if (length < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)length, p);
            look_at_name(look, reader, name, p > text && p[-1] == '.',
                         p[length + strspn(p + length, " ")]);
        }
        p += length - 1;
    }
}

bool lw_calc_is_tilus(const struct lw_calc_reader *reader)
{
    struct look look = {0};
    look_over(&look, reader, reader->scan.at);
    bool all = look.named && !look.other && !look.calculates && (look.works || look.nonlinear);
    return (look.makes && !look.operates) || (all && !(look.either && look.registers));
}

/* ---- Computing ---- */

/* The first `==` or `!=` of the text, or its end. */
static const char *find_comparison(const char *text)
{
    const char *p = text;
    while (*p && !((*p == '=' || *p == '!') && p[1] == '='))
        p++;
    return p;
}

/* Whether the call has layouts and they have no fault. */
static bool parts_are_legal(const struct lw_encoding *encoding)
{
    struct lw_tensor tensor;
    struct lw_report report;
    report.count = report.total = 0;
    lw_tensor_unknown(&tensor);
    for (size_t i = 0; i < encoding->type->param_count; i++)
        if (encoding->params[i].kind == LW_VALUE_ENCODING &&
            !lw_encoding_check(encoding->params[i].encoding, &tensor, &report))
            return false;
    return true;
}

/* That there is no quotient is an answer. */
static bool is_no_quotient(const struct lw_encoding *encoding)
{
    return (encoding->type == &lw_encoding_divide || encoding->type == &lw_encoding_left_divide) &&
           parts_are_legal(encoding);
}

/* A program up to `end`, the cursor at its start. */
static bool read_program(struct lw_scan *scan, const char *end, struct lw_calc_result *out)
{
    struct lw_scan part = *scan;
    struct lw_encoding *encoding;
    struct lw_tensor tensor;
    struct lw_report report;
    part.comment = "#";
    part.end = end;
    report.count = report.total = 0;
    lw_tensor_unknown(&tensor);
    if (lw_scan_ended(&part))
        return lw_scan_unexpected(&part, "a layout of tilus");
    if (!lw_read_program(&part, &encoding) ||
        !lw_check_nesting(encoding, encoding->place, scan->err))
        return false;
    out->kind = LW_CALC_TILUS;
    out->as.tilus = encoding;
    scan->at = part.at;
    scan->line = part.line;
    scan->line_start = part.line_start;
    if (lw_encoding_check(encoding, &tensor, &report))
        return true;
    *scan->err = report.errors[0];
    if (!is_no_quotient(encoding))
        return false;
    out->kind = LW_CALC_NONE;
    snprintf(out->as.why, sizeof out->as.why, "%s", report.errors[0].message);
    scan->err->code = LW_OK;
    return true;
}

/* Layouts of tilus are equal when tilus prints the same of them. */
static bool is_same(const struct lw_calc_result *a, const struct lw_calc_result *b)
{
    struct lw_text one = {0}, two = {0};
    bool same = a->kind == b->kind;
    if (same && a->kind == LW_CALC_TILUS) {
        lw_calc_print(&one, a);
        lw_calc_print(&two, b);
        same = !strcmp(lw_text_string(&one), lw_text_string(&two));
    }
    lw_text_free(&one);
    lw_text_free(&two);
    return same;
}

static bool bind_lets(struct lw_calc_reader *reader)
{
    for (size_t i = 0; i < reader->let_count; i++)
        if (reader->lets[i].tilus &&
            !lw_read_bind(&reader->scan, reader->lets[i].name, reader->lets[i].tilus))
            return false;
    return true;
}

bool lw_calc_read_tilus(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    struct lw_scan *scan = &reader->scan;
    struct lw_calc_result right;
    if (!bind_lets(reader))
        return false;
    const char *middle = find_comparison(scan->at);
    if (!read_program(scan, middle, value))
        return false;
    if (!*middle)
        return true;
    bool equal = *middle == '=';
    scan->at = middle + 2;
    if (!read_program(scan, scan->end, &right))
        return false;
    value->as.truth = is_same(value, &right) == equal;
    value->kind = LW_CALC_TRUTH;
    return true;
}
