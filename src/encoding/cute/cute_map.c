/* CuTe layouts as maps: the leaves are the digits. A mode of the layout is a dim, and the divisor of its leaf number l
 * is the product of the sizes of the leaves before it. */

#include "encoding/cute/cute_parts.h"
#include "core/map_kinds.h"

#include "laneway/tensor.h"

#include <stdlib.h>

/* Adds the leaves of one mode. */
static bool add_leaves(const struct lw_cute_layout *mode, int dim, struct lw_strides *out,
                       uint64_t *divisor, struct lw_error *err)
{
    for (int i = 0; i < mode->shape.count; i++) {
        struct lw_cute_layout inner = lw_cute_mode(mode, i);
        if (!add_leaves(&inner, dim, out, divisor, err))
            return false;
    }
    if (mode->shape.count >= 0 || mode->shape.value == 1)
        return true;
    if (out->count == LW_MODES_MAX)
        return lw_error_at(err, LW_ERROR_LIMIT, mode->shape.position,
                           "more than %d modes of more than one element", LW_MODES_MAX);
    if (mode->stride.value < 0)
        return lw_error_at(err, LW_ERROR_UNSUPPORTED, mode->stride.position,
                           "stride %lld: CuTe allows negative offsets, which are before the "
                           "pointer of a tensor, but the offsets of a memory start at 0",
                           (long long)mode->stride.value);
    uint64_t size = (uint64_t)mode->shape.value;
    out->mode[out->count++] = (struct lw_stride){size, (uint64_t)mode->stride.value, *divisor, dim};
    *divisor *= size;
    return true;
}

static bool strides_of(const struct lw_cute_layout *layout, struct lw_strides *out,
                       struct lw_dims *dims, struct lw_error *err)
{
    int rank = lw_cute_rank(&layout->shape);
    if (rank > LW_RANK_MAX)
        return lw_error_at(err, LW_ERROR_LIMIT, layout->shape.position,
                           "%d modes: a tensor has at most %d dims; group some", rank, LW_RANK_MAX);
    for (int i = 0; i < rank; i++) {
        struct lw_cute_layout mode = lw_cute_mode(layout, i);
        uint64_t divisor = 1;
        char name[16];
        snprintf(name, sizeof name, "dim%d", i);
        if (!add_leaves(&mode, i, out, &divisor, err) || !lw_dims_add(dims, name, divisor, err))
            return false;
    }
    return true;
}

bool lw_cute_to_map(const struct lw_cute *cute, struct lw_map *map, struct lw_error *err)
{
    struct lw_strides strides = {.memory = true};
    struct lw_dims out = {0};
    struct lw_cute own;
    if (!lw_cute_in_elements(cute, &own, err) || !strides_of(&own.layout, &strides, &out, err))
        return false;
    if (own.composed) {
        strides.constant = (uint64_t)own.offset;
        strides.bits = own.swizzle.bits;
        strides.base = own.swizzle.base;
        strides.shift = own.swizzle.shift;
    }
    return lw_memory_map(map, &out, &strides, err);
}

/* ---- Threads and values ---- */

bool lw_cute_tile_check(const struct lw_cute *cute, struct lw_error *err)
{
    uint64_t total = 1;
    int rank = lw_cute_rank(cute->tile);
    if (rank < 1 || rank > LW_RANK_MAX)
        return lw_error_at(err, LW_ERROR_SHAPE, cute->tile->position,
                           "a tile has from 1 to %d dims", LW_RANK_MAX);
    for (int i = 0; i < rank; i++) {
        const struct lw_cute_tuple *size = lw_cute_item(cute->tile, i);
        if (size->count >= 0 || size->value < 1 ||
            __builtin_mul_overflow(total, (uint64_t)size->value, &total) ||
            total > (uint64_t)LW_CUTE_MAX)
            return lw_error_at(err, LW_ERROR_SHAPE, size->position,
                               "a tile has sizes from 1 on, such as (16,8), and at most 2^62 "
                               "elements");
    }
    if (lw_cute_rank(&cute->layout.shape) != 2)
        return lw_error_at(err, LW_ERROR_SHAPE, cute->layout.shape.position,
                           "a layout of threads and values has 2 modes, this one %d",
                           lw_cute_rank(&cute->layout.shape));
    uint64_t end = (uint64_t)lw_cute_cosize(&cute->layout) + (uint64_t)cute->start;
    return end <= total ||
           lw_error_at(err, LW_ERROR_SHAPE, cute->layout.stride.position,
                       "the last thread and value are at element %llu, but the tile has %llu "
                       "elements",
                       (unsigned long long)end - 1, (unsigned long long)total);
}

/* A map of threads and values from `start` on; of a part values alone. Threads are lanes and warps where that is
 * possible. */
