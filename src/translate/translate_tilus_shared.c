/* Translation of shared memory to tilus: a named layout if one matches, and the modes with their
 * strides. Source: tilus 0.2.0, module tilus.ir.layout.shared_layout. */

#include "encoding/tilus/tilus.h"
#include "translate/translate_parts.h"

/* Whether a tilus layout is the layout. */
static bool is_it(const struct lw_translate_work *work, const struct lw_tilus_shared *layout)
{
    struct lw_map map;
    return lw_tilus_shared_to_map(layout, &map, NULL) &&
           lw_translate_same_layout(&map, work->of->map, work->of->lanes, 1 << 16);
}

static void put_call(struct lw_text *text, const char *name, const struct lw_sizes *shape)
{
    lw_text_format(text, "%s(", name);
    for (int d = 0; d < shape->count; d++)
        lw_text_format(text, "%s%lld", d ? ", " : "", (long long)shape->at[d]);
    lw_text_char(text, ')');
}

static bool add_named(struct lw_translate_work *work, const struct lw_sizes *shape,
                      struct lw_translations *translations)
{
    struct lw_tilus_shared layout;
    struct lw_text text = {0};
    int bytes = work->of->tensor->element.bits / 8;
    if (lw_tilus_shared_row_major(&layout, shape, NULL) && is_it(work, &layout))
        put_call(&text, "shared_row_major", shape);
    else if (lw_tilus_shared_column_major(&layout, shape, NULL) && is_it(work, &layout))
        put_call(&text, "shared_column_major", shape);
    else if (bytes > 0 && lw_tilus_shared_row_major_swizzle(&layout, shape, bytes, NULL) &&
             is_it(work, &layout)) {
        lw_text_add(&text, "shared_row_major_swizzle(shape=");
        lw_sizes_print(&text, shape);
        lw_text_format(&text, ", dtype_nbytes=%d)", bytes);
    }
    return !text.length || lw_translate_add(work, translations, &text);
}

bool lw_translate_to_tilus_shared(struct lw_translate_work *work,
                                  struct lw_translations *translations)
{
    const struct lw_dims *out = &work->of->map->out;
    struct lw_translate_sums sums;
    struct lw_tilus_shared made = {0}, layout;
    struct lw_text text = {0};
    if (!lw_translate_need_block(work) || !lw_translate_sums(work, &sums))
        return false;
    if (sums.constant)
        return lw_translate_fail(work,
                                 "a constant is added to every offset, and in tilus element 0 is "
                                 "at offset 0");
    if (sums.swizzle.bits && sums.swizzle.shift < 0)
        return lw_translate_fail(work,
                                 "the swizzle xors low bits into high ones, and that of tilus "
                                 "high ones into low ones");
    for (int d = 0; d < out->count; d++) {
        lw_sizes_push(&made.shape, (int64_t)out->dim[d].size);
        for (int i = sums.dim[d].count - 1; i >= 0; i--) {
            lw_sizes_push(&made.mode_shape, sums.dim[d].size[i]);
            lw_sizes_push(&made.mode_strides, sums.dim[d].stride[i]);
        }
    }
    made.swizzled = sums.swizzle.bits > 0;
    made.swizzle =
        (struct lw_tilus_swizzle){sums.swizzle.base, sums.swizzle.bits, sums.swizzle.shift};
    if (!lw_tilus_shared_make(&layout, &made, work->err) ||
        !add_named(work, &made.shape, translations))
        return false;
    lw_tilus_shared_print_call(&text, &layout);
    return lw_translate_add(work, translations, &text);
}
