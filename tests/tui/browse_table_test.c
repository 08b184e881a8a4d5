/* The order of the tables of kernels, and which of their columns are shown. */

#include "browse_parts.h"
#include "tui/access/solve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Another order leaves the cursor on its operation, and so does a filter that hides it for a while. */
static void the_chosen_operation_stays(void **state)
{
    static const char *const orders[] = {"Right", "Right", "r", "Right", "Right", "Left", "r"};
    struct drive d;
    (void)state;
    drive_open(&d, MATMUL);
    lw_job_finish(&d.ex);
    const struct lw_browse_table *table = &d.ex.browser->tables[LW_BROWSE_OPERATIONS];
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        drive_keys(&d, i % 2 ? "g Down Down Down" : "g");
        drive_draw(&d);
        size_t before = lw_browse_chosen(d.ex.browser, LW_BROWSE_OPERATIONS);
        drive_keys(&d, orders[i]);
        drive_draw(&d);
        assert_int_equal(lw_browse_chosen(d.ex.browser, LW_BROWSE_OPERATIONS), before);
        assert_true(table->at >= table->top && (table->top == 0 || table->at > table->top));
    }
    drive_keys(&d, "Down Down Down");
    size_t chosen = lw_browse_chosen(d.ex.browser, LW_BROWSE_OPERATIONS);
    lw_browse_filter(&d.ex, "no operation has this");
    lw_browse_filter(&d.ex, "");
    assert_int_equal(lw_browse_chosen(d.ex.browser, LW_BROWSE_OPERATIONS), chosen);
    drive_close(&d);
}

/* Until the user moves the cursor, another order has it on its first row: Enter opens what the order is for. */
static void a_new_order_begins_at_its_first_row(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tests/golden/launches/layernorm.ttgir");
    lw_job_finish(&d.ex);
    drive_resize(&d, 120, 40);
    const struct lw_browse_table *table = &d.ex.browser->tables[LW_BROWSE_OPERATIONS];
    drive_keys(&d, "Right Right Right");
    assert_shows(&d, " operations, by share of the kernel's excess ");
    assert_int_equal(table->at, 0);
    drive_keys(&d, "r");
    assert_int_equal(table->at, 0);
    drive_keys(&d, "r Down");
    const size_t chosen = table->rows[1];
    drive_keys(&d, "Left");
    assert_int_equal(table->rows[table->at], chosen);
    drive_close(&d);
}

/* A column that has only dashes leaves its room to names; the prompt says what it searches, and `n` is offered where
 * something was found. */
static void a_column_of_dashes_is_left_out(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "layouts/kernels/matmul_small.sm80.ttgir"); /* without an excess */
    lw_job_finish(&d.ex);
    drive_resize(&d, 80, 24);
    assert_hides(&d, "excess share");
    assert_shows(&d, " convert_layout ");
    drive_keys(&d, "/");
    assert_shows(&d, "part of any column of the operations");
    drive_type(&d, "load");
    drive_keys(&d, "Enter");
    assert_shows(&d, "n next hit");
    drive_keys(&d, "Tab /");
    assert_shows(&d, "part of any column of the layouts");
    drive_type(&d, "nothing has this");
    drive_keys(&d, "Enter");
    assert_hides(&d, "n next hit");
    drive_close(&d);
    drive_open(&d, "tests/golden/ttgir");
    lw_job_finish(&d.ex);
    assert_shows(&d, " hip:gfx1201 ");
    assert_shows(&d, " hip:gfx1100 ");
    drive_keys(&d, "/");
    assert_shows(&d, "part of any column of the kernels");
    drive_close(&d);
}

/* By cost is the order of its column: the head has the arrow, and Right and Left lead to the columns beside it. */
static void columns_are_sorted_from_the_cost_on(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, MATMUL);
    lw_job_finish(&d.ex);
    drive_resize(&d, 80, 24);
    assert_shows(&d, " ↓wf ");
    drive_keys(&d, "r");
    assert_shows(&d, " ↑wf ");
    drive_keys(&d, "Right");
    assert_shows(&d, ", by excess"); /* few have an ideal */
    drive_keys(&d, "Left");
    assert_shows(&d, ", by cost: ");
    drive_keys(&d, "Left");
    assert_shows(&d, ", by what");
    for (int i = 0; i < 9 && !strstr(drive_screen(&d), ", by operation"); i++)
        drive_keys(&d, "Left");
    drive_keys(&d, "Right");
    assert_shows(&d, ", by line"); /* after the last column the first one */
    drive_keys(&d, "Tab Right");
    assert_shows(&d, ", by layout"); /* what has no costs begins in the order of the file */
    drive_keys(&d, "Left");
    assert_shows(&d, ", in file order");
    drive_close(&d);
}

/* A column is as wide as what is in it, names have the rest, and a column that most files have a dash in waits for
 * a wide screen. */
