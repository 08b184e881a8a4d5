/* Access plans: every value goes where it belongs, by plans of golden pairs of encodings and of any bases at
 * all; totals are those of a count of every instruction. */

#include "golden.h"
#include "plan_help.h"
#include "seeded.h"

static int plans, refused, matrices, tails;

static void check_request(const struct lw_plan_request *request)
{
    struct lw_plan plan;
    struct lw_error err = {0};
    if (!lw_plan_make(&plan, request, &err)) {
        refused++;
        return;
    }
    plans++;
    matrices += plan.total.matrix != 0;
    tails += plan.total.instructions < plan.count;
    if (plan.count <= 512)
        plan_check(&plan);
    lw_plan_free(&plan);
}

static int written, misaligned;

static void check_written(const struct lw_map *from, const struct lw_map *to, unsigned bits,
                          enum lw_access_op op)
{
    struct lw_plan_request request = {
        .registers = from, .memory = to, .element_bits = bits, .op = op, .stage = LW_PLAN_WRITTEN};
    struct lw_plan plan;
    struct lw_error err = {0};
    if (!lw_plan_make(&plan, &request, &err)) {
        misaligned += strstr(err.message, "misaligned") != NULL;
        return;
    }
    if (plan.count <= 256) {
        plan_check(&plan);
        assert_int_equal(plan.total.matrix, 0);
        written++;
    }
    lw_plan_free(&plan);
}

static void check_pair(const char *registers, const char *memory, unsigned bits)
{
    struct lw_map from = plan_map(registers), to = plan_map(memory);
    if (bits >= 8)
        check_written(&from, &to, bits, LW_ACCESS_STORE);
    for (int n = 0; n < 5; n++)
        check_request(
            &(struct lw_plan_request){.registers = &from,
                                      .memory = &to,
                                      .element_bits = bits,
                                      .op = n % 2 || n == 4 ? LW_ACCESS_LOAD : LW_ACCESS_STORE,
                                      .stage = n / 2 == 1 ? LW_PLAN_TRITON : LW_PLAN_COMPILED,
                                      .to_global = n == 4});
}

static void check_conflict_row(const cJSON *row, const char *line)
{
    (void)line;
    check_pair(cJSON_GetObjectItem(row, "source")->valuestring,
               cJSON_GetObjectItem(row, "shared")->valuestring,
               (unsigned)cJSON_GetObjectItem(row, "bits")->valueint);
}

static void check_kernel_row(const cJSON *row, const char *line)
{
    const cJSON *memory = cJSON_GetObjectItem(row, "memory"), *registers;
    (void)line;
    cJSON_ArrayForEach(registers, cJSON_GetObjectItem(row, "registers"))
    {
        if (memory)
            check_pair(registers->valuestring, memory->valuestring,
                       (unsigned)cJSON_GetObjectItem(row, "bits")->valueint);
    }
}

static void moves(void **state)
{
    (void)state;
    golden_each("triton37_conflicts.jsonl", check_conflict_row);
    golden_each("kernels_h200.jsonl", check_kernel_row);
    assert_true(plans > 2500);
    assert_true(matrices > 300);
    assert_true(tails > 5);
}

/* ---- Any bases at all ---- */

static struct lw_dims indices_of(int registers, int warps)
{
    struct lw_dims in = {0};
    assert_true(lw_dims_add(&in, "register", (uint64_t)1 << registers, NULL));
    assert_true(lw_dims_add(&in, "lane", 32, NULL));
    assert_true(lw_dims_add(&in, "warp", (uint64_t)1 << warps, NULL));
    return in;
}

/* Any bases; or single bits, shuffled; or as matrix instructions want them: the first registers, then
 * lanes 1 and 2 fill a row, or lanes 4, 8 and 16 do. */
static void random_registers(uint64_t *seed, struct lw_layout *layout, const struct lw_dims *in,
                             const struct lw_dims *out, int bits)
{
    int order[LW_BITS_MAX], next = 0, registers = lw_log2(in->dim[0].size);
    int count = registers + 5 + lw_log2(in->dim[2].size), mode = (int)seeded_below(seed, 4);
    int inner = (int)seeded_below(seed, 3);
    seeded_layout(seed, layout, in, out);
    if (mode == 0)
        return;
    for (int i = 0; i < count; i++)
        order[i] = -1;
    for (int i = 0; mode == 2 && i < inner && i < registers; i++)
        order[i] = next++;
    for (int i = 0; mode > 1 && i < (mode == 2 ? 2 : 3); i++)
        order[registers + i + (mode == 2 ? 0 : 2)] = next++;
    for (int left = count; left > 0; left--)
        for (int at = (int)seeded_below(seed, (uint64_t)count), k = 0; k < count; k++)
            if (order[(at + k) % count] < 0) {
                order[(at + k) % count] = next++;
                break;
            }
    for (int i = 0; i < count; i++)
        layout->basis[i] = order[i] < bits ? (uint64_t)1 << order[i] : 0;
}

static void check_random(uint64_t *seed)
{
    int bits = 4 + (int)seeded_below(seed, 8);
    struct lw_dims in = indices_of((int)seeded_below(seed, 6), (int)seeded_below(seed, 3));
    struct lw_dims out = {0}, offset = {0};
    struct lw_layout registers, memory;
    struct lw_map from, to;
    struct lw_padding padding = {(uint64_t)1 << seeded_below(seed, 6), 1 + seeded_below(seed, 9)};
    seeded_dims(seed, &out, "dim", 1 + (int)seeded_below(seed, 3), bits);
    assert_true(lw_dims_add(&offset, "offset", (uint64_t)1 << bits, NULL));
    random_registers(seed, &registers, &in, &out, bits);
    seeded_invertible(seed, &memory, &offset, &out);
    if (seeded_below(seed, 2))
        for (int i = 0; i < bits; i++)
            memory.basis[i] = (uint64_t)1 << i;
    lw_map_from_layout(&from, &registers);
    if (seeded_below(seed, 3))
        lw_map_from_layout(&to, &memory);
    else
        assert_true(lw_map_from_padding(&to, &memory, "offset", &padding, 1, NULL));
    unsigned element = 1u << seeded_below(seed, 8);
    if (element >= 8)
        check_written(&from, &to, element, LW_ACCESS_LOAD);
    for (int n = 0; n < 4; n++)
        check_request(&(struct lw_plan_request){.registers = &from,
                                                .memory = &to,
                                                .element_bits = element,
                                                .op = n % 2 ? LW_ACCESS_LOAD : LW_ACCESS_STORE,
                                                .stage = n / 2 ? LW_PLAN_TRITON : LW_PLAN_COMPILED,
                                                .to_global = n == 1});
}

static void any_bases(void **state)
{
    uint64_t seed = 20;
    (void)state;
    plans = matrices = tails = 0;
    for (int i = 0; i < 1000; i++)
        check_random(&seed);
    assert_true(plans > 2000);
    assert_true(matrices > 20);
    assert_true(tails > 20);
    assert_true(written > 300);
    assert_true(misaligned > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves),
        cmocka_unit_test(any_bases),
    };
    return RUN(tests);
}
