/* The output of the program against that of tilus and Triton: tests/golden, byte for byte. */

#include "cli/program.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *string_of(const cJSON *row, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItem(row, name));
}

/* Quotes a string for the shell. */
static void quote(char *to, size_t room, const char *word)
{
    size_t n = 0;
    to[n++] = '\'';
    for (; *word; word++) {
        assert_true(n + 8 < room);
        if (*word == '\'')
            n += (size_t)sprintf(to + n, "'\\''");
        else
            to[n++] = *word;
    }
    to[n++] = '\'';
    to[n] = '\0';
}

#define UNKNOWN "unknown encoding"

/* ---- show ---- */

struct tally {
    const char *options;
    int rows, shown;
};

/* Runs `show` on the row's source and compares with its text. */
static void compare_show(const cJSON *row, const char *options)
{
    static char quoted[1 << 16], command[(1 << 16) + 200];
    struct result result;
    quote(quoted, sizeof quoted, string_of(row, "source"));
    snprintf(command, sizeof command, "laneway show %s --all -- %s", options, quoted);
    run_command(&result, command);
    const char *text = string_of(row, "text");
    size_t length = strlen(text);
    size_t newline = length == 0 || text[length - 1] != '\n';
    bool same = result.status == 0 && result.out_length == length + newline &&
                !memcmp(result.out, text, length) && result.out[result.out_length - 1] == '\n';
    if (!same)
        print_message("%s\n-- gave (status %d)\n%s%s-- not\n%s\n", command, result.status,
                      result.out, result.err, text);
    assert_true(same);
    result_free(&result);
}

static void show_row(const cJSON *row, void *context)
{
    struct tally *tally = context;
    compare_show(row, tally->options);
    tally->rows++;
}

static void show_style(const cJSON *row, void *context)
{
    struct tally *tally = context;
    char options[64];
    snprintf(options, sizeof options, "--style %s", string_of(row, "style"));
    compare_show(row, options);
    tally->rows++;
}

static void tilus_documentation(void **state)
{
    (void)state;
    struct tally tally = {.options = ""};
    each_golden("tilus_doc", show_row, &tally);
    assert_int_equal(tally.rows, 11);
}

static void tilus_random(void **state)
{
    (void)state;
    struct tally tally = {.options = ""};
    each_golden("tilus_random", show_row, &tally);
    assert_true(tally.rows >= 80);
}

static void tilus_more(void **state)
{
    (void)state;
    struct tally tally = {.options = ""};
    each_golden("tilus_more", show_row, &tally);
    assert_true(tally.rows >= 80);
}

static void tilus_shared(void **state)
{
    (void)state;
    struct tally tally = {.options = ""};
    each_golden("tilus_shared", show_row, &tally);
    assert_true(tally.rows >= 60);
}

static void tilus_styles(void **state)
{
    (void)state;
    struct tally tally = {.options = ""};
    each_golden("tilus_styles", show_style, &tally);
    assert_true(tally.rows > 70);
}

/* What tilus refuses is refused: status 2, a message, nothing printed. */
static void refuse_row(const cJSON *row, void *context)
{
    struct tally *tally = context;
    char quoted[4096], command[5000];
    struct result result;
    quote(quoted, sizeof quoted, string_of(row, "source"));
    snprintf(command, sizeof command, "laneway show -- %s", quoted);
    run_command(&result, command);
    bool right =
        result.status == 2 && result.out_length == 0 && !strncmp(result.err, "laneway: ", 9);
    if (!right)
        print_message("%s\n-- gave status %d\n%s%s", command, result.status, result.out,
                      result.err);
    assert_true(right);
    result_free(&result);
    tally->rows++;
}

static void tilus_errors(void **state)
{
    (void)state;
    struct tally tally = {.options = ""};
    each_golden("tilus_errors", refuse_row, &tally);
    assert_true(tally.rows > 100);
}

/* Triton's printed views; unknown encodings are left out. */
static void show_triton(const cJSON *row, void *context)
{
    struct tally *tally = context;
    static char quoted[1 << 16], command[(1 << 16) + 200];
    char options[64];
    struct result result;
    quote(quoted, sizeof quoted, string_of(row, "source"));
    snprintf(command, sizeof command, "laneway bases %s", quoted);
    run_command(&result, command);
    bool known = !strstr(result.err, UNKNOWN);
    result_free(&result);
    snprintf(options, sizeof options, "--triton 3.7 --style triton --view %s",
             string_of(row, "view"));
    tally->rows++;
    tally->shown += known;
    if (known)
        compare_show(row, options);
}

static void triton_views(void **state)
{
    (void)state;
    struct tally tally = {.options = ""};
    each_golden("triton_views", show_triton, &tally);
    assert_true(tally.shown > 60);
}

/* ---- bases --json --batch ---- */

struct request {
    char *text;
    size_t length, room;
};

static void add_request(const cJSON *row, void *context)
{
    struct request *request = context;
    const char *source = string_of(row, "source");
    size_t length = strlen(source);
    if (request->length + length + 2 > request->room) {
        request->room = 2 * (request->room + length + 2);
        request->text = realloc(request->text, request->room);
    }
    memcpy(request->text + request->length, source, length);
    request->length += length;
    request->text[request->length++] = '\n';
}

struct answers {
    char *next;
    int same;
};

static void compare_bases(const cJSON *row, void *context)
{
    struct answers *answers = context;
    char *line = answers->next, *end = strchr(line, '\n');
    assert_non_null(end);
    *end = '\0';
    answers->next = end + 1;
    cJSON *answer = cJSON_Parse(line);
    const char *error = cJSON_GetStringValue(cJSON_GetObjectItem(answer, "error"));
    if (cJSON_GetObjectItem(row, "bases") && !(error && strstr(error, UNKNOWN))) {
        bool same = cJSON_Compare(cJSON_GetObjectItem(row, "bases"),
                                  cJSON_GetObjectItem(answer, "bases"), true);
        if (!same)
            print_message("%s\n-- gave\n%s\n", string_of(row, "source"), line);
        assert_true(same);
        answers->same++;
    }
    cJSON_Delete(answer);
}

/* By the rules of the version that the file is of. */
static void compare_file(const char *name, const char *version, int least)
{
    char command[64];
    struct request request = {NULL, 0, 0};
    struct result result;
    each_golden(name, add_request, &request);
    snprintf(command, sizeof command, "laneway bases --json --batch --triton %s", version);
    run_with_input(&result, command, request.text, request.length);
    assert_int_equal(result.status, 0);
    assert_string_equal(result.err, "");
    struct answers answers = {result.out, 0};
    each_golden(name, compare_bases, &answers);
    assert_string_equal(answers.next, "");
    assert_true(answers.same >= least);
    free(request.text);
    result_free(&result);
}

static void triton36_bases(void **state)
{
    (void)state;
    compare_file("triton36_encodings", "3.6", 1636);
}

static void triton37_bases(void **state)
{
    (void)state;
    compare_file("triton37_encodings", "3.7", 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tilus_documentation), cmocka_unit_test(tilus_random),
        cmocka_unit_test(tilus_more),          cmocka_unit_test(tilus_shared),
        cmocka_unit_test(tilus_styles),        cmocka_unit_test(tilus_errors),
        cmocka_unit_test(triton_views),        cmocka_unit_test(triton36_bases),
        cmocka_unit_test(triton37_bases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
