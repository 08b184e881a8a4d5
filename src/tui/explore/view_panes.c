/* Two view panes: of one layout, of two layouts of an access, or of two that are compared. Invariant: `pane` is one of
 * the first pane_count of `panes`; if the other one is `linked`, its cursor is on the same element. */

#include "tui/draw/drawing.h"

#include <string.h>

static struct lw_view_pane *other_pane(struct lw_explorer *ex)
{
    return &ex->panes.all[ex->panes.active == ex->panes.all];
}

static bool fits(const struct lw_subject *subject, size_t index)
{
    size_t count;
    return subject && lw_view_fits(lw_view_types(&count)[index], subject);
}

/* Finds the pane's layout, or the next one of the access after it, that has a view; false: none has. */
static bool find_side(const struct lw_explorer *ex, const struct lw_view_pane *pane, size_t view,
                      enum lw_side *side)
{
    struct lw_shown shown = pane->shown;
    for (int i = 0; i < LW_SIDES; i++) {
        *side = shown.side;
        if (fits(lw_layouts_at(&ex->layouts, shown), view))
            return true;
        shown.side = lw_layouts_next(&ex->layouts, shown.side);
        if (shown.side == pane->shown.side)
            return false; /* all have been tried */
    }
    return false;
}

static void try_views(const struct lw_explorer *ex, struct lw_view_pane *pane)
{
    size_t count;
    enum lw_side side;
    lw_view_types(&count);
    pane->tried = ex->layouts.version;
    pane->tried_shown = pane->shown;
    pane->views_fit = 0;
    for (size_t i = 0; i < count; i++)
        if (find_side(ex, pane, i, &side))
            pane->views_fit |= 1u << i;
}

bool lw_pane_can_show(const struct lw_explorer *ex, struct lw_view_pane *pane, size_t view)
{
    const struct lw_shown *tried = &pane->tried_shown;
    if (pane->tried != ex->layouts.version || tried->side != pane->shown.side ||
        tried->other != pane->shown.other)
        try_views(ex, pane);
    return pane->views_fit >> view & 1;
}

/* Scrolls back if there is room for more cells. */
void lw_pane_fit(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_grid grid;
    lw_pane_zoom_to_fit(ex, pane);
    lw_grid(ex, pane, &grid);
    if (pane->has_view && !pane->view.type->picture &&
        lw_grid_fits(&grid, 0, pane->view.cols) > pane->col)
        pane->left = 0;
}

/* ---- Two of them ---- */

bool lw_pane_is_of_both(const struct lw_view_pane *pane)
{
    struct lw_subject alone;
    if (!pane->has_view || !pane->view.subject->access)
        return false;
    alone = *pane->view.subject;
    alone.access = NULL;
    return !lw_view_fits(pane->view.type, &alone);
}

/* A view to show beside another one: hardware indices beside elements, and the reverse. */
static size_t choose_other_view(const struct lw_explorer *ex, const struct lw_view_pane *pane)
{
    static const char *const beside[] = {"memory", "hardware", "owners"};
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    const struct lw_subject *subject = lw_explorer_subject(ex, pane);
    for (size_t b = 0; subject && b < sizeof beside / sizeof *beside; b++) {
        size_t i = lw_view_index(beside[b]);
        if (i != pane->view_index && i < count && lw_view_fits(types[i], subject))
            return i;
    }
    return pane->view_index;
}

/* Shows the layout at a side in the active pane, or in both when accesses are compared. */
static void show_side(struct lw_explorer *ex, enum lw_side side)
{
    for (int i = 0; i < ex->panes.count; i++)
        if (ex->layouts.has_other || &ex->panes.all[i] == ex->panes.active)
            ex->panes.all[i].shown.side = side;
}

/* Whether the other pane of a split shows that view already: of the layout at that side, or of all layouts. */
static bool is_beside(struct lw_explorer *ex, size_t index, enum lw_side side)
{
    const struct lw_view_pane *other = other_pane(ex);
    return ex->panes.count > 1 && !ex->layouts.has_other && other->view_index == index &&
           (other->shown.side == side || lw_pane_is_of_both(other));
}

/* What the two panes show, as they show it; the focus stays where it is. */
static void swap_panes(struct lw_explorer *ex)
{
    const struct lw_view_pane first = ex->panes.all[0];
    ex->panes.all[0] = ex->panes.all[1];
    ex->panes.all[1] = first;
    lw_explorer_set_message(ex, false, "the two views are swapped");
    ex->changed |= LW_CHANGED_VIEW;
}

