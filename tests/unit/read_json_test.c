/* JSON documents: every key, and every problem with its position. */

#include "notation_help.h"

static void test_documents(void **unused)
{
    (void)unused;
    static const char linear[] = "#ttg.linear<{register = [[0, 1]], lane = [[1, 0]], block = []}>";
    prints("{\"laneway\": 1, \"encoding\": \"linear\", "
           "\"params\": {\"register\": [[0, 1]], \"lane\": [[1, 0]]}}",
           linear);
    prints("{\"encoding\": \"linear\", \"bases\": {\"register\": [[0, 1]], \"lane\": [[1, 0]]}}",
           linear);
    prints("{\"source\": \"#ttg.linear<{register = [[0, 1]], lane = [[1, 0]]}>\"}", linear);
    prints("{\"source\": \"{\\\"source\\\": \\\"local(2)\\\"}\"}", "local(2)");
    prints("{\"encoding\": \"linear\", \"shape\": [2, 2], \"element\": \"half\", \"params\": {}}",
           "tensor<2x2xf16, #ttg.linear<{block = []}>>");
    prints("{\"encoding\": \"spatial\", \"params\": {\"shape\": [8, 4], "
           "\"base\": {\"encoding\": \"local\", \"params\": {\"shape\": [2, 1]}}}}",
           "local(2, 1).spatial(8, 4)");
    prints(
        "{\"encoding\": \"spatial\", \"params\": {\"shape\": [8, 4], \"base\": \"local(2, 1)\"}}",
        "local(2, 1).spatial(8, 4)");
}

static void test_load(void **unused)
{
    (void)unused;
    struct lw_document doc;
    open_source(&doc, "{\"source\": \"local(2)\", \"view\": \"banks\", \"cell\": \"{local}\", "
                      "\"load\": {\"source\": \"local(4)\", \"shape\": [4]}}");
    assert_non_null(doc.others[LW_SIDE_B].encoding);
    assert_int_equal(doc.others[LW_SIDE_B].tensor.shape[0], 4);
    assert_string_equal(doc.view, "banks");
    assert_string_equal(doc.cell, "{local}");
    round_trip(&doc);
    lw_document_free(&doc);
    open_source(&doc, "{\"source\": \"local(2)\", \"load\": \"tensor<4xf16, #ttg.linear<{}>>\"}");
    assert_string_equal(doc.others[LW_SIDE_B].tensor.element.name, "f16");
    round_trip(&doc);
    lw_document_free(&doc);
}

static void test_deep_load(void **unused)
{
    (void)unused;
    refused(
        "{\"source\": \"local(2)\", \"load\": {\"source\": \"local(2)\", \"load\": \"local(2)\"}}",
        "1:55: unknown key 'load'; the parameters of an encoding are inside 'params'\n"
        "  {\"source\": \"local(2)\", \"load\": {\"source\": \"local(2)\", \"load\": "
        "\"local(2)\"}}\n"
        "                                                        ^~~~~~\n");
}

