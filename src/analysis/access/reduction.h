#ifndef LANEWAY_ANALYSIS_ACCESS_REDUCTION_H
#define LANEWAY_ANALYSIS_ACCESS_REDUCTION_H

/*
 * REDUCTIONS AND SCANS: what the warps of a block exchange through shared memory.
 *
 * A sum along a dim of a tensor in registers has three steps: each thread over its own registers,
 * each warp over its lanes with shuffles, and, where several warps share the dim, the block through
 * shared memory:
 *
 *     tensor<4x1024xf32>, 4 warps along dim 1, each thread with 8 elements of each row:
 *     every warp stores 4 numbers, one lane each:     4 instructions x 4 warps, 16 wavefronts
 *     16 threads load one each, shuffle, store it:    1 wavefront, 1 wavefront
 *     every thread loads the 4 results:               4 instructions x 4 warps, 16 wavefronts
 *
 * A scan along a dim stores the last sum of each warp, for each of its chunks of neighbouring
 * registers, and each warp loads those of all warps.
 *
 * The back end merges nothing in a reduction: there are gaps between the addresses of its stores
 * and of its loads, so each is a separate instruction. In a scan of a tensor without another dim
 * the sums are neighbours in memory, and their loads are merged.
 *
 * Since 3.8 a reduction is compiled as conversions (kernel_cost.h); scans are as before.
 *
 * Source: ReduceOpToLLVM.cpp, ScanOpToLLVM.cpp and lib/Analysis/Utility.cpp of Triton, the same in
 * 3.6 and 3.7; the wavefronts are those of wavefront.h. Compared with the counters of an H200 in
 * tests/golden/reductions_h200.jsonl.
 */

#include "laneway/plan.h"
#include "laneway/triton.h"

/* Tensors that one operation reduces together at most; argmax has two, values and indices. */
#define LW_REDUCTION_OPERANDS_MAX 8

/* What is reduced. The maps and `order` are borrowed. */
struct lw_reduction_request {
    const struct lw_map *registers; /* (register, lane, warp, block) -> tensor; of all operands */
    const struct lw_map *result;    /* of a reduction: the layout of its result; NULL: one number */
    bool scan;                      /* a scan, else a reduction */
    const int *order;  /* of a scan: the order of the blocked layout, one entry for each dim */
    int axis;          /* the dim that is reduced, from 0 */
    int operand_count; /* tensors, 1 to LW_REDUCTION_OPERANDS_MAX */
    unsigned element_bits[LW_REDUCTION_OPERANDS_MAX]; /* of each tensor */
    uint32_t used;  /* bit i: the result of operand i is used; 0: all are */
    bool to_global; /* a result is only stored to global memory: only its storers load it */
    const struct lw_hardware *hardware; /* NULL: lw_hardware_default */
    enum lw_triton triton; /* whose code a scan is; LW_TRITON_UNSET: that of the newest */
};

/* What the warps exchange. A plain value. */
struct lw_reduction {
    bool shared; /* several warps share the dim; else all members after shuffle_steps are 0 */
    /* Halvings by shuffles: in a warp, then between loaders of partial sums. */
    unsigned shuffle_steps;
    struct lw_plan_total store, load; /* of all warps */
    uint64_t stores, loads;           /* instructions in the code of one warp */
    uint64_t shared_bytes;            /* of scratch memory */
};

/* Counts what a reduction or scan exchanges. Fails with LW_ERROR_UNSUPPORTED where the rule does
 * not hold: sums of a scan under 32 bits that are neighbours, before Triton 3.8; a map that is not
 * linear or without register, lane and warp, several blocks, a basis that moves along several
 * dims, lanes or warps that repeat each other with a basis or whose bits of one dim are not
 * neighbours; with LW_ERROR_PARAMETER on an axis that the tensor lacks; with LW_ERROR_LIMIT on over
 * 2^16 instructions of all warps and on too many operands. */
bool lw_reduction_make(struct lw_reduction *out, const struct lw_reduction_request *request,
                       struct lw_error *err);

#endif
