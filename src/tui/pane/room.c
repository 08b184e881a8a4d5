/* Makes room for the picture: the list shrinks or folds, and the inspector moves beside the views or becomes two lines,
 * if the cells then have more text. For a heat map the form may fold, too. */

#include "tui/draw/drawing.h"
#include "tui/lesson/lesson_run.h"

#include <string.h>

/* The zoom of the coarser picture. A compared one that is scrolled is coarser than any shown as a whole. */
static unsigned fit_panes(struct lw_explorer *ex)
{
    unsigned zoom = 0;
    for (int i = 0; i < ex->panes.count; i++) {
        ex->panes.all[i].least_cell = 0;
        struct lw_view_pane *pane = &ex->panes.all[i];
        lw_pane_fit(ex, pane);
        unsigned own = pane->mapped && lw_pane_compares(ex, pane) ? LW_ZOOM_MAX : pane->zoom;
        zoom = own > zoom ? own : zoom;
    }
    return zoom;
}

static bool has_text(unsigned zoom)
{
    return zoom < LW_ZOOM_TWO;
}

/* Puts two pictures side by side if both then have text, or as many cells as one above the other. Returns the zoom of
 * the coarser one. */
static unsigned arrange(struct lw_explorer *ex)
{
    ex->panes.stacked = false;
    unsigned zoom = fit_panes(ex);
    if (ex->panes.count < 2 || has_text(zoom))
        return zoom;
    ex->panes.stacked = true;
    unsigned above = fit_panes(ex);
    ex->panes.stacked = above < zoom;
    return ex->panes.stacked ? above : fit_panes(ex);
}

static unsigned fit_all(struct lw_explorer *ex)
{
    ex->panes.ungrouped = false;
    unsigned zoom = arrange(ex);
    if (ex->panes.count < 2 || lw_panes_make_equal(ex))
        return zoom;
    ex->panes.ungrouped = true;
    zoom = arrange(ex);
    lw_panes_make_equal(ex);
    return zoom;
}

/* Sets another room for the list and the inspector; returns the zoom. */
static unsigned try(struct lw_explorer *ex, bool narrow, bool folded, enum lw_inspector inspector)
{
    ex->list.narrow = narrow;
    ex->list.folded = folded;
    ex->panes.inspector = inspector;
    return fit_all(ex);
}

static unsigned again(struct lw_explorer *ex, enum lw_inspector inspector)
{
    return try(ex, ex->list.narrow, ex->list.folded, inspector);
}

/* Shrinks the list if the cells then have more text, and folds it if all of the picture fits only then. */
static unsigned fit_beside_list(struct lw_explorer *ex, unsigned wide)
{
    unsigned narrow = try(ex, true, false, LW_INSPECTOR_BELOW);
    if (narrow > LW_ZOOM_CHAR) {
        unsigned folded = try(ex, false, true, LW_INSPECTOR_BELOW);
        if (folded <= LW_ZOOM_CHAR)
            return folded;
    }
    return try(ex, narrow < wide, false, LW_INSPECTOR_BELOW);
}

/* Whether a zoom is without text on a screen without colours, where such cells show little. */
static bool needs_text(const struct lw_explorer *ex, unsigned zoom)
{
    return lw_is_plain(ex) && !has_text(zoom);
}

/* Whether a zoom is so much better that the inspector is made smaller for it: text, numbers or one element a cell where
 * the other has none of them, or the text of each element where the other has groups. */
static bool is_better(const struct lw_explorer *ex, unsigned zoom, unsigned than)
{
    if (than == LW_ZOOM_GROUP && zoom == LW_ZOOM_CHAR)
        return lw_is_plain(ex);
    return has_text(zoom) || (than > LW_ZOOM_CHAR && zoom <= LW_ZOOM_GROUP) ||
           (than == LW_ZOOM_GROUP && zoom == LW_ZOOM_TWO) ||
           (than > LW_ZOOM_HALF && zoom <= LW_ZOOM_HALF);
}

struct zooms {
    unsigned of[LW_PANES_MAX];
};

