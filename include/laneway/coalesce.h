#ifndef LANEWAY_COALESCE_H
#define LANEWAY_COALESCE_H

/*
 * COALESCING: what a warp's access to global memory touches.
 *
 * The tensor lies in global memory row by row (or column by column, or in any order of its dims), densely and
 * aligned. Each lane moves a vector of consecutive elements that it holds, at most 16 bytes; the instruction
 * touches sectors of 32 bytes and lines of 128.
 *
 *     32 lanes hold a row of 128 x f16, four elements each: vectors of 8 bytes, one instruction, 8 sectors, 2
 *     lines. When each lane holds a row of its own: 32 sectors an instruction, where 8 would do.
 *
 * Registers that only repeat another are left out. The vector is the largest power of two of elements for
 * which the registers, in the order of the addresses that the first thread gives them, fall into runs of
 * that length that are consecutive and aligned in every thread: what one instruction can move.
 */

#include "laneway/map.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

#define LW_SECTOR_BYTES 32
#define LW_LINE_BYTES 128

struct lw_coalescing {
    uint64_t vector; /* elements that one lane moves at once */
    uint64_t vector_bytes;
    uint64_t instructions;   /* in the code of one warp */
    uint64_t warps;          /* of all blocks */
    uint64_t sectors, lines; /* touched, summed over the instructions of all warps */
    uint64_t ideal_sectors;  /* distinct bytes of each instruction over 32, rounded up, summed */
    uint64_t bytes;          /* distinct bytes of each instruction, summed */
    uint64_t most_sectors;   /* of the worst instruction */
};

/* `registers` is a map (register, lane, warp, block) or (local, thread) -> tensor; a dim `thread` is split
 * into warps of `lanes` (1 to 64). `order` has one entry for each dim of the tensor, the fastest first
 * (row-major rank 2: 1, 0). Fails on a map of other dims, on an element that is no whole number of bytes up to
 * 16, over 2^16 instructions a warp, and on over 2^18 places of a map that is not linear. */
bool lw_coalesce(struct lw_coalescing *out, const struct lw_map *registers, unsigned lanes,
                 unsigned element_bits, const int *order, struct lw_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
