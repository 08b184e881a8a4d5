/* shared_linear: shared memory given by its bases. Source: SharedLinearEncodingAttr of Triton
 * 3.7. */

#include "encoding/triton/linear_bases.h"
#include "encoding/schema/types.h"

static const struct lw_param params[] = {
    LW_BASES_PARAM("offset", LW_RULE_RANK, LW_DEFAULT_REQUIRED,
                   "where each bit of the offset (in elements) moves in the tensor"),
    LW_BASES_PARAM("block", LW_RULE_RANK | LW_RULE_SILENT, LW_DEFAULT_ABSENT,
                   "where each bit of the block number moves"),
    {.name = "alignment",
     .type = LW_PARAM_INTEGER,
     .rules = LW_RULE_POWER_OF_TWO | LW_RULE_OUTSIDE,
     .min = 1,
     .max = INT32_MAX,
     .fallback = LW_DEFAULT_NUMBER,
     .number = 16,
     .help = "bytes that its start must be a multiple of"},
};

static void check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_report *report)
{
    struct lw_layout layout;
    if (!lw_check_bases(encoding, lw_shared_dims, 2, tensor, &layout, report))
        return;
    lw_check_sizes(&layout, tensor, report);
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_layout layout;
    if (!lw_read_bases(encoding, lw_shared_dims, 2, lw_schema_rank(encoding, tensor), &layout, err))
        return false;
    lw_map_from_layout(map, &layout);
    return true;
}

const struct lw_encoding_type lw_encoding_shared_linear = {
    .name = "shared_linear",
    .dialect = "ttg",
    .title = "bases in shared memory",
    .about = "A layout in shared memory, written out: for each bit of the offset, how far it moves "
             "in the tensor. Any swizzle can be written this way, also one that no other encoding "
             "has, such as the result of a search for the fewest bank conflicts.",
    .example = "!ttg.memdesc<4x4xf16, #ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 1], [2, "
               "2]]}, alignment = 16>, #smem>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_SHARED, params, check, build),
    .since = LW_TRITON_3_6,
};
