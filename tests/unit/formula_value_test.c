/*
 * The values of index arithmetic, as the trees that are printed have them: the check before printing passes at
 * every point of thousands of random strided and swizzled layouts, in both directions and in the words
 * of C and of Python; and it finds what differs, and nothing else.
 */

#include "formula_help.h"

#include "translate/formula_tree.h"

#define STRIDED 3000
#define SWIZZLED 1000

/* What came of the layouts. */
struct outcome {
    int layouts, refused, shared;
};

static void evaluate(const struct formula_subject *subject, struct outcome *outcome)
{
    static const char *const languages[] = {"c", "python"};
    struct lw_error err = {0};
    struct lw_formula *formula = lw_formula_make(&subject->map, subject->bits, &err);
    if (!formula) {
        if (err.code != LW_ERROR_UNSUPPORTED)
            fail_msg("%s: %s", subject->name, err.message);
        outcome->refused++;
        return;
    }
    for (int i = 0; i < 2; i++)
        if (!lw_formula_check(formula, lw_formula_language_find(languages[i]), &subject->map, &err))
            fail_msg("%s: %s", subject->name, err.message);
    outcome->layouts++;
    outcome->shared += !lw_map_check_unique(&subject->map, NULL);
    lw_formula_free(formula);
}

/* Evaluates a source; one that does not build is not counted. */
static void evaluate_source(const char *source, struct outcome *outcome)
{
    struct lw_document doc;
    struct formula_subject subject = {.bits = 16};
    open_source(&doc, source);
    if (lw_document_build(&doc, &subject.map, NULL)) {
        snprintf(subject.name, sizeof subject.name, "%s", source);
        evaluate(&subject, outcome);
    }
    lw_document_free(&doc);
}

/* ---- Random layouts ---- */

/* Appends (a,b,c). */
static void add_list(struct lw_text *text, int count, const uint64_t *numbers, char open, char end)
{
    lw_text_char(text, open);
    for (int i = 0; i < count; i++)
        lw_text_format(text, "%s%llu", i ? "," : "", (unsigned long long)numbers[i]);
    lw_text_char(text, end);
}

/* Sizes of 1 to 5, and strides in a random order: most past all shorter ones, some by a gap, and one in
 * eight wherever it falls. */
