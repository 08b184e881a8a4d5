/*
 * Layouts of CuTe: making them, their sizes and offsets, the parts at a coordinate, their modes and orders. Source:
 * layout.hpp and stride.hpp of CUTLASS 4.
 *
 * Invariant: shape and stride have one profile, sizes are at least 1, and the size, the cosize and every number
 * without its sign are at most LW_CUTE_MAX. Either all strides other than 0 are along axes, or none is.
 */

#include "encoding/cute/cute_parts.h"

#include "core/divide.h"
#include "core/unused.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Making ---- */

static bool check_leaf(struct lw_cute_work *work, const struct lw_cute_tuple *size,
                       const struct lw_cute_tuple *stride, bool axes)
{
    if (size->value < 1 || size->value > LW_CUTE_MAX)
        return lw_error_at(work->err, LW_ERROR_PARAMETER, size->position,
                           "size %lld: each size must be from 1 to 2^62", (long long)size->value);
    if (stride->value < -LW_CUTE_MAX || stride->value > LW_CUTE_MAX)
        return lw_error_at(work->err, LW_ERROR_PARAMETER, stride->position,
                           "stride %lld: each stride must be from -2^62 to 2^62",
                           (long long)stride->value);
    return !axes || stride->axis || !stride->value ||
           lw_error_at(work->err, LW_ERROR_SHAPE, stride->position,
                       "stride %lld among strides of coordinates: must be 0, or such as %lld@0",
                       (long long)stride->value, (long long)stride->value);
}

static bool check_tree(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                       const struct lw_cute_tuple *stride, bool axes, int depth)
{
    if (shape->count != stride->count)
        return lw_error_at(
            work->err, LW_ERROR_SHAPE, stride->position,
            "shape and stride must have one profile: as many integers, nested alike");
    if (depth > LW_CUTE_DEPTH_MAX)
        return lw_error_at(work->err, LW_ERROR_LIMIT, shape->position,
                           "nested too deeply: at most %d levels", LW_CUTE_DEPTH_MAX);
    if (shape->count < 0)
        return check_leaf(work, shape, stride, axes);
    for (int i = 0; i < shape->count; i++)
        if (!check_tree(work, &shape->items[i], &stride->items[i], axes, depth + 1))
            return false;
    return shape->count > 0 || lw_error_at(work->err, LW_ERROR_SHAPE, shape->position,
                                           "(): a mode without sizes maps nothing");
}

/* The last offset, where a negative stride counts as positive; false when it is over LW_CUTE_MAX. */
static bool last_offset(const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                        int64_t *last)
{
    int64_t step = 0;
    if (shape->count < 0)
        return !__builtin_mul_overflow(shape->value - 1, llabs(stride->value), &step) &&
               !__builtin_add_overflow(*last, step, last) && *last < LW_CUTE_MAX;
    for (int i = 0; i < shape->count; i++)
        if (!last_offset(&shape->items[i], &stride->items[i], last))
            return false;
    return true;
}

bool lw_cute_make(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                  const struct lw_cute_tuple *stride, struct lw_cute_layout *out)
{
    struct lw_cute_axes axes = {0};
    int64_t last = 0;
    if (!check_tree(work, shape, stride, lw_cute_has_axes(stride), 0) ||
        !lw_cute_axes_of(work, stride, &axes))
        return false;
    if (lw_cute_leaves(shape) > LW_CUTE_LEAVES_MAX)
        return lw_error_at(work->err, LW_ERROR_LIMIT, shape->position,
                           "a layout has at most %d integers", LW_CUTE_LEAVES_MAX);
    if (lw_cute_product(shape) > LW_CUTE_MAX)
        return lw_error_at(work->err, LW_ERROR_LIMIT, shape->position,
                           "the size of the layout is over 2^62");
    if (!last_offset(shape, stride, &last))
        return lw_error_at(work->err, LW_ERROR_LIMIT, stride->position,
                           "the last offset of the layout is over 2^62");
    *out = (struct lw_cute_layout){*shape, *stride};
    return true;
}

/* Fills strides over a shape, from the left or from the right; *step is that of the next
 * integer. */
