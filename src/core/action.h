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
/* Whether it keeps all bases in their order. (isIdentity) */
bool lw_action_is_identity(const struct lw_action *action);
/* The layout with the bases of that in-dim so reordered. Fails with LW_ERROR_NAME when the layout
 * lacks the dim and with LW_ERROR_SHAPE when it has another number of bases. (apply) */
bool lw_action_apply(struct lw_layout *out, const struct lw_action *action,
                     const struct lw_layout *layout, struct lw_error *err);
/* The action that undoes it. Fails with LW_ERROR_SHAPE unless it keeps all bases. (inverse) */
bool lw_action_inverse(struct lw_action *out, const struct lw_action *action, struct lw_error *err);
/* First `action`, then `next`: basis i is basis action.column[next.column[i]]. Fails with
 * LW_ERROR_SHAPE unless both are of one dim, have the same size_log2 and count, and `next` takes
 * only bases that `action` keeps. (action.leftCompose(next)) */
bool lw_action_left_compose(struct lw_action *out, const struct lw_action *action,
                            const struct lw_action *next, struct lw_error *err);
/* The action on the registers of `a` that brings b's bases to the front (`left`) or to the end:
 * if any order of registers makes divideLeft(a, b) or divideRight(a, b) possible then this one
 * does. The first in-dim of both must be "register", else LW_ERROR_SHAPE; LW_ERROR_UNSUPPORTED
 * when `a` lacks a basis of b. (regPermForDivide) */
bool lw_action_for_divide(struct lw_action *out, const struct lw_layout *a,
                          const struct lw_layout *b, bool left, struct lw_error *err);
/* The action that removes the registers whose basis is 0. Fails with LW_ERROR_SHAPE unless the
 * first in-dim is "register". (actionRemoveBroadcastedRegs) */
bool lw_action_remove_broadcast(struct lw_action *out, const struct lw_layout *layout,
                                struct lw_error *err);
/* Appends "ColumnAction([2, 0, 1], register, 3)", as upstream prints it. (toString) */
void lw_action_print(struct lw_text *text, const struct lw_action *action);

#endif
