/* swizzled_shared: rows of shared memory, their columns xored. Source: SwizzledSharedEncodingAttr
 * and swizzledSharedToLinearLayout of Triton 3.7. */

#include "encoding/cga.h"
#include "encoding/shared.h"
#include "encoding/types.h"

static const struct lw_param params[] = {LW_SWIZZLE_PARAMS};

static uint64_t swizzle(const struct lw_swizzle *swizzle, uint64_t row, uint64_t cols)
{
    return swizzle->vec * (row / swizzle->per_phase % swizzle->max_phase) % cols;
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    return lw_build_swizzled(encoding, tensor, true, swizzle, map, err);
}

const struct lw_encoding_type lw_encoding_swizzled_shared = {
    .name = "swizzled_shared",
    .dialect = "ttg",
    .title = "Swizzled rows",
    .about = "A tensor in shared memory, row after row, with the columns of each row permuted so "
             "that both a row and a column can be read without bank conflicts. Elements move in "
             "groups of `vec`; group g of row r goes where group g xor phase would stand, and the "
             "phase is (r / perPhase) mod maxPhase. With maxPhase = 1 nothing is swizzled.",
    .example = "!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "
               "order = [1, 0]}>, #smem>",
    .family = LW_FAMILY_SHARED,
    .spelling = LW_SPELLING_ATTRIBUTE,
    .params = params,
    .param_count = LW_COUNT(params),
    .check = lw_check_swizzled,
    .build = build,
};
