/* Costs of a kernel: the example of kernel_cost.h, the sums, the order, the text of an operation, source lines. */

#include "notation_help.h"
#include "kernel/kernel_rules.h"
#include "kernel/source_lines.h"

#include "laneway/kernel_cost.h"

#include <stdlib.h>
#include <unistd.h>

/* One warp stores 4 x 32 f32, each lane 4 consecutive ones: 512 bytes are 4 wavefronts, and 16 sectors of global
 * memory. */
static const char kernel_text[] =
    "#r = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], "
    "order = [1, 0]}>\n"
    "#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>\n"
    "module attributes {\"ttg.num-warps\" = 1 : i32, ttg.target = \"cuda:90\"} {\n"
    "tt.func @f(%p: tensor<4x32x!tt.ptr<f32>, #r>, %m: !ttg.memdesc<4x32xf32, #s, "
    "#ttg.shared_memory, "
    "mutable>) {\n"
    "  %a = arith.constant 0 : i32\n"
    "  %b = arith.constant 10 : i32\n"
    "  %c = arith.constant 1 : i32\n"
    "  %x = tt.load %p : tensor<4x32x!tt.ptr<f32>, #r> loc(\"k.py\":2:0)\n"
    "  scf.for %i = %a to %b step %c : i32 {\n"
    "    ttg.local_store %x, %m : tensor<4x32xf32, #r> -> !ttg.memdesc<4x32xf32, #s, "
    "#ttg.shared_memory, mutable>\n"
    "  }\n"
    "  %y = tt.atomic_rmw fadd, relaxed, gpu, %p, %x : (tensor<4x32x!tt.ptr<f32>, #r>, "
    "tensor<4x32xf32, "
    "#r>) -> tensor<4x32xf32, #r>\n"
    "  tt.return\n"
    "}\n"
    "}\n";

static struct lw_kernel kernel;
static struct lw_kernel_costs costs;

static int open_kernel(void **state)
{
    (void)state;
    return !lw_kernel_read(&kernel, kernel_text, strlen(kernel_text), NULL, NULL) ||
           kernel.problems.total || kernel.operation_count != 3;
}

static int close_kernel(void **state)
{
    (void)state;
    lw_kernel_free(&kernel);
    return 0;
}

static void example(void **state)
{
    (void)state;
    assert_true(lw_kernel_costs_make(&costs, &kernel, NULL, NULL));
    const size_t row = (size_t)(costs.order[0] - costs.costs);
    const struct lw_kernel_cost *cost = &costs.costs[row];
    assert_string_equal(kernel.operations[row].name, "ttg.local_store");
    assert_int_equal(cost->known, LW_COST_SHARED);
    assert_string_equal(cost->kind, "shared");
    assert_string_equal(cost->code, "STS.128 x1");
    assert_int_equal(cost->wavefronts, 4);
    assert_int_equal(cost->ideal, 4);
    assert_int_equal(cost->bytes, 512);
    assert_int_equal(cost->depth, 1);
    assert_int_equal(cost->trips, 10);
    lw_kernel_costs_free(&costs);
    assert_null(costs.costs);
}

static void sums(void **state)
{
    (void)state;
    assert_true(lw_kernel_costs_make(&costs, &kernel, lw_hardware_find("cuda:80"), NULL));
    assert_ptr_equal(costs.hardware, lw_hardware_find("cuda:80"));
    assert_int_equal(costs.run.wavefronts, 40);
    assert_int_equal(costs.run.sectors, 16);
    assert_int_equal(costs.unknown,
                     0); /* of the atomic it is known that it uses no shared memory */
    assert_int_equal(costs.uncounted, 0);
    assert_int_equal(costs.uncounted_global, 1);
    assert_true(costs.trips_known);
    /* The costliest first: the store to shared memory, the load, the atomic, which is unknown. */
    assert_ptr_equal(costs.order[0], &costs.costs[1]);
    assert_ptr_equal(costs.order[1], &costs.costs[0]);
    assert_ptr_equal(costs.order[2], &costs.costs[2]);
    assert_int_equal(lw_kernel_cost_missing(&costs.costs[0]), 0);
    assert_int_equal(lw_kernel_cost_missing(&costs.costs[2]), LW_COST_GLOBAL);
    assert_true(*costs.costs[2].why);
    lw_kernel_costs_free(&costs);
}

