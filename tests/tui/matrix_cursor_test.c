/* The cursor of the matrix view, where each basis has a cell for each of its bits. */

#include "tui/drive.h"
#include "tui/explore/explorer.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void assert_at(struct drive *d, const char *view, uint64_t row, uint64_t col)
{
    const struct lw_view_pane *pane = d->ex.panes.active;
    assert_string_equal(pane->view.type->name, view);
    assert_int_equal(pane->row, row);
    assert_int_equal(pane->col, col);
}

/* Another view and back leave the cursor on its bit, unless it was moved there. */
static void the_cursor_returns_to_its_bit(void **state)
{
    static const char *const sources[] = {"swizzle/16x16-half", "start/16x16", "blocked/16x64",
                                          "local(4, 4).spatial(2, 4)"};
    static const char *const stays[] = {"1 3",   "2 3",     "7 3",     "8 3", "1 2 3",
                                        "7 8 3", "1 7 9 3", "9 1 2 3", "3"};
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct drive d;
        drive_open(&d, sources[i]);
        drive_keys(&d, "3 Right Right Down");
        for (size_t k = 0; k < sizeof stays / sizeof *stays; k++) {
            drive_keys(&d, stays[k]);
            assert_at(&d, "matrix", 1, 2);
        }
        drive_keys(&d, "Down 1 3"); /* another bit of the same basis */
        assert_at(&d, "matrix", 2, 2);
        drive_keys(&d, "1 Down 3");
        assert_at(&d, "matrix", 0, 0);
        drive_close(&d);
    }
}

/* Space flips the bit that the user looked at, and then its basis has another element. */
static void a_flipped_bit_is_returned_to(void **state)
{
    static const struct lw_tui_options options = {0};
    struct drive d;
    (void)state;
    drive_open_with(&d, "start/16x16", &options);
    drive_keys(&d, "3 Right Right Down 1 3 Space");
    assert_shows(&d, "dim0.1, ");
    assert_shows(&d, " flipped");
    assert_at(&d, "matrix", 1, 2);
    const struct lw_spot spot = d.ex.panes.spot;
    drive_keys(&d, "Down Space");
    assert_at(&d, "matrix", 2, 2);
    assert_int_not_equal(d.ex.panes.spot.out[0], spot.out[0]); /* that of the basis */
    drive_keys(&d, "2");
    assert_string_equal(d.ex.panes.active->view.type->name, "hardware");
    drive_keys(&d, "3");
    assert_at(&d, "matrix", 2, 2);
    drive_command(&d, "open blocked/16x64");
    drive_keys(&d, "3");
    assert_at(&d, "matrix", 0, 0);
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cursor_returns_to_its_bit),
        cmocka_unit_test(a_flipped_bit_is_returned_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
