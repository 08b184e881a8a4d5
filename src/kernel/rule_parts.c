/* What the rules of several roles share: maps of types and sums. */

#include "kernel/rule_parts.h"

#include "core/array_count.h"
#include "laneway/conversion.h"
#include "notation/mlir/operations.h"

#include <string.h>

bool lw_rule_unknown(struct lw_cost_rule *rule, const char *why)
{
    snprintf(rule->cost->why, sizeof rule->cost->why, "%.*s", (int)sizeof rule->cost->why - 1, why);
    return false;
}

/* ---- Maps ---- */

bool lw_rule_map(struct lw_cost_rule *rule, int row, const struct lw_map **map)
{
    const struct lw_kernel_type *type = &rule->kernel->types[row];
    struct lw_kernel_maps *maps = rule->maps;
    struct lw_error err;
    size_t oldest = 0;
    for (size_t i = 0; i < LW_COUNT(maps->entry); i++) {
        if (maps->entry[i].type == row + 1) {
            maps->entry[i].used = ++maps->uses;
            *map = &maps->entry[i].map;
            return true;
        }
        oldest = maps->entry[i].used < maps->entry[oldest].used ? i : oldest;
    }
    if (!type->encoding || type->tensor.rank < 0)
        return lw_rule_unknown(rule,
                               type->problem ? type->problem->message : "its type cannot be read");
    maps->entry[oldest].type = 0;
    if (!lw_encoding_build(type->encoding, &type->tensor, &maps->entry[oldest].map, &err))
        return lw_rule_unknown(rule, err.message);
    maps->entry[oldest].type = row + 1;
    maps->entry[oldest].used = ++maps->uses;
    *map = &maps->entry[oldest].map;
    return true;
}

bool lw_rule_bits(struct lw_cost_rule *rule)
{
    struct lw_tensor tensor;
    lw_operation_tensor(rule->kernel, rule->operation, &tensor);
    rule->bits = (unsigned)tensor.element.bits;
    return rule->bits || lw_rule_unknown(rule, "the size of its element is unknown");
}

bool lw_rule_both(struct lw_cost_rule *rule)
{
    const struct lw_operation *operation = rule->operation;
    if (operation->from < 0 || operation->to < 0)
        return lw_rule_unknown(rule, "its types do not have two layouts");
    return lw_rule_bits(rule) && lw_rule_map(rule, operation->from, &rule->from) &&
           lw_rule_map(rule, operation->to, &rule->to);
}

/* ---- Code ---- */

void lw_rule_add_code(struct lw_kernel_cost *cost, const struct lw_plan *plan, uint64_t rounds)
{
    for (int i = 0; i < plan->opcode_count; i++) {
        size_t length = strlen(cost->code);
        snprintf(cost->code + length, sizeof cost->code - length, "%s%s x%llu", length ? ", " : "",
                 plan->opcodes[i].name,
                 (unsigned long long)(plan->opcodes[i].count * (rounds ? rounds : 1)));
    }
}

void lw_rule_add_total(struct lw_cost_rule *rule, const struct lw_plan_total *total,
                       const struct lw_error *unknown)
{
    struct lw_kernel_cost *cost = rule->cost;
    cost->instructions += total->instructions;
    cost->bytes += total->bytes;
    if (unknown) {
        lw_rule_unknown(rule, unknown->message);
        return;
    }
    cost->wavefronts += total->wavefronts;
    cost->conflicts += total->conflicts;
    cost->ideal += total->ideal;
    cost->known |= LW_COST_SHARED;
}

/* ---- Through shared memory ---- */

void lw_rule_note(struct lw_cost_rule *rule, const struct lw_plan *plan)
{
    if (plan && plan->rule == LW_PLAN_RUNS)
        lw_rule_unknown(
            rule,
            "no rule of the compiler is known for these layouts: the widest runs are counted");
    else if (rule->hardware->lanes == 64 || !strncmp(rule->hardware->name, "gfx", 3))
        lw_rule_unknown(
            rule, "the instructions that Triton chooses are counted; which of them AMD's back end "
                  "merges is unknown");
}

