#ifndef LANEWAY_VIEW_CONVERSION_H
#define LANEWAY_VIEW_CONVERSION_H

/* What the conversion view counts, index by index: for formats that are data. */

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

#endif
