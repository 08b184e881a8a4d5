/*
 * What warps exchange in a reduction or a scan, access by access.
 *
 * Invariant: an access is of one operand, one instruction and one warp, and its lanes access what
 * Triton's code computes. That code takes the number of a lane or warp apart into a number for each
 * dim; where the bits of a dim are not neighbours, the layout is refused. Addresses are numbers of
 * elements of a scratch tensor in shared memory.
 */

#include "analysis/access/reduction.h"

#include "analysis/access/plan_parts.h"
#include "analysis/owners.h"

#include <string.h>

#define ALL_OPERANDS UINT32_MAX /* all operands */

enum { REG, LANE, WARP, WALK_DIMS }; /* in-dims of the layouts */

struct walk {
    const struct lw_reduction_request *request;
    const struct lw_hardware *hardware;
    struct lw_reduction *out;
    struct lw_layout layout, result;
    int rank, axis;
    uint64_t free[WALK_DIMS];              /* bits that select copies only */
    uint64_t bits[WALK_DIMS][LW_DIMS_MAX]; /* those that move along each dim of the tensor */
    int order[LW_DIMS_MAX];                /* of the dims in registers, the fastest first */
    uint64_t warps;                        /* along the axis */
    uint64_t scratch;                      /* elements of the scratch tensor, */
    uint64_t shape[LW_DIMS_MAX];           /* and of a reduction its shape and order */
    int scratch_order[LW_DIMS_MAX];
    struct lw_tail tail; /* of a reduction: threads that hold copies skip loads of results */
    uint64_t beside;     /* of a scan: threads beside the axis */
    uint64_t base[LW_REDUCTION_OPERANDS_MAX]; /* bytes */
    uint64_t accesses;
    struct lw_error *err;
};

#define ACCESSES_MAX ((uint64_t)1 << 16)

/* ---- Layouts ---- */

/* Fails with a reason. */
static bool refuse(struct walk *walk, const char *why)
{
    return lw_error_set(walk->err, LW_ERROR_UNSUPPORTED, "%s", why);
}

/* Registers, lanes or warps. */
static uint64_t size_of(const struct walk *walk, int dim)
{
    return walk->layout.in.dim[dim].size;
}

/* How many registers, lanes or warps there are along a dim of the tensor. */
static uint64_t along(const struct walk *walk, int dim, int d)
{
    return (uint64_t)1 << __builtin_popcountll(walk->bits[dim][d]);
}

/* Finds the bits of a register, lane or warp that move along each dim, and the order of the dims in registers: first
 * those that bits move along, then the others from the last. */
static bool take_apart(struct walk *walk)
{
    uint64_t masks[LW_DIMS_MAX], image[LW_DIMS_MAX];
    int count = 0;
    lw_layout_free_masks(&walk->layout, masks);
    for (int dim = 0; dim < WALK_DIMS; dim++) {
        int last = -1; /* the dim that the bit before moves along */
        walk->free[dim] = masks[dim];
        for (int bit = 0; bit < lw_layout_in_log2(&walk->layout, dim); bit++) {
            int moved = -1;
            lw_layout_basis(&walk->layout, dim, bit, image);
            for (int d = 0; d < walk->rank; d++) {
                if (!image[d])
                    continue;
                if (moved >= 0)
                    return refuse(walk, "a basis of its layout moves along several dims: the rule "
                                        "for that is unknown");
                moved = d;
            }
            if (moved < 0)
                continue;
            if (dim != REG && (masks[dim] >> bit & 1 || (moved != last && walk->bits[dim][moved])))
                return refuse(walk, "lanes or warps of its layout repeat each other, or those "
                                    "along a dim are not neighbours: the rule is unknown");
            if (dim == REG && !walk->bits[dim][moved])
                walk->order[count++] = moved;
            walk->bits[dim][moved] |= (uint64_t)1 << bit;
            last = moved;
        }
    }
    for (int d = walk->rank - 1; d >= 0; d--)
        if (!walk->bits[REG][d])
            walk->order[count++] = d;
    return true;
}

