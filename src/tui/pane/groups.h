#ifndef LANEWAY_GROUPS_H
#define LANEWAY_GROUPS_H

/*
 * Groups: cells of several elements that have an exact text, as each holds all values from one to another,
 * "0-15", or one value alone. The layouts are linear and hold every element, so that the values of a cell are those of
 * its first element and of the steps within the cell, added without carry. Of an element with several owners the first
 * one counts.
 */

#include <stdbool.h>
#include <stdint.h>

struct lw_explorer;
struct lw_grid;
struct lw_text;
struct lw_view_pane;

#define LW_GROUP_OPERANDS 4 /* see lw_spot */

struct lw_groups {
    bool on;
    bool
        parts; /* the colours are those of warps or blocks: a cell has several lanes, or all colours */
    const char *field;           /* whose values are the text: "thread" */
    int bits[LW_GROUP_OPERANDS]; /* a cell has 2 to that power of them */
    int width;                   /* of the widest text */
    uint64_t rows, cols;         /* elements in a cell */
};

enum { LW_GROUP_FEW = 4 }; /* the most threads in a cell */

/* Sets the groups of a pane to the least ones at which all of its picture fits; false: there are none. A cell has one
 * thread; with `few` it has at most LW_GROUP_FEW threads, or one warp, or any values of a field that the user chose.
 * The view is open with one element in a cell, and `own` is its grid of that; where such cells of so many columns fit
 * there are none. Where two panes show pictures of one size the groups are such that both can have them. */
bool lw_groups_find(const struct lw_explorer *ex, struct lw_view_pane *pane,
                    const struct lw_grid *own, uint64_t columns, bool few);
/* Appends the text of the cell at a row and column; of one without an owner nothing. */
void lw_groups_put(const struct lw_view_pane *pane, uint64_t row, uint64_t col,
                   struct lw_text *text);
/* Whether a value is one of those of that cell. */
bool lw_groups_has(const struct lw_view_pane *pane, uint64_t row, uint64_t col, uint64_t value);
/* What a cell is: " a cell is 4x8 of threads ". */
void lw_groups_explain(const struct lw_view_pane *pane, struct lw_text *text);

#endif
