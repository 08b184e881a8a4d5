/* text: tables as Python's tabulate prints them, and Triton's own printers. */

#include "export/export_parts.h"
#include "export/table.h"

/* A page of a view as a table. With labels, column 0 holds those of the rows. */
struct page {
    const struct lw_view *view;
    uint64_t row, col;
    bool labels;
};

static void cell_of(const void *context, uint64_t row, uint64_t col, struct lw_text *text)
{
    const struct page *page = context;
    bool label = page->labels && col == 0;
    col += page->col - page->labels;
    if (row == LW_TABLE_HEADER && label)
        lw_text_add(text, page->view->type->corner ? page->view->type->corner : "");
    else if (row == LW_TABLE_HEADER)
        lw_fetch_col_label(page->view, col, text);
    else if (label)
        lw_fetch_row_label(page->view, page->row + row, text);
    else
        lw_fetch_cell(page->view, page->row + row, col, text, NULL);
}

/* Whether rows and columns have labels: a part of a view always has them, to show which part it is. */
static bool has_labels(const struct lw_view *view, const struct lw_export_options *options)
{
    bool whole = options->row_to - options->row_from == view->rows &&
                 options->col_to - options->col_from == view->cols;
    return options->labels && (options->bare_labels || !whole || !view->type->bare);
}

static bool write_text(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err)
{
    const struct lw_style *style = lw_style_find(options->style ? options->style : "simple_grid");
    bool labels = has_labels(view, options);
    if (!style->ruling)
        return style->write(view, options, stream, err);
    lw_write_head(view, options, stream);
    if (labels)
        lw_write_sense(view, options, stream);
    for (uint64_t row = options->row_from, end; row < options->row_to; row = end) {
        end = lw_page_end(view, options, row);
        struct page page = {view, row, options->col_from, labels};
        struct lw_table table = {.ruling = style->ruling,
                                 .rows = end - row,
                                 .cols = options->col_to - options->col_from + labels,
                                 .header = labels,
                                 .tight = options->tight,
                                 .context = &page,
                                 .cell = cell_of};
        if (!options->style && options->fit && lw_table_width(&table) > options->fit)
            table.ruling = lw_style_find("plain")->ruling;
        if (!lw_table_write(&table, stream, err))
            return false;
        if (ferror(stream))
            break;
    }
    lw_write_caption(view, options, stream);
    return true;
}

const struct lw_format lw_format_text = {
    .name = "text",
    .extension = "txt",
    .help = "a table of text, in one of the styles",
    .between = "\n",
    .write = write_text,
};
