#ifndef LANEWAY_GEOMETRY_H
#define LANEWAY_GEOMETRY_H

/*
 * The sizes of a drawn grid, in pixels of 1/96 inch.
 *
 * Cells are squares where their texts fit into one, on one line or on two; else as wide as the widest text. In a grid
 * that is too wide for the figure they become smaller while their texts are readable. Then the grid is folded: its
 * columns follow each other in bands, which are whole tiles or a power of two wide. Each grid of a stack is folded by
 * itself. A view of several layouts is not folded, nor are the panels of a product, as their columns belong together:
 * their cells lose their texts instead, as do those of pictures that would be far higher than wide. A list of one
 * column that is too wide has its texts on two lines.
 */

#include "export/legend.h"

enum {
    LW_FONT = 13,         /* the height of text */
    LW_COLUMN = 8,        /* of such text, a little more than it needs */
    LW_LINE = 15,         /* from one line of a cell to the next */
    LW_ROW = 24,          /* of a grid whose cells are no squares, and of a line of text */
    LW_FINE = 8,          /* cells below have faint lines between them */
    LW_PAD = 8,           /* on both sides of a text */
    LW_GRID_GAP = 16,     /* between grids of a stack, and between bands */
    LW_CELL_LEAST = 3,    /* the least cell, unless options.cell_size is less */
    LW_FIGURE_WIDTH = 960 /* of a figure, by default */
};

struct lw_geometry {
    struct lw_measure measure;
    unsigned lines; /* of text in a cell: 1 or 2; 0: cells are too small for text */
    unsigned pad;   /* beside a label */
    double font;    /* pixels of that text */
    bool named;     /* its columns have names, not consecutive numbers: each label is needed */
    double head;    /* pixels of the labels of columns */
    double side;    /* pixels of the labels of rows */
    size_t columns; /* of text in a line of a list that has two in a cell; else 0 */
    uint64_t cell[1 + LW_TAILS_MAX]; /* the widths of cells, by the index of struct lw_measure */
    uint64_t height;
    uint64_t label, header; /* the width of row labels, the height of column labels; 0: none */
    uint64_t band;          /* columns in a band; the last one has those of their own width, too */
    uint64_t tile_rows, tile_cols; /* where a heavier line is; 0: nowhere */
    uint64_t width, total_height;  /* of all bands of all grids */
};

/* The next line of a text in `columns` columns: its length in bytes; *skip bytes after it are in no line. */
size_t lw_line_break(const char *words, size_t columns, size_t *skip);

/* Measures every cell of the options' range, for a figure with `margin` pixels beside the grid. */
bool lw_geometry_make(struct lw_geometry *geometry, const struct lw_view *view,
                      const struct lw_export_options *options, uint64_t margin,
                      struct lw_error *err);
/* Gives cells and labels a size; smaller cells are square. */
void lw_geometry_resize(struct lw_geometry *geometry, const struct lw_view *view,
                        const struct lw_export_options *options, uint64_t cell, uint64_t height,
                        uint64_t label);
/* Where a column of a band begins, from the left of the labels; `first` is the band's first column. */
uint64_t lw_geometry_column(const struct lw_geometry *geometry, uint64_t first, uint64_t col);
/* The end of the band that begins with a column. */
uint64_t lw_geometry_band_end(const struct lw_geometry *geometry,
                              const struct lw_export_options *options, uint64_t first);
uint64_t lw_geometry_cell(const struct lw_geometry *geometry, uint64_t col);
/* Whether a tile begins at a row or a column, counted from the seam on, which is itself such a line. */
bool lw_geometry_begins_tile(uint64_t at, uint64_t seam, uint64_t tile);
/* Whether the tile at a cell begins with another warp, on the left of it (`across`) or above; not at a seam, which is
 * between layouts. */
bool lw_geometry_begins_warp(const struct lw_view *view, uint64_t row, uint64_t col, bool across);

#endif
