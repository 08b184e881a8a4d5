/* mfma_scale: scale operands of scaled mfma (gfx950). Source: chooseScaledMfmaScaleLayout of Triton
 * 3.7; Gluon calls it get_mfma_scale_layout. */

#include "encoding/triton/scale.h"
#include "encoding/schema/types.h"

static const int64_t sizes[] = {16, 32};

static const struct lw_param params[] = {
    LW_SCALE_OPERAND("dotOperandIdx"),
    {.name = "mfmaMDim",
     .type = LW_PARAM_INTEGER,
     .choices = sizes,
     .choice_count = LW_COUNT(sizes),
     .help = "m of the instruction: 16 (16x16x128) or 32 (32x32x64)"},
    {.name = "tilesPerWarp",
     LW_POWERS_OF_TWO(LW_RULE_RANK),
     .fallback = LW_DEFAULT_ONES,
     .help = "neighbouring tiles of a warp along each dim of the result"},
    LW_WARPS_PARAM,
};

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    return lw_check_scales(encoding, tensor, err);
}

/* A lane has one scale for its 32 elements along k; the lanes cover the rows of the tile first. */
static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    int op = (int)lw_encoding_integer(encoding, "dotOperandIdx");
    uint64_t rows = (uint64_t)lw_encoding_integer(encoding, "mfmaMDim"), along_k = 64 / rows;
    int64_t tiles[2], warps[2];
    lw_scale_pair(encoding, "tilesPerWarp", op, tiles);
    lw_scale_pair(encoding, "warpsPerCTA", op, warps);
    lw_tile_begin(&tile, err);
    lw_tile_identity(&tile, 1, "register", 0);
    lw_tile_identity(&tile, rows, "lane", 0);
    lw_tile_identity(&tile, along_k, "lane", 1);
    if (tensor->shape[1] > along_k)
        lw_tile_identity(&tile, tensor->shape[1] / along_k, "register", 1);
    lw_tile_identity(&tile, (uint64_t)tiles[0], "register", 0);
    for (int i = 0; i < 2; i++) { /* along k first for a, last for b */
        int dim = op == 0 ? 1 - i : i;
        lw_tile_identity(&tile, (uint64_t)warps[dim], "warp", dim);
    }
    return lw_combine_cga(&tile, encoding, tensor, 2, map);
}

const struct lw_encoding_type lw_encoding_mfma_scale = {
    .name = "mfma_scale",
    .title = "scales for mfma",
    .about = "The scale factors of a scaled mfma instruction of gfx950, as Triton lays them out. "
             "Each lane takes 32 elements along k of its operand and one scale with them: 64 lanes "
             "make 32 rows with 2 scales along k, or 16 rows with 4. Warps that share rows of the "
             "operand hold the same scales.",
    .example = "{\"encoding\": \"mfma_scale\", \"shape\": [128, 8], \"element\": \"i8\", "
               "\"params\": {\"dotOperandIdx\": 0, \"mfmaMDim\": 32, \"warpsPerCTA\": [4, 1]}}",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, params, check, build),
};
