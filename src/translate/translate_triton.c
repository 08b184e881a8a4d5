/*
 * Translation to Triton: encodings of a layout. Candidates follow from the bases, the simplest and most specific first.
 * Each is built and compared, so a wrong candidate only costs time. Source: the encodings of Triton 3.7.
 */

#include "translate/translate_parts.h"
/* ---- All of them ---- */

bool lw_translate_encodings_of(struct lw_translate_work *work, struct lw_translate_encodings *found)
{
    const struct lw_encoding *own = work->of->encoding;
    found->count = 0;
    if (!lw_translate_need_elements(work))
        return false;
    if (own && own->type->spelling == LW_SPELLING_ATTRIBUTE && own->type->dialect)
        own = lw_translate_modernize(work, own, work->of->map->out.count);
    else
        own = NULL;
    if (own)
        found->at[found->count++] = own;
    if (work->space == LW_TRANSLATE_OTHER)
        return found->count || lw_translate_need_linear(work);
    return (work->space == LW_TRANSLATE_MEMORY ? lw_translate_memory(work, found)
                                               : lw_translate_registers(work, found)) ||
           found->count;
}

/* ---- Writing ---- */

static bool write_type(struct lw_translate_work *work, const struct lw_encoding *encoding,
                       const struct lw_tensor *tensor, struct lw_text *text)
{
    enum lw_family family = encoding->type->family;
    struct lw_tensor typed = *tensor;
    (void)work;
    if (!typed.element.name[0])
        lw_element_find(&typed.element, "f32", NULL);
    lw_text_add(text, family == LW_FAMILY_DISTRIBUTED ? "tensor<" : "!ttg.memdesc<");
    lw_tensor_print(text, &typed);
    lw_text_add(text, ", ");
    lw_encoding_print(text, encoding);
    lw_text_add(text, family == LW_FAMILY_DISTRIBUTED ? ">"
                      : family == LW_FAMILY_SHARED    ? ", #smem>"
                                                      : ", #ttng.tensor_memory>");
    return true;
}

/* Adds a remark about the lanes: Triton's verifier compares those of a layout with the target's. */
static bool remark_lanes(struct lw_translate_work *work, struct lw_translations *translations)
{
    struct lw_text text = {0};
    if (!work->linear || work->space != LW_TRANSLATE_REGISTERS)
        return true;
    uint64_t lanes = work->layout.in.dim[1].size, needed = work->of->lanes == 64 ? 64 : 32;
    if (lanes == needed)
        return true;
    lw_text_format(&text,
                   "this layout has %llu lane%s a warp: Triton refuses it where a warp has %llu",
                   (unsigned long long)lanes, lanes == 1 ? "" : "s", (unsigned long long)needed);
    return lw_translate_set_remark(work, &text, translations);
}

bool lw_translate_remark(struct lw_translate_work *work, lw_translate_writer *write,
                         struct lw_translations *translations)
{
    struct lw_translate_encodings found = {0};
    struct lw_error unset_error;
    struct lw_translate_work transposed = *work;
    struct lw_tensor tensor = *work->of->tensor;
    struct lw_text text = {0};
    transposed.err = &unset_error;
    if (lw_translate_role(work) != LW_CUTE_ROLE_B || work->space != LW_TRANSLATE_REGISTERS ||
        !lw_translate_transposed(&transposed, &found))
        return remark_lanes(work, translations);
    tensor.shape[0] = work->of->tensor->shape[1];
    tensor.shape[1] = work->of->tensor->shape[0];
    lw_text_add(&text, "its transpose (B is N x K in CuTe, K x N here) is ");
    if (write(&transposed, found.at[0], &tensor, &text))
        return lw_translate_set_remark(work, &text, translations);
    lw_text_free(&text);
    return true;
}

bool lw_translate_to_triton(struct lw_translate_work *work, struct lw_translations *translations)
{
    struct lw_translate_encodings found;
    if (!lw_translate_encodings_of(work, &found) ||
        !lw_translate_remark(work, write_type, translations))
        return false;
    for (int i = 0; i < found.count; i++) {
        struct lw_text text = {0};
        write_type(work, found.at[i], work->of->tensor, &text);
        if (!lw_translate_add(work, translations, &text))
            return false;
    }
    return true;
}
