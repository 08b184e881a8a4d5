/* Marks and selections: the query's cells are highlighted, checked owner by owner. */

#include "tui/drive.h"
#include "tui/pane/follow.h"
#include "tui/prompt/query_match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define REPLICATED                                                                                 \
    "tensor<4x4xf32, #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 8], warpsPerCTA "  \
    "= [2, 2], order = [1, 0]}>>"
/* 2^14 registers, of which two bits matter; lanes, of which one does. */
#define VAST                                                                                       \
    "{\"in\":[[\"register\",16384],[\"lane\",32],[\"warp\",1],[\"block\",1]],\"out\":[[\"dim0\","  \
    "8]],\"bases\":{\"register\":[[1],[0],[0],[0],[0],[0],[0],[0],[0],[3],[0],[0],[0],[0]],"       \
    "\"lane\":[[0],[4],[0],[0],[0]],\"warp\":[],\"block\":[]}}"

static void type(struct drive *d, const char *text)
{
    drive_type(d, text);
    drive_keys(d, "Enter");
}

/* Does some owner of this element fit, asked one by one? */
static bool fits(const struct lw_subject *subject, const uint64_t *out, const char *dim,
                 uint64_t modulo, uint64_t value)
{
    uint64_t in[LW_DIMS_MAX];
    int d = lw_dims_find(&subject->map.in, dim);
    assert_true(d >= 0);
    for (uint64_t k = 0; lw_map_owner(&subject->map, out, k, in); k++)
        if (in[d] % modulo == value)
            return true;
    return false;
}

