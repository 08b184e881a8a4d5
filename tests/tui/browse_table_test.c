/* The order of the tables of kernels, and which of their columns are shown. */

#include "browse_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Another order begins at its first row; a filter that hides the chosen operation for a while leaves it chosen. */
static void the_chosen_operation_stays(void **state)
{
    static const char *const orders[] = {"Right", "Right", "r", "Right", "Right", "Left", "r"};
    struct drive d;
    (void)state;
    drive_open(&d, MATMUL);
    lw_job_finish(&d.ex);
    const struct lw_browse_table *table = &d.ex.browser->tables[LW_BROWSE_OPERATIONS];
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        drive_keys(&d, "Down Down Down");
        drive_draw(&d);
        drive_keys(&d, orders[i]);
        drive_draw(&d);
        assert_true(table->at == 0 && table->top == 0);
    }
    drive_keys(&d, "Down Down Down");
    size_t chosen = lw_browse_chosen(d.ex.browser, LW_BROWSE_OPERATIONS);
    lw_browse_filter(&d.ex, "no operation has this");
    lw_browse_filter(&d.ex, "");
    assert_int_equal(lw_browse_chosen(d.ex.browser, LW_BROWSE_OPERATIONS), chosen);
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
    assert_hides(&d, "excess %");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chosen_operation_stays),
        cmocka_unit_test(a_column_of_dashes_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
