/* The list of lessons, with the progress of each. */

#include "core/base_name.h"
#include "core/unused.h"
#include "tui/command/command.h"
#include "tui/keep/keep_file.h"
#include "tui/lesson/lesson_screen.h"

#include <stdlib.h>

struct row {
    char title[120], done[32];
};

static void cell(void *context, size_t row, int column, struct lw_text *text, struct lw_pen *pen)
{
    const struct row *rows = context;
    if (column == 0)
        lw_text_format(text, "%zu", row + 1);
    else
        lw_text_add(text, column == 1 ? rows[row].title : rows[row].done);
    *pen = lw_tone(column == 0 ? LW_TONE_FAINT : column == 1 ? LW_TONE_TEXT : LW_TONE_GOOD);
}

static void begin(struct lw_screen *below, LW_UNUSED void *context, size_t row)
{
    struct lw_error err = {0};
    if (!lw_lesson_begin(below->app, lw_lesson_at(below->app, row), &err))
        lw_app_problem(below->app, &err);
}

/* Fills the row of a lesson; true: it is done. Why one cannot be read is shown when it is begun. */
static bool fill(struct row *row, const char *source, const struct lw_kept *progress)
{
    struct lw_lesson lesson;
    struct lw_error err = {0};
    char key[LW_LESSON_KEY_MAX];
    lw_lesson_key(key, source);
    const uint64_t done = lw_progress_of(progress, key);
    snprintf(row->title, sizeof row->title, "%.*s", (int)sizeof row->title - 1, lw_base_name(key));
    if (!lw_lesson_open(&lesson, key, 0, &err))
        return true;
    const bool is_done = done >= lesson.step_count;
    snprintf(row->title, sizeof row->title, "%s", lesson.title);
    if (is_done)
        snprintf(row->done, sizeof row->done, "done");
    else if (done)
        snprintf(row->done, sizeof row->done, "%u of %zu", (unsigned)done, lesson.step_count);
    lw_lesson_free(&lesson);
    return is_done;
}

void lw_course_show(struct lw_app *app)
{
    static const struct lw_column columns[] = {{"", true, 3}, {"", false, 0}, {"", false, 8}};
    static const struct lw_list_source source = {columns, 3, cell, NULL, NULL};
    static const struct lw_choice_kind kind = {
        .title = "Lessons: layouts from the first element to a compiled kernel",
        .width = 78,
        .rows = &source,
        .take = begin,
        .close = free,
        .stays = true};
    struct lw_kept progress = {0};
    size_t count = 0, first = 0; /* the first that is not done */
    while (lw_lesson_at(app, count))
        count++;
    struct row *rows = calloc(count + 1, sizeof *rows);
    if (!rows) {
        lw_app_message(app, "out of memory");
        return;
    }
    if (app->has_terminal && !app->options->writes_nothing)
        lw_keep_load(&lw_progress_file, &progress, NULL);
    for (size_t i = 0; i < count; i++)
        if (fill(&rows[i], lw_lesson_at(app, i), &progress) && first == i)
            first++;
    lw_kept_free(&progress);
    lw_choice_open(lw_app_top(app), &kind, rows, count, first < count ? first : 0);
}
