#ifndef LANEWAY_LESSON_RUN_H
#define LANEWAY_LESSON_RUN_H

/*
 * The present lesson: its step, whether the goal is met, the text of its pane.
 *
 * The lesson's layout is an entry of the list; the lesson is on while that entry is on the screen.
 * Goals are checked after every event; they depend on the layouts and the cursor, not on the keys.
 *
 * Files from the bottom up:
 *
 *     lesson_goal goal_text                kinds of goals, goals as sentences
 *     lesson_notation                      layouts as answers, in the notation of a system
 *     lesson_arithmetic lesson_text        arithmetic in markers, markers in texts
 *     lesson_run lesson_change             the state of a lesson
 *     course                               the lessons of a folder
 *     lesson_open lesson_list              reading lessons, the lessons in the list
 *     lesson_fill lesson_search            the texts of a step, the search for the best swizzle
 *     lesson_kinds                         questions and their answers, keys that are used
 *     lesson_step                          going to a step, checking its goal
 *     lesson draw_lesson                   beginning a lesson and its keys; its pane
 *     lesson_check handout_forms lesson_print    lessons for the command line (declared in tui.h)
 */

#include "laneway/swizzle.h"
#include "notation/document/lesson.h"
#include "tui/explore/explorer.h"
#include "tui/keep/progress.h"

/* ---- Goals ---- */

/* The state that goals and markers are computed from. */
struct lw_lesson_state {
    const struct lw_subject *own;             /* the document's own layout; NULL: there is none */
    const struct lw_subject *sides[LW_SIDES]; /* all of the access, `own` too; NULL: none */
    const struct lw_subject *pointed;         /* the layout that the cursor is on */
    const struct lw_spot *spot;               /* the spot of the cursor; NULL: none */
    struct lw_error why;    /* why an access or a conversion was not counted; code LW_OK: it was */
    const uint64_t *best;   /* the result of the search; NULL: none, or not yet */
    const char *best_waits; /* if `best` is NULL: "is being searched for"; NULL: there is no
                               result */
    const struct lw_tables *tables; /* for the names of keys */
    const char *kernel;             /* the lesson's kernel; NULL: none */
    uint64_t lanes;                 /* of a warp of the target */
    bool drafts;                    /* {best} is not filled in yet */
    bool is_paper;                  /* goals are written without their current values */
};

/* lesson_goal.c: the table of kinds is lw_goal_kinds (tui.h). */
/* Whether the value of a kind is the result of a search. */
bool lw_goal_is_searched(const struct lw_goal_kind *kind);
/* The registers of stores or of loads; NULL: there are none. */
const struct lw_subject *lw_lesson_registers(const struct lw_lesson_state *state,
                                             enum lw_access_op op);
bool lw_goal_met(struct lw_lesson_state *state, const struct lw_goal *goal);
/* Counts the elements that either layout holds, and those with other owners in the layout of the goal; false: they
 * cannot be compared. */
bool lw_goal_differs(struct lw_lesson_state *state, const struct lw_goal *goal, uint64_t *differing,
                     uint64_t *held);

/* goal_text.c: a goal's number or name, and the goal as a sentence. */
void lw_goal_put_value(struct lw_text *text, const struct lw_goal_kind *kind, uint64_t value);
/* "the loads take 1 wavefront; now 32" */
void lw_goal_put(struct lw_text *text, struct lw_lesson_state *state, const struct lw_goal *goal);

#define LW_GOAL_KINDS_MAX 48

/* The values of kinds of goals when a step began. */
struct lw_measures {
    bool known[LW_GOAL_KINDS_MAX];
    uint64_t value[LW_GOAL_KINDS_MAX];
};
void lw_measures_fill(struct lw_measures *measures, struct lw_lesson_state *state);

/* lesson_text.c: a text with its markers filled in; false, with "?" in it: this layout has no value for one. */
bool lw_lesson_fill(struct lw_text *text, const char *template, struct lw_lesson_state *state,
                    const struct lw_measures *was);

/* lesson_arithmetic.c: the value of "32 / load-each". False: a part has no value, or the text is no arithmetic. */
bool lw_lesson_arithmetic(struct lw_lesson_state *state, const struct lw_measures *was,
                          const char *text, uint64_t *value);

/* lesson_notation.c: appends the layout of a question in the notation of a system, "cute"; or a side as it was written,
 * "triton of A". False: there is none. */
bool lw_lesson_put_notation(struct lw_text *text, const struct lw_lesson_state *state,
                            const char *what);
/* The system of an answer that is "{notation SYSTEM}" alone; false: it is another answer. */
bool lw_lesson_is_notation_answer(const char *answer, char system[16]);
/* Whether a typed layout is in the notation of that system, and the same function as the layout of the question, or as
 * the typed layout `other`, unless that is NULL. False: `why`, unless it is NULL, has the reason. */
