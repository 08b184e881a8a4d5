/* Kernels: the parts of the text and their positions; problems in it are reported, and the rest is read. */

#include "kernel_parts.h"

#include "golden.h"
#include "notation_help.h"

#include "core/array_count.h"
#include "laneway/kernel.h"

#include <glob.h>
#include <time.h>
#include <unistd.h>

static const struct lw_kernel_encoding *encoding_of(const struct lw_kernel *kernel,
                                                    const char *alias)
{
    for (size_t i = 0; i < kernel->encoding_count; i++)
        if (!strcmp(kernel->encodings[i].alias, alias))
            return &kernel->encodings[i];
    fail_msg("no encoding %s", alias);
    return NULL;
}

static void test_small(void **state)
{
    (void)state;
    struct lw_kernel kernel;
    uint64_t trips;
    read_text(&kernel, small, NULL);
    has_no_problem(&kernel);
    assert_string_equal(kernel.target, "cuda:90");
    assert_int_equal(kernel.num_warps, 4);
    assert_int_equal(kernel.num_ctas, 1);
    assert_int_equal(kernel.threads_per_warp, 32);
    assert_int_equal(kernel.function_count, 1);
    assert_string_equal(kernel.functions[0].name, "k");
    assert_int_equal(kernel.loop_count, 2);
    assert_int_equal(kernel.loops[0].position.line, 11);
    assert_true(kernel.loops[0].known && kernel.loops[0].trips == 4);
    assert_false(kernel.loops[1].known);
    is_at(kernel.loops[0].location, "k.py:40:8");
    assert_int_equal(kernel.operation_count, 4);
    const struct lw_operation *load = &kernel.operations[0], *copy = load + 1, *store = load + 2,
                              *reduce = load + 3;
    assert_string_equal(load->name, "tt.load");
    assert_string_equal(load->value, "%v");
    assert_int_equal(lw_operation_depth(&kernel, load), 1);
    assert_string_equal(load->location->name, "v");
    is_at(load->location, "k.py:26:12");
    assert_int_equal(load->from, -1);
    assert_string_equal(lw_kernel_alias(&kernel, load->to), "#b");
    struct lw_tensor tensor;
    lw_operation_tensor(&kernel, load, &tensor);
    assert_string_equal(tensor.element.name, "f16");
    assert_true(lw_operation_trips(&kernel, load, &trips) && trips == 4);
    assert_int_equal(lw_operation_depth(&kernel, copy), 2);
    assert_false(lw_operation_trips(&kernel, copy, &trips));
    assert_int_equal(trips, 4);
    is_at(copy->location, "k.py:26:12 < k.py:40:8 < main.py:5:6");
    assert_string_equal(lw_kernel_alias(&kernel, copy->to), "#s");
    assert_int_equal(lw_operation_depth(&kernel, store), 2);
    is_at(store->location, "in.py:3:4");
    assert_string_equal(reduce->location->name, "e");
    assert_string_equal(reduce->name, "tt.reduce");
    assert_int_equal(reduce->position.line, 24);
    assert_int_equal(lw_operation_depth(&kernel, reduce), 0);
    assert_string_equal(lw_kernel_alias(&kernel, reduce->to), "#c");
    lw_kernel_free(&kernel);
}

static void test_encodings(void **state)
{
    (void)state;
    struct lw_kernel kernel;
    read_text(&kernel, small, NULL);
    assert_int_equal(kernel.encoding_count, 3);
    const struct lw_kernel_encoding *b = encoding_of(&kernel, "#b");
    assert_string_equal(b->text, BLOCKED);
    assert_int_equal(b->type_count, 2); /* of pointers, of f16 */
    assert_int_equal(encoding_of(&kernel, "#s")->type_count, 2);
    assert_int_equal(encoding_of(&kernel, "#c")->type_count, 1);
    const struct lw_kernel_type *type = &kernel.types[encoding_of(&kernel, "#c")->types[0]];
    assert_int_equal(type->tensor.rank, 1);
    assert_int_equal(type->tensor.shape[0], 64);
    struct lw_document doc;
    struct lw_map map;
    struct lw_error err;
    assert_true(lw_document_of_operation(&doc, &kernel, &kernel.operations[2], &err));
    assert_true(lw_document_build(&doc, &map, &err));
    lw_document_free(&doc);
    lw_kernel_free(&kernel);
}

