/* The mma view: each operand against the layouts of the same name alone, Triton's against CUTLASS's, alignment,
 * spots, refusals. */

#include "view_help.h"

/* The texts of a view of another source, which is closed again: `rows` x `cols`, or turned. */
static void assert_part(const struct lw_view *view, uint64_t row, uint64_t col, const char *source)
{
    struct lw_document doc;
    struct lw_opened opened;
    struct lw_view alone;
    struct lw_error err;
    const struct lw_view_options options = {.cell = "{thread}"};
    char expected[64];
    assert_true(lw_document_open(&doc, source, NULL, &err));
    assert_true(lw_subject_open(&opened, &doc, LW_LANES_DEFAULT, &err));
    assert_true(lw_view_open(&alone, lw_view_type_find("owners"), &opened.subject, &options, &err));
    for (uint64_t r = 0; r < alone.rows; r++)
        for (uint64_t c = 0; c < alone.cols; c++) {
            snprintf(expected, sizeof expected, "%s", cell_text(&alone, r, c));
            assert_string_equal(cell_text(view, row + r, col + c), expected);
        }
    lw_view_close(&alone);
    lw_subject_close(&opened);
    lw_document_free(&doc);
}

static const struct lw_view_options short_text = {.cell = "{thread}"};

/* The gallery's documents of single operands are checked against Triton by golden files. */
static void operands_are_those_of_triton(void **state)
{
    static const struct {
        const char *all, *a, *b, *c;
        uint64_t k;
    } cases[] = {
        {"mma/m16n8k16", "mma/m16n8k16.a", "mma/m16n8k16.b", "mma/m16n8k16.c", 16},
        {"mma/m16n8k16.b", "mma/m16n8k16.a", "mma/m16n8k16.b", "mma/m16n8k16.c", 16},
        {"mma/m16n8k32", "mma/m16n8k32.a", "mma/m16n8k32.b", "mma/m16n8k32.c", 32},
        {"mma/m16n8k8", "mma/m16n8k8.a", "mma/m16n8k8.b", NULL, 8},
        {"mma/mfma-32x32x8", "mma/mfma-32x32.a", NULL, NULL, 8},
        {"mma/wgmma-m64n64k16", "mma/wgmma-m64k16.a", NULL, "mma/wgmma-m64n64.c", 16},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_view view;
        view_open(&view, "mma", subject_written(cases[i].all), &short_text);
        assert_int_equal(view.seam_rows, cases[i].k);
        assert_int_equal(view.seam_cols, cases[i].k);
        assert_part(&view, cases[i].k, 0, cases[i].a);
        if (cases[i].b)
            assert_part(&view, 0, cases[i].k, cases[i].b);
        if (cases[i].c)
            assert_part(&view, cases[i].k, cases[i].k, cases[i].c);
        subject_end();
    }
}

/* Two systems, one instruction: the layouts of CUTLASS's headers are in the same lanes and registers. */
static void triton_and_cutlass_agree(void **state)
{
    static const char *const pairs[][2] = {
        {"mma/m16n8k16", "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{})"},
        {"mma/m16n8k16", "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}).A"},
        {"mma/m16n8k16", "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}).B"},
        {"mma/m16n8k16", "SM80_16x8x16_F32F16F16F32_TN.A"},
        {"mma/m16n8k16", "SM80_16x8x16_F32F16F16F32_TN.B"},
        {"mma/m16n8k16", "SM80_16x8x16_F32F16F16F32_TN.C"},
        {"mma/m16n8k16", "cute/m16n8k16.a"},
        {"mma/m16n8k8", "make_tiled_mma(SM80_16x8x8_F32TF32TF32F32_TN{})"},
        {"mma/m16n8k32", "make_tiled_mma(SM80_16x8x32_S32S8S8S32_TN{})"},
    };
    static char texts[64][64][8];
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct lw_view view;
        view_open(&view, "mma", subject_written(pairs[i][0]), NULL);
        const uint64_t rows = view.rows, cols = view.cols;
        for (uint64_t r = 0; r < rows; r++)
            for (uint64_t c = 0; c < cols; c++)
                snprintf(texts[r][c], sizeof texts[r][c], "%s", cell_text(&view, r, c));
        subject_end();
        view_open(&view, "mma", subject_written(pairs[i][1]), NULL);
        assert_int_equal(view.rows, rows);
        assert_int_equal(view.cols, cols);
        for (uint64_t r = 0; r < rows; r++)
            for (uint64_t c = 0; c < cols; c++)
                assert_string_equal(cell_text(&view, r, c), texts[r][c]);
        subject_end();
    }
}

