/*
 * Paths: stores and loads as numbered instructions, equal ones folded, and the elements of each.
 *
 * Where offsets are linear, two instructions with one opcode differ by a xor with a constant, which
 * permutes the banks (plan_code.c): one of each opcode is examined. Of others each one is.
 */

#include "analysis/access/plan_parts.h"
#include "core/map_kinds.h"
#include "core/subspace.h"
#include "core/text_rows.h"

#include "analysis/owners.h"
#include "analysis/access/path.h"

#include <stdlib.h>
#include <string.h>

/* ---- Instructions ---- */

struct lw_path lw_path_of_conversion(const struct lw_conversion *conversion)
{
    return (struct lw_path){
        .store = &conversion->store, .load = &conversion->load, .conversion = conversion};
}

static const struct lw_plan *plan_of(const struct lw_path *path, enum lw_access_op op)
{
    return op == LW_ACCESS_STORE ? path->store : path->load;
}

/* The plan of the last round where it differs from the others; else NULL. */
static const struct lw_plan *last_plan(const struct lw_path *path, enum lw_access_op op)
{
    bool has_last =
        path->conversion && op == LW_ACCESS_LOAD && path->conversion->last_load.parts != NULL;
    return has_last ? &path->conversion->last_load : NULL;
}

static uint64_t rounds_of(const struct lw_path *path)
{
    return path->conversion ? path->conversion->rounds : 1;
}

/* The register bits that select a round. */
static const uint64_t *round_bits(const struct lw_path *path, enum lw_access_op op)
{
    return op == LW_ACCESS_STORE ? path->conversion->store_round : path->conversion->load_round;
}

uint64_t lw_path_count(const struct lw_path *path, enum lw_access_op op)
{
    const struct lw_plan *plan = plan_of(path, op);
    return plan ? plan->count * rounds_of(path) : 0;
}

/* An instruction of a path as one of a plan. */
struct part {
    const struct lw_plan *plan;
    uint64_t number; /* in that plan */
    uint64_t base;   /* bits of the registers' numbers that its round sets */
};

static struct part part_of(const struct lw_path *path, enum lw_access_op op, uint64_t i)
{
    const struct lw_plan *plan = plan_of(path, op), *last = last_plan(path, op);
    uint64_t round = i / plan->count;
    struct part part = {plan, i % plan->count, 0};
    if (last && round == rounds_of(path) - 1)
        part.plan = last;
    else if (path->conversion)
        part.base = lw_f2_combine(round_bits(path, op), round);
    return part;
}

void lw_path_instruction(const struct lw_path *path, enum lw_access_op op, uint64_t i,
                         struct lw_instruction *out)
{
    struct part part = part_of(path, op, i);
    lw_plan_instruction(part.plan, part.number, out);
    for (unsigned k = 0; k < out->register_count; k++)
        out->registers[k] |= part.base;
}

/* ---- Folds ---- */

/* How many banks have each number of words. */
static void count_words(const struct lw_fold *fold, unsigned char count[LW_WARP_MAX + 1])
{
    memset(count, 0, LW_WARP_MAX + 1);
    for (int bank = 0; bank < LW_BANKS_MAX; bank++)
        count[fold->words[bank]]++;
}

/* Describes an instruction; false when no lane executes it. */
static bool describe(const struct lw_plan *plan, const struct lw_instruction *instruction,
                     struct lw_fold *fold)
{
    const struct lw_hardware *hardware = plan->request.hardware;
    const struct lw_access *access = &instruction->access;
    *fold = (struct lw_fold){.op = plan->request.op,
                             .width = access->width,
                             .matrices = access->matrices,
                             .banks = lw_access_banks(hardware->banks, access)};
    if (!access->active || !lw_access_cost(hardware->banks, access, &fold->cost, NULL) ||
        !lw_access_words(hardware->banks, access, fold->words, NULL))
        return false;
    lw_instruction_name(hardware, instruction, fold->name);
    for (int bank = 0; bank < LW_BANKS_MAX; bank++)
        fold->most = fold->words[bank] > fold->most ? fold->words[bank] : fold->most;
    return true;
}

/* The fold that an instruction belongs to; NULL: there is none. */
static struct lw_fold *find_fold(const struct lw_folds *folds, const struct lw_fold *one)
{
    unsigned char words[LW_WARP_MAX + 1], own[LW_WARP_MAX + 1];
    count_words(one, own);
    for (size_t i = 0; i < folds->count; i++) {
        struct lw_fold *fold = &folds->fold[i];
        if (fold->op != one->op || strcmp(fold->name, one->name) != 0 ||
            fold->cost.wavefronts != one->cost.wavefronts ||
            fold->cost.conflicts != one->cost.conflicts || fold->cost.ideal != one->cost.ideal)
            continue;
        count_words(fold, words);
        if (!memcmp(words, own, sizeof own))
            return fold;
    }
    return NULL;
}

