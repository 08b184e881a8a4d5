/* The search for the best swizzle: what it finds where the answer is known, and its candidates against the
 * encodings. */

#include "plan_help.h"
#include "unit.h"

#include "analysis/swizzle/swizzle_parts.h"

#include <stdlib.h>
#include <time.h>

#define BLOCKED(SHAPE, SIZE, THREADS, WARPS, ORDER)                                                \
    "tensor<" SHAPE ", #ttg.blocked<{sizePerThread = " SIZE ", threadsPerWarp = " THREADS          \
    ", warpsPerCTA = " WARPS ", order = " ORDER "}>>"

static struct lw_map maps[2];

static void search_of(struct lw_swizzle_search *search, const char *store, const char *load,
                      unsigned bits)
{
    struct lw_error err = {0};
    maps[0] = plan_map(store);
    maps[1] = plan_map(load);
    struct lw_swizzle_request request = {.store = &maps[0], .load = &maps[1], .element_bits = bits};
    if (!lw_swizzle_begin(search, &request, &err))
        fail_msg("%s", err.message);
    while (lw_swizzle_step(search, 7))
        assert_true(search->done < search->total);
    assert_true(search->done == search->total);
}

static void expect(const struct lw_swizzle_search *search, const struct lw_swizzle *swizzle,
                   uint64_t store, uint64_t load, const char *text)
{
    struct lw_text printed = {0};
    lw_swizzle_print(&printed, search, swizzle);
    assert_int_equal(swizzle->store.wavefronts, store);
    assert_int_equal(swizzle->load.wavefronts, load);
    if (text)
        assert_string_equal(lw_text_string(&printed), text);
    lw_text_free(&printed);
}

/* ---- Where the answer is known ---- */

/* Four warps write rows and read columns of 32 x 32 words: 32 wavefronts a column, or one. */
static void transpose(void **state)
{
    (void)state;
    struct lw_swizzle_search search;
    search_of(&search, BLOCKED("32x32xf32", "[1, 1]", "[1, 32]", "[4, 1]", "[1, 0]"),
              BLOCKED("32x32xf32", "[1, 1]", "[32, 1]", "[1, 4]", "[0, 1]"), 32);
    expect(&search, &search.plain, 32, 1024,
           "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>");
    expect(&search, &search.ranked[0], 32, 32,
           "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 32, order = [1, 0]}>");
    expect(&search, &search.best[LW_SWIZZLE_LINEAR], 32, 32, NULL);
    expect(&search, &search.best[LW_SWIZZLE_PADDED], 32, 32,
           "#ttg.padded_shared<[32:+1] {order = [1, 0], shape = [32, 32]}>");
    assert_int_equal(search.best[LW_SWIZZLE_PADDED].bytes, 32 * 32 * 4 + 31 * 4);
    assert_int_equal(search.bound, 64);
    lw_swizzle_end(&search);
}

/* Columns of 16 x 32 words, each by half a warp: 16-way in plain rows, row xor column is free of conflicts. */
static void row_xor_column(void **state)
{
    (void)state;
    struct lw_swizzle_search search;
    search_of(&search, BLOCKED("16x32xf32", "[1, 1]", "[1, 32]", "[1, 1]", "[1, 0]"),
              BLOCKED("16x32xf32", "[1, 1]", "[16, 2]", "[1, 1]", "[0, 1]"), 32);
    expect(&search, &search.plain, 16, 16 * 16, NULL);
    expect(&search, lw_swizzle_best(&search), 16, 16, NULL);
    expect(&search, &search.best[LW_SWIZZLE_SWIZZLED], 16, 16, NULL);
    lw_swizzle_end(&search);
}

/* Rows of 8 words, each a column of memory: the first and the fifth clash. */
static void eight_by_eight(void **state)
{
    (void)state;
    struct lw_swizzle_search search;
    search_of(&search, BLOCKED("8x8xf32", "[1, 1]", "[8, 4]", "[1, 1]", "[0, 1]"),
              BLOCKED("8x8xf32", "[1, 1]", "[4, 8]", "[1, 1]", "[1, 0]"), 32);
    assert_int_equal(search.bound, 4);
    expect(&search, lw_swizzle_best(&search), 2, 2, NULL);
    lw_swizzle_end(&search);
}

