/* Progress in the lessons, kept from one run to the next. A file that cannot be read whole is never
 * written over. */

#include "tui/keep/files.h"
#include "tui/lesson/lesson_run.h"

#include "notation/document/read.h"

#include <stdlib.h>
#include <string.h>

/* Name number i, and how long it is. */
static const char *name_at(const struct lw_progress *progress, size_t i, size_t *length)
{
    const char *p = lw_text_string(&progress->names);
    while (i--)
        p += strcspn(p, "\n") + 1;
    *length = strcspn(p, "\n");
    return p;
}

static size_t find(const struct lw_progress *progress, const char *name)
{
    for (size_t i = 0; i < progress->count; i++) {
        size_t length;
        const char *own = name_at(progress, i, &length);
        if (length == strlen(name) && !strncmp(own, name, length))
            return i;
    }
    return progress->count;
}

static bool add(struct lw_progress *progress, const char *name, uint64_t steps)
{
    uint64_t *more = realloc(progress->steps, (progress->count + 1) * sizeof *more);
    if (!more)
        return false;
    progress->steps = more;
    progress->steps[progress->count++] = steps;
    lw_text_format(&progress->names, "%s\n", name);
    return true;
}

static void refuse(struct lw_progress *progress, const struct lw_error *err)
{
    progress->cannot_save = true;
    progress->why = *err;
}

static bool read_all(struct lw_progress *progress, const struct lw_text *text,
                     struct lw_arena *arena, struct lw_error *err)
{
    struct lw_value object;
    const char *string = lw_text_string(text);
    if (!lw_check_text(string, text->length, err) ||
        !lw_read_json(arena, string, text->length, &object, err))
        return false;
    if (object.kind != LW_VALUE_OBJECT)
        return lw_error_at(err, LW_ERROR_SYNTAX, object.position,
                           "progress is an object: {\"banks\": 3}");
    for (size_t i = 0; i < object.count; i++) {
        const struct lw_value *value = &object.items[i];
        if (value->kind != LW_VALUE_INTEGER || value->integer < 0 || strchr(object.names[i], '\n'))
            return lw_error_at(err, LW_ERROR_SYNTAX, value->position,
                               "%.40s must be how many steps are done", object.names[i]);
        add(progress, object.names[i], (uint64_t)value->integer);
    }
    return true;
}

void lw_progress_load(struct lw_progress *progress)
{
    struct lw_text path = {0}, text = {0};
    struct lw_error err = {0};
    struct lw_arena arena = {0};
    memset(progress, 0, sizeof *progress);
    if (!lw_folder_path(&path, LW_FOLDER_STATE, "progress.json", &err))
        refuse(progress, &err);
    else if (lw_file_read(lw_text_string(&path), &text, &err)) {
        if (!read_all(progress, &text, &arena, &err)) {
            struct lw_error why = err;
            snprintf(why.message, sizeof why.message, "progress.json:%d:%d: %.300s",
                     err.position.line, err.position.column, err.message);
            refuse(progress, &why);
        }
    } else if (err.code != LW_OK)
        refuse(progress, &err);
    lw_arena_free(&arena);
    lw_text_free(&path);
    lw_text_free(&text);
}

uint64_t lw_progress_get(const struct lw_progress *progress, const char *name)
{
    size_t i = find(progress, name);
    return i < progress->count ? progress->steps[i] : 0;
}

static void raise_steps(struct lw_progress *progress, const char *name, uint64_t steps)
{
    size_t i = find(progress, name);
    if (i == progress->count)
        add(progress, name, steps);
    else if (progress->steps[i] < steps)
        progress->steps[i] = steps;
}

/* Takes what other runs have done meanwhile; false when the file cannot be read whole any more. */
static bool merge(struct lw_progress *progress, struct lw_error *err)
{
    struct lw_progress now;
    lw_progress_load(&now);
    bool good = !now.cannot_save;
    *err = now.why;
    for (size_t i = 0; i < now.count && good; i++) {
        size_t length;
        const char *own = name_at(&now, i, &length);
        char *name = strndup(own, length);
        if (name)
            raise_steps(progress, name, now.steps[i]);
        free(name);
    }
    lw_progress_free(&now);
    return good;
}

static void print(const struct lw_progress *progress, struct lw_text *text)
{
    lw_text_add(text, "{");
    for (size_t i = 0; i < progress->count; i++) {
        size_t length;
        char name[256];
        const char *own = name_at(progress, i, &length);
        snprintf(name, sizeof name, "%.*s", (int)(length < 255 ? length : 255), own);
        lw_text_add(text, i ? ",\n  " : "\n  ");
        lw_text_json_string(text, name);
        lw_text_format(text, ": %llu", (unsigned long long)progress->steps[i]);
    }
    lw_text_add(text, "\n}\n");
}

static bool save(struct lw_progress *progress, struct lw_error *err)
{
    struct lw_text path = {0}, text = {0};
    bool good = lw_folder_path(&path, LW_FOLDER_STATE, "progress.json", err) &&
                lw_folder_make(lw_text_string(&path), err);
    if (good) {
        int lock = lw_file_lock(lw_text_string(&path));
        good = merge(progress, err);
        print(progress, &text);
        good = good && lw_file_write(lw_text_string(&path), lw_text_string(&text), err);
        lw_file_unlock(lock);
    }
    lw_text_free(&path);
    lw_text_free(&text);
    return good;
}

bool lw_progress_set(struct lw_progress *progress, const char *name, uint64_t steps)
{
    struct lw_error err = {0};
    size_t i = find(progress, name);
    if (i < progress->count && progress->steps[i] >= steps)
        return true;
    raise_steps(progress, name, steps);
    if (progress->cannot_save)
        return true;
    if (save(progress, &err))
        return true;
    refuse(progress, &err);
    return false;
}

void lw_progress_free(struct lw_progress *progress)
{
    lw_text_free(&progress->names);
    free(progress->steps);
    memset(progress, 0, sizeof *progress);
}
