/* What is not saved is kept in a file of its own after each edit, so that a crash, a lost terminal or
 * a killed program loses nothing; the next start offers it.
 *
 * Each run has a folder of its own, `unsaved/NAME`, with a file `lock` that is locked while the program
 * runs: whoever gets that lock knows that the run is over, on whatever machine it was. A document is a
 * file named by its number; its first line is what the layout was called, the rest the document. */

#include "tui/explore/explorer.h"
#include "tui/keep/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- The folder of this run ---- */

static bool folder_of_all(struct lw_text *path, struct lw_error *err)
{
    return lw_folder_path(path, LW_FOLDER_STATE, "unsaved", err);
}

/* Takes a run's folder away, if nothing but its lock is in it. */
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

/* Gets the lock of a run, which is this one's or over. Where that cannot be told it is not had: only a run
 * without a lock is surely none. */
static bool lock_file(const char *path, int flags, int *file)
{
    *file = open(path, flags | O_CLOEXEC, 0600);
    return *file < 0 ? errno == ENOENT : flock(*file, LOCK_EX | LOCK_NB) == 0;
}

/* The folder and its lock are made under a name with a dot, which nobody looks at, and get the name of a
 * run's folder when the lock is held. */
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

/* ---- Keeping ---- */

/* What can be opened again: the document as it is or as it last was legal. */
static const struct lw_document *last_legal(const struct lw_entry *entry)
{
    const struct lw_document *doc = &entry->doc;
    for (size_t i = entry->past_count; !lw_subject_fits(doc, NULL) && i-- > 0;)
        doc = &entry->past[i];
    return doc;
}

static void put_entry(struct lw_text *text, const struct lw_entry *entry)
{
    const char *name = entry->label[0] ? entry->label : entry->source;
    lw_text_format(text, "%.*s\n", (int)strcspn(name, "\n"), name);
    lw_document_print(text, last_legal(entry));
}

static bool write_entry(struct lw_recovery *recovery, const struct lw_entry *entry, size_t index,
                        struct lw_error *err)
{
    struct lw_text path = {0}, text = {0};
    bool good = recovery->folder || begin_folder(recovery, err);
    if (good) {
        put_entry(&text, entry);
        lw_text_format(&path, "%s/%zu", recovery->folder, index);
        good = lw_file_write(lw_text_string(&path), lw_text_string(&text), err);
    }
    lw_text_free(&path);
    lw_text_free(&text);
    return good;
}

static void remove_entry(const struct lw_recovery *recovery, struct lw_entry *entry, size_t index)
{
    struct lw_text path = {0};
    entry->has_recovery = false;
    lw_text_format(&path, "%s/%zu", recovery->folder, index);
    if (recovery->folder)
        unlink(lw_text_string(&path));
    lw_text_free(&path);
}

/* The folder of this run is gone: what else was kept in it is kept again in the next one. */
static bool use_new_folder(struct lw_explorer *ex, size_t index, struct lw_error *err)
{
    if (!ex->keep.recovery.folder || access(ex->keep.recovery.folder, F_OK) == 0)
        return false;
    lw_recovery_close(&ex->keep.recovery);
    for (size_t i = 0; i < ex->list.count; i++)
        if (i != index && ex->list.entries[i].has_recovery)
            ex->list.entries[i].has_recovery =
                write_entry(&ex->keep.recovery, &ex->list.entries[i], i, err);
    return write_entry(&ex->keep.recovery, &ex->list.entries[index], index, err);
}

void lw_recovery_update(struct lw_explorer *ex, size_t index)
{
    struct lw_entry *entry = &ex->list.entries[index];
    struct lw_error err = {0};
    if (!ex->keep.recovery.on || (!entry->dirty && !entry->has_recovery))
        return;
    /* Nor is there anything to keep where no edit was legal. */
    if (!entry->dirty ||
        (!entry->recovered && lw_documents_equal(last_legal(entry), &entry->original))) {
        if (entry->has_recovery)
            remove_entry(&ex->keep.recovery, entry, index);
        return;
    }
    entry->has_recovery =
        write_entry(&ex->keep.recovery, entry, index, &err) || use_new_folder(ex, index, &err);
    if (!entry->has_recovery && !ex->keep.recovery.was_reported) {
        ex->keep.recovery.was_reported = true;
        lw_explorer_set_message(ex, true, "a crash would lose this edit: %s", err.message);
    }
}

void lw_recovery_remove(struct lw_explorer *ex)
{
    for (size_t i = 0; i < ex->list.count; i++) {
        ex->list.entries[i].dirty = false;
        lw_recovery_update(ex, i);
    }
}

/* ---- At the next start ---- */

