/* The zooms: the cells of each in a pane, and the one with the most text at which all of a view fits. */

#include "tui/draw/drawing.h"
#include "tui/lesson/lesson_run.h"
#include "tui/pane/zoom_rungs.h"
#include "view/view_parts.h"

#include <string.h>

bool lw_pane_is_prose(const struct lw_view_pane *pane)
{
    size_t count;
    return lw_view_types(&count)[pane->view_index]->prose;
}

bool lw_is_plain(const struct lw_explorer *ex)
{
    return ex->screen.plain || ex->screen.few || ex->options->ascii || ex->keep.settings.ascii;
}

static bool has_halves(const struct lw_explorer *ex)
{
    return !lw_is_plain(ex);
}

/* ---- The cells of a zoom ---- */

bool lw_zoom_has_groups(unsigned zoom)
{
    return zoom == LW_ZOOM_GROUP || zoom == LW_ZOOM_FEW;
}

static enum lw_detail detail_of(unsigned zoom)
{
    static const enum lw_detail details[] = {LW_DETAIL_FULL, LW_DETAIL_SHORT, LW_DETAIL_NUMBER,
                                             LW_DETAIL_NUMBER};
    if (lw_zoom_has_groups(zoom))
        return LW_DETAIL_NUMBER;
    return zoom < sizeof details / sizeof *details ? details[zoom] : LW_DETAIL_CHAR;
}

static uint64_t power_below(uint64_t n)
{
    uint64_t power = 1;
    while (power <= n / 2)
        power *= 2;
    return power;
}

/* Halves the rows or the columns of cells, whichever overflow more. A wrapped tensor gets rows twice as long, so that a
 * cell has consecutive elements. */
static void halve(struct lw_explorer *ex, struct lw_view_pane *pane, const struct lw_grid *grid)
{
    if (pane->wrap && pane->view.rows > 1) {
        pane->wrap *= 2;
        pane->step_cols *= 2;
        lw_pane_open_as_sized(ex, pane);
        return;
    }
    uint64_t rows = lw_grid_cells(pane->view.rows, pane->step_rows);
    uint64_t cols = lw_grid_cells(pane->view.cols, pane->step_cols);
    double down = (double)rows / (grid->rows > 0 ? grid->rows : 1);
    double across = (double)cols / (grid->cols > 0 ? grid->cols : 1);
    if (down > across || cols <= 1)
        pane->step_rows *= 2;
    else
        pane->step_cols *= 2;
}

/* Wraps a tensor of one dim, or with others of size 1, into rows of a power of two, as long as there is room. */
static void wrap(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_grid grid;
    const struct lw_view *view = &pane->view;
    if ((view->rows > 1 && view->cols > 1) || strcmp(view->type->name, "owners") != 0)
        return;
    lw_grid(ex, pane, &grid);
    if (grid.cols < 1 || ((uint64_t)grid.cols >= view->cols && (uint64_t)grid.rows >= view->rows))
        return;
    pane->wrap = power_below((uint64_t)grid.cols);
    lw_pane_open_as_sized(ex, pane);
}

void lw_pane_zoom(struct lw_explorer *ex, struct lw_view_pane *pane, unsigned zoom)
{
    struct lw_grid grid;
    unsigned halvings = zoom > LW_ZOOM_FEW ? zoom - LW_ZOOM_FEW : 0;
    bool groups = lw_zoom_has_groups(zoom);
    pane->zoom = (uint8_t)zoom;
    pane->detail = detail_of(zoom);
    pane->half = zoom >= LW_ZOOM_HALF && !groups && has_halves(ex);
    pane->step_rows = pane->step_cols = 1;
    pane->groups.on = false;
    pane->parts_color = NULL;
    pane->wrap = 0;
    pane->mapped = false;
    lw_pane_open_as_sized(ex, pane);
    if (!lw_pane_is_picture(pane))
        return;
    wrap(ex, pane);
    if (!groups && !halvings)
        return;
    lw_grid(ex, pane, &grid);
    bool grouped = groups && !ex->panes.ungrouped &&
                   lw_groups_find(ex, pane, &grid, ex->screen.plain ? 1 : 2, zoom == LW_ZOOM_FEW);
    if (grouped) {
        pane->step_rows = pane->groups.rows;
        pane->step_cols = pane->groups.cols;
    }
    for (unsigned i = 0; i < halvings; i++)
        halve(ex, pane, &grid);
    if (halvings || grouped)
        lw_pane_open_as_sized(ex, pane); /* with the colours of larger parts */
    if (halvings)
        lw_pane_color_parts(ex, pane);
}

