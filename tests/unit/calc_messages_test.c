/* The calculator: JSON, reasons, messages, limits and its table. */

#include "calc_parts.h"

#include "notation/calc/calculator.h"
#include "laneway/document.h"

#include "golden.h"

#include <stdio.h>
#include <stdlib.h>

static void test_json(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"identity1D(2, a, b).divideLeft(identity1D(4, a, b))", "null"},
        {"1 == 1", "true"},
        {"18", "18"},
        {"identity1D(4, a, b).apply(a=3)", "{\"b\":3}"},
        {"zeros1D(4, a, b).kernel()", "[{\"a\":1},{\"a\":2}]"},
        {"identity1D(4, a, b).kernel()", "[]"},
        {"identity1D(4, a, b).getMatrix()", "[[1,0],[0,1]]"},
        {"identity1D(4, a, b).inDims()", "[[\"a\",4]]"},
        {"columnAction([1, 0], a, 2)", "\"ColumnAction([1, 0], a, 2)\""},
        {"identity1D(2, a, b)", "{\"in\":[[\"a\",2]],\"out\":[[\"b\",2]],\"bases\":{\"a\":[[1]]},"
                                "\"surjective\":true,\"injective\":true}"},
    };
    for (size_t i = 0; i < COUNT(pairs); i++) {
        struct lw_calc_result result;
        struct lw_text text = {0};
        compute(pairs[i][0], NULL, 0, &result);
        lw_calc_print_json(&text, &result);
        assert_string_equal(lw_text_string(&text), pairs[i][1]);
        lw_text_free(&text);
    }
}

static void test_why(void **state)
{
    (void)state;
    struct lw_calc_result result;
    compute("identity1D(8, a, b).divideLeft(zeros1D(2, a, b))", NULL, 0, &result);
    assert_int_equal(result.kind, LW_CALC_NONE);
    assert_string_equal(result.as.why,
                        "divideLeft: a=1 is not a product of the divisor and a rest");
}

/* ---- Messages ---- */

static void expect_error(const char *expr, int column, int length, const char *message)
{
    struct lw_calc_binding let = {.name = "Alpha"};
    struct lw_calc_result result;
    struct lw_error err;
    assert_true(lw_layout_identity(&let.layout, 8, "register", "dim0", NULL));
    if (lw_calc(expr, &let, 1, NULL, &result, &err))
        fail_msg("%s is no error", expr);
    if (strcmp(err.message, message) != 0 || err.position.column != column ||
        err.position.length != length)
        fail_msg("%s\nat %d, %d: %s\nnot at %d, %d: %s", expr, err.position.column,
                 err.position.length, err.message, column, length, message);
    assert_true(column == 0 || err.excerpt[0]);
}

