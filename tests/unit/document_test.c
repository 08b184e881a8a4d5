/* Documents: round trips of every encoding, sources, files, changes, checks. */

#include "document_parts.h"
#include "notation/document/read.h"

#include "notation_help.h"

#include <unistd.h>

static const char bases16[] =
    "{\"in\":[[\"register\",4],[\"lane\",32],[\"warp\",2],[\"block\",1]],"
    "\"out\":[[\"dim0\",16],[\"dim1\",16]],\"bases\":{\"register\":[[0,1],[1,0]],"
    "\"lane\":[[0,2],[0,4],[0,8],[2,0],[4,0]],\"warp\":[[8,0]],\"block\":[]},"
    "\"surjective\":true,\"injective\":true}";

static char *join(const char *a, const char *b, const char *c)
{
    char *text = malloc(strlen(a) + strlen(b) + strlen(c) + 1);
    assert_non_null(text);
    sprintf(text, "%s%s%s", a, b, c);
    return text;
}

/* ---- Round trips ---- */

static void random_document(struct lw_document *doc, const struct lw_encoding_type *type,
                            uint64_t *state)
{
    memset(doc, 0, sizeof *doc);
    doc->encoding = random_encoding(&doc->arena, type, state, 3);
    doc->name = doc->title = doc->about = doc->view = doc->cell = "";
    doc->tensor.rank = (int)random_below(state, 5) - 1;
    for (int i = 0; i < doc->tensor.rank; i++)
        doc->tensor.shape[i] = (uint64_t)1 << random_below(state, 63);
    if (random_below(state, 2))
        assert_true(lw_element_find(&doc->tensor.element, "f16", NULL));
    bool part = type->family == LW_FAMILY_SHARED || type->family == LW_FAMILY_TENSOR_MEMORY;
    bool memory = part || type->family == LW_FAMILY_TILUS_SHARED;
    if (part && doc->tensor.rank > 0) {
        doc->tensor.alloc_rank = doc->tensor.rank + (int)random_below(state, 2);
        for (int i = 0; i < doc->tensor.alloc_rank; i++)
            doc->tensor.alloc[i] = i < doc->tensor.rank ? doc->tensor.shape[i] : 4;
    }
    for (int side = 0; side < LW_SIDES; side++)
        lw_tensor_unknown(&doc->others[side].tensor);
    if (random_below(state, 2)) {
        doc->title = "T \"q\" \\ \t \xe2\x86\x92";
        doc->about = "line\nline";
        doc->view = "owners";
        doc->cell = "{thread}: {local}";
        const struct lw_encoding_type *other = memory ? lw_encoding_type_find("blocked") : type;
        doc->others[LW_SIDE_B].encoding = random_encoding(&doc->arena, other, state, 1);
        doc->others[LW_SIDE_B].tensor = doc->tensor;
        if (other != type) /* in registers */
            doc->others[LW_SIDE_B].tensor.alloc_rank = 0;
    }
    if (type->family != LW_FAMILY_PLAIN || lw_document_is_access(doc))
        lw_document_settle(doc); /* as a document that is read */
}

/* Another start for each type, so that a type that is added changes no document of the others. */
static uint64_t seed_of(const char *name)
{
    uint64_t seed = 0x9e3779b97f4a7c15;
    for (; *name; name++)
        seed = (seed ^ (unsigned char)*name) * 0x100000001b3;
    return seed;
}

static void test_round_trips(void **unused)
{
    (void)unused;
    uint64_t state;
    size_t count;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    for (size_t i = 0; i < count; i++) {
        state = seed_of(types[i]->name);
        for (int turn = 0; turn < 200; turn++) {
            struct lw_document doc, copy;
            random_document(&doc, types[i], &state);
            round_trip(&doc);
            assert_true(lw_document_copy(&copy, &doc, NULL));
            lw_document_free(&doc);
            round_trip(&copy);
            lw_document_free(&copy);
        }
    }
}

/* Notation has no thread, whose part of a tensor a layout is: a document that is saved has its parameters. */
static void test_part_of_thread(void **unused)
{
    (void)unused;
    for (int thread = 0; thread < 6; thread += 5) {
        struct lw_text source = {0};
        struct lw_document doc;
        lw_text_format(&source,
                       "make_tiled_copy(Copy_Atom<DefaultCopy, float>{}, "
                       "Layout<Shape<_4,_8>, Stride<_1,_4>>{}, Layout<Shape<_2,_1>>{})"
                       ".get_slice(%d).partition_D(Layout<Shape<_8,_8>, Stride<_8,_1>>{})",
                       thread);
        open_source(&doc, lw_text_string(&source));
        assert_int_equal(lw_encoding_value(doc.encoding, "thread")->integer, thread);
        round_trip(&doc);
        lw_document_free(&doc);
        lw_text_free(&source);
    }
}

