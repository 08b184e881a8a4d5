#ifndef LANEWAY_CANVAS_H
#define LANEWAY_CANVAS_H

/*
 * Drawing a figure of panels: where everything is, for a canvas with the functions of a format. All
 * numbers are pixels of 1/96 inch from the top left corner of the figure; y of a text is that of
 * its baseline.
 */

#include "export/figure/panel.h"

enum { LW_FIGURE_MARGIN = 12, LW_SWATCH = 14 };

enum lw_words_kind { LW_WORDS_TITLE, LW_WORDS_HEAD, LW_WORDS_CAPTION };

/* A cell: its colour, and its text on one line or on two. */
struct lw_drawn_cell {
    unsigned class;
    bool dim;  /* other cells are highlighted */
    bool list; /* its text begins at x */
    uint64_t left, top, width, height;
    uint64_t x, y, apart;       /* of the text; from the first line to the second */
    const char *first, *second; /* "": none */
};

/* The lines on a grid: where a tile begins, where a tile begins with another warp, and frames of cells with a mark. */
enum lw_stroke_kind { LW_STROKE_TILE, LW_STROKE_WARP, LW_STROKE_MARK };

struct lw_canvas;
/* How a format writes what is drawn; members `end_...` are NULL where nothing ends. */
struct lw_canvas_type {
    void (*words)(struct lw_canvas *canvas, enum lw_words_kind kind, uint64_t x, uint64_t y,
                  const char *line);
    /* An entry of the legend, whose text is at x; its swatch, if any, is before it. The text of a `lettered` entry has
     * the colour of its class. */
    void (*entry)(struct lw_canvas *canvas, uint64_t x, uint64_t y, const char *text);
    void (*lettered)(struct lw_canvas *canvas, uint64_t x, uint64_t y, unsigned class,
                     const char *text);
    void (*swatch)(struct lw_canvas *canvas, uint64_t x, uint64_t y, unsigned class);
    /* Called before and after a panel, and its cells. */
    void (*begin_panel)(struct lw_canvas *canvas, size_t i);
    void (*begin_cells)(struct lw_canvas *canvas, size_t i);
    void (*end_cells)(struct lw_canvas *canvas, size_t i);
    void (*end_panel)(struct lw_canvas *canvas, size_t i);
    void (*begin_header)(struct lw_canvas *canvas, const struct lw_geometry *geometry);
    void (*column_label)(struct lw_canvas *canvas, uint64_t x, uint64_t y, const char *text);
    void (*end_header)(struct lw_canvas *canvas);
    void (*row_label)(struct lw_canvas *canvas, const struct lw_geometry *geometry, uint64_t right,
                      uint64_t y, const char *text);
    void (*cell)(struct lw_canvas *canvas, const struct lw_drawn_cell *cell);
    void (*end_row)(struct lw_canvas *canvas);
    /* A line has no width, or no height; a frame has both. */
    void (*stroke)(struct lw_canvas *canvas, enum lw_stroke_kind kind, uint64_t x, uint64_t y,
                   uint64_t width, uint64_t height);
    void (*end_strokes)(struct lw_canvas *canvas, enum lw_stroke_kind kind);
};

/* A canvas; a format has one at the beginning of its own structure. */
struct lw_canvas {
    const struct lw_canvas_type *type;
    const struct lw_export_options *options;
    FILE *stream;
    struct lw_panels panels;
    uint64_t width, height; /* of the figure */
};

/* Arranges the views; `width` and `height` are set. On failure there is nothing to free. */
bool lw_canvas_measure(struct lw_canvas *canvas, const struct lw_view *const *views, size_t count,
                       struct lw_error *err);
/* Draws all of it from the top to the bottom. */
bool lw_canvas_draw(struct lw_canvas *canvas, struct lw_error *err);
/* Whether the panels follow each other in time. */
bool lw_canvas_moves(const struct lw_canvas *canvas);

#endif
