#ifndef LANEWAY_WAVEFRONT_H
#define LANEWAY_WAVEFRONT_H

/*
 * WAVEFRONTS AND SECTORS: what one instruction on shared memory costs, and what the accesses of a
 * tensor to global memory do.
 *
 * Shared memory has banks of 4 bytes; the word at byte address a is in bank (a / 4) mod banks. An
 * instruction of a warp is served in one or more wavefronts, and a wavefront reads, or writes, at
 * most one word of each bank. Lanes that access the same word share it.
 *
 *     32 lanes read a column of a 32 x 32 tile of f32: lane i reads byte 128 * i.
 *     All words are in bank 0, so there are 32 wavefronts. With rows of 132 bytes there is one.
 *
 * Lanes are served in groups: on NVIDIA all at once for up to 4 bytes a lane, half-warps for 8,
 * quarter-warps for 16; a load whose neighbouring lanes read the same address serves two groups at
 * once. A group costs as many wavefronts as the most words that it needs of one bank. Which lanes
 * are a group depends on the hardware and the width: the bank model (hardware.h) states it.
 *
 * The number of wavefronts is known; the order in which the words of one group are moved is not,
 * and does not change it. lw_access_wavefronts shows one order: in each bank the word of the lowest
 * lane goes first. Not covered: other accesses in flight at the same time, and lanes that exit
 * between two instructions.
 *
 * Source: for NVIDIA single instructions counted on an H200; for AMD its documents, named in the
 * targets' documents in layouts/targets/.
 */

#include "laneway/hardware.h"

LW_BEGIN

/* The kind of an instruction: ld.shared, st.shared, ldmatrix, stmatrix. */
enum lw_access_op { LW_ACCESS_LOAD, LW_ACCESS_STORE, LW_ACCESS_LDMATRIX, LW_ACCESS_STMATRIX };

#define LW_WARP_MAX 64  /* lanes of a warp (wave) at most */
#define LW_BANKS_MAX 64 /* banks of shared memory at most */
/* Wavefronts of one instruction at most: what a lane moves lies in neighbouring banks, so each
 * wavefront serves at least one lane completely. */
#define LW_WAVEFRONTS_MAX LW_WARP_MAX

/* One instruction of one warp. */
struct lw_access {
    enum lw_access_op op;
    unsigned width; /* bytes a lane: 1, 2, 4, 8 or 16; 16 for the matrix instructions */
    /* Of ldmatrix and stmatrix: 1, 2 or 4; else 0. Lane l < 8 * matrices has the address of a
     * row of 16 bytes; the addresses of other lanes are ignored. */
    unsigned matrices;
    uint64_t active;               /* bit l: lane l executes it */
    uint64_t address[LW_WARP_MAX]; /* byte addresses, of active lanes aligned to the width */
};

/* What an instruction costs. Without an active lane all are 0. */
struct lw_cost {
    unsigned wavefronts; /* that it takes */
    unsigned conflicts;  /* wavefronts beyond one for each group that has an active lane */
    unsigned bytes;      /* distinct bytes that it moves, */
    unsigned ideal;      /* and these over the bytes of one wavefront, rounded up */
};

/* One wavefront: the lanes that it serves and the words that it moves. */
struct lw_wavefront {
    unsigned group;              /* index in lw_wavefronts.group */
    uint64_t lanes;              /* bit l: it serves lane l */
    uint64_t banks;              /* bit b: it uses bank b */
    uint64_t word[LW_BANKS_MAX]; /* the word (byte address / bank_bytes) that it moves in each used
                                    bank */
};

/* All wavefronts of one instruction. */
struct lw_wavefronts {
    struct lw_cost cost;
    unsigned group_count;          /* groups with an active lane */
    uint64_t group[LW_GROUPS_MAX]; /* bit l: active lane l is in the group */
    unsigned words[LW_BANKS_MAX];  /* distinct words of each bank, over the whole instruction */
    uint64_t lanes[LW_BANKS_MAX];  /* by bank; bit l: lane l accesses a word of it */
    unsigned count;                /* wavefronts: cost.wavefronts */
    struct lw_wavefront wavefront[LW_WAVEFRONTS_MAX];
};

