/* tensor_memory_scales_encoding: scale factors in tensor memory. Source:
 * TensorMemoryScalesEncodingAttr and tensorMemoryScalesToLinearLayout of Triton 3.7. */

#include "encoding/triton/tensor_memory.h"
#include "encoding/schema/types.h"

static const struct lw_param params[] = {LW_SPLIT_PARAMS};

const char *const lw_tensor_memory_dims[2] = {"row", "col"};

void lw_read_splits(const struct lw_encoding *encoding, uint64_t split[2])
{
    split[0] = (uint64_t)lw_encoding_integer(encoding, "CTASplitM");
    split[1] = (uint64_t)lw_encoding_integer(encoding, "CTASplitN");
}

bool lw_check_two_dims(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_report *report)
{
    if (tensor->rank < 0 || tensor->rank == 2)
        return true;
    lw_check_shape(report, tensor, "%s is for matrices, of 2 dims", encoding->type->name);
    return false;
}

static void check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_report *report)
{
    uint64_t split[2];
    if (!lw_check_two_dims(encoding, tensor, report) || tensor->rank < 0)
        return;
    lw_read_splits(encoding, split);
    for (int d = 0; d < 2; d++)
        if (tensor->shape[d] < split[d]) {
            lw_check_add(report, encoding, d ? "CTASplitN" : "CTASplitM",
                         "dim %d has only %llu elements to share", d,
                         (unsigned long long)tensor->shape[d]);
            return;
        }
    if (tensor->element.bits && tensor->element.bits != 8)
        lw_check_shape(report, tensor, "scale factors have 8 bits, not %d", tensor->element.bits);
}

/* 32 rows, the same for each of four warps; 4 columns; then the next 32 rows. */
static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    uint64_t split[2], part[2] = {64, 4};
    lw_read_splits(encoding, split);
    for (int d = 0; d < 2 && tensor->rank >= 0; d++)
        part[d] = tensor->shape[d] / split[d];
    lw_tile_begin(&tile, err);
    lw_tile_identity(&tile, 32, "row", 0);
    lw_tile_zeros(&tile, 4, "row", 0);
    lw_tile_identity(&tile, 4, "col", 1);
    lw_tile_identity(&tile, 2, "col", 0);
    for (int d = 0; d < 2; d++)
        if (part[d] > lw_tile_size(&tile, d))
            lw_tile_identity(&tile, part[d] / lw_tile_size(&tile, d), "col", d);
    lw_tile_not_larger(&tile, part, false);
    lw_tile_identity(&tile, split[0], "col", 0);
    lw_tile_identity(&tile, split[1], "col", 1);
    return lw_tile_map(&tile, lw_tensor_memory_dims, 2, 2, map);
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
