#ifndef LANEWAY_DOCS_WALK_H
#define LANEWAY_DOCS_WALK_H

/* The documents of a folder. */

#include "laneway/error.h"

#include <stdbool.h>

/* Calls a function with each file below a folder that can have markers by its extension, in the order of their
 * names; with a path that is no folder once, and `walked` is false. Names that begin with a dot and links to
 * folders are left out. */
bool lw_docs_walk(const char *path, void (*visit)(void *context, const char *path, bool walked),
                  void *context, struct lw_error *err);

#endif
