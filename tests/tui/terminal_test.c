/* The real program on a pseudo-terminal: what a user sees, and how the terminal is left. */

#include "tui/pseudo.h"

#include <poll.h>
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

#define DOWN "\033OB"
#define LEFT "\033OD"
#define RIGHT "\033OC"
#define VERDICT "32 registers x 32 lanes"

static struct pseudo p;
static const struct pseudo_options default_options, wide = {.rows = 40, .cols = 120};

static void start(const struct pseudo_options *options)
{
    pseudo_start(&p, options, PSEUDO_BLOCKED, NULL);
    wait_for(&p, "register 0");
    wait_for(&p, "? help");
}

/* Ctrl-C, which ends it where nothing is typed. */
static void quit_and_check(void)
{
    leave_with(&p, "\003");
}

/* ---- What a user does ---- */

/* The first frame is followed by nothing but what switches modes. */
static void a_first_frame_has_nothing_more(void **state)
{
    (void)state;
    start(&default_options);
    wait_for(&p, "? help");
    pseudo_send(&p, "j");
    wait_for(&p, "(1,0)  warp 0");
    const char *end = strstr(pseudo_text(&p), "? help");
    assert_non_null(end);
    assert_int_equal(strspn(end + strlen("? help"), " \n"), strlen(end) - strlen("? help"));
    leave_with(&p, "q");
}

static void a_session(void **state)
{
    (void)state;
    pseudo_start(&p, &wide, NULL);
    wait_for(&p, "type or paste a layout");
    wait_for(&p, "1024 wavefronts");
    assert_true(p.alternate);
    pseudo_send(&p, DOWN);
    wait_for(&p, "no conflicts");
    pseudo_send(&p, "local(3, 4");
    wait_for(&p, "\342\226\262"); /* what is wrong is marked */
    pseudo_send(&p, ")");
    wait_for(&p, "12 registers hold 3 x 4");
    pseudo_send(&p, "\r:set shape=3,4\r");
    wait_for(&p, "local(3, 4)");
    pseudo_send(&p, "\033");
    pseudo_send(&p, "e");
    wait_for(&p, "Enter keep");
    pseudo_send(&p, "\025blocked/16x64\r");
    wait_for(&p, VERDICT);
    pseudo_send(&p, "/t17\r");
    wait_for(&p, "t17: 1 of 32");
    pseudo_send(&p, "n");
    wait_for(&p, "t17: 2 of 32");
    pseudo_send(&p, "?");
    wait_for(&p, "What people do most");
    pseudo_send(&p, "\033");
    wait_gone(&p, "What people do most");
    /* Smaller, tiny, and back. */
    pseudo_resize(&p, 12, 40);
    wait_for(&p, "Owners");
    pseudo_resize(&p, 1, 1);
    wait_gone(&p, "Owners");
    pseudo_resize(&p, 24, 80);
    wait_for(&p, VERDICT);
    leave_with(&p, "q");
}

static void typing_shows_the_cursor(void **state)
{
    (void)state;
    start(&default_options);
    assert_false(p.cursor);
    pseudo_send(&p, "/abc");
    wait_for(&p, "/ abc");
    wait_cursor(&p, 23, 5);
    pseudo_send(&p, LEFT); /* no text changes: the cursor alone is moved */
    wait_cursor(&p, 23, 4);
    pseudo_send(&p, RIGHT "\177\177");
    wait_gone(&p, "/ ab");
    pseudo_send(&p, "\033");
    wait_gone(&p, "/ a");
    pseudo_send(&p, "e");
    wait_for(&p, "Enter keep");
    pseudo_send(&p, "\003");
    wait_gone(&p, "Enter keep");
    leave_with(&p, "\003");
}

#ifdef __linux__
/* The processor's time that the program has used, in clock ticks. */
static unsigned long ticks_used(void)
{
    char name[40], line[1024] = "";
    unsigned long user = 0, system = 0;
    snprintf(name, sizeof name, "/proc/%d/stat", (int)p.pid);
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    const char *after = strrchr(line, ')');
    assert_non_null(after);
    assert_int_equal(
        sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system),
        2);
    return user + system;
}