bool lw_cute_map(const struct lw_cute *cute, uint64_t lanes, struct lw_map *map,
                 struct lw_error *err)
{
    static const char *const names[] = {"thread", "local"};
    struct lw_strides strides = {.constant = (uint64_t)cute->start};
    struct lw_dims modes = {0}, in = {0}, out = {0};
    struct lw_layout layout;
    uint64_t tile[LW_RANK_MAX];
    if (!cute->tile)
        return lw_cute_to_map(cute, map, err);
    if (!lw_cute_tile_check(cute, err) || !strides_of(&cute->layout, &strides, &modes, err))
        return false;
    for (int i = 0; i < lw_cute_rank(cute->tile); i++)
        tile[i] = (uint64_t)lw_cute_item(cute->tile, i)->value;
    if (!lw_dims_of_shape(&out, tile, lw_cute_rank(cute->tile), err))
        return false;
    int least = cute->part && modes.dim[0].size == 1 ? 1 : 0;
    for (int i = 1; i >= least; i--) /* values come first, as registers do */
        if (!lw_dims_add(&in, names[i], modes.dim[i].size, err))
            return false;
    for (int i = 0; i < strides.count; i++)
        strides.mode[i].dim = 1 - strides.mode[i].dim;
    if (!lw_stride_map(map, &in, &out, &strides, err))
        return false;
    /* the threads of a quad pair are not consecutive lanes */
    if (lanes && cute->role != LW_CUTE_ROLE_QUAD_PAIR &&
        lw_map_to_hardware(map, lanes, &layout, NULL))
        lw_map_from_layout(map, &layout);
    return true;
}

/* ---- As threads and values ---- */

/* The dims of a tile, and the elements of it that a step along each axis is. */
struct tile {
    struct lw_cute_axes axes;
    int64_t end[LW_CUTE_AXES_MAX], weight[LW_CUTE_AXES_MAX];
};

static int find_axis(const struct lw_cute_axes *axes, unsigned axis)
{
    int i = 0;
    while (i + 1 < axes->count && axes->axis[i] != axis)
        i++;
    return i;
}

/* Adds the axes of a coordinate, whose own axis is `axis`. */
static bool add_axes(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                     unsigned short axis, struct lw_cute_axes *axes)
{
    unsigned short inner;
    for (int i = 0; i < coordinate->count; i++)
        if (!lw_cute_axis_inside(axis, i, &inner))
            return lw_error_at(work->err, LW_ERROR_LIMIT, coordinate->position,
                               "at most %d axes of coordinates, each from 0 to %d",
                               LW_CUTE_AXIS_DEPTH, LW_CUTE_AXIS_MAX);
        else if (!add_axes(work, &coordinate->items[i], inner, axes))
            return false;
    return coordinate->count >= 0 || !axis ||
           lw_cute_add_axis(work, axis, coordinate->position, axes);
}

/* The number of a coordinate along an axis. */
static int64_t along(const struct lw_cute_tuple *coordinate, unsigned axis)
{
    for (; axis && coordinate->count >= 0; axis >>= 4) {
        int i = (int)(axis & 15) - 1;
        if (i >= coordinate->count)
            return 0;
        coordinate = &coordinate->items[i];
    }
    return coordinate->count < 0 ? coordinate->value : 0;
}

/* Adds to `end` how far each axis is reached. */
static bool reach(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                  const struct lw_cute_tuple *stride, const struct lw_cute_axes *axes, int64_t *end)
{
    for (int i = 0; i < shape->count; i++)
        if (!reach(work, &shape->items[i], &stride->items[i], axes, end))
            return false;
    if (shape->count >= 0 || !stride->value)
        return true;
    int64_t *to = &end[find_axis(axes, stride->axis)];
    *to += (shape->value - 1) * stride->value; /* bounded by the cosize */
    return stride->value > 0 ||
           lw_error_at(work->err, LW_ERROR_UNSUPPORTED, stride->position,
                       "stride %lld of coordinates: the coordinates of a tile start at 0",
                       (long long)stride->value);
}

/* As far as each axis is reached; dims that no stride is along have size 1. */
static bool measure(struct lw_cute_work *work, struct tile *tile, struct lw_cute_tuple *sizes)
{
    struct lw_cute_tuple *items =
        lw_cute_new_items(work, LW_CUTE_AXES_MAX + LW_CUTE_AXIS_MAX + 1, sizes);
    int64_t total = 1;
    bool flat = true, only;
    sizes->count = 0;
    for (int i = 0; items && i < tile->axes.count; i++) {
        lw_cute_axis_first(tile->axes.axis[i], &only);
        flat = flat && only;
    }
    for (int i = 0; items && i < tile->axes.count; i++) {
        while (flat && sizes->count < lw_cute_axis_first(tile->axes.axis[i], &only))
            items[sizes->count++] = lw_cute_integer(1, false);
        tile->weight[i] = total;
        items[sizes->count++] = lw_cute_integer(tile->end[i] + 1, false);
        if (__builtin_mul_overflow(total, tile->end[i] + 1, &total) || total > LW_CUTE_MAX)
            return lw_cute_too_large(work, "the tile");
    }
    return items;
}