static bool compact(struct lw_cute_work *work, const struct lw_cute_tuple *shape, bool right,
                    int64_t *step, bool *fixed, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple made;
    if (shape->count < 0) {
        bool one = shape->fixed && shape->value == 1;
        *out = *shape;
        out->value = one ? 0 : *step;
        out->fixed = one || *fixed;
        *fixed = *fixed && shape->fixed;
        return !__builtin_mul_overflow(*step, shape->value, step) ||
               lw_cute_too_large(work, "the size of the layout");
    }
    struct lw_cute_tuple *items = lw_cute_new_items(work, shape->count, &made);
    for (int i = 0; items && i < shape->count; i++) {
        int at = right ? shape->count - 1 - i : i;
        if (!compact(work, &shape->items[at], right, step, fixed, &items[at]))
            return false;
    }
    made.position = shape->position;
    *out = made;
    return items;
}

bool lw_cute_compact(struct lw_cute_work *work, const struct lw_cute_tuple *shape, bool right,
                     struct lw_cute_layout *out)
{
    struct lw_cute_tuple stride;
    int64_t step = 1;
    bool fixed = true;
    if (lw_cute_depth(shape) > LW_CUTE_DEPTH_MAX || lw_cute_leaves(shape) > LW_CUTE_LEAVES_MAX)
        return lw_cute_make(work, shape, shape, out);
    return compact(work, shape, right, &step, &fixed, &stride) &&
           lw_cute_make(work, shape, &stride, out);
}

struct lw_cute_layout lw_cute_leaf(int64_t size, int64_t stride, bool fixed)
{
    return (struct lw_cute_layout){lw_cute_integer(size, fixed), lw_cute_integer(stride, fixed)};
}

struct lw_cute_layout *lw_cute_new_layouts(struct lw_cute_work *work, int count)
{
    struct lw_cute_layout *layouts =
        lw_arena_alloc(work->arena, ((size_t)count + 1) * sizeof *layouts);
    if (!layouts)
        lw_cute_memory(work);
    return layouts;
}

bool lw_cute_join(struct lw_cute_work *work, const struct lw_cute_layout *layouts, int count,
                  struct lw_cute_layout *out)
{
    struct lw_cute_tuple shape, stride;
    struct lw_cute_tuple *shapes = lw_cute_new_items(work, count, &shape);
    struct lw_cute_tuple *strides = shapes ? lw_cute_new_items(work, count, &stride) : NULL;
    for (int i = 0; strides && i < count; i++) {
        shapes[i] = layouts[i].shape;
        strides[i] = layouts[i].stride;
    }
    return strides && lw_cute_make(work, &shape, &stride, out);
}

bool lw_cute_pair(struct lw_cute_work *work, struct lw_cute_layout first,
                  struct lw_cute_layout second, struct lw_cute_layout *out)
{
    const struct lw_cute_layout both[2] = {first, second};
    return lw_cute_join(work, both, 2, out);
}

struct lw_cute_layout lw_cute_mode(const struct lw_cute_layout *layout, int i)
{
    return (struct lw_cute_layout){*lw_cute_item(&layout->shape, i),
                                   *lw_cute_item(&layout->stride, i)};
}

bool lw_cute_each_mode(struct lw_cute_work *work, const struct lw_cute_layout *a, int count,
                       lw_cute_mode_function *function, void *context, struct lw_cute_layout *out)
{
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, count);
    for (int i = 0; modes && i < count; i++) {
        const struct lw_cute_layout mode = lw_cute_mode(a, i);
        modes[i] = mode;
        if (!function(work, &mode, i, context, &modes[i]))
            return false;
    }
    return modes && lw_cute_join(work, modes, count, out);
}

bool lw_cute_is_fixed(const struct lw_cute_layout *layout)
{
    return lw_cute_all_fixed(&layout->shape) && lw_cute_all_fixed(&layout->stride);
}

static bool copy_leaf(struct lw_cute_work *work, const struct lw_cute_tuple *leaf, const void *none,
                      struct lw_cute_tuple *out)
{
    (void)work, (void)none;
    *out = *leaf;
    return true;
}

