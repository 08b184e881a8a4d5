#ifndef LANEWAY_COMMANDS_H
#define LANEWAY_COMMANDS_H

/* The commands, in the order of the help screen, and the program made of them. A line NAME is the row
 * lw_command_NAME, which is at the end of the file of that command. */

#include "cli/arguments.h"

/* clang-format off */
#define LW_COMMANDS(ROW) \
    ROW(explore) \
    ROW(show) \
    ROW(bases) \
    ROW(apply) \
    ROW(banks) \
    ROW(convert) \
    ROW(swizzle) \
    ROW(wavefronts) \
    ROW(calc) \
    ROW(code) \
    ROW(descriptor) \
    ROW(ttgir) \
    ROW(docs) \
    ROW(list) \
    ROW(learn) \
    ROW(serve) \
    ROW(help) \
    ROW(version)
/* clang-format on */

#define LW_DECLARE_COMMAND(NAME) extern const struct lw_command lw_command_##NAME;
LW_COMMANDS(LW_DECLARE_COMMAND)
#undef LW_DECLARE_COMMAND

extern const struct lw_program lw_laneway;

#endif
