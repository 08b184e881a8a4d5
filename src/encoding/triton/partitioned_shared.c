/* partitioned_shared: a tensor in several memories. Source: PartitionedSharedEncodingAttr and
 * partitionedSharedToLinearLayout of Triton 3.8 and 3.9. */

#include "encoding/triton/cga.h"
#include "encoding/schema/types.h"

#include "laneway/algebra.h"

static const struct lw_param params[] = {
    {.name = "numPartitions",
     .type = LW_PARAM_INTEGER,
     .rules = LW_RULE_POWER_OF_TWO,
     .min = 2,
     .max = 65536,
     .help = "memories that the tensor is spread over"},
    {.name = "numGroups",
     .type = LW_PARAM_INTEGER,
     .rules = LW_RULE_POWER_OF_TWO,
     .min = 1,
     .max = 65536,
     .help = "pieces that each memory holds"},
    {.name = "partitionDim",
     .type = LW_PARAM_INTEGER,
     .max = LW_RANK_MAX - 1,
     .help = "the dim that is cut into numPartitions * numGroups pieces"},
    {.name = "partitionLayout",
     .type = LW_PARAM_ENCODING,
     .help = "the layout of one piece: swizzled_shared, padded_shared or another of shared memory"},
};

static const char *const dims[] = {"offset", "block", "partition"};

static uint64_t number(const struct lw_encoding *encoding, const char *name)
{
    return (uint64_t)lw_encoding_integer(encoding, name);
}

/* The tensor of one piece. */
static bool nested_tensor(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                          struct lw_tensor *nested, struct lw_error *err)
{
    const struct lw_encoding *inner = lw_encoding_nested(encoding, "partitionLayout");
    uint64_t pieces = number(encoding, "numPartitions") * number(encoding, "numGroups");
    uint64_t dim = number(encoding, "partitionDim");
    *nested = *tensor;
    if (inner && (inner->type->family != LW_FAMILY_SHARED ||
                  inner->type == &lw_encoding_partitioned_shared)) {
        lw_error_about(err, "partitionLayout", inner->position,
                       "partitionLayout: %s is not a layout of one shared memory",
                       inner->type->name);
        if (err)
            err->code = LW_ERROR_UNSUPPORTED;
        return false;
    }
    if (tensor->rank < 0)
        return true;
    if (dim >= (uint64_t)tensor->rank)
        return lw_error_about(err, "partitionDim", encoding->position,
                              "partitionDim = %llu: must be from 0 to %d, a dim of the tensor",
                              (unsigned long long)dim, tensor->rank - 1);
    if (tensor->shape[dim] < pieces)
        return lw_error_about(err, "partitionDim", encoding->position,
                              "dim %llu has %llu elements, which cannot be cut into "
                              "numPartitions * numGroups = %llu pieces",
                              (unsigned long long)dim, (unsigned long long)tensor->shape[dim],
                              (unsigned long long)pieces);
    nested->shape[dim] /= pieces;
    nested->alloc_rank = 0;
    return true;
}

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    if (!lw_encoding_since(encoding, LW_TRITON_3_8))
        return lw_refuse(err, encoding, "numPartitions",
                         "partitioned_shared is part of Triton 3.8 and later, not of %s",
                         lw_triton_name(encoding->triton));
    return tensor->rank >= 0 ||
           lw_refuse_no_shape(err, encoding,
                              "that of the tensor which is cut (set it with -t 64x64xf16)");
}

/* The layout of the whole, from that of a piece: piece k is in memory k mod numPartitions. */
static bool extend(const struct lw_encoding *encoding, const struct lw_layout *piece, int rank,
                   struct lw_layout *out, struct lw_error *err)
{
    struct lw_tile tile;
    int dim = (int)lw_encoding_integer(encoding, "partitionDim");
    lw_tile_begin(&tile, err);
    tile.layout = *piece;
    lw_tile_identity(&tile, number(encoding, "numPartitions"), "partition", dim);
    lw_tile_identity(&tile, number(encoding, "numGroups"), "offset", dim);
    lw_tile_standard_outs(&tile, rank);
    return !tile.failed && lw_layout_with_ins(out, &tile.layout, dims, 3, err);
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_tensor piece;
    struct lw_map inner;
    struct lw_layout layout;
    if (!nested_tensor(encoding, tensor, &piece, err) ||
        !lw_build_nested(lw_encoding_nested(encoding, "partitionLayout"), &piece, &inner, err))
        return false;
    if (inner.kind == LW_MAP_PADDED)
        return extend(encoding, &inner.as.padded.layout, tensor->rank, &layout, err) &&
               lw_map_from_padding(map, &layout, "offset", inner.as.padded.padding,
                                   inner.as.padded.count, err);
    if (!lw_map_to_layout(&inner, &layout, err) ||
        !extend(encoding, &layout, tensor->rank, &layout, err))
        return false;
    lw_map_from_layout(map, &layout);
    return true;
}

const struct lw_encoding_type lw_encoding_partitioned_shared = {
    .name = "partitioned_shared",
    .dialect = "ttg",
    .title = "several shared memories",
    .about = "A tensor that is spread over several memories, which serve accesses at the same time "
             "(gfx1250; Triton 3.8 and later). One dim is cut into numPartitions * numGroups "
             "pieces; piece k is in memory k mod numPartitions, the `partition`. In each memory "
             "the pieces follow each other, every one laid out by partitionLayout.",
    .example = "!ttg.memdesc<32x16xf16, #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, "
               "partitionDim = 0, partitionLayout = #ttg.swizzled_shared<{vec = 2, perPhase = 1, "
               "maxPhase = 4, order = [1, 0]}>}>, #smem>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_SHARED, params, check, build),
    .since = LW_TRITON_3_8,
    .nested_tensor = nested_tensor,
};
