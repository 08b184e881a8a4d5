#ifndef LANEWAY_SCALE_H
#define LANEWAY_SCALE_H

/*
 * Layouts of scale factors for scaled matrix products (mxfp8, mxfp6, mxfp4): one byte for each 16
 * or 32 elements along k. The scales of a (m x k) are m x k/32; those of b (k x n) lie as n x k/32,
 * so in both the last dim is k.
 *
 * Triton chooses these layouts with a function for each kind of hardware; their parameters are
 * those of the functions, and they have no attribute of their own (in a dump they are #ttg.linear).
 */

#include "encoding/triton/mma.h"

#define LW_SCALE_OPERAND(NAME)                                                                     \
    {                                                                                              \
        .name = NAME, .type = LW_PARAM_INTEGER, .max = 1,                                          \
        .help = "0: scales of the left operand a, 1: those of the right operand b"                 \
    }

/* Whether the shape of the scales is set and is a matrix. */
bool lw_check_scales(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                     struct lw_error *err);
/* A list of two parameters for the dims m and n, exchanged for b: first that of the scales' own dim
 * 0. */
void lw_scale_pair(const struct lw_encoding *encoding, const char *name, int op, int64_t pair[2]);

#endif
