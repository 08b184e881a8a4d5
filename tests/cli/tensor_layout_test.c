/*
 * The options of triton-tensor-layout print what that tool prints: the rows of
 * tests/golden/triton_tensor_layout.jsonl byte for byte, and the tool's own test, which is
 * tests/golden/ttgir/tensor_layout_print.mlir (test/Tools/tensor_layout_print.mlir of Triton 3.7).
 */

#include "cli/program.h"

#include "laneway/text.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The golden rows ---- */

struct tally {
    const char *command;
    int rows;
};

static void add_quoted(struct lw_text *text, const char *word)
{
    lw_text_add(text, " '");
    for (; *word; word++)
        lw_text_add(text, *word == '\'' ? "'\\''" : (char[]){*word, '\0'});
    lw_text_char(text, '\'');
}

static void compare(const char *command, const char *input, const char *expected)
{
    struct result result;
    run_with_input(&result, command, input, strlen(input));
    if (result.status != 0 || strcmp(result.out, expected) != 0)
        print_message("$ %s\n-- gave status %d\n%s%s-- not\n%s", command, result.status, result.out,
                      result.err, expected);
    assert_int_equal(result.status, 0);
    assert_string_equal(result.err, "");
    assert_string_equal(result.out, expected);
    result_free(&result);
}

/* The file is one on disk, or standard input. */
static void golden_row(const cJSON *row, void *context)
{
    struct tally *tally = context;
    const char *input = cJSON_GetStringValue(cJSON_GetObjectItem(row, "input"));
    const char *expected = cJSON_GetStringValue(cJSON_GetObjectItem(row, "text"));
    const char *file = tally->rows % 2 ? "-" : "input.mlir";
    struct lw_text command = {0};
    const cJSON *arg;
    lw_text_format(&command, "cd \"$SCRATCH\"; %s%s",
                   input && *file != '-' ? "cat >input.mlir; " : "", tally->command);
    cJSON_ArrayForEach(arg, cJSON_GetObjectItem(row, "args"))
    {
        const char *word = cJSON_GetStringValue(arg);
        add_quoted(&command, strcmp(word, "FILE") ? word : file);
    }
    compare(lw_text_string(&command), input ? input : "", expected);
    lw_text_free(&command);
    tally->rows++;
}

static void golden_rows(void **state)
{
    (void)state;
    struct tally tally = {"laneway", 0};
    each_golden("triton_tensor_layout", golden_row, &tally);
    assert_int_equal(tally.rows, 25);
    tally = (struct tally){"laneway show", 1};
    each_golden("triton_tensor_layout", golden_row, &tally);
}

static void to_file(const cJSON *row, void *context)
{
    struct tally *tally = context;
    const cJSON *args = cJSON_GetObjectItem(row, "args");
    if (tally->rows++ || strcmp(cJSON_GetStringValue(cJSON_GetArrayItem(args, 0)), "-i") != 0)
        return;
    struct lw_text command = {0};
    const cJSON *arg;
    lw_text_add(&command, "cd \"$SCRATCH\"; cat >input.mlir; laneway -o out.md");
    cJSON_ArrayForEach(arg, args)
    {
        const char *word = cJSON_GetStringValue(arg);
        add_quoted(&command, strcmp(word, "FILE") ? word : "input.mlir");
    }
    lw_text_add(&command, "; cat out.md");
    compare(lw_text_string(&command), cJSON_GetStringValue(cJSON_GetObjectItem(row, "input")),
            cJSON_GetStringValue(cJSON_GetObjectItem(row, "text")));
    lw_text_free(&command);
}

/* Here the name of the file does not select the format. */
static void output_file(void **state)
{
    (void)state;
    struct tally tally = {"", 0};
    each_golden("triton_tensor_layout", to_file, &tally);
}

/* ---- The tool's own test ---- */

#define UPSTREAM "tests/golden/ttgir/tensor_layout_print.mlir"

/* Each line `// PREFIX: piece` must be in the output, after the one before it. Returns how many. */
static int find_checks(const char *file, const char *prefix, const char *out)
{
    char start[64], piece[4096];
    int found = 0;
    size_t length = (size_t)snprintf(start, sizeof start, "// %s: ", prefix);
    for (const char *line = file; (line = strstr(line, start)) != NULL; found++) {
        line += length;
        snprintf(piece, sizeof piece, "%.*s", (int)strcspn(line, "\n"), line);
        const char *any = strstr(piece, "{{.*}}");
        const char *expected = any ? any + 6 : piece, *at = NULL;
        if (!any || (at = strstr(out, "Print layout attribute: ")) != NULL)
            at = strstr(out, expected);
        if (!at)
            print_message("not printed: %s\n", piece);
        assert_non_null(at);
        out = at + strlen(expected);
    }
    return found;
}

/* "triton-tensor-layout ARGS | FileCheck %s --check-prefix=PREFIX", up to its newline. */
static int run_line(const char *file, const char *line)
{
    struct lw_text command = {0};
    struct result result;
    char prefix[32];
    const char *check = strstr(line, "--check-prefix="), *pipe = strstr(line, " | ");
    assert_true(check && pipe && sscanf(check, "--check-prefix=%31[A-Z-]", prefix) == 1);
    lw_text_add(&command, "laneway");
    for (const char *p = line + strlen("triton-tensor-layout"); p < pipe; p++) {
        bool file_name = p[0] == '%' && p[1] == 's';
        lw_text_add(&command, file_name ? UPSTREAM : (char[]){*p, '\0'});
        p += file_name;
    }
    run_command(&result, lw_text_string(&command));
    assert_string_equal(result.err, "");
    assert_int_equal(result.status, 0);
    int found = find_checks(file, prefix, result.out);
    result_free(&result);
    lw_text_free(&command);
    return found;
}

static void upstream(void **state)
{
    (void)state;
    size_t length;
    char *file = read_whole(UPSTREAM, &length);
    int runs = 0;
    for (const char *line = file; (line = strstr(line, "// RUN: ")) != NULL; runs++) {
        line += strlen("// RUN: ");
        assert_true(run_line(file, line) >= 4);
    }
    assert_int_equal(runs, 4);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_rows),
        cmocka_unit_test(output_file),
        cmocka_unit_test(upstream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
