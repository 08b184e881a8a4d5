/* Proof that a lesson works: the goal of each step is not met at its start, and is met by the step's
 * solution, which changes only the parameters of the step; every marker in a text has a value, and the
 * claims in "before" and "after" are true. */

#include "tui/lesson/lesson_run.h"

#include <string.h>

/* Name number i of the actions, and then of the views; NULL: there are no more. */
static const char *key_at(const void *explorer, size_t i)
{
    const struct lw_explorer *ex = explorer;
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    if (i < ex->tables.action_count)
        return ex->tables.actions[i].name;
    i -= ex->tables.action_count;
    return i < count ? types[i]->name : NULL;
}

/* Reports a marker that has no value, such as "{key matrx}". */
static void report_marker(struct lw_explorer *ex, struct lw_report *report, const char *marker)
{
    char hint[LW_HINT_MAX], name[64];
    size_t count = 0;
    if (strncmp(marker, "{key ", 5) != 0) {
        lw_lesson_report(report, ex->lesson, (struct lw_position){0},
                         "'%s' has no value for this layout", marker);
        return;
    }
    while (key_at(ex, count))
        count++;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(marker + 5, "}"), marker + 5);
    lw_lesson_report(report, ex->lesson, (struct lw_position){0},
                     "'%s': there is no action and no view '%.40s'%s", marker, name,
                     lw_text_hint(hint, lw_text_nearest(name, count, key_at, ex),
                                  "; 'laneway help scripts' lists the actions"));
}

/* Checks each marker of a text. */
static void check_text(struct lw_explorer *ex, struct lw_report *report, const char *template)
{
    for (const char *p = template; (p = strchr(p, '{'));) {
        struct lw_lesson_state state;
        struct lw_text text = {0};
        char marker[80];
        size_t length = p[1] == '{' ? 2 : strcspn(p, "}") + 1;
        snprintf(marker, sizeof marker, "%.*s", (int)(length < 79 ? length : 79), p);
        lw_lesson_state(ex, &state);
        if (p[1] != '{' && !lw_lesson_fill(&text, marker, &state, &ex->lesson->was))
            report_marker(ex, report, marker);
        lw_text_free(&text);
        p += length < strlen(p) ? length : strlen(p);
    }
}

/* ---- Names ---- */

static const char *view_at(const void *types, size_t i)
{
    return ((const struct lw_view_type *const *)types)[i]->name;
}

static const char *color_at(const void *keys, size_t i)
{
    return ((const struct lw_color_key *)keys)[i].name;
}

static const char *hardware_at(const void *list, size_t i)
{
    return ((const struct lw_hardware *)list)[i].name;
}

static const char *zoom_at(const void *unused, size_t i)
{
    (void)unused;
    return lw_zoom_name(i);
}

/* Parameter i, without the headings; NULL: there are no more. */
static const char *field_at(const void *explorer, size_t i)
{
    const struct lw_explorer *ex = explorer;
    for (size_t k = 0; k < ex->form.count; k++)
        if (ex->form.fields[k].path[0] && i-- == 0)
            return ex->form.fields[k].path;
    return NULL;
}

/* Reports a name that is not in the list, with the nearest one. */
static bool check_name(struct lw_report *report, const struct lw_lesson_run *run,
                       const struct lw_step_name *choice, const char *what, size_t count,
                       const char *(*get)(const void *context, size_t i), const void *context)
{
    char hint[LW_HINT_MAX], otherwise[64];
    for (size_t i = 0; i < count; i++)
        if (!strcmp(get(context, i), choice->name))
            return true;
    snprintf(otherwise, sizeof otherwise, "; there is '%.40s'", count ? get(context, 0) : "");
    lw_lesson_report(
        report, run, choice->position, "there is no %s '%.40s'%s", what, choice->name,
        lw_text_hint(hint, lw_text_nearest(choice->name, count, get, context), otherwise));
    return false;
}

