/* The algebra against Triton's LinearLayout: tests/golden/triton36_algebra.jsonl and
 * triton37_algebra.jsonl, but for the rows of printed views. */

#include "golden.h"

#include "laneway/algebra.h"
#include "laneway/document.h"

struct operation {
    const char *name;
    bool (*agrees)(const cJSON *args, const cJSON *result);
    int rows; /* counted */
};

static struct lw_layout argument(const cJSON *args, int i)
{
    return golden_layout(cJSON_GetArrayItem(args, i));
}

static uint64_t number(const cJSON *args, int i)
{
    return (uint64_t)cJSON_GetArrayItem(args, i)->valuedouble;
}

static bool same(const struct lw_layout *layout, const cJSON *result)
{
    struct lw_layout expected = golden_layout(result);
    return lw_layout_equal(layout, &expected);
}

typedef bool binary(struct lw_layout *out, const struct lw_layout *a, const struct lw_layout *b,
                    struct lw_error *err);
typedef bool unary(struct lw_layout *out, const struct lw_layout *a, struct lw_error *err);

static bool agrees2(binary *function, const cJSON *args, const cJSON *result)
{
    struct lw_layout a = argument(args, 0), b = argument(args, 1), out;
    return function(&out, &a, &b, NULL) && same(&out, result);
}

static bool agrees1(unary *function, const cJSON *args, const cJSON *result)
{
    struct lw_layout a = argument(args, 0), out;
    return function(&out, &a, NULL) && same(&out, result);
}

static bool mul(const cJSON *args, const cJSON *result)
{
    return agrees2(lw_layout_product, args, result);
}

static bool compose(const cJSON *args, const cJSON *result)
{
    return agrees2(lw_layout_compose, args, result);
}

static bool invert_and_compose(const cJSON *args, const cJSON *result)
{
    struct lw_layout a = argument(args, 0), b = argument(args, 1), out;
    return lw_layout_invert_and_compose(&out, &a, &b, LW_IDENTITY_SIZED, NULL) &&
           same(&out, result);
}

static bool invert(const cJSON *args, const cJSON *result)
{
    return agrees1(lw_layout_invert, args, result);
}

static bool pseudoinvert(const cJSON *args, const cJSON *result)
{
    return agrees1(lw_layout_pseudoinvert, args, result);
}

static bool truth(const cJSON *object, const char *name)
{
    return cJSON_IsTrue(cJSON_GetObjectItem(object, name));
}

/* Triton's matrix has its rows as the bits of the outputs. */
static bool same_matrix(const struct lw_layout *layout, const cJSON *rows)
{
    struct lw_matrix m;
    lw_layout_matrix(layout, &m);
    if (m.cols > 0 && cJSON_GetArraySize(rows) != m.rows)
        return false;
    for (int r = 0; r < m.rows && m.cols > 0; r++)
        for (int c = 0; c < m.cols; c++)
            if ((m.column[c] >> r & 1) != number(cJSON_GetArrayItem(rows, r), c))
                return false;
    return true;
}

static bool props(const cJSON *args, const cJSON *result)
{
    struct lw_layout a = argument(args, 0);
    return lw_layout_is_surjective(&a) == truth(result, "surjective") &&
           lw_layout_is_injective(&a) == truth(result, "injective") &&
           lw_layout_is_invertible(&a) == truth(result, "invertible") &&
           same_matrix(&a, cJSON_GetObjectItem(result, "matrix"));
}

/* Triton's text names its layout, with its lines or without. */
static bool reads_back(const char *text, const struct lw_layout *layout)
{
    struct lw_document doc;
    struct lw_map map;
    struct lw_layout again;
    if (!lw_document_read(&doc, text, strlen(text), NULL, NULL))
        return false;
    bool good = lw_document_build(&doc, &map, NULL) && lw_map_to_layout(&map, &again, NULL) &&
                lw_layout_equal(layout, &again);
    lw_document_free(&doc);
    return good;
}

