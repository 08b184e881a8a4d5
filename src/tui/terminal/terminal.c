/* Opens and closes the terminal, waits for events, and turns signals and resizes into events; the handlers of signals
 * are in terminal_signals.c, keys are read in terminal_keys.c.
 *
 * Output may block (held, or not read by the terminal): ncurses repeats a write until all of a frame is written,
 * also after a signal. Therefore it has a separate file descriptor. When a signal arrives in the middle of a frame,
 * its handler redirects this descriptor to /dev/null, and ncurses returns at
 * once. The program then either ends or redraws the whole screen, so the lost part of the frame does not matter. */

#define NCURSES_WIDECHAR 1
#include "core/array_count.h"
#include "tui/terminal/terminal.h"
#include "tui/terminal/terminal_signals.h"

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
    FILE *in;  /* the terminal, when standard input is another file */
    FILE *out; /* the output of ncurses: the terminal, or /dev/null after a signal */
    int ended_by;
} tty;

/* ---- The string that restores the terminal ---- */

static bool has_capability(const char *capability)
{
    return capability && capability != (char *)-1;
}

/* Adds a string without its padding. */
static void add_reset(char *reset, size_t *length, const char *string)
{
    for (const char *p = string; has_capability(p) && *p; p++) {
        if (p[0] == '$' && p[1] == '<') {
            while (*p && *p != '>')
                p++;
        } else if (*length < sizeof lw_tty.reset) {
            reset[(*length)++] = *p;
        }
    }
}

/* Without an alternate screen the shell's prompt appears on the last line, so that line is cleared. */
static void prepare_reset(void)
{
    char reset[sizeof lw_tty.reset];
    size_t length = 0;
    add_reset(reset, &length, "\030"); /* ends a sequence that was cut */
    add_reset(reset, &length, orig_pair);
    add_reset(reset, &length, exit_attribute_mode);
    const size_t plain_length = length;
    add_reset(reset, &length, "\033[?1000l\033[?1002l\033[?1006l" LW_TERMINAL_MODES_OFF);
    if (!has_capability(exit_ca_mode)) {
        add_reset(reset, &length, tiparm(cursor_address, getmaxy(stdscr) - 1, 0));
        add_reset(reset, &length, has_capability(clr_eol) ? clr_eol : scroll_forward);
    }
    add_reset(reset, &length, keypad_local);
    add_reset(reset, &length, exit_ca_mode);
    add_reset(reset, &length, cursor_normal);
    lw_tty.reset_length = 0; /* a signal may arrive before it is complete */
    memcpy(lw_tty.reset, reset, length);
    lw_tty.reset_length = length;
    lw_tty.plain_length = plain_length;
}

/* ---- Opening ---- */

static bool open_tty(struct lw_error *err)
{
    if (isatty(STDIN_FILENO)) {
        lw_tty.fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10); /* that may be redirected */
        if (lw_tty.fd < 0)                                    /* the limit of files may be low */
            lw_tty.fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
        if (lw_tty.fd < 0)
            return lw_error_set(err, LW_ERROR_IO, "cannot read keys: %s", strerror(errno));
    } else {
        tty.in = fopen("/dev/tty", "r");
        if (!tty.in)
            return lw_error_set(err, LW_ERROR_IO, "no terminal to read keys from: %s",
                                strerror(errno));
        lw_tty.fd = fileno(tty.in);
    }
    lw_tty.has_saved = tcgetattr(lw_tty.fd, &lw_tty.saved) == 0;
    if (pipe(lw_tty.wake) < 0)
        return lw_error_set(err, LW_ERROR_IO, "no pipe: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(lw_tty.wake[i], F_SETFL, O_NONBLOCK);
        fcntl(lw_tty.wake[i], F_SETFD, FD_CLOEXEC);
    }
    lw_tty.null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    lw_tty.out_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    tty.out = lw_tty.out_fd < 0 ? NULL : fdopen(lw_tty.out_fd, "w");
    return (tty.out && lw_tty.null_fd >= 0) ||
           lw_error_set(err, LW_ERROR_IO, "cannot write to the terminal: %s", strerror(errno));
}

/* After newterm, ncurses flushes its output at each cursor movement, so the frame of one key
 * took eight writes. It stops doing so when it resumes after endwin. Therefore endwin is called
 * here, with its output discarded, and the first frame resumes. */
static void leave_first_state(void)
{
    lw_tty_divert(true);
    endwin();
    lw_tty_divert(false); /* its modes have to be set first */
}

