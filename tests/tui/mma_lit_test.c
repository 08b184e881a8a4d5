/* What is lit and found of the operands of an MMA where a cell holds several elements: every cell that holds one of
 * the cursor's thread, register or warp is lit, in each entry of the gallery, and each register is found by itself. */

#include "tui/drive.h"
#include "tui/explore/explorer.h"
#include "tui/pane/follow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { CELLS = 1 << 16 };

static uint64_t cell_at(const struct lw_view_pane *pane, uint64_t row, uint64_t col)
{
    return row / pane->step_rows * pane->view.cols + col / pane->step_cols;
}

/* Marks the cells of all elements of an operand that have an owner with that value. */
static void mark_cells(const struct lw_view_pane *pane, int operand, const char *field,
                       uint64_t value, bool *cells)
{
    const char *name;
    const struct lw_subject *subject = lw_view_layout(&pane->view, operand, &name);
    struct lw_spot spot = {.operand = operand, .has_out = true};
    uint64_t total, at, row, col;
    if (!subject)
        return;
    assert_true(lw_dims_total(&subject->map.out, &total, NULL));
    for (uint64_t i = 0; i < total; i++) {
        bool has = false;
        lw_dims_unflatten(&subject->map.out, i, spot.out);
        for (uint64_t k = 0; !has && lw_map_owner(&subject->map, spot.out, k, spot.in); k++)
            has = lw_subject_field(subject, field, spot.in, spot.out, &at) && at == value;
        if (has && lw_view_find(&pane->view, &spot, &row, &col)) {
            assert_true(cell_at(pane, row, col) < CELLS);
            cells[cell_at(pane, row, col)] = true;
        }
    }
}

/* Compares what is lit with the definition; returns how many cells are. */
static int check_lit(struct drive *d, const char *source)
{
    static bool cells[CELLS];
    const struct lw_view_pane *pane = d->ex.panes.active;
    struct lw_follow follow;
    struct lw_lit lit;
    struct lw_spot spot;
    int count = 0;
    lw_follow_begin(&d->ex, &follow);
    assert_true(follow.on);
    lw_lit_begin(&lit, &follow, pane);
    memset(cells, 0, sizeof cells);
    for (int operand = 1; operand <= 3; operand++)
        mark_cells(pane, operand, follow.name, follow.value, cells);
    for (uint64_t r = 0; r < pane->view.rows; r += pane->step_rows)
        for (uint64_t c = 0; c < pane->view.cols; c += pane->step_cols) {
            bool is = pane->view.type->spot(&pane->view, r, c, &spot) &&
                      lw_lit_has(&lit, pane, r, c, &spot);
            if (is != cells[cell_at(pane, r, c)])
                fail_msg("%s: %s %llu is%s lit in %llu, %llu", source, follow.name,
                         (unsigned long long)follow.value, is ? "" : " not", (unsigned long long)r,
                         (unsigned long long)c);
            count += is;
        }
    return count;
}

static void check_entry(const char *source, int width, int height)
{
    static const char *const keys[] = {"", "Down Down Down Right", "H", "Left Left", "H", "H"};
    struct drive d;
    drive_open(&d, source);
    drive_resize(&d, width, height);
    drive_command(&d, "view mma");
    drive_fit(&d);
    assert_string_equal(d.ex.panes.active->view.type->name, "mma");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct lw_follow follow;
        drive_keys(&d, keys[i]);
        drive_draw(&d);
        lw_follow_begin(&d.ex, &follow);
        if (follow.on)
            assert_true(check_lit(&d, source) > 0);
    }
    drive_close(&d);
}

static void each_entry_is_lit_whole(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}};
    size_t count, checked = 0;
    const struct lw_gallery_entry *gallery = lw_gallery(&count);
    (void)state;
    for (size_t i = 0; i < count; i++)
        for (int s = 0; s < 2 && strstr(gallery[i].text, "\"view\": \"mma\""); s++, checked++)
            check_entry(gallery[i].name, sizes[s][0], sizes[s][1]);
    assert_true(checked >= 20);
}

/* More than fit on the screen by far. */
static void large_ones_are_lit_whole(void **state)
{
    static const char *const sources[] = {
        "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_4,_1>>{}).A",
        "tensor<128x128xf32, #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = "
        "[4, 1], instrShape = [16, 128, 16]}>>",
    };
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        check_entry(sources[i], 80, 24);
}

