/* System calls for replacing files: files of one run, syncing of folders, and errors. */

#define _GNU_SOURCE /* O_TMPFILE */

#include "export/replace.h"

#include "core/base_name.h"
#include "laneway/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

bool lw_replace_failed(struct lw_error *err, const char *path)
{
    if (errno == ENOMEM)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (errno == EBUSY)
        return lw_error_set(err, LW_ERROR_IO, "%s: another run is writing it", path);
    return lw_error_set(err, LW_ERROR_IO, "%s: %s", path, strerror(errno ? errno : EIO));
}

/* The folder of a file. */
static void put_folder(struct lw_text *folder, const char *path)
{
    size_t length = (size_t)(lw_base_name(path) - path);
    if (length)
        lw_text_bytes(folder, path, length);
    else
        lw_text_add(folder, ".");
}

/* Whether the name still leads to this file: another run may have removed it, as if its run had ended. Sets *known to
 * false, with errno, when that is unknown. */
static bool is_named(int file, const char *path, bool *known)
{
    struct stat own, named = {0};
    enum lw_file_there there = LW_FILE_UNKNOWN;
    *known = fstat(file, &own) == 0 && (there = lw_link_info(path, &named)) != LW_FILE_UNKNOWN;
    return *known && there == LW_FILE_THERE && own.st_ino == named.st_ino &&
           own.st_dev == named.st_dev;
}

/* Removes a file that is not locked, as its run has ended. */
static bool remove_dead(const char *path)
{
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT;
    bool removed = flock(file, LOCK_EX | LOCK_NB) == 0 && unlink(path) == 0;
    int why = errno == EWOULDBLOCK ? EBUSY : errno;
    close(file);
    errno = why;
    return removed;
}

int lw_replace_open_unnamed(const char *path, mode_t mode)
{
    int file = -1;
#ifdef O_TMPFILE
    struct lw_text folder = {0};
    put_folder(&folder, path);
    if (!folder.failed && access("/proc/self/fd", X_OK) == 0)
        file = open(lw_text_string(&folder), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    lw_text_free(&folder);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0) {
        close(file);
        file = -1;
    }
#endif
    (void)path;
    (void)mode;
    return file;
}

bool lw_replace_name(int file, const char *path)
{
    enum { TRIES = 8 };
    char own[64];
    snprintf(own, sizeof own, "/proc/self/fd/%d", file);
    for (int i = 0; i < TRIES; i++) {
        if (linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0)
            return true;
        if (errno != EEXIST || !remove_dead(path))
            return false;
    }
    errno = EBUSY;
    return false;
}

int lw_replace_open_locked(const char *path, mode_t mode)
{
    enum { TRIES = 8 };
    for (int i = 0; i < TRIES; i++) {
        int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file < 0 && errno == EEXIST && remove_dead(path))
            continue;
        if (file < 0)
            return -1;
        bool known = true;
        if (flock(file, LOCK_EX | LOCK_NB) == 0 && is_named(file, path, &known))
            return file;
        int why = errno;
        close(file);
        errno = why;
        if (!known)
            return -1;
    }
    errno = EBUSY;
    return -1;
}

static enum lw_file_there there_by(int result)
{
    return result == 0                           ? LW_FILE_THERE
           : errno == ENOENT || errno == ENOTDIR ? LW_FILE_ABSENT
                                                 : LW_FILE_UNKNOWN;
}

enum lw_file_there lw_file_info(const char *path, struct stat *info)
{
    int result;
    do
        result = stat(path, info);
    while (result != 0 && errno == EINTR);
    return there_by(result);
}

enum lw_file_there lw_link_info(const char *path, struct stat *info)
{
    int result;
    do
        result = lstat(path, info);
    while (result != 0 && errno == EINTR);
    return there_by(result);
}

bool lw_replace_sync(int file)
{
    int result;
    do
        result = fsync(file);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

bool lw_replace_sync_folder(const char *path)
{
    struct lw_text folder = {0};
    int file = -1;
    put_folder(&folder, path);
    errno = ENOMEM;
    if (!folder.failed)
        do
            file = open(lw_text_string(&folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        while (file < 0 && errno == EINTR);
    bool denied = file < 0 && errno == EACCES; /* a folder in which files can only be created */
    bool good = file >= 0 && (lw_replace_sync(file) || errno == EINVAL);
    int why = errno;
    if (file >= 0)
        close(file);
    lw_text_free(&folder);
    errno = why;
    return good || denied;
}
