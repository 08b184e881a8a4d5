#ifndef LANEWAY_MAP_KINDS_H
#define LANEWAY_MAP_KINDS_H

/* The kinds of maps: each is one row of functions. */

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

#endif
