/* Editing parameters in the explorer: every keystroke is tried, the last legal layout stays. */

#include "edit_parts.h"

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The owners of an element, as the owners view shows them. */
static void assert_owner(struct drive *d, uint64_t row, uint64_t col, const char *owner)
{
    d->ex.panes.active->row = row;
    d->ex.panes.active->col = col;
    assert_string_equal(drive_cell(d), owner);
}

static void digit_replaces_the_number(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    assert_owner(&d, 0, 2, "T0:2");
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "Right 2");
    assert_int_equal(d.ex.focus, LW_FOCUS_EDIT);
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    assert_owner(&d, 0, 2, "T1:0"); /* before Enter already */
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 2]");
    assert_owner(&d, 0, 2, "T1:0");
    /* Marked as changed. */
    assert_true(d.ex.form.fields[d.ex.form.field].changed);
    assert_shows(&d, " *");
    drive_keys(&d, "u");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 4]");
    assert_owner(&d, 0, 2, "T0:2");
    assert_shows(&d, "0 to undo, 1 to redo");
    assert_false(d.ex.form.fields[d.ex.form.field].changed);
    drive_keys(&d, "C-r");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 2]");
    assert_owner(&d, 0, 2, "T1:0");
    drive_close(&d);
}

/* Right and Tab at the end of a typed number go on to the next number of the list. */
static void numbers_of_a_list_are_typed_in_turn(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_field(&d, "threadsPerWarp");
    drive_keys(&d, "4 Right 8 Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_string_equal(drive_value(&d, "threadsPerWarp"), "[4, 8]");
    assert_int_equal(lw_explorer_entry(&d.ex)->past_count, 1);
    drive_field(&d, "shape");
    drive_keys(&d, "3 2 Tab 1 2 8 Tab");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_string_equal(drive_value(&d, "shape"), "[32, 128]");
    drive_field(&d, "shape");
    drive_keys(&d, "6 4 Tab S-Tab 1 6 Right Left 8 Right Right 9 Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_string_equal(drive_value(&d, "shape"), "[32, 128]");
    drive_keys(&d, "Left 6 4 Tab Left 8 Enter");
    assert_string_equal(drive_value(&d, "shape"), "[8, 128]");
    drive_close(&d);
}

static void steps(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "+");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[2, 4]");
    assert_owner(&d, 1, 0, "T0:4");
    drive_keys(&d, "Right - -");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[2, 1]");
    drive_keys(&d, "- Left - -");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 1]");
    drive_field(&d, "order");
    drive_keys(&d, "+");
    assert_string_equal(drive_value(&d, "order"), "[0, 1]");
    drive_keys(&d, "-");
    assert_string_equal(drive_value(&d, "order"), "[1, 0]");
    drive_field(&d, "shape");
    drive_keys(&d, "= Right _");
    assert_string_equal(drive_value(&d, "shape"), "[32, 32]");
    assert_int_equal(d.ex.panes.active->view.rows, 32);
    assert_int_equal(d.ex.panes.active->view.cols, 32);
    drive_close(&d);
    drive_open(&d, SHARED);
    drive_field(&d, "maxPhase");
    drive_keys(&d, "-");
    assert_string_equal(drive_value(&d, "maxPhase"), "4");
    drive_keys(&d, "- - -");
    assert_string_equal(drive_value(&d, "maxPhase"), "1");
    drive_close(&d);
}

