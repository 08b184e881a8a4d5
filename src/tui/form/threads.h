#ifndef LANEWAY_THREADS_H
#define LANEWAY_THREADS_H

/* The number of threads that hardware has, as a limit for edits. */

#include "laneway/subject.h"

struct lw_explorer;

/* The hardware whose lanes a warp must have: the target; without one that of an access, as its costs are counted for
 * it; NULL: any. */
const struct lw_hardware *lw_threads_hardware(const struct lw_explorer *ex);
/* Whether an edited layout, at a side of the document, has more lanes a warp or more threads than that hardware has
 * (without one, than any has), and more than the layout on the screen and the document as read. Then *err is about the
 * parameter that they come from, with legal values. */
bool lw_threads_exceed(const struct lw_explorer *ex, enum lw_side side,
                       const struct lw_subject *now, struct lw_error *err);

#endif
