#ifndef LANEWAY_MMA_H
#define LANEWAY_MMA_H

/* What the layouts of matrix instructions, of their operands and of scale factors have in common. */

#include "encoding/triton/cga.h"

#define LW_WARPS_PARAM                                                                             \
    LW_POWERS("warpsPerCTA", LW_RULE_RANK, "warps along each dim of the result",                   \
              .fallback = LW_DEFAULT_REQUIRED)

/* Writes a list of integers that was checked, and returns its count. */
int lw_integers(const struct lw_encoding *encoding, const char *name, int64_t *out);
/* Warps along all dims but k, where they hold copies. (broadcastedDotOperandLayout) */
void lw_tile_broadcast(struct lw_tile *tile, const char *in, const int64_t *sizes,
                       const int64_t *order, int rank, int k);
/* Removes the moves along a dim, whose size becomes 1, and then the bases of the first input dim,
 * the registers, that are zero. (projectAwayOutDim, actionRemoveBroadcastedRegs) */
void lw_flatten_dim(struct lw_layout *layout, int dim);
/* The layout of warps (and registers) of amd_wmma, one tile each, by ctaLayout or warpsPerCTA. */
bool lw_wmma_warps(const struct lw_encoding *encoding, int rank, struct lw_layout *out,
                   struct lw_error *err);
/* Checks ctaLayout or warpsPerCTA. */
bool lw_check_wmma_warps(const struct lw_encoding *encoding, int rank, struct lw_error *err);

#endif
