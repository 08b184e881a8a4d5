/* tilus register layouts as values: lists, validation, canonical form, text, map. Invariant of a
 * valid layout: shape's product times all copies is at most 2^62, so no product of sizes overflows.
 * Source: the Python package tilus 0.2.0, module tilus.ir.layout.register_layout. */

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

void lw_sizes_print(struct lw_text *text, const struct lw_sizes *list)
{
    lw_text_char(text, '[');
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
    lw_sizes_print(&text, value);
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

static bool check_counts(const struct lw_tilus *layout, struct lw_error *err)
{
    if (layout->shape.count > LW_RANK_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "the layout would have more than %d dims",
                            LW_RANK_MAX);
    if (layout->mode_shape.count > LW_MODES_MAX || layout->spatial_modes.count > LW_MODES_MAX ||
        layout->local_modes.count > LW_MODES_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "the layout would have more than %d modes",
                            LW_MODES_MAX);
    return true;
}

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

static bool check_index_modes(const struct lw_tilus *layout, struct lw_error *err)
{
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
            return lw_tilus_refuse(err, name, list, "no mode %lld: there are %d%s", (long long)mode,
                                   layout->mode_shape.count,
                                   layout->mode_shape.count ? ", counted from 0" : "");
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
    if (!check_counts(layout, err) || !check_sizes(&layout->shape, &layout->mode_shape, err) ||
        !check_index_modes(layout, err) || !make_up(&layout->shape, &layout->mode_shape, err) ||
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

/* The stride of each mode in an index of its dim. */
static void fill_outputs(const struct lw_tilus *layout, struct lw_mode *modes)
{
    int start[LW_RANK_MAX + 1];
    lw_tilus_groups(layout, layout->shape.count, start);
    for (int dim = 0; dim < layout->shape.count; dim++)
        for (int i = start[dim]; i < start[dim + 1]; i++) {
            modes[i].size = (uint64_t)layout->mode_shape.at[i];
            modes[i].out_dim = dim;
            modes[i].out_stride =
                (uint64_t)lw_sizes_product(&layout->mode_shape, i + 1, start[dim + 1]);
        }
}

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
    int count = layout->mode_shape.count;
    in.count = 0;
    for (int i = 0; i < layout->shape.count; i++)
        shape[i] = (uint64_t)layout->shape.at[i];
    fill_outputs(layout, modes);
    uint64_t local = fill_inputs(&layout->local_modes, 0, modes, &count);
    uint64_t thread = fill_inputs(&layout->spatial_modes, 1, modes, &count);
    return lw_dims_add(&in, "local", local, err) && lw_dims_add(&in, "thread", thread, err) &&
           lw_dims_of_shape(&out, shape, layout->shape.count, err) &&
           lw_map_from_modes(map, &in, &out, modes, count, err);
}

void lw_tilus_print(struct lw_text *text, const struct lw_tilus *layout)
{
    lw_text_add(text, "RegisterLayout(shape=");
    lw_sizes_print(text, &layout->shape);
    lw_text_add(text, ", mode_shape=");
    lw_sizes_print(text, &layout->mode_shape);
    lw_text_add(text, ", spatial_modes=");
    lw_sizes_print(text, &layout->spatial_modes);
    lw_text_add(text, ", local_modes=");
    lw_sizes_print(text, &layout->local_modes);
    lw_text_char(text, ')');
}
