/*
 * Conversions: what moves, and by which instructions.
 *
 * Data moves in a dim unless the conversion is the identity on it and no other dim maps into it or out of it. Blocks
 * are checked first, then warps, lanes and registers: the first dim in which data moves gives the kind.
 *
 * Source: Triton's minimalCvtLayout and convert_layout (releases 3.6 to 3.9).
 */

#include "analysis/conversion/conversion_parts.h"
#include "analysis/owners.h"
#include "core/tile.h"
#include "laneway/algebra.h"

#include <string.h>

#define INDEX_DIMS 4

const char *lw_conversion_kind_name(enum lw_conversion_kind kind)
{
    static const char *const names[] = {"none", "registers", "shuffle", "shared", "blocks"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

/* ---- Layouts in registers ---- */

/* The layout of a map with all of the four dims, in order. `name`: "A" or "B", for messages. */
static bool in_registers(struct lw_layout *out, const struct lw_map *map, uint64_t lanes,
                         const char *which, struct lw_error *err)
{
    if (!lw_register_layout(out, map, lanes, err))
        return false;
    if (lw_layout_in_bits(out) >= LW_BITS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "layout %s has 2^64 hardware indices: at most 2^63 are converted",
                            which);
    return lw_layout_is_surjective(out) ||
           lw_error_set(
               err, LW_ERROR_UNSUPPORTED,
               "layout %s does not cover every element: the elements that it does not hold cannot "
               "be converted",
               which);
}

/* The side of a layout with the dims register, lane, warp and block. */
static bool make_side(struct lw_conversion_side *side, const struct lw_layout *layout,
                      struct lw_error *err)
{
    const char *outs[LW_DIMS_MAX];
    memset(side, 0, sizeof *side);
    for (int i = 0; i < layout->out.count; i++)
        outs[i] = layout->out.dim[i].name;
    if (!lw_layout_sublayout(&side->layout, layout, lw_register_dims, LW_BY_COUNT, outs,
                             layout->out.count, err) ||
        !lw_layout_remove_zeros(&side->layout, &side->layout, lw_register_dims[0], err))
        return false;
    for (int by = 0; by < LW_BY_COUNT; by++)
        for (int i = 0; i < lw_layout_in_log2(&side->layout, by); i++)
            lw_points_add(&side->by[by],
                          side->layout.basis[lw_layout_in_shift(&side->layout, by) + i]);
    return true;
}

/* The index in `other` of the element of each index in `layout`. The compiler removes dims that are equal in both,
 * which can fail; then it is the least index that holds the element. */
static bool find_source(struct lw_layout *out, const struct lw_layout *layout,
                        const struct lw_layout *other, enum lw_triton triton, struct lw_error *err)
{
    struct lw_layout inverse;
    enum lw_identity_rule rule = lw_triton_identity_rule(triton);
    return lw_layout_invert_and_compose(out, layout, other, rule, NULL) ||
           (lw_layout_pseudoinvert(&inverse, other, err) &&
            lw_layout_compose(out, layout, &inverse, err));
}

/* ---- The kind ---- */

/* Sets *lane to the lane bit of `from` that selects, within a warp, the part that bit `warp` of the warp's number
 * selects in `to`; 0 when both layouts have the same basis there. False when there is no such bit. */
static bool lane_of_warp(const struct lw_conversion *conversion, int warp, uint64_t *lane)
{
    const struct lw_layout *from = &conversion->from, *to = &conversion->to;
    int shift = lw_layout_in_shift(from, LW_BY_LANE), i = 0;
    uint64_t moved = from->basis[lw_layout_in_shift(from, LW_BY_WARP) + warp] ^
                     to->basis[lw_layout_in_shift(to, LW_BY_WARP) + warp];
    while (moved && i < lw_layout_in_log2(from, LW_BY_LANE) && from->basis[shift + i] != moved)
        i++;
    *lane = moved ? (uint64_t)1 << i : 0;
    return !moved || i < lw_layout_in_log2(from, LW_BY_LANE);
}

/* Whether registers and lanes of `to` have their elements in registers and lanes of `from`, in the
 * same warp. */
static bool others_stay(const struct lw_conversion *conversion, const struct lw_layout *source)
{
    int warps = lw_layout_out_shift(source, LW_BY_WARP),
        from = lw_layout_in_shift(source, LW_BY_WARP),
        to = from + lw_layout_in_log2(source, LW_BY_WARP);
    for (int i = 0; i < lw_layout_in_bits(&conversion->to); i++)
        if ((i < from || i >= to) &&
            source->basis[i] >> warps & lw_f2_mask(lw_layout_out_log2(source, LW_BY_WARP)))
            return false;
    return true;
}

/* Since Triton 3.9, when every warp of `from` holds all that the warps of `to` divide, each warp gets its part from its
 * own lanes. Changes `source` to this where it is possible. */
static bool keep_warps(struct lw_conversion *conversion)
{
    struct lw_layout kept = conversion->source;
    int bits = lw_layout_in_log2(&kept, LW_BY_WARP), shift = lw_layout_in_shift(&kept, LW_BY_WARP);
    uint64_t lanes[LW_BITS_MAX] = {0};
    if (!lw_triton_since(conversion->request.triton, LW_TRITON_3_9) ||
        bits != lw_layout_in_log2(&conversion->from, LW_BY_WARP) || !others_stay(conversion, &kept))
        return false;
    for (int i = 0; i < bits; i++) {
        if (!lane_of_warp(conversion, i, &lanes[i]))
            return false;
        kept.basis[shift + i] = lanes[i] << lw_layout_out_shift(&kept, LW_BY_LANE) |
                                (uint64_t)1 << (lw_layout_out_shift(&kept, LW_BY_WARP) + i);
    }
    conversion->source = kept;
    memcpy(conversion->shuffle.warp_lanes, lanes, sizeof lanes);
    return true;
}

/* ---- Shuffles ----
 *
 * Conversions inside a warp: a permutation of register and lane bits, decomposed.
 *
 * Invariant: `to` is a permutation of the register bits followed by the lane bits. A cycle with
 * bits of both kinds has runs of lane bits between register bits:
 *
 *     (... r_m l_j ... l_k r_i ...) = (r_i l_j) * (... r_m r_i ...) (l_j ... l_k)
 *
 * so each run is one swap of a register bit with a lane bit, a permutation of lanes, and a
 * renaming of registers.
 *
 * Source: Triton's getWarpLayoutConvertDecomposition and transferWithinWarp (releases 3.6 and
 * 3.7).
 */

/* Both layouts with equal numbers of register and lane bits; bases that one lacks are 0. */
struct padded {
    int registers, bits;
    uint64_t from[LW_BITS_MAX], to[LW_BITS_MAX];
};

static int longer(const struct lw_points *a, const struct lw_points *b)
{
    return a->count > b->count ? a->count : b->count;
}

/* Fills both layouts. A lane bit of `from` that the warps select counts as a basis of copies: it is the same for all
 * lanes of a warp. */
static bool pad(struct padded *padded, const struct lw_shuffle *shuffle,
                const struct lw_conversion_side *from, const struct lw_conversion_side *to)
{
    const struct lw_points *a = from->by, *b = to->by;
    int registers = longer(&a[LW_BY_REGISTER], &b[LW_BY_REGISTER]);
    int lanes = longer(&a[LW_BY_LANE], &b[LW_BY_LANE]);
    if (registers + lanes > LW_BITS_MAX)
        return false;
    *padded = (struct padded){.registers = registers, .bits = registers + lanes};
    for (int by = LW_BY_REGISTER; by <= LW_BY_LANE; by++) {
        size_t start = by == LW_BY_LANE ? (size_t)registers : 0;
        memcpy(padded->from + start, a[by].at, (size_t)a[by].count * sizeof *a[by].at);
        memcpy(padded->to + start, b[by].at, (size_t)b[by].count * sizeof *b[by].at);
    }
    for (int i = 0; i < LW_BITS_MAX; i++)
        if (shuffle->warp_lanes[i])
            padded->from[registers + lw_log2(shuffle->warp_lanes[i])] = 0;
    return true;
}

/* Where each bit of an index in `from` moves to; -1 for a zero basis. Registers, or lanes, that are equal in both do
 * not move. False when a bit moves to a sum of bits. */
static bool skeleton(const struct padded *padded, int *to)
{
    int start[3] = {0, padded->registers, padded->bits};
    struct lw_solver solver;
    uint64_t column[LW_BITS_MAX], x;
    int bit[LW_BITS_MAX], cols = 0;
    bool equal[2];
    for (int by = 0; by < 2; by++) {
        size_t size = (size_t)(start[by + 1] - start[by]) * sizeof *padded->to;
        equal[by] = !memcmp(padded->from + start[by], padded->to + start[by], size);
        for (int i = start[by]; i < start[by + 1] && !equal[by]; i++) {
            bit[cols] = i;
            column[cols++] = padded->to[i];
        }
    }
    lw_solver_init(&solver, column, cols);
    for (int i = 0; i < padded->bits; i++) {
        to[i] = i;
        if (equal[i >= padded->registers])
            continue;
        if (!lw_solver_solve(&solver, padded->from[i], &x) || (x & (x - 1)))
            return false;
        to[i] = x ? bit[__builtin_ctzll(x)] : -1;
    }
    return true;
}

/* Zero bases hold copies: a basis that is 0 in both does not move, the other zero bases of `from` move to those of `to`
 * in order. */
static void fill_zeros(const struct padded *padded, int *to)
{
    int free = 0;
    for (int i = 0; i < padded->bits; i++) {
        if (padded->from[i])
            continue;
        to[i] = i;
        if (!padded->to[i])
            continue;
        while (free < padded->bits && (padded->to[free] || !padded->from[free]))
            free++;
        to[i] = free < padded->bits ? free : -1;
        free++;
    }
}

/* Walks the cycle of `start`, which begins with a register if it has one, and marks it as seen. */
static void walk(struct lw_shuffle *shuffle, int start, uint64_t *seen)
{
    int registers = shuffle->register_bits, at = start, first_lane = -1;
    do {
        int next = shuffle->to[at];
        bool lane = at >= registers, next_lane = next >= registers;
        *seen |= (uint64_t)1 << at;
        if (lane && next_lane) {
            shuffle->lane_to[at - registers] = (unsigned char)(next - registers);
        } else if (next_lane) {
            first_lane = next - registers;
        } else if (lane) {
            shuffle->lane_to[at - registers] = (unsigned char)first_lane;
            shuffle->swap_register[shuffle->swaps] = (unsigned char)next;
            shuffle->swap_lane[shuffle->swaps++] = (unsigned char)first_lane;
        }
        at = next;
    } while (at != start);
}

/* Decomposes the conversion into permutations of bits, for elements of `bits` bits; the member
 * warp_lanes is set already. False when the layouts do not permute bits. */
static bool find_permutations(struct lw_shuffle *shuffle, const struct lw_conversion_side *from,
                              const struct lw_conversion_side *to, unsigned bits)
{
    struct padded padded;
    int goes[LW_BITS_MAX];
    uint64_t reached = 0, seen = 0;
    if (!pad(&padded, shuffle, from, to) || !skeleton(&padded, goes))
        return false;
    fill_zeros(&padded, goes);
    for (int i = 0; i < padded.bits; i++) {
        if (goes[i] < 0 || reached >> goes[i] & 1)
            return false;
        reached |= (uint64_t)1 << goes[i];
        shuffle->to[i] = (unsigned char)goes[i];
    }
    shuffle->register_bits = padded.registers;
    shuffle->lane_bits = padded.bits - padded.registers;
    for (int i = 0; i < padded.bits; i++)
        if (!(seen >> i & 1))
            walk(shuffle, i, &seen);
    for (int i = 0; i < LW_BITS_MAX; i++)
        shuffle->lanes_permuted = shuffle->lanes_permuted || shuffle->warp_lanes[i] ||
                                  (i < shuffle->lane_bits && shuffle->lane_to[i] != i);
    int pack = bits > 16 ? 0 : bits > 8 ? 1 : 2, room = padded.registers - shuffle->swaps;
    shuffle->pack = pack < room ? pack : room;
    shuffle->words = bits > 32 ? bits / 32 : 1;
    return true;
}

/* ---- Through shared memory ----
 *
 * A conversion through shared memory: stores and loads, in rounds over the same bytes.
 *
 * Invariant: every round has the same offsets; the registers of round k are those of the first
 * round xored with the register bits that k selects. Only the last round can have loads of a
 * predicated tail.
 *
 * Source: Triton's transferWithinBlockSwizzling (releases 3.6 and 3.7), checked against compiled
 * kernels.
 */

/* Splits the register bits of one side: into `round` those that select the round, into offsets
 * the others. */
static bool split_registers(struct lw_offsets *offsets, uint64_t *round,
                            const struct lw_layout *cvt, const struct lw_layout *layout)
{
    uint64_t image[2];
    for (int i = 0, bit = 0; i < lw_layout_in_log2(cvt, LW_BY_REGISTER); i++, bit++) {
        while (!layout->basis[bit]) /* cvt has no registers that repeat another */
            bit++;
        lw_layout_basis(cvt, LW_BY_REGISTER, i, image);
        if (image[1] && (image[0] || lw_log2(image[1]) < 0))
            return false;
        if (image[1]) {
            round[lw_log2(image[1])] = (uint64_t)1 << bit;
        } else {
            offsets->reg[offsets->registers] = image[0];
            offsets->reg_bit[offsets->registers++] = bit;
        }
    }
    return true;
}

static bool offsets_of(const struct lw_layout *cvt, int dim, uint64_t *offsets, int *count)
{
    uint64_t image[2];
    *count = lw_layout_in_log2(cvt, dim);
    for (int i = 0; i < *count; i++) {
        lw_layout_basis(cvt, dim, i, image);
        offsets[i] = image[0];
        if (image[1])
            return false;
    }
    return true;
}

/* The offsets of the first round, and which register bits select the other rounds. */
static bool make_offsets(struct lw_offsets *offsets, uint64_t *round,
                         const struct lw_conversion_side *side, const struct lw_layout *layout,
                         const struct lw_conversion *conversion, struct lw_error *err)
{
    enum lw_identity_rule rule = lw_triton_identity_rule(conversion->request.triton);
    struct lw_layout cvt;
    *offsets = (struct lw_offsets){0};
    if (!lw_layout_invert_and_compose(&cvt, &side->layout, &conversion->memory, rule, err))
        return false;
    return (split_registers(offsets, round, &cvt, layout) &&
            offsets_of(&cvt, LW_BY_LANE, offsets->lane, &offsets->lanes) &&
            offsets_of(&cvt, LW_BY_WARP, offsets->warp, &offsets->warps)) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "the compiler's rules for rounds do not apply: a lane or warp would be in "
                        "several rounds");
}

static bool lower(struct lw_plan *plan, const struct lw_conversion *conversion, bool store,
                  const struct lw_offsets *offsets, const struct lw_tail *tail,
                  struct lw_error *err)
{
    const struct lw_conversion_request *request = &conversion->request;
    unsigned bits = request->element_bits < 8 ? 8 : request->element_bits, sm;
    enum lw_move_kind move = store ? conversion->exchange.store : conversion->exchange.load;
    plan->request.element_bits = bits;
    plan->request.op = store ? LW_ACCESS_STORE : LW_ACCESS_LOAD;
    plan->request.hardware = request->hardware;
    plan->request.triton = request->triton;
    plan->request.stage = lw_hardware_sm(request->hardware, &sm) ? request->stage : LW_PLAN_TRITON;
    plan->request.to_global = tail->any;
    plan->request.any_cost = request->any_cost;
    if (!lw_offsets_fit(offsets, bits, move))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "the compiler's rules choose %s, but it cannot move these registers",
                            store ? "stmatrix" : "ldmatrix");
    return lw_plan_lower(plan, offsets, move, tail, err);
}

