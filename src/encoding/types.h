#ifndef LANEWAY_TYPES_H
#define LANEWAY_TYPES_H

/* The encoding types of this room, for the registry. */

#include "laneway/encoding.h"

extern const struct lw_encoding_type lw_encoding_linear;
extern const struct lw_encoding_type lw_encoding_bases;

#endif
