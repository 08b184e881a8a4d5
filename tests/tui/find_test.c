/* Finding: an element, a hardware index, a bank, a parameter; the next one and the one before. */

#include "tui/draw/drawing.h"
#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BLOCKED                                                                                    \
    "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "           \
    "warpsPerCTA = [2, 1], order = [1, 0]}>>"
#define SHARED                                                                                     \
    "!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "          \
    "order = [1, 0]}>, #smem>"
static void find(struct drive *d, const char *query)
{
    drive_keys(d, "/");
    assert_int_equal(d->ex.focus, LW_FOCUS_FIND);
    drive_type(d, query);
    drive_keys(d, "Enter");
    assert_int_not_equal(d->ex.focus, LW_FOCUS_FIND);
}

static void elements(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    find(&d, "3,5");
    assert_string_equal(drive_element(&d), "3,5");
    find(&d, "(15, 63)");
    assert_string_equal(drive_element(&d), "15,63");
    find(&d, "0 7");
    assert_string_equal(drive_element(&d), "0,7");
    find(&d, "16,0");
    assert_shows(&d, "no element 16,0: the tensor is 16 x 64, the last one 15,63");
    assert_string_equal(drive_element(&d), "0,7");
    assert_hides(&d, "next hit");
    drive_command(&d, "find 99,99");
    assert_shows(&d, "no element 99,99: the tensor is 16 x 64");
    drive_command(&d, "mark 99,99");
    assert_shows(&d, "no element 99,99: the tensor is 16 x 64");
    drive_keys(&d, "n");
    find(&d, "3,5");
    drive_keys(&d, "n N n");
    assert_string_equal(drive_element(&d), "3,5");
    drive_close(&d);
}

/* A part of a large tensor is shown with what is around the element that was found, and the map of all of it. */
static void found_elements_have_their_surroundings(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    static const char *const elements[] = {"2000,3000", "2001,3002", "1500,40", "0,0", "4095,4095"};
    struct drive d;
    (void)state;
    drive_open(&d, "tensor<4096x4096xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = "
                   "[4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>>");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        drive_resize(&d, sizes[i][0], sizes[i][1]);
        for (size_t k = 0; k < sizeof elements / sizeof *elements; k++) {
            struct lw_grid grid;
            struct lw_view_pane *pane = d.ex.panes.active;
            find(&d, elements[k]);
            drive_draw(&d);
            assert_string_equal(drive_element(&d), elements[k]);
            lw_grid(&d.ex, pane, &grid);
            assert_true(grid.map > 0);
            assert_true(pane->row == 0 || pane->row > pane->top);
            assert_true(pane->col == 0 || pane->col > pane->left);
            assert_true(pane->row == 4095 || pane->row + 1 < pane->top + (uint64_t)grid.rows);
            assert_true(pane->col == 4095 || pane->col + 1 < pane->left + (uint64_t)grid.cols);
        }
        find(&d, "2000,3000");
        drive_keys(&d, "Z Z"); /* all of it, and the same element again */
        assert_string_equal(drive_element(&d), "2000,3000");
        assert_true(d.ex.panes.active->row > d.ex.panes.active->top);
        assert_true(d.ex.panes.active->col > d.ex.panes.active->left);
    }
    drive_close(&d);
}

/* A warp, lane or thread whose cell has others too is shown with a cell for each element, as an element is; where each
 * cell has only its own elements the zoom stays. */
static void found_threads_are_distinguished(void **state)
{
    static const char *const queries[] = {"w3", "l5", "t100", "w1 l3"};
    struct drive d;
    (void)state;
    drive_open(&d, "tensor<4096x4096xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = "
                   "[4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>>");
    drive_resize(&d, 80, 24);
    drive_fit(&d);
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        const struct lw_view_pane *pane = d.ex.panes.active;
        assert_true(lw_zoom_is_merged(pane));
        find(&d, queries[i]);
        assert_false(lw_zoom_is_merged(pane));
        assert_shows(&d, "Z shows all of it again");
        if (!i)
            assert_string_equal(drive_element(&d), "12,0");
        drive_keys(&d, "Z");
    }
    drive_close(&d);
    drive_open(&d, "blocked/16x64"); /* a cell is 1x4, of one thread */
    drive_resize(&d, 80, 24);
    drive_fit(&d);
    assert_true(d.ex.panes.active->groups.on);
    find(&d, "t5");
    assert_true(d.ex.panes.active->groups.on);
    find(&d, "l7 r2");
    assert_true(d.ex.panes.active->groups.on);
    drive_close(&d);
}

