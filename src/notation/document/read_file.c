/* Texts from outside: files and streams, whole, up to a limit. */

#include "notation/document/read.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

bool lw_keep_text(struct lw_reading *reading, const char *text, size_t length)
{
    size_t mark = lw_starts(text, length, "\xef\xbb\xbf") ? 3 : 0;
    reading->text = lw_arena_string(reading->arena, text + mark, length - mark);
    reading->length = length - mark;
    return reading->text || lw_error_set(reading->err, LW_ERROR_MEMORY, "out of memory");
}

bool lw_read_stream(struct lw_reading *reading, FILE *stream, const char *name,
                    struct lw_text *text)
{
    char buffer[4096];
    size_t max = reading->max ? reading->max : LW_FILE_MAX;
    errno = 0;
    /* Read after its end, a terminal would ask for more. */
    for (size_t got; !feof(stream) && (got = fread(buffer, 1, sizeof buffer, stream)) > 0;) {
        lw_text_bytes(text, buffer, got);
        if (text->length > max)
            return lw_error_set(reading->err, LW_ERROR_LIMIT, "%.200s has more than %zu bytes",
                                name, max);
    }
    if (ferror(stream))
        return lw_error_set(reading->err, LW_ERROR_IO, "%.200s: %s", name,
                            strerror(errno ? errno : EIO));
    return !text->failed || lw_error_set(reading->err, LW_ERROR_MEMORY, "out of memory");
}

const char *lw_path_relative(const struct lw_reading *reading, const char *name, size_t length)
{
    const char *slash = reading->file ? strrchr(reading->file, '/') : NULL;
    if (!slash || *name == '/')
        return lw_arena_string(reading->arena, name, length);
    struct lw_text path = {0};
    lw_text_bytes(&path, reading->file, (size_t)(slash - reading->file) + 1);
    lw_text_bytes(&path, name, length);
    const char *copy = lw_arena_string(reading->arena, lw_text_string(&path), path.length);
    lw_text_free(&path);
    return copy;
}

/* That a file is not there; names of the gallery have no ending. */
static bool no_such_file(struct lw_reading *reading, const char *path, int reason)
{
    char name[128];
    snprintf(name, sizeof name, "%s", path);
    char *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
    if (lw_gallery_find(name, NULL))
        return lw_error_set(reading->err, LW_ERROR_IO, "%.200s: %s; '%s' is in the gallery", path,
                            strerror(reason), name);
    return lw_error_set(reading->err, LW_ERROR_IO, "%.200s: %s", path, strerror(reason));
}

FILE *lw_open_file(struct lw_reading *reading, const char *path)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file) {
        no_such_file(reading, path, errno);
    } else if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) {
        lw_error_set(reading->err, LW_ERROR_IO, "%.200s: %s", path, strerror(EISDIR));
        fclose(file);
        file = NULL;
    }
    return file;
}

bool lw_open_relative(struct lw_reading *reading, const char *name, size_t length,
                      struct lw_text *text)
{
    reading->file = lw_path_relative(reading, name, length);
    if (!reading->file)
        return lw_error_set(reading->err, LW_ERROR_MEMORY, "out of memory");
    FILE *file = lw_open_file(reading, reading->file);
    bool ok = file && lw_read_stream(reading, file, reading->file, text);
    if (file)
        fclose(file);
    return ok;
}
