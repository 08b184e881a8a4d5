/*
 * Division, shapes and column actions: the example of the header, identities on random layouts, each
 * function against its definition point by point, limits.
 */

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

static uint64_t next(uint64_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % below;
}

static void random_dims(struct lw_dims *dims, const char *const *names, int max_bits)
{
    dims->count = 0;
    for (int i = 0; i < 3; i++)
        if (next(4) > 0)
            assert_true(
                lw_dims_add(dims, names[i], (uint64_t)1 << next((uint64_t)max_bits + 1), NULL));
}

/* Up to 3 dims a side, each of up to `max_bits` bits; bases are often 0. */
static void random_layout(struct lw_layout *layout, int max_bits)
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

static void identity(struct lw_layout *layout, uint64_t size, const char *in, const char *out)
{
    assert_true(lw_layout_identity(layout, size, in, out, NULL));
}

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

static void test_resize(void **state)
{
    (void)state;
    seed = 7;
    for (int i = 0; i < ROUNDS; i++) {
        struct lw_layout layout, small;
        random_layout(&layout, 4);
        int d = lw_dims_find(&layout.in, "lane"), o = lw_dims_find(&layout.out, "dim1");
        if (d < 0 || o < 0)
            continue;
        uint64_t size = (uint64_t)1 << next((uint64_t)lw_layout_in_log2(&layout, d) + 1);
        assert_true(lw_layout_resize_in(&small, &layout, "lane", size, NULL));
        uint64_t point[LW_DIMS_MAX], image[LW_DIMS_MAX], same[LW_DIMS_MAX];
        lw_dims_unflatten(&small.in, next((uint64_t)1 << lw_layout_in_bits(&small)), point);
        lw_layout_apply(&small, point, image);
        lw_layout_apply(&layout, point, same);
        assert_memory_equal(image, same, sizeof(uint64_t) * (size_t)layout.out.count);

        size = (uint64_t)1 << next((uint64_t)lw_layout_out_log2(&layout, o) + 1);
        assert_true(lw_layout_resize_out(&small, &layout, "dim1", size, NULL));
        for (int dim = 0; dim < layout.in.count; dim++)
            for (int bit = 0; bit < lw_layout_in_log2(&layout, dim); bit++) {
                lw_layout_basis(&layout, dim, bit, same);
                lw_layout_basis(&small, dim, bit, image);
                same[o] = same[o] >= size ? 0 : same[o];
                assert_memory_equal(image, same, sizeof(uint64_t) * (size_t)layout.out.count);
            }
    }
}

static void test_remove_zeros(void **state)
{
    (void)state;
    seed = 8;
    for (int i = 0; i < ROUNDS; i++) {
        struct lw_layout layout, without, zeros, back;
        random_layout(&layout, 4);
        if (!lw_layout_remove_zeros(&without, &layout, "lane", NULL)) {
            assert_true(lw_dims_find(&layout.in, "lane") < 0);
            continue;
        }
        assert_int_equal(lw_layout_rank(&without), lw_layout_rank(&layout));
        lw_layout_zeros_like(&zeros, &layout);
        assert_true(lw_layout_remove_zeros(&back, &zeros, "lane", NULL));
        assert_int_equal(lw_dims_size(&back.in, "lane"), 1);
    }
}

static void test_rename(void **state)
{
    (void)state;
    seed = 9;
    for (int i = 0; i < ROUNDS; i++) {
        struct lw_layout layout, renamed, back;
        random_layout(&layout, 3);
        if (!lw_layout_rename_in(&renamed, &layout, "register", "offset", NULL))
            continue;
        assert_string_equal(renamed.in.dim[renamed.in.count - 1].name, "offset");
        const char *names[LW_DIMS_MAX];
        assert_true(lw_layout_rename_in(&back, &renamed, "offset", "register", NULL));
        for (int d = 0; d < layout.in.count; d++)
            names[d] = layout.in.dim[d].name;
        assert_true(lw_layout_transpose_ins(&back, &back, names, NULL));
        assert_true(lw_layout_equal(&back, &layout));
        assert_true(lw_dims_find(&layout.in, "lane") < 0 ||
                    !lw_layout_rename_in(&back, &layout, "register", "lane", NULL));
    }
}

