/* Accesses in CUDA C++: wavefronts, conflicts and sectors as an H200 counted them; kernels that people know, beside a
 * model of their addresses; what is refused, with its position. */

#include "golden.h"
#include "unit.h"

#include "laneway/kernel_cost.h"

#include <stdlib.h>
#include <string.h>

/* ---- Counted ---- */

static int rows, more;

static void compare_counted(const cJSON *row, const char *line)
{
    const char *source = cJSON_GetObjectItem(row, "source")->valuestring;
    const bool is_shared = !strcmp(cJSON_GetObjectItem(row, "space")->valuestring, "shared");
    const bool is_load = !strcmp(cJSON_GetObjectItem(row, "op")->valuestring, "ld");
    const uint64_t counted =
        (uint64_t)golden_number(row, is_shared ? "instructions" : "requests", -1);
    struct lw_cuda_options options = {0};
    struct lw_cuda_cost cost;
    struct lw_cuda cuda;
    struct lw_error err = {0};
    for (int i = 0; i < 3; i++)
        options.block[i] =
            (uint64_t)cJSON_GetArrayItem(cJSON_GetObjectItem(row, "block"), i)->valuedouble;
    if (!counted) /* the compiler removed it */
        return;
    if (!lw_cuda_read(&cuda, source, strlen(source), &options, &err))
        fail_msg("%s: %.400s", err.message, line);
    assert_int_equal(cuda.access_count, 1);
    assert_int_equal(cuda.accesses[0].op, is_load ? LW_CUDA_LOAD : LW_CUDA_STORE);
    assert_int_equal(cuda.accesses[0].bytes, golden_number(row, "bytes", -1));
    assert_true(lw_cuda_count(&cuda, &cuda.accesses[0], NULL, &cost, &err));
    bool same = cost.instructions == counted;
    if (is_shared) {
        const uint64_t wavefronts = (uint64_t)golden_number(row, "wavefronts", -1);
        same = same && (cost.wavefronts == wavefronts ||
                        /* timing of many warps can add a few to loads */
                        (is_load && cuda.threads > 256 && cost.wavefronts < wavefronts));
        more += cost.wavefronts < wavefronts;
        if (cost.wavefronts == wavefronts)
            same = same && cost.conflicts == (uint64_t)golden_number(row, "conflicts", -1);
    } else {
        same = same && cost.sectors == (uint64_t)golden_number(row, "sectors", -1);
    }
    if (!same)
        fail_msg("%llu instructions, %llu wavefronts, %llu sectors: %.500s",
                 (unsigned long long)cost.instructions, (unsigned long long)cost.wavefronts,
                 (unsigned long long)cost.sectors, line);
    rows++;
    lw_cuda_free(&cuda);
}

static void accesses_counted(void **state)
{
    (void)state;
    golden_each("cuda_h200.jsonl", compare_counted);
    print_message("%d accesses counted, %d with more wavefronts\n", rows, more);
    assert_true(rows >= 690 && more <= 12);
}

/* The text that makes the access of a row of atomics. */
static const char *atomic_text(const char *op)
{
    static const struct {
        const char *op, *text;
    } texts[] = {{"add_i32", "atomicAdd(&bins[at[lane]], value)"},
                 {"addret_i32", "value = atomicAdd(&bins[at[lane]], value)"},
                 {"inc_i32", "atomicAdd(&bins[at[lane]], 1)"},
                 {"max_i32", "atomicMax(&bins[at[lane]], value)"},
                 {"or_u32", "atomicOr(&bins[at[lane]], value)"},
                 {"exch_i32", "atomicExch(&bins[at[lane]], value)"},
                 {"cas_i32", "atomicCAS(&bins[at[lane]], value, value)"},
                 {"add_f32", "atomicAdd(&bins[at[lane]], value)"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(texts[i].op, op))
            return texts[i].text;
    return NULL;
}

static void compare_atomic(const cJSON *row, const char *line)
{
    const char *op = cJSON_GetObjectItem(row, "op")->valuestring, *text = atomic_text(op);
    const cJSON *index = cJSON_GetObjectItem(row, "index");
    char source[400], at[400] = "at=[", active[200] = "active=[";
    struct lw_cuda cuda;
    struct lw_cuda_cost cost;
    struct lw_error err = {0};
    const unsigned long mask = strtoul(cJSON_GetObjectItem(row, "mask")->valuestring, NULL, 16);
    if (!text)
        return;
    for (int i = 0; i < 32; i++) {
        const char end = i == 31 ? ']' : ',';
        sprintf(at + strlen(at), "%d%c", (int)cJSON_GetArrayItem(index, i)->valuedouble, end);
        sprintf(active + strlen(active), "%d%c", (int)(mask >> i & 1), end);
    }
    const char *const lets[] = {at, active};
    const struct lw_cuda_options options = {.lets = lets, .let_count = 2};
    snprintf(source, sizeof source,
             "__shared__ %s bins[8192]; int value = threadIdx.x; if (active[lane]) %s;",
             strstr(op, "f32") ? "float" : "int", text);
    if (!lw_cuda_read(&cuda, source, strlen(source), &options, &err))
        fail_msg("%s: %s", err.message, source);
    assert_true(lw_cuda_count(&cuda, &cuda.accesses[0], NULL, &cost, &err));
    if (cost.wavefronts != (uint64_t)golden_number(row, "wavefronts", -1))
        fail_msg("%llu wavefronts: %.600s", (unsigned long long)cost.wavefronts, line);
    rows++;
    lw_cuda_free(&cuda);
}

static void atomics_counted(void **state)
{
    (void)state;
    rows = 0;
    golden_each("atomics_h200.jsonl", compare_atomic);
    print_message("%d atomics counted\n", rows);
    assert_true(rows > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_counted),
        cmocka_unit_test(atomics_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