static void add_total(struct lw_plan_total *total, const struct lw_plan_total *more, uint64_t times)
{
    total->instructions += more->instructions * times;
    total->matrix += more->matrix * times;
    total->wavefronts += more->wavefronts * times;
    total->conflicts += more->conflicts * times;
    total->ideal += more->ideal * times;
    total->bytes += more->bytes * times;
}

/* Makes the plans of both sides and their totals for the chosen memory; the last round of loads has one of its
 * own where it has a tail. On failure the caller frees what was made. */
static bool lower_sides(struct lw_conversion *c, const struct lw_conversion_side *from,
                        const struct lw_conversion_side *to, struct lw_error *err)
{
    uint64_t a = lw_dims_size(&c->from.in, "lane"), b = lw_dims_size(&c->to.in, "lane");
    struct lw_offsets store, load;
    const struct lw_tail none = {0};
    struct lw_tail tail = {0};
    if (c->request.to_global && c->request.stage == LW_PLAN_COMPILED)
        lw_tail_make(&tail, &c->to, c->request.element_bits);
    if (!lw_plan_check_lanes(a > b ? a : b, c->request.hardware, err) ||
        !make_offsets(&store, c->store_round, from, &c->from, c, err) ||
        !lower(&c->store, c, true, &store, &none, err) ||
        !make_offsets(&load, c->load_round, to, &c->to, c, err) ||
        !lower(&c->load, c, false, &load, &none, err))
        return false;
    add_total(&c->store_total, &c->store.total, c->rounds);
    add_total(&c->load_total, &c->load.total, c->rounds - tail.any);
    if (!tail.any)
        return true;
    for (int i = 0; i < c->exchange.rounds; i++)
        load.reg_base |= c->load_round[i];
    if (!lower(&c->last_load, c, false, &load, &tail, err))
        return false;
    add_total(&c->load_total, &c->last_load.total, 1);
    return true;
}

