/* Quotients and products of CuTe layouts, by modes and arranged. Source: include/cute/layout.hpp of
 * CUTLASS 4: logical_divide, logical_product, tile_unzip, blocked_product and tile_to_shape. */

#include "encoding/cute/cute_parts.h"

#include <stdio.h>

/* ---- Tilers ---- */

struct lw_cute_tuple lw_cute_tiler_of(const struct lw_cute *cute)
{
    return (struct lw_cute_tuple){.count = -1, .leaf = LW_CUTE_LAYOUT, .layout = cute};
}

struct lw_cute_layout lw_cute_tiler_layout(const struct lw_cute_tuple *leaf)
{
    if (leaf->leaf == LW_CUTE_LAYOUT)
        return leaf->layout->layout;
    struct lw_cute_layout layout = lw_cute_leaf(leaf->value, 1, leaf->fixed);
    layout.shape.position = leaf->position;
    return layout;
}

/* The layout of a leaf of a tiler, where the stride of a number is the static _1. */
static struct lw_cute_layout tiler_of(const struct lw_cute_work *work,
                                      const struct lw_cute_tuple *leaf)
{
    struct lw_cute_layout layout = lw_cute_tiler_layout(leaf);
    layout.stride.fixed =
        layout.stride.fixed || (lw_cute_is_integer(leaf) && work->rules != LW_CUTE_VALUES);
    return layout;
}

/* A number as a tile is its compact layout, and that of _1 is _1:_0. */
static struct lw_cute_layout tile_of(const struct lw_cute_work *work,
                                     const struct lw_cute_tuple *leaf)
{
    bool one = lw_cute_is_integer(leaf) && leaf->fixed && leaf->value == 1;
    return one ? lw_cute_leaf(1, 0, true) : tiler_of(work, leaf);
}

/* ---- By modes ---- */

/* An operation by the tiler of each mode. */
struct by_modes {
    lw_cute_by_tuple *operation;
    const struct lw_cute_tuple *b;
};

static bool at_mode(struct lw_cute_work *work, const struct lw_cute_layout *mode, int i,
                    void *context, struct lw_cute_layout *out)
{
    const struct by_modes *by = context;
    return i >= by->b->count || by->operation(work, mode, &by->b->items[i], out);
}

/* Modes without a tiler are kept, or dropped. */
static bool by_modes(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     const struct lw_cute_tuple *b, const char *what, bool drop,
                     lw_cute_by_tuple *operation, struct lw_cute_layout *out)
{
    struct by_modes by = {operation, b};
    int rank = lw_cute_rank(&a->shape);
    if (b->count > rank)
        return lw_error_at(work->err, LW_ERROR_SHAPE, a->shape.position,
                           "%s: the tiler has %d modes, the layout %d", what, b->count, rank);
    return lw_cute_each_mode(work, a, drop ? b->count : rank, at_mode, &by, out);
}

bool lw_cute_composition(struct lw_cute_work *work, const struct lw_cute_layout *a,
                         const struct lw_cute_tuple *b, struct lw_cute_layout *out)
{
    if (b->count >= 0)
        return by_modes(work, a, b, "composition", true, lw_cute_composition, out);
    *out = *a;
    if (lw_cute_is_blank(b))
        return true;
    struct lw_cute_layout layout = tiler_of(work, b);
    return lw_cute_compose(work, a, &layout, out);
}

bool lw_cute_with_shape(struct lw_cute_work *work, const struct lw_cute_layout *a,
                        const struct lw_cute_tuple *shape, struct lw_cute_layout *out)
{
    struct lw_cute_layout compact;
    return lw_cute_compact(work, shape, false, &compact) && lw_cute_compose(work, a, &compact, out);
}

