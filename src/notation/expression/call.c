/*
 * Calls that make a layout: functions and methods of tilus, classes of Gluon, and functions that choose a layout for a
 * tensor. Each is a row of a table: its name, its encoding, and its arguments in their order.
 *
 * tilus: every function is an encoding type. The arguments are its parameters in the order of its table: those that
 * hold layouts come first. The receiver of a method call is the parameter `base` (the layout that it is composed onto),
 * else the first parameter, if that holds a layout. The entries of a parameter `shape` that may be empty are arguments
 * of their own: spatial(8, 4).
 *
 * Gluon: the classes are in gluon.c, which translations into Gluon use too.
 *
 * Source: the Python package tilus 0.2, module tilus.ir.layout; Dialect.cpp and _layouts.py of Triton 3.9.
 */

#include "encoding/schema/schema.h"
#include "encoding/triton/gluon.h"
#include "laneway/triton.h"
#include "notation/expression/expression.h"

#include "core/array_count.h"

#include <string.h>

enum { ARGUMENTS_MAX = 16 };

/* A call while its arguments are taken: each parameter of it with the argument that was given for it. */
struct call {
    struct lw_scan *scan;
    const struct lw_callee *callee;
    int count;
    const char *names[ARGUMENTS_MAX], *also[ARGUMENTS_MAX]; /* `also`: NULL, or another name */
    struct lw_value given[ARGUMENTS_MAX];
    struct lw_position at[ARGUMENTS_MAX]; /* of its name or value; line 0: not given */
    struct lw_encoding *encoding;
};

/* ---- Arguments ---- */

/* The argument of that name, or -1 and an error. */
static int named(const struct call *call, const struct lw_call_argument *argument)
{
    char hint[LW_HINT_MAX];
    for (int i = 0; i < call->count; i++)
        if (!strcmp(call->names[i], argument->name) ||
            (call->also[i] && !strcmp(call->also[i], argument->name)))
            return i;
    const char *near =
        lw_nearest_row(argument->name, (size_t)call->count, call->names, sizeof *call->names);
    lw_error_at(call->scan->err, LW_ERROR_NAME, argument->name_position,
                "'%s' has no argument '%.40s'%s", call->callee->name, argument->name,
                lw_text_hint(hint, near, ""));
    return -1;
}

/* Gives each argument to its parameter, by its name or its position. */
static bool take_arguments(struct call *call, const struct lw_call_arguments *arguments)
{
    struct lw_error *err = call->scan->err;
    bool keyword = false;
    for (size_t k = 0; k < arguments->count; k++) {
        const struct lw_call_argument *argument = &arguments->items[k];
        struct lw_position position =
            argument->name ? argument->name_position : argument->value.position;
        if (keyword && !argument->name)
            return lw_error_at(err, LW_ERROR_SYNTAX, position,
                               "an argument without a name may not follow one with a name");
        keyword = argument->name;
        int i = argument->name ? named(call, argument) : (int)k;
        if (i < 0)
            return false;
        if (i >= call->count)
            return lw_error_at(err, LW_ERROR_SYNTAX, position, "too many arguments for '%s'",
                               call->callee->name);
        if (call->at[i].line)
            return lw_error_at(err, LW_ERROR_NAME, position, "duplicate parameter '%s'",
                               call->names[i]);
        call->at[i] = position;
        call->given[i] = argument->value;
    }
    return true;
}

static bool set(struct call *call, const char *param, const struct lw_value *value,
                struct lw_position position)
{
    return lw_read_set_param(call->encoding, param, position, value, call->scan->err);
}

static bool refuse(struct call *call, const struct lw_value *value, const char *format,
                   const char *name)
{
    return lw_error_at(call->scan->err, LW_ERROR_PARAMETER, value->position, format, name);
}

/* ---- tilus ---- */

static const char *call_name(const void *types, size_t i)
{
    const struct lw_encoding_type *type = ((const struct lw_encoding_type *const *)types)[i];
    return type->spelling == LW_SPELLING_CALL ? type->name : "";
}

/* Reports a name that no function of tilus has. */
static bool refuse_function(struct lw_scan *scan, const char *name, struct lw_position position)
{
    size_t count;
    char hint[LW_HINT_MAX];
    const struct lw_encoding_type *type = lw_encoding_type_find(name);
    if (type)
        return lw_error_at(scan->err, LW_ERROR_NAME, position,
                           "'%s' is not a function: write '#%s.%s<{...}>'", name,
                           type->dialect ? type->dialect : "ttg", type->name);
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    const char *near = lw_text_nearest(name, count, call_name, types);
    return lw_error_at(
        scan->err, LW_ERROR_NAME, position, "unknown function '%s'%s", name,
        lw_text_hint(hint, near,
                     "; 'laneway help encodings' lists the functions, and 'laneway help "
                     "operations' those of 'laneway calc'"));
}

