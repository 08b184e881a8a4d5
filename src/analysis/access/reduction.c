/*
 * What warps exchange in a reduction, access by access.
 *
 * Addresses are numbers of elements of a scratch tensor in shared memory. It has the shape of the
 * input, but along the axis one element for each warp that shares it; the axis is the fastest
 * dim.
 */

#include "analysis/access/reduction.h"

#include "analysis/access/plan_parts.h"
#include "analysis/access/reduction_parts.h"

#include <stdlib.h>
#include <string.h>

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

/* The first register of each index along the other dims; registers along the axis are summed into it. */
static uint64_t *first_registers(const struct lw_walk *walk, uint64_t *count)
{
    uint64_t total = lw_walk_size(walk, LW_WALK_REG), index[LW_DIMS_MAX];
    uint64_t *seen = calloc(total, sizeof *seen), *first = calloc(total, sizeof *first);
    uint64_t shape[LW_DIMS_MAX];
    *count = 0;
    for (int d = 0; d < walk->rank; d++)
        shape[d] = walk->layout.out.dim[d].size;
    for (uint64_t reg = 0; seen && first && reg < total; reg++) {
        lw_walk_index(&walk->layout, walk->dim, reg, 0, 0, index);
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

/* Each warp stores its partial sums; of the lanes along the axis only the first one does. */
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
                lw_walk_index(&walk->layout, walk->dim, regs[i], lane, warp, index);
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

/* The threads of the block load the partial sums in order, add up those of one index, and store
 * the sum. */
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
    lw_walk_index(&walk->result, walk->result_dim, reg, lane, warp, index);
    for (int d = 0, r = 0; d < walk->rank; d++)
        whole[d] = d == walk->request->axis ? 0 : index[r++] % scratch->shape[d];
    return lw_walk_linear(whole, scratch->shape, scratch->order, walk->rank);
}

/* Loads one register of the result in all threads. When a result is only stored, threads that hold copies skip the
 * loads that only the last store needs. */
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

/* Which threads store a result; a single number is stored by the first one. */
static void make_tail(const struct lw_walk *walk, struct lw_tail *tail)
{
    memset(tail, 0, sizeof *tail);
    if (walk->request->to_global && walk->request->result)
        lw_tail_make(tail, &walk->result, walk->request->element_bits[0]);
    else if (walk->request->to_global)
        *tail = (struct lw_tail){
            .lane_mask = UINT64_MAX, .warp_mask = UINT64_MAX, .any = true, .word = 1};
}

/* Each thread loads each of its results once. */
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
    if (!lw_walk_open(&walk))
        return false;
    unsigned lanes = walk.along[LW_WALK_LANE][request->axis],
             warps = walk.along[LW_WALK_WARP][request->axis];
    out->shared = warps > 1;
    out->shuffle_steps = log2_of(lanes) + (request->scan ? 0 : log2_of(warps));
    if (!out->shared)
        return true;
    return request->scan ? lw_walk_scan(&walk) : reduce(&walk);
}
