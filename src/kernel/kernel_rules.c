/*
 * The cost of one operation: its types become maps, which the analysis counts. One function for each role.
 *
 * Source: which unit executes an operation is Triton's lowering of it (release 3.7); the numbers are those of
 * plan.h, conversion.h, reduction.h and coalesce.h.
 */

#include "kernel/kernel_rules.h"

#include "core/array_count.h"

#include "laneway/coalesce.h"
#include "laneway/conversion.h"
#include "laneway/reduction.h"

#include <stdlib.h>
#include <string.h>

/* An operation and its cost so far. */
struct rule_context {
    const struct lw_kernel *kernel;
    const struct lw_operation *operation;
    const struct lw_hardware *hardware;
    struct lw_kernel_cost *cost;
    struct lw_kernel_maps *maps;
    const struct lw_map *from, *to; /* valid while this operation is counted */
    unsigned bits;
};

static bool set_unknown(struct rule_context *rule, const char *why)
{
    snprintf(rule->cost->why, sizeof rule->cost->why, "%.*s", (int)sizeof rule->cost->why - 1, why);
    return false;
}

/* ---- Maps ---- */

static bool make_map(struct rule_context *rule, int row, const struct lw_map **map)
{
    const struct lw_kernel_type *type = &rule->kernel->types[row];
    struct lw_kernel_maps *maps = rule->maps;
    struct lw_error err;
    for (size_t i = 0; i < LW_COUNT(maps->entry); i++)
        if (maps->entry[i].type == row + 1) {
            *map = &maps->entry[i].map;
            return true;
        }
    if (!type->encoding || type->tensor.rank < 0)
        return set_unknown(rule,
                           type->problem ? type->problem->message : "its type cannot be read");
    int slot = maps->next;
    maps->entry[slot].type = 0;
    if (!lw_encoding_build(type->encoding, &type->tensor, &maps->entry[slot].map, &err))
        return set_unknown(rule, err.message);
    maps->entry[slot].type = row + 1;
    maps->next = (slot + 1) % (int)LW_COUNT(maps->entry);
    *map = &maps->entry[slot].map;
    return true;
}

static bool set_bits(struct rule_context *rule)
{
    struct lw_tensor tensor;
    lw_operation_tensor(rule->kernel, rule->operation, &tensor);
    rule->bits = (unsigned)tensor.element.bits;
    return rule->bits || set_unknown(rule, "the size of its element is unknown");
}

static bool make_both(struct rule_context *rule)
{
    const struct lw_operation *operation = rule->operation;
    if (operation->from < 0 || operation->to < 0)
        return set_unknown(rule, "its types do not have two layouts");
    return set_bits(rule) && make_map(rule, operation->from, &rule->from) &&
           make_map(rule, operation->to, &rule->to);
}

/* ---- Code ---- */

static void add_code(struct lw_kernel_cost *cost, const struct lw_plan *plan, uint64_t rounds)
{
    for (int i = 0; i < plan->opcode_count; i++) {
        size_t length = strlen(cost->code);
        snprintf(cost->code + length, sizeof cost->code - length, "%s%s x%llu", length ? ", " : "",
                 plan->opcodes[i].name,
                 (unsigned long long)(plan->opcodes[i].count * (rounds ? rounds : 1)));
    }
}

static void add_total(struct lw_kernel_cost *cost, const struct lw_plan_total *total)
{
    cost->instructions += total->instructions;
    cost->wavefronts += total->wavefronts;
    cost->conflicts += total->conflicts;
    cost->ideal += total->ideal;
    cost->bytes += total->bytes;
    cost->known |= LW_COST_SHARED;
}

/* ---- Through shared memory ---- */

