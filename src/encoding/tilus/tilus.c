/*
 * tilus register layouts: validation and canonical form, map and text, then the functions of tilus, each of which
 * makes the four lists of its result; lw_tilus_make checks that they are a layout.
 * Invariant of a valid layout: shape's product times all copies is at most 2^62, so no product of sizes overflows.
 * Source: the Python package tilus 0.2.0, register_layout and ops.register_ops of tilus.ir.layout.
 */

#include "core/divide.h"
#include "encoding/tilus/tilus.h"

#include <stdio.h>
#include <string.h>

/* ---- Lists ---- */

void lw_sizes_push(struct lw_sizes *list, int64_t number)
{
    if (list->count < LW_MODES_MAX)
        list->at[list->count] = number;
    if (list->count <= LW_MODES_MAX)
        list->count++;
}

void lw_sizes_join(struct lw_sizes *list, const struct lw_sizes *more)
{
    for (int i = 0; i < more->count; i++)
        lw_sizes_push(list, more->at[i]);
}

bool lw_sizes_equal(const struct lw_sizes *a, const struct lw_sizes *b)
{
    return a->count == b->count && !memcmp(a->at, b->at, (size_t)a->count * sizeof *a->at);
}

int64_t lw_sizes_product(const struct lw_sizes *list, int from, int to)
{
    int64_t product = 1;
    for (int i = from; i < to; i++)
        if (__builtin_mul_overflow(product, list->at[i], &product) ||
            product > LW_TILUS_INDEX_MODES)
            return INT64_MAX;
    return product;
}

void lw_sizes_print(struct lw_text *text, const char *before, const struct lw_sizes *list)
{
    lw_text_format(text, "%s[", before);
    for (int i = 0; i < list->count; i++)
        lw_text_format(text, "%s%lld", i ? ", " : "", (long long)list->at[i]);
    lw_text_char(text, ']');
}

/* ---- Errors ---- */

bool lw_tilus_refuse(struct lw_error *err, const char *parameter, const struct lw_sizes *value,
                     const char *format, ...)
{
    char why[LW_MESSAGE_MAX];
    struct lw_text text = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    lw_sizes_print(&text, "", value);
    if (text.length > 200) { /* the reason must fit in the message too */
        lw_text_cut(&text, 196);
        lw_text_add(&text, "...]");
    }
    lw_error_about(err, parameter, (struct lw_position){0}, "%s = %s: %s", parameter,
                   lw_text_string(&text), why);
    lw_text_free(&text);
    return false;
}

/* ---- Validation ---- */

static bool check_sizes(const struct lw_sizes *shape, const struct lw_sizes *mode_shape,
                        struct lw_error *err)
{
    for (int i = 0; i < shape->count; i++)
        if (shape->at[i] < 1)
            return lw_tilus_refuse(err, "shape", shape, "each size must be at least 1");
    for (int i = 0; i < mode_shape->count; i++)
        if (mode_shape->at[i] < 1)
            return lw_tilus_refuse(err, "mode_shape", mode_shape, "each size must be at least 1");
    return true;
}

/* The modes of each dim multiply to its size. */
static bool make_up(const struct lw_sizes *shape, const struct lw_sizes *modes,
                    struct lw_error *err)
{
    int mode = 0;
    for (int dim = 0; dim < shape->count; dim++) {
        int64_t left = shape->at[dim];
        for (; left > 1; mode++) {
            if (mode == modes->count)
                return lw_tilus_refuse(err, "mode_shape", modes,
                                       "the modes end before dim %d of size %lld is made up", dim,
                                       (long long)shape->at[dim]);
            if (left % modes->at[mode])
                return lw_tilus_refuse(err, "mode_shape", modes,
                                       "mode %d of size %lld does not divide %lld, what is left of "
                                       "dim %d of size %lld",
                                       mode, (long long)modes->at[mode], (long long)left, dim,
                                       (long long)shape->at[dim]);
            left /= modes->at[mode];
        }
    }
    for (; mode < modes->count; mode++)
        if (modes->at[mode] != 1)
            return lw_tilus_refuse(err, "mode_shape", modes,
                                   "no dim is left for mode %d of size %lld", mode,
                                   (long long)modes->at[mode]);
    return true;
}

bool lw_tilus_check_modes(const struct lw_sizes *shape, const struct lw_sizes *mode_shape,
                          struct lw_error *err)
{
    if (!check_sizes(shape, mode_shape, err))
        return false;
    if (lw_sizes_product(shape, 0, shape->count) > LW_TILUS_INDEX_MODES)
        return lw_error_set(err, LW_ERROR_LIMIT, "the layout would have more than 2^62 elements");
    return make_up(shape, mode_shape, err);
}

