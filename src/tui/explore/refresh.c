/* The results of a change: other files set flags in ex->changed, and lw_refresh() updates the layouts, the views, the
 * form, the comparison and the marks after a change of the document or the cursor. Invariant: when has_view, the view
 * is of a layout in `layouts`, and the cursor is on one of its cells. */

#include "tui/draw/drawing.h"
#include "tui/explore/explorer.h"
#include "tui/access/solve.h"
#include "tui/form/threads.h"
#include "tui/prompt/query_match.h"

#include <string.h>

/* ---- The cursor ---- */

static void follow_cursor(struct lw_explorer *ex)
{
    struct lw_panes_state *panes = &ex->panes;
    struct lw_view_pane *pane = panes->active;
    struct lw_spot spot;
    lw_pane_scroll(ex, pane);
    panes->hidden.on = lw_spot_is_hidden(panes);
    panes->found = panes->found && lw_spot_is_here(ex);
    if (!panes->hidden.on && lw_pane_spot(ex, pane, &spot)) {
        panes->spot = spot;
        panes->has_spot = true;
    }
    lw_explain_cursor(ex, lw_inspector_columns(ex));
    lw_split_link(ex);
    lw_form_follow(ex);
}

/* Whether the cell under the cursor is of the index of a spot, in a view that cannot find one: a bit of a basis. */
static bool is_of_spot(const struct lw_view_pane *pane, const struct lw_spot *spot)
{
    struct lw_spot own;
    return pane->has_view && !pane->view.type->find && pane->view.type->spot &&
           pane->view.type->spot(&pane->view, pane->row, pane->col, &own) &&
           lw_spot_is_of(&own, spot, &pane->view.subject->map.in);
}

/* To the cell of a spot, which find `found`; where the view has none the spot is kept for another view. */
static void go(struct lw_explorer *ex, const struct lw_spot *spot, bool found)
{
    struct lw_panes_state *panes = &ex->panes;
    struct lw_view_pane *pane = panes->active;
    uint64_t row, col;
    bool shown = pane->has_view && lw_view_find(&pane->view, spot, &row, &col);
    if (shown) {
        pane->row = row;
        pane->col = col;
        panes->found = found;
        if (found)
            lw_pane_show_around(ex, pane);
    } else {
        lw_pane_scroll(ex, pane); /* which keeps the cursor in the view */
    }
    panes->spot = *spot;
    panes->has_spot = true;
    panes->moved = panes->moved || found;
    panes->hidden.on = !shown && !is_of_spot(pane, spot);
    panes->hidden.view = pane->view_index;
    panes->hidden.row = pane->row;
    panes->hidden.col = pane->col;
    follow_cursor(ex);
}

/* ---- The views ---- */

/* The first cells of a view of several layouts are empty: the cursor begins in the part of the result. */
static void leave_corner(struct lw_view_pane *pane)
{
    if (!pane->has_view || pane->row || pane->col)
        return;
    struct lw_view_part part;
    for (int i = 0; pane->view.type->part && pane->view.type->part(&pane->view, i, &part); i++) {
        pane->row = part.row; /* the result is the last one */
        pane->col = part.col;
    }
}

/* The position of a pane's cursor. */
struct at {
    const struct lw_view_type *type; /* NULL: no position */
    uint64_t row, col, rows, cols;
    struct lw_spot spot;
};

/* It has no position in an open view of layouts that have been replaced. */
static struct at cursor_of(const struct lw_explorer *ex, const struct lw_view_pane *pane)
{
    struct at at = {NULL, pane->row, pane->col, pane->view.rows, pane->view.cols, {0}};
    if (pane->has_view && pane->opened == ex->layouts.version && pane->view.type->layout &&
        lw_pane_spot(ex, pane, &at.spot))
        at.type = pane->view.type;
    return at;
}

/* Restores the cursor after the parts of a view were arranged in several ways to find one that fits. */
static void put_cursor_back(struct lw_view_pane *pane, const struct at *at)
{
    if (!at->type || !pane->has_view || pane->view.type != at->type)
        return;
    if (pane->view.rows == at->rows && pane->view.cols == at->cols) {
        pane->row = at->row;
        pane->col = at->col;
    } else if (at->row || at->col) { /* the user has moved it */
        lw_view_find(&pane->view, &at->spot, &pane->row, &pane->col);
    }
}

/* Opens the views with as much text as there is room for. */
static void fit_views(struct lw_explorer *ex)
{
    struct lw_panes rects;
    struct at at[LW_PANES_MAX];
    for (int i = 0; i < ex->panes.count; i++) {
        struct lw_view_pane *pane = &ex->panes.all[i];
        at[i] = cursor_of(ex, pane);
        pane->fresh = pane->fresh && pane->opened == ex->layouts.version;
        pane->zooms_known = false;
    }
    lw_room_fit(ex);
    for (int i = 0; i < ex->panes.count; i++) {
        put_cursor_back(&ex->panes.all[i], &at[i]);
        leave_corner(&ex->panes.all[i]);
        if (ex->panes.centres)
            lw_pane_show_around(ex, &ex->panes.all[i]);
    }
    ex->panes.centres = false;
    lw_panes(ex, &rects);
    memcpy(ex->panes.fitted, rects.view, sizeof rects.view);
    follow_cursor(ex);
}

