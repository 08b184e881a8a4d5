/* The field {vgpr}: every element of AMD's instructions against AMD's calculator, and where it is refused. */

#include "golden.h"
#include "view_help.h"

struct instruction {
    char machine[8], name[40], element[16];
    char part; /* of A, B, D */
    int m, n, k;
};

/* kWidth: how many neighbours along K a lane has. */
static int width_of(const struct instruction *asked)
{
    int lanes = asked->machine[0] == 'c' ? 64 : 32, values = asked->m * asked->k / lanes;
    if (!strcmp(asked->machine, "rdna3"))
        return 16;
    /* A lane of RDNA 4 has elements of 16 bits in two groups of four, the second one eight further on. */
    bool halves = !strcmp(asked->machine, "rdna4") && strstr(asked->element, "f16");
    return halves ? 4 : values;
}

static void put_parent(struct lw_text *text, const struct instruction *asked, bool transposed)
{
    const char *is = transposed ? "true" : "false";
    int generation = asked->machine[4] - '0';
    if (asked->machine[0] == 'c')
        lw_text_format(
            text,
            "#ttg.amd_mfma<{version = %d, warpsPerCTA = [1, 1], instrShape = [%d, %d, %d], "
            "isTransposed = %s%s}>",
            generation, asked->m, asked->n, asked->k, is,
            strcmp(asked->element, "f64") ? "" : ", elementBitWidth = 64");
    else
        lw_text_format(text,
                       "#ttg.amd_wmma<{version = %d, isTranspose = %s, ctaLayout = {warp = []}, "
                       "instrShape = [%d, %d, %d]}>",
                       generation - 2, is, asked->m, asked->n, asked->k);
}

static const struct lw_subject *subject_asked(const struct instruction *asked, bool transposed)
{
    struct lw_text text = {0};
    int rows = asked->part == 'B' ? asked->k : asked->m;
    int columns = asked->part == 'A' ? asked->k : asked->n;
    lw_text_format(&text, "tensor<%dx%dx%s, ", rows, columns, asked->element);
    if (asked->part != 'D')
        lw_text_format(&text, "#ttg.dot_op<{opIdx = %d, parent = ", asked->part == 'B');
    put_parent(&text, asked, transposed);
    if (asked->part != 'D')
        lw_text_format(&text, ", kWidth = %d}>", width_of(asked));
    lw_text_add(&text, ">");
    const struct lw_subject *subject = subject_written(lw_text_string(&text));
    lw_text_free(&text);
    return subject;
}

/* A transposed result has D[j][i] where the other one has D[i][j]; operands stay. */
static void compare(const struct instruction *asked, bool transposed, const char *cells)
{
    const struct lw_subject *subject = subject_asked(asked, transposed);
    bool turned = transposed && asked->part == 'D';
    const struct lw_dim *dims = subject->map.out.dim;
    struct lw_error err = {0};
    struct lw_text text = {0};
    if (!lw_format_check("{vgpr}@{lane}", subject, &err))
        fail_msg("%s %c: %s", asked->name, asked->part, err.message);
    for (uint64_t i = 0; i < dims[0].size; i++)
        for (uint64_t j = 0; j < dims[1].size; j++) {
            uint64_t out[LW_DIMS_MAX] = {turned ? j : i, turned ? i : j};
            size_t length = strcspn(cells, ";");
            lw_text_clear(&text);
            put_owners(&text, "{vgpr}@{lane}", subject, out);
            if (text.length != length || memcmp(text.data, cells, length) != 0)
                fail_msg("%s:%s %c[%d][%d]: %s, not %.*s", asked->machine, asked->name, asked->part,
                         (int)i, (int)j, lw_text_string(&text), (int)length, cells);
            cells += length + (cells[length] == ';');
        }
    assert_string_equal(cells, "");
    lw_text_free(&text);
    subject_end();
}

static int check_row(char *line)
{
    int count = 0;
    char *names = golden_field(&line, '\t'), *part = golden_field(&line, '\t');
    char *sizes = golden_field(&line, '\t'), *cells = golden_field(&line, '\t');
    for (char *name; *(name = golden_field(&names, ' ')); count++) {
        struct instruction asked = {.part = *part};
        assert_int_equal(sscanf(sizes, "%d %d %d", &asked.m, &asked.n, &asked.k), 3);
        snprintf(asked.machine, sizeof asked.machine, "%s", golden_field(&name, ':'));
        snprintf(asked.name, sizeof asked.name, "%s", golden_field(&name, ':'));
        snprintf(asked.element, sizeof asked.element, "%s", name);
        compare(&asked, false, cells);
        compare(&asked, true, cells);
    }
    return count;
}

