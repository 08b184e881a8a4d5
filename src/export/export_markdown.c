/* markdown: pipe tables, one for each grid of a stack. */

#include "export/export_parts.h"

/* Writes text so that no character of it is read as Markdown. */
static void put_escaped(FILE *stream, const char *string)
{
    for (const char *c = string; *c; c++) {
        if (*c == '|' || *c == '\\' || *c == '*' || *c == '`' || *c == '<')
            fputc('\\', stream);
        fputc(*c, stream);
    }
}

static void put_header(const struct lw_view *view, const struct lw_export_options *options,
                       struct lw_text *text, FILE *stream)
{
    /* A pipe table must have a header; without labels it is an empty one. */
    if (options->labels)
        fprintf(stream, "| %s ", view->type->corner ? view->type->corner : "");
    for (uint64_t col = options->col_from; col < options->col_to; col++) {
        lw_fetch_col_label(view, col, text);
        fputs("| ", stream);
        put_escaped(stream, options->labels ? lw_text_string(text) : "");
        fputc(' ', stream);
    }
    fputs("|\n", stream);
    for (uint64_t col = options->col_from; col < options->col_to + options->labels; col++)
        fputs("| --- ", stream);
    fputs("|\n", stream);
}

static void put_row(const struct lw_view *view, const struct lw_export_options *options,
                    uint64_t row, struct lw_text *text, FILE *stream)
{
    if (options->labels) {
        lw_fetch_row_label(view, row, text);
        fputs("| ", stream);
        put_escaped(stream, lw_text_string(text));
        fputc(' ', stream);
    }
    for (uint64_t col = options->col_from; col < options->col_to; col++) {
        lw_fetch_cell(view, row, col, text, NULL);
        fputs("| ", stream);
        put_escaped(stream, lw_text_string(text));
        fputc(' ', stream);
    }
    fputs("|\n", stream);
}

static bool write_markdown(const struct lw_view *view, const struct lw_export_options *options,
                           FILE *stream, struct lw_error *err)
{
    struct lw_text text = {0};
    const char *head = view->subject->head;
    if (options->head && head && head[0]) {
        lw_text_shown(&text, head);
        put_escaped(stream, lw_text_string(&text));
        fputs("\n\n", stream);
        lw_text_clear(&text);
    }
    if (options->head && view->type->caption) {
        view->type->caption(view, &text);
        put_escaped(stream, lw_text_string(&text));
        fputs("\n\n", stream);
        lw_text_clear(&text);
    }
    for (uint64_t row = options->row_from; row < options->row_to && !ferror(stream); row++) {
        bool first = row == options->row_from;
        if (!first && row % view->page_rows == 0)
            fputc('\n', stream);
        if (first || row % view->page_rows == 0)
            put_header(view, options, &text, stream);
        put_row(view, options, row, &text, stream);
    }
    bool failed = text.failed;
    lw_text_free(&text);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory") : true;
}

const struct lw_format lw_format_markdown = {
    .name = "markdown",
    .extension = "md",
    .help = "a pipe table, as GitHub and most tools read it",
    .between = "\n",
    .write = write_markdown,
};
