#ifndef LANEWAY_PRINT_PLAN_H
#define LANEWAY_PRINT_PLAN_H

/* Access plans as text and as JSON. */

#include "cli/pair.h"
#include "laneway/plan.h"

/* Instructions that are a plan's some times over: how they are got, and what they add up to. */
struct lw_instructions {
    const struct lw_plan *plan;
    const struct lw_plan_total *total;
    uint64_t times;
    FILE *out; /* where the text goes when it has grown long; NULL: it stays in memory */
    const void *context;
    void (*get)(const void *context, uint64_t i, struct lw_instruction *out);
};
/* Fails on over 2^20, which are too many for a list; called before anything of it is written. */
bool lw_instructions_check(const struct lw_instructions *all, struct lw_error *err);
bool lw_plan_check_list(const struct lw_plan *plan, struct lw_error *err);
/* {"instructions":[...],"wavefronts":...,"ideal":...,"conflicts":...}; those instructions that no lane runs are
 * left out. */
void lw_instructions_print_json(struct lw_text *text, const struct lw_instructions *all);
/* The same of one plan, a long list to `out` where that is not NULL; without `list` only the three totals. */
void lw_plan_print_json(struct lw_text *text, FILE *out, const struct lw_plan *plan, bool list);
/* The plan of the stores or of the loads of a joined subject, which has one: its title, the view "plan", its cost. */
bool lw_access_print(FILE *out, const struct lw_subject *subject, enum lw_access_op op,
                     const struct lw_view_output *output, struct lw_error *err);
/* Prints the lines of an explanation, each wrapped beside its label, and empties it. Labels with their colon and
 * a blank are padded to `label` columns; 0: they are not, and lines that are a little too long stay whole. */
void lw_explanation_print(struct lw_text *text, struct lw_explanation *explanation, size_t label);

#endif