struct orphans {
    size_t found, taken;
    struct lw_error why; /* the first that could not be taken */
    char name[25];       /* what the one that was kept last is called, and when that was */
    time_t has_recovery;
};

typedef bool take_orphan(struct lw_explorer *ex, const char *path, struct lw_error *err);

static void note_orphan(const char *path, struct orphans *orphans)
{
    struct lw_text text = {0};
    struct stat info;
    if (stat(path, &info) == 0 && info.st_mtime >= orphans->has_recovery &&
        lw_file_read(path, &text, NULL) && text.length) {
        text.data[strcspn(text.data, "\n")] = '\0';
        snprintf(orphans->name, sizeof orphans->name, "%s",
                 text.data[0] == '/' ? lw_base_name(text.data) : text.data);
        orphans->has_recovery = info.st_mtime;
    }
    lw_text_free(&text);
}

/* Does something with each document of a run that is over; what was taken is removed. */
static void each_of_folder(struct lw_explorer *ex, const char *folder, take_orphan *take,
                           struct orphans *orphans)
{
    DIR *dir = opendir(folder);
    for (struct dirent *item; dir && (item = readdir(dir));) {
        struct lw_text path = {0};
        struct lw_error err = {0};
        if (item->d_name[strspn(item->d_name, "0123456789")])
            continue;
        lw_text_format(&path, "%s/%s", folder, item->d_name);
        orphans->found++;
        note_orphan(lw_text_string(&path), orphans);
        if (take && take(ex, lw_text_string(&path), &err)) {
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

static struct orphans each_orphan(struct lw_explorer *ex, take_orphan *take)
{
    struct orphans orphans = {0};
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
            each_of_folder(ex, lw_text_string(&folder), take, &orphans);
        if (lock >= 0)
            close(lock);
        lw_text_free(&path);
        lw_text_free(&folder);
    }
    if (dir)
        closedir(dir);
    lw_text_free(&all);
    return orphans;
}

/* Opens one as an entry with unsaved changes. */
static bool restore_one(struct lw_explorer *ex, const char *path, struct lw_error *err)
{
    struct lw_text text = {0};
    char label[48];
    bool good = lw_file_read(path, &text, err);
    const char *all = lw_text_string(&text), *json = strchr(all, '\n');
    if (!good && err->code == LW_OK)
        lw_error_set(err, LW_ERROR_IO, "%.200s: %s", path, strerror(ENOENT));
    if (good && !json)
        good = lw_error_set(err, LW_ERROR_SYNTAX, "%.200s: no document is in it", path);
    if (good) { /* the newline goes with it: places are those in the file */
        snprintf(label, sizeof label, "%.*s", (int)(json - all), all);
        good = lw_explorer_add(ex, json, label) ||
               lw_error_set(err, LW_ERROR_SYNTAX, "%.200s:%.200s", path, ex->status.message);
    }
    lw_text_free(&text);
    if (!good)
        return false;
    lw_explorer_entry(ex)->recovered = true;
    lw_save_update(ex);
    return lw_explorer_entry(ex)->has_recovery ||
           lw_error_set(err, LW_ERROR_IO, "%.200s", ex->status.message);
}

static bool drop_one(struct lw_explorer *ex, const char *path, struct lw_error *err)
{
    (void)ex;
    (void)path;
    (void)err;
    return true;
}

static void restore(struct lw_explorer *ex)
{
    struct orphans orphans = each_orphan(ex, restore_one);
    ex->focus = LW_FOCUS_VIEW;
    if (orphans.taken == orphans.found)
        lw_explorer_set_message(ex, false, "%zu restored: s saves", orphans.taken);
    else
        lw_explorer_set_message(ex, true, "%zu of %zu restored: %s", orphans.taken, orphans.found,
                                orphans.why.message);
}

static void drop(struct lw_explorer *ex)
{
    each_orphan(ex, drop_one);
}

static const struct lw_reply answers[] = {{'r', "restore", restore}, {'d', "discard", drop}, {0}};

void lw_recovery_offer(struct lw_explorer *ex)
{
    struct orphans all = each_orphan(ex, NULL);
    char when[24] = "";
    struct tm has_recovery, now;
    time_t today = time(NULL);
    ex->keep.recovery.on = true;
    if (localtime_r(&all.has_recovery, &has_recovery) && localtime_r(&today, &now))
        strftime(when, sizeof when,
                 has_recovery.tm_yday == now.tm_yday && has_recovery.tm_year == now.tm_year
                     ? "%H:%M"
                     : "%Y-%m-%d",
                 &has_recovery);
    if (all.found)
        lw_question_open(ex, answers, "unsaved changes of %zu %s were kept: %s%s, %s", all.found,
                         all.found == 1 ? "layout" : "layouts", all.name,
                         all.found == 1 ? "" : ", ...", when);
}
