/* The mma view: A on the left, B above, C in the corner, aligned, so that row m of A and column n of B meet in
 * element (m, n) of C; or, in fewer rows, B beside C. */

#include "view/operand/operands.h"

#include <string.h>

/* Columns before C and before B, for the numbers of their rows, when the parts are side by side. */
enum { BEFORE_C = 2, BEFORE_B = 3 };

static void put_operands(struct lw_view *view)
{
    struct lw_operand *all = lw_operands_of(view)->all;
    uint64_t k = all[LW_MMA_A].cols;
    for (int i = LW_MMA_A; i <= LW_MMA_C; i++)
        all[i].row = all[i].col = 0;
    view->seam_rows = view->seam_cols = 0;
    if (view->options.beside) {
        all[LW_MMA_C].col = k + BEFORE_C;
        all[LW_MMA_B].col = all[LW_MMA_C].col + all[LW_MMA_C].cols + BEFORE_B;
    } else {
        all[LW_MMA_A].row = all[LW_MMA_C].row = view->seam_rows = k;
        all[LW_MMA_B].col = all[LW_MMA_C].col = view->seam_cols = k;
    }
    lw_operands_arrange(view);
}

/* ---- Elements along k that are one cell ---- */

struct look {
    struct lw_text text;
    struct lw_cell cell;
};

static bool look_alike(const struct lw_view *view, struct look *looks, uint64_t row, uint64_t col,
                       uint64_t other_row, uint64_t other_col)
{
    for (int i = 0; i < 2; i++) {
        lw_text_clear(&looks[i].text);
        lw_operands_cell(view, i ? other_row : row, i ? other_col : col, &looks[i].text,
                         &looks[i].cell);
    }
    return looks[0].cell.ink == looks[1].cell.ink && looks[0].cell.shade == looks[1].cell.shade &&
           looks[0].cell.owners == looks[1].cell.owners &&
           !strcmp(lw_text_string(&looks[0].text), lw_text_string(&looks[1].text));
}

/* Whether every `fold` elements of an operand along k look like the `fold` elements before them, which look alike among
 * themselves. */
static bool folds(const struct lw_view *view, int i, uint64_t fold, struct look *looks)
{
    const struct lw_operand *o = &lw_operands_of(view)->all[i];
    bool across = i == LW_MMA_A;
    uint64_t rows = across ? o->rows : 1, cols = across ? 1 : o->cols;
    uint64_t k = across ? o->cols : o->rows;
    for (uint64_t at = 0; at < k; at += 2 * fold)
        for (uint64_t n = 0; n < rows * cols; n++) {
            uint64_t row = o->row + (across ? n : at), col = o->col + (across ? at : n);
            if (!look_alike(view, looks, row, col, across ? row : row + fold,
                            across ? col + fold : col))
                return false;
        }
    return true;
}

static uint64_t find_fold(const struct lw_view *view, uint64_t k)
{
    struct look looks[2] = {{.text = {.limit = 64}}, {.text = {.limit = 64}}};
    uint64_t fold = 1;
    while (fold * 2 <= view->options.fold && k % (fold * 2) == 0 &&
           folds(view, LW_MMA_A, fold, looks) && folds(view, LW_MMA_B, fold, looks))
        fold *= 2;
    for (int i = 0; i < 2; i++)
        lw_text_free(&looks[i].text);
    return fold;
}

/* Finds how many elements are one cell; the result is kept while cells have the same look. */
static uint64_t fold_of(struct lw_view *view, uint64_t k)
{
    const struct lw_view_options *o = &view->options;
    struct lw_operand_fold *known = &lw_operands_of(view)->folds[o->detail];
    if (!known->found || known->cell != o->cell || known->color != view->color ||
        known->most != o->fold)
        *known = (struct lw_operand_fold){o->cell, view->color, o->fold, find_fold(view, k)};
    return known->found;
}

static void fold_k(struct lw_view *view)
{
    enum { LOOKED_AT = 1 << 10 }; /* the most elements of an operand that are examined */
    struct lw_operand *a = &lw_operands_of(view)->all[LW_MMA_A], *b = a + LW_MMA_B;
    uint64_t k = a->cols;
    if (a->rows > LOOKED_AT / k || b->cols > LOOKED_AT / k || view->options.detail > LW_DETAIL_CHAR)
        return;
    uint64_t fold = fold_of(view, k);
    a->col_step = b->row_step = fold;
    a->cols = b->rows = k / fold;
    put_operands(view);
}

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    static const char *const names[] = {"A", "B", "C"};
    struct lw_operands *operands = lw_operands_of(view);
    struct lw_operand *all = operands->all;
    operands->count = LW_OPERANDS_MAX;
    for (int i = 0; i < operands->count; i++)
        all[i] = (struct lw_operand){.name = names[i], .row_prefix = "", .col_prefix = ""};
    if (!lw_mma_open(view, err))
        return false;
    if (all[LW_MMA_A].cols != all[LW_MMA_B].rows || all[LW_MMA_A].rows != all[LW_MMA_C].rows ||
        all[LW_MMA_B].cols != all[LW_MMA_C].cols)
        return lw_error_set(err, LW_ERROR_SHAPE, "A, B and C do not fit each other");
    all[LW_MMA_B].row_prefix = all[LW_MMA_A].col_prefix = "k";
    return true;
}