/* ---- The choice ---- */

/* Whether numbers without a blank between them would read as one: neighbours may have the same colour, or none. */
static bool numbers_would_run_on(const struct lw_explorer *ex, const struct lw_view_pane *pane)
{
    return ex->screen.plain || ex->screen.few || (!pane->view.color && !pane->view.shades);
}

/* The number that a cell of two columns has; false: it has none. */
static bool number_at(const struct lw_view *view, struct lw_cell_field field, uint64_t row,
                      uint64_t col, uint64_t *value)
{
    struct lw_spot spot;
    if (!view->type->spot(view, row, col, &spot) || !spot.has_in || !spot.has_out)
        return false;
    *value = lw_cell_field_value(view->subject, field, spot.in, spot.out);
    return true;
}

/* Whether numbers of two digits do not touch without a blank between them: in each row every second cell equals the one
 * before it, and is empty (without colours marks of a comparison would be there). */
static bool numbers_are_joined(const struct lw_view_pane *pane)
{
    enum { LOOKED_AT = 1 << 13 }; /* cells at most: more are on no screen */
    const struct lw_view *view = &pane->view;
    struct lw_cell_field field;
    uint64_t left, right;
    const char *name = view->subject && !view->type->layout && view->type->spot
                           ? lw_cell_number_name(view, view->subject)
                           : NULL;
    if (!name || view->rows > LOOKED_AT / view->cols || view->cols % 2 ||
        !lw_cell_field_find(view->subject, name, strlen(name), &field) ||
        lw_digits(lw_cell_field_max(view->subject, field)) > 2 ||
        lw_map_replication(&view->subject->map) > 1)
        return false;
    for (uint64_t row = 0; row < view->rows; row++)
        for (uint64_t col = 0; col < view->cols; col += 2)
            if (!number_at(view, field, row, col, &left) ||
                !number_at(view, field, row, col + 1, &right) || left != right)
                return false;
    return true;
}

bool lw_zoom_is_rung(const struct lw_explorer *ex, const struct lw_view_pane *pane, unsigned zoom)
{
    bool picture = lw_pane_is_picture(pane);
    if (zoom == LW_ZOOM_NUMBER)
        return picture && !lw_view_shows_indices(&pane->view);
    if (zoom == LW_ZOOM_TWO && picture && numbers_would_run_on(ex, pane))
        return pane->view.type->width(&pane->view) <= 1 ||
               (!(ex->screen.mono && ex->layouts.has_other) && numbers_are_joined(pane));
    if (zoom == LW_ZOOM_TWO)
        return picture || (pane->has_view && pane->view.type->heat && !ex->screen.plain);
    if (lw_zoom_has_groups(zoom))
        return picture && !ex->panes.ungrouped;
    if (zoom == LW_ZOOM_HALF)
        return has_halves(ex);
    return zoom < LW_ZOOM_HALF || picture;
}

static bool cells_fit(const struct lw_view_pane *pane, const struct lw_grid *grid)
{
    return (uint64_t)grid->rows >= lw_grid_cells(pane->view.rows, pane->step_rows) &&
           (uint64_t)grid->cols >= lw_grid_cells(pane->view.cols, pane->step_cols);
}