/* Whether the size of the views has changed since they were fitted, as by a focus on the list or a folded form. */
static bool views_have_moved(const struct lw_explorer *ex)
{
    struct lw_panes rects;
    lw_panes(ex, &rects);
    bool gone = rects.view[ex->panes.active - ex->panes.all].height == 0;
    return !rects.tiny && !gone && memcmp(ex->panes.fitted, rects.view, sizeof rects.view) != 0;
}

/* ---- The layouts ---- */

/* Whether an edit gave a layout more threads than the hardware has; then it is closed. */
static bool exceeds(struct lw_explorer *ex, enum lw_side side, struct lw_opened *made,
                    struct lw_error *err)
{
    bool too_many = lw_threads_exceed(ex, side, &made->subject, err);
    if (too_many)
        lw_subject_close(made);
    return too_many;
}

/* Opens the layout at a side again; if it is not legal, the last legal one stays. */
static void open_side(struct lw_explorer *ex, enum lw_side side)
{
    const struct lw_document *doc = lw_explorer_entry(ex)->doc;
    struct lw_layouts *layouts = &ex->layouts;
    struct lw_error *problem = &layouts->side_problems[side];
    struct lw_opened made;
    bool has = side != doc->side && lw_document_has(doc, side);
    problem->code = LW_OK;
    if (has && (!lw_subject_open_side(&made, doc, side, lw_explorer_hardware(ex)->lanes, problem) ||
                exceeds(ex, side, &made, problem)))
        return;
    if (layouts->has_side[side])
        lw_flash_keep(ex, side, &layouts->sides[side]);
    layouts->has_side[side] = has;
    if (has) {
        layouts->sides[side] = made;
        layouts->sides[side].subject.hardware = lw_explorer_target(ex);
    }
}

/* Opens the other layouts of the access, and joins all of them. */
static void open_sides(struct lw_explorer *ex)
{
    struct lw_layouts *layouts = &ex->layouts;
    for (int i = 0; i < LW_SIDES; i++)
        open_side(ex, (enum lw_side)i);
    if (lw_layouts_are_several(layouts))
        lw_layouts_join(layouts, false, &layouts->problem);
    else
        lw_layouts_join_compared(layouts, &layouts->problem);
    for (int i = 0; i < LW_PANES_MAX; i++) {
        struct lw_shown *shown = &ex->panes.all[i].shown;
        if (!lw_layouts_at(layouts, *shown))
            *shown = (struct lw_shown){layouts->side, false};
    }
}

/* An edited layout is not the product of others any more: it is shown alone. */
static bool leave_products(struct lw_explorer *ex)
{
    bool left = false;
    for (int i = 0; i < ex->panes.count; i++) {
        struct lw_view_pane *pane = &ex->panes.all[i];
        if (pane->has_view || pane->view_index != lw_view_index("product"))
            continue;
        pane->view_index = lw_view_index("owners");
        left = true;
    }
    return left;
}

/* Opens the layouts of the edited entry; false: they are not legal, and the last legal ones stay. */
static bool open_layouts(struct lw_explorer *ex)
{
    struct lw_layouts *layouts = &ex->layouts;
    struct lw_opened made;
    layouts->problem.code = LW_OK;
    for (int i = 0; i < LW_SIDES; i++)
        layouts->side_problems[i].code = LW_OK;
    lw_solve_end(ex);
    lw_better_end(ex);
    lw_flash_pause(ex);
    const struct lw_document *doc = lw_explorer_entry(ex)->doc;
    if (!lw_subject_open(&made, doc, lw_explorer_hardware(ex)->lanes, &layouts->problem) ||
        exceeds(ex, doc->side, &made, &layouts->problem))
        return false;
    if (layouts->has_opened)
        lw_flash_keep(ex, layouts->side, &layouts->opened);
    layouts->version++;
    layouts->opened = made;
    layouts->opened.subject.hardware = lw_explorer_target(ex);
    layouts->has_opened = true;
    layouts->side = doc->side;
    open_sides(ex);
    lw_flash_begin(ex);
    ex->panes.play.instruction = ex->panes.play.wavefront = 0; /* numbers may differ now */
    ex->panes.next_step = 0;
    return true;
}

static void rebuild(struct lw_explorer *ex)
{
    struct lw_spot spot = ex->panes.spot;
    const bool had = ex->panes.has_spot, found = ex->panes.found;
    if (open_layouts(ex)) {
        fit_views(ex);
        if (leave_products(ex))
            fit_views(ex);
        lw_compare_refresh(ex);
        follow_cursor(ex);
        if (had)
            go(ex, &spot, found && lw_query_again(ex, &spot));
    }
    lw_form_refresh(ex);
}

/* ---- The entry ---- */

