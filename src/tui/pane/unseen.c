/* Messages for a second view, or a form, without room. */

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
    bool wanted = ex->screen.width >= 100 && !ex->form.folded && !ex->form.gives_way;
    if (ex->focus == LW_FOCUS_VIEW && ex->panes.count > 1 && wanted && !rects.form.height)
        lw_explorer_set_message(ex, false,
                                "two views: there is no room for the parameters beside them, "
                                "Tab shows them");
}
