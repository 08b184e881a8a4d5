/*
 * The layouts of matrix instructions: their results, nvidia_mma, amd_mfma and amd_wmma, and their operands, dot_op.
 * Source: LinearLayoutConversions.cpp, NvidiaMmaEncodingAttr, AMDMfmaEncodingAttr, AMDWmmaEncodingAttr and
 * DotOperandEncodingAttr of Triton 3.7 to 3.9.
 */

#include "encoding/triton/mma.h"
#include "encoding/schema/types.h"
#include "encoding/triton/linear_bases.h"

#include "laneway/algebra.h"
#include "core/unused.h"

#include <string.h>

/* ---- Orders, tiles and dims ---- */

/* The dims of a batch of matrices from the fastest: rows side by side, or columns. (getMatrixOrder) */
static void matrix_order(int rank, bool row_major, int64_t *order)
{
    for (int i = 0; i < rank; i++)
        order[i] = rank - 1 - i;
    if (!row_major && rank > 1) {
        order[0] = rank - 2;
        order[1] = rank - 1;
    }
}

static bool check_matrix_rank(const struct lw_encoding *encoding, int rank, struct lw_error *err)
{
    return rank == 2 || rank == 3 ||
           lw_refuse(err, encoding, "warpsPerCTA",
                     "%s is for matrices (2 dims) and batches of them (3 dims), not %d dim%s",
                     encoding->type->name, rank, rank == 1 ? "" : "s");
}

int lw_integers(const struct lw_encoding *encoding, const char *name, int64_t *out)
{
    size_t count = lw_encoding_integers(encoding, name, 0, out, LW_RANK_MAX);
    return count > LW_RANK_MAX ? LW_RANK_MAX : (int)count;
}

/* The C fragment of an m16n8 instruction, and with other widths those of A and B: `width` registers and 4 lanes along
 * order[0], 8 lanes along order[1], then more registers. (nvidiaMmaTile) */
static void nvidia_tile(struct lw_tile *tile, const int64_t *shape, int64_t width,
                        const int64_t *order, int rank)
{
    int inner = (int)order[0], outer = (int)order[1];
    for (int i = 0; i < rank; i++)
        lw_tile_identity(tile, 1, "register", (int)order[i]);
    lw_tile_identity(tile, (uint64_t)width, "register", inner);
    lw_tile_identity(tile, 4, "lane", inner);
    lw_tile_identity(tile, 8, "lane", outer);
    lw_tile_identity(tile, (uint64_t)shape[outer] / 8, "register", outer);
    lw_tile_identity(tile, (uint64_t)(shape[inner] / (width * 4)), "register", inner);
}

void lw_tile_broadcast(struct lw_tile *tile, const char *in, const int64_t *sizes,
                       const int64_t *order, int rank, int k)
{
    for (int i = 0; i < rank; i++) {
        int dim = (int)order[i];
        if (dim == k)
            lw_tile_zeros(tile, (uint64_t)sizes[dim], in, dim);
        else
            lw_tile_identity(tile, (uint64_t)sizes[dim], in, dim);
    }
}

/* Removes the moves along a dim from a layout: its size becomes 1. (projectAwayOutDim) */
static void zero_dim(struct lw_layout *layout, int dim)
{
    struct lw_layout all = *layout;
    layout->out.dim[dim].size = 1;
    for (int i = 0; i < lw_layout_in_bits(&all); i++) {
        uint64_t image[LW_DIMS_MAX];
        lw_dims_unflatten(&all.out, all.basis[i], image);
        image[dim] = 0;
        layout->basis[i] = lw_dims_flatten(&layout->out, image);
    }
}

void lw_flatten_dim(struct lw_layout *layout, int dim)
{
    zero_dim(layout, dim);
    lw_layout_remove_zeros(layout, layout, layout->in.dim[0].name, NULL);
}

/* ---- nvidia_mma: results of mma.sync (version 2) and wgmma (3) ---- */

static const int64_t versions[] = {2, 3};

static const struct lw_param nvidia_params[] = {
    LW_ROW("versionMajor", LW_PARAM_INTEGER,
           "2: mma.sync (Turing, Ampere and later), 3: wgmma (Hopper)", .choices = versions,
           .choice_count = LW_COUNT(versions)),
    LW_ROW("versionMinor", LW_PARAM_INTEGER, "0, or 1 for Turing; the layout is the same", .max = 9,
           .fallback = LW_DEFAULT_NUMBER),
    LW_WARPS_PARAM,
    LW_CGA_PARAMS,
    LW_POWERS("instrShape", LW_RULE_NONE,
              "the instruction: [16, 8] (with a batch [1, 16, 8]), or m, n, k of wgmma: "
              "[16, 64, 16]",
              .fallback = LW_DEFAULT_REQUIRED),
};

