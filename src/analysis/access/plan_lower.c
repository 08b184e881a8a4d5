/*
 * Which instruction is chosen, and what matrix instructions address.
 *
 * A matrix instruction moves 8x8 matrices of 16-bit items with rows of 16 bytes: four lanes hold
 * a row, eight rows are a matrix. So the offsets of the first registers and of lanes 1 and 2 must
 * cover a row, and no other offset may have a bit within a row. Transposed, lanes 4, 8 and 16
 * cover it.
 *
 * Source: Triton's lowerLdStMatrix (releases 3.6 and 3.7), checked against compiled kernels.
 */

#include "analysis/access/plan_parts.h"

#include <stdlib.h>
#include <string.h>

static bool has(const uint64_t *bases, int count, uint64_t basis)
{
    for (int i = 0; i < count; i++)
        if (bases[i] == basis)
            return true;
    return false;
}

static bool low_bits(const uint64_t *bases, int count, uint64_t low)
{
    for (int i = 0; i < count; i++)
        if (bases[i] & low)
            return true;
    return false;
}

/* The positions of the registers other than those that cover a row from its start. */
static int rest_of(const struct lw_offsets *offsets, int tile_bits, int *rest)
{
    uint64_t found = 0;
    int count = 0;
    for (int i = 0; i < offsets->registers; i++) {
        int bit = lw_log2(offsets->reg[i]);
        if (bit >= 0 && bit < tile_bits && !(found >> bit & 1))
            found |= (uint64_t)1 << bit;
        else
            rest[count++] = i;
    }
    return found == lw_f2_mask(tile_bits) ? count : -1;
}

static bool fit_rows(const struct lw_offsets *o, int n)
{
    uint64_t low = ((uint64_t)4 << n) - 1;
    int rest[LW_BITS_MAX], count = rest_of(o, n, rest);
    if (count < 0 || o->lane[0] != (uint64_t)1 << n || o->lane[1] != (uint64_t)2 << n)
        return false;
    for (int i = 0; i < count; i++)
        if (o->reg[rest[i]] & low)
            return false;
    return !low_bits(o->lane + 2, 3, low) && !low_bits(o->warp, o->warps, low);
}

static bool fit_columns(const struct lw_offsets *o)
{
    return o->registers > 0 && o->lane[2] == 1 && o->lane[3] == 2 && o->lane[4] == 4 &&
           !low_bits(o->reg, o->registers, 7) && !low_bits(o->lane, 2, 7) &&
           !low_bits(o->warp, o->warps, 7);
}

bool lw_offsets_fit(const struct lw_offsets *offsets, unsigned bits, enum lw_move_kind move)
{
    if (move == LW_MOVE_PLAIN)
        return true;
    if (offsets->padded || offsets->lanes != 5 || bits < 8 || bits > 32)
        return false;
    return move == LW_MOVE_MATRIX ? fit_rows(offsets, lw_log2(32 / bits))
                                  : bits == 16 && fit_columns(offsets);
}

/* Whether 16 x 16 matrices of bytes fit, which sm100 and later can transpose. Their cost is unknown. */
static bool fit_bytes(const struct lw_offsets *o, bool store)
{
    if (o->padded || o->lanes != 5 || o->registers < (store ? 2 : 3) || o->lane[2] != 1 ||
        o->lane[3] != 2 || o->lane[4] != 4 || !has(o->reg, o->registers, 8))
        return false;
    int eights = 0;
    for (int i = 0; i < o->registers; i++) {
        eights += o->reg[i] == 8;
        if (o->reg[i] != 8 && (o->reg[i] & 15))
            return false;
    }
    return eights == 1 && !low_bits(o->lane, 2, 15) && !low_bits(o->warp, o->warps, 15);
}

bool lw_matrix_known(const struct lw_plan_request *request)
{
    const struct lw_bank_model *banks = request->hardware->banks;
    return !request->plain_only &&
           (request->op == LW_ACCESS_STORE ? banks->stmatrix : banks->ldmatrix);
}

bool lw_offsets_choose(const struct lw_offsets *offsets, const struct lw_plan_request *request,
                       enum lw_move_kind *move, struct lw_error *err)
{
    bool store = request->op == LW_ACCESS_STORE;
    unsigned sm, bits = request->element_bits;
    *move = LW_MOVE_PLAIN;
    if (!lw_matrix_known(request))
        return true;
    if (lw_offsets_fit(offsets, bits, LW_MOVE_MATRIX))
        *move = LW_MOVE_MATRIX;
    else if (lw_offsets_fit(offsets, bits, LW_MOVE_TRANSPOSED))
        *move = LW_MOVE_TRANSPOSED;
    else if (lw_hardware_sm(request->hardware, &sm) && sm >= 100 && bits == 8 &&
             fit_bytes(offsets, store))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "%s uses %s.m16n16.trans.b8 here, and its wavefronts are unknown",
                            request->hardware->name, store ? "stmatrix" : "ldmatrix");
    return true;
}

