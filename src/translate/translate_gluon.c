/* Translation to Gluon: Triton encodings as its Python classes. */

#include "encoding/triton/cga.h"
#include "encoding/triton/gluon.h"
#include "encoding/triton/linear_bases.h"
#include "encoding/triton/mma.h"
#include "translate/translate_parts.h"
#include "core/tile.h"

#include <string.h>

struct writer {
    struct lw_translate_work *work;
    struct lw_text *text;
    int rank; /* rank of the tensor of this layout */
};

static bool write_layout(struct writer *w, const struct lw_encoding *encoding);

/* Writes the bases of one in-dim. */
static void write_bases(struct writer *w, const struct lw_layout *layout, int dim)
{
    struct lw_value bases = lw_bases_value(w->work->arena, layout, dim);
    lw_value_print(w->text, &bases);
}

/* Writes blocks as bases, in whichever notation the encoding has them. */
static bool write_blocks(struct writer *w, const struct lw_encoding *encoding, const char *name,
                         const char *comma)
{
    struct lw_layout cga;
    if (!lw_cga_layout(encoding, w->rank, &cga, w->work->err))
        return false;
    if (lw_layout_in_bits(&cga) == 0)
        return true;
    lw_text_format(w->text, "%s%s=", comma, name);
    write_bases(w, &cga, 0);
    return true;
}

static bool write_warps(struct writer *w, const struct lw_encoding *encoding,
                        const struct lw_gluon_argument *argument)
{
    struct lw_layout layout;
    if (!lw_wmma_warps(encoding, w->rank, &layout, w->work->err))
        return false;
    const char *in = argument->kind == LW_GLUON_WARPS ? "warp" : "register";
    int dim = lw_dims_find(&layout.in, in);
    bool some = dim >= 0 && lw_layout_in_log2(&layout, dim) > 0;
    if (!some && argument->kind == LW_GLUON_TILES)
        return true;
    lw_text_format(w->text, ", %s=", argument->name);
    if (some)
        write_bases(w, &layout, dim);
    else
        lw_text_add(w->text, "[]");
    return true;
}

static void write_value(struct writer *w, const struct lw_encoding *encoding,
                        const struct lw_gluon_argument *argument, const char *comma)
{
    int index = lw_encoding_param(encoding, argument->param);
    struct lw_value value = lw_encoding_effective(w->work->arena, encoding, index, w->rank);
    if (value.kind == LW_VALUE_NONE)
        value = (struct lw_value){.kind = LW_VALUE_LIST};
    lw_text_format(w->text, "%s%s=", comma, argument->name);
    if (value.kind == LW_VALUE_BOOLEAN)
        lw_text_add(w->text, value.integer ? "True" : "False");
    else
        lw_value_print(w->text, &value);
}

static void write_pair(struct writer *w, const struct lw_encoding *encoding,
                       const struct lw_gluon_argument *argument, const char *comma)
{
    const struct lw_param *first =
        &encoding->type->params[lw_encoding_param(encoding, argument->param)];
    if (lw_encoding_is_set(encoding, first->name) || lw_encoding_is_set(encoding, first[1].name))
        lw_text_format(w->text, "%s%s=(%lld, %lld)", comma, argument->name,
                       (long long)lw_encoding_integer(encoding, first->name),
                       (long long)lw_encoding_integer(encoding, first[1].name));
}

/* Writes the shape of a layout whose parameters are bases: what the bases reach. */
static void write_shape(struct writer *w, const struct lw_encoding *encoding, const char *name,
                        const char *comma)
{
    uint64_t sizes[LW_RANK_MAX];
    for (int d = 0; d < w->rank; d++)
        sizes[d] = 1;
    for (size_t p = 0; p < encoding->type->param_count; p++)
        if (encoding->type->params[p].type == LW_PARAM_BASES)
            lw_grow_to_bases(lw_encoding_value(encoding, encoding->type->params[p].name), sizes,
                             w->rank);
    lw_text_format(w->text, "%s%s=", comma, name);
    lw_print_shape(w->text, sizes, w->rank);
}

/* The type of an element by its name in Gluon. */
static void write_type(struct writer *w, const struct lw_encoding *encoding,
                       const struct lw_gluon_argument *argument)
{
    static const char *const types[][2] = {
        {"f64", "gl.float64"}, {"f32", "gl.float32"}, {"i32", "gl.int32"}};
    const struct lw_value *type = lw_encoding_value(encoding, argument->param);
    for (size_t i = 0; type && i < LW_COUNT(types); i++)
        if (!strcmp(type->string, types[i][0]))
            lw_text_format(w->text, ", %s=%s", argument->name, types[i][1]);
}

