/*
 * Products A * B of linear layouts: in each dim that both have, A has the low bits of the hardware index and of the
 * element, so the product is copies of A in the order of B.
 *
 * Source: operator* of LinearLayout of Triton.
 */

#include "view/operand/product.h"

#include <string.h>

static bool open_layout(struct lw_view *view, int i, const struct lw_layout *layout,
                        struct lw_error *err)
{
    struct lw_document doc;
    struct lw_text json = {0};
    lw_layout_print_json(&json, layout);
    bool good = lw_document_read(&doc, lw_text_string(&json), json.length, NULL, err);
    lw_text_free(&json);
    if (!good)
        return false;
    doc.tensor.element = view->subject->tensor.element;
    good = lw_operand_open(view, i, doc.encoding, &doc.tensor, err);
    lw_document_free(&doc);
    return good;
}

static bool add_step(struct lw_product *product, const struct lw_layout *layout)
{
    if (product->count == LW_PRODUCT_STEPS)
        return false;
    lw_map_from_layout(&product->steps[product->count++].map, layout);
    return true;
}

/* The factors of A * B * C, the first one first: `pair` is (A * B) * C. */
static bool add_steps(struct lw_product *product, const struct lw_calc_pair *pair)
{
    return (pair->before ? add_steps(product, pair->before)
                         : add_step(product, &pair->a.as.layout)) &&
           add_step(product, &pair->b.as.layout);
}

static bool open_product(struct lw_view *view, struct lw_error *err)
{
    struct lw_product *product = lw_product_of(view);
    struct lw_operand *all = product->operands.all;
    const struct lw_layout *own = lw_map_layout(&view->subject->map);
    if (!own || !lw_product_compute(view, err) || product->pair->kind != LW_CALC_PAIR_PRODUCT ||
        !lw_layout_equal(own, &product->pair->result.as.layout))
        return false;
    all[LW_PRODUCT_FIRST].name = "A";
    all[LW_PRODUCT_SECOND].name = "B";
    if (!open_layout(view, LW_PRODUCT_FIRST, &product->pair->a.as.layout, err) ||
        !open_layout(view, LW_PRODUCT_SECOND, &product->pair->b.as.layout, err))
        return false;
    if (!add_steps(product, product->pair))
        product->count = 0;
    const struct lw_layout *tile = &product->pair->a.as.layout;
    const struct lw_dims *dims = &own->out;
    if (dims->count)
        view->tile_cols = lw_dims_size(&tile->out, dims->dim[dims->count - 1].name);
    if (dims->count > 1)
        view->tile_rows = lw_dims_size(&tile->out, dims->dim[dims->count - 2].name);
    return true;
}

static void part_of(const struct lw_view *view, int part, const uint64_t *out, uint64_t *element)
{
    const struct lw_operand *all = lw_operands_of(view)->all;
    const struct lw_dims *result = &view->subject->map.out;
    const struct lw_dims *low = &all[LW_PRODUCT_FIRST].subject->map.out;
    const struct lw_dims *dims = &all[part].subject->map.out;
    for (int d = 0; d < dims->count; d++) {
        uint64_t size = lw_dims_size(low, dims->dim[d].name);
        uint64_t whole = out[lw_dims_find(result, dims->dim[d].name)];
        element[d] = part == LW_PRODUCT_FIRST ? whole % size : whole / size;
    }
}

/* ---- Step by step ---- */

/* Splits the element of a factor, the low digits, from *left, which keeps the high digits for the next factors. */
static void take_element(const struct lw_map *map, const struct lw_dims *result, uint64_t *left,
                         uint64_t *element)
{
    for (int d = 0; d < map->out.count; d++) {
        uint64_t *of = &left[lw_dims_find(result, map->out.dim[d].name)];
        element[d] = *of % map->out.dim[d].size;
        *of /= map->out.dim[d].size;
    }
}

static bool explain_steps(const struct lw_view *view, const uint64_t *out,
                          struct lw_explanation *explanation)
{
    const struct lw_product *product = lw_product_of(view);
    const struct lw_map *result = &view->subject->map;
    uint64_t left[LW_DIMS_MAX], unit[LW_DIMS_MAX], whole[LW_DIMS_MAX] = {0};
    uint64_t element[LW_DIMS_MAX], in[LW_DIMS_MAX] = {0}, check[LW_DIMS_MAX];
    memcpy(left, out, sizeof left);
    for (int d = 0; d < LW_DIMS_MAX; d++)
        unit[d] = 1;
    for (int s = 0; s < product->count; s++) {
        const struct lw_map *map = &product->steps[s].map;
        take_element(map, &result->out, left, element);
        if (!lw_map_owner(map, element, 0, in))
            return false;
        struct lw_text *text = lw_explanation_line(explanation, s ? "" : "steps");
        lw_put_element(text, map->out.count, element);
        lw_text_format(text, " of %c: ", 'A' + s);
        for (int d = 0; d < map->in.count; d++) {
            int at = lw_dims_find(&result->in, map->in.dim[d].name);
            whole[at] += in[d] * unit[at];
            unit[at] *= map->in.dim[d].size;
            lw_text_format(text, "%s%s %llu of %llu", d ? ", " : "", map->in.dim[d].name,
                           (unsigned long long)in[d], (unsigned long long)map->in.dim[d].size);
        }
    }
    if (!product->count)
        return false;
    struct lw_text *text = lw_explanation_line(explanation, "together");
    lw_put_hardware_index(text, &result->in, whole);
    lw_text_add(text, ": of each step times the sizes of those above it");
    return lw_map_apply(result, whole, check) &&
           !memcmp(check, out, (size_t)result->out.count * sizeof *out);
}

const struct lw_product_kind lw_product_linear = {open_product, part_of, explain_steps};
