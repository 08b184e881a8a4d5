/* 'laneway code --lang cuda' and the reader of CUDA C++ are inverses: the kernel that is printed for a layout is read
 * back, and each thread accesses what the layout has there. `cuda_code_test 5000` takes that many layouts. */

#include "formula_help.h"

#include "laneway/cuda.h"
#include "laneway/formula.h"

#define LAYOUTS 600
#define INDICES ((uint64_t)1 << 14) /* of a layout at most */

/* ---- Random layouts of each system ---- */

static unsigned power(uint64_t *state, unsigned below)
{
    return 1U << random_below(state, below);
}

static void blocked(char *text, size_t size, uint64_t *state)
{
    const unsigned lanes = power(state, 6), warps = power(state, 3), first = power(state, 2);
    snprintf(text, size,
             "tensor<%ux%uxf%d, #ttg.blocked<{sizePerThread = [%u, %u], threadsPerWarp = [%u, %u], "
             "warpsPerCTA = [%u, %u], order = [%s]}>>",
             power(state, 7), power(state, 7), random_below(state, 2) ? 16 : 32, power(state, 3),
             power(state, 4), lanes, 32 / lanes, first, warps,
             random_below(state, 2) ? "0, 1" : "1, 0");
}

static void swizzled(char *text, size_t size, uint64_t *state)
{
    snprintf(text, size,
             "!ttg.memdesc<%ux%uxf%d, #ttg.swizzled_shared<{vec = %u, perPhase = %u, maxPhase = "
             "%u, order = [1, 0]}>, #smem>",
             8 * power(state, 4), 16 * power(state, 4), random_below(state, 2) ? 16 : 32,
             power(state, 4), power(state, 3), power(state, 4));
}

static void mma(char *text, size_t size, uint64_t *state)
{
    snprintf(text, size,
             "tensor<%ux%uxf%d, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
             "[%u, %u], instrShape = [16, 8]}>>",
             16 * power(state, 3), 8 * power(state, 4), random_below(state, 2) ? 16 : 32,
             power(state, 2), power(state, 2));
}

static void tilus(char *text, size_t size, uint64_t *state)
{
    static const char *const names[] = {"local", "spatial", "column_local", "column_spatial"};
    const uint64_t parts = 1 + random_below(state, 3);
    size_t at = 0;
    for (uint64_t i = 0; i < parts; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%s(%d, %d)", i ? "." : "",
                               names[random_below(state, 4)], 1 + (int)random_below(state, 5),
                               1 + (int)random_below(state, 5));
}

static void tilus_shared(char *text, size_t size, uint64_t *state)
{
    static const char *const names[] = {"shared_row_major", "shared_column_major"};
    snprintf(text, size, "%s(%u, %u).apply_swizzle(Swizzle(%d, %d, %d))",
             names[random_below(state, 2)], power(state, 5), 8 * power(state, 4),
             (int)random_below(state, 4), (int)random_below(state, 4),
             3 + (int)random_below(state, 3));
}

static void cute(char *text, size_t size, uint64_t *state)
{
    const int a = 1 + (int)random_below(state, 12), b = 1 + (int)random_below(state, 12),
              c = 1 + (int)random_below(state, 4), pad = (int)random_below(state, 3);
    if (random_below(state, 3) == 0)
        snprintf(text, size, "Sw<%d,%d,3> o 0 o (8,64):(64,1)", (int)random_below(state, 4),
                 (int)random_below(state, 4));
    else if (random_below(state, 2))
        snprintf(text, size, "((%d,%d),%d):((1,%d),%d)", a, c, b, a + pad, c * (a + pad));
    else
        snprintf(text, size, "(%d,%d,%d):(%d,1,%d)", a, b, c, b + pad, a * (b + pad));
}

