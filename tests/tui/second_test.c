/* Two layouts beside each other: what is shown, copied and edited is of the one that has the focus. */

#include "tui/drive.h"
#include "tui/access/solve.h"
#include "tui/explore/explorer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void open_two(struct drive *d, const char *first, const char *second)
{
    memset(d, 0, sizeof *d);
    d->sources[0] = first;
    d->sources[1] = second;
    d->options.sources = d->sources;
    d->options.count = 2;
    assert_true(lw_explorer_init(&d->ex, &d->options, NULL));
    drive_resize(d, 120, 40);
}

static void the_second_layout_has_the_focus(void **state)
{
    struct drive d;
    (void)state;
    open_two(&d, "blocked/16x64", "mma/m16n8k16.c");
    assert_shows(&d, "laneway  blocked/16x64   16x64xf32 blocked");
    assert_shows(&d, "Parameters: blocked/16x64");
    drive_keys(&d, "w Down Down");
    assert_shows(&d, "laneway  mma/m16n8k16.c   16x8xf32 nvidia_mma");
    drive_keys(&d, "i");
    assert_shows(&d, "Accumulator of m16n8k16");
    assert_shows(&d, "nvidia_mma: ");
    assert_hides(&d, "A tile smaller than the tensor repeats");
    drive_keys(&d, "Esc Y");
    assert_string_equal(d.ex.clipboard.label, "laneway show mma/m16n8k16.c --view owners without "
                                              "the other pane (Owners: blocked/16x64)");
    assert_string_equal(lw_text_string(&d.ex.clipboard.text),
                        "laneway show mma/m16n8k16.c --view owners");
    drive_keys(&d, "w Y");
    assert_string_equal(lw_text_string(&d.ex.clipboard.text),
                        "laneway show blocked/16x64 --view owners");
    drive_close(&d);
    open_two(&d, "banks/transpose-row-major", "banks/transpose-swizzled");
    drive_resize(&d, 80, 24);
    assert_shows(&d, " Banks: banks/transpose-row-major: store 32 ");
    assert_shows(&d, " Banks: banks/transpose-swizzled: store 32 ");
    drive_close(&d);
}

/* Its parameters are not those in the form: Enter does not go there as if they were. */
static void the_second_layout_is_not_edited(void **state)
{
    static const char *const keys[] = {"Enter", "F"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct drive d;
        open_two(&d, "blocked/16x64", "mma/m16n8k16.c");
        drive_keys(&d, "w");
        drive_keys(&d, keys[i]);
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        assert_shows(&d, "mma/m16n8k16.c is only shown: :open mma/m16n8k16.c edits it");
        drive_keys(&d, "w");
        drive_keys(&d, keys[i]);
        assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
        drive_keys(&d, "S-Tab Tab"); /* from the second layout on */
        assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
        assert_shows(&d, "laneway  blocked/16x64 ");
        drive_close(&d);
    }
}

static void a_layout_as_it_was_read_has_the_focus(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 120, 40);
    drive_command(&d, "set order=[0,1]");
    drive_keys(&d, "d w Y");
    assert_string_equal(lw_text_string(&d.ex.clipboard.text),
                        "laneway show blocked/16x64 --view owners");
    drive_keys(&d, "i");
    assert_shows(&d, "order = [1, 0]");
    assert_hides(&d, "before the edits");
    drive_keys(&d, "Esc Enter");
    assert_shows(&d, "the layout as it was read is only shown: w goes to the one that is edited");
    drive_keys(&d, "w Y");
    assert_string_equal(d.ex.clipboard.label,
                        "laneway show 'tensor<16x64xf32, #ttg.blocked<{sizePerThread … without "
                        "the other pane (Owners: as it was read)");
    drive_keys(&d, "i");
    assert_shows(&d, "order = [0, 1]");
    assert_shows(&d, "before the edits");
    drive_close(&d);
}

/* The target of a lesson is an answer. */
static void a_target_is_not_revealed(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "3");
    drive_resize(&d, 120, 40);
    while (d.ex.panes.count < 2 || !d.ex.layouts.has_other) {
        drive_solve(&d);
        drive_draw(&d);
        drive_keys(&d, "Enter");
    }
    drive_keys(&d, "w Y");
    assert_int_equal(d.ex.clipboard.text.length, 0);
    assert_shows(&d, "the target has no command line");
    drive_keys(&d, "F");
    assert_shows(&d, "the target is only shown: w goes to the one that is edited");
    drive_close(&d);
}

