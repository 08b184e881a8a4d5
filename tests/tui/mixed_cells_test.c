/* Cells that are drawn as one: how mixed ones look. */

#include "fit_parts.h"

#include "tui/drive.h"
#include "tui/explore/explorer.h"
#include "tui/pane/follow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Whether any two elements of a cell show different values. */
static bool any_differs(const struct lw_view_pane *pane, uint64_t row, uint64_t col)
{
    const struct lw_view *view = &pane->view;
    uint64_t first = 0, value;
    for (uint64_t r = row; r < row + pane->step_rows && r < view->rows; r++)
        for (uint64_t c = col; c < col + pane->step_cols && c < view->cols; c++) {
            struct lw_spot spot;
            bool has = view->type->spot(view, r, c, &spot) && spot.has_in;
            if (!has) /* an element without an owner has no colour */
                value = UINT64_MAX;
            else
                assert_true(
                    lw_subject_field(view->subject, view->color, spot.in, spot.out, &value));
            first = r == row && c == col ? value : first;
            if (value != first)
                return true;
        }
    return false;
}

/* Which cells of several elements are pale: exactly those that hold several colours. */
static void mixed_cells_are_marked(void **state)
{
    static const char large[] =
        "tensor<512x512xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [16, 2], "
        "warpsPerCTA = [2, 2], order = [1, 0]}>>";
    static const char *const sources[] = {"mma/wgmma-m64n64.c",
                                          "blocked/gluon-128x128",
                                          "spatial(3, 32).local(20, 2)",
                                          "spatial(4, 8).local(48, 3)",
                                          large,
                                          "thread_value(((4,8),2):((8,64),32), (64,64))"};
    size_t kinds[LW_MERGED_UNKNOWN + 1] = {0};
    (void)state;
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++)
        for (int keys = 0; keys < 4; keys++) {
            struct drive d;
            drive_open_at(&d, sources[s], 60, 16);
            for (int k = 0; k < keys; k++)
                drive_keys(&d, "c");
            drive_draw(&d);
            const struct lw_view_pane *pane = d.ex.panes.active;
            kinds[pane->merged.kind]++;
            for (uint64_t r = 0; r < pane->view.rows && pane->merged.kind; r += pane->step_rows)
                for (uint64_t c = 0; c < pane->view.cols; c += pane->step_cols)
                    assert_int_equal(lw_merged_is_mixed(pane, r, c), any_differs(pane, r, c));
            drive_close(&d);
        }
    assert_true(kinds[LW_MERGED_PURE] && kinds[LW_MERGED_MIXED] && kinds[LW_MERGED_SOME]);
}

/* Pale in halves of characters, marked without them; and the frame says what that means. */
static void mixed_cells_look_so(void **state)
{
    static const char odd[] = "spatial(3, 32).local(20, 2)";
    struct drive d;
    size_t pale = 0;
    (void)state;
    drive_open_at(&d, odd, 60, 16);
    assert_shows(&d, "; pale: several ");
    assert_int_equal(d.ex.panes.active->merged.kind, LW_MERGED_SOME);
    for (int i = 0; i < d.surface.width * d.surface.height; i++) {
        struct lw_pen pen = d.surface.tiles[i].pen;
        pale += pen.kind == LW_PEN_HALF && pen.shade >= LW_HALF_PALE && pen.shade < LW_HALF_DIMMED;
    }
    assert_true(pale > 0);
    drive_close(&d);
    drive_open(&d, odd);
    d.ex.screen.plain = true;
    drive_resize(&d, 60, 16);
    drive_fit(&d);
    assert_shows(&d, "; +: several ");
    assert_shows(&d, "+");
    drive_close(&d);
    drive_open_at(&d, "spatial(3, 32).local(20000, 2)", 120, 40);
    assert_shows(&d, " are not counted ");
    drive_close(&d);
}

/* A cell of several elements says so, and when it holds all of what colours show. */
static void merged_cells_say_so(void **state)
{
    static const char large[] = "tensor<4096x4096xf16, #ttg.blocked<{sizePerThread = [1, 8], "
                                "threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>>";
    static const char small[] = "tensor<256x256xf16, #ttg.blocked<{sizePerThread = [1, 8], "
                                "threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>>";
    struct drive d;
    (void)state;
    drive_open_at(&d, large, 100, 30);
    assert_shows(&d, " a cell is 128x128, with all 256 threads ");
    drive_close(&d);
    drive_open_at(&d, large, 80, 24);
    assert_shows(&d, ", with all 256 threads ");
    drive_close(&d);
    drive_open_at(&d, small, 80, 24);
    assert_shows(&d, " a cell is 16x4, with 4 warps "); /* and the legend says which */
    assert_shows(&d, " warp   0-3 4-7 ");
    drive_close(&d);
}