/* ---- Matrices ---- */

/* The positions of registers in the order of an instruction: those within a 32-bit register,
 * those that select a matrix, the rest. */
static void order_registers(const struct lw_offsets *o, enum lw_move_kind move, int n, int *order)
{
    int inner = move == LW_MOVE_MATRIX ? n : 1, count = 0;
    if (move == LW_MOVE_TRANSPOSED) {
        for (int i = 0; i < o->registers; i++)
            order[i] = i;
        return;
    }
    for (int bit = 0; bit < n; bit++)
        for (int i = 0; i < o->registers; i++)
            if (o->reg[i] == (uint64_t)1 << bit)
                order[count++] = i;
    rest_of(o, inner, order + count);
}

/* The register with these positions set. */
static uint32_t registers_at(const struct lw_offsets *o, const int *order, uint64_t index)
{
    uint64_t number = o->reg_base;
    for (; index; index &= index - 1)
        number |= (uint64_t)1 << o->reg_bit[order[__builtin_ctzll(index)]];
    return (uint32_t)number;
}

static bool lower_matrix(struct lw_plan *plan, struct lw_error *err)
{
    struct lw_plan_parts *parts = plan->parts;
    const struct lw_offsets *o = &parts->offsets;
    bool trans = parts->move == LW_MOVE_TRANSPOSED;
    int order[LW_BITS_MAX], inner = trans ? 1 : lw_log2(32 / plan->request.element_bits);
    order_registers(o, parts->move, inner, order);
    int outer = o->registers - inner < 2 ? o->registers - inner : 2, taken = inner + outer;
    uint64_t rest[LW_BITS_MAX];
    for (int i = taken; i < o->registers; i++)
        rest[i - taken] = o->reg[order[i]];
    const uint64_t rows[3] = {trans ? o->reg[0] : o->lane[2], o->lane[trans ? 0 : 3],
                              o->lane[trans ? 1 : 4]};
    memcpy(parts->row, rows, sizeof rows);
    for (int i = 0; i < outer; i++)
        parts->row[3 + i] = o->reg[order[inner + i]];
    uint32_t each = 1u << taken;
    plan->per_warp = (uint64_t)1 << (o->registers - taken);
    if (plan->per_warp > LW_PLAN_CODE_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "too many instructions in the code of one warp: the limit is 2^16");
    parts->code = lw_arena_alloc(&plan->arena, plan->per_warp * sizeof *parts->code);
    parts->reg = lw_arena_alloc(&plan->arena, plan->per_warp * each * sizeof *parts->reg);
    if (!parts->code || !parts->reg)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (uint32_t i = 0; i < plan->per_warp; i++) {
        parts->code[i] = (struct lw_warp_instruction){.offset = lw_xor_at(rest, i),
                                                      .first = i * each,
                                                      .count = (uint16_t)each,
                                                      .matrices = (uint8_t)(1u << outer)};
        for (uint32_t k = 0; k < each; k++)
            parts->reg[i * each + k] = registers_at(o, order, (uint64_t)i << taken | k);
    }
    return true;
}

/* ---- Plain accesses ----
 *
 * Plain accesses: Triton's vectors, and how the back end merges them.
 *
 * Triton moves v elements at once when offsets 1, 2, ..., v/2 are those of registers and no other
 * bit of register, lane or warp has an offset bit below v. The address of an access is that of
 * its lane and warp, xored with one constant, plus another constant: the added part has only bits
 * that no lane or warp moves. The back end merges accesses that have the same xored part and
 * neighbouring added parts: all of them in 3.9; in 3.7 and 3.8 loads only; in 3.6 those below the
 * first interval of a padding only.
 *
 * A plan as written has these vectors with the registers in their order, and merges nothing.
 *
 * Source: Triton's largestVectorisation and actionAdditiveStrides, LLVM's load-store vectorizer,
 * checked against kernels that 3.6, 3.7, 3.8 and 3.9 compiled.
 */

/* One of Triton's accesses. */
struct access {
    uint64_t offset;
    uint32_t group;     /* accesses with the same xored part */
    uint32_t registers; /* the register's number without the bits within the vector */
    uint16_t start;     /* the first element of the vector that it moves */
    bool alone;         /* beyond the first interval of a padding: not merged before Triton 3.7 */
    uint64_t pad;       /* what padding adds to the added part of its address */
};

