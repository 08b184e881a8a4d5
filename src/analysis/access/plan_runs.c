/*
 * Plans by runs, for layouts that no rule of the compiler covers, or where a request has by_runs:
 * what a good compiler, or a kernel written by hand, could do. All that it needs of the two maps is
 * a table with the offset of each register of each thread.
 *
 * Registers are sorted by offset. Where they fit all of them, matrix instructions move them; else
 * the widest runs that are consecutive and aligned in every lane and warp, of a power of two
 * elements up to 16 bytes, are one access each.
 *
 * By definition of a matrix instruction, lane l holds 4 bytes of row l / 4 of a matrix of 8 rows of
 * 16 bytes; transposed, two items of 16 bits, of rows 2 (l mod 4) and the next, in column l / 4. A
 * 32-bit register fits when its lanes hold exactly that in every warp; the rows may have any
 * addresses.
 */

#include "analysis/access/plan_parts.h"

#include <stdlib.h>
#include <string.h>

#define INDICES_MAX ((uint64_t)1 << 22)

/* ---- The table of offsets ---- */

/* Finds the offset of the element of a register of a thread. Fails when memory does not have it and,
 * unless the plan is as written, when the register holds nothing. */
static bool find_offset(const struct lw_plan *plan, uint64_t reg, uint64_t thread, uint64_t *offset,
                        struct lw_error *err)
{
    const struct lw_map *registers = plan->request.registers, *memory = plan->request.memory;
    const struct lw_plan_parts *p = plan->parts;
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX], element[LW_DIMS_MAX], index[LW_DIMS_MAX];
    if (p->local >= 0)
        in[p->local] = reg;
    if (p->thread >= 0)
        in[p->thread] = thread;
    if (p->lane >= 0)
        in[p->lane] = thread % p->lanes;
    if (p->warp >= 0)
        in[p->warp] = thread / p->lanes;
    bool held = lw_map_apply(registers, in, out);
    for (int i = 0; held && i < memory->out.count; i++)
        element[i] = out[p->dim[i]];
    if (held && lw_map_owner(memory, element, 0, index)) {
        *offset = index[p->offset];
        return true;
    }
    *offset = LW_RUN_HOLE;
    if (!held && plan->request.stage == LW_PLAN_WRITTEN)
        return true;
    return lw_error_set(err, LW_ERROR_UNSUPPORTED, "register %llu of lane %llu of warp %llu %s",
                        (unsigned long long)reg, (unsigned long long)(thread % p->lanes),
                        (unsigned long long)(thread / p->lanes),
                        held ? "holds an element that has no offset in memory" : "holds nothing");
}

static bool fill_table(struct lw_plan *plan, uint64_t count, struct lw_error *err)
{
    uint64_t threads = plan->parts->threads;
    uint64_t *table = lw_arena_alloc(&plan->arena, count * threads * sizeof *table);
    if (!table)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    plan->parts->table = table;
    for (uint64_t r = 0; r < count; r++)
        for (uint64_t thread = 0; thread < threads; thread++)
            if (!find_offset(plan, r, thread, table++, err))
                return false;
    return true;
}

/* ---- Registers in the order of their offsets ---- */

struct sorted {
    uint64_t offset, hash; /* of the first thread; of all threads */
    uint32_t reg;
    uint64_t either; /* the bitwise or of the offsets of all threads */
    bool follows;    /* follows the one before it, in all threads */
    bool repeats;    /* has its offsets */
};

static int compare(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return a->reg < b->reg ? -1 : a->reg > b->reg;
}

/* Sorts the registers, and drops those that repeat another; returns how many are left. */
static uint64_t sort_registers(const struct lw_plan *plan, struct sorted *sorted, uint64_t count)
{
    uint64_t threads = plan->parts->threads, kept = 0;
    for (uint64_t r = 0; r < count; r++) {
        struct sorted *s = &sorted[r];
        s->reg = (uint32_t)r;
        s->offset = lw_run_offset(plan, r, 0);
        for (uint64_t thread = 0; thread < threads; thread++) {
            s->hash = (s->hash ^ lw_run_offset(plan, r, thread)) * 0x9e3779b97f4a7c15u;
            s->either |= lw_run_offset(plan, r, thread);
        }
    }
    qsort(sorted, count, sizeof *sorted, compare);
    for (uint64_t i = 0; i < count; i++) {
        struct sorted *s = &sorted[i];
        s->follows = s->repeats = i > 0;
        for (uint64_t thread = 0; thread < threads && (s->follows || s->repeats); thread++) {
            uint64_t before = lw_run_offset(plan, sorted[i - 1].reg, thread);
            uint64_t here = lw_run_offset(plan, s->reg, thread);
            s->follows = s->follows && here == before + 1;
            s->repeats = s->repeats && here == before;
        }
    }
    for (uint64_t i = 0; i < count; i++)
        if (!sorted[i].repeats)
            sorted[kept++] = sorted[i];
    return kept;
}

