/* The digits of a layout in registers: each maps one digit of the register or thread number to
 * one digit of one index. Invariant: in-dim 0 is the register, 1 the thread; a digit that maps to
 * nothing has out_dim -1. Source: mode_shape of tilus 0.2.0. */

#include "translate/translate_parts.h"

#include <string.h>

static bool push(struct lw_translate_work *work, struct lw_translate_digits *digits,
                 struct lw_mode mode)
{
    if (digits->count == LW_MODES_MAX)
        return lw_error_set(work->err, LW_ERROR_LIMIT, "over %d modes", LW_MODES_MAX);
    digits->mode[digits->count++] = mode;
    return true;
}

/* ---- Linear layouts ---- */

static bool refuse_basis(struct lw_translate_work *work, int dim, int bit, const char *why)
{
    struct lw_text text = {.limit = 160};
    lw_translate_put_basis(&text, &work->layout, dim, bit);
    lw_translate_fail(work, "%s: %s", lw_text_string(&text), why);
    lw_text_free(&text);
    return false;
}

/* The digit of one basis. */
static bool digit_of_basis(struct lw_translate_work *work, int dim, int bit, struct lw_mode *mode)
{
    const struct lw_layout *layout = &work->layout;
    uint64_t image[LW_DIMS_MAX], index = (uint64_t)1 << bit;
    lw_layout_basis(layout, dim, bit, image);
    mode->size = 2;
    mode->in_dim = dim > 0;
    mode->in_stride = dim == 2 ? index * layout->in.dim[1].size : index;
    mode->out_dim = -1;
    mode->out_stride = 0;
    for (int d = 0; d < layout->out.count; d++) {
        if (!image[d])
            continue;
        if (mode->out_dim >= 0)
            return refuse_basis(work, dim, bit,
                                "it moves in two dims, and a mode is part of one dim");
        if (lw_log2(image[d]) < 0)
            return refuse_basis(work, dim, bit,
                                "it flips two bits of an index, and a mode is one digit");
        mode->out_dim = d;
        mode->out_stride = image[d];
    }
    return true;
}

static bool digits_of_layout(struct lw_translate_work *work, struct lw_translate_digits *digits)
{
    const struct lw_layout *layout = &work->layout;
    uint64_t seen = 0;
    for (int dim = 0; dim < 3; dim++)
        for (int bit = 0; bit < lw_layout_in_log2(layout, dim); bit++) {
            struct lw_mode mode;
            uint64_t basis = layout->basis[lw_layout_in_shift(layout, dim) + bit];
            if (!digit_of_basis(work, dim, bit, &mode))
                return false;
            if (basis & seen)
                return refuse_basis(
                    work, dim, bit,
                    "another basis moves the same bit, but two modes cannot use the same bit");
            seen |= basis;
            if (!push(work, digits, mode))
                return false;
        }
    digits->warp = layout->in.dim[1].size;
    return true;
}

/* ---- Sums of strides ---- */

/* Splits a mode whose stride is in elements, the first dim fastest, into one mode for each dim. */
static bool split_stride(struct lw_translate_work *work, const struct lw_stride *m,
                         struct lw_translate_digits *digits)
{
    const struct lw_dims *out = &work->of->map->out;
    uint64_t size = m->size, stride = m->stride, divisor = m->divisor, unit = 1;
    if (m->stride == 0)
        return push(work, digits, (struct lw_mode){size, divisor, 0, m->dim, -1});
    for (int d = 0; d < out->count && size > 1; d++) {
        uint64_t end = unit * out->dim[d].size;
        if (stride < end) {
            uint64_t part = end / stride < size ? end / stride : size;
            if (stride % unit || end % stride || size % part)
                return lw_translate_fail(
                    work,
                    "a mode of size %llu and stride %llu is not one digit of an "
                    "index",
                    (unsigned long long)m->size, (unsigned long long)m->stride);
            struct lw_mode mode = {part, divisor, stride / unit, m->dim, d};
            if (part > 1 && !push(work, digits, mode))
                return false;
            divisor *= part;
            size /= part;
            stride *= part;
        }
        unit = end;
    }
    return true;
}

static bool digits_of_strides(struct lw_translate_work *work, struct lw_translate_digits *digits)
{
    const struct lw_strides *sum = &work->of->map->as.strided.sum;
    if (sum->memory || sum->constant || sum->bits)
        return lw_translate_need_linear(work);
    for (int i = 0; i < sum->count; i++)
        if (!split_stride(work, &sum->mode[i], digits))
            return false;
    return true;
}

bool lw_translate_digits(struct lw_translate_work *work, struct lw_translate_digits *digits)
{
    const struct lw_map *map = work->of->map;
    digits->count = 0;
    digits->warp = 0;
    if (work->linear)
        return digits_of_layout(work, digits);
    if (map->kind == LW_MAP_STRIDED)
        return digits_of_strides(work, digits);
    if (map->kind != LW_MAP_MIXED)
        return lw_translate_need_linear(work);
    digits->count = map->as.mixed.count;
    memcpy(digits->mode, map->as.mixed.mode, (size_t)digits->count * sizeof *digits->mode);
    return true;
}