static struct zooms zooms_of(const struct lw_explorer *ex)
{
    struct zooms zooms = {{0}};
    for (int i = 0; i < ex->panes.count; i++)
        zooms.of[i] = ex->panes.all[i].zoom;
    return zooms;
}

/* Whether one of two pictures has numbers that it did not have before, and the other one as much text as before. */
static bool has_more_numbers(const struct lw_explorer *ex, const struct zooms *before)
{
    bool has = false;
    for (int i = 0; i < ex->panes.count; i++) {
        unsigned zoom = ex->panes.all[i].zoom, than = before->of[i];
        if (zoom > than)
            return false;
        has = has || (than > LW_ZOOM_CHAR && zoom <= LW_ZOOM_GROUP);
    }
    return has;
}

/* With the focus in the form, or in the list that covers it, the room is the same as with the focus in the view. */
static void fit_beside_inspector(struct lw_explorer *ex, unsigned below)
{
    struct lw_panes rects;
    unsigned low, beside, focus = lw_focus_below(ex);
    lw_panes(ex, &rects);
    bool browses = focus != LW_FOCUS_VIEW && focus != LW_FOCUS_FORM && !rects.instead;
    if (has_text(below) || !rects.inspector.height || lw_lesson_is_on(ex) ||
        (browses && !needs_text(ex, below)))
        return;
    const struct zooms before = zooms_of(ex);
    beside = rects.form.height || rects.instead ? again(ex, LW_INSPECTOR_BESIDE) : below;
    if (is_better(ex, beside, below) || has_more_numbers(ex, &before))
        return;
    low = again(ex, LW_INSPECTOR_LOW);
    if (needs_text(ex, low) && rects.list.height && !rects.instead) {
        bool narrow = ex->list.narrow, folded = ex->list.folded;
        if (has_text(try(ex, true, false, LW_INSPECTOR_LOW)))
            return;
        low = try(ex, narrow, folded, LW_INSPECTOR_LOW);
    }
    if (!is_better(ex, low, below) && !has_more_numbers(ex, &before) && !ex->panes.active->beside)
        again(ex, LW_INSPECTOR_BELOW);
}

/* With the focus on the list, the inspector has two lines if the cells then have numbers. */
static void fit_beside_gallery(struct lw_explorer *ex, unsigned zoom)
{
    struct lw_panes rects;
    lw_panes(ex, &rects);
    if (rects.list.height && !rects.instead) {
        unsigned narrow = try(ex, true, false, LW_INSPECTOR_BELOW);
        zoom = narrow < zoom ? narrow : try(ex, false, false, LW_INSPECTOR_BELOW);
    }
    if (zoom > LW_ZOOM_CHAR && again(ex, LW_INSPECTOR_LOW) > LW_ZOOM_TWO)
        again(ex, LW_INSPECTOR_BELOW);
}

/* Folds the form if cells then have the zoom `good`: on the ramp of colours two columns, else text separated by a
 * blank. It is not folded if the user has chosen to show it. */
static unsigned fit_beside_form(struct lw_explorer *ex, unsigned beside, unsigned good)
{
    struct lw_panes rects;
    lw_panes(ex, &rects);
    if (!rects.form.height || ex->form.kept || beside <= good ||
        lw_focus_below(ex) == LW_FOCUS_FORM)
        return beside;
    ex->form.gives_way = true;
    unsigned alone = fit_all(ex);
    if (alone <= good || (good == LW_ZOOM_TWO && alone < beside))
        return alone;
    ex->form.gives_way = false;
    return fit_all(ex);
}

/* Whether cells of two columns have lanes, numbers of two digits, without a third column to separate them. */
static bool numbers_touch(const struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_grid grid;
    if (pane->zoom != LW_ZOOM_TWO || !pane->view.options.instruction)
        return false;
    lw_grid(ex, pane, &grid);
    return lw_grid_cell(&grid, 0) < 3;
}

