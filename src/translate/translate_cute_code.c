/*
 * Layouts of CuTe as code: types and calls of C++, and calls of the CuTe DSL for Python. Threads and values over a tile
 * are the layout alone, and the remark has the tile. Source: CUTLASS 4, include/cute/layout.hpp and
 * swizzle_layout.hpp, and cutlass.cute of the DSL.
 */

#include "translate/translate_parts.h"

/* ---- C++ ---- */

/* `_8` where the headers have that name, else Int<72>. */
static void put_static(struct lw_text *text, int64_t n)
{
    bool named = n >= 0 && (n <= 10 || (n <= 1024 && (n & (n - 1)) == 0));
    lw_text_format(text, named ? "_%lld" : "Int<%lld>", (long long)n);
}

/* Shape<_4,Shape<_2,_2>>, all static. */
static void put_type(struct lw_text *text, const struct lw_cute_tuple *tuple, const char *name)
{
    if (tuple->count < 0) {
        put_static(text, tuple->value);
        return;
    }
    lw_text_format(text, "%s<", name);
    for (int i = 0; i < tuple->count; i++) {
        lw_text_add(text, i ? "," : "");
        put_type(text, &tuple->items[i], name);
    }
    lw_text_char(text, '>');
}

static void put_layout_type(struct lw_text *text, const struct lw_cute_layout *layout)
{
    lw_text_add(text, "Layout<");
    put_type(text, &layout->shape, "Shape");
    lw_text_char(text, ',');
    put_type(text, &layout->stride, "Stride");
    lw_text_char(text, '>');
}

/* make_shape(Int<4>{}, make_shape(2, 2)), integers static or not as they are. */
static void put_value(struct lw_text *text, const struct lw_cute_tuple *tuple, const char *name)
{
    if (tuple->count < 0) {
        lw_text_format(text, tuple->fixed ? "Int<%lld>{}" : "%lld", (long long)tuple->value);
        return;
    }
    lw_text_format(text, "%s(", name);
    for (int i = 0; i < tuple->count; i++) {
        lw_text_add(text, i ? ", " : "");
        put_value(text, &tuple->items[i], name);
    }
    lw_text_char(text, ')');
}

static void put_layout_value(struct lw_text *text, const struct lw_cute_layout *layout)
{
    lw_text_add(text, "make_layout(");
    put_value(text, &layout->shape, "make_shape");
    lw_text_add(text, ", ");
    put_value(text, &layout->stride, "make_stride");
    lw_text_char(text, ')');
}

static void put_swizzle(struct lw_text *text, const struct lw_cute_swizzle *s)
{
    lw_text_format(text, "Swizzle<%d,%d,%d>", s->bits, s->base, s->shift);
}

/* All of it as a type. */
static void put_cute_type(struct lw_text *text, const struct lw_cute *cute)
{
    if (!cute->composed) {
        put_layout_type(text, &cute->layout);
    } else {
        lw_text_add(text, "ComposedLayout<");
        put_swizzle(text, &cute->swizzle);
        lw_text_char(text, ',');
        if (cute->pointer)
            lw_text_format(text, "smem_ptr_flag_bits<%d>", cute->pointer);
        else
            put_static(text, cute->offset);
        lw_text_char(text, ',');
        put_layout_type(text, &cute->layout);
        lw_text_char(text, '>');
    }
    lw_text_add(text, "{}");
}

/* All of it as calls. */
static void put_cute_value(struct lw_text *text, const struct lw_cute *cute)
{
    if (!cute->composed) {
        put_layout_value(text, &cute->layout);
        return;
    }
    lw_text_add(text, "make_composed_layout(");
    put_swizzle(text, &cute->swizzle);
    lw_text_format(text, cute->fixed ? "{}, Int<%lld>{}, " : "{}, %lld, ", (long long)cute->offset);
    put_layout_value(text, &cute->layout);
    lw_text_char(text, ')');
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
        put_cute_type(&text, cute);
        if (!lw_translate_add(work, translations, &text))
            return false;
    }
    if (cute->pointer && !lw_cute_in_elements(cute, &elements, work->err))
        return translations->count > 0;
    text = (struct lw_text){0};
    put_cute_value(&text, &elements);
    return lw_translate_add(work, translations, &text);
}

