/* The explanation of a whole access plan: its cost, and the rule it was made by. */

#include "view/banks/view_banks.h"

#include <string.h>

/* ---- Cost ---- */

/* "8 instructions, 32 wavefronts (ideal 32: 100 %), no conflicts" */
static void put_total(struct lw_text *text, const struct lw_plan_total *total)
{
    lw_put_count(text, total->instructions, "instruction");
    lw_text_add(text, ", ");
    lw_put_count(text, total->wavefronts, "wavefront");
    lw_text_format(text, " (ideal %llu", (unsigned long long)total->ideal);
    if (total->wavefronts) {
        uint64_t tenths = (total->ideal * 1000 + total->wavefronts / 2) / total->wavefronts;
        lw_text_format(text, ": %llu", (unsigned long long)(tenths / 10));
        if (tenths % 10)
            lw_text_format(text, ".%llu", (unsigned long long)(tenths % 10));
        lw_text_add(text, " %");
    }
    lw_text_add(text, "), ");
    if (total->conflicts)
        lw_put_count(text, total->conflicts, "conflict");
    else
        lw_text_add(text, "no conflicts");
}

void lw_put_access_title(struct lw_text *text, struct lw_subject_access *access,
                         enum lw_access_op op)
{
    const struct lw_plan *plan = lw_subject_access_plan(access, op, NULL);
    lw_text_add(text, op == LW_ACCESS_STORE ? "store, " : "load, ");
    lw_put_count(text, plan->warps, "warp");
    lw_text_add(text, lw_subject_access_rounds(access) > 1 ? ", each round" : "");
}

void lw_explain_access_cost(struct lw_subject_access *access, enum lw_access_op op,
                            struct lw_explanation *explanation)
{
    const struct lw_plan *plan = lw_subject_access_plan(access, op, NULL);
    uint64_t rounds = lw_subject_access_rounds(access);
    put_total(lw_explanation_line(explanation, rounds > 1 ? "all rounds" : "total"),
              lw_subject_access_total(access, op, NULL));
    if (rounds)
        return;
    uint64_t estimate;
    if (plan->request.stage == LW_PLAN_WRITTEN || !lw_plan_estimate(&plan->request, &estimate))
        return;
    struct lw_text *text = lw_explanation_line(explanation, "Triton's own estimate");
    lw_put_count(text, estimate, "conflict");
    lw_text_add(text, " in each plain access");
}

/* ---- Rule ---- */

/* Kernels of 3.5 were not compared: their plans are made by the rules of 3.6. */
static void put_rule(struct lw_text *text, const struct lw_plan *plan)
{
    const enum lw_triton triton = plan->request.triton;
    const bool padded = plan->rule == LW_PLAN_PADDED;
    if (plan->request.stage == LW_PLAN_WRITTEN)
        lw_text_add(text, "as written: each lane's registers, in vectors as the layout has them; "
                          "no matrix instructions, and nothing is merged");
    else if (plan->rule == LW_PLAN_RUNS)
        lw_text_add(text, "the widest aligned runs that all lanes share; no compiler's rule "
                          "covers layouts that are not linear");
    else if (plan->request.stage == LW_PLAN_TRITON)
        lw_text_add(text, "Triton's own instructions, before its back end merges neighbours");
    else
        lw_text_format(text, "as Triton %s and its back end compile %s layouts%s",
                       triton == LW_TRITON_3_5 ? "3.6" : lw_triton_name(triton),
                       padded ? "padded" : "linear",
                       strcmp(plan->request.hardware->name, "sm90") ? " (checked on sm90 alone)"
                       : padded && !lw_triton_since(triton, LW_TRITON_3_7)
                           ? ": 98 of 100 kernels agree on sm90"
                           : ", exact for sm90");
}

void lw_explain_plan_rule(const struct lw_plan *plan, struct lw_explanation *explanation)
{
    const struct lw_bank_model *banks = plan->request.hardware->banks;
    put_rule(lw_explanation_line(explanation, "rule"), plan);
    lw_text_format(lw_explanation_line(explanation, "banks"), "%s, %s", banks->name,
                   banks->evidence);
    if (banks->disagreement)
        lw_text_add(lw_explanation_line(explanation, "but"), banks->disagreement);
    bool own = false; /* some widths are served by only a part of the banks */
    for (int i = 0; i < LW_WIDTHS; i++)
        own = own || (banks->load[i] && banks->load[i]->banks) ||
              (banks->store[i] && banks->store[i]->banks);
    struct lw_text *text = lw_explanation_line(explanation, "ideal");
    lw_text_add(text, "the distinct bytes of each access over ");
    if (own)
        lw_text_add(text, "those of its banks");
    else
        lw_text_format(text, "the %u of a wavefront", lw_bank_model_row_bytes(banks));
    lw_text_add(text, ", rounded up; above it are conflicts, or groups of lanes that fill no "
                      "wavefront");
    lw_text_add(lw_explanation_line(explanation, "not covered"),
                "other accesses at the same time, which the counters of loads can show as a few "
                "more conflicts; code around the access that only some threads run");
}
