/* amd_wmma: results of the matrix instructions of RDNA and gfx1250. Source: AMDWmmaEncodingAttr of
 * Triton 3.7 to 3.9. */

#include "encoding/triton/linear_bases.h"
#include "encoding/triton/mma.h"
#include "encoding/schema/types.h"

#include <string.h>

static const struct lw_param params[] = {
    {.name = "version",
     .type = LW_PARAM_INTEGER,
     .min = 1,
     .max = 3,
     .fallback = LW_DEFAULT_NUMBER,
     .number = 1,
     .help = "1 (RDNA 3, gfx11), 2 (RDNA 4, gfx12), 3 (gfx1250)"},
    {.name = "isTranspose",
     .type = LW_PARAM_BOOLEAN,
     .fallback = LW_DEFAULT_NUMBER,
     .help = "whether a lane's registers go along n instead of m"},
    {.name = "ctaLayout",
     .type = LW_PARAM_NAMED_BASES,
     .max = LW_NUMBER_MAX,
     .fallback = LW_DEFAULT_ABSENT,
     .since = LW_TRITON_3_7,
     .help = "which tile each warp has, and which more in registers, as bases: {warp = [[0, 1], "
             "[1, 0]]}"},
    {.name = "warpsPerCTA",
     LW_POWERS_OF_TWO(LW_RULE_RANK),
     .fallback = LW_DEFAULT_ABSENT,
     .until = LW_TRITON_3_6,
     .help = "warps along each dim (before Triton 3.7)"},
    {.name = "tilesPerWarp",
     LW_POWERS_OF_TWO(LW_RULE_RANK | LW_RULE_SILENT),
     .fallback = LW_DEFAULT_ABSENT,
     .silent = 1,
     .since = LW_TRITON_3_6,
     .until = LW_TRITON_3_6,
     .help = "tiles along each dim that a warp has side by side (Triton 3.6): today they are "
             "registers of ctaLayout"},
    LW_CGA_PARAMS,
    {.name = "instrShape",
     LW_POWERS_OF_TWO(LW_RULE_SILENT),
     .fallback = LW_DEFAULT_ABSENT,
     .silent = 16,
     .silent_count = 3,
     .help = "m, n and k of the instruction; default [16, 16, 16]; m is 16, since Triton 3.8 also "
             "32"},
    {.name = "rank",
     .type = LW_PARAM_INTEGER,
     .min = 2,
     .max = 3,
     .fallback = LW_DEFAULT_ABSENT,
     .since = LW_TRITON_3_7,
     .help = "the number of dims, where no basis gives it"},
};

void lw_wmma_shape(const struct lw_encoding *encoding, int64_t mnk[3])
{
    int64_t sizes[LW_RANK_MAX];
    mnk[0] = mnk[1] = mnk[2] = 16;
    if (lw_integers(encoding, "instrShape", sizes) == 3)
        memcpy(mnk, sizes, 3 * sizeof *mnk);
}

/* The count of numbers in the bases of ctaLayout; -1 when there are none. */
static int bases_rank(const struct lw_value *layout)
{
    for (size_t i = 0; layout && i < layout->count; i++)
        if (layout->items[i].count)
            return (int)layout->items[i].items[0].count;
    return -1;
}

static int rank_of(const struct lw_encoding *encoding, const struct lw_tensor *tensor)
{
    int rank = lw_schema_rank(encoding, tensor);
    if (rank < 0)
        rank = bases_rank(lw_encoding_value(encoding, "ctaLayout"));
    if (rank < 0)
        rank = (int)lw_encoding_integer(encoding, "rank");
    return rank > 0 ? rank : 2;
}

static const struct lw_value *bases_named(const struct lw_value *layout, const char *name)
{
    for (size_t i = 0; layout && i < layout->count; i++)
        if (!strcmp(layout->names[i], name))
            return &layout->items[i];
    return NULL;
}

static bool layout_of_cta(const struct lw_value *layout, int rank, struct lw_layout *out,
                          struct lw_error *err)
{
    static const char *const names[] = {"register", "warp"};
    const struct lw_value *lists[] = {bases_named(layout, "register"), bases_named(layout, "warp")};
    return lw_layout_of_bases(names, lists, 2, rank, out, err);
}

