/*
 * Division, shapes and column actions: the example of the header, identities on random layouts, each
 * function against its definition point by point, limits.
 */

#include "algebra_parts.h"

#include "laneway/algebra.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* ---- Division ---- */

static void test_example(void **state)
{
    (void)state;
    struct lw_layout a, b, c, lanes;
    const uint64_t images[] = {2, 1};
    struct lw_dims lane = {.count = 0}, dim0 = {.count = 0};
    assert_true(lw_dims_add(&lane, "lane", 4, NULL) && lw_dims_add(&dim0, "dim0", 4, NULL));
    assert_true(lw_layout_of_dims(&lanes, &lane, &dim0, NULL));
    memcpy(lanes.basis, images, sizeof images);
    identity(&b, 4, "register", "dim0");
    assert_true(lw_layout_product(&a, &b, &lanes, NULL));
    assert_int_equal(a.basis[2], 8);
    assert_int_equal(a.basis[3], 4);
    assert_true(lw_layout_divide_left(&c, &a, &b, NULL));
    assert_int_equal(lw_dims_size(&c.in, "register"), 1);
    assert_int_equal(c.basis[0], 2);
    assert_int_equal(c.basis[1], 1);
    assert_true(lw_layout_divide_right(&c, &a, &lanes, NULL));
    assert_int_equal(lw_dims_size(&c.in, "register"), 4);
    assert_int_equal(lw_dims_size(&c.in, "lane"), 1);
}

/* A dim of size 1 that only one of them has may stand or not. */
static bool equal_but_ones(const struct lw_layout *a, const struct lw_layout *b)
{
    struct lw_layout left = *a, right = *b;
    for (int side = 0; side < 2; side++) {
        struct lw_layout *layout = side ? &right : &left;
        for (int d = layout->in.count - 1; d >= 0; d--)
            lw_layout_unsqueeze_in(layout, layout, layout->in.dim[d].name, NULL);
        for (int d = layout->out.count - 1; d >= 0; d--)
            lw_layout_unsqueeze_out(layout, layout, layout->out.dim[d].name, NULL);
    }
    return lw_layout_equal(&left, &right);
}

/* divideLeft(b * c, b) == c and divideRight(b * c, c) == b. */
static void test_divide_products(void **state)
{
    (void)state;
    struct lw_layout b, c, a, quotient, again;
    seed = 1;
    for (int i = 0; i < ROUNDS; i++) {
        random_layout(&b, 3);
        random_layout(&c, 3);
        assert_true(lw_layout_product(&a, &b, &c, NULL));
        assert_true(lw_layout_divide_left(&quotient, &a, &b, NULL));
        assert_true(equal_but_ones(&quotient, &c));
        assert_true(lw_layout_product(&again, &b, &quotient, NULL));
        assert_true(lw_layout_equal(&again, &a));
        assert_true(lw_layout_divide_right(&quotient, &a, &c, NULL));
        assert_true(equal_but_ones(&quotient, &b));
    }
}

/* Of small layouts there are so few that all candidates can be tried. */
static bool divides_in_some_order(const struct lw_layout *a, const struct lw_layout *b, bool left)
{
    for (uint64_t in = 0; in < 3; in++)
        for (uint64_t out = 0; out < 3; out++)
            for (uint64_t bases = 0; bases < (uint64_t)1 << (in * out); bases++) {
                struct lw_layout c, product;
                assert_true(
                    lw_layout_zeros(&c, (uint64_t)1 << in, "a", "x", (uint64_t)1 << out, NULL));
                for (uint64_t i = 0; i < in; i++)
                    c.basis[i] = bases >> (i * out) & lw_f2_mask((int)out);
                assert_true(lw_layout_product(&product, left ? b : &c, left ? &c : b, NULL));
                if (lw_layout_equal(&product, a))
                    return true;
            }
    return false;
}

static void test_divide_every_small(void **state)
{
    (void)state;
    struct lw_layout a, b, c;
    struct lw_error err;
    seed = 2;
    for (int i = 0; i < ROUNDS; i++) {
        struct lw_layout *both[] = {&a, &b};
        for (int j = 0; j < 2; j++) {
            uint64_t in = next(3), out = next(3);
            assert_true(
                lw_layout_zeros(both[j], (uint64_t)1 << in, "a", "x", (uint64_t)1 << out, NULL));
            for (uint64_t k = 0; k < in; k++)
                both[j]->basis[k] = next(4) & lw_f2_mask((int)out);
        }
        for (int left = 0; left < 2; left++) {
            bool found = left ? lw_layout_divide_left(&c, &a, &b, &err)
                              : lw_layout_divide_right(&c, &a, &b, &err);
            assert_int_equal(found, divides_in_some_order(&a, &b, left));
            assert_true(found || (err.code == LW_ERROR_UNSUPPORTED && err.message[0]));
        }
    }
}

/* ---- Trivial dims ---- */

