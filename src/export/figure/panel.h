#ifndef LANEWAY_PANEL_H
#define LANEWAY_PANEL_H

/* Panels: the views of a figure and where they are in it. */

#include "export/figure/geometry.h"
#include "export/figure/highlight.h"

enum {
    LW_PANEL_GAP = 24,   /* between panels */
    LW_PANEL_AROUND = 24 /* the margins of the figure, left and right */
};

struct lw_panel {
    const struct lw_view
        *view; /* the view that is drawn: `given`, or `brief`, the same with shorter texts for a
                  narrow figure */
    const struct lw_view *given; /* the view of the caller */
    struct lw_view brief;
    struct lw_export_options options; /* complete */
    struct lw_geometry geometry;
    struct lw_highlight highlight;
    struct lw_text title, head;   /* above its grid; "" none */
    uint64_t x, y, width, height; /* in the figure; the texts fit in the width */
    uint64_t words;               /* the height of the texts above the grid */
};

struct lw_panels {
    size_t count;
    struct lw_panel *panel;
    const struct lw_export_options *options; /* of the figure */
    struct lw_legend legend;                 /* of all panels */
    uint64_t width, height;                  /* of all panels */
};

/* Measures the views and arranges them from (0, 0) on. `options` are complete except for ranges: each of several views
 * has its own. On failure there is nothing to free. */
bool lw_panels_make(struct lw_panels *panels, const struct lw_view *const *views, size_t count,
                    const struct lw_export_options *options, struct lw_error *err);
void lw_panels_free(struct lw_panels *panels);
/* Measures each panel, then makes the panels of a product, and frames, equal in size. (panel_measure.c) */
bool lw_panels_measure(struct lw_panels *panels, struct lw_error *err);
bool lw_panels_match(struct lw_panels *panels, struct lw_error *err);
/* The least width of a panel that has texts above its grid. */
uint64_t lw_panels_least(const struct lw_panels *panels);
/* The legend of a panel and of all others that colour by the same field; false: an earlier panel has it. */
bool lw_panels_legend(const struct lw_panels *panels, size_t i, struct lw_legend *legend);
/* Whether a panel is another view of the layout of the first one. */
bool lw_panels_repeat(const struct lw_panels *panels, const struct lw_panel *panel);
/* lw_fetch_meaning of the panel, with the meaning of its shorter texts. */
void lw_panel_meaning(const struct lw_panel *panel, struct lw_text *text);
/* Whether a cell has a frame, and whether it is faint because others are highlighted. */
bool lw_panel_marks(struct lw_panels *panels, struct lw_panel *panel, uint64_t row, uint64_t col);
bool lw_panel_dims(struct lw_panel *panel, uint64_t row, uint64_t col);

#endif
