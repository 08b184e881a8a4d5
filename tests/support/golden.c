/* Golden files, read line by line. The tests run with LANEWAY_ROOT set; without it, from the root.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

static struct lw_open_options options;

const struct lw_open_options *golden_options(void)
{
    return &options;
}

static void read_header(const cJSON *object)
{
    const char *witness = cJSON_GetStringValue(cJSON_GetObjectItem(object, "witness"));
    const char *version = strstr(witness, "triton ");
    options.triton.version = LW_TRITON_UNSET;
    if (version)
        assert_true(lw_triton_find(&options.triton.version, version + strlen("triton "), NULL));
}

FILE *golden_open(const char *file)
{
    const char *root = getenv("LANEWAY_ROOT");
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/golden/%s", root ? root : ".", file);
    FILE *input = fopen(path, "r");
    if (!input)
        fail_msg("cannot open %s", path);
    return input;
}

char *golden_line(FILE *file)
{
    static char *line;
    static size_t room;
    if (getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        return line;
    }
    free(line);
    line = NULL;
    room = 0;
    fclose(file);
    return NULL;
}

static cJSON *parse(const char *line)
{
    cJSON *object = cJSON_Parse(line);
    if (!object)
        fail_msg("not JSON: %s", line);
    return object;
}

cJSON *golden_row(FILE *file)
{
    for (const char *line; (line = golden_line(file)) != NULL;) {
        cJSON *object = parse(line);
        if (!cJSON_GetObjectItem(object, "witness"))
            return object;
        cJSON_Delete(object);
    }
    return NULL;
}

char *golden_field(char **line, char separator)
{
    char *start = *line, *end = strchr(start, separator);
    if (end)
        *end = '\0';
    *line = end ? end + 1 : start + strlen(start);
    return start;
}

void golden_each(const char *file, void (*row)(const cJSON *object, const char *line))
{
    FILE *input = golden_open(file);
    options.triton.version = LW_TRITON_3_6;
    for (const char *line; (line = golden_line(input)) != NULL;) {
        cJSON *object = parse(line);
        if (cJSON_GetObjectItem(object, "witness"))
            read_header(object);
        else
            row(object, line);
        cJSON_Delete(object);
    }
    options.triton.version = LW_TRITON_UNSET;
}

static struct lw_dims golden_dims(const cJSON *list)
{
    struct lw_dims dims = {0};
    const cJSON *pair;
    cJSON_ArrayForEach(pair, list)
    {
        const cJSON *size = cJSON_GetArrayItem(pair, 1);
        assert_true(lw_dims_add(&dims, cJSON_GetArrayItem(pair, 0)->valuestring,
                                (uint64_t)size->valuedouble, NULL));
    }
    return dims;
}

struct lw_layout golden_layout(const cJSON *object)
{
    struct lw_layout layout;
    struct lw_dims in = golden_dims(cJSON_GetObjectItem(object, "in"));
    struct lw_dims out = golden_dims(cJSON_GetObjectItem(object, "out"));
    const cJSON *bases = cJSON_GetObjectItem(object, "bases");
    assert_true(lw_layout_of_dims(&layout, &in, &out, NULL));
    for (int d = 0; d < in.count; d++) {
        const cJSON *list = cJSON_GetObjectItem(bases, in.dim[d].name), *basis;
        int bit = 0;
        assert_int_equal(cJSON_GetArraySize(list), lw_layout_in_log2(&layout, d));
        cJSON_ArrayForEach(basis, list)
        {
            uint64_t image[LW_DIMS_MAX];
            for (int o = 0; o < out.count; o++)
                image[o] = (uint64_t)cJSON_GetArrayItem(basis, o)->valuedouble;
            assert_true(lw_layout_set_basis(&layout, d, bit++, image, NULL));
        }
    }
    return layout;
}

int64_t golden_number(const cJSON *row, const char *name, int at)
{
    const cJSON *item = cJSON_GetObjectItem(row, name);
    const cJSON *number = at < 0 ? item : cJSON_GetArrayItem(item, at);
    if (!cJSON_IsNumber(number))
        fail_msg("a row has no number %s[%d]", name, at);
    return (int64_t)number->valuedouble;
}
