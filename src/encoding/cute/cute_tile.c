/* Quotients and products of CuTe layouts, by modes and arranged. Source: include/cute/layout.hpp of
 * CUTLASS 4: logical_divide, logical_product and tile_unzip. */

#include "encoding/cute/cute_parts.h"

#include <stdio.h>

static bool count_error(struct lw_cute_work *work, const char *what, int modes,
                        const struct lw_cute_layout *a)
{
    return lw_error_at(work->err, LW_ERROR_SHAPE, a->shape.position,
                       "%s: the tiler has %d modes, the layout %d", what, modes,
                       lw_cute_rank(&a->shape));
}

/* ---- Tilers ---- */

static bool is_blank(const struct lw_cute_tuple *b)
{
    return b->count < 0 && b->leaf == LW_CUTE_BLANK;
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

typedef bool tile_operation(struct lw_cute_work *work, const struct lw_cute_layout *a,
                            const struct lw_cute_tuple *b, struct lw_cute_layout *out);

/* Applies an operation to each mode by its own tiler; modes without one are kept, or dropped. */
static bool by_modes(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     const struct lw_cute_tuple *b, const char *what, bool drop,
                     tile_operation *operation, struct lw_cute_layout *out)
{
    int rank = lw_cute_rank(&a->shape);
    if (b->count > rank)
        return count_error(work, what, b->count, a);
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, rank);
    if (!modes)
        return false;
    for (int i = 0; i < rank; i++) {
        struct lw_cute_layout mode = lw_cute_mode(a, i);
        modes[i] = mode;
        if (i < b->count && !operation(work, &mode, &b->items[i], &modes[i]))
            return false;
    }
    return lw_cute_join(work, modes, drop ? b->count : rank, out);
}

bool lw_cute_composition(struct lw_cute_work *work, const struct lw_cute_layout *a,
                         const struct lw_cute_tuple *b, struct lw_cute_layout *out)
{
    if (b->count >= 0)
        return by_modes(work, a, b, "composition", true, lw_cute_composition, out);
    *out = *a;
    if (is_blank(b))
        return true;
    struct lw_cute_layout layout = tiler_of(work, b);
    return lw_cute_compose(work, a, &layout, out);
}

static bool divide(struct lw_cute_work *work, const struct lw_cute_layout *a,
                   const struct lw_cute_tuple *b, struct lw_cute_layout *out)
{
    struct lw_cute_layout both[2], joined, by, whole;
    if (b->count >= 0)
        return by_modes(work, a, b, "divide", false, divide, out);
    *out = *a;
    if (is_blank(b))
        return true;
    if (!lw_cute_coalesce(work, a, NULL, &whole))
        return false;
    both[0] = tile_of(work, b);
    by = lw_cute_tiler_layout(b);
    lw_cute_step_layout(work, "divide A", a);
    lw_cute_step_layout(work, "by B", &by);
    lw_cute_step(work, "the rest: the complement of B in the %lld elements of A",
                 (long long)lw_cute_size(a));
    return lw_cute_complement_of(work, &both[0], &whole.shape, &both[1]) &&
           lw_cute_join(work, both, 2, &joined) && lw_cute_compose(work, a, &joined, out);
}