/* A thread whose elements are the first of no cell. */
static void a_thread_within_cells_is_lit(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "cute/tiled-mma-abc");
    drive_fit(&d);
    assert_true(d.ex.panes.active->step_rows > 1);
    drive_command(&d, "find t5");
    assert_shows(&d, "thread 5 is lit: h dims");
    assert_true(check_lit(&d, "find t5") > 4);
    drive_close(&d);
}

/* All registers of a thread, also those that share a cell: 16x16 elements of A are cells of two along k here. */
static void each_register_is_named(void **state)
{
    static const char *const shown[] = {
        "A (3, 2)     warp 0, lane 13, register 0",
        "A (3, 3)     warp 0, lane 13, register 1",
        "A (11, 2)    warp 0, lane 13, register 2",
        "A (11, 3)    warp 0, lane 13, register 3",
        "A (3, 10)    warp 0, lane 13, register 4",
        "A (3, 11)    warp 0, lane 13, register 5",
        "A (11, 10)   warp 0, lane 13, register 6",
        "A (11, 11)   warp 0, lane 13, register 7",
        "B (2, 3)     w0 l13 r0",
        "B (3, 3)     w0 l13 r1",
        "B (10, 3)    w0 l13 r2",
        "B (11, 3)    w0 l13 r3",
        "C (3, 2)     w0 l13 r0",
        "C (3, 3)     w0 l13 r1",
        "C (11, 2)    w0 l13 r2",
        "C (11, 3)    w0 l13 r3",
    };
    struct drive d;
    char count[64];
    (void)state;
    drive_open(&d, "mma/m16n8k16");
    drive_fit(&d);
    assert_true(d.ex.panes.active->fold > 1);
    drive_command(&d, "find A 0,0");
    drive_command(&d, "find t13");
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++, drive_keys(&d, "n")) {
        assert_shows(&d, shown[i]);
        snprintf(count, sizeof count, "t13: %zu of 16, %c; n goes through A, B, C", i + 1,
                 shown[i][0]);
        assert_shows(&d, count);
        assert_true(check_lit(&d, shown[i]) > 0);
    }
    assert_shows(&d, shown[0]);
    drive_keys(&d, "Right");
    assert_shows(&d, "A (3, 4) ");
    drive_command(&d, "find B t13"); /* of one operand */
    assert_shows(&d, "B t13: 1 of 4, n for the next");
    drive_close(&d);
    drive_open(&d, "mma/wgmma-m64n64k16"); /* B is in memory */
    drive_command(&d, "find t13");
    assert_shows(&d, "t13: 1 of 40, C; n goes through C, A");
    drive_close(&d);
}

