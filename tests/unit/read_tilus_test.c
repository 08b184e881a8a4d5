/* tilus expressions: what tilus reads is read, what it refuses is refused, in good words. */

#include "notation_help.h"

#include <cJSON.h>

/* ---- Compared with tilus ---- */

static void visit(const char *source, void *context)
{
    struct lw_document doc;
    open_source(&doc, source);
    assert_int_equal(doc.notation, LW_NOTATION_TILUS);
    round_trip(&doc);
    lw_document_free(&doc);
    ++*(int *)context;
}

static void test_golden(void **unused)
{
    (void)unused;
    int count = 0;
    each_source("tilus_doc.jsonl", visit, &count);
    each_source("tilus_random.jsonl", visit, &count);
    each_source("tilus_more.jsonl", visit, &count);
    each_source("tilus_shared.jsonl", visit, &count);
    each_source("tilus_digest.jsonl", visit, &count);
    assert_true(count > 3400);
}

static void visit_error(const char *source, void *context)
{
    struct lw_document doc;
    struct lw_error err = {0};
    struct lw_map map;
    ++*(int *)context;
    if (!lw_document_open(&doc, source, NULL, &err)) {
        assert_true(err.position.line > 0);
        assert_string_not_equal(err.excerpt, "");
        return;
    }
    if (lw_document_build(&doc, &map, &err))
        fail_msg("%s: tilus refuses it", source);
    lw_document_free(&doc);
}

static void test_golden_errors(void **unused)
{
    (void)unused;
    int count = 0;
    each_source("tilus_errors.jsonl", visit_error, &count);
    assert_true(count > 100);
}

/* ---- Printing ---- */

