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
    bool good = move == LW_MOVE_PLAIN ? lw_plan_lower_plain(plan, err) : lower_matrix(plan, err);
    return good && lw_plan_count(plan, err);
}
