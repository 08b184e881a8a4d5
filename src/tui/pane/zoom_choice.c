/* A zoom counts for the layout for which it was chosen, and so does a side of an access. */

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
    if (old) {
        old->kept = true;
        old->by_user = panes->zooms;
    }
    lw_options_zoom(ex);
    for (int i = 0; new->kept &&i < LW_PANES_MAX; i++)
        memcpy(panes->all[i].chosen, new->chosen[i], sizeof new->chosen[i]);
    panes->zooms = new->kept &&new->by_user;
}
