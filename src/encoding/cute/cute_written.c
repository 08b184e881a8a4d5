/* The CuTe algebra as C++ computes it where some integers are static and others are not: an integer that is not static
 * is unknown when the headers are compiled. Modes are merged and dropped only where known integers allow it, and only
 * known integers are checked. Source: include/cute/layout.hpp of CUTLASS 4, its static_asserts among it.
 *
 * Strides may be along axes, 2@1: the number of steps, with `axis` set (cute.h). A stride of 0@1 is not a 0.
 *
 * Nothing here checks that a result is right: cute_algebra.c and cute_inverse.c do. */

#include "encoding/cute/cute_parts.h"

#include <stdlib.h>
#include <string.h>

static const struct lw_cute_tuple one = {.count = -1, .value = 1, .fixed = true};
static const struct lw_cute_tuple two = {.count = -1, .value = 2, .fixed = true};
static const struct lw_cute_tuple zero = {.count = -1, .value = 0, .fixed = true};

static bool is_constant(const struct lw_cute_tuple *a, int64_t value)
{
    return a->fixed && a->value == value && !a->axis;
}

static bool is_along_same(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b)
{
    if (!a->axis || !b->axis)
        return a->axis == b->axis;
    return a->axis->depth == b->axis->depth &&
           !memcmp(a->axis->at, b->axis->at, (size_t)a->axis->depth * sizeof *a->axis->at);
}

static bool refuse(struct lw_cute_work *work, const struct lw_cute_tuple *at, const char *what)
{
    return lw_error_at(work->err, LW_ERROR_SHAPE, at->position, "CuTe does not compile this: %s",
                       what);
}

/* ---- Lists of modes ---- */

/* Flat modes in the arena, from `first` up to `end`; they grow at both ends. */
struct modes {
    struct lw_cute_layout *at;
    int first, end;
};

static void put_leaves(const struct lw_cute_layout *a, struct modes *out)
{
    for (int i = 0; i < a->shape.count; i++) {
        struct lw_cute_layout mode = lw_cute_mode(a, i);
        put_leaves(&mode, out);
    }
    if (a->shape.count < 0)
        out->at[out->end++] = *a;
}

/* Room for `count` modes before and after what is put first. */
static bool new_modes(struct lw_cute_work *work, int count, struct modes *out)
{
    out->at = lw_cute_new_layouts(work, count);
    out->first = out->end = 0;
    return out->at;
}

static bool leaves_of(struct lw_cute_work *work, const struct lw_cute_layout *a, struct modes *out)
{
    int leaves = lw_cute_leaves(&a->shape);
    if (leaves > LW_CUTE_LEAVES_MAX)
        return lw_error_at(work->err, LW_ERROR_LIMIT, a->shape.position,
                           "a layout has at most %d integers", LW_CUTE_LEAVES_MAX);
    if (!new_modes(work, leaves, out))
        return false;
    put_leaves(a, out);
    return true;
}

/* The layout of a list: of one mode without parentheses. */
static bool to_layout(struct lw_cute_work *work, const struct modes *modes,
                      struct lw_cute_layout *out)
{
    if (modes->end - modes->first > 1)
        return lw_cute_join(work, modes->at + modes->first, modes->end - modes->first, out);
    *out = modes->at[modes->first];
    return lw_cute_make(work, &out->shape, &out->stride, out);
}

bool lw_cute_cosize_of(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       struct lw_cute_tuple *out)
{
    const struct lw_cute_tuple minus = lw_cute_integer(-1, true);
    struct lw_cute_tuple sum = one, last, step;
    struct modes leaves;
    if (!leaves_of(work, a, &leaves))
        return false;
    for (int i = 0; i < leaves.end; i++) {
        const struct lw_cute_tuple *stride = &leaves.at[i].stride;
        step = lw_cute_integer(llabs(stride->value), stride->fixed);
        if (!lw_cute_plus(work, &leaves.at[i].shape, &minus, &last) ||
            !lw_cute_times(work, &last, &step, &step) || !lw_cute_plus(work, &sum, &step, &sum))
            return false;
    }
    *out = sum;
    return true;
}

/* ---- Coalesce and filter ---- */

/* Whether it is known that a mode continues where the one before it ends. */
static bool continues(struct lw_cute_work *work, const struct lw_cute_layout *mode,
                      const struct lw_cute_layout *next)
{
    struct lw_cute_tuple end;
    struct lw_cute_work quiet = {.arena = work->arena};
    return next->shape.fixed && next->stride.fixed &&
           lw_cute_times(&quiet, &mode->shape, &mode->stride, &end) && end.fixed &&
           end.value == next->stride.value && is_along_same(&end, &next->stride);
}

