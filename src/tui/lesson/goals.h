#ifndef LANEWAY_GOALS_H
#define LANEWAY_GOALS_H

/*
 * Goals and markers of lessons: both are computed from what is on the screen.
 *
 *     goals.c           kinds of goals, whether one is met, goals as texts
 *     lesson_texts.c    texts with {...} in them; layouts as answers
 */

#include "laneway/f2.h"
#include "laneway/subject.h"
#include "laneway/view.h"
#include "notation/document/lesson.h"

/* What goals and markers are computed from. */
struct lw_lesson_state {
    const struct lw_subject *own;             /* the document's own layout; NULL: there is none */
    const struct lw_subject *sides[LW_SIDES]; /* all of the access, `own` too; NULL: none */
    const struct lw_subject *pointed;         /* the layout that the cursor is on; NULL: none */
    struct lw_spot spot;                      /* and its element */
    struct lw_error why; /* why an access or a conversion was not counted; code LW_OK: it was */
    /* The fewest wavefronts of stores and loads with any swizzle or padding; false: there is no search. */
    bool (*best)(void *context, uint64_t *wavefronts);
    void *context;
    /* Appends the key of an action, or of a view; false: there is none of that name. */
    bool (*put_key)(struct lw_text *text, const void *keys, const char *name);
    const void *keys;
    uint64_t lanes; /* of a warp of the target */
    bool is_paper;  /* goals are written without their current values */
};

/* ---- Goals ---- */

/* The table of kinds. */
const struct lw_goal_kind *lw_goal_kinds(size_t *count);
bool lw_goal_met(struct lw_lesson_state *state, const struct lw_goal *goal);
/* "wavefronts of the loads: 1; now 32" */
void lw_goal_put(struct lw_text *text, struct lw_lesson_state *state, const struct lw_goal *goal);
/* A goal's number, or its name. */
void lw_goal_put_value(struct lw_text *text, const struct lw_goal_kind *kind, uint64_t value);

enum { LW_GOAL_KINDS_MAX = 48 };

/* The values of kinds of goals when a step began. */
struct lw_measures {
    bool known[LW_GOAL_KINDS_MAX];
    uint64_t value[LW_GOAL_KINDS_MAX];
};
void lw_measures_fill(struct lw_measures *measures, struct lw_lesson_state *state);

/* The matrix from the bits of the lanes that are served together to the bits of the bank that each of them accesses
 * first. False: it is no matrix, or there is no access. */
bool lw_lesson_bank_matrix(struct lw_lesson_state *state, struct lw_matrix *matrix);

/* ---- Markers ----
 *
 *     {load-wavefronts}        the current value of a kind of goal
 *     {was load-wavefronts}    its value when the step began
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
bool lw_lesson_fill(struct lw_text *text, const char *template, struct lw_lesson_state *state,
                    const struct lw_measures *was);

/* ---- Layouts as answers: typed in the notation of a system, right if it is the same function ---- */

/* Appends the layout of a question in the notation of a system, "cute"; or a side as it was written, "triton of A".
 * False: there is none. */
bool lw_lesson_put_notation(struct lw_text *text, const struct lw_lesson_state *state,
                            const char *what);
/* The system of an answer that is "{notation SYSTEM}" alone; false: it is another answer. */
bool lw_lesson_is_notation_answer(const char *answer, char system[16]);
/* Whether a typed layout is in the notation of that system, and the same function as the layout of the question,
 * or as the typed layout `other`, unless that is NULL. False: `why`, unless it is NULL, has the reason. */
bool lw_lesson_is_layout(const struct lw_lesson_state *state, const char *system, const char *typed,
                         const char *other, struct lw_text *why);

#endif
