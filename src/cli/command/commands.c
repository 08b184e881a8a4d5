/* The program: its commands, in the order of the help screen, and its topics. */

#include "cli/command/commands.h"

#include "cli/report/help.h"

static const struct lw_command *const commands[] = {
    &lw_command_explore, &lw_command_show,    &lw_command_bases,      &lw_command_apply,
    &lw_command_banks,   &lw_command_convert, &lw_command_swizzle,    &lw_command_wavefronts,
    &lw_command_calc,    &lw_command_code,    &lw_command_descriptor, &lw_command_ttgir,
    &lw_command_docs,    &lw_command_check,   &lw_command_list,       &lw_command_learn,
    &lw_command_serve,   &lw_command_help,    &lw_command_version,    NULL,
};

const struct lw_program lw_laneway = {
    .commands = commands,
    .topics = lw_topics,
};
