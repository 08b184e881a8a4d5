#ifndef LANEWAY_EXPORT_ACCESSES_H
#define LANEWAY_EXPORT_ACCESSES_H

/* The accesses of the banks view as rows of csv. */

#include "export/export_parts.h"

/* Whether a view is of accesses, not of elements. */
bool lw_is_accesses(const struct lw_view *view);
bool lw_write_accesses(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err);

#endif
