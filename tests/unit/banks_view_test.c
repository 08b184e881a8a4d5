/* The banks view: the transpose story, what each wavefront moves, and what is refused. */

#include "unit/view_help.h"

#include "laneway/hardware.h"
#include "view/banks/view_banks.h"

static struct lw_document doc;
static struct lw_subject sides[LW_SIDES];
static struct lw_subject *const first = &sides[LW_SIDE_A];

static void make(struct lw_subject *subject, const struct lw_document *of)
{
    struct lw_map map;
    struct lw_tensor tensor;
    struct lw_error err;
    if (!lw_document_build(of, &map, &err))
        fail_msg("%s", err.message);
    lw_document_tensor(of, &map, &tensor);
    lw_subject_init(subject, &map, &tensor, of->encoding->type->family);
}

/* The layouts of a document of an access. */
static void open_pair(const char *source)
{
    struct lw_error err;
    if (!lw_document_open(&doc, source, NULL, &err))
        fail_msg("%s", err.message);
    struct lw_subject *join[LW_SIDES] = {0};
    memset(sides, 0, sizeof sides);
    for (int side = 0; side < LW_SIDES; side++) {
        struct lw_document one;
        if (!lw_document_has(&doc, (enum lw_side)side))
            continue;
        lw_document_side(&one, &doc, (enum lw_side)side);
        make(&sides[side], &one);
        join[side] = &sides[side];
    }
    assert_true(lw_subject_join(join, NULL));
    for (int side = 0; side < LW_SIDES; side++)
        assert_ptr_equal(lw_subject_at(first, (enum lw_side)side), join[side]);
}

static void close_pair(void)
{
    lw_subject_separate(first);
    for (int side = 0; side < LW_SIDES; side++)
        assert_null(sides[side].access);
    lw_document_free(&doc);
}

static void assert_caption(const struct lw_view *view, const char *expected)
{
    struct lw_text text = {0};
    view->type->caption(view, &text);
    assert_string_equal(lw_text_string(&text), expected);
    lw_text_free(&text);
}

/* ---- The whole access ---- */

static void test_transpose(void **state)
{
    static const struct {
        const char *source, *wavefronts, *caption;
    } cases[] = {
        {"banks/transpose-row-major", "32",
         "load: 32 instructions, 1024 wavefronts, ideal 32, 992 conflicts; NVIDIA, 32 banks, "
         "measured on H200"},
        {"banks/transpose-padded", "1",
         "load: 32 instructions, 32 wavefronts, ideal 32, 0 conflicts; NVIDIA, 32 banks, measured "
         "on H200"},
        {"banks/transpose-swizzled", "1",
         "load: 32 instructions, 32 wavefronts, ideal 32, 0 conflicts; NVIDIA, 32 banks, measured "
         "on H200"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_view_options options = {.access = LW_VIEW_LOAD};
        struct lw_view view;
        uint64_t rows = i ? 1 : 32; /* equal instructions are one row */
        open_pair(cases[i].source);
        for (int side = 0; side < LW_SIDES; side++) {
            view_open(&view, "banks", &sides[side], &options);
            assert_int_equal(view.rows, rows);
            assert_int_equal(view.cols, 32 + 3);
            for (uint64_t row = 0; row < view.rows; row++) {
                assert_string_equal(cell_text(&view, row, 32), cases[i].wavefronts);
                assert_string_equal(cell_text(&view, row, 33), "1");
            }
            assert_caption(&view, cases[i].caption);
        }
        options.access = LW_VIEW_BOTH;
        view_open(&view, "banks", first, &options);
        assert_int_equal(view.rows, 1 + rows);
        assert_string_equal(row_text(&view, 0), i ? "st.shared 4 bytes, warps 0-31, x 32"
                                                  : "stmatrix.x1, warps 0-31, x 32");
        assert_string_equal(row_text(&view, 1), i ? "ld.shared 4 bytes, warps 0-31, x 32"
                                                  : "33 ld.shared 4 bytes, warp 0, register 0");
        close_pair();
    }
}

/* Warp w of the row-major tile reads column w: 32 words of bank w, and nothing of the others. */
static void test_heat(void **state)
{
    struct lw_view view;
    struct lw_spot spot;
    (void)state;
    open_pair("banks/transpose-row-major");
    view_open(&view, "banks", first, &(struct lw_view_options){.access = LW_VIEW_LOAD});
    for (uint64_t row = 0; row < 32; row++) {
        assert_string_equal(cell_text(&view, row, 32), "32"); /* wavefronts, and the ideal */
        assert_string_equal(cell_text(&view, row, 33), "1");
        for (uint64_t bank = 0; bank < 32; bank++) {
            assert_string_equal(cell_text(&view, row, bank), row == bank ? "32" : "\xc2\xb7");
            assert_int_equal(cell_class(&view, row, bank).ink,
                             row == bank ? LW_INK_RAMP : LW_INK_HOLE);
            assert_int_equal(view.type->spot(&view, row, bank, &spot), row == bank);
            if (row == bank)
                assert_true(spot.has_out && spot.out[0] == 0 && spot.out[1] == bank);
        }
    }
    close_pair();
}

/* Every instruction is in one row. */
static void test_folds(void **state)
{
    struct lw_view view;
    (void)state;
    open_pair("banks/transpose-row-major");
    view_open(&view, "banks", first, NULL);
    const struct lw_bank_folds *folds = lw_bank_folds_of(first->access, LW_VIEW_BOTH, NULL);
    assert_non_null(folds);
    assert_int_equal(folds->rows, view.rows);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < folds->rows; i++) {
        sum += folds->fold[i].count;
    }
    assert_int_equal(sum, 64);
    close_pair();
}

