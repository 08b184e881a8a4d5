/* Two view panes: where they stand, that their cursors are on the same element, and what they show. */

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define PAIR                                                                                       \
    "{\"laneway\": 1, \"encoding\": \"blocked\", \"shape\": [16, 64], \"element\": \"f16\", "      \
    "\"params\": {\"sizePerThread\": [1, 4], \"threadsPerWarp\": [2, 16], \"warpsPerCTA\": [1, "   \
    "1], \"order\": [1, 0]}, \"with\": {\"encoding\": \"swizzled_shared\", \"params\": {\"vec\": " \
    "8, \"perPhase\": 1, \"maxPhase\": 8, \"order\": [1, 0]}}}"

/* The element that a pane's cursor is on. */
static void element_of(const struct lw_view_pane *pane, uint64_t *out)
{
    struct lw_spot spot;
    assert_true(pane->has_view && pane->view.type->spot);
    assert_true(pane->view.type->spot(&pane->view, pane->row, pane->col, &spot) && spot.has_out);
    memcpy(out, spot.out, sizeof spot.out);
}

static void assert_same_element(const struct drive *d)
{
    uint64_t a[LW_DIMS_MAX] = {0}, b[LW_DIMS_MAX] = {0};
    element_of(&d->ex.panes[0], a);
    element_of(&d->ex.panes[1], b);
    for (int i = 0; i < d->ex.opened.subject.map.out.count; i++)
        assert_int_equal(a[i], b[i]);
}

static void cursors_are_linked(void **state)
{
    static const char *const sources[] = {"start/16x16", "swizzle/16x32-xor", PAIR,
                                          "local(3, 4).spatial(2, 3)"};
    static const char *const keys[] = {"Right", "Down", "Right Right", "w",  "Down",
                                       "Right", "G",    "w",           "Up", "g"};
    (void)state;
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
        struct drive d;
        drive_open(&d, sources[s]);
        drive_keys(&d, "|");
        assert_int_equal(d.ex.pane_count, 2);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            drive_keys(&d, keys[k]);
            assert_true(d.ex.panes[0].linked || d.ex.panes[1].linked);
            assert_same_element(&d);
            drive_screen(&d);
        }
        drive_close(&d);
    }
}

static void they_stand_beside_or_below(void **state)
{
    struct drive d;
    struct lw_panes panes;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, "|");
    for (int height = 1; height < 70; height += 3)
        for (int width = 1; width < 220; width += 7) {
            drive_resize(&d, width, height);
            drive_screen(&d);
            lw_panes(&d.ex, &panes);
            const struct lw_rect *a = &panes.view[0], *b = &panes.view[1];
            assert_true(a->row + a->height <= height && b->row + b->height <= height);
            assert_true(a->col + a->width <= width && b->col + b->width <= width);
            if (a->height && b->height)
                assert_true(a->row + a->height <= b->row || a->col + a->width <= b->col);
        }
    drive_resize(&d, 200, 24);
    lw_panes(&d.ex, &panes);
    assert_int_equal(panes.view[0].row, panes.view[1].row);
    drive_resize(&d, 70, 60);
    lw_panes(&d.ex, &panes);
    assert_int_equal(panes.view[0].col, panes.view[1].col);
    assert_true(panes.view[1].row > panes.view[0].row);
    drive_close(&d);
}

static void a_pair_shows_both_layouts(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, PAIR);
    drive_resize(&d, 120, 40);
    drive_keys(&d, "|");
    assert_shows(&d, "first layout");
    assert_shows(&d, "second layout");
    assert_string_equal(drive_cell(&d), "T0:0");
    drive_keys(&d, "w Down");
    assert_string_equal(drive_cell(&d), "72");
    drive_keys(&d, "x"); /* the second pane shows the first layout now */
    assert_string_equal(drive_cell(&d), "T16:0");
    assert_hides(&d, "second layout");
    drive_keys(&d, "x |");
    assert_int_equal(d.ex.pane_count, 1);
    assert_string_equal(drive_cell(&d), "72");
    drive_close(&d);
}

static void tab_goes_round(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, "| Tab");
    assert_true(d.ex.place == LW_AT_VIEW && d.ex.pane == &d.ex.panes[1]);
    drive_keys(&d, "Tab");
    assert_int_equal(d.ex.place, LW_AT_FORM);
    drive_keys(&d, "Tab Tab");
    assert_true(d.ex.place == LW_AT_VIEW && d.ex.pane == &d.ex.panes[0]);
    drive_keys(&d, "S-Tab S-Tab S-Tab");
    assert_true(d.ex.place == LW_AT_VIEW && d.ex.pane == &d.ex.panes[1]);
    drive_close(&d);
}