/* All warps side by side, once: what a product of that shape needs. */
static void the_missing_size_is_that_of_all_warps(void **state)
{
    static const struct {
        const char *source;
        uint64_t rows, cols; /* of C */
    } cases[] = {
        {"mma/2x2-warps", 32, 16},
        {"tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, "
         "versionMinor = 0, warpsPerCTA = [2, 4], instrShape = [16, 8]}>, kWidth = 2}>>",
         64, 32},
        {"tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #ttg.nvidia_mma<{versionMajor = 2, "
         "versionMinor = 0, warpsPerCTA = [2, 4], instrShape = [16, 8]}>, kWidth = 2}>>",
         32, 64},
        {"cute/tiled-mma-abc", 32, 32},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_view view;
        view_open(&view, "mma", subject_written(cases[i].source), NULL);
        assert_int_equal(view.rows - view.seam_rows, cases[i].rows);
        assert_int_equal(view.cols - view.seam_cols, cases[i].cols);
        subject_end();
    }
}

static void the_corner_is_empty_and_memory_has_no_owner(void **state)
{
    struct lw_view view;
    struct lw_spot spot;
    (void)state;
    view_open(&view, "mma", subject_written("mma/wgmma-m64n64k16"), NULL);
    assert_string_equal(cell_text(&view, 0, 0), "");
    assert_false(view.type->spot(&view, 0, 0, &spot));
    assert_string_equal(cell_text(&view, 0, 16), "mem");
    assert_false(view.type->spot(&view, 0, 16, &spot));
    assert_string_equal(row_text(&view, 0), "k0");
    assert_string_equal(col_text(&view, 15), "k15");
    assert_string_equal(row_text(&view, 16), "0");
    assert_string_equal(col_text(&view, 16), "0");
    subject_end();
}

/* A cell's spot is found again, in its own operand, by views that draw that operand only. */
static void spots_are_of_their_operand(void **state)
{
    struct lw_view view, owners;
    struct lw_spot spot;
    uint64_t row, col, out[LW_DIMS_MAX];
    const char *name;
    (void)state;
    const struct lw_subject *subject = subject_written("mma/2x2-warps");
    view_open(&view, "mma", subject, NULL);
    view_open(&owners, "owners", subject, NULL);
    for (uint64_t r = 0; r < view.rows; r++)
        for (uint64_t c = 0; c < view.cols; c++) {
            bool corner = r < view.seam_rows && c < view.seam_cols;
            bool is_a = r >= view.seam_rows && c < view.seam_cols;
            assert_int_equal(view.type->spot(&view, r, c, &spot), !corner);
            if (corner)
                continue;
            const struct lw_subject *of = lw_view_layout(&view, spot.operand, &name);
            assert_non_null(of);
            assert_string_equal(name, is_a ? "A" : r < view.seam_rows ? "B" : "C");
            assert_true(lw_map_apply(&of->map, spot.in, out));
            assert_memory_equal(out, spot.out, 2 * sizeof *out);
            assert_true(lw_view_find(&view, &spot, &row, &col));
            assert_int_equal(row, r);
            assert_int_equal(col, c);
            assert_int_equal(lw_view_find(&owners, &spot, &row, &col), is_a);
        }
    assert_null(lw_view_layout(&view, 4, &name));
    assert_null(lw_view_layout(&view, -1, &name));
    subject_end();
}

