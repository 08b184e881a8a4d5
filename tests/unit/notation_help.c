/* Helpers of the readers' tests. */

#include "notation_help.h"

#include "golden.h"

#include <cJSON.h>

/* ---- Opening ---- */

static void expect_error(const struct lw_error *err, const char *expected)
{
    struct lw_text text = {0};
    lw_text_error(&text, NULL, err);
    assert_string_equal(lw_text_string(&text), expected);
    lw_text_free(&text);
}

void refused(const char *source, const char *expected)
{
    struct lw_document doc;
    struct lw_error err = {0};
    if (lw_document_open(&doc, source, NULL, &err)) {
        lw_document_free(&doc);
        fail_msg("%s: was read", source);
    }
    assert_null(doc.encoding);
    assert_int_not_equal(err.code, LW_OK);
    expect_error(&err, expected);
    /* The reason does not matter. */
    assert_false(lw_document_open(&doc, source, NULL, NULL));
}

void open_source(struct lw_document *doc, const char *source)
{
    struct lw_error err = {0};
    struct lw_text text = {0};
    if (lw_document_open(doc, source, NULL, &err))
        return;
    lw_text_error(&text, NULL, &err);
    fail_msg("%s: %s", source, lw_text_string(&text));
}

void not_built(const char *source, const char *expected)
{
    struct lw_document doc;
    struct lw_error err = {0};
    struct lw_map map;
    open_source(&doc, source);
    assert_false(lw_document_build(&doc, &map, &err));
    expect_error(&err, expected);
    assert_false(lw_document_check(&doc, &err));
    expect_error(&err, expected);
    lw_document_free(&doc);
}

void prints(const char *source, const char *expected)
{
    struct lw_document doc;
    struct lw_text text = {0};
    open_source(&doc, source);
    lw_document_source(&text, &doc);
    assert_string_equal(lw_text_string(&text), expected);
    lw_text_free(&text);
    lw_document_free(&doc);
}

void builds(const char *source, const char *expected)
{
    struct lw_document doc;
    struct lw_error err = {0};
    struct lw_map map;
    struct lw_layout layout;
    struct lw_text text = {0};
    open_source(&doc, source);
    if (!lw_document_build(&doc, &map, &err) || !lw_map_to_layout(&map, &layout, &err))
        fail_msg("%s: %s", source, err.message);
    lw_layout_print_json(&text, &layout);
    assert_string_equal(lw_text_string(&text), expected);
    lw_text_free(&text);
    lw_document_free(&doc);
}

/* ---- Round trips ---- */

static void tensors_equal(const struct lw_tensor *a, const struct lw_tensor *b)
{
    assert_int_equal(a->rank, b->rank);
    for (int i = 0; i < a->rank; i++)
        assert_int_equal(a->shape[i], b->shape[i]);
    assert_string_equal(a->element.name, b->element.name);
    assert_int_equal(a->element.bits, b->element.bits);
    assert_int_equal(a->alloc_rank, b->alloc_rank);
    for (int i = 0; i < a->alloc_rank; i++)
        assert_int_equal(a->alloc[i], b->alloc[i]);
}

static void same_layout(const struct lw_document *doc, const char *text)
{
    struct lw_document again;
    open_source(&again, text);
    if (!lw_encoding_equal(doc->encoding, again.encoding))
        fail_msg("%s: another encoding", text);
    tensors_equal(&doc->tensor, &again.tensor);
    lw_document_free(&again);
}

static void same_build(const struct lw_document *a, const struct lw_document *b)
{
    struct lw_map map_a, map_b;
    struct lw_layout layout_a, layout_b;
    if (!lw_document_build(a, &map_a, NULL))
        return;
    assert_true(lw_document_build(b, &map_b, NULL));
    if (lw_map_to_layout(&map_a, &layout_a, NULL)) {
        assert_true(lw_map_to_layout(&map_b, &layout_b, NULL));
        assert_true(lw_layout_equal(&layout_a, &layout_b));
    }
}

/* A source leaves out what its notation leaves out: a parameter that is set to its default, perhaps. */
static void same_source(const struct lw_document *doc, const char *text)
{
    struct lw_document again;
    struct lw_text text_again = {0};
    open_source(&again, text);
    lw_document_source(&text_again, &again);
    assert_string_equal(lw_text_string(&text_again), text);
    assert_ptr_equal(doc->encoding->type, again.encoding->type);
    tensors_equal(&doc->tensor, &again.tensor);
    same_build(doc, &again);
    lw_text_free(&text_again);
    lw_document_free(&again);
}