static int draw_modes(uint64_t *state, uint64_t *sizes, uint64_t *strides)
{
    int count = 2 + (int)random_below(state, 4), order[5] = {0, 1, 2, 3, 4};
    uint64_t reach = 0;
    for (int i = count - 1; i > 0; i--) {
        int k = (int)random_below(state, (uint64_t)i + 1), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
    for (int i = 0; i < count; i++) {
        int at = order[i];
        sizes[at] = 1 + random_below(state, 5);
        strides[at] = reach + 1 + random_below(state, 2) * random_below(state, 6);
        if (random_below(state, 8) == 0)
            strides[at] = 1 + random_below(state, reach + 4);
        reach += (sizes[at] - 1) * strides[at];
    }
    return count;
}

static void test_strided(void **unused)
{
    (void)unused;
    struct outcome outcome = {0};
    uint64_t state = 5, sizes[5], strides[5];
    for (int round = 0; round < STRIDED; round++) {
        struct lw_text source = {0};
        int count = draw_modes(&state, sizes, strides);
        add_list(&source, count, sizes, '(', ')');
        lw_text_char(&source, ':');
        add_list(&source, count, strides, '(', ')');
        evaluate_source(lw_text_string(&source), &outcome);
        lw_text_free(&source);
    }
    print_message("%d strided layouts (%d whose coordinates share offsets), %d refused\n",
                  outcome.layouts, outcome.shared, outcome.refused);
    assert_true(outcome.layouts - outcome.shared > STRIDED * 3 / 4);
}

/* A CuTe swizzle too: an offset is added before it, which it may move. */
static void test_swizzled_strides(void **unused)
{
    (void)unused;
    struct outcome outcome = {0};
    uint64_t state = 6, sizes[5], strides[5];
    for (int round = 0; round < SWIZZLED; round++) {
        struct lw_text source = {0};
        int count = draw_modes(&state, sizes, strides), bits = 1 + (int)random_below(&state, 3);
        int shift = bits + (int)random_below(&state, 2);
        lw_text_format(&source, "Sw<%d,%d,%d> o %d o ", bits, (int)random_below(&state, 4),
                       random_below(&state, 3) ? shift : -shift,
                       random_below(&state, 2) ? (int)random_below(&state, 9) : 0);
        add_list(&source, count, sizes, '(', ')');
        lw_text_char(&source, ':');
        add_list(&source, count, strides, '(', ')');
        evaluate_source(lw_text_string(&source), &outcome);
        lw_text_free(&source);
    }
    print_message("%d swizzled strided layouts, %d refused\n", outcome.layouts, outcome.refused);
    assert_true(outcome.layouts > SWIZZLED * 3 / 4);
}

/* Of tilus, whose swizzles may move bits onto each other: the shift is less than the bits. */
static void test_tilus(void **unused)
{
    (void)unused;
    struct outcome outcome = {0};
    int overlapping = 0;
    uint64_t state = 7, sizes[3];
    for (int round = 0; round < SWIZZLED; round++) {
        struct lw_text source = {0};
        int count = 1 + (int)random_below(&state, 3);
        int bits = 1 + (int)random_below(&state, 6), shift = 1 + (int)random_below(&state, 4);
        for (int i = 0; i < count; i++)
            sizes[i] = random_below(&state, 2) ? (uint64_t)1 << random_below(&state, 5)
                                               : 1 + random_below(&state, 12);
        lw_text_add(&source, random_below(&state, 2) ? "shared_row_major" : "shared_column_major");
        add_list(&source, count, sizes, '(', ')');
        lw_text_format(&source, ".apply_swizzle(Swizzle(%d, %d, %d))", (int)random_below(&state, 4),
                       bits, shift);
        evaluate_source(lw_text_string(&source), &outcome);
        overlapping += shift < bits;
        lw_text_free(&source);
    }
    print_message("%d swizzled layouts of tilus, %d of them onto their own bits, %d refused\n",
                  outcome.layouts, overlapping, outcome.refused);
    assert_int_equal(outcome.layouts, SWIZZLED);
    assert_true(overlapping > SWIZZLED / 4);
}

/* Of threads and registers: the strides of four modes in a random order, one in four of them 0, cover a
 * tensor of two dims. */
static void test_threads(void **unused)
{
    (void)unused;
    struct outcome outcome = {0};
    uint64_t state = 8, sizes[4], strides[4];
    for (int round = 0; round < SWIZZLED; round++) {
        char source[200];
        uint64_t total = 1, columns = 1, first = random_below(&state, 4), step = 1;
        step += 2 * random_below(&state, 2); /* 1 or 3: all four are met */
        for (uint64_t i = 0; i < 4; i++) {
            uint64_t at = (first + i * step) % 4;
            sizes[at] = 1 + random_below(&state, 5);
            strides[at] = random_below(&state, 4) ? total : 0;
            total *= strides[at] ? sizes[at] : 1;
            columns = random_below(&state, 2) ? total : columns;
        }
        snprintf(source, sizeof source,
                 "thread_value(((%d,%d),(%d,%d)):((%d,%d),(%d,%d)), (%d,%d))", (int)sizes[0],
                 (int)sizes[1], (int)sizes[2], (int)sizes[3], (int)strides[0], (int)strides[1],
                 (int)strides[2], (int)strides[3], (int)columns, (int)(total / columns));
        evaluate_source(source, &outcome);
    }
    print_message("%d layouts of threads, %d refused\n", outcome.layouts, outcome.refused);
    assert_int_equal(outcome.layouts, SWIZZLED);
}

/* ---- Single layouts ---- */

static struct lw_formula *formula_of(const char *source, struct lw_map *map)
{
    struct lw_document doc;
    struct lw_error err = {0};
    open_source(&doc, source);
    assert_true(lw_document_build(&doc, map, NULL));
    lw_document_free(&doc);
    struct lw_formula *formula = lw_formula_make(map, 16, &err);
    if (!formula)
        fail_msg("%s: %s", source, err.message);
    return formula;
}

static void test_sources(void **unused)
{
    (void)unused;
    static const char *const sources[] = {
        "(2,2,2,2):(4,9,2,1)",
        "shared_row_major(3,8).apply_swizzle(Swizzle(0,2,1))",
        "shared_layout([13,8,7,1],[13,2,4,7],[16,1,4,210],None)",
        /* Before the first offset: words wrap around, numbers of Python fall below 0. */
        "Sw<1,0,1> o 5 o (3,2):(2,8)",
    };
    struct outcome outcome = {0};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        evaluate_source(sources[i], &outcome);
    assert_int_equal(outcome.layouts, sizeof sources / sizeof *sources);
}

/* ---- The check ---- */

/* The functions of one layout against the map of another. */
static bool is_same(const char *one, const char *other, struct lw_error *err)
{
    struct lw_map map, second;
    struct lw_formula *formula = formula_of(one, &map), *unused = formula_of(other, &second);
    bool same = lw_formula_check(formula, lw_formula_language_find("python"), &second, err);
    lw_formula_free(formula);
    lw_formula_free(unused);
    return same;
}

static void test_message(void **unused)
{
    (void)unused;
    struct lw_error err = {0};
    assert_false(is_same("(2,2):(1,2)", "(2,2):(2,1)", &err));
    assert_int_equal(err.code, LW_ERROR_INTERNAL);
    assert_string_equal(err.message,
                        "this is a bug in laneway: the index arithmetic is wrong and not printed: "
                        "dim0_at(offset = 1) is not 0, which the layout has");
    assert_false(is_same("Sw<1,0,1> o 5 o (3,2):(2,8)", "Sw<1,0,2> o 5 o (3,2):(2,8)", &err));
}

/* Of the same sizes and the same last offset, in all orders of strides: the check is passed just when the
 * maps are the same. */
static void test_orders(void **unused)
{
    (void)unused;
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const int strides[] = {1, 5, 19};
    char one[64], other[64];
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) {
            snprintf(one, sizeof one, "(3,3,3):(%d,%d,%d)", strides[orders[a][0]],
                     strides[orders[a][1]], strides[orders[a][2]]);
            snprintf(other, sizeof other, "(3,3,3):(%d,%d,%d)", strides[orders[b][0]],
                     strides[orders[b][1]], strides[orders[b][2]]);
            assert_int_equal(is_same(one, other, NULL), a == b);
        }
}

