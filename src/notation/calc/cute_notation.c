/*
 * Parts of CuTe's notation, made from values that have been computed: tuples of one, integers, strides, swizzles before
 * layouts, and the names of C++ with template arguments.
 *
 *     Int<4>{}   C<4>{}   _4{}                       the integer _4
 *     Shape<_4, Int<8>>{}   Stride<_8, _1>           tuples; Tile, Coord and Step too
 *     Layout<Shape<_4,_8>, Stride<_8,_1>>{}          a layout; without strides a compact one
 *     E<0>{}                                         a step along a coordinate, the innermost last
 *     Sw<3,4,3>   Swizzle<3,4,3>{}   S<3,4,3>        a swizzle
 */

#include "encoding/cute/cute_parts.h"
#include "notation/calc/calc_table.h"

#include <string.h>

/* ---- Tuples ---- */

bool lw_calc_group(struct lw_calculation *calc, const struct lw_node *node,
                   struct lw_calc_result *value)
{
    const struct lw_node *inner = node->items;
    if (value->kind != LW_CALC_TUPLE && value->kind != LW_CALC_BLANK)
        return true;
    struct lw_cute_tuple *item = lw_arena_alloc(calc->arena, sizeof *item);
    if (!item)
        return lw_scan_out_of_memory(calc->scan);
    *item = value->as.tuple;
    item->position = inner->position;
    value->kind = LW_CALC_TUPLE;
    value->as.tuple = (struct lw_cute_tuple){.position = node->position, .count = 1, .items = item};
    return true;
}

/* ---- Arithmetic ---- */

/* An integer as C++ has it, in parentheses too. Those of make_shape(7) are a tuple. */
static bool integer_of(const struct lw_node *node, const struct lw_calc_result *value,
                       struct lw_cute_tuple *out)
{
    if (value->kind == LW_CALC_NUMBER)
        *out = lw_cute_integer((int64_t)value->as.number, false);
    if (value->kind == LW_CALC_NUMBER)
        return value->as.number <= LW_CUTE_MAX;
    if (value->kind != LW_CALC_TUPLE)
        return false;
    *out = value->as.tuple;
    for (; node && node->kind == LW_NODE_GROUP && out->count == 1; node = node->items)
        *out = out->items[0];
    return lw_cute_is_integer(out) && !out->axis;
}

bool lw_calc_are_integers(const struct lw_node *first, struct lw_calc_result *left,
                          const struct lw_node *operand, struct lw_calc_result *right)
{
    struct lw_cute_tuple a, b;
    if (!integer_of(first, left, &a) || !integer_of(operand, right, &b))
        return false;
    left->kind = right->kind = LW_CALC_TUPLE;
    left->as.tuple = a;
    right->as.tuple = b;
    return true;
}

/* a + b, a - b, a * b, a / b or a % b, by the rules of CuTe. */
static bool arithmetic(struct lw_cute_work *work, char symbol, const struct lw_cute_tuple *a,
                       const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    const struct lw_cute_tuple minus = lw_cute_integer(-b->value, b->fixed);
    if (symbol == '+' || symbol == '-')
        return lw_cute_plus(work, a, symbol == '-' ? &minus : b, out);
    return (symbol == '*'   ? lw_cute_times
            : symbol == '/' ? lw_cute_divided
                            : lw_cute_modulo)(work, a, b, out);
}

bool lw_calc_of_integers(struct lw_calculation *calc, const struct lw_node *operand,
                         struct lw_calc_result *left, const struct lw_calc_result *right)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    const char *symbol = operand->label;
    struct lw_cute_tuple made;
    if (symbol[1]) { /* == or != */
        bool equal = left->as.tuple.value == right->as.tuple.value;
        left->kind = LW_CALC_TRUTH;
        left->as.truth = equal == (symbol[0] == '=');
        return true;
    }
    if (!arithmetic(&work, symbol[0], &left->as.tuple, &right->as.tuple, &made)) {
        if (calc->err->position.line == 0)
            calc->err->position = operand->label_position;
        return false;
    }
    made.position = left->as.tuple.position;
    left->as.tuple = made;
    return true;
}

/* ---- Strides ---- */

bool lw_calc_check_stride(struct lw_calculation *calc, const struct lw_node *node)
{
    const struct lw_node *shape = node->items, *stride = shape->next;
    if (shape->kind == LW_NODE_TILER)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, stride->label_position,
                           "<...> is a tiler for each mode and has no stride; a shape is (...)");
    if (stride->kind == LW_NODE_NAME && !stride->angles && !lw_calc_is_blank(stride->name))
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, stride->position,
                           "expected a stride, found '%.40s'", stride->name);
    return true;
}

