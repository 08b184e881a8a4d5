/* What the encodings of shared memory have in common: they need a shape, and most swizzle rows. */

#include "encoding/triton/shared.h"

bool lw_check_shape_is_set(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                           struct lw_error *err)
{
    return tensor->rank >= 0 ||
           lw_refuse_no_shape(err, encoding,
                              "its rows are as long as the tensor's (set it with -t 64x64xf16)");
}

bool lw_check_swizzled(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_error *err)
{
    return lw_check_shape_is_set(encoding, tensor, err) &&
           lw_cga_check(encoding, tensor->rank, err);
}

struct lw_phases lw_encoding_phases(const struct lw_encoding *encoding)
{
    return (struct lw_phases){(uint64_t)lw_encoding_integer(encoding, "vec"),
                              (uint64_t)lw_encoding_integer(encoding, "perPhase"),
                              (uint64_t)lw_encoding_integer(encoding, "maxPhase")};
}

bool lw_build_swizzled(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       bool per_block, lw_phase_function *function, struct lw_map *map,
                       struct lw_error *err)
{
    struct lw_phases phases = lw_encoding_phases(encoding);
    struct lw_tile tile;
    struct lw_layout cga;
    int rank = tensor->rank;
    uint64_t shape[LW_RANK_MAX];
    int64_t order[LW_RANK_MAX];
    if (!lw_cga_layout(encoding, rank, &cga, err))
        return false;
    lw_encoding_integers(encoding, "order", rank, order, LW_RANK_MAX);
    lw_shape_per_block(&cga, tensor, shape);
    for (int d = 0; d < rank && rank > 1 && !per_block; d++)
        shape[d] = tensor->shape[d];
    lw_tile_begin(&tile, err);
    lw_tile_swizzled(&tile, &phases, function, shape, order, rank);
    return lw_combine(&tile, &cga, tensor, rank, LW_FAMILY_SHARED, map);
}
