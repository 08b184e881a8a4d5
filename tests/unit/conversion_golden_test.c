/* Conversions against whole kernels: what Triton compiled, in the machine code and, but for
 * tests/golden/triton3?_converts.jsonl, by the counters of an H200: kernels_h200.jsonl and
 * kernels_h200_more.jsonl. */

#include "golden.h"
#include "plan_help.h"

#include "analysis/access/path.h"

static enum lw_triton version;
static int rows, excesses, failures, swizzles, kinds[5];

static void differs(const char *what, const char *line)
{
    if (failures++ < 5)
        print_error("%s: %.900s\n", what, line);
}

/* The opcodes of that sort in the code of one warp, all rounds. */
static bool same_opcodes(const struct lw_conversion *c, const struct lw_plan *plan,
                         const cJSON *sass, const char *sort)
{
    const cJSON *item;
    int found = 0;
    cJSON_ArrayForEach(item, sass)
    {
        bool same = false;
        if (strncmp(item->string, sort, 2) != 0)
            continue;
        for (int i = 0; i < plan->opcode_count; i++)
            same = same || (!strcmp(plan->opcodes[i].name, item->string) &&
                            plan->opcodes[i].count * c->rounds == (uint64_t)item->valuedouble);
        if (!same)
            return false;
        found++;
    }
    return found == plan->opcode_count;
}

static void compare_shuffles(const struct lw_conversion *c, const cJSON *sass, const char *line)
{
    const cJSON *idx = cJSON_GetObjectItem(sass, "SHFL.IDX");
    const cJSON *bfly = cJSON_GetObjectItem(sass, "SHFL.BFLY");
    const cJSON *mine = c->shuffle.lanes_permuted ? idx : bfly;
    uint64_t count = (uint64_t)((idx ? idx->valuedouble : 0) + (bfly ? bfly->valuedouble : 0));
    if (count != c->shuffles || (mine && (uint64_t)mine->valuedouble != count))
        differs("other shuffles", line);
}

static void compare_side(const struct lw_plan_total *total, uint64_t rounds, const cJSON *row,
                         const char *side, const char *line)
{
    uint64_t more = (uint64_t)golden_number(row, side, 1) - total->wavefronts;
    if (total->instructions - total->matrix != (uint64_t)golden_number(row, side, 0))
        differs("another count of instructions", line);
    /* The counters see something of other traffic in loads, and in stores that alternate with loads in many
     * rounds: one more each at most, the same in both. */
    else if (more != (uint64_t)golden_number(row, side, 2) - total->conflicts ||
             more > (side[0] == 'l' || rounds >= 32 ? total->instructions : 0))
        differs("another cost", line);
    excesses += more != 0;
}

static void compare_counters(const struct lw_conversion *c, const cJSON *row, const char *line)
{
    compare_side(&c->store_total, c->rounds, row, "st", line);
    compare_side(&c->load_total, c->rounds, row, "ld", line);
    if (c->load_total.matrix != (uint64_t)golden_number(row, "ldsm", -1))
        differs("another count of ldmatrix", line);
}

static void compare(const struct lw_conversion *c, const cJSON *row, const char *line)
{
    const cJSON *sass = cJSON_GetObjectItem(row, "sass");
    kinds[c->kind]++;
    if (c->shared_bytes != (uint64_t)golden_number(row, "shared_bytes", -1))
        differs("another size of memory", line);
    compare_shuffles(c, sass, line);
    if (cJSON_HasObjectItem(row, "st"))
        compare_counters(c, row, line);
    if (!same_opcodes(c, &c->store, sass, "ST"))
        differs("other opcodes of stores", line);
    if (!same_opcodes(c, &c->load, sass, "LD"))
        differs("other opcodes of loads", line);
}

/* The instructions add up to the totals; every register of a thread goes through once, copies aside. */
static void check_instructions(const struct lw_conversion *c, enum lw_access_op op,
                               const struct lw_plan_total *total, const char *line)
{
    struct lw_instruction instruction;
    struct lw_cost cost;
    const struct lw_path path = lw_path_of_conversion(c);
    uint64_t wavefronts = 0, count = lw_path_count(&path, op);
    for (uint64_t i = 0; i < count; i++) {
        lw_path_instruction(&path, op, i, &instruction);
        assert_true(lw_access_cost(lw_hardware_default()->banks, &instruction.access, &cost, NULL));
        wavefronts += cost.wavefronts;
    }
    if (wavefronts != total->wavefronts)
        differs("instructions do not add up", line);
}

