/* Linear layouts as Triton prints them, read. Texts of the witness are in golden_algebra_test.c. */

#include "notation_help.h"

#include <string.h>
#include <unistd.h>

#define OUTS "where out dims are: [dim0 (size 4), dim1 (size 2)]"

static const char printed[] = "\n - register=1 -> (1, 0)\n"
                              "   register=2 -> (2, 0)\n"
                              " - lane=1 -> (0, 1)\n"
                              " - warp is a size 1 dimension\n" OUTS;
static const char machine[] =
    "{\"in\":[[\"register\",4],[\"lane\",2],[\"warp\",1]],\"out\":[[\"dim0\",4],[\"dim1\",2]],"
    "\"bases\":{\"register\":[[1,0],[2,0]],\"lane\":[[0,1]],\"warp\":[]},"
    "\"surjective\":true,\"injective\":true}";

static void test_reads(void **unused)
{
    (void)unused;
    struct lw_document doc;
    builds(printed, machine);
    builds(printed + 1, machine);
    builds("- register=1->(1,0) register=2->(2,0)\r\n\t- lane=1 -> (0 ,1) - warp is a size 1 "
           "dimension where out dims are:[dim0 (size 4),dim1(size 2)]\n\n",
           machine);
    builds("(empty layout)", "{\"in\":[],\"out\":[],\"bases\":{},\"surjective\":true,"
                             "\"injective\":true}");
    builds("\n(empty layout with out-dims [dim0 (size 4)])",
           "{\"in\":[],\"out\":[[\"dim0\",4]],\"bases\":{},\"surjective\":false,"
           "\"injective\":true}");
    builds("- r=1 -> () where out dims are: []", "{\"in\":[[\"r\",2]],\"out\":[],\"bases\":{\"r\":"
                                                 "[[]]},\"surjective\":true,\"injective\":false}");
    open_source(&doc, printed);
    assert_int_equal(doc.notation, LW_NOTATION_TOSTRING);
    lw_document_free(&doc);
}

/* In a document, as a parameter that is an encoding, with the tensor beside it. */
static void test_inside(void **unused)
{
    (void)unused;
    struct lw_open_options options = {.type = "tensor<4x2xf16>"};
    struct lw_document doc;
    builds("{\"source\": \"- lane=1 -> (1)\\nwhere out dims are: [x (size 2)]\"}",
           "{\"in\":[[\"lane\",2]],\"out\":[[\"x\",2]],\"bases\":{\"lane\":[[1]]},"
           "\"surjective\":true,\"injective\":true}");
    refused("{\"source\": \"- lane=1 -> 1\"}", "1:25: expected '(', found '1'\n"
                                               "  {\"source\": \"- lane=1 -> 1\"}\n"
                                               "                          ^\n");
    assert_true(lw_document_open(&doc, printed, &options, NULL));
    assert_int_equal(doc.tensor.element.bits, 16);
    lw_document_free(&doc);
}

static void test_text_files(void **unused)
{
    (void)unused;
    char path[] = "/tmp/laneway-XXXXXX.txt";
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, printed, strlen(printed)), strlen(printed));
    builds(path, machine);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    assert_int_equal(write(fd, "a name    ", 10), 10);
    assert_int_equal(ftruncate(fd, 10), 0);
    refused(path,
            "'a name    ' is not a layout: expected a JSON document, an MLIR type or attribute, "
            "a tilus expression, a CuTe layout or CUDA C++\n");
    close(fd);
    remove(path);
    refused("nowhere.txt", "nowhere.txt: No such file or directory\n");
}

static void test_refused(void **unused)
{
    (void)unused;
    refused("- lane=1 -> (1, 0)", "1:19: expected '- ' and an in-dim or 'where out dims are: "
                                  "[...]', but the text ends here\n"
                                  "  - lane=1 -> (1, 0)\n"
                                  "                    ^\n");
    refused("- lane=2 -> (1)",
            "1:3: lane=2, but expected lane=1: the bases are those of 1, 2, 4, ...\n"
            "  - lane=2 -> (1)\n"
            "    ^~~~~~\n");
    refused("- lane is a size 2 dimension", "1:3: a dim without bases must have size 1\n"
                                            "  - lane is a size 2 dimension\n"
                                            "    ^~~~~~~~~~~~~~~~~~~~~~~~~~\n");
    refused("lane=1 -> (1, 0)\n" OUTS, "1:1: expected '- ' and an in-dim, found 'lane'\n"
                                       "  lane=1 -> (1, 0)\n"
                                       "  ^~~~\n");
    refused("- lane=1 -> (-1, 0)", "1:14: expected an integer, found '-'\n"
                                   "  - lane=1 -> (-1, 0)\n"
                                   "               ^\n");
    refused("- lane=1 -> (9223372036854775808)",
            "1:14: 9223372036854775808: integers must be below 2^63\n"
            "  - lane=1 -> (9223372036854775808)\n"
            "               ^~~~~~~~~~~~~~~~~~~\n");
    refused("(empty layout) where", "1:16: expected the end, found 'where'\n"
                                    "  (empty layout) where\n"
                                    "                 ^~~~~\n");
}

static void test_not_built(void **unused)
{
    (void)unused;
    not_built("- lane=1 -> (4, 0)\n" OUTS, "1:1: basis 0 of lane is 4 in dim0: it must be below "
                                           "the size, 4\n"
                                           "  - lane=1 -> (4, 0)\n"
                                           "  ^\n");
    not_built("- lane=1 -> (1)\nwhere out dims are: [x (size 3)]",
              "1:1: out = [[\"x\", 3]]: each size must be a power of two\n"
              "  - lane=1 -> (1)\n"
              "  ^\n");
}

/* Every text that lost its end, and texts that go on and on. */
static void test_hostile(void **unused)
{
    (void)unused;
    struct lw_error err = {0};
    struct lw_text text = {0};
    struct lw_document doc;
    for (size_t n = 1; n + 1 < sizeof printed; n++) {
        assert_false(lw_document_read(&doc, printed, n, NULL, &err));
        assert_int_not_equal(err.code, LW_OK);
    }
    for (int i = 0; i < 20000; i++)
        lw_text_format(&text, "- d%d is a size 1 dimension\n", i);
    assert_false(lw_document_read(&doc, lw_text_string(&text), text.length, NULL, &err));
    assert_non_null(strstr(err.message, "where out dims are"));
    lw_text_clear(&text);
    lw_text_add(&text, "- x");
    for (int i = 0; i < 64; i++)
        lw_text_format(&text, "%s=%llu -> ()\n", i ? "x" : "", 1ULL << i);
    assert_false(lw_document_read(&doc, lw_text_string(&text), text.length, NULL, &err));
    assert_string_equal(err.message, "more than 62 bases of x");
    lw_text_clear(&text);
    lw_text_add(&text, "- x=1 -> (0");
    for (int i = 0; i < 100000; i++)
        lw_text_add(&text, ", 0");
    lw_text_add(&text, ") where out dims are: []");
    assert_true(lw_document_read(&doc, lw_text_string(&text), text.length, NULL, &err));
    assert_false(lw_document_check(&doc, &err));
    lw_document_free(&doc);
    lw_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),      cmocka_unit_test(test_inside),
        cmocka_unit_test(test_text_files), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_not_built),  cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
