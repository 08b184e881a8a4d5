/*
 * Translation to CuTe. Memory is a function from coordinate to offset (translate_sums.c).
 * Registers are one from (thread, value) to the elements of a tile, its first dim fastest: each
 * bit adds the number of the element that it moves to. Source: CUTLASS 4, include/cute/layout.hpp
 * and swizzle.hpp.
 */

#include "translate/translate_parts.h"

#include "laneway/cute.h"

#include <stdlib.h>
#include <string.h>

static void append(struct lw_translate_modes *modes, const struct lw_translate_modes *more)
{
    for (int i = 0; i < more->count && modes->count < LW_MODES_MAX; i++) {
        modes->size[modes->count] = more->size[i];
        modes->stride[modes->count++] = more->stride[i];
    }
}

static struct lw_cute_tuple *leaves(struct lw_arena *arena, const int64_t *numbers, int count)
{
    struct lw_cute_tuple *items = lw_arena_alloc(arena, ((size_t)count + 1) * sizeof *items);
    for (int i = 0; i < count && items; i++)
        items[i] = lw_cute_integer(numbers[i], false);
    return items;
}

/* A layout of those modes. When `bare`, a single mode has no parentheses. */
static bool join(struct lw_translate_work *work, const struct lw_translate_modes *modes, int count,
                 bool bare, struct lw_cute_layout *out)
{
    struct lw_cute_tuple *shape = lw_arena_alloc(work->arena, ((size_t)count + 1) * sizeof *shape);
    struct lw_cute_tuple *stride =
        lw_arena_alloc(work->arena, ((size_t)count + 1) * sizeof *stride);
    for (int i = 0; i < count && shape && stride; i++) {
        const struct lw_translate_modes *m = &modes[i];
        struct lw_cute_tuple *sizes = leaves(work->arena, m->size, m->count);
        struct lw_cute_tuple *strides = leaves(work->arena, m->stride, m->count);
        if (!sizes || !strides)
            return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
        shape[i] = m->count == 0   ? lw_cute_integer(1, false)
                   : m->count == 1 ? sizes[0]
                                   : (struct lw_cute_tuple){.count = m->count, .items = sizes};
        stride[i] = m->count == 0   ? lw_cute_integer(0, false)
                    : m->count == 1 ? strides[0]
                                    : (struct lw_cute_tuple){.count = m->count, .items = strides};
    }
    if (!shape || !stride)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    bool alone = bare && count == 1 && modes[0].count <= 1;
    out->shape = alone ? shape[0] : (struct lw_cute_tuple){.count = count, .items = shape};
    out->stride = alone ? stride[0] : (struct lw_cute_tuple){.count = count, .items = stride};
    return true;
}

/* ---- Threads and values ---- */

static int by_position(const void *a, const void *b)
{
    const struct lw_mode *s = a, *t = b;
    if (s->in_dim != t->in_dim)
        return s->in_dim < t->in_dim ? -1 : 1;
    return s->in_stride < t->in_stride ? -1 : s->in_stride > t->in_stride;
}

/* The modes of values and threads, from digits. */
static bool modes_of_digits(struct lw_translate_work *work, struct lw_translate_modes *value,
                            struct lw_translate_modes *thread)
{
    struct lw_translate_digits digits;
    const struct lw_dims *out = &work->of->map->out;
    if (!lw_translate_digits(work, &digits))
        return false;
    qsort(digits.mode, (size_t)digits.count, sizeof *digits.mode, by_position);
    for (int i = 0; i < digits.count; i++) {
        const struct lw_mode *m = &digits.mode[i];
        uint64_t unit = 1;
        for (int d = 0; d < m->out_dim; d++)
            unit *= out->dim[d].size;
        lw_translate_push_mode(m->in_dim ? thread : value, m->size,
                               m->out_dim < 0 ? 0 : m->out_stride * unit);
    }
    return true;
}

/* Reports that two bases flip one bit: strides cannot express that. */
static bool refuse_sum(struct lw_translate_work *work, int dim, int bit)
{
    struct lw_text text = {.limit = 160};
    lw_translate_put_basis(&text, &work->layout, dim, bit);
    lw_translate_fail(
        work, "%s: another basis flips the same bit; strides are added, so the sum would carry",
        lw_text_string(&text));
    lw_text_free(&text);
    return false;
}

/* The modes of values and threads, from bases. Modes of lanes and of warps are not merged. */
static bool modes_of_layout(struct lw_translate_work *work, struct lw_translate_modes *value,
                            struct lw_translate_modes *thread)
{
    const struct lw_layout *layout = &work->layout;
    struct lw_translate_modes warp = {0};
    struct lw_translate_modes *of[] = {value, thread, &warp};
    uint64_t seen = 0;
    for (int dim = 0; dim < 3; dim++)
        for (int bit = 0; bit < lw_layout_in_log2(layout, dim); bit++) {
            uint64_t image = layout->basis[lw_layout_in_shift(layout, dim) + bit];
            if (image & seen)
                return refuse_sum(work, dim, bit);
            seen |= image;
            if (image > (uint64_t)LW_CUTE_MAX)
                return lw_error_set(work->err, LW_ERROR_LIMIT, "a stride is over 2^62");
            lw_translate_push_mode(of[dim], 2, image);
        }
    append(thread, &warp);
    return true;
}

