#ifndef LANEWAY_PLAN_H
#define LANEWAY_PLAN_H

/*
 * ACCESS PLANS: from two layouts to the instructions between them.
 *
 * A tensor moves between registers and shared memory. One layout states which register of which
 * lane of which warp holds an element, the other at which offset of shared memory it is; together
 * they give the offset of each register:
 *
 *     registers.invertAndCompose(memory): (register, lane, warp) -> offset
 *
 * From that the compiler chooses instructions: how many consecutive elements one lane moves at
 * once, whether a matrix instruction fits, and their order. A plan is that choice. With 4 registers
 * of f32 in each of 32 lanes and a memory with offset(register, lane) = register + 4 * lane it is
 * one store of 16 bytes a lane, "STS.128", of 4 wavefronts.
 *
 * The registers hold all of the tensor that is in memory, or a part of it that begins at its first
 * element: both have the same dims, by name, and the registers in each at most the memory's size.
 *
 * The rules are those of Triton's lowering and of what the back end merges after it for sm90, found
 * on kernels compiled by releases 3.6 to 3.9, and on counters of those of 3.6. All have the same
 * instructions before the merging, LW_PLAN_TRITON; the back end of 3.7 and 3.8 merges no stores,
 * and that of 3.6 only some accesses of padded memory. Where no such rule covers a pair of layouts
 * (sizes that are not powers of two, maps that are not linear) the plan is matrix instructions
 * where they fit, or the widest aligned runs that all lanes share; `rule` states which.
 *
 * Nothing is stored for each warp: lw_plan_instruction computes an instruction when it is called.
 */

#include "laneway/arena.h"
#include "laneway/map.h"
#include "laneway/triton.h"
#include "laneway/wavefront.h"

LW_BEGIN

/* Which instructions a plan has. */
enum lw_plan_stage {
    LW_PLAN_COMPILED, /* after the back end has merged neighbours; for NVIDIA only */
    LW_PLAN_TRITON,   /* Triton's own, before that; a plan for AMD has these instead */
    /* As a kernel is written by hand: each register of each thread, in vectors as the layout has
     * them; no matrix instructions, and nothing is merged or left out. A vector is the largest
     * power of two n, up to 16 bytes, for which every n consecutive registers, from a multiple of n
     * on, are consecutive in memory in every thread. */
    LW_PLAN_WRITTEN
};

/* The stage of that name: "compiled", "triton", "written". False: there is none. */
bool lw_plan_stage_find(const char *name, enum lw_plan_stage *stage);

/* How the instructions were chosen. */
enum lw_plan_rule {
    LW_PLAN_LINEAR, /* the compiler's rules for linear layouts, exact */
    LW_PLAN_PADDED, /* its rules for padded memory: exact since Triton 3.7, for 98 of 100 kernels of
                       Triton 3.6 */
    LW_PLAN_RUNS    /* the widest runs, or the vectors of LW_PLAN_WRITTEN: no rule of the compiler
                       covers the layouts */
};

/* The instructions that move elements: plain accesses, ldmatrix and stmatrix, or these with
 * .trans. */
enum lw_move_kind { LW_MOVE_PLAIN, LW_MOVE_MATRIX, LW_MOVE_TRANSPOSED };

/* What a plan is made of. The maps are borrowed. */
struct lw_plan_request {
    const struct lw_map *registers; /* (register, lane, warp, block) or (local, thread) -> tensor */
    /* (offset, block) -> tensor: the same, or one that it is the first part of */
    const struct lw_map *memory;
    unsigned element_bits; /* a power of two, 1 to 128 */
    enum lw_access_op op;  /* LW_ACCESS_LOAD or LW_ACCESS_STORE */
    enum lw_plan_stage stage;
    bool to_global; /* the value of a load is only stored to global memory, so the compiler
                        predicates the loads that only the last store needs */
    /* With LW_PLAN_WRITTEN: consecutive registers of a vector, a power of two; 0: as many as the
     * stage has. */
    uint64_t vector;
    bool any_cost; /* instructions whose cost is unknown are left without one */
    const struct lw_hardware *hardware; /* NULL: lw_hardware_default */
    enum lw_triton triton;              /* the version whose rules hold */
};

