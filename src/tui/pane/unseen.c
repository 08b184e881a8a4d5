/* Messages for a second view, or a form, without room. */

#include "tui/draw/drawing.h"

static bool has_both(const struct lw_explorer *ex)
{
    struct lw_panes rects;
    lw_panes(ex, &rects);
    return rects.view[0].height && rects.view[1].height;
}

/* Shows with how many columns, or rows, both views are on the screen, for the highest inspector. */
static void report_least(struct lw_explorer *ex)
{
    enum { WIDEST = 200, HIGHEST = 100 };
    const int width = ex->screen.width, height = ex->screen.height, spare = ex->panes.spare;
    const enum lw_inspector inspector = ex->panes.inspector;
    int columns, rows;
    ex->panes.inspector = LW_INSPECTOR_BELOW;
    ex->panes.spare = 0;
    while (ex->screen.width < WIDEST && !has_both(ex))
        ex->screen.width++;
    columns = ex->screen.width;
    ex->screen.width = width;
    while (ex->screen.height < HIGHEST && !has_both(ex))
        ex->screen.height++;
    rows = ex->screen.height;
    ex->screen.height = height;
    ex->panes.inspector = inspector;
    ex->panes.spare = spare;
    lw_explorer_set_message(ex, false, "two views need %d columns or %d rows: w shows the other",
                            columns, rows);
}

void lw_split_explain(struct lw_explorer *ex)
{
    struct lw_panes rects;
    lw_panes(ex, &rects);
    if (ex->focus == LW_FOCUS_GALLERY && ex->panes.count > 1 && !has_both(ex))
        lw_explorer_set_message(ex, false,
                                "two views: beside the list there is room for one, "
                                "Enter shows both");
    if (ex->focus == LW_FOCUS_VIEW && ex->panes.count > 1 && !has_both(ex))
        report_least(ex);
    bool wanted = ex->screen.width >= 100 && !ex->form.folded && !ex->form.gives_way;
    if (ex->focus == LW_FOCUS_VIEW && ex->panes.count > 1 && wanted && !rects.form.height)
        lw_explorer_set_message(ex, false,
                                "two views: there is no room for the parameters beside them, "
                                "Tab shows them");
}
