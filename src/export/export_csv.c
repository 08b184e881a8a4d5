/* csv: RFC 4180. One table: the row labels distinguish the grids of a stack. */

#include "export/export_parts.h"
#include "view/view_parts.h"

#include <string.h>

static void put_field(FILE *stream, const char *string)
{
    if (!strpbrk(string, ",\"\r\n")) {
        fputs(string, stream);
        return;
    }
    fputc('"', stream);
    for (const char *c = string; *c; c++) {
        if (*c == '"')
            fputc('"', stream);
        fputc(*c, stream);
    }
    fputc('"', stream);
}

static void put_header(const struct lw_view *view, const struct lw_export_options *options,
                       struct lw_text *text, FILE *stream)
{
    put_field(stream, view->type->corner ? view->type->corner : "");
    for (uint64_t col = options->col_from; col < options->col_to; col++) {
        lw_fetch_col_label(view, col, text);
        fputc(',', stream);
        put_field(stream, lw_text_string(text));
    }
    fputs("\r\n", stream);
}

/* A dot where there is nothing is for eyes. */
static void put_cell(const struct lw_view *view, const struct lw_text *text, FILE *stream)
{
    const char *string = lw_text_string(text);
    bool zero = view->type->counts && !view->options.instruction && !strcmp(string, LW_HOLE);
    put_field(stream, zero ? "0" : string);
}

static bool write_csv(const struct lw_view *view, const struct lw_export_options *options,
                      FILE *stream, struct lw_error *err)
{
    struct lw_text text = {0};
    if (options->labels)
        put_header(view, options, &text, stream);
    for (uint64_t row = options->row_from; row < options->row_to && !ferror(stream); row++) {
        if (options->labels) {
            lw_fetch_row_label(view, row, &text);
            put_field(stream, lw_text_string(&text));
        }
        for (uint64_t col = options->col_from; col < options->col_to; col++) {
            if (options->labels || col > options->col_from)
                fputc(',', stream);
            lw_fetch_cell(view, row, col, &text, NULL);
            put_cell(view, &text, stream);
        }
        fputs("\r\n", stream);
    }
    bool failed = text.failed;
    lw_text_free(&text);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory") : true;
}

const struct lw_format lw_format_csv = {
    .name = "csv",
    .extension = "csv",
    .help = "comma-separated values (RFC 4180)",
    .write = write_csv,
};
