/*
 * Trees of CuTe: their parts, their text, and arithmetic on integers, shapes and coordinates. Source: int_tuple.hpp,
 * stride.hpp, tuple_algorithms.hpp and arithmetic_tuple.hpp of CUTLASS 4; which results are static is that of
 * integral_constant.hpp.
 */

#include "encoding/cute/cute_parts.h"

#include <stdlib.h>

/* ---- Parts ---- */

struct lw_cute_tuple lw_cute_integer(int64_t value, bool fixed)
{
    return (struct lw_cute_tuple){.count = -1, .value = value, .fixed = fixed};
}

struct lw_cute_tuple lw_cute_blank(void)
{
    return (struct lw_cute_tuple){.count = -1, .leaf = LW_CUTE_BLANK};
}

struct lw_cute_tuple lw_cute_tuple_of(const struct lw_cute_tuple *items, int count)
{
    return (struct lw_cute_tuple){.count = count, .items = items};
}

bool lw_cute_is_integer(const struct lw_cute_tuple *tuple)
{
    return tuple->count < 0 && tuple->leaf == LW_CUTE_INTEGER;
}

bool lw_cute_is_blank(const struct lw_cute_tuple *tuple)
{
    return tuple->count < 0 && tuple->leaf == LW_CUTE_BLANK;
}

int lw_cute_rank(const struct lw_cute_tuple *tuple)
{
    return tuple->count < 0 ? 1 : tuple->count;
}

const struct lw_cute_tuple *lw_cute_item(const struct lw_cute_tuple *tuple, int i)
{
    return tuple->count < 0 ? tuple : &tuple->items[i];
}

int lw_cute_leaves(const struct lw_cute_tuple *tuple)
{
    int leaves = tuple->count < 0;
    for (int i = 0; i < tuple->count && leaves <= LW_CUTE_LEAVES_MAX; i++)
        leaves += lw_cute_leaves(&tuple->items[i]);
    return leaves;
}

int lw_cute_depth(const struct lw_cute_tuple *tuple)
{
    int depth = 0;
    for (int i = 0; i < tuple->count; i++) {
        int inner = lw_cute_depth(&tuple->items[i]);
        depth = inner > depth ? inner : depth;
    }
    return depth + (tuple->count >= 0);
}

int64_t lw_cute_product(const struct lw_cute_tuple *tuple)
{
    int64_t product = tuple->count < 0 ? tuple->value : 1;
    for (int i = 0; i < tuple->count; i++)
        if (__builtin_mul_overflow(product, lw_cute_product(&tuple->items[i]), &product))
            return INT64_MAX;
    return product;
}

bool lw_cute_all_fixed(const struct lw_cute_tuple *tuple)
{
    bool fixed = tuple->count >= 0 || tuple->fixed;
    for (int i = 0; i < tuple->count && fixed; i++)
        fixed = lw_cute_all_fixed(&tuple->items[i]);
    return fixed;
}

bool lw_cute_has_axes(const struct lw_cute_tuple *tuple)
{
    bool found = lw_cute_is_integer(tuple) && tuple->axis;
    for (int i = 0; i < tuple->count && !found; i++)
        found = lw_cute_has_axes(&tuple->items[i]);
    return found;
}

bool lw_cute_has_zero_along(const struct lw_cute_tuple *tuple)
{
    bool found = tuple->count < 0 && tuple->axis && !tuple->value;
    for (int i = 0; i < tuple->count && !found; i++)
        found = lw_cute_has_zero_along(&tuple->items[i]);
    return found;
}

bool lw_cute_has_blank(const struct lw_cute_tuple *tuple)
{
    bool found = lw_cute_is_blank(tuple);
    for (int i = 0; i < tuple->count && !found; i++)
        found = lw_cute_has_blank(&tuple->items[i]);
    return found;
}

bool lw_cute_tuple_equal(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b)
{
    bool equal = a->count == b->count;
    if (equal && a->count < 0)
        return a->leaf == b->leaf && a->value == b->value && a->axis == b->axis &&
               (a->leaf != LW_CUTE_LAYOUT || lw_cute_equal(a->layout, b->layout));
    for (int i = 0; i < a->count && equal; i++)
        equal = lw_cute_tuple_equal(&a->items[i], &b->items[i]);
    return equal;
}