/* Registers whose bits are set together, and what they add to the offset. */
struct sum {
    uint64_t offset, registers;
};

struct lowering {
    const struct lw_offsets *offsets;
    unsigned bits;
    bool merges;
    bool merges_all;        /* accesses beyond the first interval of a padding are merged too */
    uint64_t interval;      /* the smallest; 0: no padding */
    int vector;             /* log2 of elements */
    int inner[LW_BITS_MAX]; /* positions of the registers of a vector */
    struct sum plus[LW_BITS_MAX], xors[LW_BITS_MAX]; /* of the added and of the xored part */
    int pluses, xor_count;
    unsigned step;  /* elements of an access */
    uint64_t count; /* accesses */
    struct access *access;
};

static uint64_t moved_by_threads(const struct lw_offsets *o)
{
    uint64_t moved = 0;
    for (int i = 0; i < o->lanes; i++)
        moved |= o->lane[i];
    for (int i = 0; i < o->warps; i++)
        moved |= o->warp[i];
    return moved;
}

/* The position of the register whose offset is 1 << bit, -1: none. Without reordering only
 * position `bit` qualifies. */
static int inner_register(const struct lw_offsets *o, int bit, bool reorder)
{
    for (int i = reorder ? 0 : bit; i < (reorder ? o->registers : bit + 1); i++)
        if (i < o->registers && o->reg[i] == (uint64_t)1 << bit)
            return i;
    return -1;
}

static bool can_move(const struct lw_offsets *o, int vector, bool reorder, int *inner)
{
    uint64_t low = lw_f2_mask(vector), taken = 0;
    for (int bit = 0; bit < vector; bit++) {
        inner[bit] = inner_register(o, bit, reorder);
        if (inner[bit] < 0)
            return false;
        taken |= (uint64_t)1 << inner[bit];
    }
    for (int i = 0; i < o->registers; i++)
        if (!(taken >> i & 1) && (o->reg[i] & low))
            return false;
    return !(moved_by_threads(o) & low);
}

/* The smallest interval of the padding; 0: there is none. */
static uint64_t interval_of(const struct lw_offsets *o)
{
    uint64_t least = 0;
    for (int i = 0; o->padded && i < o->padded->as.padded.count; i++) {
        uint64_t interval = o->padded->as.padded.padding[i].interval;
        least = least && least < interval ? least : interval;
    }
    return least;
}

int lw_offsets_vector(const struct lw_offsets *offsets, unsigned bits, int *inner)
{
    uint64_t interval = interval_of(offsets);
    int vector = lw_log2(interval ? interval : 128 / bits);
    while (vector > 0 && !can_move(offsets, vector, !interval && !offsets->in_order, inner))
        vector--;
    return vector;
}

static bool is_threads(const struct lw_offsets *o, uint64_t offset)
{
    for (int i = 0; i < o->lanes; i++)
        if (o->lane[i] == offset)
            return true;
    for (int i = 0; i < o->warps; i++)
        if (o->warp[i] == offset)
            return true;
    return false;
}

static uint64_t highest(uint64_t v)
{
    return v ? (uint64_t)1 << (63 - __builtin_clzll(v)) : 0;
}

/* Adds *by to *sum when the offset of *sum has the highest bit of that of *by, `lead`. */
static void reduce(struct sum *sum, const struct sum *by, uint64_t lead)
{
    if (sum->offset & lead) {
        sum->offset ^= by->offset;
        sum->registers ^= by->registers;
    }
}

/* Inserts a sum in echelon form: no offset has the highest bit of another one, so that their combinations, numbered by
 * index, are in the order of the offsets. */
static void insert(struct sum *sums, int count, struct sum sum)
{
    int at = count;
    for (int i = 0; i < count; i++)
        reduce(&sum, &sums[i], highest(sums[i].offset));
    for (; at > 0 && sums[at - 1].offset > sum.offset; at--)
        sums[at] = sums[at - 1];
    for (int i = at + 1; i <= count; i++)
        reduce(&sums[i], &sum, highest(sum.offset));
    sums[at] = sum;
}

