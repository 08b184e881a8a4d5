/* text: tables as Python's tabulate prints them, and Triton's own printers. */

#include "export/export_parts.h"
#include "export/table.h"

/* A page of a view as a table. With labels, column 0 holds those of the rows. */
struct page {
    const struct lw_view *view;
    const struct lw_export_options *options;
    uint64_t row, col;
    bool labels;
};

/* Appends the text of a cell, between stars if it is marked. */
static void put_cell(const struct page *page, uint64_t row, uint64_t col, struct lw_text *text)
{
    const struct lw_export_options *o = page->options;
    struct lw_text marked = {0};
    lw_fetch_cell(page->view, row, col, text, NULL);
    if (!text->length || !o->marked || !o->marked(o->marked_context, page->view, row, col))
        return;
    lw_text_format(&marked, "*%s*", lw_text_string(text));
    lw_text_clear(text);
    lw_text_add(text, lw_text_string(&marked));
    text->failed = text->failed || marked.failed;
    lw_text_free(&marked);
}

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
        put_cell(page, page->row + row, col, text);
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
    if (!style->ruling && options->highlight)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "--highlight: the style %s has no marks",
                            style->name);
    if (!style->ruling)
        return style->write(view, options, stream, err);
    lw_write_head(view, options, stream);
    if (labels)
        lw_write_sense(view, options, stream);
    for (uint64_t row = options->row_from, end; row < options->row_to; row = end) {
        end = lw_page_end(view, options, row);
        struct page page = {view, options, row, options->col_from, labels};
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
    .marks = true,
    .write = write_text,
};
