/*
 * tilus shared layouts: validation and canonical form, map and text, then the functions of tilus, each of which makes
 * the lists of its result; lw_tilus_shared_make checks that they are a layout. Invariant of a valid layout: its last
 * offset is at most 2^62, so no sum of strides overflows.
 * Source: the Python package tilus 0.2.0, shared_layout and ops.shared_ops of tilus.ir.layout.
 */

#include "core/divide.h"
#include "core/map_kinds.h"
#include "encoding/tilus/tilus.h"

/* ---- Validation ---- */

static bool check_strides(const struct lw_tilus_shared *layout, struct lw_error *err)
{
    int64_t last = 0, step;
    for (int i = 0; i < layout->mode_strides.count; i++) {
        int64_t stride = layout->mode_strides.at[i];
        if (stride < 0)
            return lw_tilus_refuse(err, "mode_strides", &layout->mode_strides,
                                   "the stride of mode %d is negative: there are no offsets below "
                                   "0",
                                   i);
        if (__builtin_mul_overflow(layout->mode_shape.at[i] - 1, stride, &step) ||
            __builtin_add_overflow(last, step, &last) || last >= LW_TILUS_INDEX_MODES)
            return lw_error_set(err, LW_ERROR_LIMIT, "the last offset would be over 2^62");
    }
    return true;
}

static bool check_swizzle(const struct lw_tilus_shared *layout, struct lw_error *err)
{
    const struct lw_tilus_swizzle *s = &layout->swizzle;
    if (!layout->swizzled || s->bits == 0)
        return true;
    if (s->shift < 1)
        return lw_error_about(err, "swizzle", (struct lw_position){0},
                              "swizzle: shift = %lld, but bits are moved right, by 1 at least",
                              (long long)s->shift);
    if (s->base < 0 || s->bits < 0 || s->base + s->bits + s->shift > LW_TILUS_SWIZZLE_BITS)
        return lw_error_about(err, "swizzle", (struct lw_position){0},
                              "swizzle: base + bits + shift is %lld, but offsets have %d bits",
                              (long long)(s->base + s->bits + s->shift), LW_TILUS_SWIZZLE_BITS);
    return true;
}

bool lw_tilus_shared_validate(const struct lw_tilus_shared *layout, struct lw_error *err)
{
    if (layout->shape.count > LW_RANK_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "the layout would have more than %d dims",
                            LW_RANK_MAX);
    if (layout->mode_shape.count > LW_MODES_MAX || layout->mode_strides.count > LW_MODES_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "the layout would have more than %d modes",
                            LW_MODES_MAX);
    if (layout->mode_shape.count != layout->mode_strides.count)
        return lw_tilus_refuse(err, "mode_strides", &layout->mode_strides,
                               "must have one entry for each mode, %d", layout->mode_shape.count);
    return lw_tilus_check_modes(&layout->shape, &layout->mode_shape, err) &&
           check_strides(layout, err) && check_swizzle(layout, err);
}

/* ---- Canonical form ---- */

static void drop_singletons(struct lw_tilus_shared *layout)
{
    struct lw_sizes shape = {0}, strides = {0};
    for (int i = 0; i < layout->mode_shape.count; i++)
        if (layout->mode_shape.at[i] > 1) {
            lw_sizes_push(&shape, layout->mode_shape.at[i]);
            lw_sizes_push(&strides, layout->mode_strides.at[i]);
        }
    layout->mode_shape = shape;
    layout->mode_strides = strides;
}

/* Merges modes of one dim where each continues the next. This is exactly the procedure of tilus: each mode is compared
 * with the first one that it would join, so that of three only two are merged, [2, 2, 2]:[4, 2, 1] into [4, 2]:[2,
 * 1]. */
static void merge_modes(struct lw_tilus_shared *layout)
{
    struct lw_sizes shape = {0}, strides = {0};
    const int64_t *size = layout->mode_shape.at, *stride = layout->mode_strides.at;
    int start[LW_RANK_MAX + 1];
    lw_tilus_mode_groups(&layout->shape, &layout->mode_shape, layout->shape.count, start);
    for (int dim = 0; dim < layout->shape.count; dim++)
        for (int i = start[dim], j; i < start[dim + 1]; i = j) {
            int64_t merged = size[i], step;
            for (j = i + 1; j < start[dim + 1] &&
                            !__builtin_mul_overflow(stride[j], size[j], &step) && stride[i] == step;
                 j++)
                merged *= size[j];
            lw_sizes_push(&shape, merged);
            lw_sizes_push(&strides, stride[j - 1]);
        }
    layout->mode_shape = shape;
    layout->mode_strides = strides;
}

