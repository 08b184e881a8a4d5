/* Products and quotients in the explorer: which layouts open beside their operands, what is lit, and results of the
 * calculator. */

#include "tui/drive.h"
#include "tui/explore/explorer.h"
#include "tui/pane/follow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct lw_view_pane *pane_of(const struct drive *d)
{
    return d->ex.panes.active;
}

static const char *view_of(const struct drive *d)
{
    return pane_of(d)->view.type->name;
}

/* How many cells of an operand are lit; 0 is the result. */
static int lit(struct drive *d, int operand)
{
    struct lw_follow follow;
    struct lw_spot spot;
    int count = 0;
    const struct lw_view *view = &pane_of(d)->view;
    lw_follow_begin(&d->ex, &follow);
    for (uint64_t r = 0; r < view->rows; r++)
        for (uint64_t c = 0; c < view->cols; c++)
            count += follow.on && view->type->spot(view, r, c, &spot) && spot.operand == operand &&
                     lw_follow_has(&follow, pane_of(d), &spot);
    return count;
}

static void products_open_beside_their_operands(void **state)
{
    static const struct {
        const char *source, *view;
    } cases[] = {
        {"local(3, 4).spatial(2, 3)", "product"},
        {"spatial(8, 4)", "owners"},
        {"blocked_product((2,5):(5,1), (3,4):(1,3))", "product"},
        {"zipped_divide((4,8):(8,1), <2:1, 4:1>)", "product"},
        {"cute/zipped-divide", "product"},
        {"(4,8):(8,1)", "owners"},
        {"local(3000, 4000).spatial(3, 5)",
         "owners"},                                /* too large to have a cell for each element */
        {"tilus/local-3x4-spatial-2x3", "owners"}, /* its document says so */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_open(&d, cases[i].source);
        assert_string_equal(view_of(&d), cases[i].view);
        drive_close(&d);
    }
}

/* The rows of the result have their numbers, all of them, left of it; its tiles end with lines, or have gaps, that are
 * not within an operand. */
static void results_have_labels_and_tiles_of_their_own(void **state)
{
    static const char *const sources[] = {
        "local(3, 4).spatial(2, 3)", "spatial(4, 8).local(2, 2)", "cute/zipped-divide",
        "blocked_product((2,5):(5,1), (3,4):(1,3))", "local(2,1,2,1).spatial(2,1,2,2)"};
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    (void)state;
    for (size_t i = 0; i < 3 * sizeof sources / sizeof *sources; i++) {
        struct drive d;
        struct lw_grid grid;
        struct lw_view_part part, result = {0};
        drive_open(&d, sources[i / 3]);
        drive_resize(&d, sizes[i % 3][0], sizes[i % 3][1]);
        drive_fit(&d);
        drive_draw(&d);
        struct lw_view_pane *pane = d.ex.panes.active;
        lw_grid(&d.ex, pane, &grid);
        for (int k = 0; pane->view.type->part(&pane->view, k, &part); k++) {
            result = part.col ? part : result;
            int height = lw_grid_row(&grid, (int)(part.row + part.rows - 1)) -
                         lw_grid_row(&grid, (int)part.row);
            if (!part.col)
                assert_int_equal(height * grid.each,
                                 (int)(part.rows - 1) / grid.each * grid.each * grid.tall);
        }
        for (uint64_t r = 0; r < result.rows; r += (uint64_t)grid.each) {
            char number[24];
            int row = grid.inside.row + 1 + lw_grid_text_row(&grid, (int)r);
            int col = grid.inside.col + grid.label + lw_grid_col(&grid, (int)result.col);
            snprintf(number, sizeof number, "%llu", (unsigned long long)r);
            if (i / 3 == 4) /* of four dims */
                snprintf(number, sizeof number, "%d,0,%d", (int)r / 4, (int)r % 4);
            int length = (int)strlen(number);
            const struct lw_glyph *tile =
                &d.surface.tiles[row * d.surface.width + col - grid.lead - length];
            for (int n = 0; n < length; n++)
                assert_int_equal(tile[n].code, number[n]);
            assert_int_equal(tile[-1].code, ' ');
            int last = grid.inside.row + lw_grid_row(&grid, (int)r) + grid.tall;
            bool lines = d.surface.tiles[last * d.surface.width + col].pen.line == LW_LINE_TILE;
            uint64_t next = r + 1;
            bool ends = pane->tile_rows > 1 && next < result.rows && next % pane->tile_rows == 0;
            if (grid.each == 1 && !grid.tile_rows)
                assert_int_equal(lines, ends);
            assert_int_not_equal(
                d.surface.tiles[last * d.surface.width + grid.inside.col + grid.label].pen.line,
                LW_LINE_TILE);
        }
        drive_close(&d);
    }
}

