/* Comparing layouts: the closed form against sets of owners made by applying every hardware index. */

#include "analysis/owners.h"

#include "laneway/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t seed = 20260101;

static uint64_t random_below(uint64_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

enum { BITS_MAX = 4 };

/* A layout of up to 4 bits a dim; bases are often zero or equal, so that null spaces occur. */
static void random_layout(struct lw_layout *layout, const int bits[3], const int out_bits[2])
{
    static const char *const names[3] = {"register", "lane", "warp"};
    struct lw_dims in = {0}, out = {0};
    for (int d = 0; d < 3; d++)
        assert_true(lw_dims_add(&in, names[d], (uint64_t)1 << bits[d], NULL));
    for (int d = 0; d < 2; d++)
        assert_true(lw_dims_add(&out, d ? "dim1" : "dim0", (uint64_t)1 << out_bits[d], NULL));
    assert_true(lw_layout_of_dims(layout, &in, &out, NULL));
    for (int d = 0; d < 3; d++)
        for (int bit = 0; bit < bits[d]; bit++) {
            uint64_t image[2] = {random_below((uint64_t)1 << out_bits[0]),
                                 random_below((uint64_t)1 << out_bits[1])};
            if (random_below(4) == 0)
                image[0] = image[1] = 0;
            assert_true(lw_layout_set_basis(layout, d, bit, image, NULL));
        }
}

/* The owners of each element as bits of a table over (hardware index of the larger space, element). */
static void fill(const struct lw_map *map, const int max[3], unsigned char *owned, int out_side)
{
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX];
    uint64_t indices = (uint64_t)1 << (max[0] + max[1] + max[2]);
    memset(owned, 0, indices * (size_t)(out_side * out_side));
    for (uint64_t p = 0; p < indices; p++) {
        in[0] = p & ((1u << max[0]) - 1);
        in[1] = p >> max[0] & ((1u << max[1]) - 1);
        in[2] = p >> (max[0] + max[1]);
        if (lw_map_apply(map, in, out))
            owned[p * (size_t)(out_side * out_side) + out[0] * (size_t)out_side + out[1]] = 1;
    }
}

static void check_pair(const struct lw_map *a, const struct lw_map *b, const int max[3],
                       int out_side)
{
    static unsigned char x[1 << 20], y[1 << 20];
    struct lw_comparison c;
    struct lw_error err;
    uint64_t indices = (uint64_t)1 << (max[0] + max[1] + max[2]), differing = 0, held = 0;
    size_t elements = (size_t)(out_side * out_side);
    assert_true(indices * elements <= sizeof x);
    fill(a, max, x, out_side);
    fill(b, max, y, out_side);
    if (!lw_compare(&c, a, b, &err))
        fail_msg("%s", err.message);
    for (uint64_t e = 0; e < elements; e++) {
        const uint64_t out[2] = {e / (uint64_t)out_side, e % (uint64_t)out_side};
        bool differs = false, any = false;
        for (uint64_t p = 0; p < indices; p++) {
            differs = differs || x[p * elements + e] != y[p * elements + e];
            any = any || x[p * elements + e] || y[p * elements + e];
        }
        assert_int_equal(lw_compare_element(&c, out), differs);
        differing += differs;
        held += any;
    }
    uint64_t counted, all;
    assert_true(lw_compare_count(&c, &counted, &all));
    assert_int_equal(counted, differing);
    assert_int_equal(all, held);
}

