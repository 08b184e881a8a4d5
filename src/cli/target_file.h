#ifndef LANEWAY_TARGET_FILE_H
#define LANEWAY_TARGET_FILE_H

/* Targets of the user: a JSON document for each. */

#include "laneway/hardware.h"

/* Whether a name is that of a file: x.json, or one with a slash. */
bool lw_target_is_file(const char *name);
/* Reads the target of a file. It lasts until the program ends; a file that was read before is not
 * read again. */
bool lw_target_open(const char *path, const struct lw_hardware **target, struct lw_error *err);

#endif
