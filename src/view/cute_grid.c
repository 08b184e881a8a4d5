/* A CuTe layout of two modes, as CuTe's own printers draw it. */

#include "view/cute_grid.h"
#include "encoding/cute/cute_parts.h"

static uint64_t size_of(const struct lw_cute_tuple *shape, int mode)
{
    return (uint64_t)lw_cute_product(lw_cute_item(shape, mode));
}

bool lw_cute_grid_open(struct lw_cute_grid *grid, const struct lw_subject *subject,
                       struct lw_error *err)
{
    int rank = lw_cute_rank(&subject->cute->layout.shape);
    if (rank != 2)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "CuTe prints layouts of 2 modes, and this one has %d: see group and "
                            "select of 'laneway help operations'",
                            rank);
    if (!lw_cute_in_elements(subject->cute, &grid->cute, err))
        return false;
    const struct lw_cute_layout *layout = &grid->cute.layout;
    grid->rows = size_of(&layout->shape, 0);
    grid->cols = size_of(&layout->shape, 1);
    grid->cosize = (uint64_t)lw_cute_cosize(layout);
    grid->has_tile = grid->cute.tile;
    return true;
}

const char *lw_cute_grid_tiling(const struct lw_subject *subject, char operand)
{
    const struct lw_encoding *encoding = subject->cute ? subject->encoding : NULL;
    const struct lw_value *tiling = encoding ? lw_encoding_value(encoding, "tiling") : NULL;
    const struct lw_value *which = tiling ? lw_encoding_value(encoding, "operand") : NULL;
    bool good = which && tiling->kind == LW_VALUE_STRING && which->kind == LW_VALUE_STRING &&
                which->string[0] == operand;
    return good ? tiling->string : NULL;
}

uint64_t lw_cute_grid_offset(const struct lw_cute_grid *grid, uint64_t row, uint64_t col)
{
    return (uint64_t)lw_cute_apply(&grid->cute, (int64_t)(row + col * grid->rows));
}

bool lw_cute_grid_tile(const struct lw_cute_grid *grid, uint64_t size[2], struct lw_error *err)
{
    int rank = lw_cute_rank(grid->cute.tile);
    if (rank != 2)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "CuTe draws tiles of 2 dims, not of %d",
                            rank);
    size[0] = size_of(grid->cute.tile, 0);
    size[1] = size_of(grid->cute.tile, 1);
    return true;
}

void lw_cute_grid_print(struct lw_text *text, const struct lw_cute_grid *grid)
{
    struct lw_cute layout = grid->cute;
    layout.tile = NULL;
    lw_cute_print(text, &layout);
}

bool lw_cute_grid_print_tile(struct lw_text *text, const struct lw_cute_grid *grid,
                             struct lw_error *err)
{
    return lw_cute_tile_print(text, &grid->cute, err);
}
