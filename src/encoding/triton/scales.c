/*
 * Layouts of scale factors for scaled matrix products (mxfp8, mxfp6, mxfp4): one byte for each 16
 * or 32 elements along k. The scales of a (m x k) are m x k/32; those of b (k x n) lie as n x k/32,
 * so in both the last dim is k.
 *
 * Triton chooses these layouts with a function for each kind of hardware; their parameters are
 * those of the functions, and they have no attribute of their own (in a dump they are #ttg.linear). *
 * Source: chooseScaledMfmaScaleLayout (get_mfma_scale_layout of Gluon), chooseScaledWmmaScaleLayout
 * (get_wmma_scale_layout) and getSM120DotScaledScaleLayout of Triton 3.7 to 3.9, and "Warp-level block scaling" of the
 * PTX manual.
 */

#include "encoding/schema/types.h"
#include "encoding/triton/mma.h"

#define SCALE_OPERAND(NAME)                                                                        \
    LW_ROW(NAME, LW_PARAM_INTEGER,                                                                 \
           "0: scales of the left operand a, 1: those of the right operand b", .max = 1)

/* The shape of the scales must be set and a matrix. */
static bool check_scales(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         struct lw_error *err)
{
    if (tensor->rank < 0)
        return lw_refuse_no_shape(err, encoding,
                                  "that of the scales, m or n by k/32 (-t 128x4xi8)");
    return tensor->rank == 2 ||
           lw_refuse_shape(err, tensor, "%s is for matrices, of 2 dims", encoding->type->name);
}

/* A list of two parameters for the dims m and n, exchanged for b: first that of the scales' own dim 0. */
static void scale_pair(const struct lw_encoding *encoding, const char *name, int op,
                       int64_t pair[2])
{
    int64_t sizes[LW_RANK_MAX] = {1, 1};
    lw_encoding_integers(encoding, name, 2, sizes, LW_RANK_MAX);
    pair[0] = sizes[op ? 1 : 0];
    pair[1] = sizes[op ? 0 : 1];
}

/* ---- mfma_scale: scaled mfma (gfx950) ---- */

static const int64_t sides[] = {16, 32};

static const struct lw_param mfma_params[] = {
    SCALE_OPERAND("dotOperandIdx"),
    LW_ROW("mfmaMDim", LW_PARAM_INTEGER, "m of the instruction: 16 (16x16x128) or 32 (32x32x64)",
           .choices = sides, .choice_count = LW_COUNT(sides)),
    LW_POWERS("tilesPerWarp", LW_RULE_RANK,
              "neighbouring tiles of a warp along each dim of the result",
              .fallback = LW_DEFAULT_ONES),
    LW_WARPS_PARAM,
};

/* A lane has one scale for its 32 elements along k; the lanes cover the rows of the tile first. */
static bool build_mfma(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    int op = (int)lw_encoding_integer(encoding, "dotOperandIdx");
    uint64_t rows = (uint64_t)lw_encoding_integer(encoding, "mfmaMDim"), along_k = 64 / rows;
    int64_t tiles[2], warps[2];
    scale_pair(encoding, "tilesPerWarp", op, tiles);
    scale_pair(encoding, "warpsPerCTA", op, warps);
    lw_tile_begin(&tile, err);
    lw_tile_identity(&tile, 1, "register", 0);
    lw_tile_identity(&tile, rows, "lane", 0);
    lw_tile_identity(&tile, along_k, "lane", 1);
    if (tensor->shape[1] > along_k)
        lw_tile_identity(&tile, tensor->shape[1] / along_k, "register", 1);
    lw_tile_identity(&tile, (uint64_t)tiles[0], "register", 0);
    for (int i = 0; i < 2; i++) { /* along k first for a, last for b */
        int dim = op == 0 ? 1 - i : i;
        lw_tile_identity(&tile, (uint64_t)warps[dim], "warp", dim);
    }
    return lw_combine_cga(&tile, encoding, tensor, 2, map);
}

const struct lw_encoding_type lw_encoding_mfma_scale = {
    .name = "mfma_scale",
    .title = "scales for mfma",
    .about =
        "The scale factors of a scaled mfma instruction of gfx950: 64 lanes make 32 rows with 2 "
        "scales along k, or 16 rows with 4.",
    .example = "{\"encoding\": \"mfma_scale\", \"shape\": [128, 8], \"element\": \"i8\", "
               "\"params\": {\"dotOperandIdx\": 0, \"mfmaMDim\": 32, \"warpsPerCTA\": [4, 1]}}",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, mfma_params, check_scales, build_mfma),
};

