/* How the cells of a view fit its pane: label width, cell width, how many of them. */

#include "tui/drawing.h"

static int label_width(const struct lw_view_pane *pane, uint64_t row, struct lw_text *text)
{
    lw_text_clear(text);
    if (pane->view.type->row_label && row < pane->view.rows)
        pane->view.type->row_label(&pane->view, row, text);
    return (int)lw_text_width(lw_text_string(text));
}

/* The widest label of the rows that may be on the screen, and of the last one, so that it does not
 * jump while scrolling. */
static int widest_label(const struct lw_view_pane *pane, int rows, struct lw_text *text)
{
    int widest = label_width(pane, pane->view.rows ? pane->view.rows - 1 : 0, text);
    for (int i = 0; i < rows; i++) {
        int width = label_width(pane, pane->top + (uint64_t)i, text);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* The widest column label, of the first columns and the last: a narrow view shows all of them. */
static int widest_col_label(const struct lw_view_pane *pane, struct lw_text *text)
{
    enum { LOOKED_AT = 64 };
    int widest = 0;
    for (uint64_t i = 0; i < LOOKED_AT && i < pane->view.cols; i++) {
        uint64_t col = i + 1 == LOOKED_AT ? pane->view.cols - 1 : i;
        lw_text_clear(text);
        if (pane->view.type->col_label)
            pane->view.type->col_label(&pane->view, col, text);
        int width = (int)lw_text_width(lw_text_string(text));
        widest = width > widest ? width : widest;
    }
    return widest;
}

void lw_grid(const struct lw_explorer *ex, const struct lw_view_pane *pane, struct lw_grid *grid)
{
    struct lw_panes panes;
    struct lw_text text = {0};
    lw_panes(ex, &panes);
    struct lw_rect r = panes.view[pane - ex->panes];
    *grid = (struct lw_grid){
        .inside = {r.row + 1, r.col + 1, r.height - 2, r.width - 2}, .cell = 1, .each = 1};
    if (r.height < 4 || r.width < 8 || !pane->has_view) {
        grid->inside.height = r.height < 4 ? 0 : grid->inside.height;
        return;
    }
    grid->rows = grid->inside.height - 1;
    grid->label = widest_label(pane, grid->rows, &text) + 2;
    if (grid->label > grid->inside.width / 2)
        grid->label = grid->inside.width / 2;
    grid->cell = (int)pane->view.type->width(&pane->view);
    int label = pane->detail == LW_DETAIL_CHAR ? 0 : widest_col_label(pane, &text);
    grid->cell = label > grid->cell ? label : grid->cell;
    int room = grid->inside.width - grid->label;
    grid->cell = grid->cell < 1 ? 1 : grid->cell > room ? room : grid->cell;
    bool fits = pane->view.cols <= (uint64_t)(room / (grid->cell + 2));
    grid->gap = grid->cell == 1 && pane->detail == LW_DETAIL_CHAR ? 0 : fits ? 2 : 1;
    grid->cols = (room + grid->gap) / (grid->cell + grid->gap);
    grid->cols = grid->cols < 1 ? 1 : grid->cols;
    grid->each = pane->half ? 2 : 1;
    grid->rows *= grid->each;
    lw_text_free(&text);
}
