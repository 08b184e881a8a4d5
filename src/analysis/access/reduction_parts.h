#ifndef LANEWAY_ANALYSIS_REDUCTION_PARTS_H
#define LANEWAY_ANALYSIS_REDUCTION_PARTS_H

/* What reductions and scans share: a layout decomposed as Triton's code does it, and accesses to
 * the scratch memory, which are counted one by one. */

#include "analysis/access/reduction.h"

#define LW_WALK_ALL UINT32_MAX /* all operands */

enum { LW_WALK_REG, LW_WALK_LANE, LW_WALK_WARP, LW_WALK_DIMS };

struct lw_walk {
    const struct lw_reduction_request *request;
    const struct lw_hardware *hardware;
    struct lw_reduction *out;
    struct lw_layout layout, result;
    int dim[LW_WALK_DIMS], result_dim[LW_WALK_DIMS]; /* of the layouts' in-dims */
    int rank;
    uint64_t free[LW_WALK_DIMS]; /* bits that select copies only */
    unsigned along[LW_WALK_DIMS]
                  [LW_DIMS_MAX]; /* elements along each dim that a register, lane, warp moves */
    int order[LW_WALK_DIMS][LW_DIMS_MAX];     /* of the dims, the fastest first */
    uint64_t scratch;                         /* elements of the scratch tensor */
    uint64_t base[LW_REDUCTION_OPERANDS_MAX]; /* bytes */
    uint64_t accesses;
    struct lw_error *err;
};

struct lw_walk_lanes {
    uint64_t active;
    uint64_t element[LW_WARP_MAX];
};

/* Reads the layouts of the request, checks them and decomposes the first. `request`, `hardware`,
 * `out` and `err` must be set. */
bool lw_walk_open(struct lw_walk *walk);
/* Fails with a reason. */
bool lw_walk_refuse(struct lw_walk *walk, const char *why);
/* Registers, lanes or warps. */
uint64_t lw_walk_size(const struct lw_walk *walk, int dim);
/* A lane or warp as an index along each dim; false when it is a copy of another one. */
bool lw_walk_digits(const struct lw_walk *walk, int dim, uint64_t value, uint64_t *digit);
/* The element of a register of a lane of a warp. */
void lw_walk_index(const struct lw_layout *layout, const int *dim, uint64_t reg, uint64_t lane,
                   uint64_t warp, uint64_t *out);
uint64_t lw_walk_linear(const uint64_t *index, const uint64_t *shape, const int *order, int rank);
/* Counts one instruction of `width` elements for each operand; a warp without an active lane
 * moves nothing. */
bool lw_walk_access(struct lw_walk *walk, enum lw_access_op op, const struct lw_walk_lanes *lanes,
                    uint32_t operands, unsigned width);
/* Sets the addresses of the operands in scratch memory, the widest operand first. */
void lw_walk_bases(struct lw_walk *walk);

/* Counts a scan (reduction_scan.c). */
bool lw_walk_scan(struct lw_walk *walk);

#endif