/* What waits for a key draws nothing: it would use 40 ticks here. */
static void waiting_takes_no_time(void **state)
{
    (void)state;
    start(&default_options);
    wait_idle(&p);
    const unsigned long before = ticks_used();
    assert_int_equal(poll(NULL, 0, 400), 0);
    assert_in_range(ticks_used() - before, 0, 10);
    leave_with(&p, "q");
}
#endif

/* Ctrl-S and Ctrl-\ stop nothing; Ctrl-C is Esc where characters are typed. */
static void control_keys(void **state)
{
    (void)state;
    start(&default_options);
    pseudo_send(&p, "\023\034jl");
    wait_for(&p, "lane 17");
    pseudo_send(&p, "/abc");
    wait_for(&p, "/ abc");
    pseudo_send(&p, "\003");
    wait_gone(&p, "/ abc");
    pseudo_send(&p, ":show 'tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread=[1,1],"
                    "threadsPerWarp=[4,8],warpsPerCTA=[1,1],order=[1,0]}>>' --all --format csv\r");
    wait_read(&p);
    poll(NULL, 0, 100);
    pseudo_send(&p, "\003"); /* work was interrupted: on a slow machine it ends of the signal */
    wait_end(&p);
    assert_true(WIFSIGNALED(p.status) ? WTERMSIG(p.status) == SIGINT : !WEXITSTATUS(p.status));
    assert_restored(&p);
}

/* The size and the mouse are reported within the answer to the query of the background. */
static void an_answer_with_reports_within(void **state)
{
    (void)state;
    start(&default_options);
    pseudo_send(&p, "\033]11;");
    wait_read(&p);
    pseudo_resize(&p, 30, 100);
    wait_idle(&p);
    pseudo_mouse(&p, 29, 99, 1);
    pseudo_send(&p, "rgb:0000/0000/0000\033\\");
    pseudo_send(&p, "jl");
    wait_for(&p, "lane 17");
    wait_idle(&p);
    assert_non_null(strstr(pseudo_text(&p), VERDICT));
    quit_and_check();
}

/* The program's own commands run beside it, and Esc ends them. */
/* What is typed while commands run is kept, in its order. */
static void typing_ahead(void **state)
{
    (void)state;
    start(&default_options);
    pseudo_send(&p, ":bases\r:help wavefronts\r:bases\r");
    poll(NULL, 0, 500);
    wait_for(&p, "lane=16 -> (1, 0)");
    pseudo_send(&p, "\033");
    wait_for(&p, "usage: laneway wavefronts");
    pseudo_send(&p, "\033\033\033");
    wait_gone(&p, "usage: laneway wavefronts");
    leave_with(&p, "q");
}

static void a_command_of_the_program_is_stopped_by_esc(void **state)
{
    (void)state;
    start(&default_options);
    pseudo_send(&p, ":bases\r");
    wait_for(&p, "lane=16 -> (1, 0)");
    pseudo_send(&p, "\033");
    wait_gone(&p, "lane=16");
    pseudo_send(&p, ":show 'tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread=[1,1],"
                    "threadsPerWarp=[4,8],warpsPerCTA=[1,1],order=[1,0]}>>' --all --format csv\r");
    wait_read(&p);
    poll(NULL, 0, 100);
    pseudo_send(&p, "\033");
    wait_for(&p, "stopped");
    pseudo_send(&p, "\033");
    wait_gone(&p, "stopped");
    leave_with(&p, "q");
}

#ifdef __linux__
/* The state of the program's child process, as in /proc; 0: there is none. */
static char child_state(pid_t *child)
{
    char line[64], command[512], found = 0;
    int parent;
    snprintf(command, sizeof command, "ps -o pid= -o ppid= -o stat= --ppid %d", (int)p.pid);
    FILE *list = popen(command, "r");
    if (list && fgets(line, sizeof line, list) &&
        sscanf(line, "%d %d %c", child, &parent, &found) < 3)
        found = 0;
    if (list)
        pclose(list);
    return found;
}

