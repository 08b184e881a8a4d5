/* The cost of reductions and scans. */

#include "kernel/rule_parts.h"
#include "notation/mlir/operations.h"

#include "kernel/reduce_steps.h"
#include "laneway/conversion.h"
#include "analysis/access/reduction.h"

#include <stdlib.h>
#include <string.h>

/* Sets the order from a blocked layout; false when the layout is another one. */
static bool order_is_set(const struct lw_cost_rule *rule, int *order, int rank)
{
    const struct lw_encoding *encoding = rule->kernel->types[rule->operation->from].encoding;
    const struct lw_value *value =
        strcmp(encoding->type->name, "blocked") ? NULL : lw_encoding_value(encoding, "order");
    if (!value || value->kind != LW_VALUE_LIST || value->count != (size_t)rank)
        return false;
    for (int i = 0; i < rank; i++)
        order[i] = (int)value->items[i].integer;
    return true;
}

/* All operands have one layout; their elements may differ. */
static bool set_operands(struct lw_cost_rule *rule, struct lw_reduction_request *request)
{
    const struct lw_operation *operation = rule->operation;
    for (int i = 0; i < operation->operand_count; i++) {
        const struct lw_tensor *tensor = &rule->kernel->types[operation->types[i]].tensor;
        if (i == LW_REDUCTION_OPERANDS_MAX || !tensor->element.bits)
            return lw_rule_unknown(rule, "it has too many operands, or the size of one is unknown");
        request->element_bits[i] = (unsigned)tensor->element.bits;
    }
    request->operand_count = operation->operand_count;
    return operation->operand_count > 0;
}

static void note_no_exchange(struct lw_cost_rule *rule, bool shuffles)
{
    lw_rule_unknown(rule, shuffles ? "each warp holds the whole axis: it shuffles"
                                   : "each thread holds the whole axis");
}

static void put_reduction(struct lw_cost_rule *rule, const struct lw_reduction *found)
{
    struct lw_kernel_cost *cost = rule->cost;
    cost->known |= LW_COST_SHARED;
    cost->kind = found->shared ? "shared" : found->shuffle_steps ? "shuffle" : "registers";
    if (!found->shared) {
        note_no_exchange(rule, found->shuffle_steps);
        return;
    }
    lw_rule_add_total(rule, &found->store, NULL);
    lw_rule_add_total(rule, &found->load, NULL);
    snprintf(cost->code, sizeof cost->code, "STS x%llu, LDS x%llu",
             (unsigned long long)found->stores, (unsigned long long)found->loads);
    lw_rule_unknown(rule, "the warps exchange partial results and results through shared memory");
    lw_rule_note(rule, NULL);
}

/* Whether another reduction, which needs all threads, is between two rows. */
static bool reduces_between(const struct lw_kernel *kernel, int from, int to)
{
    for (int row = from + 1; row < to; row++)
        if (kernel->operations[row].kind->role == LW_ROLE_REDUCE)
            return true;
    return false;
}

/* The use of the results, also of a conversion of them that moves nothing. */
static enum lw_result_use find_result_use(struct lw_cost_rule *rule, bool single)
{
    const struct lw_operation *operation = rule->operation;
    const struct lw_kernel *kernel = rule->kernel;
    if (operation->converted < 0)
        return lw_operation_result_use(operation, rule->to);
    struct lw_kernel_cost cost = {.kind = ""};
    struct lw_cost_rule next = *rule;
    next.cost = &cost;
    next.operation = &kernel->operations[operation->converted];
    lw_rule_convert(&next);
    bool registers = !strcmp(cost.kind, "registers");
    enum lw_result_use result_use = lw_operation_result_use(next.operation, next.to);
    if ((strcmp(cost.kind, "none") != 0 && !registers) ||
        reduces_between(kernel, (int)(operation - kernel->operations), operation->converted))
        return LW_USED;
    if (result_use == LW_STORED &&
        (operation->computed || ((registers || operation->cast) && !single)))
        result_use = LW_UNSURE;
    rule->masked = next.operation->stored && next.operation->masked;
    return result_use;
}

