/* Taking the terminal and giving it back; ncurses in, events out.
 *
 * Signals only write their number to a pipe; the waiting loop reads it. After a crash the terminal is
 * restored with strings prepared at the start, since ncurses must not be called then. */

#define NCURSES_WIDECHAR 1
#include "tui/terminal.h"

#include "core/count.h"
#include "tui/theme.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

static struct {
    SCREEN *screen;
    FILE *in; /* the terminal, when standard input is something else */
    int fd;
    int wake[2];
    struct termios saved;
    bool has_saved;
    char reset[256];
    size_t reset_length;
    enum lw_depth depth; /* colours used */
    bool ascii, mouse;
    int ended_by;
    uint32_t stashed;
    bool has_stashed;
} tty;

/* ---- Signals ---- */

static void on_signal(int number)
{
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    if (write(tty.wake[1], &byte, 1) < 0)
        byte = 0; /* the pipe is full: the loop is awake already */
    errno = saved;
}

static void on_crash(int number)
{
    if (write(STDOUT_FILENO, tty.reset, tty.reset_length) < 0)
        number = number + 0; /* nothing more can be done */
    if (tty.has_saved)
        tcsetattr(tty.fd, TCSANOW, &tty.saved);
    signal(number, SIG_DFL);
    raise(number);
}

/* What is done on each signal. A file that cannot be written to its end is told like any other error. */
static const struct {
    int number;
    void (*handler)(int);
    int flags;
} caught[] = {
    {SIGTERM, on_signal, 0},         {SIGHUP, on_signal, 0},
    {SIGINT, on_signal, 0},          {SIGWINCH, on_signal, 0},
    {SIGTSTP, on_signal, 0},         {SIGCONT, on_signal, 0},
    {SIGUSR1, on_signal, 0},         {SIGUSR2, on_signal, 0},
    {SIGALRM, on_signal, 0},         {SIGVTALRM, on_signal, 0},
    {SIGPROF, on_signal, 0},         {SIGIO, on_signal, 0},
    {SIGPIPE, SIG_IGN, 0},           {SIGXFSZ, SIG_IGN, 0},
    {SIGSEGV, on_crash, SA_ONSTACK}, {SIGBUS, on_crash, SA_ONSTACK},
    {SIGFPE, on_crash, SA_ONSTACK},  {SIGILL, on_crash, SA_ONSTACK},
    {SIGABRT, on_crash, SA_ONSTACK}, {SIGQUIT, on_crash, SA_ONSTACK},
    {SIGTRAP, on_crash, SA_ONSTACK}, {SIGSYS, on_crash, SA_ONSTACK},
    {SIGXCPU, on_crash, SA_ONSTACK},
};

static void catch_signals(void)
{
    /* A crash may be one of the stack. */
    static char spare[1 << 16];
    const stack_t stack = {.ss_sp = spare, .ss_size = sizeof spare};
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < LW_COUNT(caught); i++) {
        struct sigaction action = {.sa_handler = caught[i].handler, .sa_flags = caught[i].flags};
        sigemptyset(&action.sa_mask);
        sigaction(caught[i].number, &action, NULL);
    }
}

/* Signals wait until the new process has forgotten what this one does on them. */
pid_t lw_terminal_fork(void)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    for (size_t i = 0; child == 0 && i < LW_COUNT(caught); i++)
        if (caught[i].handler != SIG_IGN)
            signal(caught[i].number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return child;
}

static void add_reset(const char *string)
{
    for (const char *p = string; p && p != (char *)-1 && *p; p++) {
        if (p[0] == '$' && p[1] == '<') {
            while (*p && *p != '>')
                p++;
        } else if (tty.reset_length < sizeof tty.reset) {
            tty.reset[tty.reset_length++] = *p;
        }
    }
}

static void prepare_reset(void)
{
    add_reset("\033[?1000l\033[?1002l\033[?1003l\033[?1006l");
    add_reset(exit_attribute_mode);
    add_reset(orig_pair);
    add_reset(keypad_local);
    add_reset(exit_ca_mode);
    add_reset(cursor_normal);
}

/* ---- Opening ---- */

/* Whether colours of 24 bits may be sent that the description does not speak of. Screen hands the variable
 * on, and takes them for other attributes. */
static bool takes_direct(void)
{
    const char *says = getenv("COLORTERM"), *term = getenv("TERM");
    bool can = says && (!strcmp(says, "truecolor") || !strcmp(says, "24bit"));
    return tigetflag("RGB") > 0 || tigetflag("Tc") > 0 ||
           (can && term && strncmp(term, "screen", 6) != 0);
}

