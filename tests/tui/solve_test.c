/* The best swizzle, offered as an edit: what is offered, what taking it does to the document, and that
 * it can be stopped and taken back. */

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

static uint64_t conflicts(struct drive *d)
{
    const struct lw_solve *solve = d->ex.solve;
    struct lw_solve_row rows[LW_SOLVE_ROWS];
    int count = lw_solve_rows(solve, rows);
    const struct lw_swizzle *one = rows[lw_solve_chosen(solve, rows, count)].swizzle;
    return one->store.conflicts + one->load.conflicts;
}

/* The page of `:swizzle` has all columns of its table where that table fits. */
static void the_page_is_whole(void **state)
{
    static const int widths[] = {80, 100, 120};
    (void)state;
    for (int w = 0; w < 3; w++) {
        struct drive d;
        drive_open(&d, "banks/transpose-row-major");
        drive_resize(&d, widths[w], 24);
        drive_command(&d, "swizzle");
        finish(&d);
        assert_shows(&d, " wavefronts  ideal  conflicts ");
        assert_shows(&d, " order [0, 1] ");
        assert_shows(&d, "   1056     64        992 ");
        assert_hides(&d, "…");
        assert_hides(&d, "wider: Right");
        drive_close(&d);
    }
}

/* No row of the table is cut where a screen is usual; the meaning of letters is shown. */
static void the_table_is_whole(void **state)
{
    static const int widths[] = {80, 100, 120};
    (void)state;
    for (int w = 0; w < 3; w++) {
        struct drive d;
        struct lw_solve_row rows[LW_SOLVE_ROWS];
        drive_open(&d, "banks/transpose-row-major");
        drive_resize(&d, widths[w], 24);
        drive_keys(&d, "o");
        finish(&d);
        int count = lw_solve_rows(d.ex.solve, rows);
        drive_keys(&d, "Home");
        for (int i = 0; i < count; i++) {
            struct lw_text label = {0};
            lw_solve_label(d.ex.solve, rows[i].swizzle, &label);
            lw_text_char(&label, ' ');
            assert_shows(&d, lw_text_string(&label));
            lw_text_free(&label);
            drive_keys(&d, "Down");
        }
        if (widths[w] < 110)
            assert_shows(&d, "wavefronts, of store, load; conflicts; instructions");
        else
            assert_shows(&d, "wavefronts  store  load  conflicts  instructions");
        drive_close(&d);
    }
}

/* 32 columns of 32 words: 32 wavefronts each, ideal one. */
static void offered_and_taken(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "o");
    assert_int_equal(d.ex.focus, LW_FOCUS_SOLVE);
    finish(&d);
    assert_true(d.ex.solve->has_current && d.ex.solve->registers[1] == LW_SIDE_B);
    assert_int_equal(d.ex.solve->current.store.wavefronts + d.ex.solve->current.load.wavefronts,
                     32 + 1024);
    assert_int_equal(conflicts(&d), 0);
    assert_shows(&d, "as it is");
    assert_shows(&d, "optimum");
    assert_shows(&d, "best padding [32:+1]: 124 bytes more");
    assert_shows(&d, "best nvmma   128 bytes");
    assert_shows(&d, "measured on H200");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_null(d.ex.solve);
    assert_shows(&d, "shared S: 64 wavefronts (32 + 32), before 1056 (32 + 1024)");
    assert_shows(&d, "conf");
    assert_int_equal(lw_explorer_entry(&d.ex)->past_count, 1);
    drive_keys(&d, "u");
    assert_int_equal(lw_explorer_entry(&d.ex)->past_count, 0);
    assert_false(lw_explorer_entry(&d.ex)->dirty);
    drive_keys(&d, "o");
    finish(&d);
    assert_int_equal(d.ex.solve->current.load.wavefronts, 1024);
    drive_close(&d);
}