/* On a small screen what find says leaves the line about what the lane has of each operand. */
static void what_is_found_leaves_the_lines(void **state)
{
    static const struct {
        const char *name, *line;
    } cases[] = {{"mma/m16n8k16", "lane holds   A m 2,10 k 2-3,10-11  B k 2-3,10-11 n 2"},
                 {"mma/m16n8k32", "lane holds   A m 2,10 "},
                 {"mma/m16n8k8", "lane holds   A m 2,10 "},
                 {"mma/2x2-warps", "C m 2"},
                 {"mma/mfma-16x16x16", "lane holds   A m 9 "},
                 {"mma/wmma-16x16x16", "lane holds   A m 9 "},
                 {"mma/wmma-16x16x32", "lane holds   A m 9 "},
                 {"mma/wgmma-m64n64k16", "in memory"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_open(&d, cases[i].name);
        drive_fit(&d);
        assert_hides(&d, "l9: 1 of ");
        drive_command(&d, "find l9");
        assert_shows(&d, "l9: 1 of ");
        assert_shows(&d, "n goes through ");
        bool low = d.ex.panes.inspector == LW_INSPECTOR_LOW;
        assert_shows(&d, low ? " l9 r0; " : "lane 9, register 0");
        assert_shows(&d, cases[i].line);
        drive_command(&d, "mark t3");
        assert_shows(&d, "t3: marked");
        assert_shows(&d, cases[i].line);
        drive_command(&d, "find l99");
        assert_shows(&d, "no lane 99: the last is ");
        assert_shows(&d, cases[i].line);
        drive_close(&d);
    }
}

/* An element that A, B and C have: find says which it shows, and goes on to the others. */
static void each_operand_is_found(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "mma/m16n8k16");
    drive_fit(&d);
    drive_keys(&d, "/");
    assert_shows(&d, "C 3,5 of C");
    drive_keys(&d, "Esc ?");
    drive_resize(&d, 200, 60);
    assert_shows(&d, "C 3,5 (of C)");
    drive_keys(&d, "Esc");
    drive_resize(&d, 80, 24);
    drive_command(&d, "find A 0,0");
    assert_hides(&d, "n: B, C");
    drive_command(&d, "find 3,3");
    assert_shows(&d, "A 3,3; n: B, C");
    assert_shows(&d, "A (3, 3) ");
    drive_keys(&d, "n");
    assert_shows(&d, "B 3,3; n: C, A");
    assert_shows(&d, "B (3, 3) ");
    drive_keys(&d, "n");
    assert_shows(&d, "C 3,3; n: A, B");
    assert_shows(&d, "C (3, 3) ");
    drive_keys(&d, "n N N");
    assert_shows(&d, "B 3,3; n: C, A");
    drive_command(&d, "find 15,3"); /* B has it, and so is first */
    assert_shows(&d, "B 15,3; n: C, A");
    drive_command(&d, "find C 3,3");
    assert_hides(&d, "n: ");
    drive_command(&d, "find xyz");
    assert_shows(&d, "C 3,5 (of C)");
    drive_command(&d, "find 3,12"); /* of A alone */
    assert_shows(&d, "A 3,12");
    assert_hides(&d, "n: ");
    drive_close(&d);
    drive_open(&d, "mma/wmma-16x16x16"); /* two lanes hold each element of A and B */
    drive_command(&d, "find A 0,0");
    drive_command(&d, "find 3,3");
    assert_shows(&d, "A 3,3, owner 1 of 2; n: B, C");
    drive_keys(&d, "n n");
    assert_shows(&d, "B 3,3, owner 1 of 2; n: C, A");
    drive_close(&d);
}

/* A thread that has a part of every cell: there is nothing to dim. */
static void what_is_in_every_cell_is_not_dimmed(void **state)
{
    static const char *const sources[] = {
        "local(3, 4)", "tensor<4096x4096xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp "
                       "= [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>>"};
    struct drive d;
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        drive_open(&d, sources[i]);
        drive_resize(&d, 120, 40);
        drive_fit(&d);
        drive_keys(&d, "1 Right");
        assert_shows(&d, "thread 0 is in every cell");
        assert_hides(&d, "h dim");
        drive_close(&d);
    }
    drive_open(&d, "start/16x16");
    drive_keys(&d, "1");
    assert_shows(&d, "h dim");
    for (int i = 0; i < 6; i++) {
        drive_keys(&d, "H");
        if (strstr(drive_screen(&d), "nothing is lit"))
            break;
        assert_shows(&d, "h dim");
    }
    assert_shows(&d, "nothing is lit");
    assert_hides(&d, "h dim");
    drive_close(&d);
}

/* The inspector has what the lane of the cursor holds of A, B and C: in a small one rows and columns, in a large one
 * each element. */
