/* CuTe against its witnesses: expressions as pycute and the CUTLASS headers compute them, and pages as
 * print_layout and print_latex print them. */

#include "golden.h"

#include "laneway/calc.h"
#include "laneway/export.h"
#include "laneway/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rows, failures;

static void each(const char *file, void (*row)(char *line))
{
    FILE *input = golden_open(file);
    rows = failures = 0;
    for (char *line; (line = golden_line(input)) != NULL; rows++)
        row(line);
    assert_int_equal(failures, 0);
}

/* Cuts the next field off. */
static char *field(char **line)
{
    return golden_field(line, '\t');
}

/* What an expression gives; after a `!` why it is refused. */
static void ask(const char *expression, bool as_cute, struct lw_text *answer)
{
    struct lw_arena arena = {0};
    struct lw_calc_work work = {.arena = &arena, .as_cute = as_cute};
    struct lw_calc_result result;
    struct lw_error err = {0};
    lw_text_clear(answer);
    if (lw_calc(expression, NULL, 0, &work, &result, &err))
        lw_calc_print(answer, &result);
    else
        lw_text_format(answer, "!%s", err.message);
    lw_arena_free(&arena);
}

static void check(const char *expression, bool good, const char *expected, const char *got)
{
    if (good)
        return;
    print_error("%s\n  expected %s\n  got      %s\n", expression, expected, got);
    failures++;
}

/* "expression <tab> result", where ! is a refusal. */
static void check_expression(char *line)
{
    struct lw_text text = {0};
    char *expression = field(&line), *expected = field(&line);
    ask(expression, false, &text);
    const char *got = lw_text_string(&text);
    check(expression, !strcmp(expected, "!") ? got[0] == '!' : !strcmp(got, expected), expected,
          got);
    lw_text_free(&text);
}

static int refused;

/* "expression <tab> what the headers give <tab> =", or "wrong"; "!" and "#" where they do not compile or end. What they
 * give is the result where it is right, and with as_cute in every case. */
static void check_mixed(char *line)
{
    struct lw_text text = {0};
    char *expression = field(&line), *expected = field(&line), *right = field(&line);
    bool none = !strcmp(expected, "!") || !strcmp(expected, "#"), same = !strcmp(right, "=");
    ask(expression, true, &text);
    const char *got = lw_text_string(&text);
    check(expression, none ? got[0] == '!' : !strcmp(got, expected), expected, got);
    ask(expression, false, &text);
    got = lw_text_string(&text);
    if (!none)
        check(expression, same ? !strcmp(got, expected) : got[0] == '!' && strstr(got, expected),
              same ? expected : "a refusal with it", got);
    refused += !none && !same;
    lw_text_free(&text);
}

/* Writes a text as the DSL does: without the underscores of static integers, and without the pointer after a swizzle,
 * whose unit is bytes in both. A tensor of coordinates is tensor<(0,0) o ...> there. */
static void as_dsl(struct lw_text *text)
{
    char *own = strdup(lw_text_string(text)), *at = own;
    lw_text_clear(text);
    while (*at) {
        if (*at == '_' && strchr("-0123456789", at[1]) && at[1])
            at++;
        if (!strncmp(at, "ArithTuple", 10)) {
            at += 10;
        } else if (!strncmp(at, "Sw<", 3)) {
            lw_text_add(text, "S<");
            at += 3;
        } else if (!strncmp(at, "smem_ptr[", 9)) {
            lw_text_add(text, "0");
            at += strcspn(at, ")") + 1;
        } else {
            lw_text_char(text, *at++);
        }
    }
    free(own);
}

static int dsl_rows, dsl_functions, dsl_refused;

/* Whether a text is a layout of the same modes with the same offsets: the stride of a mode of one element, and whether
 * there is one, does not matter. */
static bool is_same_function(const char *text, const char *other)
{
    struct lw_arena arena = {0};
    struct lw_calc_work work = {.arena = &arena};
    struct lw_calc_result a, b;
    const struct lw_cute *one = NULL, *two = NULL;
    if (lw_calc(text, NULL, 0, &work, &a, NULL) && lw_calc(other, NULL, 0, &work, &b, NULL)) {
        one = lw_calc_cute(&a);
        two = lw_calc_cute(&b);
    }
    bool same = one && two && one->layout.shape.count == two->layout.shape.count &&
                lw_cute_size(&one->layout) == lw_cute_size(&two->layout);
    for (int64_t i = 0; same && i < lw_cute_size(&one->layout); i++)
        same = lw_cute_offset(&one->layout, i) == lw_cute_offset(&two->layout, i);
    lw_arena_free(&arena);
    return same;
}