/* An element with several owners: n goes through them where they are shown. */
static void element_with_many_owners(void **state)
{
    struct drive d;
    uint64_t row, col;
    (void)state;
    drive_open(&d, "start/8-broadcast");
    lw_explorer_set_view(&d.ex, drive_view("hardware"));
    lw_refresh(&d.ex, 0);
    uint64_t out[LW_DIMS_MAX] = {0};
    uint64_t owners = lw_map_owner_count(&d.ex.layouts.opened.subject.map, out);
    if (d.ex.layouts.opened.subject.map.out.count == 1)
        find(&d, "0");
    else
        find(&d, "0,0");
    row = d.ex.panes.active->row;
    col = d.ex.panes.active->col;
    for (uint64_t i = 0; i < owners; i++) {
        struct lw_spot spot;
        assert_true(d.ex.panes.active->view.type->spot(
            &d.ex.panes.active->view, d.ex.panes.active->row, d.ex.panes.active->col, &spot));
        assert_true(spot.has_out && spot.out[0] == 0);
        drive_keys(&d, "n");
        if (i + 1 < owners)
            assert_true(d.ex.panes.active->row != row || d.ex.panes.active->col != col);
    }
    assert_true(d.ex.panes.active->row == row && d.ex.panes.active->col == col);
    drive_close(&d);
}

static void threads(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    find(&d, "t17");
    assert_string_equal(drive_element(&d), "1,4");
    assert_string_equal(drive_cell(&d), "T17:0");
    /* Registers of the thread, one after the other, then round. */
    drive_keys(&d, "n");
    assert_string_equal(drive_cell(&d), "T17:1");
    drive_keys(&d, "n n n");
    assert_int_equal(strncmp(drive_cell(&d), "T17:", 4), 0);
    char at[32];
    snprintf(at, sizeof at, "%s", drive_element(&d));
    drive_keys(&d, "n N");
    assert_string_equal(drive_element(&d), at);
    /* The second warp holds the same thread number plus 32. */
    find(&d, "t33");
    find(&d, "thread 33");
    char cell[32];
    snprintf(cell, sizeof cell, "%s", drive_cell(&d));
    find(&d, "w1 l1 r0");
    assert_string_equal(drive_cell(&d), cell);
    find(&d, "warp=1 lane=1 register=0");
    assert_string_equal(drive_cell(&d), cell);
    find(&d, "t64");
    assert_true(d.ex.status.is_error);
    assert_string_equal(drive_cell(&d), cell);
    drive_close(&d);
}

static void tilus_threads(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "local(2, 1).spatial(8, 4).local(1, 2)");
    find(&d, "t17");
    assert_string_equal(drive_cell(&d), "17: 0");
    drive_keys(&d, "n");
    assert_string_equal(drive_cell(&d), "17: 1");
    drive_keys(&d, "n n n");
    assert_string_equal(drive_cell(&d), "17: 0");
    drive_keys(&d, "N");
    assert_string_equal(drive_cell(&d), "17: 3");
    find(&d, "t3 i2");
    assert_string_equal(drive_cell(&d), "3: 2");
    drive_close(&d);
}

static void parameters(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    find(&d, "threadsPer");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_string_equal(d.ex.form.fields[d.ex.form.field].path, "threadsPerWarp");
    find(&d, "order");
    assert_string_equal(d.ex.form.fields[d.ex.form.field].path, "order");
    /* Several that begin so: n and N walk among them. */
    find(&d, "s");
    assert_string_equal(d.ex.form.fields[d.ex.form.field].path, "shape");
    drive_keys(&d, "n");
    assert_string_equal(d.ex.form.fields[d.ex.form.field].path, "sizePerThread");
    drive_keys(&d, "n");
    assert_string_equal(d.ex.form.fields[d.ex.form.field].path, "shape");
    drive_keys(&d, "N");
    assert_string_equal(d.ex.form.fields[d.ex.form.field].path, "sizePerThread");
    find(&d, "nothingLikeThis");
    assert_shows(&d, "find needs");
    drive_close(&d);
}

