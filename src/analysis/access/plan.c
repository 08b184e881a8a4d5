/*
 * Access plans of linear layouts, from two maps to the instructions in the code of one warp.
 *
 * An element's offset is the xor of the offsets of the bits of its hardware index. These bits alone
 * decide which instruction fits. A matrix instruction moves 8x8 matrices of 16-bit items with rows
 * of 16 bytes: four lanes hold a row, eight rows are a matrix. So the offsets of the first registers
 * and of lanes 1 and 2 must cover a row, and no other offset may have a bit within a row. Transposed,
 * lanes 4, 8 and 16 cover it.
 *
 * Otherwise Triton moves v elements at once when offsets 1, 2, ..., v/2 are those of registers and no
 * other bit of register, lane or warp has an offset bit below v. The address of such an access is that
 * of its lane and warp, xored with one constant, plus another constant: the added part has only bits
 * that no lane or warp moves. The back end merges accesses that have the same xored part and
 * neighbouring added parts: all of them in 3.9; in 3.7 and 3.8 loads only; in 3.6 those below the
 * first interval of a padding only. A plan as written has these vectors with the registers in their
 * order, and merges nothing.
 *
 * Source: Triton's lowerLdStMatrix, largestVectorisation and actionAdditiveStrides, and LLVM's
 * load-store vectorizer, checked against kernels that 3.6, 3.7, 3.8 and 3.9 compiled.
 */

#include "analysis/access/plan_parts.h"
#include "core/subspace.h"

#include "analysis/owners.h"

#include <stdlib.h>
#include <string.h>

bool lw_plan_stage_find(const char *name, enum lw_plan_stage *stage)
{
    static const char *const names[] = {"compiled", "triton", "written"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(names[i], name)) {
            *stage = (enum lw_plan_stage)i;
            return true;
        }
    return false;
}

/* ---- What registers and memory must have in common ---- */

bool lw_plan_check_part(const struct lw_dims *registers, const struct lw_dims *memory,
                        struct lw_error *err)
{
    bool fits = registers->count == memory->count;
    for (int i = 0; fits && i < registers->count; i++)
        fits = lw_dims_find(memory, registers->dim[i].name) >= 0 &&
               registers->dim[i].size <= lw_dims_size(memory, registers->dim[i].name);
    if (fits)
        return true;
    struct lw_text left = {0}, right = {0};
    lw_dims_print_sizes(&left, registers);
    lw_dims_print_sizes(&right, memory);
    lw_error_set(err, LW_ERROR_SHAPE,
                 "registers of %s do not fit into memory of %s: both need the same dims by name, "
                 "each of at most the memory's size",
                 lw_text_string(&left), lw_text_string(&right));
    lw_text_free(&left);
    lw_text_free(&right);
    return false;
}

static bool check(const struct lw_plan_request *request, struct lw_error *err)
{
    unsigned bits = request->element_bits;
    if (request->op != LW_ACCESS_LOAD && request->op != LW_ACCESS_STORE)
        return lw_error_set(err, LW_ERROR_PARAMETER, "a plan is for a load or a store");
    if (bits > 128 || lw_log2(bits) < 0)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "elements of %u bits are not supported in a plan: they must have 1, 2, 4, ..., 128",
            bits);
    if (lw_dims_find(&request->registers->in, "offset") >= 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "a plan is between registers and memory, but both layouts are memory");
    if (lw_memory_dim(request->memory) < 0)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "a plan is between registers and memory, but neither layout has offsets");
    return lw_plan_check_part(&request->registers->out, &request->memory->out, err);
}

/* ---- Offsets ---- */

/* Sets the offset of each bit of the map's in-dims register, lane, warp and block. Each block must have its
 * part of the tensor in its own memory. Bits of registers and warps may move to another partition, as each
 * instruction of a warp then accesses one. Partitions are further apart in offsets than a vector is long,
 * so that accesses of different ones are never merged. */
