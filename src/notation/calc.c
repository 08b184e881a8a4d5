/*
 * The calculator reads an expression and computes it as it goes:
 *
 *     expression   product { (`==` | `!=`) product }
 *     product      postfix { `*` postfix }
 *     postfix      primary { `.` name `(` arguments `)` }
 *     primary      name | name `(` arguments `)` | number | `true` | `false` | "SOURCE" | {...}
 *                  | `(` expression `)` | a layout of CuTe (read_cute.c)
 *
 * Invariant: a value that has been read is complete; on failure the error is set and the value means
 * nothing.
 */

#include "notation/calc_table.h"
#include "notation/read.h"

#include <string.h>

/* ---- Calls ---- */

/* An operation says that there is no such layout by LW_ERROR_UNSUPPORTED. */
static bool run(struct lw_calc_reader *reader, struct lw_calc_call *call, struct lw_place place,
                struct lw_calc_result *value)
{
    struct lw_calc_result made;
    struct lw_error *err = reader->scan.err;
    bool fit =
        !call->self || call->operation->on != LW_CALC_OF_CUTE || lw_calc_coords_before(call, err);
    if (fit && call->operation->run(call, &made, err)) {
        *value = made;
        return true;
    }
    if (err->code == LW_ERROR_UNSUPPORTED) {
        value->kind = LW_CALC_NONE;
        memcpy(value->as.why, err->message, sizeof value->as.why);
        return true;
    }
    if (err->place.line == 0)
        err->place = place;
    return false;
}

/* What the methods of a value are called methods of. A shape stands for its compact layout. */
static enum lw_calc_on owner_of(enum lw_calc_kind kind)
{
    switch (kind) {
    case LW_CALC_ACTION:
        return LW_CALC_OF_ACTION;
    case LW_CALC_CUTE:
    case LW_CALC_SWIZZLE:
    case LW_CALC_TUPLE:
    case LW_CALC_NUMBER:
        return LW_CALC_OF_CUTE;
    default:
        return LW_CALC_OF_LAYOUT;
    }
}

/* Makes the value what the operation is of. */
static bool fit_self(struct lw_calc_reader *reader, const struct lw_calc_operation *operation,
                     const char *name, struct lw_place place, struct lw_calc_result *value)
{
    if (operation->on != LW_CALC_OF_CUTE || value->kind == LW_CALC_SWIZZLE)
        return true;
    if (lw_calc_to_cute(reader, value))
        return true;
    return reader->scan.err->code == LW_OK ? lw_calc_not_of(reader, name, place, value) : false;
}

/* `(arguments)` of a method of *value, which becomes its result. `opened`: the parenthesis and the
 * first argument, which is *value, have been read. */
static bool call_method(struct lw_calc_reader *reader, const char *name, struct lw_place place,
                        struct lw_calc_result *value, bool opened)
{
    enum lw_calc_on on = owner_of(value->kind);
    struct lw_calc_call call = {
        .self = value, .arena = reader->scan.arena, .steps = reader->steps, .bits = reader->bits};
    bool some = lw_calc_is_method(name);
    call.operation = lw_calc_find(on, name);
    if (some && (value->kind == LW_CALC_NONE || !call.operation))
        return lw_calc_not_of(reader, name, place, value);
    if (!call.operation)
        return lw_calc_unknown_operation(reader, name, place, &on);
    if (!fit_self(reader, call.operation, name, place, value))
        return false;
    if (!opened && !lw_scan_expect(&reader->scan, '(', "`(`"))
        return false;
    if (opened && call.operation->params[0].kind && !lw_scan_take(&reader->scan, ',') &&
        lw_scan_peek(&reader->scan) != ')')
        return lw_scan_unexpected(&reader->scan, "`,` or `)`");
    return lw_calc_read_arguments(reader, &call, ')') &&
           run(reader, &call, lw_scan_until(&reader->scan, place), value);
}

/* `name(...)`, the cursor after its parenthesis: a function, or a method with what it is of first. */
static bool call_function(struct lw_calc_reader *reader, const char *name, struct lw_place place,
                          struct lw_calc_result *value)
{
    struct lw_calc_call call = {.operation = lw_calc_find(LW_CALC_FUNCTION, name),
                                .arena = reader->scan.arena,
                                .steps = reader->steps,
                                .bits = reader->bits};
    if (call.operation)
        return lw_calc_read_arguments(reader, &call, ')') &&
               run(reader, &call, lw_scan_until(&reader->scan, place), value);
    if (!lw_calc_is_method(name))
        return lw_calc_unknown_operation(reader, name, place, NULL);
    return lw_calc_read_expression(reader, value) && call_method(reader, name, place, value, true);
}

