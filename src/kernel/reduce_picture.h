#ifndef LANEWAY_REDUCE_PICTURE_H
#define LANEWAY_REDUCE_PICTURE_H

/* What can be drawn of a reduction: the conversion that costs most. */

#include "laneway/hardware.h"
#include "laneway/kernel.h"

struct lw_reduce_picture {
    struct lw_document document; /* registers A and B of that conversion, of one operand */
    int step, steps;             /* which conversion it is, from 1, and of how many */
    int equals;                  /* other conversions that cost as much */
    int operand;                 /* the operand that is drawn, from 1: the first of the widest */
    uint64_t wavefronts;         /* that it stores and loads in */
};

/* Fails with LW_ERROR_UNSUPPORTED where the reduction is not compiled as conversions (a scan, and Triton before 3.8)
 * or none of them uses shared memory. The document is the caller's. */
bool lw_reduce_picture_make(struct lw_reduce_picture *picture, const struct lw_kernel *kernel,
                            const struct lw_operation *operation,
                            const struct lw_hardware *hardware, struct lw_error *err);

#endif