static bool set_bits(struct lw_offsets *o, const struct lw_layout *map, int offset,
                     struct lw_error *err)
{
    enum { LANE = 1, BLOCK = 3 };
    uint64_t *const to[] = {o->reg, o->lane, o->warp}, image[LW_DIMS_MAX];
    int partition = lw_dims_find(&map->out, "partition"), bits = lw_layout_out_log2(map, offset);
    int block = lw_dims_find(&map->out, "block");
    for (int bit = 0; bit < lw_layout_in_log2(map, BLOCK); bit++) {
        lw_layout_basis(map, BLOCK, bit, image);
        if (block < 0 || image[block] != (uint64_t)1 << bit || image[offset])
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "block %llu does not keep its part of the tensor in its own "
                                "memory: the two layouts are spread over blocks differently",
                                1ull << bit);
    }
    for (int dim = 0; dim < BLOCK; dim++)
        for (int bit = 0; bit < lw_layout_in_log2(map, dim); bit++) {
            lw_layout_basis(map, dim, bit, image);
            uint64_t part = partition < 0 ? 0 : image[partition];
            if (part && dim == LANE)
                return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                    "lane %llu is in another partition than lane 0: it is unknown "
                                    "how several memories serve one instruction",
                                    1ull << bit);
            to[dim][bit] = image[offset] | part << (bits < 8 ? 8 : bits);
            for (int d = 0; d < map->out.count; d++)
                if (d != offset && d != partition && image[d])
                    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                        "%s %llu is in the memory of another %s: a plan covers the "
                                        "accesses of a block to its own memory",
                                        map->in.dim[dim].name, 1ull << bit, map->out.dim[d].name);
        }
    o->lanes = lw_layout_in_log2(map, LANE);
    o->warps = lw_layout_in_log2(map, LANE + 1);
    return true;
}

/* The offsets of a linear layout in registers in linear or padded memory. When one of the maps is
 * neither, sets *linear to false and succeeds. Registers that repeat another are left out, unless
 * the plan is as written: they are neither stored nor loaded. */
static bool make_offsets(struct lw_offsets *offsets, struct lw_layout *registers,
                         const struct lw_plan_request *request, bool *linear, struct lw_error *err)
{
    struct lw_layout memory, map;
    const struct lw_map *to = request->memory;
    memset(offsets, 0, sizeof *offsets);
    offsets->padded = to->kind == LW_MAP_PADDED ? to : NULL;
    offsets->in_order = request->stage == LW_PLAN_WRITTEN;
    *linear = lw_register_layout(registers, request->registers, request->hardware->lanes, NULL) &&
              (offsets->padded || lw_map_to_layout(to, &memory, NULL));
    if (!*linear)
        return true;
    if (offsets->padded)
        memory = to->as.padded.layout;
    if (!lw_plan_check_lanes(registers->in.dim[1].size, request->hardware, err) ||
        !lw_layout_invert_and_compose(&map, registers, &memory,
                                      lw_triton_identity_rule(request->triton), err))
        return false;
    if (!set_bits(offsets, &map, lw_dims_find(&map.out, to->in.dim[lw_memory_dim(to)].name), err))
        return false;
    for (int bit = 0; bit < lw_layout_in_log2(registers, 0); bit++)
        if (offsets->in_order || registers->basis[bit]) {
            offsets->reg[offsets->registers] = offsets->reg[bit];
            offsets->reg_bit[offsets->registers++] = bit;
        }
    return true;
}

/* ---- The predicated tail ----
 *
 * A tensor that is loaded and then stored to global memory is stored by the first owner of each
 * element only. Loads that only the last of a thread's global stores needs are executed under the
 * predicate of that store, so warps and lanes that hold copies skip them.
 * Source: the machine code of compiled kernels, and their counters.
 */

/* How many elements a thread stores at once: its leading registers that are consecutive along the
 * last dim, up to 16 bytes. */
