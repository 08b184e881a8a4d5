/* What a step lets change. Its closing text speaks of the layout that it began with, but for the
 * parameters that it is about: when another one was changed too, the text could be wrong, so the goal
 * does not count as met.
 *
 * The parameters at the start are kept as lines: path, tab, value. */

#include "tui/lesson_run.h"

#include <string.h>

void lw_lesson_note_fields(struct lw_explorer *ex)
{
    struct lw_text *kept = &ex->lesson->fields;
    lw_text_clear(kept);
    for (size_t i = 0; i < ex->field_count; i++)
        if (ex->fields[i].path[0])
            lw_text_format(kept, "%s\t%s\n", ex->fields[i].path,
                           lw_text_string(&ex->fields[i].text));
}

/* The value that a parameter had, and its length; NULL: there was no such parameter. */
static const char *value_before(const struct lw_lesson_run *run, const char *path, size_t *length)
{
    size_t name = strlen(path);
    for (const char *p = lw_text_string(&run->fields); *p; p += strcspn(p, "\n") + 1)
        if (!strncmp(p, path, name) && p[name] == '\t') {
            *length = strcspn(p + name + 1, "\n");
            return p + name + 1;
        }
    return NULL;
}

/* Whether a parameter is one of the first layout's own: neither of the tensor nor of the second layout. */
static bool is_of_encoding(const char *path)
{
    return strcmp(path, "shape") != 0 && strcmp(path, "element") != 0 &&
           strncmp(path, "with.", 5) != 0;
}

bool lw_lesson_may_change(const struct lw_step *step, const char *path)
{
    for (size_t i = 0; i < step->change_count; i++)
        if (!strcmp(step->change[i], path) ||
            (!strcmp(step->change[i], "encoding") && is_of_encoding(path)))
            return true;
    return !step->change;
}

static void put_why(struct lw_text *text, const struct lw_step *step, const struct lw_field *field,
                    const char *before, size_t length)
{
    lw_text_add(text, step->change_count ? "Only " : "Nothing");
    for (size_t i = 0; i < step->change_count; i++)
        lw_text_format(text, "%s%s",
                       i == 0                        ? ""
                       : i + 1 == step->change_count ? " and "
                                                     : ", ",
                       step->change[i]);
    lw_text_format(text, " may change here, but %s is %s now", field->path,
                   lw_text_string(&field->text));
    enum { WHOLE = 60 }; /* longer values are not typed again */
    if (before && length <= WHOLE)
        lw_text_format(text, ": :set %s=%.*s sets it back", field->path, (int)length, before);
    else
        lw_text_add(text, ": R begins this step again");
}

bool lw_lesson_strays(const struct lw_explorer *ex, struct lw_text *why)
{
    const struct lw_step *step = lw_lesson_step(ex->lesson);
    for (size_t i = 0; step && step->change && i < ex->field_count; i++) {
        const struct lw_field *field = &ex->fields[i];
        size_t length = 0;
        if (!field->path[0] || !field->said || lw_lesson_may_change(step, field->path))
            continue;
        const char *before = value_before(ex->lesson, field->path, &length);
        const char *now = lw_text_string(&field->text);
        if (before && strlen(now) == length && !strncmp(before, now, length))
            continue;
        if (why)
            put_why(why, step, field, before, length);
        return true;
    }
    return false;
}
