/* Measuring panels: how large their cells are, and which texts they have. */

#include "export/figure/panel.h"
#include "view/view_parts.h"

#include <string.h>

enum {
    LEAST = 200, /* the least width of a panel with texts above its grid, and of a single panel */
    LEAST_ALONE = 336,
    READ_WELL = 9, /* pixels of text that is easily readable */
};

uint64_t lw_panels_least(const struct lw_panels *panels)
{
    const struct lw_export_options *o = panels->options;
    bool beside = panels->count > 1 && o->arrangement != LW_ARRANGE_COLUMN;
    uint64_t least = panels->count > 1 ? LEAST : LEAST_ALONE;
    uint64_t room =
        beside ? (o->width - LW_PANEL_AROUND - LW_PANEL_GAP) / 2 : o->width - LW_PANEL_AROUND;
    return o->width && room < least ? room : least;
}

/* Sets the ranges of a panel: those of the options, as far as the view has them. */
static bool set_ranges(struct lw_panel *panel, struct lw_error *err)
{
    struct lw_export_options *o = &panel->options;
    if (!o->row_to)
        o->row_to = panel->view->rows;
    if (!o->col_to)
        o->col_to = panel->view->cols;
    return (o->row_from < o->row_to && o->row_to <= panel->view->rows && o->col_from < o->col_to &&
            o->col_to <= panel->view->cols) ||
           lw_error_set(err, LW_ERROR_LIMIT, "a panel has %llu rows and %llu columns",
                        (unsigned long long)panel->view->rows,
                        (unsigned long long)panel->view->cols);
}

/* Whether cells may show the number of their colour alone: those of the usual format. */
static bool has_brief_cells(const struct lw_view *view)
{
    const struct lw_view_type *type = view->type;
    const char *cell = view->options.cell;
    return type->formatted && !type->indices && !view->shades && view->color &&
           (!cell || !strcmp(cell, lw_format_default(view->subject, LW_DETAIL_FULL)));
}

/* Measures the view with shorter texts. */
static bool measure_brief(struct lw_panel *panel, const struct lw_view *view, enum lw_detail detail,
                          struct lw_error *err)
{
    panel->brief = *view;
    panel->brief.options.detail = detail;
    panel->view = &panel->brief;
    return lw_geometry_make(&panel->geometry, panel->view, &panel->options, LW_PANEL_AROUND, err);
}

/* Measures a panel. When its texts do not fit it gets shorter ones; a heat map gets these before it is folded. */
static bool measure_grid(struct lw_panel *panel, struct lw_error *err)
{
    const struct lw_view *view = panel->view;
    const struct lw_export_options *o = &panel->options;
    bool heat = view->type->heat && !o->no_fold;
    if (!lw_geometry_make(&panel->geometry, view, o, LW_PANEL_AROUND, err))
        return false;
    for (unsigned d = view->options.detail; heat && d < LW_DETAIL_NUMBER; d++) {
        if (panel->geometry.lines && panel->geometry.font >= READ_WELL &&
            lw_geometry_band_end(&panel->geometry, o, o->col_from) == o->col_to)
            return true;
        if (!measure_brief(panel, view, (enum lw_detail)(d + 1), err))
            return false;
    }
    if (heat || panel->geometry.lines || o->cell_size || !has_brief_cells(view))
        return true;
    if (!measure_brief(panel, view, LW_DETAIL_NUMBER, err))
        return false;
    if (panel->geometry.lines)
        return true;
    panel->view = view;
    return lw_geometry_make(&panel->geometry, view, o, LW_PANEL_AROUND, err);
}

/* Makes all frames equal, so that nothing moves: with the shortest texts, the widest label and the smallest cells of
 * any. */
