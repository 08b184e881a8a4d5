#ifndef LANEWAY_COALESCE_H
#define LANEWAY_COALESCE_H

/*
 * COALESCING: what a warp's access to global memory touches.
 *
 * The tensor is dense and aligned in global memory, in a given order of its dims (row-major, for
 * example). Each lane moves a vector of consecutive elements that it holds, at most 16 bytes; the
 * instruction touches sectors of 32 bytes and lines of 128.
 *
 *     32 lanes hold a row of 128 x f16, four elements each: vectors of 8 bytes, one instruction,
 *     8 sectors, 2 lines. When each lane holds a different row: 32 sectors, ideal 8.
 *
 * Registers that only repeat another are left out. The vector is the largest power of two of
 * elements for which the registers, in the order of their addresses in the first thread, are runs
 * of that length that are consecutive and aligned in every thread: what one instruction can move.
 */

#include "laneway/map.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

#define LW_SECTOR_BYTES 32 /* bytes of a sector of global memory */
#define LW_LINE_BYTES 128  /* bytes of a cache line */

/* What the accesses to a whole tensor touch. Sums are over the instructions of all warps. */
struct lw_coalescing {
    uint64_t vector;         /* elements that one lane moves at once */
    uint64_t vector_bytes;   /* the same in bytes, at most 16 */
    uint64_t instructions;   /* in the code of one warp */
    uint64_t warps;          /* of all blocks */
    uint64_t sectors, lines; /* that each instruction touches, summed */
    uint64_t ideal_sectors;  /* distinct bytes of each instruction over 32, rounded up, summed */
    uint64_t bytes;          /* distinct bytes of each instruction, summed */
    uint64_t max_sectors;    /* that one instruction touches */
};

/* Counts the accesses that store or load all elements of `registers`, a map (register, lane,
 * warp, block) or (local, thread) -> tensor, whose dim `thread` is split into warps of `lanes`
 * (1 to 64). `order` has one entry for each dim of the tensor, the fastest first (row-major of
 * rank 2: 1, 0). Fails with LW_ERROR_UNSUPPORTED on a map of other dims and on an element that
 * is not 1 to 16 whole bytes, with LW_ERROR_PARAMETER on an order that is no permutation of the
 * dims, and with LW_ERROR_LIMIT on over 2^16 instructions a warp and on over 2^18 hardware
 * indices of a map that is not linear. */
bool lw_coalesce(struct lw_coalescing *out, const struct lw_map *registers, unsigned lanes,
                 unsigned element_bits, const int *order, struct lw_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
