/* Opens and closes the terminal, shows surfaces, and turns keys, the mouse, signals and resizes into events; the
 * handlers of signals are in terminal_signals.c.
 *
 * A surface is shown as the output of ncurses: the rows that changed are copied to its window, and it sends the
 * differences to the terminal, in one write for an ordinary frame. Output may block (held, or not read by the
 * terminal): ncurses repeats a write until all of a frame is written, also after a signal. Therefore its output has a
 * file descriptor of its own: the terminal during a frame, and /dev/null between frames. When a signal arrives in the
 * middle of a frame, its handler redirects this descriptor to /dev/null, and ncurses returns at once. The program then
 * either ends or redraws the whole screen, so the lost part of the frame does not matter. */

#define NCURSES_WIDECHAR 1
#include "core/array_count.h"
#include "core/text_rows.h"
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
#include <wchar.h>

static struct {
    SCREEN *screen;
    FILE *in;  /* the terminal, when standard input is another file */
    FILE *out; /* the output of ncurses: the terminal, or /dev/null after a signal */
    int ended_by;
} tty;

static bool has_capability(const char *capability)
{
    return capability && capability != (char *)-1;
}

/* ---- Names of keys, as in help, scripts and the tables of actions ---- */

static const struct {
    uint32_t key;
    const char *name;
    wint_t curses; /* what ncurses calls it; 0: a character */
} key_names[] = {
    {LW_KEY_UP, "Up", KEY_UP},
    {LW_KEY_DOWN, "Down", KEY_DOWN},
    {LW_KEY_LEFT, "Left", KEY_LEFT},
    {LW_KEY_RIGHT, "Right", KEY_RIGHT},
    {LW_KEY_HOME, "Home", KEY_HOME},
    {LW_KEY_END, "End", KEY_END},
    {LW_KEY_PAGE_UP, "PgUp", KEY_PPAGE},
    {LW_KEY_PAGE_DOWN, "PgDn", KEY_NPAGE},
    {LW_KEY_BACK_TAB, "S-Tab", KEY_BTAB},
    {LW_KEY_BACKSPACE, "Backspace", KEY_BACKSPACE},
    {LW_KEY_DELETE, "Del", KEY_DC},
    {LW_KEY_F1, "F1", KEY_F(1)},
    {'\t', "Tab", 0},
    {'\r', "Enter", KEY_ENTER},
    {'\n', "Enter", 0},
    {27, "Esc", 0},
    {' ', "Space", 0},
    {127, "Backspace", 0},
};

void lw_key_name(uint32_t key, char name[16])
{
    memset(name, 0, 16);
    for (size_t i = 0; i < LW_COUNT(key_names); i++)
        if (key_names[i].key == key) {
            snprintf(name, 16, "%s", key_names[i].name);
            return;
        }
    if (key < 32)
        snprintf(name, 16, "C-%c", (char)(key + (key ? 96 : 32)));
    else if (key < LW_KEY_FIRST)
        lw_text_encode(key, name);
}

uint32_t lw_key_of_name(const char *name, size_t length)
{
    for (size_t i = 0; i < LW_COUNT(key_names); i++)
        if (strlen(key_names[i].name) == length && !strncmp(key_names[i].name, name, length))
            return key_names[i].key;
    if (length == 3 && name[0] == 'C' && name[1] == '-')
        return (unsigned char)name[2] & 31u;
    int bytes = 0;
    uint32_t code = length ? lw_text_decode(name, &bytes) : 0;
    return (size_t)bytes == length ? code : 0;
}

/* ---- Reading keys, the mouse and reports ---- */

/* Keys are read from a pad, because reading from a window would also refresh it. */
static WINDOW *pad;

static struct {
    bool is_wanted, was_on; /* now; at any time before */
    bool is_down;           /* the first button */
} pointer;

/* Events that were read and not yet taken; without any, `count` and `next` are 0. */
enum { TOGETHER_MAX = 8, WAITING_MAX = 256 }; /* ncurses keeps no more reports of the mouse */
static struct {
    struct lw_event events[WAITING_MAX + TOGETHER_MAX];
    size_t count, next;
} waiting;

/* Key codes for sequences that are not keys, beyond those of ncurses. */
enum { PASTE_BEGINS = 0x7001, PASTE_ENDS, REPORT_BEGINS, STRING_ENDS };
enum { PASTE_MAX = 1 << 20, REPORT_MAX = 40, BELL = 7, CTRL_Z = 26, CTRL_BACKSLASH = 28 };

/* The sequence that has begun and not ended: characters are its text, not keys. */
static struct {
    int began; /* PASTE_BEGINS, REPORT_BEGINS or 0 */
    struct lw_text text;
} coming;