static void same_document(const struct lw_document *doc, const char *text)
{
    struct lw_document again;
    same_layout(doc, text);
    open_source(&again, text);
    assert_string_equal(doc->title, again.title);
    assert_string_equal(doc->about, again.about);
    assert_string_equal(doc->view, again.view);
    assert_string_equal(doc->cell, again.cell);
    assert_int_equal(doc->side, again.side);
    for (int side = 0; side < LW_SIDES; side++) {
        const struct lw_document_layout *a = &doc->others[side], *b = &again.others[side];
        assert_int_equal(a->encoding != NULL, b->encoding != NULL);
        tensors_equal(&a->tensor, &b->tensor);
        if (a->encoding)
            assert_true(lw_encoding_equal(a->encoding, b->encoding));
    }
    struct lw_text text_again = {0};
    lw_document_print(&text_again, &again);
    assert_string_equal(lw_text_string(&text_again), text);
    lw_text_free(&text_again);
    lw_document_free(&again);
}

void round_trip(const struct lw_document *doc)
{
    struct lw_text text = {0};
    lw_document_source(&text, doc);
    same_source(doc, lw_text_string(&text));
    lw_text_clear(&text);
    lw_document_print(&text, doc);
    same_document(doc, lw_text_string(&text));
    lw_text_free(&text);
}

/* ---- Golden files ---- */

void each_source(const char *file, void (*visit)(const char *source, void *context), void *context)
{
    FILE *input = golden_open(file);
    for (cJSON *row; (row = golden_row(input)) != NULL;) {
        const cJSON *source = cJSON_GetObjectItemCaseSensitive(row, "source");
        if (cJSON_IsString(source))
            visit(source->valuestring, context);
        cJSON_Delete(row);
    }
}

/* ---- Random encodings ---- */

uint64_t random_next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1d;
}

uint64_t random_below(uint64_t *state, uint64_t n)
{
    return (random_next(state) >> 32) % n;
}

static struct lw_value number(const struct lw_param *param, uint64_t *state)
{
    int64_t max = param->min || param->max ? param->max : INT32_MAX;
    if (param->choices)
        return lw_value_integer(param->choices[random_below(state, param->choice_count)]);
    if (param->rules & LW_RULE_POWER_OF_TWO) {
        int64_t n = (int64_t)1 << random_below(state, 6);
        return lw_value_integer(n > max ? 1 : n < param->min ? param->min : n);
    }
    uint64_t span = (uint64_t)max - (uint64_t)param->min;
    if (random_below(state, 4) == 0)
        return lw_value_integer(random_below(state, 2) ? max : param->min);
    uint64_t few = span < 8 ? span : 8;
    return lw_value_integer(param->min + (int64_t)random_below(state, few + 1));
}

static struct lw_value list_of(struct lw_arena *arena, size_t count)
{
    struct lw_value list = {.kind = LW_VALUE_LIST, .count = count};
    list.items = lw_arena_alloc(arena, (count + 1) * sizeof *list.items);
    assert_non_null(list.items);
    return list;
}

static struct lw_value numbers(struct lw_arena *arena, const struct lw_param *param, size_t count,
                               uint64_t *state)
{
    struct lw_value list = list_of(arena, count);
    bool distinct = param->rules & (LW_RULE_PERMUTATION | LW_RULE_DISTINCT);
    for (size_t i = 0; i < count; i++)
        list.items[i] = distinct ? lw_value_integer((int64_t)i) : number(param, state);
    for (size_t i = count; distinct && i > 1; i--) {
        size_t k = random_below(state, i);
        struct lw_value swap = list.items[k];
        list.items[k] = list.items[i - 1];
        list.items[i - 1] = swap;
    }
    return list;
}

static struct lw_value bases(struct lw_arena *arena, size_t rank, uint64_t *state)
{
    static const struct lw_param power = {.rules = LW_RULE_POWER_OF_TWO, .max = 32};
    struct lw_value list = list_of(arena, random_below(state, 4));
    for (size_t i = 0; i < list.count; i++)
        list.items[i] = numbers(arena, &power, rank, state);
    return list;
}

static const char *const names[] = {"register", "lane", "warp", "block"};

static struct lw_value named(struct lw_arena *arena, size_t rank, uint64_t *state)
{
    struct lw_value object = list_of(arena, 1 + random_below(state, 4));
    object.kind = LW_VALUE_OBJECT;
    object.names = lw_arena_alloc(arena, object.count * sizeof *object.names);
    assert_non_null(object.names);
    for (size_t i = 0; i < object.count; i++) {
        object.names[i] = names[i];
        object.items[i] = bases(arena, rank, state);
    }
    return object;
}

