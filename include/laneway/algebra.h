#ifndef LANEWAY_ALGEBRA_H
#define LANEWAY_ALGEBRA_H

/*
 * THE REST OF THE ALGEBRA of linear layouts, for compilers: taking one factor out of a product,
 * removing dims, changing sizes, and permuting the columns of one input dim.
 *
 * DIVISION undoes the product. An instruction moves a TILE, for example four registers to four
 * consecutive offsets. Does the layout begin with that tile, and what is left to loop over?
 *
 *     A = B * C          as a matrix [ B 0 ]      divideLeft(A, B) = C
 *                                    [ 0 C ]      divideRight(A, C) = B
 *
 *     A: register=1 -> 1, register=2 -> 2, lane=1 -> 8, lane=2 -> 4        (16 offsets)
 *     B: register=1 -> 1, register=2 -> 2                                   (4 offsets)
 *     C: register is of size 1,            lane=1 -> 2, lane=2 -> 1         (4 offsets)
 *
 * B's dims are dims of A; a dim that B lacks counts as one of size 1. C has all dims of A, so that
 * there is one answer at most.
 *
 * A QUOTIENT removes dims over which the layout is TRIVIAL: from the dims D to the dims D it is the
 * identity, no other in-dim moves D, and no dim of D moves another out-dim. A conversion
 * (register, lane) -> (register, lane) that keeps every element in its lane is trivial over lane;
 * without lane it is a permutation of registers, so no shuffle is needed.
 *
 * A COLUMN ACTION puts the bases of one input dim in a new order and may leave some out: [2, 0, 1]
 * on register = [1, 2, 4] gives register = [4, 1, 2]. Of registers it only renames values.
 *
 * Where no such layout exists a function fails with LW_ERROR_UNSUPPORTED and the reason; any other
 * code means that the request is not valid. `out` arguments and common failures: as in layout.h.
 *
 * Source: LinearLayout.h, LinearLayout.cpp and LayoutUtils.cpp of Triton 3.7. Each function names
 * its original there and agrees with it, result for result; where the original aborts, the function
 * here fails.
 */

#include "laneway/layout.h"

LW_BEGIN

/* ---- Making ---- */

/* From bases alone: the size of an out-dim is the least power of two above all its numbers.
 * `images` has one row for each bit of the in-dims, the first dim's first, with one number for each
 * of the `out_count` out-dims. lane (8) with images {1, 0}, {3, 1}, {2, 0} into row, column has
 * sizes 4 and 2. LW_ERROR_SHAPE unless it is surjective. (LinearLayout(bases, outDimNames)) */
bool lw_layout_infer(struct lw_layout *out, const struct lw_dims *in, const char *const *outs,
                     int out_count, const uint64_t *images, struct lw_error *err);

/* ---- Queries ---- */

/* Whether the two are equal except for the sizes of the out-dims. (equalIgnoringOutDimSizes) */
bool lw_layout_equal_but_sizes(const struct lw_layout *a, const struct lw_layout *b);
/* Whether all bases of these in-dims are 0 in these out-dims. Names that the layout lacks are
 * ignored. (sublayoutIsZero) */
bool lw_layout_sublayout_is_zero(const struct lw_layout *layout, const char *const *ins,
                                 int in_count, const char *const *outs, int out_count);
/* Whether the layout from these in-dims to the out-dims of the same names is the identity, both of
 * equal sizes, in the same order. True of no names. (squareSublayoutIsIdentity) */
bool lw_layout_square_is_identity(const struct lw_layout *layout, const char *const *names,
                                  int count);
/* Whether lw_layout_square_is_identity is true, no other in-dim moves these out-dims, and these
 * in-dims move no other out-dim. (isTrivialOver) */
bool lw_layout_is_trivial_over(const struct lw_layout *layout, const char *const *names, int count);

/* ---- Dividing ---- */

/* C with b * C = a. Fails with LW_ERROR_UNSUPPORTED, naming the basis or dim, when no C exists.
 * (divideLeft(a, b)) */
bool lw_layout_divide_left(struct lw_layout *out, const struct lw_layout *a,
                           const struct lw_layout *b, struct lw_error *err);
