/* Conversions: maps against hardware indices, costs against a simulation of the data, known cases, what
 * is refused; the view against counting. */

#include "conversion_parts.h"

#include "plan_help.h"
#include "unit.h"
#include "view_help.h"

#include "analysis/access/path.h"
#include "seeded.h"

/* ---- Random layouts: register, lane and warp bits over the bits of a tensor, some of them copies ---- */

static void random_layout(uint64_t *state, struct lw_map *map, int bits, int lanes, int warps,
                          const struct lw_map *like)
{
    uint64_t unit[16];
    int used = 0, registers = bits;
    struct lw_layout layout;
    struct lw_dims in = {0}, out = {0};
    uint64_t basis[LW_BITS_MAX] = {0};
    for (int i = 0; i < bits; i++) {
        int at = (int)seeded_below(state, (uint64_t)i + 1);
        unit[i] = unit[at];
        unit[at] = (uint64_t)1 << i;
    }
    for (int i = 0; i < lanes + warps && used < bits; i++)
        if (seeded_below(state, 6)) {
            basis[16 + i] = unit[used++];
            registers--;
        }
    for (int i = 0; i < registers; i++)
        basis[i] = unit[used++];
    assert_true(lw_dims_add(&in, "register", (uint64_t)1 << registers, NULL));
    assert_true(lw_dims_add(&in, "lane", (uint64_t)1 << lanes, NULL));
    assert_true(lw_dims_add(&in, "warp", (uint64_t)1 << warps, NULL));
    assert_true(lw_dims_add(&out, "dim0", (uint64_t)1 << bits, NULL));
    assert_true(lw_layout_of_dims(&layout, &in, &out, NULL));
    memcpy(layout.basis, basis, (size_t)registers * sizeof *basis);
    memcpy(layout.basis + registers, basis + 16, (size_t)(lanes + warps) * sizeof *basis);
    if (like && seeded_below(state, 2)) { /* a small change of another one */
        layout = like->as.linear.layout;
        int all = lw_layout_in_bits(&layout), a = (int)seeded_below(state, (uint64_t)all);
        int b = (int)seeded_below(state, (uint64_t)all);
        uint64_t keep = layout.basis[a];
        layout.basis[a] = layout.basis[b];
        layout.basis[b] = keep;
    }
    lw_map_from_layout(map, &layout);
}

/* ---- The maps, index by index ---- */

static void check_maps(const struct lw_conversion *c)
{
    uint64_t total = (uint64_t)1 << lw_layout_in_bits(&c->to);
    enum { NONE, REGISTER, LANE, WARP, BLOCK, DISTANCES }; /* the slowest dim that differs */
    uint64_t distance[DISTANCES] = {0}, here[LW_DIMS_MAX], there[LW_DIMS_MAX];
    for (uint64_t p = 0; p < total; p++) {
        uint64_t source = lw_layout_apply_flat(&c->source, p);
        assert_true(lw_layout_apply_flat(&c->from, source) == lw_layout_apply_flat(&c->to, p));
        lw_dims_unflatten(&c->to.in, p, here);
        lw_dims_unflatten(&c->from.in, source, there);
        int slowest = BLOCK;
        while (slowest > NONE && here[slowest - 1] == there[slowest - 1])
            slowest--;
        distance[slowest]++;
    }
    total = (uint64_t)1 << lw_layout_in_bits(&c->from);
    for (uint64_t p = 0; p < total; p++)
        assert_true(lw_layout_apply_flat(&c->to, lw_layout_apply_flat(&c->map, p)) ==
                    lw_layout_apply_flat(&c->from, p));
    if (c->kind == LW_CONVERSION_NONE)
        assert_int_equal(distance[REGISTER] + distance[LANE] + distance[WARP] + distance[BLOCK], 0);
    if (c->kind <= LW_CONVERSION_REGISTERS)
        assert_int_equal(distance[LANE], 0);
    if (c->kind <= LW_CONVERSION_SHUFFLE)
        assert_int_equal(distance[WARP], 0);
}

/* ---- The data, through the bytes of shared memory ---- */

#define BYTES_MAX (1 << 16)