/* ---- wmma_scale: scaled wmma (gfx1250) ---- */

#define UPPER_HALF 4 /* the lane bit of the upper 16 lanes */

static const int64_t factors[] = {16, 32};

#define SIZE_PARAM(NAME, NUMBER, HELP)                                                             \
    .name = NAME, .type = LW_PARAM_INTEGER, .choices = sides, .choice_count = LW_COUNT(sides),     \
    .fallback = LW_DEFAULT_NUMBER, .number = NUMBER, .help = HELP

static const struct lw_param wmma_params[] = {
    SCALE_OPERAND("dotOperandIdx"),
    {SIZE_PARAM("mDim", 16, "m of the instruction; 32 since Triton 3.8"), .also = "wmmaMDim"},
    {SIZE_PARAM("nDim", 16, "n of the instruction (since Triton 3.8)"), .since = LW_TRITON_3_8},
    LW_ROW("transposed", LW_PARAM_BOOLEAN,
           "whether the result is transposed: with m other than n it exchanges the operands "
           "(since Triton 3.8)",
           .fallback = LW_DEFAULT_NUMBER, .since = LW_TRITON_3_8),
    LW_ROW("scaleFactor", LW_PARAM_INTEGER,
           "elements along k that share a scale; 16 since Triton 3.8", .choices = factors,
           .choice_count = LW_COUNT(factors), .fallback = LW_DEFAULT_NUMBER, .number = 32),
    LW_ROW("ctaLayout", LW_PARAM_NAMED_BASES,
           "which tile of the result each warp has, and which more in registers, as bases: {warp "
           "= [[0, 1], [1, 0]]}",
           .max = LW_NUMBER_MAX),
    LW_CGA_PARAMS,
};

/* Before Triton 3.8 there is only one value. */
static bool check_before_38(const struct lw_encoding *encoding, const char *param, int64_t only,
                            struct lw_error *err)
{
    return lw_encoding_since(encoding, LW_TRITON_3_8) ||
           lw_encoding_integer(encoding, param) == only ||
           lw_refuse(err, encoding, param, "must be %lld in Triton %s", (long long)only,
                     lw_triton_name(encoding->triton));
}

static bool check_wmma(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_error *err)
{
    if (lw_encoding_is_set(encoding, "CGALayout") && !lw_encoding_since(encoding, LW_TRITON_3_8))
        return lw_refuse(err, encoding, "CGALayout", "is part of Triton 3.8 and later");
    return check_before_38(encoding, "mDim", 16, err) &&
           check_before_38(encoding, "scaleFactor", 32, err) &&
           check_scales(encoding, tensor, err) && lw_cga_check(encoding, 2, err) &&
           lw_check_wmma_warps(encoding, 2, err);
}

/* The upper half of the lanes would hold copies. When a warp has a second tile, they hold its scales instead, and the
 * register for these is not needed. */
static void use_upper_half(struct lw_layout *layout, int repeat)
{
    int upper = lw_layout_in_shift(layout, 1) + UPPER_HALF, bits = lw_layout_in_bits(layout);
    layout->basis[upper] = layout->basis[repeat];
    for (int i = repeat; i + 1 < bits; i++)
        layout->basis[i] = layout->basis[i + 1];
    layout->basis[bits - 1] = 0;
    layout->in.dim[0].size /= 2;
}

static const int64_t exchanged[2] = {1, 0};

/* The tile of one instruction; *repeat is the count of its registers, in bits. Its rows are the m of a, the n of b,
 * exchanged when the result of an instruction with m other than n is transposed. */
static void make_tile(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                      struct lw_tile *tile, int *repeat)
{
    int64_t m = lw_encoding_integer(encoding, "mDim"), n = lw_encoding_integer(encoding, "nDim");
    bool flip = lw_encoding_boolean(encoding, "transposed") && m != n;
    uint64_t rows = (uint64_t)(lw_encoding_integer(encoding, "dotOperandIdx") == flip ? m : n);
    uint64_t width = lw_encoding_integer(encoding, "scaleFactor") == 32 ? 4 : 8;
    uint64_t more = tensor->shape[1] > width ? tensor->shape[1] / width : 1;
    lw_tile_identity(tile, width, "register", 1);
    lw_tile_identity(tile, rows, "lane", 0);
    lw_tile_zeros(tile, 32 / rows, "lane", 0);
    lw_tile_identity(tile, more, "register", 1);
    lw_tile_standard_outs(tile, 2);
    *repeat = lw_log2(width * more);
}