/* Every row that is offered can be chosen, and has the cost that it showed. */
static void each_matches_its_label(void **state)
{
    static const char *const sources[] = {"banks/transpose-row-major", "convert/shared",
                                          "blocked/gluon-32x8"};
    (void)state;
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++)
        for (int row = 0;; row += row < 12 ? 1 : 37) {
            struct drive d;
            struct lw_solve_row rows[LW_SOLVE_ROWS];
            drive_open(&d, sources[s]);
            drive_keys(&d, "o");
            assert_non_null(d.ex.solve);
            finish(&d);
            int count = lw_solve_rows(d.ex.solve, rows);
            d.ex.solve->moved = true;
            d.ex.solve->at = row;
            if (row >= count) {
                drive_close(&d);
                break;
            }
            bool now = rows[row].swizzle == &d.ex.solve->current;
            uint64_t store = rows[row].swizzle->store.wavefronts;
            drive_keys(&d, "Enter");
            assert_true(now == (d.ex.solve != NULL));
            if (!now) {
                assert_int_equal(d.ex.layouts.problem.code, LW_OK);
                assert_true(d.ex.layouts.has_side[LW_SIDE_S] &&
                            d.ex.layouts.side_problems[LW_SIDE_S].code == LW_OK);
                drive_keys(&d, "o");
                finish(&d);
                assert_true(d.ex.solve->has_current);
                assert_int_equal(d.ex.solve->current.store.wavefronts, store);
            }
            drive_close(&d);
        }
}

static void between_two_in_registers(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "convert/shared");
    drive_keys(&d, "o");
    finish(&d);
    assert_true(d.ex.solve->registers[1] == LW_SIDE_B && d.ex.solve->compiled);
    assert_shows(&d, "the compiler's own: nothing to gain");
    drive_keys(&d, "Down Down Down Enter");
    const struct lw_document *doc = lw_explorer_entry(&d.ex)->doc;
    assert_shows(&d, "shared S: ");
    assert_string_equal(doc->others[LW_SIDE_S].encoding->type->name, "nvmma_shared");
    assert_string_equal(doc->others[LW_SIDE_B].encoding->type->name, "nvidia_mma");
    drive_keys(&d, "u");
    assert_null(doc->others[LW_SIDE_S].encoding);
    drive_close(&d);
}

static void stopped_and_closed(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "convert/shared");
    drive_keys(&d, "o");
    assert_non_null(d.ex.job.step);
    assert_shows(&d, "plain");
    drive_keys(&d, "Down PgDn Up y Esc");
    assert_null(d.ex.job.step);
    assert_int_equal(d.ex.focus, LW_FOCUS_SOLVE);
    assert_shows(&d, "stopped");
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_keys(&d, "o");
    drive_click(&d, 0, 5);
    assert_null(d.ex.solve);
    assert_null(d.ex.job.step);
    drive_keys(&d, "o q q o Esc");
    drive_close(&d);
    drive_open(&d, "swizzle/16x32-xor");
    drive_keys(&d, "o");
    assert_shows(&d, "which need a layout");
    drive_close(&d);
}

/* Scrolled to the last row on a small screen, which then grows: all of them are there. */
static void grows_while_scrolled(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 80, 16);
    drive_keys(&d, "o");
    finish(&d);
    drive_type(&d, "/best");
    drive_keys(&d, "Enter End");
    drive_draw(&d);
    drive_resize(&d, 80, 9);
    drive_keys(&d, "Home End");
    drive_draw(&d);
    drive_resize(&d, 200, 60);
    assert_shows(&d, "best swizzle");
    drive_close(&d);
}

static const struct lw_swizzle *chosen(struct drive *d)
{
    struct lw_solve_row rows[LW_SOLVE_ROWS];
    int count = lw_solve_rows(d->ex.solve, rows);
    return count ? rows[lw_solve_chosen(d->ex.solve, rows, count)].swizzle : NULL;
}

/* Every column sorts both ways, and what was chosen stays chosen. */
static void sorted_by_any_column(void **state)
{
    struct drive d;
    struct lw_solve_row rows[LW_SOLVE_ROWS];
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "o");
    finish(&d);
    const struct lw_swizzle *one = chosen(&d);
    for (int i = 0; i < LW_SOLVE_COLUMNS; i++)
        for (int turned = 0; turned < 2; turned++) {
            drive_keys(&d, turned ? "r" : "Right");
            assert_ptr_equal(chosen(&d), one);
            int count = lw_solve_rows(d.ex.solve, rows);
            for (int r = 1; r < count; r++) {
                uint64_t a = lw_solve_columns[i].number(rows[r - 1].swizzle);
                uint64_t b = lw_solve_columns[i].number(rows[r].swizzle);
                assert_true(turned ? a >= b : a <= b);
            }
            drive_draw(&d);
        }
    drive_keys(&d, "Right"); /* by rank again */
    assert_int_equal(d.ex.solve->sort, 0);
    drive_keys(&d, "r");
    assert_shows(&d, "Left and Right sort by a column");
    drive_close(&d);
}

