/* The lessons in the list of layouts, with the progress of each. */

#include "tui/lesson/lesson_run.h"

void lw_lesson_set_progress(struct lw_entry *entry, uint64_t done, size_t steps)
{
    if (done >= steps)
        snprintf(entry->note, sizeof entry->note, "done");
    else
        snprintf(entry->note, sizeof entry->note, "%u of %u", (unsigned)done, (unsigned)steps);
}

/* Sets the note of an entry's lesson; returns whether all its steps are done. */
static bool note_entry(struct lw_entry *entry, const struct lw_progress *progress)
{
    struct lw_lesson lesson;
    struct lw_report report = {0};
    struct lw_error err = {0};
    char key[LW_LESSON_KEY_MAX];
    if (!lw_lesson_open(&lesson, entry->lesson, 0, &report, &err))
        return false;
    lw_lesson_key(key, entry->lesson);
    uint64_t done = lw_progress_get(progress, key);
    bool all = done >= lesson.step_count;
    lw_lesson_set_progress(entry, done, lesson.step_count);
    snprintf(entry->title, sizeof entry->title, "%s", lesson.title);
    lw_lesson_free(&lesson);
    return all;
}

void lw_lesson_list_help(struct lw_explorer *ex)
{
    if (ex->focus == LW_FOCUS_GALLERY && lw_explorer_entry(ex)->lesson)
        lw_explorer_set_message(ex, false, "Up and Down choose a lesson, Enter begins it");
}

/* False: the file of progress could not be read, which is a warning. */
static bool load_progress(struct lw_explorer *ex, struct lw_progress *progress)
{
    struct lw_report report;
    bool good = !ex->keep.settings_saved || lw_progress_load(progress, &report);
    if (!good)
        lw_warn_of_report(ex, &report);
    return good;
}

void lw_lesson_list_marks(struct lw_explorer *ex)
{
    struct lw_progress progress = {0};
    char key[LW_LESSON_KEY_MAX];
    load_progress(ex, &progress);
    for (size_t i = 0; progress.count && i < ex->list.count; i++) {
        struct lw_entry *entry = &ex->list.entries[i];
        if (!entry->lesson)
            continue;
        lw_lesson_key(key, entry->lesson);
        if (lw_progress_get(&progress, key))
            note_entry(entry, &progress);
    }
    lw_progress_free(&progress);
}

void lw_lesson_list(struct lw_explorer *ex)
{
    struct lw_progress progress = {0};
    size_t first = ex->list.count, next = ex->list.count;
    bool warned = !load_progress(ex, &progress);
    if (lw_entries_add_lessons(ex))
        first = next = ex->list.count;
    for (size_t i = 0; i < ex->list.count; i++) {
        if (!ex->list.entries[i].lesson)
            continue;
        bool all = note_entry(&ex->list.entries[i], &progress);
        first = first < ex->list.count ? first : i;
        next = next < ex->list.count || all ? next : i;
    }
    lw_progress_free(&progress);
    if (first == ex->list.count) {
        lw_explorer_set_message(ex, false,
                                "there are no lessons in this list: 'laneway learn' opens them");
        return;
    }
    ex->list.top = first;
    lw_explorer_show(ex, next < ex->list.count ? next : first);
    ex->focus = LW_FOCUS_GALLERY;
    if (!warned)
        lw_lesson_list_help(ex);
}

void lw_lesson_list_from_here(struct lw_explorer *ex)
{
    size_t steps = ex->trail.count;
    if (lw_focus_below(ex) != LW_FOCUS_GALLERY)
        lw_trail_push(ex);
    bool pushed = ex->trail.count > steps;
    if (pushed)
        ex->trail.steps[steps].lists = true;
    lw_lesson_list(ex);
    if (pushed && ex->focus != LW_FOCUS_GALLERY) /* there are no lessons */
        lw_trail_drop(ex);
}