/* ---- Plain accesses ---- */

static uint64_t run_from(const struct sorted *sorted, uint64_t left, unsigned bits)
{
    uint64_t longest = 1, best = 0, max = 128 / bits;
    while (longest < left && longest < max && sorted[longest].follows)
        longest++;
    for (uint64_t run = 1; run <= longest; run *= 2)
        if (run * bits >= 8 && sorted[0].either % run == 0)
            best = run;
    return best;
}

static bool fill_runs(struct lw_plan *plan, const struct sorted *sorted, uint64_t count,
                      struct lw_error *err)
{
    struct lw_plan_parts *parts = plan->parts;
    unsigned bits = plan->request.element_bits;
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

/* ---- As written ---- */

/* Whether every `n` consecutive registers, from a multiple of n on, are consecutive in memory in
 * every thread. */
static bool are_vectors(const struct lw_plan *plan, uint64_t count, uint64_t n)
{
    for (uint64_t reg = 0; reg < count; reg += n)
        for (uint64_t thread = 0; thread < plan->parts->threads; thread++) {
            uint64_t first = lw_run_offset(plan, reg, thread);
            for (uint64_t k = 1; k < n; k++)
                if (lw_run_offset(plan, reg + k, thread) !=
                    (first == LW_RUN_HOLE ? LW_RUN_HOLE : first + k))
                    return false;
        }
    return true;
}

/* Fails on a thread in which a vector is at an address that is not a multiple of its bytes. */
static bool check_aligned(const struct lw_plan *plan, uint64_t reg, uint64_t vector,
                          struct lw_error *err)
{
    const struct lw_plan_parts *p = plan->parts;
    uint64_t bits = plan->request.element_bits;
    for (uint64_t thread = 0; thread < p->threads; thread++) {
        uint64_t offset = lw_run_offset(plan, reg, thread);
        if (offset != LW_RUN_HOLE && offset % vector)
            return lw_error_set(
                err, LW_ERROR_PARAMETER,
                "registers %llu to %llu of lane %llu of warp %llu are a vector of %llu bytes at "
                "byte address %llu, which is not a multiple of %llu: the kernel would fail at run "
                "time (misaligned address)",
                (unsigned long long)reg, (unsigned long long)(reg + vector - 1),
                (unsigned long long)(thread % p->lanes), (unsigned long long)(thread / p->lanes),
                (unsigned long long)(vector * bits / 8), (unsigned long long)(offset * bits / 8),
                (unsigned long long)(vector * bits / 8));
    }
    return true;
}

static bool fill_written(struct lw_plan *plan, uint64_t count, struct lw_error *err)
{
    struct lw_plan_parts *parts = plan->parts;
    unsigned bits = plan->request.element_bits;
    uint64_t vector = plan->request.vector ? plan->request.vector : 1;
    while (!plan->request.vector && 2 * vector * bits <= 128 && count % (2 * vector) == 0 &&
           are_vectors(plan, count, 2 * vector))
        vector *= 2;
    if (vector * bits < 8)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "an element of %u bit%s is less than a byte, and the registers of a "
                            "thread are not neighbours in memory",
                            bits, bits == 1 ? "" : "s");
    for (uint64_t reg = 0; reg < count; reg += vector) {
        if (!check_aligned(plan, reg, vector, err))
            return false;
        parts->code[plan->per_warp++] =
            (struct lw_warp_instruction){.first = (uint32_t)reg, .count = (uint16_t)vector};
        for (uint64_t i = 0; i < vector; i++)
            parts->reg[reg + i] = (uint32_t)(reg + i);
    }
    return plan->per_warp <= LW_PLAN_CODE_MAX ||
           lw_error_set(err, LW_ERROR_LIMIT,
                        "too many instructions in the code of one warp: the limit is 2^16");
}

