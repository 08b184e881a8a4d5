/* CuTe notation and its algebra: a result prints as text that reads as the same layout, and its map
 * answers backward what it answers forward. */

#include "fuzz_reading.h"

#include "laneway/calc.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const struct lw_cute *cute)
{
    struct lw_arena arena = {0};
    struct lw_calc_work work = {.arena = &arena};
    struct lw_calc_result again;
    struct lw_text text = {0};
    lw_cute_print(&text, cute);
    must(lw_calc(lw_text_string(&text), NULL, 0, &work, &again, NULL));
    must(lw_calc_cute(&again) && lw_cute_equal(lw_calc_cute(&again), cute));
    lw_text_free(&text);
    lw_arena_free(&arena);
}

/* An owner of an element holds that element, unless elements share an offset. */
static void check_map(const struct lw_cute *cute)
{
    struct lw_map map;
    struct lw_error err = {0};
    uint64_t out[LW_DIMS_MAX], in[LW_DIMS_MAX], held[LW_DIMS_MAX];
    if (!lw_cute_map(cute, 32, &map, &err)) {
        check_error(&err);
        return;
    }
    for (uint64_t i = 0; i < 8; i++) {
        for (int d = 0; d < map.out.count; d++)
            out[d] = (i * 2654435761u + (uint64_t)d * 40503u) % map.out.dim[d].size;
        if (!lw_map_owner(&map, out, 0, in))
            continue;
        must(lw_map_apply(&map, in, held));
        must(!lw_map_check_unique(&map, NULL) ||
             !memcmp(out, held, (size_t)map.out.count * sizeof *out));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_arena arena = {.max = (size_t)32 << 20};
    struct lw_text steps = {.limit = 1 << 16}, text = {0};
    struct lw_calc_work work = {.arena = &arena, .steps = size % 2 ? &steps : NULL};
    struct lw_calc_result result;
    struct lw_error err = {0};
    char *expr = malloc(size + 1);
    must(expr != NULL);
    for (size_t i = 0; i < size; i++)
        expr[i] = data[i] ? (char)data[i] : ' ';
    expr[size] = '\0';
    if (!lw_calc(expr, NULL, 0, &work, &result, &err)) {
        check_error(&err);
    } else {
        lw_calc_print(&text, &result);
        must(text.length > 0);
        const struct lw_cute *cute = lw_calc_cute(&result);
        if (cute && !cute->tile)
            check_text(cute);
        if (cute)
            check_map(cute);
    }
    lw_text_free(&text);
    lw_text_free(&steps);
    lw_arena_free(&arena);
    free(expr);
    return 0;
}
