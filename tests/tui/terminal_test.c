/* The real program on a pseudo-terminal: what a user sees, and how the terminal is left. */

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

#define BLOCKED PSEUDO_BLOCKED
#define UP "\033OA"
#define RIGHT "\033OC"

static struct pseudo p;
static const struct pseudo_options default_options;

static void quit_and_check(void)
{
    leave_with(&p, "\003");
}

/* ---- What a user does ---- */

static void a_session(void **state)
{
    int row, col;
    (void)state;
    pseudo_start(&p, &default_options, NULL);
    wait_for(&p, "Layouts");
    wait_for(&p, "laneway  start/16x16");
    /* Through the gallery: the header follows. */
    pseudo_send(&p, "g");
    wait_for(&p, "laneway  start/16x16 ");
    pseudo_send(&p, "G" UP);
    wait_for(&p, "laneway  ttgir/transpose.sm80/blocked ");
    pseudo_send(&p, "g");
    wait_for(&p, "laneway  start/16x16 ");
    pseudo_send(&p, "\r");
    wait_for(&p, "Element (0, 0)");
    leave_with(&p, "qq");
    pseudo_stop(&p);

    pseudo_start(&p, &default_options, BLOCKED, NULL);
    wait_for(&p, "T1:0");
    assert_true(p.alternate);
    assert_false(p.cursor);
    /* Edit sizePerThread, see the grid change, undo. */
    pseudo_send(&p, "/sizePer\r");
    wait_for(&p, "sizePerThread");
    pseudo_send(&p, RIGHT "2");
    wait_for(&p, "[1, 2]");
    pseudo_send(&p, "\r");
    pseudo_send(&p, "q");
    wait_for(&p, "T2:0");
    pseudo_find(&p, "T2:0", &row, &col);
    pseudo_send(&p, "u");
    wait_for(&p, "0 to undo, 1 to redo");
    wait_for(&p, "T0:3");
    /* Smaller, tiny, and back. */
    pseudo_resize(&p, 12, 40);
    wait_for(&p, "Owners");
    pseudo_send(&p, "j");
    wait_for(&p, "T0:0");
    pseudo_resize(&p, 1, 1);
    wait_gone(&p, "T0:0");
    pseudo_send(&p, "k");
    pseudo_resize(&p, 24, 80);
    wait_for(&p, "Element (0, 0)");
    /* Find. */
    pseudo_send(&p, "/t17\r");
    wait_for(&p, "Element (1, 4)");
    wait_for(&p, "T17:0");
    leave_with(&p, "q");
}

static void typing_shows_the_cursor(void **state)
{
    (void)state;
    pseudo_start(&p, &default_options, BLOCKED, NULL);
    wait_for(&p, "T1:0");
    assert_false(p.cursor);
    pseudo_send(&p, "/abc");
    wait_for(&p, "/abc");
    wait_cursor(&p, 22, 4);
    pseudo_send(&p, "\177\177");
    wait_gone(&p, "/ab");
    pseudo_send(&p, "\033");
    wait_gone(&p, "/a");
    leave_with(&p, "q");
}

static void help_screen(void **state)
{
    (void)state;
    pseudo_start(&p, &default_options, BLOCKED, NULL);
    wait_for(&p, "T1:0");
    pseudo_send(&p, "?");
    wait_for(&p, "In the view");
    for (int i = 0; i < 40; i++)
        pseudo_send(&p, "\004"); /* half a page; one byte, so that no slow moment makes it Esc */
    wait_for(&p, "On this screen");
    pseudo_send(&p, "\033");
    wait_gone(&p, "On this screen");
    wait_for(&p, "T1:0");
    leave_with(&p, "q");
}

/* ---- Ways to end ---- */

static void end_by(int number)
{
    pseudo_start(&p, &default_options, BLOCKED, NULL);
    wait_for(&p, "T1:0");
    assert_true(p.alternate);
    kill(p.pid, number);
    wait_end(&p);
    if (number == SIGINT) {
        assert_true(WIFEXITED(p.status));
    } else {
        assert_true(WIFSIGNALED(p.status));
        assert_int_equal(WTERMSIG(p.status), number);
    }
    assert_restored(&p);
    pseudo_stop(&p);
}