static bool same_swizzle(const struct lw_cute_swizzle *s, const struct lw_cute_swizzle *t)
{
    return s->bits == t->bits && s->base == t->base && s->shift == t->shift;
}

bool lw_cute_equal(const struct lw_cute *a, const struct lw_cute *b)
{
    return lw_cute_tuple_equal(&a->layout.shape, &b->layout.shape) &&
           lw_cute_tuple_equal(&a->layout.stride, &b->layout.stride) && a->start == b->start &&
           a->composed == b->composed && !a->origin == !b->origin &&
           (!a->origin || lw_cute_tuple_equal(a->origin, b->origin)) &&
           (!a->composed || (same_swizzle(&a->swizzle, &b->swizzle) && a->offset == b->offset &&
                             a->pointer == b->pointer));
}

/* ---- Text ---- */

/* The index of an axis on a level, the outermost is 0; -1: it has fewer levels. */
static int axis_at(unsigned axis, int level)
{
    return (int)(axis >> (4 * level) & 15) - 1;
}

static int axis_depth(unsigned axis)
{
    int depth = 0;
    while (depth < LW_CUTE_AXIS_DEPTH && axis_at(axis, depth) >= 0)
        depth++;
    return depth;
}

bool lw_cute_axis_inside(unsigned axis, int index, unsigned short *inner)
{
    int depth = axis_depth(axis);
    *inner = (unsigned short)(axis | (unsigned)(index + 1) << (4 * depth));
    return depth < LW_CUTE_AXIS_DEPTH && index >= 0 && index <= LW_CUTE_AXIS_MAX;
}

int lw_cute_axis_first(unsigned axis, bool *only)
{
    *only = axis_depth(axis) == 1;
    return axis_at(axis, 0);
}

/* Prints a leaf that is no layout. */
static void print_leaf(struct lw_text *text, const struct lw_cute_tuple *leaf, bool json)
{
    const char *quote = json ? "\"" : "";
    if (leaf->leaf == LW_CUTE_BLANK) {
        lw_text_add(text, json ? "null" : "_");
    } else if (leaf->leaf == LW_CUTE_ORDER) {
        lw_text_format(text, "%s%s%s", quote, leaf->value ? "LayoutRight" : "LayoutLeft", quote);
    } else {
        lw_text_add(text, leaf->axis ? quote : "");
        lw_text_format(text, "%s%lld", leaf->fixed && !json ? "_" : "", (long long)leaf->value);
        for (int i = axis_depth(leaf->axis); i > 0; i--) /* 1@1@0, the innermost first */
            lw_text_format(text, "@%d", axis_at(leaf->axis, i - 1));
        lw_text_add(text, leaf->axis ? quote : "");
    }
}

void lw_cute_tree_print(struct lw_text *text, const struct lw_cute_tuple *tree, bool json)
{
    if (tree->count < 0 && tree->leaf == LW_CUTE_LAYOUT) {
        lw_text_add(text, json ? "\"" : "");
        lw_cute_print(text, tree->layout);
        lw_text_add(text, json ? "\"" : "");
    } else if (tree->count < 0) {
        print_leaf(text, tree, json);
    } else {
        lw_text_char(text, json ? '[' : '(');
        for (int i = 0; i < tree->count && !lw_text_full(text); i++) {
            lw_text_add(text, i ? "," : "");
            lw_cute_tree_print(text, &tree->items[i], json);
        }
        lw_text_char(text, json ? ']' : ')');
    }
}

void lw_cute_tuple_print(struct lw_text *text, const struct lw_cute_tuple *tuple)
{
    lw_cute_tree_print(text, tuple, false);
}

void lw_cute_layout_print(struct lw_text *text, const struct lw_cute_layout *layout)
{
    lw_cute_tuple_print(text, &layout->shape);
    lw_text_char(text, ':');
    lw_cute_tuple_print(text, &layout->stride);
}

void lw_cute_print(struct lw_text *text, const struct lw_cute *cute)
{
    lw_text_add(text, cute->tile ? "thread_value(" : "");
    if (cute->tensor) {
        lw_text_add(text, "ArithTuple");
        lw_cute_tuple_print(text, cute->origin);
        lw_text_add(text, " o ");
    }
    if (cute->composed) {
        lw_text_format(text, "Sw<%d,%d,%d> o ", cute->swizzle.bits, cute->swizzle.base,
                       cute->swizzle.shift);
        if (cute->pointer)
            lw_text_format(text, "smem_ptr[%db](unset) o ", cute->pointer);
        else
            lw_text_format(text, "%s%lld o ", cute->fixed ? "_" : "", (long long)cute->offset);
    }
    lw_cute_layout_print(text, &cute->layout);
    if (cute->tile) {
        lw_text_add(text, ", ");
        lw_cute_tuple_print(text, cute->tile);
        lw_text_char(text, ')');
    }
}

