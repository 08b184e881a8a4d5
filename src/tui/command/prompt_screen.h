#ifndef LANEWAY_PROMPT_SCREEN_H
#define LANEWAY_PROMPT_SCREEN_H

/*
 * The prompt: a text that is typed on the line of keys, over the screen below. Above it is one line about the text:
 * what may follow, or why it is not legal.
 *
 *     set vec=3                              ▲ vec = 3: must be a power of two
 *     : set vec=3_
 */

#include "tui/screen.h"

struct lw_prompt_kind {
    const char *sign; /* before the text: ":" */
    const char *help; /* while nothing is typed; NULL: that of advise */
    /* Is called after each change. False: it is not legal, and *err has the reason. Or NULL. */
    bool (*typed)(struct lw_screen *below, const char *text, struct lw_error *err);
    /* Runs it; the prompt is not on the stack. False: it stays, with the reason of *err, whose position is in the
     * text. NULL: as each change. */
    bool (*run)(struct lw_app *app, const char *text, struct lw_error *err);
    /* Is called when it is left with Esc. Or NULL. */
    void (*cancel)(struct lw_screen *below);
    /* Appends what is shown above a legal text. Or NULL. */
    void (*advise)(const struct lw_screen *below, const char *text, struct lw_text *advice);
    /* Appends word number i of those that may replace the last word; false: there are no more. Or NULL. */
    bool (*complete)(const struct lw_app *app, const char *text, size_t i, struct lw_text *word);
    bool offers; /* what is typed replaces the text to begin with */
};

extern const struct lw_screen_type lw_prompt_screen;

/* Pushes a prompt with a text to begin with. */
void lw_prompt_begin(struct lw_app *app, const struct lw_prompt_kind *kind, const char *text);

#endif