static bool trivial_by_points(const struct lw_layout *layout, const char *dim)
{
    int in = lw_dims_find(&layout->in, dim), out = lw_dims_find(&layout->out, dim);
    if (in < 0 || out < 0 || layout->in.dim[in].size != layout->out.dim[out].size)
        return false;
    uint64_t total = (uint64_t)1 << lw_layout_in_bits(layout);
    for (uint64_t x = 0; x < total; x++) {
        uint64_t point[LW_DIMS_MAX], image[LW_DIMS_MAX], without[LW_DIMS_MAX];
        lw_dims_unflatten(&layout->in, x, point);
        lw_layout_apply(layout, point, image);
        if (image[out] != point[in])
            return false;
        point[in] = 0;
        lw_layout_apply(layout, point, without);
        image[out] = without[out] = 0;
        if (memcmp(image, without, sizeof(uint64_t) * (size_t)layout->out.count) != 0)
            return false;
    }
    return true;
}

static void test_trivial(void **state)
{
    (void)state;
    int trivial = 0;
    seed = 3;
    for (int i = 0; i < ROUNDS; i++) {
        struct lw_layout layout, still, left;
        random_layout(&layout, 2);
        /* Often, a dim in which nothing happens is put beside. */
        identity(&still, (uint64_t)1 << next(3), "dim1", "dim1");
        if (next(2))
            assert_true(lw_layout_product(&layout, &layout, &still, NULL));
        const char *names[] = {"dim1"};
        bool is = lw_layout_is_trivial_over(&layout, names, 1);
        assert_int_equal(is, trivial_by_points(&layout, "dim1"));
        assert_int_equal(is, lw_layout_quotient(&left, &layout, names, 1, NULL));
        if (is) {
            trivial++;
            assert_true(lw_dims_find(&left.in, "dim1") < 0 && lw_dims_find(&left.out, "dim1") < 0);
            assert_int_equal(left.in.count, layout.in.count - 1);
        }
    }
    assert_in_range(trivial, 100, ROUNDS - 100);
}

/* ---- Shapes ---- */

static void test_flatten(void **state)
{
    (void)state;
    seed = 4;
    for (int i = 0; i < ROUNDS; i++) {
        struct lw_layout layout, flat, back;
        random_layout(&layout, 4);
        assert_true(lw_layout_flatten_ins(&flat, &layout, NULL));
        assert_true(flat.in.count == (layout.in.count > 0));
        assert_memory_equal(flat.basis, layout.basis, sizeof flat.basis);
        assert_true(lw_layout_reshape_ins(&back, &flat, &layout.in, NULL));
        assert_true(lw_layout_equal(&back, &layout));
        assert_true(lw_layout_flatten_outs(&flat, &layout, NULL));
        assert_true(lw_layout_reshape_outs(&back, &flat, &layout.out, NULL));
        assert_true(lw_layout_equal(&back, &layout));
    }
}

/* Concatenation is undone by sublayout. */
static void test_concat(void **state)
{
    (void)state;
    const char *const ins[] = {"register", "lane", "warp"}, *const outs[] = {"dim0", "dim1",
                                                                             "dim2"};
    seed = 5;
    for (int i = 0; i < ROUNDS; i++) {
        struct lw_layout layout, low, high, both;
        random_layout(&layout, 4);
        if (layout.in.count < 3 || layout.out.count < 3)
            continue;
        assert_true(lw_layout_sublayout(&low, &layout, ins, 1, outs, 3, NULL));
        assert_true(lw_layout_sublayout(&high, &layout, ins + 1, 2, outs, 3, NULL));
        assert_true(lw_layout_concat_ins(&both, &low, &high, NULL));
        assert_true(lw_layout_equal(&both, &layout));
        assert_false(lw_layout_concat_ins(&both, &low, &low, NULL));
        assert_true(lw_layout_sublayout(&low, &layout, ins, 3, outs, 2, NULL));
        assert_true(lw_layout_sublayout(&high, &layout, ins, 3, outs + 2, 1, NULL));
        assert_true(lw_layout_concat_outs(&both, &low, &high, NULL));
        assert_true(lw_layout_equal(&both, &layout));
        assert_false(lw_layout_concat_outs(&both, &low, &low, NULL));
    }
}

static void test_sublayout_is_zero(void **state)
{
    (void)state;
    const char *const ins[] = {"register", "warp"}, *const outs[] = {"dim1", "nothing"};
    seed = 6;
    for (int i = 0; i < ROUNDS; i++) {
        struct lw_layout layout;
        bool zero = true;
        random_layout(&layout, 2);
        int dim1 = lw_dims_find(&layout.out, "dim1");
        for (uint64_t x = 0; x < (uint64_t)1 << lw_layout_in_bits(&layout); x++) {
            uint64_t point[LW_DIMS_MAX], image[LW_DIMS_MAX];
            int lane = lw_dims_find(&layout.in, "lane");
            lw_dims_unflatten(&layout.in, x, point);
            if (lane >= 0 && point[lane])
                continue;
            lw_layout_apply(&layout, point, image);
            zero = zero && (dim1 < 0 || image[dim1] == 0);
        }
        assert_int_equal(zero, lw_layout_sublayout_is_zero(&layout, ins, 2, outs, 2));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_divide_products),
        cmocka_unit_test(test_divide_every_small),
        cmocka_unit_test(test_trivial),
        cmocka_unit_test(test_flatten),
        cmocka_unit_test(test_concat),
        cmocka_unit_test(test_sublayout_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
