/* Wavefronts: single instructions as counted on an H200, AMD's lane groups, and an independent count. */

#include "laneway/laneway.h"
#include "support/golden.h"
#include "support/seeded.h"
#include "support/unit.h"

#include <stdlib.h>

static const struct lw_bank_model *model_of(const char *target)
{
    const struct lw_hardware *hardware = lw_hardware_find(target);
    assert_non_null(hardware);
    return hardware->banks;
}

static struct lw_access plain(enum lw_access_op op, unsigned width, uint64_t active)
{
    return (struct lw_access){.op = op, .width = width, .active = active};
}

/* An access whose lane i is at base + stride * i. */
static struct lw_access strided(enum lw_access_op op, unsigned width, uint64_t stride)
{
    struct lw_access access = plain(op, width, 0xffffffff);
    for (unsigned i = 0; i < LW_WARP_MAX; i++)
        access.address[i] = stride * i;
    return access;
}

static void assert_cost(const char *target, const struct lw_access *access, unsigned wavefronts,
                        unsigned conflicts, unsigned ideal)
{
    struct lw_cost cost;
    struct lw_error err;
    if (!lw_access_cost(model_of(target), access, &cost, &err))
        fail_msg("%s", err.message);
    assert_int_equal(cost.wavefronts, wavefronts);
    assert_int_equal(cost.conflicts, conflicts);
    assert_int_equal(cost.ideal, ideal);
}

static void assert_refused(const char *target, const struct lw_access *access, const char *message)
{
    struct lw_cost cost;
    struct lw_wavefronts all;
    struct lw_error err;
    assert_false(lw_access_cost(model_of(target), access, &cost, &err));
    assert_string_equal(err.message, message);
    assert_false(lw_access_wavefronts(model_of(target), access, &all, &err));
    assert_string_equal(err.message, message);
}

/* ---- An independent count: wavefronts must hold together ---- */

/* The banks that serve an access. */
static unsigned banks_of(const struct lw_bank_model *model, const struct lw_access *access)
{
    const struct lw_lane_groups *const *groups =
        access->op == LW_ACCESS_LOAD ? model->load : model->store;
    bool matrix = access->op != LW_ACCESS_LOAD && access->op != LW_ACCESS_STORE;
    unsigned own = matrix ? 0 : groups[__builtin_ctz(access->width)]->banks;
    return own ? own : model->banks;
}

/* Every active lane is served once, in its group, by words that are its own; no bank moves two. */
static void assert_whole(const struct lw_bank_model *model, const struct lw_access *access,
                         const struct lw_wavefronts *all)
{
    uint64_t served = 0;
    unsigned of_group[LW_GROUPS_MAX] = {0}, wavefronts = 0, conflicts = 0;
    assert_int_equal(all->count, all->cost.wavefronts);
    for (unsigned i = 0; i < all->count; i++) {
        const struct lw_wavefront *w = &all->wavefront[i];
        assert_int_equal(w->lanes & ~all->group[w->group], 0);
        assert_int_equal(w->lanes & served, 0);
        assert_int_not_equal(w->lanes, 0);
        served |= w->lanes;
        of_group[w->group]++;
        for (unsigned lane = 0; lane < model->lanes; lane++)
            for (uint64_t a = access->address[lane]; w->lanes >> lane & 1; a += 4) {
                unsigned bank = (unsigned)(a / 4 % banks_of(model, access));
                assert_true(w->banks >> bank & 1);
                assert_int_equal(w->word[bank], a / 4);
                if (a + 4 >= access->address[lane] + access->width)
                    break;
            }
    }
    for (unsigned g = 0; g < all->group_count; g++) {
        wavefronts += of_group[g];
        conflicts += of_group[g] - 1;
    }
    assert_int_equal(wavefronts, all->cost.wavefronts);
    assert_int_equal(conflicts, all->cost.conflicts);
}

