/* Results of the calculator at the prompt, and the messages of what it cannot compute. */

#include "tui/drive.h"
#include "tui/prompt/prompt.h"

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

/* :let takes the layout on the screen and results of the calculator; a refused one binds nothing. */
static void lets_of_results(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "((2,4),(3,5)):((1,2),(8,24))");
    drive_command(&d, "let all=it");
    assert_string_equal(d.ex.status.message, "all is it");
    drive_command(&d, "let flat=coalesce(it)");
    assert_string_equal(d.ex.status.message, "flat is coalesce(it)");
    drive_command(&d, "let wrong=coalesce(nothing)");
    assert_true(d.ex.status.is_error);
    assert_false(lw_is_bound(&d.ex, "wrong"));
    drive_command(&d, "let number=size(it)");
    assert_string_equal(d.ex.status.message, "'size(it)' is not a layout");
    drive_command(&d, "let it=(2,2):(5,7)");
    assert_string_equal(d.ex.status.message,
                        "'it' is the layout on the screen: another name is needed");
    drive_command(&d, "flat");
    assert_string_equal(d.ex.status.message, "flat = 120:1");
    drive_command(&d, "size(all)");
    assert_string_equal(d.ex.status.message, "size(all) = 120");
    drive_close(&d);
}

/* A slice of a layout is without its start, which is said. */
static void slices_name_their_start(void **state)
{
    static const char *const typed[] = {"slice((1,_),it)", "it(1,_)"};
    struct drive d;
    (void)state;
    for (int i = 0; i < 2; i++) {
        drive_open(&d, "(4,8):(8,1)");
        drive_command(&d, typed[i]);
        assert_non_null(
            strstr(d.ex.status.message, " its offsets begin at 0, in CuTe: before the slice at 8"));
        drive_close(&d);
    }
    drive_open(&d, "(4,8):(8,1)");
    drive_command(&d, "slice((0,_),it)");
    assert_string_equal(d.ex.status.message, "slice((0,_),it) = (8):(1)");
    drive_command(&d, "swizzle 3,3,3");
    assert_non_null(strstr(d.ex.status.message, "Sw<3,3,3> is that of CuTe (bits, base, shift)"));
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_keep_their_elements),
        cmocka_unit_test(messages_quote_exactly),
        cmocka_unit_test(lets_of_results),
        cmocka_unit_test(slices_name_their_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
