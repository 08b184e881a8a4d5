/* The algebra, point by point: what each operation means is checked by applying its result. */

#include "unit.h"
#include "seeded.h"

#include "laneway/algebra.h"

static struct lw_layout random_of(uint64_t *seed, const char *in, int in_count, int in_bits,
                                  const char *out, int out_count, int out_bits)
{
    struct lw_dims ins, outs;
    struct lw_layout layout;
    seeded_dims(seed, &ins, in, in_count, in_bits);
    seeded_dims(seed, &outs, out, out_count, out_bits);
    seeded_layout(seed, &layout, &ins, &outs);
    return layout;
}

static int few(uint64_t *seed, int max)
{
    return (int)seeded_below(seed, (uint64_t)max + 1);
}

static void random_point(uint64_t *seed, const struct lw_dims *dims, uint64_t *point)
{
    for (int d = 0; d < dims->count; d++)
        point[d] = seeded_next(seed) & (dims->dim[d].size - 1);
}

/* In dims that both have, a's part is the low bits. */
static void product(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 500; round++) {
        struct lw_layout a = random_of(&seed, "in", 2, few(&seed, 12), "out", 2, few(&seed, 12));
        struct lw_layout b = random_of(&seed, "in", 3, few(&seed, 12), "out", 3, few(&seed, 12));
        struct lw_layout ab;
        uint64_t x[LW_DIMS_MAX], y[LW_DIMS_MAX], xy[LW_DIMS_MAX] = {0};
        uint64_t ax[LW_DIMS_MAX], by[LW_DIMS_MAX], result[LW_DIMS_MAX];
        assert_true(lw_layout_product(&ab, &a, &b, NULL));
        random_point(&seed, &a.in, x);
        random_point(&seed, &b.in, y);
        for (int d = 0; d < 3; d++)
            xy[d] = (d < 2 ? x[d] : 0) + y[d] * (d < 2 ? a.in.dim[d].size : 1);
        lw_layout_apply(&a, x, ax);
        lw_layout_apply(&b, y, by);
        lw_layout_apply(&ab, xy, result);
        for (int d = 0; d < 3; d++)
            assert_true(result[d] == (d < 2 ? ax[d] : 0) + by[d] * (d < 2 ? a.out.dim[d].size : 1));
    }
}

static void product_laws(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int round = 0; round < 200; round++) {
        struct lw_layout a = random_of(&seed, "in", 2, few(&seed, 9), "out", 2, few(&seed, 9));
        struct lw_layout b = random_of(&seed, "in", 2, few(&seed, 9), "out", 2, few(&seed, 9));
        struct lw_layout c = random_of(&seed, "in", 2, few(&seed, 9), "out", 2, few(&seed, 9));
        struct lw_layout ab, bc, ab_c, a_bc, empty, same;
        lw_layout_empty(&empty);
        assert_true(lw_layout_product(&ab, &a, &b, NULL) && lw_layout_product(&bc, &b, &c, NULL));
        assert_true(lw_layout_product(&ab_c, &ab, &c, NULL));
        assert_true(lw_layout_product(&a_bc, &a, &bc, NULL));
        assert_true(lw_layout_equal(&ab_c, &a_bc));
        assert_true(lw_layout_product(&same, &empty, &a, NULL) && lw_layout_equal(&same, &a));
        assert_true(lw_layout_product(&same, &a, &empty, NULL) && lw_layout_equal(&same, &a));
        assert_true(lw_layout_product(&a, &a, &b, NULL) && lw_layout_equal(&a, &ab));
    }
}

