/* Access plans as text and as JSON. */

#include "cli/report/print_plan.h"

#include "cli/pair.h"
#include "view/view_parts.h"
#include "view/banks/view_plan.h"

#include <string.h>

/* ---- JSON ---- */

#define INSTRUCTIONS_MAX ((uint64_t)1 << 20)

static const char *op_name(enum lw_access_op op)
{
    static const char *const names[] = {"ld", "st", "ldmatrix", "stmatrix"};
    return names[op];
}

static void put_key(struct lw_text *text, const char *key, uint64_t number)
{
    lw_text_add(text, key);
    lw_text_number(text, number);
}

static void put_instruction(struct lw_text *text, const struct lw_plan *plan,
                            const struct lw_instruction *instruction)
{
    const struct lw_access *access = &instruction->access;
    struct lw_cost cost = {0};
    lw_access_cost(plan->request.hardware->banks, access, &cost, NULL);
    lw_text_add(text, "{\"op\":\"");
    lw_text_add(text, op_name(access->op));
    put_key(text, "\",\"width\":", access->width);
    if (access->matrices) {
        put_key(text, ",\"matrices\":", access->matrices);
        lw_text_add(text, ",\"transposed\":");
        lw_text_add(text, instruction->transposed ? "true" : "false");
    }
    put_key(text, ",\"warp\":", instruction->warp);
    lw_text_add(text, ",\"registers\":[");
    for (unsigned i = 0; i < instruction->register_count; i++)
        put_key(text, i ? "," : "", instruction->registers[i]);
    put_key(text, "],\"wavefronts\":", cost.wavefronts);
    put_key(text, ",\"ideal\":", cost.ideal);
    put_key(text, ",\"conflicts\":", cost.conflicts);
    lw_text_char(text, '}');
}

static bool put_instructions(struct lw_text *text, const struct lw_instructions *all,
                             struct lw_error *err)
{
    const struct lw_plan *plan = all->plan;
    bool some = false;
    if (all->total->instructions > INSTRUCTIONS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "over 2^20 instructions: too many for a list");
    lw_text_add(text, "\"instructions\":[");
    for (uint64_t i = 0; i < plan->count * all->times && !text->failed; i++) {
        struct lw_instruction instruction;
        all->get(all->context, i, &instruction);
        if (!instruction.access.active)
            continue;
        lw_text_add(text, some ? "," : "");
        put_instruction(text, plan, &instruction);
        some = true;
    }
    lw_text_add(text, "],");
    return true;
}

static void put_totals(struct lw_text *text, const struct lw_plan_total *total)
{
    put_key(text, "\"wavefronts\":", total->wavefronts);
    put_key(text, ",\"ideal\":", total->ideal);
    put_key(text, ",\"conflicts\":", total->conflicts);
    lw_text_char(text, '}');
}

bool lw_instructions_print_json(struct lw_text *text, const struct lw_instructions *all,
                                struct lw_error *err)
{
    lw_text_char(text, '{');
    if (!put_instructions(text, all, err))
        return false;
    put_totals(text, all->total);
    return true;
}

static void plan_instruction(const void *context, uint64_t i, struct lw_instruction *out)
{
    lw_plan_instruction(context, i, out);
}

bool lw_plan_print_json(struct lw_text *text, const struct lw_plan *plan, bool list,
                        struct lw_error *err)
{
    const struct lw_instructions all = {plan, &plan->total, 1, plan, plan_instruction};
    if (list)
        return lw_instructions_print_json(text, &all, err);
    lw_text_char(text, '{');
    put_totals(text, &plan->total);
    return true;
}

/* ---- Text ---- */

void lw_plan_print_total(struct lw_text *text, const struct lw_plan_total *total)
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

bool lw_plan_print_view(const struct lw_plan *const plans[2], const struct lw_view_output *output,
                        FILE *out, struct lw_error *err)
{
    static const struct lw_subject subject; /* the head is the command's own */
    struct lw_view view;
    return lw_plan_view_open(&view, &subject, plans, err) &&
           lw_view_output_write(output, &view, out, err);
}

/* The evidence for the numbers. Kernels of 3.5 were not compared: they are planned as those of 3.6. */
static void print_evidence(struct lw_text *text, const struct lw_plan *plan)
{
    enum lw_triton triton = plan->request.triton;
    const char *version = triton == LW_TRITON_3_5 ? "3.6" : lw_triton_name(triton);
    if (plan->rule == LW_PLAN_RUNS)
        lw_text_add(text,
                    plan->total.matrix
                        ? "matrix instructions, which fit, as a kernel by hand takes them; no "
                          "compiler's\n"
                          "rule covers layouts that are not linear"
                        : "the widest aligned runs that all lanes share; no compiler's rule "
                          "covers\n"
                          "layouts that are not linear");
    else if (plan->request.stage == LW_PLAN_TRITON)
        lw_text_add(text, "Triton's own instructions, before its back end merges neighbours");
    else
        lw_text_format(text, "as Triton %s and its back end compile %s layouts", version,
                       plan->rule == LW_PLAN_PADDED ? "padded" : "linear");
}

/* Whether some widths are served by fewer banks than there are. */
static bool has_own_banks(const struct lw_bank_model *banks)
{
    bool own = false;
    for (int i = 0; i < LW_WIDTHS; i++)
        own = own || (banks->load[i] && banks->load[i]->banks) ||
              (banks->store[i] && banks->store[i]->banks);
    return own;
}

void lw_plan_print_rule(struct lw_text *text, const struct lw_plan *plan)
{
    const struct lw_hardware *hardware = plan->request.hardware;
    const struct lw_bank_model *banks = hardware->banks;
    bool padded =
        plan->rule == LW_PLAN_PADDED && !lw_triton_since(plan->request.triton, LW_TRITON_3_7);
    lw_text_add(text, "rule: ");
    print_evidence(text, plan);
    if (plan->rule != LW_PLAN_RUNS && plan->request.stage == LW_PLAN_COMPILED)
        lw_text_add(text, strcmp(hardware->name, "sm90") ? " (checked on sm90 alone)"
                          : padded                       ? ": 98 of 100 kernels agree on sm90"
                                                         : ", exact for sm90");
    lw_text_format(text, "\nbanks: %s, %s\n", banks->name, banks->evidence);
    if (banks->disagreement) {
        lw_text_add(text, "but:   ");
        lw_text_wrap(text, banks->disagreement, 7, 7);
    }
    lw_text_add(text, "ideal: the distinct bytes of each access over ");
    if (has_own_banks(banks))
        lw_text_add(text, "those of its banks");
    else
        lw_text_format(text, "the %u of a wavefront", lw_bank_model_row_bytes(banks));
    lw_text_add(
        text, ", rounded\nup; above it are conflicts, or groups of lanes that fill no wavefront\n");
    lw_text_add(text,
                "not covered: other accesses under way at the same time, which the counters of "
                "loads\ncan show as a few more conflicts; code around the access that runs for "
                "some threads alone\n");
}
