/* A step to another zoom, at which the cells look different and more is shown, or each cell has more text. */

#include "tui/draw/drawing.h"
#include "tui/pane/zoom_rungs.h"

#include <string.h>

/* The look of the cell under the cursor, and its elements. */
struct look {
    char text[64];
    int cell, gap;
    bool half;
    uint64_t rows, cols;
};

static struct look look_of(const struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct look look = {.half = pane->half, .rows = pane->step_rows, .cols = pane->step_cols};
    struct lw_text text = {.limit = sizeof look.text - 1};
    struct lw_cell cell;
    struct lw_grid grid;
    if (!pane->has_view)
        return look;
    lw_grid(ex, pane, &grid);
    look.cell = grid.cell;
    look.gap = grid.gap;
    pane->view.type->cell(&pane->view, pane->row, pane->col, &text, &cell);
    snprintf(look.text, sizeof look.text, "%s", lw_text_string(&text));
    lw_text_free(&text);
    return look;
}

/* Whether a zoom has no cells of its own, or such as another one has. */
static bool looks_as(const struct lw_explorer *ex, struct lw_view_pane *pane,
                     const struct look *old)
{
    const struct look now = look_of(ex, pane);
    return (lw_zoom_has_groups(pane->zoom) && !pane->groups.on) ||
           (pane->zoom < LW_ZOOM_CHAR && pane->zoom != LW_ZOOM_GROUP && now.cell == old->cell &&
            now.gap == old->gap && now.half == old->half && now.rows == old->rows &&
            now.cols == old->cols && !strcmp(now.text, old->text));
}

/* The next possible zoom; -1: there is none. */
static int next_rung(const struct lw_explorer *ex, const struct lw_view_pane *pane, int zoom,
                     int by)
{
    do
        zoom -= by;
    while (zoom >= 0 && zoom <= LW_ZOOM_MAX && !lw_zoom_is_rung(ex, pane, (unsigned)zoom));
    return zoom > LW_ZOOM_MAX ? -1 : zoom;
}

/* Restores the picture, even if the same zoom would now look different. */
static void return_to(struct lw_explorer *ex, struct lw_view_pane *pane,
                      const struct lw_view_pane *before)
{
    pane->zoom = before->zoom;
    pane->detail = before->detail;
    pane->half = before->half;
    pane->step_rows = before->step_rows;
    pane->step_cols = before->step_cols;
    pane->groups = before->groups;
    pane->wrap = before->wrap;
    pane->across = before->across;
    pane->parts_color = before->parts_color;
    pane->mapped = before->mapped;
    pane->covered = before->covered;
    if (pane->has_view)
        lw_pane_open_as_sized(ex, pane);
    pane->row = before->row;
    pane->col = before->col;
    pane->top = before->top;
    pane->left = before->left;
    pane->tile_rows = before->tile_rows;
    pane->tile_cols = before->tile_cols;
}

/* ---- What a zoom shows ---- */