/* The function of that name; a method of a shared layout is the function of that name with shared_ before it. NULL and
 * an error. */
static const struct lw_encoding_type *find_function(struct lw_scan *scan, const char *name,
                                                    struct lw_position position,
                                                    const struct lw_value *receiver)
{
    char function[64];
    const struct lw_encoding_type *type = NULL;
    if (receiver && receiver->encoding->type->family == LW_FAMILY_TILUS_SHARED) {
        snprintf(function, sizeof function, "shared_%s", name);
        type = lw_encoding_type_find(function);
    }
    type = type ? type : lw_encoding_type_find(name);
    if (type && type->spelling == LW_SPELLING_CALL)
        return type;
    refuse_function(scan, name, position);
    return NULL;
}

/* Makes one list of the arguments without a name at the beginning, spatial(8, 4), and removes them. */
static bool join_sizes(struct call *call, struct lw_call_arguments *arguments, const char *sizes)
{
    struct lw_value list = {.kind = LW_VALUE_LIST};
    size_t room = 0;
    for (; arguments->count && !arguments->items->name; arguments->items++, arguments->count--) {
        const struct lw_value *value = &arguments->items->value;
        if (value->kind != LW_VALUE_INTEGER)
            return lw_error_at(call->scan->err, LW_ERROR_PARAMETER, value->position,
                               "the sizes of '%s' are integers: %s(8, 4)", call->callee->name,
                               call->callee->name);
        list.position =
            list.count ? lw_position_join(list.position, value->position) : value->position;
        if (!lw_read_append(call->scan, &list, &room, value))
            return false;
    }
    return !list.count || set(call, sizes, &list, list.position);
}

/* Sets one parameter to the argument that was given for it. */
static bool set_tilus(struct call *call, const struct lw_param *param, int i)
{
    const struct lw_value *value = &call->given[i];
    bool is_named =
        call->at[i].line != value->position.line || call->at[i].column != value->position.column;
    if (value->kind == LW_VALUE_NONE && (is_named || param->fallback == LW_DEFAULT_ABSENT))
        return true;
    if (!is_named && param->type == LW_PARAM_ENCODING && value->kind != LW_VALUE_ENCODING)
        return lw_error_at(
            call->scan->err, LW_ERROR_PARAMETER, value->position, "'%s' needs %s for '%s'",
            call->callee->name,
            strcmp(param->name, "swizzle") != 0 ? "a layout" : "a Swizzle(base=3, bits=3, shift=3)",
            param->name);
    return set(call, param->name, value, call->at[i]);
}

static bool call_tilus(struct call *call, const struct lw_value *receiver,
                       const struct lw_call_arguments *arguments)
{
    const struct lw_encoding_type *type = call->callee->type;
    /* The parameter that a receiver is. */
    bool holds = type->param_count && type->params[0].type == LW_PARAM_ENCODING;
    int base = holds ? lw_encoding_param(call->encoding, "base") : -1;
    int first = base >= 0 || !holds ? base : 0;
    int sizes = lw_encoding_param(call->encoding, "shape"), params[ARGUMENTS_MAX];
    if (receiver && first < 0)
        return lw_error_at(call->scan->err, LW_ERROR_SYNTAX, call->callee->position,
                           "'%s' is not a method: it makes a layout from numbers alone",
                           call->callee->name);
    if (receiver && !set(call, type->params[first].name, receiver, call->callee->position))
        return false;
    bool joins = sizes >= 0 && lw_is_spread(&type->params[sizes]);
    for (size_t i = 0; i < type->param_count && call->count < ARGUMENTS_MAX; i++)
        if (((int)i != first || (!receiver && base < 0)) && !(joins && (int)i == sizes)) {
            params[call->count] = (int)i;
            call->also[call->count] = type->params[i].also;
            call->names[call->count++] = type->params[i].name;
        }
    struct lw_call_arguments rest = *arguments;
    if ((joins && !join_sizes(call, &rest, type->params[sizes].name)) ||
        !take_arguments(call, &rest))
        return false;
    for (int i = 0; i < call->count; i++)
        if (call->at[i].line && !set_tilus(call, &type->params[params[i]], i))
            return false;
    lw_fill_call(call->encoding);
    return true;
}