const struct lw_error *lw_conversion_unknown(const struct lw_conversion *conversion)
{
    return conversion->store.unknown.code != LW_OK  ? &conversion->store.unknown
           : conversion->load.unknown.code != LW_OK ? &conversion->load.unknown
                                                    : NULL;
}

uint64_t lw_conversion_count(const struct lw_conversion *conversion, enum lw_access_op op)
{
    const struct lw_plan *plan = op == LW_ACCESS_STORE ? &conversion->store : &conversion->load;
    return conversion->kind == LW_CONVERSION_SHARED ? plan->count * conversion->rounds : 0;
}

/* ---- The cost ---- */

/* Whether each of `count` bases of a layout, from the first on, is 0 or a single bit of the tensor. */
static bool has_single_bits(const struct lw_layout *layout, int count)
{
    for (int i = 0; i < count; i++)
        if (layout->basis[i] & (layout->basis[i] - 1))
            return false;
    return true;
}

/* Whether Triton can convert a layout through shared memory: before 3.9 it fails when a basis is a sum of bits, since
 * then only when that is a basis of a register. `which`: "A" or "B", for messages. */
static bool check_single_bits(const struct lw_layout *layout, const char *which,
                              enum lw_triton triton, struct lw_error *err)
{
    bool since = lw_triton_since(triton, LW_TRITON_3_9);
    if (has_single_bits(layout, since ? lw_layout_in_log2(layout, LW_BY_REGISTER)
                                      : lw_layout_in_bits(layout)))
        return true;
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "Triton %s does not compile this: %s of layout %s are sums of bits",
                        lw_triton_name(triton), since ? "bases of registers" : "bases", which);
}

