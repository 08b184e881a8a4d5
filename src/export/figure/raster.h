#ifndef LANEWAY_RASTER_H
#define LANEWAY_RASTER_H

/* Pictures that librsvg draws. */

#include <stdbool.h>

/* Whether the formats png and pdf can be written by this build, where librsvg is installed. */
bool lw_raster_is_built(void);

#endif
