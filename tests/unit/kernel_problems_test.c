/* Kernels: what is wrong in a dump, and how reading goes on after it. */

#include "kernel_parts.h"

#include "golden.h"
#include "notation_help.h"

#include "laneway/kernel.h"

#include <glob.h>
#include <time.h>
#include <unistd.h>

static void first_problem(const char *text, const char *expected)
{
    struct lw_kernel kernel;
    struct lw_text shown = {0};
    read_text(&kernel, text, NULL);
    assert_true(kernel.problems.total > 0);
    lw_text_error(&shown, NULL, &kernel.problems.errors[0]);
    assert_string_equal(lw_text_string(&shown), expected);
    lw_text_free(&shown);
    lw_kernel_free(&kernel);
}

/* ---- What is wrong ---- */

static void test_problems(void **state)
{
    (void)state;
    first_problem("hello world\n", "1:1: expected an operation such as '%0 = tt.load %1 : ...', "
                                   "found 'hello'\n  hello world\n  ^~~~~\n");
    first_problem("module {\n  %0 tt.load %1 : i32\n}\n",
                  "2:6: expected '=', found 'tt'\n  %0 tt.load %1 : i32\n     ^~\n");
    first_problem("module {\n  tt.return\n", "3:1: expected '}', but the text ends here\n");
    first_problem("module {\n}\n}\n", "3:1: this '}' has no matching '{'\n  }\n  ^\n");
    first_problem("module {\n  %0 = a.b \"x\n  %1 = a.c\n}\n",
                  "2:12: this string has no closing \"\n    %0 = a.b \"x\n             ^~\n");
    first_problem("#a = 1\n#a = 2\n", "2:1: '#a' is defined twice: first on line 1\n");
    first_problem("  a.b \x01 c\n", "1:7: byte 0x01 is not text\n    a.b   c\n        ^\n");
    first_problem("a.b : tensor<4xf16, #x>\n", "1:1: there is no alias '#x' in this text, and no "
                                               "layout at all\n");
    first_problem("#x = #ttg.linear<{lane = [[1, y]}>\na.b : tensor<4xf16, #x>\n",
                  "1:33: expected ',' or ']', found '}'\n  #ttg.linear<{lane = [[1, y]}>\n"
                  "                             ^\n");
    first_problem("#x = #x\na.b : tensor<4xf16, #x>\n",
                  "1:6: '#x' is part of itself\n  #x\n  ^~\n");
}

/* What is before a problem, and after it, is there. */
static void test_goes_on(void **state)
{
    (void)state;
    struct lw_kernel kernel;
    read_text(&kernel,
              HEAD "module {\n"
                   "  %0 = ttg.convert_layout %x : tensor<4x8xf16, #b> -> tensor<4x8xf16, #b>\n"
                   "  !!! nonsense here )))\n"
                   "  %1 = a.b \"open\n"
                   "  %2 = ttg.convert_layout %x : tensor<4x8xf16, #b> -> tensor<4x8xf16, #nope>\n"
                   "  %3 = ttg.convert_layout %x : tensor<4x8xf16, #b> -> tensor<4x?xf16, #b>\n"
                   "  %4 = ttg.convert_layout %x : tensor<4x8xf16, #b> -> tensor<4x8xf16, #b>\n",
              NULL);
    assert_int_equal(kernel.operation_count, 4);
    assert_int_equal(kernel.problems.total, 4); /* a size that is not known is none */
    struct lw_document doc;
    struct lw_error err;
    assert_true(lw_document_of_operation(&doc, &kernel, &kernel.operations[3], &err));
    lw_document_free(&doc);
    assert_false(lw_document_of_operation(&doc, &kernel, &kernel.operations[1], &err));
    assert_non_null(strstr(err.message, "there is no alias '#nope'"));
    assert_false(lw_document_of_operation(&doc, &kernel, &kernel.operations[2], &err));
    lw_kernel_free(&kernel);
}

