/* Aliases of Triton dumps: found, resolved in any order, refused with their position. */

#include "notation_help.h"

#include <glob.h>

static const char *directory; /* of the dumps */

/* ---- Helpers ---- */

static void open_text(struct lw_aliases *aliases, const char *text)
{
    struct lw_error err = {0};
    if (!lw_aliases_read(aliases, text, strlen(text), &err))
        fail_msg("%s: %s", text, err.message);
}

static void text_refused(const char *text, size_t length, const char *expected)
{
    struct lw_aliases aliases;
    struct lw_error err = {0};
    struct lw_text shown = {0};
    assert_false(lw_aliases_read(&aliases, text, length, &err));
    lw_text_error(&shown, NULL, &err);
    assert_string_equal(lw_text_string(&shown), expected);
    assert_null(aliases.items);
    assert_false(lw_aliases_read(&aliases, text, length, NULL));
    lw_text_free(&shown);
}

/* The attribute of an alias in full. */
static void stands_for(const char *text, const char *name, const char *expected)
{
    struct lw_aliases aliases;
    struct lw_document doc;
    struct lw_error err = {0};
    struct lw_text shown = {0};
    open_text(&aliases, text);
    const struct lw_alias *alias = lw_aliases_find(&aliases, name, &err);
    if (!alias || !lw_document_of_alias(&doc, &aliases, alias, &err))
        fail_msg("%s: %s", name, err.message);
    assert_true(lw_alias_is_layout(&aliases, alias));
    lw_encoding_print(&shown, doc.encoding);
    assert_string_equal(lw_text_string(&shown), expected);
    assert_int_equal(doc.tensor.rank, -1);
    lw_text_free(&shown);
    lw_document_free(&doc);
    lw_aliases_free(&aliases);
}

static void alias_refused(const char *text, const char *name, const char *expected)
{
    struct lw_aliases aliases;
    struct lw_document doc;
    struct lw_error err = {0};
    struct lw_text shown = {0};
    open_text(&aliases, text);
    const struct lw_alias *alias = lw_aliases_find(&aliases, name, &err);
    assert_false(alias && lw_document_of_alias(&doc, &aliases, alias, &err));
    lw_text_error(&shown, NULL, &err);
    assert_string_equal(lw_text_string(&shown), expected);
    assert_false(alias && lw_document_of_alias(&doc, &aliases, alias, NULL));
    lw_text_free(&shown);
    lw_aliases_free(&aliases);
}

/* ---- Finding ---- */

#define LINEAR "#ttg.linear<{register = [[1]], lane = [[2]], block = []}>"

static void test_order(void **state)
{
    (void)state;
    static const char text[] = "// RUN: a tool -l \"#no = #ttg.linear<{}>\"\n"
                               "#b = " LINEAR "\n"
                               "#loc = loc(\"a{#no = 1\":1:2)\n"
                               "!t = tensor<4xf16, #b>\n"
                               "#a-1$_ = #b // as it was\n"
                               "#7=#b #smem = #ttg.shared_memory\n"
                               "module attributes {a = #b, #no = 3} {\n"
                               "  #no = " LINEAR "\n"
                               "  %0 = tt.splat(#no = 1) : tensor<4xf16, #b> loc(#loc)\n"
                               "} loc(#loc)\n"
                               "#loc1 = loc(callsite(#loc at #loc))";
    static const char *const names[] = {"b", "loc", "a-1$_", "7", "smem", "loc1"};
    static const int lines[] = {2, 3, 5, 6, 6, 11};
    struct lw_aliases aliases;
    open_text(&aliases, text);
    assert_int_equal(aliases.count, 6);
    for (size_t i = 0; i < aliases.count; i++) {
        const struct lw_alias *alias = &aliases.items[i];
        assert_string_equal(alias->name, names[i]);
        assert_int_equal(alias->position.line, lines[i]);
        assert_int_equal(alias->position.length, strlen(names[i]) + 1);
        assert_ptr_equal(lw_aliases_find(&aliases, names[i], NULL), alias);
        assert_int_equal(lw_alias_is_layout(&aliases, alias), i == 0 || i == 2 || i == 3);
    }
    lw_aliases_free(&aliases);
    stands_for(text, "a-1$_", LINEAR);
    stands_for(text, "7", LINEAR);
}

static void test_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {"",      "\n", "module {}\n",   "#",
                                        "# = 3", "#a", "\xef\xbb\xbf#a"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct lw_aliases aliases;
        open_text(&aliases, texts[i]);
        assert_int_equal(aliases.count, 0);
        lw_aliases_free(&aliases);
    }
}

