/* The layouts of an access in one text, `A > S > B`: read, with the positions of errors, written back, shown short. */

#include "document_parts.h"

#define A64                                                                                        \
    "tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "            \
    "warpsPerCTA = [4, 1], order = [1, 0]}>>"
#define S64 "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"
#define B64                                                                                        \
    "#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "       \
    "warpsPerCTA = [4, 1], instrShape = [16, 8]}>, kWidth = 2}>"

/* The names of the encodings at each side, "-" where there is none. */
static void check_sides(const char *source, const char *a, const char *s, const char *b)
{
    const char *const expected[LW_SIDES] = {a, s, b};
    struct lw_document doc;
    open_source(&doc, source);
    for (int i = 0; i < LW_SIDES; i++) {
        struct lw_document side;
        struct lw_map map;
        struct lw_error err;
        if (!lw_document_has(&doc, (enum lw_side)i)) {
            assert_string_equal("-", expected[i]);
            continue;
        }
        lw_document_side(&side, &doc, (enum lw_side)i);
        assert_string_equal(side.encoding->type->name, expected[i]);
        if (!lw_document_build(&side, &map, &err))
            fail_msg("%s: %s", source, err.message);
    }
    lw_document_free(&doc);
}

static void test_sides(void **unused)
{
    (void)unused;
    check_sides(A64 " > " S64 " > " B64, "blocked", "swizzled_shared", "dot_op");
    check_sides(A64 " > " S64, "blocked", "swizzled_shared", "-");
    check_sides(A64 " > " B64, "blocked", "-", "dot_op");
    check_sides(S64 " > " A64, "-", "swizzled_shared", "blocked");
    check_sides(A64 " > > " B64, "blocked", "-", "dot_op");
    check_sides("> " S64 " > " A64, "-", "swizzled_shared", "blocked");
    check_sides(A64 " > " S64 " >", "blocked", "swizzled_shared", "-");
    check_sides("local(8, 1).spatial(8, 4) >\n shared_row_major(64, 4)", "spatial",
                "shared_row_major", "-");
    check_sides("spatial(8, 4) > spatial(4, 8).local(2, 1)", "spatial", "-", "local");
    /* CuTe beside registers is memory, also where it could be threads and values of the shape. */
    check_sides(A64 " > (64,64):(64,1)", "blocked", "cute", "-");
    check_sides(A64 " > Sw<3,4,3> o 0 o (64,64):(64,1) > " B64, "blocked", "cute", "dot_op");
    check_sides("mma/m16n8k16.c > SM80_16x8x16_F32F16F16F32_TN.C", "nvidia_mma", "-", "cute");
    check_sides("{\"source\": \"spatial(8, 4)\", \"title\": \" > \"} > spatial(4, 8)", "spatial",
                "-", "spatial");
}

/* A layout without a shape has that of another one, whichever is first. */
static void test_shape(void **unused)
{
    (void)unused;
    struct lw_document doc;
    struct lw_open_options options = {.type = "32x32xf16"};
    open_source(&doc, S64 " > " A64);
    assert_int_equal(doc.side, LW_SIDE_S);
    assert_int_equal(doc.tensor.rank, 2);
    assert_int_equal(doc.tensor.shape[0], 64);
    assert_string_equal(doc.tensor.element.name, "f16");
    lw_document_free(&doc);
    assert_true(lw_document_open(&doc, S64 " > " B64, &options, NULL));
    struct lw_document side;
    lw_document_side(&side, &doc, LW_SIDE_B);
    assert_int_equal(side.tensor.shape[1], 32);
    lw_document_free(&doc);
}

/* A `>` of another kind does not separate. */
static void test_arrows(void **unused)
{
    (void)unused;
    check_sides(
        "- register is a size 1 dimension\n- lane=1 -> (1)\n  lane=2 -> (2)\nwhere out dims "
        "are: [dim0 (size 4)]",
        "bases", "-", "-");
    check_sides("Layout< Shape< _4, _8 > , Stride< _8, _1 > >{}", "cute", "-", "-");
    check_sides("# a > b\nlocal(2, 1) # c > d", "local", "-", "-");
    check_sides("composition((4,8):(8,1), <2:1, 4:1 >)", "cute", "-", "-");
}

