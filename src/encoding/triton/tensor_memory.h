#ifndef LANEWAY_TENSOR_MEMORY_H
#define LANEWAY_TENSOR_MEMORY_H

/* What the two encodings of tensor memory have in common: (row, col) -> (dim0, dim1), and the
 * blocks of a cluster as further columns. */

#include "encoding/schema/schema.h"
#include "core/tile.h"

#define LW_SPLIT_PARAM(NAME, HELP)                                                                 \
    {                                                                                              \
        .name = NAME, .type = LW_PARAM_INTEGER, .rules = LW_RULE_OUTSIDE | LW_RULE_POWER_OF_TWO,   \
        .min = 1, .max = 65536, .fallback = LW_DEFAULT_NUMBER, .number = 1, .help = HELP           \
    }

#define LW_SPLIT_PARAMS                                                                            \
    LW_SPLIT_PARAM("CTASplitM", "blocks of the cluster that share dim 0"),                         \
        LW_SPLIT_PARAM("CTASplitN", "blocks of the cluster that share dim 1")

extern const char *const lw_tensor_memory_dims[2];

/* CTASplitM and CTASplitN. */
void lw_read_splits(const struct lw_encoding *encoding, uint64_t split[2]);
/* Whether the tensor, when its shape is set, is a matrix; else adds the problem. */
bool lw_check_two_dims(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_report *report);

#endif