/* A copy of a tree, which may be NULL. */
static bool copy_tree(struct lw_cute_work *work, const struct lw_cute_tuple *tree,
                      const struct lw_cute_tuple **out)
{
    struct lw_cute_tuple *copy = tree ? lw_arena_alloc(work->arena, sizeof *copy) : NULL;
    *out = copy;
    return !tree || (copy && lw_cute_each_leaf(work, tree, copy_leaf, NULL, copy));
}

bool lw_cute_copy(struct lw_arena *arena, struct lw_cute *out, const struct lw_cute *cute)
{
    struct lw_cute_work work = {.arena = arena};
    *out = *cute;
    if (cute->tiling) {
        out->tiling = lw_arena_string(arena, cute->tiling, strlen(cute->tiling));
        out->operand = lw_arena_string(arena, cute->operand, strlen(cute->operand));
    }
    return !cute->tiling == !out->tiling && !cute->operand == !out->operand &&
           copy_tree(&work, cute->tile, &out->tile) &&
           copy_tree(&work, cute->origin, &out->origin) &&
           lw_cute_each_leaf(&work, &cute->layout.shape, copy_leaf, NULL, &out->layout.shape) &&
           lw_cute_each_leaf(&work, &cute->layout.stride, copy_leaf, NULL, &out->layout.stride);
}

/* ---- Text ---- */

void lw_cute_step(struct lw_cute_work *work, const char *format, ...)
{
    char line[256];
    va_list args;
    if (!work->steps)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    lw_text_add(work->steps, line);
    lw_text_char(work->steps, '\n');
}

void lw_cute_step_layout(struct lw_cute_work *work, const char *name,
                         const struct lw_cute_layout *layout)
{
    if (!work->steps)
        return;
    lw_text_format(work->steps, "%s = ", name);
    lw_cute_layout_print(work->steps, layout);
    lw_text_char(work->steps, '\n');
}

/* ---- Sizes and offsets ---- */

int64_t lw_cute_size(const struct lw_cute_layout *layout)
{
    return lw_cute_product(&layout->shape);
}

int64_t lw_cute_cosize(const struct lw_cute_layout *layout)
{
    int64_t last = 0;
    last_offset(&layout->shape, &layout->stride, &last);
    return last + 1;
}

struct lw_cute_tuple lw_cute_size_of(const struct lw_cute_tuple *shape)
{
    return lw_cute_integer(lw_cute_product(shape), lw_cute_all_fixed(shape));
}

/* Adds the steps from the first coordinate to the last one, where a negative stride counts as positive. */
static bool add_steps(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                      const struct lw_cute_tuple *stride, struct lw_cute_tuple *sum)
{
    const struct lw_cute_tuple minus = lw_cute_integer(-1, true);
    struct lw_cute_tuple last, step = *stride;
    for (int i = 0; i < shape->count; i++)
        if (!add_steps(work, &shape->items[i], &stride->items[i], sum))
            return false;
    if (shape->count >= 0)
        return true;
    step.value = llabs(step.value);
    return lw_cute_plus(work, shape, &minus, &last) && lw_cute_times(work, &last, &step, &step) &&
           lw_cute_plus(work, sum, &step, sum);
}

static bool plus_one(struct lw_cute_work *work, const struct lw_cute_tuple *leaf,
                     LW_UNUSED const void *none, struct lw_cute_tuple *out)
{
    const struct lw_cute_tuple one = lw_cute_integer(1, true);
    return lw_cute_plus(work, leaf, &one, out);
}

bool lw_cute_coshape(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     struct lw_cute_tuple *out)
{
    struct lw_cute_tuple last = lw_cute_integer(0, true);
    return add_steps(work, &a->shape, &a->stride, &last) &&
           lw_cute_as_coordinate(work, &last, &last) &&
           lw_cute_each_leaf(work, &last, plus_one, NULL, out);
}

/* The offset of an index; the last mode continues beyond its size. */
static int64_t offset_of(const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                         int64_t index)
{
    int64_t offset = 0;
    if (shape->count < 0)
        return index * stride->value;
    for (int i = 0; i + 1 < shape->count; i++) {
        int64_t size = lw_cute_product(&shape->items[i]);
        offset += offset_of(&shape->items[i], &stride->items[i], index % size);
        index /= size;
    }
    int last = shape->count - 1;
    return offset + offset_of(&shape->items[last], &stride->items[last], index);
}

