/* The commands, in the order of the help screen. */

#include "cli/cli.h"

#include <string.h>

static const struct lw_command *const commands[] = {
    &lw_command_explore, &lw_command_show,    &lw_command_bases,   &lw_command_apply,
    &lw_command_banks,   &lw_command_convert, &lw_command_swizzle, &lw_command_wavefronts,
    &lw_command_calc,    &lw_command_code,    &lw_command_ttgir,   &lw_command_docs,
    &lw_command_check,   &lw_command_list,    &lw_command_learn,   &lw_command_help,
    &lw_command_version,
};

const struct lw_command *const *lw_commands(size_t *count)
{
    *count = sizeof commands / sizeof *commands;
    return commands;
}

const struct lw_command *lw_command_find(const char *name)
{
    size_t count;
    const struct lw_command *const *all = lw_commands(&count);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(all[i]->name, name))
            return all[i];
    return NULL;
}
