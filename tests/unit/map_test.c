/* Maps: apply and owners against each other and against trying every hardware index. */

#include "unit.h"
#include "core/map_kinds.h"
#include "seeded.h"

#include "laneway/map.h"

/* local(3, 4).spatial(2, 3), the example of the header. */
static void example(void **state)
{
    (void)state;
    struct lw_dims in = {0}, out = {0};
    struct lw_map map;
    static const struct lw_mode modes[] = {
        {3, 4, 2, 0, 0}, {2, 3, 1, 1, 0}, {4, 1, 3, 0, 1}, {3, 1, 1, 1, 1}};
    assert_true(lw_dims_add(&in, "local", 12, NULL) && lw_dims_add(&in, "thread", 6, NULL));
    assert_true(lw_dims_add(&out, "dim0", 6, NULL) && lw_dims_add(&out, "dim1", 12, NULL));
    assert_true(lw_map_from_modes(&map, &in, &out, modes, 4, NULL));
    for (uint64_t i = 0; i < 6; i++)
        for (uint64_t j = 0; j < 12; j++) {
            uint64_t at[2] = {i, j}, index[2], back[2];
            assert_true(lw_map_owner_count(&map, at) == 1);
            assert_true(lw_map_owner(&map, at, 0, index));
            assert_true(index[0] == i / 2 * 4 + j / 3 && index[1] == i % 2 * 3 + j % 3);
            assert_true(lw_map_apply(&map, index, back) && back[0] == i && back[1] == j);
            assert_false(lw_map_owner(&map, at, 1, index));
        }
    assert_true(lw_map_is_surjective(&map) && lw_map_is_injective(&map));
}

/* The owners of an element list every hardware index of it, in ascending order. */
static void compare(const struct lw_map *map)
{
    uint64_t ins, outs, listed = 0;
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX], owner[LW_DIMS_MAX];
    assert_true(lw_dims_total(&map->in, &ins, NULL) && lw_dims_total(&map->out, &outs, NULL));
    static uint64_t seen[1 << 12];
    memset(seen, 0, sizeof seen);
    for (uint64_t i = 0; i < ins; i++) {
        lw_dims_unflatten(&map->in, i, in);
        assert_true(lw_map_apply(map, in, out));
        uint64_t element = lw_dims_flatten(&map->out, out);
        assert_true(element < outs);
        assert_true(lw_map_owner(map, out, seen[element]++, owner));
        assert_true(lw_dims_flatten(&map->in, owner) == i);
    }
    bool surjective = true, injective = true;
    for (uint64_t e = 0; e < outs; e++) {
        lw_dims_unflatten(&map->out, e, out);
        assert_true(lw_map_owner_count(map, out) == seen[e]);
        assert_false(lw_map_owner(map, out, seen[e], owner));
        assert_true(seen[e] == 0 || seen[e] == lw_map_replication(map));
        surjective = surjective && seen[e] > 0;
        injective = injective && seen[e] < 2;
        listed += seen[e];
    }
    assert_true(listed == ins);
    assert_int_equal(lw_map_is_surjective(map), surjective);
    assert_true(lw_map_element_count(map) == ins / lw_map_replication(map));
    assert_int_equal(lw_map_is_injective(map), injective);
}

static void linear(void **state)
{
    (void)state;
    uint64_t seed = 21;
    for (int round = 0; round < 300; round++) {
        struct lw_dims in, out;
        struct lw_layout layout;
        struct lw_map map;
        seeded_dims(&seed, &in, "in", 3, (int)seeded_below(&seed, 12));
        seeded_dims(&seed, &out, "out", 2, (int)seeded_below(&seed, 10));
        seeded_layout(&seed, &layout, &in, &out);
        lw_map_from_layout(&map, &layout);
        compare(&map);
    }
}

