/* Translation to Gluon: Triton encodings as its Python classes. */

#include "encoding/triton/cga.h"
#include "encoding/triton/gluon.h"
#include "encoding/triton/linear_bases.h"
#include "encoding/triton/mma.h"
#include "translate/translate_parts.h"
#include "core/tile.h"
#include "core/unused.h"

#include <string.h>

struct writer {
    struct lw_translate_work *work;
    struct lw_text *text;
    int rank; /* rank of the tensor of this layout */
};

static bool write_layout(struct writer *w, const struct lw_encoding *encoding);

/* The bases of one in-dim of a layout; NONE when it has none. */
static struct lw_value bases_of(struct writer *w, const struct lw_layout *layout, const char *name)
{
    int dim = lw_dims_find(&layout->in, name);
    bool some = dim >= 0 && lw_layout_in_log2(layout, dim) > 0;
    return some ? lw_bases_value(w->work->arena, layout, dim) : (struct lw_value){0};
}

/* The shape of a layout whose parameters are bases: what the bases reach. */
static struct lw_value shape_of(struct writer *w, const struct lw_encoding *encoding)
{
    uint64_t sizes[LW_RANK_MAX];
    int64_t numbers[LW_RANK_MAX];
    for (int d = 0; d < w->rank; d++)
        sizes[d] = 1;
    for (size_t p = 0; p < encoding->type->param_count; p++)
        if (encoding->type->params[p].type == LW_PARAM_BASES)
            lw_grow_to_bases(lw_encoding_value(encoding, encoding->type->params[p].name), sizes,
                             w->rank);
    for (int d = 0; d < w->rank; d++)
        numbers[d] = (int64_t)sizes[d];
    return lw_value_integers(w->work->arena, numbers, (size_t)w->rank);
}

/* Writes an argument; one whose value is NONE is left out. */
static bool write_argument(struct writer *w, const struct lw_encoding *encoding,
                           const struct lw_gluon_argument *a, const char *comma)
{
    const int64_t version[2] = {lw_encoding_integer(encoding, "versionMajor"),
                                lw_encoding_integer(encoding, "versionMinor")};
    struct lw_value value = {0}, empty = {.kind = LW_VALUE_LIST};
    static const char *const types[][2] = {
        {"f64", "gl.float64"}, {"f32", "gl.float32"}, {"i32", "gl.int32"}};
    const struct lw_param *pair;
    struct writer parent = *w;
    struct lw_layout layout;
    switch (a->kind) {
    case LW_GLUON_TRUTH:
    case LW_GLUON_MAYBE:
    case LW_GLUON_SPLITS:
        if (!lw_encoding_is_set(encoding, a->param))
            return true; /* fall through */
    case LW_GLUON_VALUE:
    case LW_GLUON_NEEDED:
        value = lw_encoding_effective(w->work->arena, encoding,
                                      lw_encoding_param(encoding, a->param), w->rank);
        value = value.kind == LW_VALUE_NONE ? empty : value;
        break;
    case LW_GLUON_TYPE:
        for (size_t i = 0; i < LW_COUNT(types) && lw_encoding_is_set(encoding, a->param); i++)
            if (!strcmp(lw_encoding_value(encoding, a->param)->string, types[i][0]))
                lw_text_format(w->text, "%s%s=%s", comma, a->name, types[i][1]);
        return true;
    case LW_GLUON_PAIR: /* a parameter and the next one */
        pair = &encoding->type->params[lw_encoding_param(encoding, a->param)];
        if (lw_encoding_is_set(encoding, a->param) || lw_encoding_is_set(encoding, pair[1].name))
            lw_text_format(w->text, "%s%s=(%lld, %lld)", comma, a->name,
                           (long long)lw_encoding_integer(encoding, pair->name),
                           (long long)lw_encoding_integer(encoding, pair[1].name));
        return true;
    case LW_GLUON_PARENT:
        parent.rank += !strcmp(encoding->type->name, "slice");
        lw_text_format(w->text, "%s%s=", comma, a->name);
        return write_layout(&parent, lw_encoding_nested(encoding, a->param));
    case LW_GLUON_VERSION:
        value = lw_value_integers(w->work->arena, version, 2);
        break;
    case LW_GLUON_BLOCKS: /* as bases, in whichever notation the encoding has them */
        if (!lw_cga_layout(encoding, w->rank, &layout, w->work->err))
            return false;
        value = bases_of(w, &layout, "block");
        break;
    case LW_GLUON_SHAPE:
        value = shape_of(w, encoding);
        break;
    case LW_GLUON_WARPS:
    case LW_GLUON_TILES:
        if (!lw_wmma_warps(encoding, w->rank, &layout, w->work->err))
            return false;
        value = bases_of(w, &layout, a->kind == LW_GLUON_WARPS ? "warp" : "register");
        value = value.kind == LW_VALUE_NONE && a->kind == LW_GLUON_WARPS ? empty : value;
        break;
    case LW_GLUON_RANK:
    case LW_GLUON_DIMS:
        if (w->rank != 2 || a->kind == LW_GLUON_DIMS)
            value = lw_value_integer(w->rank);
        break;
    }
    if (value.kind == LW_VALUE_NONE)
        return true;
    lw_text_format(w->text, "%s%s=", comma, a->name);
    if (value.kind == LW_VALUE_BOOLEAN)
        lw_text_add(w->text, value.integer ? "True" : "False");
    else
        lw_value_print(w->text, &value);
    return true;
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

static bool write_layout(struct writer *w, const struct lw_encoding *encoding)
{
    const struct lw_gluon_class *class;
    for (int i = 0; (class = lw_gluon_of(encoding->type->name, encoding->triton, i)); i++)
        if (is_class_of(class, encoding))
            break;
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

/* No class can express fp4 padding with a width other than 128 bytes since 3.7, and CTASplitM and CTASplitN since
 * 3.8. */
static bool write_call(struct lw_translate_work *work, const struct lw_encoding *encoding,
                       LW_UNUSED const struct lw_tensor *tensor, struct lw_text *text)
{
    struct writer w = {work, text, work->of->map->out.count};
    bool padded = lw_encoding_since(encoding, LW_TRITON_3_7) &&
                  !strcmp(encoding->type->name, "nvmma_shared") &&
                  lw_encoding_boolean(encoding, "fp4Padded") &&
                  (lw_encoding_integer(encoding, "swizzlingByteWidth") != 128 ||
                   lw_encoding_integer(encoding, "elementBitWidth") != 8);
    bool split = lw_encoding_since(encoding, LW_TRITON_3_8) &&
                 (lw_encoding_integer(encoding, "CTASplitM") > 1 ||
                  lw_encoding_integer(encoding, "CTASplitN") > 1);
    if (padded || split)
        return lw_translate_fail(work, "Gluon has no class for this form of %s",
                                 encoding->type->name);
    return write_layout(&w, encoding);
}

bool lw_translate_to_gluon(struct lw_translate_work *work, struct lw_translations *translations)
{
    return lw_translate_encodings(work, write_call, translations);
}
