/*
 * Gluon: gl.BlockedLayout(size_per_thread=[1, 4], ...), a call of a class of the table in gluon.c, which translations
 * into Gluon use too. Invariant: every argument is set once, and sets parameters.
 */

#include "encoding/triton/gluon.h"
#include "notation/expression/evaluate.h"

#include <string.h>

struct call {
    struct lw_scan *scan;
    const struct lw_gluon_class *class;
    struct lw_encoding *encoding;
    struct lw_position position;
    struct lw_value given[LW_GLUON_ARGUMENTS_MAX];
    struct lw_position at[LW_GLUON_ARGUMENTS_MAX]; /* of its name; line 0: not set */
};

static const char *offer_argument(const void *context, size_t i)
{
    return ((const struct lw_gluon_class *)context)->arguments[i].name;
}

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
    int count = argument_count(class);
    for (size_t i = 0; i < arguments->count; i++) {
        const char *name = arguments->items[i].name;
        int k = 0;
        while (name && k < count && strcmp(name, class->arguments[k].name) != 0)
            k++;
        if (name && k == count)
            return false;
    }
    return true;
}

/* Whether a basis is one step of 1, 2, 4, ... along a dim; *step has its number and its dim, 0: it is zero. */
static bool is_step(const struct lw_value *basis, uint64_t *step)
{
    int moves = 0;
    *step = 0;
    for (size_t d = 0; basis->kind == LW_VALUE_LIST && d < basis->count; d++) {
        int64_t n = basis->items[d].integer;
        int bit = n > 0 ? lw_log2((uint64_t)n) : -1;
        moves += n > 0 ? 1 + (bit < 0) : 0;
        if (bit >= 0)
            *step = (uint64_t)d * 64 + (uint64_t)bit + 1;
    }
    return moves <= 1;
}

enum { STEPS_MAX = 256 };

/* Whether arguments are bases that only generic_linear has: some are no single steps, or two are the same. */
static bool is_generic(const struct lw_call_arguments *arguments)
{
    uint64_t seen[STEPS_MAX], step;
    size_t count = 0;
    for (size_t i = 0; i < arguments->count; i++) {
        const struct lw_value *bases = &arguments->items[i].value;
        for (size_t k = 0; bases->kind == LW_VALUE_LIST && k < bases->count; k++) {
            if (!is_step(&bases->items[k], &step))
                return true;
            for (size_t j = 0; step && j < count; j++)
                if (seen[j] == step)
                    return true;
            if (step && count < STEPS_MAX)
                seen[count++] = step;
        }
    }
    return false;
}

/* The newest class of that name that has the arguments; the newest of all when none has. */
static const struct lw_gluon_class *choose_class(const char *name, enum lw_triton triton,
                                                 const struct lw_call_arguments *arguments)
{
    const struct lw_gluon_class *class, *first = lw_gluon_find(name, 0);
    bool linear = !strcmp(first->type, "linear");
    bool generic = linear && lw_triton_since(triton, LW_TRITON_3_8) && is_generic(arguments);
    for (int i = 0; (class = lw_gluon_find(name, i)); i++)
        if (has_arguments(class, arguments) &&
            (!linear || generic == !strcmp(class->type, "generic_linear")))
            return class;
    return first;
}

/* The argument of that name, or -1 and an error. */
static int named(const struct call *call, const char *name, struct lw_position position)
{
    char hint[LW_HINT_MAX];
    int count = argument_count(call->class);
    for (int i = 0; i < count; i++)
        if (!strcmp(name, call->class->arguments[i].name))
            return i;
    const char *near = lw_text_nearest(name, (size_t)count, offer_argument, call->class);
    struct lw_text names = {.limit = 300};
    for (int i = 0; i < count; i++)
        lw_text_format(&names, "%s%s", i ? ", " : "; it has ", call->class->arguments[i].name);
    lw_error_at(call->scan->err, LW_ERROR_NAME, position, "'%s' has no argument '%.40s'%s",
                lw_gluon_name(call->class), name,
                near ? lw_text_hint(hint, near, "") : lw_text_string(&names));
    lw_text_free(&names);
    return -1;
}

/* Sets an argument, number `next` of the call, by its name or its position. */
static bool take_argument(struct call *call, int next, const struct lw_call_argument *argument)
{
    struct lw_position position =
        argument->name ? argument->name_position : argument->value.position;
    int i = argument->name ? named(call, argument->name, position) : next;
    if (i < 0)
        return false;
    if (i >= argument_count(call->class))
        return lw_error_at(call->scan->err, LW_ERROR_SYNTAX, position,
                           "too many arguments for '%s'", lw_gluon_name(call->class));
    if (call->at[i].line)
        return lw_error_at(call->scan->err, LW_ERROR_NAME, position, "duplicate '%s'",
                           call->class->arguments[i].name);
    call->at[i] = position;
    call->given[i] = argument->value;
    return true;
}

static bool take_arguments(struct call *call, const struct lw_call_arguments *arguments)
{
    bool keyword = false;
    for (size_t i = 0; i < arguments->count; i++) {
        const struct lw_call_argument *argument = &arguments->items[i];
        if (keyword && !argument->name)
            return lw_error_at(call->scan->err, LW_ERROR_SYNTAX, argument->value.position,
                               "an argument without a name may not follow one with a name");
        keyword = argument->name;
        if (!take_argument(call, (int)i, argument))
            return false;
    }
    return true;
}

/* ---- Parameters ---- */

static bool set(struct call *call, const char *param, const struct lw_value *value,
                struct lw_position position)
{
    return lw_read_set_param(call->encoding, param, position, value, call->scan->err);
}

