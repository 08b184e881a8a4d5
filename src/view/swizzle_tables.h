#ifndef LANEWAY_SWIZZLE_TABLES_H
#define LANEWAY_SWIZZLE_TABLES_H

/* Views of what a search for a swizzle found: a layout of shared memory in each row, with its costs. */

#include "laneway/swizzle.h"
#include "laneway/view.h"

/* Opens the view of the best layout of each kind, with plain rows as the first, and shared S, the layout `given`,
 * unless that is NULL; or of the first `ranked` layouts of the ranking, unless that is -1. All are borrowed. Fails with
 * LW_ERROR_MEMORY only. */
bool lw_swizzles_view_open(struct lw_view *view, const struct lw_swizzle_search *search,
                           const struct lw_swizzle *given, int64_t ranked, struct lw_error *err);
/* Appends a line with the best layout of each kind, "nvmma    " and its SOURCE, and the title of their view. */
void lw_put_swizzle_sources(struct lw_text *text, const struct lw_swizzle_search *search);
/* Appends what changes without the swizzle of S: "without the swizzle: load 512". */
void lw_put_plain_swizzle(struct lw_text *text, const struct lw_swizzle *given,
                          const struct lw_swizzle *plain);
/* Why candidates were left out: a reason of the first one whose cost is not known. */
const char *lw_unknown_swizzles_because(const struct lw_swizzle_search *search);
/* Adds the lines "optimum" (whether it is proven) and "padding" (how it compares), of those that were found, and
 * "unknown" where candidates were left out. */
void lw_explain_swizzles(const struct lw_swizzle_search *search,
                         struct lw_explanation *explanation);

#endif