/* A, and the offsets of its copies: B through the complement of A. */
static bool multiply(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     const struct lw_cute_tuple *b, struct lw_cute_layout *out)
{
    struct lw_cute_layout rest, tile, over, both[2] = {*a};
    struct lw_cute_tuple size, cosize, max;
    if (b->count >= 0)
        return by_modes(work, a, b, "product", false, multiply, out);
    *out = *a;
    if (is_blank(b))
        return true;
    tile = tile_of(work, b);
    over = lw_cute_tiler_layout(b);
    if (!lw_cute_product_of(work, &a->shape, &size) || !lw_cute_cosize_of(work, &tile, &cosize) ||
        !lw_cute_times(work, &size, &cosize, &max))
        return false;
    lw_cute_step_layout(work, "the block A", a);
    lw_cute_step_layout(work, "over the tiler B", &over);
    lw_cute_step(work, "its copies: B through the complement of A, in %lld x %lld = %lld offsets",
                 (long long)size.value, (long long)cosize.value, (long long)max.value);
    if (!lw_cute_complement(work, a, &max, &rest) ||
        !lw_cute_compose(work, &rest, &tile, &both[1]) || !lw_cute_join(work, both, 2, out))
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
    if (is_blank(b) && split->shape.count != 2)
        return lw_error_at(work->err, LW_ERROR_SHAPE, split->shape.position,
                           "where the tiler has _ CuTe splits the mode as it is, as (tile, rest): "
                           "it must be of two modes");
    if (b->count < 0)
        return true;
    struct lw_cute_layout *tiles = lw_cute_new_layouts(work, rank), both[2], pair;
    struct lw_cute_layout *rests = lw_cute_new_layouts(work, rank);
    if (!tiles || !rests)
        return false;
    for (int i = 0; i < rank; i++) {
        rests[i] = lw_cute_mode(split, i);
        if (i >= b->count)
            continue;
        if (!unzip(work, &rests[i], &b->items[i], &pair))
            return false;
        tiles[i] = lw_cute_mode(&pair, 0);
        rests[i] = lw_cute_mode(&pair, 1);
    }
    return lw_cute_join(work, tiles, b->count, &both[0]) &&
           lw_cute_join(work, rests, rank, &both[1]) && lw_cute_join(work, both, 2, out);
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

/* Adds modes 1:0 up to a rank. */
static bool pad(struct lw_cute_work *work, const struct lw_cute_layout *a, int rank,
                struct lw_cute_layout *out)
{
    int own = lw_cute_rank(&a->shape);
    *out = *a;
    if (own >= rank)
        return true;
    lw_cute_step(work, "modes 1:0 make %d of its %d modes", rank, own);
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, rank);
    if (!modes)
        return false;
    for (int i = 0; i < rank; i++)
        modes[i] =
            i < own ? lw_cute_mode(a, i)
                    : lw_cute_leaf(1, 0, work->rules != LW_CUTE_VALUES || lw_cute_fixed_layout(a));
    return lw_cute_join(work, modes, rank, out);
}

/* "(4):(1)" of 4:1: the operand as a tuple. */
static bool print_tuple(struct lw_cute_work *work, struct lw_text *text,
                        const struct lw_cute_layout *a)
{
    struct lw_cute_layout tuple = *a;
    if (a->shape.count < 0 && !lw_cute_join(work, a, 1, &tuple))
        return false;
    lw_cute_layout_print(text, &tuple);
    return true;
}

static bool refuse_zip(struct lw_cute_work *work, const struct lw_cute_layout *copies, bool raked,
                       const struct lw_cute_layout *a, const struct lw_cute_layout *b)
{
    const char *name = raked ? "raked_product" : "blocked_product";
    struct lw_text made = {.limit = 120}, call = {.limit = 120};
    lw_cute_layout_print(&made, copies);
    bool good = print_tuple(work, &call, a);
    lw_text_add(&call, ", ");
    if (good && print_tuple(work, &call, b))
        lw_error_at(
            work->err, LW_ERROR_SHAPE, a->shape.position,
            "%s: CuTe does not zip A with its copies, %s: they must have equally many modes; "
            "with tuples it does: %s(%s)",
            name, lw_text_string(&made), name, lw_text_string(&call));
    lw_text_free(&made);
    lw_text_free(&call);
    return false;
}

/* Whether CuTe zips the two: always, where the first is an integer. */
static bool can_zip(const struct lw_cute_layout pair[2])
{
    return pair[0].shape.count < 0 || pair[0].shape.count == pair[1].shape.count;
}

/* Mode i of the first and mode i of the second as one mode. */
static bool zip(struct lw_cute_work *work, const struct lw_cute_layout pair[2], int rank,
                struct lw_cute_layout *out)
{
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, rank);
    bool whole = pair[0].shape.count < 0; /* an integer is its own mode */
    if (!modes)
        return false;
    for (int i = 0; i < rank; i++) {
        struct lw_cute_layout both[2] = {pair[0], pair[1]};
        for (int k = 0; k < 2 && !whole; k++)
            both[k] = lw_cute_mode(&pair[k], i);
        if (!lw_cute_join(work, both, 2, &modes[i]))
            return false;
        char name[32];
        snprintf(name, sizeof name, "  mode %d", i);
        lw_cute_step_layout(work, name, &modes[i]);
    }
    return lw_cute_join(work, modes, rank, out);
}