/* What has no answer says why; where the view is not drawn, what was found is reported. */
static void refusals(void **state)
{
    static const char *const cases[][2] = {
        {"t17 3,5", "find an element, such as 3,5, or a thread, not both"},
        {"B 3,5", "find an element, such as 3,5, or a block, not both"},
        {"t99999999999999999999", "99999999999999999999 is too great a number"},
        {"18446744073709551616,0", "18446744073709551616 is too great a number"},
        {"T3:99999999999999999999", "99999999999999999999 is too great a number"},
    };
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        find(&d, cases[i][0]);
        assert_shows(&d, cases[i][1]);
        assert_true(d.ex.status.is_error);
    }
    find(&d, "o5");
    assert_shows(&d,
                 "this layout has no offset: its hardware index is register, lane, warp, block");
    drive_command(&d, "view memory"); /* registers have none */
    find(&d, "3,5");
    assert_shows(&d, "3,5: warp 1, lane 17, register 1; this view has no cell for it: 1 shows it");
    drive_close(&d);
    drive_open(&d, SHARED);
    find(&d, "t17");
    assert_shows(&d, "this layout has no thread: its hardware index is offset, block");
    drive_keys(&d, "n");
    assert_shows(&d, "no search yet");
    drive_command(&d, "mark t17");
    assert_shows(&d, "this layout has no thread");
    drive_close(&d);
}

static void nonsense(void **state)
{
    static const char *const queries[] = {"",
                                          "1",
                                          "1,2,3",
                                          "1,2,3,4,5,6,7,8,9,10,11,12",
                                          "99999999999999999999999,1",
                                          "t99999999999999999999",
                                          "w9 l3",
                                          "t",
                                          "t17 t18",
                                          "3,",
                                          ",,,",
                                          "((((",
                                          "bank",
                                          "bank 99",
                                          "verylongwordthatisnodimatallreally 3",
                                          "-1,-1",
                                          "t-1",
                                          "3;5",
                                          "w0 l0 r99"};
    static const char *const sources[] = {BLOCKED, SHARED, "local(3, 4)"};
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        struct drive d;
        drive_open(&d, sources[s]);
        drive_keys(&d, "n N");
        assert_shows(&d, "no search yet");
        for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
            find(&d, queries[i]);
            drive_draw(&d);
            drive_keys(&d, "n n N N N");
            drive_draw(&d);
        }
        drive_close(&d);
    }
}

static void typing_a_query(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_keys(&d, "/");
    assert_shows(&d, "3,5 an element");
    drive_type(&d, "3,55");
    assert_hides(&d, "3,5 an element");
    assert_shows(&d, "/3,55");
    assert_int_equal(d.surface.cursor_row, 22); /* above the line of keys */
    assert_shows(&d, "Enter done");
    assert_int_equal(d.surface.cursor_col, 5);
    drive_keys(&d, "Backspace Enter");
    assert_string_equal(drive_element(&d), "3,5");
    drive_keys(&d, "/ 9 Esc");
    assert_string_equal(drive_element(&d), "3,5");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    /* Longer than the screen: the text that is being typed stays on screen. */
    drive_keys(&d, "/");
    for (int i = 0; i < 200; i++)
        drive_type(&d, "1,");
    drive_type(&d, "END");
    assert_shows(&d, "END");
    drive_keys(&d, "Esc");
    drive_close(&d);
}

/* A hole is an index like others: the cursor goes there, and the inspector shows that it is empty. */
static void holes(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "padded/2-1-and-4-2");
    lw_explorer_set_view(&d.ex, drive_view("memory"));
    lw_refresh(&d.ex, 0);
    find(&d, "bank 2");
    assert_true(d.ex.panes.active->row == 0 && d.ex.panes.active->col == 2);
    assert_shows(&d, "no element is at this offset");
    drive_keys(&d, "Right");
    assert_string_equal(drive_element(&d), "2");
    drive_close(&d);
}

/* Where not every element has an owner: a basis by its dim, a fact by its text. */
static void bases_and_facts(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "mma/m16n8k16.c");
    drive_keys(&d, "3");
    find(&d, "t8"); /* lane.3: (2,0) */
    assert_int_equal(d.ex.panes.active->col, 5);
    assert_int_equal(d.ex.panes.active->row, 0);
    assert_string_equal(drive_element(&d), "2,0");
    find(&d, "0,4");
    assert_int_equal(d.ex.panes.active->col, 3);
    drive_keys(&d, "n");
    assert_int_equal(d.ex.panes.active->col, 3);
    find(&d, "dim1");
    assert_int_equal(d.ex.panes.active->row, 4);
    drive_keys(&d, "n");
    assert_int_equal(d.ex.panes.active->row, 5);
    drive_keys(&d, "N N");
    assert_int_equal(d.ex.panes.active->row, 6);
    drive_keys(&d, "7");
    find(&d, "t8");
    assert_string_equal(drive_element(&d), "2,0");
    find(&d, "(8,0)");
    assert_string_equal(drive_element(&d), "8,0");
    drive_keys(&d, "8");
    find(&d, "injective");
    uint64_t row = d.ex.panes.active->row;
    assert_shows(&d, "has no copies");
    find(&d, "Null Space");
    assert_int_equal(d.ex.panes.active->row, row + 2);
    find(&d, "no such words");
    assert_shows(&d, "find needs");
    drive_keys(&d, "3");
    find(&d, "instrShape"); /* a parameter */
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    drive_close(&d);
}