static void test_examples(void **unused)
{
    (void)unused;
    size_t count;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    for (size_t i = 0; i < count; i++) {
        struct lw_document doc;
        open_source(&doc, types[i]->example);
        round_trip(&doc);
        lw_document_free(&doc);
    }
}

/* ---- Sources ---- */

static void test_machine_form(void **unused)
{
    (void)unused;
    char *type = join("tensor<16x16xf16, ", linear16, ">");
    builds(type, bases16);
    builds(bases16, bases16);
    free(type);
}

static void test_notations(void **unused)
{
    (void)unused;
    static const struct {
        const char *source;
        enum lw_notation notation;
    } rows[] = {{"local(2, 1)", LW_NOTATION_TILUS},
                {" local(2, 1)\n", LW_NOTATION_TILUS},
                {"(local(2, 1))", LW_NOTATION_TILUS},
                {"# two rows\nlocal(2, 1)", LW_NOTATION_TILUS},
                {"#comment\nlocal(2, 1)", LW_NOTATION_TILUS},
                {"\xef\xbb\xbflocal(2, 1)", LW_NOTATION_TILUS},
                {linear16, LW_NOTATION_MLIR},
                {"\n {\"source\": \"local(2, 1)\"} ", LW_NOTATION_JSON},
                {bases16, LW_NOTATION_JSON}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lw_document doc;
        open_source(&doc, rows[i].source);
        assert_int_equal(doc.notation, rows[i].notation);
        assert_non_null(doc.name);
        lw_document_free(&doc);
        assert_true(lw_document_read(&doc, rows[i].source, strlen(rows[i].source), NULL, NULL));
        lw_document_free(&doc);
    }
}

static void test_other_notations(void **unused)
{
    (void)unused;
    refused("(4,8):(8)", "1:7: shape and stride must have one profile: as many integers, nested "
                         "alike\n  (4,8):(8)\n        ^~~\n");
    refused("Sw<3,4,3>",
            "this is a swizzle; a CuTe layout has a shape and a stride: (4,8):(8,1)\n");
    refused("kernel.ttgir:#blocked", "kernel.ttgir: No such file or directory\n");
    refused("kernel.ttgir:%12", "kernel.ttgir: No such file or directory\n");
    refused("kernel.ttgir:12x",
            "'12x': expected '#alias', '%value' or a line number after the colon\n");
    refused("", "the text is empty: expected a layout\n");
    refused(" \n", "the text is empty: expected a layout\n");
    refused("no/such/file.json", "no/such/file.json: No such file or directory\n");
    refused("no.ttgir", "no.ttgir: No such file or directory\n");
    refused("-", "'-' (standard input) cannot be read here\n");
}

static void test_reading_only(void **unused)
{
    (void)unused;
    struct lw_document doc;
    struct lw_error err;
    static const char *const sources[] = {"start/16x16", "x.json", "-",
                                          "{\"source\": \"start/16x16\"}"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        assert_false(lw_document_read(&doc, sources[i], strlen(sources[i]), NULL, &err));
        assert_int_equal(err.code, LW_ERROR_SYNTAX);
    }
}

static void test_bytes(void **unused)
{
    (void)unused;
    struct lw_document doc;
    struct lw_error err;
    refused("local(2,\001 1)", "1:9: byte 0x01 is not text\n  local(2,  1)\n          ^\n");
    refused("{\"title\": \"\xc3\"}", "1:12: byte 0xc3 is not UTF-8\n  {\"title\": \"?\"}\n"
                                     "             ^\n");
    assert_false(lw_document_read(&doc, "local(\0002)", 9, NULL, &err));
    assert_string_equal(err.message, "byte 0x00 is not text");
    assert_int_equal(err.position.column, 7);
    assert_false(lw_document_read(&doc, "local(2)\n\xff", 10, NULL, &err));
    assert_string_equal(err.message, "byte 0xff is not UTF-8");
    assert_int_equal(err.position.line, 2);
}

static void test_size(void **unused)
{
    (void)unused;
    struct lw_document doc;
    struct lw_error err;
    size_t length = ((size_t)1 << 20) + 1;
    char *text = malloc(length);
    assert_non_null(text);
    memset(text, '(', length);
    assert_false(lw_document_read(&doc, text, length, NULL, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    assert_false(lw_document_read(&doc, text, length - 1, NULL, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    memset(text, '1', length);
    memcpy(text, "local(", 6);
    assert_false(lw_document_read(&doc, text, length - 1, NULL, &err));
    assert_int_equal(err.code, LW_ERROR_SYNTAX);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),  cmocka_unit_test(test_part_of_thread),
        cmocka_unit_test(test_examples),     cmocka_unit_test(test_machine_form),
        cmocka_unit_test(test_notations),    cmocka_unit_test(test_other_notations),
        cmocka_unit_test(test_reading_only), cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