static void steps(void **state)
{
    (void)state;
    assert_true(lw_kernel_costs_begin(&costs, &kernel, NULL, NULL));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(costs.counted, i);
        assert_true(lw_kernel_costs_step(&costs));
        assert_ptr_equal(costs.order[0], &costs.costs[i == 2]);
    }
    assert_false(lw_kernel_costs_step(&costs));
    lw_kernel_costs_free(&costs);
}

/* A second load of the same elements into the same registers is merged with the first, unless a barrier or a store is
 * between them, the registers are others, or the memory is another. */
static uint64_t two_loads(const char *between, const char *memory, const char *result)
{
    static const char form[] =
        "#r = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = "
        "[0]}>\n"
        "#q = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = "
        "[0]}>\n"
        "#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>\n"
        "module attributes {\"ttg.num-warps\" = 1 : i32, ttg.target = \"cuda:90\"} {\n"
        "tt.func @f(%%m: !ttg.memdesc<64xf64, #s, #ttg.shared_memory>, %%n: !ttg.memdesc<64xf64, "
        "#s, #ttg.shared_memory>) {\n"
        "  %%a = ttg.local_load %%m : !ttg.memdesc<64xf64, #s, #ttg.shared_memory> -> "
        "tensor<64xf64, #r>\n"
        "  %s\n"
        "  %%b = ttg.local_load %s : !ttg.memdesc<64xf64, #s, #ttg.shared_memory> -> "
        "tensor<64xf64, %s>\n"
        "  tt.return\n}\n}\n";
    char text[2048];
    struct lw_kernel loads;
    snprintf(text, sizeof text, form, between, memory, result);
    assert_true(lw_kernel_read(&loads, text, strlen(text), NULL, NULL));
    assert_int_equal(loads.problems.total, 0);
    assert_true(lw_kernel_costs_make(&costs, &loads, NULL, NULL));
    assert_int_equal(costs.uncounted, 0);
    uint64_t wavefronts = costs.run.wavefronts;
    lw_kernel_costs_free(&costs);
    lw_kernel_free(&loads);
    return wavefronts;
}

static void repeated_loads(void **state)
{
    (void)state;
    assert_int_equal(two_loads("", "%m", "#r"), 4);
    assert_int_equal(two_loads("%c = arith.constant 1 : i32", "%m", "#r"), 4);
    assert_int_equal(two_loads("", "%n", "#r"), 8);
    assert_int_equal(two_loads("", "%m", "#q"), 8);
    assert_int_equal(two_loads("gpu.barrier", "%m", "#r"), 8);
    assert_int_equal(two_loads("ttg.barrier local", "%m", "#r"), 8);
    assert_int_equal(two_loads("ttg.local_store %a, %n : tensor<64xf64, #r> -> "
                               "!ttg.memdesc<64xf64, #s, #ttg.shared_memory>",
                               "%m", "#r"),
                     12);
}

/* The end of attention kernels of flash-linear-attention: 4 of 8 warps store, and the counters of an H200 show that
 * only they load. A value of the same name in a region that is closed changes nothing: 16 wavefronts of stores, 4 of
 * loads. */
static void names_come_again(void **state)
{
    static const char text[] =
        "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = "
        "[0]}>\n"
        "#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], "
        "instrShape = [16, 64, 16]}>\n"
        "#r = #ttg.slice<{dim = 1, parent = #mma}>\n"
        "module attributes {\"ttg.num-warps\" = 8 : i32, ttg.target = \"cuda:90\"} {\n"
        "tt.func @f(%p: tensor<128x!tt.ptr<f32>, #b>, %v: tensor<128xf32, #r>, %c: i1, %n: i32) {\n"
        "  scf.for %i = %n to %n step %n : i32 {\n"
        "    %1 = ttg.convert_layout %v : tensor<128xf32, #r> -> tensor<128xf32, #r>\n"
        "    %2 = arith.addf %1, %1 : tensor<128xf32, #r>\n"
        "    scf.yield\n"
        "  }\n"
        "  scf.if %c {\n"
        "    %1 = ttg.convert_layout %v : tensor<128xf32, #r> -> tensor<128xf32, #b>\n"
        "    tt.store %p, %1 : tensor<128x!tt.ptr<f32>, #b>\n"
        "  }\n"
        "  tt.return\n}\n}\n";
    struct lw_kernel again;
    (void)state;
    assert_true(lw_kernel_read(&again, text, strlen(text), NULL, NULL));
    assert_int_equal(again.problems.total, 0);
    assert_false(again.operations[0].stored);
    assert_true(again.operations[1].stored);
    assert_true(lw_kernel_costs_make(&costs, &again, NULL, NULL));
    assert_int_equal(costs.run.wavefronts, 20);
    lw_kernel_costs_free(&costs);
    lw_kernel_free(&again);
}

