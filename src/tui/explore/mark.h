#ifndef LANEWAY_MARK_H
#define LANEWAY_MARK_H

/* Marks: queries whose cells are highlighted; and the selected range of cells. */

#include "tui/explore/view_panes.h"

struct lw_mark;
struct lw_query;

#define LW_MARKS_MAX 8

struct lw_marks {
    struct lw_mark *all;
    size_t count;
    unsigned version; /* changes with them */
};

void lw_mark(struct lw_explorer *ex, const char *text); /* removes it if it is marked already */
/* Appends what can be completed, number i: the thread, bank and element under the cursor, then the marks; false: there
 * is no more. */
bool lw_mark_offer(const struct lw_explorer *ex, size_t i, struct lw_text *text);
void lw_mark_prompt(struct lw_explorer *ex, int unused);
void lw_mark_clear(struct lw_explorer *ex, int unused);
void lw_marks_refresh(struct lw_explorer *ex);                         /* the layouts or views have
                                                                          changed */
void lw_marks_put(const struct lw_explorer *ex, struct lw_text *text); /* "t17, bank 3" */
/* Appends mark number i as --highlight reads it, "t17", or of another layout than the pane's the elements that it has
 * there, "3,5 | 3,6"; false: it highlights nothing in the pane, or too many elements for a list. */
bool lw_mark_put_highlight(const struct lw_explorer *ex, size_t i, const struct lw_view_pane *pane,
                           struct lw_text *text);
void lw_marks_free(struct lw_explorer *ex);
/* The query of mark number i and the layout that it is of in a pane, NULL: it highlights nothing there. *indices: it
 * highlights hardware indices, not elements. */
const struct lw_query *lw_mark_in_pane(const struct lw_explorer *ex, size_t i,
                                       const struct lw_view_pane *pane,
                                       const struct lw_subject **subject, bool *indices);
/* Whether the cells of a view are hardware indices, not elements. */
bool lw_view_shows_indices(const struct lw_view *view);
/* Whether the cell of a spot is marked, in the view of a pane or in the same one that is opened to be written. */
bool lw_is_marked(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  const struct lw_view *view, const struct lw_spot *spot);
void lw_range_begin(struct lw_explorer *ex, int unused); /* or ends it */
/* The selected cells: rows from[0] to to[0] - 1, columns from[1] to to[1] - 1, with all elements of each cell on the
 * screen. */
void lw_range(const struct lw_view_pane *pane, uint64_t from[2], uint64_t to[2]);
bool lw_is_in_range(const struct lw_view_pane *pane, uint64_t row, uint64_t col);

#endif
