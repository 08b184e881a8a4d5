/* What the encodings of shared memory have in common: they need a shape, and most swizzle rows. */

#include "encoding/shared.h"

bool lw_check_shape_said(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         struct lw_report *report)
{
    struct lw_error err;
    if (tensor->rank >= 0)
        return true;
    lw_error_about(&err, "shape", encoding->place,
                   "%s needs a shape: its rows are as long as the tensor's (-t 64x64xf16)",
                   encoding->type->name);
    err.code = LW_ERROR_SHAPE;
    lw_report_add(report, &err);
    return false;
}

void lw_check_swizzled(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_report *report)
{
    if (lw_check_shape_said(encoding, tensor, report))
        lw_cga_check(encoding, tensor->rank, report);
}

/* Columns in place, then rows that take their swizzle with them. */
void lw_add_swizzled_rows(struct lw_tile *tile, const struct lw_encoding *encoding, int row_dim,
                          int col_dim, uint64_t rows, uint64_t cols, lw_swizzle_function *function)
{
    struct lw_swizzle swizzle = {(uint64_t)lw_encoding_integer(encoding, "vec"),
                                 (uint64_t)lw_encoding_integer(encoding, "perPhase"),
                                 (uint64_t)lw_encoding_integer(encoding, "maxPhase")};
    uint64_t bases[2 * LW_BITS_MAX][2];
    int count = 0;
    for (uint64_t c = 1; c < cols; c *= 2, count++) {
        bases[count][0] = 0;
        bases[count][1] = c;
    }
    for (uint64_t r = 1; r < rows; r *= 2, count++) {
        bases[count][0] = r;
        bases[count][1] = function(&swizzle, r, cols);
    }
    lw_tile_bases(tile, "offset", row_dim, col_dim, (const uint64_t(*)[2])bases, count);
}

bool lw_build_swizzled(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       bool per_block, lw_swizzle_function *function, struct lw_map *map,
                       struct lw_error *err)
{
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
    if (rank == 1)
        lw_tile_identity(&tile, shape[0], "offset", 0);
    else
        lw_add_swizzled_rows(&tile, encoding, (int)order[1], (int)order[0], shape[order[1]],
                             shape[order[0]], function);
    for (int i = 2; i < rank; i++)
        lw_tile_identity(&tile, shape[order[i]], "offset", (int)order[i]);
    return lw_combine(&tile, &cga, tensor, rank, LW_FAMILY_SHARED, map);
}
