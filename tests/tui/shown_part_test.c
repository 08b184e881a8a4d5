/* What a picture shows when not all of it fits: its map, where a zoom begins, cells of two columns; the order of
 * numbers. */

#include "fit_parts.h"

#include "tui/drive.h"
#include "tui/explore/explorer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Whether the map has the cursor and, dimmed, the far corner, which is not shown. */
static void assert_mapped(struct drive *d, bool end)
{
    struct lw_grid grid;
    drive_keys(d, end ? "G End" : "g Home");
    drive_draw(d);
    lw_grid(&d->ex, d->ex.panes.active, &grid);
    assert_true(!fits(d) && grid.map >= 8 && grid.cols >= 8);
    int left = grid.inside.col + grid.inside.width - grid.map, top = grid.inside.row + 1;
    const struct lw_glyph *first = &d->surface.tiles[top * d->surface.width + left];
    const struct lw_glyph *last =
        &d->surface.tiles[(top + (grid.map - 1) / 2) * d->surface.width + left + grid.map - 1];
    const struct lw_glyph *here = end ? last : first, *far = end ? first : last;
    assert_int_equal(here->pen.kind, LW_PEN_HALF);
    assert_true(here->pen.shade == LW_HALF_CURSOR || here->pen.under == LW_HALF_CURSOR);
    assert_true(far->pen.shade >= LW_HALF_DIMMED && far->pen.shade < LW_HALF_LIT);
}

/* What does not fit has a map right of the cells: what is shown in its colours, the rest dimmed. */
static void a_map_says_where_the_cells_are(void **state)
{
    struct drive d;
    (void)state;
    for (int small = 1; small >= 0; small--) {
        drive_open_at(&d, "blocked/gluon-128x128", small ? 80 : 120, small ? 24 : 40);
        assert_true(fits(&d) && !d.ex.panes.active->mapped);
        d.ex.panes.active->chosen[d.ex.panes.active->view_index].zoom = LW_ZOOM_SHORT + 1;
        d.ex.changed |= LW_CHANGED_VIEW;
        assert_mapped(&d, false);
        assert_mapped(&d, true);
        if (small)
            drive_close(&d);
    }
    d.ex.screen.plain = true;
    assert_shows(&d, "...");
    assert_shows(&d, "@");
    drive_close(&d);
    drive_open_at(
        &d,
        "tensor<4096x4096xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
        "warpsPerCTA = [1, 1], order = [1, 0]}>>",
        120, 40);
    for (int i = 0; i < 6; i++) {
        drive_keys(&d, "+");
        assert_hides(&d, "0map"); /* the last label ends before it */
    }
    drive_close(&d);
}

/* A zoom scrolls no further than the cursor needs: the first cells of a corner stay. */
static void a_zoom_keeps_the_corner(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(
        &d,
        "tensor<4096x4096xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [16, 2], "
        "warpsPerCTA = [2, 2], order = [1, 0]}>>",
        100, 30);
    const struct lw_view_pane *pane = d.ex.panes.active;
    drive_keys(&d, "Down Right");
    for (int i = 0; i < 4; i++) {
        drive_keys(&d, "+");
        drive_draw(&d);
        if (pane->row / pane->step_rows <= 6)
            assert_int_equal(pane->top, 0);
        if (pane->col / pane->step_cols <= 6)
            assert_int_equal(pane->left, 0);
    }
    assert_true(pane->mapped);
    drive_close(&d);
}

/* Cells of two columns in memory have no room for most elements: they show the number of their colour. */
static void memory_shows_columns(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "swizzle/16x32-xor", 120, 36);
    drive_keys(&d, "4");
    assert_int_equal(d.ex.panes.active->zoom, LW_ZOOM_TWO);
    assert_shows(&d, "in a cell the column");
    assert_shows(&d, " 1 0 3 2 5 4 7 6 9 81110131215141716");
    drive_keys(&d, "c"); /* another colour, another number */
    assert_hides(&d, "in a cell the column");
    drive_keys(&d, "C + +");
    assert_shows(&d, "(1,1)   (1,0)   (1,3)");
    drive_close(&d);
}

/* Without colours equal neighbours have one number between them, where their numbers would else need a blank; numbers
 * that differ from one cell to the next would touch, and are letters. */
static void without_colors_equal_cells_have_a_number(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tensor<16x32xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, "
                   "8], warpsPerCTA = [1, 1], order = [1, 0]}>>");
    d.ex.screen.plain = true;
    drive_resize(&d, 80, 24);
    drive_fit(&d);
    assert_int_equal(d.ex.panes.active->zoom, LW_ZOOM_TWO);
    assert_shows(&d, " 2 16      17      18      19      20      21      22      23  ");
    drive_keys(&d, "Down Down Right Right Right"); /* the cursor is in the last cell of thread 16 */
    assert_shows(&d, " 2 16      17      18      19      20      21      22      23  ");
    drive_close(&d);
    drive_open(&d, "tensor<16x32xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, "
                   "8], warpsPerCTA = [1, 1], order = [1, 0]}>>");
    d.ex.screen.plain = true;
    drive_resize(&d, 80, 24);
    drive_fit(&d);
    assert_shows(&d, "ghijklmn");
    drive_close(&d);
}

/* Where the cells of CuTe's memory have one number for an element of several dims, the border names its order. */
static void the_order_of_numbers_is_named(void **state)
{
    static const char *const several[] = {"(4,8):(8,1)", "(4,8):(1,4)",
                                          "Sw<2,0,3> o 0 o (8,8):(8,1)"};
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    static const char text[] = " elements numbered row-major ";
    struct drive d;
    (void)state;
    for (size_t i = 0; i < sizeof several / sizeof *several; i++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            drive_open(&d, several[i]);
            drive_resize(&d, sizes[s][0], sizes[s][1]);
            drive_keys(&d, "4");
            drive_zoom(&d, LW_ZOOM_SHORT);
            assert_shows(&d, text);
            drive_zoom(&d, LW_ZOOM_FULL); /* (1,3) */
            assert_hides(&d, text);
            drive_zoom(&d, LW_ZOOM_CHAR);
            assert_hides(&d, text);
            drive_close(&d);
        }
    static const char *const without[] = {"32:1", "swizzle/16x16-half"}; /* one dim; not of CuTe */
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        drive_open(&d, without[i]);
        drive_keys(&d, "4");
        drive_zoom(&d, LW_ZOOM_SHORT);
        assert_hides(&d, text);
        drive_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_says_where_the_cells_are),
        cmocka_unit_test(a_zoom_keeps_the_corner),
        cmocka_unit_test(memory_shows_columns),
        cmocka_unit_test(without_colors_equal_cells_have_a_number),
        cmocka_unit_test(the_order_of_numbers_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
