/* A lesson on paper, for use without a terminal: each step with its grid and its task, without solutions; or a sheet
 * with only the answers. Also as JSON. */

#include "tui/lesson/handout.h"

#include "export/output.h"

struct paper {
    FILE *out;
    const struct lw_handout_form *form;
    struct lw_explorer *ex;
    bool answers;
    struct lw_error *err;
};

static void put_goals(const struct paper *paper, const struct lw_step *step)
{
    struct lw_lesson_state state;
    lw_lesson_state(paper->ex, &state);
    state.is_paper = true;
    if (*step->aim) {
        paper->form->paragraph(paper->out, "Goal: ", step->aim);
        return;
    }
    for (int i = 0; i < step->goal.count; i++) {
        struct lw_text text = {0};
        lw_goal_put(&text, &state, &step->goal.items[i]);
        paper->form->paragraph(paper->out, "Goal: ", lw_text_string(&text));
        lw_text_free(&text);
    }
}

static void put_choices(const struct paper *paper, const struct lw_step *step)
{
    for (size_t i = 0; i < step->choices.count; i++) {
        struct lw_text choice = {0};
        char mark[32];
        snprintf(mark, sizeof mark, "%zu  ", i + 1);
        lw_lesson_put_choice(paper->ex, &choice, i);
        paper->form->paragraph(paper->out, mark, lw_text_string(&choice));
        lw_text_free(&choice);
    }
    if (step->kind == LW_STEP_PREDICT)
        paper->form->paragraph(paper->out, "Answer: ", "..............................");
}

static bool put_task(const struct paper *paper, const struct lw_step *step)
{
    const struct lw_lesson_run *run = paper->ex->lesson;
    bool good = true;
    paper->form->paragraph(paper->out, "", lw_text_string(&run->text));
    for (int i = 0; good && i < paper->ex->panes.count; i++) {
        struct lw_view_pane *pane = &paper->ex->panes.all[i];
        if (pane->has_view && !lw_lesson_hides(paper->ex, pane))
            good = paper->form->grid(paper->out, paper->ex, pane, paper->err);
    }
    paper->form->paragraph(paper->out, "Task: ", lw_text_string(&run->task));
    put_choices(paper, step);
    put_goals(paper, step);
    return good;
}

/* Writes the answer of a step, and solves the step. */
static void put_answer(const struct paper *paper, const struct lw_step *step)
{
    struct lw_explorer *ex = paper->ex;
    struct lw_text answer = {0};
    if (paper->answers)
        paper->form->paragraph(paper->out, "Task: ", lw_text_string(&ex->lesson->task));
    if (step->kind == LW_STEP_PREDICT && lw_lesson_right_answer(ex, &answer) && paper->answers)
        paper->form->paragraph(paper->out, "Answer: ", lw_text_string(&answer));
    for (size_t i = 0; i < step->solution.count && paper->answers; i++) {
        lw_text_clear(&answer);
        lw_text_format(&answer, ":%s", step->solution.lines[i]);
        paper->form->code(paper->out, lw_text_string(&answer));
    }
    lw_text_free(&answer);
    lw_lesson_solve_step(ex, step);
    lw_lesson_wait(ex);
    if (paper->answers)
        paper->form->paragraph(paper->out, "", lw_text_string(&ex->lesson->done));
}

static bool put_step(const struct paper *paper)
{
    const struct lw_lesson_run *run = paper->ex->lesson;
    const struct lw_step *step = lw_lesson_step(run);
    struct lw_text heading = {0};
    lw_lesson_wait(paper->ex);
    lw_text_format(&heading, "Step %zu of %zu", run->step + 1, run->lesson.step_count);
    paper->form->heading(paper->out, 2, lw_text_string(&heading));
    lw_text_free(&heading);
    bool good = paper->answers || put_task(paper, step);
    put_answer(paper, step);
    return good;
}

static void put_title(struct lw_text *text, const struct lw_lesson_run *run, bool answers)
{
    lw_text_add(text, answers ? "Answers of lesson" : "Lesson");
    if (run->number)
        lw_text_format(text, " %d", run->number);
    lw_text_format(text, ": %s", run->lesson.title);
    if (run->lesson.case_count > 1)
        lw_text_format(text, " (seed %llu)", (unsigned long long)run->lesson.seed);
}

static void put_end(const struct paper *paper, const struct lw_lesson *lesson)
{
    if (paper->answers)
        return;
    paper->form->heading(paper->out, 2, "Summary");
    paper->form->paragraph(paper->out, "", lesson->learnt);
    if (lesson->read.count)
        paper->form->heading(paper->out, 2, "Further reading");
    for (size_t i = 0; i < lesson->read.count; i++)
        paper->form->paragraph(paper->out, "", lesson->read.lines[i]);
}

