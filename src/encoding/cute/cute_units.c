/* Swizzles and their units, and layouts counted in other elements. Source:
 * include/cute/swizzle_layout.hpp and pointer_flagged.hpp of CUTLASS 4. */

#include "core/divide.h"
#include "core/unused.h"
#include "encoding/cute/cute_parts.h"

#include <stdlib.h>

bool lw_cute_swizzle_check(const struct lw_cute_swizzle *s, struct lw_error *err)
{
    int shift = abs(s->shift);
    if (s->bits < 0 || s->bits > 30 || s->base < 0 || s->base > 30 || shift > 30)
        return lw_error_set(err, LW_ERROR_PARAMETER,
                            "Swizzle<%d,%d,%d>: bits and base are from 0 to 30, the shift from -30 "
                            "to 30",
                            s->bits, s->base, s->shift);
    if (shift < s->bits)
        return lw_error_set(err, LW_ERROR_PARAMETER,
                            "Swizzle<%d,%d,%d>: a shift of %d is less than the %d bits: they would "
                            "be swizzled into themselves; from %d on, or -%d, they are not",
                            s->bits, s->base, s->shift, s->shift, s->bits, s->bits, s->bits);
    return true;
}

int64_t lw_cute_swizzled(const struct lw_cute_swizzle *s, int64_t offset)
{
    int64_t mask = ((int64_t)1 << s->bits) - 1;
    if (s->shift >= 0)
        return offset ^ ((offset >> (s->base + s->shift) & mask) << s->base);
    return offset ^ ((offset >> s->base & mask) << (s->base - s->shift));
}

/* Counted in elements n times as wide, or as narrow. */
static bool swizzle_cast(const struct lw_cute_swizzle *s, int64_t n, bool up,
                         struct lw_cute_swizzle *out, struct lw_error *err)
{
    int log2 = lw_log2((uint64_t)n);
    if (log2 < 0)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "Swizzle<%d,%d,%d>: the unit of a swizzle must be 1/2^n of an element, not 1/%lld",
            s->bits, s->base, s->shift, (long long)n);
    *out = *s;
    out->base += up ? -log2 : log2;
    if (out->base < 0) { /* bits within an element */
        out->bits = out->bits + out->base > 0 ? out->bits + out->base : 0;
        out->base = 0;
    }
    return up || lw_cute_swizzle_check(out, err);
}

/* From a count of `from` bits to one of `to` bits. */
static bool swizzle_recast(const struct lw_cute_swizzle *s, int from, int to,
                           struct lw_cute_swizzle *out, struct lw_error *err)
{
    if (to % from == 0 || from % to == 0)
        return swizzle_cast(s, to > from ? to / from : from / to, to > from, out, err);
    return lw_error_set(
        err, LW_ERROR_UNSUPPORTED,
        "elements of %d bits: a swizzle that counts bytes cannot be converted to these", to);
}

bool lw_cute_in_elements(const struct lw_cute *cute, struct lw_cute *out, struct lw_error *err)
{
    *out = *cute;
    if (!cute->composed || !cute->pointer)
        return true;
    out->pointer = 0;
    out->offset = 0;
    out->fixed = true;
    if (!swizzle_recast(&cute->swizzle, 8, cute->pointer, &out->swizzle, err))
        return false;
    out->composed = out->swizzle.bits > 0;
    return true;
}

bool lw_cute_in_bytes(const struct lw_cute *cute, int bits, struct lw_cute *out,
                      struct lw_error *err)
{
    *out = *cute;
    if (!cute->composed || (cute->pointer && (!bits || bits == cute->pointer)))
        return true;
    if (bits <= 0 || bits > 1024)
        return lw_error_set(err, LW_ERROR_PARAMETER,
                            "elements of %d bits: must have from 1 to 1024 bits to count bytes",
                            bits);
    if (cute->pointer)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "the layout has smem_ptr[%db], so its elements do not have %d bits",
                            cute->pointer, bits);
    if (cute->offset)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "the offset %lld cannot be written in the form that counts bytes",
                            (long long)cute->offset);
    out->pointer = bits;
    struct lw_cute_swizzle back;
    if (!swizzle_recast(&cute->swizzle, bits, 8, &out->swizzle, err) ||
        !swizzle_recast(&out->swizzle, 8, bits, &back, err))
        return false;
    return (back.bits == cute->swizzle.bits && back.base == cute->swizzle.base) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "Swizzle<%d,%d,%d> moves elements of %d bits within a byte, which a "
                        "swizzle of bytes cannot express",
                        cute->swizzle.bits, cute->swizzle.base, cute->swizzle.shift, bits);
}

