/* The operands of an MMA in the explorer: how it opens, what is lit, what is found, marks, and at which size all of
 * it has text. */

#include "tui/draw/drawing.h"
#include "tui/drive.h"
#include "tui/explore/explorer.h"
#include "tui/pane/follow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { K = 16, M = 16, N = 8 };

static struct lw_view_pane *pane_of(struct drive *d)
{
    return d->ex.panes.active;
}

/* How many cells of a part of the view are lit. */
static int lit(struct drive *d, uint64_t row, uint64_t col, uint64_t rows, uint64_t cols)
{
    struct lw_follow follow;
    struct lw_spot spot;
    int count = 0;
    struct lw_view_pane *pane = pane_of(d);
    lw_follow_begin(&d->ex, &follow);
    for (uint64_t r = row; r < row + rows; r++)
        for (uint64_t c = col; c < col + cols; c++)
            count += follow.on && pane->view.type->spot(&pane->view, r, c, &spot) &&
                     lw_follow_has(&follow, pane, &spot);
    return count;
}

static void assert_lit(struct drive *d, int a, int b, int c)
{
    assert_int_equal(lit(d, K, 0, M, K), a);
    assert_int_equal(lit(d, 0, K, K, N), b);
    assert_int_equal(lit(d, K, K, M, N), c);
}

/* Each has its name and its own numbers beside it. */
static void each_has_a_heading(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "mma/m16n8k16", 120, 40);
    assert_shows(&d, " B  k0   0  4  8");
    assert_shows(&d, " k15   3  7");
    assert_int_equal(drive_tile(&d, "    A    ")[4].pen.kind, LW_PEN_TITLE);
    assert_shows(&d, " k0    k2    k4    k6    k8    k10   k12   k14    C ");
    assert_hides(&d, "k14   0");
    assert_shows(&d, "A below left, B above right, C below right");
    drive_close(&d);
    drive_open_with(&d, "mma/wmma-16x16x16", &(struct lw_tui_options){.color_by = "register"});
    drive_resize(&d, 60, 32); /* in halves of characters too: by register no two cells look alike */
    drive_fit(&d);
    for (int i = 0; i < 3 && !d.ex.panes.active->half; i++)
        drive_keys(&d, "-");
    assert_true(d.ex.panes.active->half);
    assert_shows(&d, " B k0 ");
    assert_shows(&d, " k0  k4  k8 ");
    assert_int_equal(drive_tile(&d, "    A    ")[4].pen.kind, LW_PEN_TITLE);
    drive_close(&d);
    drive_open_at(&d, "local(3, 4).spatial(2, 3)", 120, 40);
    assert_shows(&d, "outer             product");
    assert_shows(&d, "  0   1   2   3     0   1   2    3   4   5");
    assert_shows(&d, " inner           3  3   4   5");
    assert_shows(&d, " 0  0   1   2      4  0   1   2");
    drive_close(&d);
}

/* Where A, B and C have no room for the numbers of lanes, B is beside C: each with its name and its rows. */
static void operands_move_beside_each_other(void **state)
{
    static const bool plain[] = {false, true};
    (void)state;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        struct drive d;
        drive_open(&d, "mma/m16n8k16");
        d.ex.screen.plain = plain[i];
        drive_resize(&d, 80, 24);
        drive_fit(&d);
        const struct lw_view_pane *pane = pane_of(&d);
        assert_true(pane->beside && !pane->half && pane->step_rows * pane->step_cols == 1);
        assert_shows(
            &d, plain[i]
                    ? " A k0  k2  k4  k6  k8  k10 k12 k14   C  0 1 2 3 4 5 6 7    B  0 1 2 3 4 5 6"
                    : " A  k0    k4    k8    k12    C  0 1 2 3 4 5 6 7    B   0  1  2  3  4  5  6");
        assert_shows(
            &d,
            plain[i]
                ? " 0  0 0 1 1 2 2 3 3 0 0 1 1 2 2 3 3  0  0 0 1 1 2 2 3 3   k0  0 4 8 c"
                : " 0   0  1  2  3  0  1  2  3  0  0   1   2   3     k0   0  4  8 12 16 20 24 28");
        assert_shows(&d, plain[i] ? "k15  3 7 b f j n r v" : "k14   3  7 11 15 19 23 27 31");
        drive_close(&d);
    }
    struct drive d;
    drive_open_at(&d, "mma/m16n8k16", 120, 40);
    assert_false(pane_of(&d)->beside);
    drive_close(&d);
}

