/*
 * What a plan costs over all warps.
 *
 * Where offsets are linear, two accesses of one kind differ by a xor with a constant. That permutes the banks and
 * changes no cost, so one access of each kind is simulated. Padding adds the same number to all lanes for the bits that
 * no lane moves. A number that is a multiple of 16 bytes rotates the banks and changes no cost either, so one access is
 * simulated for each remainder by 16 bytes and for each value of the bits that lanes move. With maps that are not
 * linear every access of every warp is simulated.
 */

#include "analysis/access/plan_parts.h"

#include <string.h>

/* ---- Instructions ----
 *
 * The instructions of a plan. Invariant: a plan stores the code of one warp; instruction i is
 * instruction i mod per_warp of warp i div per_warp.
 */

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

/* The most accesses that are simulated one by one; a block has far fewer warps. */
#define COUNT_MAX ((uint64_t)1 << 22)
#define WARPS_MAX ((uint64_t)1 << 20)

/* The cost of one instruction. */
struct counted {
    bool known;
    struct lw_cost cost;
    uint64_t bytes;
};

/* The distinct bytes that it moves. */
static uint64_t bytes_of(const struct lw_access *access)
{
    uint64_t seen[LW_WARP_MAX], count = 0;
    unsigned lanes = access->matrices ? 8 * access->matrices : LW_WARP_MAX;
    for (unsigned lane = 0; lane < lanes; lane++) {
        uint64_t at = 0;
        if (!(access->active >> lane & 1))
            continue;
        while (at < count && seen[at] != access->address[lane])
            at++;
        if (at == count)
            seen[count++] = access->address[lane];
    }
    return count * access->width;
}

static bool count_instruction(struct lw_plan *plan, uint64_t i, struct counted *counted,
                              struct lw_error *err)
{
    struct lw_instruction instruction;
    struct lw_error inner;
    lw_plan_instruction(plan, i, &instruction);
    counted->known = true;
    counted->bytes = bytes_of(&instruction.access);
    if (lw_access_cost(plan->request.hardware->banks, &instruction.access, &counted->cost, &inner))
        return true;
    if (plan->request.any_cost && inner.code == LW_ERROR_UNSUPPORTED) {
        plan->unknown = inner;
        return true;
    }
    if (plan->rule == LW_PLAN_PADDED && inner.code == LW_ERROR_PARAMETER)
        return lw_error_set(
            err, inner.code,
            "with this padding vectors are not aligned, and the kernel would fail at run time "
            "(misaligned address): register %llu of warp %llu: %.200s; paddings of multiples of %u "
            "elements keep vectors aligned",
            (unsigned long long)instruction.registers[0], (unsigned long long)instruction.warp,
            inner.message, instruction.access.width * 8 / plan->request.element_bits);
    return lw_error_set(err, inner.code, "register %llu of warp %llu: %.380s",
                        (unsigned long long)instruction.registers[0],
                        (unsigned long long)instruction.warp, inner.message);
}

static void add(struct lw_plan *plan, const struct counted *counted, uint64_t times)
{
    struct lw_plan_total *total = &plan->total;
    total->instructions += times;
    total->matrix += plan->parts->move == LW_MOVE_PLAIN ? 0 : times;
    total->wavefronts += counted->cost.wavefronts * times;
    total->conflicts += counted->cost.conflicts * times;
    total->ideal += counted->cost.ideal * times;
    total->bytes += counted->bytes * times;
}

static bool count_kinds(struct lw_plan *plan, struct lw_error *err)
{
    const struct lw_plan_parts *parts = plan->parts;
    struct counted kinds[LW_OPCODES_MAX][2];
    memset(kinds, 0, sizeof kinds);
    uint64_t masked = parts->tail.warp_mask & (plan->warps - 1);
    for (uint64_t i = 0; i < plan->per_warp; i++) {
        const struct lw_warp_instruction *code = &parts->code[i];
        struct counted *kind = &kinds[code->opcode][code->tail];
        if (!kind->known && !count_instruction(plan, i, kind, err))
            return false;
        add(plan, kind, code->tail ? plan->warps >> __builtin_popcountll(masked) : plan->warps);
    }
    return true;
}

static bool count_each(struct lw_plan *plan, struct lw_error *err)
{
    for (uint64_t i = 0; i < plan->count; i++) {
        struct counted counted = {.known = false};
        if (!count_instruction(plan, i, &counted, err))
            return false;
        if (counted.bytes)
            add(plan, &counted, 1);
    }
    return true;
}

/* ---- Padding ---- */

#define SEEN_MAX 32 /* accesses whose cost is kept */

/* What the cost of a padded access depends on, and the cost. */
struct seen {
    uint64_t moved; /* the bits of its offset that lanes move */
    unsigned rest;  /* the remainder by 16 of the bytes that the other bits add */
    uint8_t opcode;
    bool tail, disabled;
    struct counted counted;
};

static bool same_access(const struct seen *a, const struct seen *b)
{
    return a->moved == b->moved && a->rest == b->rest && a->opcode == b->opcode &&
           a->tail == b->tail && a->disabled == b->disabled;
}

/* Sets the cost of instruction i, whose access is `access`: a cost that was kept, else it is counted. */
static bool recall(struct lw_plan *plan, uint64_t i, const struct seen *access, struct seen *seen,
                   int *count, struct counted *counted, struct lw_error *err)
{
    for (int k = 0; k < *count; k++)
        if (same_access(&seen[k], access)) {
            *counted = seen[k].counted;
            return true;
        }
    *counted = (struct counted){.known = false};
    if (!count_instruction(plan, i, counted, err))
        return false;
    if (*count < SEEN_MAX) {
        seen[*count] = *access;
        seen[(*count)++].counted = *counted;
    }
    return true;
}

