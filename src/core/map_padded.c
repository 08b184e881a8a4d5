/* Maps of padded memory. Every interval is a power of two, so each bit of an offset has a
 * weight, and the padded offset is the sum of the weights of its bits. Invariant: a weight is at
 * least twice the one below it, so at most one set of bits has a given sum, and taking the largest
 * weight that fits finds it. */

#include "core/map_kinds.h"

#include <string.h>

/* The weight of a bit; false when it is over 2^62. */
static bool weigh(const struct lw_map *map, int bit, uint64_t *weight)
{
    *weight = (uint64_t)1 << bit;
    for (int i = 0; i < map->as.padded.count; i++) {
        const struct lw_padding *p = &map->as.padded.padding[i];
        uint64_t added;
        if (__builtin_mul_overflow(((uint64_t)1 << bit) / p->interval, p->size, &added) ||
            __builtin_add_overflow(*weight, added, weight))
            return false;
    }
    return *weight >> 62 == 0;
}

/* Sets the weight of each bit, and the size of memory. */
static bool spread(struct lw_map *map, struct lw_error *err)
{
    int bits = lw_layout_in_log2(&map->as.padded.layout, map->as.padded.dim);
    uint64_t last = 0, weight;
    for (int b = 0; b < bits; b++) {
        if (!weigh(map, b, &weight) || (last += weight) >> 62)
            return lw_error_set(err, LW_ERROR_LIMIT, "with its padding it has over 2^62 elements");
        map->as.padded.weight[b] = weight;
    }
    map->in.dim[map->as.padded.dim].size = last + 1;
    return true;
}

static bool check_padding(const struct lw_padding *padding, int count, struct lw_error *err)
{
    if (count > LW_PADDINGS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "%d paddings: at most %d", count, LW_PADDINGS_MAX);
    for (int i = 0; i < count; i++)
        if (lw_log2(padding[i].interval) < 0)
            return lw_error_set(err, LW_ERROR_SHAPE,
                                "a padding after every %llu elements: that must be a power of two",
                                (unsigned long long)padding[i].interval);
    return true;
}

bool lw_map_from_padding(struct lw_map *map, const struct lw_layout *layout, const char *dim,
                         const struct lw_padding *padding, int count, struct lw_error *err)
{
    struct lw_map made;
    uint64_t total;
    memset(&made, 0, sizeof made);
    made.kind = LW_MAP_PADDED;
    made.in = layout->in;
    made.out = layout->out;
    made.as.padded.layout = *layout;
    made.as.padded.dim = lw_dims_find(&layout->in, dim);
    made.as.padded.count = count;
    if (!check_padding(padding, count, err))
        return false;
    if (made.as.padded.dim < 0)
        return lw_error_set(err, LW_ERROR_NAME, "there is no dim '%.24s' to pad", dim);
    if (!lw_layout_is_invertible(layout))
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "padded memory must hold each element, and once only");
    if (count)
        memcpy(made.as.padded.padding, padding, (size_t)count * sizeof *padding);
    lw_solver_init(&made.as.padded.solver, layout->basis, lw_layout_in_bits(layout));
    if (!spread(&made, err) || !lw_dims_total(&made.in, &total, err))
        return false;
    *map = made;
    return true;
}

uint64_t lw_map_pad(const struct lw_map *map, uint64_t offset)
{
    uint64_t padded = 0;
    for (; offset; offset &= offset - 1)
        padded += map->as.padded.weight[__builtin_ctzll(offset)];
    return padded;
}

bool lw_map_unpad(const struct lw_map *map, uint64_t padded, uint64_t *offset)
{
    *offset = 0;
    if (map->kind != LW_MAP_PADDED)
        return false;
    for (int b = lw_layout_in_log2(&map->as.padded.layout, map->as.padded.dim) - 1; b >= 0; b--)
        if (padded >= map->as.padded.weight[b]) {
            padded -= map->as.padded.weight[b];
            *offset |= (uint64_t)1 << b;
        }
    return padded == 0;
}

static bool apply(const struct lw_map *map, const uint64_t *in, uint64_t *out)
{
    uint64_t plain[LW_DIMS_MAX];
    memcpy(plain, in, (size_t)map->in.count * sizeof *in);
    if (!lw_map_unpad(map, in[map->as.padded.dim], &plain[map->as.padded.dim]))
        return false;
    lw_layout_apply(&map->as.padded.layout, plain, out);
    return true;
}

static bool owner(const struct lw_map *map, const uint64_t *out, uint64_t k, uint64_t *in)
{
    uint64_t flat;
    (void)k;
    if (!lw_solver_solve(&map->as.padded.solver, lw_dims_flatten(&map->out, out), &flat))
        return false;
    lw_dims_unflatten(&map->as.padded.layout.in, flat, in);
    in[map->as.padded.dim] = lw_map_pad(map, in[map->as.padded.dim]);
    return true;
}

static bool to_layout(const struct lw_map *map, struct lw_layout *out, struct lw_error *err)
{
    (void)out;
    const char *name = map->in.dim[map->as.padded.dim].name;
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "not a linear layout: dim %s has size %llu with its padding, and some of "
                        "its indices hold no element",
                        name, (unsigned long long)map->in.dim[map->as.padded.dim].size);
}

const struct lw_map_ops lw_map_padded = {
    .apply = apply,
    .owner = owner,
    .to_layout = to_layout,
};
