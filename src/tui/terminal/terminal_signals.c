/* Signals: handlers for all but those that cannot be handled or do not end a program.
 *
 * A handler only writes the signal's number to a pipe, which the main loop reads, and starts a timer: if the loop has
 * not ended the program in time, the handler of the timer ends it. Then, and after a crash, the terminal is restored
 * with a string that was prepared before, because ncurses must not be called. */

#include "tui/terminal/terminal_signals.h"

#include "core/array_count.h"
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

enum {
    LATE_US = 80000,  /* from a signal to the end of the program, at most */
    LONG_US = 200000, /* of work that does not look for keys, until Ctrl-C is a signal */
    WATCH_US = 30000  /* from a key to the end of a frame that the terminal does not read */
};

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

/* Sets the timer of every system; the signal of an alarm from another process is merged with its own while that is
 * pending. */
static void set_alarm(int microseconds)
{
    const struct itimerval timer = {.it_value = {.tv_usec = microseconds}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* The timer has a signal that does not end a program: if one from another process is merged with it while it is
 * pending, nothing is lost. If there is no such timer, or no more of them, the alarm is used. */
#if defined _POSIX_TIMERS && _POSIX_TIMERS > 0
enum { TIMER_SIGNAL = SIGURG };
static timer_t own_timer;
static bool has_timer;

static void make_timer(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = TIMER_SIGNAL};
    has_timer = has_timer || timer_create(CLOCK_MONOTONIC, &event, &own_timer) == 0;
}

static void set_timer(int microseconds)
{
    const struct itimerspec timer = {.it_value = {.tv_nsec = microseconds * 1000L}};
    if (has_timer)
        timer_settime(own_timer, 0, &timer, NULL);
    else
        set_alarm(microseconds);
}
#else
enum { TIMER_SIGNAL = SIGALRM, has_timer = false };

static void make_timer(void)
{
}

static void set_timer(int microseconds)
{
    set_alarm(microseconds);
}
#endif

void lw_tty_stop_timer(void)
{
    set_timer(0);
}

/* The timer runs for a frame. */
static volatile sig_atomic_t is_watching;

/* If a signal arrived meanwhile, its timer is set again. */
static void set_watch(int microseconds)
{
    if (microseconds)
        is_watching = true;
    set_timer(microseconds);
    if (!microseconds)
        is_watching = false;
    if (lw_tty.deadline)
        set_timer(LATE_US);
}

void lw_tty_watch_keys(void)
{
    set_watch(WATCH_US);
}

void lw_tty_stop_watching(void)
{
    set_watch(0);
}

/* ---- Work ---- */

static volatile sig_atomic_t awaits_work; /* the timer runs for it */
static volatile sig_atomic_t has_interrupt;

void lw_tty_watch_work(bool is_busy)
{
    awaits_work = is_busy;
    set_watch(0);
    if (is_busy && !lw_tty.deadline)
        set_timer(LONG_US);
    if (has_interrupt && lw_tty_is_ours())
        tcsetattr(STDOUT_FILENO, TCSANOW, &lw_tty.own);
    has_interrupt = false;
}

static void allow_interrupt(void)
{
    int saved = errno;
    struct termios modes = lw_tty.own;
    awaits_work = false;
    modes.c_lflag |= ISIG | NOFLSH;
    modes.c_cc[VQUIT] = modes.c_cc[VSUSP] = _POSIX_VDISABLE;
    if (lw_tty.has_own && lw_tty.is_taken && lw_tty_is_ours())
        has_interrupt = tcsetattr(STDOUT_FILENO, TCSANOW, &modes) == 0;
    errno = saved;
}

static void catch_signal(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void on_timer(int number);

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
        catch_signal(SIGTTOU, on_timer, 0);
        catch_signal(SIGTTIN, on_timer, 0);
        set_timer(LATE_US);
    }
    errno = saved;
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

/* Cuts the frame if there is a key and the terminal reads nothing; else sets the timer again. */
static void look_for_keys(void)
{
    int saved = errno;
    struct pollfd input = {.fd = lw_tty.fd, .events = POLLIN};
    is_watching = false;
    if (accepts_output() || poll(&input, 1, 0) <= 0)
        set_watch(WATCH_US);
    else if (dup2(lw_tty.null_fd, lw_tty.out_fd) >= 0)
        lw_tty.is_diverted = true;
    errno = saved;
}

/* Ends the program after a signal that the loop has not handled, because of long work, of a terminal that does not
 * answer, or because it would be stopped in the background. The signal has started the timer; it may also be that of a
 * frame. */
static void on_timer(int number)
{
    if (!lw_tty.deadline) {
        if (is_watching)
            look_for_keys();
        else if (awaits_work)
            allow_interrupt();
        else if (number == SIGALRM)
            on_signal(number);
        return;
    }
    lw_tty_restore();
    if (lw_tty.deadline == SIGINT && !lw_tty.is_busy)
        _exit(0); /* no work was interrupted: the same status as in time */
    die_of(lw_tty.deadline);
}

/* The handlers of signals that do not only end the program. SIGPIPE and SIGXFSZ are ignored: the failed write is
 * reported as an error. */
static const struct {
    int number;
    void (*handler)(int);
    int flags;
} caught[] = {
    {TIMER_SIGNAL, on_timer, 0},     {SIGPIPE, SIG_IGN, 0},
    {SIGXFSZ, SIG_IGN, 0},           {SIGSEGV, on_crash, SA_ONSTACK},
    {SIGBUS, on_crash, SA_ONSTACK},  {SIGFPE, on_crash, SA_ONSTACK},
    {SIGILL, on_crash, SA_ONSTACK},  {SIGABRT, on_crash, SA_ONSTACK},
    {SIGTRAP, on_crash, SA_ONSTACK}, {SIGSYS, on_crash, SA_ONSTACK},
    {SIGXCPU, on_crash, SA_ONSTACK},
};

/* Signals without a handler: their default does not end the program, or they cannot be handled. */
static const int left_alone[] = {SIGCHLD, SIGTTIN, SIGTTOU, SIGKILL, SIGSTOP};

/* The last number of a signal, those of the system and of real time included. */
static int last_signal(void)
{
#ifdef SIGRTMAX
    return SIGRTMAX;
#else
    return NSIG - 1;
#endif
}

static void (*handler_of(int number, int *flags))(int)
{
    *flags = 0;
    for (size_t i = 0; i < LW_COUNT(left_alone); i++)
        if (left_alone[i] == number)
            return NULL;
    for (size_t i = 0; i < LW_COUNT(caught); i++)
        if (caught[i].number == number) {
            *flags = caught[i].flags;
            return caught[i].handler;
        }
    if (number == SIGALRM && !has_timer)
        return on_timer;
    return number == SIGURG ? NULL : on_signal;
}

void lw_tty_catch_signals(void)
{
    /* The crash may be a stack overflow, so the handlers have their own stack. */
    static char spare[1 << 16];
    const stack_t stack = {.ss_sp = spare, .ss_size = sizeof spare};
    sigaltstack(&stack, NULL);
    make_timer();
    for (int number = 1, flags; number <= last_signal(); number++) {
        void (*handler)(int) = handler_of(number, &flags);
        if (handler)
            catch_signal(number, handler, flags);
    }
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
    for (int number = 1, flags; child == 0 && number <= last_signal(); number++) {
        void (*handler)(int) = handler_of(number, &flags);
        if (handler && handler != SIG_IGN)
            signal(number, SIG_DFL);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return child;
}