/* Hardware indices of several dims have the names of these. */
static void indices_have_the_names_of_their_dims(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct drive d;
        drive_open(&d, "tmem/m64-interleaved");
        drive_resize(&d, sizes[i][0], sizes[i][1]);
        drive_fit(&d);
        assert_shows(&d, " indices (row,col) ");
        assert_shows(&d, " row,col/512 ");
        assert_hides(&d, "hardwares");
        drive_close(&d);
    }
}

/* Side by side, equal numbers are written once where some fill their cells. */
static void numbers_do_not_touch(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, "Down Down");
    drive_zoom(&d, LW_ZOOM_TWO);
    assert_shows(&d, " 8   9  10  11  12  13  14  15  ");
    drive_close(&d);
}

/* Without room for a row between them, the last row of a tile ends with a line. */
static void rows_of_tiles_are_parted_by_lines(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "start/16x16", 80, 24);
    const struct lw_view_pane *pane = d.ex.panes.active;
    struct lw_grid grid;
    lw_grid(&d.ex, d.ex.panes.active, &grid);
    if (grid.tile_rows) /* a row parts them */
        fail();
    assert_int_equal(pane->tile_rows, 8);
    for (int row = 1; row < 15; row++)
        assert_int_equal(pen_below(&d, row, 3).line, row == 7);
    struct lw_theme theme;
    assert_true(lw_theme_load(&theme, "dark", NULL));
    const struct lw_pen plain = {.kind = LW_PEN_FILL}, line = {.kind = LW_PEN_FILL, .line = 1};
    for (enum lw_depth depth = LW_DEPTH_MONO; depth <= LW_DEPTH_TRUE; depth++) {
        unsigned with = lw_theme_appearance(&theme, depth, line).attributes;
        unsigned without = lw_theme_appearance(&theme, depth, plain).attributes;
        assert_int_equal(with, depth < LW_DEPTH_256 ? without : without | LW_UNDERLINE);
    }
    drive_close(&d);
}

/* An MMA may leave a quarter of its rows to scrolling where its cells then have text; three fifths of at most 40. */
static bool is_text_of_most(const struct lw_view_pane *pane, const struct lw_grid *grid)
{
    return !strcmp(pane->view.type->name, "mma") && pane->zoom <= LW_ZOOM_TWO && pane->mapped &&
           (uint64_t)grid->cols >= pane->view.cols &&
           ((uint64_t)grid->rows * 4 >= pane->view.rows * 3 ||
            (pane->view.rows <= 40 && (uint64_t)grid->rows * 5 >= pane->view.rows * 2));
}

/* Every layout of the gallery, every picture of it, at three sizes: all of it is on the screen, in cells of
 * powers of two, and the labels of its first and last rows are not cut. */
static void the_gallery_fits(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    size_t views, pictures = 0, bad = 0;
    const struct lw_view_type *const *types = lw_view_types(&views);
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        struct drive d;
        drive_open(&d, NULL);
        drive_resize(&d, sizes[s][0], sizes[s][1]);
        for (size_t e = 0; e < d.ex.list.count; e++) {
            d.ex.focus = LW_FOCUS_VIEW;
            lw_explorer_show(&d.ex, e);
            if (e) /* what was only looked at is not kept in memory */
                assert_false(d.ex.list.entries[e - 1].loaded);
            for (size_t v = 0; d.ex.layouts.has_opened && v < views; v++) {
                struct lw_view_pane *pane = d.ex.panes.active;
                struct lw_grid grid;
                if (!lw_pane_can_show(&d.ex, pane, v) || !types[v]->picture)
                    continue;
                lw_explorer_set_view(&d.ex, v);
                drive_fit(&d);
                pane = d.ex.panes.active;
                if (!pane->has_view)
                    continue;
                pictures++;
                lw_grid(&d.ex, pane, &grid);
                uint64_t steps = pane->step_rows * pane->step_cols;
                int label = 0;
                for (int end = 0; end < 2; end++) {
                    lw_text_clear(&d.text);
                    if (types[v]->row_label)
                        types[v]->row_label(&pane->view, end ? pane->view.rows - 1 : 0, &d.text);
                    int width = (int)lw_text_width(lw_text_string(&d.text));
                    label = width > label ? width : label;
                }
                bool most = is_text_of_most(pane, &grid);
                if ((!fits(&d) && !most) || (steps & (steps - 1)) || label >= grid.label) {
                    printf("%s, %s at %dx%d: fits %d, %llux%llu of %llux%llu, label %d of %d\n",
                           lw_entry_name(lw_explorer_entry(&d.ex)), types[v]->name, sizes[s][0],
                           sizes[s][1], fits(&d), (unsigned long long)pane->step_rows,
                           (unsigned long long)pane->step_cols, (unsigned long long)pane->view.rows,
                           (unsigned long long)pane->view.cols, label, grid.label);
                    bad++;
                }
            }
        }
        drive_close(&d);
    }
    assert_true(pictures > 300);
    assert_int_equal(bad, 0);
}