bool lw_cute_blocked_product(struct lw_cute_work *work, const struct lw_cute_layout *a,
                             const struct lw_cute_layout *b, bool raked, struct lw_cute_layout *out)
{
    int rank_a = lw_cute_rank(&a->shape), rank_b = lw_cute_rank(&b->shape);
    int rank = rank_a > rank_b ? rank_a : rank_b;
    struct lw_cute_layout block, product;
    struct lw_cute padded = {0};
    const struct lw_cute_tuple tiler = {.count = -1, .leaf = LW_CUTE_LAYOUT, .layout = &padded};
    if (!pad(work, a, rank, &block) || !pad(work, b, rank, &padded.layout) ||
        !multiply(work, &block, &tiler, &product))
        return false;
    lw_cute_step(work, raked ? "zip: mode i of the copies, then mode i of A"
                             : "zip: mode i of A, then mode i of the copies");
    struct lw_cute_layout pair[2] = {lw_cute_mode(&product, raked), lw_cute_mode(&product, !raked)};
    if (!can_zip(pair))
        return refuse_zip(work, &pair[!raked], raked, a, b);
    if (!zip(work, pair, rank, out))
        return false;
    lw_cute_step_layout(work, raked ? "  raked product" : "  blocked product", out);
    return true;
}

/* ---- Modes ---- */

static void add_leaves(const struct lw_cute_layout *a, struct lw_cute_layout *leaves, int *count)
{
    if (a->shape.count < 0)
        leaves[(*count)++] = *a;
    for (int i = 0; i < a->shape.count; i++) {
        struct lw_cute_layout mode = lw_cute_mode(a, i);
        add_leaves(&mode, leaves, count);
    }
}

bool lw_cute_flatten(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     struct lw_cute_layout *out)
{
    struct lw_cute_layout *leaves = lw_cute_new_layouts(work, lw_cute_leaves(&a->shape));
    int count = 0;
    if (!leaves)
        return false;
    *out = *a;
    if (a->shape.count < 0)
        return true;
    add_leaves(a, leaves, &count);
    return lw_cute_join(work, leaves, count, out);
}

static bool mode_error(struct lw_cute_work *work, const char *what, int64_t mode,
                       const struct lw_cute_layout *a)
{
    return lw_error_set(work->err, LW_ERROR_PARAMETER, "%s: no mode %lld: must be from 0 to %d",
                        what, (long long)mode, lw_cute_rank(&a->shape) - 1);
}

bool lw_cute_select(struct lw_cute_work *work, const struct lw_cute_layout *a, const int64_t *modes,
                    int count, struct lw_cute_layout *out)
{
    struct lw_cute_layout *picked = lw_cute_new_layouts(work, count);
    if (!picked)
        return false;
    for (int i = 0; i < count; i++) {
        if (modes[i] < 0 || modes[i] >= lw_cute_rank(&a->shape))
            return mode_error(work, "select", modes[i], a);
        picked[i] = lw_cute_mode(a, (int)modes[i]);
    }
    return lw_cute_join(work, picked, count, out);
}

bool lw_cute_group(struct lw_cute_work *work, const struct lw_cute_layout *a, int64_t begin,
                   int64_t end, struct lw_cute_layout *out)
{
    int rank = lw_cute_rank(&a->shape), count = 0;
    if (begin < 0 || begin >= rank)
        return mode_error(work, "group", begin, a);
    if (end <= begin || end > rank)
        return lw_error_set(work->err, LW_ERROR_PARAMETER,
                            "group: modes %lld to %lld - 1: the second must be from %lld to %d",
                            (long long)begin, (long long)end, (long long)begin + 1, rank);
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, rank);
    struct lw_cute_layout *inner = lw_cute_new_layouts(work, rank);
    if (!modes || !inner)
        return false;
    for (int i = 0; i < rank; i++) {
        if (i >= begin && i < end)
            inner[i - begin] = lw_cute_mode(a, i);
        else
            modes[count++] = lw_cute_mode(a, i);
        if (i + 1 == end && !lw_cute_join(work, inner, (int)(end - begin), &modes[count++]))
            return false;
    }
    return lw_cute_join(work, modes, count, out);
}
