/* Reads keys and mouse as events, and copies to the clipboard. */

#define NCURSES_WIDECHAR 1
#include "tui/terminal/terminal.h"

#include <ncurses.h>
#include <string.h>
#include <term.h>

/* Keys are read from a pad, because reading from a window would also refresh it. */
static WINDOW *pad;

void lw_terminal_open_keys(void)
{
    pad = newpad(1, 1);
    keypad(pad, TRUE);
    nodelay(pad, TRUE);
}

static uint32_t special_key(wint_t key)
{
    static const struct {
        wint_t curses;
        uint32_t key;
    } table[] = {{KEY_UP, LW_KEY_UP},
                 {KEY_DOWN, LW_KEY_DOWN},
                 {KEY_LEFT, LW_KEY_LEFT},
                 {KEY_RIGHT, LW_KEY_RIGHT},
                 {KEY_HOME, LW_KEY_HOME},
                 {KEY_END, LW_KEY_END},
                 {KEY_PPAGE, LW_KEY_PAGE_UP},
                 {KEY_NPAGE, LW_KEY_PAGE_DOWN},
                 {KEY_BTAB, LW_KEY_BACK_TAB},
                 {KEY_BACKSPACE, LW_KEY_BACKSPACE},
                 {KEY_DC, LW_KEY_DELETE},
                 {KEY_F(1), LW_KEY_F1},
                 {KEY_ENTER, '\r'}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].curses == key)
            return table[i].key;
    return 0;
}

static bool mouse_event(struct lw_event *event)
{
    MEVENT mouse;
    if (getmouse(&mouse) != OK ||
        mouse.bstate & BUTTON1_RELEASED) /* reported although not in the mask */
        return false;
    event->row = mouse.y;
    event->col = mouse.x;
    event->kind = LW_EVENT_CLICK;
    if (mouse.bstate & REPORT_MOUSE_POSITION)
        event->kind = LW_EVENT_DRAG;
    if (mouse.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) {
        event->kind = LW_EVENT_WHEEL;
        event->amount = mouse.bstate & BUTTON4_PRESSED ? -3 : 3;
    }
    return true;
}

bool lw_terminal_read(struct lw_event *event)
{
    for (;;) {
        wint_t key;
        int kind = wget_wch(pad, &key);
        if (kind == ERR)
            return false;
        *event = (struct lw_event){.kind = LW_EVENT_KEY};
        if (kind != KEY_CODE_YES) {
            event->key = (uint32_t)key;
            return true;
        }
        if (key == KEY_MOUSE && mouse_event(event))
            return true;
        event->key = special_key(key);
        if (event->key)
            return true;
    }
}

bool lw_terminal_copy(const char *text)
{
    enum { SEQUENCE_MAX = 74994 }; /* the smallest limit of a terminal */
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *can = tigetstr("Ms");
    const unsigned char *at = (const unsigned char *)text;
    size_t length = strlen(text);
    if (!can || can == (char *)-1 || length > SEQUENCE_MAX)
        return false;
    fputs("\033]52;c;", stdout);
    for (size_t i = 0; i < length; i += 3) {
        unsigned long group = (unsigned long)at[i] << 16;
        group |= i + 1 < length ? (unsigned long)at[i + 1] << 8 : 0;
        group |= i + 2 < length ? at[i + 2] : 0;
        for (int k = 0; k < 4; k++)
            putchar(i + (size_t)k <= length ? digits[group >> (18 - 6 * k) & 63] : '=');
    }
    fputs("\033\\", stdout);
    bool good = fflush(stdout) == 0;
    clearerr(stdout); /* a signal may have interrupted it, which is no error at the end */
    return good;
}