static bool check_result_nvidia(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                                struct lw_error *err)
{
    int64_t instr[LW_RANK_MAX];
    int rank = lw_schema_rank(encoding, tensor), count = lw_integers(encoding, "instrShape", instr);
    bool hopper = lw_encoding_integer(encoding, "versionMajor") == 3;
    if (!check_matrix_rank(encoding, rank, err) || !lw_cga_check(encoding, rank, err))
        return false;
    if (hopper && rank != 2)
        return lw_refuse(err, encoding, "warpsPerCTA",
                         "wgmma (versionMajor = 3) has no batches: 2 dims, not %d", rank);
    if (hopper && count != 2 && count != 3)
        return lw_refuse(err, encoding, "instrShape", "%d entries, but wgmma has m, n, k", count);
    if (!hopper && count != rank)
        return lw_refuse(err, encoding, "instrShape", "%d entries, but the tensor has %d dims",
                         count, rank);
    const int64_t *mn = instr + (hopper ? 0 : rank - 2);
    return (mn[0] >= 8 && mn[1] >= 8) ||
           lw_refuse(err, encoding, "instrShape", "m and n must be at least 8");
}

static bool build_result_nvidia(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                                struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile, warps;
    int64_t instr[LW_RANK_MAX], per_cta[LW_RANK_MAX], order[LW_RANK_MAX], warp_order[LW_RANK_MAX];
    int rank = lw_schema_rank(encoding, tensor);
    bool hopper = lw_encoding_integer(encoding, "versionMajor") == 3;
    lw_integers(encoding, "instrShape", instr);
    lw_integers(encoding, "warpsPerCTA", per_cta);
    matrix_order(rank, true, order);
    matrix_order(rank, !hopper, warp_order);
    lw_tile_begin(&tile, err);
    lw_tile_begin(&warps, err);
    nvidia_tile(&tile, instr, 2, order, rank);
    lw_tile_ordered(&warps, "warp", per_cta, warp_order, rank);
    lw_tile_outs(&warps, order, rank);
    tile.failed = tile.failed || warps.failed;
    lw_tile_times(&tile, &warps.layout);
    return lw_combine_cga(&tile, encoding, tensor, rank, map);
}

const struct lw_encoding_type lw_encoding_nvidia_mma = {
    .name = "nvidia_mma",
    .dialect = "ttg",
    .title = "NVIDIA matrix results",
    .about =
        "How a warp, or with wgmma four of them, holds the result C of a tensor core instruction. "
        "In the basic 8 x 8 piece each row is held by 4 lanes with 2 neighbouring elements each. "
        "Operands are `dot_op` layouts with this as their parent.",
    .example = "tensor<32x32xf32, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
               "warpsPerCTA = [2, 2], instrShape = [16, 8]}>>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, nvidia_params, check_result_nvidia,
                     build_result_nvidia),
};

/* ---- amd_mfma: results of the matrix instructions of CDNA ---- */

static const int64_t widths[] = {32, 64};

static const struct lw_param mfma_params[] = {
    LW_ROW("version", LW_PARAM_INTEGER,
           "the generation: 1 (gfx908), 2 (gfx90a), 3 (gfx942), 4 (gfx950); the layout is the "
           "same",
           .max = 4, .fallback = LW_DEFAULT_ABSENT),
    LW_WARPS_PARAM,
    LW_POWERS("instrShape", LW_RULE_NONE,
              "m, n and (since Triton 3.6) k of the instruction: [32, 32, 8], [16, 16, 16]",
              .fallback = LW_DEFAULT_REQUIRED),
    LW_ROW("isTransposed", LW_PARAM_BOOLEAN,
           "whether a lane's registers go along n, as of the transposed product",
           .fallback = LW_DEFAULT_NUMBER),
    LW_CGA_PARAMS,
    LW_POWERS("tilesPerWarp", LW_RULE_RANK | LW_RULE_SILENT,
              "tiles along each dim that a warp has side by side; without it one",
              .fallback = LW_DEFAULT_ABSENT, .silent = 1),
    LW_ROW("elementBitWidth", LW_PARAM_INTEGER,
           "bits of the result's elements: 64 for the f64 instructions, else 32",
           .rules = LW_RULE_SILENT, .choices = widths, .choice_count = LW_COUNT(widths),
           .fallback = LW_DEFAULT_NUMBER, .number = 32, .silent = 32, .since = LW_TRITON_3_6),
    LW_ROW("versionMajor", LW_PARAM_INTEGER, "the version (before Triton 3.5)", .max = 4,
           .fallback = LW_DEFAULT_ABSENT, .until = LW_TRITON_3_5),
    LW_ROW("versionMinor", LW_PARAM_INTEGER, "always 0 (before Triton 3.5)", .max = 9,
           .fallback = LW_DEFAULT_ABSENT, .until = LW_TRITON_3_5),
    LW_ROW("elementType", LW_PARAM_STRING,
           "f64, f32 or i32 (before Triton 3.6): now elementBitWidth",
           .fallback = LW_DEFAULT_ABSENT, .until = LW_TRITON_3_5),
};

