/*
 * Translation to Triton: encodings of a layout. Candidates follow from the bases, the simplest and most specific first.
 * Each is built and compared, so a wrong candidate only costs time. Source: the encodings of Triton 3.7, and its
 * parsers and texts that 3.5 to 3.9 accept.
 */

#include "core/tile.h"
#include "core/unused.h"
#include "encoding/schema/types.h"
#include "encoding/triton/linear_bases.h"
#include "encoding/triton/mma.h"
#include "translate/translate_parts.h"

#include "laneway/algebra.h"

#include <stdlib.h>
#include <string.h>

/* ---- Making candidates ---- */

static struct lw_encoding *new_encoding(struct lw_translate_work *work, const char *type)
{
    struct lw_encoding *encoding = lw_encoding_new(work->arena, lw_encoding_type_find(type));
    if (encoding && work->of->encoding)
        encoding->triton = work->of->encoding->triton;
    return encoding;
}

static void set(struct lw_encoding *encoding, const char *name, struct lw_value value)
{
    if (encoding)
        lw_encoding_set(encoding, name, &value, NULL);
}

static void set_list(struct lw_translate_work *work, struct lw_encoding *encoding, const char *name,
                     const int64_t *numbers, int count)
{
    set(encoding, name, lw_value_integers(work->arena, numbers, (size_t)count));
}

static void set_bases(struct lw_translate_work *work, struct lw_encoding *encoding,
                      const char *name, int dim)
{
    set(encoding, name, lw_bases_value(work->arena, &work->layout, dim));
}

/* The shape of the part of the tensor that one block has. False when the blocks, the last in-dim, do not divide it into
 * such parts. */
static bool block_shape(struct lw_translate_work *work, uint64_t *part)
{
    const struct lw_layout *layout = &work->layout;
    int blocks = layout->in.count - 1;
    uint64_t seen = 0;
    for (int d = 0; d < layout->out.count; d++)
        part[d] = layout->out.dim[d].size;
    for (int bit = 0; bit < lw_layout_in_log2(layout, blocks); bit++) {
        uint64_t image[LW_DIMS_MAX];
        uint64_t basis = layout->basis[lw_layout_in_shift(layout, blocks) + bit];
        lw_layout_basis(layout, blocks, bit, image);
        for (int d = 0; d < layout->out.count; d++)
            if (image[d] && !(basis & seen))
                part[d] /= 2;
        seen |= basis;
    }
    for (int d = 0; d < layout->out.count; d++)
        if (!part[d])
            return false;
    return true;
}

static bool set_blocks(struct lw_translate_work *work, struct lw_encoding *encoding)
{
    const struct lw_layout *layout = &work->layout;
    int blocks = layout->in.count - 1, count = lw_layout_in_log2(layout, blocks);
    uint64_t part[LW_DIMS_MAX];
    if (count == 0)
        return true;
    if (!block_shape(work, part))
        return false;
    struct lw_dims in = {0}, out = layout->out;
    struct lw_layout cga;
    for (int d = 0; d < out.count; d++)
        out.dim[d].size /= part[d];
    if (!lw_dims_add(&in, "block", (uint64_t)1 << count, NULL) ||
        !lw_layout_of_dims(&cga, &in, &out, NULL))
        return false;
    for (int bit = 0; bit < count; bit++) {
        uint64_t image[LW_DIMS_MAX];
        lw_layout_basis(layout, blocks, bit, image);
        for (int d = 0; d < layout->out.count; d++)
            image[d] /= part[d];
        if (!lw_layout_set_basis(&cga, 0, bit, image, NULL))
            return false;
    }
    return lw_cga_set(work->arena, encoding, &cga);
}

static bool is_original(const struct lw_translate_work *work, const struct lw_encoding *encoding)
{
    return work->of->encoding && encoding && work->of->encoding->type == encoding->type;
}

static bool accept(struct lw_translate_work *work, const struct lw_encoding *encoding)
{
    struct lw_translate_encodings *found = work->found;
    struct lw_map map;
    struct lw_layout layout;
    enum lw_translate_space space;
    struct lw_tensor tensor = *work->of->tensor;
    if (!encoding || found->count == LW_TRANSLATIONS_MAX)
        return false;
    tensor.rank = work->of->map->out.count;
    for (int d = 0; d < tensor.rank; d++)
        tensor.shape[d] = work->of->map->out.dim[d].size;
    tensor.alloc_rank = 0;
    if (!lw_encoding_check_version(encoding, NULL) ||
        !lw_encoding_build(encoding, &tensor, &map, NULL))
        return false;
    if (work->linear ? !lw_translate_normalize(&map, work->of->lanes, &layout, &space, NULL) ||
                           !lw_layout_equal(&layout, &work->layout)
                     : !lw_translate_same_layout(&map, work->of->map, work->of->lanes, 1 << 16))
        return false;
    for (int i = 0; i < found->count; i++)
        if (lw_encoding_equal(found->at[i], encoding))
            return true;
    found->at[found->count++] = encoding;
    return true;
}