/* ---- One instruction ---- */

static void test_instruction(void **state)
{
    struct lw_view_options options = {.access = LW_VIEW_LOAD, .instruction = 6, .wavefront = 3};
    struct lw_view view;
    (void)state;
    open_pair("banks/transpose-row-major");
    view_open(&view, "banks", first, &options);
    assert_int_equal(view.rows, 2 + 32);
    assert_int_equal(view.cols, 32);
    assert_caption(&view,
                   "load 6 of 32: ld.shared 4 bytes, warp 5, register 0: 32 wavefronts, ideal "
                   "1, 31 conflicts; NVIDIA, 32 banks, measured on H200");
    assert_string_equal(row_text(&view, 0), "words");
    assert_string_equal(cell_text(&view, 0, 5), "32");
    assert_string_equal(row_text(&view, 1), "lanes");
    assert_string_equal(row_text(&view, 2), "wavefront 1: lane 0");
    assert_string_equal(row_text(&view, 4), "> wavefront 3, conflict: lane 2");
    assert_string_equal(cell_text(&view, 4, 5), "2");
    assert_int_equal(cell_class(&view, 4, 5).ink, LW_INK_INDEX);
    assert_int_equal(cell_class(&view, 5, 5).ink, LW_INK_FAINT);
    close_pair();
}

/* Stepping goes through every wavefront of every instruction once. */
static void test_step(void **state)
{
    struct lw_view_options options = {.access = LW_VIEW_BOTH};
    unsigned steps = 0;
    (void)state;
    open_pair("banks/transpose-padded");
    do {
        assert_true(lw_view_step(first, &options));
        steps++;
    } while (steps < 1000 && (options.instruction != 64 || options.wavefront != 1));
    assert_int_equal(steps, 64);
    assert_true(lw_view_step(first, &options));
    assert_true(options.instruction == 1 && options.wavefront == 1);
    close_pair();
    open_pair("banks/transpose-row-major");
    options = (struct lw_view_options){.access = LW_VIEW_LOAD};
    for (unsigned i = 0; i < 33; i++)
        assert_true(lw_view_step(&sides[LW_SIDE_S], &options));
    assert_true(options.instruction == 2 && options.wavefront == 1);
    close_pair();
}

static void assert_explained(const struct lw_view *view, uint64_t row, uint64_t col,
                             const char *const (*expected)[2], int count)
{
    struct lw_explanation explanation = {0};
    lw_view_explain(view, row, col, &explanation);
    assert_int_equal(explanation.count, count);
    for (int i = 0; i < count; i++) {
        assert_string_equal(explanation.line[i].label, expected[i][0]);
        assert_string_equal(lw_text_string(&explanation.line[i].text), expected[i][1]);
    }
    lw_explanation_free(&explanation);
}

static const char *const better = "o finds the swizzle or padding with the fewest wavefronts";