/* A result alone: its operands are those of the gallery, which golden files check against Triton. */
static void a_result_opens_all(void **state)
{
    static const struct {
        const char *c, *a, *b, *note;
    } cases[] = {
        {"mma/m16n8k16.c", "mma/m16n8k16.a", "mma/m16n8k16.b", "operands of 16 bits, kWidth 2"},
        {"tensor<16x8xi32, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, "
         "1], instrShape = [16, 8]}>>",
         "mma/m16n8k32.a", "mma/m16n8k32.b", "operands of 8 bits, kWidth 4"},
        {"tensor<32x32xf32, #ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [32, "
         "32, 8], isTransposed = true}>>",
         "mma/mfma-32x32.a", NULL, "operands of 16 bits, kWidth 4"},
        {"mma/wgmma-m64n64.c", "mma/wgmma-m64k16.a", NULL, "A in registers"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_view view;
        struct lw_text caption = {0};
        view_open(&view, "mma", subject_written(cases[i].c), &short_text);
        assert_part(&view, view.seam_rows, 0, cases[i].a);
        if (cases[i].b)
            assert_part(&view, 0, view.seam_cols, cases[i].b);
        assert_part(&view, view.seam_rows, view.seam_cols, cases[i].c);
        view.type->caption(&view, &caption);
        assert_non_null(strstr(lw_text_string(&caption), cases[i].note));
        lw_text_free(&caption);
        subject_end();
    }
}

/* Every part of an instruction of tilus opens the picture of Triton's: the same threads. */
static void tilus_opens_from_any_part(void **state)
{
    static const struct {
        const char *source, *a, *b, *c, *name;
    } cases[] = {
        {"tilus/m16n8k16-f16.a", "mma/m16n8k16.a", "mma/m16n8k16.b", "mma/m16n8k16.c",
         "m16n8k16_f16_f32"},
        {"tilus/m16n8k16-f16.b", "mma/m16n8k16.a", "mma/m16n8k16.b", "mma/m16n8k16.c",
         "m16n8k16_f16_f32"},
        {"tilus/tensor-core-c", "mma/m16n8k16.a", "mma/m16n8k16.b", "mma/m16n8k16.c",
         "m16n8k16_f16_f32"},
        {"tilus/m16n8k32-i8.a", "mma/m16n8k32.a", "mma/m16n8k32.b", "mma/m16n8k32.c",
         "m16n8k32_i8_i32"},
        {"tilus/m16n8k32-i8.b", "mma/m16n8k32.a", "mma/m16n8k32.b", "mma/m16n8k32.c",
         "m16n8k32_i8_i32"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_view view;
        struct lw_text caption = {0};
        view_open(&view, "mma", subject_written(cases[i].source), &short_text);
        assert_part(&view, view.seam_rows, 0, cases[i].a);
        assert_part(&view, 0, view.seam_cols, cases[i].b);
        assert_part(&view, view.seam_rows, view.seam_cols, cases[i].c);
        view.type->caption(&view, &caption);
        assert_non_null(strstr(lw_text_string(&caption), cases[i].name));
        lw_text_free(&caption);
        subject_end();
    }
}

static void explained(const char *source, uint64_t row, uint64_t col, const char *expected)
{
    struct lw_view view;
    struct lw_spot spot;
    struct lw_text text = {0};
    struct lw_explanation explanation = {0};
    view_open(&view, "mma", subject_written(source), NULL);
    assert_true(view.type->spot(&view, row, col, &spot));
    view.type->explain_thread(&view, &spot, &explanation);
    for (int i = 0; i < explanation.count; i++)
        lw_text_format(&text, "%s: %s\n", explanation.line[i].label,
                       lw_text_string(&explanation.line[i].text));
    assert_string_equal(lw_text_string(&text), expected);
    lw_text_free(&text);
    lw_explanation_free(&explanation);
    subject_end();
}

/* Lane 13 is in group 3 of four lanes: it has rows 3 and 11 of A and C, and column 3 of B, as the PTX ISA shows. */
static void the_thread_of_an_element_is_explained(void **state)
{
    (void)state;
    explained("mma/m16n8k16", 16 + 3, 16 + 2,
              "needs: A row 3: lanes 12-15; B column 2: lanes 8-11\n"
              "lane holds A: 8 elements: (3,2) (3,3) (11,2) (11,3) (3,10) (3,11) (11,10) (11,11)\n"
              "lane holds B: 4 elements: (2,3) (3,3) (10,3) (11,3)\n"
              "lane holds C: 4 elements: (3,2) (3,3) (11,2) (11,3)\n");
    explained("mma/m16n8k16", 2, 16 + 3,
              "used for: C column 3: lanes 1,5,9,13,17,21,25,29\n"
              "lane holds A: 8 elements: (3,2) (3,3) (11,2) (11,3) (3,10) (3,11) (11,10) (11,11)\n"
              "lane holds B: 4 elements: (2,3) (3,3) (10,3) (11,3)\n"
              "lane holds C: 4 elements: (3,2) (3,3) (11,2) (11,3)\n");
    explained("mma/wgmma-m64n64k16", 16, 0,
              "used for: C row 0: lanes 0-3 of warp 0\n"
              "thread has A: 8 elements: (0,0) (0,1) (8,0) (8,1) (0,8) (0,9) (8,8) (8,9)\n"
              "thread has B: in memory\n"
              "thread has C: 32 elements: (0,0) (0,1) (8,0) (8,1) (0,8) (0,9) (8,8) (8,9) (0,16) "
              "(0,17) (8,16) (8,17) (0,24) (0,25) (8,24) (8,25) and 16 more\n");
    /* As many as are listed: the columns 0-3, 8-11, 16-19 and 24-27 of a row of C that is transposed, as AMD's
     * calculator of MFMA has them. */
    explained("mma/mfma-32x32x8", 8, 0,
              "used for: C row 0: lanes 0,32\n"
              "lane holds A: 4 elements: (0,0) (0,1) (0,2) (0,3)\n"
              "lane holds B: 4 elements: (0,0) (1,0) (2,0) (3,0)\n"
              "lane holds C: 16 elements: (0,0) (0,1) (0,2) (0,3) (0,8) (0,9) (0,10) (0,11) (0,16) "
              "(0,17) (0,18) (0,19) (0,24) (0,25) (0,26) (0,27)\n");
}

static void refused(const char *source, const char *message)
{
    view_fails("mma", subject_written(source), NULL, message);
    subject_end();
}

static void refusals_say_what_is_needed(void **state)
{
    (void)state;
    refused("tensor<32x32xf32, #ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [32, "
            "32], isTransposed = true}>>",
            "the mma view needs operand A or B, as this amd_mfma has no K; :mma m16n8k16 opens an "
            "instruction by its name");
    refused("local(3, 4)",
            "the mma view needs an operand of one instruction of tilus, such as column_local(2, "
            "2).spatial(8, 4).local(1, 2), and this layout is not one");
    refused("(4,8):(8,1)",
            "the mma view needs a part of an MMA: a dot_op, nvidia_mma, amd_mfma or amd_wmma of "
            "Triton, an operand of tilus, or ATOM.A of CuTe; :mma m16n8k16 opens an instruction by "
            "its name");
    refused("SM80_CP_ASYNC_CACHEALWAYS<uint128_t>.Src",
            "the mma view needs a part of an MMA: a dot_op, nvidia_mma, amd_mfma or amd_wmma of "
            "Triton, an operand of tilus, or ATOM.A of CuTe; :mma m16n8k16 opens an instruction by "
            "its name");
    refused("tensor<2x16x8xf32, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
            "[1, 1, 1], instrShape = [1, 16, 8]}>>",
            "the mma view draws operands of two dims, and this one has 3");
    refused("tensor<2x16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = "
            "2, versionMinor = 0, warpsPerCTA = [1, 1, 1], instrShape = [1, 16, 8]}>, kWidth = "
            "2}>>",
            "the mma view draws operands of two dims, and this one has 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_are_those_of_triton),
        cmocka_unit_test(triton_and_cutlass_agree),
        cmocka_unit_test(the_missing_size_is_that_of_all_warps),
        cmocka_unit_test(the_corner_is_empty_and_memory_has_no_owner),
        cmocka_unit_test(spots_are_of_their_operand),
        cmocka_unit_test(a_result_opens_all),
        cmocka_unit_test(tilus_opens_from_any_part),
        cmocka_unit_test(the_thread_of_an_element_is_explained),
        cmocka_unit_test(refusals_say_what_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