/* A command ends in the middle of its answer. */
static void an_answer_that_is_cut(void **state)
{
    enum { TRIES = 2000, STILL = 10 };
    pid_t child = 0;
    int tries = 0;
    (void)state;
    start(&default_options);
    pseudo_send(&p, ":show 'tensor<2048x2048xf16, #ttg.blocked<{sizePerThread=[1,1],"
                    "threadsPerWarp=[4,8],warpsPerCTA=[1,1],order=[1,0]}>>' --all --format csv\r");
    while (!child_state(&child) && tries++ < TRIES)
        poll(NULL, 0, 1);
    kill(p.pid, SIGSTOP);
    for (int still = 0; still < STILL && tries++ < TRIES; still++) {
        if (child_state(&child) != 'S') /* it does not wait until its output is read */
            still = 0;
        poll(NULL, 0, 10);
    }
    if (!child)
        skip(); /* no ps */
    assert_true(tries < TRIES);
    kill(child, SIGKILL);
    kill(p.pid, SIGCONT);
    wait_for(&p, "the command ended before it was complete");
    pseudo_send(&p, "\033");
    quit_and_check();
}
#endif

static void a_paste_is_text(void **state)
{
    (void)state;
    start(&default_options);
    pseudo_send(&p, "\033[200~local(3, 4)\rq:quit\r\033[201~");
    wait_for(&p, "local(3, 4) q:quit");
    pseudo_send(&p, "\025");
    pseudo_send(&p, "\033[200~local(3,\r 4)\033[201~\r");
    wait_for(&p, "12 registers hold 3 x 4");
    pseudo_send(&p, ":\033[200~kept\003\032\034\023 whole\033[201~");
    wait_for(&p, "kept whole");
    pseudo_send(&p, "\003");
    wait_gone(&p, "kept whole");
    leave_with(&p, "qd");
}

/* ---- Ways to end ---- */

/* A reader that went away, a file that may not grow: reported like any other failure to write. */
static void writing_that_fails_does_not_end_it(void **state)
{
    (void)state;
    start(&default_options);
    kill(p.pid, SIGPIPE);
    kill(p.pid, SIGXFSZ);
    pseudo_send(&p, "jl");
    wait_for(&p, "lane 17");
    quit_and_check();
}

/* While something is typed, and right at the start. */
static void signals_at_any_moment(void **state)
{
    (void)state;
    start(&default_options);
    pseudo_send(&p, "/abc");
    wait_for(&p, "/ abc");
    kill(p.pid, SIGTERM);
    wait_end(&p);
    assert_restored(&p);
    pseudo_stop(&p);
    for (int i = 0; i < 10; i++) {
        pseudo_start(&p, &default_options, PSEUDO_BLOCKED, NULL);
        while (p.raw_length == 0)
            pseudo_drain(&p);
        kill(p.pid, SIGTERM);
        wait_end(&p);
        assert_restored(&p);
        pseudo_stop(&p);
    }
}

/* Signals in the middle of frames, that end nothing: the screen is whole again. */
static void frames_cut_by_signals_are_drawn_anew(void **state)
{
    const struct pseudo_options large = {.rows = 60, .cols = 200};
    (void)state;
    start(&large);
    for (int i = 0; i < 5; i++) {
        fill_output(&p, "\f");
        kill(p.pid, SIGWINCH);
        pseudo_drain(&p);
        wait_read(&p);
    }
    pseudo_send(&p, "jl");
    wait_for(&p, "lane 17");
    wait_for(&p, VERDICT);
    wait_for(&p, "? help");
    leave_with(&p, "q");
}

