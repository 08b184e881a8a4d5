/*
 * Commands with their exact output, messages and exit status: the files of tests/cli/cases.
 *
 *     # what this shows
 *     $ laneway apply 'spatial(4, 8)' thread=9
 *     | (1, 1)
 *
 * `$` is a command of the shell (`>` continues it), `|` a line of standard output, `!` one of
 * standard error, `=` the exit status when it is not 0. A case ends at the next `$`.
 *
 *     % laneway calc '@'
 *     size((4,8):(8,1)) => 32
 *     sise(4:1) =! 1:1: unknown name 'sise'; did you mean 'size'?
 *
 * `%` begins a table, which an empty line ends: in each row what replaces `@`, then the only line
 * of standard output, or after `=!` the first line of standard error without "laneway: "; the exit
 * status is then 2.
 */

#include "cli/program.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct buffer {
    char *data;
    size_t length;
};

struct test_case {
    struct buffer command, out, err;
    int status;
    bool first_line; /* only that of standard error is compared */
};

static struct CMUnitTest tests[16384];
static size_t test_count;

static void append(struct buffer *buffer, const char *line)
{
    size_t length = strlen(line);
    buffer->data = realloc(buffer->data, buffer->length + length + 2);
    memcpy(buffer->data + buffer->length, line, length);
    buffer->length += length;
    buffer->data[buffer->length++] = '\n';
    buffer->data[buffer->length] = '\0';
}

static const char *text_of(const struct buffer *buffer)
{
    return buffer->data ? buffer->data : "";
}

static void run_case(void **state)
{
    const struct test_case *test = *state;
    struct result result;
    run_command(&result, text_of(&test->command));
    if (test->first_line && strchr(result.err, '\n'))
        strchr(result.err, '\n')[1] = '\0';
    if (strcmp(result.out, text_of(&test->out)) != 0 ||
        strcmp(result.err, text_of(&test->err)) != 0 || result.status != test->status)
        print_message("$ %sgave status %d, not %d\n-- standard output\n%s-- not\n%s"
                      "-- standard error\n%s-- not\n%s",
                      text_of(&test->command), result.status, test->status, result.out,
                      text_of(&test->out), result.err, text_of(&test->err));
    assert_string_equal(result.out, text_of(&test->out));
    assert_string_equal(result.err, text_of(&test->err));
    assert_int_equal(result.status, test->status);
    result_free(&result);
}

static struct test_case *begin_case(const char *file, int line)
{
    struct test_case *test = calloc(1, sizeof *test);
    char name[256];
    const char *base = strrchr(file, '/') + 1;
    snprintf(name, sizeof name, "%.*s_line_%d", (int)strcspn(base, "."), base, line);
    assert_true(test_count < sizeof tests / sizeof *tests);
    tests[test_count++] = (struct CMUnitTest){strdup(name), run_case, NULL, NULL, test};
    return test;
}

static void read_line(const char *file, int number, char *line, struct test_case **test)
{
    const char *rest = line[0] && line[1] == ' ' ? line + 2 : line + (line[0] != '\0');
    if (line[0] == '$')
        *test = begin_case(file, number);
    if (line[0] == '#' || line[0] == '\0')
        return;
    if (!*test || !strchr("$>|!=", line[0])) {
        fprintf(stderr, "%s:%d: not a line of a case: %s\n", file, number, line);
        exit(1);
    }
    if (line[0] == '=')
        (*test)->status = atoi(rest);
    else
        append(line[0] == '|'   ? &(*test)->out
               : line[0] == '!' ? &(*test)->err
                                : &(*test)->command,
               rest);
}

/* A row of a table with that command: the command with the beginning of the row for its '@'. */
static void read_row(const char *file, int number, const char *command, const char *row)
{
    struct test_case *test = begin_case(file, number);
    const char *out = strstr(row, " => "), *err = strstr(row, " =! "), *at = strchr(command, '@');
    const char *end = err ? err : out;
    char line[4096];
    if (!end || !at) {
        fprintf(stderr, "%s:%d: not a row of a table: %s\n", file, number, row);
        exit(1);
    }
    snprintf(line, sizeof line, "%.*s%.*s%s", (int)(at - command), command, (int)(end - row), row,
             at + 1);
    append(&test->command, line);
    snprintf(line, sizeof line, "%s%s", err ? "laneway: " : "", end + 4);
    append(err ? &test->err : &test->out, line);
    test->status = err ? 2 : 0;
    test->first_line = err != NULL;
}

static void read_file(const char *file)
{
    size_t length;
    char *text = read_whole(file, &length), *next;
    const char *table = NULL; /* the command of the table that the line is in */
    struct test_case *test = NULL;
    int number = 1;
    for (char *line = text; *line; line = next, number++) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        if (*line == '%')
            table = line + 2;
        else if (table && *line)
            read_row(file, number, table, line);
        else
            read_line(file, number, line, &test);
        if (!*line)
            table = NULL;
    }
    free(text);
}

/* The cases of every second file from `first` on. */
static int run_files(const glob_t *files, size_t first)
{
    for (size_t i = first; i < files->gl_pathc; i += 2)
        read_file(files->gl_pathv[i]);
    return _cmocka_run_group_tests("cases", tests, test_count, NULL, NULL);
}

/* Half of the files in another process, on another core; its output comes after that of this one. */
int main(void)
{
    const char *root = getenv("LANEWAY_ROOT");
    char pattern[512];
    glob_t files;
    snprintf(pattern, sizeof pattern, "%s/tests/cli/cases/*.txt", root ? root : ".");
    if (glob(pattern, 0, NULL, &files) != 0)
        return 1;
    FILE *output = tmpfile();
    pid_t other = output ? fork() : -1;
    if (other < 0)
        return 1;
    if (other == 0) {
        dup2(fileno(output), STDOUT_FILENO);
        dup2(fileno(output), STDERR_FILENO);
        exit(run_files(&files, 1) != 0);
    }
    int failed = run_files(&files, 0) != 0, status;
    if (waitpid(other, &status, 0) != other || status != 0)
        failed = 1;
    rewind(output);
    for (int c; (c = getc(output)) != EOF;)
        putchar(c);
    globfree(&files);
    return failed;
}
