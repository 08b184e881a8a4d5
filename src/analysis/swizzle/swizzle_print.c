/* Candidates of the search as attributes that can be pasted. */

#include "analysis/swizzle/swizzle_parts.h"

static void print_order(struct lw_text *text, const char *before, const int64_t *order, int rank)
{
    lw_text_format(text, "%s[", before);
    for (int i = 0; i < rank; i++)
        lw_text_format(text, "%s%d", i ? ", " : "", (int)order[i]);
    lw_text_char(text, ']');
}

static void print_linear(struct lw_text *text, const struct lw_layout *layout)
{
    uint64_t image[LW_DIMS_MAX];
    lw_text_add(text, "#ttg.shared_linear<{offset = [");
    for (int b = 0; b < lw_layout_in_log2(layout, 0); b++) {
        lw_layout_basis(layout, 0, b, image);
        lw_text_add(text, b ? ", [" : "[");
        for (int d = 0; d < layout->out.count; d++) {
            lw_text_add(text, d ? ", " : "");
            lw_text_number(text, image[d]);
        }
        lw_text_char(text, ']');
    }
    lw_text_add(text, "]}, alignment = 16>");
}

static void print_pads(struct lw_text *text, const struct lw_swizzle *swizzle)
{
    for (int i = 0; i < swizzle->padding_count; i++)
        lw_text_format(text, "%s%llu:+%llu", i ? ", " : "[",
                       (unsigned long long)swizzle->padding[i].interval,
                       (unsigned long long)swizzle->padding[i].size);
    lw_text_char(text, ']');
}

static void print_padded(struct lw_text *text, const struct lw_swizzle *swizzle,
                         const struct lw_dims *shape)
{
    lw_text_add(text, "#ttg.padded_shared<");
    print_pads(text, swizzle);
    lw_text_add(text, " {");
    print_order(text, "order = ", swizzle->order, shape->count);
    lw_text_add(text, ", shape = [");
    for (int d = 0; d < shape->count; d++) {
        lw_text_add(text, d ? ", " : "");
        lw_text_number(text, shape->dim[d].size);
    }
    lw_text_add(text, "]}>");
}

static void print_swizzled(struct lw_text *text, const struct lw_swizzle *swizzle, int rank)
{
    lw_text_format(text, "#ttg.swizzled_shared<{vec = %llu, perPhase = %llu, maxPhase = %llu, ",
                   (unsigned long long)swizzle->vec, (unsigned long long)swizzle->per_phase,
                   (unsigned long long)swizzle->max_phase);
    print_order(text, "order = ", swizzle->order, rank);
    lw_text_add(text, "}>");
}

static void print_nvmma(struct lw_text *text, const struct lw_swizzle *swizzle, int rank,
                        unsigned bits)
{
    lw_text_format(text,
                   "#ttg.nvmma_shared<{swizzlingByteWidth = %llu, transposed = %s, "
                   "elementBitWidth = %u",
                   (unsigned long long)swizzle->width, swizzle->transposed ? "true" : "false",
                   bits);
    if (rank != 2)
        lw_text_format(text, ", rank = %d", rank);
    lw_text_add(text, "}>");
}

void lw_swizzle_print(struct lw_text *text, const struct lw_swizzle_search *search,
                      const struct lw_swizzle *swizzle)
{
    const struct lw_dims *shape = lw_swizzle_shape(search);
    if (swizzle->kind == LW_SWIZZLE_LINEAR)
        print_linear(text, &search->linear);
    else if (swizzle->kind == LW_SWIZZLE_PADDED)
        print_padded(text, swizzle, shape);
    else if (swizzle->kind == LW_SWIZZLE_NVMMA)
        print_nvmma(text, swizzle, shape->count, search->request.element_bits);
    else
        print_swizzled(text, swizzle, shape->count);
}

static bool is_default(const int64_t *order, int rank)
{
    for (int i = 0; i < rank; i++)
        if (order[i] != rank - 1 - i)
            return false;
    return true;
}

void lw_swizzle_label(struct lw_text *text, const struct lw_swizzle_search *search,
                      const struct lw_swizzle *swizzle)
{
    int rank = lw_swizzle_shape(search)->count;
    bool ordered = swizzle->kind == LW_SWIZZLE_SWIZZLED || swizzle->kind == LW_SWIZZLE_PADDED;
    if (swizzle->kind == LW_SWIZZLE_GIVEN)
        lw_text_add(text, "shared S");
    else if (swizzle->kind == LW_SWIZZLE_LINEAR)
        lw_text_add(text, "linear");
    else if (swizzle->kind == LW_SWIZZLE_NVMMA)
        lw_text_format(text, "nvmma %llu bytes%s", (unsigned long long)swizzle->width,
                       swizzle->transposed ? ", transposed" : "");
    else if (swizzle->kind == LW_SWIZZLE_PADDED) {
        lw_text_add(text, "padding ");
        print_pads(text, swizzle);
    } else if (swizzle->max_phase == 1)
        lw_text_add(text, "no swizzle");
    else
        lw_text_format(text, "vec %llu, perPhase %llu, maxPhase %llu",
                       (unsigned long long)swizzle->vec, (unsigned long long)swizzle->per_phase,
                       (unsigned long long)swizzle->max_phase);
    if (ordered && !is_default(swizzle->order, rank))
        print_order(text, ", order ", swizzle->order, rank);
    if (swizzle->kind == LW_SWIZZLE_PADDED)
        lw_text_format(text, ": %llu bytes more",
                       (unsigned long long)(swizzle->bytes - search->plain.bytes));
}
