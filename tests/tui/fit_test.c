/* The automatic zoom: the richest text at which all of a tensor fits; and cells of several elements, which are lit
 * when any of them is. */

#include "fit_parts.h"

#include "tui/drive.h"
#include "tui/explore/explorer.h"
#include "tui/pane/follow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* All of a tensor is on the screen, and at no zoom with more text it would be. */
static void a_tensor_opens_at_its_richest_zoom(void **state)
{
    static const char *const sources[] = {
        "start/4x4",
        "start/16x16",
        "blocked/16x64",
        "mma/wgmma-m64n64.c",
        "blocked/gluon-128x128",
        "mma/m16n8k16",
        ("tensor<1024xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], "
         "warpsPerCTA = [4], order = [0]}>>")};
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    (void)state;
    for (size_t i = 0; i < 3 * sizeof sources / sizeof *sources; i++) {
        struct drive d;
        drive_open_at(&d, sources[i / 3], sizes[i % 3][0], sizes[i % 3][1]);
        struct lw_view_pane *pane = d.ex.panes.active;
        const unsigned zoom = pane->zoom;
        assert_true(fits(&d));
        for (unsigned richer = 0; richer < zoom; richer++) {
            lw_pane_zoom(&d.ex, pane, richer);
            if (fits(&d))
                fail_msg("%s at %dx%d: zoom %u, and %u fits", sources[i / 3], sizes[i % 3][0],
                         sizes[i % 3][1], zoom, richer);
        }
        drive_close(&d);
    }
}

/* A tensor of 64 x 1 is wrapped as one of 64 is: the cells have text, and the cursor goes through all of them. */
static void a_tensor_of_one_column_wraps(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d,
               "tensor<64x1xi32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], "
               "warpsPerCTA = [2, 1], order = [1, 0]}>>");
    drive_fit(&d);
    assert_true(fits(&d) && d.ex.panes.active->zoom < LW_ZOOM_TWO);
    drive_keys(&d, "G");
    assert_string_equal(drive_element(&d), "63,0");
    assert_shows(&d, "warp 1, lane 31");
    drive_keys(&d, "g Right");
    assert_string_equal(drive_element(&d), "1,0");
    drive_close(&d);
    drive_open(&d,
               "tensor<4x1xi32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], "
               "warpsPerCTA = [1, 1], order = [1, 0]}>>");
    drive_fit(&d);
    drive_keys(&d, "Down Down Down"); /* what fits is a column */
    assert_string_equal(drive_element(&d), "3,0");
    drive_close(&d);
}

/* So does a conversion, in blocks of threads where these are many. */
static void a_conversion_opens_whole(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    static const char *const sources[] = {"convert/shared", "convert/shuffle", "convert/two-bits"};
    (void)state;
    for (size_t i = 0; i < 9; i++) {
        struct drive d;
        drive_open_at(&d, sources[i / 3], sizes[i % 3][0], sizes[i % 3][1]);
        drive_keys(&d, "6");
        drive_fit(&d);
        assert_true(fits(&d));
        drive_close(&d);
    }
}

/* The inspector gives its rows to the picture where the cells get text for them. */
static void small_screens_show_text(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "start/16x16", 80, 24);
    assert_int_equal(d.ex.panes.active->zoom, LW_ZOOM_SHORT);
    assert_int_equal(d.ex.panes.inspector, LW_INSPECTOR_LOW);
    drive_keys(&d, "Right Down");
    assert_shows(&d, "(1, 1)");
    assert_shows(&d, "warp 0, lane 0, register 3");
    drive_keys(&d, "Tab"); /* the form covers columns, and what is beside it stays */
    assert_int_equal(d.ex.panes.inspector, LW_INSPECTOR_LOW);
    assert_int_equal(d.ex.panes.active->zoom, LW_ZOOM_SHORT);
    assert_shows(&d, "16  16  17  17  18  18");
    drive_close(&d);
    drive_open_at(&d, "mma/m16n8k16", 120,
                  40); /* where it is beside the view already it does not move */
    assert_int_equal(d.ex.panes.inspector, LW_INSPECTOR_BESIDE);
    drive_keys(&d, "Tab");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_int_equal(d.ex.panes.inspector, LW_INSPECTOR_BESIDE);
    drive_close(&d);
}

