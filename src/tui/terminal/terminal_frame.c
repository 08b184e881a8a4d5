/* Frames: a surface as the output of ncurses. The rows that changed are copied to the window of ncurses, which sends
 * the differences to the terminal, in one write for an ordinary frame.
 *
 * The output has its own descriptor: the terminal during a frame, unless that is cut, and /dev/null between frames,
 * where the program must not wait for the terminal. The frame after one that was cut draws everything.
 *
 * Invariant: while `known`, the window has the contents of `shown`. */

#define NCURSES_WIDECHAR 1
#include "core/array_count.h"
#include "tui/terminal/terminal.h"
#include "tui/terminal/terminal_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <ncurses.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

enum { CACHED = 4096 };

/* A pen's look in terms of ncurses. */
struct look {
    attr_t attributes;
    int pair;
};

static struct {
    struct lw_terminal_settings settings;
    enum lw_depth depth;
    bool known;
    bool must_clear; /* the terminal may show something that ncurses did not send */
    struct lw_surface shown;
    cchar_t *cells; /* of one row */
    struct {
        bool has;
        struct lw_pen pen;
        struct look look;
    } cache[CACHED]; /* indexed by a hash of the pen */
} out;

/* ---- Looks ---- */

static int pair_of(int fg, int bg)
{
    int pair = fg < 0 && bg < 0 ? 0 : alloc_pair(fg, bg);
    return pair < 0 ? 0 : pair; /* memory is out: the terminal's own colours */
}

static struct look make_look(struct lw_pen pen)
{
    static const struct {
        unsigned attribute;
        attr_t curses;
    } table[] = {
        {LW_BOLD, A_BOLD}, {LW_REVERSE, A_REVERSE}, {LW_UNDERLINE, A_UNDERLINE}, {LW_DIM, A_DIM}};
    struct lw_appearance wanted = out.settings.look(out.settings.theme, out.depth, pen);
    struct look look = {.pair = pair_of(wanted.fg, wanted.bg)};
    for (size_t i = 0; i < LW_COUNT(table); i++)
        if (wanted.attributes & table[i].attribute)
            look.attributes |= table[i].curses;
    if (magic_cookie_glitch > 0) /* attributes would occupy screen cells */
        look.attributes = 0;
    return look;
}

static struct look look_of(struct lw_pen pen)
{
    size_t hash =
        (((pen.kind * 67u + pen.under_kind) * 67u + pen.under) * 257u + pen.shade) * 40503u;
    size_t at = hash % CACHED;
    if (!out.cache[at].has || memcmp(&out.cache[at].pen, &pen, sizeof pen) != 0) {
        out.cache[at].pen = pen;
        out.cache[at].look = make_look(pen);
        out.cache[at].has = true;
    }
    return out.cache[at].look;
}

/* Puts the cells of a row. A character whose width differs between the C library and the surface is replaced by
 * question marks, as ncurses would then shift the rest of the row. */
static void put_row(const struct lw_surface *surface, int row)
{
    const struct lw_glyph *tiles = &surface->tiles[row * surface->width];
    struct look look = {0};
    const struct lw_pen *pen = NULL; /* of `look`: neighbours often share it */
    int count = 0;
    bool fits = true;
    for (int col = 0; col < surface->width; col++) {
        wchar_t string[2] = {(wchar_t)tiles[col].code, L'\0'};
        if (!string[0] && fits)
            continue; /* ncurses counts both columns of the character before */
        if (!pen || memcmp(pen, &tiles[col].pen, sizeof *pen) != 0)
            look = look_of(tiles[col].pen);
        pen = &tiles[col].pen;
        const int width = col + 1 < surface->width && !tiles[col + 1].code ? 2 : 1;
        fits = string[0] >= ' ' && (string[0] <= '~' || wcwidth(string[0]) == width);
        if (!fits)
            string[0] = L'?';
        count += setcchar(&out.cells[count], string, look.attributes, 0, &look.pair) == OK;
    }
    mvadd_wchnstr(row, 0, out.cells, count);
}

