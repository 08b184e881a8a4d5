/*
 * The cost of one operation: its types become maps, which the analysis counts. One function for each role.
 *
 * Source: which unit executes an operation is Triton's lowering of it (release 3.7); the numbers are those of
 * plan.h, conversion.h and wavefront.h.
 */

#include "kernel/rule_parts.h"
#include "notation/mlir/operations.h"

#include "laneway/wavefront.h"

#include <string.h>

/* ---- Through shared memory ---- */

/* Whether a load gets the same registers as an earlier load from the same memory: LLVM merges the two. Source: counters
 * of kernels of Triton 3.6; for LDSM the machine code of 3.9. */
static bool is_loaded(struct lw_cost_rule *rule, const struct lw_plan *plan)
{
    const struct lw_operation *operations = rule->kernel->operations;
    const struct lw_map *map;
    struct lw_layout before, now;
    int row = rule->operation->repeats;
    if (row < 0 || rule->operation->stored || !lw_map_to_layout(rule->to, &now, NULL))
        return false;
    for (int i = 0; i < plan->opcode_count; i++)
        if (strncmp(plan->opcodes[i].name, "LDS", 3))
            return false;
    for (; row >= 0; row = operations[row].repeats)
        if (!operations[row].stored && lw_rule_map(rule, operations[row].to, &map) &&
            lw_map_to_layout(map, &before, NULL) && lw_layout_equal(&now, &before))
            return true;
    return false;
}

static void count_access(struct lw_cost_rule *rule)
{
    struct lw_kernel_cost *cost = rule->cost;
    struct lw_plan plan;
    struct lw_error err;
    bool store = rule->operation->kind->role == LW_ROLE_LOCAL_STORE;
    struct lw_plan_request request = {.registers = store ? rule->from : rule->to,
                                      .memory = store ? rule->to : rule->from,
                                      .element_bits = rule->bits,
                                      .op = store ? LW_ACCESS_STORE : LW_ACCESS_LOAD,
                                      .to_global = rule->to_global,
                                      .any_cost = true,
                                      .hardware = rule->hardware,
                                      .triton = rule->kernel->triton};
    if (!lw_plan_make(&plan, &request, &err)) {
        lw_rule_unknown(rule, err.message);
        return;
    }
    if (is_loaded(rule, &plan)) {
        cost->known |= LW_COST_SHARED;
        lw_rule_unknown(rule, "a load before it from this memory has the same elements in the "
                              "same registers: the compiler merges the two");
    } else {
        lw_rule_note(rule, &plan);
        lw_rule_add_total(rule, &plan.total, plan.unknown.code ? &plan.unknown : NULL);
        lw_rule_add_code(cost, &plan, 1);
    }
    lw_plan_free(&plan);
}

