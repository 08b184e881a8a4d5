#ifndef LANEWAY_VIEW_BANKS_H
#define LANEWAY_VIEW_BANKS_H

/* The parts of the banks view: its cells (view_banks.c), its explanations (explain_banks.c) and its texts
 * (banks_text.c). */

#include "view/banks/bank_folds.h"

/* Whether the view is of the whole access, not of one instruction. */
bool lw_banks_is_whole(const struct lw_view *view);
/* The instruction of a row; NULL: none. */
const struct lw_served *lw_banks_served(const struct lw_view *view, uint64_t row);

/* Whether an access is ldmatrix or stmatrix: a lane has the address of a row, and the data of the row are other
 * lanes'. */
bool lw_banks_is_matrix(const struct lw_access *access);
/* "ld.shared", "ldmatrix.x4.trans" */
void lw_banks_put_op(struct lw_text *text, const struct lw_instruction *instruction);
/* "st.shared 4 bytes, warp 0, registers 0-3, round 2 of 4" */
void lw_banks_put_instruction(struct lw_text *text, const struct lw_served *served);
/* The same of equal instructions, of which this is the first: "st.shared 4 bytes, warps 0-31, x 32" */
void lw_banks_put_fold(struct lw_text *text, const struct lw_served *served,
                       const struct lw_bank_fold *fold);
void lw_banks_put_cost(struct lw_text *text, uint64_t wavefronts, uint64_t ideal,
                       uint64_t conflicts);
void lw_banks_put_model(struct lw_text *text, const struct lw_plan *plan);
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

#endif
