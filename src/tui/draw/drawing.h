#ifndef LANEWAY_DRAWING_H
#define LANEWAY_DRAWING_H

/* The positions of panes and cells on the screen, and the functions that draw them. */

#include "tui/explore/explorer.h"

/* draw.c: the view whose tab is at a column of the tabs' row, or -1; of the mark for more tabs the next one there. */
int lw_tab_at(const struct lw_explorer *ex, int col);

/* panes.c: the rectangles of the panes at this size. A pane that is folded away has height 0. */
struct lw_panes {
    struct lw_rect list, view[LW_PANES_MAX], form, inspector, lesson, strip;
    bool tiny;    /* the screen is too small */
    bool instead; /* the list replaces the form */
};
void lw_panes(const struct lw_explorer *ex, struct lw_panes *panes);
/* The rectangle of the list or page that covers the panes. */
struct lw_rect lw_panes_over(const struct lw_explorer *ex);
/* How a grid fits a rectangle: cells of `cell` columns with `gap` between, from `top`, `left`. In a view of few columns
 * each has the width of its own label. */
#define LW_GRID_OWN 72
#define LW_GRID_WIDE 3 /* the operands of an MMA */
struct lw_grid {
    struct lw_rect inside; /* the inside of the frame */
    int label, cell, gap;
    bool own;
    short width[LW_GRID_OWN]; /* with `own`, by the index of the column */
    int rows, cols;           /* whole cells that fit */
    uint64_t after; /* the column after those: the first of the sums, or one past the last */
    struct {
        uint64_t first;
        int width; /* 0: all columns fit, or there are no sums */
    } sums;        /* the last columns of a heat map, which stay when the banks scroll */
    int each;      /* rows of cells in a row of the screen: 1 or 2 */
    int tall;      /* or rows of the screen of a row of cells: then the text is in the middle one */
    int lead;      /* columns of colour in a cell before its text */
    /* Cells from one column up to, and without, another have one more column of colour before their text. */
    struct {
        int from, end;
    } wide[LW_GRID_WIDE];
    int wides;
    /* A gap of one row or column follows each tile_rows rows and tile_cols columns of cells; 0: none. A seam, counted
     * from the first shown cell, is also a gap, and tiles are counted from it on. */
    int tile_rows, tile_cols, seam_rows, seam_cols;
    int seam_labels; /* columns of the gap at the seam for the labels of the rows behind it; 0: none */
    bool heading;    /* the row above the labels has the names of a picture's parts */
    int map;         /* columns for the map at the right end; 0: none */
};
/* grid_large.c: makes the cells of a picture with all of its text taller and wider, as far as there is room beside rows
 * for the legend. */
void lw_grid_enlarge(const struct lw_view_pane *pane, struct lw_grid *grid);
/* Whether a pane's view is of an access, not of one layout alone. */
bool lw_pane_is_of_both(const struct lw_view_pane *pane);
void lw_grid(const struct lw_explorer *ex, struct lw_view_pane *pane, struct lw_grid *grid);
int lw_grid_cell(const struct lw_grid *grid, uint64_t col); /* its width */
/* In a picture, where cell (r, c), counted from the first shown one, begins, from the top left of the first cell; and
 * the cell at a position: false: there is none. */
int lw_grid_row(const struct lw_grid *grid, int r);
int lw_grid_text_row(const struct lw_grid *grid, int r); /* where its text is */
int lw_grid_col(const struct lw_grid *grid, int c);
/* The columns of colour in a cell before its text. */
int lw_grid_lead(const struct lw_grid *grid, int c);
/* The number of gaps before row or column i. */
int lw_grid_gaps(int i, int tile, int seam);
/* Whether there is a gap before row or column i, counted from the first shown one. */
bool lw_grid_has_gap(int i, int tile, int seam);
/* Whether a view has its operands left of the result, whose rows have numbers and tiles of their own. */
bool lw_view_is_beside_result(const struct lw_view *view);
bool lw_grid_at(const struct lw_view_pane *pane, const struct lw_grid *grid, int row, int col,
                uint64_t *view_row, uint64_t *view_col);
