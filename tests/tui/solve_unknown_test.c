/* The search for a swizzle where a cost is unknown: that of the present shared S, or of the target. */

#include "tui/drive.h"
#include "tui/access/solve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void finish(struct drive *d)
{
    lw_job_finish(&d->ex);
}

/* A shared S whose store would fail is a row without a cost, and not taken for plain rows. */
static void of_a_shared_that_fails(void **state)
{
    static const char source[] =
        "{\"shape\": [64, 64], \"element\": \"f32\", \"store\": \"#ttg.blocked<{sizePerThread = "
        "[1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>\", \"load\": "
        "\"#ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], "
        "order = [0, 1]}>\", \"shared\": \"#ttg.padded_shared<[256:+2] {order = [1, 0], shape = "
        "[64, 64]}>\"}";
    struct drive d;
    struct lw_solve_row rows[LW_SOLVE_ROWS];
    (void)state;
    drive_open(&d, source);
    drive_resize(&d, 120, 40);
    drive_keys(&d, "5");
    assert_shows(&d, " store fails    ╭ S shared");
    drive_keys(&d, "o");
    finish(&d);
    assert_hides(&d, "no shared S yet");
    assert_hides(&d, "without: ");
    assert_shows(&d, "as it is     the current layout: its store fails ");
    assert_shows(&d, "before: the current layout");
    assert_shows(&d, "load  128 wf, ideal 128, 128 instr");
    assert_shows(&d, "store fails  ");
    assert_shows(&d, "sum   unknown, 16504 bytes");
    assert_shows(&d, "misaligned address");
    int count = lw_solve_rows(d.ex.solve, rows);
    assert_ptr_equal(rows[0].swizzle, &d.ex.solve->current);
    for (int i = 0; i < 2; i++) { /* last in both directions */
        drive_keys(&d, i ? "r" : "Right");
        lw_solve_rows(d.ex.solve, rows);
        assert_ptr_equal(rows[count - 1].swizzle, &d.ex.solve->current);
    }
    drive_keys(&d, "Esc");
    drive_resize(&d, 80, 24);
    drive_keys(&d, "o");
    finish(&d);
    assert_shows(&d, "paddings of multiples of  │");
    assert_shows(&d, "4 elements keep vectors aligned");
    drive_keys(&d, "Home Enter");
    assert_shows(&d, "this is the current layout");
    drive_keys(&d, "Esc o");
    finish(&d);
    drive_keys(&d, "Enter");
    assert_shows(&d, "shared S: 256 wavefronts (128 + 128); u undoes it");
    drive_keys(&d, "u");
    drive_resize(&d, 120, 40);
    drive_command(&d, "swizzle");
    finish(&d);
    assert_shows(&d, "the current layout");
    assert_shows(&d, "as it is        with this padding vectors are not aligned");
    drive_close(&d);
}

/* Where no cost is known there is a way on. */
static void unknown_costs_have_a_way_on(void **state)
{
    struct drive d;
    const struct lw_tui_options options = {.hardware = lw_hardware_find("gfx1100")};
    (void)state;
    drive_open_with(&d, "banks/transpose-row-major", &options);
    drive_resize(&d, 120, 40);
    drive_keys(&d, "o");
    assert_null(d.ex.solve);
    assert_shows(&d, "unknown: no document states which lanes AMD RDNA 3 serves together");
    assert_shows(&d, ":target NAME chooses a target, ':help targets' lists them");
    drive_close(&d);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_shared_that_fails),
        cmocka_unit_test(unknown_costs_have_a_way_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
