/* Documents: types and tensors given from outside, files, and values that are set. */

#include "document_parts.h"

#include "notation_help.h"

#include <unistd.h>

/* ---- Types ---- */

static void open_type(struct lw_document *doc, const char *source, const char *type)
{
    struct lw_error err = {0};
    struct lw_open_options options = {.type = type};
    if (!lw_document_open(doc, source, &options, &err))
        fail_msg("%s -t %s: %s", source, type, err.message);
}

static void test_type_option(void **unused)
{
    (void)unused;
    static const char *const types[] = {"tensor<16x64xf16>", "16x64xf16", "16x64",
                                        "!ttg.memdesc<16x64xf16, #ttg.linear<{}>, #smem, mutable>"};
    struct lw_document doc;
    struct lw_error err;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        open_type(&doc, linear16, types[i]);
        assert_int_equal(doc.tensor.rank, 2);
        assert_int_equal(doc.tensor.shape[1], 64);
        lw_document_free(&doc);
    }
    open_type(&doc, linear16, "f16");
    assert_int_equal(doc.tensor.rank, -1);
    assert_string_equal(doc.tensor.element.name, "f16");
    lw_document_free(&doc);
    open_type(&doc, linear16, "tensor<f16>");
    assert_int_equal(doc.tensor.rank, 0);
    lw_document_free(&doc);
    open_type(&doc, "{\"source\": \"local(2)\", \"shape\": [2]}", "!tt.ptr<f32>");
    assert_int_equal(doc.tensor.rank, 1);
    assert_int_equal(doc.tensor.element.bits, 64);
    lw_document_free(&doc);
    assert_false(
        lw_document_open(&doc, linear16, &(struct lw_open_options){.type = "16xf17"}, &err));
    assert_string_equal(err.message, "unknown element type 'f17'; did you mean 'f16'?");
    assert_int_equal(err.position.column, 4);
    assert_string_equal(err.excerpt, "16xf17");
}

static void test_document_tensor(void **unused)
{
    (void)unused;
    struct lw_document doc;
    struct lw_map map;
    struct lw_tensor tensor;
    open_source(&doc, "local(3, 4)");
    assert_true(lw_document_build(&doc, &map, NULL));
    lw_document_tensor(&doc, &map, &tensor);
    assert_int_equal(tensor.rank, 2);
    assert_int_equal(tensor.shape[0], 3);
    assert_int_equal(tensor.element.bits, 32);
    assert_string_equal(tensor.element.name, "");
    lw_document_free(&doc);
}