static void test_errors(void **unused)
{
    (void)unused;
    refused("spatial(8, 4) > local(2, x)", "1:26: unknown name 'x'\n"
                                           "  spatial(8, 4) > local(2, x)\n"
                                           "                           ^\n");
    refused("spatial(8, 4) >\n  shared_row_major(8, 4) > \n (4,8:(8,1)",
            "3:12: expected ',' or ')', but the text ends here\n"
            "   (4,8:(8,1)\n"
            "             ^\n");
    refused("spatial(8, 4) > {\"source\": 3}", "1:28: 'source' must be a string\n"
                                               "  spatial(8, 4) > {\"source\": 3}\n"
                                               "                             ^\n");
    refused("spatial(8, 4) >", "1:16: expected a layout after '>'\n"
                               "  spatial(8, 4) >\n"
                               "                 ^\n");
    refused(" > spatial(8, 4)", "1:1: expected a layout before '>'\n"
                                "   > spatial(8, 4)\n"
                                "  ^\n");
    refused("> >", "expected 'A > S > B', with one layout at least\n");
    refused("spatial(8, 4) > spatial(8, 4) > spatial(8, 4)",
            "1:17: 'shared' must be a layout in shared memory, and spatial is in registers\n"
            "  spatial(8, 4) > spatial(8, 4) > spatial(8, 4)\n"
            "                  ^~~~~~~\n");
    refused("spatial(8, 4) > mma/m16n8k16.x",
            "1:17: 'mma/m16n8k16.x' is neither a layout nor a name in the gallery; did you mean "
            "'mma/m16n8k16.a'?\n"
            "  spatial(8, 4) > mma/m16n8k16.x\n"
            "                  ^~~~~~~~~~~~~~\n");
    refused("spatial(8, 4) > {\"load\": \"spatial(8, 4)\", \"store\": \"spatial(8, 4)\"}",
            "1:17: this is an access itself: each part of 'A > S > B' is one layout\n"
            "  spatial(8, 4) > {\"load\": \"spatial(8, 4)\", \"store\": \"spatial(8, 4)\"}\n"
            "                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
}

/* A problem that shows only when the layout is built. */
static void test_built_error(void **unused)
{
    (void)unused;
    static const char source[] = "spatial(8, 4) >\n>  spatial(8, 4).local(0)";
    struct lw_document doc, side;
    struct lw_map map;
    struct lw_error err;
    open_source(&doc, source);
    lw_document_side(&side, &doc, LW_SIDE_B);
    assert_false(lw_document_build(&side, &map, &err));
    assert_int_equal(err.position.line, 2);
    assert_int_equal(err.position.column, 24);
    assert_string_equal(err.excerpt, ">  spatial(8, 4).local(0)");
    lw_document_free(&doc);
}

/* A problem in a file that is named in the text. */
static void test_file(void **unused)
{
    (void)unused;
    char path[64] = "/tmp/laneway-access-XXXXXX.json", source[128], expected[512];
    int file = mkstemps(path, 5);
    assert_true(file >= 0 && write(file, "{\n \"shape\": 3}", 14) == 14);
    close(file);
    snprintf(source, sizeof source, "local(2) >\n %s", path);
    snprintf(expected, sizeof expected,
             "2:2: %s:1:1: a layout needs 'encoding' with 'params', or 'source', or 'bases'\n"
             "   %s\n"
             "   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n",
             path, path);
    refused(source, expected);
    remove(path);
}

/* The text that is written, and that reading it gives the same again. */
static void check_written(const char *source, const char *expected)
{
    struct lw_text text = {0}, again = {0};
    struct lw_document doc, read;
    open_source(&doc, source);
    lw_document_print_access(&text, &doc);
    assert_string_equal(lw_text_string(&text), expected ? expected : source);
    open_source(&read, lw_text_string(&text));
    for (int i = 0; i < LW_SIDES; i++) {
        struct lw_document a, b;
        assert_int_equal(lw_document_has(&doc, (enum lw_side)i),
                         lw_document_has(&read, (enum lw_side)i));
        if (!lw_document_has(&doc, (enum lw_side)i))
            continue;
        lw_document_side(&a, &doc, (enum lw_side)i);
        lw_document_side(&b, &read, (enum lw_side)i);
        assert_true(lw_encoding_equal(a.encoding, b.encoding));
    }
    lw_document_print_access(&again, &read);
    assert_string_equal(lw_text_string(&again), lw_text_string(&text));
    lw_text_free(&text);
    lw_text_free(&again);
    lw_document_free(&doc);
    lw_document_free(&read);
}

static void test_written(void **unused)
{
    (void)unused;
    check_written(A64 " > " S64 " > " B64, NULL);
    check_written(A64 " > " S64, NULL);
    check_written("spatial(8, 4) > spatial(4, 8)", NULL);
    check_written("spatial(8, 4) >  > spatial(4, 8)", "spatial(8, 4) > spatial(4, 8)");
    check_written("> " S64 " > " A64,
                  "!ttg.memdesc<64x64xf16, " S64 ", #ttg.shared_memory, mutable> > " A64);
    check_written("local(2, 1).spatial(8, 4)", NULL);
}

static void check_short(const char *source, const char *expected)
{
    struct lw_text text = {0};
    struct lw_document doc;
    open_source(&doc, source);
    lw_document_print_short(&text, &doc);
    assert_string_equal(lw_text_string(&text), expected);
    lw_text_free(&text);
    lw_document_free(&doc);
}

static void test_short(void **unused)
{
    (void)unused;
    check_short(A64 " > " S64 " > " B64,
                "64x64xf16  blocked [1,8] [4,8] [4,1] > swizzled_shared 8 1 8 > "
                "dot_op 0 of nvidia_mma 2");
    check_short("#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
                "warpsPerCTA = [4, 1], order = [0, 1]}>",
                "blocked [1,8] [4,8] [4,1] order [0,1]");
    check_short("#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, "
                "elementBitWidth = 16}>",
                "nvmma 128 transposed");
    check_short("tensor<32x32xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], "
                "warpsPerCTA = [1, 1], order = [1, 0]}>> > "
                "!ttg.memdesc<64x32xf16, #ttg.padded_shared<[32:+1, 64:+4] {order = [1, 0], "
                "shape = [64, 32]}>, #smem>",
                "32x32xf16  blocked [1,1] [1,32] [1,1] > 64x32xf16 padded [32:+1,64:+4]");
    check_short("#ttg.slice<{dim = 1, parent = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 1], "
                "instrShape = [32, 32, 8], isTransposed = true}>}>",
                "slice 1 of amd_mfma 3 [32,32,8] isTransposed");
    check_short("#ttg.linear<{register = [[0, 1], [1, 0]], lane = [[0, 2], [0, 4], [0, 8], [2, 0], "
                "[4, 0]], warp = [[8, 0]], block = []}>",
                "linear 4 32 2");
    check_short("#ttg.padded_shared<[32:+4] {order = [0, 1], shape = [64, 32]}>",
                "padded [32:+4] order [0,1]");
    check_short("{\"in\":[[\"offset\",2]],\"out\":[[\"dim0\",2]],\"bases\":{\"offset\":[[1]]}}",
                "bases");
    check_short("local(2, 1).spatial(8, 4) > Sw<1,2,3> o 0 o (16,4):(4,1)",
                "local(2, 1).spatial(8, 4) > Sw<1,2,3> o 0 o (16,4):(4,1)");
}

/* Every type has something short to show, which is not longer than its source. */
static void test_short_types(void **unused)
{
    (void)unused;
    size_t count;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    for (size_t i = 0; i < count; i++) {
        struct lw_text shown = {0}, source = {0};
        struct lw_document doc;
        open_source(&doc, types[i]->example);
        lw_encoding_print_short(&shown, doc.encoding);
        lw_encoding_print(&source, doc.encoding);
        assert_true(shown.length > 3 && shown.length <= source.length);
        lw_text_free(&shown);
        lw_text_free(&source);
        lw_document_free(&doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sides),       cmocka_unit_test(test_shape),
        cmocka_unit_test(test_arrows),      cmocka_unit_test(test_errors),
        cmocka_unit_test(test_built_error), cmocka_unit_test(test_file),
        cmocka_unit_test(test_written),     cmocka_unit_test(test_short),
        cmocka_unit_test(test_short_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
