/* F2 linear algebra by elimination on columns. Invariant of a solver: every reduced vector is the
 * xor of the columns in its combination, and its leading bit is in no other of them. */

#include "laneway/f2.h"

#include <string.h>

int lw_f2_dot(uint64_t a, uint64_t b)
{
    return __builtin_parityll(a & b);
}

uint64_t lw_f2_mask(int n)
{
    return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}

static int leading_bit(uint64_t x)
{
    return 63 - __builtin_clzll(x);
}

static uint64_t combine(const uint64_t *columns, uint64_t x)
{
    uint64_t y = 0;
    for (; x; x &= x - 1)
        y ^= columns[__builtin_ctzll(x)];
    return y;
}

void lw_matrix_identity(struct lw_matrix *m, int n)
{
    memset(m, 0, sizeof *m);
    m->rows = m->cols = n;
    for (int i = 0; i < n; i++)
        m->column[i] = (uint64_t)1 << i;
}

uint64_t lw_matrix_apply(const struct lw_matrix *m, uint64_t x)
{
    return combine(m->column, x & lw_f2_mask(m->cols));
}

bool lw_matrix_multiply(struct lw_matrix *out, const struct lw_matrix *a, const struct lw_matrix *b,
                        struct lw_error *err)
{
    if (a->cols != b->rows)
        return lw_error_set(err, LW_ERROR_SHAPE, "cannot multiply a %dx%d matrix by a %dx%d one",
                            a->rows, a->cols, b->rows, b->cols);
    struct lw_matrix product = {.rows = a->rows, .cols = b->cols};
    for (int i = 0; i < b->cols; i++)
        product.column[i] = combine(a->column, b->column[i]);
    *out = product;
    return true;
}

void lw_matrix_transpose(struct lw_matrix *out, const struct lw_matrix *m)
{
    struct lw_matrix t = {.rows = m->cols, .cols = m->rows};
    for (int c = 0; c < m->cols; c++)
        for (uint64_t bits = m->column[c]; bits; bits &= bits - 1)
            t.column[__builtin_ctzll(bits)] |= (uint64_t)1 << c;
    *out = t;
}

bool lw_matrix_equal(const struct lw_matrix *a, const struct lw_matrix *b)
{
    return a->rows == b->rows && a->cols == b->cols &&
           !memcmp(a->column, b->column, (size_t)a->cols * sizeof *a->column);
}

int lw_matrix_rank(const struct lw_matrix *m)
{
    struct lw_solver solver;
    lw_solver_init(&solver, m->column, m->cols);
    return solver.rank;
}

int lw_matrix_echelon(struct lw_matrix *m, int pivots[LW_BITS_MAX])
{
    struct lw_matrix t; /* its columns are the rows of m, bit c the entry in column c */
    lw_matrix_transpose(&t, m);
    int rank = 0;
    for (int c = 0; c < m->cols && rank < m->rows; c++) {
        uint64_t bit = (uint64_t)1 << c;
        int r = rank;
        while (r < m->rows && !(t.column[r] & bit))
            r++;
        if (r == m->rows)
            continue;
        uint64_t row = t.column[r];
        t.column[r] = t.column[rank];
        t.column[rank] = row;
        for (int i = 0; i < m->rows; i++)
            if (i != rank && (t.column[i] & bit))
                t.column[i] ^= row;
        if (pivots)
            pivots[rank] = c;
        rank++;
    }
    lw_matrix_transpose(m, &t);
    return rank;
}

void lw_matrix_null_space(struct lw_matrix *out, const struct lw_matrix *m)
{
    struct lw_solver solver;
    lw_solver_init(&solver, m->column, m->cols);
    struct lw_matrix null_space = {.rows = m->cols, .cols = solver.nullity};
    memcpy(null_space.column, solver.null_space, sizeof null_space.column);
    *out = null_space;
}

