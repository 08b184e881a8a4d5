/* Queries of find: which hardware indices match, how many, or why none does. */

#include "view_help.h"

#include "view/query.h"

#define BLOCKED                                                                                    \
    "tensor<16x8xf32, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], "             \
    "warpsPerCTA = [2, 1], order = [1, 0]}>>"
#define MEMORY(shape, element)                                                                     \
    "!ttg.memdesc<" shape "x" element                                                              \
    ", #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, "                                \
    "order = [1, 0]}>, #smem>"

/* The number of indices that match, the first three and the last; of elements their numbers; or the reason. */
static const struct {
    const char *source, *query, *found;
} cases[] = {
    {BLOCKED, "t35", "2: 0,3,1,0: 1,3,1,0"},
    {BLOCKED, "thread=63", "2: 0,31,1,0: 1,31,1,0"},
    {BLOCKED, "thread=64", "no thread 64: the last is 63"},
    {BLOCKED, "t35 w1", "2: 0,3,1,0: 1,3,1,0"},
    {BLOCKED, "w0 t35", "thread 35 is in warp 1, not 0; l3 is a lane"},
    {BLOCKED, "l3", "4: 0,3,0,0: 1,3,0,0: 0,3,1,0: 1,3,1,0"},
    {BLOCKED, "w1 l31 r1", "1: 1,31,1,0"},
    {BLOCKED, "w2", "no warp 2: the last is 1"},
    {BLOCKED, "r2", "no register 2: the last is 1"},
    {BLOCKED, "T17:1", "1: 1,17,0,0"},
    {BLOCKED, "T17:2", "no register 2: the last is 1"},
    {BLOCKED, "l3 l4", "lane 3 or 4: which one?"},
    {BLOCKED, "l3 l3", "4: 0,3,0,0: 1,3,0,0: 0,3,1,0: 1,3,1,0"},
    {BLOCKED, "15,7", "element 15,7"},
    {BLOCKED, "(16, 0)", "no element 16,0: the tensor is 16 x 8, the last one 15,7"},
    {BLOCKED, "0,8", "no element 0,8: the tensor is 16 x 8, the last one 15,7"},
    {BLOCKED, "3", "an element of this tensor has 2 numbers"},
    {BLOCKED, "3,5 w1", "find an element, such as 3,5, or a warp, not both"},
    {BLOCKED, "bank 3", "a layout in registers has no banks"},
    {BLOCKED, "offset 3",
     "this layout has no offset: its hardware index is register, lane, warp, block"},
    {BLOCKED, "nothing 3", "not a query"},
    {BLOCKED, "x", "not a query"},
    {BLOCKED, "t", "not a query"},
    {BLOCKED, "18446744073709551616,0", "18446744073709551616 is too great a number"},
    {"spatial(4, 20)", "lane 3", "3: 0,3: 0,35: 0,67"},
    {"spatial(4, 20)", "lane 31", "2: 0,31: 0,63"},
    {"spatial(4, 20)", "lane 32", "no lane 32: the last is 31"},
    {"spatial(4, 20)", "warp 1", "32: 0,32: 0,33: 0,34: 0,63"},
    {"spatial(4, 20)", "warp 2", "16: 0,64: 0,65: 0,66: 0,79"},
    {"spatial(4, 20)", "warp 3", "no thread 96: the last is 79"},
    {"spatial(4, 20)", "w2 l15", "1: 0,79"},
    {"spatial(4, 20)", "w2 l16", "no thread 80: the last is 79"},
    {"spatial(4, 20)", "t79", "1: 0,79"},
    {"spatial(4, 20)", "t80", "no thread 80: the last is 79"},
    {"spatial(4, 20)", "w1 t31", "thread 31 or 63: which one?"},
    {"spatial(4, 20)", "w1 t40", "1: 0,40"},
    {"spatial(4, 20)", "l8 t40", "1: 0,40"},
    {"local(2).spatial(4)", "T3:1", "1: 1,3"},
    {"local(2).spatial(4)", "7", "element 7"},
    {"local(2).spatial(4)", "8", "no element 8: the tensor is 8, the last one 7"},
    {"local(2).spatial(4)", "3,5", "an element of this tensor has 1 number"},
    {MEMORY("4x32", "f32"), "bank 31", "4: 31,0: 63,0: 95,0: 127,0"},
    {MEMORY("4x32", "f32"), "bank 32", "no bank 32: the last is 31"},
    {MEMORY("4x32", "f16"), "bank 5", "4: 10,0: 11,0: 74,0: 75,0"},
    {MEMORY("4x16", "f64"), "bank 5", "4: 2,0: 18,0: 34,0: 50,0"},
    {MEMORY("1x8", "f32"), "bank 7", "1: 7,0"},
    {MEMORY("1x8", "f32"), "bank 8", "0"},
    {MEMORY("4x32", "f32"), "o127", "1: 127,0"},
    {MEMORY("4x32", "f32"), "offset=128", "no offset 128: the last is 127"},
    {MEMORY("4x32", "f32"), "lane 3",
     "this layout has no lane: its hardware index is offset, block"},
    {"(3,5):(16,1)", "bank 4", "2: 4: 36"},
};

