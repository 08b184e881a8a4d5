/* The part with the focus, and the parts under it. */

#include "tui/explore/explorer.h"

enum {
    OVER = LW_FOCUS_HELP | LW_FOCUS_PAGE | LW_FOCUS_FIND | LW_FOCUS_COMMAND | LW_FOCUS_SAVE |
           LW_FOCUS_QUESTION | LW_FOCUS_MARK | LW_FOCUS_EXPORT | LW_FOCUS_SOLVE | LW_FOCUS_VIEWS |
           LW_FOCUS_ANSWER | LW_FOCUS_LAYOUTS
};

void lw_focus_open(struct lw_explorer *ex, unsigned focus)
{
    struct lw_over *over = &ex->over;
    if (ex->focus == focus)
        return;
    if (!(ex->focus & OVER))
        over->count = 0;
    if (over->count == LW_OVER_MAX)
        over->count--;
    over->below[over->count++] = ex->focus;
    ex->focus = focus;
}

void lw_focus_close(struct lw_explorer *ex)
{
    if ((ex->focus & OVER) && ex->over.count > 0)
        ex->focus = ex->over.below[--ex->over.count];
}

unsigned lw_focus_below(const struct lw_explorer *ex)
{
    unsigned focus = (ex->focus & OVER) && ex->over.count ? ex->over.below[0] : ex->focus;
    return focus & (LW_FOCUS_EDIT | LW_FOCUS_PICK) ? LW_FOCUS_FORM : focus;
}

unsigned lw_focus_under(const struct lw_explorer *ex)
{
    return (ex->focus & OVER) && ex->over.count ? ex->over.below[ex->over.count - 1] : ex->focus;
}

bool lw_focus_shows(const struct lw_explorer *ex, unsigned focus)
{
    for (int i = 0; (ex->focus & OVER) && i < ex->over.count; i++)
        if (ex->over.below[i] == focus)
            return true;
    return ex->focus == focus;
}
