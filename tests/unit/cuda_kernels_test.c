/*
 * Kernels that people know, typed in as they stand (tests/fuzz/corpus/fuzz_cuda): every access to shared memory beside
 * a model of its own, the byte of each thread in each round, written down from the kernel and not read from it.
 * Wavefronts of accesses of 4 bytes are counted by enumeration. All together are as an H200 counted them.
 */

#include "golden.h"
#include "unit.h"

#include "laneway/kernel_cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE (-1) /* the thread does not access */

/* The byte that thread t accesses in round k. */
typedef int64_t model(int t, int k);

struct access {
    enum lw_cuda_op op;
    const char *name;
    int rounds;
    model *model;
};

enum { ACCESSES = 32, PIXELS = 512 };
struct kernel {
    const char *file;
    uint64_t block[3];
    const char *lets[8];
    struct access accesses[ACCESSES]; /* to shared memory, in the order of the text */
};

/* ---- The models ---- */

#define MODEL(NAME, BYTE)                                                                          \
    static int64_t NAME(int t, int k)                                                              \
    {                                                                                              \
        (void)t;                                                                                   \
        (void)k;                                                                                   \
        return BYTE;                                                                               \
    }

/* A block of 32 x 8 threads. */
MODEL(row_32, 4 * ((t / 32 + 8 * k) * 32 + t % 32))
MODEL(column_32, 4 * (t % 32 * 32 + t / 32 + 8 * k))
MODEL(row_33, 4 * ((t / 32 + 8 * k) * 33 + t % 32))
MODEL(column_33, 4 * (t % 32 * 33 + t / 32 + 8 * k))

/* Reductions by 256 threads. */
MODEL(own, 4 * t)
MODEL(first, t ? NONE : 0)
MODEL(interleaved, (t << (k + 1)) < 256 ? 4 * (t << (k + 1)) : NONE)
MODEL(interleaved_other, (t << (k + 1)) < 256 ? 4 * ((t << (k + 1)) + (1 << k)) : NONE)
MODEL(sequential, t < (128 >> k) ? 4 * t : NONE)
MODEL(sequential_other, t < (128 >> k) ? 4 * (t + (128 >> k)) : NONE)
MODEL(below_128, t < 128 ? 4 * t : NONE)
MODEL(above_128, t < 128 ? 4 * (t + 128) : NONE)
MODEL(below_64, t < 64 ? 4 * t : NONE)
MODEL(above_64, t < 64 ? 4 * (t + 64) : NONE)
MODEL(warp_own, t < 32 ? 4 * t : NONE)
MODEL(warp_32, t < 32 ? 4 * (t + 32) : NONE)
MODEL(warp_16, t < 32 ? 4 * (t + 16) : NONE)
MODEL(warp_8, t < 32 ? 4 * (t + 8) : NONE)
MODEL(warp_4, t < 32 ? 4 * (t + 4) : NONE)
MODEL(warp_2, t < 32 ? 4 * (t + 2) : NONE)
MODEL(warp_1, t < 32 ? 4 * (t + 1) : NONE)

