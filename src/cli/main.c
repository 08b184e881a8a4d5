/* laneway. */

#include "cli/command/commands.h"

int main(int argc, char **argv)
{
    return lw_program_run(&lw_laneway, argc, argv);
}
