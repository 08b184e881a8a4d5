/* Recordings: a terminal of their size, played by libvterm, shows the frames as ansi has them, and nothing is cut. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
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

static VTerm *terminal(int rows, int cols, VTermScreen **screen)
{
    VTerm *vt = vterm_new(rows, cols);
    assert_non_null(vt);
    vterm_set_utf8(vt, 1);
    *screen = vterm_obtain_screen(vt);
    vterm_screen_reset(*screen, 1);
    return vt;
}

/* Whether two cells look the same; a blank has no letters. */
static bool same_cell(VTerm *vt, VTermScreenCell *a, VTermScreenCell *b)
{
    bool blank_a = a->chars[0] == 0 || a->chars[0] == ' ',
         blank_b = b->chars[0] == 0 || b->chars[0] == ' ';
    (void)vt;
    if (!vterm_color_is_equal(&a->bg, &b->bg))
        return false;
    if (blank_a || blank_b)
        return blank_a && blank_b;
    return a->chars[0] == b->chars[0] && vterm_color_is_equal(&a->fg, &b->fg) &&
           a->attrs.bold == b->attrs.bold;
}

/* Below `head` rows the screen has the lines of a frame in its colours, and nothing else. */
static void shows(VTermScreen *screen, int rows, int cols, int head, const char *frame)
{
    VTermScreen *expected;
    VTerm *vt = terminal(rows - head, cols, &expected);
    for (; *frame; frame++) {
        vterm_input_write(vt, *frame == '\n' ? "\r" : "", *frame == '\n');
        vterm_input_write(vt, frame, 1);
    }
    for (int row = head; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            VTermScreenCell a, b;
            vterm_screen_get_cell(screen, (VTermPos){row, col}, &a);
            vterm_screen_get_cell(expected, (VTermPos){row - head, col}, &b);
            assert_true(same_cell(vt, &a, &b));
        }
    vterm_free(vt);
}

/* The frame of a wavefront, as the format ansi has it. */
static char *frame_of(int wavefront)
{
    char arguments[256];
    snprintf(arguments, sizeof arguments, ACCESS " --wavefront %d --format ansi --no-head",
             wavefront);
    return output_of(arguments);
}

/* Plays a recording: the title, the notation of three layouts and the numbers of the access are above each frame. */
static void play(const char *options, const char *title)
{
    enum { GRID = 35 }; /* rows of a frame */
    char arguments[256], here[1024] = "";
    int rows, cols, frames = 0;
    snprintf(arguments, sizeof arguments, ACCESS " --arrange frames --format asciicast %s",
             options);
    char *cast = output_of(arguments), *bytes = malloc(strlen(cast) + 1);
    assert_non_null(bytes);
    assert_int_equal(sscanf(cast, "{\"version\":2,\"width\":%d,\"height\":%d", &cols, &rows), 2);
    VTermScreen *screen;
    VTerm *vt = terminal(rows, cols, &screen);
    for (char *line = strchr(cast, '\n') + 1; *line; line = strchr(line, '\n') + 1, frames++) {
        assert_int_equal(strtol(line + 1, NULL, 10), frames);
        decode(strchr(strchr(line, 'o') + 2, '"'), bytes);
        vterm_input_write(vt, bytes, strlen(bytes));
        char *frame = frame_of(frames < 32 ? frames + 1 : 32); /* the last one stays */
        shows(screen, rows, cols, rows - GRID - 1, frame);
        free(frame);
    }
    assert_int_equal(frames, 33);
    vterm_screen_get_text(screen, here, sizeof here - 1, (VTermRect){0, 1, 0, cols});
    assert_memory_equal(here, title, strlen(title));
    vterm_free(vt);
    free(bytes);
    free(cast);
}

static void frames_are_shown(void **unused)
{
    (void)unused;
    play("--no-head", "");
    play("", "A transpose through rows without a swizzle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_are_shown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
