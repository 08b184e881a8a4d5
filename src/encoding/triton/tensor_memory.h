#ifndef LANEWAY_TENSOR_MEMORY_H
#define LANEWAY_TENSOR_MEMORY_H

/* What the two encodings of tensor memory have in common. Before Triton 3.8: (row, col) -> (dim0,
 * dim1), and the blocks of a cluster, by CTASplitM and CTASplitN, are further columns. Since 3.8:
 * (row, col, block) -> (dim0, dim1), with the bases of CGALayout. */

#include "encoding/triton/cga.h"

#define LW_SPLIT_PARAM(NAME, HELP)                                                                 \
    {                                                                                              \
        .name = NAME, .type = LW_PARAM_INTEGER, .rules = LW_RULE_OUTSIDE | LW_RULE_POWER_OF_TWO,   \
        .min = 1, .max = 65536, .fallback = LW_DEFAULT_NUMBER, .number = 1,                        \
        .until = LW_TRITON_3_7, .help = HELP                                                       \
    }

#define LW_SPLIT_PARAMS                                                                            \
    {.name = "CGALayout",                                                                          \
     .type = LW_PARAM_BASES,                                                                       \
     .rules = LW_RULE_OUTSIDE | LW_RULE_SILENT,                                                    \
     .max = LW_NUMBER_MAX,                                                                         \
     .fallback = LW_DEFAULT_ABSENT,                                                                \
     .since = LW_TRITON_3_8,                                                                       \
     .help = "for each bit of the block number, how many parts it moves along each dim; zeros: a " \
             "copy (since Triton 3.8)"},                                                           \
        LW_SPLIT_PARAM("CTASplitM", "blocks of the cluster that share dim 0 (before 3.8)"),        \
        LW_SPLIT_PARAM("CTASplitN", "blocks of the cluster that share dim 1 (before 3.8)")

/* Whether the blocks are a dim of their own: the rules of Triton 3.8, unless the text has CTASplitM or
 * CTASplitN. */
bool lw_has_block_dim(const struct lw_encoding *encoding);
/* The parts of each dim: CTASplitM and CTASplitN, or by CGALayout, whose layout *cga is. */
bool lw_read_splits(const struct lw_encoding *encoding, uint64_t split[2], struct lw_layout *cga,
                    struct lw_error *err);
/* Elements of one block along a dim: one at least, so with more blocks than elements the layout is larger than the
 * tensor. */
uint64_t lw_part_of(uint64_t size, uint64_t blocks);
/* Checks CGALayout: that it is of this version, alone and legal. */
bool lw_check_splits(const struct lw_encoding *encoding, struct lw_error *err);
/* Puts the blocks after a tile: as a dim of their own, or as columns. */
bool lw_combine_blocks(struct lw_tile *tile, const struct lw_encoding *encoding,
                       const struct lw_layout *cga, const uint64_t split[2], struct lw_map *map);
/* Whether the tensor, when its shape is set, is a matrix. */
bool lw_check_two_dims(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_error *err);

#endif