/* Whether files can be opened: the reason is not known from ncurses when it cannot read the terminal's description. */
static bool can_open_files(struct lw_error *err)
{
    int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return lw_error_set(err, LW_ERROR_IO, "cannot read the description of the terminal: %s",
                            strerror(errno));
    close(file);
    return true;
}

static bool open_screen(struct lw_error *err)
{
    const char *term = getenv("TERM");
    lw_tty_catch_signals(); /* before ncurses sets its handlers */
    /* The size is that of the terminal, not that of COLUMNS and LINES, as on a resize. */
    use_tioctl(TRUE);
    int found = 1; /* 0 or less: there is no description */
    if (term && term[0] && setupterm(NULL, lw_tty.out_fd, &found) == OK) {
        TERMINAL *first = cur_term;
        tty.screen = newterm(NULL, tty.out, tty.in ? tty.in : stdin);
        del_curterm(first);
    }
    if (tty.screen && cursor_address) {
        prepare_reset();
        leave_first_state();
        return true;
    }
    if (tty.screen) {
        endwin();
        delscreen(tty.screen);
    } else if (!can_open_files(err)) {
        return false;
    }
    if (found <= 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "TERM=%.40s: there is no terminfo entry of that name: install "
                            "ncurses-term, or set TERM=xterm-256color; 'laneway show' prints "
                            "without one",
                            term);
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "TERM=%.40s: the explorer needs a terminal that can move its cursor; "
                        "'laneway show' prints without one",
                        term ? term : "");
}

static void close_files(void)
{
    if (tty.in)
        fclose(tty.in);
    else if (lw_tty.fd > 0)
        close(lw_tty.fd);
    if (tty.out)
        fclose(tty.out);
    if (lw_tty.null_fd > 0)
        close(lw_tty.null_fd);
    for (int i = 0; i < 2; i++)
        if (lw_tty.wake[i] > 0)
            close(lw_tty.wake[i]);
}

bool lw_terminal_open(const struct lw_terminal_settings *settings, struct lw_error *err)
{
    memset(&lw_tty, 0, sizeof lw_tty);
    memset(&tty, 0, sizeof tty);
    setlocale(LC_CTYPE, "");
    if (!open_tty(err) || !open_screen(err)) {
        close_files();
        return false;
    }
    set_escdelay(50);
    raw(); /* no signals of keys, which could be part of a paste, and no Ctrl-S that stops the output */
    noecho();
    nonl();
    typeahead(-1); /* the main loop polls the input, so ncurses need not do it during a frame */
    mouseinterval(0);
    start_color();
    use_default_colors();
    lw_tty.has_own = tcgetattr(STDOUT_FILENO, &lw_tty.own) == 0;
    lw_tty_divert(true); /* until the first frame */
    lw_terminal_open_keys();
    lw_terminal_plan_query(lw_terminal_is_xterm() && settings->query_background);
    return true;
}

/* ---- Colours ---- */

/* The colours of the terminal, or fewer by the settings and NO_COLOR. */
static enum lw_depth choose_depth(const struct lw_terminal_settings *settings)
{
    static const struct {
        const char *name;
        enum lw_depth depth;
    } names[] = {
        {"never", LW_DEPTH_MONO}, {"8", LW_DEPTH_8}, {"16", LW_DEPTH_16}, {"256", LW_DEPTH_256}};
    const int count = tigetnum("colors"); /* 1 << 24: from 8 on they are no numbers of a palette */
    const enum lw_depth there = count >= 1 << 24 ? LW_DEPTH_8
                                : count >= 256   ? LW_DEPTH_256
                                : count >= 16    ? LW_DEPTH_16
                                : count >= 8     ? LW_DEPTH_8
                                                 : LW_DEPTH_MONO;
    for (size_t i = 0; i < LW_COUNT(names); i++)
        if (!strcmp(settings->color, names[i].name))
            return names[i].depth < there ? names[i].depth : there;
    const char *no_color = getenv("NO_COLOR");
    return no_color && *no_color && !settings->color_by_option ? LW_DEPTH_MONO : there;
}

void lw_terminal_configure(const struct lw_terminal_settings *settings, bool *ascii, bool *mono)
{
    const enum lw_depth depth = choose_depth(settings);
    lw_terminal_want_mouse(settings->mouse);
    *ascii = settings->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    *mono = depth == LW_DEPTH_MONO;
    lw_terminal_dress(settings, depth);
}

