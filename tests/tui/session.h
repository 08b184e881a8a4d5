#ifndef TUI_SESSION_H
#define TUI_SESSION_H

/* The explorer under test without a terminal: keys go in by name, the screen comes out as text. Each drawing is
 * checked: every tile is a character that can be shown, and has a pen. */

#include "tui/screen.h"

struct session {
    struct lw_app app;
    struct lw_tui_options options;
    const char *source;
    struct lw_surface surface;
    struct lw_text text;
};

/* Opens a source, or the first screen when it is NULL, at that size. */
void session_open(struct session *s, const char *source, int width, int height);
/* Begins a lesson, by its number, name or file. */
void session_open_lesson(struct session *s, const char *lesson, int width, int height);
void session_close(struct session *s);

/* "Tab Down +": keys by their names. */
void session_keys(struct session *s, const char *names);
void session_type(struct session *s, const char *text);
void session_paste(struct session *s, const char *text);
void session_resize(struct session *s, int width, int height);
void session_mouse(struct session *s, enum lw_event_kind kind, int row, int col, int amount);
/* Waits until it is time for what plays by itself. */
void session_tick(struct session *s);
/* A line after `:`. */
void session_command(struct session *s, const char *line);
/* Shows a view of the layout, as key v and its row do. */
void session_view(struct session *s, const char *name);

/* Draws, and returns the screen as text, or one row of it. */
const char *session_screen(struct session *s);
const char *session_row(struct session *s, int row);
/* Finds a text on the screen; false when it is not there. */
bool session_find(struct session *s, const char *text, int *row, int *col);
/* The pen of the first tile of a text; fails the test when the text is not there. */
struct lw_pen session_pen(struct session *s, const char *text);
/* How many tiles have a pen of that tone. */
int session_count(struct session *s, enum lw_tone tone);

void session_assert(struct session *s, const char *text, bool shown, const char *file, int line);
#define assert_shows(s, text) session_assert(s, text, true, __FILE__, __LINE__)
#define assert_hides(s, text) session_assert(s, text, false, __FILE__, __LINE__)

#endif
