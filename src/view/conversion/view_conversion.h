#ifndef LANEWAY_VIEW_CONVERSION_H
#define LANEWAY_VIEW_CONVERSION_H

/* What the conversion view counts, index by index, for formats that are data; and the explanation of a conversion, for
 * the command and for the explorer. */

#include "view/view_parts.h"

/* The move of one element, to a hardware index of registers B. */
struct lw_move {
    uint64_t from[LW_DIMS_MAX], to[LW_DIMS_MAX]; /* register, lane, warp, block */
    uint64_t out[LW_DIMS_MAX];                   /* the element, in the dims of the subject */
    const char *crosses; /* the slowest dim that differs: "register" ...; "": none */
};

/* The layouts of the conversion: its dims have the names and the sizes of hardware indices. */
const struct lw_conversion *lw_conversion_of(const struct lw_view *view);
/* How many hardware indices registers B have. */
uint64_t lw_conversion_moves(const struct lw_view *view);
/* The move to hardware index i of registers B, the register the fastest. */
void lw_conversion_move(const struct lw_view *view, uint64_t i, struct lw_move *move);

/* ---- Explanations (explain_conversion.c) ---- */

/* Appends what it does: "through shared memory: 4 rounds over 2048 bytes" */
void lw_put_conversion(struct lw_text *text, const struct lw_conversion *conversion);
/* Adds the line "bits": for each bit of an index in registers B the index in registers A of its elements,
 * "register=1 is register=2, lane=1 is warp=1". */
void lw_explain_sources(const struct lw_conversion *conversion, struct lw_explanation *explanation);
/* Of one through shared memory adds its swizzle: the line "swizzle", a line for each part of the bits of an offset,
 * from low to high, with the element of each bit, and the line "as one" with all of it as a layout. */
void lw_explain_exchange(const struct lw_conversion *conversion,
                         struct lw_explanation *explanation);
/* Adds the lines "why", "how" (shuffles), "cost" (where it is unknown) and "note". */
void lw_explain_conversion(const struct lw_conversion *conversion,
                           struct lw_explanation *explanation);
#endif