static void check_names(struct lw_explorer *ex, struct lw_report *report,
                        const struct lw_step *step)
{
    const struct lw_step_name *views[] = {&step->view, &step->split};
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    for (int i = 0; i < 2; i++)
        if (views[i]->name &&
            (lw_view_type_find(views[i]->name) ||
             check_name(report, ex->lesson, views[i], "view", count, view_at, types)) &&
            i < ex->panes.count && !ex->panes.all[i].has_view)
            lw_lesson_report(report, ex->lesson, views[i]->position, "the view %.40s: %.200s",
                             views[i]->name, ex->panes.all[i].view_problem.message);
    const struct lw_color_key *keys;
    const struct lw_hardware *targets = lw_hardware_list(&count);
    if (step->hardware.name && !lw_hardware_find(step->hardware.name))
        check_name(report, ex->lesson, &step->hardware, "target", count, hardware_at, targets);
    keys = lw_color_keys(&count);
    if (step->color.name)
        check_name(report, ex->lesson, &step->color, "colour", count, color_at, keys);
    for (count = 0; lw_zoom_name(count);)
        count++;
    if (step->zoom.name)
        check_name(report, ex->lesson, &step->zoom, "zoom", count, zoom_at, NULL);
    for (size_t i = 0; i < step->change.count; i++) {
        const struct lw_step_name choice = {step->change.lines[i], step->change.position};
        for (count = 0; field_at(ex, count);)
            count++;
        if (strcmp(choice.name, "encoding") != 0)
            check_name(report, ex->lesson, &choice, "parameter", count, field_at, ex);
    }
    const struct lw_error *problem = &ex->layouts.side_problems[LW_SIDE_A];
    if (step->store.encoding && problem->code != LW_OK)
        lw_lesson_report(report, ex->lesson, (struct lw_position){0},
                         "'store' is not a layout of this tensor: %.200s", problem->message);
    if (step->store.encoding && ex->layouts.has_opened && ex->layouts.has_side[LW_SIDE_A] &&
        !lw_dims_equal(&ex->layouts.sides[LW_SIDE_A].subject.map.out,
                       &ex->layouts.opened.subject.map.out))
        lw_lesson_report(report, ex->lesson, (struct lw_position){0},
                         "'store' is not a layout of this tensor: it has other dims");
}

/* ---- Goals ---- */

/* The size of a dim, also of rows and columns, by its name; 0: it is not a dim. */
static uint64_t field_size(const struct lw_map *map, const char *field)
{
    int in = lw_dims_find(&map->in, field), last = map->out.count - 1;
    if (in >= 0)
        return map->in.dim[in].size;
    if (!strcmp(field, "column") && last >= 0)
        return map->out.dim[last].size;
    return !strcmp(field, "row") && last >= 1 ? map->out.dim[last - 1].size : 0;
}

/* Reports a layout that is not legal, and fields that cells do not have. */
static void check_goal(struct lw_explorer *ex, struct lw_report *report, const struct lw_goal *goal)
{
    struct lw_error err = {0};
    struct lw_map map;
    struct lw_lesson_state state;
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX], value;
    lw_lesson_state(ex, &state);
    if (goal->layout.encoding && state.own) {
        struct lw_document expected = goal->layout;
        if (expected.tensor.rank < 0)
            expected.tensor = state.own->tensor;
        if (!lw_document_build(&expected, &map, &err))
            lw_lesson_report(report, ex->lesson, goal->position, "the goal's layout: %.200s",
                             err.message);
    }
    for (int i = 0; state.pointed && i < goal->field_count; i++) {
        uint64_t size = field_size(&state.pointed->map, goal->fields[i]);
        if (lw_map_apply(&state.pointed->map, in, out) &&
            !lw_subject_field(state.pointed, goal->fields[i], in, out, &value))
            lw_lesson_report(
                report, ex->lesson, goal->position,
                "a cell of this layout has no '%.40s'; fields are row, column, register, "
                "lane, warp, offset, bank, ...",
                goal->fields[i]);
        else if (size && goal->values[i] >= size)
            lw_lesson_report(report, ex->lesson, goal->position,
                             "no cell of this layout has %.40s %llu: they are 0 to %llu",
                             goal->fields[i], (unsigned long long)goal->values[i],
                             (unsigned long long)(size - 1));
    }
}

/* Reports the goals that are not met. */
static void check_goals(struct lw_explorer *ex, struct lw_report *report,
                        const struct lw_goals *goals, const char *what)
{
    for (int i = 0; i < goals->count; i++) {
        struct lw_lesson_state state;
        struct lw_text text = {0};
        lw_lesson_state(ex, &state);
        lw_goal_put(&text, &state, &goals->items[i]);
        if (!lw_goal_met(&state, &goals->items[i]))
            lw_lesson_report(report, ex->lesson, goals->items[i].position, "%s: %.200s", what,
                             lw_text_string(&text));
        lw_text_free(&text);
    }
}