/* ---- Gluon ---- */

static int argument_count(const struct lw_gluon_class *class)
{
    int count = 0;
    while (count < LW_GLUON_ARGUMENTS_MAX && class->arguments[count].name)
        count++;
    return count;
}

/* Whether every argument with a name is one of the class. */
static bool has_arguments(const struct lw_gluon_class *class,
                          const struct lw_call_arguments *arguments)
{
    int count = argument_count(class), k = 0;
    for (size_t i = 0; i < arguments->count && k < count; i++) {
        const char *name = arguments->items[i].name;
        for (k = 0; name && k < count && strcmp(name, class->arguments[k].name) != 0;)
            k++;
    }
    return k < count || !arguments->count;
}

/* The newest class of that name that has the arguments; the newest of all when none has. `generic`: of linear layouts
 * the one whose bases need not be single steps. */
static const struct lw_gluon_class *choose_class(const char *name, bool generic,
                                                 const struct lw_call_arguments *arguments)
{
    const struct lw_gluon_class *class, *first = lw_gluon_find(name, 0);
    bool linear = !strcmp(first->type, "linear");
    for (int i = 0; (class = lw_gluon_find(name, i)); i++)
        if (has_arguments(class, arguments) &&
            (!linear || generic == !strcmp(class->type, "generic_linear")))
            return class;
    return first;
}

/* Sets two parameters: that one, and the next of the encoding. */
static bool set_pair(struct call *call, int i)
{
    const struct lw_gluon_argument *argument = &call->callee->class->arguments[i];
    const struct lw_value *pair = &call->given[i];
    int first = lw_encoding_param(call->encoding, argument->param);
    if (pair->kind != LW_VALUE_LIST || pair->count != 2)
        return refuse(call, pair, "'%s' must be a list of two integers", argument->name);
    return set(call, argument->param, &pair->items[0], pair->position) &&
           set(call, call->encoding->type->params[first + 1].name, &pair->items[1], pair->position);
}

/* The type of an element, by its name in Triton's text: gl.float64 is f64. */
static bool set_type(struct call *call, int i)
{
    struct lw_value value = call->given[i];
    struct lw_element element;
    if (value.kind != LW_VALUE_STRING || !lw_element_find(&element, value.string, NULL))
        return refuse(call, &value, "'%s' must be the type of an element, such as gl.float32",
                      call->callee->class->arguments[i].name);
    value.string = lw_arena_string(call->scan->arena, element.name, strlen(element.name));
    return value.string ? set(call, call->callee->class->arguments[i].param, &value, value.position)
                        : lw_scan_out_of_memory(call->scan);
}

/* The bases of warps and of registers are one parameter: an object of both. */
static bool set_warps(struct call *call, int i, const char *dim)
{
    const char *param = call->callee->class->arguments[i].param;
    struct lw_value *object = &call->encoding->params[lw_encoding_param(call->encoding, param)];
    struct lw_value *items = lw_arena_alloc(call->scan->arena, 2 * sizeof *items);
    const char **names = lw_arena_alloc(call->scan->arena, 2 * sizeof *names);
    if (!items || !names)
        return lw_scan_out_of_memory(call->scan);
    if (object->kind == LW_VALUE_OBJECT) {
        items[0] = object->items[0];
        names[0] = object->names[0];
    } else {
        *object = (struct lw_value){.kind = LW_VALUE_OBJECT, .position = call->given[i].position};
    }
    items[object->count] = call->given[i];
    names[object->count++] = dim;
    object->items = items;
    object->names = names;
    return true;
}

/* Bases have a shape of their own, and Triton rejects any other. */
static bool check_shape(struct call *call, const struct lw_value *shape)
{
    struct lw_tensor unknown;
    struct lw_map map;
    lw_tensor_unknown(&unknown);
    if (shape->kind != LW_VALUE_LIST)
        return refuse(call, shape, "'%s' must be a list of integers", "shape");
    bool built = lw_encoding_build(call->encoding, &unknown, &map, NULL); /* else it is reported */
    for (size_t d = 0; built && d < shape->count; d++) {
        const uint64_t size = d < (size_t)map.out.count ? map.out.dim[d].size : 1;
        if ((uint64_t)shape->items[d].integer != size)
            return lw_error_at(call->scan->err, LW_ERROR_SHAPE, shape->items[d].position,
                               "the bases reach %llu elements along dim %zu, and 'shape' must "
                               "be that",
                               (unsigned long long)size, d);
    }
    return true;
}

