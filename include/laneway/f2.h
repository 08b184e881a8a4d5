#ifndef LANEWAY_F2_H
#define LANEWAY_F2_H

/*
 * Arithmetic over F2, the field with two elements: addition is xor, multiplication is and.
 *
 * A vector of up to 64 bits is one `uint64_t`, bit i its i-th entry. A matrix is a list of columns,
 * each one vector, so applying it to x is the xor of the columns that the bits of x pick:
 *
 *     column 0 = 0b01, column 1 = 0b11:   A x for x = 0b11 is 0b01 ^ 0b11 = 0b10
 *
 * Matrices are plain values of fixed size; nothing here allocates or fails for lack of memory.
 */

#include "laneway/error.h"

#include <stdint.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

#define LW_BITS_MAX 64

struct lw_matrix {
    int rows;                     /* 0 to 64 */
    int cols;                     /* 0 to 64 */
    uint64_t column[LW_BITS_MAX]; /* the bits at and above `rows` are 0 */
};

/* The sum (xor) of the products of the entries of a and b: 0 or 1. */
int lw_f2_dot(uint64_t a, uint64_t b);
/* A mask of the lowest n bits, n from 0 to 64. */
uint64_t lw_f2_mask(int n);

void lw_matrix_identity(struct lw_matrix *m, int n);
uint64_t lw_matrix_apply(const struct lw_matrix *m, uint64_t x);
/* out = a b. Needs a.cols == b.rows. `out` may be a or b. */
bool lw_matrix_multiply(struct lw_matrix *out, const struct lw_matrix *a, const struct lw_matrix *b,
                        struct lw_error *err);
void lw_matrix_transpose(struct lw_matrix *out, const struct lw_matrix *m);
bool lw_matrix_equal(const struct lw_matrix *a, const struct lw_matrix *b);
int lw_matrix_rank(const struct lw_matrix *m);
/* Reduced row echelon form: each row's first 1 stands in a column that is 0 elsewhere, further
 * right than the row's above; rows of zeros last. Agrees with f2reduce's inplace_rref. Returns the
 * rank, and the pivot columns in `pivots` when it is not NULL. */
int lw_matrix_echelon(struct lw_matrix *m, int pivots[LW_BITS_MAX]);
/* A basis of the kernel {x : A x = 0} as columns; its count is cols - rank. The i-th one has
 * its highest 1 at the i-th column of A that depends on the columns before it, and no other
 * basis vector has a 1 there. */
void lw_matrix_kernel(struct lw_matrix *out, const struct lw_matrix *m);
/* The columns of A that do not depend on those before them: a basis of the image. */
void lw_matrix_image(struct lw_matrix *out, const struct lw_matrix *m);
/* Fails unless the matrix is square and of full rank. */
bool lw_matrix_inverse(struct lw_matrix *out, const struct lw_matrix *m, struct lw_error *err);
/* X with A X = B, its free entries 0 and its pivots the earliest columns of A: the same choice as
 * Triton's lstsq. Fails when B's columns are not all in the image of A. */
bool lw_matrix_solve(struct lw_matrix *out, const struct lw_matrix *a, const struct lw_matrix *b,
                     struct lw_error *err);
/* X with A X = identity (a right inverse, chosen as in lw_matrix_solve). Fails unless A is
 * surjective, that is rank == rows. */
bool lw_matrix_pseudoinverse(struct lw_matrix *out, const struct lw_matrix *m,
                             struct lw_error *err);

/*
 * A matrix made ready to answer "which x give A x = y?" again and again.
 *
 * All answers are one x plus any sum of kernel vectors. The one x has zeros in the free columns;
 * so counting k from 0 and adding the kernel vectors that the bits of k pick lists the answers in
 * ascending order.
 */
struct lw_solver {
    uint64_t leads; /* the leading bits of the reduced vectors; each is in no other of them */
    int rank;
    int nullity;                       /* kernel vectors: cols - rank */
    uint64_t reduced[LW_BITS_MAX];     /* by leading bit: a reduced image vector, or 0 */
    uint64_t combination[LW_BITS_MAX]; /* the columns whose xor it is */
    uint64_t kernel[LW_BITS_MAX];      /* as lw_matrix_kernel, in ascending order */
};

void lw_solver_init(struct lw_solver *solver, const uint64_t *columns, int cols);
/* The least x with A x = y; false when there is none. */
bool lw_solver_solve(const struct lw_solver *solver, uint64_t y, uint64_t *x);
/* Answer number k (from 0, below 2^nullity) in ascending order, given the least one. */
uint64_t lw_solver_answer(const struct lw_solver *solver, uint64_t least, uint64_t k);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
