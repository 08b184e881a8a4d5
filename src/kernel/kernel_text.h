#ifndef LANEWAY_KERNEL_TEXT_H
#define LANEWAY_KERNEL_TEXT_H

/* What is shown of an operation of a kernel: the program and the explorer both print it this way. */

#include "laneway/kernel.h"

/* "kernels.py:26:12", "#mma -> #blocked" with layouts in short, "128x64xf16" */
void lw_put_where(struct lw_text *text, const struct lw_operation *operation);
void lw_put_layouts(struct lw_text *text, const struct lw_kernel *kernel,
                    const struct lw_operation *operation);
void lw_put_tensor(struct lw_text *text, const struct lw_kernel *kernel,
                   const struct lw_operation *operation);

/* ---- source_lines.c: the source of a kernel ---- */

struct lw_source_lines {
    char *path; /* of the file that is read; NULL: none */
    char *file; /* the file that locations name */
    char *data;
    char **lines;
    size_t count;
};

/* A line of the file that a location names, without the blanks before it, or where that is not found of the
 * place that it was inlined at; NULL: neither is found. `source` is
 * --source. */
const char *lw_source_line(struct lw_source_lines *lines, const struct lw_location *location,
                           const char *kernel, const char *source);
void lw_source_lines_free(struct lw_source_lines *lines);

#endif