/* tilesPerWarp of amd_mfma, or of amd_wmma in Triton 3.6; ones when it is not set. */
static void amd_tiles(const struct lw_encoding *encoding, int rank, int64_t *tiles)
{
    if (lw_integers(encoding, "tilesPerWarp", tiles))
        return;
    for (int i = 0; i < rank; i++)
        tiles[i] = 1;
}

/* Checks the parameters that older releases have instead of version and elementBitWidth. */
static bool check_old(const struct lw_encoding *encoding, struct lw_error *err)
{
    const struct lw_value *type = lw_encoding_value(encoding, "elementType");
    bool now = lw_encoding_is_set(encoding, "version");
    bool old = lw_encoding_is_set(encoding, "versionMajor");
    if (!now && !old)
        return lw_refuse_missing(err, encoding, "version", "an integer, from 0 to 4");
    if (now && old)
        return lw_refuse(err, encoding, "versionMajor",
                         "version is set too; set only one of the two");
    return !type || !strcmp(type->string, "f64") || !strcmp(type->string, "f32") ||
           !strcmp(type->string, "i32") ||
           lw_refuse(err, encoding, "elementType", "must be f64, f32 or i32");
}

/* Only the result of a 64 x 4 instruction must be transposed: the parent of an operand, which has no shape here, is
 * not checked. */
static bool check_result_mfma(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                              struct lw_error *err)
{
    int64_t instr[LW_RANK_MAX];
    int rank = lw_schema_rank(encoding, tensor), count = lw_integers(encoding, "instrShape", instr);
    if (!check_matrix_rank(encoding, rank, err) || !lw_cga_check(encoding, rank, err) ||
        !check_old(encoding, err))
        return false;
    if (count != 2 && count != 3)
        return lw_refuse(err, encoding, "instrShape", "%d entries: must be m, n and optionally k",
                         count);
    const int64_t m = instr[0], n = instr[1];
    if (m == n ? m != 32 && m != 16 : (m != 64 || n != 4) && (m != 4 || n != 64))
        return lw_refuse(err, encoding, "instrShape",
                         "m x n must be 32 x 32, 16 x 16, 64 x 4 or 4 x 64");
    return instr[0] != 64 || tensor->rank < 0 || lw_encoding_boolean(encoding, "isTransposed") ||
           lw_refuse(err, encoding, "isTransposed", "a 64 x 4 tile must be transposed");
}

/* One tile. The lanes go along one dim first, each with its registers along the other. */
static void add_tile(struct lw_tile *tile, int64_t along, int64_t height, int64_t repeat, int lanes,
                     int registers)
{
    lw_tile_identity(tile, (uint64_t)height, "register", registers);
    lw_tile_identity(tile, (uint64_t)along, "lane", lanes);
    lw_tile_identity(tile, (uint64_t)(64 / along), "lane", registers);
    lw_tile_identity(tile, (uint64_t)repeat, "register", registers);
}

/* Repeats tiles of `tile_n` columns along n over the whole tensor, then along m, by tilesPerWarp and warpsPerCTA. */
static void tile_amd_warps(struct lw_tile *tile, const struct lw_encoding *encoding,
                           const struct lw_tensor *tensor, int rank, int64_t tile_n)
{
    int64_t warps[LW_RANK_MAX], tiles[LW_RANK_MAX];
    int m = rank - 2, n = rank - 1;
    lw_integers(encoding, "warpsPerCTA", warps);
    amd_tiles(encoding, rank, tiles);
    uint64_t wide = (uint64_t)(tile_n * warps[n] * tiles[n]);
    lw_tile_identity(tile, (uint64_t)tiles[n], "register", n);
    lw_tile_identity(tile, (uint64_t)warps[n], "warp", n);
    lw_tile_identity(tile, tensor->rank < 0 ? 0 : tensor->shape[n] / wide, "register", n);
    lw_tile_identity(tile, (uint64_t)tiles[m], "register", m);
    lw_tile_identity(tile, (uint64_t)warps[m], "warp", m);
    if (rank == 3)
        lw_tile_identity(tile, (uint64_t)warps[0], "warp", 0);
}

static bool build_result_mfma(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                              struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    int64_t instr[LW_RANK_MAX];
    int rank = lw_schema_rank(encoding, tensor), m = rank - 2, n = rank - 1;
    int64_t nm[2] = {n, m};
    lw_integers(encoding, "instrShape", instr);
    const struct lw_value *type = lw_encoding_value(encoding, "elementType");
    int64_t height = lw_encoding_integer(encoding, "elementBitWidth") == 64 ||
                             (type && !strcmp(type->string, "f64"))
                         ? 1
                         : 4;
    int64_t repeat = instr[0] * instr[1] / (64 * height);
    lw_tile_begin(&tile, err);
    if (lw_encoding_boolean(encoding, "isTransposed"))
        add_tile(&tile, instr[0], height, repeat, m, n);
    else
        add_tile(&tile, instr[1], height, repeat, n, m);
    lw_tile_outs(&tile, nm, 2);
    tile_amd_warps(&tile, encoding, tensor, rank, instr[1]);
    return lw_combine_cga(&tile, encoding, tensor, rank, map);
}

