/* Linear layouts: the examples of the opening chapter of layout.h, the one rule on random layouts,
 * and the sizes at the edges. */

#include "unit.h"
#include "seeded.h"

/* The bases of the chapter: registers along a row, lane i holds row i, its columns xored with i. */
static struct lw_layout chapter(void)
{
    static const uint64_t images[4][2] = {{0, 1}, {0, 2}, {1, 1}, {2, 2}};
    struct lw_dims in = {0}, out = {0};
    struct lw_layout layout;
    assert_true(lw_dims_add(&in, "register", 4, NULL) && lw_dims_add(&in, "lane", 4, NULL));
    assert_true(lw_dims_add(&out, "dim0", 4, NULL) && lw_dims_add(&out, "dim1", 4, NULL));
    assert_true(lw_layout_of_dims(&layout, &in, &out, NULL));
    for (int i = 0; i < 4; i++)
        assert_true(lw_layout_set_basis(&layout, i / 2, i % 2, images[i], NULL));
    return layout;
}

static void chapter_table(void **state)
{
    (void)state;
    static const uint64_t table[4][4][2] = {{{0, 0}, {1, 1}, {2, 2}, {3, 3}},
                                            {{0, 1}, {1, 0}, {2, 3}, {3, 2}},
                                            {{0, 2}, {1, 3}, {2, 0}, {3, 1}},
                                            {{0, 3}, {1, 2}, {2, 1}, {3, 0}}};
    struct lw_layout layout = chapter();
    for (uint64_t r = 0; r < 4; r++)
        for (uint64_t l = 0; l < 4; l++) {
            uint64_t in[2] = {r, l}, out[2];
            lw_layout_apply(&layout, in, out);
            assert_true(out[0] == table[r][l][0] && out[1] == table[r][l][1]);
        }
    assert_true(lw_layout_is_invertible(&layout));
}

/* Every register of all lanes together touches each row and each column once. */
static void chapter_swizzle(void **state)
{
    (void)state;
    struct lw_layout layout = chapter();
    for (uint64_t r = 0; r < 4; r++) {
        unsigned rows = 0, cols = 0;
        for (uint64_t l = 0; l < 4; l++) {
            uint64_t in[2] = {r, l}, out[2];
            lw_layout_apply(&layout, in, out);
            rows |= 1u << out[0];
            cols |= 1u << out[1];
        }
        assert_int_equal(rows, 15);
        assert_int_equal(cols, 15);
    }
}

