#ifndef LANEWAY_PANEL_H
#define LANEWAY_PANEL_H

/* Panels: the views of a figure, with what stands above each, what is highlighted, and the meaning of their colours. */

#include "export/cell_values.h"
#include "export/legend.h"

struct lw_panel {
    const struct lw_view *view;       /* of the caller */
    struct lw_export_options options; /* complete: the ranges are those of this view */
    struct lw_highlight highlight;
    struct lw_text title;
    bool repeats; /* it is another view of the layout of the first panel */
};

/* The colours of one field in all panels, indices or levels. */
struct lw_panel_legend {
    const char *title;
    struct lw_legend legend;
    const struct lw_view *view; /* one of that field */
};

struct lw_panels {
    size_t count, legend_count;
    struct lw_panel *panel;
    struct lw_panel_legend *legend;
    const struct lw_export_options *options; /* of the figure */
};

/* `options` are complete except for ranges: each of several views has its own. On failure there is nothing to free. */
bool lw_panels_open(struct lw_panels *panels, const struct lw_view *const *views, size_t count,
                    const struct lw_export_options *options, struct lw_error *err);
void lw_panels_free(struct lw_panels *panels);
/* Whether the panels follow each other in time. */
bool lw_panels_move(const struct lw_panels *panels);
/* The cells of all panels. */
uint64_t lw_panels_cells(const struct lw_panels *panels);
/* Whether a cell has a frame. */
bool lw_panel_marks(const struct lw_panels *panels, struct lw_panel *panel, uint64_t row,
                    uint64_t col);
/* Whether a cell of that text is outside of all layouts of a view of several: nothing is drawn there. */
bool lw_panel_is_outside(const struct lw_panel *panel, uint64_t row, uint64_t col,
                         const struct lw_text *text);

/* ---- Lines between tiles ---- */

enum lw_tile_line { LW_LINE_NONE, LW_LINE_TILE, LW_LINE_WARP };

/* The line on the left of a cell (`across`) or above it, where a tile of `tile` columns or rows begins: the heavier one
 * where it begins with another warp, unless that is a seam between layouts. */
enum lw_tile_line lw_panel_line(const struct lw_panel *panel, uint64_t row, uint64_t col,
                                bool across, uint64_t tile);
/* The end of the line on which a text is to be broken in two of about equal length, and in *second where the other one
 * begins; the blank between them is part of neither. Both are the end of a text that cannot be broken. *width is the
 * width of the wider line. */
size_t lw_two_lines(const char *text, size_t *second, size_t *width);

#endif
