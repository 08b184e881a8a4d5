#ifndef LANEWAY_ANALYSIS_PLAN_RUNS_H
#define LANEWAY_ANALYSIS_PLAN_RUNS_H

/* What plans of maps that are not linear share: registers sorted by offset. */

#include "analysis/access/plan_parts.h"

struct lw_run_register {
    uint64_t offset, hash; /* of the first thread; of all threads */
    uint32_t reg;
    uint64_t either; /* the bitwise or of the offsets of all threads */
    bool follows;    /* follows the one before it, in all threads */
    bool repeats;
};

/* The offset of the element of a register of a thread. Fails when the register holds no element
 * or memory does not have it. */
bool lw_run_offset(const struct lw_plan *plan, uint64_t reg, uint64_t thread, uint64_t *offset,
                   struct lw_error *err);
/* The same, for a register and a thread for which it does not fail. */
uint64_t lw_run_known_offset(const struct lw_plan *plan, uint64_t reg, uint64_t thread);
/* Sets the addresses and active lanes of one instruction of the plan. */
void lw_plan_run_access(const struct lw_plan *plan, const struct lw_warp_instruction *code,
                        uint64_t warp, struct lw_access *access);
/* Makes the code of matrix instructions, if these fit all registers, none of which repeats
 * another. */
bool lw_run_matrices(struct lw_plan *plan, const struct lw_run_register *sorted, uint64_t count);
#endif