/* Too large for every point: by the edges and random points. */
static void test_large(void **unused)
{
    (void)unused;
    static const char *const layouts[] = {
        "(4096,256):(256,1)",
        "Sw<3,3,3> o 0 o (4096,256):(256,1)",
        "Sw<3,4,3> o 0 o (4096,256):(256,1)",
        "(4096,(128,2)):(256,(1,128))",
        "(4096,(128,2)):(256,(2,1))",
        "((2048,2),256):((512,256),1)",
    };
    for (size_t a = 0; a < sizeof layouts / sizeof *layouts; a++)
        for (size_t b = 0; b < sizeof layouts / sizeof *layouts; b++)
            assert_int_equal(is_same(layouts[a], layouts[b], NULL),
                             a == b || (a == 0 && b == 3) || (a == 3 && b == 0));
}

/* ---- Names ---- */

static void test_names(void **unused)
{
    (void)unused;
    struct lw_dims in = {0}, out = {0};
    struct lw_layout layout;
    struct lw_map map;
    struct lw_error err = {0};
    lw_dims_add(&in, "register", 4, NULL);
    lw_dims_add(&out, "reg", 2, NULL);
    lw_dims_add(&out, "reg_at", 2, NULL);
    assert_true(lw_layout_of_dims(&layout, &in, &out, NULL));
    layout.basis[0] = 1;
    layout.basis[1] = 2;
    lw_map_from_layout(&map, &layout);
    assert_null(lw_formula_make(&map, 16, &err));
    assert_int_equal(err.code, LW_ERROR_UNSUPPORTED);
    assert_string_equal(err.message, "no index arithmetic: with these names of dims, two functions "
                                     "or variables would have the name 'reg_at'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_strided),
        cmocka_unit_test(test_swizzled_strides),
        cmocka_unit_test(test_tilus),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_message),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
