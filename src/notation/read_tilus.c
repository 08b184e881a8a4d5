/*
 * tilus expressions: Python calls that build a register or shared layout.
 *
 *     program: { name `=` expression (`;` | newline) } expression
 *
 * Every function is an encoding type. Its parameters take the arguments in the order of its table:
 * those that hold layouts first. A method call gives its receiver to the parameter `base` (the
 * layout that it is composed onto), else to the first, if that holds a layout. A parameter `shape` that
 * may be empty takes its sizes one by one: spatial(8, 4).
 *
 * Source: the Python package tilus 0.2, module tilus.ir.layout.
 */

#include "notation/calc_table.h"
#include "notation/read.h"

#include <string.h>

/* ---- Limits ---- */

static int nesting_of_value(const struct lw_value *value, size_t *nodes);

/* How deep an encoding is, counting how many it holds; stops when it is deeper than is legal. */
static int nesting(const struct lw_encoding *encoding, size_t *nodes)
{
    int deepest = 0;
    ++*nodes;
    for (size_t i = 0; i < encoding->type->param_count && deepest <= LW_NESTING_MAX; i++) {
        int depth = nesting_of_value(&encoding->params[i], nodes);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

static int nesting_of_value(const struct lw_value *value, size_t *nodes)
{
    int deepest = 0;
    if (value->kind == LW_VALUE_ENCODING)
        return nesting(value->encoding, nodes);
    for (size_t i = 0; i < value->count && deepest <= LW_NESTING_MAX; i++) {
        int depth = nesting_of_value(&value->items[i], nodes);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

bool lw_check_nesting(const struct lw_encoding *encoding, struct lw_place place,
                      struct lw_error *err)
{
    size_t nodes = 0;
    if (nesting(encoding, &nodes) <= LW_NESTING_MAX)
        return true;
    return lw_error_at(err, LW_ERROR_LIMIT, place,
                       "layouts in layouts, or calls in a chain, more than %d deep",
                       LW_NESTING_MAX);
}

static bool count_nodes(struct lw_scan *scan, size_t nodes, struct lw_place place)
{
    scan->nodes += nodes;
    return scan->nodes <= LW_NODES_MAX ||
           lw_error_at(scan->err, LW_ERROR_LIMIT, place, "more than %d layouts in one text",
                       LW_NODES_MAX);
}

struct lw_encoding *lw_read_new(struct lw_scan *scan, const struct lw_encoding_type *type,
                                struct lw_place place)
{
    if (!count_nodes(scan, 1, place))
        return NULL;
    struct lw_encoding *encoding = lw_encoding_new(scan->arena, type);
    if (!encoding)
        lw_scan_out_of_memory(scan);
    else
        encoding->place = place;
    return encoding;
}

/* ---- Functions ---- */

struct calls {
    const struct lw_encoding_type *const *types;
    size_t count;
};

static const char *call_name(const void *context, size_t i)
{
    const struct calls *calls = context;
    return calls->types[i]->spelling == LW_SPELLING_CALL ? calls->types[i]->name : "";
}

static const struct lw_encoding_type *find_function(struct lw_scan *scan, const char *name,
                                                    struct lw_place place)
{
    const struct lw_encoding_type *type = lw_encoding_type_find(name);
    if (type && type->spelling == LW_SPELLING_CALL)
        return type;
    if (type) {
        lw_error_at(scan->err, LW_ERROR_NAME, place,
                    "'%s' is not a function: write '#%s.%s<{...}>'", name,
                    type->dialect ? type->dialect : "ttg", type->name);
        return NULL;
    }
    if (!strncmp(name, "global_", 7) || !strncmp(name, "tmem", 4)) {
        lw_error_at(scan->err, LW_ERROR_UNSUPPORTED, place,
                    "'%.40s': of the layouts of tilus those in registers and in shared memory are "
                    "read, not those in global or tensor memory",
                    name);
        return NULL;
    }
    struct calls calls;
    calls.types = lw_encoding_types(&calls.count);
    char hint[LW_HINT_MAX];
    const char *near = lw_text_nearest(name, calls.count, call_name, &calls);
    bool calc = lw_calc_is_operation(name);
    lw_error_at(
        scan->err, LW_ERROR_NAME, place, "unknown function '%s'%s", name,
        lw_text_hint(hint, calc ? NULL : near, calc ? ": it is one of 'laneway calc'" : ""));
    return *hint && lw_scan_note(scan) ? lw_encoding_type_find(near) : NULL;
}

/* A method of a shared layout is the function of that name with shared_ before it. */
static const struct lw_encoding_type *find_method(struct lw_scan *scan, const char *name,
                                                  struct lw_place place,
                                                  const struct lw_value *receiver)
{
    char function[64];
    const struct lw_encoding_type *type = NULL;
    if (receiver && receiver->encoding->type->family == LW_FAMILY_TILUS_SHARED) {
        snprintf(function, sizeof function, "shared_%s", name);
        type = lw_encoding_type_find(function);
    }
    return type ? type : find_function(scan, name, place);
}

static const struct lw_param *param_at(const struct lw_encoding *encoding, int index)
{
    return &encoding->type->params[index];
}

/* The first parameter, if it holds a layout; else -1. */
static int first_layout(const struct lw_encoding *encoding)
{
    return encoding->type->param_count && encoding->type->params[0].type == LW_PARAM_ENCODING ? 0
                                                                                              : -1;
}

static bool say(struct lw_scan *scan, struct lw_encoding *encoding, int index,
                const struct lw_value *value, struct lw_place place)
{
    if (lw_encoding_say(encoding, param_at(encoding, index)->name, value, scan->err))
        return true;
    scan->err->place = place;
    return false;
}

/* ---- Arguments ---- */

struct call {
    struct lw_encoding *encoding;
    const char *name; /* as it was written */
    int base;         /* the parameter of that name, or -1 */
    int sizes;        /* the parameter that takes integers one by one, or -1 */
    struct lw_value list;
    size_t room;
    bool keyword; /* one was seen: no positional argument may follow */
};

/* Arguments of any number may be none, so their default is the empty list. */
static bool is_spread(const struct lw_param *param)
{
    return param->type == LW_PARAM_INTEGERS && param->fallback == LW_DEFAULT_EMPTY;
}

static void open_call(struct call *call, struct lw_encoding *encoding, const char *name)
{
    memset(call, 0, sizeof *call);
    call->encoding = encoding;
    call->name = name;
    call->base = first_layout(encoding) == 0 ? lw_encoding_param(encoding, "base") : -1;
    call->sizes = lw_encoding_param(encoding, "shape");
    if (call->sizes >= 0 && !is_spread(param_at(encoding, call->sizes)))
        call->sizes = -1;
}

static bool take_receiver(struct lw_scan *scan, struct call *call, struct lw_place place,
                          const struct lw_value *receiver)
{
    int index = call->base >= 0 ? call->base : first_layout(call->encoding);
    if (index < 0)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, place,
                           "'%s' is not a method: it makes a layout from numbers alone",
                           call->name);
    return say(scan, call->encoding, index, receiver, place);
}

/* The parameter that the next positional argument is for, or -1. */
static int next_param(const struct call *call)
{
    for (size_t i = 0; i < call->encoding->type->param_count; i++)
        if ((int)i != call->base && call->encoding->params[i].kind == LW_VALUE_NONE)
            return (int)i;
    return -1;
}

static bool take_size(struct lw_scan *scan, struct call *call, const struct lw_value *value)
{
    if (call->list.kind == LW_VALUE_NONE) {
        call->list.kind = LW_VALUE_LIST;
        call->list.place = value->place;
    }
    call->list.place = lw_place_join(call->list.place, value->place);
    return lw_read_append(scan, &call->list, &call->room, value);
}

static bool take_positional(struct lw_scan *scan, struct call *call, const struct lw_value *value)
{
    int index = next_param(call);
    if (call->keyword)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, value->place,
                           "an argument without a name may not follow one with a name");
    if (call->sizes >= 0 && value->kind == LW_VALUE_INTEGER)
        return take_size(scan, call, value);
    if (call->sizes >= 0)
        return lw_error_at(scan->err, LW_ERROR_PARAMETER, value->place,
                           "'%s' takes integers one by one: %s(8, 4)", call->name, call->name);
    if (index < 0)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, value->place, "too many arguments for '%s'",
                           call->name);
    if (value->kind == LW_VALUE_NONE &&
        param_at(call->encoding, index)->fallback == LW_DEFAULT_ABSENT)
        return true;
    if (param_at(call->encoding, index)->type == LW_PARAM_ENCODING &&
        value->kind != LW_VALUE_ENCODING)
        return lw_error_at(scan->err, LW_ERROR_PARAMETER, value->place, "'%s' needs %s for '%s'",
                           call->name,
                           lw_encoding_param(call->encoding, "swizzle") != index
                               ? "a layout"
                               : "a Swizzle(base=3, bits=3, shift=3)",
                           param_at(call->encoding, index)->name);
    return say(scan, call->encoding, index, value, value->place);
}

static const char *keyword_name(const void *context, size_t i)
{
    const struct call *call = context;
    return (int)i == call->base || ((int)i == call->sizes) ? ""
                                                           : call->encoding->type->params[i].name;
}

static bool take_keyword(struct lw_scan *scan, struct call *call, const char *name,
                         struct lw_place place, const struct lw_value *value)
{
    int index = lw_encoding_param(call->encoding, name);
    call->keyword = true;
    if (index >= 0 && *keyword_name(call, (size_t)index))
        return value->kind == LW_VALUE_NONE || say(scan, call->encoding, index, value, place);
    const char *near = lw_text_nearest(name, call->encoding->type->param_count, keyword_name, call);
    char hint[LW_HINT_MAX];
    lw_error_at(scan->err, LW_ERROR_NAME, place, "'%s' has no argument '%s'%s", call->name, name,
                lw_text_hint(hint, near, ""));
    return lw_scan_note(scan) &&
           (!*hint || value->kind == LW_VALUE_NONE ||
            say(scan, call->encoding, lw_encoding_param(call->encoding, near), value, place));
}

static bool read_argument(struct lw_scan *scan, struct call *call)
{
    struct lw_place place;
    struct lw_value value = {0};
    const char *name = lw_read_keyword(scan, &place);
    if (!lw_read_expression(scan, &value))
        return false;
    return name ? take_keyword(scan, call, name, place, &value)
                : take_positional(scan, call, &value);
}

static bool read_arguments(struct lw_scan *scan, struct call *call)
{
    if (!lw_scan_expect(scan, '(', "'('"))
        return false;
    while (!lw_scan_take(scan, ')')) {
        if (!read_argument(scan, call))
            return false;
        if (!lw_scan_take(scan, ',') && lw_scan_peek(scan) != ')')
            return lw_scan_unexpected(scan, "',' or ')'");
    }
    return true;
}

void lw_fill_call(struct lw_encoding *encoding)
{
    for (size_t i = 0; i < encoding->type->param_count; i++)
        if (encoding->type->spelling == LW_SPELLING_CALL && is_spread(&encoding->type->params[i]) &&
            encoding->params[i].kind == LW_VALUE_NONE)
            encoding->params[i] =
                (struct lw_value){.kind = LW_VALUE_LIST, .place = encoding->place};
}

/* Sizes that were written one by one become the parameter. */
static bool close_call(struct lw_scan *scan, struct call *call)
{
    if (call->list.count && !say(scan, call->encoding, call->sizes, &call->list, call->list.place))
        return false;
    lw_fill_call(call->encoding);
    return true;
}

bool lw_read_call(struct lw_scan *scan, const char *name, struct lw_place place,
                  const struct lw_value *receiver, struct lw_value *value)
{
    struct call call;
    const struct lw_encoding_type *type = find_method(scan, name, place, receiver);
    struct lw_encoding *encoding = type ? lw_read_new(scan, type, place) : NULL;
    if (!encoding || !lw_scan_enter(scan, place))
        return false;
    open_call(&call, encoding, name);
    if ((receiver && !take_receiver(scan, &call, place, receiver)) ||
        !read_arguments(scan, &call) || !close_call(scan, &call) ||
        !lw_check_nesting(encoding, place, scan->err))
        return false;
    lw_scan_leave(scan);
    value->kind = LW_VALUE_ENCODING;
    value->encoding = encoding;
    value->place = lw_scan_until(scan, receiver ? receiver->place : place);
    return true;
}

bool lw_read_operator(struct lw_scan *scan, char symbol, struct lw_place place,
                      const struct lw_value *left, const struct lw_value *right,
                      struct lw_value *value)
{
    if (left->kind != LW_VALUE_ENCODING || right->kind != LW_VALUE_ENCODING)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, place,
                           "'%c' stands between two layouts, and its %s side is none", symbol,
                           left->kind != LW_VALUE_ENCODING ? "left" : "right");
    const struct lw_encoding_type *type =
        find_function(scan, symbol == '*' ? "compose" : "divide", place);
    struct lw_encoding *encoding = type ? lw_read_new(scan, type, place) : NULL;
    if (!encoding)
        return false;
    int first = first_layout(encoding);
    if (!say(scan, encoding, first, left, place) || !say(scan, encoding, first + 1, right, place) ||
        !lw_check_nesting(encoding, place, scan->err))
        return false;
    value->kind = LW_VALUE_ENCODING;
    value->encoding = encoding;
    value->place = lw_place_join(left->place, right->place);
    return true;
}

