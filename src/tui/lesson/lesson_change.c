/* Which parameters may change in a step. Its closing text describes the layout of its start with only those parameters
 * changed: if another one was changed too, the text could be wrong, so the goal is not met.
 *
 * The parameters at the start are recorded as lines: "+" when it is set, else "-", path, tab, value. */

#include "tui/lesson/lesson_run.h"

#include <string.h>

/* A parameter at the start. */
struct snapshot {
    bool is_set;
    char path[LW_PATH_MAX];
    const char *value;
    size_t length;
};

void lw_lesson_record_fields(struct lw_explorer *ex)
{
    struct lw_text *snapshot = &ex->lesson->fields;
    lw_text_clear(snapshot);
    for (size_t i = 0; i < ex->form.count; i++) {
        const struct lw_field *field = &ex->form.fields[i];
        if (field->path[0] && !field->folds)
            lw_text_format(snapshot, "%c%s\t%s\n", field->is_set ? '+' : '-', field->path,
                           lw_text_string(&field->text));
    }
}

/* Reads a line, and returns the next one; NULL: there are no more. */
static const char *next_snapshot(const char *line, struct snapshot *snapshot)
{
    if (!*line)
        return NULL;
    size_t path = strcspn(line, "\t");
    snapshot->is_set = *line == '+';
    snprintf(snapshot->path, sizeof snapshot->path, "%.*s", (int)path - 1, line + 1);
    snapshot->value = line + path + 1;
    snapshot->length = strcspn(snapshot->value, "\n");
    return snapshot->value + snapshot->length + 1;
}

static bool find_snapshot(const struct lw_lesson_run *run, const char *path,
                          struct snapshot *snapshot)
{
    for (const char *p = lw_text_string(&run->fields); (p = next_snapshot(p, snapshot));)
        if (!strcmp(snapshot->path, path))
            return true;
    return false;
}

static bool is_as_before(const struct lw_field *field, const struct snapshot *before)
{
    const char *now = lw_text_string(&field->text);
    return strlen(now) == before->length && !strncmp(before->value, now, before->length);
}

static const struct lw_field *field_at(const struct lw_explorer *ex, const char *path)
{
    for (size_t i = 0; i < ex->form.count; i++)
        if (!strcmp(ex->form.fields[i].path, path))
            return &ex->form.fields[i];
    return NULL;
}

/* Whether a parameter belongs to the document's own layout, not to the tensor or to another layout. */
static bool is_of_encoding(const char *path)
{
    for (int i = 0; i < LW_SIDES; i++) {
        const char *key = lw_side_key((enum lw_side)i);
        if (!strncmp(path, key, strlen(key)) && path[strlen(key)] == '.')
            return false;
    }
    return strcmp(path, "shape") != 0 && strcmp(path, "element") != 0;
}

static bool may_change(const struct lw_step *step, const char *path)
{
    for (size_t i = 0; i < step->change.count; i++)
        if (!strcmp(step->change.lines[i], path) ||
            (!strcmp(step->change.lines[i], "encoding") && is_of_encoding(path)))
            return true;
    return !step->change.lines;
}

/* `now` or `before` is NULL when there is, or was, no such parameter. */
static void put_why(struct lw_text *text, const struct lw_step *step, const char *path,
                    const struct lw_field *now, const struct snapshot *before)
{
    lw_text_add(text, step->change.count ? "Only " : "Nothing");
    for (size_t i = 0; i < step->change.count; i++)
        lw_text_format(text, "%s%s",
                       i == 0                        ? ""
                       : i + 1 == step->change.count ? " and "
                                                     : ", ",
                       step->change.lines[i]);
    lw_text_format(text, " may change in this step, but %s is %s now", path,
                   !now               ? "not a parameter"
                   : now->text.length ? lw_text_string(&now->text)
                                      : "not set");
    enum { WHOLE = 60 }; /* longer values are not suggested */
    if (now && before && before->length <= WHOLE)
        lw_text_format(text, ": :set %s=%.*s sets it back", path, (int)before->length,
                       before->value);
    else
        lw_text_add(text, ": R restarts this step");
}

bool lw_lesson_disallowed_change(const struct lw_explorer *ex, struct lw_text *why)
{
    const struct lw_lesson_run *run = ex->lesson;
    const struct lw_step *step = lw_lesson_step(run);
    struct snapshot before;
    if (!step || !step->change.lines)
        return false;
    for (size_t i = 0; i < ex->form.count; i++) {
        const struct lw_field *field = &ex->form.fields[i];
        if (!field->path[0] || field->folds || !field->is_set || may_change(step, field->path))
            continue;
        bool had = find_snapshot(run, field->path, &before);
        if (had && is_as_before(field, &before))
            continue;
        if (why)
            put_why(why, step, field->path, field, had ? &before : NULL);
        return true;
    }
    /* Parameters that were set and no longer are. */
    for (const char *p = lw_text_string(&run->fields); (p = next_snapshot(p, &before));) {
        const struct lw_field *field = field_at(ex, before.path);
        if (!before.is_set || may_change(step, before.path) ||
            (field && (field->is_set || is_as_before(field, &before))))
            continue;
        if (why)
            put_why(why, step, before.path, field, &before);
        return true;
    }
    return false;
}
