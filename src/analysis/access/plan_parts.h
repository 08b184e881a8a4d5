#ifndef LANEWAY_ANALYSIS_PLAN_PARTS_H
#define LANEWAY_ANALYSIS_PLAN_PARTS_H

/*
 * The parts of plans.
 *
 *     maps --lw_offsets_make-->   the offset that each bit of register, lane and warp adds
 *          --lw_offsets_choose--> the instruction that fits
 *          --lw_plan_lower-->     the instructions in the code of one warp
 *          --lw_plan_count-->     totals over all warps
 *
 * A conversion makes its own offsets, of one round with the swizzle that it chose, and lowers
 * them with the instruction that it chose.
 */

#include "core/map_kinds.h"
#include "laneway/plan.h"

/* An offset is a xor of these, one for each bit of the hardware index that is set. In elements,
 * before padding. */
struct lw_offsets {
    int registers, lanes, warps; /* bits */
    /* Without registers that repeat another, unless the plan is as written. */
    uint64_t reg[LW_BITS_MAX];
    int reg_bit[LW_BITS_MAX]; /* the bit of the register's number for each of these */
    uint64_t reg_base;        /* bits that every register's number has set */
    uint64_t lane[LW_BITS_MAX], warp[LW_BITS_MAX];
    const struct lw_map *padded; /* the map that pads the offsets; NULL: none */
    bool in_order;               /* a vector has the first registers, in their order */
};

/* The predicated tail: loads that only the last global store needs are executed under its
 * predicate. */
struct lw_tail {
    bool any;
    uint64_t lane_mask, warp_mask; /* lanes and warps with one of these bits do not execute them */
    uint64_t first;                /* the first register of the last store */
    unsigned word;                 /* registers of 32 bits, or of a narrower store */
};

/* One instruction in the code of a warp. */
struct lw_warp_instruction {
    uint64_t offset; /* xored with those of lanes and warps; unused by runs */
    uint64_t padded; /* of the bits of `offset` that no lane moves, when counted with padding */
    uint32_t first;  /* its registers in parts->reg */
    uint16_t count;
    uint8_t matrices; /* 0: plain */
    uint8_t opcode;   /* in plan->opcodes */
    bool tail;
};

struct lw_plan_parts {
    enum lw_move_kind move;
    struct lw_offsets offsets;
    uint64_t row[LW_BITS_MAX]; /* matrix: what each bit of the row's number adds */
    struct lw_tail tail;
    struct lw_warp_instruction *code; /* plan->per_warp of them */
    uint32_t *reg;
    /* Runs: the offset of each register of each thread, by register * threads + thread, as written
     * LW_RUN_HOLE where it holds nothing, */
    const uint64_t *table;
    /* and how the dims of the two maps correspond. */
    uint64_t threads, lanes;       /* of a block, of a warp */
    int dim[LW_DIMS_MAX];          /* for each dim of the memory's tensor, the dim of the registers'
                                      tensor */
    int local, lane, warp, thread; /* the register map's dims; -1: none */
    int offset;                    /* memory's dim */
};

/* Triton's swizzle and its estimate of conflicts assume 32 banks of 32 bits on every target. */
#define LW_TRITON_BANKS_BITS 1024

#define LW_RUN_HOLE UINT64_MAX

/* The limit of the code of one warp. */
#define LW_PLAN_CODE_MAX ((uint64_t)1 << 16)

/* Fails when a warp of the hardware has fewer than `lanes` lanes. */
bool lw_plan_check_lanes(uint64_t lanes, const struct lw_hardware *hardware, struct lw_error *err);
/* Fails unless the registers hold all of the memory's tensor or its first part. */
bool lw_plan_check_part(const struct lw_dims *registers, const struct lw_dims *memory,
                        struct lw_error *err);
/* The index of memory's dim of offsets: the one named `offset`, or the only one; -1: none. */
int lw_memory_dim(const struct lw_map *memory);
/* The offsets of a linear layout in registers in linear or padded memory. When one of the maps is
 * neither, sets *linear to false and succeeds. */
bool lw_offsets_make(struct lw_offsets *offsets, struct lw_layout *registers,
                     const struct lw_plan_request *request, bool *linear, struct lw_error *err);
/* Whether the instruction can move these offsets, on any hardware. */
bool lw_offsets_fit(const struct lw_offsets *offsets, unsigned bits, enum lw_move_kind move);
/* Whether the target has the matrix instruction of this op and the request allows it. */
bool lw_matrix_known(const struct lw_plan_request *request);
/* Chooses as the compiler does: matrix instructions if they fit, else transposed ones, else plain accesses. Fails where
 * the compiler would choose an instruction whose cost is unknown. */
bool lw_offsets_choose(const struct lw_offsets *offsets, const struct lw_plan_request *request,
                       enum lw_move_kind *move, struct lw_error *err);
/* log2 of the elements that Triton moves at once; inner[b] is the position of the register that
 * moves offset bit b. */
int lw_offsets_vector(const struct lw_offsets *offsets, unsigned bits, int *inner);
/* The tail of a load of that register layout (register, lane, warp) before a global store. */
void lw_tail_make(struct lw_tail *tail, const struct lw_layout *registers, unsigned bits);
bool lw_tail_has(const struct lw_tail *tail, const uint32_t *registers, unsigned count);

/*
 * Makes the plan of offsets. plan->request has bits, op, stage and hardware (never NULL); its
 * maps may be NULL. `tail`: the tail that applies, or NULL. The instruction must fit. On failure
 * the caller frees the plan's arena.
 */
bool lw_plan_lower(struct lw_plan *plan, const struct lw_offsets *offsets, enum lw_move_kind move,
                   const struct lw_tail *tail, struct lw_error *err);
/* Makes the plan of maps that are not linear, by runs, and the offset in memory of an element. */
bool lw_plan_runs(struct lw_plan *plan, struct lw_error *err);
uint64_t lw_run_offset(const struct lw_plan *plan, uint64_t reg, uint64_t thread);
/* Sets the totals and opcodes from the code. */
bool lw_plan_count(struct lw_plan *plan, struct lw_error *err);

/* The xor of the bases whose bits are set in `index`. */
uint64_t lw_xor_at(const uint64_t *bases, uint64_t index);

#endif
