#ifndef LANEWAY_EXPLAIN_PLAN_H
#define LANEWAY_EXPLAIN_PLAN_H

/* A whole access plan in text, for the commands. */

#include "laneway/plan.h"
#include "laneway/view.h"

/* "8 instructions, 32 wavefronts (ideal 32: 100 %), no conflicts" */
void lw_put_plan_total(struct lw_text *text, const struct lw_plan_total *total);
/* Appends the title of the plan of stores or loads, which has been made: "store, 4 warps", and of a conversion "each
 * round" where it takes several. */
void lw_put_access_title(struct lw_text *text, struct lw_subject_access *access,
                         enum lw_access_op op);
/* Adds the lines "total", "plain instead" or "by hand" (the other way, if there is one) and "Triton's own estimate"
 * (where Triton has one); of a conversion only "total", or "all rounds" where it takes several. */
void lw_explain_access_cost(struct lw_subject_access *access, enum lw_access_op op,
                            struct lw_explanation *explanation);
/* Adds the lines "rule", "banks", "but" (where sources disagree), "ideal" and "not covered". */
void lw_explain_plan_rule(const struct lw_plan *plan, struct lw_explanation *explanation);

#endif