static void test_keys(void **unused)
{
    (void)unused;
    refused("{\"source\": \"local(2)\", \"with\": 1}",
            "1:24: unknown key 'with'; the parameters of an encoding are inside 'params'\n"
            "  {\"source\": \"local(2)\", \"with\": 1}\n"
            "                         ^~~~~~\n");
    refused("{\n  \"encoding\": \"linear\",\n  \"shap\" : [16]\n}",
            "3:3: unknown key 'shap'; did you mean 'shape'?\n"
            "    \"shap\" : [16]\n    ^~~~~~\n");
    refused("{\"encoding\": \"linear\", \"lane\": []}",
            "1:24: unknown key 'lane'; the parameters of an encoding are inside 'params'\n"
            "  {\"encoding\": \"linear\", \"lane\": []}\n"
            "                         ^~~~~~\n");
    refused("{\"encoding\": \"linear\", \"registers\": []}",
            "1:24: unknown key 'registers'; the parameters of an encoding are inside 'params'\n"
            "  {\"encoding\": \"linear\", \"registers\": []}\n"
            "                         ^~~~~~~~~~~\n");
    refused("{\"encoding\": \"linear\", \"params\": {\"lanes\": []}}",
            "1:35: linear has no parameter 'lanes'; did you mean 'lane'?\n"
            "  {\"encoding\": \"linear\", \"params\": {\"lanes\": []}}\n"
            "                                    ^~~~~~~\n");
    refused("{\"encoding\": \"linear\", \"in\": []}",
            "1:24: 'in' is not a key of the encoding 'linear'\n"
            "  {\"encoding\": \"linear\", \"in\": []}\n"
            "                         ^~~~\n");
    refused("{\"encoding\": \"linaer\"}",
            "1:14: unknown encoding 'linaer'; did you mean 'linear'?\n"
            "  {\"encoding\": \"linaer\"}\n               ^~~~~~~~\n");
    refused("{\"source\": \"local(2)\", \"encoding\": \"linear\"}",
            "1:24: 'source' and 'encoding' both set the layout: omit one of them\n"
            "  {\"source\": \"local(2)\", \"encoding\": \"linear\"}\n"
            "                         ^~~~~~~~~~\n");
    refused("{}", "1:1: a layout needs 'encoding' with 'params', or 'source', or 'bases'\n"
                  "  {}\n  ^~\n");
}