/* The value of line i that has one, of what print() gives: "  ThrID:  32:1". */
static void value_of(const char *text, int i, struct lw_text *value)
{
    lw_text_clear(value);
    for (const char *line = text; (line = strchr(line, '\n')) != NULL;) {
        const char *colon = *++line == ' ' ? strchr(line, ':') + 1 : NULL;
        if (colon && i-- == 0)
            lw_text_format(value, "%.*s", (int)strcspn(colon + strspn(colon, " "), "\n"),
                           colon + strspn(colon, " "));
    }
    as_dsl(value);
}

/* What print() gives in the DSL is read, and printed as CuTe does in C++: the values are the same. The unnamed copy has
 * no type, and a fourth layout. */
static void check_printed(const char *printed)
{
    struct lw_text text = {0}, one = {0}, two = {0};
    ask(printed, false, &text);
    bool refusal = strstr(lw_text_string(&text), "CuTe does not compile it");
    dsl_refused += refusal;
    for (int i = 0; !refusal && i < (strstr(printed, "MMA") ? 7 : 5); i++) {
        value_of(printed, i, &one);
        value_of(lw_text_string(&text), i, &two);
        check(printed, one.length > 0 && !strcmp(lw_text_string(&one), lw_text_string(&two)),
              lw_text_string(&one), lw_text_string(&text));
    }
    lw_text_free(&text);
    lw_text_free(&one);
    lw_text_free(&two);
}

/* {"expr": ..., "is": ...}: an expression of Python and what the DSL prints of its value; the tiler of a copy as
 * layouts, 16:1. What is refused: a tiling with several atoms along K whose threads have the same elements of C, and a
 * copy of fewer values than its atom has, which CuTe does not compile in C++. */
static void check_dsl(const cJSON *row, const char *line)
{
    struct lw_text text = {0};
    const char *expression = cJSON_GetStringValue(cJSON_GetObjectItem(row, "expr"));
    char *expected = strdup(cJSON_GetStringValue(cJSON_GetObjectItem(row, "is"))), *at = expected;
    (void)line;
    dsl_rows++;
    if (strchr(expected, '\n')) {
        check_printed(expected);
        free(expected);
        return;
    }
    if (!strncmp(expected, "tensor<", 7)) {
        memmove(expected, expected + 7, strlen(expected + 7) + 1);
        expected[strlen(expected) - 1] = '\0';
    }
    while (strstr(expression, ".tiler_mn") && (at = strchr(at, ':')) != NULL)
        memmove(at, at + strcspn(at, ",)"), strlen(at + strcspn(at, ",)")) + 1);
    ask(expression, false, &text);
    as_dsl(&text);
    const char *got = lw_text_string(&text);
    bool refusal = strstr(got, "along K continue past") || strstr(got, "CuTe does not compile it");
    bool same = !strcmp(got, expected), function = !same && is_same_function(got, expected);
    check(expression, same || function || refusal, expected, got);
    dsl_functions += function;
    dsl_refused += refusal;
    free(expected);
    lw_text_free(&text);
}

static void python(void **state)
{
    (void)state;
    failures = 0;
    golden_each("cute_dsl.jsonl", check_dsl);
    assert_int_equal(failures, 0);
    assert_true(dsl_rows >= 3000);
    assert_true(dsl_functions <= dsl_rows / 8);
    assert_true(dsl_refused <= 40);
}

static uint64_t hash(const char *text, size_t length)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    return h;
}

/* The layout that a printer takes: of a tiled MMA its C. */
static char *document_of(const char *source, const char *printer)
{
    bool mma = strstr(printer, " mma") != NULL;
    struct lw_text text = {0};
    if (mma)
        lw_text_format(&text, "%s.C", source);
    else
        lw_text_add(&text, source);
    char *document = strdup(lw_text_string(&text));
    lw_text_free(&text);
    return document;
}