static bool divide(struct lw_cute_work *work, const struct lw_cute_layout *a,
                   const struct lw_cute_tuple *b, struct lw_cute_layout *out)
{
    struct lw_cute_layout tile, rest, joined, by, whole;
    if (b->count >= 0)
        return by_modes(work, a, b, "divide", false, divide, out);
    *out = *a;
    if (lw_cute_is_blank(b))
        return true;
    if (!lw_cute_coalesce(work, a, NULL, &whole))
        return false;
    tile = tile_of(work, b);
    by = lw_cute_tiler_layout(b);
    lw_cute_step_layout(work, "divide A", a);
    lw_cute_step_layout(work, "by B", &by);
    lw_cute_step(work, "the rest: the complement of B in the %lld elements of A",
                 (long long)lw_cute_size(a));
    return lw_cute_complement_of(work, &tile, &whole.shape, &rest) &&
           lw_cute_pair(work, tile, rest, &joined) && lw_cute_compose(work, a, &joined, out);
}

/* A, and the offsets of its copies: B through the complement of A. */
static bool multiply(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     const struct lw_cute_tuple *b, struct lw_cute_layout *out)
{
    struct lw_cute_layout rest, tile, over, copies;
    struct lw_cute_tuple size, cosize, max;
    if (b->count >= 0)
        return by_modes(work, a, b, "product", false, multiply, out);
    *out = *a;
    if (lw_cute_is_blank(b))
        return true;
    tile = tile_of(work, b);
    over = lw_cute_tiler_layout(b);
    if (!lw_cute_product_of(work, &a->shape, &size) || !lw_cute_coshape(work, &tile, &cosize) ||
        !lw_cute_times(work, &size, &cosize, &max))
        return false;
    lw_cute_step_layout(work, "the block A", a);
    lw_cute_step_layout(work, "over the tiler B", &over);
    lw_cute_step(work, "its copies: B through the complement of A, in %lld x %lld = %lld offsets",
                 (long long)size.value, (long long)cosize.value, (long long)max.value);
    if (!lw_cute_complement(work, a, &max, &rest) ||
        !lw_cute_compose(work, &rest, &tile, &copies) || !lw_cute_pair(work, *a, copies, out))
        return false;
    lw_cute_step_layout(work, "  A and its copies", out);
    return true;
}

/* ---- Arranging ---- */

/* ((A,a),(B,b),c) becomes ((A,B),(a,b,c)), by the modes of the tiler. */
static bool unzip(struct lw_cute_work *work, const struct lw_cute_layout *split,
                  const struct lw_cute_tuple *b, struct lw_cute_layout *out)
{
    int rank = lw_cute_rank(&split->shape);
    *out = *split;
    if (lw_cute_is_blank(b) && split->shape.count != 2)
        return lw_error_at(work->err, LW_ERROR_SHAPE, split->shape.position,
                           "where the tiler has _ CuTe splits the mode as it is, as (tile, rest): "
                           "it must be of two modes");
    if (b->count < 0)
        return true;
    struct lw_cute_layout *tiles = lw_cute_new_layouts(work, 2 * rank), *rests = tiles + rank;
    struct lw_cute_layout tile, rest, pair;
    for (int i = 0; tiles && i < rank; i++) {
        rests[i] = lw_cute_mode(split, i);
        if (i >= b->count)
            continue;
        if (!unzip(work, &rests[i], &b->items[i], &pair))
            return false;
        tiles[i] = lw_cute_mode(&pair, 0);
        rests[i] = lw_cute_mode(&pair, 1);
    }
    return tiles && lw_cute_join(work, tiles, b->count, &tile) &&
           lw_cute_join(work, rests, rank, &rest) && lw_cute_pair(work, tile, rest, out);
}

/* The two modes of a zipped layout, arranged by the form. */
static bool arrange(struct lw_cute_work *work, const struct lw_cute_layout *zipped,
                    enum lw_cute_form form, struct lw_cute_layout *out)
{
    struct lw_cute_layout tile = lw_cute_mode(zipped, 0), rest = lw_cute_mode(zipped, 1);
    int tiles = form == LW_CUTE_FLAT ? lw_cute_rank(&tile.shape) : 1;
    int rests = lw_cute_rank(&rest.shape); /* the layout of one mode has rank 1 */
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, tiles + rests);
    if (!modes)
        return false;
    modes[0] = tile;
    for (int i = 0; i < tiles && tiles > 1; i++)
        modes[i] = lw_cute_mode(&tile, i);
    for (int i = 0; i < rests; i++)
        modes[tiles + i] = rests > 1 ? lw_cute_mode(&rest, i) : rest;
    return lw_cute_join(work, modes, tiles + rests, out);
}

