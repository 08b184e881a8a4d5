#ifndef LANEWAY_CUTE_GRID_H
#define LANEWAY_CUTE_GRID_H

/* A CuTe layout of two modes, as CuTe's own printers draw it: a grid of offsets, or of thread and value pairs
 * on a tile. */

#include "laneway/view.h"

struct lw_cute_grid {
    struct lw_cute cute; /* its swizzle counts elements; borrows from the subject */
    uint64_t rows, cols; /* the sizes of the two modes */
    uint64_t cosize;     /* every offset is below it */
    bool has_tile;       /* offsets are coordinates of a tile, 1@0 and 1@1 */
};

/* Opens the grid of a subject that is a CuTe layout (subject->cute). Fails with LW_ERROR_UNSUPPORTED unless it has two
 * modes. */
bool lw_cute_grid_open(struct lw_cute_grid *grid, const struct lw_subject *subject,
                       struct lw_error *err);
/* The tiled MMA or copy that has it as operand A, B or C, or as side S or D: make_tiled_mma(...); NULL: none. */
const char *lw_cute_grid_tiling(const struct lw_subject *subject, char operand);
/* The offset of a cell; on a tile the number of its element, the first dim fastest. */
uint64_t lw_cute_grid_offset(const struct lw_cute_grid *grid, uint64_t row, uint64_t col);
/* The sizes of the tile. Fails with LW_ERROR_UNSUPPORTED unless it has two dims. */
bool lw_cute_grid_tile(const struct lw_cute_grid *grid, uint64_t size[2], struct lw_error *err);
/* Appends the layout as CuTe writes it; a layout on a tile has coordinates as strides. */
void lw_cute_grid_print(struct lw_text *text, const struct lw_cute_grid *grid);
bool lw_cute_grid_print_tile(struct lw_text *text, const struct lw_cute_grid *grid,
                             struct lw_error *err);

#endif