/* Undo and redo without limit: back to the beginning, and forth again. */
static void history_is_long(void **state)
{
    enum { EDITS = 300 };
    struct drive d;
    char first[64], last[64];
    (void)state;
    drive_open(&d, BLOCKED);
    drive_field(&d, "sizePerThread");
    snprintf(first, sizeof first, "%s", drive_value(&d, "sizePerThread"));
    for (int i = 0; i < EDITS; i++)
        drive_keys(&d, i % 3 == 0 ? "+" : i % 3 == 1 ? "Right -" : i % 6 < 3 ? "Left +" : "-");
    snprintf(last, sizeof last, "%s", drive_value(&d, "sizePerThread"));
    size_t steps_back = lw_explorer_entry(&d.ex)->past_count;
    assert_true(steps_back > 50);
    for (size_t i = 0; i < steps_back; i++)
        drive_keys(&d, "u");
    assert_string_equal(drive_value(&d, "sizePerThread"), first);
    drive_keys(&d, "u");
    assert_shows(&d, "nothing to undo");
    for (size_t i = 0; i < steps_back; i++)
        drive_keys(&d, "C-r");
    assert_string_equal(drive_value(&d, "sizePerThread"), last);
    drive_keys(&d, "C-r");
    assert_shows(&d, "nothing to redo");
    /* A new edit forgets what was undone. */
    drive_keys(&d, "u u u");
    drive_field(&d, "order");
    drive_keys(&d, "+ C-r");
    assert_shows(&d, "nothing to redo");
    drive_close(&d);
}

static void illegal_value_stays_red(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_resize(&d, 120, 40);
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "Right 3");
    assert_int_equal(d.ex.layouts.problem.code, LW_ERROR_PARAMETER);
    assert_string_equal(d.ex.layouts.problem.parameter, "sizePerThread");
    assert_shows(&d, "power of two");
    assert_shows(&d, "the last legal layout");
    assert_owner(&d, 0, 2, "T0:2");
    assert_int_equal(drive_tile(&d, "[1, 3]")->pen.kind, LW_PEN_BAD);
    drive_keys(&d, "2");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    assert_hides(&d, "the last legal layout");
    d.ex.panes.active->col = 31;
    assert_int_equal(strncmp(drive_cell(&d), "T0:31|", 6), 0);
    drive_keys(&d, "Backspace Enter");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 3]");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_int_equal(drive_tile(&d, "[1, 3]")->pen.kind, LW_PEN_BAD);
    assert_int_equal(strncmp(drive_cell(&d), "T0:31|", 6), 0);
    /* The other fields and the other views still work. */
    drive_keys(&d, "Tab S-Tab q 2");
    assert_true(d.ex.panes.active->has_view);
    drive_keys(&d, "G 1 u");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    assert_owner(&d, 0, 2, "T0:2");
    drive_close(&d);
}

/* An error in a value is shown where it was typed, and after that beside the view; a step from a number that is
 * not a power of two goes to the next power. */
static void wrong_values_show_the_reason(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 120, 40);
    drive_field(&d, "element");
    drive_keys(&d, "Enter f 9 Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_PICK);
    assert_shows(&d, "unknown element type 'f9'");
    assert_shows(&d, "restores the old value");
    drive_keys(&d, "Esc");
    drive_field(&d, "threadsPerWarp");
    drive_keys(&d, "3 Enter q");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_shows(&d, "the last legal layout, not threadsPerWarp = [3, 16]; u undoes it ─");
    drive_field(&d, "threadsPerWarp");
    drive_keys(&d, "+");
    assert_string_equal(drive_value(&d, "threadsPerWarp"), "[4, 16]");
    drive_keys(&d, "u -");
    assert_string_equal(drive_value(&d, "threadsPerWarp"), "[2, 16]");
    drive_close(&d);
}

/* Esc in the form leads back one step from a value that is not legal; `q` leaves the form. */
static void esc_leaves_an_illegal_value(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_field(&d, "threadsPerWarp");
    drive_keys(&d, "3");
    assert_shows(&d, "the last legal layout ");
    assert_hides(&d, "undoes");
    drive_keys(&d, "Enter");
    assert_shows(&d, "the last legal layout: Esc undoes it");
    assert_shows(&d, "Esc undo");
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_string_equal(drive_value(&d, "threadsPerWarp"), "[2, 16]");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    assert_shows(&d, "undone: 0 to undo, 1 to redo");
    assert_shows(&d, "Esc back");
    drive_keys(&d, "C-r");
    assert_int_not_equal(d.ex.layouts.problem.code, LW_OK);
    drive_keys(&d, "q");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_keys(&d, "u Tab Esc"); /* legal: Esc leaves the form */
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    /* Two steps that are not legal are two steps back. */
    drive_field(&d, "threadsPerWarp");
    drive_keys(&d, "3 Enter");
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "3 Enter Esc");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 4]");
    assert_int_not_equal(d.ex.layouts.problem.code, LW_OK);
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_close(&d);
}

