#ifndef LANEWAY_CONVERSION_PARTS_H
#define LANEWAY_CONVERSION_PARTS_H

/* What the files of conversions share. Points of the tensor are flat numbers, the first dim in
 * the low bits; the rules break ties by their order. */

#include "analysis/access/plan_parts.h"
#include "laneway/conversion.h"

/* A list of points. */
struct lw_points {
    int count;
    uint64_t at[LW_BITS_MAX];
};

enum lw_held_by { LW_BY_REGISTER, LW_BY_LANE, LW_BY_WARP, LW_BY_COUNT };

/* A layout in registers as lists of its bases. */
struct lw_conversion_side {
    struct lw_layout layout; /* (register, lane, warp) -> tensor, without zero bases of registers */
    struct lw_points by[LW_BY_COUNT];
};

/* Adds a point. A full list ignores it; distinct points of one tensor never fill it. */
void lw_points_add(struct lw_points *points, uint64_t point);

/* ---- The swizzle of a conversion (conversion_swizzle.c) ---- */

/* Chooses how both sides access shared memory, for elements of `bits` bits (at least 8): the
 * instructions, among those of the request's hardware, and the swizzle (offset, round) -> tensor.
 * Fails when Triton's rules choose no swizzle that holds each element once. */
bool lw_exchange_find(struct lw_exchange *exchange, struct lw_layout *memory,
                      const struct lw_conversion_side *from, const struct lw_conversion_side *to,
                      unsigned bits, const struct lw_conversion_request *request,
                      struct lw_error *err);

#endif
