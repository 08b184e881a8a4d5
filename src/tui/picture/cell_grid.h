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
 *
 * The cells of what is visible are computed once, until the grid scrolls, changes its size or
 * lw_grid_changed is called. Whether a cell is lit is decided each time it is drawn, from the computed cell alone.
 */

#include "tui/look.h"
#include "analysis/owners.h"

enum lw_grid_kind {
    LW_GRID_BLANK, /* no cell is here */
    LW_GRID_HOLE,  /* a cell without an element */
    LW_GRID_PLAIN, /* a cell without a hue */
    LW_GRID_HUE,   /* `number` is a hue */
    LW_GRID_RAMP   /* `number` is how many words a bank delivers, at least 1 */
};

struct lw_grid_cell {
    char text[32];  /* "" none */
    char below[12]; /* the second line of a cell of two lines */
    enum lw_grid_kind kind;
    uint64_t number;
    uint64_t row, col;    /* in the source */
    struct lw_slot owner; /* of the first element */
    uint64_t owners;      /* of each element */
    uint64_t mark;        /* for `pen` of the source */
};

/* What a grid draws. Functions that may be NULL are marked; then there is no such thing. */
struct lw_grid_source {
    void (*cell)(void *context, uint64_t row, uint64_t col, struct lw_grid_cell *cell);
    void (*row_label)(void *context, uint64_t row, struct lw_text *text); /* or NULL */
    void (*col_label)(void *context, uint64_t col, struct lw_text *text); /* or NULL */
    /* Whether a group begins with a row or a column, which is not the first; that of rows may have a name. Or NULL. */
    bool (*row_rule)(void *context, uint64_t row, struct lw_text *name);
    bool (*col_rule)(void *context, uint64_t col);
    /* The pen of a cell; with LW_TONE_FIELD it has no text. NULL: by its kind, as if nothing were lit.
     * It may set the text. */
    struct lw_pen (*pen)(void *context, struct lw_grid_cell *cell);
};

struct lw_grid {
    const struct lw_grid_source *source;
    void *context;
    uint64_t rows, cols;
    int cell_width; /* columns, at least 1 */
    int cell_lines; /* 1 or 2; 0: half a line, and `cell_width` columns without text */
    bool to_right;  /* texts end at the right of a cell */
    bool no_rules;  /* they are not drawn */
    bool no_labels; /* rows have no labels */
    bool has_cursor;
    bool labels_only;   /* the cursor shows in the labels, not in the cell */
    uint64_t row, col;  /* of the cursor */
    uint64_t top, left; /* the first visible ones */

    /* Set by lw_grid_arrange. */
    struct lw_rect rect;
    int label_width;
    int row_count, col_count; /* visible */
    int *lines;               /* the line of each visible row, from rect.row */
    int *columns;             /* the first column of each visible column, from rect.col */
    struct lw_grid_cell *cells;
    size_t room[3]; /* of lines, columns, cells */
    bool is_known;  /* lines, columns and cells are those of: */
    struct lw_rect known_rect;
    uint64_t known_top, known_left;
    int known_width, known_lines;
};

/* Sets *height and *width to what all of the grid needs, labels and rules included, or to a number over the
 * limits. */
void lw_grid_measure(struct lw_grid *grid, int height_limit, int width_limit, int *height,
                     int *width);
/* Gives the grid a rectangle, and scrolls so that the cursor is visible. False when memory is out. */
bool lw_grid_arrange(struct lw_grid *grid, struct lw_rect rect);
/* Draws a grid that has been placed. */
void lw_grid_draw(struct lw_grid *grid, struct lw_surface *surface);
/* The cell at a position of the surface; NULL: there is none. Valid until the grid is placed again. */
const struct lw_grid_cell *lw_grid_hit(const struct lw_grid *grid, int row, int col);
/* Moves the cursor by rows and columns, within the grid. */
void lw_grid_move(struct lw_grid *grid, int64_t rows, int64_t cols);
/* `at` moved by a number of steps, within 0 to count - 1. */
uint64_t lw_step_within(uint64_t at, int64_t by, uint64_t count);
/* Scrolls by lines, and the cursor with it as far as it would leave the picture. */
void lw_grid_scroll(struct lw_grid *grid, int64_t rows);
/* What the source gives has changed. */
void lw_grid_changed(struct lw_grid *grid);
void lw_grid_free(struct lw_grid *grid);
/* The pen of a cell by its kind, when nothing is lit. */
struct lw_pen lw_grid_pen(const struct lw_grid_cell *cell);

#endif
