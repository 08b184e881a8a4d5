/*
 * Where results go. A new file is written under a temporary name in its folder and renamed when it is whole;
 * what is not a regular file (/dev/full, a fifo) is written directly.
 */

#include "export/output.h"

#include "core/text_escape.h"
#include "core/text_mark.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(struct lw_error *err, const char *path)
{
    if (errno == ENOMEM)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    return lw_error_set(err, LW_ERROR_IO, "%s: %s", path, strerror(errno ? errno : EIO));
}

static bool open_directly(struct lw_output *output, struct lw_error *err)
{
    output->stream = fopen(output->path, "w");
    return output->stream || fail(err, output->path);
}

static void forget(struct lw_output *output)
{
    if (output->scratch)
        unlink(output->scratch);
    free(output->scratch);
    free(output->real);
    output->scratch = output->real = NULL;
}

/* The stream of a new file beside output->real, with the permissions it would have had. */
static bool open_beside(struct lw_output *output, mode_t mode, struct lw_error *err)
{
    size_t length = strlen(output->real);
    output->scratch = malloc(length + 8);
    if (!output->scratch)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    memcpy(output->scratch, output->real, length);
    memcpy(output->scratch + length, ".XXXXXX", 8);
    int file = mkstemp(output->scratch);
    if (file < 0) {
        output->scratch[0] = '\0';
        return fail(err, output->path);
    }
    output->stream = fchmod(file, mode) == 0 ? fdopen(file, "w") : NULL;
    if (!output->stream) {
        fail(err, output->path);
        close(file);
    }
    return output->stream;
}

static mode_t new_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

bool lw_output_open(struct lw_output *output, const char *path, FILE *standard,
                    struct lw_error *err)
{
    struct stat info;
    *output = (struct lw_output){.stream = standard};
    errno = 0; /* what the first failed write sets is reported when the output is closed */
    if (standard && (!path || !strcmp(path, "-")))
        return true;
    output->path = path;
    bool exists = stat(path, &info) == 0;
    if (exists && !S_ISREG(info.st_mode))
        return open_directly(output, err);
    output->real = exists ? realpath(path, NULL) : strdup(path);
    if (output->real && open_beside(output, exists ? info.st_mode & 0777 : new_mode(), err))
        return true;
    if (!output->real)
        fail(err, path);
    forget(output);
    return false;
}

bool lw_output_close(struct lw_output *output, bool keep, struct lw_error *err)
{
    const char *name = output->path ? output->path : "standard output";
    bool good = !ferror(output->stream) && fflush(output->stream) == 0;
    if (!good)
        fail(err, name);
    if (!output->path)
        return good;
    if (fclose(output->stream) != 0 && good)
        good = fail(err, name);
    if (good && keep && output->scratch) {
        good = rename(output->scratch, output->real) == 0 || fail(err, name);
        if (good) {
            free(output->scratch);
            output->scratch = NULL;
        }
    }
    forget(output);
    return good;
}

void lw_output_fail(FILE *out)
{
    fgetc(out); /* a stream that is written to cannot be read: it has an error from now on */
    errno = ENOMEM;
}

static bool is_line_end(const char *p)
{
    return *p == '\n' || *p == '\t' || (p[0] == '\r' && p[1] == '\n');
}

/* Writes bytes with what has no picture escaped; with `lines`, line ends and tabs are kept. */
static void write_shown(FILE *out, const char *bytes, size_t count, bool lines)
{
    const char *end = bytes + count, *begin = bytes;
    int length;
    if (lw_text_has_mark(bytes, count))
        lw_output_fail(out);
    for (const char *p = bytes; p < end; p += length) {
        char escaped[LW_ESCAPE_MAX];
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