struct machine {
    const struct lw_conversion *c;
    unsigned bytes; /* of an element */
    uint16_t memory[BYTES_MAX];
    bool loaded[1 << 16]; /* by flat hardware index of `to`, the zero registers' bits being 0 */
};

/* The number of the element at a hardware index. */
static uint64_t element_at(const struct lw_layout *layout, uint64_t reg, uint64_t lane,
                           uint64_t warp, uint64_t *index)
{
    const uint64_t at[] = {reg, lane, warp, 0};
    *index = lw_dims_flatten(&layout->in, at);
    return lw_layout_apply_flat(layout, *index);
}

static void run(struct machine *m, bool store, const struct lw_instruction *i)
{
    uint64_t index;
    assert_true(i->access.op == LW_ACCESS_STORE || i->access.op == LW_ACCESS_LOAD);
    for (uint64_t lane = 0; lane < 32; lane++)
        for (unsigned k = 0; k < i->register_count; k++) {
            uint64_t address = i->access.address[lane] + k * m->bytes;
            assert_true(address + m->bytes <= m->c->shared_bytes);
            uint64_t element =
                element_at(store ? &m->c->from : &m->c->to, i->registers[k], lane, i->warp, &index);
            if (store) {
                m->memory[address] = (uint16_t)element;
            } else {
                assert_int_equal(m->memory[address], element);
                m->loaded[index] = true;
            }
        }
}

/* Every round stores, then loads; what is loaded is the element at that hardware index of B. */
static bool simulate(const struct lw_conversion *c)
{
    static struct machine m;
    const struct lw_path path = lw_path_of_conversion(c);
    struct lw_instruction instruction;
    if (c->exchange.store != LW_MOVE_PLAIN || c->exchange.load != LW_MOVE_PLAIN)
        return false;
    memset(&m, 0, sizeof m);
    m.c = c;
    m.bytes = c->store.request.element_bits / 8;
    for (uint64_t round = 0; round < c->rounds; round++)
        for (int load = 0; load < 2; load++) {
            enum lw_access_op op = load ? LW_ACCESS_LOAD : LW_ACCESS_STORE;
            uint64_t each = lw_path_count(&path, op) / c->rounds;
            for (uint64_t i = 0; i < each; i++) {
                lw_path_instruction(&path, op, round * each + i, &instruction);
                run(&m, !load, &instruction);
            }
        }
    uint64_t copies = 0, total = (uint64_t)1 << lw_layout_in_bits(&c->to);
    for (int bit = 0; bit < lw_layout_in_log2(&c->to, 0); bit++)
        copies |= c->to.basis[bit] ? 0 : (uint64_t)1 << bit;
    for (uint64_t p = 0; p < total; p++)
        assert_true(m.loaded[p] || (p & copies));
    return true;
}

/* ---- The data, through shuffles of values that are not packed ---- */

static uint64_t renamed(const struct lw_shuffle *s, uint64_t number)
{
    uint64_t out = 0;
    for (int i = 0; i < s->register_bits; i++) {
        int bit = s->to[i];
        while (bit >= s->register_bits)
            bit = s->to[bit];
        out |= (number >> i & 1) << bit;
    }
    return out;
}

/* Exchanges value r with its neighbour in the swapped bit, in the lanes that have that bit. */
static void select_values(uint64_t (*value)[32], uint64_t registers, uint64_t bit,
                          uint64_t lane_bit)
{
    for (uint64_t r = 0; r < registers; r++)
        for (uint64_t lane = 0; lane < 32 && !(r & bit); lane++)
            if (lane & lane_bit) {
                uint64_t keep = value[r][lane];
                value[r][lane] = value[r | bit][lane];
                value[r | bit][lane] = keep;
            }
}

/* The registers of a layout without its zero bits, as the compiler numbers them. */
static uint64_t register_of(const struct lw_layout *layout, uint64_t number)
{
    uint64_t out = 0;
    for (int i = 0, bit = 0; i < lw_layout_in_log2(layout, 0); i++)
        if (layout->basis[i])
            out |= (number >> bit++ & 1) << i;
    return out;
}

