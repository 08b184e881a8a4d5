#ifndef LANEWAY_SWIZZLE_H
#define LANEWAY_SWIZZLE_H

/*
 * THE BEST SWIZZLE between a store through one layout in registers and a load through another.
 *
 * A tensor is written to shared memory by threads that hold it one way and read by threads that want it another way. How
 * its elements lie in between is free. Three searches say what is best, all judged by the two access plans: the sum of
 * the wavefronts of store and load counts first, then the count of instructions.
 *
 *   - every swizzled_shared (vec, perPhase, maxPhase, order) and every nvmma_shared that the tensor allows;
 *   - the optimum over all linear layouts: 2^n elements may be laid out in any way that is linear over F2;
 *   - the smallest padding that does as well as the best of those, or else the best padding; of two intervals at
 *     most, or one where the plans of so many candidates would take too long.
 *
 * Of tensors with over four dims longer than 1 not every order is tried.
 *
 * THE OPTIMUM. The low bits of an offset say which elements one lane moves at once (the vector), those above it the bank,
 * the others the row of banks, the segment. Two elements of one access collide when they differ by an element of the
 * segment's span. So the vector is filled with registers that both sides have, and the segment must be a large space that
 * meets neither what the lanes of a store touch nor what those of a load touch; two spaces of one size always have a
 * common complement, so both sides are served at once. Where the vector cannot be shared, all ways to fill it are tried, with
 * matrix instructions where they fit.
 *
 * `bound` is a number that no linear layout can go below: a register that only one side has cannot be in the vector of both,
 * and an instruction costs at least one wavefront for each group of lanes. When the optimum has as many wavefronts as the
 * bound says, it is proven.
 *
 * Source: the paper arXiv 2505.23819, section on optimal swizzling; where its construction leaves one side with more
 * conflicts than it must (sides that touch spaces of different size), this one does not.
 */

#include "laneway/plan.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum lw_swizzle_kind {
    LW_SWIZZLE_SWIZZLED, /* swizzled_shared; with max_phase 1 it is plain rows */
    LW_SWIZZLE_NVMMA,    /* nvmma_shared */
    LW_SWIZZLE_LINEAR,   /* shared_linear */
    LW_SWIZZLE_PADDED,   /* padded_shared */
    LW_SWIZZLE_KINDS
};

#define LW_SWIZZLE_PADDINGS_MAX 2

struct lw_swizzle {
    enum lw_swizzle_kind kind;
    uint64_t vec, per_phase, max_phase; /* SWIZZLED */
    int64_t order[LW_DIMS_MAX];         /* SWIZZLED, PADDED: the fastest dim first */
    uint64_t width;                     /* NVMMA: swizzlingByteWidth */
    bool transposed;                    /* NVMMA */
    int padding_count;                  /* PADDED */
    struct lw_padding padding[LW_SWIZZLE_PADDINGS_MAX];
    uint64_t bytes; /* of shared memory, with what padding leaves free */
    struct lw_plan_total store, load;
};

struct lw_swizzle_request {
    const struct lw_map *store, *load; /* layouts in registers, of one tensor */
    unsigned element_bits;
    enum lw_plan_stage stage;
    bool named_only;                    /* neither the optimum nor paddings */
    const struct lw_hardware *hardware; /* NULL: the usual */
};

/* A search goes on step by step, so that a program can show how far it is and stop it. Everything here may be looked at
 * between the steps: it is the best so far. */
struct lw_swizzle_search {
    struct lw_swizzle_request request; /* its maps are borrowed */
    uint64_t done, total;              /* candidates; the end may come before `done` is `total` */
    struct lw_swizzle plain;           /* row-major without swizzle */
    bool found[LW_SWIZZLE_KINDS];
    struct lw_swizzle best[LW_SWIZZLE_KINDS]; /* of each kind that was found */
    struct lw_layout linear; /* of best[LW_SWIZZLE_LINEAR]: offset, block -> tensor */
    uint64_t bound;          /* wavefronts: no linear layout has fewer; 0: not known */
    int padding_most;        /* intervals of the paddings that are tried */
    /* All of swizzled_shared and nvmma_shared so far, the best first. */
    const struct lw_swizzle *ranked;
    uint64_t ranked_count;
    struct lw_swizzle_state *state;
};

/* Starts a search. Fails when the layouts are not linear, not of one tensor, of several blocks, or have no access plan. On
 * failure there is nothing to free. */
bool lw_swizzle_begin(struct lw_swizzle_search *search, const struct lw_swizzle_request *request,
                      struct lw_error *err);
/* Tries the next candidates, at most `most`; false when all are done. */
bool lw_swizzle_step(struct lw_swizzle_search *search, uint64_t most);
void lw_swizzle_end(struct lw_swizzle_search *search);

/* The best of all kinds: fewest wavefronts, then instructions, then bytes; ties to the first kind. */
const struct lw_swizzle *lw_swizzle_best(const struct lw_swizzle_search *search);
uint64_t lw_swizzle_wavefronts(const struct lw_swizzle *swizzle); /* of both sides */
/* The layout of a candidate: offset, block -> tensor. */
bool lw_swizzle_map(const struct lw_swizzle_search *search, const struct lw_swizzle *swizzle,
                    struct lw_map *map, struct lw_error *err);
/* As an attribute: "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>". */
void lw_swizzle_print(struct lw_text *text, const struct lw_swizzle_search *search,
                      const struct lw_swizzle *swizzle);
/* In a few words: "vec 8, perPhase 1, maxPhase 8", "no swizzle, order [0, 1]", "nvmma 128 bytes", "padding [32:+1]: 124 bytes more". The
 * order is said when it is not the usual one, the last dim fastest. */
void lw_swizzle_label(struct lw_text *text, const struct lw_swizzle_search *search,
                      const struct lw_swizzle *swizzle);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
