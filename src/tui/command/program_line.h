#ifndef LANEWAY_PROGRAM_LINE_H
#define LANEWAY_PROGRAM_LINE_H

/* The command line of the program, within the explorer. */

#include "tui/screen.h"

enum lw_ran { LW_RAN_NOTHING, LW_RAN_DONE, LW_RAN_FAILED };

/* Runs a line of the program's command line; its word `it` is replaced by the source `it`, "" none. Appends what
 * it prints. LW_RAN_NOTHING: it begins with no command of the program; LW_RAN_FAILED: the reason is in *err. At a
 * terminal Esc stops it. */
enum lw_ran lw_program_line(struct lw_app *app, const char *line, const char *it,
                            struct lw_text *printed, struct lw_error *err);
/* Appends a word so that a line has it as one argument. */
void lw_put_quoted(struct lw_text *line, const char *word);

#endif
