/* F2 linear algebra by elimination on columns. Invariant of a solver: every reduced vector is the xor of the columns in
 * its combination, and its leading bit is in no other of them. */

#include "core/subspace.h"

#include "laneway/f2.h"

#include <string.h>

uint64_t lw_f2_mask(int n)
{
    return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}

static int leading_bit(uint64_t x)
{
    return 63 - __builtin_clzll(x);
}

uint64_t lw_matrix_apply(const struct lw_matrix *m, uint64_t x)
{
    return lw_f2_combine(m->column, x & lw_f2_mask(m->cols));
}

void lw_matrix_transpose(struct lw_matrix *out, const struct lw_matrix *m)
{
    struct lw_matrix t = {.rows = m->cols, .cols = m->rows};
    for (int c = 0; c < m->cols; c++)
        for (uint64_t bits = m->column[c]; bits; bits &= bits - 1)
            t.column[__builtin_ctzll(bits)] |= (uint64_t)1 << c;
    *out = t;
}

int lw_matrix_rank(const struct lw_matrix *m)
{
    struct lw_solver solver;
    lw_solver_init(&solver, m->column, m->cols);
    return solver.rank;
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
    struct lw_solver solver;
    lw_solver_init(&solver, m->column, m->cols);
    struct lw_matrix image = {.rows = m->rows};
    uint64_t dependent = 0; /* columns that depend on those before them */
    for (int i = 0; i < solver.nullity; i++)
        dependent |= (uint64_t)1 << leading_bit(solver.null_space[i]);
    for (int c = 0; c < m->cols; c++)
        if (!(dependent >> c & 1))
            image.column[image.cols++] = m->column[c];
    *out = image;
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
    return least ^ lw_f2_combine(solver->null_space, k & lw_f2_mask(solver->nullity));
}

/* ---- Subspaces ----
 * Invariant: the basis is in reduced echelon form from the lowest bit, so that a space spanned by unit vectors has
 * those for its basis. */

static uint64_t lowest(uint64_t v)
{
    return v & (~v + 1);
}

uint64_t lw_space_reduce(const struct lw_space *space, uint64_t v)
{
    for (int i = 0; i < space->dim; i++)
        if (v & lowest(space->basis[i]))
            v ^= space->basis[i];
    return v;
}

bool lw_space_add(struct lw_space *space, uint64_t v)
{
    v = lw_space_reduce(space, v);
    if (!v)
        return false;
    int at = space->dim++;
    for (; at > 0 && lowest(space->basis[at - 1]) > lowest(v); at--)
        space->basis[at] = space->basis[at - 1];
    space->basis[at] = v;
    for (int i = 0; i < space->dim; i++)
        if (i != at && space->basis[i] & lowest(v))
            space->basis[i] ^= v;
    return true;
}

void lw_space_add_all(struct lw_space *space, const uint64_t *vectors, int count)
{
    for (int i = 0; i < count; i++)
        lw_space_add(space, vectors[i]);
}

bool lw_space_within(const struct lw_space *space, const struct lw_space *other)
{
    for (int i = 0; i < space->dim; i++)
        if (lw_space_reduce(other, space->basis[i]))
            return false;
    return true;
}

/* Vectors with a tag each, in echelon form: the tag of a sum is the sum of the tags. */
struct tagged {
    int count;
    uint64_t vector[2 * LW_BITS_MAX], tag[2 * LW_BITS_MAX];
};

static uint64_t reduce_tagged(const struct tagged *all, uint64_t v, uint64_t *tag)
{
    for (int i = 0; i < all->count; i++)
        if (v & lowest(all->vector[i])) {
            v ^= all->vector[i];
            *tag ^= all->tag[i];
        }
    return v;
}

/* True when v is new; else *tag is that of a sum that is 0. */
static bool add_tagged(struct tagged *all, uint64_t v, uint64_t *tag)
{
    v = reduce_tagged(all, v, tag);
    if (!v)
        return false;
    all->vector[all->count] = v;
    all->tag[all->count++] = *tag;
    return true;
}

/* Zassenhaus: a sum of vectors of a and of b that is 0 has its part of a in both. */
struct lw_space lw_space_intersect(const struct lw_space *a, const struct lw_space *b)
{
    struct tagged all = {.count = 0};
    struct lw_space out = {.dim = 0};
    for (int i = 0; i < a->dim; i++) {
        uint64_t tag = a->basis[i];
        add_tagged(&all, a->basis[i], &tag);
    }
    for (int i = 0; i < b->dim; i++) {
        uint64_t tag = 0;
        if (!add_tagged(&all, b->basis[i], &tag))
            lw_space_add(&out, tag);
    }
    return out;
}

void lw_space_parts(const struct lw_space *space, const struct lw_space *along, uint64_t *vectors,
                    int count)
{
    struct tagged all = {.count = 0};
    for (int i = 0; i < space->dim + along->dim; i++) {
        bool own = i < space->dim;
        uint64_t vector = own ? space->basis[i] : along->basis[i - space->dim];
        uint64_t tag = own ? 0 : vector;
        add_tagged(&all, vector, &tag);
    }
    for (int i = 0; i < count; i++) {
        uint64_t part = 0;
        reduce_tagged(&all, vectors[i], &part);
        vectors[i] = part;
    }
}