static uint64_t store_vector(const struct lw_layout *layout, int dim, unsigned bits)
{
    int last = layout->out.count - 1;
    uint64_t image[LW_DIMS_MAX], run = 1;
    bool running = true;
    for (int bit = 0; bit < lw_layout_in_log2(layout, dim); bit++) {
        lw_layout_basis(layout, dim, bit, image);
        for (int o = 0; o <= last; o++)
            running = running && image[o] == (o == last ? run : 0);
        run <<= running;
    }
    return run < 128 / bits ? run : 128 / bits;
}

void lw_tail_make(struct lw_tail *tail, const struct lw_layout *registers, unsigned bits)
{
    uint64_t masks[LW_DIMS_MAX];
    int dim = lw_dims_find(&registers->in, "register");
    int lane = lw_dims_find(&registers->in, "lane"), warp = lw_dims_find(&registers->in, "warp");
    memset(tail, 0, sizeof *tail);
    if (dim < 0 || registers->out.count == 0 || bits > 128)
        return;
    lw_layout_free_masks(registers, masks);
    tail->lane_mask = lane < 0 ? 0 : masks[lane];
    tail->warp_mask = warp < 0 ? 0 : masks[warp];
    uint64_t vector = store_vector(registers, dim, bits);
    unsigned word = bits < 32 ? 32 / bits : 1;
    tail->word = word < vector ? word : (unsigned)vector;
    tail->first = registers->in.dim[dim].size - vector;
    tail->any = tail->lane_mask || tail->warp_mask;
    /* There is no tail when registers repeat another: these are stored again, before the last store or with it. */
    for (int bit = 0; bit < lw_layout_in_log2(registers, dim); bit++)
        if (!registers->basis[lw_layout_in_shift(registers, dim) + bit])
            tail->any = false;
}

/* ---- Which instruction fits ---- */

static bool low_bits(const uint64_t *bases, int count, uint64_t low)
{
    for (int i = 0; i < count; i++)
        if (bases[i] & low)
            return true;
    return false;
}

/* Orders the positions of registers: first those whose offsets are 1, 2, ... below 2^bits, then the
 * others. Which of them a vector may have: in_order allows only the first ones. Returns how many were
 * found. */
static int order_registers(const struct lw_offsets *o, int bits, bool in_order, int *order)
{
    uint64_t taken = 0;
    int count = 0;
    for (int bit = 0; bit < bits; bit++) {
        int i = in_order ? bit : 0;
        while (i < o->registers && !in_order && o->reg[i] != (uint64_t)1 << bit)
            i++;
        if (i >= o->registers || o->reg[i] != (uint64_t)1 << bit)
            break;
        taken |= (uint64_t)1 << i;
        order[count++] = i;
    }
    int found = count;
    for (int i = 0; i < o->registers; i++)
        if (!(taken >> i & 1))
            order[count++] = i;
    return found;
}

/* Whether registers cover the low bits of offsets, and no other register, no lane from `lane` on and no
 * warp has one of the bits `low`. Sets the order of the registers. */
static bool cover(const struct lw_offsets *o, int bits, uint64_t low, int lane, bool in_order,
                  int *order)
{
    if (order_registers(o, bits, in_order, order) < bits)
        return false;
    for (int i = bits; i < o->registers; i++)
        if (o->reg[order[i]] & low)
            return false;
    return !low_bits(o->lane + lane, o->lanes - lane, low) && !low_bits(o->warp, o->warps, low);
}

/* Whether lanes 4, 8 and 16 cover the 8 items of a column, and other offsets have none of the bits `low`
 * but for registers with the offset `apart`. */
static bool fit_columns(const struct lw_offsets *o, uint64_t low, uint64_t apart)
{
    for (int i = 0; i < o->registers; i++)
        if (o->reg[i] != apart && (o->reg[i] & low))
            return false;
    return o->registers > 0 && o->lane[2] == 1 && o->lane[3] == 2 && o->lane[4] == 4 &&
           !low_bits(o->lane, 2, low) && !low_bits(o->warp, o->warps, low);
}