/* `d` compares with what was compared last, and a refused comparison is none. */
static void a_refused_layout_is_not_compared_again(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 120, 40);
    drive_command(&d, "compare tensor<16x16xf16, #ttg.blocked<{sizePerThread = [1, 1], "
                      "threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>>");
    assert_true(d.ex.layouts.has_other);
    drive_command(&d, "compare mma/m16n8k16.c");
    assert_shows(&d, "of 16 x 16 and 16 x 8");
    assert_true(d.ex.layouts.has_other);
    drive_keys(&d, "d d");
    assert_true(d.ex.layouts.has_other);
    assert_non_null(strstr(d.ex.compare.other_name, "threadsPerWarp = [8"));
    drive_keys(&d, "d");
    drive_command(&d, "compare mma/m16n8k16.c");
    drive_keys(&d, "d");
    assert_true(d.ex.layouts.has_other);
    drive_close(&d);
}

/* A thread is lit, and marked, in each of two compared layouts where that layout has it. */
static void a_thread_is_where_each_layout_has_it(void **state)
{
    static const int sizes[][2] = {{120, 40}, {80, 24}};
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct drive d;
        open_two(&d, "spatial(4, 8)", "column_spatial(4, 8)");
        drive_resize(&d, sizes[i / 2][0], sizes[i / 2][1]);
        drive_command(&d, i % 2 ? "mark t9" : "find t9"); /* (1,1), and (1,2) */
        drive_fit(&d);
        enum lw_pen_kind kind = i % 2 ? LW_PEN_MARK : LW_PEN_LIT;
        for (uint64_t e = 0; e < 32; e++) {
            struct lw_view_pane *pane = &d.ex.panes.all[1];
            struct lw_panes panes;
            struct lw_grid grid;
            drive_draw(&d);
            lw_panes(&d.ex, &panes);
            lw_grid(&d.ex, pane, &grid);
            int row = grid.inside.row + 1 + lw_grid_row(&grid, (int)(e / 8));
            int col = grid.inside.col + grid.label + lw_grid_col(&grid, (int)(e % 8));
            const struct lw_glyph *tile =
                &d.surface.tiles[row * d.surface.width + col + grid.cell - 1];
            assert_int_equal(tile->pen.kind == kind, e == 10);
        }
        drive_close(&d);
    }
}

/* Cells of one column have no room for a mark: they are dimmed, and reversed where there are no colours, not also where
 * there are only characters of ASCII. */
static void the_legend_names_the_look_of_marks(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, "
                   "8], warpsPerCTA = [4, 1], order = [1, 0]}>>");
    drive_resize(&d, 80, 24);
    d.ex.screen.plain = true;
    drive_command(&d, "set warpsPerCTA=[2, 2]");
    drive_keys(&d, "d");
    drive_fit(&d);
    assert_shows(&d, "dimmed: 256 of 4096 are equal");
    d.ex.screen.mono = true;
    assert_shows(&d, "reversed: 256 of 4096 are equal");
    drive_close(&d);
}

static const char *shown(const struct drive *d, int pane)
{
    return d->ex.panes.all[pane].view.type->name;
}

/* A view that the other pane shows is swapped with this one: no split shows one picture twice. */
static void no_view_is_shown_twice(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 50);
    drive_keys(&d, "5 | w 6");
    assert_string_equal(shown(&d, 0), "banks");
    assert_string_equal(shown(&d, 1), "conversion");
    drive_keys(&d, "5");
    assert_shows(&d, "the two views are swapped");
    assert_ptr_equal(d.ex.panes.active, &d.ex.panes.all[1]); /* the focus stays where it is */
    assert_string_equal(shown(&d, 0), "conversion");
    assert_string_equal(shown(&d, 1), "banks");
    drive_keys(&d, "w 5");
    assert_string_equal(shown(&d, 0), "banks");
    assert_string_equal(shown(&d, 1), "conversion");
    drive_keys(&d, "5"); /* it is shown here already */
    assert_string_equal(shown(&d, 0), "banks");
    assert_hides(&d, "are swapped");
    drive_close(&d);
    /* One view of two layouts is two pictures; x leads to those that are not beside. */
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "1 |");
    assert_string_equal(shown(&d, 0), shown(&d, 1));
    const enum lw_side beside = d.ex.panes.all[1].shown.side;
    for (int i = 0; i < 4; i++) {
        drive_keys(&d, "x");
        assert_true(d.ex.panes.all[0].shown.side != beside ||
                    strcmp(shown(&d, 0), shown(&d, 1)) != 0);
    }
    drive_close(&d);
    drive_open(&d, "start/16x16");
    drive_keys(&d, "1 | w 2 w 3 w 3");
    assert_string_equal(shown(&d, 0), "hardware");
    assert_string_equal(shown(&d, 1), "matrix");
    drive_close(&d);
}

/* A view of bases has no cell of an element of several bits: it is explained there, also after a resize, and the cursor
 * is on it again in the next view, unless it was moved. */