/* One instruction of one warp: a plain value. */
struct lw_instruction {
    struct lw_access access;
    bool transposed; /* ldmatrix.trans, stmatrix.trans */
    uint64_t warp;
    unsigned register_count;
    /* The registers of a thread that it moves, in the order of addresses. */
    uint64_t registers[128];
};

/* Sums over the instructions that all warps execute. */
struct lw_plan_total {
    uint64_t instructions;          /* matrix instructions included */
    uint64_t matrix;                /* of those ldmatrix or stmatrix */
    uint64_t wavefronts, conflicts; /* as of lw_cost */
    uint64_t ideal;                 /* as of lw_cost: wavefronts, were there no conflicts */
    uint64_t bytes;                 /* distinct bytes of each instruction */
};

/* An opcode in the code of one warp: "LDS.128", 8 times. With LW_PLAN_TRITON the names are of
 * PTX. */
struct lw_opcode {
    char name[24];
    uint64_t count;
};
#define LW_OPCODES_MAX 8 /* opcodes of a plan */

/* A plan. It owns `arena`; free it with lw_plan_free, and do not copy it. */
struct lw_plan {
    struct lw_plan_request request; /* with the hardware and the stage in use */
    enum lw_plan_rule rule;
    uint64_t count;    /* instructions of all warps, with those that a predicate disables */
    uint64_t per_warp; /* in the code of one warp */
    uint64_t warps;    /* of a block */
    struct lw_plan_total total;
    /* With any_cost, why wavefronts, ideal and conflicts are unknown and 0; LW_OK: they are
     * known. */
    struct lw_error unknown;
    int opcode_count;
    struct lw_opcode opcodes[LW_OPCODES_MAX];
    struct lw_plan_parts *parts; /* private; in `arena` */
    struct lw_arena arena;
};

/* Makes a plan. Fails with LW_ERROR_SHAPE when the registers' tensor does not fit into the
 * memory's; with LW_ERROR_UNSUPPORTED when one is not in registers or the other not in memory,
 * when an element of a register has no offset or is in the memory of another block, and without
 * any_cost when the cost of an instruction is unknown; with LW_ERROR_PARAMETER when padding, or
 * LW_PLAN_WRITTEN, puts a vector at an address that is not a multiple of its bytes, and when the
 * layout's warps do not have the lanes of the hardware; with LW_ERROR_LIMIT on more than 2^16
 * instructions of one warp. On failure there is nothing to free. */
bool lw_plan_make(struct lw_plan *plan, const struct lw_plan_request *request,
                  struct lw_error *err);
/* Instruction number i, below plan->count: those of warp 0 in the order of the code, then of
 * warp 1, and so on. */
void lw_plan_instruction(const struct lw_plan *plan, uint64_t i, struct lw_instruction *out);
/* The opcode of instruction i: "LDS.128", "ds_read_b128"; in the plan. */
const char *lw_plan_opcode(const struct lw_plan *plan, uint64_t i);
void lw_plan_free(struct lw_plan *plan); /* frees what it owns */

/* Sets *conflicts to Triton's own estimate of the bank conflicts of one plain access: 2^n - 1.
 * It ignores the op, the stage and the banks of the hardware. False where Triton has none: maps
 * that are not linear, padding, partitions, tensors smaller than the banks, registers that hold a
 * part of the memory. Source: bankConflictsMemDesc of Triton 3.7 (get_shared_bank_conflicts in
 * Gluon). */
bool lw_plan_estimate(const struct lw_plan_request *request, uint64_t *conflicts);

LW_END

#endif
