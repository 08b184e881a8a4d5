#ifndef LANEWAY_QUERY_MATCH_H
#define LANEWAY_QUERY_MATCH_H

/* The matches of find in the active view, and in the lines of a page. */

#include "view/query.h"

struct lw_explorer;

/* ---- query_match.c: in the active view ---- */

/* A layout of a view of several, by the number that a spot has for it; else the pane's. */
const struct lw_subject *lw_query_layout(const struct lw_explorer *ex, int operand);
/* The name with which a query may begin in a view of several layouts, "C 3,5"; NULL: in other views. */
const char *lw_query_named_layout(const struct lw_explorer *ex);
/* Reads a query of find; false: it is not an element, an index or a bank. In a view of several layouts it is for the
 * one that it names, else the one under the cursor, if the user moved it, or the result, else the first that has such
 * an element. */
bool lw_query_find(const struct lw_explorer *ex, const char *text, struct lw_query *q);
/* Match number k of a query; returns how many there are, or 0 with a message. An element, or an index in an MMA, is
 * searched first in the layout of the view in which the search began, then in the others. */
uint64_t lw_query_match(struct lw_explorer *ex, const struct lw_query *q, uint64_t k,
                        struct lw_spot *spot);

/* Appends the text after "t13: 3 of 16": ", n for the next", or in an MMA the operand and the order of all. */
void lw_query_put_order(const struct lw_explorer *ex, const struct lw_query *q, int operand,
                        struct lw_text *text);

/* Appends the layout of the view that has match number k of an element, and the others that have one: "A 3,3; n: B, C".
 * False: the query names the layout, or the view has one only. */
bool lw_query_put_operand(const struct lw_explorer *ex, const struct lw_query *q, uint64_t k,
                          struct lw_text *text);

/* After an edit: sets the spot to where the index that was found is now. False: find looked for an element, or the
 * layout has no such index any more. */
bool lw_query_again(struct lw_explorer *ex, struct lw_spot *spot);

/* ---- query_zoom.c ---- */

/* Gives each element a cell if the match is an element within a larger cell, or a thread, lane or warp that each cell
 * has, with others. False: the zoom stays. */
bool lw_query_zoom(struct lw_explorer *ex, const struct lw_query *q, const struct lw_spot *spot);

/* ---- find_text.c ---- */

/* Scrolls the page or the help to a line that contains the text: from the first line shown (by 0), after
 * the last one found (1), or before it (-1). */
void lw_find_text(struct lw_explorer *ex, const char *query, int by);

#endif
