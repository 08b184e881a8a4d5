#ifndef LANEWAY_RULE_PARTS_H
#define LANEWAY_RULE_PARTS_H

/* The rules of costs: what they share, and those that have a file of their own. */

#include "kernel/kernel_rules.h"
#include "laneway/conversion.h"

/* An operation and its cost so far. */
struct lw_cost_rule {
    const struct lw_kernel *kernel;
    const struct lw_operation *operation;
    const struct lw_hardware *hardware;
    struct lw_kernel_cost *cost;
    struct lw_kernel_maps *maps;
    const struct lw_map *from, *to; /* valid while this operation is counted */
    unsigned bits;
    bool to_global; /* what it loads is moved to the store of its result */
    bool masked;    /* its results are stored by the last store, which has a mask */
};

/* Sets why the cost is unknown, or a remark; returns false. */
bool lw_rule_unknown(struct lw_cost_rule *rule, const char *why);
/* The map of a type, a row of kernel->types. */
bool lw_rule_map(struct lw_cost_rule *rule, int row, const struct lw_map **map);
/* Sets rule->bits. */
bool lw_rule_bits(struct lw_cost_rule *rule);
/* Sets rule->bits, from and to. */
bool lw_rule_both(struct lw_cost_rule *rule);
/* Adds the instructions of a plan, that many times (0 counts as 1). */
void lw_rule_add_code(struct lw_kernel_cost *cost, const struct lw_plan *plan, uint64_t rounds);
/* Adds what they cost; `unknown`: why that is unknown, or NULL. */
void lw_rule_add_total(struct lw_cost_rule *rule, const struct lw_plan_total *total,
                       const struct lw_error *unknown);
/* A remark where the rules may not be those of this hardware. */
void lw_rule_note(struct lw_cost_rule *rule, const struct lw_plan *plan);

/* How the result of an operation is used. */
enum lw_result_use {
    LW_USED,   /* by all threads that have it */
    LW_STORED, /* only by the threads that store it to global memory: only they load it */
    LW_UNSURE  /* as above, but whether the others load it is up to the assembler */
};
/* `to` is the map of the result; NULL: one number. */
enum lw_result_use lw_operation_result_use(const struct lw_operation *operation,
                                           const struct lw_map *to);
/* Counts an operation with rule->to_global set for that use; where the use is unsure and makes a difference, the cost
 * is unknown. */
void lw_rule_count_by_use(struct lw_cost_rule *rule, enum lw_result_use result_use,
                          void (*count)(struct lw_cost_rule *rule));

/* Adds a conversion of the request's maps and bits, with or without its loads. False when it cannot be
 * made; else its kind and its shuffles are set, and there is nothing to free. */
bool lw_rule_conversion(struct lw_cost_rule *rule, const struct lw_conversion_request *request,
                        bool loads, struct lw_conversion *conversion);
void lw_rule_convert(struct lw_cost_rule *rule);
void lw_rule_reduce(struct lw_cost_rule *rule);

#endif
