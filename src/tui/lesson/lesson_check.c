/* Proof that a lesson works: the goal of each step is not met at its start, and is met by its solutions; refused
 * answers are refused; what is computed has a value; the facts in "before" and "after" are true. The first problem is
 * reported. */

#include "core/array_count.h"
#include "tui/lesson/lesson_screen.h"
#include "tui/picture/picture.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct proof {
    struct lw_lesson_screen *lesson;
    struct lw_error *err;
};

/* Reports a problem of the step, at this position or, without one, at that of the step. */
static bool fail(const struct proof *proof, struct lw_position position, const char *format, ...)
    LW_PRINTF(3, 4);
static bool fail(const struct proof *proof, struct lw_position position, const char *format, ...)
{
    char message[LW_MESSAGE_MAX];
    const struct lw_step *step = lw_lesson_step(proof->lesson);
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    lw_error_set(proof->err, LW_ERROR_UNSUPPORTED, "step %zu: %.300s", proof->lesson->step + 1,
                 message);
    proof->err->position = position.line ? position : step->position;
    return false;
}

static const struct lw_position nowhere;

/* Each marker of the texts that were shown must have a value. */
static bool check_texts(const struct proof *proof)
{
    const char *marker = proof->lesson->no_value;
    struct lw_text hints = {0};
    for (size_t i = 0; i < lw_lesson_step(proof->lesson)->hints.count; i++)
        lw_lesson_put(proof->lesson, &hints, lw_lesson_step(proof->lesson)->hints.lines[i]);
    lw_text_free(&hints);
    return !*marker || fail(proof, nowhere, "'%s' has no value here", marker);
}

/* ---- Names ---- */

static bool check_view(const struct proof *proof, const struct lw_step_name *name)
{
    const struct lw_picture_type *view = name->name ? lw_picture_named(name->name) : NULL;
    if (name->name && !view)
        return fail(proof, name->position, "there is no view '%.40s'", name->name);
    if (view && !lw_picture_fits(view, lw_layout_model(proof->lesson->layout)))
        return fail(proof, name->position, "this layout has no view '%.40s'", name->name);
    return true;
}

static bool check_names(const struct proof *proof, const struct lw_step *step)
{
    if (!check_view(proof, &step->view) || !check_view(proof, &step->reveal))
        return false;
    if (step->hardware.name && !lw_hardware_find(step->hardware.name))
        return fail(proof, step->hardware.position, "there is no target '%.40s'",
                    step->hardware.name);
    for (size_t i = 0; i < step->use.count; i++) {
        const char *name = step->use.lines[i];
        struct lw_text key = {0};
        bool has_key = lw_lesson_put_key(proof->lesson, &key, name);
        lw_text_free(&key);
        if (!has_key)
            return fail(proof, step->use.position, "there is no action and no view '%.40s'", name);
    }
    return true;
}

/* ---- Goals ---- */

/* All goals must be met. */
static bool check_goals(const struct proof *proof, const struct lw_goals *goals, const char *what)
{
    for (int i = 0; i < goals->count; i++) {
        struct lw_lesson_state state;
        struct lw_text text = {0};
        lw_lesson_state(proof->lesson, &state);
        if (lw_goal_met(&state, &goals->items[i]))
            continue;
        lw_goal_put(&text, &state, &goals->items[i]);
        fail(proof, goals->items[i].position, "%s: %.200s", what, lw_text_string(&text));
        lw_text_free(&text);
        return false;
    }
    return true;
}

/* ---- Solutions ---- */

static bool run_lines(const struct proof *proof, const struct lw_strings *lines)
{
    struct lw_error err = {0};
    for (size_t i = 0; i < lines->count; i++)
        if (!lw_lesson_solve(proof->lesson, lines->lines[i], &err))
            return fail(proof, lines->position, "'%.80s': %.200s", lines->lines[i], err.message);
    return true;
}

/* The lists of commands that must not reach the goal from the start of the step. */
static bool check_refused(const struct proof *proof, const struct lw_tries *tries)
{
    for (size_t i = 0; i < tries->count; i++) {
        lw_lesson_go(proof->lesson, proof->lesson->step);
        if (!run_lines(proof, &tries->items[i]))
            return false;
        if (proof->lesson->met)
            return fail(proof, tries->items[i].position,
                        "these commands of 'refuse' reach the goal");
    }
    if (tries->count)
        lw_lesson_go(proof->lesson, proof->lesson->step);
    return true;
}

