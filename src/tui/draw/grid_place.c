/* Where the cells of a picture are, from the top left of the first one. */

#include "tui/draw/drawing.h"

int lw_grid_gaps(int i, int tile, int seam)
{
    if (i < seam)
        return 0;
    return (seam > 0) + (tile ? (i - seam) / tile : 0);
}

bool lw_grid_has_gap(int i, int tile, int seam)
{
    return i > 0 && lw_grid_gaps(i, tile, seam) > lw_grid_gaps(i - 1, tile, seam);
}

int lw_grid_row(const struct lw_grid *grid, int r)
{
    return r / grid->each * grid->tall + lw_grid_gaps(r, grid->tile_rows, grid->seam_rows);
}

int lw_grid_text_row(const struct lw_grid *grid, int r)
{
    return lw_grid_row(grid, r) + (grid->tall - 1) / 2;
}

static bool is_wide(const struct lw_grid *grid, int i, int c)
{
    return c >= grid->wide[i].from && c < grid->wide[i].end;
}

int lw_grid_lead(const struct lw_grid *grid, int c)
{
    int lead = grid->lead;
    for (int i = 0; i < grid->wides; i++)
        lead += is_wide(grid, i, c);
    return lead;
}

int lw_grid_col(const struct lw_grid *grid, int c)
{
    int col = c * (grid->cell + grid->gap) + lw_grid_gaps(c, grid->tile_cols, grid->seam_cols);
    col += grid->lead > 1 ? grid->lead - 1
                          : 0; /* the blank before the first text is there in any case */
    col += grid->seam_cols && c >= grid->seam_cols ? grid->seam_labels : 0;
    for (int i = 0; i < grid->wides; i++)
        if (c >= grid->wide[i].from)
            col += (c < grid->wide[i].end ? c + 1 : grid->wide[i].end) - grid->wide[i].from;
    return col;
}
