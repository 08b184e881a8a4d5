#ifndef LANEWAY_TESTS_BROWSE_PARTS_H
#define LANEWAY_TESTS_BROWSE_PARTS_H

/* What the tests of the tables of kernels share. */

#include "tui/kernel/browse.h"
#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define FOLDER "tests/golden/ttgir"
#define MATMUL FOLDER "/matmul.sm80.ttgir"
#define TRANSPOSE FOLDER "/transpose.sm90.ttgir"

static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};

#endif