static bool check_solution(const struct proof *proof, const struct lw_step *step)
{
    if (!run_lines(proof, &step->solution))
        return false;
    if (!step->solution.count)
        lw_lesson_solve_step(proof->lesson);
    return check_goals(proof, &step->goal, "the solution does not reach the goal") &&
           (proof->lesson->met || fail(proof, nowhere, "the solution does not reach the goal"));
}

/* The answer can be computed, is among the choices, and is no wrong answer. */
static bool check_question(const struct proof *proof, const struct lw_step *step)
{
    struct lw_text answer = {0}, choice = {0};
    bool chosen = !step->choices.count;
    bool good = lw_lesson_right_answer(proof->lesson, &answer) ||
                fail(proof, nowhere, "the answer has no value");
    const char *right = lw_text_string(&answer);
    if (good && !strchr(step->answer, '{') && !step->choices.count)
        good = fail(proof, nowhere,
                    "the answer must be computed: write it in braces, {load-wavefronts}");
    for (size_t i = 0; i < step->choices.count; i++) {
        lw_text_clear(&choice);
        lw_lesson_put(proof->lesson, &choice, step->choices.lines[i]);
        chosen = chosen || lw_lesson_same_answer(lw_text_string(&choice), right);
    }
    if (good && !chosen)
        good = fail(proof, step->choices.position, "the answer, %.80s, is not among the choices",
                    right);
    for (size_t i = 0; good && i < step->wrong.count; i++) {
        lw_lesson_answer(proof->lesson, step->wrong.items[i].name);
        if (proof->lesson->answered)
            good = fail(proof, step->wrong.items[i].position, "'%.80s' is the right answer",
                        step->wrong.items[i].name);
    }
    lw_text_free(&answer);
    lw_text_free(&choice);
    return good;
}

static bool check_step(const struct proof *proof)
{
    struct lw_lesson_screen *lesson = proof->lesson;
    const struct lw_step *step = lw_lesson_step(lesson);
    if (!check_names(proof, step) || !check_texts(proof))
        return false;
    if (!step->hints.count && step->kind != LW_STEP_SEE)
        return fail(proof, nowhere, "the step has no hint");
    if (!check_goals(proof, &step->before, "'before' is not true"))
        return false;
    if (step->kind == LW_STEP_PREDICT && (!check_question(proof, step) || !check_texts(proof)))
        return false;
    lw_lesson_check_goal(lesson, NULL);
    if (lesson->met)
        return fail(proof, nowhere, "the goal is met at the start of the step");
    return check_refused(proof, &step->refuse) && check_solution(proof, step) &&
           check_texts(proof) && check_goals(proof, &step->after, "'after' is not true");
}

/* Proves a lesson with the cases of one seed; *context: there are other cases. */
static bool prove_cases(struct lw_lesson_screen *lesson, void *context, struct lw_error *err)
{
    const struct proof proof = {lesson, err};
    *(bool *)context = lesson->lesson.seed + 1 < lesson->lesson.case_count;
    for (size_t i = 0; i < lesson->lesson.step_count; i++) {
        if (!check_step(&proof))
            return false;
        lw_lesson_enter(lesson, i + 1);
    }
    return true;
}

bool lw_lesson_prove(const char *source, struct lw_error *err)
{
    bool good = true, more = true;
    for (uint64_t seed = 0; good && more; seed++)
        good = lw_lesson_visit(source, seed, prove_cases, &more, err);
    return good;
}

bool lw_lesson_visit(const char *source, uint64_t seed, lw_lesson_visitor *visit, void *context,
                     struct lw_error *err)
{
    struct lw_app *app = calloc(1, sizeof *app);
    const struct lw_tui_options options = {
        .lesson = source, .writes_nothing = true, .seed_is_set = true, .seed = seed};
    if (!app)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    const bool good =
        lw_app_open(app, &options, err) && visit(lw_lesson_of(lw_app_top(app)), context, err);
    lw_app_close(app);
    free(app);
    return good;
}