static bool set_argument(struct call *call, int i)
{
    const struct lw_gluon_argument *argument = &call->callee->class->arguments[i];
    const struct lw_value *value = &call->given[i];
    switch (argument->kind) {
    case LW_GLUON_PARENT:
        if (value->kind != LW_VALUE_ENCODING)
            return refuse(call, value, "'%s' is a layout", argument->name);
        return set(call, argument->param, value, call->at[i]);
    case LW_GLUON_PAIR:
    case LW_GLUON_VERSION:
        return set_pair(call, i);
    case LW_GLUON_TYPE:
        return set_type(call, i);
    case LW_GLUON_WARPS:
        return set_warps(call, i, "warp");
    case LW_GLUON_TILES:
        return set_warps(call, i, "register");
    case LW_GLUON_SHAPE:
        return check_shape(call, value);
    case LW_GLUON_BLOCKS:
        return (value->kind == LW_VALUE_LIST && value->count == 0) ||
               set(call, argument->param, value, call->at[i]);
    default:
        return set(call, argument->param, value, call->at[i]);
    }
}

static bool call_gluon(struct call *call, const struct lw_call_arguments *arguments)
{
    const struct lw_gluon_class *class = call->callee->class;
    call->count = argument_count(class);
    for (int i = 0; i < call->count; i++)
        call->names[i] = class->arguments[i].name;
    if (!take_arguments(call, arguments))
        return false;
    /* The shape comes last in every class, so the bases are set before it is checked. */
    static const bool needed[] = {
        /* neither the class nor the encoding has a default */
        [LW_GLUON_VALUE] = true,   [LW_GLUON_NEEDED] = true, [LW_GLUON_PARENT] = true,
        [LW_GLUON_VERSION] = true, [LW_GLUON_SHAPE] = true,  [LW_GLUON_WARPS] = true,
        [LW_GLUON_DIMS] = true};
    for (int i = 0; i < call->count; i++) {
        bool given = call->given[i].kind != LW_VALUE_NONE;
        if (given && !set_argument(call, i))
            return false;
        size_t kind = class->arguments[i].kind;
        if (!given && !call->at[i].line && kind < LW_COUNT(needed) && needed[kind])
            return lw_error_at(call->scan->err, LW_ERROR_PARAMETER, call->callee->position,
                               "'%s' needs %s=", call->callee->name, class->arguments[i].name);
    }
    int64_t mnk[LW_RANK_MAX]; /* Triton refuses what the encoding accepts */
    return strcmp(class->type, "amd_mfma") != 0 ||
           lw_encoding_integers(call->encoding, "instrShape", 3, mnk, LW_RANK_MAX) < 2 ||
           mnk[0] != 4 || mnk[1] != 4 ||
           lw_error_at(call->scan->err, LW_ERROR_PARAMETER, call->callee->position,
                       "instr_shape must begin with [32, 32], [16, 16], [64, 4] or [4, 64]; Gluon "
                       "has no 4 x 4");
}

/* ---- Functions that choose a layout ---- */

/* A function: its arguments in their order, as parameters of a type that makes the layout. */
struct lw_chooser {
    struct lw_encoding_type type;
    struct lw_encoding *(*make)(struct lw_scan *scan, const struct lw_encoding *given,
                                struct lw_tensor *tensor);
};

#define SIZES_MAX ((int64_t)1 << 32)

/* getDefaultBlockedEncoding([64, 64], 4) of Triton. */
static const struct lw_param blocked_params[] = {
    LW_ROW("shape", LW_PARAM_INTEGERS, NULL, .rules = LW_RULE_RANK, .min = 1, .max = SIZES_MAX),
    LW_ROW("numWarps", LW_PARAM_INTEGER, NULL, .also = "num_warps"),
    LW_ROW("threadsPerWarp", LW_PARAM_INTEGER, NULL, .fallback = LW_DEFAULT_NUMBER, .number = 32,
           .also = "threads_per_warp"),
    LW_ROW("sizePerThread", LW_PARAM_INTEGERS, NULL, .rules = LW_RULE_RANK,
           .fallback = LW_DEFAULT_ONES, .also = "size_per_thread"),
    LW_ROW("order", LW_PARAM_INTEGERS, NULL, .rules = LW_RULE_RANK | LW_RULE_PERMUTATION,
           .fallback = LW_DEFAULT_DESCENDING),
    LW_ROW("numCTAs", LW_PARAM_INTEGER, NULL, .min = 1, .max = SIZES_MAX,
           .fallback = LW_DEFAULT_NUMBER, .number = 1, .also = "num_ctas"),
};

