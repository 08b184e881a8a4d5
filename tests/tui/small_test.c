/* Screens without rows for an inspector, or without room for two views. */

#include "tui/draw/drawing.h"
#include "tui/drive.h"
#include "tui/explore/explorer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The element under the cursor and its owner are on the border, before the meaning of cells and colours. */
static void the_owner_is_on_the_border(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "start/16x16", 40, 10);
    drive_keys(&d, "Down Right");
    assert_shows(&d, "─ (4,1): w0 l16 r1 ");
    drive_keys(&d, "2 g Right");
    assert_shows(&d, "─ (0,2): w0 l1 r0 ");
    drive_resize(&d, 80, 24); /* with an inspector it is there */
    assert_hides(&d, "─ (0,2)");
    drive_close(&d);
    drive_open_at(&d, "mma/m16n8k16", 40, 10);
    drive_command(&d, "find C 9,4");
    drive_keys(&d, "Left Right"); /* the message of find is there at first */
    assert_shows(&d, " C (9,4): w0 l6 r2 ");
    drive_close(&d);
    drive_open_at(&d, "mma/wmma-16x16x16", 40, 10); /* two lanes hold an element of A */
    drive_command(&d, "find A 3,1");
    drive_keys(&d, "Left Right");
    assert_shows(&d, " A (3,1): w0 l3 r1 and 1 more ");
    drive_close(&d);
}

/* What an edit changed, for a moment, and how many elements differ are there before the owner. */
static void differences_are_on_the_border(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "blocked/16x64", 80, 8);
    drive_keys(&d, "Down");
    assert_shows(&d, "─ (");
    drive_command(&d, "set sizePerThread=[1, 8]");
    assert_shows(&d, " last change: ");
    drive_keys(&d, "1 Down");
    assert_hides(&d, " last change: ");
    assert_shows(&d, "─ (");
    drive_keys(&d, "d");
    assert_shows(&d, " all 1024 differ");
    drive_close(&d);
}

/* In a narrow inspector the owner is whole, in short where a row has no room for its words. */
static void the_owner_is_not_cut(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "blocked/16x64", 40, 14);
    drive_keys(&d, "1 g Down");
    assert_shows(&d, "held by      w0 l0 r4 ");
    drive_resize(&d, 40, 24);
    assert_shows(&d, "held by      warp 0, lane 0, ");
    assert_shows(&d, "             register 4 ");
    assert_shows(&d, "lane holds   dim0 0,2,4,...,14 dim1 ");
    assert_shows(&d, "             0-3 ");
    drive_close(&d);
}

static bool has_two(struct drive *d)
{
    struct lw_panes panes;
    lw_panes(&d->ex, &panes);
    return panes.view[0].height && panes.view[1].height;
}

/* The message has sizes at which both views are shown. */
static void a_second_view_names_the_size_that_it_needs(void **state)
{
    static const char *const sources[] = {"start/16x16", "mma/m16n8k16", "local(3, 4)"};
    static const int sizes[][2] = {{40, 10}, {24, 6}, {59, 8}, {30, 13}, {50, 20}};
    struct drive d;
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            int columns = 0, rows = 0;
            drive_open_at(&d, sources[i], sizes[j][0], sizes[j][1]);
            drive_keys(&d, "|");
            assert_false(has_two(&d));
            assert_int_equal(sscanf(d.ex.status.message, "two views need %d columns or %d rows: w",
                                    &columns, &rows),
                             2);
            drive_resize(&d, columns - 1, sizes[j][1]);
            assert_false(has_two(&d));
            drive_resize(&d, columns, sizes[j][1]);
            assert_true(has_two(&d));
            drive_resize(&d, sizes[j][0], rows);
            assert_true(has_two(&d));
            drive_close(&d);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_owner_is_on_the_border),
        cmocka_unit_test(differences_are_on_the_border),
        cmocka_unit_test(the_owner_is_not_cut),
        cmocka_unit_test(a_second_view_names_the_size_that_it_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
