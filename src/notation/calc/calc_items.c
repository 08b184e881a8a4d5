/*
 * Parts that the files of the calculator share: items of tuples, and layouts of CuTe made
 * of them.
 *
 * `(4)` is a tuple of one, which CuTe distinguishes from 4; where a number is expected it is the number.
 */

#include "notation/calc/calc_table.h"

#include "encoding/cute/cute_parts.h"

#include <string.h>

const char *lw_calc_kind_name(enum lw_calc_kind kind)
{
    static const char *const names[] = {
        [LW_CALC_NONE] = "no layout",          [LW_CALC_LAYOUT] = "a layout",
        [LW_CALC_NUMBER] = "a number",         [LW_CALC_TRUTH] = "true or false",
        [LW_CALC_POINT] = "a point",           [LW_CALC_POINTS] = "a list of points",
        [LW_CALC_MATRIX] = "a matrix",         [LW_CALC_ACTION] = "a column action",
        [LW_CALC_DIMS] = "a list of dims",     [LW_CALC_CUTE] = "a layout of CuTe",
        [LW_CALC_TILUS] = "a layout of tilus", [LW_CALC_TUPLE] = "a tuple",
        [LW_CALC_SWIZZLE] = "a swizzle",       [LW_CALC_BLANK] = "a blank",
        [LW_CALC_ORDER] = "an order of modes", [LW_CALC_ATOM] = "an atom",
        [LW_CALC_MMA] = "a tiled MMA",         [LW_CALC_COPY] = "a tiled copy",
        [LW_CALC_DESCRIPTOR] = "a descriptor", [LW_CALC_TENSOR_MAP] = "a tensor map"};
    return names[kind];
}

struct lw_cute_work lw_calc_work_here(const struct lw_calculation *calc)
{
    return (struct lw_cute_work){
        .arena = calc->arena, .err = calc->err, .steps = calc->steps, .rules = LW_CUTE_VALUES};
}

void lw_calc_plain_number(struct lw_calc_result *value)
{
    const struct lw_cute_tuple *tuple = &value->as.tuple;
    if (value->kind != LW_CALC_TUPLE || !lw_cute_is_integer(tuple) || tuple->fixed || tuple->axis ||
        tuple->value < 0)
        return;
    value->kind = LW_CALC_NUMBER;
    value->as.number = (uint64_t)tuple->value;
}

/* ---- Literals ---- */

bool lw_calc_is_blank(const char *name)
{
    if (!strcmp(name, "X") || !strcmp(name, "None") || !strcmp(name, "Underscore"))
        return true; /* Step<_1,X,_1>; None of Python; Tile<Underscore,_32> */
    const char *digits = name[0] == '_' && name[1] == '-' ? name + 2 : name + 1;
    return name[0] == '_' && !digits[strspn(digits, "0123456789")];
}

bool lw_calc_blank(const struct lw_node *name, struct lw_calc_result *value)
{
    int64_t number = 0;
    if (!lw_calc_is_blank(name->name) || name->angles)
        return false;
    bool blank = name->name[0] != '_' || !name->name[1];
    bool negative = name->name[1] == '-';
    for (const char *digit = name->name + 1 + negative; *digit && !blank; digit++)
        number = number > INT64_MAX / 10 - 10 ? INT64_MAX / 10 : number * 10 + (*digit - '0');
    value->kind = blank ? LW_CALC_BLANK : LW_CALC_TUPLE;
    value->as.tuple = lw_cute_integer(negative ? -number : number, true);
    value->as.tuple.leaf = blank ? LW_CUTE_BLANK : LW_CUTE_INTEGER;
    value->as.tuple.position = name->position;
    return true;
}

bool lw_calc_order(const struct lw_node *name, struct lw_calc_result *value)
{
    static const char *const names[] = {"LayoutLeft", "GenColMajor", "LayoutRight", "GenRowMajor"};
    for (int i = 0; i < 4; i++)
        if (lw_node_is_name(name, names[i])) {
            value->kind = LW_CALC_ORDER;
            value->as.tuple = lw_cute_integer(i >= 2, false);
            value->as.tuple.leaf = LW_CUTE_ORDER;
            value->as.tuple.position = name->position;
            return true;
        }
    return false;
}

/* The axis of `2@1@0`; 0 and an error. */
static unsigned short axis_of(const struct lw_node *node, struct lw_error *err)
{
    int depth = node->count - 1, level = depth;
    unsigned axis = 0;
    for (const struct lw_node *at = node->items->next; at; at = at->next) {
        if (depth > LW_CUTE_AXIS_DEPTH || at->integer > LW_CUTE_AXIS_MAX) {
            lw_error_at(err, LW_ERROR_LIMIT, node->position,
                        "at most %d axes of coordinates, each from 0 to %d", LW_CUTE_AXIS_DEPTH,
                        LW_CUTE_AXIS_MAX);
            return 0;
        }
        axis |= (unsigned)(at->integer + 1) << (4 * --level);
    }
    return (unsigned short)axis;
}

