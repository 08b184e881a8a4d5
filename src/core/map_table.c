/*
 * Maps of a table of threads. The table is folded first: where it is longer than the tensor, cells that fall on each
 * other are copies. Invariant: `index` and `cell` are inverse to each other except for the copies, whose indices are
 * consecutive and ascending.
 */

#include "core/map_kinds.h"

#include <stdio.h>
#include <string.h>

enum { REGISTER, LANE, WARP, BLOCK };

/* ---- Making ---- */

static bool check_sizes(const uint64_t *shape, const struct lw_dims *out, uint64_t *cells,
                        struct lw_error *err)
{
    *cells = 1;
    for (int d = 0; d < out->count; d++) {
        uint64_t size = out->dim[d].size;
        if (shape[d] == 0)
            return lw_error_set(err, LW_ERROR_SHAPE, "dim %d: a length of 0", d);
        if (shape[d] > size && shape[d] % size)
            return lw_error_set(
                err, LW_ERROR_SHAPE,
                "dim %d: %llu cells cannot be divided evenly among %llu elements, as "
                "some would have more owners than others",
                d, (unsigned long long)shape[d], (unsigned long long)size);
        if (__builtin_mul_overflow(*cells, shape[d], cells) || *cells > LW_CELLS_MAX)
            return lw_error_set(err, LW_ERROR_LIMIT, "over %d cells", LW_CELLS_MAX);
    }
    return true;
}

/* Checks that each thread has equally many cells; sets how many, and the number of threads. */
static bool check_ids(struct lw_map *map, const uint32_t *ids, uint64_t cells, struct lw_error *err)
{
    uint16_t seen[LW_CELLS_MAX] = {0};
    uint32_t max = 0;
    for (uint64_t i = 0; i < cells; i++) {
        if (ids[i] >= cells)
            return lw_error_set(err, LW_ERROR_SHAPE,
                                "thread %lu is in the table, but there are only %llu cells: all "
                                "threads from 0 on must have one",
                                (unsigned long)ids[i], (unsigned long long)cells);
        seen[ids[i]]++;
        max = ids[i] > max ? ids[i] : max;
    }
    for (uint32_t id = 0; id <= max; id++)
        if (seen[id] != seen[ids[0]])
            return lw_error_set(err, LW_ERROR_SHAPE,
                                "thread %lu has %u of the cells, but thread %lu has %u: each must "
                                "have equally many",
                                (unsigned long)id, seen[id], (unsigned long)ids[0], seen[ids[0]]);
    map->as.table.threads = max + 1;
    map->as.table.each = seen[0];
    return true;
}

/* The folded cell of a cell, both row-major. */
static uint64_t fold(const struct lw_map *map, const uint64_t *shape, uint64_t cell)
{
    uint64_t folded = 0, stride = 1;
    for (int d = map->out.count - 1; d >= 0; d--) {
        folded += cell % shape[d] % map->as.table.shape[d] * stride;
        cell /= shape[d];
        stride *= map->as.table.shape[d];
    }
    return folded;
}

static void fill(struct lw_map *map, const uint64_t *shape, const uint32_t *ids, uint64_t cells)
{
    uint16_t next[LW_CELLS_MAX] = {0};
    for (uint64_t i = 0; i < cells; i++) { /* row-major, and so are the registers of a thread */
        uint32_t index = ids[i] * map->as.table.each + next[ids[i]]++;
        map->as.table.cell[index] = (uint16_t)fold(map, shape, i);
    }
    memset(next, 0, sizeof next);
    for (uint64_t index = 0; index < cells; index++) {
        uint16_t cell = map->as.table.cell[index];
        map->as.table.index[cell * map->as.table.copies + next[cell]++] = (uint16_t)index;
    }
}

/* The hardware dims: the registers of a thread in all repeats of the table, and threads in
 * warps. */
static bool set_indices(struct lw_map *map, uint64_t lanes, struct lw_error *err)
{
    uint64_t registers = map->as.table.each, threads = map->as.table.threads;
    lanes = threads < lanes ? threads : lanes;
    for (int d = 0; d < map->out.count; d++) {
        uint64_t laid = (map->out.dim[d].size - 1) / map->as.table.shape[d] + 1;
        if (__builtin_mul_overflow(registers, laid, &registers))
            return lw_error_set(err, LW_ERROR_LIMIT, "a thread has over 2^63 registers");
    }
    uint64_t total;
    return lw_dims_add(&map->in, "register", registers, err) &&
           lw_dims_add(&map->in, "lane", lanes, err) &&
           lw_dims_add(&map->in, "warp", (threads - 1) / lanes + 1, err) &&
           lw_dims_add(&map->in, "block", 1, err) && lw_dims_total(&map->in, &total, err);
}

