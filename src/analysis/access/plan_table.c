/*
 * Accesses by a table with the address of each register of each thread: plans where no rule of the compiler covers the
 * layouts, what a good compiler could do; and the sectors of global memory that a warp accesses.
 *
 * Registers are sorted by address. The widest runs that are consecutive and aligned in every lane and warp, of a
 * power of two elements up to 16 bytes, are one access each.
 */

#include "analysis/access/plan_parts.h"

#include "analysis/owners.h"

#include <stdlib.h>
#include <string.h>

#define INDICES_MAX ((uint64_t)1 << 20)

/* ---- The table ---- */

/* What the table is of: its function sets the address of an element, and fails where there is none. */
struct source {
    const struct lw_map *map;
    struct lw_owner_dims dims;
    uint64_t warps, blocks;
    bool (*address)(const struct source *source, const uint64_t *element, uint64_t *address);
    /* Of a plan: its map, and for each dim of its tensor that of `map`. */
    const struct lw_map *memory;
    int dim[LW_DIMS_MAX];
    uint64_t stride[LW_DIMS_MAX]; /* in global memory */
};

static uint64_t size_of(const struct lw_map *map, int dim)
{
    return dim < 0 ? 1 : map->in.dim[dim].size;
}

static uint64_t at(const struct lw_table *table, uint64_t reg, uint64_t thread)
{
    return table->at[reg * table->threads + thread];
}

/* Sets the sizes of the table, and the lanes of a warp. */
static bool measure(struct source *source, struct lw_table *table, struct lw_error *err)
{
    const struct lw_map *map = source->map;
    struct lw_owner_dims *dims = &source->dims;
    uint64_t threads = size_of(map, dims->thread), total;
    if (dims->thread >= 0)
        dims->lanes = threads < dims->lanes ? threads : dims->lanes;
    else if (dims->lane < 0)
        dims->lanes = 1;
    source->warps = dims->thread >= 0 ? (threads - 1) / dims->lanes + 1 : size_of(map, dims->warp);
    source->blocks = size_of(map, dims->block);
    table->registers = size_of(map, dims->reg);
    if (!lw_dims_total(&map->in, &total, err))
        return false;
    if (total > INDICES_MAX)
        return lw_error_set(
            err, LW_ERROR_LIMIT,
            "too many hardware indices, %llu, which are counted one by one: the limit is 2^20",
            (unsigned long long)total);
    table->threads = total / table->registers;
    return true;
}

static bool fill(const struct source *source, struct lw_table *table, struct lw_arena *arena,
                 bool holes, struct lw_error *err)
{
    const struct lw_owner_dims *dims = &source->dims;
    uint64_t in[LW_DIMS_MAX + 1] = {0}, out[LW_DIMS_MAX];
    uint64_t of_block = table->threads / source->blocks, lanes = dims->lanes;
    table->at = lw_arena_alloc(arena, table->registers * table->threads * sizeof *table->at);
    if (!table->at)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    /* A dim that the map lacks is set behind those that it has. */
    const int last = LW_DIMS_MAX;
    for (uint64_t reg = 0; reg < table->registers; reg++)
        for (uint64_t thread = 0; thread < table->threads; thread++) {
            uint64_t own = thread % of_block, *address = &table->at[reg * table->threads + thread];
            in[dims->reg < 0 ? last : dims->reg] = reg;
            in[dims->thread < 0 ? last : dims->thread] = own;
            in[dims->lane < 0 ? last : dims->lane] = own % lanes;
            in[dims->warp < 0 ? last : dims->warp] = own / lanes;
            in[dims->block < 0 ? last : dims->block] = thread / of_block;
            bool held = lw_map_apply(source->map, in, out);
            if (held && source->address(source, out, address))
                continue;
            *address = LW_HOLE;
            if (held || !holes)
                return lw_error_set(
                    err, LW_ERROR_UNSUPPORTED, "register %llu of lane %llu of warp %llu %s",
                    (unsigned long long)reg, (unsigned long long)(own % lanes),
                    (unsigned long long)(own / lanes),
                    held ? "holds an element that has no offset in memory" : "holds nothing");
        }
    return true;
}

/* Sorts the registers by address, and drops those that repeat another; returns how many are left. A
 * piece's first register is its number. */
static uint64_t sort_registers(const struct lw_table *table, struct lw_piece *pieces)
{
    uint64_t kept = 0;
    for (uint64_t r = 0; r < table->registers; r++) {
        struct lw_piece *piece = &pieces[r];
        *piece = (struct lw_piece){.key = {at(table, r, 0), 0, 0}, .first = (uint32_t)r};
        for (uint64_t thread = 0; thread < table->threads; thread++) {
            piece->key[1] = (piece->key[1] ^ at(table, r, thread)) * 0x9e3779b97f4a7c15u;
            piece->either |= at(table, r, thread);
        }
    }
    qsort(pieces, table->registers, sizeof *pieces, lw_piece_compare);
    for (uint64_t i = 0; i < table->registers; i++) {
        struct lw_piece *piece = &pieces[i];
        bool follows = kept > 0, repeats = kept > 0;
        for (uint64_t thread = 0; thread < table->threads && (follows || repeats); thread++) {
            uint64_t before = at(table, pieces[kept - 1].first, thread);
            uint64_t here = at(table, piece->first, thread);
            follows = follows && here == before + 1;
            repeats = repeats && here == before;
        }
        piece->follows = follows;
        if (!repeats)
            pieces[kept++] = *piece;
    }
    return kept;
}

