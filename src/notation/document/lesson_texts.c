/* The texts of a lesson: strings and lists of strings with markers, and the problems that are found in them. */

#include "notation/document/lesson_reading.h"

#include <string.h>

void lw_lesson_problem(struct lw_lesson_reading *reading, struct lw_position position,
                       const char *format, ...)
{
    struct lw_error err = {.code = LW_ERROR_SYNTAX, .position = position};
    va_list args;
    va_start(args, format);
    vsnprintf(err.message, sizeof err.message, format, args);
    va_end(args);
    lw_error_excerpt(&err, reading->text, reading->length);
    lw_report_add(reading->report, &err);
}

void lw_lesson_problem_of(struct lw_lesson_reading *reading, struct lw_error *err,
                          struct lw_position position)
{
    if (!err->position.line)
        err->position = position;
    lw_error_excerpt(err, reading->text, reading->length);
    lw_report_add(reading->report, err);
}

/* ---- Texts ---- */

const struct lw_goal_kind *lw_goal_kind_find(const struct lw_goal_kind *kinds, size_t count,
                                             const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(kinds[i].name) == length && !strncmp(kinds[i].name, name, length))
            return &kinds[i];
    return NULL;
}

static const char *kind_at(const void *context, size_t i)
{
    return ((const struct lw_lesson_reading *)context)->kinds[i].name;
}

void lw_lesson_unknown(struct lw_lesson_reading *reading, struct lw_position position,
                       const char *what, const char *name)
{
    char hint[LW_HINT_MAX];
    const char *near = lw_text_nearest(name, reading->kind_count, kind_at, reading);
    lw_lesson_problem(reading, position, "unknown %s '%.40s'%s", what, name,
                      lw_text_hint(hint, near, "; 'laneway help goals' lists them"));
}

/* A sum has names of goals, numbers, and fields of elements: 32 * load-each, bank of 3,5 ^ 1. */
void lw_lesson_check_sum(struct lw_lesson_reading *reading, const char *sum,
                         struct lw_position position)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    for (const char *p = sum; *p;) {
        char name[48];
        size_t length = strspn(p, letters);
        while (length &&
               (strchr(letters, p[length]) || (p[length] >= '0' && p[length] <= '9') ||
                (p[length] == '-' && p[length + 1] && strchr(letters, p[length + 1]))) &&
               p[length])
            length++;
        snprintf(name, sizeof name, "%.*s", (int)(length < 47 ? length : 47), p);
        p += length ? length : 1;
        const struct lw_goal_kind *found =
            lw_goal_kind_find(reading->kinds, reading->kind_count, name, strlen(name));
        if (!length || !strcmp(name, "was") || !strcmp(name, "log2") || (found && found->measure))
            continue;
        if (strncmp(p, " of ", 4) != 0)
            lw_lesson_unknown(reading, position, "marker", name);
        else if (!strcmp(name, "element"))
            return; /* "element of lane=9 register=1" is the whole marker */
        else
            p += 4;
    }
}

/* `{name}`, `{was name}` and sums of these are values of kinds of goals; `{bank of 3,5}` is a fact of the layout,
 * `{key play}` the key of an action. */
static void check_markers(struct lw_lesson_reading *reading, const struct lw_value *value)
{
    for (const char *p = value->string; (p = strchr(p, '{'));) {
        char name[64];
        size_t length = strcspn(++p, "}");
        if (*p == '{') {
            p++;
            continue;
        }
        bool closed = length < sizeof name && p[length] == '}';
        snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), p);
        if (!closed)
            lw_lesson_problem(reading, value->position,
                              "'{%.20s' has no closing brace; a brace is written {{", name);
        else if (strncmp(name, "key ", 4) != 0 && strncmp(name, "line ", 5) != 0 &&
                 strncmp(name, "notation ", 9) != 0 && strcmp(name, "moves in words") != 0)
            lw_lesson_check_sum(reading, name, value->position);
        p += length;
    }
}