/* Matrix products: two tiles along K, so that what is in the loop over them runs twice. */
MODEL(product_a, 4 * (t / 32 * 32 + k % 32))
MODEL(product_b, 4 * (k % 32 * 32 + t % 32))
MODEL(tile_1d_b, 4 * (k % 8 * 64 + t % 64))
MODEL(tile_1d_a, 4 * ((t / 64 * 8 + k % 8) * 8 + k / 8 % 8))
MODEL(tile_2d, 4 * (t + 256 * (k % 4)))
MODEL(tile_2d_m, 4 * ((t / 16 * 8 + k % 8) * 8 + k / 8 % 8))
MODEL(vector_a0, 4 * ((t % 2 * 4 + 0) * 128 + t / 2))
MODEL(vector_a1, 4 * ((t % 2 * 4 + 1) * 128 + t / 2))
MODEL(vector_a2, 4 * ((t % 2 * 4 + 2) * 128 + t / 2))
MODEL(vector_a3, 4 * ((t % 2 * 4 + 3) * 128 + t / 2))
MODEL(vector_b, 4 * (t / 32 * 128 + t % 32 * 4))
MODEL(vector_m, 4 * (k / 8 % 8 * 128 + t / 16 * 8 + k % 8))
MODEL(vector_n, 4 * (k / 8 % 8 * 128 + t % 16 * 8 + k % 8))
MODEL(float4_a, 4 * (t / 2 * 8 + t % 2 * 4))
MODEL(float4_m, 4 * ((t / 16 * 8 + k / 8 % 8) * 8 + k / 64 % 8))
MODEL(float4_n, 4 * (k / 64 % 8 * 128 + t % 16 * 8 + k % 8))
MODEL(padded_a0, 4 * ((t % 2 * 4 + 0) * 132 + t / 2))
MODEL(padded_a1, 4 * ((t % 2 * 4 + 1) * 132 + t / 2))
MODEL(padded_a2, 4 * ((t % 2 * 4 + 2) * 132 + t / 2))
MODEL(padded_a3, 4 * ((t % 2 * 4 + 3) * 132 + t / 2))
MODEL(padded_b, 4 * (t / 32 * 132 + t % 32 * 4))
MODEL(padded_m0, 4 * (k * 132 + t / 16 * 4))
MODEL(padded_m1, 4 * (k * 132 + t / 16 * 4 + 64))
MODEL(padded_n0, 4 * (k * 132 + t % 16 * 4))
MODEL(padded_n1, 4 * (k * 132 + t % 16 * 4 + 64))

/* A histogram, its bins from a file. */
static int pixels[PIXELS];
MODEL(pixel, 4 * pixels[t + 256 * k])

/* A stencil of 7 points: 256 numbers, and 3 on both sides. */
MODEL(inner, 4 * (t + 3))
MODEL(left, t < 3 ? 4 * t : NONE)
MODEL(right, t < 3 ? 4 * (t + 259) : NONE)
MODEL(point, 4 * (t + k))

/* A scan of 256 numbers by 128 threads; an index moves by one for each 32 before it. */
static int64_t scanned(int index)
{
    return 4 * (index + (index >> 5));
}

/* Node `side` of step k: up the tree the distance doubles, down it halves. */
static int64_t node(int t, int step, int side)
{
    const int distance = 1 << step;
    return t < (128 >> step) ? scanned(distance * (2 * t + 1 + side) - 1) : NONE;
}
MODEL(scan_low, scanned(t))
MODEL(scan_high, scanned(t + 128))
MODEL(scan_last, t ? NONE : scanned(255))
MODEL(up_a, node(t, k, 0))
MODEL(up_b, node(t, k, 1))
MODEL(down_a, node(t, 7 - k, 0))
MODEL(down_b, node(t, 7 - k, 1))

#define LOAD LW_CUDA_LOAD
#define STORE LW_CUDA_STORE
#define GEMM "BM=128", "BN=128", "BK=8", "TM=8", "TN=8", "K=16", "N=128"

