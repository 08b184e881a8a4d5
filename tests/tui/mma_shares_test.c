/* While the rest of an MMA is dimmed, the row of A and the column of B that an element of C is made of are lit, or the
 * rows and columns that an element of A or B is used with. */

#include "tui/draw/drawing.h"
#include "tui/drive.h"
#include "tui/explore/explorer.h"
#include "tui/pane/follow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct lw_view_pane *pane_of(struct drive *d)
{
    return d->ex.panes.active;
}

/* The element of a cell on the screen, and whether the cell is lit; false: it has none. */
static bool look(struct drive *d, const struct lw_lit *lit, uint64_t row, uint64_t col, char *name,
                 uint64_t *out, bool *is_lit)
{
    struct lw_view_pane *pane = pane_of(d);
    struct lw_spot spot;
    const char *operand;
    if (!pane->view.type->spot(&pane->view, row, col, &spot))
        return false;
    lw_view_layout(&pane->view, spot.operand, &operand);
    *name = *operand;
    memcpy(out, spot.out, 2 * sizeof *out);
    *is_lit = lw_lit_has(lit, pane, row, col, &spot);
    return true;
}

/* Each cell is lit if it has an index in common with the element: `shared` has m, n or k of the operands A, B and C,
 * '-' where the operand has none. */
static void assert_lit(struct drive *d, char own, uint64_t first, uint64_t second, bool turned)
{
    struct lw_view_pane *pane = pane_of(d);
    struct lw_follow follow;
    struct lw_lit lit;
    char name;
    uint64_t out[2];
    bool is_lit;
    lw_follow_begin(&d->ex, &follow);
    lw_lit_begin(&lit, &follow, pane);
    const uint64_t m = own == 'B' ? UINT64_MAX : first;
    const uint64_t k = own == 'A' ? second : own == 'B' ? first : UINT64_MAX;
    const uint64_t n = own == 'A' ? UINT64_MAX : second;
    for (uint64_t row = 0; row < pane->view.rows; row += pane->step_rows)
        for (uint64_t col = 0; col < pane->view.cols; col += pane->step_cols) {
            if (!look(d, &lit, row, col, &name, out, &is_lit))
                continue;
            if (name == 'B' && turned) {
                const uint64_t swap = out[0];
                out[0] = out[1];
                out[1] = swap;
            }
            bool expected = name == own   ? out[0] == first && out[1] == second
                            : name == 'A' ? (own == 'C' ? out[0] == m : out[1] == k)
                            : name == 'B' ? (own == 'C' ? out[1] == n : out[0] == k)
                                          : (own == 'A' ? out[0] == m : out[1] == n);
            if (is_lit != expected)
                fail_msg("%c(%d,%d) of %c(%d,%d)", name, (int)out[0], (int)out[1], own, (int)first,
                         (int)second);
        }
}

static void rows_and_columns_are_lit(void **state)
{
    static const struct {
        const char *source;
        bool turned; /* B is n by k */
    } cases[] = {{"mma/m16n8k16", false}, {"mma/2x2-warps", false}, {"cute/tiled-mma-abc", true}};
    struct drive d;
    char command[32];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drive_open(&d, cases[i].source);
        drive_resize(&d, 200, 60);
        drive_command(&d, "view mma");
        drive_keys(&d, "h");
        for (int step = 0; step < 12; step++) {
            const char own = "ABC"[step % 3];
            const int first = (5 * step + 2) % 8, second = (3 * step + 1) % 8;
            bool swaps = cases[i].turned && own == 'B';
            snprintf(command, sizeof command, "find %c %d,%d", own, swaps ? second : first,
                     swaps ? first : second);
            drive_command(&d, command);
            assert_lit(&d, own, (uint64_t)first, (uint64_t)second, cases[i].turned);
        }
        drive_close(&d);
    }
}

/* The same where a cell has several elements: that of the cursor's cell. */
static void cells_of_several_are_lit(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "mma/m16n8k32");
    drive_resize(&d, 80, 24);
    drive_fit(&d);
    drive_keys(&d, "h");
    drive_command(&d, "find A 3,5"); /* four k a cell */
    assert_lit(&d, 'A', 3, 4, false);
    drive_command(&d, "find C 9,4");
    assert_lit(&d, 'C', 9, 4, false);
    drive_close(&d);
}

static int lit_cells(struct drive *d)
{
    struct lw_view_pane *pane = pane_of(d);
    struct lw_follow follow;
    struct lw_lit lit;
    char name;
    uint64_t out[2];
    bool is_lit;
    int count = 0;
    lw_follow_begin(&d->ex, &follow);
    lw_lit_begin(&lit, &follow, pane);
    for (uint64_t row = 0; follow.on && row < pane->view.rows; row++)
        for (uint64_t col = 0; col < pane->view.cols; col++)
            count += look(d, &lit, row, col, &name, out, &is_lit) && is_lit;
    return count;
}

/* Lanes are lit while nothing is dimmed, and when H or find chose them. */
static void lanes_can_be_followed(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "mma/m16n8k16");
    drive_resize(&d, 120, 40);
    drive_command(&d, "find C 9,4");
    drive_keys(&d, "Left Right");
    assert_int_equal(lit_cells(&d), 8 + 4 + 4);
    drive_keys(&d, "h");
    assert_int_equal(lit_cells(&d), 16 + 16 + 1);
    assert_shows(&d, "lit: row and column of what the element is made of or used for; H: lane");
    drive_keys(&d, "H");
    assert_shows(&d, "lit: what has the cursor's lane");
    assert_int_equal(lit_cells(&d), 8 + 4 + 4);
    for (int i = 0; i < 4 && lit_cells(&d) != 33; i++)
        drive_keys(&d, "H");
    assert_int_equal(lit_cells(&d), 33);
    drive_keys(&d, "h");
    assert_int_equal(lit_cells(&d), 8 + 4 + 4);
    drive_keys(&d, "h");
    drive_command(&d, "find t5");
    assert_int_equal(lit_cells(&d), 8 + 4 + 4);
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_columns_are_lit),
        cmocka_unit_test(cells_of_several_are_lit),
        cmocka_unit_test(lanes_can_be_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