/* A remark where the rules may not be those of this hardware. */
static void note_rule(struct rule_context *rule, const struct lw_plan *plan)
{
    if (plan && plan->rule == LW_PLAN_RUNS)
        set_unknown(
            rule,
            "no rule of the compiler is known for these layouts: the widest runs are counted");
    else if (rule->hardware->lanes == 64 || !strncmp(rule->hardware->name, "gfx", 3))
        set_unknown(
            rule, "the instructions that Triton chooses are counted; which of them AMD's back end "
                  "merges is unknown");
}

/* Whether a thread holds one element. */
static bool is_single(const struct lw_map *map)
{
    int reg = map ? lw_dims_find(&map->in, "register") : -1;
    return reg < 0 || map->in.dim[reg].size == 1;
}

static void convert(struct rule_context *rule)
{
    struct lw_kernel_cost *cost = rule->cost;
    struct lw_conversion conversion;
    struct lw_error err;
    if (!make_both(rule))
        return;
    struct lw_conversion_request request = {
        .from = rule->from,
        .to = rule->to,
        .element_bits = rule->bits,
        .to_global =
            rule->operation->stored || (rule->operation->only_stored && is_single(rule->to)),
        .hardware = rule->hardware};
    if (!lw_conversion_make(&conversion, &request, &err)) {
        set_unknown(rule, err.message);
        return;
    }
    cost->kind = lw_conversion_kind_name(conversion.kind);
    if (conversion.kind == LW_CONVERSION_BLOCKS) {
        set_unknown(rule, "it uses the shared memory of other blocks, which is not counted");
    } else {
        cost->known |= LW_COST_SHARED; /* where it needs none, that is 0 */
    }
    if (conversion.kind == LW_CONVERSION_SHUFFLE)
        snprintf(cost->code, sizeof cost->code, "shuffle x%llu",
                 (unsigned long long)conversion.shuffles);
    if (conversion.kind == LW_CONVERSION_SHARED) {
        add_total(cost, &conversion.store_total);
        add_total(cost, &conversion.load_total);
        add_code(cost, &conversion.store, conversion.rounds);
        add_code(cost, &conversion.load, conversion.rounds);
        note_rule(rule, NULL);
    }
    lw_conversion_free(&conversion);
}

static void access_shared(struct rule_context *rule)
{
    struct lw_kernel_cost *cost = rule->cost;
    struct lw_plan plan;
    struct lw_error err;
    bool store = rule->operation->kind->role == LW_ROLE_LOCAL_STORE;
    if (!make_both(rule))
        return;
    struct lw_plan_request request = {.registers = store ? rule->from : rule->to,
                                      .memory = store ? rule->to : rule->from,
                                      .element_bits = rule->bits,
                                      .op = store ? LW_ACCESS_STORE : LW_ACCESS_LOAD,
                                      .to_global = !store && rule->operation->stored,
                                      .hardware = rule->hardware};
    if (!lw_plan_make(&plan, &request, &err)) {
        set_unknown(rule, err.message);
        return;
    }
    add_total(cost, &plan.total);
    add_code(cost, &plan, 1);
    note_rule(rule, &plan);
    lw_plan_free(&plan);
}

/* ---- Global memory ---- */

/* The dim of the first register or lane basis that is 1; when there is none, the last dim. Triton gives the threads
 * the order that is contiguous in memory. */
static int fastest_dim(const struct lw_map *map)
{
    struct lw_layout layout;
    uint64_t image[LW_DIMS_MAX];
    if (!lw_map_to_layout(map, &layout, NULL))
        return map->out.count - 1;
    for (int dim = 0; dim < layout.in.count && dim < 2; dim++)
        for (int bit = 0; bit < lw_layout_in_log2(&layout, dim); bit++) {
            lw_layout_basis(&layout, dim, bit, image);
            for (int d = map->out.count; d-- > 0;)
                if (image[d] == 1)
                    return d;
        }
    return map->out.count - 1;
}

/* The order of the dims in memory, the fastest first; the others from the last to the first. */
static void order_of(const struct lw_map *map, int *order)
{
    order[0] = fastest_dim(map);
    for (int d = map->out.count - 1, i = 1; d >= 0; d--)
        if (d != order[0])
            order[i++] = d;
}

