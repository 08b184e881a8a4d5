/* Two view panes: of one layout, of the two layouts of a pair, or of two that are compared. Invariant:
 * `pane` is one of the first pane_count of `panes`; where the other one is `linked`, its cursor is on
 * the same element. */

#include "tui/draw/drawing.h"
#include "tui/lesson/lesson_run.h"

#include <string.h>

static struct lw_view_pane *other_pane(struct lw_explorer *ex)
{
    return &ex->panes.all[ex->panes.active == ex->panes.all];
}

bool lw_pane_is_of_both(const struct lw_view_pane *pane)
{
    struct lw_subject alone;
    if (!pane->has_view || !pane->view.subject->pair)
        return false;
    alone = *pane->view.subject;
    alone.with = NULL;
    alone.pair = NULL;
    return !lw_view_fits(pane->view.type, &alone);
}

/* The view that shows most beside another one: places beside elements, elements beside places. */
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

void lw_pane_copy(struct lw_view_pane *to, const struct lw_view_pane *from)
{
    if (to == from)
        return;
    lw_view_close(&to->view);
    *to = *from;
    to->view = (struct lw_view){0};
    to->has_view = false;
}

void lw_split(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (ex->layouts.has_other) {
        lw_compare_end(ex);
    } else if (ex->panes.count > 1) {
        lw_pane_copy(ex->panes.all, ex->panes.active);
        ex->panes.active = ex->panes.all;
        ex->panes.count = 1;
    } else {
        struct lw_view_pane *pane = &ex->panes.all[1];
        lw_pane_copy(pane, ex->panes.all);
        ex->panes.count = 2;
        pane->zoomed = false;
        pane->row = pane->col = pane->top = pane->left = 0;
        pane->shown = ex->layouts.has_second ? LW_PANE_SECOND : LW_PANE_FIRST;
        /* A view of both layouts says no more of the second one: where its elements lie does. */
        if (!ex->layouts.has_second || lw_pane_is_of_both(ex->panes.all))
            pane->view_index = choose_other_view(ex, pane);
    }
    lw_explorer_reshow(ex);
}

void lw_split_other(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (ex->panes.count < 2) {
        lw_explorer_set_message(ex, false, "there is one view: | shows a second one beside it");
        return;
    }
    ex->panes.active = other_pane(ex);
    ex->focus = LW_FOCUS_VIEW;
    lw_explorer_moved(ex);
}

bool lw_shows_second(const struct lw_view_pane *pane)
{
    return pane->shown == LW_PANE_SECOND || pane->shown == LW_PANE_OTHER_SECOND;
}

bool lw_split_turn(struct lw_explorer *ex)
{
    static const enum lw_pane_layout turned[] = {[LW_PANE_FIRST] = LW_PANE_SECOND,
                                                 [LW_PANE_SECOND] = LW_PANE_FIRST,
                                                 [LW_PANE_OTHER] = LW_PANE_OTHER_SECOND,
                                                 [LW_PANE_OTHER_SECOND] = LW_PANE_OTHER,
                                                 [LW_PANE_STORE] = LW_PANE_FIRST};
    if (!ex->layouts.has_second || (ex->layouts.has_other && !ex->layouts.has_other_second))
        return false;
    for (int i = 0; i < ex->panes.count; i++)
        if (ex->layouts.has_other || &ex->panes.all[i] == ex->panes.active)
            ex->panes.all[i].shown = turned[ex->panes.all[i].shown];
    return true;
}

void lw_split_layout(struct lw_explorer *ex, int unused)
{
    (void)unused;
    bool store =
        !ex->layouts.has_other && ex->panes.active->shown == LW_PANE_SECOND && lw_lesson_store(ex);
    if (store) {
        ex->panes.active->shown = LW_PANE_STORE;
    } else if (ex->layouts.has_second && !lw_split_turn(ex)) {
        lw_explorer_set_message(ex, false, "%s has one layout only", ex->compare.other_name);
        return;
    }
    if (!ex->layouts.has_second) {
        lw_explorer_set_message(ex, false, "%s",
                                ex->layouts.second_problem.code != LW_OK
                                    ? ex->layouts.second_problem.message
                                    : "this document has one layout only");
        return;
    }
    lw_explorer_reshow(ex);
    if (store && !ex->panes.active->has_view) /* it is none of the pair, and has no view of two */
        lw_explorer_view(ex, lw_view_default(lw_lesson_store(ex))->name);
}

/* ---- Linking ---- */

/* A spot as another layout has it: the element is the same, its place is not. */
static bool spot_for(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                     struct lw_spot *spot)
{
    const struct lw_subject *to = lw_explorer_subject(ex, pane);
    *spot = ex->panes.spot;
    if (!ex->panes.has_spot || !to)
        return false;
    if (pane->shown == ex->panes.active->shown)
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

void lw_split_link(struct lw_explorer *ex)
{
    struct lw_view_pane *pane = other_pane(ex);
    struct lw_spot spot;
    uint64_t row, col;
    if (ex->panes.count < 2)
        return;
    pane->linked = pane->has_view && pane->view.type->find && spot_for(ex, pane, &spot) &&
                   pane->view.type->find(&pane->view, &spot, &row, &col);
    if (pane->linked) {
        pane->row = row;
        pane->col = col;
    }
    lw_pane_scroll(ex, pane);
}

bool lw_is_linked(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  const struct lw_spot *spot)
{
    size_t bytes = (size_t)pane->view.subject->map.out.count * sizeof *spot->out;
    return pane != ex->panes.active && pane->linked && ex->panes.spot.has_out && spot->has_out &&
           !memcmp(spot->out, ex->panes.spot.out, bytes);
}
