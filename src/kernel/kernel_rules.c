/*
 * What one operation costs: its types become maps, and the analysis of maps says the rest. One function for each role.
 *
 * Source: which unit does what is Triton's lowering of each operation (release 3.7); the numbers are those of
 * plan.h, conversion.h, reduction.h and coalesce.h.
 */

#include "kernel/kernel_cost.h"

#include <stdlib.h>
#include <string.h>

/* What an operation is asked with. */
struct rule_context {
    const struct lw_kernel *kernel;
    const struct lw_operation *operation;
    const struct lw_hardware *hardware;
    struct lw_kernel_cost *cost;
    struct lw_map from, to;
    unsigned bits;
    bool to_global; /* its value is stored in global memory, and nothing else is done with it */
};

static bool set_unknown(struct rule_context *rule_context, const char *why)
{
    struct lw_kernel_cost *cost = rule_context->cost;
    if (!*cost->kind)
        cost->kind = "unknown";
    snprintf(cost->why, sizeof cost->why, "%.*s", (int)sizeof cost->why - 1, why);
    return false;
}

/* ---- Maps ---- */

static bool make_map(struct rule_context *rule_context, int row, struct lw_map *map)
{
    const struct lw_kernel_type *type = &rule_context->kernel->types[row];
    struct lw_error err;
    if (!type->encoding || type->tensor.rank < 0)
        return set_unknown(rule_context,
                           type->problem ? type->problem->message : "its type cannot be read");
    if (!lw_encoding_build(type->encoding, &type->tensor, map, &err))
        return set_unknown(rule_context, err.message);
    return true;
}

static bool set_bits(struct rule_context *rule_context)
{
    struct lw_tensor tensor;
    lw_operation_tensor(rule_context->kernel, rule_context->operation, &tensor);
    rule_context->bits = (unsigned)tensor.element.bits;
    return rule_context->bits || set_unknown(rule_context, "its element has no size that is known");
}

