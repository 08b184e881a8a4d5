/*
 * What warps exchange in a reduction or a scan, access by access.
 *
 * The addresses are numbers of elements of a scratch tensor in shared memory. Of a reduction it has the shape of
 * the input with as many elements along the axis as warps share it, the axis fastest; of a scan it is
 * [chunk][warp along the axis][threads beside it].
 *
 * Invariant: an access is of one operand, one instruction, one warp, and its lanes hold what Triton's code computes for them, also
 * where that takes the lanes of a layout apart in a way that only blocks of bits allow.
 */

#include "laneway/reduction.h"

#include "analysis/access/plan_parts.h"
#include "analysis/access/reduction_parts.h"

#include <stdlib.h>
#include <string.h>

#define ACCESSES_MAX ((uint64_t)1 << 16)

/* ---- Layouts ---- */

bool lw_walk_refuse(struct lw_walk *walk, const char *why)
{
    return lw_error_set(walk->err, LW_ERROR_UNSUPPORTED, "%s", why);
}

static bool indices_of(const struct lw_layout *layout, int *dim)
{
    static const char *const names[LW_WALK_DIMS] = {"register", "lane", "warp"};
    for (int i = 0; i < LW_WALK_DIMS; i++)
        dim[i] = lw_dims_find(&layout->in, names[i]);
    return dim[LW_WALK_REG] >= 0 && dim[LW_WALK_LANE] >= 0 && dim[LW_WALK_WARP] >= 0;
}

static bool is_alone(const struct lw_layout *layout)
{
    int block = lw_dims_find(&layout->in, "block");
    return block < 0 || layout->in.dim[block].size == 1;
}

uint64_t lw_walk_size(const struct lw_walk *walk, int dim)
{
    return walk->layout.in.dim[walk->dim[dim]].size;
}

/* The dim that a bit moves along, -1: none, -2: several. */
static int moves_along(const struct lw_walk *walk, int dim, int bit)
{
    uint64_t image[LW_DIMS_MAX];
    int found = -1;
    lw_layout_basis(&walk->layout, walk->dim[dim], bit, image);
    for (int d = 0; d < walk->rank; d++)
        if (image[d])
            found = found == -1 ? d : -2;
    return found;
}

/* The dims in the order in which the bits of a place first move along them, then as `rest` has them. */
static void order_of(const struct lw_walk *walk, int dim, const int *rest, int *order)
{
    unsigned seen = 0;
    int count = 0, bits = lw_layout_in_log2(&walk->layout, walk->dim[dim]);
    for (int bit = 0; bit < bits; bit++) {
        int d = moves_along(walk, dim, bit);
        if (d >= 0 && !(seen >> d & 1))
            order[count++] = d;
        seen |= d >= 0 ? 1u << d : 0;
    }
    for (int i = 0; i < walk->rank; i++)
        if (!(seen >> rest[i] & 1))
            order[count++] = rest[i];
}

static bool take_apart(struct lw_walk *walk)
{
    uint64_t masks[LW_DIMS_MAX];
    int last_first[LW_DIMS_MAX] = {0};
    lw_layout_free_masks(&walk->layout, masks);
    for (int d = 0; d < walk->rank; d++)
        last_first[d] = walk->rank - 1 - d;
    for (int dim = 0; dim < LW_WALK_DIMS; dim++) {
        int bits = lw_layout_in_log2(&walk->layout, walk->dim[dim]);
        walk->free[dim] = masks[walk->dim[dim]];
        for (int d = 0; d < walk->rank; d++)
            walk->along[dim][d] = 1;
        for (int bit = 0; bit < bits; bit++) {
            int d = moves_along(walk, dim, bit);
            if (d == -2)
                return lw_walk_refuse(
                    walk, "a bit of its layout moves along several dims at once: the rule "
                          "is not known for that");
            if (d >= 0)
                walk->along[dim][d] *= 2;
        }
        order_of(walk, dim, dim == LW_WALK_REG ? last_first : walk->order[LW_WALK_REG],
                 walk->order[dim]);
    }
    return true;
}

/* A lane or warp as a number along each dim; false when it only repeats another one. */
bool lw_walk_digits(const struct lw_walk *walk, int dim, uint64_t value, uint64_t *digit)
{
    uint64_t packed = 0;
    int bits = lw_layout_in_log2(&walk->layout, walk->dim[dim]), count = 0;
    for (int bit = 0; bit < bits; bit++)
        if (!(walk->free[dim] >> bit & 1))
            packed |= (value >> bit & 1) << count++;
    for (int i = 0; i < walk->rank; i++) {
        int d = walk->order[dim][i];
        digit[d] = packed % walk->along[dim][d];
        packed /= walk->along[dim][d];
    }
    return !(value & walk->free[dim]);
}

