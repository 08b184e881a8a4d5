/* The product view, for every kind of product. */

#include "view/operand/product.h"

#include <string.h>

/* ---- Opening ---- */

/* Opens the view as one of the kinds of products. */
static bool open_kind(struct lw_view *view, struct lw_error *err)
{
    static const struct lw_product_kind *const kinds[] = {&lw_product_tilus, &lw_product_linear,
                                                          &lw_product_cute};
    struct lw_product *product = lw_product_of(view);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        err->code = LW_OK;
        product->kind = kinds[i];
        if (kinds[i]->open(view, err))
            return true;
        if (err->code != LW_OK)
            return false;
    }
    return lw_error_set(
        err, LW_ERROR_UNSUPPORTED,
        "the product view needs a layout that is made of two: local(3, 4).spatial(2, "
        "3) of tilus, blocked_product(A, B) or zipped_divide(A, B) of CuTe, or the "
        "result of A * B in the explorer");
}

/* The row of the second operand, below the first: two rows are left for its name and the numbers of its columns, and it
 * begins at an even row, for halves of characters. Where it is beside the result only if it is nearer, it is beside a
 * tile after the name. */
static uint64_t row_of_second(const struct lw_operand *all, uint64_t tile)
{
    uint64_t first = all[LW_PRODUCT_FIRST].rows, near = (first / tile + 1) * tile;
    uint64_t far = first < tile ? tile : (first + 3) / 2 * 2, rows = all[LW_PRODUCT_SECOND].rows;
    bool only_near = far + rows > all[LW_PRODUCT_RESULT].rows;
    return only_near && near + rows <= all[LW_PRODUCT_RESULT].rows ? near : far;
}

/* The operands one below the other; the result is right of them. */
static void arrange(struct lw_view *view)
{
    struct lw_operand *all = lw_operands_of(view)->all;
    const struct lw_operand *result = &all[LW_PRODUCT_RESULT];
    bool down = view->tile_rows > 1 && view->tile_rows < result->rows;
    bool across = view->tile_cols > 1 && view->tile_cols < result->cols;
    view->tile_rows = down ? view->tile_rows : 0;
    view->tile_cols = across ? view->tile_cols : 0;
    all[LW_PRODUCT_SECOND].row = row_of_second(all, down ? view->tile_rows : 1);
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
    if (!open_kind(view, err))
        return false;
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

/* ---- Cells ---- */

static bool belongs(const struct lw_view *view, const struct lw_spot *cell,
                    const struct lw_spot *other)
{
    const struct lw_spot *result = cell->operand ? other : cell;
    const struct lw_spot *part = cell->operand ? cell : other;
    uint64_t element[LW_DIMS_MAX] = {0};
    const char *name;
    const struct lw_subject *subject = lw_operands_layout(view, part->operand, &name);
    if (result->operand || !part->operand || !result->has_out || !part->has_out || !subject)
        return false;
    lw_product_of(view)->kind->part_of(view, part->operand - 1, result->out, element);
    return !memcmp(element, part->out, (size_t)subject->map.out.count * sizeof *element);
}

static void explain(const struct lw_view *view, uint64_t row, uint64_t col,
                    struct lw_explanation *explanation)
{
    struct lw_spot spot;
    lw_operands_explain(view, row, col, explanation);
    if (!lw_operands_spot(view, row, col, &spot) || spot.operand || !explanation->count)
        return;
    explanation->count = 1; /* only the owners; the steps follow */
    if (!lw_product_of(view)->kind->explain(view, spot.out, explanation))
        lw_operands_explain(view, row, col, explanation);
}

/* "outer 3x4 * inner 2x3 = product 6x12", "zipped_divide(A 4x8, tile 2x4) = 8x4". */
static void caption(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_product *product = lw_product_of(view);
    const struct lw_operand *all = product->operands.all;
    bool call = product->pair && strcmp(product->pair->name, "*") != 0;
    if (call)
        lw_text_format(text, "%s(", product->pair->name);
    for (int i = 0; i < LW_OPERANDS_MAX; i++) {
        lw_text_add(text, i == LW_PRODUCT_FIRST    ? ""
                          : i == LW_PRODUCT_RESULT ? (call ? ") = " : " = ")
                                                   : (call ? ", " : " * "));
        lw_text_format(text, "%s%s%llux%llu", i == LW_PRODUCT_RESULT && call ? "" : all[i].name,
                       i == LW_PRODUCT_RESULT && call ? "" : " ", (unsigned long long)all[i].rows,
                       (unsigned long long)all[i].cols);
    }
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
    .tint = lw_operands_tint,
    .find = lw_operands_find,
    .layout = lw_operands_layout,
    .part = lw_operands_part,
    .part_label = lw_operands_part_label,
    .belongs = belongs,
    .caption = caption,
    .axes = lw_operands_axes,
    .legend = lw_operands_legend,
    .letters = lw_put_letters,
    .explain = explain,
};
