#ifndef LANEWAY_SWIZZLE_H
#define LANEWAY_SWIZZLE_H

/*
 * THE BEST SWIZZLE between a store through one layout in registers and a load through another.
 *
 * Three searches: every swizzled_shared (vec, perPhase, maxPhase, order) and every nvmma width; the optimum over all linear
 * layouts of shared memory; the smallest padding. Each candidate is costed by its two access plans, so what is ranked is
 * wavefronts.
 *
 * Source: the paper arXiv 2505.23819, section on optimal swizzling.
 */

#include "laneway/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

enum lw_swizzle_kind {
    LW_SWIZZLE_SWIZZLED,
    LW_SWIZZLE_NVMMA,
    LW_SWIZZLE_LINEAR,
    LW_SWIZZLE_PADDED
};

struct lw_swizzle {
    enum lw_swizzle_kind kind;
    int64_t vec, per_phase, max_phase; /* SWIZZLED */
    int order[LW_DIMS_MAX];            /* SWIZZLED, PADDED: the fastest dim first */
    int64_t width;                     /* NVMMA: swizzlingByteWidth */
    bool transposed;                   /* NVMMA */
    struct lw_padding padding;         /* PADDED */
    struct lw_map map;                 /* offset -> tensor */
    struct lw_plan_total store, load;
};

struct lw_swizzle_request {
    const struct lw_map *store, *load; /* layouts in registers, of one tensor */
    unsigned element_bits;
    enum lw_plan_stage stage;
    const struct lw_hardware *hardware; /* NULL: the usual */
};

/* A search goes on step by step, so that a program can show how far it is and stop it. */
struct lw_swizzle_search {
    struct lw_swizzle_request request;
    uint64_t done, total;             /* candidates */
    struct lw_swizzle plain, best[4]; /* row-major without swizzle; the best of each kind */
    bool found[4];
    struct lw_swizzle_state *state;
};

bool lw_swizzle_begin(struct lw_swizzle_search *search, const struct lw_swizzle_request *request,
                      struct lw_error *err);
/* Tries the next candidates, at most `most`; false when all are done. */
bool lw_swizzle_step(struct lw_swizzle_search *search, uint64_t most);
void lw_swizzle_end(struct lw_swizzle_search *search);

#ifdef __cplusplus
}
#endif

#endif