int64_t lw_cute_offset(const struct lw_cute_layout *layout, int64_t index)
{
    return offset_of(&layout->shape, &layout->stride, index);
}

/* ---- Coordinates ---- */

bool lw_cute_is_of_coordinates(const struct lw_cute *cute)
{
    return cute->origin || lw_cute_has_axes(&cute->layout.stride);
}

static bool identity_stride(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                            unsigned short axis, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple made;
    unsigned short inner;
    *out = lw_cute_integer(1, true);
    out->axis = axis;
    if (shape->count < 0)
        return true;
    struct lw_cute_tuple *items = lw_cute_new_items(work, shape->count, &made);
    for (int i = 0; items && i < shape->count; i++)
        if (!lw_cute_axis_inside(axis, i, &inner))
            return lw_error_at(work->err, LW_ERROR_LIMIT, shape->position,
                               "at most %d axes of coordinates, each from 0 to %d",
                               LW_CUTE_AXIS_DEPTH, LW_CUTE_AXIS_MAX);
        else if (!identity_stride(work, &shape->items[i], inner, &items[i]))
            return false;
    *out = made;
    return items;
}

bool lw_cute_identity(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                      struct lw_cute_layout *out)
{
    struct lw_cute_tuple stride;
    return identity_stride(work, shape, 0, &stride) && lw_cute_make(work, shape, &stride, out);
}

/* Fails on a number of a coordinate past what CuTe has 32 bits for. */
static bool has_32_bits(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                        const struct lw_position *position)
{
    for (int i = 0; i < coordinate->count; i++)
        if (!has_32_bits(work, &coordinate->items[i], position))
            return false;
    return coordinate->count >= 0 || llabs(coordinate->value) <= INT32_MAX ||
           lw_error_at(work->err, LW_ERROR_PARAMETER, *position,
                       "coordinate %lld: must be below 2^31", (long long)coordinate->value);
}

/* Whether a coordinate is in a shape; blanks are. */
static bool is_inside(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                      const struct lw_cute_tuple *shape)
{
    int64_t at = coordinate->value, size = lw_cute_product(shape);
    if (coordinate->count >= 0 && coordinate->count != lw_cute_rank(shape))
        return lw_error_at(work->err, LW_ERROR_SHAPE, coordinate->position,
                           "a coordinate of %d modes in a shape of %d", coordinate->count,
                           lw_cute_rank(shape));
    for (int i = 0; i < coordinate->count; i++)
        if (!is_inside(work, &coordinate->items[i], lw_cute_item(shape, i)))
            return false;
    return coordinate->count >= 0 || lw_cute_is_blank(coordinate) || (at >= 0 && at < size) ||
           lw_error_at(work->err, LW_ERROR_PARAMETER, coordinate->position,
                       "coordinate %lld: must be from 0 to %lld", (long long)at,
                       (long long)size - 1);
}

bool lw_cute_at(struct lw_cute_work *work, const struct lw_cute_layout *layout,
                const struct lw_cute_tuple *coordinate, struct lw_cute_tuple *offset)
{
    const struct lw_position *position = &coordinate->position;
    if (work->rules != LW_CUTE_UNCHECKED)
        return is_inside(work, coordinate, &layout->shape) &&
               lw_cute_crd2idx(work, coordinate, &layout->shape, &layout->stride, offset);
    return has_32_bits(work, coordinate, position) &&
           lw_cute_crd2idx(work, coordinate, &layout->shape, &layout->stride, offset) &&
           ((offset->count < 0 && !offset->axis) || has_32_bits(work, offset, position));
}

