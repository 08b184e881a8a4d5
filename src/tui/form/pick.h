#ifndef LANEWAY_PICK_H
#define LANEWAY_PICK_H

/* The pick list of a field that has few legal values. */

#include "tui/draw/surface.h"
#include "tui/form/line_edit.h"

struct lw_explorer;

struct lw_pick_state {
    struct lw_line_edit filter; /* what was typed: the list has the values that contain it */
    size_t at;                  /* in what the list has; SIZE_MAX: none, what was typed is tried */
    size_t top;                 /* the first one shown */
    struct lw_rect inside;      /* the lines of the list, when it was last drawn */
};

/* Opens the list of the chosen field; `first` is the key that did, of which a printable one is typed; false:
 * the field has none. */
bool lw_pick_open(struct lw_explorer *ex, uint32_t first);
/* A key that begins a value, in a field that is not a number or a list: opens the list with it typed. */
bool lw_pick_type(struct lw_explorer *ex, uint32_t key);
/* Whether a key is the first letter of a value of the chosen field, an element or a boolean; `u` undoes everywhere. */
bool lw_pick_begins(const struct lw_explorer *ex, uint32_t key);
/* Another value of the list, tried at once on the document. */
void lw_pick_move(struct lw_explorer *ex, int by);
void lw_pick_key(struct lw_explorer *ex, uint32_t key); /* of the filter */
void lw_pick_typed(struct lw_explorer *ex);             /* the filter has changed */
/* Takes the chosen value, or what was typed where none is; then to the field after (1) or before (-1). What was typed
 * and is not legal is refused, with the reason and the legal values. */
void lw_pick_accept(struct lw_explorer *ex, int move);
bool lw_pick_click(struct lw_explorer *ex, int row, int col); /* false: not on the list */
void lw_draw_pick(struct lw_explorer *ex, struct lw_surface *surface);

#endif