static void elements_are_lit_by_any_owner(void **state)
{
    static const struct {
        const char *source, *query, *dim;
        uint64_t value;
    } cases[] = {
        {"start/16x16", "l5", "lane", 5},
        {"start/16x16", "w1", "warp", 1},
        {"start/16x16", "r3", "register", 3},
        {REPLICATED, "l1", "lane", 1},
        {REPLICATED, "l9", "lane", 9},
        {REPLICATED, "w3", "warp", 3},
        {VAST, "r512", "register", 512},
        {VAST, "r514", "register", 514},
        {VAST, "r1", "register", 1},
        {VAST, "l2", "lane", 2},
        {"local(3, 4).spatial(2, 3)", "t4", "thread", 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        struct lw_spot spot;
        int lit = 0;
        drive_open(&d, cases[i].source);
        type(&d, ":view owners");
        drive_keys(&d, "m C-u");
        type(&d, cases[i].query);
        assert_int_equal(d.ex.marks.count, 1);
        const struct lw_view_pane *pane = d.ex.panes.active;
        for (uint64_t r = 0; r < pane->view.rows; r++)
            for (uint64_t c = 0; c < pane->view.cols; c++) {
                assert_true(pane->view.type->spot(&pane->view, r, c, &spot));
                bool is = lw_is_marked(&d.ex, pane, &pane->view, &spot);
                assert_int_equal(is, fits(pane->view.subject, spot.out, cases[i].dim, UINT64_MAX,
                                          cases[i].value));
                lit += is;
            }
        assert_true(lit > 0);
        assert_shows(&d, "marked");
        drive_close(&d);
    }
}

static void indices_are_lit_themselves(void **state)
{
    struct drive d;
    struct lw_spot spot;
    (void)state;
    drive_open(&d, REPLICATED);
    type(&d, ":view hardware");
    type(&d, ":mark l1 w0");
    const struct lw_view_pane *pane = d.ex.panes.active;
    int lane = lw_dims_find(&pane->view.subject->map.in, "lane");
    int warp = lw_dims_find(&pane->view.subject->map.in, "warp");
    for (uint64_t r = 0; r < pane->view.rows; r++)
        for (uint64_t c = 0; c < pane->view.cols; c++) {
            assert_true(pane->view.type->spot(&pane->view, r, c, &spot));
            assert_int_equal(lw_is_marked(&d.ex, pane, &pane->view, &spot),
                             spot.in[lane] == 1 && spot.in[warp] == 0);
        }
    drive_close(&d);
}

static void banks_are_lit(void **state)
{
    struct drive d;
    struct lw_spot spot;
    int lit = 0;
    (void)state;
    drive_open(&d, "swizzle/16x32-xor");
    type(&d, ":view memory");
    type(&d, ":mark bank 7");
    const struct lw_view_pane *pane = d.ex.panes.active;
    const struct lw_subject *subject = pane->view.subject;
    uint64_t bytes = (uint64_t)subject->tensor.element.bits / 8;
    int offset = lw_dims_find(&subject->map.in, "offset");
    for (uint64_t r = 0; r < pane->view.rows; r++)
        for (uint64_t c = 0; c < pane->view.cols; c++)
            if (pane->view.type->spot(&pane->view, r, c, &spot)) {
                bool is = spot.in[offset] * bytes / 4 % 32 == 7;
                assert_int_equal(lw_is_marked(&d.ex, pane, &pane->view, &spot), is);
                lit += is;
            }
    assert_true(lit > 0);
    drive_close(&d);
}

/* The cells of a view of several layouts that are marked; *elements: those of them with this element of a layout. */
static int marked_cells(struct drive *d, const char *layout, uint64_t a, uint64_t b, int *elements)
{
    const struct lw_view_pane *pane = d->ex.panes.active;
    struct lw_spot spot;
    const char *name;
    int count = 0;
    *elements = 0;
    for (uint64_t r = 0; r < pane->view.rows; r++)
        for (uint64_t c = 0; c < pane->view.cols; c++) {
            uint64_t row, col;
            if (!pane->view.type->spot(&pane->view, r, c, &spot) ||
                !lw_is_marked(&d->ex, pane, &pane->view, &spot))
                continue;
            count++;
            lw_view_layout(&pane->view, spot.operand, &name);
            spot.out[0] = a;
            spot.out[1] = b;
            *elements += !strcmp(name, layout) && lw_view_find(&pane->view, &spot, &row, &col) &&
                         row == r && col == c;
        }
    return count;
}

/* In an MMA an element is marked in the operand where the cursor is, or that is named, also in a cell of several. */
static void elements_of_operands_are_marked(void **state)
{
    static const struct {
        const char *source, *find, *mark, *marked, *layout;
        uint64_t element[2];
    } cases[] = {
        {"mma/m16n8k16", "A 0,0", "3,5", "A 3,5", "A", {3, 5}},
        {"mma/m16n8k16", "B 0,0", "3,5", "B 3,5", "B", {3, 5}},
        {"mma/m16n8k16", "C 0,0", "3,5", "C 3,5", "C", {3, 5}},
        {"mma/m16n8k16", "C 0,0", "3,12", "A 3,12", "A", {3, 12}},
        {"mma/m16n8k16", "A 0,0", "B[15,7]", "B 15,7", "B", {15, 7}},
        {"mma/m16n8k16.c", "B 0,0", "15, 6", "B 15, 6", "B", {15, 6}},
        {"mma/2x2-warps", "B 1,1", "3,5", "B 3,5", "B", {3, 5}},
        {"mma/wgmma-m64n64k16", "A 0,0", "3,5", "A 3,5", "A", {3, 5}},
    };
    int elements;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int fit = 0; fit < 2; fit++) {
            struct drive d;
            struct lw_text line = {0};
            drive_open(&d, cases[i].source);
            if (fit)
                drive_fit(&d);
            drive_show(&d, lw_view_type_find("mma"));
            if (*cases[i].find != 'B' || !strstr(cases[i].source, "wgmma"))
                drive_command(&d, "find A 0,0");
            lw_text_format(&line, "find %s", cases[i].find);
            drive_command(&d, lw_text_string(&line));
            lw_text_clear(&line);
            lw_text_format(&line, "mark %s", cases[i].mark);
            drive_command(&d, lw_text_string(&line));
            assert_non_null(strstr(d.ex.status.message, cases[i].marked));
            assert_int_equal(marked_cells(&d, cases[i].layout, cases[i].element[0],
                                          cases[i].element[1], &elements),
                             1);
            assert_int_equal(elements, 1);
            drive_command(&d, "find A 9,0");
            drive_keys(&d, "Down"); /* ends the message */
            assert_shows(&d, " marked ");
            drive_command(&d, lw_text_string(&line)); /* in A */
            drive_keys(&d, "M");
            assert_int_equal(marked_cells(&d, "A", 0, 0, &elements), 0);
            lw_text_free(&line);
            drive_close(&d);
        }
}