static void chapter_list(void **state)
{
    (void)state;
    static const struct {
        uint64_t bases[3], holds[8];
        bool surjective, injective;
    } rows[] = {{{1, 2, 4}, {0, 1, 2, 3, 4, 5, 6, 7}, true, true},
                {{4, 2, 1}, {0, 4, 2, 6, 1, 5, 3, 7}, true, true},
                {{0, 1, 2}, {0, 0, 1, 1, 2, 2, 3, 3}, true, false},
                {{2, 4, 8}, {0, 2, 4, 6, 8, 10, 12, 14}, false, true},
                {{1, 3, 7}, {0, 1, 3, 2, 7, 6, 4, 5}, true, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lw_layout layout;
        uint64_t max = 0;
        for (int k = 0; k < 8; k++)
            max = rows[i].holds[k] > max ? rows[i].holds[k] : max;
        uint64_t size = max < 4 ? 4 : max < 8 ? 8 : 16;
        assert_true(lw_layout_zeros(&layout, 8, "lane", "dim0", size, NULL));
        for (int k = 0; k < 3; k++)
            assert_true(lw_layout_set_basis(&layout, 0, k, &rows[i].bases[k], NULL));
        for (uint64_t k = 0; k < 8; k++)
            assert_true(lw_layout_apply_flat(&layout, k) == rows[i].holds[k]);
        assert_int_equal(lw_layout_is_surjective(&layout), rows[i].surjective);
        assert_int_equal(lw_layout_is_injective(&layout), rows[i].injective);
    }
}

/* The text at the end of the chapter. */
static void printing(void **state)
{
    (void)state;
    static const uint64_t images[2][2] = {{2, 0}, {4, 0}};
    struct lw_dims in = {0}, out = {0};
    struct lw_layout layout;
    struct lw_text text = {0};
    assert_true(lw_dims_add(&in, "lane", 4, NULL) && lw_dims_add(&in, "warp", 1, NULL));
    assert_true(lw_dims_add(&out, "dim0", 8, NULL) && lw_dims_add(&out, "dim1", 1, NULL));
    assert_true(lw_layout_of_dims(&layout, &in, &out, NULL));
    for (int i = 0; i < 2; i++)
        assert_true(lw_layout_set_basis(&layout, 0, i, images[i], NULL));
    lw_layout_print(&text, &layout);
    assert_string_equal(lw_text_string(&text),
                        "\n - lane=1 -> (2, 0)\n   lane=2 -> (4, 0)\n"
                        " - warp is a size 1 dimension\n"
                        "where out dims are: [dim0 (size 8), dim1 (size 1)]");
    lw_text_free(&text);
}

static void makers(void **state)
{
    (void)state;
    struct lw_layout layout;
    struct lw_error err;
    lw_layout_empty(&layout);
    assert_int_equal(lw_layout_in_bits(&layout), 0);
    assert_true(lw_layout_is_invertible(&layout));
    assert_true(lw_layout_identity(&layout, 8, "lane", "dim0", NULL));
    for (uint64_t x = 0; x < 8; x++)
        assert_true(lw_layout_apply_flat(&layout, x) == x);
    assert_true(lw_layout_strided(&layout, 8, 4, "lane", "dim0", NULL));
    assert_true(lw_dims_size(&layout.out, "dim0") == 32);
    for (uint64_t x = 0; x < 8; x++)
        assert_true(lw_layout_apply_flat(&layout, x) == 4 * x);
    assert_true(lw_layout_zeros(&layout, 8, "lane", "dim0", 2, NULL));
    assert_true(lw_layout_apply_flat(&layout, 7) == 0);
    assert_false(lw_layout_identity(&layout, 12, "lane", "dim0", &err));
    assert_false(lw_layout_strided(&layout, 4, 3, "lane", "dim0", &err));
    assert_false(lw_layout_strided(&layout, (uint64_t)1 << 40, (uint64_t)1 << 40, "a", "b", &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
}

static void bad_bases(void **state)
{
    (void)state;
    struct lw_layout layout = chapter();
    struct lw_error err;
    const uint64_t image[2] = {0, 4};
    assert_false(lw_layout_set_basis(&layout, 0, 0, image, &err));
    assert_string_equal(err.message,
                        "basis 0 of register is 4 in dim1: it must be below the size, 4");
}

/* Sides of more than 64 bits and sizes that are no powers of two are refused. */
static void limits(void **state)
{
    (void)state;
    struct lw_dims in = {0}, out = {0};
    struct lw_layout layout;
    struct lw_error err;
    assert_true(lw_dims_add(&in, "a", (uint64_t)1 << 63, NULL));
    assert_true(lw_dims_add(&in, "b", 2, NULL));
    assert_true(lw_layout_of_dims(&layout, &in, &out, NULL));
    assert_int_equal(lw_layout_in_bits(&layout), 64);
    assert_true(lw_dims_add(&in, "c", 2, NULL));
    assert_false(lw_layout_of_dims(&layout, &in, &out, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    in.count = 0;
    assert_true(lw_dims_add(&in, "a", 6, NULL));
    assert_false(lw_layout_of_dims(&layout, &in, &out, &err));
}

static void each_random(int rounds, void (*check)(uint64_t *seed, const struct lw_layout *layout))
{
    static const int edges[] = {0, 1, 2, 5, 8, 13, 63, 64};
    uint64_t seed = 11;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            for (int k = 0; k < rounds; k++) {
                struct lw_dims in, out;
                struct lw_layout layout;
                seeded_dims(&seed, &in, "in", 1 + (int)seeded_below(&seed, 5), edges[i]);
                seeded_dims(&seed, &out, "out", 1 + (int)seeded_below(&seed, 5), edges[j]);
                seeded_layout(&seed, &layout, &in, &out);
                check(&seed, &layout);
            }
}

static void check_rule(uint64_t *seed, const struct lw_layout *layout)
{
    uint64_t a[LW_DIMS_MAX], b[LW_DIMS_MAX], ab[LW_DIMS_MAX];
    uint64_t la[LW_DIMS_MAX], lb[LW_DIMS_MAX], lab[LW_DIMS_MAX];
    for (int d = 0; d < layout->in.count; d++) {
        uint64_t mask = layout->in.dim[d].size - 1;
        a[d] = seeded_next(seed) & mask;
        b[d] = seeded_next(seed) & mask;
        ab[d] = a[d] ^ b[d];
    }
    lw_layout_apply(layout, a, la);
    lw_layout_apply(layout, b, lb);
    lw_layout_apply(layout, ab, lab);
    for (int d = 0; d < layout->out.count; d++) {
        assert_true((la[d] ^ lb[d]) == lab[d]);
        assert_true(lab[d] < layout->out.dim[d].size);
    }
}

/* A basis read is a basis set, and the image of one bit. */
static void check_bases(uint64_t *seed, const struct lw_layout *layout)
{
    struct lw_layout copy;
    (void)seed;
    assert_true(lw_layout_of_dims(&copy, &layout->in, &layout->out, NULL));
    for (int d = 0; d < layout->in.count; d++)
        for (int b = 0; b < lw_layout_in_log2(layout, d); b++) {
            uint64_t image[LW_DIMS_MAX], in[LW_DIMS_MAX] = {0}, applied[LW_DIMS_MAX];
            lw_layout_basis(layout, d, b, image);
            assert_true(lw_layout_set_basis(&copy, d, b, image, NULL));
            in[d] = (uint64_t)1 << b;
            lw_layout_apply(layout, in, applied);
            assert_memory_equal(applied, image, (size_t)layout->out.count * sizeof *image);
        }
    assert_true(lw_layout_equal(&copy, layout));
}

/* Rank, surjective and injective by counting the images of a small layout. */
static void check_facts(uint64_t *seed, const struct lw_layout *layout)
{
    static bool reached[1 << 13];
    int ins = lw_layout_in_bits(layout), outs = lw_layout_out_bits(layout);
    uint64_t count = 0;
    (void)seed;
    if (ins > 13 || outs > 13)
        return;
    memset(reached, 0, sizeof reached);
    for (uint64_t x = 0; x < (uint64_t)1 << ins; x++)
        reached[lw_layout_apply_flat(layout, x)] = true;
    for (uint64_t y = 0; y < (uint64_t)1 << outs; y++)
        count += reached[y];
    assert_true(count == (uint64_t)1 << lw_layout_rank(layout));
    assert_int_equal(lw_layout_is_surjective(layout), count == (uint64_t)1 << outs);
    assert_int_equal(lw_layout_is_injective(layout), count == (uint64_t)1 << ins);
    assert_int_equal(lw_layout_is_invertible(layout), ins == outs && count == (uint64_t)1 << ins);
}

/* With the free bits at 0 the others still reach all there is, each once. */
static void check_free_masks(uint64_t *seed, const struct lw_layout *layout)
{
    uint64_t masks[LW_DIMS_MAX];
    struct lw_matrix kept = {.rows = lw_layout_out_bits(layout)};
    (void)seed;
    lw_layout_free_masks(layout, masks);
    for (int d = 0; d < layout->in.count; d++)
        for (int b = 0; b < lw_layout_in_log2(layout, d); b++)
            if (!(masks[d] >> b & 1))
                kept.column[kept.cols++] = layout->basis[lw_layout_in_shift(layout, d) + b];
    assert_int_equal(kept.cols, lw_layout_rank(layout));
    assert_int_equal(lw_matrix_rank(&kept), kept.cols);
}

/* The longest run by looking at every input of a small layout. */
static void check_consecutive(uint64_t *seed, const struct lw_layout *layout)
{
    struct lw_layout small;
    struct lw_dims in = {0}, out = {0};
    (void)layout;
    assert_true(lw_dims_add(&in, "register", 8, NULL) && lw_dims_add(&in, "lane", 4, NULL));
    assert_true(lw_dims_add(&out, "offset", 32, NULL));
    seeded_layout(seed, &small, &in, &out);
    for (uint64_t k = seeded_below(seed, 4), i = 0; i < k; i++)
        small.basis[i] = (uint64_t)1 << i;
    for (int i = 3; i < 5; i++)
        small.basis[i] &= seeded_next(seed);
    uint64_t n = 8;
    for (bool good = false; !good; n = good ? n : n / 2) {
        good = true;
        for (uint64_t x = 0; x < 32; x += n)
            for (uint64_t j = 0; j < n; j++)
                if (lw_layout_apply_flat(&small, x + j) != lw_layout_apply_flat(&small, x) + j ||
                    lw_layout_apply_flat(&small, x) % n)
                    good = false;
    }
    assert_true(lw_layout_consecutive(&small) == n);
}

#define RANDOM_TEST(NAME, ROUNDS)                                                                  \
    static void NAME(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        each_random(ROUNDS, check_##NAME);                                                         \
    }
RANDOM_TEST(rule, 20)
RANDOM_TEST(bases, 10)
RANDOM_TEST(facts, 4)
RANDOM_TEST(free_masks, 10)
RANDOM_TEST(consecutive, 10)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chapter_table), cmocka_unit_test(chapter_swizzle),
        cmocka_unit_test(chapter_list),  cmocka_unit_test(printing),
        cmocka_unit_test(makers),        cmocka_unit_test(bad_bases),
        cmocka_unit_test(limits),        cmocka_unit_test(rule),
        cmocka_unit_test(bases),         cmocka_unit_test(facts),
        cmocka_unit_test(free_masks),    cmocka_unit_test(consecutive),
    };
    return RUN(tests);
}