/* Folds the form if numbers are then separated. */
static void part_numbers(struct lw_explorer *ex)
{
    struct lw_panes rects;
    lw_panes(ex, &rects);
    if (!rects.form.height || ex->form.kept || lw_focus_below(ex) == LW_FOCUS_FORM ||
        !numbers_touch(ex, ex->panes.active))
        return;
    ex->form.gives_way = true;
    fit_all(ex);
    if (!numbers_touch(ex, ex->panes.active))
        return;
    ex->form.gives_way = false;
    fit_all(ex);
}

/* Gives the rows that a short table does not need, except one, to the inspector. The list keeps its rows, and so does
 * the form during an edit. */
static void lend_rows(struct lw_explorer *ex)
{
    enum { MOST = 12 }; /* rows of the inspector */
    struct lw_view_pane *pane = ex->panes.active;
    struct lw_panes rects;
    struct lw_grid grid;
    if (ex->panes.count > 1 || lw_lesson_is_on(ex) || lw_focus_below(ex) == LW_FOCUS_FORM)
        return;
    lw_grid(ex, pane, &grid);
    lw_panes(ex, &rects);
    int free = pane->view.rows < (uint64_t)grid.rows ? grid.rows - (int)pane->view.rows - 1 : 0;
    int wanted = rects.inspector.height && !rects.list.height ? MOST - rects.inspector.height : 0;
    wanted = wanted < 0 ? 0 : wanted;
    ex->panes.spare = free < wanted ? free : wanted;
}

/* Gives the rows of the inspector to a matrix if only then all its rows fit. */
static void fit_matrix(struct lw_explorer *ex)
{
    struct lw_panes rects;
    lw_panes(ex, &rects);
    if (lw_matrix_fits(ex, ex->panes.active) || !rects.inspector.height || lw_lesson_is_on(ex) ||
        (lw_focus_below(ex) != LW_FOCUS_VIEW && !rects.instead))
        return;
    again(ex, LW_INSPECTOR_LOW);
    if (!lw_matrix_fits(ex, ex->panes.active))
        again(ex, LW_INSPECTOR_BELOW);
}

static bool is_mma(const struct lw_view_pane *pane)
{
    return pane->has_view && !strcmp(pane->view.type->name, "mma");
}

/* Folds the form and the inspector if operands have text, or all their rows, only without both. */
static void fit_operands(struct lw_explorer *ex)
{
    struct lw_panes rects;
    const enum lw_inspector inspector = ex->panes.inspector;
    lw_panes(ex, &rects);
    const struct lw_view_pane *pane = ex->panes.active;
    bool gives = rects.form.height && !ex->form.kept && lw_focus_below(ex) != LW_FOCUS_FORM;
    if ((!gives && !pane->mapped) || (pane->zoom <= LW_ZOOM_TWO && !pane->mapped))
        return;
    ex->form.gives_way = ex->form.gives_way || gives;
    if (again(ex, LW_INSPECTOR_LOW) <= LW_ZOOM_TWO)
        return;
    ex->form.gives_way = false;
    again(ex, inspector);
}

/* Whether a line of text is cut. */
static bool is_cut(const struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_grid grid;
    if (!pane->has_view || !pane->view.type->prose)
        return false;
    lw_grid(ex, pane, &grid);
    return pane->view.type->width(&pane->view) > (size_t)(grid.inside.width - grid.label - 1);
}

/* Folds the list if text is cut beside it, then the form. */
static void fit_prose(struct lw_explorer *ex)
{
    struct lw_panes rects;
    struct lw_view_pane *pane = ex->panes.active;
    if (!is_cut(ex, pane) || lw_focus_below(ex) == LW_FOCUS_GALLERY)
        return;
    lw_panes(ex, &rects);
    if (rects.list.height)
        try(ex, false, true, LW_INSPECTOR_BELOW);
    if (!rects.form.height || ex->form.kept || lw_focus_below(ex) == LW_FOCUS_FORM ||
        !is_cut(ex, pane))
        return;
    ex->form.gives_way = true;
    fit_all(ex);
}

