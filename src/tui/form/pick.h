#ifndef LANEWAY_PICK_H
#define LANEWAY_PICK_H

/* The pick list of a field that has few legal values. */

#include "tui/draw/surface.h"
#include "tui/form/line_edit.h"

struct lw_explorer;

struct lw_pick_state {
    struct lw_line_edit filter; /* typed: the list has the values that contain it */
    size_t at;                  /* the chosen row; SIZE_MAX: none, the typed text is tried */
    size_t top;                 /* the first one shown */
    struct lw_rect inside;      /* the lines of the list, as last drawn */
};

/* Opens the list of the chosen field; `first`: the key that opened it, which is typed if it is printable. False: the
 * field has no list. */
bool lw_pick_open(struct lw_explorer *ex, uint32_t first);
/* If a key begins a value, in a field that is not a number or a list, opens the list with it typed. */
bool lw_pick_type(struct lw_explorer *ex, uint32_t key);
/* Whether a key is the first letter of a value of the chosen field, an element or a boolean; `u` is not: it undoes
 * everywhere. */
bool lw_pick_begins(const struct lw_explorer *ex, uint32_t key);
/* Chooses another value of the list, and tries it on the document. */
void lw_pick_move(struct lw_explorer *ex, int by);
void lw_pick_key(struct lw_explorer *ex, uint32_t key); /* a key for the filter */
void lw_pick_typed(struct lw_explorer *ex);             /* after a change of the filter */
/* Accepts the chosen value, or the typed text if none is chosen, and goes to the field after (1) or before (-1). A
 * typed text that is not legal is refused, with the reason and the legal values. */
void lw_pick_accept(struct lw_explorer *ex, int move);
bool lw_pick_click(struct lw_explorer *ex, int row, int col); /* false: not on the list */
void lw_draw_pick(struct lw_explorer *ex, struct lw_surface *surface);

#endif
