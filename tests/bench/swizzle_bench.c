/* How long the search for the best swizzle takes for a tile of 128 x 128: all parameters of the named swizzles;
 * these and all
 * linear layouts, with the proof of the optimum; and all of it, with the paddings. Prints a table and asserts
 * nothing. */

#include "laneway/document.h"
#include "laneway/swizzle.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static const struct tile {
    const char *name, *store, *load;
    unsigned bits;
} tiles[] = {
    {"128x128 f16, rows to columns",
     "tensor<128x128xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], "
     "warpsPerCTA = [4, 1], order = [1, 0]}>>",
     "tensor<128x128xf16, #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [16, 2], "
     "warpsPerCTA = [1, 4], order = [0, 1]}>>",
     16},
    {"128x128 f16, rows to mma operand",
     "tensor<128x128xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], "
     "warpsPerCTA = [4, 1], order = [1, 0]}>>",
     "tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, "
     "versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}>>",
     16},
};

static bool open_map(const char *source, struct lw_map *map)
{
    struct lw_document doc;
    struct lw_error err;
    if (!lw_document_open(&doc, source, NULL, &err))
        return false;
    bool good = lw_document_build(&doc, map, &err);
    lw_document_free(&doc);
    return good;
}

static const char *const reaches[] = {"named swizzles", "linear layouts", "all, with paddings"};

static void measure(const struct tile *tile, int reach)
{
    static struct lw_map store, load;
    struct lw_swizzle_request request = {.store = &store,
                                         .load = &load,
                                         .element_bits = tile->bits,
                                         .named_only = reach == 0,
                                         .no_paddings = reach == 1};
    if (!open_map(tile->store, &store) || !open_map(tile->load, &load))
        return;
    double best = 1e9;
    uint64_t candidates = 0, wavefronts = 0;
    bool proven = false;
    for (int round = 0; round < 5; round++) {
        struct lw_swizzle_search search;
        double start = now();
        if (!lw_swizzle_begin(&search, &request, NULL))
            return;
        while (lw_swizzle_step(&search, UINT64_MAX))
            ;
        double took = now() - start;
        best = took < best ? took : best;
        candidates = search.done;
        wavefronts = lw_swizzle_wavefronts(lw_swizzle_best(&search));
        proven = search.found[LW_SWIZZLE_LINEAR] &&
                 lw_swizzle_wavefronts(&search.best[LW_SWIZZLE_LINEAR]) == search.bound;
        lw_swizzle_end(&search);
    }
    printf("%-34s %-18s %6llu %9.1f ms %10.0f a second %6llu wavefronts%s\n", tile->name,
           reaches[reach], (unsigned long long)candidates, best * 1e3, (double)candidates / best,
           (unsigned long long)wavefronts, proven ? ", proven" : "");
}

int main(void)
{
    printf("%-34s %-18s candidates\n", "search", "");
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
        for (int reach = 0; reach < 3; reach++)
            measure(&tiles[i], reach);
    return 0;
}
