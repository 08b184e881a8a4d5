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
/* Appends machine code, named as paths name it: "LDSM.16.MT88.4 x16, STS x8" is "ldmatrix.x4.trans x16, st.32 x8". */
void lw_kernel_put_code(struct lw_text *text, const char *code);
/* Adds to sums. (kernel_cost.c) */
void lw_kernel_sums_add(struct lw_kernel_sums *all, const struct lw_kernel_sums *one);

#endif
