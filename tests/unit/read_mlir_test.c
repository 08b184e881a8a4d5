/* MLIR attributes and types: Triton's own text comes back exactly, and errors have positions. */

#include "notation_help.h"

/* ---- Triton's text ---- */

struct count {
    int read, skipped;
};

/* Whether every encoding that a type names is one that we know. */
static bool all_known(const char *source)
{
    for (const char *p = source; (p = strchr(p, '#')) != NULL; p++) {
        char name[64];
        const char *dot = strchr(p, '.');
        if (!dot || sscanf(dot + 1, "%63[a-zA-Z0-9_]", name) != 1)
            return false;
        if (strcmp(name, "shared_memory") != 0 && !lw_encoding_type_find(name))
            return false;
    }
    return true;
}

static void visit(const char *source, void *context)
{
    struct count *count = context;
    if (!all_known(source)) {
        count->skipped++;
        return;
    }
    struct lw_document doc;
    struct lw_text text = {0};
    open_source(&doc, source);
    lw_document_source(&text, &doc);
    assert_string_equal(lw_text_string(&text), source);
    lw_text_free(&text);
    round_trip(&doc);
    lw_document_free(&doc);
    count->read++;
}

static void test_golden(void **unused)
{
    (void)unused;
    struct count count = {0, 0};
    each_source("triton37_encodings.jsonl", visit, &count);
    each_source("triton_views.jsonl", visit, &count);
    each_source("triton36_encodings.jsonl", visit, &count);
    assert_int_equal(count.skipped, 0);
    assert_true(count.read > 6000);
}

/* ---- Spellings ---- */

#define LINEAR "#ttg.linear<{register = [[0, 1]], lane = [[1, 0]], block = []}>"

static void test_spellings(void **unused)
{
    (void)unused;
    prints("#ttg.linear<{register=[[0,1]],lane=[[1,0]]}>", LINEAR);
    prints("#triton_gpu.linear<{register = [[0, 1]], lane = [[1, 0]]}>", LINEAR);
    prints("#ttg.linear <\n{ register = [[0, 1]],\n lane = [[1, 0]] , } >", LINEAR);
}

static void test_more_spellings(void **unused)
{
    (void)unused;
    prints("#ttg.linear<register = [[0, 1]], lane = [[1, 0]]>", LINEAR);
    prints("#ttg.linear<{register = [[0, 1]]}, lane = [[1, 0]]>", LINEAR);
    prints("#ttg.linear<{}>", "#ttg.linear<{block = []}>");
    prints("#ttg.linear<>", "#ttg.linear<{block = []}>");
    prints("tensor<2x2xf16, " LINEAR ">", "tensor<2x2xf16, " LINEAR ">");
    prints("tensor < 2x2x f16 , " LINEAR " > ", "tensor<2x2xf16, " LINEAR ">");
    prints("tensor<2x2, " LINEAR ">", "tensor<2x2, " LINEAR ">");
    prints("tensor<64x!tt.ptr<f32>, " LINEAR ">", "tensor<64x!tt.ptr<f32>, " LINEAR ">");
    prints("tensor<64x!tt.ptr<f32, 1>, " LINEAR ">", "tensor<64x!tt.ptr<f32, 1>, " LINEAR ">");
    prints("tensor<f32, #ttg.linear<{}>>", "tensor<f32, #ttg.linear<{block = []}>>");
    prints("tensor<1073741824x4611686018427387904xi1, " LINEAR ">",
           "tensor<1073741824x4611686018427387904xi1, " LINEAR ">");
}

/* What equals the default is left out, a mistake never. */
static void test_silent(void **unused)
{
    (void)unused;
#define MFMA                                                                                       \
    "#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], "                 \
    "isTransposed = true"
#define WMMA "#ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[0, 1]]}"
    prints(MFMA ", tilesPerWarp = [1, 1], elementBitWidth = 32, CGALayout = []}>", MFMA "}>");
    prints(MFMA ", tilesPerWarp = [1, 1, 1]}>", MFMA ", tilesPerWarp = [1, 1, 1]}>");
    prints(MFMA ", tilesPerWarp = [1]}>", MFMA ", tilesPerWarp = [1]}>");
    prints(MFMA ", tilesPerWarp = []}>", MFMA ", tilesPerWarp = []}>");
    prints(MFMA ", tilesPerWarp = [1, 2]}>", MFMA ", tilesPerWarp = [1, 2]}>");
    prints(WMMA ", instrShape = [16, 16, 16]}>", WMMA "}>");
    prints(WMMA ", instrShape = [16, 16]}>", WMMA ", instrShape = [16, 16]}>");
    prints(WMMA ", instrShape = []}>", WMMA ", instrShape = []}>");
}