/* The rule as it is written down, word by word and bank by bank. */
static struct lw_cost by_hand(const struct lw_bank_model *model, const struct lw_access *access)
{
    struct lw_cost cost = {0};
    uint64_t bytes[64 * 16];
    size_t count = 0;
    bool pair[3] = {false, true, true}, load = access->op == LW_ACCESS_LOAD;
    for (unsigned step = 1; step <= 2; step++)
        for (unsigned i = 0; i < 64; i++)
            if (access->active >> i & access->active >> (i ^ step) & 1)
                pair[step] = pair[step] && access->address[i] == access->address[i ^ step];
    bool merge = load && model->pairs && access->width >= 8 && (pair[1] || pair[2]);
    const struct lw_lane_groups *groups =
        (load ? model->load : model->store)[__builtin_ctz(access->width)];
    for (unsigned g = 0; g < groups->count; g += merge ? 2 : 1) {
        uint64_t lanes = access->active & (groups->lanes[g] | (merge ? groups->lanes[g + 1] : 0));
        unsigned max = 0;
        for (unsigned bank = 0; bank < banks_of(model, access); bank++) {
            uint64_t words[256];
            unsigned n = 0;
            for (unsigned lane = 0; lane < 64; lane++)
                for (uint64_t b = 0; (lanes >> lane & 1) && b < access->width; b++) {
                    uint64_t word = (access->address[lane] + b) / 4;
                    unsigned k = 0;
                    while (k < n && words[k] != word)
                        k++;
                    if (word % banks_of(model, access) == bank && k == n)
                        words[n++] = word;
                }
            max = n > max ? n : max;
        }
        cost.wavefronts += max;
        cost.conflicts += max ? max - 1 : 0;
    }
    for (unsigned lane = 0; lane < 64; lane++)
        for (uint64_t b = 0; (access->active >> lane & 1) && b < access->width; b++) {
            size_t k = 0;
            while (k < count && bytes[k] != access->address[lane] + b)
                k++;
            if (k == count)
                bytes[count++] = access->address[lane] + b;
        }
    size_t row = 4 * (size_t)banks_of(model, access);
    cost.bytes = (unsigned)count;
    cost.ideal = (unsigned)((count + row - 1) / row);
    return cost;
}

/* Addresses of one of five kinds: any, the xor of a step for each bit of the lane, these with padding, and with
 * a change
 * in one lane, and evenly spaced ones. */
static void choose_addresses(uint64_t *seed, struct lw_access *access)
{
    uint64_t span = (uint64_t)64 << seeded_below(seed, 7), kind = seeded_below(seed, 5);
    uint64_t base = seeded_below(seed, 4) ? 0 : (uint64_t)1 << (20 + seeded_below(seed, 36));
    uint64_t far = seeded_below(seed, 16) ? 0 : 54; /* the spacing passes the end of memory */
    uint64_t copy = seeded_below(seed, 8);          /* bits of the lane that do not matter */
    uint64_t step[6], interval = (uint64_t)16 << seeded_below(seed, 6);
    for (int k = 0; k < 6; k++)
        step[k] = seeded_below(seed, 2) ? seeded_below(seed, span)
                                        : (uint64_t)1 << seeded_below(seed, 12);
    for (unsigned i = 0; i < 64; i++) {
        uint64_t at = kind ? 0 : seeded_below(seed, span);
        for (int k = 0; kind && k < 6; k++)
            at ^= (i & ~copy) >> k & 1 ? step[k] : 0;
        at += kind == 2 ? at / interval : 0;
        at += kind == 3 && i == 21 ? 1 : 0;
        at = kind == 4 ? i * (step[0] + step[1]) << far : at;
        access->address[i] = base + at * access->width;
        if (!kind && (i & ~copy) != i)
            access->address[i] = access->address[i & ~copy];
    }
}

static void test_random(void **state)
{
    static const char *const targets[] = {"sm90",    "gfx942",  "gfx950",
                                          "gfx1100", "gfx1201", "gfx950-rocroller"};
    uint64_t seed = 20;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        const struct lw_bank_model *model = model_of(targets[seeded_below(&seed, 6)]);
        struct lw_access access = {.op = (enum lw_access_op)seeded_below(&seed, 2),
                                   .width = 1u << seeded_below(&seed, LW_WIDTHS)};
        access.active = seeded_below(&seed, 2) ? seeded_next(&seed) : ~(uint64_t)0;
        access.active &= model->lanes == 64 ? ~(uint64_t)0 : 0xffffffff;
        choose_addresses(&seed, &access);
        struct lw_cost cost;
        struct lw_wavefronts all;
        struct lw_error err;
        bool known =
            (access.op == LW_ACCESS_LOAD ? model->load : model->store)[__builtin_ctz(access.width)];
        assert_int_equal(lw_access_cost(model, &access, &cost, &err), known);
        assert_int_equal(lw_access_wavefronts(model, &access, &all, &err), known);
        if (!known) {
            assert_int_equal(err.code, LW_ERROR_UNSUPPORTED);
            continue;
        }
        struct lw_cost expected = by_hand(model, &access);
        assert_memory_equal(&cost, &expected, sizeof cost);
        assert_memory_equal(&all.cost, &expected, sizeof cost);
        assert_whole(model, &access, &all);
    }
}