static const struct kernel kernels[] = {
    {"transpose_coalesced.cu",
     {0}, /* its threads are those of dim3 in the function of the host */
     {"gridDim.x=32"},
     {{STORE, "tile", 4, row_32}, {LOAD, "tile", 4, column_32}}},
    {"transpose_padded.cu",
     {32, 8},
     {"width=1024", "height=1024"},
     {{STORE, "tile", 4, row_33}, {LOAD, "tile", 4, column_33}}},
    {"reduce_interleaved.cu",
     {256},
     {"n=256"},
     {{STORE, "sdata", 1, own},
      {LOAD, "sdata", 8, interleaved},
      {STORE, "sdata", 8, interleaved},
      {LOAD, "sdata", 8, interleaved_other},
      {LOAD, "sdata", 1, first}}},
    {"reduce_sequential.cu",
     {256},
     {"n=256"},
     {{STORE, "sdata", 1, own},
      {LOAD, "sdata", 8, sequential},
      {STORE, "sdata", 8, sequential},
      {LOAD, "sdata", 8, sequential_other},
      {LOAD, "sdata", 1, first}}},
    {"reduce_unrolled.cu",
     {256},
     {"blockSize=256", "n=1024", "gridDim.x=2"},
     {{STORE, "sdata", 1, own},      {LOAD, "sdata", 1, own},        {STORE, "sdata", 1, own},
      {LOAD, "sdata", 1, below_128}, {STORE, "sdata", 1, below_128}, {LOAD, "sdata", 1, above_128},
      {LOAD, "sdata", 1, below_64},  {STORE, "sdata", 1, below_64},  {LOAD, "sdata", 1, above_64},
      {LOAD, "sdata", 1, warp_own},  {STORE, "sdata", 1, warp_own},  {LOAD, "sdata", 1, warp_32},
      {LOAD, "sdata", 1, warp_own},  {STORE, "sdata", 1, warp_own},  {LOAD, "sdata", 1, warp_16},
      {LOAD, "sdata", 1, warp_own},  {STORE, "sdata", 1, warp_own},  {LOAD, "sdata", 1, warp_8},
      {LOAD, "sdata", 1, warp_own},  {STORE, "sdata", 1, warp_own},  {LOAD, "sdata", 1, warp_4},
      {LOAD, "sdata", 1, warp_own},  {STORE, "sdata", 1, warp_own},  {LOAD, "sdata", 1, warp_2},
      {LOAD, "sdata", 1, warp_own},  {STORE, "sdata", 1, warp_own},  {LOAD, "sdata", 1, warp_1},
      {LOAD, "sdata", 1, first}}},
    {"matrix_mul.cu",
     {32, 32},
     {"BLOCK_SIZE=32", "wA=64", "wB=64"},
     {{STORE, "As", 2, own},
      {STORE, "Bs", 2, own},
      {LOAD, "As", 64, product_a},
      {LOAD, "Bs", 64, product_b}}},
    {"sgemm_shared.cu",
     {1024},
     {"BLOCKSIZE=32", "K=64", "N=64"},
     {{STORE, "As", 2, own},
      {STORE, "Bs", 2, own},
      {LOAD, "As", 64, product_a},
      {LOAD, "Bs", 64, product_b}}},
    {"sgemm_1d_tile.cu",
     {512},
     {"BM=64", "BN=64", "BK=8", "TM=8", "K=16", "N=64"},
     {{STORE, "As", 2, own},
      {STORE, "Bs", 2, own},
      {LOAD, "Bs", 16, tile_1d_b},
      {LOAD, "As", 128, tile_1d_a}}},
    {"sgemm_2d_tile.cu",
     {256},
     {GEMM},
     {{STORE, "As", 8, tile_2d},
      {STORE, "Bs", 8, tile_2d},
      {LOAD, "As", 128, tile_2d_m},
      {LOAD, "Bs", 128, vector_n}}},
    {"sgemm_vectorize.cu",
     {256},
     {GEMM},
     {{STORE, "As", 2, vector_a0},
      {STORE, "As", 2, vector_a1},
      {STORE, "As", 2, vector_a2},
      {STORE, "As", 2, vector_a3},
      {STORE, "Bs", 2, vector_b},
      {LOAD, "As", 128, vector_m},
      {LOAD, "Bs", 128, vector_n}}},
    {"sgemm_float4.cu",
     {16, 16},
     {"K=16", "N=128"},
     {{STORE, "s_a", 2, float4_a},
      {STORE, "s_b", 2, vector_b},
      {LOAD, "s_a", 1024, float4_m},
      {LOAD, "s_b", 1024, float4_n}}},
    {"sgemm_padded.cu",
     {0},
     {GEMM},
     {{STORE, "As", 1, padded_a0},
      {STORE, "As", 1, padded_a1},
      {STORE, "As", 1, padded_a2},
      {STORE, "As", 1, padded_a3},
      {STORE, "Bs", 1, padded_b},
      {LOAD, "As", 8, padded_m0},
      {LOAD, "As", 8, padded_m1},
      {LOAD, "Bs", 8, padded_n0},
      {LOAD, "Bs", 8, padded_n1}}},
    {"histogram.cu",
     {16, 16},
     {"pixels=@"},
     {{STORE, "smem", 1, own}, {LW_CUDA_ATOMIC, "smem", 2, pixel}, {LOAD, "smem", 1, own}}},
    {"histogram_global.cu", /* bins are added to global memory, which is not counted */
     {256},
     {"pixels=@", "n=512", "gridDim.x=1"},
     {{STORE, "bins", 1, own}, {LW_CUDA_ATOMIC, "bins", 2, pixel}, {LOAD, "bins", 1, own}}},
    {"stencil_1d.cu", /* its threads are those of the launch */
     {0},
     {NULL},
     {{STORE, "temp", 1, inner},
      {STORE, "temp", 1, left},
      {STORE, "temp", 1, right},
      {LOAD, "temp", 7, point}}},
    {"scan.cu",
     {128},
     {"n=256"},
     {{STORE, "temp", 1, scan_low},
      {STORE, "temp", 1, scan_high},
      {LOAD, "temp", 8, up_b},
      {STORE, "temp", 8, up_b},
      {LOAD, "temp", 8, up_a},
      {STORE, "temp", 1, scan_last},
      {LOAD, "temp", 8, down_a},
      {STORE, "temp", 8, down_a},
      {LOAD, "temp", 8, down_b},
      {LOAD, "temp", 8, down_b},
      {STORE, "temp", 8, down_b},
      {LOAD, "temp", 1, scan_low},
      {LOAD, "temp", 1, scan_high}}},
};