/* ---- Matrix instructions ---- */

/* Whether every 4 consecutive lanes hold a row, and `reg` is the first element of each lane's 4
 * bytes. */
static bool fits_rows(const struct lw_plan *plan, uint64_t reg, unsigned each)
{
    uint64_t elements = 128 / plan->request.element_bits;
    for (uint64_t thread = 0; thread < plan->parts->threads; thread += 4) {
        uint64_t row = lw_run_offset(plan, reg, thread);
        if (row % elements)
            return false;
        for (unsigned k = 1; k < 4; k++)
            if (lw_run_offset(plan, reg, thread + k) != row + k * each)
                return false;
    }
    return true;
}

/* Whether every 8 lanes with a distance of 4 hold a row. */
static bool fits_columns(const struct lw_plan *plan, uint64_t reg)
{
    for (uint64_t thread = 0; thread < plan->parts->threads; thread++) {
        uint64_t row = lw_run_offset(plan, reg, thread / 32 * 32 + thread % 4);
        if (row % 8 || lw_run_offset(plan, reg, thread) != row + thread % 32 / 4)
            return false;
    }
    return true;
}

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

/* Whether that instruction fits all registers, whose order it sets: a 32-bit register holds
 * neighbours in memory, or, transposed, neighbours in register number. */
static bool fits(const struct lw_plan *plan, enum lw_move_kind move, const struct sorted *sorted,
                 uint64_t count, unsigned each)
{
    uint32_t *registers = plan->parts->reg;
    for (uint64_t i = 0; i < count; i++) {
        registers[i] = sorted[i].reg;
        if (move == LW_MOVE_MATRIX && i % each && !sorted[i].follows)
            return false;
    }
    if (move == LW_MOVE_TRANSPOSED)
        qsort(registers, count, sizeof *registers, by_number);
    for (uint64_t i = 0; i < count; i++)
        if (move == LW_MOVE_TRANSPOSED ? !fits_columns(plan, registers[i])
                                       : i % each == 0 && !fits_rows(plan, registers[i], each))
            return false;
    return true;
}

/* Makes the code of matrix instructions; false when they do not fit. */
static bool fill_matrices(struct lw_plan *plan, const struct sorted *sorted, uint64_t count)
{
    struct lw_plan_parts *parts = plan->parts;
    unsigned bits = plan->request.element_bits, each = bits < 8 || bits > 32 ? 0 : 32 / bits;
    enum lw_move_kind move = LW_MOVE_MATRIX;
    if (!each || count % each || !lw_matrix_known(&plan->request) || parts->lanes != 32 ||
        parts->threads % 32 || count / each > LW_PLAN_CODE_MAX)
        return false;
    if (!fits(plan, move, sorted, count, each)) {
        move = LW_MOVE_TRANSPOSED;
        if (bits != 16 || !fits(plan, move, sorted, count, each))
            return false;
    }
    parts->move = move;
    for (uint64_t at = 0, matrices, words = count / each; at < words; at += matrices) {
        matrices = words - at >= 4 ? 4 : words - at >= 2 ? 2 : 1;
        parts->code[plan->per_warp++] =
            (struct lw_warp_instruction){.first = (uint32_t)(at * each),
                                         .count = (uint16_t)(matrices * each),
                                         .matrices = (uint8_t)matrices};
    }
    return true;
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
    struct sorted *sorted = lw_arena_alloc(&scratch, count * sizeof *sorted);
    p->code = lw_arena_alloc(&plan->arena, count * sizeof *p->code);
    p->reg = lw_arena_alloc(&plan->arena, count * sizeof *p->reg);
    bool good =
        (sorted && p->code && p->reg) || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    good = good && fill_table(plan, count, err);
    if (good && plan->request.stage == LW_PLAN_WRITTEN) {
        good = fill_written(plan, count, err);
    } else if (good) {
        count = sort_registers(plan, sorted, count);
        good = fill_matrices(plan, sorted, count) || fill_runs(plan, sorted, count, err);
    }
    lw_arena_free(&scratch);
    plan->rule = LW_PLAN_RUNS;
    plan->warps = (p->threads - 1) / p->lanes + 1;
    return good && lw_plan_count(plan, err);
}
