/* What the formats share. */

#include "export/export_parts.h"

#include "core/text_escape.h"
#include "core/text_mark.h"
#include "export/output.h"

#include <string.h>

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

const char *lw_figure_title(const struct lw_view *view, const struct lw_export_options *options)
{
    if (!options->head)
        return "";
    return options->title ? options->title : view->subject->title ? view->subject->title : "";
}

const char *lw_picture_title(const struct lw_view *view, const struct lw_export_options *options)
{
    const char *title = lw_figure_title(view, options);
    return *title || !options->head || options->title ? title : view->type->title;
}

void lw_fetch_head(const struct lw_view *view, const struct lw_export_options *options,
                   const char *title, struct lw_text *text)
{
    lw_text_clear(text);
    if (!options->head)
        return;
    lw_view_head(view, text);
    if (!strcmp(title, lw_text_string(text)))
        lw_text_clear(text);
    if (!view->type->caption)
        return;
    lw_text_add(text, text->length ? "\n" : "");
    view->type->caption(view, text);
}

/* Lines, each with what else is in it escaped. */
static void write_lines(const char *lines, FILE *stream)
{
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        lw_output_print(stream, "%.*s\n", (int)length, lines);
    }
}

void lw_write_head(const struct lw_view *view, const struct lw_export_options *options,
                   FILE *stream)
{
    struct lw_text text = {0};
    if (options->head && options->title)
        write_lines(options->title, stream);
    lw_fetch_head(view, options, "", &text);
    if (lw_text_is_mark(lw_text_string(&text)))
        lw_output_fail(stream);
    write_lines(lw_text_string(&text), stream);
    lw_text_free(&text);
}

void lw_write_caption(const struct lw_export_options *options, FILE *stream)
{
    if (options->head && options->caption)
        write_lines(options->caption, stream);
}
