#ifndef LANEWAY_LAYOUT_H
#define LANEWAY_LAYOUT_H

/*
 * LINEAR LAYOUTS
 *
 * A GPU kernel holds a tensor in pieces: each register of each lane of each warp has one element.
 * A layout says which. It is a function from a place in the hardware to an index of the tensor:
 *
 *     (register, lane) -> (dim0, dim1)
 *
 * Take a tensor of 4 rows and 4 columns, held by 4 lanes with 4 registers each. Here is its table,
 * with most entries missing; (row, column) stands where register and lane meet:
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
 * where xor acts on each dim alone: (1,2) ^ (3,0) is (2,2). So L of nothing, register 0 of lane 0,
 * is (0,0), and every number, being a xor of powers of two, follows from the powers of two alone.
 *
 * FOUR ENTRIES BY HAND. The table gives L at register 1 and 2 and at lane 1 and 2. Then
 *
 *     register 3, lane 0:  L(1,0) ^ L(2,0) = (0,1) ^ (0,2)                 = (0,3)
 *     register 0, lane 3:  L(0,1) ^ L(0,2) = (1,1) ^ (2,2)                 = (3,3)
 *     register 1, lane 1:  L(1,0) ^ L(0,1) = (0,1) ^ (1,1)                 = (1,0)
 *     register 3, lane 2:  L(1,0) ^ L(2,0) ^ L(0,2) = (0,1) ^ (0,2) ^ (2,2) = (2,1)
 *
 * THE FULL TABLE, filled in the same way:
 *
 *                   lane 0    lane 1    lane 2    lane 3
 *     register 0    (0,0)     (1,1)     (2,2)     (3,3)
 *     register 1    (0,1)     (1,0)     (2,3)     (3,2)
 *     register 2    (0,2)     (1,3)     (2,0)     (3,1)
 *     register 3    (0,3)     (1,2)     (2,1)     (3,0)
 *
 * The four values given are the BASES of the layout. Each basis is the image of one bit of the
 * input; they are all that is stored.
 *
 * WHY IT IS USEFUL. Lane i holds row i, its columns xored with i: register j of all the lanes
 * together is a row of the table that touches every row and every column of the tensor once. Store
 * the tensor that way in a memory of four banks, one bank a column, and both a row and a column can
 * be read with no two lanes in one bank. This is swizzling; here it needs no case of its own. The
 * fragments of tensor cores, blocked tiles, transposes, slices, broadcasts and swizzled shared
 * memory are all such tables of bases, so one function composes them, one inverts them, and
 * "how does this tensor get from that layout to this one?" has one answer: L2^-1 after L1.
 *
 * From dull to surprising, with one output dim:
 *
 *     bases of lane      the lanes 0 1 2 3 4 5 6 7 hold
 *     [1, 2, 4]          0 1 2 3 4 5 6 7     the identity
 *     [4, 2, 1]          0 4 2 6 1 5 3 7     bits reversed
 *     [0, 1, 2]          0 0 1 1 2 2 3 3     lane bit 0 does not matter: broadcast
 *     [2, 4, 8]          0 2 4 6 8 10 ...    odd elements in nobody's hands: not surjective
 *     [1, 3, 7]          0 1 3 2 7 6 4 5     a swizzle of its own
 *
 * Several inputs may hold one element (then L is not injective: the element is replicated), and an
 * element may be held by none (then L is not surjective).
 *
 * THE MATHEMATICS (skip it and lose nothing). Write a point of the input as one vector of bits, the
 * first dim's in the low places, and the output likewise. Over the field F2, whose addition is xor,
 * the rule says that L is a linear map: a matrix with one column for each input bit. The column is
 * the basis. Surjective means rank = rows, injective means rank = columns; the kernel of the matrix
 * is the set of inputs that change nothing, so the owners of an element are one of them xor the
 * kernel. Composing is multiplying matrices. And in the machine, a column is one `uint64_t`:
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

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* A plain value: copy it, keep it on the stack, compare it with lw_layout_equal. All sizes in `in`
 * and `out` are powers of two with at most 64 bits together on a side. */
struct lw_layout {
    struct lw_dims in;
    struct lw_dims out;
    uint64_t basis[LW_BITS_MAX];
};

/* ---- Making ----
 * Every `out` argument of this header may be one of the inputs too. */

/* No dims at all: the neutral element of the product. (LinearLayout::empty) */
void lw_layout_empty(struct lw_layout *out);
/* L(x) = x, from dim `in_dim` to `out_dim`, both of `size`. (identity1D) */
bool lw_layout_identity(struct lw_layout *out, uint64_t size, const char *in_dim,
                        const char *out_dim, struct lw_error *err);
/* L(x) = stride * x; the output has stride * size points. (strided1D) */
bool lw_layout_strided(struct lw_layout *out, uint64_t size, uint64_t stride, const char *in_dim,
                       const char *out_dim, struct lw_error *err);
/* L(x) = 0, with an output of `out_size` points. (zeros1D) */
bool lw_layout_zeros(struct lw_layout *out, uint64_t size, const char *in_dim, const char *out_dim,
                     uint64_t out_size, struct lw_error *err);
/* A layout of those dims with all bases zero, to be filled with lw_layout_set_basis. */
bool lw_layout_of_dims(struct lw_layout *out, const struct lw_dims *in, const struct lw_dims *outs,
                       struct lw_error *err);
/* Sets basis `bit` of in-dim `dim`: the image, one number for each out-dim. Fails when a number is
 * not below its dim's size. */
bool lw_layout_set_basis(struct lw_layout *layout, int dim, int bit, const uint64_t *image,
                         struct lw_error *err);

