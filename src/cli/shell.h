#ifndef LANEWAY_SHELL_H
#define LANEWAY_SHELL_H

/* Starting the explorer, and the program's command line inside it. */

#include "cli/capture.h"
#include "tui/tui.h"

/* Whether standard output is a terminal that can show the explorer. */
bool lw_terminal_is_usable(void);

/* The program's commands for the explorer's prompt; `program` must outlive the shell. */
struct lw_tui_shell lw_shell(const struct lw_program *program);

/* Runs the arguments of a command as the program does, without standard input and without colours. What it
 * prints and its messages are appended to the texts; see lw_capture. */
enum lw_status lw_shell_run(const struct lw_program *program, const struct lw_argv *argv,
                            struct lw_text *printed, struct lw_text *error_text,
                            struct lw_error *err);

/* Runs the explorer with these options and those of the arguments: colours, theme, script, ... */
enum lw_status lw_explore(const struct lw_arguments *args, struct lw_tui_options options);

#endif