static void open_keys(void)
{
    static const struct {
        const char *sequence;
        int code;
    } sequences[] = {{"\033[200~", PASTE_BEGINS},
                     {"\033[201~", PASTE_ENDS},
                     {"\033]11;", REPORT_BEGINS},
                     {"\033\\", STRING_ENDS},
                     /* what terminals send whose description is of another kind */
                     {"\033[1~", KEY_HOME},
                     {"\033[7~", KEY_HOME},
                     {"\033[H", KEY_HOME},
                     {"\033[4~", KEY_END},
                     {"\033[8~", KEY_END},
                     {"\033[F", KEY_END}};
    pad = newpad(1, 1);
    keypad(pad, TRUE);
    nodelay(pad, TRUE);
    for (size_t i = 0; i < LW_COUNT(sequences); i++)
        define_key(sequences[i].sequence, sequences[i].code);
}

/* Switches the keypad on, and the mouse on or off: within a frame; before the first one, when that is sent. */
static void switch_on(void)
{
    /* After a report that is not in the mask ncurses would wait for the next key. */
    const mmask_t mask = BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON2_PRESSED | BUTTON2_RELEASED |
                         BUTTON3_PRESSED | BUTTON3_RELEASED | BUTTON4_PRESSED | BUTTON4_RELEASED |
                         BUTTON5_PRESSED | BUTTON5_RELEASED | REPORT_MOUSE_POSITION;
    keypad(pad, TRUE);
    if (pointer.is_wanted || pointer.was_on)
        mousemask(pointer.is_wanted ? mask : 0, NULL);
    pointer.was_on = pointer.was_on || pointer.is_wanted;
}

/* Whether it has a mouse and private modes, as xterm. Then it reports its background on request, or ignores the
 * request, and may mark pasted text. */
static bool is_xterm(void)
{
    return has_capability(key_mouse) && has_capability(keypad_xmit) &&
           !strncmp(keypad_xmit, "\033[?", 3);
}

/* The query of the terminal's background (OSC 11): it is sent once, and its answer is an event. */
#define QUESTION "\033]11;?\033\\"
static struct {
    bool is_planned;
    int64_t sent; /* when, in ms; 0: it is not, or it is answered */
} query;

/* Switches on what the descriptions of terminals leave out: marks around pasted text, and reports of all movements of
 * the mouse if it is wanted; "" on a terminal of another kind than xterm. The first time with the query of the
 * background, if that is planned. */
static const char *modes_of_frame(void)
{
    static const char *const modes[] = {"\033[?2004h\033[?1003l", "\033[?2004h\033[?1003h",
                                        "\033[?2004h\033[?1003l" QUESTION,
                                        "\033[?2004h\033[?1003h" QUESTION};
    const bool is_sent = query.is_planned;
    if (!is_xterm())
        return "";
    if (is_sent)
        query.sent = lw_now_ms();
    query.is_planned = false;
    return modes[pointer.is_wanted + 2 * is_sent];
}

static uint32_t special_key(wint_t key)
{
    for (size_t i = 0; i < LW_COUNT(key_names); i++)
        if (key_names[i].curses == key)
            return key_names[i].key;
    return 0;
}

static void push(struct lw_event event)
{
    if (waiting.count < LW_COUNT(waiting.events))
        waiting.events[waiting.count++] = event;
}

/* Makes an event of a report, unless nothing is done with it, such as the release of a button. */
static void push_report(const MEVENT *mouse)
{
    struct lw_event event = {.row = mouse->y, .col = mouse->x};
    if (mouse->bstate & (BUTTON1_PRESSED | BUTTON1_RELEASED))
        pointer.is_down = mouse->bstate & BUTTON1_PRESSED;
    if (mouse->bstate & REPORT_MOUSE_POSITION) {
        event.kind = pointer.is_down ? LW_EVENT_DRAG : LW_EVENT_HOVER;
    } else if (mouse->bstate & BUTTON1_PRESSED) {
        event.kind = LW_EVENT_CLICK;
    } else if (mouse->bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) {
        event.kind = LW_EVENT_WHEEL;
        event.amount = mouse->bstate & BUTTON4_PRESSED ? -3 : 3;
    } else {
        return;
    }
    push(event);
}

/* Takes all reports that came with one key of ncurses, which gives the newest first. What a movement is depends on the
 * reports before it. */
static void push_reports(void)
{
    MEVENT reports[TOGETHER_MAX];
    size_t count = 0;
    while (count < TOGETHER_MAX && getmouse(&reports[count]) == OK)
        count++;
    while (count--)
        push_report(&reports[count]);
}

