/*
 * Calls of tilus, which build a register or shared layout.
 *
 * Every function is an encoding type. The arguments are its parameters in the order of its table: those that hold
 * layouts come first. The receiver of a method call is the parameter `base` (the layout that it is composed onto), else
 * the first parameter, if that holds a layout. The entries of a parameter `shape` that may be empty are arguments of
 * their own: spatial(8, 4).
 *
 * Source: the Python package tilus 0.2, module tilus.ir.layout.
 */

#include "notation/calc/calc_table.h"
#include "notation/expression/evaluate.h"

#include <string.h>

/* ---- Functions ---- */

static const char *call_name(const void *types, size_t i)
{
    const struct lw_encoding_type *type = ((const struct lw_encoding_type *const *)types)[i];
    return type->spelling == LW_SPELLING_CALL ? type->name : "";
}

static const struct lw_encoding_type *unknown_function(struct lw_scan *scan, const char *name,
                                                       struct lw_position position)
{
    size_t count;
    char hint[LW_HINT_MAX];
    if (!strncmp(name, "global_", 7) || !strncmp(name, "tmem", 4)) {
        lw_error_at(scan->err, LW_ERROR_UNSUPPORTED, position,
                    "'%.40s': of the layouts of tilus those in registers and in shared memory are "
                    "read, not those in global or tensor memory",
                    name);
        return NULL;
    }
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    const char *near = lw_text_nearest(name, count, call_name, types);
    bool calc = lw_calc_is_operation(name);
    lw_error_at(scan->err, LW_ERROR_NAME, position, "unknown function '%s'%s", name,
                lw_text_hint(hint, calc ? NULL : near,
                             calc ? ": it is one of 'laneway calc'"
                                  : "; 'laneway help encodings' lists those that are known"));
    return NULL;
}

static const struct lw_encoding_type *find_function(struct lw_scan *scan, const char *name,
                                                    struct lw_position position)
{
    const struct lw_encoding_type *type = lw_encoding_type_find(name);
    if (!type)
        return unknown_function(scan, name, position);
    if (type->spelling == LW_SPELLING_CALL)
        return type;
    lw_error_at(scan->err, LW_ERROR_NAME, position, "'%s' is not a function: write '#%s.%s<{...}>'",
                name, type->dialect ? type->dialect : "ttg", type->name);
    return NULL;
}

/* A method of a shared layout is the function of that name with shared_ before it. */
const struct lw_encoding_type *lw_tilus_function(struct lw_scan *scan, const char *name,
                                                 struct lw_position position,
                                                 const struct lw_value *receiver)
{
    char function[64];
    const struct lw_encoding_type *type = NULL;
    if (receiver && receiver->encoding->type->family == LW_FAMILY_TILUS_SHARED) {
        snprintf(function, sizeof function, "shared_%s", name);
        type = lw_encoding_type_find(function);
    }
    return type ? type : find_function(scan, name, position);
}

/* ---- Arguments ---- */

struct call {
    struct lw_scan *scan;
    struct lw_encoding *encoding;
    const char *name; /* as it was written */
    int base;         /* the parameter of that name, or -1 */
    int sizes;        /* the parameter whose entries are arguments, or -1 */
    struct lw_value list;
    size_t room;
    bool keyword; /* there was a named argument: no positional one may follow */
};

static const struct lw_param *param_at(const struct lw_encoding *encoding, int index)
{
    return &encoding->type->params[index];
}

/* The first parameter, if it holds a layout; else -1. */
static int first_layout(const struct lw_encoding *encoding)
{
    bool holds = encoding->type->param_count && param_at(encoding, 0)->type == LW_PARAM_ENCODING;
    return holds ? 0 : -1;
}

static bool set(struct lw_scan *scan, struct lw_encoding *encoding, int index,
                const struct lw_value *value, struct lw_position position)
{
    return lw_read_set_param(encoding, param_at(encoding, index)->name, position, value, scan->err);
}

static void open_call(struct call *call, struct lw_scan *scan, struct lw_encoding *encoding,
                      const char *name)
{
    memset(call, 0, sizeof *call);
    call->scan = scan;
    call->encoding = encoding;
    call->name = name;
    call->base = first_layout(encoding) == 0 ? lw_encoding_param(encoding, "base") : -1;
    call->sizes = lw_encoding_param(encoding, "shape");
    if (call->sizes >= 0 && !lw_is_spread(param_at(encoding, call->sizes)))
        call->sizes = -1;
}

static bool take_receiver(struct call *call, struct lw_position position,
                          const struct lw_value *receiver)
{
    int index = call->base >= 0 ? call->base : first_layout(call->encoding);
    if (index < 0)
        return lw_error_at(call->scan->err, LW_ERROR_SYNTAX, position,
                           "'%s' is not a method: it makes a layout from numbers alone",
                           call->name);
    return set(call->scan, call->encoding, index, receiver, position);
}

/* The parameter that the next positional argument is for, or -1. */
static int next_param(const struct call *call)
{
    for (size_t i = 0; i < call->encoding->type->param_count; i++)
        if ((int)i != call->base && call->encoding->params[i].kind == LW_VALUE_NONE)
            return (int)i;
    return -1;
}

