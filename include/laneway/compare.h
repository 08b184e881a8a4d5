#ifndef LANEWAY_COMPARE_H
#define LANEWAY_COMPARE_H

/*
 * Two layouts of a tensor, compared: which elements are held elsewhere.
 *
 * An element differs when the places that hold it in one layout are not exactly those that hold it
 * in the other. Places are compared by the names of their dims, so both must be of a kind: two
 * layouts in registers, or two in memory. Sizes may differ: register 6 of a thread that has four
 * is a place that does not exist, and an element of only one of the tensors differs when it is held.
 *
 *     1x4 over lanes  0 1 2 3      0 2 1 3:      2 of 4 elements differ
 */

#include "laneway/map.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

struct lw_comparison {
    const struct lw_map *a, *b; /* borrowed */
    int dim_of_a[LW_DIMS_MAX]; /* for each input dim of b, that of a; -1: none, and its size is 1 */
    bool linear;               /* both are linear: counted in closed form */
    bool same_kernel;          /* then: an element of both has as many owners, alike apart */
};

/* Fails when their places are not of a kind, or the tensors have another number of dims. */
bool lw_compare(struct lw_comparison *comparison, const struct lw_map *a, const struct lw_map *b,
                struct lw_error *err);
/* Does the element differ? */
bool lw_compare_element(const struct lw_comparison *comparison, const uint64_t *out);
/* Does this place of `a` hold something else in b, or nothing there? */
bool lw_compare_place(const struct lw_comparison *comparison, const uint64_t *in);
/* Of linear layouts: how many elements differ, and how many are held by either; false for others,
 * whose elements are to be asked one by one. Both counts saturate at 2^64 - 1. */
bool lw_compare_count(const struct lw_comparison *comparison, uint64_t *differing, uint64_t *held);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
