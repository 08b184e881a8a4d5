/* A lesson that is being taken: its steps, its goals, its keys. */

#include "tui/lesson/lesson_run.h"

#include "core/array_count.h"
#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "tui/prompt/prompt.h"

#include <stdlib.h>
#include <string.h>

/* ---- Where it is ---- */

const struct lw_step *lw_lesson_step(const struct lw_lesson_run *run)
{
    return run->step < run->lesson.step_count ? &run->lesson.steps[run->step] : NULL;
}

void lw_lesson_state(const struct lw_explorer *ex, struct lw_lesson_state *state)
{
    *state = (struct lw_lesson_state){
        .first = ex->layouts.has_opened ? &ex->layouts.opened.subject : NULL,
        .second = ex->layouts.has_second ? &ex->layouts.second.subject : NULL,
        .store = ex->lesson && ex->lesson->has_store ? &ex->lesson->store.subject : NULL,
        .pointed = lw_explorer_subject(ex, ex->panes.active),
        .spot = ex->panes.has_spot ? &ex->panes.spot : NULL,
    };
    const struct lw_lesson_best *best = ex->lesson ? &ex->lesson->best : NULL;
    if (best && best->found == LW_BEST_KNOWN)
        state->best = &best->value;
    else if (best && best->found != LW_BEST_NONE)
        state->best_waits = best->found == LW_BEST_STOPPED
                                ? "was not searched for to the end: R searches again"
                                : "is being searched for";
}

/* A text as it is to be read; a step that says nothing when it is done says that. */
static void fill(struct lw_explorer *ex, struct lw_text *text, const char *template)
{
    struct lw_lesson_state state;
    lw_lesson_state(ex, &state);
    lw_text_clear(text);
    lw_lesson_fill(text, *template ? template : "Done.", &state, &ex->lesson->was);
}

/* All of a step's goals. The cursor has been where it was to go, and may leave: as long as the layout is
 * the one in which it was there. */
static bool goals_hold(const struct lw_explorer *ex, const struct lw_step *step)
{
    const struct lw_lesson_run *run = ex->lesson;
    bool been = run->reached && run->reached_at == ex->list.entries[run->entry].past_count;
    struct lw_lesson_state state;
    lw_lesson_state(ex, &state);
    if (ex->layouts.problem.code != LW_OK || ex->layouts.second_problem.code != LW_OK ||
        lw_lesson_disallowed_change(ex, NULL))
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
    run->met = goals_hold(ex, step);
    if (!run->met || met)
        return;
    bool again = run->reached;
    run->reached = true;
    run->done_steps = run->done_steps > run->step ? run->done_steps : run->step + 1;
    run->reached_at = ex->list.entries[run->entry].past_count;
    lw_lesson_show_end(ex);
    fill(ex, &run->done, step->done);
    if (again || !ex->keep.settings_saved)
        return;
    struct lw_error err;
    if (!lw_progress_set(&run->progress, run->name, run->step + 1, &err))
        lw_warn(ex, err.message);
    lw_lesson_set_progress(&ex->list.entries[run->entry], lw_progress_get(&run->progress, run->name),
                           run->lesson.step_count);
}

/* ---- Going to a step ---- */

