#ifndef LANEWAY_REDUCE_PICTURE_H
#define LANEWAY_REDUCE_PICTURE_H

/* What can be drawn of a reduction: a conversion of an operand, by default the one that costs most. */

#include "laneway/hardware.h"
#include "laneway/kernel.h"

struct lw_reduce_picture {
    struct lw_document document; /* registers A and B of that conversion, of one operand */
    int step, steps;             /* which conversion it is, from 1, and of how many */
    int operand, operands;       /* the operand that is drawn, from 1, and of how many */
    uint64_t wavefronts;         /* that it stores and loads in; 0: it uses no shared memory */
    bool most;                   /* no other conversion of the operand costs more, */
    int equals;                  /* and that many cost as much */
    bool widest;                 /* no other operand has more bits an element */
};

/* Makes the picture of a conversion of an operand, both counted from 1; `step` 0: that of the widest operand, the first
 * one, that costs most. Fails with LW_ERROR_UNSUPPORTED where the reduction is not compiled as conversions (a scan, and
 * Triton before 3.8), has no such one, or with `step` 0 none of them uses shared memory. The document is the caller's.
 */
bool lw_reduce_picture_make(struct lw_reduce_picture *picture, const struct lw_kernel *kernel,
                            const struct lw_operation *operation,
                            const struct lw_hardware *hardware, int operand, int step,
                            struct lw_error *err);

#endif