static void each_pane_has_its_own_view(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, "|");
    assert_int_equal(d.ex.panes[1].view_index, drive_view("hardware"));
    drive_keys(&d, "w 3 w");
    assert_int_equal(d.ex.panes[0].view_index, drive_view("owners"));
    assert_int_equal(d.ex.panes[1].view_index, drive_view("matrix"));
    drive_keys(&d, "x"); /* no pair: said, nothing changes */
    assert_shows(&d, "one layout only");
    drive_close(&d);
}

static void editing_redraws_both(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, PAIR);
    drive_keys(&d, "|");
    drive_field(&d, "shape");
    drive_keys(&d, "+");
    for (int i = 0; i < 2; i++)
        assert_int_equal(d.ex.panes[i].view.rows, 32);
    drive_keys(&d, "u");
    for (int i = 0; i < 2; i++)
        assert_int_equal(d.ex.panes[i].view.rows, 16);
    drive_close(&d);
}

static void the_mouse_chooses_the_pane(void **state)
{
    struct drive d;
    struct lw_panes panes;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "|");
    lw_panes(&d.ex, &panes);
    drive_click(&d, panes.view[1].row + 3, panes.view[1].col + 20);
    assert_true(d.ex.pane == &d.ex.panes[1] && d.ex.pane->row == 1);
    assert_same_element(&d);
    drive_wheel(&d, panes.view[0].row + 3, panes.view[0].col + 20, 3);
    assert_true(d.ex.pane == &d.ex.panes[0]);
    drive_close(&d);
}

static void command(struct drive *d, const char *line)
{
    drive_type(d, ":");
    drive_type(d, line);
    drive_keys(d, "Enter");
}

/* The fields of the layout that is shown come first, the other one's after them, and both are edited. */
static void the_second_layout_is_edited(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, PAIR);
    drive_resize(&d, 120, 40);
    drive_keys(&d, "5");
    assert_shows(&d, "blocked, first layout");
    assert_shows(&d, "swizzled_shared, second layout");
    command(&d, "set maxPhase=1"); /* only the second one has it */
    assert_string_equal(drive_value(&d, "with.maxPhase"), "1");
    assert_true(lw_explorer_entry(&d.ex)->dirty);
    assert_int_equal(lw_explorer_entry(&d.ex)->past_count, 1);
    assert_shows(&d, "*maxPhase");
    drive_keys(&d, "u");
    assert_string_equal(drive_value(&d, "with.maxPhase"), "8");
    assert_false(lw_explorer_entry(&d.ex)->dirty);
    drive_keys(&d, "x Tab");
    assert_true(d.ex.form_second && d.ex.place == LW_AT_FORM);
    drive_field(&d, "with.maxPhase");
    drive_keys(&d, "-");
    assert_string_equal(drive_value(&d, "with.maxPhase"), "4");
    command(&d, "set with.maxPhase=2");
    assert_string_equal(drive_value(&d, "with.maxPhase"), "2");
    /* `order` is of the layout that is shown. */
    command(&d, "set order=0,1");
    assert_string_equal(drive_value(&d, "with.order"), "[0, 1]");
    drive_keys(&d, "Tab Tab x");
    assert_false(d.ex.form_second);
    command(&d, "set order=0,1");
    assert_string_equal(drive_value(&d, "with.order"), "[0, 1]");
    assert_string_equal(drive_value(&d, "order"), "[0, 1]");
    drive_close(&d);
}

/* What is not legal stays in its own field, and the last legal layout on the screen. */
static void an_illegal_second_layout_is_red(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, PAIR);
    drive_resize(&d, 120, 40);
    drive_keys(&d, "5");
    drive_field(&d, "with.maxPhase");
    drive_keys(&d, "3");
    assert_int_equal(d.ex.problem.code, LW_OK);
    assert_int_equal(d.ex.second_problem.code, LW_ERROR_PARAMETER);
    assert_shows(&d, "the last legal layout");
    assert_shows(&d, "power of two");
    assert_true(d.ex.pane->has_view && d.ex.has_second);
    drive_keys(&d, "Esc");
    assert_hides(&d, "the last legal layout");
    assert_int_equal(d.ex.second_problem.code, LW_OK);
    assert_true(lw_form_set(&d.ex, "with", ""));
    assert_false(d.ex.has_second);
    assert_null(drive_value(&d, "with.maxPhase"));
    drive_keys(&d, "u");
    assert_true(d.ex.has_second);
    drive_close(&d);
}

