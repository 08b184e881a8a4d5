/* Keeps the zooms chosen by the user, and the side of an access, for each layout. */

#include "tui/explore/explorer.h"

#include <string.h>

void lw_zooms_follow_entry(struct lw_explorer *ex)
{
    struct lw_panes_state *panes = &ex->panes;
    struct lw_zooms *old = panes->shows && panes->shown_entry < ex->list.count
                               ? &ex->list.entries[panes->shown_entry].zooms
                               : NULL;
    const struct lw_zooms *new = &ex->list.entries[ex->list.entry].zooms;
    if (panes->shows && panes->shown_entry == ex->list.entry)
        return;
    panes->shows = true;
    panes->shown_entry = ex->list.entry;
    for (int i = 0; i < LW_PANES_MAX; i++)
        panes->all[i].side_chosen = false;
    for (int i = 0; old && i < LW_PANES_MAX; i++)
        memcpy(old->chosen[i], panes->all[i].chosen, sizeof old->chosen[i]);
    if (old)
        old->kept = true;
    lw_options_zoom(ex);
    for (int i = 0; new->kept &&i < LW_PANES_MAX; i++)
        memcpy(panes->all[i].chosen, new->chosen[i], sizeof new->chosen[i]);
}

static void choose(struct lw_explorer *ex, struct lw_zoom_choice choice)
{
    size_t view = ex->panes.active->view_index;
    for (int i = 0; i < ex->panes.count; i++) {
        struct lw_view_pane *pane = &ex->panes.all[i];
        if (pane != ex->panes.active && !ex->layouts.has_other)
            continue;
        pane->chosen[view] = choice;
    }
    ex->panes.centres = true;
    ex->changed |= LW_CHANGED_VIEW;
}

bool lw_zoom_is_merged(const struct lw_view_pane *pane)
{
    return lw_pane_is_picture(pane) && pane->step_rows * pane->step_cols > 1;
}

bool lw_zoom_to_elements(struct lw_explorer *ex)
{
    const struct lw_view_pane *pane = ex->panes.active;
    if (!lw_zoom_is_merged(pane))
        return false;
    choose(ex, (struct lw_zoom_choice){.zoom = LW_ZOOM_SHORT + 1,
                                       .by_user = true,
                                       .fold = pane->fold,
                                       .across = pane->across});
    return true;
}

void lw_zoom_whole(struct lw_explorer *ex, int unused)
{
    const struct lw_view_pane *pane = ex->panes.active;
    (void)unused;
    if (lw_zoom_to_elements(ex))
        lw_explorer_set_message(ex, false, "each element has its cell: Z shows all of it again");
    else if (pane->has_view && pane->chosen[pane->view_index].zoom)
        choose(ex, (struct lw_zoom_choice){0});
    else
        lw_explorer_set_message(ex, false, "all of this view is shown");
}
