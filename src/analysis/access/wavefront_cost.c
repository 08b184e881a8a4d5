/*
 * The cost of one instruction, without its wavefronts.
 *
 * Lanes that are powers of two of neighbours and whose addresses are the xor of one step for each
 * bit of the lane's number, as those of linear layouts are, need no lane to be looked at twice: n
 * steps of rank r are 2^r units, and the units of one column differ by the steps that have no part
 * in the number of the column. Other lanes are looked up in a hash table. Invariant of both: no
 * unit is counted twice in a group, nor twice for the ideal.
 */

#include "analysis/access/wavefront_parts.h"

#include <string.h>

/* Reports the first address that is not aligned; true when there is none. */
static bool unaligned(const struct lw_access *access, const struct lw_service *service,
                      struct lw_error *err)
{
    for (unsigned g = 0; g < service->group_count; g++)
        for (uint64_t m = service->group[g]; m; m &= m - 1) {
            int lane = __builtin_ctzll(m);
            if (access->address[lane] % access->width)
                return lw_error_set(
                    err, LW_ERROR_PARAMETER,
                    "lane %d: address %llu is not a multiple of the %u bytes that a lane moves",
                    lane, (unsigned long long)access->address[lane], access->width);
        }
    return true;
}

/* Rows of all banks that these bytes need at least. */
static unsigned rows_of(const struct lw_bank_model *model, unsigned bytes)
{
    int log2_of_row = __builtin_ctz(model->banks) + __builtin_ctz(model->bank_bytes);
    return (bytes + (1u << log2_of_row) - 1) >> log2_of_row;
}

/* ---- Linear addresses ---- */

#define STEPS_MAX 6 /* bits of the number of a lane */

/* log2 of the lanes of a group, when all are active and groups are blocks of neighbours; or -1. */
static int log2_of_group(const struct lw_service *service)
{
    uint64_t lanes = service->group[0];
    if (!lanes || (lanes & (lanes + 1)) || (service->group_count & (service->group_count - 1)))
        return -1;
    unsigned count = ~lanes ? (unsigned)__builtin_ctzll(~lanes) : 64;
    if ((count & (count - 1)) || count * service->group_count > LW_WARP_MAX)
        return -1;
    for (unsigned g = 1; g < service->group_count; g++)
        if (service->group[g] != lanes << g * count)
            return -1;
    return __builtin_ctz(count);
}

/* Two addresses at a time. */
typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));

/* Whether the address of a lane is the xor of that of lane 0 and of the steps of its bits. */
static bool find_steps(const uint64_t *address, int bits, uint64_t *step)
{
    const pair *pairs = (const pair *)address;
    pair differs = {0, 0};
    for (int k = 0; k < bits; k++)
        step[k] = address[1 << k] ^ address[0];
    if (bits > 1 && address[3] != (address[2] ^ step[0]))
        return false;
    for (int k = 2; k < bits; k++) {
        const pair *next = pairs + (1 << (k - 1));
        pair both = {step[k], step[k]};
        for (const pair *p = pairs, *end = next; p < end; p += 2, next += 2)
            differs |= (p[0] ^ next[0] ^ both) | (p[1] ^ next[1] ^ both);
    }
    return !(differs[0] | differs[1]);
}

/* The cost when addresses are linear; false when they are not, or not aligned. The steps are
 * brought to an echelon form by their lowest bits: first those of the column, then the others of
 * the unit, then, moved to the top, those within the unit. */
static bool linear_cost(const struct lw_bank_model *model, const struct lw_access *access,
                        const struct lw_service *service, struct lw_cost *cost)
{
    uint64_t step[STEPS_MAX], lowest[STEPS_MAX], low = access->address[0];
    uint64_t pivots = 0;
    unsigned deep = 0, aligned = (unsigned)__builtin_ctz(access->width);
    unsigned within = service->shift - aligned;
    int group = log2_of_group(service), bits = group + __builtin_ctz(service->group_count);
    if (group < 0 || !find_steps(access->address, bits, step))
        return false;
    for (int k = 0; k < bits; k++) {
        uint64_t v = step[k] >> service->shift;
        low |= step[k];
        v |= within ? step[k] >> aligned << (64 - within) : 0;
        for (int i = 0; v & pivots && i < k; i++)
            v ^= step[i] & -(uint64_t)((v & lowest[i]) != 0);
        step[k] = v;
        lowest[k] = v & (~v + 1);
        pivots |= lowest[k];
        deep += k < group && v << within && !(v & service->columns);
    }
    unsigned distinct = (unsigned)__builtin_popcountll(pivots);
    cost->wavefronts = service->group_count << deep;
    cost->conflicts = cost->wavefronts - service->group_count;
    cost->ideal = rows_of(model, access->width << distinct);
    return !(low & (access->width - 1));
}

/* ---- Any addresses ---- */

#define SLOTS 256 /* four times the lanes of a warp, so that most look-ups end at once */

/* The distinct units of an access, in a hash table. */
struct units {
    const struct lw_access *access;
    unsigned shift;
    uint64_t columns;
    bool small; /* 1 + a unit fits in a key */
    unsigned count, parts;
    _Alignas(64) uint16_t key[SLOTS]; /* 1 + a unit; 0: none */
    uint8_t group[SLOTS];             /* of several: 1 + the last group that needs it */
    uint8_t moved[SLOTS];             /* of a narrow access: a bit for each byte of the unit */
};

