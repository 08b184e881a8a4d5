/*
 * The calculator: what Triton computes (tests/golden/triton3*_algebra.jsonl, and the values of its unit
 * tests in triton_unit_algebra.jsonl), each by an expression; the language, every message, limits.
 */

#include "calc_parts.h"

#include "laneway/calc.h"
#include "laneway/document.h"

#include "golden.h"

#include <stdio.h>
#include <stdlib.h>

/* Compares with JSON; the truths about ranks that the machine form adds are not looked at. */
static void expect_json(const char *expr, const struct lw_calc_result *result,
                        const cJSON *expected)
{
    struct lw_text text = {0};
    lw_calc_print_json(&text, result);
    cJSON *got = cJSON_Parse(lw_text_string(&text));
    if (result->kind == LW_CALC_LAYOUT) {
        cJSON_DeleteItemFromObject(got, "surjective");
        cJSON_DeleteItemFromObject(got, "injective");
    }
    if (!cJSON_Compare(got, expected, true)) {
        char *wanted = cJSON_PrintUnformatted(expected);
        fail_msg("%s\nis  %s\nnot %s", expr, lw_text_string(&text), wanted);
    }
    cJSON_Delete(got);
    lw_text_free(&text);
}

/* Appends argument i of a row, as an expression reads it. */
static void add_argument(struct lw_text *text, const cJSON *args, int i)
{
    char *printed = cJSON_PrintUnformatted(cJSON_GetArrayItem(args, i));
    lw_text_add(text, printed);
    free(printed);
}

/* The layout by its bases alone. */
static void add_bases(struct lw_text *text, const cJSON *layout)
{
    const cJSON *out;
    char *bases = cJSON_PrintUnformatted(cJSON_GetObjectItem(layout, "bases"));
    lw_text_format(text, "fromBases(%s, [", bases);
    free(bases);
    const char *comma = "";
    cJSON_ArrayForEach(out, cJSON_GetObjectItem(layout, "out"))
    {
        lw_text_format(text, "%s%s", comma, cJSON_GetArrayItem(out, 0)->valuestring);
        comma = ", ";
    }
    lw_text_add(text, "])");
}

static int rows;

static void expect_properties(const cJSON *args, const cJSON *expected)
{
    static const char *const questions[][2] = {{"surjective", "isSurjective()"},
                                               {"injective", "isInjective()"},
                                               {"invertible", "is_invertible()"},
                                               {"matrix", "get_matrix_view()"}};
    for (size_t i = 0; i < COUNT(questions); i++) {
        struct lw_text expr = {0};
        struct lw_calc_result result;
        add_argument(&expr, args, 0);
        lw_text_format(&expr, ".%s", questions[i][1]);
        compute(lw_text_string(&expr), NULL, 0, &result);
        expect_json(lw_text_string(&expr), &result, cJSON_GetObjectItem(expected, questions[i][0]));
        lw_text_free(&expr);
    }
}

static void expect_printed(const struct lw_calc_result *result, const cJSON *expected)
{
    struct lw_text text = {0};
    lw_calc_print(&text, result);
    assert_string_equal(lw_text_string(&text), expected->valuestring + 1);
    lw_text_free(&text);
}

static void expect_row(const cJSON *row, const char *pattern)
{
    struct lw_text expr = {0};
    struct lw_calc_result result;
    const cJSON *args = cJSON_GetObjectItem(row, "args"),
                *expected = cJSON_GetObjectItem(row, "result");
    const char *op = cJSON_GetObjectItem(row, "op")->valuestring;
    for (const char *c = pattern; *c; c++) {
        if (*c == '%')
            add_argument(&expr, args, *++c - '0');
        else
            lw_text_char(&expr, *c);
    }
    if (!strcmp(op, "infer"))
        add_bases(&expr, cJSON_GetArrayItem(args, 0));
    compute(lw_text_string(&expr), NULL, 0, &result);
    if (!strcmp(op, "props"))
        expect_properties(args, expected);
    else if (!strcmp(op, "tostring"))
        expect_printed(&result, expected);
    else
        expect_json(lw_text_string(&expr), &result, expected);
    lw_text_free(&expr);
    rows++;
}

static void recorded_row(const cJSON *row, const char *line)
{
    (void)line;
    const char *op = cJSON_GetObjectItem(row, "op")->valuestring;
    if (!strncmp(op, "view_", 5))
        return;
    for (size_t i = 0; i < COUNT(recorded); i++)
        if (!strcmp(op, recorded[i].op)) {
            expect_row(row, recorded[i].expr);
            return;
        }
    assert_string_equal(op, "infer");
    expect_row(row, "");
}

/* The rule of invertAndCompose is not the same in all of these versions. */
static void test_triton(void **state)
{
    static const struct {
        const char *file;
        int rows;
    } versions[] = {{"triton36_algebra.jsonl", 1147},
                    {"triton37_algebra.jsonl", 2834},
                    {"triton38_algebra.jsonl", 190},
                    {"triton39_algebra.jsonl", 190}};
    (void)state;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        rows = 0;
        golden_each(versions[i].file, recorded_row);
        assert_int_equal(rows, versions[i].rows);
    }
}

static void bind(struct lw_calc_binding *let, const cJSON *object)
{
    char *text = cJSON_PrintUnformatted(object);
    struct lw_calc_result result;
    compute(text, NULL, 0, &result);
    assert_int_equal(result.kind, LW_CALC_LAYOUT);
    let->name = object->string;
    let->layout = result.as.layout;
    free(text);
}