static void filtered_as_typed(void **state)
{
    struct drive d;
    struct lw_solve_row rows[LW_SOLVE_ROWS];
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "o");
    finish(&d);
    int all = lw_solve_rows(d.ex.solve, rows);
    drive_type(&d, "/padding");
    int few = lw_solve_rows(d.ex.solve, rows);
    assert_true(few > 0 && few < all);
    assert_shows(&d, "only 'padding'");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_SOLVE);
    assert_int_equal(lw_solve_rows(d.ex.solve, rows), few);
    drive_keys(&d, "Esc"); /* the filter first, then the list */
    assert_int_equal(lw_solve_rows(d.ex.solve, rows), all);
    drive_type(&d, "/nothing such");
    assert_int_equal(lw_solve_rows(d.ex.solve, rows), 0);
    drive_draw(&d);
    drive_keys(&d, "Enter Down Up y Enter");
    assert_shows(&d, "no layout in the list contains 'nothing such'");
    drive_keys(&d, "Esc Esc");
    assert_null(d.ex.solve);
    drive_close(&d);
}

/* The numbers of both are on the screen, side by side. */
static void before_and_after(void **state)
{
    static const int widths[] = {80, 120, 200};
    (void)state;
    for (int w = 0; w < 3; w++) {
        struct drive d;
        drive_open(&d, "banks/transpose-row-major");
        drive_resize(&d, widths[w], 40);
        drive_keys(&d, "o");
        finish(&d);
        assert_shows(&d, "before: the current layout");
        assert_shows(&d, "load  1024 wf, ideal 32, 32 instr");
        assert_shows(&d, "sum   1056 wf, 992 conflicts, 4 KiB");
        assert_shows(&d, "after: ");
        assert_shows(&d, "sum   64 wf, 0 conflicts, 4");
        drive_close(&d);
    }
    struct drive d;
    drive_open(&d, "convert/shared");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "o");
    finish(&d);
    assert_shows(&d, "no shared S yet");
    assert_shows(&d, "before: the compiler's own");
    drive_close(&d);
}

/* A click chooses a row, a second one uses it, one on a heading sorts. */
static void by_mouse(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "o");
    finish(&d);
    const struct lw_glyph *tile = drive_tile(&d, "plain");
    int at = (int)(tile - d.surface.tiles);
    drive_click(&d, at / 120, at % 120);
    assert_ptr_equal(chosen(&d), &d.ex.solve->search.plain);
    tile = drive_tile(&d, "conflicts  instructions");
    at = (int)(tile - d.surface.tiles);
    drive_click(&d, at / 120, at % 120);
    assert_int_equal(d.ex.solve->sort, 4);
    drive_keys(&d, "Home");
    tile = drive_tile(&d, "best padding");
    at = (int)(tile - d.surface.tiles);
    drive_click(&d, at / 120, at % 120);
    assert_ptr_equal(chosen(&d), &d.ex.solve->search.best[LW_SWIZZLE_PADDED]);
    drive_click(&d, at / 120, at % 120);
    assert_null(d.ex.solve);
    assert_shows(&d, "shared S: ");
    assert_shows(&d, "│ padding [32:+1]  "); /* in the strip */
    drive_resize(&d, 80, 24);
    assert_shows(&d, " S [32:+1] load 32 wf");
    drive_command(&d, "set shared.order=[0, 1]");
    drive_resize(&d, 120, 40);
    assert_shows(&d, "│ padding [32:+1], columns ");
    drive_close(&d);
}

static void as_page(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "convert/shared");
    drive_resize(&d, 120, 50);
    drive_type(&d, ":swizzle");
    drive_keys(&d, "Enter");
    finish(&d);
    assert_int_equal(d.ex.focus, LW_FOCUS_PAGE);
    assert_shows(&d, "#ttg.nvmma_shared<{swizzlingByteWidth = 64");
    assert_shows(&d, "proven, no linear layout takes fewer than ");
    assert_shows(&d, "the smallest of one interval or two that is as good");
    drive_keys(&d, "q");
    drive_type(&d, ":swizzle");
    drive_keys(&d, "Enter Esc");
    assert_shows(&d, "stopped: there may be better ones");
    drive_keys(&d, "q");
    drive_close(&d);
}