/* Folds the list if only then the numbers of operands are separated. */
static void part_operands(struct lw_explorer *ex)
{
    struct lw_panes rects;
    bool narrow = ex->list.narrow;
    lw_panes(ex, &rects);
    if (!rects.list.height || lw_focus_below(ex) == LW_FOCUS_GALLERY ||
        !lw_pane_operands_touch(ex, ex->panes.active))
        return;
    unsigned folded = try(ex, false, true, ex->panes.inspector);
    if (!has_text(folded) && lw_pane_operands_touch(ex, ex->panes.active))
        try(ex, narrow, false, ex->panes.inspector);
}

static void fit_room(struct lw_explorer *ex)
{
    struct lw_panes rects;
    const struct lw_view_pane *pane = ex->panes.active;
    unsigned zoom = try(ex, false, false, LW_INSPECTOR_BELOW);
    fit_prose(ex);
    bool heat = pane->has_view && pane->view.type->heat;
    fit_matrix(ex);
    bool chosen = pane->chosen[pane->view_index].zoom && !ex->panes.unchosen;
    if (!pane->has_view || !(pane->view.type->picture || heat) || chosen || zoom == LW_ZOOM_FULL)
        return;
    if (heat)
        zoom = fit_beside_form(ex, zoom, LW_ZOOM_TWO);
    lw_panes(ex, &rects);
    if (heat && zoom <= LW_ZOOM_TWO) {
        part_numbers(ex);
        return;
    }
    if (lw_focus_below(ex) == LW_FOCUS_GALLERY && !rects.instead && !needs_text(ex, zoom)) {
        fit_beside_gallery(ex, zoom);
        return;
    }
    if (rects.list.height && !rects.instead)
        zoom = fit_beside_list(ex, zoom);
    if (!heat && (zoom == LW_ZOOM_TWO || needs_text(ex, zoom)))
        zoom = fit_beside_form(ex, zoom, LW_ZOOM_NUMBER);
    else if (zoom > LW_ZOOM_TWO &&
             (ex->compare.diff[pane->shown.side].fits || (is_mma(pane) && !ex->panes.aligned)))
        zoom = fit_beside_form(ex, zoom, LW_ZOOM_TWO);
    if (!heat)
        fit_beside_inspector(ex, zoom);
    if (is_mma(pane) && !ex->panes.aligned && !lw_lesson_is_on(ex))
        fit_operands(ex);
    part_operands(ex);
}

/* Whether the user chose the zoom of a view on the screen. */
static bool user_zooms(const struct lw_explorer *ex)
{
    bool zooms = false;
    for (int i = 0; i < ex->panes.count; i++)
        zooms = zooms || ex->panes.all[i].chosen[ex->panes.all[i].view_index].by_user;
    return zooms;
}

/* Whether a picture keeps its cells while the form or the list covers a part of it: these would else change their size
 * with each step of the focus. In the list only one that had the focus, or its form: another one is seen as a whole. */
static bool keeps_cells(const struct lw_explorer *ex)
{
    const struct lw_view_pane *pane = ex->panes.active;
    unsigned focus = lw_focus_below(ex);
    bool covered = focus == LW_FOCUS_FORM || (focus == LW_FOCUS_GALLERY && ex->panes.entered);
    return covered && lw_pane_is_picture(pane) && !lw_lesson_is_on(ex);
}

/* Notes the cells of the pictures as they are without the form or the list over them. */
static void note_cells(struct lw_explorer *ex)
{
    struct lw_grid grid;
    for (int i = 0; i < ex->panes.count; i++) {
        struct lw_view_pane *pane = &ex->panes.all[i];
        if (!lw_pane_is_picture(pane))
            continue;
        lw_grid(ex, pane, &grid);
        pane->covered.cell = grid.cell;
        pane->covered.gap = grid.gap;
        pane->covered.lead = grid.lead;
        pane->covered.tall = grid.tall;
    }
}