bool lw_map_from_table(struct lw_map *map, const uint64_t *shape, const uint32_t *ids,
                       const struct lw_dims *out, uint64_t lanes, struct lw_error *err)
{
    struct lw_map made;
    uint64_t cells, folded = 1;
    memset(&made, 0, sizeof made);
    made.kind = LW_MAP_TABLE;
    made.out = *out;
    if (!check_sizes(shape, out, &cells, err) || !check_ids(&made, ids, cells, err))
        return false;
    for (int d = 0; d < out->count; d++) {
        uint64_t size = out->dim[d].size;
        made.as.table.shape[d] = shape[d] < size ? shape[d] : size;
        folded *= made.as.table.shape[d];
    }
    made.as.table.copies = (uint32_t)(cells / folded);
    fill(&made, shape, ids, cells);
    if (!set_indices(&made, lanes ? lanes : 1, err))
        return false;
    *map = made;
    return true;
}

/* ---- Queries ---- */

static bool apply(const struct lw_map *map, const uint64_t *in, uint64_t *out)
{
    uint64_t thread = in[LANE] + in[WARP] * map->in.dim[LANE].size, each = map->as.table.each;
    uint64_t laid = in[REGISTER] / each;
    if (thread >= map->as.table.threads)
        return false;
    uint64_t cell = map->as.table.cell[thread * each + in[REGISTER] % each];
    for (int d = map->out.count - 1; d >= 0; d--) {
        uint64_t size = map->out.dim[d].size, length = map->as.table.shape[d];
        uint64_t times = (size - 1) / length + 1;
        out[d] = laid % times * length + cell % length;
        if (out[d] >= size)
            return false;
        laid /= times;
        cell /= length;
    }
    return true;
}

static bool owner(const struct lw_map *map, const uint64_t *out, uint64_t k, uint64_t *in)
{
    uint64_t cell = 0, laid = 0, each = map->as.table.each;
    for (int d = 0; d < map->out.count; d++) {
        uint64_t length = map->as.table.shape[d];
        cell = cell * length + out[d] % length;
        laid = laid * ((map->out.dim[d].size - 1) / length + 1) + out[d] / length;
    }
    uint64_t index = map->as.table.index[cell * map->as.table.copies + k];
    in[REGISTER] = laid * each + index % each;
    in[LANE] = index / each % map->in.dim[LANE].size;
    in[WARP] = index / each / map->in.dim[LANE].size;
    in[BLOCK] = 0;
    return true;
}

static uint64_t replication(const struct lw_map *map)
{
    return map->as.table.copies;
}

/* ---- As a linear layout ---- */

/* The linear layout with the same images of the hardware indices that have one bit. */
static bool from_single_bits(const struct lw_map *map, struct lw_layout *layout,
                             struct lw_error *err)
{
    for (int i = 0; i < 2; i++) {
        const struct lw_dims *dims = i ? &map->out : &map->in;
        for (int d = 0; d < dims->count; d++)
            if (lw_log2(dims->dim[d].size) < 0)
                return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                    "not a linear layout: %s has size %llu, which is not a power "
                                    "of two",
                                    dims->dim[d].name, (unsigned long long)dims->dim[d].size);
    }
    if (!lw_layout_of_dims(layout, &map->in, &map->out, err))
        return false;
    for (int d = 0; d < map->in.count; d++)
        for (int bit = 0; bit < lw_layout_in_log2(layout, d); bit++) {
            uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX];
            in[d] = (uint64_t)1 << bit;
            if (!apply(map, in, out) || !lw_layout_set_basis(layout, d, bit, out, NULL))
                return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                    "not a linear layout: %s %llu holds nothing",
                                    map->in.dim[d].name, 1ull << bit);
        }
    return true;
}

static void put_element(char *buffer, size_t room, int count, const uint64_t *out)
{
    int used = snprintf(buffer, room, "(");
    for (int d = 0; d < count && used > 0 && (size_t)used < room; d++)
        used += snprintf(buffer + used, room - (size_t)used, "%s%llu%s", d ? ", " : "",
                         (unsigned long long)out[d], d + 1 < count ? "" : ")");
}

static bool to_layout(const struct lw_map *map, struct lw_layout *out, struct lw_error *err)
{
    struct lw_layout layout;
    char is[120], would[120];
    if (!from_single_bits(map, &layout, err))
        return false;
    for (uint32_t i = 0; i < map->as.table.threads * map->as.table.each; i++) {
        uint64_t in[LW_DIMS_MAX] = {0}, held[LW_DIMS_MAX], made[LW_DIMS_MAX];
        uint32_t thread = i / map->as.table.each;
        in[REGISTER] = i % map->as.table.each;
        in[LANE] = thread % map->in.dim[LANE].size;
        in[WARP] = thread / map->in.dim[LANE].size;
        apply(map, in, held);
        lw_layout_apply(&layout, in, made);
        if (!memcmp(held, made, (size_t)map->out.count * sizeof *held))
            continue;
        put_element(is, sizeof is, map->out.count, held);
        put_element(would, sizeof would, map->out.count, made);
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "not a linear layout: thread %lu has %s, where %s would follow from "
                            "the threads before it",
                            (unsigned long)thread, is, would);
    }
    *out = layout;
    return true;
}

const struct lw_map_ops lw_map_table = {
    .apply = apply,
    .owner = owner,
    .replication = replication,
    .to_layout = to_layout,
};
