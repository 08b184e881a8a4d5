/* The cost of atomics: what their results cost in shared memory. */

#include "kernel/rule_parts.h"

#include <string.h>

/* Whether threads of a block hold copies of an element. */
static bool has_copies(const struct lw_map *map)
{
    struct lw_layout layout;
    uint64_t masks[LW_DIMS_MAX];
    if (!lw_map_to_layout(map, &layout, NULL))
        return true;
    lw_layout_free_masks(&layout, masks);
    for (int d = 0; d < layout.in.count; d++)
        if (masks[d] && strcmp(layout.in.dim[d].name, "register") != 0 &&
            strcmp(layout.in.dim[d].name, "block") != 0)
            return true;
    return false;
}

/* The bytes of the result, whose type ends the text; 0: unknown. */
static uint64_t result_bytes(const struct lw_operation *operation)
{
    const char *at = NULL;
    for (const char *p = operation->text; (p = strstr(p, "-> ")) != NULL; p += 3)
        at = p + 3;
    size_t length = at ? strcspn(at, " \n") : 0;
    char name[LW_ELEMENT_MAX];
    struct lw_element element;
    if (!length || length >= sizeof name)
        return 0;
    memcpy(name, at, length);
    name[length] = '\0';
    return lw_element_find(&element, name, NULL) ? (uint64_t)(element.bits + 7) / 8 : 0;
}

/* One thread executes the atomic and stores the result, and all threads load it. */
static void broadcast_result(struct lw_cost_rule *rule)
{
    struct lw_kernel_cost *cost = rule->cost;
    uint64_t warps = (uint64_t)rule->kernel->num_warps, bytes = result_bytes(rule->operation);
    if (!warps || !bytes) {
        lw_rule_unknown(rule, "the number of warps, or the size of its result, is unknown");
        return;
    }
    cost->known = LW_COST_SHARED;
    if (warps == 1 && lw_triton_since(rule->kernel->triton, LW_TRITON_3_9)) {
        snprintf(cost->code, sizeof cost->code, "shuffle x1");
        return;
    }
    cost->instructions = cost->wavefronts = cost->ideal = 1 + warps;
    cost->bytes = bytes * (1 + warps * rule->hardware->lanes);
    const char *width = bytes > 4 ? ".64" : bytes > 2 ? "" : bytes > 1 ? ".U16" : ".U8";
    snprintf(cost->code, sizeof cost->code, "STS%s x1, LDS%s x1", width, width);
    lw_rule_unknown(rule,
                    "its result goes to all threads through shared memory; its cost in global "
                    "memory depends on which addresses are equal");
}

void lw_rule_atomic(struct lw_cost_rule *rule)
{
    const struct lw_operation *operation = rule->operation;
    bool used = *operation->value && operation->used;
    if (strncmp(rule->kernel->target, "cuda", 4) != 0)
        return;
    if (used && operation->type_count == 0) {
        broadcast_result(rule);
        return;
    }
    if (used && (operation->to < 0 || !lw_rule_map(rule, operation->to, &rule->to)))
        return;
    if (used && has_copies(rule->to))
        lw_rule_unknown(rule,
                        "its result goes through shared memory to the threads that hold copies, "
                        "which is not counted");
    else
        rule->cost->known = LW_COST_SHARED; /* it uses none */
}
