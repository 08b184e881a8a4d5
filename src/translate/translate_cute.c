/*
 * Translation to CuTe. Memory is a function from coordinate to offset (translate_work.c).
 * Registers are one from (thread, value) to the elements of a tile, its first dim fastest: each
 * bit adds the number of the element that it moves to. As code, types and calls of C++ and calls of the CuTe DSL for
 * Python, threads and values over a tile are the layout alone, and the remark has the tile. Source: CUTLASS 4,
 * include/cute/layout.hpp, swizzle.hpp and swizzle_layout.hpp, and cutlass.cute of the DSL.
 */

#include "encoding/cute/cute_parts.h"
#include "translate/translate_parts.h"

#include <string.h>

/* A tuple of some numbers: one alone, and `none` of no numbers. False when memory is out. */
static bool tuple_of(struct lw_translate_work *work, const int64_t *numbers, int count,
                     int64_t none, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple *items = lw_arena_alloc(work->arena, ((size_t)count + 1) * sizeof *items);
    for (int i = 0; i < count && items; i++)
        items[i] = lw_cute_integer(numbers[i], false);
    *out = count == 0 || !items ? lw_cute_integer(none, false)
           : count == 1         ? items[0]
                                : (struct lw_cute_tuple){.count = count, .items = items};
    return items || lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
}

/* A layout of those modes. When `bare`, a single mode has no parentheses. */
static bool join(struct lw_translate_work *work, const struct lw_translate_modes *modes, int count,
                 bool bare, struct lw_cute_layout *out)
{
    struct lw_cute_tuple *shape = lw_arena_alloc(work->arena, ((size_t)count + 1) * sizeof *shape);
    struct lw_cute_tuple *stride =
        lw_arena_alloc(work->arena, ((size_t)count + 1) * sizeof *stride);
    if (!shape || !stride)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < count; i++)
        if (!tuple_of(work, modes[i].size, modes[i].count, 1, &shape[i]) ||
            !tuple_of(work, modes[i].stride, modes[i].count, 0, &stride[i]))
            return false;
    bool alone = bare && count == 1 && modes[0].count <= 1;
    out->shape = alone ? shape[0] : (struct lw_cute_tuple){.count = count, .items = shape};
    out->stride = alone ? stride[0] : (struct lw_cute_tuple){.count = count, .items = stride};
    return true;
}

/* ---- Threads and values ---- */

