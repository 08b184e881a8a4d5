/*
 * Triton encodings of shared memory that are a given layout: swizzled, for TMA and wgmma,
 * rotating, padded, and bases.
 *
 * vec, perPhase and maxPhase follow from the rows whose numbers are powers of two: the first such row whose columns are
 * xored is perPhase, the number that they are xored with is vec, and the count of such rows gives maxPhase.
 */

#include "translate/translate_parts.h"
#include "core/tile.h"

#include <string.h>

/* ---- Orders ---- */

/* Order number `which` of all orders of the dims, fastest first, the row-major one first. Returns
 * how many there are. */
static int orders_of(int rank, int which, int64_t *order)
{
    int left[LW_DIMS_MAX], count = rank, orders = 1;
    for (int d = 0; d < rank; d++) {
        left[d] = rank - 1 - d;
        orders *= d + 1;
    }
    for (int i = 0, base = orders; i < rank; i++) {
        base /= rank - i;
        int pick = which / base % (rank - i);
        order[i] = left[pick];
        memmove(&left[pick], &left[pick + 1], (size_t)(--count - pick) * sizeof *left);
    }
    return orders;
}

/* ---- vec, perPhase, maxPhase ---- */

struct phases {
    int64_t vec, per, max;
};

/* Reads the phases from the least offset of column 0 of each row. False when it has no such form.
 * */
static bool read_phases(const struct lw_layout *least, const int64_t *order, const uint64_t *part,
                        struct phases *phases)
{
    int first = -1, count = 0;
    uint64_t flips = 0;
    *phases = (struct phases){1, 1, 1};
    if (least->in.count < 2)
        return true;
    int rows = (int)order[1];
    for (int bit = 0; bit < lw_log2(part[rows]); bit++) {
        uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX];
        in[rows] = (uint64_t)1 << bit;
        lw_layout_apply(least, in, out);
        uint64_t flip = out[0] & (part[order[0]] - 1);
        if (!flip)
            continue;
        flips = first < 0 ? flip : flips;
        first = first < 0 ? bit : first;
        count++;
    }
    if (first < 0)
        return true;
    if (lw_log2(flips) < 0)
        return false;
    *phases = (struct phases){(int64_t)flips, (int64_t)1 << first, (int64_t)1 << count};
    return true;
}

static bool try_phases(struct lw_translate_work *work, const char *type,
                       const struct phases *phases, const int64_t *order,
                       struct lw_translate_encodings *found)
{
    struct lw_encoding *encoding = lw_translate_new_encoding(work, type);
    if (lw_translate_is_original(work, encoding))
        return false;
    lw_translate_set(encoding, "vec", lw_value_integer(phases->vec));
    lw_translate_set(encoding, "perPhase", lw_value_integer(phases->per));
    lw_translate_set(encoding, "maxPhase", lw_value_integer(phases->max));
    lw_translate_set_list(work, encoding, "order", order, work->layout.out.count);
    return lw_translate_set_blocks(work, encoding) && lw_translate_accept(work, encoding, found);
}

static bool find_swizzled(struct lw_translate_work *work, const uint64_t *part,
                          const struct lw_layout *least, struct lw_translate_encodings *found)
{
    int64_t order[LW_DIMS_MAX];
    int rank = work->layout.out.count;
    if (rank < 1 || rank > 5)
        return false;
    for (int which = 0, orders = 1; which < orders; which++) {
        struct phases phases;
        orders = orders_of(rank, which, order);
        if (read_phases(least, order, part, &phases) &&
            try_phases(work, "swizzled_shared", &phases, order, found))
            return true;
    }
    return false;
}

/* Rotation differs from a swizzle only beyond maxPhase * perPhase rows, so all parameters are
 * tried, for two orders. */