bool lw_offsets_fit(const struct lw_offsets *o, unsigned bits, enum lw_move_kind move)
{
    int order[LW_BITS_MAX];
    if (move == LW_MOVE_PLAIN)
        return true;
    if (o->padded || o->lanes != 5 || bits < 8 || bits > 32)
        return false;
    if (move == LW_MOVE_TRANSPOSED)
        return bits == 16 && fit_columns(o, 7, 0);
    int n = lw_matrix_inner_bits(bits, move);
    return o->lane[0] == (uint64_t)1 << n && o->lane[1] == (uint64_t)2 << n &&
           cover(o, n, ((uint64_t)4 << n) - 1, 2, false, order);
}

/* Whether 16 x 16 matrices of bytes fit, which sm100 and later can transpose. Their cost is unknown. */
static bool fit_bytes(const struct lw_offsets *o, bool store)
{
    int eights = 0;
    for (int i = 0; i < o->registers; i++)
        eights += o->reg[i] == 8;
    return !o->padded && o->lanes == 5 && o->registers >= (store ? 2 : 3) && eights == 1 &&
           fit_columns(o, 15, 8);
}

/* Chooses as the compiler does: matrix instructions if they fit, else transposed ones, else plain accesses. Fails
 * where the compiler would choose an instruction whose cost is unknown. */