static void picked_is(const char *value, const char *type)
{
    struct lw_kernel kernel;
    struct lw_kernel_options options = {.value = value};
    read_text(&kernel, small, &options);
    assert_string_equal(kernel.picked < 0 ? "" : kernel.types[kernel.picked].text, type);
    lw_kernel_free(&kernel);
}

static void test_picked(void **state)
{
    (void)state;
    picked_is("%v", "tensor<32x64x!tt.ptr<f16>, #b>");
    picked_is("%r", "tensor<32x64x!tt.ptr<f16>, #b>");
    picked_is("%r#0", "tensor<32x64x!tt.ptr<f16>, #b>");
    picked_is("%r#1", "");
    picked_is("%r#2", "");
    picked_is("%a", "tensor<32x64x!tt.ptr<f16>, #b>");
    picked_is("%k", "");
    picked_is("%e", "tensor<64xf16, #c>");
    picked_is("%u", "tensor<64xf16, #c>");
    picked_is("%none", "");
}

/* Values: one that something else takes too, one that nothing takes, one that the last store takes; one whose
 * store is not
 * the last effect, one whose store is in a loop, one with another store between it and its store. */
static void test_stored(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "tt.func @f() {\n"
             "  %1 = ttg.convert_layout %x : tensor<4x8xf16, #b> -> tensor<4x8xf16, #b>\n"
             "  %2 = ttg.convert_layout %x : tensor<4x8xf16, #b> -> tensor<4x8xf16, #b>\n"
             "  tt.store %p, %1 : tensor<4x8x!tt.ptr<f16>, #b>\n"
             "  %0 = ttg.convert_layout %x : tensor<4x8xf16, #b> -> tensor<4x8xf16, #b>\n"
             "  tt.store %p, %0 : tensor<4x8x!tt.ptr<f16>, #b>\n"
             "  scf.yield %1 : tensor<4x8xf16, #b>\n"
             "}\n"
             "tt.func @g() {\n"
             "  tt.store %p, %2 : tensor<4x8x!tt.ptr<f16>, #b>\n"
             "  %3 = ttg.convert_layout %x : tensor<4x8xf16, #b> -> tensor<4x8xf16, #b>\n"
             "  tt.store %p, %3 : tensor<4x8x!tt.ptr<f16>, #b>\n"
             "  ttng.async_tma_store_wait {pendings = 0 : i32}\n"
             "}\n"
             "tt.func @h() {\n"
             "  scf.for %i = %a to %b step %c : i32 {\n"
             "    %4 = ttg.convert_layout %x : tensor<4x8xf16, #b> -> tensor<4x8xf16, #b>\n"
             "    tt.store %p, %4 : tensor<4x8x!tt.ptr<f16>, #b>\n"
             "  }\n"
             "}\n"
             "tt.func @k() {\n"
             "  %5 = ttg.convert_layout %x : tensor<4x8xf16, #b> -> tensor<4x8xf16, #b>\n"
             "  tt.store %p, %y : tensor<4x8x!tt.ptr<f16>, #b>\n"
             "  tt.store %p, %5 : tensor<4x8x!tt.ptr<f16>, #b>\n"
             "}\n";
    static const struct {
        size_t operation;
        bool stored;
    } rows[] = {{0, false}, {1, false}, {3, true}, {6, false}, {8, false}, {10, false}};
    struct lw_kernel kernel;
    read_text(&kernel, text, NULL);
    has_no_problem(&kernel);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(kernel.operations[rows[i].operation].name, "ttg.convert_layout");
        assert_int_equal(kernel.operations[rows[i].operation].stored, rows[i].stored);
    }
    lw_kernel_free(&kernel);
}

/* Results that are only stored: with another shape and type; computed from first; with a barrier, another reduction,
 * another store or a conversion before the store; twice. */
