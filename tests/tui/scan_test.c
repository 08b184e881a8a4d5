/* Scans of a kernel, opened from its table. */

#include "drive.h"
#include "tui/explore/explorer.h"
#include "tui/kernel/browse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void open_line(struct drive *d, const char *path, int line, int width, int height)
{
    const struct lw_tui_options options = {.writes_nothing = true};
    drive_open_with(d, path, &options);
    drive_resize(d, width, height);
    lw_job_finish(&d->ex);
    drive_keys(d, "Home");
    const struct lw_browser *browser = d->ex.browser;
    for (size_t i = 0; i < browser->kernel.operation_count; i++, drive_keys(d, "Down"))
        if (lw_browse_operation_of(browser, lw_browse_chosen(browser, LW_BROWSE_OPERATIONS))
                ->position.line == line)
            break;
    drive_keys(d, "Enter");
}

/* A scan is its operand's layout, which the result has too, in the colours of what shares the scanned dim; the message
 * has what is exchanged. */
static void a_scan_is_its_operand(void **state)
{
    static const struct {
        const char *path;
        int line;
        const char *color, *says;
    } cases[] = {
        {"tests/golden/ttgir/scan.gfx942.ttgir", 22, "warp",
         "scan along dim 0: warps share it and exchange results in shared memory: STS x8, LDS "
         "x28, 256"},
        {"tests/golden/ttgir/scan.gfx942.ttgir", 27, "lane",
         "scan along dim 1: each warp holds all of it: its lanes shuffle"},
        {"tests/golden/launches/scan_sort.ttgir", 823, "warp",
         "LDS x1, 12 wavefronts (ideal 8); the"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        open_line(&d, cases[i].path, cases[i].line, 120, 40);
        assert_int_equal(d.ex.panes.count, 1);
        assert_string_equal(d.ex.panes.active->view.type->name, "owners");
        assert_string_equal(d.ex.panes.active->view.color, cases[i].color);
        assert_shows(&d, cases[i].says);
        if (i == 2)
            assert_shows(&d, "picture is of its input, not of that memory");
        assert_hides(&d, "cannot be drawn");
        drive_keys(&d, "Backspace");
        assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
        drive_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_scan_is_its_operand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