const struct lw_encoding_type lw_encoding_amd_mfma = {
    .name = "amd_mfma",
    .dialect = "ttg",
    .title = "AMD CDNA matrix results",
    .about =
        "How a wave of 64 lanes holds the result of an mfma instruction: a lane has groups of 4 "
        "neighbouring elements of a column, or of a row when it is transposed.",
    .example = "tensor<64x64xf32, #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = "
               "[32, 32, 8], isTransposed = true}>>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, mfma_params, check_result_mfma, build_result_mfma),
};

/* ---- amd_wmma: results of the matrix instructions of RDNA and gfx1250 ---- */

static const struct lw_param wmma_params[] = {
    LW_ROW("version", LW_PARAM_INTEGER, "1 (RDNA 3, gfx11), 2 (RDNA 4, gfx12), 3 (gfx1250)",
           .min = 1, .max = 3, .fallback = LW_DEFAULT_NUMBER, .number = 1),
    LW_ROW("isTranspose", LW_PARAM_BOOLEAN, "whether a lane's registers go along n instead of m",
           .fallback = LW_DEFAULT_NUMBER),
    LW_ROW("ctaLayout", LW_PARAM_NAMED_BASES,
           "which tile each warp has, and which more in registers, as bases: {warp = [[0, 1], "
           "[1, 0]]}",
           .max = LW_NUMBER_MAX, .fallback = LW_DEFAULT_ABSENT, .since = LW_TRITON_3_7),
    LW_POWERS("warpsPerCTA", LW_RULE_RANK, "warps along each dim (before Triton 3.7)",
              .fallback = LW_DEFAULT_ABSENT, .until = LW_TRITON_3_6),
    LW_POWERS("tilesPerWarp", LW_RULE_RANK | LW_RULE_SILENT,
              "tiles along each dim that a warp has side by side (Triton 3.6): today they are "
              "registers of ctaLayout",
              .fallback = LW_DEFAULT_ABSENT, .silent = 1, .since = LW_TRITON_3_6,
              .until = LW_TRITON_3_6),
    LW_CGA_PARAMS,
    LW_POWERS("instrShape", LW_RULE_SILENT,
              "m, n and k of the instruction; default [16, 16, 16]; m is 16, since Triton 3.8 also "
              "32",
              .fallback = LW_DEFAULT_ABSENT, .silent = 16, .silent_count = 3),
    LW_ROW("rank", LW_PARAM_INTEGER, "the number of dims, where no basis gives it", .min = 2,
           .max = 3, .fallback = LW_DEFAULT_ABSENT, .since = LW_TRITON_3_7),
};

static void wmma_shape(const struct lw_encoding *encoding, int64_t mnk[3])
{
    int64_t sizes[LW_RANK_MAX];
    mnk[0] = mnk[1] = mnk[2] = 16;
    if (lw_integers(encoding, "instrShape", sizes) == 3)
        memcpy(mnk, sizes, 3 * sizeof *mnk);
}

/* The rank; without a list or a tensor that of the bases of ctaLayout, or `rank`. */
static int wmma_rank(const struct lw_encoding *encoding, const struct lw_tensor *tensor)
{
    const struct lw_value *layout = lw_encoding_value(encoding, "ctaLayout");
    int rank = lw_schema_rank(encoding, tensor);
    for (size_t i = 0; layout && i < layout->count && rank < 0; i++)
        if (layout->items[i].count)
            rank = (int)layout->items[i].items[0].count;
    if (rank < 0)
        rank = (int)lw_encoding_integer(encoding, "rank");
    return rank > 0 ? rank : 2;
}

bool lw_wmma_warps(const struct lw_encoding *encoding, int rank, struct lw_layout *out,
                   struct lw_error *err)
{
    static const char *const names[] = {"register", "warp"};
    const struct lw_value *layout = lw_encoding_value(encoding, "ctaLayout");
    const struct lw_value *lists[] = {lw_value_member(layout, names[0]),
                                      lw_value_member(layout, names[1])};
    struct lw_tile tile;
    int64_t warps[LW_RANK_MAX], order[LW_RANK_MAX];
    if (!lw_encoding_is_set(encoding, "warpsPerCTA"))
        return lw_layout_of_bases(names, lists, 2, rank, out, err);
    lw_integers(encoding, "warpsPerCTA", warps);
    matrix_order(rank, true, order);
    lw_tile_begin(&tile, err);
    lw_tile_identity(&tile, 1, "register", rank - 1);
    lw_tile_ordered(&tile, "warp", warps, order, rank);
    lw_tile_standard_outs(&tile, rank);
    *out = tile.layout;
    return !tile.failed;
}