struct extent {
    bool possible; /* and no text is cut */
    bool whole;
    bool bar;                  /* of a heat map, beside its cells */
    uint64_t of_rows, of_cols; /* of the view, which some zooms wrap or fold */
    uint64_t rows, cols;       /* shown of these */
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* What the shown zoom shows; the cursor stays. */
static struct extent extent_of(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    const struct lw_view *view = &pane->view;
    const uint64_t row = pane->row, col = pane->col, top = pane->top, left = pane->left;
    struct extent extent = {.of_rows = view->rows, .of_cols = view->cols};
    struct lw_grid grid;
    if (!pane->has_view)
        return extent;
    lw_zoom_settle(ex, pane);
    lw_grid(ex, pane, &grid);
    bool grouped = !lw_zoom_has_groups(pane->zoom) || pane->groups.on;
    bool cut = !pane->groups.on && pane->zoom != LW_ZOOM_TWO && !grid.own &&
               grid.cell < (int)view->type->width(view);
    extent.possible = grouped && !cut && grid.rows > 0 && grid.label < grid.inside.width / 2 &&
                      (!lw_zoom_has_groups(pane->zoom) || !lw_pane_hides_moves(ex, pane));
    extent.whole = lw_pane_fits(ex, pane);
    extent.bar = lw_grid_bar_room(pane, &grid) >= LW_BAR_LEAST;
    extent.rows = least(view->rows, (uint64_t)(grid.rows > 0 ? grid.rows : 0) * pane->step_rows);
    extent.cols = least(view->cols, (uint64_t)grid.cols * pane->step_cols);
    pane->row = row;
    pane->col = col;
    pane->top = top;
    pane->left = left;
    return extent;
}

/* Whether a zoom with more text also shows all that another one shows. */
static bool shows_all_of(const struct extent *richer, const struct extent *other)
{
    bool same = richer->of_rows == other->of_rows && richer->of_cols == other->of_cols;
    bool folded = richer->of_rows * richer->of_cols < other->of_rows * other->of_cols;
    if (!richer->possible || (other->bar && !richer->bar) || folded)
        return false;
    return richer->whole || (same && richer->rows >= other->rows && richer->cols >= other->cols);
}

/* The zooms with text, each of which may show as much as one with less text. */
struct extents {
    struct extent of[LW_ZOOM_HALF];
};

static void find_extents(struct lw_explorer *ex, struct lw_view_pane *pane, struct extents *extents)
{
    for (unsigned zoom = 0; zoom < LW_ZOOM_HALF; zoom++) {
        extents->of[zoom] = (struct extent){.possible = false};
        if (!lw_zoom_is_rung(ex, pane, zoom))
            continue;
        lw_pane_zoom(ex, pane, zoom);
        extents->of[zoom] = extent_of(ex, pane);
    }
}

/* Whether a zoom with more text shows as much as the shown one. */
static bool is_needless(struct lw_explorer *ex, struct lw_view_pane *pane,
                        const struct extents *extents)
{
    const struct extent own = extent_of(ex, pane);
    for (unsigned zoom = 0; zoom < pane->zoom && zoom < LW_ZOOM_HALF; zoom++)
        if (shows_all_of(&extents->of[zoom], &own))
            return true;
    return false;
}

/* Goes to the next zoom at which the cells look different and no zoom with more text shows as much, if nothing covers
 * them; false: there is none, and the picture is unchanged. */
static bool find_step(struct lw_explorer *ex, struct lw_view_pane *pane, int by)
{
    const struct lw_view_pane before = *pane;
    struct extents extents;
    int zoom = before.zoom;
    if (!pane->has_view || lw_pane_is_prose(pane) || (by < 0 && lw_pane_fits(ex, pane)))
        return false;
    pane->covered.cell = 0; /* else the cells of all zooms have one size */
    const struct look old = look_of(ex, pane);
    find_extents(ex, pane, &extents);
    do {
        zoom = next_rung(ex, pane, zoom, by);
        if (zoom < 0 || (by < 0 && pane->zoom > LW_ZOOM_FEW && is_needless(ex, pane, &extents))) {
            return_to(ex, pane, &before);
            return false;
        }
        lw_pane_zoom(ex, pane, (unsigned)zoom);
    } while (looks_as(ex, pane, &old) || is_needless(ex, pane, &extents));
    return true;
}

bool lw_pane_zoom_step(struct lw_explorer *ex, struct lw_view_pane *pane, int by)
{
    struct lw_spot spot;
    const uint64_t top = pane->top, left = pane->left;
    bool folded = pane->fold && lw_pane_spot(ex, pane, &spot);
    if (!find_step(ex, pane, by))
        return false;
    pane->top = top; /* the zooms that were tried scrolled to the cursor */
    pane->left = left;
    if (folded) /* cells with more text have fewer elements */
        lw_view_find(&pane->view, &spot, &pane->row, &pane->col);
    lw_zoom_settle(ex, pane);
    ex->panes.centres = true;
    pane->chosen[pane->view_index] = (struct lw_zoom_choice){.zoom = (uint8_t)(pane->zoom + 1),
                                                             .by_user = true,
                                                             .beside = pane->beside,
                                                             .fold = pane->fold,
                                                             .across = pane->across};
    return true;
}

void lw_pane_try_zooms(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    if (pane->zooms_known)
        return;
    pane->zooms_known = true;
    const struct lw_view_pane before = *pane;
    for (int i = 0; i < 2; i++) {
        pane->zooms[i] = find_step(ex, pane, i ? 1 : -1);
        if (pane->zooms[i])
            lw_pane_zoom(ex, pane, before.zoom);
    }
    return_to(ex, pane, &before);
}

void lw_pane_zoom_put(const struct lw_view_pane *pane, struct lw_text *text)
{
    static const char *const names[] = {"full",   "short",         "number",          "two columns",
                                        "groups", "one character", "half a character"};
    if (lw_pane_is_prose(pane))
        return;
    if (pane->step_rows * pane->step_cols > 1)
        lw_text_format(text, "a cell is %llux%llu", (unsigned long long)pane->step_rows,
                       (unsigned long long)pane->step_cols);
    else
        lw_text_format(text, "zoom %s",
                       names[pane->zoom < LW_ZOOM_HALF ? pane->zoom : LW_ZOOM_HALF]);
}
