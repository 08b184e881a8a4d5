#ifndef LANEWAY_OWNER_GRID_H
#define LANEWAY_OWNER_GRID_H

/*
 * A grid of the owners of a tensor's elements: which thread and register holds each of them.
 *
 * The rows are the elements of all dims but the last, the columns those of the last one. A cell is one element, or a
 * vector: the elements along a row that lie together in one thread. A grid that is too wide is folded into bands, one
 * below the other: one of each warp that is beside others, and a tensor of one dim. Of a tensor that does not fit one
 * repeat is drawn, that of the cursor.
 */

#include "tui/picture/cell_grid.h"
#include "tui/picture/lit.h"
#include "laneway/subject.h"
#include "laneway/view.h"
#include "tui/terminal/events.h"

/* The sizes of cells, from the largest: "w0 l9 r1", "w0 l9 r0-7" for a vector, the first on two lines, one number, one
 * number for a vector, half a character. */
enum lw_cell_size {
    LW_SIZE_FULL,
    LW_SIZE_VECTOR,
    LW_SIZE_TALL,
    LW_SIZE_NUMBER,
    LW_SIZE_VECTOR_NUMBER,
    LW_SIZE_BLOCK,
    LW_SIZES
};

/* Columns of a tensor of which a part is read better in numbers than all in blocks. */
enum { LW_NARROW = 16 };

struct lw_owner_grid {
    struct lw_grid grid;
    const struct lw_subject *subject;
    struct lw_lit *lit;
    uint64_t lanes;        /* of a warp */
    bool is_tilus;         /* threads and locals, not lanes and registers */
    bool is_memory;        /* elements have offsets, no owners */
    bool is_tensor_memory; /* they have a row and a column of tensor memory, as lane and register */
    const struct lw_comparison *comparison;     /* elements that are equal are dimmed; NULL: none */
    uint64_t warps, threads, blocks, registers; /* how many there are */
    uint64_t vector;    /* elements along the last dim that lie together in a thread */
    uint64_t period[2]; /* of the repeat: rows and columns; all of them where there is none */
    uint64_t all[2];    /* rows and columns of the tensor */
    uint64_t at[2];     /* the cursor: row and column of the tensor */
    /* As placed: */
    enum lw_cell_size size;
    bool with_warps;       /* cells name the warp */
    uint64_t unit;         /* elements in a cell */
    uint64_t band;         /* columns of the tensor in a row of the grid */
    uint64_t origin[2];    /* the first row and column of the repeat that is drawn */
    uint64_t shown[2];     /* rows and columns of the tensor that are drawn */
    struct lw_rect fitted; /* for which the size was chosen, while is_fitted */
    int fitted_smaller;
    bool is_fitted;
};

/* Sets up the grid of a subject; what is lit is decided by `lit`. */
void lw_owner_grid_open(struct lw_owner_grid *owners, const struct lw_subject *subject,
                        struct lw_lit *lit);
void lw_owner_grid_close(struct lw_owner_grid *owners);
/* Sets a size of cells for all of the tensor, and what it needs, up to the limits; false: the size does not apply. */
bool lw_owner_grid_try(struct lw_owner_grid *owners, enum lw_cell_size size, int height_limit,
                       int width_limit, int *height, int *width);
/* Chooses the largest cells with which the tensor, or else one repeat of it, fits, and arranges it; `smaller`: how many
 * of those that fit are passed over. There is a line above a repeat. False when memory is out. */
bool lw_owner_grid_fit(struct lw_owner_grid *owners, struct lw_rect rect, int smaller);
/* Arranges the grid with the size that was set last. */
bool lw_owner_grid_arrange(struct lw_owner_grid *owners, struct lw_rect rect);
/* Whether one repeat is drawn, of several. */
bool lw_owner_grid_is_repeat(const struct lw_owner_grid *owners);
void lw_owner_grid_move(struct lw_owner_grid *owners, int64_t rows, int64_t cols);
/* The element under the cursor, with its first owner. */
void lw_owner_grid_spot(const struct lw_owner_grid *owners, struct lw_spot *spot);
void lw_owner_grid_go(struct lw_owner_grid *owners, const uint64_t *out);
/* Explains the element under the cursor: its owner, what its thread holds, and why. */
void lw_owner_grid_explain(const struct lw_owner_grid *owners, struct lw_explanation *explanation);
/* What cells are coloured by after what they are coloured by now, of what differs between them. */
enum lw_lit_what lw_owner_grid_next_color(const struct lw_owner_grid *owners);
/* Handles a click, the wheel or a movement on the grid, which lights the owner there. False: it is elsewhere. */
bool lw_owner_grid_mouse(struct lw_owner_grid *owners, const struct lw_event *event);

#endif