/* ---- Results that are only stored ----
 *
 * The compiler moves the loads of a value that is only stored under the predicate of the store, so warps and lanes that
 * hold copies do not execute them. Where something is computed from the value first it may move them or not, by rules
 * of the assembler that are not known: one multiplication is moved, an addition is not. Source: machine code of kernels
 * of Triton 3.6 to 3.9, and counters of kernels of torch.compile. */

enum lw_result_use lw_operation_result_use(const struct lw_operation *operation,
                                           const struct lw_map *to)
{
    return lw_operation_goes_to_global(operation, to) ? LW_STORED
           : operation->only_stored                   ? LW_UNSURE
                                                      : LW_USED;
}

void lw_rule_count_by_use(struct lw_cost_rule *rule, enum lw_result_use result_use,
                          void (*count)(struct lw_cost_rule *rule))
{
    struct lw_kernel_cost *cost = rule->cost, before = *cost;
    rule->to_global = result_use != LW_USED;
    count(rule);
    if (result_use != LW_UNSURE || !(cost->known & LW_COST_SHARED))
        return;
    struct lw_kernel_cost moved = *cost;
    *cost = before;
    rule->to_global = false;
    count(rule);
    if (moved.instructions == cost->instructions && moved.wavefronts == cost->wavefronts)
        return;
    uint64_t all = cost->wavefronts;
    *cost = before;
    cost->kind = moved.kind;
    snprintf(cost->why, sizeof cost->why,
             "only some of the warps and lanes that hold its result store it, and whether the "
             "others load it is up to the assembler: %llu or %llu wavefronts",
             (unsigned long long)moved.wavefronts, (unsigned long long)all);
}

/* ---- Conversions ---- */

bool lw_rule_conversion(struct lw_cost_rule *rule, const struct lw_conversion_request *request,
                        bool loads, struct lw_conversion *conversion)
{
    struct lw_conversion_request own = *request;
    struct lw_error err;
    own.hardware = rule->hardware;
    own.triton = rule->kernel->triton;
    if (!lw_conversion_make(conversion, &own, &err))
        return lw_rule_unknown(rule, err.message);
    const struct lw_error *unknown = lw_conversion_unknown(conversion);
    if (conversion->kind == LW_CONVERSION_BLOCKS)
        lw_rule_unknown(rule, "it uses the shared memory of other blocks, which is not counted");
    if (conversion->kind == LW_CONVERSION_SHARED) {
        lw_rule_note(rule, NULL);
        lw_rule_add_total(rule, &conversion->store_total, unknown);
        lw_rule_add_code(rule->cost, &conversion->store, conversion->rounds);
    }
    if (conversion->kind == LW_CONVERSION_SHARED && loads) {
        lw_rule_add_total(rule, &conversion->load_total, unknown);
        lw_rule_add_code(rule->cost, &conversion->load, conversion->rounds);
    }
    lw_conversion_free(conversion);
    return true;
}

static void count_conversion(struct lw_cost_rule *rule)
{
    struct lw_kernel_cost *cost = rule->cost;
    struct lw_conversion conversion;
    struct lw_conversion_request request = {.from = rule->from,
                                            .to = rule->to,
                                            .element_bits = rule->bits,
                                            .to_global = rule->to_global,
                                            .any_cost = true};
    if (!lw_rule_conversion(rule, &request, true, &conversion))
        return;
    cost->kind = lw_conversion_kind_name(conversion.kind);
    if (conversion.kind < LW_CONVERSION_SHARED)
        cost->known |= LW_COST_SHARED; /* known to be 0 */
    if (conversion.kind == LW_CONVERSION_SHUFFLE)
        snprintf(cost->code, sizeof cost->code, "shuffle x%llu",
                 (unsigned long long)conversion.shuffles);
}

void lw_rule_convert(struct lw_cost_rule *rule)
{
    if (lw_rule_both(rule))
        lw_rule_count_by_use(rule, lw_operation_result_use(rule->operation, rule->to),
                             count_conversion);
}
