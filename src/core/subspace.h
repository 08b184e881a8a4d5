#ifndef LANEWAY_SUBSPACE_H
#define LANEWAY_SUBSPACE_H

/*
 * Vectors of F2^64 and their subspaces: which elements an access touches, which ones start a row of banks. A
 * space set to all zeros is {0}.
 */

#include "laneway/f2.h"

/* The xor of the vectors that the bits of `index` select. */
static inline uint64_t lw_f2_combine(const uint64_t *vectors, uint64_t index)
{
    uint64_t sum = 0;
    for (; index; index &= index - 1)
        sum ^= vectors[__builtin_ctzll(index)];
    return sum;
}

struct lw_space {
    int dim;
    uint64_t basis[LW_BITS_MAX]; /* reduced: the lowest 1 of each is in no other, and ascends */
};

/* v reduced by the basis: 0 when it is in the space. */
uint64_t lw_space_reduce(const struct lw_space *space, uint64_t v);
/* Adds v to the basis; false when it was in the space already. */
bool lw_space_add(struct lw_space *space, uint64_t v);
void lw_space_add_all(struct lw_space *space, const uint64_t *vectors, int count);
bool lw_space_within(const struct lw_space *space, const struct lw_space *other);
struct lw_space lw_space_intersect(const struct lw_space *a, const struct lw_space *b);
/* Replaces each vector by its part in `along` when it is written as a sum of one vector in `space` and one in `along`,
 * which meet in 0 only; it must be in their sum. */
void lw_space_parts(const struct lw_space *space, const struct lw_space *along, uint64_t *vectors,
                    int count);

#endif