static void split_registers(struct lowering *l)
{
    const struct lw_offsets *o = l->offsets;
    uint64_t moved = moved_by_threads(o), inner = 0;
    for (int bit = 0; bit < l->vector; bit++)
        inner |= (uint64_t)1 << l->inner[bit];
    for (int i = 0; i < o->registers; i++) {
        struct sum own = {o->reg[i], (uint64_t)1 << o->reg_bit[i]};
        bool added = !(own.offset & moved) || is_threads(o, own.offset);
        if (inner >> i & 1)
            continue;
        if (!added)
            l->xors[l->xor_count++] = own;
        else if (l->merges)
            insert(l->plus, l->pluses++, own);
        else
            l->plus[l->pluses++] = own;
    }
}

/* The padding before an offset. */
static uint64_t padding_at(const struct lw_offsets *o, uint64_t offset)
{
    uint64_t sum = 0;
    for (int i = 0; o->padded && i < o->padded->as.padded.count; i++) {
        const struct lw_padding *padding = &o->padded->as.padded.padding[i];
        sum += offset / padding->interval * padding->size;
    }
    return sum;
}

/* The sum of those whose bits are set in `index`; *registers gets its registers. */
static uint64_t pick(const struct sum *sums, uint64_t index, uint64_t *registers)
{
    uint64_t offset = 0;
    for (; index; index &= index - 1) {
        const struct sum *sum = &sums[__builtin_ctzll(index)];
        offset ^= sum->offset;
        *registers ^= sum->registers;
    }
    return offset;
}

/* The added part that makes the offset least, for an xored part that has some of its bits. */
static uint64_t least_plus(const struct lowering *l, uint64_t xored)
{
    uint64_t least = 0;
    for (int i = 0; i < l->pluses; i++)
        least |= (uint64_t)((xored & highest(l->plus[i].offset)) != 0) << i;
    return least;
}

/* Lists the accesses. They are in sorted order, unless registers repeat each other or some accesses are not merged
 * because of a padding. */
static void fill_accesses(struct lowering *l)
{
    const struct lw_offsets *o = l->offsets;
    struct access *next = l->access;
    for (uint64_t i = 0; i >> l->xor_count == 0; i++) {
        uint64_t of_xors = o->reg_base, xored = pick(l->xors, i, &of_xors);
        uint64_t first = l->merges ? least_plus(l, xored) : 0;
        for (uint64_t j = 0; j >> l->pluses == 0; j++) {
            uint64_t registers = of_xors, plus = pick(l->plus, j ^ first, &registers);
            uint64_t offset = xored ^ plus;
            for (unsigned start = 0; start >> l->vector == 0; start += l->step)
                *next++ =
                    (struct access){offset + start,
                                    (uint32_t)i,
                                    (uint32_t)registers,
                                    (uint16_t)start,
                                    !l->merges_all && l->interval && plus + start >= l->interval,
                                    padding_at(o, plus + start)};
        }
    }
}

/* ---- Merging ---- */

static int compare(const void *left, const void *right)
{
    const struct access *a = left, *b = right;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->alone != b->alone)
        return a->alone ? 1 : -1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->registers < b->registers ? -1 : a->registers > b->registers;
}

/* Sorts the accesses, which mostly are in order already. */
static void sort(struct lowering *l)
{
    uint64_t at = 1;
    while (at < l->count && compare(&l->access[at - 1], &l->access[at]) <= 0)
        at++;
    if (at < l->count)
        qsort(l->access, l->count, sizeof *l->access, compare);
}

/* The greatest power of two that divides the addresses of a group, in elements, without the added
 * part. Padding adds (offset / interval) * size. */
static uint64_t alignment_of(const struct lowering *l, uint32_t group)
{
    const struct lw_offsets *o = l->offsets;
    uint64_t all = moved_by_threads(o), ignored = 0;
    uint64_t either = all | pick(l->xors, group, &ignored);
    for (int i = 0; o->padded && i < o->padded->as.padded.count; i++) {
        const struct lw_padding *padding = &o->padded->as.padded.padding[i];
        uint64_t times = either / padding->interval;
        all |= (times & (~times + 1)) * padding->size;
    }
    return all ? all & (~all + 1) : (uint64_t)1 << 20;
}

/* How many accesses from `at` on are merged: the longest aligned run of a power of two elements
 * up to 16 bytes. `alignment`: that of its group. */
static uint64_t run_from(const struct lowering *l, uint64_t at, uint64_t alignment)
{
    const struct access *first = &l->access[at];
    uint64_t elements = l->step, max = 128 / l->bits, best = 1;
    for (uint64_t i = at + 1; l->merges && !first->alone && i < l->count; i++) {
        const struct access *next = &l->access[i];
        if (next->group != first->group || next->alone || next->pad != first->pad ||
            next->offset != first->offset + elements)
            break;
        elements += l->step;
        if (elements > max)
            break;
        if (lw_log2(elements) >= 0 && (first->offset + first->pad) % elements == 0 &&
            alignment >= elements)
            best = i - at + 1;
    }
    return best;
}

