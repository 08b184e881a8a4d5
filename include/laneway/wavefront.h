#ifndef LANEWAY_WAVEFRONT_H
#define LANEWAY_WAVEFRONT_H

/*
 * WAVEFRONTS: what one instruction on shared memory costs.
 *
 * Shared memory has banks of 4 bytes; the word at byte address a is in bank (a / 4) mod banks. An
 * instruction of a whole warp is served in one or more wavefronts, and a wavefront reads, or writes, at
 * most one word of each bank. Lanes that touch the same word share it.
 *
 *     32 lanes read the column of a 32 x 32 tile of f32: lane i reads byte 128 * i.
 *     All words are in bank 0, so there are 32 wavefronts. With rows of 132 bytes: one.
 *
 * The lanes are served in groups: all at once for up to 4 bytes a lane, half-warps for 8, quarters for
 * 16; a load whose neighbours read the same address pairs its groups up. A group costs the largest
 * number of words that fall in one bank. Which lanes make a group is the hardware's: the model says so,
 * and how it is known.
 *
 * What a wavefront costs is known; in which order the words of one group are moved is not, and does not
 * matter for the cost. lw_access_wavefronts shows one order: in each bank the word that the lowest lane
 * wants goes first.
 *
 * What this does not cover: other accesses that are under way at the same time, and lanes that leave
 * between two instructions.
 *
 * Source: for NVIDIA single instructions counted on an H200; for AMD its documents, named in
 * src/analysis/hardware.c.
 */

#include "laneway/error.h"
#include "laneway/hardware.h"

#include <stdint.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum lw_access_op { LW_ACCESS_LOAD, LW_ACCESS_STORE, LW_ACCESS_LDMATRIX, LW_ACCESS_STMATRIX };

#define LW_WARP_MAX 64 /* lanes of a warp (wave) at most */
#define LW_BANKS_MAX 64
/* Of one instruction: what a lane moves lies in neighbouring banks, so each wavefront serves at least
 * one lane whole. */
#define LW_WAVEFRONTS_MAX LW_WARP_MAX

/* One instruction of one warp. */
struct lw_access {
    enum lw_access_op op;
    unsigned width; /* bytes a lane: 1, 2, 4, 8 or 16; 16 for the matrix instructions */
    /* Of ldmatrix and stmatrix: 1, 2 or 4; else 0. Lane l < 8 * matrices gives the address of a row of
     * 16 bytes; what the others give is not looked at. */
    unsigned matrices;
    uint64_t active;               /* lane l takes part when bit l is set */
    uint64_t address[LW_WARP_MAX]; /* byte addresses, of active lanes aligned to the width */
};

/* Without an active lane all are 0. */
struct lw_cost {
    unsigned wavefronts;
    unsigned conflicts; /* wavefronts beyond one for each group that has an active lane */
    unsigned
        ideal; /* the distinct bytes that it moves over the bytes of one wavefront, rounded up */
};

/* One wavefront: the lanes that it serves and the words that it moves. */
struct lw_wavefront {
    unsigned group;              /* 0, 1, ...: which group of lanes */
    uint64_t lanes;              /* those that it serves */
    uint64_t banks;              /* bit b: bank b is used */
    uint64_t word[LW_BANKS_MAX]; /* the word (byte address / bank_bytes) that it moves in each used
                                    bank */
};

struct lw_wavefronts {
    struct lw_cost cost;
    unsigned group_count;          /* those with an active lane */
    uint64_t group[LW_GROUPS_MAX]; /* the lanes of each, inactive ones left out */
    unsigned words[LW_BANKS_MAX];  /* distinct words a bank, over the whole instruction */
    uint64_t lanes[LW_BANKS_MAX];  /* those that want a word of each bank */
    unsigned count;
    struct lw_wavefront wavefront[LW_WAVEFRONTS_MAX];
};

/* The cost alone. Fails on a width or an address that the hardware has not, and with
 * LW_ERROR_UNSUPPORTED where nobody says how the hardware serves such an access. */
bool lw_access_cost(const struct lw_bank_model *model, const struct lw_access *access,
                    struct lw_cost *cost, struct lw_error *err);
/* The same with every wavefront. */
bool lw_access_wavefronts(const struct lw_bank_model *model, const struct lw_access *access,
                          struct lw_wavefronts *out, struct lw_error *err);
/* "ld.shared", "stmatrix" */
const char *lw_access_op_name(enum lw_access_op op);
/* "ld", "st", "lm4", "sm1": as `laneway wavefronts` reads it. */
const char *lw_access_code(const struct lw_access *access);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
