/*
 * Texts: checked, kept, and read whole from streams and files up to a limit.
 *
 * There is one way to open a file to read: only regular files, of a limited size. Reading anything else, such as a
 * pipe, could block or never end. Standard input is read through its own stream.
 */

#include "notation/document/read.h"
#include "notation/document/gallery_data.h"

#include "core/text_mark.h"
#include "core/text_escape.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Opening ---- */

/* Whether a file may be read; errno is EINVAL, EISDIR or EFBIG otherwise. */
static bool check(const struct stat *info, const char *path, size_t max, struct lw_error *err)
{
    if (S_ISDIR(info->st_mode)) {
        lw_error_set(err, LW_ERROR_IO, "%.200s: %s", path, strerror(EISDIR));
        errno = EISDIR;
    } else if (!S_ISREG(info->st_mode)) {
        lw_error_set(err, LW_ERROR_IO,
                     "%.200s: only regular files are read, and standard input as -", path);
        errno = EINVAL;
    } else if (info->st_size > 0 && (uintmax_t)info->st_size > max) {
        lw_error_set(err, LW_ERROR_LIMIT, "%.200s has more than %zu bytes", path, max);
        errno = EFBIG;
    } else {
        return true;
    }
    return false;
}

FILE *lw_open_regular(const char *path, size_t max, struct lw_error *err)
{
    struct stat info;
    if (lw_text_is_mark(path)) {
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        errno = ENOMEM;
        return NULL;
    }
    /* Checked before the file is opened: to open anything but a regular file can have effects. */
    if (stat(path, &info) == 0 && !check(&info, path, max, err))
        return NULL;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) {
        int why = errno;
        lw_error_set(err, LW_ERROR_IO, "%.200s: %s", path, strerror(why));
        errno = why;
        return NULL;
    }
    FILE *stream = NULL;
    if (fstat(file, &info) != 0 || check(&info, path, max, err)) {
        stream = fdopen(file, "rb");
        if (!stream)
            lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    int why = errno;
    if (!stream)
        close(file);
    errno = why;
    return stream;
}

/* ---- Texts ---- */

struct lw_position lw_position_at(const char *text, size_t offset)
{
    struct lw_position position = {1, 1, 1};
    for (size_t i = 0; i < offset; i++) {
        position.column = text[i] == '\n' ? 1 : position.column + 1;
        position.line += text[i] == '\n';
    }
    return position;
}

bool lw_check_bytes(const char *text, size_t size, struct lw_error *err)
{
    for (size_t i = lw_text_plain_length(text, size); i < size;) {
        unsigned char c = (unsigned char)text[i];
        int length = 1;
        if (c >= 32 && c < 127) { /* the common case */
            i++;
            continue;
        }
        if ((c < 32 && !strchr("\t\r\n", c)) || c == 0 || c == 127)
            return lw_error_at(err, LW_ERROR_SYNTAX, lw_position_at(text, i),
                               "byte 0x%02x is not text", c);
        if (c > 127 && lw_text_decode(text + i, &length) == 0xfffd && length == 1)
            return lw_error_at(err, LW_ERROR_SYNTAX, lw_position_at(text, i),
                               "byte 0x%02x is not UTF-8", c);
        i += (size_t)length;
    }
    return true;
}

bool lw_check_text(const char *text, size_t size, struct lw_error *err)
{
    if (size > LW_SOURCE_BYTES_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "%zu bytes: the text of a layout has at most %zu",
                            size, LW_SOURCE_BYTES_MAX);
    return lw_check_bytes(text, size, err);
}

void lw_excerpt_of_part(struct lw_error *err, struct lw_position start, const char *part,
                        size_t length)
{
    struct lw_error near = *err;
    near.position.line -= start.line - 1;
    if (near.position.line == 1)
        near.position.column -= start.column - 1;
    lw_error_excerpt(&near, part, length);
    memcpy(err->excerpt, near.excerpt, sizeof near.excerpt);
    err->excerpt_column = near.excerpt_column;
}

bool lw_keep_text(struct lw_reading *reading, const char *text, size_t length)
{
    lw_skip_order_mark(&text, &length);
    reading->text = lw_arena_string(reading->arena, text, length);
    reading->length = length;
    return reading->text || lw_error_set(reading->err, LW_ERROR_MEMORY, "out of memory");
}

/* ---- Streams and files ---- */

bool lw_read_stream(struct lw_reading *reading, FILE *stream, const char *name,
                    struct lw_text *text)
{
    char buffer[4096];
    size_t max = reading->max ? reading->max : LW_FILE_MAX;
    errno = 0;
    /* Without feof() a read after the end of input would wait for more from a terminal. */
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

FILE *lw_open_file(struct lw_reading *reading, const char *path)
{
    FILE *file = lw_open_regular(path, reading->max ? reading->max : LW_FILE_MAX, reading->err);
    const char *kernel = reading->dump ? lw_gallery_kernel_text(path) : NULL;
    if (file || reading->err->code != LW_ERROR_IO || errno != ENOENT || !kernel)
        return file;
    file = fmemopen((void *)(uintptr_t)kernel, strlen(kernel), "rb");
    *reading->err = (struct lw_error){.code = LW_OK};
    if (!file)
        lw_error_set(reading->err, LW_ERROR_MEMORY, "out of memory");
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

void lw_error_of_explorer(struct lw_error *err)
{
    static const struct {
        const char *shell, *here, *after; /* after: behind the next word */
    } all[] = {{"'laneway ", "':", ""},
               {"-t ", "tensor<", ", ...>"},
               {"--element ", ":set element=", ""},
               {"--let NAME=8 or NAME=@FILE", "int NAME = 8; before it", ""},
               {", inside those of the shell: '\"...\"'", ": \"...\"", ""}};
    for (size_t i = 0; err && i < sizeof all / sizeof *all; i++) {
        const char *at = strstr(err->message, all[i].shell);
        const char *word = at ? at + strlen(all[i].shell) : "";
        const int length = (int)strcspn(word, " )");
        char message[sizeof err->message];
        if (!at)
            continue;
        snprintf(message, sizeof message, "%.*s%s%.*s%s%s", (int)(at - err->message), err->message,
                 all[i].here, length, word, all[i].after, word + length);
        memcpy(err->message, message, sizeof message);
    }
}
