/* sm120_scale: scale operands of block-scaled mma.sync. Source: getSM120DotScaledScaleLayout of
 * Triton 3.7, and "Warp-level block scaling" of the PTX manual. */

#include "encoding/triton/scale.h"
#include "encoding/schema/types.h"

static const struct lw_param params[] = {
    LW_SCALE_OPERAND("opIdx"),
    LW_WARPS_PARAM,
    LW_CGA_PARAMS,
};

bool lw_check_scales(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                     struct lw_error *err)
{
    if (tensor->rank < 0)
        return lw_refuse_no_shape(err, encoding,
                                  "that of the scales, m or n by k/32 (-t 128x4xi8)");
    return tensor->rank == 2 ||
           lw_refuse_shape(err, tensor, "%s is for matrices, of 2 dims", encoding->type->name);
}

void lw_scale_pair(const struct lw_encoding *encoding, const char *name, int op, int64_t pair[2])
{
    int64_t sizes[LW_RANK_MAX] = {1, 1};
    lw_encoding_integers(encoding, name, 2, sizes, LW_RANK_MAX);
    pair[0] = sizes[op ? 1 : 0];
    pair[1] = sizes[op ? 0 : 1];
}

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    return lw_check_scales(encoding, tensor, err) && lw_cga_check(encoding, 2, err);
}

/* Each group of 4 lanes has one row; for a, the odd lanes have the row 8 further down. */
static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    static const uint64_t lanes[2][5][2] = {{{8, 0}, {0, 0}, {1, 0}, {2, 0}, {4, 0}},
                                            {{0, 0}, {0, 0}, {1, 0}, {2, 0}, {4, 0}}};
    static const int64_t orders[2][2] = {{1, 0}, {0, 1}};
    struct lw_tile tile;
    int op = (int)lw_encoding_integer(encoding, "opIdx");
    int64_t warps[2];
    lw_scale_pair(encoding, "warpsPerCTA", op, warps);
    lw_tile_begin(&tile, err);
    lw_tile_identity(&tile, tensor->shape[1], "register", 1);
    lw_tile_bases(&tile, "lane", 0, 1, lanes[op], 5);
    lw_tile_broadcast(&tile, "warp", warps, orders[op], 2, 1);
    return lw_combine_cga(&tile, encoding, tensor, 2, map);
}

const struct lw_encoding_type lw_encoding_sm120_scale = {
    .name = "sm120_scale",
    .title = "scales for mma.sync",
    .about =
        "The scale factors of block-scaled mma.sync (sm120), as Triton lays them out. A thread "
        "has all the scales of its rows. The four lanes that share a row of the operand hold "
        "the same scale, but for a, where the odd lanes of each four have the rows 8 further "
        "down; the instruction takes them from lanes 0 and 1 of the four for a, from lane 0 "
        "for b.",
    .example = "{\"encoding\": \"sm120_scale\", \"shape\": [128, 4], \"element\": \"i8\", "
               "\"params\": {\"opIdx\": 0, \"warpsPerCTA\": [2, 2]}}",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, params, check, build),
};
