/*
 * tilus register layouts: compared with the package tilus (tests/golden/tilus_*.jsonl), cell for cell,
 * its refusals among them; messages, limits, the rows of the registry.
 */

#include "golden.h"

#include "encoding/schema/types.h"
#include "encoding/tilus/tilus.h"
#include "laneway/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Compared with tilus ---- */

/* Calls `row` with each object of a golden file but its header; returns how many there were. */
static int each_row(const char *name, void (*row)(const cJSON *row))
{
    FILE *file = golden_open(name);
    int count = 0;
    for (cJSON *json; (json = golden_row(file)) != NULL; count++) {
        row(json);
        cJSON_Delete(json);
    }
    return count;
}

static const char *string_of(const cJSON *row, const char *name)
{
    const char *string = cJSON_GetStringValue(cJSON_GetObjectItem(row, name));
    assert_non_null(string);
    return string;
}

/* The next cell of a printed grid, "0: 3" or "[0, 4]: 3": a stretch between two bars that has a
 * colon. NULL when there is none. */
static const char *next_cell(const char *at)
{
    static const char bar[] = "│";
    while ((at = strstr(at, bar)) != NULL) {
        at += sizeof bar - 1;
        const char *end = strstr(at, bar), *line = strchr(at, '\n');
        if (end && (!line || end < line))
            return at;
    }
    return NULL;
}

/* The owners of an element, written as in that grid. */
static void write_owners(struct lw_text *text, const struct lw_map *map, const uint64_t *out)
{
    uint64_t count = lw_map_owner_count(map, out), in[LW_DIMS_MAX] = {0};
    lw_text_add(text, count > 1 ? "[" : "");
    for (uint64_t k = 0; k < count; k++) {
        assert_true(lw_map_owner(map, out, k, in));
        lw_text_format(text, "%s%llu", k ? ", " : "", (unsigned long long)in[1]);
    }
    lw_text_format(text, "%s: %llu", count > 1 ? "]" : "", (unsigned long long)in[0]);
}

/* The point of a row-major number: the last dim fastest. */
static void row_major(const struct lw_dims *dims, uint64_t flat, uint64_t *point)
{
    for (int i = dims->count - 1; i >= 0; i--) {
        point[i] = flat % dims->dim[i].size;
        flat /= dims->dim[i].size;
    }
}

/* The cells of a grid, read from left to right and down, are the elements in row-major order. */
static void compare_cells(const char *source, const char *grid, const struct lw_map *map)
{
    uint64_t total;
    struct lw_text text = {0};
    assert_true(lw_dims_total(&map->out, &total, NULL));
    for (uint64_t i = 0; i < total; i++) {
        uint64_t out[LW_DIMS_MAX];
        row_major(&map->out, i, out);
        lw_text_clear(&text);
        write_owners(&text, map, out);
        grid = next_cell(grid);
        if (!grid || strncmp(grid + 1, lw_text_string(&text), text.length) != 0)
            fail_msg("%s: element %d is %s here", source, (int)i, lw_text_string(&text));
    }
    assert_null(next_cell(grid));
    lw_text_free(&text);
}

/* The document printed as an expression is the same layout when read again. */
static void check_printed(const struct lw_document *doc, const char *head)
{
    struct lw_document again;
    struct lw_text source = {0}, text = {0};
    struct lw_error err = {0};
    lw_document_source(&source, doc);
    if (!lw_document_open(&again, lw_text_string(&source), NULL, &err) ||
        !lw_tilus_head(again.encoding, &text, &err))
        fail_msg("%s: %s", lw_text_string(&source), err.message);
    assert_string_equal(lw_text_string(&text), head);
    lw_text_free(&source);
    lw_text_free(&text);
    lw_document_free(&again);
}

static void check_row(const cJSON *row)
{
    const char *source = string_of(row, "source"), *text = string_of(row, "text");
    size_t head_length = strcspn(text, "\n");
    struct lw_document doc;
    struct lw_map map;
    struct lw_error err = {0};
    struct lw_text head = {0};
    if (!lw_document_open(&doc, source, NULL, &err) || !lw_document_build(&doc, &map, &err) ||
        !lw_tilus_head(doc.encoding, &head, &err))
        fail_msg("%s: %s", source, err.message);
    if (head.length != head_length || memcmp(head.data, text, head_length) != 0)
        fail_msg("%s: %s", source, lw_text_string(&head));
    compare_cells(source, text + head_length, &map);
    check_printed(&doc, lw_text_string(&head));
    lw_text_free(&head);
    lw_document_free(&doc);
}

