/*
 * How long access plans take: both ways through shared memory of a tile, the conversion of it. Prints a table
 * and asserts nothing. Each number is the least of several runs.
 */

#include "laneway/conversion.h"
#include "laneway/document.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define TILE "128x128xf16, "
#define BLOCKED                                                                                    \
    "tensor<" TILE "#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "               \
    "warpsPerCTA = [4, 1], order = [1, 0]}>>"
#define OPERAND                                                                                    \
    "tensor<" TILE "#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, "          \
    "versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>, kWidth = 2}>>"
#define MEMORY(encoding) "!ttg.memdesc<" TILE "#ttg." encoding ", #ttg.shared_memory, mutable>"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static struct lw_map map_of(const char *source)
{
    struct lw_document doc;
    struct lw_map map = {.in = {0}};
    struct lw_error err;
    if (lw_document_read(&doc, source, strlen(source), NULL, &err)) {
        if (!lw_document_build(&doc, &map, &err))
            printf("%s\n", err.message);
        lw_document_free(&doc);
    }
    return map;
}

static void plan_once(const struct lw_map *from, const struct lw_map *to)
{
    struct lw_plan plan;
    struct lw_plan_request request = {
        .registers = from, .memory = to, .element_bits = 16, .op = LW_ACCESS_STORE};
    if (lw_plan_make(&plan, &request, NULL))
        lw_plan_free(&plan);
    request.op = LW_ACCESS_LOAD;
    if (lw_plan_make(&plan, &request, NULL))
        lw_plan_free(&plan);
}

static void convert_once(const struct lw_map *from, const struct lw_map *to)
{
    struct lw_conversion conversion;
    struct lw_conversion_request request = {.from = from, .to = to, .element_bits = 16};
    if (lw_conversion_make(&conversion, &request, NULL))
        lw_conversion_free(&conversion);
}

static void measure(const char *name, const char *from, const char *to,
                    void (*once)(const struct lw_map *from, const struct lw_map *to))
{
    struct lw_map a = map_of(from), b = map_of(to);
    double best = 1e18;
    for (int round = 0; round < 20; round++) {
        double start = now();
        once(&a, &b);
        double took = now() - start;
        best = took < best ? took : best;
    }
    printf("  %-44s %10.1f us\n", name, best / 1000);
}

int main(void)
{
    printf("of a tile of 128 x 128 f16 and 4 warps\n");
    measure("store and load, swizzled", BLOCKED,
            MEMORY("swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"),
            plan_once);
    measure("store and load by matrix instructions", OPERAND,
            MEMORY("swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"),
            plan_once);
    measure("store and load, element by element", OPERAND,
            MEMORY("swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 16, order = [0, 1]}>"),
            plan_once);
    measure("store and load, padded", BLOCKED,
            MEMORY("padded_shared<[128:+8] {order = [1, 0], shape = [128, 128]}>"), plan_once);
    measure("conversion", BLOCKED, OPERAND, convert_once);
    return 0;
}
