/* Cells of two layouts that are compared: which of them are seen to differ. */

#include "tui/two_parts.h"

#include <time.h>

/* Where few cells differ they have marks; where most do, those that are equal: in the colours of the cell. */
static void the_fewer_cells_are_marked(void **state)
{
    (void)state;
    static const char *const others[] = {"[[0,1],[0,2],[1,0],[3,0]]", "[[0,2],[0,1],[2,0],[1,0]]"};
    for (int i = 0; i < 2; i++) {
        struct drive d;
        char other[160];
        static const char bases[] = "{\"in\":[[\"lane\",16]],\"out\":[[\"dim0\",4],[\"dim1\",4]],"
                                    "\"bases\":{\"lane\":%s}}";
        char first[160];
        snprintf(first, sizeof first, bases, "[[0,1],[0,2],[1,0],[2,0]]");
        snprintf(other, sizeof other, bases, others[i]);
        open_two(&d, first, "start/16x16");
        char command[200];
        snprintf(command, sizeof command, "compare %s", other);
        drive_command(&d, command);
        assert_shows(&d, i ? "= 4 of 16 elements are equal" : "8 of 16 elements differ");
        struct lw_panes panes;
        drive_draw(&d);
        lw_panes(&d.ex, &panes);
        int filled = 0, marks = 0;
        for (int row = panes.view[0].row + 1; row < panes.view[0].row + panes.view[0].height - 1;
             row++)
            for (int col = 0; col < d.surface.width; col++) {
                const struct lw_glyph *tile = &d.surface.tiles[row * d.surface.width + col];
                marks += tile->code == (i ? '=' : 0x2260);
                filled += tile->code == 0x2260 && tile->pen.line == LW_LINE_MARK &&
                          (tile->pen.kind == LW_PEN_FILL || tile->pen.kind == LW_PEN_LIT);
            }
        assert_int_equal(marks, i ? 8 : 16);
        assert_int_equal(filled, i ? 0 : 16);
        drive_close(&d);
    }
}

/* Where elements have copies they differ although they share an owner: the reason is shown, and their number. */
static void copies_are_the_reason(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 80, 24);
    drive_fit(&d);
    drive_command(&d, "set shape=16,8");
    drive_command(&d, "compare mma/m16n8k16.c");
    assert_shows(&d, "differs: 8 owners here, 1 there; warp 0, ");
    const struct lw_diff *diff = &d.ex.compare.diff[d.ex.panes.active->shown.side];
    uint64_t out[LW_DIMS_MAX] = {0}, in[LW_DIMS_MAX], shared = 0;
    for (int i = 0; i < 128; i++) { /* the other has one owner of each */
        uint64_t held[LW_DIMS_MAX];
        out[0] = (uint64_t)i / 8;
        out[1] = (uint64_t)i % 8;
        assert_true(lw_map_owner(diff->comparison.b, out, 0, in));
        shared +=
            lw_map_apply(diff->comparison.a, in, held) && held[0] == out[0] && held[1] == out[1];
    }
    assert_int_equal(diff->shared, shared);
    char sum[80];
    snprintf(sum, sizeof sum, "all 128 differ; %d share an owner", (int)shared);
    assert_shows(&d, sum);
    drive_close(&d);
}

/* The texts of both pictures are of one field, which differs in one of them at least; the format of a document that
 * hides what differs is not used. */
static void texts_show_what_differs(void **state)
{
    struct drive d;
    (void)state;
    open_two(&d, "blocked/registers-4x4", "blocked/row-major-4x4");
    assert_shows(&d, "T0:15");
    assert_shows(&d, "T15:0");
    drive_zoom(&d, LW_ZOOM_SHORT);
    assert_shows(&d, "│ 3  0   0   0   0 ");
    assert_shows(&d, "│ 3 12  13  14  15 ");
    drive_close(&d);
    open_two(&d, "local(2, 4)", "local(2, 2).local(1, 2)"); /* one thread in both */
    drive_zoom(&d, LW_ZOOM_SHORT);
    assert_shows(&d, "│ 1 4  5  6  7 ");
    drive_close(&d);
    open_two(&d, "blocked/row-major-4x4", "blocked/registers-4x4");
    assert_shows(&d, "T0:15");
    drive_keys(&d, "Esc");
    assert_hides(&d, "T15:0"); /* the format of the document again */
    drive_close(&d);
}