/* ---- The comparison ---- */

static char *read_file(const char *name, size_t *length)
{
    const char *root = getenv("LANEWAY_ROOT");
    char path[400];
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/fuzz_cuda/%s", root ? root : ".", name);
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    assert_non_null(file);
    *length = fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    return text;
}

/* The wavefronts of the words that a warp accesses: of the bank with the most words, or of an atomic the most lanes. */
static unsigned wavefronts_of(const struct access *access, int warp, int k, int threads)
{
    unsigned count[32] = {0}, most = 0;
    for (int t = 32 * warp; t < 32 * warp + 32 && t < threads; t++) {
        const int64_t byte = access->model(t, k);
        bool is_new = byte != NONE;
        for (int other = 32 * warp; other < t && access->op != LW_CUDA_ATOMIC; other++)
            is_new = is_new && access->model(other, k) != byte;
        if (is_new && ++count[byte / 4 % 32] > most)
            most = count[byte / 4 % 32];
    }
    return most;
}

static void compare(const struct lw_cuda *cuda, const struct lw_cuda_access *found,
                    const struct access *access, const char *file)
{
    const int threads = (int)cuda->threads, line = found->position.line;
    struct lw_cuda_cost cost;
    uint64_t wavefronts = 0;
    if (found->op != access->op || strcmp(cuda->arrays[found->array].name, access->name) != 0 ||
        found->times != (size_t)access->rounds)
        fail_msg("%s:%d: not the access to %s in %d rounds, but in %zu", file, line, access->name,
                 access->rounds, found->times);
    for (int k = 0; k < access->rounds; k++) {
        for (int t = 0; t < threads; t++) {
            const int64_t byte = (int64_t)found->addresses[k * threads + t],
                          expected = access->model(t, k);
            if (byte != expected)
                fail_msg("%s:%d: thread %d, round %d: byte %lld, not %lld", file, line, t, k,
                         (long long)byte, (long long)expected);
        }
        for (int warp = 0; warp < (threads + 31) / 32; warp++)
            wavefronts += wavefronts_of(access, warp, k, threads);
    }
    assert_true(lw_cuda_count(cuda, found, NULL, &cost, NULL));
    /* Bins are counted up by the constant 1, which takes what a load takes. */
    if (found->bytes == 4 && found->op != LW_CUDA_ATOMIC && cost.wavefronts != wavefronts)
        fail_msg("%s:%d: %llu wavefronts, not %llu", file, line,
                 (unsigned long long)cost.wavefronts, (unsigned long long)wavefronts);
}

