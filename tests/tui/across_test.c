/* Tensors of three dims or more: as many of the last ones run across that each element has its number. */

#include "tui/draw/drawing.h"
#include "tui/drive.h"
#include "tui/write/copy.h"
#include "tui/explore/explorer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct lw_view_pane *pane_of(struct drive *d)
{
    return d->ex.panes.active;
}

/* The last dim is the fastest. */
static uint64_t number_of(const struct lw_dims *dims, const uint64_t *out)
{
    uint64_t number = 0;
    for (int d = 0; d < dims->count; d++)
        number = number * dims->dim[d].size + out[d];
    return number;
}

/* Each element has one cell, in the order of their numbers, which leads back to it. */
static void assert_whole(struct drive *d)
{
    const struct lw_view *view = &pane_of(d)->view;
    uint64_t at = 0, total, row, col;
    struct lw_spot spot;
    assert_true(lw_dims_total(&view->subject->map.out, &total, NULL));
    assert_int_equal(view->rows * view->cols, total);
    for (uint64_t r = 0; r < view->rows; r++)
        for (uint64_t c = 0; c < view->cols; c++) {
            assert_true(view->type->spot(view, r, c, &spot));
            assert_int_equal(number_of(&view->subject->map.out, spot.out), at++);
            assert_true(lw_view_find(view, &spot, &row, &col));
            assert_int_equal(row, r);
            assert_int_equal(col, c);
        }
}

static void dims_run_across_where_numbers_fit(void **state)
{
    struct drive d;
    struct lw_text line = {0};
    (void)state;
    drive_open(&d, "(4,3,2,5):(1,4,12,24)");
    drive_resize(&d, 80, 24);
    drive_fit(&d);
    drive_keys(&d, "1");
    assert_shows(&d, "Owners: (dim0, dim1) down, (dim2, dim3) across ");
    assert_shows(&d, "     0,0  0,1  0,2  0,3  0,4   1,0  1,1  1,2  1,3  1,4 ");
    assert_shows(&d, " 0,1   4   28   52   76  100    16   40   64   88  112 ");
    assert_whole(&d);
    drive_keys(&d, "Down Down Right");
    assert_string_equal(drive_element(&d), "0,2,0,1");
    lw_put_command(&d.ex, &line);
    assert_non_null(strstr(lw_text_string(&line), " --across 2"));
    drive_resize(&d, 80, 60); /* the cursor stays at its element */
    assert_shows(&d, "Owners: (dim0, dim1, dim2) down, dim3 across ");
    assert_string_equal(drive_element(&d), "0,2,0,1");
    assert_whole(&d);
    drive_resize(&d, 80, 24);
    assert_shows(&d, "Owners: (dim0, dim1) down, (dim2, dim3) across ");
    assert_string_equal(drive_element(&d), "0,2,0,1");
    drive_keys(&d, "+ Down"); /* so it does at another zoom */
    assert_shows(&d, "(dim2, dim3) across ");
    drive_keys(&d, "d"); /* two layouts have one arrangement */
    for (int i = 0; i < 2; i++)
        assert_int_equal(d.ex.panes.all[i].view.cols, d.ex.panes.all[0].view.cols);
    lw_text_free(&line);
    drive_close(&d);
}

/* Where no arrangement has room for numbers, the last dim alone runs across. */
static void the_last_one_runs_across_otherwise(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "(16,16,16,16):(1,16,256,4096)");
    drive_resize(&d, 80, 24);
    drive_fit(&d);
    drive_keys(&d, "1");
    assert_shows(&d, "(dim0, dim1, dim2) down, dim3 across ");
    drive_close(&d);
    drive_open(&d, "start/16x16");
    drive_resize(&d, 40, 10);
    drive_fit(&d);
    drive_keys(&d, "1");
    assert_shows(&d, "dim0 down, dim1 across ");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dims_run_across_where_numbers_fit),
        cmocka_unit_test(the_last_one_runs_across_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
