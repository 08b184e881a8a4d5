/* tilus register layouts: making, composing and transforming them. Each function makes the four
 * lists of the result; lw_tilus_make checks that they are a layout.
 * Source: the Python package tilus 0.2.0, module tilus.ir.layout.ops.register_ops. */

#include "core/divide.h"
#include "encoding/tilus/tilus.h"

#include <string.h>

/* ---- Making ---- */

/* ranks is a permutation of the dims; ranks[d] is the rank of dim d, 0 the most significant. */
static bool order_of(struct lw_sizes *modes, const struct lw_sizes *shape,
                     const struct lw_sizes *ranks, struct lw_error *err)
{
    bool seen[LW_MODES_MAX] = {false};
    if (shape->count > LW_RANK_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "%d sizes: a layout has at most %d dims",
                            shape->count, LW_RANK_MAX);
    modes->count = shape->count;
    for (int i = 0; i < shape->count; i++)
        modes->at[i] = i;
    if (!ranks)
        return true;
    if (ranks->count != shape->count)
        return lw_tilus_refuse(err, "ranks", ranks, "must have one entry for each size, %d",
                               shape->count);
    for (int i = 0; i < ranks->count; i++) {
        if (ranks->at[i] < 0 || ranks->at[i] >= ranks->count || seen[ranks->at[i]])
            return lw_tilus_refuse(err, "ranks", ranks, "must be a permutation of 0 to %d",
                                   ranks->count - 1);
        seen[ranks->at[i]] = true;
        modes->at[ranks->at[i]] = i;
    }
    return true;
}

bool lw_tilus_spatial(struct lw_tilus *out, const struct lw_sizes *shape,
                      const struct lw_sizes *ranks, struct lw_error *err)
{
    struct lw_tilus made = {.shape = *shape, .mode_shape = *shape};
    return order_of(&made.spatial_modes, shape, ranks, err) && lw_tilus_make(out, &made, err);
}

bool lw_tilus_local(struct lw_tilus *out, const struct lw_sizes *shape,
                    const struct lw_sizes *ranks, struct lw_error *err)
{
    struct lw_tilus made = {.shape = *shape, .mode_shape = *shape};
    return order_of(&made.local_modes, shape, ranks, err) && lw_tilus_make(out, &made, err);
}

/* A layout without dims that `workers` threads hold. */
static struct lw_tilus copies(int64_t workers)
{
    return (struct lw_tilus){.spatial_modes = {.count = 1, .at = {-workers}}};
}

bool lw_tilus_replicated(struct lw_tilus *out, const struct lw_sizes *shape, int64_t num_workers,
                         struct lw_error *err)
{
    struct lw_tilus inner, outer = copies(num_workers);
    if (num_workers < 1)
        return lw_error_about(err, "num_workers", (struct lw_position){0},
                              "num_workers = %lld: must be at least 1", (long long)num_workers);
    return lw_tilus_local(&inner, shape, NULL, err) && lw_tilus_compose(out, &outer, &inner, err);
}

bool lw_tilus_auto_local_spatial(struct lw_tilus *out, int64_t num_threads,
                                 const struct lw_sizes *shape, struct lw_error *err)
{
    struct lw_tilus spread, kept;
    struct lw_sizes threads = {.count = shape->count}, left = *shape;
    if (!lw_tilus_local(&kept, shape, NULL, err)) /* the shape is checked here */
        return false;
    int64_t size = lw_sizes_product(shape, 0, shape->count), rest = num_threads;
    if (num_threads < 1 || (size % num_threads && num_threads % size))
        return lw_error_about(err, "num_threads", (struct lw_position){0},
                              "num_threads = %lld: must divide the number of elements, %lld, or be "
                              "a multiple of it",
                              (long long)num_threads, (long long)size);
    for (int i = shape->count - 1; i >= 0; i--) {
        threads.at[i] = lw_common_divisor(rest, left.at[i]);
        rest /= threads.at[i];
        left.at[i] /= threads.at[i];
    }
    if (!lw_tilus_local(&kept, &left, NULL, err) ||
        !lw_tilus_spatial(&spread, &threads, NULL, err) ||
        !lw_tilus_compose(out, &kept, &spread, err))
        return false;
    struct lw_tilus outer = copies(rest);
    return rest == 1 || lw_tilus_compose(out, &outer, out, err);
}

/* ---- Combining ---- */

/* Appends `modes` as they are called in a new layout: mode m is map[m]. */
static void join_mapped(struct lw_sizes *list, const struct lw_sizes *modes, const int *map)
{
    for (int i = 0; i < modes->count; i++)
        lw_sizes_push(list, modes->at[i] < 0 ? modes->at[i] : map[modes->at[i]]);
}

