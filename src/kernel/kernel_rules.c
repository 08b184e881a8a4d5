/*
 * The cost of one operation: its types become maps, which the analysis counts. One function for each role.
 *
 * Source: which unit executes an operation is Triton's lowering of it (release 3.7); the numbers are those of
 * plan.h, conversion.h and wavefront.h.
 */

#include "kernel/kernel_rules.h"

#include "analysis/access/reduction.h"
#include "analysis/owners.h"
#include "core/array_count.h"
#include "core/tile.h"
#include "laneway/algebra.h"
#include "laneway/conversion.h"
#include "notation/mlir/operations.h"

#include <stdlib.h>
#include <string.h>

/* An operation and its cost so far. */
struct rule {
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

/* ---- Maps ---- */

/* Sets why the cost is unknown, or a remark; returns false. */
static bool set_why(struct rule *rule, const char *why)
{
    snprintf(rule->cost->why, sizeof rule->cost->why, "%.*s", (int)sizeof rule->cost->why - 1, why);
    return false;
}

/* The map of a type, a row of kernel->types. */
static bool map_of(struct rule *rule, int row, const struct lw_map **map)
{
    const struct lw_kernel_type *type = &rule->kernel->types[row];
    struct lw_kernel_maps *maps = rule->maps;
    struct lw_error err;
    size_t at = 0, oldest = 0;
    for (; at < LW_COUNT(maps->entry) && maps->entry[at].type != row + 1; at++)
        oldest = maps->entry[at].used < maps->entry[oldest].used ? at : oldest;
    if (at == LW_COUNT(maps->entry)) {
        at = oldest;
        if (!type->encoding || type->tensor.rank < 0)
            return set_why(rule,
                           type->problem ? type->problem->message : "its type cannot be read");
        maps->entry[at].type = 0;
        if (!lw_encoding_build(type->encoding, &type->tensor, &maps->entry[at].map, &err))
            return set_why(rule, err.message);
        maps->entry[at].type = row + 1;
    }
    maps->entry[at].used = ++maps->uses;
    *map = &maps->entry[at].map;
    return true;
}

/* Sets rule->bits. */
static bool set_bits(struct rule *rule)
{
    struct lw_tensor tensor;
    lw_operation_tensor(rule->kernel, rule->operation, &tensor);
    rule->bits = (unsigned)tensor.element.bits;
    return rule->bits || set_why(rule, "the size of its element is unknown");
}

/* Sets rule->bits, from and to. */
static bool set_both(struct rule *rule)
{
    const struct lw_operation *operation = rule->operation;
    if (operation->from < 0 || operation->to < 0)
        return set_why(rule, "its types do not have two layouts");
    return set_bits(rule) && map_of(rule, operation->from, &rule->from) &&
           map_of(rule, operation->to, &rule->to);
}

/* How often copies along a dim double the threads that hold an element; -1: the map is not linear. */
static int copies_log2(const struct lw_map *map, const char *name)
{
    struct lw_layout layout;
    uint64_t masks[LW_DIMS_MAX];
    int dim = lw_dims_find(&map->in, name);
    if (!lw_map_to_layout(map, &layout, NULL))
        return -1;
    lw_layout_free_masks(&layout, masks);
    return dim < 0 ? 0 : __builtin_popcountll(masks[dim]);
}

/* ---- Sums ---- */

/* Adds instructions to the code of one warp. */
static void add_code(struct rule *rule, const char *name, uint64_t count)
{
    char *code = rule->cost->code;
    size_t length = strlen(code);
    snprintf(code + length, sizeof rule->cost->code - length, "%s%s x%llu", length ? ", " : "",
             name, (unsigned long long)count);
}

void lw_kernel_put_code(struct lw_text *text, const char *code)
{
    while (*code) {
        const bool is_store = !strncmp(code, "STS", 3), is_load = !strncmp(code, "LDS", 3);
        const char *name = is_store ? "st" : "ld", *end = code + strcspn(code, " ");
        const char *at = code + (is_store || is_load ? 3 + strspn(code + 3, ".U") : 0);
        const char *next = end + strcspn(end, ",") + strspn(end + strcspn(end, ","), ", ");
        if (at == code)
            lw_text_bytes(text, code, (size_t)(end - code));
        else if (*at == 'M')
            lw_text_format(text, "%smatrix.x%c%s", name, end[-2] == '.' ? end[-1] : '1',
                           at[6] == 'T' ? ".trans" : "");
        else
            lw_text_format(text, "%s.%.*s", name, at < end ? (int)(end - at) : 2,
                           at < end ? at : "32");
        lw_text_bytes(text, end, (size_t)(next - end));
        code = next;
    }
}

/* Adds what the plan of one round costs in all rounds (0 counts as 1); `unknown`: why that is unknown, or NULL. */
static void add_total(struct rule *rule, const struct lw_plan_total *total,
                      const struct lw_error *unknown)
{
    struct lw_kernel_cost *cost = rule->cost;
    cost->instructions += total->instructions;
    cost->bytes += total->bytes;
    if (unknown) {
        set_why(rule, unknown->message);
        return;
    }
    cost->wavefronts += total->wavefronts;
    cost->conflicts += total->conflicts;
    cost->ideal += total->ideal;
    cost->known |= LW_COST_SHARED;
}

static void add_plan(struct rule *rule, const struct lw_plan *plan, uint64_t rounds,
                     const struct lw_plan_total *total, const struct lw_error *unknown)
{
    add_total(rule, total, unknown);
    for (int i = 0; i < plan->opcode_count; i++)
        add_code(rule, plan->opcodes[i].name, plan->opcodes[i].count * (rounds ? rounds : 1));
}

/* A remark where the rules may not be those of this hardware. */
static void note_hardware(struct rule *rule, const struct lw_plan *plan)
{
    if (plan && plan->rule == LW_PLAN_RUNS)
        set_why(rule,
                "no rule of the compiler is known for these layouts: the widest runs are counted");
    else if (rule->hardware->lanes == 64 || !strncmp(rule->hardware->name, "gfx", 3))
        set_why(rule, "the instructions that Triton chooses are counted; which of them AMD's back "
                      "end merges is unknown");
}

/* ---- Results that are only stored ----
 *
 * The compiler moves the loads of a value that is only stored under the predicate of the store, so warps and lanes
 * that hold copies do not execute them. Where something is computed from the value first it may move them or not, by
 * rules of the assembler that are not known: one multiplication is moved, an addition is not. Source: machine code of
 * kernels of Triton 3.6 to 3.9, and counters of kernels of torch.compile. */

/* How the result of an operation is used. */
enum result_use {
    USED,   /* by all threads that have it */
    STORED, /* only by the threads that store it to global memory: only they load it */
    UNSURE  /* as above, but whether the others load it is up to the assembler */
};

/* `to` is the map of the result; NULL: one number. */
static enum result_use use_of(const struct lw_operation *operation, const struct lw_map *to)
{
    return lw_operation_goes_to_global(operation, to) ? STORED
           : operation->only_stored                   ? UNSURE
                                                      : USED;
}

/* Counts an operation with rule->to_global set for that use; where the use is unsure and makes a difference, the cost
 * is unknown. */
static void count_by_use(struct rule *rule, enum result_use use, void (*count)(struct rule *rule))
{
    struct lw_kernel_cost *cost = rule->cost, before = *cost;
    rule->to_global = use != USED;
    count(rule);
    if (use != UNSURE || !(cost->known & LW_COST_SHARED))
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

/* ---- Through shared memory ---- */

/* Whether a load gets the same registers as an earlier load from the same memory: LLVM merges the two. Source:
 * counters of kernels of Triton 3.6; for LDSM the machine code of 3.9. */
static bool is_loaded(struct rule *rule, const struct lw_plan *plan)
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
        if (!operations[row].stored && map_of(rule, operations[row].to, &map) &&
            lw_map_to_layout(map, &before, NULL) && lw_layout_equal(&now, &before))
            return true;
    return false;
}

static void count_access(struct rule *rule)
{
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
        set_why(rule, err.message);
        return;
    }
    if (is_loaded(rule, &plan)) {
        rule->cost->known |= LW_COST_SHARED;
        set_why(rule, "a load before it from this memory has the same elements in the same "
                      "registers: the compiler merges the two");
    } else {
        note_hardware(rule, &plan);
        add_plan(rule, &plan, 1, &plan.total, plan.unknown.code ? &plan.unknown : NULL);
    }
    lw_plan_free(&plan);
}

