#ifndef LANEWAY_RASTER_H
#define LANEWAY_RASTER_H

/* Pictures that librsvg draws. */

#include "laneway/export.h"

/* Whether the formats png and pdf can be written by this build, where librsvg is installed. */
bool lw_raster_is_built(void);

/* Sets the width and height of the picture that svg would draw, in its pixels; options as for write_panels. */
bool lw_svg_size(const struct lw_view *const *views, size_t count,
                 const struct lw_export_options *options, uint64_t size[2], struct lw_error *err);

#endif