static void product_limits(void **state)
{
    (void)state;
    struct lw_layout a, b, out;
    struct lw_error err;
    assert_true(lw_layout_identity(&a, (uint64_t)1 << 33, "x", "y", NULL));
    assert_true(lw_layout_identity(&b, (uint64_t)1 << 31, "x", "y", NULL));
    assert_false(lw_layout_product(&out, &a, &b, &err)); /* 2^64 in one dim */
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    assert_true(lw_layout_rename_in(&b, &b, "x", "p", NULL) &&
                lw_layout_rename_out(&b, &b, "y", "q", NULL));
    assert_true(lw_layout_product(&out, &a, &b, NULL)); /* 64 bits in two */
    assert_false(lw_layout_product(&out, &out, &b, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
}

static void compose(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int round = 0; round < 500; round++) {
        int bits = few(&seed, 20);
        struct lw_layout inner = random_of(&seed, "in", 3, few(&seed, 40), "mid", 3, bits);
        struct lw_layout outer, both;
        struct lw_dims outs;
        uint64_t x[LW_DIMS_MAX], mid[LW_DIMS_MAX], y[LW_DIMS_MAX], direct[LW_DIMS_MAX];
        seeded_dims(&seed, &outs, "out", 2, few(&seed, 40));
        seeded_layout(&seed, &outer, &inner.out, &outs);
        assert_true(lw_layout_compose(&both, &inner, &outer, NULL));
        random_point(&seed, &inner.in, x);
        lw_layout_apply(&inner, x, mid);
        lw_layout_apply(&outer, mid, y);
        lw_layout_apply(&both, x, direct);
        assert_memory_equal(direct, y, 2 * sizeof *y);
    }
}

static void compose_refuses(void **state)
{
    (void)state;
    struct lw_layout a, b, out;
    struct lw_error err;
    assert_true(lw_layout_identity(&a, 8, "lane", "mid", NULL));
    assert_true(lw_layout_identity(&b, 4, "mid", "dim0", NULL));
    assert_false(lw_layout_compose(&out, &a, &b, &err)); /* larger than the outer's input */
    assert_int_equal(err.code, LW_ERROR_SHAPE);
    assert_true(lw_layout_rename_in(&b, &b, "mid", "other", NULL));
    assert_false(lw_layout_compose(&out, &a, &b, &err));
}

static void invert(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int round = 0; round < 300; round++) {
        int bits = round < 8 ? (int[]){0, 1, 2, 3, 62, 63, 64, 64}[round] : few(&seed, 64);
        struct lw_dims in, out;
        struct lw_layout a, inverse, identity;
        seeded_dims(&seed, &in, "in", bits > 60 ? 4 : 3, bits);
        seeded_dims(&seed, &out, "out", bits > 60 ? 4 : 2, bits);
        seeded_invertible(&seed, &a, &in, &out);
        assert_true(lw_layout_invert(&inverse, &a, NULL));
        assert_true(lw_layout_compose(&identity, &a, &inverse, NULL));
        for (int i = 0; i < bits; i++)
            assert_true(identity.basis[i] == (uint64_t)1 << i);
        assert_true(lw_layout_invert(&inverse, &inverse, NULL));
        assert_true(lw_layout_equal(&inverse, &a));
    }
}

static void invert_refuses(void **state)
{
    (void)state;
    struct lw_layout a, out;
    struct lw_error err;
    assert_true(lw_layout_zeros(&a, 4, "lane", "dim0", 4, NULL));
    assert_false(lw_layout_invert(&out, &a, &err));
    assert_string_equal(err.message, "not invertible: 2 input bits, 2 output bits, rank 0");
    assert_false(lw_layout_pseudoinvert(&out, &a, &err));
}

/* The least input of each output, by trying all. */
static void pseudoinvert(void **state)
{
    (void)state;
    uint64_t seed = 5;
    int surjective = 0;
    for (int round = 0; round < 400; round++) {
        struct lw_layout a = random_of(&seed, "in", 3, few(&seed, 9), "out", 2, few(&seed, 6));
        struct lw_layout right;
        bool good = lw_layout_pseudoinvert(&right, &a, NULL);
        assert_int_equal(good, lw_layout_is_surjective(&a));
        surjective += good;
        for (uint64_t y = 0; good && y < (uint64_t)1 << lw_layout_out_bits(&a); y++) {
            uint64_t x = 0;
            while (lw_layout_apply_flat(&a, x) != y)
                x++;
            assert_true(lw_layout_apply_flat(&right, y) == x);
        }
    }
    assert_true(surjective > 50);
}

/* outer(C(x)) = layout(x), if each element of the layout is in the outer one. */
static void invert_and_compose(void **state)
{
    (void)state;
    uint64_t seed = 6;
    int done = 0;
    for (int round = 0; round < 500; round++) {
        int bits = few(&seed, 9);
        struct lw_layout outer = random_of(&seed, "off", 2, bits + few(&seed, 3), "dim", 2, bits);
        struct lw_layout layout, c, again;
        struct lw_dims in;
        seeded_dims(&seed, &in, "in", 3, few(&seed, 12));
        seeded_layout(&seed, &layout, &in, &outer.out);
        bool good = lw_layout_invert_and_compose(&c, &layout, &outer, LW_IDENTITY_SIZED, NULL);
        if (!good) {
            assert_false(lw_layout_is_surjective(&outer));
            continue;
        }
        assert_true(lw_layout_compose(&again, &c, &outer, NULL));
        assert_true(lw_layout_equal(&again, &layout));
        done++;
    }
    assert_true(done > 100);
}

/* The same in-dim in both, with the same bases, maps to itself. */
static void alike_dims_stay(void **state)
{
    (void)state;
    struct lw_layout registers, memory, factor, c;
    assert_true(lw_layout_identity(&registers, 4, "register", "dim0", NULL));
    assert_true(lw_layout_identity(&memory, 4, "offset", "dim0", NULL));
    assert_true(lw_layout_zeros(&factor, 4, "block", "dim0", 1, NULL));
    assert_true(lw_layout_product(&registers, &registers, &factor, NULL));
    assert_true(lw_layout_product(&memory, &memory, &factor, NULL));
    assert_true(lw_layout_invert_and_compose(&c, &registers, &memory, LW_IDENTITY_SIZED, NULL));
    const uint64_t in[2] = {3, 2};
    uint64_t out[2];
    lw_layout_apply(&c, in, out);
    assert_true(out[0] == 3 && out[1] == 2);
}

