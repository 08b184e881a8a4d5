#ifndef LANEWAY_PRINT_PLAN_H
#define LANEWAY_PRINT_PLAN_H

/* Access plans as text and as JSON. */

#include "cli/pair.h"
#include "laneway/plan.h"

/* The instructions of a plan, once or in several rounds: how to get each, and their sums. */
struct lw_instructions {
    const struct lw_plan *plan;
    const struct lw_plan_total *total;
    uint64_t times;
    const void *context;
    void (*get)(const void *context, uint64_t i, struct lw_instruction *out);
};
/* Fails on over 2^20 instructions, too many for a list; call it before any part is written. */
bool lw_instructions_check(const struct lw_instructions *all, struct lw_error *err);
bool lw_plan_check_list(const struct lw_plan *plan, struct lw_error *err);
/* {"instructions":[...],"wavefronts":...,"ideal":...,"conflicts":...}; instructions that no lane executes are left
 * out. */
void lw_instructions_print_json(struct lw_text *text, const struct lw_instructions *all);
/* The same for one plan; without `list` only the three totals. */
void lw_plan_print_json(struct lw_text *text, const struct lw_plan *plan, bool list);
/* Prints the plan of the stores or of the loads of a joined subject, which must have one: its title, its banks and its
 * cost. */
bool lw_access_print(FILE *out, const struct lw_subject *subject, enum lw_access_op op,
                     const struct lw_view_output *output, struct lw_error *err);
/* Prints the lines of an explanation, each wrapped beside its label, and empties it. Labels with their colon and a
 * blank are padded to `label` columns; 0: they are not padded, and lines that are a little too long are not wrapped. */
void lw_explanation_print(struct lw_text *text, struct lw_explanation *explanation, size_t label);

#endif
