#ifndef LANEWAY_LIST_H
#define LANEWAY_LIST_H

/*
 * The list: rows and columns from callbacks, a cursor, scrolling, a filter, an order by a number of each row. All lists
 * and tables of the explorer are this one. Columns are as wide as their texts, empty ones are hidden, the last one has
 * the rest; what does not fit is cut.
 *
 *        wavefronts  store   load  bytes                 heads of columns, if there are any
 *     ▸         64     32     32   4096  vec 1 ...       the row of the cursor
 */

#include "tui/look.h"
#include "laneway/error.h"
#include "tui/terminal/events.h"

enum { LW_COLUMNS_MAX = 12 };

struct lw_column {
    const char *title; /* "" none */
    bool to_right;     /* texts end at the right */
    int least;         /* columns of the terminal; a wider text makes it wider */
};

struct lw_list_source {
    const struct lw_column *columns;
    int column_count;
    /* Appends the text of a cell and sets its pen, which is LW_TONE_TEXT. */
    void (*cell)(void *context, size_t row, int column, struct lw_text *text, struct lw_pen *pen);
    /* Whether a row cannot be chosen: a heading, or an empty line. Or NULL. */
    bool (*is_apart)(void *context, size_t row);
    /* The number by which rows are sorted, the largest first; NULL: they keep their order. */
    uint64_t (*value)(void *context, size_t row);
};

struct lw_list {
    const struct lw_list_source *source;
    void *context;
    size_t count;    /* rows of the source */
    size_t at;       /* the row of the cursor, of the source */
    bool has_focus;  /* the cursor is shown */
    char filter[64]; /* only rows that contain it are shown; "" all */
    /* Set by the list. */
    size_t *shown; /* the rows that are shown, in their order */
    size_t shown_count;
    size_t top;
    struct lw_rect rect;
};

/* What the source gives has changed: `count` rows. */
void lw_list_changed(struct lw_list *list, size_t count);
/* Draws the list in a rectangle, scrolled so that the cursor is visible. */
void lw_list_draw(struct lw_list *list, struct lw_surface *surface, struct lw_rect rect);
/* Moves the cursor by rows that are shown. */
void lw_list_move(struct lw_list *list, int64_t by);
/* Handles Up, Down, PgUp, PgDn, Home and End; false: another key. */
bool lw_list_key(struct lw_list *list, uint32_t key);
/* Handles a click or the wheel; true: it is on the list. *opened: the row of the cursor was clicked. */
bool lw_list_mouse(struct lw_list *list, const struct lw_event *event, bool *opened);
void lw_list_free(struct lw_list *list);

/* `find` of a screen that is a list: shows only rows with a text, "" all; NULL goes to the next row. False: no row has
 * it. */
bool lw_list_find(struct lw_list *list, const char *text, struct lw_error *err);

#endif
