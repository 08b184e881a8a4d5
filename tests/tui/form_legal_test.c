/* Values that are not legal: what hardware has, and the reason. */

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* An access is counted for some hardware also where none was named: its steps end at the lanes of that. */
static void an_access_has_the_lanes_of_its_hardware(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 160, 48);
    drive_field(&d, "threadsPerWarp");
    assert_string_equal(drive_value(&d, "threadsPerWarp"), "[1, 32]");
    drive_keys(&d, "+");
    assert_string_equal(drive_value(&d, "threadsPerWarp"), "[1, 32]");
    assert_shows(&d, "makes 64 lanes a warp, and sm90 has 32");
    drive_command(&d, "target gfx942");
    drive_command(&d, "set .warpsPerCTA=[16,1]");
    drive_field(&d, "threadsPerWarp");
    drive_keys(&d, "+");
    assert_string_equal(drive_value(&d, "threadsPerWarp"), "[2, 32]");
    drive_close(&d);
}

static int count_on_screen(struct drive *d, const char *text)
{
    int count = 0;
    for (const char *at = drive_screen(d); (at = strstr(at, text)); at++)
        count++;
    return count;
}

/* Why a value is not legal is shown once: under its field, or in the inspector while a list of values is over that. */
static void a_reason_is_shown_once(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct drive d;
        drive_open(&d, "swizzle/2-1-4");
        drive_resize(&d, sizes[i][0], sizes[i][1]);
        drive_field(&d, "maxPhase");
        drive_keys(&d, "Enter 3");
        assert_int_equal(count_on_screen(&d, "maxPhase = 3"), 1);
        assert_int_equal(count_on_screen(&d, "must be a power of two"), 1);
        drive_keys(&d, "Esc");
        drive_field(&d, "shape");
        drive_keys(&d, "3");
        assert_int_equal(count_on_screen(&d, "not a power"), 1);
        drive_keys(&d, "Enter");
        assert_int_equal(count_on_screen(&d, "not a power"), 1);
        drive_close(&d);
    }
}

/* A number typed before a list is reported as that, with what would be right. */
static void a_number_before_a_list_is_named(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 120, 40);
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "Enter Home 3");
    assert_shows(&d, "the number 3 is");
    assert_hides(&d, "name of a function");
    drive_keys(&d, "Esc");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_access_has_the_lanes_of_its_hardware),
        cmocka_unit_test(a_reason_is_shown_once),
        cmocka_unit_test(a_number_before_a_list_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