static void test_explained(void **state)
{
    const char *const conflict[][2] = {
        {"bank", "5: 32 words for 32 lanes in 1 group"},
        {"words", "32-way, 31 conflicts: words 5 for lane 0, 37 for lane 1, 69 for lane 2, 101 for "
                  "lane 3, ..."},
        {"because", "lane bits 0-4 do not reach the bank: they move the address by 128, 256, 512, "
                    "1024, 2048 bytes, and the banks repeat after 128"},
        {"better", better},
        {"instruction", "ld.shared 4 bytes, warp 5, register 0"},
        {"costs", "32 wavefronts, ideal 1, 31 conflicts; NVIDIA, 32 banks, measured on H200"},
        {"element", "(0,5): warp 5, lane 0, register 0"},
    };
    const char *const calm[][2] = {
        {"instruction", "ld.shared 4 bytes, warp 0, register 0"},
        {"costs", "1 wavefront, ideal 1, 0 conflicts; NVIDIA, 32 banks, measured on H200"},
        {"bank", "5: 1 word for 1 lane in 1 group"},
        {"words", "word 165 for lane 5"},
        {"element", "(5,0): warp 0, lane 5, register 0"},
    };
    /* Lane 1 has the address of the second row of 16 bytes; its first word is lane 4's. */
    const char *const matrix[][2] = {
        {"instruction", "stmatrix.x1, warp 0, register 0"},
        {"costs", "1 wavefront, ideal 1, 0 conflicts; NVIDIA, 32 banks, measured on H200"},
        {"bank", "4: 1 word for 1 lane in 1 group"},
        {"words", "word 4 by the row address of lane 1"},
        {"element", "(0,4): data of warp 0, lane 4, register 0"},
    };
    struct lw_view_options options = {.access = LW_VIEW_LOAD};
    struct lw_view view;
    (void)state;
    open_pair("banks/transpose-row-major");
    view_open(&view, "banks", first, &options);
    assert_explained(&view, 5, 5, conflict, 7);
    options.access = LW_VIEW_STORE;
    view_open(&view, "banks", first, &options);
    assert_explained(&view, 0, 4, matrix, 5);
    close_pair();
    options.access = LW_VIEW_LOAD;
    open_pair("banks/transpose-padded");
    view_open(&view, "banks", first, &options);
    assert_explained(&view, 0, 5, calm, 5);
    close_pair();
}

/* Of a swizzle that ends too early only the upper bits of the lane stay in the bank; where padding makes the addresses
 * sums, two lanes say it. */
