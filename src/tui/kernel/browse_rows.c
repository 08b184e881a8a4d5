/* Where the tables of kernels are on the screen. */

#include "tui/kernel/browse.h"

#include <string.h>

void lw_browse_rects(const struct lw_explorer *ex, struct lw_browse_rects *rects)
{
    enum { BOTH = 12 }; /* lines that two lists need */
    bool folder = lw_focus_below(ex) == LW_FOCUS_FOLDER;
    int detail = ex->screen.height < 20 ? 0 : folder ? 4 : ex->screen.height >= 30 ? 8 : 7;
    int top = ex->screen.height >= 8 ? 2 : 1, body = ex->screen.height - top - 1 - detail;
    int upper = folder ? body : body >= BOTH ? body * 3 / 5 : 0;
    if (!folder && ex->browser->kernel.operation_count < (size_t)upper)
        upper = (int)ex->browser->kernel.operation_count + 3; /* its frame and its heads */
    memset(rects, 0, sizeof *rects);
    rects->detail = (struct lw_rect){top + body, 0, detail, ex->screen.width};
    if (upper) {
        rects->list[0] = (struct lw_rect){top, 0, upper, ex->screen.width};
        rects->list[1] = (struct lw_rect){top + upper, 0, body - upper, ex->screen.width};
    } else {
        rects->list[ex->browser->list] = (struct lw_rect){top, 0, body, ex->screen.width};
    }
}