/* The number of cells of `step` elements each. */
uint64_t lw_grid_cells(uint64_t size, uint64_t step);
/* The column shown after column `col`, when `left` is the first; one past the last: none. */
uint64_t lw_grid_next(const struct lw_grid *grid, uint64_t left, uint64_t col);
/* How many whole cells fit from column `from` on, or before it; at least 1. */
uint64_t lw_grid_fits(const struct lw_grid *grid, uint64_t from, uint64_t cols);
uint64_t lw_grid_fits_before(const struct lw_grid *grid, uint64_t end);

/* The bar of a row, right of its cells: the margins before and after it together, and its least width. */
enum { LW_BAR_MARGIN = 3, LW_BAR_LEAST = 4 };
/* The columns for the bar, if the view has bars. */
int lw_grid_bar_room(const struct lw_view_pane *pane, const struct lw_grid *grid);

/* The largest size of a map with the proportions of the view, in blocks, in that number of rows and columns of
 * blocks. */
void lw_map_measure(const struct lw_view_pane *pane, int rows, int cols, int *blocks_down,
                    int *blocks_across);
/* draw_map.c: the map of the part of a picture that is shown, and the same part as lines on the right and the lower
 * border. Returns the rectangle of the map; width 0: there is none. */
struct lw_rect lw_draw_map(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                           struct lw_surface *surface, const struct lw_grid *grid);
void lw_draw_bars(const struct lw_view_pane *pane, struct lw_surface *surface, struct lw_rect rect,
                  const struct lw_grid *grid);

/* draw_parts.c: the names and the numbers of rows and columns of the layouts in a picture. */
void lw_draw_parts(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                   struct lw_surface *surface, const struct lw_grid *grid);

/* draw_matrix.c: the compact matrix; false: it is another view, or there is no room, */
bool lw_matrix_is_compact(const struct lw_explorer *ex, const struct lw_view_pane *pane);
/* then nothing is drawn. */
bool lw_draw_matrix(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                    struct lw_surface *surface);
/* Whether all rows of a matrix are shown; true for other views. */
bool lw_matrix_fits(const struct lw_explorer *ex, const struct lw_view_pane *pane);
/* The cell of the compact matrix at a position of the screen; false: none. */
bool lw_matrix_at(const struct lw_explorer *ex, const struct lw_view_pane *pane, int row, int col,
                  uint64_t *view_row, uint64_t *view_col);
/* draw_strip.c: registers A, shared S, registers B, and the costs between them. */
int lw_strip_height(const struct lw_explorer *ex); /* 0: the view is not of an access, or no room */
void lw_draw_strip(const struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect);
/* Appends the name that a side has in the strip, in that number of columns. */
void lw_strip_put_name(const struct lw_explorer *ex, enum lw_side side, int width,
                       struct lw_text *text);
/* The side whose box is at a position of the strip; -1: none. */
int lw_strip_at(const struct lw_explorer *ex, struct lw_rect rect, int row, int col);

/* The row of messages and prompts: above the line of keys; on a low screen the same row. */
int lw_status_row(const struct lw_explorer *ex);

/* draw_status.c: messages, prompts, and the line of keys at the bottom */
void lw_draw_status(struct lw_explorer *ex, struct lw_surface *surface);

/* key_use.c: whether a key does something in the view, the access or the lesson on the screen. */
bool lw_key_has_use(const struct lw_explorer *ex, const struct lw_key_action *action);
/* Whether a key does something only in some views, accesses or lessons: it comes first on the line of keys. */
bool lw_key_is_contextual(const struct lw_key_action *action);
bool lw_pane_is_matrix(const struct lw_view_pane *pane);

/* draw_*.c: the panes.
 * The pen of a cell of that class. */
