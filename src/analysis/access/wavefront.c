/*
 * What one instruction on shared memory costs, counted lane by lane.
 *
 * A lane moves 1, 2, 4, 8 or 16 aligned bytes, so they lie in one word, or in 2 or 4 neighbouring
 * banks, and two lanes access the same units or different ones. A unit is what a lane moves, at
 * least a word. Each unit belongs to one column of banks, and a group takes as many wavefronts as
 * the most distinct units that it needs of one column. Invariant: no unit is counted twice in a
 * group, nor twice for the ideal.
 *
 * Source: the targets (hardware.c); the rule for pairs of lanes from single instructions counted on an H200.
 */

#include "laneway/wavefront.h"
#include "analysis/access/plan_parts.h"

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

const char *lw_access_op_name(enum lw_access_op op)
{
    static const char *const names[] = {"ld.shared", "st.shared", "ldmatrix", "stmatrix"};
    return (size_t)op < sizeof names / sizeof *names ? names[op] : NULL;
}

static bool is_matrix(const struct lw_access *access)
{
    return access->op == LW_ACCESS_LDMATRIX || access->op == LW_ACCESS_STMATRIX;
}

/* The groups that serve a plain access of lanes; NULL: they are unknown, or no lane moves that width. */
static const struct lw_lane_groups *groups_of(const struct lw_bank_model *model,
                                              const struct lw_access *access)
{
    int width = lw_log2(access->width);
    return width < 0 || width >= LW_WIDTHS ? NULL
           : access->op == LW_ACCESS_LOAD  ? model->load[width]
                                           : model->store[width];
}

unsigned lw_access_banks(const struct lw_bank_model *model, const struct lw_access *access)
{
    const struct lw_lane_groups *groups = is_matrix(access) ? NULL : groups_of(model, access);
    return groups && groups->banks ? groups->banks : model->banks;
}

/* ---- Preparing ---- */

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

