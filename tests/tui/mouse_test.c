/* The mouse: dragging selects, fields are stepped; and the finest zoom, two cells in a character. */

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void drag(struct drive *d, int row, int col)
{
    struct lw_event event = {.kind = LW_EVENT_DRAG, .row = row, .col = col};
    lw_update(&d->ex, &event);
}

static void dragging_selects(void **state)
{
    struct drive d;
    struct lw_grid grid;
    uint64_t from[2], to[2];
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 120, 40);
    lw_grid(&d.ex, d.ex.panes.active, &grid);
    int row = grid.inside.row + 1, col = grid.inside.col + grid.label;
    int wide = grid.cell + grid.gap;
    drive_click(&d, row + 2, col + wide);
    assert_false(d.ex.panes.active->ranged);
    drag(&d, row + 3, col + 2 * wide);
    drag(&d, row + 4, col + 3 * wide);
    assert_true(d.ex.panes.active->ranged);
    lw_range(d.ex.panes.active, from, to);
    assert_true(from[0] == 2 && to[0] == 5 && from[1] == 1 && to[1] == 4);
    drag(&d, 0, 0); /* outside: as it was */
    lw_range(d.ex.panes.active, from, to);
    assert_true(from[0] == 2 && to[0] == 5);
    drive_click(&d, row, col);
    assert_false(d.ex.panes.active->ranged);
    drive_close(&d);
}

/* What the last line offers is pressed like the key; elsewhere in it nothing happens. */
static void hints_are_keys(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 120, 40);
    const struct lw_glyph *tile = drive_tile(&d, "? help");
    int col = (int)(tile - d.surface.tiles) % d.surface.width;
    drive_click(&d, 39, col - 1); /* between two */
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_draw(&d);
    drive_click(&d, 39, col + 3);
    assert_int_equal(d.ex.focus, LW_FOCUS_HELP);
    drive_keys(&d, "Esc");
    tile = drive_tile(&d, "- zoom");
    unsigned before = d.ex.panes.active->zoom;
    drive_click(&d, 39, (int)(tile - d.surface.tiles) % d.surface.width);
    assert_int_equal(d.ex.panes.active->zoom, before + 1);
    drive_command(&d, "calc 1 +");
    drive_draw(&d);
    drive_click(&d, 38, col); /* a message is there now, and the keys are below it */
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_draw(&d);
    drive_click(&d, 39, col);
    assert_int_equal(d.ex.focus, LW_FOCUS_HELP);
    drive_close(&d);
}

static void click_on(struct drive *d, const char *text)
{
    const struct lw_glyph *tile = drive_tile(d, text);
    int at = (int)(tile - d->surface.tiles);
    drive_click(d, at / d->surface.width, at % d->surface.width);
}

/* An answer of a question is clicked where its key or its text is; elsewhere nothing happens. */
static void answers_are_clicked(void **state)
{
    static const struct {
        int width, height;
    } screens[] = {{80, 24}, {120, 40}, {44, 14}};
    (void)state;
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++) {
        struct drive d;
        drive_open(&d, "blocked/16x64");
        drive_resize(&d, screens[i].width, screens[i].height);
        drive_command(&d, "set order=0,1");
        drive_keys(&d, "q");
        assert_int_equal(d.ex.focus, LW_FOCUS_QUESTION);
        click_on(&d, "Question");
        drive_click(&d, 0, 0);
        assert_int_equal(d.ex.focus, LW_FOCUS_QUESTION);
        click_on(&d, "stay: nothing changes");
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        assert_false(d.ex.quit);
        drive_keys(&d,
                   "q x"); /* no answer: the box has a line for it, and the answers are elsewhere */
        assert_shows(&d, "x is not an answer");
        click_on(&d, "stay");
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        drive_keys(&d, "q :"); /* as if a command were typed */
        click_on(&d, "stay");
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        drive_keys(&d, "q");
        assert_true(d.ex.question.answers[0].key);
        const char *label = NULL;
        for (const struct lw_reply *answer = d.ex.question.answers; answer->key; answer++)
            label = answer->key == 'd' ? answer->label : label;
        assert_non_null(label);
        click_on(&d, label);
        assert_true(d.ex.quit);
        drive_close(&d);
    }
}

static void fields_are_stepped(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 120, 40);
    drive_field(&d, "sizePerThread");
    drive_draw(&d);
    struct lw_rect at = d.ex.form.stepper;
    assert_int_equal(at.width, 2);
    drive_keys(&d, "Right");
    drive_click(&d, at.row, at.col + 1);
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 8]");
    drive_click(&d, at.row, at.col);
    drive_click(&d, at.row, at.col);
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 2]");
    drive_draw(&d);
    /* A click on a number chooses it. */
    drive_click(&d, d.ex.form.fields[d.ex.form.field].row,
                d.ex.form.fields[d.ex.form.field].col + 1);
    assert_int_equal(d.ex.form.item, 0);
    drive_click(&d, d.ex.form.fields[d.ex.form.field].row,
                d.ex.form.fields[d.ex.form.field].col + 4);
    assert_int_equal(d.ex.form.item, 1);
    drive_close(&d);
}

/* In the list a click chooses a layout, and one more opens it, as in a folder of kernels. */
static void a_second_click_opens(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    drive_resize(&d, 120, 40);
    for (int click = 0; click < 2; click++) {
        int at = (int)(drive_tile(&d, "│ blocked/gluon-32x8 ") - d.surface.tiles) + 2;
        assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
        drive_click(&d, at / d.surface.width, at % d.surface.width);
        assert_shows(&d, "laneway  blocked/gluon-32x8");
    }
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    drive_close(&d);
}

