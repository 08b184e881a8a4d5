/*
 * What one instruction on shared memory costs.
 *
 * A lane moves 1, 2, 4, 8 or 16 aligned bytes, so they lie in one word, or in 2 or 4 neighbouring
 * banks, and two lanes access the same units or different ones. A unit is what a lane moves, at
 * least a word. Each unit belongs to one column of banks, and a group takes as many wavefronts as
 * the most distinct units that it needs of one column. Invariant: no unit is counted twice in a
 * group, nor twice for the ideal.
 *
 * Source: hardware.c; the rule for pairs of lanes from single instructions counted on an H200.
 */

#include "laneway/wavefront.h"

#include <string.h>

/* An access in units and groups. */
struct service {
    unsigned group_count;
    uint64_t group[LW_GROUPS_MAX]; /* active lanes */
    unsigned shift;                /* log2 of the bytes of a unit */
    unsigned banks;                /* banks of a unit */
    unsigned all_banks;            /* that serve the access */
    uint64_t columns;              /* columns of units, less one: a mask */
};

static int log2_of_width(unsigned width)
{
    return width && width <= 16 && !(width & (width - 1)) ? __builtin_ctz(width) : -1;
}

const char *lw_access_op_name(enum lw_access_op op)
{
    static const char *const names[] = {"ld.shared", "st.shared", "ldmatrix", "stmatrix"};
    return (size_t)op < sizeof names / sizeof *names ? names[op] : NULL;
}

static bool is_matrix(const struct lw_access *access)
{
    return access->op == LW_ACCESS_LDMATRIX || access->op == LW_ACCESS_STMATRIX;
}

/* ---- Getting ready ---- */

/* Whether all active lanes i and i ^ step have the same address. */
static bool neighbours_share(const struct lw_access *access, unsigned step)
{
    uint64_t lower = step == 1 ? 0x5555555555555555 : 0x3333333333333333;
    for (uint64_t m = access->active & access->active >> step & lower; m; m &= m - 1) {
        int lane = __builtin_ctzll(m);
        if (access->address[lane] != access->address[lane + (int)step])
            return false;
    }
    return true;
}

static bool prepare_matrix(const struct lw_bank_model *model, const struct lw_access *access,
                           struct service *service, struct lw_error *err)
{
    const char *name = lw_access_op_name(access->op);
    unsigned n = access->matrices;
    if (access->op == LW_ACCESS_LDMATRIX ? !model->ldmatrix : !model->stmatrix)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s has no %s", model->name, name);
    if (access->width != 16 || (n != 1 && n != 2 && n != 4))
        return lw_error_set(err, LW_ERROR_PARAMETER,
                            "%s moves 1, 2 or 4 matrices, of rows of 16 bytes", name);
    uint64_t rows = ((uint64_t)1 << 8 * n) - 1;
    if (access->active && (access->active & rows) != rows)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "%s needs a whole warp: some of the %u lanes that give addresses are not active", name,
            8 * n);
    service->group_count = n;
    service->all_banks = model->banks;
    for (unsigned g = 0; g < n; g++)
        service->group[g] = access->active & (uint64_t)0xff << 8 * g;
    return true;
}

static bool prepare_plain(const struct lw_bank_model *model, const struct lw_access *access,
                          struct service *service, struct lw_error *err)
{
    int width = log2_of_width(access->width);
    bool load = access->op == LW_ACCESS_LOAD;
    if (width < 0)
        return lw_error_set(err, LW_ERROR_PARAMETER, "a lane moves 1, 2, 4, 8 or 16 bytes, not %u",
                            access->width);
    const struct lw_lane_groups *groups = (load ? model->load : model->store)[width];
    if (!groups)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "unknown: no document states which lanes %s serves together in %s of "
                            "%u byte%s a lane",
                            model->name, load ? "loads" : "stores", access->width,
                            access->width == 1 ? "" : "s");
    service->group_count = groups->count;
    service->all_banks = groups->banks ? groups->banks : model->banks;
    for (unsigned g = 0; g < groups->count; g++)
        service->group[g] = access->active & groups->lanes[g];
    if (!load || !model->pairs || access->width < 8 ||
        (!neighbours_share(access, 1) && !neighbours_share(access, 2)))
        return true;
    service->group_count = groups->count / 2;
    for (unsigned g = 0; g < groups->count / 2; g++)
        service->group[g] = access->active & (groups->lanes[2 * g] | groups->lanes[2 * g + 1]);
    return true;
}

