/* What a kernel stores to global memory: the picture of a conversion has the cost of the table. */

#include "tui/drive.h"
#include "tui/kernel/browse.h"
#include "view/view_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The compiler moves the loads of the conversion to the store, where lanes that hold copies skip them. */
static const char stored_kernel[] =
    "#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], "
    "order = [1, 0]}>\n"
    "#o = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = "
    "[0]}>\n"
    "#s = #ttg.slice<{dim = 1, parent = #b}>\n"
    "module attributes {\"ttg.num-warps\" = 4 : i32, ttg.target = \"cuda:90\", "
    "\"ttg.threads-per-warp\" = 32 : i32} {\n"
    "tt.func public @k(%p: tensor<64x!tt.ptr<f32>, #o>, %x: tensor<64xf32, #s>) {\n"
    "%y = ttg.convert_layout %x : tensor<64xf32, #s> -> tensor<64xf32, #o>\n"
    "tt.store %p, %y : tensor<64x!tt.ptr<f32>, #o>\n"
    "tt.return\n}\n}\n";

/* Opens the operation of a kernel that costs most. */
static void open_kernel(struct drive *d, const char *kernel)
{
    char path[] = "/tmp/laneway-stored-XXXXXX.ttgir";
    int file = mkstemps(path, 6);
    assert_true(file >= 0);
    assert_int_equal(write(file, kernel, strlen(kernel)), strlen(kernel));
    assert_int_equal(close(file), 0);
    const struct lw_tui_options options = {.writes_nothing = true,
                                           .triton = {LW_TRITON_3_9, false}};
    drive_open_with(d, path, &options);
    drive_resize(d, 120, 40);
    lw_job_finish(&d->ex);
    drive_keys(d, "Home Enter");
    unlink(path);
}

static void a_stored_result_is_drawn_as_it_is_counted(void **state)
{
    struct lw_error err;
    struct drive d;
    (void)state;
    open_kernel(&d, stored_kernel);
    const struct lw_kernel_cost *cost =
        lw_browse_cost_of(d.ex.browser, lw_browse_chosen(d.ex.browser, LW_BROWSE_OPERATIONS));
    const struct lw_conversion *conversion =
        lw_subject_access_conversion(d.ex.layouts.opened.subject.access, &err);
    assert_non_null(conversion);
    assert_int_equal(conversion->load_total.wavefronts, 2);
    assert_int_equal(cost->wavefronts,
                     conversion->store_total.wavefronts + conversion->load_total.wavefronts);
    struct lw_text text = {0};
    lw_document_print(&text, lw_explorer_entry(&d.ex)->doc);
    assert_non_null(strstr(lw_text_string(&text), "\"to_global\": true"));
    struct lw_document again;
    assert_true(lw_document_read(&again, lw_text_string(&text), text.length, NULL, &err));
    assert_true(again.to_global);
    lw_document_free(&again);
    lw_text_free(&text);
    drive_close(&d);
}

/* The last conversion of a reduction loads only where its result is stored: the first one costs more. */
static void a_stored_reduction_is_counted_as_in_the_table(void **state)
{
    static const char kernel[] =
        "#b = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, "
        "4], order = [0, 1]}>\n"
        "#s = #ttg.slice<{dim = 1, parent = #b}>\n"
        "module attributes {\"ttg.num-warps\" = 4 : i32, ttg.target = \"cuda:90\", "
        "\"ttg.threads-per-warp\" = 32 : i32} {\n"
        "tt.func public @k(%p: tensor<128x!tt.ptr<f32>, #s>, %x: tensor<128x4xf32, #b>) {\n"
        "%r = \"tt.reduce\"(%x) <{axis = 1 : i32}> ({\n"
        "^bb0(%a: f32, %c: f32):\n"
        "%t = arith.addf %a, %c : f32\n"
        "tt.reduce.return %t : f32\n"
        "}) : (tensor<128x4xf32, #b>) -> tensor<128xf32, #s>\n"
        "tt.store %p, %r : tensor<128x!tt.ptr<f32>, #s>\n"
        "tt.return\n}\n}\n";
    struct drive d;
    (void)state;
    open_kernel(&d, kernel);
    assert_shows(&d, "conversion 1 of 2 of the reduction, which costs most: 32 of its 52 wave");
    drive_close(&d);
}

/* The first view of an operation is of registers A, whatever was shown before. */
static void a_view_is_of_one_layout(void **state)
{
    static const char *const keys[] = {"1", "5 1", "6 5 1", "6 1 5 1", "5 6 5 6 1"};
    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        for (int width = 80; width <= 120; width += 40) {
            struct drive d;
            drive_open(&d, "tests/golden/ttgir/matmul.sm80.ttgir");
            lw_job_finish(&d.ex);
            drive_resize(&d, width, 40);
            drive_keys(&d, "Enter");
            drive_keys(&d, keys[i]);
            drive_draw(&d);
            assert_string_equal(d.ex.panes.active->view.type->name, "owners");
            assert_int_equal(d.ex.panes.active->shown.side, LW_SIDE_A);
            drive_close(&d);
        }
}

/* Wavefronts over the ideal that are no conflicts have another mark than those, also without colours, and a reason. */
static void groups_of_lanes_are_no_conflicts(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tests/golden/launches/layernorm.ttgir");
    lw_job_finish(&d.ex);
    drive_resize(&d, 120, 40);
    drive_keys(&d, "Enter"); /* a reduction, in line 25 */
    assert_shows(&d, " 4     1     0  █░");
    assert_hides(&d, "▒");
    assert_shows(&d, "conversion 1 of 1 of the reduction: 64 of its 64 wavefronts");
    drive_command(&d, "view banks");
    drive_resize(&d, 200, 40);
    assert_shows(&d,
                 "4 wavefronts, ideal 1, 0 conflicts; 1 for each of 4 groups of lanes, whose words "
                 "fit in 1");
    assert_hides(&d, "and the conflicts");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stored_result_is_drawn_as_it_is_counted),
        cmocka_unit_test(a_stored_reduction_is_counted_as_in_the_table),
        cmocka_unit_test(groups_of_lanes_are_no_conflicts),
        cmocka_unit_test(a_view_is_of_one_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
