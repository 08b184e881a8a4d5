#ifndef LANEWAY_OPERATIONS_H
#define LANEWAY_OPERATIONS_H

/* Triton's operations: their names, and whether their loads are moved. */

#include "laneway/kernel.h"

/* The kind of a name of `length` bytes, as any release writes it ("triton_gpu.convert_layout"); NULL: it moves no data,
 * or is unknown. */
const struct lw_operation_kind *lw_operation_kind_find(const char *name, size_t length);
/* Whether an operation is of a dialect of Triton's that moves data, but no release of Triton has it. */
bool lw_operation_is_unknown(const char *name, size_t length);

/* kernel_file.c */

/* Whether a thread holds one element; also true of NULL. */
bool lw_registers_are_single(const struct lw_map *map);
/* Whether the compiler moves what an operation loads to a store to global memory. `to` is the map of its result; NULL:
 * one number. */
bool lw_operation_goes_to_global(const struct lw_operation *operation, const struct lw_map *to);

/* kernel_types.c */

/* Where an operation stands in the source of the kernel itself: of functions that were inlined, the outermost call.
 * NULL: unknown. */
const struct lw_location *lw_operation_location(const struct lw_operation *operation);
/* Appends its file and line, "kernels.py:18"; false: they are unknown. */
bool lw_operation_put_line(struct lw_text *text, const struct lw_operation *operation);
/* Appends the name of an operation without its dialect. */
void lw_operation_put_name(struct lw_text *text, const struct lw_operation *operation);
/* Whether an operation moves indices, masks or pointers in registers: what addresses are computed from. */
bool lw_operation_is_of_indices(const struct lw_kernel *kernel,
                                const struct lw_operation *operation);

#endif
