/* The real program in every terminal, locale and size; what it keeps between runs; the clipboard. */

#include "tui/pseudo.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#define BLOCKED PSEUDO_BLOCKED

#define LARGE                                                                                      \
    "tensor<4096x4096xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "       \
    "warpsPerCTA = [1, 1], order = [1, 0]}>>"

static struct pseudo p;
static const struct pseudo_options default_options;

static void leave(void)
{
    leave_with(&p, ":quit\r");
    pseudo_stop(&p);
}

/* The first time there is a word of welcome, until a key is pressed; never again. */
static void welcomes_once(void **state)
{
    (void)state;
    pseudo_start(&p, &default_options, BLOCKED, NULL);
    wait_for(&p, "Welcome");
    pseudo_send(&p, "l");
    wait_gone(&p, "Welcome");
    leave();
    pseudo_start(&p, &default_options, BLOCKED, NULL);
    wait_for(&p, "help");
    int row, col;
    assert_false(pseudo_find(&p, "Welcome", &row, &col));
    leave();
}

/* Sequences that the terminal does not know, and padding, would stand on the screen as text. */
static void assert_no_junk(void)
{
    static const char *const junk[] = {"\033", "[?", "$<",   "[m",  "[0m",
                                       "38;5", "(B", "\016", "\017"};
    for (size_t i = 0; i < sizeof junk / sizeof *junk; i++)
        if (strstr(pseudo_text(&p), junk[i]))
            fail_msg("'%s' is on the screen:\n%s", junk[i], p.text);
}

/* Does the cell with that text stand out, by what is behind it or in reverse? */
static VTermScreenCell look_at(const char *text)
{
    VTermScreenCell cell;
    VTermPos at;
    assert_true(pseudo_find(&p, text, &at.row, &at.col));
    assert_true(vterm_screen_get_cell(p.screen, at, &cell));
    return cell;
}

static bool look_alike(VTermScreenCell a, VTermScreenCell b)
{
    return a.attrs.reverse == b.attrs.reverse && vterm_color_is_equal(&a.bg, &b.bg);
}

/* The header, the frame, cells, and the cursor on the one that it is on. */
static void assert_drawn(const struct pseudo_options *options)
{
    bool ascii = options->locale && !strcmp(options->locale, "C");
    int row, col;
    wait_for(&p, "q quit");
    assert_true(pseudo_find(&p, "laneway  ", &row, &col));
    assert_int_equal(row, 0);
    assert_true(pseudo_find(&p, ascii ? "+ Owners: " : "\342\225\255 Owners: ", &row, &col));
    assert_int_equal(col, 0);
    assert_true(pseudo_find(&p, "held by", &row, &col));
    assert_true(row > options->rows / 2);
    const VTermScreenCell cursor = look_at("T0:0");
    assert_false(look_alike(cursor, look_at("T0:1")));
    pseudo_send(&p, "l");
    wait_for(&p, "Element (0, 1)");
    assert_true(look_alike(cursor, look_at("T0:1")) && !look_alike(cursor, look_at("T0:0")));
    pseudo_send(&p, "0");
    wait_for(&p, "Element (0, 0)");
    assert_no_junk();
}

static void tour(const struct pseudo_options *options)
{
    pseudo_start(&p, options, BLOCKED, NULL);
    wait_for(&p, "T1:0");
    assert_drawn(options);
    pseudo_send(&p, "|");
    wait_for(&p, "Hardware ");
    pseudo_send(&p, "wjl");
    wait_for(&p, "Element (");
    pseudo_send(&p, "m\r");
    wait_for(&p, "marked");
    pseudo_send(&p, "|---+++");
    pseudo_send(&p, "2");
    pseudo_send(&p, "1");
    wait_for(&p, "T1:0");
    pseudo_send(&p, "?");
    wait_for(&p, "In the view");
    pseudo_send(&p, "q");
    wait_gone(&p, "In the view");
    pseudo_send(&p, ":theme li\t\r");
    wait_for(&p, "theme is light");
    pseudo_send(&p, ":theme auto\r");
    wait_for(&p, "theme is auto");
    assert_no_junk();
    if (options->locale && !strcmp(options->locale, "C"))
        assert_false(pseudo_has_high_bytes(&p));
    leave();
}

/* A terminal that cannot move its cursor gets what `show` prints. */
static void print(const struct pseudo_options *options)
{
    pseudo_start(&p, options, "spatial(4, 8)", NULL);
    wait_end(&p);
    assert_true(WIFEXITED(p.status) && WEXITSTATUS(p.status) == 0);
    assert_non_null(strstr(p.raw, "1: 0"));
    assert_null(strchr(p.raw, '\033'));
    assert_true(pseudo_has_high_bytes(&p) == (strcmp(options->locale, "C") != 0));
    assert_restored(&p);
    pseudo_stop(&p);
}