/* The view of the last legal layout owes nothing to the document that was edited away: not its cell
 * format either, which this one has. */
static void the_last_legal_layout_stands_alone(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_field(&d, "shape");
    drive_keys(&d, "3");
    assert_int_not_equal(d.ex.layouts.problem.code, LW_OK);
    drive_keys(&d, "7 Enter q");
    assert_shows(&d, "w0 l0 r0");
    drive_keys(&d, "G 2 1");
    drive_draw(&d);
    drive_close(&d);
}

static void every_wrong_value_is_refused(void **state)
{
    static const char *const wrong[] = {"0",         "-1",     "[]",    "[1]",
                                        "[1, 2, 4]", "[0, 4]", "[3,4]", "[1, true]",
                                        "[1, -4]",   "true",   "[[1]]", "\"x\""};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct drive d;
        drive_open(&d, BLOCKED);
        drive_resize(&d, 120, 40);
        drive_field(&d, "sizePerThread");
        drive_keys(&d, "Enter C-u");
        drive_type(&d, wrong[i]);
        if (d.ex.layouts.problem.code == LW_OK)
            fail_msg("sizePerThread = %s was taken", wrong[i]);
        assert_true(d.ex.layouts.problem.message[0]);
        drive_draw(&d);
        assert_owner(&d, 0, 2, "T0:2");
        drive_keys(&d, "Esc");
        assert_int_equal(d.ex.layouts.problem.code, LW_OK);
        assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 4]");
        assert_int_equal(lw_explorer_entry(&d.ex)->past_count, 0);
        drive_close(&d);
    }
}

static void unreadable_text_keeps_the_edit_open(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "[");
    drive_type(&d, "1, 2");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_EDIT);
    assert_shows(&d, "Esc discards it");
    drive_keys(&d, "Tab");
    assert_int_equal(d.ex.focus, LW_FOCUS_EDIT);
    drive_draw(&d);
    assert_true(d.surface.cursor_row >= 0);
    drive_keys(&d, "]");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 2]");
    drive_keys(&d, "Enter C-u");
    drive_type(&d, "nonsense(");
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 2]");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    drive_close(&d);
}

/* The mouse cannot leave an edit that cannot be read, and takes one that can. */
static void clicks_settle_an_edit(void **state)
{
    struct drive d;
    struct lw_panes panes;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_resize(&d, 120, 40);
    lw_panes(&d.ex, &panes);
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "Right 2");
    drive_click(&d, panes.view[0].row + 2, panes.view[0].col + 20);
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 2]");
    assert_int_equal(lw_explorer_entry(&d.ex)->past_count, 1);
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "[");
    drive_click(&d, panes.view[0].row + 2, panes.view[0].col + 20);
    assert_int_equal(d.ex.focus, LW_FOCUS_EDIT);
    drive_wheel(&d, panes.view[0].row + 2, panes.view[0].col + 20, 3);
    assert_int_equal(d.ex.focus, LW_FOCUS_EDIT);
    drive_close(&d);
}

