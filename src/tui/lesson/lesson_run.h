#ifndef LANEWAY_LESSON_RUN_H
#define LANEWAY_LESSON_RUN_H

/*
 * A lesson that is being taken: which step, whether its goal is met, what the pane says.
 *
 * The lesson's layout is an entry of the list; the lesson is on while that entry is on the screen.
 * Goals are looked at after every event, and only the layouts and the cursor count, never the keys.
 */

#include "laneway/swizzle.h"
#include "notation/document/lesson.h"
#include "tui/explore/explorer.h"
#include "tui/keep/progress.h"

/* ---- What the explorer asks of lessons ---- */

/* lesson.c: a lesson beside its layout; lesson_run.h has the rest. */
/* Takes a lesson up where it was left. */
bool lw_lesson_begin(struct lw_explorer *ex, const char *source, struct lw_error *err);
void lw_lesson_end(struct lw_explorer *ex);
bool lw_lesson_load(struct lw_entry *entry,
                    struct lw_error *err);          /* the layout that it begins with */
bool lw_lesson_open_chosen(struct lw_explorer *ex); /* the one in the list; false: it is none */
bool lw_lesson_is_on(const struct lw_explorer *ex);
/* What stores go through in this step, where loads go through another layout; else NULL. */
const struct lw_subject *lw_lesson_store(const struct lw_explorer *ex);
void lw_lesson_check_goal(struct lw_explorer *ex); /* looks whether the goal is met, and still is */
/* Whether Enter is the lesson's: in a view always, in the form once the goal is met. */
bool lw_lesson_uses_enter(const struct lw_explorer *ex);
/* Enter goes on, or says why not; false: it has its usual meaning. */
bool lw_lesson_enter(struct lw_explorer *ex);
void lw_lesson_next(struct lw_explorer *ex, int unused);
void lw_lesson_back(struct lw_explorer *ex, int by); /* by 0: the step again */
void lw_lesson_hint(struct lw_explorer *ex, int unused);
void lw_lesson_scroll(struct lw_explorer *ex, int by);
/* lesson_list.c: the list, at the first lesson that is not done; each says how far one is. */
void lw_lesson_list(struct lw_explorer *ex);
/* How many steps of an entry's lesson are done. */
void lw_lesson_set_progress(struct lw_entry *entry, uint64_t done, size_t steps);
/* draw_lesson.c: the pane, and the height that it wants since it was last refreshed. */
void lw_lesson_refresh(struct lw_explorer *ex);
/* Brings the end of the text into sight, where it says that the goal is reached. */
void lw_lesson_show_end(struct lw_explorer *ex);
/* Brings the last hint into sight; as a message where there is little room for the pane. */
void lw_lesson_show_hint(struct lw_explorer *ex);
int lw_lesson_height(const struct lw_explorer *ex);
void lw_draw_lesson(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect);

/* ---- Goals ---- */

/* What goals and markers ask. The first layout is the one that is edited. */
struct lw_lesson_state {
    const struct lw_subject *first, *second; /* NULL: there is none */
    const struct lw_subject *store;          /* stores go through this one; NULL: as loads do */
    const struct lw_subject *pointed;        /* the layout that the cursor is on */
    const struct lw_spot *spot;              /* what the cursor is on; NULL: nothing */
    struct lw_error
        why; /* why an access or a conversion could not be counted; code LW_OK: it could */
    const uint64_t *best;   /* what a search found; NULL: nothing, or it still goes on */
    const char *best_waits; /* then: "is being searched for"; NULL: there is none */
    bool drafts;            /* markers that ask for it are left as they are */
};

/* lesson_goal.c: the table of kinds. */
const struct lw_goal_kind *lw_goal_kinds(size_t *count);
/* Whether it is what a search finds. */
bool lw_goal_is_searched(const struct lw_goal_kind *kind);
/* The layout in shared memory, and that in registers which loads go through; NULL: there is none. */
void lw_lesson_pair(const struct lw_lesson_state *state, const struct lw_subject **memory,
                    const struct lw_subject **load);
bool lw_goal_met(struct lw_lesson_state *state, const struct lw_goal *goal);
/* How many of the elements that either holds are elsewhere in the layout that a goal wants; false when
 * they cannot be compared. */
bool lw_goal_differs(struct lw_lesson_state *state, const struct lw_goal *goal, uint64_t *differing,
                     uint64_t *held);
/* goal_text.c: a goal's number or word, and the goal as a sentence. */
void lw_goal_put_value(struct lw_text *text, const struct lw_goal_kind *kind, uint64_t value);
/* "the loads take 1 wavefront; now 32" */
void lw_goal_put(struct lw_text *text, struct lw_lesson_state *state, const struct lw_goal *goal);

#define LW_GOAL_KINDS_MAX 40

/* What was measured when a step began. */
struct lw_measures {
    bool known[LW_GOAL_KINDS_MAX];
    uint64_t value[LW_GOAL_KINDS_MAX];
};
void lw_measures_fill(struct lw_measures *measures, struct lw_lesson_state *state);

