#ifndef LANEWAY_TESTS_LESSON_KINDS_PARTS_H
#define LANEWAY_TESTS_LESSON_KINDS_PARTS_H

/* What lesson_kinds_test.c and lesson_digits_test.c share. */

#include "tui/drive.h"
#include "tui/keep/keep_file.h"
#include "tui/lesson/lesson_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The columns of a 32x32 tile: 32 wavefronts a load. */
#define TILE                                                                                       \
    "\"open\": {\"encoding\": \"swizzled_shared\", \"shape\": [32, 32], \"element\": \"f32\", "    \
    "\"params\": {\"vec\": 1, \"perPhase\": 1, \"maxPhase\": 1, \"order\": [1, 0]}, \"load\": "    \
    "{\"encoding\": \"blocked\", \"params\": {\"sizePerThread\": [1, 1], \"threadsPerWarp\": "     \
    "[32, 1], \"warpsPerCTA\": [1, 32], \"order\": [0, 1]}}}"

#endif