static bool check_names(const struct lw_encoding *encoding, struct lw_error *err)
{
    const struct lw_value *layout = lw_encoding_value(encoding, "ctaLayout");
    for (size_t i = 0; layout && i < layout->count; i++) {
        if (strcmp(layout->names[i], "register") && strcmp(layout->names[i], "warp"))
            return lw_refuse(err, encoding, "ctaLayout",
                             "'%.24s' is not a dim of it: it has register and warp",
                             layout->names[i]);
    }
    return true;
}

bool lw_check_wmma_warps(const struct lw_encoding *encoding, int rank, struct lw_error *err)
{
    bool bases = lw_encoding_is_set(encoding, "ctaLayout");
    bool warps = lw_encoding_is_set(encoding, "warpsPerCTA");
    struct lw_layout layout;
    struct lw_error why;
    if (!bases && !warps)
        return lw_refuse_missing(err, encoding, "ctaLayout",
                                 "bases of warp and register such as {warp = [[0, 1], [1, 0]]}, "
                                 "or warpsPerCTA");
    if (bases && warps)
        return lw_refuse(err, encoding, "warpsPerCTA",
                         "ctaLayout is set too; set only one of the two");
    if (!check_names(encoding, err))
        return false;
    if (!lw_wmma_warps(encoding, rank, &layout, &why))
        return lw_refuse(err, encoding, bases ? "ctaLayout" : "warpsPerCTA", "%s", why.message);
    return lw_layout_is_surjective(&layout) ||
           lw_refuse(err, encoding, "ctaLayout", "the bases leave tiles out");
}

/* The instructions of each version: m and n are 16; in the last row m is 32 (Triton 3.9). */
static const struct instructions {
    int k[5];
    const char *legal_texts;
} instructions[] = {{{16}, "[16, 16, 16]"},
                    {{16, 32}, "[16, 16, 16] or [16, 16, 32]"},
                    {{4, 32, 64, 128}, "[16, 16, k] with k = 4, 32, 64 or 128"},
                    {{64, 128},
                     "[16, 16, k] with k = 4, 32, 64 or 128, or [32, 16, k] with k = "
                     "64 or 128"}};

static bool has_k(const struct instructions *row, int64_t k)
{
    for (int i = 0; row->k[i]; i++)
        if (k == row->k[i])
            return true;
    return false;
}

static bool check_instruction(const struct lw_encoding *encoding, struct lw_error *err)
{
    int64_t version = lw_encoding_integer(encoding, "version"), mnk[3], sizes[LW_RANK_MAX];
    bool set = lw_encoding_is_set(encoding, "instrShape");
    bool tall = version == 3 && lw_encoding_since(encoding, LW_TRITON_3_8);
    wmma_shape(encoding, mnk);
    if ((!set || lw_integers(encoding, "instrShape", sizes) == 3) && mnk[1] == 16 &&
        ((mnk[0] == 16 && has_k(&instructions[version - 1], mnk[2])) ||
         (tall && mnk[0] == 32 && has_k(&instructions[version], mnk[2]))))
        return true;
    const char *legal = instructions[tall ? version : version - 1].legal_texts;
    return (set ? lw_refuse : lw_refuse_missing)(err, encoding, "instrShape", "version %lld has %s",
                                                 (long long)version, legal);
}

static bool check_result_wmma(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                              struct lw_error *err)
{
    int rank = wmma_rank(encoding, tensor);
    if (!check_matrix_rank(encoding, rank, err))
        return false;
    if (lw_encoding_is_set(encoding, "rank") && lw_encoding_integer(encoding, "rank") != rank)
        return lw_refuse(err, encoding, "rank", "there are %d dims", rank);
    if (!lw_cga_check(encoding, rank, err) || !lw_check_wmma_warps(encoding, rank, err) ||
        !check_instruction(encoding, err))
        return false;
    /* Before 3.8 Triton lays out whole tiles only; a dim of size 1 is a dim that was reduced. (toLinearLayout) */
    for (int d = rank - 2; d < tensor->rank && !lw_encoding_since(encoding, LW_TRITON_3_8); d++)
        if (tensor->shape[d] > 1 && tensor->shape[d] < 16)
            return lw_refuse_shape(err, tensor,
                                   "dim %d must be 1 or at least 16, the side of a tile", d);
    return true;
}