/* The A operand of m16n8k16 from rows of 16 halves: ldmatrix is 2-way, xor by (row / 4) mod 2 frees it. */
static void sixteen_halves(void **state)
{
    (void)state;
    struct lw_swizzle_search search;
    search_of(
        &search, BLOCKED("16x16xf16", "[1, 8]", "[16, 2]", "[1, 1]", "[1, 0]"),
        "tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, "
        "versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>, kWidth = 2}>>",
        16);
    expect(&search, &search.plain, 4, 8, NULL);
    bool found = false;
    for (uint64_t i = 0; i < search.ranked_count; i++) {
        const struct lw_swizzle *one = &search.ranked[i];
        if (one->kind == LW_SWIZZLE_SWIZZLED && one->vec == 8 && one->per_phase == 4 &&
            one->max_phase == 2 && one->order[0] == 1) {
            assert_int_equal(one->load.wavefronts, 4);
            assert_int_equal(one->load.matrix, 1);
            found = true;
        }
    }
    assert_true(found);
    assert_int_equal(lw_swizzle_wavefronts(lw_swizzle_best(&search)), search.bound);
    lw_swizzle_end(&search);
}

/* ---- Candidates ---- */

static void ranked_in_order(void **state)
{
    (void)state;
    struct lw_swizzle_search search;
    search_of(&search, BLOCKED("64x32xf16", "[1, 4]", "[8, 4]", "[4, 2]", "[1, 0]"),
              BLOCKED("64x32xf16", "[4, 1]", "[4, 8]", "[4, 2]", "[0, 1]"), 16);
    for (uint64_t i = 1; i < search.ranked_count; i++)
        assert_true(lw_swizzle_wavefronts(&search.ranked[i - 1]) <=
                    lw_swizzle_wavefronts(&search.ranked[i]));
    assert_true(lw_swizzle_wavefronts(&search.best[LW_SWIZZLE_LINEAR]) >= search.bound);
    assert_true(lw_swizzle_wavefronts(&search.ranked[0]) >= search.bound);
    lw_swizzle_end(&search);
}

/* What is printed, read by the reader of encodings, is the same layout. */
static void compare_printed(const struct lw_swizzle_search *search, const struct lw_swizzle *one,
                            const char *shape)
{
    struct lw_text text = {0};
    struct lw_map made;
    lw_text_format(&text, "!ttg.memdesc<%s, ", shape);
    lw_swizzle_print(&text, search, one);
    lw_text_add(&text, ", #smem>");
    assert_true(lw_swizzle_map(search, one, &made, NULL));
    struct lw_map read = plan_map(lw_text_string(&text));
    assert_int_equal(read.kind, made.kind);
    const struct lw_layout *a = &made.as.linear.layout, *b = &read.as.linear.layout;
    if (made.kind == LW_MAP_PADDED) {
        a = &made.as.padded.layout;
        b = &read.as.padded.layout;
        assert_true(lw_dims_equal(&made.in, &read.in));
        assert_memory_equal(made.as.padded.weight, read.as.padded.weight,
                            sizeof made.as.padded.weight);
    }
    if (!lw_layout_equal(a, b))
        fail_msg("%s: not what the encoding makes", lw_text_string(&text));
    lw_text_free(&text);
}

static void compare_all(const char *shape, const char *store, unsigned bits)
{
    struct lw_swizzle_search search;
    struct lw_candidates all = {0};
    uint64_t sizes[LW_DIMS_MAX];
    search_of(&search, store, store, bits);
    for (int d = 0; d < maps[0].out.count; d++)
        sizes[d] = maps[0].out.dim[d].size;
    for (int k = 0; k < LW_SWIZZLE_KINDS; k++)
        if (search.found[k])
            compare_printed(&search, &search.best[k], shape);
    for (uint64_t i = 0; i < search.ranked_count; i++)
        compare_printed(&search, &search.ranked[i], shape);
    assert_true(lw_padding_candidates(&all, sizes, maps[0].out.count, bits, 128));
    for (size_t i = 0; i < all.count; i += 1 + all.count / 50)
        compare_printed(&search, &all.item[i], shape);
    free(all.item);
    lw_swizzle_end(&search);
}

