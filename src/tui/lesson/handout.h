#ifndef LANEWAY_HANDOUT_H
#define LANEWAY_HANDOUT_H

/* The formats of a lesson on paper: a row for each, with functions that write a heading, a text, a line of commands and
 * a grid. */

#include "tui/lesson/lesson_run.h"

struct lw_handout_form {
    const char *name, *extension; /* of files */
    void (*begin)(FILE *out, const char *title);
    void (*heading)(FILE *out, int level, const char *text);
    void (*paragraph)(FILE *out, const char *mark, const char *text); /* its lines are paragraphs */
    void (*code)(FILE *out, const char *text);
    bool (*grid)(FILE *out, struct lw_explorer *ex, struct lw_view_pane *pane,
                 struct lw_error *err);
    void (*end)(FILE *out);
};

/* The format whose extension or name ends a path; text for NULL and a path without one. NULL: there is no such
 * format. */
const struct lw_handout_form *lw_handout_form_of(const char *path, struct lw_error *err);

#endif