static void bases(char *text, size_t size, uint64_t *state)
{
    uint64_t basis[9];
    size_t at = 0;
    for (int i = 0; i < 9; i++) /* a permutation of the bits, and sums with those before */
        basis[i] = (uint64_t)1 << i;
    for (int i = 8; i > 0; i--) {
        const uint64_t k = random_below(state, (uint64_t)i + 1), swap = basis[i];
        basis[i] = basis[k];
        basis[k] = swap;
    }
    for (int i = 1; i < 9; i++)
        if ((basis[i] < 32) == (basis[i - 1] < 32)) /* each moves in one dim */
            basis[i] ^= random_below(state, 2) ? basis[i - 1] : 0;
    for (int i = 0; i < 9; i++)
        at += (size_t)snprintf(text + at, size - at, "%s[%d, %d]%s",
                               i == 0   ? "#ttg.generic_linear<{register = ["
                               : i == 2 ? "], lane = ["
                               : i == 7 ? "], warp = ["
                                        : ", ",
                               (int)(basis[i] >> 5), (int)(basis[i] & 31), "");
    snprintf(text + at, size - at, "], block = []}>");
    char whole[600];
    snprintf(whole, sizeof whole, "tensor<16x32xf32, %s>", text);
    snprintf(text, size, "%s", whole);
}

static void (*const systems[])(char *, size_t, uint64_t *) = {blocked, swizzled,     mma, bases,
                                                              tilus,   tilus_shared, cute};
#define SYSTEMS (sizeof systems / sizeof *systems)

/* ---- What the kernel must access ---- */

/* The addresses of each thread, in the order in which it accesses. */
struct expected {
    size_t threads;
    size_t *count;     /* of each thread */
    uint64_t *address; /* INDICES of each thread */
};

static void expect(struct expected *expected, size_t thread, uint64_t address)
{
    expected->address[thread * INDICES + expected->count[thread]++] = address;
}

static uint64_t number_of(const struct lw_dims *dims, const uint64_t *point)
{
    uint64_t number = 0; /* row-major */
    for (int d = 0; d < dims->count; d++)
        number = number * dims->dim[d].size + point[d];
    return number;
}

static void point_of(const struct lw_dims *dims, uint64_t number, uint64_t *point)
{
    for (int d = dims->count - 1; d >= 0; d--) {
        point[d] = number % dims->dim[d].size;
        number /= dims->dim[d].size;
    }
}

/* Registers: each thread stores its elements, the first of its other indices slowest. */
static void register_stores(struct expected *expected, const struct formula_subject *subject,
                            uint64_t total)
{
    const struct lw_map *map = &subject->map;
    struct lw_dims order = map->in;
    for (int d = 0; d < order.count; d++) /* a warp is before its lanes */
        if (!strcmp(order.dim[d].name, "lane") && d + 1 < order.count &&
            !strcmp(order.dim[d + 1].name, "warp")) {
            order.dim[d] = map->in.dim[d + 1];
            order.dim[d + 1] = map->in.dim[d];
        }
    for (uint64_t i = 0; i < total; i++) {
        uint64_t point[LW_DIMS_MAX], in[LW_DIMS_MAX] = {0}, element[LW_DIMS_MAX];
        struct formula_indices indices;
        size_t thread = 0;
        point_of(&order, i, point);
        for (int d = 0; d < order.count; d++)
            for (int k = 0; k < order.count; k++)
                if (!strcmp(order.dim[d].name, map->in.dim[k].name))
                    in[k] = point[d];
        formula_indices_of(&map->in, in, &indices);
        for (int d = 0; d < indices.count; d++)
            if (!strcmp(indices.name[d], "thread"))
                thread = (size_t)indices.value[d];
        if (lw_map_apply(map, in, element))
            expect(expected, thread, number_of(&map->out, element) * (unsigned)subject->bits / 8);
    }
}