bool lw_pane_fits(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_grid grid;
    lw_grid(ex, pane, &grid);
    return pane->has_view && cells_fit(pane, &grid);
}

/* Whether a view of that size cannot fit at a zoom, for any text of its cells. */
static bool cannot_fit(const struct lw_view_pane *pane, const struct lw_grid *grid, unsigned zoom)
{
    uint64_t width = (uint64_t)(grid->inside.width > 0 ? grid->inside.width : 1);
    uint64_t cells = zoom < LW_ZOOM_TWO ? width / 2 : zoom == LW_ZOOM_TWO ? width / 2 : width;
    bool wraps = pane->wrap || pane->view.rows == 1 || pane->view.cols == 1;
    if (zoom == LW_ZOOM_GROUP)
        return false;
    return (!wraps && pane->view.cols > cells) ||
           (zoom < LW_ZOOM_HALF && !wraps && pane->view.rows > (uint64_t)grid->rows);
}

/* Gives each element a cell, and scrolls the rest: cells of several elements would not show the differences. */
static void scroll_moves(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    lw_pane_zoom(ex, pane, has_halves(ex) ? LW_ZOOM_HALF : LW_ZOOM_CHAR);
}

/* Halves as often as needed. If cells of a few threads fit, they are used, as they show more. */
static void fit_halves(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_grid grid;
    unsigned zoom = LW_ZOOM_FEW;
    lw_pane_zoom(ex, pane, LW_ZOOM_HALF);
    lw_grid(ex, pane, &grid);
    if (cells_fit(pane, &grid))
        return;
    if (lw_zoom_is_rung(ex, pane, LW_ZOOM_FEW)) {
        lw_pane_zoom(ex, pane, LW_ZOOM_FEW);
        if (pane->groups.on && !lw_pane_hides_moves(ex, pane))
            return;
        lw_pane_zoom(ex, pane, LW_ZOOM_HALF);
    }
    while (zoom < LW_ZOOM_MAX && !cells_fit(pane, &grid)) {
        halve(ex, pane, &grid);
        zoom++;
    }
    lw_pane_zoom(ex, pane, zoom);
    if (lw_pane_hides_moves(ex, pane))
        scroll_moves(ex, pane);
}

/* Chooses the zoom with the most text at which all of a picture fits; `grid` is that of the first zoom. */
static void fit_picture(struct lw_explorer *ex, struct lw_view_pane *pane,
                        const struct lw_grid *grid)
{
    bool points = lw_lesson_points(ex); /* so that each step of the cursor is one element */
    for (unsigned zoom = LW_ZOOM_FULL; zoom < LW_ZOOM_HALF; zoom++) {
        if (points && zoom == LW_ZOOM_GROUP)
            continue;
        bool folds = pane->fold > 1; /* the fold depends on the text */
        if (!lw_zoom_is_rung(ex, pane, zoom) || (!folds && cannot_fit(pane, grid, zoom)))
            continue;
        lw_pane_zoom(ex, pane, zoom);
        if (lw_pane_fits(ex, pane) && (zoom != LW_ZOOM_GROUP || pane->groups.on) &&
            !lw_pane_hides_moves(ex, pane))
            return;
    }
    if (points)
        lw_pane_zoom(ex, pane, LW_ZOOM_SHORT);
    else
        fit_halves(ex, pane);
}

/* The zoom of an MMA depends on colours, and has to. With them numbers of two digits need no blank between them: lanes
 * are numbers in two columns, where it must be with several elements along k a cell. Without them numbers need that
 * blank, and the text that has room is a letter for each element; halves of characters, which show a lane by its colour
 * alone, are not used. */
bool lw_pane_shows_lanes(const struct lw_explorer *ex, const struct lw_view_pane *pane)
{
    return pane->zoom <= LW_ZOOM_TWO || (lw_is_plain(ex) && pane->step_rows * pane->step_cols == 1);
}

