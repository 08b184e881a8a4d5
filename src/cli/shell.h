#ifndef LANEWAY_SHELL_H
#define LANEWAY_SHELL_H

/* Starting the explorer, and the program's command line inside it. */

#include "cli/arguments.h"
#include "tui/tui.h"

/* Whether standard output is a terminal that can show the explorer. */
bool lw_terminal_is_usable(void);

/* The program's commands for the explorer's prompt; `program` must outlive the shell. */
struct lw_tui_shell lw_shell(const struct lw_program *program);

/* Runs the explorer with these options and those of the arguments: colours, theme, script, ... */
enum lw_status lw_explore(const struct lw_arguments *args, struct lw_tui_options options);

#endif