/* Sets the number of shuffles. False: it goes through shared memory, as it does where a basis is a sum of bits. */
static bool find_shuffle(struct lw_conversion *conversion, const struct lw_conversion_side *from,
                         const struct lw_conversion_side *to)
{
    struct lw_shuffle *shuffle = &conversion->shuffle;
    if (!has_single_bits(&conversion->from, lw_layout_in_bits(&conversion->from)) ||
        !has_single_bits(&conversion->to, lw_layout_in_bits(&conversion->to)) ||
        !find_permutations(shuffle, from, to, conversion->request.element_bits) ||
        shuffle->swaps > 1)
        return false;
    uint64_t values = (uint64_t)1 << (shuffle->register_bits - shuffle->pack);
    conversion->rounds = shuffle->lanes_permuted ? values : shuffle->swaps ? values / 2 : 0;
    conversion->shuffles = conversion->rounds * shuffle->words;
    return true;
}

static bool find_exchange(struct lw_conversion *conversion, const struct lw_conversion_side *from,
                          const struct lw_conversion_side *to, struct lw_error *err)
{
    unsigned bits = conversion->request.element_bits;
    bits = bits < 8 ? 8 : bits; /* smaller elements are stored as bytes */
    if (bits > 128 || lw_log2(bits) < 0)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "elements of %u bits cannot go through shared memory: they must have 1, 2, 4, ..., 128",
            bits);
    enum lw_triton triton = conversion->request.triton;
    if (!check_single_bits(&conversion->from, "A", triton, err) ||
        !check_single_bits(&conversion->to, "B", triton, err))
        return false;
    if (!lw_exchange_find(&conversion->exchange, &conversion->memory, from, to, bits,
                          &conversion->request, err))
        return false;
    conversion->rounds = (uint64_t)1 << conversion->exchange.rounds;
    conversion->shared_bytes = conversion->memory.in.dim[0].size * (bits / 8);
    return lower_sides(conversion, from, to, err);
}

