#ifndef LANEWAY_COMPARE_H
#define LANEWAY_COMPARE_H

/*
 * Comparing two layouts of a tensor: which elements have other owners.
 *
 * An element differs when its owners in one layout are not exactly its owners in the other.
 * Hardware indices are compared by the names of their dims, so both layouts are in registers or
 * both in memory. Sizes may differ: register 6 of a thread that has four does not exist, and an
 * element of only one of the tensors differs when it has an owner.
 *
 *     1x4 over lanes  0 1 2 3      0 2 1 3:      2 of 4 elements differ
 */

#include "laneway/map.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* Two layouts, prepared for comparison. A plain value; it borrows the maps. */
struct lw_comparison {
    const struct lw_map *a, *b; /* borrowed */
    int dim_of_a[LW_DIMS_MAX]; /* for each input dim of b, that of a; -1: none, and its size is 1 */
    bool linear;               /* both are linear: counted in closed form */
    bool same_null_space;      /* both are linear and have the same null space */
};

/* Prepares a comparison. Fails with LW_ERROR_SHAPE when the in-dims of the two differ in name or
 * order (dims of size 1 are ignored), or when the tensors differ in rank. */
bool lw_compare(struct lw_comparison *comparison, const struct lw_map *a, const struct lw_map *b,
                struct lw_error *err);
/* Whether an element, an index of the tensor, has other owners in the two. */
bool lw_compare_element(const struct lw_comparison *comparison, const uint64_t *out);
/* Whether a hardware index of `a` holds another element in `b`, or an element in only one of the
 * two. */
bool lw_compare_index(const struct lw_comparison *comparison, const uint64_t *in);
/* When both are linear, in closed form: how many elements differ, and how many have an owner in
 * either. False when one is not linear: compare the elements one by one. Both numbers saturate at
 * UINT64_MAX. */
bool lw_compare_count(const struct lw_comparison *comparison, uint64_t *differing, uint64_t *held);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