/* ---- Conversions ---- */

/* Adds a conversion of the request's maps and bits, with or without its loads. False when it cannot be
 * made; else its kind and its shuffles are set, and there is nothing to free. */
static bool add_conversion(struct rule *rule, const struct lw_conversion_request *request,
                           bool loads, struct lw_conversion *conversion)
{
    struct lw_conversion_request own = *request;
    struct lw_error err;
    own.hardware = rule->hardware;
    own.triton = rule->kernel->triton;
    if (!lw_conversion_make(conversion, &own, &err))
        return set_why(rule, err.message);
    const struct lw_error *unknown = lw_conversion_unknown(conversion);
    if (conversion->kind == LW_CONVERSION_BLOCKS)
        set_why(rule, "it uses the shared memory of other blocks, which is not counted");
    if (conversion->kind == LW_CONVERSION_SHARED) {
        const uint64_t rounds = conversion->rounds;
        note_hardware(rule, NULL);
        add_plan(rule, &conversion->store, rounds, &conversion->store_total, unknown);
        if (loads)
            add_plan(rule, &conversion->load, rounds, &conversion->load_total, unknown);
    }
    lw_conversion_free(conversion);
    return true;
}

static void count_conversion(struct rule *rule)
{
    struct lw_conversion conversion;
    struct lw_conversion_request request = {.from = rule->from,
                                            .to = rule->to,
                                            .element_bits = rule->bits,
                                            .to_global = rule->to_global,
                                            .any_cost = true};
    if (!add_conversion(rule, &request, true, &conversion))
        return;
    rule->cost->kind = lw_conversion_kind_name(conversion.kind);
    if (conversion.kind < LW_CONVERSION_SHARED)
        rule->cost->known |= LW_COST_SHARED; /* known to be 0 */
    if (conversion.kind == LW_CONVERSION_SHUFFLE)
        add_code(rule, "shuffle", conversion.shuffles);
}

