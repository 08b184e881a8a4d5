/* Rows of text, as a ruled table, Markdown or CSV. Invariant: `cell_count` cells are there, row after row. */

#include "cli/cli.h"
#include "export/table.h"

#include <stdlib.h>
#include <string.h>

void lw_sheet_cell(struct lw_sheet *sheet, const char *text)
{
    if (sheet->cell_count == sheet->room) {
        size_t room = sheet->room ? 2 * sheet->room : 256;
        char **cells = realloc(sheet->cells, room * sizeof *cells);
        sheet->failed = sheet->failed || !cells;
        if (!cells)
            return;
        sheet->cells = cells;
        sheet->room = room;
    }
    char *copy = strdup(text);
    sheet->failed = sheet->failed || !copy;
    sheet->cells[sheet->cell_count++] = copy;
}

void lw_sheet_number(struct lw_sheet *sheet, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    lw_sheet_cell(sheet, text);
}

size_t lw_sheet_rows(const struct lw_sheet *sheet)
{
    return sheet->cell_count / sheet->cols;
}

void lw_sheet_free(struct lw_sheet *sheet)
{
    for (size_t i = 0; i < sheet->cell_count; i++)
        free(sheet->cells[i]);
    free(sheet->cells);
    memset(sheet, 0, sizeof *sheet);
}

static const char *cell_at(const struct lw_sheet *sheet, uint64_t row, uint64_t col)
{
    if (row == LW_TABLE_HEADER)
        return sheet->heads[col];
    return sheet->cells[row * sheet->cols + col];
}

static void table_cell(const void *context, uint64_t row, uint64_t col, struct lw_text *text)
{
    lw_text_add(text, cell_at(context, row, col));
}

static bool write_text(const struct lw_sheet *sheet, const char *style, FILE *out,
                       struct lw_error *err)
{
    size_t count;
    const struct lw_style *styles = lw_styles(&count), *found = NULL;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(styles[i].name, style ? style : "simple"))
            found = &styles[i];
    if (!found || !found->ruling)
        return lw_error_set(err, LW_ERROR_NAME, "--style %.60s: this is no table", style);
    struct lw_table table = {.ruling = found->ruling,
                             .rows = lw_sheet_rows(sheet),
                             .cols = sheet->cols,
                             .header = true,
                             .context = sheet,
                             .cell = table_cell};
    return lw_table_write(&table, out, err);
}

static void put_escaped(const char *cell, bool markdown, FILE *out)
{
    bool quoted = !markdown && strpbrk(cell, ",\"\n\r");
    if (quoted)
        fputc('"', out);
    for (; *cell; cell++) {
        if (markdown ? strchr("|\\*`<", *cell) != NULL : *cell == '"')
            fputc(markdown ? '\\' : '"', out);
        fputc(*cell, out);
    }
    if (quoted)
        fputc('"', out);
}

static void write_row(const struct lw_sheet *sheet, uint64_t row, bool markdown, FILE *out)
{
    for (size_t col = 0; col < sheet->cols; col++) {
        fputs(markdown ? "| " : col ? "," : "", out);
        put_escaped(cell_at(sheet, row, col), markdown, out);
        fputs(markdown ? " " : "", out);
    }
    fputs(markdown ? "|\n" : "\n", out);
}

bool lw_sheet_write(const struct lw_sheet *sheet, enum lw_sheet_format format, const char *style,
                    FILE *out, struct lw_error *err)
{
    bool markdown = format == LW_SHEET_MARKDOWN;
    if (sheet->failed)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (format == LW_SHEET_TEXT)
        return write_text(sheet, style, out, err);
    write_row(sheet, LW_TABLE_HEADER, markdown, out);
    for (size_t col = 0; markdown && col < sheet->cols; col++)
        fputs(col + 1 < sheet->cols ? "| --- " : "| --- |\n", out);
    for (size_t row = 0; row < lw_sheet_rows(sheet); row++)
        write_row(sheet, row, markdown, out);
    return true;
}