static void unit_row(const cJSON *row, const char *line)
{
    (void)line;
    struct lw_calc_binding lets[4] = {0};
    struct lw_calc_result result;
    const cJSON *let;
    size_t count = 0;
    const char *expr = cJSON_GetObjectItem(row, "expr")->valuestring;
    cJSON_ArrayForEach(let, cJSON_GetObjectItem(row, "let")) bind(&lets[count++], let);
    compute(expr, lets, count, &result);
    expect_json(expr, &result, cJSON_GetObjectItem(row, "result"));
    rows++;
}

static void test_unit_tests(void **state)
{
    (void)state;
    rows = 0;
    golden_each("triton_unit_algebra.jsonl", unit_row);
    assert_int_equal(rows, 170);
}

static void test_language(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"12", "12"},
        {"true", "true"},
        {"(((false)))", "false"},
        {"A == A", "true"},
        {"A != A == false", "true"},
        {"A * empty() * empty() == empty() * A", "true"},
        {"A * B_1 == B_1 * A", "false"},
        {"A\n  .invert( )\n.rank ( )", "3"},
        {"rank(invert(A)) == A.rank()", "true"},
        {"A.inDims()", "register=8"},
        {"(A * B_1).get_out_dims()", "dim0=8 dim1=2"},
        {"empty().inDims()", "[]"},
        {"A.apply(register=5)", "dim0=5"},
        {"A.apply({\"register\": 5})", "dim0=5"},
        {"A.apply()", "dim0=0"},
        {"empty().apply()", "()"},
        {"(A * B_1).apply(lane=3, register=6)", "dim0=6 dim1=0"},
        {"(A * B_1).apply({lane: 3, register: 6})", "dim0=6 dim1=0"},
        {"A.basis(register, 2)", "dim0=4"},
        {"B_1.kernel()", "lane=1\nlane=2"},
        {"A.kernel()", "[]"},
        {"B_1.image()", "[]"},
        {"A.image()", "dim0=1\ndim0=2\ndim0=4"},
        {"A.getMatrix()", "[1, 0, 0]\n[0, 1, 0]\n[0, 0, 1]"},
        {"empty().matrix()", "[]"},
        {"(A * B_1).freeVariableMasks()", "register=0 lane=3"},
        {"A.transposeOuts([\"dim0\"]) == A", "true"},
        {"A.divideLeft(B_1)", "none"},
        {"A.divideLeft(B_1) == A", "false"},
        {"A.divideLeft(B_1) == A.quotient([lane])", "true"},
        {"A.reshapeIns({a: 2, b: 4}).reshapeIns([[register, 8]]) == A", "true"},
        {"A.renameInDim(register, lane).renameOutDim(dim0, x)",
         " - lane=1 -> (1)\n   lane=2 -> (2)\n   lane=4 -> (4)\nwhere out dims are: [x (size 8)]"},
        {"(A * B_1).renameInDim(register, z).getInDims()", "lane=4 z=8"},
        {"(A * B_1).renameOutDim(dim0, z).getOutDims()", "z=8 dim1=2"},
        {"A.resizeInDim(register, 2).getOutDims()", "dim0=8"},
        {"A.resizeOutDim(dim0, 2).apply(register=7)", "dim0=1"},
        {"A.resizeOutDim(dim0, 2).removeZeroBasesAlongDim(register).inDims()", "register=2"},
        {"A.resizeInDim(register, 1).unsqueezeIn(register).inDims()", "[]"},
        {"A.resizeOutDim(dim0, 1).unsqueezeOut(dim0).outDims()", "[]"},
        {"A.concatIns(A.renameInDim(register, lane)).apply(register=5, lane=3)", "dim0=6"},
        {"A.concatOuts(A.renameOutDim(dim0, x)).apply(register=5)", "dim0=5 x=5"},
        {"A.permute(register, [2, 0]).apply(register=1)", "dim0=4"},
        {"columnAction([2, 0, 1], register, 3)", "ColumnAction([2, 0, 1], register, 3)"},
        {"ColumnAction([2, 0], register, 3).apply(A) == A.permute(register, [2, 0])", "true"},
        {"ColumnAction([], register, 3).apply(A).inDims()", "register=1"},
        {"'local(2, 1).spatial(8, 4).local(1, 2)'.inDims()", "register=4 lane=32 warp=1 block=1"},
        {"\"tensor<32xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = "
         "[1], order = [0]}>>\".isInvertible()",
         "true"},
        {"fromBases({lane: [[1], [2]], warp: []}, [[x, 8]]).outDims()", "x=8"},
        {"fromBases({}, []) == empty()", "true"},
        {"fromBases({lane: []}, [[x, 4]]).isSurjective()", "false"},
        {"{\"in\": [], \"out\": [], \"bases\": {}}", "(empty layout)"},
        {"A.quotient([])== A", "true"},
        {"A.isTrivialOver([])", "true"},
        {"A.isTrivialOver([register])", "false"},
        {"2@0 == 2@1", "false"},
        {"(2, 2@1) == (2, 2@1)", "true"},
    };
    for (size_t i = 0; i < COUNT(pairs); i++)
        expect_text(pairs[i][0], pairs[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triton),
        cmocka_unit_test(test_unit_tests),
        cmocka_unit_test(test_language),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
