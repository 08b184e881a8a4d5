/* Arenas: alignment, zeros, limits. */

#include "unit.h"

#include "laneway/arena.h"

#include <stdalign.h>

static void memory(void **state)
{
    (void)state;
    struct lw_arena arena = {0};
    for (size_t size = 0; size < 300; size++) {
        unsigned char *p = lw_arena_alloc(&arena, size);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, size);
    }
    unsigned char *large = lw_arena_alloc(&arena, 1 << 20);
    assert_non_null(large);
    assert_int_equal(large[(1 << 20) - 1], 0);
    lw_arena_free(&arena);
    lw_arena_free(&arena);
}

/* A block is kept, and what is allocated in it is zero again. */
static void cleared(void **state)
{
    (void)state;
    struct lw_arena arena = {0};
    lw_arena_clear(&arena);
    char *first = lw_arena_alloc(&arena, 100);
    memset(first, 0xff, 100);
    lw_arena_clear(&arena);
    assert_int_equal(arena.used, 0);
    char *again = lw_arena_alloc(&arena, 100);
    assert_ptr_equal(again, first);
    for (int i = 0; i < 100; i++)
        assert_int_equal(again[i], 0);
    assert_non_null(lw_arena_alloc(&arena, 1 << 20));
    lw_arena_clear(&arena); /* a large block is not kept */
    assert_null(arena.blocks);
    lw_arena_free(&arena);
}

static void strings(void **state)
{
    (void)state;
    struct lw_arena arena = {0};
    assert_string_equal(lw_arena_string(&arena, "lane and warp", 4), "lane");
    assert_string_equal(lw_arena_string(&arena, NULL, 0), "");
    lw_arena_free(&arena);
}

static void limits(void **state)
{
    (void)state;
    struct lw_arena arena = {.max = 1000};
    assert_non_null(lw_arena_alloc(&arena, 900));
    assert_false(arena.full);
    assert_null(lw_arena_alloc(&arena, 200));
    assert_true(arena.full);
    assert_null(lw_arena_alloc(&arena, SIZE_MAX));
    assert_null(lw_arena_alloc(&arena, SIZE_MAX - 8));
    assert_non_null(lw_arena_alloc(&arena, 50));
    assert_true(arena.used <= 1000);
    lw_arena_free(&arena);
    assert_int_equal(arena.used, 0);
    assert_false(arena.full);
    assert_non_null(lw_arena_alloc(&arena, 900));
    lw_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory),
        cmocka_unit_test(cleared),
        cmocka_unit_test(strings),
        cmocka_unit_test(limits),
    };
    return RUN(tests);
}