/* ---- Counted on an H200 ---- */

static bool read_row(char *line, struct lw_access *access, struct lw_cost *counted)
{
    const char *field = golden_field(&line, ',');
    memset(access, 0, sizeof *access);
    if (!strcmp(field, "op"))
        return false;
    bool matrix = field[1] == 'm';
    if (matrix)
        access->matrices = (unsigned)atoi(field + 2);
    access->op = matrix ? (field[0] == 'l' ? LW_ACCESS_LDMATRIX : LW_ACCESS_STMATRIX)
                        : (field[0] == 'l' ? LW_ACCESS_LOAD : LW_ACCESS_STORE);
    access->width = (unsigned)atoi(golden_field(&line, ','));
    access->active = strtoull(golden_field(&line, ','), NULL, 16);
    counted->wavefronts = (unsigned)atoi(golden_field(&line, ','));
    counted->conflicts = (unsigned)atoi(golden_field(&line, ','));
    for (int lane = 0; lane < 32; lane++)
        access->address[lane] = strtoull(golden_field(&line, ','), NULL, 10);
    return true;
}

static void test_h200(void **state)
{
    FILE *file = golden_open("banks_h200.csv");
    int rows = 0;
    (void)state;
    for (char *line; (line = golden_line(file)) != NULL;) {
        struct lw_access access;
        struct lw_cost cost, counted;
        struct lw_wavefronts all;
        if (!read_row(line, &access, &counted))
            continue;
        assert_true(lw_access_cost(model_of("sm90"), &access, &cost, NULL));
        if (cost.wavefronts != counted.wavefronts || cost.conflicts != counted.conflicts)
            fail_msg("row %d: %u wavefronts, %u conflicts; counted %u and %u", rows,
                     cost.wavefronts, cost.conflicts, counted.wavefronts, counted.conflicts);
        assert_true(lw_access_wavefronts(model_of("sm90"), &access, &all, NULL));
        assert_memory_equal(&all.cost, &cost, sizeof cost);
        assert_whole(model_of("sm90"), &access, &all);
        rows++;
    }
    assert_int_equal(rows, 1696);
}

/* ---- What people asked ---- */

/* f32 by columns: rows of 32, 64, 16 and 33 words use 1, 1, 2 and 32 banks. */
static void test_columns(void **state)
{
    static const unsigned rows[][3] = {{32, 32, 1}, {64, 32, 1}, {16, 16, 2}, {33, 1, 32}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lw_access access = strided(LW_ACCESS_LOAD, 4, 4 * rows[i][0]);
        struct lw_wavefronts all;
        unsigned used = 0;
        assert_cost("sm90", &access, rows[i][1], rows[i][1] - 1, 1);
        assert_true(lw_access_wavefronts(model_of("sm90"), &access, &all, NULL));
        for (unsigned b = 0; b < 32; b++)
            used += all.words[b] > 0;
        assert_int_equal(used, rows[i][2]);
    }
}

/* out[i] = shm[4 * i]: 4-way, 3 extra an instruction. */
static void test_every_fourth_word(void **state)
{
    struct lw_access access = strided(LW_ACCESS_LOAD, 4, 16);
    (void)state;
    assert_cost("sm90", &access, 4, 3, 1);
}

/* Consecutive values of 16 bytes: 4 wavefronts, and that is the ideal. */
static void test_wide_stores(void **state)
{
    struct lw_access access = strided(LW_ACCESS_STORE, 16, 16);
    struct lw_wavefronts all;
    (void)state;
    assert_cost("sm90", &access, 4, 0, 4);
    assert_true(lw_access_wavefronts(model_of("sm90"), &access, &all, NULL));
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(all.wavefront[i].lanes, (uint64_t)0xff << 8 * i);
}

/* One row of an 8 x 8 tile of f32, column-major: columns 0 and 4 clash; Swizzle<3, 2, 3> parts them. */
static void test_row_of_column_major(void **state)
{
    struct lw_access access = strided(LW_ACCESS_LOAD, 4, 32);
    (void)state;
    access.active = 0xff;
    assert_cost("sm90", &access, 2, 1, 1);
    struct lw_wavefronts all;
    assert_true(lw_access_wavefronts(model_of("sm90"), &access, &all, NULL));
    assert_int_equal(all.lanes[0], 1 << 0 | 1 << 4);
    for (unsigned i = 0; i < 8; i++) {
        uint64_t offset = access.address[i] / 4;
        access.address[i] = 4 * (offset ^ ((offset >> 5 & 7) << 2));
    }
    assert_cost("sm90", &access, 1, 0, 1);
}

