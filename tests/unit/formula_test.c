/*
 * Index arithmetic: what is printed is compiled, or run by Python, and compared with the map: at every
 * point of a small layout and at points of a large one. The functions of each layout get names of their
 * own by macros, so that all of them are one program; in Python each layout is a module of its own.
 */

#include "formula_help.h"

#include "laneway/formula.h"

#include <sys/wait.h>
#include <unistd.h>

/* ---- The layouts ---- */

#define POINTS 48 /* of a layout in each direction */

typedef void visit(struct formula_subject *subject, int number, void *context);

static bool can_print(const struct formula_subject *subject, const char *language)
{
    struct lw_text text = {0};
    struct lw_error err = {0};
    bool good = lw_formula_print(&text, lw_formula_language_find(language), &subject->map,
                                 subject->bits, subject->name, &err);
    if (!good && err.code != LW_ERROR_UNSUPPORTED && err.code != LW_ERROR_LIMIT)
        fail_msg("%s: %s", subject->name, err.message);
    lw_text_free(&text);
    return good;
}

static int visit_source(const char *source, int number, visit *call, void *context)
{
    struct lw_document doc;
    struct formula_subject subject;
    struct lw_tensor tensor;
    open_source(&doc, source);
    if (!lw_document_build(&doc, &subject.map, NULL))
        fail_msg("%s: does not build", source);
    lw_document_tensor(&doc, &subject.map, &tensor);
    subject.bits = tensor.element.bits;
    snprintf(subject.name, sizeof subject.name, "%s", source);
    lw_document_free(&doc);
    if (!can_print(&subject, "c"))
        return number;
    call(&subject, number, context);
    return number + 1;
}

static const char *const others[] = {
    "{\"encoding\": \"distributed\", \"params\": {\"layout\": [[0, 1, 2], [3, 5, 4]]}, "
    "\"shape\": [1, 8]}", /* elements with two owners, and registers without an element */
    "{\"encoding\": \"distributed\", \"params\": {\"layout\": [[0, 1, 2], [3, 5, 4]]}, "
    "\"shape\": [8, 1]}",
    "(3,5):(5,1)",
    "(3,5):(7,1)",
    "((3,2),5):((1,40),7)",
    "Sw<2,1,3> o 5 o (6,8):(8,1)",
    "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)",
    "Sw<2,0,-3> o 0 o (8,8):(8,1)",
    "(4,(2,3)):(2,(1,8))",
    "(2,2):(3,5)",
    "(4,4):(5,1)",
    "thread_value(((3,5),(2,2)):((4,12),(1,2)), (12,5))",
    "thread_value(((3,4),2):((0,2),1), 8)",
    "local(3, 4).spatial(2, 3)",
    "spatial(3, 4).local(2, 5).spatial(2, 1)",
    "reduce(spatial(3, 4, 2), dims=[1])",
    "replicated(5, 3, num_workers=7).spatial(2, 2)",
    "column_spatial(5, 6).local(7, 2)",
    "spatial(4, 8).local(3, 2)",
    /* Gaps, and strides of which the longer is not a multiple of the shorter. */
    "(2,2,2,2):(4,9,2,1)",
    "shared_layout([13,8,7,1],[13,2,4,7],[16,1,4,210],None)",
    /* One element: an offset without a bit. */
    "!ttg.memdesc<1xf32, #ttg.padded_shared<[4:+8] {order = [0], shape = [1]}>, #smem>",
    "!ttg.memdesc<1x1xf16, #ttg.padded_shared<[4:+8] {order = [1, 0], shape = [1, 1]}>, #smem>",
    /* Swizzles onto their own bits. */
    "shared_row_major(3,8).apply_swizzle(Swizzle(0,2,1))",
    "shared_row_major(5,16).apply_swizzle(Swizzle(1,4,1))",
};

/* Expressions of tilus that its witness drew: one of three. */
struct drawn {
    visit *call;
    void *context;
    int number, seen;
};

static void visit_drawn(const char *source, void *context)
{
    struct drawn *drawn = context;
    if (drawn->seen++ % 3 == 0)
        drawn->number = visit_source(source, drawn->number, drawn->call, drawn->context);
}

