#ifndef LANEWAY_OPERANDS_H
#define LANEWAY_OPERANDS_H

/*
 * Views that draw several layouts in one grid: the operands of an operation and its result, arranged
 * so that rows and columns that belong together are aligned. A cell that is in none of them is empty.
 */

#include "view/view_parts.h"

#define LW_OPERANDS_MAX 3

struct lw_operand {
    const char *name;
    const struct lw_subject *subject; /* NULL: it is in memory, and nothing more is known of it */
    bool memory;                      /* the instruction reads it from memory: no thread owns it */
    bool turned;                      /* its first dim runs across */
    uint64_t rows, cols;              /* that it has in the grid */
    uint64_t row, col;                /* of its first element in the grid */
    const char *row_prefix, *col_prefix; /* of labels; "" none */
    struct lw_cell_field color;
    const char *cell; /* the format of its cells; NULL: it is in memory */
};

/* The state of such a view. */
struct lw_operands {
    struct lw_view_state shared;
    int count;
    int own;             /* the number of the view's own subject among them */
    struct lw_text note; /* what is assumed about them; empty when nothing is */
    struct lw_operand all[LW_OPERANDS_MAX];
    /* The shade of an element of operand number i, where the view has `shades`; NULL: it never has. */
    uint64_t (*shade)(const struct lw_view *view, int i, const uint64_t *out);
    /* Those that the view opened; the subject of `all` may point here. */
    bool has_opened[LW_OPERANDS_MAX];
    struct lw_opened opened[LW_OPERANDS_MAX];
};

struct lw_operands *lw_operands_of(const struct lw_view *view);
/* Opens the layout of an encoding as operand number i, by the target of the view's subject. */
bool lw_operand_open(struct lw_view *view, int i, const struct lw_encoding *encoding,
                     const struct lw_tensor *tensor, struct lw_error *err);
/* The same of a layout that is written. */
bool lw_operand_read(struct lw_view *view, int i, const char *source, struct lw_error *err);
/* Sets the size of operand i to that of its map, its last dim across. */
bool lw_operand_measure(struct lw_view *view, int i, struct lw_error *err);
/* After all operands are opened, with their sizes and positions: sets the size of the grid, colours and formats. */
void lw_operands_arrange(struct lw_view *view);

/* ---- Members of lw_view_type ---- */

void lw_operands_close(struct lw_view *view);
void lw_operands_cell(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                      struct lw_cell *cell);
void lw_operands_row_label(const struct lw_view *view, uint64_t row, struct lw_text *text);
void lw_operands_col_label(const struct lw_view *view, uint64_t col, struct lw_text *text);
size_t lw_operands_width(const struct lw_view *view);
bool lw_operands_spot(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_spot *spot);
bool lw_operands_find(const struct lw_view *view, const struct lw_spot *spot, uint64_t *row,
                      uint64_t *col);
const struct lw_subject *lw_operands_layout(const struct lw_view *view, int number,
                                            const char **name);
bool lw_operands_part(const struct lw_view *view, int i, struct lw_view_part *part);
void lw_operands_legend(const struct lw_view *view, struct lw_text *text);
void lw_operands_explain(const struct lw_view *view, uint64_t row, uint64_t col,
                         struct lw_explanation *explanation);

/* ---- What an element of an MMA belongs to (mma_explain.c) ---- */

enum { LW_MMA_A, LW_MMA_B, LW_MMA_C };

/* Adds what the element of a spot is made of, a row of A and a column of B, or used for, a row or a column of C, with
 * the lanes that hold it; and what the thread of the spot holds of each operand. */
void lw_mma_explain_thread(const struct lw_view *view, const struct lw_spot *spot,
                           struct lw_explanation *explanation);
/* The first element of operand number i that the thread of a spot holds; false: it holds none. */
bool lw_mma_linked(const struct lw_view *view, const struct lw_spot *spot, int i, uint64_t *out);

#endif
