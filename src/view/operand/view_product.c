/*
 * The product view. Its products are of digits: in each dim an element of the result, and its hardware index, is made
 * of those of the factors, one above the other.
 *
 *   - Layouts of tilus that are composed of others, local(3, 4).spatial(2, 3) or A * B: the inner, last one has the low
 *     digits; its dims are the last dims of the product. Source: tilus.ir.layout.ops.register_ops.compose, tilus 0.2.0.
 *   - A * B of linear layouts: A has the low digits in each dim that both have, so the product is copies of A in the
 *     order of B. Source: operator* of LinearLayout of Triton.
 *
 * Those of CuTe are in product_cute.c.
 */

#include "core/array_count.h"
#include "view/operand/product.h"

#include <string.h>

/* ---- Layouts of tilus ---- */

/* Splits the last composition off; false: the encoding is none. */
static bool split(struct lw_arena *arena, const struct lw_encoding *encoding,
                  const struct lw_encoding **outer, const struct lw_encoding **inner)
{
    struct lw_encoding *rest;
    bool composed = !strcmp(encoding->type->name, "compose");
    *outer = lw_encoding_nested(encoding, composed ? "outer" : "base");
    *inner = composed ? lw_encoding_nested(encoding, "inner") : NULL;
    if (!*outer || composed)
        return *outer && *inner;
    rest = lw_encoding_copy(arena, encoding);
    if (rest)
        rest->params[lw_encoding_param(rest, "base")].kind = LW_VALUE_NONE;
    *inner = rest;
    return rest != NULL;
}

static bool add_encodings(struct lw_product *product, const struct lw_encoding *encoding, int depth)
{
    const struct lw_encoding *outer, *inner;
    struct lw_tensor unknown;
    if (depth > LW_NESTING_MAX)
        return false;
    if (split(&product->arena, encoding, &outer, &inner))
        return add_encodings(product, outer, depth + 1) && add_encodings(product, inner, depth + 1);
    if (product->count == LW_PRODUCT_STEPS)
        return false;
    struct lw_product_step *step = &product->steps[product->count++];
    lw_tensor_unknown(&unknown);
    lw_encoding_print(&step->name, encoding);
    return lw_encoding_build(encoding, &unknown, &step->map, NULL) && step->map.in.count == 2;
}

static bool open_tilus(struct lw_view *view, struct lw_error *err)
{
    struct lw_product *product = lw_product_of(view);
    struct lw_operand *all = product->operands.all;
    const struct lw_encoding *encoding = view->subject->encoding, *parts[2];
    struct lw_tensor unknown;
    if (!encoding || view->subject->family != LW_FAMILY_TILUS_REGISTER ||
        !split(&product->arena, encoding, &parts[0], &parts[1]))
        return false;
    lw_tensor_unknown(&unknown);
    unknown.element = view->subject->tensor.element;
    all[LW_PRODUCT_FIRST].name = "outer";
    all[LW_PRODUCT_SECOND].name = "inner";
    for (int i = 0; i < LW_PRODUCT_RESULT; i++)
        if (!lw_operand_open(view, i, parts[i], &unknown, err))
            return false;
    if (!add_encodings(product, encoding, 0))
        product->count = 0;
    const struct lw_dims *tile = &all[LW_PRODUCT_SECOND].subject->map.out;
    view->tile_cols = tile->count ? tile->dim[tile->count - 1].size : 0;
    view->tile_rows = tile->count > 1 ? tile->dim[tile->count - 2].size : 1;
    return true;
}

/* ---- Linear layouts ---- */

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

static bool add_layout(struct lw_product *product, const struct lw_layout *layout)
{
    if (product->count == LW_PRODUCT_STEPS)
        return false;
    struct lw_product_step *step = &product->steps[product->count];
    lw_text_char(&step->name, (char)('A' + product->count++));
    lw_map_from_layout(&step->map, layout);
    return true;
}

