/* Layouts whose strides are along axes, of one mode and of three or more, are the values of one thread: value i has the
 * coordinate that the CuTe DSL gives element i (tests/golden/cute_coordinates.tsv). */

#include "golden.h"

#include <string.h>

static void check_row(const char *layout, char *points)
{
    struct lw_document doc;
    struct lw_map map;
    uint64_t value = 0;
    assert_true(lw_document_open(&doc, layout, NULL, NULL));
    assert_true(lw_document_build(&doc, &map, NULL));
    for (; *points; value++) {
        uint64_t in[LW_DIMS_MAX] = {value}, out[LW_DIMS_MAX];
        const char *point = golden_field(&points, ' ');
        struct lw_text got = {0};
        assert_true(lw_map_apply(&map, in, out));
        for (int d = 0; d < map.out.count; d++)
            lw_text_format(&got, "%s%llu", d ? "," : "", (unsigned long long)out[d]);
        if (strcmp(lw_text_string(&got), point))
            fail_msg("%s: value %llu is at %s, not at %s", layout, (unsigned long long)value,
                     lw_text_string(&got), point);
        lw_text_free(&got);
    }
    assert_int_equal(value, map.in.dim[0].size);
    lw_document_free(&doc);
}

static void values_have_their_coordinates(void **state)
{
    (void)state;
    FILE *file = golden_open("cute_coordinates.tsv");
    int rows = 0;
    for (char *line; (line = golden_line(file)); rows++) {
        const char *layout = golden_field(&line, '\t');
        check_row(layout, line);
    }
    assert_int_equal(rows, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_have_their_coordinates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
