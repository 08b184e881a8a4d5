/* json: one object, written as a stream, so that a large view needs no memory. */

#include "export/export_parts.h"

/* A string of JSON. Bytes that are not UTF-8 become U+FFFD. */
static void put_string(FILE *stream, const char *string)
{
    fputc('"', stream);
    while (*string) {
        int length;
        uint32_t code = lw_text_decode(string, &length);
        if (code == '"' || code == '\\')
            fprintf(stream, "\\%c", (char)code);
        else if (code < ' ' || code == 0x7f)
            fprintf(stream, "\\u%04x", (unsigned)code);
        else if (code == 0xfffd)
            fputs("\xef\xbf\xbd", stream);
        else
            fwrite(string, 1, (size_t)length, stream);
        string += length;
    }
    fputc('"', stream);
}

typedef void fetch_label(const struct lw_view *view, uint64_t i, struct lw_text *text);

static void put_labels(const struct lw_view *view, const char *name, fetch_label *fetch,
                       uint64_t from, uint64_t to, struct lw_text *text, FILE *stream)
{
    fprintf(stream, "\"%s\":[", name);
    for (uint64_t i = from; i < to; i++) {
        fetch(view, i, text);
        fputs(i > from ? "," : "", stream);
        put_string(stream, lw_text_string(text));
    }
    fputs("],\n", stream);
}

static void put_row(const struct lw_view *view, const struct lw_export_options *options,
                    uint64_t row, struct lw_text *text, FILE *stream)
{
    fputc('[', stream);
    for (uint64_t col = options->col_from; col < options->col_to; col++) {
        lw_fetch_cell(view, row, col, text, NULL);
        fputs(col > options->col_from ? "," : "", stream);
        put_string(stream, lw_text_string(text));
    }
    fputc(']', stream);
}

static bool write_json(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err)
{
    const struct lw_export_options *o = options;
    struct lw_text text = {0};
    fputs("{\"view\":", stream);
    put_string(stream, view->type->name);
    fprintf(stream, ",\"rows\":%llu,\"cols\":%llu,\n",
            (unsigned long long)(o->row_to - o->row_from),
            (unsigned long long)(o->col_to - o->col_from));
    if (o->labels) {
        put_labels(view, "row_labels", lw_fetch_row_label, o->row_from, o->row_to, &text, stream);
        put_labels(view, "col_labels", lw_fetch_col_label, o->col_from, o->col_to, &text, stream);
    }
    fputs("\"cells\":[\n", stream);
    for (uint64_t row = o->row_from; row < o->row_to && !ferror(stream); row++) {
        put_row(view, o, row, &text, stream);
        fputs(row + 1 < o->row_to ? ",\n" : "\n", stream);
    }
    fputs("]}\n", stream);
    bool failed = text.failed;
    lw_text_free(&text);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory") : true;
}

const struct lw_format lw_format_json = {
    .name = "json",
    .extension = "json",
    .help = "an object with the labels and the cells",
    .write = write_json,
};
