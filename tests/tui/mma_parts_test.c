/* What an element of an MMA belongs to: the lanes that hold the row of A and the column of B that an element of C is
 * made of, and the row or column of C that an element of A or B is used for. */

#include "tui/drive.h"
#include "tui/explore/explorer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define WMMA                                                                                       \
    "tensor<16x16xf32, #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = []}}>>"

static void find(struct drive *d, char operand, int row, int col)
{
    char command[48];
    snprintf(command, sizeof command, "find %c %d,%d", operand, row, col);
    drive_command(d, command);
}

/* The inspector's line with that label is this text. */
static void assert_line(struct drive *d, const char *label, const char *text)
{
    const struct lw_explanation *explanation = &d->ex.panes.explanation;
    for (int i = 0; i < explanation->count; i++)
        if (!strcmp(explanation->line[i].label, label)) {
            assert_string_equal(lw_text_string(&explanation->line[i].text), text);
            return;
        }
    fail_msg("there is no line \"%s\" for \"%s\"", label, text);
}

/* By the tables of PTX: of m16n8k16 the group of an element, lane / 4, is its row of A and of C modulo 8, and its
 * column of B; the lane in the group is half its column of C modulo 4. */
static void lanes_are_those_of_ptx(void **state)
{
    struct drive d;
    char expected[128];
    (void)state;
    drive_open_at(&d, "mma/m16n8k16", 200, 60);
    for (int m = 0; m < 16; m++)
        for (int n = 0; n < 8; n++) {
            int group = m % 8;
            find(&d, 'C', m, n);
            snprintf(expected, sizeof expected, "A row %d: lanes %d-%d; B column %d: lanes %d-%d",
                     m, 4 * group, 4 * group + 3, n, 4 * n, 4 * n + 3);
            assert_line(&d, "needs", expected);
        }
    for (int m = 0; m < 16; m++) {
        int group = m % 8;
        find(&d, 'A', m, 15 - m);
        snprintf(expected, sizeof expected, "C row %d: lanes %d-%d", m, 4 * group, 4 * group + 3);
        assert_line(&d, "used for", expected);
    }
    for (int n = 0; n < 8; n++) {
        int l = n / 2;
        find(&d, 'B', 2 * n, n);
        snprintf(expected, sizeof expected, "C column %d: lanes %d,%d,%d,%d,%d,%d,%d,%d", n, l,
                 l + 4, l + 8, l + 12, l + 16, l + 20, l + 24, l + 28);
        assert_line(&d, "used for", expected);
    }
    drive_close(&d);
}

/* With 2 x 2 warps an instruction reads the copies of its own warp; an element of A is used by two warps. */
static void warps_read_their_own_copies(void **state)
{
    struct drive d;
    char expected[128];
    (void)state;
    drive_open_at(&d, "mma/2x2-warps", 200, 60);
    for (int m = 1; m < 32; m += 6)
        for (int n = 2; n < 16; n += 3) {
            int warp = m / 16 * 2 + n / 8;
            find(&d, 'C', m, n);
            snprintf(expected, sizeof expected,
                     "A row %d: lanes %d-%d of warp %d; B column %d: lanes %d-%d of warp %d", m,
                     m % 8 * 4, m % 8 * 4 + 3, warp, n, n % 8 * 4, n % 8 * 4 + 3, warp);
            assert_line(&d, "needs", expected);
        }
    find(&d, 'A', 19, 2);
    assert_line(&d, "used for", "C row 19: lanes 12-15 of warps 2,3");
    find(&d, 'B', 3, 10);
    assert_line(&d, "used for", "C column 10: lanes 1,5,9,13,17,21,25,29 of warps 1,3");
    drive_close(&d);
}

/* The numbers of a set of lanes or warps: "0-3,8". */
static void put_set(char *text, size_t size, uint64_t set)
{
    size_t at = 0;
    text[0] = '\0';
    for (int i = 0; i < 64; i++) {
        int end = i;
        while (set >> i & 1 && end + 1 < 64 && set >> (end + 1) & 1)
            end++;
        if (!(set >> i & 1))
            continue;
        at += (size_t)snprintf(text + at, size - at, "%s%d", at ? "," : "", i);
        if (end > i)
            at += (size_t)snprintf(text + at, size - at, "%c%d", end > i + 1 ? '-' : ',', end);
        i = end;
    }
}

/* The lanes of a warp that hold elements with this index of a dim, by going through all hardware indices. */
static uint64_t holders(const struct lw_subject *subject, int dim, uint64_t index, uint64_t warp)
{
    const struct lw_dims *in = &subject->map.in;
    uint64_t all, at[LW_DIMS_MAX], out[LW_DIMS_MAX], set = 0;
    int lane = lw_dims_find(in, "lane"), warps = lw_dims_find(in, "warp");
    int thread = lw_dims_find(in, "thread");
    assert_true(lw_dims_total(in, &all, NULL));
    for (uint64_t i = 0; i < all; i++) {
        lw_dims_unflatten(in, i, at);
        if (!lw_map_apply(&subject->map, at, out) || out[dim] != index)
            continue;
        uint64_t l = lane < 0 ? at[thread] % 32 : at[lane];
        uint64_t w = lane < 0 ? at[thread] / 32 : at[warps];
        set |= (uint64_t)(w == warp) << l;
    }
    return set;
}