static bool find_cost(struct lw_conversion *conversion, struct lw_error *err)
{
    struct lw_conversion_side from, to;
    if (!make_side(&from, &conversion->from, err) || !make_side(&to, &conversion->to, err))
        return false;
    if (conversion->kind == LW_CONVERSION_SHUFFLE && !find_shuffle(conversion, &from, &to)) {
        conversion->kind = LW_CONVERSION_SHARED;
        conversion->within_warps = true;
    }
    return conversion->kind != LW_CONVERSION_SHARED || find_exchange(conversion, &from, &to, err);
}

bool lw_conversion_trace(struct lw_conversion *conversion,
                         const struct lw_conversion_request *request, struct lw_error *err)
{
    static const enum lw_conversion_kind kinds[] = {LW_CONVERSION_NONE, LW_CONVERSION_REGISTERS,
                                                    LW_CONVERSION_SHUFFLE, LW_CONVERSION_SHARED,
                                                    LW_CONVERSION_BLOCKS};
    memset(conversion, 0, sizeof *conversion);
    conversion->request = *request;
    if (!request->hardware)
        conversion->request.hardware = lw_hardware_default();
    uint64_t lanes = conversion->request.hardware->lanes;
    if (!in_registers(&conversion->from, request->from, lanes, "A", err) ||
        !in_registers(&conversion->to, request->to, lanes, "B", err) ||
        !lw_same_tensor(&conversion->from.out, &conversion->to.out, err) ||
        !find_source(&conversion->map, &conversion->from, &conversion->to, request->triton, err) ||
        !find_source(&conversion->source, &conversion->to, &conversion->from, request->triton, err))
        return false;
    /* The slowest of the four dims that the conversion does not change are removed. */
    struct lw_layout left = conversion->source;
    int count = INDEX_DIMS;
    while (count > 0 && lw_layout_quotient(&left, &left, &lw_register_dims[count - 1], 1, NULL))
        count--;
    conversion->kind = kinds[count];
    if (conversion->kind == LW_CONVERSION_SHARED && keep_warps(conversion))
        conversion->kind = LW_CONVERSION_SHUFFLE;
    return true;
}

