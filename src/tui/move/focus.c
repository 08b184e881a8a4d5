/* The part with the focus, and the parts under it. */

#include "tui/explore/explorer.h"

enum {
    OVER = LW_FOCUS_HELP | LW_FOCUS_PAGE | LW_FOCUS_FIND | LW_FOCUS_COMMAND | LW_FOCUS_SAVE |
           LW_FOCUS_QUESTION | LW_FOCUS_MARK | LW_FOCUS_EXPORT | LW_FOCUS_SOLVE | LW_FOCUS_VIEWS |
           LW_FOCUS_ANSWER | LW_FOCUS_LAYOUTS,
    PROMPTS = LW_FOCUS_FIND | LW_FOCUS_COMMAND | LW_FOCUS_SAVE | LW_FOCUS_MARK | LW_FOCUS_EXPORT |
              LW_FOCUS_ANSWER
};

/* The line of a prompt that is at position `at` under another part. */
static void keep_line(struct lw_explorer *ex, int at)
{
    lw_text_free(&ex->prompt.under[at].text);
    ex->prompt.under[at] = ex->prompt.line;
    ex->prompt.line = (struct lw_line_edit){.caret = 0};
}

static void put_line_back(struct lw_explorer *ex, int at)
{
    lw_text_free(&ex->prompt.line.text);
    ex->prompt.line = ex->prompt.under[at];
    ex->prompt.under[at] = (struct lw_line_edit){.caret = 0};
}

void lw_focus_open(struct lw_explorer *ex, unsigned focus)
{
    struct lw_over *over = &ex->over;
    if (ex->focus == focus)
        return;
    if (!(ex->focus & OVER))
        over->count = 0;
    if (over->count == LW_OVER_MAX)
        over->count--;
    if (ex->focus & PROMPTS)
        keep_line(ex, over->count);
    over->below[over->count++] = ex->focus;
    ex->focus = focus;
}

void lw_focus_close(struct lw_explorer *ex)
{
    if (!(ex->focus & OVER) || !ex->over.count)
        return;
    ex->focus = ex->over.below[--ex->over.count];
    if (ex->focus & PROMPTS)
        put_line_back(ex, ex->over.count);
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
