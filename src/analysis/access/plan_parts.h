#ifndef LANEWAY_ANALYSIS_PLAN_PARTS_H
#define LANEWAY_ANALYSIS_PLAN_PARTS_H

/*
 * The parts of plans.
 *
 *     linear maps --make_offsets-->  the offset that each bit of register, lane and warp adds (plan.c)
 *                 --lw_plan_lower--> the instructions in the code of one warp
 *     other maps  --lw_plan_table--> the same, from the offset of each register of each thread
 *                 --lw_plan_count--> totals over all warps
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

#define LW_HOLE UINT64_MAX /* a register that holds nothing */

/* The address of each register of each thread, in elements: at[register * threads + thread]. */
struct lw_table {
    uint64_t registers, threads;
    uint64_t *at;
};

/* Registers that a thread moves at once. Pieces that follow each other may be merged. */
struct lw_piece {
    uint64_t key[3]; /* pieces are sorted by these, then by `first` */
    uint64_t either; /* bitwise or of its offsets in all threads, or of bits with that alignment */
    uint32_t first;  /* of its registers, in a list */
    bool follows;    /* the piece before it, in all threads */
};

/* One instruction in the code of a warp. */
struct lw_warp_instruction {
    uint64_t offset; /* of its first register, without lanes, warps and padding; of tables 0 */
    uint32_t first;  /* its registers in parts->reg */
    uint16_t count;
    uint8_t matrices; /* 0: plain */
    uint8_t opcode;   /* in plan->opcodes */
    bool tail;
};

struct lw_plan_parts {
    enum lw_move_kind move;
    uint64_t lanes, threads;   /* of a warp, of a block */
    struct lw_offsets offsets; /* of linear layouts, */
    struct lw_table table;     /* of LW_PLAN_RUNS */
    struct lw_tail tail;
    struct lw_warp_instruction *code; /* plan->per_warp of them */
    uint32_t *reg;
};

#define LW_PLAN_CODE_MAX ((uint64_t)1 << 16) /* instructions in the code of one warp at most */

/* Triton's swizzle and its estimate of conflicts assume 32 banks of 32 bits on every target. */
#define LW_TRITON_BANKS_BITS 1024

/* Fails when a warp of the hardware has fewer than `lanes` lanes. */
bool lw_plan_check_lanes(uint64_t lanes, const struct lw_hardware *hardware, struct lw_error *err);
/* Fails unless the registers hold all of the memory's tensor or its first part. */
bool lw_plan_check_part(const struct lw_dims *registers, const struct lw_dims *memory,
                        struct lw_error *err);
/* The index of memory's dim of offsets: the one named `offset`, or the only one; -1: none. */
int lw_memory_dim(const struct lw_map *memory);
/* Whether the instruction can move these offsets, on any hardware. */
bool lw_offsets_fit(const struct lw_offsets *offsets, unsigned bits, enum lw_move_kind move);
/* The tail of a load of that register layout (register, lane, warp) before a global store. */
void lw_tail_make(struct lw_tail *tail, const struct lw_layout *registers, unsigned bits);
bool lw_tail_has(const struct lw_tail *tail, const uint32_t *registers, unsigned count);

/* log2 of the registers that 32 bits of a matrix have. */
int lw_matrix_inner_bits(unsigned bits, enum lw_move_kind move);
/*
 * Makes the plan of offsets. plan->request has bits, op, stage and hardware (never NULL); its
 * maps may be NULL. `tail`: the tail that applies, or NULL. The instruction must fit. On failure
 * the caller frees the plan's arena.
 */
bool lw_plan_lower(struct lw_plan *plan, const struct lw_offsets *offsets, enum lw_move_kind move,
                   const struct lw_tail *tail, struct lw_error *err);
/* Makes the plan of maps that are not linear. */
bool lw_plan_table(struct lw_plan *plan, struct lw_error *err);

/* Makes room in plan->parts for the code of `count` registers. */
bool lw_plan_reserve(struct lw_plan *plan, uint64_t count, struct lw_error *err);
int lw_piece_compare(const void *left, const void *right);
/* Makes the code of pieces of `step` elements each, whose registers are in `reg`: each run of pieces
 * that follow each other, of a power of two of elements up to 16 bytes at addresses that are
 * multiples of that, is one instruction. Fails on one of less than a byte. */
bool lw_plan_merge(struct lw_plan *plan, const struct lw_piece *pieces, uint64_t count,
                   const uint32_t *reg, unsigned step, struct lw_error *err);
/* Makes the code of matrix instructions for parts->reg, `count` registers in their order. */
bool lw_plan_matrices(struct lw_plan *plan, uint64_t count, struct lw_error *err);

/* Sets the cost of one instruction, and the distinct bytes that it moves, also when the cost is unknown. */
bool lw_access_total(const struct lw_bank_model *banks, const struct lw_access *access,
                     struct lw_plan_total *total, struct lw_error *err);
/* Adds a total, `times` times. */
void lw_plan_total_add(struct lw_plan_total *sum, const struct lw_plan_total *more, uint64_t times);
/* Sets the totals and opcodes from the code. */
bool lw_plan_count(struct lw_plan *plan, struct lw_error *err);
/* How many warps execute an instruction of a linear plan. */
uint64_t lw_plan_warps(const struct lw_plan *plan, const struct lw_warp_instruction *code);
/* The offset in memory of the element in a register, padding included; LW_HOLE: it holds nothing. */
uint64_t lw_plan_offset(const struct lw_plan *plan, uint64_t reg, uint64_t lane, uint64_t warp);
/* The number of distinct addresses of these lanes. */
unsigned lw_access_addresses(const struct lw_access *access, uint64_t lanes);

/* Adds an instruction of a warp on global memory, of out->vector_bytes at each address, to its
 * sectors, ideal_sectors, max_sectors, lines and bytes. */
void lw_coalescing_add(struct lw_coalescing *out, const uint64_t *address, unsigned count);

#endif
