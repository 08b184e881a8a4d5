/* Layouts like others, null spaces, and parts of tuples. Source: make_layout_like and nullspace of layout.hpp, slice
 * and dice of underscore.hpp, CUTLASS 4. */

#include "encoding/cute/cute_parts.h"

/* ---- Layouts ---- */

bool lw_cute_layout_like(struct lw_cute_work *work, const struct lw_cute_layout *a,
                         struct lw_cute_layout *out)
{
    struct lw_cute_layout filtered, ordered;
    return lw_cute_filter_zeros(work, a, NULL, &filtered) &&
           lw_cute_ordered(work, &filtered.shape, &a->stride, &ordered) &&
           lw_cute_make(work, &a->shape, &ordered.stride, out);
}

/* Appends the modes of stride 0 of a layout, with the strides of the compact layout of its shape. */
static void zeros_into(const struct lw_cute_work *work, const struct lw_cute_layout *a,
                       const struct lw_cute_tuple *compact, struct lw_cute_layout *modes,
                       int *count)
{
    for (int i = 0; i < a->shape.count; i++) {
        struct lw_cute_layout mode = lw_cute_mode(a, i);
        zeros_into(work, &mode, &compact->items[i], modes, count);
    }
    if (a->shape.count < 0 && a->stride.value == 0 &&
        (a->stride.fixed || work->rules == LW_CUTE_VALUES))
        modes[(*count)++] = (struct lw_cute_layout){a->shape, *compact};
}

bool lw_cute_nullspace(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       struct lw_cute_layout *out)
{
    struct lw_cute_layout compact;
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, lw_cute_leaves(&a->shape));
    int count = 0;
    if (!modes || !lw_cute_compact(work, &a->shape, false, &compact))
        return false;
    zeros_into(work, a, &compact.stride, modes, &count);
    *out = count ? modes[0] : lw_cute_leaf(1, 0, true);
    return count < 2 || lw_cute_join(work, modes, count, out);
}

/* ---- Parts of tuples ---- */

/* Appends the parts at which a coordinate has a blank, or those at which it has none. */
static bool pick(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                 const struct lw_cute_tuple *a, bool blanks, struct lw_cute_tuple *items,
                 int *count)
{
    if (coordinate->count < 0) {
        if ((coordinate->leaf == LW_CUTE_BLANK) == blanks)
            items[(*count)++] = *a;
        return true;
    }
    if (a->count != coordinate->count)
        return lw_error_at(work->err, LW_ERROR_SHAPE, coordinate->position,
                           "a coordinate of %d modes in a tuple of %d", coordinate->count,
                           lw_cute_rank(a));
    for (int i = 0; i < a->count; i++)
        if (!pick(work, &coordinate->items[i], &a->items[i], blanks, items, count))
            return false;
    return true;
}

bool lw_cute_pick(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                  const struct lw_cute_tuple *a, bool blanks, struct lw_cute_tuple *out)
{
    int count = 0;
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, lw_cute_leaves(coordinate));
    if (!items || !pick(work, coordinate, a, blanks, items, &count))
        return false;
    if (count == 0)
        return lw_error_at(work->err, LW_ERROR_SHAPE, coordinate->position,
                           "no mode is left: CuTe gives the empty tuple ()");
    *out =
        coordinate->count < 0 ? items[0] : (struct lw_cute_tuple){.count = count, .items = items};
    return true;
}
