/* Named swizzles and paddings: all candidates for one tensor, and the layout of each. No two candidates of
 * swizzled_shared are the same layout: parameters with phases that no row has, or that change no column, are left
 * out. */

#include "core/memory_tile.h"
#include "analysis/swizzle/swizzle_parts.h"

#include <stdlib.h>
#include <string.h>

static bool add(struct lw_candidates *all, const struct lw_swizzle *swizzle)
{
    if (all->count == all->room) {
        size_t room = all->room ? 2 * all->room : 256;
        struct lw_swizzle *item = realloc(all->item, room * sizeof *item);
        if (!item)
            return false;
        all->item = item;
        all->room = room;
    }
    all->item[all->count++] = *swizzle;
    return true;
}

/* ---- Orders: the usual one first; dims of one element come last, so that there are rows and
 * columns ---- */

struct orders {
    int count;
    int64_t order[LW_ORDERS_MAX][LW_DIMS_MAX];
};

static void all_orders(struct orders *orders, const uint64_t *shape, int rank)
{
    int64_t wide[LW_DIMS_MAX], narrow[LW_DIMS_MAX];
    int count = 0, others = 0, total = 1;
    for (int d = rank - 1; d >= 0; d--)
        if (shape[d] > 1)
            total *= ++count;
    for (int d = rank - 1, at = 0; d >= 0; d--) /* with one wide dim the usual order stays */
        if (count < 2 || shape[d] == 1)
            narrow[others++] = d;
        else
            wide[at++] = d;
    count = count < 2 ? 0 : count;
    orders->count = total < LW_ORDERS_MAX ? total : LW_ORDERS_MAX;
    for (int which = 0; which < orders->count; which++) {
        int64_t left[LW_DIMS_MAX], *order = orders->order[which];
        memcpy(left, wide, sizeof left);
        for (int i = 0, base = total; i < count; i++) {
            base /= count - i;
            int pick = which / base % (count - i);
            order[i] = left[pick];
            memmove(&left[pick], &left[pick + 1], (size_t)(count - i - pick - 1) * sizeof *left);
        }
        memcpy(order + count, narrow, (size_t)others * sizeof *narrow);
    }
}

static uint64_t bytes_of(const uint64_t *shape, int rank, unsigned bits)
{
    uint64_t elements = 1;
    for (int d = 0; d < rank; d++)
        elements *= shape[d];
    return elements * bits / 8;
}

/* ---- swizzled_shared and nvmma_shared ---- */

/* Adds the swizzles with 2^phases phases. */
static bool add_swizzled(struct lw_candidates *all, struct lw_swizzle *one, const uint64_t *shape,
                         int rank, int phases)
{
    int cols = lw_log2(shape[one->order[0]]), rows = rank > 1 ? lw_log2(shape[one->order[1]]) : 0;
    one->max_phase = (uint64_t)1 << phases;
    for (int per = 0; per + phases <= rows; per++)
        for (int vec = 0; vec + phases <= cols; vec++) {
            one->per_phase = (uint64_t)1 << per;
            one->vec = (uint64_t)1 << vec;
            if (!add(all, one))
                return false;
            if (phases == 0)
                return true; /* with one phase there is no swizzle: all others are the same */
        }
    return true;
}

static bool add_nvmma(struct lw_candidates *all, const struct lw_swizzle *plain,
                      const uint64_t *shape, int rank, unsigned bits)
{
    struct lw_nvmma nvmma = {.rank = rank, .bits = bits, .rotated = true};
    struct lw_swizzle one = *plain;
    memcpy(nvmma.part, shape, (size_t)rank * sizeof *shape);
    one.kind = LW_SWIZZLE_NVMMA;
    if (bits < 8 || bits > 64)
        return true;
    for (int w = 0; w < 4; w++)
        for (int transposed = 0; transposed < 2; transposed++) {
            if (!w && transposed && rank > 2)
                continue; /* some of its offsets hold copies */
            one.width = nvmma.width = w ? (uint64_t)16 << w : 0;
            one.transposed = nvmma.transposed = transposed;
            if ((rank == 1 && (w || transposed)) || lw_nvmma_check(&nvmma, NULL) != LW_NVMMA_FITS)
                continue;
            if (!add(all, &one))
                return false;
        }
    return true;
}