static void test_memdesc(void **unused)
{
    (void)unused;
    static const char *const types[] = {
        "!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "
        "order = [1, 0]}>, #smem, mutable, 2x64x64>",
        "!tt.memdesc<64x64xf16, #triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 8, "
        "order = [1, 0], hasLeadingOffset = false}>, #triton_gpu.shared_memory>"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct lw_document doc;
        open_source(&doc, types[i]);
        assert_int_equal(doc.tensor.rank, 2);
        round_trip(&doc);
        lw_document_free(&doc);
    }
}

/* ---- Errors ---- */

static void test_attribute_errors(void **unused)
{
    (void)unused;
    refused("#ttg.linear<{hasLeadingOffset = false}>",
            "1:14: linear has no parameter 'hasLeadingOffset'; it has register, lane, warp, "
            "block\n"
            "  #ttg.linear<{hasLeadingOffset = false}>\n"
            "               ^~~~~~~~~~~~~~~~\n");
    refused("#blocked",
            "1:1: '#blocked' is an alias that is not defined in this text: write the attribute "
            "itself, '#ttg.blocked<{...}>'\n  #blocked\n  ^~~~~~~~\n");
    refused("#linear", "1:1: '#linear' is an alias that is not defined in this text: write the "
                       "attribute itself, '#ttg.linear<{...}>'\n  #linear\n  ^~~~~~~\n");
    refused("#tgt.linear<{}>", "1:2: unknown dialect 'tgt': layouts are in 'ttg' and 'ttng'\n"
                               "  #tgt.linear<{}>\n   ^~~\n");
    refused("#arith.linear<{}>", "1:2: unknown dialect 'arith': layouts are in 'ttg' and 'ttng'\n"
                                 "  #arith.linear<{}>\n   ^~~~~\n");
    refused("#ttg.linaer<{}>", "1:6: unknown encoding 'linaer'; did you mean 'linear'?\n"
                               "  #ttg.linaer<{}>\n       ^~~~~~\n");
    refused("#a = #ttg.linear<{}>\nmodule attributes {} {",
            "2:1: this is a whole kernel, not a layout: save it as a .ttgir file and open that\n"
            "  module attributes {} {\n"
            "  ^~~~~~\n");
    refused("#ttg.linear<{regster = []}>",
            "1:14: linear has no parameter 'regster'; did you mean 'register'?\n"
            "  #ttg.linear<{regster = []}>\n               ^~~~~~~\n");
    refused("#ttg.linear<{lane = [],\n  lane = []}>", "2:3: duplicate parameter 'lane'\n"
                                                      "    lane = []}>\n    ^~~~\n");
    refused("#ttg.linear<{lane}>", "1:18: expected '=', found '}'\n  #ttg.linear<{lane}>\n"
                                   "                   ^\n");
    refused("#ttg.linear<{lane = }>", "1:21: expected a value, found '}'\n"
                                      "  #ttg.linear<{lane = }>\n"
                                      "                      ^\n");
    refused("#ttg.linear<{lane = []", "1:23: expected ',' or '}', but the text ends here\n"
                                      "  #ttg.linear<{lane = []\n"
                                      "                        ^\n");
    refused("#ttg.linear<{lane = []}", "1:24: expected ',' or '>', but the text ends here\n"
                                       "  #ttg.linear<{lane = []}\n"
                                       "                         ^\n");
    refused("#ttg.linear<{lane = []}> x", "1:26: expected the end, found 'x'\n"
                                          "  #ttg.linear<{lane = []}> x\n"
                                          "                           ^\n");
    refused("#ttg.linear<{lane = [[0, 1.5]]}>", "1:26: 1.5 is not an integer\n"
                                                "  #ttg.linear<{lane = [[0, 1.5]]}>\n"
                                                "                           ^~~\n");
    refused("#ttg.local<{}>", "1:6: 'local' is a function: write local(...)\n"
                              "  #ttg.local<{}>\n       ^~~~~\n");
}

