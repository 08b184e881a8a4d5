/*
 * Products and quotients of layouts of CuTe. In a product A is one block and B arranges its copies; in a quotient A is
 * divided, and the second layout is the first tile.
 *
 * An element of the result is position t of the block or the tile, in copy or tile number r. Each mode of the result
 * is made of digits of t and r: (t, r) of blocked_product, (r, t) of raked_product, one mode for each of
 * zipped_divide. So t and r follow from the coordinate. The offset is A(t) plus the offset of copy r; in a quotient
 * it is A of the index at that coordinate in the quotient of A's own indices.
 *
 * Source: logical_divide, logical_product and tile_unzip of include/cute/layout.hpp, CUTLASS 4.
 */

#include "encoding/cute/cute_parts.h"
#include "view/operand/product.h"

#include <string.h>

bool lw_product_compute(struct lw_view *view, struct lw_error *err)
{
    struct lw_product *product = lw_product_of(view);
    struct lw_calc_result result;
    struct lw_calc_work work = {.arena = &product->arena, .pair = &product->pair};
    err->code = LW_OK;
    return view->subject->expression &&
           lw_calc(view->subject->expression, NULL, 0, &work, &result, err) && product->pair;
}

static bool refuse(struct lw_error *err, const struct lw_calc_pair *pair, const char *why)
{
    return lw_error_set(err, LW_ERROR_UNSUPPORTED, "the product view does not draw this %s: %s",
                        pair->name, why);
}

static bool divides(const struct lw_product *product)
{
    return product->pair->kind == LW_CALC_PAIR_DIVIDED;
}

/* ---- The digits of an index ---- */

static uint64_t mode_size(const struct lw_cute_layout *layout, int mode)
{
    return mode < lw_cute_rank(&layout->shape)
               ? (uint64_t)lw_cute_product(lw_cute_item(&layout->shape, mode))
               : 1;
}

static void add_digit(struct lw_product *product, int mode, bool rest, uint64_t size)
{
    if (product->digit_count < 2 * LW_DIMS_MAX)
        product->digits[product->digit_count++] = (struct lw_product_digit){mode, rest, size};
}

/* Adds the modes of the result: each of a tile and a rest, in this order or reversed; or whole ones, the first of
 * which are of the tile. */
static bool add_digits(struct lw_product *product, const struct lw_cute_layout *tile,
                       struct lw_error *err)
{
    const struct lw_calc_pair *pair = product->pair;
    const struct lw_cute_tuple *tiler = &pair->b.as.tree;
    const struct lw_cute_layout *a = &lw_calc_cute(&pair->a)->layout;
    const struct lw_cute_layout *result = &lw_calc_cute(&pair->result)->layout;
    bool zips = pair->kind == LW_CALC_PAIR_BLOCKED || pair->kind == LW_CALC_PAIR_RAKED;
    bool tuple = zips || tiler->count >= 0, blank = false;
    for (int i = 0; i < tiler->count; i++)
        blank = blank || tiler->items[i].count >= 0 || tiler->items[i].leaf == LW_CUTE_BLANK;
    if (!zips && (blank || (tiler->count < 0 && tiler->leaf == LW_CUTE_BLANK)))
        return refuse(err, pair, "a mode has no tiler, or a tiler of tilers");
    if (tuple && pair->form != LW_CUTE_LOGICAL && !divides(product) &&
        tiler->count != lw_cute_rank(&a->shape))
        return refuse(err, pair, "A has more modes than there are tilers");
    const bool raked = pair->kind == LW_CALC_PAIR_RAKED;
    const int tiles = pair->form == LW_CUTE_FLAT ? lw_cute_rank(&tile->shape) : 1;
    for (int m = 0; m < lw_cute_rank(&result->shape); m++) {
        const uint64_t all = mode_size(result, m);
        const uint64_t own = divides(product) && m >= tiler->count ? 1 : mode_size(tile, m);
        if (pair->form != LW_CUTE_LOGICAL || !tuple) {
            add_digit(product, m, m >= tiles, all);
            continue;
        }
        add_digit(product, m, raked, raked ? all / own : own);
        add_digit(product, m, !raked, raked ? own : all / own);
    }
    return true;
}

/* t and r of an element of the result; and the element of t and r. */
static void split_index(const struct lw_product *product, const uint64_t *out, uint64_t parts[2])
{
    uint64_t unit[2] = {1, 1}, left[LW_DIMS_MAX];
    memcpy(left, out, sizeof left);
    parts[0] = parts[1] = 0;
    for (int i = 0; i < product->digit_count; i++) {
        const struct lw_product_digit *digit = &product->digits[i];
        parts[digit->rest] += left[digit->mode] % digit->size * unit[digit->rest];
        unit[digit->rest] *= digit->size;
        left[digit->mode] /= digit->size;
    }
}