/* The gallery, sizes that are no powers of two, random expressions and bases. */
static int each_subject(visit *call, void *context)
{
    size_t count;
    uint64_t state = 17;
    int number = 0;
    const struct lw_gallery_entry *all = lw_gallery(&count);
    for (size_t i = 0; i < count; i++)
        number = visit_source(all[i].name, number, call, context);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        int next = visit_source(others[i], number, call, context);
        if (next == number)
            fail_msg("%s: no index arithmetic", others[i]);
        number = next;
    }
    struct drawn drawn = {call, context, number, 0};
    each_source("tilus_random.jsonl", visit_drawn, &drawn);
    each_source("tilus_shared.jsonl", visit_drawn, &drawn);
    assert_true(drawn.number - number > 40);
    number = drawn.number;
    for (int round = 0; round < 40; round++) {
        struct formula_subject subject = {.bits = 16};
        struct lw_dims in = {0}, out = {0};
        struct lw_layout layout;
        lw_dims_add(&in, round % 2 ? "offset" : "register", 16, NULL);
        lw_dims_add(&in, round % 2 ? "block" : "lane", round % 2 ? 4 : 32, NULL);
        lw_dims_add(&out, "dim0", 8, NULL);
        lw_dims_add(&out, "dim1", 16, NULL);
        assert_true(lw_layout_of_dims(&layout, &in, &out, NULL));
        for (int i = 0; i < lw_layout_in_bits(&layout); i++)
            layout.basis[i] = random_next(&state) & 127;
        lw_map_from_layout(&subject.map, &layout);
        snprintf(subject.name, sizeof subject.name, "random %d", round);
        call(&subject, number++, context);
    }
    return number;
}

/* ---- C ---- */

/* The functions that a layout may have. */
static void each_function(const struct formula_subject *subject, struct lw_text *text,
                          const char *format, int number)
{
    static const char *const more[] = {"byte_of",  "is_held",  "is_used",  "plain_at",
                                       "plain_of", "index_at", "elements", "owners",
                                       "store",    "tensor",   "memory"};
    struct formula_indices indices;
    uint64_t zero[LW_DIMS_MAX] = {0};
    char name[40];
    formula_indices_of(&subject->map.in, zero, &indices);
    for (int d = 0; d < subject->map.out.count; d++) {
        snprintf(name, sizeof name, "%s_at", subject->map.out.dim[d].name);
        lw_text_format(text, format, name, name, number, name);
    }
    for (int p = 0; p < indices.count; p++) {
        snprintf(name, sizeof name, "%s_of", indices.name[p]);
        lw_text_format(text, format, name, name, number, name);
    }
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        lw_text_format(text, format, more[i], more[i], number, more[i]);
}

static void write_arguments(struct lw_text *text, int count, const uint64_t *values)
{
    for (int i = 0; i < count; i++)
        lw_text_format(text, "%s%llu", i ? ", " : "", (unsigned long long)values[i]);
}

/* What is claimed of one function: its arguments and its value, a row of a table each. */
struct claimed {
    char function[40];
    int count; /* of arguments */
    struct lw_text rows;
};

struct claims {
    struct claimed of[LW_DIMS_MAX * 2 + 8];
    int count;
};

static void claim_c(void *context, const char *function, int count, const uint64_t *values,
                    uint64_t value)
{
    struct claims *claims = context;
    struct claimed *at = claims->of;
    while (at < claims->of + claims->count && strcmp(at->function, function) != 0)
        at++;
    if (at == claims->of + claims->count) {
        assert_true(claims->count++ < LW_DIMS_MAX * 2 + 8);
        at->count = count;
        snprintf(at->function, sizeof at->function, "%s", function);
    }
    assert_int_equal(at->count, count);
    lw_text_add(&at->rows, "        {");
    write_arguments(&at->rows, count, values);
    lw_text_format(&at->rows, "%s%lluu},\n", count ? ", " : "", (unsigned long long)value);
}

/* A table, and a call for each of its rows. */
static void put_claimed(struct lw_text *out, struct claimed *claimed)
{
    lw_text_format(out, "    static const uint64_t t_%s[][%d] = {\n%s    };\n", claimed->function,
                   claimed->count + 1, lw_text_string(&claimed->rows));
    lw_text_format(out, "    for (size_t i = 0; i < sizeof t_%s / sizeof *t_%s; i++) {\n",
                   claimed->function, claimed->function);
    lw_text_format(out, "        const uint64_t *t = t_%s[i];\n", claimed->function);
    lw_text_format(out, "        check(NAME, \"%s\", %s(", claimed->function, claimed->function);
    for (int i = 0; i < claimed->count; i++)
        lw_text_format(out, "%st[%d]", i ? ", " : "", i);
    lw_text_format(out, "), t[%d]);\n    }\n", claimed->count);
    lw_text_free(&claimed->rows);
}

