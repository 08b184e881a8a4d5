/* What the instructions of a plan by runs access. */

#include "analysis/access/plan_runs.h"

#include <string.h>

static void index_of(const struct lw_plan *plan, uint64_t reg, uint64_t thread, uint64_t *in)
{
    const struct lw_plan_parts *p = plan->parts;
    memset(in, 0, LW_DIMS_MAX * sizeof *in);
    if (p->local >= 0)
        in[p->local] = reg;
    if (p->thread >= 0)
        in[p->thread] = thread;
    if (p->lane >= 0)
        in[p->lane] = thread % p->lanes;
    if (p->warp >= 0)
        in[p->warp] = thread / p->lanes;
}

static bool refuse(const struct lw_plan *plan, uint64_t reg, uint64_t thread, bool held,
                   struct lw_error *err)
{
    const struct lw_plan_parts *p = plan->parts;
    return lw_error_set(err, LW_ERROR_UNSUPPORTED, "register %llu of lane %llu of warp %llu %s",
                        (unsigned long long)reg, (unsigned long long)(thread % p->lanes),
                        (unsigned long long)(thread / p->lanes),
                        held ? "holds an element that has no offset in memory" : "holds nothing");
}

bool lw_run_offset(const struct lw_plan *plan, uint64_t reg, uint64_t thread, uint64_t *offset,
                   struct lw_error *err)
{
    const struct lw_map *registers = plan->request.registers, *memory = plan->request.memory;
    const struct lw_plan_parts *p = plan->parts;
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX], element[LW_DIMS_MAX], index[LW_DIMS_MAX];
    index_of(plan, reg, thread, in);
    if (!lw_map_apply(registers, in, out))
        return refuse(plan, reg, thread, false, err);
    for (int i = 0; i < memory->out.count; i++)
        element[i] = out[p->dim[i]];
    if (!lw_map_owner(memory, element, 0, index))
        return refuse(plan, reg, thread, true, err);
    *offset = index[p->offset];
    return true;
}

uint64_t lw_run_known_offset(const struct lw_plan *plan, uint64_t reg, uint64_t thread)
{
    uint64_t offset = 0;
    lw_run_offset(plan, reg, thread, &offset, NULL);
    return offset;
}

static void matrix_access(const struct lw_plan *plan, const struct lw_warp_instruction *code,
                          uint64_t warp, struct lw_access *access)
{
    const struct lw_plan_parts *parts = plan->parts;
    bool trans = parts->move == LW_MOVE_TRANSPOSED;
    unsigned each = code->count / code->matrices;
    for (unsigned row = 0; row < 8u * code->matrices; row++) {
        const uint32_t *word = &parts->reg[code->first + row / 8 * each];
        uint64_t r = row % 8, thread = warp * 32 + (trans ? r / 2 : r * 4);
        access->address[row] = lw_run_known_offset(plan, word[trans ? r % 2 : 0], thread) *
                               plan->request.element_bits / 8;
    }
    access->matrices = code->matrices;
    access->active = lw_f2_mask(32);
}

void lw_plan_run_access(const struct lw_plan *plan, const struct lw_warp_instruction *code,
                        uint64_t warp, struct lw_access *access)
{
    const struct lw_plan_parts *p = plan->parts;
    uint64_t first = warp * p->lanes;
    if (code->matrices) {
        matrix_access(plan, code, warp, access);
        return;
    }
    for (uint64_t lane = 0; lane < p->lanes && first + lane < p->threads; lane++) {
        uint64_t offset = 0;
        lw_run_offset(plan, p->reg[code->first], first + lane, &offset, NULL);
        access->address[lane] = offset * plan->request.element_bits / 8;
        access->active |= (uint64_t)1 << lane;
    }
}
