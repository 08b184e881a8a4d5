/* The costs of whole kernels against the counters of their launches on an H200. */

#include "golden.h"

#include "laneway/kernel_cost.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct counted {
    char name[32];
    uint64_t blocks, trips, ld, st, ld_conflicts, st_conflicts, global_ld, global_st;
};

/* The costs of one block, with all loops as often as they ran. */
struct estimate {
    uint64_t wavefronts, conflicts, global_ld, global_st;
    size_t unknown;  /* operations on shared memory whose cost is not known */
    const char *why; /* of the last of them */
    size_t operations;
};

static void add_up(const struct lw_kernel_costs *costs, struct estimate *estimate)
{
    memset(estimate, 0, sizeof *estimate);
    estimate->operations = costs->kernel->operation_count;
    for (size_t i = 0; i < costs->kernel->operation_count; i++) {
        const struct lw_kernel_cost *cost = &costs->costs[i];
        bool store = costs->kernel->operations[i].kind->role == LW_ROLE_GLOBAL_STORE;
        estimate->wavefronts += cost->wavefronts * cost->trips;
        estimate->conflicts += cost->conflicts * cost->trips;
        *(store ? &estimate->global_st : &estimate->global_ld) += cost->sectors * cost->trips;
        if (!cost->known && (!strcmp(cost->kind, "shared") || !strcmp(cost->kind, "unknown"))) {
            estimate->unknown++;
            estimate->why = cost->why;
        }
    }
}

static struct lw_kernel kernel;
static struct lw_kernel_costs costs;

static enum lw_triton triton = LW_TRITON_3_6; /* that compiled the kernels */

static void estimate_kernel(const char *text, size_t length, uint64_t trips,
                            struct estimate *estimate)
{
    struct lw_error err;
    struct lw_trips loop = {.count = trips};
    struct lw_kernel_options options = {
        .trips = &loop, .trips_count = trips ? 1 : 0, .triton = {.version = triton}};
    if (!lw_kernel_read(&kernel, text, length, &options, &err) ||
        !lw_kernel_costs_make(&costs, &kernel, NULL, &err))
        fail_msg("%s", err.message);
    assert_int_equal(kernel.problems.total, 0);
    add_up(&costs, estimate);
}

static void free_kernel(void)
{
    lw_kernel_costs_free(&costs);
    lw_kernel_free(&kernel);
}

/* Equal; or the hardware counted a few more and called each a conflict, as it does when they meet others: then it is
 * not the addresses. */
static bool agrees(const struct estimate *estimate, const struct counted *counted)
{
    uint64_t all = counted->ld + counted->st, mine = estimate->wavefronts * counted->blocks;
    uint64_t conflicts = estimate->conflicts * counted->blocks;
    return all >= mine && all - mine <= (all > mine) + mine / 100 &&
           counted->ld_conflicts + counted->st_conflicts - conflicts == all - mine;
}

/* ---- Kernels ---- */

/* Sectors are those of tensors that are dense in memory. Where they are not the counted ones: of a
 * copy into memory that is transposed each lane moves its bytes in parts, and accesses its sectors
 * again for each. */
static const struct {
    const char *name;
    bool pieces;
    int64_t stores; /* sectors of a block's stores of one element, which are not counted; less those
                       of stores in a branch that not all blocks take. gla_intra: 16 columns whose
                       16 rows are apart, 16 * (16 - 2), and a triangle whose mask stores each
                       element of a vector alone, 16 + 18 + 20 + 22 - 32 */
} other_sectors[] = {{"matmul_fp32", true, 0},
                     {"kl_div", false, 1},
                     {"based_state", false, -32},
                     {"gla_intra", false, 268}};

static void check_sectors(const struct estimate *estimate, const struct counted *counted)
{
    int64_t stores = 0;
    bool pieces = false;
    for (size_t i = 0; i < sizeof other_sectors / sizeof *other_sectors; i++)
        if (!strcmp(other_sectors[i].name, counted->name)) {
            pieces = other_sectors[i].pieces;
            stores = other_sectors[i].stores;
        }
    assert_int_equal(((int64_t)estimate->global_st + stores) * (int64_t)counted->blocks,
                     counted->global_st);
    if (!pieces)
        assert_int_equal(estimate->global_ld * counted->blocks, counted->global_ld);
    else
        assert_true(estimate->global_ld * counted->blocks < counted->global_ld);
}

