/* Paths: each instruction's elements against the two maps, folds against a look at every
 * instruction, and verdicts. */

#include "plan_help.h"
#include "unit.h"

#include "analysis/owners.h"
#include "analysis/access/path.h"

#include <stdlib.h>
#include <time.h>

static const enum lw_access_op ops[] = {LW_ACCESS_STORE, LW_ACCESS_LOAD};

/* ---- A look at every instruction ---- */

static int descending(const void *a, const void *b)
{
    return *(const unsigned char *)b - *(const unsigned char *)a;
}

/* The most words that one group of lanes wants of each bank, from the wavefronts. */
static void words_of(const struct lw_wavefronts *all, unsigned char words[LW_BANKS_MAX])
{
    memset(words, 0, LW_BANKS_MAX);
    for (unsigned g = 0; g < all->group_count; g++)
        for (unsigned bank = 0; bank < LW_BANKS_MAX; bank++) {
            unsigned count = 0;
            for (unsigned w = 0; w < all->count; w++)
                count += all->wavefront[w].group == g && all->wavefront[w].banks >> bank & 1;
            words[bank] = count > words[bank] ? (unsigned char)count : words[bank];
        }
}

static void check_fold(const struct lw_path *path, const struct lw_folds *folds,
                       enum lw_access_op op, uint64_t i, uint64_t *counts)
{
    const struct lw_plan *plan = op == LW_ACCESS_STORE ? path->store : path->load;
    struct lw_instruction instruction;
    struct lw_wavefronts all;
    unsigned char words[LW_BANKS_MAX], sorted[LW_BANKS_MAX];
    char name[LW_INSTRUCTION_NAME_MAX];
    lw_path_instruction(path, op, i, &instruction);
    const struct lw_fold *fold = lw_folds_of(folds, path, op, i);
    if (!instruction.access.active) {
        assert_null(fold);
        return;
    }
    assert_non_null(fold);
    assert_true(
        lw_access_wavefronts(plan->request.hardware->banks, &instruction.access, &all, NULL));
    lw_instruction_name(plan->request.hardware, &instruction, name);
    assert_string_equal(fold->name, name);
    assert_int_equal(fold->op, op);
    assert_memory_equal(&fold->cost, &all.cost, sizeof all.cost);
    words_of(&all, words);
    memcpy(sorted, words, sizeof sorted);
    qsort(sorted, sizeof sorted, 1, descending);
    assert_int_equal(fold->most, sorted[0]);
    if (!counts[fold - folds->fold]++) {
        assert_int_equal(fold->first, i);
        assert_memory_equal(fold->words, words, sizeof words);
    }
    unsigned char of_first[LW_BANKS_MAX];
    memcpy(of_first, fold->words, sizeof of_first);
    qsort(of_first, sizeof of_first, 1, descending);
    assert_memory_equal(of_first, sorted, sizeof sorted);
}

/* What makes two folds different. */
static bool equal(const struct lw_fold *a, const struct lw_fold *b)
{
    unsigned char x[LW_BANKS_MAX], y[LW_BANKS_MAX];
    memcpy(x, a->words, sizeof x);
    memcpy(y, b->words, sizeof y);
    qsort(x, sizeof x, 1, descending);
    qsort(y, sizeof y, 1, descending);
    return a->op == b->op && !strcmp(a->name, b->name) && !memcmp(x, y, sizeof x) &&
           !memcmp(&a->cost, &b->cost, sizeof a->cost);
}

static int most_folds;

