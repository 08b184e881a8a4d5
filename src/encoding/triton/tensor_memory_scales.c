/* tensor_memory_scales_encoding: scale factors in tensor memory. Source:
 * TensorMemoryScalesEncodingAttr and tensorMemoryScalesToLinearLayout of Triton 3.7 to
 * 3.9. */

#include "encoding/triton/tensor_memory.h"
#include "encoding/schema/types.h"

#include <string.h>

static const struct lw_param params[] = {
    LW_SPLIT_PARAMS,
    {.name = "blockRepOrder",
     .type = LW_PARAM_STRING,
     .rules = LW_RULE_OUTSIDE,
     .fallback = LW_DEFAULT_ABSENT,
     .since = LW_TRITON_3_8,
     .help = "mnThenK (the default) or kThenMn: along which dim blocks repeat first (since Triton "
             "3.8)"},
};

static const char *const dims[3] = {"row", "col", "block"};

bool lw_has_block_dim(const struct lw_encoding *encoding)
{
    return lw_encoding_is_set(encoding, "CGALayout") ||
           (lw_encoding_since(encoding, LW_TRITON_3_8) &&
            !lw_encoding_is_set(encoding, "CTASplitM") &&
            !lw_encoding_is_set(encoding, "CTASplitN") &&
            !lw_encoding_is_set(encoding, "unpacked"));
}

bool lw_read_splits(const struct lw_encoding *encoding, uint64_t split[2], struct lw_layout *cga,
                    struct lw_error *err)
{
    static const char *const names[2] = {"CTASplitM", "CTASplitN"};
    if (!lw_cga_layout(encoding, 2, cga, err))
        return false;
    for (int d = 0; d < 2; d++)
        split[d] = lw_has_block_dim(encoding) ? lw_dims_size(&cga->out, lw_dim_names[d])
                                              : (uint64_t)lw_encoding_integer(encoding, names[d]);
    return true;
}

uint64_t lw_part_of(uint64_t size, uint64_t blocks)
{
    return size > blocks ? size / blocks : 1;
}

bool lw_check_splits(const struct lw_encoding *encoding, struct lw_error *err)
{
    if (!lw_check_since(encoding, "CGALayout", LW_TRITON_3_8, err))
        return false;
    if (!lw_encoding_is_set(encoding, "CGALayout"))
        return true;
    if (lw_encoding_is_set(encoding, "CTASplitM") || lw_encoding_is_set(encoding, "CTASplitN"))
        return lw_refuse(err, encoding, "CGALayout",
                         "CTASplitM or CTASplitN is set too; set only one of the two");
    return lw_cga_check(encoding, 2, err);
}

bool lw_combine_blocks(struct lw_tile *tile, const struct lw_encoding *encoding,
                       const struct lw_layout *cga, const uint64_t split[2], struct lw_map *map)
{
    if (lw_has_block_dim(encoding)) {
        lw_tile_times(tile, cga);
        return lw_tile_map(tile, dims, 3, 2, map);
    }
    lw_tile_identity(tile, split[0], "col", 0);
    lw_tile_identity(tile, split[1], "col", 1);
    return lw_tile_map(tile, dims, 2, 2, map);
}

bool lw_check_two_dims(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_error *err)
{
    return tensor->rank < 0 || tensor->rank == 2 ||
           lw_refuse_shape(err, tensor, "%s is for matrices, of 2 dims", encoding->type->name);
}

static bool is_k_first(const struct lw_encoding *encoding)
{
    const struct lw_value *order = lw_encoding_value(encoding, "blockRepOrder");
    return order && !strcmp(order->string, "kThenMn");
}

static bool check_order(const struct lw_encoding *encoding, struct lw_error *err)
{
    const struct lw_value *order = lw_encoding_value(encoding, "blockRepOrder");
    if (order && strcmp(order->string, "mnThenK") != 0 && !is_k_first(encoding))
        return lw_refuse(err, encoding, "blockRepOrder", "must be mnThenK or kThenMn");
    return lw_check_since(encoding, "blockRepOrder", LW_TRITON_3_8, err);
}

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    uint64_t split[2];
    struct lw_layout cga;
    if (!lw_check_splits(encoding, err) || !check_order(encoding, err) ||
        !lw_check_two_dims(encoding, tensor, err))
        return false;
    if (tensor->rank < 0)
        return true;
    if (!lw_read_splits(encoding, split, &cga, err))
        return false;
    for (int d = 0; d < 2 && !lw_has_block_dim(encoding); d++)
        if (tensor->shape[d] < split[d])
            return lw_refuse(err, encoding, d ? "CTASplitN" : "CTASplitM",
                             "dim %d has only %llu elements to share", d,
                             (unsigned long long)tensor->shape[d]);
    return !tensor->element.bits || tensor->element.bits == 8 ||
           lw_refuse_shape(err, tensor, "scale factors have 8 bits, not %d", tensor->element.bits);
}

/* 32 rows, the same for each of four warps; 4 columns; then the next 32 rows, and again 64; then the
 * rest. */
static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    struct lw_layout cga;
    uint64_t split[2], part[2] = {64, 4};
    if (!lw_read_splits(encoding, split, &cga, err))
        return false;
    for (int d = 0; d < 2 && tensor->rank >= 0; d++)
        part[d] = lw_part_of(tensor->shape[d], split[d]);
    lw_tile_begin(&tile, err);
    lw_tile_identity(&tile, 32, "row", 0);
    lw_tile_zeros(&tile, 4, "row", 0);
    lw_tile_identity(&tile, 4, "col", 1);
    lw_tile_identity(&tile, part[0] > 64 ? 4 : 2, "col", 0);
    for (int i = 0; i < 2; i++) {
        int d = is_k_first(encoding) ? 1 - i : i;
        if (part[d] > lw_tile_size(&tile, d))
            lw_tile_identity(&tile, part[d] / lw_tile_size(&tile, d), "col", d);
    }
    lw_tile_not_larger(&tile, part, false);
    return lw_combine_blocks(&tile, encoding, &cga, split, map);
}

const struct lw_encoding_type lw_encoding_tensor_memory_scales_encoding = {
    .name = "tensor_memory_scales_encoding",
    .dialect = "ttng",
    .title = "scale factors in tensor memory",
    .about = "The scale factors of a scaled matrix product as Blackwell requires them in tensor "
             "memory: chunks of 32 rows x 4 columns of bytes, one chunk for each 32 rows of the "
             "operand, then the next columns. Each chunk is there four times, so that all 128 rows "
             "(those of four warps) have it. A smaller tensor leaves the rest of a chunk as "
             "copies.",
    .example = "!ttg.memdesc<128x8xi8, #ttng.tensor_memory_scales_encoding<>, "
               "#ttng.tensor_memory, mutable>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_TENSOR_MEMORY, params, check, build),
};