/* Reads a string, or a list of paragraphs. */
bool lw_lesson_read_text(struct lw_lesson_reading *reading, const struct lw_value *value,
                         const char *name, const char **out)
{
    struct lw_text text = {0};
    const struct lw_value *items = value->kind == LW_VALUE_LIST ? value->items : value;
    size_t count = value->kind == LW_VALUE_LIST ? value->count : 1;
    for (size_t i = 0; i < count; i++) {
        if (items[i].kind != LW_VALUE_STRING) {
            lw_lesson_problem(reading, items[i].position,
                              "'%s' must be a string, or a list of paragraphs", name);
            lw_text_free(&text);
            return false;
        }
        check_markers(reading, &items[i]);
        lw_text_format(&text, "%s%s", i ? "\n" : "", items[i].string);
    }
    const char *copy = lw_arena_string(&reading->lesson->arena, lw_text_string(&text), text.length);
    lw_text_free(&text);
    if (copy)
        *out = copy;
    else
        lw_lesson_problem(reading, value->position, "out of memory");
    return copy;
}

bool lw_lesson_read_plain(struct lw_lesson_reading *reading, const struct lw_value *value,
                          const char *name, const char **out)
{
    if (value->kind != LW_VALUE_STRING) {
        lw_lesson_problem(reading, value->position, "'%s' must be a list of strings", name);
        return false;
    }
    *out = value->string;
    return true;
}

void lw_lesson_read_list(struct lw_lesson_reading *reading, const struct lw_value *value,
                         const char *name, lw_lesson_entry_reader *read, const char ***out,
                         size_t *count)
{
    if (value->kind != LW_VALUE_LIST) {
        lw_lesson_problem(reading, value->position, "'%s' must be a list of strings", name);
        return;
    }
    *out = lw_arena_alloc(&reading->lesson->arena, (value->count + 1) * sizeof **out);
    if (!*out)
        lw_lesson_problem(reading, value->position, "out of memory");
    for (size_t i = 0; *out && i < value->count; i++)
        if (read(reading, &value->items[i], name, &(*out)[*count]))
            ++*count;
}

void lw_lesson_read_tries(struct lw_lesson_reading *reading, const struct lw_value *value,
                          const char *name, struct lw_strings **out, size_t *count)
{
    if (value->kind != LW_VALUE_LIST) {
        lw_lesson_problem(reading, value->position, "'%s' must be a list of lists of commands",
                          name);
        return;
    }
    *out = lw_arena_alloc(&reading->lesson->arena, (value->count + 1) * sizeof **out);
    if (!*out)
        lw_lesson_problem(reading, value->position, "out of memory");
    for (size_t i = 0; *out && i < value->count; i++) {
        struct lw_strings *lines = &(*out)[(*count)++];
        *lines = (struct lw_strings){.position = value->items[i].position};
        lw_lesson_read_list(reading, &value->items[i], name, lw_lesson_read_plain, &lines->lines,
                            &lines->count);
    }
}

void lw_lesson_read_pairs(struct lw_lesson_reading *reading, const struct lw_value *value,
                          const char *name, struct lw_pairs *out)
{
    if (value->kind != LW_VALUE_OBJECT) {
        lw_lesson_problem(reading, value->position, "'%s' must be an object of strings", name);
        return;
    }
    out->position = value->position;
    out->items = lw_arena_alloc(&reading->lesson->arena, (value->count + 1) * sizeof *out->items);
    if (!out->items)
        lw_lesson_problem(reading, value->position, "out of memory");
    for (size_t i = 0; out->items && i < value->count; i++) {
        struct lw_pair *pair = &out->items[out->count];
        *pair = (struct lw_pair){.name = value->names[i], .position = value->items[i].position};
        out->count += lw_lesson_read_plain(reading, &value->items[i], name, &pair->text);
    }
}