/* Whether a spot is that of the cell which was left in a view. */
static bool is_of_left(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                       const struct lw_spot *spot)
{
    const struct lw_subject *subject = lw_explorer_subject(ex, pane);
    return subject && pane->left_at.on &&
           lw_spot_is_of(spot, &pane->left_at.spot, &subject->map.in);
}

/* Keeps the cursor of a view that cannot find an element, as a basis of the matrix has a cell for each of its bits. The
 * bases, where it has a line, leave it as it is. */
static void leave_view(const struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_spot spot;
    if (!pane->has_view || pane->view.type->find || lw_spot_is_hidden(&ex->panes) ||
        !lw_pane_spot(ex, pane, &spot) ||
        (pane->left_at.view != pane->view_index && is_of_left(ex, pane, &spot)))
        return;
    pane->left_at.on = true;
    pane->left_at.view = pane->view_index;
    pane->left_at.row = pane->row;
    pane->left_at.col = pane->col;
    pane->left_at.spot = spot;
}

/* Returns to that cell if the cursor is still on its element. */
static void return_to_cell(const struct lw_explorer *ex, struct lw_view_pane *pane)
{
    if (!ex->panes.has_spot || pane->left_at.view != pane->view_index ||
        !is_of_left(ex, pane, &ex->panes.spot))
        return;
    pane->row = pane->left_at.row;
    pane->col = pane->left_at.col;
}

void lw_explorer_set_view(struct lw_explorer *ex, size_t index)
{
    struct lw_view_pane *pane = ex->panes.active;
    size_t count;
    lw_view_types(&count);
    if (index >= count)
        return;
    /* A view of all layouts has none of its own: unless x chose one, the first is shown again. */
    if (!ex->layouts.has_other && !pane->side_chosen && index != pane->view_index &&
        lw_pane_is_of_both(pane))
        pane->shown.side = ex->layouts.side;
    /* In an access, the layout that has such a view. */
    enum lw_side side;
    if (!find_side(ex, pane, index, &side))
        side = pane->shown.side;
    if (is_beside(ex, index, side)) {
        swap_panes(ex);
        return;
    }
    bool turned = side != pane->shown.side;
    leave_view(ex, pane);
    show_side(ex, side);
    pane->view_index = index;
    pane->ranged = false;
    pane->row = pane->col = pane->top = pane->left = 0;
    return_to_cell(ex, pane);
    if (turned) { /* the element is the same, its owners differ */
        ex->panes.spot.has_in = false;
        lw_explorer_set_message(ex, false, "this view shows %s: x shows the next layout",
                                lw_side_name(side));
    }
    ex->changed |= LW_CHANGED_VIEW | (ex->panes.has_spot ? LW_CHANGED_SPOT : 0);
}

bool lw_explorer_view(struct lw_explorer *ex, const char *name)
{
    size_t count, index = lw_view_index(name);
    lw_view_types(&count);
    if (index < count)
        lw_explorer_set_view(ex, index);
    return index < count;
}

void lw_split(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (ex->layouts.has_other) {
        lw_compare_end(ex);
        lw_explorer_set_message(ex, false, "the comparison has ended: | opens a second view");
    } else if (ex->panes.count > 1) {
        lw_pane_copy(ex->panes.all, ex->panes.active);
        ex->panes.active = ex->panes.all;
        ex->panes.count = 1;
    } else {
        struct lw_view_pane *pane = &ex->panes.all[1];
        lw_pane_copy(pane, ex->panes.all);
        ex->panes.count = 2;
        ex->panes.split_by_user = true;
        pane->row = pane->col = pane->top = pane->left = 0;
        pane->shown.side = lw_layouts_next(&ex->layouts, ex->layouts.side);
        /* Without an access, the next layout is that of the other pane. */
        if (!lw_layouts_are_several(&ex->layouts) || lw_pane_is_of_both(ex->panes.all))
            pane->view_index = choose_other_view(ex, pane);
        lw_split_explain(ex);
    }
    ex->changed |= LW_CHANGED_VIEW;
}

void lw_split_other(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (ex->panes.count < 2) {
        lw_explorer_set_message(ex, false, "there is one view: | opens a second one");
        return;
    }
    ex->panes.active = other_pane(ex);
    ex->focus = LW_FOCUS_VIEW;
    ex->changed |= LW_CHANGED_CURSOR;
}

/* Shows which layout was chosen, as a view of several layouts is the same for each. */
static void report_chosen(struct lw_explorer *ex, enum lw_side side)
{
    enum { NAME = 24 };
    struct lw_text name = {0};
    lw_strip_put_name(ex, side, NAME, &name);
    lw_explorer_set_message(ex, false, "chosen: %s, %s: F edits, 1 draws, X replaces it",
                            lw_side_name(side), lw_text_string(&name));
    lw_text_free(&name);
}