static void as_the_encodings(void **state)
{
    (void)state;
    compare_all("64x32xf16", BLOCKED("64x32xf16", "[1, 4]", "[4, 8]", "[4, 1]", "[1, 0]"), 16);
    compare_all("16x128xf32", BLOCKED("16x128xf32", "[1, 4]", "[1, 32]", "[4, 1]", "[1, 0]"), 32);
    compare_all("32x64xi8", BLOCKED("32x64xi8", "[1, 16]", "[8, 4]", "[4, 1]", "[1, 0]"), 8);
    compare_all("512xf16", BLOCKED("512xf16", "[4]", "[32]", "[4]", "[0]"), 16);
    compare_all("4x16x32xf16",
                BLOCKED("4x16x32xf16", "[1, 1, 4]", "[1, 4, 8]", "[4, 1, 1]", "[2, 1, 0]"), 16);
}

/* Every swizzle that the parameters can describe is among the candidates, once. */
static void every_swizzle_once(void **state)
{
    (void)state;
    static const uint64_t shape[] = {16, 8};
    static const char tensor[] = BLOCKED("16x8xf16", "[1, 1]", "[4, 8]", "[4, 1]", "[1, 0]");
    struct lw_swizzle_search search;
    struct lw_candidates all = {0};
    struct lw_map map, other;
    search_of(&search, tensor, tensor, 16);
    assert_true(lw_named_candidates(&all, shape, 2, 16));
    for (uint64_t bits = 0; bits < 2 * 6 * 6 * 6; bits++) {
        struct lw_swizzle one = {.kind = LW_SWIZZLE_SWIZZLED,
                                 .vec = (uint64_t)1 << bits / 2 % 6,
                                 .per_phase = (uint64_t)1 << bits / 12 % 6,
                                 .max_phase = (uint64_t)1 << bits / 72,
                                 .order = {bits % 2, !(bits % 2)}};
        int same = 0;
        assert_true(lw_swizzle_map(&search, &one, &map, NULL));
        for (size_t i = 0; i < all.count; i++) {
            assert_true(lw_swizzle_map(&search, &all.item[i], &other, NULL));
            same += all.item[i].kind == LW_SWIZZLE_SWIZZLED &&
                    lw_layout_equal(&map.as.linear.layout, &other.as.linear.layout);
        }
        assert_int_equal(same, 1);
    }
    free(all.item);
    lw_swizzle_end(&search);
}

/* The padding that is found is the smallest of the best of all. */
static uint64_t cost_of(const struct lw_map *memory, unsigned bits)
{
    uint64_t sum = 0;
    for (int s = 0; s < 2; s++) {
        struct lw_plan_request request = {.registers = &maps[s],
                                          .memory = memory,
                                          .element_bits = bits,
                                          .op = s ? LW_ACCESS_LOAD : LW_ACCESS_STORE};
        struct lw_plan plan;
        if (!lw_plan_make(&plan, &request, NULL))
            return UINT64_MAX;
        sum += plan.total.wavefronts;
        lw_plan_free(&plan);
    }
    return sum;
}

static void try_every_padding(const char *store, const char *load, unsigned bits)
{
    struct lw_swizzle_search search;
    struct lw_candidates all = {0};
    uint64_t sizes[LW_DIMS_MAX], least = UINT64_MAX, bytes = 0, target = UINT64_MAX;
    search_of(&search, store, load, bits);
    for (int d = 0; d < maps[0].out.count; d++)
        sizes[d] = maps[0].out.dim[d].size;
    for (int k = 0; k < LW_SWIZZLE_PADDED; k++) {
        uint64_t wavefronts = lw_swizzle_wavefronts(&search.best[k]);
        target = search.found[k] && wavefronts < target ? wavefronts : target;
    }
    assert_true(lw_padding_candidates(&all, sizes, maps[0].out.count, bits, 128));
    for (size_t i = 0; i < all.count && least > target; i++) {
        struct lw_map memory;
        assert_true(lw_swizzle_map(&search, &all.item[i], &memory, NULL));
        uint64_t wavefronts = cost_of(&memory, bits);
        if (wavefronts < least) {
            least = wavefronts;
            bytes = all.item[i].bytes;
        }
    }
    assert_int_equal(lw_swizzle_wavefronts(&search.best[LW_SWIZZLE_PADDED]), least);
    assert_int_equal(search.best[LW_SWIZZLE_PADDED].bytes, bytes);
    free(all.item);
    lw_swizzle_end(&search);
}