/* Merges from the last mode on. `open`: the layout is the left side of a composition, so the result also agrees beyond
 * its end. (bw_coalesce, coalesce_x) */
static bool merge(struct lw_cute_work *work, const struct modes *old, bool open, struct modes *out)
{
    if (!new_modes(work, old->end + 1, out))
        return false;
    out->first = out->end = old->end + 1;
    out->at[--out->first] = old->at[old->end - 1];
    if (open && is_constant(&out->at[out->first].shape, 1))
        out->at[out->first].shape = two;
    for (int i = old->end - 2; i >= 0; i--) {
        struct lw_cute_layout *front = &out->at[out->first];
        const struct lw_cute_layout *mode = &old->at[i];
        if (is_constant(&mode->shape, 1))
            continue;
        if (out->first + 1 == out->end && is_constant(&front->shape, 1)) {
            *front = *mode;
        } else if (continues(work, mode, front)) {
            if (!lw_cute_times(work, &mode->shape, &front->shape, &front->shape))
                return false;
            front->stride = mode->stride;
        } else {
            out->at[--out->first] = *mode;
        }
    }
    if (out->first + 1 == out->end && is_constant(&out->at[out->first].shape, 1))
        out->at[out->first] = (struct lw_cute_layout){one, zero};
    return true;
}

static bool coalesce_modes(struct lw_cute_work *work, const struct modes *old,
                           struct lw_cute_layout *out)
{
    struct modes made;
    return merge(work, old, false, &made) && to_layout(work, &made, out);
}

bool lw_cute_written_coalesce(struct lw_cute_work *work, const struct lw_cute_layout *a,
                              struct lw_cute_layout *out)
{
    struct modes leaves;
    return leaves_of(work, a, &leaves) && coalesce_modes(work, &leaves, out);
}

bool lw_cute_written_filter(struct lw_cute_work *work, const struct lw_cute_layout *a,
                            struct lw_cute_layout *out)
{
    struct modes leaves;
    if (!leaves_of(work, a, &leaves))
        return false;
    for (int i = 0; i < leaves.end; i++)
        if (is_constant(&leaves.at[i].stride, 0))
            leaves.at[i].shape = one;
    return coalesce_modes(work, &leaves, out);
}

/* ---- Composition ---- */

/* The part of a mode of B that is not yet composed with the modes of A. */
struct rest {
    struct lw_cute_tuple size, stride;
    struct modes made;
};

/* ceil(a / |b|) */
static bool round_up(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                     const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple size = lw_cute_integer(llabs(b->value), b->fixed);
    return lw_cute_divided_up(work, a, &size, out);
}

/* The step in the next mode of A: ceil(|d| / size), with the sign of d. */
static bool next_stride(struct lw_cute_work *work, const struct lw_cute_tuple *stride,
                        const struct lw_cute_tuple *size, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple steps = lw_cute_integer(llabs(stride->value), stride->fixed);
    struct lw_cute_tuple sign =
        lw_cute_integer((stride->value > 0) - (stride->value < 0), stride->fixed);
    return lw_cute_divided_up(work, &steps, size, &steps) &&
           lw_cute_times(work, &steps, &sign, out);
}

/* Composes the part of B's mode that is in a mode of A, and leaves the rest. */
static bool pass(struct lw_cute_work *work, struct rest *b, const struct lw_cute_layout *a)
{
    struct lw_cute_tuple room, after, step;
    if (a->shape.fixed && b->stride.fixed && b->stride.value % a->shape.value &&
        b->stride.value >= a->shape.value)
        return refuse(work, &b->stride, "the Stride Divisibility Condition of a composition");
    if (!round_up(work, &a->shape, &b->stride, &room) ||
        !next_stride(work, &b->stride, &a->shape, &after))
        return false;
    if (!is_constant(&room, 1) && !is_constant(&b->size, 1)) {
        struct lw_cute_tuple taken = lw_cute_integer(
            room.value < b->size.value ? room.value : b->size.value, room.fixed && b->size.fixed);
        if (taken.fixed && b->size.fixed && b->size.value % taken.value)
            return refuse(work, &b->size, "the Shape Divisibility Condition of a composition");
        if (!lw_cute_times(work, &b->stride, &a->stride, &step) ||
            !lw_cute_divided(work, &b->size, &taken, &b->size))
            return false;
        b->made.at[b->made.end++] = (struct lw_cute_layout){taken, step};
    }
    b->stride = after;
    return true;
}

