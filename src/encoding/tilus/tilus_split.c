/* tilus register layouts: the functions that split modes, reshape and the two divisions.
 * Source: the Python package tilus 0.2.0, module tilus.ir.layout.ops.register_ops. */

#include "encoding/tilus/tilus.h"

#include <stdio.h>

/* ---- Reshaping ---- */

/* Appends `modes` with each mode m replaced by its parts, first[m] to first[m + 1] - 1. */
static void join_parts(struct lw_sizes *list, const struct lw_sizes *modes, const int *first)
{
    for (int i = 0; i < modes->count; i++) {
        int64_t mode = modes->at[i];
        if (mode < 0)
            lw_sizes_push(list, mode);
        for (int part = mode < 0 ? 0 : first[mode]; mode >= 0 && part < first[mode + 1]; part++)
            lw_sizes_push(list, part);
    }
}

static bool refuse_reshape(const struct lw_tilus *layout, const struct lw_sizes *shape,
                           const char *why, struct lw_error *err)
{
    struct lw_text text = {0};
    lw_sizes_print(&text, &layout->shape);
    lw_text_add(&text, " with modes ");
    lw_sizes_print(&text, &layout->mode_shape);
    lw_tilus_refuse(err, "shape", shape, "the layout has shape %s: %s", lw_text_string(&text), why);
    lw_text_free(&text);
    return false;
}

/* Cuts the modes, in order, along the sizes of the new shape. This is exactly the procedure of
 * tilus: a mode keeps its size while parts are taken from it, so that in a few layouts elements
 * move to another owner, as in tilus. */
static bool cut_modes(struct lw_tilus *made, const struct lw_tilus *layout, int *first)
{
    struct lw_sizes left = made->shape;
    int dim = 0;
    for (int i = 0; i < layout->mode_shape.count; i++) {
        int64_t mode = layout->mode_shape.at[i];
        for (first[i] = made->mode_shape.count; dim < left.count; dim++) {
            int64_t size = left.at[dim];
            if (size % mode == 0) {
                lw_sizes_push(&made->mode_shape, mode);
                left.at[dim] = size / mode;
                break;
            }
            if (mode % size)
                return false;
            if (size > 1)
                lw_sizes_push(&made->mode_shape, size);
        }
    }
    first[layout->mode_shape.count] = made->mode_shape.count;
    return true;
}

bool lw_tilus_reshape(struct lw_tilus *out, const struct lw_tilus *layout,
                      const struct lw_sizes *shape, struct lw_error *err)
{
    int first[LW_MODES_MAX + 1];
    struct lw_tilus made = {.shape = *shape}, whole;
    for (int i = 0; i < shape->count; i++)
        if (shape->at[i] < 1)
            return lw_tilus_refuse(err, "shape", shape, "each size must be at least 1");
    if (shape->count > LW_RANK_MAX)
        return lw_tilus_refuse(err, "shape", shape, "%d dims: at most %d", shape->count,
                               LW_RANK_MAX);
    if (lw_sizes_product(shape, 0, shape->count) !=
        lw_sizes_product(&layout->shape, 0, layout->shape.count))
        return refuse_reshape(layout, shape, "the numbers of elements differ", err);
    lw_tilus_canonicalize(&whole, layout);
    if (!cut_modes(&made, &whole, first))
        return refuse_reshape(&whole, shape, "a mode cannot be cut along these sizes", err);
    join_parts(&made.spatial_modes, &whole.spatial_modes, first);
    join_parts(&made.local_modes, &whole.local_modes, first);
    struct lw_error why;
    if (lw_tilus_make(out, &made, &why))
        return true;
    if (why.code == LW_ERROR_PARAMETER)
        return refuse_reshape(&whole, shape, "the modes cannot be cut along these sizes", err);
    if (err)
        *err = why;
    return false;
}

/* An index by the rules of Python's slices: a negative one counts from the end, and none is out of bounds. */
static int slice(int64_t index, int rank)
{
    index = index < 0 ? index + rank : index;
    return (int)(index < 0 ? 0 : index > rank ? rank : index);
}