static void index_of(const struct lw_layout *layout, const int *dim, uint64_t reg, uint64_t lane,
                     uint64_t warp, uint64_t *out)
{
    uint64_t in[LW_DIMS_MAX] = {0};
    in[dim[LW_WALK_REG]] = reg;
    in[dim[LW_WALK_LANE]] = lane;
    in[dim[LW_WALK_WARP]] = warp;
    lw_layout_apply(layout, in, out);
}

uint64_t lw_walk_linear(const uint64_t *index, const uint64_t *shape, const int *order, int rank)
{
    uint64_t at = 0;
    for (int i = rank; i-- > 0;)
        at = at * shape[order[i]] + index[order[i]];
    return at;
}

/* ---- Accesses ---- */

static uint64_t distinct(const struct lw_walk_lanes *lanes, unsigned count)
{
    uint64_t found = 0;
    for (unsigned i = 0; i < count; i++) {
        bool again = !(lanes->active >> i & 1);
        for (unsigned j = 0; j < i && !again; j++)
            again = (lanes->active >> j & 1) && lanes->element[j] == lanes->element[i];
        found += !again;
    }
    return found;
}

/* One instruction for each operand; a warp without an active lane runs it and moves nothing. */
bool lw_walk_access(struct lw_walk *walk, enum lw_access_op op, const struct lw_walk_lanes *lanes,
                    uint32_t operands, unsigned width)
{
    struct lw_plan_total *total = op == LW_ACCESS_STORE ? &walk->out->store : &walk->out->load;
    for (int i = 0; i < walk->request->operand_count; i++) {
        if (!(operands >> i & 1))
            continue;
        unsigned bytes = (walk->request->element_bits[i] + 7) / 8;
        struct lw_access access = {.op = op, .width = bytes * width, .active = lanes->active};
        struct lw_cost cost;
        if (++walk->accesses > ACCESSES_MAX)
            return lw_error_set(walk->err, LW_ERROR_LIMIT,
                                "over 2^16 accesses to shared memory by all warps");
        for (unsigned lane = 0; lane < walk->hardware->lanes; lane++)
            access.address[lane] = walk->base[i] + lanes->element[lane] * bytes;
        if (!lanes->active)
            continue;
        if (!lw_access_cost(walk->hardware->banks, &access, &cost, walk->err))
            return false;
        total->instructions++;
        total->wavefronts += cost.wavefronts;
        total->conflicts += cost.conflicts;
        total->ideal += cost.ideal;
        total->bytes += distinct(lanes, walk->hardware->lanes) * bytes * width;
    }
    return true;
}

static void count_code(struct lw_walk *walk, uint64_t *code, uint64_t times)
{
    *code += times * (uint64_t)walk->request->operand_count;
}

/* ---- A reduction ---- */

struct scratch {
    uint64_t shape[LW_DIMS_MAX];
    int order[LW_DIMS_MAX];
};

static void make_scratch(struct lw_walk *walk, struct scratch *scratch)
{
    int axis = walk->request->axis, count = 1;
    scratch->order[0] = axis;
    for (int i = 0; i < walk->rank; i++)
        if (walk->order[LW_WALK_REG][i] != axis)
            scratch->order[count++] = walk->order[LW_WALK_REG][i];
    walk->scratch = 1;
    for (int d = 0; d < walk->rank; d++) {
        scratch->shape[d] =
            d == axis ? walk->along[LW_WALK_WARP][axis] : walk->layout.out.dim[d].size;
        walk->scratch *= scratch->shape[d];
    }
}

/* Registers that are the first at their place beside the axis; the others are summed up into them. */
static uint64_t *first_registers(const struct lw_walk *walk, uint64_t *count)
{
    uint64_t total = lw_walk_size(walk, LW_WALK_REG), index[LW_DIMS_MAX];
    uint64_t *seen = calloc(total, sizeof *seen), *first = calloc(total, sizeof *first);
    uint64_t shape[LW_DIMS_MAX];
    *count = 0;
    for (int d = 0; d < walk->rank; d++)
        shape[d] = walk->layout.out.dim[d].size;
    for (uint64_t reg = 0; seen && first && reg < total; reg++) {
        index_of(&walk->layout, walk->dim, reg, 0, 0, index);
        index[walk->request->axis] = 0;
        uint64_t key = lw_walk_linear(index, shape, walk->order[LW_WALK_REG], walk->rank), i = 0;
        while (i < *count && seen[i] != key)
            i++;
        if (i == *count) {
            seen[*count] = key;
            first[(*count)++] = reg;
        }
    }
    free(seen);
    return first;
}

