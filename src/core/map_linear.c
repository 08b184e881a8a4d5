/* Maps that are linear layouts: elements and owners through the matrix and its null space. */

#include "core/dims_copy.h"
#include "core/map_kinds.h"

void lw_map_from_layout(struct lw_map *map, const struct lw_layout *layout)
{
    map->kind = LW_MAP_LINEAR;
    lw_dims_copy(&map->in, &layout->in);
    lw_dims_copy(&map->out, &layout->out);
    lw_layout_copy(&map->as.linear.layout, layout);
    lw_solver_init(&map->as.linear.solver, layout->basis, lw_layout_in_bits(layout));
}

static bool apply(const struct lw_map *map, const uint64_t *in, uint64_t *out)
{
    lw_layout_apply(&map->as.linear.layout, in, out);
    return true;
}

static bool owner(const struct lw_map *map, const uint64_t *out, uint64_t k, uint64_t *in)
{
    const struct lw_solver *solver = &map->as.linear.solver;
    uint64_t least;
    if (!lw_solver_solve(solver, lw_dims_flatten(&map->out, out), &least))
        return false;
    lw_dims_unflatten(&map->in, lw_solver_answer(solver, least, k), in);
    return true;
}

static uint64_t replication(const struct lw_map *map)
{
    int nullity = map->as.linear.solver.nullity;
    return nullity < 64 ? (uint64_t)1 << nullity : UINT64_MAX;
}

static uint64_t owner_count(const struct lw_map *map, const uint64_t *out)
{
    uint64_t flat = lw_dims_flatten(&map->out, out), least;
    return lw_solver_solve(&map->as.linear.solver, flat, &least) ? replication(map) : 0;
}

static uint64_t element_count(const struct lw_map *map)
{
    int rank = map->as.linear.solver.rank;
    return rank < 64 ? (uint64_t)1 << rank : UINT64_MAX;
}

static bool to_layout(const struct lw_map *map, struct lw_layout *out, struct lw_error *err)
{
    (void)err;
    lw_layout_copy(out, &map->as.linear.layout);
    return true;
}

const struct lw_map_ops lw_map_linear = {
    .apply = apply,
    .owner_count = owner_count,
    .owner = owner,
    .replication = replication,
    .element_count = element_count,
    .to_layout = to_layout,
};