/* A 16 x 32 tile of f32 swizzled by row xor column: reading column 0 costs 16 without, 1 with. */
static void test_row_xor_column(void **state)
{
    struct lw_access access = plain(LW_ACCESS_LOAD, 4, 0xffff);
    (void)state;
    for (unsigned row = 0; row < 16; row++)
        access.address[row] = 4 * 32 * row;
    assert_cost("sm90", &access, 16, 15, 1);
    for (unsigned row = 0; row < 16; row++)
        access.address[row] = 4 * (32 * row + row);
    assert_cost("sm90", &access, 1, 0, 1);
}

/* What the rows counted on an H200 left unsaid. */
static void test_edges(void **state)
{
    struct lw_access none = plain(LW_ACCESS_LOAD, 16, 0), one = plain(LW_ACCESS_LOAD, 16, 1);
    struct lw_access high = plain(LW_ACCESS_STORE, 16, 3);
    (void)state;
    assert_cost("sm90", &none, 0, 0, 0);
    assert_cost("sm90", &one, 1, 0, 1);
    high.address[1] = UINT64_MAX - 15;
    assert_cost("sm90", &high, 1, 0, 1);
    high.address[1] = (uint64_t)1 << 63;
    assert_cost("sm90", &high, 2, 1, 1);
    struct lw_access bytes = strided(LW_ACCESS_LOAD, 1, 1);
    assert_cost("sm90", &bytes, 1, 0, 1);
    /* All lanes at one address: 16 bytes, but two groups of 16 lanes. */
    struct lw_access same = strided(LW_ACCESS_LOAD, 16, 0);
    assert_cost("sm90", &same, 2, 0, 1);
}

/* ---- AMD ---- */

/* Two lanes at the same bank cost more just when they are served together. */
static void assert_together(const char *target, enum lw_access_op op, unsigned width, unsigned a,
                            unsigned b, bool together)
{
    struct lw_access access = plain(op, width, (uint64_t)1 << a | (uint64_t)1 << b);
    struct lw_cost cost;
    access.address[a] = 0;
    access.address[b] = 4 * model_of(target)->banks;
    assert_true(lw_access_cost(model_of(target), &access, &cost, NULL));
    assert_int_equal(cost.wavefronts, 2);
    assert_int_equal(cost.conflicts, together);
}

static void assert_phases(const char *target, unsigned width, const unsigned (*phase)[4],
                          size_t count)
{
    for (size_t p = 0; p < count; p++)
        for (unsigned lane = 1; lane < model_of(target)->lanes; lane++) {
            unsigned first = phase[p][0];
            bool in = false;
            for (int k = 0; k < 4; k++)
                in = in || (lane >= phase[p][k] && lane < phase[p][k] + 4);
            if (lane != first)
                assert_together(target, LW_ACCESS_LOAD, width, first, lane, in);
        }
}

/* The first lanes of the runs of four that are served together in ds_read_b128. */
static void test_amd_phases(void **state)
{
    static const unsigned mi300[][4] = {{0, 20, 0, 0},    {32, 52, 32, 32}, {4, 16, 4, 4},
                                        {36, 48, 36, 36}, {8, 28, 8, 8},    {40, 60, 40, 40},
                                        {12, 24, 12, 12}, {44, 56, 44, 44}};
    static const unsigned mi350[][4] = {
        {0, 12, 20, 24}, {32, 44, 52, 56}, {4, 8, 16, 28}, {36, 40, 48, 60}};
    (void)state;
    assert_phases("gfx942", 16, mi300, 8);
    assert_phases("gfx950", 16, mi350, 4);
    struct lw_access access = strided(LW_ACCESS_LOAD, 16, 16);
    access.active = ~(uint64_t)0;
    assert_cost("gfx942", &access, 8, 0, 8);
    assert_cost("gfx950", &access, 4, 0, 4);
    access = strided(LW_ACCESS_LOAD, 8, 8);
    access.active = ~(uint64_t)0;
    assert_cost("gfx942", &access, 4, 0, 4);
    assert_cost("gfx950", &access, 2, 0, 2);
    access.op = LW_ACCESS_STORE;
    assert_cost("gfx942", &access, 4, 0, 4);
    assert_cost("gfx950", &access, 8, 0, 4);
    assert_together("gfx942", LW_ACCESS_STORE, 16, 0, 7, true);
    assert_together("gfx942", LW_ACCESS_STORE, 16, 0, 20, false);
}

