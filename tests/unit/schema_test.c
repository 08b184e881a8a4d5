/* The schema: each type and rule of a parameter table, right and wrong in every way. The table is
 * this test's own, so that the rules are tested apart from any encoding. */

#include "unit.h"

#include "laneway/document.h"

static const int64_t two_or_three[] = {2, 3};

static const struct lw_param params[] = {
    {.name = "number", .type = LW_PARAM_INTEGER, .fallback = LW_DEFAULT_ABSENT},
    {.name = "small", .type = LW_PARAM_INTEGER, .min = -3, .max = 5, .fallback = LW_DEFAULT_ABSENT},
    {.name = "choice",
     .type = LW_PARAM_INTEGER,
     .choices = two_or_three,
     .choice_count = 2,
     .fallback = LW_DEFAULT_NUMBER,
     .number = 3},
    {.name = "power",
     .type = LW_PARAM_INTEGER,
     .rules = LW_RULE_POWER_OF_TWO,
     .min = 1,
     .max = 1024,
     .fallback = LW_DEFAULT_ABSENT},
    {.name = "truth", .type = LW_PARAM_BOOLEAN, .fallback = LW_DEFAULT_NUMBER, .number = 1},
    {.name = "word", .type = LW_PARAM_STRING, .fallback = LW_DEFAULT_ABSENT},
    {.name = "list", .type = LW_PARAM_INTEGERS, .fallback = LW_DEFAULT_EMPTY},
    {.name = "each",
     .type = LW_PARAM_INTEGERS,
     .rules = LW_RULE_RANK | LW_RULE_POWER_OF_TWO,
     .min = 1,
     .max = 256,
     .fallback = LW_DEFAULT_ONES},
    {.name = "order",
     .type = LW_PARAM_INTEGERS,
     .rules = LW_RULE_RANK | LW_RULE_PERMUTATION,
     .fallback = LW_DEFAULT_DESCENDING},
    {.name = "dims",
     .type = LW_PARAM_INTEGERS,
     .rules = LW_RULE_DISTINCT,
     .fallback = LW_DEFAULT_ABSENT},
    {.name = "bases",
     .type = LW_PARAM_BASES,
     .rules = LW_RULE_RANK,
     .max = (int64_t)1 << 62,
     .fallback = LW_DEFAULT_ABSENT},
    {.name = "in",
     .type = LW_PARAM_DIMS,
     .rules = LW_RULE_POWER_OF_TWO,
     .min = 1,
     .max = (int64_t)1 << 62,
     .fallback = LW_DEFAULT_ABSENT},
    {.name = "named", .type = LW_PARAM_NAMED_BASES, .fallback = LW_DEFAULT_ABSENT},
    {.name = "parent", .type = LW_PARAM_ENCODING, .fallback = LW_DEFAULT_ABSENT},
    {.name = "needed", .type = LW_PARAM_INTEGER, .max = 7, .help = "a number that must be set"},
};

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_layout layout;
    (void)encoding, (void)tensor;
    if (!lw_layout_identity(&layout, 4, "register", "dim0", err))
        return false;
    lw_map_from_layout(map, &layout);
    return true;
}

static const struct lw_encoding_type sample = {
    .name = "sample",
    .dialect = "ttg",
    .family = LW_FAMILY_DISTRIBUTED,
    .spelling = LW_SPELLING_ATTRIBUTE,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .build = build,
};

static struct lw_tensor tensor_of(int rank)
{
    struct lw_tensor tensor;
    lw_tensor_unknown(&tensor);
    tensor.rank = rank;
    for (int d = 0; d < rank; d++)
        tensor.shape[d] = 4;
    return tensor;
}

/* A sample with `needed` and one more parameter set, as users type it. */
static struct lw_encoding *set_values(struct lw_arena *arena, const char *name, const char *text)
{
    struct lw_encoding *encoding = lw_encoding_new(arena, &sample);
    struct lw_value needed = lw_value_integer(1), value;
    struct lw_error err;
    assert_true(lw_encoding_set(encoding, "needed", &needed, NULL));
    if (!lw_value_read(arena, text, &value, &err))
        fail_msg("%s: %s", text, err.message);
    assert_true(lw_encoding_set(encoding, name, &value, NULL));
    return encoding;
}

