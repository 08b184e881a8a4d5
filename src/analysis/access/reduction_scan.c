/*
 * What warps exchange in a scan. The registers of a thread that are neighbours along the axis are
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

#include "analysis/access/reduction_parts.h"

struct scan {
    struct lw_walk *walk;
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
    const struct lw_walk *walk = scan->walk;
    int reg = walk->dim[LW_WALK_REG], bits = lw_layout_in_log2(&walk->layout, reg), bit = 0;
    uint64_t image[LW_DIMS_MAX];
    for (int i = 0; i < walk->rank; i++) {
        int d = walk->order[LW_WALK_REG][i];
        for (scan->chunk[d] = 1; bit < bits; bit++) {
            lw_layout_basis(&walk->layout, reg, bit, image);
            if (image[d] != scan->chunk[d])
                break;
            scan->chunk[d] *= 2;
        }
    }
    for (int b = 0; b < bits; b++) {
        uint64_t any = 0;
        lw_layout_basis(&walk->layout, reg, b, image);
        for (int d = 0; d < walk->rank; d++)
            any |= image[d];
        if (!any)
            return lw_walk_refuse(scan->walk, "registers of its layout repeat each other, and "
                                              "releases of Triton scan such layouts differently");
    }
    return true;
}

static void find_blocks(struct scan *scan)
{
    const struct lw_walk *walk = scan->walk;
    uint64_t stride = 1;
    scan->chunks = lw_walk_size(walk, LW_WALK_REG) / scan->chunk[scan->axis];
    scan->beside_chunk = 1;
    for (int i = 0; i < walk->rank; i++) {
        int d = scan->order[i];
        uint64_t all = scan->chunk[d] * walk->along[LW_WALK_LANE][d] * walk->along[LW_WALK_WARP][d];
        uint64_t blocks = (walk->layout.out.dim[d].size + all - 1) / all;
        if (d == scan->axis) {
            scan->blocks = blocks;
            scan->block_stride = stride;
        } else {
            scan->beside_chunk *= scan->chunk[d];
        }
        stride *= blocks;
    }
    scan->warps = walk->along[LW_WALK_WARP][scan->axis];
    scan->threads = walk->along[LW_WALK_LANE][scan->axis];
    scan->lanes_beside = scan->beside = 1;
    for (int d = 0; d < walk->rank; d++)
        if (d != scan->axis) {
            scan->lanes_beside *= walk->along[LW_WALK_LANE][d];
            scan->beside *= (uint64_t)walk->along[LW_WALK_LANE][d] * walk->along[LW_WALK_WARP][d];
        }
}

/* The number of a thread among those beside the axis. *stores: whether it is the last lane along
 * the axis, which holds the sum. */
static uint64_t index_across(const struct scan *scan, uint64_t lane, uint64_t warp, uint64_t *along,
                             bool *stores)
{
    const struct lw_walk *walk = scan->walk;
    uint64_t by_lane[LW_DIMS_MAX], by_warp[LW_DIMS_MAX], lanes[LW_DIMS_MAX], warps[LW_DIMS_MAX];
    bool own_lane = lw_walk_digits(walk, LW_WALK_LANE, lane, by_lane);
    bool own_warp = lw_walk_digits(walk, LW_WALK_WARP, warp, by_warp);
    *stores = own_lane && own_warp && by_lane[scan->axis] == scan->threads - 1;
    *along = by_warp[scan->axis];
    for (int d = 0; d < walk->rank; d++) {
        lanes[d] = d == scan->axis ? 1 : walk->along[LW_WALK_LANE][d];
        warps[d] = d == scan->axis ? 1 : walk->along[LW_WALK_WARP][d];
    }
    by_lane[scan->axis] = by_warp[scan->axis] = 0;
    return lw_walk_linear(by_lane, lanes, scan->order, walk->rank) +
           lw_walk_linear(by_warp, warps, scan->order, walk->rank) * scan->lanes_beside;
}

static bool store_sums(struct scan *scan)
{
    struct lw_walk *walk = scan->walk;
    for (uint64_t warp = 0; warp < lw_walk_size(walk, LW_WALK_WARP); warp++)
        for (uint64_t chunk = 0; chunk < scan->chunks; chunk++) {
            struct lw_walk_lanes lanes = {0};
            for (uint64_t lane = 0; lane < lw_walk_size(walk, LW_WALK_LANE); lane++) {
                uint64_t along;
                bool stores;
                uint64_t beside = index_across(scan, lane, warp, &along, &stores);
                lanes.element[lane] = beside + scan->beside * (along + chunk * scan->warps);
                lanes.active |= (uint64_t)stores << lane;
            }
            if (!lw_walk_access(walk, LW_ACCESS_STORE, &lanes, LW_WALK_ALL, 1))
                return false;
        }
    walk->out->stores = scan->chunks;
    return true;
}

/* All threads load `width` sums, the first of number `sum`. */
static bool load_sum(struct scan *scan, uint64_t sum, unsigned width)
{
    struct lw_walk *walk = scan->walk;
    walk->out->loads++;
    for (uint64_t warp = 0; warp < lw_walk_size(walk, LW_WALK_WARP); warp++) {
        struct lw_walk_lanes lanes = {0};
        for (uint64_t lane = 0; lane < lw_walk_size(walk, LW_WALK_LANE); lane++) {
            uint64_t along;
            bool stores;
            lanes.element[lane] =
                index_across(scan, lane, warp, &along, &stores) + scan->beside * sum;
            lanes.active |= (uint64_t)1 << lane;
        }
        if (!lw_walk_access(walk, LW_ACCESS_LOAD, &lanes, LW_WALK_ALL, width))
            return false;
    }
    return true;
}

/* Loads consecutive sums of under 32 bits, also the last one when it completes a load. Words of which the sums of a
 * chunk need only a part are loaded separately: in pairs, or the end of the chunk once more. */
static bool load_narrow(struct scan *scan, uint64_t count)
{
    unsigned bits = scan->walk->request->element_bits[0], bytes = bits / 8;
    if ((bits != 8 && bits != 16) || !lw_triton_since(scan->walk->request->triton, LW_TRITON_3_7))
        return lw_walk_refuse(
            scan->walk, "partial sums of fewer than 32 bits are adjacent in memory: how the back "
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

static bool load_sums(struct scan *scan)
{
    for (uint64_t chunk = 0; chunk < scan->chunks; chunk++)
        for (uint64_t warp = 0; warp < scan->warps; warp++) {
            uint64_t block = chunk / scan->beside_chunk / scan->block_stride % scan->blocks;
            if (block + 1 == scan->blocks && warp + 1 == scan->warps)
                continue;
            if (!load_sum(scan, chunk * scan->warps + warp, 1))
                return false;
        }
    return true;
}

bool lw_walk_scan(struct lw_walk *walk)
{
    struct scan scan = {.walk = walk, .axis = walk->request->axis, .order = walk->request->order};
    if (!scan.order)
        return lw_walk_refuse(walk, "its layout is not blocked: Triton scans blocked layouts only");
    if (walk->request->operand_count > 1)
        return lw_walk_refuse(walk,
                              "the cost of a scan of several tensors across warps is unknown");
    if (!find_chunks(&scan))
        return false;
    find_blocks(&scan);
    walk->scratch = scan.beside * scan.warps * scan.chunks;
    lw_walk_bases(walk);
    return store_sums(&scan) && (scan.beside == 1 ? load_merged(&scan) : load_sums(&scan));
}