static void smallest_padding(void **state)
{
    (void)state;
    try_every_padding(BLOCKED("32x32xf32", "[1, 4]", "[4, 8]", "[4, 1]", "[1, 0]"),
                      BLOCKED("32x32xf32", "[4, 1]", "[8, 4]", "[1, 4]", "[0, 1]"), 32);
    try_every_padding(BLOCKED("32x64xf16", "[1, 8]", "[4, 8]", "[4, 1]", "[1, 0]"),
                      BLOCKED("32x64xf16", "[8, 1]", "[4, 8]", "[1, 4]", "[0, 1]"), 16);
    try_every_padding(BLOCKED("16x32xi8", "[1, 4]", "[4, 8]", "[4, 1]", "[1, 0]"),
                      BLOCKED("16x32xi8", "[1, 1]", "[16, 2]", "[1, 4]", "[0, 1]"), 8);
}

/* ---- One access ---- */

/* Without a load the store alone counts: no candidate of the two accesses stores in fewer wavefronts than the best of
 * the store, each costs what its own plan costs, and the other way round. */
static void one_access(void **state)
{
    static const char *const pairs[][2] = {
        {BLOCKED("64x64xf16", "[8, 1]", "[8, 4]", "[1, 4]", "[0, 1]"),
         BLOCKED("64x64xf16", "[1, 8]", "[4, 8]", "[4, 1]", "[1, 0]")},
        {BLOCKED("32x32xf32", "[1, 1]", "[1, 32]", "[4, 1]", "[1, 0]"),
         BLOCKED("32x32xf32", "[1, 1]", "[32, 1]", "[1, 4]", "[0, 1]")},
        {BLOCKED("32x64xi8", "[1, 4]", "[2, 16]", "[4, 1]", "[1, 0]"),
         BLOCKED("32x64xi8", "[2, 1]", "[16, 2]", "[1, 4]", "[0, 1]")}};
    static const unsigned bits[] = {16, 32, 8};
    (void)state;
    for (int p = 0; p < 3; p++)
        for (int side = 0; side < 2; side++) {
            struct lw_swizzle_search both, one;
            struct lw_error err = {0};
            search_of(&both, pairs[p][0], pairs[p][1], bits[p]);
            struct lw_swizzle_request request = {.element_bits = bits[p]};
            *(side ? &request.load : &request.store) = &maps[side];
            assert_true(lw_swizzle_begin(&one, &request, &err));
            while (lw_swizzle_step(&one, 7))
                ;
            const struct lw_swizzle *best = lw_swizzle_best(&one);
            assert_int_equal((side ? &best->store : &best->load)->instructions, 0);
            assert_int_equal((side ? &best->store : &best->load)->wavefronts, 0);
            assert_int_equal(one.ranked_count, both.ranked_count);
            for (uint64_t i = 0; i < both.ranked_count; i++) {
                const struct lw_plan_total *total =
                    side ? &both.ranked[i].load : &both.ranked[i].store;
                assert_true(lw_swizzle_wavefronts(best) <= total->wavefronts);
            }
            assert_true(one.bound <= lw_swizzle_wavefronts(best));
            assert_int_equal(lw_swizzle_wavefronts(&one.best[LW_SWIZZLE_LINEAR]), one.bound);
            lw_swizzle_end(&one);
            lw_swizzle_end(&both);
        }
}

/* ---- The memory that there is ---- */

/* Each best candidate has the memory's shape and bytes, its encoding is the map that was costed, and its cost is that
 * of plans in that memory. */
