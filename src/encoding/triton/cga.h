#ifndef LANEWAY_CGA_H
#define LANEWAY_CGA_H

/*
 * How the blocks of a cluster (a CGA) share a tensor.
 *
 * There are two notations. Bases, as Triton prints since 3.6: CGALayout = [[0, 1], [0, 0]]
 * means that bit 0 of the block number moves one tile along dim 1 and bit 1 moves nowhere (a copy).
 * Before: CTAsPerCGA = [1, 4], CTASplitNum = [1, 2], CTAOrder = [1, 0] means that of 4 blocks
 * along dim 1, 2 have different parts and the rest copies.
 */

#include "encoding/schema/schema.h"
#include "core/tile.h"

/* A row that is a list of powers of two. */
#define LW_POWERS(NAME, RULES, HELP, ...)                                                          \
    LW_ROW(NAME, LW_PARAM_INTEGERS, HELP, .rules = (RULES) | LW_RULE_POWER_OF_TWO, .min = 1,       \
           .max = 65536, __VA_ARGS__)

/* The rows of a parameter table. */
#define LW_CGA_PARAMS                                                                              \
    LW_ROW("CGALayout", LW_PARAM_BASES,                                                            \
           "for each bit of the block number, how many tiles it moves along each dim; "            \
           "zeros: a copy",                                                                        \
           .rules = LW_RULE_RANK | LW_RULE_SILENT, .max = LW_NUMBER_MAX,                           \
           .fallback = LW_DEFAULT_ABSENT, .since = LW_TRITON_3_6),                                 \
        LW_POWERS("CTAsPerCGA", LW_RULE_RANK,                                                      \
                  "blocks of the cluster along each dim (before Triton 3.6)",                      \
                  .fallback = LW_DEFAULT_ABSENT, .until = LW_TRITON_3_5),                          \
        LW_POWERS("CTASplitNum", LW_RULE_RANK,                                                     \
                  "of those, how many have a part of their own; the rest hold copies",             \
                  .fallback = LW_DEFAULT_ABSENT, .until = LW_TRITON_3_5),                          \
        LW_ROW("CTAOrder", LW_PARAM_INTEGERS,                                                      \
               "the dims along which the block number counts, the fastest first",                  \
               .rules = LW_RULE_RANK | LW_RULE_PERMUTATION, .fallback = LW_DEFAULT_ABSENT,         \
               .until = LW_TRITON_3_5)

/* Checks what the rows cannot express: both notations at once, a split that does not divide, bases
 * that skip a tile. */
bool lw_cga_check(const struct lw_encoding *encoding, int rank, struct lw_error *err);
/* Writes a layout of blocks, as lw_cga_layout makes it, as CGALayout. False where the encoding's
 * version lacks it: the older notation is read, and not written. */
bool lw_cga_set(struct lw_arena *arena, struct lw_encoding *encoding, const struct lw_layout *cga);
/* block -> dim0, dim1, ... in tiles: of `ctas` blocks along each dim `splits` have a part of their own. */
bool lw_cga_of_splits(const int64_t *ctas, const int64_t *splits, const int64_t *order, int rank,
                      struct lw_layout *out, struct lw_error *err);
/* The same by the parameters of an encoding. */
bool lw_cga_layout(const struct lw_encoding *encoding, int rank, struct lw_layout *out,
                   struct lw_error *err);

/*
 * Finishes a layout of one block: grows or shrinks it to its part of the tensor and puts the
 * blocks next to each other. Without a shape the tile is used as it is. (combineCtaCgaWithShape)
 */
bool lw_combine(struct lw_tile *tile, const struct lw_layout *cga, const struct lw_tensor *tensor,
                int rank, enum lw_family family, struct lw_map *map);
/* The same with the CGA of the encoding; one block when it has no such parameters. */
bool lw_combine_cga(struct lw_tile *tile, const struct lw_encoding *encoding,
                    const struct lw_tensor *tensor, int rank, struct lw_map *map);
/* The part of the shape that one block has. (getShapePerCTA) */
void lw_shape_per_block(const struct lw_layout *cga, const struct lw_tensor *tensor,
                        uint64_t *shape);

#endif
