#ifndef LANEWAY_CONVERSION_H
#define LANEWAY_CONVERSION_H

/*
 * CONVERSIONS: what moves when a tensor goes from one layout in registers to another.
 *
 *     from.invertAndCompose(to): (register, lane, warp, block) -> (register, lane, warp, block)
 *
 * says where the element of a place goes, and to.invertAndCompose(from) where a place takes its element
 * from; when an element has several owners, the least. Both are linear, so the bases say it all:
 *
 *     A   lane=1 -> 1, lane=2 -> 2, register=1 -> 4        4 lanes, 2 registers, 8 elements
 *     B   lane=1 -> 1, lane=2 -> 4, register=1 -> 2
 *
 *     B's lane=1 takes from A's lane=1, lane=2 from register=1, register=1 from lane=2
 *
 * A register's bit and a lane's change places: half of the registers cross to another lane, which is one
 * warp shuffle. What is the identity on blocks, warps and lanes, in that order, need not leave them:
 *
 *     none         the two are one layout
 *     registers    every element stays in its lane: a renaming
 *     shuffle      every element stays in its warp, and one exchange of a register's bit for a lane's at
 *                  most is needed
 *     shared       through shared memory, in rounds, with a swizzle made for this pair
 *     blocks       through the shared memory of other blocks; no rule says at what cost
 *
 * Source: Triton's lowering of convert_layout (releases 3.6 and 3.7), checked against compiled kernels and
 * their counters; the paper arXiv 2505.23819, section on code generation.
 */

#include "laneway/plan.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum lw_conversion_kind {
    LW_CONVERSION_NONE,
    LW_CONVERSION_REGISTERS,
    LW_CONVERSION_SHUFFLE,
    LW_CONVERSION_SHARED,
    LW_CONVERSION_BLOCKS
};

/* "none", "registers", "shuffle", "shared", "blocks" */
const char *lw_conversion_kind_name(enum lw_conversion_kind kind);

/* ---- Shuffles ---- */

/*
 * The bits of a place (those of the register number, then those of the lane number) are permuted. That
 * permutation is taken apart: first registers are renamed, then lanes permuted, then `swaps` register bits
 * change places with lane bits. Only up to one swap is done by shuffles.
 */
struct lw_shuffle {
    int register_bits, lane_bits;       /* of both layouts, the longer one's */
    int swaps;                          /* register bits that change places with lane bits */
    bool lanes_permuted;                /* beyond the swaps */
    int pack;                           /* log2 of the registers that go in one 32-bit value */
    unsigned words;                     /* 32-bit values of one register: 2 for 64-bit elements */
    unsigned char to[LW_BITS_MAX];      /* bit of from's place -> bit of to's place */
    unsigned char lane_to[LW_BITS_MAX]; /* the part that permutes lanes */
    unsigned char swap_register[LW_BITS_MAX], swap_lane[LW_BITS_MAX]; /* which bits change places */
    int swap_round; /* of one swap, with lanes permuted: the bit of a round's number that takes part in it */
};

/* Which lane a lane takes its value from in a round (from 0, below the conversion's rounds). */
uint64_t lw_shuffle_source(const struct lw_shuffle *shuffle, uint64_t round, uint64_t lane);

/* ---- Through shared memory ---- */

enum lw_exchange_op { LW_EXCHANGE_PLAIN, LW_EXCHANGE_MATRIX, LW_EXCHANGE_TRANSPOSED };

/* How the bits of the offset are laid out, low to high, and which instructions are used. */
struct lw_exchange {
    enum lw_exchange_op store, load;
    int vector;  /* log2 of the elements that are kept together */
    int bank;    /* bits that pick a bank */
    int segment; /* bits that pick one of the rows of 128 bytes, whatever the target */
    int rounds;  /* log2: the tensor goes through in so many parts, over the same bytes */
};

/* ---- Conversions ---- */

struct lw_conversion_request {
    const struct lw_map *from, *to;
    unsigned element_bits;
    enum lw_plan_stage stage;
    bool to_global;                     /* as of a plan */
    const struct lw_hardware *hardware; /* NULL: the usual */
};

struct lw_conversion {
    struct lw_conversion_request request;
    enum lw_conversion_kind kind;
    struct lw_layout from, to; /* with the dims register, lane, warp and block */
    struct lw_layout map;      /* from's place -> to's place */
    struct lw_layout source;   /* to's place -> the place of from that it takes its element from */
    uint64_t shuffles;         /* in the code of one warp */
    uint64_t
        rounds; /* of the trip through shared memory, or of the shuffles; 0: none. In one of the
                        latter each lane sends one value of 32 or of 64 bits */
    uint64_t shared_bytes; /* allocated */
    struct lw_shuffle
        shuffle; /* SHUFFLE; also SHARED where no element leaves its warp, with its swaps */
    /* Of LW_CONVERSION_SHARED alone, else all zeros: */
    struct lw_exchange exchange;
    struct lw_layout memory;                      /* (offset, round) -> tensor: the swizzle */
    struct lw_plan_total store_total, load_total; /* over all warps and all rounds */
    struct lw_plan store, load;                   /* of the first round */
    struct lw_plan
        last_load; /* of the last one, where a predicated tail makes it another; else no parts */
    /* What bit i of a round's number adds to the register numbers of the first round. */
    uint64_t store_round[LW_BITS_MAX], load_round[LW_BITS_MAX];
};

/* Fails when the layouts are not of one tensor or not linear, with the size in the way, and when one of
 * them is not in registers, leaves elements out or has 2^64 places. On failure there is nothing to free. */
bool lw_conversion_make(struct lw_conversion *conversion,
                        const struct lw_conversion_request *request, struct lw_error *err);
void lw_conversion_free(struct lw_conversion *conversion);
/* The same without the cost, in little time: from, to, map, source, and as `kind` the slowest dim that elements
 * leave, LW_CONVERSION_SHUFFLE for lanes. There is nothing to free. */
bool lw_conversion_trace(struct lw_conversion *conversion,
                         const struct lw_conversion_request *request, struct lw_error *err);
/* The instructions of LW_ACCESS_STORE or LW_ACCESS_LOAD on shared memory: how many there are over all warps
 * and rounds, and one of them: those of the first round, warp after warp, then of the next one, ... */
uint64_t lw_conversion_count(const struct lw_conversion *conversion, enum lw_access_op op);
void lw_conversion_instruction(const struct lw_conversion *conversion, enum lw_access_op op,
                               uint64_t i, struct lw_instruction *out);

/* ---- How far elements move ---- */

/* How far a place is from the one that it takes its element from: the slowest dim that differs. */
enum lw_far { LW_FAR_STAYS, LW_FAR_REGISTER, LW_FAR_LANE, LW_FAR_WARP, LW_FAR_BLOCK, LW_FAR_COUNT };

struct lw_movement {
    uint64_t places; /* of the second layout, those that hold an element */
    uint64_t far[LW_FAR_COUNT];
};

/* By the conversion's `source`, in closed form. */
void lw_conversion_movement(const struct lw_conversion *conversion, struct lw_movement *movement);
/* Of any two maps in registers, also those that are not linear, place by place: each takes its element from
 * the nearest place that has it. Fails when an element is nowhere, and over 2^22 places. */
bool lw_movement_count(struct lw_movement *movement, const struct lw_map *from,
                       const struct lw_map *to, uint64_t lanes, struct lw_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
