#ifndef LANEWAY_SHARED_H
#define LANEWAY_SHARED_H

/* What the encodings of shared memory have in common. */

#include "encoding/memory_tile.h"
#include "encoding/triton/cga.h"

#define LW_SWIZZLE_PARAM(NAME, HELP)                                                               \
    {                                                                                              \
        .name = NAME, .type = LW_PARAM_INTEGER, .rules = LW_RULE_POWER_OF_TWO, .min = 1,           \
        .max = INT32_MAX, .help = HELP                                                             \
    }

#define LW_SWIZZLE_PARAMS                                                                          \
    LW_SWIZZLE_PARAM("vec", "elements that move together"),                                        \
        LW_SWIZZLE_PARAM("perPhase", "consecutive rows that have the same phase"),                 \
        LW_SWIZZLE_PARAM("maxPhase", "how many phases there are; 1: no swizzle"),                  \
        {.name = "order",                                                                          \
         .type = LW_PARAM_INTEGERS,                                                                \
         .rules = LW_RULE_RANK | LW_RULE_PERMUTATION,                                              \
         .fallback = LW_DEFAULT_DESCENDING,                                                        \
         .help = "the dims from the one that varies fastest; the first two are columns and rows"}, \
        LW_CGA_PARAMS

/* vec, perPhase and maxPhase. */
struct lw_phases lw_encoding_phases(const struct lw_encoding *encoding);
/* Whether the tensor has a shape. */
bool lw_check_shape_is_set(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                           struct lw_error *err);
bool lw_check_swizzled(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_error *err);
/* `per_block`: rows and columns are those of one block's part; else of the whole tensor. */
bool lw_build_swizzled(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       bool per_block, lw_phase_function *function, struct lw_map *map,
                       struct lw_error *err);

#endif
