/* Explanations and summaries, word for word, and that their arithmetic is right. */

#include "view_help.h"

#define MMA                                                                                        \
    "{\"in\":[[\"register\",4],[\"lane\",32],[\"warp\",1],[\"block\",1]],\"out\":[[\"dim0\",16],"  \
    "[\"dim1\",8]],\"bases\":{\"register\":[[0,1],[8,0]],\"lane\":[[0,2],[0,4],[1,0],[2,0],"       \
    "[4,0]],\"warp\":[],\"block\":[]}}"

static void explains(const char *source, const struct lw_spot *spot, const char *expected)
{
    struct lw_explanation explanation = {0};
    struct lw_text text = {0};
    for (int pass = 0; pass < 2; pass++) { /* an explanation can be used again */
        lw_text_clear(&text);
        lw_explain(subject_of(source), spot, &explanation);
        for (int i = 0; i < explanation.count; i++)
            lw_text_format(&text, "%s: %s\n", explanation.line[i].label,
                           lw_text_string(&explanation.line[i].text));
        assert_string_equal(lw_text_string(&text), expected);
    }
    lw_text_free(&text);
    lw_explanation_free(&explanation);
}

static void explains_element(const char *source, uint64_t i, uint64_t j, const char *expected)
{
    struct lw_spot spot = {.has_out = true, .out = {i, j}};
    explains(source, &spot, expected);
}

static void test_linear(void **unused)
{
    (void)unused;
    explains_element(MMA, 3, 5,
                     "held by: warp 0, lane 14, register 1\n"
                     "because: lane 14 = 0b01110: (0,4) ^ (1,0) ^ (2,0)\n"
                     ": register 1 = 0b01: (0,1)     all xored: (3,5)\n"
                     "and back: dim0 3 = 0b0011: lane=4 ^ lane=8\n"
                     ": dim1 5 = 0b101: register=1 ^ lane=2\n");
    explains_element(MMA, 0, 0, "held by: warp 0, lane 0, register 0\n");
    explains_element(MMA, 0, 1,
                     "held by: warp 0, lane 0, register 1\n"
                     "because: register 1 = 0b01: (0,1)\n"
                     "and back: dim1 1 = 0b001: register=1\n");
}

static void test_copies(void **unused)
{
    (void)unused;
    static const char blocked[] =
        "tensor<32x8xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [16, 2], "
        "warpsPerCTA = [2, 2], order = [1, 0]}>>";
    explains_element(blocked, 0, 4,
                     "held by: warp 0, lane 1, register 0 (thread 1), one of 4 owners\n"
                     "because: lane 1 = 0b00001: (0,4)\n"
                     "and back: dim1 4 = 0b100: lane=1\n"
                     "copies: xor with any of warp=1, warp=2\n");
    struct lw_spot target = {.has_in = true, .in = {0, 1, 3, 0}};
    explains(blocked, &target,
             "held by: warp 3, lane 1, register 0 (thread 97), one of 4 owners\n"
             "because: warp 3 = 0b11: (0,0) ^ (0,0)     lane 1 = 0b00001: (0,4)\n"
             ": all xored: (0,4)\n"
             "and back: dim1 4 = 0b100: lane=1\n"
             "copies: xor with any of warp=1, warp=2\n");
}

static void test_mixed(void **unused)
{
    (void)unused;
    explains_element("local(3, 4).spatial(2, 3)", 3, 5,
                     "held by: thread 5, register 5\n"
                     "because: thread 5 = 1*3 + 2:  1 = i0 % 2, 2 = i1 % 3\n"
                     ": register 5 = 1*4 + 1:  1 = i0 / 2, 1 = i1 / 3\n"
                     "and back: i0 3 = 1*2 (register) + 1 (thread)\n"
                     ": i1 5 = 1*3 (register) + 2 (thread)\n");
    explains_element("reduce(spatial(3, 4), dims=[0])", 3, 0,
                     "held by: thread 3, register 0, one of 3 owners\n"
                     "because: thread 3 = 0*4 + 3:  0 is copy 0 of 3, 3 = i0\n"
                     ": register 0: there is only one\n"
                     "and back: i0 3 = 3 (thread)\n"
                     "copies: from the first owner: thread + 4*d, d = 0..2\n");
    explains_element("spatial(12, 8).local(1, 2)", 5, 9,
                     "held by: thread 44, register 1 (lane 12 of warp 1)\n"
                     "because: thread 44 = 5*8 + 4:  5 = i0, 4 = i1 / 2\n"
                     ": register 1 = 1:  1 = i1 % 2\n"
                     "and back: i0 5 = 5 (thread)     i1 9 = 4*2 (thread) + 1 (register)\n");
}

static void test_shared(void **unused)
{
    (void)unused;
    explains_element("!ttg.memdesc<8x32xf16, #ttg.swizzled_shared<{vec = 4, perPhase = 1, "
                     "maxPhase = 4, order = [1, 0]}>, #smem>",
                     3, 5,
                     "held by: offset 105\n"
                     "in shared: offset 105, byte 210, bank 20, row 1, phase 3\n"
                     "swizzle: unswizzled offset 101 = 0b01100101 ^ 0b00001100 = 0b01101001 = "
                     "105\n"
                     "because: offset 105 = 0b01101001: (0,1) ^ (0,8) ^ (1,4) ^ (2,8)\n"
                     ": all xored: (3,5)\n"
                     "and back: dim0 3 = 0b011: offset=36 ^ offset=72\n"
                     ": dim1 5 = 0b00101: offset=1 ^ offset=4\n");
}

