#ifndef LANEWAY_LESSON_READING_H
#define LANEWAY_LESSON_READING_H

/* What the files that read a lesson share: its texts (lesson_texts.c), its goals (lesson_goals.c), the cases of
 * its steps (lesson_cases.c), its keys (read_lesson.c). */

#include "laneway/kernel.h"
#include "notation/document/lesson.h"

struct lw_lesson_reading {
    struct lw_lesson *lesson;
    const char *text;
    size_t length;
    const struct lw_goal_kind *kinds;
    size_t kind_count;
    struct lw_report *report;
    const struct lw_value *tables; /* "cases" of the lesson; NULL: none */
    struct lw_kernel *kernel;      /* of "kernel", owned; NULL: none, or not read yet */
};

/* ---- lesson_texts.c ---- */

void lw_lesson_problem(struct lw_lesson_reading *reading, struct lw_position position,
                       const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
/* A problem that another reader has found, at its own position or at this one. */
void lw_lesson_problem_of(struct lw_lesson_reading *reading, struct lw_error *err,
                          struct lw_position position);
/* "unknown goal 'x'", with the nearest kind of goal. */
void lw_lesson_unknown(struct lw_lesson_reading *reading, struct lw_position position,
                       const char *what, const char *name);
/* Reads a string, or a list of paragraphs, with known markers. */
bool lw_lesson_read_text(struct lw_lesson_reading *reading, const struct lw_value *value,
                         const char *name, const char **out);
/* Reads a string that has no markers: a command or a name. */
bool lw_lesson_read_plain(struct lw_lesson_reading *reading, const struct lw_value *value,
                          const char *name, const char **out);
typedef bool lw_lesson_entry_reader(struct lw_lesson_reading *reading, const struct lw_value *value,
                                    const char *name, const char **out);
void lw_lesson_read_list(struct lw_lesson_reading *reading, const struct lw_value *value,
                         const char *name, lw_lesson_entry_reader *read, const char ***out,
                         size_t *count);
/* Reads a list of lists of commands. */
void lw_lesson_read_tries(struct lw_lesson_reading *reading, const struct lw_value *value,
                          const char *name, struct lw_strings **out, size_t *count);
/* Reads an object of texts. */
void lw_lesson_read_pairs(struct lw_lesson_reading *reading, const struct lw_value *value,
                          const char *name, struct lw_pairs *out);
/* Checks a text that is a sum without braces, "32 * 4". */
void lw_lesson_check_sum(struct lw_lesson_reading *reading, const char *sum,
                         struct lw_position position);

/* ---- lesson_kernel.c ---- */

/* Keeps the text of "kernel", a list of lines, in the lesson. */
void lw_lesson_keep_kernel(struct lw_lesson_reading *reading, const struct lw_value *lines);
void lw_lesson_drop_kernel(struct lw_lesson_reading *reading);
/* Makes a document of what the operation in that line of the kernel moves. */
bool lw_lesson_read_line(struct lw_lesson_reading *reading, const struct lw_value *line,
                         struct lw_document *doc);

/* ---- lesson_values.c: `out` is the member that a key sets, "numbers", "labels", "cases" of a step, and "cases" and
 * "kernel" of a lesson, which were read before ---- */

void lw_lesson_take_numbers(struct lw_lesson_reading *reading, struct lw_value *value,
                            const char *name, void *out);
void lw_lesson_take_labels(struct lw_lesson_reading *reading, struct lw_value *value,
                           const char *name, void *out);
void lw_lesson_take_cases(struct lw_lesson_reading *reading, struct lw_value *value,
                          const char *name, void *out);
void lw_lesson_take_tables(struct lw_lesson_reading *reading, struct lw_value *value,
                           const char *name, void *out);
void lw_lesson_take_kernel(struct lw_lesson_reading *reading, struct lw_value *value,
                           const char *name, void *out);

/* ---- lesson_goals.c ---- */

/* Reads a SOURCE in a string, or a document; `alone`: it is also checked by itself. */
bool lw_lesson_read_layout(struct lw_lesson_reading *reading, struct lw_value *value,
                           struct lw_document *doc, bool alone);
void lw_lesson_read_goals(struct lw_lesson_reading *reading, struct lw_value *value,
                          const char *key, struct lw_goals *goals);

/* ---- lesson_cases.c ---- */

#define LW_DRAWS_MAX 16 /* rows of a table that a lesson draws */

/* Replaces "$name" in a step by what its case has for the name. */
void lw_lesson_put_case(struct lw_lesson_reading *reading, struct lw_value *step, size_t number);

/* ---- lesson_tiles.c ---- */

/* Replaces the rows of a table that have "each" by the combinations of its values. */
void lw_lesson_expand_table(struct lw_lesson_reading *reading, struct lw_value *table);
/* A case that was chosen, with the values that follow from its shape when it is such a combination. */
struct lw_value lw_lesson_computed(struct lw_lesson_reading *reading,
                                   const struct lw_value *chosen);

#endif
