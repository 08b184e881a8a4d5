/*
 * The encodings of shared memory: swizzled_shared, amd_rotating_shared, nvmma_shared (the swizzles of TMA and wgmma),
 * padded_shared (with gaps) and partitioned_shared (several memories). Source: SwizzledSharedEncodingAttr,
 * AMDRotatingSharedEncodingAttr, NVMMASharedEncodingAttr, PaddedSharedEncodingAttr (its parser, verifier and
 * getPaddedSize) and PartitionedSharedEncodingAttr of Triton 3.7 to 3.9.
 */

#include "core/memory_tile.h"
#include "encoding/schema/types.h"
#include "encoding/triton/linear_bases.h"
#include "encoding/triton/cga.h"

#include "laneway/algebra.h"

/* ---- Rows that are swizzled ---- */

#define SWIZZLE_PARAM(NAME, HELP)                                                                  \
    LW_ROW(NAME, LW_PARAM_INTEGER, HELP, .rules = LW_RULE_POWER_OF_TWO, .min = 1, .max = INT32_MAX)

#define SWIZZLE_PARAMS                                                                             \
    SWIZZLE_PARAM("vec", "elements that move together"),                                           \
        SWIZZLE_PARAM("perPhase", "consecutive rows that have the same phase"),                    \
        SWIZZLE_PARAM("maxPhase", "how many phases there are; 1: no swizzle"),                     \
        LW_ROW("order", LW_PARAM_INTEGERS,                                                         \
               "the dims from the one that varies fastest; the first two are columns and rows",    \
               .rules = LW_RULE_RANK | LW_RULE_PERMUTATION, .fallback = LW_DEFAULT_DESCENDING),    \
        LW_CGA_PARAMS

static bool check_shape_is_set(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                               struct lw_error *err)
{
    return tensor->rank >= 0 ||
           lw_refuse_no_shape(err, encoding, "that of the tensor (set it with -t 64x64xf16)");
}

static bool check_rows_swizzled(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                                struct lw_error *err)
{
    return check_shape_is_set(encoding, tensor, err) && lw_cga_check(encoding, tensor->rank, err);
}

static struct lw_phases phases_of(const struct lw_encoding *encoding)
{
    return (struct lw_phases){(uint64_t)lw_encoding_integer(encoding, "vec"),
                              (uint64_t)lw_encoding_integer(encoding, "perPhase"),
                              (uint64_t)lw_encoding_integer(encoding, "maxPhase")};
}

static bool build_rows_swizzled(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                                bool per_block, lw_phase_function *function, struct lw_map *map,
                                struct lw_error *err)
{
    struct lw_phases phases = phases_of(encoding);
    struct lw_tile tile;
    struct lw_layout cga;
    int rank = tensor->rank;
    uint64_t shape[LW_RANK_MAX];
    int64_t order[LW_RANK_MAX];
    if (!lw_cga_layout(encoding, rank, &cga, err))
        return false;
    lw_encoding_integers(encoding, "order", rank, order, LW_RANK_MAX);
    lw_shape_per_block(&cga, tensor, shape);
    for (int d = 0; d < rank && rank > 1 && !per_block; d++)
        shape[d] = tensor->shape[d];
    lw_tile_begin(&tile, err);
    lw_tile_swizzled(&tile, &phases, function, shape, order, rank);
    return lw_combine(&tile, &cga, tensor, rank, LW_FAMILY_SHARED, map);
}

/* ---- swizzled_shared ---- */

static const struct lw_param swizzled_params[] = {
    SWIZZLE_PARAMS,
    LW_ROW("hasLeadingOffset", LW_PARAM_BOOLEAN,
           "true for what is nvmma_shared today: cut into columns as wide as the swizzle (before "
           "Triton 3.3)",
           .fallback = LW_DEFAULT_ABSENT),
};

/* ---- Before Triton 3.3: hasLeadingOffset is nvmma_shared under an old name ---- */

/* The columns that are swizzled together; vec is 16 bytes of them. */
static uint64_t leading_columns(const struct lw_encoding *encoding)
{
    return (uint64_t)lw_encoding_integer(encoding, "vec") *
           (uint64_t)lw_encoding_integer(encoding, "maxPhase");
}