/* Those that differ keep the colours of their owners, those that are equal are toned down. */
static void marks_leave_the_colours(void **state)
{
    struct drive d;
    (void)state;
    open_two(&d, "spatial(4, 8)", "spatial(4, 8).local(1, 1)");
    assert_shows(&d, "nothing differs");
    assert_int_equal(marked(&d, 0), 0);
    drive_close(&d);
    open_two(&d, "spatial(4, 8)", "column_spatial(4, 8)");
    assert_int_equal(marked(&d, 0), 2);
    for (size_t i = 0; i < 32; i++) {
        struct lw_panes panes;
        struct lw_grid grid;
        lw_panes(&d.ex, &panes);
        lw_grid(&d.ex, &d.ex.panes.all[0], &grid);
        int row = grid.inside.row + 1 + lw_grid_row(&grid, (int)i / 8);
        int col = grid.inside.col + grid.label + lw_grid_col(&grid, (int)i % 8) + grid.cell - 1;
        struct lw_pen pen = d.surface.tiles[row * d.surface.width + col].pen;
        if (i)
            assert_true(pen.kind == (i < 31 ? LW_PEN_FILL : LW_PEN_EQUAL) && pen.shade == i);
    }
    drive_close(&d);
}

/* How many elements of a cell differ, of how many. */
static int count_differing(struct drive *d, const struct lw_view_pane *pane, uint64_t row,
                           uint64_t col, int *all)
{
    struct lw_spot spot;
    int differing = 0;
    *all = 0;
    for (uint64_t r = row; r < row + pane->step_rows && r < pane->view.rows; r++)
        for (uint64_t c = col; c < col + pane->step_cols && c < pane->view.cols; c++)
            if (pane->view.type->spot(&pane->view, r, c, &spot)) {
                ++*all;
                differing += lw_differs(&d->ex, pane, &spot);
            }
    return differing;
}

static enum lw_cell_diff state_of(struct drive *d, const struct lw_view_pane *pane, uint64_t row,
                                  uint64_t col)
{
    int all, differing = count_differing(d, pane, row, col, &all);
    return !differing ? LW_CELL_EQUAL : differing == all ? LW_CELL_DIFFERS : LW_CELL_PART;
}

/* What a cell on the screen looks like; false: it is the cursor, or lit. */
static bool looks(struct drive *d, struct lw_view_pane *pane, uint64_t row, uint64_t col,
                  enum lw_cell_diff *look)
{
    struct lw_grid grid;
    lw_grid(&d->ex, pane, &grid);
    int r = (int)((row - pane->top) / pane->step_rows);
    int c = (int)((col - pane->left) / pane->step_cols);
    int at = (grid.inside.row + 1 + lw_grid_row(&grid, r)) * d->surface.width + grid.inside.col +
             grid.label + lw_grid_col(&grid, c) + grid.cell - 1;
    struct lw_pen pen = d->surface.tiles[at].pen;
    if (pen.kind == LW_PEN_HALF) {
        int shade = r % 2 ? pen.under : pen.shade;
        *look = shade >= LW_HALF_DIMMED ? LW_CELL_EQUAL
                : shade >= LW_HALF_PALE ? LW_CELL_PART
                                        : LW_CELL_DIFFERS;
        return shade < LW_HALF_LIT;
    }
    *look = pen.kind == LW_PEN_EQUAL  ? LW_CELL_EQUAL
            : pen.kind == LW_PEN_PALE ? LW_CELL_PART
                                      : LW_CELL_DIFFERS;
    return pen.kind == LW_PEN_EQUAL || pen.kind == LW_PEN_PALE || pen.kind == LW_PEN_FILL;
}

