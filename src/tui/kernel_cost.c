/*
 * Costs of operations: the types of an operation become maps, and the analysis of maps says the rest.
 *
 * Source: which unit does what is Triton's lowering of each operation (release 3.7); the numbers are those of
 * plan.h, conversion.h and coalesce.h.
 */

#include "tui/kernel_cost.h"

#include <stdlib.h>
#include <string.h>

/* What an operation is asked with. */
struct asked {
    const struct lw_kernel *kernel;
    const struct lw_operation *operation;
    const struct lw_hardware *hardware;
    struct lw_kernel_cost *cost;
    struct lw_map from, to;
    unsigned bits;
    bool to_global; /* its value is stored in global memory, and nothing else is done with it */
};

static bool cannot(struct asked *asked, const char *why)
{
    struct lw_kernel_cost *cost = asked->cost;
    if (!*cost->kind)
        cost->kind = "unknown";
    snprintf(cost->why, sizeof cost->why, "%.*s", (int)sizeof cost->why - 1, why);
    return false;
}

/* ---- Maps ---- */

static bool make_map(struct asked *asked, int row, struct lw_map *map)
{
    const struct lw_kernel_type *type = &asked->kernel->types[row];
    struct lw_error err;
    if (!type->encoding || type->tensor.rank < 0)
        return cannot(asked, type->problem ? type->problem->message : "its type cannot be read");
    if (!lw_encoding_build(type->encoding, &type->tensor, map, &err))
        return cannot(asked, err.message);
    return true;
}

static bool set_bits(struct asked *asked)
{
    struct lw_tensor tensor;
    lw_operation_tensor(asked->kernel, asked->operation, &tensor);
    asked->bits = (unsigned)tensor.element.bits;
    return asked->bits || cannot(asked, "its element has no size that is known");
}

