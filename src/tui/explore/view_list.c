/* The list of all views, also of those without a key. */

#include "tui/draw/drawing.h"

#include <ctype.h>

static size_t count_views(void)
{
    size_t count;
    lw_view_types(&count);
    return count;
}

static const struct lw_view_type *view_at(size_t i)
{
    size_t count;
    return lw_view_types(&count)[i];
}

void lw_views_open(struct lw_explorer *ex, int unused)
{
    (void)unused;
    lw_focus_open(ex, LW_FOCUS_VIEWS);
    ex->panes.list_at = ex->panes.active->view_index;
    ex->panes.list_top = 0;
}

void lw_views_move(struct lw_explorer *ex, int by)
{
    int64_t at = (int64_t)ex->panes.list_at + by, last = (int64_t)count_views() - 1;
    ex->panes.list_at = (size_t)(at < 0 ? 0 : at > last ? last : at);
}

void lw_views_show(struct lw_explorer *ex, int unused)
{
    (void)unused;
    ex->focus = LW_FOCUS_VIEW;
    lw_explorer_set_view(ex, ex->panes.list_at);
}

bool lw_views_key(struct lw_explorer *ex, uint32_t key)
{
    size_t count = count_views();
    for (size_t i = 0; i < count; i++)
        if (key && (uint32_t)view_at(i)->key == key) {
            ex->panes.list_at = i;
            lw_views_show(ex, 0);
            return true;
        }
    for (size_t tried = 1; key < 128 && tried <= 2 * count; tried++) { /* first those that fit */
        size_t i = (ex->panes.list_at + tried) % count;
        if (tolower(view_at(i)->title[0]) == tolower((int)key) &&
            (tried > count || (tried < count && lw_pane_can_show(ex, ex->panes.active, i)))) {
            ex->panes.list_at = i;
            return true;
        }
    }
    return false;
}

/* The rectangle of the list, no higher than its rows. */
static struct lw_rect rect_of(const struct lw_explorer *ex)
{
    struct lw_rect rect = lw_panes_over(ex);
    int height = (int)count_views() + 2;
    if (rect.height > height) {
        rect.row += (rect.height - height) / 2;
        rect.height = height;
    }
    return rect;
}

bool lw_views_click(struct lw_explorer *ex, int row, int col)
{
    struct lw_rect rect = rect_of(ex);
    int line = row - rect.row - 1;
    size_t at = ex->panes.list_top + (size_t)line;
    if (line < 0 || line >= rect.height - 2 || col <= rect.col ||
        col >= rect.col + rect.width - 1 || at >= count_views())
        return false;
    ex->panes.list_at = at;
    lw_views_show(ex, 0);
    return true;
}

static void draw_one(const struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect line,
                     size_t i)
{
    enum { TITLE = 4, HELP = 16 };
    const struct lw_view_type *type = view_at(i);
    const char key[2] = {type->key ? type->key : ' ', '\0'};
    bool chosen = i == ex->panes.list_at, fits = lw_pane_can_show(ex, ex->panes.active, i);
    struct lw_pen pen = lw_pen(chosen ? LW_PEN_CURSOR : fits ? LW_PEN_TEXT : LW_PEN_HOLE);
    lw_put_padded(surface, line.row, line.col, line.width, pen, "", false);
    lw_put(surface, line.row, line.col + 1, 1, chosen ? pen : lw_pen(LW_PEN_KEY), key);
    lw_put(surface, line.row, line.col + TITLE, HELP - TITLE - 1, pen, type->title);
    if (*lw_put_row(surface, line.row, line.col + HELP, line.width - HELP - 1, pen, type->help))
        lw_put(surface, line.row, line.col + line.width - 2, 1, pen, "…");
}

void lw_draw_views(struct lw_explorer *ex, struct lw_surface *surface)
{
    struct lw_rect rect = rect_of(ex), inside = lw_put_frame(surface, rect, "Views", true);
    size_t count = count_views(), *top = &ex->panes.list_top, at = ex->panes.list_at;
    size_t shown = inside.height > 0 ? (size_t)inside.height : 0;
    if (*top + shown > count)
        *top = shown < count ? count - shown : 0;
    if (at < *top || shown == 0)
        *top = at;
    else if (at >= *top + shown)
        *top = at - shown + 1;
    for (size_t i = 0; i < shown && *top + i < count; i++)
        draw_one(ex, surface, (struct lw_rect){inside.row + (int)i, inside.col, 1, inside.width},
                 *top + i);
    lw_put_more(surface, rect, (int)*top, (int)count - (int)shown);
}
