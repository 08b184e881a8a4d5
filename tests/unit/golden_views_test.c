/* Grids against tilus's own printer, and the style `triton` against Triton's. */

#include "golden.h"
#include "view_help.h"

static int seen;

static const char *word(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    return item ? item->valuestring : NULL;
}

static void compare(const struct lw_view *view, const char *style, bool head, const char *text,
                    const char *end, const char *line)
{
    struct lw_export_options options = {.style = style, .labels = true, .head = head};
    struct lw_error err = {0};
    char *printed = exported(view, "text", &options, &err);
    if (!printed)
        fail_msg("%.300s: %s", line, err.message);
    size_t length = strlen(text);
    if (strncmp(printed, text, length) != 0 || strcmp(printed + length, end) != 0)
        fail_msg("%.300s\nwitness:\n%s\nhere:\n%s", line, text, printed);
    free(printed);
    seen++;
}

static void tilus_row(const cJSON *object, const char *line)
{
    struct lw_view view;
    view_open(&view, "owners", subject_of(word(object, "source")), NULL);
    compare(&view, word(object, "style"), true, word(object, "text"), "\n", line);
}

/* FNV-1a of 64 bits, as tests/oracle/tilus_golden.py makes it. */
static uint64_t digest(const char *text, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3;
    return hash;
}

/* The digest is of the text without its last line's end. */
static void digest_row(const cJSON *object, const char *line)
{
    struct lw_view view;
    struct lw_export_options options = {.labels = true, .head = true};
    struct lw_error err = {0};
    view_open(&view, "owners", subject_of(word(object, "source")), NULL);
    char *printed = exported(&view, "text", &options, &err);
    if (!printed)
        fail_msg("%.300s: %s", line, err.message);
    if (digest(printed, strlen(printed) - 1) != strtoull(word(object, "digest"), NULL, 16))
        fail_msg("%.300s\nhere:\n%s", line, printed);
    free(printed);
    seen++;
}

static void test_tilus(void **unused)
{
    (void)unused;
    seen = 0;
    golden_each("tilus_doc.jsonl", tilus_row);
    assert_int_equal(seen, 11);
    golden_each("tilus_random.jsonl", tilus_row);
    golden_each("tilus_more.jsonl", tilus_row);
    golden_each("tilus_styles.jsonl", tilus_row);
    golden_each("tilus_shared.jsonl", tilus_row);
    assert_true(seen > 300);
    golden_each("tilus_digest.jsonl", digest_row);
    assert_true(seen > 3500);
}

static void triton_row(const cJSON *object, const char *line)
{
    struct lw_view view;
    view_open(&view, word(object, "view"), subject_of(word(object, "source")), NULL);
    compare(&view, "triton", false, word(object, "text"), "", line);
}

static void test_triton(void **unused)
{
    (void)unused;
    seen = 0;
    golden_each("triton_views.jsonl", triton_row);
    golden_each("triton38_views.jsonl", triton_row);
    golden_each("triton39_views.jsonl", triton_row);
    assert_true(seen > 100);
}

static void algebra_row(const cJSON *object, const char *line)
{
    static const char *const views[][2] = {{"view_d", "owners"},
                                           {"view_dh", "hardware"},
                                           {"view_s", "memory"},
                                           {"view_sh", "hardware"}};
    const char *name = NULL;
    for (size_t i = 0; i < 4; i++)
        if (!strcmp(word(object, "op"), views[i][0]))
            name = views[i][1];
    if (!name)
        return;
    char *source =
        cJSON_PrintUnformatted(cJSON_GetArrayItem(cJSON_GetObjectItem(object, "args"), 0));
    struct lw_view view;
    view_open(&view, name, subject_of(source), NULL);
    compare(&view, "triton", false, word(object, "result"), "", line);
    free(source);
}

static void test_algebra(void **unused)
{
    (void)unused;
    seen = 0;
    golden_each("triton36_algebra.jsonl", algebra_row);
    assert_int_equal(seen, 91 + 90 + 84 + 88);
}

static int finish(void **unused)
{
    (void)unused;
    subject_end();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tilus),
        cmocka_unit_test(test_triton),
        cmocka_unit_test(test_algebra),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