static bool can(const char *capability)
{
    return capability && capability != (char *)-1;
}

/* Colours are those of ISO 6429, to which 24 bits are an addition. */
static bool is_iso(void)
{
    return can(set_a_foreground) && !strncmp(set_a_foreground, "\033[", 2);
}

/* A description in which a number of a colour is the colour itself. */
static bool is_direct(void)
{
    return tigetnum("colors") >= 1 << 24; /* more than max_colors can say */
}

static enum lw_depth deepest(void)
{
    bool has = has_colors() && max_colors >= 8;
    return !has                                          ? LW_DEPTH_MONO
           : is_direct() || (is_iso() && takes_direct()) ? LW_DEPTH_TRUE
           : max_colors >= 256                           ? LW_DEPTH_256
                                                         : LW_DEPTH_16;
}

/* What the options, else the settings, else NO_COLOR say. The settings may know better than variables and
 * descriptions how many colours there are, but not that there are some. */
static enum lw_depth choose_depth(const struct lw_explorer *ex)
{
    static const struct {
        const char *word;
        enum lw_depth depth;
    } words[] = {{"never", LW_DEPTH_MONO},
                 {"16", LW_DEPTH_16},
                 {"256", LW_DEPTH_256},
                 {"truecolor", LW_DEPTH_TRUE}};
    const char *no_color = getenv("NO_COLOR");
    enum lw_color_mode mode = ex->options->color;
    enum lw_depth there = deepest();
    if (mode == LW_COLOR_NEVER)
        return LW_DEPTH_MONO;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(ex->settings.color, words[i].word) && mode == LW_COLOR_AUTO)
            return (words[i].depth < there && !is_direct()) ||
                           (words[i].depth == LW_DEPTH_TRUE && is_iso())
                       ? words[i].depth
                       : there;
    return mode == LW_COLOR_AUTO && no_color && no_color[0] ? LW_DEPTH_MONO : there;
}

