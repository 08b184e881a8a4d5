/* Rows of text, as a ruled table, Markdown or CSV. Invariant: the first `cell_count` cells are set, row after row. */

#include "cli/report/report_table.h"
#include "export/output.h"
#include "export/table.h"

#include <stdlib.h>
#include <string.h>

void lw_report_table_cell(struct lw_report_table *report, const char *text)
{
    if (report->cell_count == report->room) {
        size_t room = report->room ? 2 * report->room : 256;
        char **cells = realloc(report->cells, room * sizeof *cells);
        report->failed = report->failed || !cells;
        if (!cells)
            return;
        report->cells = cells;
        report->room = room;
    }
    struct lw_text cell = {0};
    lw_text_shown(&cell, text);
    char *copy = strdup(lw_text_string(&cell));
    report->failed = report->failed || cell.failed || !copy;
    report->cells[report->cell_count++] = copy;
    lw_text_free(&cell);
}

void lw_report_table_number(struct lw_report_table *report, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    lw_report_table_cell(report, text);
}

static size_t row_count(const struct lw_report_table *report)
{
    return report->cell_count / report->cols;
}

void lw_report_table_free(struct lw_report_table *report)
{
    for (size_t i = 0; i < report->cell_count; i++)
        free(report->cells[i]);
    free(report->cells);
    memset(report, 0, sizeof *report);
}

static const char *cell_at(const struct lw_report_table *report, uint64_t row, uint64_t col)
{
    if (row == LW_TABLE_HEADER)
        return report->heads[col];
    return report->cells[row * report->cols + col];
}

static void table_cell(const void *context, uint64_t row, uint64_t col, struct lw_text *text)
{
    lw_text_add(text, cell_at(context, row, col));
}

static bool write_text(const struct lw_report_table *report, const char *style, size_t fit,
                       FILE *out, struct lw_error *err)
{
    const struct lw_style *found = lw_style_find(style ? style : "simple");
    if (!found || !found->ruling)
        return lw_error_set(err, LW_ERROR_NAME, "--style %.60s: this is not a table style", style);
    struct lw_table table = {.ruling = found->ruling,
                             .rows = row_count(report),
                             .cols = report->cols,
                             .header = true,
                             .fit = fit,
                             .context = report,
                             .cell = table_cell};
    return lw_table_write(&table, out, err);
}

static void put_escaped(struct lw_text *line, const char *cell, bool markdown)
{
    bool quoted = !markdown && strpbrk(cell, ",\"\n\r");
    if (quoted)
        lw_text_char(line, '"');
    for (; *cell; cell++) {
        if (markdown ? strchr("|\\*`<", *cell) != NULL : *cell == '"')
            lw_text_char(line, markdown ? '\\' : '"');
        lw_text_char(line, *cell);
    }
    if (quoted)
        lw_text_char(line, '"');
}

static void write_row(const struct lw_report_table *report, uint64_t row, bool markdown, FILE *out)
{
    struct lw_text line = {0};
    for (size_t col = 0; col < report->cols; col++) {
        lw_text_add(&line, markdown ? "| " : col ? "," : "");
        put_escaped(&line, cell_at(report, row, col), markdown);
        lw_text_add(&line, markdown ? " " : "");
    }
    lw_text_add(&line, markdown ? "|\n" : "\n");
    lw_output_text(out, &line);
    lw_text_free(&line);
}

bool lw_report_table_write(const struct lw_report_table *report, enum lw_report_table_format format,
                           const char *style, size_t fit, FILE *out, struct lw_error *err)
{
    bool markdown = format == LW_REPORT_TABLE_MARKDOWN;
    if (report->failed)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (format == LW_REPORT_TABLE_TEXT)
        return write_text(report, style, fit, out, err);
    write_row(report, LW_TABLE_HEADER, markdown, out);
    for (size_t col = 0; markdown && col < report->cols; col++)
        lw_output_print(out, col + 1 < report->cols ? "| --- " : "| --- |\n");
    for (size_t row = 0; row < row_count(report); row++)
        write_row(report, row, markdown, out);
    return true;
}
