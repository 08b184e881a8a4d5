#ifndef LANEWAY_SVG_H
#define LANEWAY_SVG_H

/* The drawing of svg, for the formats that are made from it. */

#include "laneway/export.h"

/* Writes several views as one figure, as the format svg does, and sets its width and height in pixels. */
bool lw_write_svg(const struct lw_view *const *views, size_t count,
                  const struct lw_export_options *options, FILE *stream, uint64_t size[2],
                  struct lw_error *err);

#endif
