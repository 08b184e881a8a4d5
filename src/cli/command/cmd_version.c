/* laneway version, also --version. */

#include "cli/command/commands.h"
#include "laneway/laneway.h"
#include "export/output.h"
#include "core/unused.h"

static enum lw_status run(LW_UNUSED const struct lw_arguments *args, FILE *out)
{
    lw_output_print(out, "laneway %s\n", LW_VERSION);
    return LW_STATUS_OK;
}

const struct lw_command lw_command_version = {
    .name = "version",
    .operands = "",
    .help = "print the version",
    .about = "Prints the program's name and version.",
    .max_operands = 0,
    .examples = {{"--version", ""}},
    .run = run,
};
