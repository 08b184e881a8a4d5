/* The lines of source that operations of a kernel are from; one file is kept at a time. */

#include "kernel/source_lines.h"

#include "core/array_count.h"
#include "core/base_name.h"
#include "notation/document/read.h"

#include <stdlib.h>
#include <string.h>

void lw_source_lines_free(struct lw_source_lines *lines)
{
    free(lines->file);
    lw_text_free(&lines->text);
    lw_text_free(&lines->line);
    memset(lines, 0, sizeof *lines);
}

/* Reads a file of at most LW_SOURCE_LINES_BYTES_MAX as the lines of `file`, which a location names. */
static void open_source(struct lw_source_lines *lines, const char *file, const char *kernel,
                        const char *source)
{
    struct lw_error err;
    struct lw_reading reading = {.err = &err, .max = LW_SOURCE_LINES_BYTES_MAX};
    struct lw_text beside = {0};
    lw_text_bytes(&beside, kernel, (size_t)(lw_base_name(kernel) - kernel));
    lw_text_add(&beside, lw_base_name(file));
    const bool is_first = source && !strcmp(lw_base_name(source), lw_base_name(file));
    const char *const paths[] = {is_first ? source : file, file, lw_text_string(&beside), source};
    bool good = false;
    lw_source_lines_free(lines);
    lines->file = strdup(file);
    for (size_t i = 0; i < LW_COUNT(paths) && paths[i] && !good; i++) {
        FILE *stream = lw_open_regular(paths[i], LW_SOURCE_LINES_BYTES_MAX, &err);
        good = stream && lw_read_stream(&reading, stream, paths[i], &lines->text);
        if (stream)
            fclose(stream);
        if (!good)
            lw_text_clear(&lines->text);
    }
    lw_text_free(&beside);
}

const char *lw_source_line(struct lw_source_lines *lines, const struct lw_location *location,
                           const char *kernel, const char *source)
{
    for (; location; location = location->caller) {
        if (!*location->file || location->line < 1)
            continue;
        if (!lines->file || strcmp(lines->file, location->file) != 0)
            open_source(lines, location->file, kernel, source);
        const char *at = lw_text_string(&lines->text);
        for (int line = 1; at && line < location->line; line++) {
            at = strchr(at, '\n');
            at += at != NULL;
        }
        if (!lines->text.length || !at)
            continue;
        at += strspn(at, " \t");
        lw_text_clear(&lines->line);
        lw_text_bytes(&lines->line, at, strcspn(at, "\r\n"));
        if (!lines->line.failed &&
            lw_check_bytes(lw_text_string(&lines->line), lines->line.length, NULL))
            return lw_text_string(&lines->line);
    }
    return NULL;
}