void lw_matrix_image(struct lw_matrix *out, const struct lw_matrix *m)
{
    struct lw_matrix image = {.rows = m->rows}, copy = *m;
    int pivots[LW_BITS_MAX];
    image.cols = lw_matrix_echelon(&copy, pivots);
    for (int i = 0; i < image.cols; i++)
        image.column[i] = m->column[pivots[i]];
    *out = image;
}

bool lw_matrix_solve(struct lw_matrix *out, const struct lw_matrix *a, const struct lw_matrix *b,
                     struct lw_error *err)
{
    if (a->rows != b->rows)
        return lw_error_set(err, LW_ERROR_SHAPE, "cannot solve: %d rows against %d", a->rows,
                            b->rows);
    struct lw_solver solver;
    lw_solver_init(&solver, a->column, a->cols);
    struct lw_matrix x = {.rows = a->cols, .cols = b->cols};
    for (int i = 0; i < b->cols; i++)
        if (!lw_solver_solve(&solver, b->column[i], &x.column[i]))
            return lw_error_set(err, LW_ERROR_SHAPE,
                                "cannot solve: column %d is not in the image of the matrix", i);
    *out = x;
    return true;
}

bool lw_matrix_pseudoinverse(struct lw_matrix *out, const struct lw_matrix *m, struct lw_error *err)
{
    struct lw_matrix identity;
    lw_matrix_identity(&identity, m->rows);
    int rank = lw_matrix_rank(m);
    if (rank < m->rows)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "not surjective: rank %d of %d, so it has no right inverse", rank,
                            m->rows);
    return lw_matrix_solve(out, m, &identity, err);
}

bool lw_matrix_inverse(struct lw_matrix *out, const struct lw_matrix *m, struct lw_error *err)
{
    if (m->rows != m->cols)
        return lw_error_set(err, LW_ERROR_SHAPE, "a %dx%d matrix has no inverse: not square",
                            m->rows, m->cols);
    int rank = lw_matrix_rank(m);
    if (rank < m->rows)
        return lw_error_set(err, LW_ERROR_SHAPE, "no inverse: rank %d of %d", rank, m->rows);
    return lw_matrix_pseudoinverse(out, m, err);
}

void lw_solver_init(struct lw_solver *solver, const uint64_t *columns, int cols)
{
    memset(solver, 0, sizeof *solver);
    for (int c = 0; c < cols; c++) {
        uint64_t v = columns[c], from = (uint64_t)1 << c;
        while (v && solver->reduced[leading_bit(v)]) {
            int lead = leading_bit(v);
            from ^= solver->combination[lead];
            v ^= solver->reduced[lead];
        }
        if (v) {
            solver->reduced[leading_bit(v)] = v;
            solver->combination[leading_bit(v)] = from;
            solver->leading |= (uint64_t)1 << leading_bit(v);
            solver->rank++;
        } else {
            solver->null_space[solver->nullity++] = from;
        }
    }
    /* Fully reduced: no row has the leading bit of another, so that rows are picked
     * independently. */
    for (uint64_t rest = solver->leading; rest; rest &= rest - 1) {
        int low = __builtin_ctzll(rest);
        for (uint64_t above = rest & (rest - 1); above; above &= above - 1) {
            int high = __builtin_ctzll(above);
            if (solver->reduced[high] >> low & 1) {
                solver->reduced[high] ^= solver->reduced[low];
                solver->combination[high] ^= solver->combination[low];
            }
        }
    }
}

bool lw_solver_solve(const struct lw_solver *solver, uint64_t y, uint64_t *x)
{
    uint64_t from = 0;
    for (uint64_t left = y & solver->leading; left; left &= left - 1) {
        int lead = __builtin_ctzll(left);
        from ^= solver->combination[lead];
        y ^= solver->reduced[lead];
    }
    if (y)
        return false;
    *x = from;
    return true;
}

uint64_t lw_solver_answer(const struct lw_solver *solver, uint64_t least, uint64_t k)
{
    return least ^ combine(solver->null_space, k & lw_f2_mask(solver->nullity));
}
