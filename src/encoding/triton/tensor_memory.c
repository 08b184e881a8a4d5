/*
 * Tensor memory of Blackwell: tensor_memory_encoding, accumulators and operands, and tensor_memory_scales_encoding,
 * scale factors. Before Triton 3.8: (row, col) -> (dim0, dim1), and the blocks of a cluster, by CTASplitM and
 * CTASplitN, are further columns. Since 3.8: (row, col, block) -> (dim0, dim1), with the bases of CGALayout.
 * Source: TensorMemoryEncodingAttr, MemDescType::verify, tensorMemoryToLinearLayout, TensorMemoryScalesEncodingAttr and
 * tensorMemoryScalesToLinearLayout of Triton 3.7 to 3.9.
 */

#include "encoding/schema/types.h"
#include "encoding/triton/cga.h"

#include <string.h>

/* ---- Blocks ---- */

#define SPLIT_PARAM(NAME, HELP)                                                                    \
    LW_ROW(NAME, LW_PARAM_INTEGER, HELP, .rules = LW_RULE_OUTSIDE | LW_RULE_POWER_OF_TWO,          \
           .min = 1, .max = 65536, .fallback = LW_DEFAULT_NUMBER, .number = 1,                     \
           .until = LW_TRITON_3_7)

#define SPLIT_PARAMS                                                                               \
    LW_ROW("CGALayout", LW_PARAM_BASES,                                                            \
           "for each bit of the block number, how many parts it moves along each dim; zeros: a "   \
           "copy (since Triton 3.8)",                                                              \
           .rules = LW_RULE_OUTSIDE | LW_RULE_SILENT, .max = LW_NUMBER_MAX,                        \
           .fallback = LW_DEFAULT_ABSENT, .since = LW_TRITON_3_8),                                 \
        SPLIT_PARAM("CTASplitM", "blocks of the cluster that share dim 0 (before 3.8)"),           \
        SPLIT_PARAM("CTASplitN", "blocks of the cluster that share dim 1 (before 3.8)")

static const char *const dims[3] = {"row", "col", "block"};

/* Whether the blocks are a dim of their own: the rules of Triton 3.8, unless the text has CTASplitM or CTASplitN. */
static bool has_block_dim(const struct lw_encoding *encoding)
{
    return lw_encoding_is_set(encoding, "CGALayout") ||
           (lw_encoding_since(encoding, LW_TRITON_3_8) &&
            !lw_encoding_is_set(encoding, "CTASplitM") &&
            !lw_encoding_is_set(encoding, "CTASplitN") &&
            !lw_encoding_is_set(encoding, "unpacked"));
}

/* The parts of each dim: CTASplitM and CTASplitN, or by CGALayout, whose layout *cga is. */
static bool read_splits(const struct lw_encoding *encoding, uint64_t split[2],
                        struct lw_layout *cga, struct lw_error *err)
{
    static const char *const names[2] = {"CTASplitM", "CTASplitN"};
    if (!lw_cga_layout(encoding, 2, cga, err))
        return false;
    for (int d = 0; d < 2; d++)
        split[d] = has_block_dim(encoding) ? lw_dims_size(&cga->out, lw_dim_names[d])
                                           : (uint64_t)lw_encoding_integer(encoding, names[d]);
    return true;
}

/* Elements of one block along a dim: one at least, so with more blocks than elements the layout is larger than the
 * tensor. */
static uint64_t part_of(uint64_t size, uint64_t blocks)
{
    return size > blocks ? size / blocks : 1;
}

/* CGALayout must be alone and legal. */
static bool check_splits(const struct lw_encoding *encoding, struct lw_error *err)
{
    if (!lw_encoding_is_set(encoding, "CGALayout"))
        return true;
    if (lw_encoding_is_set(encoding, "CTASplitM") || lw_encoding_is_set(encoding, "CTASplitN"))
        return lw_refuse(err, encoding, "CGALayout",
                         "CTASplitM or CTASplitN is set too; set only one of the two");
    return lw_cga_check(encoding, 2, err);
}

/* Puts the blocks after a tile: as a dim of their own, or as columns. */
static bool combine_blocks(struct lw_tile *tile, const struct lw_encoding *encoding,
                           const struct lw_layout *cga, const uint64_t split[2], struct lw_map *map)
{
    if (has_block_dim(encoding)) {
        lw_tile_times(tile, cga);
        return lw_tile_map(tile, dims, 3, 2, map);
    }
    lw_tile_identity(tile, split[0], "col", 0);
    lw_tile_identity(tile, split[1], "col", 1);
    return lw_tile_map(tile, dims, 2, 2, map);
}

