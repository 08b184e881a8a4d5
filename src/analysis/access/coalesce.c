/*
 * The sectors of global memory that a warp accesses. The address of a register of a thread is the
 * number of its element in memory. All hardware indices are counted.
 */

#include "laneway/wavefront.h"
#include "laneway/arena.h"

#include <stdlib.h>
#include <string.h>

#define CODE_MAX ((uint64_t)1 << 16)
#define INDICES_MAX ((uint64_t)1 << 20)
#define VECTOR_BYTES 16
#define LANES_MAX 64

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit;
}

/* How far one step along each dim moves in memory, in elements. */
static bool strides_of(const struct lw_dims *dims, const int *order, uint64_t *stride,
                       struct lw_error *err)
{
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
        stride[dim] = total;
        total *= dims->dim[dim].size;
    }
    return true;
}

static uint64_t address_of(const struct lw_dims *dims, const uint64_t *element,
                           const uint64_t *stride)
{
    uint64_t address = 0;
    for (int i = 0; i < dims->count; i++)
        address += element[i] * stride[i];
    return address;
}

/* ---- Hardware indices ---- */

/* The address of a register of a thread that holds no element: it is not moved. */
#define NOTHING UINT64_MAX

/* All hardware indices: address[register * threads + thread]. */
struct indices {
    const struct lw_map *map;
    uint64_t registers, threads, lanes;
    uint64_t bytes; /* of an element */
    uint64_t *address;
    uint32_t *order; /* the registers that are moved, by address in the first thread */
    uint64_t count;  /* registers in `order` */
};

/* The parts of a thread's number, the fastest first. */
static const char *const thread_parts[] = {"lane", "warp", "block", "thread"};
enum { THREAD_PARTS = sizeof thread_parts / sizeof *thread_parts };

static bool is_part(const char *name)
{
    for (int i = 0; i < THREAD_PARTS; i++)
        if (!strcmp(name, thread_parts[i]))
            return true;
    return !strcmp(name, "register") || !strcmp(name, "local");
}

static void index_of(const struct lw_dims *dims, uint64_t reg, uint64_t thread, uint64_t *in)
{
    for (int i = 0; i < dims->count; i++)
        in[i] = reg; /* every other dim is of registers */
    for (int p = 0; p < THREAD_PARTS; p++) {
        int dim = lw_dims_find(dims, thread_parts[p]);
        if (dim < 0)
            continue;
        in[dim] = thread % dims->dim[dim].size;
        thread /= dims->dim[dim].size;
    }
}

static bool measure_indices(struct indices *indices, unsigned lanes, struct lw_error *err)
{
    const struct lw_dims *dims = &indices->map->in;
    uint64_t lane = lw_dims_size(dims, "lane"), total;
    for (int i = 0; i < dims->count; i++)
        if (!is_part(dims->dim[i].name))
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "'%s' is not a dim of registers: use register, lane, warp and "
                                "block, or local and thread",
                                dims->dim[i].name);
    indices->registers = lw_dims_size(dims, "register") * lw_dims_size(dims, "local");
    if (!lw_dims_total(dims, &total, err))
        return false;
    if (total > INDICES_MAX)
        return lw_error_set(
            err, LW_ERROR_LIMIT,
            "too many hardware indices, %llu, which are counted one by one: the limit is 2^20",
            (unsigned long long)total);
    indices->threads = total / indices->registers;
    indices->lanes = lw_dims_find(dims, "lane") >= 0 ? lane : lanes;
    return (indices->lanes <= LANES_MAX && indices->lanes) ||
           lw_error_set(err, LW_ERROR_LIMIT, "%llu lanes per warp: at most %d are supported",
                        (unsigned long long)indices->lanes, LANES_MAX);
}

static void fill_indices(struct indices *indices, const uint64_t *stride)
{
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX];
    for (uint64_t reg = 0; reg < indices->registers; reg++)
        for (uint64_t thread = 0; thread < indices->threads; thread++) {
            index_of(&indices->map->in, reg, thread, in);
            bool held = lw_map_apply(indices->map, in, out);
            indices->address[reg * indices->threads + thread] =
                held ? address_of(&indices->map->out, out, stride) : NOTHING;
        }
}

/* A register, to be sorted by its address in the first thread, so that registers with equal addresses are together.
 * */
struct held {
    uint64_t address, hash;
    uint32_t reg;
};

static int compare(const void *left, const void *right)
{
    const struct held *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return a->reg < b->reg ? -1 : a->reg > b->reg;
}

/* Whether a register is `step` elements after another in all threads. */
static bool follows(const struct indices *indices, uint32_t reg, uint32_t other, uint64_t step)
{
    const uint64_t *a = indices->address + reg * indices->threads;
    const uint64_t *b = indices->address + other * indices->threads;
    for (uint64_t thread = 0; thread < indices->threads; thread++)
        if (a[thread] != b[thread] + step)
            return false;
    return true;
}

