/*
 * What warps exchange in a reduction or a scan, access by access.
 *
 * Invariant: an access is of one operand, one instruction and one warp, and its lanes access what
 * Triton's code computes. That code assumes that the bits of each dim are in blocks; it is
 * followed for other layouts too. Addresses are numbers of elements of a scratch tensor in shared
 * memory.
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
    int rank;
    uint64_t free[WALK_DIMS]; /* bits that select copies only */
    unsigned along[WALK_DIMS]
                  [LW_DIMS_MAX]; /* elements along each dim that a register, lane, warp moves */
    int order[WALK_DIMS][LW_DIMS_MAX]; /* of the dims, the fastest first */
    uint64_t scratch;                  /* elements of the scratch tensor, */
    uint64_t shape[LW_DIMS_MAX];       /* and of a reduction its shape and order */
    int scratch_order[LW_DIMS_MAX];
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

/* Finds how far the bits of a register, lane or warp move along each dim, and the dims in the order in
 * which they first move along them; then come the others, of registers from the last, else as for these. */
static bool take_apart(struct walk *walk)
{
    uint64_t masks[LW_DIMS_MAX], image[LW_DIMS_MAX];
    lw_layout_free_masks(&walk->layout, masks);
    for (int dim = 0; dim < WALK_DIMS; dim++) {
        int *order = walk->order[dim], count = 0;
        unsigned seen = 0;
        walk->free[dim] = masks[dim];
        for (int d = 0; d < walk->rank; d++)
            walk->along[dim][d] = 1;
        for (int bit = 0; bit < lw_layout_in_log2(&walk->layout, dim); bit++) {
            bool moves = false;
            lw_layout_basis(&walk->layout, dim, bit, image);
            for (int d = 0; d < walk->rank; d++) {
                if (!image[d])
                    continue;
                if (moves)
                    return refuse(walk, "a basis of its layout moves along several dims: the rule "
                                        "for that is unknown");
                moves = true;
                walk->along[dim][d] *= 2;
                if (!(seen >> d & 1))
                    order[count++] = d;
                seen |= 1u << d;
            }
        }
        for (int i = 0; i < walk->rank; i++) {
            int d = dim == REG ? walk->rank - 1 - i : walk->order[REG][i];
            if (!(seen >> d & 1))
                order[count++] = d;
        }
    }
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

/* A lane or warp as an index along each dim; false when it is a copy of another one. */
static bool digits_of(const struct walk *walk, int dim, uint64_t value, uint64_t *digit)
{
    uint64_t packed = 0;
    int bits = lw_layout_in_log2(&walk->layout, dim), count = 0;
    for (int bit = 0; bit < bits; bit++)
        if (!(walk->free[dim] >> bit & 1))
            packed |= (value >> bit & 1) << count++;
    for (int i = 0; i < walk->rank; i++) {
        int d = walk->order[dim][i];
        digit[d] = packed % walk->along[dim][d];
        packed /= walk->along[dim][d];
    }
    return !(value & walk->free[dim]);
}

/* The element of a register of a lane of a warp. */
static void index_of(const struct lw_layout *layout, uint64_t reg, uint64_t lane, uint64_t warp,
                     uint64_t *out)
{
    const uint64_t in[LW_DIMS_MAX] = {reg, lane, warp};
    lw_layout_apply(layout, in, out);
}

static uint64_t linear_of(const uint64_t *index, const uint64_t *shape, const int *order, int rank)
{
    uint64_t at = 0;
    for (int i = rank; i-- > 0;)
        at = at * shape[order[i]] + index[order[i]];
    return at;
}

/* ---- Accesses ---- */

/* The element that a lane of a warp accesses; false: it accesses none. */
typedef bool (*element_of)(const struct walk *walk, const void *what, uint64_t lane, uint64_t warp,
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
                       element_of element, const void *what)
{
    for (uint64_t warp = 0; warp < size_of(walk, WARP); warp++) {
        struct lw_access access = {.op = op};
        uint64_t at[LW_WARP_MAX] = {0};
        for (uint64_t lane = 0; lane < size_of(walk, LANE); lane++)
            access.active |= (uint64_t)element(walk, what, lane, warp, &at[lane]) << lane;
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

static void make_scratch(struct walk *walk)
{
    int axis = walk->request->axis, count = 1;
    walk->scratch_order[0] = axis;
    for (int i = 0; i < walk->rank; i++)
        if (walk->order[REG][i] != axis)
            walk->scratch_order[count++] = walk->order[REG][i];
    walk->scratch = 1;
    for (int d = 0; d < walk->rank; d++) {
        walk->shape[d] = d == axis ? walk->along[WARP][axis] : walk->layout.out.dim[d].size;
        walk->scratch *= walk->shape[d];
    }
}

/* Whether no register before it has the same key. */
static bool is_first(const struct walk *walk, uint64_t reg,
                     uint64_t (*key)(const struct walk *, uint64_t, uint64_t, uint64_t))
{
    uint64_t own = key(walk, reg, 0, 0), before = 0;
    while (before < reg && key(walk, before, 0, 0) != own)
        before++;
    return before == reg;
}

/* Registers along the axis are summed into the first of them. */
static uint64_t beside_axis(const struct walk *walk, uint64_t reg, uint64_t lane, uint64_t warp)
{
    uint64_t index[LW_DIMS_MAX];
    index_of(&walk->layout, reg, lane, warp, index);
    index[walk->request->axis] = 0;
    return lw_dims_flatten(&walk->layout.out, index);
}

/* Each warp stores its partial sums; of the lanes along the axis only the first one does. */
static bool partial_sum(const struct walk *walk, const void *reg, uint64_t lane, uint64_t warp,
                        uint64_t *element)
{
    int axis = walk->request->axis;
    uint64_t along_warp[LW_DIMS_MAX], along_lane[LW_DIMS_MAX], index[LW_DIMS_MAX];
    bool writes = digits_of(walk, WARP, warp, along_warp);
    bool own = digits_of(walk, LANE, lane, along_lane);
    index_of(&walk->layout, *(const uint64_t *)reg, lane, warp, index);
    index[axis] = along_warp[axis];
    *element = linear_of(index, walk->shape, walk->scratch_order, walk->rank);
    return writes && own && along_lane[axis] == 0;
}

/* The threads of the block load the partial sums in order, add up those of one index, and store
 * the sum. */
static bool any_sum(const struct walk *walk, const void *round, uint64_t lane, uint64_t warp,
                    uint64_t *element)
{
    uint64_t lanes = size_of(walk, LANE), thread = warp * lanes + lane;
    *element = thread + *(const uint64_t *)round * lanes * size_of(walk, WARP);
    return thread < walk->scratch;
}

static bool whole_sum(const struct walk *walk, const void *round, uint64_t lane, uint64_t warp,
                      uint64_t *element)
{
    return any_sum(walk, round, lane, warp, element) &&
           lane % walk->along[WARP][walk->request->axis] == 0;
}

/* The scratch element of a register of the result. */
static uint64_t result_element(const struct walk *walk, uint64_t reg, uint64_t lane, uint64_t warp)
{
    uint64_t index[LW_DIMS_MAX], whole[LW_DIMS_MAX] = {0};
    if (!walk->request->result)
        return 0;
    index_of(&walk->result, reg, lane, warp, index);
    for (int d = 0, r = 0; d < walk->rank; d++)
        whole[d] = d == walk->request->axis ? 0 : index[r++] % walk->shape[d];
    return linear_of(whole, walk->shape, walk->scratch_order, walk->rank);
}

/* A register of the result, and which threads load it: when a result is only stored, threads that hold
 * copies skip the loads that only the last store needs. */
struct result {
    struct lw_tail tail; /* a single number is stored by the first thread */
    uint64_t reg;
};

static bool result_sum(const struct walk *walk, const void *what, uint64_t lane, uint64_t warp,
                       uint64_t *element)
{
    const struct result *result = what;
    uint32_t reg = (uint32_t)result->reg;
    *element = result_element(walk, reg, lane, warp);
    return !lw_tail_has(&result->tail, &reg, 1) ||
           !((lane & result->tail.lane_mask) | (warp & result->tail.warp_mask));
}

static bool reduce(struct walk *walk)
{
    const struct lw_reduction_request *request = walk->request;
    uint64_t threads = size_of(walk, LANE) * size_of(walk, WARP);
    uint64_t results = request->result ? walk->result.in.dim[REG].size : 1;
    struct result result = {.reg = 0};
    bool good = true;
    make_scratch(walk);
    set_bases(walk);
    for (uint64_t reg = 0; good && reg < size_of(walk, REG); reg++)
        if (is_first(walk, reg, beside_axis))
            good = count_code(walk, LW_ACCESS_STORE, ALL_OPERANDS, 1, partial_sum, &reg);
    for (uint64_t round = 0; good && round * threads < walk->scratch; round++)
        good = count_code(walk, LW_ACCESS_LOAD, ALL_OPERANDS, 1, any_sum, &round) &&
               count_code(walk, LW_ACCESS_STORE, ALL_OPERANDS, 1, whole_sum, &round);
    if (request->to_global && request->result)
        lw_tail_make(&result.tail, &walk->result, request->element_bits[0]);
    else if (request->to_global)
        result.tail = (struct lw_tail){
            .lane_mask = UINT64_MAX, .warp_mask = UINT64_MAX, .any = true, .word = 1};
    for (result.reg = 0; good && result.reg < results; result.reg++)
        if (is_first(walk, result.reg, result_element))
            good = count_code(walk, LW_ACCESS_LOAD, request->used ? request->used : ALL_OPERANDS, 1,
                              result_sum, &result);
    return good;
}

/* ---- A scan ----
 *
 * The registers of a thread that are neighbours along the axis are
 * a chunk. Every warp stores the sum of each of its chunks, and every thread loads the sums of
 * all warps, chunk by chunk, except the last sum along the axis, which is not needed.
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

struct scan {
    struct walk *walk;
    int axis;
    const int *order;            /* of the layout */
    uint64_t chunk[LW_DIMS_MAX]; /* elements along each dim that are neighbours in registers */
    uint64_t blocks;             /* along the axis: how often the tile of all warps is repeated */
    uint64_t block_stride;       /* between those, among all blocks of a thread */
    uint64_t chunks;             /* of a thread, over all blocks and dims */
    uint64_t beside_chunk;       /* chunks of one block side by side */
    uint64_t warps, threads, beside; /* along the axis; beside it in the block */
    uint64_t lanes_beside;           /* of `beside`, in one warp */
};

/* Neighbours in registers, in the order of the dims (LinearEncodingAttr::getContig). */
static bool find_chunks(struct scan *scan)
{
    const struct walk *walk = scan->walk;
    int bits = lw_layout_in_log2(&walk->layout, REG), bit = 0;
    uint64_t image[LW_DIMS_MAX];
    for (int i = 0; i < walk->rank; i++) {
        int d = walk->order[REG][i];
        for (scan->chunk[d] = 1; bit < bits; bit++) {
            lw_layout_basis(&walk->layout, REG, bit, image);
            if (image[d] != scan->chunk[d])
                break;
            scan->chunk[d] *= 2;
        }
    }
    for (int b = 0; b < bits; b++)
        if (!walk->layout.basis[b])
            return refuse(scan->walk, "registers of its layout repeat each other, and "
                                      "releases of Triton scan such layouts differently");
    return true;
}

static void find_blocks(struct scan *scan)
{
    const struct walk *walk = scan->walk;
    uint64_t stride = 1;
    scan->chunks = size_of(walk, REG) / scan->chunk[scan->axis];
    scan->beside_chunk = 1;
    for (int i = 0; i < walk->rank; i++) {
        int d = scan->order[i];
        uint64_t all = scan->chunk[d] * walk->along[LANE][d] * walk->along[WARP][d];
        uint64_t blocks = (walk->layout.out.dim[d].size + all - 1) / all;
        if (d == scan->axis) {
            scan->blocks = blocks;
            scan->block_stride = stride;
        } else {
            scan->beside_chunk *= scan->chunk[d];
        }
        stride *= blocks;
    }
    scan->warps = walk->along[WARP][scan->axis];
    scan->threads = walk->along[LANE][scan->axis];
    scan->lanes_beside = scan->beside = 1;
    for (int d = 0; d < walk->rank; d++)
        if (d != scan->axis) {
            scan->lanes_beside *= walk->along[LANE][d];
            scan->beside *= (uint64_t)walk->along[LANE][d] * walk->along[WARP][d];
        }
}

/* The number of a thread among those beside the axis. *stores: whether it is the last lane along
 * the axis, which holds the sum. */
static uint64_t index_across(const struct scan *scan, uint64_t lane, uint64_t warp, uint64_t *along,
                             bool *stores)
{
    const struct walk *walk = scan->walk;
    uint64_t by_lane[LW_DIMS_MAX], by_warp[LW_DIMS_MAX], lanes[LW_DIMS_MAX], warps[LW_DIMS_MAX];
    bool own_lane = digits_of(walk, LANE, lane, by_lane);
    bool own_warp = digits_of(walk, WARP, warp, by_warp);
    *stores = own_lane && own_warp && by_lane[scan->axis] == scan->threads - 1;
    *along = by_warp[scan->axis];
    for (int d = 0; d < walk->rank; d++) {
        lanes[d] = d == scan->axis ? 1 : walk->along[LANE][d];
        warps[d] = d == scan->axis ? 1 : walk->along[WARP][d];
    }
    by_lane[scan->axis] = by_warp[scan->axis] = 0;
    return linear_of(by_lane, lanes, scan->order, walk->rank) +
           linear_of(by_warp, warps, scan->order, walk->rank) * scan->lanes_beside;
}

/* The sum of a chunk that warps store, or the one of a number that all threads load. */
struct sum {
    const struct scan *scan;
    uint64_t number;
    bool stored;
};

static bool chunk_sum(const struct walk *walk, const void *what, uint64_t lane, uint64_t warp,
                      uint64_t *element)
{
    const struct sum *sum = what;
    const struct scan *scan = sum->scan;
    uint64_t along;
    bool stores;
    (void)walk;
    *element = index_across(scan, lane, warp, &along, &stores);
    *element += scan->beside * (sum->stored ? along + sum->number * scan->warps : sum->number);
    return stores || !sum->stored;
}

/* All threads load `width` sums, the first of number `sum`. */
static bool load_sum(struct scan *scan, uint64_t sum, unsigned width)
{
    return count_code(scan->walk, LW_ACCESS_LOAD, ALL_OPERANDS, width, chunk_sum,
                      &(struct sum){scan, sum, false});
}

/* Loads consecutive sums of under 32 bits, also the last one when it completes a load. Words of which the sums of a
 * chunk need only a part are loaded separately: in pairs, or the end of the chunk once more. */
static bool load_narrow(struct scan *scan, uint64_t count)
{
    unsigned bits = scan->walk->request->element_bits[0], bytes = bits / 8;
    if ((bits != 8 && bits != 16) || !lw_triton_since(scan->walk->request->triton, LW_TRITON_3_7))
        return refuse(scan->walk,
                      "partial sums of fewer than 32 bits are adjacent in memory: how the back "
                      "end merges their loads is known only for 8 and 16 bits since Triton 3.7");
    uint64_t chunk = bytes * scan->warps, at = 0;
    bool pairs = scan->warps == 2 && (bytes == 1 || count == 4);
    unsigned width = pairs ? 2 : count * bytes >= 16 ? 16 / bytes : (unsigned)count;
    for (; at + (pairs ? 2 : 0) < count; at += width)
        if (!load_sum(scan, at, width))
            return false;
    if (pairs || (chunk == 4 && count * bytes >= 16)) {
        unsigned last = scan->warps == 2 ? 1 : 4;
        return load_sum(scan, scan->warps == 2 ? count - 2 : count - 4, last);
    }
    return true;
}

/* Loads consecutive sums, all but the last one. */
static bool load_merged(struct scan *scan)
{
    unsigned bits = scan->walk->request->element_bits[0];
    uint64_t count = scan->chunks * scan->warps, at = 0;
    if (count > 2 && bits < 32)
        return load_narrow(scan, count);
    unsigned width = count == 2 ? 1 : 128 / bits;
    for (uint64_t needed = count - 1; at < needed;) {
        bool merged = bits == 32 || needed - at >= width;
        if (!load_sum(scan, at, merged ? width : 1))
            return false;
        at += merged ? width : 1;
    }
    return true;
}

static bool scan_all(struct walk *walk)
{
    struct scan scan = {.walk = walk, .axis = walk->request->axis, .order = walk->request->order};
    if (!scan.order)
        return refuse(walk, "its layout is not blocked: Triton scans blocked layouts only");
    if (walk->request->operand_count > 1)
        return refuse(walk, "the cost of a scan of several tensors across warps is unknown");
    if (!find_chunks(&scan))
        return false;
    find_blocks(&scan);
    walk->scratch = scan.beside * scan.warps * scan.chunks;
    set_bases(walk);
    for (uint64_t chunk = 0; chunk < scan.chunks; chunk++)
        if (!count_code(walk, LW_ACCESS_STORE, ALL_OPERANDS, 1, chunk_sum,
                        &(struct sum){&scan, chunk, true}))
            return false;
    if (scan.beside == 1)
        return load_merged(&scan);
    for (uint64_t sum = 0; sum < scan.chunks * scan.warps; sum++) {
        uint64_t block = sum / scan.warps / scan.beside_chunk / scan.block_stride % scan.blocks;
        bool last = block + 1 == scan.blocks && (sum + 1) % scan.warps == 0;
        if (!last && !load_sum(&scan, sum, 1))
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
    unsigned lanes = walk.along[LANE][request->axis], warps = walk.along[WARP][request->axis];
    out->shared = warps > 1;
    out->shuffle_steps = (unsigned)(lw_log2(lanes) + (request->scan ? 0 : lw_log2(warps)));
    if (!out->shared)
        return true;
    return request->scan ? scan_all(&walk) : reduce(&walk);
}