static bool in_form(struct lw_cute_work *work, const struct lw_cute_layout *split,
                    const struct lw_cute_tuple *b, enum lw_cute_form form,
                    struct lw_cute_layout *out)
{
    struct lw_cute_layout zipped;
    bool modes = b->count >= 0;
    *out = *split;
    if (modes)
        lw_cute_step_layout(work, "by modes", out);
    if (form == LW_CUTE_LOGICAL)
        return true;
    if (!unzip(work, split, b, &zipped))
        return false;
    *out = zipped;
    if (modes)
        lw_cute_step_layout(work, "zipped, first modes and second modes", out);
    if (form == LW_CUTE_ZIPPED)
        return true;
    if (!arrange(work, &zipped, form, out))
        return false;
    lw_cute_step_layout(work, form == LW_CUTE_FLAT ? "taken apart, flat" : "the rest taken apart",
                        out);
    return true;
}

bool lw_cute_divide(struct lw_cute_work *work, const struct lw_cute_layout *a,
                    const struct lw_cute_tuple *b, enum lw_cute_form form,
                    struct lw_cute_layout *out)
{
    struct lw_cute_layout split;
    return divide(work, a, b, &split) && in_form(work, &split, b, form, out);
}

bool lw_cute_multiply(struct lw_cute_work *work, const struct lw_cute_layout *a,
                      const struct lw_cute_tuple *b, enum lw_cute_form form,
                      struct lw_cute_layout *out)
{
    struct lw_cute_layout split;
    return multiply(work, a, b, &split) && in_form(work, &split, b, form, out);
}

/* ---- Zipped products ---- */

/* Adds modes 1:0 up to a rank. */
static bool pad(struct lw_cute_work *work, const struct lw_cute_layout *a, int rank,
                struct lw_cute_layout *out)
{
    int own = lw_cute_rank(&a->shape);
    bool fixed = work->rules != LW_CUTE_VALUES || lw_cute_is_fixed(a);
    *out = *a;
    if (own >= rank)
        return true;
    lw_cute_step(work, "modes 1:0 make %d of its %d modes", rank, own);
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, rank);
    for (int i = 0; modes && i < rank; i++)
        modes[i] = i < own ? lw_cute_mode(a, i) : lw_cute_leaf(1, 0, fixed);
    return modes && lw_cute_join(work, modes, rank, out);
}

/* Mode i of the first and mode i of the second as one mode; an integer is its own mode. */
static bool zip(struct lw_cute_work *work, const struct lw_cute_layout pair[2], int rank,
                struct lw_cute_layout *out)
{
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, rank);
    bool whole = pair[0].shape.count < 0;
    for (int i = 0; modes && i < rank; i++) {
        char name[32];
        if (!lw_cute_pair(work, whole ? pair[0] : lw_cute_mode(&pair[0], i),
                          whole ? pair[1] : lw_cute_mode(&pair[1], i), &modes[i]))
            return false;
        snprintf(name, sizeof name, "  mode %d", i);
        lw_cute_step_layout(work, name, &modes[i]);
    }
    return modes && lw_cute_join(work, modes, rank, out);
}

bool lw_cute_blocked_product(struct lw_cute_work *work, const struct lw_cute_layout *a,
                             const struct lw_cute_layout *b, bool raked, struct lw_cute_layout *out)
{
    int rank_a = lw_cute_rank(&a->shape), rank_b = lw_cute_rank(&b->shape);
    int rank = rank_a > rank_b ? rank_a : rank_b;
    struct lw_cute_layout block, product;
    struct lw_cute padded = {0};
    const struct lw_cute_tuple tiler = lw_cute_tiler_of(&padded);
    if (!pad(work, a, rank, &block) || !pad(work, b, rank, &padded.layout) ||
        !multiply(work, &block, &tiler, &product))
        return false;
    lw_cute_step(work, raked ? "zip: mode i of the copies, then mode i of A"
                             : "zip: mode i of A, then mode i of the copies");
    struct lw_cute_layout pair[2] = {lw_cute_mode(&product, raked), lw_cute_mode(&product, !raked)};
    if (pair[0].shape.count >= 0 && pair[0].shape.count != pair[1].shape.count)
        return lw_error_at(work->err, LW_ERROR_SHAPE, a->shape.position,
                           "%s: CuTe does not zip A with its copies: they must have equally many "
                           "modes; write operands of one mode as tuples, (4):(1)",
                           raked ? "raked_product" : "blocked_product");
    if (!zip(work, pair, rank, out))
        return false;
    lw_cute_step_layout(work, raked ? "  raked product" : "  blocked product", out);
    return true;
}