/* Step `at` of a reduction, of all operands. */
static bool add_step(struct lw_cost_rule *rule, const struct lw_reduction_request *request,
                     const struct lw_reduce_steps *steps, int at)
{
    struct lw_kernel_cost *cost = rule->cost;
    struct lw_conversion conversion;
    struct lw_map from, to;
    bool last = steps->last_is_result && at == steps->count - 1;
    lw_map_from_layout(&from, &steps->from[at]);
    lw_map_from_layout(&to, &steps->to[at]);
    struct lw_conversion_request one = {
        .from = &from, .to = &to, .to_global = last && request->to_global};
    for (int i = 0; i < request->operand_count; i++) {
        bool used = !last || !request->used || (request->used >> i & 1);
        one.element_bits = request->element_bits[i];
        if (!lw_rule_conversion(rule, &one, used, &conversion) ||
            conversion.kind == LW_CONVERSION_BLOCKS)
            return false;
        if (conversion.kind == LW_CONVERSION_SHARED ||
            (conversion.kind == LW_CONVERSION_SHUFFLE && strcmp(cost->kind, "shared") != 0))
            cost->kind = lw_conversion_kind_name(conversion.kind);
    }
    return true;
}

/* Since 3.8 a reduction is compiled as conversions. */
static void reduce_by_conversions(struct lw_cost_rule *rule,
                                  const struct lw_reduction_request *request)
{
    struct lw_kernel_cost *cost = rule->cost;
    struct lw_layout registers, result;
    struct lw_reduce_steps steps;
    struct lw_error err;
    if (!lw_map_to_layout(request->registers, &registers, &err) ||
        (request->result && !lw_map_to_layout(request->result, &result, &err)) ||
        !lw_reduce_steps_make(&steps, &registers, request->axis, request->result ? &result : NULL,
                              &err)) {
        lw_rule_unknown(rule, err.message);
        return;
    }
    cost->kind = steps.lanes ? "shuffle" : "registers";
    cost->known = LW_COST_SHARED;
    rule->masked = rule->masked && steps.last_is_result;
    for (int i = 0; i < steps.count; i++)
        if (!add_step(rule, request, &steps, i)) {
            *cost = (struct lw_kernel_cost){.kind = "shared"};
            return;
        }
    if (strcmp(cost->kind, "shared") != 0) {
        note_no_exchange(rule, steps.lanes);
        return;
    }
    lw_rule_unknown(rule,
                    "the warps exchange partial results through shared memory, as conversions");
    lw_rule_note(rule, NULL);
}

/* Counts a reduction whose maps are found. */
static void count(struct lw_cost_rule *rule)
{
    const struct lw_operation *operation = rule->operation;
    const char *at = strstr(operation->text, "axis = ");
    struct lw_reduction found;
    struct lw_error err;
    int order[LW_DIMS_MAX];
    struct lw_reduction_request request = {.registers = rule->from,
                                           .result = rule->to,
                                           .axis = at ? atoi(at + 7) : -1,
                                           .scan = strstr(operation->name, "scan") != NULL,
                                           .used = operation->used,
                                           .to_global = rule->to_global,
                                           .hardware = rule->hardware,
                                           .triton = rule->kernel->triton};
    request.order = order_is_set(rule, order, rule->from->out.count) ? order : NULL;
    if (!set_operands(rule, &request))
        return;
    if (!request.scan && lw_triton_since(rule->kernel->triton, LW_TRITON_3_8))
        reduce_by_conversions(rule, &request);
    else if (lw_reduction_make(&found, &request, &err))
        put_reduction(rule, &found);
    else
        lw_rule_unknown(rule, err.message);
}

void lw_rule_reduce(struct lw_cost_rule *rule)
{
    const struct lw_operation *operation = rule->operation;
    bool scan = strstr(operation->name, "scan") != NULL;
    bool has_layout = !scan && operation->type_count > operation->operand_count;
    if (operation->from < 0 || !lw_rule_map(rule, operation->from, &rule->from) ||
        (has_layout && !lw_rule_map(rule, operation->to, &rule->to)))
        return;
    lw_rule_count_by_use(
        rule, scan ? LW_USED : find_result_use(rule, lw_registers_are_single(rule->to)), count);
}
