#ifndef LANEWAY_CELL_VALUES_H
#define LANEWAY_CELL_VALUES_H

/* The content of a view as numbers, for csv, json and highlights: of cells the fields of the hardware index and of the
 * element, for each owner; of a conversion its moves. */

#include "export/export_parts.h"
#include "view/view_parts.h"

/* ---- Cells ---- */

/* The most layouts of a view that have fields of their own. */
enum { LW_VALUES_LAYOUTS = 4 };

struct lw_values {
    const struct lw_view *view;
    size_t count; /* of fields; 0: cells of this view hold no element */
    const char *names[LW_FIELDS_MAX + 1];
    /* Of each layout, as a spot numbers it; a field that it lacks has the kind LW_FIELD_NONE. */
    struct lw_cell_field fields[LW_VALUES_LAYOUTS][LW_FIELDS_MAX + 1];
    /* The layouts of the view, in the order of the numbers of the field "operand", the last one; of most views 0. */
    size_t operands;
    const char *operand_names[LW_VALUES_LAYOUTS];
    /* of the current cell */
    const struct lw_subject *subject;
    struct lw_spot spot;
    struct lw_owners owners;
    bool all; /* there are owners to list */
};

void lw_values_open(struct lw_values *values, const struct lw_view *view);
/* Makes a cell the current one, and returns how many owners it shows (1 for a hardware index or an element); 0:
 * none. */
uint64_t lw_values_of(struct lw_values *values, uint64_t row, uint64_t col);
/* Field i of owner k; false when the cell has no such number: an element without an owner has no lane. */
bool lw_value_at(const struct lw_values *values, uint64_t k, size_t i, uint64_t *number);

/* ---- Moves of a conversion ---- */

/* Whether a view is of moves between registers. */
bool lw_is_moves(const struct lw_view *view);
/* Writes the names of the numbers of a move, and those of move i, with commas between them and `quote` around what is
 * no number. */
void lw_put_move_names(FILE *stream, const struct lw_view *view, const char *quote);
void lw_put_move(FILE *stream, const struct lw_view *view, uint64_t i, const char *quote);

#endif