/* ---- Making ---- */

bool lw_cute_memory(struct lw_cute_work *work)
{
    return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
}

bool lw_cute_too_large(struct lw_cute_work *work, const char *what)
{
    return lw_error_set(work->err, LW_ERROR_LIMIT, "%s is over 2^62", what);
}

struct lw_cute_tuple *lw_cute_new_items(struct lw_cute_work *work, int count,
                                        struct lw_cute_tuple *out)
{
    struct lw_cute_tuple *items = lw_arena_alloc(work->arena, ((size_t)count + 1) * sizeof *items);
    if (!items)
        lw_cute_memory(work);
    *out = lw_cute_tuple_of(items, items ? count : 0);
    return items;
}

bool lw_cute_each_leaf(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                       lw_cute_leaf_function *function, const void *context,
                       struct lw_cute_tuple *out)
{
    struct lw_cute_tuple made;
    if (a->count < 0)
        return function(work, a, context, out);
    struct lw_cute_tuple *items = lw_cute_new_items(work, a->count, &made);
    if (!items)
        return false;
    for (int i = 0; i < a->count; i++)
        if (!lw_cute_each_leaf(work, &a->items[i], function, context, &items[i]))
            return false;
    made.position = a->position;
    *out = made;
    return true;
}

static bool set_leaf_fixed(struct lw_cute_work *work, const struct lw_cute_tuple *leaf,
                           const void *fixed, struct lw_cute_tuple *out)
{
    *out = *leaf;
    if (leaf->leaf == LW_CUTE_INTEGER)
        out->fixed = *(const bool *)fixed;
    if (leaf->leaf != LW_CUTE_LAYOUT)
        return true;
    struct lw_cute *layout = lw_arena_alloc(work->arena, sizeof *layout);
    if (!layout)
        return lw_cute_memory(work);
    *layout = *leaf->layout;
    out->layout = layout;
    return lw_cute_set_fixed(work, &leaf->layout->layout, *(const bool *)fixed, &layout->layout);
}

bool lw_cute_set_tuple_fixed(struct lw_cute_work *work, const struct lw_cute_tuple *tuple,
                             bool fixed, struct lw_cute_tuple *out)
{
    return lw_cute_each_leaf(work, tuple, set_leaf_fixed, &fixed, out);
}

bool lw_cute_set_fixed(struct lw_cute_work *work, const struct lw_cute_layout *layout, bool fixed,
                       struct lw_cute_layout *out)
{
    struct lw_cute_tuple shape, stride;
    if (!lw_cute_set_tuple_fixed(work, &layout->shape, fixed, &shape) ||
        !lw_cute_set_tuple_fixed(work, &layout->stride, fixed, &stride))
        return false;
    *out = (struct lw_cute_layout){shape, stride};
    return true;
}

/* ---- Axes ---- */

/* Before, after, or 0 where the axes are equal or one is inside the other. */
static int compare(unsigned a, unsigned b)
{
    int order = 0;
    for (; a && b && !order; a >>= 4, b >>= 4)
        order = (int)(a & 15) - (int)(b & 15);
    return order;
}

/* Adds an axis in the order of the shape, unless it is there. */
bool lw_cute_add_axis(struct lw_cute_work *work, unsigned short axis, struct lw_position position,
                      struct lw_cute_axes *axes)
{
    int to = axes->count;
    for (int i = 0; i < axes->count; i++) {
        if (axes->axis[i] == axis)
            return true;
        if (compare(axes->axis[i], axis) == 0)
            return lw_error_at(work->err, LW_ERROR_SHAPE, position,
                               "strides along two axes, of which one is inside the other");
    }
    if (to == LW_CUTE_AXES_MAX)
        return lw_error_at(work->err, LW_ERROR_LIMIT, position,
                           "a coordinate may have at most %d numbers", LW_CUTE_AXES_MAX);
    for (; to > 0 && compare(axes->axis[to - 1], axis) > 0; to--)
        axes->axis[to] = axes->axis[to - 1];
    axes->axis[to] = axis;
    axes->count++;
    return true;
}