static void expect(int rank, const char *name, const char *text, enum lw_code code,
                   const char *message)
{
    struct lw_arena arena = {0};
    struct lw_encoding *encoding = set_values(&arena, name, text);
    struct lw_tensor tensor = tensor_of(rank);
    struct lw_error err;
    bool good = lw_encoding_check(encoding, &tensor, &err);
    assert_int_equal(good, message == NULL);
    if (message) {
        assert_string_equal(err.message, message);
        assert_string_equal(err.parameter, name);
        assert_int_equal(err.code, code);
    }
    lw_arena_free(&arena);
}

struct row {
    const char *name, *text;
    enum lw_code code;
    const char *message;
};

static void right(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"number", "0"},       {"number", "2147483647"},
        {"small", "-3"},       {"small", "5"},
        {"choice", "2"},       {"power", "1"},
        {"power", "1024"},     {"truth", "false"},
        {"word", "\"lane\""},  {"list", "[]"},
        {"list", "[3, 3, 0]"}, {"each", "[1, 256]"},
        {"order", "[1, 0]"},   {"dims", "[2, 0, 1]"},
        {"bases", "[]"},       {"bases", "[[0, 1], [4611686018427387904, 0]]"},
        {"in", "[]"},          {"in", "[[\"lane\", 32], [\"warp\", 1]]"},
        {"named", "{}"},       {"named", "{\"lane\": [[1], [2]], \"warp\": []}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(2, rows[i][0], rows[i][1], LW_OK, NULL);
}

