#ifndef LANEWAY_STRIDES_H
#define LANEWAY_STRIDES_H

/* Maps by sums of strides, for the encodings that are such sums. */

#include "laneway/map.h"

/* A map by strides, or the linear layout that it is. */
bool lw_stride_map(struct lw_map *map, const struct lw_dims *in, const struct lw_dims *out,
                   const struct lw_strides *strides, struct lw_error *err);
/* The same of memory: the input is `offset`; its size is an upper bound. */
bool lw_memory_map(struct lw_map *map, const struct lw_dims *out, const struct lw_strides *strides,
                   struct lw_error *err);

#endif