/* A conversion, or an access of shared memory. */
static void move(struct rule *rule)
{
    const enum lw_role role = rule->operation->kind->role;
    if (set_both(rule))
        count_by_use(rule, role == LW_ROLE_LOCAL_STORE ? USED : use_of(rule->operation, rule->to),
                     role == LW_ROLE_CONVERT ? count_conversion : count_access);
}

/* ---- Reductions since Triton 3.8 are conversions ----
 *
 * Each thread reduces its registers, each warp its lanes; while warps still share the dim, the values are converted to
 * a layout in which lanes hold the values of the warps, and the lanes reduce again. Finally the values are converted
 * to the layout of the result.
 *
 * Source: ReduceOpToLLVM.cpp, and getInterLayout and zeroBasesAlongDimAndReorder of lib/Analysis/Utility.cpp,
 * of Triton 3.8 and 3.9. Compared with the machine code in tests/golden/triton39_reductions.jsonl. */

enum { REGISTER, LANE, WARP, BLOCK, LEVELS };

/* The bases of a layout, those of the registers first, as flat numbers. The index along the dim is that of
 * the bits `along`, which lose their gaps when they are reduced. */
struct bases {
    struct lw_layout layout;
    int axis;
    uint64_t along;
    int count[LEVELS];
    uint64_t basis[LEVELS][LW_BITS_MAX];
};

static int moving_bases(const struct bases *b, int level)
{
    int moving = 0;
    for (int i = 0; i < b->count[level]; i++)
        moving += (b->basis[level][i] & b->along) != 0;
    return moving;
}

/* Removes the dim from the bases of a level; the others along it become 1, 2, 4, ... False: none of the level
 * moved along it, and nothing changes. */
