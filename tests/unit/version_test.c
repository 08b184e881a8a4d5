/* The library knows its version, and whether a program was compiled with its headers. */

#include "laneway/laneway.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void test_headers(void **unused)
{
    (void)unused;
    struct lw_error err = {0};
    assert_string_equal(lw_version(), LW_VERSION);
    assert_true(lw_check_headers(LW_VERSION, LW_SIZES, &err));
    assert_false(lw_check_headers("0.0.9", LW_SIZES, &err));
    assert_int_equal(err.code, LW_ERROR_UNSUPPORTED);
    assert_string_equal(
        err.message,
        "this program was compiled for liblaneway 0.0.9, and the library is " LW_VERSION
        ": compile it again, or install the other library");
    assert_false(lw_check_headers(LW_VERSION, LW_SIZES - 31, &err));
    assert_string_equal(
        err.message,
        "this program was compiled with headers of another build of liblaneway " LW_VERSION
        ": compile it again with those that are installed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_headers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