/* The tensor, when its shape is set, must be a matrix. */
static bool check_two_dims(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                           struct lw_error *err)
{
    return tensor->rank < 0 || tensor->rank == 2 ||
           lw_refuse_shape(err, tensor, "%s is for matrices, of 2 dims", encoding->type->name);
}

/* ---- tensor_memory_encoding ---- */

static const int64_t heights[] = {64, 128};
static const int64_t strides[] = {1, 2, 4};

static const struct lw_param memory_params[] = {
    LW_ROW("blockM", LW_PARAM_INTEGER, "rows of the tile that one matrix instruction writes",
           .rules = LW_RULE_OUTSIDE, .choices = heights, .choice_count = LW_COUNT(heights)),
    LW_ROW("blockN", LW_PARAM_INTEGER, "columns of that tile",
           .rules = LW_RULE_OUTSIDE | LW_RULE_POWER_OF_TWO, .min = 1, .max = 512),
    LW_ROW("colStride", LW_PARAM_INTEGER,
           "from one element of a row to the next; what lies between is not used",
           .rules = LW_RULE_OUTSIDE, .choices = strides, .choice_count = LW_COUNT(strides),
           .fallback = LW_DEFAULT_ABSENT, .since = LW_TRITON_3_6),
    SPLIT_PARAMS,
    LW_ROW("twoCTAs", LW_PARAM_BOOLEAN, "whether two blocks work on one instruction (cta_group::2)",
           .rules = LW_RULE_OUTSIDE, .fallback = LW_DEFAULT_NUMBER),
    LW_ROW("fp4Padded", LW_PARAM_BOOLEAN,
           "whether each byte of packed fp4 is followed by one that stays empty (since Triton "
           "3.8)",
           .rules = LW_RULE_OUTSIDE, .fallback = LW_DEFAULT_ABSENT, .since = LW_TRITON_3_8),
    LW_ROW("unpacked", LW_PARAM_BOOLEAN,
           "true: colStride is 32 divided by the bits of an element (before Triton 3.6)",
           .rules = LW_RULE_OUTSIDE, .fallback = LW_DEFAULT_ABSENT, .until = LW_TRITON_3_5),
};

struct accumulator {
    uint64_t shape[2], block[2], split[2], stride;
    struct lw_layout cga;
    bool padded; /* every second column is empty */
    bool halves; /* two blocks have 64 rows each: the halves of their columns are exchanged */
};

static bool read_memory(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct accumulator *acc, struct lw_error *err)
{
    acc->block[0] = (uint64_t)lw_encoding_integer(encoding, "blockM");
    acc->block[1] = (uint64_t)lw_encoding_integer(encoding, "blockN");
    acc->stride = (uint64_t)lw_encoding_integer(encoding, "colStride");
    if (lw_encoding_is_set(encoding, "unpacked"))
        acc->stride = lw_encoding_boolean(encoding, "unpacked") && tensor->element.bits < 32
                          ? 32 / (uint64_t)tensor->element.bits
                          : 1;
    acc->padded = lw_encoding_boolean(encoding, "fp4Padded");
    if (!read_splits(encoding, acc->split, &acc->cga, err))
        return false;
    acc->halves = acc->block[0] == 64 && lw_encoding_boolean(encoding, "twoCTAs");
    for (int d = 0; d < 2; d++)
        acc->shape[d] = tensor->rank < 0 ? acc->block[d] * acc->split[d] : tensor->shape[d];
    if (has_block_dim(encoding) && part_of(acc->shape[1], acc->split[1]) < acc->block[1])
        acc->block[1] = part_of(acc->shape[1], acc->split[1]);
    return true;
}

/* ---- Checks ---- */

static bool check_stride(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         struct lw_error *err)
{
    bool strided = lw_encoding_is_set(encoding, "colStride");
    int bits = tensor->element.bits;
    if (strided && lw_encoding_is_set(encoding, "unpacked"))
        return lw_refuse(err, encoding, "unpacked",
                         "colStride is set too; set only one of the two");
    if (!strided && !lw_encoding_is_set(encoding, "unpacked"))
        return lw_refuse_missing(err, encoding, "colStride", "1, 2 or 4");
    if (strided && bits * lw_encoding_integer(encoding, "colStride") > 32)
        return lw_refuse(err, encoding, "colStride",
                         "a column has 32 bits, which is too few for elements of %d bits so far "
                         "apart",
                         bits);
    if (!lw_encoding_boolean(encoding, "unpacked") || (bits > 0 && 32 % bits == 0))
        return true;
    return lw_refuse(err, encoding, "unpacked",
                     bits ? "elements of %d bits do not fill a column of 32 bits evenly"
                          : "the bits of an element must be known (-t 128x128xf16)",
                     bits);
}