/* The wavefronts of a block's reduction whose result is only stored, after something was computed from it: which warps
 * load it is not known. */
static uint64_t uncounted_of(const char *name)
{
    return strcmp(name, "kl_div") ? 0 : 66;
}

static void one_kernel(const struct counted *counted)
{
    char name[256], *text = NULL;
    struct estimate estimate;
    snprintf(name, sizeof name, "launches/%s.ttgir", counted->name);
    FILE *file = golden_open(name);
    text = calloc(1, 1 << 18);
    assert_non_null(text);
    size_t length = fread(text, 1, 1 << 18, file);
    fclose(file);
    estimate_kernel(text, length, counted->trips, &estimate);
    uint64_t uncounted = uncounted_of(counted->name);
    estimate.wavefronts += uncounted;
    if (estimate.unknown != (uncounted > 0) || !agrees(&estimate, counted))
        fail_msg("%s: %" PRIu64 " wavefronts are estimated, %" PRIu64 " + %" PRIu64 " in %" PRIu64
                 " blocks were counted",
                 counted->name, estimate.wavefronts, counted->ld, counted->st, counted->blocks);
    check_sectors(&estimate, counted);
    free_kernel();
    free(text);
}

static void kernels_cost_what_was_counted(void **state)
{
    FILE *file = golden_open("launches/counters.csv");
    int rows = 0;
    (void)state;
    for (char *line; (line = golden_line(file)) != NULL;) {
        struct counted counted = {0};
        uint64_t *const numbers[] = {
            &counted.blocks,       &counted.trips,        &counted.ld,        &counted.st,
            &counted.ld_conflicts, &counted.st_conflicts, &counted.global_ld, &counted.global_st};
        snprintf(counted.name, sizeof counted.name, "%s", golden_field(&line, ','));
        if (!strcmp(counted.name, "name"))
            continue;
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            *numbers[i] = strtoull(golden_field(&line, ','), NULL, 10);
        one_kernel(&counted);
        rows++;
    }
    assert_int_equal(rows, 20);
}

/* ---- Reductions and scans ---- */

static int reductions, refused;

static void one_reduction(const cJSON *row, const char *line)
{
    struct counted counted = {.blocks = 1};
    struct estimate estimate;
    const char *text = cJSON_GetObjectItem(row, "text")->valuestring;
    counted.ld = (uint64_t)cJSON_GetObjectItem(row, "ld")->valuedouble;
    counted.st = (uint64_t)cJSON_GetObjectItem(row, "st")->valuedouble;
    counted.ld_conflicts = (uint64_t)cJSON_GetObjectItem(row, "ld_conflicts")->valuedouble;
    counted.st_conflicts = (uint64_t)cJSON_GetObjectItem(row, "st_conflicts")->valuedouble;
    estimate_kernel(text, strlen(text), 0, &estimate);
    reductions++;
    refused += estimate.unknown > 0;
    if (!estimate.unknown && !agrees(&estimate, &counted))
        fail_msg("%" PRIu64 " wavefronts are estimated, %" PRIu64 " + %" PRIu64
                 " were counted: %.300s",
                 estimate.wavefronts, counted.ld, counted.st, line);
    free_kernel();
}

static void reductions_cost_what_was_counted(void **state)
{
    (void)state;
    golden_each("reductions_h200.jsonl", one_reduction);
    assert_true(reductions >= 60);
    assert_true(refused <= 2); /* sums of 16 bits side by side */
}

/* Reductions of torch.compile: what was counted, or named as not counted; never another number. */
static int of_torch, named;