static bool mark_modes(const struct lw_tilus *layout, bool spatial, bool *used,
                       struct lw_error *err)
{
    const char *name = spatial ? "spatial_modes" : "local_modes";
    const struct lw_sizes *list = spatial ? &layout->spatial_modes : &layout->local_modes;
    for (int i = 0; i < list->count; i++) {
        int64_t mode = list->at[i];
        if (spatial && mode < 0)
            continue;
        if (mode < 0 || mode >= layout->mode_shape.count)
            return lw_tilus_refuse(err, name, list, "no mode %lld: there are %d, counted from 0",
                                   (long long)mode, layout->mode_shape.count);
        if (used[mode])
            return lw_tilus_refuse(err, name, list,
                                   "duplicate mode %lld: a mode is either spatial or local, "
                                   "and once",
                                   (long long)mode);
        used[mode] = true;
    }
    return true;
}

bool lw_tilus_validate(const struct lw_tilus *layout, struct lw_error *err)
{
    bool used[LW_MODES_MAX] = {false};
    if (layout->shape.count > LW_RANK_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "the layout would have more than %d dims",
                            LW_RANK_MAX);
    if (layout->mode_shape.count > LW_MODES_MAX || layout->spatial_modes.count > LW_MODES_MAX ||
        layout->local_modes.count > LW_MODES_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "the layout would have more than %d modes",
                            LW_MODES_MAX);
    if (!check_sizes(&layout->shape, &layout->mode_shape, err))
        return false;
    int64_t indices = lw_sizes_product(&layout->shape, 0, layout->shape.count);
    for (int i = 0; i < layout->spatial_modes.count; i++) {
        int64_t mode = layout->spatial_modes.at[i];
        if (mode < 0 &&
            (mode < -LW_TILUS_INDEX_MODES || __builtin_mul_overflow(indices, -mode, &indices)))
            indices = INT64_MAX;
    }
    if (indices > LW_TILUS_INDEX_MODES)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "the layout would have more than 2^62 elements, copies counted");
    if (!make_up(&layout->shape, &layout->mode_shape, err) ||
        !mark_modes(layout, true, used, err) || !mark_modes(layout, false, used, err))
        return false;
    for (int i = 0; i < layout->mode_shape.count; i++)
        if (!used[i] && layout->mode_shape.at[i] > 1)
            return lw_tilus_refuse(err, "mode_shape", &layout->mode_shape,
                                   "mode %d of size %lld is neither in spatial_modes nor in "
                                   "local_modes",
                                   i, (long long)layout->mode_shape.at[i]);
    return true;
}

/* ---- Canonical form ---- */

/* Replaces each mode of `list` by map[mode]; modes whose map is -1 are removed. */
static void rename_modes(struct lw_sizes *list, const int *map)
{
    struct lw_sizes renamed = {0};
    for (int i = 0; i < list->count; i++)
        if (list->at[i] < 0)
            lw_sizes_push(&renamed, list->at[i]);
        else if (map[list->at[i]] >= 0)
            lw_sizes_push(&renamed, map[list->at[i]]);
    *list = renamed;
}

static void drop_singletons(struct lw_tilus *layout)
{
    int map[LW_MODES_MAX];
    struct lw_sizes kept = {0};
    for (int i = 0; i < layout->mode_shape.count; i++) {
        map[i] = layout->mode_shape.at[i] > 1 ? kept.count : -1;
        if (map[i] >= 0)
            lw_sizes_push(&kept, layout->mode_shape.at[i]);
    }
    layout->mode_shape = kept;
    rename_modes(&layout->spatial_modes, map);
    rename_modes(&layout->local_modes, map);
}

/* Sets follows[m] when mode m comes directly after mode m-1 in its list, spatial or local. */
static void mark_followers(const struct lw_sizes *list, bool *follows)
{
    for (int i = 1; i < list->count; i++)
        if (list->at[i] > 0 && list->at[i - 1] == list->at[i] - 1)
            follows[list->at[i]] = true;
}