/* A cell of several elements is marked if one of them is, which is asked element by element. */
static void cells_of_several_elements_are_marked(void **state)
{
    static const struct {
        const char *source, *mark, *view;
    } cases[] = {
        {"blocked/16x64", "3,5", "owners"},
        {"blocked/16x64", "t17", "owners"},
        {"tensor<256x256xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
         "warpsPerCTA = [2, 2], order = [1, 0]}>>",
         "t37", "owners"},
        {"tensor<256x256xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
         "warpsPerCTA = [2, 2], order = [1, 0]}>>",
         "w1", "owners"},
        {"tensor<256x256xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
         "warpsPerCTA = [2, 2], order = [1, 0]}>>",
         "r77", "hardware"},
        {"local(30,30).spatial(3,4)", "t7", "owners"},
        {"local(30,30).spatial(3,4)", "61,77", "owners"},
        {"((32,4),(4,64)):((64,1),(16,2048))", "100,77", "owners"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        struct lw_text line = {0};
        int cells = 0;
        drive_open(&d, cases[i].source);
        drive_show(&d, lw_view_type_find(cases[i].view));
        drive_fit(&d);
        drive_screen(&d);
        const struct lw_view_pane *pane = d.ex.panes.active;
        const struct lw_view *view = &pane->view;
        assert_true(pane->step_rows * pane->step_cols > 1);
        lw_text_format(&line, "mark %s", cases[i].mark);
        drive_command(&d, lw_text_string(&line));
        assert_non_null(strstr(d.ex.status.message, ": marked"));
        lw_marked_update(&d.ex, d.ex.panes.active);
        for (uint64_t row = 0; row < view->rows; row += pane->step_rows)
            for (uint64_t col = 0; col < view->cols; col += pane->step_cols) {
                bool any = false;
                for (uint64_t k = 0; k < pane->step_rows * pane->step_cols; k++) {
                    struct lw_spot spot;
                    if (view->type->spot(view, row + k / pane->step_cols, col + k % pane->step_cols,
                                         &spot))
                        any = any || lw_is_marked(&d.ex, pane, view, &spot);
                }
                assert_int_equal(lw_marked_has(&pane->marked, pane, row, col), any);
                cells += any;
            }
        assert_true(cells > 0);
        lw_text_free(&line);
        drive_close(&d);
    }
}

/* The marked cells are found again when a mark or the layout changes, not at each key. */
static void marks_are_found_once(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_command(&d, "mark t17");
    drive_command(&d, "mark r7");
    drive_draw(&d);
    const unsigned version = d.ex.marks.version;
    drive_keys(&d, "1 Down Right Tab Tab 2 1 + - h c Esc");
    assert_int_equal(d.ex.marks.version, version);
    drive_command(&d, "set shape=2,64"); /* which has no register 7 */
    assert_int_not_equal(d.ex.marks.version, version);
    assert_shows(&d, "r7 (not in this layout)");
    drive_close(&d);
}

static void marks_of_operands_come_and_go(void **state)
{
    struct drive d;
    struct lw_text line = {0};
    int elements;
    (void)state;
    drive_open(&d, "mma/m16n8k16");
    drive_fit(&d);
    drive_command(&d, "find B 3,5");
    drive_command(&d, "mark 3,5");
    drive_command(&d, "mark 3,5");
    assert_shows(&d, "B 3,5: no longer marked");
    assert_int_equal(d.ex.marks.count, 0);
    drive_command(&d, "mark B t13");
    assert_int_equal(marked_cells(&d, "B", 3, 3, &elements),
                     2); /* four elements, two along k a cell */
    assert_int_equal(elements, 1);
    drive_command(&d, "mark 3,5");
    lw_put_command(&d.ex, &line);
    assert_non_null(strstr(lw_text_string(&line), "--highlight 'B t13 | B 3,5' --no-dim"));
    drive_keys(&d, "1"); /* owners of A */
    assert_shows(&d, "B 3,5 (not in this layout)");
    lw_text_clear(&line);
    lw_put_command(&d.ex, &line);
    assert_null(strstr(lw_text_string(&line), "--highlight"));
    drive_command(&d, "view mma");
    assert_hides(&d, "not in this layout");
    drive_keys(&d, "M");
    drive_command(&d, "find A 3,5");
    drive_command(&d, "mark 3,5");
    drive_keys(&d, "1"); /* which shows A */
    assert_hides(&d, "not in this layout");
    lw_text_clear(&line);
    lw_put_command(&d.ex, &line);
    assert_non_null(strstr(lw_text_string(&line), "--highlight 3,5 --no-dim"));
    drive_keys(&d, "M");
    drive_command(&d, "view mma");
    drive_command(&d, "mark r7"); /* A has eight registers */
    assert_int_equal(marked_cells(&d, "A", 8, 9, &elements), 32);
    drive_keys(&d, "M");
    drive_command(&d, "mark r9");
    assert_shows(&d, "no register 9: the last is 7");
    lw_text_free(&line);
    drive_close(&d);
}

static void marks_come_and_go(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_keys(&d, "m Enter"); /* the thread under the cursor */
    assert_shows(&d, "t0: marked");
    assert_shows(&d, " marked t0 ");
    assert_int_equal(drive_tile(&d, "T0:1")->pen.kind, LW_PEN_MARK);
    type(&d, ":mark 3,5");
    assert_shows(&d, " marked t0, 3,5 ");
    drive_keys(&d, "m Enter");
    assert_shows(&d, "t0: no longer marked");
    type(&d, ":mark l99");
    assert_shows(&d, "no lane 99");
    type(&d, ":mark bank 3");
    assert_shows(&d, "no banks");
    type(&d, ":mark grass");
    assert_shows(&d, "cannot be marked");
    drive_keys(&d, "M");
    assert_shows(&d, "the mark is cleared");
    assert_hides(&d, " marked t0 ");
    for (int i = 0; i < LW_MARKS_MAX + 1; i++) {
        char text[24];
        snprintf(text, sizeof text, ":mark l%d", i);
        type(&d, text);
    }
    assert_shows(&d, "at most 8 marks");
    drive_close(&d);
}

/* An edit that takes the marked thing away leaves the mark asleep; undo wakes it. */
static void marks_survive_edits(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    type(&d, ":mark r7");
    type(&d, ":set shape=2,64");
    assert_shows(&d, "marked r7 (not in this layout)");
    drive_keys(&d, "u");
    assert_hides(&d, "not in this layout");
    type(&d, ":open local(2, 1).spatial(8, 4)");
    assert_shows(&d, "r7 (not in this layout)");
    drive_close(&d);
}

/* The line of keys has it, where there is room. */
static void the_key_is_seen(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 160, 40);
    assert_shows(&d, " m mark ");
    drive_keys(&d, "8"); /* facts have no cells to mark */
    assert_hides(&d, " m mark ");
    drive_close(&d);
}

