/*
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

#include "analysis/conversion/conversion_parts.h"

#include <string.h>

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

static bool is_permutation(const int *to, int count)
{
    uint64_t seen = 0;
    for (int i = 0; i < count; i++) {
        if (to[i] < 0 || seen >> to[i] & 1)
            return false;
        seen |= (uint64_t)1 << to[i];
    }
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

static void take_apart(struct lw_shuffle *shuffle)
{
    uint64_t seen = 0;
    for (int i = 0; i < shuffle->register_bits + shuffle->lane_bits; i++)
        if (!(seen >> i & 1))
            walk(shuffle, i, &seen);
    for (int i = 0; i < shuffle->lane_bits; i++)
        shuffle->lanes_permuted = shuffle->lanes_permuted || shuffle->lane_to[i] != i;
    for (int i = 0; i < LW_BITS_MAX; i++)
        shuffle->lanes_permuted = shuffle->lanes_permuted || shuffle->warp_lanes[i];
}

/* The register bit that a bit is renamed to: the next register bit on its cycle. */
static int renamed(const struct lw_shuffle *shuffle, int bit)
{
    do
        bit = shuffle->to[bit];
    while (bit >= shuffle->register_bits);
    return bit;
}

/* The bit of the round's number for the swap. It selects among packed values, so a register bit
 * within a value is replaced by the next bit of its cycle that is not, or by another free one. */
static int round_bit(const struct lw_shuffle *shuffle)
{
    int start = shuffle->swap_register[0], bit = start;
    do {
        if (bit >= shuffle->pack)
            return bit - shuffle->pack;
        bit = renamed(shuffle, bit);
    } while (bit != start);
    int other = shuffle->pack == 2 && renamed(shuffle, start) == start ? renamed(shuffle, 1 - start)
                                                                       : shuffle->pack;
    return other > shuffle->pack ? other - shuffle->pack : 0;
}

/* The lane whose permuted number is `lane`. */
static uint64_t lane_before(const struct lw_shuffle *shuffle, uint64_t lane)
{
    uint64_t before = 0;
    for (int i = 0; i < shuffle->lane_bits; i++)
        before |= (lane >> shuffle->lane_to[i] & 1) << i;
    return before;
}

uint64_t lw_shuffle_source(const struct lw_shuffle *shuffle, uint64_t round, uint64_t lane,
                           uint64_t warp)
{
    uint64_t swapped = shuffle->swaps ? (uint64_t)1 << shuffle->swap_lane[0] : 0;
    if (shuffle->lanes_permuted && !(round >> shuffle->swap_round & 1))
        swapped = 0;
    uint64_t source = lane_before(shuffle, lane) ^ lane_before(shuffle, swapped), set = 0;
    for (int i = 0; i < LW_BITS_MAX; i++) {
        source &= ~shuffle->warp_lanes[i];
        set |= warp >> i & 1 ? shuffle->warp_lanes[i] : 0;
    }
    return source | set;
}

bool lw_shuffle_find(struct lw_shuffle *shuffle, const struct lw_conversion_side *from,
                     const struct lw_conversion_side *to, unsigned bits)
{
    struct padded padded;
    int goes[LW_BITS_MAX];
    if (!pad(&padded, shuffle, from, to) || !skeleton(&padded, goes))
        return false;
    fill_zeros(&padded, goes);
    if (!is_permutation(goes, padded.bits))
        return false;
    shuffle->register_bits = padded.registers;
    shuffle->lane_bits = padded.bits - padded.registers;
    for (int i = 0; i < padded.bits; i++)
        shuffle->to[i] = (unsigned char)goes[i];
    take_apart(shuffle);
    int pack = bits > 16 ? 0 : bits > 8 ? 1 : 2, room = padded.registers - shuffle->swaps;
    shuffle->pack = pack < room ? pack : room;
    shuffle->words = bits > 32 ? bits / 32 : 1;
    shuffle->swap_round = shuffle->swaps ? round_bit(shuffle) : 0;
    return true;
}