/* Reads the layouts of the request, checks them and decomposes the first. */
static bool open_walk(struct walk *walk)
{
    const struct lw_reduction_request *request = walk->request;
    uint64_t lanes = walk->hardware->lanes;
    if (!lw_register_layout(&walk->layout, request->registers, lanes, walk->err) ||
        (request->result && !lw_register_layout(&walk->result, request->result, lanes, walk->err)))
        return false;
    walk->rank = walk->layout.out.count;
    walk->axis = request->axis;
    if (request->axis < 0 || request->axis >= walk->rank)
        return lw_error_set(walk->err, LW_ERROR_PARAMETER, "the axis is not one of its dims");
    if (request->operand_count < 1 || request->operand_count > LW_REDUCTION_OPERANDS_MAX)
        return lw_error_set(walk->err, LW_ERROR_LIMIT, "1 to %d tensors can be reduced together",
                            LW_REDUCTION_OPERANDS_MAX);
    for (int i = 0; i < request->operand_count; i++) {
        unsigned bytes = (request->element_bits[i] + 7) / 8;
        if (!bytes || bytes > 8 || (bytes & (bytes - 1)))
            return refuse(walk, "no instruction moves elements of this size");
    }
    if (lw_dims_size(&walk->layout.in, "block") > 1)
        return refuse(walk,
                      "the tensor is spread over several blocks: the rule for that is unknown");
    if (size_of(walk, LANE) != lanes)
        return refuse(walk, "its layout and the hardware have different numbers of lanes per warp");
    return take_apart(walk);
}

/* The bits of a number that the mask has, as a number. */
static uint64_t extract(uint64_t number, uint64_t mask)
{
    uint64_t packed = 0;
    for (int count = 0; mask; mask &= mask - 1)
        packed |= (number >> __builtin_ctzll(mask) & 1) << count++;
    return packed;
}

/* The element of a register of a lane of a warp. */
static void index_of(const struct lw_layout *layout, uint64_t reg, uint64_t lane, uint64_t warp,
                     uint64_t *out)
{
    const uint64_t in[LW_DIMS_MAX] = {reg, lane, warp};
    lw_layout_apply(layout, in, out);
}

/* The number of an element in the scratch tensor of a reduction. */
static uint64_t scratch_of(const struct walk *walk, const uint64_t *index)
{
    uint64_t at = 0;
    for (int i = walk->rank; i-- > 0;)
        at = at * walk->shape[walk->scratch_order[i]] + index[walk->scratch_order[i]];
    return at;
}

/* ---- Accesses ---- */

/* The element that a lane of a warp accesses in instruction number `number` of one kind; false: it accesses none. */
typedef bool (*element_of)(const struct walk *walk, uint64_t number, uint64_t lane, uint64_t warp,
                           uint64_t *element);

/* Counts one instruction of one warp and one operand; a warp without an active lane moves nothing. */
static bool count_access(struct walk *walk, const struct lw_access *access)
{
    struct lw_plan_total one;
    if (++walk->accesses > ACCESSES_MAX)
        return lw_error_set(walk->err, LW_ERROR_LIMIT,
                            "too many accesses to shared memory by all warps: the limit is 2^16");
    if (access->active && !lw_access_total(walk->hardware->banks, access, &one, walk->err))
        return false;
    if (access->active)
        lw_plan_total_add(access->op == LW_ACCESS_STORE ? &walk->out->store : &walk->out->load,
                          &one, 1);
    return true;
}

/* Counts one instruction of `width` elements in the code of a warp, for each operand and in all warps. */
static bool count_code(struct walk *walk, enum lw_access_op op, uint32_t operands, unsigned width,
                       element_of element, uint64_t number)
{
    for (uint64_t warp = 0; warp < size_of(walk, WARP); warp++) {
        struct lw_access access = {.op = op};
        uint64_t at[LW_WARP_MAX] = {0};
        for (uint64_t lane = 0; lane < size_of(walk, LANE); lane++)
            access.active |= (uint64_t)element(walk, number, lane, warp, &at[lane]) << lane;
        for (int i = 0; i < walk->request->operand_count; i++) {
            unsigned bytes = (walk->request->element_bits[i] + 7) / 8;
            access.width = bytes * width;
            for (unsigned lane = 0; lane < LW_WARP_MAX; lane++)
                access.address[lane] = walk->base[i] + at[lane] * bytes;
            if ((operands >> i & 1) && !count_access(walk, &access))
                return false;
        }
    }
    for (int i = 0; i < walk->request->operand_count; i++)
        *(op == LW_ACCESS_STORE ? &walk->out->stores : &walk->out->loads) += operands >> i & 1;
    return true;
}