struct program {
    const char *language;
    struct lw_text text, calls;
};

static void add_c(struct formula_subject *subject, int number, void *context)
{
    struct program *program = context;
    struct claims claims = {.count = 0};
    struct lw_error err;
    each_function(subject, &program->text, "#undef %s\n#define %s L%d_%s\n", number);
    if (!lw_formula_print(&program->text, lw_formula_language_find(program->language),
                          &subject->map, subject->bits, subject->name, &err))
        fail_msg("%s: %s", subject->name, err.message);
    lw_text_add(&program->text, "#undef NAME\n#define NAME ");
    lw_text_json_string(&program->text, subject->name);
    lw_text_format(&program->text, "\nstatic void L%d(void)\n{\n", number);
    formula_claims(subject, POINTS, claim_c, &claims);
    for (int i = 0; i < claims.count; i++)
        put_claimed(&program->text, &claims.of[i]);
    lw_text_add(&program->text, "}\n");
    lw_text_format(&program->calls, "    L%d();\n", number);
}

static int run_command(const char *format, const char *directory, const char *other)
{
    char command[512];
    snprintf(command, sizeof command, format, directory, other);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void write_file(const char *directory, const char *name, struct lw_text *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_false(text->failed);
    assert_true(fwrite(text->data, 1, text->length, file) == text->length);
    assert_int_equal(fclose(file), 0);
    lw_text_free(text);
}

static void make_directory(char directory[64])
{
    snprintf(directory, 64, "/tmp/laneway-formula-XXXXXX");
    assert_non_null(mkdtemp(directory));
}

static void remove_directory(const char *directory)
{
    assert_int_equal(run_command("rm -rf '%s'%s", directory, ""), 0);
}

static const char c_head[] =
    "#include <stdint.h>\n#include <stdio.h>\n"
    "static int wrong;\n"
    "static void check(const char *name, const char *function, uint64_t is, uint64_t must)\n"
    "{\n    if (is != must && ++wrong < 20)\n"
    "        printf(\"%s: %s is %llu, not %llu\\n\", name, function, (unsigned long long)is, "
    "(unsigned long long)must);\n}\n";

static int make_program(struct program *program, const char *head)
{
    lw_text_add(&program->text, head);
    int count = each_subject(add_c, program);
    lw_text_format(&program->text, "int main(void)\n{\n%s    return wrong != 0;\n}\n",
                   lw_text_string(&program->calls));
    lw_text_free(&program->calls);
    return count;
}

static void test_c(void **unused)
{
    (void)unused;
    char directory[64];
    struct program program = {"c", {0}, {0}};
    const char *compiler = getenv("CC") && *getenv("CC") ? getenv("CC") : "cc";
    int count = make_program(&program, c_head);
    make_directory(directory);
    write_file(directory, "test.c", &program.text);
    assert_int_equal(
        run_command("cd '%s' && %s -std=c11 -Wall -Wextra -Werror -Wno-unused-function -O0 "
                    "-o test test.c",
                    directory, compiler),
        0);
    assert_int_equal(run_command("cd '%s' && ./test%s", directory, ""), 0);
    remove_directory(directory);
    print_message("%d layouts as index arithmetic in C\n", count);
}

/* The words of CUDA that C lacks, as macros: the rest runs as C. */
static void test_cuda(void **unused)
{
    (void)unused;
    char directory[64];
    struct program program = {"cuda", {0}, {0}};
    struct lw_text head = {0};
    const char *compiler = getenv("CC") && *getenv("CC") ? getenv("CC") : "cc";
    lw_text_format(
        &head,
        "#define __host__\n#define __device__\n#define __forceinline__ inline\n#define __global__\n"
        "#define __shared__ static\n#define __launch_bounds__(n)\n#include <stdint.h>\n"
        "static struct { uint32_t x; } threadIdx;\n%s",
        c_head);
    make_program(&program, lw_text_string(&head));
    lw_text_free(&head);
    make_directory(directory);
    write_file(directory, "test.c", &program.text);
    assert_int_equal(
        run_command("cd '%s' && %s -std=c11 -Wno-unused-function -O0 -o test test.c && "
                    "./test",
                    directory, compiler),
        0);
    remove_directory(directory);
}

/* ---- Python ---- */

static void claim_python(void *context, const char *function, int count, const uint64_t *values,
                         uint64_t value)
{
    struct lw_text *out = context;
    lw_text_format(out, "check('%s', %s(", function, function);
    write_arguments(out, count, values);
    lw_text_format(out, "), %llu)\n", (unsigned long long)value);
}

static void add_python(struct formula_subject *subject, int number, void *context)
{
    struct program *program = context;
    struct lw_text module = {0};
    struct lw_error err;
    if (!lw_formula_print(&module, lw_formula_language_find("python"), &subject->map, subject->bits,
                          subject->name, &err))
        fail_msg("%s: %s", subject->name, err.message);
    formula_claims(subject, POINTS, claim_python, &module);
    lw_text_format(&program->text, "run(%d, ", number);
    lw_text_json_string(&program->text, lw_text_string(&module));
    lw_text_add(&program->text, ")\n");
    lw_text_free(&module);
}

static void test_python(void **unused)
{
    (void)unused;
    char directory[64];
    struct program program = {"python", {0}, {0}};
    lw_text_add(&program.text, "import sys\nwrong = 0\n"
                               "def run(number, module):\n"
                               "    def check(function, value, must):\n"
                               "        global wrong\n"
                               "        if value != must:\n"
                               "            wrong += 1\n"
                               "            if wrong < 20: print(module.split(chr(10))[0], "
                               "function, value, must)\n"
                               "    exec(module, {'check': check})\n");
    int count = each_subject(add_python, &program);
    lw_text_add(&program.text, "sys.exit(wrong != 0)\n");
    make_directory(directory);
    write_file(directory, "test.py", &program.text);
    assert_int_equal(run_command("cd '%s' && python3 test.py%s", directory, ""), 0);
    remove_directory(directory);
    print_message("%d layouts as index arithmetic in Python\n", count);
}

/* ---- How few operations ---- */

static void costs(const char *source, const char *function, const char *body)
{
    struct lw_document doc;
    struct lw_map map;
    struct lw_text text = {0};
    char start[64];
    open_source(&doc, source);
    assert_true(lw_document_build(&doc, &map, NULL));
    assert_true(lw_formula_print(&text, lw_formula_language_find("python"), &map, 16, "x", NULL));
    snprintf(start, sizeof start, "def %s(", function);
    const char *at = strstr(lw_text_string(&text), start);
    assert_non_null(at);
    at = strchr(at, '\n') + 1;
    if (strncmp(at, body, strlen(body)) != 0)
        fail_msg("%s of %s: %.160s", function, source, at);
    lw_text_free(&text);
    lw_document_free(&doc);
}

static void test_operations(void **unused)
{
    (void)unused;
    costs("mma/m16n8k16.c", "dim0_at", "    return ((reg & 2) << 2) | (thread >> 2)\n");
    costs("mma/m16n8k16.c", "dim1_at", "    return (reg & 1) | ((thread & 3) << 1)\n");
    costs("mma/m16n8k16.c", "thread_of", "    return ((dim0 & 7) << 2) | (dim1 >> 1)\n");
    costs("swizzle/8x64-half", "offset_of", "    return (dim0 << 6) ^ (dim0 << 3) ^ dim1\n");
    /* The tiles of 64 columns are xored as one: three operations for three terms of two each. */
    costs("!ttg.memdesc<64x128xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = "
          "false, elementBitWidth = 16}>, #smem>",
          "dim0_at", "    return (offset >> 6) & 0x3f\n");
    costs("local(3, 4).spatial(2, 3)", "thread_of", "    return ((dim0 & 1) * 3) + (dim1 % 3)\n");
    costs("Sw<1,0,2> o 0 o (1,3,8):(0,8,1)", "dim0_at", "    return 0\n");
    costs("Sw<1,0,2> o 0 o (1,3,8):(0,8,1)", "dim1_at", "    return offset >> 3\n");
    costs("(3,5):(5,1)", "dim1_at", "    return offset % 5\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_c),
        cmocka_unit_test(test_cuda),
        cmocka_unit_test(test_python),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
