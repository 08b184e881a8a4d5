#ifndef LANEWAY_TESTS_PLAN_HELP_H
#define LANEWAY_TESTS_PLAN_HELP_H

#include "laneway/plan.h"

struct lw_map plan_map(const char *source);
struct lw_plan plan_made(const struct lw_map *registers, const struct lw_map *memory, unsigned bits,
                         enum lw_access_op op);
/* Looks at every instruction: what it moves is what the two maps say, and the totals are theirs. */
void plan_check(const struct lw_plan *plan);

#endif
