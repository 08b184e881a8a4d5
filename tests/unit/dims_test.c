/* Named dims: adding, flattening, and what is refused. */

#include "unit.h"
#include "seeded.h"

#include <stdio.h>

static void adding(void **state)
{
    (void)state;
    struct lw_dims dims = {0};
    struct lw_error err;
    assert_true(lw_dims_add(&dims, "register", 4, NULL));
    assert_true(lw_dims_add(&dims, "lane", (uint64_t)1 << 63, NULL));
    assert_int_equal(lw_dims_find(&dims, "lane"), 1);
    assert_int_equal(lw_dims_find(&dims, "warp"), -1);
    assert_true(lw_dims_size(&dims, "register") == 4);
    assert_true(lw_dims_size(&dims, "warp") == 1);

    assert_false(lw_dims_add(&dims, "lane", 2, &err));
    assert_string_equal(err.message, "duplicate dim 'lane'");
    assert_int_equal(err.code, LW_ERROR_NAME);
    assert_false(lw_dims_add(&dims, "warp", 0, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    assert_false(lw_dims_add(&dims, "warp", ((uint64_t)1 << 63) + 1, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    assert_int_equal(dims.count, 2);
}

static void names(void **state)
{
    (void)state;
    static const char *const bad[] = {"",         "a b", "a-b",
                                      "\xc3\xa4", "a.b", "abcdefghijklmnopqrstuvwx"};
    struct lw_dims dims = {0};
    struct lw_error err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(lw_dims_add(&dims, bad[i], 1, &err));
        assert_int_equal(err.code, LW_ERROR_NAME);
    }
    assert_true(lw_dims_add(&dims, "abcdefghijklmnopqrstuvw", 1, NULL));
    assert_true(lw_dims_add(&dims, "_7", 1, NULL));
    for (int i = dims.count; i < LW_DIMS_MAX; i++) {
        char name[16];
        snprintf(name, sizeof name, "d%d", i);
        assert_true(lw_dims_add(&dims, name, 1, NULL));
    }
    assert_false(lw_dims_add(&dims, "beyond", 1, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
}

/* The first dim varies fastest. */
static void flattening(void **state)
{
    (void)state;
    uint64_t seed = 3, point[LW_DIMS_MAX], again[LW_DIMS_MAX];
    struct lw_dims dims = {0};
    assert_true(lw_dims_add(&dims, "a", 3, NULL) && lw_dims_add(&dims, "b", 5, NULL) &&
                lw_dims_add(&dims, "c", 7, NULL));
    point[0] = 2, point[1] = 4, point[2] = 6;
    assert_true(lw_dims_flatten(&dims, point) == 3 * 5 * 7 - 1);
    point[0] = 1, point[1] = 2, point[2] = 3;
    assert_true(lw_dims_flatten(&dims, point) == 1 + 3 * (2 + 5 * 3));
    for (int round = 0; round < 200; round++) {
        uint64_t flat = seeded_below(&seed, 105);
        lw_dims_unflatten(&dims, flat, again);
        assert_true(lw_dims_flatten(&dims, again) == flat);
    }
}

static void no_dims(void **state)
{
    (void)state;
    struct lw_dims dims = {0};
    uint64_t point[1] = {0}, total;
    assert_true(lw_dims_flatten(&dims, point) == 0);
    assert_true(lw_dims_total(&dims, &total, NULL) && total == 1);
}

static void totals(void **state)
{
    (void)state;
    struct lw_dims dims = {0};
    struct lw_error err;
    uint64_t total;
    assert_true(lw_dims_add(&dims, "a", (uint64_t)1 << 32, NULL));
    assert_true(lw_dims_add(&dims, "b", (uint64_t)1 << 31, NULL));
    assert_true(lw_dims_total(&dims, &total, NULL));
    assert_true(total == (uint64_t)1 << 63);
    assert_true(lw_dims_add(&dims, "c", 2, NULL));
    assert_false(lw_dims_total(&dims, &total, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
}

static void equality(void **state)
{
    (void)state;
    const uint64_t shape[] = {4, 8};
    struct lw_dims a, b = {0};
    assert_true(lw_dims_of_shape(&a, shape, 2, NULL));
    assert_true(lw_dims_add(&b, "dim0", 4, NULL));
    assert_false(lw_dims_equal(&a, &b));
    assert_true(lw_dims_add(&b, "dim1", 8, NULL));
    assert_true(lw_dims_equal(&a, &b));
    b.dim[1].size = 16;
    assert_false(lw_dims_equal(&a, &b));
}

static void logarithms(void **state)
{
    (void)state;
    for (int i = 0; i < 64; i++)
        assert_int_equal(lw_log2((uint64_t)1 << i), i);
    assert_int_equal(lw_log2(0), -1);
    assert_int_equal(lw_log2(3), -1);
    assert_int_equal(lw_log2(UINT64_MAX), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adding),     cmocka_unit_test(names),  cmocka_unit_test(flattening),
        cmocka_unit_test(no_dims),    cmocka_unit_test(totals), cmocka_unit_test(equality),
        cmocka_unit_test(logarithms),
    };
    return RUN(tests);
}
