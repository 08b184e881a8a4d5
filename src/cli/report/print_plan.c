/* Access plans as text and as JSON. */

#include "cli/report/print_plan.h"

#include "cli/pair.h"
#include "view/view_parts.h"

#include <string.h>

/* ---- JSON ---- */

#define INSTRUCTIONS_MAX ((uint64_t)1 << 20)

static const char *op_name(enum lw_access_op op)
{
    static const char *const names[] = {"ld", "st", "ldmatrix", "stmatrix"};
    return names[op];
}

static void put_instruction(struct lw_text *text, const struct lw_plan *plan,
                            const struct lw_instruction *instruction)
{
    const struct lw_access *access = &instruction->access;
    struct lw_cost cost = {0};
    lw_access_cost(plan->request.hardware->banks, access, &cost, NULL);
    lw_text_format(text, "{\"op\":\"%s\",\"width\":%u,", op_name(access->op), access->width);
    if (access->matrices)
        lw_text_format(text, "\"matrices\":%u,\"transposed\":%s,", access->matrices,
                       instruction->transposed ? "true" : "false");
    lw_text_format(text, "\"warp\":%llu,\"registers\":[", (unsigned long long)instruction->warp);
    for (unsigned i = 0; i < instruction->register_count; i++)
        lw_text_format(text, "%s%llu", i ? "," : "", (unsigned long long)instruction->registers[i]);
    lw_text_format(text, "],\"wavefronts\":%u,\"ideal\":%u,\"conflicts\":%u}", cost.wavefronts,
                   cost.ideal, cost.conflicts);
}

bool lw_instructions_print_json(struct lw_text *text, const struct lw_instructions *all,
                                struct lw_error *err)
{
    const struct lw_plan *plan = all->plan;
    bool some = false;
    if (all->total->instructions > INSTRUCTIONS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "over 2^20 instructions: too many for a list");
    lw_text_add(text, "{\"instructions\":[");
    for (uint64_t i = 0; i < plan->count * all->times && !text->failed; i++) {
        struct lw_instruction instruction;
        all->get(all->context, i, &instruction);
        if (!instruction.access.active)
            continue;
        lw_text_add(text, some ? "," : "");
        put_instruction(text, plan, &instruction);
        some = true;
    }
    lw_text_format(text, "],\"wavefronts\":%llu,\"ideal\":%llu,\"conflicts\":%llu}",
                   (unsigned long long)all->total->wavefronts,
                   (unsigned long long)all->total->ideal,
                   (unsigned long long)all->total->conflicts);
    return true;
}

static void plan_instruction(const void *context, uint64_t i, struct lw_instruction *out)
{
    lw_plan_instruction(context, i, out);
}

