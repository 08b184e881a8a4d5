/* What is not saved is kept in a file of its own after each edit, so that a crash, a lost terminal or
 * a killed program loses nothing; the next start offers it.
 *
 * One file a document, named PROCESS-NUMBER; its first line is what the layout was called, the rest
 * the document. */

#include "tui/explorer.h"
#include "tui/files.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool path_of(struct lw_text *path, const char *name, struct lw_error *err)
{
    char below[300];
    snprintf(below, sizeof below, "unsaved/%s", name);
    return lw_folder_path(path, LW_FOLDER_STATE, below, err);
}

static void name_of(char name[48], size_t index)
{
    snprintf(name, 48, "%ld-%zu", (long)getpid(), index);
}

static void put_entry(struct lw_text *text, const struct lw_entry *entry)
{
    const char *name = entry->label[0] ? entry->label : entry->source;
    lw_text_format(text, "%.*s\n", (int)strcspn(name, "\n"), name);
    lw_document_print(text, &entry->doc);
}

void lw_recovery_keep(struct lw_explorer *ex, size_t index)
{
    struct lw_entry *entry = &ex->entries[index];
    struct lw_text path = {0}, text = {0};
    struct lw_error err = {0};
    char name[48];
    if (!ex->keeps || (!entry->dirty && !entry->kept))
        return;
    name_of(name, index);
    bool good = path_of(&path, name, &err);
    if (good && entry->dirty) {
        put_entry(&text, entry);
        good = lw_folder_make(lw_text_string(&path), &err) &&
               lw_file_write(lw_text_string(&path), lw_text_string(&text), &err);
        entry->kept = good;
    } else if (good) {
        unlink(lw_text_string(&path));
        entry->kept = false;
    }
    if (!good && !ex->told_unkept) {
        ex->told_unkept = true;
        lw_explorer_say(ex, true, "a crash would lose this edit: %s", err.message);
    }
    lw_text_free(&path);
    lw_text_free(&text);
}

void lw_recovery_forget(struct lw_explorer *ex)
{
    for (size_t i = 0; i < ex->entry_count; i++) {
        ex->entries[i].dirty = false;
        lw_recovery_keep(ex, i);
    }
}

/* ---- At the next start ---- */

/* Whether a file is one of a program that is no more. */
static bool is_orphan(const char *name)
{
    char *end;
    long pid = strtol(name, &end, 10);
    return end != name && *end == '-' && pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

/* Does something with each orphan; returns how many there are. */
static size_t each_orphan(struct lw_explorer *ex,
                          bool (*run)(struct lw_explorer *ex, const char *path))
{
    struct lw_text folder = {0};
    size_t count = 0;
    DIR *dir = path_of(&folder, "", NULL) ? opendir(lw_text_string(&folder)) : NULL;
    for (struct dirent *item; dir && (item = readdir(dir));) {
        struct lw_text path = {0};
        if (!is_orphan(item->d_name) || !path_of(&path, item->d_name, NULL))
            continue;
        count++;
        if (run && run(ex, lw_text_string(&path)))
            unlink(lw_text_string(&path));
        lw_text_free(&path);
    }
    if (dir)
        closedir(dir);
    lw_text_free(&folder);
    return count;
}

/* Opens one as an entry with unsaved changes. */
static bool restore_one(struct lw_explorer *ex, const char *path)
{
    struct lw_text text = {0};
    struct lw_error err = {0};
    char label[48];
    bool good = lw_file_read(path, &text, &err);
    const char *all = lw_text_string(&text), *json = strchr(all, '\n');
    if (good && json) {
        snprintf(label, sizeof label, "%.*s", (int)(json - all), all);
        good = lw_explorer_add(ex, json + 1, label);
    }
    if (good && json) {
        lw_explorer_entry(ex)->recovered = true;
        lw_save_note(ex);
    }
    lw_text_free(&text);
    return good && json;
}

static bool drop_one(struct lw_explorer *ex, const char *path)
{
    (void)ex;
    (void)path;
    return true;
}

static void restore(struct lw_explorer *ex)
{
    size_t count = each_orphan(ex, restore_one);
    ex->place = LW_AT_VIEW;
    if (!ex->message_bad)
        lw_explorer_say(ex, false, "%zu restored: s saves", count);
}

static void drop(struct lw_explorer *ex)
{
    each_orphan(ex, drop_one);
}

static const struct lw_reply answers[] = {{'r', "restore", restore}, {'d', "discard", drop}, {0}};

void lw_recovery_offer(struct lw_explorer *ex)
{
    size_t count = each_orphan(ex, NULL);
    ex->keeps = true;
    if (count)
        lw_ask(ex, answers, "unsaved changes of %zu %s were kept", count,
               count == 1 ? "layout" : "layouts");
}
