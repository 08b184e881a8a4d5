/* Replacing a file by one beside it. */

#include "export/replace.h"

#include "core/base_name.h"
#include "core/text_mark.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
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

enum lw_file_there lw_file_info(const char *path, struct stat *info)
{
    return stat(path, info) == 0                 ? LW_FILE_THERE
           : errno == ENOENT || errno == ENOTDIR ? LW_FILE_ABSENT
                                                 : LW_FILE_UNKNOWN;
}

/* ---- The file beside ---- */

enum { TRIES = 8 }; /* to get a name that files of runs that have ended may have */

/* Removes a file that is not locked, as its run has ended. */
static bool remove_dead(int folder, const char *name)
{
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT;
    bool removed = flock(file, LOCK_EX | LOCK_NB) == 0 && unlinkat(folder, name, 0) == 0;
    int why = errno == EWOULDBLOCK ? EBUSY : errno;
    close(file);
    errno = why;
    return removed;
}

/* Makes a new file and locks it; -1 and errno on failure. Until it is locked another run may remove it as that of a run
 * that has ended, so its name must still lead to it then. */
static int open_locked(int folder, const char *name, mode_t mode)
{
    struct stat own, named;
    errno = EBUSY;
    for (int i = 0; i < TRIES; i++) {
        int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file < 0 && (errno != EEXIST || !remove_dead(folder, name)))
            return -1;
        if (file < 0)
            continue;
        if (flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &own) == 0 &&
            fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && own.st_ino == named.st_ino)
            return file;
        close(file);
        errno = EBUSY;
    }
    return -1;
}

static void end_replacement(struct lw_replacement *file)
{
    if (file->lock >= 0)
        close(file->lock);
    if (file->folder >= 0)
        close(file->folder);
    file->lock = file->folder = -1;
}

/* Opens the stream of a replacement whose folder is open. A file that is replaced may be secret, so the new one gets
 * its mode before its content. */
static bool open_beside(struct lw_replacement *file, const char *name, struct lw_error *err)
{
    struct stat old;
    errno = ENAMETOOLONG;
    if (strlen(name) >= sizeof file->name)
        return lw_replace_failed(err, file->path);
    strcpy(file->name, name);
    snprintf(file->beside, sizeof file->beside, ".%.200s.laneway", name);
    bool exists = fstatat(file->folder, name, &old, AT_SYMLINK_NOFOLLOW) == 0;
    if (!exists && errno != ENOENT)
        return lw_replace_failed(err, file->path);
    if (exists && !S_ISREG(old.st_mode))
        return lw_error_set(err, LW_ERROR_IO, "%s: %s, not a regular file", file->path,
                            S_ISDIR(old.st_mode)   ? "this is a folder"
                            : S_ISLNK(old.st_mode) ? "this is a symbolic link"
                                                   : "this is a device or a pipe");
    if (exists && (!(old.st_mode & 0222) || faccessat(file->folder, name, W_OK, 0) != 0))
        return lw_error_set(err, LW_ERROR_IO, "%s: the file is read-only", file->path);
    file->lock = open_locked(file->folder, file->beside, exists ? 0600 : 0666);
    bool good = file->lock >= 0 && (!exists || fchmod(file->lock, old.st_mode & 07777) == 0);
    int descriptor = good ? fcntl(file->lock, F_DUPFD_CLOEXEC, 0) : -1;
    file->stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file->stream)
        return true;
    lw_replace_failed(err, file->path);
    if (descriptor >= 0)
        close(descriptor);
    if (file->lock >= 0)
        unlinkat(file->folder, file->beside, 0);
    return false;
}

bool lw_replace_open(struct lw_replacement *file, const char *path, struct lw_error *err)
{
    char real[PATH_MAX];
    *file = (struct lw_replacement){.path = path, .folder = -1, .lock = -1};
    if (lw_text_is_mark(path))
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (!realpath(path, real)) { /* a new file: its folder may be behind links, it is none */
        if (errno != ENOENT || !*path || strlen(path) >= sizeof real)
            return lw_replace_failed(err, path);
        strcpy(real, path);
    }
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s", *lw_base_name(real) ? lw_base_name(real) : ".");
    real[lw_base_name(real) - real] = '\0';
    file->folder = open(*real ? real : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = file->folder >= 0 ? open_beside(file, name, err) : lw_replace_failed(err, path);
    if (!good)
        end_replacement(file);
    return good;
}

bool lw_replace_open_below(struct lw_replacement *file, const char *folder, const char *path,
                           struct lw_error *err)
{
    *file = (struct lw_replacement){.path = path, .lock = -1};
    file->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = file->folder >= 0 || lw_replace_failed(err, folder);
    for (size_t length; good && path[length = strcspn(path, "/")]; path += length + 1) {
        char *name = strndup(path, length);
        if (!name)
            errno = ENOMEM;
        const bool up = name && !strcmp(name, "..");
        good = name && !up;
        if (good && length) { /* a folder that does not exist is made */
            const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
            int next = openat(file->folder, name, flags);
            if (next < 0 && errno == ENOENT &&
                (mkdirat(file->folder, name, 0777) == 0 || errno == EEXIST))
                next = openat(file->folder, name, flags);
            good = next >= 0;
            if (good)
                close(file->folder);
            file->folder = good ? next : file->folder;
        }
        if (up || (!good && (errno == ELOOP || errno == ENOTDIR)))
            lw_error_set(err, LW_ERROR_NAME, "%s: '%.80s' is not a folder below %.200s%s",
                         file->path, name, folder, up ? "" : ", or is a symbolic link");
        else if (!good)
            lw_replace_failed(err, file->path);
        free(name);
    }
    good = good && open_beside(file, path, err);
    if (!good)
        end_replacement(file);
    return good;
}

/* ---- Closing ---- */

bool lw_replace_close(struct lw_replacement *file, bool keep, struct lw_error *err)
{
    bool good = (!ferror(file->stream) && fflush(file->stream) == 0 &&
                 (!keep || fsync(fileno(file->stream)) == 0)) ||
                lw_replace_failed(err, file->path);
    bool closed = fclose(file->stream) == 0;
    if (!closed && good)
        good = lw_replace_failed(err, file->path);
    if (good && keep) {
        good = renameat(file->folder, file->beside, file->folder, file->name) == 0 ||
               lw_replace_failed(err, file->path);
        file->is_replaced = good;
    }
    if (file->is_replaced && fsync(file->folder) != 0 && errno != EINVAL)
        good = lw_error_set(err, LW_ERROR_IO, "%s is written, but the disk did not confirm it: %s",
                            file->path, strerror(errno));
    if (!file->is_replaced)
        unlinkat(file->folder, file->beside, 0);
    end_replacement(file);
    return good;
}