static void bases_keep_the_element(void **state)
{
    static const char *const views[] = {"3", "7"};
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    for (int i = 0; i < 2; i++) {
        drive_resize(&d, 120, 40);
        drive_keys(&d, "1 g Down Down Right Right Right");
        assert_string_equal(drive_element(&d), "2,3");
        drive_keys(&d, views[i]);
        assert_shows(&d, "Element (2, 3)");
        assert_shows(&d, "lane 9 = 0b01001: (0,2) ^ (2,0)");
        drive_resize(&d, 100, 30);
        assert_shows(&d, "Element (2, 3)");
        drive_keys(&d, "1");
        assert_string_equal(drive_element(&d), "2,3");
        drive_keys(&d, views[i]);
        drive_command(&d, "set element=f32");
        assert_shows(&d, "Element (2, 3)");
        drive_keys(&d, i ? "g Down" : "g Right");
        assert_hides(&d, "Element (2, 3)");
        drive_keys(&d, "1");
        assert_string_not_equal(drive_element(&d), "2,3");
    }
    drive_close(&d);
}

/* Two layouts in registers of the command line are registers A and B of a conversion, until the comparison ends. */
static void two_layouts_are_converted(void **state)
{
    static const char *const sources[] = {
        "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
        "warpsPerCTA = [4, 1], order = [1, 0]}>>",
        "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], "
        "warpsPerCTA = [1, 4], order = [0, 1]}>>"};
    static const int sizes[][2] = {{80, 24}, {120, 40}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct drive d;
        open_two(&d, sources[0], sources[1]);
        drive_resize(&d, sizes[i][0], sizes[i][1]);
        assert_true(d.ex.layouts.has_other);
        drive_keys(&d, "6");
        assert_hides(&d, "This view needs");
        assert_true(d.ex.panes.active->has_view);
        assert_string_equal(d.ex.panes.active->view.type->name, "conversion");
        assert_shows(&d, "store ");
        drive_keys(&d, "5");
        assert_string_equal(d.ex.panes.active->view.type->name, "banks");
        assert_true(d.ex.panes.active->has_view);
        assert_false(lw_explorer_entry(&d.ex)->dirty);
        drive_command(&d, "set order=0,1"); /* an edit of the first one converts anew */
        assert_true(d.ex.panes.active->has_view);
        drive_keys(&d, "u 6 o");
        lw_job_finish(&d.ex);
        assert_false(d.ex.solve && d.ex.solve->compiled);
        drive_keys(&d, "Esc |");
        assert_false(d.ex.layouts.has_other);
        drive_keys(&d, "6");
        assert_shows(&d, "This view needs registers B");
        drive_close(&d);
    }
}

/* An edit while two views are shown closes what both are of: the second one is not measured before it is opened again.
 */
static void views_of_replaced_layouts_are_not_measured(void **state)
{
    static const char *const views[] = {"facts", "conversion", "banks"};
    (void)state;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        struct drive d;
        drive_open(&d, "mma/m16n8k8.b");
        drive_resize(&d, 80, 24);
        lw_explorer_set_view(&d.ex, drive_view(views[i]));
        lw_refresh(&d.ex, 0);
        drive_keys(&d, "d");
        assert_true(d.ex.layouts.has_other);
        drive_keys(&d, "F 1 7 Enter");
        drive_draw(&d);
        drive_keys(&d, "u d");
        drive_draw(&d);
        drive_close(&d);
    }
}

/* The key that ends a comparison begins it again, with the same layout. */
static void the_second_layout_comes_back(void **state)
{
    static const char *const others[] = {"blocked/row-major-4x4", "mma/m16n8k16.c"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct drive d;
        open_two(&d, "blocked/registers-4x4", others[i]);
        drive_keys(&d, "d");
        assert_false(d.ex.layouts.has_other);
        drive_keys(&d, "d");
        assert_true(d.ex.layouts.has_other);
        assert_string_equal(d.ex.compare.other_name, others[i]);
        assert_shows(&d, i ? "not compared" : " of 16 elements ");
        drive_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bases_keep_the_element),
        cmocka_unit_test(a_thread_is_where_each_layout_has_it),
        cmocka_unit_test(the_second_layout_has_the_focus),
        cmocka_unit_test(the_second_layout_is_not_edited),
        cmocka_unit_test(a_layout_as_it_was_read_has_the_focus),
        cmocka_unit_test(a_target_is_not_revealed),
        cmocka_unit_test(a_refused_layout_is_not_compared_again),
        cmocka_unit_test(the_legend_names_the_look_of_marks),
        cmocka_unit_test(no_view_is_shown_twice),
        cmocka_unit_test(two_layouts_are_converted),
        cmocka_unit_test(the_second_layout_comes_back),
        cmocka_unit_test(views_of_replaced_layouts_are_not_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
