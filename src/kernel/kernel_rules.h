#ifndef LANEWAY_KERNEL_RULES_H
#define LANEWAY_KERNEL_RULES_H

#include "laneway/kernel_cost.h"

/* The maps of the types that were used last: neighbouring operations share types. */
struct lw_kernel_maps {
    struct {
        int type;      /* row of kernel->types + 1; 0: free */
        uint64_t used; /* when it was used last */
        struct lw_map map;
    } entry[8]; /* more than one operation needs, so its own maps are not replaced */
    uint64_t uses;
};

/* Sets the cost of one operation, which is all zeros; its trips and loops are not set. `maps` belongs to the kernel. */
void lw_kernel_operation_cost(const struct lw_kernel *kernel, const struct lw_operation *operation,
                              const struct lw_hardware *hardware, struct lw_kernel_maps *maps,
                              struct lw_kernel_cost *cost);
/* How many loops of unknown trips are around an operation: it runs more often than one with fewer. (kernel_cost.c) */
int lw_kernel_open_loops(const struct lw_kernel *kernel, const struct lw_operation *operation);

/* What all runs of an operation cost. (kernel_cost.c) */
struct lw_kernel_rank {
    size_t index;            /* of the operation */
    int loops;               /* of unknown trips around it */
    uint64_t shared, global; /* wavefronts, sectors */
};
struct lw_kernel_rank lw_kernel_rank_of(const struct lw_kernel_costs *costs, size_t operation);
/* Less than, equal to or greater than 0: in more loops of unknown trips an operation costs more. */
int lw_kernel_rank_compare(const struct lw_kernel_rank *a, const struct lw_kernel_rank *b);

#endif
