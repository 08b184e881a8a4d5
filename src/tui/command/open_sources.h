#ifndef LANEWAY_OPEN_SOURCES_H
#define LANEWAY_OPEN_SOURCES_H

#include "tui/screen.h"

/* Pushes the screen of one source: a layout, an access, a kernel, a folder; of two, which are compared; of a list of
 * them. False: the reason is in *err. */
bool lw_open_sources(struct lw_app *app, const char *const *sources, size_t count,
                     struct lw_error *err);

#endif
