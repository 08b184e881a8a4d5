/* Progress in the lessons, kept from one run to the next. */

#include "tui/keep/progress.h"

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

static const char *const names[LW_PROGRESS_COUNTS] = {"steps", "assisted", "retried", "seed"};

/* Reads 3, or {"steps": 3, "assisted": 1}. */
static bool read_counts(const struct lw_value *value, struct lw_progress_row *row)
{
    if (value->kind == LW_VALUE_INTEGER)
        row->count[LW_PROGRESS_STEPS] = (uint64_t)value->integer;
    if (value->kind == LW_VALUE_INTEGER)
        return value->integer >= 0;
    for (size_t i = 0; value->kind == LW_VALUE_OBJECT && i < value->count; i++) {
        size_t k = 0;
        while (k < LW_PROGRESS_COUNTS && strcmp(names[k], value->names[i]) != 0)
            k++;
        if (k == LW_PROGRESS_COUNTS || value->items[i].kind != LW_VALUE_INTEGER ||
            value->items[i].integer < 0)
            return false;
        row->count[k] = (uint64_t)value->items[i].integer;
        row->has_seed = row->has_seed || k == LW_PROGRESS_SEED;
    }
    return value->kind == LW_VALUE_OBJECT && value->count;
}

/* The row of a lesson is raised; counts only become less when another seed begins. */
static bool read_row(void *data, const char *lesson, const struct lw_value *value,
                     struct lw_error *err)
{
    struct lw_progress *progress = data;
    struct lw_progress_row read = {0}, *row = lw_progress_find(progress, lesson);
    if (!read_counts(value, &read))
        return lw_error_set(err, LW_ERROR_SYNTAX, "%.40s must be the number of steps that are done",
                            lesson);
    if (!row) {
        row = realloc(progress->rows, (progress->count + 1) * sizeof *row);
        if (row)
            progress->rows = row;
        read.lesson = row ? strdup(lesson) : NULL;
        if (!read.lesson)
            return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        row[progress->count++] = read;
        return true;
    }
    const bool is_same = row->has_seed == read.has_seed &&
                         row->count[LW_PROGRESS_SEED] == read.count[LW_PROGRESS_SEED];
    row->has_seed = read.has_seed;
    for (int i = 0; i < LW_PROGRESS_COUNTS; i++)
        if (!is_same || read.count[i] > row->count[i])
            row->count[i] = read.count[i];
    return true;
}

static bool print_row(const void *data, size_t i, struct lw_text *text)
{
    const struct lw_progress *progress = data;
    if (i >= progress->count)
        return false;
    const struct lw_progress_row *row = &progress->rows[i];
    lw_text_json_string(text, row->lesson);
    lw_text_format(text, ": {\"steps\": %llu", (unsigned long long)row->count[LW_PROGRESS_STEPS]);
    for (int k = LW_PROGRESS_ASSISTED; k < LW_PROGRESS_COUNTS; k++)
        if (k == LW_PROGRESS_SEED ? row->has_seed : row->count[k] > 0)
            lw_text_format(text, ", \"%s\": %llu", names[k], (unsigned long long)row->count[k]);
    lw_text_char(text, '}');
    return true;
}

static const struct lw_keep_file file = {LW_FOLDER_STATE, "progress.json", read_row, print_row};

bool lw_progress_load(struct lw_progress *progress, struct lw_error *err)
{
    *progress = (struct lw_progress){0};
    return lw_keep_load(&file, progress, err);
}

bool lw_progress_set(const struct lw_progress_row *row, struct lw_error *err)
{
    struct lw_progress kept = {0};
    struct lw_value items[LW_PROGRESS_COUNTS];
    const char *item_names[LW_PROGRESS_COUNTS];
    struct lw_value value = {.kind = LW_VALUE_OBJECT, .items = items, .names = item_names};
    for (int i = 0; i < LW_PROGRESS_COUNTS - !row->has_seed; i++) {
        item_names[value.count] = names[i];
        items[value.count++] = lw_value_integer((int64_t)row->count[i]);
    }
    bool good = lw_keep_change(&file, &kept, row->lesson, &value, err);
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