static bool reads_back_twice(char *text, const struct lw_layout *layout)
{
    bool good = reads_back(text, layout);
    for (char *c = text; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    return reads_back(text, layout) && good;
}

static bool tostring(const cJSON *args, const cJSON *result)
{
    struct lw_layout a = argument(args, 0);
    struct lw_text text = {0};
    lw_layout_print(&text, &a);
    bool good = !strcmp(lw_text_string(&text), result->valuestring);
    good = good && reads_back_twice(result->valuestring, &a);
    lw_text_free(&text);
    return good;
}

static bool identity(const cJSON *args, const cJSON *result)
{
    struct lw_layout out;
    return lw_layout_identity(&out, number(args, 0), "lane", "dim0", NULL) && same(&out, result);
}

static bool strided(const cJSON *args, const cJSON *result)
{
    struct lw_layout out;
    return lw_layout_strided(&out, number(args, 0), number(args, 1), "lane", "dim0", NULL) &&
           same(&out, result);
}

static bool zeros(const cJSON *args, const cJSON *result)
{
    struct lw_layout out;
    return lw_layout_zeros(&out, number(args, 0), "lane", "dim0", number(args, 1), NULL) &&
           same(&out, result);
}

/* The bases alone give the sizes back. */
static bool infer(const cJSON *args, const cJSON *result)
{
    struct lw_layout a = argument(args, 0), out;
    const char *names[LW_DIMS_MAX];
    uint64_t images[LW_BITS_MAX * LW_DIMS_MAX];
    for (int o = 0; o < a.out.count; o++)
        names[o] = a.out.dim[o].name;
    for (int i = 0; i < lw_layout_in_bits(&a); i++)
        lw_dims_unflatten(&a.out, a.basis[i], images + i * a.out.count);
    return lw_layout_infer(&out, &a.in, names, a.out.count, images, NULL) && same(&out, result);
}

static bool apply(const cJSON *args, const cJSON *result)
{
    struct lw_layout a = argument(args, 0);
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX];
    for (int d = 0; d < a.in.count; d++)
        in[d] = (uint64_t)cJSON_GetObjectItem(cJSON_GetArrayItem(args, 1), a.in.dim[d].name)
                    ->valuedouble;
    lw_layout_apply(&a, in, out);
    for (int d = 0; d < a.out.count; d++)
        if ((double)out[d] != cJSON_GetObjectItem(result, a.out.dim[d].name)->valuedouble)
            return false;
    return true;
}

static struct operation operations[] = {
    {"mul", mul, 0},
    {"compose", compose, 0},
    {"invert", invert, 0},
    {"pseudoinvert", pseudoinvert, 0},
    {"invert_and_compose", invert_and_compose, 0},
    {"props", props, 0},
    {"tostring", tostring, 0},
    {"identity", identity, 0},
    {"strided", strided, 0},
    {"zeros", zeros, 0},
    {"infer", infer, 0},
    {"apply", apply, 0},
};

#define OPERATIONS (sizeof operations / sizeof *operations)

static int failures;

static void check_row(const cJSON *row, const char *line)
{
    const char *op = cJSON_GetObjectItem(row, "op")->valuestring;
    for (size_t i = 0; i < OPERATIONS; i++) {
        if (strcmp(operations[i].name, op))
            continue;
        operations[i].rows++;
        if (!operations[i].agrees(cJSON_GetObjectItem(row, "args"),
                                  cJSON_GetObjectItem(row, "result")) &&
            failures++ < 5)
            print_error("differs: %.900s\n", line);
        return;
    }
    if (strncmp(op, "view_", 5))
        fail_msg("no test for %s", op);
}

static void check_file(const char *file, int but_apply)
{
    failures = 0;
    for (size_t i = 0; i < OPERATIONS; i++)
        operations[i].rows = 0;
    golden_each(file, check_row);
    assert_int_equal(failures, 0);
    for (size_t i = 0; i < OPERATIONS - (size_t)but_apply; i++)
        assert_true(operations[i].rows >= 10);
}

static void triton36(void **state)
{
    (void)state;
    check_file("triton36_algebra.jsonl", 1);
}

static void triton37(void **state)
{
    (void)state;
    check_file("triton37_algebra.jsonl", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triton36),
        cmocka_unit_test(triton37),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
