#ifndef LANEWAY_PROGRESS_REPORT_H
#define LANEWAY_PROGRESS_REPORT_H

/* The progress of learners: a line of JSON for one, and a table of many such lines. */

#include "cli/shell.h"
#include "notation/document/lesson.h"

/* One lesson of a course, and how much of it is done. */
struct lw_lesson_row {
    const char *name;
    size_t steps;
    uint64_t done, assisted, retried, seed;
    bool has_seed; /* its cases were drawn: then `seed` and `retried` are known */
};
/* Appends the members that `learn --json` and --progress have: ,"steps":4,"done":3,"assisted":1} */
void lw_progress_members(struct lw_text *json, const struct lw_lesson_row *row);

/* Appends {"learner":"anna","course":"laneway","lessons":[{"name":"banks","steps":4,"done":3,"assisted":1}]} */
void lw_progress_line(struct lw_text *json, const char *course, const struct lw_lesson_row *rows,
                      size_t count);
/* Prints the table of the lines in these files. */
enum lw_status lw_progress_table(FILE *out, const char *const *paths, size_t count);

#endif
