/* CuTe's algebra on layouts of which some integers are static and some are not, and with strides along axes, against
 * the CUTLASS headers: what they give is the result where it is right, and with as_cute in every case. */

#include "golden.h"

#include "laneway/calc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rows, failures, refused;

static char *field(char **line)
{
    return golden_field(line, '\t');
}

/* What an expression gives; after a `!` why it is refused. */
static void ask(const char *expression, bool as_cute, struct lw_text *answer)
{
    struct lw_arena arena = {0};
    struct lw_calc_work work = {.arena = &arena, .as_cute = as_cute};
    struct lw_calc_result result;
    struct lw_error err = {0};
    lw_text_clear(answer);
    if (lw_calc(expression, NULL, 0, &work, &result, &err))
        lw_calc_print(answer, &result);
    else
        lw_text_format(answer, "!%s", err.message);
    lw_arena_free(&arena);
}

static void check(const char *expression, bool good, const char *expected, const char *got)
{
    if (good)
        return;
    print_error("%s\n  expected %s\n  got      %s\n", expression, expected, got);
    failures++;
}

/* "expression <tab> what the headers give <tab> =", or "wrong"; "!" and "#" where they do not compile or end. */
static void check_row(char *line)
{
    struct lw_text text = {0};
    const char *got;
    char *expression = field(&line), *expected = field(&line), *right = field(&line);
    bool none = !strcmp(expected, "!") || !strcmp(expected, "#");
    ask(expression, true, &text);
    got = lw_text_string(&text);
    check(expression, none ? got[0] == '!' : !strcmp(got, expected), expected, got);
    ask(expression, false, &text);
    got = lw_text_string(&text);
    if (!none && strcmp(right, "="))
        check(expression, got[0] == '!' && strstr(got, expected), "a refusal with it", got);
    else if (!none)
        check(expression, !strcmp(got, expected), expected, got);
    refused += !none && strcmp(right, "=");
    rows++;
    lw_text_free(&text);
}

static void mixed(void **state)
{
    (void)state;
    FILE *input = golden_open("cute_mixed.tsv");
    for (char *line; (line = golden_line(input)) != NULL;)
        check_row(line);
    assert_int_equal(failures, 0);
    assert_true(rows >= 650);
    assert_true(refused >= 15);
}

static void along_axes(void **state)
{
    (void)state;
    rows = refused = failures = 0;
    FILE *input = golden_open("cute_axes.tsv");
    for (char *line; (line = golden_line(input)) != NULL;)
        check_row(line);
    assert_int_equal(failures, 0);
    assert_true(rows >= 430);
    assert_true(refused >= 30);
}

/* Where no integer is written as static, all are known; with as_cute the result is that of C++, where none is. */
static void without_static(void **state)
{
    static const char *const cases[][3] = {
        /* what the headers print of integers that are not static */
        {"coalesce((2,4):(1,2))", "8:1", "(2,4):(1,2)"},
        {"logical_divide(10:1, 4:1)", "(4,3):(1,4)", "(4,(1,3)):(1,(1,4))"},
        {"complement(4:2, 8)", "2:1", "(2,1):(_1,8)"},
        {"composition((2,3):(1,2), (2,3):(3,1))", "(2,3):(3,1)", "((1,2),(2,1)):((3,4),(1,2))"},
        {"composition((4,3):(1,8), 6:2)", "(2,3):(2,8)", "(2,3):(2,8)"},
        {"composition((4,2):(2,1), 3:2)", "!", "(2,1):(4,1)"},
        {"shape_div(6, 4)", "!", "2"},
    };
    struct lw_text text = {0};
    (void)state;
    failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int as_cute = 0; as_cute < 2; as_cute++) {
            const char *expected = cases[i][1 + as_cute];
            ask(cases[i][0], as_cute, &text);
            const char *got = lw_text_string(&text);
            check(cases[i][0], expected[0] == '!' ? got[0] == '!' : !strcmp(got, expected),
                  expected, got);
        }
    lw_text_free(&text);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed),
        cmocka_unit_test(along_axes),
        cmocka_unit_test(without_static),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