void lw_terminal_size(int *height, int *width)
{
    getmaxyx(stdscr, *height, *width);
}

/* ---- Restoring the terminal ---- */

/* What ncurses sends at its end is discarded: the prepared string restores the terminal, also when the first frame was
 * cut, so that the screen of ncurses has not begun. */
static void restore_terminal(void)
{
    enum { PATIENCE_MS = 50 };
    if (!lw_tty_is_ours())
        return;
    /* Output that is held would also block the end of the program. Output that the terminal still does not read is
     * discarded, after a signal at once. */
    lw_tty_release_output(tty.ended_by ? 0 : PATIENCE_MS);
    if (!isendwin())
        endwin();
    lw_tty_restore();
    lw_tty.is_taken = false;
}

int lw_terminal_close(void)
{
    if (!tty.ended_by)
        lw_terminal_await_answer(lw_tty.fd);
    restore_terminal();
    delscreen(tty.screen);
    close_files();
    lw_terminal_close_keys();
    lw_terminal_paint_end();
    lw_tty_stop_timer();
    return tty.ended_by;
}

/* ---- Events ---- */

static void new_size(struct lw_event *event)
{
    struct winsize size;
    *event = (struct lw_event){.kind = LW_EVENT_RESIZE};
    /* The shell may have changed the modes before it continued the program. */
    if (!isendwin() && lw_tty.has_own)
        tcsetattr(STDOUT_FILENO, TCSANOW, &lw_tty.own);
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
    getmaxyx(stdscr, event->row, event->col);
    prepare_reset();
    lw_terminal_redraw();
}

/* Reads the signals that arrived. A resize becomes an event, and so does being continued,
 * because the size may have changed meanwhile; false when another signal ends the program. */
static bool read_signal(struct lw_event *event, bool *has_event)
{
    unsigned char byte;
    bool resized = false;
    while (read(lw_tty.wake[0], &byte, 1) == 1) {
        if (byte == SIGTSTP) {
            restore_terminal(); /* and stops; the next frame switches to the explorer again */
            signal(SIGTSTP, SIG_DFL);
            raise(SIGTSTP);
            lw_tty_catch_signals();
        } else if (lw_tty_is_end(byte)) {
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
    struct pollfd wake = {.fd = lw_tty.wake[0], .events = POLLIN};
    return lw_terminal_has_event() || poll(&wake, 1, 0) > 0 || lw_terminal_is_pasting();
}

bool lw_terminal_is_stopped(void)
{
    struct pollfd input = {.fd = lw_tty.fd, .events = POLLIN};
    bool is_gone = poll(&input, 1, 0) > 0 && input.revents & (POLLHUP | POLLERR | POLLNVAL);
    return lw_tty.deadline || is_gone || lw_terminal_read_ahead();
}

/* Waits for input or a signal; false: the terminal is closed. *has_event: a paste without an end has timed out, or it
 * is the time of the tick. */
static bool wait_for_input(struct lw_event *event, bool *has_event, int64_t tick)
{
    struct pollfd fds[2] = {{.fd = lw_tty.fd, .events = POLLIN},
                            {.fd = lw_tty.wake[0], .events = POLLIN}};
    enum { PASTE_MS = 1000 };
    const int64_t left = tick - lw_now_ms();
    const int patience = lw_terminal_is_pasting() ? PASTE_MS
                         : !tick                  ? -1
                         : left < 0               ? 0
                                                  : (int)left;
    int waiting = 1, ready = poll(fds, 2, patience);
    bool gone = ready < 0 && errno != EINTR;
    gone = gone || fds[0].revents & (POLLHUP | POLLERR | POLLNVAL);
    if (!gone && fds[0].revents & POLLIN && ioctl(lw_tty.fd, FIONREAD, &waiting) == 0)
        gone = waiting == 0; /* end of file */
    if (gone)
        tty.ended_by = SIGHUP;
    *has_event = !gone && ready == 0 && lw_terminal_end_paste(event);
    if (!gone && ready == 0 && !*has_event && tick && lw_now_ms() >= tick) {
        *event = (struct lw_event){.kind = LW_EVENT_TICK};
        *has_event = true;
    }
    return !gone;
}

bool lw_terminal_next(struct lw_event *event, int64_t tick)
{
    for (;;) {
        bool has_event = false;
        if (!read_signal(event, &has_event))
            return false;
        if (has_event || lw_terminal_read(event))
            return true;
        if (!wait_for_input(event, &has_event, tick))
            return false;
        if (has_event)
            return true;
    }
}