static bool reduce_level(struct bases *b, int level)
{
    uint64_t next = b->along & (~b->along + 1);
    if (!moving_bases(b, level))
        return false;
    for (int i = 0; i < b->count[level]; i++)
        b->basis[level][i] &= ~b->along;
    for (int l = 0; l < LEVELS; l++)
        for (int i = 0; i < b->count[l]; i++)
            if (b->basis[l][i] & b->along) {
                b->basis[l][i] = (b->basis[l][i] & ~b->along) | next;
                next *= 2;
            }
    return true;
}

/* Exchanges the warps that move along the dim with lanes: with lanes that hold copies when there are enough of
 * these. */
static void swap_warps_into_lanes(struct bases *b)
{
    uint64_t *lanes = b->basis[LANE], *warps = b->basis[WARP];
    int copies = 0, lane = 0;
    for (int i = 0; i < b->count[LANE]; i++)
        copies += !lanes[i];
    bool only_copies = copies >= moving_bases(b, WARP);
    for (int warp = 0; warp < b->count[WARP]; warp++) {
        if (!(warps[warp] & b->along))
            continue;
        while (only_copies && lanes[lane])
            lane++;
        if (lane == b->count[LANE])
            return;
        uint64_t kept = lanes[lane];
        lanes[lane++] = warps[warp];
        warps[warp] = kept;
    }
}

/* The layout of the bases, with the dim or without it. */
static bool make_layout(const struct bases *b, bool with_axis, struct lw_layout *layout)
{
    struct lw_dims in = {0};
    uint64_t images[LW_BITS_MAX * LW_DIMS_MAX], image[LW_DIMS_MAX];
    int rank = b->layout.out.count, to = 0;
    for (int level = 0; level < LEVELS; level++) {
        if (!lw_dims_add(&in, lw_register_dims[level], (uint64_t)1 << b->count[level], NULL))
            return false;
        for (int i = 0; i < b->count[level]; i++) {
            lw_dims_unflatten(&b->layout.out, b->basis[level][i], image);
            for (int d = 0; d < rank; d++)
                if (with_axis || d != b->axis)
                    images[to++] = image[d];
        }
    }
    return lw_layout_infer(layout, &in, lw_dim_names, rank - !with_axis, images, NULL);
}

static bool read_bases(struct bases *b, const struct lw_map *map, uint64_t lanes, int axis,
                       struct lw_error *err)
{
    const struct lw_layout *layout = &b->layout;
    if (!lw_register_layout(&b->layout, map, lanes, err))
        return false;
    if (axis < 0 || axis >= layout->out.count)
        return lw_error_set(err, LW_ERROR_PARAMETER, "the tensor has no dim %d", axis);
    b->axis = axis;
    b->along = lw_f2_mask(lw_layout_out_log2(layout, axis))
               << (lw_layout_out_shift(layout, axis) & 63);
    for (int level = 0; level < LEVELS; level++) {
        b->count[level] = lw_layout_in_log2(layout, level);
        memcpy(b->basis[level], &layout->basis[lw_layout_in_shift(layout, level)],
               (size_t)b->count[level] * sizeof *b->basis[level]);
    }
    if (moving_bases(b, BLOCK))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "several blocks share dim %d: what they exchange is not counted", axis);
    for (int i = 0; i < b->count[REGISTER]; i++)
        if ((b->basis[REGISTER][i] & b->along) && (b->basis[REGISTER][i] & ~b->along))
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "a register moves along dim %d and another dim at once", axis);
    return true;
}

/* Adds one of the conversions, of all operands. */
static bool add_step(struct rule *rule, const struct lw_reduction_request *request,
                     const struct lw_layout *from, const struct lw_layout *to, bool last)
{
    struct lw_conversion conversion;
    struct lw_map maps[2];
    lw_map_from_layout(&maps[0], from);
    lw_map_from_layout(&maps[1], to);
    struct lw_conversion_request one = {
        .from = &maps[0], .to = &maps[1], .to_global = last && request->to_global};
    for (int i = 0; i < request->operand_count; i++) {
        bool used = !last || !request->used || (request->used >> i & 1);
        one.element_bits = request->element_bits[i];
        if (!add_conversion(rule, &one, used, &conversion) ||
            conversion.kind == LW_CONVERSION_BLOCKS)
            return false;
        if (conversion.kind == LW_CONVERSION_SHARED ||
            (conversion.kind == LW_CONVERSION_SHUFFLE && strcmp(rule->cost->kind, "shared") != 0))
            rule->cost->kind = lw_conversion_kind_name(conversion.kind);
    }
    return true;
}