/* As in tilus 0.2.0 the dim `end_dim` itself is not flattened, and so the last one by default. */
bool lw_tilus_flatten(struct lw_tilus *out, const struct lw_tilus *layout, int64_t start_dim,
                      int64_t end_dim, struct lw_error *err)
{
    int rank = layout->shape.count;
    int start = slice(start_dim, rank);
    int end = slice(end_dim < 0 ? end_dim + rank : end_dim, rank);
    struct lw_sizes shape = {0};
    for (int i = 0; i < start; i++)
        lw_sizes_push(&shape, layout->shape.at[i]);
    lw_sizes_push(&shape, lw_sizes_product(&layout->shape, start, end));
    for (int i = end; i < rank; i++)
        lw_sizes_push(&shape, layout->shape.at[i]);
    if (lw_sizes_product(&shape, 0, shape.count) != lw_sizes_product(&layout->shape, 0, rank))
        return lw_error_about(err, "end_dim", (struct lw_position){0},
                              "end_dim = %lld: must not be before start_dim = %lld of the %d dims",
                              (long long)end_dim, (long long)start_dim, rank);
    return lw_tilus_reshape(out, layout, &shape, err);
}

/* ---- Dividing ---- */

/* A division in progress: x with x * divisor = layout, or divisor * x = layout when `left`. */
struct division {
    bool left;
    int rank;
    struct lw_tilus layout;  /* with modes cut so that the divisor's are among them */
    struct lw_tilus divisor; /* of the same rank */
    int start[LW_RANK_MAX + 1];
    int divisor_start[LW_RANK_MAX + 1];
    struct lw_error *err;
};

static bool indivisible(const struct division *d, const char *why)
{
    struct lw_text text = {0};
    lw_tilus_print(&text, &d->divisor);
    lw_error_about(d->err, d->left ? "lhs_divisor" : "rhs", (struct lw_position){0},
                   "there is no quotient by %s: %s", lw_text_string(&text), why);
    lw_text_free(&text);
    return false;
}

/* The modes of one dim, cut so that those of the divisor are the last. */
static bool cut_last(const struct division *d, int dim, struct lw_sizes *modes)
{
    const int *start = &d->start[dim], *divisor = &d->divisor_start[dim];
    int count = divisor[1] - divisor[0], before = start[1] - start[0] - count;
    for (int i = 0; i < before; i++)
        lw_sizes_push(modes, d->layout.mode_shape.at[start[0] + i]);
    for (int i = 0; before >= 0 && i < count; i++) {
        int64_t mode = d->layout.mode_shape.at[start[0] + before + i];
        int64_t target = d->divisor.mode_shape.at[divisor[0] + i];
        if (mode != target && (i > 0 || mode % target))
            return false;
        if (mode != target)
            lw_sizes_push(modes, mode / target);
        lw_sizes_push(modes, target);
    }
    return before >= 0;
}

/* The same for the first modes. The remainder of a mode that was cut is compared with the next one. */
static bool cut_first(const struct division *d, int dim, struct lw_sizes *modes)
{
    int at = d->start[dim], end = d->start[dim + 1], from = d->divisor_start[dim];
    int64_t rest = at < end ? d->layout.mode_shape.at[at] : 1;
    for (int i = from; i < d->divisor_start[dim + 1]; i++) {
        int64_t target = d->divisor.mode_shape.at[i];
        if (at == end || (rest != target && (i > from || rest % target)))
            return false;
        lw_sizes_push(modes, target);
        rest /= target;
        if (rest == 1 && ++at < end)
            rest = d->layout.mode_shape.at[at];
    }
    for (; at < end; rest = ++at < end ? d->layout.mode_shape.at[at] : 1)
        lw_sizes_push(modes, rest);
    return true;
}

/* Cuts the layout's modes into those of `modes`, which are finer. */
static void refine(struct lw_tilus *layout, const struct lw_sizes *modes)
{
    int first[LW_MODES_MAX + 1], part = 0;
    struct lw_tilus made = {.shape = layout->shape, .mode_shape = *modes};
    for (int i = 0; i < layout->mode_shape.count; i++) {
        first[i] = part;
        for (int64_t left = layout->mode_shape.at[i]; left > 1; part++)
            left /= modes->at[part];
    }
    first[layout->mode_shape.count] = part;
    join_parts(&made.spatial_modes, &layout->spatial_modes, first);
    join_parts(&made.local_modes, &layout->local_modes, first);
    *layout = made;
}