struct lw_pen lw_pen_of_cell(const struct lw_view_pane *pane, const struct lw_cell *cell);
/* Two cells in one tile, one above the other: the character, and its pen in *pen. */
const char *lw_halves(struct lw_pen upper, struct lw_pen lower, struct lw_pen *pen);
/* Whether the cursor is shown in a pane: in the active one, and in another one that shows the same element. */
bool lw_pane_has_cursor(const struct lw_explorer *ex, const struct lw_view_pane *pane);
/* Draws the meaning of the colours of a picture below it; false: there is no room. */
bool lw_draw_legend(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                    struct lw_surface *surface, struct lw_rect below);
/* Draws the meaning of the texts and the colours of cells on the upper border, right of a title of that width; for
 * cells of several elements on the lower border if there is no room, right of `used` columns. Returns the columns used
 * there. */
int lw_draw_meaning(const struct lw_explorer *ex, struct lw_view_pane *pane,
                    struct lw_surface *surface, struct lw_rect rect, int taken, int below);
/* The legend of a picture without room below it: on the lower border of the pane, right of that number of columns; each
 * colour, or the field that they show. */
void lw_draw_legend_line(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                         struct lw_surface *surface, struct lw_rect rect, int taken);
/* Appends that the shown layout is the last legal one, and as far as there is room what is not legal, and the key that
 * leads back; in the form, which has the reason, only the key. */
void lw_put_problem(const struct lw_explorer *ex, const struct lw_error *why, int room,
                    struct lw_text *text);
/* Appends how many elements differ, and their mark, in that number of columns. */
void lw_put_comparison(const struct lw_explorer *ex, const struct lw_view_pane *pane, int room,
                       struct lw_text *text);
/* Draws the labels and cells of a picture; returns the rows of the screen used. */
int lw_draw_picture(const struct lw_explorer *ex, struct lw_view_pane *pane,
                    struct lw_surface *surface);
void lw_draw_view(struct lw_explorer *ex, struct lw_view_pane *pane, struct lw_surface *surface,
                  struct lw_rect rect);
/* Draws again the cells that the cursor was on and is on; in a picture all. */
void lw_draw_view_step(struct lw_explorer *ex, struct lw_view_pane *pane,
                       struct lw_surface *surface, struct lw_rect rect);
void lw_draw_list(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect);
/* Appends a warning of lanes a warp that the target does not have; else nothing. */
void lw_put_lanes(const struct lw_explorer *ex, struct lw_text *text);
void lw_draw_form(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect);
/* The columns of a line of the inspector after its label; 0: it is folded away. */
size_t lw_inspector_columns(const struct lw_explorer *ex);
void lw_draw_inspector(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect);
/* On the lower border of the active pane's picture, if the screen has no rows for an inspector: the element under the
 * cursor and its owner, in short. Returns the columns used. */
int lw_draw_owner(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  struct lw_surface *surface, struct lw_rect rect);
void lw_draw_page(struct lw_explorer *ex, struct lw_surface *surface);
/* Draws the whole text of the page or the help, each line in a row of the surface; false: the screen has no room for a
 * line, or memory is out. */
bool lw_draw_page_whole(struct lw_explorer *ex, struct lw_surface *surface);
bool lw_draw_help_whole(struct lw_explorer *ex, struct lw_surface *surface);
/* Draws the lists of kernels, which replace all panes. */
void lw_draw_browse(struct lw_explorer *ex, struct lw_surface *surface);
void lw_draw_solve(struct lw_explorer *ex, struct lw_surface *surface);
/* A click on the table chooses a row, uses the chosen one, or sorts by a column; false: it is elsewhere. */
bool lw_solve_click(struct lw_explorer *ex, int row, int col);
void lw_draw_views(struct lw_explorer *ex, struct lw_surface *surface);
void lw_draw_help(struct lw_explorer *ex, struct lw_surface *surface);
void lw_draw_question(const struct lw_explorer *ex, struct lw_surface *surface);

#endif
