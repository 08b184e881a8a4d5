#ifndef LANEWAY_TILE_H
#define LANEWAY_TILE_H

/*
 * A layout that is being put together, factor by factor.
 *
 *     struct lw_tile tile;
 *     lw_tile_begin(&tile, err);
 *     lw_tile_identity(&tile, 4, "register", 1);
 *     lw_tile_identity(&tile, 32, "lane", 0);
 *     return lw_tile_map(&tile, map);
 *
 * A step that fails stores the error, and later steps do nothing, so one check at the end is
 * enough. Tensor dims are given by number: 1 is "dim1".
 *
 * Source: Triton 3.7, lib/Tools/LayoutUtils.cpp and lib/Dialect/TritonGPU/IR.
 */

#include "laneway/map.h"

struct lw_tile {
    struct lw_layout layout;
    struct lw_error *err;
    bool failed;
};

extern const char *const lw_dim_names[LW_DIMS_MAX];

void lw_tile_begin(struct lw_tile *tile, struct lw_error *err);
/* Multiplies by L(x) = x, by L(x) = 0, and by any layout. */
void lw_tile_identity(struct lw_tile *tile, uint64_t size, const char *in, int dim);
void lw_tile_zeros(struct lw_tile *tile, uint64_t size, const char *in, int dim);
void lw_tile_times(struct lw_tile *tile, const struct lw_layout *layout);
/* Multiplies by one in-dim whose bases move in two dims: bases[i] = {move in a, move in b}. */
void lw_tile_bases(struct lw_tile *tile, const char *in, int dim_a, int dim_b,
                   const uint64_t (*bases)[2], int count);
/* The product of identities over `order`, the most minor first. (identityStandardND) */
void lw_tile_ordered(struct lw_tile *tile, const char *in, const int64_t *sizes,
                     const int64_t *order, int rank);
/* Puts the out-dims in that order. (transposeOuts) */
void lw_tile_outs(struct lw_tile *tile, const int64_t *order, int rank);
void lw_tile_standard_outs(struct lw_tile *tile, int rank);
/* Moves the out-dims to other names: dim i becomes what dim order[i] was. The tile has `rank`
 * out-dims in the standard order before and after. (transposeLinearLayout) */
void lw_tile_permute(struct lw_tile *tile, const int64_t *order, int rank);
/* Reshapes the two out-dims to `rank` dims of that shape, all row-major. (reshapeLayout) */
void lw_tile_reshape(struct lw_tile *tile, const uint64_t *shape, int rank);
/* Grows the first in-dim until each out-dim is as large as the shape. (ensureLayoutNotSmallerThan)
 */
void lw_tile_not_smaller(struct lw_tile *tile, const uint64_t *shape);
/* Shrinks out-dims that are larger than the shape: bases that lead out of it become zero; with
 * `drop` those of the first in-dim are removed. (ensureLayoutNotLargerThan) */
void lw_tile_not_larger(struct lw_tile *tile, const uint64_t *shape, bool drop);
/* Shrinks out-dims that are larger than the shape: in each basis the moves that lead out of it become zero, and the
 * bases of the first in-dim that are then zero are removed. (ensureLayoutNotLargerThan of Triton 3.8) */
void lw_tile_clip(struct lw_tile *tile, const uint64_t *shape);
/* The size of a tensor dim so far. */
uint64_t lw_tile_size(const struct lw_tile *tile, int dim);
/* The map, with those in-dims in that order; ones that are missing have size 1. */
bool lw_tile_map(struct lw_tile *tile, const char *const *ins, int in_count, int rank,
                 struct lw_map *map);
/* The layout with those in-dims in that order, of which it may lack some: these have size 1. Fails when it
 * has others. */
bool lw_layout_with_ins(struct lw_layout *out, const struct lw_layout *layout,
                        const char *const *ins, int count, struct lw_error *err);
/* The in-dims of layouts in registers, and in shared memory. */
extern const char *const lw_register_dims[4];
extern const char *const lw_shared_dims[2];

#endif
