#ifndef LANEWAY_F2_H
#define LANEWAY_F2_H

/*
 * Arithmetic over F2, the field with two elements: addition is xor, multiplication is and. A vector
 * of up to 64 bits is one `uint64_t`, bit i its i-th entry. A matrix is a list of columns, each one
 * vector, so applying it to x is the xor of the columns that the bits of x pick:
 *
 *     column 0 = 0b01, column 1 = 0b11:   A x for x = 0b11 is 0b01 ^ 0b11 = 0b10
 *
 * Matrices are plain values of fixed size; nothing here allocates. An `out` argument may be one of
 * the inputs too. The paper arXiv 2505.23819 treats layouts as such matrices; layout.h is built on
 * them.
 */

#include "laneway/error.h"

#include <stdint.h>

LW_BEGIN

#define LW_BITS_MAX 64 /* bits of a vector: rows and columns of a matrix */

/* A matrix: a plain value. */
struct lw_matrix {
    int rows;                     /* 0 to LW_BITS_MAX */
    int cols;                     /* 0 to LW_BITS_MAX */
    uint64_t column[LW_BITS_MAX]; /* the bits at and above `rows` are 0 */
};

uint64_t lw_f2_mask(int n); /* of the lowest n bits; n from 0 to 64 */
/* The vector A x, of `rows` bits. Bits of x at and above `cols` are ignored. */
uint64_t lw_matrix_apply(const struct lw_matrix *m, uint64_t x);
/* Rows become columns. */
void lw_matrix_transpose(struct lw_matrix *out, const struct lw_matrix *m);
/* The dimension of the image, 0 to min(rows, cols). */
int lw_matrix_rank(const struct lw_matrix *m);
/* A basis of the null space {x : A x = 0} as columns of `cols` bits; there are cols - rank. The
 * i-th one has its highest 1 at the i-th column of A that depends on the columns before it, and
 * no other one has a 1 there. */
void lw_matrix_null_space(struct lw_matrix *out, const struct lw_matrix *m);
/* A basis of the image: the columns of A that do not depend on those before them, in order. */
void lw_matrix_image(struct lw_matrix *out, const struct lw_matrix *m);

/*
 * A matrix prepared to answer "which x give A x = y?" many times: a plain value.
 *
 * All answers are one x plus any sum of vectors of the null space. That x has zeros in the columns
 * that depend on those before them, so counting k from 0 and adding the null-space vectors that the
 * bits of k pick lists the answers in ascending order.
 */
struct lw_solver {
    uint64_t leading; /* the leading bits of the reduced vectors; each is in no other of them */
    int rank;
    int nullity;                       /* dimension of the null space: cols - rank */
    uint64_t reduced[LW_BITS_MAX];     /* by leading bit: a reduced image vector, or 0 */
    uint64_t combination[LW_BITS_MAX]; /* bit c: column c is in the xor that it is */
    uint64_t null_space[LW_BITS_MAX];  /* the null space, as lw_matrix_null_space, ascending */
};

/* Prepares a solver for the matrix of these columns, `cols` of them, 0 to LW_BITS_MAX. */
void lw_solver_init(struct lw_solver *solver, const uint64_t *columns, int cols);
/* Sets *x to the least x with A x = y; false, and *x is unchanged, when no x is a solution. */
bool lw_solver_solve(const struct lw_solver *solver, uint64_t y, uint64_t *x);
/* Answer number k in ascending order, k from 0 to 2^nullity - 1, given the least one, as
 * lw_solver_solve finds it. */
uint64_t lw_solver_answer(const struct lw_solver *solver, uint64_t least, uint64_t k);

LW_END

#endif
