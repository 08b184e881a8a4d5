/* Clusters of blocks. Source: CGAEncodingAttr and combineCtaCgaWithShape of Triton 3.7. */

#include "encoding/triton/cga.h"
#include "encoding/triton/linear_bases.h"

static bool layout_of_cga(const struct lw_value *bases, int rank, struct lw_layout *out,
                          struct lw_error *err)
{
    static const char *const block[] = {"block"};
    return lw_layout_of_bases(block, &bases, 1, rank, out, err);
}

/* The older notation. Defaults: as many splits as blocks, the last dim fastest. */
static bool layout_of_splits(const struct lw_encoding *encoding, int rank, struct lw_layout *out,
                             struct lw_error *err)
{
    int64_t ctas[LW_RANK_MAX], splits[LW_RANK_MAX], order[LW_RANK_MAX];
    struct lw_tile tile;
    lw_encoding_integers(encoding, "CTAsPerCGA", rank, ctas, LW_RANK_MAX);
    if (!lw_encoding_integers(encoding, "CTASplitNum", rank, splits, LW_RANK_MAX))
        for (int i = 0; i < rank; i++)
            splits[i] = ctas[i];
    if (!lw_encoding_integers(encoding, "CTAOrder", rank, order, LW_RANK_MAX))
        for (int i = 0; i < rank; i++)
            order[i] = rank - 1 - i;
    lw_tile_begin(&tile, err);
    for (int i = 0; i < rank; i++) {
        int dim = (int)order[i];
        lw_tile_identity(&tile, (uint64_t)splits[dim], "block", dim);
        lw_tile_zeros(&tile, (uint64_t)(ctas[dim] / splits[dim]), "block", dim);
    }
    lw_tile_standard_outs(&tile, rank);
    *out = tile.layout;
    return !tile.failed;
}

bool lw_cga_layout(const struct lw_encoding *encoding, int rank, struct lw_layout *out,
                   struct lw_error *err)
{
    if (lw_encoding_is_set(encoding, "CTAsPerCGA"))
        return layout_of_splits(encoding, rank, out, err);
    return layout_of_cga(lw_encoding_value(encoding, "CGALayout"), rank, out, err);
}

static bool moves_in_one_dim(const struct lw_value *basis)
{
    int moves = 0;
    for (size_t d = 0; d < basis->count; d++)
        moves += basis->items[d].integer != 0;
    return moves <= 1;
}

static void check_bases(const struct lw_encoding *encoding, int rank, struct lw_report *report)
{
    const struct lw_value *bases = lw_encoding_value(encoding, "CGALayout");
    struct lw_layout layout;
    struct lw_error err;
    for (size_t i = 0; i < bases->count; i++)
        if (!moves_in_one_dim(&bases->items[i])) {
            lw_check_add(report, encoding, "CGALayout", "each basis may move in one dim only");
            return;
        }
    if (!layout_of_cga(bases, rank, &layout, &err))
        lw_check_add(report, encoding, "CGALayout", "%s", err.message);
    else if (!lw_layout_is_surjective(&layout))
        lw_check_add(report, encoding, "CGALayout",
                     "the bases leave tiles out: 1, 2, 4, ... of each dim must be made of them");
}

static void check_splits(const struct lw_encoding *encoding, int rank, struct lw_report *report)
{
    int64_t ctas[LW_RANK_MAX], splits[LW_RANK_MAX];
    lw_encoding_integers(encoding, "CTAsPerCGA", rank, ctas, LW_RANK_MAX);
    if (!lw_encoding_integers(encoding, "CTASplitNum", rank, splits, LW_RANK_MAX))
        return;
    for (int i = 0; i < rank; i++)
        if (splits[i] > ctas[i]) {
            lw_check_add(report, encoding, "CTASplitNum",
                         "%lld in dim %d is more than the %lld of CTAsPerCGA", (long long)splits[i],
                         i, (long long)ctas[i]);
            return;
        }
}

void lw_cga_check(const struct lw_encoding *encoding, int rank, struct lw_report *report)
{
    static const char *const olds[] = {"CTAsPerCGA", "CTASplitNum", "CTAOrder"};
    bool bases = lw_encoding_is_set(encoding, "CGALayout");
    for (size_t i = 0; i < LW_COUNT(olds); i++) {
        if (!lw_encoding_is_set(encoding, olds[i]))
            continue;
        if (bases) {
            lw_check_add(report, encoding, olds[i],
                         "CGALayout is set too; set only one of the two");
            return;
        }
        if (!lw_encoding_is_set(encoding, "CTAsPerCGA")) {
            lw_check_add(report, encoding, olds[i], "CTAsPerCGA must be set too");
            return;
        }
    }
    if (bases)
        check_bases(encoding, rank, report);
    else if (lw_encoding_is_set(encoding, "CTAsPerCGA"))
        check_splits(encoding, rank, report);
}

void lw_shape_per_block(const struct lw_layout *cga, const struct lw_tensor *tensor,
                        uint64_t *shape)
{
    for (int d = 0; d < tensor->rank; d++) {
        uint64_t split = lw_dims_size(&cga->out, lw_dim_names[d]);
        shape[d] = tensor->shape[d] > split ? tensor->shape[d] / split : 1;
    }
}

bool lw_combine(struct lw_tile *tile, const struct lw_layout *cga, const struct lw_tensor *tensor,
                int rank, enum lw_family family, struct lw_map *map)
{
    struct lw_tile blocks = {.layout = *cga, .err = tile->err};
    uint64_t shape[LW_RANK_MAX];
    if (tensor->rank >= 0) {
        lw_tile_not_larger(&blocks, tensor->shape, false);
        lw_shape_per_block(&blocks.layout, tensor, shape);
        lw_tile_not_smaller(tile, shape);
        lw_tile_not_larger(tile, shape, false);
    }
    tile->failed = tile->failed || blocks.failed;
    lw_tile_times(tile, &blocks.layout);
    if (family == LW_FAMILY_DISTRIBUTED)
        return lw_tile_map(tile, lw_register_dims, 4, rank, map);
    return lw_tile_map(tile, lw_shared_dims, 2, rank, map);
}

bool lw_combine_cga(struct lw_tile *tile, const struct lw_encoding *encoding,
                    const struct lw_tensor *tensor, int rank, struct lw_map *map)
{
    struct lw_layout cga;
    return lw_cga_layout(encoding, rank, &cga, tile->err) &&
           lw_combine(tile, &cga, tensor, rank, encoding->type->family, map);
}
