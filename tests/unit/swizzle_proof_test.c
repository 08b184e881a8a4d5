/* The optimum over linear layouts against all of them: on a small machine every bijection of 16 elements is
 * tried, and of 32
 * elements every class of bijections that cannot differ in cost. */

#include "unit.h"
#include "seeded.h"

#include "laneway/swizzle.h"

/* Four lanes, four banks, grouped as a warp of NVIDIA's is. */
static const struct lw_lane_groups all_lanes = {.count = 1, .lanes = {0xf}},
                                   halves = {.count = 2, .lanes = {0x3, 0xc}},
                                   single = {.count = 4, .lanes = {1, 2, 4, 8}};
static const struct lw_bank_model model = {
    .name = "small",
    .evidence = "made up",
    .lanes = 4,
    .banks = 4,
    .bank_bytes = 4,
    .pairs = true,
    .load = {&all_lanes, &all_lanes, &all_lanes, &halves, &single},
    .store = {&all_lanes, &all_lanes, &all_lanes, &halves, &single}};
static const struct lw_hardware small = {"small", 4, "four lanes, four banks", &model};

struct pair {
    struct lw_map store, load;
    unsigned bits; /* of an element */
    enum lw_plan_stage stage;
    int elements; /* log2 */
};

/* A layout that holds every element: of unit vectors in some order, perhaps twice, or of any vectors once. */
static void random_side(uint64_t *state, int bits, bool unit, struct lw_map *map)
{
    struct lw_layout layout;
    do {
        struct lw_dims in = {0}, out = {0};
        int copies = unit && seeded_below(state, 2), warps = (int)seeded_below(state, 2);
        int regs = bits + copies - warps - 2;
        lw_dims_add(&in, "register", (uint64_t)1 << regs, NULL);
        lw_dims_add(&in, "lane", 4, NULL);
        lw_dims_add(&in, "warp", (uint64_t)1 << warps, NULL);
        lw_dims_add(&out, "dim0", (uint64_t)1 << bits / 2, NULL);
        lw_dims_add(&out, "dim1", (uint64_t)1 << (bits - bits / 2), NULL);
        seeded_layout(state, &layout, &in, &out);
        for (int i = 0; i < bits + copies && unit; i++)
            layout.basis[i] = i < bits ? (uint64_t)1 << i : 0;
        for (int i = bits + copies - 1; i > 0 && unit; i--) {
            uint64_t j = seeded_below(state, (uint64_t)i + 1), basis = layout.basis[i];
            layout.basis[i] = layout.basis[j];
            layout.basis[j] = basis;
        }
    } while (!lw_layout_is_surjective(&layout));
    lw_map_from_layout(map, &layout);
}

static uint64_t wavefronts(const struct pair *pair, const uint64_t *basis)
{
    struct lw_layout layout;
    struct lw_dims in = {0};
    struct lw_map memory;
    uint64_t sum = 0;
    lw_dims_add(&in, "offset", (uint64_t)1 << pair->elements, NULL);
    lw_layout_of_dims(&layout, &in, &pair->store.out, NULL);
    memcpy(layout.basis, basis, (size_t)pair->elements * sizeof *basis);
    lw_map_from_layout(&memory, &layout);
    for (int s = 0; s < 2; s++) {
        struct lw_plan_request request = {.registers = s ? &pair->load : &pair->store,
                                          .memory = &memory,
                                          .element_bits = pair->bits,
                                          .op = s ? LW_ACCESS_LOAD : LW_ACCESS_STORE,
                                          .stage = pair->stage,
                                          .hardware = &small};
        struct lw_plan plan;
        assert_true(lw_plan_make(&plan, &request, NULL));
        sum += plan.total.wavefronts;
        lw_plan_free(&plan);
    }
    return sum;
}

/* `span` has a bit for each of the vectors that are a sum of those chosen. */
static uint64_t widen(uint64_t span, uint64_t v)
{
    uint64_t wider = span;
    for (uint64_t x = 0; x < 64; x++)
        wider |= span >> x & 1 ? (uint64_t)1 << (x ^ v) : 0;
    return wider;
}