/* The line of keys has the ways that the zoom can go from here. */
static void zoom_hints_are_true(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 160, 40);
    drive_fit(&d);
    drive_keys(&d, "1");
    assert_shows(&d, "+ zoom"); /* as all of it is shown */
    assert_hides(&d, "+- zoom");
    drive_keys(&d, "+");
    assert_shows(&d, "+- zoom");
    drive_keys(&d, "+ + + + + + + +");
    assert_shows(&d, "a cell has no more text than this");
    assert_shows(&d, " - zoom");
    assert_hides(&d, "+- zoom");
    drive_keys(&d, "- - - - - - - - -");
    assert_shows(&d, "all of this view is shown");
    assert_true(fits(&d));
    assert_shows(&d, "+ zoom");
    assert_hides(&d, "+- zoom");
    drive_keys(&d, "8");
    assert_hides(&d, "zoom");
    assert_hides(&d, "h dim");
    assert_hides(&d, "c colour");
    drive_keys(&d, "-");
    assert_shows(&d, "this view has one size");
    drive_close(&d);
}

/* What is said at the end of zooming out is so, whichever view and however small the screen. */
static void the_end_of_zooming_out_is_true(void **state)
{
    static const char *const views[] = {"owners", "hardware", "matrix", "bases", "memory"};
    static const int sizes[][2] = {{80, 24}, {24, 10}, {120, 40}};
    int whole = 0, cut = 0;
    (void)state;
    for (size_t i = 0; i < sizeof views / sizeof *views * 3; i++) {
        struct drive d;
        drive_open(&d, i % 2 ? "blocked/16x64" : "mma/wgmma-m64n64.c");
        drive_resize(&d, sizes[i % 3][0], sizes[i % 3][1]);
        lw_explorer_view(&d.ex, views[i / 3]);
        for (int step = 0; step < 40; step++)
            drive_keys(&d, "-");
        bool says = strstr(d.ex.status.message, "all of this view is shown");
        whole += says;
        cut += !!strstr(d.ex.status.message, "cells do not get smaller than these");
        assert_true(!says || fits(&d));
        drive_close(&d);
    }
    assert_true(whole > 0 && cut > 0);
}

static const char million[] =
    "tensor<1024x1024xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
    "warpsPerCTA = [2, 2], order = [1, 0]}>>";

