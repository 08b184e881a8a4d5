/* The names of keys; reading keys and the mouse as events. */

#define NCURSES_WIDECHAR 1
#include "tui/terminal/terminal.h"
#include "core/text_rows.h"

#include "core/array_count.h"

#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

/* ---- Names, as in help, scripts and the tables of actions ---- */

static const struct {
    uint32_t key;
    const char *name;
    wint_t curses; /* what ncurses calls it; 0: a character */
} names[] = {
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
    for (size_t i = 0; i < LW_COUNT(names); i++)
        if (names[i].key == key) {
            snprintf(name, 16, "%s", names[i].name);
            return;
        }
    if (key < 32)
        snprintf(name, 16, "C-%c", (char)(key + (key ? 96 : 32)));
    else if (key < LW_KEY_FIRST)
        lw_text_encode(key, name);
}

uint32_t lw_key_of_name(const char *name, size_t length)
{
    for (size_t i = 0; i < LW_COUNT(names); i++)
        if (strlen(names[i].name) == length && !strncmp(names[i].name, name, length))
            return names[i].key;
    if (length == 3 && name[0] == 'C' && name[1] == '-')
        return (unsigned char)name[2] & 31u;
    int bytes = 0;
    uint32_t code = length ? lw_text_decode(name, &bytes) : 0;
    return (size_t)bytes == length ? code : 0;
}

/* ---- Reading ---- */

/* Keys are read from a pad, because reading from a window would also refresh it. */
static WINDOW *pad;

static struct {
    bool is_wanted, was_on; /* now; at any time before */
    bool is_down;           /* the first button */
} pointer;

/* Events that were read and not yet taken. */
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

void lw_terminal_open_keys(void)
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
    coming.began = 0;
}

void lw_terminal_want_mouse(bool is_wanted)
{
    pointer.is_wanted = is_wanted;
}

void lw_terminal_switch_on(void)
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

bool lw_terminal_is_xterm(void)
{
    const char *mouse = key_mouse, *keypad_on = keypad_xmit;
    return mouse && mouse != (const char *)-1 && keypad_on && keypad_on != (const char *)-1 &&
           !strncmp(keypad_on, "\033[?", 3);
}

/* The query of the terminal's background (OSC 11): it is sent once, and its answer is an event. */
#define QUESTION "\033]11;?\033\\"
static struct {
    bool is_planned;
    int64_t sent; /* when, in ms; 0: it is not, or it is answered */
} query;

void lw_terminal_plan_query(bool is_planned)
{
    query.is_planned = is_planned;
    query.sent = 0;
}

const char *lw_terminal_modes(void)
{
    static const char *const modes[] = {"\033[?2004h\033[?1003l", "\033[?2004h\033[?1003h",
                                        "\033[?2004h\033[?1003l" QUESTION,
                                        "\033[?2004h\033[?1003h" QUESTION};
    const bool is_sent = query.is_planned;
    if (!lw_terminal_is_xterm())
        return "";
    if (is_sent)
        query.sent = lw_now_ms();
    query.is_planned = false;
    return modes[pointer.is_wanted + 2 * is_sent];
}

void lw_terminal_await_answer(int fd)
{
    enum { ANSWER_MS = 100 };
    struct lw_event event;
    struct pollfd input = {.fd = fd, .events = POLLIN};
    for (int64_t left; query.sent && (left = query.sent + ANSWER_MS - lw_now_ms()) > 0;) {
        if (poll(&input, 1, (int)left) <= 0 || input.revents & (POLLHUP | POLLERR | POLLNVAL))
            break;
        lw_terminal_read(&event);
    }
}

void lw_terminal_close_keys(void)
{
    lw_text_free(&coming.text);
    coming.began = 0;
    waiting.next = waiting.count = 0;
    pointer.is_wanted = pointer.was_on = pointer.is_down = false;
}

bool lw_terminal_is_pasting(void)
{
    return coming.began == PASTE_BEGINS;
}

static uint32_t special_key(wint_t key)
{
    for (size_t i = 0; i < LW_COUNT(names); i++)
        if (names[i].curses == key)
            return names[i].key;
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

bool lw_terminal_end_paste(struct lw_event *event)
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
        return lw_terminal_end_paste(event);
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

bool lw_terminal_has_event(void)
{
    if (waiting.next == waiting.count)
        waiting.next = waiting.count = 0;
    while (!waiting.count && read_key())
        ;
    return waiting.count;
}

bool lw_terminal_read(struct lw_event *event)
{
    const bool has = lw_terminal_has_event();
    if (has)
        *event = waiting.events[waiting.next++];
    return has;
}

bool lw_terminal_read_ahead(void)
{
    if (waiting.next == waiting.count)
        waiting.next = waiting.count = 0;
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