/* How often the block fits along each mode. */
static bool repeats(struct lw_cute_work *work, const struct lw_cute_tuple *block,
                    const struct lw_cute_tuple *shape, struct lw_cute_tuple *out)
{
    int rank = lw_cute_rank(shape);
    struct lw_cute_tuple made, *items = lw_cute_new_items(work, rank, &made);
    for (int i = 0; items && i < rank; i++) {
        const struct lw_cute_tuple *mode = lw_cute_item(shape, i), one = lw_cute_integer(1, true);
        const struct lw_cute_tuple *tile = i < lw_cute_rank(block) ? lw_cute_item(block, i) : &one;
        int64_t whole = lw_cute_product(mode), part = lw_cute_product(tile);
        if (part < 1 || whole % part)
            return lw_error_at(work->err, LW_ERROR_SHAPE, mode->position,
                               "tile_to_shape: mode %d of the shape has %lld elements, and the "
                               "block's %lld do not divide it",
                               i, (long long)whole, (long long)part);
        items[i] =
            lw_cute_integer(whole / part, lw_cute_all_fixed(mode) && lw_cute_all_fixed(tile));
    }
    *out = made;
    return items;
}

bool lw_cute_tile_to_shape(struct lw_cute_work *work, const struct lw_cute_layout *a,
                           const struct lw_cute_tuple *shape, const struct lw_cute_tuple *order,
                           struct lw_cute_layout *out)
{
    struct lw_cute_tuple times;
    struct lw_cute_layout copies, whole;
    if (lw_cute_rank(&a->shape) > lw_cute_rank(shape))
        return lw_error_at(work->err, LW_ERROR_SHAPE, shape->position,
                           "tile_to_shape: the block has %d modes, the shape %d",
                           lw_cute_rank(&a->shape), lw_cute_rank(shape));
    return lw_cute_compact(work, shape, false, &whole) && repeats(work, &a->shape, shape, &times) &&
           (order ? lw_cute_ordered(work, &times, order, &copies)
                  : lw_cute_compact(work, &times, false, &copies)) &&
           lw_cute_blocked_product(work, a, &copies, false, out);
}

/* ---- Fragments ---- */

/* Makes the compact layout of the first mode, in which modes of stride 0 keep that stride. */
static bool first_mode(struct lw_cute_work *work, const struct lw_cute_layout *mode,
                       struct lw_cute_layout *out)
{
    struct lw_cute_layout filtered, compact;
    return lw_cute_filter_zeros(work, mode, NULL, &filtered) &&
           lw_cute_compact(work, &filtered.shape, false, &compact) &&
           lw_cute_make(work, &mode->shape, &compact.stride, out);
}

bool lw_cute_fragment_like(struct lw_cute_work *work, const struct lw_cute_layout *layout,
                           struct lw_cute_layout *out)
{
    int rank = layout->shape.count;
    struct lw_cute_layout fixed, first, mode;
    struct lw_cute order = {0};
    const struct lw_cute_tuple tiler = lw_cute_tiler_of(&order);
    if (!lw_cute_set_fixed(work, layout, true, &fixed))
        return false;
    if (rank < 2)
        return lw_cute_compact(work, &fixed.shape, false, out);
    const struct lw_cute_tuple shape = lw_cute_tuple_of(fixed.shape.items + 1, rank - 1);
    const struct lw_cute_tuple stride = lw_cute_tuple_of(fixed.stride.items + 1, rank - 1);
    mode = lw_cute_mode(&fixed, 0);
    return first_mode(work, &mode, &first) &&
           lw_cute_ordered(work, &shape, &stride, &order.layout) &&
           lw_cute_multiply(work, &first, &tiler, LW_CUTE_TILED, out);
}
