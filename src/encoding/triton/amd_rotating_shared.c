/* amd_rotating_shared: as swizzled_shared, but the phases rotate from one group of rows to the
 * next. Source: AMDRotatingSharedEncodingAttr of Triton 3.7. */

#include "encoding/triton/shared.h"
#include "encoding/schema/types.h"

static const struct lw_param params[] = {LW_SWIZZLE_PARAMS};

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
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
    LW_ATTRIBUTE_ROW(LW_FAMILY_SHARED, params, lw_check_swizzled, build),
};