/* A matrix is drawn compact on a small screen too: the inspector gives way to its rows, and more of them scroll. */
static void a_matrix_is_compact(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "convert/shared");
    drive_fit(&d);
    drive_keys(&d, "3");
    assert_shows(&d, "register         lane             warp");
    assert_shows(&d, "dim0.0");
    assert_shows(&d, "dim1.5");
    assert_int_equal(d.ex.panes.inspector, LW_INSPECTOR_LOW);
    drive_close(&d);
    drive_open(&d, "tensor<1024x1024xf32, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = "
                   "[2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>>");
    drive_fit(&d);
    drive_keys(&d, "3");
    assert_shows(&d, "dim0.0");
    assert_hides(&d, "dim1.9");
    assert_shows(&d, " rows 0-10 of 20 ");
    for (int i = 0; i < 19; i++)
        drive_keys(&d, "Down");
    assert_shows(&d, "register ");
    assert_shows(&d, "dim1.9");
    assert_hides(&d, "dim0.0");
    assert_shows(&d, " rows 9-19 of 20 ");
    drive_close(&d);
}

static void look(struct drive *d, unsigned focus, struct lw_rect *rect, struct lw_view_pane *pane)
{
    struct lw_panes panes;
    d->ex.focus = focus;
    lw_refresh(&d->ex, LW_CHANGED_CURSOR);
    drive_draw(d);
    lw_panes(&d->ex, &panes);
    *rect = panes.view[0];
    *pane = *d->ex.panes.active;
}

/* Beside a form the cells stay as they are while the focus moves: a list that is there only then is in its place. */
static void the_focus_leaves_cells_alone(void **state)
{
    static const char *const sources[] = {"start/16x16",      "blocked/16x64",    "mma/mfma-32x32",
                                          "blocked/2x2-ctas", "shared/nvmma-128", "mma/m16n8k32.b",
                                          "tmem/m64-alone"};
    static const int sizes[][2] = {{100, 30}, {120, 40}, {160, 48}};
    static const unsigned focuses[] = {LW_FOCUS_FORM, LW_FOCUS_GALLERY, LW_FOCUS_VIEW};
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources * 3; i++) {
        struct drive d;
        struct lw_rect before, now;
        struct lw_view_pane was, pane;
        drive_open_at(&d, sources[i / 3], sizes[i % 3][0], sizes[i % 3][1]);
        look(&d, LW_FOCUS_VIEW, &before, &was);
        for (int f = 0; f < 3; f++) {
            look(&d, focuses[f], &now, &pane);
            assert_int_equal(now.width, before.width);
            assert_int_equal(now.height, before.height);
            assert_int_equal(pane.zoom, was.zoom);
            assert_int_equal(pane.step_rows * pane.step_cols, was.step_rows * was.step_cols);
        }
        drive_close(&d);
    }
}

/* Where the form and the list cover a part of a picture they leave its cells as they are; the cursor stays in sight. An
 * entry that is only chosen in the list is seen as a whole. */
static void covered_cells_keep_their_size(void **state)
{
    static const char *const sources[] = {"start/16x16",    "blocked/16x64",
                                          "mma/m16n8k16.c", "blocked/gluon-128x128",
                                          "mma/m16n8k16",   "local(3,4).spatial(2,3)"};
    static const char *const keys[] = {"Tab", "Tab", "Tab", "S-Tab", "S-Tab", "S-Tab"};
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct drive d;
        drive_open_at(&d, sources[i], 80, 24);
        drive_keys(&d, "End");
        const struct lw_view_pane was = *d.ex.panes.active;
        struct lw_grid before, grid;
        lw_grid(&d.ex, d.ex.panes.active, &before);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            drive_keys(&d, keys[k]);
            drive_draw(&d);
            struct lw_view_pane *pane = d.ex.panes.active;
            lw_grid(&d.ex, pane, &grid);
            assert_int_equal(pane->zoom, was.zoom);
            assert_int_equal(pane->step_rows, was.step_rows);
            assert_int_equal(pane->step_cols, was.step_cols);
            assert_int_equal(grid.cell, before.cell);
            assert_int_equal(grid.gap, before.gap);
            assert_int_equal(pane->col, was.col);
            assert_true(pane->col < pane->left + (uint64_t)grid.cols * pane->step_cols);
        }
        drive_close(&d);
    }
    struct drive d;
    drive_open(&d, NULL);
    drive_fit(&d);
    for (int i = 0; i < 12; i++, drive_keys(&d, "Down"))
        if (lw_pane_is_picture(d.ex.panes.active))
            assert_true(fits(&d));
    drive_close(&d);
}