/* What is left out of the numbers is named: operations of kernels as Triton 3.9 compiles them, with what nvdisasm
 * shows of their machine code. */

#define BLOCKED(name, threads, warps, order)                                                       \
    "#" name " = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = " threads                  \
    ", warpsPerCTA = " warps ", order = " order "}>\n"
#define MODULE "module attributes {\"ttg.num-warps\" = 4 : i32, ttg.target = \"cuda:90\"} {\n"

/* The note on the operation of a name, the first one. */
static const char *note_on(const char *text, const char *name, const char *expected)
{
    static char why[512];
    struct lw_kernel read;
    struct lw_kernel_costs found;
    assert_true(lw_kernel_read(&read, text, strlen(text), NULL, NULL));
    assert_int_equal(read.problems.total, 0);
    assert_true(lw_kernel_costs_make(&found, &read, NULL, NULL));
    size_t i = 0;
    while (strcmp(read.operations[i].name, name) != 0)
        i++;
    snprintf(why, sizeof why, "%s", found.costs[i].why);
    lw_kernel_costs_free(&found);
    lw_kernel_free(&read);
    return strstr(why, expected);
}

/* The last of 32 LDS of a transpose is behind `@P3 EXIT`, P3 being the mask of the store of what it loads. */
static void masked_store(void **state)
{
    static const char format[] = BLOCKED("b", "[1, 32]", "[2, 2]", "[1, 0]")
        BLOCKED("c", "[32, 1]", "[2, 2]", "[0, 1]") MODULE
        "tt.func @f(%%p: tensor<64x64x!tt.ptr<f32>, #b>, %%x: tensor<64x64xf32, #c>, "
        "%%m: tensor<64x64xi1, #b>) {\n"
        "  %%5 = ttg.convert_layout %%x : tensor<64x64xf32, #c> -> tensor<64x64xf32, #b>\n"
        "  tt.store %%p, %%5%s : tensor<64x64x!tt.ptr<f32>, #b>\n"
        "  tt.return\n}\n}\n";
    char text[2048];
    (void)state;
    snprintf(text, sizeof text, format, ", %m");
    assert_non_null(note_on(text, "ttg.convert_layout", "its store has a mask"));
    snprintf(text, sizeof text, format, "");
    assert_null(note_on(text, "ttg.convert_layout", "its store has a mask"));
}

/* `tl.trans` of 2x512, stored where the row is below 16: of 4 LDSM the machine code has 2. */
static void masked_matrix(void **state)
{
    static const char text[] =
        "#b = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [2, "
        "1], order = "
        "[1, 0]}>\n"
        "#c = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [32, 1], warpsPerCTA = [2, "
        "1], order = "
        "[0, 1]}>\n"
        "module attributes {\"ttg.num-warps\" = 2 : i32, ttg.target = \"cuda:90\"} {\n"
        "tt.func @f(%p: tensor<512x2x!tt.ptr<f32>, #b>, %x: tensor<512x2xf32, #c>, "
        "%m: tensor<512x2xi1, #b>) {\n"
        "  %5 = ttg.convert_layout %x : tensor<512x2xf32, #c> -> tensor<512x2xf32, #b>\n"
        "  tt.store %p, %5, %m : tensor<512x2x!tt.ptr<f32>, #b>\n"
        "  tt.return\n}\n}\n";
    (void)state;
    assert_non_null(note_on(text, "ttg.convert_layout", "dropped by all threads"));
}