static void of_a_target(void **state)
{
    struct drive d;
    const struct lw_tui_options options = {.hardware = lw_hardware_find("gfx950")};
    (void)state;
    drive_open_with(&d, "banks/transpose-row-major", &options);
    assert_shows(&d, "blocked for gfx950");
    assert_shows(&d, "the layout has 32 lanes per warp, but gfx950 has 64");
    drive_keys(&d, "o");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_shows(&d, "the layout has 32 lanes per warp, but gfx950 has 64");
    drive_resize(&d, 200, 60);
    assert_shows(&d, "banks of gfx950: AMD CDNA 4, from AMD's documents and code");
    drive_type(&d, ":target sm90");
    drive_keys(&d, "Enter");
    assert_shows(&d, "measured on H200");
    drive_keys(&d, "o");
    finish(&d);
    assert_shows(&d, "measured on H200");
    drive_keys(&d, "q");
    drive_type(&d, ":target sm9");
    drive_keys(&d, "Enter");
    assert_shows(&d, "unknown target");
    assert_string_equal(lw_explorer_hardware(&d.ex)->name, "sm90");
    /* A document describes it, too. */
    drive_type(&d, ":target /tmp/no-such-target.json");
    drive_keys(&d, "Enter");
    assert_shows(&d, "No such file");
    drive_type(&d, ":target layouts/targets/gfx1100.json");
    drive_keys(&d, "Enter");
    assert_shows(&d, "gfx1100: ");
    assert_string_equal(lw_explorer_hardware(&d.ex)->name, "gfx1100");
    drive_close(&d);
}

/* The cursor is again where it was before the edit, in the view that was shown. */
static void undone_with_the_cursor(void **state)
{
    static const char *const views[] = {"5", "1"};
    (void)state;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        struct drive d;
        drive_open(&d, "banks/transpose-row-major");
        drive_keys(&d, views[i]);
        drive_keys(&d, "g Down Down Down Right Right");
        const size_t view = d.ex.panes.active->view_index;
        const uint64_t row = d.ex.panes.active->row, col = d.ex.panes.active->col;
        assert_true(row > 2 && col >= 2);
        drive_keys(&d, "o");
        finish(&d);
        drive_keys(&d, "Enter");
        assert_int_equal(d.ex.panes.active->view_index, lw_view_index("banks"));
        drive_keys(&d, "u");
        assert_int_equal(d.ex.panes.active->view_index, view);
        assert_int_equal(d.ex.panes.active->row, row);
        assert_int_equal(d.ex.panes.active->col, col);
        drive_close(&d);
    }
}

/* The cheapest of the rows is chosen before a key is pressed, at every moment of the search and after it. */
static void the_cheapest_is_chosen(void **state)
{
    struct drive d;
    struct lw_solve_row rows[LW_SOLVE_ROWS];
    bool optimum_alone = false;
    (void)state;
    drive_open(&d, "ttgir/transpose.gfx942/blocked");
    drive_command(&d, "target gfx942");
    drive_command(&d, "load ttgir/transpose.gfx942/blocked1");
    drive_keys(&d, "6 o");
    for (bool more = true; more;) {
        more = !d.ex.solve->finished;
        int count = lw_solve_rows(d.ex.solve, rows), chosen;
        chosen = lw_solve_chosen(d.ex.solve, rows, count);
        for (int i = d.ex.solve->has_current; i < count; i++)
            assert_true(lw_swizzle_wavefronts(rows[chosen].swizzle) <=
                        lw_swizzle_wavefronts(rows[i].swizzle));
        optimum_alone = !strcmp(rows[chosen].name, "optimum");
        lw_job_slice(&d.ex);
    }
    assert_true(optimum_alone);
    assert_shows(&d, "after: linear");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_is_whole),
        cmocka_unit_test(the_table_is_whole),
        cmocka_unit_test(the_cheapest_is_chosen),
        cmocka_unit_test(offered_and_taken),
        cmocka_unit_test(each_matches_its_label),
        cmocka_unit_test(between_two_in_registers),
        cmocka_unit_test(stopped_and_closed),
        cmocka_unit_test(grows_while_scrolled),
        cmocka_unit_test(sorted_by_any_column),
        cmocka_unit_test(filtered_as_typed),
        cmocka_unit_test(before_and_after),
        cmocka_unit_test(by_mouse),
        cmocka_unit_test(as_page),
        cmocka_unit_test(of_a_target),
        cmocka_unit_test(undone_with_the_cursor),
    };
    return cmocka_run_group_tests_name("solve", tests, NULL, NULL);
}