static void one_of_torch(const cJSON *row, const char *line)
{
    struct counted counted = {.blocks = (uint64_t)golden_number(row, "blocks", -1)};
    struct estimate estimate;
    const char *text = cJSON_GetObjectItem(row, "text")->valuestring;
    counted.ld = (uint64_t)golden_number(row, "ld", -1);
    counted.st = (uint64_t)golden_number(row, "st", -1);
    counted.ld_conflicts = (uint64_t)golden_number(row, "ld_conflicts", -1);
    counted.st_conflicts = (uint64_t)golden_number(row, "st_conflicts", -1);
    /* The compiler unrolls its loop, and nothing uses the sum of the last round: each of 16 warps loads once less. */
    if (!strcmp(cJSON_GetObjectItem(row, "name")->valuestring, "triton_red_fused_cumsum_0") &&
        triton == LW_TRITON_3_9)
        counted.ld += 16 * counted.blocks;
    estimate_kernel(text, strlen(text), 0, &estimate);
    of_torch++;
    named += estimate.unknown > 0;
    if (!estimate.unknown && !agrees(&estimate, &counted))
        fail_msg("%" PRIu64 " wavefronts are estimated, %" PRIu64 " + %" PRIu64 " in %" PRIu64
                 " blocks were counted: %.100s",
                 estimate.wavefronts, counted.ld, counted.st, counted.blocks, line);
    free_kernel();
}

static void reductions_of_torch_cost_what_was_counted(void **state)
{
    (void)state;
    golden_each("torch_h200.jsonl", one_of_torch);
    assert_int_equal(of_torch, 19);
    assert_int_equal(named, 6);
    of_torch = named = 0;
    triton = LW_TRITON_3_9;
    golden_each("torch39_h200.jsonl", one_of_torch);
    triton = LW_TRITON_3_6;
    assert_int_equal(of_torch, 83);
    assert_int_equal(named, 4);
}

/* ---- Reductions as Triton 3.8 and 3.9 compile them ---- */

enum { TEXTS_MAX = 100 };
static char *texts[TEXTS_MAX];
static size_t text_count, compared, equal;

static void keep_text(const cJSON *row, const char *line)
{
    (void)line;
    assert_true(text_count < TEXTS_MAX);
    texts[text_count++] = strdup(cJSON_GetObjectItem(row, "text")->valuestring);
}

/* How often an opcode is in the code of all operations. */
static uint64_t times_in_code(const char *opcode)
{
    uint64_t times = 0;
    size_t length = strlen(opcode);
    for (size_t i = 0; i < costs.kernel->operation_count; i++)
        for (const char *p = costs.costs[i].code; (p = strstr(p, opcode)) != NULL; p += length)
            if ((p == costs.costs[i].code || p[-1] == ' ') && !strncmp(p + length, " x", 2))
                times += strtoull(p + length + 2, NULL, 10);
    return times;
}

static uint64_t instructions_in_code(void)
{
    uint64_t all = 0;
    for (size_t i = 0; i < costs.kernel->operation_count; i++)
        for (const char *p = costs.costs[i].code; (p = strstr(p, " x")) != NULL; p += 2)
            if (strstr(costs.costs[i].code, "ST") || strstr(costs.costs[i].code, "LD"))
                all += strtoull(p + 2, NULL, 10) * !strstr(costs.costs[i].kind, "global");
    return all;
}

/* A load of a byte with its sign counts as one without. The codes of scans are listed before the back end
 * merges them. */
static void one_compiled(const cJSON *row, const char *line)
{
    const cJSON *opcode;
    uint64_t all = 0;
    bool same = true;
    struct estimate estimate;
    const char *text = texts[compared++];
    if (strstr(text, "tt.scan\""))
        return;
    estimate_kernel(text, strlen(text), 0, &estimate);
    assert_int_equal(estimate.unknown, 0);
    cJSON_ArrayForEach(opcode, cJSON_GetObjectItem(row, "sass"))
    {
        const char *name = !strcmp(opcode->string, "LDS.S8") ? "LDS.U8" : opcode->string;
        all += (uint64_t)opcode->valuedouble;
        same = same && times_in_code(name) == (uint64_t)opcode->valuedouble;
    }
    if (!same || all != instructions_in_code())
        fail_msg("other instructions are estimated: %s%s", line, text);
    equal++;
    free_kernel();
}

