/* json and csv as data: loaded as `laneway help data` describes them, and each number compared with the map. */

#include "view_help.h"

#include <cJSON.h>

#include <string.h>

static const char *const sources[] = {
    "local(2, 1).spatial(4, 8)",
    "reduce(spatial(3, 4), dims=[0])",
    "tensor<16x32xf16, #ttg.blocked<{sizePerThread=[1,2], threadsPerWarp=[4,8], "
    "warpsPerCTA=[2,1], order=[1,0]}>>",
    "!ttg.memdesc<8x64xf16, #ttg.swizzled_shared<{vec=8, perPhase=1, maxPhase=8, order=[1,0]}>, "
    "#smem>",
    "(3,5):(5,1)",
    "{\"in\":[[\"register\",2],[\"lane\",2]],\"out\":[[\"dim0\",8]],\"bases\":{\"register\":[[1]],"
    "\"lane\":[[4]]}}"};

static const char *string_of(const cJSON *object, const char *name)
{
    const cJSON *member = cJSON_GetObjectItem(object, name);
    if (!cJSON_IsString(member))
        fail_msg("no string '%s'", name);
    return member->valuestring;
}

static int position(const cJSON *fields, const char *name)
{
    for (int i = 0; i < cJSON_GetArraySize(fields); i++)
        if (!strcmp(cJSON_GetArrayItem(fields, i)->valuestring, name))
            return i;
    return -1;
}

/* The numbers of the dims in a list of values. */
static void read_index(const struct lw_dims *dims, const cJSON *fields, const cJSON *values,
                       uint64_t *index)
{
    for (int i = 0; i < dims->count; i++) {
        int at = position(fields, dims->dim[i].name);
        assert_true(at >= 0);
        index[i] = (uint64_t)cJSON_GetArrayItem(values, at)->valuedouble;
    }
}

/* Each owner that is listed holds the element, and all of them are listed. */
static uint64_t check_cell(const struct lw_map *map, const cJSON *fields, const cJSON *owners)
{
    uint64_t count = 0, in[LW_DIMS_MAX], out[LW_DIMS_MAX], there[LW_DIMS_MAX];
    const cJSON *owner;
    cJSON_ArrayForEach(owner, owners)
    {
        assert_int_equal(cJSON_GetArraySize(owner), cJSON_GetArraySize(fields));
        int first = position(fields, map->in.dim[0].name);
        read_index(&map->out, fields, owner, out);
        if (cJSON_IsNull(cJSON_GetArrayItem(owner, first)))
            continue;
        read_index(&map->in, fields, owner, in);
        assert_true(lw_map_apply(map, in, there));
        assert_memory_equal(there, out, (size_t)map->out.count * sizeof *out);
        count++;
    }
    assert_int_equal(count, count ? lw_map_owner_count(map, out) : 0);
    return count;
}

static void test_json(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct lw_view view;
        const struct lw_subject *subject = subject_of(sources[i]);
        view_open(&view, "owners", subject, NULL);
        char *printed = exported(&view, "json", NULL, NULL);
        cJSON *object = cJSON_Parse(printed);
        assert_int_equal(cJSON_GetObjectItem(object, "version")->valueint, 1);
        assert_string_equal(string_of(object, "view"), "owners");
        assert_string_equal(string_of(object, "target"), "sm90");
        assert_string_equal(string_of(object, "source"), subject->head);
        int rank = cJSON_GetArraySize(cJSON_GetObjectItem(object, "shape"));
        assert_int_equal(rank, subject->map.out.count);
        const cJSON *fields = cJSON_GetObjectItem(object, "fields"), *row, *cell;
        const cJSON *color = cJSON_GetObjectItem(object, "color");
        int colors = cJSON_GetArraySize(cJSON_GetObjectItem(object, "colors"));
        uint64_t owners = 0, total;
        cJSON_ArrayForEach(row, cJSON_GetObjectItem(object, "values"))
        {
            cJSON_ArrayForEach(cell, row) owners += check_cell(&subject->map, fields, cell);
        }
        assert_true(lw_dims_total(&subject->map.in, &total, NULL));
        assert_int_equal(owners, total);
        cJSON_ArrayForEach(row, color)
        {
            cJSON_ArrayForEach(cell, row)
                assert_true(cJSON_IsNull(cell) || (cell->valueint >= 0 && cell->valueint < colors));
        }
        cJSON_Delete(object);
        free(printed);
    }
}

/* The next field of a record, its end replaced by NUL; quotes are taken off. */
static char *next_field(char **at)
{
    char *field = *at, *end = field;
    if (*field == '"') {
        end = strchr(++field, '"');
        *end++ = '\0';
    } else {
        end += strcspn(end, ",\r");
    }
    *at = *end == ',' ? end + 1 : end;
    if (*end == '\r')
        *at = end + 1;
    *end = '\0';
    return field;
}

static void test_tidy(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct lw_view view;
        const struct lw_subject *subject = subject_of(sources[i]);
        const struct lw_map *map = &subject->map;
        const struct lw_export_options options = {.tidy = true};
        view_open(&view, "owners", subject, NULL);
        char *printed = exported(&view, "csv", &options, NULL), *names[LW_FIELDS_MAX + 3];
        size_t count = 0;
        uint64_t owners = 0, total;
        char *at = printed;
        while (*at != '\n')
            names[count++] = next_field(&at);
        assert_string_equal(names[0], "row_label");
        for (at++; *at; at++) {
            uint64_t value[LW_FIELDS_MAX] = {0}, in[LW_DIMS_MAX], out[LW_DIMS_MAX];
            bool has[LW_FIELDS_MAX] = {false};
            for (size_t k = 0; k < count; k++) {
                char *text = next_field(&at);
                has[k] = *text != '\0';
                value[k] = strtoull(text, NULL, 10);
            }
            assert_int_equal(*at, '\n');
            if (!has[3]) /* the first dim of the hardware: nothing has this element */
                continue;
            for (int d = 0; d < map->in.count; d++)
                in[d] = value[3 + d];
            assert_true(lw_map_apply(map, in, out));
            for (int d = 0; d < map->out.count; d++) {
                assert_string_equal(names[3 + map->in.count + d], map->out.dim[d].name);
                assert_int_equal(value[3 + map->in.count + d], out[d]);
            }
            owners++;
        }
        assert_true(lw_dims_total(&map->in, &total, NULL));
        assert_int_equal(owners, total);
        free(printed);
    }
}

static int finish(void **unused)
{
    (void)unused;
    subject_end();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_json), cmocka_unit_test(test_tidy)};
    return cmocka_run_group_tests(tests, NULL, finish);
}
