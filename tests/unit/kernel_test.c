/* Kernels: the parts of the text and their positions; problems in it are reported, and the rest is read. */

#include "golden.h"
#include "notation_help.h"

#include "laneway/kernel.h"

#include <glob.h>
#include <time.h>
#include <unistd.h>

/* ---- Helpers ---- */

static void read_text(struct lw_kernel *kernel, const char *text,
                      const struct lw_kernel_options *options)
{
    struct lw_error err = {0};
    if (!lw_kernel_read(kernel, text, strlen(text), options, &err))
        fail_msg("%s", err.message);
}

static void has_no_problem(const struct lw_kernel *kernel)
{
    if (kernel->problems.total)
        fail_msg("%s:%d:%d: %s", kernel->name, kernel->problems.errors[0].position.line,
                 kernel->problems.errors[0].position.column, kernel->problems.errors[0].message);
}

static size_t count_of(const struct lw_kernel *kernel, const char *kind)
{
    size_t count = 0;
    for (size_t i = 0; i < kernel->operation_count; i++)
        count += !strcmp(kernel->operations[i].kind->name, kind);
    return count;
}

static const struct lw_kernel_encoding *encoding_of(const struct lw_kernel *kernel,
                                                    const char *alias)
{
    for (size_t i = 0; i < kernel->encoding_count; i++)
        if (!strcmp(kernel->encodings[i].alias, alias))
            return &kernel->encodings[i];
    fail_msg("no encoding %s", alias);
    return NULL;
}

static void is_at(const struct lw_location *location, const char *expected)
{
    struct lw_text text = {0};
    lw_location_print(&text, location, true);
    assert_string_equal(lw_text_string(&text), expected);
    lw_text_free(&text);
}

static void first_problem(const char *text, const char *expected)
{
    struct lw_kernel kernel;
    struct lw_text shown = {0};
    read_text(&kernel, text, NULL);
    assert_true(kernel.problems.total > 0);
    lw_text_error(&shown, NULL, &kernel.problems.errors[0]);
    assert_string_equal(lw_text_string(&shown), expected);
    lw_text_free(&shown);
    lw_kernel_free(&kernel);
}

#define BLOCKED                                                                                    \
    "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order "  \
    "= [1, 0]}>"
#define HEAD "#b = " BLOCKED "\n#c = #ttg.slice<{dim = 0, parent = #b}>\n"

/* ---- Text ---- */