static bool find_rotating(struct lw_translate_work *work, const uint64_t *part,
                          struct lw_translate_encodings *found)
{
    int64_t order[LW_DIMS_MAX];
    int rank = work->layout.out.count;
    for (int which = 0; which < 2 && rank == 2; which++) {
        orders_of(rank, which, order);
        int columns = lw_log2(part[order[0]]), rows = lw_log2(part[order[1]]);
        for (int vec = 0; vec < columns && vec < 6; vec++)
            for (int per = 0; per < rows && per < 5; per++)
                for (int max = 1; max + vec <= columns && max < 6; max++) {
                    struct phases phases = {1 << vec, 1 << per, 1 << max};
                    if (try_phases(work, "amd_rotating_shared", &phases, order, found))
                        return true;
                }
    }
    return false;
}

/* ---- TMA and wgmma ---- */

static bool find_nvmma(struct lw_translate_work *work, struct lw_translate_encodings *found)
{
    static const int64_t widths[] = {0, 32, 64, 128};
    int bits = work->of->tensor->element.bits, rank = work->layout.out.count;
    for (int i = 0; i < 16; i++) {
        struct lw_encoding *encoding = lw_translate_new_encoding(work, "nvmma_shared");
        lw_translate_set(encoding, "swizzlingByteWidth", lw_value_integer(widths[i % 4]));
        lw_translate_set(encoding, "transposed", lw_value_boolean(i / 4 % 2));
        lw_translate_set(encoding, "elementBitWidth", lw_value_integer(bits));
        if (i / 8)
            lw_translate_set(encoding, "fp4Padded", lw_value_boolean(true));
        if (rank != 2)
            lw_translate_set(encoding, "rank", lw_value_integer(rank));
        if (!lw_translate_is_original(work, encoding) && lw_translate_set_blocks(work, encoding) &&
            lw_translate_accept(work, encoding, found))
            return true;
    }
    return false;
}

/* ---- Padding ---- */

static struct lw_value padding_value(struct lw_translate_work *work,
                                     const struct lw_padding *paddings, int count)
{
    struct lw_value list = {.kind = LW_VALUE_LIST, .count = (size_t)count};
    list.items = lw_arena_alloc(work->arena, ((size_t)count + 1) * sizeof *list.items);
    for (int i = 0; i < count && list.items; i++) {
        const int64_t pair[2] = {(int64_t)paddings[i].interval, (int64_t)paddings[i].size};
        list.items[i] = lw_value_integers(work->arena, pair, 2);
    }
    return list.items ? list : (struct lw_value){0};
}

/* The strides of all bits of the coordinates, in ascending order: where each bit of the offset
 * without padding is moved to. */
static int weights_of(const struct lw_strides *sum, uint64_t *weights, int *dims,
                      uint64_t *divisors)
{
    int count = 0;
    for (int i = sum->count - 1; i >= 0; i--)
        for (int bit = 0; bit < lw_log2(sum->mode[i].size) && count < LW_BITS_MAX; bit++) {
            int at = count++;
            uint64_t weight = sum->mode[i].stride << bit;
            for (; at > 0 && weights[at - 1] > weight; at--) {
                weights[at] = weights[at - 1];
                dims[at] = dims[at - 1];
                divisors[at] = divisors[at - 1];
            }
            weights[at] = weight;
            dims[at] = sum->mode[i].dim;
            divisors[at] = sum->mode[i].divisor << bit;
        }
    return count;
}