/* Warps that hold only copies store nothing. All warps of a linear layout access as much as each other. */
static void skip_copies(struct rule_context *rule, struct lw_coalescing *out)
{
    struct lw_layout layout;
    uint64_t masks[LW_DIMS_MAX];
    int warp = lw_dims_find(&rule->from->in, "warp");
    if (warp < 0 || !lw_map_to_layout(rule->from, &layout, NULL))
        return;
    lw_layout_free_masks(&layout, masks);
    for (uint64_t mask = masks[warp]; mask; mask &= mask - 1) {
        out->sectors /= 2;
        out->ideal_sectors /= 2;
        out->bytes /= 2;
        out->warps /= 2;
    }
}

static void access_global(struct rule_context *rule)
{
    struct lw_kernel_cost *cost = rule->cost;
    const struct lw_operation *operation = rule->operation;
    struct lw_coalescing out;
    struct lw_error err;
    int order[LW_DIMS_MAX], row = operation->from >= 0 ? operation->from : operation->to;
    if (row < 0)
        set_unknown(rule, "it moves one element, not a tensor");
    if (row < 0 || !set_bits(rule) || !make_map(rule, row, &rule->from))
        return;
    order_of(rule->from, order);
    if (!lw_coalesce(&out, rule->from, rule->hardware->lanes, rule->bits, order, &err)) {
        set_unknown(rule, err.message);
        return;
    }
    if (operation->kind->role == LW_ROLE_GLOBAL_STORE)
        skip_copies(rule, &out);
    cost->known |= LW_COST_GLOBAL;
    cost->sectors = out.sectors;
    cost->ideal_sectors = out.ideal_sectors;
    cost->bytes = out.bytes;
    cost->instructions = out.instructions * out.warps;
    snprintf(cost->code, sizeof cost->code, "%llu bytes a lane x%llu",
             (unsigned long long)out.vector_bytes, (unsigned long long)out.instructions);
    snprintf(cost->why, sizeof cost->why,
             "assumes that the tensor is dense and aligned in memory, dim %d fastest: pointers are "
             "not examined",
             order[0]);
}

static void copy_async(struct rule_context *rule)
{
    access_global(rule);
    if (rule->cost->known)
        snprintf(
            rule->cost->why, sizeof rule->cost->why,
            "global memory only, assuming that the tensor is dense and aligned there: the writes "
            "to shared memory are not counted");
}

/* ---- Atomics ---- */

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

/* One thread executes it, stores the result, and all threads load that. */
static void broadcast_result(struct rule_context *rule)
{
    struct lw_kernel_cost *cost = rule->cost;
    uint64_t warps = (uint64_t)rule->kernel->num_warps, bytes = result_bytes(rule->operation);
    if (!warps || !bytes) {
        set_unknown(rule, "the number of warps, or the size of its result, is unknown");
        return;
    }
    cost->known = LW_COST_SHARED;
    cost->instructions = cost->wavefronts = cost->ideal = 1 + warps;
    cost->bytes = bytes * (1 + warps * rule->hardware->lanes);
    const char *width = bytes > 4 ? ".64" : bytes > 2 ? "" : bytes > 1 ? ".U16" : ".U8";
    snprintf(cost->code, sizeof cost->code, "STS%s x1, LDS%s x1", width, width);
    set_unknown(rule, "its result goes to all threads through shared memory; its cost in global "
                      "memory depends on which addresses are equal");
}

static void atomic(struct rule_context *rule)
{
    const struct lw_operation *operation = rule->operation;
    bool used = *operation->value && operation->used;
    if (strncmp(rule->kernel->target, "cuda", 4) != 0)
        return;
    if (used && operation->type_count == 0) {
        broadcast_result(rule);
        return;
    }
    if (used && (operation->to < 0 || !make_map(rule, operation->to, &rule->to)))
        return;
    if (used && has_copies(rule->to))
        set_unknown(rule, "its result goes through shared memory to the threads that hold copies, "
                          "which is not counted");
    else
        rule->cost->known = LW_COST_SHARED; /* and uses none */
}