static void test_printing(void **unused)
{
    (void)unused;
    static const char *const same[] = {
        "local(2, 1).spatial(8, 4).local(1, 2)",
        "reduce(spatial(3, 4), dims=[0])",
        "reduce(spatial(3, 4), dims=[0], keepdims=True)",
        "spatial(2, 3, ranks=[1, 0]).column_local(2, 2)",
        "spatial()",
        "local(2, 1) * spatial(8, 4) * local(1, 2)",
        "local(2, 1) * (spatial(8, 4) * local(1, 2))",
        "(local(2, 1) * spatial(8, 4)).local(1, 2)",
        "local(2, 1) * spatial(8, 4).local(1, 2)",
        "local(2) * local(3) / local(3)",
        "local(2) * (local(3) / local(3))",
        "replicated(2, 3, num_workers=4)",
        "spatial(2, 3).with_shape(shape=[6])",
        "RegisterLayout(shape=[4], mode_shape=[4], spatial_modes=[-3, 0], local_modes=[])",
        "repeat(2, 1).spatial(8, 4)"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        prints(same[i], same[i]);
}

static void test_spellings(void **unused)
{
    (void)unused;
    static const char chain[] = "local(2, 1).spatial(8, 4)";
    prints("local(2,1).spatial(8,4)", chain);
    prints("( local ( 2 , 1 , )\n  . spatial(8, 4) ) # the tile", chain);
    prints("((local(2, 1))).spatial(8, 4)", chain);
    prints("x = local(2, 1); x.spatial(8, 4)", chain);
    prints("# a program\nx = local(2, 1)\n\ny = x  # again\ny.spatial(8, 4)\n", chain);
    prints("x = local(2, 1)\nx = x.spatial(8, 4)\nx", chain);
    prints("compose(local(2, 1), spatial(8, 4))", "local(2, 1) * spatial(8, 4)");
    prints("compose(inner=spatial(8, 4), outer=local(2, 1))", "local(2, 1) * spatial(8, 4)");
    prints("local(2, 1).compose(spatial(8, 4))", "local(2, 1) * spatial(8, 4)");
    prints("reduce(spatial(3, 4), (0,), False)", "reduce(spatial(3, 4), dims=[0], keepdims=False)");
    prints("spatial(3, 4).reduce([0])", "reduce(spatial(3, 4), dims=[0])");
    prints("spatial(2, 3, ranks=None)", "spatial(2, 3)");
    prints("x = local(2); x * x", "local(2) * local(2)");
}

static void test_machine_form(void **unused)
{
    (void)unused;
    builds("local(2, 1).spatial(8, 4).local(1, 2)",
           "{\"in\":[[\"local\",4],[\"thread\",32]],\"out\":[[\"dim0\",16],[\"dim1\",8]],"
           "\"bases\":{\"local\":[[0,1],[8,0]],\"thread\":[[0,2],[0,4],[1,0],[2,0],[4,0]]},"
           "\"surjective\":true,\"injective\":true}");
}

/* ---- Errors ---- */

static void test_names(void **unused)
{
    (void)unused;
    refused("spatiel(2, 3)", "1:1: unknown function 'spatiel'; did you mean 'spatial'?\n"
                             "  spatiel(2, 3)\n  ^~~~~~~\n");
    refused("spatial(2, 3)\n  .lokal(2, 2)",
            "2:4: unknown function 'lokal'; did you mean 'local'?\n"
            "    .lokal(2, 2)\n     ^~~~~\n");
    refused("frobnicate(2)", "1:1: unknown function 'frobnicate'; 'laneway help encodings' lists "
                             "the functions, and 'laneway help operations' those of "
                             "'laneway calc'\n  frobnicate(2)\n"
                             "  ^~~~~~~~~~\n");
    refused("linear(2)", "1:1: 'linear' is not a function: write '#ttg.linear<{...}>'\n"
                         "  linear(2)\n  ^~~~~~\n");
    refused("x * local(2)", "1:1: unknown name 'x'\n  x * local(2)\n  ^\n");
    refused("x = local(2); (y)", "1:16: unknown name 'y'\n  x = local(2); (y)\n"
                                 "                 ^\n");
    refused("local(2).RegisterLayout([2], [2], [], [0])",
            "1:10: 'RegisterLayout' is not a method: it makes a layout from numbers alone\n"
            "  local(2).RegisterLayout([2], [2], [], [0])\n"
            "           ^~~~~~~~~~~~~~\n");
}

static void test_arguments(void **unused)
{
    (void)unused;
    refused("spatial(2, 3, rank=[1, 0])",
            "1:15: 'spatial' has no argument 'rank'; did you mean 'ranks'?\n"
            "  spatial(2, 3, rank=[1, 0])\n                ^~~~\n");
    refused("spatial(2, base=local(2))", "1:12: 'spatial' has no argument 'base'\n"
                                         "  spatial(2, base=local(2))\n"
                                         "             ^~~~\n");
    refused("spatial(shape=[2])", "1:9: 'spatial' has no argument 'shape'\n"
                                  "  spatial(shape=[2])\n          ^~~~~\n");
    refused("spatial([2, 3])", "1:9: the sizes of 'spatial' are integers: spatial(8, 4)\n"
                               "  spatial([2, 3])\n          ^~~~~~\n");
    refused("spatial('a')", "1:9: the sizes of 'spatial' are integers: spatial(8, 4)\n"
                            "  spatial('a')\n          ^~~\n");
    refused("spatial(ranks=[0], 2)",
            "1:20: an argument without a name may not follow one with a name\n"
            "  spatial(ranks=[0], 2)\n                     ^\n");
    refused("reduce(3, dims=[0])", "1:8: 'reduce' needs a layout for 'layout'\n"
                                   "  reduce(3, dims=[0])\n         ^\n");
    refused("reduce(local(2), [0], True, 4)", "1:29: too many arguments for 'reduce'\n"
                                              "  reduce(local(2), [0], True, 4)\n"
                                              "                              ^\n");
    refused("reduce(local(2), dims=[0], dims=[1])", "1:28: duplicate parameter 'dims'\n"
                                                    "  reduce(local(2), dims=[0], dims=[1])\n"
                                                    "                             ^~~~\n");
}

static void test_syntax(void **unused)
{
    (void)unused;
    refused("spatial(2, 3", "1:13: expected ',' or ')', but the text ends here\n"
                            "  spatial(2, 3\n              ^\n");
    refused("spatial(2, 3))",
            "1:14: expected an operator, '.' or the end of the expression, found ')'\n"
            "  spatial(2, 3))\n               ^\n");
    refused("spatial(2 3)", "1:11: expected ',' or ')', found '3'\n"
                            "  spatial(2 3)\n            ^\n");
    refused("spatial(2,, 3)", "1:11: expected a value, found ','\n"
                              "  spatial(2,, 3)\n            ^\n");
    refused("spatial(2, 3).", "1:15: expected the name of a function, but the text ends here\n"
                              "  spatial(2, 3).\n                ^\n");
    refused("spatial(2).local", "1:12: '.local' lacks its arguments: write .local(...)\n"
                                "  spatial(2).local\n             ^~~~~\n");
    refused("spatial(2, 3) *", "1:16: expected a value, but the text ends here\n"
                               "  spatial(2, 3) *\n                 ^\n");
    refused("* spatial(2)", "1:1: expected a value, found '*'\n  * spatial(2)\n  ^\n");
    refused("spatial(2, 3) * 4", "1:15: '*' needs a layout on both sides\n"
                                 "  spatial(2, 3) * 4\n                ^\n");
    refused("(1, 2) / spatial(2)", "1:8: '/' needs a layout on both sides\n"
                                   "  (1, 2) / spatial(2)\n         ^\n");
    refused("spatial(2, 3) + local(2, 2)",
            "1:15: '+' is not for layouts of tilus here: 'laneway calc' evaluates it\n"
            "  spatial(2, 3) + local(2, 2)\n                ^\n");
    refused("local(2) local(3)",
            "1:10: expected an operator, '.' or the end of the expression, found 'local'\n"
            "  local(2) local(3)\n           ^~~~~\n");
    refused("(1, 2)",
            "1:1: a shape alone is not a layout: one of CuTe has a stride too, (4,8):(8,1)\n"
            "  (1, 2)\n  ^~~~~~\n");
    refused("local(2", "1:8: expected ',' or ')', but the text ends here\n  local(2\n"
                       "         ^\n");
    refused("local(2.5)", "1:7: 2.5 is not an integer\n  local(2.5)\n        ^~~\n");
}

/* ---- Hostile input ---- */

static void too_much(const char *text, const char *message)
{
    struct lw_document doc;
    struct lw_error err;
    assert_false(lw_document_open(&doc, text, NULL, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    assert_string_equal(err.message, message);
}

static void repeated(const char *before, const char *piece, int count, const char *message)
{
    struct lw_text text = {0};
    lw_text_add(&text, before);
    for (int i = 0; i < count; i++)
        lw_text_add(&text, piece);
    too_much(lw_text_string(&text), message);
    lw_text_free(&text);
}

static void test_depth(void **unused)
{
    (void)unused;
    static const char deep[] = "nested too deeply: at most 64 levels are read";
    static const char chain[] = "layouts in layouts, or calls in a chain, more than 64 deep";
    repeated("", "(", 10000, deep);
    repeated("local(", "[", 10000, deep);
    repeated("", "reduce(", 10000, deep);
    repeated("local(1)", ".local(1)", 1000, chain);
    repeated("local(1)", " * local(1)", 1000, chain);
    repeated("local(1)", ".local(1)", 64, chain);
    struct lw_text text = {0};
    struct lw_document doc;
    lw_text_add(&text, "local(1)");
    for (int i = 0; i < 63; i++)
        lw_text_add(&text, ".local(1)");
    open_source(&doc, lw_text_string(&text));
    round_trip(&doc);
    lw_document_free(&doc);
    lw_text_free(&text);
}

static void test_doubling(void **unused)
{
    (void)unused;
    repeated("x = local(1)\n", "x = x * x\n", 60, "more than 4096 layouts in one text");
    struct lw_text text = {0};
    for (int i = 0; i < 100; i++)
        lw_text_format(&text, "x%d = local(1)\n", i);
    too_much(lw_text_string(&text), "more than 64 names are set in one text");
    lw_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),       cmocka_unit_test(test_golden_errors),
        cmocka_unit_test(test_printing),     cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_machine_form), cmocka_unit_test(test_names),
        cmocka_unit_test(test_arguments),    cmocka_unit_test(test_syntax),
        cmocka_unit_test(test_depth),        cmocka_unit_test(test_doubling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