static bool check_two_blocks(const struct lw_encoding *encoding, struct lw_error *err)
{
    const struct lw_value *bases = lw_encoding_value(encoding, "CGALayout");
    bool pair = bases && bases->count && bases->items[0].items[0].integer == 1;
    return !has_block_dim(encoding) || !lw_encoding_boolean(encoding, "twoCTAs") || pair ||
           lw_refuse(err, encoding, "twoCTAs",
                     "the first basis of CGALayout must be [1, 0]: the two blocks are neighbours "
                     "along dim 0");
}

static bool check_memory(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         struct lw_error *err)
{
    struct accumulator acc;
    bool blocks = has_block_dim(encoding);
    if (!check_stride(encoding, tensor, err) || !check_splits(encoding, err) ||
        !check_two_blocks(encoding, err) || !check_two_dims(encoding, tensor, err) ||
        !read_memory(encoding, tensor, &acc, err))
        return false;
    for (int d = 0; d < (blocks ? 1 : 2); d++)
        if (acc.shape[d] < acc.block[d] * acc.split[d])
            return lw_refuse_shape(err, tensor, "dim %d needs at least %llu, that is %s times %s",
                                   d, (unsigned long long)(acc.block[d] * acc.split[d]),
                                   d ? "blockN" : "blockM",
                                   blocks ? "its parts by CGALayout"
                                   : d    ? "CTASplitN"
                                          : "CTASplitM");
    return !acc.halves || (!blocks && acc.split[0] <= 1) || acc.block[1] * acc.stride >= 2 ||
           lw_refuse(err, encoding, "twoCTAs",
                     "two blocks of 64 rows share the columns, so there must be two or more");
}

/* ---- Building ---- */

/* 64 rows use every other 16 of the 128; the gaps hold the next tile, if there is one. */
static void add_interleaved_rows(struct lw_tile *tile, const struct accumulator *acc,
                                 const uint64_t *part)
{
    uint64_t bases[3][2] = {{0, 0}, {1, 0}, {2, 0}};
    lw_tile_identity(tile, 16, "row", 0);
    lw_tile_identity(tile, acc->block[1], "col", 1);
    if (part[0] > 64)
        bases[0][0] = 4;
    else if (part[1] > acc->block[1])
        bases[0][1] = 1;
    lw_tile_bases(tile, "row", 0, 1, (const uint64_t(*)[2])bases, 3);
}

/* Exchanges the last bit of the rows, the second block's, with the upper half of the columns. */
static void swap_halves(struct lw_tile *tile, const struct accumulator *acc)
{
    struct lw_layout *layout = &tile->layout;
    int row = lw_dims_find(&layout->in, "row"), col = lw_dims_find(&layout->in, "col");
    if (tile->failed || row < 0 || col < 0)
        return;
    int last = lw_layout_in_shift(layout, row) + lw_layout_in_log2(layout, row) - 1;
    int half = lw_layout_in_shift(layout, col) + lw_log2(acc->block[1] * acc->stride) - 1;
    uint64_t basis = layout->basis[last];
    layout->basis[last] = layout->basis[half];
    layout->basis[half] = basis;
}

/* Since Triton 3.8: the rows of one block; two blocks of 64 rows have the halves of the columns in the two
 * halves of the rows. */
static bool build_block(const struct lw_encoding *encoding, const struct accumulator *acc,
                        struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    uint64_t part[2] = {acc->shape[0] / acc->split[0], part_of(acc->shape[1], acc->split[1])};
    lw_tile_begin(&tile, err);
    lw_tile_zeros(&tile, acc->stride, "col", 1);
    lw_tile_zeros(&tile, acc->padded ? 2 : 1, "col", 1);
    if (acc->block[0] == 64 && !acc->halves) {
        add_interleaved_rows(&tile, acc, part);
    } else {
        lw_tile_identity(&tile, acc->block[0], "row", 0);
        lw_tile_identity(&tile, acc->block[1] >> acc->halves, "col", 1);
        lw_tile_identity(&tile, acc->halves ? 2 : 1, "row", 1);
    }
    for (int d = 0; d < 2; d++)
        lw_tile_identity(&tile, part[d] / lw_tile_size(&tile, d), "col", d);
    return combine_blocks(&tile, encoding, &acc->cga, acc->split, map);
}

