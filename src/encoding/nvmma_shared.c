/* nvmma_shared: the swizzles that TMA and wgmma know. Source: NVMMASharedEncodingAttr,
 * getTMABlockShape and nvmmaSharedToLinearLayout of Triton 3.7. */

#include "encoding/shared.h"
#include "encoding/types.h"

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
     .help = "the number of dims, when it is not 2"},
};

struct nvmma {
    int rank;
    uint64_t width, bits;
    bool transposed, padded;
    struct lw_layout cga;
    uint64_t part[LW_RANK_MAX]; /* of the shape that a block has */
    uint64_t box[LW_RANK_MAX];  /* what TMA copies at once */
    int fast;                   /* the dim that varies fastest */
};

static uint64_t row_elements(const struct nvmma *nvmma)
{
    return 8 * nvmma->width / nvmma->bits;
}

/* Fails only on limits; whether the box is wide enough is looked at in check. */
static bool read(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                 struct nvmma *nvmma, struct lw_error *err)
{
    nvmma->rank = tensor->rank;
    nvmma->width = (uint64_t)lw_encoding_integer(encoding, "swizzlingByteWidth");
    nvmma->bits = (uint64_t)lw_encoding_integer(encoding, "elementBitWidth");
    nvmma->transposed = lw_encoding_boolean(encoding, "transposed");
    nvmma->padded = lw_encoding_boolean(encoding, "fp4Padded");
    nvmma->fast = nvmma->transposed ? 0 : tensor->rank - 1;
    if (!lw_cga_layout(encoding, tensor->rank, &nvmma->cga, err))
        return false;
    lw_shape_per_block(&nvmma->cga, tensor, nvmma->part);
    for (int d = 0; d < tensor->rank; d++) {
        uint64_t size = nvmma->part[d] << (nvmma->padded && d == nvmma->fast);
        nvmma->box[d] = size < 256 ? size : 256;
    }
    return true;
}

/* The swizzle makes rows exactly as long as its width. */
static void narrow(struct nvmma *nvmma)
{
    if (nvmma->width)
        nvmma->box[nvmma->fast] = row_elements(nvmma);
    if (nvmma->padded)
        nvmma->box[nvmma->fast] /= 2;
}

/* The box as a matrix: all dims but the last are rows. */
static void collapse(const struct nvmma *nvmma, uint64_t matrix[2])
{
    uint64_t rows = 1, last = nvmma->box[nvmma->rank - 1];
    for (int d = 0; d + 1 < nvmma->rank; d++)
        rows *= nvmma->box[d];
    matrix[0] = nvmma->transposed ? last : rows;
    matrix[1] = nvmma->transposed ? rows : last;
}

static void check_rows(const struct lw_encoding *encoding, struct nvmma *nvmma,
                       struct lw_report *report)
{
    uint64_t matrix[2];
    if (nvmma->box[nvmma->fast] < row_elements(nvmma)) {
        lw_check_add(report, encoding, "swizzlingByteWidth",
                     "dim %d of a block's part needs %llu elements to fill a row, but has %llu",
                     nvmma->fast, (unsigned long long)row_elements(nvmma) >> nvmma->padded,
                     (unsigned long long)nvmma->box[nvmma->fast] >> nvmma->padded);
        return;
    }
    if (nvmma->padded && row_elements(nvmma) < 16) {
        lw_check_add(report, encoding, "fp4Padded",
                     "padding needs rows of at least 16 elements, but swizzlingByteWidth and "
                     "elementBitWidth make them %llu long",
                     (unsigned long long)row_elements(nvmma));
        return;
    }
    narrow(nvmma);
    collapse(nvmma, matrix);
    if (matrix[0] < 8)
        lw_check_add(report, encoding, "swizzlingByteWidth",
                     "a swizzle needs 8 rows, but a block's part of the tensor has %llu",
                     (unsigned long long)matrix[0]);
}