/* The lane that receives from `lane` when the lane bits are permuted. */
static uint64_t lane_before(const struct lw_shuffle *s, uint64_t lane)
{
    uint64_t before = 0;
    for (int i = 0; i < s->lane_bits; i++)
        before |= (lane >> s->lane_to[i] & 1) << i;
    return before;
}

/* The lane that `lane` of a warp receives register r from. */
static uint64_t source_of(const struct lw_shuffle *s, uint64_t r, uint64_t lane, uint64_t warp)
{
    bool swaps = s->swaps && (!s->lanes_permuted || r >> s->swap_register[0] & 1);
    uint64_t source = lane_before(s, lane);
    source ^= lane_before(s, swaps ? (uint64_t)1 << s->swap_lane[0] : 0);
    for (int i = 0; i < LW_BITS_MAX; i++)
        source &= ~s->warp_lanes[i];
    for (int i = 0; i < LW_BITS_MAX; i++)
        source |= warp >> i & 1 ? s->warp_lanes[i] : 0;
    return source;
}

/* Registers are renamed; selected by lane; sent; selected again. */
static void simulate_shuffles(const struct lw_conversion *c, uint64_t warp)
{
    static uint64_t value[1 << 12][32], sent[1 << 12][32];
    const struct lw_shuffle *s = &c->shuffle;
    uint64_t registers = (uint64_t)1 << s->register_bits, index, shuffles = 0;
    uint64_t bit = s->swaps ? (uint64_t)1 << s->swap_register[0] : 0;
    uint64_t after = s->swaps ? (uint64_t)1 << s->swap_lane[0] : 0, before = lane_before(s, after);
    for (int i = 0; i < LW_BITS_MAX; i++)
        before &= ~s->warp_lanes[i];
    for (uint64_t r = 0; r < registers; r++)
        for (uint64_t lane = 0; lane < 32; lane++)
            value[renamed(s, r)][lane] =
                element_at(&c->from, register_of(&c->from, r), lane, warp, &index);
    select_values(value, registers, bit, before);
    memcpy(sent, value, sizeof sent);
    for (uint64_t r = 0; r < registers; r++) {
        if (!s->lanes_permuted && !(r & bit))
            continue;
        for (uint64_t lane = 0; lane < 32; lane++)
            value[r][lane] = sent[r][source_of(s, r, lane, warp)];
        shuffles++;
    }
    assert_int_equal(shuffles, c->rounds);
    select_values(value, registers, bit, after);
    uint64_t needed = 1;
    for (int i = 0; i < lw_layout_in_log2(&c->to, 0); i++)
        needed <<= c->to.basis[i] != 0;
    for (uint64_t r = 0; r < needed; r++)
        for (uint64_t lane = 0; lane < 32; lane++)
            assert_int_equal(value[r][lane],
                             element_at(&c->to, register_of(&c->to, r), lane, warp, &index));
}

static void test_random(void **unused)
{
    (void)unused;
    static const unsigned widths[] = {8, 16, 32, 64};
    uint64_t state = 20;
    int simulated = 0, kinds[5] = {0};
    for (int n = 0; n < 1500; n++) {
        struct lw_map from, to;
        struct lw_conversion c;
        int bits = 3 + (int)seeded_below(&state, 7), warps = (int)seeded_below(&state, 3);
        random_layout(&state, &from, bits, 5, warps, NULL);
        random_layout(&state, &to, bits, 5, warps, &from);
        convert(&c, &from, &to, widths[seeded_below(&state, 4)]);
        check_maps(&c);
        kinds[c.kind]++;
        if (c.kind == LW_CONVERSION_SHARED) {
            assert_true(lw_layout_is_invertible(&c.memory));
            simulated += simulate(&c);
        }
        if (c.kind == LW_CONVERSION_SHUFFLE && c.shuffle.pack == 0)
            for (uint64_t w = 0; w < lw_dims_size(&c.to.in, "warp"); w++)
                simulate_shuffles(&c, w);
        lw_conversion_free(&c);
    }
    for (int kind = LW_CONVERSION_NONE; kind < LW_CONVERSION_BLOCKS; kind++)
        assert_true(kinds[kind] >= 20);
    assert_true(simulated > 300);
}