/* Adds instructions that are equal, `count` of them, to the fold that they belong to. */
static bool add(struct lw_folds *folds, const struct lw_fold *one, uint64_t count, uint64_t first)
{
    struct lw_fold *fold = find_fold(folds, one);
    if (fold) {
        fold->count += count; /* its `first` is before this one */
        return true;
    }
    if (!(folds->count & (folds->count - 1))) { /* there is room for a power of two */
        fold = realloc(folds->fold, (folds->count ? 2 * folds->count : 1) * sizeof *fold);
        if (!fold)
            return false;
        folds->fold = fold;
    }
    fold = &folds->fold[folds->count++];
    *fold = *one;
    fold->count = count;
    fold->first = first;
    return true;
}

/* Adds the instructions of a plan that is executed `times` times, the first of them with that number. Of
 * a linear plan all warps are like warp 0, and all instructions like the first of their opcode. */
static bool add_times(struct lw_folds *folds, const struct lw_plan *plan, uint64_t times,
                      uint64_t number)
{
    const bool linear = plan->rule == LW_PLAN_LINEAR;
    bool described[LW_OPCODES_MAX][2] = {{false}}, executed[LW_OPCODES_MAX][2];
    struct lw_fold kinds[LW_OPCODES_MAX][2];
    for (uint64_t i = 0; i < (linear ? plan->per_warp : plan->count); i++) {
        const struct lw_warp_instruction *code = &plan->parts->code[i % plan->per_warp];
        struct lw_fold *one = &kinds[code->opcode][code->tail];
        if (!linear || !described[code->opcode][code->tail]) {
            struct lw_instruction instruction;
            lw_plan_instruction(plan, i, &instruction);
            executed[code->opcode][code->tail] = describe(plan, &instruction, one);
            described[code->opcode][code->tail] = true;
        }
        uint64_t warps = linear ? lw_plan_warps(plan, code) : 1;
        if (executed[code->opcode][code->tail] && !add(folds, one, warps * times, number + i))
            return false;
    }
    return true;
}

