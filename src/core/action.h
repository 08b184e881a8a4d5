#ifndef LANEWAY_ACTION_H
#define LANEWAY_ACTION_H

/*
 * What the calculator does with column actions (algebra.h). In parentheses: the name in Triton's
 * LinearLayout.h and LayoutUtils.cpp. Failures are those of algebra.h.
 */

#include "laneway/algebra.h"

/* Makes an action of `count` columns. Fails with LW_ERROR_PARAMETER on a column that is not below
 * `size_log2` or a duplicate, and with LW_ERROR_LIMIT on a `size_log2` beyond 0 to LW_BITS_MAX. */
bool lw_action_make(struct lw_action *action, const char *dim, int size_log2,
                    const uint64_t *columns, int count, struct lw_error *err);
/* The layout with the bases of that in-dim so reordered. Fails with LW_ERROR_NAME when the layout
 * lacks the dim and with LW_ERROR_SHAPE when it has another number of bases. (apply) */
bool lw_action_apply(struct lw_layout *out, const struct lw_action *action,
                     const struct lw_layout *layout, struct lw_error *err);
/* Appends "ColumnAction([2, 0, 1], register, 3)", as upstream prints it. (toString) */
void lw_action_print(struct lw_text *text, const struct lw_action *action);

#endif
