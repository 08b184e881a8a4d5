/* The optimum over linear layouts against what Triton chose: the conversions through shared memory that an H200
 * counted, and
 * Triton's swizzle for conversions of every sort. It must never do better. */

#include "golden.h"
#include "plan_help.h"

#include "laneway/conversion.h"
#include "laneway/swizzle.h"

static int rows, fewer;

static uint64_t optimum(const struct lw_map *from, const struct lw_map *to, unsigned bits,
                        uint64_t *bound)
{
    struct lw_swizzle_request request = {.store = from, .load = to, .element_bits = bits};
    struct lw_swizzle_search search;
    struct lw_error err = {0};
    if (!lw_swizzle_begin(&search, &request, &err))
        fail_msg("%s", err.message);
    while (lw_swizzle_step(&search, 1) && search.ranked_count == 0)
        ;
    assert_true(search.found[LW_SWIZZLE_LINEAR]);
    uint64_t wavefronts = lw_swizzle_wavefronts(&search.best[LW_SWIZZLE_LINEAR]);
    *bound = search.bound;
    assert_true(wavefronts >= search.bound);
    lw_swizzle_end(&search);
    return wavefronts;
}

/* Whether the kernel, which ends in a global store, runs some of its loads only where that store is not a copy. */
static bool has_tail(const struct lw_map *from, const struct lw_map *to, unsigned bits)
{
    uint64_t loads[2];
    for (int tail = 0; tail < 2; tail++) {
        struct lw_conversion conversion;
        struct lw_conversion_request request = {
            .from = from, .to = to, .element_bits = bits, .to_global = tail};
        assert_true(lw_conversion_make(&conversion, &request, NULL));
        loads[tail] = conversion.load_total.wavefronts;
        lw_conversion_free(&conversion);
    }
    return loads[0] != loads[1];
}

static void compare_counted(const cJSON *row, const char *line)
{
    const cJSON *registers = cJSON_GetObjectItem(row, "registers");
    const char *kernel = cJSON_GetObjectItem(row, "kernel")->valuestring;
    uint64_t bound, measured = 0;
    if (!strcmp(kernel, "tile_convert"))
        measured = (uint64_t)golden_number(row, "st", 1) + (uint64_t)golden_number(row, "ld", 1);
    if (measured == 0)
        return;
    struct lw_map from = plan_map(cJSON_GetArrayItem(registers, 0)->valuestring);
    struct lw_map to = plan_map(cJSON_GetArrayItem(registers, 1)->valuestring);
    unsigned bits = (unsigned)cJSON_GetObjectItem(row, "bits")->valuedouble;
    if (has_tail(&from, &to, bits))
        return;
    uint64_t ours = optimum(&from, &to, bits, &bound);
    if (ours > measured)
        fail_msg("%llu wavefronts, but %llu were counted: %.600s", (unsigned long long)ours,
                 (unsigned long long)measured, line);
    rows++;
    fewer += ours < measured;
}

static void conversions_counted(void **state)
{
    (void)state;
    golden_each("kernels_h200.jsonl", compare_counted);
    golden_each("kernels_h200_more.jsonl", compare_counted);
    print_message("%d conversions counted, %d with more wavefronts than they need\n", rows, fewer);
    assert_true(rows > 100);
}

/* ---- Triton's choice, by the rules that the compiled conversions obey ---- */

static const char *const layouts[] = {
    "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = "
    "[1, 0]}>",
    "#ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = "
    "[0, 1]}>",
    "#ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [2, 16], warpsPerCTA = [2, 2], order = "
    "[1, 0]}>",
    "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = "
    "[0, 1]}>",
    "#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = "
    "[1, 0]}>",
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, "
    "8]}>",
    "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, "
    "64, 16]}>",
    "#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
    "warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}>",
    "#ttg.dot_op<{opIdx = 1, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
    "warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}>",
};

static void compare_chosen(const char *a, const char *b, const char *element, unsigned bits,
                           int *tried, int *proven)
{
    char source[2][512];
    struct lw_conversion conversion;
    uint64_t bound;
    snprintf(source[0], sizeof source[0], "tensor<64x64x%s, %s>", element, a);
    snprintf(source[1], sizeof source[1], "tensor<64x64x%s, %s>", element, b);
    struct lw_map from = plan_map(source[0]), to = plan_map(source[1]);
    struct lw_conversion_request request = {.from = &from, .to = &to, .element_bits = bits};
    assert_true(lw_conversion_make(&conversion, &request, NULL));
    if (conversion.kind == LW_CONVERSION_SHARED) {
        uint64_t theirs = conversion.store_total.wavefronts + conversion.load_total.wavefronts;
        uint64_t ours = optimum(&from, &to, bits, &bound);
        if (ours > theirs)
            fail_msg("%llu wavefronts, but Triton has %llu: %s to %s", (unsigned long long)ours,
                     (unsigned long long)theirs, source[0], source[1]);
        ++*tried;
        *proven += ours == bound;
    }
    lw_conversion_free(&conversion);
}

static void conversions_chosen(void **state)
{
    (void)state;
    static const char *const elements[] = {"i8", "f16", "f32", "f64"};
    size_t count = sizeof layouts / sizeof *layouts;
    int tried = 0, proven = 0;
    for (unsigned e = 0; e < 4; e++)
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count; j++)
                if (i != j)
                    compare_chosen(layouts[i], layouts[j], elements[e], 8u << e, &tried, &proven);
    print_message("%d conversions through shared memory, %d of our optima proven\n", tried, proven);
    assert_true(tried > 200 && proven == tried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(conversions_counted),
                                       cmocka_unit_test(conversions_chosen)};
    return RUN(tests);
}
