/* The terminal: suspended, resized, without colours or Unicode, with a mouse, small. */

#include "terminal_parts.h"

#include "tui/pseudo.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void suspend_and_resume(void **state)
{
    const struct pseudo_options shell = {.shell = "set -m; \"$LANEWAY\" '" BLOCKED
                                                  "'; echo; echo it is stopped; read line; fg; "
                                                  "echo; echo it is over"};
    (void)state;
    pseudo_start(&p, &shell, NULL);
    wait_for(&p, "T1:0");
    pseudo_send(&p, "jj");
    wait_for(&p, "Element (2, 0)");
    pseudo_send(&p, "\032");
    wait_for(&p, "it is stopped");
    assert_restored(&p);
    pseudo_send(&p, "\n");
    wait_for(&p, "Element (2, 0)");
    assert_true(p.alternate);
    assert_true(pseudo_has_mode(&p, 1002)); /* and moves of a held button are reported again */
    pseudo_send(&p, "j");
    wait_for(&p, "Element (3, 0)");
    pseudo_send(&p, "q");
    wait_for(&p, "it is over");
    wait_end(&p);
    assert_restored(&p);
}

static void resized_while_asleep(void **state)
{
    const struct pseudo_options shell = {.shell = "set -m; \"$LANEWAY\" '" BLOCKED
                                                  "'; echo; echo it is stopped; read line; fg"};
    (void)state;
    pseudo_start(&p, &shell, NULL);
    wait_for(&p, "T1:0");
    pseudo_send(&p, "\032");
    wait_for(&p, "it is stopped");
    pseudo_resize(&p, 40, 120);
    pseudo_send(&p, "\n");
    wait_for(&p, "Parameters");
    int row, col;
    wait_for(&p, "Element (0, 0)");
    assert_true(pseudo_find(&p, "Element (0, 0)", &row, &col));
    assert_true(row > 24);
    leave_with(&p, "q");
}

/* ---- Terminals ---- */

static void ascii_in_the_c_locale(void **state)
{
    const struct pseudo_options options = {.locale = "C"};
    (void)state;
    pseudo_start(&p, &default_options, BLOCKED, NULL);
    wait_for(&p, "T1:0");
    wait_for(&p, "\342\225\255"); /* a rounded corner */
    quit_and_check();
    pseudo_stop(&p);
    pseudo_start(&p, &options, BLOCKED, NULL);
    wait_for(&p, "T1:0");
    wait_for(&p, "+ Owners: ");
    pseudo_send(&p, "?");
    wait_for(&p, "In the view");
    pseudo_send(&p, "q\t");
    wait_for(&p, "Parameters");
    assert_false(pseudo_has_high_bytes(&p));
    quit_and_check();
    pseudo_stop(&p);
    pseudo_start(&p, &default_options, "--ascii", BLOCKED, NULL);
    wait_for(&p, "+ Owners: ");
    assert_false(pseudo_has_high_bytes(&p));
    quit_and_check();
}

/* Does a sequence `ESC [ ... m` among the bytes set a colour (not: the terminal's own)? */
static bool raw_has_colors(void)
{
    for (const char *at = p.raw; (at = strstr(at, "\033[")) != NULL;) {
        const char *start = at += 2;
        while (*at && strchr("0123456789;:", *at))
            at++;
        if (*at != 'm')
            continue;
        for (const char *s = start; s < at; s += strcspn(s, ";m") + 1) {
            int n = atoi(s);
            if ((n >= 30 && n <= 38) || (n >= 40 && n <= 48) || (n >= 90 && n <= 107))
                return true;
        }
    }
    return false;
}

