/* One entry of the list: its two documents, its name and title, and the file that it was read from. */

#include "laneway/kernel.h"
#include "tui/list/entries.h"
#include "core/base_name.h"

#include <stdlib.h>
#include <sys/stat.h>

/* ---- The two documents ---- */

void lw_entry_clear(struct lw_list *list, struct lw_entry *entry)
{
    entry->original = entry->doc = &list->empty;
}

void lw_entry_drop(struct lw_entry *entry)
{
    if (!entry->loaded)
        return;
    lw_document_free(entry->doc);
    lw_document_free(entry->original);
    free(entry->original);
    entry->original = entry->doc = NULL;
    entry->loaded = false;
}

bool lw_entry_put(struct lw_entry *entry, struct lw_document *original, struct lw_document *doc,
                  struct lw_error *err)
{
    struct lw_document *both = malloc(2 * sizeof *both);
    if (!both) {
        lw_document_free(original);
        lw_document_free(doc);
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    lw_entry_drop(entry);
    both[0] = *original;
    both[1] = *doc;
    entry->original = &both[0];
    entry->doc = &both[1];
    return entry->loaded = true;
}

/* ---- Its name ---- */

const char *lw_entry_name(const struct lw_entry *entry)
{
    return entry->label[0] ? entry->label : entry->path ? lw_base_name(entry->path) : entry->source;
}

const char *lw_entry_title(struct lw_entry *entry)
{
    const struct lw_gallery_entry *named =
        entry->title[0] || entry->loaded || entry->own || entry->lesson
            ? NULL
            : lw_gallery_find(entry->source, NULL);
    if (named)
        lw_gallery_title(named, entry->title, sizeof entry->title);
    return entry->title;
}

bool lw_entry_is_kernel(const struct lw_entry *entry)
{
    return !entry->loaded && !entry->own && !entry->lesson && lw_kernel_is_dump(entry->source);
}

/* ---- The file of a document ---- */

struct lw_file_state lw_file_state_of(const char *path)
{
    struct stat info;
    if (!path || stat(path, &info) != 0)
        return (struct lw_file_state){0};
    return (struct lw_file_state){.device = info.st_dev,
                                  .inode = info.st_ino,
                                  .size = info.st_size,
                                  .written = info.st_mtim,
                                  .changed = info.st_ctim};
}

void lw_entry_record_file_state(struct lw_entry *entry)
{
    entry->file = lw_file_state_of(entry->path);
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

bool lw_entry_file_is_unchanged(const struct lw_entry *entry)
{
    const struct lw_file_state now = lw_file_state_of(entry->path), *then = &entry->file;
    return now.device == then->device && now.inode == then->inode && now.size == then->size &&
           same_time(&now.written, &then->written) && same_time(&now.changed, &then->changed);
}

void lw_entry_free(struct lw_entry *entry)
{
    lw_history_truncate(entry, 0);
    free(entry->past);
    lw_entry_drop(entry);
    if (entry->own)
        entry->source = "";
    free(entry->own);
    free(entry->path);
    entry->path = NULL;
    entry->own = NULL;
    entry->past = NULL;
}