static bool make_both(struct rule_context *rule_context)
{
    const struct lw_operation *operation = rule_context->operation;
    if (operation->from < 0 || operation->to < 0)
        return set_unknown(rule_context, "its types say no two layouts");
    return set_bits(rule_context) && make_map(rule_context, operation->from, &rule_context->from) &&
           make_map(rule_context, operation->to, &rule_context->to);
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
    struct lw_instruction instruction;
    for (uint64_t i = 0; i < plan->per_warp && i < 4096; i++) {
        lw_plan_instruction(plan, i, &instruction);
        if (instruction.access.width > cost->width)
            cost->width = instruction.access.width;
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

/* Why the rules for compiled code may not be those of this hardware. */
static void note_rule(struct rule_context *rule_context, const struct lw_plan *plan)
{
    if (plan && plan->rule == LW_PLAN_RUNS)
        set_unknown(rule_context,
                    "no rule of the compiler covers these layouts: the widest runs are counted");
    else if (rule_context->hardware->lanes == 64 ||
             !strncmp(rule_context->hardware->name, "gfx", 3))
        set_unknown(rule_context, "the instructions are those of the rules for NVIDIA");
}

/* Whether a thread holds one element. */
static bool is_single(const struct lw_map *map)
{
    int reg = map ? lw_dims_find(&map->in, "register") : -1;
    return reg < 0 || map->in.dim[reg].size == 1;
}

static void convert(struct rule_context *rule_context)
{
    struct lw_kernel_cost *cost = rule_context->cost;
    struct lw_conversion conversion;
    struct lw_error err;
    if (!make_both(rule_context))
        return;
    struct lw_conversion_request request = {
        .from = &rule_context->from,
        .to = &rule_context->to,
        .element_bits = rule_context->bits,
        .to_global = rule_context->to_global ||
                     (rule_context->operation->only_stored && is_single(&rule_context->to)),
        .hardware = rule_context->hardware};
    if (!lw_conversion_make(&conversion, &request, &err)) {
        set_unknown(rule_context, err.message);
        return;
    }
    cost->kind = lw_conversion_kind_name(conversion.kind);
    cost->shuffles = conversion.shuffles;
    if (conversion.kind == LW_CONVERSION_BLOCKS) {
        set_unknown(rule_context,
                    "it goes through the shared memory of other blocks, which no rule here counts");
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
        note_rule(rule_context, NULL);
    }
    lw_conversion_free(&conversion);
}

static void access_shared(struct rule_context *rule_context, enum lw_access_op op)
{
    struct lw_kernel_cost *cost = rule_context->cost;
    struct lw_plan plan;
    struct lw_error err;
    bool store = op == LW_ACCESS_STORE;
    cost->kind = "shared";
    if (!make_both(rule_context))
        return;
    struct lw_plan_request request = {.registers = store ? &rule_context->from : &rule_context->to,
                                      .memory = store ? &rule_context->to : &rule_context->from,
                                      .element_bits = rule_context->bits,
                                      .op = op,
                                      .to_global = !store && rule_context->to_global,
                                      .hardware = rule_context->hardware};
    if (!lw_plan_make(&plan, &request, &err)) {
        set_unknown(rule_context, err.message);
        return;
    }
    add_total(cost, &plan.total);
    add_code(cost, &plan, 1);
    note_rule(rule_context, &plan);
    lw_plan_free(&plan);
}

static void store_shared(struct rule_context *rule_context)
{
    access_shared(rule_context, LW_ACCESS_STORE);
}

static void load_shared(struct rule_context *rule_context)
{
    access_shared(rule_context, LW_ACCESS_LOAD);
}

/* ---- Global memory ---- */

/* The order in which the layout's own registers run is the one that Triton gives to what is contiguous: the dim of
 * the first register basis, then the others from the last down. */
static void order_of(const struct lw_map *map, int *order)
{
    struct lw_layout layout;
    int rank = map->out.count, first = rank - 1;
    uint64_t image[LW_DIMS_MAX];
    if (lw_map_to_layout(map, &layout, NULL))
        for (int dim = 0, found = 0; dim < layout.in.count && dim < 2 && !found; dim++)
            for (int bit = 0; bit < lw_layout_in_log2(&layout, dim) && !found; bit++) {
                lw_layout_basis(&layout, dim, bit, image);
                for (int d = 0; d < rank; d++)
                    if (image[d] == 1) {
                        first = d;
                        found = 1;
                    }
            }
    order[0] = first;
    for (int d = rank - 1, i = 1; d >= 0; d--)
        if (d != first)
            order[i++] = d;
}

/* Warps that hold copies of what others hold store nothing; all warps of a linear layout touch equally much. */
static void leave_out_copies(struct rule_context *rule_context, struct lw_coalescing *out)
{
    struct lw_layout layout;
    uint64_t masks[LW_DIMS_MAX];
    int warp = lw_dims_find(&rule_context->from.in, "warp");
    if (warp < 0 || !lw_map_to_layout(&rule_context->from, &layout, NULL))
        return;
    lw_layout_free_masks(&layout, masks);
    for (uint64_t mask = masks[warp]; mask; mask &= mask - 1) {
        out->sectors /= 2;
        out->ideal_sectors /= 2;
        out->bytes /= 2;
        out->warps /= 2;
    }
}

static void access_global(struct rule_context *rule_context)
{
    struct lw_kernel_cost *cost = rule_context->cost;
    const struct lw_operation *operation = rule_context->operation;
    struct lw_coalescing out;
    struct lw_error err;
    int order[LW_DIMS_MAX], row = operation->from >= 0 ? operation->from : operation->to;
    cost->kind = "global";
    if (row < 0)
        set_unknown(rule_context, "one element, not a tensor");
    if (row < 0 || !set_bits(rule_context) || !make_map(rule_context, row, &rule_context->from))
        return;
    order_of(&rule_context->from, order);
    if (!lw_coalesce(&out, &rule_context->from, rule_context->hardware->lanes, rule_context->bits,
                     order, &err)) {
        set_unknown(rule_context, err.message);
        return;
    }
    if (operation->kind->role == LW_ROLE_GLOBAL_STORE)
        leave_out_copies(rule_context, &out);
    cost->known |= LW_COST_GLOBAL;
    cost->sectors = out.sectors;
    cost->ideal_sectors = out.ideal_sectors;
    cost->bytes = out.bytes;
    cost->width = (unsigned)out.vector_bytes;
    cost->instructions = out.instructions * out.warps;
    snprintf(cost->code, sizeof cost->code, "%llu bytes a lane x%llu",
             (unsigned long long)out.vector_bytes, (unsigned long long)out.instructions);
    snprintf(cost->why, sizeof cost->why,
             "when the tensor is dense in memory, dim %d fastest, and aligned: pointers are not "
             "followed",
             order[0]);
}

static void copy_async(struct rule_context *rule_context)
{
    access_global(rule_context);
    if (rule_context->cost->known)
        snprintf(rule_context->cost->why, sizeof rule_context->cost->why,
                 "the global side, when the tensor is dense and aligned; the writes to shared "
                 "memory pass the "
                 "load-store unit uncounted");
}

/* ---- What other units do ---- */

static void set_cost_kind(struct rule_context *rule_context, const char *kind, const char *why)
{
    rule_context->cost->kind = kind;
    set_unknown(rule_context, why);
}

static void atomic(struct rule_context *rule_context)
{
    set_cost_kind(rule_context, "global",
                  "an atomic: what it costs depends on which addresses meet");
}

static void copy_engine(struct rule_context *rule_context)
{
    set_cost_kind(rule_context, "tma",
                  "a copy engine moves it: no instruction of a warp touches shared memory");
}

static void tensor_memory(struct rule_context *rule_context)
{
    set_cost_kind(rule_context, "tmem",
                  "tensor memory has a path of its own: no wavefronts of shared memory");
}

static void relabel(struct rule_context *rule_context)
{
    rule_context->cost->kind = "none";
    rule_context->cost->known |= LW_COST_SHARED;
}

/* The order that a blocked layout says. */
static bool order_is_set(const struct rule_context *rule_context, int *order, int rank)
{
    const struct lw_encoding *encoding =
        rule_context->kernel->types[rule_context->operation->from].encoding;
    const struct lw_value *value =
        strcmp(encoding->type->name, "blocked") ? NULL : lw_encoding_value(encoding, "order");
    if (!value || value->kind != LW_VALUE_LIST || value->count != (size_t)rank)
        return false;
    for (int i = 0; i < rank; i++)
        order[i] = (int)value->items[i].integer;
    return true;
}

/* The operands are all of one layout; their elements may differ. */
static bool set_operands(struct rule_context *rule_context, struct lw_reduction_request *request)
{
    const struct lw_operation *operation = rule_context->operation;
    for (int i = 0; i < operation->operand_count; i++) {
        const struct lw_tensor *tensor = &rule_context->kernel->types[operation->types[i]].tensor;
        if (i == LW_REDUCTION_OPERANDS_MAX || !tensor->element.bits)
            return set_unknown(rule_context,
                               "its operands are too many, or of no size that is known");
        request->element_bits[i] = (unsigned)tensor->element.bits;
    }
    request->operand_count = operation->operand_count;
    return operation->operand_count > 0;
}

static void put_reduction(struct rule_context *rule_context, const struct lw_reduction *found)
{
    struct lw_kernel_cost *cost = rule_context->cost;
    cost->known |= LW_COST_SHARED;
    cost->kind = found->shared ? "shared" : found->shuffle_steps ? "shuffle" : "registers";
    if (!found->shared) {
        set_unknown(rule_context, found->shuffle_steps ? "the axis is inside a warp: shuffles"
                                                       : "the axis is inside a thread");
        return;
    }
    add_total(cost, &found->store);
    add_total(cost, &found->load);
    snprintf(cost->code, sizeof cost->code, "STS x%llu, LDS x%llu",
             (unsigned long long)found->stores, (unsigned long long)found->loads);
    set_unknown(rule_context,
                "the warps meet in shared memory: partial results, their sums, the results");
    note_rule(rule_context, NULL);
}

/* Where a value goes. */
enum result_use { TO_OTHERS, TO_STORES, TO_STORES_INDIRECTLY };

/* Of a value of one element a thread, what is computed on the way to a store does not matter. */
static enum result_use result_use_of(const struct lw_operation *operation, bool computed,
                                     bool single)
{
    if (operation->stored && !computed)
        return TO_STORES;
    if (!operation->stored && !operation->only_stored)
        return TO_OTHERS;
    return single ? TO_STORES : TO_STORES_INDIRECTLY;
}

/* Where results go, also through a conversion that moves nothing. */
static enum result_use find_result_use(struct rule_context *rule_context, bool single)
{
    const struct lw_operation *operation = rule_context->operation;
    if (operation->converted < 0)
        return result_use_of(operation, false, single);
    struct lw_kernel_cost cost = {.kind = ""};
    struct rule_context next = *rule_context;
    next.cost = &cost;
    next.operation = &rule_context->kernel->operations[operation->converted];
    convert(&next);
    enum result_use result_use = result_use_of(next.operation, operation->computed, single);
    if (result_use != TO_OTHERS && !strcmp(cost.kind, "registers"))
        return single ? TO_STORES : TO_STORES_INDIRECTLY;
    return strcmp(cost.kind, "none") ? TO_OTHERS : result_use;
}

/* A dim whose neighbours are all in one thread needs no other; in one warp, shuffles. */
static void reduce(struct rule_context *rule_context)
{
    const struct lw_operation *operation = rule_context->operation;
    const char *at = strstr(operation->text, "axis = ");
    struct lw_reduction found;
    struct lw_error err;
    int rank, order[LW_DIMS_MAX];
    struct lw_reduction_request request = {.registers = &rule_context->from,
                                           .axis = at ? atoi(at + 7) : -1,
                                           .scan = strstr(operation->name, "scan") != NULL,
                                           .hardware = rule_context->hardware};
    if (operation->from < 0 || !make_map(rule_context, operation->from, &rule_context->from))
        return;
    if (!request.scan && operation->type_count > operation->operand_count) {
        if (!make_map(rule_context, operation->to, &rule_context->to))
            return;
        request.result = &rule_context->to;
    }
    rank = rule_context->from.out.count;
    request.order = order_is_set(rule_context, order, rank) ? order : NULL;
    if (!set_operands(rule_context, &request))
        return;
    request.used = operation->used;
    enum result_use result_use =
        request.scan ? TO_OTHERS : find_result_use(rule_context, is_single(request.result));
    request.to_global = result_use == TO_STORES;
    if (result_use == TO_STORES_INDIRECTLY && lw_map_replication(&rule_context->to) > 1)
        set_unknown(
            rule_context,
            "its results are computed with and stored by some of the warps and lanes that hold "
            "them: which of them load which is not known");
    else if (lw_reduction_make(&found, &request, &err))
        put_reduction(rule_context, &found);
    else
        set_unknown(rule_context, err.message);
}

static void dot(struct rule_context *rule_context)
{
    rule_context->cost->known |= LW_COST_SHARED;
    set_cost_kind(rule_context, "tensor-core", "its operands are in registers");
    rule_context->cost->kind = "registers";
}

static void dot_shared(struct rule_context *rule_context)
{
    set_cost_kind(
        rule_context, "tensor-core",
        "the tensor core reads its operands from shared memory itself: no wavefronts of the "
        "load-store unit");
}

static void indexed(struct rule_context *rule_context)
{
    set_cost_kind(rule_context, "unknown",
                  "where it reads and writes the data says, not the layouts");
}

/* ---- All of them ---- */

static void (*const by_role[])(struct rule_context *) = {
    [LW_ROLE_CONVERT] = convert,
    [LW_ROLE_LOCAL_STORE] = store_shared,
    [LW_ROLE_LOCAL_LOAD] = load_shared,
    [LW_ROLE_GLOBAL_LOAD] = access_global,
    [LW_ROLE_GLOBAL_STORE] = access_global,
    [LW_ROLE_ATOMIC] = atomic,
    [LW_ROLE_ASYNC_COPY] = copy_async,
    [LW_ROLE_TMA] = copy_engine,
    [LW_ROLE_TMEM] = tensor_memory,
    [LW_ROLE_RELABEL] = relabel,
    [LW_ROLE_REDUCE] = reduce,
    [LW_ROLE_DOT] = dot,
    [LW_ROLE_DOT_SHARED] = dot_shared,
    [LW_ROLE_INDEXED] = indexed,
};

void lw_kernel_operation_cost(const struct lw_kernel *kernel, const struct lw_operation *operation,
                              const struct lw_hardware *hardware, struct lw_kernel_cost *cost)
{
    struct rule_context rule_context = {.kernel = kernel,
                                        .operation = operation,
                                        .hardware = hardware,
                                        .cost = cost,
                                        .to_global = operation->stored};
    cost->kind = "";
    by_role[operation->kind->role](&rule_context);
    if (!*cost->kind)
        cost->kind = "unknown";
}