/* The cells of the pictures as they are, in the room that there is. */
static void cover(struct lw_explorer *ex)
{
    for (int i = 0; i < ex->panes.count; i++) {
        struct lw_view_pane *pane = &ex->panes.all[i];
        if (!lw_pane_is_picture(pane))
            continue;
        pane->mapped = false;
        pane->mapped = !lw_pane_fits(ex, pane);
        lw_pane_scroll(ex, pane);
    }
}

/* If the user zooms, the room is the same as without the zoom: one step in and one back return to the same screen. */
static void fit_with_focus(struct lw_explorer *ex)
{
    ex->form.gives_way = false;
    ex->panes.spare = 0;
    ex->panes.aligned = true;
    ex->panes.unchosen = user_zooms(ex);
    fit_room(ex);
    if (is_mma(ex->panes.active) && !lw_pane_shows_lanes(ex, ex->panes.active)) {
        ex->panes.aligned = ex->form.gives_way = false;
        fit_room(ex);
    }
    ex->panes.unchosen = false;
    if (user_zooms(ex))
        fit_all(ex);
    if (ex->panes.active->has_view && ex->panes.active->view.type->heat)
        lend_rows(ex);
}

/* Whether all views on the screen have that many rows. */
static bool have_rows(const struct lw_explorer *ex, int rows)
{
    struct lw_panes rects;
    lw_panes(ex, &rects);
    return ex->panes.count < 2 || (rects.view[0].height >= rows && rects.view[1].height >= rows);
}

/* Gives the rows of the inspector to two views that are one above the other beside the form, if they are low. */
static void show_beside_form(struct lw_explorer *ex)
{
    enum { LOW = 9 };
    const enum lw_inspector before = ex->panes.inspector;
    if (lw_focus_below(ex) != LW_FOCUS_FORM || have_rows(ex, LOW))
        return;
    ex->panes.inspector = LW_INSPECTOR_LOW;
    if (!have_rows(ex, 1))
        ex->panes.inspector = before;
    else if (!keeps_cells(ex))
        fit_panes(ex);
}

static void fit_as_focused(struct lw_explorer *ex)
{
    const unsigned focus = ex->focus;
    for (int i = 0; i < LW_PANES_MAX; i++)
        ex->panes.all[i].covered.cell = 0;
    ex->panes.entered = ex->panes.entered || lw_focus_below(ex) != LW_FOCUS_GALLERY;
    if (!keeps_cells(ex)) {
        fit_with_focus(ex);
        show_beside_form(ex);
        return;
    }
    ex->focus = LW_FOCUS_VIEW;
    fit_with_focus(ex);
    note_cells(ex);
    ex->focus = focus;
    show_beside_form(ex);
    cover(ex);
}

/* Opens the views that were chosen since, as the room of each pane depends on what is in all of them. */
static void open_others(struct lw_explorer *ex)
{
    size_t count;
    for (int i = 0; i < ex->panes.count; i++) {
        struct lw_view_pane *pane = &ex->panes.all[i];
        if (pane->has_view && pane->view.type == lw_view_types(&count)[pane->view_index])
            continue;
        pane->beside = false;
        pane->fold = pane->across = 0;
        pane->covered.cell = 0;
        lw_pane_zoom(ex, pane, LW_ZOOM_FULL);
    }
}

/* The sizes of cells that are tried scroll a picture to the cursor: only the last one has to. */
void lw_room_fit(struct lw_explorer *ex)
{
    struct {
        uint64_t top, left;
    } from[LW_PANES_MAX];
    for (int i = 0; i < ex->panes.count; i++) {
        from[i].top = ex->panes.all[i].top;
        from[i].left = ex->panes.all[i].left;
    }
    open_others(ex);
    fit_as_focused(ex);
    for (int i = 0; i < ex->panes.count; i++) {
        struct lw_view_pane *pane = &ex->panes.all[i];
        if (!lw_pane_is_picture(pane) || pane->view.type->layout)
            continue; /* rows of several layouts depend on the size */
        pane->top = from[i].top;
        pane->left = from[i].left;
        lw_pane_scroll(ex, pane);
    }
}
