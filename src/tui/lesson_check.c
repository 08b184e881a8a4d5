/* Proof that a lesson can be taken: each step's goal is not met at its start, and is met once the step's
 * solution has been typed; and every number that a text asks for is there. */

#include "tui/lesson_run.h"

#include <string.h>

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static void
complain(struct lw_report *report, const struct lw_lesson_run *run, const char *format, ...)
{
    struct lw_error err = {.code = LW_ERROR_UNSUPPORTED};
    const struct lw_step *step = lw_lesson_step(run);
    va_list args;
    int used = snprintf(err.message, sizeof err.message, "step %zu: ", run->step + 1);
    va_start(args, format);
    vsnprintf(err.message + used, sizeof err.message - (size_t)used, format, args);
    va_end(args);
    if (step)
        err.place = step->place;
    lw_report_add(report, &err);
}

static void check_text(struct lw_explorer *ex, struct lw_report *report, const char *words)
{
    struct lw_lesson_state state;
    struct lw_text text = {0};
    lw_lesson_state(ex, &state);
    if (words && !lw_lesson_fill(&text, words, &state, &ex->lesson->was))
        complain(report, ex->lesson, "a number cannot be told of this layout: %.200s",
                 lw_text_string(&text));
    lw_text_free(&text);
}

static void check_views(struct lw_explorer *ex, struct lw_report *report,
                        const struct lw_step *step)
{
    const char *names[] = {step->view, step->split};
    for (int i = 0; i < 2; i++)
        if (names[i] && !lw_view_type_find(names[i]))
            complain(report, ex->lesson, "'%.40s' is no view", names[i]);
        else if (i < ex->pane_count && names[i] && !ex->panes[i].has_view)
            complain(report, ex->lesson, "the view %.40s: %.200s", names[i],
                     ex->panes[i].view_problem.message);
    if (step->store.encoding && !ex->lesson->has_store)
        complain(report, ex->lesson, "'store' is no layout of this tensor");
}

static void check_step(struct lw_explorer *ex, struct lw_report *report)
{
    struct lw_lesson_run *run = ex->lesson;
    const struct lw_step *step = lw_lesson_step(run);
    check_views(ex, report, step);
    check_text(ex, report, step->text);
    check_text(ex, report, step->task);
    for (size_t i = 0; i < step->hint_count; i++)
        check_text(ex, report, step->hints[i]);
    if (!step->hint_count)
        complain(report, run, "there is no hint");
    lw_lesson_note(ex);
    if (run->met)
        complain(report, run, "the goal is met before anything was done");
    for (size_t i = 0; i < step->solution_count; i++)
        if (!lw_lesson_solve(ex, step->solution[i]))
            complain(report, run, "solution '%.80s': %.200s", step->solution[i], ex->message);
    lw_lesson_note(ex);
    check_text(ex, report, step->done);
    for (int i = 0; i < step->goal_count && !run->met; i++) {
        struct lw_lesson_state state;
        struct lw_text text = {0};
        lw_lesson_state(ex, &state);
        lw_goal_put(&text, &state, &step->goals[i]);
        if (!lw_goal_met(&state, &step->goals[i]))
            complain(report, run, "the solution does not reach the goal: %.200s",
                     lw_text_string(&text));
        lw_text_free(&text);
    }
}

bool lw_lesson_prove(const char *source, struct lw_report *report, struct lw_error *err)
{
    struct lw_explorer ex;
    struct lw_lesson lesson;
    struct lw_tui_options options = {.lesson = source, .writes_nothing = true};
    if (!lw_lesson_open(&lesson, source, report, err))
        return false;
    size_t count = lesson.step_count;
    lw_lesson_free(&lesson);
    if (!lw_explorer_init(&ex, &options, err))
        return false;
    bool good = lw_lesson_begin(&ex, source, err);
    for (size_t i = 0; good && i < count; i++) {
        check_step(&ex, report);
        ex.lesson->reached =
            true; /* what is wrong with a step is no reason not to look at the next */
        lw_lesson_next(&ex, 0);
    }
    lw_explorer_free(&ex);
    return good && !report->total;
}
