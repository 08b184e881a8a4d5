/* The steps of a lesson: going to one, and whether its goal is met. */

#include "tui/lesson/lesson_run.h"

#include <string.h>

/* ---- The goal ---- */

/* Whether all goals of a step are met. A goal for the cursor stays met when the cursor moves on, until the layout
 * changes. */
static bool goals_hold(const struct lw_explorer *ex, const struct lw_step *step)
{
    const struct lw_lesson_run *run = ex->lesson;
    bool been = run->reached && run->reached_at == ex->list.entries[run->entry].past_count;
    struct lw_lesson_state state;
    lw_lesson_state(ex, &state);
    if (lw_layouts_problem(&ex->layouts) || lw_lesson_disallowed_change(ex, NULL))
        return false;
    for (int i = 0; i < step->goal.count; i++)
        if (!lw_goal_met(&state, &step->goal.items[i]) &&
            !(been && step->goal.items[i].kind->value_kind == LW_GOAL_FIELDS))
            return false;
    return true;
}

void lw_lesson_check_goal(struct lw_explorer *ex)
{
    struct lw_lesson_run *run = ex->lesson;
    if (!lw_lesson_is_on(ex) || !lw_lesson_step(run))
        return;
    const struct lw_step *step = lw_lesson_step(run);
    bool met = run->met;
    lw_lesson_search(ex);
    run->met = lw_lesson_kind_met(ex) && goals_hold(ex, step);
    if (!run->met || met)
        return;
    bool again = run->reached;
    run->reached = true;
    run->done_steps = run->done_steps > run->step ? run->done_steps : run->step + 1;
    run->reached_at = ex->list.entries[run->entry].past_count;
    run->top = LW_LESSON_END;
    lw_lesson_fill_done(ex, step);
    if (again || !ex->keep.settings_saved)
        return;
    struct lw_error err;
    bool drawn = run->lesson.case_count > 1;
    const struct lw_progress_row row = {.lesson = run->key,
                                        .steps = run->step + 1,
                                        .assisted = run->assisted,
                                        .retried = drawn && run->retried,
                                        .has_seed = drawn,
                                        .seed = drawn ? run->lesson.seed : 0};
    if (!lw_progress_set(&run->progress, &row, &err))
        lw_warn(ex, err.message);
    lw_lesson_set_progress(&ex->list.entries[run->entry], lw_progress_get(&run->progress, run->key),
                           run->lesson.step_count);
}

void lw_lesson_wait(struct lw_explorer *ex)
{
    lw_lesson_check_goal(ex);
    lw_job_finish(ex);
    lw_lesson_check_goal(ex);
}

/* ---- Going to a step ---- */

/* Copies the layout of a step; if its stores are from other registers, those are A, and its own are B. */
static bool copy_layout(struct lw_document *copy, const struct lw_lesson *lesson,
                        const struct lw_step *step)
{
    struct lw_document open = step->open; /* with the lesson's text in the list */
    if (*lesson->about)
        open.about = lesson->about;
    if (!lw_document_copy(copy, &open, NULL))
        return false;
    if (!step->store.encoding)
        return true;
    if (copy->side == LW_SIDE_A)
        copy->side = LW_SIDE_B;
    if (lw_document_put(copy, LW_SIDE_A, &step->store, NULL))
        return true;
    lw_document_free(copy);
    return false;
}

/* Makes the step's layout the entry's document, with nothing to undo. */
static bool load_layout(struct lw_explorer *ex, const struct lw_step *step)
{
    struct lw_entry *entry = &ex->list.entries[ex->lesson->entry];
    struct lw_document copy, original;
    if (!copy_layout(&copy, &ex->lesson->lesson, step))
        return !(ex->failed = true);
    if (!copy_layout(&original, &ex->lesson->lesson, step)) {
        lw_document_free(&copy);
        return !(ex->failed = true);
    }
    if (!lw_entry_put(entry, &original, &copy, NULL))
        return !(ex->failed = true);
    lw_history_truncate(entry, 0);
    entry->past_count = 0;
    entry->dirty = false;
    entry->hardware = step->hardware.name ? lw_hardware_find(step->hardware.name) : NULL;
    ex->panes.active = ex->panes.all;
    ex->panes.count = 1;
    ex->panes.all[0].shown = (struct lw_shown){copy.side, false};
    lw_zooms_follow_entry(ex); /* keeps the zooms of the layout before for it */
    lw_options_zoom(ex);
    ex->panes.all[0].color = 0;
    ex->panes.play = (struct lw_view_options){0};
    lw_explorer_show(ex, ex->lesson->entry);
    return ex->layouts.has_opened;
}