/* C with C * b = a, as lw_layout_divide_left. (divideRight(a, b)) */
bool lw_layout_divide_right(struct lw_layout *out, const struct lw_layout *a,
                            const struct lw_layout *b, struct lw_error *err);
/* The layout without these dims, on both sides. Fails with LW_ERROR_UNSUPPORTED unless it is
 * trivial over them. (quotient) */
bool lw_layout_quotient(struct lw_layout *out, const struct lw_layout *layout,
                        const char *const *names, int count, struct lw_error *err);

/* ---- Changing shape ---- */

/* All in-dims made one, with the name of the first; none stay none. Fails with LW_ERROR_LIMIT
 * when its size would be over 2^63. (flattenIns) */
bool lw_layout_flatten_ins(struct lw_layout *out, const struct lw_layout *layout,
                           struct lw_error *err);
/* All out-dims made one, as lw_layout_flatten_ins. (flattenOuts) */
bool lw_layout_flatten_outs(struct lw_layout *out, const struct lw_layout *layout,
                            struct lw_error *err);
/* L(x, y) = a(x) ^ b(y), a's in-dims first. Fails with LW_ERROR_SHAPE unless the out-dims of a
 * and b are equal, and with LW_ERROR_NAME when they share an in-dim. (concatIns) */
bool lw_layout_concat_ins(struct lw_layout *out, const struct lw_layout *a,
                          const struct lw_layout *b, struct lw_error *err);
/* L(x) = (a(x), b(x)), a's out-dims first. Fails with LW_ERROR_SHAPE unless the in-dims of a and
 * b are equal, and with LW_ERROR_NAME when they share an out-dim. (concatOuts) */
bool lw_layout_concat_outs(struct lw_layout *out, const struct lw_layout *a,
                           const struct lw_layout *b, struct lw_error *err);
/* Makes an in-dim smaller: its last bases are removed. `size` is a power of two, not above the
 * dim's, else LW_ERROR_SHAPE; a dim that the layout lacks is LW_ERROR_NAME, here and below.
 * (resizeInDim) */
bool lw_layout_resize_in(struct lw_layout *out, const struct lw_layout *layout, const char *dim,
                         uint64_t size, struct lw_error *err);
/* Makes an out-dim smaller: numbers of bases that no longer fit become 0. `size` as above. Upstream
 * gives every out-dim the new size, which is the same for layouts of one out-dim. (resizeOutDim) */
bool lw_layout_resize_out(struct lw_layout *out, const struct lw_layout *layout, const char *dim,
                          uint64_t size, struct lw_error *err);
/* Gives an in-dim another name and, as upstream, moves it to the end. (renameInDim) */
bool lw_layout_rename_in(struct lw_layout *out, const struct lw_layout *layout, const char *from,
                         const char *to, struct lw_error *err);
/* Gives an out-dim another name; the order of the dims does not change. */
bool lw_layout_rename_out(struct lw_layout *out, const struct lw_layout *layout, const char *from,
                          const char *to, struct lw_error *err);
/* Removes the bases of an in-dim that are 0 in all out-dims; the dim stays, of a smaller size.
 * (removeZeroBasesAlongDim) */
bool lw_layout_remove_zeros(struct lw_layout *out, const struct lw_layout *layout, const char *dim,
                            struct lw_error *err);
/* Removes an in-dim of size 1; another size is LW_ERROR_SHAPE. (unsqueezeIn) */
bool lw_layout_unsqueeze_in(struct lw_layout *out, const struct lw_layout *layout, const char *dim,
                            struct lw_error *err);
/* Removes an out-dim of size 1; another size is LW_ERROR_SHAPE. (unsqueezeOut) */
bool lw_layout_unsqueeze_out(struct lw_layout *out, const struct lw_layout *layout, const char *dim,
                             struct lw_error *err);

/* A column action: basis i of the new dim is basis column[i] of the old one. (ColumnAction) */
struct lw_action {
    char dim[LW_NAME_MAX];             /* the in-dim that it acts on */
    int size_log2;                     /* how many bases that dim has, 0 to LW_BITS_MAX */
    int count;                         /* how many of them are kept, 0 to size_log2 */
    unsigned char column[LW_BITS_MAX]; /* `count` distinct numbers below size_log2 */
};

LW_END

#endif
