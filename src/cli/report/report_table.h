#ifndef LANEWAY_REPORT_TABLE_H
#define LANEWAY_REPORT_TABLE_H

/* A table of texts for several formats. */

#include "laneway/error.h"

#include <stdint.h>
#include <stdio.h>

struct lw_report_table {
    const char *const *heads; /* `cols` of them */
    size_t cols, cell_count, room;
    char **cells; /* row after row */
    bool failed;
};

enum lw_report_table_format { LW_REPORT_TABLE_TEXT, LW_REPORT_TABLE_MARKDOWN, LW_REPORT_TABLE_CSV };

/* Adds the next cell, row after row. */
void lw_report_table_cell(struct lw_report_table *sheet, const char *text);
void lw_report_table_number(struct lw_report_table *sheet, uint64_t number);
/* Writes the table. Text is ruled in the style of that name (NULL: simple), and lines over `fit` columns are cut (0:
 * none is). Lines of CSV end in "\n", as those of git and jq do. */
bool lw_report_table_write(const struct lw_report_table *sheet, enum lw_report_table_format format,
                           const char *style, size_t fit, FILE *out, struct lw_error *err);
void lw_report_table_free(struct lw_report_table *sheet);

#endif