static bool build_result_wmma(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                              struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    struct lw_layout warps;
    int64_t order[LW_RANK_MAX], mnk[3];
    int rank = wmma_rank(encoding, tensor);
    bool first = lw_encoding_integer(encoding, "version") == 1;
    if (!lw_wmma_warps(encoding, rank, &warps, err))
        return false;
    matrix_order(rank, !lw_encoding_boolean(encoding, "isTranspose"), order);
    lw_tile_begin(&tile, err);
    for (int d = 0; d < rank; d++)
        lw_tile_identity(&tile, 1, "register", d);
    int columns = (int)order[0], rows = (int)order[1];
    lw_tile_identity(&tile, 16, "lane", columns);
    if (first)
        lw_tile_identity(&tile, 2, "lane", rows);
    lw_tile_identity(&tile, 8, "register", rows);
    if (!first)
        lw_tile_identity(&tile, 2, "lane", rows);
    wmma_shape(encoding, mnk);
    lw_tile_identity(&tile, (uint64_t)mnk[0] / 16, "register", rows);
    matrix_order(rank, true, order);
    if (lw_encoding_is_set(encoding, "warpsPerCTA") && lw_encoding_since(encoding, LW_TRITON_3_6)) {
        lw_tile_outs(&tile, order, rank);
        tile_amd_warps(&tile, encoding, tensor, rank, mnk[1]);
    } else {
        lw_tile_times(&tile, &warps);
    }
    lw_tile_outs(&tile, order, rank);
    return lw_combine_cga(&tile, encoding, tensor, rank, map);
}

const struct lw_encoding_type lw_encoding_amd_wmma = {
    .name = "amd_wmma",
    .dialect = "ttg",
    .title = "AMD RDNA matrix results",
    .about =
        "How a wave of 32 lanes holds the 16 x 16 result of a wmma instruction: 16 lanes make the "
        "columns, and each has 8 rows of one, in version 1 every second one.",
    .example = "tensor<32x32xf32, #ttg.amd_wmma<{version = 2, isTranspose = false, ctaLayout = "
               "{warp = [[0, 1], [1, 0]]}}>>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, wmma_params, check_result_wmma, build_result_wmma),
};

/* ---- dot_op: operands a and b of a matrix product ---- */

static const struct lw_param operand_params[] = {
    LW_ROW("opIdx", LW_PARAM_INTEGER,
           "0: the left operand a (m x k), 1: the right operand b (k x n)", .max = 1),
    LW_ROW("parent", LW_PARAM_ENCODING,
           "the layout of the result: blocked, nvidia_mma, amd_mfma or amd_wmma",
           .fallback = LW_DEFAULT_REQUIRED),
    LW_ROW("kWidth", LW_PARAM_INTEGER,
           "neighbouring elements along k that a lane holds; 0 with a blocked parent",
           .rules = LW_RULE_SILENT, .max = 65536, .fallback = LW_DEFAULT_NUMBER),
};

struct operand {
    const struct lw_encoding *parent;
    const struct lw_tensor *tensor;
    int rank;
    int op; /* 0: a, 1: b */
    int64_t width;
    int k, other;                /* the k dim, and m or n */
    int64_t order[LW_RANK_MAX];  /* k first */
    int64_t normal[LW_RANK_MAX]; /* the last dim first */
    int64_t warps[LW_RANK_MAX];  /* warpsPerCTA of the parent, except for wmma */
    uint64_t k_size;             /* 0 when not known */
};

typedef bool build_operand(const struct operand *operand, struct lw_tile *tile, struct lw_map *map);

/* The blocks of a cluster that differ only along k hold copies. */
static bool finish(const struct operand *operand, struct lw_tile *tile, struct lw_map *map)
{
    struct lw_layout cga;
    if (!lw_cga_layout(operand->parent, operand->rank, &cga, tile->err))
        return false;
    zero_dim(&cga, operand->k);
    return lw_combine(tile, &cga, operand->tensor, operand->rank, LW_FAMILY_DISTRIBUTED, map);
}

/* A thread holds all of k. */
static bool build_blocked(const struct operand *operand, struct lw_tile *tile, struct lw_map *map)
{
    int64_t sizes[LW_RANK_MAX], order[LW_RANK_MAX];
    int rank = operand->rank;
    lw_encoding_integers(operand->parent, "order", rank, order, LW_RANK_MAX);
    lw_integers(operand->parent, "sizePerThread", sizes);
    if (operand->k_size)
        sizes[operand->k] = (int64_t)operand->k_size;
    lw_tile_ordered(tile, "register", sizes, order, rank);
    lw_integers(operand->parent, "threadsPerWarp", sizes);
    lw_tile_broadcast(tile, "lane", sizes, order, rank, operand->k);
    lw_tile_broadcast(tile, "warp", operand->warps, order, rank, operand->k);
    return finish(operand, tile, map);
}

static bool build_nvidia(const struct operand *operand, struct lw_tile *tile, struct lw_map *map)
{
    int64_t shape[LW_RANK_MAX], warp_order[LW_RANK_MAX];
    bool hopper = lw_encoding_integer(operand->parent, "versionMajor") == 3;
    shape[operand->k] = operand->width * 8;
    shape[operand->other] = operand->op == 0 ? 16 : 8;
    matrix_order(operand->rank, !hopper, warp_order);
    nvidia_tile(tile, shape, operand->width, operand->order, operand->rank);
    lw_tile_broadcast(tile, "warp", operand->warps, warp_order, operand->rank, operand->k);
    lw_tile_outs(tile, operand->order, operand->rank);
    return finish(operand, tile, map);
}