/* Cut anywhere, and with any byte another: no crash, and what is read twice is the same. */
static void test_cut(void **state)
{
    (void)state;
    char text[sizeof small];
    for (size_t length = 0; length < sizeof small; length++) {
        struct lw_kernel kernel;
        assert_true(lw_kernel_read(&kernel, small, length, NULL, NULL));
        lw_kernel_free(&kernel);
        memcpy(text, small, sizeof small);
        text[length] = "{}()<>[]\"#%!:-,=\n"[length % 17];
        assert_true(lw_kernel_read(&kernel, text, sizeof small - 1, NULL, NULL));
        lw_kernel_free(&kernel);
    }
}

static void must_be_quick(struct lw_text *text)
{
    struct lw_kernel kernel;
    struct lw_error err;
    clock_t start = clock();
    if (lw_kernel_read(&kernel, lw_text_string(text), text->length, NULL, &err))
        lw_kernel_free(&kernel);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 10);
    lw_text_free(text);
}

static void test_hostile(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "{",         "a.b {\n",  "(",     "<",
        "a.b \"",    "\n}",      "#a = ", "%0 = a.b : ",
        "^bb0(",     "a.b ({\n", "//",    "a.b\n",
        "!t = !t\n", "loc(",     "\"",    "scf.for %i = %a to %b step %c {\n"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct lw_text text = {0};
        for (int n = 0; n < 200000; n++)
            lw_text_add(&text, pieces[i]);
        must_be_quick(&text);
    }
    struct lw_text text = {0};
    for (int n = 0; n < 100000; n++)
        lw_text_format(&text, "#l%d = loc(fused[#l%d, #l%d])\n", n, n + 1, n + 1);
    lw_text_add(&text, "%0 = ttg.convert_layout %x : tensor<4x8xf16, " BLOCKED "> -> "
                       "tensor<4x8xf16, " BLOCKED "> loc(#l0)\n");
    must_be_quick(&text);
    for (int n = 0; n < 100000; n++)
        lw_text_format(&text, "a.b : tensor<%dxf16, #b>\n", n);
    must_be_quick(&text);
}