/* Reads a component of "rgb:ffff/8080/0", 1 to 4 hexadecimal digits, as 0 to 255; false: it is not one. */
static bool read_component(const char **at, uint32_t *value)
{
    char *end;
    unsigned long n = strtoul(*at, &end, 16);
    long digits = end - *at;
    if (digits < 1 || digits > 4)
        return false;
    *value = (uint32_t)(n * 255 / ((1ul << 4 * digits) - 1));
    *at = end + (*end == '/');
    return true;
}

/* Makes an event of the answer to the query of the background. */
static bool end_report(struct lw_event *event)
{
    const char *at = strstr(lw_text_string(&coming.text), ":");
    uint32_t red, green, blue;
    coming.began = 0;
    query.sent = 0;
    if (!at++ || !read_component(&at, &red) || !read_component(&at, &green) ||
        !read_component(&at, &blue))
        return false;
    *event = (struct lw_event){.kind = LW_EVENT_BACKGROUND, .key = red << 16 | green << 8 | blue};
    return true;
}

/* Ends a paste with the text read so far; false: there is none. */
static bool end_paste(struct lw_event *event)
{
    if (coming.began != PASTE_BEGINS)
        return false;
    coming.began = 0;
    *event = (struct lw_event){.kind = LW_EVENT_PASTE, .text = lw_text_string(&coming.text)};
    return true;
}

/* Adds a character to the sequence; true: it is complete. */
static bool take(bool code, wint_t key, struct lw_event *event)
{
    char bytes[4];
    bool report = coming.began == REPORT_BEGINS;
    if (code ? key == STRING_ENDS : key == BELL)
        return report && end_report(event);
    if (code && key == PASTE_ENDS)
        return end_paste(event);
    if (report && code && (key == KEY_RESIZE || key == KEY_MOUSE)) {
        if (key == KEY_MOUSE)
            push_reports();
        return false; /* the answer goes on after it */
    }
    if (report && (code || coming.text.length > REPORT_MAX)) {
        coming.began = 0; /* it is not the answer */
        return false;
    }
    key = code && key == KEY_ENTER ? '\n' : key == '\r' ? '\n' : key;
    if ((!code || key == '\n') && coming.text.length < PASTE_MAX)
        lw_text_bytes(&coming.text, bytes, (size_t)lw_text_encode((uint32_t)key, bytes));
    return false;
}

/* Reads a key or a part of a sequence, which may be an event, several or none; false: there is nothing to read. */
static bool read_key(void)
{
    struct lw_event event = {.kind = LW_EVENT_KEY};
    wint_t key;
    const int kind = wget_wch(pad, &key);
    const bool is_code = kind == KEY_CODE_YES;
    if (kind == ERR)
        return false;
    if (coming.began) {
        if (take(is_code, key, &event))
            push(event);
    } else if (is_code && key == KEY_MOUSE) {
        push_reports();
    } else if (is_code && (key == PASTE_BEGINS || key == REPORT_BEGINS)) {
        coming.began = (int)key;
        lw_text_clear(&coming.text);
    } else if (!is_code && key == CTRL_Z) { /* suspends the job, as it would in other modes */
        kill(0, SIGTSTP);
    } else if (is_code || key != CTRL_BACKSLASH) {
        event.key = is_code ? special_key(key) : (uint32_t)key;
        if (event.key || !is_code)
            push(event);
    }
    return true;
}

/* Whether there is an event: what has come may be none, such as the release of a button. */
static bool has_event(void)
{
    while (!waiting.count && read_key())
        ;
    return waiting.count;
}

static bool read_event(struct lw_event *event)
{
    if (!has_event())
        return false;
    *event = waiting.events[waiting.next++];
    if (waiting.next == waiting.count)
        waiting.next = waiting.count = 0;
    return true;
}

/* Reads the waiting events; true: Esc is one, and those before it are dropped, or Ctrl-C is one, which raises
 * SIGINT. */
static bool read_ahead(void)
{
    /* A paste is read last, as the next event would overwrite its text. */
    for (size_t i = waiting.count; i < WAITING_MAX; i = waiting.count) {
        if ((i && waiting.events[i - 1].kind == LW_EVENT_PASTE) || !read_key())
            return false;
        for (; i < waiting.count; i++) {
            const struct lw_event *event = &waiting.events[i];
            const uint32_t key = event->kind == LW_EVENT_KEY ? event->key : 0;
            if (key == LW_KEY_ESCAPE)
                waiting.next = waiting.count = 0;
            if (key == LW_KEY_CTRL_C)
                raise(SIGINT);
            if (key == LW_KEY_ESCAPE || key == LW_KEY_CTRL_C)
                return true;
        }
    }
    return false;
}

/* ---- Frames ---- */

enum { CACHED = 4096 };

/* A pen's look in terms of ncurses. */
struct look {
    attr_t attributes;
    int pair;
};

/* Invariant: while `known`, the window has the contents of `shown`. */
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
            switch_on();
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

/* ---- The output ---- */

