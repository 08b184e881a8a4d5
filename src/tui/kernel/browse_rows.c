/* Where the tables of kernels are on the screen. The table with the focus has the most rows; the other one has those
 * that it does not need, and the chosen row in full has the rows that its text needs. */

#include "tui/kernel/browse.h"

#include <string.h>

enum { AROUND = 2, HEADS = 1 };

static int detail_height(const struct lw_explorer *ex, bool folder)
{
    enum { LEAST = 3, MOST = 6, FILE_ROWS = 2, WITH_NOTE = 4 };
    if (ex->screen.height < 20)
        return 0;
    if (folder) /* the same for all files, so that the table stays where it is */
        return AROUND + (ex->browser->folder_lacking ? WITH_NOTE : FILE_ROWS);
    struct lw_rect room = {0, 0, MOST, ex->screen.width - AROUND - 2};
    int rows = lw_draw_browse_detail(ex, NULL, room);
    return AROUND + (rows < LEAST ? LEAST : rows > MOST ? MOST : rows);
}

/* The number of rows for a table with its frame and heads. */
static int needed(const struct lw_browser *browser, int which)
{
    enum { MANY = 1000 };
    size_t count = browser->tables[which].count;
    return AROUND + HEADS + (count < MANY ? (int)count : MANY);
}

/* The height of the upper table; 0: there is room for only one table. */
static int upper_height(const struct lw_browser *browser, int body)
{
    enum { BOTH = 12, HIGH = 24, LOW = 4 };
    if (body < BOTH)
        return 0;
    int least = body >= HIGH ? body * 2 / 5 : LOW, other = needed(browser, 1 - browser->list);
    other = other < least ? other : least;
    int active = needed(browser, browser->list);
    active = active < LOW ? LOW : active;
    active = active < body - other ? active : body - other;
    return browser->list == LW_BROWSE_OPERATIONS ? active : body - active;
}

void lw_browse_rects(const struct lw_explorer *ex, struct lw_browse_rects *rects)
{
    bool folder = lw_focus_below(ex) == LW_FOCUS_FOLDER;
    int detail = detail_height(ex, folder);
    int top = ex->screen.height >= 8 ? 2 : 1, body = ex->screen.height - top - 1 - detail;
    int upper = folder ? body : upper_height(ex->browser, body);
    memset(rects, 0, sizeof *rects);
    rects->detail = (struct lw_rect){top + body, 0, detail, ex->screen.width};
    if (upper) {
        rects->list[0] = (struct lw_rect){top, 0, upper, ex->screen.width};
        rects->list[1] = (struct lw_rect){top + upper, 0, body - upper, ex->screen.width};
    } else {
        rects->list[ex->browser->list] = (struct lw_rect){top, 0, body, ex->screen.width};
    }
}
