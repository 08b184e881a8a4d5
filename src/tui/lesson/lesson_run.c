/* The present lesson, for the rest of the explorer: whether it is on, its step, its end. */

#include "tui/lesson/lesson_run.h"

#include "core/array_count.h"

#include <stdlib.h>
#include <string.h>

bool lw_lesson_is_on(const struct lw_explorer *ex)
{
    return ex->lesson && ex->lesson->entry == ex->list.entry;
}

int lw_lesson_height(const struct lw_explorer *ex)
{
    return ex->lesson->wanted_height;
}

const struct lw_step *lw_lesson_step(const struct lw_lesson_run *run)
{
    return run->step < run->lesson.step_count ? &run->lesson.steps[run->step] : NULL;
}

bool lw_lesson_is_done(const struct lw_lesson_run *run)
{
    return run->reached || run->step < run->done_steps;
}

const char *lw_lesson_after(const struct lw_explorer *ex)
{
    size_t next = ex->lesson->entry + 1;
    const char *source = next < ex->list.count ? ex->list.entries[next].lesson : NULL;
    bool follows =
        source && (ex->options->course || (ex->lesson->number && !lw_lesson_is_file(source)));
    return follows ? source : NULL;
}

bool lw_lesson_points(const struct lw_explorer *ex)
{
    const struct lw_step *step = lw_lesson_is_on(ex) ? lw_lesson_step(ex->lesson) : NULL;
    for (int i = 0; step && i < step->goal.count; i++)
        if (step->goal.items[i].kind->value_kind == LW_GOAL_FIELDS)
            return true;
    return false;
}

/* In the form Enter edits a field until the goal is met. */
bool lw_lesson_uses_enter(const struct lw_explorer *ex)
{
    return lw_lesson_is_on(ex) &&
           (ex->focus == LW_FOCUS_VIEW ||
            (ex->focus == LW_FOCUS_FORM && (!lw_lesson_step(ex->lesson) || ex->lesson->met)));
}

/* ---- Problems ---- */

void lw_lesson_report(struct lw_report *report, const struct lw_lesson_run *run,
                      struct lw_position position, const char *format, ...)
{
    struct lw_error err = {.code = LW_ERROR_UNSUPPORTED};
    const struct lw_step *step = lw_lesson_step(run);
    va_list args;
    int used = snprintf(err.message, sizeof err.message, "step %zu: ", run->step + 1);
    va_start(args, format);
    vsnprintf(err.message + used, sizeof err.message - (size_t)used, format, args);
    va_end(args);
    err.position = position.line || !step ? position : step->position;
    lw_report_add(report, &err);
}

/* ---- Questions ---- */

bool lw_lesson_has_question(const struct lw_explorer *ex)
{
    const struct lw_step *step = lw_lesson_is_on(ex) ? lw_lesson_step(ex->lesson) : NULL;
    return step && step->kind == LW_STEP_PREDICT && !ex->lesson->answered;
}

bool lw_lesson_hides(const struct lw_explorer *ex, const struct lw_view_pane *pane)
{
    if (!lw_lesson_has_question(ex))
        return false;
    const struct lw_step *step = lw_lesson_step(ex->lesson);
    bool is_shown = pane && step->reveal.name && step->view.name && pane->has_view &&
                    !strcmp(pane->view.type->name, step->view.name);
    return !is_shown;
}

/* ---- The end of a lesson ---- */

void lw_lesson_end(struct lw_explorer *ex)
{
    struct lw_lesson_run *run = ex->lesson;
    if (!run)
        return;
    if (run->best.search)
        lw_job_cancel(ex);
    for (size_t i = 0; i < LW_COUNT(run->drafts); i++)
        lw_text_free(&run->drafts[i]);
    lw_text_free(&run->text);
    lw_text_free(&run->task);
    lw_text_free(&run->hint_lines);
    lw_text_free(&run->done);
    lw_text_free(&run->log);
    lw_text_free(&run->reply);
    lw_text_free(&run->fields);
    lw_progress_free(&run->progress);
    lw_lesson_free(&run->lesson);
    free(run);
    ex->lesson = NULL;
}
