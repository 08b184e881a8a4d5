/* json: one object on one line, written as a stream, so that a large view needs no memory. */

#include "export/export_parts.h"
#include "export/output.h"

/* What is written goes through texts, which keep their memory from cell to cell. */
struct texts {
    struct lw_text text, quoted;
};

static void put_string(struct texts *texts, const char *string, FILE *stream)
{
    lw_text_clear(&texts->quoted);
    lw_text_json_string(&texts->quoted, string);
    lw_output_text(stream, &texts->quoted);
}

/* Of a row or a column, as it is: the format has escapes of its own. */
typedef void label_of(const struct lw_view *view, uint64_t i, struct lw_text *text);

static void put_labels(const struct lw_view *view, const char *name, label_of *label, uint64_t from,
                       uint64_t to, struct texts *texts, FILE *stream)
{
    fprintf(stream, "\"%s\":[", name);
    for (uint64_t i = from; i < to; i++) {
        lw_text_clear(&texts->text);
        if (label)
            label(view, i, &texts->text);
        fputs(i > from ? "," : "", stream);
        put_string(texts, lw_text_string(&texts->text), stream);
    }
    fputs("],", stream);
}

static void put_row(const struct lw_view *view, const struct lw_export_options *options,
                    uint64_t row, struct texts *texts, FILE *stream)
{
    fputc('[', stream);
    for (uint64_t col = options->col_from; col < options->col_to; col++) {
        struct lw_cell ignored;
        lw_text_clear(&texts->text);
        view->type->cell(view, row, col, &texts->text, &ignored);
        fputs(col > options->col_from ? "," : "", stream);
        put_string(texts, lw_text_string(&texts->text), stream);
    }
    fputc(']', stream);
}

static bool write_json(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err)
{
    const struct lw_export_options *o = options;
    struct texts texts = {0};
    fputs("{\"view\":", stream);
    put_string(&texts, view->type->name, stream);
    fprintf(stream, ",\"rows\":%llu,\"cols\":%llu,", (unsigned long long)(o->row_to - o->row_from),
            (unsigned long long)(o->col_to - o->col_from));
    if (o->labels) {
        put_labels(view, "row_labels", view->type->row_label, o->row_from, o->row_to, &texts,
                   stream);
        put_labels(view, "col_labels", view->type->col_label, o->col_from, o->col_to, &texts,
                   stream);
    }
    fputs("\"cells\":[", stream);
    for (uint64_t row = o->row_from; row < o->row_to && !ferror(stream); row++) {
        put_row(view, o, row, &texts, stream);
        fputs(row + 1 < o->row_to ? "," : "", stream);
    }
    fputs("]}\n", stream);
    bool failed = texts.text.failed || texts.quoted.failed;
    lw_text_free(&texts.text);
    lw_text_free(&texts.quoted);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory") : true;
}

const struct lw_format lw_format_json = {
    .name = "json",
    .extension = "json",
    .help = "an object with the labels and the cells, on one line",
    .between = "",
    .write = write_json,
};