/* ---- Cases ---- */

static void kind_is(const char *a, const char *b, unsigned bits, enum lw_conversion_kind kind,
                    uint64_t shuffles, uint64_t rounds, uint64_t bytes)
{
    struct lw_map from = plan_map(a), to = plan_map(b);
    struct lw_conversion c;
    convert(&c, &from, &to, bits);
    assert_int_equal(c.kind, kind);
    assert_int_equal(c.shuffles, shuffles);
    assert_int_equal(c.rounds, rounds);
    assert_int_equal(c.shared_bytes, bytes);
    lw_conversion_free(&c);
}

/* Figure 4 of the paper. */
static void test_two_rounds(void **unused)
{
    (void)unused;
    const char *a = "{\"in\":[[\"register\",2],[\"lane\",4]],\"out\":[[\"dim0\",8]],"
                    "\"bases\":{\"register\":[[1]],\"lane\":[[2],[4]]}}";
    const char *b = "{\"in\":[[\"register\",2],[\"lane\",4]],\"out\":[[\"dim0\",8]],"
                    "\"bases\":{\"register\":[[4]],\"lane\":[[1],[2]]}}";
    kind_is(a, b, 32, LW_CONVERSION_SHUFFLE, 2, 2, 0);
    kind_is(a, b, 64, LW_CONVERSION_SHUFFLE, 4, 2, 0);
    kind_is(a, a, 32, LW_CONVERSION_NONE, 0, 0, 0);
}

/* Warps of 8 lanes that exchange the rows of an 8 x 8 tile of 16-byte vectors for its columns: 8 lanes move 128 bytes,
 * a wavefront, without a conflict. */
static void test_eight_lanes(void **unused)
{
    (void)unused;
    struct lw_map rows =
        plan_map("{\"in\":[[\"register\",32],[\"lane\",8]],\"out\":[[\"dim0\",256]],\"bases\":{"
                 "\"register\":[[1],[2],[4],[8],[16]],\"lane\":[[32],[64],[128]]}}");
    struct lw_map columns =
        plan_map("{\"in\":[[\"register\",32],[\"lane\",8]],\"out\":[[\"dim0\",256]],\"bases\":{"
                 "\"register\":[[1],[2],[32],[64],[128]],\"lane\":[[4],[8],[16]]}}");
    struct lw_conversion c;
    convert(&c, &rows, &columns, 32);
    assert_int_equal(c.kind, LW_CONVERSION_SHARED);
    assert_int_equal(c.store_total.instructions, 8);
    assert_int_equal(c.store_total.wavefronts, 8);
    assert_int_equal(c.load_total.wavefronts, 8);
    lw_conversion_free(&c);
}

/* Gluon's tutorial: a slice of a blocked layout that is a blocked one. */
static void test_slice_is_blocked(void **unused)
{
    (void)unused;
    kind_is("tensor<128xf32, #ttg.slice<{dim = 1, parent = " BLOCKED("[1, 1]", "[32, 1]", "[4, 1]",
                                                                     "[1, 0]") "}>>",
            "tensor<128xf32, " BLOCKED("[1]", "[32]", "[4]", "[0]") ">", 32, LW_CONVERSION_NONE, 0,
            0, 0);
}

/* Two blocks: which of them holds what may change, or may not. */
static void test_blocks(void **unused)
{
    (void)unused;
    const char *a = SPLIT("[1, 4]", "[8, 4]", "[1, 0]", "[1, 0]");
    kind_is(a, SPLIT("[1, 4]", "[8, 4]", "[1, 0]", "[0, 1]"), 16, LW_CONVERSION_BLOCKS, 0, 0, 0);
    kind_is(a, a, 16, LW_CONVERSION_NONE, 0, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),      cmocka_unit_test(test_two_rounds),
        cmocka_unit_test(test_eight_lanes), cmocka_unit_test(test_slice_is_blocked),
        cmocka_unit_test(test_blocks),
    };
    return RUN(tests);
}
