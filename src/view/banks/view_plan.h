#ifndef LANEWAY_VIEW_PLAN_H
#define LANEWAY_VIEW_PLAN_H

/* The plan view of access plans that were made already, and a plan as text, for the commands and the explorer. */

#include "laneway/plan.h"
#include "laneway/view.h"

/* Opens it for one plan or two, which are borrowed; plans[1] NULL: one. The subject is for the head alone. Fails
 * with LW_ERROR_MEMORY only. */
bool lw_plan_view_open(struct lw_view *view, const struct lw_subject *subject,
                       const struct lw_plan *const plans[2], struct lw_error *err);

/* ---- The whole plan (explain_plan.c) ---- */

/* "8 instructions, 32 wavefronts (ideal 32: 100 %), no conflicts" */
void lw_put_plan_total(struct lw_text *text, const struct lw_plan_total *total);
/* Adds the lines "total", "plain instead" or "by hand" (the other way, if there is one) and "Triton's own estimate"
 * (where Triton has one). */
void lw_explain_plan_cost(const struct lw_plan *plan, struct lw_explanation *explanation);
/* Adds the lines "rule", "banks", "but" (where sources disagree), "ideal" and "not covered". */
void lw_explain_plan_rule(const struct lw_plan *plan, struct lw_explanation *explanation);

#endif