static void test_nested(void **state)
{
    (void)state;
    static const char text[] = "#s = #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1,\n"
                               "    // the parent comes later\n"
                               "    parent = #p}>}>\n"
                               "#d = #triton_gpu.dot_op<{opIdx = 0, parent = #p}>\n"
                               "#p = #ttg.blocked<{\n"
                               "  sizePerThread = [1, 4], threadsPerWarp = [4, 8],\n"
                               "  warpsPerCTA = [1, 1], order = [1, 0]\n"
                               "}>\n";
    static const char parent[] = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], "
                                 "warpsPerCTA = [1, 1], order = [1, 0]}>";
    char expected[512];
    stands_for(text, "p", parent);
    snprintf(expected, sizeof expected,
             "#ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = %s}>}>", parent);
    stands_for(text, "s", expected);
    snprintf(expected, sizeof expected, "#ttg.dot_op<{opIdx = 0, parent = %s}>", parent);
    stands_for(text, "d", expected);
}

/* A document keeps nothing of the aliases but the text. */
static void test_document(void **state)
{
    (void)state;
    struct lw_aliases aliases;
    struct lw_document doc, copy;
    struct lw_map map;
    struct lw_error err = {0};
    open_text(&aliases, "\n#a = #ttg.linear<{register = [[1]], lane = [[2]], warp = []}>\n");
    assert_true(lw_document_of_alias(&doc, &aliases, &aliases.items[0], &err));
    assert_true(lw_document_copy(&copy, &doc, &err));
    lw_document_free(&doc);
    lw_aliases_free(&aliases);
    assert_true(lw_document_set(&copy, "shape", "[4]", &err));
    if (!lw_document_build(&copy, &map, &err))
        fail_msg("%s", err.message);
    assert_int_equal(map.in.count, 4);
    assert_true(lw_document_set(&copy, "shape", "[3]", &err));
    assert_false(lw_document_build(&copy, &map, &err));
    lw_document_free(&copy);
}

/* ---- Sources ---- */

static void test_sources(void **state)
{
    (void)state;
    struct lw_document doc;
    struct lw_map map;
    struct lw_error err = {0};
    char source[600];
    struct lw_open_options options = {.type = "tensor<128x64xf16>"};
    snprintf(source, sizeof source, "%s/matmul.sm100.ttgir:#blocked", directory);
    assert_int_equal(lw_source_path(source), strlen(source) - strlen(":#blocked"));
    assert_true(lw_document_open(&doc, source, &options, &err));
    assert_string_equal(doc.name, source);
    assert_int_equal(doc.notation, LW_NOTATION_MLIR);
    assert_true(lw_document_build(&doc, &map, &err));
    lw_document_free(&doc);
    snprintf(source, sizeof source, "{\"source\": \"%s/matmul.sm100.ttgir:#shared1\"}", directory);
    assert_true(lw_document_open(&doc, source, &options, &err));
    assert_true(doc.tensor.memory);
    lw_document_free(&doc);
    snprintf(source, sizeof source, "{\"source\": \"%s/matmul.sm100.ttgir:#smem\"}", directory);
    assert_false(lw_document_open(&doc, source, &options, &err));
    assert_non_null(strstr(err.message, "matmul.sm100.ttgir:7:9: '#smem' is not a layout"));
}

