/* Subspaces against lists of all their vectors. */

#include "unit.h"
#include "seeded.h"

#include "core/divide.h"
#include "core/subspace.h"

#define BITS 7

/* A bit for each vector of the space. */
struct members {
    bool has[1 << BITS];
};

static struct members members_of(const uint64_t *vectors, int count)
{
    struct members members = {{false}};
    for (uint64_t pick = 0; pick < (uint64_t)1 << count; pick++) {
        uint64_t sum = 0;
        for (int i = 0; i < count; i++)
            sum ^= pick >> i & 1 ? vectors[i] : 0;
        members.has[sum] = true;
    }
    return members;
}

static int size_of(const struct members *members)
{
    int size = 0;
    for (int v = 0; v < 1 << BITS; v++)
        size += members->has[v];
    return size;
}

static void random_spaces(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < 500; round++) {
        uint64_t vectors[2][5];
        struct lw_space space[2] = {{.dim = 0}, {.dim = 0}};
        struct members all[2], both;
        for (int s = 0; s < 2; s++) {
            int count = (int)seeded_below(&seed, 6);
            for (int i = 0; i < count; i++)
                vectors[s][i] = seeded_below(&seed, 1 << BITS);
            lw_space_add_all(&space[s], vectors[s], count);
            all[s] = members_of(vectors[s], count);
            assert_int_equal(size_of(&all[s]), 1 << space[s].dim);
        }
        struct lw_space common = lw_space_intersect(&space[0], &space[1]);
        both = members_of(common.basis, common.dim);
        for (uint64_t v = 0; v < 1 << BITS; v++) {
            assert_int_equal(both.has[v], all[0].has[v] && all[1].has[v]);
            assert_int_equal(lw_space_reduce(&space[0], v) == 0, all[0].has[v]);
        }
        assert_int_equal(lw_space_within(&space[0], &space[1]), common.dim == space[0].dim);
        if (common.dim == 0)
            for (int v = 0; v < 1 << BITS; v++)
                for (int w = 0; w < 1 << BITS && all[0].has[v]; w++)
                    if (all[1].has[w]) {
                        uint64_t parts[] = {(uint64_t)(v ^ w), (uint64_t)v};
                        lw_space_parts(&space[0], &space[1], parts, 2);
                        assert_int_equal(parts[0], w);
                        assert_int_equal(parts[1], 0);
                    }
    }
}

/* Shifts and masks are as good as divisions. */
static void quotients(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (int round = 0; round < 2000; round++) {
        uint64_t value = seeded_below(&seed, UINT64_MAX);
        uint64_t by = round % 2 ? (uint64_t)1 << round % 64 : 1 + seeded_below(&seed, 100);
        assert_int_equal(lw_quotient(value, by), value / by);
        assert_int_equal(lw_remainder(value, by), value % by);
    }
}

/* A space of unit vectors has them for its basis, in order, for any basis that it was made of. */
static void units(void **state)
{
    (void)state;
    static const uint64_t vectors[] = {0x12, 0x06, 0x10, 0x04};
    struct lw_space space = {.dim = 0};
    lw_space_add_all(&space, vectors, 4);
    assert_int_equal(space.dim, 3);
    assert_int_equal(space.basis[0], 2);
    assert_int_equal(space.basis[1], 4);
    assert_int_equal(space.basis[2], 16);
    assert_false(lw_space_add(&space, 0));
    assert_false(lw_space_add(&space, 22));
    assert_true(lw_space_add(&space, (uint64_t)1 << 63));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_spaces), cmocka_unit_test(units),
                                       cmocka_unit_test(quotients)};
    return RUN(tests);
}