/* ---- As written ---- */

/* Whether every `n` consecutive registers, from a multiple of n on, are consecutive in memory in
 * every thread. */
static bool are_vectors(const struct lw_table *table, uint64_t n)
{
    for (uint64_t reg = 0; reg < table->registers; reg++)
        for (uint64_t thread = 0; thread < table->threads; thread++) {
            uint64_t first = at(table, reg - reg % n, thread);
            if (at(table, reg, thread) != (first == LW_HOLE ? LW_HOLE : first + reg % n))
                return false;
        }
    return true;
}

/* Makes the pieces of a plan as written; sets *step to the elements of each. */
static bool list_written(const struct lw_plan *plan, struct lw_piece *pieces, uint64_t *count,
                         unsigned *step, struct lw_error *err)
{
    const struct lw_table *table = &plan->parts->table;
    unsigned bits = plan->request.element_bits;
    uint64_t vector = plan->request.vector ? plan->request.vector : 1;
    while (!plan->request.vector && 2 * vector * bits <= 128 &&
           table->registers % (2 * vector) == 0 && are_vectors(table, 2 * vector))
        vector *= 2;
    if (vector * bits < 8)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "an element of %u bit%s is less than a byte, and the registers of a "
                            "thread are not neighbours in memory",
                            bits, bits == 1 ? "" : "s");
    for (*count = 0; *count * vector < table->registers; ++*count)
        pieces[*count] = (struct lw_piece){.first = (uint32_t)(*count * vector)};
    *step = (unsigned)vector;
    return true;
}

/* ---- A plan ---- */

static bool address_in_memory(const struct source *source, const uint64_t *element,
                              uint64_t *address)
{
    uint64_t moved[LW_DIMS_MAX], index[LW_DIMS_MAX];
    for (int i = 0; i < source->memory->out.count; i++)
        moved[i] = element[source->dim[i]];
    if (!lw_map_owner(source->memory, moved, 0, index))
        return false;
    *address = index[lw_memory_dim(source->memory)];
    return true;
}

bool lw_plan_table(struct lw_plan *plan, struct lw_error *err)
{
    const struct lw_plan_request *request = &plan->request;
    struct source source = {
        .map = request->registers, .memory = request->memory, .address = address_in_memory};
    struct lw_plan_parts *p = plan->parts = lw_arena_alloc(&plan->arena, sizeof *plan->parts);
    if (!p)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < source.memory->out.count; i++)
        source.dim[i] = lw_dims_find(&source.map->out, source.memory->out.dim[i].name);
    if (!lw_owner_dims_find(&source.dims, &source.map->in, request->hardware->lanes, err) ||
        !measure(&source, &p->table, err))
        return false;
    const struct lw_dims *in = &source.memory->in;
    const char *other = source.blocks > 1 ? "block" : NULL;
    for (int i = 0; i < in->count; i++)
        if (in->dim[i].size > 1 && i != lw_memory_dim(source.memory))
            other = in->dim[i].name;
    if (other)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "these layouts are not linear: a plan cannot have a dim '%s'", other);
    if (!lw_plan_check_lanes(source.dims.lanes, request->hardware, err))
        return false;
    uint64_t count = p->table.registers;
    p->lanes = source.dims.lanes;
    p->threads = p->table.threads;
    plan->rule = LW_PLAN_RUNS;
    plan->warps = source.warps;
    struct lw_piece *pieces = lw_arena_alloc(&plan->arena, count * sizeof *pieces);
    uint32_t *reg = lw_arena_alloc(&plan->arena, count * sizeof *reg);
    bool written = request->stage == LW_PLAN_WRITTEN;
    unsigned step = 1;
    if (!pieces || !reg)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (!fill(&source, &p->table, &plan->arena, written, err) || !lw_plan_reserve(plan, count, err))
        return false;
    for (uint32_t r = 0; r < count; r++)
        reg[r] = r;
    if (!written)
        count = sort_registers(&p->table, pieces);
    else if (!list_written(plan, pieces, &count, &step, err))
        return false;
    return lw_plan_merge(plan, pieces, count, reg, step, err) && lw_plan_count(plan, err);
}

/* ---- Sectors of global memory ---- */

#define VECTOR_BYTES 16
#define LANES_MAX 64

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit;
}