/* What the style cute prints of a source as a printer of CuTe does. */
static char *page_of(const char *source, const char *printer, size_t *length)
{
    struct lw_document doc;
    struct lw_opened opened;
    struct lw_view view;
    struct lw_error err = {0};
    struct lw_export_options options = {.style = "cute", .all = true};
    const char *name = strstr(printer, " mma") ? "mma" : "owners";
    const char *format = strstr(printer, "latex") ? "latex" : "text";
    char *text = NULL, *document = document_of(source, printer);
    if (!lw_document_open(&doc, document, NULL, &err) ||
        !lw_subject_open(&opened, &doc, 32, &err) ||
        !lw_view_open(&view, lw_view_type_find(name), &opened.subject, NULL, &err))
        fail_msg("%s: %s", source, err.message);
    FILE *out = open_memstream(&text, length);
    if (!lw_export(&view, lw_format_find(format), &options, out, &err))
        fail_msg("%s: %s", source, err.message);
    fclose(out);
    lw_view_close(&view);
    lw_subject_close(&opened);
    lw_document_free(&doc);
    free(document);
    return text;
}

/* "layout <tab> print_layout <tab> length <tab> hash <tab> text or nothing" */
static void check_page(char *line)
{
    char *source = field(&line), *printer = field(&line), *length = field(&line);
    char *sum = field(&line);
    size_t got;
    char *text = page_of(source, printer, &got);
    if (got != strtoul(length, NULL, 10) || hash(text, got) != strtoull(sum, NULL, 16)) {
        print_error("%s of %s:\n%s\nexpected:\n%s\n", printer, source, text, line);
        failures++;
    }
    free(text);
}

/* ---- Derivations ---- */

struct known_result {
    char *what, *result; /* without underscores: known when compiling or not */
};
static struct known_result *known;
static size_t known_count;

static char *bare(const char *text)
{
    char *out = malloc(strlen(text) + 1), *to = out;
    for (; *text; text++)
        if (*text != '_')
            *to++ = *text;
    *to = '\0';
    return out;
}

/* complement(...) = ... and the like, for check_steps. */
static void keep(char *line)
{
    known = realloc(known, (known_count + 1) * sizeof *known);
    known[known_count].what = bare(field(&line));
    known[known_count++].result = bare(field(&line));
}

static int by_what(const void *a, const void *b)
{
    return strcmp(((const struct known_result *)a)->what, ((const struct known_result *)b)->what);
}

static const char *look_up(const char *what)
{
    struct known_result key = {(char *)what, NULL};
    const struct known_result *found = bsearch(&key, known, known_count, sizeof key, by_what);
    return found ? found->result : NULL;
}

static int steps_checked;

/* The headers' result of an operation that a step names, against what the derivation has for it. */
static void check_step(const char *text, const char *what, const char *name)
{
    const char *expected = look_up(what);
    char wanted[600];
    if (!expected || !strcmp(expected, "!"))
        return;
    snprintf(wanted, sizeof wanted, "\n%s = %s\n", name, expected);
    if (!strstr(text, wanted)) {
        print_error("%s: no line '%s' in\n%s", what, wanted, text);
        failures++;
    }
    steps_checked++;
}

/* A product of the headers is derived: its complement, its composition, the copies, and the end. */
static void check_steps(char *line)
{
    struct lw_arena arena = {0};
    struct lw_text steps = {0};
    struct lw_calc_work work = {.arena = &arena, .steps = &steps};
    struct lw_calc_result result;
    char *expression = field(&line), *expected = field(&line);
    bool raked = !strncmp(expression, "raked_product(", 14);
    if ((!raked && strncmp(expression, "blocked_product(", 16) != 0) || !strcmp(expected, "!"))
        return;
    assert_true(lw_calc(expression, NULL, 0, &work, &result, NULL));
    char *text = bare(lw_text_string(&steps)), *args = bare(strchr(expression, '(')), what[600];
    snprintf(what, sizeof what, "%s%s", raked ? "rakedproduct" : "blockedproduct", args);
    check_step(text, what, raked ? "  raked product" : "  blocked product");
    snprintf(what, sizeof what, "logicalproduct%s", args);
    check_step(text, what, "  A and its copies");
    static const char *const names[] = {"complement", "composition"};
    for (int i = 0; i < 2; i++) {
        char *at = strstr(text, names[i]), name[32];
        snprintf(what, sizeof what, "%.*s", (int)strcspn(at, "\n"), at);
        snprintf(name, sizeof name, "  %s", names[i]);
        check_step(text, what, name);
    }
    free(text);
    free(args);
    lw_text_free(&steps);
    lw_arena_free(&arena);
}

