#ifndef LANEWAY_SWIZZLE_H
#define LANEWAY_SWIZZLE_H

/*
 * THE BEST SWIZZLE between a store through registers A and a load through registers B. The layout
 * of the memory between them is free. Three searches find the best, all compared by the two access
 * plans (plan.h): the sum of the wavefronts of store and load counts first, then the number of
 * instructions.
 *
 *   - every swizzled_shared (vec, perPhase, maxPhase, order) and every nvmma_shared that the tensor
 *     allows;
 *   - the optimum over all linear layouts: 2^n elements in any order that is linear over F2;
 *   - the smallest padding that is as good as the best of those, or else the best padding; of
 *     one interval.
 *
 * A warp has a 32 x 32 tile of f32, in A a column a lane, in B a row. Without a swizzle the store
 * takes 32 wavefronts and the load 256; with vec 4, perPhase 1, maxPhase 8 they take 32 each, and
 * no linear layout takes fewer.
 *
 * Where the memory has a larger tensor than the registers, all candidates are layouts of that, and
 * so are the bytes. Linear layouts treat all parts of the memory alike, each aligned to the part's
 * size; of padding the first part is costed. For tensors with over four dims longer than 1 not
 * every order is tried.
 *
 * THE OPTIMUM. The low bits of an offset select an element of the vector that one lane moves at
 * once, the bits above them the bank, the others the row of banks, the segment. Two elements of one
 * access conflict when they differ by an element of the segment's span. So the vector is filled
 * with registers that both sides have, and the segment must be a large space that intersects
 * neither what the lanes of a store access nor what those of a load access; two spaces of one size
 * always have a common complement, so one segment serves both. Where the two sides have no common
 * vector, all ways to fill it are tried, with matrix instructions where they fit.
 *
 * `bound` is a lower bound for linear layouts: a register that only one side has cannot be in the
 * vector of both, and an instruction costs at least one wavefront for each group of lanes. An
 * optimum that has as many wavefronts as the bound is proven, unless the lanes that the hardware
 * serves together are unknown for some width of an access: the bound does not cover those.
 *
 * Source: the paper arXiv 2505.23819, section on optimal swizzling; where its construction leaves
 * one side with more conflicts than needed (sides that access spaces of different size), this one
 * does not.
 */

#include "laneway/encoding.h"
#include "laneway/plan.h"

LW_BEGIN

/* The encoding of a candidate. */
enum lw_swizzle_kind {
    LW_SWIZZLE_SWIZZLED,                /* swizzled_shared; with max_phase 1 no swizzle */
    LW_SWIZZLE_NVMMA,                   /* nvmma_shared */
    LW_SWIZZLE_LINEAR,                  /* shared_linear */
    LW_SWIZZLE_PADDED,                  /* padded_shared */
    LW_SWIZZLE_KINDS,                   /* how many kinds are searched */
    LW_SWIZZLE_GIVEN = LW_SWIZZLE_KINDS /* shared S of the caller (lw_swizzle_judge) */
};

/* A candidate and its cost. A plain value. */
struct lw_swizzle {
    enum lw_swizzle_kind kind;
    uint64_t vec, per_phase, max_phase; /* SWIZZLED */
    int64_t order[LW_DIMS_MAX];         /* SWIZZLED, PADDED: the fastest dim first */
    uint64_t width;                     /* NVMMA: swizzlingByteWidth */
    bool transposed;                    /* NVMMA */
    struct lw_padding padding;          /* PADDED */
    uint64_t bytes;                     /* of shared memory, padding included */
    struct lw_plan_total store, load;   /* of the two plans */
};

/* What is searched. The maps are borrowed while lw_swizzle_begin runs. */
struct lw_swizzle_request {
    /* Registers A and B, of one tensor. One of them may be NULL: there is no such access, the other
     * one alone counts, and the totals of the missing one are 0. */
    const struct lw_map *store, *load;
    /* The memory that there is: candidates have its tensor, of which the registers hold all or the
     * first part (plan.h). NULL: it has that of the registers. */
    const struct lw_map *memory;
    unsigned element_bits;              /* 4, 8, 16, 32, 64 or 128 */
    enum lw_plan_stage stage;           /* as of a plan */
    bool named_only;                    /* swizzled_shared and nvmma_shared only */
    bool no_paddings;                   /* these and linear layouts only */
    const struct lw_hardware *hardware; /* NULL: lw_hardware_default */
    enum lw_triton triton;              /* the version whose rules hold */
};