static bool check_leading(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                          struct lw_error *err)
{
    int64_t order[LW_RANK_MAX], phases = lw_encoding_integer(encoding, "maxPhase");
    uint64_t cols = leading_columns(encoding);
    lw_encoding_integers(encoding, "order", tensor->rank, order, LW_RANK_MAX);
    if (lw_encoding_integer(encoding, "vec") > 16)
        return lw_refuse(err, encoding, "vec", "with hasLeadingOffset it is 16 bytes of elements");
    if (phases * lw_encoding_integer(encoding, "perPhase") != 8 || phases == 1)
        return lw_refuse(
            err, encoding, "maxPhase",
            "with hasLeadingOffset, perPhase and maxPhase are 4 and 2, 2 and 4 or 1 and 8");
    return (tensor->shape[order[0]] >= cols && tensor->shape[order[1]] >= 8) ||
           lw_refuse_shape(err, tensor,
                           "with hasLeadingOffset at least 8 rows (dim %d) of %llu columns (dim "
                           "%d) are needed",
                           (int)order[1], (unsigned long long)cols, (int)order[0]);
}

static bool build_leading(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                          struct lw_map *map, struct lw_error *err)
{
    struct lw_phases phases = phases_of(encoding);
    struct lw_tile tile;
    int64_t order[LW_RANK_MAX];
    lw_encoding_integers(encoding, "order", tensor->rank, order, LW_RANK_MAX);
    lw_tile_begin(&tile, err);
    lw_tile_rows(&tile, &phases, lw_phase_of_row, (int)order[1], (int)order[0], 8,
                 leading_columns(encoding));
    for (int i = 2; i < tensor->rank; i++)
        lw_tile_identity(&tile, tensor->shape[order[i]], "offset", (int)order[i]);
    return lw_combine_cga(&tile, encoding, tensor, tensor->rank, map);
}

/* ---- The encoding ---- */

static bool is_leading(const struct lw_encoding *encoding, const struct lw_tensor *tensor)
{
    return tensor->rank > 1 && lw_encoding_boolean(encoding, "hasLeadingOffset");
}

static bool check_swizzled(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                           struct lw_error *err)
{
    return check_rows_swizzled(encoding, tensor, err) &&
           (!is_leading(encoding, tensor) || check_leading(encoding, tensor, err));
}

static bool build_swizzled(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                           struct lw_map *map, struct lw_error *err)
{
    if (is_leading(encoding, tensor))
        return build_leading(encoding, tensor, map, err);
    return build_rows_swizzled(encoding, tensor, true, lw_phase_of_row, map, err);
}

const struct lw_encoding_type lw_encoding_swizzled_shared = {
    .name = "swizzled_shared",
    .dialect = "ttg",
    .title = "swizzled rows",
    .about =
        "A tensor in shared memory, row after row, its columns in groups of `vec`: group g of row "
        "r goes where group g xor phase would be; the phase is (r / perPhase) mod maxPhase. With "
        "maxPhase = 1 nothing is swizzled.",
    .example = "!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "
               "order = [1, 0]}>, #smem>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_SHARED, swizzled_params, check_swizzled, build_swizzled),
};

/* ---- amd_rotating_shared: the same rows, but the phases rotate from one group of rows to the next ---- */

static const struct lw_param rotating_params[] = {SWIZZLE_PARAMS};

static bool build_rotating(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                           struct lw_map *map, struct lw_error *err)
{
    return build_rows_swizzled(encoding, tensor, false, lw_phase_rotating, map, err);
}

const struct lw_encoding_type lw_encoding_amd_rotating_shared = {
    .name = "amd_rotating_shared",
    .dialect = "ttg",
    .title = "swizzled rows, the phases rotating",
    .about =
        "As swizzled_shared, but after each perPhase x maxPhase rows the phases are xored with "
        "the number of that group of rows.",
    .example = "!ttg.memdesc<64x64xf16, #ttg.amd_rotating_shared<{vec = 4, perPhase = 1, maxPhase "
               "= 16, order = [1, 0]}>, #smem>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_SHARED, rotating_params, check_rows_swizzled, build_rotating),
};

/* ---- nvmma_shared ---- */

static const int64_t widths[] = {0, 32, 64, 128};
static const int64_t bits[] = {4, 8, 16, 32, 64};