bool lw_cute_slice(struct lw_cute_work *work, const struct lw_cute_layout *layout,
                   const struct lw_cute_tuple *coordinate, struct lw_cute_layout *out,
                   struct lw_cute_tuple *start)
{
    struct lw_cute_tuple shape, stride;
    if (!lw_cute_at(work, layout, coordinate, start))
        return false;
    *out = lw_cute_is_blank(coordinate) ? *layout : lw_cute_leaf(1, 0, true);
    return lw_cute_is_blank(coordinate) || !lw_cute_has_blank(coordinate) ||
           (lw_cute_pick(work, coordinate, &layout->shape, true, &shape) &&
            lw_cute_pick(work, coordinate, &layout->stride, true, &stride) &&
            lw_cute_make(work, &shape, &stride, out));
}

/* The index in a mode, leftmost fastest, of the coordinate at an offset. */
static bool index_at(struct lw_cute_work *work, const struct lw_cute_layout *mode, int64_t offset,
                     int64_t *index)
{
    int64_t size = mode->shape.value, stride = mode->stride.value, weight = 1;
    *index = 0;
    for (int i = 0; i < mode->shape.count; i++) {
        struct lw_cute_layout inner = lw_cute_mode(mode, i);
        int64_t own;
        if (!index_at(work, &inner, offset, &own))
            return false;
        *index += own * weight;
        weight *= lw_cute_size(&inner);
    }
    if (mode->shape.count >= 0 || size == 1)
        return true;
    if (stride == 0)
        return lw_error_at(work->err, LW_ERROR_SHAPE, mode->shape.position,
                           "the threads have a mode %lld:0: CuTe divides by the stride, and by 0 "
                           "there is no coordinate",
                           (long long)size);
    *index = offset / stride % size;
    return true;
}

bool lw_cute_flat_coordinate(struct lw_cute_work *work, const struct lw_cute_layout *layout,
                             int64_t index, int64_t *point)
{
    for (int i = 0; i < lw_cute_rank(&layout->shape); i++) {
        struct lw_cute_layout mode = lw_cute_mode(layout, i);
        if (!index_at(work, &mode, index, &point[i]))
            return false;
    }
    return true;
}

/* ---- Orders ---- */

/* The numbers of an order, each with the size of its mode of the shape. */
struct ordered {
    int count;
    struct {
        struct lw_cute_tuple size;
        int64_t order;
        bool fixed;
    } leaf[LW_CUTE_LEAVES_MAX];
};

static bool collect(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                    const struct lw_cute_tuple *order, struct ordered *all)
{
    bool leaf = lw_cute_is_integer(order);
    if (leaf ? all->count == LW_CUTE_LEAVES_MAX : shape->count < 0 || shape->count != order->count)
        return lw_error_at(work->err, LW_ERROR_SHAPE, order->position,
                           "the order has a number for each mode of the shape");
    for (int i = 0; i < order->count; i++)
        if (!collect(work, &shape->items[i], &order->items[i], all))
            return false;
    if (leaf) {
        all->leaf[all->count].size = lw_cute_size_of(shape);
        all->leaf[all->count].fixed = order->fixed;
        all->leaf[all->count++].order = order->value;
    }
    return true;
}

/* Numbers that are not static count as larger than all static ones, from left to right. */
static void order_late(struct ordered *all)
{
    int64_t max = 0;
    bool some = false;
    for (int i = 0; i < all->count; i++) {
        some = some || all->leaf[i].fixed;
        if (all->leaf[i].fixed && all->leaf[i].order > max)
            max = all->leaf[i].order;
    }
    for (int i = 0; some && i < all->count; i++)
        if (!all->leaf[i].fixed)
            all->leaf[i].order = max + 1 + i;
}

static bool scale(struct lw_cute_work *work, const struct lw_cute_tuple *leaf, const void *by,
                  struct lw_cute_tuple *out)
{
    return lw_cute_times(work, leaf, by, out);
}

/* Sets the strides of a part of the shape by the same part of the order; *next is the index of its first number. */
static bool strides(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                    const struct lw_cute_tuple *order, const struct ordered *all, int *next,
                    struct lw_cute_tuple *out)
{
    struct lw_cute_tuple made, start = lw_cute_integer(1, true);
    struct lw_cute_layout compact;
    if (order->count < 0) {
        for (int i = 0; i < all->count; i++)
            if (all->leaf[i].order < all->leaf[*next].order &&
                !lw_cute_times(work, &start, &all->leaf[i].size, &start))
                return false;
        ++*next;
        return lw_cute_compact(work, shape, false, &compact) &&
               lw_cute_each_leaf(work, &compact.stride, scale, &start, out);
    }
    struct lw_cute_tuple *items = lw_cute_new_items(work, order->count, &made);
    for (int i = 0; items && i < order->count; i++)
        if (!strides(work, &shape->items[i], &order->items[i], all, next, &items[i]))
            return false;
    *out = made;
    return items;
}