/* A click chooses the field that is drawn there, also below a reason. */
static void clicks_hit_the_field_under_them(void **state)
{
    struct drive d;
    struct lw_panes panes;
    (void)state;
    for (int bad = 0; bad < 2; bad++) {
        drive_open(&d, BLOCKED);
        drive_resize(&d, 120, 40);
        lw_panes(&d.ex, &panes);
        drive_field(&d, "sizePerThread");
        drive_keys(&d, bad ? "3 Enter" : "2 Enter");
        for (size_t i = 0; i < d.ex.form.count; i++) {
            int row = -1;
            drive_draw(&d);
            for (int r = panes.form.row; r < panes.form.row + panes.form.height; r++) {
                char label[40];
                for (int c = 0; c < 39; c++)
                    label[c] = (char)d.surface.tiles[r * 120 + panes.form.col + 2 + c].code;
                label[39] = '\0';
                if (d.ex.form.fields[i].path[0] && strstr(label, d.ex.form.fields[i].label) &&
                    strstr(label, d.ex.form.fields[i].label) <= label + 4)
                    row = row < 0 ? r : row;
            }
            if (row < 0)
                continue;
            drive_click(&d, row, panes.form.col + 5);
            assert_int_equal(d.ex.form.field, i);
        }
        drive_close(&d);
    }
}

static void typing_edits_the_line(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "Enter");
    assert_string_equal(lw_text_string(&d.ex.form.edit.text), "[1, 4]");
    drive_keys(&d, "Left Backspace 8");
    assert_string_equal(lw_text_string(&d.ex.form.edit.text), "[1, 8]");
    drive_keys(&d, "Home Right Del 2");
    assert_string_equal(lw_text_string(&d.ex.form.edit.text), "[2, 8]");
    drive_keys(&d, "End C-w");
    assert_string_equal(lw_text_string(&d.ex.form.edit.text), "[2, ");
    drive_keys(&d, "C-u");
    assert_string_equal(lw_text_string(&d.ex.form.edit.text), "");
    drive_keys(&d, "Backspace Del Left Right Home End C-w C-u");
    drive_type(&d, "[4, 1]");
    for (int i = 0; i < 3; i++)
        drive_keys(&d, "C-b");
    drive_keys(&d, "C-e C-a C-f");
    /* What terminals send for the key differs from what ncurses calls it. */
    struct lw_event rubout = {.kind = LW_EVENT_KEY, .key = 127};
    lw_update(&d.ex, &rubout);
    assert_string_equal(lw_text_string(&d.ex.form.edit.text), "4, 1]");
    rubout.key = 8;
    drive_keys(&d, "End");
    lw_update(&d.ex, &rubout);
    assert_string_equal(lw_text_string(&d.ex.form.edit.text), "4, 1");
    drive_keys(&d, "Esc");
    drive_close(&d);
}

static void tab_takes_and_goes_on(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "Right 2 Tab");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 2]");
    assert_string_equal(d.ex.form.fields[d.ex.form.field].path, "threadsPerWarp");
    drive_keys(&d, "4 Up");
    assert_string_equal(d.ex.form.fields[d.ex.form.field].path, "sizePerThread");
    drive_close(&d);
}

/* A form that has room for all its fields shows all of them, also from the last one, and where it gets taller. */
static void fields_that_fit_are_not_scrolled(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 80, 24);
    drive_keys(&d, "Tab G");
    assert_shows(&d, "▸block ");
    assert_shows(&d, "│ tensor  ");
    drive_keys(&d, "g G d");
    assert_shows(&d, "▸block ");
    assert_shows(&d, "│ tensor  ");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_that_fit_are_not_scrolled),
        cmocka_unit_test(digit_replaces_the_number),
        cmocka_unit_test(numbers_of_a_list_are_typed_in_turn),
        cmocka_unit_test(steps),
        cmocka_unit_test(history_is_long),
        cmocka_unit_test(illegal_value_stays_red),
        cmocka_unit_test(wrong_values_show_the_reason),
        cmocka_unit_test(esc_leaves_an_illegal_value),
        cmocka_unit_test(the_last_legal_layout_stands_alone),
        cmocka_unit_test(every_wrong_value_is_refused),
        cmocka_unit_test(unreadable_text_keeps_the_edit_open),
        cmocka_unit_test(clicks_settle_an_edit),
        cmocka_unit_test(clicks_hit_the_field_under_them),
        cmocka_unit_test(typing_edits_the_line),
        cmocka_unit_test(tab_takes_and_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