static void set_color(struct lw_explorer *ex, const char *name)
{
    size_t count;
    const struct lw_color_key *keys = lw_color_keys(&count);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(keys[i].name, name))
            ex->panes.active->color = i + 1;
}

/* Draws the layout to reach beside the present one: the step's target, or a layout of its goal. */
static void set_target(struct lw_explorer *ex, const struct lw_step *step)
{
    struct lw_document target = step->target;
    for (int i = 0; i < step->goal.count && !target.encoding; i++)
        target = step->goal.items[i].layout;
    if (ex->layouts.has_other)
        lw_compare_end(ex);
    if (!target.encoding || !ex->layouts.has_opened)
        return;
    if (target.tensor.rank < 0)
        target.tensor = ex->layouts.opened.subject.tensor;
    lw_compare_show(ex, &target, "the target", NULL);
    lw_refresh(ex, 0);
}

static void set_views(struct lw_explorer *ex, const struct lw_step *step)
{
    const char *access = step->access.name;
    if (step->view.name) {
        ex->panes.active = ex->panes.all;
        lw_explorer_set_view(ex, lw_view_index(step->view.name));
        lw_refresh(ex, 0);
    }
    if (step->zoom.name)
        lw_zoom_set(ex, ex->panes.all, step->zoom.name);
    if (access)
        ex->panes.play.access = !strcmp(access, "load")    ? LW_VIEW_LOAD
                                : !strcmp(access, "store") ? LW_VIEW_STORE
                                                           : LW_VIEW_BOTH;
    if (step->color.name)
        set_color(ex, step->color.name);
    set_target(ex, step);
    if (step->split.name && ex->panes.count == 1)
        lw_split(ex, 0);
    ex->panes.split_by_user = false;
    if (step->split.name && ex->panes.count == 2 && !ex->layouts.has_other) {
        ex->panes.all[1].shown = (struct lw_shown){ex->layouts.side, false};
        ex->panes.active = &ex->panes.all[1];
        lw_explorer_set_view(ex, lw_view_index(step->split.name));
        lw_refresh(ex, 0);
        ex->panes.active = ex->panes.all;
    }
    lw_refresh(ex, LW_CHANGED_VIEW);
}

void lw_lesson_enter_step(struct lw_explorer *ex, size_t number)
{
    struct lw_lesson_run *run = ex->lesson;
    if (run->reached)
        lw_text_format(&run->log, "%s\n", lw_text_string(&run->done));
    run->step = number;
    run->met = run->reached = run->answered = run->assisted = run->retried = false;
    run->used = run->hints = 0;
    lw_text_clear(&run->reply);
    run->top = run->wanted_height = 0;
    const struct lw_step *step = lw_lesson_step(run);
    if (!step)
        return;
    if (step->open.encoding && !load_layout(ex, step))
        return;
    set_views(ex, step);
    if (!ex->status.is_error)
        ex->status.message[0] = '\0'; /* a message about the view would cover the lesson's keys */
    lw_lesson_record_fields(ex);
    lw_lesson_draft(ex, step);
    if (run->best.found == LW_BEST_STOPPED)
        run->best.found = LW_BEST_UNKNOWN;
    lw_lesson_search(ex);
    lw_lesson_refill(ex); /* also `done`, for the height of the pane */
}

/* A step that continues with the layout of the step before is reached by solving that one. */
bool lw_lesson_go(struct lw_explorer *ex, size_t number)
{
    const struct lw_lesson *lesson = &ex->lesson->lesson;
    size_t from = number < lesson->step_count ? number : lesson->step_count - 1;
    while (from > 0 && !lesson->steps[from].open.encoding)
        from--;
    lw_text_clear(&ex->lesson->log);
    ex->lesson->met = ex->lesson->reached = false;
    for (; from < number; from++) {
        lw_lesson_enter_step(ex, from);
        lw_lesson_solve_step(ex, &lesson->steps[from]);
        lw_lesson_check_goal(ex);
        if (!ex->lesson->reached && ex->lesson->best.search) { /* without waiting for the search */
            ex->lesson->reached = true;
            lw_lesson_fill_done(ex, &lesson->steps[from]);
        }
    }
    lw_lesson_enter_step(ex, number);
    ex->status.message[0] = '\0';
    return ex->layouts.has_opened;
}
