/* Owners, vectors, repeats and the lines of memory, each against a count of every element. */

#include "plan_help.h"
#include "unit.h"

#include "analysis/owners.h"
#include "seeded.h"

enum { LANES = 32 };

static uint64_t elements_of(const struct lw_map *map)
{
    uint64_t total;
    assert_true(lw_dims_total(&map->out, &total, NULL));
    return total;
}

static bool same_threads(const struct lw_slot *a, const struct lw_slot *b)
{
    return a->warp == b->warp && a->lane == b->lane && a->thread == b->thread;
}

/* Whether each owner of every element has the thread of the same owner of the element that has its index modulo the
 * period along a dim. */
static bool repeats_after(const struct lw_map *map, int dim, uint64_t period)
{
    for (uint64_t e = 0; e < elements_of(map); e++) {
        uint64_t out[LW_DIMS_MAX], first[LW_DIMS_MAX];
        struct lw_slot owner, like;
        lw_dims_unflatten(&map->out, e, out);
        memcpy(first, out, sizeof first);
        first[dim] %= period;
        for (uint64_t k = 0; lw_slot_find(map, LANES, out, k, &owner); k++)
            if (!lw_slot_find(map, LANES, first, k, &like) || !same_threads(&owner, &like))
                return false;
    }
    return true;
}

/* Whether the register and the block of every element follow from the first repeat. */
static void check_added(const struct lw_map *map, int dim, const struct lw_repeat *repeat)
{
    for (uint64_t e = 0; e < elements_of(map); e++) {
        uint64_t out[LW_DIMS_MAX];
        struct lw_slot owner, first;
        lw_dims_unflatten(&map->out, e, out);
        assert_true(lw_slot_find(map, LANES, out, 0, &owner));
        uint64_t q = out[dim] / repeat->period;
        out[dim] %= repeat->period;
        assert_true(lw_slot_find(map, LANES, out, 0, &first));
        assert_int_equal(owner.reg, first.reg + q * repeat->reg);
        assert_int_equal(owner.block, first.block + q * repeat->block);
    }
}

/* The largest run of neighbours that are neighbours in one thread. */
static uint64_t vector_by_count(const struct lw_map *map, int dim, uint64_t n)
{
    for (uint64_t e = 0; e < elements_of(map); e++) {
        uint64_t out[LW_DIMS_MAX];
        struct lw_slot owner, first;
        lw_dims_unflatten(&map->out, e, out);
        uint64_t at = out[dim] % n;
        assert_true(lw_slot_find(map, LANES, out, 0, &owner));
        out[dim] -= at;
        assert_true(lw_slot_find(map, LANES, out, 0, &first));
        if (!same_threads(&owner, &first) || owner.reg != first.reg + at || first.reg % n)
            return false;
    }
    return true;
}

static void check_owners(const struct lw_map *map)
{
    for (uint64_t e = 0; e < elements_of(map); e++) {
        uint64_t out[LW_DIMS_MAX], in[LW_DIMS_MAX], found[LW_DIMS_MAX], back[LW_DIMS_MAX];
        struct lw_slot owner, again;
        lw_dims_unflatten(&map->out, e, out);
        for (uint64_t k = 0; lw_slot_find(map, LANES, out, k, &owner); k++) {
            assert_true(lw_map_owner(map, out, k, found));
            assert_true(lw_slot_index(map, LANES, &owner, in));
            assert_memory_equal(in, found, (size_t)map->in.count * sizeof *in);
            assert_true(lw_map_apply(map, in, back));
            assert_memory_equal(back, out, (size_t)map->out.count * sizeof *out);
            assert_true(lw_slot_of_index(map, LANES, in, &again));
            assert_true(same_threads(&again, &owner) && again.reg == owner.reg);
            assert_int_equal(owner.thread,
                             owner.lane + owner.warp * (lw_dims_find(&map->in, "lane") < 0
                                                            ? LANES
                                                            : lw_dims_size(&map->in, "lane")));
        }
    }
}

static int additive, xored;

static void check_map(const struct lw_map *map)
{
    int along;
    uint64_t vector = lw_map_vector(map, &along);
    check_owners(map);
    assert_true(along >= 0 ? vector_by_count(map, along, vector) : vector == 1);
    for (int dim = 0; dim < map->out.count; dim++) {
        struct lw_repeat repeat;
        uint64_t size = map->out.dim[dim].size, least = 1;
        for (uint64_t n = 2 * vector;
             n <= size && map->kind == LW_MAP_LINEAR && lw_map_is_injective(map); n *= 2)
            assert_false(vector_by_count(map, dim, n));
        if (!lw_map_repeat(map, dim, &repeat))
            continue;
        while (size % least || !repeats_after(map, dim, least))
            least++;
        assert_int_equal(repeat.period, least);
        assert_int_equal(repeat.count, size / least);
        bool added = repeat.reg || repeat.block;
        if (added)
            check_added(map, dim, &repeat);
        additive += added;
        xored += repeat.count > 1 && !added;
    }
}

