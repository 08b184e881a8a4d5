#ifndef LANEWAY_LAYOUT_H
#define LANEWAY_LAYOUT_H

/*
 * LINEAR LAYOUTS
 *
 * A GPU kernel holds a tensor in pieces: each register of each lane of each warp has one element.
 * A layout states which. It is a function from a hardware index to an index of the tensor,
 * (register, lane) -> (dim0, dim1). Here is one of a tensor of 4 rows and 4 columns, in 4 lanes of
 * 4 registers, with most entries missing; a cell has the (row, column) that it holds:
 *
 *                   lane 0    lane 1    lane 2    lane 3
 *     register 0    (0,0)     (1,1)     (2,2)       ?
 *     register 1    (0,1)       ?         ?         ?
 *     register 2    (0,2)       ?         ?         ?
 *     register 3      ?         ?         ?         ?
 *
 * THE ONE RULE. Let ^ be xor, bit by bit. Then for a linear layout L
 *
 *     L(a ^ b) = L(a) ^ L(b)
 *
 * where xor acts on each dim alone: (1,2) ^ (3,0) is (2,2). So L of register 0, lane 0 is (0,0);
 * and as every number is a xor of powers of two, the values at the powers of two determine all
 * others. By hand, with L(register, lane) and the four values that the table gives:
 *
 *     register 3, lane 0:  L(1,0) ^ L(2,0) = (0,1) ^ (0,2)                 = (0,3)
 *     register 0, lane 3:  L(0,1) ^ L(0,2) = (1,1) ^ (2,2)                 = (3,3)
 *     register 1, lane 1:  L(1,0) ^ L(0,1) = (0,1) ^ (1,1)                 = (1,0)
 *     register 3, lane 2:  L(1,0) ^ L(2,0) ^ L(0,2) = (0,1) ^ (0,2) ^ (2,2) = (2,1)
 *
 * The full table, filled in the same way:
 *
 *                   lane 0    lane 1    lane 2    lane 3
 *     register 0    (0,0)     (1,1)     (2,2)     (3,3)
 *     register 1    (0,1)     (1,0)     (2,3)     (3,2)
 *     register 2    (0,2)     (1,3)     (2,0)     (3,1)
 *     register 3    (0,3)     (1,2)     (2,1)     (3,0)
 *
 * The four values given are the BASES of the layout: each is the image of one bit of the input.
 * They are all that is stored.
 *
 * WHY IT IS USEFUL. Lane i holds row i, its columns xored with i: register j of all the lanes
 * together is a row of the table that touches every row and every column of the tensor once. Store
 * the tensor that way in a memory of four banks, one bank a column, and both a row and a column can
 * be read with no two lanes in one bank. This is swizzling; here it needs no special case. The
 * fragments of tensor cores, blocked tiles, transposes, slices, broadcasts and swizzled shared
 * memory are all such tables of bases, so one function composes them, one inverts them, and
 * "how does this tensor get from that layout to this one?" has one answer: L2^-1 after L1.
 *
 *     bases of lane      lanes 0 1 2 3 4 5 6 7 hold
 *     [1, 2, 4]          0 1 2 3 4 5 6 7     the identity
 *     [4, 2, 1]          0 4 2 6 1 5 3 7     bits reversed
 *     [0, 1, 2]          0 0 1 1 2 2 3 3     broadcast: not injective, elements are replicated
 *     [2, 4, 8]          0 2 4 6 8 10 ...    not surjective: odd elements have no owner
 *     [1, 3, 7]          0 1 3 2 7 6 4 5     a swizzle
 *
 * THE MATHEMATICS (not needed to use the library). Write a point of the input as one vector of
 * bits, the first dim's in the low bits, and the output likewise. Over the field F2, whose addition
 * is xor, L is a matrix with one column for each input bit: its basis. Surjective means rank =
 * rows, injective means rank = columns; the null space is the set of inputs that map to zero, so
 * the owners of an element are one owner xor each vector of the null space. Composing is
 * multiplying matrices. In memory a column is one `uint64_t`:
 *
 *     layout.basis[i] = image of input bit i, the first output dim in its low bits
 *
 * All sizes are powers of two; there are at most 64 bits on either side. Layouts of other sizes are
 * maps (map.h) but not linear layouts.
 *
 * Source: the paper arXiv 2505.23819. Each function names the method of Triton's LinearLayout class
 * (release 3.7) that it agrees with, result for result.
 */

#include "laneway/dims.h"
#include "laneway/f2.h"
#include "laneway/text.h"

LW_BEGIN

/* A plain value: copy it, keep it on the stack, compare it with lw_layout_equal. */
struct lw_layout {
    struct lw_dims in;           /* sizes are powers of two, at most 2^64 points together */
    struct lw_dims out;          /* the same */
    uint64_t basis[LW_BITS_MAX]; /* for each input bit its image, a flat number (dims.h) of `out` */
};

