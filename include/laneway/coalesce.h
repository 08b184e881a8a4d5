#ifndef LANEWAY_COALESCE_H
#define LANEWAY_COALESCE_H

/*
 * COALESCING: what a warp's access to global memory touches.
 *
 * The tensor lies in global memory row by row (or column by column, or in any order of its dims), densely and
 * aligned. Each lane moves a vector of consecutive elements that it holds, at most 16 bytes; the instruction
 * touches sectors of 32 bytes and lines of 128.
 */

#include "laneway/map.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lw_coalescing {
    uint64_t vector; /* elements that one lane moves at once */
    uint64_t vector_bytes;
    uint64_t instructions; /* in the code of one warp */
    uint64_t warps;
    uint64_t sectors, lines; /* touched, summed over the instructions of all warps */
    uint64_t ideal_sectors;  /* distinct bytes of each instruction over 32, rounded up, summed */
    uint64_t bytes;          /* distinct bytes of each instruction, summed */
    uint64_t most_sectors;   /* of the worst instruction */
};

/* `order` has one entry for each dim, the fastest first (row-major rank 2: 1, 0). Fails on an element that is no
 * whole number of bytes, and over 2^16 instructions a warp. */
bool lw_coalesce(struct lw_coalescing *out, const struct lw_map *registers, unsigned element_bits,
                 const int *order, struct lw_error *err);

#ifdef __cplusplus
}
#endif

#endif
