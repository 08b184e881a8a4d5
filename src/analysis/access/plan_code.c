/*
 * The code of a warp, the instructions of a plan, and what they cost over all warps.
 *
 * Where offsets are linear, two accesses of one kind differ by a xor with a constant. That permutes the banks and
 * changes no cost, so one access of each kind is simulated. Padding adds the same number to all lanes for the bits
 * that no lane moves. A number that is a multiple of 16 bytes rotates the banks and changes no cost either, so one
 * access is simulated for each remainder by 16 bytes and for each value of the bits that lanes move. With maps that
 * are not linear every access of every warp is simulated.
 */

#include "analysis/access/plan_parts.h"

#include "analysis/access/path.h"
#include "core/subspace.h"

#include <string.h>

/* ---- The code of one warp ---- */

bool lw_plan_check_lanes(uint64_t lanes, const struct lw_hardware *hardware, struct lw_error *err)
{
    return lanes <= hardware->lanes ||
           lw_error_set(err, LW_ERROR_PARAMETER,
                        "the layout has %llu lanes per warp, but %s has %u: choose another target",
                        (unsigned long long)lanes, hardware->name, hardware->lanes);
}

int lw_memory_dim(const struct lw_map *memory)
{
    int dim = lw_dims_find(&memory->in, "offset");
    return dim < 0 && memory->in.count == 1 ? 0 : dim;
}

/* The registers within 32 bits of a matrix, as a power of two. */
int lw_matrix_inner_bits(unsigned bits, enum lw_move_kind move)
{
    return move == LW_MOVE_TRANSPOSED ? 1 : lw_log2(32 / bits);
}

/* Whether the tail has a load: each 32-bit register of it must be a register of the store. A value that is packed from
 * two loads is not predicated. */
bool lw_tail_has(const struct lw_tail *tail, const uint32_t *registers, unsigned count)
{
    if (!tail->any || count % tail->word)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (registers[i] < tail->first ||
            (i % tail->word ? registers[i] != registers[i - 1] + 1 : registers[i] % tail->word))
            return false;
    return true;
}

