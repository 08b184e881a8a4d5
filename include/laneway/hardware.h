#ifndef LANEWAY_HARDWARE_H
#define LANEWAY_HARDWARE_H

/*
 * Hardware models: how many lanes a warp has, and how its shared memory serves them. One row a target;
 * each bank model says how it is known.
 */

#include "laneway/error.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How shared memory serves a warp; its rows are in src/analysis/hardware.c. */
struct lw_bank_model {
    const char *name;  /* "nvidia" */
    const char *known; /* "measured on H200", "from AMD's documents" */
    unsigned lanes;    /* 32 or 64 */
    unsigned banks;    /* 32 or 64, of 4 bytes */
    bool pairs;        /* loads of 8 and 16 bytes whose neighbours share an address pair groups */
    bool matrix;       /* it has ldmatrix and stmatrix */
    /* For 1, 2, 4, 8 and 16 bytes a lane, which group each lane is served in; NULL: lanes in order, as
     * many as fill the banks once. */
    const uint8_t *load_group[5], *store_group[5];
};

struct lw_hardware {
    const char *name;  /* "sm90" */
    unsigned lanes;    /* a warp */
    const char *title; /* "NVIDIA Hopper" */
    const struct lw_bank_model *banks;
};

const struct lw_hardware *lw_hardware_list(size_t *count);
/* By name, also "sm_90a", "cuda:90" and "hip:gfx942"; NULL when there is none. */
const struct lw_hardware *lw_hardware_find(const char *name);
/* The model where nothing says otherwise: sm90. */
const struct lw_hardware *lw_hardware_usual(void);

#ifdef __cplusplus
}
#endif

#endif