bool lw_calc_stride(struct lw_calculation *calc, const struct lw_node *node,
                    struct lw_calc_result *shape, const struct lw_calc_result *stride)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    const struct lw_node *after = node->items->next;
    struct lw_cute cute;
    if (shape->kind != LW_CALC_TUPLE)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, after->label_position,
                           "a stride belongs to a shape such as (4,8), not to %s",
                           lw_calc_kind_name(shape->kind));
    if (stride->kind != LW_CALC_TUPLE)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, after->position,
                           "a stride is a number or a tuple of numbers");
    if (!lw_calc_strided(&work, &shape->as.tuple, &stride->as.tuple, &cute))
        return false;
    shape->kind = LW_CALC_CUTE;
    shape->as.cute = cute;
    return true;
}

/* ---- Swizzles ---- */

bool lw_calc_swizzle(struct lw_calculation *calc, const struct lw_node *name,
                     struct lw_cute_swizzle *swizzle)
{
    int *const parts[] = {&swizzle->bits, &swizzle->base, &swizzle->shift};
    const struct lw_node *number = name->angles->items;
    if (name->angles->count != 3)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, name->angles->position,
                           "expected three numbers in a swizzle, as in %s<3,4,3>", name->name);
    for (int i = 0; i < 3; i++, number = number->next) {
        if (number->kind != LW_NODE_INTEGER)
            return lw_error_at(calc->err, LW_ERROR_SYNTAX, number->position,
                               "expected three numbers in a swizzle, as in %s<3,4,3>", name->name);
        if (number->integer > 1024 || number->integer < -1024)
            return lw_error_at(calc->err, LW_ERROR_LIMIT, number->position,
                               "%lld is too large here", (long long)number->integer);
        *parts[i] = (int)number->integer;
    }
    if (lw_cute_swizzle_check(swizzle, calc->err))
        return true;
    calc->err->position = lw_position_join(name->name_position, name->angles->position);
    return false;
}

/* The offset or pointer between a swizzle and its layout. */
static bool keep_offset(struct lw_calculation *calc, const struct lw_node *node,
                        struct lw_cute *cute)
{
    struct lw_cute_tuple offset;
    bool pointer = node->kind == LW_NODE_POINTER;
    if (pointer && (node->integer < 1 || node->integer > 1024))
        return lw_error_at(calc->err, LW_ERROR_PARAMETER, node->position,
                           "an element has from 1 to 1024 bits, not %lld",
                           (long long)node->integer);
    cute->pointer = pointer ? (int)node->integer : 0;
    if (pointer)
        return true;
    if (!lw_calc_literal(calc->arena, node, &offset, calc->err))
        return false;
    cute->offset = offset.value;
    cute->fixed = offset.fixed;
    return (offset.value >= 0 && offset.value <= LW_CUTE_MAX) ||
           lw_error_at(calc->err, LW_ERROR_PARAMETER, node->position,
                       "offset %lld: must be from 0 to 2^62", (long long)offset.value);
}

bool lw_calc_swizzled(struct lw_calculation *calc, const struct lw_node *node,
                      struct lw_calc_result *value)
{
    const struct lw_node *after = node->items->next;
    struct lw_cute cute = {.composed = true, .fixed = !after->next};
    if (!lw_calc_swizzle(calc, node->items, &cute.swizzle) ||
        (after->next && !keep_offset(calc, after, &cute)))
        return false;
    bool layout = value->kind == LW_CALC_CUTE;
    if (!layout || value->as.cute.composed)
        return lw_error_at(calc->err, LW_ERROR_SHAPE, lw_node_last(node)->position,
                           "a swizzle must be followed by a layout such as (8,64):(64,1), not %s",
                           layout ? "another swizzle" : lw_calc_kind_name(value->kind));
    cute.layout = value->as.cute.layout;
    value->as.cute = cute;
    return true;
}

/* ---- Types ---- */

/* The one integer of Int<4>. */
static bool one_integer(struct lw_calculation *calc, struct lw_calc_result *value)
{
    struct lw_cute_tuple tuple = value->as.tuple;
    const struct lw_cute_tuple *item = &tuple.items[0];
    if (tuple.count != 1 || !lw_cute_is_integer(item) || item->axis)
        return lw_error_at(calc->err, LW_ERROR_SHAPE, tuple.position,
                           "an integer in CuTe is written Int<4>{} or _4");
    value->as.tuple = lw_cute_integer(item->value, true);
    value->as.tuple.position = tuple.position;
    return true;
}