/* The view of a layout that is made of others shows it beside them, if the screen has a cell for each element. */
static const char *own_view(const struct lw_explorer *ex)
{
    const struct lw_subject *subject = &ex->layouts.opened.subject;
    const struct lw_view_type *product = lw_view_type_find("product");
    struct lw_view view;
    bool fits = lw_view_open(&view, product, subject, NULL, NULL);
    fits = fits && view.rows <= 2 * (uint64_t)ex->screen.height &&
           view.cols <= (uint64_t)ex->screen.width;
    lw_view_close(&view);
    return (fits ? product : lw_view_default(subject))->name;
}

/* What a store and a load, or a conversion, cost; "": the layouts are of neither. */
static const char *access_view(const struct lw_explorer *ex)
{
    const struct lw_subject *subject = &ex->layouts.opened.subject;
    if (!ex->options->names_access || ex->browser || !ex->layouts.has_opened ||
        !lw_layouts_are_several(&ex->layouts))
        return "";
    const char *name = lw_subject_at(subject, LW_SIDE_S) ? "banks" : "conversion";
    return lw_view_fits(lw_view_type_find(name), subject) ? name : "";
}

/* The view to open an entry with: requested, that of an access, the document's, or the subject's own. The second pane
 * keeps its view where that fits. */
static void choose_view(struct lw_explorer *ex, const struct lw_document *doc)
{
    size_t count;
    lw_view_types(&count);
    size_t view = lw_view_index(ex->options->view);
    if (view == count)
        view = lw_view_index(access_view(ex));
    if (view == count)
        view = lw_view_index(doc->view);
    if (view == count && ex->layouts.has_opened)
        view = lw_view_index(own_view(ex));
    ex->panes.all[0].view_index = view < count ? view : 0;
}

/* Closes all layouts; every pane is at its first cell again. */
void lw_layouts_close(struct lw_explorer *ex)
{
    lw_solve_end(ex);
    lw_better_end(ex);
    lw_flash_end(ex);
    lw_layouts_close_all(&ex->layouts, false);
    ex->compare.before.kept = false;
    lw_compare_end(ex);
    ex->panes.has_spot = ex->panes.moved = ex->panes.entered = false;
    for (int i = 0; i < LW_PANES_MAX; i++) {
        struct lw_view_pane *pane = &ex->panes.all[i];
        lw_view_close(&pane->view);
        pane->row = pane->col = pane->top = pane->left = 0;
        pane->has_view = pane->linked = pane->ranged = pane->left_at.on = false;
        pane->views_fit = 0;
    }
}

static void show_entry(struct lw_explorer *ex)
{
    struct lw_entry *entry = lw_explorer_entry(ex);
    ex->form.field = ex->form.top = ex->form.item = 0;
    ex->form.facts_top = 0;
    ex->panes.play = (struct lw_view_options){.access = entry->access};
    lw_zooms_follow_entry(ex);
    lw_layouts_close(ex);
    lw_entries_release(ex);
    follow_cursor(ex);
    entry->broken = !lw_entry_load(ex, ex->list.entry, &ex->layouts.problem);
    if (entry->broken) {
        lw_form_refresh(ex);
        return;
    }
    if (open_layouts(ex))
        lw_compare_refresh(ex);
    choose_view(ex, entry->doc);
    lw_form_refresh(ex);
    fit_views(ex);
}

/* ---- The update ---- */

void lw_refresh(struct lw_explorer *ex, unsigned changed)
{
    const struct lw_spot spot = ex->panes.spot;
    const bool found = ex->panes.found;
    changed |= ex->changed;
    ex->changed = 0;
    ex->refreshed |= changed;
    if (changed & LW_CHANGED_ENTRY)
        show_entry(ex);
    else if ((changed & LW_CHANGED_LAYOUT) && lw_explorer_entry(ex)->loaded)
        rebuild(ex);
    if (changed & LW_CHANGED_DETAIL)
        lw_pane_reopen(ex, ex->panes.active);
    if ((changed & LW_CHANGED_VIEW) || (ex->layouts.has_opened && views_have_moved(ex)))
        fit_views(ex);
    lw_marks_refresh(ex);
    if (changed & LW_CHANGED_SPOT)
        go(ex, &spot, found);
    else if (changed & (LW_CHANGED_CURSOR | LW_CHANGED_DETAIL))
        follow_cursor(ex);
    if (changed & LW_CHANGED_SAVED)
        lw_save_update(ex);
}

void lw_save_update(struct lw_explorer *ex)
{
    struct lw_entry *entry = lw_explorer_entry(ex);
    entry->dirty = entry->loaded && !entry->lesson && /* edits in a lesson are never saved */
                   (entry->recovered || !lw_documents_equal(entry->doc, entry->original));
    struct lw_error err;
    if (!lw_recovery_update(ex, ex->list.entry, &err))
        lw_explorer_set_message(ex, true, "a crash would lose this edit: %s", err.message);
}

void lw_explorer_show(struct lw_explorer *ex, size_t entry)
{
    ex->list.entry = entry;
    lw_refresh(ex, LW_CHANGED_ENTRY);
}
