/* Two view panes: where they stand, that their cursors are on the same element, and what they show. */

#include "tui/form/form.h"
#include "tui/two_parts.h"

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
    element_of(&d->ex.panes.all[0], a);
    element_of(&d->ex.panes.all[1], b);
    for (int i = 0; i < d->ex.layouts.opened.subject.map.out.count; i++)
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
        drive_keys(&d, "1 |");
        assert_int_equal(d.ex.panes.count, 2);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            drive_keys(&d, keys[k]);
            assert_true(d.ex.panes.all[0].linked || d.ex.panes.all[1].linked);
            assert_same_element(&d);
            drive_draw(&d);
        }
        drive_close(&d);
    }
}

/* A picture of two has numbers wherever all of it fits with numbers, also where the other one has none. */
static void one_of_two_has_numbers(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 80, 24);
    drive_fit(&d);
    drive_command(&d, "set shape=16,8");
    drive_keys(&d, "|");
    assert_int_equal(d.ex.panes.count, 2);
    assert_shows(&d, "│  0  0+  0+  0+  0+  1+  1+  1+  1+   │");
    assert_shows(&d, "│ 15 16+ 16+ 16+ 16+ 17+ 17+ 17+ 17+   │");
    drive_close(&d);
}

/* Where the parameters give their room to a second view, a message has the key that brings them back. */
static void hidden_parameters_are_mentioned(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 100, 30);
    assert_shows(&d, "Parameters");
    drive_command(&d, "set order=[0,1]");
    drive_keys(&d, "d");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_hides(&d, "Parameters");
    assert_shows(&d, "no room for the parameters beside them, Tab shows them");
    drive_keys(&d, "Tab Tab");
    assert_shows(&d, "Parameters");
    drive_close(&d);
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 120, 30);
    drive_keys(&d, "|");
    assert_shows(&d, "Parameters");
    assert_hides(&d, "no room for the parameters");
    drive_close(&d);
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
            drive_draw(&d);
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
    assert_shows(&d, "Owners: registers A");
    assert_shows(&d, "shared S,");
    assert_string_equal(drive_cell(&d), "T0:0");
    drive_keys(&d, "w Down");
    assert_string_equal(drive_cell(&d), "72");
    drive_keys(&d, "x"); /* the second pane shows registers A now */
    assert_string_equal(drive_cell(&d), "T16:0");
    assert_int_equal(d.ex.panes.all[0].shown.side, LW_SIDE_S); /* what it showed is beside it */
    drive_keys(&d, "x |");
    assert_int_equal(d.ex.panes.count, 1);
    assert_string_equal(drive_cell(&d), "72");
    drive_close(&d);
}

static void tab_goes_round(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, "| Tab");
    assert_true(d.ex.focus == LW_FOCUS_VIEW && d.ex.panes.active == &d.ex.panes.all[1]);
    drive_keys(&d, "Tab");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    drive_keys(&d, "Tab Tab");
    assert_true(d.ex.focus == LW_FOCUS_VIEW && d.ex.panes.active == &d.ex.panes.all[0]);
    drive_keys(&d, "S-Tab S-Tab S-Tab");
    assert_true(d.ex.focus == LW_FOCUS_VIEW && d.ex.panes.active == &d.ex.panes.all[1]);
    drive_close(&d);
}

static void each_pane_has_its_own_view(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, "|");
    assert_int_equal(d.ex.panes.all[1].view_index, drive_view("hardware"));
    drive_keys(&d, "w 3 w");
    assert_int_equal(d.ex.panes.all[0].view_index, drive_view("owners"));
    assert_int_equal(d.ex.panes.all[1].view_index, drive_view("matrix"));
    drive_keys(&d, "x"); /* no pair: reported, nothing changes */
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
        assert_int_equal(d.ex.panes.all[i].view.rows, 32);
    drive_keys(&d, "u");
    for (int i = 0; i < 2; i++)
        assert_int_equal(d.ex.panes.all[i].view.rows, 16);
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
    assert_true(d.ex.panes.active == &d.ex.panes.all[1] && d.ex.panes.active->row == 1);
    assert_same_element(&d);
    drive_wheel(&d, panes.view[0].row + 3, panes.view[0].col + 20, 3);
    assert_true(d.ex.panes.active == &d.ex.panes.all[0]);
    drive_close(&d);
}