static void colours(void **state)
{
    static const struct {
        const char *term, *extra, *option;
        bool colors;
    } cases[] = {
        {"xterm-256color", NULL, "--no-mouse", true},
        {"xterm-256color", "NO_COLOR=1", "--no-mouse", false},
        {"xterm-256color", "NO_COLOR=", "--no-mouse", true},
        {"xterm-256color", "NO_COLOR=1", "--color=always", true},
        {"xterm-256color", NULL, "--color=never", false},
        {"linux", NULL, "--no-mouse", true},
        {"vt100", NULL, "--no-mouse", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct pseudo_options options = {
            .term = cases[i].term, .extra = cases[i].extra, .rows = 30, .cols = 120};
        pseudo_start(&p, &options, cases[i].option, BLOCKED, NULL);
        wait_for(&p, "T1:0");
        pseudo_send(&p, "jj-");
        wait_for(&p, "zoom short");
        quit_and_check();
        if (raw_has_colors() != cases[i].colors)
            fail_msg("TERM=%s %s %s: colours %s", cases[i].term,
                     cases[i].extra ? cases[i].extra : "", cases[i].option,
                     cases[i].colors ? "are missing" : "in spite of it");
        pseudo_stop(&p);
    }
}

/* Without a terminal that can be drawn on it prints, or reports the reason. */
static void terminals_that_cannot(void **state)
{
    const struct pseudo_options dumb = {.term = "dumb"}, unknown = {.term = "no-such-terminal"};
    (void)state;
    pseudo_start(&p, &dumb, "local(3, 4)", NULL);
    wait_end(&p);
    assert_true(WIFEXITED(p.status));
    assert_false(p.was_alternate);
    assert_non_null(strstr(p.raw, "0: 0"));
    assert_null(strchr(p.raw, '\033'));
    assert_restored(&p);
    pseudo_stop(&p);
    pseudo_start(&p, &unknown, "local(3, 4)", NULL);
    wait_end(&p);
    assert_true(WIFEXITED(p.status));
    assert_int_equal(WEXITSTATUS(p.status), 2);
    assert_non_null(strstr(p.raw, "TERM=no-such-terminal: there is no terminfo entry of that "
                                  "name: install ncurses-term, or set TERM=xterm-256color"));
    assert_non_null(strstr(p.raw, "laneway show"));
    assert_restored(&p);
}

static void wrong_sources_do_not_touch_the_terminal(void **state)
{
    (void)state;
    pseudo_start(&p, &default_options, "no/such/layout", NULL);
    wait_end(&p);
    assert_true(WIFEXITED(p.status));
    assert_int_equal(WEXITSTATUS(p.status), 2);
    assert_non_null(strstr(p.raw, "no/such/layout"));
    assert_false(p.was_alternate);
    assert_null(strchr(p.raw, '\033'));
    assert_restored(&p);
}

static void source_on_standard_input(void **state)
{
    const struct pseudo_options shell = {
        .shell = "echo 'local(2, 1).spatial(8, 4).local(1, 2)' | \"$LANEWAY\" -"};
    (void)state;
    pseudo_start(&p, &shell, NULL);
    wait_for(&p, "product (0, 0)");
    pseudo_send(&p, "1/t17\r");
    wait_for(&p, "17: 0");
    leave_with(&p, "q");
}

/* Terminals send other sequences for Home and End than those of the description of TERM. */
static void home_and_end_of_other_terminals(void **state)
{
    static const char *const ends[] = {"\033[4~", "\033[8~", "\033[F", "\033OF"};
    static const char *const homes[] = {"\033[1~", "\033[7~", "\033[H", "\033OH"};
    (void)state;
    pseudo_start(&p, &default_options, BLOCKED, NULL);
    wait_for(&p, "q quit");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        pseudo_send(&p, ends[i]);
        wait_for(&p, "Element (0, 63)");
        pseudo_send(&p, homes[i]);
        wait_for(&p, "Element (0, 0)");
    }
    quit_and_check();
}

/* ---- Mouse ---- */

static void mouse(void **state)
{
    int row, col;
    (void)state;
    pseudo_start(&p, &default_options, BLOCKED, NULL);
    wait_for(&p, "T1:0");
    assert_true(pseudo_wants_mouse(&p));
    assert_non_null(strstr(p.raw, "\033[?1006"));
    wait_for(&p, "q quit");
    assert_true(pseudo_find(&p, "T17:0", &row, &col));
    pseudo_mouse(&p, row, col + 1, 1);
    wait_for(&p, "Element (1, 4)");
    pseudo_mouse(&p, row, col, 5);
    wait_for(&p, "Element (4, 4)");
    pseudo_mouse(&p, row, col, 4);
    wait_for(&p, "Element (1, 4)");
    /* Drawn over cells with the button down, which stay selected when it goes up. */
    char report[64];
    snprintf(report, sizeof report, "\033[<0;%d;%dM", col + 2, row + 2);
    pseudo_send(&p, report);
    wait_for(&p, "Element (2, 4)");
    snprintf(report, sizeof report, "\033[<32;%d;%dM", col + 9, row + 3);
    pseudo_send(&p, report);
    wait_for(&p, "Element (3, 5)");
    snprintf(report, sizeof report, "\033[<0;%d;%dm", col + 9, row + 3);
    pseudo_send(&p, report);
    pseudo_send(&p, "y");
    wait_for(&p, "copied the selected cells of ");
    pseudo_mouse(&p, row, col + 1, 1);
    pseudo_send(&p, "0");
    wait_for(&p, "Element (1, 0)");
    /* The release of another place comes with the click, other buttons with a key: each frame is drawn. */
    snprintf(report, sizeof report, "\033[<0;%d;%dM\033[<0;%d;%dm", col + 2, row + 2, col + 9,
             row + 3);
    pseudo_send(&p, report);
    wait_for(&p, "Element (2, 4)");
    snprintf(report, sizeof report, "0\033[<2;%d;%dM\033[<2;%d;%dm", col + 2, row + 2, col + 2,
             row + 2);
    pseudo_send(&p, report);
    wait_for(&p, "Element (2, 0)");
    quit_and_check();
    pseudo_stop(&p);

    /* Beyond column 223, where the old reports end. */
    const struct pseudo_options wide = {.rows = 30, .cols = 400};
    pseudo_start(&p, &wide, BLOCKED, NULL);
    wait_for(&p, "T1:0");
    wait_for(&p, "q quit");
    assert_true(pseudo_find(&p, "sizePerThread   ", &row, &col));
    assert_true(col > 223);
    pseudo_mouse(&p, row, col, 1);
    wait_for(&p, "\342\225\255 sizePerThread ");
    quit_and_check();
    pseudo_stop(&p);

    pseudo_start(&p, &default_options, "--no-mouse", BLOCKED, NULL);
    wait_for(&p, "T1:0");
    assert_false(pseudo_wants_mouse(&p));
    quit_and_check();
}