bool lw_cute_axes_of(struct lw_cute_work *work, const struct lw_cute_tuple *stride,
                     struct lw_cute_axes *axes)
{
    for (int i = 0; i < stride->count; i++)
        if (!lw_cute_axes_of(work, &stride->items[i], axes))
            return false;
    return stride->count >= 0 || !stride->axis ||
           lw_cute_add_axis(work, stride->axis, stride->position, axes);
}

/* ---- Items ---- */

static void put_leaves(const struct lw_cute_tuple *a, struct lw_cute_tuple *items, int *count)
{
    for (int i = 0; i < a->count; i++)
        put_leaves(&a->items[i], items, count);
    if (a->count < 0)
        items[(*count)++] = *a;
}

bool lw_cute_flatten_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                           struct lw_cute_tuple *out)
{
    int leaves = lw_cute_leaves(a), count = 0;
    struct lw_cute_tuple made;
    if (leaves > LW_CUTE_LEAVES_MAX)
        return lw_error_set(work->err, LW_ERROR_LIMIT, "over %d integers", LW_CUTE_LEAVES_MAX);
    struct lw_cute_tuple *items = lw_cute_new_items(work, leaves, &made);
    if (!items)
        return false;
    put_leaves(a, items, &count);
    *out = a->count < 0 ? *a : made;
    return true;
}

bool lw_cute_group_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a, int64_t begin,
                         int64_t end, struct lw_cute_tuple *out)
{
    int rank = lw_cute_rank(a), count = 0;
    struct lw_cute_tuple made;
    if (begin < 0 || begin >= end || end > rank)
        return lw_error_set(work->err, LW_ERROR_PARAMETER,
                            "group: items %lld up to %lld: there are items 0 to %d",
                            (long long)begin, (long long)end, rank - 1);
    struct lw_cute_tuple *items = lw_cute_new_items(work, rank - (int)(end - begin) + 1, &made);
    for (int i = 0; items && i < rank; i++)
        if (i <= begin || i >= end)
            items[count++] = i == begin ? lw_cute_tuple_of(lw_cute_item(a, i), (int)(end - begin))
                                        : *lw_cute_item(a, i);
    *out = made;
    return items;
}

bool lw_cute_select_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                          const struct lw_cute_tuple *numbers, struct lw_cute_tuple *out)
{
    int count = lw_cute_rank(numbers), rank = lw_cute_rank(a);
    struct lw_cute_tuple made, *items = lw_cute_new_items(work, count, &made);
    for (int i = 0; items && i < count; i++) {
        const struct lw_cute_tuple *number = lw_cute_item(numbers, i);
        if (!lw_cute_is_integer(number))
            return lw_error_at(work->err, LW_ERROR_PARAMETER, number->position,
                               "select: the numbers of items, not tuples of them");
        if (number->value < 0 || number->value >= rank)
            return lw_error_at(work->err, LW_ERROR_PARAMETER, number->position,
                               "select: no item %lld: must be from 0 to %d",
                               (long long)number->value, rank - 1);
        items[i] = *lw_cute_item(a, (int)number->value);
    }
    *out = made;
    return items;
}

bool lw_cute_append_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                          const struct lw_cute_tuple *item, bool front, struct lw_cute_tuple *out)
{
    int rank = lw_cute_rank(a);
    struct lw_cute_tuple made, *items = lw_cute_new_items(work, rank + 1, &made);
    if (!items)
        return false;
    for (int i = 0; i < rank; i++)
        items[i + front] = *lw_cute_item(a, i);
    items[front ? 0 : rank] = *item;
    *out = made;
    return true;
}

/* Appends the parts at which a coordinate has a blank, or those at which it has none. */
static bool pick(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                 const struct lw_cute_tuple *a, bool blanks, struct lw_cute_tuple *items,
                 int *count)
{
    if (coordinate->count < 0) {
        if (lw_cute_is_blank(coordinate) == blanks)
            items[(*count)++] = *a;
        return true;
    }
    if (lw_cute_rank(a) != coordinate->count)
        return lw_error_at(work->err, LW_ERROR_SHAPE, coordinate->position,
                           "a coordinate of %d modes in a tuple of %d", coordinate->count,
                           lw_cute_rank(a));
    for (int i = 0; i < coordinate->count; i++)
        if (!pick(work, &coordinate->items[i], lw_cute_item(a, i), blanks, items, count))
            return false;
    return true;
}