/* Arranges an MMA; returns whether the numbers of its lanes then fit. */
static bool arrange(struct lw_explorer *ex, struct lw_view_pane *pane, const struct lw_grid *grid,
                    bool beside, uint64_t fold)
{
    (void)beside;
    (void)fold;
    lw_pane_zoom(ex, pane, LW_ZOOM_FULL);
    fit_picture(ex, pane, grid);
    return lw_pane_shows_lanes(ex, pane);
}

bool lw_pane_operands_touch(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_grid grid;
    if (!pane->has_view || strcmp(pane->view.type->name, "mma") != 0)
        return false;
    lw_grid(ex, pane, &grid);
    return pane->zoom == LW_ZOOM_TWO && !grid.wides && pane->view.type->width(&pane->view) > 1;
}

/* Whether enough rows of an MMA are shown to scroll the rest: three quarters, or two fifths of a small tile if the
 * inspector is small already. */
static bool has_most_rows(const struct lw_explorer *ex, const struct lw_grid *grid, uint64_t rows)
{
    uint64_t shown = (uint64_t)(grid->rows > 0 ? grid->rows : 0);
    enum { SMALL = 40 };
    bool low = ex->panes.inspector == LW_INSPECTOR_LOW && rows <= SMALL;
    return low ? shown * 5 >= rows * 2 : shown * 4 >= rows * 3;
}

/* Shows all columns of an MMA with the numbers of lanes, and most rows: the rest is scrolled. */
static bool scroll_mma(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_grid grid;
    pane->beside = false;
    pane->fold = 0;
    for (unsigned zoom = LW_ZOOM_SHORT; zoom <= LW_ZOOM_TWO; zoom++) {
        if (!lw_zoom_is_rung(ex, pane, zoom))
            continue;
        lw_pane_zoom(ex, pane, zoom);
        lw_grid(ex, pane, &grid);
        bool written = zoom < LW_ZOOM_TWO || pane->view.type->width(&pane->view) <= 2;
        if (written && (uint64_t)grid.cols >= pane->view.cols &&
            has_most_rows(ex, &grid, pane->view.rows))
            return true;
    }
    return false;
}

/* Whether the result has more cells than there is room for numbers of lanes: only elements along k can be folded. */
static bool is_large_mma(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                         const struct lw_grid *grid)
{
    const struct lw_view *view = &pane->view;
    uint64_t width = (uint64_t)(grid->inside.width > 0 ? grid->inside.width : 0);
    struct lw_view_part result = {0};
    for (int i = 0; view->type->part && view->type->part(view, i, &result); i++)
        if (!strcmp(result.name, "C"))
            break;
    return result.cols * (lw_is_plain(ex) ? 1 : 2) > width || !has_most_rows(ex, grid, result.rows);
}

/* If not all numbers of lanes of an MMA fit: puts its operands side by side, or makes one cell of the elements along
 * k with one lane. */
static void fit_mma(struct lw_explorer *ex, struct lw_view_pane *pane, const struct lw_grid *grid)
{
    if (ex->panes.aligned || lw_pane_shows_lanes(ex, pane) ||
        strcmp(pane->view.type->name, "mma") != 0 || is_large_mma(ex, pane, grid))
        return;
    for (int touch = 0; touch < 2; touch++)
        for (int folded = 0; folded < 2; folded++)
            for (int beside = !folded; beside < 2; beside++)
                if (arrange(ex, pane, grid, beside, folded ? LW_FOLD_MOST : 1) &&
                    (touch || !lw_pane_operands_touch(ex, pane)))
                    return;
    if (!scroll_mma(ex, pane))
        arrange(ex, pane, grid, false, 0);
}

/* Where not all elements of a tensor of three dims or more fit with text: lets as many of its last dims run across that
 * they do. Two panes have one arrangement. */