static void test_infer(void **state)
{
    (void)state;
    int inferred = 0;
    seed = 10;
    for (int i = 0; i < ROUNDS; i++) {
        struct lw_layout layout, again;
        uint64_t images[LW_BITS_MAX * LW_DIMS_MAX];
        const char *outs[LW_DIMS_MAX];
        random_layout(&layout, 2);
        for (int o = 0; o < layout.out.count; o++)
            outs[o] = layout.out.dim[o].name;
        for (int d = 0, at = 0; d < layout.in.count; d++)
            for (int b = 0; b < lw_layout_in_log2(&layout, d); b++, at += layout.out.count)
                lw_layout_basis(&layout, d, b, &images[at]);
        bool good = lw_layout_infer(&again, &layout.in, outs, layout.out.count, images, NULL);
        if (lw_layout_is_surjective(&layout)) {
            assert_true(good && lw_layout_equal(&again, &layout));
            inferred++;
        } else if (good) {
            assert_true(lw_layout_equal_but_sizes(&again, &layout));
            assert_true(lw_layout_is_surjective(&again));
        }
    }
    assert_in_range(inferred, 100, ROUNDS);
}

static void test_equal_but_sizes(void **state)
{
    (void)state;
    struct lw_layout a, b, c;
    identity(&a, 4, "lane", "dim0");
    assert_true(lw_layout_zeros(&b, 4, "lane", "dim0", 32, NULL));
    b.basis[0] = 1;
    b.basis[1] = 2;
    assert_true(lw_layout_equal_but_sizes(&a, &b) && !lw_layout_equal(&a, &b));
    identity(&c, 4, "lane", "dim1");
    assert_false(lw_layout_equal_but_sizes(&a, &c));
    b.basis[1] = 16;
    assert_false(lw_layout_equal_but_sizes(&a, &b));
}

/* ---- Column actions ---- */

static void random_action(struct lw_action *action, int bits, int count)
{
    uint64_t columns[LW_BITS_MAX];
    for (int i = 0; i < bits; i++) {
        uint64_t j = next((uint64_t)i + 1);
        columns[i] = columns[j];
        columns[j] = (uint64_t)i;
    }
    assert_true(lw_action_make(action, "register", bits, columns, count, NULL));
}

/* Acting on columns is composing with the action of the identity. */
static void test_action(void **state)
{
    (void)state;
    seed = 11;
    for (int i = 0; i < ROUNDS; i++) {
        struct lw_layout layout, acted, registers;
        struct lw_action action, other, both, inverse;
        random_layout(&layout, 5);
        int d = lw_dims_find(&layout.in, "register");
        if (d < 0)
            continue;
        int bits = lw_layout_in_log2(&layout, d), count = (int)next((uint64_t)bits + 1);
        random_action(&action, bits, count);
        assert_true(lw_action_apply(&acted, &action, &layout, NULL));
        uint64_t point[LW_DIMS_MAX], image[LW_DIMS_MAX], same[LW_DIMS_MAX];
        lw_dims_unflatten(&acted.in, next((uint64_t)1 << lw_layout_in_bits(&acted)), point);
        lw_layout_apply(&acted, point, image);
        point[d] = lw_action_source(&action, point[d]);
        lw_layout_apply(&layout, point, same);
        assert_memory_equal(image, same, sizeof(uint64_t) * (size_t)layout.out.count);

        random_action(&action, bits, bits);
        random_action(&other, bits, bits);
        assert_true(lw_action_left_compose(&both, &action, &other, NULL));
        assert_true(lw_action_apply(&acted, &action, &layout, NULL) &&
                    lw_action_apply(&acted, &other, &acted, NULL));
        assert_true(lw_action_apply(&registers, &both, &layout, NULL));
        assert_true(lw_layout_equal(&acted, &registers));
        assert_true(lw_action_inverse(&inverse, &action, NULL) &&
                    lw_action_left_compose(&both, &action, &inverse, NULL));
        assert_true(lw_action_is_identity(&both));
    }
}

