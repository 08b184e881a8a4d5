/* The gallery: names, near names, kernels, titles. */

#include "notation_help.h"

#include "laneway/kernel.h"

#include <cJSON.h>

static void test_find(void **unused)
{
    (void)unused;
    size_t count;
    const struct lw_gallery_entry *all = lw_gallery(&count);
    assert_true(count >= 20);
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(lw_gallery_find(all[i].name, NULL), &all[i]);
        if (i)
            assert_true(strcmp(all[i - 1].name, all[i].name) < 0);
    }
}

/* The kernels of the gallery are what Triton wrote, and open by name as files do. */
static void test_kernels(void **unused)
{
    (void)unused;
    size_t count;
    const struct lw_gallery_entry *all = lw_gallery_kernels(&count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        char path[128];
        struct lw_kernel kernel, golden;
        struct lw_error err;
        snprintf(path, sizeof path, "tests/golden/ttgir/%s", strrchr(all[i].name, '/') + 1);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        for (const char *p = all[i].text; *p; p++)
            assert_int_equal(*p, fgetc(file));
        assert_int_equal(fgetc(file), EOF);
        fclose(file);
        assert_true(lw_kernel_is_dump(all[i].name));
        assert_true(lw_kernel_open(&kernel, all[i].name, NULL, &err));
        assert_true(lw_kernel_open(&golden, path, NULL, &err));
        assert_int_equal(kernel.operation_count, golden.operation_count);
        lw_kernel_free(&kernel);
        lw_kernel_free(&golden);
    }
    refused("kernels/none.ttgir", "kernels/none.ttgir: No such file or directory\n");
}

static void test_open(void **unused)
{
    (void)unused;
    struct lw_document doc;
    open_source(&doc, "tilus/spatial-3x2");
    assert_int_equal(doc.notation, LW_NOTATION_NAME);
    assert_string_equal(doc.name, "tilus/spatial-3x2");
    round_trip(&doc);
    lw_document_free(&doc);
    open_source(&doc, " tilus/spatial-3x2\n");
    lw_document_free(&doc);
    open_source(&doc, "{\"source\": \"tilus/spatial-3x2\", \"title\": \"mine\"}");
    assert_string_equal(doc.title, "mine");
    assert_true(doc.about[0] != '\0');
    round_trip(&doc);
    lw_document_free(&doc);
}

static void near(const char *name, const char *expected)
{
    struct lw_error err;
    assert_null(lw_gallery_find(name, &err));
    assert_int_equal(err.code, LW_ERROR_NAME);
    if (!strstr(err.message, expected))
        fail_msg("%s: no %s in: %s", name, expected, err.message);
}

static void test_near(void **unused)
{
    (void)unused;
    near("tilus/spatial3x2", "'tilus/spatial3x2' is neither a layout nor a name in the gallery; "
                             "did you mean 'tilus/spatial-3x2'?");
    near("start/16x15", "start/16x16");
    near("zzzzzzzzzzzzzzzz", "; 'laneway list' lists the names");
    refused("tilus/spatial-3x2.json", "tilus/spatial-3x2.json: No such file or directory\n");
}

/* A name of any length is refused in a message of its own size. */
static void test_long(void **unused)
{
    (void)unused;
    char name[1000];
    struct lw_error err;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_null(lw_gallery_find(name, &err));
    assert_null(lw_gallery_find("/", &err));
    assert_null(lw_gallery_find("", &err));
}

static void test_titles(void **unused)
{
    (void)unused;
    size_t count;
    const struct lw_gallery_entry *all = lw_gallery(&count);
    for (size_t i = 0; i < count; i++) {
        cJSON *object = cJSON_Parse(all[i].text);
        const char *expected = cJSON_GetStringValue(cJSON_GetObjectItem(object, "title"));
        assert_non_null(expected);
        assert_string_equal(all[i].title, expected);
        cJSON_Delete(object);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find), cmocka_unit_test(test_kernels), cmocka_unit_test(test_open),
        cmocka_unit_test(test_near), cmocka_unit_test(test_long),    cmocka_unit_test(test_titles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