static bool literal_axis(struct lw_arena *arena, const struct lw_node *node,
                         struct lw_cute_tuple *item, struct lw_error *err)
{
    const struct lw_node *number = node->items;
    if (!lw_calc_literal(arena, number, item, err))
        return false;
    if (!lw_cute_is_integer(item) || item->axis)
        return lw_error_at(err, LW_ERROR_SYNTAX, node->position, "`@` must follow a number: 1@0");
    item->position = node->position;
    item->axis = axis_of(node, err);
    return item->axis;
}

static bool literal_tuple(struct lw_arena *arena, const struct lw_node *node,
                          struct lw_cute_tuple *item, struct lw_error *err)
{
    struct lw_cute_tuple *items = lw_arena_alloc(arena, (size_t)(node->count + 1) * sizeof *items);
    if (!items)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    *item = (struct lw_cute_tuple){.position = node->position, .items = items};
    for (const struct lw_node *part = node->items; part; part = part->next)
        if (!lw_calc_literal(arena, part, &items[item->count++], err))
            return false;
    return true;
}

bool lw_calc_literal(struct lw_arena *arena, const struct lw_node *node, struct lw_cute_tuple *item,
                     struct lw_error *err)
{
    struct lw_calc_result value;
    *item = lw_cute_integer(node->integer, false);
    item->position = node->position;
    switch (node->kind) {
    case LW_NODE_INTEGER:
        return true;
    case LW_NODE_NAME:
        if (!lw_calc_blank(node, &value))
            break;
        *item = value.as.tuple;
        return true;
    case LW_NODE_AXIS:
        return literal_axis(arena, node, item, err);
    case LW_NODE_TUPLE:
    case LW_NODE_GROUP:
        return literal_tuple(arena, node, item, err);
    default:
        break;
    }
    return lw_node_unexpected(node, "a number or a tuple", err);
}

static const struct lw_node *parse_text(struct lw_arena *arena, const struct lw_text *text,
                                        struct lw_error *err)
{
    struct lw_scan scan;
    const char *kept = lw_arena_string(arena, lw_text_string(text), text->length);
    if (!kept) {
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    lw_scan_begin(&scan, arena, kept, text->length, err);
    return lw_expression_parse(&scan);
}

bool lw_calc_literal_layout(struct lw_cute_work *work, const struct lw_text *text,
                            struct lw_cute *out)
{
    struct lw_cute_tuple shape, stride;
    const struct lw_node *node = parse_text(work->arena, text, work->err);
    return node && lw_calc_literal(work->arena, node->items, &shape, work->err) &&
           lw_calc_literal(work->arena, node->items->next, &stride, work->err) &&
           lw_calc_strided(work, &shape, &stride, out);
}

/* ---- Items ---- */

bool lw_calc_to_item(struct lw_calculation *calc, const struct lw_calc_result *value,
                     struct lw_position position, struct lw_cute_tuple *item)
{
    struct lw_cute *cute;
    switch (value->kind) {
    case LW_CALC_TUPLE:
    case LW_CALC_BLANK:
    case LW_CALC_ORDER:
        *item = value->as.tuple;
        break;
    case LW_CALC_NUMBER:
        *item = lw_cute_integer((int64_t)value->as.number, false);
        break;
    case LW_CALC_CUTE:
        if (value->as.cute.start_bit)
            return lw_error_at(
                calc->err, LW_ERROR_PARAMETER, position,
                "the part starts within an element: it has no offset in whole elements");
        cute = lw_arena_alloc(calc->arena, sizeof *cute);
        if (!cute)
            return lw_scan_out_of_memory(calc->scan);
        *cute = value->as.cute;
        *item = (struct lw_cute_tuple){.count = -1, .leaf = LW_CUTE_LAYOUT, .layout = cute};
        break;
    default:
        return lw_error_at(calc->err, LW_ERROR_SHAPE, position,
                           "a tuple holds numbers, tuples and layouts of CuTe, not %s",
                           lw_calc_kind_name(value->kind));
    }
    item->position = position;
    return true;
}

static bool no_axis(const struct lw_cute_tuple *integer, struct lw_error *err)
{
    struct lw_text text = {0};
    struct lw_cute_tuple step = *integer;
    if (!integer->axis)
        return true;
    step.fixed = false;
    lw_cute_tuple_print(&text, &step);
    lw_error_at(err, LW_ERROR_SHAPE, integer->position,
                "%s is a stride of coordinates, which may only follow the `:` of a layout",
                lw_text_string(&text));
    lw_text_free(&text);
    return false;
}

/* Whether all leaves are integers, maybe along axes; else an error. */
static bool are_strides(const struct lw_cute_tuple *tuple, struct lw_error *err)
{
    for (int i = 0; i < tuple->count; i++)
        if (!are_strides(&tuple->items[i], err))
            return false;
    return tuple->count >= 0 || tuple->leaf == LW_CUTE_INTEGER || lw_calc_integers(tuple, err);
}

bool lw_calc_integers(const struct lw_cute_tuple *tuple, struct lw_error *err)
{
    static const enum lw_calc_kind kinds[] = {[LW_CUTE_BLANK] = LW_CALC_BLANK,
                                              [LW_CUTE_ORDER] = LW_CALC_ORDER,
                                              [LW_CUTE_LAYOUT] = LW_CALC_CUTE};
    for (int i = 0; i < tuple->count; i++)
        if (!lw_calc_integers(&tuple->items[i], err))
            return false;
    if (tuple->count >= 0)
        return true;
    if (tuple->leaf == LW_CUTE_INTEGER)
        return no_axis(tuple, err);
    return lw_error_at(err, LW_ERROR_SHAPE, tuple->position, "expected a number or a tuple, not %s",
                       lw_calc_kind_name(kinds[tuple->leaf]));
}

/* ---- As layouts and tilers ---- */

bool lw_calc_to_cute(struct lw_calculation *calc, struct lw_calc_result *value)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    struct lw_position position = {0};
    struct lw_cute cute = {0};
    struct lw_cute_tuple shape;
    if (value->kind == LW_CALC_CUTE)
        return true;
    calc->err->code = LW_OK;
    if (value->kind == LW_CALC_TUPLE)
        position = value->as.tuple.position;
    else if (value->kind != LW_CALC_NUMBER)
        return false;
    if (!lw_calc_to_item(calc, value, position, &shape) || !lw_calc_integers(&shape, calc->err) ||
        !lw_cute_compact(&work, &shape, false, &cute.layout))
        return false;
    value->kind = LW_CALC_CUTE;
    value->as.cute = cute;
    return true;
}