static bool open_tty(struct lw_error *err)
{
    tty.fd = STDIN_FILENO;
    if (!isatty(STDIN_FILENO)) {
        tty.in = fopen("/dev/tty", "r");
        if (!tty.in)
            return lw_error_set(err, LW_ERROR_IO, "no terminal to read keys from: %s",
                                strerror(errno));
        tty.fd = fileno(tty.in);
    }
    tty.has_saved = tcgetattr(tty.fd, &tty.saved) == 0;
    if (pipe(tty.wake) < 0)
        return lw_error_set(err, LW_ERROR_IO, "no pipe: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(tty.wake[i], F_SETFL, O_NONBLOCK);
        fcntl(tty.wake[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

static bool open_screen(struct lw_error *err)
{
    const char *term = getenv("TERM");
    catch_signals(); /* before ncurses sets handlers of its own */
    use_tioctl(
        TRUE); /* the terminal knows its size better than COLUMNS and LINES, as on a resize */
    if (term && term[0])
        tty.screen = newterm(NULL, stdout, tty.in ? tty.in : stdin);
    if (tty.screen && cursor_address) {
        prepare_reset();
        return true;
    }
    if (tty.screen) {
        endwin();
        delscreen(tty.screen);
    }
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "TERM=%.40s: the explorer needs a terminal that can move its cursor; "
                        "'laneway show' prints without one",
                        term ? term : "");
}

static void close_files(void)
{
    if (tty.in)
        fclose(tty.in);
    for (int i = 0; i < 2; i++)
        if (tty.wake[i] > 0)
            close(tty.wake[i]);
}

bool lw_terminal_open(const struct lw_explorer *ex, struct lw_error *err)
{
    memset(&tty, 0, sizeof tty);
    setlocale(LC_CTYPE, "");
    if (!open_tty(err) || !open_screen(err)) {
        close_files();
        return false;
    }
    set_escdelay(50);
    cbreak();
    noecho();
    noqiflush(); /* Ctrl-C and Ctrl-Z cut off neither a mouse report nor what is being drawn */
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    typeahead(-1); /* what waits is looked at before a frame is drawn, not in the middle of one */
    mouseinterval(0);
    lw_terminal_configure(ex);
    return true;
}

/* ncurses asks for clicks alone: moves of a held button (1002) are asked for here. */
static void take_mouse(bool take)
{
    bool can = key_mouse && *key_mouse;
    mousemask(take ? BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED |
                         REPORT_MOUSE_POSITION
                   : 0,
              NULL);
    if (can)
        fputs(take ? "\033[?1002h" : "\033[?1002l", stdout);
    fflush(stdout);
}

void lw_terminal_configure(const struct lw_explorer *ex)
{
    bool mouse = ex->settings.mouse && !ex->options->no_mouse;
    if (mouse != tty.mouse)
        take_mouse(mouse);
    tty.mouse = mouse;
    tty.ascii =
        ex->options->ascii || ex->settings.ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    tty.depth = choose_depth(ex);
    lw_terminal_dress(&ex->theme, tty.depth, !is_direct());
}

void lw_terminal_size(int *height, int *width)
{
    getmaxyx(stdscr, *height, *width);
}

bool lw_terminal_is_ascii(void)
{
    return tty.ascii;
}

bool lw_terminal_is_mono(void)
{
    return tty.depth == LW_DEPTH_MONO;
}

bool lw_terminal_wait(void)
{
    struct pollfd fds[2] = {{.fd = STDOUT_FILENO, .events = POLLOUT},
                            {.fd = tty.wake[0], .events = POLLIN}};
    while (poll(fds, 2, -1) < 0 && errno == EINTR)
        ;
    return fds[0].revents || !fds[1].revents;
}

/* A terminal that is held (Ctrl-S) takes nothing, and would hold the end of the program too. */
static void let_go(void)
{
    struct pollfd room = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (poll(&room, 1, 0) == 0) {
        tcflow(tty.fd, TCOOFF);
        tcflow(tty.fd, TCOON);
    }
}

/* Where there is no other screen to go back to, the prompt comes on the last line: it is made empty. */
static void clear_last_line(void)
{
    if (can(exit_ca_mode))
        return;
    putp(tiparm(cursor_address, getmaxy(stdscr) - 1, 0));
    if (can(clr_eol) || can(scroll_forward))
        putp(can(clr_eol) ? clr_eol : scroll_forward);
    fflush(stdout);
}

/* Some terminals keep whether the cursor is shown together with its place, so that going back to the
 * other screen hides it again: it is shown once more after that. */
static void give_back(void)
{
    let_go();
    if (tty.mouse)
        take_mouse(false);
    lw_terminal_plain();
    clear_last_line();
    endwin();
    if (cursor_normal)
        putp(cursor_normal);
    fflush(stdout);
}

int lw_terminal_close(void)
{
    give_back();
    delscreen(tty.screen);
    close_files();
    lw_terminal_paint_end();
    return tty.ended_by;
}

/* ---- Events ---- */

static void new_size(struct lw_event *event)
{
    struct winsize size;
    *event = (struct lw_event){.kind = LW_EVENT_RESIZE};
    if (!isendwin())
        reset_prog_mode(); /* whoever continued the program may have changed them */
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
    getmaxyx(stdscr, event->row, event->col);
    lw_terminal_redraw();
}

/* Stops as any program does, with the terminal given back; returns when it is continued. The next
 * painting takes the terminal again. */
static void suspend(void)
{
    give_back();
    signal(SIGTSTP, SIG_DFL);
    raise(SIGTSTP);
    catch_signals();
    if (tty.mouse)
        take_mouse(true);
}

/* A signal that came. A resize makes an event, and so does being continued, since the size may be
 * another one by then; any other ends the program. */
static bool read_signal(struct lw_event *event, bool *has_event)
{
    unsigned char byte;
    bool resized = false;
    while (read(tty.wake[0], &byte, 1) == 1) {
        if (byte == SIGTSTP) {
            suspend();
        } else if (byte != SIGWINCH && byte != SIGCONT) {
            tty.ended_by = byte;
            return false;
        }
        resized = true;
    }
    *has_event = resized;
    if (resized)
        new_size(event);
    return true;
}

bool lw_terminal_pending(void)
{
    struct pollfd fds[2] = {{.fd = tty.fd, .events = POLLIN},
                            {.fd = tty.wake[0], .events = POLLIN}};
    return poll(fds, 2, 0) > 0;
}

bool lw_terminal_next(struct lw_event *event)
{
    for (;;) {
        bool has_event = false;
        if (!read_signal(event, &has_event))
            return false;
        if (has_event || lw_terminal_read(event))
            return true;
        struct pollfd fds[2] = {{.fd = tty.fd, .events = POLLIN},
                                {.fd = tty.wake[0], .events = POLLIN}};
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return false;
        if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
            return false;
        int waiting = 0;
        if ((fds[0].revents & POLLIN) && ioctl(tty.fd, FIONREAD, &waiting) == 0 && waiting == 0)
            return false; /* there is something to read, and it is the end */
    }
}
