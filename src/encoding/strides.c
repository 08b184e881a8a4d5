/* Maps by sums of strides: the number of offsets, and linear maps where they are linear. */

#include "encoding/strides.h"

bool lw_stride_map(struct lw_map *map, const struct lw_dims *in, const struct lw_dims *out,
                   const struct lw_strides *strides, struct lw_error *err)
{
    struct lw_layout layout;
    if (!lw_map_from_strides(map, in, out, strides, err))
        return false;
    if (lw_map_to_layout(map, &layout, NULL))
        lw_map_from_layout(map, &layout);
    return true;
}

/* An upper bound of the offsets. A swizzle may set bits that the last offset does not have. It may also set a bit of
 * the last offset in an offset that lacks it, and then the bits below can have any value. */
static uint64_t room_of(const struct lw_strides *strides)
{
    uint64_t last = strides->constant, xored = 0;
    for (int i = 0; i < strides->count; i++)
        last += (strides->mode[i].size - 1) * strides->mode[i].stride;
    int from = strides->shift > 0 ? strides->base + strides->shift : strides->base;
    int to = strides->shift > 0 ? strides->base : strides->base - strides->shift;
    for (int b = 0; b < strides->bits; b++)
        if (last >> (from + b)) /* some offset may have that bit */
            xored |= (uint64_t)1 << (to + b);
    uint64_t below = last & xored;
    for (int step = 1; step < 64; step *= 2)
        below |= below >> step;
    return (last | xored | below) + 1;
}

bool lw_memory_map(struct lw_map *map, const struct lw_dims *out, const struct lw_strides *strides,
                   struct lw_error *err)
{
    struct lw_dims in;
    in.count = 0;
    return lw_dims_add(&in, "offset", room_of(strides), err) &&
           lw_stride_map(map, &in, out, strides, err);
}
