/*
 * The cost of one instruction whose lanes have any addresses, lane by lane.
 *
 * Units that are near each other have a mark each. Addresses count by their difference from the
 * first, as an xor of all changes neither which units are distinct nor which are of one column;
 * those that are far apart are first moved into rows that are neighbours. No step depends on what
 * the marks say, as that could not be predicted.
 */

#include "analysis/access/wavefront_parts.h"

#include <string.h>

#define UNITS (LW_WARP_MAX * LW_BANKS_MAX) /* a row for each lane */

struct count {
    unsigned shift;   /* log2 of the bytes of a unit */
    uint64_t columns; /* a mask */
    uint64_t base;    /* the first address */
    unsigned width, distinct;
    uint8_t group[UNITS]; /* by unit: 1 + the last group that needs it */
    uint8_t moved[UNITS]; /* of a narrow access, by unit: a bit for each of its bytes */
};

/* How many wavefronts a group of addresses takes. */
static inline __attribute__((always_inline)) unsigned
count_group(struct count *count, const uint64_t *address, const uint64_t *end, unsigned group,
            bool narrow, bool several)
{
    uint8_t depth[LW_BANKS_MAX] = {0};
    uint64_t base = count->base, columns = count->columns;
    unsigned shift = count->shift, distinct = 0, most = 0, bytes = (1u << count->width) - 1;
    for (; address < end; address++) {
        uint64_t from_base = *address ^ base, unit = from_base >> shift;
        unsigned fresh, here;
        if (narrow) {
            unsigned moves = bytes << (from_base & 3), before = count->moved[unit];
            fresh = !before;
            distinct += (moves & ~before) != 0;
            count->moved[unit] = (uint8_t)(before | moves);
        }
        if (several || !narrow) {
            unsigned before = count->group[unit];
            fresh = before != group;
            distinct += !narrow && !before;
            count->group[unit] = (uint8_t)group;
        }
        here = depth[unit & columns] + fresh;
        depth[unit & columns] = (uint8_t)here;
        most = here > most ? here : most;
    }
    count->distinct += distinct;
    return most;
}

/* The constants make a loop of each. */
static __attribute__((noinline)) unsigned count_plain(struct count *count, const uint64_t *address,
                                                      const uint64_t *end, unsigned group)
{
    return count_group(count, address, end, group, false, true);
}

static __attribute__((noinline)) unsigned count_narrow(struct count *count, const uint64_t *address,
                                                       const uint64_t *end, unsigned group)
{
    return count_group(count, address, end, group, true, false);
}

static __attribute__((noinline)) unsigned count_narrow_groups(struct count *count,
                                                              const uint64_t *address,
                                                              const uint64_t *end, unsigned group)
{
    return count_group(count, address, end, group, true, true);
}

/* The addresses of lanes, *end after the last; in `room` unless the lanes are neighbours. */
static inline const uint64_t *addresses_of(const uint64_t *address, uint64_t lanes, uint64_t *room,
                                           const uint64_t **end)
{
    uint64_t lowest = lanes & (~lanes + 1), after = lanes + lowest;
    unsigned n = 0;
    if (lanes && !(after & lanes)) {
        *end = address + (after ? __builtin_ctzll(after) : 64);
        return address + __builtin_ctzll(lanes);
    }
    for (; lanes; lanes &= lanes - 1)
        room[n++] = address[__builtin_ctzll(lanes)];
    *end = room + n;
    return room;
}

/* The or of the differences of addresses from `base`. */
static inline uint64_t spread_of(const uint64_t *address, uint64_t lanes, uint64_t base)
{
    uint64_t room[LW_WARP_MAX];
    lw_pair spread = {0, 0}, both = {base, base};
    const uint64_t *end, *from = addresses_of(address, lanes, room, &end);
    for (; from + 1 < end; from += 2)
        spread |= *(const lw_pair *)from ^ both;
    return spread[0] | spread[1] | (from < end ? *from ^ base : 0);
}

/* Writes to `moved` addresses with the same columns and bytes in their units, in as few rows of
 * neighbours as there are. */
static void move_rows(const uint64_t *address, uint64_t lanes, unsigned log2_of_row,
                      uint64_t *moved)
{
    uint64_t row[LW_WARP_MAX], within = ((uint64_t)1 << log2_of_row) - 1;
    uint8_t number[LW_WARP_MAX] = {0}; /* 1 + that of the row in this slot; 0: none */
    unsigned rows = 0;
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctzll(lanes);
        uint64_t this = address[lane] >> log2_of_row;
        unsigned slot = (this ^ this >> 6 ^ this >> 12) % LW_WARP_MAX;
        while (number[slot] && row[slot] != this)
            slot = (slot + 1) % LW_WARP_MAX;
        if (!number[slot])
            number[slot] = (uint8_t)++rows;
        row[slot] = this;
        moved[lane] = (uint64_t)(number[slot] - 1) << log2_of_row | (address[lane] & within);
    }
}

bool lw_service_count(const struct lw_access *access, const struct lw_service *service,
                      struct lw_cost *cost)
{
    struct count count;
    uint64_t used = 0, moved[LW_WARP_MAX];
    const uint64_t *address = access->address;
    for (unsigned g = 0; g < service->group_count; g++)
        used |= service->group[g];
    *cost = (struct lw_cost){0};
    if (!used)
        return true;
    count.base = address[__builtin_ctzll(used)];
    uint64_t spread = spread_of(address, used, count.base);
    if ((spread | count.base) & (access->width - 1))
        return false;
    count.shift = service->shift;
    count.columns = service->columns;
    count.width = access->width;
    count.distinct = 0;
    if (spread >> service->shift >= UNITS / 2) {
        unsigned row = service->shift + (unsigned)__builtin_ctzll(service->columns + 1);
        move_rows(address, used, row, moved);
        address = moved;
        count.base = moved[__builtin_ctzll(used)];
        spread = spread_of(moved, used, count.base);
    }
    bool narrow = access->width<4, several = service->group_count> 1;
    if (narrow)
        memset(count.moved, 0, (spread >> service->shift) + 1);
    if (several || !narrow)
        memset(count.group, 0, (spread >> service->shift) + 1);
    for (unsigned g = 0; g < service->group_count; g++) {
        uint64_t room[LW_WARP_MAX];
        const uint64_t *end, *from = addresses_of(address, service->group[g], room, &end);
        unsigned wavefronts = !narrow   ? count_plain(&count, from, end, g + 1)
                              : several ? count_narrow_groups(&count, from, end, g + 1)
                                        : count_narrow(&count, from, end, g + 1);
        cost->wavefronts += wavefronts;
        cost->conflicts += wavefronts ? wavefronts - 1 : 0;
    }
    cost->ideal = count.distinct * access->width;
    return true;
}
