/*
 * Conversions: what moves, and by which instructions.
 *
 * Data moves in a dim unless the conversion is the identity on it and no other dim maps into it or out of it. Blocks
 * are checked first, then warps, lanes and registers: the first dim in which data moves gives the kind.
 *
 * Source: Triton's minimalCvtLayout and convert_layout (releases 3.6 to 3.9).
 */

#include "analysis/access/plan_parts.h"
#include "analysis/owners.h"
#include "core/subspace.h"
#include "core/tile.h"
#include "laneway/algebra.h"
#include "laneway/conversion.h"

#include <stdlib.h>
#include <string.h>

#define INDEX_DIMS 4

const char *lw_conversion_kind_name(enum lw_conversion_kind kind)
{
    static const char *const names[] = {"none", "registers", "shuffle", "shared", "blocks"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

/* ---- Layouts as lists of points ----
 *
 * Points of the tensor are flat numbers, the first dim in the low bits; the rules break ties by their order. */

/* A list of points. */
struct points {
    int count;
    uint64_t at[LW_BITS_MAX];
};

enum held_by { BY_REGISTER, BY_LANE, BY_WARP, BY_COUNT };

/* A layout in registers as lists of its bases. */
struct side {
    struct lw_layout layout; /* (register, lane, warp) -> tensor, without zero bases of registers */
    struct points by[BY_COUNT];
};

static bool has_point(const struct points *points, uint64_t point)
{
    for (int i = 0; i < points->count; i++)
        if (points->at[i] == point)
            return true;
    return false;
}

/* A full list ignores it; distinct points of one tensor never fill it. */
static void add_point(struct points *points, uint64_t point)
{
    if (points->count < LW_BITS_MAX)
        points->at[points->count++] = point;
}

static void add_all(struct points *points, const struct points *more)
{
    for (int i = 0; i < more->count; i++)
        add_point(points, more->at[i]);
}

static void add_absent(struct points *points, uint64_t point)
{
    if (!has_point(points, point))
        add_point(points, point);
}

static void cut(struct points *points, int count)
{
    points->count = points->count < count ? points->count : count;
}

static struct points without(const struct points *points, const struct points *taken)
{
    struct points left = {0};
    for (int i = 0; i < points->count; i++)
        if (!has_point(taken, points->at[i]))
            add_point(&left, points->at[i]);
    return left;
}

static struct points nonzero(const struct points *points)
{
    static const struct points zero = {1, {0}};
    return without(points, &zero);
}

static uint64_t least(const struct points *points)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < points->count; i++)
        least = points->at[i] < least ? points->at[i] : least;
    return least;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort(struct points *points)
{
    qsort(points->at, (size_t)points->count, sizeof *points->at, by_value);
}

static bool all_single_bits(const struct points *points)
{
    for (int i = 0; i < points->count; i++)
        if (lw_log2(points->at[i]) < 0)
            return false;
    return true;
}

static struct lw_space span_of(const struct points *points)
{
    struct lw_space space = {.dim = 0};
    lw_space_add_all(&space, points->at, points->count);
    return space;
}

/* log2 of the number of points in the intersection of both spans. */
static int common_rank(const struct points *a, const struct points *b)
{
    struct lw_space x = span_of(a), y = span_of(b);
    return lw_space_intersect(&x, &y).dim;
}

/* A basis of the points with an even number of bits in common with each of the given ones. */
static struct points null_space(const struct points *points, int dim)
{
    struct lw_matrix rows = {.rows = dim, .cols = points->count}, null_space;
    struct points out = {0};
    memcpy(rows.column, points->at, (size_t)points->count * sizeof *points->at);
    lw_matrix_transpose(&rows, &rows);
    lw_matrix_null_space(&null_space, &rows);
    for (int i = 0; i < null_space.cols; i++)
        add_point(&out, null_space.column[i]);
    return out;
}

/* A basis of the intersection of both spans, in the order of a where all points are single bits. */
static struct points common(const struct points *a, const struct points *b, int dim)
{
    if (!all_single_bits(a) || !all_single_bits(b)) {
        struct points out_a = null_space(a, dim), out_b = null_space(b, dim);
        add_all(&out_a, &out_b);
        return null_space(&out_a, dim);
    }
    struct points both = {0};
    for (int i = 0; i < a->count; i++)
        if (has_point(b, a->at[i]))
            add_point(&both, a->at[i]);
    return both;
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
static bool make_side(struct side *side, const struct lw_layout *layout, struct lw_error *err)
{
    const char *outs[LW_DIMS_MAX];
    memset(side, 0, sizeof *side);
    for (int i = 0; i < layout->out.count; i++)
        outs[i] = layout->out.dim[i].name;
    if (!lw_layout_sublayout(&side->layout, layout, lw_register_dims, BY_COUNT, outs,
                             layout->out.count, err) ||
        !lw_layout_remove_zeros(&side->layout, &side->layout, lw_register_dims[0], err))
        return false;
    for (int by = 0; by < BY_COUNT; by++)
        for (int i = 0; i < lw_layout_in_log2(&side->layout, by); i++)
            add_point(&side->by[by], side->layout.basis[lw_layout_in_shift(&side->layout, by) + i]);
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

/* Since Triton 3.9, when every warp of `from` holds all that the warps of `to` divide, each warp gets its part from
 * its own lanes: for each bit of the warp's number, the part that it selects in `to` is that of one lane bit in `from`,
 * or of none where both have the same basis. Changes `source` to this where it is possible. */
static bool keep_warps(struct lw_conversion *conversion)
{
    static const char *const others[] = {"register", "lane", "block"};
    const struct lw_layout *from = &conversion->from, *to = &conversion->to;
    struct lw_layout kept = conversion->source;
    int bits = lw_layout_in_log2(&kept, BY_WARP), lanes = lw_layout_in_log2(from, BY_LANE);
    uint64_t warp_lanes[LW_BITS_MAX] = {0};
    if (!lw_triton_since(conversion->request.triton, LW_TRITON_3_9) ||
        bits != lw_layout_in_log2(from, BY_WARP) ||
        !lw_layout_sublayout_is_zero(&kept, others, 3, &lw_register_dims[BY_WARP], 1))
        return false;
    for (int i = 0; i < bits; i++) {
        uint64_t moved = from->basis[lw_layout_in_shift(from, BY_WARP) + i] ^
                         to->basis[lw_layout_in_shift(to, BY_WARP) + i];
        int lane = 0;
        while (moved && lane < lanes &&
               from->basis[lw_layout_in_shift(from, BY_LANE) + lane] != moved)
            lane++;
        if (moved && lane == lanes)
            return false;
        warp_lanes[i] = moved ? (uint64_t)1 << lane : 0;
        kept.basis[lw_layout_in_shift(&kept, BY_WARP) + i] =
            warp_lanes[i] << lw_layout_out_shift(&kept, BY_LANE) |
            (uint64_t)1 << (lw_layout_out_shift(&kept, BY_WARP) + i);
    }
    conversion->source = kept;
    memcpy(conversion->shuffle.warp_lanes, warp_lanes, sizeof warp_lanes);
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

static int longer(const struct points *a, const struct points *b)
{
    return a->count > b->count ? a->count : b->count;
}

/* Finds where each bit of an index in `from` moves to, for bases that are 0 (as those that one lacks) or single bits.
 * Registers, or lanes, that have the same bases in both do not move; other bases move to the one that is equal. Zeros
 * hold copies: those of both do not move, the others move to the zeros of `to` in order. A lane bit of `from` that the
 * warps select holds copies too, as it is the same for all lanes of a warp. False when this is no permutation. */
static bool find_permutation(struct lw_shuffle *shuffle, const struct side *from,
                             const struct side *to)
{
    int registers = longer(&from->by[BY_REGISTER], &to->by[BY_REGISTER]);
    int lanes = longer(&from->by[BY_LANE], &to->by[BY_LANE]), bits = registers + lanes, zero = 0;
    uint64_t a[LW_BITS_MAX] = {0}, b[LW_BITS_MAX] = {0}, reached = 0;
    if (bits > LW_BITS_MAX)
        return false;
    for (int by = BY_REGISTER; by <= BY_LANE; by++) {
        int start = by == BY_LANE ? registers : 0;
        memcpy(a + start, from->by[by].at, (size_t)from->by[by].count * sizeof *a);
        memcpy(b + start, to->by[by].at, (size_t)to->by[by].count * sizeof *b);
    }
    for (int i = 0; i < LW_BITS_MAX; i++)
        if (shuffle->warp_lanes[i])
            a[registers + lw_log2(shuffle->warp_lanes[i])] = 0;
    bool same_registers = !memcmp(a, b, (size_t)registers * sizeof *a);
    bool same_lanes = !memcmp(a + registers, b + registers, (size_t)lanes * sizeof *a);
    int first = same_registers ? registers : 0, last = same_lanes ? registers : bits;
    for (int i = 0, at; i < bits; i++) {
        at = i;
        if (!a[i] && b[i]) {
            while (zero < bits && (b[zero] || !a[zero]))
                zero++;
            at = zero++;
        } else if (a[i] && i >= first && i < last) {
            for (at = first; at < last && b[at] != a[i];)
                at++;
            at = at < last ? at : bits;
        }
        if (at >= bits || reached >> at & 1)
            return false;
        reached |= (uint64_t)1 << at;
        shuffle->to[i] = (unsigned char)at;
    }
    shuffle->register_bits = registers;
    shuffle->lane_bits = lanes;
    return true;
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

/* ---- Through shared memory: the swizzle, and the instructions of both sides ----
 *
 * Points of the tensor are vectors over F2. The bits of the offset are, from low to high: the
 * vector (what both sides move at once), the bank (which of Triton's 32 banks) and the segment
 * (which row of banks). Invariant: vector, bank, segment and rounds together are a basis of the
 * tensor, so the swizzle holds each element once. An access has no conflicts when no segment bit
 * is among the bits in which its lanes differ, so bits that only one side uses are xored in pairs
 * to make segment bits.
 *
 * On NVIDIA a pair of instructions is searched first; otherwise the swizzle is for plain
 * accesses.
 *
 * Source: Triton's GenericSwizzling (releases 3.6 and 3.7), and for bases that are sums of bits the
 * swizzles of kernels that 3.9 compiled; the paper arXiv 2505.23819, section on optimal swizzling.
 */

/* What one instruction requires of the lanes: which lane bits are its consecutive elements, and which select the
 * addresses of one wavefront. All other bits are registers. */
struct tile_type {
    enum lw_move_kind op;
    int contiguous_count, address_count;
    int contiguous[3], address[3];
};

static const struct tile_type tile_types[] = {
    {LW_MOVE_PLAIN, 0, 3, {0}, {0, 1, 2}},
    {LW_MOVE_MATRIX, 2, 3, {0, 1}, {2, 3, 4}},
    {LW_MOVE_TRANSPOSED, 3, 2, {2, 3, 4}, {0, 1}},
};
#define MATRIX_LANE_BITS 5 /* the highest lane bit above, plus one */
#define PLAIN_LANE_BITS 3

struct choice {
    const struct side *from, *to;
    unsigned bits; /* of an element */
    int dim;       /* log2 of the elements */
    const struct lw_bank_model *banks;
    enum lw_identity_rule identity;
};

/* A swizzle while it is made. */
struct swizzle {
    struct points vector, bank, segment, rounds;
};

/* ---- A swizzle for a vector and the bits that the lanes of each side's access differ in ---- */

/* The single bits that are not the lowest bit of any vector of the reduced basis: they complete
 * it. */
static struct points complement(const struct points *vector, const struct points *segment, int dim)
{
    struct lw_space space = span_of(vector);
    struct points left = {0};
    uint64_t lowest = 0;
    lw_space_add_all(&space, segment->at, segment->count);
    for (int i = 0; i < space.dim; i++)
        lowest |= space.basis[i] & (~space.basis[i] + 1);
    for (int i = 0; i < dim; i++)
        if (!(lowest >> i & 1))
            add_point(&left, (uint64_t)1 << i);
    return left;
}

/* At most `max` bits for the segment: first those that neither side reaches in one access, then
 * xors of one that only one side reaches and one that only the other does, then, with conflicts,
 * bits of either side. */
static struct points segment_of(const struct points *x, const struct points *y, int dim, int max)
{
    static const struct points none = {0};
    struct points segment = complement(x, y, dim), both = common(x, y, dim);
    if (segment.count >= max) {
        cut(&segment, max);
        return segment;
    }
    struct points rest = complement(&both, &none, dim);
    struct points a = common(x, &rest, dim), b = common(y, &rest, dim);
    sort(&a);
    sort(&b);
    const struct points *less = a.count > b.count ? &b : &a, *more = less == &a ? &b : &a;
    int clash = max - less->count - segment.count;
    clash = clash < 0 ? 0 : clash > less->count ? less->count : clash;
    for (int i = clash; i < less->count; i++)
        add_point(&segment, less->at[i] ^ more->at[i]);
    for (int i = 0; i < clash; i++)
        add_point(&segment, less->at[i]);
    for (int i = 0; i < clash; i++)
        add_point(&segment, more->at[i]);
    cut(&segment, max);
    return segment;
}

/* Segment bits that are registers of both sides become rounds, except the first `leave` of them. */
static void make_swizzle(struct swizzle *out, const struct choice *choice,
                         const struct points *vector, const struct points *from_tile,
                         const struct points *to_tile, int leave)
{
    struct points x = *vector, y = *vector;
    add_all(&x, from_tile);
    add_all(&y, to_tile);
    x = nonzero(&x);
    y = nonzero(&y);
    int bank = lw_log2(LW_TRITON_BANKS_BITS / choice->bits) - vector->count,
        max = choice->dim - vector->count;
    bank = bank < 0 ? 0 : bank > max ? max : bank;
    *out = (struct swizzle){.vector = *vector};
    const struct points all = segment_of(&x, &y, choice->dim, max - bank);
    out->bank = complement(vector, &all, choice->dim);
    for (int i = 0; i < all.count; i++) {
        bool both = has_point(&choice->from->by[BY_REGISTER], all.at[i]) &&
                    has_point(&choice->to->by[BY_REGISTER], all.at[i]);
        bool left = both && leave-- > 0;
        add_point(both && !left ? &out->rounds : &out->segment, all.at[i]);
    }
}

/* ---- Pairs of instructions that both move 16 bytes of each lane ---- */

/* The vector when instructions of type `ta` move `a` and those of type `tb` move `b`, and a's
 * lanes hold at least as many registers of it as b's; false when they do not fit. */
static bool match(struct points *vector, const struct choice *choice, const struct side *a,
                  const struct side *b, const struct tile_type *ta, const struct tile_type *tb)
{
    int total = lw_log2(128 / choice->bits);
    int in_a = total - ta->contiguous_count, in_b = total - tb->contiguous_count;
    struct lw_layout cvt;
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX];
    *vector = common(&a->by[BY_REGISTER], &b->by[BY_REGISTER], choice->dim);
    if (vector->count < in_b || in_b < 0 ||
        !lw_layout_invert_and_compose(&cvt, &b->layout, &a->layout, choice->identity, NULL))
        return false;
    cut(vector, in_b);
    for (int i = 0; i < ta->contiguous_count; i++)
        if (!a->by[BY_LANE].at[ta->contiguous[i]])
            return false;
    for (int i = 0; i < tb->contiguous_count; i++) {
        int bit = tb->contiguous[i], twin = i - (tb->contiguous_count - ta->contiguous_count);
        in[BY_LANE] = (uint64_t)1 << bit;
        lw_layout_apply(&cvt, in, out);
        if (!b->by[BY_LANE].at[bit] || (i < in_a - in_b && !out[BY_REGISTER]) ||
            (twin >= 0 && out[BY_LANE] != (uint64_t)1 << ta->contiguous[twin]))
            return false;
        add_point(vector, b->by[BY_LANE].at[bit]);
    }
    return true;
}

/* The three bits in which the addresses of one wavefront differ: registers outside the vector,
 * then the address lanes. */
static bool tile_of(struct points *tile, const struct side *side, const struct tile_type *type,
                    const struct points *vector)
{
    *tile = without(&side->by[BY_REGISTER], vector);
    if (tile->count < 3 - type->address_count)
        return false;
    cut(tile, 3 - type->address_count);
    for (int i = 0; i < type->address_count; i++)
        add_point(tile, side->by[BY_LANE].at[type->address[i]]);
    return true;
}

struct pair {
    struct swizzle swizzle;
    const struct tile_type *store, *load;
    uint64_t conflicts;
};

static bool try_pair(struct pair *pair, const struct choice *choice)
{
    const struct side *from = choice->from, *to = choice->to;
    const struct tile_type *store = pair->store, *load = pair->load;
    struct points vector, from_tile, to_tile;
    if (!(store->contiguous_count <= load->contiguous_count
              ? match(&vector, choice, from, to, store, load)
              : match(&vector, choice, to, from, load, store)) ||
        !tile_of(&from_tile, from, store, &vector) || !tile_of(&to_tile, to, load, &vector))
        return false;
    /* Matrix instructions move up to four matrices: two register bits are left for them. */
    int leave = store->contiguous_count && load->contiguous_count ? 2 : 0;
    make_swizzle(&pair->swizzle, choice, &vector, &from_tile, &to_tile, leave);
    pair->conflicts = ((uint64_t)1 << common_rank(&pair->swizzle.segment, &from_tile)) +
                      ((uint64_t)1 << common_rank(&pair->swizzle.segment, &to_tile)) - 2;
    return true;
}

/* Whether the hardware has that instruction for the element size and the lanes. */
static bool has_type(const struct choice *choice, const struct tile_type *type, bool store)
{
    int a = choice->from->by[BY_LANE].count, b = choice->to->by[BY_LANE].count;
    int lanes = a < b ? a : b;
    if (type->op == LW_MOVE_PLAIN)
        return lanes >= PLAIN_LANE_BITS;
    return (store ? choice->banks->stmatrix : choice->banks->ldmatrix) &&
           lanes >= MATRIX_LANE_BITS &&
           (type->op == LW_MOVE_MATRIX ? choice->bits <= 32 : choice->bits == 16);
}

/* Fewest conflicts, then most rounds, then the first in the order of the types. */
static bool best_pair(struct pair *best, const struct choice *choice)
{
    enum { TYPES = sizeof tile_types / sizeof *tile_types };
    bool found = false;
    for (int s = 0; s < TYPES; s++)
        for (int l = 0; l < TYPES; l++) {
            struct pair pair = {.store = &tile_types[s], .load = &tile_types[l]};
            if (!has_type(choice, pair.store, true) || !has_type(choice, pair.load, false) ||
                !try_pair(&pair, choice))
                continue;
            if (!found || pair.conflicts < best->conflicts ||
                (pair.conflicts == best->conflicts &&
                 pair.swizzle.rounds.count > best->swizzle.rounds.count))
                *best = pair;
            found = true;
        }
    return found;
}

/* ---- Without such a pair ---- */

enum filler { NEITHER, FROM, TO };

/* Extends a vector of less than 32 bits to 32: with registers of one side that are warps of the
 * other, then with warps. Returns the side whose registers were used. */
static enum filler fill_bank(struct points *vector, const struct choice *choice)
{
    int need = lw_log2(32 / choice->bits);
    struct points warps_from = nonzero(&choice->from->by[BY_WARP]);
    struct points warps_to = nonzero(&choice->to->by[BY_WARP]);
    struct points a = without(&choice->from->by[BY_REGISTER], vector);
    struct points b = without(&choice->to->by[BY_REGISTER], vector), both;
    a = common(&a, &warps_to, choice->dim);
    b = common(&b, &warps_from, choice->dim);
    both = common(&warps_from, &warps_to, choice->dim);
    bool by_from = a.count != b.count ? a.count > b.count : least(&a) < least(&b);
    add_all(vector, by_from ? &a : &b);
    add_all(vector, &both);
    for (int i = 0; i < warps_from.count || i < warps_to.count; i++) {
        if (i < warps_from.count)
            add_absent(vector, warps_from.at[i]);
        if (i < warps_to.count)
            add_absent(vector, warps_to.at[i]);
    }
    cut(vector, need);
    return by_from ? FROM : TO;
}

/* Puts the bank bits that are registers of the preferred side first, so that more can be
 * vectorized. */
static void reorder_bank(struct swizzle *swizzle, const struct choice *choice, enum filler filler)
{
    struct points from = common(&swizzle->bank, &choice->from->by[BY_REGISTER], choice->dim);
    struct points to = common(&swizzle->bank, &choice->to->by[BY_REGISTER], choice->dim);
    bool by_from = filler == FROM || (filler == NEITHER && from.count > to.count);
    struct points *first = by_from ? &from : &to, rest = without(&swizzle->bank, first);
    add_all(first, &rest);
    swizzle->bank = *first;
}

static void fallback(struct swizzle *swizzle, const struct choice *choice)
{
    const struct side *from = choice->from, *to = choice->to;
    enum filler filler = NEITHER;
    struct points vector = common(&from->by[BY_REGISTER], &to->by[BY_REGISTER], choice->dim);
    cut(&vector, lw_log2(128 / choice->bits));
    if (choice->bits << vector.count < 32)
        filler = fill_bank(&vector, choice);
    int words = lw_log2((choice->bits << vector.count) / 32);
    words = words < 0 ? 0 : words;
    struct points from_tile = from->by[BY_LANE], to_tile = to->by[BY_LANE];
    cut(&from_tile, from_tile.count > words ? from_tile.count - words : 0);
    cut(&to_tile, to_tile.count > words ? to_tile.count - words : 0);
    make_swizzle(swizzle, choice, &vector, &from_tile, &to_tile, 0);
    if (words < 2)
        reorder_bank(swizzle, choice, filler);
}

/* ---- The choice ---- */

static bool make_memory(struct lw_layout *memory, const struct swizzle *swizzle,
                        const struct lw_dims *tensor, struct lw_error *err)
{
    struct points all = swizzle->vector;
    struct lw_dims in = {0};
    add_all(&all, &swizzle->bank);
    add_all(&all, &swizzle->segment);
    if (!lw_dims_add(&in, "offset", (uint64_t)1 << all.count, err) ||
        !lw_dims_add(&in, "round", (uint64_t)1 << swizzle->rounds.count, err) ||
        !lw_layout_of_dims(memory, &in, tensor, err))
        return false;
    add_all(&all, &swizzle->rounds);
    memcpy(memory->basis, all.at, (size_t)all.count * sizeof *all.at);
    return lw_layout_is_invertible(memory) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "the compiler's rules find no swizzle for these two layouts: their bases "
                        "are sums of bits that do not fit together");
}

/* Chooses how both sides access shared memory, for elements of `bits` bits (at least 8): the instructions, among
 * those of the request's hardware, and the swizzle (offset, round) -> tensor. Fails when Triton's rules choose no
 * swizzle that holds each element once. */
static bool find_swizzle(struct lw_exchange *exchange, struct lw_layout *memory,
                         const struct side *from, const struct side *to, unsigned bits,
                         const struct lw_conversion_request *request, struct lw_error *err)
{
    struct choice choice = {.from = from,
                            .to = to,
                            .bits = bits,
                            .dim = lw_layout_out_bits(&from->layout),
                            .banks = request->hardware->banks,
                            .identity = lw_triton_identity_rule(request->triton)};
    struct pair pair = {.store = &tile_types[0], .load = &tile_types[0]};
    unsigned sm;
    if (!lw_hardware_sm(request->hardware, &sm) || !best_pair(&pair, &choice)) {
        pair.store = pair.load = &tile_types[0];
        fallback(&pair.swizzle, &choice);
    }
    const struct swizzle *swizzle = &pair.swizzle;
    *exchange = (struct lw_exchange){
        .store = pair.store->op,
        .load = pair.load->op,
        .vector = swizzle->vector.count,
        .bank = swizzle->bank.count,
        .segment = swizzle->segment.count,
        .rounds = swizzle->rounds.count,
    };
    return make_memory(memory, swizzle, &from->layout.out, err);
}

/* ---- Stores and loads, in rounds over the same bytes ----
 *
 * Invariant: every round has the same offsets; the registers of round k are those of the first
 * round xored with the register bits that k selects. Only the last round can have loads of a
 * predicated tail.
 *
 * Source: Triton's transferWithinBlockSwizzling (releases 3.6 and 3.7), checked against compiled
 * kernels.
 */

/* The offsets of the first round, and which register bits select the other rounds. */
static bool make_offsets(struct lw_offsets *offsets, uint64_t *round, const struct side *side,
                         const struct lw_layout *layout, const struct lw_conversion *conversion,
                         struct lw_error *err)
{
    enum lw_identity_rule rule = lw_triton_identity_rule(conversion->request.triton);
    uint64_t *const to[] = {offsets->reg, offsets->lane, offsets->warp}, image[2];
    int *const count[] = {&offsets->registers, &offsets->lanes, &offsets->warps};
    struct lw_layout cvt;
    *offsets = (struct lw_offsets){0};
    if (!lw_layout_invert_and_compose(&cvt, &side->layout, &conversion->memory, rule, err))
        return false;
    for (int by = BY_REGISTER; by < BY_COUNT; by++)
        for (int i = 0, bit = 0; i < lw_layout_in_log2(&cvt, by); i++, bit++) {
            while (by == BY_REGISTER && !layout->basis[bit]) /* cvt has none that repeat another */
                bit++;
            lw_layout_basis(&cvt, by, i, image);
            if (!image[1]) {
                if (by == BY_REGISTER)
                    offsets->reg_bit[offsets->registers] = bit;
                to[by][(*count[by])++] = image[0];
            } else if (by == BY_REGISTER && !image[0] && lw_log2(image[1]) >= 0) {
                round[lw_log2(image[1])] = (uint64_t)1 << bit;
            } else {
                return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                    "the compiler's rules for rounds do not apply: a lane or warp "
                                    "would be in several rounds");
            }
        }
    return true;
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

/* Makes the plans of both sides and their totals for the chosen memory; the last round of loads has one of its
 * own where it has a tail. On failure the caller frees what was made. */
static bool lower_sides(struct lw_conversion *c, const struct side *from, const struct side *to,
                        struct lw_error *err)
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
    lw_plan_total_add(&c->store_total, &c->store.total, c->rounds);
    lw_plan_total_add(&c->load_total, &c->load.total, c->rounds - tail.any);
    if (!tail.any)
        return true;
    for (int i = 0; i < c->exchange.rounds; i++)
        load.reg_base |= c->load_round[i];
    if (!lower(&c->last_load, c, false, &load, &tail, err))
        return false;
    lw_plan_total_add(&c->load_total, &c->last_load.total, 1);
    return true;
}

const struct lw_error *lw_conversion_unknown(const struct lw_conversion *conversion)
{
    return conversion->store.unknown.code != LW_OK  ? &conversion->store.unknown
           : conversion->load.unknown.code != LW_OK ? &conversion->load.unknown
                                                    : NULL;
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
    if (has_single_bits(layout,
                        since ? lw_layout_in_log2(layout, BY_REGISTER) : lw_layout_in_bits(layout)))
        return true;
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "Triton %s does not compile this: %s of layout %s are sums of bits",
                        lw_triton_name(triton), since ? "bases of registers" : "bases", which);
}

/* Decomposes the conversion and sets the number of shuffles. False: it goes through shared memory, as it does where a
 * basis is a sum of bits. */
static bool find_shuffle(struct lw_conversion *conversion, const struct side *from,
                         const struct side *to)
{
    struct lw_shuffle *shuffle = &conversion->shuffle;
    unsigned bits = conversion->request.element_bits;
    uint64_t seen = 0;
    if (!has_single_bits(&conversion->from, lw_layout_in_bits(&conversion->from)) ||
        !has_single_bits(&conversion->to, lw_layout_in_bits(&conversion->to)) ||
        !find_permutation(shuffle, from, to))
        return false;
    for (int i = 0; i < shuffle->register_bits + shuffle->lane_bits; i++)
        if (!(seen >> i & 1))
            walk(shuffle, i, &seen);
    for (int i = 0; i < LW_BITS_MAX; i++)
        shuffle->lanes_permuted = shuffle->lanes_permuted || shuffle->warp_lanes[i] ||
                                  (i < shuffle->lane_bits && shuffle->lane_to[i] != i);
    int pack = bits > 16 ? 0 : bits > 8 ? 1 : 2, room = shuffle->register_bits - shuffle->swaps;
    shuffle->pack = pack < room ? pack : room;
    shuffle->words = bits > 32 ? bits / 32 : 1;
    if (shuffle->swaps > 1)
        return false;
    uint64_t values = (uint64_t)1 << (shuffle->register_bits - shuffle->pack);
    conversion->rounds = shuffle->lanes_permuted ? values : shuffle->swaps ? values / 2 : 0;
    conversion->shuffles = conversion->rounds * shuffle->words;
    return true;
}

static bool find_exchange(struct lw_conversion *conversion, const struct side *from,
                          const struct side *to, struct lw_error *err)
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
    if (!find_swizzle(&conversion->exchange, &conversion->memory, from, to, bits,
                      &conversion->request, err))
        return false;
    conversion->rounds = (uint64_t)1 << conversion->exchange.rounds;
    conversion->shared_bytes = conversion->memory.in.dim[0].size * (bits / 8);
    return lower_sides(conversion, from, to, err);
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
    struct side from, to;
    bool good = lw_conversion_trace(conversion, request, err) &&
                make_side(&from, &conversion->from, err) && make_side(&to, &conversion->to, err);
    if (good && conversion->kind == LW_CONVERSION_SHUFFLE &&
        !find_shuffle(conversion, &from, &to)) {
        conversion->kind = LW_CONVERSION_SHARED;
        conversion->within_warps = true;
    }
    if (good && conversion->kind == LW_CONVERSION_SHARED)
        good = find_exchange(conversion, &from, &to, err);
    if (!good)
        lw_conversion_free(conversion);
    return good;
}

void lw_conversion_free(struct lw_conversion *conversion)
{
    lw_plan_free(&conversion->store);
    lw_plan_free(&conversion->load);
    lw_plan_free(&conversion->last_load);
}