static void two_sources_are_side_by_side(void **state)
{
    struct drive d;
    struct lw_panes panes;
    (void)state;
    open_two(&d, "tilus/local-3x4-spatial-2x3", "tilus/spatial-2x3-local-3x4");
    assert_int_equal(d.ex.panes.count, 2);
    assert_shows(&d, "Owners: tilus/local-3x4-spatial-2x3");
    assert_shows(&d, "Owners: tilus/spatial-2x3-local-3x4");
    assert_shows(&d, "= 4 of 72 elements are equal");
    lw_panes(&d.ex, &panes);
    assert_int_equal(panes.view[0].row, panes.view[1].row);
    assert_int_equal(marked(&d, 0), 4);
    assert_int_equal(marked(&d, 1), 4);
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.panes.count, 1);
    assert_int_equal(marked(&d, 0), 0);
    drive_close(&d);
}

/* The list marks the layouts that are compared. */
static void the_list_marks_what_is_compared(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    drive_resize(&d, 200, 60);
    for (size_t e = 0; e < d.ex.list.count; e++)
        if (!strcmp(lw_entry_name(&d.ex.list.entries[e]), "blocked/row-major-4x4"))
            d.ex.list.entry = e;
    d.ex.changed |= LW_CHANGED_ENTRY;
    drive_keys(&d, "Enter");
    assert_hides(&d, "\u2260blocked/");
    drive_command(&d, "compare blocked/column-major-4x4");
    assert_shows(&d, "\u2260blocked/row-major-4x4");
    assert_shows(&d, "\u2260blocked/column-major-4x4");
    assert_hides(&d, "\u2260blocked/registers-4x4");
    drive_keys(&d, "Esc");
    assert_hides(&d, "\u2260blocked/");
    drive_close(&d);
}

/* Both that are compared are zoomed in step, and two long names are told apart by what differs. */
static void two_compared_layouts_are_alike(void **state)
{
    static const char source[] =
        "tensor<32x32xf16, #ttg.blocked<{sizePerThread = [1, %d], threadsPerWarp = [%s], "
        "warpsPerCTA = [4, 1], order = [1, 0]}>>";
    struct drive d;
    char one[256], command[256] = "compare ";
    (void)state;
    snprintf(one, sizeof one, source, 4, "4, 8");
    snprintf(command + 8, sizeof command - 8, source, 8, "8, 4");
    drive_open(&d, one);
    drive_resize(&d, 200, 60);
    drive_command(&d, command);
    assert_shows(&d, "Owners: sizePerThread = [1, 4], threadsPerWarp = [4, 8]");
    assert_shows(&d, "Owners: sizePerThread = [1, 8], threadsPerWarp = [8, 4]");
    assert_shows(&d, "in the other layout: the same");
    for (int i = 0; i < 4; i++) {
        drive_keys(&d, i % 2 ? "-" : "+");
        assert_int_equal(d.ex.panes.all[0].zoom, d.ex.panes.all[1].zoom);
    }
    drive_close(&d);
}

/* Cells of one size, also where the texts of one layout are wider. */
static void panes_have_equal_cells(void **state)
{
    struct drive d;
    struct lw_grid a, b;
    (void)state;
    open_two(&d, "mma/m16n8k16.a", "tilus/m16n8k16-f16.a");
    lw_grid(&d.ex, &d.ex.panes.all[0], &a);
    lw_grid(&d.ex, &d.ex.panes.all[1], &b);
    assert_int_equal(d.ex.panes.all[0].zoom, d.ex.panes.all[1].zoom);
    assert_int_equal(a.cell, b.cell);
    assert_int_equal(a.gap, b.gap);
    assert_hides(&d, "not compared");
    drive_close(&d);
}

static void others_are_shown_without_a_comparison(void **state)
{
    struct drive d;
    (void)state;
    open_two(&d, "blocked/16x64", "start/4x4");
    assert_int_equal(d.ex.panes.count, 2);
    assert_shows(&d, "Owners: start/4x4");
    assert_shows(&d, "not compared: layouts of one shape are compared");
    drive_keys(&d, "Right Right Right Right Right");
    assert_shows(&d, "not compared: of 16 x 64 and 4 x 4"); /* also without the message */
    drive_close(&d);
}

/* Beside the list a low screen has room for one view: that the second one is open is said. */
static void a_split_that_is_not_seen(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    drive_keys(&d, "|");
    assert_int_equal(d.ex.panes.count, 2);
    assert_shows(&d, "two views: beside the list there is room for one, Enter shows both");
    drive_keys(&d, "Enter");
    assert_hides(&d, "two views");
    drive_close(&d);
}

/* With the form open two compared views are one above the other where they have no room side by side, so that an edit
 * is seen in both. */