bool lw_plan_print_json(struct lw_text *text, const struct lw_plan *plan, struct lw_error *err)
{
    const struct lw_instructions all = {plan, &plan->total, 1, plan, plan_instruction};
    return lw_instructions_print_json(text, &all, err);
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

/* "0-3 8-11"; of more than a few the first. */
#define RUNS_MAX 4

static void put_registers(struct lw_text *text, const uint64_t *registers, unsigned count)
{
    for (unsigned i = 0, end, runs = 0; i < count; i = end) {
        if (runs++ == RUNS_MAX) {
            lw_text_add(text, " ...");
            return;
        }
        for (end = i + 1; end < count && registers[end] == registers[end - 1] + 1;)
            end++;
        lw_text_format(text, "%s%llu", i ? " " : "", (unsigned long long)registers[i]);
        if (end - i > 1)
            lw_text_format(text, "-%llu", (unsigned long long)registers[end - 1]);
    }
}

static bool ends_open(const struct lw_text *text)
{
    const char *string = lw_text_string(text);
    size_t length = strlen(string);
    return length > 2 && !strcmp(string + length - 3, "...");
}

/* The most wavefronts that one group of lanes takes. */
static unsigned way_of(const struct lw_plan *plan, const struct lw_access *access)
{
    struct lw_wavefronts served;
    unsigned count[LW_WARP_MAX] = {0}, max = 0;
    if (!lw_access_wavefronts(plan->request.hardware->banks, access, &served, NULL))
        return 0;
    for (unsigned i = 0; i < served.count; i++) {
        unsigned *here = &count[served.wavefront[i].group];
        if (++*here > max)
            max = *here;
    }
    return max;
}

enum { COL_NAME, COL_RUNS, COL_REGISTERS, COL_LANES, COL_WAVEFRONTS, COL_IDEAL, COL_WAY, COLS };

static void put_cell(const void *context, uint64_t row, uint64_t col, struct lw_text *text)
{
    static const char *const heads[COLS] = {"instruction", "runs",  "registers", "lanes",
                                            "wavefronts",  "ideal", "conflict"};
    const struct lw_plan *plan = context;
    struct lw_instruction first;
    if (row == LW_TABLE_HEADER) {
        lw_text_add(text, heads[col]);
        return;
    }
    const struct lw_plan_kind *kind = &plan->kinds[row];
    if (col == COL_REGISTERS || col == COL_WAY)
        lw_plan_instruction(plan, kind->first, &first);
    switch (col) {
    case COL_NAME:
        lw_text_add(text, plan->opcodes[kind->opcode].name);
        break;
    case COL_RUNS:
        lw_text_format(text, "x %llu", (unsigned long long)kind->count);
        break;
    case COL_REGISTERS:
        put_registers(text, first.registers, first.register_count);
        lw_text_add(text, plan->opcodes[kind->opcode].count > 1 && !ends_open(text) ? " ..." : "");
        break;
    case COL_LANES:
        lw_text_number(text, kind->lanes);
        break;
    case COL_WAVEFRONTS:
        lw_text_number(text, kind->cost.wavefronts);
        break;
    case COL_IDEAL:
        lw_text_number(text, kind->cost.ideal);
        break;
    default:
        if (kind->cost.conflicts)
            lw_text_format(text, "%u-way, +%u", way_of(plan, &first.access), kind->cost.conflicts);
        else
            lw_text_add(text, "none");
    }
}

bool lw_plan_print_table(const struct lw_plan *plan, const struct lw_ruling *ruling, FILE *out,
                         struct lw_error *err)
{
    struct lw_table table = {.ruling = ruling,
                             .rows = (uint64_t)plan->kind_count,
                             .cols = COLS,
                             .header = true,
                             .context = plan,
                             .cell = put_cell};
    return lw_put_table(&table, out, err);
}

/* The evidence for the numbers, as text. */
static const char *rule_of(const struct lw_plan *plan)
{
    if (plan->rule == LW_PLAN_RUNS)
        return plan->total.matrix
                   ? "matrix instructions, which fit, as a kernel by hand takes them; no "
                     "compiler's\n"
                     "rule covers layouts that are not linear"
                   : "the widest aligned runs that all lanes share; no compiler's rule covers\n"
                     "layouts that are not linear";
    if (plan->request.stage == LW_PLAN_TRITON)
        return "Triton's own instructions, before its back end merges neighbours";
    /* A plan without maps is a conversion's. */
    return plan->rule == LW_PLAN_PADDED   ? "as Triton 3.6 and its back end compile padded layouts"
           : plan->request.memory != NULL ? "as Triton 3.6 and its back end compile linear layouts"
                                          : "as Triton 3.6 and 3.7 compile linear layouts";
}

void lw_plan_print_rule(struct lw_text *text, const struct lw_plan *plan)
{
    const struct lw_hardware *hardware = plan->request.hardware;
    const struct lw_bank_model *banks = hardware->banks;
    lw_text_format(text, "rule: %s", rule_of(plan));
    if (plan->rule != LW_PLAN_RUNS && plan->request.stage == LW_PLAN_COMPILED)
        lw_text_add(text, strcmp(hardware->name, "sm90") ? " (checked on sm90 alone)"
                          : plan->rule == LW_PLAN_PADDED ? ": 98 of 100 kernels agree on sm90"
                                                         : ", exact for sm90");
    lw_text_format(text, "\nbanks: %s, %s\n", banks->name, banks->evidence);
    lw_text_format(
        text,
        "ideal: the distinct bytes of each access over the %u of a wavefront, "
        "rounded\nup; above it are conflicts, or groups of lanes that fill no wavefront\n",
        lw_bank_model_row_bytes(banks));
    lw_text_add(text,
                "not covered: other accesses under way at the same time, which the counters of "
                "loads\ncan show as a few more conflicts; code around the access that runs for "
                "some threads alone\n");
}
