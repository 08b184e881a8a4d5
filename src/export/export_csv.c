/* csv: RFC 4180. One table: the row labels distinguish the grids of a stack. A tidy one is data: of the banks view a
 * row for each word that a lane accesses, with the wavefront that moves it; of the conversion view a row for each
 * hardware index that an element moves to; of others a row for each owner of each cell; and a column for each field. */

#include "export/cell_values.h"
#include "view/banks/view_banks.h"
#include "view/conversion/view_conversion.h"

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

/* Writes a row, or that of the labels of columns (LW_LABEL_CORNER). */
static void put_row(struct csv *csv, uint64_t row)
{
    const struct lw_export_options *o = csv->options;
    if (o->labels) {
        lw_fetch_row_label(csv->view, row, &csv->text);
        put_field(csv->stream, lw_text_string(&csv->text));
    }
    for (uint64_t col = o->col_from; col < o->col_to; col++) {
        fputs(o->labels || col > o->col_from ? "," : "", csv->stream);
        if (row != LW_LABEL_CORNER) {
            put_cell(csv, row, col);
            continue;
        }
        lw_fetch_col_label(csv->view, col, &csv->text);
        put_field(csv->stream, lw_text_string(&csv->text));
    }
    fputs("\r\n", csv->stream);
}

static void write_grid(struct csv *csv)
{
    if (csv->options->labels)
        put_row(csv, LW_LABEL_CORNER);
    for (uint64_t row = csv->options->row_from; row < csv->options->row_to; row++)
        if (!ferror(csv->stream))
            put_row(csv, row);
}

/* ---- Tidy: owners ---- */

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
        if (!values->operands || i + 1 < values->count) {
            fprintf(csv->stream, "%llu", (unsigned long long)number);
            continue;
        }
        const struct lw_subject *subject = values->subject; /* its name, notation, shape, element */
        put_field(csv->stream, values->operand_names[number]);
        fputc(',', csv->stream);
        put_field(csv->stream, subject->head ? subject->head : "");
        for (int d = 0; d < subject->map.out.count; d++)
            fprintf(csv->stream, "%s%llu", d ? "x" : ",",
                    (unsigned long long)subject->map.out.dim[d].size);
        fprintf(csv->stream, ",%s", subject->tensor.element.name);
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

/* ---- Tidy: accesses and moves ---- */

/* Writes a row for each word that a lane accesses: op, warp, lane and address, then the word, with the wavefront that
 * serves the lane with it, from 1. */
static void put_instruction(FILE *stream, const struct lw_served *served, uint64_t number,
                            const struct lw_bank_model *banks)
{
    const struct lw_access *access = &served->instruction.access;
    const struct lw_wavefronts *all = &served->wavefronts;
    unsigned lanes = access->matrices ? 8 * access->matrices : LW_WARP_MAX;
    struct lw_text op = {0};
    lw_banks_put_op(&op, &served->instruction);
    for (unsigned lane = 0; lane < lanes; lane++) {
        if (!(access->active >> lane & 1))
            continue;
        uint64_t first = access->address[lane] / banks->bank_bytes;
        uint64_t last = (access->address[lane] + access->width - 1) / banks->bank_bytes;
        for (uint64_t word = first; word <= last; word++) {
            int bank = (int)(word % lw_banks_serving(served, banks));
            unsigned wavefront = 0;
            for (unsigned i = 0; i < all->count && !wavefront; i++) {
                const struct lw_wavefront *w = &all->wavefront[i];
                if (w->banks >> bank & 1 && w->word[bank] == word &&
                    lw_banks_lanes(served, w, bank) >> lane & 1)
                    wavefront = i + 1;
            }
            fprintf(stream, "%llu,%s,%llu,%llu,%u,%u,%llu,%llu,%d,%u\r\n",
                    (unsigned long long)number, lw_text_string(&op),
                    (unsigned long long)served->instruction.warp, (unsigned long long)served->round,
                    access->width, lane, (unsigned long long)access->address[lane],
                    (unsigned long long)word, bank, wavefront);
        }
    }
    lw_text_free(&op);
}

static bool write_accesses(const struct lw_view *view, FILE *stream, struct lw_error *err)
{
    const struct lw_view_options *o = &view->options;
    struct lw_subject_access *access = view->subject->access;
    uint64_t count;
    if (!lw_subject_access_count(access, o->access, &count, err))
        return false;
    fputs("instruction,op,warp,round,bytes,lane,address,word,bank,wavefront\r\n", stream);
    uint64_t first = o->instruction ? o->instruction - 1 : 0;
    uint64_t end = o->instruction ? o->instruction : count;
    for (uint64_t i = first; i < end && !ferror(stream); i++) {
        const struct lw_served *served = lw_subject_access_served(access, o->access, i);
        if (!served)
            return lw_error_set(err, LW_ERROR_LIMIT, "instruction %llu: there are %llu",
                                (unsigned long long)i + 1, (unsigned long long)count);
        put_instruction(stream, served, i + 1, lw_subject_banks(view->subject));
    }
    return true;
}

static bool write_csv(const struct lw_view *view, const struct lw_export_options *options,
                      FILE *stream, struct lw_error *err)
{
    struct csv csv = {view, options, stream, {0}};
    bool accesses = options->tidy && view->type == &lw_view_banks;
    bool moves = options->tidy && view->type == &lw_view_conversion;
    if ((accesses || moves) &&
        !lw_is_whole(view, options)) /* these rows are not those of the grid */
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "--rows and --cols cannot be combined with --tidy of view %s",
                            view->type->name);
    if (accesses)
        return write_accesses(view, stream, err);
    if (moves)
        lw_put_move_names(stream, view, "");
    for (uint64_t i = 0; moves && i < lw_conversion_moves(view) && !ferror(stream); i++) {
        fputs("\r\n", stream);
        lw_put_move(stream, view, i, "");
    }
    if (moves)
        return fputs("\r\n", stream), true;
    (options->tidy ? write_tidy : write_grid)(&csv);
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