/* The step's layout becomes the entry's document, with nothing to undo. */
static bool load_layout(struct lw_explorer *ex, const struct lw_document *doc)
{
    struct lw_entry *entry = &ex->list.entries[ex->lesson->entry];
    struct lw_document copy, original;
    if (!lw_document_copy(&copy, doc, NULL))
        return !(ex->failed = true);
    if (!lw_document_copy(&original, doc, NULL)) {
        lw_document_free(&copy);
        return !(ex->failed = true);
    }
    if (entry->loaded) {
        lw_document_free(&entry->doc);
        lw_document_free(&entry->original);
    }
    lw_history_truncate(entry, 0);
    entry->past_count = 0;
    entry->doc = copy;
    entry->original = original;
    entry->loaded = true;
    entry->dirty = false;
    ex->panes.active = ex->panes.all;
    ex->panes.count = 1;
    ex->panes.all[0].shown = LW_PANE_FIRST;
    ex->panes.all[0].zoomed = false;
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

static void set_views(struct lw_explorer *ex, const struct lw_step *step)
{
    const char *access = step->access.name;
    if (step->view.name) {
        ex->panes.active = ex->panes.all;
        lw_explorer_set_view(ex, lw_view_index(step->view.name));
        lw_refresh(ex, 0);
    }
    if (access)
        ex->panes.play.access = !strcmp(access, "load")    ? LW_VIEW_LOAD
                                : !strcmp(access, "store") ? LW_VIEW_STORE
                                                           : LW_VIEW_BOTH;
    if (step->color.name)
        set_color(ex, step->color.name);
    if (step->split.name && ex->panes.count == 1)
        lw_split(ex, 0);
    if (step->split.name && ex->panes.count == 2) {
        ex->panes.all[1].shown = LW_PANE_FIRST;
        ex->panes.active = &ex->panes.all[1];
        lw_explorer_set_view(ex, lw_view_index(step->split.name));
        lw_refresh(ex, 0);
        ex->panes.active = ex->panes.all;
    }
    lw_refresh(ex, LW_CHANGED_VIEW);
}

/* The layouts that are open let go of it: until they are joined again they are no pair. */
static bool drop_store(struct lw_explorer *ex)
{
    struct lw_lesson_run *run = ex->lesson;
    if (!run->has_store)
        return false;
    if (ex->layouts.has_opened)
        lw_subject_separate(&ex->layouts.opened.subject);
    for (int i = 0; i < LW_PANES_MAX; i++)
        if (ex->panes.all[i].shown == LW_PANE_STORE)
            ex->panes.all[i].shown = LW_PANE_FIRST;
    lw_subject_close(&run->store);
    return !(run->has_store = false);
}

/* The layout that stores go through has the tensor of the one that is open. */
static void load_store(struct lw_explorer *ex, const struct lw_document *store)
{
    struct lw_lesson_run *run = ex->lesson;
    struct lw_document doc = *store; /* borrows all of it */
    bool had = drop_store(ex);
    if (doc.tensor.rank < 0)
        doc.tensor = ex->list.entries[run->entry].doc.tensor;
    run->has_store = store->encoding && ex->layouts.has_opened &&
                     lw_subject_open(&run->store, &doc, LW_LANES_DEFAULT, &run->store_problem);
    if (had || run->has_store)
        lw_refresh(ex, LW_CHANGED_LAYOUT);
}

void lw_lesson_refill(struct lw_explorer *ex)
{
    struct lw_lesson_run *run = ex->lesson;
    struct lw_text *const shown[LW_COUNT(run->drafts)] = {&run->text, &run->task, &run->hint_lines};
    const struct lw_step *step = lw_lesson_step(run);
    struct lw_lesson_state state;
    lw_lesson_state(ex, &state);
    for (size_t i = 0; i < LW_COUNT(run->drafts); i++) {
        lw_text_clear(shown[i]);
        lw_lesson_fill(shown[i], lw_text_string(&run->drafts[i]), &state, &run->was);
    }
    if (step && lw_lesson_is_on(ex) && (run->met || !run->reached))
        fill(ex, &run->done, step->done);
}

/* The texts, of the layouts as the step begins. */
static void draft_texts(struct lw_explorer *ex, const struct lw_step *step)
{
    struct lw_lesson_run *run = ex->lesson;
    struct lw_text *drafts = run->drafts;
    struct lw_lesson_state state;
    lw_lesson_state(ex, &state);
    state.drafts = true;
    lw_measures_fill(&run->was, &state);
    for (size_t i = 0; i < LW_COUNT(run->drafts); i++)
        lw_text_clear(&drafts[i]);
    lw_lesson_fill(&drafts[0], step->text, &state, &run->was);
    lw_lesson_fill(&drafts[1], step->task, &state, &run->was);
    for (size_t i = 0; i < step->hint_count; i++) {
        lw_lesson_fill(&drafts[2], step->hints[i], &state, &run->was);
        lw_text_char(&drafts[2], '\n');
    }
}

static void enter_step(struct lw_explorer *ex, size_t number)
{
    struct lw_lesson_run *run = ex->lesson;
    if (run->reached)
        lw_text_format(&run->log, "%s\n", lw_text_string(&run->done));
    run->step = number;
    run->met = run->reached = false;
    run->hints = 0;
    run->top = run->wanted_height = 0;
    const struct lw_step *step = lw_lesson_step(run);
    if (!step)
        return;
    if (step->open.encoding && !load_layout(ex, &step->open))
        return;
    if (step->open.encoding || step->store.encoding)
        load_store(ex, &step->store);
    set_views(ex, step);
    lw_lesson_record_fields(ex);
    draft_texts(ex, step);
    if (run->best.found == LW_BEST_STOPPED)
        run->best.found = LW_BEST_UNKNOWN;
    lw_lesson_search(ex);
    lw_lesson_refill(ex); /* `done` is about as long as it will be */
}

bool lw_lesson_solve(struct lw_explorer *ex, const char *line)
{
    ex->status.message[0] = '\0';
    ex->status.is_error = false;
    ex->tables.run_command(ex, line);
    return !ex->status.is_error;
}

/* A step that goes on with the layout of the one before is reached by way of it. */
bool lw_lesson_go(struct lw_explorer *ex, size_t number)
{
    const struct lw_lesson *lesson = &ex->lesson->lesson;
    size_t from = number < lesson->step_count ? number : lesson->step_count - 1;
    while (from > 0 && !lesson->steps[from].open.encoding)
        from--;
    lw_text_clear(&ex->lesson->log);
    ex->lesson->met = ex->lesson->reached = false;
    for (; from < number; from++) {
        enter_step(ex, from);
        for (size_t i = 0; i < lesson->steps[from].solution_count; i++)
            lw_lesson_solve(ex, lesson->steps[from].solution[i]);
        lw_lesson_check_goal(ex);
        if (!ex->lesson->reached && ex->lesson->best.search) { /* nobody waits for it here */
            ex->lesson->reached = true;
            fill(ex, &ex->lesson->done, lesson->steps[from].done);
        }
    }
    enter_step(ex, number);
    ex->status.message[0] = '\0';
    return ex->layouts.has_opened;
}

/* ---- Beginning and ending ---- */

void lw_lesson_end(struct lw_explorer *ex)
{
    struct lw_lesson_run *run = ex->lesson;
    if (!run)
        return;
    if (run->best.search)
        lw_job_cancel(ex);
    drop_store(ex);
    for (size_t i = 0; i < LW_COUNT(run->drafts); i++)
        lw_text_free(&run->drafts[i]);
    lw_text_free(&run->text);
    lw_text_free(&run->task);
    lw_text_free(&run->hint_lines);
    lw_text_free(&run->done);
    lw_text_free(&run->log);
    lw_text_free(&run->fields);
    lw_progress_free(&run->progress);
    lw_lesson_free(&run->lesson);
    free(run);
    ex->lesson = NULL;
}

static void load_progress(struct lw_explorer *ex, struct lw_lesson_run *run, size_t *step)
{
    if (!ex->keep.settings_saved)
        return;
    struct lw_report report;
    if (!lw_progress_load(&run->progress, &report))
        lw_warn_of_report(ex, &report);
    uint64_t done = lw_progress_get(&run->progress, run->name);
    if (done && done < run->lesson.step_count) {
        *step = run->done_steps = (size_t)done;
        lw_explorer_set_message(ex, false, "you were at step %zu: p goes to the one before",
                                *step + 1);
    }
}

static bool find_entry(const struct lw_explorer *ex, struct lw_lesson_run *run)
{
    for (size_t i = 0; i < ex->list.count; i++) {
        char name[64];
        if (!ex->list.entries[i].lesson)
            continue;
        lw_lesson_key(name, ex->list.entries[i].lesson);
        run->entry = i;
        if (!strcmp(name, run->name))
            return true;
    }
    return false;
}

bool lw_lesson_begin(struct lw_explorer *ex, const char *source, struct lw_error *err)
{
    struct lw_report report = {0};
    struct lw_lesson_run *run = calloc(1, sizeof *run);
    size_t step = 0;
    if (!run)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (!lw_lesson_open(&run->lesson, source, &report, err)) {
        if (err && report.total)
            *err = report.errors[0];
        free(run);
        return false;
    }
    lw_lesson_key(run->name, source);
    if (!find_entry(ex, run)) {
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
    ex->focus = ex->focus_below = LW_FOCUS_VIEW;
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

/* Says so when there is no lesson. */
static bool is_on(struct lw_explorer *ex)
{
    if (lw_lesson_is_on(ex))
        return true;
    lw_explorer_set_message(ex, false, "no lesson is open: :learn lists them");
    return false;
}

const struct lw_gallery_entry *lw_lesson_after(const struct lw_lesson_run *run)
{
    size_t count;
    const struct lw_gallery_entry *lessons = lw_lessons(&count);
    size_t next = (size_t)run->number;
    return next && next < count ? &lessons[next] : NULL;
}

static void next_lesson(struct lw_explorer *ex)
{
    const struct lw_gallery_entry *next = lw_lesson_after(ex->lesson);
    struct lw_error err;
    if (!next)
        lw_explorer_set_message(ex, false, "that was the last lesson: the layouts are yours now");
    else if (!lw_lesson_begin(ex, lw_lesson_name(next), &err))
        lw_explorer_set_message(ex, true, "%s", err.message);
}

/* Whoever works in the form stays in it, at the same field, unless the next goal is a place to go to. */
static void next_step(struct lw_explorer *ex)
{
    char path[LW_PATH_MAX] = "";
    if (ex->focus == LW_FOCUS_FORM && ex->form.field < ex->form.count)
        snprintf(path, sizeof path, "%s", ex->form.fields[ex->form.field].path);
    enter_step(ex, ex->lesson->step + 1);
    const struct lw_step *step = lw_lesson_step(ex->lesson);
    if (!path[0] || !step || step->goal.items[0].kind->value_kind == LW_GOAL_FIELDS)
        ex->focus = LW_FOCUS_VIEW;
    lw_form_choose(ex, path);
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
    else
        lw_explorer_set_message(
            ex, false, "the goal is not reached yet: Tab goes to the parameters, H gives a hint");
}

bool lw_lesson_is_done(const struct lw_lesson_run *run)
{
    return run->reached || run->step < run->done_steps;
}

/* In the form Enter edits, until the goal is met. */
bool lw_lesson_uses_enter(const struct lw_explorer *ex)
{
    return lw_lesson_is_on(ex) &&
           (ex->focus == LW_FOCUS_VIEW ||
            (ex->focus == LW_FOCUS_FORM && (!lw_lesson_step(ex->lesson) || ex->lesson->met)));
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
    if (by && ex->lesson->step == 0)
        lw_explorer_set_message(ex, false, "this is the first step");
    else
        lw_lesson_go(ex, ex->lesson->step - (by ? 1 : 0));
}

void lw_lesson_hint(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (!is_on(ex))
        return;
    const struct lw_step *step = lw_lesson_step(ex->lesson);
    if (step && ex->lesson->hints < step->hint_count) {
        ex->lesson->hints++;
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
