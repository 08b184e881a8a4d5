#ifndef LANEWAY_MAP_KINDS_H
#define LANEWAY_MAP_KINDS_H

/* The kinds of maps, each one row of functions, and what other rooms ask of a kind. */

#include "laneway/map.h"

struct lw_map_ops {
    /* The hardware index is in range. False: it holds no element. */
    bool (*apply)(const struct lw_map *map, const uint64_t *in, uint64_t *out);
    /* How many owners the element, which is in range, has. NULL: the replication. */
    uint64_t (*owner_count)(const struct lw_map *map, const uint64_t *out);
    /* The element is in range, k is below its number of owners, or below the replication in a kind without
     * `owner_count`. */
    bool (*owner)(const struct lw_map *map, const uint64_t *out, uint64_t k, uint64_t *in);
    uint64_t (*replication)(const struct lw_map *map);   /* NULL: 1 */
    uint64_t (*element_count)(const struct lw_map *map); /* NULL: of all elements */
    bool (*to_layout)(const struct lw_map *map, struct lw_layout *out, struct lw_error *err);
};

extern const struct lw_map_ops lw_map_table, lw_map_strided;

/* In a padded map, and only there: the padded offset of an offset, which is in range. */
uint64_t lw_map_pad(const struct lw_map *map, uint64_t offset);
/* The inverse of lw_map_pad: sets *offset; false when the padded offset is left free, and in a map
 * that is not padded. */
bool lw_map_unpad(const struct lw_map *map, uint64_t padded, uint64_t *offset);
bool lw_map_is_even(const struct lw_map *map); /* all elements that have owners have equally many */
/* How many elements have an owner. Saturates at 2^64 - 1. */
uint64_t lw_map_element_count(const struct lw_map *map);
/* A map by strides, or the linear layout that it is. */
bool lw_stride_map(struct lw_map *map, const struct lw_dims *in, const struct lw_dims *out,
                   const struct lw_strides *strides, struct lw_error *err);
/* The same of memory: the input is `offset`; its size is an upper bound. */
bool lw_memory_map(struct lw_map *map, const struct lw_dims *out, const struct lw_strides *strides,
                   struct lw_error *err);

#endif