static void test_padded(void **unused)
{
    (void)unused;
    static const char padded[] = "!ttg.memdesc<4x4xf32, #ttg.padded_shared<[2:+1, 4:+2] {order = "
                                 "[1, 0], shape = [4, 4]}>, #smem>";
    struct lw_spot hole = {.has_in = true, .in = {5, 0}};
    explains_element(padded, 1, 3,
                     "held by: offset 12\n"
                     "in shared: offset 12, byte 48, bank 12, row 0, phase 0\n"
                     "padding: offset 12 = 7 + 7/2*1 + 7/4*2\n"
                     "because: offset 7 = 0b0111: (0,1) ^ (0,2) ^ (1,0)     all xored: (1,3)\n");
    explains(padded, &hole,
             "holds: nothing: this index holds no element\n"
             "in shared: offset 5, byte 20, bank 5, row 0, phase 0\n"
             "padding: no element is at this offset\n");
}

/* Sums of digits times strides, of which those that are 0 are left out, and cells of a table. */
static void test_sums(void **unused)
{
    (void)unused;
    explains_element(
        "(3,5):(16,1)", 0, 0,
        "held by: offset 0\n"
        "in shared: offset 0, byte 0, bank 0, row 0, phase 0; assumed: elements of 32 bits\n"
        "offset: 0\n");
    explains_element(
        "(3,5):(16,1)", 2, 3,
        "held by: offset 35\n"
        "in shared: offset 35, byte 140, bank 3, row 1, phase 0; assumed: elements of 32 bits\n"
        "offset: 2 * 16 + 3 * 1 = 35\n");
    explains_element(
        "(3,5):(16,1)", 0, 4,
        "held by: offset 4\n"
        "in shared: offset 4, byte 16, bank 4, row 0, phase 0; assumed: elements of 32 bits\n"
        "offset: 4 * 1 = 4\n");
    explains_element(
        "Sw<1,0,3> o 8 o (3,8):(8,1)", 0, 0,
        "held by: offset 9\n"
        "in shared: offset 9, byte 36, bank 9, row 0, phase 0; assumed: elements of 32 bits\n"
        "offset: 8 = 8, swizzled 9\n");
    explains_element(
        "Sw<1,0,3> o 8 o (3,8):(8,1)", 1, 0,
        "held by: offset 16\n"
        "in shared: offset 16, byte 64, bank 16, row 0, phase 0; assumed: elements of 32 bits\n"
        "offset: 8 + 1 * 8 = 16\n");
    explains_element(
        "Sw<1,0,3> o 0 o (3,8):(8,1)", 2, 3,
        "held by: offset 19\n"
        "in shared: offset 19, byte 76, bank 19, row 0, phase 0; assumed: elements of 32 bits\n"
        "offset: 2 * 8 + 3 * 1 = 19\n");
    explains_element("thread_value((3,2):(2,1), (6))", 5, 0,
                     "held by: thread 2, register 1\n"
                     "element: 2 * 2 + 1 * 1 = 5\n");
    explains_element("{\"encoding\": \"distributed\", \"shape\": [4, 8], \"params\": {\"layout\": "
                     "[[0, 1, 2, 3], [4, 6, 5, 7]]}}",
                     3, 6,
                     "held by: warp 0, lane 5, register 3\n"
                     "because: (1,2) of the table of 2 x 4, repeated at (2,4)\n");
}

static void test_no_owner(void **unused)
{
    (void)unused;
    static const char half[] = "{\"in\":[[\"offset\",4],[\"block\",1]],\"out\":[[\"dim0\",8]],"
                               "\"bases\":{\"offset\":[[2],[4]],\"block\":[]}}";
    struct lw_spot out_of_range = {.has_in = true, .in = {9, 0}};
    explains_element(half, 3, 0, "held by: none: no hardware index holds this element\n");
    explains_element(half, 99, 0, "held by: none: no hardware index holds this element\n");
    explains(half, &out_of_range, "");
}

static void summary(const char *source, const char *expected)
{
    struct lw_text text = {0};
    lw_summary(&text, subject_of(source));
    assert_string_equal(lw_text_string(&text), expected);
    lw_text_free(&text);
}

static void test_summary(void **unused)
{
    (void)unused;
    summary(MMA, "4 registers x 32 lanes -> 16 x 8, every element once");
    summary("local(3, 4).spatial(2, 3)", "12 registers x 6 threads -> 6 x 12, every element once");
    summary("reduce(spatial(3, 4), dims=[0])", "12 threads -> 4, every element 3 times");
    summary("{\"in\":[[\"t\",4],[\"w\",2]],\"out\":[[\"p\",8]],"
            "\"bases\":{\"t\":[[1],[2]],\"w\":[[4]]}}",
            "t 4 x w 2 -> 8, every element once");
    summary("spatial()", "1 hardware index -> 1 element, every element once");
    summary("{\"in\":[[\"offset\",4]],\"out\":[[\"dim0\",8]],\"bases\":{\"offset\":[[2],[4]]}}",
            "4 offsets -> 8, 4 of 8 elements once");
}

static int finish(void **unused)
{
    (void)unused;
    subject_end();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),   cmocka_unit_test(test_copies),
        cmocka_unit_test(test_mixed),    cmocka_unit_test(test_shared),
        cmocka_unit_test(test_padded),   cmocka_unit_test(test_sums),
        cmocka_unit_test(test_no_owner), cmocka_unit_test(test_summary),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
