/* Groups: the text of a cell of several elements says exactly which values these have, in every layout of the gallery
 * at three sizes. */

#include "fit_parts.h"

/* Of all elements of a cell: the least and the greatest value, and how many there are. */
struct values {
    uint64_t least, greatest;
    int count;
};

static void add_value(struct values *values, unsigned char *seen, uint64_t value)
{
    assert_true(value < 1 << 16);
    values->least = value < values->least ? value : values->least;
    values->greatest = value > values->greatest ? value : values->greatest;
    values->count += !seen[value];
    seen[value] = 1;
}

static struct values values_of(const struct lw_view_pane *pane, uint64_t row, uint64_t col)
{
    static unsigned char seen[1 << 16];
    struct values values = {.least = UINT64_MAX};
    struct lw_spot spot;
    uint64_t value;
    const char *name;
    memset(seen, 0, sizeof seen);
    for (uint64_t r = row; r < row + pane->step_rows; r++)
        for (uint64_t c = col; c < col + pane->step_cols; c++) {
            if (!pane->view.type->spot(&pane->view, r, c, &spot) || !spot.has_in)
                continue;
            const struct lw_subject *subject =
                pane->view.type->layout ? pane->view.type->layout(&pane->view, spot.operand, &name)
                                        : pane->view.subject;
            assert_true(lw_subject_field(subject, pane->groups.field, spot.in, spot.out, &value));
            add_value(&values, seen, value);
        }
    return values;
}

static void check_cell(struct lw_view_pane *pane, uint64_t row, uint64_t col)
{
    char expected[64] = "";
    struct lw_text text = {0};
    struct values values = values_of(pane, row, col);
    unsigned long long least = values.least, greatest = values.greatest;
    if (values.count == 1)
        snprintf(expected, sizeof expected, "%llu", least);
    else if (values.count)
        snprintf(expected, sizeof expected, "%llu-%llu", least, greatest);
    lw_groups_put(pane, row, col, &text);
    assert_string_equal(lw_text_string(&text), expected);
    assert_true(!values.count || (uint64_t)values.count == greatest - least + 1);
    assert_true((int)text.length <= pane->groups.width);
    if (values.count)
        assert_true(lw_groups_has(pane, row, col, least) &&
                    lw_groups_has(pane, row, col, greatest) &&
                    !lw_groups_has(pane, row, col, greatest + 1));
    lw_text_free(&text);
}

/* Returns how many cells there are. */
static int check_pane(struct lw_view_pane *pane)
{
    enum { LOOKED_AT = 1 << 16 };
    int cells = 0;
    assert_true(pane->view.cols <= LOOKED_AT / pane->view.rows);
    for (uint64_t row = 0; row < pane->view.rows; row += pane->step_rows)
        for (uint64_t col = 0; col < pane->view.cols; col += pane->step_cols, cells++)
            check_cell(pane, row, col);
    return cells;
}

static void texts_of_groups_are_exact(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {60, 16}};
    static const char *const views[] = {"owners", "mma"};
    struct drive d;
    int cells = 0, layouts = 0;
    (void)state;
    drive_open(&d, NULL);
    for (size_t e = 0; e < d.ex.list.count; e++)
        for (size_t i = 0; i < 6; i++) {
            d.ex.list.entry = e;
            d.ex.changed |= LW_CHANGED_ENTRY;
            drive_resize(&d, sizes[i / 2][0], sizes[i / 2][1]);
            if (!lw_explorer_view(&d.ex, views[i % 2]))
                continue;
            drive_fit(&d);
            struct lw_view_pane *pane = d.ex.panes.active;
            if (!pane->groups.on)
                continue;
            cells += check_pane(pane);
            layouts++;
        }
    drive_close(&d);
    assert_true(layouts > 20 && cells > 1000);
}

/* Runs of elements with one owner are one cell, which has its number. */
static void runs_of_one_owner_are_cells(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "blocked/16x64", 80, 24);
    assert_shows(&d, "  3 16  17  18  19 ");
    assert_shows(&d, " a cell is 1x4, of one thread ");
    assert_hides(&d, "in a cell");
    assert_int_equal(d.ex.panes.active->step_cols, 4);
    drive_keys(&d, "Right");
    assert_string_equal(drive_element(&d), "0,4");
    drive_close(&d);
}