static bool take_size(struct call *call, const struct lw_value *value)
{
    if (call->list.kind == LW_VALUE_NONE) {
        call->list.kind = LW_VALUE_LIST;
        call->list.position = value->position;
    }
    call->list.position = lw_position_join(call->list.position, value->position);
    return lw_read_append(call->scan, &call->list, &call->room, value);
}

static bool take_positional(struct call *call, const struct lw_value *value)
{
    struct lw_error *err = call->scan->err;
    int index = next_param(call);
    if (call->keyword)
        return lw_error_at(err, LW_ERROR_SYNTAX, value->position,
                           "an argument without a name may not follow one with a name");
    if (call->sizes >= 0 && value->kind == LW_VALUE_INTEGER)
        return take_size(call, value);
    if (call->sizes >= 0)
        return lw_error_at(err, LW_ERROR_PARAMETER, value->position,
                           "the sizes of '%s' are integers: %s(8, 4)", call->name, call->name);
    if (index < 0)
        return lw_error_at(err, LW_ERROR_SYNTAX, value->position, "too many arguments for '%s'",
                           call->name);
    const struct lw_param *param = param_at(call->encoding, index);
    if (value->kind == LW_VALUE_NONE && param->fallback == LW_DEFAULT_ABSENT)
        return true;
    if (param->type == LW_PARAM_ENCODING && value->kind != LW_VALUE_ENCODING)
        return lw_error_at(err, LW_ERROR_PARAMETER, value->position, "'%s' needs %s for '%s'",
                           call->name,
                           lw_encoding_param(call->encoding, "swizzle") != index
                               ? "a layout"
                               : "a Swizzle(base=3, bits=3, shift=3)",
                           param->name);
    return set(call->scan, call->encoding, index, value, value->position);
}

static const char *keyword_name(const void *context, size_t i)
{
    const struct call *call = context;
    bool positional = (int)i == call->base || (int)i == call->sizes;
    return positional ? "" : call->encoding->type->params[i].name;
}

static bool take_keyword(struct call *call, const struct lw_call_argument *argument)
{
    const char *name = argument->name;
    const struct lw_value *value = &argument->value;
    int index = lw_encoding_param(call->encoding, name);
    call->keyword = true;
    if (index >= 0 && *keyword_name(call, (size_t)index))
        return value->kind == LW_VALUE_NONE ||
               set(call->scan, call->encoding, index, value, argument->name_position);
    const char *near = lw_text_nearest(name, call->encoding->type->param_count, keyword_name, call);
    char hint[LW_HINT_MAX];
    struct lw_text names = {.limit = 300};
    for (size_t i = 0; i < call->encoding->type->param_count; i++)
        if (*keyword_name(call, i))
            lw_text_format(&names, "%s%s", names.length ? ", " : "; it has ",
                           keyword_name(call, i));
    lw_error_at(call->scan->err, LW_ERROR_NAME, argument->name_position,
                "'%s' has no argument '%s'%s", call->name, name,
                near ? lw_text_hint(hint, near, "") : lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

static bool take_arguments(struct call *call, const struct lw_call_arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++) {
        const struct lw_call_argument *argument = &arguments->items[i];
        if (argument->name ? !take_keyword(call, argument)
                           : !take_positional(call, &argument->value))
            return false;
    }
    return true;
}

/* Sets the parameter whose entries were arguments. */
static bool close_call(struct call *call)
{
    if (call->list.count &&
        !set(call->scan, call->encoding, call->sizes, &call->list, call->list.position))
        return false;
    lw_fill_call(call->encoding);
    return true;
}

struct lw_encoding *lw_tilus_call(struct lw_scan *scan, const struct lw_encoding_type *type,
                                  const char *name, struct lw_position position,
                                  const struct lw_value *receiver,
                                  const struct lw_call_arguments *arguments)
{
    struct call call;
    struct lw_encoding *encoding = lw_read_new(scan, type, position);
    if (!encoding)
        return NULL;
    open_call(&call, scan, encoding, name);
    bool made = (!receiver || take_receiver(&call, position, receiver)) &&
                take_arguments(&call, arguments) && close_call(&call) &&
                lw_check_nesting(encoding, position, scan->err);
    return made ? encoding : NULL;
}

struct lw_encoding *lw_tilus_operation(struct lw_scan *scan, char symbol,
                                       struct lw_position position, const struct lw_value *left,
                                       const struct lw_value *right)
{
    if (left->kind != LW_VALUE_ENCODING || right->kind != LW_VALUE_ENCODING) {
        lw_error_at(scan->err, LW_ERROR_SYNTAX, position,
                    "'%c' needs a layout on both sides, and its %s side is not a layout", symbol,
                    left->kind != LW_VALUE_ENCODING ? "left" : "right");
        return NULL;
    }
    const struct lw_encoding_type *type =
        find_function(scan, symbol == '*' ? "compose" : "divide", position);
    struct lw_encoding *encoding = type ? lw_read_new(scan, type, position) : NULL;
    if (!encoding)
        return NULL;
    int first = first_layout(encoding);
    bool made = set(scan, encoding, first, left, position) &&
                set(scan, encoding, first + 1, right, position) &&
                lw_check_nesting(encoding, position, scan->err);
    return made ? encoding : NULL;
}