/* The modes of values and threads, from digits. */
static bool modes_of_digits(struct lw_translate_work *work, struct lw_translate_modes *value,
                            struct lw_translate_modes *thread)
{
    struct lw_translate_digits digits;
    const struct lw_dims *out = &work->of->map->out;
    if (!lw_translate_digits(work, &digits))
        return false;
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

/* The modes of values and threads, from bases. Modes of lanes and of warps are not merged. */
static bool modes_of_layout(struct lw_translate_work *work, struct lw_translate_modes *value,
                            struct lw_translate_modes *thread)
{
    const struct lw_layout *layout = &work->layout;
    uint64_t seen = 0;
    for (int dim = 0; dim < 3; dim++)
        for (int bit = 0; bit < lw_layout_in_log2(layout, dim); bit++) {
            uint64_t image = layout->basis[lw_layout_in_shift(layout, dim) + bit];
            if (image & seen)
                return lw_translate_refuse_basis(work, dim, bit,
                                                 "another basis flips the same bit; strides are "
                                                 "added, so the sum would carry");
            seen |= image;
            if (image > (uint64_t)LW_CUTE_MAX)
                return lw_error_set(work->err, LW_ERROR_LIMIT, "a stride is over 2^62");
            struct lw_translate_modes *modes = dim ? thread : value;
            if (dim == 2 && bit == 0 && modes->count < LW_MODES_MAX) {
                modes->size[modes->count] = 2;
                modes->stride[modes->count++] = (int64_t)image;
            } else {
                lw_translate_push_mode(modes, 2, image);
            }
        }
    return true;
}

static bool find_threads(struct lw_translate_work *work, struct lw_cute *cute)
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
    return tuple_of(work, sizes, out->count, 0, tile) && lw_cute_tile_check(cute, work->err);
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

/* The layout of threads and values, or of offsets of elements. */
static bool find_layout(struct lw_translate_work *work, struct lw_cute *cute)
{
    return lw_translate_need_block(work) &&
           (work->space == LW_TRANSLATE_REGISTERS ? find_threads(work, cute)
                                                  : lw_translate_cute_memory(work, cute));
}

/* The CuTe layout that it was written as. None where the tile is that of a tensor of another shape. */
static bool own_of(const struct lw_translate_work *work, struct lw_cute *cute)
{
    bool memory = lw_dims_find(&work->of->map->in, "offset") >= 0;
    return work->of->encoding && lw_cute_of_encoding(work->arena, work->of->encoding, cute, NULL) &&
           memory == !cute->tile;
}

static bool add_own(struct lw_translate_work *work, struct lw_translations *translations)
{
    struct lw_cute cute;
    struct lw_text text = {0};
    if (!own_of(work, &cute))
        return true;
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

/* Adds the layout; of memory in elements, and in bytes where the element type is known. */
bool lw_translate_to_cute(struct lw_translate_work *work, struct lw_translations *translations)
{
    struct lw_text text = {0};
    struct lw_cute cute, other;
    if (!add_own(work, translations))
        return false;
    if (!find_layout(work, &cute))
        return translations->count;
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

/* ---- As code ---- */

/* `_8` where the headers have that name, else Int<72>. */
static void put_static(struct lw_text *text, int64_t n)
{
    bool named = n >= 0 && (n <= 10 || (n <= 1024 && (n & (n - 1)) == 0));
    lw_text_format(text, named ? "_%lld" : "Int<%lld>", (long long)n);
}

/* How a tuple is written: Shape<_4,Shape<_2,_2>>, all static; make_shape(Int<4>{}, make_shape(2, 2)), integers static
 * or not as they are; (4, (2, 2)), in which a tuple of one is (4,). */
enum style { TYPE, VALUE, PYTHON };

static void put_tuple(struct lw_text *text, const struct lw_cute_tuple *tuple, enum style style,
                      const char *name)
{
    if (tuple->count < 0 && style == TYPE)
        put_static(text, tuple->value);
    else if (tuple->count < 0)
        lw_text_format(text, style == VALUE && tuple->fixed ? "Int<%lld>{}" : "%lld",
                       (long long)tuple->value);
    if (tuple->count < 0)
        return;
    lw_text_format(text, style == TYPE ? "%s<" : "%s(", name);
    for (int i = 0; i < tuple->count; i++) {
        lw_text_add(text, i == 0 ? "" : style == TYPE ? "," : ", ");
        put_tuple(text, &tuple->items[i], style, name);
    }
    lw_text_add(text, style == TYPE ? ">" : style == PYTHON && tuple->count == 1 ? ",)" : ")");
}

static void put_layout(struct lw_text *text, const struct lw_cute_layout *layout, enum style style)
{
    static const char *const parts[][5] = {
        [TYPE] = {"Layout<", "Shape", ",", "Stride", ">"},
        [VALUE] = {"make_layout(", "make_shape", ", ", "make_stride", ")"},
        [PYTHON] = {"cute.make_layout(", "", ", stride=", "", ")"},
    };
    lw_text_add(text, parts[style][0]);
    put_tuple(text, &layout->shape, style, parts[style][1]);
    lw_text_add(text, parts[style][2]);
    put_tuple(text, &layout->stride, style, parts[style][3]);
    lw_text_add(text, parts[style][4]);
}

/* All of it as calls. */
static void put_calls(struct lw_text *text, const struct lw_cute *cute, enum style style)
{
    const struct lw_cute_swizzle *s = &cute->swizzle;
    if (cute->composed)
        lw_text_format(text,
                       style == PYTHON
                           ? "cute.make_composed_layout(cute.make_swizzle(%d, %d, %d), %lld, "
                       : cute->fixed ? "make_composed_layout(Swizzle<%d,%d,%d>{}, Int<%lld>{}, "
                                     : "make_composed_layout(Swizzle<%d,%d,%d>{}, %lld, ",
                       s->bits, s->base, s->shift, (long long)cute->offset);
    put_layout(text, &cute->layout, style);
    lw_text_add(text, cute->composed ? ")" : "");
}

static bool has_static(const struct lw_cute_tuple *tuple)
{
    bool found = tuple->count < 0 && tuple->fixed;
    for (int i = 0; i < tuple->count; i++)
        found = found || has_static(&tuple->items[i]);
    return found;
}

/* Adds the type where all integers are static, or none is, as these may all be made static; and the calls, whose
 * swizzle counts elements. */
static bool add_cpp(struct lw_translate_work *work, const struct lw_cute *cute,
                    struct lw_translations *translations)
{
    const struct lw_cute_layout *layout = &cute->layout;
    struct lw_text text = {0};
    struct lw_cute elements = *cute;
    bool all = lw_cute_all_fixed(&layout->shape) && lw_cute_all_fixed(&layout->stride);
    if (all || (!has_static(&layout->shape) && !has_static(&layout->stride))) {
        if (cute->composed)
            lw_text_format(&text, "ComposedLayout<Swizzle<%d,%d,%d>,", cute->swizzle.bits,
                           cute->swizzle.base, cute->swizzle.shift);
        if (cute->composed && cute->pointer)
            lw_text_format(&text, "smem_ptr_flag_bits<%d>", cute->pointer);
        else if (cute->composed)
            put_static(&text, cute->offset);
        lw_text_add(&text, cute->composed ? "," : "");
        put_layout(&text, layout, TYPE);
        lw_text_add(&text, cute->composed ? ">{}" : "{}");
        if (!lw_translate_add(work, translations, &text))
            return false;
    }
    if (cute->pointer && !lw_cute_in_elements(cute, &elements, work->err))
        return translations->count > 0;
    text = (struct lw_text){0};
    put_calls(&text, &elements, VALUE);
    return lw_translate_add(work, translations, &text);
}

/* Adds a layout, in Python, where a swizzle counts elements, or in C++, and sets the remark. */
static bool add_one(struct lw_translate_work *work, struct lw_cute *cute, bool python,
                    struct lw_translations *translations)
{
    struct lw_text tile = {0}, calls = {0};
    const struct lw_cute own = *cute;
    if (lw_cute_is_of_coordinates(cute) || cute->part)
        return lw_translate_fail(work, "a part of a tensor, or of coordinates, has no such text");
    if (python && cute->pointer && !lw_cute_in_elements(&own, cute, work->err))
        return false;
    if (python)
        put_calls(&calls, cute, PYTHON);
    if (!(python ? lw_translate_add(work, translations, &calls)
                 : add_cpp(work, cute, translations)))
        return false;
    if (!cute->tile)
        return true;
    lw_text_add(&tile, "threads and values over a tile of ");
    lw_cute_tuple_print(&tile, cute->tile);
    lw_text_add(&tile, ", its first mode fastest");
    return lw_translate_set_remark(work, &tile, translations);
}

/* Adds the layout as it was written, then the one that is found from the offsets of elements. */
static bool add_all(struct lw_translate_work *work, bool python,
                    struct lw_translations *translations)
{
    struct lw_cute cute;
    if (own_of(work, &cute))
        return add_one(work, &cute, python, translations);
    return find_layout(work, &cute) && add_one(work, &cute, python, translations);
}

bool lw_translate_to_cute_cpp(struct lw_translate_work *work, struct lw_translations *translations)
{
    return add_all(work, false, translations);
}

bool lw_translate_to_cute_dsl(struct lw_translate_work *work, struct lw_translations *translations)
{
    return add_all(work, true, translations);
}
