#ifndef LANEWAY_EXPLORER_LESSON_H
#define LANEWAY_EXPLORER_LESSON_H

/*
 * A lesson: its text and its task beside a layout screen, on which the task is done. Goals are checked after every
 * event; they depend on the layouts and the cursor, not on the keys.
 *
 *     goals lesson_texts     what is computed from the screen
 *     lesson.c               steps, questions, progress; its screen: the text, the layout, its keys
 *     course.c               the list of lessons, a folder of them
 *     lesson_check.c         the proof that a lesson works
 *     handout.c              a lesson on paper
 */

#include "tui/input.h"
#include "tui/lesson/goals.h"
#include "tui/param_form.h"
#include "tui/screen.h"

/* What of a lesson is shown: its text and the layout, the task and the layout, or the text alone. */
enum lw_lesson_shows { LW_LESSON_BOTH, LW_LESSON_PICTURE, LW_LESSON_TEXT, LW_LESSON_SHOWS };

struct lw_lesson_screen {
    struct lw_screen screen;
    struct lw_screen *layout; /* on which the step is done; NULL: its layout could not be opened */
    struct lw_lesson lesson;
    char name[64];               /* without the folder of a file */
    char key[LW_LESSON_KEY_MAX]; /* the key of its progress, and what it was read from */
    int number;                  /* its number among the built-in ones; 0: read from a file */
    size_t step;                 /* lesson.step_count: all are done */
    bool met;                    /* the goal is met now */
    bool reached;                /* it was met in this step */
    bool answered;               /* the question of this step is answered */
    int64_t answered_at;         /* when, of lw_now_ms */
    bool retried;                /* a wrong answer was given in this step */
    bool assisted;               /* the last hint of this step was shown, or the best S */
    size_t done_steps;           /* the number of steps done, also in an earlier run */
    size_t hints;                /* the number of hints shown */
    uint64_t used;               /* bit i: name i of its `use` was used */
    struct lw_input answer;
    struct lw_text reply; /* why the last answer is wrong */
    /* The step's texts, filled in when it began, `done` when it was done; each hint is a line. */
    struct lw_text text, task, hint_lines, done;
    struct lw_measures was;
    struct lw_param_form start;             /* the parameters when the step began */
    const struct lw_hardware *hardware;     /* of the explorer, outside of the lesson */
    uint64_t assisted_steps, retried_steps; /* of this run */
    enum lw_lesson_shows shows;
    bool is_paper; /* it is written as a handout */
};

extern const struct lw_screen_type lw_lesson_screen, lw_course_screen;

static inline struct lw_lesson_screen *lw_lesson_of(const struct lw_screen *screen)
{
    return (struct lw_lesson_screen *)screen;
}

/* ---- lesson.c ---- */

/* Lesson number i of the course, as lw_lesson_begin takes it; NULL: there are fewer. */
const char *lw_lesson_at(const struct lw_app *app, size_t i);
/* The current step, or NULL: the lesson is done. */
const struct lw_step *lw_lesson_step(const struct lw_lesson_screen *lesson);
/* Whether the step has a question that is not answered yet. */
bool lw_lesson_has_question(const struct lw_lesson_screen *lesson);
/* Whether the layout is shown: a question shows it before its answer only where the step names a view. */
bool lw_lesson_shows_layout(const struct lw_lesson_screen *lesson);
void lw_lesson_state(const struct lw_lesson_screen *lesson, struct lw_lesson_state *state);
/* Begins a step with what is on the screen; and any step, with its layout at the start. */
void lw_lesson_enter(struct lw_lesson_screen *lesson, size_t step);
void lw_lesson_go(struct lw_lesson_screen *lesson, size_t step);
/* Sets `met`; a step that is done is recorded. `ran`: the action that ran since, or NULL. */
void lw_lesson_check_goal(struct lw_lesson_screen *lesson, const char *ran);
/* Whether a parameter was changed that the step is not about; `why`, unless it is NULL, gets its name. */
bool lw_lesson_wrong_change(const struct lw_lesson_screen *lesson, struct lw_text *why);
/* Appends the right answer; false: it has no value. Appends a choice. */
bool lw_lesson_right_answer(const struct lw_lesson_screen *lesson, struct lw_text *text);
void lw_lesson_put_choice(const struct lw_lesson_screen *lesson, struct lw_text *text, size_t i);
/* Whether two answers are the same: "(3, 11)" and "3,11" are. */
bool lw_lesson_same_answer(const char *a, const char *b);
/* Whether an answer is wrong answer number i of the step. */
bool lw_lesson_is_wrong_answer(const struct lw_lesson_screen *lesson, size_t i, const char *answer);
/* Takes an answer, or the number of a choice. */
void lw_lesson_answer(struct lw_lesson_screen *lesson, const char *typed);
/* Runs one line of a solution, an action or a command, on the lesson, which is on top; false when it failed, with the
 * reason in *err. */
bool lw_lesson_solve(struct lw_lesson_screen *lesson, const char *line, struct lw_error *err);
/* Runs the solution of a step. */
void lw_lesson_solve_step(struct lw_lesson_screen *lesson);

/* Reads a lesson, pushes its screen and goes to the first step that is not done. */
bool lw_lesson_begin(struct lw_app *app, const char *source, struct lw_error *err);

/* ---- course.c ---- */

/* Opens the list of lessons, at the first that is not done. */
void lw_course_show(struct lw_app *app);

#endif