/* 128 rows fit 64 lines; every half has the ink of its cell. */
static void two_cells_in_a_character(void **state)
{
    struct drive d;
    struct lw_grid grid;
    (void)state;
    drive_open(&d, "blocked/gluon-128x128");
    drive_resize(&d, 200, 90);
    drive_zoom(&d, LW_ZOOM_HALF);
    assert_true(d.ex.panes.active->half);
    drive_draw(&d);
    lw_grid(&d.ex, d.ex.panes.active, &grid);
    assert_true((uint64_t)grid.rows >= d.ex.panes.active->view.rows);
    const struct lw_view *view = &d.ex.panes.active->view;
    for (uint64_t r = 0; r + 1 < view->rows; r += 2)
        for (uint64_t c = 2; c < 100; c++) {
            struct lw_text text = {0};
            struct lw_cell upper = {0}, lower = {0};
            view->type->cell(view, r, c, &text, &upper);
            view->type->cell(view, r + 1, c, &text, &lower);
            lw_text_free(&text);
            const struct lw_glyph *tile =
                &d.surface.tiles[(grid.inside.row + 1 + (int)(r / 2)) * d.surface.width +
                                 grid.inside.col + grid.label + (int)c];
            assert_int_equal(tile->pen.kind, LW_PEN_HALF);
            assert_int_equal(tile->pen.shade == tile->pen.under,
                             upper.shade % 64 == lower.shade % 64);
        }
    /* A click finds the upper one; the cursor reaches each. */
    drive_click(&d, grid.inside.row + 1 + 5, grid.inside.col + grid.label + 7);
    assert_true(d.ex.panes.active->row == 10 && d.ex.panes.active->col == 7);
    drive_keys(&d, "Down");
    assert_int_equal(d.ex.panes.active->row, 11);
    drive_resize(&d, 80, 24); /* scrolled */
    drive_keys(&d, "G k k g j j j");
    drive_draw(&d);
    drive_keys(&d, "+");
    assert_false(d.ex.panes.active->half);
    assert_int_equal(d.ex.panes.active->detail, LW_DETAIL_CHAR);
    drive_close(&d);
    const struct lw_tui_options ascii = {.ascii = true};
    drive_open_with(&d, "blocked/gluon-128x128", &ascii);
    drive_keys(&d, "- - - -");
    assert_false(d.ex.panes.active->half); /* it needs a character beyond ASCII */
    drive_close(&d);
}

/* A second click on a row of the heat map opens it, as Enter does, on its cells and beside them; elsewhere, or after a
 * key, it opens nothing. */
static void a_row_is_opened_by_two_clicks(void **state)
{
    struct drive d;
    (void)state;
    for (int label = 0; label < 2; label++) {
        drive_open(&d, COLUMNS);
        drive_resize(&d, 120, 40);
        drive_keys(&d, "5");
        const struct lw_glyph *tile = drive_tile(&d, "store 3 ");
        int at = (int)(tile - d.surface.tiles), row = at / d.surface.width;
        int col = at % d.surface.width + (label ? 0 : 18);
        drive_click(&d, row, col);
        assert_int_equal(d.ex.panes.play.instruction, 0);
        assert_true(d.ex.panes.active->row > 0);
        drive_keys(&d, "Left");
        drive_click(&d, row, col);
        assert_int_equal(d.ex.panes.play.instruction, 0);
        drive_click(&d, row - 3, col); /* the heads */
        drive_click(&d, row - 3, col);
        assert_int_equal(d.ex.panes.play.instruction, 0);
        drive_click(&d, row, col);
        drive_click(&d, row, col);
        assert_int_not_equal(d.ex.panes.play.instruction, 0);
        assert_shows(&d, "Space plays its wavefronts");
        drive_keys(&d, "Esc");
        assert_int_equal(d.ex.panes.play.instruction, 0);
        drive_close(&d);
    }
    drive_open(&d, "blocked/16x64");
    drive_click(&d, 6, 20);
    drive_click(&d, 6, 20);
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_close(&d);
}

/* A click on the mark for more tabs shows the next view there that can show the layout. */
static void more_tabs_are_reached(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "1");
    drive_resize(&d, 79, 24);
    assert_shows(&d, "…");
    assert_hides(&d, "9 Notation");
    const bool whole = strstr(drive_screen(&d), "8 Facts") != NULL;
    drive_click(&d, 1, 78);
    assert_int_equal(d.ex.panes.active->view_index, drive_view(whole ? "notation" : "facts"));
    drive_resize(&d, 80, 24);
    drive_keys(&d, "9");
    assert_shows(&d, "…  3 Matrix");
    drive_click(&d, 1, 1);
    assert_int_equal(d.ex.panes.active->view_index, drive_view("hardware"));
    for (int width = 30; width < 120; width++) { /* every mark leads to a view that has no tab */
        drive_resize(&d, width, 24);
        drive_keys(&d, "1");
        drive_draw(&d);
        const struct lw_glyph *end = &d.surface.tiles[2 * d.surface.width - 1];
        if (end->code != 0x2026)
            continue;
        for (int col = 0; col < width - 2; col++)
            assert_int_not_equal(lw_tab_at(&d.ex, col), lw_tab_at(&d.ex, width - 1));
    }
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dragging_selects),
        cmocka_unit_test(hints_are_keys),
        cmocka_unit_test(answers_are_clicked),
        cmocka_unit_test(fields_are_stepped),
        cmocka_unit_test(a_second_click_opens),
        cmocka_unit_test(two_cells_in_a_character),
        cmocka_unit_test(a_row_is_opened_by_two_clicks),
        cmocka_unit_test(more_tabs_are_reached),
    };
    return cmocka_run_group_tests_name("mouse", tests, NULL, NULL);
}
