/* The instructions of a plan. Invariant: a plan stores the code of one warp; instruction i is
 * instruction i mod per_warp of warp i div per_warp. */

#include "analysis/access/plan_parts.h"

#include <string.h>

static uint64_t padded(const struct lw_offsets *offsets, uint64_t offset)
{
    return offsets->padded ? lw_map_pad(offsets->padded, offset) : offset;
}

static void plain_access(const struct lw_plan *plan, const struct lw_warp_instruction *code,
                         uint64_t warp, struct lw_access *access)
{
    const struct lw_plan_parts *parts = plan->parts;
    const struct lw_offsets *o = &parts->offsets;
    uint64_t bits = plan->request.element_bits, *offset = access->address;
    offset[0] = code->offset ^ lw_xor_at(o->warp, warp);
    for (int bit = 0; bit < o->lanes; bit++) /* the second half is the first half xor one basis */
        for (uint64_t lane = 0; lane >> bit == 0; lane++)
            offset[lane | (uint64_t)1 << bit] = offset[lane] ^ o->lane[bit];
    for (uint64_t lane = 0; lane >> o->lanes == 0; lane++) {
        access->address[lane] = padded(o, offset[lane]) * bits / 8;
        if (!code->tail || !((warp & parts->tail.warp_mask) || (lane & parts->tail.lane_mask)))
            access->active |= (uint64_t)1 << lane;
    }
}

static void matrix_access(const struct lw_plan *plan, const struct lw_warp_instruction *code,
                          uint64_t warp, struct lw_access *access)
{
    const struct lw_plan_parts *parts = plan->parts;
    uint64_t base = code->offset ^ lw_xor_at(parts->offsets.warp, warp);
    access->matrices = code->matrices;
    access->active = lw_f2_mask(32);
    for (uint64_t row = 0; row < 8u * code->matrices; row++)
        access->address[row] = (base ^ lw_xor_at(parts->row, row)) * plan->request.element_bits / 8;
}

/* ---- By runs ---- */

uint64_t lw_run_offset(const struct lw_plan *plan, uint64_t reg, uint64_t thread)
{
    return plan->parts->table[reg * plan->parts->threads + thread];
}

static void run_access(const struct lw_plan *plan, const struct lw_warp_instruction *code,
                       uint64_t warp, struct lw_access *access)
{
    const struct lw_plan_parts *p = plan->parts;
    uint64_t first = warp * p->lanes, bits = plan->request.element_bits;
    bool trans = p->move == LW_MOVE_TRANSPOSED;
    access->matrices = code->matrices;
    for (unsigned row = 0; row < 8u * code->matrices; row++) {
        const uint32_t *word = &p->reg[code->first + row / 8 * (code->count / code->matrices)];
        uint64_t r = row % 8, thread = first + (trans ? r / 2 : r * 4);
        access->address[row] = lw_run_offset(plan, word[trans ? r % 2 : 0], thread) * bits / 8;
    }
    for (uint64_t lane = 0; lane < p->lanes && first + lane < p->threads; lane++) {
        uint64_t offset = lw_run_offset(plan, p->reg[code->first], first + lane);
        if (offset == LW_RUN_HOLE)
            continue;
        access->active |= (uint64_t)1 << lane;
        if (!code->matrices)
            access->address[lane] = offset * bits / 8;
    }
}

/* ---- All of them ---- */

const char *lw_plan_opcode(const struct lw_plan *plan, uint64_t i)
{
    return plan->opcodes[plan->parts->code[i % plan->per_warp].opcode].name;
}

void lw_plan_instruction(const struct lw_plan *plan, uint64_t i, struct lw_instruction *out)
{
    const struct lw_plan_parts *parts = plan->parts;
    const struct lw_warp_instruction *code = &parts->code[i % plan->per_warp];
    bool store = plan->request.op == LW_ACCESS_STORE;
    memset(out, 0, sizeof *out);
    out->warp = i / plan->per_warp;
    out->access.op = plan->request.op;
    out->register_count = code->count;
    for (unsigned k = 0; k < code->count; k++)
        out->registers[k] = parts->reg[code->first + k];
    out->access.width = (unsigned)code->count * plan->request.element_bits / 8;
    if (code->matrices) {
        out->transposed = parts->move == LW_MOVE_TRANSPOSED;
        out->access.op = store ? LW_ACCESS_STMATRIX : LW_ACCESS_LDMATRIX;
        out->access.width = 16;
    }
    if (plan->rule == LW_PLAN_RUNS)
        run_access(plan, code, out->warp, &out->access);
    else if (code->matrices)
        matrix_access(plan, code, out->warp, &out->access);
    else
        plain_access(plan, code, out->warp, &out->access);
}