/* Appends the sizes of a layout's modes `from` to `to` - 1 and notes their new numbers. */
static void join_modes(struct lw_sizes *sizes, const struct lw_tilus *layout, int from, int to,
                       int *map)
{
    for (int i = from; i < to; i++) {
        map[i] = sizes->count;
        lw_sizes_push(sizes, layout->mode_shape.at[i]);
    }
}

static int64_t size_of_dim(const struct lw_tilus *layout, int rank, int dim)
{
    int own = dim - (rank - layout->shape.count);
    return own < 0 ? 1 : layout->shape.at[own];
}

bool lw_tilus_compose(struct lw_tilus *out, const struct lw_tilus *outer,
                      const struct lw_tilus *inner, struct lw_error *err)
{
    int rank = outer->shape.count > inner->shape.count ? outer->shape.count : inner->shape.count;
    int outer_start[LW_RANK_MAX + 1], inner_start[LW_RANK_MAX + 1];
    int outer_map[LW_MODES_MAX], inner_map[LW_MODES_MAX];
    struct lw_tilus made = {0};
    lw_tilus_groups(outer, rank, outer_start);
    lw_tilus_groups(inner, rank, inner_start);
    for (int dim = 0; dim < rank; dim++) {
        struct lw_sizes sizes = {
            .count = 2, .at = {size_of_dim(outer, rank, dim), size_of_dim(inner, rank, dim)}};
        lw_sizes_push(&made.shape, lw_sizes_product(&sizes, 0, 2));
        join_modes(&made.mode_shape, outer, outer_start[dim], outer_start[dim + 1], outer_map);
        join_modes(&made.mode_shape, inner, inner_start[dim], inner_start[dim + 1], inner_map);
    }
    join_mapped(&made.spatial_modes, &outer->spatial_modes, outer_map);
    join_mapped(&made.spatial_modes, &inner->spatial_modes, inner_map);
    join_mapped(&made.local_modes, &outer->local_modes, outer_map);
    join_mapped(&made.local_modes, &inner->local_modes, inner_map);
    return lw_tilus_make(out, &made, err);
}

bool lw_tilus_concat(struct lw_tilus *out, const struct lw_tilus *lhs, const struct lw_tilus *rhs,
                     struct lw_error *err)
{
    int map[LW_MODES_MAX];
    struct lw_tilus made = *lhs;
    lw_sizes_join(&made.shape, &rhs->shape);
    join_modes(&made.mode_shape, rhs, 0, rhs->mode_shape.count, map);
    join_mapped(&made.spatial_modes, &rhs->spatial_modes, map);
    join_mapped(&made.local_modes, &rhs->local_modes, map);
    return lw_tilus_make(out, &made, err);
}

/* ---- Transforming ---- */

bool lw_tilus_mark_dims(const char *name, const struct lw_sizes *dims, int rank, bool *marked,
                        struct lw_error *err)
{
    memset(marked, 0, LW_MODES_MAX * sizeof *marked);
    for (int i = 0; i < dims->count; i++) {
        int64_t dim = dims->at[i];
        if (rank == 0)
            return lw_tilus_refuse(err, name, dims, "the layout has no dims");
        if (dim < 0 || dim >= rank)
            return lw_tilus_refuse(err, name, dims, "each must be from 0 to %d", rank - 1);
        if (marked[dim])
            return lw_tilus_refuse(err, name, dims, "duplicate dim %lld", (long long)dim);
        marked[dim] = true;
    }
    return true;
}

bool lw_tilus_with_shape(struct lw_tilus *out, const struct lw_tilus *layout,
                         const struct lw_sizes *shape, struct lw_error *err)
{
    struct lw_tilus made = *layout;
    struct lw_error why;
    made.shape = *shape;
    if (!lw_tilus_validate(&made, &why)) {
        if (why.code != LW_ERROR_PARAMETER || !strcmp(why.parameter, "shape")) {
            if (err)
                *err = why;
            return false;
        }
        struct lw_text modes = {0};
        lw_sizes_print(&modes, &layout->mode_shape);
        lw_tilus_refuse(err, "shape", shape, "the modes of the layout, %s, do not make up this",
                        lw_text_string(&modes));
        lw_text_free(&modes);
        return false;
    }
    *out = made;
    return true;
}

bool lw_tilus_squeeze(struct lw_tilus *out, const struct lw_tilus *layout,
                      const struct lw_sizes *dims, struct lw_error *err)
{
    bool marked[LW_MODES_MAX];
    struct lw_sizes shape = {0};
    if (!lw_tilus_mark_dims("dims", dims, layout->shape.count, marked, err))
        return false;
    for (int i = 0; i < layout->shape.count; i++) {
        if (!marked[i])
            lw_sizes_push(&shape, layout->shape.at[i]);
        else if (layout->shape.at[i] != 1)
            return lw_tilus_refuse(err, "dims", dims, "dim %d has size %lld: it must be 1", i,
                                   (long long)layout->shape.at[i]);
    }
    return lw_tilus_with_shape(out, layout, &shape, err);
}