static void test_messages(void **state)
{
    (void)state;
    static const struct {
        const char *expr;
        int column, length;
        const char *message;
    } rows_of[] = {
        {"", 0, 0, "the expression is empty"},
        {" \n ", 0, 0, "the expression is empty"},
        {"4\n \t -2", 1, 1, "only the last expression is the result: assign the others to names"},
        {"make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, "
         "Swizzle<1,0,1>{} o (8,64):(64,1), (1,8):(0,1))",
         1, 109,
         "make_tiled_copy: 'thr_layout' must be a layout without a swizzle and coordinates"},
        {"Alpah", 1, 5, "unknown name 'Alpah'; did you mean 'Alpha'?"},
        {"Q", 1, 1,
         "unknown name 'Q'; a SOURCE must be in quotes, inside those of the shell: '\"...\"'"},
        {"Quotient", 1, 8,
         "unknown name 'Quotient'; a SOURCE must be in quotes, inside those of the shell: "
         "'\"...\"'"},
        {"Alpha.compos(Alpha)", 7, 6, "there is no operation 'compos'; did you mean 'compose'?"},
        {"identity2D(4, a, b)", 1, 10,
         "there is no operation 'identity2D'; did you mean 'identity1D'?"},
        {"xyzzyfoo(4)", 1, 8,
         "there is no operation 'xyzzyfoo'; 'laneway help operations' lists them"},
        {"Alpha.xyzzyfoo()", 7, 8,
         "there is no operation 'xyzzyfoo'; 'laneway help operations' lists them"},
        {"Alpha.inverse()", 7, 7, "there is no operation 'inverse'; did you mean 'invert'?"},
        {"Alpha.rank().invert()", 14, 6,
         "invert is not for a number, but for a linear layout (Triton)"},
        {"dice(Alpha, (2,3))", 1, 18,
         "dice: expected a coordinate, and a tuple or a layout without a swizzle"},
        {"select((2,3), 9223372036854775807)", 15, 19,
         "select: no item 9223372036854775807: must be from 0 to 1"},
        {"_(0)", 1, 1, "there is no operation '_'; 'laneway help operations' lists them"},
        {"Alpha.complement()", 7, 10,
         "complement is not for a linear layout (Triton), but for a layout of CuTe"},
        {"Alpha * 3", 7, 1, "* is not for a number"},
        {"true * Alpha", 6, 1, "* is not for true or false"},
        {"Alpha == 3", 7, 2, "==: a layout cannot be compared with a number"},
        {"Alpha.compose(3)", 15, 1, "compose: 'B' must be a layout, and this is a number"},
        {"Alpha.compose()", 15, 1, "B is missing: A.compose(B)"},
        {"Alpha.invert(3)", 14, 1, "too many arguments: A.invert()"},
        {"Alpha.resizeInDim(register, 4, 5)", 32, 1,
         "too many arguments: A.resizeInDim(dim, size)"},
        {"Alpha.resizeInDim(regster, 4)", 7, 23, "resizeInDim: there is no in-dim 'regster'"},
        {"Alpha.resizeOutDim(register, 4)", 7, 25, "resizeOutDim: there is no out-dim 'register'"},
        {"Alpha.resizeInDim(register, 3)", 7, 24,
         "resizeInDim: dim 'register' has size 8: the new size must be a power of two not above "
         "that, not 3"},
        {"Alpha.transposeIns([])", 7, 16, "transposeIns: all 1 dims are needed, not 0"},
        {"Alpha.transposeIns(register)", 20, 8,
         "expected a list of dims, as [dim0, dim1], found 'register'"},
        {"Alpha.reshapeIns([register])", 19, 8,
         "expected a dim and its size, as [register, 4], found 'register'"},
        {"Alpha.reshapeIns([[a, 3]])", 7, 20,
         "reshapeIns: size 3 of dim 'a' is not a power of two"},
        {"Alpha.apply(register=8)", 22, 1, "register = 8: must be from 0 to 7"},
        {"Alpha.apply(register=1, register=2)", 25, 8, "duplicate 'register'"},
        {"Alpha.apply(lane=1)", 13, 4, "apply: there is no in-dim 'lane'"},
        {"Alpha.basis(register, 3)", 7, 18, "getBasis: 'register' has 3 bases, counted from 0"},
        {"columnAction([3], register, 3)", 1, 30,
         "column action: there is no basis 3: 'register' has 3"},
        {"columnAction([1, 1], register, 3)", 1, 33, "column action: duplicate basis 1"},
        {"columnAction([0], a, 65)", 1, 24, "column action: a dim has 0 to 64 bases, not 65"},
        {"identity1D(3, a, b)", 1, 19,
         "size 3 of in dim 'a' is not a power of two: a linear layout has only such sizes"},
        {"identity1D(99999999999999999999, a, b)", 12, 20,
         "99999999999999999999: integers must be below 2^63"},
        {"zeros1D(4, a, b).invert()", 18, 8, "not invertible: 2 input bits, 0 output bits, rank 0"},
        {"Alpha.divideLeft(zeros1D(2, register, dim0)).rank()", 46, 4,
         "rank: no such layout: divideLeft: register=1 is not a product of the "
         "divisor "
         "and a rest"},
        {"Alpha.compose(Alpha.quotient([dim0]))", 15, 22,
         "compose: no such layout: quotient: the layout is not the identity over [dim0] "
         "apart from the rest"},
        {"(Alpha", 7, 0, "expected ',' or ')', but the text ends here"},
        {"Alpha)", 6, 1, "expected an operator, '.' or the end of the expression, found ')'"},
        {"Alpha.", 7, 0, "expected the name of a function, but the text ends here"},
        {"Alpha = 3 4", 11, 1, "expected an operator, '.' or the end of the expression, found '4'"},
        {"-3", 1, 2, "expected a layout or a number from 0 on, found '-3'"},
        {"'Alpha", 1, 6, "this string has no closing '"},
        {"{\"in\"", 6, 0, "expected ':' or '=', but the text ends here"},
        {"fromBases({a: [[1], [2, 0]]}, [x])", 11, 18,
         "bases = {\"a\": [[1], [2, 0]]}: must be bases by name such as {\"lane\": [[0, 1]]}"},
        {"fromBases({a: [[1, 0]]}, [x])", 1, 29,
         "fromBases: each basis has 2 numbers, but there are 1 out-dims"},
        {"fromBases({a: [[1]], a: [[2]]}, [x])", 22, 1, "duplicate key 'a'"},
        {"fromBases({a: [[4]]}, [x])", 1, 26,
         "sizes can be inferred for a surjective layout only: write the sizes"},
        {"fromBases({a: [[4]]}, [[x, 4]])", 16, 3,
         "basis 0 of a is 4 in x: it must be below the size, 4"},
    };
    for (size_t i = 0; i < COUNT(rows_of); i++)
        expect_error(rows_of[i].expr, rows_of[i].column, rows_of[i].length, rows_of[i].message);
}

