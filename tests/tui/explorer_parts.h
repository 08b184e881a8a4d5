#ifndef LANEWAY_TESTS_EXPLORER_PARTS_H
#define LANEWAY_TESTS_EXPLORER_PARTS_H

/* What explorer_test.c and inspector_test.c share. */

#include "notation/document/lesson.h"
#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define BLOCKED                                                                                    \
    "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "           \
    "warpsPerCTA = [1, 1], order = [1, 0]}>>"
#define SHARED                                                                                     \
    "!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "          \
    "order = [1, 0]}>, #smem>"

static char folder[] = "/tmp/laneway-explorer.XXXXXX";

/* What actions save lands there. */
static inline int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") == 0 ? system(command) : -1;
}

#endif