static bool build_memory(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    struct accumulator acc;
    if (!read_memory(encoding, tensor, &acc, err))
        return false;
    if (has_block_dim(encoding))
        return build_block(encoding, &acc, map, err);
    bool swapped = acc.halves && acc.split[0] > 1;
    uint64_t height = acc.block[0] << swapped, split_m = acc.split[0] >> swapped;
    uint64_t part[2] = {acc.shape[0] / split_m, acc.shape[1] / acc.split[1]};
    lw_tile_begin(&tile, err);
    lw_tile_zeros(&tile, acc.stride, "col", 1);
    if (height == 64) {
        add_interleaved_rows(&tile, &acc, part);
    } else {
        lw_tile_identity(&tile, height, "row", 0);
        lw_tile_identity(&tile, acc.block[1], "col", 1);
    }
    for (int d = 0; d < 2; d++)
        lw_tile_identity(&tile, part[d] / lw_tile_size(&tile, d), "col", d);
    if (swapped)
        swap_halves(&tile, &acc);
    uint64_t split[2] = {split_m, acc.split[1]};
    return combine_blocks(&tile, encoding, &acc.cga, split, map);
}

const struct lw_encoding_type lw_encoding_tensor_memory_encoding = {
    .name = "tensor_memory_encoding",
    .dialect = "ttng",
    .title = "tensor memory",
    .about =
        "A matrix in the tensor memory of Blackwell, of 128 rows and 512 columns of 32 bits: "
        "tiles of blockM x blockN, first down the rows, then along the columns. A tile of 64 rows "
        "fills every other 16 rows, and the next tile the gaps. In gaps that no tile fills, "
        "Triton's layout has a copy.",
    .example = "!ttg.memdesc<128x128xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, "
               "colStride = 1>, #ttng.tensor_memory, mutable>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_TENSOR_MEMORY, memory_params, check_memory, build_memory),
};

/* ---- tensor_memory_scales_encoding ---- */

static const struct lw_param scale_params[] = {
    SPLIT_PARAMS,
    LW_ROW("blockRepOrder", LW_PARAM_STRING,
           "mnThenK (the default) or kThenMn: along which dim blocks repeat first (since Triton "
           "3.8)",
           .rules = LW_RULE_OUTSIDE, .fallback = LW_DEFAULT_ABSENT, .since = LW_TRITON_3_8),
};

static bool is_k_first(const struct lw_encoding *encoding)
{
    const struct lw_value *order = lw_encoding_value(encoding, "blockRepOrder");
    return order && !strcmp(order->string, "kThenMn");
}

static bool check_scales(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         struct lw_error *err)
{
    uint64_t split[2];
    struct lw_layout cga;
    const struct lw_value *order = lw_encoding_value(encoding, "blockRepOrder");
    if (!check_splits(encoding, err))
        return false;
    if (order && strcmp(order->string, "mnThenK") != 0 && !is_k_first(encoding))
        return lw_refuse(err, encoding, "blockRepOrder", "must be mnThenK or kThenMn");
    if (!check_two_dims(encoding, tensor, err))
        return false;
    if (tensor->rank < 0)
        return true;
    if (!read_splits(encoding, split, &cga, err))
        return false;
    for (int d = 0; d < 2 && !has_block_dim(encoding); d++)
        if (tensor->shape[d] < split[d])
            return lw_refuse(err, encoding, d ? "CTASplitN" : "CTASplitM",
                             "dim %d has only %llu elements to share", d,
                             (unsigned long long)tensor->shape[d]);
    return !tensor->element.bits || tensor->element.bits == 8 ||
           lw_refuse_shape(err, tensor, "scale factors have 8 bits, not %d", tensor->element.bits);
}

/* 32 rows, the same for each of four warps; 4 columns; then the next 32 rows, and again 64; then the
 * rest. */
static bool build_scales(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    struct lw_layout cga;
    uint64_t split[2], part[2] = {64, 4};
    if (!read_splits(encoding, split, &cga, err))
        return false;
    for (int d = 0; d < 2 && tensor->rank >= 0; d++)
        part[d] = part_of(tensor->shape[d], split[d]);
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
    return combine_blocks(&tile, encoding, &cga, split, map);
}

const struct lw_encoding_type lw_encoding_tensor_memory_scales_encoding = {
    .name = "tensor_memory_scales_encoding",
    .dialect = "ttng",
    .title = "scale factors in tensor memory",
    .about =
        "The scale factors of a scaled matrix product in the tensor memory of Blackwell: chunks "
        "of 32 rows x 4 columns of bytes, each there four times.",
    .example = "!ttg.memdesc<128x8xi8, #ttng.tensor_memory_scales_encoding<>, "
               "#ttng.tensor_memory, mutable>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_TENSOR_MEMORY, scale_params, check_scales, build_scales),
};
