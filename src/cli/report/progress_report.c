/* Progress as lines of JSON, and the table of many such lines, for a teacher. */

#include "cli/report/progress_report.h"

#include "export/output.h"
#include "notation/document/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- A learner's line ---- */

static const char *learner_name(void)
{
    static const char *const variables[] = {"USER", "LOGNAME"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *name = getenv(variables[i]);
        if (name && *name)
            return name;
    }
    return "unknown";
}

void lw_progress_members(struct lw_text *json, const struct lw_lesson_row *row)
{
    lw_text_format(json, ",\"steps\":%zu,\"done\":%llu,\"assisted\":%llu", row->steps,
                   (unsigned long long)row->done, (unsigned long long)row->assisted);
    if (row->has_seed)
        lw_text_format(
            json, ",\"seed\":%llu,\"first_try\":%llu", (unsigned long long)row->seed,
            (unsigned long long)(row->done > row->retried ? row->done - row->retried : 0));
    lw_text_char(json, '}');
}

void lw_progress_line(struct lw_text *json, const char *course, const struct lw_lesson_row *rows,
                      size_t count)
{
    lw_text_add(json, "{\"learner\":");
    lw_text_json_string(json, learner_name());
    lw_text_add(json, ",\"course\":");
    lw_text_json_string(json, course);
    lw_text_add(json, ",\"lessons\":[");
    for (size_t i = 0; i < count; i++) {
        lw_text_add(json, i ? ",{\"name\":" : "{\"name\":");
        lw_text_json_string(json, rows[i].name);
        lw_progress_members(json, &rows[i]);
    }
    lw_text_add(json, "]}\n");
}

/* ---- The table ---- */

/* The item of an object, or NULL. */
static const struct lw_value *item_of(const struct lw_value *object, const char *name,
                                      enum lw_value_kind kind)
{
    for (size_t i = 0; i < object->count; i++)
        if (!strcmp(object->names[i], name))
            return object->items[i].kind == kind ? &object->items[i] : NULL;
    return NULL;
}

static uint64_t number_of(const struct lw_value *object, const char *name)
{
    const struct lw_value *value = item_of(object, name, LW_VALUE_INTEGER);
    return value && value->integer > 0 ? (uint64_t)value->integer : 0;
}

/* "anna   12 of 60   1   4/4 3/5 ..." */
static bool put_row(struct lw_text *table, const struct lw_value *object)
{
    const struct lw_value *learner = item_of(object, "learner", LW_VALUE_STRING);
    const struct lw_value *lessons = item_of(object, "lessons", LW_VALUE_LIST);
    struct lw_text each = {0}, total = {0};
    uint64_t steps = 0, done = 0, assisted = 0;
    if (object->kind != LW_VALUE_OBJECT || !learner || !lessons)
        return false;
    for (size_t i = 0; i < lessons->count; i++) {
        const struct lw_value *lesson = &lessons->items[i];
        if (lesson->kind != LW_VALUE_OBJECT)
            continue;
        uint64_t of = number_of(lesson, "steps"), here = number_of(lesson, "done");
        here = here < of ? here : of;
        steps += of;
        done += here;
        assisted += number_of(lesson, "assisted");
        lw_text_format(&each, " %llu/%llu", (unsigned long long)here, (unsigned long long)of);
    }
    lw_text_format(&total, "%llu of %llu", (unsigned long long)done, (unsigned long long)steps);
    lw_text_format(table, "%-20.40s %-12s %8llu %s\n", learner->string, lw_text_string(&total),
                   (unsigned long long)assisted, lw_text_string(&each));
    lw_text_free(&each);
    lw_text_free(&total);
    return true;
}

static bool put_line(struct lw_text *table, const char *line, size_t length, struct lw_error *err)
{
    struct lw_arena arena = {0};
    struct lw_value value = {0};
    bool good = lw_read_json(&arena, line, length, &value, err);
    if (good && !put_row(table, &value))
        good = lw_error_at(err, LW_ERROR_SYNTAX, value.position,
                           "this is not a line of 'laneway learn --progress': expected an object "
                           "with 'learner' and 'lessons'");
    lw_arena_free(&arena);
    return good;
}

static bool put_file(struct lw_text *table, const char *path, struct lw_error *err)
{
    enum { BYTES_MAX = 1 << 24 };
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    int number = 0;
    FILE *file = lw_open_regular(path, BYTES_MAX, err);
    bool good = file != NULL;
    while (good && (length = getline(&line, &room, file)) >= 0) {
        number++;
        if ((size_t)length > strspn(line, " \t\r\n"))
            good = put_line(table, line, (size_t)length, err);
        if (!good)
            err->position.line = number;
    }
    if (good && ferror(file))
        good = lw_error_set(err, LW_ERROR_IO, "%.200s: %s", path, strerror(errno));
    free(line);
    if (file)
        fclose(file);
    return good;
}

enum lw_status lw_progress_table(FILE *out, const char *const *paths, size_t count)
{
    struct lw_text table = {0};
    lw_text_format(&table, "%-20s %-12s %8s  %s\n", "learner", "steps", "assisted",
                   "steps of each lesson");
    for (size_t i = 0; i < count; i++) {
        struct lw_error err = {0};
        if (!put_file(&table, paths[i], &err)) {
            lw_text_free(&table);
            return lw_report_failure(paths[i], &err);
        }
    }
    lw_output_text(out, &table);
    lw_text_free(&table);
    return LW_STATUS_OK;
}
