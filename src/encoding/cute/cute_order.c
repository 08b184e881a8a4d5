/* Layouts of CuTe made to an order or a shape, and modes added to them. Source:
 * make_ordered_layout, tile_to_shape, append, prepend and filter_zeros of layout.hpp, compact_order
 * of stride.hpp, CUTLASS 4. */

#include "encoding/cute/cute_parts.h"

/* ---- Orders ---- */

/* The numbers of an order, each with the size of its mode of the shape. */
struct ordered {
    int count;
    struct {
        int64_t size, order;
        bool sized, fixed; /* the size is spelled _3; the order is */
    } leaf[LW_CUTE_LEAVES_MAX];
};

static bool fail_profile(struct lw_cute_work *work, const struct lw_cute_tuple *order)
{
    return lw_error_at(work->err, LW_ERROR_SHAPE, order->position,
                       "the order has a number for each mode of the shape");
}

static bool collect(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                    const struct lw_cute_tuple *order, struct ordered *all)
{
    if (!lw_cute_is_integer(order)) {
        if (lw_cute_is_integer(shape) || lw_cute_rank(shape) != order->count)
            return fail_profile(work, order);
        for (int i = 0; i < order->count; i++)
            if (!collect(work, lw_cute_item(shape, i), &order->items[i], all))
                return false;
        return true;
    }
    if (all->count == LW_CUTE_LEAVES_MAX)
        return fail_profile(work, order);
    all->leaf[all->count].size = lw_cute_product(shape);
    all->leaf[all->count].sized = lw_cute_all_fixed(shape);
    all->leaf[all->count].fixed = order->fixed;
    all->leaf[all->count++].order = order->value;
    return true;
}

/* Numbers that are not static count as larger than all static ones, from left to right. */
static void order_late(struct ordered *all)
{
    int64_t max = 0;
    bool some = false;
    for (int i = 0; i < all->count; i++) {
        some = some || all->leaf[i].fixed;
        if (all->leaf[i].fixed && all->leaf[i].order > max)
            max = all->leaf[i].order;
    }
    for (int i = 0; some && i < all->count; i++)
        if (!all->leaf[i].fixed)
            all->leaf[i].order = max + 1 + i;
}

static bool scale(struct lw_cute_work *work, const struct lw_cute_tuple *stride, int64_t by,
                  bool fixed, struct lw_cute_tuple *out)
{
    if (lw_cute_is_integer(stride)) {
        *out = lw_cute_integer(stride->value * by, stride->fixed && (fixed || !stride->value));
        return true;
    }
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, stride->count);
    if (!items)
        return false;
    for (int i = 0; i < stride->count; i++)
        if (!scale(work, &stride->items[i], by, fixed, &items[i]))
            return false;
    *out = (struct lw_cute_tuple){.count = stride->count, .items = items};
    return true;
}

/* Sets the strides of a part of the shape by the same part of the order; *next is the index of its first number. */
static bool strides(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                    const struct lw_cute_tuple *order, const struct ordered *all, int *next,
                    struct lw_cute_tuple *out)
{
    if (lw_cute_is_integer(order)) {
        struct lw_cute_layout compact;
        int64_t start = 1;
        bool fixed = true;
        for (int i = 0; i < all->count; i++)
            if (all->leaf[i].order < all->leaf[*next].order) {
                start *= all->leaf[i].size;
                fixed = fixed && all->leaf[i].sized;
            }
        ++*next;
        return lw_cute_compact(work, shape, false, &compact) &&
               scale(work, &compact.stride, start, fixed, out);
    }
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, order->count);
    if (!items)
        return false;
    for (int i = 0; i < order->count; i++)
        if (!strides(work, lw_cute_item(shape, i), &order->items[i], all, next, &items[i]))
            return false;
    *out = (struct lw_cute_tuple){.count = order->count, .items = items};
    return true;
}

bool lw_cute_ordered(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                     const struct lw_cute_tuple *order, struct lw_cute_layout *out)
{
    struct ordered all = {0};
    int next = 0;
    struct lw_cute_tuple stride;
    struct lw_cute_work quiet = {.arena = work->arena, .err = work->err, .rules = work->rules};
    /* The sizes are checked first: their product bounds every stride. */
    if (!lw_cute_compact(&quiet, shape, false, out) || !collect(work, shape, order, &all))
        return false;
    order_late(&all);
    return strides(&quiet, shape, order, &all, &next, &stride) &&
           lw_cute_make(work, shape, &stride, out);
}

/* ---- To a shape ---- */

/* How often the block fits along each mode. */
static bool repeats(struct lw_cute_work *work, const struct lw_cute_tuple *block,
                    const struct lw_cute_tuple *shape, struct lw_cute_tuple *out)
{
    int rank = lw_cute_rank(shape);
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, rank);
    if (!items)
        return false;
    for (int i = 0; i < rank; i++) {
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
    *out = (struct lw_cute_tuple){.count = rank, .items = items};
    return true;
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
    struct lw_cute_work quiet = {.arena = work->arena, .err = work->err, .rules = work->rules};
    return lw_cute_compact(&quiet, shape, false, &whole) &&
           repeats(work, &a->shape, shape, &times) &&
           (order ? lw_cute_ordered(work, &times, order, &copies)
                  : lw_cute_compact(work, &times, false, &copies)) &&
           lw_cute_blocked_product(work, a, &copies, false, out);
}

/* ---- Modes ---- */

bool lw_cute_append(struct lw_cute_work *work, const struct lw_cute_layout *a,
                    const struct lw_cute_layout *b, bool before, struct lw_cute_layout *out)
{
    int rank = lw_cute_rank(&a->shape);
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, rank);
    if (!modes)
        return false;
    for (int i = 0; i < rank; i++)
        modes[i + before] = lw_cute_mode(a, i);
    modes[before ? 0 : rank] = *b;
    return lw_cute_join(work, modes, rank + 1, out);
}

/* Makes every size 1 in the parts of a shape where the profile is 0. */
static bool without_zeros(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                          const struct lw_cute_tuple *profile, struct lw_cute_tuple *out)
{
    bool all = lw_cute_is_integer(profile), known = profile->fixed || work->rules == LW_CUTE_VALUES;
    bool zero = all && !profile->value && !profile->axis && known;
    if (all && (!zero || shape->count < 0)) {
        *out = zero ? lw_cute_integer(1, true) : *shape;
        return true;
    }
    if (!all && profile->count != shape->count)
        return lw_error_at(work->err, LW_ERROR_SHAPE, profile->position,
                           "filter_zeros: the profile has %d items where the layout %s",
                           profile->count,
                           shape->count < 0 ? "has an integer" : "has another number of modes");
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, shape->count);
    if (!items)
        return false;
    for (int i = 0; i < shape->count; i++)
        if (!without_zeros(work, &shape->items[i], all ? profile : &profile->items[i], &items[i]))
            return false;
    *out = (struct lw_cute_tuple){.count = shape->count, .items = items};
    return true;
}

bool lw_cute_filter_zeros(struct lw_cute_work *work, const struct lw_cute_layout *a,
                          const struct lw_cute_tuple *profile, struct lw_cute_layout *out)
{
    struct lw_cute_tuple shape;
    return without_zeros(work, &a->shape, profile ? profile : &a->stride, &shape) &&
           lw_cute_make(work, &shape, &a->stride, out);
}
