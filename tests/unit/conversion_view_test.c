/* Conversions: what is refused, and the view. */

#include "conversion_parts.h"

#include "plan_help.h"
#include "unit.h"
#include "view_help.h"

#include "laneway/conversion.h"
#include "seeded.h"

/* ---- What is refused ---- */

static void refused(const char *a, const char *b, const char *message)
{
    struct lw_map from = plan_map(a), to = plan_map(b);
    struct lw_conversion c;
    struct lw_error err = {0};
    struct lw_conversion_request request = {.from = &from, .to = &to, .element_bits = 32};
    assert_false(lw_conversion_make(&c, &request, &err));
    assert_string_equal(err.message, message);
}

static void test_refused(void **unused)
{
    (void)unused;
    const char *default_target =
        "tensor<4x8xf32, " BLOCKED("[1, 1]", "[4, 8]", "[1, 1]", "[1, 0]") ">";
    refused(
        default_target, "spatial(8, 4)",
        "layout A is for a tensor of 4x8, layout B for one of 8x4: the shapes must be the same");
    refused(default_target,
            "!ttg.memdesc<4x8xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, "
            "order = [1, 0]}>, #smem>",
            "'offset' is not a dim of registers: use register, lane, warp and block, or local and "
            "thread");
    refused(
        "{\"in\":[[\"x\",32]],\"out\":[[\"dim0\",4],[\"dim1\",8]],\"bases\":{\"x\":[[1,0],[2,0],"
        "[0,1],[0,2],[0,4]]}}",
        default_target,
        "'x' is not a dim of registers: use register, lane, warp and block, or local and thread");
    refused(
        "{\"in\":[[\"lane\",2]],\"out\":[[\"dim0\",4],[\"dim1\",8]],\"bases\":{\"lane\":[[1,0]]}}",
        default_target,
        "layout A does not cover every element: the elements that it does not hold cannot be "
        "converted");
    refused("local(3, 4)", "local(3, 4)",
            "not a linear layout: a mode of dim0 has size 3, which is not a power of two");
    refused("tensor<64x64xf32, " BLOCKED("[1, 1]", "[64, 1]", "[1, 1]", "[1, 0]") ">",
            "tensor<64x64xf32, " BLOCKED("[1, 1]", "[1, 64]", "[1, 1]", "[1, 0]") ">",
            "the layout has 64 lanes per warp, but sm90 has 32: choose another target");
}

/* ---- The view ---- */

static struct lw_subject subject_from(const char *source)
{
    struct lw_map map = plan_map(source);
    struct lw_tensor tensor;
    struct lw_subject subject;
    lw_tensor_unknown(&tensor);
    tensor.element.bits = 32;
    lw_subject_init(&subject, &map, &tensor, LW_FAMILY_DISTRIBUTED);
    return subject;
}

/* Every cell by counting, and every spot true: its element goes from the row to the column. */
static void check_view(const char *a, const char *b, const char *label, uint64_t units)
{
    struct lw_subject from = subject_from(a), to = subject_from(b);
    struct lw_view view;
    struct lw_conversion c;
    static uint64_t count[256][256];
    uint64_t total, here[LW_DIMS_MAX], there[LW_DIMS_MAX];
    struct lw_subject *sides[LW_SIDES] = {&from, NULL, &to};
    assert_true(lw_subject_join(sides, NULL));
    convert(&c, &from.map, &to.map, 32);
    view_open(&view, "conversion", &from, NULL);
    assert_int_equal(view.rows, units);
    assert_int_equal(view.cols, units);
    assert_string_equal(row_text(&view, units - 1), label);
    memset(count, 0, sizeof count);
    total = (uint64_t)1 << lw_layout_in_bits(&c.to);
    uint64_t lanes = c.to.in.dim[1].size, warps = c.to.in.dim[2].size;
    bool threads = label[0] == 't', blocks = label[0] == 'b';
    for (uint64_t p = 0; p < total; p++) {
        lw_dims_unflatten(&c.to.in, p, here);
        lw_dims_unflatten(&c.from.in, lw_layout_apply_flat(&c.source, p), there);
        if (!threads && !blocks && (here[2] || here[3]))
            continue; /* every warp does the same */
        uint64_t row = blocks ? there[3] : there[1] + lanes * (threads ? there[2] : 0);
        uint64_t col = blocks ? here[3] : here[1] + lanes * (threads ? here[2] : 0);
        if (threads && c.kind == LW_CONVERSION_BLOCKS) {
            row += lanes * warps * there[3];
            col += lanes * warps * here[3];
        }
        count[row][col]++;
    }
    for (uint64_t row = 0; row < units; row++)
        for (uint64_t col = 0; col < units; col++) {
            struct lw_spot spot;
            const char *text = cell_text(&view, row, col);
            assert_int_equal(strtoull(text, NULL, 10), count[row][col]);
            assert_int_equal(view.type->spot(&view, row, col, &spot), count[row][col] != 0);
            if (count[row][col])
                assert_true(spot.has_in && spot.has_out);
        }
    lw_conversion_free(&c);
    lw_subject_separate(&from);
}