static void wrong(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"number", "-1", LW_ERROR_PARAMETER, "number = -1: must be at least 0"},
        {"number", "2147483648", LW_ERROR_LIMIT, "number = 2147483648: must be at most 2^31-1"},
        {"number", "true", LW_ERROR_PARAMETER,
         "number = true: must be an integer, not true or false"},
        {"number", "[1]", LW_ERROR_PARAMETER, "number = [1]: must be an integer, not a list"},
        {"small", "-4", LW_ERROR_PARAMETER, "small = -4: must be from -3 to 5"},
        {"small", "6", LW_ERROR_PARAMETER, "small = 6: must be from -3 to 5"},
        {"choice", "4", LW_ERROR_PARAMETER, "choice = 4: must be 2 or 3"},
        {"power", "0", LW_ERROR_PARAMETER, "power = 0: must be a power of two"},
        {"power", "-8", LW_ERROR_PARAMETER, "power = -8: must be a power of two"},
        {"power", "12", LW_ERROR_PARAMETER, "power = 12: must be a power of two"},
        {"power", "2048", LW_ERROR_PARAMETER, "power = 2048: must be from 1 to 1024"},
        {"truth", "1", LW_ERROR_PARAMETER, "truth = 1: must be true or false, not an integer"},
        {"word", "7", LW_ERROR_PARAMETER, "word = 7: must be a string, not an integer"},
        {"list", "4", LW_ERROR_PARAMETER, "list = 4: must be a list of integers, not an integer"},
        {"list", "[1, \"a\"]", LW_ERROR_PARAMETER, "list = [1, \"a\"]: must be a list of integers"},
        {"list", "[1, [2]]", LW_ERROR_PARAMETER, "list = [1, [2]]: must be a list of integers"},
        {"list", "[1, -1]", LW_ERROR_PARAMETER, "list = [1, -1]: each entry must be at least 0"},
        {"each", "[3, 11]", LW_ERROR_PARAMETER,
         "each = [3, 11]: each entry must be a power of two"},
        {"each", "[1, 512]", LW_ERROR_PARAMETER,
         "each = [1, 512]: each entry must be from 1 to 256"},
        {"each", "[1]", LW_ERROR_PARAMETER, "each = [1]: 1 entry, but 2 are needed"},
        {"each", "[1, 4, 2]", LW_ERROR_PARAMETER, "each = [1, 4, 2]: 3 entries, but 2 are needed"},
        {"each",
         "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
         "1, 1, 1, 1]",
         LW_ERROR_LIMIT,
         "each = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,...: 33 "
         "entries, but a tensor has at most 32 dims"},
        {"order", "[1, 1]", LW_ERROR_PARAMETER, "order = [1, 1] is not a permutation of 0..1"},
        {"order", "[1, 2]", LW_ERROR_PARAMETER, "order = [1, 2] is not a permutation of 0..1"},
        {"order", "[0, -1]", LW_ERROR_PARAMETER, "order = [0, -1] is not a permutation of 0..1"},
        {"dims", "[2, 0, 2]", LW_ERROR_PARAMETER, "dims = [2, 0, 2]: duplicate 2"},
        {"bases", "[0, 1]", LW_ERROR_PARAMETER,
         "bases = [0, 1]: must be a list of bases of one length such as [[0, 1], [0, 2]]"},
        {"bases", "[[0, 1], [0]]", LW_ERROR_PARAMETER,
         "bases = [[0, 1], [0]]: must be a list of bases of one length such as [[0, 1], [0, 2]]"},
        {"bases", "[[0, 1, 2]]", LW_ERROR_PARAMETER,
         "bases = [[0, 1, 2]]: 3 numbers in a basis, but 2 are needed"},
        {"bases", "[[0, true]]", LW_ERROR_PARAMETER,
         "bases = [[0, true]]: must be a list of bases of one length such as [[0, 1], [0, 2]]"},
        {"bases", "[[0, -1]]", LW_ERROR_PARAMETER,
         "bases = [[0, -1]]: each number must be at least 0"},
        {"bases", "[[0, 9223372036854775807]]", LW_ERROR_LIMIT,
         "bases = [[0, 9223372036854775807]]: each number must be at most 2^62"},
        {"in", "[\"lane\", 32]", LW_ERROR_PARAMETER,
         "in = [\"lane\", 32]: must be a list of names and sizes such as [[\"lane\", 32]]"},
        {"in", "[[\"lane\", 12]]", LW_ERROR_PARAMETER,
         "in = [[\"lane\", 12]]: each size must be a power of two"},
        {"in", "[[\"lane\", 2], [\"lane\", 2]]", LW_ERROR_NAME,
         "in = [[\"lane\", 2], [\"lane\", 2]]: duplicate dim 'lane'"},
        {"named", "[]", LW_ERROR_PARAMETER,
         "named = []: must be bases by name such as {\"lane\": [[0, 1]]}, not a list"},
        {"named", "{\"lane\": 4}", LW_ERROR_PARAMETER,
         "named = {\"lane\": 4}: must be bases by name such as {\"lane\": [[0, 1]]}, not an "
         "integer"},
        {"parent", "7", LW_ERROR_PARAMETER, "parent = 7: must be an encoding, not an integer"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(2, rows[i].name, rows[i].text, rows[i].code, rows[i].message);
}

/* Long lists are refused by their length, and only their beginning is quoted. */
static void long_lists(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    struct lw_arena arena = {0};
    static int64_t numbers[MANY];
    struct lw_value list = lw_value_integers(&arena, numbers, MANY);
    struct lw_tensor tensor = tensor_of(2);
    for (size_t i = 0; i < sizeof params / sizeof *params; i++) {
        struct lw_encoding *encoding = lw_encoding_new(&arena, &sample);
        struct lw_error err;
        assert_true(lw_encoding_set(encoding, params[i].name, &list, NULL));
        assert_false(lw_encoding_check(encoding, &tensor, &err));
        assert_true(strlen(err.message) < 250);
        if (params[i].type == LW_PARAM_INTEGERS) {
            assert_int_equal(err.code, LW_ERROR_LIMIT);
            assert_non_null(
                strstr(err.message, "...: 100000 entries, but at most 64 are possible"));
        }
    }
    lw_arena_free(&arena);
}

static void missing(void **state)
{
    (void)state;
    struct lw_arena arena = {0};
    struct lw_encoding *encoding = lw_encoding_new(&arena, &sample);
    struct lw_tensor tensor = tensor_of(2);
    struct lw_map map;
    struct lw_error err, built;
    encoding->position = (struct lw_position){3, 7, 6};
    assert_false(lw_encoding_check(encoding, &tensor, &err));
    assert_string_equal(err.message, "sample needs needed: an integer, from 0 to 7");
    assert_int_equal(err.position.line, 3);
    assert_false(lw_encoding_build(encoding, &tensor, &map, &built));
    assert_string_equal(built.message, err.message);
    lw_arena_free(&arena);
}