/* ---- Recasting ---- */

static bool upcast_leaf(struct lw_cute_work *work, const struct lw_cute_layout *leaf, int64_t n,
                        struct lw_cute_layout *out)
{
    int64_t size = leaf->shape.value, stride = leaf->stride.value;
    *out = *leaf;
    if (stride == 0)
        return true;
    if (!leaf->stride.fixed && work->rules != LW_CUTE_VALUES) {
        out->stride = lw_cute_integer(stride / n, false);
        return stride % n == 0 || work->rules == LW_CUTE_UNCHECKED ||
               lw_error_at(work->err, LW_ERROR_SHAPE, leaf->stride.position,
                           "recast: a stride that is not static is taken for one of whole "
                           "elements, and %lld is not a multiple of %lld",
                           (long long)stride, (long long)n);
    }
    if (stride % n && n % stride && work->rules == LW_CUTE_UNCHECKED)
        return lw_error_at(work->err, LW_ERROR_SHAPE, leaf->stride.position,
                           "CuTe does not compile this: the Divisibility condition of upcast");
    if (stride % n && n % stride)
        return lw_error_at(work->err, LW_ERROR_SHAPE, leaf->stride.position,
                           "recast: mode %lld:%lld in elements %lld times as wide: neither number "
                           "divides the other",
                           (long long)size, (long long)stride, (long long)n);
    int64_t step = llabs(stride), joined = step < n ? n / step : 1;
    if (size > 1 && size % joined && joined % size && work->rules != LW_CUTE_UNCHECKED)
        return lw_error_at(work->err, LW_ERROR_SHAPE, leaf->shape.position,
                           "recast: one element would take %lld steps of mode %lld:%lld, which do "
                           "not divide the mode",
                           (long long)joined, (long long)size, (long long)stride);
    out->shape.value = (size - 1) / joined + 1;
    out->stride.value = ((step - 1) / n + 1) * (stride < 0 ? -1 : 1);
    return true;
}

/* Whether a mode is known to have the stride 1. */
static bool is_adjacent(const struct lw_cute_work *work, const struct lw_cute_tuple *stride)
{
    return llabs(stride->value) == 1 && (stride->fixed || work->rules == LW_CUTE_VALUES);
}

static bool downcast_leaf(struct lw_cute_work *work, const struct lw_cute_layout *leaf, int64_t n,
                          struct lw_cute_layout *out)
{
    bool adjacent = is_adjacent(work, &leaf->stride);
    *out = *leaf;
    return !__builtin_mul_overflow(adjacent ? leaf->shape.value : leaf->stride.value, n,
                                   adjacent ? &out->shape.value : &out->stride.value) ||
           lw_cute_too_large(work, "recast: a number");
}

/* By how much elements are wider, or narrower. */
struct cast {
    int64_t n;
    bool up;
};

static bool cast(struct lw_cute_work *work, const struct lw_cute_layout *a, LW_UNUSED int i,
                 void *context, struct lw_cute_layout *out)
{
    const struct cast *by = context;
    if (a->shape.count >= 0)
        return lw_cute_each_mode(work, a, a->shape.count, cast, context, out);
    return by->up ? upcast_leaf(work, a, by->n, out) : downcast_leaf(work, a, by->n, out);
}

