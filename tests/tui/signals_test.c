/* Every signal that ends a program, against every state of the terminal: idle, output held, output that nobody reads, a
 * program that is stopped or works for long, a terminal that is gone. The program ends of that signal, soon, and the
 * terminal is as it was. */

#include "tui/pseudo.h"
#include "tui/terminal/terminal_signals.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { SOON_MS = 20000 }; /* for a machine that does much else: the program's own limit is 100 ms */

static struct pseudo p;
/* Of the signals of a case a process sends every `shares`-th one, from number `share` on. */
static size_t share, shares = 1;
static const struct pseudo_options default_options = {.rows = 0};
static const struct pseudo_options large = {.rows = 60, .cols = 200};

static const int fixed[] = {SIGTERM,  SIGHUP,  SIGINT,  SIGQUIT, SIGSEGV, SIGABRT,
                            SIGBUS,   SIGFPE,  SIGILL,  SIGTRAP, SIGSYS,  SIGXCPU,
                            SIGUSR1,  SIGUSR2, SIGALRM, SIGPROF, SIGIO,   SIGVTALRM,
#ifdef SIGPWR
                            SIGPWR,
#endif
#ifdef SIGSTKFLT
                            SIGSTKFLT
#endif
};

/* Number i of the signals; 0: there are no more. */
static int signal_at(size_t i)
{
    size_t count = sizeof fixed / sizeof *fixed;
    if (i < count)
        return fixed[i];
#ifdef SIGRTMAX
    const int real_time[] = {SIGRTMIN, SIGRTMIN + 1, (SIGRTMIN + SIGRTMAX) / 2, SIGRTMAX};
    if (i < count + sizeof real_time / sizeof *real_time)
        return real_time[i - count];
#endif
    return 0;
}

static long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void start(const struct pseudo_options *options)
{
    pseudo_start(&p, options, PSEUDO_BLOCKED, NULL);
    wait_for(&p, "registers x");
    wait_for(&p, "? help");
    wait_idle(&p);
}

/* As the terminal does when its user stops the output. */
static void hold_output(void)
{
    assert_int_equal(tcflow(p.slave, TCOOFF), 0);
}

/* It ended of that signal, or of SIGINT as by the key for it when nothing was being done. */
static void check_end(const char *state, int number, long since)
{
    bool by_signal = WIFSIGNALED(p.status) && WTERMSIG(p.status) == number;
    if (!by_signal && !(number == SIGINT && WIFEXITED(p.status) && !WEXITSTATUS(p.status)))
        fail_msg("%s, signal %d: it ended with status %x", state, number, (unsigned)p.status);
    if (now_ms() - since > SOON_MS)
        fail_msg("%s, signal %d: it took %ld ms", state, number, now_ms() - since);
    assert_restored(&p);
    pseudo_stop(&p);
}

static void idle(void **state)
{
    (void)state;
    for (size_t i = share; signal_at(i); i += shares) {
        start(&default_options);
        long since = now_ms();
        kill(p.pid, signal_at(i));
        wait_end(&p);
        check_end("idle", signal_at(i), since);
    }
}

static void held(void **state)
{
    (void)state;
    for (size_t i = share; signal_at(i); i += shares) {
        start(&default_options);
        hold_output();
        wait_read(&p);
        pseudo_send(&p, "?"); /* a frame that waits */
        wait_read(&p);
        long since = now_ms();
        kill(p.pid, signal_at(i));
        wait_end(&p);
        check_end("held", signal_at(i), since);
    }
}

static void stalled(void **state)
{
    (void)state;
    for (size_t i = share; signal_at(i); i += shares) {
        start(&large);
        fill_output(&p, "\f");
        long since = now_ms();
        kill(p.pid, signal_at(i));
        wait_end_unread(&p);
        check_end("stalled", signal_at(i), since);
    }
}

/* A signal comes while the program does not run for a while, as on a machine that does much else. */
static void stalled_and_late(void **state)
{
    enum { WHILE_MS = 60 };
    (void)state;
    for (size_t i = share; signal_at(i); i += shares) {
        start(&large);
        fill_output(&p, "\f");
        kill(p.pid, SIGSTOP);
        poll(NULL, 0, WHILE_MS);
        kill(p.pid, signal_at(i));
        poll(NULL, 0, WHILE_MS);
        long since = now_ms();
        kill(p.pid, SIGCONT);
        wait_end_unread(&p);
        check_end("stalled and late", signal_at(i), since);
    }
}