/* A step of tl.sort: where a select by a constant mask follows, an LDS.128 becomes two LDS. */
static void select_follows(void **state)
{
    static const char format[] = BLOCKED("b", "[1, 32]", "[1, 4]", "[1, 0]") MODULE
        "tt.func @f(%%t: tensor<64x128xf32, #b>, %%c: tensor<64x1xi1, #b>, %%z: tensor<64x1xf32, "
        "#b>) {\n"
        "  %%s = \"tt.reduce\"(%%t) <{axis = 1 : i32}> ({\n"
        "  ^bb0(%%a: f32, %%d: f32):\n"
        "    %%e = arith.addf %%a, %%d : f32\n"
        "    tt.reduce.return %%e : f32\n"
        "  }) : (tensor<64x128xf32, #b>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #b}>>\n"
        "  %%y = tt.expand_dims %%s {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent "
        "= #b}>> -> "
        "tensor<64x1xf32, #b>\n"
        "  %%4 = %s : tensor<64x1xi1, #b>, tensor<64x1xf32, #b>\n"
        "  tt.return\n}\n}\n";
    char text[2048];
    (void)state;
    snprintf(text, sizeof text, format, "arith.select %c, %y, %z");
    assert_non_null(note_on(text, "tt.reduce", "a select follows"));
    snprintf(text, sizeof text, format, "arith.addf %z, %y");
    assert_null(note_on(text, "tt.reduce", "a select follows"));
}

static void warps_differ(void **state)
{
    static const char text[] = MODULE "tt.func @f(%x: i32) {\n"
                                      "  ttg.warp_specialize(%x)\n"
                                      "  default {\n    ttg.warp_yield\n  }\n"
                                      "  partition0(%g: i32) num_warps(4) {\n    ttg.warp_return\n"
                                      "  } : (i32) -> ()\n"
                                      "  tt.return\n}\n}\n";
    (void)state;
    assert_non_null(
        note_on(text, "ttg.warp_specialize", "shared memory holds the number of the code"));
}

static void texts(void **state)
{
    struct lw_text text = {0};
    (void)state;
    lw_operation_print_layouts(&text, &kernel, &kernel.operations[1]);
    lw_text_char(&text, ' ');
    lw_operation_print_tensor(&text, &kernel, &kernel.operations[1]);
    assert_string_equal(lw_text_string(&text), "#r -> #s 4x32xf32");
    lw_text_free(&text);
}

/* The machine code of NVIDIA, named as paths name it; all other code as it is. */
static void words_of_code(void **state)
{
    static const char *const cases[][2] = {
        {"LDSM.16.M88.4 x16", "ldmatrix.x4 x16"},
        {"STSM.16.MT88.2 x1, LDS.U8 x2", "stmatrix.x2.trans x1, ld.8 x2"},
        {"LDSM.16.M88 x1, LDSM.16.MT88 x3", "ldmatrix.x1 x1, ldmatrix.x1.trans x3"},
        {"STS x4, LDS.U16 x1, STS.64 x2, LDS.128 x8", "st.32 x4, ld.16 x1, st.64 x2, ld.128 x8"},
        {"ds_read_b64 x16, ds_write_b8 x2", "ds_read_b64 x16, ds_write_b8 x2"},
        {"shuffle", "shuffle"},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_text text = {0};
        lw_kernel_put_code(&text, cases[i][0]);
        assert_string_equal(lw_text_string(&text), cases[i][1]);
        lw_text_free(&text);
    }
}

static void source_lines(void **state)
{
    char folder[] = "/tmp/laneway_XXXXXX", dump[64], source[64];
    struct lw_source_lines lines = {0};
    const struct lw_location *location = kernel.operations[0].location;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(dump, sizeof dump, "%s/k.ttgir", folder);
    snprintf(source, sizeof source, "%s/k.py", folder);
    assert_null(lw_source_line(&lines, location, dump, NULL));
    lw_source_lines_free(&lines);
    FILE *file = fopen(source, "w");
    assert_non_null(file);
    fputs("def f(p):\n    x = tl.load(p)\n", file);
    fclose(file);
    assert_string_equal(lw_source_line(&lines, location, dump, NULL), "x = tl.load(p)");
    assert_null(lw_source_line(&lines, NULL, dump, NULL));
    lw_source_lines_free(&lines);
    assert_null(lines.text.data);
    remove(source);
    remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example),
        cmocka_unit_test(sums),
        cmocka_unit_test(steps),
        cmocka_unit_test(repeated_loads),
        cmocka_unit_test(names_come_again),
        cmocka_unit_test(masked_store),
        cmocka_unit_test(masked_matrix),
        cmocka_unit_test(select_follows),
        cmocka_unit_test(warps_differ),
        cmocka_unit_test(texts),
        cmocka_unit_test(words_of_code),
        cmocka_unit_test(source_lines),
    };
    return cmocka_run_group_tests(tests, open_kernel, close_kernel);
}