static bool has_adjacent(const struct lw_cute_work *work, const struct lw_cute_tuple *stride)
{
    bool has = stride->count < 0 && is_adjacent(work, stride);
    for (int i = 0; i < stride->count && !has; i++)
        has = has_adjacent(work, &stride->items[i]);
    return has;
}

/* A counted in elements that are n times as wide, or as narrow. */
static bool recast(struct lw_cute_work *work, const struct lw_cute_layout *a, int64_t n, bool up,
                   struct lw_cute_layout *out)
{
    struct cast by = {n, up};
    if (n < 1 || n > LW_CUTE_MAX)
        return lw_error_set(work->err, LW_ERROR_PARAMETER, "recast by %lld: must be from 1 to 2^62",
                            (long long)n);
    if (!up && !has_adjacent(work, &a->stride))
        return lw_error_at(
            work->err, LW_ERROR_SHAPE, a->stride.position,
            "recast to narrower elements: the layout must have a mode of stride 1, and has none");
    return cast(work, a, 0, &by, out);
}

bool lw_cute_upcast(struct lw_cute_work *work, const struct lw_cute_layout *a, int64_t n,
                    struct lw_cute_layout *out)
{
    return recast(work, a, n, true, out);
}

/* An offset, counted in the other elements. */
static bool cast_offset(struct lw_cute_work *work, int64_t n, bool up, const char *what,
                        int64_t *offset)
{
    if (up && *offset % n)
        return lw_error_set(work->err, LW_ERROR_PARAMETER,
                            "recast: the %s %lld is not a multiple of %lld", what,
                            (long long)*offset, (long long)n);
    if (!up && *offset > LW_CUTE_MAX / n)
        return lw_error_set(work->err, LW_ERROR_LIMIT, "recast: the %s is over 2^62", what);
    *offset = up ? *offset / n : *offset * n;
    return true;
}

/* One step: `n` times as wide, or as narrow. */
static bool recast_step(struct lw_cute_work *work, const struct lw_cute *cute, int64_t n, bool up,
                        struct lw_cute *out)
{
    *out = *cute;
    if (n == 1)
        return true;
    if (!recast(work, &cute->layout, n, up, &out->layout) ||
        !cast_offset(work, n, up, "start", &out->start))
        return false;
    if (!cute->composed)
        return true;
    if (cute->pointer) { /* the swizzle counts bytes: it stays */
        if (!up && cute->pointer % n)
            return lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                                "recast: smem_ptr[%db]: its bits are not a multiple of %lld",
                                cute->pointer, (long long)n);
        if (up && n > 1024 / cute->pointer)
            return lw_error_set(work->err, LW_ERROR_LIMIT,
                                "recast: elements would have more than 1024 bits");
        out->pointer = up ? cute->pointer * (int)n : cute->pointer / (int)n;
        return true;
    }
    return cast_offset(work, n, up, "offset", &out->offset) &&
           swizzle_cast(&cute->swizzle, n, up, &out->swizzle, work->err);
}

bool lw_cute_recast(struct lw_cute_work *work, const struct lw_cute *cute, int64_t from, int64_t to,
                    struct lw_cute *out)
{
    struct lw_cute wide;
    if (from < 1 || to < 1 || from > 1024 || to > 1024)
        return lw_error_set(work->err, LW_ERROR_PARAMETER,
                            "recast from %lld bits to %lld bits: each must be from 1 to 1024",
                            (long long)from, (long long)to);
    int64_t common = lw_common_divisor(from, to);
    return recast_step(work, cute, to / common, true, &wide) &&
           recast_step(work, &wide, from / common, false, out);
}

/* ---- Offsets ---- */

int64_t lw_cute_apply(const struct lw_cute *cute, int64_t index)
{
    return lw_cute_apply_to(cute, lw_cute_offset(&cute->layout, index));
}

int64_t lw_cute_apply_to(const struct lw_cute *cute, int64_t offset)
{
    struct lw_cute own;
    offset += cute->start;
    if (!cute->composed || !lw_cute_in_elements(cute, &own, NULL))
        return offset;
    return lw_cute_swizzled(&own.swizzle, own.offset + offset);
}
