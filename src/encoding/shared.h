#ifndef LANEWAY_SHARED_H
#define LANEWAY_SHARED_H

/* What the encodings of shared memory have in common. */

#include "encoding/cga.h"

#define LW_SWIZZLE_PARAM(NAME, HELP)                                                               \
    {                                                                                              \
        .name = NAME, .type = LW_PARAM_INTEGER, .rules = LW_RULE_POWER_OF_TWO, .min = 1,           \
        .max = INT32_MAX, .help = HELP                                                             \
    }

#define LW_SWIZZLE_PARAMS                                                                          \
    LW_SWIZZLE_PARAM("vec", "elements that move together"),                                        \
        LW_SWIZZLE_PARAM("perPhase", "rows in a row that have the same phase"),                    \
        LW_SWIZZLE_PARAM("maxPhase", "how many phases there are; 1: no swizzle"),                  \
        {.name = "order",                                                                          \
         .type = LW_PARAM_INTEGERS,                                                                \
         .rules = LW_RULE_RANK | LW_RULE_PERMUTATION,                                              \
         .fallback = LW_DEFAULT_DESCENDING,                                                        \
         .help = "the dims from the one that varies fastest; the first two are columns and rows"}, \
        LW_CGA_PARAMS

struct lw_swizzle {
    uint64_t vec, per_phase, max_phase;
};

/* The columns that a row (a power of two) is xored with, below `cols`. */
typedef uint64_t lw_swizzle_function(const struct lw_swizzle *swizzle, uint64_t row, uint64_t cols);

/* Reports the missing shape. False when it is missing. */
bool lw_check_shape_said(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         struct lw_report *report);
void lw_check_swizzled(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_report *report);
/* Appends `rows` rows of `cols` columns, side by side in memory, each with its swizzle. */
void lw_add_swizzled_rows(struct lw_tile *tile, const struct lw_encoding *encoding, int row_dim,
                          int col_dim, uint64_t rows, uint64_t cols, lw_swizzle_function *function);
/* `per_block`: rows and columns are those of one block's part; else of the whole tensor. */
bool lw_build_swizzled(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       bool per_block, lw_swizzle_function *function, struct lw_map *map,
                       struct lw_error *err);

#endif