/* Composes a mode of B with the modes of A. (composition_impl) */
static bool compose_leaf(struct lw_cute_work *work, const struct modes *a,
                         const struct lw_cute_layout *leaf, struct lw_cute_layout *out)
{
    struct rest b = {.size = leaf->shape, .stride = leaf->stride};
    int count = a->end - a->first;
    struct lw_cute_tuple step;
    *out = *leaf;
    if (is_constant(&leaf->stride, 0))
        return true;
    if (!new_modes(work, count, &b.made))
        return false;
    for (int i = a->first; i + 1 < a->end; i++)
        if (!pass(work, &b, &a->at[i]))
            return false;
    if (b.made.end == 0 || !is_constant(&b.size, 1)) {
        if (!lw_cute_times(work, &b.stride, &a->at[a->end - 1].stride, &step))
            return false;
        b.made.at[b.made.end++] = (struct lw_cute_layout){b.size, step};
    }
    return to_layout(work, &b.made, out);
}

static bool compose_tree(struct lw_cute_work *work, const struct modes *a,
                         const struct lw_cute_layout *b, struct lw_cute_layout *out)
{
    int rank = b->shape.count;
    if (rank < 0)
        return compose_leaf(work, a, b, out);
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, rank);
    if (!modes)
        return false;
    for (int i = 0; i < rank; i++) {
        struct lw_cute_layout mode = lw_cute_mode(b, i);
        if (!compose_tree(work, a, &mode, &modes[i]))
            return false;
    }
    return lw_cute_join(work, modes, rank, out);
}

bool lw_cute_written_compose(struct lw_cute_work *work, const struct lw_cute_layout *a,
                             const struct lw_cute_layout *b, struct lw_cute_layout *out)
{
    struct modes leaves, left;
    return leaves_of(work, a, &leaves) && merge(work, &leaves, true, &left) &&
           compose_tree(work, &left, b, out);
}

/* ---- Complement ---- */

/* Joins neighbouring sizes that are static, and neighbouring ones that are not. (coalesce of a shape) */
static bool join_sizes(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                       struct lw_cute_tuple *out)
{
    struct lw_cute_tuple flat;
    if (!lw_cute_flatten_tuple(work, shape, &flat))
        return false;
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, lw_cute_rank(&flat));
    int count = 0;
    if (!items)
        return false;
    for (int i = 0; i < lw_cute_rank(&flat); i++) {
        const struct lw_cute_tuple *size = lw_cute_item(&flat, i);
        if (count && items[count - 1].fixed == size->fixed) {
            if (!lw_cute_times(work, &items[count - 1], size, &items[count - 1]))
                return false;
        } else {
            items[count++] = lw_cute_integer(size->value, size->fixed);
        }
    }
    *out = count == 1 ? items[0] : (struct lw_cute_tuple){.count = count, .items = items};
    return true;
}

/* Appends the modes of a shape whose strides begin with `stride`. (compact_major) */
static bool put_compact(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                        struct lw_cute_tuple stride, struct modes *out)
{
    for (int i = 0; i < lw_cute_rank(shape); i++) {
        const struct lw_cute_tuple *size = lw_cute_item(shape, i);
        out->at[out->end++] = (struct lw_cute_layout){*size, is_constant(size, 1) ? zero : stride};
        if (!lw_cute_times(work, &stride, size, &stride))
            return false;
    }
    return true;
}

/* Removes the mode with the least stride from the list and returns it. */
static struct lw_cute_layout take_least(struct modes *modes)
{
    int least = modes->first;
    for (int i = modes->first + 1; i < modes->end; i++)
        if (modes->at[i].stride.value < modes->at[least].stride.value)
            least = i;
    struct lw_cute_layout taken = modes->at[least];
    for (int i = least; i + 1 < modes->end; i++)
        modes->at[i] = modes->at[i + 1];
    modes->end--;
    return taken;
}

static bool all_strides_are_static(const struct modes *modes)
{
    bool all = true;
    for (int i = modes->first; i < modes->end; i++)
        all = all && modes->at[i].stride.fixed;
    return all;
}

/* The modes below each stride, and those above the last one. */
static bool complete(struct lw_cute_work *work, struct modes *kept,
                     const struct lw_cute_tuple *target, struct modes *made)
{
    struct lw_cute_tuple covered = one, free, above;
    while (kept->first < kept->end) {
        struct lw_cute_layout mode = take_least(kept);
        if (!lw_cute_divided(work, &mode.stride, &covered, &free))
            return false;
        if (is_constant(&free, 0))
            return refuse(work, &mode.shape, "a layout that is not injective has no complement");
        made->at[made->end++] = (struct lw_cute_layout){free, covered};
        if (!lw_cute_times(work, &mode.stride, &mode.shape, &covered))
            return false;
    }
    return lw_cute_ceil_div(work, target, &covered, &above) && join_sizes(work, &above, &above) &&
           put_compact(work, &above, covered, made);
}

