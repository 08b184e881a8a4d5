#ifndef LANEWAY_HARDWARE_H
#define LANEWAY_HARDWARE_H

/*
 * Hardware models: how many lanes a warp has, and how its shared memory serves them. One row a target;
 * each bank model says how it is known, and what is not known of it is left out: an access of that kind
 * is refused, not guessed.
 */

#include "laneway/map.h"

#include <stdint.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

#define LW_GROUPS_MAX 8

/* The lanes of a warp in the groups that are served together; each lane is in one group. */
struct lw_lane_groups {
    unsigned count;
    uint64_t lanes[LW_GROUPS_MAX]; /* bit l: lane l */
};

/* Accesses of 1, 2, 4, 8 and 16 bytes a lane. */
#define LW_WIDTHS 5

/* How shared memory serves a warp; its rows are in src/analysis/hardware.c. */
struct lw_bank_model {
    const char *name; /* "NVIDIA", "AMD CDNA 3" */
    /* "measured on H200"; "measured on H200 (sm90), taken for this one"; "from AMD's documents" */
    const char *known;
    unsigned lanes;      /* 32 or 64 */
    unsigned banks;      /* 32 or 64 */
    unsigned bank_bytes; /* of the word that a bank gives at a time: 4 */
    bool pairs;          /* loads of 8 and 16 bytes whose neighbours share an address pair groups */
    bool ldmatrix;       /* it has them: 8 lanes a group */
    bool stmatrix;
    /* By log2 of the bytes a lane; NULL: nobody says which lanes are served together. */
    const struct lw_lane_groups *load[LW_WIDTHS], *store[LW_WIDTHS];
};

/* The bytes of one word of every bank: what a wavefront moves at most. */
unsigned lw_bank_model_row_bytes(const struct lw_bank_model *model);

struct lw_hardware {
    const char *name;  /* "sm90" */
    unsigned lanes;    /* a warp */
    const char *title; /* "NVIDIA Hopper" */
    const struct lw_bank_model *banks;
};

const struct lw_hardware *lw_hardware_list(size_t *count);
/* By name, also "sm_90a", "cuda:90" and "hip:gfx942", or by a chip's, "h100", "MI300X"; NULL when there is
 * none. */
const struct lw_hardware *lw_hardware_find(const char *name);
/* The name as the table would spell it: "sm_91a" is "sm91", "h100" is "sm90"; cut to fit. */
void lw_hardware_plain(char *buffer, size_t room, const char *name);
/* The model where nothing says otherwise: sm90. */
const struct lw_hardware *lw_hardware_usual(void);
/* Whether a map's warps are the hardware's: its dim `lane`, where it has one, is of as many lanes. True when
 * `target` is NULL; else fails with LW_ERROR_PARAMETER and both numbers. */
bool lw_hardware_takes(const struct lw_hardware *target, const struct lw_map *map,
                       struct lw_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
