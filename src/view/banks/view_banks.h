#ifndef LANEWAY_VIEW_BANKS_H
#define LANEWAY_VIEW_BANKS_H

/* The parts of the banks view: its cells (view_banks.c), its texts and explanations (explain_banks.c); equal
 * instructions (bank_folds.c); and a whole plan in text (explain_plan.c). */

#include "view/view_parts.h"

/* ---- Equal instructions of an access as one row (bank_folds.c) ---- */

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

/* The most wavefronts of one group of lanes that move a word of a bank; more than 1 is a conflict. */
unsigned lw_banks_ways(const struct lw_wavefronts *all, int bank);

/* ---- The view ---- */

/* Whether the view is of the whole access, not of one instruction. */
bool lw_banks_is_whole(const struct lw_view *view);
/* The instruction of a row; NULL: none. */
const struct lw_served *lw_banks_served(const struct lw_view *view, uint64_t row);

/* "ld.shared", "ldmatrix.x4.trans" */
void lw_banks_put_op(struct lw_text *text, const struct lw_instruction *instruction);
/* "st.shared 4 bytes, warp 0, registers 0-3, round 2 of 4" */
void lw_banks_put_instruction(struct lw_text *text, const struct lw_served *served);
/* The same of equal instructions, of which this is the first: "st.shared 4 bytes, warps 0-31, x 32" */
void lw_banks_put_fold(struct lw_text *text, const struct lw_served *served,
                       const struct lw_bank_fold *fold);
/* As of struct lw_view_type. */
void lw_banks_caption(const struct lw_view *view, struct lw_text *text);
void lw_banks_legend(const struct lw_view *view, struct lw_text *text);

#define LW_RANGES_MAX 3 /* of a set of lanes in a text */
/* The lanes that a wavefront serves in a bank. (explain_banks.c) */
uint64_t lw_banks_lanes(const struct lw_served *served, const struct lw_wavefront *wavefront,
                        int bank);
/* How many banks serve an instruction. (explain_banks.c) */
unsigned lw_banks_serving(const struct lw_served *served, const struct lw_bank_model *model);
/* Explains an instruction, and of it a wavefront (NULL: all of them), a bank (-1: none) and an element (NULL: none);
 * when lanes conflict in the bank, or else in the first bank where they do, adds the reason in the line "because", and
 * an empty line "better". */
void lw_banks_explain(const struct lw_view *view, const struct lw_served *served,
                      const struct lw_wavefront *wavefront, int bank, const struct lw_spot *spot,
                      struct lw_explanation *explanation);

/* ---- A whole access plan in text (explain_plan.c) ---- */

/* Appends the title of the plan of stores or loads, which has been made: "store, 4 warps", and of a conversion "each
 * round" where it takes several. */
void lw_put_access_title(struct lw_text *text, struct lw_subject_access *access,
                         enum lw_access_op op);
/* Adds the lines "total", "plain instead" or "by hand" (the other way, if there is one) and "Triton's own estimate"
 * (where Triton has one); of a conversion only "total", or "all rounds" where it takes several. */
void lw_explain_access_cost(struct lw_subject_access *access, enum lw_access_op op,
                            struct lw_explanation *explanation);
/* Adds the lines "rule", "banks", "but" (where sources disagree), "ideal" and "not covered". */
void lw_explain_plan_rule(const struct lw_plan *plan, struct lw_explanation *explanation);

#endif