/* Counts the instructions for registers 0 to `count` less one, without those whose element is that of a register
 * before. */
static bool count_registers(struct walk *walk, enum lw_access_op op, uint32_t operands,
                            element_of element, uint64_t count)
{
    for (uint64_t reg = 0; reg < count; reg++) {
        uint64_t own, other, before = 0;
        element(walk, reg, 0, 0, &own);
        for (; before < reg; before++) {
            element(walk, before, 0, 0, &other);
            if (other == own)
                break;
        }
        if (before == reg && !count_code(walk, op, operands, 1, element, reg))
            return false;
    }
    return true;
}

/* Sets the addresses of the operands in scratch memory, the widest operand first. */
static void set_bases(struct walk *walk)
{
    const struct lw_reduction_request *request = walk->request;
    uint64_t at = 0;
    for (unsigned bytes = 16; bytes > 0; bytes /= 2)
        for (int i = 0; i < request->operand_count; i++)
            if ((request->element_bits[i] + 7) / 8 == bytes) {
                walk->base[i] = at;
                at += walk->scratch * bytes;
            }
    walk->out->shared_bytes = at;
}

/* ---- A reduction ----
 *
 * The scratch tensor has the shape of the input, but along the axis one element for each warp that
 * shares it; the axis is the fastest dim. */

/* Each warp stores its partial sums, of the registers along the axis as of the first of them; of the lanes along the
 * axis only the first one does. */
static bool partial_sum(const struct walk *walk, uint64_t reg, uint64_t lane, uint64_t warp,
                        uint64_t *element)
{
    uint64_t index[LW_DIMS_MAX];
    index_of(&walk->layout, reg, lane, warp, index);
    index[walk->axis] = extract(warp, walk->bits[WARP][walk->axis]);
    *element = scratch_of(walk, index);
    return !(lane & (walk->free[LANE] | walk->bits[LANE][walk->axis])) &&
           !(warp & walk->free[WARP]);
}

/* The threads of the block load the partial sums in order, add up those of one index, and store
 * the sum. */
static bool any_sum(const struct walk *walk, uint64_t round, uint64_t lane, uint64_t warp,
                    uint64_t *element)
{
    uint64_t lanes = size_of(walk, LANE), thread = warp * lanes + lane;
    *element = thread + round * lanes * size_of(walk, WARP);
    return thread < walk->scratch;
}

static bool whole_sum(const struct walk *walk, uint64_t round, uint64_t lane, uint64_t warp,
                      uint64_t *element)
{
    return any_sum(walk, round, lane, warp, element) && lane % walk->warps == 0;
}

/* The sum in a register of the result. When a result is only stored, threads that hold copies skip the loads that only
 * the last store needs. */
static bool result_sum(const struct walk *walk, uint64_t number, uint64_t lane, uint64_t warp,
                       uint64_t *element)
{
    uint64_t index[LW_DIMS_MAX] = {0}, whole[LW_DIMS_MAX] = {0};
    uint32_t reg = (uint32_t)number;
    if (walk->request->result)
        index_of(&walk->result, reg, lane, warp, index);
    for (int d = 0, r = 0; d < walk->rank; d++)
        whole[d] = d == walk->axis ? 0 : index[r++] % walk->shape[d];
    *element = scratch_of(walk, whole);
    return !lw_tail_has(&walk->tail, &reg, 1) ||
           !((lane & walk->tail.lane_mask) | (warp & walk->tail.warp_mask));
}

static bool reduce(struct walk *walk)
{
    const struct lw_reduction_request *request = walk->request;
    uint64_t threads = size_of(walk, LANE) * size_of(walk, WARP);
    int count = 1;
    walk->scratch = 1;
    walk->scratch_order[0] = walk->axis;
    for (int i = 0; i < walk->rank; i++) {
        int d = walk->order[i];
        if (d != walk->axis)
            walk->scratch_order[count++] = d;
        walk->shape[d] = d == walk->axis ? walk->warps : walk->layout.out.dim[d].size;
        walk->scratch *= walk->shape[d];
    }
    set_bases(walk);
    if (!count_registers(walk, LW_ACCESS_STORE, ALL_OPERANDS, partial_sum, size_of(walk, REG)))
        return false;
    for (uint64_t round = 0; round * threads < walk->scratch; round++)
        if (!count_code(walk, LW_ACCESS_LOAD, ALL_OPERANDS, 1, any_sum, round) ||
            !count_code(walk, LW_ACCESS_STORE, ALL_OPERANDS, 1, whole_sum, round))
            return false;
    if (request->to_global && request->result)
        lw_tail_make(&walk->tail, &walk->result, request->element_bits[0]);
    else if (request->to_global) /* a single number is stored by the first thread */
        walk->tail = (struct lw_tail){
            .lane_mask = UINT64_MAX, .warp_mask = UINT64_MAX, .any = true, .word = 1};
    return count_registers(walk, LW_ACCESS_LOAD, request->used ? request->used : ALL_OPERANDS,
                           result_sum, request->result ? walk->result.in.dim[REG].size : 1);
}