static struct lw_value dims(struct lw_arena *arena, uint64_t *state)
{
    struct lw_value list = list_of(arena, 1 + random_below(state, 4));
    for (size_t i = 0; i < list.count; i++) {
        list.items[i] = list_of(arena, 2);
        list.items[i].items[0] = (struct lw_value){.kind = LW_VALUE_STRING, .string = names[i]};
        list.items[i].items[1] = lw_value_integer((int64_t)1 << random_below(state, 40));
    }
    return list;
}

static struct lw_value pairs(struct lw_arena *arena, uint64_t *state)
{
    struct lw_value list = list_of(arena, 1 + random_below(state, 3));
    for (size_t i = 0; i < list.count; i++) {
        list.items[i] = list_of(arena, 2);
        for (size_t k = 0; k < 2; k++)
            list.items[i].items[k] = lw_value_integer((int64_t)1 << random_below(state, 9));
    }
    return list;
}

static struct lw_value matrix(struct lw_arena *arena, size_t rank, uint64_t *state)
{
    struct lw_value list = list_of(arena, 2);
    for (size_t i = 0; i < list.count; i++)
        list.items[i] = rank > 1 ? matrix(arena, rank - 1, state)
                                 : lw_value_integer((int64_t)random_below(state, 16));
    return list;
}

static struct lw_value tuple(struct lw_arena *arena, uint64_t *state, int depth)
{
    if (depth <= 0 || random_below(state, 2))
        return lw_value_integer((int64_t)random_below(state, 16));
    struct lw_value list = list_of(arena, 1 + random_below(state, 3));
    for (size_t i = 0; i < list.count; i++)
        list.items[i] = tuple(arena, state, depth - 1);
    return list;
}

/* An encoding that may stand where one of `type` is nested. */
static struct lw_value nested(struct lw_arena *arena, const struct lw_encoding_type *type,
                              uint64_t *state, int depth)
{
    size_t count;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    for (;;) {
        const struct lw_encoding_type *inner = types[random_below(state, count)];
        bool holds = false;
        for (size_t i = 0; i < inner->param_count; i++)
            holds = holds || (inner->params[i].type == LW_PARAM_ENCODING &&
                              inner->params[i].fallback == LW_DEFAULT_REQUIRED);
        if (inner->spelling == type->spelling && (inner->dialect || !type->dialect) &&
            (depth > 0 || !holds))
            return (struct lw_value){.kind = LW_VALUE_ENCODING,
                                     .encoding = random_encoding(arena, inner, state, depth - 1)};
    }
}

static struct lw_value random_value(struct lw_arena *arena, const struct lw_encoding_type *type,
                                    const struct lw_param *param, size_t rank, uint64_t *state,
                                    int depth)
{
    switch (param->type) {
    case LW_PARAM_INTEGER:
        return number(param, state);
    case LW_PARAM_BOOLEAN:
        return lw_value_boolean(random_below(state, 2));
    case LW_PARAM_STRING:
        return (struct lw_value){.kind = LW_VALUE_STRING, .string = "a \"\\ \xc3\xa9\n"};
    case LW_PARAM_INTEGERS:
        return numbers(arena, param, rank, state);
    case LW_PARAM_BASES:
        return bases(arena, rank, state);
    case LW_PARAM_DIMS:
        return dims(arena, state);
    case LW_PARAM_NAMED_BASES:
        return named(arena, rank, state);
    case LW_PARAM_PADDINGS:
        return pairs(arena, state);
    case LW_PARAM_MATRIX:
        return matrix(arena, rank > 3 ? 3 : rank, state);
    case LW_PARAM_TUPLE:
        return tuple(arena, state, depth);
    case LW_PARAM_ENCODING:
        return nested(arena, type, state, depth);
    }
    return (struct lw_value){0};
}

/* Lists with a default, and what is outside the braces, are printed even when they are not
 * set, so here they are set. */
static bool is_reported(const struct lw_param *param, uint64_t *state, int depth)
{
    if (strcmp(param->name, "tiling") == 0 || strcmp(param->name, "operand") == 0)
        return false; /* an operand of a tiling is written as its source */
    if (param->rules & LW_RULE_OUTSIDE)
        return true;
    switch (param->fallback) {
    case LW_DEFAULT_ABSENT:
    case LW_DEFAULT_NUMBER:
        return random_below(state, 2) && (param->type != LW_PARAM_ENCODING || depth > 0);
    default:
        return true;
    }
}

struct lw_encoding *random_encoding(struct lw_arena *arena, const struct lw_encoding_type *type,
                                    uint64_t *state, int depth)
{
    struct lw_encoding *encoding = lw_encoding_new(arena, type);
    size_t rank = 1 + random_below(state, 4);
    assert_non_null(encoding);
    for (size_t i = 0; i < type->param_count; i++)
        if (is_reported(&type->params[i], state, depth))
            encoding->params[i] = random_value(arena, type, &type->params[i], rank, state, depth);
    return encoding;
}