static bool add_plan(struct lw_folds *folds, const struct lw_path *path, enum lw_access_op op,
                     struct lw_error *err)
{
    const struct lw_plan *plan = plan_of(path, op), *last = last_plan(path, op);
    uint64_t rounds = rounds_of(path);
    if (!plan)
        return true;
    if (plan->rule != LW_PLAN_LINEAR && plan->count > LW_FOLDS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "%llu instructions, each perhaps of another cost: at most %llu are "
                            "compared",
                            (unsigned long long)plan->count, (unsigned long long)LW_FOLDS_MAX);
    return (add_times(folds, plan, rounds - (last != NULL), 0) &&
            (!last || add_times(folds, last, 1, (rounds - 1) * plan->count))) ||
           lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

static int worst_first(const void *a, const void *b)
{
    const struct lw_fold *x = a, *y = b;
    uint64_t all_x = x->count * x->cost.wavefronts, all_y = y->count * y->cost.wavefronts;
    if (x->cost.conflicts != y->cost.conflicts)
        return x->cost.conflicts > y->cost.conflicts ? -1 : 1;
    if (all_x != all_y)
        return all_x > all_y ? -1 : 1;
    if (x->op != y->op)
        return x->op == LW_ACCESS_LOAD ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

bool lw_folds_make(struct lw_folds *folds, const struct lw_path *path, struct lw_error *err)
{
    *folds = (struct lw_folds){0};
    if (!add_plan(folds, path, LW_ACCESS_STORE, err) ||
        !add_plan(folds, path, LW_ACCESS_LOAD, err)) {
        lw_folds_free(folds);
        return false;
    }
    if (folds->count)
        qsort(folds->fold, folds->count, sizeof *folds->fold, worst_first);
    return true;
}

const struct lw_fold *lw_folds_of(const struct lw_folds *folds, const struct lw_path *path,
                                  enum lw_access_op op, uint64_t i)
{
    struct lw_instruction instruction;
    struct lw_fold one;
    if (i >= lw_path_count(path, op))
        return NULL;
    lw_path_instruction(path, op, i, &instruction);
    return describe(plan_of(path, op), &instruction, &one) ? find_fold(folds, &one) : NULL;
}

void lw_folds_free(struct lw_folds *folds)
{
    free(folds->fold);
    *folds = (struct lw_folds){0};
}

/* ---- Elements ---- */

/* The flat number of the element in a register, of block 0. */
static uint64_t element_of(const struct lw_path *path, enum lw_access_op op,
                           const struct lw_slot *owner)
{
    const struct lw_conversion *conversion = path->conversion;
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX];
    if (conversion) { /* its layouts have the dims register, lane, warp and block */
        const uint64_t index[] = {owner->reg, owner->lane, owner->warp, 0};
        const struct lw_layout *layout =
            op == LW_ACCESS_STORE ? &conversion->from : &conversion->to;
        return lw_layout_apply_flat(layout, lw_dims_flatten(&layout->in, index));
    }
    const struct lw_plan_request *request = &plan_of(path, op)->request;
    bool held = lw_slot_index(request->registers, request->hardware->lanes, owner, in) &&
                lw_map_apply(request->registers, in, out);
    return held ? lw_dims_flatten(&request->registers->out, out) : 0;
}

/* The wavefront that serves an address lane; of a matrix instruction, the one of the row that has
 * the byte. */
static unsigned wavefront_of(const struct lw_wavefronts *all, const struct lw_access *access,
                             unsigned lane, uint64_t byte)
{
    for (unsigned row = 0; row < 8 * access->matrices; row++)
        if (byte - access->address[row] < access->width)
            lane = row;
    unsigned w = 0;
    while (w < all->count && !(all->wavefront[w].lanes >> lane & 1))
        w++;
    return w;
}

size_t lw_path_moved(const struct lw_path *path, enum lw_access_op op, uint64_t i,
                     struct lw_moved *moved, size_t room)
{
    struct lw_instruction instruction;
    struct lw_wavefronts wavefronts;
    size_t count = 0;
    if (i >= lw_path_count(path, op))
        return 0;
    struct part part = part_of(path, op, i);
    const struct lw_plan *plan = part.plan;
    const struct lw_access *access = &instruction.access;
    lw_plan_instruction(plan, part.number, &instruction);
    if (!lw_access_wavefronts(plan->request.hardware->banks, access, &wavefronts, NULL))
        return 0;
    for (unsigned lane = 0; lane < LW_WARP_MAX; lane++)
        for (unsigned k = 0; (access->active >> lane & 1) && k < instruction.register_count; k++) {
            struct lw_slot owner = {.reg = instruction.registers[k] | part.base,
                                    .lane = lane,
                                    .warp = instruction.warp};
            uint64_t offset = lw_plan_offset(plan, instruction.registers[k], lane, owner.warp);
            uint64_t byte = offset * plan->request.element_bits / 8;
            if (count < room)
                moved[count] =
                    (struct lw_moved){.element = element_of(path, op, &owner),
                                      .reg = owner.reg,
                                      .offset = offset,
                                      .lane = lane,
                                      .wavefront = wavefront_of(&wavefronts, access, lane, byte)};
            count++;
        }
    return count;
}

/* The number, in the plan, of the instruction that moves that register; false: there is none, or
 * the lane does not execute it. */
static bool find_in_plan(const struct lw_plan *plan, const struct lw_slot *owner, uint64_t *number)
{
    const struct lw_plan_parts *parts = plan->parts;
    const struct lw_tail *tail = &parts->tail;
    bool disabled = owner->warp & tail->warp_mask || owner->lane & tail->lane_mask;
    for (uint64_t c = 0; c < plan->per_warp; c++) {
        const struct lw_warp_instruction *code = &parts->code[c];
        for (unsigned k = 0; k < code->count; k++)
            if (parts->reg[code->first + k] == owner->reg) {
                *number = owner->warp * plan->per_warp + c;
                return !(code->tail && disabled);
            }
    }
    return false;
}

/* The number of the instruction that moves the element of an owner. */
static bool find_owner(const struct lw_path *path, enum lw_access_op op, struct lw_slot owner,
                       uint64_t *number)
{
    const struct lw_plan *plan = plan_of(path, op), *last = last_plan(path, op);
    uint64_t round = 0, reg = owner.reg;
    for (int i = 0; path->conversion && i < path->conversion->exchange.rounds; i++) {
        round |= (uint64_t)((reg & round_bits(path, op)[i]) != 0) << i;
        owner.reg &= ~round_bits(path, op)[i];
    }
    if (last && round == rounds_of(path) - 1) {
        owner.reg = reg;
        plan = last;
    }
    if (!find_in_plan(plan, &owner, number))
        return false;
    *number += round * plan->count;
    return true;
}

size_t lw_path_find(const struct lw_path *path, enum lw_access_op op, const uint64_t *out,
                    uint64_t *numbers, size_t room)
{
    enum { OWNERS_MAX = 1 << 16 };
    const struct lw_plan *plan = plan_of(path, op);
    const struct lw_conversion *conversion = path->conversion;
    const struct lw_map *map = plan ? plan->request.registers : NULL;
    struct lw_map converted;
    struct lw_slot owner;
    uint64_t number;
    size_t count = 0;
    if (!plan)
        return 0;
    if (conversion) {
        lw_map_from_layout(&converted, op == LW_ACCESS_STORE ? &conversion->from : &conversion->to);
        map = &converted;
    }
    for (uint64_t k = 0; k < OWNERS_MAX; k++) {
        if (!lw_slot_find(map, plan->request.hardware->lanes, out, k, &owner))
            break;
        size_t at = 0;
        if (!find_owner(path, op, owner, &number))
            continue;
        while (at < count && numbers[at] < number)
            at++;
        if ((at < count && numbers[at] == number) || count == room)
            continue;
        memmove(numbers + at + 1, numbers + at, (count++ - at) * sizeof *numbers);
        numbers[at] = number;
    }
    return count;
}

/* ---- The verdict ---- */

const struct lw_plan_total *lw_path_total(const struct lw_path *path, enum lw_access_op op)
{
    if (path->conversion)
        return op == LW_ACCESS_STORE ? &path->conversion->store_total
                                     : &path->conversion->load_total;
    const struct lw_plan *plan = plan_of(path, op);
    return plan ? &plan->total : NULL;
}

static bool has_conflicts(const struct lw_path *path, enum lw_access_op op)
{
    const struct lw_plan_total *total = lw_path_total(path, op);
    return total && total->conflicts > 0;
}

bool lw_path_is_free(const struct lw_path *path)
{
    return !has_conflicts(path, LW_ACCESS_STORE) && !has_conflicts(path, LW_ACCESS_LOAD);
}

static const char *name_of(enum lw_access_op op)
{
    return op == LW_ACCESS_STORE ? "store" : "load";
}

/* "store 32, load 64 (ideal 32) wavefronts: no conflicts" */
static void put_free(struct lw_text *text, const struct lw_path *path)
{
    static const enum lw_access_op ops[] = {LW_ACCESS_STORE, LW_ACCESS_LOAD};
    const struct lw_plan_total *last = NULL;
    for (int i = 0; i < 2; i++) {
        const struct lw_plan_total *total = lw_path_total(path, ops[i]);
        if (!total)
            continue;
        lw_text_format(text, "%s%s %llu", last ? ", " : "", name_of(ops[i]),
                       (unsigned long long)total->wavefronts);
        if (total->wavefronts > total->ideal)
            lw_text_format(text, " (ideal %llu)", (unsigned long long)total->ideal);
        last = total;
    }
    lw_text_add(text, last && last->wavefronts == 1 ? " wavefront: no conflicts"
                                                    : " wavefronts: no conflicts");
}

static void put_total(struct lw_text *text, const struct lw_path *path, enum lw_access_op op)
{
    const struct lw_plan_total *total = lw_path_total(path, op);
    lw_text_format(text, "%s: ", name_of(op));
    lw_put_count(text, total->wavefronts, "wavefront");
    lw_text_format(text, ", ideal %llu", (unsigned long long)total->ideal);
}

void lw_path_put_verdict(struct lw_text *text, const struct lw_path *path,
                         const struct lw_folds *folds)
{
    if (lw_path_is_free(path)) {
        put_free(text, path);
        return;
    }
    const struct lw_fold *worst = folds && folds->count ? &folds->fold[0] : NULL;
    enum lw_access_op op = worst                                  ? worst->op
                           : has_conflicts(path, LW_ACCESS_STORE) ? LW_ACCESS_STORE
                                                                  : LW_ACCESS_LOAD;
    enum lw_access_op other = op == LW_ACCESS_STORE ? LW_ACCESS_LOAD : LW_ACCESS_STORE;
    put_total(text, path, op);
    if (worst)
        lw_text_format(text, ": %u words of one bank", worst->most);
    if (has_conflicts(path, other)) {
        lw_text_add(text, "; ");
        put_total(text, path, other);
    }
}
