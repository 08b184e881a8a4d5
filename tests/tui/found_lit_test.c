/* What find found is lit, and stays so after an edit. */

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void find(struct drive *d, const char *query)
{
    drive_keys(d, "/");
    assert_int_equal(d->ex.focus, LW_FOCUS_FIND);
    drive_type(d, query);
    drive_keys(d, "Enter");
    assert_int_not_equal(d->ex.focus, LW_FOCUS_FIND);
}

/* The number of lit cells on the screen. */
static int lit(struct drive *d)
{
    int count = 0;
    drive_draw(d);
    for (int i = 0; i < d->surface.width * d->surface.height; i++)
        count += d->surface.tiles[i].pen.kind == LW_PEN_LIT;
    return count;
}

/* All that a thread, a warp or a register has is lit when it is found, whatever was followed before. */
static void what_is_found_is_lit(void **state)
{
    static const char *const queries[][2] = {
        {"t17", "thread 17 is lit"}, {"w1", "warp 1 is lit"}, {"r2", "register 2 is lit"}};
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 120, 40);
    for (int i = 0; i < 8 && lit(&d); i++)
        drive_keys(&d, "H");
    assert_int_equal(lit(&d), 0);
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        find(&d, queries[i][0]);
        assert_true(lit(&d) > 0);
        assert_shows(&d, queries[i][1]);
    }
    drive_close(&d);
}

/* After an edit the thread that was found stays lit, and the cursor is on what it has now; a cursor that was moved
 * there, or an element that was found, stays where it is and lights its owner. */
static void what_is_found_stays_lit(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 120, 40);
    find(&d, "t21");
    assert_string_equal(drive_element(&d), "1,20");
    assert_shows(&d, "lane 21 is lit");
    drive_command(&d, "set sizePerThread=1,2");
    assert_shows(&d, "lane 21 is lit");
    assert_string_equal(drive_element(&d), "1,10");
    drive_command(&d, "set order=0,1");
    assert_shows(&d, "lane 21 is lit");
    drive_keys(&d, "u u");
    assert_shows(&d, "lane 21 is lit");
    assert_string_equal(drive_element(&d), "1,20");
    drive_keys(&d, "Right Left"); /* now it is the cursor's owner */
    drive_command(&d, "set sizePerThread=1,2");
    assert_string_equal(drive_element(&d), "1,20");
    assert_shows(&d, "lane 26 is lit");
    find(&d, "1,4");
    assert_shows(&d, "lane 18 is lit");
    drive_keys(&d, "u");
    assert_string_equal(drive_element(&d), "1,4");
    assert_shows(&d, "lane 17 is lit");
    find(&d, "t17 r3"); /* a register that the edit takes away */
    drive_command(&d, "set sizePerThread=1,1 shape=2,16");
    assert_shows(&d, "is lit");
    assert_false(d.ex.status.is_error);
    drive_close(&d);
}

/* An element that several threads hold lights the one that was found. */
static void the_owner_that_is_found_is_lit(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "broadcast/64-on-128-threads");
    drive_resize(&d, 120, 40);
    find(&d, "t100");
    assert_shows(&d, "thread 100 is lit");
    drive_keys(&d, "2 1");
    assert_shows(&d, "thread 100 is lit");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_found_is_lit),
        cmocka_unit_test(what_is_found_stays_lit),
        cmocka_unit_test(the_owner_that_is_found_is_lit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