/* The same of other instructions and systems; the second operand of CuTe has its dims the other way round. */
static void lanes_follow_from_the_layouts(void **state)
{
    static const struct {
        const char *source;
        int n; /* the dim of B that is n */
    } cases[] = {{"mma/m16n8k8", 1},        {"mma/m16n8k32", 1},      {"mma/mfma-16x16x16", 1},
                 {"mma/mfma-32x32x8", 1},   {"mma/wmma-16x16x16", 1}, {"mma/wmma-16x16x32", 1},
                 {"cute/tiled-mma-abc", 0}, {"mma/2x2-warps", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        const char *name;
        char lanes[2][128], of[32], expected[400];
        drive_open_at(&d, cases[i].source, 240, 60);
        drive_command(&d, "view mma");
        const struct lw_view *view = &d.ex.panes.active->view;
        for (int step = 0; step < 6; step++) {
            int m = (5 * step + 2) % 16, n = (3 * step + 1) % 8;
            uint64_t out[LW_DIMS_MAX] = {(uint64_t)m, (uint64_t)n}, in[LW_DIMS_MAX], thread;
            const struct lw_subject *c = lw_view_layout(view, 3, &name);
            assert_true(lw_map_owner(&c->map, out, 0, in));
            assert_true(lw_subject_field(c, "thread", in, out, &thread));
            uint64_t warp = thread / (lw_dims_size(&c->map.in, "lane") > 32 ? 64 : 32);
            put_set(lanes[0], sizeof lanes[0],
                    holders(lw_view_layout(view, 1, &name), 0, (uint64_t)m, warp));
            put_set(lanes[1], sizeof lanes[1],
                    holders(lw_view_layout(view, 2, &name), cases[i].n, (uint64_t)n, warp));
            snprintf(of, sizeof of, " of warp %d", (int)warp);
            bool several = i + 2 >= sizeof cases / sizeof *cases;
            snprintf(expected, sizeof expected, "A row %d: lanes %s%s; B column %d: lanes %s%s", m,
                     lanes[0], several ? of : "", n, lanes[1], several ? of : "");
            find(&d, 'C', m, n);
            assert_line(&d, "needs", expected);
        }
        drive_close(&d);
    }
}

/* It is on the screen at each of these sizes, apart from what the lane of the cursor holds. */
static void it_is_shown_at_each_size(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "mma/m16n8k16", 80, 24);
    drive_command(&d, "find C 8,3");
    assert_shows(&d, "C (8, 3)     w0 l1 r3; needs A row 8: lanes 0-3; B column 3: lanes 12-15");
    assert_shows(&d, "lane holds   A m 0,8 k 2-3,10-11  B k 2-3,10-11 n 0  C m 0,8 n 2-3");
    drive_close(&d);
    drive_open_at(&d, "mma/m16n8k16", 120, 40);
    drive_command(&d, "find C 8,3");
    assert_shows(&d, "│ needs        A row 8: lanes 0-3; │");
    assert_shows(&d, "│              B column 3: lanes   │");
    assert_shows(&d, "│              12-15               │");
    assert_shows(&d, "│ lane holds A m 0,8 k 2-3,10-11   │");
    drive_close(&d);
    drive_open_at(&d, "mma/2x2-warps", 80, 24);
    drive_command(&d, "find C 8,3");
    assert_shows(&d, "w0 l1 r3; needs A row 8 w0 l0-3, B column 3 w0 l12-15");
    drive_command(&d, "find A 3,2");
    assert_shows(&d, "w0 l13 r0, one of 2 owners; used for C row 3 w0,1 l12-15");
    drive_command(&d, "find B 3,2");
    assert_shows(&d, "w0 l9 r1; used for C column 2 w0,2 l1,5,9,13,17,21,25,29");
    drive_close(&d);
    drive_open_at(&d, "mma/wgmma-m64n64k16", 200, 60);
    drive_command(&d, "find C 24,3");
    assert_shows(&d, "needs        A row 24: lanes 0-3 of warp 1; B column 3: in memory ");
    drive_close(&d);
}

/* An instruction of AMD for the transposed product: the picture and an element of C say it, those of others do not. */
static void a_transposed_result_is_named(void **state)
{
    static const struct {
        const char *source;
        int width, height;
        const char *title;
    } cases[] = {
        {"mma/mfma-32x32x8", 80, 24, "MMA: C 32x32 f32 += A 32x8 f16 * B 8x32 f16; C transposed "},
        {"mma/mfma-32x32x8", 120, 40, "A 32x8 f16 * B 8x32 f16; C transposed "},
        {"mma/mfma-64x4", 200, 60, "B 4x4; C transposed; assumed: operands of 16 bits"},
        {"mma/mfma-64x4", 80, 24, "MMA: m64 n4 k4, C transposed; assumed: operands of 16 bits"},
        {WMMA, 200, 60, "C 16x16 f32 += A 16x16 * B 16x16; C transposed"},
    };
    struct drive d;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drive_open_at(&d, cases[i].source, cases[i].width, cases[i].height);
        drive_command(&d, "view mma");
        assert_shows(&d, cases[i].title);
        find(&d, 'C', 1, 2);
        assert_line(&d, "C transposed", "registers along n");
        drive_draw(&d);
        find(&d, 'A', 1, 2);
        for (int k = 0; k < d.ex.panes.explanation.count; k++)
            assert_string_not_equal(d.ex.panes.explanation.line[k].label, "C transposed");
        drive_close(&d);
    }
    drive_open_at(&d, "mma/mfma-32x32-encoding", 120, 40);
    drive_command(&d, "view mma");
    assert_shows(&d, "MMA: C 32x32 f32");
    assert_hides(&d, "transposed");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_those_of_ptx),
        cmocka_unit_test(warps_read_their_own_copies),
        cmocka_unit_test(lanes_follow_from_the_layouts),
        cmocka_unit_test(it_is_shown_at_each_size),
        cmocka_unit_test(a_transposed_result_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
