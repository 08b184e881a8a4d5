/*
 * The swizzle of a conversion through shared memory, and the instructions of both sides.
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

#include "analysis/conversion/conversion_parts.h"
#include "core/subspace.h"

#include <stdlib.h>
#include <string.h>

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
    const struct lw_conversion_side *from, *to;
    unsigned bits; /* of an element */
    int dim;       /* log2 of the elements */
    const struct lw_bank_model *banks;
    enum lw_identity_rule identity;
};

/* A swizzle while it is made. */
struct swizzle {
    struct lw_points vector, bank, segment, rounds;
};

/* ---- Lists of points ---- */

static bool has_point(const struct lw_points *points, uint64_t point)
{
    for (int i = 0; i < points->count; i++)
        if (points->at[i] == point)
            return true;
    return false;
}

void lw_points_add(struct lw_points *points, uint64_t point)
{
    if (points->count < LW_BITS_MAX)
        points->at[points->count++] = point;
}

static void add_all(struct lw_points *points, const struct lw_points *more)
{
    for (int i = 0; i < more->count; i++)
        lw_points_add(points, more->at[i]);
}

static void add_absent(struct lw_points *points, uint64_t point)
{
    if (!has_point(points, point))
        lw_points_add(points, point);
}

static void cut(struct lw_points *points, int count)
{
    points->count = points->count < count ? points->count : count;
}

static struct lw_points without(const struct lw_points *points, const struct lw_points *taken)
{
    struct lw_points left = {0};
    for (int i = 0; i < points->count; i++)
        if (!has_point(taken, points->at[i]))
            lw_points_add(&left, points->at[i]);
    return left;
}

static struct lw_points nonzero(const struct lw_points *points)
{
    static const struct lw_points zero = {1, {0}};
    return without(points, &zero);
}

static uint64_t least(const struct lw_points *points)
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

static void sort(struct lw_points *points)
{
    qsort(points->at, (size_t)points->count, sizeof *points->at, by_value);
}

static bool all_single_bits(const struct lw_points *points)
{
    for (int i = 0; i < points->count; i++)
        if (lw_log2(points->at[i]) < 0)
            return false;
    return true;
}

static struct lw_space span_of(const struct lw_points *points)
{
    struct lw_space space = {.dim = 0};
    lw_space_add_all(&space, points->at, points->count);
    return space;
}

/* log2 of the number of points in the intersection of both spans. */
static int common_rank(const struct lw_points *a, const struct lw_points *b)
{
    struct lw_space x = span_of(a), y = span_of(b);
    return lw_space_intersect(&x, &y).dim;
}

/* A basis of the points x with an even number of bits in common with each of the given ones. */
static struct lw_points null_space(const struct lw_points *a, const struct lw_points *b, int dim)
{
    struct lw_matrix rows = {.rows = dim}, null_space;
    struct lw_points out = {0};
    for (int i = 0; i < a->count && rows.cols < LW_BITS_MAX; i++)
        rows.column[rows.cols++] = a->at[i];
    for (int i = 0; b && i < b->count && rows.cols < LW_BITS_MAX; i++)
        rows.column[rows.cols++] = b->at[i];
    lw_matrix_transpose(&rows, &rows);
    lw_matrix_null_space(&null_space, &rows);
    for (int i = 0; i < null_space.cols; i++)
        lw_points_add(&out, null_space.column[i]);
    return out;
}

/* A basis of the intersection of both spans, in the order of a where all points are single bits. */
static struct lw_points common(const struct lw_points *a, const struct lw_points *b, int dim)
{
    if (!all_single_bits(a) || !all_single_bits(b)) {
        struct lw_points out_a = null_space(a, NULL, dim), out_b = null_space(b, NULL, dim);
        return null_space(&out_a, &out_b, dim);
    }
    struct lw_points both = {0};
    for (int i = 0; i < a->count; i++)
        if (has_point(b, a->at[i]))
            lw_points_add(&both, a->at[i]);
    return both;
}

/* ---- A swizzle for a vector and the bits that the lanes of each side's access differ in ---- */

/* The single bits that are not the lowest bit of any vector of the reduced basis: they complete
 * it. */
static struct lw_points complement(const struct lw_points *vector, const struct lw_points *segment,
                                   int dim)
{
    struct lw_space space = span_of(vector);
    struct lw_points left = {0};
    uint64_t lowest = 0;
    lw_space_add_all(&space, segment->at, segment->count);
    for (int i = 0; i < space.dim; i++)
        lowest |= space.basis[i] & (~space.basis[i] + 1);
    for (int i = 0; i < dim; i++)
        if (!(lowest >> i & 1))
            lw_points_add(&left, (uint64_t)1 << i);
    return left;
}

/* At most `max` bits for the segment: first those that neither side reaches in one access, then
 * xors of one that only one side reaches and one that only the other does, then, with conflicts,
 * bits of either side. */