/* Every field of the second layout that the banks depend on redraws them at once. */
static void conflicts_follow_the_second_layout(void **state)
{
    struct drive d;
    struct lw_text before = {0};
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "5");
    lw_text_add(&before, drive_screen(&d));
    command(&d, "set maxPhase=8");
    assert_string_not_equal(lw_text_string(&before), drive_screen(&d));
    drive_keys(&d, "u");
    lw_text_free(&before);
    drive_close(&d);
}

static void a_second_layout_is_added(void **state)
{
    static const char shared[] =
        "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = "
        "[1, 0]}>";
    const struct lw_tui_options options = {.with = shared};
    struct drive d;
    (void)state;
    drive_open_with(&d, "blocked/16x64", &options);
    assert_true(d.ex.has_second && !lw_explorer_entry(&d.ex)->dirty);
    drive_keys(&d, "5");
    assert_true(d.ex.pane->has_view);
    drive_close(&d);
    drive_open(&d, "blocked/16x64");
    command(&d, "with");
    assert_shows(&d, "with SOURCE");
    command(&d, "with nothing-of-the-kind");
    assert_true(d.ex.message_bad && !d.ex.has_second);
    drive_type(&d, ":with ");
    drive_type(&d, shared);
    drive_keys(&d, "Enter");
    assert_shows(&d, "a pair: 5 shows the banks");
    assert_true(d.ex.has_second && lw_explorer_entry(&d.ex)->dirty);
    drive_keys(&d, "5");
    assert_true(d.ex.pane->has_view);
    drive_keys(&d, "u");
    assert_false(d.ex.has_second);
    drive_close(&d);
}

/* Of a pair, a view that one layout alone has shows that one. */
static void views_of_either_layout(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-padded");
    drive_keys(&d, "1");
    assert_int_equal(d.ex.pane->shown, LW_SHOWN_FIRST);
    drive_keys(&d, "4");
    assert_int_equal(d.ex.pane->shown, LW_SHOWN_SECOND);
    assert_true(d.ex.pane->has_view);
    assert_shows(&d, "Memory: second layout");
    drive_keys(&d, "5");
    assert_true(d.ex.pane->has_view);
    drive_keys(&d, "6");
    assert_false(d.ex.pane->has_view);
    drive_close(&d);
}

/* Which bank the cursor is on, as its label says. */
static void assert_bank(struct drive *d, const char *bank)
{
    struct lw_text text = {0};
    d->ex.pane->view.type->col_label(&d->ex.pane->view, d->ex.pane->col, &text);
    assert_string_equal(lw_text_string(&text), bank);
    lw_text_free(&text);
}

/* The player begins at the cursor's instruction and bank, and leaves it there. */
static void the_player_begins_at_the_cursor(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "5 Home Down Down Down Right Right Right");
    assert_bank(&d, "0");
    drive_keys(&d, "Space");
    assert_int_equal(d.ex.play.instruction, 4);
    assert_int_equal(d.ex.play.wavefront, 1);
    assert_int_equal(d.ex.pane->row, 2);
    assert_bank(&d, "0");
    drive_keys(&d, "Space");
    assert_int_equal(d.ex.play.wavefront, 2);
    assert_int_equal(d.ex.pane->row, 3);
    drive_keys(&d, "Right Right Esc");
    assert_int_equal(d.ex.pane->row, 3);
    assert_bank(&d, "2");
    drive_keys(&d, "G Space");
    assert_int_equal(d.ex.play.instruction, 64);
    assert_bank(&d, "31");
    drive_keys(&d, "Esc g Space");
    assert_int_equal(d.ex.play.instruction, 1);
    assert_bank(&d, "0");
    drive_close(&d);
}

static void a_bank_is_found(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "5 Down");
    drive_type(&d, "/bank 7");
    drive_keys(&d, "Enter");
    assert_hides(&d, "no banks");
    assert_bank(&d, "7");
    assert_int_equal(d.ex.pane->row, 1);
    drive_keys(&d, "Space");
    drive_type(&d, "/bank 31");
    drive_keys(&d, "Enter");
    assert_bank(&d, "31");
    drive_keys(&d, "Esc 1 g");
    drive_type(&d, "/bank 7"); /* the owners of the layout in registers: the first word of it */
    drive_keys(&d, "Enter");
    assert_string_equal(drive_element(&d), "0,7");
    drive_keys(&d, "n");
    assert_string_equal(drive_element(&d), "1,7");
    drive_close(&d);
}