/* The first problem is reported, with its position. */
static void first_problem(void **state)
{
    (void)state;
    struct lw_arena arena = {0};
    struct lw_encoding *encoding = lw_encoding_new(&arena, &sample);
    struct lw_tensor tensor = tensor_of(2);
    struct lw_error err;
    for (size_t i = sizeof params / sizeof *params - 1; i-- > 0;) {
        struct lw_value value;
        assert_true(lw_value_read(&arena, "[-1, \"x\", []]", &value, NULL));
        value.position = (struct lw_position){1, 10 * (int)i + 1, 1};
        assert_true(lw_encoding_set(encoding, params[i].name, &value, NULL));
        assert_false(lw_encoding_check(encoding, &tensor, &err));
        assert_string_equal(err.parameter, params[i].name);
        assert_int_equal(err.position.column, value.position.column);
    }
    lw_arena_free(&arena);
}

/* Without a shape, the lists must agree among themselves. */
static void own_rank(void **state)
{
    (void)state;
    struct lw_arena arena = {0};
    struct lw_encoding *encoding = set_values(&arena, "each", "[1, 2, 4]");
    struct lw_tensor tensor = tensor_of(-1);
    struct lw_error err;
    struct lw_value order;
    assert_true(lw_value_read(&arena, "[1, 0]", &order, NULL));
    assert_true(lw_encoding_set(encoding, "order", &order, NULL));
    assert_false(lw_encoding_check(encoding, &tensor, &err));
    assert_string_equal(err.message, "order = [1, 0]: 2 entries, but 3 are needed");
    lw_arena_free(&arena);
}

