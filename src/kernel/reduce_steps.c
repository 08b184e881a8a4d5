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

/* The bases of a layout: images in all dims, of the registers first. */
struct bases {
    int rank, axis;
    int count[LEVELS];
    uint64_t image[LW_BITS_MAX * LW_DIMS_MAX]; /* `rank` numbers a basis */
};

static int begin_of(const struct bases *b, int level)
{
    int begin = 0;
    for (int i = 0; i < level; i++)
        begin += b->count[i];
    return begin;
}

static uint64_t *image_of(struct bases *b, int level, int i)
{
    return &b->image[(begin_of(b, level) + i) * b->rank];
}

static bool is_zero(const uint64_t *image, int rank)
{
    for (int d = 0; d < rank; d++)
        if (image[d])
            return false;
    return true;
}

static void drop_zero_registers(struct bases *b)
{
    for (int i = b->count[REGISTER] - 1; i >= 0; i--) {
        uint64_t *image = image_of(b, REGISTER, i);
        if (!is_zero(image, b->rank)) {
            continue;
        }
        size_t after = (size_t)((begin_of(b, LEVELS) - i - 1) * b->rank);
        memmove(image, image + b->rank, after * sizeof *image);
        b->count[REGISTER]--;
    }
}

static int moving_bases(struct bases *b, int level)
{
    int moving = 0;
    for (int i = 0; i < b->count[level]; i++)
        moving += image_of(b, level, i)[b->axis] != 0;
    return moving;
}

/* Removes the dim from the bases of a level; the others along it become 1, 2, 4, ... False: none of the level
 * moved along it, and nothing changes. */
static bool reduce_level(struct bases *b, int level)
{
    uint64_t next = 1;
    if (!moving_bases(b, level))
        return false;
    for (int i = 0; i < b->count[level]; i++)
        image_of(b, level, i)[b->axis] = 0;
    for (int i = 0; i < begin_of(b, LEVELS); i++) {
        uint64_t *along = &b->image[i * b->rank + b->axis];
        if (*along) {
            *along = next;
            next *= 2;
        }
    }
    return true;
}

static void swap_images(struct bases *b, int lane, int warp)
{
    uint64_t *one = image_of(b, LANE, lane), *two = image_of(b, WARP, warp);
    for (int d = 0; d < b->rank; d++) {
        uint64_t kept = one[d];
        one[d] = two[d];
        two[d] = kept;
    }
}

/* Exchanges the warps that move along the dim with lanes: with lanes that hold copies when there are enough of
 * these. */
static void swap_warps_into_lanes(struct bases *b)
{
    int copies = 0, lane = 0;
    for (int i = 0; i < b->count[LANE]; i++)
        copies += is_zero(image_of(b, LANE, i), b->rank);
    bool only_copies = copies >= moving_bases(b, WARP);
    for (int warp = 0; warp < b->count[WARP]; warp++) {
        if (!image_of(b, WARP, warp)[b->axis])
            continue;
        while (only_copies && !is_zero(image_of(b, LANE, lane), b->rank))
            lane++;
        if (lane == b->count[LANE])
            return;
        swap_images(b, lane++, warp);
    }
}

/* The layout of the bases. */
static bool make_layout(const struct bases *b, struct lw_layout *layout, struct lw_error *err)
{
    struct lw_dims in = {0};
    for (int level = 0; level < LEVELS; level++)
        if (!lw_dims_add(&in, lw_register_dims[level], (uint64_t)1 << b->count[level], err))
            return false;
    return lw_layout_infer(layout, &in, lw_dim_names, b->rank, b->image, err);
}

static bool read_layout(struct bases *b, const struct lw_layout *layout, int axis,
                        struct lw_error *err)
{
    int at = 0;
    b->rank = layout->out.count;
    b->axis = axis;
    for (int level = 0; level < LEVELS; level++) {
        int dim = lw_dims_find(&layout->in, lw_register_dims[level]);
        if (dim != level)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "the layout must have registers, lanes, warps and blocks");
        b->count[level] = lw_layout_in_log2(layout, dim);
        for (int i = 0; i < b->count[level]; i++)
            lw_layout_basis(layout, dim, i, &b->image[at++ * b->rank]);
    }
    if (moving_bases(b, BLOCK))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "several blocks share dim %d: what they exchange is not counted", axis);
    for (int i = 0; i < b->count[REGISTER]; i++) {
        uint64_t image[LW_DIMS_MAX];
        memcpy(image, image_of(b, REGISTER, i), (size_t)b->rank * sizeof *image);
        bool moves = image[axis] != 0;
        image[axis] = 0;
        if (moves && !is_zero(image, b->rank))
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "a register moves along dim %d and another dim at once", axis);
    }
    return true;
}

/* Removes the dim, which has one element left. */
static void drop_axis(struct bases *b)
{
    int count = begin_of(b, LEVELS), to = 0;
    for (int i = 0; i < count; i++)
        for (int d = 0; d < b->rank; d++)
            if (d != b->axis)
                b->image[to++] = b->image[i * b->rank + d];
    b->rank--;
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
        if (!make_layout(&b, &steps->from[at], err))
            return false;
        swap_warps_into_lanes(&b);
        if (!make_layout(&b, &steps->to[at], err))
            return false;
        reduce_level(&b, LANE);
    }
    drop_axis(&b);
    struct lw_layout *last = &steps->from[steps->count];
    if (!result)
        return true;
    if (!make_layout(&b, last, err))
        return false;
    if (!lw_layout_equal(last, result)) {
        steps->to[steps->count++] = *result;
        steps->last_is_result = true;
    }
    return true;
}
