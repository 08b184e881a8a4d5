#ifndef LANEWAY_TERMINAL_H
#define LANEWAY_TERMINAL_H

/*
 * The only files that know ncurses: keys, mouse, resizes and signals become events, a surface becomes
 * what the terminal shows. However the program ends, the terminal is left as it was.
 */

#include "tui/explorer.h"

#include <sys/types.h>

/* Takes the terminal; fails with a message when there is none or it cannot move its cursor. The
 * explorer's settings say what of it is used. */
bool lw_terminal_open(const struct lw_explorer *ex, struct lw_error *err);
/* The theme or a setting is another one. */
void lw_terminal_configure(const struct lw_explorer *ex);
void lw_terminal_size(int *height, int *width);
bool lw_terminal_is_ascii(void);
bool lw_terminal_is_mono(void);
/* To the clipboard (OSC 52); false when the terminal has none or the text is too long for it. */
bool lw_terminal_copy(const char *text);
/* Waits for the next event; false when the program is to end (a signal, or the terminal is gone). */
bool lw_terminal_next(struct lw_event *event);
/* terminal_keys.c: the next event that ncurses has read already or can read at once. */
bool lw_terminal_read(struct lw_event *event);
/* Waits until the terminal takes what is written; false when a signal came before it does. */
bool lw_terminal_wait(void);
/* True when an event can be had without waiting. */
bool lw_terminal_pending(void);

/* ---- terminal_paint.c ---- */

/* Shows a surface: what differs from the last one. */
void lw_terminal_paint(const struct lw_surface *surface);
/* Forget what the screen shows and draw all of it next time. */
void lw_terminal_redraw(void);
/* How pens look from now on; `direct`: colours of 24 bits are said as such, not by the description. */
void lw_terminal_dress(const struct lw_theme *theme, enum lw_depth depth, bool direct);
/* No attributes, no colours: before the terminal is given away. */
void lw_terminal_plain(void);
void lw_terminal_paint_end(void);

/* A process of its own, which leaves the terminal alone whatever becomes of it: as fork(2). */
pid_t lw_terminal_fork(void);

/* Gives the terminal back; returns the signal that ended the program, or 0. */
int lw_terminal_close(void);

#endif