bool lw_named_candidates(struct lw_candidates *all, const uint64_t *shape, int rank, unsigned bits)
{
    struct orders orders;
    struct lw_swizzle one = {.kind = LW_SWIZZLE_SWIZZLED, .bytes = bytes_of(shape, rank, bits)};
    int max = 0;
    all_orders(&orders, shape, rank);
    for (int d = 0; d < rank; d++)
        max = lw_log2(shape[d]) > max ? lw_log2(shape[d]) : max;
    for (int phases = 0; phases <= max; phases++) {
        for (int o = 0; o < orders.count; o++) {
            memcpy(one.order, orders.order[o], sizeof one.order);
            if (!add_swizzled(all, &one, shape, rank, phases))
                return false;
        }
        if (phases == 0 && !add_nvmma(all, &one, shape, rank, bits))
            return false;
    }
    return true;
}

/* ---- Paddings ---- */

static int by_bytes(const void *a, const void *b)
{
    const struct lw_swizzle *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    if (x->padding.interval != y->padding.interval)
        return x->padding.interval > y->padding.interval ? -1 : 1;
    return memcmp(y->order, x->order, sizeof x->order);
}

/* A padding by a multiple of a row of banks would have no effect. */
bool lw_padding_candidates(struct lw_candidates *all, const uint64_t *shape, int rank,
                           unsigned bits, unsigned line_bytes)
{
    struct orders orders;
    const uint64_t bytes = bytes_of(shape, rank, bits), elements = bytes * 8 / bits;
    const uint64_t line = (uint64_t)line_bytes * 8 / bits, least = bits < 8 ? 8 / bits : 1;
    struct lw_swizzle one = {.kind = LW_SWIZZLE_PADDED};
    all_orders(&orders, shape, rank);
    for (int o = 0; o < orders.count; o++) {
        memcpy(one.order, orders.order[o], sizeof one.order);
        for (uint64_t interval = 2 * least; interval < elements; interval *= 2)
            for (uint64_t pad = least; pad < line && pad <= interval; pad *= 2) {
                one.bytes = bytes + (elements / interval - 1) * pad * bits / 8;
                one.padding = (struct lw_padding){interval, pad};
                if (one.bytes <= 2 * bytes && !add(all, &one))
                    return false;
            }
    }
    if (all->count)
        qsort(all->item, all->count, sizeof *all->item, by_bytes);
    return true;
}

/* ---- Their layouts ---- */

bool lw_named_map(const struct lw_swizzle *swizzle, const uint64_t *shape, int rank, unsigned bits,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_phases phases = {swizzle->vec, swizzle->per_phase, swizzle->max_phase};
    struct lw_nvmma nvmma = {.rotated = true,
                             .rank = rank,
                             .width = swizzle->width,
                             .bits = bits,
                             .transposed = swizzle->transposed};
    struct lw_tile tile;
    struct lw_map rows;
    lw_tile_begin(&tile, err);
    memcpy(nvmma.part, shape, (size_t)rank * sizeof *shape);
    if (swizzle->kind == LW_SWIZZLE_SWIZZLED)
        lw_tile_swizzled(&tile, &phases, lw_phase_of_row, shape, swizzle->order, rank);
    else if (swizzle->kind == LW_SWIZZLE_NVMMA)
        lw_tile_nvmma(&tile, &nvmma);
    else
        for (int i = 0; i < rank; i++)
            lw_tile_identity(&tile, shape[swizzle->order[i]], "offset", (int)swizzle->order[i]);
    if (swizzle->kind != LW_SWIZZLE_PADDED)
        return lw_tile_map(&tile, lw_shared_dims, 2, rank, map);
    return lw_tile_map(&tile, lw_shared_dims, 2, rank, &rows) &&
           lw_map_from_padding(map, &rows.as.linear.layout, "offset", &swizzle->padding, 1, err);
}