/* Keys go through the same zooms where the form or the list covers cells. */
static void covered_cells_have_all_zooms(void **state)
{
    static const char *const keys[] = {"-", "-", "-", "+", "+", "+", "+", "-"};
    uint8_t zooms[sizeof keys / sizeof *keys];
    (void)state;
    for (int covered = 0; covered < 2; covered++) {
        struct drive d;
        drive_open_at(&d, "blocked/16x64", 120, 40);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            if (covered && k == 3)
                drive_keys(&d, "Tab Tab");
            drive_keys(&d, keys[k]);
            if (covered)
                assert_int_equal(d.ex.panes.active->zoom, zooms[k]);
            zooms[k] = d.ex.panes.active->zoom;
        }
        drive_close(&d);
    }
}

/* The zoom of a view, and the room that it has with it, are the same after another one was zoomed. */
static void a_zoom_belongs_to_its_view(void **state)
{
    struct drive d;
    struct lw_rect before, now;
    struct lw_view_pane was, pane;
    (void)state;
    drive_open_at(&d, "mma/mfma-16x16x32", 100, 30);
    drive_command(&d, "view mma");
    drive_keys(&d, "- -");
    look(&d, LW_FOCUS_VIEW, &before, &was);
    assert_true(was.fold > 1);
    drive_keys(&d, "1 + Z"); /* as much as fits, again */
    drive_command(&d, "view mma");
    look(&d, LW_FOCUS_VIEW, &now, &pane);
    assert_int_equal(pane.zoom, was.zoom);
    assert_int_equal(pane.fold, was.fold);
    assert_int_equal(now.width, before.width);
    assert_int_equal(now.height, before.height);
    drive_close(&d);
}

/* A picture without room below it has the legend of its colours on the border: all of them, or their field. */
static void colors_have_a_legend(void **state)
{
    static const struct {
        const char *source, *keys, *legend;
        int width, height;
    } cases[] = {{"start/16x16", "", " lane 0 1 2 3 4 5 6 7 8 9 10  12  14  16  ", 80, 24},
                 {"blocked/16x64", "", "lane  0 1 2 3 4 5 6 7 8 9 10  12   … 31", 44, 30},
                 {"mma/m16n8k16", "", " colours: lane ", 80, 24},
                 {"cute/tiled-mma-abc", "", " warp    0  1  2  3", 80, 24},
                 {"cute/tiled-mma-abc", "", "  20  22  24  26  28  30  ", 120, 40},
                 {"start/16x16", "1", " lane ", 80, 24}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_open_at(&d, cases[i].source, cases[i].width, cases[i].height);
        drive_keys(&d, cases[i].keys);
        assert_shows(&d, cases[i].legend);
        drive_close(&d);
    }
}

/* The cells of a product and of an MMA are threads and registers, and the frame says so. */
static void the_text_of_cells_is_named(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "mma/m16n8k16", 120, 40);
    assert_shows(&d, " cells: thread, colours: lane ");
    drive_close(&d);
    drive_open_at(&d, "tilus/product-3x4-2x3", 200, 60);
    assert_shows(&d, " cells: thread: local, colours: thread ");
    drive_close(&d);
}

/* At a zoom where neither the tabs nor the frame have room for it, a key that changes the colours
 * names their field. */