static bool address_in_order(const struct source *source, const uint64_t *element,
                             uint64_t *address)
{
    *address = 0;
    for (int i = 0; i < source->map->out.count; i++)
        *address += element[i] * source->stride[i];
    return true;
}

/* How far one step along each dim moves in memory, in elements. */
static bool set_strides(struct source *source, const int *order, struct lw_error *err)
{
    const struct lw_dims *dims = &source->map->out;
    uint64_t total = 1;
    unsigned seen = 0;
    if (!lw_dims_total(dims, &total, err))
        return false;
    total = 1;
    for (int i = 0; i < dims->count; i++) {
        int dim = order[i];
        if (dim < 0 || dim >= dims->count || seen >> dim & 1)
            return lw_error_set(err, LW_ERROR_PARAMETER, "the order must name each of %d dims once",
                                dims->count);
        seen |= 1u << dim;
        source->stride[dim] = total;
        total *= dims->dim[dim].size;
    }
    return true;
}

/* Whether all registers are aligned vectors in every thread. */
static bool fits(const struct lw_piece *pieces, uint64_t count, uint64_t vector)
{
    for (uint64_t i = 0; i < count; i++)
        if (i % vector ? !pieces[i].follows : pieces[i].either % vector != 0)
            return false;
    return count % vector == 0;
}

/* Units of `unit` bytes that vectors of `bytes` at these addresses touch, each counted once. */
static uint64_t touched(const uint64_t *address, unsigned count, uint64_t bytes, uint64_t unit)
{
    uint64_t met[2 * LANES_MAX]; /* a vector touches two at most */
    unsigned units = 0;
    for (unsigned i = 0; i < count; i++)
        for (uint64_t u = address[i] / unit; u <= (address[i] + bytes - 1) / unit; u++) {
            unsigned k = 0;
            while (k < units && met[k] != u)
                k++;
            if (k == units)
                met[units++] = u;
        }
    return units;
}

void lw_coalescing_add(struct lw_coalescing *out, const uint64_t *address, unsigned count)
{
    const uint64_t own = out->vector_bytes;
    const uint64_t sectors = touched(address, count, own, LW_SECTOR_BYTES);
    const uint64_t bytes = touched(address, count, 1, 1) * own;
    out->sectors += sectors;
    out->lines += touched(address, count, own, LW_LINE_BYTES);
    out->bytes += bytes;
    out->ideal_sectors += round_up(bytes, LW_SECTOR_BYTES);
    out->max_sectors = sectors > out->max_sectors ? sectors : out->max_sectors;
}

bool lw_coalesce(struct lw_coalescing *out, const struct lw_map *registers, unsigned lanes,
                 unsigned element_bits, const int *order, struct lw_error *err)
{
    struct source source = {.map = registers, .address = address_in_order};
    struct lw_table table;
    struct lw_arena arena = {0};
    const uint64_t bytes = element_bits / 8;
    memset(out, 0, sizeof *out);
    if (!element_bits || element_bits % 8 || element_bits > 8 * VECTOR_BYTES)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "elements of %u bit%s are not supported here: they must have 1 to 16 whole bytes",
            element_bits, element_bits == 1 ? "" : "s");
    if (!set_strides(&source, order, err) ||
        !lw_owner_dims_find(&source.dims, &registers->in, lanes, err) ||
        !measure(&source, &table, err))
        return false;
    lanes = (unsigned)source.dims.lanes;
    if (source.dims.lanes > LANES_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "%llu lanes per warp: at most %d are supported",
                            (unsigned long long)source.dims.lanes, LANES_MAX);
    struct lw_piece *pieces = lw_arena_alloc(&arena, table.registers * sizeof *pieces);
    bool good = pieces || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    good = good && fill(&source, &table, &arena, true, err);
    uint64_t count = good ? sort_registers(&table, pieces) : 0;
    out->vector = 1;
    while (2 * out->vector * bytes <= VECTOR_BYTES)
        out->vector *= 2;
    while (!fits(pieces, count, out->vector))
        out->vector /= 2;
    out->vector_bytes = out->vector * bytes;
    out->instructions = count / out->vector;
    out->warps = round_up(table.threads, lanes);
    if (good && out->instructions > LW_PLAN_CODE_MAX)
        good = lw_error_set(err, LW_ERROR_LIMIT,
                            "too many instructions in the code of one warp: the limit is 2^16");
    for (uint64_t first = 0; good && first < table.threads; first += lanes)
        for (uint64_t i = 0; i < count; i += out->vector) {
            uint64_t address[LANES_MAX];
            unsigned active = 0;
            for (uint64_t k = first; k < first + lanes && k < table.threads; k++)
                if (at(&table, pieces[i].first, k) != LW_HOLE)
                    address[active++] = at(&table, pieces[i].first, k) * bytes;
            lw_coalescing_add(out, address, active);
        }
    lw_arena_free(&arena);
    return good;
}
