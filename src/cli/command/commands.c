/* The program: its commands, whose list is in commands.h, and its topics. */

#include "cli/command/commands.h"

#include "cli/report/help.h"

#define ADDRESS(NAME) &lw_command_##NAME,
static const struct lw_command *const commands[] = {LW_COMMANDS(ADDRESS) NULL};
#undef ADDRESS

const struct lw_program lw_laneway = {
    .commands = commands,
    .topics = lw_topics,
};
