/* The strip of the layouts of an access: boxes are clicked, and each layout is replaced from a list. */

#include "tui/drive.h"
#include "tui/explore/explorer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct lw_document *doc_of(struct drive *d)
{
    return &lw_explorer_entry(&d->ex)->doc;
}

static void click_box(struct drive *d, enum lw_side side)
{
    struct lw_panes rects;
    lw_panes(&d->ex, &rects);
    for (int col = 0; col < rects.strip.width; col++)
        if (lw_strip_at(&d->ex, rects.strip, rects.strip.row, col) == (int)side) {
            drive_click(d, rects.strip.row, col + 1);
            return;
        }
    fail_msg("side %d has no box", (int)side);
}

/* With boxes, and on one row. */
static void a_click_shows_a_layout(void **state)
{
    static const int heights[] = {20, 40};
    (void)state;
    for (int h = 0; h < 2; h++) {
        struct drive d;
        drive_open(&d, "banks/transpose-row-major");
        drive_resize(&d, 120, heights[h]);
        drive_screen(&d);
        for (int side = LW_SIDES - 1; side >= 0; side--) {
            click_box(&d, (enum lw_side)side);
            assert_int_equal(d.ex.panes.active->shown.side, side);
            assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
            drive_screen(&d);
        }
        click_box(&d, LW_SIDE_A); /* the one that is shown */
        assert_int_equal(d.ex.focus, LW_FOCUS_LAYOUTS);
        assert_shows(&d, "registers A: choose a layout");
        drive_keys(&d, "Esc");
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        drive_close(&d);
    }
}

/* Only what can be there is offered, and each can be undone. */
static void chosen_from_the_gallery(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 40);
    click_box(&d, LW_SIDE_S);
    click_box(&d, LW_SIDE_S);
    assert_int_equal(d.ex.focus, LW_FOCUS_LAYOUTS);
    assert_shows(&d, "shared S: choose a layout");
    assert_hides(&d, "mma/m16n8k16.c");
    drive_type(&d, "divided by");
    assert_shows(&d, "cute/zipped-divide");
    for (int i = 0; i < 10; i++)
        drive_keys(&d, "Backspace");
    drive_type(&d, "nvmma-128");
    assert_shows(&d, "shared/nvmma-128");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_LAYOUTS);
    assert_shows(&d, "shared S of 16 x 64 does not hold registers A of 32 x 32");
    for (int i = 0; i < 9; i++)
        drive_keys(&d, "Backspace");
    drive_type(&d, "#ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_shows(&d, "shared S: 160 wavefronts (32 + 128), before 1056 (32 + 1024); u undoes it");
    drive_keys(&d, "u");
    /* What is in memory goes to shared S from the list for registers too. */
    click_box(&d, LW_SIDE_A);
    click_box(&d, LW_SIDE_A);
    assert_shows(&d, "registers A: choose a layout");
    drive_type(&d, "#ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>");
    drive_keys(&d, "Enter");
    assert_shows(&d, "shared S: 160 wavefronts (32 + 128), before 1056 (32 + 1024); u undoes it");
    drive_close(&d);
}

static void typed_or_open(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 120, 40);
    drive_command(&d, "open banks/transpose-row-major");
    drive_show(&d, lw_view_type_find("banks"));
    click_box(&d, LW_SIDE_B);
    drive_keys(&d, "X");
    assert_shows(&d, "blocked/16x64"); /* it is open */
    drive_type(&d, "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = "
                   "[32, 1], order = [1, 0]}>");
    assert_shows(&d, "not in the list");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    const struct lw_encoding *b = doc_of(&d)->others[LW_SIDE_B].encoding;
    assert_int_equal(lw_encoding_value(b, "sizePerThread")->items[1].integer, 4);
    drive_keys(&d, "X");
    drive_type(&d, "no such thing");
    drive_keys(&d, "Enter");
    assert_true(d.ex.status.is_error);
    assert_int_equal(d.ex.focus, LW_FOCUS_LAYOUTS); /* with what was typed */
    drive_keys(&d, "Esc u");
    drive_close(&d);
}

/* Keys and the mouse in the list itself. */
static void moving_in_the_list(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 100, 30);
    drive_keys(&d, "X");
    drive_screen(&d);
    drive_keys(&d, "Down Down PgDn PgUp Up");
    assert_int_equal(d.ex.layout_pick.at, 1);
    drive_wheel(&d, 10, 10, 3);
    assert_int_equal(d.ex.layout_pick.at, 2);
    drive_type(&d, "x");
    drive_keys(&d, "Backspace Backspace");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_keys(&d, "X");
    drive_screen(&d);
    drive_click(&d, d.ex.layout_pick.inside.row + 1, d.ex.layout_pick.inside.col + 3);
    drive_screen(&d);
    for (int width = 1; width < 130; width += 16) {
        drive_keys(&d, "X");
        drive_resize(&d, width, 1 + width / 4);
        drive_screen(&d);
        drive_keys(&d, "Esc");
    }
    drive_close(&d);
}

/* By the encoding's name too; of a long SOURCE the end is seen, where it is typed. */
static void what_is_typed_is_seen(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "x X");
    drive_type(&d, "swizzled");
    assert_shows(&d, "swizzle/1-1-2");
    drive_keys(&d, "C-u");
    drive_type(&d, "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 32, order = [1, 0]}>");
    assert_shows(&d, "order = [1, 0]}>");
    drive_keys(&d, "Enter");
    assert_shows(&d, "load 32");
    drive_resize(&d, 120, 40);
    assert_shows(&d, "X replace");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_click_shows_a_layout), cmocka_unit_test(chosen_from_the_gallery),
        cmocka_unit_test(typed_or_open),          cmocka_unit_test(moving_in_the_list),
        cmocka_unit_test(what_is_typed_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
