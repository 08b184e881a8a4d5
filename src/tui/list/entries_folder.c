/* The list of a folder of layouts: its documents and lessons, by their paths. */

#include "kernel/kernel_folder.h"
#include "tui/lesson/lesson_run.h"

#include <string.h>

/* The entry of a file, which is added if none of the first `before` has it; list.count: memory is out. */
static size_t entry_of(struct lw_explorer *ex, const struct lw_kernel_file *file, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (!strcmp(ex->list.entries[i].source, file->path))
            return i;
    struct lw_entry *entry = lw_entry_add(ex, file->path, file->below);
    if (!entry)
        return ex->list.count;
    if (lw_lesson_is_text_file(file->path))
        entry->lesson = entry->own;
    return ex->list.count - 1;
}

/* Adds the files of a folder to the list, and shows the first of them. */
static bool add_folder(struct lw_explorer *ex, const char *path, struct lw_error *err)
{
    enum { MOST = 4096 };
    struct lw_kernel_folder folder;
    const struct lw_kernel_options options = {.stop = ex->stop.requested,
                                              .stop_context = ex->stop.context};
    const size_t before = ex->list.count;
    size_t first = before;
    bool good = true;
    if (!lw_layout_folder_open(&folder, path, &options, err))
        return false;
    for (size_t i = 0; i < folder.count && i < MOST && good; i++) {
        size_t entry = entry_of(ex, &folder.files[i], before);
        good = entry < ex->list.count;
        first = i ? first : entry;
    }
    if (good && (folder.cut || folder.count > MOST))
        lw_explorer_set_message(ex, false, "the list has only %zu of the layouts in %.80s",
                                folder.count < MOST ? folder.count : MOST, path);
    lw_kernel_folder_free(&folder);
    ex->list.entry = first;
    ex->changed |= LW_CHANGED_ENTRY;
    return good || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

bool lw_entries_of_folder(struct lw_explorer *ex, struct lw_error *err)
{
    bool good = add_folder(ex, ex->options->sources[0], err);
    for (size_t i = 0; i < ex->list.count; i++)
        ex->list.entries[i].given = true;
    return good;
}

bool lw_entries_open_folder(struct lw_explorer *ex, const char *path, struct lw_error *err)
{
    if (err->code != LW_ERROR_NAME || !lw_is_folder(path) || !add_folder(ex, path, err))
        return false;
    if (ex->trail.count)
        ex->trail.steps[ex->trail.count - 1].lists = true; /* the step back leads there */
    ex->focus = LW_FOCUS_GALLERY;
    return true;
}
