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
        *view; /* maybe `brief`: the same with shorter words, for a narrow figure */
    const struct lw_view *given; /* the one that the caller has set */
    struct lw_view brief;
    struct lw_export_options options; /* complete */
    struct lw_geometry geometry;
    struct lw_highlight highlight;
    struct lw_text title, head;   /* above its grid; "" none */
    uint64_t x, y, width, height; /* in the figure; the width has room for the words */
    uint64_t words;               /* the height of those above the grid */
};

struct lw_panels {
    size_t count;
    struct lw_panel *panel;
    const struct lw_export_options *options; /* of the figure */
    struct lw_legend legend;                 /* of all panels */
    uint64_t width, height;                  /* of all panels */
};

/* Measures the views and arranges them from (0, 0) on. `options` are complete but for ranges, which each view
 * has of its own when there are several. On failure there is nothing to free. */
bool lw_panels_make(struct lw_panels *panels, const struct lw_view *const *views, size_t count,
                    const struct lw_export_options *options, struct lw_error *err);
void lw_panels_free(struct lw_panels *panels);
/* Measures each panel; then makes those equal that belong together: of a product, and frames. (panel_measure.c) */
bool lw_panels_measure(struct lw_panels *panels, struct lw_error *err);
bool lw_panels_match(struct lw_panels *panels, struct lw_error *err);
/* The least width of a panel that has words. */
uint64_t lw_panels_least(const struct lw_panels *panels);
/* The legend of a panel and of the others that colour by the same field; false: an earlier one has it. */
bool lw_panels_legend(const struct lw_panels *panels, size_t i, struct lw_legend *legend);
/* Whether a panel is another view of the layout of the first one. */
bool lw_panels_repeat(const struct lw_panels *panels, const struct lw_panel *panel);
/* lw_fetch_meaning of the panel, with what its shorter texts mean. */
void lw_panel_meaning(const struct lw_panel *panel, struct lw_text *text);
/* Whether a cell has a frame, and whether it is faint because others stand out. */
bool lw_panel_marks(struct lw_panels *panels, struct lw_panel *panel, uint64_t row, uint64_t col);
bool lw_panel_dims(struct lw_panel *panel, uint64_t row, uint64_t col);

#endif
