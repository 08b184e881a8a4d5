#ifndef LANEWAY_QUERY_H
#define LANEWAY_QUERY_H

/* Queries of find and mark. An element `3,5`, a hardware index `t17`, `w1 l3 r0`, `T17:2`, or a `bank 7`. A query for
 * hardware indices fixes some input dims; the others are free. */

#include "laneway/view.h"

struct lw_explorer;

struct lw_query {
    int operand;  /* in a view of several layouts, the one of the query, as in a spot */
    bool element; /* only numbers: an index of the tensor */
    int numbers;
    uint64_t number[LW_DIMS_MAX];
    int named;               /* numbers with the name of a dim, such as w1 */
    char name[24];           /* the full name of the last one: "warp" */
    bool fixed[LW_DIMS_MAX]; /* by input dim */
    uint64_t value[LW_DIMS_MAX];
    bool bank;
    uint64_t bank_number;
    char why[192]; /* why this layout has no answer to a correct query */
};

/* False: the text is not a query. */
bool lw_query_read(struct lw_query *q, const struct lw_subject *subject, const char *text);
/* Matching hardware index number k, counting the free dims in order; returns how many match. */
uint64_t lw_query_index(const struct lw_query *q, const struct lw_subject *subject, uint64_t k,
                        uint64_t *in);
/* Whether a hardware index matches. */
bool lw_query_has_index(const struct lw_query *q, const struct lw_subject *subject,
                        const uint64_t *in);
/* Whether an element is the one of the query, or is held by one of its indices. */
bool lw_query_has_element(const struct lw_query *q, const struct lw_subject *subject,
                          const uint64_t *out);
/* Whether lw_query_has_element can answer for this layout; else *err has the reason. */
bool lw_query_can_mark(const struct lw_query *q, const struct lw_subject *subject,
                       struct lw_error *err);

/* ---- query_match.c: in the active view ---- */

/* A layout of a view of several, by the number that a spot has for it; else the pane's. */
const struct lw_subject *lw_query_layout(const struct lw_explorer *ex, int operand);
/* The name with which a query may begin in a view of several layouts, "C 3,5"; NULL: in other views. */
const char *lw_query_named_layout(const struct lw_explorer *ex);
/* Reads a query of find; false: it is not an element, an index or a bank. In a view of several layouts it is for the
 * one that it names, else the one under the cursor, else the first that has such an element. */
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

/* ---- find_text.c ---- */

/* Scrolls the page or the help to a line that contains the text: from the first line shown (by 0), after
 * the last one found (1), or before it (-1). */
void lw_find_text(struct lw_explorer *ex, const char *query, int by);

#endif
