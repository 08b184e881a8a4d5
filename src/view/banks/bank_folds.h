#ifndef LANEWAY_BANK_FOLDS_H
#define LANEWAY_BANK_FOLDS_H

/* Equal instructions of an access as one row: instructions of one kind that need as many words of each bank. */

#include "view/view_parts.h"

/* Instructions that are equal. */
struct lw_bank_fold {
    uint64_t first; /* the number of the first of them, from 0 */
    uint64_t count;
    uint64_t warps; /* bit w: warp w executes one; those from 64 on are left out */
};

/* The rows of an access; all zeros: they have not been found yet. */
struct lw_bank_folds {
    uint64_t rows;
    struct lw_bank_fold *fold; /* `rows` of them; NULL: every instruction is a row of its own */
};

/* The most instructions among which equal ones are found; of a larger access each is a row, as the search would take
 * too long. */
#define LW_BANK_FOLDS_MAX 4096

/* Where the rows of an access are kept until its subjects are separated. (subject_access.c) */
struct lw_bank_folds *lw_subject_access_folds(struct lw_subject_access *access,
                                              enum lw_view_access which);
/* The rows of an access, found at the first call; NULL: there are no instructions, and the reason. */
const struct lw_bank_folds *lw_bank_folds_of(struct lw_subject_access *access,
                                             enum lw_view_access which, struct lw_error *err);
/* The first instruction of a row. */
uint64_t lw_bank_folds_first(const struct lw_bank_folds *folds, uint64_t row);

/* The most wavefronts of one group of lanes that move a word of any of these banks; more than 1 is a conflict. */
unsigned lw_banks_ways(const struct lw_wavefronts *all, uint64_t banks);

#endif