bool lw_tilus_shared_make(struct lw_tilus_shared *out, const struct lw_tilus_shared *made,
                          struct lw_error *err)
{
    if (!lw_tilus_shared_validate(made, err))
        return false;
    *out = *made;
    drop_singletons(out);
    merge_modes(out);
    out->swizzled = made->swizzled && made->swizzle.bits != 0;
    return true;
}

/* ---- Map and text ---- */

/* One more than the last offset before the swizzle. (count_size) */
static int64_t size_of(const struct lw_tilus_shared *layout)
{
    int64_t last = 0;
    for (int i = 0; i < layout->mode_shape.count; i++)
        last += (layout->mode_shape.at[i] - 1) * layout->mode_strides.at[i];
    return last + 1;
}

bool lw_tilus_shared_to_map(const struct lw_tilus_shared *layout, struct lw_map *map,
                            struct lw_error *err)
{
    struct lw_strides strides = {.memory = true, .count = layout->mode_shape.count};
    struct lw_dims out;
    uint64_t shape[LW_RANK_MAX];
    int start[LW_RANK_MAX + 1];
    lw_tilus_mode_groups(&layout->shape, &layout->mode_shape, layout->shape.count, start);
    for (int dim = 0; dim < layout->shape.count; dim++) {
        uint64_t divisor = 1;
        shape[dim] = (uint64_t)layout->shape.at[dim];
        for (int i = start[dim + 1] - 1; i >= start[dim]; i--) {
            strides.mode[i] =
                (struct lw_stride){(uint64_t)layout->mode_shape.at[i],
                                   (uint64_t)layout->mode_strides.at[i], divisor, dim};
            divisor *= strides.mode[i].size;
        }
    }
    if (layout->swizzled && layout->swizzle.bits) {
        strides.bits = (int)layout->swizzle.bits;
        strides.base = (int)layout->swizzle.base;
        strides.shift = (int)layout->swizzle.shift;
    }
    return lw_dims_of_shape(&out, shape, layout->shape.count, err) &&
           lw_memory_map(map, &out, &strides, err);
}

void lw_tilus_shared_print(struct lw_text *text, const struct lw_tilus_shared *layout, bool call)
{
    lw_sizes_print(text, call ? "shared_layout(shape=" : "SharedLayout(shape=", &layout->shape);
    lw_sizes_print(text, ", mode_shape=", &layout->mode_shape);
    lw_sizes_print(text, ", mode_strides=", &layout->mode_strides);
    if (layout->swizzled)
        lw_text_format(text, ", %s=Swizzle(base=%lld, bits=%lld, shift=%lld)",
                       call ? "optional_swizzle" : "swizzle", (long long)layout->swizzle.base,
                       (long long)layout->swizzle.bits, (long long)layout->swizzle.shift);
    else if (!call)
        lw_text_add(text, ", swizzle=None");
    lw_text_char(text, ')');
}

/* ---- Making ---- */

/* Gives each mode, from the fastest on, the size of all faster ones. */
static bool make_dense(struct lw_tilus_shared *out, struct lw_tilus_shared *made, const int *order,
                       struct lw_error *err)
{
    int64_t stride = 1;
    made->mode_strides.count = made->mode_shape.count;
    for (int i = made->mode_shape.count - 1; i >= 0 && i < LW_MODES_MAX; i--) {
        made->mode_strides.at[order[i]] = stride;
        if (__builtin_mul_overflow(stride, made->mode_shape.at[order[i]], &stride))
            stride = 0; /* too large: lw_tilus_shared_make refuses the shape */
    }
    return lw_tilus_shared_make(out, made, err);
}

bool lw_tilus_shared_row_major(struct lw_tilus_shared *out, const struct lw_sizes *shape,
                               struct lw_error *err)
{
    struct lw_tilus_shared made = {.shape = *shape, .mode_shape = *shape};
    int order[LW_MODES_MAX];
    for (int i = 0; i < LW_MODES_MAX; i++)
        order[i] = i;
    return make_dense(out, &made, order, err);
}

bool lw_tilus_shared_column_major(struct lw_tilus_shared *out, const struct lw_sizes *shape,
                                  struct lw_error *err)
{
    struct lw_tilus_shared made = {.shape = *shape, .mode_shape = *shape};
    int order[LW_MODES_MAX];
    for (int i = 0; i < LW_MODES_MAX && i < shape->count; i++)
        order[i] = shape->count - 1 - i;
    return make_dense(out, &made, order, err);
}

