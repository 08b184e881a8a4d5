/* Values as people type them into a form: "path=value" is set in a document of each kind. */

#include "fuzz_reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A value that was read prints as one that reads as the same. */
static void read_value(const char *text)
{
    struct lw_arena arena = {0};
    struct lw_value value, again;
    struct lw_error err = {0};
    struct lw_text printed = {0}, twice = {0};
    if (!lw_value_read(&arena, text, &value, &err)) {
        check_error(&err);
    } else if (value.kind != LW_VALUE_ENCODING) {
        lw_value_print(&printed, &value);
        must(lw_value_read(&arena, lw_text_string(&printed), &again, &err));
        lw_value_print(&twice, &again);
        must(strcmp(lw_text_string(&printed), lw_text_string(&twice)) == 0);
    }
    lw_text_free(&printed);
    lw_text_free(&twice);
    lw_arena_free(&arena);
}

static void set_values(const char *name, const char *value)
{
    static const char *const sources[] = {
        "reduce(local(2, 1).spatial(8, 4), dims=[0])", "spatial(2, 3, ranks=[1, 0])",
        "tensor<16x16xf16, #ttg.linear<{register = [[0, 1]], lane = [[1, 0]]}>>",
        ("tensor<16xf32, #ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [1, 1], "
         "threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>}>>")};
    static struct lw_document opened[sizeof sources / sizeof *sources]; /* once */
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct lw_document doc;
        struct lw_error err = {0};
        must(opened[i].encoding || lw_document_open(&opened[i], sources[i], NULL, &err));
        must(lw_document_copy(&doc, &opened[i], &err));
        if (lw_document_set(&doc, name, value, &err))
            check_document(&doc);
        else
            check_error(&err);
        lw_document_free(&doc);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_text text = {0};
    lw_text_bytes(&text, (const char *)data, size);
    char *equals = text.data ? strchr(text.data, '=') : NULL;
    if (equals) {
        *equals = '\0';
        read_value(equals + 1);
        /* A value that names a file would be opened. */
        if (!strchr(equals + 1, '/') && !strstr(equals + 1, ".json"))
            set_values(text.data, equals + 1);
    }
    lw_text_free(&text);
    return 0;
}
