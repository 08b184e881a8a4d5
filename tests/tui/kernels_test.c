/* Kernels in the explorer: the table of operations, the lines below it, folding, trips, two kernels, a folder. */

#include "session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/laneway-kernel.XXXXXX";

static char *path_of(const char *name)
{
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void put_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
    (void)state;
    return !mkdtemp(folder) || setenv("HOME", folder, 1) != 0 || unsetenv("XDG_STATE_HOME") != 0 ||
           unsetenv("XDG_CONFIG_HOME") != 0;
}

static int remove_folder(void **state)
{
    char command[600];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* Does what the program does while no event waits. */
static void finish(struct session *s)
{
    lw_app_finish_work(&s->app);
}

static int row_of(struct session *s, const char *text)
{
    int row, col;
    if (!session_find(s, text, &row, &col))
        fail_msg("not on the screen: %s\n%s", text, session_screen(s));
    return row;
}

#define HEAD                                                                                       \
    "#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = "   \
    "[0]}>\n"                                                                                      \
    "#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [2], order = "   \
    "[0]}>\n"                                                                                      \
    "#new = #other.layout<{x = 1}>\n"                                                              \
    "module attributes {\"ttg.num-warps\" = 2 : i32, ttg.target = \"cuda:90\"} {\n"                \
    "tt.func public @f(%i: tensor<128xi32, #a>, %m: tensor<128xi1, #a>, %x: tensor<128xf32, #a>, " \
    "%n: tensor<128xf32, #new>) {\n"
#define CONVERT(result, value, element)                                                            \
    "%" result " = ttg.convert_layout %" value " : tensor<128x" element                            \
    ", #a> -> tensor<128x" element ", #b>\n"

#define MATMUL "tests/golden/ttgir/matmul_small.sm80.ttgir"

/* The numbers of the table are those of `laneway ttgir`: 32, 32 and 64 of 128 wavefronts. */
static void the_most_expensive_is_first(void **state)
{
    struct session s;
    (void)state;
    session_open(&s, MATMUL, 120, 40);
    finish(&s);
    session_keys(&s, "Esc"); /* trips */
    assert_shows(&s, "most wavefronts: convert_layout, kernels.py:18, 64 of 128; all ideal");
    assert_shows(&s, " loops count once, t: trips ");
    assert_true(row_of(&s, "#mma -> #blocked1") < row_of(&s, "#shared -> dot_op(0, #mma, 2)"));
    assert_shows(&s, "x ?");
    assert_shows(&s, "32 wf");
    assert_shows(&s, "64 wf");
    assert_shows(&s, "line 104  %7 = ttg.convert_layout");
    session_keys(&s, "Down");
    assert_shows(&s, "kernels.py:15:20");
    assert_shows(&s, "line 80  %x_52 = ttg.local_load");
    session_close(&s);
}

/* A loop that runs an unknown number of times is asked about once; then its operations count so often. */
static void trips_are_requested_once(void **state)
{
    struct session s;
    (void)state;
    session_open(&s, MATMUL, 120, 40);
    finish(&s);
    assert_shows(&s, "64, or K=512 of an argument K; Enter, Esc: counted once");
    session_type(&s, "x");
    session_keys(&s, "Enter");
    assert_shows(&s, "expected a number up to 2^40");
    session_keys(&s, "Backspace");
    session_type(&s, "64");
    session_keys(&s, "Enter");
    finish(&s);
    assert_shows(&s, "2048 wf");
    assert_shows(&s, "local_load, kernels.py:15, 2048 of 4160; all ideal");
    session_keys(&s, "t");
    session_keys(&s, "C-u");
    session_type(&s, "9999=3");
    session_keys(&s, "Enter");
    finish(&s);
    assert_hides(&s, "how often do loops run?");
    session_close(&s);
}

/* Trips belong to the kernel that they were set for: the next one counts loops once, two versions of it as often. */
static void trips_belong_to_the_kernel(void **state)
{
    struct session s;
    (void)state;
    session_open(&s, MATMUL, 120, 40);
    finish(&s);
    session_type(&s, "64");
    session_keys(&s, "Enter");
    finish(&s);
    assert_shows(&s, "2048 of 4160; all ideal");
    session_command(&s, "open tests/golden/ttgir/matmul.sm80.ttgir");
    finish(&s);
    assert_shows(&s, "512 of 1024; all ideal");
    assert_shows(&s, " loops count once, t: trips ");
    session_keys(&s, "Esc d Enter");
    finish(&s);
    assert_shows(&s, "4160 -> 4160 wavefronts");
    session_close(&s);
}

/* At 80 columns the sentence about trips is not cut. */
static void trips_fit_80_columns(void **state)
{
    struct session s;
    (void)state;
    session_open(&s, MATMUL, 80, 24);
    finish(&s);
    assert_shows(&s, "64, or K=512 of an argument K; Enter, Esc: counted once");
    session_close(&s);
}

/* A path that is typed on the first screen opens what it names. */
static void a_typed_path_opens(void **state)
{
    struct session s;
    (void)state;
    session_open(&s, NULL, 120, 40);
    session_type(&s, "tests/golden/ttgir");
    session_keys(&s, "Enter");
    assert_shows(&s, "matmul_small.sm80");
    session_keys(&s, "Esc C-u");
    session_type(&s, MATMUL);
    session_keys(&s, "Enter");
    finish(&s);
    assert_shows(&s, "convert_layout, kernels.py:18");
    session_type(&s, "?"); /* the help of the prompt stands above it */
    assert_shows(&s, "64, or K=512 of an argument K; Enter, Esc: counted once");
    session_close(&s);
}

/* The fix of one kernel of a file with two is read as that kernel. */
static void a_fix_is_of_its_kernel(void **state)
{
    struct session s;
    (void)state;
    put_file("two.cu", "__global__ void k(float *out) {\n"
                       "  __shared__ float t[32][32];\n"
                       "  out[threadIdx.x] = t[threadIdx.x][threadIdx.y];\n"
                       "}\n"
                       "__global__ void g(float *out) { out[threadIdx.x] = 1; }\n");
    session_open(&s, path_of("two.cu:k"), 120, 40);
    session_keys(&s, "o Enter");
    assert_shows(&s, "load 1 wavefront: no conflicts");
    session_close(&s);
}

/* A verdict is of the worst access of all; what is not counted has no numbers. */
static void the_verdict_is_of_the_worst_access(void **state)
{
    static const char worst[] = "\xe2\x9c\x97 atomic of bins, 3:3: 64 wavefronts, ideal 8";
    struct session s;
    (void)state;
    put_file("hist.cu", "__global__ void __launch_bounds__(256) k(int *out) {\n"
                        "  __shared__ int bins[256]; bins[tid] = 0;\n"
                        "  atomicAdd(&bins[tid * 8 % 256], 2);\n"
                        "  atomicAdd(&out[tid], bins[tid]);\n"
                        "}\n");
    session_open(&s, path_of("hist.cu"), 120, 40);
    assert_shows(&s, worst);
    session_keys(&s, "1");
    assert_shows(&s, worst);
    assert_shows(&s, "-    not counted      -");
    session_close(&s);
}

static void enter_opens_the_access(void **state)
{
    struct session s;
    (void)state;
    session_open(&s, MATMUL, 120, 40);
    finish(&s);
    session_keys(&s, "Esc Down Enter");
    assert_string_equal(lw_app_top(&s.app)->type->name, "layout");
    assert_shows(&s, "swizzled_shared 8 2 4 > dot_op 0");
    session_keys(&s, "Esc");
    assert_shows(&s, "convert_layout, kernels.py:18");
    session_close(&s);
}

/* An operation over its ideal says what would be better: other memory, of which a run counts. */
static void what_is_better_is_said(void **state)
{
    struct session s;
    (void)state;
    session_open(&s, "tests/golden/ttgir/matmul_small.gfx942.ttgir", 120, 40);
    finish(&s);
    session_keys(&s, "Esc");
    assert_shows(&s, "better     Enter, o: 32 wavefronts, not 64: no swizzle");
    session_keys(&s, "Down");
    finish(&s);
    assert_shows(&s, "better     Enter, o: 32 wavefronts a run, not 64: no swizzle");
    session_keys(&s, "Down");
    assert_hides(&s, "better");
    session_keys(&s, "Up Enter o");
    assert_shows(&s, "before: 64 in all");
    session_keys(&s, "Esc Esc /");
    session_type(&s, "store");
    session_keys(&s, "Enter End");
    assert_shows(&s, "better     a layout that moves whole sectors of 32 bytes: 128 of them");
    session_close(&s);
}

/* Conversions of indices and masks are one row, with their cost. */
static void indices_are_one_row(void **state)
{
    struct session s;
    (void)state;
    put_file("indices.ttgir", HEAD CONVERT("0", "i", "i32") CONVERT("1", "m", "i1")
                                  CONVERT("2", "x", "f32") "tt.return\n}\n}\n");
    session_open(&s, path_of("indices.ttgir"), 120, 40);
    finish(&s);
    assert_shows(&s, "+ 2 of indices and masks");
    assert_hides(&s, "128xi32");
    assert_shows(&s, "128xf32");
    session_close(&s);
}

/* What it could not read is in the table. */
static void what_is_not_read_is_listed(void **state)
{
    struct session s;
    (void)state;
    put_file("unread.ttgir",
             HEAD CONVERT("2", "x", "f32") "ttg.none_such %x : tensor<128xf32, #a>\n"
                                           "tt.return\n}\n}\n");
    session_open(&s, path_of("unread.ttgir"), 120, 40);
    finish(&s);
    assert_shows(&s, "not read: line 7");
    assert_shows(&s, "none_such");
    assert_shows(&s, "not read: line 3");
    session_close(&s);
}

static void rows_are_filtered(void **state)
{
    struct session s;
    (void)state;
    session_open(&s, MATMUL, 120, 40);
    finish(&s);
    session_keys(&s, "Esc /");
    session_type(&s, "convert");
    session_keys(&s, "Enter");
    assert_shows(&s, "convert_layout");
    assert_hides(&s, "local_load  ");
    session_keys(&s, "Esc");
    assert_shows(&s, "local_load  ");
    session_close(&s);
}

/* Two versions: their operations in pairs, what costs more first. */
static void two_kernels_are_paired(void **state)
{
    struct session s;
    struct lw_error err = {0};
    (void)state;
    session_open(&s, MATMUL, 120, 40);
    finish(&s);
    session_keys(&s, "Esc d C-u");
    session_type(&s, "tests/golden/ttgir/matmul.sm80.ttgir");
    session_keys(&s, "Enter");
    finish(&s);
    assert_shows(&s, "128 -> 1024 wavefronts, 512 -> 4096 sectors: 8 dearer, 2 came, 1 changed");
    assert_shows(&s,
                 "#mma: #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 2]");
    session_keys(&s, "Down Down Down");
    assert_shows(&s,
                 "before     #blocked1: blocked [1,8] [4,8] [2,1], now blocked [1,8] [2,16] [4,1]");
    session_keys(&s, "Home");
    int row = row_of(&s, "convert_layout");
    assert_non_null(strstr(session_row(&s, row), "dearer"));
    assert_non_null(strstr(session_row(&s, row), "64 wf"));
    assert_non_null(strstr(session_row(&s, row), "512 wf"));
    session_keys(&s, "Esc");
    assert_shows(&s, "64 of 128; ");
    assert_false(lw_kernel_open_screen(&s.app, MATMUL, "none.ttgir", &err));
    assert_non_null(strstr(err.message, "none.ttgir"));
    session_close(&s);
}

/* A folder: names at once, then what they are; what was chosen stays. */
static void a_folder_lists_its_kernels(void **state)
{
    struct session s;
    (void)state;
    session_open(&s, "tests/golden/ttgir", 120, 60);
    struct lw_text first = {0};
    lw_surface_print(&first, &s.surface);
    assert_non_null(strstr(lw_text_string(&first), "matmul_small.sm80"));
    lw_text_free(&first);
    finish(&s);
    assert_shows(&s, "48 kernels");
    assert_non_null(strstr(session_row(&s, row_of(&s, "outer3.gfx950 ")), "hip:gfx950, 4 warps"));
    session_keys(&s, "/");
    session_type(&s, "small.sm80");
    session_keys(&s, "Enter Enter");
    assert_string_equal(lw_app_top(&s.app)->type->name, "kernel");
    session_keys(&s, "Esc Esc");
    assert_non_null(strstr(session_row(&s, row_of(&s, "matmul_small.sm80")), "\xe2\x96\xb8"));
    session_close(&s);
}

static void a_folder_without_kernels_lists_layouts(void **state)
{
    struct session s;
    (void)state;
    session_open(&s, "layouts/banks", 120, 40);
    finish(&s);
    assert_shows(&s, "transpose-swizzled");
    session_keys(&s, "Enter");
    assert_string_equal(lw_app_top(&s.app)->type->name, "layout");
    session_close(&s);
    assert_int_equal(mkdir(path_of("empty"), 0700), 0);
    session_open(&s, path_of("empty"), 80, 24);
    finish(&s);
    assert_shows(&s, "neither a kernel (.ttgir, .ttir, .mlir) nor a layout");
    session_close(&s);
}

static void the_gallery_has_kernels(void **state)
{
    struct session s;
    (void)state;
    session_open(&s, NULL, 120, 40);
    session_type(&s, "/compiled");
    session_keys(&s, "Enter Enter");
    finish(&s);
    assert_shows(&s, "matmul_small.sm80.ttgir");
    session_keys(&s, "Enter");
    finish(&s);
    assert_shows(&s, "of 128; ");
    session_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_expensive_is_first),
        cmocka_unit_test(trips_are_requested_once),
        cmocka_unit_test(trips_belong_to_the_kernel),
        cmocka_unit_test(trips_fit_80_columns),
        cmocka_unit_test(a_typed_path_opens),
        cmocka_unit_test(the_verdict_is_of_the_worst_access),
        cmocka_unit_test(a_fix_is_of_its_kernel),
        cmocka_unit_test(enter_opens_the_access),
        cmocka_unit_test(what_is_better_is_said),
        cmocka_unit_test(indices_are_one_row),
        cmocka_unit_test(what_is_not_read_is_listed),
        cmocka_unit_test(rows_are_filtered),
        cmocka_unit_test(two_kernels_are_paired),
        cmocka_unit_test(a_folder_lists_its_kernels),
        cmocka_unit_test(a_folder_without_kernels_lists_layouts),
        cmocka_unit_test(the_gallery_has_kernels),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