/* The factors of A * B * C, the first one first: `pair` is (A * B) * C. */
static bool add_layouts(struct lw_product *product, const struct lw_calc_pair *pair)
{
    return (pair->before ? add_layouts(product, pair->before)
                         : add_layout(product, &pair->a.as.layout)) &&
           add_layout(product, &pair->b.as.layout);
}

static bool open_linear(struct lw_view *view, struct lw_error *err)
{
    struct lw_product *product = lw_product_of(view);
    struct lw_operand *all = product->operands.all;
    const struct lw_layout *own = lw_map_layout(&view->subject->map);
    if (!own || !lw_product_compute(view, err) || product->pair->kind != LW_CALC_PAIR_PRODUCT ||
        !lw_layout_equal(own, &product->pair->result.as.layout))
        return false;
    const struct lw_layout *tile = &product->pair->a.as.layout;
    all[LW_PRODUCT_FIRST].name = "A";
    all[LW_PRODUCT_SECOND].name = "B";
    if (!open_layout(view, LW_PRODUCT_FIRST, tile, err) ||
        !open_layout(view, LW_PRODUCT_SECOND, &product->pair->b.as.layout, err))
        return false;
    if (!add_layouts(product, product->pair))
        product->count = 0;
    const struct lw_dims *dims = &own->out;
    if (dims->count)
        view->tile_cols = lw_dims_size(&tile->out, dims->dim[dims->count - 1].name);
    if (dims->count > 1)
        view->tile_rows = lw_dims_size(&tile->out, dims->dim[dims->count - 2].name);
    return true;
}

/* ---- The digits of both ---- */

/* Whether the first factor has the low digits. */
static bool begins_low(const struct lw_view *view)
{
    return lw_product_of(view)->pair != NULL;
}

/* Takes the element of a factor off *left, which keeps the digits above it. */
static void take_element(const struct lw_view *view, const struct lw_map *factor, uint64_t *left,
                         uint64_t *element)
{
    const struct lw_dims *result = &view->subject->map.out, *dims = &factor->out;
    for (int d = 0; d < dims->count; d++) {
        uint64_t *of = &left[begins_low(view) ? lw_dims_find(result, dims->dim[d].name)
                                              : result->count - dims->count + d];
        element[d] = *of % dims->dim[d].size;
        *of /= dims->dim[d].size;
    }
}

static void digits_part_of(const struct lw_view *view, int part, const uint64_t *out,
                           uint64_t *element)
{
    const struct lw_operand *all = lw_operands_of(view)->all;
    const int low = begins_low(view) ? LW_PRODUCT_FIRST : LW_PRODUCT_SECOND;
    uint64_t left[LW_DIMS_MAX];
    memcpy(left, out, sizeof left);
    take_element(view, &all[low].subject->map, left, element);
    if (part != low)
        take_element(view, &all[part].subject->map, left, element);
}

/* Appends what each factor adds to the hardware index, in their order, so that a line holds many: "local r1*2, spatial
 * t21, local r0"; the last factor is the fastest, and `in` has the dims of the product. Sets whole[] to the index;
 * false: an element has no owner. */
static bool put_factors(struct lw_text *text, const struct lw_dims *in,
                        const struct lw_factor *factors, int count, uint64_t *whole)
{
    uint64_t digits[LW_DIMS_MAX], unit[LW_DIMS_MAX];
    for (int d = 0; d < in->count; d++) {
        unit[d] = in->dim[d].size;
        whole[d] = 0;
    }
    for (int i = 0; i < count; i++) {
        const struct lw_dims *own = &factors[i].map->in;
        const char *name = factors[i].name;
        if (!lw_map_owner(factors[i].map, factors[i].element, 0, digits))
            return false;
        lw_text_format(text, "%s%.*s", i ? ", " : "", (int)strcspn(name, "("), name);
        for (int k = 0; k < own->count; k++) {
            const int d = lw_dims_find(in, own->dim[k].name);
            if (d < 0 || own->dim[k].size == 1)
                continue;
            unit[d] /= own->dim[k].size;
            whole[d] += digits[k] * unit[d];
            lw_text_format(text, " %c%llu", *lw_dim_title(&in->dim[d]),
                           (unsigned long long)digits[k]);
            if (unit[d] > 1)
                lw_text_format(text, "*%llu", (unsigned long long)unit[d]);
        }
    }
    return true;
}