static void both_are_beside_the_form(void **state)
{
    static const char *const sources[] = {"blocked/16x64", "start/16x16", "spatial(4, 8)"};
    static const int sizes[][2] = {{80, 24}, {90, 30}, {100, 24}, {80, 18}, {120, 40}, {200, 60}};
    (void)state;
    for (size_t i = 0; i < 6 * sizeof sources / sizeof *sources; i++) {
        struct drive d;
        struct lw_panes rects;
        drive_open(&d, sources[i / 6]);
        drive_resize(&d, sizes[i % 6][0], sizes[i % 6][1]);
        drive_fit(&d);
        drive_keys(&d, "d Tab Tab");
        assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
        lw_panes(&d.ex, &rects);
        assert_true(rects.form.height > 0);
        assert_true(rects.view[0].height >= 6 && rects.view[1].height >= 6);
        assert_shows(&d, "as it was read");
        assert_shows(&d, ": now");
        drive_close(&d);
    }
}

/* Compared banks are named also in half of the width that the form leaves. */
static void compared_banks_are_named_beside_the_form(void **state)
{
    static const int widths[] = {80, 70};
    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct drive d;
        drive_open(&d, "banks/transpose-row-major");
        drive_resize(&d, widths[i], 24);
        drive_fit(&d);
        drive_keys(&d, "d Tab Tab");
        assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
        assert_shows(&d, "now: store 32");
        assert_shows(&d, "as it was read: store 32");
        drive_close(&d);
    }
}

/* The sums of a heat map stay beside some banks, also where the form leaves little room: labels are cut for them. */
static void sums_stay_beside_the_form(void **state)
{
    static const int widths[] = {80, 76, 72, 66, 60};
    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct drive d;
        drive_open(&d, "banks/transpose-row-major");
        drive_resize(&d, widths[i], 24);
        drive_fit(&d);
        drive_keys(&d, "Tab");
        assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
        assert_shows(&d, "confl \u2502");
        assert_shows(&d, "load 1 ");
        if (widths[i] >= 72)
            assert_shows(&d, " wf ideal confl ");
        drive_close(&d);
    }
}

/* Both are fitted to the room that they then have: the same when the form was open meanwhile. */
static void both_are_fitted_at_once(void **state)
{
    static const struct {
        const char *source, *keys;
        int width, height;
    } cases[] = {{"tilus/product-3x4-2x3", "|", 100, 30},
                 {"tilus/product-3x4-2x3", "|", 80, 40},
                 {"start/16x16", "d", 80, 40}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        struct lw_panes first, after;
        uint8_t zooms[2];
        drive_open(&d, cases[i].source);
        drive_resize(&d, cases[i].width, cases[i].height);
        drive_fit(&d);
        drive_keys(&d, cases[i].keys);
        assert_int_equal(d.ex.panes.count, 2);
        lw_panes(&d.ex, &first);
        for (int pane = 0; pane < 2; pane++) {
            assert_true(lw_pane_fits(&d.ex, &d.ex.panes.all[pane]));
            zooms[pane] = d.ex.panes.all[pane].zoom;
        }
        drive_keys(&d, "Enter Esc");
        lw_panes(&d.ex, &after);
        assert_memory_equal(&first.view, &after.view, sizeof first.view);
        for (int pane = 0; pane < 2; pane++)
            assert_int_equal(d.ex.panes.all[pane].zoom, zooms[pane]);
        drive_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_split_that_is_not_seen),

        cmocka_unit_test(cursors_are_linked),
        cmocka_unit_test(one_of_two_has_numbers),
        cmocka_unit_test(hidden_parameters_are_mentioned),
        cmocka_unit_test(they_stand_beside_or_below),
        cmocka_unit_test(a_pair_shows_both_layouts),
        cmocka_unit_test(tab_goes_round),
        cmocka_unit_test(each_pane_has_its_own_view),
        cmocka_unit_test(editing_redraws_both),
        cmocka_unit_test(the_mouse_chooses_the_pane),

        cmocka_unit_test(two_sources_are_side_by_side),
        cmocka_unit_test(the_list_marks_what_is_compared),
        cmocka_unit_test(two_compared_layouts_are_alike),
        cmocka_unit_test(panes_have_equal_cells),
        cmocka_unit_test(others_are_shown_without_a_comparison),
        cmocka_unit_test(both_are_fitted_at_once),
        cmocka_unit_test(both_are_beside_the_form),
        cmocka_unit_test(sums_stay_beside_the_form),
        cmocka_unit_test(compared_banks_are_named_beside_the_form),
    };
    return cmocka_run_group_tests_name("split", tests, NULL, NULL);
}
