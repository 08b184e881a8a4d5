#ifndef LANEWAY_TESTS_EDIT_PARTS_H
#define LANEWAY_TESTS_EDIT_PARTS_H

/* What edit_test.c and edit_nested_test.c share. */

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BLOCKED                                                                                    \
    "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "           \
    "warpsPerCTA = [1, 1], order = [1, 0]}>>"
#define SHARED                                                                                     \
    "!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "          \
    "order = [1, 0]}>, #smem>"

#endif