/* The least cost of all bijections that begin with the vectors chosen. */
static uint64_t least_of_all(const struct pair *pair, uint64_t *basis, int at, uint64_t span)
{
    uint64_t least = UINT64_MAX;
    if (at == pair->elements)
        return wavefronts(pair, basis);
    for (uint64_t v = 1; v < (uint64_t)1 << pair->elements; v++)
        if (!(span >> v & 1)) {
            basis[at] = v;
            uint64_t cost = least_of_all(pair, basis, at + 1, widen(span, v));
            least = cost < least ? cost : least;
        }
    return least;
}

/* Those whose vectors below `line` are chosen: the span of the others shows which elements share a bank, and one basis
 * of each such span is tried. */
static uint64_t least_of_segments(const struct pair *pair, uint64_t *basis, int at, int line)
{
    uint64_t least = UINT64_MAX, own = basis[at];
    if (at == pair->elements)
        return wavefronts(pair, basis);
    for (uint64_t x = 0; x < (uint64_t)1 << line; x++) {
        basis[at] = own;
        for (int i = 0; i < line; i++)
            basis[at] ^= x >> i & 1 ? basis[i] : 0;
        uint64_t cost = least_of_segments(pair, basis, at + 1, line);
        least = cost < least ? cost : least;
    }
    basis[at] = own;
    return least;
}

static uint64_t least_of_classes(const struct pair *pair, uint64_t *basis, int at, uint64_t span)
{
    uint64_t least = UINT64_MAX;
    int line = 7 - lw_log2(pair->bits);
    for (uint64_t v = 1; v < (uint64_t)1 << pair->elements && at < line; v++)
        if (!(span >> v & 1)) {
            basis[at] = v;
            uint64_t cost = least_of_classes(pair, basis, at + 1, widen(span, v));
            least = cost < least ? cost : least;
        }
    if (at < line)
        return least;
    for (uint64_t v = 1; v < (uint64_t)1 << pair->elements; v *= 2)
        if (!(span >> v & 1)) {
            basis[at++] = v;
            span = widen(span, v);
        }
    return least_of_segments(pair, basis, line, line);
}

static void prove(uint64_t *state, struct pair *pair, bool unit, bool classes)
{
    uint64_t basis[LW_BITS_MAX];
    struct lw_swizzle_search search;
    random_side(state, pair->elements, unit, &pair->store);
    random_side(state, pair->elements, unit, &pair->load);
    struct lw_swizzle_request request = {.store = &pair->store,
                                         .load = &pair->load,
                                         .element_bits = pair->bits,
                                         .stage = pair->stage,
                                         .hardware = &small};
    assert_true(lw_swizzle_begin(&search, &request, NULL));
    while (lw_swizzle_step(&search, 100))
        ;
    assert_true(search.found[LW_SWIZZLE_LINEAR]);
    uint64_t found = lw_swizzle_wavefronts(&search.best[LW_SWIZZLE_LINEAR]);
    uint64_t least = (classes ? least_of_classes : least_of_all)(pair, basis, 0, 1);
    assert_int_equal(found, least);
    assert_true(search.bound <= least);
    if (unit)
        assert_int_equal(search.bound, least);
    lw_swizzle_end(&search);
}

static void sixteen_elements(void **state)
{
    (void)state;
    uint64_t seed = 41;
    for (unsigned bits = 8; bits <= 64; bits *= 2)
        for (int i = 0; i < 6; i++) {
            struct pair pair = {
                .bits = bits, .elements = 4, .stage = i % 2 ? LW_PLAN_WRITTEN : LW_PLAN_COMPILED};
            prove(&seed, &pair, i % 4 < 2, false);
        }
}

static void thirty_two_elements(void **state)
{
    (void)state;
    uint64_t seed = 42;
    for (int i = 0; i < 2; i++) {
        struct pair pair = {
            .bits = 32, .elements = 5, .stage = i ? LW_PLAN_WRITTEN : LW_PLAN_COMPILED};
        prove(&seed, &pair, i % 2, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sixteen_elements),
                                       cmocka_unit_test(thirty_two_elements)};
    return RUN(tests);
}
