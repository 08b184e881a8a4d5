/* Translations of single layouts, exact, and what is refused. */

#include "translate_parts.h"

#include "golden.h"
#include "notation_help.h"

#include "laneway/cute.h"
#include "laneway/translate.h"

/* ---- Known translations ---- */

#define REMARK -1

static void assert_translation(const char *source, const char *system, int which,
                               const char *expected)
{
    struct lw_document doc, other;
    struct lw_map map;
    struct lw_tensor tensor;
    struct lw_arena arena = {0};
    struct lw_translations translations;
    struct lw_error err;
    open_source(&doc, source);
    assert_true(lw_document_build(&doc, &map, NULL));
    lw_document_tensor(&doc, &map, &tensor);
    struct lw_translate_request request = {&map, &tensor, lanes_of(&map), doc.encoding};
    if (lw_translate(&arena, lw_translate_system_find(system), &request, &translations, &err)) {
        const char *text = which == REMARK ? translations.remark : translations.text[which];
        assert_true(translations.count > which);
        assert_int_equal(!text, !expected);
        if (text)
            assert_string_equal(text, expected);
        if (translations.remark) /* a remark cannot be read as a notation */
            assert_false(lw_document_read(&other, translations.remark, strlen(translations.remark),
                                          NULL, NULL));
    } else {
        assert_string_equal(err.message, expected);
    }
    lw_arena_free(&arena);
    lw_document_free(&doc);
}

static const char fragment[] =
    "tensor<16x8xf32, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], "
    "instrShape = [16, 8]}>>";

#define PARENT                                                                                     \
    "parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], "         \
    "instrShape = [16, 8]}>"

/* The operands of an atom are operands of a product, and not only what else their bases are: B is the
 * transpose of Triton's. */
static void test_operands(void **unused)
{
    (void)unused;
    static const char turned[] =
        "its transpose (B is N x K in CuTe, K x N here) is tensor<16x8xf16, "
        "#ttg.dot_op<{opIdx = 1, " PARENT ", kWidth = 2}>>";
    assert_translation("SM80_16x8x16_F32F16F16F32_TN.A", "triton", 0,
                       "tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, " PARENT ", kWidth = 2}>>");
    assert_translation("SM80_16x8x16_F32F16F16F32_TN.B", "triton", REMARK, turned);
    assert_translation(
        "SM80_16x8x16_F32F16F16F32_TN.B", "triton", 0,
        "tensor<8x16xf16, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], "
        "warpsPerCTA = [1, 1], order = [1, 0]}>>");
    assert_translation("SM80_16x8x16_F32F16F16F32_TN.C", "triton", 0, fragment);
    assert_translation(
        "SM80_16x8x16_F32F16F16F32_TN.B", "gluon", REMARK,
        "its transpose (B is N x K in CuTe, K x N here) is "
        "gl.DotOperandLayout(operand_index=1, parent=gl.NVMMADistributedLayout(version=[2, 0], "
        "warps_per_cta=[1, 1], instr_shape=[16, 8]), k_width=2)");
    assert_translation("SM80_16x8x16_F32F16F16F32_TN.A", "triton", REMARK, NULL);
    /* and it is: the notation of B is that of the transpose's layout */
    assert_translation("tensor<16x8xf16, #ttg.dot_op<{opIdx = 1, " PARENT ", kWidth = 2}>>", "cute",
                       0, "thread_value(((4,8),(2,2)):((2,16),(1,8)), (16,8))");
}

/* The fragment of an m16n8 instruction, from any of its words to all of them. */
static void test_fragment(void **unused)
{
    (void)unused;
    const char *const sources[] = {"local(2, 1).spatial(8, 4).local(1, 2)", fragment,
                                   "thread_value(((4,8),(2,2)):((32,1),(16,8)), (16,8))"};
    for (size_t i = 0; i < 3; i++) {
        assert_translation(sources[i], "tilus", 0, "local(2, 1).spatial(8, 4).local(1, 2)");
        assert_translation(sources[i], "triton", 0, fragment);
        assert_translation(sources[i], "cute", 0,
                           "thread_value(((4,8),(2,2)):((32,1),(16,8)), (16,8))");
        assert_translation(
            sources[i], "gluon", 0,
            "gl.NVMMADistributedLayout(version=[2, 0], warps_per_cta=[1, 1], instr_shape=[16, "
            "8])");
    }
}