static void test_only_stored(void **state)
{
    (void)state;
    static const struct {
        const char *between;
        bool stored, only_stored, cast;
    } rows[] = {
        {"tt.store %p, %1 : tensor<4x1x!tt.ptr<f16>, #b>", true, true, false},
        {"%2 = arith.truncf %1 : tensor<4x1xf32, #b> to tensor<4x1xf16, #b>\n"
         "  tt.store %p, %2 : tensor<4x1x!tt.ptr<f16>, #b>",
         true, true, true},
        {"%2 = tt.expand_dims %1 {axis = 0 : i32} : tensor<4x1xf32, #b> -> tensor<1x4x1xf32, #b>\n"
         "  %3 = arith.fptosi %2 : tensor<1x4x1xf32, #b> to tensor<1x4x1xi64, #b>\n"
         "  tt.store %p, %3 : tensor<1x4x1x!tt.ptr<i64>, #b>",
         true, true, true},
        {"%2 = arith.addf %1, %c : tensor<4x1xf32, #b>\n"
         "  tt.store %p, %2 : tensor<4x1x!tt.ptr<f32>, #b>",
         false, true, false},
        {"gpu.barrier\n  tt.store %p, %1 : tensor<4x1x!tt.ptr<f16>, #b>", false, false, false},
        {"tt.store %p, %y : tensor<4x1x!tt.ptr<f16>, #b>\n"
         "  tt.store %p, %1 : tensor<4x1x!tt.ptr<f16>, #b>",
         false, true, false},
        {"tt.store %p, %1 : tensor<4x1x!tt.ptr<f16>, #b>\n"
         "  tt.store %q, %1 : tensor<4x1x!tt.ptr<f16>, #b>",
         false, true, false},
        {"%2 = tt.broadcast %1 : tensor<4x1xf32, #b> -> tensor<4x8xf32, #b>\n"
         "  tt.store %p, %2 : tensor<4x8x!tt.ptr<f16>, #b>",
         false, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[4096];
        struct lw_kernel kernel;
        snprintf(text, sizeof text,
                 HEAD "tt.func @f() {\n"
                      "  %%1 = ttg.convert_layout %%x : tensor<4x1xf32, #b> -> tensor<4x1xf32, "
                      "#b>\n  %s\n}\n",
                 rows[i].between);
        read_text(&kernel, text, NULL);
        has_no_problem(&kernel);
        const struct lw_operation *operation = &kernel.operations[0];
        assert_string_equal(operation->name, "ttg.convert_layout");
        assert_int_equal(operation->stored, rows[i].stored);
        assert_int_equal(operation->only_stored, rows[i].only_stored);
        assert_int_equal(operation->cast, rows[i].cast);
        lw_kernel_free(&kernel);
    }
}

static void test_trips(void **state)
{
    (void)state;
    struct lw_kernel kernel;
    const struct lw_trips trips[] = {{11, 100, NULL}, {0, 3, NULL}};
    struct lw_kernel_options options = {.trips = trips, .trips_count = 2};
    uint64_t runs;
    read_text(&kernel, small, &options);
    assert_true(lw_operation_trips(&kernel, &kernel.operations[1], &runs));
    assert_int_equal(runs, 300);
    lw_kernel_free(&kernel);
}

/* Bounds are computed from constants and from values that the options set; a name that comes again in another region is
 * another value. */
static void test_bounds(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "tt.func @f(%n: i32) {\n"
             "  %c0 = arith.constant 0 : i32\n"
             "  %c32 = arith.constant 32 : i32\n"
             "  %c31 = arith.constant 31 : i32\n"
             "  %a = arith.addi %n, %c31 : i32\n"
             "  %b = arith.divsi %a, %c32 : i32\n"
             "  %c1 = arith.divsi %c32, %c32 : i32\n"
             "  scf.for %i = %c0 to %b step %c1 : i32 {\n"
             "    %7 = arith.muli %b, %c32 : i32\n"
             "    scf.for %j = %c0 to %7 step %c32 : i32 {\n"
             "      %t = tt.load %p : tensor<4x8x!tt.ptr<f16>, #b>\n"
             "    }\n"
             "  }\n"
             "  scf.for %k = %c0 to %c32 step %c1 iter_args(%b = %x) -> (i32) : i32 {\n"
             "    %7 = tt.load %q : !tt.ptr<i32>\n"
             "    scf.for %j = %c0 to %7 step %c32 : i32 {\n"
             "      tt.store %p, %y : tensor<4x8x!tt.ptr<f16>, #b>\n"
             "    }\n"
             "  }\n"
             "  scf.for %k = %c0 to %b step %c1 : i32 {\n"
             "    tt.store %p, %y : tensor<4x8x!tt.ptr<f16>, #b>\n"
             "  }\n"
             "}\n";
    const struct lw_trips trips[] = {{0, 100, "n"}, {0, 7, "m"}};
    struct lw_kernel_options options = {.trips = trips, .trips_count = 2};
    static const uint64_t expected[] = {4, 4, 32, 0, 0};
    struct lw_kernel kernel;
    read_text(&kernel, text, &options);
    has_no_problem(&kernel);
    assert_int_equal(kernel.loop_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(kernel.loops[i].known, expected[i] != 0);
        assert_int_equal(kernel.loops[i].trips, expected[i]);
    }
    assert_int_equal(kernel.values_found, 1); /* there is no %m */
    lw_kernel_free(&kernel);
    read_text(&kernel, text, NULL);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(kernel.loops[i].known, i == 2);
    lw_kernel_free(&kernel);
}

/* Accesses that a mask leaves out of the last rounds of a loop, or always: the mask tests the loop's index. */
static void test_masked_rounds(void **state)
{
    (void)state;
    static const char text[] = HEAD "tt.func @f(%n: i32, %u: tensor<4x8xi1, #b>) {\n"
                                    "  %c0 = arith.constant 0 : i32\n"
                                    "  %c3 = arith.constant 3 : i32\n"
                                    "  %c4 = arith.constant 4 : i32\n"
                                    "  %c8 = arith.constant 8 : i32\n"
                                    "  %has = arith.cmpi sgt, %n, %c4 : i32\n"
                                    "  %h = tt.splat %has : i1 -> tensor<4x8xi1, #b>\n"
                                    "  %0 = tt.load %p, %h : tensor<4x8x!tt.ptr<f16>, #b>\n"
                                    "  scf.for %i = %c0 to %n step %c4 : i32 {\n"
                                    "    %7 = arith.subi %n, %c8 : i32\n"
                                    "    %8 = arith.cmpi slt, %i, %7 : i32\n"
                                    "    %9 = tt.splat %8 : i1 -> tensor<4x8xi1, #b>\n"
                                    "    %1 = tt.load %p, %9 : tensor<4x8x!tt.ptr<f16>, #b>\n"
                                    "    %10 = arith.andi %u, %9 : tensor<4x8xi1, #b>\n"
                                    "    %2 = tt.load %p, %10 : tensor<4x8x!tt.ptr<f16>, #b>\n"
                                    "    %3 = tt.load %p, %u : tensor<4x8x!tt.ptr<f16>, #b>\n"
                                    "    %11 = arith.addi %i, %c4 : i32\n"
                                    "    %12 = arith.cmpi sgt, %n, %11 : i32\n"
                                    "    %13 = tt.splat %12 : i1 -> tensor<4x8xi1, #b>\n"
                                    "    scf.for %j = %c0 to %c8 step %c3 : i32 {\n"
                                    "      %4 = tt.load %p, %13 : tensor<4x8x!tt.ptr<f16>, #b>\n"
                                    "      %15 = arith.cmpi slt, %j, %c4 : i32\n"
                                    "      %16 = tt.splat %15 : i1 -> tensor<4x8xi1, #b>\n"
                                    "      %5 = tt.load %p, %16 : tensor<4x8x!tt.ptr<f16>, #b>\n"
                                    "    }\n"
                                    "  }\n"
                                    "}\n";
    const struct lw_trips sets[][1] = {{{0, 5, NULL}}, {{0, 18, "n"}}, {{0, 4, "n"}}};
    /* 18: rounds 0, 4, 8, 12, 16, of which 0, 4, 8 are below 18 - 8; of 0, 3, 6 two are below 4. */
    static const uint64_t runs[][6] = {
        {1, 3, 3, 5, 4 * 3, 5 * 2}, {1, 3, 3, 5, 4 * 3, 5 * 2}, {0, 0, 0, 1, 0, 2}};
    struct lw_kernel kernel;
    for (size_t set = 0; set < LW_COUNT(sets); set++) {
        struct lw_kernel_options options = {.trips = sets[set], .trips_count = 1};
        read_text(&kernel, text, &options);
        has_no_problem(&kernel);
        assert_int_equal(kernel.operation_count, 6);
        for (size_t i = 0; i < 6; i++) {
            uint64_t trips;
            assert_true(lw_operation_trips(&kernel, &kernel.operations[i], &trips));
            assert_int_equal(trips, runs[set][i]);
        }
        lw_kernel_free(&kernel);
    }
}

static void test_branches(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "tt.func @f(%n: i1) {\n"
             "  scf.if %n {\n"
             "    %0 = tt.load %p : tensor<4x8x!tt.ptr<f16>, #b>\n"
             "  } else {\n"
             "    scf.if %n {\n"
             "      %1 = tt.load %p : tensor<4x8x!tt.ptr<f16>, #b>\n"
             "    }\n"
             "  }\n"
             "  %2 = tt.load %p : tensor<4x8x!tt.ptr<f16>, #b>\n"
             "  scf.while : () -> () {\n"
             "    %3 = tt.atomic_cas acq_rel, gpu, %l, %a, %b : (!tt.ptr<i32>, i32, i32) -> i32\n"
             "    scf.condition(%n)\n"
             "  } do {\n"
             "    scf.yield\n"
             "  }\n"
             "  cf.cond_br %n, ^bb1, ^bb2\n"
             "^bb1:\n"
             "  tt.store %p, %2 : tensor<4x8x!tt.ptr<f16>, #b>\n"
             "^bb2:\n"
             "  tt.return\n"
             "}\n";
    static const int branches[] = {4, 7, 0, 0, 18};
    struct lw_kernel kernel;
    read_text(&kernel, text, NULL);
    has_no_problem(&kernel);
    assert_int_equal(kernel.operation_count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(kernel.operations[i].branch, branches[i]);
    assert_int_equal(kernel.loop_count, 1);
    assert_true(kernel.loops[0].spins);
    lw_kernel_free(&kernel);
}

/* Other ways to write the same. */
static void test_forms(void **state)
{
    (void)state;
    static const char text[] =
        "// a comment with { and \"\n" HEAD
        "module { tt.func @a(%x: tensor<32x64xf16, #b>) { tt.return } }\n"
        "tt.func @f(%x: tensor<32x64xf16, #b>,\n"
        "           %y: tensor<32x64xf16, #b>) {\n"
        "  %0 = ttg.convert_layout %x // why not\n"
        "      {a = \"}\", b}\n"
        "      : tensor<32x64xf16, #b>\n"
        "      -> tensor<32x64xf16, " BLOCKED ">\n"
        "  %1 = triton_gpu.convert_layout %x : (tensor<32x64xf16, #b>) -> tensor<32x64xf16, #b>\n"
        "  %2:2 = \"triton_gpu.local_load\"(%m) : (!tt.memdesc<32x64xf16, #b>) "
        "-> tensor<32x64xf16, #b>\n"
        "  ^bb1(%z: tensor<32x64xf16, #b>):\n"
        "  scf.while (%q = %x) : (tensor<32x64xf16, #b>) -> tensor<32x64xf16, #b> {\n"
        "    scf.condition(%c) %q : tensor<32x64xf16, #b>\n"
        "  } do {\n"
        "  ^bb0(%w: tensor<32x64xf16, #b>):\n"
        "    tt.store %p, %w : tensor<32x64x!tt.ptr<f16>, #b>\n"
        "    scf.yield %w : tensor<32x64xf16, #b>\n"
        "  }\n"
        "  ttg.warp_specialize(%x)\n"
        "  default {\n"
        "    ttg.warp_yield\n"
        "  }\n"
        "  partition0(%g: tensor<32x64xf16, #b>) num_warps(4) {\n"
        "    %5 = tt.trans %g {order = array<i32: 1, 0>} : tensor<32x64xf16, #b> -> "
        "tensor<64x32xf16, #b>\n"
        "    ttg.warp_return\n"
        "  } : (tensor<32x64xf16, #b>) -> ()\n"
        "  tt.return\n"
        "}\n";
    struct lw_kernel kernel;
    read_text(&kernel, text, NULL);
    has_no_problem(&kernel);
    assert_int_equal(kernel.function_count, 2);
    assert_int_equal(count_of(&kernel, "ttg.convert_layout"), 2);
    assert_int_equal(count_of(&kernel, "ttg.local_load"), 1);
    assert_int_equal(count_of(&kernel, "tt.store"), 1);
    assert_int_equal(count_of(&kernel, "tt.trans"), 1);
    assert_int_equal(count_of(&kernel, "ttg.warp_specialize"), 1);
    assert_int_equal(kernel.operation_count, 6);
    assert_string_equal(lw_kernel_alias(&kernel, kernel.operations[0].to), BLOCKED);
    assert_string_equal(kernel.operations[1].name, "triton_gpu.convert_layout");
    assert_int_equal(lw_operation_depth(&kernel, &kernel.operations[3]), 1);
    assert_int_equal(lw_operation_depth(&kernel, &kernel.operations[4]), 0);
    lw_kernel_free(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),         cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_picked),        cmocka_unit_test(test_stored),
        cmocka_unit_test(test_only_stored),   cmocka_unit_test(test_trips),
        cmocka_unit_test(test_masked_rounds), cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_branches),      cmocka_unit_test(test_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
