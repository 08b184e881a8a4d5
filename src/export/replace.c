/* Replacing a file by one beside it. */

#include "export/replace.h"

#include "core/base_name.h"
#include "core/text_mark.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Names ---- */

/* What a symbolic link points to, relative to its folder; NULL with errno otherwise. */
static char *read_link(const char *path)
{
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    struct lw_text whole = {0};
    if (length < 0)
        return NULL;
    target[length] = '\0';
    if (*target != '/')
        lw_text_bytes(&whole, path, (size_t)(lw_base_name(path) - path));
    lw_text_add(&whole, target);
    char *copy = whole.failed ? NULL : strdup(lw_text_string(&whole));
    lw_text_free(&whole);
    return copy;
}

/* The name behind symbolic links; there may be no file of that name. NULL with errno otherwise. */
static char *follow_links(const char *path)
{
    enum { LINKS_MAX = 40 };
    struct stat info;
    char *real = strdup(path);
    for (int i = 0; real; i++) {
        enum lw_file_there there = lw_link_info(real, &info);
        if (there == LW_FILE_ABSENT || (there == LW_FILE_THERE && !S_ISLNK(info.st_mode)))
            return real;
        char *next = there == LW_FILE_THERE && i < LINKS_MAX ? read_link(real) : NULL;
        int why = there == LW_FILE_THERE && i == LINKS_MAX ? ELOOP : errno;
        free(real);
        real = next;
        errno = why;
    }
    return NULL;
}

/* `.NAME.laneway` in the folder of a file; for a long name its start and a hash of all of it. */
static char *name_beside(const char *real)
{
    enum { NAME_BYTES_MAX = 200 };
    const char *name = lw_base_name(real);
    struct lw_text text = {0};
    lw_text_bytes(&text, real, (size_t)(name - real));
    lw_text_format(&text, ".%.*s", NAME_BYTES_MAX, name);
    if (strlen(name) > NAME_BYTES_MAX) {
        uint32_t hash = 2166136261; /* FNV-1a */
        for (const char *c = name; *c; c++)
            hash = (hash ^ (unsigned char)*c) * 16777619;
        lw_text_format(&text, "-%08x", (unsigned)hash);
    }
    lw_text_add(&text, ".laneway");
    char *copy = text.failed ? NULL : strdup(lw_text_string(&text));
    lw_text_free(&text);
    return copy;
}

/* ---- Opening ---- */

static mode_t new_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Gives a new file the attributes and the mode of the old one; without an old one those of any new file: the access
 * list of its folder, else the mode by the umask. */
static bool set_rights(int file, const char *real, const struct stat *old)
{
    if (old)
        return lw_replace_attributes(file, real) && fchmod(file, old->st_mode & 07777) == 0;
    return lw_replace_has_access_list(file) || fchmod(file, new_mode()) == 0;
}

/* Makes the stream of a new file beside the old one, with its mode and owner. `old` is NULL when there is none. */
static bool open_beside(struct lw_replacement *file, const struct stat *old)
{
    struct stat made;
    file->scratch = name_beside(file->real);
    if (!file->scratch) {
        errno = ENOMEM;
        return false;
    }
    mode_t mode = old ? 0600 : 0666; /* a file that is replaced may be secret */
    int descriptor = lw_replace_open_unnamed(file->real, mode);
    file->is_unnamed = descriptor >= 0;
    if (!file->is_unnamed)
        descriptor = lw_replace_open_locked(file->scratch, mode);
    bool own = descriptor >= 0 && fstat(descriptor, &made) == 0;
    if (own && old && (made.st_uid != old->st_uid || made.st_gid != old->st_gid))
        own = fchown(descriptor, old->st_uid, old->st_gid) == 0;
    own = own && set_rights(descriptor, file->real, old);
    file->stream = own ? fdopen(descriptor, "w") : NULL;
    if (file->stream)
        return true;
    int why = errno;
    if (descriptor >= 0) {
        if (!file->is_unnamed)
            unlink(file->scratch);
        close(descriptor);
    }
    file->is_unnamed = false;
    free(file->scratch);
    file->scratch = NULL;
    errno = why;
    return false;
}

/* Whether the file must be written in place: renaming would lose something, or the folder forbids it. */
static bool must_stay(int why)
{
    return why == EACCES || why == EPERM || why == EROFS;
}