/* Memory: thread i % 32 stores element i. */
static void memory_stores(struct expected *expected, const struct formula_subject *subject,
                          uint64_t total)
{
    for (uint64_t i = 0; i < total; i++) {
        uint64_t element[LW_DIMS_MAX], in[LW_DIMS_MAX];
        point_of(&subject->map.out, i, element);
        if (lw_map_owner(&subject->map, element, 0, in))
            expect(expected, i % 32, in[0] * (unsigned)subject->bits / 8);
    }
}

static void compare(const struct lw_cuda *cuda, const struct expected *expected, const char *text)
{
    const struct lw_cuda_access *access = &cuda->accesses[0];
    if (cuda->access_count != 1 || cuda->threads != expected->threads)
        fail_msg("%zu accesses, %zu threads: %s", cuda->access_count, cuda->threads, text);
    for (size_t t = 0; t < cuda->threads; t++) {
        size_t count = 0;
        for (size_t k = 0; k < access->times; k++) {
            const uint64_t address = access->addresses[k * cuda->threads + t];
            if (address == LW_CUDA_INACTIVE)
                continue;
            if (count == expected->count[t] || address != expected->address[t * INDICES + count])
                fail_msg("thread %zu, access %zu: %llu: %s", t, count, (unsigned long long)address,
                         text);
            count++;
        }
        if (count != expected->count[t])
            fail_msg("thread %zu accesses %zu times, not %zu: %s", t, count, expected->count[t],
                     text);
    }
}

/* False: the layout has no kernel. */
static bool check(const struct formula_subject *subject)
{
    const bool is_memory = !strcmp(subject->map.in.dim[0].name, "offset");
    struct lw_text text = {0};
    struct lw_error err = {0};
    struct lw_cuda cuda;
    uint64_t total;
    bool good = lw_formula_print(&text, lw_formula_language_find("cuda"), &subject->map,
                                 subject->bits, subject->name, &err) &&
                strstr(lw_text_string(&text), "__global__") &&
                lw_dims_total(is_memory ? &subject->map.out : &subject->map.in, &total, NULL) &&
                total <= INDICES;
    if (good) {
        if (!lw_cuda_read(&cuda, lw_text_string(&text), text.length, NULL, &err))
            fail_msg("%d:%d: %s: %s", err.position.line, err.position.column, err.message,
                     lw_text_string(&text));
        struct expected expected = {.threads = cuda.threads,
                                    .count = calloc(cuda.threads, sizeof(size_t)),
                                    .address = malloc(cuda.threads * INDICES * sizeof(uint64_t))};
        (is_memory ? memory_stores : register_stores)(&expected, subject, total);
        compare(&cuda, &expected, lw_text_string(&text));
        free(expected.count);
        free(expected.address);
        lw_cuda_free(&cuda);
    }
    lw_text_free(&text);
    return good;
}

static bool check_source(const char *source)
{
    struct lw_document doc;
    struct formula_subject subject;
    struct lw_tensor tensor;
    bool good = lw_document_open(&doc, source, NULL, NULL);
    if (!good)
        return false;
    if (lw_document_build(&doc, &subject.map, NULL)) {
        lw_document_tensor(&doc, &subject.map, &tensor);
        subject.bits = tensor.element.bits;
        snprintf(subject.name, sizeof subject.name, "%.199s", source);
        good = check(&subject);
    } else {
        good = false;
    }
    lw_document_free(&doc);
    return good;
}

static int layouts = LAYOUTS;

static void kernels_are_read_back(void **state)
{
    uint64_t random = 37;
    int read[SYSTEMS] = {0};
    (void)state;
    for (int i = 0; i < layouts; i++) {
        char text[700];
        const size_t system = (size_t)i % SYSTEMS;
        systems[system](text, sizeof text, &random);
        read[system] += check_source(text);
    }
    for (size_t i = 0; i < SYSTEMS; i++) {
        print_message("system %zu: %d of %d\n", i, read[i], layouts / (int)SYSTEMS);
        assert_true(read[i] > layouts / (int)SYSTEMS / 2);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_are_read_back)};
    layouts = argc > 1 ? atoi(argv[1]) : LAYOUTS;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
