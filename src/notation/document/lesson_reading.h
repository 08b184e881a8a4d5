#ifndef LANEWAY_LESSON_READING_H
#define LANEWAY_LESSON_READING_H

/* What read_lesson.c and lesson_cases.c share: a lesson while it is read. The first problem is kept, and the
 * lesson is refused in the end. */

#include "laneway/kernel.h"
#include "notation/document/lesson.h"

struct lw_lesson_reading {
    struct lw_lesson *lesson;
    const char *text;
    size_t length;
    const struct lw_goal_kind *kinds;
    size_t kind_count;
    struct lw_error *err;          /* code LW_OK: there is no problem yet */
    const struct lw_value *tables; /* "cases" of the lesson; NULL: none */
    struct lw_kernel kernel;       /* of "kernel"; all zeros: none */
};

/* ---- lesson_cases.c ---- */

/* Keeps a problem, unless there is one already; returns false. */
bool lw_lesson_problem(struct lw_lesson_reading *reading, struct lw_position position,
                       const char *format, ...) LW_PRINTF(3, 4);
/* The member of an object of that name, `length` bytes; NULL: it has none. */
struct lw_value *lw_lesson_member(const struct lw_value *object, const char *name, size_t length);

#define LW_DRAWS_MAX 16 /* rows of a table that a lesson draws */

/* Replaces in each table of the lesson the rows that have "each" by the combinations of its values. */
void lw_lesson_expand_tables(struct lw_lesson_reading *reading, struct lw_value *tables);
/* Replaces "$name" in a step by what its case has for the name. */
void lw_lesson_put_case(struct lw_lesson_reading *reading, struct lw_value *step, size_t number);

#endif
