/* Every message about a parameter names it. */

#include "unit.h"

#include "laneway/document.h"

/* ---- Each parameter, wrong in every way ---- */

static const struct lw_position somewhere = {12, 34, 5};

/* Whether it is the position of a value, or of a part of it. */
static bool is_at(const struct lw_value *value, const struct lw_position *position)
{
    bool is = !memcmp(&value->position, position, sizeof *position);
    for (size_t i = 0; i < value->count && !is; i++)
        is = is_at(&value->items[i], position);
    return is;
}

/* The document with that one parameter changed. */
static void expect_named(struct lw_document *doc, struct lw_encoding *owner, int index,
                         const struct lw_value *value, const char *path)
{
    struct lw_value before = owner->params[index];
    struct lw_error err;
    owner->params[index] = *value;
    owner->params[index].position = somewhere;
    assert_false(lw_document_check(doc, &err));
    bool named =
        !strcmp(err.parameter, path) && strstr(err.message, owner->type->params[index].name);
    if (value->kind != LW_VALUE_NONE)
        assert_true(is_at(&owner->params[index], &err.position));
    assert_true(strlen(err.message) < 400);
    if (!named) {
        struct lw_text text = {0};
        lw_value_print(&text, value);
        fail_msg("%s: %s = %s: %s", doc->encoding->type->name, path, lw_text_string(&text),
                 err.message);
    }
    owner->params[index] = before;
}

/* Values of every kind, as people type them; those of the parameter's own kind are left out. */
static void wrong_kinds(struct lw_document *doc, struct lw_encoding *owner, int index,
                        const char *path)
{
    static const struct {
        enum lw_value_kind kind;
        const char *text;
    } values[] = {{LW_VALUE_INTEGER, "1"},
                  {LW_VALUE_BOOLEAN, "true"},
                  {LW_VALUE_STRING, "\"x\""},
                  {LW_VALUE_LIST, "[\"x\"]"},
                  {LW_VALUE_OBJECT, "{\"x\": 1}"}};
    static const enum lw_value_kind own[LW_PARAM_ENCODING + 1] = {
        [LW_PARAM_INTEGER] = LW_VALUE_INTEGER,
        [LW_PARAM_BOOLEAN] = LW_VALUE_BOOLEAN,
        [LW_PARAM_STRING] = LW_VALUE_STRING,
    };
    const struct lw_param *param = &owner->type->params[index];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct lw_value value;
        if (own[param->type] == values[i].kind)
            continue;
        assert_true(lw_value_read(&doc->arena, values[i].text, &value, NULL));
        expect_named(doc, owner, index, &value, path);
    }
}

/* Numbers that the row's range, choices and rules do not allow, alone or as entries of a list. */
static void wrong_numbers(struct lw_document *doc, struct lw_encoding *owner, int index,
                          const char *path)
{
    static const int64_t numbers[] = {-1, INT64_MIN, INT64_MAX, (int64_t)1 << 31, 3, 0};
    const struct lw_param *param = &owner->type->params[index];
    int64_t max = param->min || param->max ? param->max : INT32_MAX;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int64_t n = numbers[i];
        bool power = n > 0 && (n & (n - 1)) == 0;
        bool legal =
            n >= param->min && n <= max && (power || !(param->rules & LW_RULE_POWER_OF_TWO));
        struct lw_value value = lw_value_integer(n);
        if ((legal && !param->choices) || (param->choices && (n == 3 || n == 0)))
            continue;
        if (param->type == LW_PARAM_INTEGERS) {
            int64_t list[2] = {1, n};
            value = lw_value_integers(&doc->arena, list, 2);
        }
        expect_named(doc, owner, index, &value, path);
    }
}

static void wrong_lists(struct lw_document *doc, struct lw_encoding *owner, int index,
                        const char *path)
{
    static const int64_t repeated[] = {0, 0};
    int64_t ones[LW_RANK_MAX + 1];
    const struct lw_param *param = &owner->type->params[index];
    static int64_t many[1000];
    for (int i = 0; i <= LW_RANK_MAX; i++)
        ones[i] = 1;
    struct lw_value value = lw_value_integers(&doc->arena, many, 1000);
    expect_named(doc, owner, index, &value, path);
    if (param->rules & LW_RULE_RANK) {
        value = lw_value_integers(&doc->arena, ones, LW_RANK_MAX + 1);
        expect_named(doc, owner, index, &value, path);
        value = lw_value_integers(&doc->arena, ones, 7);
        expect_named(doc, owner, index, &value, path);
    }
    if (param->rules & (LW_RULE_PERMUTATION | LW_RULE_DISTINCT)) {
        value = lw_value_integers(&doc->arena, repeated, 2);
        expect_named(doc, owner, index, &value, path);
    }
}

static void wrong_bases(struct lw_document *doc, struct lw_encoding *owner, int index,
                        const char *path)
{
    static const char long_basis[] = "[[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
                                     "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]]";
    static const char *const texts[] = {"[1]",         "[[1, 2], [1]]", "[[-1, 0]]",
                                        "[[true, 0]]", long_basis,      "[[[1]], 0]"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct lw_value value;
        assert_true(lw_value_read(&doc->arena, texts[i], &value, NULL));
        expect_named(doc, owner, index, &value, path);
    }
}

static void each_way(struct lw_document *doc, struct lw_encoding *owner, const char *prefix)
{
    for (size_t i = 0; i < owner->type->param_count; i++) {
        const struct lw_param *param = &owner->type->params[i];
        struct lw_value *value = &owner->params[i], none = {0};
        char path[64];
        snprintf(path, sizeof path, "%s%s", prefix, param->name);
        if (value->kind == LW_VALUE_ENCODING) {
            char deeper[66];
            snprintf(deeper, sizeof deeper, "%s.", path);
            each_way(doc, value->encoding, deeper);
        }
        wrong_kinds(doc, owner, (int)i, path);
        if (param->fallback == LW_DEFAULT_REQUIRED)
            expect_named(doc, owner, (int)i, &none, path);
        if (param->type == LW_PARAM_INTEGER || param->type == LW_PARAM_INTEGERS)
            if (!(param->rules & LW_RULE_PERMUTATION))
                wrong_numbers(doc, owner, (int)i, path);
        if (param->type == LW_PARAM_INTEGERS)
            wrong_lists(doc, owner, (int)i, path);
        if (param->type == LW_PARAM_BASES)
            wrong_bases(doc, owner, (int)i, path);
    }
}

/* The example of each type is the right document that is made wrong. */
static void every_parameter(void **state)
{
    (void)state;
    size_t count;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    for (size_t i = 0; i < count; i++) {
        struct lw_document doc;
        struct lw_error err;
        const char *source = types[i]->example;
        if (types[i]->spelling != LW_SPELLING_ATTRIBUTE)
            continue;
        if (!lw_document_read(&doc, source, strlen(source), NULL, &err))
            fail_msg("%s: %s", source, err.message);
        if (!lw_document_check(&doc, &err))
            fail_msg("%s: %s", source, err.message);
        each_way(&doc, doc.encoding, "");
        assert_true(lw_document_check(&doc, &err));
        lw_document_free(&doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_parameter),
    };
    return RUN(tests);
}
