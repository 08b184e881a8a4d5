/* What is where. Panes fold away on a small screen; the one that has the keys unfolds. */

#include "tui/explorer.h"

static unsigned place_below(const struct lw_explorer *ex)
{
    unsigned place = ex->place;
    if (place & (LW_AT_HELP | LW_AT_PAGE | LW_AT_FIND | LW_AT_COMMAND))
        place = ex->under;
    return place == LW_AT_EDIT ? LW_AT_FORM : place;
}

static int inspector_height(const struct lw_explorer *ex)
{
    return ex->height >= 48   ? 9
           : ex->height >= 36 ? 8
           : ex->height >= 22 ? 6
           : ex->height >= 14 ? 4
                              : 0;
}

void lw_panes(const struct lw_explorer *ex, struct lw_panes *panes)
{
    unsigned place = place_below(ex);
    *panes = (struct lw_panes){.tiny = ex->height < 6 || ex->width < 24};
    if (panes->tiny)
        return;
    int inspector = inspector_height(ex), top = ex->height >= 8 ? 2 : 1;
    int body = ex->height - top - 1 - inspector, left = 0, right = ex->width;
    bool list = place == LW_AT_GALLERY || (ex->width >= 120 && ex->options->count == 0);
    bool form = place == LW_AT_FORM || ex->width >= 100;
    if (list) {
        int width = ex->width >= 160 ? 40 : ex->width >= 120 ? 29 : 32;
        width = width > ex->width - 12 ? ex->width : width;
        panes->list = (struct lw_rect){top, 0, body, width};
        left = width;
    }
    if (form && left < right) {
        int width = ex->width >= 160 ? 50 : 40;
        width = width > right - left - 12 ? right - left : width;
        panes->form = (struct lw_rect){top, right - width, body, width};
        right -= width;
    }
    if (left < right)
        panes->view = (struct lw_rect){top, left, body, right - left};
    if (inspector)
        panes->inspector = (struct lw_rect){top + body, 0, inspector, ex->width};
}

struct lw_rect lw_panes_over(const struct lw_explorer *ex)
{
    int width = ex->width > 90 ? 84 : ex->width, height = ex->height - 2;
    if (width < 20 || height < 3)
        width = ex->width, height = ex->height;
    return (struct lw_rect){(ex->height - height) / 2, (ex->width - width) / 2, height, width};
}

static int label_width(const struct lw_explorer *ex, uint64_t row, struct lw_text *text)
{
    lw_text_clear(text);
    if (ex->view.type->row_label && row < ex->view.rows)
        ex->view.type->row_label(&ex->view, row, text);
    return (int)lw_text_width(lw_text_string(text));
}

/* The widest label of the rows that may be on the screen, and of the last one, so that it does not
 * jump while scrolling. */
static int widest_label(const struct lw_explorer *ex, int rows, struct lw_text *text)
{
    int widest = label_width(ex, ex->view.rows ? ex->view.rows - 1 : 0, text);
    for (int i = 0; i < rows; i++) {
        int width = label_width(ex, ex->top + (uint64_t)i, text);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* The widest column label, of the first columns and the last: a narrow view shows all of them. */
static int widest_col_label(const struct lw_explorer *ex, struct lw_text *text)
{
    enum { LOOKED_AT = 64 };
    int widest = 0;
    for (uint64_t i = 0; i < LOOKED_AT && i < ex->view.cols; i++) {
        uint64_t col = i + 1 == LOOKED_AT ? ex->view.cols - 1 : i;
        lw_text_clear(text);
        if (ex->view.type->col_label)
            ex->view.type->col_label(&ex->view, col, text);
        int width = (int)lw_text_width(lw_text_string(text));
        widest = width > widest ? width : widest;
    }
    return widest;
}

void lw_grid(const struct lw_explorer *ex, struct lw_grid *grid)
{
    struct lw_panes panes;
    struct lw_text text = {0};
    lw_panes(ex, &panes);
    struct lw_rect r = panes.view;
    *grid =
        (struct lw_grid){.inside = {r.row + 1, r.col + 1, r.height - 2, r.width - 2}, .cell = 1};
    if (r.height < 4 || r.width < 8 || !ex->has_view) {
        grid->inside.height = r.height < 4 ? 0 : grid->inside.height;
        return;
    }
    grid->rows = grid->inside.height - 1;
    grid->label = widest_label(ex, grid->rows, &text) + 2;
    if (grid->label > grid->inside.width / 2)
        grid->label = grid->inside.width / 2;
    grid->cell = (int)ex->view.type->width(&ex->view);
    int label = ex->detail == LW_DETAIL_CHAR ? 0 : widest_col_label(ex, &text);
    grid->cell = label > grid->cell ? label : grid->cell;
    int room = grid->inside.width - grid->label;
    grid->cell = grid->cell < 1 ? 1 : grid->cell > room ? room : grid->cell;
    bool fits = ex->view.cols <= (uint64_t)(room / (grid->cell + 2));
    grid->gap = grid->cell == 1 && ex->detail == LW_DETAIL_CHAR ? 0 : fits ? 2 : 1;
    grid->cols = (room + grid->gap) / (grid->cell + grid->gap);
    grid->cols = grid->cols < 1 ? 1 : grid->cols;
    lw_text_free(&text);
}
