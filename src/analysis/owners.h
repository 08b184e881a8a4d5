#ifndef LANEWAY_ANALYSIS_OWNERS_H
#define LANEWAY_ANALYSIS_OWNERS_H

/*
 * What a picture of a layout needs to know of its map: owners, vectors and repeats, which elements
 * two layouts own differently, and how memory is swizzled. All of it is computed from the bases, or
 * the digits, of the map; nothing is sampled.
 *
 *     tensor<1024x1024xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8],
 *                                         warpsPerCTA = [4, 1], order = [1, 0]}>>
 *
 * Element (5, 12) is owned by warp 1, lane 9, register 4. A thread has vectors of 8 elements along
 * dim 1. After 16 rows, and after 64 columns, the same lanes of the same warps come again, with
 * other registers:
 *
 *     period 16 x 64: 64 down, register + 128 each; 16 across, register + 8 each
 */

#include "laneway/hardware.h"
#include "laneway/map.h"

/* A register of a thread, such as an owner of an element. */
struct lw_slot {
    uint64_t block, warp, lane, reg; /* reg: the register, in tilus `local` */
    uint64_t thread;                 /* of the block: lane + warp * lanes of a warp */
};

/* The in-dims of a map in registers; -1: it lacks that one. */
struct lw_owner_dims {
    int reg, lane, warp, block, thread; /* reg: register, or local */
    uint64_t lanes;                     /* of a warp: of the dim `lane`, else those given */
};
/* Finds them; a dim `thread` is split into warps of `lanes`, at least 1. Fails with
 * LW_ERROR_UNSUPPORTED when the map is not in registers: its dims are register or local, lane,
 * warp, block, thread (without lane and warp), and others of size 1. */
bool lw_owner_dims_find(struct lw_owner_dims *dims, const struct lw_dims *in, uint64_t lanes,
                        struct lw_error *err);
/* The layout of a linear map in registers, with the in-dims register, lane, warp and block. */
bool lw_register_layout(struct lw_layout *out, const struct lw_map *map, uint64_t lanes,
                        struct lw_error *err);

/* The fields of a hardware index of a map with these dims. */
struct lw_slot lw_slot_at(const struct lw_owner_dims *dims, const uint64_t *in);
/* Sets *slot to owner number k of an element, in the order of lw_map_owner. False when there are
 * not that many owners, and when the map is not in registers. */
bool lw_slot_find(const struct lw_map *map, uint64_t lanes, const uint64_t *out, uint64_t k,
                  struct lw_slot *slot);
/* Sets *slot to the fields of a hardware index. False as above. */
bool lw_slot_of_index(const struct lw_map *map, uint64_t lanes, const uint64_t *in,
                      struct lw_slot *slot);
/* The hardware index of a slot, whose member `thread` is not read. False when the map is not in
 * registers, or has no such index. */
bool lw_slot_index(const struct lw_map *map, uint64_t lanes, const struct lw_slot *slot,
                   uint64_t *in);

/* Fails with LW_ERROR_SHAPE unless both are one tensor, of layouts A and B. */
bool lw_same_tensor(const struct lw_dims *from, const struct lw_dims *to, struct lw_error *err);

/* The elements that lie together in one thread, or in memory: the largest number n such that n
 * neighbours along one dim of the tensor, aligned to n, are n consecutive registers (offsets),
 * aligned to n, everywhere. Sets *along to that dim, -1 when n is 1. A power of two in a linear
 * map; 1 in a table and in a strided map. */
uint64_t lw_map_vector(const struct lw_map *map, int *along);

struct lw_repeat {
    uint64_t period; /* the least number of elements along the dim after which every owner differs
                        in register and block alone; the size of the dim: it does not repeat */
    uint64_t count;  /* how often the period fits in the dim */
    /* What each repeat adds to the register and to the block; both 0: it does not repeat, or not by
     * adding these. */
    uint64_t reg, block;
};

/* Sets *repeat to the repeat along a dim of the tensor, which is in range. Exact for maps in registers that are linear
 * and hold every element, and for such maps in memory, where `reg` is the offset and the period the least one after
 * which it is added; false for others. */
bool lw_map_repeat(const struct lw_map *map, int dim, struct lw_repeat *repeat);
/* How many rows, all dims but the last, or else columns lie together in one warp of one block, from the first on: the
 * least power of two after which another one comes; all of them where it does not divide them, where warps do not
 * differ in them, and of a map that is not in registers. */
