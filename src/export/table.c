/* Writing tables. Invariant: a line is written while it is made, except blanks that may be its end, because tabulate
 * strips those. */

#include "export/table.h"
#include "core/text_rows.h"

#include <stdlib.h>
#include <string.h>

/* ---- Text that looks like numbers: the rules of Python's int(), and of tabulate, for which "12,345" is a number
 * too ---- */

#define BLANKS " \t\n\v\f\r\x1c\x1d\x1e\x1f"
#define DIGITS "0123456789"

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Steps over digits, with a single `_` between any two of them. */
static const char *skip_digits(const char *at)
{
    while (digit(*at)) {
        at++;
        if (*at == '_' && digit(at[1]))
            at++;
    }
    return at;
}

static const char *skip_sign(const char *at)
{
    return *at == '+' || *at == '-' ? at + 1 : at;
}

static bool ends(const char *at)
{
    return at[strspn(at, BLANKS)] == '\0';
}

static bool is_whole(const char *text)
{
    const char *at = skip_sign(text + strspn(text, BLANKS));
    return digit(*at) && ends(skip_digits(at));
}

/* 1 to 3 digits, then groups of 3 after commas. */
static bool is_grouped(const char *text)
{
    const char *at = skip_sign(text);
    size_t digits = strspn(at, DIGITS);
    if (digits < 1 || digits > 3)
        return false;
    at += digits;
    while (*at == ',' && strspn(at + 1, DIGITS) >= 3)
        at += 4;
    return *at == '\0';
}

bool lw_is_integer(const char *text)
{
    return is_whole(text) || is_grouped(text);
}

/* ---- Measuring ---- */

/* The widths of a column. */
struct column {
    bool number;     /* all cells that are not empty are integers, or True or False */
    uint32_t raw;    /* the widest cell as it is */
    uint32_t strict; /* the widest without blanks around it */
    uint32_t least;  /* the width of the header */
};

/* A table while it is written. */
struct writer {
    const struct lw_table *table;
    struct column *columns; /* NULL: a table of one row, measured again for each line */
    struct lw_text text, look;
    FILE *stream;
    struct lw_text line; /* what is not yet written of it, */
    size_t blanks;       /* and blanks after that */
};

/* The text without blanks around it. */
static const char *strip(struct lw_text *text)
{
    size_t length = text->length;
    while (length && strchr(BLANKS, text->data[length - 1]))
        length--;
    lw_text_cut(text, length);
    const char *string = lw_text_string(text);
    return string + strspn(string, BLANKS);
}

static void widen(uint32_t *width, size_t here)
{
    if (here > *width)
        *width = (uint32_t)here;
}

static const char *fetch(struct writer *w, uint64_t row, uint64_t col)
{
    lw_text_clear(&w->text);
    w->table->cell(w->table->context, row, col, &w->text);
    return lw_text_string(&w->text);
}

static struct column measure(struct writer *w, uint64_t col)
{
    struct column column = {0};
    bool numbers = false, texts = false;
    if (w->table->header)
        column.least =
            (uint32_t)lw_text_width(fetch(w, LW_TABLE_HEADER, col)) + (w->table->tight ? 0 : 2);
    for (uint64_t row = 0; row < w->table->rows; row++) {
        const char *string = fetch(w, row, col);
        const bool number = lw_is_integer(string);
        numbers = numbers || number;
        texts = texts || (!number && *string && strcmp(string, "True") && strcmp(string, "False"));
        size_t width = lw_text_width(string), length = w->text.length;
        widen(&column.raw, width);
        const char *stripped = strip(&w->text);
        bool same = stripped == w->text.data && w->text.length == length;
        widen(&column.strict, same ? width : lw_text_width(stripped));
    }
    column.number = numbers && !texts;
    return column;
}

static struct column column_at(struct writer *w, uint64_t col)
{
    return w->columns ? w->columns[col] : measure(w, col);
}

static size_t width_of(const struct column *column)
{
    uint32_t width = column->number ? column->raw : column->strict;
    return width > column->least ? width : column->least;
}

/* ---- Writing ---- */

static void put(struct writer *w, const char *bytes, size_t count)
{
    enum { SOME = 1 << 14 };
    const size_t fit = w->table->fit;
    size_t ink = count;
    while (ink && strchr(BLANKS, bytes[ink - 1]))
        ink--;
    if (ink && fit && w->line.length > SOME + 4 * fit) /* the rest is cut off */
        return;
    if (ink) {
        lw_text_repeat(&w->line, ' ', w->blanks);
        lw_text_bytes(&w->line, bytes, ink);
        w->blanks = 0;
    }
    w->blanks += count - ink;
    if (fit || w->line.length < SOME || w->line.failed)
        return;
    fwrite(lw_text_string(&w->line), 1, w->line.length, w->stream);
    lw_text_clear(&w->line);
}