bool lw_wmma_warps(const struct lw_encoding *encoding, int rank, struct lw_layout *out,
                   struct lw_error *err)
{
    struct lw_tile tile;
    int64_t warps[LW_RANK_MAX], order[LW_RANK_MAX];
    if (!lw_encoding_is_set(encoding, "warpsPerCTA"))
        return layout_of_cta(lw_encoding_value(encoding, "ctaLayout"), rank, out, err);
    lw_integers(encoding, "warpsPerCTA", warps);
    lw_matrix_order(rank, true, order);
    lw_tile_begin(&tile, err);
    lw_tile_identity(&tile, 1, "register", rank - 1);
    lw_tile_ordered(&tile, "warp", warps, order, rank);
    lw_tile_standard_outs(&tile, rank);
    *out = tile.layout;
    return !tile.failed;
}

static bool check_names(const struct lw_encoding *encoding, int rank, struct lw_error *err)
{
    const struct lw_value *layout = lw_encoding_value(encoding, "ctaLayout");
    for (size_t i = 0; layout && i < layout->count; i++) {
        const struct lw_value *list = &layout->items[i];
        if (strcmp(layout->names[i], "register") && strcmp(layout->names[i], "warp"))
            return lw_refuse(err, encoding, "ctaLayout",
                             "'%.24s' is not a dim of it: it has register and warp",
                             layout->names[i]);
        if (list->count && list->items[0].count != (size_t)rank)
            return lw_refuse(err, encoding, "ctaLayout",
                             "the bases of %s have %zu numbers, but there are %d dims",
                             layout->names[i], list->items[0].count, rank);
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
    if (!check_names(encoding, rank, err))
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
    lw_wmma_shape(encoding, mnk);
    if ((!set || lw_integers(encoding, "instrShape", sizes) == 3) && mnk[1] == 16 &&
        ((mnk[0] == 16 && has_k(&instructions[version - 1], mnk[2])) ||
         (tall && mnk[0] == 32 && has_k(&instructions[version], mnk[2]))))
        return true;
    const char *legal = instructions[tall ? version : version - 1].legal_texts;
    return (set ? lw_refuse : lw_refuse_missing)(err, encoding, "instrShape", "version %lld has %s",
                                                 (long long)version, legal);
}

/* Before 3.8 Triton lays out whole tiles only; a dim of size 1 is a dim that was reduced. (toLinearLayout) */
static bool check_tiles(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        int rank, struct lw_error *err)
{
    for (int d = rank - 2; d < tensor->rank && !lw_encoding_since(encoding, LW_TRITON_3_8); d++)
        if (tensor->shape[d] > 1 && tensor->shape[d] < 16)
            return lw_refuse_shape(err, tensor,
                                   "dim %d must be 1 or at least 16, the side of a tile", d);
    return true;
}

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    int rank = rank_of(encoding, tensor);
    if (!lw_check_matrix_rank(encoding, rank, err))
        return false;
    if (lw_encoding_is_set(encoding, "rank") && lw_encoding_integer(encoding, "rank") != rank)
        return lw_refuse(err, encoding, "rank", "there are %d dims", rank);
    return lw_cga_check(encoding, rank, err) && lw_check_wmma_warps(encoding, rank, err) &&
           check_instruction(encoding, err) && check_tiles(encoding, tensor, rank, err);
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    struct lw_layout warps;
    int64_t order[LW_RANK_MAX], mnk[3];
    int rank = rank_of(encoding, tensor);
    bool first = lw_encoding_integer(encoding, "version") == 1;
    if (!lw_wmma_warps(encoding, rank, &warps, err))
        return false;
    lw_matrix_order(rank, !lw_encoding_boolean(encoding, "isTranspose"), order);
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
    lw_wmma_shape(encoding, mnk);
    lw_tile_identity(&tile, (uint64_t)mnk[0] / 16, "register", rows);
    lw_matrix_order(rank, true, order);
    if (lw_encoding_is_set(encoding, "warpsPerCTA") && lw_encoding_since(encoding, LW_TRITON_3_6)) {
        lw_tile_outs(&tile, order, rank);
        lw_tile_amd_warps(&tile, encoding, tensor, rank, mnk[1]);
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
    .about = "How a wave of 32 lanes holds the 16 x 16 result of a wmma instruction: 16 lanes make "
             "the columns and each has 8 rows of one. In version 1 the two halves of the wave take "
             "even and odd rows; from version 2 on the upper and the lower eight.",
    .example = "tensor<32x32xf32, #ttg.amd_wmma<{version = 2, isTranspose = false, ctaLayout = "
               "{warp = [[0, 1], [1, 0]]}}>>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, params, check, build),
};
