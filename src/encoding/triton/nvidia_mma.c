/* nvidia_mma: results of mma.sync (version 2) and wgmma (3). Source: NvidiaMmaEncodingAttr of
 * Triton 3.7. */

#include "encoding/triton/mma.h"
#include "encoding/schema/types.h"

static const int64_t versions[] = {2, 3};

static const struct lw_param params[] = {
    {.name = "versionMajor",
     .type = LW_PARAM_INTEGER,
     .choices = versions,
     .choice_count = LW_COUNT(versions),
     .help = "2: mma.sync (Turing, Ampere and later), 3: wgmma (Hopper)"},
    {.name = "versionMinor",
     .type = LW_PARAM_INTEGER,
     .max = 9,
     .fallback = LW_DEFAULT_NUMBER,
     .help = "0, or 1 for Turing; the layout is the same"},
    LW_WARPS_PARAM,
    LW_CGA_PARAMS,
    {.name = "instrShape",
     LW_POWERS_OF_TWO(0),
     .help = "the instruction: [16, 8] (with a batch [1, 16, 8]), or m, n, k of wgmma: "
             "[16, 64, 16]"},
};

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    int64_t instr[LW_RANK_MAX];
    int rank = lw_schema_rank(encoding, tensor), count = lw_integers(encoding, "instrShape", instr);
    bool hopper = lw_encoding_integer(encoding, "versionMajor") == 3;
    if (!lw_check_matrix_rank(encoding, rank, err) || !lw_cga_check(encoding, rank, err))
        return false;
    if (hopper && rank != 2)
        return lw_refuse(err, encoding, "warpsPerCTA",
                         "wgmma (versionMajor = 3) has no batches: 2 dims, not %d", rank);
    if (hopper && count != 2 && count != 3)
        return lw_refuse(err, encoding, "instrShape", "%d entries, but wgmma has m, n, k", count);
    if (!hopper && count != rank)
        return lw_refuse(err, encoding, "instrShape", "%d entries, but the tensor has %d dims",
                         count, rank);
    const int64_t *mn = instr + (hopper ? 0 : rank - 2);
    return (mn[0] >= 8 && mn[1] >= 8) ||
           lw_refuse(err, encoding, "instrShape", "m and n must be at least 8");
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile, warps;
    int64_t instr[LW_RANK_MAX], per_cta[LW_RANK_MAX], order[LW_RANK_MAX], warp_order[LW_RANK_MAX];
    int rank = lw_schema_rank(encoding, tensor);
    bool hopper = lw_encoding_integer(encoding, "versionMajor") == 3;
    lw_integers(encoding, "instrShape", instr);
    lw_integers(encoding, "warpsPerCTA", per_cta);
    lw_matrix_order(rank, true, order);
    lw_matrix_order(rank, !hopper, warp_order);
    lw_tile_begin(&tile, err);
    lw_tile_begin(&warps, err);
    lw_nvidia_tile(&tile, instr, 2, order, order, rank);
    lw_tile_ordered(&warps, "warp", per_cta, warp_order, rank);
    lw_tile_outs(&warps, order, rank);
    tile.failed = tile.failed || warps.failed;
    lw_tile_times(&tile, &warps.layout);
    return lw_combine_cga(&tile, encoding, tensor, rank, map);
}

const struct lw_encoding_type lw_encoding_nvidia_mma = {
    .name = "nvidia_mma",
    .dialect = "ttg",
    .title = "NVIDIA matrix results",
    .about =
        "How a warp (or, with wgmma, four of them) holds the result C of a tensor core "
        "instruction. In the basic 8 x 8 piece each row is held by 4 lanes with 2 neighbouring "
        "elements each; an m16n8 tile is two such pieces, one above the other. Further tiles "
        "follow in more registers. Operands A and B are `dot_op` layouts with this as their "
        "parent.",
    .example = "tensor<32x32xf32, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
               "warpsPerCTA = [2, 2], instrShape = [16, 8]}>>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, params, check, build),
};