static void merge_contiguous(struct lw_tilus *layout)
{
    int map[LW_MODES_MAX], start[LW_RANK_MAX + 1];
    bool follows[LW_MODES_MAX] = {false};
    struct lw_sizes merged = {0};
    mark_followers(&layout->spatial_modes, follows);
    mark_followers(&layout->local_modes, follows);
    lw_tilus_groups(layout, layout->shape.count, start);
    for (int dim = 0; dim < layout->shape.count; dim++)
        for (int i = start[dim]; i < start[dim + 1]; i++) {
            if (i > start[dim] && follows[i]) {
                map[i] = -1;
                merged.at[merged.count - 1] *= layout->mode_shape.at[i];
            } else {
                map[i] = merged.count;
                lw_sizes_push(&merged, layout->mode_shape.at[i]);
            }
        }
    layout->mode_shape = merged;
    rename_modes(&layout->spatial_modes, map);
    rename_modes(&layout->local_modes, map);
}

void lw_tilus_canonicalize(struct lw_tilus *out, const struct lw_tilus *layout)
{
    *out = *layout;
    drop_singletons(out);
    merge_contiguous(out);
}

bool lw_tilus_make(struct lw_tilus *out, const struct lw_tilus *made, struct lw_error *err)
{
    if (!lw_tilus_validate(made, err))
        return false;
    lw_tilus_canonicalize(out, made);
    return true;
}

bool lw_tilus_equal(const struct lw_tilus *a, const struct lw_tilus *b)
{
    return lw_sizes_equal(&a->shape, &b->shape) && lw_sizes_equal(&a->mode_shape, &b->mode_shape) &&
           lw_sizes_equal(&a->spatial_modes, &b->spatial_modes) &&
           lw_sizes_equal(&a->local_modes, &b->local_modes);
}

void lw_tilus_mode_groups(const struct lw_sizes *shape, const struct lw_sizes *mode_shape, int rank,
                          int *start)
{
    int mode = 0, pad = rank - shape->count;
    for (int dim = 0; dim < rank; dim++) {
        start[dim] = mode;
        for (int64_t left = dim < pad ? 1 : shape->at[dim - pad]; left > 1; mode++)
            left /= mode_shape->at[mode];
    }
    start[rank] = mode;
}

void lw_tilus_groups(const struct lw_tilus *layout, int rank, int *start)
{
    lw_tilus_mode_groups(&layout->shape, &layout->mode_shape, rank, start);
}

/* ---- Map and text ---- */

/* Sets the stride of each mode in input dim `in_dim`, and returns that dim's size. Each negative
 * mode, a count of copies, becomes one more mode, from *count on. */
static uint64_t fill_inputs(const struct lw_sizes *list, int in_dim, struct lw_mode *modes,
                            int *count)
{
    uint64_t stride = 1;
    for (int i = list->count - 1; i >= 0; i--) {
        if (list->at[i] == -1)
            continue;
        struct lw_mode *mode = list->at[i] < 0 ? &modes[(*count)++] : &modes[list->at[i]];
        if (list->at[i] < 0)
            *mode =
                (struct lw_mode){.size = (uint64_t)-list->at[i], .out_dim = -1, .out_stride = 1};
        mode->in_dim = in_dim;
        mode->in_stride = stride;
        stride *= mode->size;
    }
    return stride;
}

bool lw_tilus_to_map(const struct lw_tilus *layout, struct lw_map *map, struct lw_error *err)
{
    struct lw_mode modes[2 * LW_MODES_MAX] = {{0}};
    struct lw_dims in, out;
    uint64_t shape[LW_RANK_MAX];
    int count = layout->mode_shape.count, start[LW_RANK_MAX + 1];
    in.count = 0;
    lw_tilus_groups(layout, layout->shape.count, start);
    for (int dim = 0; dim < layout->shape.count; dim++) {
        shape[dim] = (uint64_t)layout->shape.at[dim];
        for (int i = start[dim]; i < start[dim + 1]; i++) {
            modes[i].size = (uint64_t)layout->mode_shape.at[i];
            modes[i].out_dim = dim;
            modes[i].out_stride =
                (uint64_t)lw_sizes_product(&layout->mode_shape, i + 1, start[dim + 1]);
        }
    }
    uint64_t local = fill_inputs(&layout->local_modes, 0, modes, &count);
    uint64_t thread = fill_inputs(&layout->spatial_modes, 1, modes, &count);
    return lw_dims_add(&in, "local", local, err) && lw_dims_add(&in, "thread", thread, err) &&
           lw_dims_of_shape(&out, shape, layout->shape.count, err) &&
           lw_map_from_modes(map, &in, &out, modes, count, err);
}

void lw_tilus_print(struct lw_text *text, const struct lw_tilus *layout, bool call)
{
    lw_sizes_print(text, call ? "register_layout(shape=" : "RegisterLayout(shape=", &layout->shape);
    lw_sizes_print(text, ", mode_shape=", &layout->mode_shape);
    lw_sizes_print(text, ", spatial_modes=", &layout->spatial_modes);
    lw_sizes_print(text, ", local_modes=", &layout->local_modes);
    lw_text_char(text, ')');
}

