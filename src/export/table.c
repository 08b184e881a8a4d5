/* Writing tables. Invariant: a line is written while it is made, except blanks that may be its end, because tabulate
 * strips those. */

#include "export/table.h"

#include <stdlib.h>
#include <string.h>

/* The widths of a column. */
struct column {
    enum lw_column_type type;
    int decimals;    /* reals: the most characters after a point */
    uint32_t raw;    /* the widest cell as it is; reals: with their points aligned */
    uint32_t strict; /* the widest without blanks around it */
    uint32_t least;  /* the width of the header */
};

/* ---- A line while it is written ---- */

struct line {
    FILE *stream;
    size_t blanks; /* not yet written */
    size_t used;   /* bytes of the buffer that are not yet written to the stream */
    char bytes[1 << 14];
};

static void flush(struct line *line)
{
    fwrite(line->bytes, 1, line->used, line->stream);
    line->used = 0;
}

static void put_bytes(struct line *line, const char *bytes, size_t count)
{
    if (count > sizeof line->bytes - line->used)
        flush(line);
    if (count > sizeof line->bytes) {
        fwrite(bytes, 1, count, line->stream);
        return;
    }
    memcpy(line->bytes + line->used, bytes, count);
    line->used += count;
}

static void put_blanks(struct line *line, size_t count)
{
    line->blanks += count;
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f');
}

static void put(struct line *line, const char *bytes, size_t count)
{
    size_t ink = count;
    while (ink && is_blank(bytes[ink - 1]))
        ink--;
    if (ink) {
        for (; line->blanks; line->blanks--)
            put_bytes(line, " ", 1);
        put_bytes(line, bytes, ink);
    }
    line->blanks += count - ink;
}

static void end_line(struct line *line)
{
    line->blanks = 0;
    put_bytes(line, "\n", 1);
}

/* ---- Measuring ---- */

/* The text without blanks around it. */
static const char *strip(struct lw_text *text)
{
    size_t length = text->length;
    while (length && is_blank(text->data[length - 1]))
        length--;
    lw_text_cut(text, length);
    const char *string = lw_text_string(text);
    while (is_blank(*string))
        string++;
    return string;
}

static void widen(uint32_t *width, size_t here)
{
    if (here > *width)
        *width = (uint32_t)here;
}

static void fetch(const struct lw_table *table, uint64_t row, uint64_t col, struct lw_text *text)
{
    lw_text_clear(text);
    table->cell(table->context, row, col, text);
}

/* A column of reals is as wide as its widest part before and its widest part after the point. */
static void measure_reals(const struct lw_table *table, uint64_t col, struct column *column,
                          struct lw_text *text)
{
    struct lw_text real = {0};
    column->raw = 0;
    column->decimals = -1;
    for (int pass = 0; pass < 2; pass++)
        for (uint64_t row = 0; row < table->rows; row++) {
            fetch(table, row, col, text);
            lw_text_clear(&real);
            lw_put_real(&real, lw_text_string(text));
            int after = lw_after_point(lw_text_string(&real));
            if (pass == 0)
                column->decimals = after > column->decimals ? after : column->decimals;
            else
                widen(&column->raw,
                      lw_text_width(lw_text_string(&real)) + (size_t)(column->decimals - after));
        }
    lw_text_free(&real);
}

static void measure(const struct lw_table *table, uint64_t col, struct column *column,
                    struct lw_text *text)
{
    *column = (struct column){.type = LW_COLUMN_BOOLEAN, .decimals = -1};
    if (table->header) {
        fetch(table, LW_TABLE_HEADER, col, text);
        widen(&column->least, lw_text_width(lw_text_string(text)) + (table->tight ? 0 : 2));
    }
    for (uint64_t row = 0; row < table->rows; row++) {
        fetch(table, row, col, text);
        enum lw_column_type type = lw_column_type_of(lw_text_string(text));
        if (type > column->type)
            column->type = type;
        size_t width = lw_text_width(lw_text_string(text)), length = text->length;
        widen(&column->raw, width);
        const char *stripped = strip(text);
        bool same = stripped == text->data && text->length == length;
        widen(&column->strict, same ? width : lw_text_width(stripped));
    }
    if (column->type == LW_COLUMN_REAL)
        measure_reals(table, col, column, text);
}

static bool to_right(const struct column *column)
{
    return column->type == LW_COLUMN_INTEGER || column->type == LW_COLUMN_REAL;
}

static size_t width_of(const struct column *column)
{
    uint32_t width = to_right(column) ? column->raw : column->strict;
    return width > column->least ? width : column->least;
}

/* ---- Writing ---- */

