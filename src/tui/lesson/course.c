/* The list of lessons, with the progress of each. */

#include "core/array_count.h"
#include "core/base_name.h"
#include "core/unused.h"
#include "tui/lesson/lesson_screen.h"
#include "tui/list.h"
#include "tui/keep/keep_file.h"

#include <stdlib.h>
#include <string.h>

/* ---- The list ---- */

struct course {
    struct lw_screen screen;
    struct lw_list list;
    struct row {
        char title[120], done[32];
    } * rows;
};

static struct course *course_of(const struct lw_screen *screen)
{
    return (struct course *)screen;
}

static void cell(void *context, size_t row, int column, struct lw_text *text, struct lw_pen *pen)
{
    const struct course *course = context;
    if (column == 0) {
        lw_text_format(text, "%zu", row + 1);
        *pen = lw_tone(LW_TONE_FAINT);
    } else {
        lw_text_add(text, column == 1 ? course->rows[row].title : course->rows[row].done);
        if (column == 2)
            *pen = lw_tone(LW_TONE_GOOD);
    }
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct course *course = course_of(screen);
    lw_put(surface, rect.row, rect.col, rect.width, lw_tone(LW_TONE_TITLE),
           "Lessons: layouts from the first element to a compiled kernel");
    lw_list_draw(&course->list, surface,
                 (struct lw_rect){rect.row + 2, rect.col, rect.height - 2, rect.width});
}

static void open(struct lw_screen *screen, LW_UNUSED int argument)
{
    const struct course *course = course_of(screen);
    struct lw_error err = {0};
    if (course->list.shown_count &&
        !lw_lesson_begin(screen->app, lw_lesson_at(screen->app, course->list.at), &err))
        lw_app_problem(screen->app, &err);
}

static void close_course(struct lw_screen *screen)
{
    struct course *course = course_of(screen);
    lw_list_free(&course->list);
    free(course->rows);
    free(course);
}

static const struct lw_column columns[] = {{"", true, 3}, {"", false, 0}, {"", false, 8}};
static const struct lw_list_source source = {columns, LW_COUNT(columns), cell, NULL, NULL};

static const struct lw_screen_action course_actions[] = {
    {"up", "Up k", LW_UP_DOWN " choose", "the lesson above", lw_screen_move, -1, 0},
    {"down", "Down j", NULL, "the lesson below", lw_screen_move, 1, 0},
    {"open", "Enter", "Enter begin", "begin the lesson, or go on with it", open, 0, 0},
};

const struct lw_screen_type lw_course_screen = {
    .name = "lessons",
    .actions = course_actions,
    .action_count = LW_COUNT(course_actions),
    .list = offsetof(struct course, list),
    .draw = draw,
    .close = close_course,
};

void lw_course_show(struct lw_app *app)
{
    struct course *course = lw_screen_new(app, &lw_course_screen, sizeof *course);
    struct lw_kept progress = {0};
    size_t count = 0;
    while (lw_lesson_at(app, count))
        count++;
    if (course)
        course->rows = calloc(count + 1, sizeof *course->rows);
    if (!course || !course->rows) {
        free(course);
        lw_app_message(app, "out of memory");
        return;
    }
    if (app->has_terminal && !app->options->writes_nothing)
        lw_keep_load(&lw_progress_file, &progress, NULL);
    course->list =
        (struct lw_list){.source = &source, .context = course, .at = count, .has_focus = true};
    for (size_t i = 0; i < count; i++) {
        struct row *row = &course->rows[i];
        struct lw_lesson lesson;
        struct lw_error err = {0}; /* it is shown when the lesson is begun */
        char key[LW_LESSON_KEY_MAX];
        lw_lesson_key(key, lw_lesson_at(app, i));
        const uint64_t done = lw_progress_of(&progress, key);
        snprintf(row->title, sizeof row->title, "%.*s", (int)sizeof row->title - 1,
                 lw_base_name(key));
        if (!lw_lesson_open(&lesson, key, 0, &err))
            continue;
        snprintf(row->title, sizeof row->title, "%s", lesson.title);
        if (done >= lesson.step_count)
            snprintf(row->done, sizeof row->done, "done");
        else if (done)
            snprintf(row->done, sizeof row->done, "%u of %zu", (unsigned)done, lesson.step_count);
        if (done < lesson.step_count && course->list.at == count)
            course->list.at = i; /* the first that is not done */
        lw_lesson_free(&lesson);
    }
    lw_kept_free(&progress);
    if (course->list.at == count)
        course->list.at = 0;
    lw_list_changed(&course->list, count);
    lw_app_push(app, &course->screen);
}
