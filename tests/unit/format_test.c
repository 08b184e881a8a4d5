/* Cell formats: fields, lists of owners, braces, and what is refused. */

#include "view_help.h"

#define BLOCKED                                                                                    \
    "tensor<32x8xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [16, 2], "            \
    "warpsPerCTA = [2, 2], order = [1, 0]}>>"
#define SHARED                                                                                     \
    "!ttg.memdesc<8x32xf16, #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, "           \
    "order = [1, 0]}>, #smem>"

static void formats(const char *source, const char *format, uint64_t i, uint64_t j,
                    const char *expected)
{
    const struct lw_subject *subject = subject_of(source);
    uint64_t out[LW_DIMS_MAX] = {i, j};
    struct lw_error err = {0};
    struct lw_text text = {0};
    if (!lw_format_check(format, subject, &err))
        fail_msg("%s: %s", format, err.message);
    put_owners(&text, format, subject, out);
    assert_string_equal(lw_text_string(&text), expected);
    lw_text_free(&text);
}

static void refuses(const char *source, const char *format, const char *expected)
{
    struct lw_error err = {0};
    assert_false(lw_format_check(format, subject_of(source), &err));
    assert_string_equal(err.message, expected);
}

static void test_fields(void **unused)
{
    (void)unused;
    formats(BLOCKED, "{lane}.{register}", 13, 5, "13.5");
    formats(BLOCKED, "l{lane} r{register} ({i0}, {i1}) #{index}", 13, 5, "l13 r5 (13, 5) #109");
    formats(BLOCKED, "{row} {column} {dim0} {vector}", 13, 5, "13 5 13 1");
    formats(BLOCKED, "local {local}", 13, 5, "local 5");
    formats(SHARED, "{offset} {byte} {bank} {line} {phase} {block}", 3, 5, "105 210 20 1 3 0");
    formats("spatial(12, 8).local(1, 2)", "{warp}.{lane}:{register}", 5, 9, "1.12:1");
    formats("local(3, 4)", "{{{thread}}}", 0, 0, "{0}");
    formats("local(3, 4)", "", 0, 0, "");
    formats("local(3, 4)", "only text", 0, 0, "only text");
}

static void test_owners(void **unused)
{
    (void)unused;
    formats("reduce(spatial(3, 4), dims=[0])", "{thread}: {local}", 1, 0, "[1, 5, 9]: 0");
    formats("reduce(spatial(3, 4), dims=[0])", "T{thread}:{local}", 1, 0, "T1:0|T5:0|T9:0");
    formats("reduce(spatial(3, 4), dims=[0])", "{local}", 1, 0, "0");
    formats(BLOCKED, "T{thread}:{register}", 0, 0, "T0:0|T32:0|T64:0|T96:0");
    formats(BLOCKED, "{thread}: {register}", 0, 0, "[0, 32, 64, 96]: 0");
    formats(BLOCKED, "{warp}/{lane}", 13, 5, "[0, 1, 2, 3]/13");
    formats(BLOCKED, "{lane}", 13, 5, "13");
    formats(BLOCKED, "{thread} of warp {warp}", 0, 0,
            "0 of warp 0|32 of warp 1|64 of warp 2|96 of warp 3");
    /* Lanes of threads that repeat: each once, in order. */
    formats("reduce(spatial(3, 48), dims=[0])", "{lane}", 40, 0, "[8, 24]");
}

static void test_defaults(void **unused)
{
    (void)unused;
    assert_string_equal(lw_format_default(subject_of(BLOCKED)), "T{thread}:{register}");
    assert_string_equal(lw_format_default(subject_of(SHARED)), "{offset}");
    assert_string_equal(lw_format_default(subject_of("local(3, 4)")), "{thread}: {local}");
    formats("tensor<16x8xf16, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], "
            "warpsPerCTA = [1, 1], order = [1, 0], CGALayout = [[0, 0]]}>>",
            "B{block}:T{thread}:{register}", 9, 1, "B0:T4:3|B1:T4:3");
}

static void test_refused(void **unused)
{
    (void)unused;
    refuses("local(3, 4)", "{bank}",
            "cell format: no field 'bank' here: there are local, thread, lane, warp, register, "
            "row, column, index, number, vector, hardware, i0, i1");
    refuses("local(3, 4)", "{thread", "cell format: '{' has no '}': {thread");
    refuses("local(3, 4)", "{thr{ead}", "cell format: '{' has no '}': {thr{ead}");
    refuses("local(3, 4)", "thread}", "cell format: '}' has no '{': }");
    refuses("local(3, 4)", "{i2}",
            "cell format: no field 'i2' here: there are local, thread, lane, warp, register, row, "
            "column, index, number, vector, hardware, i0, i1");
    refuses("local(3, 4)", "a\nb",
            "cell format: character 2 is a control character: a cell is one line of text");
    char many[256] = "";
    for (int i = 0; i < 40; i++)
        strcat(many, "{i0}");
    refuses("local(3, 4)", many, "cell format: more than 32 pieces");
}

/* A cell with a great many owners stops when the reader stops. */
static void test_limit(void **unused)
{
    (void)unused;
    const struct lw_subject *subject = subject_of("reduce(spatial(1048576, 2), dims=[0])");
    uint64_t out[LW_DIMS_MAX] = {1};
    struct lw_text text = {.limit = 100};
    put_owners(&text, "{thread}: {local}", subject, out);
    assert_true(text.length >= 100 && text.length < 140);
    lw_text_clear(&text);
    put_owners(&text, "T{thread}", subject, out);
    assert_true(text.length >= 100 && text.length < 140);
    lw_text_free(&text);
    struct lw_text all = {0};
    put_owners(&all, "{thread}: {local}", subject, out);
    assert_true(all.length < 1 << 20);
    assert_string_equal(all.data + all.length - 9, ", ...]: 0");
    lw_text_free(&all);
}

static int finish(void **unused)
{
    (void)unused;
    subject_end();
    return 0;
}

/* The last element of a memory so large that its bits, or even its bytes, have no number. */
static void test_far_indices(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t size;
        int bits;
        const char *name;
        uint64_t value;
    } rows[] = {
        {(uint64_t)1 << 60, 64, "byte", ((uint64_t)1 << 63) - 8},
        {(uint64_t)1 << 60, 64, "line", ((uint64_t)1 << 56) - 1},
        {(uint64_t)1 << 60, 64, "bank", 30},
        {(uint64_t)1 << 62, 64, "line", ((uint64_t)1 << 58) - 1},
        {(uint64_t)1 << 62, 64, "bank", 30},
        {(uint64_t)1 << 62, 4, "byte", ((uint64_t)1 << 61) - 1},
    };
    for (size_t i = 0; i <= sizeof rows / sizeof *rows; i++) {
        bool none = i == sizeof rows / sizeof *rows;
        uint64_t size = none ? (uint64_t)1 << 62 : rows[i].size, in = size - 1, value;
        struct lw_layout layout;
        struct lw_map map;
        assert_true(lw_layout_identity(&layout, size, "offset", "dim0", NULL));
        lw_map_from_layout(&map, &layout);
        const struct lw_subject *subject =
            subject_of_map(&map, LW_FAMILY_SHARED, none ? 64 : rows[i].bits);
        assert_int_equal(lw_subject_field(subject, none ? "byte" : rows[i].name, &in, NULL, &value),
                         !none);
        if (!none)
            assert_int_equal(value, rows[i].value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),   cmocka_unit_test(test_owners),
        cmocka_unit_test(test_defaults), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_limit),    cmocka_unit_test(test_far_indices),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