static bool write_argument(struct writer *w, const struct lw_encoding *encoding,
                           const struct lw_gluon_argument *a, const char *comma)
{
    struct writer parent = *w;
    switch (a->kind) {
    case LW_GLUON_TRUTH:
    case LW_GLUON_MAYBE:
    case LW_GLUON_SPLITS:
        if (!lw_encoding_is_set(encoding, a->param))
            return true;
        write_value(w, encoding, a, comma);
        return true;
    case LW_GLUON_VALUE:
    case LW_GLUON_NEEDED:
        write_value(w, encoding, a, comma);
        return true;
    case LW_GLUON_TYPE:
        write_type(w, encoding, a);
        return true;
    case LW_GLUON_PAIR:
        write_pair(w, encoding, a, comma);
        return true;
    case LW_GLUON_PARENT:
        parent.rank += !strcmp(encoding->type->name, "slice");
        lw_text_format(w->text, "%s%s=", comma, a->name);
        return write_layout(&parent, lw_encoding_nested(encoding, a->param));
    case LW_GLUON_VERSION:
        lw_text_format(w->text, "%s%s=[%lld, %lld]", comma, a->name,
                       (long long)lw_encoding_integer(encoding, "versionMajor"),
                       (long long)lw_encoding_integer(encoding, "versionMinor"));
        return true;
    case LW_GLUON_BLOCKS:
        return write_blocks(w, encoding, a->name, comma);
    case LW_GLUON_SHAPE:
        write_shape(w, encoding, a->name, comma);
        return true;
    case LW_GLUON_WARPS:
    case LW_GLUON_TILES:
        return write_warps(w, encoding, a);
    case LW_GLUON_RANK:
    case LW_GLUON_DIMS:
        if (w->rank != 2 || a->kind == LW_GLUON_DIMS)
            lw_text_format(w->text, "%s%s=%d", comma, a->name, w->rank);
        return true;
    }
    return false;
}

/* Whether all required arguments of the class are set, and all that is set is an argument. */
static bool is_class_of(const struct lw_gluon_class *class, const struct lw_encoding *encoding)
{
    const struct lw_value *order = lw_encoding_value(encoding, "blockRepOrder");
    if (order && !strcmp(order->string, "kThenMn") && !lw_gluon_has(class, "blockRepOrder"))
        return false;
    for (int i = 0; i < LW_GLUON_ARGUMENTS_MAX && class->arguments[i].name; i++) {
        const struct lw_gluon_argument *argument = &class->arguments[i];
        if (argument->kind != LW_GLUON_NEEDED)
            continue;
        const struct lw_value *value = lw_encoding_value(encoding, argument->param);
        if (!value || (value->kind == LW_VALUE_LIST && !value->count))
            return false;
    }
    return true;
}

static const struct lw_gluon_class *class_of(const struct lw_encoding *encoding)
{
    const struct lw_gluon_class *class;
    for (int i = 0; (class = lw_gluon_of(encoding->type->name, encoding->triton, i)); i++)
        if (is_class_of(class, encoding))
            return class;
    return NULL;
}

static bool write_layout(struct writer *w, const struct lw_encoding *encoding)
{
    const struct lw_gluon_class *class = class_of(encoding);
    if (!class && lw_gluon_of(encoding->type->name, encoding->triton, 0))
        return lw_translate_fail(w->work, "Gluon has no class for this form of %s",
                                 encoding->type->name);
    if (!class)
        return lw_translate_fail(w->work, "Gluon of Triton %s has no class for %s",
                                 lw_triton_name(encoding->triton), encoding->type->name);
    lw_text_format(w->text, "%s(", class->name);
    size_t start = w->text->length;
    for (int i = 0; i < LW_GLUON_ARGUMENTS_MAX && class->arguments[i].name; i++)
        if (!write_argument(w, encoding, &class->arguments[i], w->text->length > start ? ", " : ""))
            return false;
    lw_text_char(w->text, ')');
    return true;
}

/* Whether a class can express the parameters that are set: since 3.7 fp4 is padded with a width of 128 bytes only, and
 * CTASplitM and CTASplitN do not exist since 3.8. */
static bool has_arguments(const struct lw_encoding *encoding)
{
    static const char *const splits[] = {"CTASplitM", "CTASplitN"};
    if (!strcmp(encoding->type->name, "nvmma_shared") &&
        lw_encoding_since(encoding, LW_TRITON_3_7) && lw_encoding_boolean(encoding, "fp4Padded") &&
        (lw_encoding_integer(encoding, "swizzlingByteWidth") != 128 ||
         lw_encoding_integer(encoding, "elementBitWidth") != 8))
        return false;
    for (size_t i = 0; i < LW_COUNT(splits); i++)
        if (lw_encoding_since(encoding, LW_TRITON_3_8) && lw_encoding_is_set(encoding, splits[i]) &&
            lw_encoding_integer(encoding, splits[i]) > 1)
            return false;
    return true;
}

static bool write_call(struct lw_translate_work *work, const struct lw_encoding *encoding,
                       const struct lw_tensor *tensor, struct lw_text *text)
{
    struct writer w = {work, text, work->of->map->out.count};
    (void)tensor;
    if (!has_arguments(encoding))
        return lw_translate_fail(work, "Gluon has no class for this form of %s",
                                 encoding->type->name);
    return write_layout(&w, encoding);
}

bool lw_translate_to_gluon(struct lw_translate_work *work, struct lw_translations *translations)
{
    return lw_translate_encodings(work, write_call, translations);
}
