/* Two pictures of one size have cells and gaps of one size, so that an element is in the same position of both. */

#include "tui/draw/drawing.h"

/* The tile of two pictures, so that their gaps are at the same cells: the larger one if it is a multiple of the
 * smaller. */
static uint64_t common_tile(uint64_t a, uint64_t b)
{
    uint64_t large = a > b ? a : b, small = a > b ? b : a;
    return small && large % small ? 0 : large;
}

/* Wraps two tensors of one dim at the same width. */
static void wrap_alike(struct lw_explorer *ex, struct lw_view_pane *a, struct lw_view_pane *b)
{
    lw_pane_zoom(ex, a, a->zoom);
    lw_pane_zoom(ex, b, b->zoom);
    if (a->wrap == b->wrap || a->zoom != b->zoom)
        return;
    uint64_t least = a->wrap && (!b->wrap || a->wrap < b->wrap) ? a->wrap : b->wrap;
    a->wrap = b->wrap = least;
    lw_pane_open_as_sized(ex, a);
    lw_pane_open_as_sized(ex, b);
}

static bool is_line(const struct lw_view_pane *pane)
{
    return pane->wrap || pane->view.rows <= 1 || pane->view.cols <= 1;
}

static bool have_groups_alike(const struct lw_view_pane *a, const struct lw_view_pane *b)
{
    bool grouped =
        a->zoom == LW_ZOOM_GROUP || b->zoom == LW_ZOOM_GROUP || a->groups.on || b->groups.on;
    return !grouped || (a->groups.on && b->groups.on && a->step_rows == b->step_rows &&
                        a->step_cols == b->step_cols);
}

bool lw_panes_make_equal(struct lw_explorer *ex)
{
    struct lw_view_pane *a = &ex->panes.all[0], *b = &ex->panes.all[1];
    if (!lw_pane_is_picture(a) || !lw_pane_is_picture(b))
        return true;
    bool lines = is_line(a) && is_line(b) && a->view.type == b->view.type;
    if (!lines && (a->view.rows != b->view.rows || a->view.cols != b->view.cols))
        return true;
    if (a->zoom != b->zoom && !a->chosen[a->view_index].zoom && !b->chosen[b->view_index].zoom) {
        struct lw_view_pane *richer = a->zoom < b->zoom ? a : b;
        lw_pane_zoom(ex, richer, richer == a ? b->zoom : a->zoom);
    }
    if (!have_groups_alike(a, b)) /* the first one was fitted without the other */
        lw_pane_zoom(ex, a, a->zoom);
    if (!have_groups_alike(a, b))
        return false;
    int wide = (int)a->view.type->width(&a->view), other = (int)b->view.type->width(&b->view);
    a->least_cell = b->least_cell = a->zoom == b->zoom ? wide > other ? wide : other : 0;
    if (lines)
        wrap_alike(ex, a, b);
    a->tile_rows = b->tile_rows = common_tile(a->tile_rows, b->tile_rows);
    a->tile_cols = b->tile_cols = common_tile(a->tile_cols, b->tile_cols);
    return true;
}