static void test_documentation(void **state)
{
    (void)state;
    assert_int_equal(each_row("tilus_doc.jsonl", check_row), 11);
}

static void test_random_expressions(void **state)
{
    (void)state;
    assert_true(each_row("tilus_random.jsonl", check_row) >= 80);
}

static void test_other_operators(void **state)
{
    (void)state;
    assert_true(each_row("tilus_more.jsonl", check_row) >= 80);
}

/* A document of the gallery is what tilus keeps under that name. */
static void check_preset(const cJSON *row)
{
    struct lw_document doc;
    struct lw_text head = {0};
    struct lw_error err = {0};
    if (!lw_document_open(&doc, string_of(row, "name"), NULL, &err) ||
        !lw_tilus_head(doc.encoding, &head, &err))
        fail_msg("%s: %s", string_of(row, "name"), err.message);
    assert_string_equal(lw_text_string(&head), string_of(row, "head"));
    lw_text_free(&head);
    lw_document_free(&doc);
}

static void test_presets(void **state)
{
    (void)state;
    assert_true(each_row("tilus_presets.jsonl", check_preset) >= 30);
}

static void check_refusal(const cJSON *row)
{
    const char *source = string_of(row, "source");
    struct lw_document doc;
    struct lw_map map;
    struct lw_error err = {0};
    bool opened = lw_document_open(&doc, source, NULL, &err);
    if (opened && lw_document_build(&doc, &map, &err))
        fail_msg("%s is accepted here", source);
    if (!*err.message || err.position.line != 1 || err.position.column < 1)
        fail_msg("%s: the message '%s' has no position", source, err.message);
    if (opened)
        lw_document_free(&doc);
}

static void test_refusals(void **state)
{
    (void)state;
    assert_true(each_row("tilus_errors.jsonl", check_refusal) >= 100);
}

/* ---- Messages ---- */

static void expect_error(const char *source, const char *type, enum lw_code code,
                         const char *message)
{
    struct lw_open_options options = {.type = type};
    struct lw_document doc;
    struct lw_map map;
    struct lw_error err = {0};
    if (lw_document_open(&doc, source, &options, &err)) {
        if (lw_document_build(&doc, &map, &err))
            fail_msg("%s is accepted", source);
        lw_document_free(&doc);
    }
    assert_string_equal(err.message, message);
    assert_int_equal(err.code, code);
}