static bool element_stride(struct lw_cute_work *work, const struct lw_cute_tuple *leaf,
                           const void *of, struct lw_cute_tuple *out)
{
    const struct tile *tile = of;
    *out = *leaf;
    out->axis = 0;
    return !leaf->value ||
           !__builtin_mul_overflow(leaf->value, tile->weight[find_axis(&tile->axes, leaf->axis)],
                                   &out->value) ||
           lw_cute_too_large(work, "the tile");
}

bool lw_cute_coords_to_tile(struct lw_cute_work *work, const struct lw_cute *cute,
                            struct lw_cute *out)
{
    struct tile tile = {{0}, {0}, {0}};
    struct lw_cute_tuple stride, *sizes = lw_arena_alloc(work->arena, sizeof *sizes);
    struct lw_cute_layout layout = cute->layout;
    int64_t start[LW_CUTE_AXES_MAX] = {0}, first = 0;
    if (!sizes)
        return lw_cute_memory(work);
    /* two modes are threads and values; of other modes, and of a part of a tensor, all elements are values of one
     * thread */
    if ((cute->part || lw_cute_rank(&layout.shape) != 2) &&
        !lw_cute_pair(work, lw_cute_leaf(1, 0, true), layout, &layout))
        return false;
    if (!lw_cute_axes_of(work, &layout.stride, &tile.axes) ||
        (cute->origin && !add_axes(work, cute->origin, 0, &tile.axes)))
        return false;
    for (int i = 0; cute->origin && i < tile.axes.count; i++)
        tile.end[i] = start[i] = along(cute->origin, tile.axes.axis[i]);
    if (!reach(work, &layout.shape, &layout.stride, &tile.axes, tile.end) ||
        !measure(work, &tile, sizes) ||
        !lw_cute_each_leaf(work, &layout.stride, element_stride, &tile, &stride))
        return false;
    for (int i = 0; i < tile.axes.count; i++)
        first += start[i] * tile.weight[i];
    *out = *cute;
    out->tensor = false;
    out->origin = NULL;
    out->tile = sizes;
    out->start = first;
    out->part = first > 0 || cute->of_thread;
    return lw_cute_make(work, &layout.shape, &stride, &out->layout) &&
           lw_cute_tile_check(out, work->err);
}

bool lw_cute_tile_print(struct lw_text *text, const struct lw_cute *cute, struct lw_error *err)
{
    struct lw_arena arena = {0};
    struct lw_error scratch;
    struct lw_cute_work work = {
        .arena = &arena, .err = err ? err : &scratch, .rules = LW_CUTE_VALUES};
    struct lw_cute_layout tile, made;
    struct lw_cute_tuple sizes;
    bool good = lw_cute_product_each(&work, cute->tile, &sizes) &&
                lw_cute_set_tuple_fixed(&work, &sizes, true, &sizes) &&
                lw_cute_identity(&work, &sizes, &tile) &&
                lw_cute_compose(&work, &tile, &cute->layout, &made);
    if (good)
        lw_cute_layout_print(text, &made);
    lw_arena_free(&arena);
    return good;
}

/* Whether values, from element `start` of their tile on, stay inside the axes of the tile; not of over 2^16 values. */
static bool stays_inside(const struct lw_cute *values, int64_t start)
{
    int64_t size = lw_cute_size(&values->layout);
    for (int64_t i = 0; start && i < size && size <= 1 << 16; i++) {
        int64_t first = start, offset = lw_cute_offset(&values->layout, i);
        for (int d = 0; d < lw_cute_rank(values->tile); d++) {
            int64_t length = lw_cute_item(values->tile, d)->value;
            if (first % length + offset % length >= length)
                return false;
            first /= length;
            offset /= length;
        }
    }
    return !start || size <= 1 << 16;
}

bool lw_cute_part_print(struct lw_text *text, const struct lw_cute *cute)
{
    const struct lw_cute values = {.layout = lw_cute_mode(&cute->layout, 1), .tile = cute->tile};
    struct lw_text along = {0};
    int64_t rest = cute->start;
    bool good = stays_inside(&values, rest) && lw_cute_tile_print(&along, &values, NULL);
    lw_text_add(text, good ? "ArithTuple(" : "");
    for (int i = 0; i < lw_cute_rank(cute->tile) && good; i++) {
        int64_t size = lw_cute_item(cute->tile, i)->value;
        lw_text_format(text, i ? ",%lld" : "%lld", (long long)(rest % size));
        rest /= size;
    }
    if (good)
        lw_text_format(text, ") o %s", lw_text_string(&along));
    lw_text_free(&along);
    return good;
}
