/* What the formats share. */

#include "export/export_parts.h"

#include "core/text_escape.h"
#include "export/output.h"

void lw_fetch_cell(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                   struct lw_cell *cell)
{
    struct lw_cell ignored;
    lw_text_clear(text);
    view->type->cell(view, row, col, text, cell ? cell : &ignored);
    lw_text_escape_all(text);
}

void lw_fetch_row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    lw_text_clear(text);
    if (view->type->row_label)
        view->type->row_label(view, row, text);
    lw_text_escape_all(text);
}

void lw_fetch_col_label(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    lw_text_clear(text);
    if (view->type->col_label)
        view->type->col_label(view, col, text);
    lw_text_escape_all(text);
}

uint64_t lw_page_end(const struct lw_view *view, const struct lw_export_options *options,
                     uint64_t row)
{
    uint64_t left = view->page_rows - row % view->page_rows;
    return options->row_to - row < left ? options->row_to : row + left;
}

void lw_write_head(const struct lw_view *view, const struct lw_export_options *options,
                   FILE *stream)
{
    const char *head = view->subject->head;
    if (options->head && head && head[0])
        lw_output_print(stream, "%s\n", head);
    if (options->head && view->type->caption) {
        struct lw_text text = {0};
        view->type->caption(view, &text);
        lw_text_char(&text, '\n');
        lw_output_text(stream, &text);
        lw_text_free(&text);
    }
}
