#ifndef LANEWAY_EVENTS_H
#define LANEWAY_EVENTS_H

/* The events of the explorer: keys, the mouse, a new size. */

#include <stddef.h>
#include <stdint.h>

/* A key is a code point, or one of these. */
enum lw_key {
    LW_KEY_CTRL_C = 3,
    LW_KEY_ESCAPE = 27,
    LW_KEY_FIRST = 0x110000,
    LW_KEY_UP = LW_KEY_FIRST,
    LW_KEY_DOWN,
    LW_KEY_LEFT,
    LW_KEY_RIGHT,
    LW_KEY_HOME,
    LW_KEY_END,
    LW_KEY_PAGE_UP,
    LW_KEY_PAGE_DOWN,
    LW_KEY_BACK_TAB,
    LW_KEY_BACKSPACE,
    LW_KEY_DELETE,
    LW_KEY_F1,
    LW_KEY_END_OF_LIST
};

enum lw_event_kind {
    LW_EVENT_KEY,
    LW_EVENT_RESIZE,
    LW_EVENT_CLICK,
    LW_EVENT_DRAG,  /* the button is held since the last click */
    LW_EVENT_HOVER, /* the pointer moved, without a button */
    LW_EVENT_WHEEL,
    LW_EVENT_PASTE,     /* `text` was pasted */
    LW_EVENT_TICK,      /* at the time that lw_terminal_next is given */
    LW_EVENT_BACKGROUND /* the terminal reports its background, `key`, as 0xrrggbb */
};

#define LW_CLIPBOARD_BYTES_MAX 74994 /* the smallest limit of a terminal */

struct lw_event {
    enum lw_event_kind kind;
    uint32_t key;
    int row, col; /* RESIZE: the new height and width; else the tile */
    int amount;   /* WHEEL: lines down (negative: up) */
    /* PASTE: UTF-8, lines separated by newlines; valid until the next event is read. */
    const char *text;
};

/* The name of a key: "Up", "C-d", "Tab", "a", ...; and the key of a name, 0: it is not a key. */
void lw_key_name(uint32_t key, char name[16]);
uint32_t lw_key_of_name(const char *name, size_t length);

#endif
