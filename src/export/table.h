#ifndef LANEWAY_TABLE_H
#define LANEWAY_TABLE_H

/* Tables of text, byte for byte as Python's tabulate 0.10 prints a list of lists of strings; but a cell keeps its text
 * where tabulate reads it as a real, of which it changes the text: 3.10 becomes 3.1. The cells of a table are computed
 * twice, for the widths and for writing; only a few bytes are kept for each column. */

#include "laneway/export.h"

/* Begin, fill (or nothing, for a row of cells), separator, end. */
struct lw_line_rule {
    const char *begin, *fill, *between, *end; /* begin NULL: the line is left out */
};

struct lw_ruling {
    struct lw_line_rule above, under_header, between_rows, below;
    struct lw_line_rule row;
    size_t padding;      /* blanks on both sides of a cell */
    bool open_with_head; /* the lines above and below are left out when there is a header */
};

struct lw_table {
    const struct lw_ruling *ruling;
    uint64_t rows, cols;
    bool header;
    bool tight; /* columns are no wider than their cells; in tabulate two wider than their header */
    size_t fit; /* longer lines are cut, with an ellipsis as the last column; 0: none is */
    const void *context;
    /* Appends the text of a cell; row LW_TABLE_HEADER is the header. */
    void (*cell)(const void *context, uint64_t row, uint64_t col, struct lw_text *text);
    /* Appends the sequence of a terminal that sets the colours of a cell; nothing: it has none. NULL: no cell has. */
    void (*look)(const void *context, uint64_t row, uint64_t col, struct lw_text *look);
};

#define LW_TABLE_HEADER UINT64_MAX

/* Fails with LW_ERROR_MEMORY only: the caller checks the stream. */
bool lw_table_write(const struct lw_table *table, FILE *stream, struct lw_error *err);

/* Whether a text is an integer by the rules of tabulate, which aligns columns of them at the right. */
bool lw_is_integer(const char *text);

#endif
