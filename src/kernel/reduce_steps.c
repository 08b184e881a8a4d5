/*
 * A reduction as conversions. Each thread reduces its registers, each warp its lanes; while warps still share the dim,
 * the values are converted to a layout in which lanes hold the values of the warps, and the lanes reduce again. Finally
 * the values are converted to the layout of the result.
 *
 * Source: ReduceOpToLLVM.cpp, and getInterLayout and zeroBasesAlongDimAndReorder of lib/Analysis/Utility.cpp,
 * of Triton 3.8 and 3.9. Compared with the machine code in tests/golden/triton39_reductions.jsonl.
 */

#include "kernel/reduce_steps.h"

#include "core/tile.h"
#include "laneway/algebra.h"

#include <string.h>

enum { REGISTER, LANE, WARP, BLOCK, LEVELS };

/* The bases of a layout, those of the registers first, as flat numbers. The index along the dim is that of
 * the bits `along`, which lose their gaps when they are reduced. */
struct bases {
    const struct lw_layout *layout;
    int axis;
    uint64_t along;
    int count[LEVELS];
    uint64_t basis[LEVELS][LW_BITS_MAX];
};

static void drop_zero_registers(struct bases *b)
{
    int kept = 0;
    for (int i = 0; i < b->count[REGISTER]; i++)
        if (b->basis[REGISTER][i])
            b->basis[REGISTER][kept++] = b->basis[REGISTER][i];
    b->count[REGISTER] = kept;
}

static int moving_bases(const struct bases *b, int level)
{
    int moving = 0;
    for (int i = 0; i < b->count[level]; i++)
        moving += (b->basis[level][i] & b->along) != 0;
    return moving;
}

/* Removes the dim from the bases of a level; the others along it become 1, 2, 4, ... False: none of the level
 * moved along it, and nothing changes. */
static bool reduce_level(struct bases *b, int level)
{
    uint64_t next = b->along & (~b->along + 1);
    if (!moving_bases(b, level))
        return false;
    for (int i = 0; i < b->count[level]; i++)
        b->basis[level][i] &= ~b->along;
    for (int l = 0; l < LEVELS; l++)
        for (int i = 0; i < b->count[l]; i++)
            if (b->basis[l][i] & b->along) {
                b->basis[l][i] = (b->basis[l][i] & ~b->along) | next;
                next *= 2;
            }
    return true;
}

/* Exchanges the warps that move along the dim with lanes: with lanes that hold copies when there are enough of
 * these. */
static void swap_warps_into_lanes(struct bases *b)
{
    uint64_t *lanes = b->basis[LANE], *warps = b->basis[WARP];
    int copies = 0, lane = 0;
    for (int i = 0; i < b->count[LANE]; i++)
        copies += !lanes[i];
    bool only_copies = copies >= moving_bases(b, WARP);
    for (int warp = 0; warp < b->count[WARP]; warp++) {
        if (!(warps[warp] & b->along))
            continue;
        while (only_copies && lanes[lane])
            lane++;
        if (lane == b->count[LANE])
            return;
        uint64_t kept = lanes[lane];
        lanes[lane++] = warps[warp];
        warps[warp] = kept;
    }
}

/* The layout of the bases, with the dim or without it. */
static bool make_layout(const struct bases *b, bool with_axis, struct lw_layout *layout,
                        struct lw_error *err)
{
    struct lw_dims in = {0};
    uint64_t images[LW_BITS_MAX * LW_DIMS_MAX], image[LW_DIMS_MAX];
    int rank = b->layout->out.count, to = 0;
    for (int level = 0; level < LEVELS; level++) {
        if (!lw_dims_add(&in, lw_register_dims[level], (uint64_t)1 << b->count[level], err))
            return false;
        for (int i = 0; i < b->count[level]; i++) {
            lw_dims_unflatten(&b->layout->out, b->basis[level][i], image);
            for (int d = 0; d < rank; d++)
                if (with_axis || d != b->axis)
                    images[to++] = image[d];
        }
    }
    return lw_layout_infer(layout, &in, lw_dim_names, rank - !with_axis, images, err);
}

static bool read_layout(struct bases *b, const struct lw_layout *layout, int axis,
                        struct lw_error *err)
{
    b->layout = layout;
    b->axis = axis;
    b->along = lw_f2_mask(lw_layout_out_log2(layout, axis))
               << (lw_layout_out_shift(layout, axis) & 63);
    for (int level = 0; level < LEVELS; level++) {
        int dim = lw_dims_find(&layout->in, lw_register_dims[level]);
        if (dim != level)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "the layout must have registers, lanes, warps and blocks");
        b->count[level] = lw_layout_in_log2(layout, dim);
        memcpy(b->basis[level], &layout->basis[lw_layout_in_shift(layout, dim)],
               (size_t)b->count[level] * sizeof *b->basis[level]);
    }
    if (moving_bases(b, BLOCK))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "several blocks share dim %d: what they exchange is not counted", axis);
    for (int i = 0; i < b->count[REGISTER]; i++)
        if ((b->basis[REGISTER][i] & b->along) && (b->basis[REGISTER][i] & ~b->along))
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "a register moves along dim %d and another dim at once", axis);
    return true;
}

bool lw_reduce_steps_make(struct lw_reduce_steps *steps, const struct lw_layout *registers,
                          int axis, const struct lw_layout *result, struct lw_error *err)
{
    struct bases b;
    steps->count = 0;
    steps->last_is_result = false;
    if (axis < 0 || axis >= registers->out.count)
        return lw_error_set(err, LW_ERROR_PARAMETER, "the tensor has no dim %d", axis);
    if (!read_layout(&b, registers, axis, err))
        return false;
    drop_zero_registers(&b);
    if (reduce_level(&b, REGISTER))
        drop_zero_registers(&b);
    steps->lanes = reduce_level(&b, LANE);
    while (moving_bases(&b, WARP) && steps->count < LW_REDUCE_STEPS_MAX - 1) {
        int at = steps->count++;
        if (!make_layout(&b, true, &steps->from[at], err))
            return false;
        swap_warps_into_lanes(&b);
        if (!make_layout(&b, true, &steps->to[at], err))
            return false;
        reduce_level(&b, LANE);
    }
    struct lw_layout *last = &steps->from[steps->count];
    if (!result)
        return true;
    if (!make_layout(&b, false, last, err))
        return false;
    if (!lw_layout_equal(last, result)) {
        steps->to[steps->count++] = *result;
        steps->last_is_result = true;
    }
    return true;
}
