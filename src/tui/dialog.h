#ifndef LANEWAY_DIALOG_H
#define LANEWAY_DIALOG_H

/*
 * A question over the screen on top: some lines at its end, answered by a key.
 *
 *     layout.json has unsaved changes
 *     s save   d discard   Esc stay
 *
 * The question is closed before its answer runs, so that the screen below it is on top again; `context` must
 * last as long as that screen.
 */

#include "tui/screen.h"

enum { LW_ANSWERS_MAX = 4 };

struct lw_answer {
    const char *key, *hint; /* "d", "discard" */
    void (*run)(struct lw_app *app, void *context);
};

/* Shows a question with `count` answers; Esc is none of them, its hint is `stay`. */
void lw_dialog(struct lw_app *app, void *context, const struct lw_answer *answers, size_t count,
               const char *stay, const char *format, ...) LW_PRINTF(6, 7);

#endif