/* ---- Reductions ---- */

/* The order that is set in a blocked layout. */
static bool order_is_set(const struct rule_context *rule, int *order, int rank)
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
static bool set_operands(struct rule_context *rule, struct lw_reduction_request *request)
{
    const struct lw_operation *operation = rule->operation;
    for (int i = 0; i < operation->operand_count; i++) {
        const struct lw_tensor *tensor = &rule->kernel->types[operation->types[i]].tensor;
        if (i == LW_REDUCTION_OPERANDS_MAX || !tensor->element.bits)
            return set_unknown(rule, "it has too many operands, or the size of one is unknown");
        request->element_bits[i] = (unsigned)tensor->element.bits;
    }
    request->operand_count = operation->operand_count;
    return operation->operand_count > 0;
}

static void put_reduction(struct rule_context *rule, const struct lw_reduction *found)
{
    struct lw_kernel_cost *cost = rule->cost;
    cost->known |= LW_COST_SHARED;
    cost->kind = found->shared ? "shared" : found->shuffle_steps ? "shuffle" : "registers";
    if (!found->shared) {
        set_unknown(rule, found->shuffle_steps ? "each warp holds the whole axis: it shuffles"
                                               : "each thread holds the whole axis");
        return;
    }
    add_total(cost, &found->store);
    add_total(cost, &found->load);
    snprintf(cost->code, sizeof cost->code, "STS x%llu, LDS x%llu",
             (unsigned long long)found->stores, (unsigned long long)found->loads);
    set_unknown(rule, "the warps exchange partial results and results through shared memory");
    note_rule(rule, NULL);
}

/* How a value is used. */
enum result_use { USED_OTHERWISE, STORED, STORED_INDIRECTLY };

/* `single`: each thread holds one element; then what is computed from it before a store does not matter. */
static enum result_use result_use_of(const struct lw_operation *operation, bool computed,
                                     bool single)
{
    if (operation->stored && !computed)
        return STORED;
    if (!operation->stored && !operation->only_stored)
        return USED_OTHERWISE;
    return single ? STORED : STORED_INDIRECTLY;
}

/* The use of the results, also of a conversion of them that moves nothing. */
static enum result_use find_result_use(struct rule_context *rule, bool single)
{
    const struct lw_operation *operation = rule->operation;
    if (operation->converted < 0)
        return result_use_of(operation, false, single);
    struct lw_kernel_cost cost = {.kind = ""};
    struct rule_context next = *rule;
    next.cost = &cost;
    next.operation = &rule->kernel->operations[operation->converted];
    convert(&next);
    enum result_use result_use = result_use_of(next.operation, operation->computed, single);
    if (result_use != USED_OTHERWISE && !strcmp(cost.kind, "registers"))
        return single ? STORED : STORED_INDIRECTLY;
    return strcmp(cost.kind, "none") ? USED_OTHERWISE : result_use;
}