static void check_in_memory(const struct lw_swizzle_search *search, const char *type)
{
    for (int k = 0; k < LW_SWIZZLE_KINDS; k++) {
        const struct lw_swizzle *best = &search->best[k];
        struct lw_arena arena = {0};
        struct lw_map map, own;
        struct lw_swizzle judged;
        struct lw_tensor tensor;
        char source[1024];
        if (!search->found[k])
            continue;
        assert_true(lw_swizzle_map(search, best, &map, NULL));
        struct lw_encoding *encoding = lw_swizzle_encoding(&arena, search, best);
        struct lw_text text = {0};
        lw_swizzle_print(&text, search, best);
        snprintf(source, sizeof source, "!ttg.memdesc<%s, %s, #smem>", type, lw_text_string(&text));
        own = plan_map(source);
        lw_text_free(&text);
        lw_tensor_unknown(&tensor);
        tensor.rank = own.out.count;
        for (int d = 0; d < tensor.rank; d++)
            tensor.shape[d] = own.out.dim[d].size;
        assert_non_null(encoding);
        assert_true(lw_encoding_build(encoding, &tensor, &map, NULL));
        assert_true(lw_dims_equal(&own.out, &search->memory));
        assert_true(lw_dims_equal(&own.in, &map.in));
        assert_true(lw_map_is_surjective(&map) && lw_map_is_injective(&map));
        for (uint64_t offset = 0; offset < own.in.dim[0].size; offset++) {
            uint64_t in[2] = {offset, 0}, a[LW_DIMS_MAX], b[LW_DIMS_MAX];
            bool held = lw_map_apply(&own, in, a);
            assert_true(held == lw_map_apply(&map, in, b));
            assert_true(!held || (a[0] == b[0] && a[1] == b[1]));
        }
        assert_int_equal(best->bytes, own.in.dim[0].size * search->request.element_bits / 8);
        assert_true(lw_swizzle_judge(search, &own, &judged, NULL));
        assert_int_equal(judged.store.wavefronts, best->store.wavefronts);
        assert_int_equal(judged.load.wavefronts, best->load.wavefronts);
        lw_arena_free(&arena);
    }
}

static void in_memory(void **state)
{
    static const struct {
        const char *registers, *memory, *type;
        uint64_t bytes, plain, best;
    } cases[] = {
        {"SM80_16x8x16_F32F16F16F32_TN.A", "(64,64):(64,1)", "64x64xf16", 8192, 64, 8},
        {"SM80_16x8x16_F32F16F16F32_TN.A",
         "!ttg.memdesc<16x16xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order "
         "= [1, 0]}>, #smem, mutable, 3x128x32>",
         "128x32xf16", 8192, 32, 8},
        {"SM80_16x8x16_F32F16F16F32_TN.A", "(16,16):(16,1)", "16x16xf16", 512, 16, 8},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_map registers = plan_map(cases[i].registers), memory = plan_map(cases[i].memory);
        struct lw_swizzle_search search;
        struct lw_error err = {0};
        struct lw_swizzle_request request = {.store = &registers,
                                             .load = &registers,
                                             .memory = &memory,
                                             .element_bits = 16,
                                             .hardware = lw_hardware_find("sm90")};
        if (!lw_swizzle_begin(&search, &request, &err))
            fail_msg("%s", err.message);
        while (lw_swizzle_step(&search, UINT64_MAX))
            ;
        assert_int_equal(search.plain.bytes, cases[i].bytes);
        assert_int_equal(lw_swizzle_wavefronts(&search.plain), cases[i].plain);
        assert_int_equal(lw_swizzle_wavefronts(lw_swizzle_best(&search)), cases[i].best);
        for (uint64_t r = 0; r < search.ranked_count; r++)
            assert_int_equal(search.ranked[r].bytes, cases[i].bytes);
        check_in_memory(&search, cases[i].type);
        lw_swizzle_end(&search);
    }
}

/* Memory of other sizes is refused, as is memory into which the registers do not fit. */
static void other_memory(void **state)
{
    static const struct {
        const char *memory, *message;
    } cases[] = {
        {"(64,48):(48,1)",
         "shared S has 48 elements along dim1, which is no power of two: the search is over memory "
         "of 1, 2, 4, ... elements in each dim"},
        {"(8,64):(64,1)", "registers of 16 x 16 do not fit into memory of 8 x 64: both need "
                          "the same dims by name, each of at most the memory's size"},
    };
    struct lw_map registers = plan_map("SM80_16x8x16_F32F16F16F32_TN.A");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_map memory = plan_map(cases[i].memory);
        struct lw_swizzle_search search;
        struct lw_error err = {0};
        struct lw_swizzle_request request = {
            .store = &registers, .load = &registers, .memory = &memory, .element_bits = 16};
        assert_false(lw_swizzle_begin(&search, &request, &err));
        assert_string_equal(err.message, cases[i].message);
    }
}

static void no_access(void **state)
{
    struct lw_swizzle_search search;
    struct lw_swizzle_request request = {.element_bits = 16};
    struct lw_error err = {0};
    (void)state;
    assert_false(lw_swizzle_begin(&search, &request, &err));
    assert_string_equal(err.message, "a search needs a store or a load");
}

/* ---- What is refused ---- */

