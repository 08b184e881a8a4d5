/*
 * Access plans: checks of the request and the choice of a rule.
 */

#include "analysis/access/plan_parts.h"
#include "core/subspace.h"

#include <string.h>

bool lw_plan_stage_find(const char *name, enum lw_plan_stage *stage)
{
    static const char *const names[] = {"compiled", "triton", "written"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(names[i], name)) {
            *stage = (enum lw_plan_stage)i;
            return true;
        }
    return false;
}

/* Fails with a message; `format` has a %s for the registers and one for the memory. */
static bool refuse(const struct lw_dims *registers, const struct lw_dims *memory,
                   void (*put)(struct lw_text *text, const struct lw_dims *dims),
                   const char *format, struct lw_error *err)
{
    struct lw_text left = {0}, right = {0};
    put(&left, registers);
    put(&right, memory);
    lw_error_set(err, LW_ERROR_SHAPE, format, lw_text_string(&left), lw_text_string(&right));
    lw_text_free(&left);
    lw_text_free(&right);
    return false;
}

bool lw_plan_check_part(const struct lw_dims *registers, const struct lw_dims *memory,
                        struct lw_error *err)
{
    if (registers->count != memory->count)
        return refuse(registers, memory, lw_dims_print_sizes,
                      "registers of %s do not fit into memory of %s: both need the same number of "
                      "dims, each of at most the memory's size",
                      err);
    for (int i = 0; i < registers->count; i++)
        if (lw_dims_find(memory, registers->dim[i].name) < 0)
            return refuse(registers, memory, lw_dims_print_names,
                          "the dims of the registers are %s, those of the memory %s: the names "
                          "must be the same",
                          err);
    for (int i = 0; i < registers->count; i++)
        if (registers->dim[i].size > lw_dims_size(memory, registers->dim[i].name))
            return refuse(registers, memory, lw_dims_print_sizes,
                          "registers of %s do not fit into memory of %s: each dim may have at most "
                          "the memory's size",
                          err);
    return true;
}

static bool check(const struct lw_plan_request *request, struct lw_error *err)
{
    const struct lw_dims *in = &request->registers->in;
    unsigned bits = request->element_bits;
    if (request->op != LW_ACCESS_LOAD && request->op != LW_ACCESS_STORE)
        return lw_error_set(err, LW_ERROR_PARAMETER, "a plan is for a load or a store");
    if (bits > 128 || lw_log2(bits) < 0)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "elements of %u bits are not supported in a plan: they must have 1, 2, 4, ..., 128",
            bits);
    if (lw_dims_find(in, "offset") >= 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "a plan is between registers and memory, but both layouts are memory");
    if (lw_memory_dim(request->memory) < 0)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "a plan is between registers and memory, but neither layout has offsets");
    return lw_plan_check_part(&request->registers->out, &request->memory->out, err);
}

/* Makes the plan by the compiler's rules where both maps are linear and elements are whole bytes, else by runs. */
static bool make(struct lw_plan *plan, struct lw_error *err)
{
    struct lw_plan_request *request = &plan->request;
    struct lw_layout registers;
    struct lw_offsets offsets;
    struct lw_tail tail = {0};
    enum lw_move_kind move;
    bool linear;
    plan->parts = lw_arena_alloc(&plan->arena, sizeof *plan->parts);
    if (!plan->parts)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (!lw_offsets_make(&offsets, &registers, request, &linear, err))
        return false;
    if (!linear || request->by_runs || request->vector || request->element_bits < 8)
        return lw_plan_runs(plan, err);
    if (request->stage == LW_PLAN_WRITTEN)
        return lw_plan_lower(plan, &offsets, LW_MOVE_PLAIN, NULL, err);
    if (!lw_offsets_choose(&offsets, request, &move, err))
        return false;
    if (request->to_global && request->op == LW_ACCESS_LOAD && request->stage == LW_PLAN_COMPILED)
        lw_tail_make(&tail, &registers, request->element_bits);
    return lw_plan_lower(plan, &offsets, move, &tail, err);
}

bool lw_plan_make(struct lw_plan *plan, const struct lw_plan_request *request, struct lw_error *err)
{
    unsigned sm;
    memset(plan, 0, sizeof *plan);
    plan->request = *request;
    if (!request->hardware)
        plan->request.hardware = lw_hardware_default();
    if (!lw_hardware_sm(plan->request.hardware, &sm) && request->stage == LW_PLAN_COMPILED)
        plan->request.stage = LW_PLAN_TRITON;
    if (check(request, err) && make(plan, err))
        return true;
    lw_plan_free(plan);
    return false;
}

void lw_plan_free(struct lw_plan *plan)
{
    lw_arena_free(&plan->arena);
    plan->parts = NULL;
}

