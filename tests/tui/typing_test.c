/* What is typed into a field after Enter: it replaces the whole value, unless an arrow goes first. */

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(typing_replaces_a_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