static void names_have_the_room(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tests/golden/launches");
    lw_job_finish(&d.ex);
    drive_resize(&d, 80, 24);
    assert_shows(&d, " based_state.ttgir ");
    assert_shows(&d, " loop_transpose.t… │"); /* a blank before the border */
    assert_shows(&d, "52 operations; wavefronts 1532 (ideal 1160), sectors 258 (ideal ");
    drive_resize(&d, 120, 24);
    assert_shows(&d, " loop_transpose.ttgir ");
    assert_shows(&d, " fused_chunk_based_fwd_kernel ");
    assert_hides(&d, "shared bytes");
    drive_click(&d, 3, 42); /* the head of the target, wherever widths put it */
    assert_shows(&d, ", by target");
    drive_close(&d);
    drive_open(&d, "tests/golden/launches/attention.ttgir");
    lw_job_finish(&d.ex);
    drive_resize(&d, 120, 40);
    assert_shows(&d, " async_copy_global_to_local ");
    assert_shows(&d, " #mma -> slice(1, #mma)");
    drive_close(&d);
}

/* A filter, which offers the next hit, leaves the keys of the order on the line. */
static void the_keys_of_the_order_stay(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, MATMUL);
    lw_job_finish(&d.ex);
    drive_resize(&d, 80, 24);
    drive_keys(&d, "/");
    drive_type(&d, "load");
    drive_keys(&d, "Enter");
    assert_shows(&d, "←→ sort  r reverse  Enter open  Tab list ");
    assert_shows(&d, "n next hit");
    drive_close(&d);
}

/* Equal values are sorted by cost, the dearest first, in both directions; the chosen item is on a screen that is full;
 * the last column leaves a blank before the border, and the head has the cost of all. */
static void equal_values_are_by_cost(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tests/golden/ttgir");
    lw_job_finish(&d.ex);
    drive_resize(&d, 80, 24);
    assert_shows(&d, " wavefronts ");
    const struct lw_browse_table *table = &d.ex.browser->tables[LW_BROWSE_FILES];
    for (int reversed = 0; reversed < 2; reversed++) {
        drive_keys(&d, reversed ? "r" : "g");
        while (!reversed && !strstr(drive_screen(&d), ", by target"))
            drive_keys(&d, "Right");
        assert_shows(&d, reversed ? ", by target, reversed" : ", by target");
        for (size_t i = 1; i < table->count; i++) {
            const char *a =
                lw_kernel_folder_about(&d.ex.browser->folder, table->rows[i - 1])->target;
            const char *b = lw_kernel_folder_about(&d.ex.browser->folder, table->rows[i])->target;
            assert_true(strcmp(a, b) != 0 ||
                        d.ex.browser->folder_costs[table->rows[i - 1]].wavefronts >=
                            d.ex.browser->folder_costs[table->rows[i]].wavefronts);
        }
        drive_draw(&d);
        assert_true(table->at >= table->top && table->at < table->top + 12);
        assert_true(table->top + 12 <= table->count);
        assert_hides(&d, "…│");
    }
    drive_close(&d);
}

/* Below 80 columns the name and the cost stay, and what else has room; a column by which it is sorted too. */
static void the_cost_is_at_every_width(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tests/golden/ttgir/softmax.sm90.ttgir");
    lw_job_finish(&d.ex);
    for (int width = 40; width < 130; width++) {
        drive_resize(&d, width, 10);
        assert_shows(&d, " ↓wf ");
        assert_shows(&d, " excess ");
        assert_shows(&d, " reduce ");
    }
    drive_resize(&d, 40, 10);
    assert_shows(&d, "│ line ↓wf excess sectors operation    │");
    assert_shows(&d, "│   36  32     24       - reduce       │");
    assert_shows(&d, " 9 columns hidden ");
    drive_resize(&d, 80, 24);
    while (!strstr(drive_screen(&d), ", by depth of loops"))
        drive_keys(&d, "Right");
    drive_resize(&d, 40, 10);
    assert_shows(&d, " ↓loops ");
    assert_shows(&d, " wf ");
    drive_close(&d);
    drive_open(&d, "tests/golden/ttgir");
    lw_job_finish(&d.ex);
    drive_resize(&d, 40, 10);
    assert_shows(&d, "│ kernel            ↓wf excess sectors │");
    assert_shows(&d, "│ outer3           2560   1792    4096 │");
    drive_close(&d);
}

/* What the sums leave out is written at every width: other parts of them are shortened for it. */
static void what_is_not_counted_is_at_every_width(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tests/golden/ttgir");
    lw_job_finish(&d.ex);
    for (int width = 40; width < 130; width++) {
        drive_resize(&d, width, 24);
        assert_shows(&d, "loops");
        assert_shows(&d, "; 67 not counted");
    }
    drive_resize(&d, 80, 24);
    assert_shows(&d, " (82728); loops once; 67 not counted");
    drive_resize(&d, 90, 24);
    assert_shows(&d, " (ideal 82728); loops once; 67 not counted");
    drive_close(&d);
    drive_open(&d, "tests/golden/ttgir/softmax.sm90.ttgir");
    lw_job_finish(&d.ex);
    drive_resize(&d, 80, 24);
    assert_shows(&d, " hidden below 200: share, ");
    drive_close(&d);
}