/* Cells that hold one of a few sets of values have the colour of their set, and the legend lists its values. */
static void sets_have_their_colors(void **state)
{
    static const int sizes[][2] = {{120, 40}, {80, 24}, {60, 20}};
    size_t sets_seen = 0;
    (void)state;
    for (int i = 0; i < 9; i++) {
        struct drive d;
        uint64_t sets;
        drive_open_at(&d, million, sizes[i % 3][0], sizes[i % 3][1]);
        for (int k = 0; k < i / 3; k++)
            drive_keys(&d, "c");
        drive_draw(&d);
        const struct lw_view_pane *pane = d.ex.panes.active;
        if (!lw_merged_sets(pane, &sets)) {
            drive_close(&d);
            continue;
        }
        sets_seen += sets > 1;
        for (uint64_t r = 0; r < pane->view.rows; r += pane->step_rows)
            for (uint64_t c = 0; c < pane->view.cols; c += pane->step_cols) {
                uint64_t set = UINT64_MAX, value;
                for (uint64_t e = 0; e < pane->step_rows * pane->step_cols; e++) {
                    struct lw_spot spot;
                    assert_true(pane->view.type->spot(&pane->view, r + e / pane->step_cols,
                                                      c + e % pane->step_cols, &spot));
                    assert_true(lw_subject_field(pane->view.subject, pane->view.color, spot.in,
                                                 spot.out, &value));
                    set = set == UINT64_MAX ? lw_merged_set_of(pane, value) : set;
                    assert_int_equal(lw_merged_set_of(pane, value), set);
                }
                assert_true(set < sets);
            }
        drive_close(&d);
    }
    assert_true(sets_seen > 2);
    struct drive d;
    drive_open_at(&d, million, 120, 40);
    assert_shows(&d, " a cell is 32x16, with 2 warps ");
    assert_shows(&d, "warp   0,2 1,3 ");
    assert_int_equal(drive_tile(&d, "0,2 1,3")[0].pen.kind, LW_PEN_FILL);
    assert_int_equal(drive_tile(&d, "thread 0 is lit")[0].pen.kind, LW_PEN_LIT);
    drive_close(&d);
}

static int lit_tiles(const struct drive *d)
{
    int count = 0;
    for (int i = 0; i < d->surface.height * d->surface.width; i++) {
        const struct lw_pen *pen = &d->surface.tiles[i].pen;
        count +=
            pen->kind == LW_PEN_LIT ||
            (pen->kind == LW_PEN_HALF && (pen->shade == LW_HALF_LIT || pen->under == LW_HALF_LIT));
    }
    return count;
}

/* A lane that is in every cell lights none: else all would look as if it held them alone. */
static void what_is_everywhere_lights_nothing(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(
        &d,
        "tensor<4096x4096xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
        "warpsPerCTA = [1, 1], order = [1, 0]}>>",
        120, 40);
    drive_keys(&d, "Down Right");
    assert_shows(&d, ", with all 32 threads ");
    assert_shows(&d, "lane 0 is in every cell, H follows another");
    assert_int_equal(lit_tiles(&d), 0);
    drive_keys(&d, "Z"); /* each element has its cell */
    drive_draw(&d);
    assert_true(lit_tiles(&d) > 0);
    drive_close(&d);
}

/* One key leads from the whole to single elements and back; so does finding an element. */
static void one_key_shows_elements(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, million, 120, 40);
    const struct lw_view_pane *pane = d.ex.panes.active;
    assert_shows(&d, "Z elements");
    drive_keys(&d, "Z");
    drive_draw(&d);
    assert_shows(&d, "Z whole");
    assert_int_equal(pane->step_rows * pane->step_cols, 1);
    assert_true(pane->zoom < LW_ZOOM_CHAR);
    drive_keys(&d, "Z");
    drive_draw(&d);
    assert_true(lw_pane_fits(&d.ex, d.ex.panes.active));
    drive_command(&d, "find 1000,3");
    drive_draw(&d);
    assert_int_equal(pane->step_rows * pane->step_cols, 1);
    assert_string_equal(drive_element(&d), "1000,3");
    assert_shows(&d, " 994 ");
    assert_shows(&d, " 1000 ");
    drive_keys(&d, "Z");
    drive_draw(&d);
    assert_true(lw_pane_fits(&d.ex, d.ex.panes.active));
    assert_string_equal(drive_element(&d), "1000,3");
    drive_command(&d, "find t77"); /* all that it has is seen */
    drive_draw(&d);
    assert_true(lw_pane_fits(&d.ex, d.ex.panes.active));
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_cells_are_marked),
        cmocka_unit_test(mixed_cells_look_so),
        cmocka_unit_test(merged_cells_say_so),
        cmocka_unit_test(sets_have_their_colors),
        cmocka_unit_test(what_is_everywhere_lights_nothing),
        cmocka_unit_test(one_key_shows_elements),
        cmocka_unit_test(indices_have_the_names_of_their_dims),
        cmocka_unit_test(numbers_do_not_touch),
        cmocka_unit_test(rows_of_tiles_are_parted_by_lines),
        cmocka_unit_test(the_gallery_fits),
        cmocka_unit_test(zoom_hints_are_true),
        cmocka_unit_test(the_end_of_zooming_out_is_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
