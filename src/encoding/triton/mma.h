#ifndef LANEWAY_MMA_H
#define LANEWAY_MMA_H

/* What the layouts of matrix instructions and of their operands have in common. */

#include "encoding/triton/cga.h"

#define LW_WARPS_PARAM                                                                             \
    {                                                                                              \
        .name = "warpsPerCTA", LW_POWERS_OF_TWO(LW_RULE_RANK),                                     \
        .help = "warps along each dim of the result"                                               \
    }

/* The dims of a batch of matrices from the fastest: rows side by side, or columns.
 * (getMatrixOrder) */
void lw_matrix_order(int rank, bool row_major, int64_t *order);
/* The order of an operand whose k dim is the fastest. `op` is 0 for a, 1 for b. */
void lw_operand_order(int op, int rank, int64_t *order);
/* The k dim of an operand. */
int lw_operand_k(int op, int rank);
/* Whether the rank is 2 or 3 (a batch first). */
bool lw_check_matrix_rank(const struct lw_encoding *encoding, int rank, struct lw_error *err);
/* Writes a list of integers that was checked, and returns its count. */
int lw_integers(const struct lw_encoding *encoding, const char *name, int64_t *out);

/* The C fragment of an m16n8 instruction, and with other widths those of A and B: `width` registers
 * and 4 lanes along order[0], 8 lanes along order[1], then more registers. (nvidiaMmaTile) */
void lw_nvidia_tile(struct lw_tile *tile, const int64_t *shape, int64_t width, const int64_t *order,
                    const int64_t *outs, int rank);
/* Warps along all dims but k, where they hold copies. (broadcastedDotOperandLayout) */
void lw_tile_broadcast(struct lw_tile *tile, const char *in, const int64_t *sizes,
                       const int64_t *order, int rank, int k);

/* Removes the moves along a dim from a layout: its size becomes 1. (projectAwayOutDim) */
void lw_zero_dim(struct lw_layout *layout, int dim);
/* The same, and then removes the bases of its first input dim, the
 * registers, that are zero. (actionRemoveBroadcastedRegs) */
void lw_flatten_dim(struct lw_layout *layout, int dim);

/* The layout of warps (and registers) of amd_wmma, one tile each. */
bool lw_wmma_warps(const struct lw_encoding *encoding, int rank, struct lw_layout *out,
                   struct lw_error *err);
/* Checks ctaLayout or warpsPerCTA. */
bool lw_check_wmma_warps(const struct lw_encoding *encoding, int rank, struct lw_error *err);
void lw_wmma_shape(const struct lw_encoding *encoding, int64_t mnk[3]);
/* tilesPerWarp of amd_mfma, or of amd_wmma in Triton 3.6; ones when it is not set. */
void lw_amd_tiles(const struct lw_encoding *encoding, int rank, int64_t *tiles);
/* Repeats tiles of `tile_n` columns along n over the whole tensor, then along m, by tilesPerWarp and warpsPerCTA. */
void lw_tile_amd_warps(struct lw_tile *tile, const struct lw_encoding *encoding,
                       const struct lw_tensor *tensor, int rank, int64_t tile_n);

#endif