static bool build_mfma(const struct operand *operand, struct lw_tile *tile, struct lw_map *map)
{
    int64_t instr[LW_RANK_MAX], tiles[LW_RANK_MAX];
    int k = operand->k, other = operand->other;
    lw_integers(operand->parent, "instrShape", instr);
    amd_tiles(operand->parent, operand->rank, tiles);
    int64_t size = instr[operand->op], k_tile = 64 / size * operand->width;
    lw_tile_identity(tile, (uint64_t)operand->width, "register", k);
    lw_tile_identity(tile, (uint64_t)size, "lane", other);
    lw_tile_identity(tile, (uint64_t)(64 / size), "lane", k);
    if (size == 64) { /* the 64 x 64 operand of a 64 x 4 or 4 x 64 tile */
        lw_tile_identity(tile, 16, "register", k);
        k_tile *= 16;
    }
    if (operand->k_size > (uint64_t)k_tile)
        lw_tile_identity(tile, operand->k_size / (uint64_t)k_tile, "register", k);
    lw_tile_identity(tile, (uint64_t)tiles[other], "register", other);
    for (int i = 0; i < operand->rank; i++) /* the k dim comes first from here on */
        lw_tile_identity(tile, 1, "register", (int)operand->order[i]);
    lw_tile_outs(tile, operand->order, operand->rank);
    lw_tile_broadcast(tile, "warp", operand->warps, operand->normal, operand->rank, k);
    return lw_combine_cga(tile, operand->parent, operand->tensor, operand->rank, map);
}

/* Since Triton 3.8: registers that fill the k of one instruction come before those of warps, and blocks hold copies
 * along k. An instruction of 32 rows is two of 16. */
static bool finish_wmma(const struct operand *operand, struct lw_tile *tile, uint64_t tile_k,
                        const int64_t mnk[3], const struct lw_layout *warps, struct lw_map *map)
{
    bool flip = lw_encoding_boolean(operand->parent, "isTranspose") && mnk[0] != mnk[1];
    uint64_t size = (uint64_t)mnk[flip ? 1 - operand->op : operand->op];
    uint64_t repeat = (uint64_t)mnk[2] / tile_k;
    lw_tile_identity(tile, repeat ? repeat : 1, "register", operand->k);
    lw_tile_identity(tile, size / 16, "register", operand->other);
    lw_tile_times(tile, warps);
    lw_tile_outs(tile, operand->order, operand->rank);
    return finish(operand, tile, map);
}

static bool build_wmma(const struct operand *operand, struct lw_tile *tile, struct lw_map *map)
{
    int64_t mnk[3], tiles[LW_RANK_MAX], width = operand->width;
    struct lw_layout warps;
    int k = operand->k, other = operand->other;
    if (!lw_wmma_warps(operand->parent, operand->rank, &warps, tile->err))
        return false;
    lw_flatten_dim(&warps, k);
    wmma_shape(operand->parent, mnk);
    uint64_t size = 16, depth = 32 / size;
    lw_tile_identity(tile, (uint64_t)width, "register", k);
    lw_tile_identity(tile, size, "lane", other);
    if (lw_encoding_integer(operand->parent, "version") == 1)
        lw_tile_zeros(tile, depth, "lane", k);
    else
        lw_tile_identity(tile, depth, "lane", k);
    if (lw_encoding_since(operand->parent, LW_TRITON_3_8))
        return finish_wmma(operand, tile, depth * (uint64_t)width, mnk, &warps, map);
    amd_tiles(operand->parent, operand->rank, tiles);
    /* how much of k the registers cover before the bases of warps: all of it in Triton 3.6 only where a warp has
     * several tiles, and in earlier releases never */
    const bool all = lw_encoding_since(operand->parent, LW_TRITON_3_7) || tiles[other] > 1;
    const uint64_t own = (uint64_t)mnk[2];
    const uint64_t covered = all && operand->k_size > own ? operand->k_size : own;
    lw_tile_identity(tile, covered / (depth * (uint64_t)width), "register", k);
    lw_tile_identity(tile, (uint64_t)tiles[other], "register", other);
    lw_tile_times(tile, &warps);
    lw_tile_outs(tile, operand->order, operand->rank);
    return lw_combine_cga(tile, operand->parent, operand->tensor, operand->rank, map);
}

/* ---- Which parents there are ---- */

static bool check_blocked(const struct lw_encoding *encoding, int64_t width, struct lw_error *err)
{
    return !width || lw_refuse(err, encoding, "kWidth", "must be 0 when the parent is blocked");
}

static bool need_width(const struct lw_encoding *encoding, int64_t width, struct lw_error *err)
{
    const char *parent = lw_encoding_nested(encoding, "parent")->type->name;
    if (!lw_encoding_is_set(encoding, "kWidth"))
        return lw_refuse_missing(err, encoding, "kWidth", "a power of two, since its parent is %s",
                                 parent);
    return lw_log2((uint64_t)width) >= 0 ||
           lw_refuse(err, encoding, "kWidth", "must be a power of two when the parent is %s",
                     parent);
}