/* The registers of one lane: 8 of A, 4 of B, 4 of C. */
static void a_lane_is_lit_in_all_three(void **state)
{
    static const char *const moves[] = {"", "Right Down", "Up Up Up Up", "Left", "Home"};
    struct drive d;
    (void)state;
    drive_open_at(&d, "mma/m16n8k16", 120, 40);
    assert_string_equal(pane_of(&d)->view.type->name, "mma");
    assert_int_equal(pane_of(&d)->row, K); /* the first element of C */
    assert_int_equal(pane_of(&d)->col, K);
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        drive_keys(&d, moves[i]);
        assert_lit(&d, 8, 4, 4);
    }
    drive_close(&d);
}

static void another_field_is_followed(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "mma/m16n8k16", 120, 40);
    drive_keys(&d, "H"); /* register 0 of all lanes */
    assert_shows(&d, "(H: lane, register, nothing)");
    assert_lit(&d, 32, 32, 32);
    drive_keys(&d, "Right");
    assert_lit(&d, 32, 32, 32);
    drive_keys(&d, "H");
    assert_lit(&d, 0, 0, 0);
    drive_close(&d);
}

/* What find finds is the view's own operand, and what it lights is in all. */
static void find_lights_all_that_a_thread_owns(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "mma/m16n8k16", 120, 40);
    drive_command(&d, "find A t9");
    assert_int_equal(pane_of(&d)->row, K + 2);
    assert_int_equal(pane_of(&d)->col, 2);
    assert_lit(&d, 8, 4, 4);
    assert_shows(&d, "A (2, 2)");
    drive_close(&d);
}

/* In the operand under the cursor, or in the one that is named. */
static void find_looks_in_an_operand(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "mma/m16n8k16", 120, 40);
    drive_command(&d, "find 3,2");
    assert_shows(&d, "C (3, 2)");
    drive_command(&d, "find 3,12"); /* C has no such column */
    assert_shows(&d, "A (3, 12)");
    drive_command(&d, "find B 3,2");
    assert_shows(&d, "B (3, 2)");
    drive_command(&d, "find 15,7"); /* of B */
    assert_shows(&d, "B (15, 7)");
    drive_command(&d, "find t9"); /* of B, then of C and of A */
    assert_shows(&d, "1 of 16");
    static const int operands[] = {2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 2};
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++, drive_keys(&d, "n"))
        assert_int_equal(d.ex.panes.spot.operand, operands[i]);
    assert_shows(&d, "2 of 16"); /* round again */
    drive_command(&d, "find A t9");
    assert_shows(&d, "1 of 8");
    assert_shows(&d, "A (2, 2)");
    drive_command(&d, "find B 16,0");
    assert_shows(&d, "no element 16,0");
    drive_close(&d);
}

/* Cells that are of no operand are passed over; at the last one the cursor stays. */
static void the_cursor_is_always_on_an_operand(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "mma/m16n8k16", 80,
                  24); /* C and B are right of A, with empty columns between them */
    assert_true(pane_of(&d)->beside);
    drive_command(&d, "find A 4,15");
    assert_shows(&d, "A (4, 15)"); /* in one cell with 14 */
    drive_keys(&d, "Right");
    assert_shows(&d, "C (4, 0)");
    drive_keys(&d, "Right Right Right Right Right Right Right Right");
    assert_shows(&d, "B (8, 0)");
    drive_keys(&d, "Left");
    assert_shows(&d, "C (4, 7)");
    drive_close(&d);
    drive_open_at(&d, "mma/m16n8k16", 200, 60);
    drive_command(&d, "find A 0,3");
    drive_keys(&d, "Up"); /* above A there is nothing */
    assert_shows(&d, "A (0, 3)");
    drive_close(&d);
    drive_open_at(&d, "mma/m16n8k16", 100,
                  30); /* the last column's number would touch a row's of B */
    assert_shows(&d, " k0    k4    k8      k14 ");
    drive_close(&d);
}