bool lw_cute_written_complement(struct lw_cute_work *work, const struct lw_cute_layout *a,
                                const struct lw_cute_tuple *target, struct lw_cute_layout *out)
{
    struct lw_cute_layout filtered;
    struct modes kept, made;
    struct lw_cute_tuple size;
    if (!lw_cute_written_filter(work, a, &filtered) || !leaves_of(work, &filtered, &kept) ||
        !new_modes(work, kept.end + lw_cute_leaves(target) + 1, &made))
        return false;
    if (kept.end == 1 && is_constant(&kept.at[0].stride, 0)) {
        if (!join_sizes(work, target, &size))
            return false;
        return lw_cute_compact(work, &size, false, out);
    }
    if (kept.end > 1 && !all_strides_are_static(&kept))
        return refuse(work, &a->stride,
                      "the complement of several modes needs strides that are static");
    return complete(work, &kept, target, &made) && coalesce_modes(work, &made, out);
}

/* ---- Inverses ---- */

/* The weight of each mode in an index: the product of the sizes before it. */
static bool weights_of(struct lw_cute_work *work, const struct modes *modes,
                       struct lw_cute_tuple *weight)
{
    struct lw_cute_tuple product = one;
    for (int i = 0; i < modes->end; i++) {
        weight[i] = product;
        if (!lw_cute_times(work, &product, &modes->at[i].shape, &product))
            return false;
    }
    return true;
}

/* The modes with static strides, the least first; returns how many. */
static int sort_static(const struct modes *modes, int *order)
{
    int count = 0;
    for (int i = 0; i < modes->end; i++)
        if (modes->at[i].stride.fixed)
            order[count++] = i;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            if (modes->at[order[j]].stride.value < modes->at[order[i]].stride.value) {
                int swapped = order[i];
                order[i] = order[j];
                order[j] = swapped;
            }
    return count;
}

/* The coalesced modes, their weights, and those with static strides in order. */
struct sorted {
    struct modes modes;
    struct lw_cute_tuple *weight;
    int order[LW_CUTE_LEAVES_MAX], count;
};

static bool sort_modes(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       struct sorted *out)
{
    struct lw_cute_layout flat;
    if (!lw_cute_written_coalesce(work, a, &flat) || !leaves_of(work, &flat, &out->modes))
        return false;
    out->weight = lw_cute_new_tuples(work, out->modes.end);
    out->count = sort_static(&out->modes, out->order);
    return out->weight && weights_of(work, &out->modes, out->weight);
}

bool lw_cute_written_right_inverse(struct lw_cute_work *work, const struct lw_cute_layout *a,
                                   struct lw_cute_layout *out)
{
    struct sorted sorted;
    struct modes made;
    struct lw_cute_tuple reached = one;
    if (!sort_modes(work, a, &sorted) || !new_modes(work, sorted.count + 1, &made))
        return false;
    made.at[made.end++] = (struct lw_cute_layout){one, zero};
    for (int i = 0; i < sorted.count; i++) {
        const struct lw_cute_layout *mode = &sorted.modes.at[sorted.order[i]];
        if (!is_constant(&reached, mode->stride.value))
            continue;
        made.at[made.end++] = (struct lw_cute_layout){mode->shape, sorted.weight[sorted.order[i]]};
        if (!lw_cute_times(work, &mode->shape, &mode->stride, &reached))
            return false;
    }
    return coalesce_modes(work, &made, out);
}

bool lw_cute_written_left_inverse(struct lw_cute_work *work, const struct lw_cute_layout *a,
                                  struct lw_cute_layout *out)
{
    struct sorted sorted;
    struct modes made;
    struct lw_cute_tuple covered = one, free, weight = zero;
    if (!sort_modes(work, a, &sorted) || !new_modes(work, sorted.count + 1, &made))
        return false;
    if (sorted.count < sorted.modes.end)
        return refuse(work, &a->stride, "the left inverse needs strides that are static");
    for (int i = 0; i < sorted.count; i++) {
        const struct lw_cute_layout *mode = &sorted.modes.at[sorted.order[i]];
        if (mode->stride.value == 0)
            continue;
        if (mode->stride.value % covered.value)
            return refuse(work, &mode->stride, "the divisibility condition of a left inverse");
        if (!lw_cute_divided(work, &mode->stride, &covered, &free) ||
            !lw_cute_times(work, &free, &covered, &covered))
            return false;
        made.at[made.end++] = (struct lw_cute_layout){free, weight};
        weight = sorted.weight[sorted.order[i]];
    }
    made.at[made.end++] =
        (struct lw_cute_layout){sorted.modes.at[sorted.order[sorted.count - 1]].shape, weight};
    return coalesce_modes(work, &made, out);
}