/* `size<0>(A)`, as C++ has it: the arguments but the first, the cursor at the `<`. They are passed over, what
 * it is of is read, and then they are. */
static bool call_angled(struct lw_calc_reader *reader, const char *name, struct lw_place place,
                        struct lw_calc_result *value)
{
    struct lw_scan *scan = &reader->scan, after;
    lw_scan_take(scan, '<');
    struct lw_scan inside = *scan;
    while (scan->at < scan->end && strchr("0123456789, ", *scan->at))
        scan->at++;
    if (!lw_scan_expect(scan, '>', "the numbers of modes, and `>`") ||
        !lw_scan_expect(scan, '(', "`(`") || !lw_scan_enter(scan, place) ||
        !lw_calc_read_expression(reader, value) || !lw_scan_expect(scan, ')', "`)`"))
        return false;
    lw_scan_leave(scan);
    enum lw_calc_on on = owner_of(value->kind);
    struct lw_calc_call call = {.operation = lw_calc_find(on, name),
                                .self = value,
                                .arena = scan->arena,
                                .steps = reader->steps,
                                .bits = reader->bits};
    if (!call.operation)
        return lw_calc_not_of(reader, name, place, value);
    if (!fit_self(reader, call.operation, name, place, value))
        return false;
    after = *scan;
    *scan = inside;
    if (!lw_calc_read_arguments(reader, &call, '>'))
        return false;
    *scan = after;
    return run(reader, &call, lw_scan_until(scan, place), value);
}

/* ---- Expressions ---- */

static bool take_let(struct lw_calc_reader *reader, const struct lw_calc_binding *let,
                     struct lw_place place, struct lw_calc_result *value)
{
    if (let->why)
        return lw_error_at(reader->scan.err, LW_ERROR_SHAPE, place, "%.40s is %.300s", let->name,
                           let->why);
    value->kind = let->cute ? LW_CALC_CUTE : LW_CALC_LAYOUT;
    if (let->cute)
        value->as.cute = *let->cute;
    else
        value->as.layout = let->layout;
    return true;
}

static const struct lw_calc_variable *variable_of(const struct lw_calc_reader *reader,
                                                  const char *name)
{
    const struct lw_calc_variable *found = reader->variables;
    while (found && strcmp(found->name, name) != 0)
        found = found->before;
    return found;
}

/* Whether a name is a layout of CuTe, so that a parenthesis after it is a coordinate. */
static bool is_cute(const struct lw_calc_reader *reader, const char *name)
{
    const struct lw_calc_variable *variable = variable_of(reader, name);
    if (variable)
        return variable->value.kind == LW_CALC_CUTE;
    for (size_t i = 0; i < reader->let_count; i++)
        if (reader->lets[i].cute && !strcmp(reader->lets[i].name, name))
            return true;
    return false;
}

static bool read_name(struct lw_calc_reader *reader, const char *name, struct lw_place place,
                      struct lw_calc_result *value)
{
    if (lw_scan_peek(&reader->scan) == '(' && lw_calc_is_maker(name))
        return lw_calc_read_made(reader, name, place, value);
    if (!is_cute(reader, name) && lw_scan_take(&reader->scan, '(')) {
        if (!lw_scan_enter(&reader->scan, place) || !call_function(reader, name, place, value))
            return false;
        lw_scan_leave(&reader->scan);
        return true;
    }
    const struct lw_calc_variable *variable = variable_of(reader, name);
    if (variable) {
        *value = variable->value;
        return true;
    }
    for (size_t i = 0; i < reader->let_count; i++)
        if (!strcmp(reader->lets[i].name, name))
            return take_let(reader, &reader->lets[i], place, value);
    if (lw_calc_smem_ahead(reader, name))
        return lw_calc_read_smem(reader, name, place, value);
    if (lw_scan_peek(&reader->scan) == '<' && lw_calc_is_method(name))
        return call_angled(reader, name, place, value);
    if (lw_calc_is_atom(name))
        return lw_calc_read_atom(reader, name, place, value);
    if (lw_calc_swizzle_ahead(reader, name))
        return lw_calc_read_swizzle(reader, place, value);
    if (lw_calc_type_ahead(reader, name))
        return lw_calc_read_type(reader, name, place, value);
    if (lw_calc_blank_name(name, place, value) || lw_calc_order_name(name, place, value))
        return lw_calc_read_braces(reader);
    value->kind = LW_CALC_TRUTH;
    value->as.truth = !strcmp(name, "true");
    return value->as.truth || !strcmp(name, "false") || lw_calc_unknown_name(reader, name, place);
}