static void signals_restore_the_terminal(void **state)
{
    static const int signals[] = {SIGTERM, SIGHUP,  SIGINT,  SIGSEGV, SIGABRT, SIGQUIT,
                                  SIGBUS,  SIGFPE,  SIGILL,  SIGTRAP, SIGSYS,  SIGXCPU,
                                  SIGUSR1, SIGUSR2, SIGALRM, SIGIO,   SIGPROF, SIGVTALRM};
    (void)state;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        end_by(signals[i]);
}

/* A reader that went away, a file that may not grow: reported like any other failure to write. */
static void writing_that_fails_does_not_end_it(void **state)
{
    (void)state;
    pseudo_start(&p, &default_options, BLOCKED, NULL);
    wait_for(&p, "T1:0");
    kill(p.pid, SIGPIPE);
    kill(p.pid, SIGXFSZ);
    pseudo_send(&p, "jl");
    wait_for(&p, "Element (1, 1)");
    quit_and_check();
}

/* While something is typed, on the help screen, and right at the start. */
static void signals_at_any_moment(void **state)
{
    (void)state;
    pseudo_start(&p, &default_options, BLOCKED, NULL);
    wait_for(&p, "T1:0");
    pseudo_send(&p, "/abc");
    wait_for(&p, "/abc");
    kill(p.pid, SIGTERM);
    wait_end(&p);
    assert_restored(&p);
    pseudo_stop(&p);
    for (int i = 0; i < 10; i++) {
        pseudo_start(&p, &default_options, BLOCKED, NULL);
        while (p.raw_length == 0)
            pseudo_drain(&p);
        kill(p.pid, SIGTERM);
        wait_end(&p);
        assert_restored(&p);
        pseudo_stop(&p);
    }
}

/* Ctrl-S holds what is written, not the end. */
static void a_held_terminal_is_given_back(void **state)
{
    static const int signals[] = {SIGTERM, SIGHUP, SIGUSR1};
    (void)state;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        for (int moves = 0; moves < 2; moves++) {
            pseudo_start(&p, &default_options, BLOCKED, NULL);
            wait_for(&p, "q quit"); /* the end of the frame */
            wait_idle(&p);
            pseudo_send(&p, "\023");
            wait_read(&p);
            if (moves)
                pseudo_send(&p, "?"); /* a frame that waits */
            wait_read(&p);
            kill(p.pid, signals[i]);
            wait_end(&p);
            assert_true(WIFSIGNALED(p.status) && WTERMSIG(p.status) == signals[i]);
            assert_restored(&p);
            pseudo_stop(&p);
        }
}

/* Nor does a terminal that reads nothing more keep the program. */
static void a_terminal_that_reads_nothing_is_left(void **state)
{
    static const int signals[] = {SIGTERM, SIGHUP, SIGUSR1};
    const struct pseudo_options large = {.rows = 60, .cols = 200};
    (void)state;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        pseudo_start(&p, &large, BLOCKED, NULL);
        wait_for(&p, "q quit");
        fill_output(&p, "?q");
        kill(p.pid, signals[i]);
        wait_end_unread(&p);
        assert_true(WIFSIGNALED(p.status) && WTERMSIG(p.status) == signals[i]);
        assert_restored(&p);
        pseudo_stop(&p);
    }
}

/* Signals in the middle of frames, that end nothing: the screen is whole again. */
static void frames_cut_by_signals_are_drawn_anew(void **state)
{
    const struct pseudo_options large = {.rows = 60, .cols = 200};
    (void)state;
    pseudo_start(&p, &large, BLOCKED, NULL);
    wait_for(&p, "q quit");
    for (int i = 0; i < 5; i++) {
        fill_output(&p, "?q");
        kill(p.pid, SIGWINCH);
        pseudo_drain(&p);
        wait_read(&p);
        pseudo_send(&p, "\033");
        wait_gone(&p, "In the view");
    }
    pseudo_send(&p, "jl");
    wait_for(&p, "Element (1, 1)");
    wait_for(&p, "laneway  tensor<16x64xf16");
    wait_for(&p, "T16:3");
    leave_with(&p, "q");
}

