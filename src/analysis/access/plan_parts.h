#ifndef LANEWAY_ANALYSIS_PLAN_PARTS_H
#define LANEWAY_ANALYSIS_PLAN_PARTS_H

/*
 * What plans are made of.
 *
 *     maps --lw_offsets_make--> offsets: which offset each bit of register, lane and warp adds
 *          --lw_offsets_choose--> which instruction fits
 *          --lw_plan_lower-->   pieces: the instructions in the code of one warp
 *          --lw_plan_count-->   totals over all warps
 *
 * A conversion makes offsets of its own (of one round, with the swizzle that it chose) and lowers them
 * with the instruction that it chose.
 */

#include "laneway/plan.h"

/* An offset is a xor of these, one for each bit that is set: offset(register, lane, warp). In elements,
 * before padding. */
struct lw_offsets {
    int registers, lanes, warps; /* bits */
    uint64_t reg[LW_BITS_MAX];   /* registers that only repeat another are left out */
    int reg_bit[LW_BITS_MAX];    /* which bit of a register's number each is */
    uint64_t reg_base;           /* the bits of a register's number that are set besides */
    uint64_t lane[LW_BITS_MAX], warp[LW_BITS_MAX];
    const struct lw_map *padded; /* where the offsets go then; NULL: they stay */
};

/* The predicated tail: loads that only the last global store needs run under its predicate. */
struct lw_tail {
    bool any;
    uint64_t lane_mask, warp_mask; /* lanes and warps with one of these bits do not run them */
    uint64_t first;                /* the first register of the last store */
    unsigned word;                 /* registers of 32 bits, or of a narrower store */
};

/* One instruction in the code of a warp. */
struct lw_warp_instruction {
    uint64_t offset; /* xored to those of lanes and warps; runs: unused */
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
    /* Runs: how elements go from the one map to the other. */
    uint64_t threads, lanes;       /* of a block, of a warp */
    int dim[LW_DIMS_MAX];          /* of each dim of memory's tensor: of the registers' */
    int local, lane, warp, thread; /* the register map's dims; -1: none */
    int offset;                    /* memory's dim */
};

/* Triton's swizzle and its estimate of conflicts take 32 banks of 32 bits on every target. */
#define LW_TRITON_BANKS_BITS 1024

/* More than that in the code of one warp, or of a thread's registers, are refused. */
#define LW_PLAN_CODE_MAX ((uint64_t)1 << 16)
#define LW_PLAN_REGISTERS_MAX ((uint64_t)1 << 20)

/* Whether a warp of the hardware has that many lanes. */
bool lw_plan_check_lanes(uint64_t lanes, const struct lw_hardware *hardware, struct lw_error *err);
/* The index of memory's dim of offsets: the one of that name, or its only one; -1: none. */
int lw_memory_dim(const struct lw_map *memory);
/* Where the elements of a linear layout in registers sit in linear or padded memory. *linear is
 * false, and nothing else is said, when one of the maps is neither. */
bool lw_offsets_make(struct lw_offsets *offsets, struct lw_layout *registers,
                     const struct lw_plan_request *request, bool *linear, struct lw_error *err);
/* Whether the matrix instruction moves these; the hardware is not asked. */
bool lw_offsets_fit(const struct lw_offsets *offsets, unsigned bits, enum lw_move_kind move);
/* Whether the target has the matrix instruction of this op, and it is allowed. */
bool lw_matrix_known(const struct lw_plan_request *request);
/* The instruction that the compiler takes: the first that fits of matrix, transposed, plain. Fails where
 * it would take one whose cost is not known. */
bool lw_offsets_choose(const struct lw_offsets *offsets, const struct lw_plan_request *request,
                       enum lw_move_kind *move, struct lw_error *err);
/* log2 of the elements that Triton moves at once; inner[b] is the register that moves offset bit b. */
int lw_offsets_vector(const struct lw_offsets *offsets, unsigned bits, int *inner);
/* The tail of a tile of that register layout (register, lane, warp) when a global store follows. */
void lw_tail_make(struct lw_tail *tail, const struct lw_layout *registers, unsigned bits);
bool lw_tail_has(const struct lw_tail *tail, const uint32_t *registers, unsigned count);

/*
 * The plan of offsets, in which plan->request says bits, op, stage and hardware (never NULL) and its maps
 * may be NULL. `tail` is NULL or the tail that applies. The tile must fit. On failure the plan's
 * arena is the caller's to free.
 */
bool lw_plan_lower(struct lw_plan *plan, const struct lw_offsets *offsets, enum lw_move_kind move,
                   const struct lw_tail *tail, struct lw_error *err);
/* Plain accesses and what becomes of them; into parts. */
bool lw_plan_lower_plain(struct lw_plan *plan, struct lw_error *err);
/* The widest runs of maps that are not linear. */
bool lw_plan_runs(struct lw_plan *plan, struct lw_error *err);
/* Totals and opcodes of the pieces. */
bool lw_plan_count(struct lw_plan *plan, struct lw_error *err);

/* The xor of those that the bits of `index` pick. */
uint64_t lw_xor_at(const uint64_t *bases, uint64_t index);

#endif
