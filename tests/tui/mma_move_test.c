/* The cursor in the operands of an MMA: it stays on an element, and what leaves the view leads back to its element,
 * where find begins, and which labels are lit. */

#include "tui/draw/drawing.h"
#include "tui/drive.h"
#include "tui/explore/explorer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct lw_view_pane *pane_of(struct drive *d)
{
    return d->ex.panes.active;
}

static bool is_on_element(struct drive *d)
{
    struct lw_view_pane *pane = pane_of(d);
    struct lw_spot spot;
    return pane->view.type->spot(&pane->view, pane->row, pane->col, &spot);
}

/* A comparison is only of the layout itself, and its end leads back to the operand and the element. */
static void a_comparison_leads_back(void **state)
{
    static const char *const ends[] = {"Esc", "Down d", "Right Backspace", "|", "Tab Esc"};
    static const char *const elements[] = {"A 3,2", "B 5,6", "C 9,4"};
    struct drive d;
    char command[32];
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends * 3; i++) {
        drive_open_at(&d, "mma/m16n8k16", i % 2 ? 80 : 120, i % 2 ? 24 : 40);
        snprintf(command, sizeof command, "find %s", elements[i % 3]);
        drive_command(&d, command);
        const uint64_t row = pane_of(&d)->row, col = pane_of(&d)->col;
        const struct lw_spot spot = d.ex.panes.spot;
        drive_keys(&d, "d");
        assert_string_equal(pane_of(&d)->view.type->name, "owners");
        drive_keys(&d, ends[i / 3]);
        assert_false(d.ex.layouts.has_other);
        assert_string_equal(pane_of(&d)->view.type->name, "mma");
        assert_int_equal(pane_of(&d)->row, row);
        assert_int_equal(pane_of(&d)->col, col);
        assert_int_equal(d.ex.panes.spot.operand, spot.operand);
        assert_memory_equal(d.ex.panes.spot.out, spot.out, 2 * sizeof *spot.out);
        drive_close(&d);
    }
    drive_open_at(&d, "mma/m16n8k16", 120, 40); /* a view that was chosen meanwhile stays */
    drive_keys(&d, "d 2 d");
    assert_string_equal(pane_of(&d)->view.type->name, "hardware");
    drive_close(&d);
    drive_open_at(&d, "mma/m16n8k16", 120, 40); /* in another entry none is returned to */
    drive_keys(&d, "d");
    drive_command(&d, "open start/16x16");
    drive_keys(&d, "d Esc");
    assert_string_equal(pane_of(&d)->view.type->name, "owners");
    drive_command(&d, "view mma");
    drive_keys(&d, "d");
    drive_command(&d, "open blocked/16x64"); /* which ends it, too */
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.panes.all[0].view_index, drive_view("mma"));
    drive_close(&d);
}

/* The ends of a row, of a column and of the view are those of an operand. */
static void ends_are_elements(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}, {40, 10}};
    static const char *const keys[] = {
        "G", "End", "g", "Home", "PgDn", "PgUp", "G End Up End", "g Home Down Home"};
    static const char *const sources[] = {"mma/m16n8k16", "mma/m16n8k32", "mma/wgmma-m64n64k16",
                                          "mma/2x2-warps", "local(3, 4).spatial(2, 3)"};
    struct drive d;
    (void)state;
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            drive_open_at(&d, sources[s], sizes[i][0], sizes[i][1]);
            for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
                for (int down = 0; down < 16; down += 5) {
                    drive_keys(&d, "g");
                    for (int n = 0; n < down; n++)
                        drive_keys(&d, "Down");
                    drive_keys(&d, keys[k]);
                    if (!is_on_element(&d))
                        fail_msg("%s at %dx%d: %s from row %d", sources[s], sizes[i][0],
                                 sizes[i][1], keys[k], down);
                }
            drive_close(&d);
        }
    drive_open_at(&d, "mma/m16n8k16", 80, 24); /* B has fewer rows than A and C */
    drive_keys(&d, "G");
    assert_shows(&d, "C (15, 7)");
    drive_close(&d);
}

