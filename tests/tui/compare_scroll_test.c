/* Both panes of a comparison show the same cells, whatever was pressed before and since: sequences that once
 * scrolled them apart, and random ones with a fixed seed. */

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_alike(struct drive *d, const char *log)
{
    const struct lw_view_pane *a = &d->ex.panes.all[0], *b = &d->ex.panes.all[1];
    bool compares = d->ex.layouts.has_other && d->ex.panes.count == 2 && a->has_view && b->has_view;
    if (!compares || a->view.type != b->view.type || strcmp(a->view.type->name, "owners") != 0)
        return;
    bool alike = a->view.rows == b->view.rows && a->view.cols == b->view.cols &&
                 a->step_rows == b->step_rows && a->step_cols == b->step_cols && a->top == b->top &&
                 a->left == b->left && a->row == b->row && a->col == b->col;
    if (!alike)
        fail_msg("%s:\n%s", log, drive_screen(d));
}

/* A tensor of one dim, whose cursor was beyond the width at which half of the screen wraps it. */
static void lines_are_wrapped_at_one_width(void **state)
{
    struct drive d;
    (void)state;
    for (int width = 80; width < 200; width += 7) {
        drive_open(&d, "linear/gaps");
        drive_fit(&d);
        drive_resize(&d, width, 32);
        char before[32];
        drive_keys(&d, "End");
        snprintf(before, sizeof before, "%s", drive_element(&d));
        drive_keys(&d, "d");
        assert_alike(&d, "End d");
        assert_string_equal(drive_element(&d), before);
        drive_keys(&d, "n G g d");
        drive_draw(&d);
        drive_close(&d);
    }
}

static void after_a_lesson(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "3");
    drive_fit(&d);
    drive_command(&d, "open blocked/16x64");
    drive_keys(&d, "/");
    drive_type(&d, "5,7");
    drive_keys(&d, "Enter i Esc");
    drive_command(&d, "set order=0,1");
    static const char *const keys[] = {"u", "C-r", "d", "n", "Esc", "n", "d", "G", "n"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        drive_keys(&d, keys[i]);
        assert_alike(&d, keys[i]);
    }
    drive_close(&d);
}

/* The cursor of the operands of an MMA is beyond the first cell of its result; both panes begin at their first. */
static void all_that_fits_is_shown(void **state)
{
    static const char *const sources[] = {"mma/m16n8k8", "mma/mfma-32x32x8"};
    struct drive d;
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        drive_open(&d, sources[i]);
        drive_fit(&d);
        drive_resize(&d, 80, 24);
        drive_keys(&d, "Tab d");
        assert_true(d.ex.layouts.has_other && d.ex.focus == LW_FOCUS_FORM);
        assert_string_equal(drive_element(&d), "0,0");
        for (int pane = 0; pane < 2; pane++)
            assert_true(d.ex.panes.all[pane].top == 0 && d.ex.panes.all[pane].left == 0);
        drive_close(&d);
    }
}

static uint32_t seed;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

/* An edit of the layout, from wherever the focus is. */
static void edit(struct drive *d)
{
    drive_keys(d, "Esc Esc Esc");
    if (d->ex.layouts.has_opened && d->ex.focus == LW_FOCUS_VIEW)
        drive_command(d, below(2) ? "set order=0,1" : "set sizePerThread=2,2");
}

static void random_keys(void **state)
{
    static const char *const keys[] = {"d",  "i", "Esc", "u", "C-r", "n", "N",   "Down", "Right",
                                       "Up", "-", "+",   "G", "g",   "|", "Tab", "PgDn", "End"};
    static const char *const sources[] = {"open blocked/16x64", "open start/16x16",
                                          "open blocked/gluon-128x128", "open mma/m16n8k16.c",
                                          "open linear/gaps"};
    enum { RUNS = 15, KEYS = 60 };
    (void)state;
    for (uint32_t run = 0; run < RUNS; run++) {
        struct drive d;
        char log[1024] = "";
        seed = run;
        drive_lesson(&d, "3");
        drive_fit(&d);
        drive_resize(&d, 80 + (int)below(100), 24 + (int)below(30));
        drive_command(&d, sources[below(sizeof sources / sizeof *sources)]);
        for (int i = 0; i < KEYS; i++) {
            const char *key = below(12) ? keys[below(sizeof keys / sizeof *keys)] : NULL;
            size_t length = strlen(log);
            snprintf(log + length, sizeof log - length, " %s", key ? key : "edit");
            if (key)
                drive_keys(&d, key);
            else
                edit(&d);
            assert_alike(&d, log);
        }
        drive_close(&d);
    }
}

/* After a flipped bit the cursor is at a basis that is of another element: the owner there is of that one. */
static void owners_there_are_of_the_explained_element(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "3 Right Space d"); /* (0,0) is register 0 as it was read, and 2 now */
    assert_shows(&d, "warp 0, lane 0, register 0 as it was read");
    drive_keys(&d, "Right Right Space"); /* (1,4) is lane 2 with register 2 */
    assert_shows(&d, "warp 0, lane 2, register 2 as it was read");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_fits_is_shown),
        cmocka_unit_test(lines_are_wrapped_at_one_width),
        cmocka_unit_test(after_a_lesson),
        cmocka_unit_test(random_keys),
        cmocka_unit_test(owners_there_are_of_the_explained_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
