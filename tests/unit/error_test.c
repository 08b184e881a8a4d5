/* Errors: filled, excerpted, collected, printed. */

#include "unit.h"

#include "laneway/text.h"

static void filling(void **state)
{
    (void)state;
    struct lw_error err;
    assert_false(lw_error_set(&err, LW_ERROR_LIMIT, "%d dims", 9));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    assert_string_equal(err.message, "9 dims");
    assert_int_equal(err.position.line, 0);
    assert_false(lw_error_set(NULL, LW_ERROR_LIMIT, "not stored"));
    assert_false(
        lw_error_about(&err, "order", (struct lw_position){2, 5, 6}, "order: %s", "wrong"));
    assert_string_equal(err.parameter, "order");
    assert_int_equal(err.code, LW_ERROR_PARAMETER);
    assert_int_equal(err.position.column, 5);
}

static void long_messages(void **state)
{
    (void)state;
    struct lw_error err;
    char huge[4 * LW_MESSAGE_MAX];
    memset(huge, 'x', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    lw_error_about(&err, huge, (struct lw_position){0}, "%s", huge);
    assert_int_equal(strlen(err.message), LW_MESSAGE_MAX - 1);
    assert_int_equal(strlen(err.parameter), sizeof err.parameter - 1);
}

static void excerpts(void **state)
{
    (void)state;
    static const char text[] = "{\n  \"order\": [1, 1]\n}";
    struct lw_error err;
    lw_error_at(&err, LW_ERROR_SYNTAX, (struct lw_position){2, 12, 6}, "order = [1, 1] is wrong");
    lw_error_excerpt(&err, text, sizeof text - 1);
    assert_string_equal(err.excerpt, "  \"order\": [1, 1]");
    assert_int_equal(err.excerpt_column, 12);
    lw_error_excerpt(&err, "another\ntext\n", 13);
    assert_string_equal(err.excerpt, "  \"order\": [1, 1]");

    struct lw_text printed = {0};
    lw_text_error(&printed, "kernel.json", &err);
    assert_string_equal(lw_text_string(&printed), "kernel.json:2:12: order = [1, 1] is wrong\n"
                                                  "    \"order\": [1, 1]\n"
                                                  "             ^~~~~~\n");
    lw_text_free(&printed);
}

/* A position that is not in the text leaves no excerpt; a long line is cut around it. */
static void far_positions(void **state)
{
    (void)state;
    static char line[5000];
    struct lw_error err;
    lw_error_at(&err, LW_ERROR_SYNTAX, (struct lw_position){7, 1, 1}, "x");
    lw_error_excerpt(&err, "one\ntwo", 7);
    assert_string_equal(err.excerpt, "");
    lw_error_at(&err, LW_ERROR_SYNTAX, (struct lw_position){1, 9000, 1}, "x");
    lw_error_excerpt(&err, "short", 5);
    assert_string_equal(err.excerpt, "");

    memset(line, '.', sizeof line);
    line[3000] = '!';
    lw_error_at(&err, LW_ERROR_SYNTAX, (struct lw_position){1, 3001, 1}, "x");
    lw_error_excerpt(&err, line, sizeof line);
    assert_int_equal(strlen(err.excerpt), LW_EXCERPT_MAX - 1);
    assert_int_equal(err.excerpt[err.excerpt_column - 1], '!');
}

/* What would move the cursor of a terminal is shown as a space. */
static void control_characters(void **state)
{
    (void)state;
    struct lw_error err;
    lw_error_at(&err, LW_ERROR_SYNTAX, (struct lw_position){1, 1, 1}, "x");
    lw_error_excerpt(&err, "a\tb\x1b[2Jc\x7f", 9);
    assert_string_equal(err.excerpt, "a b [2Jc ");
    lw_error_at(&err, LW_ERROR_SYNTAX, (struct lw_position){1, 1, 1}, "x");
    lw_error_excerpt(&err, "a\xc2\x9b\xe2\x80\xaez", 7);
    assert_string_equal(err.excerpt, "a?????z");
    lw_error_set(&err, LW_ERROR_NAME, "no %s", "\x1b]0;\xe2\x80\xae\n\x9b");
    assert_string_equal(err.message, "no \\u001b]0;\\u202e\\n\\x9b");
    char name[2 * LW_MESSAGE_MAX];
    memset(name, '\x1b', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    lw_error_set(&err, LW_ERROR_NAME, "%s", name);
    assert_int_equal(strlen(err.message), (LW_MESSAGE_MAX - 1) / 6 * 6);
}

static void reports(void **state)
{
    (void)state;
    struct lw_report report = {0};
    for (int i = 0; i < LW_REPORT_MAX + 5; i++) {
        struct lw_error err;
        lw_error_set(&err, LW_ERROR_SHAPE, "%d", i);
        lw_report_add(&report, &err);
    }
    assert_int_equal(report.count, LW_REPORT_MAX);
    assert_int_equal(report.total, LW_REPORT_MAX + 5);
    assert_string_equal(report.errors[LW_REPORT_MAX - 1].message, "15");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filling),
        cmocka_unit_test(long_messages),
        cmocka_unit_test(excerpts),
        cmocka_unit_test(far_positions),
        cmocka_unit_test(control_characters),
        cmocka_unit_test(reports),
    };
    return RUN(tests);
}