/* The cost of an instruction. Fails with LW_ERROR_PARAMETER on a width that no lane moves, an
 * address that is not a multiple of the width and an active lane that the warp lacks; with
 * LW_ERROR_UNSUPPORTED when the hardware lacks the instruction, when it is unknown how it serves
 * such an access, and when only some of the address lanes of a matrix instruction are active. */
bool lw_access_cost(const struct lw_bank_model *model, const struct lw_access *access,
                    struct lw_cost *cost, struct lw_error *err);
/* The cost and every wavefront. Fails as lw_access_cost does. */
bool lw_access_wavefronts(const struct lw_bank_model *model, const struct lw_access *access,
                          struct lw_wavefronts *out, struct lw_error *err);
/* Sets words[b] to the most words of bank b that one group of lanes needs, 1 where there is no
 * conflict at any width. Fails as lw_access_cost does. */
bool lw_access_words(const struct lw_bank_model *model, const struct lw_access *access,
                     unsigned char words[LW_BANKS_MAX], struct lw_error *err);
/* How many banks serve an access: those of the model, or fewer where its target states so. */
unsigned lw_access_banks(const struct lw_bank_model *model, const struct lw_access *access);
/* "ld.shared", "st.shared", "ldmatrix" or "stmatrix"; NULL for a number that is none of them. */
const char *lw_access_op_name(enum lw_access_op op);

/* ---- Global memory ----
 *
 * The tensor is dense and aligned in global memory, in a given order of its dims (row-major, for
 * example). Each lane moves a vector of consecutive elements that it holds, at most 16 bytes; the
 * instruction touches sectors of 32 bytes and lines of 128.
 *
 *     32 lanes hold a row of 128 x f16, four elements each: vectors of 8 bytes, one instruction,
 *     8 sectors, 2 lines. When each lane holds a different row: 32 sectors, ideal 8.
 *
 * Registers that only repeat another are left out. The vector is the largest power of two of
 * elements for which the registers, in the order of their addresses in the first thread, are runs
 * of that length that are consecutive and aligned in every thread: what one instruction can move.
 */

#define LW_SECTOR_BYTES 32 /* bytes of a sector of global memory */
#define LW_LINE_BYTES 128  /* bytes of a cache line */

/* What the accesses to a whole tensor touch. Sums are over the instructions of all warps. */
struct lw_coalescing {
    uint64_t vector;         /* elements that one lane moves at once */
    uint64_t vector_bytes;   /* the same in bytes, at most 16 */
    uint64_t instructions;   /* in the code of one warp */
    uint64_t warps;          /* of all blocks */
    uint64_t sectors, lines; /* that each instruction touches, summed */
    uint64_t ideal_sectors;  /* distinct bytes of each instruction over 32, rounded up, summed */
    uint64_t bytes;          /* distinct bytes of each instruction, summed */
    uint64_t max_sectors;    /* that one instruction touches */
};

/* Counts the accesses that store or load all elements of `registers`, a map (register, lane,
 * warp, block) or (local, thread) -> tensor, whose dim `thread` is split into warps of `lanes`
 * (1 to 64). `order` has one entry for each dim of the tensor, the fastest first (row-major of
 * rank 2: 1, 0). Fails with LW_ERROR_UNSUPPORTED on a map of other dims and on an element that
 * is not 1 to 16 whole bytes, with LW_ERROR_PARAMETER on an order that is no permutation of the
 * dims, and with LW_ERROR_LIMIT on over 2^16 instructions a warp and on over 2^20 hardware
 * indices. */
bool lw_coalesce(struct lw_coalescing *out, const struct lw_map *registers, unsigned lanes,
                 unsigned element_bits, const int *order, struct lw_error *err);

LW_END

#endif
