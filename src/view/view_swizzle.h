#ifndef LANEWAY_VIEW_SWIZZLE_H
#define LANEWAY_VIEW_SWIZZLE_H

/* Views of what a search for a swizzle found: a layout of shared memory in each row, with its costs. */

#include "laneway/swizzle.h"
#include "laneway/view.h"

/* Opens the view of the best layout of each kind, with plain rows as the first, and shared S, the layout
 * `given`, unless that is NULL. Both are borrowed. Fails with LW_ERROR_MEMORY only. */
bool lw_swizzles_view_open(struct lw_view *view, const struct lw_swizzle_search *search,
                           const struct lw_swizzle *given, struct lw_error *err);
/* The same of the first `count` layouts of the ranking. */
bool lw_ranking_view_open(struct lw_view *view, const struct lw_swizzle_search *search,
                          uint64_t count, struct lw_error *err);
/* Adds the lines "optimum" (whether it is proven) and "padding" (how it compares), of those that were found. */
void lw_explain_swizzles(const struct lw_swizzle_search *search,
                         struct lw_explanation *explanation);

#endif