static const char small[] = HEAD
    "#loc = loc(\"k.py\":1:0)\n"
    "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, ttg.target = "
    "\"cuda:90\", \"ttg.threads-per-warp\" = 32 : i32} {\n"
    "  tt.func public @k(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32} loc(\"p\"(#loc)), %n: i32 "
    "loc(#loc)) attributes {noinline = false} {\n"
    "    %c0 = arith.constant 0 : i32 loc(#loc)\n"
    "    %c7 = arith.constant 7 : i32 loc(#loc)\n"
    "    %c2 = arith.constant 2 : i32 loc(#loc)\n"
    "    %q = tt.splat %p : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #b> loc(#loc)\n"
    "    %m = ttg.local_alloc : () -> !ttg.memdesc<3x32x64xf16, #s, #smem, mutable> loc(#loc)\n"
    "    %r:2 = scf.for %i = %c0 to %c7 step %c2 iter_args(%a = %q, %k = %n) -> "
    "(tensor<32x64x!tt.ptr<f16>, #b>, i32)  : i32 {\n"
    "      %v = tt.load %a : tensor<32x64x!tt.ptr<f16>, #b> loc(#loc3)\n"
    "      scf.for %j = %c0 to %n step %c2  : i32 {\n"
    "        %w = ttg.memdesc_index %m[%j] : !ttg.memdesc<3x32x64xf16, #s, #smem, mutable> -> "
    "!ttg.memdesc<32x64xf16, #s, #smem, mutable> loc(#loc)\n"
    "        %x = ttg.async_copy_global_to_local %a, %w {contiguity = 8 : i32} : "
    "tensor<32x64x!tt.ptr<f16>, #b> -> <32x64xf16, #s, #smem, mutable> loc(#loc4)\n"
    "        scf.if %n {\n"
    "          ttg.local_store %v, %w : tensor<32x64xf16, #b> -> !ttg.memdesc<32x64xf16, #s, "
    "#smem, mutable> loc(\"in.py\":3:4)\n"
    "        } else {\n"
    "          %u = mine.own(%v) {way = #mine<x, y>} : (tensor<32x64xf16, #b>) -> tensor<64xf16, "
    "#c>\n"
    "        } loc(#loc)\n"
    "      } loc(#loc)\n"
    "      scf.yield %a, %k : tensor<32x64x!tt.ptr<f16>, #b>, i32 loc(#loc)\n"
    "    } loc(#loc5)\n"
    "    %e = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n"
    "    ^bb0(%y: f32 loc(unknown), %z: f32 loc(unknown)):\n"
    "      %s = arith.addf %y, %z : f32 loc(#loc)\n"
    "      tt.reduce.return %s : f32 loc(#loc)\n"
    "    }) : (tensor<32x64xf16, #b>) -> tensor<64xf16, #c> loc(#loc6)\n"
    "    tt.return loc(#loc)\n"
    "  } loc(#loc)\n"
    "} loc(#loc)\n"
    "#s = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>\n"
    "#smem = #ttg.shared_memory\n"
    "#loc1 = loc(\"/a/k.py\":26:12)\n"
    "#loc2 = loc(\"k.py\":40:8)\n"
    "#loc3 = loc(\"v\"(#loc1))\n"
    "#loc4 = loc(callsite(#loc1 at callsite(#loc2 at \"main.py\":5:6)))\n"
    "#loc5 = loc(fused<#b>[unknown, #loc2])\n"
    "#loc6 = loc(\"e\"(#loc6))\n";

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
    assert_string_equal(reduce->name, "tt.reduce");
    assert_int_equal(reduce->position.line, 24);
    assert_int_equal(lw_operation_depth(&kernel, reduce), 0);
    assert_string_equal(lw_kernel_alias(&kernel, reduce->to), "#c");
    assert_string_equal(reduce->location->name, "e");
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
    assert_true(doc.others[LW_SIDE_S].tensor.memory && !doc.tensor.memory);
    assert_true(lw_document_build(&doc, &map, &err));
    lw_document_free(&doc);
    lw_kernel_free(&kernel);
}

static void picked_is(const char *value, int line, const char *type, const char *with)
{
    struct lw_kernel kernel;
    struct lw_kernel_options options = {.value = value, .line = line};
    read_text(&kernel, small, &options);
    if (kernel.picked < 0)
        assert_string_equal(type, "");
    else
        assert_string_equal(kernel.types[kernel.picked].text, type);
    if (kernel.picked_with < 0)
        assert_string_equal(with, "");
    else
        assert_string_equal(kernel.types[kernel.picked_with].text, with);
    lw_kernel_free(&kernel);
}

static void test_picked(void **state)
{
    (void)state;
    picked_is("%v", 0, "tensor<32x64x!tt.ptr<f16>, #b>", "");
    picked_is("%r", 0, "tensor<32x64x!tt.ptr<f16>, #b>", "");
    picked_is("%r#0", 0, "tensor<32x64x!tt.ptr<f16>, #b>", "");
    picked_is("%r#1", 0, "", "");
    picked_is("%r#2", 0, "", "");
    picked_is("%a", 0, "tensor<32x64x!tt.ptr<f16>, #b>", "");
    picked_is("%k", 0, "", "");
    picked_is("%e", 0, "tensor<64xf16, #c>", "");
    picked_is("%u", 0, "tensor<64xf16, #c>", "");
    picked_is("%none", 0, "", "");
    picked_is(NULL, 17, "tensor<32x64xf16, #b>", "!ttg.memdesc<32x64xf16, #s, #smem, mutable>");
    picked_is(NULL, 15, "tensor<32x64x!tt.ptr<f16>, #b>",
              "!ttg.memdesc<32x64xf16, #s, #smem, mutable>");
    picked_is(NULL, 24, "tensor<32x64xf16, #b>", "tensor<64xf16, #c>");
    picked_is(NULL, 6, "", "");
}