bool lw_cute_pick(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                  const struct lw_cute_tuple *a, bool blanks, struct lw_cute_tuple *out)
{
    int count = 0;
    struct lw_cute_tuple made;
    struct lw_cute_tuple *items = lw_cute_new_items(work, lw_cute_leaves(coordinate), &made);
    if (!items || !pick(work, coordinate, a, blanks, items, &count))
        return false;
    if (count == 0)
        return lw_error_at(work->err, LW_ERROR_SHAPE, coordinate->position,
                           "no mode is left: CuTe gives the empty tuple ()");
    *out = coordinate->count < 0 ? items[0] : lw_cute_tuple_of(items, count);
    return true;
}

/* ---- Integers ---- */

static bool is_zero(const struct lw_cute_tuple *a)
{
    return a->fixed && a->value == 0;
}

/* Fails: a tuple where an integer is needed, or ranks that differ. */
static bool mismatch(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                     const struct lw_cute_tuple *b)
{
    if (lw_cute_rank(a) == lw_cute_rank(b))
        return lw_error_at(work->err, LW_ERROR_SHAPE, b->position,
                           "a tuple against an integer: CuTe needs one profile on both sides");
    return lw_error_at(work->err, LW_ERROR_SHAPE, b->position,
                       "%d items against %d: CuTe needs as many on both sides", lw_cute_rank(a),
                       lw_cute_rank(b));
}

bool lw_cute_as_coordinate(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                           struct lw_cute_tuple *out)
{
    unsigned axis = a->count < 0 ? a->axis : 0;
    *out = *a;
    if (axis)
        *out = lw_cute_integer(a->value, a->fixed);
    for (int level = axis_depth(axis) - 1; level >= 0; level--) {
        struct lw_cute_tuple made, inner = *out;
        int count = axis_at(axis, level);
        struct lw_cute_tuple *items = lw_cute_new_items(work, count + 1, &made);
        if (!items)
            return false;
        for (int i = 0; i < count; i++)
            items[i] = lw_cute_integer(0, true);
        items[count] = inner;
        *out = made;
    }
    return true;
}

/* The sum of two coordinates: what one of them lacks is 0. */
static bool add_coordinates(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                            const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple x, y, made;
    if (!lw_cute_as_coordinate(work, a, &x) || !lw_cute_as_coordinate(work, b, &y))
        return false;
    if (x.count < 0 || y.count < 0)
        return lw_error_at(work->err, LW_ERROR_SHAPE, b->position,
                           "an integer and a coordinate of several have no sum");
    int rank = x.count > y.count ? x.count : y.count;
    struct lw_cute_tuple *items = lw_cute_new_items(work, rank, &made);
    for (int i = 0; items && i < rank; i++) {
        items[i] = i < x.count ? x.items[i] : y.items[i];
        if (i < x.count && i < y.count && !lw_cute_plus(work, &x.items[i], &y.items[i], &items[i]))
            return false;
    }
    *out = made;
    return items;
}

bool lw_cute_plus(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                  const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    const bool a_is_integer = a->count < 0 && !a->axis, b_is_integer = b->count < 0 && !b->axis;
    if (!a_is_integer || !b_is_integer) {
        if ((a_is_integer && a->value == 0) || (b_is_integer && b->value == 0)) {
            *out = a_is_integer ? *b : *a;
            return true;
        }
        return add_coordinates(work, a, b, out);
    }
    struct lw_cute_tuple sum = lw_cute_integer(0, a->fixed && b->fixed);
    if (__builtin_add_overflow(a->value, b->value, &sum.value) || sum.value > LW_CUTE_MAX ||
        sum.value < -LW_CUTE_MAX)
        return lw_cute_too_large(work, "a sum");
    *out = sum;
    return true;
}

bool lw_cute_times(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                   const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple product =
        lw_cute_integer(0, (a->fixed && b->fixed) || is_zero(a) || is_zero(b));
    if (__builtin_mul_overflow(a->value, b->value, &product.value) || product.value > LW_CUTE_MAX ||
        product.value < -LW_CUTE_MAX)
        return lw_cute_too_large(work, "a product");
    product.axis = a->axis ? a->axis : b->axis;
    *out = product;
    return true;
}

