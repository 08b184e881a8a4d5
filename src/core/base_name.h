#ifndef LANEWAY_BASE_NAME_H
#define LANEWAY_BASE_NAME_H

#include <string.h>

/* What follows the last slash of a path. */
static inline const char *lw_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

#endif