static void check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_report *report)
{
    struct nvmma nvmma;
    struct lw_error err;
    int before = report->total, rank = tensor->rank;
    if (!lw_check_shape_said(encoding, tensor, report))
        return;
    if (lw_encoding_said(encoding, "rank") && lw_encoding_integer(encoding, "rank") != rank)
        lw_check_add(report, encoding, "rank", "the tensor has %d dim%s", rank,
                     rank == 1 ? "" : "s");
    else if (!lw_encoding_said(encoding, "rank") && lw_schema_rank(encoding, NULL) < 0 && rank != 2)
        lw_check_missing(report, encoding, "rank",
                         "it is 2 when not said, but the tensor has %d dim%s", rank,
                         rank == 1 ? "" : "s");
    lw_cga_check(encoding, rank, report);
    if (report->total != before || lw_encoding_integer(encoding, "swizzlingByteWidth") == 0)
        return;
    if (rank < 2)
        lw_check_add(report, encoding, "swizzlingByteWidth",
                     "must be 0 for a tensor of one dim: there are no rows to swizzle");
    else if (!read(encoding, tensor, &nvmma, &err))
        lw_report_add(report, &err);
    else
        check_rows(encoding, &nvmma, report);
}

/* Eight rows: 16-byte groups of columns are xored with the row's phase. With padding, offsets come
 * in groups of 16 of which 8 are real; the others point at the same elements. */
static void add_core(struct lw_tile *tile, const struct nvmma *nvmma)
{
    uint64_t vec = 128 / nvmma->bits, per_phase = 128 / nvmma->width, phases = nvmma->width / 16;
    uint64_t bases[LW_BITS_MAX][2];
    int count = 0;
    for (uint64_t col = 1; col < row_elements(nvmma); col *= 2, count++) {
        bases[count][0] = 0;
        bases[count][1] = nvmma->padded ? col / 16 * 8 + col % 8 : col;
    }
    for (uint64_t row = 1; row < 8; row *= 2, count++) {
        uint64_t moved = vec * (row / per_phase % phases);
        bases[count][0] = row;
        bases[count][1] = nvmma->padded ? moved / 16 * 8 + moved % 8 : moved;
    }
    lw_tile_bases(tile, "offset", 0, 1, (const uint64_t(*)[2])bases, count);
}

static void add_plain(struct lw_tile *tile, const struct nvmma *nvmma)
{
    for (int d = nvmma->rank - 1; d >= 0; d--)
        lw_tile_identity(tile, nvmma->box[d], "offset", d);
}

static void add_swizzled(struct lw_tile *tile, const struct nvmma *nvmma)
{
    uint64_t matrix[2], shape[LW_RANK_MAX];
    int64_t order[LW_RANK_MAX];
    int rank = nvmma->rank;
    collapse(nvmma, matrix);
    add_core(tile, nvmma);
    lw_tile_not_smaller(tile, matrix);
    for (int d = 0; d < rank; d++) {
        shape[d] = nvmma->box[nvmma->transposed ? (d + 1) % rank : d];
        order[d] = (d + rank - 1) % rank;
    }
    lw_tile_reshape(tile, shape, rank);
    if (nvmma->transposed)
        lw_tile_permute(tile, order, rank);
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    struct nvmma nvmma;
    if (!read(encoding, tensor, &nvmma, err))
        return false;
    narrow(&nvmma);
    lw_tile_begin(&tile, err);
    if (nvmma.width)
        add_swizzled(&tile, &nvmma);
    else
        add_plain(&tile, &nvmma);
    lw_tile_not_smaller(&tile, nvmma.part);
    return lw_combine(&tile, &nvmma.cga, tensor, tensor->rank, LW_FAMILY_SHARED, map);
}

const struct lw_encoding_type lw_encoding_nvmma_shared = {
    .name = "nvmma_shared",
    .dialect = "ttg",
    .title = "TMA and wgmma swizzles",
    .about = "A tensor in shared memory as the Hopper and Blackwell copy and matrix units want it. "
             "Rows of 32, 64 or 128 bytes are taken eight at a time and their 16-byte groups xored "
             "with the row's phase; longer rows are cut into such columns, one after the other.",
    .example = "!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = "
               "false, elementBitWidth = 16}>, #smem>",
    .family = LW_FAMILY_SHARED,
    .spelling = LW_SPELLING_ATTRIBUTE,
    .params = params,
    .param_count = LW_COUNT(params),
    .check = check,
    .build = build,
};