static struct lw_points segment_of(const struct lw_points *x, const struct lw_points *y, int dim,
                                   int max)
{
    static const struct lw_points none = {0};
    struct lw_points segment = complement(x, y, dim), both = common(x, y, dim);
    if (segment.count >= max) {
        cut(&segment, max);
        return segment;
    }
    struct lw_points rest = complement(&both, &none, dim);
    struct lw_points a = common(x, &rest, dim), b = common(y, &rest, dim);
    sort(&a);
    sort(&b);
    if (a.count > b.count) {
        struct lw_points swap = a;
        a = b;
        b = swap;
    }
    int clash = max - a.count - segment.count;
    clash = clash < 0 ? 0 : clash > a.count ? a.count : clash;
    for (int i = clash; i < a.count; i++)
        lw_points_add(&segment, a.at[i] ^ b.at[i]);
    for (int i = 0; i < clash; i++)
        lw_points_add(&segment, a.at[i]);
    for (int i = 0; i < clash; i++)
        lw_points_add(&segment, b.at[i]);
    cut(&segment, max);
    return segment;
}

/* Makes segment bits that are registers of both sides rounds, except the first `leave` of them. */
static void split_rounds(struct swizzle *swizzle, const struct choice *choice, int leave)
{
    struct lw_points all = swizzle->segment;
    swizzle->segment.count = 0;
    for (int i = 0; i < all.count; i++) {
        bool both = has_point(&choice->from->by[LW_BY_REGISTER], all.at[i]) &&
                    has_point(&choice->to->by[LW_BY_REGISTER], all.at[i]);
        bool left = both && leave-- > 0;
        lw_points_add(both && !left ? &swizzle->rounds : &swizzle->segment, all.at[i]);
    }
}

static void make_swizzle(struct swizzle *out, const struct choice *choice,
                         const struct lw_points *vector, const struct lw_points *from_tile,
                         const struct lw_points *to_tile, int leave)
{
    struct lw_points x = *vector, y = *vector;
    add_all(&x, from_tile);
    add_all(&y, to_tile);
    x = nonzero(&x);
    y = nonzero(&y);
    int bank = lw_log2(LW_TRITON_BANKS_BITS / choice->bits) - vector->count,
        max = choice->dim - vector->count;
    bank = bank < 0 ? 0 : bank > max ? max : bank;
    *out = (struct swizzle){.vector = *vector};
    out->segment = segment_of(&x, &y, choice->dim, max - bank);
    out->bank = complement(vector, &out->segment, choice->dim);
    split_rounds(out, choice, leave);
}

/* ---- Pairs of instructions that both move 16 bytes of each lane ---- */

/* The vector when instructions of type `ta` move `a` and those of type `tb` move `b`, and a's
 * lanes hold at least as many registers of it as b's; false when they do not fit. */
static bool match_ordered(struct lw_points *vector, const struct choice *choice,
                          const struct lw_conversion_side *a, const struct lw_conversion_side *b,
                          const struct tile_type *ta, const struct tile_type *tb)
{
    int total = lw_log2(128 / choice->bits);
    int in_a = total - ta->contiguous_count, in_b = total - tb->contiguous_count;
    struct lw_layout cvt;
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX];
    *vector = common(&a->by[LW_BY_REGISTER], &b->by[LW_BY_REGISTER], choice->dim);
    if (vector->count < in_b || in_b < 0 ||
        !lw_layout_invert_and_compose(&cvt, &b->layout, &a->layout, choice->identity, NULL))
        return false;
    cut(vector, in_b);
    for (int i = 0; i < ta->contiguous_count; i++)
        if (!a->by[LW_BY_LANE].at[ta->contiguous[i]])
            return false;
    for (int i = 0; i < tb->contiguous_count; i++) {
        int bit = tb->contiguous[i], twin = i - (tb->contiguous_count - ta->contiguous_count);
        in[LW_BY_LANE] = (uint64_t)1 << bit;
        lw_layout_apply(&cvt, in, out);
        if (!b->by[LW_BY_LANE].at[bit] || (i < in_a - in_b && !out[LW_BY_REGISTER]) ||
            (twin >= 0 && out[LW_BY_LANE] != (uint64_t)1 << ta->contiguous[twin]))
            return false;
        lw_points_add(vector, b->by[LW_BY_LANE].at[bit]);
    }
    return true;
}

static bool match(struct lw_points *vector, const struct choice *choice,
                  const struct tile_type *store, const struct tile_type *load)
{
    return store->contiguous_count <= load->contiguous_count
               ? match_ordered(vector, choice, choice->from, choice->to, store, load)
               : match_ordered(vector, choice, choice->to, choice->from, load, store);
}

/* The three bits in which the addresses of one wavefront differ: registers outside the vector,
 * then the address lanes. */