int lw_product_factors(const struct lw_view *view, const uint64_t *out, struct lw_factor *factors)
{
    const struct lw_product *product = lw_product_of(view);
    uint64_t left[LW_DIMS_MAX];
    memcpy(left, out, sizeof left);
    for (int i = product->count - 1; i >= 0; i--) { /* from the fastest one on */
        const struct lw_product_step *step =
            &product->steps[begins_low(view) ? product->count - 1 - i : i];
        factors[i] = (struct lw_factor){.map = &step->map, .name = lw_text_string(&step->name)};
        take_element(view, &step->map, left, factors[i].element);
    }
    return product->count;
}

static bool explain_digits(const struct lw_view *view, const uint64_t *out,
                           struct lw_explanation *explanation)
{
    const struct lw_map *result = &view->subject->map;
    struct lw_factor factors[LW_PRODUCT_STEPS];
    uint64_t whole[LW_DIMS_MAX], check[LW_DIMS_MAX];
    const int count = lw_product_factors(view, out, factors);
    return count &&
           put_factors(lw_explanation_line(explanation, "steps"), &result->in, factors, count,
                       whole) &&
           lw_map_apply(result, whole, check) &&
           !memcmp(check, out, (size_t)result->out.count * sizeof *out);
}

/* ---- The view, of every kind of product ---- */

static const struct lw_product_kind tilus = {open_tilus, digits_part_of, explain_digits};
static const struct lw_product_kind linear = {open_linear, digits_part_of, explain_digits};

/* The operands one below the other; the result is right of them. */
static void arrange(struct lw_view *view)
{
    struct lw_operand *all = lw_operands_of(view)->all;
    const struct lw_operand *result = &all[LW_PRODUCT_RESULT];
    bool down = view->tile_rows > 1 && view->tile_rows < result->rows;
    bool across = view->tile_cols > 1 && view->tile_cols < result->cols;
    view->tile_rows = down ? view->tile_rows : 0;
    view->tile_cols = across ? view->tile_cols : 0;
    /* Below the first, two rows are left for the name of the second and the numbers of its columns, and it begins at an
     * even row, for halves of characters. Where it is beside the result only if it is nearer, it is beside a tile after
     * the name. */
    const uint64_t tile = down ? view->tile_rows : 1, first = all[LW_PRODUCT_FIRST].rows;
    const uint64_t near = (first / tile + 1) * tile, rows = all[LW_PRODUCT_SECOND].rows;
    const uint64_t far = first < tile ? tile : (first + 3) / 2 * 2;
    const bool only_near = far + rows > result->rows && near + rows <= result->rows;
    all[LW_PRODUCT_SECOND].row = only_near ? near : far;
    view->seam_cols = all[LW_PRODUCT_FIRST].cols > all[LW_PRODUCT_SECOND].cols
                          ? all[LW_PRODUCT_FIRST].cols
                          : all[LW_PRODUCT_SECOND].cols;
    all[LW_PRODUCT_RESULT].col = view->seam_cols;
    lw_operands_arrange(view);
}

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    struct lw_operands *operands = lw_operands_of(view);
    struct lw_error scratch;
    err = err ? err : &scratch;
    operands->count = LW_OPERANDS_MAX;
    operands->own = LW_PRODUCT_RESULT;
    for (int i = 0; i < operands->count; i++)
        operands->all[i] = (struct lw_operand){
            .name = "product", .subject = view->subject, .row_prefix = "", .col_prefix = ""};
    static const struct lw_product_kind *const kinds[] = {&tilus, &linear, &lw_product_cute};
    bool opened = false;
    err->code = LW_OK;
    for (size_t i = 0; i < LW_COUNT(kinds) && !opened && err->code == LW_OK; i++) {
        lw_product_of(view)->kind = kinds[i];
        opened = kinds[i]->open(view, err);
    }
    if (!opened)
        return err->code == LW_OK &&
               lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "the product view needs a layout that is made of two: local(3, "
                            "4).spatial(2, 3) of tilus, blocked_product(A, B) or "
                            "zipped_divide(A, B) of CuTe, or the result of A * B in the explorer");
    for (int i = 0; i < operands->count; i++)
        if (!lw_operand_measure(view, i, err))
            return false;
    arrange(view);
    return true;
}