static bool equal_frames(struct lw_panels *panels, struct lw_error *err)
{
    enum lw_detail detail = LW_DETAIL_FULL;
    uint64_t label = 0, cell = UINT64_MAX, height = 0;
    for (size_t i = 0; i < panels->count; i++)
        if (panels->panel[i].view->options.detail > detail)
            detail = panels->panel[i].view->options.detail;
    for (size_t i = 0; i < panels->count; i++) {
        struct lw_panel *p = &panels->panel[i];
        if (p->view->options.detail != detail && !measure_brief(p, p->view, detail, err))
            return false;
        label = p->geometry.label > label ? p->geometry.label : label;
    }
    for (size_t i = 0; i < panels->count; i++) {
        struct lw_panel *p = &panels->panel[i];
        if (p->geometry.label < label &&
            !lw_geometry_make(&p->geometry, p->view, &p->options,
                              LW_PANEL_AROUND + label - p->geometry.label, err))
            return false;
        height = p->geometry.cell[0] < cell ? p->geometry.height : height;
        cell = p->geometry.cell[0] < cell ? p->geometry.cell[0] : cell;
    }
    for (size_t i = 0; i < panels->count; i++) {
        struct lw_panel *p = &panels->panel[i];
        lw_geometry_resize(&p->geometry, p->view, &p->options, cell, height, label);
    }
    return true;
}

static bool measure_panel(struct lw_panels *panels, size_t i, struct lw_error *err)
{
    struct lw_panel *panel = &panels->panel[i];
    const struct lw_view *view = panel->view;
    const struct lw_export_options *o = panels->options;
    if (o->arrangement == LW_ARRANGE_PRODUCT)
        panel->options.no_fold = true; /* the columns of B are above those of C */
    if (o->arrangement == LW_ARRANGE_ROW && o->width && panels->count)
        panel->options.width =
            (unsigned)((o->width - LW_PANEL_AROUND - (panels->count - 1) * LW_PANEL_GAP) /
                           panels->count +
                       LW_PANEL_AROUND);
    return set_ranges(panel, err) &&
           lw_highlight_read(&panel->highlight, view, panel->options.highlight, err) &&
           measure_grid(panel, err);
}

/* The width of a product with such cells. */
static uint64_t width_of_product(const struct lw_panels *panels, uint64_t cell, uint64_t label)
{
    uint64_t width = LW_PANEL_GAP, least = lw_panels_least(panels);
    for (size_t i = 0; i < panels->count; i += 2) { /* A is on the left of C */
        const struct lw_export_options *o = &panels->panel[i].options;
        uint64_t own = label + (o->col_to - o->col_from) * cell;
        width += own > least ? own : least;
    }
    return width;
}

/* The rows of A continue in C, and so do the columns of B: all cells get the size of the largest, or a smaller one when
 * the figure's width is set. */
static void equal_cells(struct lw_panels *panels)
{
    enum { LEAST_CELL = 3 };
    const struct lw_export_options *o = panels->options;
    uint64_t cell = 0, height = 0, label = 0;
    for (size_t i = 0; i < panels->count; i++) {
        const struct lw_geometry *g = &panels->panel[i].geometry;
        cell = g->cell[0] > cell ? g->cell[0] : cell;
        height = g->height > height ? g->height : height;
        label = g->label > label ? g->label : label;
    }
    if (o->width && !o->cell_size &&
        width_of_product(panels, cell, label) + LW_PANEL_AROUND > o->width) {
        while (cell > LEAST_CELL &&
               width_of_product(panels, cell, label) + LW_PANEL_AROUND > o->width)
            cell--;
        height = cell;
    }
    bool text = true;
    for (size_t i = 0; i < panels->count; i++) {
        struct lw_panel *p = &panels->panel[i];
        lw_geometry_resize(&p->geometry, p->view, &p->options, cell, height, label);
        text = text && p->geometry.lines;
    }
    for (size_t i = 0; i < panels->count && !text; i++)
        panels->panel[i].geometry.lines = 0;
}

bool lw_panels_measure(struct lw_panels *panels, struct lw_error *err)
{
    for (size_t i = 0; i < panels->count; i++)
        if (!measure_panel(panels, i, err))
            return false;
    return true;
}

bool lw_panels_match(struct lw_panels *panels, struct lw_error *err)
{
    if (panels->count > 1 && panels->options->arrangement == LW_ARRANGE_FRAMES)
        return equal_frames(panels, err);
    if (panels->count > 1 && panels->options->arrangement == LW_ARRANGE_PRODUCT)
        equal_cells(panels);
    return true;
}