static void check_folds(const struct lw_path *path)
{
    struct lw_folds folds;
    struct lw_error err = {0};
    if (!lw_folds_make(&folds, path, &err))
        fail_msg("%s", err.message);
    uint64_t *counts = calloc(folds.count + 1, sizeof *counts);
    for (int o = 0; o < 2; o++)
        for (uint64_t i = 0; i < lw_path_count(path, ops[o]); i++)
            check_fold(path, &folds, ops[o], i, counts);
    for (size_t f = 0; f < folds.count; f++) {
        assert_int_equal(folds.fold[f].count, counts[f]);
        if (f)
            assert_true(folds.fold[f - 1].cost.conflicts >= folds.fold[f].cost.conflicts);
        for (size_t g = 0; g < f; g++)
            assert_false(equal(&folds.fold[f], &folds.fold[g]));
    }
    if (!path->store && (int)folds.count > most_folds)
        most_folds = (int)folds.count;
    free(counts);
    lw_folds_free(&folds);
}

/* ---- Elements ---- */

/* The index of an element in the dims of the memory. */
static void index_in(const struct lw_dims *from, uint64_t element, const struct lw_dims *to,
                     uint64_t *index)
{
    uint64_t out[LW_DIMS_MAX];
    lw_dims_unflatten(from, element, out);
    for (int d = 0; d < to->count; d++)
        index[d] = out[lw_dims_find(from, to->dim[d].name)];
}

static void check_elements(const struct lw_path *path, const struct lw_map *registers,
                           const struct lw_map *memory, enum lw_access_op op)
{
    const struct lw_plan *plan = op == LW_ACCESS_STORE ? path->store : path->load;
    static struct lw_moved moved[LW_MOVED_MAX];
    uint64_t total, count = lw_path_count(path, op);
    if (!plan)
        return;
    assert_true(lw_dims_total(&registers->out, &total, NULL));
    uint64_t *times = calloc(total, sizeof *times), *found = calloc(count + 1, sizeof *found);
    for (uint64_t i = 0; i < count; i++) {
        struct lw_instruction instruction;
        struct lw_wavefronts all;
        lw_path_instruction(path, op, i, &instruction);
        assert_true(
            lw_access_wavefronts(plan->request.hardware->banks, &instruction.access, &all, NULL));
        size_t n = lw_path_moved(path, op, i, moved, LW_MOVED_MAX);
        assert_int_equal(n, (unsigned)__builtin_popcountll(instruction.access.active) *
                                instruction.register_count);
        for (size_t k = 0; k < n; k++) {
            uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX], index[LW_DIMS_MAX];
            struct lw_slot owner = {
                .reg = moved[k].reg, .lane = moved[k].lane, .warp = instruction.warp};
            assert_true(lw_slot_index(registers, plan->request.hardware->lanes, &owner, in));
            assert_true(lw_map_apply(registers, in, out));
            assert_int_equal(moved[k].element, lw_dims_flatten(&registers->out, out));
            index_in(&registers->out, moved[k].element, &memory->out, index);
            assert_true(lw_map_owner(memory, index, 0, in));
            assert_int_equal(moved[k].offset, in[0]);
            if (path->conversion)
                assert_int_equal(in[1], i / plan->count);
            /* The wavefront moves the word of its first byte. */
            uint64_t byte = moved[k].offset * plan->request.element_bits / 8;
            const struct lw_wavefront *w = &all.wavefront[moved[k].wavefront];
            unsigned banks = lw_access_banks(plan->request.hardware->banks, &instruction.access);
            unsigned bank = (unsigned)(byte / 4 % banks);
            assert_true(moved[k].wavefront < all.count);
            assert_true(w->banks >> bank & 1);
            assert_int_equal(w->word[bank], byte / 4);
            if (!instruction.access.matrices)
                assert_true(w->lanes >> moved[k].lane & 1);
            size_t f = lw_path_find(path, op, out, found, count);
            bool is_found = false;
            for (size_t j = 0; j < f; j++) {
                is_found = is_found || found[j] == i;
                assert_true(j == 0 || found[j - 1] < found[j]);
            }
            assert_true(is_found);
            times[moved[k].element]++;
        }
    }
    for (uint64_t e = 0; e < total; e++)
        assert_true(times[e] > 0);
    free(times);
    free(found);
}

