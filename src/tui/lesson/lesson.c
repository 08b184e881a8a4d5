/* Begins a lesson; the keys of a lesson. */

#include "tui/lesson/lesson_run.h"

#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "tui/prompt/prompt.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Beginning and ending ---- */

static void load_progress(struct lw_explorer *ex, struct lw_lesson_run *run, size_t *step)
{
    if (!ex->keep.settings_saved)
        return;
    struct lw_report report;
    if (!lw_progress_load(&run->progress, &report))
        lw_warn_of_report(ex, &report);
    uint64_t done = lw_progress_get(&run->progress, run->key);
    const struct lw_progress_row *row = lw_progress_find(&run->progress, run->key);
    bool is_other =
        run->lesson.case_count > 1 && !(row && row->has_seed && row->seed == run->lesson.seed);
    if (done && !is_other && done < run->lesson.step_count) {
        *step = run->done_steps = (size_t)done;
        lw_explorer_set_message(ex, false, "continued at step %zu: p goes to the step before",
                                *step + 1);
    }
}

static bool find_entry(const struct lw_explorer *ex, struct lw_lesson_run *run)
{
    for (size_t i = 0; i < ex->list.count; i++) {
        char key[LW_LESSON_KEY_MAX];
        if (!ex->list.entries[i].lesson)
            continue;
        lw_lesson_key(key, ex->list.entries[i].lesson);
        run->entry = i;
        if (!strcmp(key, run->key))
            return true;
    }
    return false;
}

/* The seed of a try that is not finished; false: none. */
static bool kept_seed(const struct lw_explorer *ex, const char *source, uint64_t *seed)
{
    struct lw_progress progress = {0};
    struct lw_lesson lesson;
    struct lw_report report = {0};
    struct lw_error err;
    char key[LW_LESSON_KEY_MAX];
    if (!ex->keep.settings_saved || !lw_lesson_open(&lesson, source, 0, &report, &err))
        return false;
    lw_lesson_key(key, source);
    lw_progress_load(&progress, &report);
    const struct lw_progress_row *row = lw_progress_find(&progress, key);
    bool is_begun = row && row->has_seed && row->steps < lesson.step_count;
    *seed = is_begun ? row->seed : 0;
    lw_progress_free(&progress);
    lw_lesson_free(&lesson);
    return is_begun;
}

/* The seed that chooses the cases: the one that was set, that of a try that is not finished, or one of a million by the
 * time. */
static uint64_t seed_of(const struct lw_explorer *ex, const char *source)
{
    enum { SEEDS = 1000000 };
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    if (ex->options->seed_is_set || ex->options->writes_nothing)
        return ex->options->seed_is_set ? ex->options->seed : 0;
    uint64_t seed;
    if (kept_seed(ex, source, &seed))
        return seed;
    return ((uint64_t)time(NULL) * odd >> 32) % SEEDS;
}

bool lw_lesson_begin(struct lw_explorer *ex, const char *source, struct lw_error *err)
{
    struct lw_report report = {0};
    struct lw_lesson_run *run = calloc(1, sizeof *run);
    size_t step = 0;
    if (!run)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    uint64_t seed = seed_of(ex, source);
    if (!lw_lesson_open(&run->lesson, source, seed, &report, err)) {
        if (err && report.total)
            *err = report.errors[0];
        free(run);
        return false;
    }
    lw_lesson_key(run->key, source);
    snprintf(run->name, sizeof run->name, "%.63s", lw_base_name(run->key));
    if (!find_entry(ex, run) && !(lw_entries_add_lessons(ex) && find_entry(ex, run))) {
        lw_lesson_free(&run->lesson);
        free(run);
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "this lesson is not in the list: 'laneway learn' opens it");
    }
    lw_lesson_end(ex);
    const struct lw_gallery_entry *built_in =
        lw_lesson_is_file(source) ? NULL : lw_lesson_find(source, NULL);
    size_t count;
    run->number = built_in ? (int)(built_in - lw_lessons(&count)) + 1 : 0;
    ex->lesson = run;
    ex->list.entry = run->entry;
    load_progress(ex, run, &step);
    char message[sizeof ex->status.message];
    bool bad = ex->status.is_error;
    memcpy(message, ex->status.message, sizeof message);
    lw_lesson_go(ex, step);
    lw_explorer_set_message(ex, bad, "%s", message);
    ex->focus = LW_FOCUS_VIEW;
    return true;
}

/* ---- Keys ---- */

