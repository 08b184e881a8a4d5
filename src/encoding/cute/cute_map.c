/* CuTe layouts as maps: the leaves are the digits. A mode of the layout is a dim, and the divisor of its leaf number l
 * is the product of the sizes of the leaves before it. */

#include "encoding/cute/cute_parts.h"
#include "encoding/strides.h"

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

/* Splits threads into lanes and warps; where that is not possible the map is unchanged. */
static void to_hardware(struct lw_map *map, uint64_t lanes)
{
    struct lw_layout layout;
    if (lanes && lw_map_to_hardware(map, lanes, &layout, NULL))
        lw_map_from_layout(map, &layout);
}

/* Makes the map of a layout of threads and values that starts at an element of the tile. A part has values alone. */
static bool tv_to_map(const struct lw_cute_layout *layout, int64_t start, bool part,
                      const uint64_t *tile, int rank, uint64_t lanes, struct lw_map *map,
                      struct lw_error *err)
{
    static const char *const names[] = {"thread", "local"};
    struct lw_strides strides = {.constant = (uint64_t)start};
    struct lw_dims modes = {0}, in = {0}, out = {0};
    if (lw_cute_rank(&layout->shape) != 2)
        return lw_error_at(err, LW_ERROR_SHAPE, layout->shape.position,
                           "a layout of threads and values has 2 modes, this one %d",
                           lw_cute_rank(&layout->shape));
    if (!strides_of(layout, &strides, &modes, err) || !lw_dims_of_shape(&out, tile, rank, err))
        return false;
    int least = part && modes.dim[0].size == 1 ? 1 : 0;
    for (int i = 1; i >= least; i--) /* values come first, as registers do */
        if (!lw_dims_add(&in, names[i], modes.dim[i].size, err))
            return false;
    for (int i = 0; i < strides.count; i++)
        strides.mode[i].dim = 1 - strides.mode[i].dim;
    if (!lw_stride_map(map, &in, &out, &strides, err))
        return false;
    to_hardware(map, lanes);
    return true;
}

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

bool lw_cute_map(const struct lw_cute *cute, uint64_t lanes, struct lw_map *map,
                 struct lw_error *err)
{
    uint64_t tile[LW_RANK_MAX];
    if (!cute->tile)
        return lw_cute_to_map(cute, map, err);
    if (!lw_cute_tile_check(cute, err))
        return false;
    for (int i = 0; i < lw_cute_rank(cute->tile); i++)
        tile[i] = (uint64_t)lw_cute_item(cute->tile, i)->value;
    if (cute->role == LW_CUTE_ROLE_QUAD_PAIR)
        lanes = 0; /* the threads of a quad pair are not consecutive lanes */
    return tv_to_map(&cute->layout, cute->start, cute->part, tile, lw_cute_rank(cute->tile), lanes,
                     map, err);
}