static void check_path(const struct lw_path *path, const struct lw_map *a, const struct lw_map *s,
                       const struct lw_map *b)
{
    check_folds(path);
    check_elements(path, a, s, LW_ACCESS_STORE);
    check_elements(path, b, s, LW_ACCESS_LOAD);
}

/* ---- Paths through shared memory ---- */

#define BLOCKED(shape, size, threads, warps, order)                                                \
    "tensor<" shape ", #ttg.blocked<{sizePerThread = [" size "], threadsPerWarp = [" threads       \
    "], warpsPerCTA = [" warps "], order = [" order "]}>>"
#define SWIZZLED(shape, vec, per, max)                                                             \
    "!ttg.memdesc<" shape ", #ttg.swizzled_shared<{vec = " vec ", perPhase = " per                 \
    ", maxPhase = " max ", order = [1, 0]}>, #smem>"
#define PADDED(shape, pads, sizes)                                                                 \
    "!ttg.memdesc<" shape ", #ttg.padded_shared<[" pads "] {order = [1, 0], shape = [" sizes       \
    "]}>, #smem>"
#define DOT(shape)                                                                                 \
    "tensor<" shape                                                                                \
    ", #ttg.dot_op<{opIdx = 0, kWidth = 2, parent = #ttg.nvidia_mma<{versionMajor "                \
    "= 2, versionMinor = 0, warpsPerCTA = [2, 1], instrShape = [16, 8]}>}>>"

#define ROWS BLOCKED("32x32xf32", "1, 1", "1, 32", "32, 1", "1, 0")
#define COLUMNS BLOCKED("32x32xf32", "1, 1", "32, 1", "1, 32", "0, 1")

static const struct {
    const char *a, *s, *b;
    unsigned bits;
    const char *target, *verdict;
    enum lw_plan_stage stage;
} cases[] = {
    {ROWS, SWIZZLED("32x32xf32", "1", "1", "1"), COLUMNS, 32, "sm90",
     "load: 1024 wavefronts, ideal 32: 32 words of one bank", LW_PLAN_COMPILED},
    {ROWS, SWIZZLED("32x32xf32", "1", "1", "32"), COLUMNS, 32, "sm90",
     "store 32, load 32 wavefronts: no conflicts", LW_PLAN_COMPILED},
    {ROWS, PADDED("32x32xf32", "32:+1", "32, 32"), COLUMNS, 32, "sm90",
     "store 32, load 32 wavefronts: no conflicts", LW_PLAN_COMPILED},
    {ROWS, PADDED("32x32xf32", "8:+1, 64:+2", "32, 32"), COLUMNS, 32, "sm90",
     "load: 64 wavefronts, ideal 32: 2 words of one bank; store: 64 wavefronts, "
     "ideal 32",
     LW_PLAN_COMPILED},
    {BLOCKED("32x64xf16", "1, 8", "4, 8", "2, 1", "1, 0"), SWIZZLED("32x64xf16", "8", "1", "8"),
     DOT("32x64xf16"), 16, "sm90", "store 32, load 32 wavefronts: no conflicts", LW_PLAN_COMPILED},
    {BLOCKED("32x64xf16", "1, 8", "4, 8", "2, 1", "1, 0"), SWIZZLED("32x64xf16", "8", "1", "1"),
     DOT("32x64xf16"), 16, "sm90", "load: 256 wavefronts, ideal 32: 8 words of one bank",
     LW_PLAN_COMPILED},
    {BLOCKED("32x64xf16", "1, 8", "4, 8", "2, 1", "1, 0"), SWIZZLED("32x64xf16", "8", "1", "1"),
     BLOCKED("32x64xf16", "1, 4", "4, 8", "1, 2", "1, 0"), 16, "gfx950", NULL, LW_PLAN_TRITON},
    {"local(4, 1).spatial(8, 4)", "(32,4):(4,1)", NULL, 32, "sm90", NULL, LW_PLAN_TRITON},
    {"local(3, 4).spatial(4, 8)", "(12,32):(33,1)", "spatial(4, 8).local(3, 4)", 32, "sm90", NULL,
     LW_PLAN_COMPILED},
    {NULL, "((4,3),8):((1,130),4)", "spatial(4, 8).local(3, 1)", 32, "sm90", NULL,
     LW_PLAN_COMPILED},
    {NULL, "((5,4),8):((8,100),1)", "spatial(10, 2).local(2, 4)", 16, "sm90", NULL,
     LW_PLAN_COMPILED},
    {NULL, PADDED("32x32xf32", "4:+1, 64:+4", "32, 32"), "local(8, 4).spatial(4, 8)", 32, "sm90",
     NULL, LW_PLAN_TRITON},
    {NULL, "(6,12):(12,1)", "local(3, 2).spatial(2, 6)", 16, "sm80", NULL, LW_PLAN_COMPILED},
};

