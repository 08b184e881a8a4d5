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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_access_has_the_lanes_of_its_hardware),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