static void test_type_errors(void **unused)
{
    (void)unused;
    refused("tensor<16x64xf16>",
            "1:1: this type has no encoding: tensor<16x64xf16, #ttg.blocked<{...}>>\n"
            "  tensor<16x64xf16>\n  ^~~~~~~~~~~~~~~~~\n");
    refused("tensor<16x64xf17, #ttg.linear<{}>>",
            "1:14: unknown element type 'f17'; did you mean 'f16'?\n"
            "  tensor<16x64xf17, #ttg.linear<{}>>\n               ^~~\n");
    refused("tensor<16x?xf16, #ttg.linear<{}>>",
            "1:11: the size '?' is not supported: it must be a number\n"
            "  tensor<16x?xf16, #ttg.linear<{}>>\n            ^\n");
    refused("tensor<16x0xf16, #ttg.linear<{}>>", "1:11: size 0: must be from 1 to 2^62\n"
                                                 "  tensor<16x0xf16, #ttg.linear<{}>>\n"
                                                 "            ^\n");
    refused("tensor<9999999999999999999xf16, #ttg.linear<{}>>",
            "1:8: 9999999999999999999: integers must be below 2^63\n"
            "  tensor<9999999999999999999xf16, #ttg.linear<{}>>\n"
            "         ^~~~~~~~~~~~~~~~~~~\n");
    refused("tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf16, "
            "#ttg.linear<{}>>",
            "1:72: a tensor has at most 32 dims\n"
            "  tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf16, "
            "#ttg.linear<{}>>\n"
            "                                                                         ^\n");
    refused("tensor<16x64xf16, blocked>",
            "1:19: expected an encoding such as '#ttg.blocked<{...}>', found 'blocked'\n"
            "  tensor<16x64xf16, blocked>\n                    ^~~~~~~\n");
    refused(
        "tensor<16xf16, #blocked>",
        "1:16: '#blocked' is an alias that is not defined in this text: write the attribute "
        "itself, '#ttg.blocked<{...}>'\n  tensor<16xf16, #blocked>\n                 ^~~~~~~~\n");
    refused("tensor<16xf16, #ttg.linear<{}>", "1:31: expected '>', but the text ends here\n"
                                              "  tensor<16xf16, #ttg.linear<{}>\n"
                                              "                                ^\n");
    refused("!ttg.tensor<1>", "1:6: expected 'memdesc', found 'tensor'\n  !ttg.tensor<1>\n"
                              "       ^~~~~~\n");
    refused("!ttg.memdesc<2xf16, #ttg.linear<{}>, constant>",
            "1:38: expected a memory space, 'mutable' or a shape, found 'constant'\n"
            "  !ttg.memdesc<2xf16, #ttg.linear<{}>, constant>\n"
            "                                       ^~~~~~~~\n");
}

/* ---- Hostile input ---- */

static void test_depth(void **unused)
{
    (void)unused;
    struct lw_text text = {0};
    struct lw_document doc;
    struct lw_error err;
    lw_text_add(&text, "#ttg.linear<{lane = ");
    lw_text_repeat(&text, '[', 10000);
    assert_false(lw_document_open(&doc, lw_text_string(&text), NULL, &err));
    assert_string_equal(err.message, "nested too deeply: at most 64 levels are read");
    lw_text_clear(&text);
    for (int i = 0; i < 10000; i++)
        lw_text_add(&text, "#ttg.linear<{lane = ");
    assert_false(lw_document_open(&doc, lw_text_string(&text), NULL, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    lw_text_free(&text);
}

static void test_bad_integers(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
    } rows[] = {{"4 : i32", "expected a number, a string, a list, an object or a layout of tilus, "
                            "found '4 : i32'"},
                {"4 :", "expected a stride, found '}'"},
                {"0x4", "0x4 is not an integer"},
                {"4x", "4x is not an integer"},
                {"9223372036854775808", "9223372036854775808: integers must be below 2^63"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lw_text text = {0};
        struct lw_document doc;
        struct lw_error err = {0};
        lw_text_format(&text, "#ttg.slice<{dim = %s}>", rows[i].text);
        assert_false(lw_document_open(&doc, lw_text_string(&text), NULL, &err));
        assert_string_equal(err.message, rows[i].message);
        assert_int_equal(err.position.line, 1);
        lw_text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_integers),
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_more_spellings),
        cmocka_unit_test(test_silent),
        cmocka_unit_test(test_memdesc),
        cmocka_unit_test(test_attribute_errors),
        cmocka_unit_test(test_type_errors),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