static void through_shared(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_map a = {0}, s = plan_map(cases[i].s), b = {0};
        struct lw_plan store, load;
        struct lw_path path = {0};
        struct lw_error err = {0};
        struct lw_plan_request request = {.memory = &s,
                                          .element_bits = cases[i].bits,
                                          .stage = cases[i].stage,
                                          .hardware = lw_hardware_find(cases[i].target)};
        if (cases[i].a) {
            a = plan_map(cases[i].a);
            request.registers = &a;
            request.op = LW_ACCESS_STORE;
            if (!lw_plan_make(&store, &request, &err))
                fail_msg("%s: %s", cases[i].a, err.message);
            path.store = &store;
        }
        if (cases[i].b) {
            b = plan_map(cases[i].b);
            request.registers = &b;
            request.op = LW_ACCESS_LOAD;
            request.to_global = i == 1;
            if (!lw_plan_make(&load, &request, &err))
                fail_msg("%s: %s", cases[i].b, err.message);
            path.load = &load;
        }
        check_path(&path, &a, &s, &b);
        if (cases[i].verdict) {
            struct lw_folds folds;
            struct lw_text text = {0};
            assert_true(lw_folds_make(&folds, &path, NULL));
            lw_path_put_verdict(&text, &path, &folds);
            assert_string_equal(lw_text_string(&text), cases[i].verdict);
            assert_true(lw_path_is_free(&path) == (strstr(cases[i].verdict, "no conf") != NULL));
            lw_text_free(&text);
            lw_folds_free(&folds);
        }
        if (path.store)
            lw_plan_free(&store);
        if (path.load)
            lw_plan_free(&load);
    }
    assert_true(most_folds > 1);
}

/* Lanes and warps with copies do not execute what only the last store needs. */
static void predicated(void **state)
{
    struct lw_map s = plan_map(SWIZZLED("4x32xf32", "1", "1", "1"));
    struct lw_map b = plan_map(BLOCKED("4x32xf32", "1, 1", "1, 32", "2, 1", "1, 0"));
    struct lw_map copies = plan_map(BLOCKED("4x32xf32", "1, 1", "8, 4", "4, 1", "1, 0"));
    struct lw_error err = {0};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct lw_plan_request request = {.registers = i ? &copies : &b,
                                          .memory = &s,
                                          .element_bits = 32,
                                          .op = LW_ACCESS_LOAD,
                                          .to_global = true,
                                          .hardware = lw_hardware_find("sm70")};
        struct lw_plan load;
        if (!lw_plan_make(&load, &request, &err))
            fail_msg("%s", err.message);
        struct lw_path path = {.load = &load};
        assert_true(i == 0 || load.total.instructions < load.count);
        check_folds(&path);
        lw_plan_free(&load);
    }
}

/* ---- Exchanges ---- */