static uint32_t *put_registers(const struct lowering *l, const struct access *access, uint32_t *to)
{
    for (unsigned k = 0; k < l->step; k++) {
        uint64_t element = access->start + k, number = access->registers;
        for (; element; element &= element - 1)
            number |= (uint64_t)1 << l->offsets->reg_bit[l->inner[__builtin_ctzll(element)]];
        *to++ = (uint32_t)number;
    }
    return to;
}

static void fill_code(struct lw_plan *plan, const struct lowering *l)
{
    struct lw_plan_parts *parts = plan->parts;
    struct lw_warp_instruction *code = parts->code;
    uint32_t *reg = parts->reg;
    bool load = plan->request.op == LW_ACCESS_LOAD;
    uint64_t alignment = 0;
    for (uint64_t at = 0, run; at < l->count; at += run, code++) {
        if (l->merges && (at == 0 || l->access[at].group != l->access[at - 1].group))
            alignment = alignment_of(l, l->access[at].group);
        run = run_from(l, at, alignment);
        code->offset = l->access[at].offset;
        code->first = (uint32_t)(reg - parts->reg);
        code->count = (uint16_t)(run * l->step);
        for (uint64_t i = 0; i < run; i++)
            reg = put_registers(l, &l->access[at + i], reg);
        code->tail = load && parts->tail.any &&
                     lw_tail_has(&parts->tail, parts->reg + code->first, code->count);
    }
    plan->per_warp = (uint64_t)(code - parts->code);
}

/* ---- All of it ---- */

static void choose_vector(struct lowering *l)
{
    unsigned max = 128 / l->bits;
    l->interval = interval_of(l->offsets);
    l->vector = lw_offsets_vector(l->offsets, l->bits, l->inner);
    l->step = l->vector < 8 && 1u << l->vector < max ? 1u << l->vector : max;
    split_registers(l);
    l->count = ((uint64_t)1 << l->offsets->registers) / l->step;
}

/* The back end of Triton 3.7 and 3.8 merges no stores. */
static bool merges(const struct lw_plan_request *request)
{
    bool store = request->op == LW_ACCESS_STORE;
    return request->stage == LW_PLAN_COMPILED &&
           (!store || !lw_triton_since(request->triton, LW_TRITON_3_7) ||
            lw_triton_since(request->triton, LW_TRITON_3_9));
}

static bool lower_plain(struct lw_plan *plan, struct lw_error *err)
{
    struct lw_plan_parts *parts = plan->parts;
    struct lowering l = {.offsets = &parts->offsets,
                         .bits = plan->request.element_bits,
                         .merges = merges(&plan->request),
                         .merges_all = lw_triton_since(plan->request.triton, LW_TRITON_3_7)};
    uint64_t registers = (uint64_t)1 << parts->offsets.registers;
    if (parts->offsets.registers < 20)
        choose_vector(&l);
    if (parts->offsets.registers >= 20 || l.count > LW_PLAN_CODE_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "too many instructions in the code of one warp: the limit is 2^16");
    struct lw_arena scratch = {0};
    l.access = lw_arena_alloc(&scratch, l.count * sizeof *l.access);
    parts->code = lw_arena_alloc(&plan->arena, l.count * sizeof *parts->code);
    parts->reg = lw_arena_alloc(&plan->arena, registers * sizeof *parts->reg);
    bool good = l.access && parts->code && parts->reg;
    if (good) {
        fill_accesses(&l);
        if (l.merges)
            sort(&l);
        fill_code(plan, &l);
    }
    lw_arena_free(&scratch);
    return good || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

bool lw_plan_lower(struct lw_plan *plan, const struct lw_offsets *offsets, enum lw_move_kind move,
                   const struct lw_tail *tail, struct lw_error *err)
{
    if (!plan->parts)
        plan->parts = lw_arena_alloc(&plan->arena, sizeof *plan->parts);
    if (!plan->parts)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    plan->parts->offsets = *offsets;
    plan->parts->move = move;
    if (tail)
        plan->parts->tail = *tail;
    plan->rule = offsets->padded ? LW_PLAN_PADDED : LW_PLAN_LINEAR;
    plan->warps = (uint64_t)1 << offsets->warps;
    bool good = move == LW_MOVE_PLAIN ? lower_plain(plan, err) : lower_matrix(plan, err);
    return good && lw_plan_count(plan, err);
}
