#ifndef LANEWAY_TESTS_CALC_PARTS_H
#define LANEWAY_TESTS_CALC_PARTS_H

/* What calc_test.c and calc_messages_test.c share. */

#include "laneway/calc.h"
#include "laneway/document.h"

#include "golden.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- What Triton computes ---- */

static inline void compute(const char *expr, const struct lw_calc_binding *lets, size_t count,
                           struct lw_calc_result *result)
{
    struct lw_error err;
    struct lw_arena arena = {0};
    const struct lw_calc_work work = {.arena = &arena, .triton = golden_options()->triton};
    if (!lw_calc(expr, lets, count, &work, result, &err))
        fail_msg("%s: %s", expr, err.message);
    lw_arena_free(&arena);
}

/* The operations of the recorded files, each with its expression: %0 and %1 are the arguments. */
static const struct {
    const char *op, *expr;
} recorded[] = {
    {"mul", "%0 * %1"},
    {"compose", "%0.compose(%1)"},
    {"invert", "%0.invert()"},
    {"pseudoinvert", "pseudoinvert(%0)"},
    {"invert_and_compose", "%0.invert_and_compose(%1)"},
    {"apply", "%0.apply(%1)"},
    {"identity", "identity1D(%0, lane, dim0)"},
    {"strided", "strided1D(%0, %1, lane, dim0)"},
    {"zeros", "zeros_1d(%0, lane, dim0, %1)"},
    {"props", "%0"},
    {"tostring", "%0"},
};

/* ---- The language ---- */

static inline void expect_text(const char *expr, const char *expected)
{
    struct lw_calc_binding lets[2] = {{.name = "A"}, {.name = "B_1"}};
    struct lw_calc_result result;
    struct lw_text text = {0};
    assert_true(lw_layout_identity(&lets[0].layout, 8, "register", "dim0", NULL));
    assert_true(lw_layout_zeros(&lets[1].layout, 4, "lane", "dim1", 2, NULL));
    compute(expr, lets, 2, &result);
    lw_calc_print(&text, &result);
    if (strcmp(lw_text_string(&text), expected) != 0)
        fail_msg("%s\nis  %s\nnot %s", expr, lw_text_string(&text), expected);
    lw_text_free(&text);
}

#endif