/* 1 + the first lane with this unit: a key where units are large. */
static unsigned large_key(const struct units *units, uint64_t unit)
{
    const struct lw_access *access = units->access;
    unsigned first = 0;
    while (!(access->active >> first & 1) || access->address[first] >> units->shift != unit)
        first++;
    return 1 + first;
}

/* The slot of a key. Without a branch that depends on whether it is empty or has the key, as this
 * could not be predicted. Units that are near each other have slots of their own. */
static inline unsigned find_slot(const struct units *units, unsigned key)
{
    unsigned at = (key ^ key >> 8) % SLOTS, there = units->key[at];
    while (there * (there ^ key) != 0) {
        at = (at + 1) % SLOTS;
        there = units->key[at];
    }
    return at;
}

/* How many wavefronts a group of addresses takes. */
static inline __attribute__((always_inline)) unsigned
count_group(struct units *units, const uint64_t *address, const uint64_t *end, unsigned group,
            bool narrow, bool several)
{
    uint8_t depth[LW_BANKS_MAX] = {0};
    unsigned bytes = (1u << units->access->width) - 1, count = 0, parts = 0, max = 0;
    for (; address < end; address++) {
        uint64_t unit = *address >> units->shift;
        unsigned key = units->small ? (unsigned)unit + 1 : large_key(units, unit);
        unsigned at = find_slot(units, key), fresh = !units->key[at], here;
        units->key[at] = (uint16_t)key;
        count += fresh;
        if (narrow) {
            unsigned moves = bytes << (*address & 3), before = units->moved[at];
            parts += (moves & ~before) != 0;
            units->moved[at] = (uint8_t)(before | moves);
        }
        if (several) {
            fresh = units->group[at] != group + 1;
            units->group[at] = (uint8_t)(group + 1);
        }
        here = depth[unit & units->columns] + fresh;
        depth[unit & units->columns] = (uint8_t)here;
        max = here > max ? here : max;
    }
    units->count += count;
    units->parts += parts;
    return max;
}

/* The addresses of a group, *count of them; in `room` unless its lanes are neighbours. */
static const uint64_t *addresses_of(const struct lw_access *access, uint64_t lanes, uint64_t *room,
                                    unsigned *count)
{
    unsigned first = lanes ? (unsigned)__builtin_ctzll(lanes) : 0;
    uint64_t run = lanes >> first;
    *count = ~run ? (unsigned)__builtin_ctzll(~run) : 64;
    if (!(run & (run + 1)))
        return &access->address[first];
    for (*count = 0; lanes; lanes &= lanes - 1)
        room[(*count)++] = access->address[__builtin_ctzll(lanes)];
    return room;
}

/* In pieces that the compiler clears faster than a call does. */
static inline void clear(void *slots)
{
    char *piece = slots;
    memset(piece, 0, 64);
    memset(piece + 64, 0, 64);
    memset(piece + 128, 0, 64);
    memset(piece + 192, 0, 64);
}

static void begin(struct units *units, const struct lw_access *access,
                  const struct lw_service *service, uint64_t addresses)
{
    units->access = access;
    units->shift = service->shift;
    units->columns = service->columns;
    units->small = addresses >> service->shift < UINT16_MAX;
    units->count = units->parts = 0;
    clear(units->key);
    clear(units->key + SLOTS / 2);
    if (service->group_count > 1)
        clear(units->group);
    if (access->width < 4)
        clear(units->moved);
}

/* The or of the addresses that are used. */
static uint64_t all_addresses(const struct lw_access *access, const struct lw_service *service)
{
    uint64_t used = 0, all = 0;
    for (unsigned g = 0; g < service->group_count; g++)
        used |= service->group[g];
    if (used && !(used & (used + 1))) {
        unsigned lanes = ~used ? (unsigned)__builtin_ctzll(~used) : 64;
        pair both = {0, 0};
        for (unsigned lane = 0; lane + 1 < lanes; lane += 2)
            both |= *(const pair *)&access->address[lane];
        return all | both[0] | both[1] | access->address[lanes - 1];
    }
    for (; used; used &= used - 1)
        all |= access->address[__builtin_ctzll(used)];
    return all;
}

static bool looked_up_cost(const struct lw_bank_model *model, const struct lw_access *access,
                           const struct lw_service *service, struct lw_cost *cost,
                           struct lw_error *err)
{
    struct units units;
    bool narrow = access->width<4, several = service->group_count> 1;
    uint64_t addresses = all_addresses(access, service);
    if (addresses & (access->width - 1))
        return unaligned(access, service, err);
    begin(&units, access, service, addresses);
    *cost = (struct lw_cost){0};
    for (unsigned g = 0; g < service->group_count; g++) {
        uint64_t room[LW_WARP_MAX];
        unsigned count, wavefronts;
        const uint64_t *from = addresses_of(access, service->group[g], room, &count);
        /* The constants make a loop of each call. */
        wavefronts = narrow && several ? count_group(&units, from, from + count, g, true, true)
                     : narrow          ? count_group(&units, from, from + count, g, true, false)
                     : several         ? count_group(&units, from, from + count, g, false, true)
                                       : count_group(&units, from, from + count, g, false, false);
        cost->wavefronts += wavefronts;
        cost->conflicts += wavefronts ? wavefronts - 1 : 0;
    }
    cost->ideal = rows_of(model, (narrow ? units.parts : units.count) * access->width);
    return true;
}

bool lw_service_cost(const struct lw_bank_model *model, const struct lw_access *access,
                     const struct lw_service *service, struct lw_cost *cost, struct lw_error *err)
{
    return linear_cost(model, access, service, cost) ||
           looked_up_cost(model, access, service, cost, err);
}