/* Modes in random order of random sizes, some of which replicate. */
static int random_modes(uint64_t *seed, struct lw_mode *modes, struct lw_dims *in,
                        struct lw_dims *out)
{
    int count = (int)seeded_below(seed, 6);
    uint64_t in_size[2] = {1, 1}, out_size[2] = {1, 1}, total = 1;
    for (int i = 0; i < count; i++) {
        struct lw_mode *m = &modes[i];
        m->size = 1 + seeded_below(seed, 5);
        m->size = total * m->size > 4000 ? 1 : m->size;
        total *= m->size;
        m->in_dim = (int)seeded_below(seed, 2);
        m->out_dim = (int)seeded_below(seed, 3) - 1;
        m->in_stride = in_size[m->in_dim];
        in_size[m->in_dim] *= m->size;
        if (m->out_dim >= 0) {
            m->out_stride = out_size[m->out_dim];
            out_size[m->out_dim] *= m->size;
        }
    }
    in->count = out->count = 0;
    for (int d = 0; d < 2; d++) {
        assert_true(lw_dims_add(in, d ? "thread" : "local", in_size[d], NULL));
        assert_true(lw_dims_add(out, d ? "dim1" : "dim0", out_size[d], NULL));
    }
    return count;
}

static void mixed(void **state)
{
    (void)state;
    uint64_t seed = 22;
    for (int round = 0; round < 500; round++) {
        struct lw_mode modes[6] = {{0}};
        struct lw_dims in, out;
        struct lw_map map;
        int count = random_modes(&seed, modes, &in, &out);
        assert_true(lw_map_from_modes(&map, &in, &out, modes, count, NULL));
        compare(&map);
    }
}

/* A mixed map of powers of two is a linear one: both give the same. */
static void mixed_to_linear(void **state)
{
    (void)state;
    uint64_t seed = 23;
    int linear_ones = 0;
    for (int round = 0; round < 800; round++) {
        struct lw_mode modes[6] = {{0}};
        struct lw_dims in, out;
        struct lw_map map, as_linear;
        struct lw_layout layout;
        struct lw_error err;
        int count = random_modes(&seed, modes, &in, &out);
        assert_true(lw_map_from_modes(&map, &in, &out, modes, count, NULL));
        bool powers = true;
        for (int i = 0; i < count; i++)
            powers = powers && lw_log2(modes[i].size) >= 0;
        assert_int_equal(lw_map_to_layout(&map, &layout, &err), powers);
        if (!powers) {
            assert_int_equal(err.code, LW_ERROR_UNSUPPORTED);
            continue;
        }
        linear_ones++;
        lw_map_from_layout(&as_linear, &layout);
        compare(&as_linear);
        uint64_t ins;
        assert_true(lw_dims_total(&in, &ins, NULL));
        for (uint64_t i = 0; i < ins; i++) {
            uint64_t x[2], a[2], b[2];
            lw_dims_unflatten(&in, i, x);
            assert_true(lw_map_apply(&map, x, a) && lw_map_apply(&as_linear, x, b));
            assert_memory_equal(a, b, sizeof a);
        }
    }
    assert_true(linear_ones > 100);
}

