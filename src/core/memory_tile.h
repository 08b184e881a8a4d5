#ifndef LANEWAY_MEMORY_TILE_H
#define LANEWAY_MEMORY_TILE_H

/*
 * The named swizzles of shared memory, as tiles of the in-dim `offset`. The encodings and the
 * search for the best swizzle make them here.
 *
 * Source: Triton 3.7, swizzledSharedToLinearLayout, sharedToLinearLayoutAMDRotating,
 * getTMABlockShape and nvmmaSharedToLinearLayout.
 */

#include "core/tile.h"

/* ---- Rows whose columns are xored with the row's phase ---- */

struct lw_phases {
    uint64_t vec, per_phase, max_phase;
};

/* The columns that a row (a power of two) is xored with, below `cols`. */
typedef uint64_t lw_phase_function(const struct lw_phases *phases, uint64_t row, uint64_t cols);

/* swizzled_shared: vec * ((row / perPhase) mod maxPhase) */
uint64_t lw_phase_of_row(const struct lw_phases *phases, uint64_t row, uint64_t cols);
/* amd_rotating_shared: the phase xored with the number of the group of rows. */
uint64_t lw_phase_rotating(const struct lw_phases *phases, uint64_t row, uint64_t cols);
/* Appends `rows` rows of `cols` columns, one after the other in memory, each with its swizzle. */
void lw_tile_rows(struct lw_tile *tile, const struct lw_phases *phases, lw_phase_function *function,
                  int row_dim, int col_dim, uint64_t rows, uint64_t cols);
/* The same for a tensor: columns are dim order[0], rows order[1], the others follow as they are. */
void lw_tile_swizzled(struct lw_tile *tile, const struct lw_phases *phases,
                      lw_phase_function *function, const uint64_t *shape, const int64_t *order,
                      int rank);

/* ---- The swizzles of TMA and wgmma ---- */

struct lw_nvmma {
    int rank;
    uint64_t width; /* bytes of a row that are swizzled together: 0, 32, 64, 128 */
    uint64_t bits;  /* of an element */
    bool transposed, padded;
    /* A transposed part without a swizzle has its dims rotated (since Triton 3.8): of a matrix dim 0 is the
     * fastest; of more dims the sizes are those of other dims, so that some offsets hold nothing new. */
    bool rotated;
    uint64_t part[LW_DIMS_MAX]; /* of the shape that a block has */
};

/* The dim that varies fastest. */
int lw_nvmma_fast(const struct lw_nvmma *nvmma);
/* Elements of a row of the swizzle's width. */
uint64_t lw_nvmma_row(const struct lw_nvmma *nvmma);
/* Whether a block's part can have this swizzle: 8 rows that are filled, of at least 16 elements when they are padded.
 * A width of 0 always fits. */
bool lw_nvmma_fits(const struct lw_nvmma *nvmma);
/* Appends the whole part; it must fit. */
void lw_tile_nvmma(struct lw_tile *tile, const struct lw_nvmma *nvmma);

#endif