/* ---- Making ---- */

/* ranks is a permutation of the dims; ranks[d] is the rank of dim d, 0 the most significant. */
static bool order_of(struct lw_sizes *modes, const struct lw_sizes *shape,
                     const struct lw_sizes *ranks, struct lw_error *err)
{
    bool seen[LW_MODES_MAX];
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
    if (!lw_tilus_mark_dims("ranks", ranks, ranks->count, seen, err))
        return false;
    for (int i = 0; i < ranks->count; i++)
        modes->at[ranks->at[i]] = i;
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

/* Appends both lists of a layout as its modes are called in a new one: mode m is map[m]. Of modes with -1 the spatial
 * ones become copies. */
static void join_lists(struct lw_tilus *made, const struct lw_tilus *layout, const int *map)
{
    for (int i = 0; i < layout->spatial_modes.count; i++) {
        int64_t mode = layout->spatial_modes.at[i], kept = mode < 0 ? mode : map[mode];
        lw_sizes_push(&made->spatial_modes,
                      mode >= 0 && kept < 0 ? -layout->mode_shape.at[mode] : kept);
    }
    for (int i = 0; i < layout->local_modes.count; i++)
        if (map[layout->local_modes.at[i]] >= 0)
            lw_sizes_push(&made->local_modes, map[layout->local_modes.at[i]]);
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
    join_lists(&made, outer, outer_map);
    join_lists(&made, inner, inner_map);
    return lw_tilus_make(out, &made, err);
}

bool lw_tilus_concat(struct lw_tilus *out, const struct lw_tilus *lhs, const struct lw_tilus *rhs,
                     struct lw_error *err)
{
    int map[LW_MODES_MAX];
    struct lw_tilus made = *lhs;
    lw_sizes_join(&made.shape, &rhs->shape);
    join_modes(&made.mode_shape, rhs, 0, rhs->mode_shape.count, map);
    join_lists(&made, rhs, map);
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
    made.shape = *shape;
    if (!lw_tilus_validate(&made, err))
        return false;
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
    join_lists(&made, layout, map);
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
    join_lists(&made, layout, map);
    return lw_tilus_make(out, &made, err);
}

/* The shapes are compared from their last dims on. As in tilus, dims that `shape` has before the layout's first one
 * are ignored. */
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
    if (lw_sizes_product(shape, 0, shape->count) !=
        lw_sizes_product(&layout->shape, 0, layout->shape.count))
        return lw_tilus_refuse(err, "shape", shape, "the numbers of elements differ");
    lw_tilus_canonicalize(&whole, layout);
    if (!cut_modes(&made, &whole, first))
        return lw_tilus_refuse(err, "shape", shape,
                               "a mode of the layout cannot be cut along these sizes");
    join_parts(&made.spatial_modes, &whole.spatial_modes, first);
    join_parts(&made.local_modes, &whole.local_modes, first);
    return lw_tilus_make(out, &made, err);
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

static const char first_modes[] = "its modes are not the first of the layout's";
static const char last_modes[] = "its modes are not the last of the layout's";

static bool indivisible(const struct division *d, const char *why)
{
    struct lw_text text = {0};
    lw_tilus_print(&text, &d->divisor, false);
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
        if (!(d->left ? cut_first : cut_last)(d, dim, &modes))
            return indivisible(d, d->left ? first_modes : last_modes);
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
    if (!fits)
        return indivisible(d, d->left ? first_modes : last_modes);
    for (int i = 0; i < list->count; i++)
        if (i < from || i >= from + off->count)
            lw_sizes_push(rest, list->at[i] < 0 ? list->at[i] : renumbered[list->at[i]]);
    return true;
}

bool lw_tilus_divide(struct lw_tilus *out, const struct lw_tilus *layout,
                     const struct lw_tilus *divisor, bool left, struct lw_error *err)
{
    struct division d = {.left = left,
                         .rank = layout->shape.count,
                         .layout = *layout,
                         .divisor = *divisor,
                         .err = err};
    int twin[LW_MODES_MAX], renumbered[LW_MODES_MAX];
    struct lw_tilus quotient = {0};
    if (!align(&d))
        return false;
    pair_modes(&d, twin, renumbered, &quotient);
    return take_off(&d, true, twin, renumbered, &quotient.spatial_modes) &&
           take_off(&d, false, twin, renumbered, &quotient.local_modes) &&
           lw_tilus_make(out, &quotient, err);
}
