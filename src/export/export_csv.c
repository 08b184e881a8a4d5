/* csv: RFC 4180. One table: the row labels distinguish the grids of a stack. A tidy one is data: a row for each
 * owner, or access, or move, or cell, and a column for each field. */

#include "export/export_parts.h"
#include "export/cell_values.h"

#include <string.h>

struct csv {
    const struct lw_view *view;
    const struct lw_export_options *options;
    FILE *stream;
    struct lw_text text;
};

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

static void put_header(struct csv *csv)
{
    const struct lw_export_options *o = csv->options;
    put_field(csv->stream, csv->view->type->corner ? csv->view->type->corner : "");
    for (uint64_t col = o->col_from; col < o->col_to; col++) {
        lw_fetch_col_label(csv->view, col, &csv->text);
        fputc(',', csv->stream);
        put_field(csv->stream, lw_text_string(&csv->text));
    }
    fputs("\r\n", csv->stream);
}

/* A dot marks a cell without content for readers: a count is written as 0, and a cell of data is left empty. */
static void put_cell(struct csv *csv, uint64_t row, uint64_t col)
{
    const struct lw_view *view = csv->view;
    lw_fetch_cell(view, row, col, &csv->text, NULL);
    const char *string = lw_text_string(&csv->text);
    bool zero = view->type->counts && !view->options.cell && !view->options.instruction &&
                !strcmp(string, LW_HOLE);
    bool none = csv->options->tidy && !strcmp(string, LW_HOLE);
    put_field(csv->stream, zero ? "0" : none ? "" : string);
}

static void write_grid(struct csv *csv)
{
    const struct lw_export_options *o = csv->options;
    if (o->labels)
        put_header(csv);
    for (uint64_t row = o->row_from; row < o->row_to && !ferror(csv->stream); row++) {
        if (o->labels) {
            lw_fetch_row_label(csv->view, row, &csv->text);
            put_field(csv->stream, lw_text_string(&csv->text));
        }
        for (uint64_t col = o->col_from; col < o->col_to; col++) {
            if (o->labels || col > o->col_from)
                fputc(',', csv->stream);
            put_cell(csv, row, col);
        }
        fputs("\r\n", csv->stream);
    }
}

/* ---- Tidy ---- */

/* Writes the layout of a cell: its name, notation, shape and element. */
static void put_operand(struct csv *csv, const struct lw_values *values, const char *name)
{
    const struct lw_subject *subject = values->subject;
    put_field(csv->stream, name);
    fputc(',', csv->stream);
    put_field(csv->stream, subject->head ? subject->head : "");
    for (int d = 0; d < subject->map.out.count; d++)
        fprintf(csv->stream, "%s%llu", d ? "x" : ",",
                (unsigned long long)subject->map.out.dim[d].size);
    fprintf(csv->stream, ",%s", subject->tensor.element.name);
}

/* Writes the labels of the row and the column, the text of the cell, then its fields; a field that it lacks is
 * empty. */
static void put_record(struct csv *csv, const struct lw_values *values, uint64_t row, uint64_t col,
                       uint64_t k)
{
    uint64_t number;
    lw_fetch_row_label(csv->view, row, &csv->text);
    put_field(csv->stream, lw_text_string(&csv->text));
    fputc(',', csv->stream);
    lw_fetch_col_label(csv->view, col, &csv->text);
    put_field(csv->stream, lw_text_string(&csv->text));
    fputc(',', csv->stream);
    put_cell(csv, row, col);
    for (size_t i = 0; i < values->count; i++) {
        fputc(',', csv->stream);
        if (!lw_value_at(values, k, i, &number))
            continue;
        if (values->operands && i + 1 == values->count)
            put_operand(csv, values, values->operand_names[number]);
        else
            fprintf(csv->stream, "%llu", (unsigned long long)number);
    }
    fputs("\r\n", csv->stream);
}

static void write_tidy(struct csv *csv)
{
    const struct lw_export_options *o = csv->options;
    struct lw_values values;
    lw_values_open(&values, csv->view);
    fputs("row_label,col_label,text", csv->stream);
    for (size_t i = 0; i < values.count; i++)
        fprintf(csv->stream, ",%s", values.names[i]);
    fputs(values.operands ? ",source,shape,element\r\n" : "\r\n", csv->stream);
    for (uint64_t row = o->row_from; row < o->row_to && !ferror(csv->stream); row++)
        for (uint64_t col = o->col_from; col < o->col_to; col++) {
            uint64_t count = values.count ? lw_values_of(&values, row, col) : 1;
            for (uint64_t k = 0; k < count; k++)
                put_record(csv, &values, row, col, k);
        }
}

static bool write_csv(const struct lw_view *view, const struct lw_export_options *options,
                      FILE *stream, struct lw_error *err)
{
    struct csv csv = {view, options, stream, {0}};
    if (options->tidy && lw_is_accesses(view))
        return lw_write_accesses(view, options, stream, err);
    if (options->tidy && lw_is_moves(view))
        return lw_write_moves(view, options, stream, err);
    if (options->tidy)
        write_tidy(&csv);
    else
        write_grid(&csv);
    bool failed = csv.text.failed;
    lw_text_free(&csv.text);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory") : true;
}

const struct lw_format lw_format_csv = {
    .name = "csv",
    .extension = "csv",
    .help = "comma-separated values (RFC 4180); with --tidy a row for each owner, access or move",
    .write = write_csv,
};