static const struct lw_param nvmma_params[] = {
    LW_ROW("swizzlingByteWidth", LW_PARAM_INTEGER,
           "bytes of a row that are swizzled together; 0: none", .choices = widths,
           .choice_count = LW_COUNT(widths)),
    LW_ROW("transposed", LW_PARAM_BOOLEAN, "whether the first dim is the one that varies fastest",
           .fallback = LW_DEFAULT_NUMBER),
    LW_ROW("elementBitWidth", LW_PARAM_INTEGER, "bits of an element", .choices = bits,
           .choice_count = LW_COUNT(bits)),
    LW_ROW("fp4Padded", LW_PARAM_BOOLEAN,
           "whether each 8 bytes of packed fp4 are followed by 8 that stay empty",
           .rules = LW_RULE_SILENT, .fallback = LW_DEFAULT_NUMBER),
    LW_CGA_PARAMS,
    LW_ROW("rank", LW_PARAM_INTEGER, "the number of dims, when it is not 2",
           .rules = LW_RULE_SILENT, .min = 1, .max = LW_RANK_MAX, .fallback = LW_DEFAULT_ABSENT,
           .silent = 2, .since = LW_TRITON_3_6),
};

/* Reads the parameters for one block's part of the tensor. Fails only on limits. */
static bool read_nvmma(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_nvmma *nvmma, struct lw_layout *cga, struct lw_error *err)
{
    nvmma->rank = tensor->rank;
    nvmma->width = (uint64_t)lw_encoding_integer(encoding, "swizzlingByteWidth");
    nvmma->bits = (uint64_t)lw_encoding_integer(encoding, "elementBitWidth");
    nvmma->transposed = lw_encoding_boolean(encoding, "transposed");
    nvmma->rotated = lw_encoding_since(encoding, LW_TRITON_3_8);
    nvmma->padded = lw_encoding_boolean(encoding, "fp4Padded");
    if (!lw_cga_layout(encoding, tensor->rank, cga, err))
        return false;
    lw_shape_per_block(cga, tensor, nvmma->part);
    return true;
}

static bool check_rows(const struct lw_encoding *encoding, const struct lw_nvmma *nvmma,
                       struct lw_error *err)
{
    return lw_nvmma_fits(nvmma) ||
           lw_refuse(err, encoding, "swizzlingByteWidth",
                     "a block's part of the tensor needs 8 rows, with %llu elements along dim %d%s",
                     (unsigned long long)lw_nvmma_row(nvmma) >> nvmma->padded, lw_nvmma_fast(nvmma),
                     nvmma->padded ? ", and with fp4Padded at least 8" : "");
}

static bool check_nvmma(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_error *err)
{
    struct lw_nvmma nvmma;
    struct lw_layout cga;
    int rank = tensor->rank;
    bool set = lw_encoding_is_set(encoding, "rank");
    if (!check_shape_is_set(encoding, tensor, err))
        return false;
    if (set && lw_encoding_integer(encoding, "rank") != rank)
        return lw_refuse(err, encoding, "rank", "the tensor has %d dim%s", rank,
                         rank == 1 ? "" : "s");
    if (!set && lw_schema_rank(encoding, NULL) < 0 && rank != 2)
        return lw_refuse_missing(err, encoding, "rank",
                                 "the default is 2, but the tensor has %d dim%s", rank,
                                 rank == 1 ? "" : "s");
    if (!lw_cga_check(encoding, rank, err))
        return false;
    if (lw_encoding_integer(encoding, "swizzlingByteWidth") == 0)
        return true;
    if (rank < 2)
        return lw_refuse(err, encoding, "swizzlingByteWidth",
                         "must be 0 for a tensor of one dim: there are no rows to swizzle");
    return read_nvmma(encoding, tensor, &nvmma, &cga, err) && check_rows(encoding, &nvmma, err);
}

static bool build_nvmma(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    struct lw_nvmma nvmma;
    struct lw_layout cga;
    if (!read_nvmma(encoding, tensor, &nvmma, &cga, err))
        return false;
    lw_tile_begin(&tile, err);
    lw_tile_nvmma(&tile, &nvmma);
    return lw_combine(&tile, &cga, tensor, tensor->rank, LW_FAMILY_SHARED, map);
}

const struct lw_encoding_type lw_encoding_nvmma_shared = {
    .name = "nvmma_shared",
    .dialect = "ttg",
    .title = "TMA and wgmma swizzles",
    .about =
        "A tensor in shared memory as the copy and matrix units of Hopper and Blackwell require "
        "it: rows of 32, 64 or 128 bytes, eight at a time, their 16-byte groups xored with the "
        "row's phase.",
    .example = "!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = "
               "false, elementBitWidth = 16}>, #smem>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_SHARED, nvmma_params, check_nvmma, build_nvmma),
};