/* Steps of more than 32 bits within a cell. */
static void huge_dims_have_exact_groups(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d,
                  "tensor<2199023255552x2xf16, #ttg.blocked<{sizePerThread = [68719476736, 1], "
                  "threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [0, 1]}>>",
                  100, 30);
    struct lw_view_pane *pane = d.ex.panes.active;
    assert_true(pane->groups.on);
    for (uint64_t row = 0; row < pane->view.rows; row += pane->step_rows) {
        char expected[32];
        struct lw_text text = {0};
        unsigned long long first = row >> 36, last = (row + pane->step_rows - 1) >> 36;
        int length = snprintf(expected, sizeof expected, "%llu", first);
        if (first != last)
            snprintf(expected + length, sizeof expected - (size_t)length, "-%llu", last);
        lw_groups_put(pane, row, 0, &text);
        assert_string_equal(lw_text_string(&text), expected);
        lw_text_free(&text);
    }
    drive_close(&d);
}

/* The cells whose range has the thread of the cursor are lit, not only those that begin with it. */
static void a_range_is_lit_by_any_of_its_threads(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "blocked/16x64", 44, 30);
    assert_shows(&d, " a cell is 1x16 of threads ");
    drive_command(&d, "find 5,20"); /* thread 21: in 20-23 */
    assert_int_equal(drive_tile(&d, "  3 16-19  20-23 ")[12].pen.kind, LW_PEN_LIT);
    assert_int_equal(drive_tile(&d, "  3 16-19  20-23 ")[6].pen.kind, LW_PEN_FILL);
    drive_close(&d);
}

/* Cells of one warp have its number. */
static void cells_of_one_warp_have_its_number(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "cute/tiled-mma-abc", 80, 24);
    assert_shows(&d, " 16 1  1  1  1 ");
    assert_shows(&d, ", of one warp ");
    assert_shows(&d, "warp    0  1  2  3 ");
    assert_shows(&d, "thread 0 is lit: h dims the rest");
    drive_close(&d);
}

/* Elements of several threads are cells of their own where these fit in half a character. */
static void elements_come_before_ranges(void **state)
{
    static const char *const source =
        "tensor<32x32xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], "
        "warpsPerCTA = [2, 1], order = [1, 0]}>>";
    struct drive d;
    (void)state;
    drive_open_at(&d, source, 80, 24);
    assert_int_equal(d.ex.panes.active->zoom, LW_ZOOM_HALF);
    assert_shows(&d, "lane ");
    drive_close(&d);
    drive_open_at(&d, source, 120, 40); /* lanes of two warps would look alike */
    assert_shows(&d, "in a cell the thread");
    assert_shows(&d, " 5 40      41      42 ");
    drive_close(&d);
}

/* What is compared, and two panes of one picture, have groups of one size, whose texts are exact in both. */
static void two_panes_have_equal_groups(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {132, 50}, {81, 30}};
    static const char *const edits[] = {"set threadsPerWarp=1,32", "set sizePerThread=1,8",
                                        "set threadsPerWarp=4,8"};
    struct drive d;
    int groups = 0;
    (void)state;
    for (int i = 0; i < 12; i++) {
        drive_open_at(&d, "blocked/16x64", sizes[i % 4][0], sizes[i % 4][1]);
        drive_keys(&d, "d");
        drive_command(&d, edits[i / 4]);
        drive_fit(&d);
        struct lw_view_pane *a = &d.ex.panes.all[0], *b = &d.ex.panes.all[1];
        assert_int_equal(d.ex.panes.count, 2);
        assert_int_equal(a->groups.on, b->groups.on);
        assert_int_equal(a->step_rows, b->step_rows);
        assert_int_equal(a->step_cols, b->step_cols);
        if (!a->groups.on)
            assert_int_equal(a->zoom, b->zoom);
        else
            assert_int_equal(check_pane(a), check_pane(b));
        groups += a->groups.on;
        drive_close(&d);
    }
    assert_true(groups > 4);
}

/* Two layouts of which only one has groups have cells of one element, or of several. */
static void both_panes_have_groups_or_none(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "blocked/16x64", 120, 40);
    drive_command(&d, "compare spatial(16, 2).local(1, 32)");
    drive_fit(&d);
    struct lw_view_pane *a = &d.ex.panes.all[0], *b = &d.ex.panes.all[1];
    assert_int_equal(d.ex.panes.count, 2);
    assert_false(a->groups.on || b->groups.on);
    assert_true(a->zoom >= LW_ZOOM_CHAR);
    assert_int_equal(a->zoom, b->zoom);
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_groups_are_exact),
        cmocka_unit_test(runs_of_one_owner_are_cells),
        cmocka_unit_test(huge_dims_have_exact_groups),
        cmocka_unit_test(a_range_is_lit_by_any_of_its_threads),
        cmocka_unit_test(cells_of_one_warp_have_its_number),
        cmocka_unit_test(elements_come_before_ranges),
        cmocka_unit_test(two_panes_have_equal_groups),
        cmocka_unit_test(both_panes_have_groups_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
