#ifndef LANEWAY_HARDWARE_H
#define LANEWAY_HARDWARE_H

/*
 * Hardware models: how many lanes a warp has, and how shared memory serves them. A target is a row
 * of a table: its name, the lanes of a warp, and the model of its banks.
 *
 *     sm90      NVIDIA Hopper       32 lanes, 32 banks, measured on H200
 *     gfx950    AMD CDNA 4, MI350   64 lanes, 64 banks, from AMD's documents
 *
 * A bank model states how it is known. What is unknown is left out, so an access of that kind is
 * refused, not guessed (wavefront.h). The rows are made from the documents in layouts/targets/,
 * which name their sources; a document of the same form describes other hardware:
 *
 *     {"target": "toy", "title": "a small machine", "evidence": "made up", "lanes": 8, "banks": 8,
 *      "load": {"4": 2}, "store": {"4": ["0, 4", "1, 5", "2, 6", "3, 7"]}}
 *
 * `load` and `store` have, for each number of bytes a lane, how many lanes are served together, or
 * the groups themselves; a width that is left out is unknown.
 */

#include "laneway/map.h"
#include "laneway/value.h"

LW_BEGIN

#define LW_GROUPS_MAX 16 /* groups of lanes of one instruction */

/* The lanes of a warp in groups that are served together; each lane is in one group. */
struct lw_lane_groups {
    unsigned count;                /* 1 to LW_GROUPS_MAX */
    unsigned banks;                /* that serve them; 0: all of the model */
    uint64_t lanes[LW_GROUPS_MAX]; /* bit l: lane l */
};

#define LW_WIDTHS 5 /* of an access: 1, 2, 4, 8 and 16 bytes a lane */

/* How shared memory serves a warp. */
struct lw_bank_model {
    const char *name;         /* "NVIDIA", "AMD CDNA 3" */
    const char *evidence;     /* "measured on H200", "from AMD's documents", or measured on another
                             target, "measured on H200 (sm90), assumed for this target" */
    const char *disagreement; /* what other sources state instead; NULL: none is known */
    unsigned lanes;      /* of a warp: a power of two, at most 64; 32 or 64 where it is built in */
    unsigned banks;      /* a power of two, at most 64 */
    unsigned bank_bytes; /* bytes of the word that a bank moves at a time: 1, 2 or 4 */
    bool pairs;    /* a load of 8 or 16 bytes whose neighbouring lanes share addresses serves two
                            groups at once */
    bool ldmatrix; /* it has ldmatrix, in groups of 8 lanes */
    bool stmatrix; /* it has stmatrix, in groups of 8 lanes */
    /* By log2 of the bytes a lane; NULL: unknown which lanes are served together. */
    const struct lw_lane_groups *load[LW_WIDTHS], *store[LW_WIDTHS];
};

/* The bytes of one word of every bank: the most that a wavefront moves. */
unsigned lw_bank_model_row_bytes(const struct lw_bank_model *model);

/* A target. */
struct lw_hardware {
    const char *name;  /* "sm90" */
    unsigned lanes;    /* of a warp: those of its banks */
    const char *title; /* "NVIDIA Hopper" */
    const struct lw_bank_model *banks;
};

/* All targets, `*count` of them: NVIDIA's, then AMD's, each from old to new. */
const struct lw_hardware *lw_hardware_list(size_t *count);
/* The target of a name, also as "sm_90a", "cuda:90" or "hip:gfx942", or of a chip that has it, in
 * upper or lower case: "h100", "MI300X". NULL when there is none. */
const struct lw_hardware *lw_hardware_find(const char *name);
/* Writes a name as the table spells it, whether the table has it or not: "sm_91a" gives "sm91",
 * "h100" gives "sm90". Cut to `room` bytes with the NUL. */
void lw_hardware_normalize_name(char *buffer, size_t room, const char *name);
/* Hardware that a document describes. Its address must not change while it is used. */
struct lw_target {
    struct lw_hardware hardware; /* its pointers are to the members below */
    struct lw_bank_model model;
    struct lw_lane_groups load[LW_WIDTHS], store[LW_WIDTHS];
    char name[32], title[64], model_name[48], evidence[96], disagreement[400];
};
/* Makes a target of an object that was read from JSON. Fails with LW_ERROR_NAME on a member that a
 * target does not have, and with LW_ERROR_PARAMETER on a value that is missing or not legal; the
 * error's position is that of the value. */
bool lw_target_make(struct lw_target *target, const struct lw_value *object, struct lw_error *err);
const struct lw_hardware *lw_hardware_default(void); /* sm90; never NULL */
/* Whether a target is NVIDIA's; sets *number to its number, 90 for "sm90", and leaves it unchanged
 * for others. */
bool lw_hardware_sm(const struct lw_hardware *hardware, unsigned *number);
/* Whether a map's in-dim `lane` has as many lanes as a warp of the target. True when `target` is
 * NULL or there is no such dim; else fails with LW_ERROR_PARAMETER and both numbers. */
bool lw_hardware_check_lanes(const struct lw_hardware *target, const struct lw_map *map,
                             struct lw_error *err);

LW_END

#endif
