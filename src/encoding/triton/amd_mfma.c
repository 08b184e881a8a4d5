/* amd_mfma: results of the matrix instructions of CDNA. Source: AMDMfmaEncodingAttr of Triton
 * 3.7. */

#include "encoding/triton/mma.h"
#include "encoding/schema/types.h"

#include <string.h>

static const int64_t widths[] = {32, 64};

static const struct lw_param params[] = {
    {.name = "version",
     .type = LW_PARAM_INTEGER,
     .max = 4,
     .fallback = LW_DEFAULT_ABSENT,
     .help = "the generation: 1 (gfx908), 2 (gfx90a), 3 (gfx942), 4 (gfx950); the layout is the "
             "same"},
    LW_WARPS_PARAM,
    {.name = "instrShape",
     LW_POWERS_OF_TWO(0),
     .help = "m, n and (since Triton 3.6) k of the instruction: [32, 32, 8], [16, 16, 16]"},
    {.name = "isTransposed",
     .type = LW_PARAM_BOOLEAN,
     .fallback = LW_DEFAULT_NUMBER,
     .help = "whether a lane's registers go along n, as of the transposed product"},
    LW_CGA_PARAMS,
    {.name = "tilesPerWarp",
     LW_POWERS_OF_TWO(LW_RULE_RANK | LW_RULE_SILENT),
     .fallback = LW_DEFAULT_ABSENT,
     .silent = 1,
     .help = "tiles along each dim that a warp has side by side; without it one"},
    {.name = "elementBitWidth",
     .type = LW_PARAM_INTEGER,
     .rules = LW_RULE_SILENT,
     .choices = widths,
     .choice_count = LW_COUNT(widths),
     .fallback = LW_DEFAULT_NUMBER,
     .number = 32,
     .silent = 32,
     .since = LW_TRITON_3_6,
     .help = "bits of the result's elements: 64 for the f64 instructions, else 32"},
    {.name = "versionMajor",
     .type = LW_PARAM_INTEGER,
     .max = 4,
     .fallback = LW_DEFAULT_ABSENT,
     .until = LW_TRITON_3_5,
     .help = "the version (before Triton 3.5)"},
    {.name = "versionMinor",
     .type = LW_PARAM_INTEGER,
     .max = 9,
     .fallback = LW_DEFAULT_ABSENT,
     .until = LW_TRITON_3_5,
     .help = "always 0 (before Triton 3.5)"},
    {.name = "elementType",
     .type = LW_PARAM_STRING,
     .fallback = LW_DEFAULT_ABSENT,
     .until = LW_TRITON_3_5,
     .help = "f64, f32 or i32 (before Triton 3.6): now elementBitWidth"},
};

void lw_amd_tiles(const struct lw_encoding *encoding, int rank, int64_t *tiles)
{
    if (lw_integers(encoding, "tilesPerWarp", tiles))
        return;
    for (int i = 0; i < rank; i++)
        tiles[i] = 1;
}

static bool is_double(const struct lw_encoding *encoding)
{
    const struct lw_value *type = lw_encoding_value(encoding, "elementType");
    return lw_encoding_integer(encoding, "elementBitWidth") == 64 ||
           (type && !strcmp(type->string, "f64"));
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

static bool is_tile(int64_t m, int64_t n)
{
    return (m == n && (m == 32 || m == 16 || m == 4)) || (m == 64 && n == 4) || (m == 4 && n == 64);
}

/* Only the result of a 64 x 4 instruction must be transposed: the parent of an operand, which has no shape here, is not
 * checked. */
static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    int64_t instr[LW_RANK_MAX];
    int rank = lw_schema_rank(encoding, tensor), count = lw_integers(encoding, "instrShape", instr);
    if (!lw_check_matrix_rank(encoding, rank, err) || !lw_cga_check(encoding, rank, err) ||
        !check_old(encoding, err))
        return false;
    if (count != 2 && count != 3)
        return lw_refuse(err, encoding, "instrShape", "%d entries: must be m, n and optionally k",
                         count);
    if (!is_tile(instr[0], instr[1]))
        return lw_refuse(err, encoding, "instrShape",
                         "m x n must be 32 x 32, 16 x 16, 4 x 4, 64 x 4 or 4 x 64");
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

void lw_tile_amd_warps(struct lw_tile *tile, const struct lw_encoding *encoding,
                       const struct lw_tensor *tensor, int rank, int64_t tile_n)
{
    int64_t warps[LW_RANK_MAX], tiles[LW_RANK_MAX];
    int m = rank - 2, n = rank - 1;
    lw_integers(encoding, "warpsPerCTA", warps);
    lw_amd_tiles(encoding, rank, tiles);
    uint64_t wide = (uint64_t)(tile_n * warps[n] * tiles[n]);
    lw_tile_identity(tile, (uint64_t)tiles[n], "register", n);
    lw_tile_identity(tile, (uint64_t)warps[n], "warp", n);
    lw_tile_identity(tile, tensor->rank < 0 ? 0 : tensor->shape[n] / wide, "register", n);
    lw_tile_identity(tile, (uint64_t)tiles[m], "register", m);
    lw_tile_identity(tile, (uint64_t)warps[m], "warp", m);
    if (rank == 3)
        lw_tile_identity(tile, (uint64_t)warps[0], "warp", 0);
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    int64_t instr[LW_RANK_MAX];
    int rank = lw_schema_rank(encoding, tensor), m = rank - 2, n = rank - 1;
    int64_t nm[2] = {n, m};
    lw_integers(encoding, "instrShape", instr);
    int64_t height = is_double(encoding) ? 1 : 4;
    int64_t repeat = instr[0] * instr[1] / (64 * height);
    lw_tile_begin(&tile, err);
    if (lw_encoding_boolean(encoding, "isTransposed"))
        add_tile(&tile, instr[0], height, repeat, m, n);
    else
        add_tile(&tile, instr[1], height, repeat, n, m);
    lw_tile_outs(&tile, nm, 2);
    lw_tile_amd_warps(&tile, encoding, tensor, rank, instr[1]);
    return lw_combine_cga(&tile, encoding, tensor, rank, map);
}

const struct lw_encoding_type lw_encoding_amd_mfma = {
    .name = "amd_mfma",
    .dialect = "ttg",
    .title = "AMD CDNA matrix results",
    .about = "How a wave of 64 lanes holds the result of an mfma instruction. Each lane has groups "
             "of 4 neighbouring elements of a column; 32 (or 16) lanes side by side make the "
             "columns, and the other lanes hold the next groups below. Transposed, rows and "
             "columns are exchanged, so that a lane's elements lie side by side in a row.",
    .example = "tensor<64x64xf32, #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = "
               "[32, 32, 8], isTransposed = true}>>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, params, check, build),
};
