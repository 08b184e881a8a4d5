#include "formula_help.h"

void formula_indices_of(const struct lw_dims *in, const uint64_t *point,
                        struct formula_indices *indices)
{
    indices->count = 0;
    for (int d = 0; d < in->count; d++) {
        const char *name = in->dim[d].name;
        int at = indices->count;
        if (!strcmp(name, "block") && in->dim[d].size == 1)
            continue;
        indices->name[at] = !strcmp(name, "register") ? "reg" : name;
        indices->value[at] = point[d];
        if (!strcmp(name, "lane") && d + 1 < in->count && !strcmp(in->dim[d + 1].name, "warp")) {
            indices->name[at] = "thread";
            indices->value[at] += in->dim[d].size * point[d + 1];
            d++;
        }
        indices->count++;
    }
}

static void claim_forward(const struct lw_map *map, uint64_t index, formula_claim *claim,
                          void *context)
{
    uint64_t in[LW_DIMS_MAX], element[LW_DIMS_MAX];
    struct formula_indices indices;
    char name[40];
    lw_dims_unflatten(&map->in, index, in);
    formula_indices_of(&map->in, in, &indices);
    bool there = lw_map_apply(map, in, element);
    if (lw_map_has_holes(map))
        claim(context, "is_used", indices.count, indices.value, there);
    for (int d = 0; d < map->out.count && there; d++) {
        snprintf(name, sizeof name, "%s_at", map->out.dim[d].name);
        claim(context, name, indices.count, indices.value, element[d]);
    }
}

static void claim_backward(const struct formula_subject *subject, uint64_t index, uint64_t k,
                           formula_claim *claim, void *context)
{
    const struct lw_map *map = &subject->map;
    uint64_t element[LW_DIMS_MAX + 1], in[LW_DIMS_MAX] = {0}, copies = lw_map_replication(map);
    int count = map->out.count;
    struct formula_indices indices;
    char name[40];
    lw_dims_unflatten(&map->out, index, element);
    bool held = lw_map_owner(map, element, k, in);
    if (!lw_map_is_surjective(map))
        claim(context, "is_held", count, element, held);
    if (!held)
        return;
    if (copies > 1)
        element[count++] = k;
    formula_indices_of(&map->in, in, &indices);
    for (int p = 0; p < indices.count; p++) {
        snprintf(name, sizeof name, "%s_of", indices.name[p]);
        claim(context, name, count, element, indices.value[p]);
        if (!strcmp(indices.name[p], "offset") && subject->bits >= 8)
            claim(context, "byte_of", count, element,
                  indices.value[p] * (uint64_t)subject->bits / 8);
    }
}

void formula_claims(const struct formula_subject *subject, uint64_t max, formula_claim *claim,
                    void *context)
{
    const struct lw_map *map = &subject->map;
    uint64_t indices = 1, elements = 1, copies = lw_map_replication(map), state = 3;
    bool all_indices, all_elements;
    lw_dims_total(&map->in, &indices, NULL);
    lw_dims_total(&map->out, &elements, NULL);
    all_indices = indices <= max;
    all_elements = elements <= max;
    /* Coordinates that share an offset have no way back. */
    for (uint64_t i = 0; i < (all_indices ? indices : max) && lw_map_check_unique(map, NULL); i++)
        claim_forward(map, all_indices ? i : random_below(&state, indices), claim, context);
    for (uint64_t i = 0; i < (all_elements ? elements : max); i++)
        claim_backward(subject, all_elements ? i : random_below(&state, elements),
                       copies > 1 ? random_below(&state, copies) : 0, claim, context);
}