static void refused(const char *store, const char *load, unsigned bits, const char *message)
{
    struct lw_swizzle_search search;
    struct lw_error err = {0};
    maps[0] = plan_map(store);
    maps[1] = plan_map(load);
    struct lw_swizzle_request request = {.store = &maps[0], .load = &maps[1], .element_bits = bits};
    assert_false(lw_swizzle_begin(&search, &request, &err));
    assert_string_equal(err.message, message);
}

/* What is too much to count for plain rows is refused at once: no other candidate is tried. */
static void too_large(void **state)
{
    (void)state;
    const char *rows = BLOCKED("1048576x1048576xf16", "[1, 8]", "[4, 8]", "[4, 1]", "[1, 0]");
    const clock_t begin = clock();
    refused(rows, rows, 16, "too many instructions in the code of one warp: the limit is 2^16");
    assert_true(clock() - begin < CLOCKS_PER_SEC / 4);
}

static void refusals(void **state)
{
    (void)state;
    const char *rows = BLOCKED("32x32xf32", "[1, 1]", "[1, 32]", "[1, 1]", "[1, 0]");
    refused(rows, BLOCKED("32x64xf32", "[1, 1]", "[32, 1]", "[1, 1]", "[0, 1]"), 32,
            "layout A is for a tensor of 32x32, layout B for one of 32x64: the shapes must be the "
            "same");
    refused(rows,
            "!ttg.memdesc<32x32xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = "
            "1, order = [1, 0]}>, #smem>",
            32,
            "'offset' is not a dim of registers: use register, lane, warp and block, or local and "
            "thread");
    refused(rows, rows, 6, "elements of 6 bits: the search supports 4, 8, 16, 32, 64 and 128");
}

/* Which lanes of AMD's hardware are served together is unknown for 1 and 2 bytes a lane: the bound does not cover
 * those, so it is no proof. */
static void a_bound_with_unknown_widths_is_no_proof(void **state)
{
    static const struct {
        const char *target, *store, *load;
        unsigned bits, skips;
    } cases[] = {
        {"gfx942", BLOCKED("64x64xf16", "[1, 8]", "[8, 8]", "[4, 1]", "[1, 0]"),
         BLOCKED("64x64xf16", "[1, 8]", "[64, 1]", "[1, 4]", "[1, 0]"), 16, 2},
        {"gfx942", BLOCKED("64x64xf32", "[1, 1]", "[1, 64]", "[4, 1]", "[1, 0]"),
         BLOCKED("64x64xf32", "[1, 1]", "[64, 1]", "[1, 4]", "[0, 1]"), 32, 0},
        {"sm90", BLOCKED("32x32xf16", "[1, 1]", "[1, 32]", "[4, 1]", "[1, 0]"),
         BLOCKED("32x32xf16", "[1, 1]", "[32, 1]", "[1, 4]", "[0, 1]"), 16, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_swizzle_search search;
        struct lw_error err = {0};
        maps[0] = plan_map(cases[i].store);
        maps[1] = plan_map(cases[i].load);
        struct lw_swizzle_request request = {.store = &maps[0],
                                             .load = &maps[1],
                                             .element_bits = cases[i].bits,
                                             .hardware = lw_hardware_find(cases[i].target)};
        if (!lw_swizzle_begin(&search, &request, &err))
            fail_msg("%s", err.message);
        assert_int_equal(search.bound_skips, cases[i].skips);
        while (lw_swizzle_step(&search, UINT64_MAX))
            ;
        assert_int_equal(lw_swizzle_bound_is_proof(&search),
                         !cases[i].skips && search.bound && !search.unknown);
        lw_swizzle_end(&search);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(transpose),
                                       cmocka_unit_test(row_xor_column),
                                       cmocka_unit_test(eight_by_eight),
                                       cmocka_unit_test(sixteen_halves),
                                       cmocka_unit_test(ranked_in_order),
                                       cmocka_unit_test(as_the_encodings),
                                       cmocka_unit_test(every_swizzle_once),
                                       cmocka_unit_test(smallest_padding),
                                       cmocka_unit_test(one_access),
                                       cmocka_unit_test(in_memory),
                                       cmocka_unit_test(other_memory),
                                       cmocka_unit_test(no_access),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(too_large),
                                       cmocka_unit_test(a_bound_with_unknown_widths_is_no_proof)};
    return RUN(tests);
}