/* A step in and one back lead to the same screen: the lists that made room stay folded. */
static void zooming_keeps_the_room(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct drive d;
        struct lw_panes before, after;
        drive_open_at(&d, "mma/m16n8k16", sizes[i][0], sizes[i][1]);
        drive_keys(&d, "Right Left"); /* no message is left */
        char *screen = strdup(drive_screen(&d));
        lw_panes(&d.ex, &before);
        drive_keys(&d, "+");
        lw_panes(&d.ex, &after);
        assert_memory_equal(&before, &after, sizeof before);
        drive_keys(&d, "-");
        assert_string_equal(drive_screen(&d), screen);
        free(screen);
        drive_close(&d);
    }
}

/* A chosen zoom is of a view with its folds: it is the same after another view was shown. */
static void a_chosen_zoom_keeps_its_folds(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "mma/m16n8k16", 80, 24);
    const bool beside = pane_of(&d)->beside;
    const uint64_t fold = pane_of(&d)->fold;
    assert_true(beside && fold > 1);
    drive_keys(&d, "+");
    drive_keys(&d, "Right Left"); /* no message is left */
    char *screen = strdup(drive_screen(&d));
    drive_keys(&d, "1");
    assert_string_equal(pane_of(&d)->view.type->name, "owners");
    drive_command(&d, "view mma");
    assert_int_equal(pane_of(&d)->fold, fold);
    drive_keys(&d, "h h");
    assert_string_equal(drive_screen(&d), screen);
    free(screen);
    drive_close(&d);
}

static void copies_are_lit(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "mma/2x2-warps");
    drive_command(&d, "find t77"); /* of warp 2: lane 13, in rows 3 and 11 of the lower half */
    assert_int_equal(lit(&d, K, 0, 32, K), 8);
    assert_int_equal(lit(&d, 0, K, K, 16), 4);
    assert_int_equal(lit(&d, K, K, 32, 16), 4);
    drive_close(&d);
}

static void marks_are_in_all_three(void **state)
{
    struct drive d;
    struct lw_spot spot;
    int marked = 0;
    (void)state;
    drive_open_at(&d, "mma/m16n8k16", 120, 40);
    drive_command(&d, "mark t9");
    for (uint64_t r = 0; r < K + M; r++)
        for (uint64_t c = 0; c < K + N; c++)
            marked += pane_of(&d)->view.type->spot(&pane_of(&d)->view, r, c, &spot) &&
                      lw_is_marked(&d.ex, pane_of(&d), &pane_of(&d)->view, &spot);
    assert_int_equal(marked, 8 + 4 + 4);
    drive_close(&d);
}

/* The spot of another operand is in no view that draws one layout alone. */
static void the_cursor_goes_with_its_operand(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "mma/m16n8k16", 120, 40);
    drive_command(&d, "find A 5,7");
    drive_keys(&d, "1");
    assert_string_equal(drive_element(&d), "5,7");
    drive_command(&d, "view mma");
    assert_shows(&d, "A (5, 7)");
    drive_keys(&d, "End"); /* into C */
    assert_shows(&d, "C (5, 7)");
    drive_keys(&d, "1");
    assert_int_equal(pane_of(&d)->row, 0);
    drive_close(&d);
}

static void an_edit_changes_all_three(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "mma/m16n8k16", 160, 70);
    drive_command(&d, "set parent.warpsPerCTA=2,2 shape=32,16");
    assert_int_equal(pane_of(&d)->view.rows, K + 32);
    assert_int_equal(pane_of(&d)->view.cols, K + 16);
    drive_close(&d);
}

