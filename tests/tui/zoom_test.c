/* The steps of `+` and `-`: a zoom at which cells have less text than at another one that shows as much is passed. */

#include "fit_parts.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* What is on the screen of a view: its rows and columns, and the bars beside those of a heat map. */
struct seen {
    uint64_t rows, cols;
    bool bars;
};

static struct seen seen(struct drive *d)
{
    struct lw_view_pane *pane = d->ex.panes.active;
    struct lw_grid grid;
    drive_draw(d);
    lw_grid(&d->ex, pane, &grid);
    return (struct seen){least(pane->view.rows, (uint64_t)grid.rows * pane->step_rows),
                         least(pane->view.cols, (uint64_t)grid.cols * pane->step_cols),
                         lw_grid_bar_room(pane, &grid) >= LW_BAR_LEAST};
}

static bool has_more(struct seen a, struct seen b)
{
    return a.rows > b.rows || a.cols > b.cols || a.bars > b.bars;
}

/* Goes as far as a key leads; the number of steps. Zooms that wrap or fold a view show others of its rows. */
static int walk(struct drive *d, const char *key)
{
    const struct lw_view_pane *pane = d->ex.panes.active;
    struct seen before = seen(d), now;
    bool in = !strcmp(key, "+");
    int steps = 0;
    for (unsigned zoom = pane->zoom; steps < 20; zoom = pane->zoom, before = now, steps++) {
        const uint64_t rows = pane->view.rows, cols = pane->view.cols;
        drive_keys(d, key);
        if (pane->zoom == zoom)
            break;
        now = seen(d);
        if (rows == pane->view.rows && cols == pane->view.cols &&
            !(in ? has_more(before, now) : has_more(now, before)))
            fail_msg("%s at %dx%d, %s: zoom %u after %u shows %dx%d, as before",
                     pane->view.type->name, d->ex.screen.width, d->ex.screen.height, key,
                     pane->zoom, zoom, (int)now.rows, (int)now.cols);
    }
    return steps;
}

static void each_step_shows_more_or_less(void **state)
{
    static const struct {
        const char *source, *view;
    } cases[] = {{"((4,8),(2,4)):((8,1),(4,32))", "owners"},
                 {"cute/zipped-divide", "owners"},
                 {"((4,8),(2,4)):((1,4),(32,64))", "memory"},
                 {"start/16x16", "owners"},
                 {"start/16x16", "hardware"},
                 {"blocked/16x64", "owners"},
                 {"blocked/gluon-128x128", "owners"},
                 {"swizzle/16x32-xor", "memory"},
                 {"swizzle/16x32-xor", "owners"},
                 {"tilus/product-3x4-2x3", "owners"},
                 {"local(4, 8).spatial(8, 4).local(2, 2)", "owners"},
                 {"spatial(4, 8).local(5, 5)", "owners"},
                 {"mma/m16n8k16", "mma"},
                 {"mma/m16n8k16.c", "owners"},
                 {"mma/wgmma-m64n64k16", "mma"},
                 {"banks/transpose-row-major", "banks"},
                 {"local(8).spatial(32)", "owners"}};
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    int steps = 0;
    (void)state;
    for (size_t i = 0; i < 3 * sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_open_at(&d, cases[i / 3].source, sizes[i % 3][0], sizes[i % 3][1]);
        drive_show(&d, lw_view_types(&(size_t){0})[drive_view(cases[i / 3].view)]);
        assert_true(d.ex.panes.active->has_view);
        steps += walk(&d, "+");
        steps += walk(&d, "-");
        assert_true(fits(&d) || !lw_pane_is_picture(d.ex.panes.active));
        drive_close(&d);
    }
    assert_true(steps > 50);
}

/* Where all columns have room for numbers with blanks, letters and numbers that touch are passed. */
static void numbers_come_before_letters(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "((4,8),(2,4)):((8,1),(4,32))", 80, 24);
    assert_int_equal(d.ex.panes.active->zoom, LW_ZOOM_HALF);
    drive_keys(&d, "+");
    assert_shows(&d, " 3  24   28 │ 56   60 │ 88   92 │120  124 ");
    drive_keys(&d, "-");
    assert_int_equal(d.ex.panes.active->zoom, LW_ZOOM_HALF);
    drive_close(&d);
}

/* - passes the zooms that + passes. */
static void both_keys_walk_the_same_zooms(void **state)
{
    static const struct {
        const char *source;
        int width, height;
    } cases[] = {{"start/16x16", 60, 18},
                 {"spatial(3, 32).local(20, 2)", 200, 60},
                 {"cute/tiled-mma-abc", 120, 40},
                 {"blocked/gluon-128x128", 80, 24}};
    enum { MOST = 40 };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        unsigned down[MOST], last;
        int count = 0;
        drive_open_at(&d, cases[i].source, cases[i].width, cases[i].height);
        walk(&d, "+");
        do {
            assert_true(count < MOST);
            last = d.ex.panes.active->zoom;
            down[count++] = last;
            drive_keys(&d, "-");
        } while (d.ex.panes.active->zoom != last);
        assert_true(count > 2);
        while (count-- > 0) {
            assert_int_equal(d.ex.panes.active->zoom, down[count]);
            drive_keys(&d, "+");
        }
        drive_close(&d);
    }
}

/* The meaning of letters is shown only where cells have letters. */
static void letters_are_explained_where_they_are(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "spatial(3, 32).local(20, 2)", 200, 60);
    drive_zoom(&d, LW_ZOOM_SHORT);
    assert_hides(&d, "again");
    drive_zoom(&d, LW_ZOOM_CHAR);
    assert_shows(&d, ", 0 again = 64 ");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_step_shows_more_or_less),
        cmocka_unit_test(numbers_come_before_letters),
        cmocka_unit_test(both_keys_walk_the_same_zooms),
        cmocka_unit_test(letters_are_explained_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