static bool need_divisor(struct lw_cute_work *work, const struct lw_cute_tuple *b)
{
    return b->value != 0 ||
           lw_error_at(work->err, LW_ERROR_PARAMETER, b->position, "a division by 0");
}

bool lw_cute_divided(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                     const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    if (!need_divisor(work, b))
        return false;
    *out = lw_cute_integer(a->value / b->value, (a->fixed && b->fixed) || is_zero(a));
    return true;
}

bool lw_cute_modulo(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                    const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    if (!need_divisor(work, b))
        return false;
    bool one = b->fixed && (b->value == 1 || b->value == -1);
    *out = lw_cute_integer(a->value % b->value, (a->fixed && b->fixed) || is_zero(a) || one);
    return true;
}

bool lw_cute_divided_up(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                        const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    bool rounds = a->value > 0 && b->value > 0; /* else as in C++: (a + b - 1) / b */
    struct lw_cute_tuple sum = lw_cute_integer(a->value - 1, a->fixed && b->fixed);
    if ((!rounds && !lw_cute_plus(work, &sum, b, &sum)) || !lw_cute_divided(work, &sum, b, out))
        return false;
    out->value += rounds;
    return true;
}

/* ---- Profiles ---- */

bool lw_cute_congruent(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b)
{
    bool same = (a->count < 0 && b->count < 0) || a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = lw_cute_congruent(&a->items[i], &b->items[i]);
    return same;
}

bool lw_cute_weakly_congruent(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b)
{
    bool same = a->count < 0 || a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = lw_cute_weakly_congruent(&a->items[i], &b->items[i]);
    return same;
}

bool lw_cute_compatible(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b)
{
    bool same = a->count < 0 ? a->value == lw_cute_product(b) : a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = lw_cute_compatible(&a->items[i], &b->items[i]);
    return same;
}

static bool same_rank(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                      const struct lw_cute_tuple *b)
{
    return (b->count >= 0 && a->count == b->count) || mismatch(work, a, b);
}

/* ---- Products and quotients ---- */

bool lw_cute_product_of(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                        struct lw_cute_tuple *out)
{
    struct lw_cute_tuple product = lw_cute_integer(1, true), item;
    if (a->count < 0) {
        *out = lw_cute_integer(a->value, a->fixed);
        return true;
    }
    for (int i = 0; i < a->count; i++) {
        if (!lw_cute_product_of(work, &a->items[i], &item))
            return false;
        if (i == 0)
            product = item;
        else if (!lw_cute_times(work, &product, &item, &product))
            return false;
    }
    *out = product;
    return true;
}

bool lw_cute_product_each(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                          struct lw_cute_tuple *out)
{
    int rank = lw_cute_rank(a);
    struct lw_cute_tuple made, *items = lw_cute_new_items(work, rank, &made);
    for (int i = 0; items && i < rank; i++)
        if (!lw_cute_product_of(work, lw_cute_item(a, i), &items[i]))
            return false;
    *out = made;
    return items;
}

/* Whether one of two integers divides the other, or the rules do not check it. */
static bool divides(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                    const struct lw_cute_tuple *b)
{
    if (!need_divisor(work, b))
        return false;
    if (a->value % b->value == 0 || (a->value && b->value % a->value == 0) ||
        (work->rules == LW_CUTE_UNCHECKED && !(a->fixed && b->fixed)))
        return true;
    return lw_error_at(work->err, LW_ERROR_SHAPE, b->position,
                       "shape_div: %lld and %lld: one must divide the other%s", (long long)a->value,
                       (long long)b->value,
                       a->fixed && b->fixed ? "" : "; CuTe rounds up where one is not static");
}

/* A tuple is divided by an integer from the left on: each item by the part of the divisor that is left. */
static bool divide_trees(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                         const struct lw_cute_tuple *b, bool exact, struct lw_cute_tuple *out)
{
    const struct lw_cute_tuple one = lw_cute_integer(1, true);
    struct lw_cute_tuple rest = *b, made;
    if (a->count < 0)
        return lw_cute_product_of(work, b, &rest) && (!exact || divides(work, a, &rest)) &&
               lw_cute_divided_up(work, a, &rest, out);
    if (b->count >= 0 && (b->count > a->count || (exact && b->count != a->count)))
        return mismatch(work, a, b);
    struct lw_cute_tuple *items = lw_cute_new_items(work, a->count, &made);
    for (int i = 0; items && i < a->count; i++) {
        const struct lw_cute_tuple *by = b->count < 0 ? &rest : i < b->count ? &b->items[i] : &one;
        if (!divide_trees(work, &a->items[i], by, exact, &items[i]) ||
            (b->count < 0 && !divide_trees(work, &rest, &a->items[i], exact, &rest)))
            return false;
    }
    *out = made;
    return items;
}