/* K_SW128 of halves in elements and in bytes; the printed layout of CuTe's own documents; blocked and
 * swizzled in CuTe's words; the shuffles' layouts. */
static void test_cases(void **unused)
{
    static const char *const systems[] = {"triton", "tilus", "cute"};
    static const char *const shuffled[2][4] = {
        {"tensor<8xf32, #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [4], warpsPerCTA = "
         "[1], "
         "order = [0]}>>",
         "spatial(4).local(2)", "thread_value((4,2):(2,1), 8)",
         "{\"bases\": {\"register\": [[1]], \"lane\": [[2], [4]]}}"},
        {"tensor<8xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [4], warpsPerCTA = "
         "[1], "
         "order = [0]}>>",
         "local(2).spatial(4)", "thread_value((4,2):(1,4), 8)",
         "{\"bases\": {\"register\": [[4]], \"lane\": [[1], [2]]}}"}};
    (void)unused;
    assert_translation("Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)", "cute", 1,
                       "Sw<3,3,3> o 0 o (8,64):(64,1)");
    assert_translation("swizzle/8x64-half", "cute", 0, "Sw<3,3,3> o 0 o (8,64):(64,1)");
    assert_translation("swizzle/8x64-half", "cute", 1,
                       "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)");
    assert_translation(
        "(2,(2,2)):(4,(2,1))", "triton", 0,
        "!ttg.memdesc<2x4xf32, #ttg.shared_linear<{offset = [[0, 2], [0, 1], [1, 0]]}, alignment "
        "= 16>, #smem>");
    assert_translation(
        "!ttg.memdesc<2x4xf32, #ttg.shared_linear<{offset = [[0, 2], [0, 1], [1, 0]]}, alignment "
        "= 16>, #smem>",
        "cute", 0, "(2,(2,2)):(4,(2,1))");
    assert_translation(
        "tensor<64xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = "
        "[4], order = [0]}>>",
        "cute", 0, "thread_value(((32,2,2),1):((1,32,0),0), 64)");
    assert_translation(
        "!ttg.memdesc<32x32xf32, #ttg.swizzled_shared<{vec = 2, perPhase = 2, maxPhase = 4, order "
        "= [1, 0]}>, #smem>",
        "cute", 0, "Sw<2,1,5> o 0 o (32,32):(32,1)");
    assert_translation(
        "Sw<2,1,5> o 0 o (32,32):(32,1)", "triton", 0,
        "!ttg.memdesc<32x32xf32, #ttg.swizzled_shared<{vec = 2, perPhase = 2, maxPhase = 4, order "
        "= [1, 0]}>, #smem>");
    assert_translation(
        "(4,4):(5,1)", "triton", 0,
        "!ttg.memdesc<4x4xf32, #ttg.padded_shared<[4:+1] {offset = [[0, 1], [0, 2], [1, 0], [2, "
        "0]], block = []}>, #smem>");
    for (int i = 0; i < 2;
         i++) /* the shuffles' layouts, from each system's words in each system's */
        for (int from = 0; from < 4; from++)
            for (int to = 0; to < 3; to++)
                assert_translation(shuffled[i][from], systems[to], 0, shuffled[i][to]);
}

/* What is not expressible, by name. */
static void test_refusals(void **unused)
{
    (void)unused;
    assert_translation("start/8-swizzled", "tilus", 0,
                       "not expressible in tilus: lane=2 -> (3): it flips two bits of an index, "
                       "and a mode is one digit");
    assert_translation("start/8-swizzled", "cute", 0,
                       "not expressible in CuTe: lane=2 -> (3): another basis flips the same bit; "
                       "strides are added, so the sum would carry");
    assert_translation(
        "blocked/2x2-ctas", "tilus", 0,
        "not expressible in tilus: 4 blocks share the tensor, but its layouts are for one block");
    assert_translation("spatial(3, 4)", "triton", 0,
                       "not expressible in Triton: not a linear layout: a mode of dim0 has size 3, "
                       "which is not a power "
                       "of two");
    assert_translation("(2,2):(3,5)", "triton", 0,
                       "not expressible in Triton: not a linear layout: (0,1) is at 5 and (1,0) at "
                       "3, but (1,1) is at 8, "
                       "not at 5 ^ 3 = 6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_fragment),
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
