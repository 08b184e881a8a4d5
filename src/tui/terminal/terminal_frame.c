/* Frames: the output of ncurses for one screen. It has its own descriptor: the terminal during a frame, unless that is
 * cut, and /dev/null between frames, where the program must not wait for the terminal. The frame after one that was cut
 * draws everything. */

#define NCURSES_WIDECHAR 1
#include "tui/terminal/terminal.h"
#include "tui/terminal/terminal_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <ncurses.h>
#include <poll.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

void lw_tty_divert(bool nowhere)
{
    dup2(nowhere ? lw_tty.null_fd : STDOUT_FILENO, lw_tty.out_fd);
    fcntl(lw_tty.out_fd, F_SETFD, FD_CLOEXEC);
    lw_tty.is_diverted = nowhere;
}

/* Writes bytes within a frame; false: the frame was cut, or the terminal is closed. */
static bool put_bytes(const char *bytes, size_t length)
{
    while (length && !lw_tty.is_diverted) {
        ssize_t sent = write(lw_tty.out_fd, bytes, length);
        if (sent < 0 && errno != EINTR)
            break;
        bytes += sent > 0 ? sent : 0;
        length -= sent > 0 ? (size_t)sent : 0;
    }
    return !length;
}

/* Waits until the terminal accepts output; false when a signal or a key arrives first. Until end_frame a signal or a
 * key also discards the output of ncurses.
 *
 * The output is that of the terminal, and in_frame is set, before the pipe is polled: a signal is either read from the
 * pipe or diverts the output. */
static bool begin_frame(void)
{
    struct pollfd fds[3] = {{.fd = STDOUT_FILENO, .events = POLLOUT},
                            {.fd = lw_tty.wake[0], .events = POLLIN},
                            {.fd = lw_tty.fd, .events = POLLIN}};
    lw_tty.is_first = isendwin();
    lw_tty_divert(false);
    lw_tty.in_frame = true;
    while (poll(fds, 3, -1) < 0 && errno == EINTR)
        ;
    if (fds[1].revents || !fds[0].revents)
        return false;
    lw_tty_watch_keys();
    lw_tty_end_sequence();
    /* The first frame was cut before: ncurses would save its colours and cursor as those of the shell. */
    if (lw_tty.is_first && lw_tty.is_taken)
        put_bytes(lw_tty.reset, lw_tty.reset_length);
    lw_tty.is_taken = true;
    return true;
}

/* False when the frame was cut. */
static bool end_frame(void)
{
    lw_tty.in_frame = false;
    lw_tty_stop_watching();
    bool cut = lw_tty.is_diverted;
    lw_tty_divert(true);
    if (!cut)
        return true;
    if (lw_tty.is_first)
        endwin(); /* the next frame is a first one again; the changes of this one are undone at the
                     end */
    lw_tty.is_cut = true;
    lw_terminal_redraw();
    return false;
}

/* Sends a control sequence as a frame; false: it was cut by a signal, or by a key while the terminal reads nothing. */
static bool send(const char *bytes, size_t length)
{
    bool begun = begin_frame();
    bool whole = begun && put_bytes(bytes, length);
    lw_tty.is_cut |= begun && !whole;
    return end_frame() && whole;
}

/* ---- The query of the terminal's background (OSC 11) ----
 *
 * It is sent once, before a frame, and the program does not wait for the answer, which is an event. */

static struct {
    bool planned; /* to be sent before the next frame */
    bool open;    /* sent, and not answered yet */
    int64_t sent; /* the time at which it was sent, in ms */
} query;

void lw_terminal_plan_query(bool planned)
{
    query.planned = planned;
    query.open = false;
}

/* If the output of the terminal is stopped, the query is sent before a later frame. */
static void query_background(void)
{
    static const char question[] = "\033]11;?\033\\";
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (!query.planned || poll(&output, 1, 0) <= 0)
        return;
    query.planned = false;
    query.open = write(STDOUT_FILENO, question, sizeof question - 1) > 0;
    query.sent = lw_now_ms();
}

void lw_terminal_note_answer(const struct lw_event *event)
{
    query.open = query.open && event->kind != LW_EVENT_BACKGROUND;
}

void lw_terminal_await_answer(int fd)
{
    enum { ANSWER_MS = 100 };
    const int64_t until = query.sent + ANSWER_MS;
    struct lw_event event;
    struct pollfd input = {.fd = fd, .events = POLLIN};
    for (int64_t left; query.open && (left = until - lw_now_ms()) > 0;) {
        if (poll(&input, 1, (int)left) <= 0 || input.revents & (POLLHUP | POLLERR | POLLNVAL))
            break;
        if (lw_terminal_read(&event))
            lw_terminal_note_answer(&event);
    }
    query.open = false;
}

/* ---- Surfaces ---- */

bool lw_terminal_paint(const struct lw_surface *surface)
{
    if (isendwin()) /* ncurses records the modes that the first frame switches on */
        lw_terminal_switch_on();
    bool begun = begin_frame();
    if (begun) {
        const bool all = lw_terminal_redraws();
        query_background();
        if (all && !isendwin()) /* a frame that was cut may have left colours */
            put_bytes(lw_tty.reset, lw_tty.plain_length);
        lw_terminal_put_frame(surface);
        if (all)
            put_bytes(lw_terminal_modes(), strlen(lw_terminal_modes()));
    }
    return end_frame() && begun;
}

enum lw_copied lw_terminal_copy(const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *can = tigetstr("Ms");
    const unsigned char *at = (const unsigned char *)text;
    size_t length = strlen(text);
    if (!can || can == (char *)-1)
        return LW_COPIED_NO_CLIPBOARD;
    if (length > LW_CLIPBOARD_BYTES_MAX)
        return LW_COPIED_TOO_LONG;
    struct lw_text sequence = {0};
    lw_text_add(&sequence, "\033]52;c;");
    for (size_t i = 0; i < length; i += 3) {
        unsigned long group = (unsigned long)at[i] << 16;
        group |= i + 1 < length ? (unsigned long)at[i + 1] << 8 : 0;
        group |= i + 2 < length ? at[i + 2] : 0;
        for (int k = 0; k < 4; k++)
            lw_text_char(&sequence,
                         i + (size_t)k <= length ? digits[group >> (18 - 6 * k) & 63] : '=');
    }
    lw_text_add(&sequence, "\033\\");
    bool good = !sequence.failed && send(lw_text_string(&sequence), sequence.length);
    lw_text_free(&sequence);
    return good ? LW_COPIED_SENT : LW_COPIED_CUT;
}