static void reduce(struct rule_context *rule)
{
    const struct lw_operation *operation = rule->operation;
    const char *at = strstr(operation->text, "axis = ");
    struct lw_reduction found;
    struct lw_error err;
    int rank, order[LW_DIMS_MAX];
    struct lw_reduction_request request = {.axis = at ? atoi(at + 7) : -1,
                                           .scan = strstr(operation->name, "scan") != NULL,
                                           .hardware = rule->hardware};
    if (operation->from < 0 || !make_map(rule, operation->from, &rule->from))
        return;
    request.registers = rule->from;
    if (!request.scan && operation->type_count > operation->operand_count) {
        if (!make_map(rule, operation->to, &rule->to))
            return;
        request.result = rule->to;
    }
    rank = rule->from->out.count;
    request.order = order_is_set(rule, order, rank) ? order : NULL;
    if (!set_operands(rule, &request))
        return;
    request.used = operation->used;
    enum result_use result_use =
        request.scan ? USED_OTHERWISE : find_result_use(rule, is_single(request.result));
    request.to_global = result_use == STORED;
    if (result_use == STORED_INDIRECTLY && lw_map_replication(rule->to) > 1)
        set_unknown(
            rule,
            "only some of the warps and lanes that hold its results use them: which of them load "
            "them is unknown");
    else if (lw_reduction_make(&found, &request, &err))
        put_reduction(rule, &found);
    else
        set_unknown(rule, err.message);
}

/* ---- All roles ---- */

/* The cost of each role: `count` computes it, or the row has all of it. */
static const struct {
    const char *kind; /* until `count` sets another */
    void (*count)(struct rule_context *rule);
    unsigned known;
    const char *why;
} rules[] = {
    [LW_ROLE_CONVERT] = {"unknown", convert, 0, ""},
    [LW_ROLE_LOCAL_STORE] = {"shared", access_shared, 0, ""},
    [LW_ROLE_LOCAL_LOAD] = {"shared", access_shared, 0, ""},
    [LW_ROLE_GLOBAL_LOAD] = {"global", access_global, 0, ""},
    [LW_ROLE_GLOBAL_STORE] = {"global", access_global, 0, ""},
    [LW_ROLE_LOCAL_LOAD_PACKED] = {"shared", NULL, 0,
                                   "a transposing load of packed fp4: no document states which "
                                   "lanes are served together"},
    [LW_ROLE_ASYNC_STORE] =
        {"blocks", NULL, 0,
         "it stores to the shared memory of the cluster's blocks, which is not counted"},
    [LW_ROLE_POLL] = {"global", NULL, 0,
                      "it reads until the memory has the value: how often is unknown"},
    [LW_ROLE_ATOMIC] = {"global", atomic, 0,
                        "an atomic: its cost depends on which addresses are equal"},
    [LW_ROLE_ASYNC_COPY] = {"global", copy_async, 0, ""},
    [LW_ROLE_TMA] =
        {"tma", NULL, 0,
         "a copy engine moves the data: no instruction of a warp accesses shared memory"},
    [LW_ROLE_TMEM] = {"tmem", NULL, 0,
                      "tensor memory is not accessed through shared memory: no wavefronts"},
    [LW_ROLE_RELABEL] = {"none", NULL, LW_COST_SHARED, ""},
    [LW_ROLE_ELEMENTWISE] = {"registers", NULL, LW_COST_SHARED,
                             "each thread computes on its own registers"},
    [LW_ROLE_REDUCE] = {"unknown", reduce, 0, ""},
    [LW_ROLE_DOT] = {"registers", NULL, LW_COST_SHARED, "its operands are in registers"},
    [LW_ROLE_DOT_SHARED] = {"tensor-core", NULL, 0,
                            "the tensor core reads its operands from shared memory directly: no "
                            "wavefronts of the load-store unit"},
    [LW_ROLE_INDEXED] = {"unknown", NULL, 0,
                         "its addresses depend on the data, not on the layouts"},
};

void lw_kernel_operation_cost(const struct lw_kernel *kernel, const struct lw_operation *operation,
                              const struct lw_hardware *hardware, struct lw_kernel_maps *maps,
                              struct lw_kernel_cost *cost)
{
    enum lw_role role = operation->kind->role;
    struct rule_context rule = {
        .kernel = kernel, .operation = operation, .hardware = hardware, .maps = maps, .cost = cost};
    cost->kind = rules[role].kind;
    cost->known = rules[role].known;
    snprintf(cost->why, sizeof cost->why, "%s", rules[role].why);
    if (rules[role].count)
        rules[role].count(&rule);
}