bool lw_calc_is_tiler(const struct lw_cute_tuple *tiler, struct lw_error *err)
{
    struct lw_cute_work work = {.err = err};
    struct lw_cute_layout layout;
    for (int i = 0; i < tiler->count; i++)
        if (!lw_calc_is_tiler(&tiler->items[i], err))
            return false;
    if (tiler->count >= 0 || tiler->leaf == LW_CUTE_BLANK)
        return true;
    if (tiler->leaf == LW_CUTE_ORDER)
        return lw_error_at(err, LW_ERROR_SHAPE, tiler->position,
                           "an order of modes is for make_layout");
    if (tiler->leaf == LW_CUTE_INTEGER)
        return no_axis(tiler, err) && lw_cute_compact(&work, tiler, false, &layout);
    return (!tiler->layout->composed && !lw_cute_is_of_coordinates(tiler->layout)) ||
           lw_error_at(err, LW_ERROR_UNSUPPORTED, tiler->position, "a tiler has no %s",
                       tiler->layout->composed ? "swizzle" : "strides of coordinates");
}

bool lw_calc_strided(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                     const struct lw_cute_tuple *stride, struct lw_cute *out)
{
    *out = (struct lw_cute){0};
    return lw_calc_integers(shape, work->err) && are_strides(stride, work->err) &&
           lw_cute_make(work, shape, stride, &out->layout);
}

bool lw_calc_compose(struct lw_cute_work *work, const struct lw_calc_result *inner,
                     const struct lw_cute_tuple *offset, int pointer,
                     const struct lw_calc_result *outer, struct lw_calc_result *out)
{
    if (inner->kind != LW_CALC_SWIZZLE)
        return lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                            "a composed layout must begin with a swizzle, not with %s",
                            lw_calc_kind_name(inner->kind));
    if (outer->kind != LW_CALC_CUTE || outer->as.cute.composed ||
        lw_cute_is_of_coordinates(&outer->as.cute))
        return lw_error_set(work->err, LW_ERROR_SHAPE,
                            "a composed layout must end with a layout without a swizzle and "
                            "coordinates, such as (8,64):(64,1)");
    if (!lw_cute_is_integer(offset) || offset->value < 0 || offset->value > LW_CUTE_MAX)
        return lw_error_set(work->err, LW_ERROR_PARAMETER,
                            "the offset of a composed layout must be a number from 0 to 2^62");
    if (pointer < 0 || pointer > 1024)
        return lw_error_set(work->err, LW_ERROR_PARAMETER,
                            "an element has from 1 to 1024 bits, not %d", pointer);
    out->kind = LW_CALC_CUTE;
    out->as.cute = (struct lw_cute){.layout = outer->as.cute.layout,
                                    .composed = true,
                                    .swizzle = inner->as.swizzle,
                                    .offset = offset->value,
                                    .fixed = offset->fixed,
                                    .pointer = pointer};
    return true;
}

bool lw_calc_linear(const struct lw_encoding *encoding, const struct lw_map *map,
                    struct lw_calc_result *value, struct lw_error *err)
{
    value->kind = LW_CALC_LAYOUT;
    return encoding->type->family == LW_FAMILY_TILUS_REGISTER
               ? lw_map_to_hardware(map, LW_LANES_DEFAULT, &value->as.layout, err)
               : lw_map_to_layout(map, &value->as.layout, err);
}