static bool check_nvidia(const struct lw_encoding *encoding, int64_t width, struct lw_error *err)
{
    const struct lw_encoding *parent = lw_encoding_nested(encoding, "parent");
    if (!need_width(encoding, width, err))
        return false;
    return lw_encoding_integer(parent, "versionMajor") != 3 ||
           !lw_encoding_integer(encoding, "opIdx") ||
           lw_refuse(err, encoding, "opIdx",
                     "must be 0 when the parent is wgmma (versionMajor = 3), which reads b from "
                     "shared memory");
}

static bool check_wmma(const struct lw_encoding *encoding, int64_t width, struct lw_error *err)
{
    int64_t version = lw_encoding_integer(lw_encoding_nested(encoding, "parent"), "version");
    if (!need_width(encoding, width, err))
        return false;
    return version == 3 || width == 8 || width == 16 || (version == 2 && width == 4) ||
           lw_refuse(err, encoding, "kWidth", "must be %s with wmma version %lld",
                     version == 1 ? "8 or 16" : "4, 8 or 16", (long long)version);
}

static const struct parent {
    const struct lw_encoding_type *type;
    bool (*check)(const struct lw_encoding *encoding, int64_t width, struct lw_error *err);
    build_operand *build;
} parents[] = {
    {&lw_encoding_blocked, check_blocked, build_blocked},
    {&lw_encoding_nvidia_mma, check_nvidia, build_nvidia},
    {&lw_encoding_amd_mfma, need_width, build_mfma},
    {&lw_encoding_amd_wmma, check_wmma, build_wmma},
};

static const struct parent *parent_of(const struct lw_encoding *encoding)
{
    const struct lw_encoding *parent = lw_encoding_nested(encoding, "parent");
    for (size_t i = 0; parent && i < LW_COUNT(parents); i++)
        if (parents[i].type == parent->type)
            return &parents[i];
    return NULL;
}

/* The parent is of the result, whose sizes differ from the operand's, so its shape is unknown here. */
static bool nested_tensor(const struct lw_encoding *encoding,
                          LW_UNUSED const struct lw_tensor *tensor, struct lw_tensor *nested,
                          struct lw_error *err)
{
    const struct lw_encoding *parent = lw_encoding_nested(encoding, "parent");
    lw_tensor_unknown(nested);
    return !parent || parent_of(encoding) ||
           lw_error_about(
               err, "parent", parent->position,
               "parent: %s has no operands; it may be blocked, nvidia_mma, amd_mfma or amd_wmma",
               parent->type->name);
}

static int operand_rank(const struct lw_encoding *encoding, const struct lw_tensor *tensor)
{
    int rank = tensor->rank < 0 ? lw_distributed_rank(encoding) : tensor->rank;
    return rank < 0 ? 2 : rank;
}

static bool check_operand(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                          struct lw_error *err)
{
    int rank = operand_rank(encoding, tensor), parent_rank = lw_distributed_rank(encoding);
    if (parent_rank >= 0 && parent_rank != rank)
        return lw_refuse(err, encoding, "parent", "it is for %d dims, but the tensor has %d",
                         parent_rank, rank);
    if (rank < 2)
        return lw_refuse(err, encoding, "parent", "an operand needs at least 2 dims");
    return parent_of(encoding)->check(encoding, lw_encoding_integer(encoding, "kWidth"), err);
}

static bool build_operand_of(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                             struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    struct operand operand = {.parent = lw_encoding_nested(encoding, "parent"),
                              .tensor = tensor,
                              .rank = operand_rank(encoding, tensor),
                              .op = (int)lw_encoding_integer(encoding, "opIdx"),
                              .width = lw_encoding_integer(encoding, "kWidth")};
    operand.k = operand.op == 0 ? operand.rank - 1 : operand.rank - 2;
    operand.other = operand.op == 0 ? operand.rank - 2 : operand.rank - 1;
    operand.k_size = tensor->rank < 0 ? 0 : tensor->shape[operand.k];
    matrix_order(operand.rank, operand.op == 0, operand.order);
    matrix_order(operand.rank, true, operand.normal);
    lw_integers(operand.parent, "warpsPerCTA", operand.warps);
    lw_tile_begin(&tile, err);
    return parent_of(encoding)->build(&operand, &tile, map);
}

const struct lw_encoding_type lw_encoding_dot_op = {
    .name = "dot_op",
    .dialect = "ttg",
    .title = "matrix operands",
    .about = "How the operands a and b of a matrix product lie in registers: kWidth neighbouring "
             "elements along k are in one lane. Warps that need the same rows hold copies.",
    .example = "tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = "
               "2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}>>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, operand_params, check_operand, build_operand_of),
    .nested_tensor = nested_tensor,
};