static const char *const sources[] = {
    "tensor<32x64xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
    "warpsPerCTA = [2, 1], order = [1, 0]}>>",
    "tensor<16x16xf32, #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [8, 4], "
    "warpsPerCTA = [1, 2], order = [0, 1]}>>",
    "tensor<4x8xf16, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], "
    "warpsPerCTA = [2, 1], order = [1, 0]}>>",
    "tensor<64x32xf16, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 1], "
    "instrShape = [16, 8]}>>",
    "tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, kWidth = 2, parent = #ttg.nvidia_mma<{versionMajor "
    "= 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>}>>",
    "tensor<64x64xf16, #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], "
    "isTransposed = true}>>",
    "tensor<32x32xf16, #ttg.linear<{register = [[0, 1], [16, 0], [0, 16]], lane = [[0, 2], [0, 4], "
    "[0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}>>",
    "local(2, 1).spatial(8, 4).local(1, 2)",
    "local(3, 4).spatial(2, 3).local(2, 1)",
    "local(2, 4).spatial(8, 8)",
    "spatial(4, 16).local(2, 4).local(2, 1)",
    "local(4, 4).spatial(2, 4).local(2, 1)",
    "column_local(3, 4).spatial(3, 6).column_local(2, 2)",
};

static void every_element(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct lw_map map = plan_map(sources[i]);
        check_map(&map);
    }
    assert_true(additive > 10);
}

/* Any bases that hold every element. */
static void any_bases(void **state)
{
    uint64_t seed = 7;
    int checked = 0;
    (void)state;
    for (int i = 0; i < 400; i++) {
        struct lw_dims in = {0}, out = {0};
        struct lw_layout layout;
        struct lw_map map;
        lw_dims_add(&in, "register", (uint64_t)1 << seeded_below(&seed, 5), NULL);
        lw_dims_add(&in, "lane", 4, NULL);
        lw_dims_add(&in, "warp", 2, NULL);
        lw_dims_add(&in, "block", (uint64_t)1 << seeded_below(&seed, 2), NULL);
        seeded_dims(&seed, &out, "dim", 2, 5);
        seeded_layout(&seed, &layout, &in, &out);
        for (int b = 0; b < lw_layout_in_bits(&layout); b++)
            layout.basis[b] =
                seeded_below(&seed, 2) ? (uint64_t)1 << seeded_below(&seed, 5) : layout.basis[b];
        if (!lw_layout_is_surjective(&layout))
            continue;
        lw_map_from_layout(&map, &layout);
        check_map(&map);
        checked++;
    }
    assert_true(checked > 100);
    assert_true(xored > 20);
}

