/* Results of the calculator at the prompt, and the messages of what it cannot compute. */

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* A result has the type of the elements of `it` where they are the same, however the operation is written. */
static void results_keep_their_elements(void **state)
{
    static const struct {
        const char *expr, *element;
    } cases[] = {
        {"it.coalesce()", "f16"},  {"it.inBytes()", ""},           {"it.in_bytes()", ""},
        {"it.RightInverse()", ""}, {"right_inverse(it)", ""},      {"it.upcast(2)", ""},
        {"it.nullspace()", ""},    {"recast = it; recast", "f16"}, {"(2,4):(4,1)", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_open(&d, "{\"source\": \"(2,4):(4,1)\", \"element\": \"f16\"}");
        drive_command(&d, cases[i].expr);
        assert_false(d.ex.status.is_error);
        assert_string_equal(lw_explorer_entry(&d.ex)->doc->tensor.element.name, cases[i].element);
        drive_close(&d);
    }
}

/* Commands in messages are written as they are typed here, but not in what the user wrote. */
static void messages_quote_exactly(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 160, 40);
    drive_command(&d, "mark laneway list");
    assert_shows(&d, "'laneway list' cannot be marked");
    drive_command(&d, "open laneway zzqq");
    assert_shows(&d, "'laneway zzqq' is neither a layout nor a name in the gallery; ':list' lists "
                     "the names");
    drive_command(&d, "zzqq(it)");
    assert_shows(&d, "':help ");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_keep_their_elements),
        cmocka_unit_test(messages_quote_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