static bool put_lesson(const struct paper *paper)
{
    const struct lw_lesson_run *run = paper->ex->lesson;
    struct lw_text title = {0};
    bool good = true;
    put_title(&title, run, paper->answers);
    paper->form->begin(paper->out, lw_text_string(&title));
    paper->form->heading(paper->out, 1, lw_text_string(&title));
    lw_text_free(&title);
    if (*run->lesson.about && !paper->answers)
        paper->form->paragraph(paper->out, "", run->lesson.about);
    while (good && lw_lesson_step(run)) {
        good = put_step(paper);
        paper->ex->lesson->reached = true;
        lw_lesson_next(paper->ex, 0);
    }
    put_end(paper, &run->lesson);
    paper->form->end(paper->out);
    return good;
}

/* ---- JSON ---- */

static void put_member(struct lw_text *json, const char *name, const char *value)
{
    lw_text_format(json, ",\"%s\":", name);
    lw_text_json_string(json, value);
}

static void put_json_lines(struct lw_text *json, const char *name, const char *const *lines,
                           size_t count)
{
    lw_text_format(json, ",\"%s\":[", name);
    for (size_t i = 0; i < count; i++) {
        lw_text_add(json, i ? "," : "");
        lw_text_json_string(json, lines[i]);
    }
    lw_text_char(json, ']');
}

static void put_json_choices(struct lw_text *json, const struct paper *paper,
                             const struct lw_step *step)
{
    lw_text_add(json, ",\"choices\":[");
    for (size_t i = 0; i < step->choices.count; i++) {
        struct lw_text choice = {0};
        lw_lesson_put_choice(paper->ex, &choice, i);
        lw_text_add(json, i ? "," : "");
        lw_text_json_string(json, lw_text_string(&choice));
        lw_text_free(&choice);
    }
    lw_text_char(json, ']');
}

static void put_json_step(struct lw_text *json, const struct paper *paper)
{
    struct lw_explorer *ex = paper->ex;
    const struct lw_lesson_run *run = ex->lesson;
    const struct lw_step *step = lw_lesson_step(run);
    struct lw_lesson_state state;
    struct lw_text part = {0};
    size_t count;
    lw_lesson_wait(ex);
    lw_lesson_state(ex, &state);
    state.is_paper = true;
    lw_text_format(json, "%s{\"step\":%zu", run->step ? "," : "", run->step + 1);
    put_member(json, "kind", lw_step_kinds(&count)[step->kind].name);
    put_member(json, "text", lw_text_string(&run->text));
    put_member(json, "do", lw_text_string(&run->task));
    lw_text_add(json, ",\"goals\":[");
    if (*step->aim)
        lw_text_json_string(json, step->aim);
    for (int i = 0; i < step->goal.count && !*step->aim; i++) {
        lw_text_clear(&part);
        lw_goal_put(&part, &state, &step->goal.items[i]);
        lw_text_add(json, i ? "," : "");
        lw_text_json_string(json, lw_text_string(&part));
    }
    lw_text_char(json, ']');
    if (step->choices.count)
        put_json_choices(json, paper, step);
    lw_text_clear(&part);
    if (paper->answers && step->kind == LW_STEP_PREDICT && lw_lesson_right_answer(ex, &part))
        put_member(json, "answer", lw_text_string(&part));
    if (paper->answers)
        put_json_lines(json, "solution", step->solution.lines, step->solution.count);
    lw_text_free(&part);
    lw_lesson_solve_step(ex, step);
    lw_lesson_wait(ex);
    if (paper->answers)
        put_member(json, "done", lw_text_string(&run->done));
    lw_text_char(json, '}');
}

static void put_json(const struct paper *paper)
{
    const struct lw_lesson_run *run = paper->ex->lesson;
    struct lw_text json = {0};
    lw_text_add(&json, "{\"lesson\":");
    lw_text_json_string(&json, run->lesson.title);
    put_member(&json, "name", run->name);
    if (run->number)
        lw_text_format(&json, ",\"number\":%d", run->number);
    if (run->lesson.case_count > 1)
        lw_text_format(&json, ",\"seed\":%llu", (unsigned long long)run->lesson.seed);
    put_member(&json, "about", run->lesson.about);
    lw_text_add(&json, ",\"steps\":[");
    while (lw_lesson_step(run)) {
        put_json_step(&json, paper);
        paper->ex->lesson->reached = true;
        lw_lesson_next(paper->ex, 0);
    }
    lw_text_char(&json, ']');
    put_member(&json, "learnt", run->lesson.learnt);
    put_json_lines(&json, "read", run->lesson.read.lines, run->lesson.read.count);
    lw_text_add(&json, "}\n");
    lw_output_text(paper->out, &json);
    lw_text_free(&json);
}

bool lw_lesson_print(const struct lw_handout *handout, FILE *out, struct lw_error *err)
{
    struct lw_tui_options options = {.lesson = handout->source,
                                     .writes_nothing = true,
                                     .seed_is_set = handout->seed_is_set,
                                     .seed = handout->seed};
    struct lw_explorer *ex = lw_explorer_new(&options, err);
    if (!ex)
        return false;
    const char *path = handout->json ? NULL : handout->path;
    struct paper paper = {out, lw_handout_form_of(path, err), ex, handout->answers, err};
    bool good = paper.form && lw_lesson_begin(ex, handout->source, err);
    if (good && handout->json)
        put_json(&paper);
    else if (good)
        good = put_lesson(&paper);
    lw_explorer_delete(ex);
    return good;
}