bool lw_conversion_make(struct lw_conversion *conversion,
                        const struct lw_conversion_request *request, struct lw_error *err)
{
    if (lw_conversion_trace(conversion, request, err) && find_cost(conversion, err))
        return true;
    lw_conversion_free(conversion);
    return false;
}

void lw_conversion_free(struct lw_conversion *conversion)
{
    lw_plan_free(&conversion->store);
    lw_plan_free(&conversion->load);
    lw_plan_free(&conversion->last_load);
}

/* ---- How far elements move ----
 *
 * How far elements move: in closed form for linear layouts, index by index for others.
 *
 * The hardware indices whose lanes a linear map does not change are the null space of the lane
 * bits of map ^ identity, so a rank gives their number.
 */

/* ---- Linear ---- */

/* log2 of the indices whose dims from `from` on equal those of the index that the element comes
 * from. */
static int log2_equal(const struct lw_layout *source, int from)
{
    struct lw_matrix differ = {.rows = LW_BITS_MAX};
    uint64_t mask = 0;
    for (int d = from; d < source->out.count; d++)
        mask |= lw_f2_mask(lw_layout_out_log2(source, d)) << lw_layout_out_shift(source, d);
    for (int d = 0, i = 0; d < source->in.count; d++)
        for (int bit = 0; bit < lw_layout_in_log2(source, d); bit++, i++) {
            bool there = bit < lw_layout_out_log2(source, d);
            uint64_t same =
                there ? (uint64_t)1 << (lw_layout_out_shift(source, d) + bit) : (uint64_t)0;
            /* A bit that the other layout lacks must be 0: an index with it cannot be its own source. */
            if (there || d < from)
                differ.column[differ.cols++] = (source->basis[i] ^ same) & mask;
        }
    return differ.cols - lw_matrix_rank(&differ);
}

