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

/* A name opens as a layout, is read by the commands that need a SOURCE, and is listed with its value. */
static void lets_are_sources(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "(4,8):(8,1)");
    drive_resize(&d, 120, 40);
    drive_command(&d, "let");
    assert_non_null(strstr(d.ex.status.message, "there are no names: let NAME=SOURCE"));
    drive_command(&d, "let s=(8,4):(1,8)");
    drive_command(&d, "let b=blocked/row-major-4x4");
    drive_command(&d, "let s");
    assert_string_equal(d.ex.status.message, "s = (8,4):(1,8)");
    drive_command(&d, "let nothing");
    assert_true(d.ex.status.is_error);
    assert_non_null(strstr(d.ex.status.message, "'nothing' is no name yet: let nothing=SOURCE"));
    drive_command(&d, "let");
    assert_shows(&d, "s = (8,4):(1,8)");
    assert_shows(&d, "b = tensor<4x4xf32, #ttg.blocked<");
    drive_keys(&d, "Esc");
    d.ex.status.is_error = false;
    drive_command(&d, "open s");
    assert_false(d.ex.status.is_error);
    assert_string_equal(lw_entry_name(lw_explorer_entry(&d.ex)), "s");
    drive_command(&d, "open b");
    assert_string_equal(lw_entry_name(lw_explorer_entry(&d.ex)), "b");
    drive_command(&d, "let flattened=(2,16):(16,1)");
    drive_keys(&d, ":");
    drive_type(&d, "open flat");
    drive_keys(&d, "Tab Enter");
    assert_string_equal(lw_entry_name(lw_explorer_entry(&d.ex)), "flattened");
    drive_command(&d, "let flat=s");
    drive_command(&d, "open coalesce(flat)");
    assert_string_equal(d.ex.status.message, "coalesce(flat) = 32:1");
    drive_command(&d, "open b");
    drive_command(&d, "shared none");
    assert_string_equal(d.ex.status.message, "there is no layout at shared S to remove");
    d.ex.status.is_error = false;
    drive_command(&d, "compare blocked/column-major-4x4");
    drive_command(&d, "compare b");
    assert_false(d.ex.status.is_error);
    drive_command(&d, "open start/16x16");
    drive_command(&d, "let x=swizzle/16x16-half");
    drive_command(&d, "shared x");
    assert_false(d.ex.status.is_error);
    assert_true(lw_document_has(lw_explorer_entry(&d.ex)->doc, LW_SIDE_S));
    drive_close(&d);
}

/* A name that would hide an operation or a command is refused, with what it is. */
static void lets_hide_nothing(void **state)
{
    static const struct {
        const char *command, *message;
    } cases[] = {
        {"let coalesce=(2,2):(1,2)",
         "'coalesce' is an operation of the calculator, which it would hide"},
        {"let local=(2,2):(1,2)", "'local' is a function of the calculator"},
        {"let cute=(2,2):(1,2)", "'cute' is a module of the calculator"},
        {"let _=(2,2):(1,2)", "'_' is a blank of the calculator"},
        {"let w=(2,2):(1,2)", "'w' is a command of this prompt, which would hide it"},
        {"let undo=(2,2):(1,2)", "'undo' is a command of this prompt"},
        {"let =(2,2):(1,2)", "a name is missing before the ="},
        {"let a=", "let a=SOURCE: a SOURCE or an expression is missing"},
        {"let a (2,2):(1,2)", "'a' has no = after it"},
    };
    struct drive d;
    (void)state;
    drive_open(&d, "(4,8):(8,1)");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drive_command(&d, cases[i].command);
        assert_true(d.ex.status.is_error);
        if (!strstr(d.ex.status.message, cases[i].message))
            fail_msg("%s: %s", cases[i].command, d.ex.status.message);
    }
    assert_int_equal(d.ex.prompt.let_count, 0);
    drive_close(&d);
}

