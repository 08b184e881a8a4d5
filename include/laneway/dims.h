#ifndef LANEWAY_DIMS_H
#define LANEWAY_DIMS_H

/*
 * Named dims: the axes of an index space. A point of the space (register: 4, lane: 32, warp: 2) is
 * an array of three numbers, one for each dim, in that order: {3, 17, 1}. Flattened to one number
 * the first dim varies fastest: the point is 3 + 4 * (17 + 32 * 1) = 199.
 *
 *     struct lw_dims dims = {0};
 *     lw_dims_add(&dims, "register", 4, &err) && lw_dims_add(&dims, "lane", 32, &err) && ...
 *
 * Wherever this library takes or fills a point, its array has one entry for each dim, LW_DIMS_MAX
 * at most, and each entry is below its dim's size.
 */

#include "laneway/text.h"

LW_BEGIN

#define LW_DIMS_MAX 32 /* dims of one index space */
#define LW_NAME_MAX 24 /* bytes of a dim's name, with the NUL */

/* One axis. */
struct lw_dim {
    char name[LW_NAME_MAX]; /* ASCII letters, digits, `_`; at least one */
    uint64_t size;          /* 1 to 2^63 */
};

/* An index space: a plain value. One set to all zeros has no dims and one point. */
struct lw_dims {
    int count;                      /* 0 to LW_DIMS_MAX */
    struct lw_dim dim[LW_DIMS_MAX]; /* distinct names */
};

/* The index of the dim of that name, or -1. */
int lw_dims_find(const struct lw_dims *dims, const char *name);
/* The size of the dim of that name, or 1 when the list lacks it. */
uint64_t lw_dims_size(const struct lw_dims *dims, const char *name);
/* Appends a dim. Fails with LW_ERROR_NAME on a bad name and on one that is there already, with
 * LW_ERROR_LIMIT on a dim beyond LW_DIMS_MAX and on a size of 0 or over 2^63; the dims then stay
 * as they were. */
bool lw_dims_add(struct lw_dims *dims, const char *name, uint64_t size, struct lw_error *err);
/* Whether names, sizes and order are equal. */
bool lw_dims_equal(const struct lw_dims *a, const struct lw_dims *b);
/* Sets *total to the product of all sizes, the number of points. Fails with LW_ERROR_LIMIT when
 * that is over 2^63; *total is then undefined. */
bool lw_dims_total(const struct lw_dims *dims, uint64_t *total, struct lw_error *err);
/* The flat number of a point, the first dim fastest. The product of all sizes is at most 2^64. */
uint64_t lw_dims_flatten(const struct lw_dims *dims, const uint64_t *point);
/* The point of a flat number, into an array of `count` entries: the inverse of lw_dims_flatten. */
void lw_dims_unflatten(const struct lw_dims *dims, uint64_t flat, uint64_t *point);
/* Sets *dims to "dim0", "dim1", ..., of the sizes of a tensor's shape, `rank` of them. Fails as
 * lw_dims_add does, so with a rank over LW_DIMS_MAX. */
bool lw_dims_of_shape(struct lw_dims *dims, const uint64_t *shape, int rank, struct lw_error *err);

/* Appends the names with commas: "register, lane, warp". */
void lw_dims_print_names(struct lw_text *text, const struct lw_dims *dims);
/* Appends the sizes: "128 x 64"; of no dims "1 element". */
void lw_dims_print_sizes(struct lw_text *text, const struct lw_dims *dims);

/* log2 of a power of two, 0 to 63; -1 for any other number, 0 included. */
int lw_log2(uint64_t n);

LW_END

#endif
