/* The real program on a pseudo-terminal: what a user sees, and how the terminal is left. */

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

#define UP "\033OA"
#define RIGHT "\033OC"

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
    wait_for(&p, "laneway  kernels/");
    pseudo_send(&p, "G" UP);
    wait_for(&p, "laneway  ttgir/transpose.sm80/blocked ");
    pseudo_send(&p, "gjj");
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
    wait_for(&p, "close this screen");
    pseudo_send(&p, "\033");
    wait_gone(&p, "close this screen");
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
