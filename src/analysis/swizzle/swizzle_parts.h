#ifndef LANEWAY_SWIZZLE_PARTS_H
#define LANEWAY_SWIZZLE_PARTS_H

/* The parts of the search for a swizzle. */

#include "laneway/swizzle.h"

#include "core/subspace.h"

/* ---- swizzle_linear.c: the optimum over linear layouts ---- */

#define LW_VECTOR_BITS 7 /* 16 bytes, in bits */

struct lw_move {
    enum lw_move_kind kind;
    int length;                     /* log2 of the elements of a vector: low bits of the offset */
    uint64_t fixed[LW_VECTOR_BITS]; /* the basis that each bit of the vector must be; 0: any
                                       register */
    int group_count;                /* a basis of what the lanes of a group access, */
    uint64_t group[LW_BITS_MAX];    /* without the vector */
    uint64_t wavefronts;            /* without conflicts, */
    uint64_t instructions;          /* of all warps */
};

#define LW_MOVES_MAX (LW_VECTOR_BITS + 3)

struct lw_linear_side {
    int regs, lanes, warps;
    int zeros;                 /* registers that repeat others, where these are moved too */
    uint64_t reg[LW_BITS_MAX]; /* without zeros */
    uint64_t lane[LW_BITS_MAX], warp[LW_BITS_MAX];
    int move_count;
    struct lw_move move[LW_MOVES_MAX];
};

struct lw_linear_problem {
    struct lw_linear_side side[2]; /* store, load */
    int bits;                      /* of the offset: log2 of the elements */
    int word, line;                /* log2 of the elements of a bank's width and of all banks */
    bool bounded;                  /* the groups of lanes are such that the bound holds */
    unsigned skipped;              /* widths without known groups, a bit each */
};

/* A layout of memory and its expected cost. */
struct lw_linear_solution {
    uint64_t wavefronts, instructions;
    uint64_t basis[LW_BITS_MAX];
};

/* The two layouts have in-dims register, lane and warp, and the same out-dims. One may be NULL: its side then has one
 * move, of cost 0. */
void lw_linear_problem(struct lw_linear_problem *problem, const struct lw_layout *store,
                       const struct lw_layout *load, unsigned element_bits,
                       enum lw_plan_stage stage, const struct lw_bank_model *model);
/* The best layout where the store uses move a and the load move b; false when there is none. */
bool lw_linear_solve(const struct lw_linear_problem *problem, int a, int b,
                     struct lw_linear_solution *solution);
uint64_t lw_linear_bound(const struct lw_linear_problem *problem);

/* ---- swizzle.c: swizzles that have names, and paddings ---- */

#define LW_ORDERS_MAX 24 /* all orders of 4 dims; of more dims only the first ones are tried */

struct lw_candidates {
    struct lw_swizzle *item;
    size_t count, room;
};

/* Lists all named swizzles of a tensor of that shape, the simplest first. */
bool lw_named_candidates(struct lw_candidates *all, const uint64_t *shape, int rank, unsigned bits);
/* Lists paddings, the smallest first. */
bool lw_padding_candidates(struct lw_candidates *all, const uint64_t *shape, int rank,
                           unsigned bits, unsigned line_bytes);
/* Sets *map to the layout of a candidate of this search: (offset, block) -> tensor. Fails with
 * LW_ERROR_SHAPE or LW_ERROR_LIMIT on another candidate that the tensor cannot have. */
bool lw_swizzle_map(const struct lw_swizzle_search *search, const struct lw_swizzle *swizzle,
                    struct lw_map *map, struct lw_error *err);

#endif