void lw_conversion_movement(const struct lw_conversion *conversion, struct lw_movement *movement)
{
    const struct lw_layout *source = &conversion->source;
    uint64_t nearer = 0;
    memset(movement, 0, sizeof *movement);
    movement->indices = (uint64_t)1 << lw_layout_in_bits(source);
    for (int distance = LW_DISTANCE_NONE; distance < LW_DISTANCE_COUNT; distance++) {
        uint64_t within = distance < LW_DISTANCE_BLOCK ? (uint64_t)1 << log2_equal(source, distance)
                                                       : movement->indices;
        movement->distance[distance] = within - nearer;
        nearer = within;
    }
}

/* ---- Index by index ---- */

#define OWNERS_MAX ((uint64_t)1 << 22)

static int distance_between(const struct lw_slot *a, const struct lw_slot *b)
{
    return a->block != b->block ? LW_DISTANCE_BLOCK
           : a->warp != b->warp ? LW_DISTANCE_WARP
           : a->lane != b->lane ? LW_DISTANCE_LANE
           : a->reg != b->reg   ? LW_DISTANCE_REGISTER
                                : LW_DISTANCE_NONE;
}

bool lw_movement_count(struct lw_movement *movement, const struct lw_map *from,
                       const struct lw_map *to, uint64_t lanes, struct lw_error *err)
{
    struct lw_owner_dims dims[2];
    uint64_t total, in[LW_DIMS_MAX], element[LW_DIMS_MAX];
    memset(movement, 0, sizeof *movement);
    if (!lw_owner_dims_find(&dims[0], &from->in, lanes, err) ||
        !lw_owner_dims_find(&dims[1], &to->in, lanes, err) ||
        !lw_same_tensor(&from->out, &to->out, err) || !lw_dims_total(&to->in, &total, err))
        return false;
    if (total > OWNERS_MAX || lw_map_replication(from) > OWNERS_MAX / total)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "too many hardware indices for layouts that are not linear, which are "
                            "counted one by one: the limit is 2^22");
    for (uint64_t i = 0; i < total; i++) {
        lw_dims_unflatten(&to->in, i, in);
        if (!lw_map_apply(to, in, element))
            continue;
        struct lw_slot own = lw_owner_slot(&dims[1], in);
        int nearest = LW_DISTANCE_COUNT;
        for (uint64_t k = 0; lw_map_owner(from, element, k, in); k++) {
            struct lw_slot there = lw_owner_slot(&dims[0], in);
            int distance = distance_between(&own, &there);
            nearest = distance < nearest ? distance : nearest;
        }
        if (nearest == LW_DISTANCE_COUNT)
            return lw_error_set(
                err, LW_ERROR_UNSUPPORTED,
                "layout A does not cover every element: the elements that it does not hold cannot "
                "be converted");
        movement->indices++;
        movement->distance[nearest]++;
    }
    return true;
}
