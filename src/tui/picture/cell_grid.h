#ifndef LANEWAY_CELL_GRID_H
#define LANEWAY_CELL_GRID_H

/*
 * A grid: rows and columns of cells in a rectangle, with labels, rules between groups, a cursor and scrolling. All
 * pictures are made of grids.
 *
 *          0      1      2            labels of columns
 *      0   t0 r0  t0 r1  t1 r0        cells of one line; a cell may also have two lines, or half a line: then the
 *      1   t4 r0  t4 r1  t5 r0        rows 0 and 1 share a line, as blocks of two colours
 *        - warp 1 --------------      a rule before a row
 *      2   t0 r0  t0 r1  t1 r0
 *
 * Rows and columns are its two axes, and work alike. The cells of what is visible are computed once, until the grid
 * scrolls, changes its size or lw_grid_hide is called. Whether a cell is lit is decided each time it is drawn, from
 * the computed cell alone.
 */

#include "tui/look.h"
#include "analysis/owners.h"

enum { LW_ROW, LW_COL }; /* the axes */

struct lw_grid_cell {
    uint64_t at[2]; /* its row and column */
    int row, col;   /* where it begins, from the corner of the rectangle */
    /* While nothing is lit. LW_TONE_TEXT: no cell is here, LW_TONE_HOLE: it has no element. */
    struct lw_pen pen;
    char text[32];        /* "" none */
    char below[32];       /* the second line of a cell of two lines */
    uint64_t number;      /* of its hue */
    struct lw_slot owner; /* of the first element */
    uint64_t owners;      /* of each element */
    uint64_t mark;        /* for `pen` of the source */
};

/* What a grid draws; all but `cell` may be NULL: then there is no such thing. */
struct lw_grid_source {
    /* Fills a cell, which has its row and column, else zeros. */
    void (*cell)(void *context, struct lw_grid_cell *cell);
    void (*label)(void *context, int axis, uint64_t i, struct lw_text *text);
    /* Whether a group begins with row or column number i, which is not the first; appends its name, unless NULL. */
    bool (*rule)(void *context, int axis, uint64_t i, struct lw_text *name);
    /* The pen of a cell, with what is lit; with LW_TONE_FIELD it has no text. It may set the text. */
    struct lw_pen (*pen)(void *context, struct lw_grid_cell *cell);
};

struct lw_grid {
    const struct lw_grid_source *source;
    void *context;
    const struct lw_grid *twin;  /* labels of rows are as wide as its own; NULL: none */
    uint64_t count[2];           /* rows and columns */
    uint64_t at[2];              /* the cursor */
    uint64_t first[2];           /* the first visible ones */
    int cell_width;              /* columns, at least 1 */
    int cell_lines;              /* 1 or 2; 0: half a line, and `cell_width` columns without text */
    bool to_right;               /* texts end at the right of a cell */
    bool no_rules, no_labels[2]; /* they are not drawn */
    bool no_mouse;               /* it is not pointed at */
    bool has_cursor, labels_only; /* labels_only: the cursor shows in the labels, not in the cell */

    /* Set by lw_grid_arrange. */
    struct lw_rect rect;
    int label_width;
    int shown[2]; /* visible rows and columns */
    struct lw_grid_cell *cells;
    size_t room; /* of cells */
    struct lw_grid_key {
        struct lw_rect rect;
        uint64_t first[2];
        int cell_width, cell_lines;
    } known; /* what all this is of, while is_known */
    bool is_known;
};

/* Sets *height and *width to what all of the grid needs, labels and rules included, or to a number over the limits. */
void lw_grid_measure(struct lw_grid *grid, int height_limit, int width_limit, int *height,
                     int *width);
/* Gives the grid a rectangle, and scrolls so that the cursor is visible. False when memory is out. */
bool lw_grid_arrange(struct lw_grid *grid, struct lw_rect rect);
/* The same of grids side by side, `gap` columns between them: the height is that of the tallest. They are no higher
 * than they need to be. */
enum { LW_GAP = 4 };
void lw_grids_measure(struct lw_grid *const *grids, int count, struct lw_rect limit, int gap,
                      int *height, int *width);
bool lw_grids_arrange(struct lw_grid *const *grids, int count, struct lw_rect rect, int gap);
/* Hides a grid, as what its source gives changes, until it is arranged again. */
void lw_grid_hide(struct lw_grid *grid);
/* Draws a grid that has been arranged. */
void lw_grid_draw(struct lw_grid *grid, struct lw_surface *surface);
/* The cell at a row and a column; NULL: it is not visible. */
struct lw_grid_cell *lw_grid_cell(const struct lw_grid *grid, uint64_t row, uint64_t col);
/* The cell at a position of the surface; NULL: there is none. Valid until the grid is arranged again. */
const struct lw_grid_cell *lw_grid_hit(const struct lw_grid *grid, int row, int col);
/* Moves the cursor by rows and columns, within the grid. */
void lw_grid_move(struct lw_grid *grid, int64_t rows, int64_t cols);
/* `at` moved by a number of steps, within 0 to count - 1. */
uint64_t lw_step_within(uint64_t at, int64_t by, uint64_t count);
/* Scrolls by lines, and the cursor with it as far as it would leave the picture. */
void lw_grid_scroll(struct lw_grid *grid, int64_t rows);
void lw_grid_free(struct lw_grid *grid);

#endif