static bool prepare(const struct lw_bank_model *model, const struct lw_access *access,
                    struct service *service, struct lw_error *err)
{
    if (model->lanes < 64 && access->active >> model->lanes)
        return lw_error_set(err, LW_ERROR_PARAMETER, "lane %d is active, but a warp has %u lanes",
                            63 - __builtin_clzll(access->active), model->lanes);
    if (!(is_matrix(access) ? prepare_matrix : prepare_plain)(model, access, service, err))
        return false;
    unsigned unit = access->width < model->bank_bytes ? model->bank_bytes : access->width;
    service->shift = (unsigned)__builtin_ctz(unit);
    service->banks = unit / model->bank_bytes;
    service->columns = service->all_banks / service->banks - 1;
    return true;
}

/* Reports the first address that is not aligned; true when there is none. */
static bool unaligned(const struct lw_access *access, const struct service *service,
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

/* ---- The cost alone ---- */

/* The bytes of its word that a narrow access moves, a bit for each. An address that is not aligned
 * may move bytes beyond the word: they are left out, as it is refused. */
static unsigned bytes_of(const struct lw_access *access, uint64_t address)
{
    return ((1u << access->width) - 1) << (address & 3) & 15;
}

#define SLOTS_LOG 7 /* twice the lanes of a warp, so that most look-ups end at once */

/* The distinct units of an access. While lanes need them in ascending order, the common case, a
 * unit that was met before is the last one; after that they are looked up in a hash table. */
struct units {
    unsigned count;
    bool hashed;
    uint64_t unit[LW_WARP_MAX];
    uint8_t group[LW_WARP_MAX];   /* the last that needs it */
    uint8_t moved[LW_WARP_MAX];   /* of a narrow access: which bytes */
    uint8_t slot[1 << SLOTS_LOG]; /* 1 + the index of a unit; 0: none */
};

static unsigned find_slot(const struct units *units, uint64_t unit)
{
    unsigned at = (unsigned)(unit * 0x9e3779b97f4a7c15 >> (64 - SLOTS_LOG));
    while (units->slot[at] && units->unit[units->slot[at] - 1] != unit)
        at = (at + 1) & ((1 << SLOTS_LOG) - 1);
    return at;
}

static void hash_units(struct units *units)
{
    memset(units->slot, 0, sizeof units->slot);
    for (unsigned i = 0; i < units->count; i++)
        units->slot[find_slot(units, units->unit[i])] = (uint8_t)(i + 1);
    units->hashed = true;
}

/* The index of a unit; a new one belongs to no group. */
static unsigned find_unit(struct units *units, uint64_t unit)
{
    unsigned count = units->count, at = 0;
    if (count && units->unit[count - 1] == unit)
        return count - 1;
    if (!units->hashed && count && unit < units->unit[count - 1])
        hash_units(units);
    if (units->hashed) {
        at = find_slot(units, unit);
        if (units->slot[at])
            return units->slot[at] - 1u;
        units->slot[at] = (uint8_t)(count + 1);
    }
    units->unit[count] = unit;
    units->group[count] = LW_GROUPS_MAX;
    units->moved[count] = 0;
    return units->count++;
}

/* How many wavefronts a group takes; *low: the or of its addresses. */
static unsigned count_group(const struct lw_access *access, const struct service *service,
                            unsigned group, struct units *units, uint64_t *low)
{
    uint8_t depth[LW_BANKS_MAX] = {0};
    unsigned max = 0;
    bool narrow = access->width < 4;
    for (uint64_t m = service->group[group]; m; m &= m - 1) {
        uint64_t address = access->address[__builtin_ctzll(m)];
        uint64_t unit = address >> service->shift;
        unsigned i = find_unit(units, unit);
        *low |= address;
        if (narrow)
            units->moved[i] = (uint8_t)(units->moved[i] | bytes_of(access, address));
        if (units->group[i] == group)
            continue;
        units->group[i] = (uint8_t)group;
        unsigned here = ++depth[unit & service->columns];
        max = here > max ? here : max;
    }
    return max;
}

static bool cost_of(const struct lw_bank_model *model, const struct lw_access *access,
                    const struct service *service, struct lw_cost *cost, struct lw_error *err)
{
    struct units units;
    unsigned row = lw_bank_model_row_bytes(model), bytes = 0;
    uint64_t low = 0;
    units.count = 0;
    units.hashed = false;
    *cost = (struct lw_cost){0};
    for (unsigned g = 0; g < service->group_count; g++) {
        unsigned wavefronts = count_group(access, service, g, &units, &low);
        cost->wavefronts += wavefronts;
        cost->conflicts += wavefronts ? wavefronts - 1 : 0;
    }
    for (unsigned i = 0; i < units.count && access->width < 4; i++)
        bytes += (unsigned)__builtin_popcount(units.moved[i]);
    bytes = access->width < 4 ? bytes : units.count * access->width;
    cost->ideal = (bytes + row - 1) / row;
    return !(low & (access->width - 1)) || unaligned(access, service, err);
}

bool lw_access_cost(const struct lw_bank_model *model, const struct lw_access *access,
                    struct lw_cost *cost, struct lw_error *err)
{
    struct service service;
    return prepare(model, access, &service, err) && cost_of(model, access, &service, cost, err);
}

/* ---- Every wavefront ---- */

/* Adds the wavefronts of a group: in each column the unit of the lowest lane goes first. */
static void serve_group(const struct lw_access *access, const struct service *service,
                        uint64_t lanes, struct lw_wavefronts *out)
{
    struct lw_wavefront *first = &out->wavefront[out->count];
    unsigned banks = service->banks, depth[LW_BANKS_MAX] = {0}, max = 0;
    for (uint64_t m = lanes; m; m &= m - 1) {
        int lane = __builtin_ctzll(m);
        uint64_t unit = access->address[lane] >> service->shift;
        unsigned column = (unsigned)(unit & service->columns), k = 0, bank = column * banks;
        while (k < depth[column] && first[k].word[bank] != unit * banks)
            k++;
        struct lw_wavefront *wavefront = &first[k];
        if (k == max) {
            memset(wavefront, 0, sizeof *wavefront);
            wavefront->group = out->group_count;
            max++;
        }
        if (k == depth[column])
            depth[column]++;
        wavefront->lanes |= (uint64_t)1 << lane;
        for (unsigned b = 0; b < banks; b++) {
            wavefront->banks |= (uint64_t)1 << (bank + b);
            wavefront->word[bank + b] = unit * banks + b;
        }
    }
    out->count += max;
    out->group[out->group_count++] = lanes;
}

/* The words and lanes of each bank, over all groups. */
static void count_banks(const struct lw_access *access, const struct service *service,
                        struct lw_wavefronts *out)
{
    unsigned banks = service->banks, count = 0;
    uint64_t seen[LW_WARP_MAX];
    for (unsigned g = 0; g < out->group_count; g++)
        for (uint64_t m = out->group[g]; m; m &= m - 1) {
            int lane = __builtin_ctzll(m);
            uint64_t unit = access->address[lane] >> service->shift;
            unsigned bank = (unsigned)(unit & service->columns) * banks, i = 0;
            while (i < count && seen[i] != unit)
                i++;
            for (unsigned b = bank; b < bank + banks; b++) {
                out->words[b] += i == count;
                out->lanes[b] |= (uint64_t)1 << lane;
            }
            if (i == count)
                seen[count++] = unit;
        }
}

bool lw_access_wavefronts(const struct lw_bank_model *model, const struct lw_access *access,
                          struct lw_wavefronts *out, struct lw_error *err)
{
    struct service service;
    if (!prepare(model, access, &service, err) ||
        !cost_of(model, access, &service, &out->cost, err))
        return false;
    out->count = out->group_count = 0;
    memset(out->words, 0, sizeof out->words);
    memset(out->lanes, 0, sizeof out->lanes);
    for (unsigned g = 0; g < service.group_count; g++)
        if (service.group[g])
            serve_group(access, &service, service.group[g], out);
    count_banks(access, &service, out);
    return true;
}
