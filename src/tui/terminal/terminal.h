#ifndef LANEWAY_TERMINAL_H
#define LANEWAY_TERMINAL_H

/*
 * The terminal. Only the files behind this header use ncurses: they turn keys, mouse, resizes and
 * signals into events, and show a surface. However the program ends, the terminal is restored.
 */

#include "tui/explore/explorer.h"
#include "tui/draw/theme.h"

#include <sys/types.h>

/* Opens the terminal, with mouse, colours and characters as in the explorer's settings; false with
 * a message when there is no terminal or it cannot move its cursor. */
bool lw_terminal_open(const struct lw_explorer *ex, struct lw_error *err);
/* To be called after the theme or a setting has changed; the mouse is switched by the next frame. */
void lw_terminal_configure(const struct lw_explorer *ex);
void lw_terminal_size(int *height, int *width);
bool lw_terminal_is_ascii(void);
bool lw_terminal_is_mono(void);
bool lw_terminal_has_few_colors(void); /* 8 of them, fewer than a picture has values */
/* Copies to the clipboard (OSC 52). */
enum lw_copied lw_terminal_copy(const char *text);
/* Waits for the next event; false when the program must end (a signal, or the terminal is gone). */
bool lw_terminal_next(struct lw_event *event);
/* Whether an event is being served. A signal that must end the program within its time, and cannot wait for that,
 * then ends it as a signal does; Ctrl-C at another moment ends it with status 0, however slow the machine is. */
void lw_terminal_set_busy(bool is_busy);
/* At that time, of lw_now_ms, a tick is the next event if no other comes before; 0: none. */
void lw_terminal_set_tick(int64_t at);
/* Whether Esc was pressed, or a signal came that ends the program, or the terminal is gone, while something takes long.
 * Other events that it reads are kept for lw_terminal_next. */
bool lw_terminal_is_stopped(void);
/* terminal_keys.c: starts reading keys; reads the next event, false when there is none yet. */
void lw_terminal_open_keys(void);
/* Switches the keypad on, and the mouse as it is wanted: within a frame, or before the first, which then does it. */
void lw_terminal_want_mouse(bool is_wanted);
void lw_terminal_switch_on(void);
bool lw_terminal_read(struct lw_event *event);
void lw_terminal_close_keys(void);
/* Reads the events that are there, for lw_terminal_read; true when Esc is one: then those before it are dropped. */
bool lw_terminal_read_ahead(void);
bool lw_terminal_has_read_ahead(void);
/* Whether a paste has begun whose end has not come; ends it with what has come, false: there is none. */
bool lw_terminal_is_pasting(void);
bool lw_terminal_end_paste(struct lw_event *event);
/* Shows a surface: sends what differs from the last one. When a signal arrives, or a key while the terminal reads
 * nothing, nothing or a part is sent; then false, and the next paint sends all. */
bool lw_terminal_paint(const struct lw_surface *surface);
/* True when lw_terminal_next would not wait. */
bool lw_terminal_pending(void);

/* ---- terminal_background.c ---- */

/* Whether the background is to be queried after the first frame; its answer is an event. */
void lw_terminal_plan_query(bool planned);
void lw_terminal_query_background(void);
void lw_terminal_note_answer(const struct lw_event *event);
/* Before the end: an answer that is still to come would be read by the shell. Waits until a tenth of a
 * second after the question at most. */
void lw_terminal_await_answer(int fd);

/* ---- terminal_window.c ---- */

/* The colours in use. */
struct lw_terminal_colors {
    enum lw_depth depth;
    int count;        /* of the terminal's palette */
    int first_direct; /* the number of a 24-bit colour is this plus 0xrrggbb */
};

/* Sends what differs from the last surface; within lw_terminal_paint. */
void lw_terminal_put_frame(const struct lw_surface *surface);
/* Makes the next paint clear the terminal and draw everything: after a resize, or when other
 * programs may have written to it. */
void lw_terminal_redraw(void);
/* Sets the theme and the colours. */
void lw_terminal_dress(const struct lw_theme *theme, struct lw_terminal_colors colors);
void lw_terminal_paint_end(void);

/* ---- terminal_description.c ---- */

/* Colour numbers below this are palette colours; a 24-bit colour is this plus 0xrrggbb. */
#define LW_FIRST_DIRECT (1 << 24)

/* Appends a value for the variable TERMINFO: the description that ncurses has read, extended
 * with 24-bit colours and mouse movements; false when memory is out or it is too long. */
bool lw_terminal_describe(struct lw_text *text, const char *term);
/* Are colours set with the sequences of ISO 6429? */
bool lw_terminal_is_iso(void);
/* Whether it has a mouse and private modes, as xterm has. Then it reports its background on
 * request, or ignores the request, and may mark what is pasted. */
bool lw_terminal_is_xterm(void);

/* ---- terminal_colors.c ---- */

/* Reads the terminal's colours from its own description; to be called before that is extended. */
void lw_terminal_learn_colors(void);
/* The colours to use, by the options, the settings and NO_COLOR. */
struct lw_terminal_colors lw_terminal_choose_colors(const struct lw_explorer *ex);

/* As fork(2); the child has the default signal handlers, so it does not touch the terminal when
 * it dies. */
pid_t lw_terminal_fork(void);

/* Restores the terminal; returns the signal that ended the program, or 0. */
int lw_terminal_close(void);

#endif
