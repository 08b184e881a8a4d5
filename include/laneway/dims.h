#ifndef LANEWAY_DIMS_H
#define LANEWAY_DIMS_H

/*
 * Named dims: the axes of an index space.
 *
 * A point of the space (register: 4, lane: 32, warp: 2) is an array of three numbers, one for each
 * dim, in that order: {3, 17, 1}. Flattened to one number, the first dim varies fastest.
 */

#include "laneway/error.h"

#include <stdint.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

#define LW_DIMS_MAX 8
#define LW_NAME_MAX 24 /* with the NUL */

struct lw_dim {
    char name[LW_NAME_MAX]; /* letters, digits, `_` */
    uint64_t size;          /* 1 to 2^63 */
};

struct lw_dims {
    int count; /* 0 to 8 */
    struct lw_dim dim[LW_DIMS_MAX];
};

/* The index of a dim, or -1. */
int lw_dims_find(const struct lw_dims *dims, const char *name);
/* The size of a dim, or 1 when there is none of that name. */
uint64_t lw_dims_size(const struct lw_dims *dims, const char *name);
/* Appends a dim. Fails on a ninth, a second of the same name, a bad name, a size of 0 or over
 * 2^63. */
bool lw_dims_add(struct lw_dims *dims, const char *name, uint64_t size, struct lw_error *err);
bool lw_dims_equal(const struct lw_dims *a, const struct lw_dims *b);
/* The product of all sizes; fails (with LW_ERROR_LIMIT) when it is over 2^63. */
bool lw_dims_total(const struct lw_dims *dims, uint64_t *total, struct lw_error *err);
/* One number for a point, and back: first dim fastest. The total must fit 64 bits. */
uint64_t lw_dims_flatten(const struct lw_dims *dims, const uint64_t *point);
void lw_dims_unflatten(const struct lw_dims *dims, uint64_t flat, uint64_t *point);
/* The dims "dim0", "dim1", ... of a tensor of that shape. */
bool lw_dims_of_shape(struct lw_dims *dims, const uint64_t *shape, int rank, struct lw_error *err);

/* log2 of a power of two; -1 for any other number. */
int lw_log2(uint64_t n);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