static void derivations(void **state)
{
    (void)state;
    each("cute_headers.tsv", keep);
    qsort(known, known_count, sizeof *known, by_what);
    each("cute_headers.tsv", check_steps);
    assert_true(steps_checked >= 170);
    for (size_t i = 0; i < known_count; i++) {
        free(known[i].what);
        free(known[i].result);
    }
    free(known);
}

/* ---- The law of left_inverse ---- */

static int laws_checked;

/* "left_inverse(A) <tab> L": A(L(A(i))) = A(i). */
static void check_law(char *line)
{
    struct lw_arena arena = {0};
    struct lw_calc_work work = {.arena = &arena};
    struct lw_calc_result a, inverse;
    char *expression = field(&line);
    if (strncmp(expression, "left_inverse(", 13) != 0)
        return;
    expression[strlen(expression) - 1] = '\0';
    assert_true(lw_calc(expression + 13, NULL, 0, &work, &a, NULL));
    expression[strlen(expression)] = ')';
    const struct lw_cute_layout *layout = &lw_calc_cute(&a)->layout;
    if (lw_calc(expression, NULL, 0, &work, &inverse, NULL)) {
        laws_checked++;
        for (int64_t i = 0; i < lw_cute_size(layout); i++) {
            int64_t offset = lw_cute_offset(layout, i);
            int64_t back = lw_cute_offset(&lw_calc_cute(&inverse)->layout, offset);
            if (lw_cute_offset(layout, back) != offset)
                failures++;
        }
    }
    lw_arena_free(&arena);
}

static void left_inverses(void **state)
{
    (void)state;
    each("cute_headers.tsv", check_law);
    assert_true(laws_checked >= 120);
}

/* The files of witnesses, how a row of each is checked, and how many rows it has at least. */
static void witnesses(void **state)
{
    static const struct {
        const char *file;
        void (*row)(char *line);
        int least;
    } files[] = {
        {"cute_pycute.tsv", check_expression, 2400}, {"cute_headers.tsv", check_expression, 3380},
        {"cute_tiled.tsv", check_expression, 300},   {"cute_cotiled.tsv", check_expression, 40},
        {"cute_shapes.tsv", check_expression, 790},  {"cute_modes.tsv", check_expression, 310},
        {"cute_offsets.tsv", check_expression, 370}, {"cute_mixed.tsv", check_mixed, 650},
        {"cute_axes.tsv", check_mixed, 430},         {"cute_prints.tsv", check_page, 408},
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        each(files[i].file, files[i].row);
        assert_true(rows >= files[i].least);
    }
    assert_true(refused >= 45);
}

/* Where no integer is written as static, all are known; with as_cute the result is that of C++, where none is. */
static void without_static(void **state)
{
    static const char *const cases[][3] = {
        /* what the headers print of integers that are not static */
        {"coalesce((2,4):(1,2))", "8:1", "(2,4):(1,2)"},
        {"logical_divide(10:1, 4:1)", "(4,3):(1,4)", "(4,(1,3)):(1,(1,4))"},
        {"complement(4:2, 8)", "2:1", "(2,1):(_1,8)"},
        {"composition((2,3):(1,2), (2,3):(3,1))", "(2,3):(3,1)", "((1,2),(2,1)):((3,4),(1,2))"},
        {"composition((4,3):(1,8), 6:2)", "(2,3):(2,8)", "(2,3):(2,8)"},
        {"composition((4,2):(2,1), 3:2)", "!", "(2,1):(4,1)"},
        {"shape_div(6, 4)", "!", "2"},
    };
    struct lw_text text = {0};
    (void)state;
    failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int as_cute = 0; as_cute < 2; as_cute++) {
            const char *expected = cases[i][1 + as_cute];
            ask(cases[i][0], as_cute, &text);
            const char *got = lw_text_string(&text);
            check(cases[i][0], expected[0] == '!' ? got[0] == '!' : !strcmp(got, expected),
                  expected, got);
        }
    lw_text_free(&text);
    assert_int_equal(failures, 0);
}

static int atom_names;

static void atom_failed(const char *source, const char *got, const char *expected)
{
    print_error("%s: %s, expected %s\n", source, got, expected);
    failures++;
}