/* ---- A scan ----
 *
 * The registers of a thread that are neighbours along the axis are a chunk. Every warp stores the sum of each of its
 * chunks, and every thread loads the sums of all warps, chunk by chunk, except the last sum along the axis, which is
 * not needed.
 *
 *     scratch[chunk][warp along the axis][thread beside the axis]
 *
 * With one thread beside the axis the sums are consecutive, and the back end merges their loads: 32-bit sums into 16
 * bytes, where the last load reads one sum too many; 64-bit sums into 16 bytes, and an odd one alone; narrower ones,
 * since 3.7, as in load_narrow().
 *
 * Source: ScanOpToLLVM.cpp and ScanLoweringHelper of Triton 3.6; the merging is that of compiled
 * kernels (of narrow sums: tests/golden/triton39_scans.jsonl). Later releases leave out registers
 * that repeat another, so such layouts are refused.
 */

/* The bits of a lane or warp that move along other dims than the axis. */
static uint64_t bits_beside(const struct walk *walk, int dim)
{
    return (size_of(walk, dim) - 1) & ~walk->free[dim] & ~walk->bits[dim][walk->axis];
}

/* All threads load the sum of that number: the element for a thread's number among those beside the axis. */
static bool loaded_sum(const struct walk *walk, uint64_t sum, uint64_t lane, uint64_t warp,
                       uint64_t *element)
{
    uint64_t lane_bits = bits_beside(walk, LANE);
    *element = extract(lane, lane_bits) +
               (extract(warp, bits_beside(walk, WARP)) << __builtin_popcountll(lane_bits)) +
               walk->beside * sum;
    return true;
}

/* Of each warp the last lane along the axis, which has the sum of a chunk, stores it. */
static bool chunk_sum(const struct walk *walk, uint64_t chunk, uint64_t lane, uint64_t warp,
                      uint64_t *element)
{
    uint64_t last = walk->bits[LANE][walk->axis];
    loaded_sum(walk, extract(warp, walk->bits[WARP][walk->axis]) + chunk * walk->warps, lane, warp,
               element);
    return !(lane & walk->free[LANE]) && !(warp & walk->free[WARP]) && (lane & last) == last;
}

/* All threads load `width` sums, the first of number `sum`. */
static bool load_sum(struct walk *walk, uint64_t sum, unsigned width)
{
    return count_code(walk, LW_ACCESS_LOAD, ALL_OPERANDS, width, loaded_sum, sum);
}

/* Loads consecutive sums of under 32 bits, also the last one when it completes a load. Words of which the sums of a
 * chunk need only a part are loaded separately: in pairs, or the end of the chunk once more. */
static bool load_narrow(struct walk *walk, uint64_t count)
{
    unsigned bits = walk->request->element_bits[0], bytes = bits / 8;
    if ((bits != 8 && bits != 16) || !lw_triton_since(walk->request->triton, LW_TRITON_3_7))
        return refuse(walk,
                      "partial sums of fewer than 32 bits are adjacent in memory: how the back "
                      "end merges their loads is known only for 8 and 16 bits since Triton 3.7");
    uint64_t chunk = bytes * walk->warps, at = 0;
    bool pairs = walk->warps == 2 && (bytes == 1 || count == 4);
    unsigned width = pairs ? 2 : count * bytes >= 16 ? 16 / bytes : (unsigned)count;
    for (; at + (pairs ? 2 : 0) < count; at += width)
        if (!load_sum(walk, at, width))
            return false;
    if (pairs || (chunk == 4 && count * bytes >= 16)) {
        unsigned last = walk->warps == 2 ? 1 : 4;
        return load_sum(walk, walk->warps == 2 ? count - 2 : count - 4, last);
    }
    return true;
}