/* ---- Variables ---- */

struct lw_variable {
    struct lw_variable *next;
    const char *name;
    struct lw_value value;
};

static struct lw_variable *find_variable(const struct lw_scan *scan, const char *name)
{
    struct lw_variable *variable = scan->variables;
    while (variable && strcmp(variable->name, name) != 0)
        variable = variable->next;
    return variable;
}

bool lw_read_is_variable(const struct lw_scan *scan, const char *name)
{
    return find_variable(scan, name);
}

/* Every use is a copy, so that the layout is a tree. */
bool lw_read_variable(struct lw_scan *scan, const char *name, struct lw_place place,
                      struct lw_value *value)
{
    const struct lw_variable *variable = find_variable(scan, name);
    if (!variable)
        return lw_error_at(scan->err, LW_ERROR_NAME, place, "unknown name '%s'", name);
    size_t nodes = 0;
    nesting_of_value(&variable->value, &nodes);
    if (!count_nodes(scan, nodes, place))
        return false;
    if (!lw_value_copy(scan->arena, value, &variable->value))
        return lw_scan_out_of_memory(scan);
    value->place = place;
    return true;
}

static bool set_variable(struct lw_scan *scan, const char *name, struct lw_place place,
                         const struct lw_value *value)
{
    struct lw_variable *variable = find_variable(scan, name);
    if (!variable) {
        if (scan->variable_count == LW_NESTING_MAX)
            return lw_error_at(scan->err, LW_ERROR_LIMIT, place, "more than %d names in one text",
                               LW_NESTING_MAX);
        variable = lw_arena_alloc(scan->arena, sizeof *variable);
        if (!variable)
            return lw_scan_out_of_memory(scan);
        variable->name = name;
        variable->next = scan->variables;
        scan->variables = variable;
        scan->variable_count++;
    }
    variable->value = *value;
    return true;
}

