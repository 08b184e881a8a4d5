#ifndef LANEWAY_CHOICE_SCREEN_H
#define LANEWAY_CHOICE_SCREEN_H

/* A choice: a list over the screen below, which shows the row under the cursor at once. Enter keeps it, Esc restores
 * the row that it began with. */

#include "tui/list.h"
#include "tui/screen.h"

struct lw_choice_kind {
    const char *title;
    const struct lw_list_source *rows; /* their context is the screen below */
    void (*show)(struct lw_screen *below, size_t row);
};

extern const struct lw_screen_type lw_choice_screen;

/* Pushes a choice of `count` rows for a screen, the cursor on row `at`. */
void lw_choice_open(struct lw_screen *below, const struct lw_choice_kind *kind, size_t count,
                    size_t at);

#endif