bool lw_calc_read_alone(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    struct lw_place place;
    char c = lw_scan_peek(&reader->scan);
    if (c == '(')
        return lw_calc_read_group(reader, value);
    if (c == '<')
        return lw_calc_read_tiler(reader, value);
    if (c == '{' || c == '"' || c == '\'')
        return lw_calc_read_literal(reader, value);
    if ((c >= '0' && c <= '9') || (c == '-' && reader->scan.depth > 0))
        return lw_calc_read_integer(reader, value);
    const char *name = lw_scan_name(&reader->scan, &place);
    return name ? read_name(reader, name, place, value)
                : lw_scan_unexpected(&reader->scan, "a layout");
}

bool lw_calc_read_primary(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    return lw_calc_read_alone(reader, value) && lw_calc_read_axis(reader, value) &&
           lw_calc_read_stride(reader, value);
}

/* `(2, 3)` or `(_, 3)` after a layout of CuTe, the cursor after its parenthesis. */
static bool read_at(struct lw_calc_reader *reader, struct lw_place place,
                    struct lw_calc_result *value)
{
    struct lw_calc_item coordinate;
    struct lw_scan *scan = &reader->scan;
    struct lw_cute_work work = {scan->arena, scan->err, NULL, false};
    if (!lw_scan_enter(scan, place) || !lw_calc_read_items(reader, &coordinate) ||
        !lw_scan_expect(scan, ')', "`,` or `)`"))
        return false;
    lw_scan_leave(scan);
    coordinate.place = lw_scan_until(scan, place);
    if (lw_calc_at(&work, &coordinate, value))
        return true;
    if (scan->err->place.line == 0)
        scan->err->place = coordinate.place;
    return false;
}

static bool read_method(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    struct lw_place place;
    const char *name = lw_scan_name(&reader->scan, &place);
    if (!name)
        return lw_scan_unexpected(&reader->scan, "the name of an operation");
    if (!lw_scan_enter(&reader->scan, place) || !call_method(reader, name, place, value, false))
        return false;
    lw_scan_leave(&reader->scan);
    return true;
}

static bool read_postfix(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    if (!lw_calc_read_primary(reader, value))
        return false;
    for (;;) {
        lw_scan_space(&reader->scan);
        struct lw_place place = lw_scan_place(&reader->scan);
        bool cute = value->kind == LW_CALC_CUTE;
        if (cute && lw_scan_take(&reader->scan, '(')) {
            if (!read_at(reader, place, value))
                return false;
        } else if (!lw_scan_take(&reader->scan, '.')) {
            return true;
        } else if (!read_method(reader, value)) {
            return false;
        }
    }
}

/* A number that was written becomes as one that was computed. */
static void plain_number(struct lw_calc_result *value)
{
    if (value->kind != LW_CALC_TUPLE || value->as.tuple.kind != LW_CALC_NUMBER ||
        value->as.tuple.fixed || value->as.tuple.axis)
        return;
    value->kind = LW_CALC_NUMBER;
    value->as.number = (uint64_t)value->as.tuple.number;
}

/* The right side of an operator has been read: *left becomes the result. */
static bool operate(struct lw_calc_reader *reader, const char *symbol, struct lw_place place,
                    struct lw_calc_result *left, struct lw_calc_result *right)
{
    plain_number(left);
    plain_number(right);
    struct lw_calc_call call = {.operation = lw_calc_find(LW_CALC_OPERATOR, symbol),
                                .self = left,
                                .arena = reader->scan.arena};
    call.args[0].given = true;
    call.args[0].as.value = right;
    if (call.operation->params[0].kind == LW_CALC_PARAM_LAYOUT) {
        if (left->kind != LW_CALC_LAYOUT)
            return lw_calc_not_of(reader, symbol, place, left);
        if (right->kind != LW_CALC_LAYOUT)
            return lw_calc_not_of(reader, symbol, place, right);
    }
    return run(reader, &call, place, left);
}