static const char *answer_of(const char *source, const char *text)
{
    static char answer[400];
    const struct lw_subject *subject = subject_of(source);
    struct lw_query q;
    uint64_t in[LW_DIMS_MAX];
    if (!lw_query_read(&q, subject, text))
        return "not a query";
    if (q.why[0])
        return strcpy(answer, q.why);
    char *at = answer;
    for (int i = 0; i < q.numbers && q.element; i++)
        at += sprintf(at, "%s%llu", i ? "," : "element ", (unsigned long long)q.number[i]);
    const uint64_t count = q.element ? 0 : lw_query_index(&q, subject, 0, in);
    if (!q.element)
        at += sprintf(at, "%llu", (unsigned long long)count);
    for (uint64_t k = 0; k < count; k++) {
        if (k > 2 && k + 1 < count)
            continue;
        assert_int_equal(lw_query_index(&q, subject, k, in), count);
        for (int d = 0; d < subject->map.in.count; d++)
            at += sprintf(at, "%s%llu", d ? "," : ": ", (unsigned long long)in[d]);
    }
    return answer;
}

static void test_queries(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *found = answer_of(cases[i].source, cases[i].query);
        if (strcmp(found, cases[i].found) != 0)
            print_message("%s, %s: %s\n", cases[i].source, cases[i].query, found);
        assert_string_equal(found, cases[i].found);
    }
    subject_end();
}

/* The elements of a bank, all of them, neighbours in a row as one. */
static void test_banks(void **state)
{
    static const struct {
        const char *source;
        uint64_t bank;
        const char *holds;
    } banks[] = {
        {MEMORY("2x32", "f32"), 31, "31 holds 2 elements: (0,31) (1,31)"},
        {MEMORY("1x8", "f32"), 7, "7 holds 1 element: (0,7)"},
        {MEMORY("1x8", "f32"), 8, "8 holds 0 elements"},
        {MEMORY("4x128", "f16"), 7,
         "7 holds 16 elements: (0,14-15) (0,78-79) (1,14-15) (1,78-79) (2,14-15) (2,78-79) "
         "(3,14-15) (3,78-79)"},
        {MEMORY("4x32", "i8"), 7, "7 holds 4 elements: (0,28-31)"},
        {MEMORY("512x128", "f32"), 3, "3 holds more than 1024 elements: (0,3) (0,35) (0,67)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof banks / sizeof *banks; i++) {
        struct lw_text text = {0};
        const size_t length = strlen(banks[i].holds);
        lw_put_bank(&text, subject_of(banks[i].source), banks[i].bank);
        if (!strstr(banks[i].holds, "more than"))
            assert_int_equal(text.length, length);
        assert_memory_equal(lw_text_string(&text), banks[i].holds, length);
        lw_text_free(&text);
    }
    subject_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_queries),
                                       cmocka_unit_test(test_banks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