/* Every cell on the screen looks as its elements are; returns how many do not tell. */
static int check_looks(struct drive *d, struct lw_view_pane *pane, int *marks)
{
    bool equal = lw_compare_marks_equal(&d->ex, pane->shown.side);
    struct lw_grid grid;
    int others = 0;
    *marks = 0;
    lw_grid(&d->ex, pane, &grid);
    for (uint64_t r = pane->top; r < pane->view.rows; r += pane->step_rows)
        for (uint64_t c = pane->left; c < pane->view.cols; c += pane->step_cols) {
            if ((r - pane->top) / pane->step_rows >= (uint64_t)grid.rows ||
                (c - pane->left) / pane->step_cols >= (uint64_t)grid.cols)
                continue;
            enum lw_cell_diff look, state = state_of(d, pane, r, c);
            assert_int_equal(lw_cell_compare(&d->ex, pane, r, c), state);
            assert_int_equal(lw_cell_differs(&d->ex, pane, r, c), state != LW_CELL_EQUAL);
            *marks += state == LW_CELL_PART || (state != LW_CELL_EQUAL) != equal;
            if (!looks(d, pane, r, c, &look))
                others++;
            else
                assert_int_equal(look, state);
        }
    return others;
}

/* At every size, also where a cell is several elements, those that are equal are dimmed, and those that differ in part
 * are pale. Without colours a cell has the mark of what differs, or, where most elements do, of what is equal. */
static void every_difference_is_seen(void **state)
{
    static const char *const pairs[][2] = {
        {"spatial(4, 8).local(16, 16)", "column_spatial(4, 8).local(16, 16)"},
        {"spatial(4, 8).local(16, 16)", "spatial(4, 8).local(1, 16).local(16, 1)"},
        {"spatial(4, 8).local(16, 16)", "spatial(4, 8).column_local(16, 16)"},
        {"spatial(3, 8).local(20, 12)", "spatial(3, 8).column_local(20, 12)"}};
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    size_t merged = 0;
    (void)state;
    for (size_t i = 0; i < 3 * sizeof pairs / sizeof *pairs; i++) {
        struct drive d;
        open_two(&d, pairs[i / 3][0], pairs[i / 3][1]);
        drive_resize(&d, sizes[i % 3][0], sizes[i % 3][1]);
        drive_fit(&d);
        for (int zoom = 0; zoom < 3; zoom++, drive_keys(&d, "-"))
            for (int p = 0; p < 2; p++) {
                struct lw_view_pane *pane = &d.ex.panes.all[p];
                int marks;
                d.ex.screen.mono = d.ex.screen.plain = false;
                drive_draw(&d);
                check_looks(&d, pane, &marks);
                merged += pane->step_rows * pane->step_cols > 1;
                d.ex.screen.mono = true;
                if (!pane->half)
                    assert_int_equal(marked(&d, p), marks);
                d.ex.screen.mono = false;
            }
        drive_close(&d);
    }
    assert_true(merged > 4);
}

/* Where cells of several elements would differ in part, each element has its own: all of them are on a small
 * screen, in halves of characters, or the rest is scrolled to. */
static void what_moves_is_not_merged_away(void **state)
{
    static const char source[] = "tensor<%dx%dxf16, #ttg.blocked<{sizePerThread = [1, 2], "
                                 "threadsPerWarp = [4, 8], warpsPerCTA = [%s], order = [1, 0]}>>";
    (void)state;
    for (int size = 32; size <= 512; size *= 4) {
        struct drive d;
        char one[256], other[256];
        snprintf(one, sizeof one, source, size, size, "2, 1");
        snprintf(other, sizeof other, source, size, size, "1, 2");
        open_two(&d, one, other);
        drive_resize(&d, 80, 24);
        drive_fit(&d);
        for (int p = 0; p < 2; p++) {
            struct lw_view_pane *pane = &d.ex.panes.all[p];
            int marks;
            drive_draw(&d);
            assert_true(check_looks(&d, pane, &marks) < 96);
            assert_int_equal(pane->step_rows * pane->step_cols, 1);
            assert_int_equal(lw_pane_fits(&d.ex, pane), size == 32);
        }
        assert_shows(&d, size == 32 ? "in colour: 512 of 1024 differ" : "dimmed: ");
        drive_close(&d);
    }
}