/* The layout after the one that a pane shows; not one that the other pane shows in the same view. */
static enum lw_side next_side(struct lw_explorer *ex, const struct lw_view_pane *pane)
{
    enum lw_side next = lw_layouts_next(&ex->layouts, pane->shown.side);
    while (next != pane->shown.side && is_beside(ex, pane->view_index, next) &&
           !lw_pane_is_of_both(pane))
        next = lw_layouts_next(&ex->layouts, next);
    return next;
}

void lw_explorer_choose_side(struct lw_explorer *ex, enum lw_side side)
{
    struct lw_view_pane *pane = ex->panes.active;
    show_side(ex, side);
    pane->side_chosen = true;
    if (pane->has_view && !fits(lw_explorer_subject(ex, pane), pane->view_index)) {
        const struct lw_subject *subject = lw_explorer_subject(ex, pane);
        pane->view_index = lw_view_index(lw_view_default(subject)->name);
        pane->row = pane->col = pane->top = pane->left = 0;
    }
    if (pane->has_view && lw_pane_is_of_both(pane))
        report_chosen(ex, side);
    else
        lw_explorer_set_message(ex, false, "shown: %s", lw_side_name(side));
    ex->changed |= LW_CHANGED_VIEW;
}

void lw_split_layout(struct lw_explorer *ex, int unused)
{
    (void)unused;
    struct lw_view_pane *pane = ex->panes.active;
    enum lw_side next = next_side(ex, pane);
    bool several = lw_layouts_are_several(&ex->layouts);
    if (several && ex->layouts.has_other && !lw_layouts_compare_several(&ex->layouts)) {
        lw_explorer_set_message(ex, false, "%s has one layout only", ex->compare.other_name);
        return;
    }
    if (next == pane->shown.side && several) {
        swap_panes(ex);
        return;
    }
    if (next == pane->shown.side) {
        const struct lw_error *problem = lw_layouts_problem(&ex->layouts);
        lw_explorer_set_message(ex, false, "%s",
                                problem ? problem->message
                                        : "this document has one layout only: :shared SOURCE or "
                                          ":load SOURCE adds one");
        return;
    }
    lw_explorer_choose_side(ex, next);
}

/* ---- Linking ---- */

/* A spot in another layout: the same element, with other owners. */
static bool spot_for(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                     struct lw_spot *spot)
{
    const struct lw_subject *to = lw_explorer_subject(ex, pane);
    *spot = ex->panes.spot;
    if (!ex->panes.has_spot || !to)
        return false;
    if (spot->operand || to == lw_explorer_subject(ex, ex->panes.active))
        return true;
    const struct lw_subject *from = lw_explorer_subject(ex, ex->panes.active);
    spot->has_in = false;
    if (!from || from->map.out.count != to->map.out.count)
        return false;
    for (int d = 0; d < to->map.out.count; d++)
        if (spot->out[d] >= to->map.out.dim[d].size)
            return false;
    return spot->has_out;
}

/* Two pictures of one size are scrolled to the same cells. */
static void scroll_alike(const struct lw_explorer *ex, struct lw_view_pane *pane,
                         struct lw_view_pane *other)
{
    if (!pane->has_view || !other->has_view || pane->view.type != other->view.type ||
        pane->view.rows != other->view.rows || pane->view.cols != other->view.cols ||
        pane->step_rows != other->step_rows || pane->step_cols != other->step_cols ||
        pane->row != other->row || pane->col != other->col)
        return;
    lw_pane_scroll_with(ex, pane, other);
    other->top = pane->top;
    other->left = pane->left;
}

void lw_split_link(struct lw_explorer *ex)
{
    struct lw_view_pane *pane = other_pane(ex);
    struct lw_spot spot;
    uint64_t row, col;
    if (ex->panes.count < 2)
        return;
    pane->linked =
        pane->has_view && spot_for(ex, pane, &spot) && lw_view_find(&pane->view, &spot, &row, &col);
    if (pane->linked) {
        pane->row = row;
        pane->col = col;
    }
    lw_pane_scroll(ex, pane);
    if (ex->layouts.has_other)
        scroll_alike(ex, ex->panes.active, pane);
}

bool lw_is_linked(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  const struct lw_spot *spot)
{
    size_t bytes = (size_t)pane->view.subject->map.out.count * sizeof *spot->out;
    return pane != ex->panes.active && pane->linked && ex->panes.spot.has_out && spot->has_out &&
           spot->operand == ex->panes.spot.operand && !memcmp(spot->out, ex->panes.spot.out, bytes);
}
