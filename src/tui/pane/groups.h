#ifndef LANEWAY_GROUPS_H
#define LANEWAY_GROUPS_H

/*
 * Groups: cells of several elements with an exact text, as each has consecutive values, "0-15", or a single value. The
 * layouts are linear and hold every element, so that the values in a cell are the XOR of that of its first element and
 * those of the steps in the cell. For an element with several owners the first one is used.
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
    const char *field;           /* the field in the text: "thread" */
    int bits[LW_GROUP_OPERANDS]; /* a cell has 2 to that power values */
    int width;                   /* of the widest text */
    uint64_t rows, cols;         /* elements in a cell */
};

enum { LW_GROUP_FEW = 4 }; /* the most threads in a cell */

/* Sets the groups of a pane to the smallest ones at which all of its picture fits; false: there are none. A cell has
 * one thread; with `few` at most LW_GROUP_FEW threads, or one warp, or any values of a field chosen by the user. The
 * view is open with one element in a cell, and `own` is that grid; if its cells fit with a width of `columns`, there
 * are no groups. If two panes show pictures of one size, the groups are possible in both. */
bool lw_groups_find(const struct lw_explorer *ex, struct lw_view_pane *pane,
                    const struct lw_grid *own, uint64_t columns, bool few);
/* Appends the text of the cell at a row and column; nothing for one without an owner. */
void lw_groups_put(const struct lw_view_pane *pane, uint64_t row, uint64_t col,
                   struct lw_text *text);
/* Whether the cell has a value. */
bool lw_groups_has(const struct lw_view_pane *pane, uint64_t row, uint64_t col, uint64_t value);
/* Appends what a cell is: " a cell is 4x8 of threads ". */
void lw_groups_explain(const struct lw_view_pane *pane, struct lw_text *text);

#endif