static void write_file(struct position *position, const char *name, const char *text)
{
    snprintf(position->path, sizeof position->path, "%s/%s", position->directory, name);
    FILE *file = fopen(position->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

static int make_position(void **state)
{
    struct position *position = calloc(1, sizeof *position);
    *state = position;
    strcpy(position->directory, "/tmp/laneway-document-XXXXXX");
    return mkdtemp(position->directory) ? 0 : -1;
}

static int remove_position(void **state)
{
    static const char *const names[] = {"a.json", "b.json", "c.mlir", "d.ttgir"};
    struct position *position = *state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(position->path, sizeof position->path, "%s/%s", position->directory, names[i]);
        unlink(position->path);
    }
    int failed = rmdir(position->directory);
    free(position);
    return failed;
}

static void test_files(void **state)
{
    struct position *position = *state;
    struct lw_document doc;
    write_file(position, "a.json", "\xef\xbb\xbf{\"source\": \"b.json\", \"title\": \"A\"}\n");
    write_file(position, "b.json",
               "{\"source\": \"local(2, 1)\", \"title\": \"B\", \"about\": \"b\"}");
    snprintf(position->path, sizeof position->path, "%s/a.json", position->directory);
    open_source(&doc, position->path);
    assert_string_equal(doc.name, position->path);
    assert_string_equal(doc.title, "A");
    assert_string_equal(doc.about, "b");
    round_trip(&doc);
    lw_document_free(&doc);

    write_file(position, "c.mlir", linear16);
    open_source(&doc, position->path);
    assert_int_equal(doc.notation, LW_NOTATION_MLIR);
    lw_document_free(&doc);
}

static void file_refused(const struct position *position, const char *expected)
{
    struct lw_document doc;
    struct lw_error err;
    assert_false(lw_document_open(&doc, position->path, NULL, &err));
    struct lw_text text = {0};
    lw_text_error(&text, NULL, &err);
    /* The directory's name is random. */
    const char *message = lw_text_string(&text);
    const char *at = strstr(message, position->directory);
    assert_string_equal(at ? at + strlen(position->directory) : message, expected);
    lw_text_free(&text);
}

static void test_bad_files(void **state)
{
    struct position *position = *state;
    struct lw_document doc;
    struct lw_error err;
    write_file(position, "a.json", "{\"source\":\n  \"local(2, 1).lokal(3)\"}");
    file_refused(position, "2:16: unknown function 'lokal'; did you mean 'local'?\n"
                           "    \"local(2, 1).lokal(3)\"}\n                 ^~~~~\n");
    write_file(position, "b.json", "{\"source\": \"a.json\"}");
    file_refused(position, "1:12: a.json:2:16: unknown function 'lokal'; did you mean 'local'?\n"
                           "  {\"source\": \"a.json\"}\n             ^~~~~~~~\n");
    write_file(position, "a.json", "{\"source\": \"a.json\"}");
    assert_false(lw_document_open(&doc, position->path, NULL, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    write_file(position, "a.json", "local(2, 1)");
    file_refused(position, "1:1: expected an object: {\"encoding\": ..., \"shape\": ...}\n"
                           "  local(2, 1)\n  ^~~~~~~~~~~\n");
    write_file(position, "a.json", "[1]");
    file_refused(position, "1:1: expected an object: {\"encoding\": ..., \"shape\": ...}\n"
                           "  [1]\n  ^~~\n");
    write_file(position, "d.ttgir", "#a = #ttg.blocked<{}>\n#b = #ttg.blocked<{}>\nmodule {}\n");
    file_refused(position, "name one of the layouts #a, #b, as in kernel.ttgir:#name or, after "
                           "their definitions, tensor<16x64xf16, #name>\n");
    write_file(position, "d.ttgir", "module {}\n");
    file_refused(position, "there is no definition of a layout\n");
    struct lw_open_options options = {.max = 4};
    assert_false(lw_document_open(&doc, position->path, &options, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    snprintf(position->path, sizeof position->path, "%s/b.json/x.json", position->directory);
    file_refused(position, "/b.json/x.json: Not a directory\n");
}

static void test_input(void **unused)
{
    (void)unused;
    struct lw_document doc;
    char text[] = "local(2, 1)\n", dash[] = "-";
    FILE *input = fmemopen(text, strlen(text), "r");
    struct lw_open_options options = {.input = input, .name = "standard input"};
    assert_non_null(input);
    assert_true(lw_document_open(&doc, "-", &options, NULL));
    assert_string_equal(doc.name, "standard input");
    lw_document_free(&doc);
    fclose(input);
    options.input = input = fmemopen(dash, 1, "r");
    assert_non_null(input);
    assert_false(lw_document_open(&doc, "-", &options, NULL));
    fclose(input);
}

/* ---- Setting ---- */

static void set(struct lw_document *doc, const char *name, const char *value)
{
    struct lw_error err = {0};
    if (!lw_document_set(doc, name, value, &err))
        fail_msg("%s=%s: %s", name, value, err.message);
}

static void not_set(struct lw_document *doc, const char *name, const char *value,
                    const char *message)
{
    struct lw_error err = {0};
    assert_false(lw_document_set(doc, name, value, &err));
    assert_string_equal(err.message, message);
    assert_false(lw_document_set(doc, name, value, NULL));
}

static void is_source(const struct lw_document *doc, const char *expected)
{
    struct lw_text text = {0};
    lw_document_source(&text, doc);
    assert_string_equal(lw_text_string(&text), expected);
    lw_text_free(&text);
}

static void test_set(void **unused)
{
    (void)unused;
    struct lw_document doc;
    open_source(&doc, "reduce(local(2, 1).spatial(8, 4), dims=[0])");
    set(&doc, "dims", "1");
    set(&doc, "keepdims", "True");
    set(&doc, "layout.shape", "2, 2");
    set(&doc, "layout.base", "local(3, 3)");
    is_source(&doc, "reduce(local(3, 3).spatial(2, 2), dims=[1], keepdims=True)");
    set(&doc, "keepdims", "");
    is_source(&doc, "reduce(local(3, 3).spatial(2, 2), dims=[1])");
    set(&doc, "dims", "[7]"); /* not legal, and kept */
    assert_false(lw_document_check(&doc, NULL));
    not_set(&doc, "dims", "[1", "expected ',' or ']', but the text ends here");
    not_set(&doc, "dimz", "[1]", "reduce has no parameter 'dimz'; did you mean 'dims'?");
    not_set(&doc, "layout", "lokal(2)", "unknown function 'lokal'; did you mean 'local'?");
    not_set(&doc, "load.dims", "[1]", "load.dims: there is no layout at registers B");
    not_set(&doc, "with.dims", "[1]",
            "reduce has no parameter 'with'; it has layout, dims, keepdims");
    lw_document_free(&doc);
}

static void test_set_tensor(void **unused)
{
    (void)unused;
    struct lw_document doc;
    open_source(&doc, "tensor<16x16xf16, #ttg.linear<{lane = [[1, 0]]}>>");
    set(&doc, "shape", "[32, 64]");
    set(&doc, "element", "f32");
    is_source(&doc, "tensor<32x64xf32, #ttg.linear<{lane = [[1, 0]], block = []}>>");
    not_set(&doc, "shape", "[0]", "'shape': each entry must be an integer from 1 to 2^62");
    not_set(&doc, "shape", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]",
            "'shape' has 33 entries: a tensor has at most 32 dims");
    not_set(&doc, "shape", "true", "'shape' must be a list of integers, such as [16, 64]");
    not_set(&doc, "element", "f17", "unknown element type 'f17'; did you mean 'f16'?");
    set(&doc, "shape", "");
    set(&doc, "element", "");
    is_source(&doc, "#ttg.linear<{lane = [[1, 0]], block = []}>");
    lw_document_free(&doc);
    open_source(&doc, "{\"source\": \"local(2)\", \"load\": \"local(3)\"}");
    set(&doc, "load.shape", "[5]");
    round_trip(&doc);
    lw_document_free(&doc);
}

/* Setting a parameter that holds a layout must not make the tree deeper than it may be. */
static void test_set_depth(void **unused)
{
    (void)unused;
    struct lw_document doc;
    struct lw_text chain = {0};
    struct lw_error err;
    lw_text_add(&chain, "local(1)");
    for (int i = 1; i < LW_NESTING_MAX; i++)
        lw_text_add(&chain, ".local(1)");
    open_source(&doc, lw_text_string(&chain));
    assert_false(lw_document_set(&doc, "base", lw_text_string(&chain), &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    is_source(&doc, lw_text_string(&chain));
    lw_text_free(&chain);
    lw_document_free(&doc);
}

/* ---- Checks ---- */

static void test_check_excerpt(void **unused)
{
    (void)unused;
    not_built("{\"source\":\n \"local(0, 3)\"}",
              "2:9: shape = [0, 3]: each entry must be at least 1\n"
              "   \"local(0, 3)\"}\n          ^\n");
}

static void test_values(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *printed;
    } rows[] = {{"4", "4"},
                {" -4 ", "-4"},
                {"true", "true"},
                {"False", "false"},
                {"[1, 4]", "[1, 4]"},
                {"(1, 4)", "[1, 4]"},
                {"1,4", "[1, 4]"},
                {"1,", "[1]"},
                {"[[0, 1], []]", "[[0, 1], []]"},
                {"word", "\"word\""},
                {"\"a b\"", "\"a b\""},
                {"'\\u00e9\\ud83d\\ude00\\n'", "\"\xc3\xa9\xf0\x9f\x98\x80\\n\""},
                {"{a = [1], \"b\": 2}", "{\"a\": [1], \"b\": 2}"},
                {"local(2, 1) * local(3)", "local(2, 1) * local(3)"},
                {"#ttg.linear<{lane = [[1]]}>", "#ttg.linear<{lane = [[1]], block = []}>"},
                {"9223372036854775807", "9223372036854775807"},
                {"", ""},
                {"None", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lw_arena arena = {0};
        struct lw_value value;
        struct lw_text text = {0};
        assert_true(lw_value_read(&arena, rows[i].text, &value, NULL));
        lw_value_print(&text, &value);
        assert_string_equal(lw_text_string(&text), rows[i].printed);
        lw_text_free(&text);
        lw_arena_free(&arena);
    }
}

static void test_bad_values(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
        int column;
    } rows[] = {{"[1", "expected ',' or ']', but the text ends here", 3},
                {"[1 2]", "expected ',' or ']', found '2'", 4},
                {"1.5", "1.5 is not an integer", 1},
                {"1e3", "1e3 is not an integer", 1},
                {"0X10", "0X10 is not an integer", 1},
                {"--1", "expected an integer, found '-'", 2},
                {"9223372036854775808", "9223372036854775808: integers must be below 2^63", 1},
                {"1 2", "expected the end, found '2'", 3},
                {"{a = 1, a = 2}", "duplicate key 'a'", 9},
                {"'abc", "this string has no closing '", 1},
                {"\"a\nb\"", "this string has no closing \"", 1},
                {"@", "expected a value, found '@'", 1},
                {"\xc3\xa9", "expected a value, found '\xc3\xa9'", 1},
                {"[1, None]", "None is not a value of this parameter: omit it", 5},
                {"4.local(2)", "'.local' needs a layout before it", 3},
                {"#blocked",
                 "'#blocked' is an alias that is not defined in this text: write the attribute "
                 "itself, '#ttg.blocked<{...}>'",
                 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lw_arena arena = {0};
        struct lw_value value;
        struct lw_error err;
        assert_false(lw_value_read(&arena, rows[i].text, &value, &err));
        assert_string_equal(err.message, rows[i].message);
        assert_int_equal(err.position.line, 1);
        assert_int_equal(err.position.column, rows[i].column);
        lw_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_type_option),
        cmocka_unit_test(test_document_tensor),
        cmocka_unit_test_setup_teardown(test_files, make_position, remove_position),
        cmocka_unit_test_setup_teardown(test_bad_files, make_position, remove_position),
        cmocka_unit_test(test_input),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_set_tensor),
        cmocka_unit_test(test_set_depth),
        cmocka_unit_test(test_check_excerpt),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_bad_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