/* ---- padded_shared ---- */

static const struct lw_param padded_params[] = {
    LW_ROW("intervalPads", LW_PARAM_PADDINGS,
           "the gap after each interval, in elements: 2 after every 4 is 4:+2; several add up",
           .rules = LW_RULE_BEFORE | LW_RULE_POWER_OF_TWO, .min = 1, .max = INT32_MAX),
    LW_ROW("order", LW_PARAM_INTEGERS,
           "the dims from the one that varies fastest; or set offset and block",
           .rules = LW_RULE_RANK | LW_RULE_PERMUTATION, .fallback = LW_DEFAULT_ABSENT),
    LW_ROW("shape", LW_PARAM_INTEGERS, "the tensor's own, which goes with order",
           .rules = LW_RULE_RANK | LW_RULE_POWER_OF_TWO, .min = 1, .max = LW_NUMBER_MAX,
           .fallback = LW_DEFAULT_ABSENT, .since = LW_TRITON_3_6),
    LW_BASES_PARAM_SINCE("offset", LW_RULE_RANK, LW_DEFAULT_ABSENT, LW_TRITON_3_6,
                         "where each bit of the offset, before padding, moves in the tensor"),
    LW_BASES_PARAM_SINCE("block", LW_RULE_RANK, LW_DEFAULT_ABSENT, LW_TRITON_3_6,
                         "where each bit of the block number moves"),
    LW_CGA_PARAMS,
};

static bool has_bases(const struct lw_encoding *encoding)
{
    return lw_encoding_is_set(encoding, "offset") || lw_encoding_is_set(encoding, "block");
}

/* The shape that goes with the order: its own, or the tensor's. */
static bool own_tensor(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_tensor *own)
{
    int64_t shape[LW_RANK_MAX];
    size_t rank = lw_encoding_integers(encoding, "shape", 0, shape, LW_RANK_MAX);
    *own = *tensor;
    if (!lw_encoding_is_set(encoding, "shape"))
        return tensor->rank >= 0;
    own->rank = (int)rank;
    for (size_t d = 0; d < rank; d++)
        own->shape[d] = (uint64_t)shape[d];
    return true;
}

/* The layout before padding. */
static bool read_layout(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_layout *layout, struct lw_error *err)
{
    struct lw_tile tile;
    struct lw_tensor own;
    struct lw_map map;
    struct lw_layout cga;
    uint64_t part[LW_RANK_MAX];
    int64_t order[LW_RANK_MAX];
    if (has_bases(encoding))
        return lw_read_bases(encoding, lw_shared_dims, 2, lw_schema_rank(encoding, tensor), layout,
                             err);
    own_tensor(encoding, tensor, &own);
    lw_encoding_integers(encoding, "order", own.rank, order, LW_RANK_MAX);
    if (!lw_cga_layout(encoding, own.rank, &cga, err))
        return false;
    lw_shape_per_block(&cga, &own, part);
    lw_tile_begin(&tile, err);
    for (int i = 0; i < own.rank; i++)
        lw_tile_identity(&tile, part[order[i]], "offset", (int)order[i]);
    return lw_combine(&tile, &cga, &own, own.rank, LW_FAMILY_SHARED, &map) &&
           lw_map_to_layout(&map, layout, err);
}

/* ---- Checks ---- */

static bool check_bases(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_error *err)
{
    static const char *const others[] = {"order", "shape", "CGALayout", "CTAsPerCGA"};
    struct lw_layout layout;
    for (size_t i = 0; i < LW_COUNT(others); i++)
        if (lw_encoding_is_set(encoding, others[i]))
            return lw_refuse(err, encoding, others[i],
                             "offset and block define the whole layout: do not set this too");
    for (int p = 0; p < 2; p++) {
        const struct lw_value *bases = lw_encoding_value(encoding, lw_shared_dims[p]);
        for (size_t i = 0; bases && i < bases->count; i++)
            if (!lw_check_basis(encoding, lw_shared_dims[p], &bases->items[i], true, err))
                return false;
    }
    return lw_check_bases(encoding, lw_shared_dims, 2, tensor, &layout, err);
}

