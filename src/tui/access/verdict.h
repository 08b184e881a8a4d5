#ifndef LANEWAY_VERDICT_H
#define LANEWAY_VERDICT_H

/* The cost of an access before and after an edit of one of its layouts. */

#include "laneway/swizzle.h"
#include "tui/explore/explorer.h"

/* "shared S: 160 wavefronts (32 + 128), before 1056 (32 + 1024); u undoes it", by the side that changed; `before` NULL:
 * unknown */
void lw_verdict_message(struct lw_explorer *ex, enum lw_side side, const struct lw_swizzle *now,
                        const char *what, const struct lw_swizzle *before);
/* Sets the layout of a side, "store", "shared" or "load", or "with" for the side that it fits, and shows the cost of
 * the access before and after, or why it is unknown. Memory that does not hold the registers is refused. False: the
 * document is unchanged, and the message has the reason.
 */
bool lw_verdict_set(struct lw_explorer *ex, const char *name, const char *source);

#endif