static void order_registers(struct indices *indices, struct held *held)
{
    for (uint64_t reg = 0; reg < indices->registers; reg++) {
        const uint64_t *address = indices->address + reg * indices->threads;
        held[reg] = (struct held){.address = address[0], .reg = (uint32_t)reg};
        for (uint64_t thread = 0; thread < indices->threads; thread++)
            held[reg].hash = (held[reg].hash ^ address[thread]) * 0x9e3779b97f4a7c15u;
    }
    qsort(held, indices->registers, sizeof *held, compare);
    indices->count = 0;
    for (uint64_t i = 0; i < indices->registers; i++)
        if (!i || !follows(indices, held[i].reg, indices->order[indices->count - 1], 0))
            indices->order[indices->count++] = held[i].reg;
}

static bool fits(const struct indices *indices, uint64_t vector)
{
    if (indices->count % vector)
        return false;
    for (uint64_t i = 0; i < indices->count; i++) {
        uint32_t first = indices->order[i - i % vector];
        const uint64_t *address = indices->address + first * indices->threads;
        for (uint64_t thread = 0; i % vector == 0 && thread < indices->threads; thread++)
            if (address[thread] % vector || (vector > 1 && address[thread] == NOTHING))
                return false;
        if (!follows(indices, indices->order[i], first, i % vector))
            return false;
    }
    return true;
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

/* One instruction of one warp. */
static void add_instruction(struct lw_coalescing *out, const struct indices *indices, uint32_t reg,
                            uint64_t first)
{
    uint64_t address[LANES_MAX];
    unsigned count = 0;
    for (uint64_t i = first; i < first + indices->lanes && i < indices->threads; i++) {
        uint64_t element = indices->address[reg * indices->threads + i];
        if (element != NOTHING)
            address[count++] = element * indices->bytes;
    }
    uint64_t sectors = touched(address, count, out->vector_bytes, LW_SECTOR_BYTES), bytes = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned k = 0;
        while (k < i && address[k] != address[i])
            k++;
        bytes += k == i ? out->vector_bytes : 0;
    }
    out->sectors += sectors;
    out->lines += touched(address, count, out->vector_bytes, LW_LINE_BYTES);
    out->bytes += bytes;
    out->ideal_sectors += round_up(bytes, LW_SECTOR_BYTES);
    out->max_sectors = sectors > out->max_sectors ? sectors : out->max_sectors;
}

static bool add_all(struct lw_coalescing *out, const struct indices *indices, struct lw_error *err)
{
    out->vector = 1;
    while (2 * out->vector * indices->bytes <= VECTOR_BYTES)
        out->vector *= 2;
    while (!fits(indices, out->vector))
        out->vector /= 2;
    out->vector_bytes = out->vector * indices->bytes;
    out->instructions = indices->count / out->vector;
    out->warps = round_up(indices->threads, indices->lanes);
    if (out->instructions > CODE_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "too many instructions in the code of one warp: the limit is 2^16");
    for (uint64_t first = 0; first < indices->threads; first += indices->lanes)
        for (uint64_t i = 0; i < indices->count; i += out->vector)
            add_instruction(out, indices, indices->order[i], first);
    return true;
}

static bool coalesce_indices(struct lw_coalescing *out, struct indices *indices,
                             const uint64_t *stride, struct lw_error *err)
{
    struct lw_arena arena = {0};
    uint64_t total = indices->registers * indices->threads;
    struct held *held = lw_arena_alloc(&arena, indices->registers * sizeof *held);
    indices->address = lw_arena_alloc(&arena, total * sizeof *indices->address);
    indices->order = lw_arena_alloc(&arena, indices->registers * sizeof *indices->order);
    bool good = (held && indices->address && indices->order) ||
                lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (good) {
        fill_indices(indices, stride);
        order_registers(indices, held);
        good = add_all(out, indices, err);
    }
    lw_arena_free(&arena);
    return good;
}

/* ---- All of it ---- */

bool lw_coalesce(struct lw_coalescing *out, const struct lw_map *registers, unsigned lanes,
                 unsigned element_bits, const int *order, struct lw_error *err)
{
    uint64_t stride[LW_DIMS_MAX];
    struct indices indices = {.map = registers, .bytes = element_bits / 8};
    memset(out, 0, sizeof *out);
    if (!element_bits || element_bits % 8 || element_bits > 8 * VECTOR_BYTES)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "elements of %u bits are not supported here: they must have 1 to 16 whole bytes",
            element_bits);
    if (!strides_of(&registers->out, order, stride, err))
        return false;
    return measure_indices(&indices, lanes, err) && coalesce_indices(out, &indices, stride, err);
}
