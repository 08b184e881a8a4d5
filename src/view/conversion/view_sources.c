/* The sources view: a line for each bit of a hardware index in registers B, with the index in registers A of the
 * element there. */

#include "view/conversion/explain_conversion.h"
#include "view/view_parts.h"

static const struct lw_layout *source_of(const struct lw_view *view)
{
    return &lw_subject_access_conversion(view->subject->access, NULL)->source;
}

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    if (!lw_subject_access_check_registers(view->subject, err) ||
        !lw_subject_access_conversion(view->subject->access, err))
        return false;
    view->rows = view->page_rows = (uint64_t)lw_layout_in_bits(source_of(view));
    view->cols = 1;
    return view->rows > 0 || lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                          "registers B have only one hardware index, but this view "
                                          "has a line for each bit of it");
}

/* The dim of a line, and its bit there. */
static int dim_of_line(const struct lw_layout *source, uint64_t row, int *bit)
{
    int d = 0;
    for (*bit = (int)row; *bit >= lw_layout_in_log2(source, d); d++)
        *bit -= lw_layout_in_log2(source, d);
    return d;
}

static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    int bit, dim = dim_of_line(source_of(view), row, &bit);
    (void)col;
    *cell = (struct lw_cell){.ink = LW_INK_DIM, .shade = (uint64_t)dim};
    lw_put_conversion_source(text, source_of(view), dim, bit);
}

static void row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    int bit, dim = dim_of_line(source_of(view), row, &bit);
    lw_text_format(text, "%s=%llu", source_of(view)->in.dim[dim].name, 1ull << bit);
}

static void caption(const struct lw_view *view, struct lw_text *text)
{
    lw_put_conversion(text, lw_subject_access_conversion(view->subject->access, NULL));
}

static void explain(const struct lw_view *view, uint64_t row, uint64_t col,
                    struct lw_explanation *explanation)
{
    struct lw_cell cell;
    row_label(view, row, lw_explanation_line(explanation, "in B"));
    cell_of(view, row, col, lw_explanation_line(explanation, "in A"), &cell);
    lw_explain_conversion(lw_subject_access_conversion(view->subject->access, NULL), explanation);
}

const struct lw_view_type lw_view_sources = {
    .name = "sources",
    .title = "Sources",
    .corner = "in B",
    .access = true,
    .help = "for each bit of an index in B, where its elements are in A",
    .prose = true,
    .open = open_view,
    .arrange = lw_view_stays,
    .cell = cell_of,
    .row_label = row_label,
    .columns = (const char *const[]){"is what A has in"},
    .col_label = lw_view_put_column,
    .width = lw_widest_cell,
    .caption = caption,
    .explain = explain,
};