uint64_t lw_map_of_warp(const struct lw_map *map, uint64_t lanes, bool rows);
/* Appends how many rows and columns of a tensor are shown, and how they repeat along a dim that is not shown whole:
 * "period 16 x 64: 64 down, register + 128 each; 16 across, register + 8 each", "period 1024: 64 times across, offset
 * + 1024 each". The last dim runs across, all others are the rows: the last of them runs down, others are named. Of
 * all of a tensor "2 x 16 x 1024". */
void lw_map_put_part(struct lw_text *text, const struct lw_map *map, const uint64_t shown[2]);

/* ---- Comparing two layouts of a tensor ----
 *
 * An element differs when its owners in one layout are not exactly its owners in the other.
 * Hardware indices are compared by the names of their dims, so both layouts are in registers or
 * both in memory. Sizes may differ: an element of only one of the tensors differs when it has an
 * owner. Of 1x4 over the lanes 0 1 2 3 and 0 2 1 3, 2 of 4 elements differ.
 */

/* Two layouts, prepared for comparison. A plain value; it borrows the maps. */
struct lw_comparison {
    const struct lw_map *a, *b; /* borrowed */
    int dim_of_a[LW_DIMS_MAX]; /* for each input dim of b, that of a; -1: none, and its size is 1 */
};

/* Prepares a comparison. Fails with LW_ERROR_SHAPE when only one has an in-dim (those of size 1 are
 * ignored), or when the tensors differ in rank. */
bool lw_compare(struct lw_comparison *comparison, const struct lw_map *a, const struct lw_map *b,
                struct lw_error *err);
/* Whether an element, an index of the tensor, has other owners in the two. */
bool lw_compare_element(const struct lw_comparison *comparison, const uint64_t *out);
#define LW_COMPARED_MAX (1 << 18) /* elements and owners that are examined */

/* Counts the elements that differ, and those that have an owner in either, one by one. False: there
 * are more than LW_COMPARED_MAX, and the numbers are those of the first ones. */
bool lw_compare_count(const struct lw_comparison *comparison, uint64_t *differing, uint64_t *held);

/* ---- Shared memory ---- */

/* A line is one word of every bank. A swizzle xors the number of the vector in a line with a number
 * that depends on the line: of 64 columns of f16 with vec = 8, perPhase = 1, maxPhase = 8, line 2
 * has vector 2 where plain memory has vector 0. */
struct lw_memory_lines {
    uint64_t line;   /* elements of a line */
    uint64_t count;  /* lines of the memory, the last one perhaps not full */
    uint64_t vector; /* elements: the unit of the swizzle; without one 16 bytes, at most a line */
    uint64_t period; /* lines after which the xors repeat, a power of two; 1: no swizzle */
};

/* Sets *lines for a map (offset, ...) -> tensor. False when an element of `element_bits` is no
 * part of a line. Where lw_memory_xor fails, `vector` and `period` are those without a swizzle. */
bool lw_memory_lines_of(const struct lw_map *map, unsigned element_bits,
                        const struct lw_bank_model *banks, struct lw_memory_lines *lines);
/* Sets *vectors to what the number of each vector of a line is xored with; 0 in plain memory. False
 * where a line has no such number: vectors leave their line, or a line has several. */
bool lw_memory_xor(const struct lw_map *map, const struct lw_memory_lines *lines, uint64_t line,
                   uint64_t *vectors);

/* The dim of the tensor that varies fastest with the first dim of the map; the last one when none
 * does. */
int lw_minor_dim(const struct lw_map *map);
/* The bits that a swizzle flips at an offset: the offset xored with them is the one without the
 * swizzle. Sets *all to the bits that it flips at any offset, 0 without a swizzle. */
uint64_t lw_swizzle_flips(const struct lw_map *map, uint64_t offset, uint64_t *all);
/* Which of its patterns a swizzle applies at an offset: 0 everywhere in plain memory. */
uint64_t lw_swizzle_phase(const struct lw_map *map, uint64_t offset);
/* Sets *plain to the same memory without its swizzle: each bit of the offset without what it flips. False: the map has
 * no swizzle. */
bool lw_memory_plain(const struct lw_map *map, struct lw_map *plain);

#endif
