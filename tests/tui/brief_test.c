/* Shared S typed in short: swizzles and paddings, and a swizzle that changes nothing. */

#include "tui/drive.h"
#include "tui/explore/explorer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* The short forms after :shared and :swizzle, as people write them; what is wrong has a message with a right one. */
static void short_forms_are_read(void **state)
{
    static const struct {
        const char *typed, *shows;
    } cases[] = {
        {"swizzle vec 2,1,8", "vec 2, perPhase 1, maxPhase 8"},
        {"swizzle vec=2, perPhase=1, maxPhase=16", "vec 2, perPhase 1, maxPhase 16"},
        {"shared vec=4,1,8", "vec 4, perPhase 1, maxPhase 8"},
        {"swizzle xor 16", "vec 1, perPhase 1, maxPhase 16"},
        {"shared pad 1", "padding [32:+1]"},
        {"shared pad 16:+2", "padding [16:+2]"},
        {"shared [32:+4]", "padding [32:+4]"},
        {"shared padding [32:+1, 64:+2]", "padding [32:+1, 64:+2]"},
        {"shared pad 3", "intervalPads = [[32, 3]]: each padding must be a power of two"},
        {"shared pad", "pad needs the gap after each row, as in pad 1, or after each interval"},
        {"shared pad 64:4", "pad needs the gap after each row, as in pad 1, or after each"},
        {"shared pad :+4", "pad needs the gap after each row, as in pad 1, or after each"},
        {"shared pad 99999999999999999999", "pad needs the gap after each row, as in pad 1"},
        {"shared pad +2", "padding [32:+2]"},
        {"shared [16:+4, 32:+4]", "padding [16:+4, 32:+4]"},
        {"shared vec -1,1,1", "vec needs three numbers"},
        {"shared [32]", "an interval and the gap after it, in elements, as in [32:+1]"},
        {"swizzle vec 2", "vec needs three numbers"},
        {"swizzle xor", "xor needs one number, as in xor 8"},
        {"swizzle 2,1", "vec 4,1,8 is one of Triton"},
        {"swizzle 3,3,3", ":shared vec 3,3,3 that of Triton"},
    };
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 160, 40);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drive_command(&d, cases[i].typed);
        assert_shows(&d, cases[i].shows);
    }
    drive_command(&d, "help shared"); /* which names them */
    assert_shows(&d, "vec 4,1,8, xor 8, pad 1 or Sw<3,3,3>");
    drive_close(&d);
}

/* A swizzle whose bits are beyond all offsets is reported as one that changes nothing, when it is set and opened. */
static void an_idle_swizzle_is_reported(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 200, 40);
    drive_command(&d, "shared Sw<9,9,9>");
    assert_non_null(strstr(
        d.ex.status.message,
        "the swizzle changes no offset, as it reads bits from 18 on, and all offsets are below "
        "2^18: shared S: 1056 wavefronts"));
    drive_command(&d, "shared Sw<3,2,5>");
    assert_null(strstr(d.ex.status.message, "changes no offset"));
    drive_command(&d, "open Sw<9,9,9> o 0 o (32,32):(32,1)");
    assert_shows(
        &d,
        "the swizzle changes no offset of this layout: it reads bits from 18 on, and all offsets "
        "are below 2^18");
    drive_command(&d,
                  "open Sw<3,4,3> o smem_ptr[16b](unset) o (2,32):(32,1)"); /* which counts bytes */
    assert_shows(&d, "it reads bits from 7 on, and all bytes are below 2^7");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_forms_are_read),
        cmocka_unit_test(an_idle_swizzle_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
