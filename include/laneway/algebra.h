#ifndef LANEWAY_ALGEBRA_H
#define LANEWAY_ALGEBRA_H

/*
 * THE REST OF THE ALGEBRA
 *
 * layout.h makes linear layouts, multiplies them, composes and inverts them. Here is what compilers
 * do with them besides: taking one factor out of a product, forgetting dims, changing sizes, and
 * permuting the columns of one input dim.
 *
 * DIVISION undoes the product. An instruction moves a TILE: four registers to four consecutive
 * places, say. Does the layout begin with that tile, and what is left to loop over?
 *
 *     A = B * C          as a matrix [ B 0 ]      divideLeft(A, B) = C
 *                                    [ 0 C ]      divideRight(A, C) = B
 *
 *     A: register=1 -> 1, register=2 -> 2, lane=1 -> 8, lane=2 -> 4        (16 places)
 *     B: register=1 -> 1, register=2 -> 2                                   (4 places)
 *     C: register is of size 1,            lane=1 -> 2, lane=2 -> 1         (4 places)
 *
 * B's dims are dims of A; a dim that B lacks counts as one of size 1. C has all dims of A, so that
 * there is one answer at most.
 *
 * A QUOTIENT forgets dims that nothing happens in: over the dims D the layout is the identity, and
 * no other dim reaches into D or out of it. (register, lane) -> (register, lane) that leaves lanes
 * where they are is, divided by lane, a permutation of registers: no shuffle is needed.
 *
 * A COLUMN ACTION takes the bases of one input dim in a new order and perhaps leaves some out. Doing
 * the same to the values in the registers is a renaming; it costs nothing when the kernel runs.
 *
 *     action [2, 0, 1] on register = [1, 2, 4] gives register = [4, 1, 2];
 *     value i of the new order is old value 4*b0 + 1*b1 + 2*b2, with b0 b1 b2 the bits of i
 *
 * When a question has a right answer and it is "there is no such layout", a function returns false
 * with the code LW_ERROR_UNSUPPORTED and the reason as message; any other code is a wrong request.
 * Every `out` may be one of the inputs too.
 *
 * Source: LinearLayout.h, LinearLayout.cpp and LayoutUtils.cpp of Triton 3.7. Each function names
 * its original there and agrees with it, result for result; where the original ends the process,
 * the function here fails.
 */

#include "laneway/layout.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Making ---- */

/*
 * From bases alone: the size of an out-dim is the least power of two above all its numbers. `images`
 * has one row for each bit of the in-dims, with one number for each out-dim:
 *
 *     lane (8) with images {1, 0}, {3, 1}, {2, 0} into row, column: sizes 4 and 2
 *
 * Fails when the layout is not surjective then. (LinearLayout(bases, outDimNames))
 */
bool lw_layout_infer(struct lw_layout *out, const struct lw_dims *in, const char *const *outs,
                     int out_count, const uint64_t *images, struct lw_error *err);
/* The same dims, every basis 0. (zerosLike) */
void lw_layout_zeros_like(struct lw_layout *out, const struct lw_layout *layout);

/* ---- Asking ---- */

/* Equal but for the sizes of the out-dims. (equalIgnoringOutDimSizes) */
bool lw_layout_equal_but_sizes(const struct lw_layout *a, const struct lw_layout *b);
/* Are all bases of those in-dims 0 in those out-dims? Names that the layout lacks are of no account.
 * (sublayoutIsZero) */
bool lw_layout_sublayout_is_zero(const struct lw_layout *layout, const char *const *ins,
                                 int in_count, const char *const *outs, int out_count);
/* Is the layout from those in-dims to the out-dims of the same names the identity? Both sides must
 * have them, of equal sizes, in the same order. No names: true. (squareSublayoutIsIdentity) */
bool lw_layout_square_is_identity(const struct lw_layout *layout, const char *const *names,
                                  int count);
/* That, and no other dim reaches into them or out of them. (isTrivialOver) */
bool lw_layout_is_trivial_over(const struct lw_layout *layout, const char *const *names, int count);

/* ---- Dividing ---- */

/* C with B * C = A, and C with C * B = A. (divideLeft(A, B), divideRight(A, B)) */
bool lw_layout_divide_left(struct lw_layout *out, const struct lw_layout *a,
                           const struct lw_layout *b, struct lw_error *err);
bool lw_layout_divide_right(struct lw_layout *out, const struct lw_layout *a,
                            const struct lw_layout *b, struct lw_error *err);
/* The layout without those dims; there is none unless it is trivial over them. (quotient) */
bool lw_layout_quotient(struct lw_layout *out, const struct lw_layout *layout,
                        const char *const *names, int count, struct lw_error *err);