bool lw_tilus_unsqueeze(struct lw_tilus *out, const struct lw_tilus *layout,
                        const struct lw_sizes *dims, struct lw_error *err)
{
    bool marked[LW_MODES_MAX];
    struct lw_sizes shape = {0};
    int rank = layout->shape.count + dims->count, next = 0;
    if (rank > LW_RANK_MAX)
        return lw_tilus_refuse(err, "dims", dims, "%d dims with those of the layout: at most %d",
                               rank, LW_RANK_MAX);
    if (!lw_tilus_mark_dims("dims", dims, rank, marked, err))
        return false;
    for (int i = 0; i < rank; i++)
        lw_sizes_push(&shape, marked[i] ? 1 : layout->shape.at[next++]);
    return lw_tilus_with_shape(out, layout, &shape, err);
}

bool lw_tilus_permute(struct lw_tilus *out, const struct lw_tilus *layout,
                      const struct lw_sizes *dims, struct lw_error *err)
{
    bool marked[LW_MODES_MAX];
    int start[LW_RANK_MAX + 1], map[LW_MODES_MAX], rank = layout->shape.count;
    struct lw_tilus made = {0};
    if (dims->count != rank)
        return lw_tilus_refuse(err, "dims", dims, "must have one entry for each dim, %d", rank);
    if (!lw_tilus_mark_dims("dims", dims, rank, marked, err))
        return false;
    lw_tilus_groups(layout, rank, start);
    for (int i = 0; i < rank; i++) {
        int dim = (int)dims->at[i];
        lw_sizes_push(&made.shape, layout->shape.at[dim]);
        join_modes(&made.mode_shape, layout, start[dim], start[dim + 1], map);
    }
    join_mapped(&made.spatial_modes, &layout->spatial_modes, map);
    join_mapped(&made.local_modes, &layout->local_modes, map);
    return lw_tilus_make(out, &made, err);
}

/* A spatial mode of a reduced dim becomes copies; a local one is dropped. */
bool lw_tilus_reduce(struct lw_tilus *out, const struct lw_tilus *layout,
                     const struct lw_sizes *dims, bool keepdims, struct lw_error *err)
{
    bool marked[LW_MODES_MAX];
    int start[LW_RANK_MAX + 1], map[LW_MODES_MAX];
    struct lw_tilus made = {0};
    if (!lw_tilus_mark_dims("dims", dims, layout->shape.count, marked, err))
        return false;
    if (dims->count == 0) { /* unchanged, canonical or not */
        *out = *layout;
        return true;
    }
    lw_tilus_groups(layout, layout->shape.count, start);
    for (int dim = 0; dim < layout->shape.count; dim++) {
        if (!marked[dim] || keepdims)
            lw_sizes_push(&made.shape, marked[dim] ? 1 : layout->shape.at[dim]);
        if (!marked[dim])
            join_modes(&made.mode_shape, layout, start[dim], start[dim + 1], map);
        for (int i = start[dim]; marked[dim] && i < start[dim + 1]; i++)
            map[i] = -1;
    }
    for (int i = 0; i < layout->spatial_modes.count; i++) {
        int64_t mode = layout->spatial_modes.at[i];
        int64_t kept = mode < 0 ? mode : map[mode];
        lw_sizes_push(&made.spatial_modes,
                      mode >= 0 && kept < 0 ? -layout->mode_shape.at[mode] : kept);
    }
    for (int i = 0; i < layout->local_modes.count; i++)
        if (map[layout->local_modes.at[i]] >= 0)
            lw_sizes_push(&made.local_modes, map[layout->local_modes.at[i]]);
    return lw_tilus_make(out, &made, err);
}

/* The shapes are compared from their last dims on. As in tilus, dims that `shape` has before the layout's first one are
 * ignored. */
bool lw_tilus_reduce_to(struct lw_tilus *out, const struct lw_tilus *layout,
                        const struct lw_sizes *shape, struct lw_error *err)
{
    struct lw_sizes keep = {0}, drop = {0};
    int more = layout->shape.count - shape->count;
    for (int i = 0; i < layout->shape.count; i++) {
        if (i < more)
            lw_sizes_push(&drop, i);
        else if (shape->at[i - more] == 1 && layout->shape.at[i] != 1)
            lw_sizes_push(&keep, i);
        else if (shape->at[i - more] != layout->shape.at[i])
            return lw_tilus_refuse(err, "shape", shape,
                                   "entry %d must be 1 or %lld, the size of dim %d of the layout",
                                   i - more, (long long)layout->shape.at[i], i);
    }
    return lw_tilus_reduce(out, layout, &keep, true, err) &&
           lw_tilus_reduce(out, out, &drop, false, err);
}