bool lw_lesson_open_chosen(struct lw_explorer *ex)
{
    struct lw_error err = {0};
    const char *source = lw_explorer_entry(ex)->lesson;
    if (!source)
        return false;
    if (!lw_lesson_is_on(ex) && !lw_lesson_begin(ex, source, &err)) {
        lw_explorer_set_message(ex, true, "%s", err.message);
        return true;
    }
    ex->focus = LW_FOCUS_VIEW;
    ex->changed |= LW_CHANGED_CURSOR;
    return true;
}

/* Shows a message when there is no lesson. */
static bool is_on(struct lw_explorer *ex)
{
    if (lw_lesson_is_on(ex))
        return true;
    lw_explorer_set_message(ex, false, "no lesson is open: :learn lists them");
    return false;
}

static void next_lesson(struct lw_explorer *ex)
{
    const char *next = lw_lesson_after(ex);
    struct lw_error err;
    if (!next)
        lw_explorer_set_message(ex, false, "that was the last lesson");
    else if (!lw_lesson_begin(ex, next, &err))
        lw_explorer_set_message(ex, true, "%s", err.message);
}

/* Goes to the next step. A focus on the form stays there, at the same field, unless the next goal is for the cursor. */
static void next_step(struct lw_explorer *ex)
{
    char path[LW_PATH_MAX] = "";
    if (ex->focus == LW_FOCUS_FORM && ex->form.field < ex->form.count)
        snprintf(path, sizeof path, "%s", ex->form.fields[ex->form.field].path);
    lw_lesson_enter_step(ex, ex->lesson->step + 1);
    const struct lw_step *step = lw_lesson_step(ex->lesson);
    if (!path[0] || !step || !step->goal.count ||
        step->goal.items[0].kind->value_kind == LW_GOAL_FIELDS)
        ex->focus = LW_FOCUS_VIEW;
    lw_form_choose(ex, path);
}

/* The hint where the task is done: at the cursor, or in the parameters. */
static const char *way_of(const struct lw_step *step)
{
    if (step->use.count)
        return "press the keys that the task lists";
    if (step->goal.count && step->goal.items[0].kind->value_kind == LW_GOAL_FIELDS)
        return "the arrow keys move the cursor";
    return "Tab goes to the parameters";
}

void lw_lesson_next(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (!is_on(ex))
        return;
    lw_lesson_check_goal(ex);
    if (!lw_lesson_step(ex->lesson))
        next_lesson(ex);
    else if (lw_lesson_is_done(ex->lesson))
        next_step(ex);
    else if (lw_lesson_has_question(ex))
        lw_prompt_open(ex, LW_FOCUS_ANSWER);
    else
        lw_explorer_set_message(ex, false, "the goal is not reached yet: %s, L shows a hint",
                                way_of(lw_lesson_step(ex->lesson)));
}

bool lw_lesson_enter(struct lw_explorer *ex)
{
    lw_lesson_check_goal(ex);
    if (!lw_lesson_uses_enter(ex))
        return false;
    lw_lesson_next(ex, 0);
    return true;
}

void lw_lesson_back(struct lw_explorer *ex, int by)
{
    if (!is_on(ex))
        return;
    struct lw_lesson_run *run = ex->lesson;
    bool assisted = !by && run->assisted, retried = !by && run->retried;
    if (by && run->step == 0) {
        lw_explorer_set_message(ex, false, "this is the first step");
        return;
    }
    bool edited = ex->list.entries[run->entry].past_count > 0;
    lw_lesson_go(ex, run->step - (by ? 1 : 0));
    if (!by)
        lw_explorer_set_message(ex, false, "this step begins again%s",
                                edited ? "" : ": its layout was not edited");
    run->assisted = run->assisted || assisted; /* a repeated step is not a first try */
    run->retried = run->retried || retried;
}

void lw_lesson_hint(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (!is_on(ex))
        return;
    const struct lw_step *step = lw_lesson_step(ex->lesson);
    if (step && ex->lesson->hints < step->hints.count) {
        ex->lesson->hints++;
        ex->lesson->assisted = ex->lesson->assisted || (!ex->lesson->met && step->hints.count > 1 &&
                                                        ex->lesson->hints == step->hints.count);
        lw_lesson_show_hint(ex);
    } else {
        lw_explorer_set_message(ex, false,
                                step ? "there are no more hints" : "this lesson is done");
    }
}

void lw_lesson_scroll(struct lw_explorer *ex, int by)
{
    if (is_on(ex))
        ex->lesson->top += by;
}

void lw_lesson_fold(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (!is_on(ex))
        return;
    ex->lesson->folded = !ex->lesson->folded;
    ex->lesson->wanted_height = ex->lesson->top = 0;
    if (ex->lesson->folded)
        lw_explorer_set_message(ex, false, "the lesson's text is folded: z unfolds it");
}