static bool check_order(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_error *err)
{
    struct lw_tensor own;
    if (!lw_encoding_is_set(encoding, "order"))
        return lw_refuse_missing(
            err, encoding, "order",
            "the dims from the one that varies fastest; or offset and block, as bases");
    if (!own_tensor(encoding, tensor, &own))
        return lw_refuse_missing(err, encoding, "shape",
                                 "or that of the tensor, set with -t 64x64xf16");
    if (!lw_cga_check(encoding, own.rank, err))
        return false;
    for (int d = 0; d < own.rank && tensor->rank >= 0; d++)
        if (own.shape[d] != tensor->shape[d])
            return lw_refuse(err, encoding, "shape", "the tensor has %llu in dim %d",
                             (unsigned long long)tensor->shape[d], d);
    return true;
}

static bool check_padded(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         struct lw_error *err)
{
    struct lw_layout layout;
    bool bases = has_bases(encoding);
    if (!(bases ? check_bases(encoding, tensor, err) : check_order(encoding, tensor, err)) ||
        !read_layout(encoding, tensor, &layout, err))
        return false;
    if (!lw_layout_is_invertible(&layout))
        return lw_refuse(err, encoding,
                         bases                                       ? "offset"
                         : lw_encoding_is_set(encoding, "CGALayout") ? "CGALayout"
                                                                     : "CTAsPerCGA",
                         "padded memory may not hold copies");
    return lw_check_sizes(&layout, tensor, err);
}

static bool build_padded(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         struct lw_map *map, struct lw_error *err)
{
    struct lw_layout layout;
    struct lw_padding padding[LW_PADDINGS_MAX];
    const struct lw_value *pairs = lw_encoding_value(encoding, "intervalPads");
    for (size_t i = 0; i < pairs->count; i++)
        padding[i] = (struct lw_padding){(uint64_t)pairs->items[i].items[0].integer,
                                         (uint64_t)pairs->items[i].items[1].integer};
    return read_layout(encoding, tensor, &layout, err) &&
           lw_map_from_padding(map, &layout, "offset", padding, (int)pairs->count, err);
}

const struct lw_encoding_type lw_encoding_padded_shared = {
    .name = "padded_shared",
    .dialect = "ttg",
    .title = "rows with gaps",
    .about =
        "A tensor in shared memory with gaps: [2:+1, 4:+2] leaves 1 element free after every 2, "
        "and 2 more after every 4. An address is the offset with its padding; gaps are drawn as "
        "holes.",
    .example = "!ttg.memdesc<16x32xf32, #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [16, "
               "32]}>, #smem>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_SHARED, padded_params, check_padded, build_padded),
};

/* ---- partitioned_shared ---- */

static const struct lw_param partitioned_params[] = {
    LW_ROW("numPartitions", LW_PARAM_INTEGER, "memories that the tensor is spread over",
           .rules = LW_RULE_POWER_OF_TWO, .min = 2, .max = 65536),
    LW_ROW("numGroups", LW_PARAM_INTEGER, "pieces that each memory holds",
           .rules = LW_RULE_POWER_OF_TWO, .min = 1, .max = 65536),
    LW_ROW("partitionDim", LW_PARAM_INTEGER,
           "the dim that is cut into numPartitions * numGroups pieces", .max = LW_RANK_MAX - 1),
    LW_ROW("partitionLayout", LW_PARAM_ENCODING,
           "the layout of one piece: swizzled_shared, padded_shared or another of shared memory",
           .fallback = LW_DEFAULT_REQUIRED),
};

static const char *const partition_dims[] = {"offset", "block", "partition"};

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
    if (inner &&
        (inner->type->family != LW_FAMILY_SHARED || inner->type == &lw_encoding_partitioned_shared))
        return lw_error_about(err, "partitionLayout", inner->position,
                              "partitionLayout: %s is not a layout of one shared memory",
                              inner->type->name);
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
    return !tile.failed && lw_layout_with_ins(out, &tile.layout, partition_dims, 3, err);
}

static bool build_partitioned(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
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
    .about =
        "A tensor spread over memories that serve accesses at the same time (gfx1250; Triton 3.8 "
        "and later): of numPartitions * numGroups pieces of a dim, piece k is in memory k mod "
        "numPartitions.",
    .example = "!ttg.memdesc<32x16xf16, #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, "
               "partitionDim = 0, partitionLayout = #ttg.swizzled_shared<{vec = 2, perPhase = 1, "
               "maxPhase = 4, order = [1, 0]}>}>, #smem>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_SHARED, partitioned_params, check_shape_is_set, build_partitioned),
    .since = LW_TRITON_3_8,
    .nested_tensor = nested_tensor,
};