/* Redirects the output of ncurses to /dev/null, or back to the terminal. */
static void divert(bool nowhere)
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
    divert(false);
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
    divert(true);
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
        switch_on();
    bool begun = begin_frame();
    if (begun) {
        const bool all = out.must_clear;
        if (all && !isendwin()) /* a frame that was cut may have left colours */
            put_bytes(lw_tty.reset, lw_tty.plain_length);
        put_frame(surface);
        const char *modes = all ? modes_of_frame() : ""; /* a second call has no question */
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
    if (!has_capability(can))
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

/* ---- The string that restores the terminal ---- */

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
    add_reset(reset, &length, "\033[?1000l\033[?1002l\033[?1006l\033[?1003l\033[?2004l");
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
        /* After newterm, ncurses flushes its output at each cursor movement, so the frame of one key took eight writes.
         * It stops doing so when it resumes after endwin, whose output is discarded; the first frame resumes. */
        divert(true);
        endwin();
        divert(false); /* its modes have to be set first */
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
    divert(true); /* until the first frame */
    open_keys();
    query.is_planned = is_xterm() && settings->query_background;
    query.sent = 0;
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
    out.settings = *settings;
    out.depth = choose_depth(settings);
    memset(out.cache, 0, sizeof out.cache);
    pointer.is_wanted = settings->mouse;
    *ascii = settings->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    *mono = out.depth == LW_DEPTH_MONO;
    lw_terminal_redraw();
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
    enum { ANSWER_MS = 100 };
    struct lw_event event;
    struct pollfd input = {.fd = lw_tty.fd, .events = POLLIN};
    /* The shell would read a late answer to the query. */
    for (int64_t left;
         !tty.ended_by && query.sent && (left = query.sent + ANSWER_MS - lw_now_ms()) > 0;) {
        if (poll(&input, 1, (int)left) <= 0 || input.revents & (POLLHUP | POLLERR | POLLNVAL))
            break;
        read_event(&event);
    }
    restore_terminal();
    delscreen(tty.screen);
    close_files();
    lw_text_free(&coming.text);
    coming.began = 0;
    waiting.next = waiting.count = 0;
    pointer.is_wanted = pointer.was_on = pointer.is_down = false;
    lw_surface_free(&out.shown);
    free(out.cells);
    memset(&out, 0, sizeof out);
    lw_tty_set_alarm(0);
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
static bool read_signal(struct lw_event *event, bool *has)
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
    *has = resized;
    if (resized)
        new_size(event);
    return true;
}

bool lw_terminal_pending(void)
{
    struct pollfd wake = {.fd = lw_tty.wake[0], .events = POLLIN};
    return has_event() || poll(&wake, 1, 0) > 0 || coming.began == PASTE_BEGINS;
}

bool lw_terminal_is_stopped(void)
{
    struct pollfd input = {.fd = lw_tty.fd, .events = POLLIN};
    bool is_gone = poll(&input, 1, 0) > 0 && input.revents & (POLLHUP | POLLERR | POLLNVAL);
    return lw_tty.deadline || is_gone || read_ahead();
}

/* Waits for input or a signal; false: the terminal is closed. *has: a paste without an end has timed out, or it
 * is the time of the tick. */
static bool wait_for_input(struct lw_event *event, bool *has, int64_t tick)
{
    struct pollfd fds[2] = {{.fd = lw_tty.fd, .events = POLLIN},
                            {.fd = lw_tty.wake[0], .events = POLLIN}};
    enum { PASTE_MS = 1000 };
    const int64_t left = tick - lw_now_ms();
    const int patience = coming.began == PASTE_BEGINS ? PASTE_MS
                         : !tick                      ? -1
                         : left < 0                   ? 0
                                                      : (int)left;
    int bytes = 1, ready = poll(fds, 2, patience);
    bool gone = ready < 0 && errno != EINTR;
    gone = gone || fds[0].revents & (POLLHUP | POLLERR | POLLNVAL);
    if (!gone && fds[0].revents & POLLIN && ioctl(lw_tty.fd, FIONREAD, &bytes) == 0)
        gone = bytes == 0; /* end of file */
    if (gone)
        tty.ended_by = SIGHUP;
    *has = !gone && ready == 0 && end_paste(event);
    if (!gone && ready == 0 && !*has && tick && lw_now_ms() >= tick) {
        *event = (struct lw_event){.kind = LW_EVENT_TICK};
        *has = true;
    }
    return !gone;
}

bool lw_terminal_next(struct lw_event *event, int64_t tick)
{
    for (;;) {
        bool has = false;
        if (!read_signal(event, &has))
            return false;
        if (has || read_event(event))
            return true;
        if (!wait_for_input(event, &has, tick))
            return false;
        if (has)
            return true;
    }
}