/* Brings both layouts to the same rank and the layout's modes to the divisor's. */
static bool align(struct division *d)
{
    struct lw_sizes modes = {0}, ones = {0};
    if (d->divisor.shape.count > d->rank)
        return indivisible(d, "it has more dims than the layout");
    while (ones.count < d->rank - d->divisor.shape.count)
        lw_sizes_push(&ones, 1);
    lw_sizes_join(&ones, &d->divisor.shape);
    d->divisor.shape = ones;
    lw_tilus_canonicalize(&d->layout, &d->layout);
    lw_tilus_canonicalize(&d->divisor, &d->divisor);
    lw_tilus_groups(&d->layout, d->rank, d->start);
    lw_tilus_groups(&d->divisor, d->rank, d->divisor_start);
    for (int dim = 0; dim < d->rank; dim++)
        if (!(d->left ? cut_first : cut_last)(d, dim, &modes)) {
            char why[96];
            snprintf(why, sizeof why, "its modes of dim %d are not the %s of the layout's", dim,
                     d->left ? "first" : "last");
            return indivisible(d, why);
        }
    refine(&d->layout, &modes);
    lw_tilus_groups(&d->layout, d->rank, d->start);
    return lw_tilus_validate(&d->layout, d->err);
}

/* Sets the `twin` of each mode of the divisor among the layout's, and a new number for each other
 * mode; the quotient gets the sizes of those. */
static void pair_modes(const struct division *d, int *twin, int *renumbered,
                       struct lw_tilus *quotient)
{
    for (int dim = 0; dim < d->rank; dim++) {
        int count = d->divisor_start[dim + 1] - d->divisor_start[dim];
        int from = d->left ? d->start[dim] : d->start[dim + 1] - count;
        for (int i = 0; i < count; i++)
            twin[d->divisor_start[dim] + i] = from + i;
        for (int i = d->start[dim]; i < d->start[dim + 1]; i++)
            if (i < from || i >= from + count) {
                renumbered[i] = quotient->mode_shape.count;
                lw_sizes_push(&quotient->mode_shape, d->layout.mode_shape.at[i]);
            }
        lw_sizes_push(&quotient->shape, d->layout.shape.at[dim] / d->divisor.shape.at[dim]);
    }
}

/* Removes the divisor's list from one end of the layout's; the rest is the quotient's. */
static bool take_off(const struct division *d, bool spatial, const int *twin, const int *renumbered,
                     struct lw_sizes *rest)
{
    const struct lw_sizes *list = spatial ? &d->layout.spatial_modes : &d->layout.local_modes;
    const struct lw_sizes *off = spatial ? &d->divisor.spatial_modes : &d->divisor.local_modes;
    int from = d->left ? 0 : list->count - off->count;
    bool fits = list->count >= off->count;
    for (int i = 0; fits && i < off->count; i++)
        fits = list->at[from + i] == (off->at[i] < 0 ? off->at[i] : twin[off->at[i]]);
    if (!fits) {
        char why[96];
        snprintf(why, sizeof why, "its %s are not the %s of the layout's",
                 spatial ? "spatial_modes" : "local_modes", d->left ? "first" : "last");
        return indivisible(d, why);
    }
    for (int i = 0; i < list->count; i++)
        if (i < from || i >= from + off->count)
            lw_sizes_push(rest, list->at[i] < 0 ? list->at[i] : renumbered[list->at[i]]);
    return true;
}

static bool divide(struct division *d, struct lw_tilus *out)
{
    int twin[LW_MODES_MAX], renumbered[LW_MODES_MAX];
    struct lw_tilus quotient = {0};
    if (!align(d))
        return false;
    pair_modes(d, twin, renumbered, &quotient);
    return take_off(d, true, twin, renumbered, &quotient.spatial_modes) &&
           take_off(d, false, twin, renumbered, &quotient.local_modes) &&
           lw_tilus_make(out, &quotient, d->err);
}

bool lw_tilus_divide(struct lw_tilus *out, const struct lw_tilus *lhs, const struct lw_tilus *rhs,
                     struct lw_error *err)
{
    struct division d = {.rank = lhs->shape.count, .layout = *lhs, .divisor = *rhs, .err = err};
    return divide(&d, out);
}

bool lw_tilus_left_divide(struct lw_tilus *out, const struct lw_tilus *layout,
                          const struct lw_tilus *lhs_divisor, struct lw_error *err)
{
    struct division d = {.left = true,
                         .rank = layout->shape.count,
                         .layout = *layout,
                         .divisor = *lhs_divisor,
                         .err = err};
    return divide(&d, out);
}