/* Loads consecutive sums, all but the last one. */
static bool load_merged(struct walk *walk, uint64_t count)
{
    unsigned bits = walk->request->element_bits[0];
    if (count > 2 && bits < 32)
        return load_narrow(walk, count);
    unsigned width = count == 2 ? 1 : 128 / bits;
    for (uint64_t needed = count - 1, at = 0; at < needed;) {
        bool merged = bits == 32 || needed - at >= width;
        if (!load_sum(walk, at, merged ? width : 1))
            return false;
        at += merged ? width : 1;
    }
    return true;
}

/* Sets the neighbours in registers along each dim, in the order of the dims (LinearEncodingAttr::getContig). */
static bool find_chunks(struct walk *walk, uint64_t *chunk)
{
    int bits = lw_layout_in_log2(&walk->layout, REG), bit = 0;
    uint64_t image[LW_DIMS_MAX];
    for (int i = 0; i < walk->rank; i++) {
        int d = walk->order[i];
        for (chunk[d] = 1; bit < bits; bit++) {
            lw_layout_basis(&walk->layout, REG, bit, image);
            if (image[d] != chunk[d])
                break;
            chunk[d] *= 2;
        }
    }
    for (int b = 0; b < bits; b++)
        if (!walk->layout.basis[b])
            return refuse(walk, "registers of its layout repeat each other, and "
                                "releases of Triton scan such layouts differently");
    return true;
}

static bool scan(struct walk *walk)
{
    const int axis = walk->axis, *order = walk->request->order;
    uint64_t chunk[LW_DIMS_MAX], stride = 1, beside_chunk = 1; /* chunks of a block side by side */
    uint64_t blocks = 1, block_stride = 1; /* how often the tile of all warps fits along the axis */
    if (!order)
        return refuse(walk, "its layout is not blocked: Triton scans blocked layouts only");
    if (walk->request->operand_count > 1)
        return refuse(walk, "the cost of a scan of several tensors across warps is unknown");
    if (!find_chunks(walk, chunk))
        return false;
    for (int i = 0; i < walk->rank; i++) {
        int d = order[i];
        uint64_t all = chunk[d] * along(walk, LANE, d) * along(walk, WARP, d);
        uint64_t count = (walk->layout.out.dim[d].size + all - 1) / all;
        if (d == axis) {
            blocks = count;
            block_stride = stride;
        } else {
            beside_chunk *= chunk[d];
        }
        stride *= count;
    }
    uint64_t chunks = size_of(walk, REG) / chunk[axis], sums = chunks * walk->warps;
    walk->beside = (uint64_t)1 << (__builtin_popcountll(bits_beside(walk, LANE)) +
                                   __builtin_popcountll(bits_beside(walk, WARP)));
    walk->scratch = walk->beside * sums;
    set_bases(walk);
    for (uint64_t c = 0; c < chunks; c++)
        if (!count_code(walk, LW_ACCESS_STORE, ALL_OPERANDS, 1, chunk_sum, c))
            return false;
    if (walk->beside == 1)
        return load_merged(walk, sums);
    for (uint64_t sum = 0; sum < sums; sum++) {
        uint64_t block = sum / walk->warps / beside_chunk / block_stride % blocks;
        bool last = block + 1 == blocks && (sum + 1) % walk->warps == 0;
        if (!last && !load_sum(walk, sum, 1))
            return false;
    }
    return true;
}

/* ---- Both ---- */

bool lw_reduction_make(struct lw_reduction *out, const struct lw_reduction_request *request,
                       struct lw_error *err)
{
    struct walk walk = {.request = request,
                        .out = out,
                        .err = err,
                        .hardware = request->hardware ? request->hardware : lw_hardware_default()};
    memset(out, 0, sizeof *out);
    if (!open_walk(&walk))
        return false;
    walk.warps = along(&walk, WARP, walk.axis);
    out->shared = walk.warps > 1;
    out->shuffle_steps = (unsigned)__builtin_popcountll(walk.bits[LANE][walk.axis]);
    if (!request->scan)
        out->shuffle_steps += (unsigned)lw_log2(walk.warps);
    if (!out->shared)
        return true;
    return request->scan ? scan(&walk) : reduce(&walk);
}
