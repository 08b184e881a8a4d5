#ifndef LANEWAY_TESTS_DOCUMENT_PARTS_H
#define LANEWAY_TESTS_DOCUMENT_PARTS_H

/* What document_test.c and document_files_test.c share. */

#include "notation_help.h"

#include <unistd.h>

static const char linear16[] =
    "#ttg.linear<{register = [[0, 1], [1, 0]], lane = [[0, 2], [0, 4], [0, 8], [2, 0], [4, 0]], "
    "warp = [[8, 0]], block = []}>";

/* ---- Files ---- */

struct position {
    char directory[64];
    char path[128];
};

#endif
