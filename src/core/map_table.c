/*
 * Maps of tables: the element of each hardware index, listed. A list covers all indices and all elements. A matrix of
 * threads covers the cells of one repeat, folded where it is longer than the tensor: each repeat takes as many
 * registers as a thread has in one.
 *
 * Invariant: the owners are sorted by cell and, for one cell, by index, so those of a cell are a run that bisection
 * finds.
 */

#include "core/map_kinds.h"

#include <stdlib.h>
#include <string.h>

static uint64_t cell_at(const struct lw_map *map, uint64_t index)
{
    return map->as.table.element ? map->as.table.element[index] : map->as.table.cell[index];
}

/* Owner number i of all, in the order of the invariant. */
static struct lw_owner owner_at(const struct lw_map *map, uint32_t i)
{
    if (map->as.table.element)
        return map->as.table.owner[i];
    uint16_t index = map->as.table.index[i];
    return (struct lw_owner){map->as.table.cell[index], index};
}

/* ---- Lists ---- */

static int by_element(const void *a, const void *b)
{
    const struct lw_owner *one = a, *two = b;
    if (one->element != two->element)
        return one->element < two->element ? -1 : 1;
    return (one->index > two->index) - (one->index < two->index);
}

/* Counts the elements and the most owners of one. */
static void count_runs(struct lw_map *map)
{
    uint32_t run = 0;
    for (uint32_t i = 0; i < map->as.table.held; i++) {
        bool begins = i == 0 || owner_at(map, i).element != owner_at(map, i - 1).element;
        run = begins ? 1 : run + 1;
        map->as.table.owned += begins;
        map->as.table.copies = run > map->as.table.copies ? run : map->as.table.copies;
    }
}

bool lw_map_from_list(struct lw_map *map, const struct lw_dims *in, const struct lw_dims *out,
                      const uint64_t *elements, struct lw_arena *arena, struct lw_error *err)
{
    uint64_t indices, total;
    struct lw_map made;
    if (!lw_dims_total(in, &indices, err) || !lw_dims_total(out, &total, err))
        return false;
    if (indices > LW_LISTED_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "%llu hardware indices: at most %llu are listed",
                            (unsigned long long)indices, (unsigned long long)LW_LISTED_MAX);
    uint64_t *list = lw_arena_alloc(arena, (size_t)indices * sizeof *list);
    struct lw_owner *owners = lw_arena_alloc(arena, (size_t)indices * sizeof *owners);
    if (!list || !owners)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    memset(&made, 0, sizeof made);
    for (uint64_t i = 0; i < indices; i++) {
        list[i] = elements[i];
        if (elements[i] == LW_NO_ELEMENT)
            continue;
        if (elements[i] >= total)
            return lw_error_set(err, LW_ERROR_SHAPE,
                                "hardware index %llu has element %llu, but there are only %llu",
                                (unsigned long long)i, (unsigned long long)elements[i],
                                (unsigned long long)total);
        owners[made.as.table.held++] = (struct lw_owner){elements[i], i};
    }
    qsort(owners, made.as.table.held, sizeof *owners, by_element);
    made.kind = LW_MAP_TABLE;
    made.in = *in;
    made.out = *out;
    for (int d = 0; d < out->count; d++)
        made.as.table.shape[d] = out->dim[d].size;
    made.as.table.each = in->count ? in->dim[0].size : 1;
    made.as.table.count = (uint32_t)indices;
    made.as.table.element = list;
    made.as.table.owner = owners;
    made.as.table.copies = made.as.table.held ? 0 : 1;
    count_runs(&made);
    *map = made;
    return true;
}

/* ---- Matrices of threads ---- */

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
static bool check_ids(const uint32_t *ids, uint64_t cells, uint64_t *each, uint64_t *threads,
                      struct lw_error *err)
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
    *threads = (uint64_t)max + 1;
    *each = seen[0];
    return true;
}

/* The flat cell, first dim fastest and folded, of cell number `cell` of the matrix, row-major. */
static uint16_t fold(const struct lw_map *map, const uint64_t *shape, uint64_t cell)
{
    uint64_t at[LW_DIMS_MAX], folded = 0;
    for (int d = map->out.count - 1; d >= 0; d--) {
        at[d] = cell % shape[d] % map->as.table.shape[d];
        cell /= shape[d];
    }
    for (int d = map->out.count - 1; d >= 0; d--)
        folded = folded * map->as.table.shape[d] + at[d];
    return (uint16_t)folded;
}

/* Fills both directions. The registers of a thread are its cells in row-major order. */
static void fill(struct lw_map *map, const uint64_t *shape, const uint32_t *ids)
{
    uint16_t next[LW_CELLS_MAX] = {0};
    for (uint32_t i = 0; i < map->as.table.count; i++)
        map->as.table.cell[ids[i] * map->as.table.each + next[ids[i]]++] = fold(map, shape, i);
    memset(next, 0, sizeof next);
    for (uint32_t index = 0; index < map->as.table.count; index++) {
        uint16_t cell = map->as.table.cell[index];
        map->as.table.index[cell * map->as.table.copies + next[cell]++] = (uint16_t)index;
    }
}