/* Instructions and wavefronts of all accesses to shared memory are those of a launch. */
static void compare_counted(const struct lw_cuda *cuda, const char *kernel)
{
    static const char *const ops[] = {
        [LW_CUDA_LOAD] = "load", [LW_CUDA_STORE] = "store", [LW_CUDA_ATOMIC] = "atomic"};
    FILE *file = golden_open("cuda_kernels_h200.jsonl");
    cJSON *row;
    bool found = false;
    while ((row = golden_row(file))) {
        const int64_t blocks = golden_number(row, "blocks", -1);
        const bool is_own = !strcmp(cJSON_GetObjectItem(row, "kernel")->valuestring, kernel);
        for (int op = 0; op < 3 && is_own; op++) {
            int64_t instructions = 0, wavefronts = 0;
            for (size_t i = 0; i < cuda->access_count; i++) {
                const struct lw_cuda_access *access = &cuda->accesses[i];
                struct lw_cuda_cost cost;
                if ((int)access->op != op || !cuda->arrays[access->array].is_shared)
                    continue;
                assert_true(lw_cuda_count(cuda, access, NULL, &cost, NULL));
                instructions += (int64_t)cost.instructions * blocks;
                wavefronts += (int64_t)cost.wavefronts * blocks;
            }
            if (instructions != golden_number(row, ops[op], 0) ||
                wavefronts != golden_number(row, ops[op], 1))
                fail_msg("%s: %lld wavefronts of %lld instructions (%s)", kernel,
                         (long long)wavefronts, (long long)instructions, ops[op]);
        }
        found = found || is_own;
        cJSON_Delete(row);
    }
    if (!found)
        fail_msg("%s is not counted", kernel);
}

static void kernels_have_the_accesses_of_their_models(void **state)
{
    char bins[8 * PIXELS] = "pixels=[";
    (void)state;
    for (int i = 0; i < PIXELS; i++) {
        pixels[i] = i % 3 ? i * 37 % 256 : 17;
        sprintf(bins + strlen(bins), "%d%c", pixels[i], i + 1 < PIXELS ? ',' : ']');
    }
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const struct kernel *kernel = &kernels[i];
        struct lw_cuda_options options = {0};
        const char *lets[8];
        struct lw_error err = {0};
        struct lw_cuda cuda;
        size_t length, shared = 0;
        char *text = read_file(kernel->file, &length);
        memcpy(options.block, kernel->block, sizeof options.block);
        for (; options.let_count < 8 && kernel->lets[options.let_count]; options.let_count++)
            lets[options.let_count] = strchr(kernel->lets[options.let_count], '@')
                                          ? bins
                                          : kernel->lets[options.let_count];
        options.lets = lets;
        if (!lw_cuda_read(&cuda, text, length, &options, &err))
            fail_msg("%s:%d: %s", kernel->file, err.position.line, err.message);
        for (size_t k = 0; k < cuda.access_count; k++)
            if (cuda.arrays[cuda.accesses[k].array].is_shared && shared < ACCESSES &&
                kernel->accesses[shared].model)
                compare(&cuda, &cuda.accesses[k], &kernel->accesses[shared++], kernel->file);
        if (!shared || (shared < ACCESSES && kernel->accesses[shared].model))
            fail_msg("%s: only %zu accesses", kernel->file, shared);
        compare_counted(&cuda, kernel->file);
        lw_cuda_free(&cuda);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_have_the_accesses_of_their_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