static void the_command_opens_names_atoms_and_sources(void **state)
{
    static const struct {
        const char *name, *caption;
    } cases[] = {
        {"m16n8k32", "C 16x8 i32 += A 16x32 i8 * B 32x8 i8"},
        {"mfma-32x32x8", "C 32x32 f32 += A 32x8 f16 * B 8x32 f16"},
        {"wmma-16x16x16", "C 16x16 f32 += A 16x16 f16 * B 16x16 f16"},
        {"SM80_16x8x8_F32TF32TF32F32_TN", "C 16x8 f32 += A 16x8"},
        {"make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2,_1>>{})",
         "C 32x16 f32 += A 32x16 f16 * B 16x16 f16"},
        {"mma/m16n8k16.b", "C 16x8 f32 += A 16x16 f16 * B 16x8 f16"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        char line[128];
        drive_open(&d, "start/4x4");
        snprintf(line, sizeof line, "mma %s", cases[i].name);
        drive_command(&d, line);
        assert_shows(&d, cases[i].caption);
        drive_keys(&d, "Esc");
        assert_shows(&d, "start/4x4");
        drive_close(&d);
    }
}

/* The arrangements that are tried leave the cursor where it was: at first on an operand's first element. */
static void the_cursor_stays_on_its_element(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {100, 30}, {80, 24}, {160, 60}};
    struct drive d;
    (void)state;
    drive_open_at(&d, "mma/m16n8k32", 80, 24);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        drive_resize(&d, sizes[i][0], sizes[i][1]);
        drive_draw(&d);
        assert_string_equal(drive_element(&d), "0,0");
    }
    drive_close(&d);
}

/* Of operands that do not fit, the elements along k that one lane holds are one cell. */
static void long_operands_have_text(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "mma/m16n8k32", 120, 40);
    assert_int_equal(pane_of(&d)->zoom, LW_ZOOM_SHORT);
    assert_shows(&d, " k28   3   7  11  15  19  23  27  31");
    assert_shows(&d, "A left, B above: 4 k a cell; C in the corner");
    assert_shows(&d, "C 16x8 i32 += A 16x32 i8 * B 32x8 i8");
    drive_command(&d, "find A 0,5");
    assert_shows(&d, "A (0, 5)");
    drive_resize(&d, 80, 24);
    drive_fit(&d);
    assert_shows(&d, "k28   3  7 11 15 19 23 27 31");
    assert_shows(&d, "4 k a cell of A, B; rows are m in A and C, k in B");
    assert_shows(&d, "A (0, 5)");
    drive_keys(&d, "+ + +"); /* with registers no two look alike, and the cursor stays */
    assert_int_equal(pane_of(&d)->zoom, LW_ZOOM_FULL);
    assert_shows(&d, "A (0, 5)");
    drive_close(&d);
}

/* Most rows with text rather than all without it. */
static void few_rows_are_scrolled(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "mma/wmma-16x16x16", 80, 24);
    assert_false(pane_of(&d)->half);
    assert_shows(&d, "rows 0-15 of 17");
    assert_shows(&d, "A left, B above: 16 k a cell; C in the corner");
    assert_shows(&d, "C (0, 0)");
    drive_close(&d);
    drive_open_at(&d, "mma/mfma-32x32x8", 80, 24); /* less than half of the rows, which are alike */
    assert_true(lw_pane_shows_lanes(&d.ex, pane_of(&d)));
    assert_shows(&d, "rows 0-15 of 34");
    assert_shows(&d, "k4 A");
    drive_close(&d);
}

/* Where no number of a lane has room, each cell has the first and the last of its threads, each part its name and a
 * gap beside it; what is in memory is a box that says so. */
