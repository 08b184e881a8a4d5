#ifndef LANEWAY_KERNEL_COST_H
#define LANEWAY_KERNEL_COST_H

/*
 * What each operation of a kernel costs: the program and the explorer both ask here.
 *
 * A cost is that of one execution by one block, all its warps together, and comes from the analysis of layouts alone:
 * where no rule says what an operation becomes it is not known, and `why` says why.
 */

#include "laneway/coalesce.h"
#include "laneway/conversion.h"
#include "laneway/kernel.h"
#include "laneway/reduction.h"

/* What is known of a cost; rows combine them with |. */
enum lw_cost_known {
    LW_COST_SHARED = 1, /* wavefronts, ideal, bytes: on shared memory */
    LW_COST_GLOBAL = 2  /* sectors, ideal_sectors, bytes: on global memory */
};

struct lw_kernel_cost {
    /* What happens: none, registers, shuffle, shared, blocks (as of a conversion); global; tma, tmem, tensor-core:
     * by another unit; unknown. */
    const char *kind;
    unsigned known;        /* enum lw_cost_known */
    char why[320];         /* why it is not known, or what is to be said of it; "" when nothing */
    char code[160];        /* instructions in the code of one warp: "STS.128 x8, LDS.64 x16" */
    unsigned width;        /* bytes that a lane moves in the widest of them; 0: none */
    uint64_t instructions; /* of all warps */
    uint64_t wavefronts, ideal, conflicts;
    uint64_t bytes;    /* moved */
    uint64_t shuffles; /* in the code of one warp */
    uint64_t sectors, ideal_sectors;
    uint64_t trips;   /* how often it runs, known loops multiplied */
    bool trips_known; /* of all loops around it */
    int depth;        /* loops around it */
};

/* kernel_rules.c: of one operation; its trips and loops are left as they are. */
void lw_kernel_operation_cost(const struct lw_kernel *kernel, const struct lw_operation *operation,
                              const struct lw_hardware *hardware, struct lw_kernel_cost *cost);

struct lw_ranked;

struct lw_kernel_costs {
    const struct lw_kernel *kernel;
    const struct lw_hardware *hardware; /* of the kernel's target, or what was said */
    struct lw_kernel_cost *costs;       /* one for each operation */
    size_t counted;                     /* of them those whose cost has been asked for */
    size_t *order; /* the operations, the costliest first; as in the file until all are asked */
    struct lw_ranked *ranked;
    /* Of all whose cost is known: one execution each, and with trips. */
    uint64_t wavefronts, ideal, sectors, ideal_sectors;
    uint64_t run_wavefronts, run_ideal, run_sectors, run_ideal_sectors;
    size_t unknown; /* operations on memory whose cost is not known */
    size_t
        uncounted; /* of them those that shared memory serves, or that may be: they are missing in the sums */
    size_t uncounted_global; /* the same of global memory */
    bool trips_known;        /* of every operation with a cost */
};

/* What an operation costs and nobody knows: LW_COST_SHARED (or it may be), LW_COST_GLOBAL; 0: it is counted, or it is
 * none of the two. */
unsigned lw_kernel_cost_missing(const struct lw_kernel_cost *cost);

/* Which hardware: NULL: the kernel's target, or the usual one. Fails only when memory is out. */
bool lw_kernel_costs_begin(struct lw_kernel_costs *costs, const struct lw_kernel *kernel,
                           const struct lw_hardware *hardware, struct lw_error *err);
/* Asks for the next cost, in the order of the file; false when all have been. */
bool lw_kernel_costs_step(struct lw_kernel_costs *costs);
/* All of it. */
bool lw_kernel_costs_make(struct lw_kernel_costs *costs, const struct lw_kernel *kernel,
                          const struct lw_hardware *hardware, struct lw_error *err);
void lw_kernel_costs_free(struct lw_kernel_costs *costs);

#endif