static bool read_product(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    if (!read_postfix(reader, value))
        return false;
    while (lw_scan_peek(&reader->scan) == '*') {
        struct lw_calc_result right;
        struct lw_place place = lw_scan_place(&reader->scan);
        place.length = 1;
        lw_scan_take(&reader->scan, '*');
        if (!read_postfix(reader, &right) || !operate(reader, "*", place, value, &right))
            return false;
    }
    return true;
}

/* Takes `==` or `!=`. */
static const char *take_comparison(struct lw_scan *scan)
{
    const char *symbol = NULL;
    if (!lw_scan_ended(scan) && scan->end - scan->at >= 2 && scan->at[1] == '=')
        symbol = *scan->at == '=' ? "==" : *scan->at == '!' ? "!=" : NULL;
    scan->at += symbol ? 2 : 0;
    return symbol;
}

bool lw_calc_read_expression(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    const char *symbol;
    if (!read_product(reader, value))
        return false;
    while ((symbol = take_comparison(&reader->scan))) {
        struct lw_calc_result right;
        struct lw_place place = lw_scan_place(&reader->scan);
        place.column -= 2;
        place.length = 2;
        if (!read_product(reader, &right) || !operate(reader, symbol, place, value, &right))
            return false;
    }
    return true;
}

static bool keep_variable(struct lw_calc_reader *reader, const char *name, struct lw_place place,
                          const struct lw_calc_result *value)
{
    struct lw_calc_variable *kept;
    if (reader->variable_count++ == LW_CALC_VARIABLES)
        return lw_error_at(reader->scan.err, LW_ERROR_LIMIT, place, "at most %d assignments",
                           LW_CALC_VARIABLES);
    if (!(kept = lw_arena_alloc(reader->scan.arena, sizeof *kept)))
        return lw_scan_out_of_memory(&reader->scan);
    *kept = (struct lw_calc_variable){name, *value, reader->variables};
    reader->variables = kept;
    return true;
}

/* Assignments, and the expression after them; without one the last assigned is the result. */
static bool read_statements(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    const char *name;
    struct lw_place place;
    while ((name = lw_read_assigned(&reader->scan, &place)))
        if (!lw_calc_read_expression(reader, value) || !keep_variable(reader, name, place, value) ||
            !lw_read_statement_end(&reader->scan))
            return false;
    return (reader->variables && lw_scan_ended(&reader->scan)) ||
           lw_calc_read_expression(reader, value);
}

static bool read_all(struct lw_calc_reader *reader, size_t length, struct lw_calc_result *value)
{
    if (length > LW_CALC_MOST)
        return lw_error_set(reader->scan.err, LW_ERROR_LIMIT,
                            "an expression has at most %zu bytes, this one %zu", LW_CALC_MOST,
                            length);
    if (lw_scan_ended(&reader->scan))
        return lw_error_set(reader->scan.err, LW_ERROR_SYNTAX, "the expression is empty");
    if (lw_calc_is_tilus(reader))
        return lw_calc_read_tilus(reader, value);
    if (!read_statements(reader, value))
        return false;
    return lw_scan_ended(&reader->scan) ||
           lw_scan_unexpected(&reader->scan, "an operator, `.` or the end");
}

/* A result of CuTe or tilus outlives the text. */
static bool settle(const struct lw_calc_work *work, struct lw_calc_result *out,
                   struct lw_error *err)
{
    plain_number(out);
    bool tree =
        out->kind == LW_CALC_CUTE || out->kind == LW_CALC_TILUS || out->kind == LW_CALC_TUPLE;
    return work || !tree ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s has no place here",
                        lw_calc_kind_name(out->kind == LW_CALC_TUPLE ? LW_CALC_CUTE : out->kind));
}

bool lw_calc(const char *expr, const struct lw_calc_binding *lets, size_t count,
             const struct lw_calc_work *work, struct lw_calc_result *out, struct lw_error *err)
{
    struct lw_arena own_arena = {0};
    struct lw_error own = {0};
    struct lw_calc_reader reader = {.lets = lets,
                                    .let_count = count,
                                    .steps = work ? work->steps : NULL,
                                    .bits = work ? work->bits : 0};
    size_t length = strlen(expr);
    lw_scan_begin(&reader.scan, work ? work->arena : &own_arena, expr, length, &own);
    bool good = read_all(&reader, length, out) && settle(work, out, &own);
    lw_arena_free(&own_arena);
    if (!good) {
        lw_error_excerpt(&own, expr, length);
        if (err)
            *err = own;
    }
    return good;
}
