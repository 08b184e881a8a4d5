/* Finds the next line of a page or the help that contains a text. */

#include "tui/draw/drawing.h"
#include "tui/prompt/query_match.h"

static bool row_contains(const struct lw_surface *whole, int row, const char *query)
{
    struct lw_surface line = *whole;
    struct lw_text text = {0};
    line.tiles += row * whole->width;
    line.height = 1;
    lw_surface_print(&text, &line);
    bool contains = lw_contains_text(lw_text_string(&text), query);
    lw_text_free(&text);
    return contains;
}

void lw_find_text(struct lw_explorer *ex, const char *query, int by)
{
    struct lw_surface whole = {0};
    bool help = ex->focus == LW_FOCUS_HELP, found = false;
    if (!*query) {
        lw_explorer_set_message(ex, true, "no search yet: / finds");
        return;
    }
    if (!(help ? lw_draw_help_whole : lw_draw_page_whole)(ex, &whole)) {
        lw_surface_free(&whole);
        return;
    }
    /* The top row is limited to the page only when it is drawn. */
    int rows = whole.height, step = by < 0 ? rows - 1 : 1;
    int top = ex->page.top < 0 ? 0 : ex->page.top < rows ? ex->page.top : rows - 1;
    int from = by == 0 ? top : ((ex->page.found < 0 ? top : ex->page.found) + step) % rows;
    for (int tried = 0; tried < rows && !found; tried++, from = (from + step) % rows) {
        found = row_contains(&whole, from, query);
        if (found)
            ex->page.top = ex->page.found = from;
    }
    if (!found)
        lw_explorer_set_message(ex, true, "'%.60s' is not on this page", query);
    lw_surface_free(&whole);
}