bool lw_lesson_is_layout(const struct lw_lesson_state *state, const char *system, const char *typed,
                         const char *other, struct lw_text *why);

/* ---- The best swizzle ---- */

enum lw_lesson_found {
    LW_BEST_UNKNOWN, /* not needed yet, or another job is running */
    LW_BEST_SEARCHING,
    LW_BEST_STOPPED, /* by the user */
    LW_BEST_NONE,    /* there is none for these layouts */
    LW_BEST_KNOWN
};

/* The input of the search. */
struct lw_lesson_sides {
    struct lw_layout store, load; /* in registers */
    unsigned element_bits;
    const struct lw_hardware *hardware; /* NULL: the default */
    enum lw_triton triton;              /* the version whose rules are used */
    enum lw_plan_stage stage;           /* of the plans */
};

struct lw_lesson_best {
    enum lw_lesson_found found;
    struct lw_lesson_sides sides;     /* set unless it is LW_BEST_UNKNOWN */
    uint64_t value;                   /* if known, the wavefronts of stores and loads */
    struct lw_swizzle_search *search; /* while searching, else NULL */
};

/* ---- The lesson ---- */

#define LW_LESSON_END (1 << 20) /* lw_lesson_run.top that shows the end of the text */

struct lw_lesson_run {
    struct lw_lesson lesson;
    char name[64];               /* without the folder of a file */
    char key[LW_LESSON_KEY_MAX]; /* the key of its progress */
    int number;                  /* its number among the built-in ones; 0: read from a file */
    size_t entry;                /* of the list */
    size_t step;                 /* lesson.step_count: all are done */
    bool met;                    /* the goal is met now */
    bool reached;                /* it was met in this step */
    size_t done_steps;           /* the number of steps done, also in an earlier run */
    size_t reached_at;           /* the number of edits when the goal was last met */
    size_t hints;                /* the number of hints shown */
    bool answered;               /* the question of this step is answered */
    uint64_t used;               /* bit i: name i of its `use` was used */
    bool retried;                /* a wrong answer was given in this step */
    bool assisted;               /* the last hint of this step was shown, or a search was made */
    struct lw_text reply;        /* why the last answer is wrong */
    int top;                     /* the first line shown */
    bool last_hint_only;         /* there is no room for the hints before it */
    bool folded;                 /* only the task is shown, not the text */
    int wanted_height; /* the height of the pane that shows the whole text, at wanted_width */
    int wanted_width;  /* the width of the screen for which wanted_height was computed */
    struct lw_lesson_best best;
    struct lw_measures was;
    /* The step's texts, filled in when it began, `done` when it was done; each hint is a line. */
    struct lw_text text, task, hint_lines, done;
    struct lw_text drafts[3]; /* the first three, with {best} not filled in */
    struct lw_text log;       /* the closing texts of the steps before */
    struct lw_text fields;    /* the parameters when the step began */
    struct lw_progress progress;
};

/* lesson_run.c: for the rest of the explorer. */
bool lw_lesson_is_on(const struct lw_explorer *ex);
/* Whether the task of the step is to go to an element. */
bool lw_lesson_points(const struct lw_explorer *ex);
int lw_lesson_height(const struct lw_explorer *ex);
/* The current step, or NULL: the lesson is done. */
const struct lw_step *lw_lesson_step(const struct lw_lesson_run *run);
/* Whether the step has been done, now or in an earlier run: then Enter goes to the next one. */
bool lw_lesson_is_done(const struct lw_lesson_run *run);
/* The lesson after this one in the list; NULL: it is the last one, or a single file. */
const char *lw_lesson_after(const struct lw_explorer *ex);
/* Whether Enter is a key of the lesson: in a view always, in the form if the goal is met. */
bool lw_lesson_uses_enter(const struct lw_explorer *ex);
/* Whether the step has a question that is not answered yet. */
bool lw_lesson_has_question(const struct lw_explorer *ex);
/* Whether a pane is hidden, as it would show the answer; NULL: the parts beside the panes. */
bool lw_lesson_hides(const struct lw_explorer *ex, const struct lw_view_pane *pane);
void lw_lesson_end(struct lw_explorer *ex);

/* lesson_change.c: which parameters may change in a step. */
void lw_lesson_record_fields(struct lw_explorer *ex); /* when a step begins */
/* Whether another parameter was changed; `why`, unless it is NULL, gets its name. */
bool lw_lesson_disallowed_change(const struct lw_explorer *ex, struct lw_text *why);

/* lesson_open.c: see also tui.h. */
/* Reads the layout of the first step into an entry of the list. */
bool lw_lesson_load(struct lw_entry *entry, struct lw_error *err);