bool lw_plan_reserve(struct lw_plan *plan, uint64_t count, struct lw_error *err)
{
    struct lw_plan_parts *parts = plan->parts;
    parts->code = lw_arena_alloc(&plan->arena, count * sizeof *parts->code);
    parts->reg = lw_arena_alloc(&plan->arena, count * sizeof *parts->reg);
    return (parts->code && parts->reg) || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

int lw_piece_compare(const void *left, const void *right)
{
    const struct lw_piece *a = left, *b = right;
    for (int i = 0; i < 3; i++)
        if (a->key[i] != b->key[i])
            return a->key[i] < b->key[i] ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* Adds an instruction on the next registers. */
static bool add_code(struct lw_plan *plan, uint64_t count, unsigned matrices, struct lw_error *err)
{
    struct lw_plan_parts *parts = plan->parts;
    struct lw_warp_instruction *code = &parts->code[plan->per_warp];
    if (plan->per_warp == LW_PLAN_CODE_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "too many instructions in the code of one warp: the limit is 2^16");
    *code = (struct lw_warp_instruction){.count = (uint16_t)count, .matrices = (uint8_t)matrices};
    if (plan->per_warp++)
        code->first = code[-1].first + code[-1].count;
    code->tail = !matrices && plan->request.op == LW_ACCESS_LOAD &&
                 lw_tail_has(&parts->tail, parts->reg + code->first, code->count);
    return true;
}

bool lw_plan_merge(struct lw_plan *plan, const struct lw_piece *pieces, uint64_t count,
                   const uint32_t *reg, unsigned step, struct lw_error *err)
{
    unsigned bits = plan->request.element_bits;
    uint32_t *to = plan->parts->reg;
    for (uint64_t at = 0, run; at < count; at += run) {
        uint64_t longest = 1, max = 128 / bits / step;
        while (longest < max && at + longest < count && pieces[at + longest].follows)
            longest++;
        run = bits * step < 8 ? 0 : 1;
        for (uint64_t n = 2; n <= longest; n *= 2)
            if (n * step * bits >= 8 && pieces[at].either % (n * step) == 0)
                run = n;
        if (!run)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "register %u: an element of %u bit%s is less than a byte, and its "
                                "neighbours in memory are in other threads",
                                reg[pieces[at].first], bits, bits == 1 ? "" : "s");
        for (uint64_t i = 0; i < run; i++, to += step)
            memcpy(to, reg + pieces[at + i].first, step * sizeof *to);
        if (!add_code(plan, run * step, 0, err))
            return false;
    }
    return true;
}

bool lw_plan_matrices(struct lw_plan *plan, uint64_t count, struct lw_error *err)
{
    unsigned each = 1u << lw_matrix_inner_bits(plan->request.element_bits, plan->parts->move);
    for (uint64_t words = count / each, matrices; words; words -= matrices) {
        matrices = words >= 4 ? 4 : words >= 2 ? 2 : 1;
        if (!add_code(plan, matrices * each, (unsigned)matrices, err))
            return false;
    }
    return true;
}

/* ---- Instructions ----
 *
 * Invariant: a plan stores the code of one warp; instruction i is instruction i mod per_warp of warp
 * i div per_warp.
 */

/* The offset of a register before padding, without the part of lane and warp. */
static uint64_t offset_of(const struct lw_offsets *o, uint64_t reg)
{
    uint64_t offset = 0;
    for (int i = 0; i < o->registers; i++)
        offset ^= reg >> o->reg_bit[i] & 1 ? o->reg[i] : 0;
    return offset;
}

uint64_t lw_plan_offset(const struct lw_plan *plan, uint64_t reg, uint64_t lane, uint64_t warp)
{
    const struct lw_plan_parts *p = plan->parts;
    const struct lw_offsets *o = &p->offsets;
    if (plan->rule == LW_PLAN_RUNS)
        return p->table.at[reg * p->threads + warp * p->lanes + lane];
    uint64_t offset =
        offset_of(o, reg) ^ lw_f2_combine(o->lane, lane) ^ lw_f2_combine(o->warp, warp);
    return o->padded ? lw_map_pad(o->padded, offset) : offset;
}

const char *lw_plan_opcode(const struct lw_plan *plan, uint64_t i)
{
    return plan->opcodes[plan->parts->code[i % plan->per_warp].opcode].name;
}

void lw_plan_instruction(const struct lw_plan *plan, uint64_t i, struct lw_instruction *out)
{
    const struct lw_plan_parts *p = plan->parts;
    const struct lw_warp_instruction *code = &p->code[i % plan->per_warp];
    const uint32_t *reg = &p->reg[code->first];
    const uint64_t warp = i / plan->per_warp, bits = plan->request.element_bits;
    struct lw_access *access = &out->access;
    memset(out, 0, sizeof *out);
    out->warp = warp;
    out->register_count = code->count;
    for (unsigned k = 0; k < code->count; k++)
        out->registers[k] = reg[k];
    access->op = plan->request.op;
    access->width = (unsigned)(code->count * bits / 8);
    access->matrices = code->matrices;
    for (uint64_t lane = 0; lane < p->lanes && warp * p->lanes + lane < p->threads; lane++) {
        uint64_t offset = lw_plan_offset(plan, reg[0], lane, warp);
        bool disabled = code->tail && ((warp & p->tail.warp_mask) || (lane & p->tail.lane_mask));
        if (offset == LW_HOLE)
            continue;
        access->active |= (uint64_t)!disabled << lane;
        access->address[lane] = code->matrices ? 0 : offset * bits / 8;
    }
    if (!code->matrices)
        return;
    access->op = access->op == LW_ACCESS_STORE ? LW_ACCESS_STMATRIX : LW_ACCESS_LDMATRIX;
    access->width = 16;
    out->transposed = p->move == LW_MOVE_TRANSPOSED;
    for (uint64_t row = 0; row < 8u * code->matrices;
         row++) { /* of what lane it is the first item */
        const uint32_t *first = &reg[row / 8 * (code->count / code->matrices)];
        uint64_t offset = out->transposed ? lw_plan_offset(plan, first[row % 2], row % 8 / 2, warp)
                                          : lw_plan_offset(plan, first[0], row % 8 * 4, warp);
        access->address[row] = offset * bits / 8;
    }
}

/* ---- Costs ---- */

/* The most accesses that are simulated one by one; a block has far fewer warps. */
#define COUNT_MAX ((uint64_t)1 << 22)
#define WARPS_MAX ((uint64_t)1 << 20)
#define SEEN_MAX 32 /* accesses whose cost is kept */

/* What the cost of an access depends on, and the cost. */
struct seen {
    uint64_t moved; /* padded: the bits of its offset that lanes move, */
    unsigned rest;  /* and the remainder by 16 of the bytes that the other bits add */
    uint8_t opcode;
    bool tail, disabled;
    struct lw_plan_total total;
};

static bool same_cost(const struct seen *a, const struct seen *b)
{
    return a->moved == b->moved && a->rest == b->rest && a->opcode == b->opcode &&
           a->tail == b->tail && a->disabled == b->disabled;
}

bool lw_access_total(const struct lw_bank_model *banks, const struct lw_access *access,
                     struct lw_plan_total *total, struct lw_error *err)
{
    struct lw_cost cost = {0};
    const bool good = lw_access_cost(banks, access, &cost, err);
    *total = (struct lw_plan_total){
        .instructions = 1,
        .matrix = access->matrices != 0,
        .wavefronts = cost.wavefronts,
        .conflicts = cost.conflicts,
        .ideal = cost.ideal,
        .bytes = good ? cost.bytes
                      : (uint64_t)access->width * lw_access_addresses(access, access->active)};
    return good;
}

static bool count_instruction(struct lw_plan *plan, uint64_t i, struct seen *counted,
                              struct lw_error *err)
{
    struct lw_instruction instruction;
    struct lw_error inner;
    lw_plan_instruction(plan, i, &instruction);
    if (lw_access_total(plan->request.hardware->banks, &instruction.access, &counted->total,
                        &inner))
        return true;
    if (plan->request.any_cost && inner.code == LW_ERROR_UNSUPPORTED) {
        plan->unknown = inner;
        return true;
    }
    char hint[160] = "";
    if (inner.code == LW_ERROR_PARAMETER && instruction.access.width <= 16) /* not aligned */
        snprintf(hint, sizeof hint, ": the kernel would fail at run time (misaligned address)");
    if (*hint && plan->rule == LW_PLAN_PADDED)
        snprintf(hint + strlen(hint), sizeof hint - strlen(hint),
                 "; paddings of multiples of %u elements keep vectors aligned",
                 instruction.access.width * 8 / plan->request.element_bits);
    return lw_error_set(err, inner.code, "register %llu of warp %llu: %.300s%s",
                        (unsigned long long)instruction.registers[0],
                        (unsigned long long)instruction.warp, inner.message, hint);
}

void lw_plan_total_add(struct lw_plan_total *sum, const struct lw_plan_total *more, uint64_t times)
{
    sum->instructions += more->instructions * times;
    sum->matrix += more->matrix * times;
    sum->wavefronts += more->wavefronts * times;
    sum->conflicts += more->conflicts * times;
    sum->ideal += more->ideal * times;
    sum->bytes += more->bytes * times;
}

uint64_t lw_plan_warps(const struct lw_plan *plan, const struct lw_warp_instruction *code)
{
    uint64_t masked = code->tail ? plan->parts->tail.warp_mask & (plan->warps - 1) : 0;
    return plan->warps >> __builtin_popcountll(masked);
}

/* Counts the code of a warp: of linear layouts it costs the same in all warps. */
static bool count_warp(struct lw_plan *plan, uint64_t warp, struct seen *seen, int *count,
                       struct lw_error *err)
{
    const struct lw_plan_parts *p = plan->parts;
    const bool padded = plan->rule == LW_PLAN_PADDED, linear = plan->rule == LW_PLAN_LINEAR;
    uint64_t lanes = 0, moved = lw_f2_combine(p->offsets.warp, warp);
    for (int i = 0; i < p->offsets.lanes; i++)
        lanes |= p->offsets.lane[i];
    for (uint64_t k = 0; k < plan->per_warp; k++) {
        const struct lw_warp_instruction *code = &p->code[k];
        struct seen one = {.opcode = code->opcode,
                           .tail = code->tail,
                           .disabled = code->tail && (warp & p->tail.warp_mask) != 0};
        if (padded) {
            uint64_t offset = moved ^ code->offset;
            uint64_t added = lw_map_pad(p->offsets.padded, offset & ~lanes);
            one.moved = offset & lanes;
            one.rest = added * plan->request.element_bits / 8 % 16;
        }
        struct seen *kept = seen;
        while (kept < seen + *count && !same_cost(kept, &one))
            kept++;
        if (kept == seen + *count) {
            if (!count_instruction(plan, warp * plan->per_warp + k, &one, err))
                return false;
            *kept = one; /* the last one, behind those that are kept, only until the next */
            *count += (padded || linear) && *count < SEEN_MAX;
        }
        if (kept->total.bytes)
            lw_plan_total_add(&plan->total, &kept->total, linear ? lw_plan_warps(plan, code) : 1);
    }
    return true;
}

/* ---- Names ---- */

/* By log2 of the bytes a lane. */
static const char *const nvidia_names[2][2][5] = {
    {{"ld.shared.b8", "ld.shared.b16", "ld.shared.b32", "ld.shared.v2.b32", "ld.shared.v4.b32"},
     {"st.shared.b8", "st.shared.b16", "st.shared.b32", "st.shared.v2.b32", "st.shared.v4.b32"}},
    {{"LDS.U8", "LDS.U16", "LDS", "LDS.64", "LDS.128"},
     {"STS.U8", "STS.U16", "STS", "STS.64", "STS.128"}}};
static const char *const amd_names[2][5] = {
    {"ds_read_u8", "ds_read_u16", "ds_read_b32", "ds_read_b64", "ds_read_b128"},
    {"ds_write_b8", "ds_write_b16", "ds_write_b32", "ds_write_b64", "ds_write_b128"}};

static bool is_amd(const struct lw_hardware *hardware)
{
    unsigned sm;
    return !lw_hardware_sm(hardware, &sm);
}

void lw_instruction_name(const struct lw_hardware *hardware,
                         const struct lw_instruction *instruction,
                         char name[LW_INSTRUCTION_NAME_MAX])
{
    const struct lw_access *access = &instruction->access;
    bool store = access->op == LW_ACCESS_STORE;
    int width = lw_log2(access->width);
    if (access->matrices)
        snprintf(name, LW_INSTRUCTION_NAME_MAX, "%s.x%u%s", lw_access_op_name(access->op),
                 access->matrices & 7, instruction->transposed ? ".trans" : "");
    else if (is_amd(hardware) && width >= 0 && width < LW_WIDTHS)
        snprintf(name, LW_INSTRUCTION_NAME_MAX, "%s", amd_names[store][width]);
    else
        snprintf(name, LW_INSTRUCTION_NAME_MAX, "%s.%u", store ? "st" : "ld", access->width * 8);
}

static void name_code(const struct lw_plan *plan, const struct lw_warp_instruction *code,
                      struct lw_opcode *opcode)
{
    bool store = plan->request.op == LW_ACCESS_STORE,
         trans = plan->parts->move == LW_MOVE_TRANSPOSED;
    bool compiled = plan->request.stage != LW_PLAN_TRITON;
    int width = lw_log2((uint64_t)code->count * plan->request.element_bits / 8);
    if (code->matrices && !compiled)
        snprintf(opcode->name, sizeof opcode->name, "%s.x%u%s", store ? "stmatrix" : "ldmatrix",
                 code->matrices & 7U, trans ? ".trans" : "");
    else if (code->matrices)
        snprintf(opcode->name, sizeof opcode->name, "%s.16.M%s88%.*s", store ? "STSM" : "LDSM",
                 trans ? "T" : "", code->matrices > 1 ? 2 : 0, code->matrices > 2 ? ".4" : ".2");
    else
        snprintf(opcode->name, sizeof opcode->name, "%s",
                 is_amd(plan->request.hardware) ? amd_names[store][width]
                                                : nvidia_names[compiled][store][width]);
}

/* Completes the code, and counts the opcodes: in a plan, instructions on equally many registers have one opcode. */
static void count_opcodes(struct lw_plan *plan)
{
    unsigned counts[LW_OPCODES_MAX];
    plan->opcode_count = 0;
    for (uint64_t i = 0; i < plan->per_warp; i++) {
        struct lw_warp_instruction *code = &plan->parts->code[i];
        int o = 0;
        while (o < plan->opcode_count && counts[o] != code->count)
            o++;
        if (o == plan->opcode_count) {
            name_code(plan, code, &plan->opcodes[plan->opcode_count++]);
            plan->opcodes[o].count = 0;
            counts[o] = code->count;
        }
        plan->opcodes[o].count++;
        code->opcode = (uint8_t)o;
        code->offset = offset_of(&plan->parts->offsets, plan->parts->reg[code->first]);
    }
}

bool lw_plan_count(struct lw_plan *plan, struct lw_error *err)
{
    const bool linear = plan->rule == LW_PLAN_LINEAR;
    struct seen seen[SEEN_MAX + 1];
    int count = 0;
    memset(&plan->total, 0, sizeof plan->total);
    plan->unknown.code = LW_OK;
    if (plan->warps > WARPS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "over 2^20 warps");
    plan->count = plan->per_warp * plan->warps;
    if (!linear && plan->count > COUNT_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "too many instructions of different costs: the limit is 2^22");
    count_opcodes(plan);
    for (uint64_t warp = 0; warp < (linear ? 1 : plan->warps); warp++)
        if (!count_warp(plan, warp, seen, &count, err))
            return false;
    if (plan->unknown.code != LW_OK)
        plan->total.wavefronts = plan->total.ideal = plan->total.conflicts = 0;
    return true;
}