/* Values: one that something else takes too, one that nothing takes, one that the last store takes; one whose store is not
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
    static const int branches[] = {0, 1, -1, -1, 2};
    struct lw_kernel kernel;
    read_text(&kernel, text, NULL);
    has_no_problem(&kernel);
    assert_int_equal(kernel.operation_count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(kernel.operations[i].branch, branches[i]);
    assert_int_equal(kernel.branch_count, 3);
    assert_int_equal(kernel.branches[1].parent, 0);
    assert_string_equal(kernel.branches[2].name, "cf.cond_br");
    assert_int_equal(kernel.loop_count, 1);
    assert_true(kernel.loops[0].spins);
    lw_kernel_free(&kernel);
}

/* Other ways to write the same. */
static void test_forms(void **state)
{
    (void)state;
    static const char text[] =
        "// a comment with { and \"\n" HEAD "!t = tensor<32x64xf16, #b>\n"
        "module { tt.func @a(%x: !t) { tt.return } }\n"
        "tt.func @f(%x: tensor<32x64xf16, #b>,\n"
        "           %y: tensor<32x64xf16, #b>) {\n"
        "  %0 = ttg.convert_layout %x // why not\n"
        "      {a = \"}\", b}\n"
        "      : tensor<32x64xf16, #b>\n"
        "      -> tensor<32x64xf16, " BLOCKED ">\n"
        "  %1 = triton_gpu.convert_layout %x : (!t) -> !t\n"
        "  %2:2 = \"triton_gpu.local_load\"(%m) : (!tt.memdesc<32x64xf16, #b>) -> !t\n"
        "  ^bb1(%z: !t):\n"
        "  scf.while (%q = %x) : (!t) -> !t {\n"
        "    scf.condition(%c) %q : !t\n"
        "  } do {\n"
        "  ^bb0(%w: !t):\n"
        "    tt.store %p, %w : tensor<32x64x!tt.ptr<f16>, #b>\n"
        "    scf.yield %w : !t\n"
        "  }\n"
        "  ttg.warp_specialize(%x)\n"
        "  default {\n"
        "    ttg.warp_yield\n"
        "  }\n"
        "  partition0(%g: !t) num_warps(4) {\n"
        "    %5 = tt.trans %g {order = array<i32: 1, 0>} : !t -> tensor<64x32xf16, #b>\n"
        "    ttg.warp_return\n"
        "  } : (!t) -> ()\n"
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

/* ---- What is wrong ---- */

static void test_problems(void **state)
{
    (void)state;
    first_problem("hello world\n", "1:1: expected an operation such as '%0 = tt.load %1 : ...', "
                                   "found 'hello'\n  hello world\n  ^~~~~\n");
    first_problem("module {\n  %0 tt.load %1 : i32\n}\n",
                  "2:6: expected '=', found 'tt'\n  %0 tt.load %1 : i32\n     ^~\n");
    first_problem("module {\n  tt.return\n", "3:1: expected '}', but the text ends here\n");
    first_problem("module {\n}\n}\n", "3:1: this '}' has no matching '{'\n  }\n  ^\n");
    first_problem("module {\n  %0 = a.b \"x\n  %1 = a.c\n}\n",
                  "2:12: this string has no closing \"\n    %0 = a.b \"x\n             ^~\n");
    first_problem("#a = 1\n#a = 2\n", "2:1: '#a' is defined twice: first on line 1\n");
    first_problem("  a.b \x01 c\n", "1:7: byte 0x01 is not text\n    a.b   c\n        ^\n");
    first_problem("a.b : tensor<4xf16, #x>\n", "1:1: there is no alias '#x' in this file, and no "
                                               "layout at all\n");
    first_problem("#x = #ttg.linear<{lane = [[1, y]}>\na.b : tensor<4xf16, #x>\n",
                  "1:33: expected ',' or ']', found '}'\n  #ttg.linear<{lane = [[1, y]}>\n"
                  "                             ^\n");
    first_problem("#x = #x\na.b : tensor<4xf16, #x>\n",
                  "1:6: '#x' is part of itself\n  #x\n  ^~\n");
}

/* What is before a problem, and after it, is there. */
static void test_goes_on(void **state)
{
    (void)state;
    struct lw_kernel kernel;
    read_text(&kernel,
              HEAD "module {\n"
                   "  %0 = ttg.convert_layout %x : tensor<4x8xf16, #b> -> tensor<4x8xf16, #b>\n"
                   "  !!! nonsense here )))\n"
                   "  %1 = a.b \"open\n"
                   "  %2 = ttg.convert_layout %x : tensor<4x8xf16, #b> -> tensor<4x8xf16, #nope>\n"
                   "  %3 = ttg.convert_layout %x : tensor<4x8xf16, #b> -> tensor<4x?xf16, #b>\n"
                   "  %4 = ttg.convert_layout %x : tensor<4x8xf16, #b> -> tensor<4x8xf16, #b>\n",
              NULL);
    assert_int_equal(kernel.operation_count, 4);
    assert_int_equal(kernel.problems.total, 4); /* a size that is not known is none */
    struct lw_document doc;
    struct lw_error err;
    assert_true(lw_document_of_operation(&doc, &kernel, &kernel.operations[3], &err));
    lw_document_free(&doc);
    assert_false(lw_document_of_operation(&doc, &kernel, &kernel.operations[1], &err));
    assert_non_null(strstr(err.message, "there is no alias '#nope'"));
    assert_false(lw_document_of_operation(&doc, &kernel, &kernel.operations[2], &err));
    lw_kernel_free(&kernel);
}

/* Cut anywhere, and with any byte another: no crash, and what is read twice is the same. */
static void test_cut(void **state)
{
    (void)state;
    char text[sizeof small];
    for (size_t length = 0; length < sizeof small; length++) {
        struct lw_kernel kernel;
        assert_true(lw_kernel_read(&kernel, small, length, NULL, NULL));
        lw_kernel_free(&kernel);
        memcpy(text, small, sizeof small);
        text[length] = "{}()<>[]\"#%!:-,=\n"[length % 17];
        assert_true(lw_kernel_read(&kernel, text, sizeof small - 1, NULL, NULL));
        lw_kernel_free(&kernel);
    }
}

static void must_be_quick(struct lw_text *text)
{
    struct lw_kernel kernel;
    struct lw_error err;
    clock_t start = clock();
    if (lw_kernel_read(&kernel, lw_text_string(text), text->length, NULL, &err))
        lw_kernel_free(&kernel);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 10);
    lw_text_free(text);
}