/* ---- Python ---- */

/* (4, (2, 2)); a tuple of one is (4,). */
static void put_python(struct lw_text *text, const struct lw_cute_tuple *tuple)
{
    if (tuple->count < 0) {
        lw_text_format(text, "%lld", (long long)tuple->value);
        return;
    }
    lw_text_char(text, '(');
    for (int i = 0; i < tuple->count; i++) {
        lw_text_add(text, i ? ", " : "");
        put_python(text, &tuple->items[i]);
    }
    lw_text_add(text, tuple->count == 1 ? ",)" : ")");
}

/* A swizzle of the DSL counts elements. */
static bool add_python(struct lw_translate_work *work, const struct lw_cute *cute,
                       struct lw_translations *translations)
{
    const struct lw_cute_swizzle *s = &cute->swizzle;
    struct lw_text text = {0};
    if (cute->composed)
        lw_text_format(&text, "cute.make_composed_layout(cute.make_swizzle(%d, %d, %d), %lld, ",
                       s->bits, s->base, s->shift, (long long)cute->offset);
    lw_text_add(&text, "cute.make_layout(");
    put_python(&text, &cute->layout.shape);
    lw_text_add(&text, ", stride=");
    put_python(&text, &cute->layout.stride);
    lw_text_add(&text, cute->composed ? "))" : ")");
    return lw_translate_add(work, translations, &text);
}

/* ---- Which layouts ---- */

typedef bool add_layout(struct lw_translate_work *work, const struct lw_cute *cute,
                        struct lw_translations *translations);

/* Adds a layout, in elements where `elements` is set, and sets the remark. */
static bool add_one(struct lw_translate_work *work, struct lw_cute *cute, bool elements,
                    add_layout *add, struct lw_translations *translations)
{
    struct lw_text tile = {0};
    const struct lw_cute own = *cute;
    if (lw_cute_is_of_coordinates(cute) || cute->part)
        return lw_translate_fail(work, "a part of a tensor, or of coordinates, has no such text");
    if (elements && cute->pointer && !lw_cute_in_elements(&own, cute, work->err))
        return false;
    if (!add(work, cute, translations))
        return false;
    if (!cute->tile)
        return true;
    lw_text_add(&tile, "threads and values over a tile of ");
    lw_cute_tuple_print(&tile, cute->tile);
    lw_text_add(&tile, ", its first mode fastest");
    translations->remark = lw_arena_string(work->arena, lw_text_string(&tile), tile.length);
    lw_text_free(&tile);
    return translations->remark || lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
}

/* Adds the layout as it was written, then the one that is found from the offsets of elements. */
static bool add_all(struct lw_translate_work *work, bool elements, add_layout *add,
                    struct lw_translations *translations)
{
    struct lw_cute cute;
    bool memory =
        work->space == LW_TRANSLATE_MEMORY || lw_dims_find(&work->of->map->in, "offset") >= 0;
    bool own = work->of->encoding &&
               lw_cute_of_encoding(work->arena, work->of->encoding, &cute, NULL) &&
               memory == !cute.tile;
    if (own)
        return add_one(work, &cute, elements, add, translations);
    bool good = work->space == LW_TRANSLATE_OTHER ? lw_translate_need_linear(work)
                                                  : lw_translate_need_block(work);
    good = good && (work->space == LW_TRANSLATE_REGISTERS ? lw_translate_cute_threads(work, &cute)
                                                          : lw_translate_cute_memory(work, &cute));
    return good && add_one(work, &cute, elements, add, translations);
}

bool lw_translate_to_cute_cpp(struct lw_translate_work *work, struct lw_translations *translations)
{
    return add_all(work, false, add_cpp, translations);
}

bool lw_translate_to_cute_dsl(struct lw_translate_work *work, struct lw_translations *translations)
{
    return add_all(work, true, add_python, translations);
}
