/* Aliases of Triton dumps: found, resolved in any order, refused with their position. */

#include "notation_help.h"

#include "laneway/kernel.h"
#include "notation/mlir/read_mlir.h"

#include <glob.h>
#include <unistd.h>

static const char *directory; /* of the dumps */

/* ---- Helpers ---- */

static char path[] = "/tmp/laneway-aliases-XXXXXX.ttgir";

static void write_dump(const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_true(file && fwrite(text, 1, length, file) == length);
    assert_int_equal(fclose(file), 0);
}

static bool open_alias(struct lw_document *doc, const char *name, struct lw_error *err)
{
    char source[128];
    snprintf(source, sizeof source, "%s:#%s", path, name);
    return lw_document_open(doc, source, NULL, err);
}

static void text_refused(const char *text, size_t length, const char *expected)
{
    struct lw_document doc;
    struct lw_error err = {0};
    struct lw_text shown = {0};
    write_dump(text, length);
    assert_false(open_alias(&doc, "a", &err));
    lw_text_error(&shown, NULL, &err);
    assert_string_equal(lw_text_string(&shown), expected);
    assert_false(open_alias(&doc, "a", NULL));
    lw_text_free(&shown);
}

/* The attribute of an alias in full. */
static void stands_for(const char *text, const char *name, const char *expected)
{
    struct lw_document doc;
    struct lw_error err = {0};
    struct lw_text shown = {0};
    write_dump(text, strlen(text));
    if (!open_alias(&doc, name, &err))
        fail_msg("%s: %s", name, err.message);
    lw_encoding_print(&shown, doc.encoding);
    assert_string_equal(lw_text_string(&shown), expected);
    assert_int_equal(doc.tensor.rank, -1);
    lw_text_free(&shown);
    lw_document_free(&doc);
}

static void alias_refused(const char *text, const char *name, const char *expected)
{
    struct lw_document doc;
    struct lw_error err = {0};
    struct lw_text shown = {0};
    write_dump(text, strlen(text));
    assert_false(open_alias(&doc, name, &err));
    lw_text_error(&shown, NULL, &err);
    assert_string_equal(lw_text_string(&shown), expected);
    lw_text_free(&shown);
}

/* The aliases of a text; `arena` has their names. */
static void find_all(struct lw_aliases *aliases, struct lw_arena *arena, const char *text)
{
    struct lw_error err;
    struct lw_reading reading = {.arena = arena, .err = &err, .text = text, .length = strlen(text)};
    if (!lw_aliases_collect(aliases, &reading))
        fail_msg("%s: %s", text, err.message);
}

static const struct lw_alias *find(const struct lw_aliases *aliases, const char *name)
{
    return lw_aliases_find(aliases, (struct lw_span){name, strlen(name)});
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
    struct lw_arena arena = {0};
    struct lw_aliases aliases;
    find_all(&aliases, &arena, text);
    assert_int_equal(aliases.count, 6);
    for (size_t i = 0; i < aliases.count; i++) {
        const struct lw_alias *alias = &aliases.items[i];
        assert_string_equal(alias->name, names[i]);
        assert_int_equal(alias->position.line, lines[i]);
        assert_int_equal(alias->position.length, strlen(names[i]) + 1);
        assert_ptr_equal(find(&aliases, names[i]), alias);
        assert_int_equal(lw_alias_is_layout(&aliases, alias), i == 0 || i == 2 || i == 3);
    }
    lw_arena_free(&arena);
    stands_for(text, "a-1$_", LINEAR);
    stands_for(text, "7", LINEAR);
}

static void test_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {"",      "\n", "module {}\n",   "#",
                                        "# = 3", "#a", "\xef\xbb\xbf#a"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct lw_arena arena = {0};
        struct lw_aliases aliases;
        find_all(&aliases, &arena, texts[i]);
        assert_int_equal(aliases.count, 0);
        lw_arena_free(&arena);
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
                  "there is no alias '#mna' in this text: it has #mma\n");
    alias_refused("#a = " LINEAR "\n#bc = #a\n#loc = loc(\"x\")\n", "unlike",
                  "there is no alias '#unlike' in this text: it has #a, #bc\n");
    alias_refused("#loc = loc(\"x\")\n", "mma",
                  "there is no alias '#mma' in this text, and no layout at all\n");
    alias_refused("#s = #ttg.slice<{dim = 0, parent = #mma}>\n#mmb = " LINEAR, "s",
                  "1:36: there is no alias '#mma' in this text: it has #s, #mmb\n"
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
    struct lw_arena arena = {0};
    struct lw_aliases aliases;
    find_all(&aliases, &arena, "#a = #b\n#b = #a\n");
    assert_false(lw_alias_is_layout(&aliases, &aliases.items[0]));
    lw_arena_free(&arena);
}

