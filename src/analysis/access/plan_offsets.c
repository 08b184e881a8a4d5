/*
 * From two maps to offsets: the offset in memory of the element of each register, lane and warp.
 * Invariant: an element's offset is the xor of the offsets of the bits of its hardware index.
 * Several blocks have offsets if each keeps its part of the tensor in its own memory.
 */

#include "analysis/access/plan_parts.h"

#include <string.h>

uint64_t lw_xor_at(const uint64_t *bases, uint64_t index)
{
    uint64_t sum = 0;
    for (; index; index &= index - 1)
        sum ^= bases[__builtin_ctzll(index)];
    return sum;
}

bool lw_plan_check_lanes(uint64_t lanes, const struct lw_hardware *hardware, struct lw_error *err)
{
    return lanes <= hardware->lanes ||
           lw_error_set(err, LW_ERROR_PARAMETER,
                        "the layout has %llu lanes per warp, but %s has %u: choose another target",
                        (unsigned long long)lanes, hardware->name, hardware->lanes);
}

int lw_memory_dim(const struct lw_map *memory)
{
    int dim = lw_dims_find(&memory->in, "offset");
    return dim < 0 && memory->in.count == 1 ? 0 : dim;
}

/* The layout of memory without its padding. */
static bool memory_layout(const struct lw_map *memory, struct lw_layout *layout)
{
    if (memory->kind != LW_MAP_PADDED)
        return lw_map_to_layout(memory, layout, NULL);
    *layout = memory->as.padded.layout;
    return true;
}

/* The shift of a partition in offsets. Partitions are further apart than a vector is long, so that accesses of
 * different ones are never merged. */
static int partition_shift(const struct lw_layout *map, int offset)
{
    int bits = lw_layout_out_log2(map, offset);
    return bits < 8 ? 8 : bits;
}

/* The offset of one bit. Only bits of blocks may move to another block; bits of registers and
 * warps may move to another partition, as each instruction of a warp then accesses one. */
static bool offset_of_bit(const struct lw_layout *map, int dim, int bit, int offset,
                          uint64_t *image, struct lw_error *err)
{
    uint64_t images[LW_DIMS_MAX];
    int partition = lw_dims_find(&map->out, "partition");
    lw_layout_basis(map, dim, bit, images);
    *image = images[offset];
    if (partition >= 0 && images[partition]) {
        if (!strcmp(map->in.dim[dim].name, "lane"))
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "lane %llu is in another partition than lane 0: it is unknown how "
                                "several memories serve one instruction",
                                1ull << bit);
        *image |= images[partition] << partition_shift(map, offset);
        images[partition] = 0;
    }
    for (int o = 0; o < map->out.count; o++)
        if (o != offset && images[o])
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "%s %llu is in the memory of another %s: a plan covers the "
                                "accesses of a block to its own memory",
                                map->in.dim[dim].name, 1ull << bit, map->out.dim[o].name);
    return true;
}

/* Each block must have its part of the tensor in its own memory. */
static bool check_blocks(const struct lw_layout *map, int offset, struct lw_error *err)
{
    int from = lw_dims_find(&map->in, "block"), to = lw_dims_find(&map->out, "block");
    uint64_t images[LW_DIMS_MAX];
    for (int bit = 0; from >= 0 && bit < lw_layout_in_log2(map, from); bit++) {
        lw_layout_basis(map, from, bit, images);
        if (to < 0 || images[to] != (uint64_t)1 << bit || images[offset])
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "block %llu does not keep its part of the tensor in its own "
                                "memory: the two layouts are spread over blocks differently",
                                1ull << bit);
    }
    return true;
}

static bool fill(const struct lw_layout *map, const char *name, int offset, uint64_t *images,
                 int *count, struct lw_error *err)
{
    int dim = lw_dims_find(&map->in, name);
    *count = dim < 0 ? 0 : lw_layout_in_log2(map, dim);
    for (int bit = 0; bit < *count; bit++)
        if (!offset_of_bit(map, dim, bit, offset, &images[bit], err))
            return false;
    return true;
}

/* Removes registers that repeat another one: they are neither stored nor loaded. */
static void drop_repeated(struct lw_offsets *offsets, const struct lw_layout *registers)
{
    int dim = lw_dims_find(&registers->in, "register"), kept = 0;
    int shift = dim < 0 ? 0 : lw_layout_in_shift(registers, dim);
    for (int bit = 0; bit < offsets->registers; bit++)
        if (registers->basis[shift + bit]) {
            offsets->reg[kept] = offsets->reg[bit];
            offsets->reg_bit[kept++] = bit;
        }
    offsets->registers = kept;
}