bool lw_cute_ceil_div(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                      const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    return divide_trees(work, a, b, false, out);
}

bool lw_cute_shape_div(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                       const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    return divide_trees(work, a, b, true, out);
}

/* ---- Coordinates to indices ---- */

/* The index of a number, or of a tuple of coordinates, in modes with strides. */
static bool sum_of_modes(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                         const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                         struct lw_cute_tuple *out)
{
    struct lw_cute_tuple left = *coordinate, at, size, index, sum = lw_cute_integer(0, true);
    bool number = coordinate->count < 0;
    if (!number && !same_rank(work, coordinate, shape))
        return false;
    for (int i = 0; i < shape->count; i++) {
        at = number ? lw_cute_integer(left.value, left.fixed) : coordinate->items[i];
        if (number && i < shape->count - 1 && !is_zero(&left) &&
            (!lw_cute_product_of(work, &shape->items[i], &size) ||
             !lw_cute_modulo(work, &left, &size, &at) ||
             !lw_cute_divided(work, &left, &size, &left)))
            return false;
        if (!lw_cute_crd2idx(work, &at, &shape->items[i], &stride->items[i], &index))
            return false;
        if (i == 0)
            sum = index;
        else if (!lw_cute_plus(work, &sum, &index, &sum))
            return false;
    }
    *out = sum;
    return shape->count > 0 || mismatch(work, coordinate, shape);
}

/* The sizes of a shape, with the profile of a coordinate. (product_like) */
static bool product_like(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                         const struct lw_cute_tuple *shape, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple made, *items;
    if (coordinate->count < 0)
        return lw_cute_product_of(work, shape, out);
    if (!same_rank(work, coordinate, shape) ||
        !(items = lw_cute_new_items(work, coordinate->count, &made)))
        return false;
    for (int i = 0; i < coordinate->count; i++)
        if (!product_like(work, &coordinate->items[i], &shape->items[i], &items[i]))
            return false;
    *out = made;
    return true;
}

/* The number of a coordinate in a shape: i0 + s0 (i1 + s1 (...)). */
static bool horner(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                   const struct lw_cute_tuple *shape, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple flat, sizes, sum;
    if (!same_rank(work, coordinate, shape) || !product_like(work, coordinate, shape, &sizes) ||
        !lw_cute_flatten_tuple(work, coordinate, &flat) ||
        !lw_cute_flatten_tuple(work, &sizes, &sizes) || flat.count == 0)
        return false;
    sum = lw_cute_integer(flat.items[flat.count - 1].value, flat.items[flat.count - 1].fixed);
    for (int i = flat.count - 2; i >= 0; i--)
        if (!lw_cute_times(work, &sizes.items[i], &sum, &sum) ||
            !lw_cute_plus(work, &flat.items[i], &sum, &sum))
            return false;
    *out = sum;
    return true;
}

bool lw_cute_crd2idx(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                     const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                     struct lw_cute_tuple *out)
{
    if (stride && !lw_cute_congruent(shape, stride))
        return mismatch(work, shape, stride);
    if (stride && lw_cute_is_blank(coordinate)) {
        *out = lw_cute_integer(0, true);
        return true;
    }
    if (stride && shape->count < 0 && coordinate->count == 1) /* (5) where there is no tuple */
        return lw_cute_crd2idx(work, &coordinate->items[0], shape, stride, out);
    if (stride && shape->count < 0)
        return coordinate->count < 0 ? lw_cute_times(work, coordinate, stride, out)
                                     : mismatch(work, coordinate, shape);
    if (stride)
        return sum_of_modes(work, coordinate, shape, stride, out);
    if (coordinate->count >= 0)
        return horner(work, coordinate, shape, out);
    *out = lw_cute_integer(coordinate->value, coordinate->fixed);
    return true;
}

