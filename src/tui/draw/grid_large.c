/* Makes the cells of a small picture larger where there is room: more columns of colour around the text, more lines. */

#include "tui/draw/drawing.h"

void lw_grid_enlarge(const struct lw_view_pane *pane, struct lw_grid *grid)
{
    enum {
        LEGEND = 6,
        MOST = 3,
        SHAPE = 4
    }; /* rows below; lines; columns for each line, at most */
    const int rows = (int)pane->view.rows, cols = (int)pane->view.cols;
    int room = grid->inside.width - grid->label;
    if (pane->zoom >= LW_ZOOM_NUMBER || pane->step_rows * pane->step_cols > 1 ||
        pane->view.rows > (uint64_t)grid->rows || pane->view.cols > (uint64_t)grid->cols)
        return;
    int height = lw_grid_row(grid, rows - 1) + 1;
    while (grid->tall < MOST && height + grid->tall * rows + LEGEND <= grid->rows)
        grid->tall++;
    int width = lw_grid_col(grid, cols - 1) + grid->cell + grid->gap;
    while (grid->cell + grid->gap + 2 <= SHAPE * grid->tall && grid->tall > 1 &&
           width + 2 * cols <= room) {
        width += 2 * cols;
        grid->gap += 2;
        grid->lead++;
    }
}