static bool known_dims(const struct lw_layout *registers, struct lw_error *err)
{
    static const char *const known[] = {"register", "lane", "warp", "block"};
    for (int i = 0; i < registers->in.count; i++) {
        const struct lw_dim *dim = &registers->in.dim[i];
        bool found = dim->size == 1;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            found = found || !strcmp(dim->name, known[k]);
        if (!found)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "'%s' is not a dim of registers: use register, lane, warp and "
                                "block, or local and thread",
                                dim->name);
    }
    return true;
}

bool lw_offsets_make(struct lw_offsets *offsets, struct lw_layout *registers,
                     const struct lw_plan_request *request, bool *linear, struct lw_error *err)
{
    struct lw_layout memory, map;
    const struct lw_map *to = request->memory;
    *linear = lw_map_to_hardware(request->registers, request->hardware->lanes, registers, NULL) &&
              memory_layout(to, &memory);
    if (!*linear)
        return true;
    memset(offsets, 0, sizeof *offsets);
    if (!known_dims(registers, err) ||
        !lw_plan_check_lanes(lw_dims_size(&registers->in, "lane"), request->hardware, err))
        return false;
    if (!lw_layout_invert_and_compose(&map, registers, &memory,
                                      lw_triton_identity_rule(request->triton), err))
        return false;
    int offset = lw_dims_find(&map.out, to->in.dim[lw_memory_dim(to)].name);
    if (!check_blocks(&map, offset, err) ||
        !fill(&map, "register", offset, offsets->reg, &offsets->registers, err) ||
        !fill(&map, "lane", offset, offsets->lane, &offsets->lanes, err) ||
        !fill(&map, "warp", offset, offsets->warp, &offsets->warps, err))
        return false;
    offsets->in_order = request->stage == LW_PLAN_WRITTEN;
    for (int bit = 0; bit < offsets->registers; bit++)
        offsets->reg_bit[bit] = bit;
    if (request->stage != LW_PLAN_WRITTEN)
        drop_repeated(offsets, registers);
    offsets->padded = to->kind == LW_MAP_PADDED ? to : NULL;
    return true;
}

/* ---- The predicated tail ----
 *
 * The predicated tail. A tensor that is loaded and then stored to global memory is stored by the
 * first owner of each element only. Loads that only the last of a thread's global stores needs
 * are executed under the predicate of that store, so warps and lanes that hold copies skip them.
 * Source: the machine code of compiled kernels, and their counters.
 */

/* How many elements a thread stores at once: its leading registers that are consecutive along the
 * last dim, up to 16 bytes. */
static uint64_t store_vector(const struct lw_layout *layout, int dim, unsigned bits)
{
    int last = layout->out.count - 1, moved = -1;
    uint64_t image[LW_DIMS_MAX], run = 1;
    bool running = true;
    for (int bit = 0; bit < lw_layout_in_log2(layout, dim); bit++) {
        lw_layout_basis(layout, dim, bit, image);
        for (int o = 0; o <= last; o++) {
            running = running && image[o] == (o == last ? run : 0);
            if (moved < 0 && image[o])
                moved = o;
        }
        run <<= running;
    }
    return moved < 0 || moved == last ? (run < 128 / bits ? run : 128 / bits) : 1;
}

void lw_tail_make(struct lw_tail *tail, const struct lw_layout *registers, unsigned bits)
{
    uint64_t masks[LW_DIMS_MAX];
    int dim = lw_dims_find(&registers->in, "register");
    int lane = lw_dims_find(&registers->in, "lane"), warp = lw_dims_find(&registers->in, "warp");
    memset(tail, 0, sizeof *tail);
    if (dim < 0 || registers->out.count == 0 || bits > 128)
        return;
    lw_layout_free_masks(registers, masks);
    tail->lane_mask = lane < 0 ? 0 : masks[lane];
    tail->warp_mask = warp < 0 ? 0 : masks[warp];
    uint64_t vector = store_vector(registers, dim, bits);
    unsigned word = bits < 32 ? 32 / bits : 1;
    tail->word = word < vector ? word : (unsigned)vector;
    tail->first = registers->in.dim[dim].size - vector;
    tail->any = tail->lane_mask || tail->warp_mask;
    /* There is no tail when registers repeat another: these are stored again, before the last store or with it. */
    for (int bit = 0; bit < lw_layout_in_log2(registers, dim); bit++)
        if (!registers->basis[lw_layout_in_shift(registers, dim) + bit])
            tail->any = false;
}

/* Whether the tail has a load: each 32-bit register of it must be a register of the store. A value that is packed from
 * two loads is not predicated. */
bool lw_tail_has(const struct lw_tail *tail, const uint32_t *registers, unsigned count)
{
    if (!tail->any || count % tail->word)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (registers[i] < tail->first ||
            (i % tail->word ? registers[i] != registers[i - 1] + 1 : registers[i] % tail->word))
            return false;
    return true;
}