/* Checks the texts of the start, or of the end. */
static void check_texts(struct lw_explorer *ex, struct lw_report *report,
                        const struct lw_step *step, bool begins)
{
    if (!begins) {
        check_text(ex, report, step->done);
        return;
    }
    check_text(ex, report, step->text);
    check_text(ex, report, step->task);
    check_text(ex, report, step->aim);
    for (size_t i = 0; i < step->hints.count; i++)
        check_text(ex, report, step->hints.lines[i]);
    for (size_t i = 0; i < step->choices.count; i++)
        check_text(ex, report, step->choices.lines[i]);
    for (size_t i = 0; i < step->wrong.count; i++)
        check_text(ex, report, step->wrong.items[i].text);
}

static void check_solution(struct lw_explorer *ex, struct lw_report *report,
                           const struct lw_step *step)
{
    struct lw_text disallowed = {0};
    for (size_t i = 0; i < step->solution.count; i++)
        if (!lw_lesson_solve(ex, step->solution.lines[i]))
            lw_lesson_report(report, ex->lesson, (struct lw_position){0},
                             "solution '%.80s': %.200s", step->solution.lines[i],
                             ex->status.message);
    if (!step->solution.count)
        lw_lesson_solve_step(ex, step);
    lw_lesson_wait(ex);
    if (lw_lesson_disallowed_change(ex, &disallowed))
        lw_lesson_report(report, ex->lesson, step->change.position, "the solution: %.200s",
                         lw_text_string(&disallowed));
    lw_text_free(&disallowed);
}

/* Runs commands from the start of the step; returns whether they reach the goal. Reports one that is refused. */
static bool try_lines(struct lw_explorer *ex, struct lw_report *report,
                      const struct lw_strings *lines)
{
    lw_lesson_go(ex, ex->lesson->step);
    lw_lesson_wait(ex);
    for (size_t i = 0; i < lines->count; i++)
        if (!lw_lesson_solve(ex, lines->lines[i]))
            lw_lesson_report(report, ex->lesson, lines->position, "'%.80s': %.200s",
                             lines->lines[i], ex->status.message);
    lw_lesson_wait(ex);
    return ex->lesson->met;
}

/* Checks the commands that must reach the goal, and those that must not. */
static void check_tries(struct lw_explorer *ex, struct lw_report *report,
                        const struct lw_step *step)
{
    for (size_t i = 0; i < step->also.count; i++)
        if (!try_lines(ex, report, &step->also.items[i]))
            lw_lesson_report(report, ex->lesson, step->also.items[i].position,
                             "these commands of 'also' do not reach the goal");
    for (size_t i = 0; i < step->refuse.count; i++)
        if (try_lines(ex, report, &step->refuse.items[i]))
            lw_lesson_report(report, ex->lesson, step->refuse.items[i].position,
                             "these commands of 'refuse' reach the goal");
    if (step->also.count + step->refuse.count)
        lw_lesson_go(ex, ex->lesson->step);
}

/* Checks that the answer of a question can be computed, is not a wrong answer, and is among the choices. */
static void check_question(struct lw_explorer *ex, struct lw_report *report,
                           const struct lw_step *step)
{
    struct lw_text answer = {0};
    bool chosen = step->choices.count == 0;
    if (!lw_lesson_right_answer(ex, &answer))
        lw_lesson_report(report, ex->lesson, (struct lw_position){0}, "the answer has no value");
    if (!strchr(step->answer, '{') && !step->choices.count)
        lw_lesson_report(report, ex->lesson, (struct lw_position){0},
                         "the answer must be computed: write it with a marker, {load-wavefronts}");
    for (size_t i = 0; i < step->choices.count; i++) {
        struct lw_text choice = {0};
        lw_lesson_put_choice(ex, &choice, i);
        chosen = chosen || lw_lesson_same_answer(lw_text_string(&choice), lw_text_string(&answer));
        lw_text_free(&choice);
    }
    if (!chosen)
        lw_lesson_report(report, ex->lesson, step->choices.position,
                         "the answer, %.80s, is not among the choices", lw_text_string(&answer));
    for (size_t i = 0; i < step->wrong.count; i++)
        if (lw_lesson_is_wrong_answer(ex, i, lw_text_string(&answer)))
            lw_lesson_report(report, ex->lesson, step->wrong.items[i].position,
                             "'%.80s' is the right answer", step->wrong.items[i].name);
    lw_text_free(&answer);
}

