/* Maps: what all kinds have in common. Each kind has a file and a row of functions (map_kinds.h). */

#include "core/map_kinds.h"

static const struct lw_map_ops *ops_of(const struct lw_map *map)
{
    static const struct lw_map_ops *const kinds[] = {
        [LW_MAP_LINEAR] = &lw_map_linear,   [LW_MAP_MIXED] = &lw_map_mixed,
        [LW_MAP_PADDED] = &lw_map_padded,   [LW_MAP_TABLE] = &lw_map_table,
        [LW_MAP_STRIDED] = &lw_map_strided,
    };
    return kinds[map->kind];
}

static bool in_range(const struct lw_dims *dims, const uint64_t *point)
{
    for (int i = 0; i < dims->count; i++)
        if (point[i] >= dims->dim[i].size)
            return false;
    return true;
}

bool lw_map_apply(const struct lw_map *map, const uint64_t *in, uint64_t *out)
{
    return in_range(&map->in, in) && ops_of(map)->apply(map, in, out);
}

uint64_t lw_map_replication(const struct lw_map *map)
{
    const struct lw_map_ops *ops = ops_of(map);
    return ops->replication ? ops->replication(map) : 1;
}

uint64_t lw_map_owner_count(const struct lw_map *map, const uint64_t *out)
{
    const struct lw_map_ops *ops = ops_of(map);
    if (!in_range(&map->out, out))
        return 0;
    return ops->owner_count ? ops->owner_count(map, out) : lw_map_replication(map);
}

bool lw_map_owner(const struct lw_map *map, const uint64_t *out, uint64_t k, uint64_t *in)
{
    return in_range(&map->out, out) && k < lw_map_replication(map) &&
           ops_of(map)->owner(map, out, k, in);
}

/* Saturates: a linear layout may have 2^64 points. */
static uint64_t points_of(const struct lw_dims *dims)
{
    uint64_t points;
    return lw_dims_total(dims, &points, NULL) ? points : UINT64_MAX;
}

uint64_t lw_map_element_count(const struct lw_map *map)
{
    const struct lw_map_ops *ops = ops_of(map);
    return ops->element_count ? ops->element_count(map) : points_of(&map->out);
}

bool lw_map_is_surjective(const struct lw_map *map)
{
    return lw_map_element_count(map) == points_of(&map->out);
}

bool lw_map_is_even(const struct lw_map *map)
{
    return map->kind != LW_MAP_TABLE ||
           map->as.table.held == (uint64_t)map->as.table.owned * map->as.table.copies;
}

bool lw_map_is_injective(const struct lw_map *map)
{
    return lw_map_replication(map) == 1 && lw_map_check_unique(map, NULL);
}

bool lw_map_has_holes(const struct lw_map *map)
{
    if (map->kind == LW_MAP_LINEAR || map->kind == LW_MAP_MIXED)
        return false;
    if (map->kind == LW_MAP_TABLE && map->as.table.element)
        return map->as.table.held < map->as.table.count;
    return points_of(&map->in) > points_of(&map->out) * lw_map_replication(map);
}

bool lw_map_to_layout(const struct lw_map *map, struct lw_layout *out, struct lw_error *err)
{
    return ops_of(map)->to_layout(map, out, err);
}

bool lw_map_to_hardware(const struct lw_map *map, uint64_t lanes, struct lw_layout *out,
                        struct lw_error *err)
{
    struct lw_layout made;
    if (!lw_map_to_layout(map, &made, err))
        return false;
    int thread = lw_dims_find(&made.in, "thread"), local = lw_dims_find(&made.in, "local");
    if (thread < 0 || local < 0) {
        *out = made;
        return true;
    }
    uint64_t threads = made.in.dim[thread].size, lane = threads < lanes ? threads : lanes;
    static const char *const order[] = {"local", "thread"};
    struct lw_dims dims = {0};
    if (made.in.count != 2 || !lw_layout_transpose_ins(&made, &made, order, err) ||
        !lw_dims_add(&dims, "register", made.in.dim[0].size, err) ||
        !lw_dims_add(&dims, "lane", lane, err) ||
        !lw_dims_add(&dims, "warp", threads / lane, err) || !lw_dims_add(&dims, "block", 1, err))
        return false;
    return lw_layout_reshape_ins(out, &made, &dims, err);
}
