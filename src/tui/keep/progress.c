/* Progress in the lessons, kept from one run to the next. */

#include "tui/keep/progress.h"

#include "notation/document/read.h"
#include "tui/keep/keep_file.h"

#include <stdlib.h>
#include <string.h>

struct lw_progress_row *lw_progress_find(const struct lw_progress *progress, const char *lesson)
{
    for (size_t i = 0; i < progress->count; i++)
        if (!strcmp(progress->rows[i].lesson, lesson))
            return &progress->rows[i];
    return NULL;
}

uint64_t lw_progress_get(const struct lw_progress *progress, const char *lesson)
{
    const struct lw_progress_row *row = lw_progress_find(progress, lesson);
    return row ? row->steps : 0;
}

static bool same_seed(const struct lw_progress_row *a, const struct lw_progress_row *b)
{
    return a->has_seed == b->has_seed && a->seed == b->seed;
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a < b ? b : a;
}

/* Raises a count; it only becomes less when another seed begins. False: memory is out. */
static bool raise_count(void *data, const void *argument)
{
    struct lw_progress *progress = data;
    const struct lw_progress_row *raised = argument;
    struct lw_progress_row *row = lw_progress_find(progress, raised->lesson);
    if (row && same_seed(row, raised)) {
        row->steps = greater(row->steps, raised->steps);
        row->assisted = greater(row->assisted, raised->assisted);
        row->retried = greater(row->retried, raised->retried);
        return true;
    }
    if (row) {
        char *kept = row->lesson;
        *row = *raised;
        row->lesson = kept;
        return true;
    }
    struct lw_progress_row *more = realloc(progress->rows, (progress->count + 1) * sizeof *more);
    if (!more)
        return false;
    progress->rows = more;
    char *name = strdup(raised->lesson);
    if (name) {
        more[progress->count] = *raised;
        more[progress->count++].lesson = name;
    }
    return name;
}

/* Reads 3, or {"steps": 3, "assisted": 1}. */
static bool read_row(const struct lw_value *value, struct lw_progress_row *row)
{
    bool good = value->kind == LW_VALUE_OBJECT && value->count > 0;
    if (value->kind == LW_VALUE_INTEGER) {
        row->steps = (uint64_t)value->integer;
        return value->integer >= 0;
    }
    for (size_t i = 0; good && i < value->count; i++) {
        uint64_t *count = !strcmp(value->names[i], "steps")      ? &row->steps
                          : !strcmp(value->names[i], "assisted") ? &row->assisted
                          : !strcmp(value->names[i], "retried")  ? &row->retried
                          : !strcmp(value->names[i], "seed")     ? &row->seed
                                                                 : NULL;
        good = count && value->items[i].kind == LW_VALUE_INTEGER && value->items[i].integer >= 0;
        if (good)
            *count = (uint64_t)value->items[i].integer;
        row->has_seed = row->has_seed || count == &row->seed;
    }
    return good;
}

static bool read_text(void *data, char *text, struct lw_error *err)
{
    struct lw_arena arena = {0};
    struct lw_value object = {0};
    bool good = lw_read_json_object(&arena, text, strlen(text), "{\"banks\": 3}", &object, err);
    for (size_t i = 0; i < object.count; i++) {
        const struct lw_value *value = &object.items[i];
        struct lw_progress_row row = {.lesson = (char *)object.names[i]};
        if (read_row(value, &row)) {
            if (!raise_count(data, &row))
                good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        } else if (good) {
            good = lw_error_at(err, LW_ERROR_SYNTAX, value->position,
                               "%.40s must be the number of steps that are done", object.names[i]);
        }
    }
    lw_arena_free(&arena);
    return good;
}

static void print_row(struct lw_text *text, const struct lw_progress_row *row)
{
    if (!row->assisted && !row->has_seed) {
        lw_text_format(text, ": %llu", (unsigned long long)row->steps);
        return;
    }
    lw_text_format(text, ": {\"steps\": %llu", (unsigned long long)row->steps);
    if (row->assisted)
        lw_text_format(text, ", \"assisted\": %llu", (unsigned long long)row->assisted);
    if (row->has_seed)
        lw_text_format(text, ", \"seed\": %llu", (unsigned long long)row->seed);
    if (row->retried)
        lw_text_format(text, ", \"retried\": %llu", (unsigned long long)row->retried);
    lw_text_char(text, '}');
}

static void print_text(const void *data, struct lw_text *text)
{
    const struct lw_progress *progress = data;
    lw_text_add(text, "{");
    for (size_t i = 0; i < progress->count; i++) {
        lw_text_add(text, i ? ",\n  " : "\n  ");
        lw_text_json_string(text, progress->rows[i].lesson);
        print_row(text, &progress->rows[i]);
    }
    lw_text_add(text, "\n}\n");
}

static const struct lw_keep_file file = {LW_FOLDER_STATE, "progress.json", read_text, print_text};

bool lw_progress_load(struct lw_progress *progress, struct lw_error *err)
{
    struct lw_text path = {0};
    *progress = (struct lw_progress){0};
    bool good =
        lw_folder_path(&path, file.folder, file.name, err) && lw_keep_load(&file, progress, err);
    lw_text_free(&path);
    return good;
}

bool lw_progress_set(struct lw_progress *progress, const struct lw_progress_row *done,
                     struct lw_error *err)
{
    const struct lw_progress_row *before = lw_progress_find(progress, done->lesson);
    struct lw_progress_row row = *done;
    struct lw_progress kept = {0};
    if (before && same_seed(before, &row)) {
        if (before->steps >= row.steps)
            return true;
        row.assisted += before->assisted;
        row.retried += before->retried;
    }
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