static void test_depth(void **state)
{
    (void)state;
    struct lw_text text = {0};
    struct lw_document doc;
    struct lw_error err;
    lw_text_add(&text, "#a0 = " LINEAR "\n");
    for (int i = 1; i < 2000; i++)
        lw_text_format(&text, "#a%d = #ttg.slice<{dim = 0, parent = #a%d}>\n", i, i - 1);
    write_dump(lw_text_string(&text), text.length);
    assert_true(open_alias(&doc, "a20", &err));
    lw_document_free(&doc);
    assert_false(open_alias(&doc, "a1999", &err));
    assert_string_equal(err.message, "nested too deeply: at most 64 levels are read");
    assert_true(err.position.line > 1900);
    lw_text_free(&text);
}

/* Many aliases, deep brackets: refused or read at once. */
static void test_huge(void **state)
{
    (void)state;
    struct lw_text text = {0};
    struct lw_arena arena = {0};
    struct lw_aliases aliases;
    lw_text_repeat(&text, '{', 1 << 20);
    lw_text_repeat(&text, '}', 1 << 20);
    for (int i = 0; i < 50000; i++)
        lw_text_format(&text, "#a%d = #a%d\n", i, i + 1);
    find_all(&aliases, &arena, lw_text_string(&text));
    assert_int_equal(aliases.count, 50000);
    assert_string_equal(find(&aliases, "a49999")->name, "a49999");
    assert_null(find(&aliases, "b"));
    lw_arena_free(&arena);
    lw_text_free(&text);
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

static int build_uses(const char *text, const char *name, const char *file)
{
    char use[128], source[600];
    int uses = 0; /* a stack of buffers has a dim more than its layout: `3x128x64` */
    struct lw_document doc;
    struct lw_tensor tensor;
    struct lw_error err = {0};
    snprintf(source, sizeof source, "%s:#%s", file, name);
    if (!lw_document_open(&doc, source, NULL, &err))
        fail_msg("%s: #%s: %s", file, name, err.message);
    size_t length = (size_t)snprintf(use, sizeof use, ", #%s", name);
    for (const char *p = text; (p = strstr(p, use)) != NULL; p += length) {
        struct lw_map map;
        if ((p[length] != '>' && p[length] != ',') || !shape_before(text, p, &tensor))
            continue;
        doc.tensor = tensor;
        uses += lw_document_build(&doc, &map, &err);
    }
    if (!uses && err.code != LW_OK)
        fail_msg("%s: #%s: %s", file, name, err.message);
    lw_document_free(&doc);
    return uses;
}

/* Whether nothing but other attributes names it: `parent = #mma`. */
static bool only_nested(const char *text, const char *name)
{
    char use[128];
    snprintf(use, sizeof use, "parent = #%s", name);
    return strstr(text, use) != NULL;
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
        const char *file = files.gl_pathv[f];
        struct lw_dump dump;
        struct lw_arena arena = {0};
        struct lw_aliases aliases;
        assert_true(lw_dump_open(&dump, file, NULL, NULL));
        const char *text = lw_text_string(&dump.text);
        find_all(&aliases, &arena, text);
        for (size_t i = 0; i < aliases.count; i++) {
            const struct lw_alias *alias = &aliases.items[i];
            if (!lw_alias_is_layout(&aliases, alias))
                continue;
            if (!build_uses(text, alias->name, file) && !only_nested(text, alias->name))
                fail_msg("%s: #%s: no use was found", file, alias->name);
            layouts++;
        }
        lw_arena_free(&arena);
        lw_dump_free(&dump);
    }
    print_message("%zu files, %zu layouts\n", files.gl_pathc, layouts);
    assert_true(layouts >= 3 * files.gl_pathc);
    globfree(&files);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),     cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_nested),    cmocka_unit_test(test_sources),
        cmocka_unit_test(test_paths),     cmocka_unit_test(test_bad_text),
        cmocka_unit_test(test_bad_names), cmocka_unit_test(test_bad_values),
        cmocka_unit_test(test_cycles),    cmocka_unit_test(test_depth),
        cmocka_unit_test(test_huge),      cmocka_unit_test(test_kernels),
    };
    directory = argc > 1 ? argv[1] : "tests/golden/ttgir"; /* or any other dumps */
    int file = mkstemps(path, 6);
    if (file < 0)
        return 1;
    close(file);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove(path);
    return failed;
}