/* ---- Encodings in the notation of a version ----
 * That of the layout, 3.7 and later when none is set. Older releases write blocks as three lists (3.5), the warps of
 * amd_wmma as a list (3.6), and before 3.5 the version of amd_mfma as two numbers. Parameters that replace others make
 * the same layout. */

static void unset(struct lw_encoding *encoding, const char *name)
{
    int index = lw_encoding_param(encoding, name);
    if (index >= 0)
        encoding->params[index] = (struct lw_value){.kind = LW_VALUE_NONE};
}

static bool has_param(const struct lw_encoding *encoding, const char *name)
{
    return lw_encoding_param(encoding, name) >= 0 && lw_encoding_is_set(encoding, name);
}

static bool update_blocks(struct lw_translate_work *work, struct lw_encoding *encoding, int rank)
{
    struct lw_layout cga;
    static const char *const names[] = {"CTAsPerCGA", "CTASplitNum", "CTAOrder", "CGALayout"};
    bool old = has_param(encoding, "CTAsPerCGA");
    if (lw_encoding_since(encoding, LW_TRITON_3_6) ? !old : !has_param(encoding, "CGALayout"))
        return true;
    if (!lw_cga_layout(encoding, rank, &cga, NULL))
        return false;
    for (size_t i = 0; i < LW_COUNT(names); i++)
        unset(encoding, names[i]);
    return lw_cga_set(work->arena, encoding, &cga);
}

/* {register = [...], warp = [...]}, without those that have no basis. */
static struct lw_value value_of_warps(struct lw_translate_work *work, const struct lw_layout *warps)
{
    static const char *const names[2] = {"register", "warp"};
    struct lw_value object = {.kind = LW_VALUE_OBJECT};
    object.items = lw_arena_alloc(work->arena, 2 * sizeof *object.items);
    object.names = lw_arena_alloc(work->arena, 2 * sizeof *object.names);
    for (int i = 0; i < 2 && object.items && object.names; i++) {
        int dim = lw_dims_find(&warps->in, names[i]);
        if (dim < 0 || !lw_layout_in_log2(warps, dim))
            continue;
        object.items[object.count] = lw_bases_value(work->arena, warps, dim);
        object.names[object.count++] = names[i];
    }
    return object.items && object.names ? object : (struct lw_value){0};
}

/* The warps of amd_wmma as bases, those along n first. */
static struct lw_value tiles_of_warps(struct lw_translate_work *work, int rows, int columns)
{
    struct lw_dims in = {0}, out = {0};
    struct lw_layout warps;
    lw_dims_add(&in, "warp", (uint64_t)1 << (rows + columns), NULL);
    lw_dims_add(&out, lw_dim_names[0], (uint64_t)1 << rows, NULL);
    lw_dims_add(&out, lw_dim_names[1], (uint64_t)1 << columns, NULL);
    if (!lw_layout_of_dims(&warps, &in, &out, NULL))
        return (struct lw_value){0};
    for (int i = 0; i < rows + columns; i++)
        warps.basis[i] = (uint64_t)1 << (i < columns ? rows + i : i - columns);
    return value_of_warps(work, &warps);
}

/* Without a basis the rank must be given. */
static bool update_warps(struct lw_translate_work *work, struct lw_encoding *encoding, int rank)
{
    struct lw_layout warps;
    if (rank == 3 && !has_param(encoding, "rank") && /* Triton assumes 2 */
        lw_encoding_since(encoding, LW_TRITON_3_7))
        set(encoding, "rank", lw_value_integer(rank));
    if (!has_param(encoding, "warpsPerCTA") || !lw_encoding_since(encoding, LW_TRITON_3_7))
        return true;
    if (!lw_wmma_warps(encoding, rank, &warps, NULL))
        return false;
    struct lw_value object = value_of_warps(work, &warps);
    unset(encoding, "warpsPerCTA");
    set(encoding, "ctaLayout", object);
    if (!object.count && !has_param(encoding, "rank"))
        set(encoding, "rank", lw_value_integer(rank));
    return true;
}

