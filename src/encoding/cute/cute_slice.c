/* Parts of CuTe layouts at a coordinate. Source: slice_and_offset, get_flat_coord and
 * make_fragment_like of layout.hpp, CUTLASS 4. */

#include "encoding/cute/cute_parts.h"
#include "laneway/cute_tiled.h"

/* ---- Slices ---- */

static bool is_blank(const struct lw_cute_tuple *tuple)
{
    return tuple->count < 0 && tuple->leaf == LW_CUTE_BLANK;
}

static int blanks(const struct lw_cute_tuple *tuple)
{
    int count = is_blank(tuple);
    for (int i = 0; i < tuple->count; i++)
        count += blanks(&tuple->items[i]);
    return count;
}

static bool ranks_differ(const struct lw_cute_tuple *coordinate, const struct lw_cute_tuple *shape,
                         struct lw_error *err)
{
    return lw_error_at(err, LW_ERROR_SHAPE, coordinate->position,
                       "a coordinate of %d modes in a shape of %d", coordinate->count,
                       lw_cute_rank(shape));
}

/* The largest coordinate past the end: CuTe has 32 bits for it. */
#define PAST_MAX ((int64_t)INT32_MAX)

static bool add_offset(int64_t index, int64_t stride, int64_t *offset)
{
    int64_t own;
    return !__builtin_mul_overflow(index, stride, &own) &&
           !__builtin_add_overflow(*offset, own, offset);
}

/* As crd2idx: the last mode continues past its end, the others are taken modulo their sizes. */
static bool add_past(const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                     int64_t index, int64_t *offset)
{
    if (shape->count < 0)
        return add_offset(index, stride->value, offset);
    for (int i = 0; i < shape->count; i++) {
        int64_t size = i + 1 < shape->count ? lw_cute_product(&shape->items[i]) : INT64_MAX;
        if (!add_past(&shape->items[i], &stride->items[i], index % size, offset))
            return false;
        index /= size;
    }
    return true;
}

/* The offset of a coordinate that may be past the end. */
static bool past(const struct lw_cute_tuple *coordinate, const struct lw_cute_layout *layout,
                 int64_t *offset, struct lw_error *err)
{
    if (coordinate->count < 0)
        return (coordinate->value >= -PAST_MAX && coordinate->value <= PAST_MAX &&
                add_past(&layout->shape, &layout->stride, coordinate->value, offset)) ||
               lw_error_at(err, LW_ERROR_PARAMETER, coordinate->position,
                           "coordinate %lld: must be below 2^31, with an offset below 2^63",
                           (long long)coordinate->value);
    if (coordinate->count != lw_cute_rank(&layout->shape))
        return ranks_differ(coordinate, &layout->shape, err);
    for (int i = 0; i < coordinate->count; i++) {
        struct lw_cute_layout mode = lw_cute_mode(layout, i);
        if (!past(&coordinate->items[i], &mode, offset, err))
            return false;
    }
    return true;
}

bool lw_cute_offset_in(const struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                       const struct lw_cute_layout *layout, int64_t *offset)
{
    int64_t index;
    *offset = 0;
    if (work->rules == LW_CUTE_UNCHECKED)
        return past(coordinate, layout, offset, work->err);
    if (!lw_cute_index(coordinate, &layout->shape, &index, work->err))
        return false;
    *offset = lw_cute_offset(layout, index);
    return true;
}

bool lw_cute_index(const struct lw_cute_tuple *coordinate, const struct lw_cute_tuple *shape,
                   int64_t *index, struct lw_error *err)
{
    int64_t size = lw_cute_product(shape), weight = 1;
    if (coordinate->count < 0) {
        *index = coordinate->value;
        return (*index >= 0 && *index < size) ||
               lw_error_at(err, LW_ERROR_PARAMETER, coordinate->position,
                           "coordinate %lld: must be from 0 to %lld", (long long)*index,
                           (long long)size - 1);
    }
    if (coordinate->count != lw_cute_rank(shape))
        return ranks_differ(coordinate, shape, err);
    *index = 0;
    for (int i = 0; i < coordinate->count; i++) {
        int64_t own;
        const struct lw_cute_tuple *mode = lw_cute_item(shape, i);
        if (!lw_cute_index(&coordinate->items[i], mode, &own, err))
            return false;
        *index += own * weight;
        weight *= lw_cute_product(mode);
    }
    return true;
}