struct writer {
    const struct lw_table *table;
    struct column *columns; /* NULL: a table of one row, measured again for each line */
    struct line line;
    struct lw_text text, real;
};

static struct column column_at(struct writer *w, uint64_t col)
{
    struct column column;
    if (w->columns)
        return w->columns[col];
    measure(w->table, col, &column, &w->text);
    return column;
}

static void write_rule(struct writer *w, const struct lw_line_rule *rule)
{
    size_t fill = rule->fill ? strlen(rule->fill) : 0;
    if (!rule->begin)
        return;
    put(&w->line, rule->begin, strlen(rule->begin));
    for (uint64_t col = 0; col < w->table->cols; col++) {
        struct column column = column_at(w, col);
        size_t width = width_of(&column) + 2 * w->table->ruling->padding;
        if (col)
            put(&w->line, rule->between, strlen(rule->between));
        for (size_t i = 0; i < width; i++)
            put(&w->line, rule->fill, fill);
    }
    put(&w->line, rule->end, strlen(rule->end));
    end_line(&w->line);
}

/* Writes the text of a cell, aligned in its column; reals have their points one below the other. */
static void write_cell(struct writer *w, uint64_t row, uint64_t col)
{
    struct column column = column_at(w, col);
    bool header = row == LW_TABLE_HEADER;
    size_t after = 0, width = width_of(&column);
    const char *string;
    fetch(w->table, row, col, &w->text);
    if (header || column.type == LW_COLUMN_INTEGER) {
        string = lw_text_string(&w->text);
    } else if (column.type == LW_COLUMN_REAL) {
        lw_text_clear(&w->real);
        lw_put_real(&w->real, lw_text_string(&w->text));
        string = lw_text_string(&w->real);
        after = (size_t)(column.decimals - lw_after_point(string));
    } else {
        string = strip(&w->text);
    }
    size_t used = lw_text_width(string) + after;
    size_t rest = width > used ? width - used : 0;
    put_blanks(&w->line, to_right(&column) ? rest : 0);
    put(&w->line, string, strlen(string));
    put_blanks(&w->line, after + (to_right(&column) ? 0 : rest));
}

static void write_row(struct writer *w, uint64_t row)
{
    const struct lw_ruling *ruling = w->table->ruling;
    put(&w->line, ruling->row.begin, strlen(ruling->row.begin));
    for (uint64_t col = 0; col < w->table->cols; col++) {
        if (col)
            put(&w->line, ruling->row.between, strlen(ruling->row.between));
        put_blanks(&w->line, ruling->padding);
        write_cell(w, row, col);
        put_blanks(&w->line, ruling->padding);
    }
    put(&w->line, ruling->row.end, strlen(ruling->row.end));
    end_line(&w->line);
}

static void write_all(struct writer *w)
{
    const struct lw_table *table = w->table;
    const struct lw_ruling *ruling = table->ruling;
    bool open = table->header && ruling->open_with_head;
    if (!open)
        write_rule(w, &ruling->above);
    if (table->header) {
        write_row(w, LW_TABLE_HEADER);
        write_rule(w, &ruling->under_header);
    }
    for (uint64_t row = 0; row < table->rows && !ferror(w->line.stream); row++) {
        if (row)
            write_rule(w, &ruling->between_rows);
        write_row(w, row);
    }
    if (!open)
        write_rule(w, &ruling->below);
    flush(&w->line);
}

size_t lw_table_width(const struct lw_table *table)
{
    const struct lw_ruling *ruling = table->ruling;
    size_t width = lw_text_width(ruling->row.begin) + lw_text_width(ruling->row.end);
    struct lw_text text = {0};
    for (uint64_t col = 0; col < table->cols; col++) {
        struct column column;
        measure(table, col, &column, &text);
        width += width_of(&column) + 2 * ruling->padding;
        width += col ? lw_text_width(ruling->row.between) : 0;
    }
    lw_text_free(&text);
    return width;
}

bool lw_table_write(const struct lw_table *table, FILE *stream, struct lw_error *err)
{
    struct writer w = {.table = table, .line = {.stream = stream}};
    if (table->rows > 1) {
        if (table->cols <= SIZE_MAX / sizeof *w.columns)
            w.columns = calloc((size_t)table->cols, sizeof *w.columns);
        if (!w.columns)
            return lw_error_set(err, LW_ERROR_MEMORY, "no memory for a table of %llu columns",
                                (unsigned long long)table->cols);
        for (uint64_t col = 0; col < table->cols; col++)
            measure(table, col, &w.columns[col], &w.text);
    }
    write_all(&w);
    bool failed = w.text.failed || w.real.failed;
    free(w.columns);
    lw_text_free(&w.text);
    lw_text_free(&w.real);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory") : true;
}
