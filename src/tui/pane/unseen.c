/* A second view that the list leaves no room for. */

#include "tui/draw/drawing.h"

void lw_split_explain(struct lw_explorer *ex)
{
    struct lw_panes rects;
    lw_panes(ex, &rects);
    if (ex->focus == LW_FOCUS_GALLERY && ex->panes.count > 1 &&
        (!rects.view[0].height || !rects.view[1].height))
        lw_explorer_set_message(ex, false,
                                "two views: beside the list there is room for one, "
                                "Enter shows both");
}
