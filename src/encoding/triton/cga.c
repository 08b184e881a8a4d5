/* Clusters of blocks. Source: CGAEncodingAttr and combineCtaCgaWithShape of Triton 3.7. */

#include "encoding/triton/cga.h"
#include "encoding/triton/linear_bases.h"

#include <string.h>

static bool layout_of_cga(const struct lw_value *bases, int rank, struct lw_layout *out,
                          struct lw_error *err)
{
    static const char *const block[] = {"block"};
    return lw_layout_of_bases(block, &bases, 1, rank, out, err);
}

bool lw_cga_of_splits(const int64_t *ctas, const int64_t *splits, const int64_t *order, int rank,
                      struct lw_layout *out, struct lw_error *err)
{
    struct lw_tile tile;
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

/* The older notation. Defaults: as many splits as blocks, the last dim fastest. */
static bool layout_of_splits(const struct lw_encoding *encoding, int rank, struct lw_layout *out,
                             struct lw_error *err)
{
    int64_t ctas[LW_RANK_MAX], splits[LW_RANK_MAX], order[LW_RANK_MAX];
    lw_encoding_integers(encoding, "CTAsPerCGA", rank, ctas, LW_RANK_MAX);
    if (!lw_encoding_integers(encoding, "CTASplitNum", rank, splits, LW_RANK_MAX))
        memcpy(splits, ctas, (size_t)rank * sizeof *splits);
    if (!lw_encoding_integers(encoding, "CTAOrder", rank, order, LW_RANK_MAX))
        for (int i = 0; i < rank; i++)
            order[i] = rank - 1 - i;
    return lw_cga_of_splits(ctas, splits, order, rank, out, err);
}

bool lw_cga_layout(const struct lw_encoding *encoding, int rank, struct lw_layout *out,
                   struct lw_error *err)
{
    if (lw_encoding_is_set(encoding, "CTAsPerCGA"))
        return layout_of_splits(encoding, rank, out, err);
    return layout_of_cga(lw_encoding_value(encoding, "CGALayout"), rank, out, err);
}

/* ---- Writing ---- */

bool lw_cga_set(struct lw_arena *arena, struct lw_encoding *encoding, const struct lw_layout *cga)
{
    if (lw_layout_in_bits(cga) == 0)
        return true;
    struct lw_value bases = lw_bases_value(arena, cga, 0);
    return lw_encoding_since(encoding, LW_TRITON_3_6) &&
           lw_encoding_set(encoding, "CGALayout", &bases, NULL);
}

/* ---- Checks ---- */

static bool check_bases(const struct lw_encoding *encoding, int rank, struct lw_error *err)
{
    const struct lw_value *bases = lw_encoding_value(encoding, "CGALayout");
    struct lw_layout layout;
    struct lw_error why;
    for (size_t i = 0; i < bases->count; i++)
        if (!lw_check_basis(encoding, "CGALayout", &bases->items[i], false, err))
            return false;
        else if (bases->items[i].count != (size_t)rank)
            return lw_refuse(err, encoding, "CGALayout", "each basis must have %d numbers", rank);
    if (!layout_of_cga(bases, rank, &layout, &why))
        return lw_refuse(err, encoding, "CGALayout", "%s", why.message);
    return lw_layout_is_surjective(&layout) ||
           lw_refuse(err, encoding, "CGALayout",
                     "the bases leave tiles out: 1, 2, 4, ... of each dim must be made of them");
}

bool lw_cga_check(const struct lw_encoding *encoding, int rank, struct lw_error *err)
{
    static const char *const olds[] = {"CTAsPerCGA", "CTASplitNum", "CTAOrder"};
    int64_t ctas[LW_RANK_MAX], splits[LW_RANK_MAX];
    bool bases = lw_encoding_is_set(encoding, "CGALayout");
    for (size_t i = 0; i < LW_COUNT(olds); i++)
        if (lw_encoding_is_set(encoding, olds[i]) &&
            (bases || !lw_encoding_is_set(encoding, olds[0])))
            return lw_refuse(err, encoding, olds[i],
                             bases ? "CGALayout is set too; set only one of the two"
                                   : "CTAsPerCGA must be set too");
    size_t blocks = lw_encoding_integers(encoding, "CTAsPerCGA", rank, ctas, LW_RANK_MAX);
    size_t pieces = lw_encoding_integers(encoding, "CTASplitNum", rank, splits, LW_RANK_MAX);
    for (size_t i = 0; i < blocks && i < pieces; i++)
        if (splits[i] > ctas[i])
            return lw_refuse(err, encoding, "CTASplitNum",
                             "%lld in dim %zu is more than the %lld of CTAsPerCGA",
                             (long long)splits[i], i, (long long)ctas[i]);
    return !bases || check_bases(encoding, rank, err);
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