/* ---- Indices to coordinates ---- */

/* Splits number *left into the coordinate in a shape, and sets *left to the quotient. The last mode of all has no
 * bound. */
static bool split(struct lw_cute_work *work, struct lw_cute_tuple *left,
                  const struct lw_cute_tuple *shape, bool last, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple made, size, own = *left;
    if (!last && !is_zero(left) &&
        (!lw_cute_product_of(work, shape, &size) || !lw_cute_modulo(work, left, &size, &own) ||
         !lw_cute_divided(work, left, &size, left)))
        return false;
    if (shape->count < 0) {
        *out = own;
        return true;
    }
    struct lw_cute_tuple *items = lw_cute_new_items(work, shape->count, &made);
    for (int i = 0; items && i < shape->count; i++)
        if (!split(work, &own, &shape->items[i], i == shape->count - 1, &items[i]))
            return false;
    *out = made;
    return items;
}

/* Coordinates of items, each made by a function; a number is the item of each. */
static bool each_item(struct lw_cute_work *work, const struct lw_cute_tuple *at,
                      const struct lw_cute_tuple *shape, const struct lw_cute_tuple *by,
                      lw_cute_in_shape *function, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple made, *items = lw_cute_new_items(work, shape->count, &made);
    for (int i = 0; items && i < shape->count; i++)
        if (!function(work, at->count < 0 ? at : &at->items[i], &shape->items[i],
                      by ? &by->items[i] : NULL, &items[i]))
            return false;
    *out = made;
    return items;
}

static lw_cute_in_shape with_stride;

/* One stride for a whole shape: that of its first mode, and each next one is the product of those before. */
static bool with_first_stride(struct lw_cute_work *work, const struct lw_cute_tuple *index,
                              const struct lw_cute_tuple *shape, struct lw_cute_tuple stride,
                              struct lw_cute_tuple *out)
{
    struct lw_cute_tuple made, size, *items = lw_cute_new_items(work, shape->count, &made);
    for (int i = 0; items && i < shape->count; i++)
        if (!with_stride(work, index, &shape->items[i], &stride, &items[i]) ||
            (i + 1 < shape->count && (!lw_cute_product_of(work, &shape->items[i], &size) ||
                                      !lw_cute_times(work, &size, &stride, &stride))))
            return false;
    *out = made;
    return items;
}

static bool with_stride(struct lw_cute_work *work, const struct lw_cute_tuple *index,
                        const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                        struct lw_cute_tuple *out)
{
    struct lw_cute_tuple quotient;
    if (shape->count >= 0 && stride->count < 0 && index->count < 0)
        return with_first_stride(work, index, shape, *stride, out);
    if (shape->count >= 0)
        return same_rank(work, shape, stride) &&
               (index->count < 0 || same_rank(work, index, shape)) &&
               each_item(work, index, shape, stride, with_stride, out);
    if (index->count >= 0 || stride->count >= 0)
        return mismatch(work, index->count >= 0 ? index : stride, shape);
    *out = lw_cute_integer(0, true);
    return (shape->fixed && shape->value == 1) ||
           (lw_cute_divided(work, index, stride, &quotient) &&
            lw_cute_modulo(work, &quotient, shape, out));
}

bool lw_cute_idx2crd(struct lw_cute_work *work, const struct lw_cute_tuple *index,
                     const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                     struct lw_cute_tuple *out)
{
    struct lw_cute_tuple left = lw_cute_integer(index->value, index->fixed);
    if (stride)
        return with_stride(work, index, shape, stride, out);
    if (index->count < 0)
        return split(work, &left, shape, true, out);
    return same_rank(work, index, shape) &&
           each_item(work, index, shape, NULL, lw_cute_idx2crd, out);
}

bool lw_cute_crd2crd(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                     const struct lw_cute_tuple *from, const struct lw_cute_tuple *to,
                     struct lw_cute_tuple *out)
{
    struct lw_cute_tuple index;
    if (coordinate->count < 0 || from->count < 0 || to->count < 0)
        return lw_cute_crd2idx(work, coordinate, from, NULL, &index) &&
               lw_cute_idx2crd(work, &index, to, NULL, out);
    return same_rank(work, coordinate, from) && same_rank(work, coordinate, to) &&
           each_item(work, coordinate, from, to, lw_cute_crd2crd, out);
}