static void bad_modes(void **state)
{
    (void)state;
    struct lw_dims in = {0}, out = {0};
    struct lw_map map;
    struct lw_error err;
    assert_true(lw_dims_add(&in, "local", 6, NULL) && lw_dims_add(&out, "dim0", 6, NULL));
    const struct lw_mode good[] = {{2, 1, 1, 0, 0}, {3, 2, 2, 0, 0}};
    const struct lw_mode gap[] = {{2, 1, 1, 0, 0}, {3, 3, 2, 0, 0}};
    const struct lw_mode lacks[] = {{2, 1, 1, 0, 0}};
    const struct lw_mode overlap[] = {{2, 1, 1, 0, 0}, {3, 2, 1, 0, 0}};
    assert_true(lw_map_from_modes(&map, &in, &out, good, 2, NULL));
    assert_false(lw_map_from_modes(&map, &in, &out, gap, 2, &err));
    assert_false(lw_map_from_modes(&map, &in, &out, lacks, 1, &err));
    assert_int_equal(err.code, LW_ERROR_SHAPE);
    assert_false(lw_map_from_modes(&map, &in, &out, overlap, 2, &err));
    assert_false(lw_map_from_modes(&map, &in, &out, good, LW_MODES_MAX + 1, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    const struct lw_mode listed_twice[] = {{6, 1, 1, 0, 0}, {2, 1, 1, 0, -1}};
    const struct lw_mode nowhere[] = {{6, 1, 1, 0, 0}, {1, 1, 1, 1, -1}};
    const struct lw_mode empty[] = {{6, 1, 1, 0, 0}, {0, 1, 1, 0, -1}};
    const struct lw_mode still[] = {{6, 1, 1, 0, 0}, {1, 0, 1, 0, -1}};
    const struct lw_mode *const bad[] = {listed_twice, nowhere, empty, still};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(lw_map_from_modes(&map, &in, &out, bad[i], 2, &err));
        assert_int_equal(err.code, LW_ERROR_SHAPE);
    }
}

static void out_of_range(void **state)
{
    (void)state;
    struct lw_layout layout;
    struct lw_map map;
    uint64_t in[1] = {4}, out[1] = {8};
    assert_true(lw_layout_strided(&layout, 4, 2, "lane", "dim0", NULL));
    lw_map_from_layout(&map, &layout);
    assert_false(lw_map_apply(&map, in, out));
    assert_true(lw_map_owner_count(&map, out) == 0);
    assert_false(lw_map_owner(&map, out, 0, in));
    out[0] = 1; /* an element without owners */
    assert_true(lw_map_owner_count(&map, out) == 0);
}

/* As quick as a small one: 2^40 elements, each with 2^20 owners. */
static void large(void **state)
{
    (void)state;
    struct lw_layout layout, copies;
    struct lw_map map;
    assert_true(lw_layout_zeros(&copies, (uint64_t)1 << 20, "block", "dim0", 1, NULL));
    assert_true(lw_layout_identity(&layout, (uint64_t)1 << 40, "register", "dim0", NULL));
    assert_true(lw_layout_product(&layout, &layout, &copies, NULL));
    lw_map_from_layout(&map, &layout);
    const uint64_t element[1] = {0xabcdef1234};
    uint64_t index[2];
    assert_true(lw_map_owner_count(&map, element) == 1 << 20);
    assert_true(lw_map_replication(&map) == 1 << 20);
    assert_true(lw_map_owner(&map, element, 777, index));
    assert_true(index[0] == element[0] && index[1] == 777);
}

/* The one element has 2^64 owners: the count is the largest number, not 1. */
static void full(void **state)
{
    (void)state;
    struct lw_layout low, high;
    struct lw_map map;
    uint64_t element[1] = {0};
    assert_true(lw_layout_zeros(&low, (uint64_t)1 << 32, "register", "dim0", 1, NULL));
    assert_true(lw_layout_zeros(&high, (uint64_t)1 << 32, "lane", "dim0", 1, NULL));
    assert_true(lw_layout_product(&low, &low, &high, NULL));
    lw_map_from_layout(&map, &low);
    assert_true(lw_map_replication(&map) == UINT64_MAX);
    assert_true(lw_map_owner_count(&map, element) == UINT64_MAX);
    assert_false(lw_map_is_injective(&map));
}

static void hardware(void **state)
{
    (void)state;
    struct lw_layout local, thread, hardware_layout;
    struct lw_map map;
    assert_true(lw_layout_identity(&local, 4, "local", "dim0", NULL));
    assert_true(lw_layout_identity(&thread, 128, "thread", "dim0", NULL));
    assert_true(lw_layout_product(&local, &local, &thread, NULL));
    lw_map_from_layout(&map, &local);
    assert_true(lw_map_to_hardware(&map, 32, &hardware_layout, NULL));
    static const char *const names[] = {"register", "lane", "warp", "block"};
    static const uint64_t sizes[] = {4, 32, 4, 1};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(hardware_layout.in.dim[i].name, names[i]);
        assert_true(hardware_layout.in.dim[i].size == sizes[i]);
    }
    const uint64_t in[4] = {1, 3, 2, 0};
    uint64_t out[1];
    lw_layout_apply(&hardware_layout, in, out);
    assert_true(out[0] == 1 + 4 * (3 + 32 * 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example),   cmocka_unit_test(linear),
        cmocka_unit_test(mixed),     cmocka_unit_test(mixed_to_linear),
        cmocka_unit_test(bad_modes), cmocka_unit_test(out_of_range),
        cmocka_unit_test(large),     cmocka_unit_test(full),
        cmocka_unit_test(hardware),
    };
    return RUN(tests);
}
