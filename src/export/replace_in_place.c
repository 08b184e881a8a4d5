/*
 * Writing a file in place, so that it remains the same file. These files are made in the spare folder first:
 *
 *     NUMBER.new     the new content, while it is written
 *     NUMBER.copy    a copy of the old content, while that is made
 *     NUMBER.old     the same, complete: from here on until it is removed, the file may be a mixture
 *
 * The numbers are the device and the inode of the file; .new is locked while its run lasts. A copy begins with the path
 * of its file and a NUL.
 */

#include "export/replace.h"

#include "core/base_name.h"
#include "laneway/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* ---- Names ---- */

static char *spare_name(const char *spare, const struct stat *info, const char *ending)
{
    struct lw_text text = {0};
    lw_text_format(&text, "%s/%llx-%llx.%s", spare, (unsigned long long)info->st_dev,
                   (unsigned long long)info->st_ino, ending);
    char *copy = text.failed ? NULL : strdup(lw_text_string(&text));
    lw_text_free(&text);
    if (!copy)
        errno = ENOMEM;
    return copy;
}

/* The name of a file of the spare folder with another ending. */
static char *with_ending(const char *name, const char *ending)
{
    struct lw_text text = {0};
    const char *dot = strrchr(name, '.');
    lw_text_bytes(&text, name, dot ? (size_t)(dot - name) : strlen(name));
    lw_text_format(&text, ".%s", ending);
    char *copy = text.failed ? NULL : strdup(lw_text_string(&text));
    lw_text_free(&text);
    if (!copy)
        errno = ENOMEM;
    return copy;
}

/* Makes a folder and those above it, for the user alone. */
static bool make_folders(const char *folder)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0700) != 0 && access(path, F_OK) != 0)
            return false;
        *slash = '/';
    }
    return true;
}

/* ---- Copying ---- */