/* ---- Making ---- Every `out` argument of this header may be one of the inputs too; what is there
 * after a failure is undefined. These failures are common to all functions: a dim name that is not
 * legal or used twice (LW_ERROR_NAME), more than LW_DIMS_MAX dims or over 64 bits on a side
 * (LW_ERROR_LIMIT), a size that is no power of two (LW_ERROR_SHAPE). */

/* No dims at all: the neutral element of the product. (LinearLayout::empty) */
void lw_layout_empty(struct lw_layout *out);
/* L(x) = x, from dim `in_dim` to dim `out_dim`, both of `size`, a power of two from 1 to 2^63. A
 * size of 0 gives the layout without dims, as upstream. (identity1D) */
bool lw_layout_identity(struct lw_layout *out, uint64_t size, const char *in_dim,
                        const char *out_dim, struct lw_error *err);
/* L(x) = stride * x; the output has stride * size points, a power of two up to 2^63, so `stride` is
 * one too. `size` as for lw_layout_identity. (strided1D) */
bool lw_layout_strided(struct lw_layout *out, uint64_t size, uint64_t stride, const char *in_dim,
                       const char *out_dim, struct lw_error *err);
/* L(x) = 0, with an output of `out_size` points, a power of two from 1 to 2^63. `size` as for
 * lw_layout_identity. (zeros1D) */
bool lw_layout_zeros(struct lw_layout *out, uint64_t size, const char *in_dim, const char *out_dim,
                     uint64_t out_size, struct lw_error *err);
/* A layout of these dims with all bases zero, to be filled with lw_layout_set_basis. */
bool lw_layout_of_dims(struct lw_layout *out, const struct lw_dims *in, const struct lw_dims *outs,
                       struct lw_error *err);
/* Sets the image of bit `bit` of in-dim number `dim`: one number for each out-dim. `dim` and `bit`
 * must be in range. Fails with LW_ERROR_PARAMETER when a number is not below its out-dim's size;
 * the layout is then unchanged. */
bool lw_layout_set_basis(struct lw_layout *layout, int dim, int bit, const uint64_t *image,
                         struct lw_error *err);

/* ---- Queries ---- */

/* log2 of the number of inputs, 0 to 64: the columns of the matrix. (getTotalInDimSizeLog2) */
int lw_layout_in_bits(const struct lw_layout *layout);
/* log2 of the number of outputs, 0 to 64: the rows of the matrix. (getTotalOutDimSizeLog2) */
int lw_layout_out_bits(const struct lw_layout *layout);
/* log2 of the size of in-dim number `dim`, which is in range, here and below. (getInDimSizeLog2) */
int lw_layout_in_log2(const struct lw_layout *layout, int dim);
/* The lowest bit of in-dim number `dim` in the flat number of an input. */
int lw_layout_in_shift(const struct lw_layout *layout, int dim);
int lw_layout_out_log2(const struct lw_layout *layout, int dim);  /* the same of out-dims */
int lw_layout_out_shift(const struct lw_layout *layout, int dim); /* the same of out-dims */
/* Basis `bit` of in-dim number `dim`, as one number for each out-dim. (getBasis) */
void lw_layout_basis(const struct lw_layout *layout, int dim, int bit, uint64_t *image);
/* The image of a point; `in` has one number for each in-dim, below its size, and `out` gets one for
 * each out-dim. (apply) */
void lw_layout_apply(const struct lw_layout *layout, const uint64_t *in, uint64_t *out);
/* The image of a flat input, as a flat output. `in` is below 2^lw_layout_in_bits. */
uint64_t lw_layout_apply_flat(const struct lw_layout *layout, uint64_t in);

/* The matrix of the layout: its columns are the bases. */
void lw_layout_matrix(const struct lw_layout *layout, struct lw_matrix *out);
/* The rank of the matrix: log2 of how many outputs have an input. */
int lw_layout_rank(const struct lw_layout *layout);
bool lw_layout_is_surjective(const struct lw_layout *layout); /* every output has an input */
bool lw_layout_is_injective(const struct lw_layout *layout);  /* no output has two inputs */
bool lw_layout_is_invertible(const struct lw_layout *layout); /* both */
/* Whether dims (names, sizes, order) and bases are equal. (operator==) */
bool lw_layout_equal(const struct lw_layout *a, const struct lw_layout *b);
/* The largest power of two n such that any n inputs, aligned to n along the first in-dim, map to n
 * consecutive outputs along the first out-dim, aligned to n: the elements of one vector access. 1
 * when either side has no dims. (getNumConsecutiveInOut) */
uint64_t lw_layout_consecutive(const struct lw_layout *layout);
/* Sets masks[d], for each in-dim d, to its bits whose basis depends on the bases before it: with
 * these bits 0 the layout still has the same images. (getFreeVariableMasks) */
