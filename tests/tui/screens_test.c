/*
 * Screens of the explorer, whole: the files of tests/tui/screens.
 *
 *     # what this shows
 *     $ 80x24 banks/transpose-row-major
 *     > Down 'text to type' o @'text to click on' wheel tick
 *     | the first row of the screen
 *     ~ text 1800, faint 40, bad 12
 *
 * `$` opens a source (none: the first screen; `lesson 3`: that lesson) at a size; `>` sends keys by
 * their names, or a text in single quotes, turns the wheel by 3 rows where the last click was, passes a
 * moment of what plays by itself, and is followed by the screen: each row after `|`, then
 * after `~` how many tiles have each tone, with the sum of their hues and levels.
 *
 * With LANEWAY_REFRESH in the environment the files are written again. Read the diff before you
 * commit it: a case is what the explorer must show, not what it happens to show.
 */

#include "session.h"
#include "core/array_count.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glob.h>

static const struct {
    enum lw_tone tone;
    const char *name;
} tones[LW_TONE_COUNT] = {
    {LW_TONE_TEXT, "text"},   {LW_TONE_FAINT, "faint"},       {LW_TONE_TITLE, "title"},
    {LW_TONE_KEY, "key"},     {LW_TONE_GOOD, "good"},         {LW_TONE_BAD, "bad"},
    {LW_TONE_LABEL, "label"}, {LW_TONE_LABEL_ON, "label-on"}, {LW_TONE_TAB_ON, "tab-on"},
    {LW_TONE_RULE, "rule"},   {LW_TONE_CURSOR, "cursor"},     {LW_TONE_WRONG, "wrong"},
    {LW_TONE_FOUND, "found"}, {LW_TONE_HOLE, "hole"},         {LW_TONE_PLAIN, "plain"},
    {LW_TONE_OWNER, "owner"}, {LW_TONE_LIT, "lit"},           {LW_TONE_QUIET, "quiet"},
    {LW_TONE_FIELD, "field"}, {LW_TONE_RAMP, "ramp"},         {LW_TONE_SERVED, "served"},
    {LW_TONE_NOW, "now"},     {LW_TONE_EQUAL, "equal"}};

static struct session s;

static void open_case(const char *line)
{
    static char row[4096];
    int width, height, at = 0;
    snprintf(row, sizeof row, "%.*s", (int)strcspn(line, "\n"), line);
    if (sscanf(row, "%dx%d%n", &width, &height, &at) != 2 || !at)
        fail_msg("no size: %s", row);
    const char *source = row + at + (row[at] == ' ');
    if (!strncmp(source, "lesson ", 7))
        session_open_lesson(&s, source + 7, width, height);
    else
        session_open(&s, *source ? source : NULL, width, height);
    lw_app_finish_work(&s.app); /* keys act on what is counted, also on a busy machine */
}

static void send_keys(const char *at)
{
    static int row, col; /* of the last click */
    while (*at && *at != '\n') {
        char word[1024];
        const bool is_click = *at == '@';
        at += is_click;
        const bool is_text = *at == '\'';
        const size_t length = strcspn(at + is_text, is_text ? "'" : " \n");
        snprintf(word, sizeof word, "%.*s", (int)length, at + is_text);
        session_screen(&s);
        if (is_click && !session_find(&s, word, &row, &col))
            fail_msg("not on the screen: %s", word);
        if (is_click)
            session_mouse(&s, LW_EVENT_CLICK, row, col, 0);
        else if (is_text)
            session_type(&s, word);
        else if (!strcmp(word, "wheel"))
            session_mouse(&s, LW_EVENT_WHEEL, row, col, 3);
        else if (!strcmp(word, "tick"))
            session_tick(&s);
        else
            session_keys(&s, word);
        at += length + 2 * (size_t)is_text;
        at += strspn(at, " ");
    }
}

/* The screen and its tones as a case has them. */
static void print_screen(FILE *out)
{
    unsigned count[LW_TONE_COUNT] = {0}, shades[LW_TONE_COUNT] = {0};
    char *screen = strdup(session_screen(&s)), *rest = screen;
    for (char *row; (row = strsep(&rest, "\n")) && rest;)
        fprintf(out, "|%s%s\n", *row ? " " : "", row);
    free(screen);
    for (int i = 0; i < s.surface.height * s.surface.width; i++) {
        const struct lw_pen pen = s.surface.tiles[i].pen;
        count[pen.kind]++;
        shades[pen.kind] += pen.shade % LW_HUES + pen.shade / LW_HUES;
    }
    const char *before = "~ ";
    for (int i = 0; i < LW_TONE_COUNT; i++) {
        const enum lw_tone tone = tones[i].tone;
        if (!count[tone])
            continue;
        fprintf(out, "%s%s %u", before, tones[i].name, count[tone]);
        if (shades[tone])
            fprintf(out, ":%u", shades[tone]);
        before = ", ";
    }
    fputs("\n", out);
}

/* Runs the cases of a text, and writes them with their screens of now. */
static void run_cases(const char *text, FILE *out)
{
    bool is_open = false;
    for (const char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        if (*line == '|' || *line == '~')
            continue;
        fprintf(out, "%.*s", (int)(end - line), line);
        if (*line == '$') {
            if (is_open)
                session_close(&s);
            open_case(line + 2);
            is_open = true;
        } else if (*line == '>') {
            send_keys(line + 1 + strspn(line + 1, " "));
            print_screen(out);
        }
    }
    if (is_open)
        session_close(&s);
}

static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0;
    assert_non_null(file);
    assert_true(getdelim(&text, &size, '\0', file) >= 0);
    fclose(file);
    return text;
}

static void screens_are_as_written(void **state)
{
    const char *path = *state;
    char *expected = read_whole(path), *found = NULL;
    size_t size;
    FILE *out = open_memstream(&found, &size);
    run_cases(expected, out);
    fclose(out);
    if (getenv("LANEWAY_REFRESH")) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(found, 1, size, file), size);
        assert_int_equal(fclose(file), 0);
    } else if (strcmp(expected, found) != 0) {
        size_t same = 0, row = 1, begin = 0;
        for (; expected[same] == found[same]; same++)
            if (found[same] == '\n') {
                row++;
                begin = same + 1;
            }
        fail_msg("%s:%zu:\n%.*s\nand not\n%.*s", path, row, (int)strcspn(found + begin, "\n"),
                 found + begin, (int)strcspn(expected + begin, "\n"), expected + begin);
    }
    free(expected);
    free(found);
}

int main(void)
{
    static struct CMUnitTest tests[64];
    size_t count = 0;
    glob_t files;
    if (glob("tests/tui/screens/*.txt", 0, NULL, &files) != 0)
        return 1;
    for (; count < files.gl_pathc && count < LW_COUNT(tests); count++)
        tests[count] = (struct CMUnitTest){.name = files.gl_pathv[count],
                                           .test_func = screens_are_as_written,
                                           .initial_state = files.gl_pathv[count]};
    const int failed = _cmocka_run_group_tests("screens", tests, count, NULL, NULL);
    globfree(&files);
    return failed;
}
