/* How long it takes to put a layout of 128 x 128 in the words of each system, and to print its index
 * arithmetic. Prints a table and asserts nothing. */

#include "laneway/document.h"
#include "laneway/formula.h"
#include "laneway/translate.h"

#include <stdio.h>
#include <time.h>

#define ROUNDS 20

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static const char *const sources[] = {
    "tensor<128x128xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], "
    "warpsPerCTA = [4, 1], order = [1, 0]}>>",
    "local(8, 4).spatial(2, 2).local(1, 4).spatial(8, 4).local(1, 2)",
    "Sw<3,3,3> o 0 o (128,(64,2)):(64,(1,8192))",
};

static double time_translate(const struct lw_translate_system *system,
                             const struct lw_translate_request *request)
{
    double start = now();
    for (int i = 0; i < ROUNDS; i++) {
        struct lw_arena arena = {0};
        struct lw_translations translations;
        lw_translate(&arena, system, request, &translations, NULL);
        lw_arena_free(&arena);
    }
    return (now() - start) / ROUNDS * 1e3;
}

static double time_formula(const struct lw_map *map)
{
    double start = now();
    for (int i = 0; i < ROUNDS; i++) {
        struct lw_text text = {0};
        lw_formula_print(&text, lw_formula_language_find("c"), map, 16, "", NULL);
        lw_text_free(&text);
    }
    return (now() - start) / ROUNDS * 1e3;
}

static void bench(const char *source)
{
    struct lw_document doc;
    struct lw_map map;
    struct lw_tensor tensor;
    size_t count;
    const struct lw_translate_system *systems = lw_translate_systems(&count);
    if (!lw_document_open(&doc, source, NULL, NULL))
        return;
    if (lw_document_build(&doc, &map, NULL)) {
        lw_document_tensor(&doc, &map, &tensor);
        struct lw_translate_request request = {&map, &tensor, LW_LANES_DEFAULT, NULL};
        for (size_t i = 0; i < count; i++)
            printf("%9.3f", time_translate(&systems[i], &request));
        printf("%9.3f  %.48s\n", time_formula(&map), source);
    }
    lw_document_free(&doc);
}

int main(void)
{
    printf("ms:%6s%9s%9s%9s%9s\n", "triton", "gluon", "tilus", "cute", "c");
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        bench(sources[i]);
    return 0;
}