static bool as_layout(struct lw_calculation *calc, struct lw_calc_result *value)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    struct lw_cute_tuple list = value->as.tuple;
    value->kind = LW_CALC_CUTE;
    if (lw_calc_make_layout(&work, &list, &value->as.cute))
        return true;
    if (calc->err->position.line == 0)
        calc->err->position = list.position;
    return false;
}

/* E<0,1>: one step along coordinate 1 of 0. */
static bool as_axis(struct lw_calculation *calc, struct lw_calc_result *value)
{
    struct lw_cute_tuple path = value->as.tuple;
    unsigned short axis = 0;
    for (int i = 0; i < path.count; i++) {
        const struct lw_cute_tuple *index = &path.items[i];
        int64_t at =
            lw_cute_is_integer(index) && index->value <= LW_CUTE_AXIS_MAX ? index->value : -1;
        if (!lw_cute_axis_inside(axis, (int)at, &axis))
            return lw_error_at(calc->err, LW_ERROR_PARAMETER, path.position,
                               "at most %d axes of coordinates, each from 0 to %d",
                               LW_CUTE_AXIS_DEPTH, LW_CUTE_AXIS_MAX);
    }
    value->as.tuple = lw_cute_integer(1, true);
    value->as.tuple.position = path.position;
    value->as.tuple.axis = axis;
    return true;
}

/* The types; one without a function makes the tuple of its items. */
static const struct type {
    const char *name;
    bool (*finish)(struct lw_calculation *calc, struct lw_calc_result *value);
} types[] = {
    {"Int", one_integer}, {"C", one_integer},    {"Shape", NULL}, {"Stride", NULL},
    {"Tile", NULL},       {"Coord", NULL},       {"Step", NULL},  {"tuple", NULL},
    {"E", as_axis},       {"Layout", as_layout},
};

static const struct type *find_type(const struct lw_node *name)
{
    for (size_t i = 0; name->angles && i < sizeof types / sizeof *types; i++)
        if (!strcmp(name->name, types[i].name))
            return &types[i];
    return NULL;
}

bool lw_calc_is_type(const struct lw_node *name)
{
    return find_type(name);
}

bool lw_calc_type(struct lw_calculation *calc, const struct lw_node *name,
                  const struct lw_cute_tuple *items, struct lw_calc_result *value)
{
    const struct type *type = find_type(name);
    value->kind = LW_CALC_TUPLE;
    value->as.tuple = *items;
    value->as.tuple.position = lw_position_join(name->name_position, name->angles->position);
    return !type->finish || type->finish(calc, value);
}

/* ---- Composed layouts ---- */

bool lw_calc_is_composed(const struct lw_node *name)
{
    return name->angles && !strcmp(lw_calc_last_word(name->name), "ComposedLayout");
}

/* The bits of smem_ptr_flag_bits<16>, or of smem_ptr_flag; 0: it is neither. */
static int flag_bits(const struct lw_node *node)
{
    const char *word = node->kind == LW_NODE_NAME ? lw_calc_last_word(node->name) : "";
    if (!strcmp(word, "smem_ptr_flag") && !node->angles)
        return 1;
    return !strcmp(word, "smem_ptr_flag_bits") && node->angles && node->angles->count == 1 &&
                   node->angles->items->kind == LW_NODE_INTEGER &&
                   node->angles->items->integer <= 1024
               ? (int)node->angles->items->integer
               : 0;
}

bool lw_calc_composed(struct lw_calculation *calc, const struct lw_node *name,
                      struct lw_calc_result *value)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    struct lw_calc_result inner, offset, outer;
    const struct lw_node *first = name->angles->items, *second = first ? first->next : NULL;
    if (name->angles->count != 3)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, name->angles->position,
                           "a composed layout has a swizzle, an offset and a layout in <...>");
    int bits = flag_bits(second);
    offset.kind = LW_CALC_TUPLE;
    offset.as.tuple = lw_cute_integer(0, true);
    if (!calc->evaluate(calc, first, &inner) || (!bits && !calc->evaluate(calc, second, &offset)) ||
        !calc->evaluate(calc, second->next, &outer))
        return false;
    if (offset.kind != LW_CALC_TUPLE)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, second->position,
                           "expected an offset such as _0, or smem_ptr_flag_bits<16>");
    if (lw_calc_compose(&work, &inner, &offset.as.tuple, bits, &outer, value))
        return true;
    calc->err->position = name->name_position;
    return false;
}