/* ---- Resizes ---- */

static void resize_storm(void **state)
{
    unsigned seed = 1;
    (void)state;
    pseudo_start(&p, &default_options, BLOCKED, NULL);
    wait_for(&p, "T1:0");
    for (int i = 0; i < 300; i++) {
        seed = seed * 1103515245u + 12345u;
        int rows = 1 + (int)(seed >> 16) % 60, cols = 1 + (int)(seed >> 8) % 200;
        pseudo_resize(&p, rows, cols);
        if (i % 7 == 0)
            pseudo_send(&p, i % 14 ? "j" : "k");
        if (i % 50 == 0)
            pseudo_send(&p, "\t");
    }
    pseudo_resize(&p, 30, 100);
    pseudo_send(&p, "\033");
    wait_for(&p, "q quit");
    pseudo_send(&p, ":open start/16x16\r"); /* the list may be at a kernel, which has no view */
    wait_for(&p, "Parameters");
    pseudo_resize(&p, 50, 180);
    wait_for(&p, "zoom full");
    quit_and_check();
}

/* Every small size, one after the other, each drawn before the next. */
static void small_sizes(void **state)
{
    (void)state;
    pseudo_start(&p, &default_options, BLOCKED, NULL);
    wait_for(&p, "T1:0");
    for (int rows = 1; rows <= 12; rows += 2)
        for (int cols = 2; cols <= 40; cols += 9) {
            pseudo_resize(&p, rows, cols);
            wait_for(&p, rows < 6 || cols < 24 ? "t" : "laneway");
        }
    pseudo_resize(&p, 24, 80);
    wait_for(&p, "Element (0, 0)");
    quit_and_check();
}

/* Few files can be open: the message says that, and does not blame TERM; or it works. */
static void few_files(void **state)
{
    (void)state;
    for (int files = 5; files <= 12; files++) {
        char line[128];
        const struct pseudo_options limited = {.shell = line};
        snprintf(line, sizeof line, "ulimit -n %d; exec \"$LANEWAY\" start/16x16", files);
        pseudo_start(&p, &limited, NULL);
        if (files > 8) {
            wait_for(&p, "q quit");
            leave_with(&p, "q");
        } else {
            wait_for(&p, "Too many open files");
            wait_end(&p);
            assert_true(WIFEXITED(p.status) && WEXITSTATUS(p.status) == 2);
            assert_restored(&p);
        }
        pseudo_stop(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(few_files, pseudo_teardown),
        cmocka_unit_test_teardown(suspend_and_resume, pseudo_teardown),
        cmocka_unit_test_teardown(resized_while_asleep, pseudo_teardown),
        cmocka_unit_test_teardown(ascii_in_the_c_locale, pseudo_teardown),
        cmocka_unit_test_teardown(colours, pseudo_teardown),
        cmocka_unit_test_teardown(terminals_that_cannot, pseudo_teardown),
        cmocka_unit_test_teardown(wrong_sources_do_not_touch_the_terminal, pseudo_teardown),
        cmocka_unit_test_teardown(source_on_standard_input, pseudo_teardown),
        cmocka_unit_test_teardown(home_and_end_of_other_terminals, pseudo_teardown),
        cmocka_unit_test_teardown(mouse, pseudo_teardown),
        cmocka_unit_test_teardown(resize_storm, pseudo_teardown),
        cmocka_unit_test_teardown(small_sizes, pseudo_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