static void explains(const struct lw_subject *subject, uint64_t row, uint64_t col,
                     const char *moves, const char *element, const char *from, const char *to)
{
    const char *const why[] = {
        ("elements change lanes, but not warps: register=1 comes from lane=1, lane=1 comes "
         "from register=1"),
        "register bit 0 and lane bit 0 swap"};
    const char *const expected[] = {moves, element, from, to};
    struct lw_explanation explanation = {0};
    struct lw_view view;
    view_open(&view, "conversion", subject, NULL);
    lw_view_explain(&view, row, col, &explanation);
    int count = element ? 4 : 1;
    assert_int_equal(explanation.count, count + 2);
    for (int i = 0; i < explanation.count; i++)
        assert_string_equal(lw_text_string(&explanation.line[i].text),
                            i < count ? expected[i] : why[i - count]);
    lw_explanation_free(&explanation);
}

static void test_view(void **unused)
{
    (void)unused;
    check_view("tensor<16x8xf32, " BLOCKED("[1, 4]", "[16, 2]", "[1, 1]", "[1, 0]") ">",
               "tensor<16x8xf32, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA "
               "= [1, 1], instrShape = [16, 8]}>>",
               "l31", 32);
    check_view("tensor<32x16xf32, " BLOCKED("[1, 4]", "[8, 4]", "[2, 2]", "[1, 0]") ">",
               "tensor<32x16xf32, " BLOCKED("[4, 1]", "[8, 4]", "[1, 4]", "[0, 1]") ">", "t127",
               128);
    check_view("local(2, 1).spatial(8, 4).local(1, 2)", "spatial(8, 4).local(2, 2)", "l31", 32);
    check_view(SPLIT("[1, 4]", "[8, 4]", "[1, 0]", "[1, 0]"),
               SPLIT("[1, 4]", "[8, 4]", "[1, 0]", "[0, 1]"), "t63", 64);
    struct lw_subject whole =
        subject_from("tensor<32x2xf32, " BLOCKED("[1, 2]", "[32, 1]", "[1, 1]", "[1, 0]") ">");
    struct lw_subject other =
        subject_from("tensor<32x2xf32, " BLOCKED("[2, 1]", "[16, 2]", "[1, 1]", "[1, 0]") ">");
    struct lw_subject *sides[LW_SIDES] = {&whole, NULL, &other};
    assert_true(lw_subject_join(sides, NULL));
    explains(&whole, 2, 3, "lane 2 sends 1 element to lane 3: within its warp", "(2,1)",
             "warp 0, lane 2, register 1", "warp 0, lane 3, register 0");
    explains(&whole, 0, 0, "lane 0 keeps 1 element", "(0,0)", "warp 0, lane 0, register 0",
             "warp 0, lane 0, register 0");
    explains(&whole, 0, 5, "lane 0 sends nothing to lane 5", NULL, NULL, NULL);
    struct lw_subject alone = subject_from("spatial(4, 8)");
    view_fails(
        "conversion", &alone, NULL,
        "a conversion is between two layouts in registers, but this is one layout: name the other "
        "with --load SOURCE (:load SOURCE in the explorer), or as \"load\" in the document");
    lw_subject_separate(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_view),
    };
    return RUN(tests);
}
