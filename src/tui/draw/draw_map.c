/* The map of a picture that is larger than its pane: all of it in a small block right of the cells, with the shown part
 * in its colours and the rest dimmed; the same part as lines on the frame. */

#include "tui/draw/drawing.h"

struct map {
    const struct lw_view_pane *pane;
    int down, across; /* blocks */
    uint64_t shown_rows, shown_cols;
    bool has_cursor;
};

/* Whether block i of `count`, which divide `size` elements, overlaps the shown ones from `from` on. */
static bool overlaps(int i, int count, uint64_t size, uint64_t from, uint64_t shown)
{
    double scale = (double)size / count;
    double begin = i * scale, end = (i + 1) * scale;
    return begin < (double)from + (double)shown && end > (double)from;
}

/* The colour of the warp of its first element, else one colour for all; a block without an element is empty. */
static struct lw_pen color_of(const struct lw_view *view, uint64_t row, uint64_t col)
{
    struct lw_spot spot;
    struct lw_pen pen = {.kind = LW_PEN_FILL};
    const char *name;
    uint64_t warp;
    if (!view->type->spot || !view->type->spot(view, row, col, &spot))
        return lw_pen(LW_PEN_TEXT);
    const struct lw_subject *subject = lw_view_layout(view, spot.operand, &name);
    if (subject && spot.has_in && lw_subject_field(subject, "warp", spot.in, spot.out, &warp))
        pen.shade = (uint8_t)lw_palette_ink(warp);
    return pen;
}

/* The pen of a block: dimmed when it is not shown. */
static struct lw_pen block(const struct map *map, int r, int c)
{
    const struct lw_view *view = &map->pane->view;
    if (r >= map->down)
        return lw_pen(LW_PEN_TEXT);
    if (map->has_cursor && overlaps(r, map->down, view->rows, map->pane->row, 1) &&
        overlaps(c, map->across, view->cols, map->pane->col, 1))
        return lw_pen(LW_PEN_CURSOR);
    uint64_t row = (uint64_t)((double)r * (double)view->rows / map->down);
    uint64_t col = (uint64_t)((double)c * (double)view->cols / map->across);
    struct lw_pen pen = color_of(view, row < view->rows ? row : view->rows - 1,
                                 col < view->cols ? col : view->cols - 1);
    bool in = overlaps(r, map->down, view->rows, map->pane->top, map->shown_rows) &&
              overlaps(c, map->across, view->cols, map->pane->left, map->shown_cols);
    if (pen.kind == LW_PEN_FILL && !in)
        pen.kind = LW_PEN_DIMMED;
    return pen;
}

/* The character without colours: of the shown part, the rest, the cursor. */
static const char *plain_block(struct lw_pen pen)
{
    return pen.kind == LW_PEN_CURSOR ? "@" : pen.kind == LW_PEN_FILL ? "#" : ".";
}

struct lw_rect lw_draw_map(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                           struct lw_surface *surface, const struct lw_grid *grid)
{
    struct lw_rect at = {0};
    if (!grid->map)
        return at;
    bool plain = lw_is_plain(ex);
    struct map map = {.pane = pane,
                      .shown_rows = (uint64_t)grid->rows * pane->step_rows,
                      .shown_cols = (uint64_t)grid->cols * pane->step_cols,
                      .has_cursor = lw_pane_has_cursor(ex, pane)};
    int halves = plain ? 1 : 2;
    lw_map_measure(pane, halves * (grid->inside.height - 1), grid->map, &map.down, &map.across);
    at = (struct lw_rect){.row = grid->inside.row + 1,
                          .col = grid->inside.col + grid->inside.width - grid->map,
                          .height = (map.down + halves - 1) / halves,
                          .width = grid->map};
    static const char name[] = "map";
    if (at.width >= (int)sizeof name - 1)
        lw_put(surface, grid->inside.row, at.col, at.width, lw_pen(LW_PEN_LABEL), name);
    for (int r = 0; r < at.height; r++)
        for (int c = 0; c < map.across; c++) {
            struct lw_pen pen = block(&map, r * halves, c);
            const char *text =
                plain ? plain_block(pen) : lw_halves(pen, block(&map, r * 2 + 1, c), &pen);
            lw_put(surface, at.row + r, at.col + c, 1, plain ? lw_pen(LW_PEN_LABEL) : pen, text);
        }
    return at;
}
void lw_draw_bars(const struct lw_view_pane *pane, struct lw_surface *surface, struct lw_rect rect,
                  const struct lw_grid *grid)
{
    const struct {
        uint64_t size, from, shown;
        int length;
    } sides[2] = {
        {pane->view.rows, pane->top, (uint64_t)grid->rows * pane->step_rows, rect.height - 2},
        {pane->view.cols, pane->left, (uint64_t)grid->cols * pane->step_cols, rect.width - 2}};
    for (int i = 0; i < 2; i++) {
        double scale = (double)sides[i].length / (double)sides[i].size;
        int from = (int)((double)sides[i].from * scale);
        int length = (int)((double)sides[i].shown * scale);
        length = length < 1 ? 1 : length;
        for (int k = from; sides[i].shown < sides[i].size && k < from + length; k++)
            if (k < sides[i].length)
                lw_put(surface, i ? rect.row + rect.height - 1 : rect.row + 1 + k,
                       i ? rect.col + 1 + k : rect.col + rect.width - 1, 1, lw_pen(LW_PEN_LABEL_ON),
                       i ? "━" : "┃");
    }
}
