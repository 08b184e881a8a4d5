/* Layouts like others, null spaces, and tuples with other items. Source: make_layout_like and nullspace of layout.hpp,
 * slice and dice of underscore.hpp, insert, remove, replace, repeat_like, reverse and unflatten of
 * tuple_algorithms.hpp, CUTLASS 4. */

#include "encoding/cute/cute_parts.h"

#include "core/divide.h"

#include <stdlib.h>

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

/* ---- Other items ---- */

/* Appends the item, or items, that the edit makes of item i. */
static void edit_item(enum lw_cute_edit edit, const struct lw_cute_tuple *a, int i, int64_t at,
                      const struct lw_cute_tuple *x, struct lw_cute_tuple *items, int *count)
{
    bool here = i == at;
    if (here && edit != LW_CUTE_REMOVE)
        items[(*count)++] = *x;
    if (i < lw_cute_rank(a) && (!here || edit == LW_CUTE_INSERT))
        items[(*count)++] = *lw_cute_item(a, i);
}

bool lw_cute_edit(struct lw_cute_work *work, const struct lw_cute_tuple *a, enum lw_cute_edit edit,
                  int64_t at, const struct lw_cute_tuple *x, struct lw_cute_tuple *out)
{
    int rank = lw_cute_rank(a), count = 0, last = edit == LW_CUTE_INSERT ? rank : rank - 1;
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, rank + 1);
    if (!items)
        return false;
    if (at < 0 || at > last)
        return lw_error_set(work->err, LW_ERROR_PARAMETER, "no item %lld: must be from 0 to %d",
                            (long long)at, last);
    for (int i = 0; i <= rank; i++)
        edit_item(edit, a, i, at, x, items, &count);
    if (count == 0)
        return lw_error_set(work->err, LW_ERROR_SHAPE,
                            "no item is left: CuTe gives the empty tuple ()");
    *out = (struct lw_cute_tuple){.count = count, .items = items};
    return true;
}

/* `times` items X; one is X itself. (repeat) */
bool lw_cute_repeat(struct lw_cute_work *work, const struct lw_cute_tuple *x, int64_t times,
                    struct lw_cute_tuple *out)
{
    *out = *x;
    if (times < 1 || times > LW_CUTE_LEAVES_MAX)
        return lw_error_set(work->err, LW_ERROR_PARAMETER, "repeat: must be from 1 to %d times",
                            LW_CUTE_LEAVES_MAX);
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, (int)times);
    if (!items)
        return false;
    for (int i = 0; i < times; i++)
        items[i] = *x;
    if (times > 1)
        *out = (struct lw_cute_tuple){.count = (int)times, .items = items};
    return true;
}

/* X at every leaf of the profile. (repeat_like) */
bool lw_cute_repeat_like(struct lw_cute_work *work, const struct lw_cute_tuple *profile,
                         const struct lw_cute_tuple *x, struct lw_cute_tuple *out)
{
    *out = *x;
    if (profile->count < 0)
        return true;
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, profile->count);
    if (!items)
        return false;
    for (int i = 0; i < profile->count; i++)
        if (!lw_cute_repeat_like(work, &profile->items[i], x, &items[i]))
            return false;
    *out = (struct lw_cute_tuple){.count = profile->count, .items = items};
    return true;
}

bool lw_cute_reverse(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                     struct lw_cute_tuple *out)
{
    *out = *a;
    if (a->count < 1)
        return true;
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, a->count);
    if (!items)
        return false;
    for (int i = 0; i < a->count; i++)
        items[i] = a->items[a->count - 1 - i];
    out->items = items;
    return true;
}

/* The items of a flat tuple from *next on, in the profile. */
static bool fold(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                 const struct lw_cute_tuple *profile, int *next, struct lw_cute_tuple *out)
{
    if (profile->count < 0) {
        *out = *lw_cute_item(a, (*next)++);
        return true;
    }
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, profile->count);
    if (!items)
        return false;
    for (int i = 0; i < profile->count; i++)
        if (!fold(work, a, &profile->items[i], next, &items[i]))
            return false;
    *out = (struct lw_cute_tuple){.count = profile->count, .items = items};
    return true;
}

bool lw_cute_unflatten(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                       const struct lw_cute_tuple *profile, struct lw_cute_tuple *out)
{
    int next = 0, leaves = lw_cute_leaves(profile);
    if (lw_cute_rank(a) != leaves || lw_cute_depth(a) > 1)
        return lw_error_set(work->err, LW_ERROR_SHAPE,
                            "unflatten: this profile needs a flat tuple of %d items", leaves);
    return fold(work, a, profile, &next, out);
}

/* ---- Numbers ---- */

static bool fold_two(struct lw_cute_work *work, enum lw_cute_fold how,
                     const struct lw_cute_tuple *a, const struct lw_cute_tuple *b,
                     struct lw_cute_tuple *out)
{
    bool fixed = a->fixed && b->fixed, less = a->value < b->value;
    if (how == LW_CUTE_SUM)
        return lw_cute_plus(work, a, b, out);
    int64_t picked = less == (how == LW_CUTE_MIN) ? a->value : b->value;
    *out = lw_cute_integer(
        how == LW_CUTE_GCD ? llabs(lw_common_divisor(a->value, b->value)) : picked, fixed);
    return true;
}

/* Folds the integers of A into *out; `some`: it has one. */
static bool fold_into(struct lw_cute_work *work, enum lw_cute_fold how,
                      const struct lw_cute_tuple *a, bool *some, struct lw_cute_tuple *out)
{
    for (int i = 0; i < a->count; i++)
        if (!fold_into(work, how, &a->items[i], some, out))
            return false;
    if (a->count >= 0)
        return true;
    if (*some)
        return fold_two(work, how, a, out, out);
    *out = lw_cute_integer(a->value, a->fixed);
    return *some = true;
}

bool lw_cute_fold(struct lw_cute_work *work, const struct lw_cute_tuple *a, enum lw_cute_fold how,
                  struct lw_cute_tuple *out)
{
    bool some = false;
    return fold_into(work, how, a, &some, out) &&
           (some || lw_error_set(work->err, LW_ERROR_SHAPE, "a number is needed"));
}

bool lw_cute_round_up(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                      const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    const struct lw_cute_tuple one = lw_cute_integer(1, true);
    struct lw_cute_tuple divided;
    if (a->count < 0 && b->count < 0)
        return lw_cute_divided_up(work, a, b, &divided) && lw_cute_times(work, &divided, b, out);
    if (a->count < b->count || b->count < 0)
        return lw_error_set(
            work->err, LW_ERROR_SHAPE,
            "round_up: expected two numbers, or a tuple and a second one of at most as many items");
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, a->count);
    if (!items)
        return false;
    for (int i = 0; i < a->count; i++)
        if (!lw_cute_round_up(work, &a->items[i], i < b->count ? &b->items[i] : &one, &items[i]))
            return false;
    *out = (struct lw_cute_tuple){.count = a->count, .items = items};
    return true;
}
