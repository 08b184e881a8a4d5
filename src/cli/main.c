/* laneway. */

#include "cli/cli.h"

int main(int argc, char **argv)
{
    return lw_program_run(argc, argv);
}
