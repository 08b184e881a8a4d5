#ifndef LANEWAY_KERNEL_REPORT_H
#define LANEWAY_KERNEL_REPORT_H

/* The report of a kernel that `laneway ttgir` prints. */

#include "cli/report/report_table.h"
#include "export/output.h"
#include "laneway/kernel_cost.h"

/* A kernel with its costs. */
struct lw_kernel_loaded {
    struct lw_kernel kernel;
    struct lw_kernel_costs costs;
};

/* What a report has of an operation, in the order of its columns: what it costs before what it is, as a terminal shows
 * the first columns only. */
enum lw_kernel_field {
    LW_FIELD_LINE,
    LW_FIELD_WAVEFRONTS,
    LW_FIELD_IDEAL,
    LW_FIELD_BYTES,
    LW_FIELD_SECTORS,
    LW_FIELD_IDEAL_SECTORS,
    LW_FIELD_RUNS,
    LW_FIELD_SHARE,
    LW_FIELD_OPERATION,
    LW_FIELD_SOURCE,
    LW_FIELD_LOOPS,
    LW_FIELD_TENSOR,
    LW_FIELD_LAYOUTS,
    LW_FIELD_WHAT,
    LW_FIELD_CODE,
    LW_FIELD_VALUE,
    LW_KERNEL_FIELDS
};
/* Sets the fields of operation i; numbers that are not known are `unknown`. */
void lw_kernel_fields_put(struct lw_text fields[LW_KERNEL_FIELDS],
                          const struct lw_kernel_loaded *loaded, size_t i, const char *unknown);
void lw_kernel_fields_free(struct lw_text fields[LW_KERNEL_FIELDS]);

struct lw_report_options {
    const struct lw_format *format;
    const char *style;
    size_t fit;         /* columns of text; longer lines are cut. 0: none is */
    const char *source; /* --source; NULL: searched for */
};

bool lw_kernel_report(const struct lw_kernel_loaded *loaded,
                      const struct lw_report_options *options, FILE *out, struct lw_error *err);
void lw_kernel_report_json(const struct lw_kernel_loaded *loaded, struct lw_text *text);
/* Appends operation i as an object, and the sums of a kernel as one that is not yet closed. */
void lw_kernel_operation_json(struct lw_text *text, const char *key,
                              const struct lw_kernel_loaded *loaded, size_t i);
void lw_kernel_sums_json(struct lw_text *text, const char *key,
                         const struct lw_kernel_costs *costs);
/* Two kernels, before and after: what was added and removed, the costs; to `out`, or in JSON appended to `json` unless
 * that is NULL. *worse: the second costs more. Fails, after printing everything, when that depends on operations that
 * are not counted. */
bool lw_kernel_compare(const struct lw_kernel_loaded *before, const struct lw_kernel_loaded *after,
                       const struct lw_report_options *options, struct lw_text *json, bool *worse,
                       FILE *out, struct lw_error *err);

#endif
