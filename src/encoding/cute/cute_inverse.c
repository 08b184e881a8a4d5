/* The inverses of CuTe layouts, and the vector that two layouts have in common. */

#include "encoding/cute/cute_parts.h"

/* The coalesced modes sorted by stride, and the weight of each in an index of the domain. */
static bool by_stride(struct lw_cute_work *work, const struct lw_cute_layout *a,
                      struct lw_cute_pairs *pairs, int64_t *weight)
{
    int order[LW_CUTE_LEAVES_MAX];
    int64_t below[LW_CUTE_LEAVES_MAX], product = 1;
    if (!lw_cute_pairs_of(work, a, pairs))
        return false;
    lw_cute_merge(pairs, false);
    for (int i = 0; i < pairs->count; i++) {
        below[i] = product;
        product *= pairs->at[i].size;
    }
    lw_cute_sort_pairs(pairs, order);
    for (int i = 0; i < pairs->count; i++)
        weight[i] = below[order[i]];
    return true;
}

bool lw_cute_right_inverse(struct lw_cute_work *work, const struct lw_cute_layout *a,
                           struct lw_cute_layout *out)
{
    struct lw_cute_pairs pairs, made;
    int64_t weight[LW_CUTE_LEAVES_MAX], reached = 1;
    if (work->rules != LW_CUTE_VALUES)
        return lw_cute_written_right_inverse(work, a, out);
    if (!by_stride(work, a, &pairs, weight))
        return false;
    if (!lw_cute_new_pairs(work, pairs.count, &made))
        return false;
    made.at[made.count++] = (struct lw_cute_pair){1, 0};
    for (int i = 0; i < pairs.count; i++)
        if (pairs.at[i].stride == reached) {
            made.at[made.count++] = (struct lw_cute_pair){pairs.at[i].size, weight[i]};
            reached *= pairs.at[i].size;
        }
    return lw_cute_finish(work, &made, lw_cute_fixed_layout(a), out);
}

/* Coordinates of a layout that are checked one by one at most. */
#define CHECKED_MAX ((int64_t)1 << 20)

/* Whether two of the modes, the shortest stride first, may share offsets. */
static bool may_share(const struct lw_cute_pairs *pairs)
{
    for (int i = 0; i < pairs->count; i++) {
        const struct lw_cute_pair *mode = &pairs->at[i];
        bool last = i + 1 == pairs->count;
        if (mode->stride == 0 ? mode->size > 1
                              : !last && mode->size * mode->stride > pairs->at[i + 1].stride)
            return true;
    }
    return false;
}

/* Fails unless A(L(A(i))) = A(i) for every i: what CuTe computes need not have that property when two
 * coordinates of A share an offset. */
static bool check_left_inverse(struct lw_cute_work *work, const struct lw_cute_layout *a,
                               const struct lw_cute_layout *inverse)
{
    struct lw_text text = {.limit = 200};
    int64_t size = lw_cute_size(a);
    if (size > CHECKED_MAX)
        return lw_error_at(work->err, LW_ERROR_LIMIT, a->shape.position,
                           "left_inverse: coordinates of this layout share offsets, and of such "
                           "layouts at most %lld coordinates are checked",
                           (long long)CHECKED_MAX);
    for (int64_t i = 0; i < size; i++) {
        int64_t offset = lw_cute_offset(a, i), at = lw_cute_offset(inverse, offset);
        if (lw_cute_offset(a, at) == offset)
            continue;
        lw_cute_layout_print(&text, inverse);
        lw_error_at(work->err, LW_ERROR_SHAPE, a->shape.position,
                    "left_inverse: L with A(L(A(i))) = A(i) is not found: of i = %lld, A(i) is "
                    "%lld, and the %s that CuTe gives has A(L(%lld)) = %lld",
                    (long long)i, (long long)offset, lw_text_string(&text), (long long)offset,
                    (long long)lw_cute_offset(a, at));
        lw_text_free(&text);
        return false;
    }
    return true;
}

