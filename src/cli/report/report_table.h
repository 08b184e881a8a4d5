#ifndef LANEWAY_REPORT_TABLE_H
#define LANEWAY_REPORT_TABLE_H

/* A table of texts, written in any format of views. */

#include "laneway/export.h"

struct lw_report_table {
    const char *const *heads; /* `cols` of them */
    size_t cols, cell_count, room;
    char **cells; /* row after row */
    bool failed;
};

/* Adds the next cell, row after row. */
void lw_report_table_cell(struct lw_report_table *table, const char *text);
/* Writes the table. Text is ruled in the style of that name (NULL: simple), and lines over `fit` columns are cut (0:
 * none is). */
bool lw_report_table_write(const struct lw_report_table *table, const struct lw_format *format,
                           const char *style, size_t fit, FILE *out, struct lw_error *err);
void lw_report_table_free(struct lw_report_table *table);

#endif
