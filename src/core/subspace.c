/* Subspaces over F2. Invariant: the basis is in reduced echelon form from the lowest bit, so that a
 * space spanned by unit vectors has those for its basis. */

#include "core/subspace.h"

static uint64_t lowest(uint64_t v)
{
    return v & (~v + 1);
}

uint64_t lw_space_reduce(const struct lw_space *space, uint64_t v)
{
    for (int i = 0; i < space->dim; i++)
        if (v & lowest(space->basis[i]))
            v ^= space->basis[i];
    return v;
}

bool lw_space_add(struct lw_space *space, uint64_t v)
{
    v = lw_space_reduce(space, v);
    if (!v)
        return false;
    int at = space->dim++;
    for (; at > 0 && lowest(space->basis[at - 1]) > lowest(v); at--)
        space->basis[at] = space->basis[at - 1];
    space->basis[at] = v;
    for (int i = 0; i < space->dim; i++)
        if (i != at && space->basis[i] & lowest(v))
            space->basis[i] ^= v;
    return true;
}

/* A reduced vector has only bits that are the lowest bit of no basis vector: there is one mask for each such bit. */
int lw_space_checks(const struct lw_space *space, int bits, uint64_t *masks)
{
    uint64_t leads = 0;
    int count = 0;
    for (int i = 0; i < space->dim; i++)
        leads |= lowest(space->basis[i]);
    for (int bit = 0; bit < bits; bit++) {
        const uint64_t own = (uint64_t)1 << bit;
        if (leads & own)
            continue;
        masks[count] = own;
        for (int i = 0; i < space->dim; i++)
            if (space->basis[i] & own)
                masks[count] |= lowest(space->basis[i]);
        count++;
    }
    return count;
}

void lw_space_add_all(struct lw_space *space, const uint64_t *vectors, int count)
{
    for (int i = 0; i < count; i++)
        lw_space_add(space, vectors[i]);
}

bool lw_space_within(const struct lw_space *space, const struct lw_space *other)
{
    for (int i = 0; i < space->dim; i++)
        if (lw_space_reduce(other, space->basis[i]))
            return false;
    return true;
}

/* Vectors with a tag each, in echelon form: the tag of a sum is the sum of the tags. */
struct tagged {
    int count;
    uint64_t vector[2 * LW_BITS_MAX], tag[2 * LW_BITS_MAX];
};

static uint64_t reduce_tagged(const struct tagged *all, uint64_t v, uint64_t *tag)
{
    for (int i = 0; i < all->count; i++)
        if (v & lowest(all->vector[i])) {
            v ^= all->vector[i];
            *tag ^= all->tag[i];
        }
    return v;
}

/* True when v is new; else *tag is that of a sum that is 0. */
static bool add_tagged(struct tagged *all, uint64_t v, uint64_t *tag)
{
    v = reduce_tagged(all, v, tag);
    if (!v)
        return false;
    all->vector[all->count] = v;
    all->tag[all->count++] = *tag;
    return true;
}

/* Zassenhaus: a sum of vectors of a and of b that is 0 has its part of a in both. */
struct lw_space lw_space_intersect(const struct lw_space *a, const struct lw_space *b)
{
    struct tagged all = {.count = 0};
    struct lw_space out = {.dim = 0};
    for (int i = 0; i < a->dim; i++) {
        uint64_t tag = a->basis[i];
        add_tagged(&all, a->basis[i], &tag);
    }
    for (int i = 0; i < b->dim; i++) {
        uint64_t tag = 0;
        if (!add_tagged(&all, b->basis[i], &tag))
            lw_space_add(&out, tag);
    }
    return out;
}

void lw_space_parts(const struct lw_space *space, const struct lw_space *along, uint64_t *vectors,
                    int count)
{
    struct tagged all = {.count = 0};
    for (int i = 0; i < space->dim + along->dim; i++) {
        bool own = i < space->dim;
        uint64_t vector = own ? space->basis[i] : along->basis[i - space->dim];
        uint64_t tag = own ? 0 : vector;
        add_tagged(&all, vector, &tag);
    }
    for (int i = 0; i < count; i++) {
        uint64_t part = 0;
        reduce_tagged(&all, vectors[i], &part);
        vectors[i] = part;
    }
}
