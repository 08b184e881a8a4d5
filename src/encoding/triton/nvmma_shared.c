/* nvmma_shared: the swizzles of TMA and wgmma. Source: NVMMASharedEncodingAttr of
 * Triton 3.7 to 3.9. */

#include "encoding/triton/shared.h"
#include "encoding/schema/types.h"

static const int64_t widths[] = {0, 32, 64, 128};
static const int64_t bits[] = {4, 8, 16, 32, 64};

static const struct lw_param params[] = {
    {.name = "swizzlingByteWidth",
     .type = LW_PARAM_INTEGER,
     .choices = widths,
     .choice_count = LW_COUNT(widths),
     .help = "bytes of a row that are swizzled together; 0: none"},
    {.name = "transposed",
     .type = LW_PARAM_BOOLEAN,
     .fallback = LW_DEFAULT_NUMBER,
     .help = "whether the first dim is the one that varies fastest"},
    {.name = "elementBitWidth",
     .type = LW_PARAM_INTEGER,
     .choices = bits,
     .choice_count = LW_COUNT(bits),
     .help = "bits of an element"},
    {.name = "fp4Padded",
     .type = LW_PARAM_BOOLEAN,
     .rules = LW_RULE_SILENT,
     .fallback = LW_DEFAULT_NUMBER,
     .help = "whether each 8 bytes of packed fp4 are followed by 8 that stay empty"},
    LW_CGA_PARAMS,
    {.name = "rank",
     .type = LW_PARAM_INTEGER,
     .rules = LW_RULE_SILENT,
     .min = 1,
     .max = LW_RANK_MAX,
     .fallback = LW_DEFAULT_ABSENT,
     .silent = 2,
     .since = LW_TRITON_3_6,
     .help = "the number of dims, when it is not 2"},
};

/* Reads the parameters for one block's part of the tensor. Fails only on limits. */
static bool read(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
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
    uint64_t found, row = lw_nvmma_row(nvmma);
    switch (lw_nvmma_check(nvmma, &found)) {
    case LW_NVMMA_SHORT_ROWS:
        return lw_refuse(err, encoding, "swizzlingByteWidth",
                         "dim %d of a block's part needs %llu elements to fill a row, but has "
                         "%llu",
                         lw_nvmma_fast(nvmma), (unsigned long long)row >> nvmma->padded,
                         (unsigned long long)found);
    case LW_NVMMA_NO_PADDING:
        return lw_refuse(err, encoding, "fp4Padded",
                         "padding needs rows of at least 16 elements, but swizzlingByteWidth and "
                         "elementBitWidth make them %llu long",
                         (unsigned long long)row);
    case LW_NVMMA_FEW_ROWS:
        return lw_refuse(err, encoding, "swizzlingByteWidth",
                         "a swizzle needs 8 rows, but a block's part of the tensor has %llu",
                         (unsigned long long)found);
    default:
        return true;
    }
}

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    struct lw_nvmma nvmma;
    struct lw_layout cga;
    int rank = tensor->rank;
    bool set = lw_encoding_is_set(encoding, "rank");
    if (!lw_check_shape_is_set(encoding, tensor, err))
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
    return read(encoding, tensor, &nvmma, &cga, err) && check_rows(encoding, &nvmma, err);
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    struct lw_nvmma nvmma;
    struct lw_layout cga;
    if (!read(encoding, tensor, &nvmma, &cga, err))
        return false;
    lw_tile_begin(&tile, err);
    lw_tile_nvmma(&tile, &nvmma);
    return lw_combine(&tile, &cga, tensor, tensor->rank, LW_FAMILY_SHARED, map);
}

const struct lw_encoding_type lw_encoding_nvmma_shared = {
    .name = "nvmma_shared",
    .dialect = "ttg",
    .title = "TMA and wgmma swizzles",
    .about = "A tensor in shared memory as the copy and matrix units of Hopper and Blackwell "
             "require it. "
             "Rows of 32, 64 or 128 bytes are taken eight at a time and their 16-byte groups xored "
             "with the row's phase; longer rows are cut into such columns, one after the other.",
    .example = "!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = "
               "false, elementBitWidth = 16}>, #smem>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_SHARED, params, check, build),
};