bool lw_cute_ordered(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                     const struct lw_cute_tuple *order, struct lw_cute_layout *out)
{
    struct ordered all = {0};
    int next = 0;
    struct lw_cute_tuple stride;
    /* The sizes are checked first: their product bounds every stride. */
    if (!lw_cute_compact(work, shape, false, out) || !collect(work, shape, order, &all))
        return false;
    order_late(&all);
    return strides(work, shape, order, &all, &next, &stride) &&
           lw_cute_make(work, shape, &stride, out);
}

/* ---- Like others ---- */

/* Makes every size 1 in the parts of a shape where the profile is 0. */
static bool without_zeros(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                          const struct lw_cute_tuple *profile, struct lw_cute_tuple *out)
{
    bool all = profile->count < 0, values = work->rules == LW_CUTE_VALUES;
    bool zero = all && !profile->value && (values || (profile->fixed && !profile->axis));
    struct lw_cute_tuple made;
    *out = zero ? lw_cute_integer(1, true) : *shape;
    if (all && (!zero || shape->count < 0))
        return true;
    if (!all && profile->count != shape->count)
        return lw_error_at(work->err, LW_ERROR_SHAPE, profile->position,
                           "filter_zeros: the profile has %d items where the layout %s",
                           profile->count,
                           shape->count < 0 ? "has an integer" : "has another number of modes");
    struct lw_cute_tuple *items = lw_cute_new_items(work, shape->count, &made);
    for (int i = 0; items && i < shape->count; i++)
        if (!without_zeros(work, &shape->items[i], all ? profile : &profile->items[i], &items[i]))
            return false;
    *out = made;
    return items;
}

bool lw_cute_filter_zeros(struct lw_cute_work *work, const struct lw_cute_layout *a,
                          const struct lw_cute_tuple *profile, struct lw_cute_layout *out)
{
    struct lw_cute_tuple shape;
    return without_zeros(work, &a->shape, profile ? profile : &a->stride, &shape) &&
           lw_cute_make(work, &shape, &a->stride, out);
}

bool lw_cute_layout_like(struct lw_cute_work *work, const struct lw_cute_layout *a,
                         struct lw_cute_layout *out)
{
    struct lw_cute_layout filtered, ordered;
    return lw_cute_filter_zeros(work, a, NULL, &filtered) &&
           lw_cute_ordered(work, &filtered.shape, &a->stride, &ordered) &&
           lw_cute_make(work, &a->shape, &ordered.stride, out);
}

/* Appends the modes of stride 0 of a layout, with the strides of the compact layout of its shape. */
static void zeros_into(const struct lw_cute_work *work, const struct lw_cute_layout *a,
                       const struct lw_cute_tuple *compact, struct lw_cute_layout *modes,
                       int *count)
{
    for (int i = 0; i < a->shape.count; i++) {
        struct lw_cute_layout mode = lw_cute_mode(a, i);
        zeros_into(work, &mode, &compact->items[i], modes, count);
    }
    if (a->shape.count < 0 && a->stride.value == 0 &&
        (a->stride.fixed || work->rules == LW_CUTE_VALUES))
        modes[(*count)++] = (struct lw_cute_layout){a->shape, *compact};
}

bool lw_cute_nullspace(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       struct lw_cute_layout *out)
{
    struct lw_cute_layout compact;
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, lw_cute_leaves(&a->shape));
    int count = 0;
    if (!modes || !lw_cute_compact(work, &a->shape, false, &compact))
        return false;
    zeros_into(work, a, &compact.stride, modes, &count);
    *out = count ? modes[0] : lw_cute_leaf(1, 0, true);
    return count < 2 || lw_cute_join(work, modes, count, out);
}