/* `NAME.A` against "((4,8),2):((16,1),8)"; NULL: against a refusal with the reason `why`. Where the headers'
 * own layout is none, so is this one. */
static void check_part(const char *name, const char *part, const char *expected, const char *why)
{
    struct lw_arena arena = {0};
    struct lw_calc_work work = {.arena = &arena};
    struct lw_calc_result result, want;
    struct lw_error err = {0};
    char source[240];
    snprintf(source, sizeof source, "%s.%s", name, part);
    bool good = lw_calc(source, NULL, 0, &work, &result, &err);
    if (expected && !lw_calc(expected, NULL, 0, &work, &want, NULL)) {
        expected = NULL;
        why = "which do not go together";
    }
    if (expected ? !good || !lw_cute_equal(lw_calc_cute(&result), lw_calc_cute(&want))
                 : good || !strstr(err.message, why))
        atom_failed(source, good ? "another layout" : err.message, expected ? expected : why);
    lw_arena_free(&arena);
}

/* "names <tab> mma <tab> 16 8 16 <tab> A=layout <tab> ...", "names <tab> refused" or "unsized" */
static void check_atoms(char *line)
{
    char *names = field(&line), *kind = field(&line), *parts[9];
    const char *why = !strcmp(kind, "unsized") ? "number of bits" : "it may be";
    bool layouts = !strcmp(kind, "mma") || !strcmp(kind, "copy");
    int count = 0;
    if (layouts)
        field(&line);
    while (*line && count < 9)
        parts[count++] = field(&line);
    assert_true(layouts ? count >= 2 : count == 0);
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
        atom_names++;
        if (!layouts)
            check_part(name, strstr(name, "MMA") ? "A" : "Src", NULL, why);
        for (int i = 0; i < count; i++) {
            size_t length = strcspn(parts[i], "=");
            char part[8];
            snprintf(part, sizeof part, "%.*s", (int)length, parts[i]);
            check_part(name, part, parts[i] + length + 1, NULL);
        }
    }
}

static void atoms(void **state)
{
    (void)state;
    each("cute_atoms.tsv", check_atoms);
    assert_true(rows >= 500);
    assert_true(atom_names >= 2800);
}

/* AMD's matrix instructions, as its calculator prints them. */
static void amd_instructions(void **state)
{
    (void)state;
    atom_names = 0;
    each("amd_instructions.tsv", check_atoms);
    assert_int_equal(rows, 20);
    assert_int_equal(atom_names, 72);
    check_part("v_smfmac_f32_16x16x32_f16", "A", NULL, "indices of a sparse operand");
    check_part("rdna4::v_swmmac_f32_16x16x32_f16", "A", NULL, "indices of a sparse operand");
    check_part("v_wmma_f32_16x16x16_f16", "A", NULL, "write rdna3:: or rdna4:: before it");
}

/* Results of CDNA 4 are where AMDMfmaEncodingAttr of Triton has them; what is in the operands is not documented. */
static void cdna4_instructions(void **state)
{
    (void)state;
    static const char *const wide[] = {"v_mfma_f32_32x32x16_bf16", "v_mfma_i32_32x32x32_i8",
                                       "v_mfma_scale_f32_32x32x64_f8f6f4",
                                       "v_smfmac_f32_32x32x64_bf8_fp8"};
    static const char *const narrow[] = {"v_mfma_f32_16x16x32_f16", "v_mfma_i32_16x16x64_i8",
                                         "v_mfma_f32_16x16x128_f8f6f4",
                                         "v_smfmac_i32_16x16x128_i8"};
    for (int i = 0; i < 4; i++) {
        check_part(wide[i], "C", "((32,2),(4,4)):((32,4),(1,8))", NULL);
        check_part(narrow[i], "C", "((16,4),4):((16,4),1)", NULL);
        check_part(wide[i], "B", NULL, "the order of K in its registers");
        check_part(narrow[i], "A", NULL,
                   i == 3 ? "indices of a sparse operand" : "the order of K in its registers");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(witnesses),        cmocka_unit_test(python),
        cmocka_unit_test(without_static),   cmocka_unit_test(derivations),
        cmocka_unit_test(left_inverses),    cmocka_unit_test(atoms),
        cmocka_unit_test(amd_instructions), cmocka_unit_test(cdna4_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
