#ifndef LANEWAY_KERNEL_REPORT_H
#define LANEWAY_KERNEL_REPORT_H

/* The report of a kernel that `laneway ttgir` prints. */

#include "export/output.h"
#include "laneway/export.h"
#include "laneway/kernel_cost.h"

/* A kernel with its costs. */
struct lw_kernel_loaded {
    struct lw_kernel kernel;
    struct lw_kernel_costs costs;
};

struct lw_report_options {
    const struct lw_format *format;
    const char *style;
    size_t fit;         /* columns of text; longer lines are cut. 0: none is */
    const char *source; /* --source; NULL: searched for */
};

/* A table of texts, written in any format of views. */
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

/* ---- Kernels ---- */

bool lw_kernel_report(const struct lw_kernel_loaded *loaded,
                      const struct lw_report_options *options, FILE *out, struct lw_error *err);
void lw_kernel_report_json(const struct lw_kernel_loaded *loaded, struct lw_text *text);
/* Two kernels, before and after: what was added and removed, the costs; to `out`, or in JSON appended to `json` unless
 * that is NULL. *worse: the second costs more. Fails, after printing everything, when that depends on operations that
 * are not counted. */
bool lw_kernel_compare(const struct lw_kernel_loaded *before, const struct lw_kernel_loaded *after,
                       const struct lw_report_options *options, struct lw_text *json, bool *worse,
                       FILE *out, struct lw_error *err);

#endif