/* The hardware dims: the registers of a thread in all repeats, and threads in warps. */
static bool set_indices(struct lw_map *map, uint64_t threads, uint64_t lanes, struct lw_error *err)
{
    uint64_t registers = map->as.table.each, total;
    lanes = threads < lanes ? threads : lanes;
    for (int d = 0; d < map->out.count; d++) {
        uint64_t repeats = (map->out.dim[d].size - 1) / map->as.table.shape[d] + 1;
        if (__builtin_mul_overflow(registers, repeats, &registers))
            return lw_error_set(err, LW_ERROR_LIMIT, "a thread has over 2^63 registers");
    }
    return lw_dims_add(&map->in, "register", registers, err) &&
           lw_dims_add(&map->in, "lane", lanes, err) &&
           lw_dims_add(&map->in, "warp", (threads - 1) / lanes + 1, err) &&
           lw_dims_add(&map->in, "block", 1, err) && lw_dims_total(&map->in, &total, err);
}

bool lw_map_from_table(struct lw_map *map, const uint64_t *shape, const uint32_t *ids,
                       const struct lw_dims *out, uint64_t lanes, struct lw_error *err)
{
    struct lw_map made;
    uint64_t cells, threads = 0, folded = 1;
    memset(&made, 0, sizeof made);
    made.kind = LW_MAP_TABLE;
    made.out = *out;
    if (!check_sizes(shape, out, &cells, err) ||
        !check_ids(ids, cells, &made.as.table.each, &threads, err))
        return false;
    for (int d = 0; d < out->count; d++) {
        uint64_t size = out->dim[d].size;
        made.as.table.shape[d] = shape[d] < size ? shape[d] : size;
        folded *= made.as.table.shape[d];
    }
    made.as.table.count = made.as.table.held = (uint32_t)cells;
    made.as.table.owned = (uint32_t)folded;
    made.as.table.copies = (uint32_t)(cells / folded);
    fill(&made, shape, ids);
    if (!set_indices(&made, threads, lanes ? lanes : 1, err))
        return false;
    *map = made;
    return true;
}

/* ---- Queries ---- */