static void test_every_element(void **unused)
{
    (void)unused;
    FILE *file = golden_open("amd_registers.tsv");
    char *line = golden_line(file);
    int count = 0;
    assert_string_equal(line, "AMD Matrix Instruction Calculator Version 1.3.2");
    while ((line = golden_line(file)) != NULL)
        count += check_row(line);
    assert_int_equal(count % 3, 0);
    assert_true(count / 3 > 50);
}

static void refuses(const char *source, const char *reason)
{
    static const char problem[] = "cell format: no field 'vgpr' here: ";
    struct lw_error err = {0};
    assert_false(lw_format_check("{vgpr}", subject_written(source), &err));
    assert_memory_equal(err.message, problem, sizeof problem - 1);
    assert_string_equal(err.message + sizeof problem - 1, reason);
    subject_end();
}

#define MFMA(version, shape, more)                                                                 \
    "#ttg.amd_mfma<{version = " version ", warpsPerCTA = [1, 1], instrShape = [" shape             \
    "], isTransposed = false" more "}>"
#define A_OF(parent, width) "#ttg.dot_op<{opIdx = 0, parent = " parent ", kWidth = " width "}>>"
#define NONE "AMD's Matrix Instruction Calculator has no instruction for one block: "

static void test_refused(void **unused)
{
    (void)unused;
    refuses("tensor<16x16xf16, " A_OF(MFMA("3", "16, 16, 16", ""), "8"),
            "the instruction has its operands in the order of kWidth 4, not 8");
    refuses("tensor<16x16xbf16, " A_OF(MFMA("1", "16, 16, 16", ""), "4"),
            NONE "16x16x16 of amd_mfma version 1 with operands of bf16");
    refuses("tensor<16x16xf32, " MFMA("4", "16, 16, 32", "") ">",
            NONE "16x16x32 of amd_mfma version 4 with a result of f32");
    refuses("tensor<16x16xf16, " MFMA("3", "16, 16, 16", "") ">",
            NONE "16x16x16 of amd_mfma version 3 with a result of f16");
    refuses("tensor<16x16xf64, " MFMA("3", "16, 16, 4", "") ">",
            "elementBitWidth is not that of the element type");
    refuses("tensor<8x16xf32, " MFMA("3", "16, 16, 16", "") ">",
            "a block has less than one instruction, or there are several blocks");
    refuses("tensor<32x16xf32, " MFMA("3", "16, 16, 16", ", CGALayout = [[1, 0]]") ">",
            "a block has less than one instruction, or there are several blocks");
    refuses(MFMA("3", "16, 16, 16", ""), "the element type is not set");
    refuses("tensor<16x16xf32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 8], "
            "warpsPerCTA = [1, 1], order = [1, 0]}>>",
            "only layouts of the types amd_mfma and amd_wmma, and dot_op of these, have it");
    refuses("spatial(4, 8)",
            "only layouts of the types amd_mfma and amd_wmma, and dot_op of these, have it");
}

static void has(const char *source, uint64_t i, uint64_t j, const char *expected)
{
    const struct lw_subject *subject = subject_written(source);
    uint64_t out[LW_DIMS_MAX] = {i, j};
    struct lw_error err = {0};
    struct lw_text text = {0};
    if (!lw_format_check("{register} {vgpr}", subject, &err))
        fail_msg("%s", err.message);
    put_owners(&text, "{register} {vgpr}", subject, out);
    assert_string_equal(lw_text_string(&text), expected);
    lw_text_free(&text);
    subject_end();
}

/* The registers of the next instruction start again. */
static void test_several_instructions(void **unused)
{
    (void)unused;
    has("tensor<32x16xf32, " MFMA("3", "16, 16, 16", "") ">", 1, 0, "1 v1");
    has("tensor<32x16xf32, " MFMA("3", "16, 16, 16", "") ">", 17, 0, "5 v1");
    has("tensor<16x32xf16, " A_OF(MFMA("3", "16, 16, 16", ""), "4"), 0, 19, "7 v1.[31:16]");
    has("tensor<16x32xf32, " MFMA("2", "16, 16", "") ">", 3, 16, "7 v3"); /* no K */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_element),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_several_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