/* A search runs in steps, so that a program can show its progress and stop it. All members may
 * be read between steps: they are the best so far. It owns memory; free it with lw_swizzle_end,
 * and do not copy it. */
struct lw_swizzle_search {
    struct lw_swizzle_request request;        /* its maps may be gone */
    struct lw_dims registers;                 /* the tensor of the registers, */
    struct lw_dims memory;                    /* and that of the candidates */
    uint64_t done, total;                     /* candidates; it may end before `done` is `total` */
    struct lw_swizzle plain;                  /* row-major without swizzle */
    bool has_plain;                           /* its cost is known */
    uint64_t unknown;                         /* candidates so far whose cost is not known; */
    struct lw_error unknown_because;          /* why, of the first of them */
    bool found[LW_SWIZZLE_KINDS];             /* whether a candidate of each kind was found */
    struct lw_swizzle best[LW_SWIZZLE_KINDS]; /* of each kind that was found */
    struct lw_layout linear; /* of best[LW_SWIZZLE_LINEAR]: offset, block -> tensor */
    uint64_t bound;          /* wavefronts: no linear layout has fewer; 0: unknown */
    /* Widths that the bound does not cover, a bit each: bit w for accesses of 2^w bytes a lane. */
    unsigned bound_skips;
    /* The candidates of swizzled_shared and nvmma_shared so far, the best first. */
    const struct lw_swizzle *ranked;
    uint64_t ranked_count;
    struct lw_swizzle_state *state; /* private */
};

/* Starts a search. Fails with LW_ERROR_UNSUPPORTED when a layout is not linear, not in
 * registers, of several blocks or does not cover every element, on other element_bits, when store
 * and load are both NULL, and when a size of the memory is no power of two; with LW_ERROR_SHAPE on
 * different tensors, and on registers that do not fit into the memory; with the error of the
 * plan of plain rows when that is another one than LW_ERROR_UNSUPPORTED (the cost is unknown), or
 * no candidate has a plan of known cost. Where only plain rows have none, has_plain is false and
 * another is found. On failure there is nothing to free. */
bool lw_swizzle_begin(struct lw_swizzle_search *search, const struct lw_swizzle_request *request,
                      struct lw_error *err);
/* Tries the next candidates, at most `max`; false when all are done. */
bool lw_swizzle_step(struct lw_swizzle_search *search, uint64_t max);
void lw_swizzle_end(struct lw_swizzle_search *search); /* frees what it owns, finished or not */

/* Whether no linear layout at all can have fewer wavefronts than the bound: it is known, covers all
 * widths, and no candidate so far was left out because its cost is unknown. */
bool lw_swizzle_bound_is_proof(const struct lw_swizzle_search *search);
/* The best of all kinds so far: fewest wavefronts, then instructions, then bytes; on a tie the
 * first kind. Owned by the search. */
const struct lw_swizzle *lw_swizzle_best(const struct lw_swizzle_search *search);
uint64_t lw_swizzle_wavefronts(const struct lw_swizzle *swizzle); /* of store and load */
/* Costs a layout of shared memory, shared S of the caller, between the same store and load: sets
 * the kind, the bytes and the totals of *swizzle. Fails as lw_plan_make does when there is no
 * access plan for one of them; the total of that one is then 0, the other one is set. */
bool lw_swizzle_judge(const struct lw_swizzle_search *search, const struct lw_map *memory,
                      struct lw_swizzle *swizzle, struct lw_error *err);
/* The encoding of a candidate, in the arena, which can stand in place of shared S; NULL when memory
 * is out. Not of the kind LW_SWIZZLE_GIVEN. */
struct lw_encoding *lw_swizzle_encoding(struct lw_arena *arena,
                                        const struct lw_swizzle_search *search,
                                        const struct lw_swizzle *swizzle);
/* Appends it as an attribute: "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order =
 * [1, 0]}>". */
void lw_swizzle_print(struct lw_text *text, const struct lw_swizzle_search *search,
                      const struct lw_swizzle *swizzle);
/* Appends a short label: "vec 8, perPhase 1, maxPhase 8", "no swizzle, order [0, 1]", "nvmma 128
 * bytes", "padding [32:+1]: 124 bytes more". The order is left out when the last dim is the
 * fastest. */
void lw_swizzle_label(struct lw_text *text, const struct lw_swizzle_search *search,
                      const struct lw_swizzle *swizzle);

LW_END

#endif
