/* Random layouts with fixed seeds. */

#include "seeded.h"

#include <stdio.h>

uint64_t seeded_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint64_t seeded_below(uint64_t *state, uint64_t n)
{
    return seeded_next(state) % n;
}

void seeded_dims(uint64_t *state, struct lw_dims *dims, const char *name, int count, int bits)
{
    int of[LW_DIMS_MAX] = {0};
    for (int i = 0; i < bits; i++)
        of[seeded_below(state, (uint64_t)count)]++;
    dims->count = 0;
    for (int i = 0; i < count; i++) {
        char full[LW_NAME_MAX];
        snprintf(full, sizeof full, "%.8s%d", name, i);
        lw_dims_add(dims, full, (uint64_t)1 << (of[i] < 63 ? of[i] : 63), NULL);
    }
}

void seeded_layout(uint64_t *state, struct lw_layout *layout, const struct lw_dims *in,
                   const struct lw_dims *out)
{
    lw_layout_of_dims(layout, in, out, NULL);
    uint64_t mask = lw_f2_mask(lw_layout_out_bits(layout));
    for (int i = 0; i < lw_layout_in_bits(layout); i++)
        layout->basis[i] = seeded_next(state) & mask;
}

/* A permutation of bits, then many xors of one basis into another: full rank all along. */
void seeded_invertible(uint64_t *state, struct lw_layout *layout, const struct lw_dims *in,
                       const struct lw_dims *out)
{
    lw_layout_of_dims(layout, in, out, NULL);
    int bits = lw_layout_in_bits(layout);
    for (int i = 0; i < bits; i++)
        layout->basis[i] = (uint64_t)1 << i;
    for (int k = 0; k < 8 * bits; k++) {
        uint64_t i = seeded_below(state, (uint64_t)bits), j = seeded_below(state, (uint64_t)bits);
        if (i != j)
            layout->basis[i] ^= layout->basis[j];
    }
}
