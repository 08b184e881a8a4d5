#ifndef LANEWAY_CONVERSION_H
#define LANEWAY_CONVERSION_H

/*
 * CONVERSIONS: what moves when a tensor goes from one layout in registers to another.
 *
 *     from.invertAndCompose(to): (register, lane, warp, block) -> (register, lane, warp, block)
 *
 * maps the hardware index of an element in `from` to its index in `to`, and
 * to.invertAndCompose(from) an index in `to` to the index that its element comes from; when an
 * element has several owners, to the least. Both are linear, so the bases describe them completely:
 *
 *     A   lane=1 -> 1, lane=2 -> 2, register=1 -> 4        4 lanes, 2 registers, 8 elements
 *     B   lane=1 -> 1, lane=2 -> 4, register=1 -> 2
 *
 *     B's lane=1 comes from A's lane=1, lane=2 from register=1, register=1 from lane=2
 *
 * A register bit and a lane bit are exchanged: half of the registers go to another lane, which is
 * one warp shuffle. If the map is the identity on blocks, then warps, then lanes, data need not
 * leave them:
 *
 *     none         the two layouts are equal
 *     registers    every element stays in its lane: registers are renamed
 *     shuffle      every element stays in its warp, and at most one register bit is exchanged with
 *                  a lane bit
 *     shared       through shared memory, in rounds, with a swizzle made for this pair
 *     blocks       through the shared memory of other blocks; the cost is unknown
 *
 * Source: Triton's lowering of convert_layout (releases 3.6 to 3.9), checked against compiled
 * kernels and their counters; the paper arXiv 2505.23819, section on code generation.
 */

#include "laneway/plan.h"

LW_BEGIN

enum lw_conversion_kind { /* the slowest means that a conversion needs, as above */
                          LW_CONVERSION_NONE,
                          LW_CONVERSION_REGISTERS,
                          LW_CONVERSION_SHUFFLE,
                          LW_CONVERSION_SHARED,
                          LW_CONVERSION_BLOCKS
};

/* Its name as above; NULL for a number that is no kind. */
const char *lw_conversion_kind_name(enum lw_conversion_kind kind);

/* ---- Shuffles ---- */

/* A permutation of the bits of a hardware index (those of the register, then those of the lane),
 * decomposed: registers are renamed, lanes are permuted, and `swaps` register bits are exchanged
 * with lane bits. Triton uses shuffles for at most one swap. Source: transferWithinWarp and
 * getWarpLayoutConvertDecomposition of Triton 3.6 to 3.8; kernels that 3.9 compiled. */
struct lw_shuffle {
    int register_bits, lane_bits;       /* the larger of the two layouts' */
    int swaps;                          /* register bits that are exchanged with lane bits */
    bool lanes_permuted;                /* lanes are permuted, apart from the swaps */
    int pack;                           /* log2 of the registers packed in one 32-bit value */
    unsigned words;                     /* 32-bit values of one register: 2 for 64-bit elements */
    unsigned char to[LW_BITS_MAX];      /* bit of the index in `from` -> bit of that in `to` */
    unsigned char lane_to[LW_BITS_MAX]; /* the part that permutes lanes */
    unsigned char swap_register[LW_BITS_MAX], swap_lane[LW_BITS_MAX]; /* the bits of each swap */
    /* The lane bit that bit i of a warp's number selects in the lane that a value comes from: since
     * Triton 3.9, where every warp of `from` holds what the warps of `to` divide. 0: none. */
    uint64_t warp_lanes[LW_BITS_MAX];
};

/* ---- Through shared memory ---- */

/* The swizzle of an exchange: the bits of an offset, from low to high, and the instructions. */
struct lw_exchange {
    enum lw_move_kind store, load;
    int vector;  /* bits within a vector: log2 of the elements that one lane moves at once */
    int bank;    /* bits that select a bank */
    int segment; /* bits that select a row of 128 bytes, on every target */
    int rounds;  /* log2 of the parts in which the tensor goes through the same bytes */
};

/* ---- Conversions ---- */

/* What a conversion is between. The maps are borrowed. */
struct lw_conversion_request {
    const struct lw_map *from, *to;     /* layouts in registers, of one tensor */
    unsigned element_bits;              /* a power of two, 1 to 128 */
    enum lw_plan_stage stage;           /* as of a plan (plan.h) */
    bool to_global, any_cost;           /* as of a plan */
    const struct lw_hardware *hardware; /* NULL: lw_hardware_default */
    enum lw_triton triton;              /* the version whose rules hold */
};

/* A conversion. It owns the plans; free it with lw_conversion_free, and do not copy it. */
struct lw_conversion {
    struct lw_conversion_request request; /* with the hardware in use */
    enum lw_conversion_kind kind;
    bool within_warps; /* SHARED, though no element leaves its warp: shuffles cannot do it */
    struct lw_layout from, to; /* with the dims register, lane, warp and block */
    struct lw_layout map;      /* index in `from` -> index in `to` of the same element */
    struct lw_layout source;   /* index in `to` -> index in `from` that its element comes from */
    uint64_t shuffles;         /* in the code of one warp */
    /* Of the exchange through shared memory, or of the shuffles; 0: none. In a round of shuffles
     * each lane sends one value of 32 or 64 bits. */
    uint64_t rounds;
    uint64_t shared_bytes; /* allocated */
    /* SHUFFLE; also SHARED with two swaps or more. */
    struct lw_shuffle shuffle;
    /* Of LW_CONVERSION_SHARED only, else all zeros: */
    struct lw_exchange exchange;
    struct lw_layout memory;                      /* (offset, round) -> tensor: the swizzle */
    struct lw_plan_total store_total, load_total; /* over all warps and all rounds */
    struct lw_plan store, load;                   /* of the first round */
    /* Of the last round, where a predicated tail makes it differ; else without parts. */
    struct lw_plan last_load;
    /* What bit i of a round's number is xored with into the register numbers of the first round. */
    uint64_t store_round[LW_BITS_MAX], load_round[LW_BITS_MAX];
};

/* Makes a conversion. Fails with LW_ERROR_SHAPE when the layouts are of different tensors; with
 * LW_ERROR_UNSUPPORTED when one is not linear, not in registers or does not cover every element,
 * and when the compiler's rule for the pair is unknown; with LW_ERROR_LIMIT on 2^64 hardware
 * indices. On failure there is nothing to free. */
bool lw_conversion_make(struct lw_conversion *conversion,
                        const struct lw_conversion_request *request, struct lw_error *err);
void lw_conversion_free(struct lw_conversion *conversion); /* frees what it owns */
/* A conversion without its cost, which takes little time: it sets request, from, to, map, source,
 * and `kind` by the slowest dim that elements leave, LW_CONVERSION_SHUFFLE for lanes. There is
 * nothing to free. Fails as lw_conversion_make does. */
bool lw_conversion_trace(struct lw_conversion *conversion,
                         const struct lw_conversion_request *request, struct lw_error *err);
/* Why the cost of an exchange is unknown; NULL: it is known, or there is none. */
const struct lw_error *lw_conversion_unknown(const struct lw_conversion *conversion);

LW_END

#endif