/* The blocks of the operand; since Triton 3.9 those of b are exchanged, as its scales are. */
static bool cga_of(const struct lw_encoding *encoding, struct lw_layout *cga, struct lw_error *err)
{
    struct lw_tile tile;
    lw_tile_begin(&tile, err);
    if (!lw_cga_layout(encoding, 2, &tile.layout, err))
        return false;
    if (lw_encoding_integer(encoding, "dotOperandIdx") == 1 &&
        lw_encoding_since(encoding, LW_TRITON_3_9))
        lw_tile_permute(&tile, exchanged, 2);
    *cga = tile.layout;
    return !tile.failed;
}

static bool build_wmma(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile, warps;
    struct lw_layout layout, cga;
    int repeat;
    lw_tile_begin(&warps, err);
    if (!lw_wmma_warps(encoding, 2, &warps.layout, err))
        return false;
    if (lw_encoding_integer(encoding, "dotOperandIdx") == 1)
        lw_tile_permute(&warps, exchanged, 2);
    lw_flatten_dim(&warps.layout, 1);
    lw_tile_begin(&tile, err);
    make_tile(encoding, tensor, &tile, &repeat);
    tile.failed = tile.failed || warps.failed;
    lw_tile_times(&tile, &warps.layout);
    if (!cga_of(encoding, &cga, err) ||
        !lw_combine(&tile, &cga, tensor, 2, LW_FAMILY_DISTRIBUTED, map) ||
        !lw_map_to_layout(map, &layout, err))
        return false;
    if (lw_layout_in_log2(&layout, 0) > repeat && lw_encoding_integer(encoding, "mDim") == 16)
        use_upper_half(&layout, repeat);
    lw_map_from_layout(map, &layout);
    return true;
}

const struct lw_encoding_type lw_encoding_wmma_scale = {
    .name = "wmma_scale",
    .title = "scales for wmma",
    .about =
        "The scale factors of a scaled wmma instruction of gfx1250: a lane has 4 scales along k, "
        "and 16 lanes the 16 rows of a tile.",
    .example = "{\"encoding\": \"wmma_scale\", \"shape\": [64, 4], \"element\": \"i8\", "
               "\"params\": {\"dotOperandIdx\": 0, \"ctaLayout\": {\"warp\": [[0, 1], [1, 0]]}}}",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, wmma_params, check_wmma, build_wmma),
};

/* ---- sm120_scale: block-scaled mma.sync ---- */

static const struct lw_param sm120_params[] = {
    SCALE_OPERAND("opIdx"),
    LW_WARPS_PARAM,
    LW_CGA_PARAMS,
};

static bool check_sm120(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_error *err)
{
    return check_scales(encoding, tensor, err) && lw_cga_check(encoding, 2, err);
}

/* Each group of 4 lanes has one row; for a, the odd lanes have the row 8 further down. */
static bool build_sm120(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_map *map, struct lw_error *err)
{
    static const uint64_t lanes[2][5][2] = {{{8, 0}, {0, 0}, {1, 0}, {2, 0}, {4, 0}},
                                            {{0, 0}, {0, 0}, {1, 0}, {2, 0}, {4, 0}}};
    static const int64_t orders[2][2] = {{1, 0}, {0, 1}};
    struct lw_tile tile;
    int op = (int)lw_encoding_integer(encoding, "opIdx");
    int64_t warps[2];
    scale_pair(encoding, "warpsPerCTA", op, warps);
    lw_tile_begin(&tile, err);
    lw_tile_identity(&tile, tensor->shape[1], "register", 1);
    lw_tile_bases(&tile, "lane", 0, 1, lanes[op], 5);
    lw_tile_broadcast(&tile, "warp", warps, orders[op], 2, 1);
    return lw_combine_cga(&tile, encoding, tensor, 2, map);
}

const struct lw_encoding_type lw_encoding_sm120_scale = {
    .name = "sm120_scale",
    .title = "scales for mma.sync",
    .about =
        "The scale factors of block-scaled mma.sync (sm120): a thread has all the scales of its "
        "rows.",
    .example = "{\"encoding\": \"sm120_scale\", \"shape\": [128, 4], \"element\": \"i8\", "
               "\"params\": {\"opIdx\": 0, \"warpsPerCTA\": [2, 2]}}",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, sm120_params, check_sm120, build_sm120),
};