static void access_shared(struct lw_cost_rule *rule)
{
    bool store = rule->operation->kind->role == LW_ROLE_LOCAL_STORE;
    if (lw_rule_both(rule))
        lw_rule_count_by_use(rule,
                             store ? LW_USED : lw_operation_result_use(rule->operation, rule->to),
                             count_access);
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

/* Leaves out warps that hold only copies: they store nothing. All warps of a linear layout access equally much. */
static void skip_copies(struct lw_cost_rule *rule, struct lw_coalescing *out)
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

/* Sets *out and the cost; false when it is unknown. */
static bool coalesce(struct lw_cost_rule *rule, struct lw_coalescing *out)
{
    struct lw_kernel_cost *cost = rule->cost;
    const struct lw_operation *operation = rule->operation;
    struct lw_error err;
    int order[LW_DIMS_MAX], row = operation->from >= 0 ? operation->from : operation->to;
    if (row < 0)
        lw_rule_unknown(rule, "it moves one element, not a tensor");
    if (row < 0 || !lw_rule_bits(rule) || !lw_rule_map(rule, row, &rule->from))
        return false;
    order_of(rule->from, order);
    if (!lw_coalesce(out, rule->from, rule->hardware->lanes, rule->bits, order, &err)) {
        lw_rule_unknown(rule, err.message);
        return false;
    }
    if (operation->kind->role == LW_ROLE_GLOBAL_STORE)
        skip_copies(rule, out);
    cost->known |= LW_COST_GLOBAL;
    cost->sectors = out->sectors;
    cost->ideal_sectors = out->ideal_sectors;
    cost->bytes = out->bytes;
    cost->instructions = out->instructions * out->warps;
    snprintf(cost->code, sizeof cost->code, "%llu bytes a lane x%llu",
             (unsigned long long)out->vector_bytes, (unsigned long long)out->instructions);
    snprintf(cost->why, sizeof cost->why,
             "assumes that the tensor is dense and aligned in memory, dim %d fastest: pointers are "
             "not examined",
             order[0]);
    return true;
}

static void access_global(struct lw_cost_rule *rule)
{
    struct lw_coalescing out;
    coalesce(rule, &out);
}

static void copy_async(struct lw_cost_rule *rule)
{
    struct lw_coalescing out;
    if (coalesce(rule, &out))
        snprintf(rule->cost->why, sizeof rule->cost->why, "%s",
                 "global memory only, assuming that the tensor is dense and aligned there: the "
                 "writes to shared memory are not counted");
}

/* ---- By the tensor core ---- */

/* Source: counters of kernels of Triton 3.6 on an H200. Loads after the wait for the tensor core count exactly. */
static void read_by_tensor_core(struct lw_cost_rule *rule)
{
    size_t length = strlen(rule->cost->why);
    if (!strcmp(rule->operation->kind->name, "ttng.warp_group_dot"))
        snprintf(rule->cost->why + length, sizeof rule->cost->why - length, "%s",
                 "; loads at the same time as its reads are counted more than once by the "
                 "hardware's counters, and not as conflicts");
}

/* ---- Atomics: what their results cost in shared memory ---- */

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

static void count_atomic(struct lw_cost_rule *rule)
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

/* ---- Descriptors: one lane writes the fields to shared memory, one by one ---- */

enum { RANK_MOST = 5, WORD = 4, DESCRIPTOR_BYTES = 128 };

/* The rank: how many sizes are in the first brackets of "ttng.tensormap_create %d, %p, [%c64, %c128], [%K, %M], ...";
 * 0: there are none. */
static int rank_of(const struct lw_operation *operation)
{
    const char *p = strstr(operation->text, "tensormap_create");
    int rank = 1;
    p = p ? strchr(p, '[') : NULL;
    if (!p || p[1] == ']')
        return 0;
    for (p++; *p && *p != ']'; p++)
        rank += *p == ',';
    return rank;
}

/* A warp clears it, a lane replaces the fields, and the warp loads it to copy it to global memory. A field of less than
 * a word is loaded, changed and stored: the number of dims, 2 for each dim, 4 more, and the high bits of each stride.
 * Source: the machine code of Triton 3.7 and 3.8 for descriptors of 1 to 5 dims; counters of an H200 for 2. */
static void count_descriptor(struct lw_cost_rule *rule)
{
    struct lw_kernel_cost *cost = rule->cost;
    int rank = rank_of(rule->operation);
    if (strncmp(rule->kernel->target, "cuda", 4) != 0) {
        lw_rule_unknown(rule, "descriptors are known for NVIDIA targets only");
        return;
    }
    if (rank < 1 || rank > RANK_MOST) {
        lw_rule_unknown(rule, "its type has no shape of 1 to 5 dims");
        return;
    }
    if (lw_triton_since(rule->kernel->triton, LW_TRITON_3_9)) {
        lw_rule_unknown(rule, "a lane writes its fields to shared memory one by one, and since "
                              "Triton 3.9 the assembler merges some of these stores");
        return;
    }
    uint64_t dims = (uint64_t)rank, loads = 5 + 3 * dims, stores = 4 + 5 * dims;
    cost->known = LW_COST_SHARED;
    cost->instructions = cost->wavefronts = cost->ideal = loads + stores + 1;
    cost->bytes = 2 * DESCRIPTOR_BYTES + 2 * WORD + WORD * (loads - 1 + stores - 1);
    snprintf(cost->code, sizeof cost->code, "STS.64 x1, STS x%llu, LDS x%llu",
             (unsigned long long)stores, (unsigned long long)loads);
    lw_rule_unknown(rule, "the first warp alone makes it in shared memory, field by field");
}

/* ---- All roles ---- */

/* The cost of each role: `count` computes it; NULL: the row is complete. */
static const struct {
    const char *kind; /* until `count` sets another */
    void (*count)(struct lw_cost_rule *rule);
    unsigned known;
    const char *why;
} rules[] = {
    [LW_ROLE_CONVERT] = {"unknown", lw_rule_convert, 0, ""},
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
                      "it reads until the memory has the value: the number of reads is unknown"},
    [LW_ROLE_ATOMIC] = {"global", count_atomic, 0,
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
    [LW_ROLE_REDUCE] = {"unknown", lw_rule_reduce, 0, ""},
    [LW_ROLE_DOT] = {"registers", NULL, LW_COST_SHARED, "its operands are in registers"},
    [LW_ROLE_DOT_SHARED] = {"tensor-core", read_by_tensor_core, 0,
                            "the tensor core reads its operands from shared memory directly: no "
                            "wavefronts of the load-store unit"},
    [LW_ROLE_DESCRIPTOR] = {"shared", count_descriptor, 0, ""},
    [LW_ROLE_PARTITIONS] =
        {"shared", NULL, 0,
         "shared memory holds the number of the code that each warp runs, and values for it"},
    [LW_ROLE_INDEXED] = {"unknown", NULL, 0,
                         "its addresses depend on the data, not on the layouts"},
};

/* Whether its code has loads that are no matrix instructions. */
static bool has_plain_load(const char *code)
{
    const char *at = code;
    while ((at = strstr(at, "LDS")) && at[3] == 'M')
        at += 3;
    return at;
}

/* Adds a remark about loads and stores that masks and selects may leave out, which is not counted. Source: machine code
 * of kernels of Triton 3.7 and 3.9. */
static void note_left_out(const struct lw_cost_rule *rule)
{
    static const char stored[] =
        "the last store has a mask: a warp whose mask is false everywhere skips its last load "
        "here, and the compiler removes code whose mask is known to be false for all threads";
    static const char masked[] =
        "its store has a mask: the compiler removes code whose mask is known to be false for all "
        "threads";
    static const char selected[] = "a select follows: the compiler removes code whose result the "
                                   "select is known to drop for all threads";
    struct lw_kernel_cost *cost = rule->cost;
    const char *what = rule->masked && has_plain_load(cost->code) ? stored
                       : rule->operation->masked                  ? masked
                       : rule->operation->selected                ? selected
                                                                  : NULL;
    size_t length = strlen(cost->why);
    if (cost->wavefronts && what)
        snprintf(cost->why + length, sizeof cost->why - length, "%s%s", length ? "; " : "", what);
}

void lw_kernel_operation_cost(const struct lw_kernel *kernel, const struct lw_operation *operation,
                              const struct lw_hardware *hardware, struct lw_kernel_maps *maps,
                              struct lw_kernel_cost *cost)
{
    enum lw_role role = operation->kind->role;
    struct lw_cost_rule rule = {
        .kernel = kernel, .operation = operation, .hardware = hardware, .maps = maps, .cost = cost};
    rule.masked = operation->stored && operation->masked;
    cost->kind = rules[role].kind;
    cost->known = rules[role].known;
    snprintf(cost->why, sizeof cost->why, "%s", rules[role].why);
    if (rules[role].count)
        rules[role].count(&rule);
    note_left_out(&rule);
}
