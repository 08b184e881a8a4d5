#ifndef LANEWAY_EXPLAIN_CONVERSION_H
#define LANEWAY_EXPLAIN_CONVERSION_H

/* The explanation of a conversion, for the command and for the explorer. */

#include "laneway/conversion.h"
#include "laneway/view.h"

/* Appends what it does: "through shared memory: 4 rounds over 2048 bytes" */
void lw_put_conversion(struct lw_text *text, const struct lw_conversion *conversion);
/* Adds the line "bits": for each bit of an index in registers B the index in registers A of its elements,
 * "register=1 is register=2, lane=1 is warp=1". */
void lw_explain_sources(const struct lw_conversion *conversion, struct lw_explanation *explanation);
/* Of one through shared memory adds its swizzle: the line "swizzle", a line for each part of the bits of an offset,
 * from low to high, with the element of each bit, and the line "as one" with all of it as a layout. */
void lw_explain_exchange(const struct lw_conversion *conversion,
                         struct lw_explanation *explanation);
/* Adds the lines "why", "how" (shuffles), "cost" (where it is unknown), "note" and "moved". */
void lw_explain_conversion(const struct lw_conversion *conversion,
                           struct lw_explanation *explanation);
/* How far an element moves at most, and what that means: "elements change lanes, but not warps" */
enum lw_distance lw_movement_farthest(const struct lw_movement *movement);
void lw_put_movement(struct lw_text *text, const struct lw_movement *movement);
/* Adds the line "moved": how many hardware indices of B get their element from how far. */
void lw_explain_movement(const struct lw_movement *movement, struct lw_explanation *explanation);

#endif