static struct lw_encoding *make_blocked(struct lw_scan *scan, const struct lw_encoding *given,
                                        struct lw_tensor *tensor)
{
    int64_t shape[LW_RANK_MAX], size[LW_RANK_MAX], order[LW_RANK_MAX];
    const int rank = tensor->rank;
    lw_encoding_integers(given, "shape", rank, shape, LW_RANK_MAX);
    lw_encoding_integers(given, "sizePerThread", rank, size, LW_RANK_MAX);
    lw_encoding_integers(given, "order", rank, order, LW_RANK_MAX);
    const struct lw_blocked_request request = {.rank = rank,
                                               .shape = shape,
                                               .size = size,
                                               .order = order,
                                               .warps = lw_encoding_integer(given, "numWarps"),
                                               .lanes =
                                                   lw_encoding_integer(given, "threadsPerWarp"),
                                               .blocks = lw_encoding_integer(given, "numCTAs")};
    return lw_blocked_default(scan->arena, &request, scan->err);
}

/* NVMMASharedLayout.get_default_for([128, 64], gl.float16) of Gluon. */
static const struct lw_param nvmma_params[] = {
    LW_ROW("block_shape", LW_PARAM_INTEGERS, NULL, .rules = LW_RULE_RANK, .min = 1,
           .max = SIZES_MAX, .also = "shape"),
    LW_ROW("dtype", LW_PARAM_STRING, NULL, .also = NULL),
    LW_ROW("transposed", LW_PARAM_BOOLEAN, NULL, .fallback = LW_DEFAULT_NUMBER),
    LW_ROW("fp4_padded", LW_PARAM_BOOLEAN, NULL, .fallback = LW_DEFAULT_NUMBER),
};

/* The widest swizzle whose rows divide that of the tensor. */
static int64_t swizzle_width(const struct lw_tensor *tensor, bool transposed, int packed)
{
    uint64_t rows = 1, row = tensor->shape[transposed ? 0 : tensor->rank - 1] * (uint64_t)packed *
                             (uint64_t)tensor->element.bits / 8;
    for (int d = 0; d < tensor->rank && rows < 8; d++)
        rows *= d == (transposed ? 0 : tensor->rank - 1) ? 1 : tensor->shape[d];
    for (int64_t width = 128; width >= 32 && rows >= 8; width /= 2)
        if (row % (uint64_t)width == 0)
            return width;
    return 0;
}

static struct lw_encoding *make_nvmma(struct lw_scan *scan, const struct lw_encoding *given,
                                      struct lw_tensor *tensor)
{
    const struct lw_value *type = lw_encoding_value(given, "dtype");
    const bool transposed = lw_encoding_boolean(given, "transposed"),
               padded = lw_encoding_boolean(given, "fp4_padded");
    if (!lw_element_find(&tensor->element, type->string, scan->err)) {
        lw_error_locate(scan->err, type->position);
        return NULL;
    }
    const struct {
        const char *name;
        bool set;
        struct lw_value value;
    } values[] = {
        {"swizzlingByteWidth", true,
         lw_value_integer(swizzle_width(tensor, transposed, padded ? 2 : 1))},
        {"elementBitWidth", true, lw_value_integer(tensor->element.bits)},
        {"transposed", true, lw_value_boolean(transposed)},
        {"fp4Padded", padded, lw_value_boolean(padded)},
        {"rank", tensor->rank != 2, lw_value_integer(tensor->rank)},
    };
    struct lw_encoding *encoding =
        lw_encoding_new(scan->arena, lw_encoding_type_find("nvmma_shared"));
    for (size_t i = 0; encoding && i < LW_COUNT(values); i++)
        if (values[i].set &&
            !lw_encoding_set(encoding, values[i].name, &values[i].value, scan->err))
            return NULL;
    if (!encoding)
        lw_scan_out_of_memory(scan);
    return encoding;
}

/* clang-format off */
#define CHOOSER(NAME, PARAMS, MAKE) \
    {{.name = NAME, .family = LW_FAMILY_PLAIN, .spelling = LW_SPELLING_CALL, .params = PARAMS, \
      .param_count = LW_COUNT(PARAMS)}, MAKE}

static const struct lw_chooser choosers[] = {
    CHOOSER("getDefaultBlockedEncoding", blocked_params, make_blocked),
    CHOOSER("get_default_for", nvmma_params, make_nvmma),
};
/* clang-format on */

