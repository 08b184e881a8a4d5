#ifndef LANEWAY_CELL_VALUES_H
#define LANEWAY_CELL_VALUES_H

/* The content of a view as numbers, for csv, json and highlights: of cells the fields of the hardware index and of the
 * element, for each owner; of a conversion its moves; and which cells are highlighted. */

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

/* Writes the names of the numbers of a move, and those of move i, with commas between them and `quote` around what is
 * no number. */
void lw_put_move_names(FILE *stream, const struct lw_view *view, const char *quote);
void lw_put_move(FILE *stream, const struct lw_view *view, uint64_t i, const char *quote);

/* ---- Highlights (figure/highlight.c) ----
 * options.highlight, read for a view: groups with | between them, of which a cell needs one: fields with lists and
 * ranges of numbers, "lane=0-3,9 warp 1", short as "t9", "w1 l3" and "T9:1", or an element, "3,5"; in a view of several
 * layouts also "B 3,5" and "A t9". */

enum { LW_HIGHLIGHT_FIELDS = 96, LW_HIGHLIGHT_RANGES = 16 };

struct lw_highlight {
    struct lw_values values;
    size_t count; /* of fields; 0: nothing is highlighted */
    struct {
        size_t field; /* of `values` */
        bool begins;  /* a group */
        size_t ranges;
        uint64_t from[LW_HIGHLIGHT_RANGES], to[LW_HIGHLIGHT_RANGES]; /* both included */
    } wanted[LW_HIGHLIGHT_FIELDS];
    /* Of lw_highlight_mark: those of the options. */
    bool (*marked)(const void *context, const struct lw_view *view, uint64_t row, uint64_t col);
    const void *context;
};

/* Whether an owner of the cell has all numbers of a group that is highlighted. */
bool lw_highlight_has(struct lw_highlight *highlight, uint64_t row, uint64_t col);
/* Fails when no cell of the rows and columns of any view is highlighted: that is a mistake of the user. The ranges of
 * the options are checked. */
bool lw_highlight_check(const struct lw_view *const *views, size_t count,
                        const struct lw_export_options *options, struct lw_error *err);

/* Reads options.highlight, unless it is NULL, and sets options.marked to cells that have a mark or are highlighted. The
 * highlight must live as long as the options and not move. Fails on a field that the view's cells lack, and on text
 * that is not a number. */
bool lw_highlight_mark(struct lw_highlight *highlight, const struct lw_view *view,
                       struct lw_export_options *options, struct lw_error *err);

#endif
