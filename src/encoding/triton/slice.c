/* slice: a layout without one dim. Source: SliceEncodingAttr of Triton 3.7 to 3.9; before 3.9 its
 * dims have the sizes that the bases reach. */

#include "encoding/triton/cga.h"
#include "encoding/schema/types.h"

#include "laneway/algebra.h"

static const struct lw_param params[] = {
    LW_ROW("dim", LW_PARAM_INTEGER, "the dim of the parent that is dropped",
           .max = LW_RANK_MAX - 1),
    LW_ROW("parent", LW_PARAM_ENCODING,
           "the layout of the tensor with that dim: any layout in registers",
           .fallback = LW_DEFAULT_REQUIRED),
};

static bool nested_tensor(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                          struct lw_tensor *nested, struct lw_error *err)
{
    const struct lw_encoding *parent = lw_encoding_nested(encoding, "parent");
    const struct lw_value *value = lw_encoding_value(encoding, "dim");
    int dim = (int)lw_encoding_integer(encoding, "dim");
    *nested = *tensor;
    if (parent && parent->type->family != LW_FAMILY_DISTRIBUTED)
        return lw_error_about(err, "parent", parent->position,
                              "parent: %s is not a layout in registers", parent->type->name);
    if (tensor->rank < 0)
        return true;
    if (tensor->rank == LW_RANK_MAX)
        return lw_error_about(err, "parent", encoding->position,
                              "parent: it would have %d dims, but at most %d are possible",
                              LW_RANK_MAX + 1, LW_RANK_MAX);
    if (dim < 0 || dim > tensor->rank)
        return lw_error_about(err, "dim", value ? value->position : encoding->position,
                              "dim = %d: must be from 0 to %d, a dim of the parent", dim,
                              tensor->rank);
    nested->rank = tensor->rank + 1;
    nested->shape[dim] = 1;
    for (int d = dim; d < tensor->rank; d++)
        nested->shape[d + 1] = tensor->shape[d];
    return true;
}

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    const struct lw_encoding *parent = lw_encoding_nested(encoding, "parent");
    struct lw_map map;
    int rank = tensor->rank >= 0 ? tensor->rank + 1 : lw_distributed_rank(parent);
    if (rank < 0 && lw_build_nested(parent, tensor, &map, NULL)) /* no list gives it */
        rank = map.out.count;
    if (rank >= 0 && rank < 2)
        return lw_refuse(err, encoding, "parent", "it has %d dim, but a slice needs at least 2",
                         rank);
    return rank < 0 || lw_encoding_integer(encoding, "dim") < rank ||
           lw_refuse(err, encoding, "dim", "must be from 0 to %d, a dim of the parent", rank - 1);
}

/* Gives each out-dim the size that its bases reach: less than the tensor's where moves leave the tensor. */
static bool shrink(struct lw_layout *layout, struct lw_error *err)
{
    uint64_t reach[LW_RANK_MAX] = {0}, image[LW_RANK_MAX];
    bool good = true;
    for (int i = 0; i < layout->in.count; i++)
        for (int bit = 0; layout->in.dim[i].size >> (bit + 1); bit++) {
            lw_layout_basis(layout, i, bit, image);
            for (int d = 0; d < layout->out.count; d++)
                reach[d] |= image[d];
        }
    for (int d = 0; d < layout->out.count && good; d++) {
        uint64_t size = 1;
        while (size <= reach[d])
            size *= 2;
        good = lw_layout_resize_out(layout, layout, lw_dim_names[d], size, err);
    }
    return good;
}

/* Removes the dim, which has size 1, and the registers that then hold copies. */
static bool drop_dim(struct lw_layout *layout, int dim, struct lw_error *err)
{
    const char *outs[LW_RANK_MAX];
    int count = 0;
    for (int d = 0; d < layout->out.count; d++)
        if (d != dim)
            outs[count++] = lw_dim_names[d];
    if (!lw_layout_sublayout(layout, layout, lw_register_dims, 4, outs, count, err))
        return false;
    for (int d = dim; d < count; d++)
        if (!lw_layout_rename_out(layout, layout, lw_dim_names[d + 1], lw_dim_names[d], err))
            return false;
    return lw_layout_remove_zeros(layout, layout, lw_register_dims[0], err);
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    const struct lw_encoding *parent = lw_encoding_nested(encoding, "parent");
    int dim = (int)lw_encoding_integer(encoding, "dim");
    struct lw_tensor mine = *tensor, nested;
    struct lw_layout layout;
    if (mine.rank < 0) { /* the shape of the parent, without the dim */
        if (!lw_build_nested(parent, tensor, map, err))
            return false;
        mine.rank = 0;
        for (int d = 0; d < map->out.count; d++)
            if (d != dim)
                mine.shape[mine.rank++] = map->out.dim[d].size;
    }
    if (!nested_tensor(encoding, &mine, &nested, err) ||
        !lw_build_nested(parent, &nested, map, err) || !lw_map_to_layout(map, &layout, err) ||
        !drop_dim(&layout, dim, err) ||
        (!lw_encoding_since(encoding, LW_TRITON_3_9) && !shrink(&layout, err)))
        return false;
    lw_map_from_layout(map, &layout);
    return true;
}

const struct lw_encoding_type lw_encoding_slice = {
    .name = "slice",
    .dialect = "ttg",
    .title = "slice of a layout",
    .about =
        "The layout of the result when one dim is reduced, or of a tensor before expand_dims adds "
        "that dim. Threads that differed only along the dim hold the same elements.",
    .example = "tensor<64xf32, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], "
               "threadsPerWarp = [2, 16], warpsPerCTA = [2, 1], order = [1, 0]}>}>>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, params, check, build),
    .nested_tensor = nested_tensor,
};
