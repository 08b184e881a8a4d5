/*
 * The MMA of a layout of tilus. The layout does not name it: when its threads and locals hold the same elements as an
 * operand of an instruction of tilus, it is that operand. A name has no vec_k, of 1 to 4, as in m16n8k16v2_f16_f32.
 *
 * Source: AtomicMmaConfig of tilus/ir/instructions/cuda/mma_dot.py, tilus 0.2.0.
 */

#include "core/array_count.h"
#include "view/operand/operands.h"

#include <string.h>

enum { VECTORS = 4 };

/* Operands with %d as the locals along K of each thread, which are `unit` times vec_k. */
static const struct config {
    const char *name;
    int unit;
    const char *operand[LW_OPERANDS_MAX];
} configs[] = {
    {"m16n8k16_f16_f32",
     2,
     {"column_local(2, 2).spatial(8, 4).local(1, %d)",
      "local(2, 1).column_spatial(4, 8).local(%d, 1)", "local(2, 1).spatial(8, 4).local(1, 2)"}},
    {"m16n8k32_i8_i32",
     4,
     {"column_local(2, 2).spatial(8, 4).local(1, %d)",
      "local(2, 1).column_spatial(4, 8).local(%d, 1)", "local(2, 1).spatial(8, 4).local(1, 2)"}},
    {"m16n8k16_i8_i32",
     4,
     {"column_local(2, 1).spatial(8, 4).local(1, %d)", "column_spatial(4, 8).local(%d, 1)",
      "local(2, 1).spatial(8, 4).local(1, 2)"}},
    {"m8n8k16_i8_i32",
     4,
     {"spatial(8, 4).local(1, %d)", "column_spatial(4, 8).local(%d, 1)",
      "spatial(8, 4).local(1, 2)"}},
};

static bool open_document(struct lw_document *doc, const struct config *config, int operand,
                          int vector, struct lw_error *err)
{
    char source[80];
    snprintf(source, sizeof source, config->operand[operand], config->unit * vector);
    return lw_document_read(doc, source, strlen(source), NULL, err);
}

/* Whether two maps have the same element at each index. */
static bool is_same(const struct lw_map *a, const struct lw_map *b)
{
    uint64_t all, in[LW_DIMS_MAX], x[LW_DIMS_MAX] = {0}, y[LW_DIMS_MAX] = {0};
    if (!lw_dims_equal(&a->in, &b->in) || !lw_dims_equal(&a->out, &b->out) ||
        !lw_dims_total(&a->in, &all, NULL))
        return false;
    for (uint64_t i = 0; i < all; i++) {
        lw_dims_unflatten(&a->in, i, in);
        if (!lw_map_apply(a, in, x) || !lw_map_apply(b, in, y) ||
            memcmp(x, y, (size_t)a->out.count * sizeof *x) != 0)
            return false;
    }
    return true;
}

static bool is_operand(const struct lw_map *map, const struct config *config, int operand,
                       int vector)
{
    struct lw_document doc;
    struct lw_map trial;
    struct lw_error err;
    if (!open_document(&doc, config, operand, vector, &err))
        return false;
    bool same = lw_document_build(&doc, &trial, &err) && is_same(map, &trial);
    lw_document_free(&doc);
    return same;
}

/* The first instruction whose element is that of the subject, as several instructions have the same C. */
static bool find(const struct lw_subject *subject, const struct config **config, int *operand,
                 int *vector)
{
    const struct lw_element *element = &subject->tensor.element;
    bool integer = element->name[0] == 'i' || element->name[0] == 'u';
    for (size_t c = 0; c < LW_COUNT(configs); c++) {
        *config = &configs[c];
        if (element->name[0] && integer != (configs[c].unit == 4))
            continue;
        for (*operand = 0; *operand < LW_OPERANDS_MAX; ++*operand)
            for (*vector = 1; *vector <= VECTORS; ++*vector)
                if (is_operand(&subject->map, *config, *operand, *vector))
                    return true;
    }
    return false;
}

bool lw_mma_open_tilus(struct lw_view *view, struct lw_error *err)
{
    struct lw_operands *operands = lw_operands_of(view);
    const struct config *config;
    int vector;
    if (!find(view->subject, &config, &operands->own, &vector))
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "the mma view needs an operand of one instruction of tilus, such as "
            "column_local(2, 2).spatial(8, 4).local(1, 2), and this layout is not one");
    lw_text_format(&operands->note, "as in %s of tilus, vec_k %d", config->name, vector);
    for (int i = LW_MMA_A; i <= LW_MMA_C; i++) {
        struct lw_document doc;
        operands->all[i].subject = view->subject;
        if (i != operands->own) {
            if (!open_document(&doc, config, i, vector, err))
                return false;
            bool good = lw_operand_open(view, i, doc.encoding, &doc.tensor, err);
            lw_document_free(&doc);
            if (!good)
                return false;
        }
        if (!lw_operand_measure(view, i, err))
            return false;
    }
    return true;
}
