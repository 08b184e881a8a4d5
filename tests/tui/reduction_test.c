/* The conversions of a reduction, of each of its operands. */

#include "browse_parts.h"
#include "view/view_parts.h"

#include <fcntl.h>

/* The largest value and its index: operands of 16 and of 32 bits. */
static const char argmax[] =
    "#blocked = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, "
    "1], order = [1, 0]}>\n"
    "module attributes {\"ttg.num-warps\" = 4 : i32, ttg.target = \"cuda:90\", "
    "\"ttg.threads-per-warp\" = 32 : i32} {\n"
    "  tt.func public @argmax(%v: tensor<128x64xf16, #blocked>, %i: tensor<128x64xi32, "
    "#blocked>) {\n"
    "    %0:2 = \"tt.reduce\"(%v, %i) <{axis = 0 : i32}> ({\n"
    "    ^bb0(%a: f16, %b: i32, %c: f16, %d: i32):\n"
    "      tt.reduce.return %a, %b : f16, i32\n"
    "    }) : (tensor<128x64xf16, #blocked>, tensor<128x64xi32, #blocked>) -> (tensor<64xf16, "
    "#ttg.slice<{dim = 0, parent = #blocked}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = "
    "#blocked}>>)\n"
    "    tt.return\n"
    "  }\n"
    "}\n";

static uint64_t drawn(const struct drive *d)
{
    struct lw_subject_access *access = d->ex.layouts.opened.subject.access;
    assert_non_null(access);
    const struct lw_conversion *moves = lw_subject_access_conversion(access, NULL);
    assert_non_null(moves);
    return moves->store_total.wavefronts + moves->load_total.wavefronts;
}

/* Opens the kernel of `argmax` from a new file, whose name is put into the template. */
static void open_argmax(struct drive *d, char *path)
{
    const struct lw_tui_options options = {.triton = {.version = LW_TRITON_3_9},
                                           .writes_nothing = true};
    int file = mkstemps(path, 6);
    assert_int_equal(write(file, argmax, strlen(argmax)), strlen(argmax));
    close(file);
    drive_open_with(d, path, &options);
    drive_resize(d, 140, 40);
    lw_job_finish(&d->ex);
}

/* `]` goes through the conversions of the first operand, then of the second, and `[` back: together they have the
 * wavefronts of the table. A step back is to the table. */
static void each_operand_has_its_conversions(void **state)
{
    char path[] = "/tmp/laneway-reduction.XXXXXX.ttgir";
    struct drive d;
    (void)state;
    open_argmax(&d, path);
    const struct lw_kernel_cost *cost = lw_browse_cost_of(d.ex.browser, 0);
    assert_true(cost->wavefronts > 0);
    drive_keys(&d, "Enter");
    assert_shows(&d, "conversion 1 of 2 of the reduction, operand 2 of 2 (the widest)");
    assert_shows(&d, "] next step");
    drive_keys(&d, "[ [ [ [");
    assert_shows(&d, "this is the first of the reduction's 4 conversions");
    uint64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        char text[80];
        if (i == 0)
            drive_keys(&d, "] [");
        snprintf(text, sizeof text, "conversion %d of 2 of the reduction, operand %d of 2",
                 i % 2 + 1, i / 2 + 1);
        assert_shows(&d, text);
        snprintf(text, sizeof text, ": %d of its %d wavefronts", (int)drawn(&d),
                 (int)cost->wavefronts);
        assert_shows(&d, text);
        assert_shows(&d, i < 2 ? "xf16 " : "xi32 ");
        assert_shows(&d, "Conversion: 1 round");
        sum += drawn(&d);
        drive_keys(&d, "]");
    }
    assert_int_equal(sum, cost->wavefronts);
    assert_shows(&d, "this is the last of the reduction's 4 conversions");
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    drive_keys(&d, "Enter ]");
    drive_command(&d, "set .element=f64"); /* an edit of any of them is marked in the table */
    drive_keys(&d, "Esc");
    assert_shows(&d, "*");
    drive_close(&d);
    unlink(path);
}

/* The last step, to the layout of the result, is reached in the view that is on the screen; what is no reduction has no
 * steps, and its line of keys does not offer them. */
static void the_last_step_is_reached(void **state)
{
    const struct lw_tui_options options = {.triton = {.version = LW_TRITON_3_9},
                                           .writes_nothing = true};
    struct drive d;
    (void)state;
    drive_open_with(&d, "tests/golden/launches/colsum.ttgir", &options);
    drive_resize(&d, 120, 40);
    lw_job_finish(&d.ex);
    drive_keys(&d, "/");
    drive_type(&d, "reduce");
    drive_keys(&d, "Enter Enter 1 ]");
    assert_shows(&d, "conversion 2 of 2 of the reduction, which costs as much as 1 other: 32 of");
    assert_shows(&d, "Owners: registers A, dim0 across");
    drive_keys(&d, "6");
    assert_shows(&d, "Conversion: 1 round, store 16");
    drive_keys(&d, "?");
    assert_shows(&d, "of a reduction: the next conversion, or");
    assert_shows(&d, "of a reduction: the conversion before");
    drive_close(&d);
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "]");
    assert_shows(&d, "this is no conversion of a reduction");
    assert_hides(&d, "] next step");
    drive_close(&d);
}

/* The steps are those of the reduction on the screen also after another kernel or a folder was opened; a file that is
 * gone, or has other operations now, is the reason why there are none. */
static void steps_after_another_kernel(void **state)
{
    char path[] = "/tmp/laneway-reduction.XXXXXX.ttgir";
    struct drive d;
    (void)state;
    open_argmax(&d, path);
    drive_keys(&d, "Enter [");
    const size_t entry = d.ex.list.entry;
    for (int folder = 0; folder < 2; folder++) {
        drive_command(&d, folder ? "open " FOLDER : "open " MATMUL);
        lw_job_finish(&d.ex);
        lw_explorer_show(&d.ex, entry);
        d.ex.focus = LW_FOCUS_VIEW;
        drive_keys(&d, "]");
        lw_job_finish(&d.ex);
        assert_shows(&d, "conversion 1 of 2 of the reduction, operand 2");
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        drive_keys(&d, "[");
        assert_shows(&d, "conversion 2 of 2 of the reduction, operand 1");
    }
    drive_keys(&d, "Esc Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW); /* from where the folder was opened */
    drive_command(&d, "open " MATMUL);
    lw_explorer_show(&d.ex, entry);
    d.ex.focus = LW_FOCUS_VIEW;
    int file = open(path, O_WRONLY | O_TRUNC);
    assert_int_equal(write(file, "#x = 1\n", 7), 7);
    close(file);
    drive_keys(&d, "]");
    assert_shows(&d, " has changed: this reduction is not in it");
    unlink(path);
    drive_command(&d, "open " MATMUL);
    lw_explorer_show(&d.ex, entry);
    d.ex.focus = LW_FOCUS_VIEW;
    drive_keys(&d, "]");
    assert_shows(&d, "No such file");
    assert_hides(&d, "no conversion of a reduction");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_operand_has_its_conversions),
        cmocka_unit_test(the_last_step_is_reached),
        cmocka_unit_test(steps_after_another_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
