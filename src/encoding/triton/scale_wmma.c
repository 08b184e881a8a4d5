/* wmma_scale: scale operands of scaled wmma (gfx1250). Source: chooseScaledWmmaScaleLayout of
 * Triton 3.7; Gluon calls it get_wmma_scale_layout. */

#include "encoding/triton/scale.h"
#include "encoding/schema/types.h"

#define ROWS 16
#define WIDTH 4      /* scales along k that a lane holds as one value of 32 bits */
#define UPPER_HALF 4 /* the lane bit of the upper 16 lanes */

static const int64_t sizes[] = {ROWS};

static const struct lw_param params[] = {
    LW_SCALE_OPERAND("dotOperandIdx"),
    {.name = "wmmaMDim",
     .type = LW_PARAM_INTEGER,
     .choices = sizes,
     .choice_count = LW_COUNT(sizes),
     .fallback = LW_DEFAULT_NUMBER,
     .number = ROWS,
     .help = "m of the instruction"},
    {.name = "ctaLayout",
     .type = LW_PARAM_NAMED_BASES,
     .max = LW_NUMBER_MAX,
     .help = "which tile of the result each warp has, and which more in registers, as bases: {warp "
             "= [[0, 1], [1, 0]]}"},
};

static void check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_report *report)
{
    if (lw_check_scales(encoding, tensor, WIDTH, report))
        lw_check_wmma_warps(encoding, 2, report);
}

/* The upper half of the lanes would hold copies. When a warp has a second tile, they hold its
 * scales instead, and the register that would is free. */
static void use_upper_half(struct lw_layout *layout, int repeat)
{
    int upper = lw_layout_in_shift(layout, 1) + UPPER_HALF, bits = lw_layout_in_bits(layout);
    layout->basis[upper] = layout->basis[repeat];
    for (int i = repeat; i + 1 < bits; i++)
        layout->basis[i] = layout->basis[i + 1];
    layout->basis[bits - 1] = 0;
    layout->in.dim[0].size /= 2;
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    static const int64_t exchanged[2] = {1, 0};
    struct lw_tile tile, warps;
    struct lw_layout layout;
    int repeat = lw_log2(tensor->shape[1]); /* registers up to here are along k */
    lw_tile_begin(&warps, err);
    if (!lw_wmma_warps(encoding, 2, &warps.layout, err))
        return false;
    if (lw_encoding_integer(encoding, "dotOperandIdx") == 1)
        lw_tile_permute(&warps, exchanged, 2);
    lw_flatten_dim(&warps.layout, 1);
    lw_tile_begin(&tile, err);
    lw_tile_identity(&tile, WIDTH, "register", 1);
    lw_tile_identity(&tile, ROWS, "lane", 0);
    lw_tile_zeros(&tile, 2, "lane", 0);
    lw_tile_identity(&tile, tensor->shape[1] / WIDTH, "register", 1);
    lw_tile_standard_outs(&tile, 2);
    tile.failed = tile.failed || warps.failed;
    lw_tile_times(&tile, &warps.layout);
    if (!lw_combine_cga(&tile, encoding, tensor, 2, map) || !lw_map_to_layout(map, &layout, err))
        return false;
    if (lw_layout_in_log2(&layout, 0) > repeat)
        use_upper_half(&layout, repeat);
    lw_map_from_layout(map, &layout);
    return true;
}

const struct lw_encoding_type lw_encoding_wmma_scale = {
    .name = "wmma_scale",
    .title = "scales for wmma",
    .about =
        "The scale factors of a scaled wmma instruction of gfx1250, as Triton lays them out. A "
        "lane has 4 scales along k, in 32 bits, and 16 lanes the 16 rows of a tile. One tile "
        "needs only half of the wave; the other half holds the scales of the next tile of the "
        "same warp, when there is one, and copies otherwise.",
    .example = "{\"encoding\": \"wmma_scale\", \"shape\": [64, 4], \"element\": \"i8\", "
               "\"params\": {\"dotOperandIdx\": 0, \"ctaLayout\": {\"warp\": [[0, 1], [1, 0]]}}}",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, params, check, build),
};
