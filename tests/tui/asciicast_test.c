/* Recordings: a terminal of their size, played by libvterm, shows the frames that text has, and nothing is cut. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vterm.h>

#include <cmocka.h>

#define ACCESS "show banks/transpose-row-major --op load --instruction 1"

/* What the program prints; to be freed. */
static char *output_of(const char *arguments)
{
    char command[512], *text = NULL;
    size_t length = 0;
    const char *program = getenv("LANEWAY");
    snprintf(command, sizeof command, "%s %s", program ? program : "build/laneway", arguments);
    FILE *pipe = popen(command, "r");
    FILE *memory = open_memstream(&text, &length);
    assert_non_null(pipe);
    for (int c; (c = getc(pipe)) != EOF;)
        putc(c, memory);
    fclose(memory);
    assert_int_equal(pclose(pipe), 0);
    return text;
}

/* The text of a JSON string, whose quote is at `at`, as it is written in these files: only control characters are
 * escaped. Returns what is after it. */
static const char *decode(const char *at, char *text)
{
    for (at++; *at != '"'; at++) {
        if (*at != '\\') {
            *text++ = *at;
            continue;
        }
        at++;
        if (*at == 'u') {
            char digits[5] = {at[1], at[2], at[3], at[4], '\0'};
            *text++ = (char)strtol(digits, NULL, 16);
            at += 4;
        } else {
            *text++ = *at == 'n' ? '\n' : *at == 'r' ? '\r' : *at == 't' ? '\t' : *at;
        }
    }
    *text = '\0';
    return at + 1;
}

/* A row of the screen without the blanks at its end. */
static void row_text(VTermScreen *screen, int row, int cols, char *text, size_t size)
{
    const VTermRect rect = {row, row + 1, 0, cols};
    size_t length = vterm_screen_get_text(screen, text, size - 1, rect);
    while (length && text[length - 1] == ' ')
        length--;
    text[length] = '\0';
}

/* The screen has the lines of a text, and nothing else. */
static void shows(VTermScreen *screen, int rows, int cols, const char *text)
{
    char here[4096], line[4096];
    for (int row = 0; row < rows; row++) {
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        for (size_t i = length; i && line[i - 1] == ' '; i--)
            line[i - 1] = '\0';
        row_text(screen, row, cols, here, sizeof here);
        assert_string_equal(here, line);
        text += length + (text[length] == '\n');
    }
    assert_string_equal(text, "");
}

/* The frame of a wavefront, as the format ansi has it without its colours. */
static char *frame_of(int wavefront)
{
    char arguments[256];
    snprintf(arguments, sizeof arguments,
             ACCESS " --wavefront %d --format ansi --no-head | sed 's/\x1b\\[[0-9;]*m//g'",
             wavefront);
    return output_of(arguments);
}

static void frames_are_shown(void **unused)
{
    (void)unused;
    int rows, cols, frames = 0;
    char *cast = output_of(ACCESS " --arrange frames --format asciicast");
    char *bytes = malloc(strlen(cast) + 1);
    assert_non_null(bytes);
    assert_int_equal(sscanf(cast, "{\"version\":2,\"width\":%d,\"height\":%d", &cols, &rows), 2);
    VTerm *vt = vterm_new(rows, cols);
    vterm_set_utf8(vt, 1);
    VTermScreen *screen = vterm_obtain_screen(vt);
    vterm_screen_reset(screen, 1);
    for (char *line = strchr(cast, '\n') + 1; *line; line = strchr(line, '\n') + 1, frames++) {
        assert_int_equal(strtol(line + 1, NULL, 10), frames);
        decode(strchr(strchr(line, 'o') + 2, '"'), bytes);
        vterm_input_write(vt, bytes, strlen(bytes));
        char *frame = frame_of(frames < 32 ? frames + 1 : 32); /* the last one stays */
        shows(screen, rows, cols, frame);
        free(frame);
    }
    assert_int_equal(frames, 33);
    vterm_free(vt);
    free(bytes);
    free(cast);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_are_shown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