static bool count_padded(struct lw_plan *plan, struct lw_error *err)
{
    const struct lw_plan_parts *parts = plan->parts;
    const struct lw_map *map = parts->offsets.padded;
    struct seen seen[SEEN_MAX], access;
    struct counted counted;
    uint64_t lanes = 0, bits = plan->request.element_bits;
    int count = 0;
    for (int i = 0; i < parts->offsets.lanes; i++)
        lanes |= parts->offsets.lane[i];
    for (uint64_t k = 0; k < plan->per_warp; k++)
        parts->code[k].padded = lw_map_pad(map, parts->code[k].offset & ~lanes);
    for (uint64_t warp = 0; warp < plan->warps; warp++) {
        uint64_t moved = lw_xor_at(parts->offsets.warp, warp);
        uint64_t padded = lw_map_pad(map, moved & ~lanes);
        for (uint64_t k = 0; k < plan->per_warp; k++) {
            const struct lw_warp_instruction *code = &parts->code[k];
            uint64_t offset = code->offset ^ moved;
            uint64_t added =
                moved & code->offset ? lw_map_pad(map, offset & ~lanes) : code->padded + padded;
            access = (struct seen){.moved = offset & lanes,
                                   .rest = added * bits / 8 % 16,
                                   .opcode = code->opcode,
                                   .tail = code->tail,
                                   .disabled = code->tail && (warp & parts->tail.warp_mask) != 0};
            if (!recall(plan, warp * plan->per_warp + k, &access, seen, &count, &counted, err))
                return false;
            if (counted.bytes)
                add(plan, &counted, 1);
        }
    }
    return true;
}

/* ---- Names ---- */

/* Names of opcodes by log2 of the bytes a lane. */
static const char *const nvidia_names[2][2][5] = {
    {{"ld.shared.b8", "ld.shared.b16", "ld.shared.b32", "ld.shared.v2.b32", "ld.shared.v4.b32"},
     {"st.shared.b8", "st.shared.b16", "st.shared.b32", "st.shared.v2.b32", "st.shared.v4.b32"}},
    {{"LDS.U8", "LDS.U16", "LDS", "LDS.64", "LDS.128"},
     {"STS.U8", "STS.U16", "STS", "STS.64", "STS.128"}}};
static const char *const amd_names[2][5] = {
    {"ds_read_u8", "ds_read_u16", "ds_read_b32", "ds_read_b64", "ds_read_b128"},
    {"ds_write_b8", "ds_write_b16", "ds_write_b32", "ds_write_b64", "ds_write_b128"}};

static void name_matrix(const struct lw_plan *plan, unsigned matrices, char *name, size_t room)
{
    bool store = plan->request.op == LW_ACCESS_STORE,
         trans = plan->parts->move == LW_MOVE_TRANSPOSED;
    char suffix[4] = "";
    if (plan->request.stage == LW_PLAN_TRITON) {
        snprintf(name, room, "%s.x%u%s", store ? "stmatrix" : "ldmatrix", matrices,
                 trans ? ".trans" : "");
        return;
    }
    if (matrices > 1)
        snprintf(suffix, sizeof suffix, ".%u", matrices & 7);
    snprintf(name, room, "%s.16.M%s88%s", store ? "STSM" : "LDSM", trans ? "T" : "", suffix);
}

static void name_code(const struct lw_plan *plan, const struct lw_warp_instruction *code,
                      char *name, size_t room)
{
    bool store = plan->request.op == LW_ACCESS_STORE;
    bool compiled = plan->request.stage != LW_PLAN_TRITON;
    int width = lw_log2((uint64_t)code->count * plan->request.element_bits / 8);
    unsigned sm;
    if (code->matrices)
        name_matrix(plan, code->matrices, name, room);
    else
        snprintf(name, room, "%s",
                 lw_hardware_sm(plan->request.hardware, &sm) ? nvidia_names[compiled][store][width]
                                                             : amd_names[store][width]);
}

static void count_opcodes(struct lw_plan *plan)
{
    struct lw_opcode *opcode = NULL;
    unsigned last = 0;
    for (uint64_t i = 0; i < plan->per_warp; i++) {
        struct lw_warp_instruction *code = &plan->parts->code[i];
        if (!opcode || code->count != last) {
            struct lw_opcode *end = plan->opcodes + plan->opcode_count;
            char name[sizeof end->name];
            name_code(plan, code, name, sizeof name);
            for (opcode = plan->opcodes; opcode < end && strcmp(opcode->name, name) != 0;)
                opcode++;
            if (opcode == end) {
                plan->opcode_count++;
                memcpy(opcode->name, name, sizeof name);
                opcode->count = 0;
            }
        }
        last = code->count;
        opcode->count++;
        code->opcode = (uint8_t)(opcode - plan->opcodes);
    }
}

static bool count_all(struct lw_plan *plan, struct lw_error *err)
{
    if (plan->rule == LW_PLAN_LINEAR)
        return count_kinds(plan, err);
    if (plan->count > COUNT_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "too many instructions of different costs: the limit is 2^22");
    return plan->rule == LW_PLAN_PADDED ? count_padded(plan, err) : count_each(plan, err);
}

bool lw_plan_count(struct lw_plan *plan, struct lw_error *err)
{
    memset(&plan->total, 0, sizeof plan->total);
    plan->opcode_count = 0;
    if (plan->warps > WARPS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "over 2^20 warps");
    plan->count = plan->per_warp * plan->warps;
    count_opcodes(plan);
    plan->unknown.code = LW_OK;
    if (!count_all(plan, err))
        return false;
    if (plan->unknown.code != LW_OK)
        plan->total.wavefronts = plan->total.ideal = plan->total.conflicts = 0;
    return true;
}