static bool call_chooser(struct call *call, const struct lw_call_arguments *arguments,
                         struct lw_tensor *tensor)
{
    struct lw_error *err = call->scan->err;
    if (!call_tilus(call, NULL, arguments) || !lw_encoding_check(call->encoding, tensor, err))
        return lw_error_locate(err, call->callee->position);
    const struct lw_value *shape = &call->encoding->params[0];
    tensor->rank = (int)shape->count;
    for (int d = 0; d < tensor->rank; d++)
        tensor->shape[d] = (uint64_t)shape->items[d].integer;
    call->encoding = call->callee->chooser->make(call->scan, call->encoding, tensor);
    return call->encoding || lw_error_locate(err, call->callee->position);
}

/* ---- Spellings ---- */

bool lw_callee_find(struct lw_scan *scan, const char *name, struct lw_position position,
                    const struct lw_value *receiver, struct lw_callee *callee)
{
    *callee = (struct lw_callee){.name = name, .position = position};
    if (!receiver && (!strcmp(name, "AutoLayout") || !strcmp(name, "CoalescedLayout")))
        return lw_error_at(scan->err, LW_ERROR_UNSUPPORTED, position,
                           "%s has no layout yet: Triton chooses it when it compiles the kernel, "
                           "and the dump of the kernel has it",
                           name);
    for (size_t i = 0; i < LW_COUNT(choosers) && !receiver; i++)
        if (!strcmp(choosers[i].type.name, name))
            callee->chooser = &choosers[i];
    if (!receiver && !callee->chooser)
        callee->class = lw_gluon_find(name, 0);
    if (!callee->chooser && !callee->class)
        callee->type = find_function(scan, name, position, receiver);
    return callee->chooser || callee->class || callee->type;
}

/* The layout that a call makes; `generic` is for choose_class. */
static struct lw_encoding *make(struct lw_scan *scan, const struct lw_callee *found, bool generic,
                                const struct lw_value *receiver,
                                const struct lw_call_arguments *arguments, struct lw_tensor *tensor)
{
    struct lw_callee callee = *found;
    struct call call = {.scan = scan, .callee = &callee};
    if (callee.chooser)
        callee.type = &callee.chooser->type;
    if (callee.class) {
        callee.class = choose_class(callee.name, generic, arguments);
        callee.type = lw_encoding_type_find(callee.class->type);
        callee.name = lw_gluon_name(callee.class);
    }
    call.encoding = lw_read_new(scan, callee.type, callee.position);
    bool made = call.encoding &&
                (callee.chooser ? call_chooser(&call, arguments, tensor)
                 : callee.class ? call_gluon(&call, arguments)
                                : call_tilus(&call, receiver, arguments)) &&
                lw_check_nesting(call.encoding, callee.position, scan->err);
    return made ? call.encoding : NULL;
}

struct lw_encoding *lw_call(struct lw_scan *scan, const struct lw_callee *found,
                            const struct lw_value *receiver,
                            const struct lw_call_arguments *arguments, struct lw_tensor *tensor)
{
    struct lw_encoding *encoding = make(scan, found, false, receiver, arguments, tensor);
    struct lw_tensor unknown;
    lw_tensor_unknown(&unknown);
    if (!encoding || !found->class || strcmp(encoding->type->name, "linear") != 0 ||
        !lw_triton_since(scan->triton, LW_TRITON_3_8) ||
        lw_encoding_check(encoding, &unknown, NULL))
        return encoding;
    return make(scan, found, true, receiver, arguments, tensor);
}

struct lw_encoding *lw_tilus_operation(struct lw_scan *scan, char symbol,
                                       struct lw_position position, const struct lw_value *left,
                                       const struct lw_value *right)
{
    const struct lw_call_argument items[] = {{.value = *left}, {.value = *right}};
    const struct lw_call_arguments operands = {2, items};
    struct lw_callee callee;
    struct lw_tensor unused;
    if (left->kind != LW_VALUE_ENCODING || right->kind != LW_VALUE_ENCODING) {
        lw_error_at(scan->err, LW_ERROR_SYNTAX, position, "'%c' needs a layout on both sides",
                    symbol);
        return NULL;
    }
    const char *name = symbol == '*' ? "compose" : "divide";
    return lw_callee_find(scan, name, position, NULL, &callee)
               ? lw_call(scan, &callee, NULL, &operands, &unused)
               : NULL;
}