/* lesson_list.c */
/* Shows the list, at the first lesson that is not done, with the progress of each. */
void lw_lesson_list(struct lw_explorer *ex);
/* The same from a layout: the list then leads back to it. */
void lw_lesson_list_from_here(struct lw_explorer *ex);
/* Sets the progress of the lessons in the list; only those with a step done are read. */
void lw_lesson_list_marks(struct lw_explorer *ex);
/* Shows a message with the keys of the list, if it is at a lesson. */
void lw_lesson_list_help(struct lw_explorer *ex);
/* Sets the note of a lesson's entry: how many steps are done. */
void lw_lesson_set_progress(struct lw_entry *entry, uint64_t done, size_t steps);

/* lesson_fill.c */
void lw_lesson_state(const struct lw_explorer *ex, struct lw_lesson_state *state);
void lw_lesson_draft(struct lw_explorer *ex, const struct lw_step *step); /* when a step begins */
void lw_lesson_refill(struct lw_explorer *ex); /* fills them in with the result of the search */
void lw_lesson_fill_done(struct lw_explorer *ex, const struct lw_step *step);

/* lesson_search.c: starts the search when the current step needs a result for these layouts. */
void lw_lesson_search(struct lw_explorer *ex);

/* lesson_kinds.c */
/* Appends the answer; false: it has no value. Appends a choice. */
bool lw_lesson_right_answer(const struct lw_explorer *ex, struct lw_text *text);
void lw_lesson_put_choice(const struct lw_explorer *ex, struct lw_text *text, size_t i);
/* "(3, 11)" and "3,11" are the same. */
bool lw_lesson_same_answer(const char *a, const char *b);
/* Whether an answer is wrong answer number i of the step. */
bool lw_lesson_is_wrong_answer(const struct lw_explorer *ex, size_t i, const char *answer);
/* Handles an answer, or the number of a choice. */
void lw_lesson_answer(struct lw_explorer *ex, const char *typed);
/* Begins the answer of a question with a digit; false: there is no question. */
bool lw_lesson_type(struct lw_explorer *ex, uint32_t key);
/* Marks an action as used. */
void lw_lesson_use(struct lw_explorer *ex, const char *action);
bool lw_lesson_is_used(const struct lw_lesson_run *run, size_t i);
/* Whether the question of the step is answered, and its keys were used. */
bool lw_lesson_kind_met(struct lw_explorer *ex);
/* Runs one line of a step's solution; false when it failed, with a message. */
bool lw_lesson_solve(struct lw_explorer *ex, const char *line);
/* Runs the solution of a step. */
void lw_lesson_solve_step(struct lw_explorer *ex, const struct lw_step *step);

/* lesson_run.c: reports a problem of the current step, at this position or, without one, at that of the step. */
void lw_lesson_report(struct lw_report *report, const struct lw_lesson_run *run,
                      struct lw_position position, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;
/* lesson_step.c */
void lw_lesson_check_goal(struct lw_explorer *ex); /* sets `met`, and records a step that is done */
void lw_lesson_wait(struct lw_explorer *ex);       /* the same, after the search has ended */
void lw_lesson_enter_step(struct lw_explorer *ex, size_t number); /* begins that step */
/* Goes to any step, with its layout at the start. */
bool lw_lesson_go(struct lw_explorer *ex, size_t step);

/* lesson.c */
/* Begins a lesson, at the first step that is not done. */
bool lw_lesson_begin(struct lw_explorer *ex, const char *source, struct lw_error *err);
/* The same for the entry of the list on the screen; false: it is not a lesson. */
bool lw_lesson_open_chosen(struct lw_explorer *ex);
/* Enter goes to the next step, or shows why not; false: Enter is not a key of the lesson now. */
bool lw_lesson_enter(struct lw_explorer *ex);
void lw_lesson_next(struct lw_explorer *ex, int unused);
void lw_lesson_back(struct lw_explorer *ex, int by); /* 0: begins the step again */
void lw_lesson_hint(struct lw_explorer *ex, int unused);
void lw_lesson_scroll(struct lw_explorer *ex, int by);
void lw_lesson_fold(struct lw_explorer *ex, int unused); /* shows only the task, or the text too */

/* draw_lesson.c */
void lw_lesson_refresh(struct lw_explorer *ex); /* checks the goal and the height of the pane */
/* Scrolls to the last hint; if there is little room for the pane, it is also a message. */
void lw_lesson_show_hint(struct lw_explorer *ex);
/* Draws a note instead of a part that would show the answer. */
void lw_draw_hidden(struct lw_surface *surface, struct lw_rect rect);
void lw_draw_lesson(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect);

#endif
