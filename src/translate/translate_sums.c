/*
 * Memory as sums of strides, from coordinate to offset: each bit of a coordinate adds a stride,
 * after the swizzle that leaves every bit one bit of the offset. A sum is a xor when no two of its
 * terms have a bit in common, and that is checked. Source: CUTLASS 4, include/cute/layout.hpp and
 * swizzle.hpp.
 */

#include "translate/translate_parts.h"

#include <string.h>

void lw_translate_push_mode(struct lw_translate_modes *modes, uint64_t size, uint64_t stride)
{
    int last = modes->count - 1;
    if (size == 1 || modes->count == LW_MODES_MAX)
        return;
    if (last >= 0 && modes->size[last] * modes->stride[last] == (int64_t)stride) {
        modes->size[last] *= (int64_t)size;
        return;
    }
    modes->size[modes->count] = (int64_t)size;
    modes->stride[modes->count++] = (int64_t)stride;
}

/* The offset of each bit of the coordinate, dim after dim. */
struct columns {
    int count;
    uint64_t at[LW_BITS_MAX];
};

/* Undoes a swizzle. False unless every column is then a different single bit. */
static bool plain(const struct columns *columns, const struct lw_cute_swizzle *swizzle,
                  struct columns *out)
{
    uint64_t seen = 0;
    out->count = columns->count;
    for (int i = 0; i < columns->count; i++) {
        uint64_t offset = (uint64_t)lw_cute_swizzled(swizzle, (int64_t)columns->at[i]);
        if (lw_log2(offset) < 0 || (offset & seen))
            return false;
        seen |= offset;
        out->at[i] = offset;
    }
    return true;
}

/* Finds the smallest swizzle for which plain() succeeds; a swizzle of this form is its own inverse. */
static bool find_swizzle(const struct columns *columns, struct lw_cute_swizzle *swizzle,
                         struct columns *out)
{
    int total = columns->count < 30 ? columns->count : 30;
    *swizzle = (struct lw_cute_swizzle){0, 0, 0};
    if (plain(columns, swizzle, out))
        return true;
    for (int bits = 1; 2 * bits <= total; bits++)
        for (int way = 0; way < 2; way++)
            for (int shift = bits; shift + bits <= total; shift++)
                for (int base = 0; base + shift + bits <= total; base++) {
                    *swizzle = (struct lw_cute_swizzle){bits, base, way ? -shift : shift};
                    if (plain(columns, swizzle, out))
                        return true;
                }
    return false;
}

/* Turns the columns of each dim into modes. */
static bool sums_of_columns(struct lw_translate_work *work, const struct columns *columns,
                            struct lw_translate_sums *sums)
{
    const struct lw_dims *dims = &work->of->map->out;
    int at = 0;
    for (int d = 0; d < dims->count; d++)
        for (int bit = 0; bit < lw_log2(dims->dim[d].size); bit++)
            lw_translate_push_mode(&sums->dim[d], 2, columns->at[at++]);
    return true;
}

/* Reports an element at several offsets, or at none: strides cannot express that. */
static bool refuse_memory(struct lw_translate_work *work)
{
    if (!lw_layout_is_injective(&work->layout))
        return lw_translate_fail(work,
                                 "an element is at several offsets, and a coordinate has one");
    return lw_translate_fail(work, "some elements are at no offset, and every coordinate has one");
}

static bool refuse_swizzle(struct lw_translate_work *work, const struct lw_layout *inverse)
{
    struct lw_text text = {.limit = 160};
    for (int d = 0; d < inverse->in.count; d++)
        for (int bit = 0; bit < lw_layout_in_log2(inverse, d); bit++) {
            uint64_t offset = inverse->basis[lw_layout_in_shift(inverse, d) + bit];
            if (lw_log2(offset) < 0 && !text.length)
                lw_text_format(&text, "%s=%llu is at offset %llu", inverse->in.dim[d].name,
                               1ULL << bit, (unsigned long long)offset);
        }
    lw_translate_fail(work,
                      "%s: no swizzle of three numbers makes every bit of a coordinate one bit of "
                      "the offset",
                      lw_text_string(&text));
    lw_text_free(&text);
    return false;
}

static bool linear_sums(struct lw_translate_work *work, struct lw_translate_sums *sums)
{
    struct lw_layout inverse;
    struct columns columns, straight;
    if (!lw_layout_is_invertible(&work->layout))
        return refuse_memory(work);
    if (!lw_layout_invert(&inverse, &work->layout, work->err))
        return false;
    columns.count = lw_layout_in_bits(&inverse);
    memcpy(columns.at, inverse.basis, sizeof columns.at);
    return find_swizzle(&columns, &sums->swizzle, &straight)
               ? sums_of_columns(work, &straight, sums)
               : refuse_swizzle(work, &inverse);
}

/* A padded offset is the sum of the weights of its bits. */
static bool padded_sums(struct lw_translate_work *work, struct lw_translate_sums *sums)
{
    const struct lw_map *map = work->of->map;
    struct lw_layout inverse;
    struct columns columns;
    if (!lw_layout_invert(&inverse, &map->as.padded.layout, NULL))
        return lw_translate_fail(work, "memory with padding that several blocks or copies share");
    columns.count = lw_layout_in_bits(&inverse);
    int shift = lw_layout_in_shift(&map->as.padded.layout, map->as.padded.dim);
    for (int i = 0; i < columns.count; i++) {
        int bit = lw_log2(inverse.basis[i]) - shift;
        if (bit < 0)
            return lw_translate_fail(work,
                                     "swizzled memory with padding: a swizzle comes after the "
                                     "strides, padding before it");
        columns.at[i] = map->as.padded.weight[bit];
    }
    return sums_of_columns(work, &columns, sums);
}

/* The modes of a strided map, those of each dim in ascending order of divisor. */
static void strided_sums(const struct lw_strides *sum, struct lw_translate_sums *sums)
{
    uint64_t last[LW_DIMS_MAX] = {0};
    for (;;) {
        const struct lw_stride *next = NULL;
        for (int i = 0; i < sum->count; i++) {
            const struct lw_stride *m = &sum->mode[i];
            if (m->size > 1 && m->divisor > last[m->dim] && (!next || m->divisor < next->divisor))
                next = m;
        }
        if (!next)
            break;
        lw_translate_push_mode(&sums->dim[next->dim], next->size, next->stride);
        last[next->dim] = next->divisor;
    }
    sums->constant = (int64_t)sum->constant;
    sums->swizzle = (struct lw_cute_swizzle){sum->bits, sum->base, sum->shift};
}

bool lw_translate_sums(struct lw_translate_work *work, struct lw_translate_sums *sums)
{
    const struct lw_map *map = work->of->map;
    memset(sums, 0, sizeof *sums);
    if (work->linear)
        return linear_sums(work, sums);
    if (map->kind == LW_MAP_PADDED)
        return padded_sums(work, sums);
    if (map->kind != LW_MAP_STRIDED || !map->as.strided.sum.memory)
        return lw_translate_need_linear(work);
    strided_sums(&map->as.strided.sum, sums);
    return true;
}