/* The last two dims, m x n, must be whole tiles of 8 rows of 16 bytes. */
static bool check_tiles(const struct lw_sizes *shape, int64_t bytes, struct lw_error *err)
{
    if (bytes < 1 || bytes > 16 || bytes & (bytes - 1))
        return lw_error_about(err, "dtype_nbytes", (struct lw_position){0},
                              "dtype_nbytes = %lld: must be 1, 2, 4, 8 or 16", (long long)bytes);
    if (shape->count > LW_RANK_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "%d sizes: a layout has at most %d dims",
                            shape->count, LW_RANK_MAX);
    if (shape->count < 2)
        return lw_tilus_refuse(err, "shape", shape, "must have at least 2 dims");
    if (shape->at[shape->count - 2] % 8)
        return lw_tilus_refuse(err, "shape", shape, "dim %d must be a multiple of 8",
                               shape->count - 2);
    if (shape->at[shape->count - 1] % (16 / bytes))
        return lw_tilus_refuse(err, "shape", shape,
                               "dim %d must be a multiple of %lld: 16 bytes of elements of %lld",
                               shape->count - 1, (long long)(16 / bytes), (long long)bytes);
    return true;
}

/* Columns are cut into strips of at most 128 bytes; a strip lies row after row, its groups of 16
 * bytes in another order in each row. */
bool lw_tilus_shared_row_major_swizzle(struct lw_tilus_shared *out, const struct lw_sizes *shape,
                                       int64_t dtype_nbytes, struct lw_error *err)
{
    struct lw_tilus_shared made = {.shape = *shape, .mode_shape = *shape};
    int order[LW_MODES_MAX], last = shape->count - 1;
    if (!check_tiles(shape, dtype_nbytes, err))
        return false;
    int64_t strip = 128 / dtype_nbytes;
    while (shape->at[last] % strip)
        strip /= 2;
    made.mode_shape.at[last] = shape->at[last] / strip;
    lw_sizes_push(&made.mode_shape, strip);
    for (int i = 0; i <= last + 1; i++)
        order[i] = i;
    order[last - 1] = last;
    order[last] = last - 1;
    made.swizzle = (struct lw_tilus_swizzle){.base = lw_log2((uint64_t)(16 / dtype_nbytes)),
                                             .bits = lw_log2((uint64_t)(strip * dtype_nbytes / 16)),
                                             .shift = 3};
    made.swizzled = made.swizzle.bits > 0;
    return make_dense(out, &made, order, err);
}

/* ---- Combining and transforming ---- */

/* Appends the modes of one dim of a layout, their strides times `scale`. */
static void join_dim(struct lw_tilus_shared *made, const struct lw_tilus_shared *layout, int dim,
                     int64_t scale)
{
    int start[LW_RANK_MAX + 1];
    lw_tilus_mode_groups(&layout->shape, &layout->mode_shape, layout->shape.count, start);
    for (int i = start[dim]; i < start[dim + 1]; i++) {
        int64_t stride;
        if (__builtin_mul_overflow(layout->mode_strides.at[i], scale, &stride))
            stride = INT64_MAX;
        lw_sizes_push(&made->mode_shape, layout->mode_shape.at[i]);
        lw_sizes_push(&made->mode_strides, stride);
    }
}

bool lw_tilus_shared_compose(struct lw_tilus_shared *out, const struct lw_tilus_shared *lhs,
                             const struct lw_tilus_shared *rhs, struct lw_error *err)
{
    struct lw_tilus_shared made = {.swizzled = false};
    if (lhs->shape.count != rhs->shape.count)
        return lw_error_about(err, "rhs", (struct lw_position){0},
                              "rhs has %d dims and lhs %d: they must have equally many",
                              rhs->shape.count, lhs->shape.count);
    for (int dim = 0; dim < lhs->shape.count; dim++) {
        struct lw_sizes sizes = {.count = 2, .at = {lhs->shape.at[dim], rhs->shape.at[dim]}};
        lw_sizes_push(&made.shape, lw_sizes_product(&sizes, 0, 2));
        join_dim(&made, lhs, dim, size_of(rhs));
        join_dim(&made, rhs, dim, 1);
    }
    return lw_tilus_shared_make(out, &made, err);
}