/* An instruction has m, n and k; 3.7 does not have those of 4 x 4. */
static bool update_mfma(struct lw_encoding *encoding)
{
    int64_t instr[LW_RANK_MAX], version = lw_encoding_integer(encoding, "version");
    const struct lw_value *type = lw_encoding_value(encoding, "elementType");
    bool last = lw_encoding_since(encoding, LW_TRITON_3_6);
    bool wide = type && type->kind == LW_VALUE_STRING && !strcmp(type->string, "f64");
    if (last &&
        (lw_integers(encoding, "instrShape", instr) != 3 || (instr[0] == 4 && instr[1] == 4)))
        return false;
    if (has_param(encoding, "versionMajor")) {
        version = lw_encoding_integer(encoding, "versionMajor");
        set(encoding, "version", lw_value_integer(version));
    }
    unset(encoding, "versionMajor");
    unset(encoding, "versionMinor");
    if (last)
        unset(encoding, "elementType");
    if (last && wide && !has_param(encoding, "elementBitWidth"))
        set(encoding, "elementBitWidth", lw_value_integer(64));
    return version > 0;
}

static bool update(struct lw_translate_work *work, struct lw_encoding *encoding, int rank)
{
    int parent = lw_encoding_param(encoding, "parent");
    if (parent >= 0 && encoding->params[parent].kind == LW_VALUE_ENCODING)
        return update(work, encoding->params[parent].encoding,
                      rank + (encoding->type == &lw_encoding_slice));
    bool good = encoding->type == &lw_encoding_amd_mfma   ? update_mfma(encoding)
                : encoding->type == &lw_encoding_amd_wmma ? update_warps(work, encoding, rank)
                                                          : true;
    return good && update_blocks(work, encoding, rank);
}

/* ---- Memory: orders ----
 * vec, perPhase and maxPhase follow from the rows whose numbers are powers of two: the first such row whose columns are
 * xored is perPhase, the number that they are xored with is vec, and the count of such rows gives maxPhase. */

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

/* The swizzle in this order, read from the least offset of column 0 of each row; NULL when it has no
 * such form. */
