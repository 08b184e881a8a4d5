/*
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

#include "analysis/access/plan_parts.h"

#include <stdlib.h>

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

bool lw_plan_lower_plain(struct lw_plan *plan, struct lw_error *err)
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