/* Each warp stores its partial sums: of the lanes along the axis the first one. */
static bool store_partial(struct lw_walk *walk, const struct scratch *scratch, const uint64_t *regs,
                          uint64_t count)
{
    int axis = walk->request->axis;
    for (uint64_t warp = 0; warp < lw_walk_size(walk, LW_WALK_WARP); warp++)
        for (uint64_t i = 0; i < count; i++) {
            struct lw_walk_lanes lanes = {0};
            uint64_t along_warp[LW_DIMS_MAX], along_lane[LW_DIMS_MAX], index[LW_DIMS_MAX];
            bool writes = lw_walk_digits(walk, LW_WALK_WARP, warp, along_warp);
            for (uint64_t lane = 0; lane < lw_walk_size(walk, LW_WALK_LANE); lane++) {
                bool own = lw_walk_digits(walk, LW_WALK_LANE, lane, along_lane);
                index_of(&walk->layout, walk->dim, regs[i], lane, warp, index);
                index[axis] = along_warp[axis];
                lanes.element[lane] =
                    lw_walk_linear(index, scratch->shape, scratch->order, walk->rank);
                if (writes && own && along_lane[axis] == 0)
                    lanes.active |= (uint64_t)1 << lane;
            }
            if (!lw_walk_access(walk, LW_ACCESS_STORE, &lanes, LW_WALK_ALL, 1))
                return false;
        }
    count_code(walk, &walk->out->stores, count);
    return true;
}

/* The threads of the block take the partial sums in order, add up those of one place, and store the sum. */
static bool sum_partial(struct lw_walk *walk)
{
    uint64_t lanes_of = lw_walk_size(walk, LW_WALK_LANE),
             threads = lanes_of * lw_walk_size(walk, LW_WALK_WARP);
    uint64_t rounds = walk->scratch > threads ? walk->scratch / threads : 1;
    unsigned together = walk->along[LW_WALK_WARP][walk->request->axis];
    for (uint64_t warp = 0; warp < lw_walk_size(walk, LW_WALK_WARP); warp++)
        for (uint64_t round = 0; round < rounds; round++) {
            struct lw_walk_lanes load = {0}, store;
            for (uint64_t lane = 0; lane < lanes_of; lane++) {
                uint64_t thread = warp * lanes_of + lane;
                load.element[lane] = thread + round * threads;
                if (thread < walk->scratch)
                    load.active |= (uint64_t)1 << lane;
            }
            store = load;
            for (uint64_t lane = 0; lane < lanes_of; lane++)
                if (lane % together)
                    store.active &= ~((uint64_t)1 << lane);
            if (!lw_walk_access(walk, LW_ACCESS_LOAD, &load, LW_WALK_ALL, 1) ||
                !lw_walk_access(walk, LW_ACCESS_STORE, &store, LW_WALK_ALL, 1))
                return false;
        }
    count_code(walk, &walk->out->loads, rounds);
    count_code(walk, &walk->out->stores, rounds);
    return true;
}

/* The scratch element of a register of the result. */
static uint64_t result_element(const struct lw_walk *walk, const struct scratch *scratch,
                               uint64_t reg, uint64_t lane, uint64_t warp)
{
    uint64_t index[LW_DIMS_MAX], whole[LW_DIMS_MAX] = {0};
    if (!walk->request->result)
        return 0;
    index_of(&walk->result, walk->result_dim, reg, lane, warp, index);
    for (int d = 0, r = 0; d < walk->rank; d++)
        whole[d] = d == walk->request->axis ? 0 : index[r++] % scratch->shape[d];
    return lw_walk_linear(whole, scratch->shape, scratch->order, walk->rank);
}

/* The results that one register of all threads holds. Of those that are only stored, the threads that hold
 * copies load none that the last store needs. */
static bool load_result(struct lw_walk *walk, const struct scratch *scratch,
                        const struct lw_tail *tail, uint64_t reg, uint32_t operands)
{
    uint32_t number = (uint32_t)reg;
    bool alone = lw_tail_has(tail, &number, 1);
    for (uint64_t warp = 0; warp < lw_walk_size(walk, LW_WALK_WARP); warp++) {
        struct lw_walk_lanes lanes = {0};
        for (uint64_t lane = 0; lane < lw_walk_size(walk, LW_WALK_LANE); lane++) {
            lanes.element[lane] = result_element(walk, scratch, reg, lane, warp);
            if (!alone || !((lane & tail->lane_mask) | (warp & tail->warp_mask)))
                lanes.active |= (uint64_t)1 << lane;
        }
        if (!lw_walk_access(walk, LW_ACCESS_LOAD, &lanes, operands, 1))
            return false;
    }
    return true;
}

/* The threads that store a result; one number is stored by the first one. */
static void make_tail(const struct lw_walk *walk, struct lw_tail *tail)
{
    memset(tail, 0, sizeof *tail);
    if (walk->request->to_global && walk->request->result)
        lw_tail_make(tail, &walk->result, walk->request->element_bits[0]);
    else if (walk->request->to_global)
        *tail = (struct lw_tail){
            .lane_mask = UINT64_MAX, .warp_mask = UINT64_MAX, .any = true, .word = 1};
}

