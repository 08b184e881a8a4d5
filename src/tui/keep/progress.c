/* Progress in the lessons, kept from one run to the next. */

#include "tui/keep/progress.h"

#include "notation/document/setting.h"
#include "tui/keep/keep_file.h"

#include <stdlib.h>
#include <string.h>

static struct lw_progress_row *find(const struct lw_progress *progress, const char *lesson)
{
    for (size_t i = 0; i < progress->count; i++)
        if (!strcmp(progress->rows[i].lesson, lesson))
            return &progress->rows[i];
    return NULL;
}

uint64_t lw_progress_get(const struct lw_progress *progress, const char *lesson)
{
    const struct lw_progress_row *row = find(progress, lesson);
    return row ? row->steps : 0;
}

/* The change: a count never gets less. False: out of memory. */
static bool raise_count(void *data, const void *argument)
{
    struct lw_progress *progress = data;
    const struct lw_progress_row *raised = argument;
    struct lw_progress_row *row = find(progress, raised->lesson);
    if (row) {
        row->steps = row->steps < raised->steps ? raised->steps : row->steps;
        return true;
    }
    struct lw_progress_row *more = realloc(progress->rows, (progress->count + 1) * sizeof *more);
    if (!more)
        return false;
    progress->rows = more;
    char *name = strdup(raised->lesson);
    if (name)
        more[progress->count++] = (struct lw_progress_row){name, raised->steps};
    return name;
}

static void read_text(void *data, const char *text, size_t length, struct lw_report *report)
{
    struct lw_arena arena = {0};
    struct lw_value object = {0};
    struct lw_error err;
    if (!lw_read_json_object(&arena, text, length, "{\"banks\": 3}", &object, &err))
        lw_report_add(report, &err);
    for (size_t i = 0; i < object.count; i++) {
        const struct lw_value *value = &object.items[i];
        struct lw_progress_row row = {(char *)object.names[i], (uint64_t)value->integer};
        bool good = value->kind == LW_VALUE_INTEGER && value->integer >= 0;
        if (!good)
            lw_error_at(&err, LW_ERROR_SYNTAX, value->position,
                        "%.40s must be the number of steps that are done", object.names[i]);
        else if (!raise_count(data, &row))
            good = lw_error_set(&err, LW_ERROR_MEMORY, "out of memory");
        if (!good)
            lw_report_add(report, &err);
    }
    lw_arena_free(&arena);
}

static void print_text(const void *data, struct lw_text *text)
{
    const struct lw_progress *progress = data;
    lw_text_add(text, "{");
    for (size_t i = 0; i < progress->count; i++) {
        lw_text_add(text, i ? ",\n  " : "\n  ");
        lw_text_json_string(text, progress->rows[i].lesson);
        lw_text_format(text, ": %llu", (unsigned long long)progress->rows[i].steps);
    }
    lw_text_add(text, "\n}\n");
}

static const struct lw_keep_file file = {LW_FOLDER_STATE, "progress.json", read_text, print_text};

bool lw_progress_load(struct lw_progress *progress, struct lw_report *report)
{
    struct lw_text path = {0};
    struct lw_error err;
    *progress = (struct lw_progress){0};
    bool has_folder = lw_folder_path(&path, file.folder, file.name, &err);
    bool good = lw_keep_load(&file, progress, report) && has_folder;
    if (!has_folder)
        lw_report_add(report, &err);
    lw_text_free(&path);
    return good;
}

bool lw_progress_set(struct lw_progress *progress, const char *lesson, uint64_t steps,
                     struct lw_error *err)
{
    const struct lw_progress_row row = {(char *)lesson, steps};
    struct lw_progress kept = {0};
    if (lw_progress_get(progress, lesson) >= steps)
        return true;
    raise_count(progress, &row);
    bool good = lw_keep_change(&file, &kept, raise_count, &row, err);
    lw_progress_free(&kept);
    return good;
}

void lw_progress_free(struct lw_progress *progress)
{
    for (size_t i = 0; i < progress->count; i++)
        free(progress->rows[i].lesson);
    free(progress->rows);
    *progress = (struct lw_progress){0};
}