/* ---- Changing shape ---- */

/* One in-dim or out-dim, of the first one's name, for all of them. (flattenIns, flattenOuts) */
bool lw_layout_flatten_ins(struct lw_layout *out, const struct lw_layout *layout,
                           struct lw_error *err);
bool lw_layout_flatten_outs(struct lw_layout *out, const struct lw_layout *layout,
                            struct lw_error *err);
/* Side by side, a's dims first: L(x, y) = a(x) ^ b(y), the out-dims of a and b being the same; and
 * L(x) = (a(x), b(x)), the in-dims being the same. (concatIns, concatOuts) */
bool lw_layout_concat_ins(struct lw_layout *out, const struct lw_layout *a,
                          const struct lw_layout *b, struct lw_error *err);
bool lw_layout_concat_outs(struct lw_layout *out, const struct lw_layout *a,
                           const struct lw_layout *b, struct lw_error *err);
/* Makes one dim smaller: an in-dim loses its last bases; in an out-dim the numbers that no longer
 * fit become 0. `size` is a power of two, not above the dim's. (resizeInDim; resizeOutDim, which
 * upstream gives every out-dim the new size: the same for layouts of one out-dim) */
bool lw_layout_resize_in(struct lw_layout *out, const struct lw_layout *layout, const char *dim,
                         uint64_t size, struct lw_error *err);
bool lw_layout_resize_out(struct lw_layout *out, const struct lw_layout *layout, const char *dim,
                          uint64_t size, struct lw_error *err);
/* A new name. As upstream an in-dim also becomes the last one; an out-dim stays where it is.
 * (renameInDim) */
bool lw_layout_rename_in(struct lw_layout *out, const struct lw_layout *layout, const char *from,
                         const char *to, struct lw_error *err);
bool lw_layout_rename_out(struct lw_layout *out, const struct lw_layout *layout, const char *from,
                          const char *to, struct lw_error *err);
/* Drops the bases of one in-dim that are 0 everywhere. (removeZeroBasesAlongDim) */
bool lw_layout_remove_zeros(struct lw_layout *out, const struct lw_layout *layout, const char *dim,
                            struct lw_error *err);
/* Drops a dim of size 1. (unsqueezeIn, unsqueezeOut) */
bool lw_layout_unsqueeze_in(struct lw_layout *out, const struct lw_layout *layout, const char *dim,
                            struct lw_error *err);
bool lw_layout_unsqueeze_out(struct lw_layout *out, const struct lw_layout *layout, const char *dim,
                             struct lw_error *err);

/* ---- Column actions ---- */

/* A plain value. Basis i of the new dim is basis column[i] of the old one; no number is there
 * twice. (ColumnAction) */
struct lw_action {
    char dim[LW_NAME_MAX];
    int size_log2; /* bases of the dim that it acts on */
    int count;     /* bases that are kept */
    unsigned char column[LW_BITS_MAX];
};

bool lw_action_make(struct lw_action *action, const char *dim, int size_log2,
                    const uint64_t *columns, int count, struct lw_error *err);
bool lw_action_is_identity(const struct lw_action *action);
/* Acts on the dim of a layout that has it, of that size. (apply) */
bool lw_action_apply(struct lw_layout *out, const struct lw_action *action,
                     const struct lw_layout *layout, struct lw_error *err);
/* Which of the 2^size_log2 old values becomes value `i` of the 2^count new ones. */
uint64_t lw_action_source(const struct lw_action *action, uint64_t i);
/* The action that undoes this one, which must keep all bases. (inverse) */
bool lw_action_inverse(struct lw_action *out, const struct lw_action *action, struct lw_error *err);
/* First `action`, then `next`: basis i is basis action.column[next.column[i]]. Both are of one dim
 * and keep equally many. (action.leftCompose(next)) */
bool lw_action_left_compose(struct lw_action *out, const struct lw_action *action,
                            const struct lw_action *next, struct lw_error *err);
/* The action on the registers (the first in-dim) of `a` that brings b's bases to the front, or to
 * the end: if any order of registers makes divideLeft(a, b) or divideRight(a, b) possible then this
 * one does. There is none when a lacks a basis of b. (regPermForDivide) */
bool lw_action_for_divide(struct lw_action *out, const struct lw_layout *a,
                          const struct lw_layout *b, bool left, struct lw_error *err);
/* Drops the registers (the first in-dim) whose basis is 0. (actionRemoveBroadcastedRegs) */
bool lw_action_remove_broadcast(struct lw_action *out, const struct lw_layout *layout,
                                struct lw_error *err);
/* "ColumnAction([2, 0, 1], register, 3)", as upstream. */
void lw_action_print(struct lw_text *text, const struct lw_action *action);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