static void test_hostile(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "{",         "a.b {\n",  "(",     "<",
        "a.b \"",    "\n}",      "#a = ", "%0 = a.b : ",
        "^bb0(",     "a.b ({\n", "//",    "a.b\n",
        "!t = !t\n", "loc(",     "\"",    "scf.for %i = %a to %b step %c {\n"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct lw_text text = {0};
        for (int n = 0; n < 200000; n++)
            lw_text_add(&text, pieces[i]);
        must_be_quick(&text);
    }
    struct lw_text text = {0};
    for (int n = 0; n < 100000; n++)
        lw_text_format(&text, "#l%d = loc(fused[#l%d, #l%d])\n", n, n + 1, n + 1);
    lw_text_add(&text, "%0 = ttg.convert_layout %x : tensor<4x8xf16, " BLOCKED "> -> "
                       "tensor<4x8xf16, " BLOCKED "> loc(#l0)\n");
    must_be_quick(&text);
    for (int n = 0; n < 100000; n++)
        lw_text_format(&text, "a.b : tensor<%dxf16, #b>\n", n);
    must_be_quick(&text);
}

/* A stream: the same as a text, through any number of reads, and longer than what is kept. */
static void test_stream(void **state)
{
    (void)state;
    char path[] = "/tmp/laneway-kernel-XXXXXX";
    struct lw_kernel kernel;
    struct lw_error err = {0};
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    fprintf(file, "%s", HEAD "module {\n");
    for (int i = 0; i < 20000; i++)
        fprintf(file,
                "  %%%d = ttg.convert_layout %%x : tensor<4x8xf16, #b> -> tensor<4x8xf16, "
                "#c1> loc(#loc%d)\n",
                i, i);
    fprintf(file, "  %%long = arith.constant dense<\"0x");
    for (int i = 0; i < 6000000; i++)
        fputc('0', file);
    fprintf(file,
            "\"> : tensor<4x8xf16, #b>\n  tt.store %%p, %%x : tensor<4x8x!tt.ptr<f16>, #b>\n}\n");
    fprintf(file, "#c1 = #c2\n#c2 = " BLOCKED "\n#loc19999 = loc(\"a.py\":1:2)\n");
    assert_int_equal(fclose(file), 0);
    assert_true(lw_kernel_open(&kernel, path, NULL, &err));
    assert_int_equal(kernel.operation_count, 20001);
    is_at(kernel.operations[19999].location, "a.py:1:2");
    assert_int_equal(kernel.operations[20000].position.line, 20005);
    assert_int_equal(kernel.problems.total, 1);
    assert_non_null(strstr(kernel.problems.errors[0].message, "its middle is left out"));
    lw_kernel_free(&kernel);
    struct lw_kernel_options options = {.max = 1000};
    assert_false(lw_kernel_open(&kernel, path, &options, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    assert_false(lw_kernel_open(&kernel, "/tmp", NULL, &err));
    assert_false(lw_kernel_open(&kernel, "no.ttgir", NULL, NULL));
    assert_false(lw_kernel_open(&kernel, "-", NULL, &err));
    remove(path);
}

/* ---- Compiled kernels ---- */

/* Every layout is read and drawn at every shape that it has. */
static size_t build_all(const struct lw_kernel *kernel)
{
    for (size_t i = 0; i < kernel->type_count; i++) {
        struct lw_document doc;
        struct lw_error err = {0};
        struct lw_map map;
        bool ok = lw_document_of_type(&doc, kernel, (int)i, &err);
        if (ok) {
            ok = lw_document_build(&doc, &map, &err);
            lw_document_free(&doc);
        }
        if (!ok)
            fail_msg("%s: %s: %s", kernel->name, kernel->types[i].text, err.message);
    }
    return kernel->type_count;
}

/* The distinct pairs of a layout and a shape. */
static size_t pairs_of(const struct lw_kernel *kernel)
{
    size_t pairs = 0;
    for (size_t e = 0; e < kernel->encoding_count; e++) {
        const struct lw_kernel_encoding *encoding = &kernel->encodings[e];
        for (size_t i = 0; i < encoding->type_count; i++) {
            const struct lw_tensor *tensor = &kernel->types[encoding->types[i]].tensor;
            bool before = false;
            for (size_t j = 0; j < i && !before; j++) {
                const struct lw_tensor *other = &kernel->types[encoding->types[j]].tensor;
                before = other->rank == tensor->rank &&
                         !memcmp(other->shape, tensor->shape, sizeof tensor->shape);
            }
            pairs += !before;
        }
    }
    return pairs;
}

static size_t aliases_of(const struct lw_kernel *kernel)
{
    size_t count = 0;
    for (size_t i = 0; i < kernel->encoding_count; i++)
        count += !strchr(kernel->encodings[i].alias, '.');
    return count;
}

/* A number of a row of counts.csv; its column's name is in `head`. */
static void check_column(const struct lw_kernel *kernel, const char *name, size_t expected)
{
    size_t count = !strcmp(name, "encodings")                ? aliases_of(kernel)
                   : !strcmp(name, "pairs")                  ? pairs_of(kernel)
                   : !strcmp(name, "loops")                  ? kernel->loop_count
                   : !strcmp(name, "local_alloc_with_value") ? count_of(kernel, "ttg.local_alloc")
                                                             : count_of(kernel, name);
    if (count != expected)
        fail_msg("%s: %s: %zu, not %zu", kernel->name, name, count, expected);
}

static void check_row(char *head, char *row)
{
    struct lw_kernel kernel;
    struct lw_error err = {0};
    char path[300], *heads, *rows;
    const char *name = strtok_r(row, ",\n", &rows);
    snprintf(path, sizeof path, "tests/golden/ttgir/%s", name);
    if (!lw_kernel_open(&kernel, path, NULL, &err))
        fail_msg("%s", err.message);
    has_no_problem(&kernel);
    strtok_r(head, ",\n", &heads);
    for (const char *column; (column = strtok_r(NULL, ",\n", &heads)) != NULL;)
        check_column(&kernel, column, strtoul(strtok_r(NULL, ",\n", &rows), NULL, 10));
    for (size_t i = 0; i < kernel.operation_count; i++)
        if (!kernel.operations[i].location || !kernel.operations[i].location->line)
            fail_msg("%s:%d: no location", path, kernel.operations[i].position.line);
    build_all(&kernel);
    lw_kernel_free(&kernel);
}

static void test_kernels(void **state)
{
    (void)state;
    char head[2048], copy[2048];
    size_t files = 0;
    FILE *file = golden_open("ttgir/counts.csv");
    snprintf(head, sizeof head, "%s", golden_line(file));
    for (char *row; (row = golden_line(file)) != NULL; files++) {
        memcpy(copy, head, sizeof copy);
        check_row(copy, row);
    }
    assert_true(files >= 35);
}

/* A part is the same read from its beginning as read from the beginning of the text, even when what is before it is not
 * MLIR. */
static void parts_are_read_from_their_beginning(void **state)
{
#define DEFINE                                                                                     \
    "#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = "   \
    "[0]}>\n"
#define LOAD "%0 = tt.load %p : tensor<8x!tt.ptr<f32>, #a>\n"
    static const char text[] =
        LOAD "}{ this ends nowhere (\n"
             "// -----\n" DEFINE LOAD "  // -----\n" LOAD "// ----- three\n" LOAD DEFINE;
    static const int lines[] = {1, 5, 9};
    struct lw_kernel kernel;
    struct lw_kernel_options options = {.part = 0};
    (void)state;
    for (int part = 1; part <= 3; part++) {
        options.part = part;
        assert_true(lw_kernel_read(&kernel, text, sizeof text - 1, &options, NULL));
        assert_int_equal(kernel.operation_count, part == 2 ? 2 : 1);
        assert_int_equal(kernel.operations[0].position.line, lines[part - 1]);
        assert_int_equal(kernel.problems.total != 0, part == 1);
        assert_int_equal(kernel.more, part < 3);
        assert_int_equal(kernel.next.line, part == 1 ? 3 : part == 2 ? 8 : 0);
        options.from = kernel.next;
        lw_kernel_free(&kernel);
    }
    options.from = (struct lw_kernel_mark){sizeof text + 1, 8};
    assert_false(lw_kernel_read(&kernel, text, sizeof text - 1, &options, NULL));
}

/* A million layouts inside each other: those that there is room for are shown, and the operations. */
static void nested_layouts_are_shown_in_part(void **state)
{
    enum { DEEP = 300000 };
    struct lw_text text = {0};
    struct lw_kernel kernel;
    struct lw_error err;
    (void)state;
    for (int i = 0; i < DEEP; i++)
        lw_text_format(&text, "#a%d = #ttg.slice<{dim = 0, parent = #a%d}>\n", i, i + 1);
    lw_text_add(&text, "%0 = ttg.convert_layout %1 : tensor<16xf16, #a0> -> tensor<16xf16, #a1>\n");
    assert_true(lw_kernel_read(&kernel, lw_text_string(&text), text.length, NULL, &err));
    assert_int_equal(kernel.operation_count, 1);
    assert_int_equal(kernel.type_count, 2);
    assert_true(kernel.encoding_count > 100);
    assert_int_equal(kernel.problems.total, 1);
    assert_non_null(strstr(kernel.problems.errors[0].message, "left out"));
    lw_kernel_free(&kernel);
    lw_text_free(&text);
}

/* More distinct types than are kept, of one layout or of as many: the limit is named, and the kernel is read. */
static void many_types_are_shown_in_part(void **state)
{
    static const char *const layouts[] = {
        BLOCKED, "#ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 0, parent = #ttg.nothing%d}>}>"};
    (void)state;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        struct lw_text text = {0};
        struct lw_kernel kernel;
        struct lw_error err;
        for (int n = 1; n <= (int)LW_KERNEL_TYPES_MAX / 2 + 1; n++) {
            lw_text_format(&text, "%%%d = ttg.convert_layout %%x : tensor<%dx8xf16, ", n, n);
            lw_text_format(&text, layouts[i], n);
            lw_text_format(&text, "> -> tensor<%dx8xf32, ", n);
            lw_text_format(&text, layouts[i], n);
            lw_text_add(&text, ">\n");
        }
        assert_true(lw_kernel_read(&kernel, lw_text_string(&text), text.length, NULL, &err));
        assert_int_equal(kernel.type_count, LW_KERNEL_TYPES_MAX);
        const struct lw_error *first = &kernel.problems.errors[0];
        assert_string_equal(first->message, "over 65536 distinct types: the rest is left out");
        assert_int_equal(first->position.line, LW_KERNEL_TYPES_MAX / 2 + 1);
        lw_kernel_free(&kernel);
        lw_text_free(&text);
    }
}

/* Counts how often it is asked. */
static bool count_asks(void *asks)
{
    ++*(size_t *)asks;
    return false;
}

/* However long a kernel is, reading it asks again and again whether to stop: for each 64 KiB of the text, and for each
 * 256 aliases, types and locations. */
static void reading_asks_whether_to_stop(void **state)
{
    enum { LINES = 30000 };
    char path[] = "/tmp/laneway-kernel-XXXXXX";
    struct lw_kernel kernel;
    struct lw_error err = {0};
    size_t asks = 0;
    const struct lw_kernel_options options = {.stop = count_asks, .stop_context = &asks};
    (void)state;
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    for (int n = 1; n <= LINES; n++)
        fprintf(file, "#c%d = " BLOCKED "\n", n);
    for (int n = 1; n <= LINES; n++)
        fprintf(file,
                "%%%d = ttg.convert_layout %%x : tensor<%dx8xf16, " BLOCKED "> -> "
                "tensor<%dx8xf32, " BLOCKED "> loc(\"a.py\":%d:1)\n",
                n, n, n, n);
    long bytes = ftell(file);
    assert_int_equal(fclose(file), 0);
    assert_true(lw_kernel_open(&kernel, path, &options, &err));
    assert_int_equal(kernel.type_count, 2 * LINES);
    assert_true(asks >= (size_t)bytes / 65536 + 4 * LINES / 256);
    lw_kernel_free(&kernel);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_asks_whether_to_stop),
        cmocka_unit_test(many_types_are_shown_in_part),
        cmocka_unit_test(nested_layouts_are_shown_in_part),
        cmocka_unit_test(parts_are_read_from_their_beginning),
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_picked),
        cmocka_unit_test(test_trips),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_stored),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_problems),
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
