/*
 * Plans of maps that are not linear: sizes that are not powers of two, tables, strides.
 *
 * No rule of a compiler is known for them, so the plan is what a good compiler could do. Registers are sorted by
 * offset. The widest runs that are consecutive and aligned in every lane and warp, of a power of two elements up to 16
 * bytes, become one access each. It works with any map: only lw_map_apply and lw_map_owner are called.
 */

#include "analysis/access/plan_runs.h"

#include <stdlib.h>
#include <string.h>

#define INDICES_MAX ((uint64_t)1 << 22)

/* ---- Registers in the order of their offsets ---- */

static int compare(const void *left, const void *right)
{
    const struct lw_run_register *a = left, *b = right;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return a->reg < b->reg ? -1 : a->reg > b->reg;
}

static bool sort_registers(const struct lw_plan *plan, struct lw_run_register *sorted,
                           uint64_t count, struct lw_error *err)
{
    for (uint64_t r = 0; r < count; r++) {
        struct lw_run_register *s = &sorted[r];
        s->reg = (uint32_t)r;
        s->follows = s->repeats = true;
        for (uint64_t thread = 0; thread < plan->parts->threads; thread++) {
            uint64_t offset;
            if (!lw_run_offset(plan, r, thread, &offset, err))
                return false;
            s->offset = thread ? s->offset : offset;
            s->hash = (s->hash ^ offset) * 0x9e3779b97f4a7c15u;
            s->either |= offset;
        }
    }
    qsort(sorted, count, sizeof *sorted, compare);
    return true;
}

/* Sets whether each register follows, or repeats, the one before it in every thread. */
static void compare_neighbours(const struct lw_plan *plan, struct lw_run_register *sorted,
                               uint64_t count)
{
    sorted[0].follows = sorted[0].repeats = false;
    for (uint64_t i = 1; i < count; i++)
        for (uint64_t thread = 0; thread < plan->parts->threads; thread++) {
            struct lw_run_register *s = &sorted[i];
            uint64_t before = 0, here = 0;
            if (!s->follows && !s->repeats)
                break;
            lw_run_offset(plan, sorted[i - 1].reg, thread, &before, NULL);
            lw_run_offset(plan, s->reg, thread, &here, NULL);
            s->follows = s->follows && here == before + 1;
            s->repeats = s->repeats && here == before;
        }
}

static uint64_t drop_repeated(struct lw_run_register *sorted, uint64_t count)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; i++)
        if (!sorted[i].repeats)
            sorted[kept++] = sorted[i];
    return kept;
}

/* ---- Runs ---- */

static uint64_t run_from(const struct lw_run_register *sorted, uint64_t left, unsigned bits)
{
    uint64_t longest = 1, best = 0, max = 128 / bits;
    while (longest < left && longest < max && sorted[longest].follows)
        longest++;
    for (uint64_t run = 1; run <= longest; run *= 2)
        if (run * bits >= 8 && sorted[0].either % run == 0)
            best = run;
    return best;
}

static bool fill_code(struct lw_plan *plan, const struct lw_run_register *sorted, uint64_t count,
                      struct lw_error *err)
{
    struct lw_plan_parts *parts = plan->parts;
    unsigned bits = plan->request.element_bits;
    parts->code = lw_arena_alloc(&plan->arena, count * sizeof *parts->code);
    parts->reg = lw_arena_alloc(&plan->arena, count * sizeof *parts->reg);
    if (!parts->code || !parts->reg)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (uint64_t at = 0, run; at < count; at += run) {
        run = run_from(sorted + at, count - at, bits);
        if (!run)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "register %u: an element of %u bit%s is less than a byte, and its "
                                "neighbours in memory are in other threads",
                                sorted[at].reg, bits, bits == 1 ? "" : "s");
        parts->code[plan->per_warp++] =
            (struct lw_warp_instruction){.first = (uint32_t)at, .count = (uint16_t)run};
        for (uint64_t i = 0; i < run; i++)
            parts->reg[at + i] = sorted[at + i].reg;
    }
    return plan->per_warp <= LW_PLAN_CODE_MAX ||
           lw_error_set(err, LW_ERROR_LIMIT,
                        "too many instructions in the code of one warp: the limit is 2^16");
}

/* ---- All of it ---- */

static bool one_block(const struct lw_map *map, int offset, struct lw_error *err)
{
    static const char *const known[] = {"register", "lane", "warp", "local", "thread"};
    for (int i = 0; i < map->in.count; i++) {
        bool found = map->in.dim[i].size == 1 || i == offset;
        for (size_t k = 0; k < sizeof known / sizeof *known && offset < 0; k++)
            found = found || !strcmp(map->in.dim[i].name, known[k]);
        if (!found)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "these layouts are not linear: a plan cannot have a dim '%s'",
                                map->in.dim[i].name);
    }
    return true;
}

static bool find_dims(struct lw_plan *plan, struct lw_error *err)
{
    const struct lw_map *registers = plan->request.registers, *memory = plan->request.memory;
    const struct lw_dims *in = &registers->in;
    struct lw_plan_parts *p = plan->parts;
    uint64_t lanes = plan->request.hardware->lanes;
    p->local =
        lw_dims_find(in, "local") < 0 ? lw_dims_find(in, "register") : lw_dims_find(in, "local");
    p->lane = lw_dims_find(in, "lane");
    p->warp = lw_dims_find(in, "warp");
    p->thread = lw_dims_find(in, "thread");
    p->offset = lw_memory_dim(memory);
    for (int i = 0; i < memory->out.count; i++)
        p->dim[i] = lw_dims_find(&registers->out, memory->out.dim[i].name);
    if (!one_block(registers, -1, err) || !one_block(memory, p->offset, err))
        return false;
    p->threads = lw_dims_size(in, "thread");
    p->lanes = p->threads < lanes ? p->threads : lanes;
    if (p->thread < 0) {
        p->lanes = lw_dims_size(in, "lane");
        p->threads = p->lanes * lw_dims_size(in, "warp");
    }
    return lw_plan_check_lanes(p->lanes, plan->request.hardware, err);
}

bool lw_plan_runs(struct lw_plan *plan, struct lw_error *err)
{
    struct lw_plan_parts *p = plan->parts;
    if (!find_dims(plan, err))
        return false;
    uint64_t count = p->local < 0 ? 1 : plan->request.registers->in.dim[p->local].size;
    if (count > INDICES_MAX || p->threads > INDICES_MAX || count * p->threads > INDICES_MAX)
        return lw_error_set(
            err, LW_ERROR_LIMIT,
            "too many hardware indices for layouts that are not linear: the limit is 2^22");
    struct lw_arena scratch = {0};
    struct lw_run_register *sorted = lw_arena_alloc(&scratch, count * sizeof *sorted);
    bool good = sorted || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (good && (good = sort_registers(plan, sorted, count, err))) {
        compare_neighbours(plan, sorted, count);
        count = drop_repeated(sorted, count);
        good = lw_run_matrices(plan, sorted, count) || fill_code(plan, sorted, count, err);
    }
    lw_arena_free(&scratch);
    plan->rule = LW_PLAN_RUNS;
    plan->warps = (p->threads - 1) / p->lanes + 1;
    return good && lw_plan_count(plan, err);
}