static void join_index(const struct lw_product *product, uint64_t r, uint64_t *out)
{
    uint64_t left[2] = {0, r}, unit[LW_DIMS_MAX];
    for (int d = 0; d < LW_DIMS_MAX; d++)
        out[d] = 0, unit[d] = 1;
    for (int i = 0; i < product->digit_count; i++) {
        const struct lw_product_digit *digit = &product->digits[i];
        out[digit->mode] += left[digit->rest] % digit->size * unit[digit->mode];
        unit[digit->mode] *= digit->size;
        left[digit->rest] /= digit->size;
    }
}

/* ---- Opening ---- */

/* Opens a layout as an operand, with the swizzle and the offset of `like`. */
static bool open_layout(struct lw_view *view, int i, const struct lw_cute *like,
                        const struct lw_cute_layout *layout, struct lw_error *err)
{
    struct lw_product *product = lw_product_of(view);
    struct lw_cute cute = *like;
    struct lw_tensor unknown;
    cute.layout = *layout;
    lw_tensor_unknown(&unknown);
    unknown.element = view->subject->tensor.element;
    struct lw_encoding *encoding = lw_cute_to_encoding(&product->arena, &cute);
    return encoding ? lw_operand_open(view, i, encoding, &unknown, err)
                    : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

/* The layout of the copies; with a tiler for each mode, the layouts of the tilers joined. */
static bool copies_over(struct lw_cute_work *work, const struct lw_calc_pair *pair,
                        struct lw_cute_layout *out)
{
    const struct lw_cute_tuple *tiler = &pair->b.as.tree;
    struct lw_cute_layout modes[LW_DIMS_MAX];
    if (tiler->count < 0) {
        *out = lw_cute_tiler_layout(tiler);
        return true;
    }
    for (int i = 0; i < tiler->count && i < LW_DIMS_MAX; i++)
        modes[i] = lw_cute_tiler_layout(&tiler->items[i]);
    return lw_cute_join(work, modes, tiler->count < LW_DIMS_MAX ? tiler->count : LW_DIMS_MAX, out);
}

static uint64_t total(const struct lw_product *product)
{
    uint64_t size = 1;
    for (int i = 0; i < product->digit_count; i++)
        size *= product->digits[i].rest ? product->digits[i].size : 1;
    return size;
}

/* The length of the tile along a dim of the result. */
static uint64_t tile_along(const struct lw_product *product, int dim)
{
    int i = 0;
    while (i < product->digit_count && product->digits[i].mode != dim)
        i++;
    return i < product->digit_count ? product->digits[i].size : 0;
}

static uint64_t shade(const struct lw_view *view, int i, const uint64_t *out)
{
    const struct lw_product *product = lw_product_of(view);
    uint64_t parts[2], in[LW_DIMS_MAX] = {0}, element[LW_DIMS_MAX] = {0};
    if (i == LW_PRODUCT_SECOND)
        return divides(product) ? 0
                                : lw_dims_flatten(&product->operands.all[i].subject->map.out, out);
    if (i == LW_PRODUCT_FIRST && !divides(product))
        return 0; /* the first copy */
    memcpy(element, out, (size_t)product->operands.all[i].subject->map.out.count * sizeof *out);
    if (i == LW_PRODUCT_FIRST) {
        in[0] = lw_dims_flatten(&product->operands.all[i].subject->map.out, out);
        lw_map_apply(&product->whole, in, element);
    }
    split_index(product, element, parts);
    return parts[1];
}

static bool check(const struct lw_view *view, const struct lw_calc_pair *pair, struct lw_error *err)
{
    const struct lw_cute *a = lw_calc_cute(&pair->a), *result = lw_calc_cute(&pair->result);
    struct lw_cute own;
    if (!view->subject->encoding ||
        !lw_cute_of_encoding(&lw_product_of(view)->arena, view->subject->encoding, &own, NULL) ||
        !lw_cute_equal(&own, result) ||
        lw_cute_rank(&result->layout.shape) != view->subject->map.out.count)
        return false;
    if (result->tile || lw_cute_is_of_coordinates(result) || a->tile ||
        lw_cute_is_of_coordinates(a))
        return refuse(err, pair, "offsets of threads and values, or coordinates, are not memory");
    return true;
}

static bool open_product(struct lw_view *view, struct lw_error *err)
{
    struct lw_product *product = lw_product_of(view);
    struct lw_operand *all = product->operands.all;
    struct lw_cute_layout second;
    struct lw_cute plain = {0};
    if (!lw_product_compute(view, err) || product->pair->kind == LW_CALC_PAIR_PRODUCT ||
        !check(view, product->pair, err))
        return false;
    const struct lw_calc_pair *pair = product->pair;
    const struct lw_cute *a = lw_calc_cute(&pair->a);
    struct lw_cute_work work = {.arena = &product->arena, .err = err, .rules = false};
    bool quotient = divides(product);
    all[LW_PRODUCT_FIRST].name = "A";
    all[LW_PRODUCT_SECOND].name = quotient ? "tile" : "B";
    if (!(quotient ? lw_cute_composition(&work, &a->layout, &pair->b.as.tree, &second)
                   : copies_over(&work, pair, &second)) ||
        !open_layout(view, LW_PRODUCT_FIRST, a, &a->layout, err) ||
        !open_layout(view, LW_PRODUCT_SECOND, quotient ? a : &plain, &second, err) ||
        !add_digits(product, quotient ? &second : &a->layout, err))
        return false;
    struct lw_cute index = {0}; /* which element of A each one of a quotient is */
    struct lw_cute_layout compact;
    if (quotient &&
        (!lw_cute_compact(&work, &a->layout.shape, false, &compact) ||
         !lw_cute_divide(&work, &compact, &pair->b.as.tree, pair->form, &index.layout) ||
         !lw_cute_to_map(&index, &product->whole, err)))
        return false;
    int rank = view->subject->map.out.count;
    view->tile_cols = tile_along(product, rank - 1);
    view->tile_rows = rank > 1 ? tile_along(product, rank - 2) : 1;
    product->operands.shade = shade;
    if (!view->options.color_by) {
        view->color = quotient ? "tile" : "copy";
        view->shades = total(product);
    }
    return true;
}

/* ---- Corresponding elements, and their explanation ---- */

static void part_of(const struct lw_view *view, int part, const uint64_t *out, uint64_t *element)
{
    const struct lw_product *product = lw_product_of(view);
    const struct lw_dims *dims = &product->operands.all[part].subject->map.out;
    uint64_t parts[2], in[LW_DIMS_MAX] = {0};
    split_index(product, out, parts);
    uint64_t flat = parts[part == LW_PRODUCT_SECOND && !divides(product)];
    if (part == LW_PRODUCT_FIRST && divides(product) && lw_map_owner(&product->whole, out, 0, in))
        flat = in[0];
    lw_dims_unflatten(dims, flat, element);
}

/* The offset that a layout has at a point, before a swizzle. */
static unsigned long long offset_at(const struct lw_cute *cute, const uint64_t *point)
{
    int64_t offset = cute->offset;
    for (int i = 0; i < lw_cute_rank(&cute->layout.shape); i++) {
        struct lw_cute_layout mode = lw_cute_mode(&cute->layout, i);
        offset += lw_cute_offset(&mode, (int64_t)point[i]);
    }
    return (unsigned long long)offset;
}

static void put_first(struct lw_text *text, const struct lw_product *product, const uint64_t *a)
{
    lw_put_element(text, product->operands.all[LW_PRODUCT_FIRST].subject->map.out.count, a);
    lw_text_format(text, " of A: offset %llu", offset_at(lw_calc_cute(&product->pair->a), a));
}

/* Copy or tile number `part`. */
static void put_second(struct lw_text *text, const struct lw_product *product, uint64_t part,
                       const uint64_t *element)
{
    uint64_t start[LW_DIMS_MAX];
    lw_put_element(text, product->operands.all[LW_PRODUCT_SECOND].subject->map.out.count, element);
    join_index(product, part, start);
    lw_text_format(text, " of %s %llu of %llu, which begins at %llu",
                   divides(product) ? "the tile, in tile" : "B: copy", (unsigned long long)part,
                   (unsigned long long)total(product),
                   offset_at(lw_calc_cute(&product->pair->result), start));
}

static bool explain_steps(const struct lw_view *view, const uint64_t *out,
                          struct lw_explanation *explanation)
{
    const struct lw_product *product = lw_product_of(view);
    const struct lw_cute *result = lw_calc_cute(&product->pair->result);
    uint64_t parts[2], a[LW_DIMS_MAX], second[LW_DIMS_MAX], start[LW_DIMS_MAX];
    split_index(product, out, parts);
    part_of(view, LW_PRODUCT_FIRST, out, a);
    part_of(view, LW_PRODUCT_SECOND, out, second);
    struct lw_text *text = lw_explanation_line(explanation, "steps");
    if (divides(product)) {
        put_second(text, product, parts[1], second);
        text = lw_explanation_line(explanation, "");
        lw_text_add(text, "which is ");
        put_first(text, product, a);
    } else {
        put_first(text, product, a);
        put_second(lw_explanation_line(explanation, ""), product, parts[1], second);
    }
    text = lw_explanation_line(explanation, "together");
    unsigned long long offset = offset_at(result, out);
    join_index(product, parts[1], start);
    unsigned long long from = offset_at(result, start);
    lw_text_format(text, "%llu + %llu = offset %llu", from, offset - from, offset);
    if (result->composed)
        lw_text_format(text, ", which the swizzle makes %llu",
                       (unsigned long long)lw_cute_swizzled(&result->swizzle, (int64_t)offset));
    return true;
}

const struct lw_product_kind lw_product_cute = {open_product, part_of, explain_steps};
