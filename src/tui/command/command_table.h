#ifndef LANEWAY_COMMAND_TABLE_H
#define LANEWAY_COMMAND_TABLE_H

/*
 * Commands: what can be typed after `:`, and what a line of a script may begin with `:`.
 *
 *     :set vec=4 perPhase=2        a row of the table
 *     :undo                        an action of the screen
 *     :convert it blocked/16x64    the program's own command line; `it` is the layout on the screen
 *     :it.invert()                 all else is computed
 */

#include "tui/screen.h"

/* Runs a command. False: the reason is in *err, whose position, if it has one, is in the text. */
bool lw_command_run(struct lw_app *app, const char *text, struct lw_error *err);
/* For the prompt: what may follow a text; word number i of those that may replace its last word. */
void lw_command_advise(const struct lw_screen *below, const char *text, struct lw_text *advice);
bool lw_command_complete(const struct lw_app *app, const char *text, size_t i,
                         struct lw_text *word);

#endif