static void sentence(void **state)
{
    static const struct {
        const char *source;
        uint64_t shown[2];
        const char *text;
    } cases[] = {
        {"tensor<1024x1024xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
         "warpsPerCTA = [4, 1], order = [1, 0]}>>",
         {16, 64},
         "period 16 x 64: 64 down, register + 128 each; 16 across, register + 8 each"},
        {"tensor<1024x1024xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
         "warpsPerCTA = [4, 1], order = [1, 0]}>>",
         {16, 1024},
         "period 16 x 1024: 64 down, register + 128 each"},
        {"tensor<1024xf16, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], "
         "warpsPerCTA = [1], order = [0]}>>",
         {1, 128},
         "period 128: 8 times across, register + 4 each"},
        {"local(4, 2).spatial(2, 4)",
         {2, 4},
         "period 2 x 4: 4 down, register + 2 each; 2 across, register + 1 each"},
        {"local(2, 2, 2).spatial(1, 2, 4)",
         {1, 4},
         "period 1 x 4: 2 along dim0, register + 4 each; 2 down, register + 2 each; 2 "
         "across, "
         "register + 1 each"},
        {"local(2, 2, 2).spatial(1, 2, 4)", {8, 8}, "2 x 4 x 8"},
        {"column_local(1, 2).column_local(1, 4).local(2, 1).spatial(8, 4)",
         {8, 4},
         "period 8 x 4: 2 down, register + 1 each; 8 across, register + 2 each"},
        {"local(1, 2).local(2, 1).local(1, 2).spatial(4, 8)",
         {4, 8},
         "period 4 x 8: 2 down, register + 2 each; 4 across, with other registers"},
        {"local(3, 4).spatial(2, 3)", {2, 3}, "2 x 3"},
        {"spatial(8, 4)", {8, 4}, "8 x 4"},
        {"(3,5):(5,1)", {3, 5}, "3 x 5"},
        {"1048576:1", {1, 1}, "period 1: 1048576 times across, offset + 1 each"},
        {"(1024,1024):(1024,1)",
         {1, 1},
         "period 1 x 1: 1024 down, offset + 1024 each; 1024 across, offset + 1 each"},
        {"!ttg.memdesc<64x128xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "
         "order = "
         "[1, 0]}>, "
         "#ttg.shared_memory>",
         {8, 64},
         "period 8 x 64: 8 down, offset + 1024 each; 2 across, offset + 64 each"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_map map = plan_map(cases[i].source);
        struct lw_text text = {0};
        lw_map_put_part(&text, &map, cases[i].shown);
        assert_string_equal(lw_text_string(&text), cases[i].text);
        lw_text_free(&text);
    }
}

/* A warp's rows and columns: all of them are its own, and those after them are of another one. */
static void of_warp(void **state)
{
    static const struct {
        const char *source;
        uint64_t rows, cols;
    } cases[] = {
        {"tensor<64x64xf32, #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, "
         "1], instrShape = [16, 64, 16]}>>",
         16, 64},
        {"tensor<32x16xf32, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, "
         "2], instrShape = [16, 8]}>>",
         16, 8},
        {"tensor<128xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = "
         "[4], order = [0]}>>",
         1, 32},
        {"tensor<2x4x32xf32, #ttg.blocked<{sizePerThread = [1, 2, 1], threadsPerWarp = [1, 1, 32], "
         "warpsPerCTA = [2, 2, 1], order = [2, 1, 0]}>>",
         2, 32},
        {"(8,8):(8,1)", 8, 8},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_map map = plan_map(cases[i].source);
        assert_int_equal(lw_map_of_warp(&map, 32, true), cases[i].rows);
        assert_int_equal(lw_map_of_warp(&map, 32, false), cases[i].cols);
        const int last = map.out.count - 1;
        struct lw_slot first, here;
        uint64_t out[LW_DIMS_MAX] = {0};
        if (!lw_slot_find(&map, 32, out, 0, &first))
            continue;
        for (uint64_t col = 0; col < map.out.dim[last].size; col++) {
            out[last] = col;
            assert_true(lw_slot_find(&map, 32, out, 0, &here));
            if (col <= cases[i].cols)
                assert_int_equal(here.warp == first.warp, col < cases[i].cols);
        }
    }
}

static void refused(void **state)
{
    struct lw_map memory = plan_map("(8,8):(8,1)");
    struct lw_slot owner = {0};
    struct lw_repeat repeat;
    uint64_t zero[LW_DIMS_MAX] = {0}, in[LW_DIMS_MAX];
    (void)state;
    assert_false(lw_slot_find(&memory, 32, zero, 0, &owner));
    assert_false(lw_slot_index(&memory, 32, &owner, in));
    struct lw_map registers = plan_map("spatial(8, 4)");
    assert_false(lw_slot_find(&registers, 32, zero, 1, &owner));
    owner = (struct lw_slot){.reg = 1};
    assert_false(lw_slot_index(&registers, 32, &owner, in));
    owner = (struct lw_slot){.warp = 1};
    assert_false(lw_slot_index(&registers, 32, &owner, in));
    owner = (struct lw_slot){.lane = 3, .warp = 7};
    assert_true(lw_slot_index(&registers, 4, &owner, in));
    memory = plan_map("(3,5):(5,1)");
    assert_false(lw_map_repeat(&memory, 0, &repeat));
    assert_false(lw_map_repeat(&registers, 2, &repeat));
    assert_false(lw_map_repeat(&registers, -1, &repeat));
}

/* ---- Memory ---- */

/* The xor of a line, from the element of each of its vectors: plain memory has them in order. */
static void check_lines(const struct lw_map *map, const struct lw_memory_lines *lines,
                        uint64_t columns)
{
    for (uint64_t line = 0; line < lines->count; line++) {
        uint64_t vectors, per_line = lines->line / lines->vector;
        assert_true(lw_memory_xor(map, lines, line, &vectors));
        for (uint64_t v = 0; v < per_line; v++) {
            uint64_t in[LW_DIMS_MAX] = {line * lines->line + v * lines->vector}, out[LW_DIMS_MAX];
            uint64_t plain = line * lines->line + (v ^ vectors) * lines->vector;
            assert_true(lw_map_apply(map, in, out));
            assert_int_equal(out[0] * columns + out[1], plain);
        }
    }
}

/* Without its swizzle a memory has the elements in order. */
static void check_plain(const struct lw_map *map, bool has_swizzle, uint64_t columns)
{
    struct lw_map plain;
    assert_int_equal(lw_memory_plain(map, &plain), has_swizzle);
    for (uint64_t i = 0; has_swizzle && i < map->in.dim[0].size; i++) {
        uint64_t in[LW_DIMS_MAX] = {i}, out[LW_DIMS_MAX];
        assert_true(lw_map_apply(&plain, in, out));
        assert_int_equal(out[0] * columns + out[1], i);
    }
}

static void memory_lines(void **state)
{
    static const struct {
        int columns, vec, per_phase, max_phase, period;
    } cases[] = {{64, 8, 1, 8, 8},   {64, 8, 2, 4, 8},  {32, 8, 2, 4, 4}, {32, 8, 2, 2, 2},
                 {64, 1, 1, 64, 64}, {128, 8, 1, 1, 1}, {16, 8, 4, 2, 2}};
    const struct lw_bank_model *banks = lw_hardware_find("sm90")->banks;
    struct lw_memory_lines lines;
    uint64_t vectors;
    char source[256];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(source, sizeof source,
                 "!ttg.memdesc<64x%dxf16, #ttg.swizzled_shared<{vec = %d, perPhase = %d, maxPhase "
                 "= %d, order = [1, 0]}>, #smem>",
                 cases[i].columns, cases[i].vec, cases[i].per_phase, cases[i].max_phase);
        struct lw_map map = plan_map(source);
        assert_true(lw_memory_lines_of(&map, 16, banks, &lines));
        assert_int_equal(lines.line, 64);
        assert_int_equal(lines.count, cases[i].columns);
        assert_int_equal(lines.vector, cases[i].max_phase > 1 ? cases[i].vec : 8);
        assert_int_equal(lines.period, cases[i].period);
        check_lines(&map, &lines, (uint64_t)cases[i].columns);
        check_plain(&map, cases[i].max_phase > 1, (uint64_t)cases[i].columns);
        assert_false(lw_memory_xor(&map, &lines, lines.count, &vectors));
    }
    /* Two rows of a line have other xors; a vector that is longer than a line. */
    struct lw_map narrow = plan_map("!ttg.memdesc<64x32xf16, #ttg.swizzled_shared<{vec = 8, "
                                    "perPhase = 1, maxPhase = 4, order = [1, 0]}>, #smem>");
    assert_true(lw_memory_lines_of(&narrow, 16, banks, &lines));
    assert_int_equal(lines.period, 1);
    assert_false(lw_memory_xor(&narrow, &lines, 0, &vectors));
    struct lw_map wide = plan_map("!ttg.memdesc<16x256xf16, #ttg.swizzled_shared<{vec = 64, "
                                  "perPhase = 1, maxPhase = 4, order = [1, 0]}>, #smem>");
    assert_true(lw_memory_lines_of(&wide, 16, banks, &lines));
    assert_false(lw_memory_xor(&wide, &lines, 1, &vectors));
    struct lw_map padded = plan_map("!ttg.memdesc<32x32xf32, #ttg.padded_shared<[32:+1] {order = "
                                    "[1, 0], shape = [32, 32]}>, #smem>");
    assert_true(lw_memory_lines_of(&padded, 32, banks, &lines));
    assert_int_equal(lines.line, 32);
    assert_int_equal(lines.count, 33);
    assert_int_equal(lines.vector, 4);
    assert_true(lw_memory_xor(&padded, &lines, 5, &vectors));
    assert_int_equal(vectors, 0);
    assert_true(lw_memory_lines_of(&padded, 32, lw_hardware_find("gfx950")->banks, &lines));
    assert_int_equal(lines.line, 64);
    struct lw_map registers = plan_map("spatial(8, 4)");
    assert_false(lw_memory_lines_of(&registers, 32, banks, &lines));
    assert_false(lw_memory_lines_of(&padded, 3, banks, &lines));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element), cmocka_unit_test(any_bases),
        cmocka_unit_test(sentence),      cmocka_unit_test(of_warp),
        cmocka_unit_test(refused),       cmocka_unit_test(memory_lines),
    };
    return RUN(tests);
}
