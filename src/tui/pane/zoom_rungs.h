#ifndef LANEWAY_ZOOM_RUNGS_H
#define LANEWAY_ZOOM_RUNGS_H

/* zoom.c: the zooms that a step goes through. */

#include <stdbool.h>

struct lw_explorer;
struct lw_view_pane;

/* Whether the view is text, which has one size. */
bool lw_pane_is_prose(const struct lw_view_pane *pane);
/* Whether cells of a zoom may be groups. */
bool lw_zoom_has_groups(unsigned zoom);
/* Whether a zoom is possible in this view and on this terminal. */
bool lw_zoom_is_rung(const struct lw_explorer *ex, const struct lw_view_pane *pane, unsigned zoom);
/* Sets, for the shown zoom, the tiles of cells with room for a line, and whether there is a map. */
void lw_zoom_settle(struct lw_explorer *ex, struct lw_view_pane *pane);

#endif