/* The layout of some dims of another, in the order of the list. */
static bool pick_dims(struct lw_tilus_shared *out, const struct lw_tilus_shared *layout,
                      const struct lw_sizes *dims, const char *name, struct lw_error *err)
{
    struct lw_tilus_shared made = {.swizzled = layout->swizzled, .swizzle = layout->swizzle};
    bool marked[LW_MODES_MAX];
    if (!lw_tilus_mark_dims(name, dims, layout->shape.count, marked, err))
        return false;
    for (int i = 0; i < dims->count; i++) {
        lw_sizes_push(&made.shape, layout->shape.at[dims->at[i]]);
        join_dim(&made, layout, (int)dims->at[i], 1);
    }
    return lw_tilus_shared_make(out, &made, err);
}

bool lw_tilus_shared_permute(struct lw_tilus_shared *out, const struct lw_tilus_shared *layout,
                             const struct lw_sizes *dims, struct lw_error *err)
{
    if (dims->count != layout->shape.count)
        return lw_tilus_refuse(err, "dims", dims, "must have one entry for each dim, %d",
                               layout->shape.count);
    return pick_dims(out, layout, dims, "dims", err);
}

bool lw_tilus_shared_slice(struct lw_tilus_shared *out, const struct lw_tilus_shared *layout,
                           const struct lw_sizes *retain_dims, struct lw_error *err)
{
    return pick_dims(out, layout, retain_dims, "retain_dims", err);
}

/* Takes common factors off the modes, in order, until they make up the new dims. */
bool lw_tilus_shared_reshape(struct lw_tilus_shared *out, const struct lw_tilus_shared *layout,
                             const struct lw_sizes *new_shape, struct lw_error *err)
{
    struct lw_tilus_shared made = {
        .shape = *new_shape, .swizzled = layout->swizzled, .swizzle = layout->swizzle};
    struct lw_sizes left = layout->mode_shape;
    int mode = 0;
    if (lw_sizes_product(new_shape, 0, new_shape->count) !=
        lw_sizes_product(&layout->shape, 0, layout->shape.count))
        return lw_tilus_refuse(err, "new_shape", new_shape, "the numbers of elements differ");
    for (int dim = 0; dim < new_shape->count; dim++)
        for (int64_t extent = new_shape->at[dim]; extent > 1;) {
            int64_t factor = lw_common_divisor(extent, left.at[mode]);
            if (factor == 1)
                return lw_tilus_refuse(err, "new_shape", new_shape,
                                       "a mode of the layout cannot be cut along these sizes");
            extent /= factor;
            left.at[mode] /= factor;
            lw_sizes_push(&made.mode_shape, factor);
            lw_sizes_push(&made.mode_strides, left.at[mode] * layout->mode_strides.at[mode]);
            mode += left.at[mode] == 1;
        }
    return lw_tilus_shared_make(out, &made, err);
}

/* Unlike for register layouts, each entry is at most the rank of the layout itself. */
bool lw_tilus_shared_unsqueeze(struct lw_tilus_shared *out, const struct lw_tilus_shared *layout,
                               const struct lw_sizes *dims, struct lw_error *err)
{
    bool marked[LW_MODES_MAX];
    int rank = layout->shape.count + dims->count, next = 0;
    struct lw_tilus_shared made = *layout;
    if (rank > LW_RANK_MAX)
        return lw_tilus_refuse(err, "dims", dims, "%d dims with those of the layout: at most %d",
                               rank, LW_RANK_MAX);
    if (!lw_tilus_mark_dims("dims", dims, layout->shape.count + 1, marked, err))
        return false;
    made.shape.count = 0;
    for (int i = 0; i < rank; i++)
        lw_sizes_push(&made.shape, marked[i] ? 1 : layout->shape.at[next++]);
    return lw_tilus_shared_make(out, &made, err);
}

/* The buffers follow each other in memory. The result is not made canonical. */
bool lw_tilus_shared_prepend_dim(struct lw_tilus_shared *out, const struct lw_tilus_shared *layout,
                                 int64_t extent, struct lw_error *err)
{
    struct lw_tilus_shared made = *layout;
    made.shape.count = made.mode_shape.count = made.mode_strides.count = 0;
    lw_sizes_push(&made.shape, extent);
    if (extent > 1) {
        lw_sizes_push(&made.mode_shape, extent);
        lw_sizes_push(&made.mode_strides, size_of(layout));
    }
    lw_sizes_join(&made.shape, &layout->shape);
    lw_sizes_join(&made.mode_shape, &layout->mode_shape);
    lw_sizes_join(&made.mode_strides, &layout->mode_strides);
    if (!lw_tilus_shared_validate(&made, err))
        return false;
    *out = made;
    return true;
}
