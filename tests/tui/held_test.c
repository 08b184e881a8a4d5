/* The elements that the thread of the cursor holds, in the inspector: listed, as the indices of each dim, or the first
 * of too many; compared with what the layout maps each of its registers to. */

#include "tui/drive.h"
#include "tui/explore/explorer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define BLOCKED_OF(SHAPE)                                                                          \
    "tensor<" SHAPE "xf16, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], "        \
    "warpsPerCTA = [2, 1], order = [1, 0]}>>"
/* The registers of a thread are on diagonals: their elements are no product of rows and columns. */
#define DIAGONAL                                                                                   \
    "{\"encoding\": \"bases\", \"in\": [[\"register\", 64], [\"lane\", 32], [\"warp\", 2]], "      \
    "\"out\": [[\"dim0\", 64], [\"dim1\", 64]], \"bases\": {\"register\": [[1, 1], [2, 2], [4, "   \
    "4], [8, 8], [16, 16], [32, 32]], \"lane\": [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], "       \
    "\"warp\": [[0, 32]]}}"

static void open_at(struct drive *d, const char *source, int width, int height)
{
    drive_open_at(d, source, width, height);
    drive_keys(d, "1");
}

static const char *line_of(struct drive *d, const char *label)
{
    const struct lw_explanation *explanation = &d->ex.panes.explanation;
    for (int i = 0; i < explanation->count; i++)
        if (!strcmp(explanation->line[i].label, label))
            return lw_text_string(&explanation->line[i].text);
    return "";
}

/* Each element, by the layout's own map of the registers of the thread under the cursor. */
static void lists_are_those_of_the_map(void **state)
{
    static const struct {
        const char *source, *label;
    } cases[] = {{BLOCKED_OF("16x16"), "thread holds"},
                 {"mma/m16n8k16.c", "lane holds"},
                 {"mma/m16n8k16.a", "lane holds"},
                 {"cute/tiled-copy", "thread holds"},
                 {"local(2, 1).spatial(8, 4).local(1, 2)", "thread holds"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        open_at(&d, cases[i].source, 200, 60);
        for (int step = 0; step < 8; step++, drive_keys(&d, step % 2 ? "Down" : "Right")) {
            const struct lw_map *map = &d.ex.panes.active->view.subject->map;
            uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX];
            char expected[400] = "";
            size_t at = 0;
            memcpy(in, d.ex.panes.spot.in, sizeof in);
            for (in[0] = 0; in[0] < map->in.dim[0].size; in[0]++) {
                assert_true(lw_map_apply(map, in, out));
                at += (size_t)snprintf(expected + at, sizeof expected - at, "%s(%d,%d)",
                                       at ? " " : "", (int)out[0], (int)out[1]);
            }
            assert_string_equal(line_of(&d, cases[i].label), expected);
        }
        drive_close(&d);
    }
}

/* By the definition of blocked: thread 23 of warp 0 is in row 5 and columns 6 and 7 of each repetition of 16 x 8. */
static void it_is_shown_at_each_size(void **state)
{
    struct drive d;
    (void)state;
    open_at(&d, BLOCKED_OF("16x16"), 80, 24);
    drive_command(&d, "find 5,6");
    assert_shows(&d, "thread holds (5,6) (5,7) (5,14) (5,15) ");
    drive_close(&d);
    open_at(&d, BLOCKED_OF("32x32"), 120, 40);
    drive_command(&d, "find 5,6");
    assert_shows(&d, "│ held by      warp 0, lane 23,    │");
    assert_shows(&d, "│ thread holds dim0 5,21 dim1      │");
    assert_shows(&d, "│              6-7,14-15,22-23,30- │");
    drive_close(&d);
    open_at(&d, BLOCKED_OF("128x128"), 120, 40);
    drive_command(&d, "find 5,6");
    assert_string_equal(line_of(&d, "thread holds"),
                        "dim0 5,21,37,...,117 dim1 6-7,14-15,22-23,...,126-127: 256 elements");
    drive_close(&d);
    open_at(&d, DIAGONAL, 80, 24);
    drive_command(&d, "find 2,7"); /* lane 5, register 2 */
    assert_string_equal(line_of(&d, "thread holds"),
                        "(0,5) (1,4) (2,7) (3,6) (4,1) (5,0) (6,3) (7,2) and 56 more");
    drive_close(&d);
}

/* An element in two registers is one; with one register a thread holds no more than the element under the cursor; in
 * shared memory no thread holds it. */
static void what_is_not_listed(void **state)
{
    struct drive d;
    (void)state;
    open_at(&d,
            "tensor<4x8xf16, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], "
            "warpsPerCTA = [1, 1], order = [1, 0]}>>",
            120, 40);
    drive_command(&d, "find 3,2");
    assert_string_equal(line_of(&d, "lane holds"), "(3,2) (3,3)");
    drive_close(&d);
    open_at(&d, "distributed/spiral", 120, 40);
    assert_string_equal(line_of(&d, "thread holds"), "");
    drive_close(&d);
    open_at(&d, "shared/nvmma-128", 120, 40);
    assert_string_equal(line_of(&d, "thread holds"), "");
    drive_close(&d);
    open_at(&d,
            "tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp "
            "= [2, 16], warpsPerCTA = [2, 2], order = [1, 0]}>>",
            120, 40); /* 2^33 registers */
    assert_string_equal(line_of(&d, "thread holds"), "");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_those_of_the_map),
        cmocka_unit_test(it_is_shown_at_each_size),
        cmocka_unit_test(what_is_not_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