static void put_string(struct writer *w, const char *string)
{
    put(w, string, strlen(string));
}

/* The bytes of a line before its last column; sequences that set colours take none. */
static size_t cut_length(const char *line, size_t columns)
{
    size_t length = 0, taken = 0;
    for (int bytes; line[length]; length += (size_t)bytes) {
        uint32_t code = lw_text_decode(line + length, &bytes);
        if (code == 0x1b)
            bytes = (int)strcspn(line + length, "m") + 1;
        else if ((taken += (size_t)lw_text_code_width(code)) >= columns)
            break;
    }
    return length;
}

static void end_line(struct writer *w)
{
    const char *line = lw_text_string(&w->line), *reset = w->table->look ? "\x1b[0m" : "";
    size_t fit = w->table->fit, length = w->line.length;
    bool cut = fit && line[cut_length(line, fit + 1)];
    if (cut)
        length = cut_length(line, fit);
    fwrite(line, 1, length, w->stream);
    fprintf(w->stream, "%s%s\n", cut ? reset : "", cut ? "\xe2\x80\xa6" : "");
    lw_text_clear(&w->line);
    w->blanks = 0;
}

static void write_rule(struct writer *w, const struct lw_line_rule *rule)
{
    size_t fill = rule->fill ? strlen(rule->fill) : 0;
    if (!rule->begin)
        return;
    put_string(w, rule->begin);
    for (uint64_t col = 0; col < w->table->cols; col++) {
        struct column column = column_at(w, col);
        size_t width = width_of(&column) + 2 * w->table->ruling->padding;
        put_string(w, col ? rule->between : "");
        for (size_t i = 0; i < width; i++)
            put(w, rule->fill, fill);
    }
    put_string(w, rule->end);
    end_line(w);
}

/* Writes the text of a cell, aligned in its column. */
static void write_cell(struct writer *w, uint64_t row, uint64_t col)
{
    struct column column = column_at(w, col);
    const char *string = fetch(w, row, col);
    if (row != LW_TABLE_HEADER && !column.number)
        string = strip(&w->text);
    size_t width = width_of(&column), used = lw_text_width(string);
    size_t rest = width > used ? width - used : 0;
    w->blanks += column.number ? rest : 0;
    lw_text_clear(&w->look);
    if (w->table->look && *string)
        w->table->look(w->table->context, row, col, &w->look);
    put_string(w, lw_text_string(&w->look));
    put_string(w, string);
    put_string(w, w->look.length ? "\x1b[0m" : "");
    w->blanks += column.number ? 0 : rest;
}

static void write_row(struct writer *w, uint64_t row)
{
    const struct lw_ruling *ruling = w->table->ruling;
    put_string(w, ruling->row.begin);
    for (uint64_t col = 0; col < w->table->cols; col++) {
        put_string(w, col ? ruling->row.between : "");
        w->blanks += ruling->padding;
        write_cell(w, row, col);
        w->blanks += ruling->padding;
    }
    put_string(w, ruling->row.end);
    end_line(w);
}

bool lw_table_write(const struct lw_table *table, FILE *stream, struct lw_error *err)
{
    const struct lw_ruling *ruling = table->ruling;
    struct writer w = {.table = table, .stream = stream};
    if (table->rows > 1) {
        if (table->cols <= SIZE_MAX / sizeof *w.columns)
            w.columns = calloc((size_t)table->cols, sizeof *w.columns);
        if (!w.columns)
            return lw_error_set(err, LW_ERROR_MEMORY, "no memory for a table of %llu columns",
                                (unsigned long long)table->cols);
        for (uint64_t col = 0; col < table->cols; col++)
            w.columns[col] = measure(&w, col);
    }
    bool open = table->header && ruling->open_with_head;
    if (!open)
        write_rule(&w, &ruling->above);
    if (table->header) {
        write_row(&w, LW_TABLE_HEADER);
        write_rule(&w, &ruling->under_header);
    }
    for (uint64_t row = 0; row < table->rows && !ferror(stream); row++) {
        if (row)
            write_rule(&w, &ruling->between_rows);
        write_row(&w, row);
    }
    if (!open)
        write_rule(&w, &ruling->below);
    bool failed = w.text.failed || w.line.failed || w.look.failed;
    free(w.columns);
    lw_text_free(&w.line);
    lw_text_free(&w.look);
    lw_text_free(&w.text);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory") : true;
}