static void each_operand_of_the_lane_is_listed(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "mma/m16n8k16");
    drive_fit(&d);
    drive_resize(&d, 80, 24);
    drive_command(&d, "find A 3,2");
    assert_shows(&d, "A (3, 2)     warp 0, lane 13, register 0; used for C row 3: lanes 12-15");
    assert_shows(&d, "lane holds   A m 3,11 k 2-3,10-11  B k 2-3,10-11 n 3  C m 3,11 n 2-3");
    drive_fit(&d);
    drive_resize(&d, 120, 40);
    assert_shows(&d, "│ lane holds A m 3,11 k 2-3,10-11  │");
    assert_shows(&d, "│ lane holds B k 2-3,10-11 n 3     │");
    assert_shows(&d, "│ lane holds C m 3,11 n 2-3        │");
    drive_fit(&d);
    drive_resize(&d, 200, 60);
    assert_shows(&d,
                 "lane holds A 8 elements of lane 13: (3,2) (3,3) (11,2) (11,3) (3,10) (3,11) ");
    assert_shows(&d, "lane holds B 4 elements of lane 13: (2,3) (3,3) (10,3) (11,3)");
    assert_shows(&d, "lane holds C 4 elements of lane 13: (3,2) (3,3) (11,2) (11,3)");
    drive_close(&d);
    drive_open(&d, "mma/wgmma-m64n64k16");
    drive_fit(&d);
    drive_resize(&d, 200, 60);
    drive_command(&d, "find C 20,5");
    assert_shows(&d, "thread has B in memory");
    assert_shows(
        &d, "thread has C 32 elements of warp 1, lane 18: m 20,28 n 4-5,12-13,20-21,...,60-61");
    drive_close(&d);
    drive_open(&d, "cute/tiled-mma-abc"); /* the rows of B are n, its columns k */
    drive_fit(&d);
    drive_resize(&d, 80, 24);
    drive_command(&d, "find A 3,0");
    assert_shows(&d, "8 elements of warp 0, lane 12: n 3,19 k 0-1,8-9");
    drive_close(&d);
}

/* An element in several registers of a lane is one element, as in the picture; the registers are counted too. */
static void copies_in_a_lane_are_one_element(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d,
               "tensor<8x16xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor "
               "= 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>, kWidth = "
               "2}>>");
    drive_resize(&d, 140, 44);
    drive_command(&d, "view mma");
    assert_shows(&d, "8 registers x 32 lanes");
    assert_shows(&d, "lane holds A 4 elements of lane 0 in 8 registers: (0,0) (0,1) (0,8) (0,9) ");
    assert_shows(&d, "lane holds B 4 elements of lane 0: (0,0) (1,0) (8,0) (9,0) ");
    assert_shows(&d, "lane holds C 2 elements of lane 0 in 4 registers: (0,0) (0,1) ");
    drive_fit(&d);
    drive_resize(&d, 80, 24);
    assert_shows(&d, "lane holds   A m 0 k 0-1,8-9  B k 0-1,8-9 n 0  C m 0 n 0-1");
    drive_close(&d);
}

/* Equal neighbours have one number, also where the cursor is: a second one would touch the next number. */
static void the_cursor_leaves_joined_numbers(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "mma/m16n8k16");
    drive_fit(&d);
    assert_shows(&d, " 8   0  1  2  3  0  1  2  3  8  0   1   2   3  ");
    drive_command(&d, "find C 8,3");
    assert_shows(&d, " 8   0  1  2  3  0  1  2  3  8  0   1   2   3  ");
    drive_keys(&d, "Left");
    assert_shows(&d, "C (8, 2)");
    assert_shows(&d, " 8   0  1  2  3  0  1  2  3  8  0   1   2   3  ");
    drive_close(&d);
    drive_open(&d, "tensor<16x32xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, "
                   "8], warpsPerCTA = [2, 1], order = [1, 0]}>>");
    drive_fit(&d);
    drive_command(&d, "find 2,13");
    assert_shows(&d, " 2 16      17      18      19      20      21      22      23  ");
    drive_close(&d);
}

/* Zoomed in, the cursor is on the element that was found, which was not the first of its cell. */
static void what_was_found_is_zoomed_in_on(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "mma/m16n8k32");
    drive_fit(&d);
    drive_command(&d, "find A 0,5");
    assert_shows(&d, "A (0, 5) ");
    drive_keys(&d, "+ + +");
    assert_shows(&d, "A (0, 5) ");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_entry_is_lit_whole),
        cmocka_unit_test(the_cursor_leaves_joined_numbers),
        cmocka_unit_test(large_ones_are_lit_whole),
        cmocka_unit_test(a_thread_within_cells_is_lit),
        cmocka_unit_test(each_register_is_named),
        cmocka_unit_test(what_is_found_leaves_the_lines),
        cmocka_unit_test(each_operand_is_found),
        cmocka_unit_test(each_operand_of_the_lane_is_listed),
        cmocka_unit_test(copies_in_a_lane_are_one_element),
        cmocka_unit_test(what_is_in_every_cell_is_not_dimmed),
        cmocka_unit_test(what_was_found_is_zoomed_in_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
