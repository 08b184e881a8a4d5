#ifndef LANEWAY_COMMANDS_H
#define LANEWAY_COMMANDS_H

/* The rows of the commands, each at the end of its file, and the program made of them. */

#include "cli/arguments.h"

extern const struct lw_command lw_command_explore;
extern const struct lw_command lw_command_show;
extern const struct lw_command lw_command_bases;
extern const struct lw_command lw_command_apply;
extern const struct lw_command lw_command_banks;
extern const struct lw_command lw_command_convert;
extern const struct lw_command lw_command_swizzle;
extern const struct lw_command lw_command_calc;
extern const struct lw_command lw_command_code;
extern const struct lw_command lw_command_descriptor;
extern const struct lw_command lw_command_check;
extern const struct lw_command lw_command_wavefronts;
extern const struct lw_command lw_command_list;
extern const struct lw_command lw_command_learn;
extern const struct lw_command lw_command_ttgir;
extern const struct lw_command lw_command_docs;
extern const struct lw_command lw_command_serve;
extern const struct lw_command lw_command_help;
extern const struct lw_command lw_command_version;

extern const struct lw_program lw_laneway;

#endif