/* ---- Asking ---- */

int lw_layout_in_bits(const struct lw_layout *layout);  /* log2 of the inputs: columns */
int lw_layout_out_bits(const struct lw_layout *layout); /* log2 of the outputs: rows */
/* log2 of one dim's size, and where its bits start in the flat number. */
int lw_layout_in_log2(const struct lw_layout *layout, int dim);
int lw_layout_in_shift(const struct lw_layout *layout, int dim);
int lw_layout_out_log2(const struct lw_layout *layout, int dim);
int lw_layout_out_shift(const struct lw_layout *layout, int dim);
/* Basis `bit` of in-dim `dim`, as one number for each out-dim. (getBasis) */
void lw_layout_basis(const struct lw_layout *layout, int dim, int bit, uint64_t *image);
/* The image of a point; `in` has one number for each in-dim, below its size. (apply) */
void lw_layout_apply(const struct lw_layout *layout, const uint64_t *in, uint64_t *out);
/* The same on flat numbers. */
uint64_t lw_layout_apply_flat(const struct lw_layout *layout, uint64_t in);
/* Writes the images (flat) of inputs 0 to 2^bits - 1, by doubling: the second half of a linear
 * table is the first half xor one basis. `bits` is at most lw_layout_in_bits. */
void lw_layout_fill(const struct lw_layout *layout, int bits, uint64_t *table);
void lw_layout_fill32(const struct lw_layout *layout, int bits, uint32_t *table);

void lw_layout_matrix(const struct lw_layout *layout, struct lw_matrix *out);
int lw_layout_rank(const struct lw_layout *layout);
bool lw_layout_is_surjective(const struct lw_layout *layout);
bool lw_layout_is_injective(const struct lw_layout *layout);
bool lw_layout_is_invertible(const struct lw_layout *layout);
bool lw_layout_equal(const struct lw_layout *a, const struct lw_layout *b);
/* How many of the first inputs map to as many consecutive outputs, aligned: the length of the
 * longest run that one access of the first in-dim can take. (getNumConsecutiveInOut) */
uint64_t lw_layout_consecutive(const struct lw_layout *layout);
/* For each in-dim, a mask of its bits that can be left 0 and still reach every output: a basis of
 * the replication. (getFreeVariableMasks) */
void lw_layout_free_masks(const struct lw_layout *layout, uint64_t *masks);

/* ---- Combining ---- */

/* a * b: a's inputs become the low bits, b's the high ones, of dims that both have; other dims
 * stand side by side, a's first; where the two orders contradict each other, as upstream. (operator*)
 */
bool lw_layout_product(struct lw_layout *out, const struct lw_layout *a, const struct lw_layout *b,
                       struct lw_error *err);
/* outer after inner: x -> outer(inner(x)). inner's out-dims are outer's in-dims, in any order, and
 * not larger. (inner.compose(outer)) */
bool lw_layout_compose(struct lw_layout *out, const struct lw_layout *inner,
                       const struct lw_layout *outer, struct lw_error *err);
/* Needs a square layout of full rank. (invert) */
bool lw_layout_invert(struct lw_layout *out, const struct lw_layout *layout, struct lw_error *err);
/* The least input of each output; needs a surjective layout. (pseudoinvert) */
bool lw_layout_pseudoinvert(struct lw_layout *out, const struct lw_layout *layout,
                            struct lw_error *err);
/*
 * C with outer(C(x)) = layout(x): where the element that x holds sits in `outer`.
 *
 *     registers: (register, lane) -> tensor     memory: (offset) -> tensor
 *     registers.invertAndCompose(memory): (register, lane) -> offset
 *
 * When several offsets hold the element the least is taken, except that an in-dim with the very
 * same bases in both maps to itself. Fails when an element of `layout` is not in `outer`. (When all
 * in-dims of one of the two are of that kind and not all of the other, Triton answers so only without
 * its assertions.)
 * (layout.invertAndCompose(outer))
 */
bool lw_layout_invert_and_compose(struct lw_layout *out, const struct lw_layout *layout,
                                  const struct lw_layout *outer, struct lw_error *err);

/* ---- Reshaping ---- */

/* Reorders dims; `names` holds all of them. (transposeIns, transposeOuts) */
bool lw_layout_transpose_ins(struct lw_layout *out, const struct lw_layout *layout,
                             const char *const *names, struct lw_error *err);
bool lw_layout_transpose_outs(struct lw_layout *out, const struct lw_layout *layout,
                              const char *const *names, struct lw_error *err);
/* Splits the flat number anew into these dims, of the same total. (reshapeIns, reshapeOuts) */
bool lw_layout_reshape_ins(struct lw_layout *out, const struct lw_layout *layout,
                           const struct lw_dims *dims, struct lw_error *err);
bool lw_layout_reshape_outs(struct lw_layout *out, const struct lw_layout *layout,
                            const struct lw_dims *dims, struct lw_error *err);
/* Only those dims (in the layout's own order), the others at 0 or left out. (sublayout) */
bool lw_layout_sublayout(struct lw_layout *out, const struct lw_layout *layout,
                         const char *const *ins, int in_count, const char *const *outs,
                         int out_count, struct lw_error *err);

/* ---- Text ---- */

/* Triton's own form:
 *
 *      - lane=1 -> (2, 0)
 *        lane=2 -> (4, 0)
 *      - warp is a size 1 dimension
 *     where out dims are: [dim0 (size 8), dim1 (size 1)]
 *
 * beginning with a newline, as there. (toString) */
void lw_layout_print(struct lw_text *text, const struct lw_layout *layout);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