/* Checks that an action to be used has a key, and that a text names it. */
static void check_use(struct lw_explorer *ex, struct lw_report *report, const struct lw_step *step)
{
    for (size_t i = 0; i < step->use.count; i++) {
        const char *name = step->use.lines[i];
        char marker[64];
        snprintf(marker, sizeof marker, "{key %.40s}", name);
        if (!lw_key_action_find(ex, name) && !lw_view_type_find(name))
            lw_lesson_report(
                report, ex->lesson, step->use.position,
                "'%.40s' is neither an action nor a view: 'laneway help scripts' lists "
                "the actions",
                name);
        else if (!strstr(step->text, marker) && !strstr(step->task, marker))
            lw_lesson_report(report, ex->lesson, step->use.position,
                             "neither 'text' nor 'do' names the key: write %s", marker);
    }
}

/* Checks that a step that mends a layout makes a number of its goal less. */
static void check_mended(struct lw_explorer *ex, struct lw_report *report,
                         const struct lw_step *step)
{
    size_t count;
    const struct lw_goal_kind *kinds = lw_goal_kinds(&count);
    struct lw_lesson_state state;
    bool better = step->kind != LW_STEP_MEND;
    lw_lesson_state(ex, &state);
    for (int i = 0; i < step->goal.count && !better; i++) {
        const struct lw_goal_kind *kind = step->goal.items[i].kind;
        uint64_t now;
        better = kind->measure && ex->lesson->was.known[kind - kinds] &&
                 kind->measure(&state, &now) && now < ex->lesson->was.value[kind - kinds];
    }
    if (!better)
        lw_lesson_report(
            report, ex->lesson, (struct lw_position){0},
            "at the end of this 'mend' step no number of the goal is lower than at its start");
}

static void check_step(struct lw_explorer *ex, struct lw_report *report)
{
    struct lw_lesson_run *run = ex->lesson;
    const struct lw_step *step = lw_lesson_step(run);
    lw_lesson_wait(ex);
    check_names(ex, report, step);
    check_texts(ex, report, step, true);
    if (!step->hints.count && step->kind != LW_STEP_SEE)
        lw_lesson_report(report, run, (struct lw_position){0}, "the step has no hint");
    check_goals(ex, report, &step->before, "'before' is not true");
    for (int i = 0; i < step->goal.count; i++)
        check_goal(ex, report, &step->goal.items[i]);
    if (step->kind == LW_STEP_PREDICT)
        check_question(ex, report, step);
    check_use(ex, report, step);
    lw_lesson_wait(ex);
    if (run->met)
        lw_lesson_report(report, run, (struct lw_position){0},
                         "the goal is met at the start of the step");
    check_tries(ex, report, step);
    check_solution(ex, report, step);
    check_texts(ex, report, step, false);
    check_mended(ex, report, step);
    if (!run->met)
        check_goals(ex, report, &step->goal, "the solution does not reach the goal");
    if (!run->met && !report->total)
        lw_lesson_report(report, run, (struct lw_position){0}, "the step cannot be solved");
    check_goals(ex, report, &step->after, "'after' is not true");
}

/* Proves a lesson with the cases of one seed; *more: there are other cases. */
static bool prove_cases(const char *source, uint64_t seed, bool *more, struct lw_report *report,
                        struct lw_error *err)
{
    struct lw_tui_options options = {
        .lesson = source, .writes_nothing = true, .seed_is_set = true, .seed = seed};
    struct lw_explorer *ex = lw_explorer_new(&options, err);
    if (!ex)
        return false;
    bool good = lw_lesson_begin(ex, source, err);
    size_t count = good ? ex->lesson->lesson.step_count : 0;
    *more = good && seed + 1 < ex->lesson->lesson.case_count;
    for (size_t i = 0; i < count; i++) {
        check_step(ex, report);
        ex->lesson->reached = true; /* the next step is checked even when this one has problems */
        lw_lesson_next(ex, 0);
    }
    lw_explorer_delete(ex);
    return good;
}

bool lw_lesson_prove(const char *source, struct lw_report *report, struct lw_error *err)
{
    struct lw_lesson lesson;
    bool good = lw_lesson_open(&lesson, source, 0, report, err), more = good;
    if (good)
        lw_lesson_free(&lesson);
    for (uint64_t seed = 0; good && more && !report->total; seed++)
        good = prove_cases(source, seed, &more, report, err);
    return good && !report->total;
}
