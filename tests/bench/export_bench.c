/* How long an export takes: each format that is text, of the owners of 128 x 128 elements, and strings of JSON and of
 * markup, most of which have no character that is escaped. Asserts nothing. */

#include "export/legend.h"
#include "laneway/laneway.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bench_formats(const struct lw_view *view)
{
    size_t count;
    const struct lw_format *const *formats = lw_formats(&count);
    const struct lw_export_options options = {.labels = true, .head = true, .all = true};
    for (size_t i = 0; i < count; i++) {
        enum { TIMES = 5 };
        char *bytes = NULL;
        size_t length = 0;
        struct lw_error err = {0};
        double best = 1e9;
        for (int k = 0; k < TIMES && !formats[i]->binary; k++) {
            free(bytes);
            FILE *stream = open_memstream(&bytes, &length);
            double begin = now();
            if (!stream || !lw_export(view, formats[i], &options, stream, &err))
                best = 0;
            else if (now() - begin < best)
                best = now() - begin;
            if (stream)
                fclose(stream);
        }
        if (!formats[i]->binary)
            printf("  %-10s %8.2f ms %10zu bytes %s\n", formats[i]->name, 1e3 * best, length,
                   best > 0 ? "" : err.message);
        free(bytes);
    }
}

static void bench_strings(void)
{
    static const char string[] = "held by: warp 0, lane 9, register 3; because: lane 9 = 0b01001: "
                                 "(1,0) ^ (0,8), and <0> & \"1\" \xe2\x86\x92 2";
    enum { TIMES = 100000 };
    struct lw_text text = {0};
    FILE *sink = fopen("/dev/null", "w");
    double begin = now();
    for (int i = 0; i < TIMES; i++) {
        lw_text_clear(&text);
        lw_text_json_string(&text, string);
    }
    printf("  json string of %zu bytes %8.1f ns\n", strlen(string), 1e9 * (now() - begin) / TIMES);
    begin = now();
    for (int i = 0; sink && i < TIMES; i++)
        lw_put_markup(sink, string);
    printf("  markup of %zu bytes      %8.1f ns\n", strlen(string), 1e9 * (now() - begin) / TIMES);
    lw_text_free(&text);
    if (sink)
        fclose(sink);
}

int main(void)
{
    struct lw_document doc;
    struct lw_opened opened = {0};
    struct lw_view view;
    struct lw_error err = {0};
    if (!lw_document_open(&doc, "local(16, 32).spatial(8, 4)", NULL, &err) ||
        !lw_subject_open(&opened, &doc, LW_LANES_DEFAULT, &err) ||
        !lw_view_open(&view, lw_view_type_find("owners"), &opened.subject, NULL, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    bench_formats(&view);
    bench_strings();
    lw_view_close(&view);
    lw_subject_close(&opened);
    lw_document_free(&doc);
    return 0;
}