static void reductions_are_compiled_as_conversions(void **state)
{
    (void)state;
    golden_each("reductions_h200.jsonl", keep_text);
    static const enum lw_triton versions[] = {LW_TRITON_3_8, LW_TRITON_3_9};
    for (int i = 0; i < 2; i++) {
        triton = versions[i];
        compared = 0;
        golden_each("triton39_reductions.jsonl", one_compiled);
        assert_int_equal(compared, text_count);
    }
    assert_int_equal(equal, 2 * 44);
    triton = LW_TRITON_3_6;
    while (text_count)
        free(texts[--text_count]);
}

/* ---- Scans of narrow elements as Triton 3.9 compiles them, and 3.7.1 all the same ---- */

/* Each warp runs each instruction once, and its lanes load the same sums: 16 bytes take two wavefronts. */
static void one_scan(const cJSON *row, const char *line)
{
    const char *text = cJSON_GetObjectItem(row, "text")->valuestring;
    const cJSON *opcode;
    struct estimate estimate;
    uint64_t wavefronts = 0;
    cJSON_ArrayForEach(opcode, cJSON_GetObjectItem(row, "sass"))
    {
        wavefronts += (uint64_t)opcode->valuedouble * (strstr(opcode->string, "LDS.128") ? 2 : 1);
    }
    wavefronts *= (uint64_t)cJSON_GetObjectItem(row, "warps")->valuedouble;
    estimate_kernel(text, strlen(text), 0, &estimate);
    assert_int_equal(estimate.unknown, 0);
    if (estimate.wavefronts != wavefronts)
        fail_msg("%" PRIu64 " wavefronts are estimated, the code has %" PRIu64 ": %.300s",
                 estimate.wavefronts, wavefronts, line);
    compared++;
    free_kernel();
}

static void narrow_scans_are_merged_as_compiled(void **state)
{
    (void)state;
    static const enum lw_triton versions[] = {LW_TRITON_3_7, LW_TRITON_3_8, LW_TRITON_3_9};
    for (int i = 0; i < 3; i++) {
        compared = 0;
        triton = versions[i];
        golden_each("triton39_scans.jsonl", one_scan);
        assert_int_equal(compared, 47);
    }
    triton = LW_TRITON_3_6;
}

/* ---- Descriptors ---- */

static void one_descriptor(const cJSON *row, const char *line)
{
    const char *text = cJSON_GetObjectItem(row, "text")->valuestring;
    const cJSON *opcode;
    struct estimate estimate;
    uint64_t all = 0;
    estimate_kernel(text, strlen(text), 0, &estimate);
    cJSON_ArrayForEach(opcode, cJSON_GetObjectItem(row, "sass"))
    {
        all += (uint64_t)opcode->valuedouble;
        if (triton < LW_TRITON_3_9 &&
            times_in_code(opcode->string) != (uint64_t)opcode->valuedouble)
            fail_msg("other instructions are estimated: %.300s", line);
    }
    assert_int_equal(estimate.unknown, triton < LW_TRITON_3_9 ? 0 : estimate.operations);
    assert_int_equal(estimate.wavefronts, triton < LW_TRITON_3_9 ? all : 0);
    compared++;
    free_kernel();
}

/* Of each instruction one lane is active, or all lanes access a word each: one wavefront. */
static void descriptors_cost_as_compiled(void **state)
{
    static const enum lw_triton versions[] = {LW_TRITON_3_7, LW_TRITON_3_8, LW_TRITON_3_9};
    (void)state;
    compared = 0;
    for (int i = 0; i < 3; i++) {
        triton = versions[i];
        golden_each("triton38_descriptors.jsonl", one_descriptor);
    }
    triton = LW_TRITON_3_6;
    assert_int_equal(compared, 3 * 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_cost_what_was_counted),
        cmocka_unit_test(reductions_cost_what_was_counted),
        cmocka_unit_test(reductions_of_torch_cost_what_was_counted),
        cmocka_unit_test(reductions_are_compiled_as_conversions),
        cmocka_unit_test(narrow_scans_are_merged_as_compiled),
        cmocka_unit_test(descriptors_cost_as_compiled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