static bool open_over(struct lw_replacement *file, const struct stat *old, const char *spare,
                      struct lw_error *err)
{
    if (!(old->st_mode & 0222) || (access(file->real, W_OK) != 0 && must_stay(errno)))
        return lw_error_set(err, LW_ERROR_IO, "%s: the file is read-only", file->path);
    bool beside = old->st_nlink == 1 && open_beside(file, old);
    if (beside || (old->st_nlink == 1 && !must_stay(errno)))
        return beside || lw_replace_failed(err, file->path);
    if (!spare)
        return lw_error_set(err, LW_ERROR_IO,
                            "%s: the file cannot be replaced (it has other hard links, or its "
                            "folder is read-only), and HOME is not set",
                            file->path);
    file->spare = spare;
    return lw_replace_open_spare(file, err);
}

static void end_replacement(struct lw_replacement *file)
{
    if (file->scratch && !file->is_unnamed)
        unlink(file->scratch);
    free(file->scratch);
    free(file->real);
    file->scratch = file->real = NULL;
}

/* Opens a path that is not a regular file. A pipe without a reader is refused: waiting for one could take forever. */
static bool open_itself(struct lw_replacement *file, mode_t mode, struct lw_error *err)
{
    int descriptor = open(file->path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0 && errno == ENXIO && S_ISFIFO(mode))
        return lw_error_set(err, LW_ERROR_IO, "%s: no program reads this pipe", file->path);
    bool waits = descriptor >= 0 && fcntl(descriptor, F_SETFL, O_WRONLY) == 0;
    file->stream = waits ? fdopen(descriptor, "w") : NULL;
    if (file->stream)
        return true;
    lw_replace_failed(err, file->path);
    if (descriptor >= 0)
        close(descriptor);
    return false;
}

bool lw_replace_open(struct lw_replacement *file, const char *path, const char *spare,
                     struct lw_error *err)
{
    struct stat old;
    *file = (struct lw_replacement){.path = path};
    if (lw_text_is_mark(path))
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    enum lw_file_there there = lw_file_info(path, &old);
    bool exists = there == LW_FILE_THERE;
    if (there == LW_FILE_UNKNOWN)
        return lw_replace_failed(err, path);
    if (exists && !S_ISREG(old.st_mode))
        return open_itself(file, old.st_mode, err);
    errno = 0;
    file->real = follow_links(path);
    if (!file->real)
        return lw_replace_failed(err, path);
    bool good = exists ? open_over(file, &old, spare, err)
                       : open_beside(file, NULL) || lw_replace_failed(err, path);
    if (!good)
        end_replacement(file);
    return good;
}

/* ---- Closing ---- */

/* Renames the new file to the name of the old one. */
static bool rename_over(struct lw_replacement *file, struct lw_error *err)
{
    if (rename(file->scratch, file->real) != 0)
        return lw_replace_failed(err, file->path);
    free(file->scratch);
    file->scratch = NULL;
    file->is_replaced = true;
    return lw_replace_sync_folder(file->real) ||
           lw_error_set(err, LW_ERROR_IO, "%s is written, but the disk did not confirm it: %s",
                        file->path, strerror(errno));
}

bool lw_replace_prepare(struct lw_replacement *file, struct lw_error *err)
{
    bool good = !ferror(file->stream) && fflush(file->stream) == 0;
    if (good && file->real)
        good = lw_replace_sync(fileno(file->stream));
    if (good && file->is_unnamed) {
        good = lw_replace_name(fileno(file->stream), file->scratch);
        file->is_unnamed = !good;
    }
    return good || lw_replace_failed(err, file->path);
}

bool lw_replace_close(struct lw_replacement *file, bool keep, struct lw_error *err)
{
    bool good = keep ? lw_replace_prepare(file, err)
                     : (!ferror(file->stream) && fflush(file->stream) == 0) ||
                           lw_replace_failed(err, file->path);
    /* In place: the lock is held until the copy is made. */
    if (good && keep && file->real && file->spare)
        good = lw_replace_copy_back(file, err);
    bool closed = fclose(file->stream) == 0;
    if (!closed && good)
        good = lw_replace_failed(err, file->path);
    if (good && keep && file->real && !file->spare)
        good = rename_over(file, err);
    end_replacement(file);
    return good;
}