static void shapes(void **state)
{
    (void)state;
    static const struct {
        int rank;
        uint64_t shape[4];
        const char *message;
    } rows[] = {
        {2, {16, 64}, NULL},
        {2, {12, 20}, "shape [12, 20]: not a power of two in dim 0; try [16, 32]"},
        {2, {16, 20}, "shape [16, 20]: not a power of two in dim 1; try [16, 32]"},
        {2, {0, 4}, "shape [0, 4]: each dim must be from 1 to 2^62"},
        {1, {(uint64_t)1 << 63}, "shape [9223372036854775808]: each dim must be from 1 to 2^62"},
        {2, {(uint64_t)1 << 31, (uint64_t)1 << 31}, NULL},
        {2,
         {(uint64_t)1 << 32, (uint64_t)1 << 31},
         "shape [4294967296, 2147483648]: over 2^62 elements: at most 2^62 are supported"},
        {0, {0}, "shape []: a tensor without dims has no layout"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lw_arena arena = {0};
        struct lw_encoding *encoding = set_values(&arena, "number", "1");
        struct lw_tensor tensor = tensor_of(rows[i].rank);
        struct lw_error err;
        for (int d = 0; d < rows[i].rank; d++)
            tensor.shape[d] = rows[i].shape[d];
        assert_int_equal(lw_encoding_check(encoding, &tensor, &err), rows[i].message == NULL);
        if (rows[i].message) {
            assert_string_equal(err.message, rows[i].message);
            assert_string_equal(err.parameter, "shape");
        }
        lw_arena_free(&arena);
    }
}

/* A chain of encodings that is too deep is refused, not followed for ever. */
static void nesting(void **state)
{
    (void)state;
    struct lw_arena arena = {0};
    struct lw_encoding *inner = set_values(&arena, "number", "-1");
    struct lw_tensor tensor = tensor_of(2);
    for (int depth = 1; depth <= LW_NESTING_MAX + 1; depth++) {
        struct lw_encoding *outer = set_values(&arena, "number", "1");
        struct lw_value value = {.kind = LW_VALUE_ENCODING, .encoding = inner};
        struct lw_error err;
        assert_true(lw_encoding_set(outer, "parent", &value, NULL));
        assert_false(lw_encoding_check(outer, &tensor, &err));
        if (depth == 1) {
            assert_string_equal(err.parameter, "parent.number");
            assert_string_equal(err.message, "parent.number = -1: must be at least 0");
        }
        if (depth > LW_NESTING_MAX)
            assert_int_equal(err.code, LW_ERROR_LIMIT);
        inner = outer;
    }
    lw_arena_free(&arena);
}

static void defaults(void **state)
{
    (void)state;
    struct lw_arena arena = {0};
    struct lw_encoding *encoding = lw_encoding_new(&arena, &sample);
    int64_t numbers[LW_RANK_MAX];
    assert_int_equal(lw_encoding_integer(encoding, "choice"), 3);
    assert_int_equal(lw_encoding_integer(encoding, "number"), 0);
    assert_true(lw_encoding_boolean(encoding, "truth"));
    assert_false(lw_encoding_is_set(encoding, "truth"));
    assert_int_equal(lw_encoding_integers(encoding, "each", 3, numbers, LW_RANK_MAX), 3);
    assert_true(numbers[0] == 1 && numbers[2] == 1);
    assert_int_equal(lw_encoding_integers(encoding, "order", 3, numbers, LW_RANK_MAX), 3);
    assert_true(numbers[0] == 2 && numbers[1] == 1 && numbers[2] == 0);
    assert_int_equal(lw_encoding_integers(encoding, "order", 3, numbers, 1), 3);
    assert_int_equal(lw_encoding_integers(encoding, "list", 3, numbers, LW_RANK_MAX), 0);
    assert_null(lw_encoding_value(encoding, "each"));
    assert_null(lw_encoding_nested(encoding, "parent"));
    assert_int_equal(lw_encoding_param(encoding, "no such"), -1);
    assert_int_equal(lw_encoding_integer(encoding, "no such"), 0);
    lw_arena_free(&arena);
}

static void effective(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
    } rows[] = {{"choice", "3"}, {"truth", "true"}, {"each", "[1, 1, 1]"}, {"order", "[2, 1, 0]"},
                {"list", "[]"},  {"word", ""},      {"needed", ""}};
    struct lw_arena arena = {0};
    struct lw_encoding *encoding = lw_encoding_new(&arena, &sample);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lw_text text = {0};
        struct lw_value value =
            lw_encoding_effective(&arena, encoding, lw_encoding_param(encoding, rows[i].name), 3);
        lw_value_print(&text, &value);
        assert_string_equal(lw_text_string(&text), rows[i].text);
        lw_text_free(&text);
    }
    struct lw_value none =
        lw_encoding_effective(&arena, encoding, lw_encoding_param(encoding, "each"), -1);
    assert_int_equal(none.kind, LW_VALUE_NONE);
    lw_arena_free(&arena);
}

static void legal_texts(void **state)
{
    (void)state;
    static const char *const words[] = {
        "an integer, at least 0",
        "an integer, from -3 to 5",
        "an integer, 2 or 3",
        "an integer, a power of two from 1 to 1024",
        "true or false",
        "a string",
        "a list of integers, each at least 0",
        "a list of integers, each a power of two from 1 to 256, one for each dim",
        "a list of integers, a permutation of 0 to n-1, one for each dim",
        "a list of integers, each at least 0, no duplicates",
        "a list of bases of one length such as [[0, 1], [0, 2]], each with one number for each dim",
        "a list of names and sizes such as [[\"lane\", 32]]",
        "bases by name such as {\"lane\": [[0, 1]]}",
        "an encoding",
        "an integer, from 0 to 7"};
    for (size_t i = 0; i < sizeof params / sizeof *params; i++) {
        struct lw_text text = {0};
        lw_param_legal(&text, &params[i]);
        assert_string_equal(lw_text_string(&text), words[i]);
        lw_text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right),     cmocka_unit_test(wrong),         cmocka_unit_test(long_lists),
        cmocka_unit_test(missing),   cmocka_unit_test(first_problem), cmocka_unit_test(own_rank),
        cmocka_unit_test(shapes),    cmocka_unit_test(nesting),       cmocka_unit_test(defaults),
        cmocka_unit_test(effective), cmocka_unit_test(legal_texts),
    };
    return RUN(tests);
}