static void close_view(struct lw_view *view)
{
    struct lw_product *product = lw_product_of(view);
    for (int i = 0; i < LW_PRODUCT_STEPS; i++)
        lw_text_free(&product->steps[i].name);
    lw_arena_free(&product->arena);
    lw_operands_close(view);
}

static bool is_result(const struct lw_spot *spot)
{
    return !spot->operand || spot->operand == LW_PRODUCT_RESULT + 1;
}

static bool linked(const struct lw_view *view, const struct lw_spot *spot, int i, uint64_t *out)
{
    if (!is_result(spot) || i >= LW_PRODUCT_RESULT)
        return false;
    lw_product_of(view)->kind->part_of(view, i, spot->out, out);
    return true;
}

/* Of an element of the product: how its owners are made of the factors. */
static void explain_steps(const struct lw_view *view, const struct lw_spot *spot,
                          struct lw_explanation *explanation)
{
    const int before = explanation->count;
    if (is_result(spot) && !lw_product_of(view)->kind->explain(view, spot->out, explanation))
        explanation->count = before;
}

static void explain(const struct lw_view *view, uint64_t row, uint64_t col,
                    struct lw_explanation *explanation)
{
    struct lw_spot spot;
    lw_operands_explain(view, row, col, explanation);
    if (!lw_operands_spot(view, row, col, &spot) || spot.operand || !explanation->count)
        return;
    explanation->count = 1; /* only the owners; the steps follow */
    explain_steps(view, &spot, explanation);
    if (explanation->count == 1)
        lw_operands_explain(view, row, col, explanation);
}

/* "outer 3x4 * inner 2x3 = product 6x12", "zipped_divide(A 4x8, tile 2x4) = 8x4". */
static void caption(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_product *product = lw_product_of(view);
    const struct lw_operand *a = product->operands.all, *b = a + 1, *result = a + 2;
    const unsigned long long sizes[] = {a->rows, a->cols, b->rows, b->cols};
    bool call = product->pair && strcmp(product->pair->name, "*") != 0;
    if (call)
        lw_text_format(text, "%s(", product->pair->name);
    lw_text_format(text, "%s %llux%llu%s%s %llux%llu%s", a->name, sizes[0], sizes[1],
                   call ? ", " : " * ", b->name, sizes[2], sizes[3], call ? ") = " : " = ");
    lw_text_format(text, "%s%s%llux%llu", call ? "" : result->name, call ? "" : " ",
                   (unsigned long long)result->rows, (unsigned long long)result->cols);
}

const struct lw_view_type lw_view_product = {
    .name = "product",
    .title = "Product",
    .help = "the two layouts that a product or a quotient is made of, beside it",
    .picture = true,
    .formatted = true,
    .state_size = sizeof(struct lw_product),
    .open = open_view,
    .close = close_view,
    .cell = lw_operands_cell,
    .row_label = lw_operands_row_label,
    .col_label = lw_operands_col_label,
    .width = lw_operands_width,
    .spot = lw_operands_spot,
    .find = lw_operands_find,
    .layout = lw_operands_layout,
    .part = lw_operands_part,
    .linked = linked,
    .caption = caption,
    .legend = lw_operands_legend,
    .explain = explain,
    .explain_thread = explain_steps,
};