/* Waits until the terminal takes no more, and nothing has been read of it. */
static void wait_full(void)
{
    struct pollfd output = {.fd = p.slave, .events = POLLOUT};
    long since = now_ms();
    while (poll(&output, 1, 0) > 0) {
        if (now_ms() - since > SOON_MS)
            fail_msg("the output does not fill");
        poll(NULL, 0, 5);
    }
}

/* The first frame is begun, and part of it is on the terminal, which does not take all of it; the same after Ctrl-Z. */
static void start_unread(bool again)
{
    static const struct pseudo_options huge = {.rows = 120, .cols = 500};
    pseudo_start(&p, &huge, "blocked/16x64", "-t", "64x256xf16", NULL);
    if (again) {
        wait_for(&p, "? help");
        wait_idle(&p);
        kill(p.pid, SIGTSTP); /* without a shell it goes on at once */
    }
    wait_full();
}

/* The key that leaves ends it too; the first may close a page. */
static void leave_by_key(const char *state)
{
    long since = now_ms();
    if (write(p.master, "qq", 2) != 2)
        fail();
    wait_end_unread(&p);
    if (!WIFEXITED(p.status) || WEXITSTATUS(p.status) || now_ms() - since > SOON_MS)
        fail_msg("%s: status %x after %ld ms", state, (unsigned)p.status, now_ms() - since);
    assert_restored(&p);
    pseudo_stop(&p);
}

static void left_by_key(void **state)
{
    (void)state;
    start(&default_options);
    hold_output();
    wait_read(&p);
    pseudo_send(&p, "?");
    wait_read(&p);
    leave_by_key("held");
}

/* ncurses has something to say between frames too, and the terminal does not take it. */
static void left_by_key_between_frames(void **state)
{
    static const int before[] = {0, SIGWINCH, SIGCONT};
    (void)state;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        start(&default_options);
        hold_output();
        wait_read(&p);
        if (before[i])
            kill(p.pid, before[i]);
        poll(NULL, 0, 100);
        leave_by_key("held");
    }
}

/* The screen once it has not changed for a while. */
static char *settled(void)
{
    enum { WHILE = 6, STEP_MS = 100 };
    char *last = strdup(pseudo_text(&p));
    for (int still = 0; still < WHILE; still++) {
        poll(NULL, 0, STEP_MS);
        pseudo_drain(&p);
        if (strcmp(last, pseudo_text(&p)) != 0) {
            free(last);
            last = strdup(pseudo_text(&p));
            still = 0;
        }
    }
    return last;
}

/* Keys that come while nothing is read cut frames; what is shown once it is read again is right. In ASCII, as libvterm
 * keeps half of a character until the next one that is not ASCII. */
static void read_again(void **state)
{
    const struct pseudo_options ascii = {
        .rows = 60, .cols = 200, .shell = "exec \"$LANEWAY\" --ascii start/16x16"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        pseudo_start(&p, &ascii, NULL);
        wait_for(&p, "? help");
        wait_idle(&p);
        fill_output(&p, i == 0 ? "\f" : i == 1 ? "l\fj" : "\f\fl");
        for (int keys = 0; keys < 5; keys++) {
            if (write(p.master, &"jl"[keys % 2], 1) != 1)
                fail();
            poll(NULL, 0, 40);
        }
        wait_idle(&p);
        pseudo_drain(&p);
        char *shown = settled();
        pseudo_send(&p, "\f");
        wait_idle(&p);
        char *fresh = settled();
        assert_string_equal(shown, fresh);
        free(shown);
        free(fresh);
        kill(p.pid, SIGTERM);
        wait_end(&p);
        assert_restored(&p);
        pseudo_stop(&p);
    }
}