/* The shell's prompt does not come into what is left of the screen. */
static void the_last_line_is_left_empty(void **state)
{
    static const char *const terms[] = {"vt100", "linux", "xterm-256color"};
    (void)state;
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        const struct pseudo_options options = {.term = terms[i]};
        start(&options);
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

static void suspend_and_resume(void **state)
{
    const struct pseudo_options shell = {.shell = "set -m; \"$LANEWAY\" '" PSEUDO_BLOCKED
                                                  "'; echo; echo it is stopped; read line; fg; "
                                                  "echo; echo it is over"};
    (void)state;
    pseudo_start(&p, &shell, NULL);
    wait_for(&p, "? help");
    pseudo_send(&p, "jl");
    wait_for(&p, "lane 17");
    pseudo_send(&p, "\032");
    wait_for(&p, "it is stopped");
    assert_restored(&p);
    pseudo_resize(&p, 40, 120);
    pseudo_send(&p, "\n");
    wait_for(&p, "lane 17");
    assert_true(p.alternate);
    pseudo_send(&p, "\023\034l"); /* the modes are the explorer's again */
    wait_for(&p, "lane 18");
    pseudo_send(&p, "q");
    wait_for(&p, "it is over");
    wait_end(&p);
    assert_restored(&p);
}

/* ---- Terminals ---- */

static void ascii_in_the_c_locale(void **state)
{
    const struct pseudo_options options = {.locale = "C"};
    (void)state;
    start(&default_options);
    assert_true(pseudo_has_high_bytes(&p));
    quit_and_check();
    pseudo_stop(&p);
    start(&options);
    pseudo_send(&p, "?");
    wait_for(&p, "What people do most");
    pseudo_send(&p, "\033v");
    wait_for(&p, "views of this layout");
    assert_false(pseudo_has_high_bytes(&p));
    quit_and_check();
    pseudo_stop(&p);
    pseudo_start(&p, &default_options, "--ascii", PSEUDO_BLOCKED, NULL);
    wait_for(&p, "? help");
    assert_false(pseudo_has_high_bytes(&p));
    quit_and_check();
}

/* Does a sequence `ESC [ ... m` among the bytes set a colour (not: the terminal's own)? */
static bool raw_has_colors(void)
{
    for (const char *at = p.raw; (at = strstr(at, "\033[")) != NULL;) {
        const char *begin = at += 2;
        while (*at && strchr("0123456789;:", *at))
            at++;
        if (*at != 'm')
            continue;
        for (const char *s = begin; s < at; s += strcspn(s, ";m") + 1) {
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
        {"xterm-256color", "NO_COLOR=1", "--color=never", false},
        {"linux", NULL, "--no-mouse", true},
        {"vt100", NULL, "--no-mouse", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct pseudo_options options = {.term = cases[i].term, .extra = cases[i].extra};
        pseudo_start(&p, &options, cases[i].option, PSEUDO_BLOCKED, NULL);
        wait_for(&p, "? help");
        pseudo_send(&p, "jl");
        wait_for(&p, "lane 17");
        quit_and_check();
        if (raw_has_colors() != cases[i].colors)
            fail_msg("TERM=%s %s %s: colours %s", cases[i].term,
                     cases[i].extra ? cases[i].extra : "", cases[i].option,
                     cases[i].colors ? "are missing" : "in spite of it");
        pseudo_stop(&p);
    }
}

/* A container sets TERM=xterm and no locale: the explorer has the colours and the lines of a terminal all the same. */
static void container(void **state)
{
    const struct pseudo_options options = {.term = "xterm", .locale = ""};
    (void)state;
    pseudo_start(&p, &options, PSEUDO_BLOCKED, NULL);
    wait_for(&p, "? help");
    quit_and_check();
    assert_non_null(strstr(p.raw, "8;5;"));
    assert_non_null(strchr(p.raw, (char)0xe2)); /* the first byte of lines and signs */
    pseudo_stop(&p);
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
    assert_non_null(strstr(p.raw, "it does with TERM=xterm-256color"));
    assert_null(strchr(p.raw, '\033'));
    pseudo_stop(&p);
    pseudo_start(&p, &unknown, "local(3, 4)", NULL);
    wait_end(&p);
    assert_true(WIFEXITED(p.status) && WEXITSTATUS(p.status) == 2);
    assert_non_null(strstr(p.raw, "TERM=no-such-terminal: there is no terminfo entry"));
    assert_restored(&p);
}

static void wrong_sources_do_not_touch_the_terminal(void **state)
{
    (void)state;
    pseudo_start(&p, &default_options, "no/such/layout", NULL);
    wait_end(&p);
    assert_true(WIFEXITED(p.status) && WEXITSTATUS(p.status) == 2);
    assert_non_null(strstr(p.raw, "no/such/layout"));
    assert_null(strchr(p.raw, '\033'));
    assert_restored(&p);
}

static void source_on_standard_input(void **state)
{
    const struct pseudo_options shell = {
        .shell = "echo 'local(2, 1).spatial(8, 4).local(1, 2)' | \"$LANEWAY\" -"};
    (void)state;
    pseudo_start(&p, &shell, NULL);
    wait_for(&p, "4 registers x 32 threads");
    pseudo_send(&p, "e\033"); /* the text can be read again */
    wait_for(&p, "4 registers x 32 threads");
    leave_with(&p, "q");
}

/* Terminals send other sequences for Home and End than those of the description of TERM. */
static void home_and_end_of_other_terminals(void **state)
{
    static const char *const ends[] = {"\033[4~", "\033[8~", "\033[F", "\033OF"};
    static const char *const homes[] = {"\033[1~", "\033[7~", "\033[H", "\033OH"};
    (void)state;
    start(&default_options);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        pseudo_send(&p, ends[i]);
        wait_for(&p, "lane 15");
        pseudo_send(&p, homes[i]);
        wait_for(&p, "lane 0");
    }
    quit_and_check();
}

/* Each key of the table of keys as an xterm sends it, and what the screen shows after it. */
static void every_key(void **state)
{
    static const struct {
        const char *bytes, *shown;
    } keys[] = {
        {"\033OB", "(1,0)  warp 0"}, /* Down */
        {"\033OC", "(1,4)  warp 0"}, /* Right */
        {"\033OC", "(1,8)  warp 0"},
        {"\033OD", "(1,4)  warp 0"},         /* Left */
        {"\033OA", "(0,4)  warp 0"},         /* Up */
        {"\033[6~", "(15,4)  warp 0"},       /* PgDn */
        {"\033[5~", "(0,4)  warp 0"},        /* PgUp */
        {"\033OF", "(0,60)  warp 0"},        /* End */
        {"\033OH", "(0,0)  warp 0"},         /* Home */
        {"\033OP", "What people do most"},   /* F1 */
        {"\033", "(0,0)  warp 0"},           /* Esc */
        {"/abc\033OD\033OD\033[3~", "/ ac"}, /* Left, Del */
        {"\177", "/ c"},                     /* Backspace */
        {"\033OFd", "/ cd"},
        {"\025e", "/ e"}, /* C-u */
        {"\033f", "\xe2\x96\xb8  shape"},
        {"\t", "\xe2\x96\xb8  element"},   /* Tab */
        {"\033[Z", "\xe2\x96\xb8  shape"}, /* S-Tab */
        {"\033:set order=[0,1]\r", "changed, u: undo"},
    };
    (void)state;
    start(&default_options);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        pseudo_send(&p, keys[i].bytes);
        wait_for(&p, keys[i].shown);
    }
    pseudo_send(&p, "u");
    wait_gone(&p, "changed, u: undo");
    pseudo_send(&p, "\022"); /* C-r */
    wait_for(&p, "changed, u: undo");
    leave_with(&p, "qd");
}

/* ---- Mouse and sizes ---- */

static void mouse(void **state)
{
    int row, col;
    char report[64];
    (void)state;
    start(&default_options);
    assert_true(pseudo_wants_mouse(&p));
    assert_non_null(strstr(p.raw, "\033[?1006"));
    assert_true(pseudo_find(&p, " 17 ", &row, &col));
    pseudo_mouse(&p, row, col + 2, 1);
    wait_for(&p, "lane 17");
    snprintf(report, sizeof report, "\033[<0;%d;%dM\033[<32;%d;%dM", col + 3, row + 1, col + 6,
             row + 1); /* dragged */
    pseudo_send(&p, report);
    wait_for(&p, "lane 18");
    snprintf(report, sizeof report, "\033[<0;%d;%dm", col + 6, row + 1);
    pseudo_send(&p, report);
    assert_true(pseudo_find(&p, "Matrix", &row, &col));
    pseudo_mouse(&p, row, col + 1, 1);
    wait_for(&p, "dim1.5");
    wait_for(&p,
             "flip a bit   e source   d compare   f form   / find   ? help"); /* of this frame */
    quit_and_check();
    pseudo_stop(&p);
    pseudo_start(&p, &default_options, "--no-mouse", PSEUDO_BLOCKED, NULL);
    wait_for(&p, "? help");
    assert_false(pseudo_wants_mouse(&p));
    quit_and_check();
}

static void resize_storm(void **state)
{
    unsigned seed = 1;
    (void)state;
    start(&default_options);
    for (int i = 0; i < 300; i++) {
        seed = seed * 1103515245u + 12345u;
        int rows = 1 + (int)(seed >> 16) % 60, cols = 1 + (int)(seed >> 8) % 200;
        pseudo_resize(&p, rows, cols);
        if (i % 7 == 0)
            pseudo_send(&p, i % 14 ? "j" : "k");
        if (i % 50 == 0)
            pseudo_send(&p, "2");
    }
    pseudo_resize(&p, 30, 100);
    pseudo_send(&p, "1");
    wait_for(&p, "? help");
    wait_for(&p, VERDICT);
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
            wait_for(&p, "? help");
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
        cmocka_unit_test_teardown(a_first_frame_has_nothing_more, pseudo_teardown),
        cmocka_unit_test_teardown(a_session, pseudo_teardown),
        cmocka_unit_test_teardown(typing_shows_the_cursor, pseudo_teardown),
#ifdef __linux__
        cmocka_unit_test_teardown(waiting_takes_no_time, pseudo_teardown),
#endif
        cmocka_unit_test_teardown(control_keys, pseudo_teardown),
        cmocka_unit_test_teardown(an_answer_with_reports_within, pseudo_teardown),
        cmocka_unit_test_teardown(typing_ahead, pseudo_teardown),
        cmocka_unit_test_teardown(a_command_of_the_program_is_stopped_by_esc, pseudo_teardown),
#ifdef __linux__
        cmocka_unit_test_teardown(an_answer_that_is_cut, pseudo_teardown),
#endif
        cmocka_unit_test_teardown(a_paste_is_text, pseudo_teardown),
        cmocka_unit_test_teardown(writing_that_fails_does_not_end_it, pseudo_teardown),
        cmocka_unit_test_teardown(signals_at_any_moment, pseudo_teardown),
        cmocka_unit_test_teardown(frames_cut_by_signals_are_drawn_anew, pseudo_teardown),
        cmocka_unit_test_teardown(the_last_line_is_left_empty, pseudo_teardown),
        cmocka_unit_test_teardown(suspend_and_resume, pseudo_teardown),
        cmocka_unit_test_teardown(ascii_in_the_c_locale, pseudo_teardown),
        cmocka_unit_test_teardown(colours, pseudo_teardown),
        cmocka_unit_test_teardown(container, pseudo_teardown),
        cmocka_unit_test_teardown(terminals_that_cannot, pseudo_teardown),
        cmocka_unit_test_teardown(wrong_sources_do_not_touch_the_terminal, pseudo_teardown),
        cmocka_unit_test_teardown(source_on_standard_input, pseudo_teardown),
        cmocka_unit_test_teardown(home_and_end_of_other_terminals, pseudo_teardown),
        cmocka_unit_test_teardown(every_key, pseudo_teardown),
        cmocka_unit_test_teardown(mouse, pseudo_teardown),
        cmocka_unit_test_teardown(resize_storm, pseudo_teardown),
        cmocka_unit_test_teardown(few_files, pseudo_teardown),
    };
    return cmocka_run_group_tests_name("terminal", tests, NULL, NULL);
}