/* Sets two parameters: that one, and the next of the encoding. */
static bool set_pair(struct call *call, int i)
{
    const struct lw_gluon_argument *argument = &call->class->arguments[i];
    const struct lw_value *pair = &call->given[i];
    int first = lw_encoding_param(call->encoding, argument->param);
    if (pair->kind != LW_VALUE_LIST || pair->count != 2)
        return lw_error_at(call->scan->err, LW_ERROR_PARAMETER, pair->position,
                           "'%s' must be a list of two integers", argument->name);
    return set(call, argument->param, &pair->items[0], pair->position) &&
           set(call, call->encoding->type->params[first + 1].name, &pair->items[1], pair->position);
}

/* The type of an element, by its name in Triton's text: gl.float64 is f64. */
static bool set_type(struct call *call, int i)
{
    struct lw_value value = call->given[i];
    struct lw_element element;
    if (value.kind != LW_VALUE_STRING || !lw_element_find(&element, value.string, NULL))
        return lw_error_at(call->scan->err, LW_ERROR_PARAMETER, value.position,
                           "'%s' must be the type of an element, such as gl.float32",
                           call->class->arguments[i].name);
    value.string = lw_arena_string(call->scan->arena, element.name, strlen(element.name));
    return value.string ? set(call, call->class->arguments[i].param, &value, value.position)
                        : lw_scan_out_of_memory(call->scan);
}

/* The bases of warps and of registers are one parameter: an object of both. */
static bool set_warps(struct call *call, int i, const char *dim)
{
    const char *param = call->class->arguments[i].param;
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

/* The least power of two above all numbers along a dim of the bases. */
static int64_t reach(const struct call *call, size_t dim)
{
    int64_t reached = 0, size = 1;
    for (size_t p = 0; p < call->encoding->type->param_count; p++) {
        const struct lw_value *bases = &call->encoding->params[p];
        bool are = call->encoding->type->params[p].type == LW_PARAM_BASES;
        for (size_t i = 0; are && i < bases->count; i++)
            if (bases->items[i].kind == LW_VALUE_LIST && dim < bases->items[i].count)
                reached |= bases->items[i].items[dim].integer;
    }
    while (size <= reached && size < (int64_t)1 << 62)
        size *= 2;
    return size;
}

/* Bases have a shape of their own, and Triton rejects any other. */
static bool check_shape(struct call *call, const struct lw_value *shape)
{
    if (shape->kind != LW_VALUE_LIST)
        return lw_error_at(call->scan->err, LW_ERROR_PARAMETER, shape->position,
                           "'shape' must be a list of integers");
    for (size_t d = 0; d < shape->count; d++)
        if (shape->items[d].kind != LW_VALUE_INTEGER || shape->items[d].integer != reach(call, d))
            return lw_error_at(call->scan->err, LW_ERROR_SHAPE, shape->items[d].position,
                               "the bases reach %lld elements along dim %zu, and 'shape' must "
                               "be that",
                               (long long)reach(call, d), d);
    return true;
}

static bool set_argument(struct call *call, int i)
{
    const struct lw_gluon_argument *argument = &call->class->arguments[i];
    const struct lw_value *value = &call->given[i];
    switch (argument->kind) {
    case LW_GLUON_PARENT:
        if (value->kind != LW_VALUE_ENCODING)
            return lw_error_at(call->scan->err, LW_ERROR_PARAMETER, value->position,
                               "'%s' is a layout", argument->name);
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

/* Whether an argument must be set: neither the class nor the encoding has a default for it. */
static bool is_needed(const struct lw_gluon_argument *argument)
{
    return argument->kind == LW_GLUON_VALUE || argument->kind == LW_GLUON_NEEDED ||
           argument->kind == LW_GLUON_PARENT || argument->kind == LW_GLUON_VERSION ||
           argument->kind == LW_GLUON_SHAPE || argument->kind == LW_GLUON_WARPS ||
           argument->kind == LW_GLUON_DIMS;
}

/* Sets all parameters. The shape comes last in every class, so the bases are set before it is checked. */
static bool set_all(struct call *call)
{
    int count = argument_count(call->class);
    for (int i = 0; i < count; i++) {
        const struct lw_gluon_argument *argument = &call->class->arguments[i];
        bool given = call->given[i].kind != LW_VALUE_NONE;
        if (given && !set_argument(call, i))
            return false;
        if (!given && !call->at[i].line && is_needed(argument))
            return lw_error_at(call->scan->err, LW_ERROR_PARAMETER, call->position,
                               "'%s' needs %s=", lw_gluon_name(call->class), argument->name);
    }
    return true;
}

/* Fails for arguments that Triton refuses though the encoding accepts them. */
static bool check_call(const struct call *call)
{
    int64_t mnk[LW_RANK_MAX];
    if (strcmp(call->class->type, "amd_mfma") != 0 ||
        lw_encoding_integers(call->encoding, "instrShape", 3, mnk, LW_RANK_MAX) < 2 ||
        mnk[0] != 4 || mnk[1] != 4)
        return true;
    return lw_error_at(
        call->scan->err, LW_ERROR_PARAMETER, call->position,
        "instr_shape must begin with [32, 32], [16, 16], [64, 4] or [4, 64]; Gluon has no 4 x 4");
}

struct lw_encoding *lw_gluon_call(struct lw_scan *scan, const char *name,
                                  struct lw_position position,
                                  const struct lw_call_arguments *arguments)
{
    struct call call = {
        .scan = scan, .class = choose_class(name, scan->triton, arguments), .position = position};
    call.encoding = lw_read_new(scan, lw_encoding_type_find(call.class->type), position);
    bool made = call.encoding && take_arguments(&call, arguments) && set_all(&call) &&
                check_call(&call) && lw_check_nesting(call.encoding, position, scan->err);
    return made ? call.encoding : NULL;
}