static void forget_places(struct lw_value *value)
{
    struct lw_encoding *encoding = value->kind == LW_VALUE_ENCODING ? value->encoding : NULL;
    value->place = (struct lw_place){0};
    if (encoding)
        encoding->place = value->place;
    for (size_t i = 0; encoding && i < encoding->type->param_count; i++)
        forget_places(&encoding->params[i]);
    for (size_t i = 0; !encoding && i < value->count; i++)
        forget_places(&value->items[i]);
}

/* Its own text is another, so it has no places in this one. */
bool lw_read_bind(struct lw_scan *scan, const char *name, const struct lw_encoding *encoding)
{
    struct lw_value value = {.kind = LW_VALUE_ENCODING,
                             .encoding = lw_encoding_copy(scan->arena, encoding)};
    if (!value.encoding)
        return lw_scan_out_of_memory(scan);
    forget_places(&value);
    return set_variable(scan, name, lw_scan_place(scan), &value);
}

/* ---- Programs ---- */

bool lw_read_statement_end(struct lw_scan *scan)
{
    bool ended = lw_scan_ended(scan);
    const char *before = scan->at - 1;
    while (*before == ' ' || *before == '\t' || *before == '\r')
        before--;
    ended = ended || *before == '\n';
    while (lw_scan_take(scan, ';'))
        ended = true;
    return ended || lw_scan_unexpected(scan, "the end of the expression");
}

bool lw_read_program(struct lw_scan *scan, struct lw_encoding **encoding)
{
    struct lw_value value;
    struct lw_place place;
    const char *name;
    do {
        memset(&value, 0, sizeof value);
        lw_read_imports(scan);
        name = lw_read_assigned(scan, &place);
        if (!lw_read_expression(scan, &value) || (name && !set_variable(scan, name, place, &value)))
            return false;
        if (!lw_read_statement_end(scan))
            return false;
    } while (!lw_scan_ended(scan));
    if (value.kind != LW_VALUE_ENCODING)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, value.place,
                           value.kind == LW_VALUE_LIST || value.kind == LW_VALUE_INTEGER
                               ? "a shape alone is no layout: one of CuTe has a stride too, "
                                 "(4,8):(8,1)"
                               : "expected a layout, such as 'local(2, 1).spatial(8, 4)'");
    *encoding = value.encoding;
    return true;
}
