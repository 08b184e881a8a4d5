/* Operations of two kernels in pairs: by kind and source line, also when lines moved; what came, went, got dearer. */

#include "notation_help.h"

#include "laneway/kernel_cost.h"

#include <stdlib.h>

#define HEAD                                                                                       \
    "#r = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], "   \
    "order = [1, 0]}>\n"                                                                           \
    "#c = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], "  \
    "order = [0, 1]}>\n"                                                                           \
    "#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>\n"           \
    "module attributes {\"ttg.num-warps\" = 1 : i32, ttg.target = \"cuda:90\"} {\n"                \
    "tt.func @f(%p: tensor<4x32x!tt.ptr<f32>, #r>, %q: tensor<4x32x!tt.ptr<f32>, #c>, %w: "        \
    "tensor<8x32x!tt.ptr<f32>, #r>, %m: "                                                          \
    "!ttg.memdesc<4x32xf32, #s, #ttg.shared_memory, mutable>) {\n"
#define TAIL "tt.return\n}\n}\n"
#define LOAD_R(value, line)                                                                        \
    "%" value " = tt.load %p : tensor<4x32x!tt.ptr<f32>, #r> loc(\"k.py\":" line ":0)\n"
#define LOAD_C(value, line)                                                                        \
    "%" value " = tt.load %q : tensor<4x32x!tt.ptr<f32>, #c> loc(\"k.py\":" line ":0)\n"
#define LOAD_WIDE(value, line)                                                                     \
    "%" value " = tt.load %w : tensor<8x32x!tt.ptr<f32>, #r> loc(\"k.py\":" line ":0)\n"
#define STORE(value, line)                                                                         \
    "ttg.local_store %" value ", %m : tensor<4x32xf32, #r> -> !ttg.memdesc<4x32xf32, #s, "         \
    "#ttg.shared_memory, mutable> loc(\"k.py\":" line ":0)\n"

static struct lw_kernel kernels[2];
static struct lw_kernel_costs costs[2];
static struct lw_kernel_pairs pairs;

static void make(const char *before, const char *after)
{
    const char *texts[2] = {before, after};
    for (int i = 0; i < 2; i++) {
        assert_true(lw_kernel_read(&kernels[i], texts[i], strlen(texts[i]), NULL, NULL));
        assert_int_equal(kernels[i].problems.total, 0);
        assert_true(lw_kernel_costs_make(&costs[i], &kernels[i], NULL, NULL));
    }
    assert_true(lw_kernel_pairs_make(&pairs, &costs[0], &costs[1], NULL));
}

static void drop(void)
{
    lw_kernel_pairs_free(&pairs);
    for (int i = 0; i < 2; i++) {
        lw_kernel_costs_free(&costs[i]);
        lw_kernel_free(&kernels[i]);
    }
}

static void check(size_t i, enum lw_change change, int before, int after)
{
    assert_true(i < pairs.count);
    assert_string_equal(lw_change_name(pairs.pair[i].change), lw_change_name(change));
    assert_ptr_equal(pairs.pair[i].cost[0], before < 0 ? NULL : &costs[0].costs[before]);
    assert_ptr_equal(pairs.pair[i].cost[1], after < 0 ? NULL : &costs[1].costs[after]);
}

/* A load of twice as much is dearer; one in another layout, which costs the same, has changed. */
static void changes_are_named(void **state)
{
    (void)state;
    make(HEAD LOAD_R("x", "2") LOAD_R("y", "3") LOAD_R("z", "5") LOAD_R("u", "6") TAIL,
         HEAD LOAD_WIDE("x", "2") LOAD_R("y", "3") STORE("y", "4") LOAD_C("u", "6") TAIL);
    assert_int_equal(pairs.count, 5);
    check(0, LW_CHANGE_DEARER, 0, 0);
    check(1, LW_CHANGE_CAME, -1, 2);
    check(2, LW_CHANGE_OTHER, 3, 3);
    check(3, LW_CHANGE_WENT, 2, -1);
    check(4, LW_CHANGE_NONE, 1, 1);
    drop();
    make(HEAD LOAD_WIDE("x", "2") TAIL, HEAD LOAD_R("x", "2") TAIL);
    assert_int_equal(pairs.count, 1);
    check(0, LW_CHANGE_CHEAPER, 0, 0);
    drop();
}

/* Two lines were added above: line 3 of before is line 5 now, not the load that is on line 3 now. */
static void lines_that_moved_are_followed(void **state)
{
    (void)state;
    make(HEAD LOAD_R("x", "2") LOAD_C("y", "4") STORE("x", "5") TAIL,
         HEAD LOAD_R("x", "4") LOAD_C("y", "6") STORE("x", "7") TAIL);
    assert_int_equal(pairs.count, 3);
    for (size_t i = 0; i < pairs.count; i++) {
        const int at = (int)(pairs.pair[i].cost[1] - costs[1].costs);
        check(i, LW_CHANGE_NONE, at, at);
    }
    drop();
}

/* The same kind on the same line is paired by what it moves before the order counts. */
static void equal_operations_are_paired_first(void **state)
{
    (void)state;
    make(HEAD LOAD_R("x", "2") TAIL, HEAD LOAD_C("w", "2") LOAD_R("x", "2") TAIL);
    assert_int_equal(pairs.count, 2);
    check(0, LW_CHANGE_CAME, -1, 0);
    check(1, LW_CHANGE_NONE, 0, 1);
    drop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_named),
        cmocka_unit_test(lines_that_moved_are_followed),
        cmocka_unit_test(equal_operations_are_paired_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