static void transposing(void **state)
{
    (void)state;
    static const char *const ins[] = {"in2", "in0", "in1"}, *const outs[] = {"out1", "out0"};
    static const char *const ins_back[] = {"in0", "in1", "in2"}, *const outs_back[] = {"out0",
                                                                                       "out1"};
    uint64_t seed = 8;
    for (int round = 0; round < 200; round++) {
        struct lw_layout a = random_of(&seed, "in", 3, few(&seed, 30), "out", 2, few(&seed, 30)), t;
        uint64_t x[LW_DIMS_MAX], y[LW_DIMS_MAX], ty[LW_DIMS_MAX];
        assert_true(lw_layout_transpose_ins(&t, &a, ins, NULL));
        assert_true(lw_layout_transpose_outs(&t, &t, outs, NULL));
        random_point(&seed, &a.in, x);
        const uint64_t tx[] = {x[2], x[0], x[1]};
        lw_layout_apply(&a, x, y);
        lw_layout_apply(&t, tx, ty);
        assert_true(ty[0] == y[1] && ty[1] == y[0]);
        assert_true(lw_layout_transpose_ins(&t, &t, ins_back, NULL));
        assert_true(lw_layout_transpose_outs(&t, &t, outs_back, NULL));
        assert_true(lw_layout_equal(&t, &a));
    }
    struct lw_layout a = random_of(&seed, "in", 2, 4, "out", 2, 4);
    static const char *const twice[] = {"in0", "in0"}, *const unknown[] = {"in0", "lane"};
    assert_false(lw_layout_transpose_ins(&a, &a, twice, NULL));
    assert_false(lw_layout_transpose_ins(&a, &a, unknown, NULL));
}

static void reshaping(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (int round = 0; round < 200; round++) {
        int bits = few(&seed, 30);
        struct lw_layout a = random_of(&seed, "in", 3, bits, "out", 2, 20), b;
        struct lw_dims dims;
        seeded_dims(&seed, &dims, "n", 4, bits);
        assert_true(lw_layout_reshape_ins(&b, &a, &dims, NULL));
        uint64_t x = seeded_next(&seed) & lw_f2_mask(bits);
        assert_true(lw_layout_apply_flat(&a, x) == lw_layout_apply_flat(&b, x));
        seeded_dims(&seed, &dims, "n", 4, 20);
        assert_true(lw_layout_reshape_outs(&b, &a, &dims, NULL));
        assert_true(lw_layout_apply_flat(&a, x) == lw_layout_apply_flat(&b, x));
        seeded_dims(&seed, &dims, "n", 2, 21);
        assert_false(lw_layout_reshape_outs(&b, &a, &dims, NULL));
    }
}

static void sublayouts(void **state)
{
    (void)state;
    static const char *const ins[] = {"in2", "in0"}, *const outs[] = {"out1"};
    uint64_t seed = 10;
    for (int round = 0; round < 200; round++) {
        struct lw_layout a = random_of(&seed, "in", 3, few(&seed, 30), "out", 2, few(&seed, 30)), s;
        uint64_t x[LW_DIMS_MAX], y[LW_DIMS_MAX], sy[LW_DIMS_MAX];
        assert_true(lw_layout_sublayout(&s, &a, ins, 2, outs, 1, NULL));
        assert_string_equal(s.in.dim[0].name, "in0"); /* in the layout's own order */
        random_point(&seed, &a.in, x);
        x[1] = 0;
        const uint64_t sx[] = {x[0], x[2]};
        lw_layout_apply(&a, x, y);
        lw_layout_apply(&s, sx, sy);
        assert_true(sy[0] == y[1]);
    }
}

static void renaming(void **state)
{
    (void)state;
    struct lw_layout a;
    struct lw_error err;
    assert_true(lw_layout_identity(&a, 4, "lane", "dim0", NULL));
    assert_true(lw_layout_rename_in(&a, &a, "lane", "thread", NULL));
    assert_string_equal(a.in.dim[0].name, "thread");
    assert_true(lw_layout_rename_out(&a, &a, "dim0", "row", NULL));
    assert_string_equal(a.out.dim[0].name, "row");
    assert_false(lw_layout_rename_in(&a, &a, "warp", "x", &err));
    assert_false(lw_layout_rename_out(&a, &a, "row", "not a name", &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product),
        cmocka_unit_test(product_laws),
        cmocka_unit_test(product_limits),
        cmocka_unit_test(compose),
        cmocka_unit_test(compose_refuses),
        cmocka_unit_test(invert),
        cmocka_unit_test(invert_refuses),
        cmocka_unit_test(pseudoinvert),
        cmocka_unit_test(invert_and_compose),
        cmocka_unit_test(alike_dims_stay),
        cmocka_unit_test(transposing),
        cmocka_unit_test(reshaping),
        cmocka_unit_test(sublayouts),
        cmocka_unit_test(renaming),
    };
    return RUN(tests);
}
