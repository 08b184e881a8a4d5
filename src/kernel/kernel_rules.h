#ifndef LANEWAY_KERNEL_RULES_H
#define LANEWAY_KERNEL_RULES_H

#include "laneway/kernel_cost.h"

/* Sets the cost of one operation, which is all zeros; its trips and loops are not set. */
void lw_kernel_operation_cost(const struct lw_kernel *kernel, const struct lw_operation *operation,
                              const struct lw_hardware *hardware, struct lw_kernel_cost *cost);

#endif
