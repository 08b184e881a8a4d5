/* Batches: the first byte chooses the command, the rest is its standard input. Each line is answered. */

#define _GNU_SOURCE
#include "cli/command/commands.h"
#include "fuzz_reading.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file of a process's own, for standard input. */
static void feed(const uint8_t *data, size_t size)
{
    static int input = -1;
    if (input < 0) {
        input = memfd_create("input", MFD_CLOEXEC);
        must(input >= 0 && dup2(input, STDIN_FILENO) == STDIN_FILENO);
    }
    must(ftruncate(input, 0) == 0 && pwrite(input, data, size, 0) == (ssize_t)size);
    must(lseek(STDIN_FILENO, 0, SEEK_SET) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const commands[] = {"bases", "apply",   "banks",     "convert",
                                           "calc",  "swizzle", "wavefronts"};
    static FILE *nowhere;
    if (size < 1)
        return 0;
    const char *command = commands[data[0] % (sizeof commands / sizeof *commands)];
    bool batch = strcmp(command, "wavefronts") != 0;
    char *argv[] = {"laneway", (char *)(uintptr_t)command, "-o", "/dev/null", "--batch", "--json",
                    NULL};
    nowhere = nowhere ? nowhere : fopen("/dev/null", "w");
    lw_messages_redirect(nowhere);
    feed(data + 1, size - 1);
    int status = lw_program_run(&lw_laneway, batch ? 6 : 4, argv);
    must(status >= 0 && status <= 2);
    lw_messages_redirect(NULL);
    return 0;
}
