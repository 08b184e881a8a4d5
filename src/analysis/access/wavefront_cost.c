/*
 * The cost of one instruction, without its wavefronts.
 *
 * When a group is a power of two of neighbouring lanes and each address is the xor of one step for each bit of the
 * lane's number, as in linear layouts, the cost follows from the steps: n steps of rank r are 2^r units, and the units
 * of one column differ by the steps that do not change the number of the column. Evenly spaced addresses have a closed
 * form as well. Other addresses are counted lane by lane, in wavefront_count.c. Invariant of all three: no unit is
 * counted twice in a group, nor twice for the ideal.
 */

#include "analysis/access/wavefront_parts.h"

/* Reports the first address that is not aligned; false. */
static bool unaligned(const struct lw_access *access, const struct lw_service *service,
                      struct lw_error *err)
{
    for (unsigned g = 0; g < service->group_count; g++)
        for (uint64_t m = service->group[g]; m; m &= m - 1) {
            int lane = __builtin_ctzll(m);
            if (access->address[lane] % access->width)
                return lw_error_set(
                    err, LW_ERROR_PARAMETER,
                    "lane %d: address %llu is not aligned to the %u bytes that a lane moves", lane,
                    (unsigned long long)access->address[lane], access->width);
        }
    return true;
}

/* The least number of rows, of the banks that serve the access, that hold that number of bytes. */
static unsigned rows_of(const struct lw_bank_model *model, const struct lw_service *service,
                        unsigned bytes)
{
    int log2_of_row = __builtin_ctz(service->all_banks) + __builtin_ctz(model->bank_bytes);
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

/* Whether the address of a lane is the xor of that of lane 0 and of the steps of its bits. */
static inline bool find_steps(const uint64_t *address, int bits, uint64_t *step)
{
    const lw_pair *pairs = (const lw_pair *)address;
    lw_pair differs = {0, 0};
    uint64_t first = step[0] = address[0];
    if (bits > 0)
        step[0] = address[1] ^ first;
    if (bits > 1 && (address[3] ^ (step[1] = address[2] ^ first)) != address[1])
        return false;
    for (int k = 2; k < bits; k++) {
        const lw_pair *next = pairs + (1 << (k - 1));
        uint64_t this = step[k] = next[0][0] ^ first;
        lw_pair both = {this, this};
        for (const lw_pair *p = pairs, *end = next; p < end; p += 2, next += 2)
            differs |= (p[0] ^ next[0] ^ both) | (p[1] ^ next[1] ^ both);
    }
    return !(differs[0] | differs[1]);
}

/* Steps in echelon form, each by its lowest bit. */
struct echelon {
    uint64_t step[STEPS_MAX], lowest[STEPS_MAX];
    uint64_t pivots; /* all of `lowest` */
};

/* Step k, reduced by the steps before it. */
static inline uint64_t reduce_step(struct echelon *e, int k, uint64_t v)
{
    for (int i = 0; v & e->pivots && i < k; i++)
        v ^= e->step[i] & -(uint64_t)((v & e->lowest[i]) != 0);
    e->step[k] = v;
    e->lowest[k] = v & -v;
    e->pivots |= e->lowest[k];
    return v;
}

/* The cost when addresses are linear, the ideal in bytes; false when they are not, or not aligned. In a step the lowest
 * bits are those of the column, followed by the other bits of the unit; where bytes are counted, the bits within the
 * unit are moved to the top. */
static bool linear_cost(const struct lw_access *access, const struct lw_service *service, int group,
                        struct lw_cost *cost)
{
    uint64_t step[STEPS_MAX], low = access->address[0], columns = service->columns;
    unsigned shift = service->shift, deep = 0, distinct = 0;
    unsigned aligned = (unsigned)__builtin_ctz(access->width);
    unsigned within = service->exact ? shift - aligned : 0;
    uint64_t unit = ~(uint64_t)0 >> within;
    struct echelon echelon;
    int bits = group + __builtin_ctz(service->group_count);
    if (!find_steps(access->address, bits, step))
        return false;
    echelon.pivots = 0;
    for (int k = 0; k < bits; k++) {
        uint64_t v = step[k] >> shift;
        low |= step[k];
        if (within)
            v |= step[k] >> aligned << (64 - within);
        v = reduce_step(&echelon, k, v);
        distinct += v != 0;
        if (k < group)
            deep += (v & unit) && !(v & columns);
    }
    cost->wavefronts = service->group_count << deep;
    cost->conflicts = cost->wavefronts - service->group_count;
    cost->ideal = service->exact ? access->width << distinct : 1;
    return !(low & (access->width - 1));
}

/* ---- Evenly spaced addresses ---- */

/* The cost when each address is a fixed number of units after that of the lane before, as in a column of padded rows;
 * false when this is not so. The units of one column are then evenly spaced too. */
static bool spaced_cost(const struct lw_access *access, const struct lw_service *service, int group,
                        struct lw_cost *cost)
{
    const uint64_t *address = access->address;
    uint64_t apart = address[1] - address[0], unit = (uint64_t)1 << service->shift;
    unsigned lanes = service->group_count << group, lane = 3;
    if (lanes < 4 || address[2] - address[1] != apart || address[3] - address[2] != apart ||
        !apart || (apart | address[0]) & (unit - 1) || address[lanes - 1] < address[0] ||
        apart > UINT64_MAX / LW_WARP_MAX) /* addresses could wrap around and repeat */
        return false;
    while (++lane < lanes && address[lane] - address[lane - 1] == apart)
        continue;
    if (lane < lanes)
        return false;
    uint64_t columns = service->columns + 1;
    unsigned shared = (unsigned)__builtin_ctzll(apart >> service->shift | columns);
    unsigned before = (unsigned)__builtin_ctzll(columns) - shared; /* log2 of the lanes until a
                                                                      column repeats */
    unsigned deep = (unsigned)group > before ? (unsigned)group - before : 0;
    cost->wavefronts = service->group_count << deep;
    cost->conflicts = cost->wavefronts - service->group_count;
    cost->ideal = service->exact ? access->width * lanes : 1;
    return true;
}

bool lw_service_cost(const struct lw_bank_model *model, const struct lw_access *access,
                     const struct lw_service *service, struct lw_cost *cost, struct lw_error *err)
{
    int group = log2_of_group(service);
    if ((group >= 0 && (linear_cost(access, service, group, cost) ||
                        spaced_cost(access, service, group, cost))) ||
        lw_service_count(access, service, cost)) {
        if (service->exact)
            cost->ideal = rows_of(model, service, cost->ideal);
        return true;
    }
    return unaligned(access, service, err);
}
