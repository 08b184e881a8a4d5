/* Expressions of the calculator: computed, or refused with a message; a layout prints as a literal
 * that is equal to it. */

#include "fuzz_reading.h"

#include "laneway/calc.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Two linear layouts. */
static void bind(struct lw_calc_binding lets[2])
{
    lets[0].name = "A";
    lets[1].name = "B";
    must(lw_layout_identity(&lets[0].layout, 16, "register", "dim0", NULL));
    must(lw_layout_zeros(&lets[1].layout, 4, "lane", "dim1", 8, NULL));
    lets[1].layout.basis[1] = 5;
}

static void check_literal(const struct lw_layout *layout)
{
    struct lw_calc_result again;
    struct lw_text text = {0};
    lw_layout_print_json(&text, layout);
    must(lw_calc(lw_text_string(&text), NULL, 0, NULL, &again, NULL));
    must(again.kind == LW_CALC_LAYOUT && lw_layout_equal(&again.as.layout, layout));
    lw_text_free(&text);
}

static void check_result(const struct lw_calc_result *result)
{
    struct lw_text text = {0};
    lw_calc_print(&text, result);
    must(text.length > 0);
    lw_text_clear(&text);
    lw_calc_print_json(&text, result);
    must(text.length > 0);
    lw_text_free(&text);
    if (result->kind == LW_CALC_LAYOUT)
        check_literal(&result->as.layout);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct lw_calc_binding lets[2]; /* made once: an expression does not change them */
    struct lw_arena arena = {0};
    struct lw_calc_work work = {.arena = &arena};
    struct lw_calc_result result;
    struct lw_error err = {0};
    char *expr = malloc(size + 1);
    must(expr != NULL);
    for (size_t i = 0; i < size; i++)
        expr[i] = data[i] ? (char)data[i] : ' ';
    expr[size] = '\0';
    if (!lets[0].name)
        bind(lets);
    if (lw_calc(expr, lets, 2, &work, &result, &err))
        check_result(&result);
    else
        check_error(&err);
    lw_arena_free(&arena);
    free(expr);
    return 0;
}
