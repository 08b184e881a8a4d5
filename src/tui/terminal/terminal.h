#ifndef LANEWAY_TERMINAL_H
#define LANEWAY_TERMINAL_H

/* The terminal. Only the files behind this header use ncurses: they turn keys, mouse, resizes and signals into events,
 * and show a surface. The terminal is restored at every end of the program. */

#include "laneway/error.h"
#include "laneway/text.h"
#include "tui/surface.h"
#include "tui/terminal/events.h"

#include <sys/types.h>

/* How many colours are used, of those of the terminal's palette. */
enum lw_depth { LW_DEPTH_MONO, LW_DEPTH_8, LW_DEPTH_16, LW_DEPTH_256 };

enum lw_attribute { LW_BOLD = 1, LW_REVERSE = 2, LW_UNDERLINE = 4, LW_DIM = 8 };

/* The look of a pen. Colours are palette numbers; -1: the terminal's default. */
struct lw_appearance {
    int fg, bg;
    unsigned attributes; /* of enum lw_attribute */
};

/* What the user has chosen. */
struct lw_terminal_settings {
    bool mouse;            /* reports of the mouse are events */
    bool ascii;            /* ASCII characters only */
    bool query_background; /* ask the terminal for its background, when it opens */
    bool color_by_option;  /* `color` overrides NO_COLOR */
    const char *color;     /* "auto", "always", "never", "8", "16" or "256" */
    const void *theme;     /* the first argument of `look`; it must last */
    struct lw_appearance (*look)(const void *theme, enum lw_depth depth, struct lw_pen pen);
};

int64_t lw_now_ms(void); /* since an arbitrary start */

/* Opens the terminal; false, with a message: there is no terminal, or it cannot move its cursor. */
bool lw_terminal_open(const struct lw_terminal_settings *settings, struct lw_error *err);
/* Whether lw_terminal_next would return without waiting. */
bool lw_terminal_pending(void);
/* To be called before the first frame, and after the theme or a setting has changed; the mouse is switched by the next
 * frame. Sets whether only ASCII characters are shown, and no colours. */
void lw_terminal_configure(const struct lw_terminal_settings *settings, bool *ascii, bool *mono);
void lw_terminal_size(int *height, int *width);
/* Copies to the clipboard (OSC 52); returns why it was not copied, or NULL. */
const char *lw_terminal_copy(const char *text);
/* Waits for the next event; false: the program must end (a signal, or the terminal is closed). If there is none before
 * the time `tick`, of lw_now_ms, that is a tick; 0: no tick. */
bool lw_terminal_next(struct lw_event *event, int64_t tick);
/* Called during long work: whether Esc or Ctrl-C was pressed, or a signal that ends the program arrived, or the
 * terminal is closed. Other events are kept for lw_terminal_next. */
bool lw_terminal_is_stopped(void);

/* Shows a surface: sends the differences to the last one. False: a signal arrived, or a key before the terminal read
 * anything, so that nothing or only a part was sent; the next paint sends all. */
bool lw_terminal_paint(const struct lw_surface *surface);
/* Makes the next paint clear the terminal and draw everything: after a resize, or when other
 * programs may have written to it. */
void lw_terminal_redraw(void);

/* As fork(2); the child has the default signal handlers, so that it does not write to the terminal when a signal ends
 * it. */
pid_t lw_terminal_fork(void);

/* Restores the terminal; returns the signal that ended the program, or 0. */
int lw_terminal_close(void);

#endif
