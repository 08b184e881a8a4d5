/* tilus shared layouts as values: validation, canonical form, text, map. Invariant of a valid
 * layout: its last offset is at most 2^62, so no sum of strides overflows. Source: the Python
 * package tilus 0.2.0, module tilus.ir.layout.shared_layout. */

#include "encoding/tilus/tilus_shared.h"

#include "encoding/strides.h"

/* ---- Validation ---- */

static bool check_counts(const struct lw_tilus_shared *layout, struct lw_error *err)
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
    return true;
}

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
    return check_counts(layout, err) &&
           lw_tilus_check_modes(&layout->shape, &layout->mode_shape, err) &&
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

int64_t lw_tilus_shared_size(const struct lw_tilus_shared *layout)
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

/* "NAME(shape=[8, 32], mode_shape=[8, 32], mode_strides=[32, 1]" */
static void put_modes(struct lw_text *text, const char *name, const struct lw_tilus_shared *layout)
{
    lw_text_format(text, "%s(shape=", name);
    lw_sizes_print(text, &layout->shape);
    lw_text_add(text, ", mode_shape=");
    lw_sizes_print(text, &layout->mode_shape);
    lw_text_add(text, ", mode_strides=");
    lw_sizes_print(text, &layout->mode_strides);
}

static void put_swizzle(struct lw_text *text, const char *name,
                        const struct lw_tilus_shared *layout)
{
    lw_text_format(text, ", %s=Swizzle(base=%lld, bits=%lld, shift=%lld)", name,
                   (long long)layout->swizzle.base, (long long)layout->swizzle.bits,
                   (long long)layout->swizzle.shift);
}

void lw_tilus_shared_print(struct lw_text *text, const struct lw_tilus_shared *layout)
{
    put_modes(text, "SharedLayout", layout);
    if (layout->swizzled)
        put_swizzle(text, "swizzle", layout);
    else
        lw_text_add(text, ", swizzle=None");
    lw_text_char(text, ')');
}

void lw_tilus_shared_print_call(struct lw_text *text, const struct lw_tilus_shared *layout)
{
    put_modes(text, "shared_layout", layout);
    if (layout->swizzled)
        put_swizzle(text, "optional_swizzle", layout);
    lw_text_char(text, ')');
}