static uint64_t elements(uint64_t cells, uint64_t step)
{
    return step ? cells * step : cells;
}

static void arrange_view(struct lw_view *view)
{
    struct lw_operand *a = &lw_operands_of(view)->all[LW_MMA_A], *b = a + LW_MMA_B;
    a->cols = b->rows = elements(a->cols, a->col_step);
    a->col_step = b->row_step = 0;
    put_operands(view);
    if (view->options.fold > 1)
        fold_k(view);
}

static void put_size(struct lw_text *text, const struct lw_operand *operand)
{
    lw_text_format(text, "%s %llux%llu", operand->name,
                   (unsigned long long)elements(operand->rows, operand->row_step),
                   (unsigned long long)elements(operand->cols, operand->col_step));
    if (operand->subject && operand->subject->tensor.element.name[0])
        lw_text_format(text, " %s", operand->subject->tensor.element.name);
    if (operand->memory)
        lw_text_add(text, " (in memory)");
}

/* Whether the result is that of an instruction of AMD for the transposed product. */
static bool is_transposed(const struct lw_view *view)
{
    const struct lw_operand *c = &lw_operands_of(view)->all[LW_MMA_C];
    const struct lw_encoding *encoding = c->subject ? c->subject->encoding : NULL;
    const char *type = encoding ? encoding->type->name : "";
    return (!strcmp(type, "amd_mfma") && lw_encoding_boolean(encoding, "isTransposed")) ||
           (!strcmp(type, "amd_wmma") && lw_encoding_boolean(encoding, "isTranspose"));
}

static void put_note(const struct lw_view *view, struct lw_text *text)
{
    if (lw_operands_of(view)->note.length)
        lw_text_format(text, "; %s", lw_text_string(&lw_operands_of(view)->note));
}

static void caption(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_operand *all = lw_operands_of(view)->all;
    put_size(text, &all[LW_MMA_C]);
    lw_text_add(text, " += ");
    put_size(text, &all[LW_MMA_A]);
    lw_text_add(text, " * ");
    put_size(text, &all[LW_MMA_B]);
    lw_text_add(text, is_transposed(view) ? "; C transposed" : "");
    put_note(view, text);
}

/* "m16 n8 k16", "m64 n4 k4, C transposed; assumed: kWidth 1" */
static void brief(const struct lw_view *view, struct lw_text *text, bool unit)
{
    const struct lw_operand *all = lw_operands_of(view)->all;
    lw_text_format(text, unit ? "m%llu n%llu k%llu" : "m%llun%lluk%llu",
                   (unsigned long long)all[LW_MMA_C].rows, (unsigned long long)all[LW_MMA_C].cols,
                   (unsigned long long)elements(all[LW_MMA_A].cols, all[LW_MMA_A].col_step));
    if (unit && is_transposed(view)) {
        lw_text_add(text, ", C transposed");
        put_note(view, text);
    }
}

/* What the thread holds, and of a transposed result how its registers lie: without a frame there is no room for that
 * before the other lines. */
static void explain_thread(const struct lw_view *view, const struct lw_spot *spot, bool in_short,
                           struct lw_explanation *explanation)
{
    const int operand = spot->operand ? spot->operand - 1 : lw_operands_of(view)->own;
    lw_mma_explain_thread(view, spot, in_short, explanation);
    if (operand != LW_MMA_C || !explanation->count || !is_transposed(view))
        return;
    lw_text_add(lw_explanation_line(explanation, "C transposed"), "registers along n");
    if (!in_short)
        lw_explanation_raise(explanation, explanation->count - 1);
}

static void legend(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_operand *a = &lw_operands_of(view)->all[LW_MMA_A];
    const unsigned long long k = a->col_step;
    if (view->options.beside && k > 1)
        lw_text_format(text, "%llu k a cell of A, B; ", k);
    if (view->options.beside)
        lw_text_add(text, "rows are m in A and C, k in B");
    else if (k > 1)
        lw_text_format(text, "A left, B above: %llu k a cell; C in the corner", k);
    else
        lw_operands_legend(view, text);
}

const struct lw_view_type lw_view_mma = {
    .name = "mma",
    .title = "MMA",
    .help = "operands A and B of an MMA and its result C, aligned",
    .picture = true,
    .formatted = true,
    .state_size = sizeof(struct lw_operands),
    .open = open_view,
    .arrange = arrange_view,
    .close = lw_operands_close,
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
    .shares = lw_mma_shares,
    .caption = caption,
    .axes = lw_operands_axes,
    .legend = legend,
    .brief = brief,
    .letters = lw_put_letters,
    .explain = lw_operands_explain,
    .explain_thread = explain_thread,
};