/* All columns of the lower operand have their numbers, where the row numbers of the result are not in the way. */
static void all_columns_of_an_operand_have_numbers(void **state)
{
    static const char *const sources[] = {"zipped_divide((4,(2,8)):(2,(1,8)), <2:1,8:2>)",
                                          "zipped_divide((8,16):(16,1), <2:1,8:1>)",
                                          "zipped_divide((8,8):(8,1), <2:1,8:1>)"};
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    (void)state;
    for (size_t i = 0; i < 9; i++) {
        struct drive d;
        struct lw_grid grid;
        struct lw_view_part part;
        char number[2] = "7", name[] = "tile";
        drive_open(&d, sources[i / 3]);
        drive_resize(&d, sizes[i % 3][0], sizes[i % 3][1]);
        drive_fit(&d);
        drive_draw(&d);
        struct lw_view_pane *pane = d.ex.panes.active;
        lw_grid(&d.ex, pane, &grid);
        assert_true(pane->view.type->part(&pane->view, 1, &part));
        assert_string_equal(part.name, name);
        int row = grid.inside.row + lw_grid_row(&grid, (int)part.row);
        int col = grid.inside.col + grid.label + lw_grid_col(&grid, (int)part.col + 7);
        const struct lw_glyph *tile = &d.surface.tiles[row * d.surface.width + col];
        bool found = false;
        for (int c = 0; c < grid.cell; c++)
            found = found || tile[c].code == (uint32_t)number[0];
        if (!found)
            fail_msg("%s at %dx%d", sources[i / 3], sizes[i % 3][0], sizes[i % 3][1]);
        drive_close(&d);
    }
}

/* An operand of one thread shows its registers: the thread would be the same in all cells. */
static void an_operand_of_one_thread_shows_registers(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "local(3, 4).spatial(2, 3)");
    drive_zoom(&d, LW_ZOOM_SHORT);
    assert_shows(&d, "│ 2  8   9  10  11  2  0   1   2 ");
    assert_shows(&d, "outer (locals) above left, inner below left");
    drive_zoom(&d, LW_ZOOM_TWO);
    assert_shows(&d, "8 91011 2 0 1 2 ");
    drive_close(&d);
    drive_open(&d, "local(3, 4)");
    drive_zoom(&d, LW_ZOOM_SHORT);
    assert_shows(&d, "│ 2  8   9  10  11 ");
    assert_shows(&d, "cells: local, colours: local");
    drive_close(&d);
}

/* The element itself, the one of A, and the one of B. */
static void what_belongs_is_lit(void **state)
{
    static const char *const moves[] = {"", "Right Down", "Down Down Right", "End"};
    struct drive d;
    (void)state;
    drive_open(&d, "blocked_product((2,5):(5,1), (3,4):(1,3))");
    drive_resize(&d, 120, 40);
    drive_fit(&d);
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        drive_keys(&d, moves[i]);
        assert_int_equal(lit(&d, 0), 1);
        assert_int_equal(lit(&d, 1), 1);
        assert_int_equal(lit(&d, 2), 1);
    }
    assert_shows(&d, "what belongs to the element is lit");
    assert_shows(&d, "steps");
    assert_shows(&d, "blocked_product(A 2x5, B 3x4) = 6x20");
    assert_shows(&d, "colours: copy");
    drive_keys(&d, "Home g"); /* an element of A is in all copies */
    assert_int_equal(lit(&d, 0), 12);
    drive_keys(&d, "H");
    assert_shows(&d, "lit: what has the cursor's ");
    assert_shows(&d, ", nothing)");
    drive_close(&d);
}