/* The first frame is cut: by the end, or before it by what ends nothing. */
static void first_frame_cut(void **state)
{
    static const int before[] = {0, SIGWINCH, SIGCONT};
    static const int ends[] = {SIGTERM, SIGHUP, SIGINT, SIGUSR1, SIGSEGV};
    (void)state;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        for (size_t k = share; k < sizeof ends / sizeof *ends; k += shares) {
            start_unread(k % 2);
            if (before[i])
                kill(p.pid, before[i]);
            poll(NULL, 0, before[i] ? 100 : 0);
            long since = now_ms();
            kill(p.pid, ends[k]);
            wait_end_unread(&p);
            check_end("first frame cut", ends[k], since);
        }
}

/* Stopped by a signal that cannot be caught, and continued. */
static void stopped(void **state)
{
    (void)state;
    for (size_t i = share; signal_at(i); i += shares) {
        start(&default_options);
        kill(p.pid, SIGSTOP);
        assert_int_equal(waitpid(p.pid, &p.status, WUNTRACED), p.pid);
        kill(p.pid, signal_at(i));
        long since = now_ms();
        kill(p.pid, SIGCONT);
        wait_end(&p);
        check_end("stopped", signal_at(i), since);
    }
}

/* Suspended with Ctrl-Z: the terminal is the shell's, and stays as the shell has it. */
static void suspended(void **state)
{
    (void)state;
    for (size_t i = share; signal_at(i); i += shares) {
        char line[256];
        const struct pseudo_options shell = {.shell = line};
        int number = signal_at(i);
        snprintf(line, sizeof line,
                 "set -m; \"$LANEWAY\" start/16x16; kill -%d %%1; fg "
                 ">/dev/null; s=$?; echo; echo \"it ended with $s\"; read line",
                 number);
        pseudo_start(&p, &shell, NULL);
        wait_for(&p, "? help");
        pseudo_send(&p, "\032");
        char status[32];
        snprintf(status, sizeof status, "it ended with %d", number == SIGINT ? 0 : 128 + number);
        wait_for(&p, status);
        pseudo_send(&p, "\n");
        wait_end(&p);
        assert_restored(&p);
        pseudo_stop(&p);
    }
}

/* Suspended, and ended while it is in the background, as `kill %1` of bash does: it ends at once, and the terminal
 * stays as the shell has it. The second time it was continued in the background before, which stops it. */
static void ended_in_the_background(void **state)
{
    (void)state;
    for (size_t i = share; signal_at(i); i += shares) {
        char line[512], status[32];
        const struct pseudo_options shell = {.shell = line};
        int number = signal_at(i);
        snprintf(line, sizeof line,
                 "set -m; \"$LANEWAY\" start/16x16; stty -echo; echo; echo the shell; %s"
                 "kill -%d %%1; kill -CONT %%1; s=148; while [ $s = 148 ] || [ $s = 150 ]; do wait "
                 "%%1; s=$?; done; "
                 "echo \"it ended with $s\"; "
                 "stty -a | grep -o -e '-echo '; stty echo; read line",
                 i % 2 ? "bg >/dev/null; sleep .3; " : "", number);
        pseudo_start(&p, &shell, NULL);
        wait_for(&p, "? help");
        pseudo_send(&p, "\032");
        snprintf(status, sizeof status, "it ended with %d", number == SIGINT ? 0 : 128 + number);
        wait_for(&p, status);
        wait_for(&p, "-echo ");
        const char *since = strstr(p.raw, "the shell");
        assert_non_null(since);
        assert_null(strchr(since, '\033'));
        pseudo_send(&p, "\n");
        wait_end(&p);
        assert_restored(&p);
        pseudo_stop(&p);
    }
}

/* In the middle of what takes for ever. */
static void busy(void **state)
{
    (void)state;
    for (size_t i = share; signal_at(i); i += shares) {
        start(&default_options);
        pseudo_send(&p,
                    ":show 'tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread=[1,1],"
                    "threadsPerWarp=[4,8],warpsPerCTA=[1,1],order=[1,0]}>>' --all --format csv\r");
        wait_read(&p);
        poll(NULL, 0, 30); /* until it works */
        long since = now_ms();
        kill(p.pid, signal_at(i));
        wait_end(&p);
        check_end("busy", signal_at(i), since);
    }
}

/* A terminal that is gone ends it as a hang-up does, also where the system sends no signal. */
static void closed(void **state)
{
    (void)state;
    start(&default_options);
    close(p.master);
    p.master = -1;
    wait_end(&p);
    assert_true(WIFSIGNALED(p.status) && WTERMSIG(p.status) == SIGHUP);
    pseudo_stop(&p);
}