static void test_because(void **state)
{
    static const struct {
        const char *shared, *because;
    } cases[] = {
        {"#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
         "lane bits 3,4 do not reach the bank: they move the address by 1024, 2048 bytes, and the "
         "banks repeat after 128"},
        {"#ttg.swizzled_shared<{vec = 1, perPhase = 2, maxPhase = 32, order = [1, 0]}>",
         "lane bit 0 does not reach the bank: it moves the address by 128 bytes, and the banks "
         "repeat after 128"},
        {"#ttg.padded_shared<[32:+16] {order = [1, 0], shape = [32, 32]}>",
         "lanes 0 and 2 are 384 bytes apart, and the banks repeat after 128"},
        {"#ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 1], [2, 1], "
         "[4, 0], [8, 0], [16, 0]]}, alignment = 128>",
         "lane bits 2-4 do not reach the bank: they move the address by 512, 1024, 2048 bytes; "
         "lane bits 0,1 together do not reach the bank: by 384 bytes, and the banks repeat after "
         "128"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_explanation explanation = {0};
        struct lw_text source = {0};
        struct lw_view view;
        lw_text_format(
            &source,
            "{\"laneway\": 1, \"store\": \"tensor<32x32xf32, #ttg.blocked<{sizePerThread "
            "= [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [32, 1], order = [1, 0]}>>\", "
            "\"shared\": \"%s\", \"load\": \"tensor<32x32xf32, "
            "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA "
            "= [1, 32], order = [0, 1]}>>\"}",
            cases[i].shared);
        open_pair(lw_text_string(&source));
        view_open(&view, "banks", first, &(struct lw_view_options){.access = LW_VIEW_LOAD});
        lw_view_explain(&view, 0, 0, &explanation);
        int at = 0;
        while (at < explanation.count && strcmp(explanation.line[at].label, "because") != 0)
            at++;
        assert_true(at < explanation.count);
        assert_string_equal(lw_text_string(&explanation.line[at].text), cases[i].because);
        lw_explanation_free(&explanation);
        lw_text_free(&source);
        close_pair();
    }
}

/* All lines of an explanation: of a bank without a word, of groups of lanes, of a part of the wavefronts, of
 * registers that do not follow each other. */
static void test_lines(void **state)
{
    static const struct {
        const char *source;
        uint64_t row, col, instruction;
        unsigned wavefront;
        const char *lines;
    } cases[] = {
        {"{\"store\": \"spatial(16).local(1)\", \"shared\": \"16:1\"}", 0, 20, 1, 0,
         "instruction: st.shared 4 bytes, warp 0, register 0\n"
         "costs: 1 wavefront, ideal 1, 0 conflicts; NVIDIA, 32 banks, measured on H200\n"
         "bank: 20: no lane reads or writes a word of it\n"},
        {"{\"store\": \"spatial(16).local(1)\", \"shared\": \"16:1\"}", 0, 15, 1, 0,
         "instruction: st.shared 4 bytes, warp 0, register 0\n"
         "costs: 1 wavefront, ideal 1, 0 conflicts; NVIDIA, 32 banks, measured on H200\n"
         "bank: 15: 1 word for 1 lane in 1 group\n"
         "words: word 15 for lane 15\n"
         "element: (15): thread 15, register 0\n"},
        {"{\"store\": \"spatial(32).local(4)\", \"shared\": \"128:1\"}", 0, 0, 1, 0,
         "instruction: st.shared 16 bytes, warp 0, registers 0-3\n"
         "costs: 4 wavefronts, ideal 4, 0 conflicts; NVIDIA, 32 banks, measured on H200\n"
         "bank: 0: 4 words for 4 lanes in 4 groups\n"
         "words: word 0 for lane 0\n"
         "words: word 32 for lane 8\n"
         "words: word 64 for lane 16\n"
         "words: word 96 for lane 24\n"
         "element: (0): thread 0, register 0\n"},
        {"{\"store\": \"spatial(32).local(4)\", \"shared\": \"128:1\"}", 1, 5, 1, 2,
         "instruction: st.shared 16 bytes, warp 0, registers 0-3\n"
         "costs: 4 wavefronts, ideal 4, 0 conflicts; NVIDIA, 32 banks, measured on H200\n"
         "wavefront: 2 of 4: word 37 of bank 5 for lane 9\n"
         "bank: 5: 4 words for 4 lanes in 4 groups\n"
         "words: word 37 for lane 9\n"
         "element: (5): thread 1, register 1\n"},
        {"{\"store\": \"spatial(32, 1).local(1, 4)\", \"shared\": \"(32,4):(8,1)\"}", 0, 0, 1, 0,
         "bank: 0: 8 words for 8 lanes in 4 groups\n"
         "words: 2-way, 1 conflict: words 0 for lane 0, 32 for lane 4\n"
         "words: 2-way, 1 conflict: words 64 for lane 8, 96 for lane 12\n"
         "words: 2-way, 1 conflict: words 128 for lane 16, 160 for lane 20\n"
         "words: 2-way, 1 conflict: words 192 for lane 24, 224 for lane 28\n"
         "because: lane bit 2 does not reach the bank: it moves the address by 128 bytes, and the "
         "banks repeat after 128\n"
         "better: o finds the swizzle or padding with the fewest wavefronts\n"
         "instruction: st.shared 16 bytes, warp 0, registers 0-3\n"
         "costs: 8 wavefronts, ideal 4, 4 conflicts; NVIDIA, 32 banks, measured on H200\n"
         "element: (0,0): thread 0, register 0\n"},
        {"{\"store\": \"spatial(32, 1).local(1, 4)\", \"shared\": \"(32,4):(8,1)\"}", 5, 4, 1, 6,
         "wavefront: 4 of 8: nothing of this bank; it serves lanes 12-15\n"
         "bank: 4: no lane reads or writes a word of it\n"
         "bank: 0: 8 words for 8 lanes in 4 groups\n"
         "because: lane bit 2 does not reach the bank: it moves the address by 128 bytes, and the "
         "banks repeat after 128\n"
         "better: o finds the swizzle or padding with the fewest wavefronts\n"
         "instruction: st.shared 16 bytes, warp 0, registers 0-3\n"
         "costs: 8 wavefronts, ideal 4, 4 conflicts; NVIDIA, 32 banks, measured on H200\n"},
        {"{\"store\": \"spatial(32, 1).local(1, 4)\", \"shared\": \"(32,4):(0,1)\"}", 0, 1, 1, 0,
         "instruction: st.shared 16 bytes, warp 0, registers 0-3\n"
         "costs: 4 wavefronts, ideal 1, 0 conflicts; 1 for each of 4 groups of lanes, whose words "
         "fit in 1; NVIDIA, 32 banks, measured on H200\n"
         "bank: 1: 1 word for 32 lanes in 4 groups\n"
         "words: word 1 for lanes 0-7\n"
         "words: word 1 for lanes 8-15\n"
         "words: word 1 for lanes 16-23\n"
         "words: word 1 for lanes 24-31\n"
         "element: (0,1): thread 0, register 1\n"},
        {"{\"store\": \"spatial(32).local(2)\", \"shared\": \"64:2\"}", 0, 2, 1, 1,
         "wavefront: 1 of 4: nothing of this bank; it serves lanes 0-7\n"
         "bank: 2: no lane reads or writes a word of it\n"
         "bank: 0: 4 words for 4 lanes in 1 group\n"
         "because: lane bits 3,4 do not reach the bank: they move the address by 128, 256 bytes, "
         "and the banks repeat after 128\n"
         "better: o finds the swizzle or padding with the fewest wavefronts\n"
         "instruction: st.shared 4 bytes, warp 0, register 0\n"
         "costs: 4 wavefronts, ideal 1, 3 conflicts; NVIDIA, 32 banks, measured on H200\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_view_options options = {.access = LW_VIEW_STORE,
                                          .instruction = cases[i].instruction,
                                          .wavefront = cases[i].wavefront};
        struct lw_explanation explanation = {0};
        struct lw_text text = {0};
        struct lw_view view;
        open_pair(cases[i].source);
        view_open(&view, "banks", first, &options);
        lw_view_explain(&view, cases[i].row, cases[i].col, &explanation);
        for (int k = 0; k < explanation.count; k++)
            lw_text_format(&text, "%s: %s\n", explanation.line[k].label,
                           lw_text_string(&explanation.line[k].text));
        assert_string_equal(lw_text_string(&text), cases[i].lines);
        lw_text_free(&text);
        lw_explanation_free(&explanation);
        close_pair();
    }
}

/* ---- Other accesses ---- */

#define BLOCKED                                                                                    \
    "\"encoding\": \"blocked\", \"shape\": [16, 64], \"element\": \"f16\", \"params\": "           \
    "{\"sizePerThread\": [1, 8], \"threadsPerWarp\": [4, 8], \"warpsPerCTA\": [1, 1], \"order\": " \
    "[1, 0]}"
#define PLAIN                                                                                      \
    "{\"encoding\": \"swizzled_shared\", \"params\": {\"vec\": 1, \"perPhase\": 1, \"maxPhase\": " \
    "1, \"order\": [1, 0]}}"

/* 16 bytes a lane: four groups, and no conflict though each bank gives four words. */
static void test_wide(void **state)
{
    struct lw_view_options options = {.access = LW_VIEW_STORE, .instruction = 1};
    struct lw_view view;
    (void)state;
    open_pair("{\"laneway\": 1, " BLOCKED ", \"shared\": " PLAIN "}");
    view_open(&view, "banks", first, &options);
    assert_int_equal(view.rows, 2 + 4);
    assert_string_equal(cell_text(&view, 0, 31), "4");
    assert_int_equal(cell_class(&view, 0, 31).ink, LW_INK_RAMP);
    assert_string_equal(row_text(&view, 3), "wavefront 2: lanes 8-15");
    assert_string_equal(cell_text(&view, 3, 4), "9");
    close_pair();
}

static void test_refused(void **state)
{
    (void)state;
    view_fails(
        "banks", subject_of("spatial(4, 8)"), NULL,
        "this view shows an access, but the document has registers only: name the layout in shared "
        "memory with --shared SOURCE (:shared SOURCE in the explorer), or as \"shared\" in the "
        "document");
    open_pair("{\"laneway\": 1, " BLOCKED ", \"load\": {" BLOCKED "}}");
    view_fails("banks", first, NULL,
               "the document has registers A and B only, and no element goes through shared memory "
               "from one to the other: none");
    close_pair();
    open_pair("{\"laneway\": 1, " BLOCKED ", \"shared\": " PLAIN "}");
    view_fails("banks", first, &(struct lw_view_options){.access = LW_VIEW_LOAD, .instruction = 5},
               "no instruction 5: must be from 1 to 4");
    view_fails("banks", first,
               &(struct lw_view_options){.access = LW_VIEW_LOAD, .instruction = 4, .wavefront = 5},
               "no wavefront 5: must be from 1 to 4");
    close_pair();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transpose), cmocka_unit_test(test_heat),
        cmocka_unit_test(test_folds),     cmocka_unit_test(test_instruction),
        cmocka_unit_test(test_step),      cmocka_unit_test(test_explained),
        cmocka_unit_test(test_lines),     cmocka_unit_test(test_because),
        cmocka_unit_test(test_wide),      cmocka_unit_test(test_refused),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    subject_end();
    return failed;
}