static bool write_all(int file, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t n = write(file, bytes, count);
        if (n < 0 && errno != EINTR)
            return false;
        bytes += n > 0 ? n : 0;
        count -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Copies from the positions of the two files to the end of the first. */
static bool copy_rest(int from, int to)
{
    char buffer[1 << 16];
    for (;;) {
        ssize_t n = read(from, buffer, sizeof buffer);
        if (n == 0 || (n < 0 && errno != EINTR))
            return n == 0;
        if (n > 0 && !write_all(to, buffer, (size_t)n))
            return false;
    }
}

/* Replaces the content of a file by the rest of another one. */
static bool fill(int file, int from)
{
    off_t end;
    return lseek(file, 0, SEEK_SET) == 0 && copy_rest(from, file) &&
           (end = lseek(file, 0, SEEK_CUR)) >= 0 && ftruncate(file, end) == 0 &&
           lw_replace_sync(file);
}

/* ---- The copy of the old content ---- */

static bool sync_rename(int file, const char *from, const char *to)
{
    return lw_replace_sync(file) && rename(from, to) == 0 && lw_replace_sync_folder(to);
}

/* Copies the file; returns the descriptor of the copy, at the content, or -1. */
static int copy_old(int target, const char *real, const char *copy, const char *old)
{
    int file = open(copy, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    char *whole = realpath(real, NULL);
    bool good = file >= 0 && whole && write_all(file, whole, strlen(whole) + 1) &&
                copy_rest(target, file) && sync_rename(file, copy, old) &&
                lseek(file, (off_t)strlen(whole) + 1, SEEK_SET) >= 0;
    int why = errno;
    free(whole);
    if (good)
        return file;
    unlink(copy);
    unlink(old);
    if (file >= 0)
        close(file);
    errno = why;
    return -1;
}

/* Writes the new content; the old one is restored when that fails. */
static bool overwrite(int target, int new, int saved, const char *old, const char *path,
                      struct lw_error *err)
{
    bool good = lseek(new, 0, SEEK_SET) == 0 && fill(target, new);
    if (!good) {
        lw_replace_failed(err, path);
        if (!fill(target, saved))
            return lw_error_set(err, LW_ERROR_IO,
                                "%.150s: %s; the next run of laneway restores it from %.200s", path,
                                strerror(errno), old);
    }
    if (unlink(old) != 0 && ftruncate(saved, 0) != 0) /* the next run must not restore it */
        return lw_replace_failed(err, old);
    return good;
}

bool lw_replace_copy_back(struct lw_replacement *file, struct lw_error *err)
{
    char *copy = with_ending(file->scratch, "copy"), *old = with_ending(file->scratch, "old");
    int target = copy && old ? open(file->real, O_RDWR | O_CLOEXEC) : -1;
    int saved = target < 0 ? -1 : copy_old(target, file->real, copy, old);
    bool good = saved >= 0 || lw_replace_failed(err, file->path);
    if (good)
        good = overwrite(target, fileno(file->stream), saved, old, file->path, err);
    if (target >= 0 && close(target) != 0 && good)
        good = lw_replace_failed(err, file->path);
    if (saved >= 0)
        close(saved);
    free(copy);
    free(old);
    return good;
}

bool lw_replace_open_spare(struct lw_replacement *file, struct lw_error *err)
{
    struct stat info;
    lw_replace_recover(file->spare);
    bool made = make_folders(file->spare) && lw_file_info(file->real, &info) == LW_FILE_THERE;
    file->scratch = made ? spare_name(file->spare, &info, "new") : NULL;
    int descriptor = file->scratch ? lw_replace_open_locked(file->scratch, 0600) : -1;
    file->stream = descriptor >= 0 ? fdopen(descriptor, "w+") : NULL;
    if (file->stream)
        return true;
    lw_replace_failed(err, file->path);
    if (descriptor >= 0)
        close(descriptor);
    else { /* another run may use it */
        free(file->scratch);
        file->scratch = NULL;
    }
    return false;
}

/* ---- After a run that was killed ---- */

enum path_state { PATH_UNKNOWN, PATH_NONE, PATH_READ };

/* Reads the path at the start of a copy; PATH_NONE: there is none, PATH_UNKNOWN: it cannot be read now. */
static enum path_state read_path(int file, char path[PATH_MAX])
{
    for (size_t i = 0; i < PATH_MAX; i++) {
        ssize_t n;
        do
            n = read(file, path + i, 1);
        while (n < 0 && errno == EINTR);
        if (n != 1)
            return n < 0 ? PATH_UNKNOWN : PATH_NONE;
        if (!path[i])
            return PATH_READ;
    }
    return PATH_NONE;
}

/* Whether the file is the one that was copied, and no other program has written it since: its number is in the name of
 * the copy, and it was last changed within a minute after the copy was made. */
static bool is_the_same(const struct stat *now, const char *old, const struct stat *made)
{
    enum { SECONDS = 60 };
    unsigned long long device, inode;
    return S_ISREG(now->st_mode) && sscanf(lw_base_name(old), "%llx-%llx", &device, &inode) == 2 &&
           device == (unsigned long long)now->st_dev && inode == (unsigned long long)now->st_ino &&
           now->st_mtime <= made->st_mtime + SECONDS;
}

/* Restores the old content of a file and removes the copy. The copy is kept when the file cannot be written now. */
static void restore(const char *old)
{
    char path[PATH_MAX];
    struct stat now, made;
    int copy = open(old, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    enum path_state state = copy >= 0 ? read_path(copy, path) : PATH_UNKNOWN;
    int target = state == PATH_READ ? open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC) : -1;
    bool gone = state == PATH_READ && target < 0 && (errno == ENOENT || errno == ENOTDIR);
    bool done = state == PATH_NONE || gone;
    if (target >= 0 && fstat(target, &now) == 0 && fstat(copy, &made) == 0)
        done = !is_the_same(&now, old, &made) || fill(target, copy);
    if (done)
        unlink(old);
    if (target >= 0)
        close(target);
    if (copy >= 0)
        close(copy);
}

/* Locks the .new of a run that has ended, so that no other run restores the same file. */
static int lock_dead(const char *name)
{
    int file = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

static void recover_one(const char *name)
{
    char *new = with_ending(name, "new"), *old = with_ending(name, "old"),
         *copy = with_ending(name, "copy");
    int lock = new &&old &&copy ? lock_dead(new) : -1;
    if (lock >= 0) {
        restore(old);
        unlink(copy);
        unlink(new);
        close(lock);
    }
    free(new);
    free(old);
    free(copy);
}

void lw_replace_recover(const char *spare)
{
    DIR *folder = opendir(spare);
    for (struct dirent *item; folder && (item = readdir(folder));) {
        struct lw_text name = {0};
        lw_text_format(&name, "%s/%s", spare, item->d_name);
        if (item->d_name[0] != '.' && !name.failed)
            recover_one(lw_text_string(&name));
        lw_text_free(&name);
    }
    if (folder)
        closedir(folder);
}