/* Where the swizzle has each element: the row-major number of the one at each power of two of the offset. */
static void compare_swizzle(const struct lw_conversion *c, const cJSON *bases, const char *line)
{
    const cJSON *basis;
    int bit = 0;
    cJSON_ArrayForEach(basis, bases)
    {
        uint64_t image[LW_DIMS_MAX], number = 0;
        lw_layout_basis(&c->memory, 0, bit++, image);
        for (int dim = 0; dim < c->memory.out.count; dim++)
            number = number << lw_layout_out_log2(&c->memory, dim) | image[dim];
        if (number != (uint64_t)basis->valuedouble)
            differs("another swizzle", line);
    }
    swizzles += bit > 0;
}

static void compare_row(const cJSON *row, const char *line)
{
    const cJSON *registers = cJSON_GetObjectItem(row, "registers");
    const cJSON *kernel = cJSON_GetObjectItem(row, "kernel");
    if (kernel && strcmp(kernel->valuestring, "tile_convert") != 0)
        return;
    struct lw_map from = plan_map(cJSON_GetArrayItem(registers, 0)->valuestring);
    struct lw_map to = plan_map(cJSON_GetArrayItem(registers, 1)->valuestring);
    struct lw_conversion c;
    struct lw_error err = {0};
    struct lw_conversion_request request = {.from = &from,
                                            .to = &to,
                                            .element_bits =
                                                (unsigned)golden_number(row, "bits", -1),
                                            .to_global = true,
                                            .triton = version};
    rows++;
    bool refused = cJSON_IsNull(cJSON_GetObjectItem(row, "shared_bytes"));
    if (!lw_conversion_make(&c, &request, &err)) {
        if (!refused || !(strstr(err.message, "Triton 3.9 does not compile this") ||
                          strstr(err.message, "the compiler's rules")))
            differs(err.message, line);
        return;
    }
    if (refused)
        differs("Triton does not compile it", line);
    compare(&c, row, line);
    compare_swizzle(&c, cJSON_GetObjectItem(row, "bases"), line);
    check_instructions(&c, LW_ACCESS_STORE, &c.store_total, line);
    check_instructions(&c, LW_ACCESS_LOAD, &c.load_total, line);
    lw_conversion_free(&c);
}

static void kernels(void **state)
{
    (void)state;
    version = LW_TRITON_3_6;
    golden_each("kernels_h200.jsonl", compare_row);
    assert_int_equal(failures, 0);
    assert_int_equal(rows, 64);
    assert_int_equal(kinds[LW_CONVERSION_NONE], 6);
    assert_int_equal(kinds[LW_CONVERSION_REGISTERS], 1);
    assert_int_equal(kinds[LW_CONVERSION_SHUFFLE], 7);
    assert_int_equal(kinds[LW_CONVERSION_SHARED], 50);
    /* 64 rounds, in which loads and stores alternate: 82 more counted than planned. */
    assert_int_equal(excesses, 1);
}

/* Rank 1 and 3, slices, 8 and 64 bits, dot operands of wgmma and of blocked. */
static void more_kernels(void **state)
{
    (void)state;
    rows = excesses = failures = 0;
    version = LW_TRITON_3_6;
    golden_each("kernels_h200_more.jsonl", compare_row);
    assert_int_equal(failures, 0);
    assert_int_equal(rows, 132);
    assert_int_equal(excesses, 14);
}

/* Rank 1 to 3, slices of slices, 64 bits: compiled, not run. */
static void check_compiled(const char *file, enum lw_triton of, int count)
{
    rows = failures = 0;
    version = of;
    memset(kinds, 0, sizeof kinds);
    golden_each(file, compare_row);
    assert_int_equal(failures, 0);
    assert_int_equal(rows, count);
}

static void compiled(void **state)
{
    (void)state;
    check_compiled("triton37_converts.jsonl", LW_TRITON_3_7, 160);
    for (int kind = LW_CONVERSION_NONE; kind < LW_CONVERSION_BLOCKS; kind++)
        assert_true(kinds[kind] > 0);
    int shuffled = kinds[LW_CONVERSION_SHUFFLE];
    check_compiled("triton39_converts.jsonl", LW_TRITON_3_9, 160);
    assert_int_equal(kinds[LW_CONVERSION_SHUFFLE], shuffled + 5);
    check_compiled("triton39_converts_copies.jsonl", LW_TRITON_3_9, 160);
    assert_true(kinds[LW_CONVERSION_SHUFFLE] > 80);
}

/* Bases that are sums of bits: always through shared memory, with the swizzle that Triton made. */
static void sums_of_bits(void **state)
{
    (void)state;
    check_compiled("triton39_converts_generic.jsonl", LW_TRITON_3_9, 90);
    assert_int_equal(kinds[LW_CONVERSION_SHARED], 77);
    assert_int_equal(swizzles, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels), cmocka_unit_test(more_kernels),
                                       cmocka_unit_test(compiled), cmocka_unit_test(sums_of_bits)};
    return RUN(tests);
}
