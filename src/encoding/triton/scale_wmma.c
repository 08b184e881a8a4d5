/* wmma_scale: scale operands of scaled wmma (gfx1250). Source: chooseScaledWmmaScaleLayout of
 * Triton 3.7 to 3.9; Gluon calls it get_wmma_scale_layout. */

#include "encoding/triton/scale.h"
#include "encoding/schema/types.h"

#define UPPER_HALF 4 /* the lane bit of the upper 16 lanes */

static const int64_t sizes[] = {16, 32};
static const int64_t factors[] = {16, 32};

#define SIZE_PARAM(NAME, NUMBER, HELP)                                                             \
    .name = NAME, .type = LW_PARAM_INTEGER, .choices = sizes, .choice_count = LW_COUNT(sizes),     \
    .fallback = LW_DEFAULT_NUMBER, .number = NUMBER, .help = HELP

static const struct lw_param params[] = {
    LW_SCALE_OPERAND("dotOperandIdx"),
    {SIZE_PARAM("mDim", 16, "m of the instruction; 32 since Triton 3.8"), .also = "wmmaMDim"},
    {SIZE_PARAM("nDim", 16, "n of the instruction (since Triton 3.8)")},
    {.name = "transposed",
     .type = LW_PARAM_BOOLEAN,
     .fallback = LW_DEFAULT_NUMBER,
     .help = "whether the result is transposed: with m other than n it exchanges the operands "
             "(since Triton 3.8)"},
    {.name = "scaleFactor",
     .type = LW_PARAM_INTEGER,
     .choices = factors,
     .choice_count = LW_COUNT(factors),
     .fallback = LW_DEFAULT_NUMBER,
     .number = 32,
     .help = "elements along k that share a scale; 16 since Triton 3.8"},
    {.name = "ctaLayout",
     .type = LW_PARAM_NAMED_BASES,
     .max = LW_NUMBER_MAX,
     .help = "which tile of the result each warp has, and which more in registers, as bases: {warp "
             "= [[0, 1], [1, 0]]}"},
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

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    static const char *const newer[] = {"nDim", "transposed", "CGALayout"};
    for (size_t i = 0; i < LW_COUNT(newer); i++)
        if (!lw_check_since(encoding, newer[i], LW_TRITON_3_8, err))
            return false;
    return check_before_38(encoding, "mDim", 16, err) &&
           check_before_38(encoding, "scaleFactor", 32, err) && lw_cga_check(encoding, 2, err) &&
           lw_check_scales(encoding, tensor, err) && lw_check_wmma_warps(encoding, 2, err);
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

/* The rows of the operand in one instruction: m of a, n of b; exchanged when the result of an instruction
 * with m other than n is transposed. */
static uint64_t rows_of(const struct lw_encoding *encoding)
{
    int64_t m = lw_encoding_integer(encoding, "mDim"), n = lw_encoding_integer(encoding, "nDim");
    bool flip = lw_encoding_boolean(encoding, "transposed") && m != n;
    return (uint64_t)(lw_encoding_integer(encoding, "dotOperandIdx") == flip ? m : n);
}

/* The tile of one instruction; *repeat is the count of its registers, in bits. */
static void make_tile(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                      struct lw_tile *tile, int *repeat)
{
    uint64_t rows = rows_of(encoding);
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

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
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
        "The scale factors of a scaled wmma instruction of gfx1250, as Triton lays them out. A "
        "lane has 4 scales along k, in 32 bits, and 16 lanes the 16 rows of a tile. One tile "
        "needs only half of the wave; the other half holds the scales of the next tile of the "
        "same warp, when there is one, and copies otherwise.",
    .example = "{\"encoding\": \"wmma_scale\", \"shape\": [64, 4], \"element\": \"i8\", "
               "\"params\": {\"dotOperandIdx\": 0, \"ctaLayout\": {\"warp\": [[0, 1], [1, 0]]}}}",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, params, check, build),
};