/* Sets the cost to that of a reduction whose bases are read; *lanes: it shuffles before the first conversion. */
static bool add_steps(struct rule *rule, const struct lw_reduction_request *request,
                      struct bases *b, bool *lanes)
{
    enum { STEPS_MAX = 3 };
    struct lw_layout from, to;
    int kept = 0; /* registers that hold no copies */
    reduce_level(b, REGISTER);
    for (int i = 0; i < b->count[REGISTER]; i++)
        if (b->basis[REGISTER][i])
            b->basis[REGISTER][kept++] = b->basis[REGISTER][i];
    b->count[REGISTER] = kept;
    *lanes = reduce_level(b, LANE);
    rule->cost->kind = *lanes ? "shuffle" : "registers";
    rule->cost->known = LW_COST_SHARED;
    for (int step = 0; moving_bases(b, WARP) && step < STEPS_MAX; step++) {
        const bool made = make_layout(b, true, &from);
        swap_warps_into_lanes(b);
        if (!made || !make_layout(b, true, &to) || !add_step(rule, request, &from, &to, false))
            return false;
        reduce_level(b, LANE);
    }
    if (request->result &&
        (!lw_map_to_layout(request->result, &to, NULL) || !make_layout(b, false, &from)))
        return false;
    bool converts = request->result && !lw_layout_equal(&from, &to);
    rule->masked = rule->masked && converts;
    return !converts || add_step(rule, request, &from, &to, true);
}

/* ---- Reductions and scans ---- */

/* What a reduction exchanges; `shuffles`: if nothing, it shuffles. */
static void note_exchange(struct rule *rule, bool shared, bool shuffles, const char *exchange)
{
    set_why(rule, shared     ? exchange
                  : shuffles ? "each warp holds the whole axis: it shuffles"
                             : "each thread holds the whole axis");
    if (shared)
        note_hardware(rule, NULL);
}

static void reduce_by_conversions(struct rule *rule, const struct lw_reduction_request *request)
{
    struct bases b;
    struct lw_error err;
    bool lanes;
    if (!read_bases(&b, request->registers, rule->hardware->lanes, request->axis, &err))
        set_why(rule, err.message);
    else if (!add_steps(rule, request, &b, &lanes))
        *rule->cost = (struct lw_kernel_cost){.kind = "shared"};
    else
        note_exchange(rule, !strcmp(rule->cost->kind, "shared"), lanes,
                      "the warps exchange partial results through shared memory, as conversions");
}

static void reduce_at_once(struct rule *rule, const struct lw_reduction_request *request)
{
    struct lw_kernel_cost *cost = rule->cost;
    struct lw_reduction found;
    struct lw_error err;
    if (!lw_reduction_make(&found, request, &err)) {
        set_why(rule, err.message);
        return;
    }
    cost->known |= LW_COST_SHARED;
    cost->kind = found.shared ? "shared" : found.shuffle_steps ? "shuffle" : "registers";
    if (found.shared) {
        add_total(rule, &found.store, NULL);
        add_total(rule, &found.load, NULL);
        add_code(rule, "STS", found.stores);
        add_code(rule, "LDS", found.loads);
    }
    note_exchange(rule, found.shared, found.shuffle_steps,
                  "the warps exchange partial results and results through shared memory");
}