/* The prompt does not come into what is left of the screen. */
static void the_last_line_is_left_empty(void **state)
{
    static const char *const terms[] = {"vt100", "linux", "xterm-256color"};
    (void)state;
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        const struct pseudo_options options = {.term = terms[i]};
        pseudo_start(&p, &options, BLOCKED, NULL);
        wait_for(&p, "q quit");
        leave_with(&p, "q");
        for (int col = 0; col < p.cols; col++) {
            VTermScreenCell cell;
            assert_true(
                vterm_screen_get_cell(p.screen, (VTermPos){.row = p.rows - 1, .col = col}, &cell));
            assert_true(cell.chars[0] == 0 || cell.chars[0] == ' ');
        }
        pseudo_stop(&p);
    }
}

static void hang_up(void **state)
{
    (void)state;
    pseudo_start(&p, &default_options, BLOCKED, NULL);
    wait_for(&p, "T1:0");
    close(p.master);
    p.master = -1;
    wait_end(&p);
}

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
        /* Without colours there are no cells of two columns. */
        pseudo_send(&p, cases[i].colors ? "jj---" : "jj--");
        wait_for(&p, "zoom one character");
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
    assert_non_null(strstr(p.raw, "TERM=no-such-terminal"));
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
    char report[32];
    snprintf(report, sizeof report, "\033[<0;%d;%dM", col + 2, row + 2);
    pseudo_send(&p, report);
    wait_for(&p, "Element (2, 4)");
    snprintf(report, sizeof report, "\033[<32;%d;%dM", col + 9, row + 3);
    pseudo_send(&p, report);
    wait_for(&p, "Element (3, 5)");
    snprintf(report, sizeof report, "\033[<0;%d;%dm", col + 9, row + 3);
    pseudo_send(&p, report);
    pseudo_send(&p, "y");
    wait_for(&p, "the selected cells: sent to the terminal");
    pseudo_mouse(&p, row, col + 1, 1);
    pseudo_send(&p, "0");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_session, pseudo_teardown),
        cmocka_unit_test_teardown(typing_shows_the_cursor, pseudo_teardown),
        cmocka_unit_test_teardown(help_screen, pseudo_teardown),
        cmocka_unit_test_teardown(signals_restore_the_terminal, pseudo_teardown),
        cmocka_unit_test_teardown(writing_that_fails_does_not_end_it, pseudo_teardown),
        cmocka_unit_test_teardown(signals_at_any_moment, pseudo_teardown),
        cmocka_unit_test_teardown(a_held_terminal_is_given_back, pseudo_teardown),
        cmocka_unit_test_teardown(a_terminal_that_reads_nothing_is_left, pseudo_teardown),
        cmocka_unit_test_teardown(frames_cut_by_signals_are_drawn_anew, pseudo_teardown),
        cmocka_unit_test_teardown(the_last_line_is_left_empty, pseudo_teardown),
        cmocka_unit_test_teardown(hang_up, pseudo_teardown),
        cmocka_unit_test_teardown(suspend_and_resume, pseudo_teardown),
        cmocka_unit_test_teardown(resized_while_asleep, pseudo_teardown),
        cmocka_unit_test_teardown(ascii_in_the_c_locale, pseudo_teardown),
        cmocka_unit_test_teardown(colours, pseudo_teardown),
        cmocka_unit_test_teardown(terminals_that_cannot, pseudo_teardown),
        cmocka_unit_test_teardown(wrong_sources_do_not_touch_the_terminal, pseudo_teardown),
        cmocka_unit_test_teardown(source_on_standard_input, pseudo_teardown),
        cmocka_unit_test_teardown(mouse, pseudo_teardown),
        cmocka_unit_test_teardown(resize_storm, pseudo_teardown),
        cmocka_unit_test_teardown(small_sizes, pseudo_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
