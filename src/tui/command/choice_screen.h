#ifndef LANEWAY_CHOICE_SCREEN_H
#define LANEWAY_CHOICE_SCREEN_H

/* A choice: a list over the screen below, which may show the row under the cursor at once. Enter takes it, or the key
 * that stands first in it; Esc restores the row that it began with. */

#include "tui/list.h"
#include "tui/screen.h"

struct lw_choice_kind {
    const char *title;
    int width; /* of the list, if the screen is as wide */
    const struct lw_list_source *rows;
    void (*show)(struct lw_screen *below, size_t row);                /* or NULL */
    void (*take)(struct lw_screen *below, void *context, size_t row); /* or NULL: it is shown */
    void (*close)(void *context);                                     /* or NULL */
};

extern const struct lw_screen_type lw_choice_screen;

/* Pushes a choice of `count` rows for a screen, the cursor on row `at`; `context` is that of the rows. */
void lw_choice_open(struct lw_screen *below, const struct lw_choice_kind *kind, void *context,
                    size_t count, size_t at);

/* ---- Questions ---- */

enum { LW_ANSWERS_MAX = 4 };

struct lw_answer {
    const char *key, *hint; /* "d", "discard" */
    /* The screen that the question was about is on top again; `context` must last as long as that. */
    void (*run)(struct lw_app *app, void *context);
};

/* Pushes a question with `count` answers, a row each; the last row, of the cursor, is Esc, none of them. */
void lw_dialog(struct lw_app *app, void *context, const struct lw_answer *answers, size_t count,
               const char *other, const char *format, ...) LW_PRINTF(6, 7);

#endif
