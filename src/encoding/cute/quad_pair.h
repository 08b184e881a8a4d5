#ifndef LANEWAY_QUAD_PAIR_H
#define LANEWAY_QUAD_PAIR_H

/* Atoms of SM70, whose threads are those of two groups of four lanes: thread 4 is lane 16. */

#include "laneway/encoding.h"

/* Whether an encoding is an operand of an atom of a quad pair, whose threads are not lanes of a warp.
 * (cute_encoding.c) */
bool lw_cute_is_quad_pair(const struct lw_encoding *encoding);

#endif