static void everywhere(void **state)
{
    static const char *const terms[] = {"xterm-256color", "tmux-256color", "xterm", "screen",
                                        "linux",          "vt100",         "dumb"};
    static const char *const locales[] = {"C.UTF-8", "C"};
    static const int sizes[][2] = {{24, 80}, {40, 120}, {60, 200}};
    (void)state;
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++)
        for (size_t l = 0; l < 2; l++)
            for (size_t s = 0; s < 3; s++) {
                const struct pseudo_options options = {.term = terms[t],
                                                       .locale = locales[l],
                                                       .rows = sizes[s][0],
                                                       .cols = sizes[s][1]};
                (strcmp(terms[t], "dumb") ? tour : print)(&options);
            }
}

static void copies_to_the_clipboard(void **state)
{
    const struct pseudo_options plain = {.term = "vt100", .cols = 160, .rows = 40};
    (void)state;
    pseudo_start(&p, &default_options, "start/16x16", "--view", "matrix", NULL);
    wait_for(&p, "Matrix");
    pseudo_send(&p, "Y");
    wait_for(&p, "--view matrix: sent to");
    /* "laneway show start/16x16 --view matrix" */
    assert_non_null(
        strstr(p.raw, "\033]52;c;bGFuZXdheSBzaG93IHN0YXJ0LzE2eDE2IC0tdmlldyBtYXRyaXg=\033\\"));
    leave();
    pseudo_start(&p, &plain, "start/16x16", "--view", "matrix", NULL);
    wait_for(&p, "Matrix");
    pseudo_send(&p, "Y");
    wait_for(&p, "copied.txt, as this terminal has no clipboard");
    leave();
}

/* However it ends, what was not saved is there at the next start. */
static void nothing_is_lost(void **state)
{
    static const int signals[] = {SIGHUP, SIGTERM, SIGSEGV, SIGKILL};
    (void)state;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        pseudo_start(&p, &default_options, BLOCKED, NULL);
        wait_for(&p, "T1:0");
        pseudo_send(&p, ":set shape=32,64\r");
        wait_for(&p, "32x64xf16");
        kill(p.pid, signals[i]);
        wait_end(&p);
        if (signals[i] != SIGKILL)
            assert_restored(&p);
        pseudo_stop(&p);
        pseudo_start(&p, &default_options, "start/16x16", NULL);
        wait_for(&p, "see :unsaved");
        pseudo_send(&p, ":unsaved\r");
        wait_for(&p, "An earlier run ended with unsaved changes of");
        pseudo_send(&p, "r");
        wait_for(&p, "32x64xf16");
        pseudo_send(&p, "q");
        wait_for(&p, "discard and quit");
        pseudo_send(&p, "d");
        wait_end(&p);
        assert_restored(&p);
        pseudo_stop(&p);
    }
    pseudo_start(&p, &default_options, BLOCKED, NULL); /* and then there is nothing more to offer */
    wait_for(&p, "help");
    leave();
}

/* Work that takes long: its progress is shown, keys are answered meanwhile, Esc ends it. */
static void long_work_can_be_stopped(void **state)
{
    (void)state;
    pseudo_start(&p, &default_options, "local(3000, 4000).spatial(3, 5)", NULL);
    wait_for(&p, "Owners");
    pseudo_send(&p, ":compare spatial(3, 5).local(3000, 4000)\r");
    wait_for(&p, "counting what differs: ");
    pseudo_send(&p, "l");
    wait_for(&p, "Element (0, 1)");
    pseudo_send(&p, "\033");
    wait_for(&p, "stopped");
    leave();
    pseudo_start(&p, &default_options, LARGE, NULL);
    wait_for(&p, "Owners");
    pseudo_send(&p, "l:export ~/long.csv\r");
    wait_for(&p, "long.csv: ");
    pseudo_send(&p, "y");
    wait_for(&p, "exporting, bytes written: ");
    pseudo_send(&p, "0");
    wait_for(&p, "Element (0, 0)");
    pseudo_send(&p, "\033");
    wait_for(&p, "stopped");
    leave();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(welcomes_once, pseudo_teardown),
        cmocka_unit_test_teardown(everywhere, pseudo_teardown),
        cmocka_unit_test_teardown(copies_to_the_clipboard, pseudo_teardown),
        cmocka_unit_test_teardown(nothing_is_lost, pseudo_teardown),
        cmocka_unit_test_teardown(long_work_can_be_stopped, pseudo_teardown),
    };
    return cmocka_run_group_tests_name("matrix", tests, NULL, NULL);
}
