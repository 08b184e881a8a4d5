/* Markers of documents, of each kind of file: pairs come in order and lie within the text, and what is put
 * between them does not hide them. */

#include "cli/docs/markers.h"
#include "fuzz_reading.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t count_pairs(const char *path, const char *text, size_t size, bool *whole)
{
    struct lw_markers markers;
    struct lw_block pair;
    struct lw_error err;
    size_t line = 0, last = 0, count = 0;
    const char *end = text;
    lw_markers_start(&markers, path, text, size);
    for (; lw_markers_next(&markers, &pair, &line, &err); count++) {
        must(pair.line > last && pair.command.at >= end && pair.between.at > pair.command.at);
        must(pair.between.at + pair.between.length <= text + size);
        must(!pair.between.length || pair.between.at[pair.between.length - 1] == '\n');
        last = pair.line;
        end = pair.between.at + pair.between.length;
    }
    *whole = err.code == LW_OK;
    if (!*whole) {
        must(line > last);
        check_error(&err);
    }
    return count;
}

/* The same text with nothing between the markers. */
static size_t count_emptied(const char *path, const char *text, size_t size)
{
    struct lw_markers markers;
    struct lw_block pair;
    struct lw_error err;
    struct lw_text emptied = {0};
    size_t line;
    bool whole;
    const char *copied = text;
    lw_markers_start(&markers, path, text, size);
    while (lw_markers_next(&markers, &pair, &line, &err)) {
        lw_text_bytes(&emptied, copied, (size_t)(pair.between.at - copied));
        copied = pair.between.at + pair.between.length;
    }
    lw_text_bytes(&emptied, copied, (size_t)(text + size - copied));
    size_t count = count_pairs(path, lw_text_string(&emptied), emptied.length, &whole);
    must(whole);
    lw_text_free(&emptied);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const paths[] = {"a.md", "a.rst", "a.html", "a.tex", "a.c"};
    char *text = malloc(size + 1);
    must(text != NULL);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        bool whole;
        size_t count = count_pairs(paths[i], text, size, &whole);
        must(!whole || count_emptied(paths[i], text, size) == count);
    }
    free(text);
    return 0;
}