static void linear_by_algebra(void **state)
{
    (void)state;
    for (int i = 0; i < 3000; i++) {
        struct lw_layout la, lb;
        struct lw_map a, b;
        int bits[2][3], out[2][2], max[3], side = 1;
        for (int d = 0; d < 3; d++) {
            bits[0][d] = (int)random_below(BITS_MAX);
            bits[1][d] = random_below(3) ? bits[0][d] : (int)random_below(BITS_MAX);
            max[d] = bits[0][d] > bits[1][d] ? bits[0][d] : bits[1][d];
        }
        for (int d = 0; d < 2; d++) {
            out[0][d] = (int)random_below(BITS_MAX);
            out[1][d] = random_below(3) ? out[0][d] : (int)random_below(BITS_MAX);
            for (int k = 0; k < 2; k++)
                side = (1 << out[k][d]) > side ? 1 << out[k][d] : side;
        }
        random_layout(&la, bits[0], out[0]);
        random_layout(&lb, bits[1], out[1]);
        if (i % 3 == 0 && !memcmp(bits[0], bits[1], sizeof bits[0]) &&
            !memcmp(out[0], out[1], sizeof out[0])) {
            /* Equal except for one basis, or unrelated. */
            lb = la;
            if (i % 2 && bits[0][0]) {
                const uint64_t image[2] = {random_below((uint64_t)1 << out[0][0]),
                                           random_below((uint64_t)1 << out[0][1])};
                assert_true(lw_layout_set_basis(&lb, 0, 0, image, NULL));
            }
        }
        lw_map_from_layout(&a, &la);
        lw_map_from_layout(&b, &lb);
        check_pair(&a, &b, max, side);
        check_pair(&b, &a, max, side);
    }
}

static void open_map(struct lw_map *map, const char *source)
{
    struct lw_document doc;
    struct lw_error err;
    if (!lw_document_open(&doc, source, NULL, &err) || !lw_document_build(&doc, map, &err))
        fail_msg("%s: %s", source, err.message);
    lw_document_free(&doc);
}

static void others_one_by_one(void **state)
{
    static const struct {
        const char *a, *b;
        int differing; /* worked out by hand */
    } cases[] = {
        {"local(3).spatial(4)", "local(3).spatial(4)", 0},
        /* 0: t0 0, t0 1, t0 2, t1 0, ... against t0 0, t1 0, t2 0, t3 0, t0 1, ...: only the first
         * and the last are the same. */
        {"spatial(4).local(3)", "local(3).spatial(4)", 10},
        {"spatial(2).local(3)", "local(3).spatial(2)", 4},
        {"local(3)", "local(4)", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_map a, b;
        struct lw_comparison c;
        struct lw_error err;
        int differing = 0;
        open_map(&a, cases[i].a);
        open_map(&b, cases[i].b);
        if (!lw_compare(&c, &a, &b, &err))
            fail_msg("%s", err.message);
        for (uint64_t e = 0; e < 12; e++)
            differing += lw_compare_element(&c, &e);
        assert_int_equal(differing, cases[i].differing);
    }
}

static void what_is_not_of_a_kind_is_refused(void **state)
{
    struct lw_map a, b;
    struct lw_comparison c;
    struct lw_error err;
    (void)state;
    open_map(&a, "blocked/16x64");
    open_map(&b, "!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = "
                 "8, order = [1, 0]}>, #smem>");
    assert_false(lw_compare(&c, &a, &b, &err));
    assert_string_equal(err.message,
                        "only one of the layouts has a dim register: they cannot be compared");
    open_map(&b, "local(3).spatial(4)");
    assert_false(lw_compare(&c, &a, &b, &err));
    assert_string_equal(err.message, "a tensor of 2 dims and one of 1 cannot be compared");
}

/* A tensor that is too large is not examined as a whole. */
static void huge_tensors_are_examined_in_part(void **state)
{
    struct lw_map a, b;
    struct lw_comparison c;
    uint64_t differing, held;
    (void)state;
    open_map(&a, "tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp "
                 "= [2, 16], warpsPerCTA = [2, 2], order = [1, 0]}>>");
    open_map(&b, "tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp "
                 "= [2, 16], warpsPerCTA = [2, 2], order = [0, 1]}>>");
    assert_true(lw_compare(&c, &a, &b, NULL));
    assert_false(lw_compare_count(&c, &differing, &held));
    assert_int_equal(held, LW_COMPARED_MAX / 2); /* an element and its one owner each */
    assert_true(differing > 0 && differing < held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_by_algebra),
        cmocka_unit_test(others_one_by_one),
        cmocka_unit_test(what_is_not_of_a_kind_is_refused),
        cmocka_unit_test(huge_tensors_are_examined_in_part),
    };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