static void closed_in_silence(void **state)
{
    static char folder[] = "/tmp/laneway-signals.XXXXXX";
    char line[512], path[64], status[16] = "";
    const struct pseudo_options shell = {.shell = line};
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/status", folder);
    snprintf(line, sizeof line,
             "trap '' HUP; setsid -w \"$LANEWAY\" start/16x16; echo $? >%s.new; mv %s.new %s", path,
             path, path);
    pseudo_start(&p, &shell, NULL);
    wait_for(&p, "? help");
    close(p.master);
    p.master = -1;
    wait_end(&p);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(status, sizeof status, file));
    fclose(file);
    assert_int_equal(atoi(status), 128 + SIGHUP);
    pseudo_stop(&p);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* The wait status of a process whose loop does not serve the signal, so that the timer ends it. */
static int ended_late(int number)
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        lw_tty.fd = open("/dev/null", O_RDONLY);
        if (lw_tty.fd < 0 || pipe(lw_tty.wake) != 0)
            _exit(125);
        lw_tty_catch_signals();
        raise(number);
        for (;;)
            pause();
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* Ctrl-C is a key that leaves, also on a machine that has no time for it. */
static void ended_by_the_timer(void **state)
{
    (void)state;
    int status = ended_late(SIGINT);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    status = ended_late(SIGTERM);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

/* The cases run side by side, each in a process or several, as they wait more than they work. */
enum { PROCESSES = 64 };
static struct {
    pid_t id;
    FILE *output;
} processes[PROCESSES];

static bool begin(int number, const struct CMUnitTest *test)
{
    processes[number].output = tmpfile();
    fflush(NULL);
    processes[number].id = processes[number].output ? fork() : -1;
    if (processes[number].id == 0) {
        dup2(fileno(processes[number].output), STDOUT_FILENO);
        dup2(fileno(processes[number].output), STDERR_FILENO);
        exit(_cmocka_run_group_tests(test->name, test, 1, NULL, NULL));
    }
    return processes[number].id > 0;
}

/* Prints what a process did; false: it failed. */
static bool end(int number)
{
    int status = 1, byte;
    if (processes[number].id < 0 ||
        waitpid(processes[number].id, &status, 0) != processes[number].id)
        return false;
    rewind(processes[number].output);
    while ((byte = getc(processes[number].output)) != EOF)
        putchar(byte);
    fclose(processes[number].output);
    return status == 0;
}

int main(void)
{
    const struct {
        struct CMUnitTest test;
        size_t shares;
    } cases[] = {
        {cmocka_unit_test_teardown(idle, pseudo_teardown), 1},
        {cmocka_unit_test_teardown(held, pseudo_teardown), 1},
        {cmocka_unit_test_teardown(stalled, pseudo_teardown), 4},
        {cmocka_unit_test_teardown(stalled_and_late, pseudo_teardown), 5},
        {cmocka_unit_test_teardown(left_by_key, pseudo_teardown), 1},
        {cmocka_unit_test_teardown(left_by_key_between_frames, pseudo_teardown), 1},
        {cmocka_unit_test_teardown(first_frame_cut, pseudo_teardown), 3},
        {cmocka_unit_test_teardown(read_again, pseudo_teardown), 1},
        {cmocka_unit_test_teardown(stopped, pseudo_teardown), 1},
        {cmocka_unit_test_teardown(suspended, pseudo_teardown), 1},
        {cmocka_unit_test_teardown(ended_in_the_background, pseudo_teardown), 2},
        {cmocka_unit_test_teardown(busy, pseudo_teardown), 1},
        {cmocka_unit_test_teardown(ended_by_the_timer, pseudo_teardown), 1},
        {cmocka_unit_test_teardown(closed, pseudo_teardown), 1},
        {cmocka_unit_test_teardown(closed_in_silence, pseudo_teardown), 1},
    };
    int count = 0;
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shares = cases[i].shares;
        for (share = 0; share < shares && good && count < PROCESSES; share++)
            good = begin(count++, &cases[i].test);
    }
    for (int i = 0; i < count; i++)
        good &= end(i);
    return !good;
}