/* lesson_text.c: a text with its markers filled in; "?" for one that this layout has no answer to,
 * and false. */
bool lw_lesson_fill(struct lw_text *text, const char *words, struct lw_lesson_state *state,
                    const struct lw_measures *was);

/* ---- The best swizzle ---- */

enum lw_lesson_found {
    LW_BEST_UNKNOWN, /* nobody has asked, or it waits for another job */
    LW_BEST_SEARCHING,
    LW_BEST_STOPPED, /* by the user */
    LW_BEST_NONE,    /* these layouts have none */
    LW_BEST_KNOWN
};

/* Between what it is searched for. */
struct lw_lesson_sides {
    struct lw_layout store, load; /* in registers */
    unsigned element_bits;
    const struct lw_hardware *hardware; /* NULL: the usual */
};

struct lw_lesson_best {
    enum lw_lesson_found found;
    struct lw_lesson_sides sides;     /* unless it is open */
    uint64_t value;                   /* when it is known: wavefronts of both */
    struct lw_swizzle_search *search; /* while it is sought, NULL: not */
};

/* lesson_search.c */
/* Begins to search when the step that is on asks for what is not known of these layouts. */
void lw_lesson_search(struct lw_explorer *ex);
/* Looks at the goals once all that they need is known. */
void lw_lesson_wait(struct lw_explorer *ex);

/* ---- The lesson ---- */

struct lw_lesson_run {
    struct lw_lesson lesson;
    char name[64];     /* that progress is kept under */
    int number;        /* of those built in; 0: a file's */
    size_t entry;      /* of the list */
    size_t step;       /* lesson.step_count: all are done */
    bool met;          /* the goal holds now */
    bool reached;      /* it has held in this step */
    size_t done_steps; /* so many were done since the lesson began, or before it was left */
    size_t reached_at; /* how many edits the layout had when it last did */
    size_t hints;      /* how many are shown */
    int top;           /* the first line shown */
    int wanted_height; /* the height of the pane when all of it shows, in a screen of that width */
    int wanted_width;
    struct lw_lesson_best best;
    bool has_store;
    struct lw_opened store;
    struct lw_error store_problem; /* when the step has a store that is no layout here */
    struct lw_measures was;
    /* The step's texts, filled in when it began, the last when it was done; a hint is a line. */
    struct lw_text text, task, hint_lines, done;
    struct lw_text drafts[3]; /* of the first three, with the markers of what is searched for */
    struct lw_text log;       /* what the steps before said when they were done */
    struct lw_text fields;    /* the parameters when the step began */
    struct lw_progress progress;
};

/* lesson_open.c */
/* Reads a lesson: one of those built in by number or name, or a file. Every problem is added to the report; false
 * with report->total 0 when there is no such lesson, and then *err says so. */
bool lw_lesson_open(struct lw_lesson *lesson, const char *source, struct lw_report *report,
                    struct lw_error *err);
/* Whether a word names a file rather than a lesson that is built in. */
bool lw_lesson_is_file(const char *source);
/* What progress calls a lesson. */
void lw_lesson_key(char name[64], const char *source);

/* To a step, with its layout as it is at its start. */
bool lw_lesson_go(struct lw_explorer *ex, size_t step);
/* Puts what a search has found into the texts of the step. */
void lw_lesson_refill(struct lw_explorer *ex);
void lw_lesson_state(const struct lw_explorer *ex, struct lw_lesson_state *state);
/* The step that is on, or NULL: the lesson is done. */
const struct lw_step *lw_lesson_step(const struct lw_lesson_run *run);
/* Whether the step was done once, now or before: one may go on from it. */
bool lw_lesson_is_done(const struct lw_lesson_run *run);
/* The lesson after one that is built in; NULL: it is the last, or a file's. */
const struct lw_gallery_entry *lw_lesson_after(const struct lw_lesson_run *run);
/* Runs one line of a step's solution, as typed after `:`; false when it was complained of. */
bool lw_lesson_solve(struct lw_explorer *ex, const char *line);

/* lesson_change.c: what a step lets change. */
void lw_lesson_record_fields(struct lw_explorer *ex); /* the parameters, as the step begins */
bool lw_lesson_may_change(const struct lw_step *step, const char *path);
/* Whether a parameter was changed that the step is not about; says which, unless `why` is NULL. */
bool lw_lesson_disallowed_change(const struct lw_explorer *ex, struct lw_text *why);

/* lesson_check.c: proves that every goal can be reached by the step's solution, and is not met before,
 * and that what the texts claim is so. What is wrong is added to the report, with its place in the file. */
bool lw_lesson_prove(const char *source, struct lw_report *report, struct lw_error *err);
/* lesson_print.c: the lesson as text, each step with its grid. */
bool lw_lesson_print(const char *source, FILE *out, struct lw_error *err);

#endif