/* ---- Triton's estimate ----
 *
 * Triton's own estimate of bank conflicts. It divides the bits of an offset into those of the
 * vector, those of the bank and the rest, the segment, and counts 2^n - 1 conflicts, where n is
 * the number of basis vectors that lanes and segment have in common. It covers one plain access
 * of Triton's vector: no matrix instructions, no merging by the back end, no bytes that lanes
 * share. Source: bankConflictsMemDesc of Triton 3.7.
 */

struct bases {
    const uint64_t *basis;
    int count;
};

static bool powers_of_two(struct bases a)
{
    for (int i = 0; i < a.count; i++)
        if (lw_log2(a.basis[i]) < 0)
            return false;
    return true;
}

/* How many basis vectors the two have in common; where a vector is not a power of two, the dimension of the
 * intersection of their spans. */
static int common(struct bases a, struct bases b)
{
    int count = 0;
    if (!powers_of_two(a) || !powers_of_two(b)) {
        struct lw_space spans[2] = {{.dim = 0}, {.dim = 0}};
        lw_space_add_all(&spans[0], a.basis, a.count);
        lw_space_add_all(&spans[1], b.basis, b.count);
        return lw_space_intersect(&spans[0], &spans[1]).dim;
    }
    for (int i = 0; i < a.count; i++)
        for (int k = 0, found = 0; k < b.count && !found; k++) {
            found = a.basis[i] == b.basis[k];
            count += found;
        }
    return count;
}

static struct bases of_dim(const struct lw_layout *layout, const char *name)
{
    int dim = lw_dims_find(&layout->in, name);
    struct bases bases = {layout->basis, 0};
    if (dim >= 0)
        bases = (struct bases){layout->basis + lw_layout_in_shift(layout, dim),
                               lw_layout_in_log2(layout, dim)};
    return bases;
}

/* log2 of the elements that Triton moves at once. */
static int vector_of(const struct lw_layout *registers, const struct lw_layout *map, unsigned bits)
{
    struct bases reg = of_dim(map, "register"), original = of_dim(registers, "register");
    struct lw_offsets offsets;
    int inner[LW_BITS_MAX];
    memset(&offsets, 0, sizeof offsets);
    for (int i = 0; i < reg.count; i++)
        if (original.basis[i])
            offsets.reg[offsets.registers++] = reg.basis[i];
    for (int dim = 0; dim < map->in.count; dim++) {
        struct bases others = of_dim(map, map->in.dim[dim].name);
        for (int i = 0; others.basis != reg.basis && i < others.count; i++)
            offsets.lane[offsets.lanes++] = others.basis[i];
    }
    return lw_offsets_vector(&offsets, bits, inner);
}

/* Whether both have the same shape: for a part of the memory Triton has no estimate. */
static bool same_shape(const struct lw_dims *registers, const struct lw_dims *memory)
{
    bool same = registers->count == memory->count;
    for (int i = 0; same && i < registers->count; i++)
        same = lw_dims_find(memory, registers->dim[i].name) >= 0 &&
               lw_dims_size(memory, registers->dim[i].name) == registers->dim[i].size;
    return same;
}

bool lw_plan_estimate(const struct lw_plan_request *request, uint64_t *conflicts)
{
    struct lw_layout registers, memory, map;
    const char *names[LW_DIMS_MAX];
    unsigned bits = request->element_bits;
    uint64_t lanes = (request->hardware ? request->hardware : lw_hardware_default())->lanes;
    if (bits > 128 || lw_log2(bits) < 0 ||
        !lw_map_to_hardware(request->registers, lanes, &registers, NULL) ||
        !lw_map_to_layout(request->memory, &memory, NULL) || lw_memory_dim(request->memory) != 0 ||
        lw_dims_size(&memory.in, "partition") > 1)
        return false;
    for (int i = 0; i < registers.out.count; i++)
        names[i] = registers.out.dim[i].name;
    if (!same_shape(&registers.out, &memory.out) ||
        !lw_layout_transpose_outs(&memory, &memory, names, NULL) ||
        !lw_layout_invert_and_compose(&map, &registers, &memory,
                                      lw_triton_identity_rule(request->triton), NULL))
        return false;
    int vector = vector_of(&registers, &map, bits), total = lw_layout_in_bits(&memory);
    int bank = lw_log2(LW_TRITON_BANKS_BITS) - vector - lw_log2(bits),
        low = vector + (bank < total ? bank : total);
    struct bases lane = of_dim(&registers, "lane");
    int wide = vector + lw_log2(bits) - 5;
    lane.count -= wide > 0 ? wide : 0;
    if (low > total || lane.count < 0)
        return false;
    struct bases segment = {memory.basis + low, total - low};
    *conflicts = ((uint64_t)1 << common(segment, lane)) - 1;
    return true;
}