/* Counts a reduction or scan whose maps are found. All operands have one layout; their elements may differ. */
static void count_reduction(struct rule *rule)
{
    const struct lw_operation *operation = rule->operation;
    const struct lw_kernel_type *types = rule->kernel->types;
    const struct lw_encoding *encoding = types[operation->from].encoding;
    const struct lw_value *value =
        strcmp(encoding->type->name, "blocked") ? NULL : lw_encoding_value(encoding, "order");
    const char *at = strstr(operation->text, "axis = ");
    int order[LW_DIMS_MAX];
    struct lw_reduction_request request = {.registers = rule->from,
                                           .result = rule->to,
                                           .axis = at ? atoi(at + 7) : -1,
                                           .scan = strstr(operation->name, "scan") != NULL,
                                           .operand_count = operation->operand_count,
                                           .used = operation->used,
                                           .to_global = rule->to_global,
                                           .hardware = rule->hardware,
                                           .triton = rule->kernel->triton};
    if (value && value->kind == LW_VALUE_LIST && value->count == (size_t)rule->from->out.count) {
        for (size_t i = 0; i < value->count; i++)
            order[i] = (int)value->items[i].integer;
        request.order = order;
    }
    for (int i = 0; i < operation->operand_count; i++) {
        const struct lw_tensor *tensor = &types[operation->types[i]].tensor;
        if (i == LW_REDUCTION_OPERANDS_MAX || !tensor->element.bits) {
            set_why(rule, "it has too many operands, or the size of one is unknown");
            return;
        }
        request.element_bits[i] = (unsigned)tensor->element.bits;
    }
    if (!request.operand_count)
        return;
    if (!request.scan && lw_triton_since(rule->kernel->triton, LW_TRITON_3_8))
        reduce_by_conversions(rule, &request);
    else
        reduce_at_once(rule, &request);
}

/* The use of the results, also of a conversion of them that moves nothing. */
static enum result_use use_of_reduction(struct rule *rule)
{
    const struct lw_operation *operation = rule->operation, *all = rule->kernel->operations;
    if (operation->converted < 0)
        return use_of(operation, rule->to);
    struct lw_kernel_cost cost = {.kind = ""};
    struct rule next = *rule;
    next.cost = &cost;
    next.operation = &all[operation->converted];
    move(&next);
    bool registers = !strcmp(cost.kind, "registers");
    enum result_use use = use_of(next.operation, next.to);
    if (strcmp(cost.kind, "none") != 0 && !registers)
        return USED;
    for (const struct lw_operation *between = operation + 1; between < next.operation; between++)
        if (between->kind->role == LW_ROLE_REDUCE) /* it needs all threads */
            return USED;
    if (use == STORED && (operation->computed ||
                          ((registers || operation->cast) && !lw_registers_are_single(rule->to))))
        use = UNSURE;
    rule->masked = next.operation->stored && next.operation->masked;
    return use;
}

static void reduce(struct rule *rule)
{
    const struct lw_operation *operation = rule->operation;
    bool scan = strstr(operation->name, "scan") != NULL;
    bool has_layout = !scan && operation->type_count > operation->operand_count;
    if (operation->from >= 0 && map_of(rule, operation->from, &rule->from) &&
        (!has_layout || map_of(rule, operation->to, &rule->to)))
        count_by_use(rule, scan ? USED : use_of_reduction(rule), count_reduction);
}

/* ---- Global memory ---- */

/* The order of the dims in memory: the first is the dim of the first register or lane basis that is 1, as Triton gives
 * the threads the order that is contiguous in memory; when there is none, the last dim. Then from the last to the
 * first. */
static void order_of(const struct lw_map *map, int *order)
{
    struct lw_layout layout;
    uint64_t image[LW_DIMS_MAX];
    const int rank = map->out.count;
    const bool linear = lw_map_to_layout(map, &layout, NULL);
    order[0] = -1;
    for (int dim = 0; linear && dim < layout.in.count && dim < 2; dim++)
        for (int bit = 0; bit < lw_layout_in_log2(&layout, dim); bit++) {
            lw_layout_basis(&layout, dim, bit, image);
            for (int d = rank; order[0] < 0 && d-- > 0;)
                order[0] = image[d] == 1 ? d : -1;
        }
    if (order[0] < 0)
        order[0] = rank - 1;
    for (int d = rank - 1, i = 1; d >= 0; d--)
        if (d != order[0])
            order[i++] = d;
}