static bool tile_of(struct lw_points *tile, const struct lw_conversion_side *side,
                    const struct tile_type *type, const struct lw_points *vector)
{
    *tile = without(&side->by[LW_BY_REGISTER], vector);
    if (tile->count < 3 - type->address_count)
        return false;
    cut(tile, 3 - type->address_count);
    for (int i = 0; i < type->address_count; i++)
        lw_points_add(tile, side->by[LW_BY_LANE].at[type->address[i]]);
    return true;
}

struct pair {
    struct swizzle swizzle;
    const struct tile_type *store, *load;
    uint64_t conflicts;
};

static bool try_pair(struct pair *pair, const struct choice *choice)
{
    struct lw_points vector, from_tile, to_tile;
    if (!match(&vector, choice, pair->store, pair->load) ||
        !tile_of(&from_tile, choice->from, pair->store, &vector) ||
        !tile_of(&to_tile, choice->to, pair->load, &vector))
        return false;
    /* Matrix instructions move up to four matrices: two register bits are left for them. */
    int leave = pair->store->contiguous_count && pair->load->contiguous_count ? 2 : 0;
    make_swizzle(&pair->swizzle, choice, &vector, &from_tile, &to_tile, leave);
    pair->conflicts = ((uint64_t)1 << common_rank(&pair->swizzle.segment, &from_tile)) +
                      ((uint64_t)1 << common_rank(&pair->swizzle.segment, &to_tile)) - 2;
    return true;
}

/* Whether the hardware has that instruction for the element size and the lanes. */
static bool has_type(const struct choice *choice, const struct tile_type *type, bool store)
{
    int a = choice->from->by[LW_BY_LANE].count, b = choice->to->by[LW_BY_LANE].count;
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
static enum filler fill_bank(struct lw_points *vector, const struct choice *choice)
{
    int need = lw_log2(32 / choice->bits);
    struct lw_points warps_from = nonzero(&choice->from->by[LW_BY_WARP]);
    struct lw_points warps_to = nonzero(&choice->to->by[LW_BY_WARP]);
    struct lw_points a = without(&choice->from->by[LW_BY_REGISTER], vector);
    struct lw_points b = without(&choice->to->by[LW_BY_REGISTER], vector), both;
    a = common(&a, &warps_to, choice->dim);
    b = common(&b, &warps_from, choice->dim);
    bool by_from = a.count != b.count ? a.count > b.count : a.count && least(&a) < least(&b);
    add_all(vector, by_from ? &a : &b);
    if (vector->count < need) {
        both = common(&warps_from, &warps_to, choice->dim);
        add_all(vector, &both);
    }
    for (int i = 0; vector->count < need && (i < warps_from.count || i < warps_to.count); i++) {
        if (i < warps_from.count)
            add_absent(vector, warps_from.at[i]);
        if (vector->count < need && i < warps_to.count)
            add_absent(vector, warps_to.at[i]);
    }
    cut(vector, need);
    return by_from ? FROM : TO;
}

/* Puts the bank bits that are registers of the preferred side first, so that more can be
 * vectorized. */
static void reorder_bank(struct swizzle *swizzle, const struct choice *choice, enum filler filler)
{
    struct lw_points front[2] = {{0}, {0}};
    for (int side = 0; side < 2; side++) {
        const struct lw_conversion_side *of = side ? choice->to : choice->from;
        for (int i = 0; i < swizzle->bank.count; i++)
            if (has_point(&of->by[LW_BY_REGISTER], swizzle->bank.at[i]))
                lw_points_add(&front[side], swizzle->bank.at[i]);
    }
    bool by_from = filler == FROM || (filler == NEITHER && front[0].count > front[1].count);
    struct lw_points *first = &front[by_from ? 0 : 1], rest = without(&swizzle->bank, first);
    add_all(first, &rest);
    swizzle->bank = *first;
}

static void fallback(struct swizzle *swizzle, const struct choice *choice)
{
    const struct lw_conversion_side *from = choice->from, *to = choice->to;
    enum filler filler = NEITHER;
    struct lw_points vector =
        common(&from->by[LW_BY_REGISTER], &to->by[LW_BY_REGISTER], choice->dim);
    cut(&vector, lw_log2(128 / choice->bits));
    if (choice->bits << vector.count < 32)
        filler = fill_bank(&vector, choice);
    int words = lw_log2((choice->bits << vector.count) / 32);
    words = words < 0 ? 0 : words;
    struct lw_points from_tile = from->by[LW_BY_LANE], to_tile = to->by[LW_BY_LANE];
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
    struct lw_points all = swizzle->vector;
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

bool lw_exchange_find(struct lw_exchange *exchange, struct lw_layout *memory,
                      const struct lw_conversion_side *from, const struct lw_conversion_side *to,
                      unsigned bits, const struct lw_conversion_request *request,
                      struct lw_error *err)
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
