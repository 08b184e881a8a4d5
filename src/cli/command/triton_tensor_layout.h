#ifndef LANEWAY_TRITON_TENSOR_LAYOUT_H
#define LANEWAY_TRITON_TENSOR_LAYOUT_H

/* The output of Triton's triton-tensor-layout. */

#include "cli/arguments.h"

/* Whether its options are among the arguments. */
bool lw_tensor_layout_is_requested(const struct lw_arguments *args);
enum lw_status lw_tensor_layout(const struct lw_arguments *args, FILE *out);

#endif
