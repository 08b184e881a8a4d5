/* The cost of a conversion between layouts in registers. */

#include "kernel/rule_parts.h"

#include "laneway/conversion.h"
#include "notation/mlir/operations.h"

static void count(struct lw_cost_rule *rule)
{
    struct lw_kernel_cost *cost = rule->cost;
    struct lw_conversion conversion;
    struct lw_error err;
    struct lw_conversion_request request = {.from = rule->from,
                                            .to = rule->to,
                                            .element_bits = rule->bits,
                                            .to_global = rule->to_global,
                                            .any_cost = true,
                                            .hardware = rule->hardware,
                                            .triton = rule->kernel->triton};
    if (!lw_conversion_make(&conversion, &request, &err)) {
        lw_rule_unknown(rule, err.message);
        return;
    }
    cost->kind = lw_conversion_kind_name(conversion.kind);
    if (conversion.kind == LW_CONVERSION_BLOCKS) {
        lw_rule_unknown(rule, "it uses the shared memory of other blocks, which is not counted");
    } else if (conversion.kind != LW_CONVERSION_SHARED) {
        cost->known |= LW_COST_SHARED; /* known to be 0 */
    }
    if (conversion.kind == LW_CONVERSION_SHUFFLE)
        snprintf(cost->code, sizeof cost->code, "shuffle x%llu",
                 (unsigned long long)conversion.shuffles);
    if (conversion.kind == LW_CONVERSION_SHARED) {
        const struct lw_error *unknown = lw_conversion_unknown(&conversion);
        lw_rule_note(rule, NULL);
        lw_rule_add_total(rule, &conversion.store_total, unknown);
        lw_rule_add_total(rule, &conversion.load_total, unknown);
        lw_rule_add_code(cost, &conversion.store, conversion.rounds);
        lw_rule_add_code(cost, &conversion.load, conversion.rounds);
    }
    lw_conversion_free(&conversion);
}

void lw_rule_convert(struct lw_cost_rule *rule)
{
    if (lw_rule_both(rule))
        lw_rule_count_by_use(rule, lw_operation_result_use(rule->operation, rule->to), count);
}