static void test_types(void **unused)
{
    (void)unused;
    refused("{\"source\": 3}", "1:12: 'source' must be a string\n  {\"source\": 3}\n"
                               "             ^\n");
    refused("{\"encoding\": [1]}", "1:14: 'encoding' must be a string\n  {\"encoding\": [1]}\n"
                                   "               ^~~\n");
    refused("{\"source\": \"local(2)\", \"title\": 1}",
            "1:33: 'title' must be a string\n  {\"source\": \"local(2)\", \"title\": 1}\n"
            "                                  ^\n");
    refused("{\"laneway\": 2, \"source\": \"local(2)\"}",
            "1:13: 'laneway' must be 1, the version of the format\n"
            "  {\"laneway\": 2, \"source\": \"local(2)\"}\n              ^\n");
    refused("{\"encoding\": \"linear\", \"params\": []}",
            "1:34: 'params' must be an object: {\"name\": value, ...}\n"
            "  {\"encoding\": \"linear\", \"params\": []}\n"
            "                                   ^~\n");
    refused("{\"source\": \"local(2)\", \"shape\": 2}",
            "1:33: 'shape' must be a list of integers, such as [16, 64]\n"
            "  {\"source\": \"local(2)\", \"shape\": 2}\n"
            "                                  ^\n");
    refused("{\"source\": \"local(2)\", \"shape\": [2, 0]}",
            "1:37: 'shape': each entry must be an integer from 1 to 2^62\n"
            "  {\"source\": \"local(2)\", \"shape\": [2, 0]}\n"
            "                                      ^\n");
    refused("{\"source\": \"local(2)\", \"shape\": "
            "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}",
            "1:33: 'shape' has 33 entries: a tensor has at most 32 dims\n"
            "  {\"source\": \"local(2)\", \"shape\": "
            "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}\n"
            "                                  "
            "^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
    refused("{\"source\": \"local(2)\", \"element\": \"f17\"}",
            "1:35: unknown element type 'f17'; did you mean 'f16'?\n"
            "  {\"source\": \"local(2)\", \"element\": \"f17\"}\n"
            "                                    ^~~~~\n");
    refused("{\"source\": \"local(2)\", \"type\": \"2xf16\"}",
            "1:24: unknown key 'type'; the parameters of an encoding are inside 'params'\n"
            "  {\"source\": \"local(2)\", \"type\": \"2xf16\"}\n"
            "                         ^~~~~~\n");
}

static void test_syntax(void **unused)
{
    (void)unused;
    refused("{\"encoding\"", "1:12: expected ':', but the text ends here\n  {\"encoding\"\n"
                             "             ^\n");
    refused("{\"a\":1 \"b\"}", "1:8: expected ',' or '}', found '\"'\n  {\"a\":1 \"b\"}\n"
                               "         ^\n");
    refused("{\"a\":[1 2]}", "1:9: expected ',' or ']', found '2'\n  {\"a\":[1 2]}\n"
                             "          ^\n");
    refused("{\"a\":[1, 2}", "1:11: expected ',' or ']', found '}'\n  {\"a\":[1, 2}\n"
                             "            ^\n");
    refused("{\"a\":1,}", "1:8: expected a name in double quotes, found '}'\n  {\"a\":1,}\n"
                          "         ^\n");
    refused("{a:1}", "1:2: expected a name in double quotes, found 'a'\n  {a:1}\n   ^\n");
    refused("{\"a\":\n [1, 2",
            "2:7: expected ',' or ']', but the text ends here\n   [1, 2\n        ^\n");
    refused("{\"a\":}", "1:6: expected a value, found '}'\n  {\"a\":}\n       ^\n");
    refused("{\"a\":", "1:6: expected a value, but the text ends here\n  {\"a\":\n       ^\n");
    refused("{\"a\":\"b}", "1:6: this string has no closing \"\n  {\"a\":\"b}\n       ^~~\n");
    refused("{\"a\":\"b\n\"}", "1:6: this string has no closing \"\n  {\"a\":\"b\n       ^~\n");
    refused("{} {}", "1:4: expected the end of the document, found '{'\n  {} {}\n     ^\n");
    refused("{\"source\": \"local(2)\"} // no",
            "1:24: expected the end of the document, found '/'\n"
            "  {\"source\": \"local(2)\"} // no\n                         ^\n");
    refused("{\"a\":yes}", "1:6: unknown name 'yes'\n  {\"a\":yes}\n"
                           "       ^~~\n");
    refused("{\"source\":null}", "1:11: unknown name 'null'\n"
                                 "  {\"source\":null}\n            ^~~~\n");
    refused("{\"source\":\"\",\"source\":1}", "1:14: duplicate key 'source'\n"
                                              "  {\"source\":\"\",\"source\":1}\n"
                                              "               ^~~~~~~~\n");
}

static void test_escapes(void **unused)
{
    (void)unused;
    struct lw_document doc;
    open_source(&doc, "{\"source\": \"local(2)\", \"title\": \"\\u00e9\\ud83d\\ude00\\n\\/\\\"\"}");
    assert_string_equal(doc.title, "\xc3\xa9\xf0\x9f\x98\x80\n/\"");
    round_trip(&doc);
    lw_document_free(&doc);
    /* What is no character is the character that stands for one; an unknown escape is its character. */
    open_source(&doc, "{\"source\": \"local(2)\", \"title\": \"\\u0000\\ud800\\x\"}");
    assert_string_equal(doc.title, "\xef\xbf\xbd\xef\xbf\xbdx");
    lw_document_free(&doc);
}

/* With an escape before it, positions inside a string are unknown: the whole string is underlined. */
static void test_escaped_positions(void **unused)
{
    (void)unused;
    refused("{\"source\": \"lokal(2)\"}", "1:13: unknown function 'lokal'; did you mean 'local'?\n"
                                          "  {\"source\": \"lokal(2)\"}\n              ^~~~~\n");
    refused("{\"source\": \"\\u006cokal(2)\"}",
            "1:12: unknown function 'lokal'; did you mean 'local'?\n"
            "  {\"source\": \"\\u006cokal(2)\"}\n             ^~~~~~~~~~~~~~~\n");
    refused("{\"load\": 1, \"a\\\"b\": 2}",
            "1:13: unknown key 'a\"b'; the parameters of an encoding "
            "are inside 'params'\n"
            "  {\"load\": 1, \"a\\\"b\": 2}\n"
            "              ^~~~~~\n");
}

static void bad_number(const char *number, const char *message)
{
    char text[300];
    struct lw_document doc;
    struct lw_error err;
    snprintf(text, sizeof text, "{\"source\": \"local(2)\",\n\"shape\": [%s]}", number);
    assert_false(lw_document_open(&doc, text, NULL, &err));
    assert_string_equal(err.message, message);
    assert_int_equal(err.position.line, 2);
    assert_int_equal(err.position.column, 11);
    assert_int_equal(err.position.length, strlen(number));
}

static void test_numbers(void **unused)
{
    (void)unused;
    char digits[101];
    struct lw_document doc;
    bad_number("1e400", "1e400 is not an integer");
    bad_number("1.0", "1.0 is not an integer");
    bad_number("NaN", "unknown name 'NaN'");
    bad_number("9223372036854775808", "9223372036854775808: integers must be below 2^63");
    memset(digits, '7', 100);
    digits[100] = '\0';
    bad_number(digits, "7777777777777777777777777777777777777777...: integers must be below 2^63");
    open_source(&doc, "{\"source\": \"local(2)\", \"shape\": [2147483648, 4611686018427387904]}");
    assert_int_equal(doc.tensor.shape[0], (uint64_t)1 << 31);
    assert_int_equal(doc.tensor.shape[1], (uint64_t)1 << 62);
    round_trip(&doc);
    lw_document_free(&doc);
}

static char *repeat(const char *before, const char *piece, size_t count)
{
    struct lw_text text = {0};
    lw_text_add(&text, before);
    for (size_t i = 0; i < count; i++)
        lw_text_add(&text, piece);
    return text.data;
}

static void refused_at(const char *text, enum lw_code code, const char *message)
{
    struct lw_document doc;
    struct lw_error err;
    assert_false(lw_document_open(&doc, text, NULL, &err));
    assert_int_equal(err.code, code);
    assert_string_equal(err.message, message);
}

static void test_hostile(void **unused)
{
    (void)unused;
    char *text = repeat("{\"a\":", "[", 100000);
    refused_at(text, LW_ERROR_LIMIT, "nested too deeply: at most 128 levels are read");
    free(text);
    text = repeat("", "{\"a\":", 100000);
    refused_at(text, LW_ERROR_LIMIT, "nested too deeply: at most 128 levels are read");
    free(text);
    text = repeat("", "{\"encoding\": \"spatial\", \"params\": {\"base\": ", 30);
    refused_at(text, LW_ERROR_SYNTAX, "expected a value, but the text ends here");
    free(text);
    /* Layouts in layouts, each legal alone. */
    text = repeat("", "{\"encoding\":\"spatial\",\"params\":{\"shape\":[1],\"base\":", 40);
    struct lw_text deep = {0};
    lw_text_add(&deep, text);
    lw_text_add(&deep, "\"local(1)");
    for (int i = 0; i < 30; i++)
        lw_text_add(&deep, ".local(1)");
    lw_text_add(&deep, "\"");
    for (int i = 0; i < 40; i++)
        lw_text_add(&deep, "}}");
    refused_at(lw_text_string(&deep), LW_ERROR_LIMIT,
               "layouts in layouts, or calls in a chain, more than 64 deep");
    lw_text_free(&deep);
    free(text);
    refused_at("{\"a\":1,\"b\":2,\"a\":1}", LW_ERROR_NAME, "duplicate key 'a'");
    struct lw_text keys = {0};
    lw_text_char(&keys, '{');
    for (int i = 0; i < 5000; i++)
        lw_text_format(&keys, "%s\"k%d\":1", i ? "," : "", i);
    lw_text_char(&keys, '}');
    refused_at(lw_text_string(&keys), LW_ERROR_LIMIT, "more than 1024 names in one object");
    lw_text_free(&keys);
}

/* Sources in sources, each a string in the other. */
static void test_sources_in_sources(void **unused)
{
    (void)unused;
    char *inner = strdup("local(2)");
    for (int i = 0; i < 9; i++) {
        struct lw_text text = {0};
        lw_text_add(&text, "{\"source\": \"");
        for (const char *p = inner; *p; p++) {
            if (*p == '"' || *p == '\\')
                lw_text_char(&text, '\\');
            lw_text_char(&text, *p);
        }
        lw_text_add(&text, "\"}");
        free(inner);
        inner = text.data;
        if (i < 8) {
            struct lw_document doc;
            open_source(&doc, inner);
            round_trip(&doc);
            lw_document_free(&doc);
        }
    }
    refused_at(inner, LW_ERROR_LIMIT, "sources are nested more than 8 deep");
    free(inner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_documents),
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_deep_load),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_syntax),
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_escaped_positions),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_sources_in_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