/* Registers that were shuffled after a product are found back. */
static void test_for_divide(void **state)
{
    (void)state;
    int divided = 0;
    seed = 12;
    for (int i = 0; i < ROUNDS; i++) {
        struct lw_layout tile, rest, product, shuffled, found, quotient;
        struct lw_action shuffle, action;
        bool left = next(2);
        random_layout(&tile, 2);
        random_layout(&rest, 2);
        if (!lw_layout_product(&product, left ? &tile : &rest, left ? &rest : &tile, NULL) ||
            tile.in.count == 0 || strcmp(tile.in.dim[0].name, "register") != 0 ||
            strcmp(product.in.dim[0].name, "register") != 0)
            continue;
        random_action(&shuffle, lw_layout_in_log2(&product, 0), lw_layout_in_log2(&product, 0));
        assert_true(lw_action_apply(&shuffled, &shuffle, &product, NULL));
        /* Out-dims in another order are refused. */
        if (!lw_action_for_divide(&action, &shuffled, &tile, left, NULL)) {
            assert_true(product.out.count > 1);
            continue;
        }
        assert_true(lw_action_apply(&found, &action, &shuffled, NULL));
        divided += left ? lw_layout_divide_left(&quotient, &found, &tile, NULL)
                        : lw_layout_divide_right(&quotient, &found, &tile, NULL);
    }
    assert_in_range(divided, 500, ROUNDS);
}

static void test_remove_broadcast(void **state)
{
    (void)state;
    seed = 13;
    for (int i = 0; i < ROUNDS; i++) {
        struct lw_layout layout, acted, expected;
        struct lw_action action;
        struct lw_error err;
        random_layout(&layout, 4);
        if (!lw_action_remove_broadcast(&action, &layout, &err)) {
            assert_int_equal(err.code, LW_ERROR_SHAPE);
            continue;
        }
        assert_true(lw_action_apply(&acted, &action, &layout, NULL));
        assert_true(lw_layout_remove_zeros(&expected, &layout, "register", NULL));
        assert_true(lw_layout_equal(&acted, &expected));
    }
}

static void test_action_refused(void **state)
{
    (void)state;
    struct lw_action action, wide;
    struct lw_layout layout;
    const uint64_t twice[] = {1, 1}, large[] = {2}, one[] = {1};
    assert_false(lw_action_make(&action, "lane", 2, twice, 2, NULL));
    assert_false(lw_action_make(&action, "lane", 2, large, 1, NULL));
    assert_false(lw_action_make(&action, "lane", 65, large, 1, NULL));
    assert_false(lw_action_make(&action, "", 2, one, 1, NULL));
    assert_true(lw_action_make(&action, "lane", 2, one, 1, NULL));
    assert_false(lw_action_inverse(&action, &action, NULL));
    identity(&layout, 8, "lane", "dim0");
    assert_false(lw_action_apply(&layout, &action, &layout, NULL));
    identity(&layout, 4, "warp", "dim0");
    assert_false(lw_action_apply(&layout, &action, &layout, NULL));
    assert_false(lw_action_left_compose(&wide, &action, &action, NULL));
}

/* ---- Limits ---- */

static void test_64_bits(void **state)
{
    (void)state;
    struct lw_layout low, high, all, part;
    identity(&low, (uint64_t)1 << 32, "register", "dim0");
    identity(&high, (uint64_t)1 << 32, "lane", "dim1");
    assert_true(lw_layout_product(&all, &low, &high, NULL));
    assert_true(lw_layout_divide_left(&part, &all, &low, NULL));
    assert_int_equal(lw_layout_rank(&part), 32);
    assert_true(lw_layout_divide_left(&part, &all, &all, NULL));
    assert_int_equal(lw_layout_in_bits(&part), 0);
    assert_false(lw_layout_flatten_ins(&part, &all, NULL));
    assert_true(lw_layout_concat_outs(&part, &low, &low, NULL) == false);
    assert_true(lw_layout_rename_out(&high, &low, "dim0", "dim1", NULL));
    assert_true(lw_layout_concat_outs(&part, &low, &high, NULL));
    assert_int_equal(lw_layout_out_bits(&part), 64);
    struct lw_layout bit;
    assert_true(lw_layout_zeros(&bit, (uint64_t)1 << 32, "register", "dim2", 2, NULL));
    assert_false(lw_layout_concat_outs(&part, &part, &bit, NULL));
    assert_true(lw_layout_resize_out(&part, &part, "dim1", 1, NULL));
    assert_true(lw_layout_unsqueeze_out(&part, &part, "dim1", NULL));
    assert_true(lw_layout_equal(&part, &low));
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
        cmocka_unit_test(test_resize),
        cmocka_unit_test(test_remove_zeros),
        cmocka_unit_test(test_rename),
        cmocka_unit_test(test_infer),
        cmocka_unit_test(test_equal_but_sizes),
        cmocka_unit_test(test_action),
        cmocka_unit_test(test_for_divide),
        cmocka_unit_test(test_remove_broadcast),
        cmocka_unit_test(test_action_refused),
        cmocka_unit_test(test_64_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
