/* The one way to open a file to read: only regular files, of a limited size. Reading anything else, such as a pipe,
 * could block or never end. Standard input is read through its own stream. */

#include "notation/document/read.h"

#include "core/text_mark.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a file may be read; errno is EINVAL, EISDIR or EFBIG otherwise. */
static bool check(const struct stat *info, const char *path, size_t max, struct lw_error *err)
{
    if (S_ISDIR(info->st_mode)) {
        lw_error_set(err, LW_ERROR_IO, "%.200s: %s", path, strerror(EISDIR));
        errno = EISDIR;
    } else if (!S_ISREG(info->st_mode)) {
        lw_error_set(err, LW_ERROR_IO,
                     "%.200s: this is %s; only regular files are read, and standard input as -",
                     path,
                     S_ISFIFO(info->st_mode)   ? "a pipe"
                     : S_ISSOCK(info->st_mode) ? "a socket"
                                               : "a device");
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