/* Fails on an address of these lanes that is not a multiple of the width. */
static bool check_aligned(const struct lw_access *access, uint64_t lanes, struct lw_error *err)
{
    for (uint64_t m = access->active & lanes; m; m &= m - 1) {
        int lane = __builtin_ctzll(m);
        if (access->address[lane] % access->width)
            return lw_error_set(
                err, LW_ERROR_PARAMETER,
                "lane %d: address %llu is not aligned to the %u bytes that a lane moves", lane,
                (unsigned long long)access->address[lane], access->width);
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
    for (unsigned g = 0; g < n; g++)
        service->group[g] = access->active & (uint64_t)0xff << 8 * g;
    return check_aligned(access, rows, err);
}

static bool prepare_plain(const struct lw_bank_model *model, const struct lw_access *access,
                          struct service *service, struct lw_error *err)
{
    bool load = access->op == LW_ACCESS_LOAD;
    if (lw_log2(access->width) < 0 || access->width > 16)
        return lw_error_set(err, LW_ERROR_PARAMETER, "a lane moves 1, 2, 4, 8 or 16 bytes, not %u",
                            access->width);
    if (!check_aligned(access, UINT64_MAX, err))
        return false;
    const struct lw_lane_groups *groups = groups_of(model, access);
    if (!groups)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "unknown: no document states which lanes %s serves together in %s of "
                            "%u byte%s per lane",
                            model->name, load ? "loads" : "stores", access->width,
                            access->width == 1 ? "" : "s");
    service->group_count = groups->count;
    for (unsigned g = 0; g < groups->count; g++)
        service->group[g] = access->active & groups->lanes[g];
    if (!load || access->width < 8 || !model->pairs ||
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
    if (is_matrix(access) ? !prepare_matrix(model, access, service, err)
                          : !prepare_plain(model, access, service, err))
        return false;
    unsigned unit = access->width < model->bank_bytes ? model->bank_bytes : access->width;
    service->all_banks = lw_access_banks(model, access);
    service->shift = (unsigned)__builtin_ctz(unit);
    service->banks = unit >> __builtin_ctz(model->bank_bytes);
    service->columns = (service->all_banks >> __builtin_ctz(service->banks)) - 1;
    return true;
}

/* ---- Units ---- */

/* The distinct units of an access, in a chain for each column. */
struct units {
    unsigned count;
    uint64_t unit[LW_WARP_MAX];
    int8_t before[LW_WARP_MAX]; /* the unit before it in its column; -1: none */
    uint8_t group[LW_WARP_MAX]; /* the last group that needs it */
    int8_t last[LW_BANKS_MAX];  /* the last one of a column; -1: none */
};

/* Adds the units of group g; returns its wavefronts. */
static unsigned add_group(struct units *all, const struct lw_access *access,
                          const struct service *service, unsigned g)
{
    uint8_t needed[LW_BANKS_MAX] = {0}; /* units of each column */
    unsigned most = 0;
    for (uint64_t m = service->group[g]; m; m &= m - 1) {
        const uint64_t unit = access->address[__builtin_ctzll(m)] >> service->shift;
        const unsigned column = (unsigned)(unit & service->columns);
        int at = all->last[column];
        while (at >= 0 && all->unit[at] != unit)
            at = all->before[at];
        if (at >= 0 && all->group[at] == g)
            continue;
        if (at < 0) {
            at = (int)all->count++;
            all->unit[at] = unit;
            all->before[at] = all->last[column];
            all->last[column] = (int8_t)at;
        }
        all->group[at] = (uint8_t)g;
        needed[column]++;
        most = needed[column] > most ? needed[column] : most;
    }
    return most;
}

unsigned lw_access_addresses(const struct lw_access *access, uint64_t lanes)
{
    uint64_t seen[LW_WARP_MAX];
    unsigned count = 0;
    for (uint64_t m = lanes; m; m &= m - 1) {
        unsigned at = 0;
        seen[count] = access->address[__builtin_ctzll(m)];
        while (seen[at] != seen[count])
            at++;
        count += at == count;
    }
    return count;
}

/* Sets the cost of an access that is ready. */
static void count_cost(const struct lw_bank_model *model, const struct lw_access *access,
                       const struct service *service, struct lw_cost *cost)
{
    struct units all;
    uint64_t lanes = 0;
    all.count = 0;
    memset(all.last, -1, sizeof all.last);
    *cost = (struct lw_cost){0};
    for (unsigned g = 0; g < service->group_count; g++) {
        const unsigned wavefronts = add_group(&all, access, service, g);
        lanes |= service->group[g];
        cost->wavefronts += wavefronts;
        cost->conflicts += wavefronts ? wavefronts - 1 : 0;
    }
    const unsigned row = service->all_banks * model->bank_bytes;
    const bool narrow = access->width < model->bank_bytes;
    cost->bytes = access->width * (narrow ? lw_access_addresses(access, lanes) : all.count);
    cost->ideal = (cost->bytes + row - 1) / row;
}

bool lw_access_cost(const struct lw_bank_model *model, const struct lw_access *access,
                    struct lw_cost *cost, struct lw_error *err)
{
    struct service service;
    if (!prepare(model, access, &service, err))
        return false;
    count_cost(model, access, &service, cost);
    return true;
}

/* ---- Every wavefront ---- */

/* Adds the wavefronts of a group, in each column the unit of the lowest lane first, and to each bank its lanes and the
 * words that no group before had. */
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
        bool is_new = k == depth[column];
        depth[column] += is_new;
        for (const struct lw_wavefront *w = out->wavefront; is_new && w < first; w++)
            is_new = !(w->banks >> bank & 1) || w->word[bank] != unit * banks;
        wavefront->lanes |= (uint64_t)1 << lane;
        for (unsigned b = 0; b < banks; b++) {
            wavefront->banks |= (uint64_t)1 << (bank + b);
            wavefront->word[bank + b] = unit * banks + b;
            out->words[bank + b] += is_new;
            out->lanes[bank + b] |= (uint64_t)1 << lane;
        }
    }
    out->count += max;
    out->group[out->group_count++] = lanes;
}

bool lw_access_wavefronts(const struct lw_bank_model *model, const struct lw_access *access,
                          struct lw_wavefronts *out, struct lw_error *err)
{
    struct service service;
    if (!prepare(model, access, &service, err))
        return false;
    count_cost(model, access, &service, &out->cost);
    out->count = out->group_count = 0;
    memset(out->words, 0, sizeof out->words);
    memset(out->lanes, 0, sizeof out->lanes);
    for (unsigned g = 0; g < service.group_count; g++)
        if (service.group[g])
            serve_group(access, &service, service.group[g], out);
    return true;
}

bool lw_access_words(const struct lw_bank_model *model, const struct lw_access *access,
                     unsigned char words[LW_BANKS_MAX], struct lw_error *err)
{
    struct lw_wavefronts all;
    unsigned w = 0;
    memset(words, 0, LW_BANKS_MAX);
    if (!lw_access_wavefronts(model, access, &all, err))
        return false;
    for (unsigned g = 0; g < all.group_count; g++) {
        unsigned char own[LW_BANKS_MAX] = {0}; /* each wavefront moves one word of a bank */
        for (; w < all.count && all.wavefront[w].group == g; w++)
            for (uint64_t banks = all.wavefront[w].banks; banks; banks &= banks - 1)
                own[__builtin_ctzll(banks)]++;
        for (unsigned b = 0; b < LW_BANKS_MAX; b++)
            words[b] = own[b] > words[b] ? own[b] : words[b];
    }
    return true;
}