static struct lw_encoding *make_swizzled(struct lw_translate_work *work,
                                         const struct lw_layout *least, const int64_t *order,
                                         const uint64_t *part)
{
    int first = -1, count = 0, rows = least->in.count < 2 ? 0 : (int)order[1];
    uint64_t flips = 1;
    for (int bit = 0; least->in.count > 1 && bit < lw_log2(part[rows]); bit++) {
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
    struct lw_encoding *encoding = new_encoding(work, "swizzled_shared");
    if (lw_log2(flips) < 0 || is_original(work, encoding))
        return NULL;
    set(encoding, "vec", lw_value_integer((int64_t)flips));
    set(encoding, "perPhase", lw_value_integer((int64_t)1 << (first < 0 ? 0 : first)));
    set(encoding, "maxPhase", lw_value_integer((int64_t)1 << count));
    set_list(work, encoding, "order", order, work->layout.out.count);
    return encoding;
}

static void find_swizzled(struct lw_translate_work *work, const uint64_t *part,
                          const struct lw_layout *least)
{
    int64_t order[LW_DIMS_MAX];
    int rank = work->layout.out.count;
    for (int which = 0, orders = rank > 0 && rank < 6; which < orders; which++) {
        orders = orders_of(rank, which, order);
        struct lw_encoding *encoding = make_swizzled(work, least, order, part);
        if (encoding && set_blocks(work, encoding) && accept(work, encoding))
            return;
    }
}

/* ---- TMA and wgmma ---- */

static void find_nvmma(struct lw_translate_work *work)
{
    static const int64_t widths[] = {0, 32, 64, 128};
    int bits = work->of->tensor->element.bits, rank = work->layout.out.count;
    for (int i = 0; i < 16; i++) {
        struct lw_encoding *encoding = new_encoding(work, "nvmma_shared");
        set(encoding, "swizzlingByteWidth", lw_value_integer(widths[i % 4]));
        set(encoding, "transposed", lw_value_boolean(i / 4 % 2));
        set(encoding, "elementBitWidth", lw_value_integer(bits));
        if (i / 8)
            set(encoding, "fp4Padded", lw_value_boolean(true));
        if (rank != 2)
            set(encoding, "rank", lw_value_integer(rank));
        if (!is_original(work, encoding) && set_blocks(work, encoding) && accept(work, encoding))
            return;
    }
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

/* A bit of a coordinate: how far it moves in memory, and its part of the index of its dim. */
struct weight {
    uint64_t weight, part;
    int dim;
};

/* Padding as strides: powers of two plus the free space after each interval. */
static bool find_padded(struct lw_translate_work *work)
{
    const struct lw_map *map = work->of->map;
    const struct lw_strides *sum = &map->as.strided.sum;
    struct weight weights[LW_BITS_MAX];
    uint64_t extra = 0;
    int count = 0, padded = 0, rank = map->out.count;
    struct lw_padding paddings[LW_PADDINGS_MAX] = {{0, 0}};
    if (sum->bits || sum->constant)
        return false;
    for (int i = 0; i < sum->count; i++) {
        const struct lw_stride *m = &sum->mode[i];
        if (lw_log2(m->size) < 0)
            return false;
        for (int bit = 0; bit < lw_log2(m->size) && count < LW_BITS_MAX; bit++) {
            int at = count++; /* sorted by weight */
            for (; at > 0 && weights[at - 1].weight > m->stride << bit; at--)
                weights[at] = weights[at - 1];
            weights[at] = (struct weight){m->stride << bit, m->divisor << bit, m->dim};
        }
    }
    struct lw_value offsets = {.kind = LW_VALUE_LIST, .count = (size_t)count};
    offsets.items = lw_arena_alloc(work->arena, ((size_t)count + 1) * sizeof *offsets.items);
    for (int bit = 0; bit < count && offsets.items; bit++) {
        int64_t basis[LW_DIMS_MAX] = {0};
        uint64_t plain = ((uint64_t)1 << bit) + 2 * extra, weight = weights[bit].weight;
        basis[weights[bit].dim] = (int64_t)weights[bit].part;
        offsets.items[bit] = lw_value_integers(work->arena, basis, (size_t)rank);
        extra *= 2;
        if (weight < plain || (weight > plain && padded == LW_PADDINGS_MAX))
            return false;
        if (weight > plain) {
            paddings[padded++] = (struct lw_padding){(uint64_t)1 << bit, weight - plain};
            extra += weight - plain;
        }
    }
    struct lw_encoding *encoding = new_encoding(work, "padded_shared");
    set(encoding, "intervalPads", padding_value(work, paddings, padded));
    set(encoding, "offset", offsets);
    set_list(work, encoding, "block", NULL, 0);
    return padded && accept(work, encoding);
}

/* The same memory with bases, when it was written with an order. */
static bool padded_as_bases(struct lw_translate_work *work)
{
    const struct lw_map *map = work->of->map;
    const struct lw_encoding *own = work->of->encoding;
    struct lw_translate_work plain = *work;
    struct lw_encoding *encoding = new_encoding(work, "padded_shared");
    if (own && lw_encoding_param(own, "offset") >= 0 && lw_encoding_is_set(own, "offset"))
        return true;
    plain.layout = map->as.padded.layout;
    set(encoding, "intervalPads",
        padding_value(work, map->as.padded.padding, map->as.padded.count));
    set_bases(&plain, encoding, "offset", map->as.padded.dim);
    if (plain.layout.in.count > 1)
        set_bases(&plain, encoding, "block", 1 - map->as.padded.dim);
    return accept(work, encoding);
}

static bool find_memory(struct lw_translate_work *work)
{
    uint64_t part[LW_DIMS_MAX];
    struct lw_layout least;
    if (!work->linear && work->of->map->kind == LW_MAP_STRIDED && find_padded(work))
        return true;
    if (!work->linear && work->of->map->kind == LW_MAP_PADDED)
        return padded_as_bases(work);
    if (!lw_translate_need_linear(work))
        return false;
    bool held = block_shape(work, part) && lw_layout_pseudoinvert(&least, &work->layout, NULL);
    if (held)
        find_swizzled(work, part, &least);
    find_nvmma(work);
    struct lw_encoding *encoding = new_encoding(work, "shared_linear");
    set_bases(work, encoding, "offset", 0);
    if (lw_layout_in_log2(&work->layout, 1))
        set_bases(work, encoding, "block", 1);
    if (lw_layout_in_log2(&work->layout, 0) && accept(work, encoding))
        return true; /* Triton has no shared_linear without a basis */
    if (work->found->count)
        return true;
    return held ? lw_translate_fail(work,
                                    "an element is at several offsets, and a shared_linear layout "
                                    "has each at one")
                : lw_translate_fail(work, "some elements are at no offset");
}

/* ---- Registers ----
 * Matrix results are tried before blocked layouts, as their names are more specific, but only where the tensor has at
 * least one whole instruction. */

/* A search for the encodings of a layout: that of the translation, or the same with one more dim of size 1. */
struct fragment_search {
    struct lw_translate_work *work;
    struct lw_layout layout;
    uint64_t part[LW_DIMS_MAX]; /* the shape of one block's part */
    int slice;                  /* the dim that was added, -1: none */
    int operand;                /* the opIdx to search, -1: both */
    int builds;                 /* candidates left to build */
    int steps;                  /* sizes left to try */
};

enum { BUILDS_MAX = 1000, STEPS_MAX = 1000000 };

static bool accept_with_dim(struct fragment_search *s, struct lw_encoding *encoding)
{
    if (is_original(s->work, encoding))
        return false;
    if (s->slice < 0)
        return set_blocks(s->work, encoding) && accept(s->work, encoding);
    struct lw_encoding *slice = new_encoding(s->work, "slice");
    struct lw_value parent = {.kind = LW_VALUE_ENCODING, .encoding = encoding};
    set(slice, "dim", lw_value_integer(s->slice));
    set(slice, "parent", parent);
    return encoding && accept(s->work, slice);
}

/* ---- blocked ---- */

/* A blocked layout to try: log2 of the sizes along each dim. */
struct guess {
    int64_t order[LW_DIMS_MAX];
    int lanes[LW_DIMS_MAX], warps[LW_DIMS_MAX], each[LW_DIMS_MAX];
};

/* Whether `count` bits from `at` on move along dim d only, each twice as far as the one before, and
 * the last ones possibly not at all. *first is the first distance, 0 when none moves. */
static bool is_run(const struct fragment_search *s, int dim, int at, int count, int d,
                   int64_t *first)
{
    int64_t before = 0;
    *first = 0;
    for (int i = 0; i < count; i++) {
        uint64_t image[LW_DIMS_MAX];
        lw_layout_basis(&s->layout, dim, at + i, image);
        int64_t move = (int64_t)image[d];
        for (int o = 0; o < s->layout.out.count; o++)
            if (o != d && image[o])
                return false;
        if (move && (i ? move != 2 * before : lw_log2(image[d]) < 0))
            return false;
        *first = i ? *first : move;
        before = move;
    }
    return true;
}

static bool try_guess(struct fragment_search *s, const struct guess *guess)
{
    static const char *const names[] = {"sizePerThread", "threadsPerWarp", "warpsPerCTA"};
    const int *const logs[] = {guess->each, guess->lanes, guess->warps};
    int rank = s->layout.out.count;
    if (s->builds-- <= 0)
        return false;
    struct lw_encoding *encoding = new_encoding(s->work, "blocked");
    for (int i = 0; i < 3; i++) {
        int64_t sizes[LW_DIMS_MAX];
        for (int d = 0; d < rank; d++)
            sizes[d] = (int64_t)1 << logs[i][d];
        set_list(s->work, encoding, names[i], sizes, rank);
    }
    set_list(s->work, encoding, "order", guess->order, rank);
    return accept_with_dim(s, encoding);
}

/* Whether the limit of tries is reached: a tensor of many dims has too many orders and sizes. */
static bool is_over(const struct fragment_search *s)
{
    return s->builds <= 0 || s->steps <= 0;
}

/* Tries sizePerThread of the dim at `at` in the order: the distance that the first lane, or the
 * first warp, moves; where neither moves, all sizes. */
static bool guess_each(struct fragment_search *s, struct guess *guess, const int64_t (*first)[2],
                       int at)
{
    int rank = s->layout.out.count, bits = lw_layout_in_log2(&s->layout, 0), registers = 0;
    s->steps--;
    for (int d = 0; d < rank && at == rank; d++) { /* each dim is covered by repeating */
        int repeat = lw_log2(s->part[d]) - guess->lanes[d] - guess->warps[d];
        registers += guess->each[d] > repeat ? guess->each[d] : repeat;
    }
    if (at == rank)
        return registers == bits && try_guess(s, guess);
    int d = (int)guess->order[at];
    int64_t first_count = first[d][0] ? first[d][0] : guess->lanes[d] ? 0 : first[d][1];
    if (first_count) {
        guess->each[d] = lw_log2((uint64_t)first_count);
        return guess_each(s, guess, first, at + 1);
    }
    int least = guess->lanes[d] + guess->warps[d] ? lw_log2(s->part[d]) : 0;
    int max = d == s->slice ? least : least + bits;
    for (int each = least; each <= max && !is_over(s); each++) {
        guess->each[d] = each;
        if (guess_each(s, guess, first, at + 1))
            return true;
    }
    return false;
}

/* Tries how many bits of lanes (dim 1), then of warps (dim 2), move along the dim at `at` in the
 * order. */
static bool guess_runs(struct fragment_search *s, struct guess *guess, int64_t (*first)[2], int dim,
                       int at, int used)
{
    int rank = s->layout.out.count, bits = lw_layout_in_log2(&s->layout, dim);
    int *counts = dim == 1 ? guess->lanes : guess->warps;
    if (at == rank)
        return used == bits && (dim == 1 ? guess_runs(s, guess, first, 2, 0, 0)
                                         : guess_each(s, guess, (const int64_t(*)[2])first, 0));
    int d = (int)guess->order[at];
    for (int count = bits - used; count >= 0 && !is_over(s); count--) {
        counts[d] = count;
        if (is_run(s, dim, used, count, d, &first[d][dim - 1]) &&
            guess_runs(s, guess, first, dim, at + 1, used + count))
            return true;
    }
    return false;
}

static bool find_blocked(struct fragment_search *s)
{
    struct guess guess = {{0}, {0}, {0}, {0}};
    int64_t first[LW_DIMS_MAX][2];
    s->builds = BUILDS_MAX;
    s->steps = STEPS_MAX;
    for (int which = 0, orders = s->layout.out.count > 0; which < orders && !is_over(s); which++) {
        orders = orders_of(s->layout.out.count, which, guess.order);
        if (guess_runs(s, &guess, first, 1, 0, 0))
            return true;
    }
    return false;
}

/* ---- Matrix fragments ---- */

struct fragment {
    const char *type;
    const char *version;
    int64_t number;
    int lanes;
    const char *transposed; /* a boolean parameter to try both ways; NULL: none */
    int numbers;            /* numbers in instrShape; 0: amd_wmma, whose warps are bases */
    int64_t instr[3];
};

static const struct fragment fragments[] = {
    {"nvidia_mma", "versionMajor", 2, 32, NULL, 2, {16, 8, 0}},
    {"nvidia_mma", "versionMajor", 3, 32, NULL, 3, {16, 8, 16}},
    {"nvidia_mma", "versionMajor", 3, 32, NULL, 3, {16, 16, 16}},
    {"nvidia_mma", "versionMajor", 3, 32, NULL, 3, {16, 32, 16}},
    {"nvidia_mma", "versionMajor", 3, 32, NULL, 3, {16, 64, 16}},
    {"nvidia_mma", "versionMajor", 3, 32, NULL, 3, {16, 128, 16}},
    {"nvidia_mma", "versionMajor", 3, 32, NULL, 3, {16, 256, 16}},
    {"amd_wmma", "version", 1, 32, "isTranspose", 0, {16, 16, 16}},
    {"amd_wmma", "version", 2, 32, "isTranspose", 0, {16, 16, 16}},
    {"amd_mfma", "version", 3, 64, "isTransposed", 3, {32, 32, 8}},
    {"amd_mfma", "version", 3, 64, "isTransposed", 3, {16, 16, 16}},
    {"amd_mfma", "version", 3, 64, "isTransposed", 3, {64, 4, 4}},
    {"amd_mfma", "version", 3, 64, "isTransposed", 3, {4, 64, 4}},
};

/* The result of a matrix instruction with `rows` x `columns` warps (in log2). */
static struct lw_encoding *make_fragment(struct fragment_search *s, const struct fragment *f,
                                         bool transposed, int rows, int columns)
{
    const int64_t warps[2] = {(int64_t)1 << rows, (int64_t)1 << columns};
    struct lw_encoding *encoding = new_encoding(s->work, f->type);
    set(encoding, f->version, lw_value_integer(f->number));
    if (!strcmp(f->type, "nvidia_mma"))
        set(encoding, "versionMinor", lw_value_integer(0));
    if (f->numbers)
        set_list(s->work, encoding, "warpsPerCTA", warps, 2);
    else
        set(encoding, "ctaLayout", tiles_of_warps(s->work, rows, columns));
    if (f->numbers)
        set_list(s->work, encoding, "instrShape", f->instr, f->numbers);
    if (f->transposed)
        set(encoding, f->transposed, lw_value_boolean(transposed));
    return encoding;
}

/* Tries the operands of the instruction: the first `width` registers are neighbours along k. Their blocks are those of
 * the parent. */
static bool try_operands(struct fragment_search *s, const struct fragment *f, int rows, int columns)
{
    bool done = false;
    for (int op = s->operand > 0; op < (s->operand == 0 ? 1 : 2); op++)
        for (int bits = 0; bits <= 4 && bits <= lw_layout_in_log2(&s->layout, 0); bits++) {
            int64_t first;
            if (!is_run(s, 0, 0, bits, 1 - op, &first) || first > 1)
                break;
            struct lw_encoding *parent = make_fragment(s, f, false, rows, columns);
            struct lw_encoding *operand = new_encoding(s->work, "dot_op");
            struct lw_value value = {.kind = LW_VALUE_ENCODING, .encoding = parent};
            set(operand, "opIdx", lw_value_integer(op));
            set(operand, "parent", value);
            set(operand, "kWidth", lw_value_integer((int64_t)1 << bits));
            if (parent && !is_original(s->work, operand) && accept(s->work, operand))
                done = true;
        }
    return done;
}

static bool has_zero(const struct fragment_search *s, int dim)
{
    for (int bit = 0; bit < lw_layout_in_log2(&s->layout, dim); bit++)
        if (!s->layout.basis[lw_layout_in_shift(&s->layout, dim) + bit])
            return true;
    return false;
}

/* Results of instructions; of whole ones, of which the tensor has at least one for each warp; or operands. */
enum wanted { RESULTS, WHOLE_RESULTS, OPERANDS };

static bool try_fragment(struct fragment_search *s, const struct fragment *f, enum wanted wanted,
                         int rows, int columns)
{
    /* wgmma needs four warps along M, though Triton builds the layout for others too; A is the same for all N. */
    bool wgmma = !strcmp(f->type, "nvidia_mma") && f->number == 3;
    if (wgmma && (rows < 2 || (wanted == OPERANDS && f->instr[1] > 8)))
        return false;
    if (wanted == OPERANDS)
        return try_operands(s, f, rows, columns);
    if (wanted == WHOLE_RESULTS && (s->part[0] < (uint64_t)(f->instr[0] << rows) ||
                                    s->part[1] < (uint64_t)(f->instr[1] << columns)))
        return false;
    return accept_with_dim(s, make_fragment(s, f, false, rows, columns)) ||
           (f->transposed && accept_with_dim(s, make_fragment(s, f, true, rows, columns)));
}

/* Operands are searched only when lanes hold no copies. */
static bool find_fragment(struct fragment_search *s, enum wanted wanted)
{
    int warps = lw_layout_in_log2(&s->layout, 2);
    uint64_t lanes = s->layout.in.dim[1].size;
    for (size_t i = 0; i < LW_COUNT(fragments) && s->layout.out.count == 2; i++)
        for (int columns = 0; columns <= warps && lanes == (uint64_t)fragments[i].lanes; columns++)
            if (try_fragment(s, &fragments[i], wanted, warps - columns, columns))
                return true;
    return false;
}

/* Searches the same layout with one more dim of size 1, before each dim and after the last. */
static bool find_slices(const struct fragment_search *whole, bool fragment)
{
    bool done = false;
    for (int at = 0; at <= whole->layout.out.count && whole->layout.out.count < 5; at++) {
        struct fragment_search s = *whole;
        struct lw_dims outs = {0};
        bool good = true;
        s.slice = at;
        for (int d = 0, from = 0; d <= whole->layout.out.count && good; d++) {
            uint64_t size = d == at ? 1 : whole->layout.out.dim[from].size;
            s.part[d] = d == at ? 1 : whole->part[from++];
            good = lw_dims_add(&outs, lw_dim_names[d], size, NULL);
        }
        if (!good || !lw_layout_of_dims(&s.layout, &whole->layout.in, &outs, NULL))
            return done;
        memcpy(s.layout.basis, whole->layout.basis, sizeof s.layout.basis); /* 1 has no bits */
        if (fragment ? find_fragment(&s, RESULTS) : find_blocked(&s))
            done = true;
    }
    return done;
}

/* Finds encodings of bases. When there are none, and none of other kinds, states why the one that accepts the most
 * bases is refused. */
static bool find_bases(struct fragment_search *s)
{
    static const char *const types[] = {"linear", "generic_linear"};
    struct lw_translate_work *work = s->work;
    struct lw_encoding *encoding = NULL;
    struct lw_error why;
    for (int i = 0; i < 2; i++) {
        struct lw_encoding *made = new_encoding(work, types[i]);
        if (i > 0 && made && !lw_encoding_since(made, LW_TRITON_3_8))
            break;
        encoding = made;
        for (int dim = 0; dim < 4; dim++)
            set_bases(work, encoding, lw_register_dims[dim], dim);
        if (accept(work, encoding))
            return true;
    }
    if (work->found->count)
        return true;
    if (!encoding)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    return lw_translate_fail(work, "%s",
                             !lw_encoding_check(encoding, work->of->tensor, &why)
                                 ? why.message
                                 : "an encoding with these bases is another layout");
}

static bool find_transposed(struct lw_translate_work *work)
{
    static const char *const dims[] = {"dim1", "dim0"};
    struct lw_translate_request of = *work->of;
    struct lw_translate_work transposed = *work;
    struct lw_map map;
    struct fragment_search s = {.work = &transposed, .slice = -1, .operand = 1};
    if (!work->linear || work->layout.out.count != 2 ||
        !lw_layout_transpose_outs(&transposed.layout, &work->layout, dims, work->err))
        return false;
    for (int d = 0; d < 2; d++)
        snprintf(transposed.layout.out.dim[d].name, sizeof transposed.layout.out.dim[d].name, "%s",
                 lw_dim_names[d]);
    lw_map_from_layout(&map, &transposed.layout);
    of.map = &map;
    of.encoding = NULL;
    transposed.of = &of;
    s.layout = transposed.layout;
    return block_shape(&transposed, s.part) && !has_zero(&s, 1) && find_fragment(&s, OPERANDS);
}

static bool find_registers(struct lw_translate_work *work)
{
    struct fragment_search s = {.work = work, .slice = -1, .operand = -1};
    if (!lw_translate_need_linear(work))
        return false;
    s.layout = work->layout;
    if (block_shape(work, s.part)) {
        bool copies = has_zero(&s, 1) || has_zero(&s, 2);
        bool known = work->found->count > 0;
        if (lw_translate_role(work) == LW_CUTE_ROLE_A &&
            !has_zero(&s, 1)) { /* the operand in CuTe's name comes first */
            s.operand = 0;
            known = find_fragment(&s, OPERANDS) || known;
            s.operand = -1;
        }
        known = (!copies && find_fragment(&s, WHOLE_RESULTS)) || known;
        known = (!has_zero(&s, 1) && find_fragment(&s, OPERANDS)) || known;
        known = find_blocked(&s) || known;
        if (!known && lw_layout_in_log2(&s.layout, 3) == 0)
            known = find_slices(&s, false) || find_slices(&s, true);
        if (!known)
            find_fragment(&s, RESULTS);
    }
    return find_bases(&s);
}

/* ---- All of them ---- */

static void find_encodings(struct lw_translate_work *work)
{
    const struct lw_encoding *own = work->of->encoding;
    struct lw_encoding *copy = NULL;
    if (!lw_translate_need_elements(work))
        return;
    if (own && own->type->spelling == LW_SPELLING_ATTRIBUTE && own->type->dialect)
        copy = lw_encoding_copy(work->arena, own);
    if (copy && update(work, copy, work->of->map->out.count) &&
        lw_encoding_check_version(copy, NULL))
        work->found->at[work->found->count++] = copy;
    if (work->space == LW_TRANSLATE_OTHER)
        lw_translate_need_linear(work);
    else if (work->space == LW_TRANSLATE_MEMORY)
        find_memory(work);
    else
        find_registers(work);
}

static bool write_type(LW_UNUSED struct lw_translate_work *work, const struct lw_encoding *encoding,
                       const struct lw_tensor *tensor, struct lw_text *text)
{
    enum lw_family family = encoding->type->family;
    struct lw_tensor typed = *tensor;
    if (!typed.element.name[0])
        lw_element_find(&typed.element, "f32", NULL);
    lw_text_add(text, family == LW_FAMILY_DISTRIBUTED ? "tensor<" : "!ttg.memdesc<");
    lw_tensor_print(text, &typed);
    lw_text_add(text, ", ");
    lw_encoding_print(text, encoding);
    lw_text_add(text, family == LW_FAMILY_DISTRIBUTED ? ">"
                      : family == LW_FAMILY_SHARED    ? ", #smem>"
                                                      : ", #ttng.tensor_memory>");
    return true;
}

/* Sets the remark: for CuTe's operand B, which is N x K there and K x N here, the translation of its transpose; for
 * other lanes than a warp has, that Triton's verifier refuses the layout. */
static bool set_remark(struct lw_translate_work *work, lw_translate_writer *write,
                       struct lw_translations *translations)
{
    struct lw_translate_encodings found = {0};
    struct lw_error unset_error;
    struct lw_translate_work transposed = *work;
    struct lw_tensor tensor = *work->of->tensor;
    struct lw_text text = {0};
    transposed.err = &unset_error;
    transposed.found = &found;
    if (work->space != LW_TRANSLATE_REGISTERS)
        return true;
    if (lw_translate_role(work) == LW_CUTE_ROLE_B && find_transposed(&transposed)) {
        tensor.shape[0] = work->of->tensor->shape[1];
        tensor.shape[1] = work->of->tensor->shape[0];
        lw_text_add(&text, "its transpose (B is N x K in CuTe, K x N here) is ");
        if (write(&transposed, found.at[0], &tensor, &text))
            return lw_translate_set_remark(work, &text, translations);
        lw_text_free(&text);
        return true;
    }
    uint64_t lanes = work->layout.in.dim[1].size, needed = work->of->lanes == 64 ? 64 : 32;
    if (!work->linear || lanes == needed)
        return true;
    lw_text_format(&text,
                   "this layout has %llu lane%s a warp: Triton refuses it where a warp has %llu",
                   (unsigned long long)lanes, lanes == 1 ? "" : "s", (unsigned long long)needed);
    return lw_translate_set_remark(work, &text, translations);
}

bool lw_translate_encodings(struct lw_translate_work *work, lw_translate_writer *write,
                            struct lw_translations *translations)
{
    struct lw_translate_encodings *found = work->found;
    if (!found->sought) {
        find_encodings(work);
        found->sought = true;
        found->why = *work->err;
    }
    *work->err = found->why;
    if (!found->count || !set_remark(work, write, translations))
        return false;
    for (int i = 0; i < found->count; i++) {
        struct lw_text text = {0};
        if (!write(work, found->at[i], work->of->tensor, &text))
            lw_text_free(&text);
        else if (!lw_translate_add(work, translations, &text))
            return false;
    }
    return translations->count > 0;
}

bool lw_translate_to_triton(struct lw_translate_work *work, struct lw_translations *translations)
{
    return lw_translate_encodings(work, write_type, translations);
}
