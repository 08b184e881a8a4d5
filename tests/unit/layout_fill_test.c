/* Tables filled by doubling against one entry at a time: all sizes about the steps of the filling,
 * tables that are not aligned, nothing written past the end. */

#include "laneway/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct lw_layout mixed_layout(int bits)
{
    struct lw_layout layout;
    uint64_t state = 88172645463325252u;
    assert_true(
        lw_layout_zeros(&layout, (uint64_t)1 << bits, "offset", "dim0", (uint64_t)1 << 32, NULL));
    for (int i = 0; i < bits; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        layout.basis[i] = state & 0xffffffff;
    }
    return layout;
}

static void test_fill(void **state)
{
    (void)state;
    for (int bits = 0; bits <= 16; bits++)
        for (int shift = 0; shift < 2; shift++) {
            struct lw_layout layout = mixed_layout(bits);
            size_t count = (size_t)1 << bits;
            uint64_t *room = calloc(count + 2, sizeof *room), *table = room + shift;
            lw_layout_fill(&layout, bits, table);
            for (size_t i = 0; i < count; i++)
                assert_int_equal(table[i], lw_layout_apply_flat(&layout, i));
            assert_int_equal(table[count], 0);
            free(room);
        }
}

static void test_fill32(void **state)
{
    (void)state;
    for (int bits = 0; bits <= 16; bits++)
        for (int shift = 0; shift < 4; shift++) {
            struct lw_layout layout = mixed_layout(bits);
            size_t count = (size_t)1 << bits;
            uint32_t *room = calloc(count + 4, sizeof *room), *table = room + shift;
            lw_layout_fill32(&layout, bits, table);
            for (size_t i = 0; i < count; i++)
                assert_int_equal(table[i], lw_layout_apply_flat(&layout, i));
            assert_int_equal(table[count], 0);
            free(room);
        }
}

/* The first entries alone, of a layout that has more. */
static void test_prefix(void **state)
{
    (void)state;
    struct lw_layout layout = mixed_layout(20);
    uint32_t table[33] = {0};
    lw_layout_fill32(&layout, 5, table);
    for (size_t i = 0; i < 32; i++)
        assert_int_equal(table[i], lw_layout_apply_flat(&layout, i));
    assert_int_equal(table[32], 0);
}

/* So large that the caches are passed by; every 97th entry is looked at. */
static void test_large(void **state)
{
    (void)state;
    const int bits = 24;
    struct lw_layout layout = mixed_layout(bits);
    size_t count = (size_t)1 << bits;
    for (int shift = 0; shift < 2; shift++) {
        uint32_t *room = malloc((count + 1) * sizeof *room), *table = room + shift;
        assert_non_null(room);
        lw_layout_fill32(&layout, bits, table);
        for (size_t i = 0; i < count; i += 97)
            assert_int_equal(table[i], lw_layout_apply_flat(&layout, i));
        assert_int_equal(table[count - 1], lw_layout_apply_flat(&layout, count - 1));
        free(room);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill),
        cmocka_unit_test(test_fill32),
        cmocka_unit_test(test_prefix),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
