#ifndef LANEWAY_CANVAS_H
#define LANEWAY_CANVAS_H

/*
 * Drawing a figure of panels: how large everything is and where, for a canvas with the functions of a format. All
 * numbers are pixels of 1/96 inch from the top left corner of the figure; y of a text is that of its baseline.
 *
 * Cells are squares where their texts fit into one, on one line or on two; else as wide as the widest text. In a figure
 * that is too narrow they become smaller while their texts are readable; then those that are read by their colours have
 * none. A figure that is still too wide is refused.
 */

#include "export/figure/panel.h"

enum {
    LW_FONT = 13,   /* the height of text */
    LW_COLUMN = 8,  /* of such text, a little more than it needs */
    LW_FINE = 8,    /* cells below have faint lines between them */
    LW_SWATCH = 14, /* the side of the square before an entry of the legend */
    LW_TAILS_MAX = 4
};

/* The kinds of texts: the title, other words, the caption below; labels of columns, in their middle, and of rows, which
 * end there; cells, in their middle, and texts of a list, which begin there. */
enum lw_drawn_kind {
    LW_DRAWN_TITLE,
    LW_DRAWN_WORDS,
    LW_DRAWN_CAPTION,
    LW_DRAWN_COLUMN,
    LW_DRAWN_ROW,
    LW_DRAWN_LETTERED /* an entry of the legend in the letters of its class */
};

struct lw_drawn_text {
    enum lw_drawn_kind kind;
    uint64_t x, y;
    double font;
    const char *string;
    unsigned class; /* of LW_DRAWN_LETTERED */
};

/* A cell: its colour, and its text on one line or on two. */
struct lw_drawn_cell {
    uint64_t row, col;
    unsigned class;
    bool dim;  /* other cells are highlighted */
    bool list; /* its text begins at x */
    uint64_t left, top, width, height;
    uint64_t x, y, apart;       /* of the text; from the first line to the second */
    const char *first, *second; /* "": none */
};

/* The lines on a grid: where a tile begins, where a tile begins with another warp, and frames of cells with a mark. */
enum lw_stroke_kind { LW_STROKE_TILE, LW_STROKE_WARP, LW_STROKE_MARK };

/* The sizes of a panel. */
struct lw_box {
    const struct lw_view *view;
    bool list;          /* names and values, not a grid of cells */
    size_t text, two;   /* columns: the widest text of a cell, and the widest on two lines, */
    size_t label, head; /* and labels of rows and columns */
    uint64_t
        tail; /* the first of the last columns, such as totals, that have widths of their own; in a list
                               all do */
    size_t tails[LW_TAILS_MAX];
    unsigned lines;        /* of text in a cell: 1 or 2; 0: none */
    double font;           /* of that text */
    uint64_t cell, height; /* of a cell */
    uint64_t left, header; /* the width of row labels, the height of column labels */
    uint64_t tile_rows, tile_cols;
    uint64_t x, y, width, words; /* of the panel; the height of the texts above its grid */
    uint64_t total;              /* the height of all of it */
    struct lw_text above;
};

struct lw_canvas;
/* How a format writes what is drawn; NULL: nothing. */
struct lw_canvas_type {
    void (*text)(struct lw_canvas *canvas, const struct lw_drawn_text *text);
    void (*swatch)(struct lw_canvas *canvas, uint64_t x, uint64_t y, unsigned class);
    void (*cell)(struct lw_canvas *canvas, const struct lw_drawn_cell *cell);
    void (*end_row)(struct lw_canvas *canvas);
    /* A line has no width, or no height; a frame has both. After all of a kind end_strokes is called. */
    void (*stroke)(struct lw_canvas *canvas, enum lw_stroke_kind kind, uint64_t x, uint64_t y,
                   uint64_t width, uint64_t height);
    void (*end_strokes)(struct lw_canvas *canvas, enum lw_stroke_kind kind);
    /* Before and after panel i, and its grid. */
    void (*begin_panel)(struct lw_canvas *canvas, size_t i);
    void (*end_panel)(struct lw_canvas *canvas, size_t i);
    void (*begin_grid)(struct lw_canvas *canvas, const struct lw_box *box);
    void (*end_grid)(struct lw_canvas *canvas, const struct lw_box *box);
};

/* A canvas; a format has one at the beginning of its own structure, with the first three members set. */
struct lw_canvas {
    const struct lw_canvas_type *type;
    const struct lw_export_options *options;
    uint64_t cells_max; /* of a png or pdf; 0: any number */
    FILE *stream;
    struct lw_panels panels;
    struct lw_box *boxes;
    bool seen[LW_CLASS_COUNT]; /* classes of colours in any panel */
    uint64_t width, height;    /* of the figure */
    bool shares; /* of a moving figure: later frames draw only what differs from the first */
    bool failed; /* memory ran out */
};

/* Arranges the views; `width` and `height` are set. On failure there is nothing to close. */
bool lw_canvas_open(struct lw_canvas *canvas, const struct lw_view *const *views, size_t count,
                    struct lw_error *err);
/* Draws all of it from the top to the bottom. */
void lw_canvas_draw(struct lw_canvas *canvas);
/* False, with the error, when memory ran out; everything is freed. */
bool lw_canvas_close(struct lw_canvas *canvas, struct lw_error *err);

/* Writes the title of a figure and its head, as markup. */
void lw_put_title(struct lw_canvas *canvas);
/* Draws an open canvas, whose own functions are not called, as the format svg does. */
void lw_draw_svg(struct lw_canvas *canvas);

#endif