void lw_layout_free_masks(const struct lw_layout *layout, uint64_t *masks);

/* ---- Combining ---- */

/* a * b: of dims that both have a's bits are the low ones and b's the high ones; other dims
 * are kept, a's first. Where the two orders of dims contradict each other, the dim
 * that comes sooner in the other list goes first, a's on a tie, as upstream. (operator*) */
bool lw_layout_product(struct lw_layout *out, const struct lw_layout *a, const struct lw_layout *b,
                       struct lw_error *err);
/* outer after inner: x -> outer(inner(x)). Fails with LW_ERROR_SHAPE unless inner's out-dims
 * have the names of outer's in-dims, in any order, and are not larger. (inner.compose(outer)) */
bool lw_layout_compose(struct lw_layout *out, const struct lw_layout *inner,
                       const struct lw_layout *outer, struct lw_error *err);
/* The inverse, from the out-dims to the in-dims. Fails with LW_ERROR_SHAPE unless both sides have
 * equally many points and the rank is full. (invert) */
bool lw_layout_invert(struct lw_layout *out, const struct lw_layout *layout, struct lw_error *err);
/* The least input of each output, from the out-dims to the in-dims. Fails with LW_ERROR_SHAPE
 * unless the layout is surjective. (pseudoinvert) */
bool lw_layout_pseudoinvert(struct lw_layout *out, const struct lw_layout *layout,
                            struct lw_error *err);
/* Which in-dims map to themselves: those with the same bases in both layouts, and ... */
enum lw_identity_rule {
    LW_IDENTITY_SIZED, /* when the out-dims of both have the same sizes: Triton up to 3.7 */
    LW_IDENTITY_ANY,   /* in any case: Triton 3.8 */
    /* when they touch no bit of the tensor that another in-dim of `outer` touches, and the rest has
     * a solution without them: Triton 3.9 */
    LW_IDENTITY_APART
};
/*
 * C with outer(C(x)) = layout(x): the index in `outer` of the element that x has in `layout`.
 *
 *     registers: (register, lane) -> tensor     memory: (offset) -> tensor
 *     registers.invertAndCompose(memory): (register, lane) -> offset
 *
 * When several offsets hold the element the least is taken, except that an in-dim with the same
 * bases in both maps to itself. Fails with LW_ERROR_SHAPE when an element of `layout` is not in
 * `outer`, or their out-dims differ in name, or one of `layout` is larger.
 *
 * When all in-dims of one of the two have the same bases in the other, and not vice versa, an
 * assertion of Triton fails; without assertions it has this result.
 * (layout.invertAndCompose(outer))
 */
bool lw_layout_invert_and_compose(struct lw_layout *out, const struct lw_layout *layout,
                                  const struct lw_layout *outer, enum lw_identity_rule rule,
                                  struct lw_error *err);

/* ---- Reshaping ---- */

/* The in-dims in another order: `names` has all of them. Fails with LW_ERROR_NAME on another name.
 * (transposeIns) */
bool lw_layout_transpose_ins(struct lw_layout *out, const struct lw_layout *layout,
                             const char *const *names, struct lw_error *err);
/* The out-dims in another order, as lw_layout_transpose_ins. (transposeOuts) */
bool lw_layout_transpose_outs(struct lw_layout *out, const struct lw_layout *layout,
                              const char *const *names, struct lw_error *err);
/* The same flat numbers split into other in-dims. Fails with LW_ERROR_SHAPE when these have another
 * number of points. (reshapeIns) */
bool lw_layout_reshape_ins(struct lw_layout *out, const struct lw_layout *layout,
                           const struct lw_dims *dims, struct lw_error *err);
/* The same flat numbers split into other out-dims, as lw_layout_reshape_ins. (reshapeOuts) */
bool lw_layout_reshape_outs(struct lw_layout *out, const struct lw_layout *layout,
                            const struct lw_dims *dims, struct lw_error *err);
/* Only these in-dims, the others being 0, and only these out-dims, the others left out; both in the
 * layout's own order. Fails with LW_ERROR_NAME on a name that the layout lacks. (sublayout) */
bool lw_layout_sublayout(struct lw_layout *out, const struct lw_layout *layout,
                         const char *const *ins, int in_count, const char *const *outs,
                         int out_count, struct lw_error *err);

/* ---- Text ---- */

/* Appends the layout in Triton's own form:
 *
 *      - lane=1 -> (2, 0)
 *        lane=2 -> (4, 0)
 *      - warp is a size 1 dimension
 *     where out dims are: [dim0 (size 8), dim1 (size 1)]
 *
 * with a newline before it and none after it, as there. (toString) */
void lw_layout_print(struct lw_text *text, const struct lw_layout *layout);

LW_END

#endif
