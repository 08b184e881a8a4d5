#ifndef LANEWAY_CONVERSION_H
#define LANEWAY_CONVERSION_H

/*
 * CONVERSIONS: what moves when a tensor goes from one layout in registers to another.
 *
 *     from.invertAndCompose(to): (register, lane, warp, block) -> (register, lane, warp, block)
 *
 * Where that is the identity nothing moves. Where only registers differ it costs moves or nothing; where lanes
 * differ, warp shuffles; where warps differ the tensor goes through shared memory, in rounds, with a swizzle
 * made for this pair; where blocks differ, through distributed shared memory.
 *
 * Source: Triton's lowering of convert_layout (release 3.6 and 3.7), checked against compiled kernels.
 */

#include "laneway/plan.h"

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
    struct lw_layout map;    /* from's place -> to's place */
    uint64_t shuffles;       /* in the code of one warp */
    uint64_t rounds;         /* of the trip through shared memory, or of the shuffles; 0: none */
    uint64_t shared_bytes;   /* allocated */
    struct lw_layout memory; /* LW_CONVERSION_SHARED: offset -> tensor, the swizzle of all rounds;
                                the in-dims are offset and round */
    /* Totals over all warps and all rounds, and the code of one round. */
    struct lw_plan_total store_total, load_total;
    struct lw_plan store, load; /* of one round */
};

/* Fails when the layouts are not of one tensor or not linear, with the size in the way. On failure there is
 * nothing to free. */
bool lw_conversion_make(struct lw_conversion *conversion,
                        const struct lw_conversion_request *request, struct lw_error *err);
void lw_conversion_free(struct lw_conversion *conversion);
/* "none", "registers", "shuffle", "shared", "blocks" */
const char *lw_conversion_kind_name(enum lw_conversion_kind kind);

#ifdef __cplusplus
}
#endif

#endif