static void access_global(struct rule *rule)
{
    struct lw_kernel_cost *cost = rule->cost;
    const struct lw_operation *operation = rule->operation;
    struct lw_coalescing out;
    struct lw_error err;
    int order[LW_DIMS_MAX], row = operation->from >= 0 ? operation->from : operation->to;
    char name[32];
    if (row < 0)
        set_why(rule, "it moves one element, not a tensor");
    if (row < 0 || !set_bits(rule) || !map_of(rule, row, &rule->from))
        return;
    order_of(rule->from, order);
    if (!lw_coalesce(&out, rule->from, rule->hardware->lanes, rule->bits, order, &err)) {
        set_why(rule, err.message);
        return;
    }
    /* Warps that hold only copies store nothing; all warps of a linear layout access equally much. */
    int copies =
        operation->kind->role == LW_ROLE_GLOBAL_STORE ? copies_log2(rule->from, "warp") : 0;
    copies = copies < 0 ? 0 : copies;
    cost->known |= LW_COST_GLOBAL;
    cost->sectors = out.sectors >> copies;
    cost->ideal_sectors = out.ideal_sectors >> copies;
    cost->bytes = out.bytes >> copies;
    cost->instructions = out.instructions * (out.warps >> copies);
    snprintf(name, sizeof name, "%llu bytes a lane", (unsigned long long)out.vector_bytes);
    add_code(rule, name, out.instructions);
    if (operation->kind->role == LW_ROLE_ASYNC_COPY)
        set_why(rule, "global memory only, assuming that the tensor is dense and aligned there: "
                      "the writes to shared memory are not counted");
    else
        snprintf(cost->why, sizeof cost->why,
                 "assumes that the tensor is dense and aligned in memory, dim %d fastest: pointers "
                 "are not examined",
                 order[0]);
}

/* ---- Atomics: what their results cost in shared memory ---- */

/* The bytes of the result, whose type ends the text; 0: unknown. */
static uint64_t result_bytes(const struct lw_operation *operation)
{
    const char *type = "";
    for (const char *p = operation->text; (p = strstr(p, "-> ")) != NULL;)
        type = p += 3;
    char name[LW_ELEMENT_MAX];
    struct lw_element element;
    const size_t length = strcspn(type, " \n");
    if (!length || length >= sizeof name)
        return 0;
    snprintf(name, sizeof name, "%.*s", (int)length, type);
    return lw_element_find(&element, name, NULL) ? (uint64_t)(element.bits + 7) / 8 : 0;
}

/* One thread executes the atomic and stores the result, and all threads load it. */
static void broadcast_result(struct rule *rule)
{
    struct lw_kernel_cost *cost = rule->cost;
    uint64_t warps = (uint64_t)rule->kernel->num_warps, bytes = result_bytes(rule->operation);
    if (!warps || !bytes) {
        set_why(rule, "the number of warps, or the size of its result, is unknown");
        return;
    }
    cost->known = LW_COST_SHARED;
    if (warps == 1 && lw_triton_since(rule->kernel->triton, LW_TRITON_3_9)) {
        add_code(rule, "shuffle", 1);
        return;
    }
    cost->instructions = cost->wavefronts = cost->ideal = 1 + warps;
    cost->bytes = bytes * (1 + warps * rule->hardware->lanes);
    const char *width = bytes > 4 ? ".64" : bytes > 2 ? "" : bytes > 1 ? ".U16" : ".U8";
    snprintf(cost->code, sizeof cost->code, "STS%s x1, LDS%s x1", width, width);
    set_why(rule, "its result goes to all threads through shared memory; its cost in global memory "
                  "depends on which addresses are equal");
}

static void count_atomic(struct rule *rule)
{
    const struct lw_operation *operation = rule->operation;
    const bool used = *operation->value && operation->used;
    if (strncmp(rule->kernel->target, "cuda", 4) != 0)
        return;
    if (used && operation->type_count == 0) {
        broadcast_result(rule);
        return;
    }
    if (used && (operation->to < 0 || !map_of(rule, operation->to, &rule->to)))
        return;
    if (used && (copies_log2(rule->to, "lane") != 0 || copies_log2(rule->to, "warp") != 0))
        set_why(rule, "its result goes through shared memory to the threads that hold copies, "
                      "which is not counted");
    else
        rule->cost->known = LW_COST_SHARED; /* it uses none */
}

/* ---- Others ---- */

