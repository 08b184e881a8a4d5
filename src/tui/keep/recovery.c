/* The files of unsaved changes, and their folders.
 *
 * Each run has its own folder, `unsaved/NAME`, with a file `lock` that is locked while the program runs: when another
 * process, on any machine, gets the lock, the run has ended. Each document is a file named by its number.
 */

#include "core/base_name.h"
#include "core/text_mark.h"
#include "tui/keep/keep_file.h"
#include "tui/keep/recovery.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- The folder of this run ---- */

static bool folder_of_all(struct lw_text *path, struct lw_error *err)
{
    return lw_folder_path(path, LW_FOLDER_STATE, "unsaved", err);
}

/* Removes a run's folder, if only the lock is left in it. */
static void remove_folder(const char *folder)
{
    struct lw_text lock = {0};
    lw_text_format(&lock, "%s/lock", folder);
    unlink(lw_text_string(&lock));
    rmdir(folder);
    lw_text_free(&lock);
}

void lw_recovery_close(struct lw_recovery *recovery)
{
    if (recovery->folder) {
        remove_folder(recovery->folder);
        close(recovery->lock);
    }
    free(recovery->folder);
    recovery->folder = NULL;
}

void lw_recovery_leave(struct lw_recovery *recovery)
{
    if (recovery->folder)
        close(recovery->lock);
    free(recovery->folder);
    recovery->folder = NULL;
    recovery->on = false;
}

/* Locks the file of this run, or of one that has ended. Also true if there is no lock file; false: another process has
 * the lock, or it cannot be opened. */
static bool lock_file(const char *path, int flags, int *file)
{
    *file = -1;
    errno = ENOMEM;
    if (lw_text_is_mark(path))
        return false;
    *file = open(path, flags | O_CLOEXEC, 0600);
    return *file < 0 ? errno == ENOENT : flock(*file, LOCK_EX | LOCK_NB) == 0;
}

/* Makes the folder and its lock under a name with a dot, which other runs skip, and renames it when the lock
 * is held. */
static bool make_folder(char *hidden, char *folder, int *lock)
{
    struct lw_text path = {0};
    *lock = -1;
    if (!mkdtemp(hidden))
        return false;
    lw_text_format(&path, "%s/lock", hidden);
    memcpy(folder + strlen(folder) - 6, hidden + strlen(hidden) - 6, 6);
    bool good = lock_file(lw_text_string(&path), O_RDWR | O_CREAT, lock) && *lock >= 0 &&
                rename(hidden, folder) == 0;
    int why = errno;
    lw_text_free(&path);
    if (!good) {
        if (*lock >= 0)
            close(*lock);
        remove_folder(hidden);
    }
    errno = why;
    return good;
}

static bool begin_folder(struct lw_recovery *recovery, struct lw_error *err)
{
    struct lw_text hidden = {0}, folder = {0};
    bool good = folder_of_all(&hidden, err) && folder_of_all(&folder, err);
    lw_text_add(&hidden, "/.XXXXXX");
    lw_text_add(&folder, "/XXXXXX");
    good = good && lw_folder_make(lw_text_string(&hidden), err);
    char *from = good ? strdup(lw_text_string(&hidden)) : NULL;
    char *to = good ? strdup(lw_text_string(&folder)) : NULL;
    if (from && to && make_folder(from, to, &recovery->lock)) {
        recovery->folder = to;
    } else if (good) {
        lw_error_set(err, LW_ERROR_IO, "%.200s: %s", lw_text_string(&folder), strerror(errno));
        free(to);
    }
    free(from);
    lw_text_free(&hidden);
    lw_text_free(&folder);
    return recovery->folder != NULL;
}

/* ---- The files of this run ---- */

static void put_path(struct lw_text *path, const struct lw_recovery *recovery, size_t number)
{
    lw_text_format(path, "%s/%zu", recovery->folder, number);
}

bool lw_recovery_write(struct lw_recovery *recovery, size_t number, const char *text,
                       struct lw_error *err)
{
    struct lw_text path = {0};
    if (!recovery->folder && !begin_folder(recovery, err))
        return false;
    put_path(&path, recovery, number);
    bool good = lw_file_write(lw_text_string(&path), text, err);
    lw_text_free(&path);
    return good;
}

void lw_recovery_erase(const struct lw_recovery *recovery, size_t number)
{
    struct lw_text path = {0};
    if (!recovery->folder)
        return;
    put_path(&path, recovery, number);
    unlink(lw_text_string(&path));
    lw_text_free(&path);
}

bool lw_recovery_is_lost(const struct lw_recovery *recovery)
{
    return recovery->folder && access(recovery->folder, F_OK) != 0;
}

/* ---- The files of other runs ---- */

typedef bool take_orphan(void *context, const char *path, struct lw_error *err);

static void note_newest(const char *path, struct lw_orphans *orphans)
{
    struct lw_text text = {0};
    struct stat info;
    if (stat(path, &info) == 0 && info.st_mtime >= orphans->written &&
        lw_file_read(path, &text, NULL) && text.length) {
        text.data[strcspn(text.data, "\n")] = '\0';
        snprintf(orphans->name, sizeof orphans->name, "%s",
                 text.data[0] == '/' ? lw_base_name(text.data) : text.data);
        orphans->written = info.st_mtime;
    }
    lw_text_free(&text);
}

static void each_of_folder(const char *folder, take_orphan *take, void *context,
                           struct lw_orphans *orphans)
{
    DIR *dir = opendir(folder);
    for (struct dirent *item; dir && (item = readdir(dir));) {
        struct lw_text path = {0};
        struct lw_error err = {0};
        if (item->d_name[strspn(item->d_name, "0123456789")])
            continue;
        lw_text_format(&path, "%s/%s", folder, item->d_name);
        orphans->found++;
        note_newest(lw_text_string(&path), orphans);
        if (take && take(context, lw_text_string(&path), &err)) {
            orphans->taken++;
            unlink(lw_text_string(&path));
        } else if (orphans->why.code == LW_OK) {
            orphans->why = err;
        }
        lw_text_free(&path);
    }
    if (dir)
        closedir(dir);
    if (take)
        remove_folder(folder);
}

struct lw_orphans lw_recovery_each(take_orphan *take, void *context)
{
    struct lw_orphans orphans = {0};
    struct lw_text all = {0};
    DIR *dir = folder_of_all(&all, NULL) ? opendir(lw_text_string(&all)) : NULL;
    for (struct dirent *item; dir && (item = readdir(dir));) {
        struct lw_text folder = {0}, path = {0};
        int lock = -1;
        if (item->d_name[0] == '.')
            continue;
        lw_text_format(&folder, "%s/%s", lw_text_string(&all), item->d_name);
        lw_text_format(&path, "%s/lock", lw_text_string(&folder));
        if (lock_file(lw_text_string(&path), O_RDWR, &lock))
            each_of_folder(lw_text_string(&folder), take, context, &orphans);
        if (lock >= 0)
            close(lock);
        lw_text_free(&path);
        lw_text_free(&folder);
    }
    if (dir)
        closedir(dir);
    lw_text_free(&all);
    if (!orphans.name[0])
        snprintf(orphans.name, sizeof orphans.name, "a layout whose file cannot be read");
    return orphans;
}
