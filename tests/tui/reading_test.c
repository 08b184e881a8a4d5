/* What is long can be read whole at 80 columns: help, commands, reasons, the header. */

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The screen without what parts its lines: frames, breaks, blanks. */
static const char *words_of(struct drive *d)
{
    static char words[1 << 16];
    size_t used = 0;
    for (const char *p = drive_screen(d); *p && used + 2 < sizeof words; p++) {
        bool blank = *p == ' ' || *p == '\n' || (*p & 0x80);
        if (!blank || (used && words[used - 1] != ' '))
            words[used++] = blank ? ' ' : *p;
    }
    words[used] = '\0';
    return words;
}

static size_t times(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

/* Every action is in the help once, complete, and those of lessons under lessons. */
static void help_is_whole(void **state)
{
    size_t count;
    const struct lw_key_action *actions = lw_key_actions(&count);
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 80, 300);
    drive_keys(&d, "?");
    assert_hides(&d, "…");
    const char *words = words_of(&d);
    for (size_t i = 0; i < count; i++)
        assert_true(drive_has_help_of_places(actions[i].name) || strstr(words, actions[i].help));
    assert_int_equal(times(words, "half a page up"), 1);
    assert_int_equal(times(words, "quit"), 1);
    assert_true(strstr(words, "In a lesson") < strstr(words, "in a lesson: a hint"));
    assert_true(strstr(words, "In every pane") < strstr(words, "half a page up"));
    drive_close(&d);
}

static void help_has_two_columns(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 200, 60);
    drive_keys(&d, "?");
    assert_shows(&d, "In the view");
    assert_shows(&d, "While typing");
    for (int i = 0; i < 99; i++)
        drive_keys(&d, "j");
    assert_shows(&d, "the end");
    drive_close(&d);
}

static void commands_are_whole(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_command(&d, "help");
    for (int i = 0; i < 20; i++, drive_keys(&d, "PgDn"))
        assert_hides(&d, "…");
    drive_resize(&d, 80, 300);
    assert_non_null(strstr(words_of(&d), "set and save an option; without one: list them"));
    drive_close(&d);
}

/* A reason takes as many lines as it needs, and names the parameter that is new. */
static void reasons_are_whole(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_command(&d, "set warp=[[0, 8]]");
    assert_non_null(strstr(words_of(&d),
                           "warp = [[0, 8]]: 8 bases are not zero, but 7 cover each element "
                           "once: one is a duplicate or a sum of others"));
    drive_keys(&d, "Down");
    assert_hides(&d, "8 bases");
    drive_close(&d);
}

/* The header shows as many whole words of the summary as there is room for. */
static void headers_are_whole(void **state)
{
    static const struct {
        int width;
        const char *shows, *hides;
    } cases[] = {{120, "-> 16 x 16, every element once", "…"},
                 {100, "2 warps, every element once", "->"},
                 {80, "4 registers x 32 lanes x 2 warps", "every element"},
                 {60, "16x16xf16", "registers"}};
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drive_resize(&d, cases[i].width, 24);
        char line[512];
        const char *screen = drive_screen(&d);
        snprintf(line, sizeof line, "%.*s", (int)strcspn(screen, "\n"), screen);
        assert_non_null(strstr(line, cases[i].shows));
        assert_null(strstr(line, cases[i].hides));
    }
    drive_close(&d);
}

/* Beside the views the inspector is narrow: warp, lane and register have a line each. */
static void each_index_has_a_line(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "mma/m16n8k16");
    drive_fit(&d);
    drive_resize(&d, 120, 40);
    for (int i = 0; i < 5; i++)
        drive_keys(&d, "Down Right");
    drive_command(&d, "find 13,5");
    assert_int_equal(d.ex.panes.inspector, LW_INSPECTOR_BESIDE);
    const struct lw_explanation *explanation = &d.ex.panes.explanation;
    size_t lines = 0;
    for (int i = 0; i < explanation->count; i++) {
        const char *text = lw_text_string(&explanation->line[i].text);
        int named = (strstr(text, "warp ") && strstr(text, " = 0b")) +
                    (strstr(text, "lane ") && strstr(text, ": ")) +
                    (strstr(text, "register ") && strstr(text, ": "));
        if (strstr(text, " = 0b")) {
            assert_true(named <= 1);
            lines++;
        }
    }
    assert_true(lines > 2);
    drive_close(&d);
}

/* 4 warps of 8192 instructions; sectors, too, are those of all warps, and 120 columns have room for all. */
static void accesses_are_of_all_warps(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tensor<1024x1024xf16, #ttg.blocked<{sizePerThread = [1, 4], "
                   "threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>>");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "8");
    assert_shows(&d, "global columns 2 B a lane; in all 32768 instructions, 524288 sectors, "
                     "ideal 65536 (12.5 %), 524288 lines of 128 B ");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_are_of_all_warps), cmocka_unit_test(help_is_whole),
        cmocka_unit_test(help_has_two_columns),      cmocka_unit_test(commands_are_whole),
        cmocka_unit_test(reasons_are_whole),         cmocka_unit_test(headers_are_whole),
        cmocka_unit_test(each_index_has_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