/* What is wrong in a literal is shown in it, on any line. */
static void test_positions_in_literals(void **state)
{
    (void)state;
    struct lw_calc_result result;
    struct lw_error err;
    static const char expr[] = "empty() *\n  {\"in\": [[\"a\", 3]],\n \"out\": [], \"bases\": {}}";
    assert_false(lw_calc(expr, NULL, 0, NULL, &result, &err));
    assert_int_equal(err.position.line, 2);
    assert_string_equal(err.excerpt, "  {\"in\": [[\"a\", 3]],");
    assert_false(lw_calc("empty() * 'no/such/layout'", NULL, 0, NULL, &result, &err));
    assert_int_equal(err.position.column, 11);
    assert_int_equal(err.position.length, 16);
    assert_false(lw_calc("'#ttg.blocked<{order = [0], sizePerThread = [3]}>'", NULL, 0, NULL,
                         &result, &err));
    assert_int_equal(err.position.line, 1);
    assert_true(err.position.column >= 2);
    assert_false(lw_calc("'-'", NULL, 0, NULL, &result, &err));
}

/* ---- Limits ---- */

static void expect_limit(const char *open, const char *middle, const char *close, size_t times)
{
    struct lw_text text = {0};
    struct lw_calc_result result;
    struct lw_error err;
    for (size_t i = 0; i < times; i++)
        lw_text_add(&text, open);
    lw_text_add(&text, middle);
    for (size_t i = 0; i < times; i++)
        lw_text_add(&text, close);
    assert_false(lw_calc(lw_text_string(&text), NULL, 0, NULL, &result, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    lw_text_free(&text);
}

static void test_depth(void **state)
{
    (void)state;
    expect_limit("(", "1", ")", 65);
    expect_limit("(", "1", ")", 100000);
    expect_limit("invert(", "empty()", ")", 1000);
    expect_limit("empty().compose(", "empty()", ")", 1000);
    expect_limit("", "1                ", "                 ", 1 << 14);
}

/* A long chain is no nesting. */
static void test_chains(void **state)
{
    (void)state;
    struct lw_text text = {0};
    struct lw_calc_result result;
    lw_text_add(&text, "identity1D(2, a, a)");
    for (int i = 0; i < 5000; i++)
        lw_text_add(&text, ".compose(identity1D(2, a, a))");
    for (int i = 0; i < 5000; i++)
        lw_text_add(&text, " * empty()");
    lw_text_add(&text, " == identity1D(2, a, a)");
    compute(lw_text_string(&text), NULL, 0, &result);
    assert_true(result.as.truth);
    lw_text_clear(&text);
    lw_text_add(&text, "identity1D(2, a, a)");
    for (int i = 0; i < 5000; i++)
        lw_text_add(&text, " * identity1D(2, a, a)");
    assert_false(lw_calc(lw_text_string(&text), NULL, 0, NULL, &result, NULL));
    lw_text_free(&text);
}

/* 63 bits in one dim and 64 on a side work; more is refused. */
static void test_large_sizes(void **state)
{
    (void)state;
    expect_text("identity1D(4611686018427387904, a, b).rank()", "62");
    expect_text("(identity1D(4294967296, a, b) * identity1D(4294967296, c, d)).invert().rank()",
                "64");
    struct lw_calc_result result;
    struct lw_error err;
    static const char *const too_large[] = {
        "identity1D(4611686018427387904, a, b) * identity1D(8, c, d)",
        "identity1D(4294967296, a, b) * identity1D(4294967296, a, b)",
        "(identity1D(4294967296, a, b) * identity1D(4294967296, c, d)).flattenIns()",
        "strided1D(4294967296, 8589934592, a, b)",
        "strided1D(2, 9223372036854775807, a, b)",
        "identity1D(2, a, b).reshapeIns([[a, 0]])",
        "fromBases({a: [[9223372036854775807]], b: [[1]]}, [x])",
    };
    for (size_t i = 0; i < COUNT(too_large); i++)
        if (lw_calc(too_large[i], NULL, 0, NULL, &result, &err))
            fail_msg("%s is computed", too_large[i]);
}

/* 32 dims on a side work; one more is refused. */
static void test_many_dims(void **state)
{
    (void)state;
    struct lw_text text = {0};
    struct lw_calc_result result;
    struct lw_error err;
    lw_text_add(&text, "identity1D(2, a, b).reshapeIns([[a, 2]");
    for (int d = 1; d < LW_DIMS_MAX; d++)
        lw_text_format(&text, ", [d%d, 1]", d);
    size_t length = text.length;
    lw_text_add(&text, "]).flattenIns()");
    expect_text(lw_text_string(&text), " - a=1 -> (1)\nwhere out dims are: [b (size 2)]");
    text.length = length;
    lw_text_add(&text, ", [more, 1]])");
    assert_false(lw_calc(lw_text_string(&text), NULL, 0, NULL, &result, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    lw_text_free(&text);
}

/* ---- The table ---- */

/* The usage of a row has its name, what it is of, and a name for each parameter. */
static void check_usage(const struct lw_calc_row *row)
{
    static const char *const subjects[] = {"", "A.", "P.", "A.", "A.", "M.", "M.", "T."};
    const struct lw_calc_operation *operation = &row->base;
    struct lw_text begin = {0};
    int count = 0;
    if (operation->on == LW_CALC_OPERATOR)
        lw_text_format(&begin, "A %s B", operation->name);
    else
        lw_text_format(&begin, "%s%s(", subjects[operation->on], operation->name);
    assert_memory_equal(operation->usage, lw_text_string(&begin), begin.length);
    for (; lw_calc_param(row, count); count++)
        assert_true(*lw_calc_param_name(row, count).text);
    if (row->params[0] != LW_CALC_PARAM_REST && strchr(operation->usage, '('))
        assert_string_equal(lw_calc_param_name(row, count).text, "");
    lw_text_free(&begin);
}

static void test_table(void **state)
{
    (void)state;
    const struct lw_calc_operation *operation, *before;
    size_t count = 0;
    for (; (operation = lw_calc_operation_at(count)) != NULL; count++) {
        const struct lw_calc_row *row = (const struct lw_calc_row *)operation;
        check_usage(row);
        assert_ptr_equal(lw_calc_find(operation->on, operation->name), row);
        assert_true(operation->help[0] && !strchr(operation->help, '\n'));
        assert_non_null(row->run);
        for (size_t i = 0; i < count; i++) {
            before = lw_calc_operation_at(i);
            assert_true(before->on != operation->on || strcmp(before->name, operation->name) != 0);
        }
    }
    assert_true(count > 150);
}

/* A name may be spelled with other capitals and underscores, and without `get`; a part of it is no name. */
static void test_spellings(void **state)
{
    (void)state;
    static const struct {
        enum lw_calc_on on;
        const char *name, *row;
    } names[] = {
        {LW_CALC_OF_CUTE, "ZippedDivide", "zipped_divide"},
        {LW_CALC_OF_LAYOUT, "in_dims", "getInDims"},
        {LW_CALC_OF_TREE, "get", "mode"},
        {LW_CALC_FUNCTION, "make_coord", "make_shape"},
        {LW_CALC_FUNCTION, "makestep", "make_shape"},
        {LW_CALC_OF_CUTE, "GMMA::make_gmma_desc", "make_gmma_desc"},
        {LW_CALC_OF_CUTE, "zipped_divid", NULL},
        {LW_CALC_FUNCTION, "zipped_divide", NULL},
        {LW_CALC_FUNCTION, "make", NULL},
        {LW_CALC_FUNCTION, "tuple", NULL},
    };
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct lw_calc_row *row = lw_calc_find(names[i].on, names[i].name);
        assert_true(!row == !names[i].row);
        if (row)
            assert_string_equal(row->base.name, names[i].row);
    }
}

/* A method of linear layouts that no other value has. */
static bool is_of_layouts(const struct lw_calc_operation *operation)
{
    return operation->on == LW_CALC_OF_LAYOUT && !lw_calc_find(LW_CALC_OF_CUTE, operation->name) &&
           !lw_calc_find(LW_CALC_OF_TREE, operation->name) &&
           !lw_calc_find(LW_CALC_OF_ACTION, operation->name) &&
           !lw_calc_find(LW_CALC_OF_MMA, operation->name);
}

/* A value of each kind. */
static const char *const values[] = {"identity1D(4, a, b)",
                                     "_",
                                     "LayoutLeft",
                                     "4",
                                     "true",
                                     "identity1D(4, a, b).apply(a=3)",
                                     "zeros1D(4, a, b).kernel()",
                                     "identity1D(4, a, b).getMatrix()",
                                     "columnAction([1, 0], a, 2)",
                                     "identity1D(4, a, b).inDims()",
                                     "((2,2):(1,2))",
                                     "(2,2)",
                                     "Swizzle<2,1,2>",
                                     "SM80_16x8x8_F32F16F16F32_TN",
                                     "make_tiled_mma(SM80_16x8x8_F32F16F16F32_TN)"};

/* Methods of layouts are refused of every other kind of value, before their arguments are read. */
static void test_receivers(void **state)
{
    (void)state;
    const struct lw_calc_operation *operation;
    size_t tried = 0;
    for (size_t i = 0; (operation = lw_calc_operation_at(i / COUNT(values))) != NULL; i++) {
        size_t value = i % COUNT(values);
        char expr[128];
        struct lw_calc_result result;
        struct lw_error err;
        if (value == 0 || !strncmp(values[value], "SM80", 4) || !is_of_layouts(operation))
            continue;
        snprintf(expr, sizeof expr, "%s.%s(a, 1)", values[value], operation->name);
        if (lw_calc(expr, NULL, 0, NULL, &result, &err) || !strstr(err.message, " is not for "))
            fail_msg("%s is not refused: %s", expr, err.message);
        tried++;
    }
    assert_true(tried > 20 * COUNT(values));
}

/* Every operation of every two kinds of values has a result or an error: none reads a value as another kind. */
static void test_all_kinds(void **state)
{
    (void)state;
    const struct lw_calc_operation *operation;
    const size_t pairs = COUNT(values) * COUNT(values);
    size_t refused = 0;
    for (size_t i = 0; (operation = lw_calc_operation_at(i / pairs)) != NULL; i++) {
        const char *a = values[i / COUNT(values) % COUNT(values)], *b = values[i % COUNT(values)];
        char expr[256];
        struct lw_arena arena = {0};
        const struct lw_calc_work work = {.arena = &arena, .triton = golden_options()->triton};
        struct lw_calc_result result;
        struct lw_error err;
        struct lw_text text = {0};
        if (operation->on == LW_CALC_OPERATOR)
            snprintf(expr, sizeof expr, "%s %s %s", a, operation->name, b);
        else if (operation->on == LW_CALC_FUNCTION)
            snprintf(expr, sizeof expr, "%s(%s, %s)", operation->name, a, b);
        else
            snprintf(expr, sizeof expr, "%s.%s(%s)", a, operation->name, b);
        if (lw_calc(expr, NULL, 0, &work, &result, &err))
            lw_calc_print(&text, &result);
        else
            refused += err.message[0] != 0;
        assert_true(err.code == LW_OK || err.message[0]);
        lw_text_free(&text);
        lw_arena_free(&arena);
    }
    assert_true(refused > pairs);
}

static void test_names(void **state)
{
    (void)state;
    struct lw_error err;
    assert_true(lw_calc_name_check("A", NULL) && lw_calc_name_check("_a1", NULL));
    assert_false(lw_calc_name_check("", &err) || lw_calc_name_check("1a", &err) ||
                 lw_calc_name_check("a-b", &err));
    assert_false(lw_calc_name_check("true", &err));
    assert_string_equal(
        err.message,
        "'true' cannot name a layout: expected letters, digits and _, with no digit first");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),        cmocka_unit_test(test_why),
        cmocka_unit_test(test_messages),    cmocka_unit_test(test_positions_in_literals),
        cmocka_unit_test(test_depth),       cmocka_unit_test(test_chains),
        cmocka_unit_test(test_large_sizes), cmocka_unit_test(test_many_dims),
        cmocka_unit_test(test_table),       cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_receivers),   cmocka_unit_test(test_all_kinds),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
