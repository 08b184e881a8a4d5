#ifndef LANEWAY_DRAWING_H
#define LANEWAY_DRAWING_H

/* What is where on the screen, and the files that draw it. */

#include "tui/explore/explorer.h"

/* draw.c: the view whose tab is at a column of the tabs' row, or -1. */
int lw_tab_at(const struct lw_explorer *ex, int col);

/* panes.c: what is where at this size. A pane that is folded away has height 0. */
struct lw_panes {
    struct lw_rect list, view[LW_PANES_MAX], form, inspector, lesson, strip;
    bool tiny;    /* too small to be useful */
    bool instead; /* the list is where else the form is */
};
void lw_panes(const struct lw_explorer *ex, struct lw_panes *panes);
/* The rectangle of what is drawn over everything else. */
struct lw_rect lw_panes_over(const struct lw_explorer *ex);
/* How a grid fits a rectangle: cells of `cell` columns with `gap` between, from `top`, `left`. In a view
 * of few columns each is as wide as its own label needs. */
#define LW_GRID_OWN 72
#define LW_GRID_WIDE 3 /* the operands of an MMA */
struct lw_grid {
    struct lw_rect inside; /* of the frame */
    int label, cell, gap;
    bool own;
    short width[LW_GRID_OWN]; /* with `own`, by the number of the column */
    int rows, cols;           /* whole cells that fit */
    uint64_t after; /* the column after those: the first one of the sums, or beyond the last */
    struct {
        uint64_t first;
        int width; /* 0: all columns fit, or it has none */
    } sums;        /* of a heat map: its last columns, which stay when the banks are scrolled */
    int each;      /* rows of cells in one of the screen: 1 or 2 */
    int lead;      /* columns of a cell's colour before its text */
    /* Cells from one column to before another have one more column of their colour before their text. */
    struct {
        int from, end;
    } wide[LW_GRID_WIDE];
    int wides;
    /* After so many rows and columns of cells there is a gap of one; 0: nowhere. They are counted from a
     * seam on, where there is one, and it is a gap too; of the first cell that is shown. */
    int tile_rows, tile_cols, seam_rows, seam_cols;
    bool heading; /* the row above the labels is for the names of a picture's parts */
    int map; /* columns at the right end that show where the cells are in all of the view; 0: none */
};
/* Whether a pane's view is of an access, not of one layout alone. */
bool lw_pane_is_of_both(const struct lw_view_pane *pane);
void lw_grid(const struct lw_explorer *ex, struct lw_view_pane *pane, struct lw_grid *grid);
int lw_grid_cell(const struct lw_grid *grid, uint64_t col); /* its width */
/* Of a picture: where cell (r, c) of the first shown ones begins, from the left end and the top of the first
 * cell, and the cell there; false: it is beyond the cells. */
int lw_grid_row(const struct lw_grid *grid, int r);
int lw_grid_col(const struct lw_grid *grid, int c);
/* The columns of a cell's colour before its text. */
int lw_grid_lead(const struct lw_grid *grid, int c);
/* Whether there is a gap before row or column i of the first shown ones. */
bool lw_grid_has_gap(int i, int tile, int seam);
bool lw_grid_at(const struct lw_view_pane *pane, const struct lw_grid *grid, int row, int col,
                uint64_t *view_row, uint64_t *view_col);
/* How many cells there are, of `step` elements each. */
uint64_t lw_grid_cells(uint64_t size, uint64_t step);
/* The column that is shown after another one, from the first one shown; beyond the last: none is. */
uint64_t lw_grid_next(const struct lw_grid *grid, uint64_t left, uint64_t col);
/* How many whole cells fit from column `from` on, or before it; at least 1. */
uint64_t lw_grid_fits(const struct lw_grid *grid, uint64_t from, uint64_t cols);
uint64_t lw_grid_fits_before(const struct lw_grid *grid, uint64_t end);

/* The bar of a row, right of all its cells: a margin before and behind it, and its least columns. */
enum { LW_BAR_MARGIN = 3, LW_BAR_LEAST = 4 };
/* The columns for it where the view has bars; else any number. */
int lw_grid_bar_room(const struct lw_view_pane *pane, const struct lw_grid *grid);

/* The largest size of a map with the proportions of the view, in blocks, in so many rows and columns of blocks. */
void lw_map_measure(const struct lw_view_pane *pane, int rows, int cols, int *blocks_down,
                    int *blocks_across);
/* draw_map.c: where the part of a picture that is shown is in all of it. The rectangle of the map, without a
 * width: there is none; and the same as lines on the right and the lower border. */
struct lw_rect lw_draw_map(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                           struct lw_surface *surface, const struct lw_grid *grid);
void lw_draw_bars(const struct lw_view_pane *pane, struct lw_surface *surface, struct lw_rect rect,
                  const struct lw_grid *grid);

/* draw_parts.c: the names, rows and columns of the layouts that a picture has. */
void lw_draw_parts(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                   struct lw_surface *surface, const struct lw_grid *grid);

