/* Where results go: streams, and what is written to them. Files are replaced by replace.c. */

#include "export/output.h"

#include "core/text_escape.h"
#include "core/text_mark.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool lw_output_open(struct lw_output *output, const char *path, FILE *standard,
                    struct lw_error *err)
{
    *output = (struct lw_output){.stream = standard};
    errno = 0; /* the errno of the first failed write is reported when the output is closed */
    if (standard && (!path || !strcmp(path, "-")))
        return true;
    output->is_file = *path ? lw_replace_open(&output->file, path, err)
                            : lw_error_set(err, LW_ERROR_NAME, "the name of a file is missing");
    output->stream = output->file.stream;
    return output->is_file;
}

bool lw_output_close(struct lw_output *output, bool keep, struct lw_error *err)
{
    if (output->is_file)
        return lw_replace_close(&output->file, keep, err);
    bool good = !ferror(output->stream) && fflush(output->stream) == 0;
    return good || lw_replace_failed(err, "standard output");
}

void lw_output_fail(FILE *out)
{
    fgetc(out); /* reading from a stream for writing sets its error indicator */
    errno = ENOMEM;
}

static bool is_line_end(const char *p)
{
    return *p == '\n' || *p == '\t' || (p[0] == '\r' && p[1] == '\n');
}

/* Writes bytes with characters that are not printable escaped; with `lines`, line ends and tabs are kept. */
static void write_shown(FILE *out, const char *bytes, size_t count, bool lines)
{
    const char *end = bytes + count, *begin = bytes;
    int length;
    if (lw_text_has_mark(bytes, count))
        lw_output_fail(out);
    for (const char *p = bytes + lw_text_plain_length(bytes, count); p < end; p += length) {
        char escaped[LW_ESCAPE_MAX];
        length = 1;
        if (*p >= ' ' && *p < 127)
            continue;
        if (!lw_text_escape_next(p, &length, escaped) || (lines && is_line_end(p)))
            continue;
        fwrite(begin, 1, (size_t)(p - begin), out);
        fputs(escaped, out);
        begin = p + length;
    }
    fwrite(begin, 1, (size_t)(end - begin), out);
}

void lw_output_raw(FILE *out, const struct lw_text *text)
{
    if (text->failed)
        lw_output_fail(out);
    else
        fwrite(lw_text_string(text), 1, text->length, out);
}

void lw_output_text(FILE *out, const struct lw_text *text)
{
    write_shown(out, lw_text_string(text), text->length, true);
}

void lw_output_name(FILE *out, const char *name)
{
    write_shown(out, name, strlen(name), false);
}

void lw_output_print(FILE *out, const char *format, ...)
{
    char room[1024], *line = room;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(room, sizeof room, format, args);
    if (length >= (int)sizeof room) {
        line = malloc((size_t)length + 1);
        if (line)
            vsnprintf(line, (size_t)length + 1, format, again);
    }
    va_end(again);
    va_end(args);
    if (line && length >= 0)
        write_shown(out, line, (size_t)length, true);
    else
        lw_output_fail(out);
    if (line != room)
        free(line);
}