static void test_paths(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        size_t path;
    } cases[] = {{"a.ttgir", 7},           {"a.ttgir:#b", 7},   {"a.mlir:37", 6},
                 {"x.ttir:%12", 6},        {"a.json", 6},       {"start/16x16", 11},
                 {"a.mlir:b.mlir:#c", 13}, {"local(2, 1)", 11}, {"", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(lw_source_path(cases[i].source), cases[i].path);
}

/* ---- What is wrong ---- */

static void test_bad_text(void **state)
{
    (void)state;
    text_refused("#a = #ttg.linear<{}>\n#b = 1\n #a = 2\n", 36,
                 "3:2: '#a' is defined twice: first on line 1\n   #a = 2\n   ^~\n");
    text_refused("#b = 1 #a = 1\n#a = 1 #b = 1", 27,
                 "2:1: '#a' is defined twice: first on line 1\n  #a = 1 #b = 1\n  ^~\n");
    text_refused("module {\n  \"abc\\\"\n}", 19,
                 "2:3: this string has no closing \"\n    \"abc\\\"\n    ^~~~~~\n");
    text_refused("#a = // nothing", 15,
                 "1:16: expected an attribute, but the text ends here\n  #a = // nothing\n"
                 "                 ^\n");
    text_refused("#a = 1\n\x80", 8, "2:1: byte 0x80 is not UTF-8\n  ?\n  ^\n");
    text_refused("#a\0= 1", 6, "1:3: byte 0x00 is not text\n  #a = 1\n    ^\n");
}

static void test_bad_names(void **state)
{
    (void)state;
    alias_refused("#blocked = 1\n#mma = " LINEAR "\n", "mna",
                  "there is no alias '#mna' in this text; did you mean '#mma'?\n");
    alias_refused("#a = " LINEAR "\n#bc = #a\n#loc = loc(\"x\")\n", "unlike",
                  "there is no alias '#unlike' in this text: it has #a, #bc\n");
    alias_refused("#loc = loc(\"x\")\n", "mma",
                  "there is no alias '#mma' in this text, and no layout at all\n");
    alias_refused("#s = #ttg.slice<{dim = 0, parent = #mma}>\n#mmb = " LINEAR, "s",
                  "1:36: there is no alias '#mma' in this text; did you mean '#mmb'?\n"
                  "  #s = #ttg.slice<{dim = 0, parent = #mma}>\n"
                  "                                     ^~~~\n");
}

static void test_bad_values(void **state)
{
    (void)state;
    alias_refused(
        "#loc = loc(\"x\")", "loc",
        "1:8: '#loc' is not a layout: expected an attribute such as '#ttg.blocked<{...}>'\n"
        "  #loc = loc(\"x\")\n         ^\n");
    alias_refused("#s = #ttg.shared_memory", "s",
                  "1:6: '#s' is not a layout: expected an attribute such as '#ttg.blocked<{...}>'\n"
                  "  #s = #ttg.shared_memory\n       ^\n");
    alias_refused("#s = #arith.fast<x>", "s",
                  "1:7: unknown dialect 'arith': layouts are in 'ttg' and 'ttng'\n"
                  "  #s = #arith.fast<x>\n        ^~~~~\n");
    alias_refused("\n#s = #ttg.linear<{lane = [[1, x]}>", "s",
                  "2:33: expected ',' or ']', found '}'\n"
                  "  #s = #ttg.linear<{lane = [[1, x]}>\n"
                  "                                  ^\n");
    alias_refused("#s = " LINEAR ">\n", "s",
                  "1:63: expected the end of the attribute, found '>'\n"
                  "  #s = " LINEAR ">\n"
                  "                                                                ^\n");
    alias_refused("#s = #ttg.linear<{\n\n", "s",
                  "3:1: expected the name of a parameter, but the text ends here\n");
}

static void test_cycles(void **state)
{
    (void)state;
    alias_refused("#a = #a", "a", "1:6: '#a' is part of itself\n  #a = #a\n       ^~\n");
    alias_refused("#a = #b\n#b = #ttg.slice<{dim = 0, parent = #c}>\n#c = #a\n", "b",
                  "1:6: '#b' is part of itself\n  #a = #b\n       ^~\n");
    struct lw_aliases aliases;
    open_text(&aliases, "#a = #b\n#b = #a\n");
    assert_false(lw_alias_is_layout(&aliases, &aliases.items[0]));
    lw_aliases_free(&aliases);
}

static void test_depth(void **state)
{
    (void)state;
    struct lw_text text = {0};
    struct lw_aliases aliases;
    struct lw_document doc;
    struct lw_error err;
    lw_text_add(&text, "#a0 = " LINEAR "\n");
    for (int i = 1; i < 2000; i++)
        lw_text_format(&text, "#a%d = #ttg.slice<{dim = 0, parent = #a%d}>\n", i, i - 1);
    open_text(&aliases, lw_text_string(&text));
    assert_true(lw_document_of_alias(&doc, &aliases, lw_aliases_find(&aliases, "a20", NULL), &err));
    lw_document_free(&doc);
    assert_false(
        lw_document_of_alias(&doc, &aliases, lw_aliases_find(&aliases, "a1999", NULL), &err));
    assert_string_equal(err.message, "nested too deeply: at most 64 levels are read");
    assert_true(err.position.line > 1900);
    lw_aliases_free(&aliases);
    lw_text_free(&text);
}

/* Many aliases, deep brackets: refused or read at once. */
static void test_huge(void **state)
{
    (void)state;
    struct lw_text text = {0};
    struct lw_aliases aliases;
    struct lw_error err;
    lw_text_repeat(&text, '{', 1 << 20);
    lw_text_repeat(&text, '}', 1 << 20);
    for (int i = 0; i < 50000; i++)
        lw_text_format(&text, "#a%d = #a%d\n", i, i + 1);
    open_text(&aliases, lw_text_string(&text));
    assert_int_equal(aliases.count, 50000);
    assert_string_equal(lw_aliases_find(&aliases, "a49999", NULL)->name, "a49999");
    assert_null(lw_aliases_find(&aliases, "b", &err));
    lw_aliases_free(&aliases);
    lw_text_free(&text);
}

static void test_files(void **state)
{
    (void)state;
    struct lw_aliases aliases;
    struct lw_error err;
    struct lw_open_options options = {.max = 10};
    char path[600];
    snprintf(path, sizeof path, "%s/transpose.sm90.ttgir", directory);
    assert_false(lw_aliases_open(&aliases, path, &options, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    assert_false(lw_aliases_open(&aliases, directory, NULL, &err));
    assert_int_equal(err.code, LW_ERROR_IO);
    assert_false(lw_aliases_open(&aliases, "no.mlir", NULL, NULL));
    assert_false(lw_aliases_open(&aliases, "-", NULL, &err));
    static char text[] = "#a = " LINEAR;
    options = (struct lw_open_options){.input = fmemopen(text, strlen(text), "r")};
    assert_true(lw_aliases_open(&aliases, "-", &options, &err));
    assert_int_equal(aliases.count, 1);
    lw_aliases_free(&aliases);
    fclose(options.input);
}

/* ---- Compiled kernels: every layout builds at a shape that the kernel uses it at ---- */

/* The shape before `, #name`, in `tensor<128x64xf16, #name`; false when it is none. */
static bool shape_before(const char *text, const char *at, struct lw_tensor *tensor)
{
    char shape[128];
    const char *from = at;
    while (from > text && from[-1] != '<' && from[-1] != '\n' && at - from < 100)
        from--;
    if (from[-1] != '<' || *from < '0' || *from > '9')
        return false;
    snprintf(shape, sizeof shape, "%.*s", (int)(at - from), from);
    return lw_tensor_read(tensor, shape, NULL);
}

static int build_uses(const struct lw_aliases *aliases, const struct lw_alias *alias,
                      const char *path)
{
    char use[128];
    int uses = 0; /* a stack of buffers has a dim more than its layout: `3x128x64` */
    struct lw_document doc;
    struct lw_tensor tensor;
    struct lw_error err = {0};
    if (!lw_document_of_alias(&doc, aliases, alias, &err))
        fail_msg("%s: #%s: %s", path, alias->name, err.message);
    size_t length = (size_t)snprintf(use, sizeof use, ", #%s", alias->name);
    for (const char *p = aliases->text; (p = strstr(p, use)) != NULL; p += length) {
        struct lw_map map;
        if ((p[length] != '>' && p[length] != ',') || !shape_before(aliases->text, p, &tensor))
            continue;
        doc.tensor = tensor;
        doc.tensor.memory = true;
        uses += lw_document_build(&doc, &map, &err);
    }
    if (!uses && err.code != LW_OK)
        fail_msg("%s: #%s: %s", path, alias->name, err.message);
    lw_document_free(&doc);
    return uses;
}

/* Whether nothing but other attributes names it: `parent = #mma`. */
static bool only_nested(const struct lw_aliases *aliases, const struct lw_alias *alias)
{
    char use[128];
    snprintf(use, sizeof use, "parent = #%s", alias->name);
    return strstr(aliases->text, use) != NULL;
}

static void test_kernels(void **state)
{
    (void)state;
    char pattern[600];
    glob_t files;
    size_t layouts = 0;
    snprintf(pattern, sizeof pattern, "%s/*.ttgir", directory);
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        struct lw_aliases aliases;
        struct lw_error err;
        assert_true(lw_aliases_open(&aliases, files.gl_pathv[f], NULL, &err));
        for (size_t i = 0; i < aliases.count; i++) {
            const struct lw_alias *alias = &aliases.items[i];
            if (!lw_alias_is_layout(&aliases, alias))
                continue;
            if (!build_uses(&aliases, alias, files.gl_pathv[f]) && !only_nested(&aliases, alias))
                fail_msg("%s: #%s: no use was found", files.gl_pathv[f], alias->name);
            layouts++;
        }
        lw_aliases_free(&aliases);
    }
    print_message("%zu files, %zu layouts\n", files.gl_pathc, layouts);
    assert_true(layouts >= 3 * files.gl_pathc);
    globfree(&files);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),      cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_nested),     cmocka_unit_test(test_document),
        cmocka_unit_test(test_sources),    cmocka_unit_test(test_paths),
        cmocka_unit_test(test_bad_text),   cmocka_unit_test(test_bad_names),
        cmocka_unit_test(test_bad_values), cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_depth),      cmocka_unit_test(test_huge),
        cmocka_unit_test(test_files),      cmocka_unit_test(test_kernels),
    };
    directory = argc > 1 ? argv[1] : "tests/golden/ttgir"; /* or any other dumps */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
