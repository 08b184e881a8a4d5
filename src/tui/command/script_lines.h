#ifndef LANEWAY_SCRIPT_LINES_H
#define LANEWAY_SCRIPT_LINES_H

/* Scripts: the explorer run by a file, without a terminal; and all screens, whose actions are lines of it. */

#include "tui/screen.h"

/* Runs a script; "-" is standard input. False: the reason, with the number of the line, is in *err. */
bool lw_script_file(struct lw_app *app, const char *path, struct lw_error *err);
/* The same of an open file. */
bool lw_script_read(struct lw_app *app, FILE *file, struct lw_error *err);
/* The types of all screens, ending in NULL. */
extern const struct lw_screen_type *const lw_screen_types[];

#endif
