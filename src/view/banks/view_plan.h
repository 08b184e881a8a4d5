#ifndef LANEWAY_VIEW_PLAN_H
#define LANEWAY_VIEW_PLAN_H

/* The plan view of access plans that were made already, not of two joined subjects. */

#include "laneway/plan.h"
#include "laneway/view.h"

/* Opens it for one plan or two, which are borrowed; plans[1] NULL: one. The subject is for the head alone. Fails
 * with LW_ERROR_MEMORY only. */
bool lw_plan_view_open(struct lw_view *view, const struct lw_subject *subject,
                       const struct lw_plan *const plans[2], struct lw_error *err);

#endif