static void results_open_beside_their_operands(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 120, 40);
    drive_command(&d, "identity1D(4, register, dim1) * identity1D(8, lane, dim0)");
    assert_string_equal(view_of(&d), "product");
    assert_shows(&d, "A 1x4 * B 1x8 = product 4x8");
    drive_command(&d, "it * identity1D(2, warp, dim0)");
    assert_string_equal(view_of(&d), "product");
    assert_shows(&d, "of B: warp 0 of 2");
    drive_command(&d, "it.transposeOuts([dim0, dim1])");
    assert_string_equal(view_of(&d), "owners");
    drive_command(&d, "open (4,8):(8,1)");
    drive_command(&d, "logical_divide(it, <2:1, 4:1>)");
    assert_string_equal(view_of(&d), "product");
    drive_command(&d, "set stride=[[8, 16], [1, 5]]"); /* an edited layout is none */
    assert_string_equal(view_of(&d), "owners");
    drive_keys(&d, "u");
    assert_string_equal(view_of(&d), "owners");
    drive_command(&d, "view product");
    assert_true(pane_of(&d)->has_view);
    drive_close(&d);
}

/* What is typed after `:` opens as what `:open` opens. */
static void sources_after_a_colon(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 120, 40);
    drive_command(&d, "local(2, 1).spatial(8, 4)");
    assert_string_equal(view_of(&d), "product");
    assert_string_equal(lw_explorer_entry(&d.ex)->doc->encoding->type->name, "spatial");
    drive_command(&d, "zipped_divide((4,8):(8,1), <2:1, 4:1>)");
    assert_string_equal(view_of(&d), "product");
    drive_command(&d,
                  "tensor<16x16xf16, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, "
                  "8], warpsPerCTA = [1, 1], order = [1, 0]}>>");
    assert_string_equal(lw_explorer_entry(&d.ex)->doc->encoding->type->name, "blocked");
    drive_keys(&d, "Esc Esc Esc");
    assert_string_equal(lw_explorer_entry(&d.ex)->source, "start/16x16");
    drive_close(&d);
}

/* A product with room left has larger cells: of more lines, and wider. Each line of a cell is the cell. */
static void room_is_used(void **state)
{
    static const struct {
        const char *source;
        int width, height, tall;
    } cases[] = {{"tilus/product-3x4-2x3", 200, 60, 3},
                 {"cute/zipped-divide", 200, 60, 3},
                 {"tilus/product-3x4-2x3", 120, 40, 3},
                 {"tilus/product-3x4-2x3", 80, 24, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        struct lw_grid grid;
        drive_open(&d, cases[i].source);
        drive_resize(&d, cases[i].width, cases[i].height);
        drive_fit(&d);
        struct lw_view_pane *pane = d.ex.panes.active;
        drive_draw(&d);
        lw_grid(&d.ex, pane, &grid);
        assert_int_equal(grid.tall, cases[i].tall);
        assert_false(pane->mapped);
        const uint64_t col = pane->view.cols - 1;
        for (uint64_t row = 0; row < 6; row++)
            for (int line = 0; line < grid.tall; line++) {
                int at = grid.inside.row + 1 + lw_grid_row(&grid, (int)row) + line;
                int from = grid.inside.col + grid.label + lw_grid_col(&grid, (int)col);
                assert_int_equal(d.surface.tiles[at * d.surface.width + from].pen.kind,
                                 LW_PEN_FILL);
                drive_click(&d, at, from);
                assert_true(pane->row == row && pane->col == col);
                drive_keys(&d, "g"); /* away from there */
                drive_draw(&d);
            }
        drive_keys(&d, "Tab Tab"); /* the form beside it leaves the cells as they are */
        lw_grid(&d.ex, pane, &grid);
        assert_int_equal(grid.tall, cases[i].tall);
        drive_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_columns_of_an_operand_have_numbers),
        cmocka_unit_test(an_operand_of_one_thread_shows_registers),
        cmocka_unit_test(products_open_beside_their_operands),
        cmocka_unit_test(results_have_labels_and_tiles_of_their_own),
        cmocka_unit_test(what_belongs_is_lit),
        cmocka_unit_test(results_open_beside_their_operands),
        cmocka_unit_test(sources_after_a_colon),
        cmocka_unit_test(room_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