/* What is wrong at the prompt has a message that names it, and what would be right. */
static void messages_name_what_is_right(void **state)
{
    static const struct {
        const char *command, *message;
    } cases[] = {
        {"set order", "set order=VALUE: the value of order is missing"},
        {"set order=", "set order=VALUE: the value of order is missing"},
        {"set", "set NAME=VALUE: a parameter, or shape, element, encoding, store, shared, load"},
        {"calc", "calc EXPR: an expression is missing, such as it * it; ':help operations' lists"},
        {"option foo", "there is no setting 'foo'; :option lists them"},
        {"target foo", "unknown target 'foo': ':help targets' lists them"},
        {"3,5", "'3,5' is no command: :find 3,5, or the key /, goes there"},
        {"w1 l3", "'w1 l3' is no command: :find w1 l3, or the key /, goes there"},
        {"help coalesce", "A.coalesce([profile]): the same function with as few modes as possible"},
        {"help find", "find WHAT: like the key /"},
    };
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drive_command(&d, cases[i].command);
        if (!strstr(d.ex.status.message, cases[i].message))
            fail_msg("%s: %s", cases[i].command, d.ex.status.message);
    }
    d.ex.status.is_error = false;
    drive_command(&d, "compare it");
    drive_command(&d, "load it");
    assert_false(d.ex.status.is_error);
    assert_non_null(strstr(d.ex.status.message, "a conversion of 0 wavefronts"));
    drive_close(&d);
}

/* Without a layout there is no shell either, whose quotes a message could name. */
static void no_quotes_of_a_shell(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    lw_calculate(&d.ex, "nothing.size()");
    assert_true(d.ex.status.is_error);
    assert_null(strstr(d.ex.status.message, "shell"));
    drive_close(&d);
}

/* A text that begins with a layout is an expression, not a command. */
static void what_begins_with_a_layout_is_computed(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "(4,8):(8,1)");
    drive_command(&d, "it + 1");
    assert_non_null(strstr(d.ex.status.message, "'+' is for two integers of CuTe"));
    drive_command(&d, "let s=(8,4):(1,8)");
    drive_command(&d, "s + 1");
    assert_non_null(strstr(d.ex.status.message, "'+' is for two integers of CuTe"));
    drive_close(&d);
}

/* A slice of a layout is without its start, which is said. */
static void slices_name_their_start(void **state)
{
    static const char *const typed[] = {"slice((1,_),it)", "it(1,_)", "it.slice(1,_)",
                                        "it.slice((1,_))"};
    struct drive d;
    (void)state;
    for (int i = 0; i < 4; i++) {
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

/* In a kernel without a layout on the screen `it` has no value, and each command that needs one reports that. */
static void it_needs_a_layout(void **state)
{
    static const char *const lines[] = {"it",          "it * it",         "calc coalesce(it)",
                                        "open it",     "let it",          "open coalesce(it)",
                                        "let here=it", "let here=it * it"};
    struct drive d;
    (void)state;
    drive_open(&d, "tests/golden/ttgir/softmax.sm90.ttgir");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        drive_command(&d, lines[i]);
        assert_non_null(
            strstr(d.ex.status.message, "is the layout on the screen, and there is none"));
        assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    }
    drive_command(&d, "let");
    assert_shows(&d, "there are no names");
    drive_close(&d);
}

/* Where an expression is typed its functions are completed, of the system of the layout. */
static void functions_are_completed(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "(4,8):(8,1)");
    drive_keys(&d, ":");
    drive_type(&d, "calc coa");
    drive_keys(&d, "Tab");
    assert_shows(&d, ":calc coalesce(");
    drive_keys(&d, "Esc :");
    drive_type(&d, "calc ");
    drive_keys(&d, "Tab");
    assert_hides(&d, "nothing fits");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_keep_their_elements),
        cmocka_unit_test(messages_quote_exactly),
        cmocka_unit_test(lets_of_results),
        cmocka_unit_test(lets_are_sources),
        cmocka_unit_test(lets_hide_nothing),
        cmocka_unit_test(messages_name_what_is_right),
        cmocka_unit_test(no_quotes_of_a_shell),
        cmocka_unit_test(what_begins_with_a_layout_is_computed),
        cmocka_unit_test(it_needs_a_layout),
        cmocka_unit_test(slices_name_their_start),
        cmocka_unit_test(functions_are_completed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