static bool choose(const struct lw_offsets *offsets, const struct lw_plan_request *request,
                   enum lw_move_kind *move, struct lw_error *err)
{
    const struct lw_bank_model *banks = request->hardware->banks;
    bool store = request->op == LW_ACCESS_STORE;
    unsigned sm, bits = request->element_bits;
    *move = LW_MOVE_PLAIN;
    if (store ? !banks->stmatrix : !banks->ldmatrix)
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

/* log2 of the elements that Triton moves at once; order[b] is the position of the register that
 * moves offset bit b, the other registers follow. */
static int vector_of(const struct lw_offsets *o, unsigned bits, int *order)
{
    uint64_t interval = interval_of(o);
    int vector = lw_log2(interval ? interval : 128 / bits);
    while (!cover(o, vector, lw_f2_mask(vector), 0, interval || o->in_order, order))
        vector--;
    return vector;
}

/* ---- Matrices ---- */

/* The number of the register with these positions of `order` set. */
static uint32_t register_at(const struct lw_offsets *o, const int *order, uint64_t index)
{
    uint64_t number = o->reg_base;
    for (; index; index &= index - 1)
        number |= (uint64_t)1 << o->reg_bit[order[__builtin_ctzll(index)]];
    return (uint32_t)number;
}

/* Since Triton 3.9: the first register of a transposed matrix, which moves its rows with lanes 0 and 1, is the first
 * one whose offset is in other banks than theirs; without one, the first of all, as in older versions.
 * Source: the addresses of compiled code. */
static void choose_rows(const struct lw_offsets *o, unsigned bits, int *order)
{
    const uint64_t banks = 1024 / bits - 1; /* of offsets, those of 128 bytes */
    const uint64_t a = o->lane[0] & banks, b = o->lane[1] & banks;
    int chosen = 0;
    while (chosen < o->registers) {
        const uint64_t offset = o->reg[order[chosen]] & banks;
        if (offset && offset != a && offset != b && offset != (a ^ b))
            break;
        chosen++;
    }
    if (chosen == o->registers)
        return;
    const int first = order[chosen];
    memmove(order + 1, order, (size_t)chosen * sizeof *order);
    order[0] = first;
}

/* Registers in the order of a matrix instruction: those within 32 bits, those that select a matrix, the
 * rest. */
static bool lower_matrix(struct lw_plan *plan, struct lw_error *err)
{
    const struct lw_offsets *o = &plan->parts->offsets;
    bool trans = plan->parts->move == LW_MOVE_TRANSPOSED;
    uint64_t count = (uint64_t)1 << o->registers;
    int order[LW_BITS_MAX];
    order_registers(o,
                    trans ? 0 : lw_matrix_inner_bits(plan->request.element_bits, plan->parts->move),
                    false, order);
    if (trans && lw_triton_since(plan->request.triton, LW_TRITON_3_9))
        choose_rows(o, plan->request.element_bits, order);
    if (!lw_plan_reserve(plan, count, err))
        return false;
    for (uint64_t i = 0; i < count; i++)
        plan->parts->reg[i] = register_at(o, order, i);
    return lw_plan_matrices(plan, count, err);
}

/* ---- Plain accesses ---- */

struct lowering {
    const struct lw_offsets *offsets;
    bool merges, merges_all; /* also accesses beyond the first interval of a padding */
    int order
        [LW_BITS_MAX]; /* of registers: those of a vector, then those of the xored part, then */
    int vector, xors;  /* those of the added part, the least offset first */
    unsigned step;     /* elements of an access */
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

/* Sorts the registers outside the vector into those of the xored and those of the added part. */
static void split_registers(struct lowering *l)
{
    const struct lw_offsets *o = l->offsets;
    int added[LW_BITS_MAX], count = 0, xors = 0;
    for (int i = l->vector; i < o->registers; i++) {
        uint64_t offset = o->reg[l->order[i]];
        int at = count;
        bool is_added = !(offset & moved_by_threads(o));
        for (int k = 0; k < o->lanes + o->warps; k++)
            is_added = is_added || offset == (k < o->lanes ? o->lane[k] : o->warp[k - o->lanes]);
        if (!is_added) {
            l->order[l->vector + xors++] = l->order[i];
            continue;
        }
        for (; l->merges && at > 0 && o->reg[added[at - 1]] > offset; at--)
            added[at] = added[at - 1];
        added[at] = l->order[i];
        count++;
    }
    memcpy(&l->order[l->vector + xors], added, (size_t)count * sizeof *added);
    l->xors = xors;
}

/* The xor of the offsets of registers with these positions of `order` set. */
static uint64_t offset_at(const struct lowering *l, int from, uint64_t index)
{
    uint64_t offset = 0;
    for (; index; index &= index - 1)
        offset ^= l->offsets->reg[l->order[from + __builtin_ctzll(index)]];
    return offset;
}

/* Bits with the alignment of the addresses of a group, in elements, without the added part. Padding
 * adds (offset / interval) * size. */
static uint64_t group_bits(const struct lw_offsets *o, uint64_t xored)
{
    uint64_t all = moved_by_threads(o), either = all | xored;
    for (int i = 0; o->padded && i < o->padded->as.padded.count; i++) {
        const struct lw_padding *padding = &o->padded->as.padded.padding[i];
        uint64_t times = either / padding->interval;
        all |= (times & (~times + 1)) * padding->size;
    }
    return all;
}

/* Lists the accesses and their registers, in order, which mostly is that of merging. An access may be
 * merged with those that have the same xored part, at a neighbouring offset with the same padding. */
static void list_pieces(const struct lowering *l, struct lw_piece *piece, uint32_t *reg)
{
    const struct lw_offsets *o = l->offsets;
    const int first = l->vector + l->xors, pluses = o->registers - first;
    uint64_t interval = interval_of(o);
    uint32_t kept = 0;
    for (uint64_t x = 0; x >> l->xors == 0; x++) {
        uint64_t xored = offset_at(l, l->vector, x), group = group_bits(o, xored);
        for (uint64_t p = 0; p >> pluses == 0; p++)
            for (uint64_t start = 0; start >> l->vector == 0; start += l->step) {
                uint64_t plus = offset_at(l, first, p), at = plus + start;
                uint64_t pad = o->padded ? lw_map_pad(o->padded, at) - at : 0;
                uint64_t offset = (xored ^ plus) + start;
                bool alone = interval && at >= interval && !l->merges_all;
                *piece++ = (struct lw_piece){.key = {2 * x + alone, pad, offset},
                                             .either = group | (offset + pad),
                                             .first = kept,
                                             .follows = l->merges && !alone};
                for (unsigned k = 0; k < l->step; k++)
                    reg[kept++] = register_at(o, l->order, p << first | x << l->vector | start | k);
            }
    }
}

/* Sorts the pieces, which mostly are in order already, and finds which follow the one before it. */
static void find_runs(struct lw_piece *pieces, uint64_t count, unsigned step)
{
    uint64_t at = 1;
    while (at < count && lw_piece_compare(&pieces[at - 1], &pieces[at]) <= 0)
        at++;
    if (at < count)
        qsort(pieces, count, sizeof *pieces, lw_piece_compare);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t *key = pieces[i].key, *before = i ? pieces[i - 1].key : NULL;
        pieces[i].follows = pieces[i].follows && before && key[0] == before[0] &&
                            key[1] == before[1] && key[2] == before[2] + step;
    }
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
    struct lowering l = {.offsets = &plan->parts->offsets,
                         .merges = merges(&plan->request),
                         .merges_all = lw_triton_since(plan->request.triton, LW_TRITON_3_7)};
    unsigned max = 128 / plan->request.element_bits;
    l.vector = vector_of(l.offsets, plan->request.element_bits, l.order);
    l.step = l.vector < 8 && 1u << l.vector < max ? 1u << l.vector : max;
    split_registers(&l);
    uint64_t registers = (uint64_t)1 << l.offsets->registers, count = registers / l.step;
    struct lw_piece *pieces = lw_arena_alloc(&plan->arena, count * sizeof *pieces);
    uint32_t *reg = lw_arena_alloc(&plan->arena, registers * sizeof *reg);
    if (!pieces || !reg)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    list_pieces(&l, pieces, reg);
    if (l.merges)
        find_runs(pieces, count, l.step);
    return lw_plan_reserve(plan, registers, err) &&
           lw_plan_merge(plan, pieces, count, reg, l.step, err);
}

bool lw_plan_lower(struct lw_plan *plan, const struct lw_offsets *offsets, enum lw_move_kind move,
                   const struct lw_tail *tail, struct lw_error *err)
{
    if (!plan->parts)
        plan->parts = lw_arena_alloc(&plan->arena, sizeof *plan->parts);
    if (!plan->parts)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (offsets->registers > 20)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "too many instructions in the code of one warp: the limit is 2^16");
    plan->parts->offsets = *offsets;
    plan->parts->move = move;
    plan->parts->lanes = (uint64_t)1 << offsets->lanes;
    plan->parts->threads = plan->parts->lanes << offsets->warps;
    if (tail)
        plan->parts->tail = *tail;
    plan->rule = offsets->padded ? LW_PLAN_PADDED : LW_PLAN_LINEAR;
    plan->warps = (uint64_t)1 << offsets->warps;
    return (move == LW_MOVE_PLAIN ? lower_plain(plan, err) : lower_matrix(plan, err)) &&
           lw_plan_count(plan, err);
}

