#ifndef LANEWAY_LESSON_H
#define LANEWAY_LESSON_H

/*
 * Lessons: JSON documents that teach, step by step, beside a live view.
 *
 *     {"laneway": 1, "lesson": "Banks", "about": "...",
 *      "steps": [{"text": "...", "open": SOURCE or {document}, "view": "banks",
 *                 "do": "Set maxPhase to 8.", "goal": {"load-wavefronts": 1},
 *                 "hints": ["..."], "solution": ["set maxPhase=8"], "done": "..."},
 *                {"kind": "predict", "text": "...", "do": "How many wavefronts?",
 *                 "answer": "{load-wavefronts}", "hints": ["..."]}],
 *      "learnt": "...", "read": ["..."]}
 *
 * A step has a kind: something to do, a question, a key to use. A step's goal is an
 * object; each of its names is a kind of goal, and all must hold. The table of kinds of goals belongs to the room
 * that checks goals; the reader needs only the kind of value of each.
 *
 * A text may have markers in braces: {load-wavefronts}, {32 / load-each}, {bank of 3,5}, which are filled in when
 * its step begins, or is done; {{ is a brace: what is computed is written so. Facts that a text states are
 * repeated as goals in "before" and "after", so that they can be checked.
 *
 * "cases" of a step name a table of the lesson, of which one row is used: "$name" in the strings of the step is the
 * value that it has for `name`. A lesson may have a "kernel", a dump of Triton: a step opens the operation in a line of
 * it.
 */

#include "laneway/document.h"

struct lw_lesson_state;

enum lw_goal_value_kind {
    LW_GOAL_NUMBER, /* 4, or "<= 4", or the name of another number: "load-ideal" */
    LW_GOAL_CHOICE, /* one of the choices, or "<= shuffle": that one or one before it */
    LW_GOAL_LAYOUT, /* a SOURCE or a document */
    LW_GOAL_FIELDS  /* {"row": 3, "column": 5} */
};

struct lw_goal;
struct lw_goal_kind {
    const char *name;
    enum lw_goal_value_kind value_kind;
    const char *choices; /* CHOICE: separated by blanks */
    const char *help;    /* one line: "wavefronts of the loads" */
    /* NUMBER: its value now; CHOICE: the index of the choice. False when this layout has none. */
    bool (*measure)(struct lw_lesson_state *state, int what, uint64_t *value);
    int what; /* the second argument of `measure` */
    /* LAYOUT, FIELDS: whether the goal holds. */
    bool (*check)(struct lw_lesson_state *state, const struct lw_goal *goal);
};

#define LW_GOALS_MAX 8

struct lw_goal {
    const struct lw_goal_kind *kind;
    struct lw_position position;
    int compare;                      /* NUMBER, CHOICE: -1 at most, 0 exactly, 1 at least */
    const struct lw_goal_kind *other; /* NUMBER: than this one; NULL: than `number` */
    uint64_t number;                  /* also CHOICE: its index */
    struct lw_document layout;        /* LAYOUT */
    int field_count;                  /* FIELDS */
    const char *fields[LW_GOALS_MAX];
    uint64_t values[LW_GOALS_MAX];
};

/* All of them must hold. */
struct lw_goals {
    int count;
    struct lw_goal *items; /* in the lesson's arena */
};

/* What the reader does in a step. */
enum lw_step_kind_id { LW_STEP_DO, LW_STEP_MEND, LW_STEP_PREDICT, LW_STEP_SEE };

/* Key i of a step, with one line of help; false: there are no more. */
bool lw_step_key(size_t i, const char **name, const char **help);

/* A list of commands, or of names. */
struct lw_strings {
    size_t count;
    const char **lines;
    struct lw_position position;
};

/* Names with a text each, as {"32": "..."}. */
struct lw_pairs {
    size_t count;
    struct lw_pair {
        const char *name, *text;
        struct lw_position position;
    } * items;
    struct lw_position position; /* line 0: not set */
};

/* Lists of commands. */
struct lw_tries {
    size_t count;
    struct lw_strings *items;
};

/* A name and its position. */
struct lw_step_name {
    const char *name; /* NULL: not set */
    struct lw_position position;
};

struct lw_step {
    struct lw_position position;
    enum lw_step_kind_id kind;
    const char *text, *task, *done; /* "" when not set; paragraphs are separated by newlines */
    const char *aim;                /* shown instead of the goals; "": the goals are shown */
    const char *answer;             /* PREDICT: a text with markers; "" for other kinds */
    struct lw_strings choices;      /* PREDICT: what to choose from; none: the answer is typed */
    struct lw_pairs wrong;          /* PREDICT: answers that are wrong, and why */
    struct lw_step_name
        reveal;            /* PREDICT: the view that shows the answer; until then there is `view` */
    struct lw_strings use; /* SEE: actions and views that must be used */
    struct lw_tries refuse;           /* solutions that must not reach the goal */
    struct lw_document open;          /* encoding NULL: the layout does not change */
    struct lw_step_name view, access; /* what is shown; not set: unchanged */
    struct lw_step_name hardware;     /* the target of `open`; not set: the explorer's */
    struct lw_goals goal;
    struct lw_goals before, after; /* facts in the texts: at its start, and when it is solved */
    struct lw_strings hints, solution;
};

struct lw_lesson {
    struct lw_arena arena;
    const char *title, *about, *learnt;
    size_t step_count;
    struct lw_step *steps;
    struct lw_strings read; /* further reading */
    const char *kernel;     /* a dump, whose lines steps open; "": none */
    size_t case_count;      /* of the step that has most; at least 1 */
    uint64_t seed;          /* by which the case of each step was chosen */
};

#define LW_STEPS_MAX 64

/* Reads a lesson. The seed chooses the cases: seeds 0 to case_count - 1 choose each of them once. Fails
 * with the first problem; then there is nothing to free. */
bool lw_lesson_read(struct lw_lesson *lesson, const char *text, size_t length, uint64_t seed,
                    const struct lw_goal_kind *kinds, size_t kind_count, struct lw_error *err);
void lw_lesson_free(struct lw_lesson *lesson);
/* Appends a text without the sentences that name a key. */
void lw_lesson_put_for_paper(struct lw_text *text, const char *template);
/* Whether two answers are the same: "(3, 11)" and "3,11" are. */
bool lw_lesson_same_answer(const char *a, const char *b);

/* The kind of that name (`length` bytes of it), or NULL. */
const struct lw_goal_kind *lw_goal_kind_find(const struct lw_goal_kind *kinds, size_t count,
                                             const char *name, size_t length);

/* ---- Built-in lessons ---- */

/* All of them in their order; number 1 is the first. Names are those of files, "07-swizzling". */
const struct lw_gallery_entry *lw_lessons(size_t *count);
/* The name of a lesson without its number: "swizzling". */
const char *lw_lesson_name(const struct lw_gallery_entry *entry);
/* Lesson "7", "swizzling" or "07-swizzling"; NULL and an error with the nearest name. */
const struct lw_gallery_entry *lw_lesson_find(const char *name, struct lw_error *err);

#endif
