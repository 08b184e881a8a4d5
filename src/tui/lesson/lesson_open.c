/* Reads a lesson: a built-in one, or a file. */

#include "tui/keep/keep_file.h"
#include "tui/lesson/lesson_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool lw_lesson_is_file(const char *source)
{
    size_t length = strlen(source);
    return strchr(source, '/') || (length > 5 && !strcmp(source + length - 5, ".json"));
}

void lw_lesson_key(char key[LW_LESSON_KEY_MAX], const char *source)
{
    char *path = lw_lesson_is_file(source) ? realpath(source, NULL) : NULL;
    const struct lw_gallery_entry *entry =
        lw_lesson_is_file(source) ? NULL : lw_lesson_find(source, NULL);
    snprintf(key, LW_LESSON_KEY_MAX, "%s", entry ? lw_lesson_name(entry) : path ? path : source);
    free(path);
}

bool lw_lesson_is_text_file(const char *source)
{
    struct lw_text text = {0};
    bool is_lesson = lw_lesson_is_file(source) && lw_file_read(source, &text, NULL) &&
                     lw_is_lesson_text(lw_text_string(&text), text.length);
    lw_text_free(&text);
    return is_lesson;
}

static bool read_lesson(struct lw_lesson *lesson, const char *text, size_t length, uint64_t seed,
                        struct lw_report *report)
{
    size_t count;
    struct lw_error problem;
    const struct lw_goal_kind *kinds = lw_goal_kinds(&count);
    if (lw_lesson_read(lesson, text, length, seed, kinds, count, &problem))
        return true;
    lw_report_add(report, &problem);
    return false;
}

bool lw_lesson_open(struct lw_lesson *lesson, const char *source, uint64_t seed,
                    struct lw_report *report, struct lw_error *err)
{
    if (!lw_lesson_is_file(source)) {
        const struct lw_gallery_entry *entry = lw_lesson_find(source, err);
        return entry && read_lesson(lesson, entry->text, strlen(entry->text), seed, report);
    }
    struct lw_text text = {0};
    bool good = lw_file_read(source, &text, err);
    if (!good && err && err->code == LW_OK)
        lw_error_set(err, LW_ERROR_IO, "%s", strerror(ENOENT));
    good = good && read_lesson(lesson, lw_text_string(&text), text.length, seed, report);
    lw_text_free(&text);
    return good;
}

bool lw_lesson_load(struct lw_entry *entry, struct lw_error *err)
{
    struct lw_lesson lesson;
    struct lw_report report = {0};
    if (!lw_lesson_open(&lesson, entry->lesson, 0, &report, err)) {
        if (err && report.total)
            *err = report.errors[0];
        return false;
    }
    struct lw_document first = lesson.steps[0].open; /* with the lesson's text in the list */
    if (*lesson.about)
        first.about = lesson.about;
    struct lw_document doc, original;
    bool good = lw_document_copy(&doc, &first, err);
    if (good && !lw_document_copy(&original, &first, err)) {
        lw_document_free(&doc);
        good = false;
    }
    lw_lesson_free(&lesson);
    return good && lw_entry_put(entry, &original, &doc, err);
}
