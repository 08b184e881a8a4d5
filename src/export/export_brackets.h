#ifndef LANEWAY_EXPORT_BRACKETS_H
#define LANEWAY_EXPORT_BRACKETS_H

/* The styles of text that draw grids in brackets. */

#include "export/export_parts.h"

/* Writes an owners view in the style of that name: one whole grid, or its row_parts and col_parts, which are those
 * of each block. */
bool lw_write_brackets(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err);

#endif