/* Copies the rows that changed to the window; false when memory is out. */
static bool put_rows(const struct lw_surface *surface)
{
    const size_t width = (size_t)surface->width;
    out.known =
        out.known && surface->height == out.shown.height && surface->width == out.shown.width;
    if (!out.known) {
        cchar_t *cells = realloc(out.cells, width * sizeof *cells);
        if (cells)
            out.cells = cells;
        if (!cells || !lw_surface_resize(&out.shown, surface->height, surface->width))
            return false;
    }
    for (int row = 0; row < surface->height; row++) {
        const size_t start = (size_t)row * width;
        if (!out.known || memcmp(&surface->tiles[start], &out.shown.tiles[start],
                                 width * sizeof *surface->tiles) != 0)
            put_row(surface, row);
    }
    memcpy(out.shown.tiles, surface->tiles,
           (size_t)surface->height * width * sizeof *surface->tiles);
    return out.known = true;
}

/* ---- The window ---- */

static void put_frame(const struct lw_surface *surface)
{
    if (!put_rows(surface))
        return;
    if (out.must_clear) {
        clearok(curscr, TRUE);
        if (!isendwin())
            lw_terminal_switch_on();
    }
    out.must_clear = false;
    /* A hidden cursor need not be moved; one that cannot be hidden is put in the last corner. */
    bool is_shown = surface->cursor_row >= 0, can_hide = curs_set(is_shown) != ERR;
    leaveok(stdscr, !is_shown && can_hide);
    if (is_shown)
        move(surface->cursor_row, surface->cursor_col);
    else if (!can_hide)
        move(surface->height - 1, surface->width - 1);
    wnoutrefresh(stdscr);
    doupdate();
}

void lw_terminal_redraw(void)
{
    out.known = false;
    out.must_clear = true;
}

void lw_terminal_dress(const struct lw_terminal_settings *settings, enum lw_depth depth)
{
    out.settings = *settings;
    out.depth = depth;
    memset(out.cache, 0, sizeof out.cache);
    lw_terminal_redraw();
}

void lw_terminal_paint_end(void)
{
    lw_surface_free(&out.shown);
    free(out.cells);
    memset(&out, 0, sizeof out);
}

/* ---- The output ---- */

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

/* Waits until the terminal accepts output; false when a signal or a key arrives first. Until end_frame a signal also
 * discards the output of ncurses.
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

/* Sends a control sequence as a frame; false: it was cut by a signal. */
static bool send(const char *bytes, size_t length)
{
    bool begun = begin_frame();
    bool whole = begun && put_bytes(bytes, length);
    lw_tty.is_cut |= begun && !whole;
    return end_frame() && whole;
}

/* ---- Surfaces ---- */

bool lw_terminal_paint(const struct lw_surface *surface)
{
    if (isendwin()) /* ncurses records the modes that the first frame switches on */
        lw_terminal_switch_on();
    bool begun = begin_frame();
    if (begun) {
        const bool all = out.must_clear;
        if (all && !isendwin()) /* a frame that was cut may have left colours */
            put_bytes(lw_tty.reset, lw_tty.plain_length);
        put_frame(surface);
        const char *modes = all ? lw_terminal_modes() : ""; /* a second call has no question */
        put_bytes(modes, strlen(modes));
    }
    return end_frame() && begun;
}

const char *lw_terminal_copy(const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *can = tigetstr("Ms");
    const unsigned char *at = (const unsigned char *)text;
    size_t length = strlen(text);
    if (!can || can == (char *)-1)
        return "the terminal has no clipboard for programs (OSC 52)";
    if (length > LW_CLIPBOARD_BYTES_MAX)
        return "the text is too long for the clipboard";
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
    return good ? NULL : "the terminal did not take all of the text";
}