static void ranges_are_selected(void **state)
{
    struct drive d;
    uint64_t from[2], to[2];
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_keys(&d, "Down Right v Down Down Right");
    lw_range(d.ex.panes.active, from, to);
    assert_true(from[0] == 1 && to[0] == 4 && from[1] == 1 && to[1] == 3);
    drive_keys(&d, "g");
    lw_range(d.ex.panes.active, from, to);
    assert_true(from[0] == 0 && to[0] == 2 && from[1] == 0 && to[1] == 2);
    assert_int_equal(drive_tile(&d, "T0:1")->pen.kind, LW_PEN_SELECT);
    drive_keys(&d, "v");
    assert_false(d.ex.panes.active->ranged);
    drive_close(&d);
}

/* What the prompt offers is taken as it is, or goes when something else is typed. */
static void the_offer_is_replaced(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_keys(&d, "m");
    drive_type(&d, "t17");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "t17");
    drive_keys(&d, "Enter m Enter");
    assert_shows(&d, "marked t17, t0");
    type(&d, ":find t21");
    assert_shows(&d, "t21: 1 of 32, n for the next; m marks it");
    drive_keys(&d, "m Enter");
    assert_shows(&d, "marked t17, t0, t21");
    drive_keys(&d, "M g m End");
    drive_type(&d, " r1");
    drive_keys(&d, "Enter");
    assert_shows(&d, "marked t0 r1");
    drive_close(&d);
}