static void exchanges(void **state)
{
    static const char *const pairs[][2] = {
        {BLOCKED("64x64xf32", "1, 4", "2, 16", "4, 1", "1, 0"),
         BLOCKED("64x64xf32", "4, 1", "16, 2", "1, 4", "0, 1")},
        {BLOCKED("128x64xf16", "1, 8", "4, 8", "4, 1", "1, 0"),
         "tensor<128x64xf16, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
         "[4, 1], instrShape = [16, 8]}>>"},
        {BLOCKED("16x64xf16", "1, 8", "4, 8", "4, 1", "1, 0"),
         BLOCKED("16x64xf16", "1, 1", "1, 32", "1, 4", "1, 0")},
    };
    int rounds = 0, tails = 0;
    (void)state;
    for (size_t i = 0; i < 2 * sizeof pairs / sizeof *pairs; i++) {
        struct lw_map a = plan_map(pairs[i / 2][0]), b = plan_map(pairs[i / 2][1]), s;
        struct lw_conversion_request request = {
            .from = &a, .to = &b, .element_bits = i / 2 ? 16 : 32, .to_global = i % 2};
        struct lw_conversion conversion;
        assert_true(lw_conversion_make(&conversion, &request, NULL));
        assert_int_equal(conversion.kind, LW_CONVERSION_SHARED);
        struct lw_path path = lw_path_of_conversion(&conversion);
        lw_map_from_layout(&s, &conversion.memory);
        assert_int_equal(lw_path_count(&path, LW_ACCESS_LOAD),
                         conversion.load.count * conversion.rounds);
        rounds += conversion.rounds > 1;
        tails += conversion.last_load.parts != NULL;
        if (conversion.last_load.parts)
            check_folds(&path);
        else
            check_path(&path, &a, &s, &b);
        lw_conversion_free(&conversion);
    }
    assert_true(rounds > 0 && tails > 0);
}

/* ---- Limits and time ---- */

static void limits(void **state)
{
    struct lw_map s = plan_map("(64,33):(33,1)"), b = plan_map("spatial(64, 33)");
    struct lw_plan load = plan_made(&b, &s, 32, LW_ACCESS_LOAD);
    struct lw_path path = {.load = &load}, none = {.load = NULL};
    struct lw_folds folds;
    struct lw_moved moved[2];
    uint64_t zero[LW_DIMS_MAX] = {0}, found[2];
    (void)state;
    assert_int_equal(lw_path_count(&path, LW_ACCESS_STORE), 0);
    assert_int_equal(lw_path_moved(&path, LW_ACCESS_STORE, 0, moved, 2), 0);
    assert_int_equal(lw_path_find(&path, LW_ACCESS_STORE, zero, found, 2), 0);
    assert_int_equal(lw_path_moved(&path, LW_ACCESS_LOAD, 0, moved, 2), 32);
    assert_int_equal(lw_path_moved(&path, LW_ACCESS_LOAD, load.count, moved, 2), 0);
    assert_true(lw_folds_make(&folds, &none, NULL));
    assert_int_equal(folds.count, 0);
    lw_folds_free(&folds);
    lw_plan_free(&load);
}

/* 1,024 instructions of two layouts that are not linear. */
static void quick(void **state)
{
    struct lw_map s = plan_map("(96,128):(129,1)"), b = plan_map("local(48, 2).spatial(2, 64)");
    struct lw_plan load = plan_made(&b, &s, 32, LW_ACCESS_LOAD);
    struct lw_path path = {.load = &load};
    struct lw_folds folds;
    double least = 1;
    (void)state;
    assert_true(load.count >= 384);
    for (int i = 0; i < 5; i++) {
        struct timespec from, to;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        assert_true(lw_folds_make(&folds, &path, NULL));
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        lw_folds_free(&folds);
        double took = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
        least = took < least ? took : least;
    }
    print_message("folds of %llu instructions: %.3f ms\n", (unsigned long long)load.count,
                  least * 1e3);
    assert_true(least < 0.05); /* far more than it takes, also with sanitizers */
    lw_plan_free(&load);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(through_shared), cmocka_unit_test(predicated), cmocka_unit_test(exchanges),
        cmocka_unit_test(limits),         cmocka_unit_test(quick),
    };
    return RUN(tests);
}
