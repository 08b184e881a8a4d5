#ifndef LANEWAY_REDUCE_STEPS_H
#define LANEWAY_REDUCE_STEPS_H

/* The conversions that a reduction becomes in Triton 3.8 and later. */

#include "laneway/layout.h"

#define LW_REDUCE_STEPS_MAX 4

struct lw_reduce_steps {
    bool lanes; /* lanes of a warp share the dim before the first conversion: they shuffle */
    int count;
    /* Each value goes from one layout to the other; the last may be to the layout of the result. */
    struct lw_layout from[LW_REDUCE_STEPS_MAX], to[LW_REDUCE_STEPS_MAX];
    bool last_is_result;
};

/* The steps of a reduction along dim `axis` of a tensor in `registers`, whose in-dims are register, lane, warp
 * and block, into `result`, which lacks that dim; NULL: one number. Fails with LW_ERROR_UNSUPPORTED when blocks
 * share the dim, and when a register moves along it and another dim at once. */
bool lw_reduce_steps_make(struct lw_reduce_steps *steps, const struct lw_layout *registers,
                          int axis, const struct lw_layout *result, struct lw_error *err);

#endif
