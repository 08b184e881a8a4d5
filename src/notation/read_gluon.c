/*
 * Gluon: gl.BlockedLayout(size_per_thread=[1, 4], ...), a call of a class of the table in gluon.c, which
 * words are written by too. Invariant: every argument is said once, and what is said becomes parameters.
 */

#include "encoding/gluon.h"
#include "notation/read.h"

#include <string.h>

struct call {
    struct lw_scan *scan;
    const struct lw_gluon_class *class;
    struct lw_encoding *encoding;
    struct lw_place place;
    struct lw_value given[LW_GLUON_ARGUMENTS_MAX];
    struct lw_place at[LW_GLUON_ARGUMENTS_MAX]; /* of its name; line 0: not said */
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

/* The argument of that name, or -1 and an error. */
static int named(const struct call *call, const char *name, struct lw_place place)
{
    char hint[LW_HINT_MAX];
    int count = argument_count(call->class);
    for (int i = 0; i < count; i++)
        if (!strcmp(name, call->class->arguments[i].name))
            return i;
    const char *near = lw_text_nearest(name, (size_t)count, offer_argument, call->class);
    lw_error_at(call->scan->err, LW_ERROR_NAME, place, "'%s' has no argument '%.40s'%s",
                lw_gluon_name(call->class), name, lw_text_hint(hint, near, ""));
    return -1;
}

static bool read_argument(struct call *call, int next, bool *keyword)
{
    struct lw_place place;
    struct lw_value value = {0};
    struct lw_scan *scan = call->scan;
    lw_scan_space(scan);
    const char *name = lw_read_keyword(scan, &place);
    if (!name)
        place = lw_scan_place(scan);
    if (*keyword && !name)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, place,
                           "an argument without a name may not follow one with a name");
    *keyword = name;
    int i = name ? named(call, name, place) : next;
    if (i < 0 || !lw_read_expression(scan, &value))
        return false;
    if (!name)
        place = lw_scan_until(scan, place);
    if (i >= argument_count(call->class))
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, place, "too many arguments for '%s'",
                           lw_gluon_name(call->class));
    if (call->at[i].line)
        return lw_error_at(scan->err, LW_ERROR_NAME, place, "'%s' is said twice",
                           call->class->arguments[i].name);
    call->at[i] = place;
    call->given[i] = value;
    return true;
}

static bool read_arguments(struct call *call)
{
    bool keyword = false;
    if (!lw_scan_expect(call->scan, '(', "'('"))
        return false;
    for (int next = 0; !lw_scan_take(call->scan, ')'); next++) {
        if (!read_argument(call, next, &keyword))
            return false;
        if (!lw_scan_take(call->scan, ',') && lw_scan_peek(call->scan) != ')')
            return lw_scan_unexpected(call->scan, "',' or ')'");
    }
    return true;
}

/* ---- Parameters ---- */

static bool say(struct call *call, const char *param, const struct lw_value *value,
                struct lw_place place)
{
    if (lw_encoding_say(call->encoding, param, value, call->scan->err))
        return true;
    call->scan->err->place = place;
    return false;
}

/* Two parameters: that one, and the next of the encoding. */
static bool say_pair(struct call *call, int i)
{
    const struct lw_gluon_argument *argument = &call->class->arguments[i];
    const struct lw_value *pair = &call->given[i];
    int first = lw_encoding_param(call->encoding, argument->param);
    if (pair->kind != LW_VALUE_LIST || pair->count != 2)
        return lw_error_at(call->scan->err, LW_ERROR_PARAMETER, pair->place,
                           "'%s' is a list of two integers", argument->name);
    return say(call, argument->param, &pair->items[0], pair->place) &&
           say(call, call->encoding->type->params[first + 1].name, &pair->items[1], pair->place);
}

/* The bases of warps and of registers are one parameter: an object of both. */
static bool say_warps(struct call *call, int i, const char *dim)
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
        *object = (struct lw_value){.kind = LW_VALUE_OBJECT, .place = call->given[i].place};
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

/* Bases say the shape by themselves, and Triton refuses another. */
static bool check_shape(struct call *call, const struct lw_value *shape)
{
    if (shape->kind != LW_VALUE_LIST)
        return lw_error_at(call->scan->err, LW_ERROR_PARAMETER, shape->place,
                           "'shape' is a list of integers");
    for (size_t d = 0; d < shape->count; d++)
        if (shape->items[d].kind != LW_VALUE_INTEGER || shape->items[d].integer != reach(call, d))
            return lw_error_at(call->scan->err, LW_ERROR_SHAPE, shape->items[d].place,
                               "the bases reach %lld elements along dim %zu, and the shape must "
                               "say so",
                               (long long)reach(call, d), d);
    return true;
}

static bool say_argument(struct call *call, int i)
{
    const struct lw_gluon_argument *argument = &call->class->arguments[i];
    const struct lw_value *value = &call->given[i];
    switch (argument->kind) {
    case LW_GLUON_PARENT:
        if (value->kind != LW_VALUE_ENCODING)
            return lw_error_at(call->scan->err, LW_ERROR_PARAMETER, value->place,
                               "'%s' is a layout", argument->name);
        return say(call, argument->param, value, call->at[i]);
    case LW_GLUON_PAIR:
    case LW_GLUON_VERSION:
        return say_pair(call, i);
    case LW_GLUON_WARPS:
        return say_warps(call, i, "warp");
    case LW_GLUON_TILES:
        return say_warps(call, i, "register");
    case LW_GLUON_SHAPE:
        return check_shape(call, value);
    case LW_GLUON_BLOCKS:
        return (value->kind == LW_VALUE_LIST && value->count == 0) ||
               say(call, argument->param, value, call->at[i]);
    default:
        return say(call, argument->param, value, call->at[i]);
    }
}

/* Whether the class has no default for an argument that the encoding has none for either. */
static bool is_needed(const struct lw_gluon_argument *argument)
{
    return argument->kind == LW_GLUON_VALUE || argument->kind == LW_GLUON_NEEDED ||
           argument->kind == LW_GLUON_PARENT || argument->kind == LW_GLUON_VERSION ||
           argument->kind == LW_GLUON_SHAPE || argument->kind == LW_GLUON_WARPS;
}

/* The shape comes last in every class: the bases have been said then. */
static bool say_all(struct call *call)
{
    int count = argument_count(call->class);
    for (int i = 0; i < count; i++) {
        const struct lw_gluon_argument *argument = &call->class->arguments[i];
        if (call->given[i].kind != LW_VALUE_NONE ? !say_argument(call, i)
                                                 : is_needed(argument) && !call->at[i].line)
            return call->given[i].kind == LW_VALUE_NONE
                       ? lw_error_at(call->scan->err, LW_ERROR_PARAMETER, call->place,
                                     "'%s' needs %s=", lw_gluon_name(call->class), argument->name)
                       : false;
    }
    return true;
}

bool lw_read_gluon(struct lw_scan *scan, const char *name, struct lw_place place,
                   struct lw_value *value)
{
    struct call call = {.scan = scan, .class = lw_gluon_find(name), .place = place};
    call.encoding = lw_read_new(scan, lw_encoding_type_find(call.class->type), place);
    if (!call.encoding || !lw_scan_enter(scan, place) || !read_arguments(&call) ||
        !say_all(&call) || !lw_check_nesting(call.encoding, place, scan->err))
        return false;
    lw_scan_leave(scan);
    value->kind = LW_VALUE_ENCODING;
    value->encoding = call.encoding;
    value->place = lw_scan_until(scan, place);
    return true;
}