static void the_field_of_the_colors_is_named(void **state)
{
    struct drive d;
    char expected[48], first[48] = "";
    (void)state;
    drive_open_at(&d, "start/16x16", 80, 24);
    drive_keys(&d, "+");
    assert_int_equal(d.ex.panes.active->zoom, LW_ZOOM_FULL);
    for (int i = 0; i < 3; i++) {
        drive_keys(&d, i < 2 ? "c" : "C");
        snprintf(expected, sizeof expected, "colours: %s", d.ex.panes.active->view.color);
        assert_shows(&d, expected);
        if (i == 1)
            assert_string_not_equal(expected, first);
        if (i == 2)
            assert_string_equal(expected, first);
        if (i == 0)
            memcpy(first, expected, sizeof first);
    }
    assert_true(d.ex.status.message[0]);
    drive_keys(&d, "Right");
    assert_false(d.ex.status.message[0]);
    drive_close(&d);
}

/* Without colours every element has characters of its own wherever 16 rows have room: in the list, beside the form,
 * which may cover some of them, alone. */
static void without_colors_no_elements_are_joined(void **state)
{
    static const int heights[] = {24, 26, 30, 40}, widths[] = {80, 100, 120, 200};
    (void)state;
    for (size_t i = 0; i < 4 * 4 * 3; i++) {
        struct drive d;
        drive_open(&d, i / 16 == 2 ? NULL : "start/16x16");
        d.ex.screen.plain = true;
        drive_resize(&d, widths[i % 4], heights[i / 4 % 4]);
        drive_keys(&d, i / 16 == 1 ? "Tab" : "");
        for (size_t e = 0; e < d.ex.list.count; e++)
            if (!strcmp(lw_entry_name(&d.ex.list.entries[e]), "start/16x16"))
                d.ex.list.entry = e;
        d.ex.changed |= LW_CHANGED_ENTRY;
        drive_fit(&d);
        const struct lw_view_pane *pane = d.ex.panes.active;
        assert_string_equal(lw_entry_name(lw_explorer_entry(&d.ex)), "start/16x16");
        if (pane->step_rows * pane->step_cols > 1 || pane->half || (i / 16 != 1 && !fits(&d)))
            fail_msg("%dx%d, focus %u: a cell is %llux%llu", widths[i % 4], heights[i / 4 % 4],
                     d.ex.focus, (unsigned long long)pane->step_rows,
                     (unsigned long long)pane->step_cols);
        if (widths[i % 4] != 100) /* the form leaves no room for text */
            if (pane->zoom >= LW_ZOOM_TWO)
                fail_msg("%dx%d, focus %u: zoom %u", widths[i % 4], heights[i / 4 % 4], d.ex.focus,
                         pane->zoom);
        drive_close(&d);
    }
}

/* What the definition says: some element of the cell has an owner with the cursor's value. */
static bool any_is_lit(const struct lw_follow *follow, const struct lw_view_pane *pane,
                       uint64_t row, uint64_t col)
{
    struct lw_spot spot;
    for (uint64_t r = row; r < row + pane->step_rows && r < pane->view.rows; r++)
        for (uint64_t c = col; c < col + pane->step_cols && c < pane->view.cols; c++)
            if (pane->view.type->spot(&pane->view, r, c, &spot) &&
                lw_follow_has(follow, pane, &spot))
                return true;
    return false;
}

static int check_cells(struct drive *d)
{
    const struct lw_view_pane *pane = d->ex.panes.active;
    struct lw_follow follow;
    struct lw_lit lit;
    struct lw_spot spot;
    int count = 0;
    lw_follow_begin(&d->ex, &follow);
    lw_lit_begin(&lit, &follow, pane);
    assert_true(follow.on && lit.whole);
    for (uint64_t r = 0; r < pane->view.rows; r += pane->step_rows)
        for (uint64_t c = 0; c < pane->view.cols; c += pane->step_cols) {
            assert_true(pane->view.type->spot(&pane->view, r, c, &spot));
            assert_int_equal(lw_lit_has(&lit, pane, r, c, &spot), any_is_lit(&follow, pane, r, c));
            count += lw_lit_has(&lit, pane, r, c, &spot);
        }
    return count;
}

