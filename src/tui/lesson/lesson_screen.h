#ifndef LANEWAY_EXPLORER_LESSON_H
#define LANEWAY_EXPLORER_LESSON_H

/*
 * A lesson: its text and its task beside a layout screen, on which the task is done. Goals are checked after every
 * event; they depend on the layouts and the cursor, not on the keys.
 *
 *     goals.c                what is computed from the screen
 *     lesson.c               steps, questions, progress; its screen: the text, the layout, its keys
 *     course.c               the list of lessons
 *     lesson_check.c         the proof that a lesson works
 *     handout.c              a lesson on paper
 */

#include "laneway/subject.h"
#include "laneway/view.h"
#include "notation/document/lesson.h"
#include "tui/input.h"
#include "tui/screen.h"

/* What of a lesson is shown: its text and the layout, the task and the layout, or the text alone. */
enum lw_lesson_shows { LW_LESSON_BOTH, LW_LESSON_PICTURE, LW_LESSON_TEXT, LW_LESSON_SHOWS };

struct lw_lesson_screen {
    struct lw_screen screen;
    struct lw_screen *layout; /* on which the step is done */
    struct lw_lesson lesson;
    char key[LW_LESSON_KEY_MAX]; /* the key of its progress, and what it was read from */
    int number;                  /* its number among the built-in ones; 0: read from a file */
    size_t step;                 /* lesson.step_count: all are done */
    bool met;                    /* the goal is met now */
    bool reached;                /* it was met in this step */
    bool answered;               /* the question of this step is answered */
    int64_t answered_at;         /* when, of lw_now_ms */
    bool assisted;               /* the last hint of this step was shown, or the best S */
    size_t done_steps;           /* the number of steps done, also in an earlier run */
    uint64_t kept_steps;         /* the same in the file of progress */
    size_t assisted_steps;       /* of this run */
    size_t hints;                /* the number of hints shown */
    uint64_t used;               /* bit i: name i of its `use` was used */
    struct lw_input answer;
    struct lw_text reply;               /* why the last answer is wrong */
    struct lw_text text, task, done;    /* the step's texts, filled in when it began, or was done */
    const struct lw_hardware *hardware; /* of the explorer, outside of the lesson */
    enum lw_lesson_shows shows;
    char no_value[72]; /* the first marker of its texts that has no value; "" none */
    bool is_paper;     /* it is written as a handout */
};

extern const struct lw_screen_type lw_lesson_screen;

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
/* Appends a text of the step, a choice or a hint, with its markers filled in. */
void lw_lesson_put(struct lw_lesson_screen *lesson, struct lw_text *text, const char *template);
/* Appends the key of an action of the layout or of the lesson, or of a view; false: there is none of that name. */
bool lw_lesson_put_key(const struct lw_lesson_screen *lesson, struct lw_text *text,
                       const char *name);
/* Appends the right answer; false: it has no value. */
bool lw_lesson_right_answer(const struct lw_lesson_screen *lesson, struct lw_text *text);
/* Takes an answer, or the number of a choice. */
void lw_lesson_answer(struct lw_lesson_screen *lesson, const char *typed);
/* Runs one line of a solution, an action or a command, on the lesson, which is on top; false when it failed, with the
 * reason in *err. */
bool lw_lesson_solve(struct lw_lesson_screen *lesson, const char *line, struct lw_error *err);
/* Runs the solution of a step. */
void lw_lesson_solve_step(struct lw_lesson_screen *lesson);

/* Reads a lesson, pushes its screen and goes to the first step that is not done. */
bool lw_lesson_begin(struct lw_app *app, const char *source, struct lw_error *err);

/* ---- lesson_check.c ---- */

/* Opens a lesson without a terminal, with the cases of a seed, and calls a function with it; it writes no files. */
typedef bool lw_lesson_visitor(struct lw_lesson_screen *lesson, void *context,
                               struct lw_error *err);
bool lw_lesson_visit(const char *source, uint64_t seed, lw_lesson_visitor *visit, void *context,
                     struct lw_error *err);

/* ---- course.c ---- */

/* Opens the list of lessons, at the first that is not done. */
void lw_course_show(struct lw_app *app);

/* ---- goals.c: kinds of goals, whether one is met, goals as texts, markers ---- */

/* What goals and markers are computed from. */
struct lw_lesson_state {
    const struct lw_lesson_screen *lesson; /* NULL: no screen, only texts; then put_key is too */
    /* lw_lesson_put_key. */
    bool (*put_key)(const struct lw_lesson_screen *lesson, struct lw_text *text, const char *name);
    const struct lw_subject *own;             /* the document's own layout; NULL: there is none */
    const struct lw_subject *sides[LW_SIDES]; /* all of the access, `own` too; NULL: none */
    const struct lw_subject *pointed;         /* the layout that the cursor is on; NULL: none */
    struct lw_spot spot;                      /* and its element */
    char no_value[72]; /* the first marker of a text that has no value; "" none */
    uint64_t lanes;    /* of a warp of the target */
};

bool lw_goal_met(struct lw_lesson_state *state, const struct lw_goal *goal);
/* "wavefronts of the loads: 1" */
void lw_goal_put(struct lw_text *text, struct lw_lesson_state *state, const struct lw_goal *goal);
/* Markers:
 *
 *     {load-wavefronts}        the current value of a kind of goal
 *     {bank of 3,5}            a field of the first owner of an element
 *     {32 / load-each}         arithmetic of these, with the operators + - * / % in their order; a minus has a
 *                              blank before it
 *     {log2 columns}           the logarithm of one
 *     {bank-matrix of load}    the matrix from lane bits to bank bits, in lines
 *     {key play}               the key of an action, or of a view
 *     {notation cute}          the layout (of an access that of shared memory) in the notation of a system
 *     {notation triton of A}   that of registers A (S, B), as it was written
 *     {element of lane=9 register=1}    the element at a hardware index; other dims are 0
 */

/* Appends a text with its markers filled in; false, with "?" in it: this layout has no value for one. */
bool lw_lesson_fill(struct lw_text *text, const char *template, struct lw_lesson_state *state);

/* The system in whose notation an answer is typed, which is "{notation cute}" alone; NULL: it is another answer. */
struct lw_lesson_system;
const struct lw_lesson_system *lw_lesson_system_of(const char *answer);
/* Whether a typed layout is in the notation of that system, and the same function as the layout of the question,
 * or as the typed layout `other`, unless that is NULL. False: *err has the reason. */
bool lw_lesson_is_layout(const struct lw_lesson_state *state, const struct lw_lesson_system *system,
                         const char *typed, const char *other, struct lw_error *err);

#endif