static bool make_both(struct asked *asked)
{
    const struct lw_operation *operation = asked->operation;
    if (operation->from < 0 || operation->to < 0)
        return cannot(asked, "its types say no two layouts");
    return set_bits(asked) && make_map(asked, operation->from, &asked->from) &&
           make_map(asked, operation->to, &asked->to);
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

static void convert(struct asked *asked)
{
    struct lw_kernel_cost *cost = asked->cost;
    struct lw_conversion conversion;
    struct lw_error err;
    if (!make_both(asked))
        return;
    struct lw_conversion_request request = {.from = &asked->from,
                                            .to = &asked->to,
                                            .element_bits = asked->bits,
                                            .to_global = asked->to_global,
                                            .hardware = asked->hardware};
    if (!lw_conversion_make(&conversion, &request, &err)) {
        cannot(asked, err.message);
        return;
    }
    cost->kind = lw_conversion_kind_name(conversion.kind);
    cost->shuffles = conversion.shuffles;
    if (conversion.kind == LW_CONVERSION_BLOCKS) {
        cannot(asked,
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
    }
    lw_conversion_free(&conversion);
}

/* Why the rules for compiled code may not be those of this hardware. */
static void note_rule(struct asked *asked, const struct lw_plan *plan)
{
    if (plan->rule == LW_PLAN_RUNS)
        cannot(asked, "no rule of the compiler covers these layouts: the widest runs are counted");
    else if (asked->hardware->lanes == 64 || !strncmp(asked->hardware->name, "gfx", 3))
        cannot(asked, "the instructions are those of the rules for NVIDIA");
}

static void access_shared(struct asked *asked, enum lw_access_op op)
{
    struct lw_kernel_cost *cost = asked->cost;
    struct lw_plan plan;
    struct lw_error err;
    bool store = op == LW_ACCESS_STORE;
    cost->kind = "shared";
    if (!make_both(asked))
        return;
    struct lw_plan_request request = {.registers = store ? &asked->from : &asked->to,
                                      .memory = store ? &asked->to : &asked->from,
                                      .element_bits = asked->bits,
                                      .op = op,
                                      .to_global = !store && asked->to_global,
                                      .hardware = asked->hardware};
    if (!lw_plan_make(&plan, &request, &err)) {
        cannot(asked, err.message);
        return;
    }
    add_total(cost, &plan.total);
    add_code(cost, &plan, 1);
    note_rule(asked, &plan);
    lw_plan_free(&plan);
}

static void store_shared(struct asked *asked)
{
    access_shared(asked, LW_ACCESS_STORE);
}

static void load_shared(struct asked *asked)
{
    access_shared(asked, LW_ACCESS_LOAD);
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

static void access_global(struct asked *asked)
{
    struct lw_kernel_cost *cost = asked->cost;
    const struct lw_operation *operation = asked->operation;
    struct lw_coalescing out;
    struct lw_error err;
    int order[LW_DIMS_MAX], row = operation->from >= 0 ? operation->from : operation->to;
    cost->kind = "global";
    if (row < 0)
        cannot(asked, "one element, not a tensor");
    if (row < 0 || !set_bits(asked) || !make_map(asked, row, &asked->from))
        return;
    order_of(&asked->from, order);
    if (!lw_coalesce(&out, &asked->from, asked->hardware->lanes, asked->bits, order, &err)) {
        cannot(asked, err.message);
        return;
    }
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

static void copy_async(struct asked *asked)
{
    access_global(asked);
    if (asked->cost->known)
        snprintf(asked->cost->why, sizeof asked->cost->why,
                 "the global side, when the tensor is dense and aligned; the writes to shared "
                 "memory pass the "
                 "load-store unit uncounted");
}

/* ---- What other units do ---- */

static void say(struct asked *asked, const char *kind, const char *why)
{
    asked->cost->kind = kind;
    cannot(asked, why);
}

static void atomic(struct asked *asked)
{
    say(asked, "global", "an atomic: what it costs depends on which addresses meet");
}

static void engine(struct asked *asked)
{
    say(asked, "tma", "a copy engine moves it: no instruction of a warp touches shared memory");
}

static void tensor_memory(struct asked *asked)
{
    say(asked, "tmem", "tensor memory has a path of its own: no wavefronts of shared memory");
}

static void relabel(struct asked *asked)
{
    asked->cost->kind = "none";
    asked->cost->known |= LW_COST_SHARED;
}

/* A dim whose neighbours are all in one thread needs no other; in one warp, shuffles. */
static void reduce(struct asked *asked)
{
    struct lw_kernel_cost *cost = asked->cost;
    const char *at = strstr(asked->operation->text, "axis = ");
    struct lw_layout layout;
    uint64_t image[LW_DIMS_MAX];
    int axis = at ? atoi(at + 7) : -1, row = asked->operation->from;
    if (row < 0 || !make_map(asked, row, &asked->from))
        return;
    if (axis < 0 || axis >= asked->from.out.count ||
        !lw_map_to_layout(&asked->from, &layout, NULL)) {
        cannot(asked, "its axis, or its layout, is not one that the rules cover");
        return;
    }
    bool lanes = false, warps = false;
    for (int dim = 0; dim < layout.in.count; dim++)
        for (int bit = 0; bit < lw_layout_in_log2(&layout, dim); bit++) {
            lw_layout_basis(&layout, dim, bit, image);
            bool moves = image[axis] != 0;
            lanes = lanes || (moves && !strcmp(layout.in.dim[dim].name, "lane"));
            warps = warps || (moves && (!strcmp(layout.in.dim[dim].name, "warp") ||
                                        !strcmp(layout.in.dim[dim].name, "block")));
        }
    if (warps) {
        say(asked, "shared",
            "several warps share the axis: they meet in shared memory, which no rule here counts");
        return;
    }
    cost->kind = lanes ? "shuffle" : "registers";
    cost->known |= LW_COST_SHARED;
    cannot(asked, lanes ? "the axis is inside a warp: shuffles" : "the axis is inside a thread");
}

static void dot(struct asked *asked)
{
    asked->cost->known |= LW_COST_SHARED;
    say(asked, "tensor-core", "its operands are in registers");
    asked->cost->kind = "registers";
}

static void dot_shared(struct asked *asked)
{
    say(asked, "tensor-core",
        "the tensor core reads its operands from shared memory itself: no wavefronts of the "
        "load-store unit");
}

static void indexed(struct asked *asked)
{
    say(asked, "unknown", "where it reads and writes the data says, not the layouts");
}

/* ---- All of them ---- */

static void (*const by_role[])(struct asked *) = {
    [LW_ROLE_CONVERT] = convert,
    [LW_ROLE_LOCAL_STORE] = store_shared,
    [LW_ROLE_LOCAL_LOAD] = load_shared,
    [LW_ROLE_GLOBAL_LOAD] = access_global,
    [LW_ROLE_GLOBAL_STORE] = access_global,
    [LW_ROLE_ATOMIC] = atomic,
    [LW_ROLE_ASYNC_COPY] = copy_async,
    [LW_ROLE_TMA] = engine,
    [LW_ROLE_TMEM] = tensor_memory,
    [LW_ROLE_RELABEL] = relabel,
    [LW_ROLE_REDUCE] = reduce,
    [LW_ROLE_DOT] = dot,
    [LW_ROLE_DOT_SHARED] = dot_shared,
    [LW_ROLE_INDEXED] = indexed,
};

/* What is known of an operation that is like one before it is not asked again. */
static bool alike(const struct lw_operation *a, const struct lw_operation *b)
{
    return a->kind == b->kind && a->from == b->from && a->to == b->to && a->from >= 0 &&
           a->stored == b->stored && a->kind->role != LW_ROLE_REDUCE;
}

static void ask(struct lw_kernel_costs *all, size_t i)
{
    const struct lw_kernel *kernel = all->kernel;
    const struct lw_operation *operation = &kernel->operations[i];
    struct lw_kernel_cost *cost = &all->costs[i];
    for (size_t j = i; j-- > 0 && i - j < 256;)
        if (alike(operation, &kernel->operations[j])) {
            *cost = all->costs[j];
            break;
        }
    if (!cost->kind) {
        cost->kind = "";
        struct asked asked = {.kernel = kernel,
                              .operation = operation,
                              .hardware = all->hardware,
                              .cost = cost,
                              .to_global = operation->stored};
        by_role[operation->kind->role](&asked);
        if (!*cost->kind)
            cost->kind = "unknown";
    }
    cost->depth = lw_operation_depth(kernel, operation);
    cost->trips_known = lw_operation_trips(kernel, operation, &cost->trips);
}

static uint64_t times(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void add_up(struct lw_kernel_costs *all, const struct lw_kernel_cost *cost)
{
    all->wavefronts = plus(all->wavefronts, cost->wavefronts);
    all->ideal = plus(all->ideal, cost->ideal);
    all->sectors = plus(all->sectors, cost->sectors);
    all->ideal_sectors = plus(all->ideal_sectors, cost->ideal_sectors);
    all->run_wavefronts = plus(all->run_wavefronts, times(cost->wavefronts, cost->trips));
    all->run_ideal = plus(all->run_ideal, times(cost->ideal, cost->trips));
    all->run_sectors = plus(all->run_sectors, times(cost->sectors, cost->trips));
    all->run_ideal_sectors = plus(all->run_ideal_sectors, times(cost->ideal_sectors, cost->trips));
    all->unknown += !cost->known;
    all->trips_known =
        all->trips_known && (cost->trips_known || !(cost->wavefronts + cost->sectors));
}

/* Loops whose trips are not known around an operation: it runs more often than one with fewer. */
static int open_loops(const struct lw_kernel *kernel, const struct lw_operation *operation)
{
    int count = 0;
    for (int i = operation->loop; i >= 0; i = kernel->loops[i].parent)
        count += !kernel->loops[i].known;
    return count;
}

struct lw_ranked {
    size_t index;
    int loops;
    uint64_t shared, global;
};

/* Deeper in loops that nobody counted first, then by wavefronts, then by sectors, then as in the file. */
static int by_cost(const void *a, const void *b)
{
    const struct lw_ranked *left = a, *right = b;
    if (left->loops != right->loops)
        return left->loops > right->loops ? -1 : 1;
    if (left->shared != right->shared)
        return left->shared > right->shared ? -1 : 1;
    if (left->global != right->global)
        return left->global > right->global ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

static void sort(struct lw_kernel_costs *all)
{
    size_t count = all->kernel->operation_count;
    struct lw_ranked *ranked = all->ranked;
    for (size_t i = 0; i < count; i++) {
        const struct lw_kernel_cost *cost = &all->costs[i];
        uint64_t shared = times(cost->wavefronts, cost->trips);
        uint64_t global = times(cost->sectors, cost->trips);
        ranked[i] = (struct lw_ranked){
            i, shared || global ? open_loops(all->kernel, &all->kernel->operations[i]) : 0, shared,
            global};
    }
    qsort(ranked, count, sizeof *ranked, by_cost);
    for (size_t i = 0; i < count; i++)
        all->order[i] = ranked[i].index;
}

bool lw_kernel_costs_begin(struct lw_kernel_costs *costs, const struct lw_kernel *kernel,
                           const struct lw_hardware *hardware, struct lw_error *err)
{
    size_t room = kernel->operation_count + 1;
    memset(costs, 0, sizeof *costs);
    costs->kernel = kernel;
    costs->trips_known = true;
    costs->hardware = hardware          ? hardware
                      : *kernel->target ? lw_hardware_find(kernel->target)
                                        : NULL;
    if (!costs->hardware)
        costs->hardware = lw_hardware_usual();
    costs->costs = calloc(room, sizeof *costs->costs);
    costs->order = calloc(room, sizeof *costs->order);
    costs->ranked = calloc(room, sizeof *costs->ranked);
    if (!costs->costs || !costs->order || !costs->ranked) {
        lw_kernel_costs_free(costs);
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < kernel->operation_count; i++)
        costs->order[i] = i;
    return true;
}

bool lw_kernel_costs_step(struct lw_kernel_costs *costs)
{
    if (costs->asked == costs->kernel->operation_count)
        return false;
    ask(costs, costs->asked);
    add_up(costs, &costs->costs[costs->asked++]);
    if (costs->asked == costs->kernel->operation_count)
        sort(costs);
    return true;
}

bool lw_kernel_costs_make(struct lw_kernel_costs *costs, const struct lw_kernel *kernel,
                          const struct lw_hardware *hardware, struct lw_error *err)
{
    if (!lw_kernel_costs_begin(costs, kernel, hardware, err))
        return false;
    while (lw_kernel_costs_step(costs))
        continue;
    return true;
}

void lw_kernel_costs_free(struct lw_kernel_costs *costs)
{
    free(costs->costs);
    free(costs->order);
    free(costs->ranked);
    memset(costs, 0, sizeof *costs);
}
