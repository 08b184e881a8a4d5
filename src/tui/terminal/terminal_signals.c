/* Signals: handlers for all but those that cannot be handled or do not end a program.
 *
 * A handler only writes the signal's number to a pipe, which the main loop reads, and starts a timer: if the loop has
 * not ended the program in time, the handler of the timer ends it. Then, and after a crash, the terminal is restored
 * with a string that was prepared before, because ncurses must not be called. */

#include "tui/terminal/terminal_signals.h"

#include "core/array_count.h"
#include "core/unused.h"
#include "tui/terminal/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* The last number of a signal, those of the system and of real time included. */
#ifdef SIGRTMAX
#define LAST_SIGNAL SIGRTMAX
#else
#define LAST_SIGNAL (NSIG - 1)
#endif

enum { LATE_US = 80000 }; /* from a signal to the end of the program, at most */

struct lw_tty lw_tty;

int64_t lw_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Whether output to the terminal would not block. */
static bool accepts_output(void)
{
    struct pollfd room = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&room, 1, 0) != 0;
}

bool lw_tty_is_end(int number)
{
    return number != SIGWINCH && number != SIGCONT && number != SIGTSTP;
}

/* The alarm rings only after a signal that ends the program: at any other time it is that of another process. */
void lw_tty_set_alarm(int microseconds)
{
    const struct itimerval timer = {.it_value = {.tv_usec = microseconds}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* On a stack of its own, as a crash may be an overflow of the other. */
static void catch_signal(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void lw_tty_release_output(int patience_ms)
{
    struct pollfd room = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (!accepts_output()) {
        tcflow(lw_tty.fd, TCOOFF);
        tcflow(lw_tty.fd, TCOON);
    }
    if (poll(&room, 1, patience_ms) < 1) {
        tcflush(lw_tty.fd, TCOFLUSH);
        lw_tty.is_cut = true;
    }
}

void lw_tty_end_sequence(void)
{
    static const char cancel = '\030';
    if (lw_tty.is_cut && write(STDOUT_FILENO, &cancel, 1) < 0)
        errno = 0; /* the terminal is closed */
    lw_tty.is_cut = false;
}

bool lw_tty_is_ours(void)
{
    pid_t owner = tcgetpgrp(lw_tty.fd);
    return owner < 0 || owner == getpgrp();
}

/* Writes the string that restores the terminal: stopped output is continued, output that is not read is discarded. */
static void write_reset(void)
{
    enum { TRIES = 8, MOMENT_MS = 2 };
    struct pollfd room = {.fd = STDOUT_FILENO, .events = POLLOUT};
    int flags = fcntl(STDOUT_FILENO, F_GETFL);
    lw_tty_release_output(0);
    fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK);
    lw_tty_end_sequence();
    size_t sent = 0;
    for (int i = 0; i < TRIES && sent < lw_tty.reset_length; i++) {
        ssize_t n = write(STDOUT_FILENO, lw_tty.reset + sent, lw_tty.reset_length - sent);
        sent += n > 0 ? (size_t)n : 0;
        if (n < 0)
            poll(&room, 1, MOMENT_MS);
    }
    fcntl(STDOUT_FILENO, F_SETFL, flags);
}

/* Calls only what a signal handler may call. If another process has the terminal, nothing is written to it. */
void lw_tty_restore(void)
{
    if (!lw_tty_is_ours())
        return;
    if (lw_tty.is_taken)
        write_reset();
    if (lw_tty.has_saved)
        tcsetattr(lw_tty.fd, TCSANOW, &lw_tty.saved);
}

static void die_of(int number)
{
    sigset_t this;
    sigemptyset(&this);
    sigaddset(&this, number);
    signal(number, SIG_DFL);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &this, NULL);
}

static void on_crash(int number)
{
    lw_tty_restore();
    die_of(number);
}

/* Ends the program after a signal that the loop has not handled, because of long work, of a terminal that does not
 * answer, or because it would be stopped in the background. */
static void end_late(LW_UNUSED int number)
{
    lw_tty_restore();
    if (lw_tty.deadline == SIGINT)
        _exit(0); /* the same status as in time */
    die_of(lw_tty.deadline);
}

/* The first frame switches to the alternate screen, so it is cut only if it blocks. After a signal that ends the
 * program, a call that would stop it in the background ends it. */
static void on_signal(int number)
{
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    if (write(lw_tty.wake[1], &byte, 1) < 0)
        byte = 0; /* the pipe is full, so the loop wakes up anyway */
    if (lw_tty.in_frame && (!lw_tty.is_first || !accepts_output()) &&
        dup2(lw_tty.null_fd, lw_tty.out_fd) >= 0)
        lw_tty.is_diverted = true;
    if (lw_tty_is_end(number) && !lw_tty.deadline) {
        lw_tty.deadline = number;
        catch_signal(SIGTTOU, end_late);
        catch_signal(SIGTTIN, end_late);
        lw_tty_set_alarm(LATE_US);
    }
    errno = saved;
}

static void on_alarm(int number)
{
    if (lw_tty.deadline)
        end_late(number);
    else
        on_signal(number);
}

/* The handlers of signals that do not only end the program; NULL: none, as it does not end the program, or
 * cannot be handled. SIGPIPE and SIGXFSZ are ignored: the failed write is reported as an error. */
static const struct {
    int number;
    void (*handler)(int);
} handlers[] = {
    {SIGALRM, on_alarm}, {SIGPIPE, SIG_IGN}, {SIGXFSZ, SIG_IGN},  {SIGSEGV, on_crash},
    {SIGBUS, on_crash},  {SIGFPE, on_crash}, {SIGILL, on_crash},  {SIGABRT, on_crash},
    {SIGTRAP, on_crash}, {SIGSYS, on_crash}, {SIGXCPU, on_crash}, {SIGCHLD, NULL},
    {SIGURG, NULL},      {SIGTTIN, NULL},    {SIGTTOU, NULL},     {SIGKILL, NULL},
    {SIGSTOP, NULL},
};

static void (*handler_of(int number))(int)
{
    for (size_t i = 0; i < LW_COUNT(handlers); i++)
        if (handlers[i].number == number)
            return handlers[i].handler;
    return on_signal;
}

void lw_tty_catch_signals(void)
{
    static char spare[1 << 16];
    const stack_t stack = {.ss_sp = spare, .ss_size = sizeof spare};
    sigaltstack(&stack, NULL);
    for (int number = 1; number <= LAST_SIGNAL; number++)
        if (handler_of(number))
            catch_signal(number, handler_of(number));
}

/* Signals are blocked until the child process has reset their handlers. It ends with its parent, if the system supports
 * that, and gets no signals of the terminal. */
pid_t lw_terminal_fork(void)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t parent = getpid(), child = fork();
#ifdef __linux__
    if (child == 0 && (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent))
        _exit(1);
#endif
    (void)parent;
    if (child == 0 &&
        setpgid(0, 0) != 0) /* Ctrl-Z would stop it, and the explorer would wait for it */
        _exit(1);
    for (int number = 1; child == 0 && number <= LAST_SIGNAL; number++)
        if (handler_of(number) && handler_of(number) != SIG_IGN)
            signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return child;
}