/* ---- All of it ---- */

/* Makes the plan by the compiler's rules where both maps are linear and elements are whole bytes, else by a table. */
static bool make(struct lw_plan *plan, struct lw_error *err)
{
    struct lw_plan_request *request = &plan->request;
    struct lw_layout registers;
    struct lw_offsets offsets;
    struct lw_tail tail = {0};
    enum lw_move_kind move = LW_MOVE_PLAIN;
    bool linear;
    if (!make_offsets(&offsets, &registers, request, &linear, err))
        return false;
    if (!linear || request->vector || request->element_bits < 8)
        return lw_plan_table(plan, err);
    if (request->stage != LW_PLAN_WRITTEN && !choose(&offsets, request, &move, err))
        return false;
    if (request->to_global && request->op == LW_ACCESS_LOAD && request->stage == LW_PLAN_COMPILED)
        lw_tail_make(&tail, &registers, request->element_bits);
    return lw_plan_lower(plan, &offsets, move, &tail, err);
}

bool lw_plan_make(struct lw_plan *plan, const struct lw_plan_request *request, struct lw_error *err)
{
    unsigned sm;
    memset(plan, 0, sizeof *plan);
    plan->request = *request;
    if (!request->hardware)
        plan->request.hardware = lw_hardware_default();
    if (!lw_hardware_sm(plan->request.hardware, &sm) && request->stage == LW_PLAN_COMPILED)
        plan->request.stage = LW_PLAN_TRITON;
    if (check(&plan->request, err) && make(plan, err))
        return true;
    lw_plan_free(plan);
    return false;
}

