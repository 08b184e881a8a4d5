#ifndef LANEWAY_REDUCTION_H
#define LANEWAY_REDUCTION_H

/*
 * REDUCTIONS AND SCANS: what the warps of a block tell each other.
 *
 * A sum along a dim of a tensor in registers is made in three steps: each thread over its own registers, each warp over its
 * lanes with shuffles, and where several warps share the dim, the block through shared memory:
 *
 *     tensor<4x1024xf32>, 4 warps side by side along dim 1, each thread with 8 elements of each of the 4 rows:
 *     every warp stores 4 numbers, one lane each:     4 instructions x 4 warps, 16 wavefronts
 *     16 threads load one each, shuffle, store it:    1 wavefront, 1 wavefront
 *     every thread loads the 4 results:               4 instructions x 4 warps, 16 wavefronts
 *
 * A scan along a dim stores the last sum of each warp and of each of its chunks of neighbouring registers, and each warp
 * loads those of all warps.
 *
 * Nothing is left to the back end in a reduction: its stores and its loads have gaps between them, so that each is an instruction
 * of its own. Of a scan whose sums are neighbours in memory, those of a tensor without another dim, loads are merged.
 *
 * Source: ReduceOpToLLVM.cpp, ScanOpToLLVM.cpp and lib/Analysis/Utility.cpp of Triton, the same in 3.6 and 3.7; the
 * wavefronts are those of wavefront.h. Compared with the counters of an H200 in tests/golden/reductions_h200.jsonl.
 */

#include "laneway/plan.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* Tensors that one operation reduces together, as argmax does: values and their places. */
#define LW_REDUCTION_OPERANDS_MAX 8

struct lw_reduction_request {
    const struct lw_map *registers; /* (register, lane, warp, block) -> tensor; of all operands */
    const struct lw_map *result;    /* of a reduction: its result's; NULL: one number */
    bool scan;
    const int *order; /* of a scan: the order of the blocked layout, one entry for each dim */
    int axis;
    int operand_count;
    unsigned element_bits[LW_REDUCTION_OPERANDS_MAX];
    uint32_t used; /* bit i: the result of operand i is used; 0: all are */
    bool
        to_global; /* a result goes straight to a global store, and nowhere else: only those who store load it */
    const struct lw_hardware *hardware; /* NULL: the usual */
};

struct lw_reduction {
    bool shared; /* several warps share the dim; else all below is 0 but shuffles */
    unsigned
        shuffle_steps; /* halvings within a warp, then between those who load the partial sums */
    struct lw_plan_total store, load; /* of all warps */
    uint64_t stores, loads;           /* instructions in the code of one warp */
    uint64_t shared_bytes;
};

/* Fails, saying why, where the rule does not hold: a map that is not linear, several blocks, a basis that moves along
 * several dims; with LW_ERROR_LIMIT on over 2^16 instructions of all warps. */
bool lw_reduction_make(struct lw_reduction *out, const struct lw_reduction_request *request,
                       struct lw_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