/* Appends the modes at blanks, and adds up the offsets of the others. */
static bool slice_into(const struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                       const struct lw_cute_layout *layout, struct lw_cute_layout *modes,
                       int *count, int64_t *start)
{
    if (is_blank(coordinate)) {
        modes[(*count)++] = *layout;
        return true;
    }
    if (blanks(coordinate) == 0) {
        int64_t offset;
        if (!lw_cute_offset_in(work, coordinate, layout, &offset))
            return false;
        *start += offset;
        return true;
    }
    if (coordinate->count != lw_cute_rank(&layout->shape))
        return ranks_differ(coordinate, &layout->shape, work->err);
    for (int i = 0; i < coordinate->count; i++) {
        struct lw_cute_layout mode = lw_cute_mode(layout, i);
        if (!slice_into(work, &coordinate->items[i], &mode, modes, count, start))
            return false;
    }
    return true;
}

bool lw_cute_slice(struct lw_cute_work *work, const struct lw_cute_layout *layout,
                   const struct lw_cute_tuple *coordinate, struct lw_cute_layout *out,
                   int64_t *start)
{
    int count = 0;
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, blanks(coordinate));
    *start = 0;
    if (!modes || !slice_into(work, coordinate, layout, modes, &count, start))
        return false;
    *out = is_blank(coordinate) ? *layout : lw_cute_leaf(1, 0, true);
    return count == 0 || is_blank(coordinate) || lw_cute_join(work, modes, count, out);
}

/* ---- Coordinates ---- */

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

/* ---- Fragments ---- */

static bool set_fixed(struct lw_cute_work *work, const struct lw_cute_tuple *tuple, bool fixed,
                      struct lw_cute_tuple *out)
{
    *out = *tuple;
    if (tuple->count < 0) {
        out->fixed = fixed;
        return true;
    }
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, tuple->count);
    if (!items)
        return false;
    out->items = items;
    for (int i = 0; i < tuple->count; i++)
        if (!set_fixed(work, &tuple->items[i], fixed, &items[i]))
            return false;
    return true;
}

bool lw_cute_set_fixed(struct lw_cute_work *work, const struct lw_cute_layout *layout, bool fixed,
                       struct lw_cute_layout *out)
{
    struct lw_cute_tuple shape, stride;
    if (!set_fixed(work, &layout->shape, fixed, &shape) ||
        !set_fixed(work, &layout->stride, fixed, &stride))
        return false;
    *out = (struct lw_cute_layout){shape, stride};
    return true;
}

bool lw_cute_fix_layout(struct lw_cute_work *work, const struct lw_cute_layout *layout,
                        struct lw_cute_layout *out)
{
    return lw_cute_set_fixed(work, layout, true, out);
}

/* Makes the compact layout of the first mode, in which modes of stride 0 keep that stride. */
static bool first_mode(struct lw_cute_work *work, const struct lw_cute_layout *mode,
                       struct lw_cute_layout *out)
{
    struct lw_cute_layout filtered, compact;
    return lw_cute_filter_zeros(work, mode, NULL, &filtered) &&
           lw_cute_compact(work, &filtered.shape, false, &compact) &&
           lw_cute_make(work, &mode->shape, &compact.stride, out);
}

bool lw_cute_fragment_like(struct lw_cute_work *work, const struct lw_cute_layout *layout,
                           struct lw_cute_layout *out)
{
    int rank = layout->shape.count;
    struct lw_cute_layout fixed, first, mode, rest;
    struct lw_cute *order = lw_arena_alloc(work->arena, sizeof *order);
    if (!order)
        return lw_cute_memory(work);
    if (!lw_cute_fix_layout(work, layout, &fixed))
        return false;
    if (rank < 2)
        return lw_cute_compact(work, &fixed.shape, false, out);
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, rank);
    if (!modes)
        return false;
    for (int i = 1; i < rank; i++)
        modes[i - 1] = lw_cute_mode(&fixed, i);
    *order = (struct lw_cute){0};
    const struct lw_cute_tuple tiler = {.count = -1, .leaf = LW_CUTE_LAYOUT, .layout = order};
    mode = lw_cute_mode(&fixed, 0);
    return first_mode(work, &mode, &first) && lw_cute_join(work, modes, rank - 1, &rest) &&
           lw_cute_ordered(work, &rest.shape, &rest.stride, &order->layout) &&
           lw_cute_multiply(work, &first, &tiler, LW_CUTE_TILED, out);
}