/* The cursor begins in C or in A, as there is room, but find in C; in another operand once the user moved there. */
static void find_begins_in_the_result(void **state)
{
    static const int sizes[][2] = {{80, 24}, {100, 30}, {120, 40}, {200, 60}};
    struct drive d;
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        drive_open_at(&d, "mma/m16n8k16", sizes[i][0], sizes[i][1]);
        drive_command(&d, "find 5,3");
        assert_shows(&d, "C (5, 3)");
        drive_keys(&d, "n");
        assert_shows(&d, "A (5, 3)");
        drive_command(&d, "find 4,4"); /* where the cursor is now */
        assert_shows(&d, "A (4, 4)");
        drive_close(&d);
        drive_open_at(&d, "mma/m16n8k16", sizes[i][0], sizes[i][1]);
        drive_keys(&d, "Home Down"); /* to A */
        drive_command(&d, "find 5,3");
        assert_shows(&d, "A (5, 3)");
        drive_close(&d);
        drive_open_at(&d, "start/4x4", sizes[i][0], sizes[i][1]);
        drive_command(&d, "mma m16n8k16");
        drive_resize(&d, 80, 24);
        drive_command(&d, "find 5,3");
        assert_shows(&d, "C (5, 3)");
        drive_close(&d);
    }
    drive_open_at(&d, "mma/m16n8k16", 80, 24);
    drive_click(&d, 5, 6);
    drive_command(&d, "find 5,3");
    assert_shows(&d, "A (5, 3)");
    drive_close(&d);
}

static enum lw_pen_kind pen_of_label(struct drive *d, const char *text, int at)
{
    const struct lw_glyph *tile = drive_tile(d, text);
    assert_non_null(tile);
    return tile[at].pen.kind;
}

/* Of the labels on one line of the screen only that of the cursor's operand is lit, and that of its column. */
static void labels_of_other_operands_are_not_lit(void **state)
{
    static const char line[] = "5  20 21 22 23 20 21 22 23  5 20  21  22  23    k10   1";
    static const char heads[] = "A  k0    k4    k8    k12    C  0 1 2 3 4 5 6 7    B   0  1";
    static const struct {
        const char *find;
        enum lw_pen_kind a, c, b;      /* the labels of the row */
        enum lw_pen_kind k, column, n; /* k4 of A, 3 of C, 0 of B */
    } cases[] = {
        {"A 5,4", LW_PEN_LABEL_ON, LW_PEN_LABEL, LW_PEN_LABEL, LW_PEN_LABEL_ON, LW_PEN_LABEL,
         LW_PEN_LABEL},
        {"C 5,3", LW_PEN_LABEL, LW_PEN_LABEL_ON, LW_PEN_LABEL, LW_PEN_LABEL, LW_PEN_LABEL_ON,
         LW_PEN_LABEL},
        {"B 10,0", LW_PEN_LABEL, LW_PEN_LABEL, LW_PEN_LABEL_ON, LW_PEN_LABEL, LW_PEN_LABEL,
         LW_PEN_LABEL_ON},
    };
    struct drive d;
    char command[32];
    (void)state;
    drive_open_at(&d, "mma/m16n8k16", 80, 24);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(command, sizeof command, "find %s", cases[i].find);
        drive_command(&d, command);
        assert_int_equal(pen_of_label(&d, line, 0), cases[i].a);
        assert_int_equal(pen_of_label(&d, line, 28), cases[i].c);
        assert_int_equal(pen_of_label(&d, line, 48), cases[i].b);
        assert_int_equal(pen_of_label(&d, heads, 9), cases[i].k);
        assert_int_equal(pen_of_label(&d, heads, 37), cases[i].column);
        assert_int_equal(pen_of_label(&d, heads, 54), cases[i].n);
    }
    drive_close(&d);
    drive_open_at(&d, "mma/m16n8k16", 120, 40); /* a row of A and C has one label */
    drive_command(&d, "find A 5,3");
    assert_int_equal(pen_of_label(&d, "   5 20 20", 3), LW_PEN_LABEL_ON);
    drive_command(&d, "find C 5,3");
    assert_int_equal(pen_of_label(&d, "   5 20 20", 3), LW_PEN_LABEL_ON);
    drive_command(&d, "find B 5,3");
    assert_int_equal(pen_of_label(&d, "   5 20 20", 3), LW_PEN_LABEL);
    assert_int_equal(pen_of_label(&d, " k5   2", 1), LW_PEN_LABEL_ON);
    drive_close(&d);
}

/* The cursor begins in the result, however the operands are arranged. */
static void the_cursor_begins_in_the_result(void **state)
{
    static const char *const commands[] = {"mma m16n8k16", "mma mfma-16x16x16"};
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            struct drive d;
            drive_open(&d, "start/16x16");
            drive_resize(&d, sizes[s][0], sizes[s][1]);
            drive_command(&d, commands[i]);
            drive_draw(&d);
            assert_string_equal(d.ex.panes.active->view.type->name, "mma");
            assert_shows(&d, s ? "C (0, 0) ─" : "C (0, 0) ");
            drive_close(&d);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_comparison_leads_back),
        cmocka_unit_test(ends_are_elements),
        cmocka_unit_test(find_begins_in_the_result),
        cmocka_unit_test(labels_of_other_operands_are_not_lit),
        cmocka_unit_test(the_cursor_begins_in_the_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
