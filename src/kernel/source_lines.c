/* Lines of the source that a kernel was compiled from. One file is kept at a time. */

#include "laneway/kernel_cost.h"
#include "kernel/source_lines.h"

#include "core/base_name.h"
#include "notation/document/read.h"

#include <stdlib.h>
#include <string.h>

void lw_source_lines_free(struct lw_source_lines *lines)
{
    free(lines->file);
    free(lines->data);
    free(lines->lines);
    memset(lines, 0, sizeof *lines);
}

static bool split(struct lw_source_lines *lines, size_t length)
{
    size_t count = 1;
    for (size_t i = 0; i < length; i++)
        count += lines->data[i] == '\n';
    lines->lines = calloc(count, sizeof *lines->lines);
    if (!lines->lines)
        return false;
    char *rest = lines->data;
    for (size_t i = 0; i < count; i++)
        lines->lines[i] = strsep(&rest, "\n");
    lines->count = count;
    return true;
}

/* Reads all of a file of at most LW_SOURCE_LINES_BYTES_MAX. */
static bool read_lines(struct lw_source_lines *lines, const char *path)
{
    struct lw_text text = {0};
    struct lw_error err;
    struct lw_reading reading = {.err = &err, .max = LW_SOURCE_LINES_BYTES_MAX};
    FILE *file = lw_open_regular(path, LW_SOURCE_LINES_BYTES_MAX, &err);
    bool good = file && lw_read_stream(&reading, file, path, &text);
    lines->data = good ? strndup(lw_text_string(&text), text.length) : NULL;
    if (file)
        fclose(file);
    lw_text_free(&text);
    return lines->data && split(lines, strlen(lines->data));
}

static bool open_in_folder(struct lw_source_lines *lines, const char *kernel, const char *name)
{
    struct lw_text path = {0};
    const char *slash = strrchr(kernel, '/');
    lw_text_bytes(&path, kernel, slash ? (size_t)(slash + 1 - kernel) : 0);
    lw_text_add(&path, name);
    bool ok = read_lines(lines, lw_text_string(&path));
    lw_text_free(&path);
    return ok;
}

static void open_source(struct lw_source_lines *lines, const char *file, const char *kernel,
                        const char *source)
{
    lw_source_lines_free(lines);
    lines->file = strdup(file);
    if (source && !strcmp(lw_base_name(source), lw_base_name(file))) {
        read_lines(lines, source);
        return;
    }
    if (read_lines(lines, file) || open_in_folder(lines, kernel, lw_base_name(file)))
        return;
    if (source)
        read_lines(lines, source);
}

static const char *line_of(struct lw_source_lines *lines, const struct lw_location *location,
                           const char *kernel, const char *source)
{
    if (!*location->file || location->line < 1)
        return NULL;
    if (!lines->file || strcmp(lines->file, location->file) != 0)
        open_source(lines, location->file, kernel, source);
    if (!lines->lines || (size_t)location->line > lines->count)
        return NULL;
    char *line = lines->lines[location->line - 1];
    line += strspn(line, " \t");
    line[strcspn(line, "\r")] = '\0';
    return lw_check_bytes(line, strlen(line), NULL) ? line : NULL;
}

const char *lw_source_line(struct lw_source_lines *lines, const struct lw_location *location,
                           const char *kernel, const char *source)
{
    const char *line = NULL;
    for (; location && !line; location = location->caller)
        line = line_of(lines, location, kernel, source);
    return line;
}
