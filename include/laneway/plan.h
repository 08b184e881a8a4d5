#ifndef LANEWAY_PLAN_H
#define LANEWAY_PLAN_H

/*
 * ACCESS PLANS: from two layouts to the instructions between them.
 *
 * A tensor moves between registers and shared memory. The one layout says which register of which lane of
 * which warp holds an element, the other at which offset of shared memory it sits; together they say at
 * which offset each register is stored:
 *
 *     registers.invertAndCompose(memory): (register, lane, warp) -> offset
 *
 * From that the compiler chooses instructions: how many consecutive elements one lane moves at once,
 * whether a matrix instruction fits, in which order. A plan is that choice, instruction by instruction, as
 * Triton's lowering and what the back end merges after it make it for sm90, found on kernels compiled by
 * release 3.6 and their counters. Release 3.7 has the same instructions before the merging,
 * LW_PLAN_TRITON, but writes stores so that the back end merges none, and padded addresses so that it
 * merges other loads. Where no such rule covers a pair of layouts (sizes that are not powers of two, maps
 * that are not linear) the plan is matrix instructions where they fit, or the widest aligned runs that all
 * lanes share; `rule` says which.
 *
 * The registers hold all of the tensor that is in memory, or a part of it. Shapes alone decide: both have the
 * same dims, by name, and the registers in each of them at most the memory's size. Element (i, j) in
 * registers is element (i, j) in memory, so the part begins at the memory's first element.
 *
 * Nothing is stored for each warp: an instruction is made when it is asked for.
 */

#include "laneway/arena.h"
#include "laneway/map.h"
#include "laneway/wavefront.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum lw_plan_stage {
    LW_PLAN_COMPILED, /* after the back end has merged neighbours: known of NVIDIA's */
    LW_PLAN_TRITON    /* Triton's own instructions; what a plan for AMD always is */
};

enum lw_plan_rule {
    LW_PLAN_LINEAR, /* the compiler's rules for linear layouts, exact */
    LW_PLAN_PADDED, /* its rules for padded memory, exact for 98 of 100 kernels */
    LW_PLAN_RUNS /* the widest runs, or matrices where all fits them: no compiler's rule covers these
                       layouts */
};

struct lw_plan_request {
    const struct lw_map *registers; /* (register, lane, warp, block) or (local, thread) -> tensor */
    const struct lw_map
        *memory; /* (offset, block) -> tensor: the same, or one that it is a part of */
    unsigned element_bits;
    enum lw_access_op op; /* LW_ACCESS_LOAD or LW_ACCESS_STORE */
    enum lw_plan_stage stage;
    bool to_global;  /* a load whose value goes straight to a global store: its predicated tail, as
                        compiled */
    bool plain_only; /* never a matrix instruction */
    bool by_runs;    /* not as a compiler would, but by runs, as a kernel written by hand may */
    const struct lw_hardware *hardware; /* NULL: the usual */
};

/* One instruction of one warp. */
struct lw_instruction {
    struct lw_access access;
    bool transposed; /* ldmatrix.trans, stmatrix.trans */
    uint64_t warp;
    unsigned register_count;
    uint64_t
        registers[128]; /* which registers of a thread it moves, in the order of the addresses */
};

struct lw_plan_total {
    uint64_t instructions; /* that run, over all warps, matrix instructions among them */
    uint64_t matrix;       /* of those ldmatrix or stmatrix */
    uint64_t wavefronts, conflicts;
    uint64_t ideal; /* the sum of the instructions' */
    uint64_t bytes; /* that the accesses must move, broadcast counted once for each instruction */
};

/* One kind of instruction in the code of one warp: "LDS.128" x 8; by Triton's own, in words of PTX. */
struct lw_opcode {
    char name[24];
    uint64_t count;
};
#define LW_OPCODES_MAX 8

/* Instructions that run with the same opcode, cost and number of lanes. */
struct lw_plan_kind {
    int opcode; /* in `opcodes` */
    unsigned lanes;
    struct lw_cost cost; /* of each */
    uint64_t count;      /* over all warps */
    uint64_t first;      /* the number of the first of them */
};
#define LW_PLAN_KINDS_MAX 32

struct lw_plan {
    struct lw_plan_request
        request; /* its maps are borrowed; hardware and stage as they are in force */
    enum lw_plan_rule rule;
    uint64_t count; /* instructions: of all warps, those too that a predicate keeps from running */
    uint64_t per_warp; /* in the code of one warp */
    uint64_t warps;
    struct lw_plan_total total;
    int opcode_count;
    struct lw_opcode opcodes[LW_OPCODES_MAX];
    int kind_count; /* the first LW_PLAN_KINDS_MAX kinds there are */
    struct lw_plan_kind kinds[LW_PLAN_KINDS_MAX];
    struct lw_plan_parts *parts; /* what instructions are made of; in `arena` */
    struct lw_arena arena;
};

/* Makes a plan. Fails when the registers' tensor does not fit into the memory's, when an element of a
 * register has no offset, when it is in another block's memory, when padding puts a vector at an address
 * that it cannot have, and when the code of one warp would have over 2^16 instructions. On failure there
 * is nothing to free. */
bool lw_plan_make(struct lw_plan *plan, const struct lw_plan_request *request,
                  struct lw_error *err);
/* Instruction i < count: those of warp 0 in the order of the code, then of warp 1, ... */
void lw_plan_instruction(const struct lw_plan *plan, uint64_t i, struct lw_instruction *out);
void lw_plan_free(struct lw_plan *plan);

/* Triton's own estimate: the bank conflicts of one plain access (bankConflictsMemDesc of Triton 3.7,
 * get_shared_bank_conflicts in Gluon), without regard to the op, the stage or the hardware. False where
 * Triton has none: maps that are not linear, padding, tensors smaller than the banks, registers that
 * hold a part of the memory. */
bool lw_plan_estimate(const struct lw_plan_request *request, uint64_t *conflicts);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
