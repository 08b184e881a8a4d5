#ifndef LANEWAY_TESTS_FIT_PARTS_H
#define LANEWAY_TESTS_FIT_PARTS_H

/* What fit_test.c, mixed_cells_test.c, moved_cells_test.c and shown_part_test.c share. */

#include "tui/drive.h"
#include "tui/explore/explorer.h"
#include "tui/pane/follow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static inline bool fits(struct drive *d)
{
    struct lw_view_pane *pane = d->ex.panes.active;
    struct lw_grid grid;
    lw_grid(&d->ex, pane, &grid);
    return (uint64_t)grid.rows >= lw_grid_cells(pane->view.rows, pane->step_rows) &&
           (uint64_t)grid.cols >= lw_grid_cells(pane->view.cols, pane->step_cols);
}

/* The pen of the tile at a cell's position. */
static inline struct lw_pen pen_below(struct drive *d, int row, int col)
{
    struct lw_grid grid;
    drive_draw(d);
    lw_grid(&d->ex, d->ex.panes.active, &grid);
    int at = grid.inside.row + 1 + lw_grid_row(&grid, row);
    return d->surface
        .tiles[at * d->surface.width + grid.inside.col + grid.label + lw_grid_col(&grid, col)]
        .pen;
}

#endif
