#ifndef LANEWAY_HELP_PAGE_H
#define LANEWAY_HELP_PAGE_H

/* The help of the screen on top, made of the tables of actions. */

#include "tui/screen.h"

/* Appends a line for each action of a screen: its name and its help. */
void lw_help_put_names(struct lw_text *text, const struct lw_screen *screen);
/* Pushes the help of the screen on top. */
void lw_help_open(struct lw_app *app);

#endif