/* `l` is a lane of a warp, as cells print it; `t` is the number among all threads of the block. */
static void a_cell_finds_itself(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    d.ex.panes.active->row = 13;
    d.ex.panes.active->col = 9;
    char cell[32];
    snprintf(cell, sizeof cell, "%s", drive_cell(&d));
    assert_string_equal(cell, "w1 l20 r3");
    d.ex.panes.active->row = d.ex.panes.active->col = 0;
    find(&d, cell);
    assert_string_equal(drive_element(&d), "13,9");
    find(&d, "t52 r3");
    assert_string_equal(drive_element(&d), "13,9");
    find(&d, "t20 r3");
    assert_string_equal(drive_element(&d), "5,9");
    find(&d, "w1 t52 r3");
    assert_string_equal(drive_element(&d), "13,9");
    find(&d, "w1 t20");
    assert_shows(&d, "thread 20 is in warp 0, not 1; l20 is a lane");
    find(&d, "t20 w1");
    assert_shows(&d, "warp 0 or 1: which one?");
    find(&d, "w1 l40");
    assert_shows(&d, "no lane 40: the last is 31");
    drive_close(&d);
}

static void the_list_reports_no_match(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    d.ex.focus = LW_FOCUS_GALLERY;
    drive_keys(&d, "/");
    assert_shows(&d, "part of a name or a title");
    drive_keys(&d, "Esc");
    find(&d, "zzz");
    assert_shows(&d, "no layout in the list contains 'zzz'");
    drive_close(&d);
}

/* What is found is what the inspector is about; where the view has no cell for it, a message has its owner. */
static void what_is_found_is_seen(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_field(&d, "shape");
    find(&d, "t17");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_shows(&d, "warp 0, lane 17");
    drive_keys(&d, "3");
    find(&d, "5,7");
    assert_shows(&d, "5,7: warp 0, lane 19, register 3; this view has no cell for it: 1 shows it");
    drive_close(&d);
}

/* What the instruction reads from shared memory has no owners; the others of the picture have. */
static void an_operand_in_memory_is_in_no_thread(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "mma/wgmma-m64n64k16");
    drive_command(&d, "find B 3,5");
    assert_shows(&d, "the instruction reads B from memory: no thread holds its elements");
    assert_true(d.ex.status.is_error);
    drive_keys(&d, "n");
    drive_command(&d, "find A 3,5");
    assert_string_equal(d.ex.status.message, "");
    assert_string_equal(drive_element(&d), "3,5");
    drive_close(&d);
    drive_open(&d, "start/4x4");
    drive_command(&d, "mma SM100_MMA_F16BF16_SS_64x8");
    drive_command(&d, "find 3,5");
    assert_shows(&d, "all operands are in memory: no thread holds their elements");
    drive_close(&d);
}

/* Without room for the inspector the message has the answer. */
static void small_screens_have_the_answer(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 40, 10);
    drive_command(&d, "find 3,5");
    assert_shows(&d, "3,5: w0 l17 r5 ");
    drive_command(&d, "find t17");
    assert_shows(&d, "t17: (1,4), 1 of 32 ");
    drive_keys(&d, "n");
    assert_shows(&d, "t17: (1,5), 2 of 32 ");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bases_and_facts),
        cmocka_unit_test(elements),
        cmocka_unit_test(found_elements_have_their_surroundings),
        cmocka_unit_test(found_threads_are_distinguished),
        cmocka_unit_test(holes),
        cmocka_unit_test(element_with_many_owners),
        cmocka_unit_test(threads),
        cmocka_unit_test(tilus_threads),
        cmocka_unit_test(parameters),
        cmocka_unit_test(refusals),
        cmocka_unit_test(nonsense),
        cmocka_unit_test(typing_a_query),
        cmocka_unit_test(a_cell_finds_itself),
        cmocka_unit_test(the_list_reports_no_match),
        cmocka_unit_test(what_is_found_is_seen),
        cmocka_unit_test(small_screens_have_the_answer),
        cmocka_unit_test(an_operand_in_memory_is_in_no_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
