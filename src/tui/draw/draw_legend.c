/* The legend of a picture: what each colour is, what is lit, and what a cell is. Below the cells where there
 * is room, else on the lower border of the pane. */

#include "tui/draw/drawing.h"
#include "tui/pane/follow.h"

#include <string.h>

/* "lane " and a chip for each value, in rows that end at a power of two; returns the rows used. */
static int put_chips(const struct lw_view_pane *pane, const struct lw_follow *follow,
                     struct lw_surface *surface, struct lw_rect rect)
{
    uint64_t count = 0;
    if (!lw_view_shades(&pane->view, &count) || rect.height < 1)
        return 0;
    uint64_t shown = count < LW_PALETTE_INKS ? count : LW_PALETTE_INKS;
    int name = (int)strlen(pane->view.color) + 2, chip = 3, in_row = 1;
    while (in_row * 2 * chip <= rect.width - name - 1 && (uint64_t)in_row < shown && in_row < 32)
        in_row *= 2;
    bool lit = follow->on && !strcmp(follow->name, pane->view.color);
    lw_put(surface, rect.row, rect.col, name, lw_pen(LW_PEN_LABEL), pane->view.color);
    int rows = ((int)shown - 1) / in_row + 1;
    rows = rows > rect.height ? rect.height : rows;
    for (int i = 0; i < (int)shown && i / in_row < rows; i++) {
        struct lw_text text = {0};
        struct lw_pen pen = {.kind = LW_PEN_FILL, .shade = (uint8_t)lw_palette_ink((uint64_t)i)};
        if (lit && follow->value % LW_PALETTE_INKS == (uint64_t)i)
            pen = lw_pen(LW_PEN_LIT);
        lw_text_format(&text, "%d", i);
        lw_put_padded(surface, rect.row + i / in_row, rect.col + name + i % in_row * chip, chip,
                      pen, lw_text_string(&text), true);
        lw_text_free(&text);
    }
    if (rows * in_row < (int)shown) { /* no room for the others */
        struct lw_text text = {0};
        lw_text_format(&text, "… %d", (int)shown - 1);
        lw_put(surface, rect.row + rows - 1, rect.col + name + in_row * chip + 1,
               rect.width - name - in_row * chip - 1, lw_pen(LW_PEN_FAINT), lw_text_string(&text));
        lw_text_free(&text);
    } else if (count > LW_PALETTE_INKS)
        lw_put(surface, rect.row + rows - 1, rect.col + name + in_row * chip + 1,
               rect.width - name - in_row * chip - 1, lw_pen(LW_PEN_FAINT), "64 is as 0, ...");
    return rows;
}

bool lw_draw_meaning(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                     struct lw_surface *surface, struct lw_rect rect, int taken, int below)
{
    bool steps = pane->step_rows * pane->step_cols > 1;
    const struct lw_view *view = &pane->view;
    const char *format = view->options.cell ? view->options.cell : "element";
    struct lw_text text = {0};
    if (view->type->formatted && pane->zoom < LW_ZOOM_NUMBER && view->color) {
        lw_text_add(&text, " cells: ");
        for (const char *c = format; *c; c++) /* "{thread}: {local}" is "thread: local" */
            if (*c != '{' && *c != '}')
                lw_text_char(&text, *c);
            else if (*c == '{' && c > format && c[-1] != ' ' && c[-1] != ':')
                lw_text_char(&text, ' ');
        lw_text_format(&text, ", colours: %s ", view->color);
    }
    if (steps) {
        lw_text_clear(&text);
        lw_merged_put(pane, lw_is_plain(ex), &text);
        if (ex->compare.diff[pane->shown.side].fits && !lw_cells_compare_all(ex, pane))
            lw_text_add(&text, "and compared ");
    }
    uint64_t owners = view->type->layout ? 1 : lw_map_replication(&view->subject->map);
    if (view->type->formatted && pane->zoom >= LW_ZOOM_NUMBER && owners > 1)
        lw_text_format(&text, " each is the first of %llu owners ", (unsigned long long)owners);
    int width = (int)lw_text_width(lw_text_string(&text));
    bool above = taken + width + 4 <= rect.width;
    int row = above ? rect.row : rect.row + rect.height - 1;
    bool fits = width && (above || (steps && below + width + 4 <= rect.width));
    if (fits)
        lw_put(surface, row, rect.col + rect.width - 2 - width, width, lw_pen(LW_PEN_FAINT),
               lw_text_string(&text));
    lw_text_free(&text);
    return fits && !above;
}

/* "thread 9 is lit" and the keys for it. */
static void put_lit(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                    const struct lw_follow *follow, struct lw_surface *surface, struct lw_rect rect)
{
    static const char another[] = ", H follows another";
    struct lw_text text = {0};
    if (!follow->on || rect.height < 1)
        return;
    lw_follow_put(follow, &text);
    lw_text_format(&text, " is lit%s: h %s", pane->lit_by_first ? " where a cell's first is" : "",
                   ex->panes.dims ? "shows the rest" : "dims the rest");
    if ((int)text.length + (int)strlen(another) <= rect.width)
        lw_text_add(&text, another);
    lw_put(surface, rect.row, rect.col, rect.width, lw_pen(LW_PEN_FAINT), lw_text_string(&text));
    lw_text_free(&text);
}

void lw_draw_legend(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                    struct lw_surface *surface, struct lw_rect below)
{
    struct lw_follow follow;
    lw_follow_begin(ex, &follow);
    below.row++;
    below.height--;
    below.col++;
    below.width -= 2;
    int used = put_chips(pane, &follow, surface, below);
    below.row += used + 1;
    below.height -= used + 1;
    if (pane == ex->panes.active && used)
        put_lit(ex, pane, &follow, surface, below);
}
