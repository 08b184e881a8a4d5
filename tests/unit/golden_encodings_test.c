/* Every encoding against Triton: the same bases, in the same order, of the same sizes. The rows are
 * those of tests/golden/triton36_encodings.jsonl, triton37_encodings.jsonl and
 * triton37_memory.jsonl. */

#include "golden.h"

#include "laneway/document.h"

static int rows, failures;

/* Says the first few differences and counts the rest. */
static bool differs(const char *what, const char *line)
{
    if (failures++ < 5)
        print_error("%s: %.900s\n", what, line);
    return false;
}

static bool same_basis(const struct lw_layout *layout, int dim, int bit, const cJSON *basis)
{
    uint64_t image[LW_DIMS_MAX];
    lw_layout_basis(layout, dim, bit, image);
    if (cJSON_GetArraySize(basis) != layout->out.count)
        return false;
    for (int o = 0; o < layout->out.count; o++)
        if ((double)image[o] != cJSON_GetArrayItem(basis, o)->valuedouble)
            return false;
    return true;
}

static bool same_bases(const struct lw_layout *layout, const cJSON *bases, const char *line)
{
    if (cJSON_GetArraySize(bases) != layout->in.count)
        return differs("other input dims", line);
    for (int d = 0; d < layout->in.count; d++) {
        const cJSON *list = cJSON_GetArrayItem(bases, d);
        if (strcmp(list->string, layout->in.dim[d].name))
            return differs("other input dims", line);
        if (cJSON_GetArraySize(list) != lw_layout_in_log2(layout, d))
            return differs("another size", line);
        for (int i = 0; i < lw_layout_in_log2(layout, d); i++)
            if (!same_basis(layout, d, i, cJSON_GetArrayItem(list, i)))
                return differs("another basis", line);
    }
    return true;
}

static bool same_shape(const struct lw_layout *layout, const struct lw_tensor *tensor,
                       const char *line)
{
    for (int d = 0; d < tensor->rank; d++)
        if (layout->out.count != tensor->rank || layout->out.dim[d].size != tensor->shape[d])
            return differs("another shape", line);
    return true;
}

static void compare(const char *source, const cJSON *bases, const char *line)
{
    struct lw_document doc;
    struct lw_map map;
    struct lw_layout layout;
    struct lw_error err = {0};
    rows++;
    if (!lw_document_read(&doc, source, strlen(source), NULL, &err)) {
        differs(err.message, line);
        return;
    }
    if (!lw_document_build(&doc, &map, &err) || !lw_map_to_layout(&map, &layout, &err))
        differs(err.message, line);
    else if (same_bases(&layout, bases, line))
        same_shape(&layout, &doc.tensor, line);
    lw_document_free(&doc);
}

static void compare_row(const cJSON *row, const char *line)
{
    const cJSON *bases = cJSON_GetObjectItem(row, "bases");
    if (bases)
        compare(cJSON_GetObjectItem(row, "source")->valuestring, bases, line);
}

static void compare_file(const char *file, int least)
{
    rows = failures = 0;
    golden_each(file, compare_row);
    assert_int_equal(failures, 0);
    assert_true(rows >= least);
}

static void triton36(void **state)
{
    (void)state;
    compare_file("triton36_encodings.jsonl", 1636);
}

static void triton37(void **state)
{
    (void)state;
    compare_file("triton37_encodings.jsonl", 5000);
}

/* Tensor memory; what is padded has no bases and is compared in padded_test. */
static void memory37(void **state)
{
    (void)state;
    compare_file("triton37_memory.jsonl", 126);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triton36),
        cmocka_unit_test(triton37),
        cmocka_unit_test(memory37),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
