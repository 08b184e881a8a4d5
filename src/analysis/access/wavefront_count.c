/*
 * The cost of one instruction whose lanes have any addresses, lane by lane.
 *
 * Each unit has a mark in a table. Addresses are xored with the first one, which changes neither which units are
 * distinct nor which are in one column. Units that are too far apart for the table are first moved to neighbouring
 * rows. No branch depends on the marks, as the processor could not predict it.
 */

#include "analysis/access/wavefront_parts.h"

#include <string.h>

#define UNITS (LW_WARP_MAX * LW_BANKS_MAX) /* a row for each lane */

struct count {
    unsigned width, shift; /* log2 of the bytes of a unit */
    uint64_t columns;      /* a mask */
    uint64_t base;         /* the first address */
    uint64_t spread;       /* the bitwise or of all differences from the first address */
    bool narrow;           /* parts of units are counted */
    unsigned distinct;     /* units, or their parts, that no lane needed before */
    /* Group by group, for each lane its unit, or its address where parts are counted; xored with the first. */
    uint64_t unit[LW_WARP_MAX];
    unsigned end[LW_GROUPS_MAX]; /* in `unit`, of each group */
    uint8_t group[UNITS];        /* by unit: 1 + the last group that needs it */
    uint8_t moved[UNITS];        /* where parts are counted, by unit: a bit for each byte */
};

/* Writes the units of lanes to `unit`; returns how many they are. */
static inline unsigned collect(struct count *count, const uint64_t *address, uint64_t lanes,
                               uint64_t *unit)
{
    uint64_t lowest = lanes & -lanes, after = lanes + lowest, base = count->base, spread = 0;
    unsigned shift = count->narrow ? 0 : count->shift, n = 0;
    lw_pair both = {base, base}, pairs = {0, 0};
    if (lanes && !(lanes & after)) { /* neighbours */
        unsigned first = (unsigned)__builtin_ctzll(lanes);
        unsigned lane_count = (after ? (unsigned)__builtin_ctzll(after) : 64) - first;
        for (; n + 1 < lane_count; n += 2) {
            lw_pair from_base = *(const lw_pair *)(address + first + n) ^ both;
            pairs |= from_base;
            *(lw_pair *)(unit + n) = from_base >> shift;
        }
        lanes = n < lane_count ? (uint64_t)1 << (first + n) : 0;
    }
    for (; lanes; lanes &= lanes - 1) {
        uint64_t from_base = address[__builtin_ctzll(lanes)] ^ base;
        spread |= from_base;
        unit[n++] = from_base >> shift;
    }
    count->spread |= spread | pairs[0] | pairs[1];
    return n;
}

/* Renumbers the rows of units so that they are neighbours; columns and parts of units do not change. */
static void move_rows(struct count *count, unsigned n)
{
    unsigned log2_of_row = (unsigned)__builtin_ctzll(count->columns + 1), rows = 0;
    uint64_t row[LW_WARP_MAX];
    uint8_t number[LW_WARP_MAX] = {0}; /* 1 + the new number of the row in this slot; 0: none */
    log2_of_row += count->narrow ? count->shift : 0;
    uint64_t within = ((uint64_t)1 << log2_of_row) - 1;
    count->spread = 0;
    for (unsigned i = 0; i < n; i++) {
        uint64_t this = count->unit[i] >> log2_of_row;
        unsigned slot = (this ^ this >> 6 ^ this >> 12) % LW_WARP_MAX;
        while (number[slot] && row[slot] != this)
            slot = (slot + 1) % LW_WARP_MAX;
        if (!number[slot])
            number[slot] = (uint8_t)++rows;
        row[slot] = this;
        count->unit[i] = (uint64_t)(number[slot] - 1) << log2_of_row | (count->unit[i] & within);
        count->spread |= count->unit[i];
    }
    count->spread <<= count->narrow ? 0 : count->shift;
}

/* How many wavefronts a group takes; without `exact`, nothing else is counted. */
static inline __attribute__((always_inline)) unsigned
count_group(struct count *count, unsigned start, unsigned group, bool exact, bool narrow)
{
    uint8_t depth[LW_BANKS_MAX] = {0};
    const uint64_t *next = count->unit + start, *end = count->unit + count->end[group];
    uint64_t columns = count->columns;
    unsigned most = 0, distinct = 0, bytes = (1u << count->width) - 1;
    for (; next < end; next++) {
        uint64_t unit = narrow ? *next >> count->shift : *next;
        unsigned before = count->group[unit];
        unsigned here = depth[unit & columns] + (unsigned)(before != group + 1);
        count->group[unit] = (uint8_t)(group + 1);
        depth[unit & columns] = (uint8_t)here;
        most = here > most ? here : most;
        distinct += exact && !narrow && !before;
        if (exact && narrow) {
            unsigned moves = bytes << (*next & 3), moved = count->moved[unit];
            distinct += (moves & ~moved) != 0;
            count->moved[unit] = (uint8_t)(moved | moves);
        }
    }
    count->distinct += distinct;
    return most;
}

/* Calls with constants, so that each becomes a loop of its own. */
static __attribute__((noinline)) unsigned count_units(struct count *count, unsigned start,
                                                      unsigned group)
{
    return count_group(count, start, group, false, false);
}

static __attribute__((noinline)) unsigned count_wide(struct count *count, unsigned start,
                                                     unsigned group)
{
    return count_group(count, start, group, true, false);
}

static __attribute__((noinline)) unsigned count_narrow(struct count *count, unsigned start,
                                                       unsigned group)
{
    return count_group(count, start, group, true, true);
}

bool lw_service_count(const struct lw_access *access, const struct lw_service *service,
                      struct lw_cost *cost)
{
    struct count count;
    uint64_t used = 0;
    unsigned n = 0, start = 0;
    for (unsigned g = 0; g < service->group_count; g++)
        used |= service->group[g];
    *cost = (struct lw_cost){0};
    if (!used)
        return true;
    count.base = access->address[__builtin_ctzll(used)];
    count.width = access->width;
    count.shift = service->shift;
    count.columns = service->columns;
    count.narrow = service->exact && access->width < 4;
    count.spread = count.distinct = 0;
    for (unsigned g = 0; g < service->group_count; g++)
        count.end[g] = n += collect(&count, access->address, service->group[g], count.unit + n);
    if ((count.spread | count.base) & (access->width - 1))
        return false;
    if (count.spread >> service->shift >= UNITS / 2)
        move_rows(&count, n);
    memset(count.group, 0, (count.spread >> service->shift) + 1);
    if (count.narrow)
        memset(count.moved, 0, (count.spread >> service->shift) + 1);
    for (unsigned g = 0; g < service->group_count; start = count.end[g++]) {
        unsigned wavefronts = !service->exact ? count_units(&count, start, g)
                              : count.narrow  ? count_narrow(&count, start, g)
                                              : count_wide(&count, start, g);
        cost->wavefronts += wavefronts;
        cost->conflicts += wavefronts ? wavefronts - 1 : 0;
    }
    cost->ideal = service->exact ? count.distinct * access->width : 1;
    return true;
}