/* Whether a blank is before each arrow of a head; on the line of keys there are pairs of them. */
static bool has_blanks(const char *screen)
{
    const size_t size = strlen("↑");
    for (const char *at = screen + 1; *at; at++) {
        if (strncmp(at, "↑", size) != 0 && strncmp(at, "↓", size) != 0)
            continue;
        if (!strncmp(at, "↑↓", 2 * size) || !strncmp(at, "↓↑", 2 * size))
            at += size;
        else if (at[-1] != ' ')
            return false;
    }
    return true;
}

/* The arrow of the sorted column leaves a blank before it, and the heads of the others stay whole. */
static void the_arrow_has_a_blank_before_it(void **state)
{
    static const char *const tables[] = {"tests/golden/ttgir",
                                         "tests/golden/ttgir/softmax.sm90.ttgir"};
    struct drive d;
    (void)state;
    for (int i = 0; i < 2; i++) {
        drive_open(&d, tables[i]);
        lw_job_finish(&d.ex);
        for (int width = 40; width < 210; width += 20) {
            drive_resize(&d, width, 24);
            for (int k = 0; k < 16; k++) {
                assert_true(has_blanks(drive_screen(&d)));
                drive_keys(&d, "Right");
            }
        }
        drive_close(&d);
    }
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "o");
    lw_job_finish(&d.ex);
    for (int width = 80; width < 150; width += 40) {
        drive_resize(&d, width, 24);
        for (int k = 0; k < LW_SOLVE_COLUMNS; k++) {
            drive_keys(&d, "Right");
            assert_shows(&d, " ↑");
            assert_true(has_blanks(drive_screen(&d)));
        }
    }
    drive_close(&d);
}

/* In ASCII the mark of the sorted column is no letter, which would be read as one of its name. */
static void the_mark_is_no_letter(void **state)
{
    const struct lw_tui_options ascii = {.ascii = true};
    struct drive d;
    (void)state;
    drive_open_with(&d, "tests/golden/ttgir/softmax.sm90.ttgir", &ascii);
    lw_job_finish(&d.ex);
    for (int width = 40; width < 210; width += 10) {
        drive_resize(&d, width, 24);
        assert_shows(&d, " -wf ");
        drive_keys(&d, "r");
        assert_shows(&d, " +wf ");
        drive_keys(&d, "r");
    }
    drive_close(&d);
    drive_open_with(&d, "banks/transpose-row-major", &ascii);
    drive_keys(&d, "o");
    lw_job_finish(&d.ex);
    drive_keys(&d, "Right");
    assert_shows(&d, " +");
    assert_hides(&d, " ^s");
    drive_close(&d);
}

/* The sums of a folder are shown with the number of files that they leave out. */
static void sums_have_the_files_left_out(void **state)
{
    static const char kernel[] = "module attributes {\"ttg.num-warps\" = 1 : i32, ttg.target = "
                                 "\"cuda:80\"} {\n  tt.func public @k() {\n    tt.return\n  }\n}\n";
    struct drive d;
    (void)state;
    drive_put_file("a.ttgir", kernel);
    drive_open(&d, drive_folder);
    lw_job_finish(&d.ex);
    assert_hides(&d, "not read");
    assert_hides(&d, "with errors");
    drive_close(&d);
    drive_put_file("b.ttgir", "#x = #ttg.blocked<{sizePer\n");
    drive_open(&d, drive_folder);
    lw_job_finish(&d.ex);
    assert_shows(&d, " 1 file with errors  wavefronts 0 (ideal 0), sectors 0 (ideal 0)");
    assert_int_equal(lw_browse_default(d.ex.browser, LW_BROWSE_FILES, 1).known, false);
    drive_keys(&d, "G");
    assert_shows(&d, "1 error in its text; 0 operations; ");
    drive_close(&d);
    drive_open(&d, drive_folder);
    lw_job_finish(&d.ex);
    d.ex.browser->folder_costs[0].read = false; /* as if it had been deleted after it was listed */
    assert_shows(&d, " 1 file not read, 1 with errors  wavefronts 0 (ideal 0)");
    drive_resize(&d, 60, 20);
    assert_shows(&d, " 1 file not read, 1 with errors ");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chosen_operation_stays),
        cmocka_unit_test(a_new_order_begins_at_its_first_row),
        cmocka_unit_test(columns_are_sorted_from_the_cost_on),
        cmocka_unit_test(names_have_the_room),
        cmocka_unit_test(the_keys_of_the_order_stay),
        cmocka_unit_test(a_column_of_dashes_is_left_out),
        cmocka_unit_test(equal_values_are_by_cost),
        cmocka_unit_test(the_cost_is_at_every_width),
        cmocka_unit_test(what_is_not_counted_is_at_every_width),
        cmocka_unit_test(the_arrow_has_a_blank_before_it),
        cmocka_unit_test(sums_have_the_files_left_out),
        cmocka_unit_test(the_mark_is_no_letter),
    };
    return cmocka_run_group_tests(tests, drive_make_folder, drive_remove_folder);
}