static void test_refused(void **state)
{
    struct lw_access access = strided(LW_ACCESS_STORE, 8, 8);
    (void)state;
    access.active = 0xffffffff;
    assert_refused("gfx1201", &access,
                   "unknown: no document states which lanes AMD RDNA 4 serves together in stores "
                   "of 8 bytes per lane");
    access = strided(LW_ACCESS_LOAD, 1, 1);
    assert_refused("gfx942", &access,
                   "unknown: no document states which lanes AMD CDNA 3 serves together in loads of "
                   "1 byte per lane");
    access = strided(LW_ACCESS_LOAD, 4, 4);
    assert_refused("gfx1250", &access,
                   "unknown: no document states which lanes AMD RDNA serves together in loads of "
                   "4 bytes per lane");
    access = strided(LW_ACCESS_LOAD, 16, 8);
    assert_refused("sm90", &access,
                   "lane 1: address 8 is not aligned to the 16 bytes that a lane moves");
    access.active = 1; /* what is not active does not matter */
    assert_cost("sm90", &access, 1, 0, 1);
    access.width = 3;
    assert_refused("sm90", &access, "a lane moves 1, 2, 4, 8 or 16 bytes, not 3");
    access = strided(LW_ACCESS_LOAD, 4, 4);
    access.active = (uint64_t)1 << 32;
    assert_refused("sm90", &access, "lane 32 is active, but a warp has 32 lanes");
    access = strided(LW_ACCESS_LDMATRIX, 16, 16);
    access.matrices = 3;
    assert_refused("sm90", &access, "ldmatrix moves 1, 2 or 4 matrices, of rows of 16 bytes");
    access.matrices = 2;
    access.active = 0xff;
    assert_refused(
        "sm90", &access,
        "ldmatrix needs a whole warp: some of the 16 lanes that give addresses are not active");
    access.active = 0xffffffff;
    assert_refused("gfx942", &access, "AMD CDNA 3 has no ldmatrix");
    assert_refused("sm70", &access, "NVIDIA Volta has no ldmatrix");
    access.op = LW_ACCESS_STMATRIX;
    assert_refused("sm89", &access, "NVIDIA up to sm89 has no stmatrix");
}

/* ---- The table ---- */

static void test_hardware(void **state)
{
    size_t count;
    const struct lw_hardware *all = lw_hardware_list(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(lw_hardware_find(all[i].name), &all[i]);
        assert_int_equal(all[i].lanes, all[i].banks->lanes);
        for (unsigned w = 0; w < 2 * LW_WIDTHS; w++) {
            const struct lw_lane_groups *groups =
                w < LW_WIDTHS ? all[i].banks->load[w] : all[i].banks->store[w - LW_WIDTHS];
            uint64_t lanes = 0;
            for (unsigned g = 0; groups && g < groups->count; g++) {
                assert_int_equal(lanes & groups->lanes[g], 0);
                lanes |= groups->lanes[g];
            }
            if (groups)
                assert_true(lanes == lw_f2_mask((int)all[i].lanes));
        }
    }
    assert_string_equal(lw_hardware_find("sm_90a")->name, "sm90");
    assert_string_equal(lw_hardware_find("cuda:100")->name, "sm100");
    assert_string_equal(lw_hardware_find("hip:gfx942")->banks->evidence, "from AMD's documents");
    assert_null(lw_hardware_find("sm91"));
    assert_null(lw_hardware_find(""));
    assert_string_equal(lw_hardware_default()->name, "sm90");
    assert_string_equal(lw_hardware_default()->banks->evidence, "measured on H200");
    assert_int_equal(lw_bank_model_row_bytes(lw_hardware_find("sm90")->banks), 128);
    assert_int_equal(lw_bank_model_row_bytes(lw_hardware_find("gfx950")->banks), 256);
    assert_string_equal(lw_hardware_find("sm100")->banks->evidence,
                        "measured on H200 (sm90), assumed for this target");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_h200),           cmocka_unit_test(test_random),
        cmocka_unit_test(test_columns),        cmocka_unit_test(test_every_fourth_word),
        cmocka_unit_test(test_wide_stores),    cmocka_unit_test(test_row_of_column_major),
        cmocka_unit_test(test_row_xor_column), cmocka_unit_test(test_edges),
        cmocka_unit_test(test_amd_phases),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_hardware),
    };
    return RUN(tests);
}