static void fit_dims(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_grid grid;
    const int dims = pane->view.subject->map.out.count;
    if (pane->zoom <= LW_ZOOM_TWO || ex->panes.count > 1 || lw_lesson_points(ex) ||
        strcmp(pane->view.type->name, "owners") != 0)
        return;
    for (int across = 2; across < dims; across++) {
        pane->across = (uint64_t)across;
        lw_pane_zoom(ex, pane, LW_ZOOM_FULL);
        lw_grid(ex, pane, &grid);
        if (cannot_fit(pane, &grid, LW_ZOOM_TWO))
            continue;
        fit_picture(ex, pane, &grid);
        if (pane->zoom <= LW_ZOOM_TWO)
            return;
    }
    if (!pane->across)
        return;
    pane->across = 0;
    lw_pane_zoom(ex, pane, LW_ZOOM_FULL);
    lw_grid(ex, pane, &grid);
    fit_picture(ex, pane, &grid);
}

/* Chooses the zoom of a table that needs all its columns: with the most text at which they fit, wider than two columns
 * only if the bars fit beside them. */
static void fit_columns(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_grid grid;
    for (unsigned zoom = LW_ZOOM_FULL; zoom <= LW_ZOOM_CHAR; zoom++) {
        if (!lw_zoom_is_rung(ex, pane, zoom))
            continue;
        lw_pane_zoom(ex, pane, zoom);
        lw_grid(ex, pane, &grid);
        if ((uint64_t)grid.cols >= pane->view.cols && grid.label < grid.inside.width / 2 &&
            (zoom >= LW_ZOOM_TWO || lw_grid_bar_room(pane, &grid) >= LW_BAR_LEAST))
            return;
    }
}

/* Shortens a table whose cells or labels are so wide that few would fit. */
static void fit_table(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    enum { FEW = 4 };
    struct lw_grid grid;
    lw_grid(ex, pane, &grid);
    if (pane->view.cols < FEW)
        return;
    /* Whether labels are cut, or wider than the cells below them. */
    bool cut = grid.label >= grid.inside.width / 2;
    size_t width = pane->view.type->width(&pane->view);
    bool apart = grid.cell > 2 * (int)width && (uint64_t)grid.cols < pane->view.cols;
    if (cut || apart || grid.cols < FEW)
        lw_pane_zoom(ex, pane, LW_ZOOM_SHORT);
}

static void fit(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_grid grid;
    bool own = lw_pane_is_prose(pane) || ex->panes.unchosen;
    struct lw_zoom_choice chosen = {0};
    if (!own)
        chosen = pane->chosen[pane->view_index];
    pane->across = chosen.across;
    lw_pane_zoom(ex, pane, chosen.zoom ? chosen.zoom - 1u : LW_ZOOM_FULL);
    lw_grid(ex, pane, &grid);
    if (chosen.zoom || !pane->has_view || grid.rows < 1 || lw_pane_is_prose(pane))
        return;
    if (pane->view.type->picture) {
        fit_picture(ex, pane, &grid);
        fit_mma(ex, pane, &grid);
        fit_dims(ex, pane);
    } else if (pane->view.type->col_width)
        fit_columns(ex, pane);
    else
        fit_table(ex, pane);
}

void lw_zoom_settle(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    pane->tile_rows = pane->tile_cols = 0;
    if (!lw_pane_is_picture(pane))
        return;
    bool rows_of_one = !pane->groups.on || pane->step_rows == 1;
    if ((pane->zoom < LW_ZOOM_HALF || pane->groups.on) && rows_of_one && !pane->wrap &&
        !pane->beside)
        lw_view_tiles(&pane->view, &pane->tile_rows, &pane->tile_cols);
    pane->mapped = !lw_pane_fits(ex, pane);
    lw_pane_scroll(ex, pane);
}

void lw_pane_zoom_to_fit(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    pane->tile_rows = pane->tile_cols = 0;
    fit(ex, pane);
    lw_zoom_settle(ex, pane);
}
