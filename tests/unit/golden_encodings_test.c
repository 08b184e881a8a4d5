/* Every encoding against Triton: the same bases, in the same order, of the same sizes. The rows are
 * those of tests/golden/triton36_encodings.jsonl, triton37_encodings.jsonl,
 * triton36_wmma.jsonl, triton37_memory.jsonl, triton38_encodings.jsonl, triton39_encodings.jsonl and
 * triton39_blocks.jsonl. */

#include "golden.h"

#include "laneway/document.h"

static int rows, failures;

/* Prints the first few differences and counts the rest. */
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

/* `shape` is that of the row, where it is not the tensor's. */
static bool same_shape(const struct lw_layout *layout, const struct lw_tensor *tensor,
                       const cJSON *shape, const char *line)
{
    for (int d = 0; d < tensor->rank; d++) {
        uint64_t size =
            shape ? (uint64_t)cJSON_GetArrayItem(shape, d)->valuedouble : tensor->shape[d];
        if (layout->out.count != tensor->rank || layout->out.dim[d].size != size)
            return differs("another shape", line);
    }
    return true;
}

static void compare(const cJSON *row, const cJSON *bases, const char *line)
{
    const char *source = cJSON_GetObjectItem(row, "source")->valuestring;

    struct lw_document doc;
    struct lw_map map;
    struct lw_layout layout;
    struct lw_error err = {0};
    rows++;
    if (!lw_document_read(&doc, source, strlen(source), golden_options(), &err)) {
        differs(err.message, line);
        return;
    }
    if (!lw_document_build(&doc, &map, &err) || !lw_map_to_layout(&map, &layout, &err))
        differs(err.message, line);
    else if (same_bases(&layout, bases, line))
        same_shape(&layout, &doc.tensor, cJSON_GetObjectItem(row, "shape"), line);
    lw_document_free(&doc);
}

/* ---- Padding ---- */

/* The offset of an element after its padding, by the definition of Triton's documentation. */
static uint64_t padded(const cJSON *row, uint64_t offset)
{
    const cJSON *intervals = cJSON_GetObjectItem(row, "intervals");
    const cJSON *paddings = cJSON_GetObjectItem(row, "paddings");
    uint64_t to = offset;
    for (int i = 0; i < cJSON_GetArraySize(intervals); i++)
        to += offset / (uint64_t)cJSON_GetArrayItem(intervals, i)->valueint *
              (uint64_t)cJSON_GetArrayItem(paddings, i)->valueint;
    return to;
}

/* What the bits of a number move, xored into `element`. */
static void move(const cJSON *bases, uint64_t bits, uint64_t *element)
{
    for (int b = 0; bits >> b; b++)
        for (int d = 0; (bits >> b & 1) && d < cJSON_GetArraySize(cJSON_GetArrayItem(bases, b));
             d++)
            element[d] ^= (uint64_t)cJSON_GetArrayItem(cJSON_GetArrayItem(bases, b), d)->valueint;
}

static bool same_padding(const struct lw_map *map, const cJSON *row, const char *line)
{
    const cJSON *linear = cJSON_GetObjectItem(row, "linear");
    const cJSON *offsets = cJSON_GetObjectItem(linear, "offset");
    const cJSON *blocks = cJSON_GetObjectItem(linear, "block");
    uint64_t size = (uint64_t)1 << cJSON_GetArraySize(offsets), found = 0;
    if (map->in.count != 2 || map->in.dim[0].size != padded(row, size - 1) + 1 ||
        map->in.dim[1].size != (uint64_t)1 << cJSON_GetArraySize(blocks))
        return differs("another size", line);
    for (uint64_t block = 0; block < map->in.dim[1].size; block++)
        for (uint64_t offset = 0; offset < size; offset++) {
            uint64_t expected[LW_DIMS_MAX] = {0}, element[LW_DIMS_MAX] = {0}, owner[2];
            uint64_t in[2] = {padded(row, offset), block};
            move(offsets, offset, expected);
            move(blocks, block, expected);
            if (!lw_map_apply(map, in, element) || memcmp(element, expected, sizeof element))
                return differs("another element", line);
            if (!lw_map_owner(map, element, 0, owner) || memcmp(owner, in, sizeof in))
                return differs("another owner", line);
        }
    for (uint64_t p = 0; p < map->in.dim[0].size; p++) {
        uint64_t in[2] = {p, 0}, element[LW_DIMS_MAX];
        found += lw_map_apply(map, in, element);
    }
    return found == size || differs("holes that are none", line);
}

static void compare_padded(const cJSON *row, const char *line)
{
    const char *source = cJSON_GetObjectItem(row, "source")->valuestring;
    struct lw_document doc;
    struct lw_map map;
    struct lw_error err = {0};
    rows++;
    if (!lw_document_read(&doc, source, strlen(source), golden_options(), &err)) {
        differs(err.message, line);
        return;
    }
    if (!lw_document_build(&doc, &map, &err))
        differs(err.message, line);
    else
        same_padding(&map, row, line);
    lw_document_free(&doc);
}

static void compare_row(const cJSON *row, const char *line)
{
    const cJSON *bases = cJSON_GetObjectItem(row, "bases");
    if (cJSON_GetObjectItem(row, "linear"))
        compare_padded(row, line);
    if (bases)
        compare(row, bases, line);
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
    compare_file("triton36_wmma.jsonl", 300);
}

static void triton37(void **state)
{
    (void)state;
    compare_file("triton37_encodings.jsonl", 5000);
}

static void triton38(void **state)
{
    (void)state;
    compare_file("triton38_encodings.jsonl", 450);
}

static void triton39(void **state)
{
    (void)state;
    compare_file("triton39_encodings.jsonl", 450);
    compare_file("triton39_blocks.jsonl", 60);
}

/* Padded shared memory and tensor memory. */
static void memory37(void **state)
{
    (void)state;
    compare_file("triton37_memory.jsonl", 400);
}

/* Scales of scaled products. */
static void scales37(void **state)
{
    (void)state;
    compare_file("triton37_scales.jsonl", 600);
    compare_file("triton_unit_scales.jsonl", 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triton36), cmocka_unit_test(triton37), cmocka_unit_test(triton38),
        cmocka_unit_test(triton39), cmocka_unit_test(memory37), cmocka_unit_test(scales37),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