/* A long file, and those that cannot be read. */
static void test_file(void **state)
{
    (void)state;
    char path[] = "/tmp/laneway-kernel-XXXXXX";
    struct lw_kernel kernel;
    struct lw_error err = {0};
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    fprintf(file, "%s", HEAD "module {\n");
    for (int i = 0; i < 20000; i++)
        fprintf(file,
                "  %%%d = ttg.convert_layout %%x : tensor<4x8xf16, #b> -> tensor<4x8xf16, "
                "#c1> loc(#loc%d)\n",
                i, i);
    fprintf(file, "  %%long = arith.constant dense<\"0x");
    for (int i = 0; i < 6000000; i++)
        fputc('0', file);
    fprintf(file,
            "\"> : tensor<4x8xf16, #b>\n  tt.store %%p, %%x : tensor<4x8x!tt.ptr<f16>, #b>\n}\n");
    fprintf(file, "#c1 = #c2\n#c2 = " BLOCKED "\n#loc19999 = loc(\"a.py\":1:2)\n");
    assert_int_equal(fclose(file), 0);
    assert_true(lw_kernel_open(&kernel, path, NULL, &err));
    assert_int_equal(kernel.operation_count, 20001);
    is_at(kernel.operations[19999].location, "a.py:1:2");
    assert_int_equal(kernel.operations[20000].position.line, 20005);
    assert_int_equal(kernel.problems.total, 0);
    lw_kernel_free(&kernel);
    struct lw_kernel_options options = {.max = 1000};
    assert_false(lw_kernel_open(&kernel, path, &options, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    assert_false(lw_kernel_open(&kernel, "/tmp", NULL, &err));
    assert_false(lw_kernel_open(&kernel, "no.ttgir", NULL, NULL));
    assert_false(lw_kernel_open(&kernel, "-", NULL, &err));
    remove(path);
}

/* ---- Compiled kernels ---- */

/* Every layout is read and drawn at every shape that it has. */
static size_t build_all(const struct lw_kernel *kernel)
{
    for (size_t i = 0; i < kernel->type_count; i++) {
        const struct lw_kernel_type *type = &kernel->types[i];
        struct lw_error err = {0};
        struct lw_map map;
        assert_non_null(type->encoding);
        if (!lw_encoding_build(type->encoding, &type->tensor, &map, &err))
            fail_msg("%s: %s: %s", kernel->name, kernel->types[i].text, err.message);
    }
    return kernel->type_count;
}

/* The distinct pairs of a layout and a shape. */
static size_t pairs_of(const struct lw_kernel *kernel)
{
    size_t pairs = 0;
    for (size_t e = 0; e < kernel->encoding_count; e++) {
        const struct lw_kernel_encoding *encoding = &kernel->encodings[e];
        for (size_t i = 0; i < encoding->type_count; i++) {
            const struct lw_tensor *tensor = &kernel->types[encoding->types[i]].tensor;
            bool before = false;
            for (size_t j = 0; j < i && !before; j++) {
                const struct lw_tensor *other = &kernel->types[encoding->types[j]].tensor;
                before = other->rank == tensor->rank &&
                         !memcmp(other->shape, tensor->shape, sizeof tensor->shape);
            }
            pairs += !before;
        }
    }
    return pairs;
}

static size_t aliases_of(const struct lw_kernel *kernel)
{
    size_t count = 0;
    for (size_t i = 0; i < kernel->encoding_count; i++)
        count += !strchr(kernel->encodings[i].alias, '.');
    return count;
}

/* A number of a row of counts.csv; its column's name is in `head`. */
static void check_column(const struct lw_kernel *kernel, const char *name, size_t expected)
{
    size_t count = !strcmp(name, "encodings")                ? aliases_of(kernel)
                   : !strcmp(name, "pairs")                  ? pairs_of(kernel)
                   : !strcmp(name, "loops")                  ? kernel->loop_count
                   : !strcmp(name, "local_alloc_with_value") ? count_of(kernel, "ttg.local_alloc")
                                                             : count_of(kernel, name);
    if (count != expected)
        fail_msg("%s: %s: %zu, not %zu", kernel->name, name, count, expected);
}

static void check_row(char *head, char *row)
{
    struct lw_kernel kernel;
    struct lw_error err = {0};
    char path[300], *heads, *rows;
    const char *name = strtok_r(row, ",\n", &rows);
    snprintf(path, sizeof path, "tests/golden/ttgir/%s", name);
    if (!lw_kernel_open(&kernel, path, NULL, &err))
        fail_msg("%s", err.message);
    has_no_problem(&kernel);
    strtok_r(head, ",\n", &heads);
    for (const char *column; (column = strtok_r(NULL, ",\n", &heads)) != NULL;)
        check_column(&kernel, column, strtoul(strtok_r(NULL, ",\n", &rows), NULL, 10));
    for (size_t i = 0; i < kernel.operation_count; i++)
        if (!kernel.operations[i].location || !kernel.operations[i].location->line)
            fail_msg("%s:%d: no location", path, kernel.operations[i].position.line);
    build_all(&kernel);
    lw_kernel_free(&kernel);
}

static void test_kernels(void **state)
{
    (void)state;
    char head[2048], copy[2048];
    size_t files = 0;
    FILE *file = golden_open("ttgir/counts.csv");
    snprintf(head, sizeof head, "%s", golden_line(file));
    for (char *row; (row = golden_line(file)) != NULL; files++) {
        memcpy(copy, head, sizeof copy);
        check_row(copy, row);
    }
    assert_true(files >= 35);
}

/* Each part is a kernel of its own, also when another one is not MLIR. */
static void parts_are_kernels(void **state)
{
#define DEFINE                                                                                     \
    "#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = "   \
    "[0]}>\n"
#define LOAD "%0 = tt.load %p : tensor<8x!tt.ptr<f32>, #a>\n"
    static const char text[] =
        LOAD "}{ this ends nowhere (\n"
             "// -----\n" DEFINE LOAD "  // -----\n" LOAD "// ----- three\n" LOAD DEFINE;
    static const int lines[] = {1, 5, 9};
    struct lw_kernel kernel;
    struct lw_dump dump;
    (void)state;
    assert_true(lw_dump_read(&dump, text, sizeof text - 1, NULL, NULL));
    assert_int_equal(dump.part_count, 3);
    for (int part = 1; part <= 3; part++) {
        const struct lw_kernel_options options = {.part = part};
        assert_true(lw_dump_kernel(&kernel, &dump, &options, NULL));
        assert_int_equal(kernel.operation_count, part == 2 ? 2 : 1);
        assert_int_equal(kernel.operations[0].position.line, lines[part - 1]);
        assert_int_equal(kernel.problems.total != 0, part == 1);
        assert_int_equal(kernel.more, part < 3);
        lw_kernel_free(&kernel);
    }
    const struct lw_kernel_options beyond = {.part = 4};
    struct lw_error err;
    assert_false(lw_dump_kernel(&kernel, &dump, &beyond, &err));
    assert_string_equal(err.message, "there is no part 4: the last one is 3");
    lw_dump_free(&dump);
}

/* Layouts inside each other that would take too much memory: refused, in a short time. */
static void nested_layouts_are_limited(void **state)
{
    enum { DEEP = 300000 };
    struct lw_text text = {0};
    struct lw_kernel kernel;
    struct lw_error err;
    (void)state;
    for (int i = 0; i < DEEP; i++)
        lw_text_format(&text, "#a%d = #ttg.slice<{dim = 0, parent = #a%d}>\n", i, i + 1);
    lw_text_add(&text, "%0 = ttg.convert_layout %1 : tensor<16xf16, #a0> -> tensor<16xf16, #a1>\n");
    assert_false(lw_kernel_read(&kernel, lw_text_string(&text), text.length, NULL, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    assert_string_equal(err.message, "to list it takes over 256 MiB");
    lw_text_free(&text);
}

/* Counts how often it is asked. */
static bool count_asks(void *asks)
{
    ++*(size_t *)asks;
    return false;
}

/* However long a kernel is, reading it asks again and again whether to stop: for each 64 KiB of the text, and for each
 * 256 aliases, types and locations. */
static void reading_asks_whether_to_stop(void **state)
{
    enum { LINES = 30000 };
    char path[] = "/tmp/laneway-kernel-XXXXXX";
    struct lw_kernel kernel;
    struct lw_error err = {0};
    size_t asks = 0;
    const struct lw_kernel_options options = {.stop = count_asks, .stop_context = &asks};
    (void)state;
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    for (int n = 1; n <= LINES; n++)
        fprintf(file, "#c%d = " BLOCKED "\n", n);
    for (int n = 1; n <= LINES; n++)
        fprintf(file,
                "%%%d = ttg.convert_layout %%x : tensor<%dx8xf16, " BLOCKED "> -> "
                "tensor<%dx8xf32, " BLOCKED "> loc(\"a.py\":%d:1)\n",
                n, n, n, n);
    long bytes = ftell(file);
    assert_int_equal(fclose(file), 0);
    assert_true(lw_kernel_open(&kernel, path, &options, &err));
    assert_int_equal(kernel.type_count, 2 * LINES);
    assert_true(asks >= (size_t)bytes / 65536 + 4 * LINES / 256);
    lw_kernel_free(&kernel);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problems),
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(parts_are_kernels),
        cmocka_unit_test(nested_layouts_are_limited),
        cmocka_unit_test(reading_asks_whether_to_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
