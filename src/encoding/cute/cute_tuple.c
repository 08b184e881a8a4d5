/* Trees of CuTe taken apart and put together. Source: tuple_algorithms.hpp of CUTLASS 4. */

#include "encoding/cute/cute_parts.h"

static void put_leaves(const struct lw_cute_tuple *a, struct lw_cute_tuple *items, int *count)
{
    for (int i = 0; i < a->count; i++)
        put_leaves(&a->items[i], items, count);
    if (a->count < 0)
        items[(*count)++] = *a;
}

bool lw_cute_flatten_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                           struct lw_cute_tuple *out)
{
    int leaves = lw_cute_leaves(a), count = 0;
    struct lw_cute_tuple made;
    if (leaves > LW_CUTE_LEAVES_MAX)
        return lw_error_set(work->err, LW_ERROR_LIMIT, "over %d integers", LW_CUTE_LEAVES_MAX);
    struct lw_cute_tuple *items = lw_cute_new_items(work, leaves, &made);
    if (!items)
        return false;
    put_leaves(a, items, &count);
    *out = a->count < 0 ? *a : made;
    return true;
}

static bool check_items(struct lw_cute_work *work, const struct lw_cute_tuple *a, int64_t begin,
                        int64_t end)
{
    int rank = lw_cute_rank(a);
    return (begin >= 0 && begin < end && end <= rank) ||
           lw_error_set(work->err, LW_ERROR_PARAMETER,
                        "items %lld up to %lld: the tuple has items 0 to %d", (long long)begin,
                        (long long)end, rank - 1);
}

bool lw_cute_group_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a, int64_t begin,
                         int64_t end, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple made;
    if (!check_items(work, a, begin, end))
        return false;
    int rank = lw_cute_rank(a), inside = (int)(end - begin), count = 0;
    struct lw_cute_tuple *items = lw_cute_new_items(work, rank - inside + 1, &made);
    if (!items)
        return false;
    for (int i = 0; i < rank; i++) {
        if (i > begin && i < end)
            continue;
        struct lw_cute_tuple *to = &items[count++];
        *to = *lw_cute_item(a, i);
        if (i == begin)
            *to = (struct lw_cute_tuple){.count = inside, .items = lw_cute_item(a, i)};
    }
    *out = made;
    return true;
}

bool lw_cute_select_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                          const int64_t *numbers, int count, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple made, *items = lw_cute_new_items(work, count, &made);
    if (!items)
        return false;
    for (int i = 0; i < count; i++) {
        if (numbers[i] < 0 || numbers[i] >= lw_cute_rank(a))
            return lw_error_set(work->err, LW_ERROR_PARAMETER,
                                "select: no item %lld: must be from 0 to %d", (long long)numbers[i],
                                lw_cute_rank(a) - 1);
        items[i] = *lw_cute_item(a, (int)numbers[i]);
    }
    *out = made;
    return true;
}

bool lw_cute_append_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                          const struct lw_cute_tuple *item, bool front, struct lw_cute_tuple *out)
{
    int rank = lw_cute_rank(a);
    struct lw_cute_tuple made, *items = lw_cute_new_items(work, rank + 1, &made);
    if (!items)
        return false;
    for (int i = 0; i < rank; i++)
        items[i + front] = *lw_cute_item(a, i);
    items[front ? 0 : rank] = *item;
    *out = made;
    return true;
}

/* ---- Strides of coordinates ---- */

void lw_cute_axis_print(struct lw_text *text, const struct lw_cute_axis *axis)
{
    for (int i = axis->depth; i > 0; i--)
        lw_text_format(text, "@%d", axis->at[i - 1]);
}

int64_t lw_cute_coords_part(const struct lw_cute_coords *coords, int64_t number, int i)
{
    return (number >> (coords->bits * i)) & (((int64_t)1 << coords->bits) - 1);
}

int lw_cute_coords_axis(const struct lw_cute_coords *coords, int64_t stride)
{
    int i = 0;
    while (i + 1 < coords->count && !lw_cute_coords_part(coords, stride, i))
        i++;
    return i;
}

int64_t lw_cute_coords_steps(const struct lw_cute_coords *coords, int64_t stride, int *axis)
{
    *axis = lw_cute_coords_axis(coords, stride);
    return lw_cute_coords_part(coords, stride, *axis);
}

void lw_cute_coords_print(struct lw_text *text, const struct lw_cute_coords *coords,
                          const struct lw_cute_tuple *stride)
{
    if (stride->count < 0) {
        int i = lw_cute_coords_axis(coords, stride->value);
        lw_text_format(text, "%s%lld", stride->fixed ? "_" : "",
                       (long long)lw_cute_coords_part(coords, stride->value, i));
        if (stride->value || stride->axis)
            lw_cute_axis_print(text, stride->value ? &coords->axis[i] : stride->axis);
        return;
    }
    lw_text_char(text, '(');
    for (int i = 0; i < stride->count && !lw_text_full(text); i++) {
        lw_text_add(text, i ? "," : "");
        lw_cute_coords_print(text, coords, &stride->items[i]);
    }
    lw_text_char(text, ')');
}
