/* What is typed into a field: after Enter it replaces the whole value, unless an arrow goes first; a digit alone begins
 * with the number under the cursor. */

#include "tui/drive.h"
#include "tui/explore/explorer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void typing_replaces_a_list(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_field(&d, "shape");
    drive_keys(&d, "Enter");
    drive_type(&d, "[16,16");
    assert_string_equal(lw_text_string(&d.ex.form.edit.text), "[16,16");
    drive_keys(&d, "Esc Enter Left 0");
    assert_string_equal(lw_text_string(&d.ex.form.edit.text), "[16, 160]");
    drive_close(&d);
}

/* Numbers that are typed over those of a list: a comma goes to the next one, and adds one only where the list may be
 * longer. */
static void a_comma_goes_to_the_next_number(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_field(&d, "shape");
    drive_type(&d, "32,128");
    assert_string_equal(lw_text_string(&d.ex.form.edit.text), "[32, 128]");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    drive_keys(&d, "Enter");
    assert_string_equal(drive_value(&d, "shape"), "[32, 128]");
    assert_shows(&d, "32x128xf32");
    drive_field(&d, "sizePerThread");
    drive_type(&d, "2, 8,4");
    assert_shows(&d, "sizePerThread has one number for each dim of the tensor");
    assert_string_equal(lw_text_string(&d.ex.form.edit.text), "[2, 8]");
    drive_keys(&d, "Esc");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 4]");
    drive_type(&d, "2, 2");
    drive_keys(&d, "Enter");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[2, 2]");
    drive_field(&d, "shape");
    drive_type(&d, "3");
    assert_int_not_equal(d.ex.layouts.problem.code, LW_OK); /* on its way to 32 */
    assert_shows(&d, "32x128xf32");
    drive_type(&d, "2,64,2");
    assert_string_equal(lw_text_string(&d.ex.form.edit.text), "[32, 64,2]");
    drive_keys(&d, "Esc Enter");
    drive_type(&d, "8,8");
    drive_keys(&d, "Enter");
    assert_string_equal(drive_value(&d, "shape"), "[8, 8]");
    drive_close(&d);
    drive_open(&d, "start/16x16"); /* lists in a list */
    drive_field(&d, "register");
    drive_type(&d, "1,0,0,1");
    drive_keys(&d, "Enter");
    assert_string_equal(drive_value(&d, "register"), "[[1, 0], [0, 1]]");
    drive_close(&d);
}

/* A list may be typed as a tuple. */
static void tuples_are_lists(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_keys(&d, "Tab");
    drive_type(&d, "(32, 128)");
    drive_keys(&d, "Enter");
    assert_shows(&d, "32x128xf32");
    drive_keys(&d, "Enter");
    drive_type(&d, "(8,16)");
    drive_keys(&d, "Enter");
    assert_shows(&d, "8x16xf32");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(typing_replaces_a_list),
                                       cmocka_unit_test(a_comma_goes_to_the_next_number),
                                       cmocka_unit_test(tuples_are_lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
