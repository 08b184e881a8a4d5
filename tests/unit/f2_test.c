/* Arithmetic over F2: each algorithm against another one, and the sizes at the edges. */

#include "unit.h"
#include "seeded.h"

#include "laneway/f2.h"

static const int edges[] = {0, 1, 2, 7, 31, 32, 33, 63, 64};
#define EDGES ((int)(sizeof edges / sizeof *edges))

static struct lw_matrix random_matrix(uint64_t *seed, int rows, int cols)
{
    struct lw_matrix m = {.rows = rows, .cols = cols};
    for (int c = 0; c < cols; c++)
        m.column[c] = seeded_next(seed) & lw_f2_mask(rows);
    return m;
}

/* a b */
static struct lw_matrix product_of(const struct lw_matrix *a, const struct lw_matrix *b)
{
    struct lw_matrix product = {.rows = a->rows, .cols = b->cols};
    for (int i = 0; i < b->cols; i++)
        product.column[i] = lw_matrix_apply(a, b->column[i]);
    return product;
}

/* A matrix of low rank: the product of a tall and a wide one. */
static struct lw_matrix low_rank(uint64_t *seed, int rows, int cols, int rank)
{
    struct lw_matrix tall = random_matrix(seed, rows, rank);
    struct lw_matrix wide = random_matrix(seed, rank, cols);
    return product_of(&tall, &wide);
}

/* Rank by Gauss on rows, written apart from the library's. */
static int rank_by_rows(const struct lw_matrix *m)
{
    uint64_t row[LW_BITS_MAX] = {0};
    int rank = 0;
    for (int r = 0; r < m->rows; r++)
        for (int c = 0; c < m->cols; c++)
            row[r] |= (m->column[c] >> r & 1) << c;
    for (int c = 0; c < m->cols; c++) {
        int pivot = rank;
        while (pivot < m->rows && !(row[pivot] >> c & 1))
            pivot++;
        if (pivot == m->rows)
            continue;
        uint64_t swap = row[pivot];
        row[pivot] = row[rank];
        row[rank] = swap;
        for (int r = 0; r < m->rows; r++)
            if (r != rank && (row[r] >> c & 1))
                row[r] ^= row[rank];
        rank++;
    }
    return rank;
}

static void each_edge(void (*check)(uint64_t *seed, int rows, int cols))
{
    uint64_t seed = 2025;
    for (int r = 0; r < EDGES; r++)
        for (int c = 0; c < EDGES; c++)
            check(&seed, edges[r], edges[c]);
}

static void masks(void **state)
{
    (void)state;
    assert_true(lw_f2_mask(0) == 0);
    assert_true(lw_f2_mask(1) == 1);
    assert_true(lw_f2_mask(63) == UINT64_MAX >> 1);
    assert_true(lw_f2_mask(64) == UINT64_MAX);
}

/* The example of the header. */
static void example(void **state)
{
    (void)state;
    struct lw_matrix m = {.rows = 2, .cols = 2, .column = {1, 3}};
    assert_true(lw_matrix_apply(&m, 3) == 2);
}

static void check_linear(uint64_t *seed, int rows, int cols)
{
    struct lw_matrix m = random_matrix(seed, rows, cols);
    uint64_t a = seeded_next(seed) & lw_f2_mask(cols), b = seeded_next(seed) & lw_f2_mask(cols);
    assert_true(lw_matrix_apply(&m, a ^ b) == (lw_matrix_apply(&m, a) ^ lw_matrix_apply(&m, b)));
    assert_true(lw_matrix_apply(&m, 0) == 0);
}

static void check_transpose(uint64_t *seed, int rows, int cols)
{
    struct lw_matrix m = random_matrix(seed, rows, cols), t, back;
    lw_matrix_transpose(&t, &m);
    assert_int_equal(t.rows, cols);
    assert_int_equal(t.cols, rows);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            assert_true((m.column[c] >> r & 1) == (t.column[r] >> c & 1));
    lw_matrix_transpose(&back, &t);
    assert_int_equal(back.rows, rows);
    assert_int_equal(back.cols, cols);
    assert_memory_equal(back.column, m.column, (size_t)cols * sizeof *m.column);
}