static void a_cell_is_lit_when_any_element_is(void **state)
{
    static const char *const sources[] = {"mma/wgmma-m64n64.c",          "blocked/gluon-128x128",
                                          "broadcast/64-on-128-threads", "swizzle/8x64-half",
                                          "spatial(3, 32).local(20, 2)", "padded/16x32-plus-4"};
    static const char *const moves[] = {"", "Right Right Down", "H", "H", "G", "H"};
    static const char *const views[] = {"1", "2"};
    int lit = 0, several = 0;
    (void)state;
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++)
        for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
            struct drive d;
            drive_open_at(&d, sources[s], 60, 16);
            drive_keys(&d, views[v]);
            for (size_t m = 0; m < sizeof moves / sizeof *moves; m++) {
                const struct lw_view_pane *pane = d.ex.panes.active;
                struct lw_follow follow;
                drive_keys(&d, moves[m]);
                lw_follow_begin(&d.ex, &follow);
                if (follow.on && pane->step_rows * pane->step_cols > 1) {
                    lit += check_cells(&d);
                    several++;
                }
            }
            drive_close(&d);
        }
    assert_true(several > 10 && lit > 100);
}

static unsigned zoom_of(struct drive *d)
{
    drive_draw(d);
    return d->ex.panes.active->zoom;
}

/* A layout that is opened later is fitted, and the zoom is there again where the layout is. */
static void a_zoom_counts_for_its_layout(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "mma/m16n8k16");
    drive_resize(&d, 120, 40);
    drive_fit(&d);
    const unsigned fitted = zoom_of(&d);
    drive_keys(&d, "+");
    const unsigned richer = zoom_of(&d);
    assert_true(richer < fitted);
    drive_command(&d, "open start/4x4");
    assert_int_equal(zoom_of(&d), LW_ZOOM_FULL);
    drive_zoom(&d, LW_ZOOM_SHORT);
    const unsigned other = zoom_of(&d);
    assert_int_not_equal(other, LW_ZOOM_FULL);
    drive_keys(&d, "Esc");
    assert_int_equal(zoom_of(&d), richer);
    drive_command(&d, "open start/4x4");
    assert_int_equal(zoom_of(&d), other);
    drive_command(&d, "option zoom=full"); /* of all */
    assert_int_equal(zoom_of(&d), LW_ZOOM_FULL);
    drive_keys(&d, "Esc");
    assert_int_equal(zoom_of(&d), LW_ZOOM_FULL);
    drive_close(&d);
}

/* What a step of a lesson sets is of that lesson alone, and does not replace what the user chose before it. */
static void a_zoom_of_a_lesson_ends_with_it(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    drive_fit(&d);
    drive_command(&d, "open start/16x16");
    const unsigned fitted = zoom_of(&d);
    assert_int_not_equal(fitted, LW_ZOOM_FULL);
    drive_command(&d, "open start/4x4");
    drive_keys(&d, "- -");
    const unsigned chosen = zoom_of(&d);
    assert_int_not_equal(chosen, LW_ZOOM_SHORT);
    drive_command(&d, "learn 3"); /* whose cells have short text */
    assert_int_equal(zoom_of(&d), LW_ZOOM_SHORT);
    drive_command(&d, "open start/8-holes");
    drive_command(&d, "open start/16x16");
    assert_int_equal(zoom_of(&d), fitted);
    drive_command(&d, "open start/4x4");
    assert_int_equal(zoom_of(&d), chosen);
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tensor_opens_at_its_richest_zoom),
        cmocka_unit_test(a_zoom_counts_for_its_layout),
        cmocka_unit_test(a_zoom_of_a_lesson_ends_with_it),
        cmocka_unit_test(a_tensor_of_one_column_wraps),
        cmocka_unit_test(a_conversion_opens_whole),
        cmocka_unit_test(small_screens_show_text),
        cmocka_unit_test(a_matrix_is_compact),
        cmocka_unit_test(the_focus_leaves_cells_alone),
        cmocka_unit_test(covered_cells_keep_their_size),
        cmocka_unit_test(covered_cells_have_all_zooms),
        cmocka_unit_test(a_zoom_belongs_to_its_view),
        cmocka_unit_test(colors_have_a_legend),
        cmocka_unit_test(the_text_of_cells_is_named),
        cmocka_unit_test(the_field_of_the_colors_is_named),
        cmocka_unit_test(without_colors_no_elements_are_joined),
        cmocka_unit_test(a_cell_is_lit_when_any_element_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