/* How many owners have a cell below this one. */
static uint32_t owners_below(const struct lw_map *map, uint64_t cell)
{
    uint32_t low = 0, high = map->as.table.held;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (owner_at(map, middle).element < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool apply(const struct lw_map *map, const uint64_t *in, uint64_t *out)
{
    uint64_t index = 0, each = map->as.table.each, repeat = map->in.count ? in[0] / each : 0;
    for (int d = map->in.count - 1; d > 0; d--)
        index = index * map->in.dim[d].size + in[d];
    index = index * each + (map->in.count ? in[0] % each : 0);
    uint64_t cell = index < map->as.table.count ? cell_at(map, index) : LW_NO_ELEMENT;
    if (cell == LW_NO_ELEMENT)
        return false;
    for (int d = 0; d < map->out.count; d++) {
        out[d] = cell % map->as.table.shape[d];
        cell /= map->as.table.shape[d];
    }
    for (int d = map->out.count - 1; d >= 0; d--) {
        uint64_t size = map->out.dim[d].size, length = map->as.table.shape[d];
        uint64_t repeats = (size - 1) / length + 1;
        out[d] += repeat % repeats * length;
        if (out[d] >= size)
            return false;
        repeat /= repeats;
    }
    return true;
}

/* The flat cell of an element, and the number of its repeat. */
static uint64_t cell_of(const struct lw_map *map, const uint64_t *out, uint64_t *repeat)
{
    uint64_t cell = 0;
    *repeat = 0;
    for (int d = map->out.count - 1; d >= 0; d--)
        cell = cell * map->as.table.shape[d] + out[d] % map->as.table.shape[d];
    for (int d = 0; d < map->out.count; d++) {
        uint64_t length = map->as.table.shape[d];
        *repeat = *repeat * ((map->out.dim[d].size - 1) / length + 1) + out[d] / length;
    }
    return cell;
}

static uint64_t owner_count(const struct lw_map *map, const uint64_t *out)
{
    uint64_t repeat, cell = cell_of(map, out, &repeat);
    return owners_below(map, cell + 1) - owners_below(map, cell);
}

static bool owner(const struct lw_map *map, const uint64_t *out, uint64_t k, uint64_t *in)
{
    uint64_t repeat, cell = cell_of(map, out, &repeat), each = map->as.table.each;
    uint32_t first = owners_below(map, cell);
    if (k >= map->as.table.held - first)
        return false;
    struct lw_owner owner = owner_at(map, first + (uint32_t)k);
    if (owner.element != cell)
        return false;
    uint64_t index = owner.index / each;
    for (int d = 1; d < map->in.count; d++) {
        in[d] = index % map->in.dim[d].size;
        index /= map->in.dim[d].size;
    }
    if (map->in.count)
        in[0] = repeat * each + owner.index % each;
    return true;
}

static uint64_t replication(const struct lw_map *map)
{
    return map->as.table.copies;
}

static uint64_t element_count(const struct lw_map *map)
{
    uint64_t elements = 1;
    if (map->as.table.element)
        return map->as.table.owned;
    lw_dims_total(&map->out, &elements, NULL);
    return elements;
}

/* ---- As a linear layout ---- */

static bool check_powers(const struct lw_dims *dims, struct lw_error *err)
{
    for (int d = 0; d < dims->count; d++)
        if (lw_log2(dims->dim[d].size) < 0)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "not a linear layout: %s has size %llu, which is not a power of "
                                "two",
                                dims->dim[d].name, (unsigned long long)dims->dim[d].size);
    return true;
}

/* "lane 6 of warp 1": the dims of a flat index in which it is not 0. */
static void put_index(struct lw_text *text, const struct lw_map *map, uint64_t flat)
{
    uint64_t in[LW_DIMS_MAX], each = map->as.table.each;
    bool some = false;
    lw_dims_unflatten(&map->in, flat / each * map->in.dim[0].size + flat % each, in);
    for (int d = 0; d < map->in.count; d++)
        if (in[d]) {
            lw_text_format(text, "%s%s %llu", some ? " of " : "", map->in.dim[d].name,
                           (unsigned long long)in[d]);
            some = true;
        }
    lw_text_add(text, some ? "" : "index 0");
}

/* "lane 6 has (7), where (6) would follow from the indices before it" */
static bool differs(const struct lw_map *map, uint64_t flat, uint64_t cell, struct lw_error *err)
{
    struct lw_text text = {0};
    put_index(&text, map, flat);
    for (int i = 0; i < 2; i++) {
        uint64_t left = i ? cell : cell_at(map, flat);
        lw_text_add(&text, i ? ", where (" : " has (");
        for (int d = 0; d < map->out.count; d++) {
            lw_text_format(&text, "%s%llu", d ? ", " : "",
                           (unsigned long long)(left % map->as.table.shape[d]));
            left /= map->as.table.shape[d];
        }
        lw_text_char(&text, ')');
    }
    lw_error_set(err, LW_ERROR_UNSUPPORTED,
                 "not a linear layout: %s would follow from the indices before it",
                 lw_text_string(&text));
    lw_text_free(&text);
    return false;
}

static bool holds_nothing(const struct lw_map *map, uint64_t flat, struct lw_error *err)
{
    struct lw_text text = {0};
    put_index(&text, map, flat);
    lw_error_set(err, LW_ERROR_UNSUPPORTED, "not a linear layout: %s holds nothing",
                 lw_text_string(&text));
    lw_text_free(&text);
    return false;
}

/* All sizes are powers of two, so a flat number is the xor of those of its bits, and each index must hold what its
 * lowest bit and its other bits hold, xored. */
static bool to_layout(const struct lw_map *map, struct lw_layout *out, struct lw_error *err)
{
    struct lw_layout layout;
    uint64_t count = 1, each = map->as.table.each;
    if (!check_powers(&map->in, err) || !check_powers(&map->out, err))
        return false;
    for (int d = 0; d < map->in.count; d++)
        count *= d ? map->in.dim[d].size : each;
    for (uint64_t i = 0; i < count; i++) {
        if (i >= map->as.table.count || cell_at(map, i) == LW_NO_ELEMENT)
            return holds_nothing(map, i, err);
        uint64_t lowest = i & (~i + 1), expected = 0;
        if (i & (i - 1))
            expected = cell_at(map, lowest) ^ cell_at(map, i ^ lowest);
        if ((i == 0 || i != lowest) && cell_at(map, i) != expected)
            return differs(map, i, expected, err);
    }
    if (!lw_layout_of_dims(&layout, &map->in, &map->out, err))
        return false;
    for (int d = 0; d < map->in.count; d++)
        for (int bit = 0; bit < lw_layout_in_log2(&layout, d); bit++) {
            uint64_t in[LW_DIMS_MAX] = {0}, image[LW_DIMS_MAX];
            in[d] = (uint64_t)1 << bit;
            apply(map, in, image);
            lw_layout_set_basis(&layout, d, bit, image, NULL);
        }
    *out = layout;
    return true;
}

const struct lw_map_ops lw_map_table = {
    .apply = apply,
    .owner_count = owner_count,
    .owner = owner,
    .replication = replication,
    .element_count = element_count,
    .to_layout = to_layout,
};