static void test_messages(void **state)
{
    (void)state;
    static const struct {
        const char *source, *message;
    } rows[] = {
        {"spatial(2, 3, ranks=[0])", "ranks = [0]: must have one entry for each size, 2"},
        {"reduce(spatial(3, 4), [2])", "dims = [2]: each must be from 0 to 1"},
        {"reduce(spatial(), [0])", "dims = [0]: the layout has no dims"},
        {"reduce(spatial(3, 4), [0, 0])", "dims = [0, 0]: duplicate dim 0"},
        {"permute(spatial(3, 4), [0])", "dims = [0]: must have one entry for each dim, 2"},
        {"squeeze(spatial(3, 1), [0])", "dims = [0]: dim 0 has size 3: it must be 1"},
        {"spatial(3, 2).with_shape([5])", "mode_shape = [3, 2]: mode 0 of size 3 does not divide "
                                          "5, what is left of dim 0 of size 5"},
        {"reshape(spatial(3, 2), [7])", "shape = [7]: the numbers of elements differ"},
        {"reshape(spatial(3, 2), [2, 3])",
         "shape = [2, 3]: a mode of the layout cannot be cut along these sizes"},
        {"spatial(3, 2).reduce_to([2, 2])",
         "shape = [2, 2]: entry 0 must be 1 or 3, the size of dim 0 of the layout"},
        {"flatten(spatial(3, 2), 2, 1)",
         "end_dim = 1: must not be before start_dim = 2 of the 2 dims"},
        {"auto_local_spatial(5, [4, 4])",
         "num_threads = 5: must divide the number of elements, 16, or be a multiple of it"},
        {"spatial(6) / local(2)",
         "there is no quotient by RegisterLayout(shape=[2], mode_shape=[2], spatial_modes=[], "
         "local_modes=[0]): its modes are not the last of the layout's"},
        {"left_divide(spatial(6), spatial(4))",
         "there is no quotient by RegisterLayout(shape=[4], mode_shape=[4], spatial_modes=[0], "
         "local_modes=[]): its modes are not the first of the layout's"},
        {"register_layout([4, 4], [4, 2], [0], [1])",
         "mode_shape = [4, 2]: the modes end before dim 1 of size 4 is made up"},
        {"register_layout([4], [4, 2], [0], [1])",
         "mode_shape = [4, 2]: no dim is left for mode 1 of size 2"},
        {"register_layout([4], [3], [0], [])",
         "mode_shape = [3]: mode 0 of size 3 does not divide 4, what is left of dim 0 of size 4"},
        {"register_layout([4, 4], [4, 4], [0], [])",
         "mode_shape = [4, 4]: mode 1 of size 4 is neither in spatial_modes nor in local_modes"},
        {"register_layout([4], [4], [0], [0])",
         "local_modes = [0]: duplicate mode 0: a mode is either spatial or local, and once"},
        {"register_layout([4], [4], [2], [])",
         "spatial_modes = [2]: no mode 2: there are 1, counted from 0"},
        {"RegisterLayout([4], [4, 1], [0], [1])",
         "mode_shape = [4, 1]: mode 1 has size 1: register_layout(...) drops such modes"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_error(rows[i].source, NULL, LW_ERROR_PARAMETER, rows[i].message);
    const struct lw_sizes shape = {.count = 2, .at = {2, 3}}, ranks = {.count = 2, .at = {0, 2}};
    struct lw_tilus tile;
    struct lw_error err = {0};
    assert_false(lw_tilus_spatial(&tile, &shape, &ranks, &err));
    assert_string_equal(err.message, "ranks = [0, 2]: each must be from 0 to 1");
}

/* An error in an inner call is at that call. */
static void test_nested_error(void **state)
{
    (void)state;
    struct lw_document doc;
    struct lw_error err;
    assert_true(
        lw_document_open(&doc, "reduce(spatial(3, 4), [5]).local(2) * spatial(2)", NULL, NULL));
    assert_false(lw_document_check(&doc, &err));
    assert_int_equal(err.position.column, 23);
    lw_document_free(&doc);
}

static void test_tensor_shape(void **state)
{
    (void)state;
    struct lw_open_options options = {.type = "16x8xf16"};
    struct lw_document doc;
    struct lw_map map;
    const char *source = "local(2, 1).spatial(8, 4).local(1, 2)";
    assert_true(lw_document_open(&doc, source, &options, NULL));
    assert_true(lw_document_build(&doc, &map, NULL));
    lw_document_free(&doc);
    expect_error(source, "8x16xf16", LW_ERROR_SHAPE,
                 "shape [8, 16]: must be the layout's own shape, [16, 8]");
    expect_error(source, "16xf16", LW_ERROR_SHAPE,
                 "shape [16]: must be the layout's own shape, [16, 8]");
}

/* ---- Limits ---- */

static void test_limits(void **state)
{
    (void)state;
    struct lw_text deep = {0};
    const char *over = "the layout would have more than 2^62 elements, copies counted";
    expect_error("spatial(4611686018427387904) * local(2)", NULL, LW_ERROR_LIMIT, over);
    expect_error("spatial(3037000500, 3037000500)", NULL, LW_ERROR_LIMIT, over);
    expect_error("replicated(2, num_workers=4611686018427387904)", NULL, LW_ERROR_LIMIT, over);
    expect_error("concat(spatial(4294967296), reduce(spatial(4294967296), [0]))", NULL,
                 LW_ERROR_LIMIT, over);
    expect_error(
        "x = spatial(1, 1, 1, 1, 1, 1, 1, 1); y = concat(x, x); concat(y, concat(y, spatial(1)))",
        NULL, LW_ERROR_LIMIT, "the layout would have more than 32 dims");
    expect_error("spatial(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
                 "1, 1, 1, 1, 1, 1, 1, 1, 1)",
                 NULL, LW_ERROR_LIMIT, "33 sizes: a layout has at most 32 dims");
    for (int i = 0; i < 7; i++)
        lw_text_add(&deep, "x = x * x; ");
    lw_text_add(&deep, "x");
    struct lw_text source = {0};
    lw_text_format(&source, "x = replicated(num_workers=1); %s", lw_text_string(&deep));
    expect_error(lw_text_string(&source), NULL, LW_ERROR_LIMIT,
                 "the layout would have more than 64 modes");
    lw_text_free(&source);
    lw_text_free(&deep);
}

/* The largest that there are: 2^62 elements, 62 modes. */
static void test_largest(void **state)
{
    (void)state;
    struct lw_tilus layout = {.shape = {.count = 1, .at = {LW_TILUS_INDEX_MODES}}};
    struct lw_map map;
    for (int i = 0; i < 62; i++) {
        lw_sizes_push(&layout.mode_shape, 2);
        lw_sizes_push(i % 2 ? &layout.spatial_modes : &layout.local_modes, i);
    }
    uint64_t out = (uint64_t)LW_TILUS_INDEX_MODES - 1, in[2], back;
    assert_true(lw_tilus_make(&layout, &layout, NULL));
    assert_int_equal(layout.mode_shape.count, 62);
    assert_true(lw_tilus_to_map(&layout, &map, NULL));
    assert_true(lw_map_owner(&map, &out, 0, in));
    assert_int_equal(in[0], ((uint64_t)1 << 31) - 1);
    assert_int_equal(in[1], ((uint64_t)1 << 31) - 1);
    assert_true(lw_map_apply(&map, in, &back));
    assert_int_equal(back, out);
}

static void test_depth(void **state)
{
    (void)state;
    struct lw_arena arena = {0};
    struct lw_encoding *x = lw_encoding_new(&arena, &lw_encoding_spatial);
    struct lw_text head = {0};
    struct lw_error err = {0};
    for (int i = 0; i < LW_NESTING_MAX; i++) {
        struct lw_encoding *outer = lw_encoding_new(&arena, &lw_encoding_spatial);
        struct lw_value value = {.kind = LW_VALUE_ENCODING, .encoding = x};
        assert_true(lw_encoding_set(outer, "base", &value, NULL));
        x = outer;
        assert_true(lw_tilus_head(x, &head, &err));
    }
    struct lw_encoding *last = lw_encoding_new(&arena, &lw_encoding_spatial);
    struct lw_value value = {.kind = LW_VALUE_ENCODING, .encoding = x};
    assert_true(lw_encoding_set(last, "base", &value, NULL));
    assert_false(lw_tilus_head(last, &head, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    lw_text_free(&head);
    lw_arena_free(&arena);
}

/* ---- Rows ---- */

static void test_rows(void **state)
{
    (void)state;
    size_t count;
    bool some = false;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    for (size_t i = 0; i < count; i++) {
        struct lw_arena arena = {0};
        struct lw_text head = {0};
        struct lw_document doc;
        struct lw_error err = {0};
        struct lw_map map;
        bool tilus = types[i]->family == LW_FAMILY_TILUS_REGISTER;
        struct lw_encoding *nothing_set = lw_encoding_new(&arena, types[i]);
        bool evaluates = lw_tilus_head(nothing_set, &head, &err);
        assert_true(tilus || types[i]->family == LW_FAMILY_TILUS_SHARED || !evaluates);
        lw_text_free(&head);
        if (tilus) {
            some = true;
            if (!lw_document_open(&doc, types[i]->example, NULL, &err) ||
                !lw_document_build(&doc, &map, &err))
                fail_msg("%s: %s", types[i]->example, err.message);
            assert_non_null(strstr(types[i]->example,
                                   strcmp(types[i]->name, "compose") == 0 ? "*" : types[i]->name));
            lw_document_free(&doc);
        }
        lw_arena_free(&arena);
    }
    assert_true(some);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_documentation),   cmocka_unit_test(test_random_expressions),
        cmocka_unit_test(test_other_operators), cmocka_unit_test(test_presets),
        cmocka_unit_test(test_refusals),        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_nested_error),    cmocka_unit_test(test_tensor_shape),
        cmocka_unit_test(test_limits),          cmocka_unit_test(test_largest),
        cmocka_unit_test(test_depth),           cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