static void large_tiles_are_aggregated(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "mma/wgmma-m64n64k16", 80, 24);
    assert_false(pane_of(&d)->half);
    assert_shows(&d, " 16 1  1  1  1   1  1  1  1 ");
    assert_shows(&d, ", of one warp ");
    assert_shows(&d, "warp   0  1  2  3");
    assert_shows(&d, "B: in shared memory");
    assert_int_equal(drive_tile(&d, "A            C  ")[13].pen.kind, LW_PEN_TITLE);
    assert_shows(&d, "8 regs x 32 lanes x 4 warps");
    drive_close(&d);
    drive_open_at(&d, "mma/wgmma-m64n64k16", 120, 40);
    assert_shows(&d, "\u256d\u2500\u2500\u2500\u2500"); /* the box */
    assert_shows(&d, "  12 0  0  0  0   0  0  0  0 ");
    drive_close(&d);
}

static void another_layout_has_none(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/4x4");
    drive_command(&d, "mma");
    assert_shows(&d, "mma: this layout is not an operand or result of an MMA");
    drive_close(&d);
}

/* 33 rows, with that between B and C: beside the form there is room for them in 40. */
static void the_inspector_gives_way(void **state)
{
    static const struct {
        int width, height;
        enum lw_inspector inspector;
        unsigned zoom;
    } cases[] = {
        {200, 60, LW_INSPECTOR_BELOW, LW_ZOOM_SHORT},
        {120, 40, LW_INSPECTOR_BESIDE, LW_ZOOM_SHORT},
        {80, 24, LW_INSPECTOR_LOW, LW_ZOOM_TWO},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_open_at(&d, "mma/m16n8k16", cases[i].width, cases[i].height);
        assert_int_equal(d.ex.panes.inspector, cases[i].inspector);
        assert_int_equal(pane_of(&d)->zoom, cases[i].zoom);
        assert_shows(&d, cases[i].inspector == LW_INSPECTOR_LOW ? "l0 r0; needs A" : "C (0, 0)");
        drive_close(&d);
    }
}

/* From the list: the focus goes to the view, and the list folds where numbers of the operands would touch beside it. */
static void the_list_gives_way(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {132, 43}, {200, 60}};
    static const char *const names[] = {"m16n8k8", "m16n8k16", "mfma-16x16x16"};
    struct drive d;
    (void)state;
    for (int i = 0; i < 12; i++) {
        drive_open(&d, NULL);
        drive_resize(&d, sizes[i % 4][0], sizes[i % 4][1]);
        char line[64];
        snprintf(line, sizeof line, "mma %s", names[i / 4]);
        drive_command(&d, line);
        drive_fit(&d);
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        assert_true(lw_pane_shows_lanes(&d.ex, pane_of(&d)));
        assert_false(lw_pane_operands_touch(&d.ex, pane_of(&d)));
        drive_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_has_a_heading),
        cmocka_unit_test(operands_move_beside_each_other),
        cmocka_unit_test(a_lane_is_lit_in_all_three),
        cmocka_unit_test(another_field_is_followed),
        cmocka_unit_test(find_lights_all_that_a_thread_owns),
        cmocka_unit_test(find_looks_in_an_operand),
        cmocka_unit_test(the_cursor_is_always_on_an_operand),
        cmocka_unit_test(zooming_keeps_the_room),
        cmocka_unit_test(a_chosen_zoom_keeps_its_folds),
        cmocka_unit_test(copies_are_lit),
        cmocka_unit_test(marks_are_in_all_three),
        cmocka_unit_test(the_cursor_goes_with_its_operand),
        cmocka_unit_test(an_edit_changes_all_three),
        cmocka_unit_test(the_command_opens_names_atoms_and_sources),
        cmocka_unit_test(the_cursor_stays_on_its_element),
        cmocka_unit_test(long_operands_have_text),
        cmocka_unit_test(few_rows_are_scrolled),
        cmocka_unit_test(large_tiles_are_aggregated),
        cmocka_unit_test(another_layout_has_none),
        cmocka_unit_test(the_inspector_gives_way),
        cmocka_unit_test(the_list_gives_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
