#ifndef LANEWAY_TESTS_ALGEBRA_PARTS_H
#define LANEWAY_TESTS_ALGEBRA_PARTS_H

/* What algebra_test.c and algebra_sizes_test.c share. */

#include "laneway/algebra.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ROUNDS 2000

/* ---- Random layouts ---- */

static uint64_t seed;

static inline uint64_t next(uint64_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % below;
}

static inline void random_dims(struct lw_dims *dims, const char *const *names, int max_bits)
{
    dims->count = 0;
    for (int i = 0; i < 3; i++)
        if (next(4) > 0)
            assert_true(
                lw_dims_add(dims, names[i], (uint64_t)1 << next((uint64_t)max_bits + 1), NULL));
}

/* Up to 3 dims a side, each of up to `max_bits` bits; bases are often 0. */
static inline void random_layout(struct lw_layout *layout, int max_bits)
{
    static const char *const ins[] = {"register", "lane", "warp"};
    static const char *const outs[] = {"dim0", "dim1", "dim2"};
    struct lw_dims in, out;
    random_dims(&in, ins, max_bits);
    random_dims(&out, outs, max_bits);
    assert_true(lw_layout_of_dims(layout, &in, &out, NULL));
    uint64_t mask = lw_f2_mask(lw_layout_out_bits(layout));
    for (int i = 0; i < lw_layout_in_bits(layout); i++)
        layout->basis[i] = next(4) ? next(UINT64_MAX) & mask : 0;
}

static inline void identity(struct lw_layout *layout, uint64_t size, const char *in,
                            const char *out)
{
    assert_true(lw_layout_identity(layout, size, in, out, NULL));
}

#endif