/* Padding as strides: powers of two plus the free space after each interval. */
static bool find_padded(struct lw_translate_work *work, struct lw_translate_encodings *found)
{
    const struct lw_map *map = work->of->map;
    const struct lw_strides *sum = &map->as.strided.sum;
    uint64_t weights[LW_BITS_MAX], divisors[LW_BITS_MAX], extra = 0;
    int dims[LW_BITS_MAX], padded = 0, rank = map->out.count;
    struct lw_padding paddings[LW_PADDINGS_MAX] = {{0, 0}};
    if (sum->bits || sum->constant)
        return false;
    for (int i = 0; i < sum->count; i++)
        if (lw_log2(sum->mode[i].size) < 0)
            return false;
    int count = weights_of(sum, weights, dims, divisors);
    struct lw_value offsets = {.kind = LW_VALUE_LIST, .count = (size_t)count};
    offsets.items = lw_arena_alloc(work->arena, ((size_t)count + 1) * sizeof *offsets.items);
    for (int bit = 0; bit < count && offsets.items; bit++) {
        int64_t basis[LW_DIMS_MAX] = {0};
        uint64_t plain = ((uint64_t)1 << bit) + 2 * extra;
        basis[dims[bit]] = (int64_t)divisors[bit];
        offsets.items[bit] = lw_value_integers(work->arena, basis, (size_t)rank);
        extra *= 2;
        if (weights[bit] < plain || (weights[bit] > plain && padded == LW_PADDINGS_MAX))
            return false;
        if (weights[bit] > plain) {
            paddings[padded++] = (struct lw_padding){(uint64_t)1 << bit, weights[bit] - plain};
            extra += weights[bit] - plain;
        }
    }
    struct lw_encoding *encoding = lw_translate_new_encoding(work, "padded_shared");
    lw_translate_set(encoding, "intervalPads", padding_value(work, paddings, padded));
    lw_translate_set(encoding, "offset", offsets);
    lw_translate_set_list(work, encoding, "block", NULL, 0);
    return padded && lw_translate_accept(work, encoding, found);
}

/* The same memory with bases, when it was written with an order. */
static bool padded_as_bases(struct lw_translate_work *work, struct lw_translate_encodings *found)
{
    const struct lw_map *map = work->of->map;
    const struct lw_encoding *own = work->of->encoding;
    struct lw_translate_work plain = *work;
    struct lw_encoding *encoding = lw_translate_new_encoding(work, "padded_shared");
    if (own && lw_encoding_param(own, "offset") >= 0 && lw_encoding_is_set(own, "offset"))
        return true;
    plain.layout = map->as.padded.layout;
    lw_translate_set(encoding, "intervalPads",
                     padding_value(work, map->as.padded.padding, map->as.padded.count));
    lw_translate_set_bases(&plain, encoding, "offset", map->as.padded.dim);
    if (plain.layout.in.count > 1)
        lw_translate_set_bases(&plain, encoding, "block", 1 - map->as.padded.dim);
    return lw_translate_accept(work, encoding, found);
}

/* ---- All of them ---- */

bool lw_translate_memory(struct lw_translate_work *work, struct lw_translate_encodings *found)
{
    uint64_t part[LW_DIMS_MAX];
    struct lw_layout least;
    if (!work->linear && work->of->map->kind == LW_MAP_STRIDED && find_padded(work, found))
        return true;
    if (!work->linear && work->of->map->kind == LW_MAP_PADDED)
        return padded_as_bases(work, found);
    if (!lw_translate_need_linear(work))
        return false;
    bool held =
        lw_translate_block_shape(work, part) && lw_layout_pseudoinvert(&least, &work->layout, NULL);
    bool known = held && find_swizzled(work, part, &least, found);
    known = find_nvmma(work, found) || known;
    if (!known && held)
        find_rotating(work, part, found);
    struct lw_encoding *encoding = lw_translate_new_encoding(work, "shared_linear");
    lw_translate_set_bases(work, encoding, "offset", 0);
    if (lw_layout_in_log2(&work->layout, 1))
        lw_translate_set_bases(work, encoding, "block", 1);
    if (lw_layout_in_log2(&work->layout, 0) && lw_translate_accept(work, encoding, found))
        return true; /* Triton has no shared_linear without a basis */
    if (found->count)
        return true;
    return held ? lw_translate_fail(work,
                                    "an element is at several offsets, and a shared_linear layout "
                                    "has each at one")
                : lw_translate_fail(work, "some elements are at no offset");
}