/* A descriptor, "ttng.tensormap_create %d, %p, [%c64, %c128], [%K, %M], ...", has a size in the first brackets for
 * each dim. A warp clears it in shared memory, a lane replaces the fields, and the warp loads it to copy it to global
 * memory. A field of less than a word is loaded, changed and stored: the number of dims, 2 for each dim, 4 more, and
 * the high bits of each stride. Source: the machine code of Triton 3.7 and 3.8 for descriptors of 1 to 5 dims;
 * counters of an H200 for 2. */
static void count_descriptor(struct rule *rule)
{
    enum { RANK_MOST = 5, WORD = 4, DESCRIPTOR_BYTES = 128 };
    struct lw_kernel_cost *cost = rule->cost;
    const char *p = strstr(rule->operation->text, "tensormap_create");
    uint64_t dims = 1;
    p = p ? strchr(p, '[') : NULL;
    if (!p || p[1] == ']')
        dims = 0;
    for (; dims && *p && *p != ']'; p++)
        dims += *p == ',';
    const bool is_known = dims >= 1 && dims <= RANK_MOST &&
                          !strncmp(rule->kernel->target, "cuda", 4) &&
                          !lw_triton_since(rule->kernel->triton, LW_TRITON_3_9);
    set_why(rule, is_known ? "the first warp alone makes it in shared memory, field by field"
                           : "a lane writes its fields to shared memory one by one; counted are "
                             "descriptors of 1 to 5 dims on NVIDIA before Triton 3.9, with which "
                             "the assembler merges some of these stores");
    if (!is_known)
        return;
    const uint64_t loads = 5 + 3 * dims, stores = 4 + 5 * dims;
    cost->known = LW_COST_SHARED;
    cost->instructions = cost->wavefronts = cost->ideal = loads + stores + 1;
    cost->bytes = 2 * DESCRIPTOR_BYTES + 2 * WORD + WORD * (loads - 1 + stores - 1);
    add_code(rule, "STS.64", 1);
    add_code(rule, "STS", stores);
    add_code(rule, "LDS", loads);
}

/* ---- All roles ---- */

/* The cost of each role: `count` computes it; NULL: the row is complete. */
static const struct {
    const char *kind; /* until `count` sets another */
    void (*count)(struct rule *rule);
    unsigned known;
    const char *why;
} rules[] = {
    [LW_ROLE_CONVERT] = {"unknown", move, 0, ""},
    [LW_ROLE_LOCAL_STORE] = {"shared", move, 0, ""},
    [LW_ROLE_LOCAL_LOAD] = {"shared", move, 0, ""},
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
    [LW_ROLE_ASYNC_COPY] = {"global", access_global, 0, ""},
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
    [LW_ROLE_DESCRIPTOR] = {"shared", count_descriptor, 0, ""},
    [LW_ROLE_PARTITIONS] =
        {"shared", NULL, 0,
         "shared memory holds the number of the code that each warp runs, and values for it"},
    [LW_ROLE_INDEXED] = {"unknown", NULL, 0,
                         "its addresses depend on the data, not on the layouts"},
};

void lw_kernel_operation_cost(const struct lw_kernel *kernel, const struct lw_operation *operation,
                              const struct lw_hardware *hardware, struct lw_kernel_maps *maps,
                              struct lw_kernel_cost *cost)
{
    enum lw_role role = operation->kind->role;
    struct rule rule = {
        .kernel = kernel, .operation = operation, .hardware = hardware, .maps = maps, .cost = cost};
    rule.masked = operation->stored && operation->masked;
    cost->kind = rules[role].kind;
    cost->known = rules[role].known;
    snprintf(cost->why, sizeof cost->why, "%s", rules[role].why);
    if (rules[role].count)
        rules[role].count(&rule);
    /* What masks and selects leave out is not counted. Source: machine code of kernels of Triton 3.7 and 3.9. */
    const size_t length = strlen(cost->why);
    if (cost->wavefronts && (rule.masked || operation->masked || operation->selected))
        snprintf(cost->why + length, sizeof cost->why - length,
                 "%sits store has a mask, or a select follows: warps whose mask is false "
                 "everywhere may skip loads, and the compiler removes code whose result is "
                 "known to be dropped by all threads",
                 length ? "; " : "");
}