/* Tab offers what is under the cursor and what is marked, at the prompt of m and after :mark. */
static void marks_are_completed(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_command(&d, "mark t7");
    drive_keys(&d, "m C-u");
    drive_keys(&d, "Tab");
    assert_string_equal(lw_text_string(&d.ex.prompt.candidates), "t0  0,0  t7");
    drive_type(&d, "t");
    drive_keys(&d, "Tab Tab Tab");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "t7");
    drive_keys(&d, "Esc :");
    drive_type(&d, "mark ");
    drive_keys(&d, "Tab");
    assert_string_equal(lw_text_string(&d.ex.prompt.candidates), "t0  0,0  t7");
    drive_keys(&d, "Esc");
    drive_close(&d);
}

/* Numbers that fill their cells are told from those beside them: by their colours, or where these are the same, as of
 * selected cells, by lines below every second. */
static void touching_numbers_are_told_apart(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "swizzle/16x32-plain");
    drive_fit(&d);
    drive_keys(&d, "1 Down v");
    for (int i = 0; i < 31; i++)
        drive_keys(&d, "Right");
    drive_draw(&d);
    const struct lw_glyph *tile = drive_tile(&d, " 1  0 1 2 3 4 5 6 7 8 910111213");
    assert_non_null(tile);
    tile += 3;
    int same = 0;
    for (int bank = 11; bank < 32; bank++) {
        struct lw_pen before = tile[2 * bank - 1].pen, pen = tile[2 * bank].pen;
        same += before.kind == pen.kind && before.shade == pen.shade;
        assert_true(before.kind != pen.kind || before.shade != pen.shade ||
                    before.line != pen.line);
    }
    assert_true(same > 10);
    drive_close(&d);
    drive_open(&d, "swizzle/16x32-plain"); /* with few colours neighbours may have the same */
    d.ex.screen.few = true;
    drive_fit(&d);
    drive_keys(&d, "1 Down");
    assert_shows(&d, " 1 0123456789abcdefghijklmnopqrstuv");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_offer_is_replaced),
        cmocka_unit_test(elements_are_lit_by_any_owner),
        cmocka_unit_test(indices_are_lit_themselves),
        cmocka_unit_test(banks_are_lit),
        cmocka_unit_test(elements_of_operands_are_marked),
        cmocka_unit_test(cells_of_several_elements_are_marked),
        cmocka_unit_test(marks_are_found_once),
        cmocka_unit_test(marks_of_operands_come_and_go),
        cmocka_unit_test(marks_come_and_go),
        cmocka_unit_test(marks_survive_edits),
        cmocka_unit_test(ranges_are_selected),
        cmocka_unit_test(the_key_is_seen),
        cmocka_unit_test(marks_are_completed),
        cmocka_unit_test(touching_numbers_are_told_apart),
    };
    return cmocka_run_group_tests_name("mark", tests, NULL, NULL);
}