/* The left inverse where all integers are known. */
static bool left_inverse(struct lw_cute_work *work, const struct lw_cute_layout *a,
                         struct lw_cute_layout *out)
{
    struct lw_cute_pairs pairs, made;
    int64_t weight[LW_CUTE_LEAVES_MAX], covered = 1, stride = 0;
    if (!by_stride(work, a, &pairs, weight))
        return false;
    if (!lw_cute_new_pairs(work, pairs.count, &made))
        return false;
    for (int i = 0; i < pairs.count; i++) {
        if (pairs.at[i].stride == 0)
            continue;
        if (pairs.at[i].stride < 0 || pairs.at[i].stride % covered)
            return lw_error_at(
                work->err, LW_ERROR_SHAPE, a->shape.position,
                "left_inverse: the stride %lld is not a multiple of %lld, the stride "
                "below it",
                (long long)pairs.at[i].stride, (long long)covered);
        made.at[made.count++] = (struct lw_cute_pair){pairs.at[i].stride / covered, stride};
        stride = weight[i];
        covered = pairs.at[i].stride;
    }
    made.at[made.count++] = (struct lw_cute_pair){pairs.at[pairs.count - 1].size, stride};
    return lw_cute_finish(work, &made, lw_cute_fixed_layout(a), out) &&
           (!may_share(&pairs) || check_left_inverse(work, a, out));
}

bool lw_cute_left_inverse(struct lw_cute_work *work, const struct lw_cute_layout *a,
                          struct lw_cute_layout *out)
{
    struct lw_cute_work quiet = {.arena = work->arena};
    struct lw_cute_layout made;
    if (work->rules == LW_CUTE_UNCHECKED)
        return lw_cute_written_left_inverse(work, a, out);
    if (!left_inverse(work, a, out))
        return false;
    if (work->rules == LW_CUTE_WRITTEN && lw_cute_written_left_inverse(&quiet, a, &made))
        *out = made;
    return true;
}

/* Keeps the first mode of a common layout when its size and its stride 1 are static; else the vector is 1. */
static bool known_vector(struct lw_cute_work *work, const struct lw_cute_layout *composed,
                         int64_t *out)
{
    struct lw_cute_layout common, first;
    if (!lw_cute_coalesce(work, composed, NULL, &common))
        return false;
    first = lw_cute_mode(&common, 0);
    bool known = first.shape.fixed && first.stride.fixed && first.stride.value == 1;
    *out = known ? first.shape.value : 1;
    return true;
}

bool lw_cute_max_common_vector(struct lw_cute_work *work, const struct lw_cute_layout *a,
                               const struct lw_cute_layout *b, int64_t *out)
{
    struct lw_cute_layout inverse, composed;
    struct lw_cute_pairs pairs;
    if (work->rules != LW_CUTE_VALUES)
        return lw_cute_right_inverse(work, b, &inverse) &&
               lw_cute_compose(work, a, &inverse, &composed) && known_vector(work, &composed, out);
    if (!lw_cute_right_inverse(work, b, &inverse) ||
        !lw_cute_compose(work, a, &inverse, &composed) ||
        !lw_cute_pairs_of(work, &composed, &pairs))
        return false;
    lw_cute_merge(&pairs, false);
    *out = pairs.at[0].stride == 1 ? pairs.at[0].size : 1;
    return true;
}

/* The common vector by the rules of `work`; `values`: whether all integers are known. */
static bool max_common(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       const struct lw_cute_layout *b, bool values, struct lw_cute_layout *out)
{
    struct lw_cute_layout inverse, composed, common, first;
    if (!lw_cute_right_inverse(work, b, &inverse) ||
        !lw_cute_compose(work, a, &inverse, &composed) ||
        !lw_cute_coalesce(work, &composed, NULL, &common))
        return false;
    first = lw_cute_mode(&common, 0);
    if (first.stride.value == 1 && (values || (first.shape.fixed && first.stride.fixed)))
        return lw_cute_compose(work, &inverse, &first, out);
    *out = lw_cute_leaf(1, 0, true);
    return true;
}

bool lw_cute_max_common_layout(struct lw_cute_work *work, const struct lw_cute_layout *a,
                               const struct lw_cute_layout *b, struct lw_cute_layout *out)
{
    struct lw_cute_work unchecked = {.arena = work->arena, .rules = LW_CUTE_UNCHECKED};
    struct lw_cute_work quiet = {.arena = work->arena, .rules = work->rules};
    bool values = work->rules == LW_CUTE_VALUES;
    if (max_common(&quiet, a, b, values, out))
        return true;
    /* Where A does not compose with the inverse, what CuTe computes may still be common. */
    if (!max_common(&unchecked, a, b, values, out) || lw_cute_size(out) > 1)
        return max_common(work, a, b, values, out);
    return true;
}