/* A column of 1024 elements is wrapped by as many as there is room for. */
static void lines_use_the_width(void **state)
{
    struct drive d;
    (void)state;
    open_two(&d, "spatial(1024, 1)", "local(2, 1).spatial(512, 1)");
    drive_resize(&d, 80, 24);
    drive_fit(&d);
    assert_int_equal(d.ex.panes.all[0].wrap, 32);
    assert_int_equal(d.ex.panes.all[1].wrap, 32);
    assert_true(lw_pane_fits(&d.ex, &d.ex.panes.all[0]));
    drive_close(&d);
}

/* Of a cell of several elements the inspector has how many differ. */
static void merged_cells_are_counted(void **state)
{
    struct drive d;
    (void)state;
    open_two(&d, "spatial(4, 8).local(8, 8)", "spatial(4, 8).local(1, 8).local(8, 1)");
    drive_resize(&d, 100, 30);
    drive_fit(&d);
    assert_hides(&d, "here differ");
    for (int i = 0; i < 4 && d.ex.panes.all[0].step_cols == 1; i++)
        drive_keys(&d, "-");
    assert_shows(&d, "1 of 2 here differ");
    assert_shows(&d, "a cell is 1x2, pale: differs in part");
    drive_close(&d);
}

/* Cells of one column have the texts that they have without a comparison. */
static void narrow_cells_keep_their_owners(void **state)
{
    struct drive d;
    (void)state;
    open_two(&d, "spatial(4, 8).local(5, 5)", "column_spatial(4, 8).local(5, 5)");
    drive_resize(&d, 100, 40);
    drive_fit(&d);
    assert_int_equal(d.ex.panes.all[0].zoom, LW_ZOOM_CHAR);
    d.ex.screen.mono = true;
    assert_int_equal(marked(&d, 0), 2 * 25);
    d.ex.screen.mono = false;
    assert_int_equal(marked(&d, 0), 0);
    assert_hides(&d, "\u2260");
    assert_shows(&d, "dimmed: 50 of 800 elements are equal");
    assert_shows(&d, " 0 0000011111222223333344444555556666677777 ");
    assert_shows(&d, " 0 000004444488888cccccgggggkkkkkooooosssss ");
    drive_close(&d);
}

/* A key that changes the zoom is answered at once, also where the zooms that are tried have many cells of a large
 * tensor: to examine each cell at each of them takes ten times as long. */
static void zooms_are_found_quickly(void **state)
{
#define HUGE(ROW, LANES, WARPS, ORDER)                                                             \
    "{\"shape\": [1048576, 1048576], \"element\": \"f16\", \"store\": "                            \
    "\"#ttg.blocked<{sizePerThread = [" ROW "], threadsPerWarp = [" LANES                          \
    "], warpsPerCTA = [" WARPS "], order = [" ORDER "]}>\"}"
    struct drive d;
    (void)state;
    open_two(&d, HUGE("1, 8", "4, 8", "4, 1", "1, 0"), HUGE("8, 1", "8, 4", "1, 4", "0, 1"));
    drive_resize(&d, 200, 60);
    drive_fit(&d);
    const clock_t begin = clock();
    drive_keys(&d, "- - - -");
    assert_true(d.ex.panes.active->step_rows > 1);
    assert_true(clock() - begin < CLOCKS_PER_SEC);
    drive_close(&d);
#undef HUGE
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_show_what_differs),
        cmocka_unit_test(copies_are_the_reason),
        cmocka_unit_test(the_fewer_cells_are_marked),
        cmocka_unit_test(marks_leave_the_colours),
        cmocka_unit_test(every_difference_is_seen),
        cmocka_unit_test(what_moves_is_not_merged_away),
        cmocka_unit_test(lines_use_the_width),
        cmocka_unit_test(merged_cells_are_counted),
        cmocka_unit_test(narrow_cells_keep_their_owners),
        cmocka_unit_test(zooms_are_found_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
