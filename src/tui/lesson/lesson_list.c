/* The lessons in the list of layouts, with how far one is in each. */

#include "tui/lesson/lesson_run.h"

#include <string.h>

void lw_lesson_set_progress(struct lw_entry *entry, uint64_t done, size_t steps)
{
    if (done >= steps)
        snprintf(entry->note, sizeof entry->note, "done");
    else
        snprintf(entry->note, sizeof entry->note, "%u of %u", (unsigned)done, (unsigned)steps);
}

/* Whether all steps of an entry's lesson are done. */
static bool note_entry(struct lw_entry *entry, const struct lw_progress *progress)
{
    struct lw_lesson lesson;
    struct lw_report report = {0};
    struct lw_error err = {0};
    char name[64];
    if (!lw_lesson_open(&lesson, entry->lesson, &report, &err))
        return false;
    lw_lesson_key(name, entry->lesson);
    uint64_t done = lw_progress_get(progress, name);
    bool all = done >= lesson.step_count;
    lw_lesson_set_progress(entry, done, lesson.step_count);
    snprintf(entry->title, sizeof entry->title, "%s", lesson.title);
    lw_lesson_free(&lesson);
    return all;
}

void lw_lesson_list(struct lw_explorer *ex)
{
    struct lw_progress progress = {0};
    size_t first = ex->entry_count, next = ex->entry_count;
    if (ex->settings_saved)
        lw_progress_load(&progress);
    if (progress.cannot_save)
        lw_warn(ex, progress.why.message);
    for (size_t i = 0; i < ex->entry_count; i++) {
        if (!ex->entries[i].lesson)
            continue;
        bool all = note_entry(&ex->entries[i], &progress);
        first = first < ex->entry_count ? first : i;
        next = next < ex->entry_count || all ? next : i;
    }
    bool warned = progress.cannot_save;
    lw_progress_free(&progress);
    if (first == ex->entry_count) {
        lw_explorer_set_message(ex, false, "there are no lessons here: 'laneway learn' has them");
        return;
    }
    ex->list_top = first;
    lw_explorer_show(ex, next < ex->entry_count ? next : first);
    ex->focus = LW_FOCUS_GALLERY;
    if (!warned)
        lw_explorer_set_message(ex, false, "Up and Down choose a lesson, Enter begins it");
}