bool lw_translate_cute_threads(struct lw_translate_work *work, struct lw_cute *cute)
{
    const struct lw_dims *out = &work->of->map->out;
    struct lw_translate_modes modes[2] = {{0}, {0}};
    struct lw_cute_tuple *tile = lw_arena_alloc(work->arena, sizeof *tile);
    int64_t sizes[LW_DIMS_MAX];
    *cute = (struct lw_cute){.tile = tile};
    if (!tile)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    if (!(work->linear ? modes_of_layout(work, &modes[1], &modes[0])
                       : modes_of_digits(work, &modes[1], &modes[0])) ||
        !join(work, modes, 2, false, &cute->layout))
        return false;
    for (int d = 0; d < out->count; d++)
        sizes[d] = (int64_t)out->dim[d].size;
    *tile = (struct lw_cute_tuple){.count = out->count,
                                   .items = leaves(work->arena, sizes, out->count)};
    if (out->count == 1)
        *tile = lw_cute_integer(sizes[0], false);
    return (out->count == 1 || tile->items) && lw_cute_tile_check(cute, work->err);
}

static bool add_threads(struct lw_translate_work *work, struct lw_translations *translations)
{
    struct lw_cute cute;
    struct lw_text text = {0};
    if (!lw_translate_cute_threads(work, &cute))
        return false;
    lw_text_add(&text, "thread_value(");
    lw_cute_print(&text, &cute);
    lw_text_add(&text, ", ");
    lw_cute_tuple_print(&text, cute.tile);
    lw_text_char(&text, ')');
    return lw_translate_add(work, translations, &text);
}

/* ---- Memory ---- */

bool lw_translate_cute_memory(struct lw_translate_work *work, struct lw_cute *out)
{
    struct lw_translate_sums sums;
    *out = (struct lw_cute){0};
    if (!lw_translate_sums(work, &sums) || !lw_cute_swizzle_check(&sums.swizzle, work->err) ||
        !join(work, sums.dim, work->of->map->out.count, true, &out->layout))
        return false;
    out->swizzle = sums.swizzle;
    out->offset = sums.constant;
    out->composed = out->swizzle.bits > 0 || out->offset;
    return true;
}

/* Adds the layout in elements, and in bytes where the element type is known. */
static bool add_memory(struct lw_translate_work *work, struct lw_translations *translations)
{
    struct lw_text text = {0};
    struct lw_cute cute, other;
    if (!lw_translate_cute_memory(work, &cute))
        return false;
    lw_cute_print(&text, &cute);
    if (!lw_translate_add(work, translations, &text))
        return false;
    int bits = work->of->tensor->element.bits;
    if (!cute.composed || !work->of->tensor->element.name[0] ||
        !lw_cute_in_bytes(&cute, bits, &other, NULL))
        return true;
    lw_cute_print(&text, &other);
    return lw_translate_add(work, translations, &text);
}

/* ---- All of them ---- */

static bool add_own(struct lw_translate_work *work, struct lw_translations *translations)
{
    struct lw_cute cute;
    struct lw_text text = {0};
    if (!work->of->encoding || !lw_cute_of_encoding(work->arena, work->of->encoding, &cute, NULL))
        return true;
    bool memory = lw_dims_find(&work->of->map->in, "offset") >= 0;
    if (memory != !cute.tile)
        return true; /* the tile is that of a tensor of another shape */
    lw_encoding_print(&text, work->of->encoding);
    if (cute.tile && cute.part && strncmp(lw_text_string(&text), "ArithTuple", 10) != 0)
        lw_text_free(&text); /* CuTe has no notation for it */
    else if (!lw_translate_add(work, translations, &text))
        return false;
    if (!cute.of_thread)
        return true;
    lw_text_format(&text, "the part of thread %lld", (long long)cute.thread);
    return lw_translate_set_remark(work, &text, translations);
}

bool lw_translate_to_cute(struct lw_translate_work *work, struct lw_translations *translations)
{
    if (!add_own(work, translations))
        return false;
    bool good = work->space == LW_TRANSLATE_OTHER ? lw_translate_need_linear(work)
                                                  : lw_translate_need_block(work);
    if (good && work->space == LW_TRANSLATE_REGISTERS)
        good = add_threads(work, translations);
    else if (good)
        good = add_memory(work, translations);
    return good || translations->count;
}