/* draw_matrix.c: the matrix view; false: it is another view, or has no room, */
bool lw_matrix_is_compact(const struct lw_explorer *ex, const struct lw_view_pane *pane);
/* and then nothing is drawn. */
bool lw_draw_matrix(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                    struct lw_surface *surface);
/* Whether a matrix has all its rows; true of other views. */
bool lw_matrix_fits(const struct lw_explorer *ex, const struct lw_view_pane *pane);
/* The cell of the matrix at a position; false as above. */
bool lw_matrix_at(const struct lw_explorer *ex, const struct lw_view_pane *pane, int row, int col,
                  uint64_t *view_row, uint64_t *view_col);
/* draw_strip.c: registers A, shared S, registers B, and the costs between them. */
int lw_strip_height(const struct lw_explorer *ex); /* 0: the view is not of an access, or no room */
void lw_draw_strip(const struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect);
/* Appends the name that a side has there, in so many columns. */
void lw_strip_put_name(const struct lw_explorer *ex, enum lw_side side, int width,
                       struct lw_text *text);
/* The side whose box is at a position of the strip; -1: none. */
int lw_strip_at(const struct lw_explorer *ex, struct lw_rect rect, int row, int col);

/* The row of messages and prompts: above the line of keys, or the same row on a low screen. */
int lw_status_row(const struct lw_explorer *ex);

/* draw_status.c: messages, prompts, and the line of keys at the bottom */
void lw_draw_status(struct lw_explorer *ex, struct lw_surface *surface);

/* key_use.c
 * Whether the view, the access or the lesson on the screen has a use for a key. */
bool lw_key_has_use(const struct lw_explorer *ex, const struct lw_key_action *action);
/* Whether only some views, accesses or lessons have a use for it: it comes first on the line of keys. */
bool lw_key_is_contextual(const struct lw_key_action *action);
bool lw_pane_is_matrix(const struct lw_view_pane *pane);

/* draw_*.c: the panes.
 * The pen of a cell of that class. */
struct lw_pen lw_pen_of_cell(const struct lw_view_pane *pane, const struct lw_cell *cell);
/* Two cells in one tile, one above the other: the character, and its pen in *pen. */
const char *lw_halves(struct lw_pen upper, struct lw_pen lower, struct lw_pen *pen);
/* Whether the cursor is shown in a pane: in the active one, and in another one that shows the same element. */
bool lw_pane_has_cursor(const struct lw_explorer *ex, const struct lw_view_pane *pane);
/* What the colours of a picture mean, as far as there is room below it; false: there is none. */
bool lw_draw_legend(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                    struct lw_surface *surface, struct lw_rect below);
/* On the upper border, right of a title of that width: what the texts and the colours of cells are; of cells of several
 * elements it stands on the lower border where there is no room, right of so many columns. Returns the columns that it
 * takes there. */
int lw_draw_meaning(const struct lw_explorer *ex, struct lw_view_pane *pane,
                    struct lw_surface *surface, struct lw_rect rect, int taken, int below);
/* The colours of a picture without room below it, on the lower border of its pane right of so many columns: each, or
 * what they show. */
void lw_draw_legend_line(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                         struct lw_surface *surface, struct lw_rect rect, int taken);
/* How many elements differ, and how they are marked, in so many columns. */
void lw_put_comparison(const struct lw_explorer *ex, const struct lw_view_pane *pane, int room,
                       struct lw_text *text);
/* The labels and cells of a picture; returns the rows of the screen that they take. */
int lw_draw_picture(const struct lw_explorer *ex, struct lw_view_pane *pane,
                    struct lw_surface *surface);
void lw_draw_view(struct lw_explorer *ex, struct lw_view_pane *pane, struct lw_surface *surface,
                  struct lw_rect rect);
/* Of what is drawn already only what the cursor was on, and is on now; of a picture all. */
void lw_draw_view_step(struct lw_explorer *ex, struct lw_view_pane *pane,
                       struct lw_surface *surface, struct lw_rect rect);
void lw_draw_list(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect);
/* A warning of lanes a warp that the target has not; nothing when all is well. */
void lw_put_lanes(const struct lw_explorer *ex, struct lw_text *text);
void lw_draw_form(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect);
/* What a line of it has room for beside its label; 0: it is folded away. */
size_t lw_inspector_columns(const struct lw_explorer *ex);
void lw_draw_inspector(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect);
void lw_draw_page(struct lw_explorer *ex, struct lw_surface *surface);
/* The whole text of the page or the help, a row of the surface for each of its lines; false when there is
 * no room on the screen for any, or memory is out. */
bool lw_draw_page_whole(struct lw_explorer *ex, struct lw_surface *surface);
bool lw_draw_help_whole(struct lw_explorer *ex, struct lw_surface *surface);
/* The lists of kernels, instead of all these. */
void lw_draw_browse(struct lw_explorer *ex, struct lw_surface *surface);
void lw_draw_solve(struct lw_explorer *ex, struct lw_surface *surface);
/* A click on it chooses a row, uses the chosen one, or sorts by a column; false: it is elsewhere. */
bool lw_solve_click(struct lw_explorer *ex, int row, int col);
void lw_draw_views(struct lw_explorer *ex, struct lw_surface *surface);
void lw_draw_help(struct lw_explorer *ex, struct lw_surface *surface);
void lw_draw_question(const struct lw_explorer *ex, struct lw_surface *surface);

#endif
