#ifndef LANEWAY_ANALYSIS_ACCESS_PATH_H
#define LANEWAY_ANALYSIS_ACCESS_PATH_H

/*
 * Paths: a tensor from registers A through shared memory to registers B, instruction by
 * instruction. A path is a plan of stores, a plan of loads (plan.h), or both; or the exchange of a
 * conversion (conversion.h), which has both, in rounds. Its stores are numbered from 0, and so are
 * its loads. From it come the rows of a heat map of the banks, what a player of wavefronts draws,
 * and the verdict: a column of a 32 x 32 tile of f32 that 32 warps read from plain rows has
 *
 *     load: 1024 wavefronts, ideal 32: 32 words of one bank
 */

#include "laneway/conversion.h"

/* What a path is made of. All members are borrowed; store, load, or both are set. */
struct lw_path {
    const struct lw_plan *store, *load;
    const struct lw_conversion *conversion; /* whose exchange it is; NULL: through shared S */
};

/* The path of a conversion of kind LW_CONVERSION_SHARED, which it borrows. */
struct lw_path lw_path_of_conversion(const struct lw_conversion *conversion);
/* How many stores or loads it has, of all warps and rounds, with those that a predicate disables;
 * 0 where it has no plan. `op` is LW_ACCESS_STORE or LW_ACCESS_LOAD, as in all functions below. */
uint64_t lw_path_count(const struct lw_path *path, enum lw_access_op op);
/* Store or load number i, below that count. */
void lw_path_instruction(const struct lw_path *path, enum lw_access_op op, uint64_t i,
                         struct lw_instruction *out);

#define LW_INSTRUCTION_NAME_MAX 24 /* bytes of a name, with the NUL */
/* Writes the one name of an instruction of that hardware: "ld.32" and "st.128" by the bits of a
 * lane, "ldmatrix.x4", "stmatrix.x2.trans"; on AMD its own, "ds_read_b128". */
void lw_instruction_name(const struct lw_hardware *hardware,
                         const struct lw_instruction *instruction,
                         char name[LW_INSTRUCTION_NAME_MAX]);

/* Instructions that are equal up to the order of the banks. */
struct lw_fold {
    enum lw_access_op op; /* LW_ACCESS_STORE or LW_ACCESS_LOAD, also of matrices */
    char name[LW_INSTRUCTION_NAME_MAX];
    unsigned width;      /* bytes a lane; of matrices 16 */
    unsigned matrices;   /* of ldmatrix and stmatrix 1, 2 or 4; else 0 */
    uint64_t count;      /* how many there are */
    uint64_t first;      /* the number of the first of them, among the stores or the loads */
    struct lw_cost cost; /* of one */
    unsigned banks;      /* that serve it */
    unsigned most; /* words of one bank that one group of lanes needs at most; 1: no conflict */
    unsigned char words[LW_BANKS_MAX]; /* of the first of them, by bank: as `most` */
};

/* The folds of a path, the worst first: by the conflicts of one, then by the wavefronts of all,
 * then loads before stores. Free them with lw_folds_free. */
struct lw_folds {
    size_t count;
    struct lw_fold *fold;
};

/* The most instructions of a path whose layouts are not linear: each of them is examined. */
#define LW_FOLDS_MAX ((uint64_t)1 << 16)

/* Finds the folds of a path. Instructions that no lane executes are in none. Fails with
 * LW_ERROR_LIMIT on over LW_FOLDS_MAX instructions that are not linear, and with LW_ERROR_MEMORY;
 * there is then nothing to free. */
bool lw_folds_make(struct lw_folds *folds, const struct lw_path *path, struct lw_error *err);
/* The fold of an instruction; NULL: no lane executes it. */
const struct lw_fold *lw_folds_of(const struct lw_folds *folds, const struct lw_path *path,
                                  enum lw_access_op op, uint64_t i);
void lw_folds_free(struct lw_folds *folds);

/* An element that an instruction moves. */
struct lw_moved {
    uint64_t element;   /* its flat number (dims.h) in the tensor of the registers */
    uint64_t reg;       /* the register of the lane that it is in */
    uint64_t offset;    /* in memory, in elements, padding included; of an exchange, in a round */
    unsigned lane;      /* that has the element: of ldmatrix, that receives it */
    unsigned wavefront; /* that moves it, from 0 */
};

#define LW_MOVED_MAX (LW_WARP_MAX * 128) /* elements of one instruction: 128 bits a lane */

/* Writes the elements that an instruction moves, at most `room` of them, lane by lane, those of a
 * lane in the order of its registers, with the wavefronts of lw_access_wavefronts. Returns how many
 * there are. */
size_t lw_path_moved(const struct lw_path *path, enum lw_access_op op, uint64_t i,
                     struct lw_moved *moved, size_t room);
/* Writes the numbers of the instructions that move an element, an index of the registers' tensor,
 * at most `room` of them, in ascending order: one for each warp that has a copy of it. Returns how
 * many were written. Of an element with more than 65,536 owners the first of these are examined. */
size_t lw_path_find(const struct lw_path *path, enum lw_access_op op, const uint64_t *out,
                    uint64_t *numbers, size_t room);

/* The sum of all stores or loads, of all rounds; NULL where the path has no plan. */
const struct lw_plan_total *lw_path_total(const struct lw_path *path, enum lw_access_op op);
/* Whether no instruction of a path has a conflict. */
bool lw_path_is_free(const struct lw_path *path);
/* Appends the verdict in one sentence: "store 32, load 32 wavefronts: no conflicts", or what the
 * worst instruction suffers from, as above; without the reason where `folds` is NULL. */
void lw_path_put_verdict(struct lw_text *text, const struct lw_path *path,
                         const struct lw_folds *folds);

#endif
