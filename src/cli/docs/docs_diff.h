#ifndef LANEWAY_DOCS_DIFF_H
#define LANEWAY_DOCS_DIFF_H

/* What a document would become, as diff -U0 prints it. */

#include "cli/docs/markers.h"

#include <stdio.h>

struct lw_docs_diff {
    FILE *out;
    const char *path;
    size_t cell;           /* of a notebook, whose lines are counted then; 0: of no notebook */
    size_t added, removed; /* lines so far */
};

/* Prints what would be between two markers, and the names of the files before the first such part. */
void lw_docs_put_diff(struct lw_docs_diff *diff, const struct lw_embedded *pair,
                      struct lw_slice fresh);

#endif