/* A view that only the other layout has shows that one. */
static void memory_is_of_the_layout_that_has_it(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "1 Down Right 4");
    assert_true(d.ex.pane->has_view && d.ex.pane->shown == LW_SHOWN_SECOND);
    assert_true(d.ex.form_second);
    assert_shows(&d, "x shows the other one");
    assert_string_equal(drive_element(&d), "1,1");
    drive_keys(&d, "5 1 x 1");
    assert_int_equal(d.ex.pane->shown, LW_SHOWN_FIRST);
    drive_close(&d);
}

/* What the command line of a pair names is the pair, with its edits. */
static void the_source_of_a_pair_has_both(void **state)
{
    struct drive d;
    struct lw_text text = {0};
    struct lw_document doc;
    struct lw_error err;
    (void)state;
    drive_open(&d, PAIR);
    command(&d, "set maxPhase=2");
    lw_explorer_source(&d.ex, &text);
    assert_null(strchr(lw_text_string(&text), '\n'));
    assert_true(lw_document_open(&doc, lw_text_string(&text), NULL, &err));
    assert_non_null(doc.with);
    assert_int_equal(doc.with->params[lw_encoding_param(doc.with, "maxPhase")].integer, 2);
    lw_document_free(&doc);
    lw_text_free(&text);
    drive_close(&d);
}

static void what_cannot_be_played_says_why(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "convert/shuffle");
    drive_keys(&d, "6 Space");
    assert_hides(&d, "without a second layout");
    drive_close(&d);
    drive_open(&d, "blocked/16x64");
    drive_keys(&d, "Space");
    assert_shows(&d, ":with SOURCE");
    drive_close(&d);
}

static int banks_shown(struct drive *d)
{
    struct lw_grid grid;
    lw_grid(&d->ex, d->ex.pane, &grid);
    return grid.cols;
}

/* All 32 banks and the three totals, beside the form where there is room for it; the title keeps what both
 * directions cost. */
static void all_banks_are_on_the_screen(void **state)
{
    static const struct {
        int width, height;
        const char *title;
    } sizes[] = {
        {80, 24, "store 1024 wavefronts (ideal 32), load 1024 (ideal 32)"},
        {120, 40, "store 1024 wavefronts (ideal 32), load 1024 (ideal 32)"},
        {200, 60,
         "Banks: store: 1024 wavefronts, ideal 32; load: 1024 wavefronts, ideal 32; NVIDIA"},
    };
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    /* The keys that matter here, at any width; of a layout alone there is none of them. */
    assert_shows(&d, "Space play");
    assert_shows(&d, "x layout");
    assert_shows(&d, ": command  ? help  q quit");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        drive_resize(&d, sizes[i].width, sizes[i].height);
        assert_int_equal(banks_shown(&d), 35);
        assert_shows(&d, sizes[i].title);
        assert_shows(&d, "w wavefronts, i ideal, c conflicts");
    }
    assert_shows(&d, "Parameters");
    drive_keys(&d, "P");
    assert_hides(&d, "Parameters");
    assert_shows(&d, "32 instructions, 1024 wavefronts, ideal 32, 992 conflicts; load: 32");
    assert_int_equal(banks_shown(&d), 35);
    drive_keys(&d, "P");
    assert_shows(&d, "Parameters");
    drive_resize(&d, 80, 24);
    drive_keys(&d, "Tab"); /* the form takes its place, and the totals still stand there */
    assert_shows(&d, "store 1024 (ideal 32), load 1024 (32)");
    assert_true(banks_shown(&d) > 20);
    drive_keys(&d, "P Space");
    assert_int_equal(banks_shown(&d), 32);
    assert_shows(&d, "a wavefront's first lane");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_of_either_layout),
        cmocka_unit_test(cursors_are_linked),
        cmocka_unit_test(they_stand_beside_or_below),
        cmocka_unit_test(a_pair_shows_both_layouts),
        cmocka_unit_test(tab_goes_round),
        cmocka_unit_test(each_pane_has_its_own_view),
        cmocka_unit_test(editing_redraws_both),
        cmocka_unit_test(the_mouse_chooses_the_pane),
        cmocka_unit_test(a_second_layout_is_added),
        cmocka_unit_test(the_player_begins_at_the_cursor),
        cmocka_unit_test(a_bank_is_found),
        cmocka_unit_test(memory_is_of_the_layout_that_has_it),
        cmocka_unit_test(the_source_of_a_pair_has_both),
        cmocka_unit_test(what_cannot_be_played_says_why),
        cmocka_unit_test(all_banks_are_on_the_screen),
        cmocka_unit_test(the_second_layout_is_edited),
        cmocka_unit_test(an_illegal_second_layout_is_red),
        cmocka_unit_test(conflicts_follow_the_second_layout),
    };
    return cmocka_run_group_tests_name("split", tests, NULL, NULL);
}
