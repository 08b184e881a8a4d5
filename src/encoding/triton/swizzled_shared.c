/* swizzled_shared and amd_rotating_shared: rows of shared memory, their columns xored. Source:
 * SwizzledSharedEncodingAttr and AMDRotatingSharedEncodingAttr of Triton 3.7. */

#include "encoding/triton/cga.h"
#include "encoding/triton/shared.h"
#include "encoding/schema/types.h"

static const struct lw_param params[] = {
    LW_SWIZZLE_PARAMS,
    {.name = "hasLeadingOffset",
     .type = LW_PARAM_BOOLEAN,
     .fallback = LW_DEFAULT_ABSENT,
     .help = "true for what is nvmma_shared today: cut into columns as wide as the swizzle (before "
             "Triton 3.3)"},
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
    struct lw_phases phases = lw_encoding_phases(encoding);
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

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    return lw_check_swizzled(encoding, tensor, err) &&
           (!is_leading(encoding, tensor) || check_leading(encoding, tensor, err));
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    if (is_leading(encoding, tensor))
        return build_leading(encoding, tensor, map, err);
    return lw_build_swizzled(encoding, tensor, true, lw_phase_of_row, map, err);
}

const struct lw_encoding_type lw_encoding_swizzled_shared = {
    .name = "swizzled_shared",
    .dialect = "ttg",
    .title = "swizzled rows",
    .about = "A tensor in shared memory, row after row, with the columns of each row permuted so "
             "that both a row and a column can be read without bank conflicts. Elements move in "
             "groups of `vec`; group g of row r goes where group g xor phase would be without a "
             "swizzle; the "
             "phase is (r / perPhase) mod maxPhase. With maxPhase = 1 nothing is swizzled.",
    .example = "!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "
               "order = [1, 0]}>, #smem>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_SHARED, params, check, build),
};

/* ---- amd_rotating_shared: the same rows, but the phases rotate from one group of rows to the next ---- */

static const struct lw_param rotating_params[] = {LW_SWIZZLE_PARAMS};

static bool build_rotating(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                           struct lw_map *map, struct lw_error *err)
{
    return lw_build_swizzled(encoding, tensor, false, lw_phase_rotating, map, err);
}

const struct lw_encoding_type lw_encoding_amd_rotating_shared = {
    .name = "amd_rotating_shared",
    .dialect = "ttg",
    .title = "swizzled rows, the phases rotating",
    .about =
        "A tensor in shared memory as with swizzled_shared, but after each perPhase x maxPhase "
        "rows the phases are xored with the number of that group of rows. So rows that had "
        "the same phase differ too, which AMD's wider waves need when they write along rows "
        "and read along columns.",
    .example = "!ttg.memdesc<64x64xf16, #ttg.amd_rotating_shared<{vec = 4, perPhase = 1, maxPhase "
               "= 16, order = [1, 0]}>, #smem>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_SHARED, rotating_params, lw_check_swizzled, build_rotating),
};