static void check_rank(uint64_t *seed, int rows, int cols)
{
    for (int rank = 0; rank <= 5; rank++) {
        struct lw_matrix m = low_rank(seed, rows, cols, rank), t;
        lw_matrix_transpose(&t, &m);
        assert_int_equal(lw_matrix_rank(&m), rank_by_rows(&m));
        assert_int_equal(lw_matrix_rank(&m), lw_matrix_rank(&t));
        assert_true(lw_matrix_rank(&m) <= rank);
    }
}

static void check_null_space(uint64_t *seed, int rows, int cols)
{
    struct lw_matrix m = low_rank(seed, rows, cols, 6), null_space;
    lw_matrix_null_space(&null_space, &m);
    assert_int_equal(null_space.rows, cols);
    assert_int_equal(null_space.cols, cols - lw_matrix_rank(&m));
    assert_int_equal(lw_matrix_rank(&null_space), null_space.cols);
    for (int i = 0; i < null_space.cols; i++)
        assert_true(lw_matrix_apply(&m, null_space.column[i]) == 0);
    for (int i = 1; i < null_space.cols; i++)
        assert_true(null_space.column[i] > null_space.column[i - 1]);
}

static void check_image(uint64_t *seed, int rows, int cols)
{
    struct lw_matrix m = low_rank(seed, rows, cols, 6), image;
    lw_matrix_image(&image, &m);
    assert_int_equal(image.cols, lw_matrix_rank(&m));
    assert_int_equal(lw_matrix_rank(&image), image.cols);
    struct lw_matrix before = {.rows = rows}; /* the columns that raise the rank, in order */
    for (int c = 0, i = 0; c < cols; c++) {
        before.column[before.cols++] = m.column[c];
        if (lw_matrix_rank(&before) > i)
            assert_true(image.column[i++] == m.column[c]);
    }
}

/* Every answer of a small system, by trying all inputs, is what the solver lists, in order. */
static void solver_small(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int round = 0; round < 300; round++) {
        int cols = (int)seeded_below(&seed, 9), rows = (int)seeded_below(&seed, 9);
        struct lw_matrix m = low_rank(&seed, rows, cols, (int)seeded_below(&seed, 9));
        struct lw_solver solver;
        lw_solver_init(&solver, m.column, cols);
        assert_int_equal(solver.rank + solver.nullity, cols);
        for (uint64_t y = 0; y < (uint64_t)1 << rows; y++) {
            uint64_t least, k = 0;
            bool any = lw_solver_solve(&solver, y, &least);
            for (uint64_t x = 0; x < (uint64_t)1 << cols; x++)
                if (lw_matrix_apply(&m, x) == y) {
                    assert_true(any);
                    assert_true(lw_solver_answer(&solver, least, k++) == x);
                }
            assert_true(k == (any ? (uint64_t)1 << solver.nullity : 0));
        }
    }
}

static void check_solver(uint64_t *seed, int rows, int cols)
{
    struct lw_matrix m = low_rank(seed, rows, cols, 40);
    struct lw_solver solver;
    lw_solver_init(&solver, m.column, cols);
    assert_int_equal(solver.rank, lw_matrix_rank(&m));
    uint64_t x = seeded_next(seed) & lw_f2_mask(cols), y = lw_matrix_apply(&m, x), least;
    assert_true(lw_solver_solve(&solver, y, &least));
    assert_true(least <= x);
    assert_true(lw_matrix_apply(&m, least) == y);
    uint64_t count = solver.nullity < 64 ? (uint64_t)1 << solver.nullity : UINT64_MAX;
    uint64_t last = lw_solver_answer(&solver, least, count - 1);
    assert_true(lw_matrix_apply(&m, last) == y && last >= x);
}

#define EDGE_TEST(NAME)                                                                            \
    static void NAME(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        each_edge(check_##NAME);                                                                   \
    }
EDGE_TEST(linear)
EDGE_TEST(transpose)
EDGE_TEST(rank)
EDGE_TEST(null_space)
EDGE_TEST(image)
EDGE_TEST(solver)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks),     cmocka_unit_test(example),      cmocka_unit_test(linear),
        cmocka_unit_test(transpose), cmocka_unit_test(rank),         cmocka_unit_test(null_space),
        cmocka_unit_test(image),     cmocka_unit_test(solver_small), cmocka_unit_test(solver),
    };
    return RUN(tests);
}
