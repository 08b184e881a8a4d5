/* Algebra of layouts that change size: resized, renamed, without zeros or broadcasts. */

#include "algebra_parts.h"
#include "core/action.h"
#include "core/dims_copy.h"

#include "laneway/algebra.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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
        lw_layout_copy(&zeros, &layout);
        memset(zeros.basis, 0, sizeof zeros.basis);
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
        struct lw_layout layout, acted;
        struct lw_action action;
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
        uint64_t source = 0; /* the value before that is value point[d] now */
        for (int b = 0; b < action.count; b++)
            source |= (point[d] >> b & 1) << action.column[b];
        point[d] = source;
        lw_layout_apply(&layout, point, same);
        assert_memory_equal(image, same, sizeof(uint64_t) * (size_t)layout.out.count);
    }
}

static void test_action_refused(void **state)
{
    (void)state;
    struct lw_action action;
    struct lw_layout layout;
    const uint64_t twice[] = {1, 1}, large[] = {2}, one[] = {1};
    assert_false(lw_action_make(&action, "lane", 2, twice, 2, NULL));
    assert_false(lw_action_make(&action, "lane", 2, large, 1, NULL));
    assert_false(lw_action_make(&action, "lane", 65, large, 1, NULL));
    assert_true(lw_action_make(&action, "lane", LW_BITS_MAX, one, 1, NULL));
    assert_false(lw_action_make(&action, "lane", LW_BITS_MAX + 1, one, 1, NULL));
    assert_false(lw_action_make(&action, "", 2, one, 1, NULL));
    assert_true(lw_action_make(&action, "lane", 2, one, 1, NULL));
    identity(&layout, 8, "lane", "dim0");
    assert_false(lw_action_apply(&layout, &action, &layout, NULL));
    identity(&layout, 4, "warp", "dim0");
    assert_false(lw_action_apply(&layout, &action, &layout, NULL));
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
        cmocka_unit_test(test_resize),          cmocka_unit_test(test_remove_zeros),
        cmocka_unit_test(test_rename),          cmocka_unit_test(test_infer),
        cmocka_unit_test(test_equal_but_sizes), cmocka_unit_test(test_action),
        cmocka_unit_test(test_action_refused),  cmocka_unit_test(test_64_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