/* Each thread loads the results that it holds, each once. */
static bool load_results(struct lw_walk *walk, const struct scratch *scratch)
{
    const struct lw_reduction_request *request = walk->request;
    uint64_t total = request->result ? walk->result.in.dim[walk->result_dim[LW_WALK_REG]].size : 1;
    uint64_t *seen = calloc(total, sizeof *seen), count = 0;
    uint32_t operands = request->used ? request->used : LW_WALK_ALL;
    struct lw_tail tail;
    bool ok = true;
    if (!seen)
        return lw_error_set(walk->err, LW_ERROR_MEMORY, "out of memory");
    make_tail(walk, &tail);
    for (uint64_t reg = 0; ok && reg < total; reg++) {
        uint64_t key = result_element(walk, scratch, reg, 0, 0), i = 0;
        while (i < count && seen[i] != key)
            i++;
        if (i < count)
            continue;
        seen[count++] = key;
        ok = load_result(walk, scratch, &tail, reg, operands);
    }
    for (int i = 0; i < request->operand_count; i++)
        walk->out->loads += operands >> i & 1 ? count : 0;
    free(seen);
    return ok;
}

/* Where the scratch of each operand begins: the widest first. */
void lw_walk_bases(struct lw_walk *walk)
{
    const struct lw_reduction_request *request = walk->request;
    uint64_t at = 0;
    for (unsigned bytes = 16; bytes > 0; bytes /= 2)
        for (int i = 0; i < request->operand_count; i++)
            if ((request->element_bits[i] + 7) / 8 == bytes) {
                walk->base[i] = at;
                at += walk->scratch * bytes;
            }
    walk->out->shared_bytes = at;
}

static bool reduce(struct lw_walk *walk)
{
    struct scratch scratch;
    uint64_t count;
    make_scratch(walk, &scratch);
    lw_walk_bases(walk);
    uint64_t *regs = first_registers(walk, &count);
    bool ok = regs && count ? store_partial(walk, &scratch, regs, count) && sum_partial(walk) &&
                                  load_results(walk, &scratch)
                            : lw_error_set(walk->err, LW_ERROR_MEMORY, "out of memory");
    free(regs);
    return ok;
}

/* ---- Both ---- */

static bool check(struct lw_walk *walk)
{
    const struct lw_reduction_request *request = walk->request;
    if (request->axis < 0 || request->axis >= walk->rank)
        return lw_error_set(walk->err, LW_ERROR_PARAMETER, "the axis is none of its dims");
    if (request->operand_count < 1 || request->operand_count > LW_REDUCTION_OPERANDS_MAX)
        return lw_error_set(walk->err, LW_ERROR_LIMIT, "more than %d tensors are reduced together",
                            LW_REDUCTION_OPERANDS_MAX);
    for (int i = 0; i < request->operand_count; i++) {
        unsigned bytes = (request->element_bits[i] + 7) / 8;
        if (!bytes || bytes > 8 || (bytes & (bytes - 1)))
            return lw_walk_refuse(walk, "its elements are of a size that no instruction moves");
    }
    if (!is_alone(&walk->layout))
        return lw_walk_refuse(walk, "several blocks hold it: the rule is not known for that");
    if (lw_walk_size(walk, LW_WALK_LANE) != walk->hardware->lanes)
        return lw_walk_refuse(walk, "its layout has other lanes a warp than the hardware");
    return true;
}

static unsigned log2_of(unsigned size)
{
    unsigned log = 0;
    while (size >> (log + 1))
        log++;
    return log;
}

bool lw_reduction_make(struct lw_reduction *out, const struct lw_reduction_request *request,
                       struct lw_error *err)
{
    struct lw_walk walk = {.request = request,
                           .out = out,
                           .err = err,
                           .hardware =
                               request->hardware ? request->hardware : lw_hardware_default()};
    memset(out, 0, sizeof *out);
    if (!lw_map_to_layout(request->registers, &walk.layout, err) ||
        (request->result && !lw_map_to_layout(request->result, &walk.result, err)))
        return false;
    walk.rank = walk.layout.out.count;
    if (!indices_of(&walk.layout, walk.dim) ||
        (request->result && !indices_of(&walk.result, walk.result_dim)))
        return lw_walk_refuse(&walk, "its layout has no registers, lanes and warps");
    if (!check(&walk) || !take_apart(&walk))
        return false;
    unsigned lanes = walk.along[LW_WALK_LANE][request->axis],
             warps = walk.along[LW_WALK_WARP][request->axis];
    out->shared = warps > 1;
    out->shuffle_steps = log2_of(lanes) + (request->scan ? 0 : log2_of(warps));
    if (!out->shared)
        return true;
    return request->scan ? lw_walk_scan(&walk) : reduce(&walk);
}