void lw_plan_free(struct lw_plan *plan)
{
    lw_arena_free(&plan->arena);
    plan->parts = NULL;
}

/* ---- Triton's estimate ----
 *
 * Triton's own estimate of bank conflicts. It divides the bits of an offset into those of the
 * vector, those of the bank and the rest, the segment, and counts 2^n - 1 conflicts, where n is
 * the dimension of what lanes and segment have in common. It covers one plain access of Triton's
 * vector: no matrix instructions, no merging by the back end, no bytes that lanes share. Source:
 * bankConflictsMemDesc of Triton 3.7.
 */

bool lw_plan_estimate(const struct lw_plan_request *request, uint64_t *conflicts)
{
    struct lw_layout registers, memory, map;
    struct lw_offsets offsets = {0};
    struct lw_space segment = {.dim = 0}, touched = {.dim = 0};
    const char *names[LW_DIMS_MAX];
    unsigned bits = request->element_bits;
    uint64_t hardware_lanes =
        (request->hardware ? request->hardware : lw_hardware_default())->lanes;
    int order[LW_BITS_MAX];
    if (bits > 128 || lw_log2(bits) < 0 ||
        !lw_map_to_hardware(request->registers, hardware_lanes, &registers, NULL) ||
        !lw_map_to_layout(request->memory, &memory, NULL) || lw_memory_dim(request->memory) != 0 ||
        lw_dims_size(&memory.in, "partition") > 1 || registers.out.count != memory.out.count)
        return false;
    for (int i = 0; i < registers.out.count; i++) {
        names[i] = registers.out.dim[i].name; /* Triton has no estimate for a part of the memory */
        if (lw_dims_size(&memory.out, names[i]) != registers.out.dim[i].size)
            return false;
    }
    if (!lw_layout_transpose_outs(&memory, &memory, names, NULL) ||
        !lw_layout_invert_and_compose(&map, &registers, &memory,
                                      lw_triton_identity_rule(request->triton), NULL))
        return false;
    int reg = lw_dims_find(&map.in, "register"), lane = lw_dims_find(&registers.in, "lane");
    for (int dim = 0, i = 0; dim < map.in.count; dim++)
        for (int bit = 0; bit < lw_layout_in_log2(&map, dim); bit++, i++)
            if (dim != reg)
                offsets.lane[offsets.lanes++] = map.basis[i];
            else if (registers.basis[i])
                offsets.reg[offsets.registers++] = map.basis[i];
    int vector = vector_of(&offsets, bits, order), total = lw_layout_in_bits(&memory);
    int bank = lw_log2(LW_TRITON_BANKS_BITS) - vector - lw_log2(bits),
        low = vector + (bank < total ? bank : total);
    int wide = vector + lw_log2(bits) - 5;
    int lanes = (lane < 0 ? 0 : lw_layout_in_log2(&registers, lane)) - (wide > 0 ? wide : 0);
    if (low > total || lanes < 0)
        return false;
    lw_space_add_all(&segment, memory.basis + low, total - low);
    if (lanes)
        lw_space_add_all(&touched, registers.basis + lw_layout_in_shift(&registers, lane), lanes);
    *conflicts = ((uint64_t)1 << lw_space_intersect(&segment, &touched).dim) - 1;
    return true;
}
